// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-experiment.h"

#include "xcp-helper.h"
#include "xcp-routers.h"

#include "ns3/baseline-helper.h"
#include "ns3/lfn-random-streams.h"
#include "ns3/lfn-udp-endpoint.h"
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

constexpr uint16_t FIRST_PORT = 5000; //!< of the receivers

} // namespace

void
XcpExperiment::DeclareColumns(Scenario& scenario)
{
    const std::string own = "of the flow's class at the bottlenecks in the whole run";
    const std::string path = "of the first bottleneck in the window; the same in all rows";
    scenario.Column("share", "user bytes delivered in the window, over those of all flows");
    scenario.Column("window_goodput_bps", "user bits delivered in it, over its length [bit/s]");
    scenario.Column("drops_tail", "packets dropped, but not by the mechanism, " + own);
    scenario.Column("drops_fairness", "packets dropped by the mechanism, " + own);
    scenario.Column("marks", "packets marked instead of dropped, " + own);
    scenario.Column("mean_queue_packets", "mean queue " + path);
    scenario.Column("mean_queue_bytes", "the same in bytes [B]");
    scenario.Column("utilisation", "busy share " + path);
    scenario.Column("failure", "why, when completed is 0");

    scenario.Metric("goodput_bps", "user bits delivered in the interval, over its length [bit/s]");
    scenario.Metric("cwnd_bytes", "congestion window of XCP and TCP [B]");
    scenario.Metric("rtt_s", "last sample of the round-trip time of XCP and TCP [s]");
    scenario.Metric("xcp_rate_bps", "goodput of all flows of XCP (flow -1) [bit/s]");
    scenario.Metric("tcp_rate_bps", "goodput of all others (flow -1) [bit/s]");
    scenario.Metric("xcp_flows_exact", "flows of XCP between start and stop (flow -1)");
    scenario.Metric("tcp_flows_exact", "all others between start and stop (flow -1)");
    scenario.Metric("drops_tail", "packets dropped in the interval, as the column (flow -1)");
    scenario.Metric("drops_fairness", "packets dropped in the interval, as the column (flow -1)");
    const std::string each = " (flow -1: first bottleneck, -2: second, and so on)";
    scenario.Metric("window_queue_packets", "mean queue in the window, at its end" + each);
    scenario.Metric("window_utilisation", "busy share in the window, at its end" + each);
    scenario.Metric("queue_peak_packets",
                    "most packets that waited at once in the interval" + each);
    scenario.Metric("persistent_queue_bytes", "Q of XCP's controller [B]" + each);
    scenario.Metric("control_interval_s", "length of XCP's control interval [s]" + each);
    scenario.Metric("drop_probability",
                    "with which the mechanism drops or marks; 0 while it does not" + each);
    scenario.Metric("xcp_flows_estimated", "flows of XCP as the mechanism estimates" + each);
    scenario.Metric("tcp_flows_estimated", "all others as it estimates" + each);
    scenario.Metric("xcp_weight", "XCP's part of the link with wrr" + each);
}

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
      m_flags(scenario.GetFlags()),
      m_settings(settings),
      m_topology(scenario.GetTopology())
{
}

void
XcpExperiment::Install()
{
    CheckTopology();
    auto laterRate = m_scenario.GetLinks().GetHighestRate();
    for (const auto& change : m_settings.changes)
    {
        laterRate = std::max(laterRate, change.rate);
    }
    m_discs = XcpRouters(m_flags, m_settings, m_topology, laterRate).Install();
    Watch();
    InstallFlows();
    Schedule();
}

void
XcpExperiment::CheckTopology() const
{
    uint32_t mtu = UINT16_MAX;
    for (const auto& [from, to] : m_topology->GetBottlenecks())
    {
        mtu = std::min<uint32_t>(mtu, from->GetMtu());
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
    const auto largest = XcpHelper::GetSegmentSize(mtu, m_topology->UsesIpv6());
    if (m_flags.Get<UintegerValue>("packetSize") > largest)
    {
        m_flags.Refuse("packetSize",
                       "give " + std::to_string(largest) + " at most, or a larger MTU than " +
                           std::to_string(mtu) + ": packets must fit with all headers");
    }
}

void
XcpExperiment::Watch()
{
    const auto devices = XcpRouters::ListDevices(*m_topology);
    for (std::size_t i = 0; i < m_discs.size(); ++i)
    {
        m_monitors.push_back(std::make_unique<XcpPortMonitor>(devices[i], m_discs[i]));
    }
    m_controlIntervals.resize(m_discs.size());
    for (std::size_t i = 0; i < m_discs.size(); ++i)
    {
        m_discs[i]->TraceConnectWithoutContext(
            "ControlInterval",
            Callback<void, Time, Time>(
                [this, i](Time /* before */, Time now) { m_controlIntervals[i] = now; }));
    }
}

void
XcpExperiment::InstallFlows()
{
    XcpHelper::Install(m_topology->GetSenders());
    XcpHelper::Install(m_topology->GetReceivers());
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
            late->SetStream(RandomStreams::Flow(i));
            flow.start = starts[number % starts.size()] + m_settings.startSpread * late->GetValue();
            flow.stop = stops[number % stops.size()];
        }
        else
        {
            flow.start = m_settings.udpStart;
        }
        const Time begin = m_scenario.GetStart();
        flow.start += begin;
        flow.stop += flow.stop.IsStrictlyPositive() ? begin : Time(0);
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
    const auto remote = UdpEndpoint::WithPort(m_topology->GetReceiverEnd(to), port);
    const bool isUdp = index >= m_settings.xcpFlows + m_settings.tcpFlows;
    BaselineHelper helper(isUdp ? "Udp" : "Tcp");
    if (flow.isXcp)
    {
        const TypeIdValue factory(XcpSocketFactory::GetTypeId());
        helper.SetAttribute("SocketFactory", factory);
    }
    const auto transfer = helper.Install(m_topology->GetSenders().Get(from),
                                         m_topology->GetReceivers().Get(to),
                                         remote);
    flow.source = transfer.source;
    flow.sink = transfer.sink;
    if (!isUdp)
    {
        flow.source->TraceConnectWithoutContext(
            "CongestionWindow",
            Callback<void, uint32_t, uint32_t>(
                [&flow](uint32_t /* before */, uint32_t now) { flow.cwnd = now; }));
        flow.source->TraceConnectWithoutContext(
            "RTT",
            Callback<void, Time, Time>(
                [&flow](Time /* before */, Time now) { flow.rtt = now.GetSeconds(); }));
    }
    m_scenario.GetMonitoring().Watch(index, flow.source->GetNode(), flow.sink->GetNode(), port);
    flow.source->SetStartTime(flow.start);
    if (flow.stop.IsStrictlyPositive())
    {
        flow.source->SetStopTime(std::max(flow.start, flow.stop));
    }
}

