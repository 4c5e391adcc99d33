// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-experiment.h"

#include "xcp-helper.h"

#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-queue-disc.h"
#include "ns3/xcp-socket-factory.h"
#include "ns3/xcp-tcp-wrr-queue-disc.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

constexpr uint16_t FIRST_PORT = 5000;         //!< of the receivers
constexpr uint32_t LEAST_BUFFER = 256 * 1024; //!< of a socket, [B]
constexpr double RENO_VARIATION = 0.165;      //!< squared, relative, of TCP's rate
constexpr double ALL_BUFFERS = 1e9;           //!< of all sockets that send, about, [B]
constexpr double MAX_BUFFER = 1 << 30;        //!< that TCP's window scaling can tell, [B]

/**
 * @brief Get the rate of a device.
 * @param device the device
 * @return the rate, [bit/s]; 0 when it does not tell.
 */
double
GetRate(Ptr<NetDevice> device)
{
    DataRateValue rate;
    return device->GetAttributeFailSafe("DataRate", rate)
               ? static_cast<double>(rate.Get().GetBitRate())
               : 0;
}

/**
 * @brief Get the device at the other end of a link.
 * @param device the one at this end
 * @return the device; null when there are none or several.
 */
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

} // namespace

const std::vector<std::string> XcpExperiment::COLUMNS = {"share",
                                                         "window_goodput_bps",
                                                         "drops_tail",
                                                         "drops_fairness",
                                                         "marks",
                                                         "mean_queue_packets",
                                                         "mean_queue_bytes",
                                                         "utilisation",
                                                         "failure"};

uint64_t
XcpExperiment::Flow::GetDelivered() const
{
    return sink->GetReport().deliveredBytes;
}

bool
XcpExperiment::Flow::IsRunning(Time now) const
{
    return start <= now && (stop.IsZero() || now < stop);
}

XcpExperiment::XcpExperiment(Scenario& scenario, const XcpExperimentSettings& settings)
    : m_scenario(scenario),
      m_settings(settings),
      m_topology(scenario.GetTopology())
{
}

void
XcpExperiment::Install()
{
    CheckTopology();
    InstallPorts();
    if (m_settings.xcpAccess)
    {
        InstallAccessPorts();
    }
    InstallFlows();
    Schedule();
}

