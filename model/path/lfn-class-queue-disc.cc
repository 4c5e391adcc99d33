// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-class-queue-disc.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iostream>
#include <limits>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("ClassQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(ClassQueueDisc);

TypeId
ClassQueueDisc::GetTypeId()
{
    constexpr uint32_t MOST_BURST = 2'000'000'000; // of a TokenBucket
    static TypeId tid =
        TypeId("ns3::lfn::ClassQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Lfn")
            .AddConstructor<ClassQueueDisc>()
            .AddAttribute("Classes",
                          "Classes as name:weight[:buffer][:cap], with commas between. A name is a "
                          "DSCP such as EF, a TOS byte such as 0x28, several of them with + "
                          "between, or rest for all other packets. Set it before the simulation "
                          "begins.",
                          TrafficClassesValue(),
                          MakeTrafficClassesAccessor(&ClassQueueDisc::m_classes),
                          MakeTrafficClassesChecker())
            .AddAttribute("MaxSize",
                          "Buffer that the classes without one of their own share by weights: each "
                          "has its weight over the sum of all weights, and at least one packet.",
                          QueueSizeValue(QueueSize("1000p")),
                          MakeQueueSizeAccessor(&QueueDisc::SetMaxSize, &QueueDisc::GetMaxSize),
                          MakeQueueSizeChecker())
            .AddAttribute("OverheadBytes",
                          "Bytes that the link adds to every IP packet, in shares and caps; 2 with "
                          "PPP.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ClassQueueDisc::m_overheadBytes),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("CapBurst",
                          "Bytes that a class may send at once beyond its cap after a pause; a "
                          "larger packet waits for as many tokens and owes the rest.",
                          UintegerValue(15000),
                          MakeUintegerAccessor(&ClassQueueDisc::m_capBurst),
                          MakeUintegerChecker<uint32_t>(1, MOST_BURST));
    return tid;
}

ClassQueueDisc::ClassQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::MULTIPLE_QUEUES)
{
    NS_LOG_FUNCTION(this);
}

const TrafficClasses&
ClassQueueDisc::GetClasses() const
{
    return m_classes;
}

ClassQueueDisc::Counts
ClassQueueDisc::GetCounts(std::size_t index) const
{
    return index < m_states.size() ? m_states[index].counts : Counts();
}

void
ClassQueueDisc::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_run.Cancel();
    QueueDisc::DoDispose();
}

bool
ClassQueueDisc::CheckConfig()
{
    const bool isAlone =
        GetNQueueDiscClasses() == 0 && GetNPacketFilters() == 0 && GetNInternalQueues() == 0;
    if (!isAlone)
    {
        // Where ns-3 has no assertions it goes on, which should not be in silence.
        std::clog << "ns3::lfn::ClassQueueDisc: add no queue disc classes, packet filters and "
                     "internal queues, it makes its own: set Classes"
                  << std::endl;
    }
    return isAlone;
}

void
ClassQueueDisc::InitializeParams()
{
    NS_LOG_FUNCTION(this);
    const auto& classes = m_classes.Get();
    double sum = 0;
    for (const auto& known : classes)
    {
        sum += known.weight;
    }
    m_scheduler = ClassSchedulerCore(classes.size());
    m_states.resize(classes.size());
    m_filled = Simulator::Now();
    const QueueSize whole = GetMaxSize();
    for (std::size_t i = 0; i < classes.size(); ++i)
    {
        const auto& known = classes[i];
        auto& state = m_states[i];
        m_scheduler.SetWeight(i, known.weight);
        const double share = std::round(known.weight / sum * whole.GetValue());
        state.buffer =
            known.buffer.value_or(QueueSize(whole.GetUnit(), static_cast<uint32_t>(share)));
        if (known.cap)
        {
            state.rate = known.cap->GetBitRate();
            m_hasCaps = true;
        }
        // The limits are kept here: an empty queue takes a packet of any size.
        const QueueSize boundless(state.buffer.GetUnit(), std::numeric_limits<uint32_t>::max());
        AddInternalQueue(
            CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>>("MaxSize",
                                                                     QueueSizeValue(boundless)));
        NS_LOG_INFO("class " << i << ", " << m_classes.GetName(i) << ": weight " << known.weight
                             << " of " << sum << ", buffer " << state.buffer << ", cap "
                             << known.cap.value_or(DataRate(0)));
    }
}

