// SPDX-License-Identifier: GPL-2.0-only

// XCP and TCP flows side by side through XCP routers, with or without the fairness mechanism of
// Lopez Pacheco, Lefevre and Pham (report RR2007-46), or through any queue disc of ns-3.
//
//   xcp-tcp-fairness --tcpStart=10s --rtt=100ms --mechanism=persistent --seriesInterval=1s
//   xcp-tcp-fairness --tcpFlows=10 --xcpFlows=3 --xcpStart=10s,30s,50s --mechanism=gated
//   xcp-tcp-fairness --tcpFlows=0 --xcpFlows=5 --rtt=20ms,40ms,80ms,160ms,320ms
//   xcp-tcp-fairness --queueDisc=ns3::FqCoDelQueueDisc --tcp=ns3::TcpCubic --sack

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-dumbbell-topology.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/lfn-values.h"
#include "ns3/network-module.h"
#include "ns3/tcp-xcp.h"
#include "ns3/xcp-helper.h"
#include "ns3/xcp-port-monitor.h"
#include "ns3/xcp-queue-disc.h"
#include "ns3/xcp-socket-factory.h"
#include "ns3/xcp-tcp-wrr-queue-disc.h"

#include <algorithm>
#include <memory>
#include <utility>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr int64_t PORT_STREAM = 4000;         //!< first random stream of the routers' ports
constexpr uint16_t FIRST_PORT = 5000;         //!< of the receivers
constexpr uint32_t LEAST_BUFFER = 256 * 1024; //!< of a socket, B
constexpr double ALL_BUFFERS = 1e9;           //!< of all sockets that send, about, B
constexpr double RENO_VARIATION = 0.165;      //!< squared, relative, of TCP's rate
constexpr double MAX_BUFFER = 1 << 30;        //!< that TCP's window scaling can tell, B

/// What the command line asks for.
struct Request
{
    DataRate bottleneckRate{"100Mbps"};       //!< or the topology's
    DataRate accessRate{"500Mbps"};           //!< or the topology's
    std::vector<Time> rtt{MilliSeconds(20)};  //!< one, or one a flow
    double bufferBdp{1};                      //!< buffer over bandwidth-delay product
    QueueSize queue{"1000p"};                 //!< instead of that
    uint32_t xcpFlows{1};                     //!< of XCP
    uint32_t tcpFlows{2};                     //!< of TCP
    std::vector<Time> xcpStart{Time(0)};      //!< one, or one a flow
    std::vector<Time> tcpStart{Time(0)};      //!< one, or one a flow
    std::vector<Time> xcpStop{Time(0)};       //!< one, or one a flow; 0: never
    std::vector<Time> tcpStop{Time(0)};       //!< one, or one a flow; 0: never
    Time startSpread{Seconds(1)};             //!< starts are late by up to this, at random
    std::string mechanism{"none"};            //!< the routers' fairness mechanism
    double inspectProbability{1};             //!< of a packet
    std::string estimator{"sred"};            //!< counts flows
    std::string tcp{"ns3::TcpNewReno"};       //!< congestion control of the TCP flows
    bool stockReno{false};                    //!< ns-3's TCP without SACK as it is
    bool sack{false};                         //!< selective acknowledgements
    std::string queueDisc{"xcp"};             //!< or another one
    bool ecn{false};                          //!< mark instead of dropping
    uint32_t ipVersion{4};                    //!< 4 or 6
    uint32_t packetSize{1000};                //!< user bytes a packet
    DataRate udpRate{0};                      //!< of a UDP flow; 0: none
    Time udpStart;                            //!< when it starts
    std::string rateChange;                   //!< time:rate, ...
    bool xcpAccess{false};                    //!< XCP on the access links, too
    uint32_t initialWindow{2};                //!< segments
    Time statsFrom;                           //!< window of the statistics
    Time statsTo;                             //!< its end; 0: that of the run
    ObjectFactory disc;                       //!< made from queueDisc
    std::vector<std::pair<Time, DataRate>> changes; //!< made from rateChange

    /// Get the number of all flows.
    uint32_t GetFlows() const
    {
        return xcpFlows + tcpFlows + (udpRate.GetBitRate() > 0 ? 1 : 0);
    }

