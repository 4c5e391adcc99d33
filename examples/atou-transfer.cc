// SPDX-License-Identifier: GPL-2.0-only

// Bulk transfers by atou (Dunigan and Fowler, "Almost TCP over UDP", web page of 2004), whose
// every knob is an option, or by ns-3's TCP for comparison.
//
//   atou-transfer --options="rcvrwin 300; maxpkts 12000; mss 1460" --linkRate=45Mbps --rtt=65ms
//   atou-transfer --config=my.config --serverSack --ackDelay=200ms --seriesInterval=100ms
//   atou-transfer --congestion=ns3::TcpCubic --options="rcvrwin 2000" --lossRate=0.0001
//   atou-transfer --protocol=tcp --congestion=ns3::TcpLinuxReno --options="rcvrwin 2000"

#include "ns3/atou-helper.h"
#include "ns3/atou-log.h"
#include "ns3/atou-tcp-congestion.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <memory>
#include <utility>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint32_t MAX_TCP_WINDOW = 1U << 30; //!< that TCP's window scaling can tell, B

/// What the command line asks for.
struct Request
{
    std::string protocol{"atou"};     //!< atou or tcp
    std::string config;               //!< a file in atou's format
    std::string options;              //!< what it says is overridden by this
    std::string congestion{"native"}; //!< or a TcpCongestionOps
    uint32_t flows{1};                //!< side by side
    bool serverSack{false};           //!< -s
    Time ackDelay;                    //!< -d
    bool ackOddOnly{false};           //!< of segments out of order, too
    uint32_t holeLimit{0};            //!< of the server's table
    DataRate ackRate{0};              //!< rate of the way back
    std::string reorderLaw{"fixed"};  //!< how that is drawn
    double reorderMean{10};           //!< mean of the geometric law
    std::string senderHost{"none"};   //!< profile
    std::string receiverHost{"none"}; //!< profile
    DataRate interfaceRate{0};        //!< of the sending host
    std::vector<Time> dropAt;         //!< lose the next data packet
    bool checkContent{false};         //!< send and check a pattern
};

