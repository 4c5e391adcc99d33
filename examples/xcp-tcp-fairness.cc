// SPDX-License-Identifier: GPL-2.0-only

// XCP and TCP flows side by side through XCP routers, with or without the fairness mechanism of
// Lopez Pacheco, Lefevre and Pham (report RR2007-46), or through any queue disc of ns-3.
//
//   xcp-tcp-fairness --tcpStart=10s --rtt=100ms --mechanism=persistent --seriesInterval=1s
//   xcp-tcp-fairness --tcpFlows=10 --xcpFlows=3 --xcpStart=10s,30s,50s --mechanism=gated
//   xcp-tcp-fairness --tcpFlows=0 --xcpFlows=5 --rtt=20ms,40ms,80ms,160ms,320ms
//   xcp-tcp-fairness --queueDisc=ns3::FqCoDelQueueDisc --tcp=ns3::TcpCubic

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-attribute-kind.h"
#include "ns3/lfn-dumbbell-topology.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-values.h"
#include "ns3/network-module.h"
#include "ns3/tcp-xcp.h"
#include "ns3/xcp-experiment.h"
#include "ns3/xcp-queue-disc.h"
#include "ns3/xcp-tcp-wrr-queue-disc.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

/// Read a comma list of time:rate; a remedy when it is invalid.
std::optional<std::string>
ReadChanges(const std::string& text, std::vector<LinkChange>& changes)
{
    changes.clear();
    std::size_t begin = 0;
    while (begin <= text.size())
    {
        const auto end = std::min(text.find(',', begin), text.size());
        const auto item = text.substr(begin, end - begin);
        const auto colon = std::min(item.find(':'), item.size());
        const auto time = values::ReadTime(item.substr(0, colon)).value;
        const auto rate =
            colon < item.size() ? values::ReadRate(item.substr(colon + 1)).value : std::nullopt;
        if (!time || time->IsStrictlyNegative() || !rate || rate->GetBitRate() == 0)
        {
            return "give times and rates with commas between, such as 60s:50Mbps,90s:100Mbps";
        }
        changes.push_back({.time = *time, .what = LinkChange::What::RATE, .rate = *rate});
        begin = end + 1;
    }
    return std::nullopt;
}

/// Declare the flags.
void
Declare(Scenario& scenario, XcpExperimentSettings& request)
{
    // TCP, and XCP upon it, as in the ns-2 experiments.
    const std::string source = "ns3::lfn::TcpSource::";
    const std::string udp = "ns3::lfn::UdpSource::";
    const std::string socket = "ns3::TcpSocket::";
    const std::string base = "ns3::TcpSocketBase::";
    const std::string congestion = "ns3::TcpL4Protocol::SocketType";
    Config::SetDefault(congestion, TypeIdValue(TcpNewReno::GetTypeId()));
    Config::SetDefault(base + "Sack", BooleanValue(false));
    Config::SetDefault(base + "Timestamp", BooleanValue(false));
    Config::SetDefault(socket + "InitialCwnd", UintegerValue(2));
    Config::SetDefault(source + "SegmentSize", UintegerValue(1000));
    Config::SetDefault(udp + "PacketSize", UintegerValue(1000));
    Config::SetDefault(udp + "SendRate", DataRateValue(DataRate(0)));
    // All hosts are XCP's: where SYNs are lost a flow of XCP must not become one of TCP.
    Config::SetDefault("ns3::lfn::XcpL4Protocol::XcpSyns",
                       UintegerValue(std::numeric_limits<uint32_t>::max()));

    auto& flags = scenario.GetFlags();
    const std::string dumbbell = "ns3::lfn::DumbbellTopology::";
    // That of the experiments, for any bottleneck.
    Config::SetDefault(dumbbell + "AccessRate", DataRateValue(DataRate("500Mbps")));
    flags.Attribute("bottleneckRate", {dumbbell + "LinkRate"}, "rate of the bottleneck");
    flags.Attribute("accessRate", {dumbbell + "AccessRate"}, "rate of the links to the hosts");
    flags.Attribute("rtt",
                    {dumbbell + "Rtts"},
                    "round-trip time of propagation; one, or one a flow; 20ms unless given");
    flags.Number(
        "bufferBdp",
        "buffer of the bottleneck over rate times longest rtt, in packets of the TCP flows; unless "
        "given ten packets at least",
        request.bufferBdp,
        0,
        1000);
    flags.Queue("queue", "buffer of the bottleneck, instead of --bufferBdp", request.queue);
    flags.SizeAttribute(
        "receiveBuffer",
        {"ns3::lfn::TcpSink::RcvBufSize"},
        "receive buffer, which bounds a flow's window; as large as it can use unless given");
    flags.Count("xcpFlows", "flows of XCP, the first ones", request.xcpFlows, 0, 5000);
    flags.Count("tcpFlows", "flows of TCP, after them", request.tcpFlows, 0, 5000);
    flags.DurationList("xcpStart", "when they start; one time, or one a flow", request.xcpStart);
    flags.DurationList("tcpStart", "when they start; one time, or one a flow", request.tcpStart);
    flags.DurationList("xcpStop", "when they stop; 0: at the end", request.xcpStop);
    flags.DurationList("tcpStop", "when they stop; 0: at the end", request.tcpStop);
    flags.Duration("startSpread", "starts are late by up to this, at random", request.startSpread);
    flags.Choice("mechanism",
                 "XCP-TCP fairness at the bottleneck; wrr: two queues instead",
                 request.mechanism,
                 {"none", "persistent", "gated", "adaptive", "wrr"});
    flags.Attribute("inspectProbability",
                    {"ns3::lfn::XcpTcpFairness::InspectProbability"},
                    "probability that the mechanism's estimators see a packet");
    flags.Choice("estimator",
                 "what counts the flows for it",
                 request.estimator,
                 {"sred", "bloom", "exact"});
    flags.Attribute("tcp", {congestion}, "TcpCongestionOps of the TCP flows");
    flags.Attribute("sack",
                    {base + "Sack"},
                    "TCP with SACK and PRR; neither, as in ns-2, unless given");
    flags.Text("queueDisc",
               "queue disc of the bottleneck: xcp, or a TypeId such as ns3::FqCoDelQueueDisc, with "
               "attributes [Name=value|Name=value]",
               request.queueDisc);
    flags.Switch("ecn", "TCP with ECN; routers mark instead of dropping", request.ecn);
    flags.SizeAttribute("packetSize",
                        {source + "SegmentSize", udp + "PacketSize"},
                        "user bytes of a packet");
    flags.Attribute("udpRate",
                    {udp + "SendRate"},
                    "rate of a UDP flow alongside; none unless given");
    flags.Duration("udpStart", "when it starts", request.udpStart);
    flags.Text("rateChange",
               "new rates of the bottleneck, such as 60s:50Mbps,90s:100Mbps",
               request.rateChange,
               [&request](const auto& text) { return ReadChanges(text, request.changes); });
    flags.Switch("xcpAccess", "the hosts' links have XCP's queue discs, too", request.xcpAccess);
    flags.Attribute("initialWindow", {socket + "InitialCwnd"}, "initial window, segments");
    flags.Duration("statsFrom", "the columns of the window begin here", request.statsFrom);
    flags.Duration("statsTo", "and end here; 0: with the run", request.statsTo);
    XcpExperiment::DeclareColumns(scenario);
}