void
XcpExperiment::CheckTopology() const
{
    const auto& flags = m_scenario.GetFlags();
    if (m_topology->GetBottlenecks().empty())
    {
        flags.Refuse("topology", "this topology names no bottleneck");
    }
    const bool isIpv6 = m_settings.ipVersion == 6;
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
    if (m_settings.packetSize > largest)
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
XcpExperiment::GetLongestRtt() const
{
    Time longest;
    for (uint32_t i = 0; i < m_topology->GetReceivers().GetN(); ++i)
    {
        longest = std::max(longest, m_topology->GetRtt(i));
    }
    return longest;
}

uint32_t
XcpExperiment::GetWireSize() const
{
    return m_settings.packetSize + (m_settings.ipVersion == 6 ? 60 : 40);
}

QueueSize
XcpExperiment::GetBuffer(double rate) const
{
    if (m_settings.hasQueue)
    {
        return m_settings.queue;
    }
    const double bytes = m_settings.bufferBdp * rate / 8 * GetLongestRtt().GetSeconds();
    return {QueueSizeUnit::PACKETS,
            static_cast<uint32_t>(std::clamp(bytes / GetWireSize(), 1.0, 1e9))};
}

uint32_t
XcpExperiment::GetSocketBuffer() const
{
    double rate = 0;
    double queued = 0;
    for (const auto& [from, to] : m_topology->GetBottlenecks())
    {
        rate = std::max(rate, GetRate(from));
        const auto buffer = GetBuffer(GetRate(from));
        queued += buffer.GetUnit() == QueueSizeUnit::BYTES
                      ? buffer.GetValue()
                      : 1.0 * buffer.GetValue() * GetWireSize();
    }
    for (const auto& [time, changed] : m_settings.changes)
    {
        rate = std::max(rate, static_cast<double>(changed.GetBitRate()));
    }
    // The largest window before the first loss is twice what the path holds.
    const double wanted = 4 * (rate / 8 * GetLongestRtt().GetSeconds() + queued);
    const double most = std::min(MAX_BUFFER, ALL_BUFFERS / m_settings.GetFlows());
    return static_cast<uint32_t>(std::max<double>(std::min(wanted, most), LEAST_BUFFER));
}

Ptr<XcpTcpFairness>
XcpExperiment::MakeFairness() const
{
    const std::string prefix = "ns3::lfn::Xcp";
    const std::string estimator = m_settings.estimator == "sred"    ? "SredEstimator"
                                  : m_settings.estimator == "bloom" ? "BloomEstimator"
                                                                    : "ExactEstimator";
    const bool isAdaptive = m_settings.mechanism == "adaptive";
    ObjectFactory counts(prefix + estimator);
    if (isAdaptive && m_settings.estimator == "sred")
    {
        // Its brake needs a count before the tables are full.
        counts.Set("CompareWhileFilling", BooleanValue(true));
        counts.Set("RateVariation", DoubleValue(RENO_VARIATION));
    }
    const auto law =
        ObjectFactory(prefix + (isAdaptive ? "AdaptiveDropLaw" : "MultiplicativeDropLaw"))
            .Create<XcpDropLaw>();
    if (m_settings.mechanism == "gated")
    {
        law->SetAttribute("Gated", BooleanValue(true));
    }
    auto fairness = CreateObject<XcpTcpFairness>();
    fairness->SetAttribute("InspectProbability", DoubleValue(m_settings.inspectProbability));
    fairness->SetAttribute("XcpEstimator", PointerValue(counts.Create<Object>()));
    fairness->SetAttribute("E2eEstimator", PointerValue(counts.Create<Object>()));
    fairness->SetAttribute("DropLaw", PointerValue(law));
    return fairness;
}

void
XcpExperiment::InstallPorts()
{
    XcpHelper helper;
    helper.SetQueueDisc(m_settings.disc);
    for (const auto& [from, to] : m_topology->GetBottlenecks())
    {
        const auto disc = helper.InstallPort(from);
        if (!disc)
        {
            m_scenario.GetFlags().Refuse("topology", "a router has no traffic control layer");
        }
        if (!m_settings.isSized)
        {
            disc->SetAttributeFailSafe("MaxSize", QueueSizeValue(GetBuffer(GetRate(from))));
        }
        if (m_settings.ecn)
        {
            disc->SetAttributeFailSafe("UseEcn", BooleanValue(true));
            disc->SetAttributeFailSafe("Mark", BooleanValue(true));
        }
        if (m_settings.HasMechanism())
        {
            disc->SetAttribute("Fairness", PointerValue(MakeFairness()));
        }
        XcpHelper::AssignStreams(NetDeviceContainer(from),
                                 Scenario::PortStream(static_cast<uint32_t>(m_discs.size())));
        m_discs.push_back(disc);
        m_monitors.push_back(std::make_unique<XcpPortMonitor>(from, disc));
    }
    m_discs.front()->TraceConnectWithoutContext(
        "ControlInterval",
        Callback<void, Time, Time>(
            [this](Time /* before */, Time now) { m_controlInterval = now; }));
}

void
XcpExperiment::InstallAccessPorts()
{
    const auto& bottlenecks = m_topology->GetBottlenecks();
    XcpHelper helper;
    helper.SetQueueDiscAttribute("MaxSize", QueueSizeValue(QueueSize("10000p")));
    int64_t stream = ACCESS_STREAM;
    for (const bool isSender : {true, false})
    {
        const auto hosts = isSender ? m_topology->GetSenders() : m_topology->GetReceivers();
        for (auto host = hosts.Begin(); host != hosts.End(); ++host)
        {
            for (uint32_t i = 0; i < (*host)->GetNDevices(); ++i)
            {
                const auto own = (*host)->GetDevice(i);
                const auto device = isSender ? own : GetPeer(own);
                const auto isBottleneck = std::ranges::any_of(bottlenecks, [&](const auto& link) {
                    return link.first == device;
                });
                if (device && GetRate(device) > 0 && !isBottleneck)
                {
                    helper.InstallPort(device);
                    stream += XcpHelper::AssignStreams(NetDeviceContainer(device), stream);
                }
            }
        }
    }
}

void
XcpExperiment::InstallFlows()
{
    XcpHelper::InstallHosts(m_topology->GetSenders());
    XcpHelper::InstallHosts(m_topology->GetReceivers());
    m_flows.resize(m_settings.GetFlows());
    for (uint32_t i = 0; i < m_flows.size(); ++i)
    {
        auto& flow = m_flows[i];
        flow.isXcp = i < m_settings.xcpFlows;
        if (i < m_settings.xcpFlows + m_settings.tcpFlows)
        {
            const auto number = flow.isXcp ? i : i - m_settings.xcpFlows;
            const auto& starts = flow.isXcp ? m_settings.xcpStart : m_settings.tcpStart;
            const auto& stops = flow.isXcp ? m_settings.xcpStop : m_settings.tcpStop;
            const auto late = CreateObject<UniformRandomVariable>();
            late->SetStream(Scenario::FlowStream(i));
            flow.start = starts[number % starts.size()] + m_settings.startSpread * late->GetValue();
            flow.stop = stops[number % stops.size()];
        }
        else
        {
            flow.start = m_settings.udpStart;
        }
        InstallFlow(i, flow);
    }
}

void
XcpExperiment::InstallFlow(uint32_t index, Flow& flow)
{
    const auto from = index % m_topology->GetSenders().GetN();
    const auto to = index % m_topology->GetReceivers().GetN();
    m_scenario.CheckPair(from, to);
    const auto port = static_cast<uint16_t>(FIRST_PORT + index);
    const Address remote =
        m_settings.ipVersion == 6
            ? Address(Inet6SocketAddress(m_topology->GetReceiverIpv6Address(to), port))
            : Address(InetSocketAddress(m_topology->GetReceiverAddress(to), port));
    if (index < m_settings.xcpFlows + m_settings.tcpFlows)
    {
        flow.source = CreateObject<TcpSource>();
        flow.sink = CreateObject<TcpSink>();
        flow.source->SetAttribute("SegmentSize", UintegerValue(m_settings.packetSize));
        flow.source->SetAttribute("SndBufSize", UintegerValue(GetSocketBuffer()));
        flow.source->SetAttribute("ForgetMarks", BooleanValue(!m_settings.stockReno));
        flow.sink->SetAttribute("RcvBufSize",
                                UintegerValue(m_settings.receiveBuffer > 0
                                                  ? m_settings.receiveBuffer
                                                  : GetSocketBuffer()));
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
        flow.source->SetAttribute("PacketSize", UintegerValue(m_settings.packetSize));
        flow.source->SetAttribute("SendRate", DataRateValue(m_settings.udpRate));
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
XcpExperiment::Schedule()
{
    for (const auto& [time, rate] : m_settings.changes)
    {
        Simulator::Schedule(time, [this, rate = rate] {
            for (const auto& [from, to] : m_topology->GetBottlenecks())
            {
                from->SetAttributeFailSafe("DataRate", DataRateValue(rate));
                to->SetAttributeFailSafe("DataRate", DataRateValue(rate));
            }
        });
    }
    Simulator::Schedule(m_settings.statsFrom, [this] {
        m_monitors.front()->Begin();
        for (auto& flow : m_flows)
        {
            flow.windowBytes = flow.GetDelivered();
        }
    });
    Simulator::Schedule(m_settings.statsTo, [this] {
        m_means = m_monitors.front()->Take();
        for (auto& flow : m_flows)
        {
            flow.windowBytes = flow.GetDelivered() - flow.windowBytes;
        }
    });
    m_scenario.EachInterval([this](Time end, Time interval) { Sample(end, interval); });
}

void
XcpExperiment::Sample(Time end, Time interval)
{
    auto& recorder = m_scenario.GetRecorder();
    double rates[2] = {0, 0};
    uint32_t running[2] = {0, 0};
    for (uint32_t i = 0; i < m_flows.size(); ++i)
    {
        auto& flow = m_flows[i];
        const auto bytes = flow.GetDelivered();
        const double rate = 8.0 *
                            static_cast<double>(bytes - std::exchange(flow.sampledBytes, bytes)) /
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
XcpExperiment::SamplePort(Time end)
{
    auto& recorder = m_scenario.GetRecorder();
    const auto& disc = m_discs.front();
    recorder.Sample(end, -1, "queue_peak_packets", m_monitors.front()->TakePeak());
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
        recorder.Sample(end,
                        -1,
                        "drop_probability",
                        account.isApplied ? account.dropProbability : 0);
        recorder.Sample(end, -1, "xcp_flows_estimated", account.xcpFlows);
        recorder.Sample(end, -1, "tcp_flows_estimated", account.e2eFlows);
    }
    if (const auto wrr = DynamicCast<XcpTcpWrrQueueDisc>(disc))
    {
        recorder.Sample(end, -1, "xcp_weight", wrr->GetXcpWeight());
    }
}

void
XcpExperiment::AddRows()
{
    using R = RunRecorder;
    uint64_t all = 0;
    for (const auto& flow : m_flows)
    {
        all += flow.windowBytes;
    }
    const double seconds = (m_settings.statsTo - m_settings.statsFrom).GetSeconds();
    for (uint32_t i = 0; i < m_flows.size(); ++i)
    {
        const auto& flow = m_flows[i];
        const auto bytes = static_cast<double>(flow.windowBytes);
        auto report = flow.source->GetReport();
        report.TakeReceiverSide(flow.sink->GetReport());
        if (flow.isXcp)
        {
            report.protocol = "xcp";
            report.variant =
                m_settings.queueDisc == "xcp" ? m_settings.mechanism : m_settings.queueDisc;
        }
        else if (report.protocol == "tcp")
        {
            report.variant = m_settings.tcp;
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

} // namespace ns3::lfn
