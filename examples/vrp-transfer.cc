// SPDX-License-Identifier: GPL-2.0-only

// Frames over a lossy wide-area path: VRP as in A. Denis, LIP report 2000-11, or TCP for
// comparison, with or without cross traffic.
//
//   vrp-transfer --bytes=10MB --linkRate=10Mbps --rtt=60ms --lossRate=0.05 --maxLossRate=0.25
//   vrp-transfer --flows=8 --background=tcp --linkRate=10Mbps --queue=64KiB --duration=60s
//   --bytes=0 vrp-transfer --protocol=tcp --linkRate=10Mbps --rtt=60ms --lossRate=0.05

#include "ns3/baseline-helper.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-random-streams.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/vrp-helper.h"
#include "ns3/vrp-message-log.h"

#include <algorithm>
#include <bit>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint16_t TCP_PORT = 20000;        //!< of the first TCP sink
constexpr uint32_t TCP_HEADERS = 52;        //!< IPv4 and TCP with time stamps, B
constexpr uint32_t IPV6_LONGER = 20;        //!< than IPv4's is the header of IPv6, B
constexpr uint64_t LEAST_TCP_WINDOW = 1000; //!< B

/// What the command line asks for that is no Attribute.
struct Request
{
    std::string protocol{"vrp"};      //!< vrp or tcp
    uint32_t flows{1};                //!< senders
    Time delayStep;                   //!< added to the round-trip time
    Time delayStepAt;                 //!< when
    std::string senderHost{"none"};   //!< profile
    std::string receiverHost{"none"}; //!< profile
    std::vector<uint64_t> dropData;   //!< data packets to lose, from 1
};

/// Declare the flags.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    const std::string source = "ns3::lfn::VrpFrameSource::";
    const std::string sender = "ns3::lfn::VrpSender::";
    const std::string receiver = "ns3::lfn::VrpReceiver::";
    const std::string tcpSource = "ns3::lfn::TcpSource::";
    const std::string tcpSink = "ns3::lfn::TcpSink::";
    const std::string path = "ns3::lfn::PointToPointTopology::";
    Config::SetDefault(path + "LinkRate", DataRateValue(DataRate("10Mbps")));
    Config::SetDefault(path + "Rtt", TimeValue(MilliSeconds(60)));
    Config::SetDefault(source + "Bytes", UintegerValue(10'000'000));
    Config::SetDefault(tcpSource + "SndBufSize", UintegerValue(8U << 20));
    Config::SetDefault(tcpSink + "RcvBufSize", UintegerValue(8U << 20));
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TcpNewReno::GetTypeId()));
    flags.Choice("protocol", "what sends", request.protocol, {"vrp", "tcp"});
    flags.SizeAttribute("bytes",
                        {source + "Bytes"},
                        "user bytes per flow; 0 sends until --duration");
    flags.SizeAttribute("frameSize", {source + "FrameSize"});
    flags.Attribute("concurrentFrames", {source + "ConcurrentFrames"});
    flags.Attribute("frameInterval", {source + "FrameInterval"});
    flags.Count("flows", "senders, all to one receiver", request.flows, 1, 200);
    flags.Attribute("maxLossRate", {sender + "MaxLossRate"}, "accepted loss; -1: the receiver's");
    flags.Attribute("minLossRate", {sender + "MinLossRate"});
    flags.SizeAttribute("maxBurst",
                        {sender + "MaxBurst"},
                        "accepted consecutive loss; -1: the receiver's, which has no limit");
    flags.SizeAttribute("criticalBytes", {source + "CriticalBytes"});
    flags.SizeAttribute("packetSize", {sender + "PacketSize"});
    flags.Attribute("fitMtu", {sender + "FitMtu"});
    flags.Attribute("windowSize", {sender + "WindowSize"});
    flags.Attribute("windowPolicy", {sender + "WindowPolicy"});
    flags.Attribute("historyWindow", {receiver + "HistoryWindow"});
    flags.Attribute("receiver", {receiver + "Algorithm"});
    flags.Attribute("lossRounding", {receiver + "LossRounding"});
    flags.Attribute("shortFrameScaling", {receiver + "ShortFrameScaling"});
    flags.Attribute("nackWholeGap", {receiver + "NackWholeGap"});
    flags.Attribute("combineSmall", {sender + "CombineSmall"});
    flags.Attribute("freeEarly", {receiver + "FreeEarly"});
    flags.Attribute("keepData", {receiver + "KeepData"});
    flags.Attribute("padPing", {sender + "PadPing"});
    flags.Attribute("maxIncomingFrames", {receiver + "MaxIncomingFrames"});
    flags.Attribute("frameTimeout", {sender + "FrameTimeout", receiver + "FrameTimeout"});
    flags.SizeAttribute("probeSize", {source + "ProbeSize"});
    flags.Attribute("probeInterval", {source + "ProbeInterval"});
    flags.Attribute("jitter",
                    {path + "Jitter"},
                    "standard deviation of a normal extra delay each way; order is kept");
    flags.Duration("delayStep", "lengthen the round-trip time by this", request.delayStep);
    flags.Duration("delayStepAt", "when to lengthen it", request.delayStepAt);
    flags.Attribute("interfaceRate", {sender + "InterfaceRate"});
    scenario.GetHosts().Declare("senderHost", "speed of the sending host", request.senderHost);
    scenario.GetHosts().Declare("receiverHost",
                                "speed of the receiving host",
                                request.receiverHost);
    flags.Attribute("tcp",
                    {"ns3::TcpL4Protocol::SocketType"},
                    "congestion control of TCP flows, a TypeId");
    flags.SizeAttribute("tcpWindow",
                        {tcpSource + "SndBufSize", tcpSink + "RcvBufSize"},
                        "send and receive buffers of TCP flows; 0 = ns-3's own");
    flags.Attribute("checkContent",
                    {source + "CheckContent",
                     receiver + "CheckContent",
                     tcpSource + "CheckContent",
                     tcpSink + "CheckContent"},
                    "send a pattern and check every byte");
    flags.CountList("dropData", "lose these data packets, counted from 1", request.dropData);
}