/// Refuse a list that is neither one nor one a flow.
void
CheckList(const Flags& flags, const std::string& name, std::size_t given, uint32_t flows)
{
    if (given != 1 && given != flows)
    {
        flags.Refuse(name,
                     "give one for all flows or one for each of the " + std::to_string(flows));
    }
}

/// Refuse stops before starts.
void
CheckTimes(const Flags& flags,
           const std::string& name,
           const std::vector<Time>& starts,
           const std::vector<Time>& stops,
           uint32_t flows)
{
    CheckList(flags, name + "Start", starts.size(), flows);
    CheckList(flags, name + "Stop", stops.size(), flows);
    for (uint32_t i = 0; i < flows; ++i)
    {
        const auto& stop = stops[i % stops.size()];
        if (stop.IsStrictlyPositive() && stop <= starts[i % starts.size()])
        {
            flags.Refuse(name + "Stop", "make each time later than the flow's start");
        }
    }
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, XcpExperimentSettings& request, Time duration)
{
    const auto udpRate = flags.Get<DataRateValue>("udpRate").GetBitRate();
    flags.RefuseIf(flags.IsSet("udpRate") && udpRate == 0,
                   "udpRate",
                   "give a positive rate, such as 10Mbps");
    request.udpFlows = udpRate > 0 ? 1 : 0;
    flags.RefuseIf(request.GetFlows() == 0, "xcpFlows", "give a flow, of XCP or TCP");
    const auto goWith =
        [&](const std::vector<std::string>& names, bool isThere, const std::string& other) {
            flags.RefuseUnless(isThere, names, "goes with " + other + " only");
        };
    goWith({"xcpStart", "xcpStop"}, request.xcpFlows > 0, "--xcpFlows");
    goWith({"tcpStart", "tcpStop", "tcp"}, request.tcpFlows > 0, "--tcpFlows");
    goWith({"udpStart"}, udpRate > 0, "--udpRate");
    goWith({"bufferBdp"}, !flags.IsSet("queue"), "no --queue, which it would contradict,");
    goWith({"mechanism"},
           request.mechanism == "none" || request.queueDisc == "xcp",
           "--queueDisc=xcp");
    goWith({"inspectProbability", "estimator"},
           request.HasMechanism(),
           "--mechanism=persistent, gated or adaptive");
    goWith({"ecn"},
           !request.ecn || request.HasMechanism() || request.queueDisc != "xcp",
           "--mechanism=persistent, gated, adaptive or another --queueDisc");
    if (flags.IsSet("rtt"))
    {
        const std::string rtt = "ns3::lfn::DumbbellTopology::Rtt";
        goWith({"rtt"}, !flags.IsGiven(rtt), "no --" + rtt + ", which it would contradict,");
        const auto rtts = values::ReadTimeList(flags.GetText("rtt")).value;
        CheckList(flags, "rtt", rtts->size(), request.GetFlows());
    }
    else
    {
        // run.json reports the one that is used.
        const auto rtt = GetAttribute("ns3::lfn::DumbbellTopology::Rtt").initialValue;
        flags.Imply("ns3::lfn::DumbbellTopology::Rtts",
                    StringValue(values::PrintTime(DynamicCast<const TimeValue>(rtt)->Get())));
    }
    CheckTimes(flags, "xcp", request.xcpStart, request.xcpStop, std::max(request.xcpFlows, 1U));
    CheckTimes(flags, "tcp", request.tcpStart, request.tcpStop, std::max(request.tcpFlows, 1U));
    if (const auto window = flags.Get<UintegerValue>("initialWindow"); window < 1 || window > 1000)
    {
        flags.Refuse("initialWindow", "give a whole number from 1 to 1000");
    }
    flags.RefuseIf(duration.IsZero(), "duration", "give a time above 0: the flows have no end");
    if (request.statsTo.IsZero())
    {
        request.statsTo = duration;
    }
    flags.RefuseIf(request.statsTo > duration, "statsTo", "make it --duration at most");
    flags.RefuseIf(request.statsFrom >= request.statsTo,
                   "statsFrom",
                   "make it less than --statsTo, or --duration");
    for (const auto& [name, remedy] :
         {std::pair("TcpSource::Congestion", "give --tcp: XCP's flows have their own"),
          std::pair("TcpSink::Congestion", "give --tcp: XCP's flows have their own"),
          std::pair("XcpQueueDisc::Fairness", "give --mechanism, and Attributes of its class")})
    {
        if (const auto attribute = std::string("ns3::lfn::") + name; flags.IsGiven(attribute))
        {
            flags.Refuse(attribute, remedy);
        }
    }
    const auto tcp = flags.Get<TypeIdValue>("tcp");
    flags.RefuseIf(!tcp.HasConstructor() || !tcp.IsChildOf(TcpCongestionOps::GetTypeId()),
                   "tcp",
                   "give a TcpCongestionOps, such as ns3::TcpCubic");
    flags.RefuseIf(tcp == TcpXcp::GetTypeId() || tcp.IsChildOf(TcpXcp::GetTypeId()),
                   "tcp",
                   "give XCP's flows as --xcpFlows");
    request.disc.SetTypeId(request.mechanism == "wrr" ? XcpTcpWrrQueueDisc::GetTypeId()
                                                      : XcpQueueDisc::GetTypeId());
    if (request.queueDisc != "xcp")
    {
        flags.RefuseIf("queueDisc", QueueDiscFlag::Read(request.queueDisc, request.disc));
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("xcp-tcp-fairness",
                      "XCP and TCP flows through XCP routers, with the XCP-TCP fairness mechanism "
                      "of Lopez Pacheco, Lefevre and Pham (2007), or through other queue discs.",
                      {.topologies = {"ns3::lfn::DumbbellTopology"},
                       .linkFlags = false,
                       .queueDiscFlag = false,
                       .movesStarts = false, // flows have times of their own
                       .messageLog = false,
                       .duration = Seconds(120)});
    XcpExperimentSettings request;
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    const auto& flags = scenario.GetFlags();
    CheckTogether(flags, request, scenario.GetDuration());
    flags.Imply("ns3::TcpL4Protocol::RecoveryType",
                TypeIdValue(flags.Get<BooleanValue>("sack") ? TcpPrrRecovery::GetTypeId()
                                                            : TcpClassicRecovery::GetTypeId()));
    flags.Imply("ns3::TcpSocketBase::UseEcn",
                EnumValue(request.ecn ? TcpSocketState::On : TcpSocketState::Off));

    const auto dumbbell = CreateObject<DumbbellTopology>();
    dumbbell->SetAttribute("Pairs", UintegerValue(request.GetFlows()));
    const auto remedy = dumbbell->Check().value_or("");
    scenario.GetFlags().RefuseIf(scenario.GetFlags().GetText("topology").empty() &&
                                     remedy.starts_with("AccessRate: "),
                                 "accessRate",
                                 remedy);
    scenario.BuildTopology(dumbbell);
    XcpExperiment experiment(scenario, request);
    experiment.Install();
    scenario.Run();
    experiment.AddRows();
    return scenario.Finish();
}