/// Declare the flags.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    flags.Choice("protocol", "what sends", request.protocol, {"atou", "tcp"});
    flags.Text("config", "read the options from a file in atou's own format", request.config);
    flags.Text("options",
               "options, \"keyword value; keyword value\", instead of those of --config",
               request.options);
    flags.Text("congestion",
               "congestion control: native by the options, or a TcpCongestionOps's TypeId",
               request.congestion);
    flags.Count("flows", "clients, each with its own server and port", request.flows, 1, 100);
    flags.Switch("serverSack", "the server sends SACK blocks (its -s)", request.serverSack);
    flags.Duration("ackDelay", "the server delays ACKs (its -d); 0 = never", request.ackDelay);
    flags.Switch(
        "ackOddOnly",
        "with --ackDelay segments out of order, too, are acknowledged for odd numbers and above "
        "new holes only",
        request.ackOddOnly);
    flags.Count("holeLimit",
                "holes that the server remembers, 1024 in the original; 0 = all",
                request.holeLimit);
    flags.Rate("ackRate", "rate of the way back; that of --linkRate unless given", request.ackRate);
    flags.Fraction("reorder",
                   "probability that a data packet is overtaken",
                   scenario.GetPath().reorder);
    flags.Count("reorderBy",
                "packets that overtake it, or the most",
                scenario.GetPath().reorderDisplacement,
                1,
                10000);
    flags.Choice("reorderLaw",
                 "how their number is drawn",
                 request.reorderLaw,
                 {"fixed", "uniform", "geometric"});
    flags.Number("reorderMean", "mean of the geometric law", request.reorderMean, 1, 10000);
    flags.Rate("policer",
               "rate of a policer that drops; none unless given",
               scenario.GetPath().policer);
    flags.Bytes("policerBurst",
                "what may exceed it at once",
                scenario.GetPath().policerBurst,
                1,
                2'000'000'000);
    scenario.DeclareHost("senderHost", "speed of the sending hosts", request.senderHost);
    scenario.DeclareHost("receiverHost", "speed of the receiving hosts", request.receiverHost);
    flags.Rate(
        "interfaceRate",
        "rate of a sending host's own interface, for which sends wait; no limit unless given",
        request.interfaceRate);
    flags.DurationList("dropAt",
                       "lose the next data packet at the bottleneck after these times",
                       request.dropAt);
    flags.Switch("checkContent", "send a pattern and check every byte", request.checkContent);
    flags.Columns(
        "Own columns of summary.csv: secs, mbs (goodput), mean_cwnd "
        "(over time), max_cwnd, full_window_s (when cwnd first was rcvrwin), cwnd, ssthresh "
        "(segments, at the end); and of atou only dup3s, packs, timeouts, dups, badacks, maxack, "
        "maxburst, minrtt_s, maxrtt_s, avrgrtt_s, srtt_s, rttvar_s, rto_s, max_delta, snd_una, "
        "snd_nxt, snd_max, acks (sent by the server), server_dups, server_late (overtaken), "
        "server_max_gap, and failure. Metrics of series.csv: goodput_bps, send_rate_bps "
        "(datagrams, "
        "header included), cwnd_bytes, ssthresh_bytes, rtt_s, vegas_delta_segments. Files of the "
        "original, of flow 0: client.trace (debug 4), client.events (debug 2), client.summary, "
        "server.summary.");
    scenario.GetRecorder().AddColumns(
        {"secs",     "mbs",         "mean_cwnd",   "max_cwnd",       "full_window_s", "cwnd",
         "ssthresh", "dup3s",       "packs",       "timeouts",       "dups",          "badacks",
         "maxack",   "maxburst",    "minrtt_s",    "maxrtt_s",       "avrgrtt_s",     "srtt_s",
         "rttvar_s", "rto_s",       "max_delta",   "snd_una",        "snd_nxt",       "snd_max",
         "acks",     "server_dups", "server_late", "server_max_gap", "failure"});
    scenario.GetRecorder().AddTexts(
        {"client.trace", "client.events", "client.summary", "server.summary"});
}

/// Find the congestion control that --congestion names; nothing for native.
std::optional<TypeId>
FindCongestion(const Flags& flags, const Request& request)
{
    if (request.congestion == AtouClient::NATIVE)
    {
        return std::nullopt;
    }
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(request.congestion, &type) ||
        !type.IsChildOf(TcpCongestionOps::GetTypeId()) || !type.HasConstructor())
    {
        flags.Refuse("congestion", "give native or a TcpCongestionOps, such as ns3::TcpCubic");
    }
    const auto trouble = request.protocol == "atou" ? AtouTcpCongestion::Check(type) : std::nullopt;
    if (trouble)
    {
        flags.Refuse("congestion", *trouble);
    }
    return type;
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, const Request& request, const PathSettings& path)
{
    for (const auto* flag : {"serverSack", "ackOddOnly", "holeLimit"})
    {
        if (request.protocol == "tcp" && flags.IsSet(flag))
        {
            flags.Refuse(flag, "goes with --protocol=atou only");
        }
    }
    for (const auto* flag : {"senderHost", "interfaceRate"})
    {
        if (request.protocol == "tcp" && flags.IsSet(flag))
        {
            flags.Refuse(flag, "goes with --protocol=atou only: TCP's sender is no slow host");
        }
    }
    if (request.ackOddOnly && request.ackDelay.IsZero())
    {
        flags.Refuse("ackOddOnly", "give --ackDelay as well");
    }
    for (const auto* flag : {"reorderBy", "reorderLaw", "reorderMean"})
    {
        if (path.reorder == 0 && flags.IsSet(flag))
        {
            flags.Refuse(flag, "give --reorder as well");
        }
    }
    if (flags.IsSet("reorderMean") && request.reorderLaw != "geometric")
    {
        flags.Refuse("reorderMean", "goes with --reorderLaw=geometric only");
    }
    if (path.policer.GetBitRate() == 0 && flags.IsSet("policerBurst"))
    {
        flags.Refuse("policerBurst", "give --policer as well");
    }
}

