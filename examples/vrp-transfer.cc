// SPDX-License-Identifier: GPL-2.0-only

// Frames over a lossy wide-area path: VRP as in A. Denis, LIP report 2000-11, or TCP for
// comparison, with or without TCP flows beside.
//
//   vrp-transfer --bytes=10MB --linkRate=10Mbps --rtt=60ms --lossRate=0.05 --maxLossRate=0.25
//   vrp-transfer --flows=8 --tcpFlows=1 --linkRate=10Mbps --queue=64KiB --duration=60s --bytes=0
//   vrp-transfer --protocol=tcp --linkRate=10Mbps --rtt=60ms --lossRate=0.05

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/vrp-helper.h"
#include "ns3/vrp-message-log.h"

#include <algorithm>
#include <memory>
#include <utility>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint16_t VRP_PORT = 7667;  //!< of the VRP receiver
constexpr uint16_t TCP_PORT = 20000; //!< of the first TCP sink
constexpr uint32_t TCP_HEADERS = 52; //!< IPv4 and TCP with time stamps, B

/// What the command line asks for.
struct Request
{
    std::string protocol{"vrp"};           //!< vrp or tcp
    uint64_t bytes{10'000'000};            //!< of a flow
    uint32_t frameSize{102400};            //!< 100 kB of 1024
    uint32_t concurrentFrames{1};          //!< under way at a time
    Time frameInterval;                    //!< of periodic frames
    uint32_t flows{1};                     //!< senders
    uint32_t tcpFlows{0};                  //!< endless ones beside
    double maxLossRate{0};                 //!< accepted
    double minLossRate{0};                 //!< low end of an interval
    uint64_t maxBurst{0};                  //!< accepted, B
    uint32_t criticalBytes{0};             //!< first of a frame
    uint32_t packetSize{2048};             //!< user bytes
    uint32_t windowSize{64};               //!< of the sender
    uint32_t historyWindow{64};            //!< of the receiver
    std::string receiver{"anticipating"};  //!< or basic
    std::string lossRounding{"floor"};     //!< or nearest
    bool shortFrameScaling{false};         //!< the rate holds for short frames
    bool nackWholeHole{true};              //!< basic receiver
    bool combineSmall{false};              //!< header and data in one packet
    bool freeEarly{false};                 //!< free blocks at delivery
    bool keepData{false};                  //!< blocks hold the bytes
    bool padPing{true};                    //!< PING as large as a data packet
    uint32_t maxIncomingFrames{64};        //!< blocks
    Time frameTimeout{Seconds(5)};         //!< life timeout
    uint32_t probeSize{0};                 //!< small frames beside
    Time probeInterval{MilliSeconds(100)}; //!< from one to the next
    Time delayStep;                        //!< added to the round-trip time
    Time delayStepAt;                      //!< when
    DataRate interfaceRate{0};             //!< of the sending hosts
    std::string senderHost{"none"};        //!< profile
    std::string receiverHost{"none"};      //!< profile
    std::string tcp{"ns3::TcpNewReno"};    //!< congestion control
    uint32_t tcpWindow{8U << 20};          //!< buffers, B
    bool checkContent{false};              //!< send and check a pattern
    std::vector<uint64_t> dropData;        //!< data packets to lose, from 1
};