/// Declare the columns and metrics.
void
DeclareColumns(Scenario& scenario)
{
    scenario.Column("frames", "delivered, small ones included");
    scenario.Column("frames_failed", "refused, in error or timed out, as the sender saw it");
    scenario.Column("nacks", "packets demanded, in delivered frames");
    scenario.Column("accepted_losses", "packets of delivered frames given up");
    scenario.Column("residual_loss", "accepted_losses over the packets of delivered frames");
    scenario.Column("frame_throughput_bps",
                    "delivered and lost bits over the flow's time, as the report counts [bit/s]");
    scenario.Column("timeouts", "timers of packets that expired");
    scenario.Column("duplicates",
                    "data packets that arrived redundantly: the frame had them or was complete");
    scenario.Column("spurious_rate", "duplicates over the data packets sent");
    scenario.Column("rtt_s", "estimate at the end, doublings by timeouts included [s]");
    scenario.Column("rto_s", "retransmission timeout at the end [s]");
    scenario.Column("min_rtt_s", "smallest sample [s]");
    scenario.Column("mean_rtt_s",
                    "mean estimate at the ends of frames but small ones, doublings left out [s]");
    scenario.Column(
        "mean_loss_rate",
        "mean over frames but small ones of the accepted loss, as given to the receiver");
    scenario.Column("longest_burst_bytes", "longest gap of a delivered frame [B]");
    scenario.Column(
        "mean_frame_s",
        "mean time from a frame's send call to its last acknowledgement, small ones left out [s]");
    scenario.Column("max_frame_s", "the longest of these [s]");
    scenario.Column("probes", "small frames that ended well");
    scenario.Column("mean_probe_s", "mean time of a small frame [s]");
    scenario.Column("max_probe_s", "longest time of a small frame [s]");
    scenario.Column("peak_block_bytes", "most memory of the receiver's blocks, all senders [B]");
    scenario.Column("host_drops",
                    "datagrams that found the receiving host's buffer full, all senders");
    scenario.Column("allowed_rate_bps", "rate that --windowPolicy allows at the end [bit/s]");
    scenario.Column("loss_event_rate", "loss events a packet that --windowPolicy has counted");
    scenario.Column("failure",
                    "why, when completed is 0: frames failed and the first one's reason");
    scenario.Metric("goodput_bps", "user bits delivered in the interval, over its length [bit/s]");
    scenario.Metric("rtt_s", "estimate of a VRP sender [s]");
    scenario.Metric("rto_s", "retransmission timeout of a VRP sender [s]");
    scenario.Metric("data_packets", "sent by a VRP sender so far");
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, const Request& request, Time duration, bool hasTcp)
{
    const bool vrp = request.protocol == "vrp";
    const auto count = [&flags](const char* flag) { return flags.Get<UintegerValue>(flag); };
    std::vector<std::string> own{"dropData"};
    for (const auto& type :
         {VrpFrameSource::GetTypeId(), VrpSender::GetTypeId(), VrpReceiver::GetTypeId()})
    {
        std::ranges::copy(flags.FindFlagsOf(type), std::back_inserter(own));
    }
    std::erase_if(own, [](const auto& flag) { return flag == "bytes" || flag == "checkContent"; });
    flags.RefuseUnless(vrp, own, "goes with --protocol=vrp only");
    flags.RefuseUnless(!vrp || hasTcp,
                       {"tcp", "tcpWindow"},
                       "goes with --protocol=tcp or --background=tcp");
    flags.RefuseIf("tcp", CheckTcpCongestion(flags.GetText("tcp")));
    flags.RefuseIf(count("tcpWindow") > 0 && count("tcpWindow") < LEAST_TCP_WINDOW,
                   "tcpWindow",
                   "give at least 1kB, or 0 for ns-3's own");
    flags.RefuseIf(!std::has_single_bit(count("windowSize")),
                   "windowSize",
                   "give a power of two up to 32768");
    const auto maxLossRate = flags.Get<DoubleValue>("maxLossRate");
    const auto minLossRate = flags.Get<DoubleValue>("minLossRate");
    for (const auto* flag : {"maxLossRate", "minLossRate"})
    {
        const auto rate = flags.Get<DoubleValue>(flag);
        if (rate < 0 && rate != -1)
        {
            flags.Refuse(flag, "give a number from 0 to 1, or -1 for none");
        }
    }
    flags.RefuseIf(minLossRate > maxLossRate, "minLossRate", "make it at most --maxLossRate");
    flags.RefuseIf(count("bytes") == 0 && duration.IsZero(),
                   "bytes",
                   "give --duration as well, for a flow without end");
    flags.RefuseUnless(!flags.Get<TimeValue>("frameInterval").IsStrictlyPositive(),
                       {"concurrentFrames"},
                       "goes without --frameInterval only");
    flags.RefuseUnless(!request.delayStep.IsZero(), {"delayStepAt"}, "give --delayStep as well");
    if (!request.dropData.empty())
    {
        flags.RefuseIf(request.flows > 1, "dropData", "goes with one flow only");
        flags.RefuseIf(!flags.Get<BooleanValue>("fitMtu") &&
                           count("packetSize") + VrpHeader::SIZE +
                                   (flags.GetText("ipVersion") == "6" ? 48 : 28) >
                               count("mtu"),
                       "dropData",
                       "give packets that need no fragments: --fitMtu");
    }
    flags.RefuseUnless(flags.GetText("receiver") == "basic",
                       {"nackWholeGap"},
                       "goes with --receiver=basic only");
}