/// Give the path what PathSettings has not; before it is built.
void
SetPath(const Flags& flags, const Request& request)
{
    const std::string path = "ns3::lfn::PointToPointTopology::";
    const std::string law = request.reorderLaw == "fixed"     ? "Fixed"
                            : request.reorderLaw == "uniform" ? "Uniform"
                                                              : "Geometric";
    Config::SetDefault(path + "ReturnRate", DataRateValue(request.ackRate));
    if (flags.IsSet("reorderLaw"))
    {
        Config::SetDefault(path + "ReorderLaw", StringValue(law));
    }
    if (flags.IsSet("reorderMean"))
    {
        Config::SetDefault(path + "ReorderMeanDisplacement", DoubleValue(request.reorderMean));
    }
}

/// Lose the next data packet after each of some times.
void
DropAt(Scenario& scenario, const std::vector<Time>& times, uint32_t smallest)
{
    if (times.empty())
    {
        return;
    }
    const auto script = CreateObject<ScriptedErrorModel>();
    script->SetFilter([smallest](Ptr<const Packet> frame) { return frame->GetSize() > smallest; });
    for (const auto& time : times)
    {
        Simulator::Schedule(time, [script]() { script->Drop(script->GetMatched() + 1); });
    }
    scenario.AddDataLoss(script);
}

/// Keeps account of a window over time.
class WindowMeter
{
  public:
    /// The window has changed to so many segments, of which full are the limit.
    void Set(double segments, double full)
    {
        const double now = Simulator::Now().GetSeconds();
        m_integral += m_segments * (now - m_since);
        m_since = now;
        m_segments = segments;
        m_largest = std::max(m_largest, segments);
        if (m_fullAt < 0 && segments >= full)
        {
            m_fullAt = now;
        }
    }

    /// Get the mean window from the simulation's start to a time.
    double GetMean(Time until) const
    {
        const double end = until.GetSeconds();
        return end > 0 ? (m_integral + m_segments * (end - m_since)) / end : m_segments;
    }

    /// Get the present window.
    double Get() const
    {
        return m_segments;
    }

    /// Get the largest window.
    double GetLargest() const
    {
        return m_largest;
    }

    /// Get when the limit was reached, s; negative when it was not.
    double GetFullAt() const
    {
        return m_fullAt;
    }

  private:
    double m_segments{0}; //!< the window
    double m_since{0};    //!< since when, s
    double m_integral{0}; //!< segments times seconds
    double m_largest{0};  //!< the largest window
    double m_fullAt{-1};  //!< when the limit was reached, s
};

/// One transfer by atou or TCP.
struct Flow
{
    Ptr<AtouClient> client;   //!< atou
    Ptr<AtouServer> server;   //!< atou
    Ptr<TcpSource> source;    //!< TCP
    Ptr<TcpSink> sink;        //!< TCP
    WindowMeter window;       //!< of cwnd
    uint64_t sampledBytes{0}; //!< delivered bytes at the last sample
    uint64_t sampledSent{0};  //!< data packets at the last sample
    double rtt{0};            //!< the last one, s

    /// Get the sender's report.
    const TransferReport& GetSent() const
    {
        return client ? client->GetReport() : source->GetReport();
    }

    /// Get the receiver's report.
    const TransferReport& GetReceived() const
    {
        return server ? server->GetReport() : sink->GetReport();
    }

