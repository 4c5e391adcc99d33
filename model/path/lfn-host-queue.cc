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
    m_getWork = GetWork();
    m_deliver = Deliver();
    m_cost = nullptr;
    Object::DoDispose();
}

void
HostQueue::SetCost(Ptr<const HostCost> cost)
{
    NS_LOG_FUNCTION(this << cost);
    m_cost = cost;
    m_storage = cost ? cost->MakeStorage() : StorageCore();
}

void
HostQueue::SetWork(GetWork getWork)
{
    NS_LOG_FUNCTION(this);
    m_getWork = getWork;
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
    m_finish += m_isWriting ? Time(0) : interrupt; // the processor is free while the disk is not
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

std::optional<Time>
HostQueue::GetLastWrite() const
{
    return m_storage.GetLastWrite();
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
    m_isWriting = false;
    if (!m_getWork.IsNull())
    {
        m_work = m_getWork(m_served.packet);
    }
    else
    {
        m_work = m_cost ? m_cost->GetWork(m_served.packet->GetSize()) : HostWork();
    }
    m_finish = begin + m_work.time;
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
    if (now >= m_finish && !m_isWriting)
    {
        m_isWriting = true;
        m_finish = m_storage.Write(now, m_work.storedBytes, m_work.offset);
    }
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
