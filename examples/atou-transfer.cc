// SPDX-License-Identifier: GPL-2.0-only

// Bulk transfers by atou (Dunigan and Fowler, "Almost TCP over UDP", web page of 2004), whose
// every parameter is an option, or by ns-3's TCP for comparison.
//
//   atou-transfer --options="rcvrwin 300; maxpkts 12000; mss 1460" --linkRate=45Mbps --rtt=65ms
//   atou-transfer --config=my.config --serverSack --ackDelay=200ms --seriesInterval=100ms
//   atou-transfer --congestion=ns3::TcpCubic --options="rcvrwin 2000" --lossRate=0.0001
//   atou-transfer --protocol=tcp --congestion=ns3::TcpLinuxReno --options="rcvrwin 2000"

#include "ns3/atou-config.h"
#include "ns3/atou-helper.h"
#include "ns3/atou-log.h"
#include "ns3/atou-meter.h"
#include "ns3/atou-tcp-congestion.h"
#include "ns3/baseline-helper.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-random-streams.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr const char* SOCKET_TYPE = "ns3::TcpL4Protocol::SocketType"; //!< TCP's congestion control
constexpr uint32_t MAX_TCP_WINDOW = 1U << 30; //!< largest that TCP's window scaling has, B

/// Options that change while the transfers run.
struct Change
{
    Time time;        //!< when, from the start on
    std::string text; //!< "keyword value; keyword value"
};

/// What the command line asks for that is no Attribute.
struct Request
{
    std::string protocol{"atou"};     //!< atou or tcp
    std::string config;               //!< a file in atou's format
    std::string options;              //!< what it says is overridden by this
    std::string optionsAt;            //!< what changes while they run
    std::vector<Change> changes;      //!< the same, read
    uint32_t flows{1};                //!< side by side
    std::string senderHost{"none"};   //!< profile
    std::string receiverHost{"none"}; //!< profile
    std::vector<uint64_t> dropData;   //!< data packets to lose, from 1
    std::vector<Time> dropAt;         //!< lose the next data packet
};

