// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-path-monitor.h"

#include "ns3/callback.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("PathMonitor");

PathMonitor::PathMonitor(Ptr<NetDevice> device)
    : m_device(device)
{
    NS_LOG_FUNCTION(this << device);
    m_queue = ReportedLink::GetQueue(device);
    m_tells =
        device->TraceConnectWithoutContext("PhyTxBegin", MakeCallback(&PathMonitor::Begin, this)) &&
        device->TraceConnectWithoutContext("PhyTxEnd", MakeCallback(&PathMonitor::End, this));
    m_begin = Simulator::Now();
}

std::optional<uint32_t>
PathMonitor::GetQueuePackets() const
{
    const auto control = m_device->GetNode()->GetObject<TrafficControlLayer>();
    const auto disc = control ? control->GetRootQueueDiscOnDevice(m_device) : nullptr;
    if (!disc && !m_queue)
    {
        return std::nullopt;
    }
    return (disc ? disc->GetNPackets() : 0) + (m_queue ? m_queue->GetNPackets() : 0);
}

std::optional<double>
PathMonitor::TakeUtilisation()
{
    const Time now = Simulator::Now();
    if (m_isBusy)
    {
        m_busy += now - m_since;
        m_since = now;
    }
    const Time length = now - m_begin;
    const Time busy = m_busy;
    NS_LOG_DEBUG("busy " << busy.As(Time::MS) << " of " << length.As(Time::MS));
    m_begin = now;
    m_busy = Time(0);
    if (!m_tells || !length.IsStrictlyPositive())
    {
        return std::nullopt;
    }
    return busy.GetDouble() / length.GetDouble();
}

void
PathMonitor::Begin(Ptr<const Packet> packet)
{
    (void)packet;
    m_isBusy = true;
    m_since = Simulator::Now();
}

void
PathMonitor::End(Ptr<const Packet> packet)
{
    (void)packet;
    if (m_isBusy)
    {
        m_busy += Simulator::Now() - m_since;
        m_isBusy = false;
    }
}

} // namespace ns3::lfn