    /// Get when it ended, or the present time.
    Time GetEnd() const
    {
        const bool hasEnded = client ? client->IsFinished() : source->IsFinished();
        return hasEnded ? GetSent().finish : Simulator::Now();
    }
};

/// Install an atou flow.
void
InstallAtou(Flow& flow, const AtouHelper& helper, const TransportTopology& path, uint32_t index)
{
    const auto from = index % path.GetSenders().GetN();
    const auto to = index % path.GetReceivers().GetN();
    const auto port = static_cast<uint16_t>(index);
    flow.server = helper.InstallServer(path.GetReceivers().Get(to), port);
    flow.server->AssignStreams(Scenario::FlowStream(index));
    flow.client =
        helper.InstallClient(path.GetSenders().Get(from), path.GetReceiverAddress(to), port);
    const auto full = static_cast<double>(helper.GetOptions()->rcvrWin);
    flow.client->TraceConnectWithoutContext(
        "CongestionWindow",
        Callback<void, double, double>([&flow, full](double /* before */, double now) {
            flow.window.Set(std::min(now, full), full);
        }));
    flow.client->TraceConnectWithoutContext(
        "RTT",
        Callback<void, Time, Time>(
            [&flow](Time /* before */, Time now) { flow.rtt = now.GetSeconds(); }));
}

/// Install a TCP flow with comparable settings.
void
InstallTcp(Flow& flow,
           const AtouOptions& options,
           const Request& request,
           const TransportTopology& path,
           uint32_t index)
{
    const auto from = index % path.GetSenders().GetN();
    const auto to = index % path.GetReceivers().GetN();
    const auto segment = options.mss - AtouDataHeader::SIZE;
    const auto port = static_cast<uint16_t>(options.port + index);
    flow.source = CreateObject<TcpSource>();
    flow.sink = CreateObject<TcpSink>();
    const InetSocketAddress remote(path.GetReceiverAddress(to), port);
    flow.source->SetAttribute("Remote", AddressValue(remote));
    const uint64_t bytes = options.maxPkts > 0 ? (options.maxPkts - uint64_t{1}) * segment : 0;
    flow.source->SetAttribute("Bytes", UintegerValue(bytes));
    flow.source->SetAttribute("CheckContent", BooleanValue(request.checkContent));
    flow.source->SetAttribute("SegmentSize", UintegerValue(segment));
    flow.source->SetAttribute("SndBufSize", UintegerValue(options.rcvrWin * segment));
    flow.sink->SetAttribute("RcvBufSize", UintegerValue(options.rcvrWin * segment));
    flow.sink->SetAttribute("Port", UintegerValue(port));
    flow.sink->SetAttribute("CheckContent", BooleanValue(request.checkContent));
    HostCost::SetProfile(flow.sink, request.receiverHost);
    path.GetSenders().Get(from)->AddApplication(flow.source);
    path.GetReceivers().Get(to)->AddApplication(flow.sink);
    const auto full = static_cast<double>(options.rcvrWin);
    flow.source->TraceConnectWithoutContext(
        "CongestionWindow",
        Callback<void, uint32_t, uint32_t>(
            [&flow, full, segment](uint32_t /* before */, uint32_t now) {
                flow.window.Set(std::min(static_cast<double>(now) / segment, full), full);
            }));
}

/// Give TCP what atou's options ask for.
void
SetTcp(const AtouOptions& options, const Request& request, std::optional<TypeId> congestion)
{
    const auto type = congestion.value_or(TcpLinuxReno::GetTypeId());
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(type));
    // Its proportional rate reduction overflows at large windows.
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType",
                       TypeIdValue(TcpClassicRecovery::GetTypeId()));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(options.sack));
    Config::SetDefault("ns3::TcpSocketBase::ReTxThreshold", UintegerValue(options.dupThresh));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(options.timeout));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(options.initSegs));
    Config::SetDefault("ns3::TcpSocket::InitialSlowStartThreshold",
                       UintegerValue(options.GetFirstSsthresh() >= AtouOptions::INFINITE
                                         ? UINT32_MAX
                                         : options.GetFirstSsthresh() * options.mss));
    const bool isDelayed = request.ackDelay.IsStrictlyPositive();
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(isDelayed ? 2 : 1));
    if (isDelayed)
    {
        Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(request.ackDelay));
    }
}