/// Declare the flags.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    const std::string client = "ns3::lfn::AtouClient::";
    const std::string server = "ns3::lfn::AtouServer::";
    const std::string path = "ns3::lfn::PointToPointTopology::";
    Config::SetDefault(path + "LinkRate", DataRateValue(DataRate("100Mbps")));
    Config::SetDefault(path + "Rtt", TimeValue(MilliSeconds(80)));
    flags.Choice("protocol", "what sends", request.protocol, {"atou", "tcp"});
    flags.Text("config", "read the options from a file in atou's own format", request.config);
    flags.Text("options",
               "options, \"keyword value; keyword value\", instead of those of --config",
               request.options);
    flags.Text("optionsAt",
               "options that change while the transfers run, \"2s: increment 10 | 4s: increment "
               "1; floyd 1\", each from the next ACK on",
               request.optionsAt);
    flags.Attribute("congestion", {client + "Congestion"});
    flags.Count("flows", "clients, each with its own server and port", request.flows, 1, 100);
    flags.Attribute("serverSack", {server + "Sack"}, "the server sends SACK blocks (its -s)");
    flags.Attribute("ackDelay",
                    {server + "AckDelay"},
                    "the server delays ACKs (its -d); 0 = never");
    flags.Attribute("ackDelayRule",
                    {server + "DelayRule"},
                    "what --ackDelay means: the original's heartbeat, or ns's sink");
    flags.Attribute("gapLimit", {server + "GapLimit"});
    flags.Attribute("reverseRate",
                    {path + "ReturnRate"},
                    "rate of the reverse path; 0bps: that of --linkRate");
    flags.Attribute("reorder",
                    {path + "ReorderProbability"},
                    "probability that a data packet comes late or early");
    flags.Attribute("reorderData",
                    {path + "ReorderScript"},
                    "these data packets come late or early, counted from 1");
    flags.Attribute("reorderDirection", {path + "ReorderDirection"}, "late, or early");
    flags.Attribute("reorderExtent",
                    {path + "ReorderDisplacement"},
                    "packets that overtake it, or that it overtakes, or the most");
    flags.Attribute("reorderDistribution",
                    {path + "ReorderDistribution"},
                    "how their number is drawn");
    flags.Attribute("reorderMean", {path + "ReorderMeanDisplacement"}, "mean of the geometric law");
    flags.Attribute("policer", {path + "PolicerRate"}, "rate of a policer that drops; 0bps: none");
    flags.SizeAttribute("policerBurst", {path + "PolicerBurst"}, "what may exceed it at once");
    scenario.GetHosts().Declare("senderHost", "speed of the sending hosts", request.senderHost);
    scenario.GetHosts().Declare("receiverHost",
                                "speed of the receiving hosts",
                                request.receiverHost);
    flags.Attribute("interfaceRate", {client + "InterfaceRate"});
    flags.CountList("dropData",
                    "lose these data packets at the bottleneck, counted from 1",
                    request.dropData);
    flags.DurationList("dropAt",
                       "lose the next data packet at the bottleneck after these times",
                       request.dropAt);
    flags.Attribute("checkContent",
                    {client + "CheckContent",
                     server + "CheckContent",
                     "ns3::lfn::TcpSource::CheckContent",
                     "ns3::lfn::TcpSink::CheckContent"},
                    "send a pattern and check every byte");

    scenario.Column("secs", "from start to finish, retransmissions after maxtime included [s]");
    scenario.Column("mbs", "goodput over secs, as the original prints it [Mbit/s]");
    scenario.Column("mean_cwnd", "congestion window over time, rcvrwin at most [segments]");
    scenario.Column("max_cwnd", "largest congestion window, rcvrwin at most [segments]");
    scenario.Column("full_window_s", "when cwnd first was rcvrwin [s]");
    scenario.Column("cwnd", "congestion window at the end, rcvrwin at most [segments]");
    scenario.Column("ssthresh",
                    "slow-start threshold at the end; this and what follows, but "
                    "failure, of atou only [segments]");
    scenario.Column("dup3s", "retransmissions after dup_thresh duplicate ACKs");
    scenario.Column("packs", "retransmissions after partial ACKs or SACK blocks");
    scenario.Column("timeouts", "retransmission timeouts");
    scenario.Column("dups", "duplicate ACKs");
    scenario.Column("badacks", "ACKs below snd_una or above snd_max");
    scenario.Column("maxack", "largest step of snd_una [segments]");
    scenario.Column("maxburst", "largest usable window at one opportunity, used or not [segments]");
    scenario.Column("minrtt_s", "smallest round-trip time [s]");
    scenario.Column("maxrtt_s", "largest round-trip time [s]");
    scenario.Column("avrgrtt_s", "mean round-trip time [s]");
    scenario.Column("srtt_s", "smoothed round-trip time at the end [s]");
    scenario.Column("rttvar_s", "its variation at the end [s]");
    scenario.Column("rto_s", "timeout that these would give [s]");
    scenario.Column("max_delta", "largest Vegas delta [segments]");
    scenario.Column("snd_una", "oldest segment not acknowledged");
    scenario.Column("snd_nxt", "next segment to send");
    scenario.Column("snd_max", "highest segment sent, plus 1");
    scenario.Column("acks", "sent by the server");
    scenario.Column("server_dups", "segments that came again");
    scenario.Column("server_late", "segments that were overtaken, the original's drop|oo");
    scenario.Column("server_max_gap",
                    "most segments that an arrival has skipped, the original's maxooo [segments]");
    scenario.Column("failure", "why, when completed is 0");
    scenario.Metric("goodput_bps", "user bits delivered in the interval, over its length [bit/s]");
    scenario.Metric("send_rate_bps", "bits of datagrams sent, header of 12 bytes included [bit/s]");
    scenario.Metric("cwnd_bytes", "congestion window, rcvrwin at most [B]");
    scenario.Metric("ssthresh_bytes", "slow-start threshold of atou [B]");
    scenario.Metric("rtt_s", "last round-trip time of atou [s]");
    scenario.Metric("vegas_delta_segments", "expected minus actual rate of Vegas [segments]");
    scenario.Metric("server_late", "segments that were overtaken until then");
    flags.Columns("Files of the original, of flow 0: client.trace (debug 4), client.events (debug "
                  "2), client.summary, server.summary.");
    AtouLog::Declare(scenario.GetRecorder());
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, const Request& request)
{
    const bool isAtou = request.protocol == "atou";
    const auto congestion = flags.GetText("congestion");
    if (congestion != AtouClient::NATIVE)
    {
        flags.RefuseIf(CheckTcpCongestion(congestion).has_value(),
                       "congestion",
                       "give native or a TcpCongestionOps, such as ns3::TcpCubic");
        const auto trouble = AtouTcpCongestion::Check(TypeId::LookupByName(congestion));
        if (isAtou && trouble)
        {
            flags.Refuse("congestion", *trouble);
        }
    }
    flags.RefuseUnless(!isAtou || !flags.Get<TimeValue>("ackDelay").IsZero(),
                       {"ackDelayRule"},
                       "give --ackDelay as well");
    flags.RefuseUnless(isAtou,
                       {"serverSack", "optionsAt", "ackDelayRule", "gapLimit", "interfaceRate"},
                       "goes with --protocol=atou only");
    for (const auto& given : flags.GetGiven())
    {
        if (!isAtou && given.name.starts_with("ns3::lfn::AtouOptions::"))
        {
            flags.Refuse(given.argument, "goes with --protocol=atou only: use --options");
        }
        if (!isAtou && given.name == SOCKET_TYPE && flags.IsSet("congestion"))
        {
            flags.Refuse("congestion", "give this or --" + given.name);
        }
    }
    const auto reorder = flags.Get<DoubleValue>("reorder");
    flags.RefuseUnless(reorder > 0 || flags.IsSet("reorderData"),
                       {"reorderExtent", "reorderDirection", "reorderDistribution", "reorderMean"},
                       "give --reorder or --reorderData as well");
    flags.RefuseUnless(reorder == 0, {"reorderData"}, "give this or --reorder");
    flags.RefuseUnless(flags.GetText("reorderDistribution") == "geometric",
                       {"reorderMean"},
                       "goes with --reorderDistribution=geometric only");
    flags.RefuseUnless(flags.Get<DataRateValue>("policer").GetBitRate() > 0,
                       {"policerBurst"},
                       "give --policer as well");
}