/// Declare the flags.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    flags.Choice("protocol", "what sends", request.protocol, {"vrp", "tcp"});
    flags.Bytes("bytes", "user bytes a flow; 0 sends until --duration", request.bytes, 0);
    flags.Bytes("frameSize", "size of a frame", request.frameSize, 1, UINT32_MAX);
    flags.Count("concurrentFrames", "frames under way at a time", request.concurrentFrames, 1);
    flags.Duration("frameInterval",
                   "periodic frames, whatever is under way; 0 = the next when one ends",
                   request.frameInterval);
    flags.Count("flows", "senders, all to one receiver", request.flows, 1, 200);
    flags.Count("tcpFlows", "endless TCP flows beside", request.tcpFlows, 0, 200);
    flags.Fraction("maxLossRate", "accepted loss", request.maxLossRate);
    flags.Fraction("minLossRate",
                   "accepted loss without load, and --maxLossRate under full load",
                   request.minLossRate);
    flags.Bytes("maxBurst",
                "accepted consecutive loss; no limit unless given",
                request.maxBurst,
                0);
    flags.Bytes("criticalBytes",
                "first bytes of a frame that must not be lost",
                request.criticalBytes,
                0);
    flags.Bytes("packetSize",
                "user bytes a datagram",
                request.packetSize,
                1,
                VrpFrameHeader::MAX_PACKET_SIZE);
    flags.Count("windowSize",
                "packets of a frame under way, a power of two",
                request.windowSize,
                1);
    flags.Count("historyWindow", "packets over which losses are counted", request.historyWindow, 1);
    flags.Choice("receiver",
                 "loss accounting: the improved or the original algorithm",
                 request.receiver,
                 {"anticipating", "basic"});
    flags.Choice("lossRounding",
                 "how a loss rate becomes a number of packets",
                 request.lossRounding,
                 {"floor", "nearest"});
    flags.Switch("shortFrameScaling",
                 "apply the loss rate to frames shorter than the history window",
                 request.shortFrameScaling);
    flags.Switch("nackWholeHole",
                 "basic receiver: demand every packet of a hole that is too large",
                 request.nackWholeHole);
    flags.Switch("combineSmall",
                 "frame header and data in one packet where they fit",
                 request.combineSmall);
    flags.Switch("freeEarly", "free a frame's block when it is delivered", request.freeEarly);
    flags.Switch("keepData", "keep the bytes of frames at the receiver", request.keepData);
    flags.Switch("padPing", "make the opening PING as large as a data packet", request.padPing);
    flags.Count("maxIncomingFrames",
                "frames that may have a block at once",
                request.maxIncomingFrames,
                1);
    flags.Duration("frameTimeout",
                   "life timeout: give a frame up when nothing new is heard",
                   request.frameTimeout);
    flags.Bytes("probeSize", "size of small frames beside; 0 = none", request.probeSize, 0);
    flags.Duration("probeInterval", "time from one small frame to the next", request.probeInterval);
    flags.Duration("jitter",
                   "standard deviation of a normal extra delay each way; order is kept",
                   scenario.GetPath().jitter);
    flags.Duration("delayStep", "lengthen the round-trip time by this", request.delayStep);
    flags.Duration("delayStepAt", "when to lengthen it", request.delayStepAt);
    flags.Rate(
        "interfaceRate",
        "rate of a sending host's own interface, for which sends wait; no limit unless given",
        request.interfaceRate);
    scenario.DeclareHost("senderHost", "speed of the sending host", request.senderHost);
    scenario.DeclareHost("receiverHost", "speed of the receiving host", request.receiverHost);
    flags.Text("tcp",
               "congestion control of TCP flows, a TypeId",
               request.tcp,
               [](const std::string& name) -> std::optional<std::string> {
                   TypeId tid;
                   if (TypeId::LookupByNameFailSafe(name, &tid) &&
                       tid.IsChildOf(TcpCongestionOps::GetTypeId()) && tid.HasConstructor())
                   {
                       return std::nullopt;
                   }
                   return "give a TcpCongestionOps, such as ns3::TcpCubic";
               });
    flags.Bytes("tcpWindow", "send and receive buffers of TCP flows", request.tcpWindow, 1000);
    flags.Switch("checkContent", "send a pattern and check every byte", request.checkContent);
    flags.CountList("dropData", "lose these data packets, counted from 1", request.dropData);
    flags.Columns(
        "Own columns of summary.csv: frames, frames_failed, nacks (sent), accepted_losses (packets "
        "of delivered frames given up), residual_loss (of their packets), frame_throughput_bps "
        "(whole frames, holes counted, as the report does), timeouts, duplicates (data packets "
        "that came in vain), spurious_rate (of the data packets sent), rtt_s, rto_s (at the end), "
        "min_rtt_s (smallest sample), mean_rtt_s (at the ends of frames, samples only), "
        "mean_loss_rate (accepted, told), longest_burst_bytes, mean_frame_s, max_frame_s, probes, "
        "mean_probe_s, max_probe_s, peak_block_bytes (all senders), host_drops (all senders), "
        "failure. A row a sender, then one a TCP flow beside.");
    scenario.GetRecorder().AddColumns({"frames",          "frames_failed",  "nacks",
                                       "accepted_losses", "residual_loss",  "frame_throughput_bps",
                                       "timeouts",        "duplicates",     "spurious_rate",
                                       "rtt_s",           "rto_s",          "min_rtt_s",
                                       "mean_rtt_s",      "mean_loss_rate", "longest_burst_bytes",
                                       "mean_frame_s",    "max_frame_s",    "probes",
                                       "mean_probe_s",    "max_probe_s",    "peak_block_bytes",
                                       "host_drops",      "failure"});
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, const Request& request, Time duration, uint32_t mtu)
{
    const bool vrp = request.protocol == "vrp";
    for (const auto* flag :
         {"frameSize",     "concurrentFrames",  "frameInterval",     "maxLossRate",
          "minLossRate",   "maxBurst",          "criticalBytes",     "packetSize",
          "windowSize",    "historyWindow",     "receiver",          "lossRounding",
          "nackWholeHole", "combineSmall",      "freeEarly",         "keepData",
          "padPing",       "frameTimeout",      "interfaceRate",     "probeSize",
          "probeInterval", "shortFrameScaling", "maxIncomingFrames", "dropData",
          "senderHost"})
    {
        if (!vrp && flags.IsSet(flag))
        {
            flags.Refuse(flag, "goes with --protocol=vrp only");
        }
    }
    for (const auto* flag : {"tcp", "tcpWindow"})
    {
        if (vrp && request.tcpFlows == 0 && flags.IsSet(flag))
        {
            flags.Refuse(flag, "goes with --protocol=tcp or --tcpFlows");
        }
    }
    if ((request.windowSize & (request.windowSize - 1)) != 0 || request.windowSize > 32768)
    {
        flags.Refuse("windowSize", "give a power of two up to 32768");
    }
    if (flags.IsSet("minLossRate") && request.minLossRate > request.maxLossRate)
    {
        flags.Refuse("minLossRate", "make it at most --maxLossRate");
    }
    if (request.bytes == 0 && duration.IsZero())
    {
        flags.Refuse("bytes", "give --duration as well, for a flow without end");
    }
    if (flags.IsSet("concurrentFrames") && request.frameInterval.IsStrictlyPositive())
    {
        flags.Refuse("concurrentFrames", "goes without --frameInterval only");
    }
    if (request.probeSize > 0 && request.probeInterval.IsZero())
    {
        flags.Refuse("probeInterval", "give a time above 0");
    }
    if (request.frameTimeout.IsZero())
    {
        flags.Refuse("frameTimeout", "give a time above 0");
    }
    if (flags.IsSet("delayStepAt") && request.delayStep.IsZero())
    {
        flags.Refuse("delayStepAt", "give --delayStep as well");
    }
    if (!request.dropData.empty())
    {
        if (request.flows > 1)
        {
            flags.Refuse("dropData", "goes with one flow only");
        }
        if (request.packetSize + VrpHeader::SIZE + 28 > mtu)
        {
            flags.Refuse("dropData", "give packets that need no fragments: lower --packetSize");
        }
    }
    if (flags.IsSet("nackWholeHole") && request.receiver != "basic")
    {
        flags.Refuse("nackWholeHole", "goes with --receiver=basic only");
    }
}