    /// Tell whether XCP's FIFO is at the bottleneck, with the mechanism.
    bool HasMechanism() const
    {
        return mechanism != "none" && mechanism != "wrr";
    }
};

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
        const auto rate = colon < item.size() ? values::ReadRate(item.substr(colon + 1)).value
                                              : std::nullopt;
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
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    flags.Rate("bottleneckRate", "rate of the bottleneck", request.bottleneckRate);
    flags.Rate("accessRate", "rate of the links to the hosts", request.accessRate);
    flags.DurationList("rtt", "round-trip time of propagation; one, or one a flow", request.rtt);
    flags.Number("bufferBdp",
                 "buffer of the bottleneck over rate times longest rtt, in packets of the TCP flows",
                 request.bufferBdp,
                 0,
                 1000);
    flags.Queue("queue", "buffer of the bottleneck, instead of --bufferBdp", request.queue);
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
    flags.Switch("sack", "TCP with SACK, and PRR", request.sack);
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
        "cwnd_bytes, rtt_s; of the path queue_packets (queue disc included), utilisation, "
        "xcp_rate_bps, tcp_rate_bps (goodput of the class), xcp_flows_exact, tcp_flows_exact "
        "(between start and stop), drops_tail, drops_fairness (in the interval), with XCP's queue "
        "disc persistent_queue_bytes, control_interval_s, with the mechanism drop_probability, "
        "xcp_flows_estimated, tcp_flows_estimated, with wrr xcp_weight.");
    scenario.GetRecorder().AddColumns({"share",
                                       "window_goodput_bps",
                                       "drops_tail",
                                       "drops_fairness",
                                       "marks",
                                       "mean_queue_packets",
                                       "mean_queue_bytes",
                                       "utilisation",
                                       "failure"});
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
        const auto stop = stops[i % stops.size()];
        if (stop.IsStrictlyPositive() && stop <= starts[i % starts.size()])
        {
            flags.Refuse(name + "Stop", "make each time later than the flow's start");
        }
    }
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, Request& request, Time duration)
{
    const auto goesWith = [&](const std::string& name, bool isThere, const std::string& other) {
        if (flags.IsSet(name) && !isThere)
        {
            flags.Refuse(name, "goes with " + other + " only");
        }
    };
    for (const auto* flag : {"bottleneckRate", "accessRate", "rtt"})
    {
        goesWith(flag, !flags.IsSet("topology"), "the program's own dumbbell, not --topology,");
    }
    if (request.GetFlows() == 0)
    {
        flags.Refuse("xcpFlows", "give a flow, of XCP or TCP");
    }
    for (const auto* flag : {"xcpStart", "xcpStop"})
    {
        goesWith(flag, request.xcpFlows > 0, "--xcpFlows");
    }
    for (const auto* flag : {"tcpStart", "tcpStop", "tcp", "sack"})
    {
        goesWith(flag, request.tcpFlows > 0, "--tcpFlows");
    }
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
    }
}

/// Give TCP, and XCP upon it, the settings of the ns-2 experiments.
void
SetTcp(const Request& request)
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                       TypeIdValue(TypeId::LookupByName(request.tcp)));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType",
                       TypeIdValue(request.sack ? TcpPrrRecovery::GetTypeId()
                                                : TcpClassicRecovery::GetTypeId()));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(request.sack));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::UseEcn",
                       EnumValue(request.ecn ? TcpSocketState::On : TcpSocketState::Off));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(request.initialWindow));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
}

/// Get the rate of a device, bit/s; 0 when it does not tell.
double
GetRate(Ptr<NetDevice> device)
{
    DataRateValue rate;
    return device->GetAttributeFailSafe("DataRate", rate)
               ? static_cast<double>(rate.Get().GetBitRate())
               : 0;
}

/// Get the device at the other end of a link; null when there are none or several.
Ptr<NetDevice>
GetPeer(Ptr<NetDevice> device)
{
    const auto channel = device->GetChannel();
    if (!channel || channel->GetNDevices() != 2)
    {
        return nullptr;
    }
    return channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
}