/// Sample a flow into the series.
void
Sample(RunRecorder& recorder, Time end, Time interval, int64_t index, Flow& flow, uint32_t mss)
{
    const auto rate = [interval](uint64_t bytes) {
        return 8 * static_cast<double>(bytes) / interval.GetSeconds();
    };
    const auto bytes = flow.GetReceived().deliveredBytes;
    const auto sent = flow.GetSent().dataPackets;
    recorder.Sample(end,
                    index,
                    "goodput_bps",
                    rate(bytes - std::exchange(flow.sampledBytes, bytes)));
    recorder.Sample(end,
                    index,
                    "send_rate_bps",
                    rate((sent - std::exchange(flow.sampledSent, sent)) * mss));
    recorder.Sample(end, index, "cwnd_bytes", flow.window.Get() * mss);
    if (flow.client && flow.client->GetReport().started)
    {
        const auto& core = flow.client->GetCore();
        recorder.Sample(end,
                        index,
                        "ssthresh_bytes",
                        static_cast<double>(core.GetState().ssthresh) * mss);
        recorder.Sample(end, index, "rtt_s", flow.rtt);
        recorder.Sample(end, index, "vegas_delta_segments", core.GetCongestion().GetDelta());
    }
}

/// Write a flow's row.
void
AddRow(RunRecorder& recorder, uint32_t index, const Flow& flow, const std::string& variant)
{
    using R = RunRecorder;
    auto report = flow.GetSent();
    const auto end = flow.GetEnd();
    const double seconds = (end - report.start).GetSeconds();
    report.variant = variant;
    report.TakeReceiverSide(flow.GetReceived());
    R::Fields own = {
        {"secs", R::Print(seconds)},
        {"mbs", R::Print(report.GoodputBps() / 1e6)},
        {"mean_cwnd", R::Print(flow.window.GetMean(end))},
        {"max_cwnd", R::Print(flow.window.GetLargest())},
        {"full_window_s", flow.window.GetFullAt() < 0 ? "" : R::Print(flow.window.GetFullAt())},
        {"cwnd", R::Print(flow.window.Get())},
        {"failure",
         flow.GetReceived().failure.empty() ? report.failure : flow.GetReceived().failure}};
    if (flow.client)
    {
        const auto& statistics = flow.client->GetCore().GetStatistics();
        const auto& state = flow.client->GetCore().GetState();
        const auto& server = flow.server->GetCore().GetCounters();
        report.controlPackets = server.acks;
        const R::Fields more = {{"ssthresh", R::Print(uint64_t{state.ssthresh})},
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
                                {"snd_max", R::Print(uint64_t{state.max})},
                                {"acks", R::Print(server.acks)},
                                {"server_dups", R::Print(server.duplicates)},
                                {"server_late", R::Print(server.skipped)},
                                {"server_max_gap", R::Print(uint64_t{server.maxGap})}};
        own.insert(own.end(), more.begin(), more.end());
    }
    recorder.AddFlow(index, report, own);
}

} // namespace