/// One VRP sender and the source of its frames.
struct VrpFlow
{
    Ptr<VrpSender> sender;      //!< the sender
    Ptr<VrpFrameSource> source; //!< its frames
    InetSocketAddress address;  //!< where the sender is, but for the port
};

/// One TCP flow.
struct TcpFlow
{
    Ptr<TcpSource> source; //!< the sender
    Ptr<TcpSink> sink;     //!< the receiver
};

/// Make a helper as the flags say.
VrpHelper
MakeHelper(const Flags& flags, const Request& request)
{
    VrpHelper helper;
    helper.SetPort(VRP_PORT);
    helper.SetSenderAttribute("PacketSize", UintegerValue(request.packetSize));
    helper.SetSenderAttribute("WindowSize", UintegerValue(request.windowSize));
    helper.SetSenderAttribute("MaxLossRate", DoubleValue(request.maxLossRate));
    if (flags.IsSet("minLossRate"))
    {
        helper.SetSenderAttribute("MinLossRate", DoubleValue(request.minLossRate));
    }
    if (flags.IsSet("maxBurst"))
    {
        helper.SetSenderAttribute("MaxBurst", IntegerValue(static_cast<int64_t>(request.maxBurst)));
    }
    helper.SetSenderAttribute("CombineSmall", BooleanValue(request.combineSmall));
    helper.SetSenderAttribute("PadPing", BooleanValue(request.padPing));
    helper.SetSenderAttribute("InterfaceRate", DataRateValue(request.interfaceRate));
    helper.SetSenderAttribute("FrameTimeout", TimeValue(request.frameTimeout));
    helper.SetReceiverAttribute("HistoryWindow", UintegerValue(request.historyWindow));
    helper.SetReceiverAttribute(
        "Algorithm",
        StringValue(request.receiver == "basic" ? "Basic" : "Anticipating"));
    helper.SetReceiverAttribute(
        "LossRounding",
        StringValue(request.lossRounding == "nearest" ? "Nearest" : "Floor"));
    helper.SetReceiverAttribute("ShortFrameScaling", BooleanValue(request.shortFrameScaling));
    helper.SetReceiverAttribute("NackWholeHole", BooleanValue(request.nackWholeHole));
    helper.SetReceiverAttribute("MaxIncomingFrames", UintegerValue(request.maxIncomingFrames));
    helper.SetReceiverAttribute("MaxGap", UintegerValue(std::max(4096U, request.windowSize)));
    helper.SetReceiverAttribute("FrameTimeout", TimeValue(request.frameTimeout));
    helper.SetReceiverAttribute("FreeEarly", BooleanValue(request.freeEarly));
    helper.SetReceiverAttribute("KeepData", BooleanValue(request.keepData));
    helper.SetReceiverAttribute("CheckContent", BooleanValue(request.checkContent));
    helper.SetSourceAttribute("Bytes", UintegerValue(request.bytes));
    helper.SetSourceAttribute("FrameSize", UintegerValue(request.frameSize));
    helper.SetSourceAttribute("ConcurrentFrames", UintegerValue(request.concurrentFrames));
    helper.SetSourceAttribute("FrameInterval", TimeValue(request.frameInterval));
    helper.SetSourceAttribute("CriticalBytes", UintegerValue(request.criticalBytes));
    helper.SetSourceAttribute("ProbeSize", UintegerValue(request.probeSize));
    helper.SetSourceAttribute("ProbeInterval", TimeValue(request.probeInterval));
    helper.SetSourceAttribute("CheckContent", BooleanValue(request.checkContent));
    return helper;
}