/// One flow.
struct Flow
{
    bool isXcp{false};               //!< or TCP or UDP
    Ptr<TransferApplication> source; //!< sends
    Ptr<TransferApplication> sink;   //!< receives
    Time start;                      //!< of the source
    Time stop;                       //!< of the source; 0: with the run
    uint64_t windowBytes{0};         //!< delivered in the window, or before it
    uint64_t sampledBytes{0};        //!< delivered at the last sample
    double cwnd{0};                  //!< congestion window, B
    double rtt{0};                   //!< last sample, s

    /// Get what the receiver has, B.
    uint64_t GetDelivered() const
    {
        return sink->GetReport().deliveredBytes;
    }

    /// Tell whether it is between start and stop.
    bool IsRunning(Time now) const
    {
        return start <= now && (stop.IsZero() || now < stop);
    }
};

/// The run: ports, flows and what is seen of them.
class Run
{
  public:
    /// Prepare it; the topology is built.
    Run(Scenario& scenario, const Request& request)
        : m_scenario(scenario),
          m_request(request),
          m_topology(scenario.GetTopology())
    {
    }

    /// Refuse packets that the topology cannot carry.
    void CheckTopology() const;
    /// Put queue discs on the bottlenecks, and on the access links when asked for.
    void InstallPorts();
    /// Install the flows.
    void InstallFlows();
    /// Have the rate changed, the window looked at, and series written.
    void Schedule();
    /// Write the rows.
    void AddRows();

  private:
    /// Get the longest round-trip time of a flow.
    Time GetLongestRtt() const;
    /// Get the buffer of the bottleneck, which has so many bits/s.
    QueueSize GetBuffer(double rate) const;
    /// Get the buffer of a socket, B.
    uint32_t GetSocketBuffer() const;
    /// Get the size of a TCP packet with its IP header, B.
    uint32_t GetWireSize() const;
    /// Make the fairness mechanism of a port.
    Ptr<XcpTcpFairness> MakeFairness() const;
    /// Install a flow's applications, which run between its start and its stop.
    void InstallFlow(uint32_t index, Flow& flow);
    /// Sample all flows and the path.
    void Sample(Time end, Time interval);
    /// Sample what only the queue discs know.
    void SamplePort(Time end);

    Scenario& m_scenario;                                   //!< the frame
    const Request& m_request;                               //!< what is asked for
    Ptr<TransportTopology> m_topology;                      //!< the network
    std::vector<Ptr<QueueDisc>> m_discs;                    //!< of the bottlenecks
    std::vector<std::unique_ptr<XcpPortMonitor>> m_monitors; //!< of the same
    std::vector<Flow> m_flows;                              //!< XCP, TCP, UDP
    XcpPortMonitor::Losses m_sampledLosses;                 //!< at the last sample
    XcpPortMonitor::Means m_means;                          //!< of the window
    Time m_controlInterval;                                 //!< of the first bottleneck
};

void
Run::CheckTopology() const
{
    const auto& flags = m_scenario.GetFlags();
    if (m_topology->GetBottlenecks().empty())
    {
        flags.Refuse("topology", "this topology names no bottleneck");
    }
    const bool isIpv6 = m_request.ipVersion == 6;
    uint32_t mtu = UINT16_MAX;
    for (const auto& [from, to] : m_topology->GetBottlenecks())
    {
        mtu = std::min<uint32_t>(mtu, from->GetMtu());
        if (GetRate(from) == 0)
        {
            flags.Refuse("topology", "a bottleneck's device tells no DataRate");
        }
    }
    for (const auto& hosts : {m_topology->GetSenders(), m_topology->GetReceivers()})
    {
        for (auto host = hosts.Begin(); host != hosts.End(); ++host)
        {
            for (uint32_t i = 0; i < (*host)->GetNDevices(); ++i)
            {
                mtu = std::min<uint32_t>(mtu, (*host)->GetDevice(i)->GetMtu());
            }
        }
    }
    const auto largest = XcpHelper::GetSegmentSize(mtu, isIpv6);
    if (m_request.packetSize > largest)
    {
        flags.Refuse("packetSize",
                     "give " + std::to_string(largest) + " at most, or a larger MTU than " +
                         std::to_string(mtu) + ": packets must fit with all headers");
    }
    const auto none = Ipv6Address::GetAny();
    for (uint32_t i = 0; i < m_topology->GetReceivers().GetN() && isIpv6; ++i)
    {
        if (m_topology->GetReceiverIpv6Address(i) == none)
        {
            flags.Refuse("ipVersion", "this topology has no IPv6 addresses");
        }
    }
}