/// Read atou's options, and refuse those that cannot be.
void
ReadOptions(AtouHelper& helper,
            const Scenario& scenario,
            const Flags& flags,
            const Request& request)
{
    if (const auto trouble =
            request.config.empty() ? std::nullopt : helper.ReadConfig(request.config))
    {
        flags.Exit(*trouble);
    }
    flags.RefuseIf("options", helper.ReadOptions(request.options));
    const auto options = helper.GetOptions();
    options->Settle();
    flags.RefuseIf(options->port + request.flows > UINT16_MAX,
                   "flows",
                   "their ports must stay below 65536: lower the option port");
    flags.RefuseIf(options->maxPkts == 0 && options->maxTime.IsZero() &&
                       scenario.GetDuration().IsZero(),
                   "options",
                   "give maxpkts, maxtime or --duration, for a transfer with an end");
    flags.RefuseIf(request.protocol == "tcp" && options->rcvrWin > MAX_TCP_WINDOW / options->mss,
                   "options",
                   "make rcvrwin times mss at most 1 GiB, the window of TCP");
}

/// Read --optionsAt, and refuse what cannot be.
void
ReadChanges(const Flags& flags, Ptr<const AtouOptions> options, Request& request)
{
    std::istringstream entries(request.optionsAt);
    const auto next = CopyObject(options);
    for (std::string entry; std::getline(entries, entry, '|');)
    {
        entry.erase(0, entry.find_first_not_of(' '));
        const auto colon = std::min(entry.find(':'), entry.size());
        const auto time = values::ReadTime(entry.substr(0, colon));
        flags.RefuseIf(!time.value || time.value->IsNegative() || colon == entry.size(),
                       "optionsAt",
                       "begin each change with its time, such as 2s: increment 10");
        const auto text = entry.substr(colon + 1);
        auto trouble = AtouConfig::ReadText(text, *next);
        trouble = trouble ? trouble : options->CheckChange(*next);
        if (trouble)
        {
            flags.Refuse("optionsAt", *trouble);
        }
        request.changes.push_back({*time.value, text});
    }
}