int
main(int argc, char* argv[])
{
    UseFastAllocator();
    Scenario scenario("atou-transfer",
                      "Bulk transfers by atou, an instrumented, tunable TCP over UDP (Dunigan and "
                      "Fowler, 2004), or by ns-3's TCP with comparable settings.");
    Request request;
    scenario.GetPath().linkRate = DataRate("100Mbps");
    scenario.GetPath().rtt = MilliSeconds(80);
    scenario.AddPathFlags({"ackRate", "reorderBy", "reorderLaw", "reorderMean"});
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    const auto& flags = scenario.GetFlags();
    CheckTogether(flags, request, scenario.GetPath());
    const auto congestion = FindCongestion(flags, request);
    AtouHelper helper;
    if (const auto trouble =
            request.config.empty() ? std::nullopt : helper.ReadConfig(request.config))
    {
        flags.Exit(*trouble);
    }
    if (const auto trouble = helper.ReadOptions(request.options))
    {
        flags.Refuse("options", *trouble);
    }
    const auto options = helper.GetOptions();
    options->Settle();
    if (options->port + request.flows > UINT16_MAX)
    {
        flags.Refuse("flows", "their ports must stay below 65536: lower the option port");
    }
    if (options->maxPkts == 0 && options->maxTime.IsZero() && scenario.GetDuration().IsZero())
    {
        flags.Refuse("options", "give maxpkts, maxtime or --duration, for a transfer with an end");
    }
    const bool isAtou = request.protocol == "atou";
    SetPath(flags, request);
    if (!isAtou)
    {
        if (options->rcvrWin > MAX_TCP_WINDOW / options->mss)
        {
            flags.Refuse("options", "make rcvrwin times mss at most 1 GiB, the window of TCP");
        }
        SetTcp(*options, request, congestion);
    }
    const auto path = scenario.BuildTopology();
    for (uint32_t i = 0; i < request.flows; ++i)
    {
        scenario.CheckPair(i % path->GetSenders().GetN(), i % path->GetReceivers().GetN());
    }
    auto& recorder = scenario.GetRecorder();
    DropAt(scenario, request.dropAt, options->mss / 2);
    helper.SetServerAttribute("Sack", BooleanValue(request.serverSack));
    helper.SetServerAttribute("AckDelay", TimeValue(request.ackDelay));
    helper.SetServerAttribute("OddOnlyAlways", BooleanValue(request.ackOddOnly));
    helper.SetServerAttribute("HoleLimit", UintegerValue(request.holeLimit));
    helper.SetServerAttribute("CheckContent", BooleanValue(request.checkContent));
    helper.SetClientAttribute("CheckContent", BooleanValue(request.checkContent));
    helper.SetClientAttribute("Congestion", StringValue(request.congestion));
    helper.SetClientAttribute("InterfaceRate", DataRateValue(request.interfaceRate));

    std::vector<Flow> flows(request.flows);
    std::unique_ptr<AtouLog> log;
    for (uint32_t i = 0; i < request.flows; ++i)
    {
        auto& flow = flows[i];
        if (isAtou)
        {
            InstallAtou(flow, helper, *path, i);
            HostCost::SetProfile(flow.client, request.senderHost);
            HostCost::SetProfile(flow.server, request.receiverHost);
            scenario.StopAfter(flow.client);
        }
        else
        {
            InstallTcp(flow, *options, request, *path, i);
            scenario.StopAfter(flow.source);
            if (options->maxPkts == 0 && options->maxTime.IsStrictlyPositive())
            {
                flow.source->SetStopTime(options->maxTime);
            }
        }
    }
    if (isAtou)
    {
        log = std::make_unique<AtouLog>(flows[0].client, flows[0].server);
    }
    scenario.EachInterval([&](Time end, Time interval) {
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            Sample(recorder, end, interval, static_cast<int64_t>(i), flows[i], options->mss);
        }
    });
    scenario.Run();

    const auto variant =
        isAtou ? request.congestion : congestion.value_or(TcpLinuxReno::GetTypeId()).GetName();
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        AddRow(recorder, i, flows[i], variant);
    }
    if (log)
    {
        recorder.SetText("client.trace", log->GetTrace());
        recorder.SetText("client.events", log->GetEvents());
        recorder.SetText("client.summary", log->MakeClientSummary());
        recorder.SetText("server.summary", log->MakeServerSummary());
    }
    return scenario.Finish();
}
