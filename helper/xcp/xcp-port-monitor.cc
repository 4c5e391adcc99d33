// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-port-monitor.h"

#include "ns3/lfn-reported-link.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-l4-protocol.h"
#include "ns3/xcp-packet-view.h"
#include "ns3/xcp-queue-disc.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace ns3::lfn
{

XcpPortMonitor::Losses&
XcpPortMonitor::Losses::operator+=(const Losses& other)
{
    tail += other.tail;
    fairness += other.fairness;
    marks += other.marks;
    return *this;
}

XcpPortMonitor::XcpPortMonitor(Ptr<NetDevice> device, Ptr<QueueDisc> disc)
    : m_disc(disc),
      m_path(device),
      // Other discs have no number: that of hosts as they are made now.
      m_protocol(static_cast<uint8_t>(CreateObject<XcpL4Protocol>()->GetProtocolNumber()))
{
    UintegerValue protocol;
    if (disc && disc->GetAttributeFailSafe("ProtocolNumber", protocol))
    {
        m_protocol = static_cast<uint8_t>(protocol.Get());
    }
    m_begin = m_since = Simulator::Now();
    m_queue = ReportedLink::GetQueue(device);
    if (m_queue)
    {
        m_inQueue = {m_queue->GetNPackets(), m_queue->GetNBytes()};
        // Whichever of its counts changes last.
        m_queue->TraceConnectWithoutContext("PacketsInQueue",
                                            MakeCallback(&XcpPortMonitor::OnQueue, this));
    }
    if (disc)
    {
        m_inDisc = {disc->GetNPackets(), disc->GetNBytes()};
        // Likewise: a disc's counts change in the other order.
        disc->TraceConnectWithoutContext("BytesInQueue",
                                         MakeCallback(&XcpPortMonitor::OnDisc, this));
        const auto drop = MakeCallback(&XcpPortMonitor::OnDrop, this);
        disc->TraceConnectWithoutContext("DropBeforeEnqueue", drop);
        disc->TraceConnectWithoutContext("DropAfterDequeue", drop);
        disc->TraceConnectWithoutContext("Mark", MakeCallback(&XcpPortMonitor::OnMark, this));
    }
    m_peak = m_inQueue.packets + m_inDisc.packets;
}

const XcpPortMonitor::Losses&
XcpPortMonitor::GetLosses(bool isXcp) const
{
    return isXcp ? m_xcp : m_e2e;
}

uint32_t
XcpPortMonitor::TakePeak()
{
    return std::exchange(m_peak, m_inQueue.packets + m_inDisc.packets);
}

void
XcpPortMonitor::Begin()
{
    m_path.TakeUtilisation();
    m_begin = m_since = Simulator::Now();
    m_packetSeconds = m_byteSeconds = 0;
}

XcpPortMonitor::Means
XcpPortMonitor::Take()
{
    Settle();
    const double seconds = (Simulator::Now() - m_begin).GetSeconds();
    Means means;
    if (seconds > 0)
    {
        means.queuePackets = m_packetSeconds / seconds;
        means.queueBytes = m_byteSeconds / seconds;
        const auto busy = m_path.TakeUtilisation();
        means.utilisation = busy.value_or(0);
        means.isReported = busy.has_value();
    }
    Begin();
    return means;
}

void
XcpPortMonitor::Settle()
{
    const Time now = Simulator::Now();
    const double seconds = (now - m_since).GetSeconds();
    m_packetSeconds += (m_inQueue.packets + m_inDisc.packets) * seconds;
    m_byteSeconds += (m_inQueue.bytes + m_inDisc.bytes) * seconds;
    m_since = now;
}

void
XcpPortMonitor::Change(Waiting& part, Waiting now)
{
    Settle();
    part = now;
    m_peak = std::max(m_peak, m_inQueue.packets + m_inDisc.packets);
}

void
XcpPortMonitor::OnQueue(uint32_t /* before */, uint32_t now)
{
    Change(m_inQueue, {now, m_queue->GetNBytes()});
}

void
XcpPortMonitor::OnDisc(uint32_t /* before */, uint32_t now)
{
    Change(m_inDisc, {m_disc->GetNPackets(), now});
}

void
XcpPortMonitor::OnDrop(Ptr<const QueueDiscItem> item, const char* reason)
{
    Losses& losses = XcpPacketView::IsXcp(*item, m_protocol) ? m_xcp : m_e2e;
    (std::string_view(reason) == XcpQueueDisc::FAIRNESS_DROP ? losses.fairness : losses.tail)++;
}

void
XcpPortMonitor::OnMark(Ptr<const QueueDiscItem> item, const char* /* reason */)
{
    (XcpPacketView::IsXcp(*item, m_protocol) ? m_xcp : m_e2e).marks++;
}

} // namespace ns3::lfn