/// One VRP transfer.
struct VrpFlow
{
    VrpHelper::Transfer ends; //!< the sender and its frames, and everybody's receiver
    Address address;          //!< the sender's
    Address remote;           //!< the receiver's, with its port
    uint64_t sampledBytes{0}; //!< delivered bytes at the last sample

    /// Get what the receiver has of this sender.
    VrpPeerTotals GetTotals() const
    {
        return ends.sink->GetPeerTotals(
            UdpEndpoint::WithPort(address, ends.source->GetLocalPort()));
    }

    /// Get the estimator, or null before the first sample.
    Ptr<const VrpRttEstimator> GetEstimator() const
    {
        const auto estimator = ends.source->GetEstimator();
        return estimator && estimator->GetNSamples() > 0 ? estimator : nullptr;
    }
};

/// Lose the data packets that the flags name.
void
DropData(Scenario& scenario, const std::vector<uint64_t>& which, uint16_t port)
{
    if (which.empty())
    {
        return;
    }
    const auto script = CreateObject<ScriptedErrorModel>();
    script->SetFilter([port](Ptr<const Packet> frame) {
        const auto header = VrpMessageLog::Peek(frame, port);
        return header && !header->control;
    });
    for (const auto k : which)
    {
        script->Drop(k);
    }
    scenario.GetLosses().AddData(script);
}