/// Give TCP what atou's options ask for.
void
ImplyTcp(const Flags& flags, const AtouOptions& options)
{
    const auto congestion = flags.GetText("congestion");
    const bool isNative = congestion == AtouClient::NATIVE;
    const auto segment = options.mss - AtouDataHeader::SIZE;
    const auto ssthresh = options.GetFirstSsthresh();
    const auto ackDelay = flags.Get<TimeValue>("ackDelay");
    flags.Imply(
        SOCKET_TYPE,
        TypeIdValue(isNative ? TcpLinuxReno::GetTypeId() : TypeId::LookupByName(congestion)));
    const auto imply = [&flags](const std::string& attribute, const AttributeValue& value) {
        flags.Imply("ns3::" + attribute, value);
    };
    // Its proportional rate reduction overflows at large windows.
    imply("TcpL4Protocol::RecoveryType", TypeIdValue(TcpClassicRecovery::GetTypeId()));
    imply("TcpSocketBase::Timestamp", BooleanValue(false));
    imply("TcpSocketBase::Sack", BooleanValue(options.sack));
    imply("TcpSocketBase::ReTxThreshold", UintegerValue(options.dupThresh));
    imply("TcpSocketBase::MinRto", TimeValue(options.timeout));
    imply("TcpSocket::InitialCwnd", UintegerValue(options.initSegs));
    imply("TcpSocket::InitialSlowStartThreshold",
          UintegerValue(ssthresh >= AtouOptions::INFINITE ? UINT32_MAX : ssthresh * options.mss));
    imply("TcpSocket::DelAckCount", UintegerValue(ackDelay.IsStrictlyPositive() ? 2 : 1));
    if (ackDelay.IsStrictlyPositive())
    {
        imply("TcpSocket::DelAckTimeout", TimeValue(ackDelay));
    }
    imply("lfn::TcpSource::SegmentSize", UintegerValue(segment));
    imply("lfn::TcpSource::SndBufSize", UintegerValue(options.rcvrWin * segment));
    imply("lfn::TcpSink::RcvBufSize", UintegerValue(options.rcvrWin * segment));
}

/// One transfer by atou or TCP.
struct Flow
{
    AtouHelper::Transfer atou;        //!< the two ends; null for TCP
    BaselineHelper::Transfer ends;    //!< the two ends
    std::unique_ptr<AtouMeter> meter; //!< of the congestion window
    uint64_t sampledBytes{0};         //!< delivered bytes at the last sample
    uint64_t sampledSent{0};          //!< data packets at the last sample
};

/// Install a flow.
Flow
Install(const Request& request,
        const AtouHelper& helper,
        const TransportTopology& path,
        Time start,
        uint32_t index)
{
    const auto sender = path.GetSenders().Get(index % path.GetSenders().GetN());
    const auto to = index % path.GetReceivers().GetN();
    const auto receiver = path.GetReceivers().Get(to);
    const auto& options = *helper.GetOptions();
    Flow flow;
    if (request.protocol == "atou")
    {
        flow.atou =
            helper.Install(sender, receiver, path.GetReceiverEnd(to), static_cast<uint16_t>(index));
        helper.FollowRtt(flow.atou.source, path.GetRtt(index % path.GetSenders().GetN(), to));
        flow.atou.sink->AssignStreams(RandomStreams::Flow(index));
        flow.ends = {flow.atou.source, flow.atou.sink};
        for (const auto& change : request.changes)
        {
            Simulator::Schedule(start + change.time, [client = flow.atou.source, change]() {
                client->ChangeOptions(change.text);
            });
        }
    }
    else
    {
        const auto port = static_cast<uint16_t>(options.port + index);
        flow.ends =
            BaselineHelper("Tcp").Install(sender,
                                          receiver,
                                          UdpEndpoint::WithPort(path.GetReceiverEnd(to), port));
        const auto segment = options.mss - AtouDataHeader::SIZE;
        const auto bytes = options.maxPkts > 0 ? (options.maxPkts - uint64_t{1}) * segment : 0;
        flow.ends.source->SetAttribute("Bytes", UintegerValue(bytes));
        if (bytes == 0 && options.maxTime.IsStrictlyPositive())
        {
            flow.ends.source->SetStopTime(options.maxTime);
        }
    }
    HostCost::SetProfile(flow.ends.source, request.senderHost);
    HostCost::SetProfile(flow.ends.sink, request.receiverHost);
    flow.meter = std::make_unique<AtouMeter>(flow.ends.source, options.rcvrWin);
    return flow;
}