Time
Run::GetLongestRtt() const
{
    Time longest;
    for (uint32_t i = 0; i < m_topology->GetReceivers().GetN(); ++i)
    {
        longest = std::max(longest, m_topology->GetRtt(i));
    }
    return longest;
}

uint32_t
Run::GetWireSize() const
{
    return m_request.packetSize + (m_request.ipVersion == 6 ? 60 : 40);
}

QueueSize
Run::GetBuffer(double rate) const
{
    if (m_scenario.GetFlags().IsSet("queue"))
    {
        return m_request.queue;
    }
    const double bytes = m_request.bufferBdp * rate / 8 * GetLongestRtt().GetSeconds();
    return {QueueSizeUnit::PACKETS,
            static_cast<uint32_t>(std::clamp(bytes / GetWireSize(), 1.0, 1e9))};
}

uint32_t
Run::GetSocketBuffer() const
{
    double rate = 0;
    double queued = 0;
    for (const auto& [from, to] : m_topology->GetBottlenecks())
    {
        rate = std::max(rate, GetRate(from));
        const auto buffer = GetBuffer(GetRate(from));
        queued += buffer.GetUnit() == QueueSizeUnit::BYTES ? buffer.GetValue()
                                                           : 1.0 * buffer.GetValue() * GetWireSize();
    }
    for (const auto& [time, changed] : m_request.changes)
    {
        rate = std::max(rate, static_cast<double>(changed.GetBitRate()));
    }
    // The largest window before the first loss is twice what the path holds.
    const double wanted = 4 * (rate / 8 * GetLongestRtt().GetSeconds() + queued);
    const double most = std::min(MAX_BUFFER, ALL_BUFFERS / m_request.GetFlows());
    return static_cast<uint32_t>(std::max<double>(std::min(wanted, most), LEAST_BUFFER));
}

Ptr<XcpTcpFairness>
Run::MakeFairness() const
{
    const std::string prefix = "ns3::lfn::Xcp";
    const std::string estimator = m_request.estimator == "sred"    ? "SredEstimator"
                                  : m_request.estimator == "bloom" ? "BloomEstimator"
                                                                   : "ExactEstimator";
    const bool isAdaptive = m_request.mechanism == "adaptive";
    ObjectFactory counts(prefix + estimator);
    if (isAdaptive && m_request.estimator == "sred")
    {
        // Its brake needs a count before the tables are full.
        counts.Set("CompareWhileFilling", BooleanValue(true));
        counts.Set("RateVariation", DoubleValue(RENO_VARIATION));
    }
    const auto law =
        ObjectFactory(prefix + (isAdaptive ? "AdaptiveDropLaw" : "MultiplicativeDropLaw"))
            .Create<XcpDropLaw>();
    if (m_request.mechanism == "gated")
    {
        law->SetAttribute("Gated", BooleanValue(true));
    }
    auto fairness = CreateObject<XcpTcpFairness>();
    fairness->SetAttribute("InspectProbability", DoubleValue(m_request.inspectProbability));
    fairness->SetAttribute("XcpEstimator", PointerValue(counts.Create<Object>()));
    fairness->SetAttribute("E2eEstimator", PointerValue(counts.Create<Object>()));
    fairness->SetAttribute("DropLaw", PointerValue(law));
    return fairness;
}