std::size_t
ClassQueueDisc::Classify(const QueueDiscItem& item) const
{
    uint8_t tos = 0;
    return item.GetUint8Value(QueueItem::IP_DSFIELD, tos) ? m_classes.Find(tos)
                                                          : m_classes.GetRest();
}

uint32_t
ClassQueueDisc::GetLinkBytes(const QueueDiscItem& item) const
{
    return item.GetSize() + m_overheadBytes;
}

bool
ClassQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    NS_LOG_FUNCTION(this << item);
    const std::size_t index = Classify(*item);
    const auto queue = GetInternalQueue(index);
    auto& state = m_states[index];
    if (!queue->IsEmpty() && queue->GetCurrentSize() + item > state.buffer)
    {
        NS_LOG_LOGIC("the buffer of class " << index << " is full: " << queue->GetCurrentSize()
                                            << " of " << state.buffer);
        ++state.counts.droppedPackets;
        DropBeforeEnqueue(item, BUFFER_FULL_DROP);
        return false;
    }
    m_waiting |= ClassSchedulerCore::ClassSet{1} << index;
    return queue->Enqueue(item);
}

void
ClassQueueDisc::FillBuckets()
{
    if (!m_hasCaps)
    {
        return;
    }
    const Time now = Simulator::Now();
    const auto passed = static_cast<uint64_t>((now - m_filled).GetNanoSeconds());
    m_filled = now;
    for (auto& state : m_states)
    {
        if (state.rate)
        {
            state.tokens.Fill(*state.rate, m_capBurst, passed);
        }
    }
}

Time
ClassQueueDisc::GetWait(std::size_t index) const
{
    const auto& state = m_states[index];
    if (!state.rate)
    {
        return Time();
    }
    const uint32_t bytes = GetLinkBytes(*GetInternalQueue(index)->Peek());
    return NanoSeconds(state.tokens.GetWait(*state.rate, std::min(bytes, m_capBurst)));
}

ClassSchedulerCore::ClassSet
ClassQueueDisc::GetReady() const
{
    auto ready = m_waiting;
    for (auto rest = m_hasCaps ? m_waiting : 0; rest != 0; rest &= rest - 1)
    {
        const auto index = static_cast<std::size_t>(std::countr_zero(rest));
        if (GetWait(index).IsStrictlyPositive())
        {
            ready &= ~(ClassSchedulerCore::ClassSet{1} << index);
        }
    }
    return ready;
}

void
ClassQueueDisc::ScheduleRun()
{
    // Only a root queue disc can send by itself.
    if (m_waiting == 0 || !GetSendCallback())
    {
        return;
    }
    Time wait = Time::Max();
    for (auto rest = m_waiting; rest != 0; rest &= rest - 1)
    {
        wait = std::min(wait, GetWait(static_cast<std::size_t>(std::countr_zero(rest))));
    }
    NS_LOG_LOGIC("all classes with packets have reached their caps: next in " << wait.As(Time::US));
    m_run.Cancel();
    m_run = Simulator::Schedule(wait, &QueueDisc::Run, this);
}

Ptr<QueueDiscItem>
ClassQueueDisc::DoDequeue()
{
    NS_LOG_FUNCTION(this);
    FillBuckets();
    const auto index = m_scheduler.Choose(GetReady());
    if (!index)
    {
        ScheduleRun();
        return nullptr;
    }
    const auto queue = GetInternalQueue(*index);
    Ptr<QueueDiscItem> item = queue->Dequeue();
    const uint32_t bytes = GetLinkBytes(*item);
    auto& state = m_states[*index];
    ++state.counts.sentPackets;
    state.counts.sentBytes += bytes;
    if (state.rate)
    {
        state.tokens.Take(bytes);
    }
    if (queue->IsEmpty())
    {
        m_waiting &= ~(ClassSchedulerCore::ClassSet{1} << *index);
    }
    m_scheduler.OnSent(*index, bytes, GetReady());
    NS_LOG_LOGIC("class " << *index << " sends " << bytes << " B, lead "
                          << m_scheduler.GetLead(*index) << " B");
    return item;
}

Ptr<const QueueDiscItem>
ClassQueueDisc::DoPeek()
{
    NS_LOG_FUNCTION(this);
    FillBuckets();
    const auto index = m_scheduler.Choose(GetReady());
    return index ? GetInternalQueue(*index)->Peek() : nullptr;
}

} // namespace ns3::lfn
