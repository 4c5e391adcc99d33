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
#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-dumbbell-topology.h"
#include "ns3/lfn-fast-settings.h"
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

/// Read a comma list of time:rate; a remedy when it is none.
std::optional<std::string>
ReadChanges(const std::string& text, std::vector<std::pair<Time, DataRate>>& changes)
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
        changes.emplace_back(*time, *rate);
        begin = end + 1;
    }
    return std::nullopt;
}

/// Declare the flags.
void
Declare(Scenario& scenario, XcpExperimentSettings& request)
{
    auto& flags = scenario.GetFlags();
    flags.Rate("bottleneckRate", "rate of the bottleneck", request.bottleneckRate);
    flags.Rate("accessRate", "rate of the links to the hosts", request.accessRate);
    flags.DurationList("rtt", "round-trip time of propagation; one, or one a flow", request.rtt);
    flags.Number(
        "bufferBdp",
        "buffer of the bottleneck over rate times longest rtt, in packets of the TCP flows",
        request.bufferBdp,
        0,
        1000);
    flags.Queue("queue", "buffer of the bottleneck, instead of --bufferBdp", request.queue);
    flags.Bytes("receiveBuffer",
                "receive buffer, which bounds a flow's window; 0: as large as it can use",
                request.receiveBuffer,
                0,
                1 << 30);
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
    flags.Fraction("inspectProbability",
                   "probability that the mechanism's estimators see a packet",
                   request.inspectProbability);
    flags.Choice("estimator",
                 "what counts the flows for it",
                 request.estimator,
                 {"sred", "bloom", "exact"});
    flags.Text("tcp", "TcpCongestionOps of the TCP flows", request.tcp);
    flags.Switch("sack", "TCP with SACK and PRR; neither, as in ns-2, unless given", request.sack);
    flags.Switch("stockReno",
                 "without SACK, let ns-3's TCP keep the marks of duplicate ACKs after a recovery",
                 request.stockReno);
    flags.Text("queueDisc",
               "queue disc of the bottleneck: xcp, or a TypeId such as ns3::FqCoDelQueueDisc, with "
               "attributes [Name=value|Name=value]",
               request.queueDisc);
    flags.Switch("ecn", "TCP with ECN; routers mark instead of dropping", request.ecn);
    flags.Count("ipVersion", "4 or 6", request.ipVersion, 4, 6);
    flags.Bytes("packetSize", "user bytes of a packet", request.packetSize, 1, 65535);
    flags.Rate("udpRate", "rate of a UDP flow beside; none unless given", request.udpRate);
    flags.Duration("udpStart", "when it starts", request.udpStart);
    flags.Text("rateChange",
               "new rates of the bottleneck, such as 60s:50Mbps,90s:100Mbps",
               request.rateChange,
               [&request](const auto& text) { return ReadChanges(text, request.changes); });
    flags.Switch("xcpAccess", "the hosts' links have XCP's queue discs, too", request.xcpAccess);
    flags.Count("initialWindow", "initial window, segments", request.initialWindow, 1, 1000);
    flags.Duration("statsFrom", "the columns of the window begin here", request.statsFrom);
    flags.Duration("statsTo", "and end here; 0: with the run", request.statsTo);
    flags.Columns(
        "Own columns of summary.csv: in [statsFrom, statsTo] share (of what all flows delivered), "
        "window_goodput_bps, mean_queue_packets, mean_queue_bytes and utilisation (of the first "
        "bottleneck, the same in all rows); in the whole run drops_tail (by the queue disc, "
        "whatever the reason), drops_fairness (by the mechanism), marks, all three of the flow's "
        "class (XCP or not) at the bottlenecks, and failure. Metrics of series.csv: goodput_bps, "
        "cwnd_bytes, rtt_s; of the path queue_packets (queue disc included), queue_peak_packets "
        "(largest of the interval), utilisation, xcp_rate_bps, tcp_rate_bps (goodput of the "
        "class), xcp_flows_exact, tcp_flows_exact "
        "(between start and stop), drops_tail, drops_fairness (in the interval), with XCP's queue "
        "disc persistent_queue_bytes, control_interval_s, with the mechanism drop_probability, "
        "xcp_flows_estimated, tcp_flows_estimated, with wrr xcp_weight.");
    scenario.GetRecorder().AddColumns(XcpExperiment::COLUMNS);
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
    const auto goesWith = [&](const std::string& name, bool isThere, const std::string& other) {
        if (flags.IsSet(name) && !isThere)
        {
            flags.Refuse(name, "goes with " + other + " only");
        }
    };
    if (request.GetFlows() == 0)
    {
        flags.Refuse("xcpFlows", "give a flow, of XCP or TCP");
    }
    for (const auto* flag : {"xcpStart", "xcpStop"})
    {
        goesWith(flag, request.xcpFlows > 0, "--xcpFlows");
    }
    for (const auto* flag : {"tcpStart", "tcpStop", "tcp", "sack", "stockReno"})
    {
        goesWith(flag, request.tcpFlows > 0, "--tcpFlows");
    }
    goesWith("stockReno", !request.stockReno || !request.sack, "no --sack");
    goesWith("udpStart", request.udpRate.GetBitRate() > 0, "--udpRate");
    goesWith("bufferBdp", !flags.IsSet("queue"), "no --queue, which it would contradict,");
    goesWith("mechanism",
             request.mechanism == "none" || request.queueDisc == "xcp",
             "--queueDisc=xcp");
    for (const auto* flag : {"inspectProbability", "estimator"})
    {
        goesWith(flag, request.HasMechanism(), "--mechanism=persistent, gated or adaptive");
    }
    goesWith("ecn",
             !request.ecn || request.HasMechanism() || request.queueDisc != "xcp",
             "--mechanism=persistent, gated, adaptive or another --queueDisc");
    CheckList(flags, "rtt", request.rtt.size(), request.GetFlows());
    CheckTimes(flags, "xcp", request.xcpStart, request.xcpStop, std::max(request.xcpFlows, 1U));
    CheckTimes(flags, "tcp", request.tcpStart, request.tcpStop, std::max(request.tcpFlows, 1U));
    if (request.ipVersion == 5)
    {
        flags.Refuse("ipVersion", "give 4 or 6");
    }
    if (duration.IsZero())
    {
        flags.Refuse("duration", "give a time above 0: the flows have no end");
    }
    if (request.statsTo.IsZero())
    {
        request.statsTo = duration;
    }
    if (request.statsTo > duration)
    {
        flags.Refuse("statsTo", "make it --duration at most");
    }
    if (request.statsFrom >= request.statsTo)
    {
        flags.Refuse("statsFrom", "make it less than --statsTo, or --duration");
    }
    TypeId tcp;
    if (!TypeId::LookupByNameFailSafe(request.tcp, &tcp) || !tcp.HasConstructor() ||
        !tcp.IsChildOf(TcpCongestionOps::GetTypeId()))
    {
        flags.Refuse("tcp", "give a TcpCongestionOps, such as ns3::TcpCubic");
    }
    if (tcp == TcpXcp::GetTypeId() || tcp.IsChildOf(TcpXcp::GetTypeId()))
    {
        flags.Refuse("tcp", "give XCP's flows as --xcpFlows");
    }
    request.disc.SetTypeId(request.mechanism == "wrr" ? XcpTcpWrrQueueDisc::GetTypeId()
                                                      : XcpQueueDisc::GetTypeId());
    if (request.queueDisc != "xcp")
    {
        if (const auto remedy =
                MakeFactory(request.queueDisc, QueueDisc::GetTypeId(), request.disc))
        {
            flags.Refuse("queueDisc", *remedy);
        }
        if (request.disc.Create<QueueDisc>()->GetWakeMode() == QueueDisc::WAKE_CHILD)
        {
            flags.Refuse("queueDisc", "give one that is not made up of others, a child a queue");
        }
        request.isSized = request.queueDisc.find("MaxSize=") != std::string::npos;
    }
    request.hasQueue = flags.IsSet("queue");
}