/// Install a TCP flow.
TcpFlow
InstallTcp(const Request& request, const TransportTopology& path, uint32_t index, bool endless)
{
    const auto from = index % path.GetSenders().GetN();
    const auto port = static_cast<uint16_t>(TCP_PORT + index);
    TcpFlow flow{CreateObject<TcpSource>(), CreateObject<TcpSink>()};
    const InetSocketAddress remote(path.GetReceiverAddress(), port);
    flow.source->SetAttribute("Remote", AddressValue(remote));
    flow.source->SetAttribute("Bytes", UintegerValue(endless ? 0 : request.bytes));
    flow.source->SetAttribute("CheckContent", BooleanValue(request.checkContent));
    uint32_t mtu = UINT16_MAX; // the node's loopback device has none to speak of
    const auto sender = path.GetSenders().Get(from);
    for (uint32_t i = 0; i < sender->GetNDevices(); ++i)
    {
        mtu = std::min<uint32_t>(mtu, sender->GetDevice(i)->GetMtu());
    }
    flow.source->SetAttribute("SegmentSize", UintegerValue(mtu - TCP_HEADERS));
    flow.source->SetAttribute("SndBufSize", UintegerValue(request.tcpWindow));
    flow.sink->SetAttribute("RcvBufSize", UintegerValue(request.tcpWindow));
    flow.sink->SetAttribute("Port", UintegerValue(port));
    flow.sink->SetAttribute("CheckContent", BooleanValue(request.checkContent));
    HostCost::SetProfile(flow.sink, request.receiverHost);
    path.GetSenders().Get(from)->AddApplication(flow.source);
    path.GetReceivers().Get(0)->AddApplication(flow.sink);
    return flow;
}