/// Sample a flow into the series.
void
Sample(RunRecorder& recorder, Time end, Time interval, int64_t index, Flow& flow, uint32_t mss)
{
    const auto sample = [&](const char* metric, double value) {
        recorder.Sample(end, index, metric, value);
    };
    const auto rate = [interval](uint64_t bytes) {
        return 8 * static_cast<double>(bytes) / interval.GetSeconds();
    };
    const auto bytes = flow.ends.sink->GetReport().deliveredBytes;
    const auto sent = flow.ends.source->GetReport().dataPackets;
    sample("goodput_bps", rate(bytes - std::exchange(flow.sampledBytes, bytes)));
    sample("send_rate_bps", rate((sent - std::exchange(flow.sampledSent, sent)) * mss));
    sample("cwnd_bytes", flow.meter->GetWindow() * mss);
    if (flow.atou.source && flow.atou.source->GetReport().started)
    {
        const auto& core = flow.atou.source->GetCore();
        sample("ssthresh_bytes", static_cast<double>(core.GetState().ssthresh) * mss);
        sample("rtt_s", flow.meter->GetRtt().GetSeconds());
        sample("vegas_delta_segments", core.GetCongestion().GetDelta());
    }
    if (flow.atou.sink)
    {
        const auto& server = flow.atou.sink->GetCore().GetCounters();
        sample("server_late", static_cast<double>(server.skipped));
    }
}

