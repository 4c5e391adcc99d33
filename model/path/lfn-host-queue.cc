// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-host-queue.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("HostQueue");
NS_OBJECT_ENSURE_REGISTERED(HostQueue);

TypeId
HostQueue::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::HostQueue")
                            .SetParent<Object>()
                            .SetGroupName("Lfn")
                            .AddConstructor<HostQueue>();
    return tid;
}

HostQueue::~HostQueue()
{
    // The timer holds a bare pointer to this object.
    m_timer.Cancel();
}

void
HostQueue::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Clear();
    m_serviceTime = ServiceTime();
    m_deliver = Deliver();
    m_cost = nullptr;
    Object::DoDispose();
}

void
HostQueue::SetCost(Ptr<const HostCost> cost)
{
    NS_LOG_FUNCTION(this << cost);
    m_cost = cost;
}

void
HostQueue::SetServiceTime(ServiceTime serviceTime)
{
    NS_LOG_FUNCTION(this);
    m_serviceTime = serviceTime;
}

void
HostQueue::SetDeliver(Deliver deliver)
{
    NS_LOG_FUNCTION(this);
    m_deliver = deliver;
}

bool
HostQueue::Arrive(Ptr<Packet> packet, const Address& from)
{
    if (!m_cost)
    {
        if (!m_deliver.IsNull())
        {
            m_deliver(packet, from);
        }
        return true;
    }
    NS_LOG_FUNCTION(this << packet << from);
    const Time interrupt = m_cost->GetInterruptTime();
    if (IsIdle())
    {
        StartService({packet, from}, Simulator::Now() + interrupt);
        return true;
    }
    m_finish += interrupt;
    const uint64_t occupied = m_waitingBytes + packet->GetSize();
    if (occupied > m_cost->GetBufferSize())
    {
        NS_LOG_LOGIC("no room: " << m_waitingBytes << " B are waiting, the packet has "
                                 << packet->GetSize() << " B, BufferSize is "
                                 << m_cost->GetBufferSize() << " B");
        return false;
    }
    m_waitingBytes = occupied;
    m_waiting.push_back({packet, from});
    return true;
}

bool
HostQueue::IsIdle() const
{
    return !m_served.packet;
}

void
HostQueue::Clear()
{
    NS_LOG_FUNCTION(this);
    m_timer.Cancel();
    m_waiting.clear();
    m_waitingBytes = 0;
    m_served = Item();
}

uint64_t
HostQueue::GetWaitingBytes() const
{
    return m_waitingBytes;
}

size_t
HostQueue::GetWaitingPackets() const
{
    return m_waiting.size();
}

void
HostQueue::StartService(Item item, Time begin)
{
    m_served = std::move(item);
    m_finish = begin;
    if (!m_serviceTime.IsNull())
    {
        m_finish += m_serviceTime(m_served.packet);
    }
    else if (m_cost)
    {
        const uint32_t bytes = m_served.packet->GetSize();
        m_finish += m_cost->GetReadTime(bytes) + m_cost->GetMoveTime(bytes);
    }
    NS_LOG_DEBUG("the host reads a packet of " << m_served.packet->GetSize() << " B until "
                                               << m_finish.As(Time::S) << ", waiting packets "
                                               << m_waiting.size());
    m_timer = Simulator::Schedule(m_finish - Simulator::Now(), &HostQueue::OnTimer, this);
}

void
HostQueue::OnTimer()
{
    NS_LOG_FUNCTION(this);
    const Time now = Simulator::Now();
    if (now < m_finish)
    {
        m_timer = Simulator::Schedule(m_finish - now, &HostQueue::OnTimer, this);
        return;
    }
    const Item done = std::exchange(m_served, Item());
    // The next service begins before the delivery, which may call back into this queue.
    if (!m_waiting.empty())
    {
        Item next = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_waitingBytes -= next.packet->GetSize();
        StartService(std::move(next), now);
    }
    // A copy, since the taker may dispose of this queue.
    if (const Deliver deliver = m_deliver; !deliver.IsNull())
    {
        deliver(done.packet, done.from);
    }
}

} // namespace ns3::lfn