void
Run::InstallPorts()
{
    const auto& bottlenecks = m_topology->GetBottlenecks();
    for (const auto& [from, to] : bottlenecks)
    {
        XcpHelper helper;
        auto factory = m_request.disc;
        if (m_request.queueDisc.find("MaxSize=") == std::string::npos)
        {
            helper.SetQueueDisc(factory.GetTypeId().GetName());
        }
        helper.SetQueueDisc(factory);
        const auto disc = helper.InstallPort(from);
        if (!disc)
        {
            m_scenario.GetFlags().Refuse("topology", "a router has no traffic control layer");
        }
        if (m_request.queueDisc.find("MaxSize=") == std::string::npos)
        {
            disc->SetAttributeFailSafe("MaxSize", QueueSizeValue(GetBuffer(GetRate(from))));
        }
        if (m_request.ecn)
        {
            disc->SetAttributeFailSafe("UseEcn", BooleanValue(true));
            disc->SetAttributeFailSafe("Mark", BooleanValue(true));
        }
        if (m_request.HasMechanism())
        {
            disc->SetAttribute("Fairness", PointerValue(MakeFairness()));
        }
        if (const auto port = DynamicCast<XcpPort>(disc))
        {
            port->AssignStreams(PORT_STREAM + 10 * static_cast<int64_t>(m_discs.size()));
        }
        m_discs.push_back(disc);
        m_monitors.push_back(std::make_unique<XcpPortMonitor>(from, disc));
    }
    m_discs.front()->TraceConnectWithoutContext(
        "ControlInterval",
        Callback<void, Time, Time>([this](Time /* before */, Time now) { m_controlInterval = now; }));
    if (!m_request.xcpAccess)
    {
        return;
    }
    XcpHelper helper;
    helper.SetQueueDiscAttribute("MaxSize", QueueSizeValue(QueueSize("10000p")));
    for (const bool isSender : {true, false})
    {
        const auto hosts = isSender ? m_topology->GetSenders() : m_topology->GetReceivers();
        for (auto host = hosts.Begin(); host != hosts.End(); ++host)
        {
            for (uint32_t i = 0; i < (*host)->GetNDevices(); ++i)
            {
                const auto own = (*host)->GetDevice(i);
                const auto device = isSender ? own : GetPeer(own);
                const auto isBottleneck =
                    std::ranges::any_of(bottlenecks,
                                        [&](const auto& link) { return link.first == device; });
                if (device && GetRate(device) > 0 && !isBottleneck)
                {
                    helper.InstallPort(device);
                }
            }
        }
    }
}

void
Run::InstallFlows()
{
    XcpHelper::InstallHosts(m_topology->GetSenders());
    XcpHelper::InstallHosts(m_topology->GetReceivers());
    m_flows.resize(m_request.GetFlows());
    for (uint32_t i = 0; i < m_flows.size(); ++i)
    {
        auto& flow = m_flows[i];
        flow.isXcp = i < m_request.xcpFlows;
        if (i < m_request.xcpFlows + m_request.tcpFlows)
        {
            const auto number = flow.isXcp ? i : i - m_request.xcpFlows;
            const auto& starts = flow.isXcp ? m_request.xcpStart : m_request.tcpStart;
            const auto& stops = flow.isXcp ? m_request.xcpStop : m_request.tcpStop;
            const auto late = CreateObject<UniformRandomVariable>();
            late->SetStream(Scenario::FlowStream(i));
            flow.start = starts[number % starts.size()] + m_request.startSpread * late->GetValue();
            flow.stop = stops[number % stops.size()];
        }
        else
        {
            flow.start = m_request.udpStart;
        }
        InstallFlow(i, flow);
    }
}

