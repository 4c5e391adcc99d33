// SPDX-License-Identifier: GPL-2.0-only

// Runs the cores of UDT as the original program was measured, over a path with a clock of its own
// and without the simulator, for analysis/rerun_udt.py:
//
//   udt-original-runner --link=100 --rtt=20 --queue=1000 --bytes=100000000 --runs=3
//
// One line per run and flow follows a line of names; the names are those of the measurements.

#include "udt-test-flow.h"

#include "ns3/command-line.h"

#include <cmath>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What the command line asks for. */
struct Request
{
    std::string variant{"udt4"}; //!< udt4, udt3, draft or srt
    double link{100};            //!< Mb/s
    std::string rtt{"20"};       //!< ms, one per flow
    std::string start{"0"};      //!< s, one per flow
    std::string stop{"0"};       //!< s, one per flow; 0: when everything is delivered
    uint32_t queue{1000};        //!< packets
    uint32_t framing{2};         //!< B
    double loss{0};              //!< probability
    std::string script;          //!< packet:times, by semicolons
    std::string handshakes;      //!< packets of the set-up that are lost once, by commas
    double dead{0};              //!< s; 0: never
    double hostCost{0};          //!< us per packet
    uint32_t window{8192};       //!< packets
    uint32_t sendBuffer{8192};   //!< packets
    uint32_t write{145600};      //!< B
    uint64_t bytes{100'000'000}; //!< of a flow that does not stop
    uint64_t seed{1};            //!< of the losses of the first run
    uint32_t runs{1};            //!< with the next seeds
    int64_t initial{-1};         //!< sequence number of the first run; -1: random
    double granularity{-1};      //!< of the period, us; -1: the variant's
    int32_t repeatNak{-1};       //!< 0 or 1; -1: the variant's
    double nakMinimum{-1};       //!< ms; -1: the variant's
    double windowRtts{-1};       //!< RTTs of data that W holds; -1: the variant's
    double minimumIncrease{-1};  //!< packets per SYN; -1: the variant's
};

/**
 * @brief Split a text.
 * @param text the text
 * @param separator between its parts
 * @return the parts
 */
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
    {
        parts.push_back(part);
    }
    return parts;
}

/**
 * @brief Read numbers.
 * @param text numbers with commas between them
 * @return the numbers
 */
std::vector<double>
Numbers(const std::string& text)
{
    std::vector<double> numbers;
    for (const auto& part : Split(text, ','))
    {
        numbers.push_back(std::stod(part));
    }
    return numbers;
}

/**
 * @brief Join numbers as the measurements do.
 * @param values the numbers
 * @return text with semicolons
 */
template <typename Values>
std::string
Join(const Values& values)
{
    std::ostringstream text;
    text.precision(8);
    for (const auto& value : values)
    {
        text << (text.tellp() > 0 ? ";" : "") << value;
    }
    return text.str();
}

/**
 * @brief Make the settings of a flow.
 * @param request the command line
 * @param flow which one
 * @param initial sequence number
 * @return the settings
 */