/// Install the VRP flows, all to one receiver.
std::vector<VrpFlow>
InstallVrp(Scenario& scenario, const Request& request, const TransportTopology& path)
{
    std::vector<VrpFlow> flows;
    const VrpHelper helper;
    const auto receiver = helper.AddSink(path.GetReceivers().Get(0));
    HostCost::SetProfile(receiver, request.receiverHost);
    DropData(scenario, request.dropData, helper.GetPort());
    for (uint32_t i = 0; i < request.flows; ++i)
    {
        const auto from = i % path.GetSenders().GetN();
        const auto ends =
            helper.Install(path.GetSenders().Get(from), receiver, path.GetReceiverEnd());
        VrpHelper::FollowRtt(ends, path.GetRtt(from, 0));
        HostCost::SetProfile(ends.source, request.senderHost);
        ends.source->AssignStreams(RandomStreams::Flow(i));
        flows.push_back({ends,
                         path.GetSenderEnd(from),
                         UdpEndpoint::WithPort(path.GetReceiverEnd(), helper.GetPort())});
        scenario.GetEnd().StopAfter(ends.source);
        scenario.GetMonitoring().Watch(i,
                                       path.GetSenders().Get(from),
                                       receiver->GetNode(),
                                       helper.GetPort());
    }
    return flows;
}

/// Sample a VRP flow into the series.
void
Sample(RunRecorder& recorder, Time end, Time interval, int64_t index, VrpFlow& flow)
{
    const auto sample = [&](const char* metric, double value) {
        recorder.Sample(end, index, metric, value);
    };
    const auto delivered = flow.GetTotals().report.deliveredBytes;
    const auto bytes = delivered - std::exchange(flow.sampledBytes, delivered);
    sample("goodput_bps", 8 * static_cast<double>(bytes) / interval.GetSeconds());
    if (const auto estimator = flow.GetEstimator())
    {
        sample("rtt_s", estimator->GetEstimate().GetSeconds());
        sample("rto_s", estimator->GetTimeout().GetSeconds());
    }
    sample("data_packets", static_cast<double>(flow.ends.source->GetReport().dataPackets));
}