void
XcpExperiment::Schedule()
{
    for (const auto& change : m_settings.changes)
    {
        m_flags.RefuseIf("rateChange", m_scenario.GetLinks().Add(change));
    }
    Simulator::Schedule(m_settings.statsFrom, [this] {
        for (const auto& monitor : m_monitors)
        {
            monitor->Begin();
        }
        for (auto& flow : m_flows)
        {
            flow.windowBytes = flow.GetDelivered();
        }
    });
    Simulator::Schedule(m_settings.statsTo, [this] {
        for (std::size_t i = 0; i < m_monitors.size(); ++i)
        {
            const auto means = m_monitors[i]->Take();
            SampleBottleneck(m_settings.statsTo, i, "window_queue_packets", means.queuePackets);
            if (means.isReported)
            {
                SampleBottleneck(m_settings.statsTo, i, "window_utilisation", means.utilisation);
            }
            m_means = i == 0 ? means : m_means;
        }
        for (auto& flow : m_flows)
        {
            flow.windowBytes = flow.GetDelivered() - flow.windowBytes;
        }
    });
    m_scenario.GetSeries().EachInterval([this](Time end, Time interval) { Sample(end, interval); });
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
    SamplePath(end, rates, running);
}

void
XcpExperiment::SamplePath(Time end, const double (&rates)[2], const uint32_t (&running)[2])
{
    const auto sample = [this, end](const char* metric, double value) {
        m_scenario.GetRecorder().Sample(end, -1, metric, value);
    };
    sample("xcp_rate_bps", rates[0]);
    sample("tcp_rate_bps", rates[1]);
    sample("xcp_flows_exact", running[0]);
    sample("tcp_flows_exact", running[1]);
    XcpPortMonitor::Losses losses;
    for (const auto& monitor : m_monitors)
    {
        losses += monitor->GetLosses(true);
        losses += monitor->GetLosses(false);
    }
    const auto before = std::exchange(m_sampledLosses, losses);
    sample("drops_tail", static_cast<double>(losses.tail - before.tail));
    sample("drops_fairness", static_cast<double>(losses.fairness - before.fairness));
    for (std::size_t i = 0; i < m_discs.size(); ++i)
    {
        SampleDisc(end, i);
    }
}

void
XcpExperiment::SampleBottleneck(Time end, std::size_t bottleneck, const char* metric, double value)
{
    m_scenario.GetRecorder().Sample(end, -1 - static_cast<int>(bottleneck), metric, value);
}

void
XcpExperiment::SampleDisc(Time end, std::size_t bottleneck)
{
    const auto sample = [this, end, bottleneck](const char* metric, double value) {
        SampleBottleneck(end, bottleneck, metric, value);
    };
    sample("queue_peak_packets", m_monitors[bottleneck]->TakePeak());
    const auto& disc = m_discs[bottleneck];
    if (const auto port = DynamicCast<XcpPort>(disc))
    {
        sample("persistent_queue_bytes", port->GetController()->GetAccount().persistentQueue);
        sample("control_interval_s", m_controlIntervals[bottleneck].GetSeconds());
    }
    const auto fifo = DynamicCast<XcpQueueDisc>(disc);
    if (fifo && fifo->GetFairness())
    {
        const auto& account = fifo->GetFairness()->GetAccount();
        sample("drop_probability", account.isApplied ? account.dropProbability : 0);
        sample("xcp_flows_estimated", account.xcpFlows);
        sample("tcp_flows_estimated", account.e2eFlows);
    }
    if (const auto wrr = DynamicCast<XcpTcpWrrQueueDisc>(disc))
    {
        sample("xcp_weight", wrr->GetXcpWeight());
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
        report.MergeReceiver(flow.sink->GetReport());
        if (flow.isXcp)
        {
            report.protocol = "xcp";
            report.variant =
                m_settings.queueDisc == "xcp" ? m_settings.mechanism : m_settings.queueDisc;
        }
        else if (report.protocol == "tcp")
        {
            report.variant = m_flags.GetText("tcp");
        }
        UintegerValue size;
        flow.source->GetAttribute("Bytes", size);
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
             {"utilisation", m_means.isReported ? R::Print(m_means.utilisation) : ""},
             {"failure", report.failure}},
            size.Get() == 0);
    }
}

} // namespace ns3::lfn