UdtTestFlow::Settings
MakeFlow(const Request& request, std::size_t flow, uint32_t initial)
{
    const auto at = [flow](const std::string& text) {
        const auto numbers = Numbers(text);
        return numbers.at(std::min(flow, numbers.size() - 1));
    };
    UdtTestFlow::Settings settings;
    const std::map<std::string, UdtVariant> variants{{"udt4", UdtVariant::UDT4},
                                                     {"udt3", UdtVariant::UDT3},
                                                     {"draft", UdtVariant::DRAFT},
                                                     {"srt", UdtVariant::SRT}};
    settings.variant = variants.at(request.variant);
    ApplyUdtVariant(settings.variant, settings.udt);
    settings.rtt = Seconds(at(request.rtt) / 1e3);
    settings.start = Seconds(at(request.start));
    const double stop = at(request.stop);
    settings.stop = stop > 0 ? Seconds(stop) : Time::Max();
    settings.bytes = stop > 0 ? uint64_t{1} << 50 : request.bytes;
    settings.dead = request.dead > 0 ? Seconds(request.dead) : Time::Max();
    settings.hostCost = Seconds(request.hostCost / 1e6);
    settings.window = request.window;
    settings.initial = initial;
    settings.udt.sender.sendBuffer = request.sendBuffer;
    settings.udt.sender.writeSize = request.write;
    if (request.granularity >= 0)
    {
        settings.udt.control.periodGranularity = Seconds(request.granularity / 1e6);
    }
    if (request.repeatNak >= 0)
    {
        settings.udt.receiver.repeatNak = request.repeatNak > 0;
    }
    if (request.nakMinimum >= 0)
    {
        settings.udt.receiver.nakMinimum = Seconds(request.nakMinimum / 1e3);
    }
    if (request.windowRtts >= 0)
    {
        settings.udt.control.windowRtts = request.windowRtts;
    }
    if (request.minimumIncrease >= 0)
    {
        settings.udt.control.minimumIncrease = request.minimumIncrease;
    }
    for (const auto& part : Split(request.script, ';'))
    {
        const auto words = Split(part, ':');
        const auto packet = static_cast<uint32_t>(std::stoul(words.at(0)));
        settings.drops[packet] =
            words.size() > 1 ? static_cast<uint32_t>(std::stoul(words.at(1))) : 1;
    }
    using Handshake = UdtTestFlow::Handshake;
    const std::map<std::string, Handshake> kinds{{"request", Handshake::REQUEST},
                                                 {"cookie", Handshake::COOKIE},
                                                 {"second", Handshake::SECOND},
                                                 {"answer", Handshake::ANSWER}};
    for (const auto& name : Split(request.handshakes, ','))
    {
        ++settings.lost[kinds.at(name)];
    }
    return settings;
}

/**
 * @brief Print the line of a flow.
 * @param run number of the run
 * @param number of the flow
 * @param initial sequence number
 * @param flow the flow
 * @param path its path
 * @param request the command line
 */
void
Print(uint32_t run,
      std::size_t number,
      uint32_t initial,
      const UdtTestFlow& flow,
      const UdtTestPath& path,
      const Request& request)
{
    const auto& sent = flow.m_sender.GetCounters();
    const auto& received = flow.m_receiver.GetCounters();
    const auto& state = flow.m_sender.GetPath();
    const auto* control = flow.m_sender.GetControl();
    const double start =
        Numbers(request.start).at(std::min(number, Numbers(request.start).size() - 1));
    double rtt = 0;
    for (const auto us : flow.m_rtts)
    {
        rtt += us / 1e3 / static_cast<double>(flow.m_rtts.size());
    }
    std::vector<double> mbps;
    mbps.reserve(flow.m_bytesBySecond.size());
    for (const auto bytes : flow.m_bytesBySecond)
    {
        mbps.push_back(8e-6 * static_cast<double>(bytes));
    }
    std::cout.precision(10);
    std::cout << run << ',' << number << ',' << initial << ','
              << (flow.m_start.GetSeconds() - start) << ',' << flow.GetSpan() << ','
              << flow.m_counters.deliveredBytes << ','
              << 8e-6 * static_cast<double>(flow.m_counters.deliveredBytes) / flow.GetSpan() << ','
              << sent.packets << ',' << sent.retransmitted << ',' << path.forward.m_dropped << ','
              << path.lossDrops << ',' << received.naks << ',' << received.lost << ','
              << received.acks << ',' << received.shortAcks << ',' << received.lightAcks << ','
              << flow.m_counters.acks2 << ',' << received.keepAlives << ','
              << flow.m_counters.handshakes << ',' << path.forward.m_maxWaiting << ',' << rtt << ','
              << (control ? control->GetPeriod() : 0) << ',' << (control ? control->GetWindow() : 0)
              << ',' << state.capacity * 8e-6 * 1456 << ',' << Join(mbps) << ','
              << Join(flow.m_periods) << ',' << Join(flow.m_windows) << '\n';
}

/**
 * @brief Run once.
 * @param request the command line
 * @param run number of the run
 * @param random sequence numbers
 */