/// Give TCP, and XCP upon it, the settings of the ns-2 experiments, unless the command line has
/// its own.
void
SetTcp(const Flags& flags, const XcpExperimentSettings& request)
{
    const auto given = flags.Values();
    const auto set = [&given](const std::string& name, const AttributeValue& value) {
        if (std::ranges::none_of(given, [&](const auto& flag) { return flag.first == name; }))
        {
            Config::SetDefault(name, value);
        }
    };
    set("ns3::TcpL4Protocol::SocketType", TypeIdValue(TypeId::LookupByName(request.tcp)));
    set("ns3::TcpL4Protocol::RecoveryType",
        TypeIdValue(request.sack ? TcpPrrRecovery::GetTypeId() : TcpClassicRecovery::GetTypeId()));
    set("ns3::TcpSocketBase::Sack", BooleanValue(request.sack));
    set("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    set("ns3::TcpSocketBase::UseEcn",
        EnumValue(request.ecn ? TcpSocketState::On : TcpSocketState::Off));
    set("ns3::TcpSocket::InitialCwnd", UintegerValue(request.initialWindow));
    set("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    // All hosts are XCP's: where SYNs are lost a flow of XCP must not become one of TCP.
    set("ns3::lfn::XcpL4Protocol::XcpSyns", UintegerValue(std::numeric_limits<uint32_t>::max()));
}

} // namespace

int
main(int argc, char* argv[])
{
    UseFastAllocator();
    Scenario scenario("xcp-tcp-fairness",
                      "XCP and TCP flows through XCP routers, with the XCP-TCP fairness mechanism "
                      "of Lopez Pacheco, Lefevre and Pham (2007), or through other queue discs.");
    XcpExperimentSettings request;
    scenario.OmitLinkFlags();
    scenario.AddPathFlags({"bottleneckRate", "accessRate", "rtt"});
    scenario.OmitMessageLog();
    scenario.SetDefaultDuration(Seconds(120));
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    CheckTogether(scenario.GetFlags(), request, scenario.GetDuration());
    SetTcp(scenario.GetFlags(), request);

    const auto dumbbell = CreateObject<DumbbellTopology>();
    dumbbell->SetAttribute("Pairs", UintegerValue(request.GetFlows()));
    dumbbell->SetAttribute("AccessRate", DataRateValue(request.accessRate));
    dumbbell->SetAttribute("Rtts", StringValue(values::PrintTimeList(request.rtt)));
    dumbbell->SetAttribute("Ipv6", BooleanValue(request.ipVersion == 6));
    scenario.GetPath().linkRate = request.bottleneckRate;
    scenario.BuildTopology(dumbbell);
    XcpExperiment experiment(scenario, request);
    experiment.Install();
    scenario.Run();
    experiment.AddRows();
    return scenario.Finish();
}