void
Run::InstallFlow(uint32_t index, Flow& flow)
{
    const auto from = index % m_topology->GetSenders().GetN();
    const auto to = index % m_topology->GetReceivers().GetN();
    const auto port = static_cast<uint16_t>(FIRST_PORT + index);
    const Address remote =
        m_request.ipVersion == 6
            ? Address(Inet6SocketAddress(m_topology->GetReceiverIpv6Address(to), port))
            : Address(InetSocketAddress(m_topology->GetReceiverAddress(to), port));
    if (index < m_request.xcpFlows + m_request.tcpFlows)
    {
        flow.source = CreateObject<TcpSource>();
        flow.sink = CreateObject<TcpSink>();
        flow.source->SetAttribute("SegmentSize", UintegerValue(m_request.packetSize));
        flow.source->SetAttribute("SndBufSize", UintegerValue(GetSocketBuffer()));
        flow.source->SetAttribute("ForgetMarks", BooleanValue(!m_request.stockReno));
        flow.sink->SetAttribute("RcvBufSize", UintegerValue(GetSocketBuffer()));
        if (flow.isXcp)
        {
            flow.source->SetAttribute("SocketFactory", TypeIdValue(XcpSocketFactory::GetTypeId()));
            flow.sink->SetAttribute("SocketFactory", TypeIdValue(XcpSocketFactory::GetTypeId()));
        }
        flow.source->TraceConnectWithoutContext(
            "CongestionWindow",
            Callback<void, uint32_t, uint32_t>(
                [&flow](uint32_t /* before */, uint32_t now) { flow.cwnd = now; }));
        flow.source->TraceConnectWithoutContext(
            "RTT",
            Callback<void, Time, Time>(
                [&flow](Time /* before */, Time now) { flow.rtt = now.GetSeconds(); }));
    }
    else
    {
        flow.source = CreateObject<UdpSource>();
        flow.sink = CreateObject<UdpSink>();
        flow.source->SetAttribute("PacketSize", UintegerValue(m_request.packetSize));
        flow.source->SetAttribute("SendRate", DataRateValue(m_request.udpRate));
    }
    flow.source->SetAttribute("Remote", AddressValue(remote));
    flow.sink->SetAttribute("Port", UintegerValue(port));
    flow.source->SetStartTime(flow.start);
    if (flow.stop.IsStrictlyPositive())
    {
        flow.source->SetStopTime(std::max(flow.start, flow.stop));
    }
    m_topology->GetSenders().Get(from)->AddApplication(flow.source);
    m_topology->GetReceivers().Get(to)->AddApplication(flow.sink);
}

void
Run::Schedule()
{
    for (const auto& [time, rate] : m_request.changes)
    {
        Simulator::Schedule(time, [this, rate = rate] {
            for (const auto& [from, to] : m_topology->GetBottlenecks())
            {
                from->SetAttributeFailSafe("DataRate", DataRateValue(rate));
                to->SetAttributeFailSafe("DataRate", DataRateValue(rate));
            }
        });
    }
    Simulator::Schedule(m_request.statsFrom, [this] {
        m_monitors.front()->Begin();
        for (auto& flow : m_flows)
        {
            flow.windowBytes = flow.GetDelivered();
        }
    });
    Simulator::Schedule(m_request.statsTo, [this] {
        m_means = m_monitors.front()->Take();
        for (auto& flow : m_flows)
        {
            flow.windowBytes = flow.GetDelivered() - flow.windowBytes;
        }
    });
    m_scenario.EachInterval([this](Time end, Time interval) { Sample(end, interval); });
}

void
Run::Sample(Time end, Time interval)
{
    auto& recorder = m_scenario.GetRecorder();
    double rates[2] = {0, 0};
    uint32_t running[2] = {0, 0};
    for (uint32_t i = 0; i < m_flows.size(); ++i)
    {
        auto& flow = m_flows[i];
        const auto bytes = flow.GetDelivered();
        const double rate =
            8.0 * static_cast<double>(bytes - std::exchange(flow.sampledBytes, bytes)) /
            interval.GetSeconds();
        rates[flow.isXcp ? 0 : 1] += rate;
        running[flow.isXcp ? 0 : 1] += flow.IsRunning(end) ? 1 : 0;
        recorder.Sample(end, i, "goodput_bps", rate);
        if (flow.cwnd > 0)
        {
            recorder.Sample(end, i, "cwnd_bytes", flow.cwnd);
            recorder.Sample(end, i, "rtt_s", flow.rtt);
        }
    }
    recorder.Sample(end, -1, "xcp_rate_bps", rates[0]);
    recorder.Sample(end, -1, "tcp_rate_bps", rates[1]);
    recorder.Sample(end, -1, "xcp_flows_exact", running[0]);
    recorder.Sample(end, -1, "tcp_flows_exact", running[1]);
    XcpPortMonitor::Losses losses;
    for (const auto& monitor : m_monitors)
    {
        losses += monitor->GetLosses(true);
        losses += monitor->GetLosses(false);
    }
    const auto before = std::exchange(m_sampledLosses, losses);
    recorder.Sample(end, -1, "drops_tail", static_cast<double>(losses.tail - before.tail));
    recorder.Sample(end,
                    -1,
                    "drops_fairness",
                    static_cast<double>(losses.fairness - before.fairness));
    SamplePort(end);
}