/// Lose the data packets that the flags name.
void
DropData(Scenario& scenario, const std::vector<uint64_t>& which)
{
    if (which.empty())
    {
        return;
    }
    const auto script = CreateObject<ScriptedErrorModel>();
    script->SetFilter([](Ptr<const Packet> frame) {
        const auto header = VrpMessageLog::Peek(frame, VRP_PORT);
        return header && !header->IsControl();
    });
    for (const auto k : which)
    {
        script->Drop(k);
    }
    scenario.AddDataLoss(script);
}

/// Lengthen the path in mid-run.
void
StepDelay(const TransportTopology& path, const Request& request)
{
    const auto& bottlenecks = path.GetBottlenecks();
    const auto channel = bottlenecks.empty() ? nullptr : bottlenecks[0].first->GetChannel();
    TimeValue delay;
    if (request.delayStep.IsZero() || !channel || !channel->GetAttributeFailSafe("Delay", delay))
    {
        return;
    }
    Simulator::Schedule(request.delayStepAt, [channel, delay, step = request.delayStep]() {
        channel->SetAttribute("Delay", TimeValue(delay.Get() + step / 2));
    });
}

/// Write the row of a VRP sender.
void
AddVrpRow(RunRecorder& recorder, uint32_t index, const VrpFlow& flow, const VrpReceiver& receiver)
{
    using R = RunRecorder;
    const auto& sender = *flow.sender;
    const auto totals =
        receiver.GetPeerTotals(InetSocketAddress(flow.address.GetIpv4(), sender.GetLocalPort()));
    auto report = sender.GetReport();
    report.TakeReceiverSide(totals.report);
    report.controlPackets += totals.report.controlPackets;
    const auto finish =
        report.completed || !report.failure.empty() ? report.finish : Simulator::Now();
    const double seconds = (finish - report.start).GetSeconds();
    const auto whole = static_cast<double>(report.deliveredBytes + report.lostBytes);
    const auto ratio = [](uint64_t part, uint64_t all) {
        return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0.0;
    };
    const auto estimator = sender.GetEstimator();
    const bool measured = estimator && estimator->GetNSamples() > 0;
    recorder.AddFlow(
        index,
        report,
        {{"frames", R::Print(totals.frames)},
         {"frames_failed", R::Print(sender.GetFailedFrames())},
         {"nacks", R::Print(totals.nacks)},
         {"accepted_losses", R::Print(totals.acceptedLosses)},
         {"residual_loss", R::Print(ratio(totals.acceptedLosses, totals.packets))},
         {"frame_throughput_bps", R::Print(seconds > 0 ? 8 * whole / seconds : 0.0)},
         {"timeouts", R::Print(sender.GetTotals().timeouts)},
         {"duplicates", R::Print(totals.duplicates)},
         {"spurious_rate", R::Print(ratio(totals.duplicates, report.dataPackets))},
         {"rtt_s", measured ? R::Print(estimator->GetEstimate()) : ""},
         {"rto_s", measured ? R::Print(estimator->GetTimeout()) : ""},
         {"min_rtt_s", measured ? R::Print(estimator->GetSmallest()) : ""},
         {"mean_rtt_s", R::Print(flow.source->GetMeanRtt())},
         {"mean_loss_rate", R::Print(flow.source->GetMeanLossRate())},
         {"longest_burst_bytes", R::Print(totals.longestBurstBytes)},
         {"mean_frame_s", R::Print(flow.source->GetFrames().GetMean())},
         {"max_frame_s", R::Print(flow.source->GetFrames().longest)},
         {"probes", R::Print(flow.source->GetProbes().frames)},
         {"mean_probe_s", R::Print(flow.source->GetProbes().GetMean())},
         {"max_probe_s", R::Print(flow.source->GetProbes().longest)},
         {"peak_block_bytes", R::Print(receiver.GetPeakBlockBytes())},
         {"host_drops", R::Print(receiver.GetDrops(DropReason::BUFFER_FULL))},
         {"failure",
          receiver.GetReport().failure.empty() ? report.failure : receiver.GetReport().failure}});
}

} // namespace