void
Run(const Request& request, uint32_t run, std::mt19937& random)
{
    UdtTestPath::Settings settings;
    settings.rate = request.link * 1e6;
    settings.queue = request.queue;
    settings.framing = request.framing;
    if (request.loss > 0)
    {
        settings.isLost = UdtTestLosses(request.seed + run, request.loss);
    }
    UdtTestPath path(settings);
    const auto count = Numbers(request.rtt).size();
    std::vector<uint32_t> initial;
    std::vector<std::unique_ptr<UdtTestFlow>> flows;
    double end = 0;
    for (const auto stop : Numbers(request.stop))
    {
        end = std::max(end, stop);
    }
    for (std::size_t flow = 0; flow < count; ++flow)
    {
        const auto drawn = static_cast<uint32_t>(random()) % UDT_SEQUENCES;
        const auto chosen = static_cast<uint32_t>(request.initial + run) % UDT_SEQUENCES;
        initial.push_back(request.initial < 0 ? drawn : chosen);
        flows.push_back(
            std::make_unique<UdtTestFlow>(path, MakeFlow(request, flow, initial.back())));
    }
    const auto isOver = [&]() {
        if (end > 0)
        {
            return path.clock.GetNow() >= Seconds(end);
        }
        return std::all_of(flows.begin(), flows.end(), [](const auto& flow) {
            return flow->IsOver();
        });
    };
    while (!isOver() && path.clock.Step())
    {
    }
    for (std::size_t flow = 0; flow < count; ++flow)
    {
        Print(run, flow, initial[flow], *flows[flow], path, request);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Request request;
    CommandLine cmd(__FILE__);
    cmd.Usage("Run UDT as the original program was measured.");
    cmd.AddValue("variant", "udt4, udt3, draft or srt", request.variant);
    cmd.AddValue("link", "rate of the link, Mb/s", request.link);
    cmd.AddValue("rtt", "round-trip times of the flows, ms, by commas", request.rtt);
    cmd.AddValue("start", "starts of the flows, s, by commas", request.start);
    cmd.AddValue("stop", "ends of the flows, s, by commas; 0: when complete", request.stop);
    cmd.AddValue("queue", "packets that wait", request.queue);
    cmd.AddValue("framing", "bytes of each packet on the link besides IP's", request.framing);
    cmd.AddValue("loss", "probability of a loss behind the link", request.loss);
    cmd.AddValue("script", "data packets to lose, number:times, by semicolons", request.script);
    cmd.AddValue("handshakes",
                 "packets of the set-up to lose: request, cookie, second, answer",
                 request.handshakes);
    cmd.AddValue("dead", "what is sent from then on is lost, s; 0: never", request.dead);
    cmd.AddValue("hostCost", "time that the host needs per data packet, us", request.hostCost);
    cmd.AddValue("window", "receive buffer, packets", request.window);
    cmd.AddValue("sendBuffer", "send buffer, packets", request.sendBuffer);
    cmd.AddValue("write", "bytes per write", request.write);
    cmd.AddValue("bytes", "to send", request.bytes);
    cmd.AddValue("seed", "of the losses of the first run", request.seed);
    cmd.AddValue("runs", "runs, with the next seeds", request.runs);
    cmd.AddValue("initial", "sequence number of the first run; -1: random", request.initial);
    cmd.AddValue("granularity", "of the period, us; -1: the variant's", request.granularity);
    cmd.AddValue("repeatNak", "0 or 1; -1: the variant's", request.repeatNak);
    cmd.AddValue("nakMinimum", "least time between repeated NAKs, ms", request.nakMinimum);
    cmd.AddValue("windowRtts", "that W holds; -1: the variant's", request.windowRtts);
    cmd.AddValue("minimumIncrease", "packets per SYN; -1: the variant's", request.minimumIncrease);
    cmd.Parse(argc, argv);
    try
    {
        std::cout << "run,flow,initial,setup_s,span_s,bytes,goodput_Mbps,pkts_sent,pkts_resent,"
                     "path_drop_queue,path_drop_loss,naks,nak_pkts,acks_full,acks_norate,"
                     "acks_light,acks2,keepalives,handshakes,path_maxq,rtt_mean_ms,end_period_us,"
                     "end_cwnd,end_capacity_Mbps,Mbps_by_second,period_us_by_second,"
                     "cwnd_by_second\n";
        std::mt19937 random(static_cast<uint32_t>(request.seed));
        for (uint32_t run = 0; run < request.runs; ++run)
        {
            Run(request, run, random);
        }
    }
    catch (const std::exception& error)
    {
        std::cerr << "udt-original-runner: a variant, or a value of a list, is no number or name: "
                  << error.what() << '\n';
        return 1;
    }
    return 0;
}