/// Write a flow's row; one without a size ends with the run.
void
AddRow(Scenario& scenario,
       uint32_t index,
       const Flow& flow,
       const std::string& variant,
       bool isEndless)
{
    using R = RunRecorder;
    auto report = scenario.GetLiveEnds().JoinReports(*flow.ends.source, *flow.ends.sink);
    const auto& received = flow.ends.sink->GetReport();
    const auto end = report.finish.IsZero() ? Simulator::Now() : report.finish;
    const double seconds = (end - report.start).GetSeconds();
    const double megabits = 8e-6 * static_cast<double>(report.deliveredBytes);
    report.variant = variant;
    R::Fields own = {{"secs", R::Print(seconds)},
                     {"mbs", R::Print(seconds > 0 ? megabits / seconds : 0.0)},
                     {"failure", received.failure.empty() ? report.failure : received.failure}};
    const auto add = [&own](const R::Fields& more) {
        own.insert(own.end(), more.begin(), more.end());
    };
    const bool hasSender = !scenario.GetLiveEnds().IsReal(flow.ends.source->GetNode());
    const bool hasReceiver = !scenario.GetLiveEnds().IsReal(flow.ends.sink->GetNode());
    if (hasSender)
    {
        const double full = flow.meter->GetFullAt();
        add({{"mean_cwnd", R::Print(flow.meter->GetMean(end))},
             {"max_cwnd", R::Print(flow.meter->GetLargest())},
             {"full_window_s", full < 0 ? "" : R::Print(full)},
             {"cwnd", R::Print(flow.meter->GetWindow())}});
    }
    if (flow.atou.source && hasSender)
    {
        const auto& statistics = flow.atou.source->GetCore().GetStatistics();
        const auto& state = flow.atou.source->GetCore().GetState();
        add({{"ssthresh", R::Print(uint64_t{state.ssthresh})},
             {"dup3s", R::Print(statistics.dup3s)},
             {"packs", R::Print(statistics.packs)},
             {"timeouts", R::Print(statistics.timeouts)},
             {"dups", R::Print(statistics.dups)},
             {"badacks", R::Print(statistics.badacks)},
             {"maxack", R::Print(uint64_t{statistics.maxAck})},
             {"maxburst", R::Print(uint64_t{statistics.maxBurst})},
             {"minrtt_s", R::Print(statistics.GetMinRtt())},
             {"maxrtt_s", R::Print(statistics.GetMaxRtt())},
             {"avrgrtt_s", R::Print(statistics.GetMeanRtt())},
             {"srtt_s", R::Print(statistics.GetSrtt())},
             {"rttvar_s", R::Print(statistics.GetRttVar())},
             {"rto_s", R::Print(statistics.GetRto())},
             {"max_delta", R::Print(statistics.maxDelta)},
             {"snd_una", R::Print(uint64_t{state.una})},
             {"snd_nxt", R::Print(uint64_t{state.nxt})},
             {"snd_max", R::Print(uint64_t{state.max})}});
    }
    if (flow.atou.sink && hasReceiver)
    {
        const auto& server = flow.atou.sink->GetCore().GetCounters();
        report.controlPackets = server.acks;
        add({{"acks", R::Print(server.acks)},
             {"server_dups", R::Print(server.duplicates)},
             {"server_late", R::Print(server.skipped)},
             {"server_max_gap", R::Print(uint64_t{server.maxGap})}});
    }
    scenario.GetRecorder().AddFlow(index, report, own, isEndless);
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("atou-transfer",
                      "Bulk transfers by atou, an instrumented, tunable TCP over UDP (Dunigan and "
                      "Fowler, 2004), or by ns-3's TCP with comparable settings.",
                      {.realEnds = true});
    Request request;
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    const auto& flags = scenario.GetFlags();
    CheckTogether(flags, request);
    AtouHelper helper;
    ReadOptions(helper, scenario, flags, request);
    const auto options = helper.GetOptions();
    ReadChanges(flags, options, request);
    const bool isAtou = request.protocol == "atou";
    if (!isAtou)
    {
        ImplyTcp(flags, *options);
    }
    const auto path = scenario.BuildTopology();
    for (uint32_t i = 0; i < request.flows; ++i)
    {
        scenario.CheckPair(i % path->GetSenders().GetN(), i % path->GetReceivers().GetN());
    }
    auto& recorder = scenario.GetRecorder();
    if (!request.dropAt.empty() || !request.dropData.empty())
    {
        scenario.GetLosses().AddData(helper.MakeDropScript(request.dropAt, request.dropData));
    }

    std::vector<Flow> flows;
    for (uint32_t i = 0; i < request.flows; ++i)
    {
        flows.push_back(Install(request, helper, *path, scenario.GetStart(), i));
        const auto& ends = flows[i].ends;
        scenario.GetEnd().StopAfter(ends.source, ends.sink);
        scenario.GetMonitoring().Watch(i,
                                       ends.source->GetNode(),
                                       ends.sink->GetNode(),
                                       static_cast<uint16_t>(options->port + i));
    }
    std::unique_ptr<AtouLog> log;
    if (isAtou)
    {
        log = std::make_unique<AtouLog>(recorder, flows[0].atou);
    }
    scenario.GetSeries().EachInterval([&](Time end, Time interval) {
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            Sample(recorder, end, interval, static_cast<int64_t>(i), flows[i], options->mss);
        }
    });
    scenario.Run();

    const bool isEndless = options->maxPkts == 0 && options->maxTime.IsZero();
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        AddRow(scenario, i, flows[i], GetTcpCongestion(*flows[i].ends.source), isEndless);
    }
    if (log)
    {
        log->Write();
    }
    return scenario.Finish();
}