int
main(int argc, char* argv[])
{
    UseFastAllocator();
    Scenario scenario("vrp-transfer",
                      "Frames by VRP (A. Denis, LIP report 2000-11), whose loss tolerance is the "
                      "sender's choice, or bulk data by TCP for comparison.");
    Request request;
    scenario.GetPath().linkRate = DataRate("10Mbps");
    scenario.GetPath().rtt = MilliSeconds(60);
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    const auto& flags = scenario.GetFlags();
    CheckTogether(flags, request, scenario.GetDuration(), scenario.GetPath().mtu);
    TypeId congestion;
    TypeId::LookupByNameFailSafe(request.tcp, &congestion);
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(congestion));
    const auto path = scenario.BuildTopology();
    auto& recorder = scenario.GetRecorder();
    for (uint32_t i = 0; i < request.flows + request.tcpFlows; ++i)
    {
        scenario.CheckPair(i % path->GetSenders().GetN(), 0);
    }
    DropData(scenario, request.dropData);
    StepDelay(*path, request);

    std::vector<VrpFlow> vrp;
    std::vector<TcpFlow> tcp;
    Ptr<VrpReceiver> receiver;
    std::unique_ptr<VrpMessageLog> log;
    const auto helper = MakeHelper(flags, request);
    if (request.protocol == "vrp")
    {
        receiver = helper.InstallReceiver(path->GetReceivers().Get(0));
        HostCost::SetProfile(receiver, request.receiverHost);
        for (uint32_t i = 0; i < request.flows; ++i)
        {
            const auto from = i % path->GetSenders().GetN();
            const auto sender =
                helper.InstallSender(path->GetSenders().Get(from), path->GetReceiverAddress());
            HostCost::SetProfile(sender, request.senderHost);
            sender->AssignStreams(Scenario::FlowStream(i));
            vrp.push_back({sender,
                           helper.InstallSource(sender),
                           InetSocketAddress(path->GetSenderAddress(from), 0)});
            scenario.StopAfter(sender);
        }
        if (recorder.HasMessages())
        {
            log = std::make_unique<VrpMessageLog>(recorder,
                                                  vrp[0].sender,
                                                  receiver,
                                                  path->GetBottlenecks()[0].second,
                                                  VRP_PORT);
        }
    }
    const uint32_t tcpAlone = request.protocol == "tcp" ? request.flows : 0;
    for (uint32_t i = 0; i < tcpAlone + request.tcpFlows; ++i)
    {
        tcp.push_back(InstallTcp(request, *path, i, i >= tcpAlone || request.bytes == 0));
        if (i < tcpAlone)
        {
            scenario.StopAfter(tcp.back().source);
        }
    }

    std::vector<uint64_t> sampled(vrp.size() + tcp.size());
    scenario.EachInterval([&](Time end, Time interval) {
        const auto goodput = [&](std::size_t i, const TransferReport& report) {
            const auto bytes =
                report.deliveredBytes - std::exchange(sampled[i], report.deliveredBytes);
            recorder.Sample(end,
                            static_cast<int64_t>(i),
                            "goodput_bps",
                            8 * static_cast<double>(bytes) / interval.GetSeconds());
        };
        for (std::size_t i = 0; i < vrp.size(); ++i)
        {
            const auto& sender = *vrp[i].sender;
            goodput(i,
                    receiver
                        ->GetPeerTotals(
                            InetSocketAddress(vrp[i].address.GetIpv4(), sender.GetLocalPort()))
                        .report);
            const auto estimator = sender.GetEstimator();
            const auto flow = static_cast<int64_t>(i);
            if (estimator && estimator->GetNSamples() > 0)
            {
                recorder.Sample(end, flow, "rtt_s", estimator->GetEstimate().GetSeconds());
                recorder.Sample(end, flow, "rto_s", estimator->GetTimeout().GetSeconds());
            }
            recorder.Sample(end,
                            flow,
                            "data_packets",
                            static_cast<double>(sender.GetReport().dataPackets));
        }
        for (std::size_t i = 0; i < tcp.size(); ++i)
        {
            goodput(vrp.size() + i, tcp[i].sink->GetReport());
        }
    });
    scenario.Run();

    for (uint32_t i = 0; i < vrp.size(); ++i)
    {
        AddVrpRow(recorder, i, vrp[i], *receiver);
    }
    for (uint32_t i = 0; i < tcp.size(); ++i)
    {
        auto report = tcp[i].source->GetReport();
        report.TakeReceiverSide(tcp[i].sink->GetReport());
        recorder.AddFlow(static_cast<uint32_t>(vrp.size()) + i,
                         report,
                         {{"failure", report.failure}});
    }
    return scenario.Finish();
}