/// Install a TCP flow; its congestion control is the node's own when it is empty.
BaselineHelper::Transfer
InstallTcp(const Flags& flags,
           const Request& request,
           const TransportTopology& path,
           uint32_t index,
           uint64_t bytes,
           const std::string& congestion)
{
    const auto sender = path.GetSenders().Get(index % path.GetSenders().GetN());
    const auto remote =
        UdpEndpoint::WithPort(path.GetReceiverEnd(), static_cast<uint16_t>(TCP_PORT + index));
    const auto flow = BaselineHelper("Tcp").Install(sender, path.GetReceivers().Get(0), remote);
    flow.source->SetAttribute("Bytes", UintegerValue(bytes));
    flow.source->SetAttribute("Congestion", StringValue(congestion));
    flow.sink->SetAttribute("Congestion", StringValue(congestion));
    uint32_t mtu = UINT16_MAX; // the node's loopback device has none to speak of
    for (uint32_t i = 0; i < sender->GetNDevices(); ++i)
    {
        mtu = std::min<uint32_t>(mtu, sender->GetDevice(i)->GetMtu());
    }
    if (!flags.IsGiven("ns3::lfn::TcpSource::SegmentSize"))
    {
        flow.source->SetAttribute(
            "SegmentSize",
            UintegerValue(mtu - TCP_HEADERS - (path.UsesIpv6() ? IPV6_LONGER : 0)));
    }
    HostCost::SetProfile(flow.sink, request.receiverHost);
    if (request.protocol == "tcp") // those alongside VRP have fast senders
    {
        HostCost::SetProfile(flow.source, request.senderHost);
    }
    return flow;
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

/// Warn where the 16 bits by which IPv4 identifies fragments wrapped around while a router or host
/// still kept the halves of lost packets: it may have joined them to halves of others.
void
WarnOfFragments(const Flags& flags, const std::vector<VrpFlow>& flows)
{
    constexpr double NUMBERS = 65536;
    TimeValue kept;
    const auto ipv4 = flows[0].ends.source->GetNode()->GetObject<Ipv4L3Protocol>();
    ipv4->GetAttribute("FragmentExpirationTimeout", kept);
    std::map<Address, double> packets; // sent by a node while a fragment is kept
    for (const auto& flow : flows)
    {
        const auto& report = flow.ends.source->GetReport();
        const auto end = report.finish > report.start ? report.finish : Simulator::Now();
        const double share = kept.Get().GetSeconds() / (end - report.start).GetSeconds();
        const auto mtu = UdpEndpoint::FindMtu(flow.ends.source->GetNode(), flow.remote);
        const auto size = flow.ends.source->GetPacketSize() + VrpHeader::SIZE +
                          UdpEndpoint::GetHeaderBytes(flow.remote);
        const bool loses = report.retransmittedPackets > 0 || flow.GetTotals().acceptedLosses > 0;
        if (mtu && size > *mtu && loses)
        {
            packets[flow.address] += static_cast<double>(report.dataPackets) * std::min(1.0, share);
        }
    }
    for (const auto& [address, count] : packets)
    {
        if (count > NUMBERS)
        {
            std::cerr << flags.GetProgram() << ": warning: " << address << " sent "
                      << static_cast<uint64_t>(count) << " fragmented packets within "
                      << kept.Get().GetSeconds() << " s"
                      << ", more than IP has numbers for: halves of different packets may have "
                         "been joined; give --fitMtu, or a larger --mtu"
                      << std::endl;
        }
    }
}

/// Write the row of a VRP sender; one without a size ends with the run.
void
AddVrpRow(RunRecorder& recorder, uint32_t index, const VrpFlow& flow, bool isEndless)
{
    using R = RunRecorder;
    const auto& [sender, source, receiver] = flow.ends;
    const auto totals = flow.GetTotals();
    auto report = sender->GetReport();
    report.MergeReceiver(totals.report);
    report.controlPackets += totals.report.controlPackets;
    const auto finish =
        report.completed || !report.failure.empty() ? report.finish : Simulator::Now();
    const double seconds = (finish - report.start).GetSeconds();
    const auto whole = static_cast<double>(report.deliveredBytes + report.lostBytes);
    const auto ratio = [](uint64_t part, uint64_t all) {
        return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0.0;
    };
    const auto estimator = flow.GetEstimator();
    recorder.AddFlow(
        index,
        report,
        {{"frames", R::Print(totals.frames)},
         {"frames_failed", R::Print(sender->GetFailedFrames())},
         {"nacks", R::Print(totals.nacks)},
         {"accepted_losses", R::Print(totals.acceptedLosses)},
         {"residual_loss", R::Print(ratio(totals.acceptedLosses, totals.packets))},
         {"frame_throughput_bps", R::Print(seconds > 0 ? 8 * whole / seconds : 0.0)},
         {"timeouts", R::Print(sender->GetTotals().timeouts)},
         {"duplicates", R::Print(totals.duplicates)},
         {"spurious_rate", R::Print(ratio(totals.duplicates, report.dataPackets))},
         {"rtt_s", estimator ? R::Print(estimator->GetEstimate()) : ""},
         {"rto_s", estimator ? R::Print(estimator->GetTimeout()) : ""},
         {"min_rtt_s", estimator ? R::Print(estimator->GetSmallest()) : ""},
         {"mean_rtt_s", R::Print(source->GetMeanRtt())},
         {"mean_loss_rate", R::Print(source->GetMeanLossRate())},
         {"longest_burst_bytes", R::Print(totals.longestBurstBytes)},
         {"mean_frame_s", R::Print(source->GetFrames().GetMean())},
         {"max_frame_s", R::Print(source->GetFrames().longest)},
         {"probes", R::Print(source->GetProbes().frames)},
         {"mean_probe_s", R::Print(source->GetProbes().GetMean())},
         {"max_probe_s", R::Print(source->GetProbes().longest)},
         {"peak_block_bytes", R::Print(receiver->GetPeakBlockBytes())},
         {"host_drops", R::Print(receiver->GetDrops(DropReason::BUFFER_FULL))},
         {"allowed_rate_bps", R::Print(sender->GetAllowedRate())},
         {"loss_event_rate", R::Print(sender->GetLossEventRate())},
         {"failure",
          receiver->GetReport().failure.empty() ? report.failure : receiver->GetReport().failure}},
        isEndless);
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("vrp-transfer",
                      "Frames by VRP (A. Denis, LIP report 2000-11), whose loss tolerance is the "
                      "sender's choice, or bulk data by TCP for comparison. A row per sender, then "
                      "one per flow of --background=tcp.");
    Request request;
    Declare(scenario, request);
    DeclareColumns(scenario);
    scenario.Parse(argc, argv);
    const auto& flags = scenario.GetFlags();
    const auto background = scenario.GetBackground().TakeTcp();
    CheckTogether(flags, request, scenario.GetDuration(), !background.empty());
    // A receiver must not refuse what is within a sender's window.
    flags.Imply("ns3::lfn::VrpReceiver::MaxGap",
                UintegerValue(std::max<uint64_t>(4096, flags.Get<UintegerValue>("windowSize"))));
    const auto path = scenario.BuildTopology();
    auto& recorder = scenario.GetRecorder();
    for (uint32_t i = 0; i < request.flows + background.size(); ++i)
    {
        scenario.CheckPair(i % path->GetSenders().GetN(), 0);
    }
    StepDelay(*path, request);

    std::vector<VrpFlow> vrp;
    std::vector<BaselineHelper::Transfer> tcp;
    std::unique_ptr<VrpMessageLog> log;
    if (request.protocol == "vrp")
    {
        vrp = InstallVrp(scenario, request, *path);
        if (recorder.HasMessages())
        {
            log = std::make_unique<VrpMessageLog>(recorder,
                                                  vrp[0].ends,
                                                  path->GetBottlenecks()[0].second);
        }
    }
    const uint32_t tcpAlone = request.protocol == "tcp" ? request.flows : 0;
    const auto bytes = flags.Get<UintegerValue>("bytes");
    for (uint32_t i = 0; i < tcpAlone; ++i)
    {
        tcp.push_back(InstallTcp(flags, request, *path, i, bytes, ""));
        scenario.GetEnd().StopAfter(tcp.back().source, tcp.back().sink);
    }
    for (const auto& kind : background)
    {
        const auto index = static_cast<uint32_t>(tcp.size());
        tcp.push_back(InstallTcp(flags, request, *path, index, 0, kind->GetCongestion()));
        kind->Add(tcp.back().sink);
    }

    scenario.GetSeries().EachInterval([&](Time end, Time interval) {
        for (std::size_t i = 0; i < vrp.size(); ++i)
        {
            Sample(recorder, end, interval, static_cast<int64_t>(i), vrp[i]);
        }
    });
    for (uint32_t i = 0; i < tcp.size(); ++i)
    {
        const auto index = static_cast<uint32_t>(vrp.size()) + i;
        scenario.GetSeries().SampleGoodput(index, tcp[i].sink);
        scenario.GetMonitoring().Watch(index,
                                       tcp[i].source->GetNode(),
                                       tcp[i].sink->GetNode(),
                                       static_cast<uint16_t>(TCP_PORT + i));
        scenario.GetMonitoring().SampleWindow(index, tcp[i].source);
    }
    scenario.Run();
    if (!vrp.empty())
    {
        WarnOfFragments(flags, vrp);
    }

    const bool isEndless = bytes == 0;
    for (uint32_t i = 0; i < vrp.size(); ++i)
    {
        AddVrpRow(recorder, i, vrp[i], isEndless);
    }
    for (uint32_t i = 0; i < tcp.size(); ++i)
    {
        auto report = tcp[i].source->GetReport();
        report.MergeReceiver(tcp[i].sink->GetReport());
        recorder.AddFlow(static_cast<uint32_t>(vrp.size()) + i,
                         report,
                         {{"failure", report.failure}},
                         isEndless || i >= tcpAlone);
    }
    return scenario.Finish();
}
