// SPDX-License-Identifier: GPL-2.0-only
#include "atou-text.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace ns3::lfn
{

namespace
{

/// Makes a stream that writes numbers with six digits after the point, as the original does.
std::ostringstream
MakeStream()
{
    std::ostringstream os;
    os << std::fixed << std::setprecision(6);
    return os;
}

/// Writes a number with no more digits than it needs.
std::string
Short(double number)
{
    std::ostringstream os;
    os << number;
    return os.str();
}

/// Writes a number with some digits after the point.
std::string
Round(double number, int digits)
{
    std::ostringstream os;
    os << std::fixed << std::setprecision(digits) << number;
    return os.str();
}

/// Writes the whole part of a number, as the original's integers do.
std::string
Whole(double number)
{
    return Round(std::trunc(number), 0);
}

/// Writes the time of an event.
std::string
When(const AtouEvent& event)
{
    return Round(event.time.GetSeconds(), 2);
}

/// Divides; by 0 it gives 0.
double
Divide(double dividend, double divisor)
{
    return divisor == 0 ? 0 : dividend / divisor;
}

/// Writes the lines of a client's options.
void
WriteOptions(std::ostream& os, const AtouOptions& options, const AtouText::ClientRun& run)
{
    const AtouOptions usual; // as the original has them, not a user's defaults
    os << "config: " << run.program << " port " << options.port << " debug " << options.debug
       << (run.date.empty() ? "" : " ") << run.date << "\nconfig: initsegs " << options.initSegs
       << " mss " << options.mss << " tick " << options.tick.GetSeconds() << " timeout "
       << options.timeout.GetSeconds() << "\n";
    if (options.maxIdle != usual.maxIdle || options.maxTime != usual.maxTime)
    {
        os << "config: maxidle " << options.maxIdle << " maxtime "
           << Short(options.maxTime.GetSeconds()) << "\n";
    }
    os << "config: rcvrwin " << options.rcvrWin << " increment " << Short(options.increment)
       << " multiplier " << options.multiplier << " thresh_init " << options.threshInit << "\n";
    if (options.ssIncr != usual.ssIncr || options.maxSsthresh != usual.maxSsthresh ||
        options.floyd || options.kai != usual.kai)
    {
        os << "config: ssincr " << Short(options.ssIncr) << " max_ssthresh "
           << Short(options.maxSsthresh) << " floyd " << options.floyd << " kai " << options.kai
           << "\n";
    }
    os << "config: newreno " << options.newReno << " sack " << options.sack;
    if (options.rampDown || options.fack)
    {
        os << " rampdown " << options.rampDown << " fack " << options.fack;
    }
    os << " delack " << options.delAck << " maxpkts " << options.maxPkts << " burst_limit "
       << options.burstLimit << " dup_thresh " << options.dupThresh << "\n";
    if (options.vegas != AtouOptions::VegasRtt::OFF)
    {
        os << "config: vegas " << static_cast<int>(options.vegas) << " valpha " << options.vAlpha
           << " vbeta " << options.vBeta << " vgamma " << options.vGamma << " vss "
           << static_cast<int>(options.vss) << "\n";
    }
    if (!options.dropList.empty())
    {
        os << "config: droplist";
        for (const auto segment : options.dropList)
        {
            os << " " << segment;
        }
        os << "\n";
    }
    os << "config: sndbuf " << options.sndBuf << " rcvbuf " << options.rcvBuf << "\n";
}

} // namespace

std::string
AtouText::MakeXmt(Time time, uint32_t segment)
{
    auto os = MakeStream();
    os << time.GetSeconds() << " " << segment << " xmt";
    return os.str();
}

std::string
AtouText::MakeAck(Time time,
                  uint32_t segment,
                  Time rtt,
                  const AtouState& state,
                  std::span<const AtouBlock> blocks)
{
    auto os = MakeStream();
    os << time.GetSeconds() << " " << segment << " " << rtt.GetSeconds() << "  "
       << Whole(state.cwnd) << " " << state.ssthresh << " ack";
    if (!blocks.empty())
    {
        os << " blkcnt:" << blocks.size();
        for (const auto& block : blocks)
        {
            os << " " << block.first << "-" << block.last;
        }
    }
    return os.str();
}

std::string
AtouText::MakeEvent(const AtouEvent& event, bool hasVegas)
{
    const auto& state = event.state;
    const auto cwnd = Whole(state.cwnd);
    auto os = MakeStream();
    const auto writeWindow = [&os, &event, &state, &cwnd]() {
        os << "pkt " << event.packet << " nxt " << state.nxt << " max " << state.max << " cwnd "
           << cwnd << " thresh " << state.ssthresh << " recover " << state.recover;
    };
    switch (event.kind)
    {
    case AtouEvent::Kind::DUP_RXMT:
        os << "3duprxmit " << When(event) << " ";
        writeWindow();
        if (hasVegas)
        {
            os << " vdelta " << event.delta;
        }
        break;
    case AtouEvent::Kind::PAC_RXMT:
        os << "packrxmit ";
        writeWindow();
        os << " una " << state.una;
        break;
    case AtouEvent::Kind::TIMER_RXMT:
        os << "timerxmit " << When(event) << " pkt " << event.packet << " snd_nxt " << state.nxt
           << " snd_max " << state.max << " snd_cwnd " << cwnd << " thresh " << state.ssthresh;
        break;
    case AtouEvent::Kind::BAD_ACK:
        os << "badack " << event.packet << " snd_max " << state.max << " snd_nxt " << state.nxt
           << " snd_una " << state.una;
        break;
    case AtouEvent::Kind::CA_EXIT:
        os << "CAexit " << When(event) << " " << event.packet;
        break;
    case AtouEvent::Kind::VSS:
        os << "vss " << When(event) << " ";
        writeWindow();
        os << " vdelta " << event.delta << " vrtt " << event.second;
        break;
    case AtouEvent::Kind::FLOYD:
        os << "floyd cwnd " << cwnd << " current " << event.count << " incr " << Short(event.value)
           << " mult " << event.second;
        break;
    case AtouEvent::Kind::BWERTT:
        os << "bwertt " << event.time.GetSeconds() << " " << event.value << " " << event.second
           << " " << event.count << " " << event.delta;
        break;
    }
    return os.str();
}

std::string
AtouText::MakeClientSummary(const AtouOptions& options,
                            const AtouStatistics& statistics,
                            const AtouState& state,
                            const ClientRun& run)
{
    const double elapsed = run.elapsed.GetSeconds();
    const double size = run.segmentBytes;
    // The original counts maxpkts segments, one more than it sends.
    const uint64_t good = uint64_t{state.una > 1 ? state.una : 0} * run.segmentBytes;
    const uint64_t sent = statistics.packetsOut * run.segmentBytes;
    const double rate = Divide(8e-6 * static_cast<double>(good), elapsed);
    const auto out = static_cast<double>(statistics.packetsOut);
    const double meanRtt = statistics.GetMeanRtt();
    const double underWay = Divide(meanRtt * out, elapsed);

    auto os = MakeStream();
    WriteOptions(os, options, run);
    os << run.client << " => " << run.server << " " << rate << " Mbs win " << options.rcvrWin
       << " rxmts " << statistics.rxmts << "\n"
       << elapsed << " secs " << good << " good bytes goodput "
       << Divide(1e-3 * static_cast<double>(good), elapsed) << " KBs " << rate << " Mbs\n"
       << "pkts in " << statistics.packetsIn << " out " << statistics.packetsOut << " enobufs 0\n"
       << "total bytes out " << sent << " loss "
       << Round(Divide(100.0 * static_cast<double>(statistics.rxmts), out), 3) << " % "
       << Divide(8e-6 * static_cast<double>(sent), elapsed) << " Mbs\n"
       << "rxmts " << statistics.rxmts << " dup3s " << statistics.dup3s << " packs "
       << statistics.packs << " timeouts " << statistics.timeouts << " dups " << statistics.dups
       << " badacks " << statistics.badacks << " maxack " << statistics.maxAck << " maxburst "
       << statistics.maxBurst << "\n"
       << "minrtt " << statistics.GetMinRtt() << " maxrtt " << statistics.GetMaxRtt() << " avrgrtt "
       << meanRtt << "\n"
       << "rto " << statistics.GetRto() << " srtt " << statistics.GetSrtt() << " rttvar "
       << statistics.GetRttVar() << "\n"
       << "win/rtt = " << Divide(8e-6 * options.rcvrWin * size, meanRtt)
       << " Mbs bwdelay = " << Whole(underWay * size / 1000) << " KB " << Whole(underWay)
       << " segs\n"
       << "snd_nxt " << state.nxt << " snd_cwnd " << Whole(state.cwnd) << " snd_una " << state.una
       << " ssthresh " << state.ssthresh << " snd_max " << state.max << "\n"
       << "goodacks " << statistics.goodacks << " cumacks " << statistics.cumacks << " ooacks "
       << statistics.ooacks << "\n";
    if (options.vegas != AtouOptions::VegasRtt::OFF)
    {
        os << "bwertt " << statistics.bwertt << " bwertt_max " << statistics.bwerttMax
           << " max_delta " << statistics.maxDelta << " vsscnt " << statistics.vssCount << " vdecr "
           << statistics.vDecreases << " v0 " << statistics.vHolds << " vrtt " << statistics.vRtt
           << " vdelta " << run.vegasDelta << "\n";
    }
    return os.str();
}

std::string
AtouText::MakeServerSummary(const AtouReceiverCore::Counters& counters,
                            const std::vector<AtouBlock>& gaps,
                            const ServerRun& run)
{
    // The first datagram begins the time, so it does not count in the rate.
    const double elapsed = (run.last - run.first).GetSeconds();
    const uint64_t later = counters.packets - std::min<uint64_t>(counters.packets, 1);
    const double bytes = static_cast<double>(later) * run.segmentBytes;
    auto os = MakeStream();
    os << "pkts " << counters.packets << " acks " << counters.acks << " bytes "
       << counters.packets * run.segmentBytes << " " << Divide(1e-3 * bytes, elapsed) << " KBs "
       << Divide(8e-6 * bytes, elapsed) << " Mbs " << elapsed << " secs\n"
       << "dups " << counters.duplicates << " drop|oo " << counters.skipped << " sacks "
       << counters.sacks << " seglen " << run.segmentBytes << " maxseg " << counters.maxSegment
       << " maxooo " << counters.maxGap << " acktimeouts " << counters.ackTimeouts << "\n";
    uint64_t lines = 0;
    uint64_t more = 0;
    for (const auto& gap : gaps)
    {
        const uint64_t size = uint64_t{gap.last} - gap.first + 1;
        const uint64_t shown = std::min(size, MAX_MISSING - lines);
        for (uint64_t i = 0; i < shown; ++i)
        {
            os << "missing " << gap.first + i << "\n";
        }
        lines += shown;
        more += size - shown;
    }
    if (more > 0)
    {
        os << "missing " << more << " more\n";
    }
    return os.str();
}

} // namespace ns3::lfn