void
Run::SamplePort(Time end)
{
    auto& recorder = m_scenario.GetRecorder();
    const auto& disc = m_discs.front();
    if (const auto port = DynamicCast<XcpPort>(disc))
    {
        recorder.Sample(end,
                        -1,
                        "persistent_queue_bytes",
                        port->GetController()->GetAccount().persistentQueue);
        recorder.Sample(end, -1, "control_interval_s", m_controlInterval.GetSeconds());
    }
    const auto fifo = DynamicCast<XcpQueueDisc>(disc);
    if (fifo && fifo->GetFairness())
    {
        const auto& account = fifo->GetFairness()->GetAccount();
        recorder.Sample(end, -1, "drop_probability", account.isApplied ? account.dropProbability : 0);
        recorder.Sample(end, -1, "xcp_flows_estimated", account.xcpFlows);
        recorder.Sample(end, -1, "tcp_flows_estimated", account.e2eFlows);
    }
    if (const auto wrr = DynamicCast<XcpTcpWrrQueueDisc>(disc))
    {
        recorder.Sample(end, -1, "xcp_weight", wrr->GetXcpWeight());
    }
}

void
Run::AddRows()
{
    using R = RunRecorder;
    uint64_t all = 0;
    for (const auto& flow : m_flows)
    {
        all += flow.windowBytes;
    }
    const double seconds = (m_request.statsTo - m_request.statsFrom).GetSeconds();
    for (uint32_t i = 0; i < m_flows.size(); ++i)
    {
        const auto& flow = m_flows[i];
        const auto bytes = static_cast<double>(flow.windowBytes);
        auto report = flow.source->GetReport();
        report.TakeReceiverSide(flow.sink->GetReport());
        if (flow.isXcp)
        {
            report.protocol = "xcp";
            report.variant = m_request.queueDisc == "xcp" ? m_request.mechanism : m_request.queueDisc;
        }
        else if (report.protocol == "tcp")
        {
            report.variant = m_request.tcp;
        }
        XcpPortMonitor::Losses losses;
        for (const auto& monitor : m_monitors)
        {
            losses += monitor->GetLosses(flow.isXcp);
        }
        m_scenario.GetRecorder().AddFlow(
            i,
            report,
            {{"share", R::Print(all > 0 ? bytes / static_cast<double>(all) : 0)},
             {"window_goodput_bps", R::Print(8 * bytes / seconds)},
             {"drops_tail", R::Print(losses.tail)},
             {"drops_fairness", R::Print(losses.fairness)},
             {"marks", R::Print(losses.marks)},
             {"mean_queue_packets", R::Print(m_means.queuePackets)},
             {"mean_queue_bytes", R::Print(m_means.queueBytes)},
             {"utilisation", R::Print(m_means.utilisation)},
             {"failure", report.failure}});
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    UseFastAllocator();
    Scenario scenario("xcp-tcp-fairness",
                      "XCP and TCP flows through XCP routers, with the XCP-TCP fairness mechanism "
                      "of Lopez Pacheco, Lefevre and Pham (2007), or through other queue discs.");
    Request request;
    scenario.OmitLinkFlags();
    scenario.OmitMessageLog();
    scenario.SetDefaultDuration(Seconds(120));
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    CheckTogether(scenario.GetFlags(), request, scenario.GetDuration());
    SetTcp(request);

    const auto dumbbell = CreateObject<DumbbellTopology>();
    dumbbell->SetAttribute("Pairs", UintegerValue(request.GetFlows()));
    dumbbell->SetAttribute("AccessRate", DataRateValue(request.accessRate));
    dumbbell->SetAttribute("Rtts", StringValue(values::PrintTimeList(request.rtt)));
    dumbbell->SetAttribute("Ipv6", BooleanValue(request.ipVersion == 6));
    scenario.GetPath().linkRate = request.bottleneckRate;
    scenario.BuildTopology(dumbbell);
    Run run(scenario, request);
    run.CheckTopology();
    run.InstallPorts();
    run.InstallFlows();
    run.Schedule();
    scenario.Run();
    run.AddRows();
    return scenario.Finish();
}
