// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-object-stream.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RbudpObjectStream");
NS_OBJECT_ENSURE_REGISTERED(RbudpObjectStream);

TypeId
RbudpObjectStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::RbudpObjectStream")
            .SetParent<Application>()
            .SetGroupName("Lfn")
            .AddConstructor<RbudpObjectStream>()
            .AddAttribute("ObjectSize",
                          "S_obj, size of an object, B (section 4.3).",
                          UintegerValue(1'440'000),
                          MakeUintegerAccessor(&RbudpObjectStream::m_objectSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ObjectRate",
                          "B_obj, objects that become available in a second (section 4.3).",
                          DoubleValue(20),
                          MakeDoubleAccessor(&RbudpObjectStream::m_objectRate),
                          MakeDoubleChecker<double>(1e-3, 1e6))
            .AddAttribute("MaxDelay",
                          "D, the delay that gathering objects may add (section 4.3).",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&RbudpObjectStream::m_maxDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Sender",
                          "The RbudpSender that carries the blocks; its Bytes must be 0.",
                          PointerValue(),
                          MakePointerAccessor(&RbudpObjectStream::m_sender),
                          MakePointerChecker<RbudpSender>())
            .AddTraceSource("BlockDelivered",
                            "A block has arrived at the receiver in full.",
                            MakeTraceSourceAccessor(&RbudpObjectStream::m_blockTrace),
                            "ns3::lfn::RbudpObjectStream::BlockTracedCallback");
    return tid;
}

RbudpObjectStream::RbudpObjectStream() = default;

uint64_t
RbudpObjectStream::GetObjectsPerBlock(double objectRate, Time maxDelay)
{
    // The product of two decimal fractions may fall just short of a whole number.
    const double objects = std::floor(objectRate * maxDelay.GetSeconds() * (1 + 1e-9));
    return objects < 1 ? 1 : static_cast<uint64_t>(std::min(objects, 1e12));
}

uint64_t
RbudpObjectStream::GetObjectsOffered() const
{
    return m_offered;
}

uint64_t
RbudpObjectStream::GetObjectsDelivered() const
{
    return m_delivered;
}

Time
RbudpObjectStream::GetMaxLatency() const
{
    return m_maxLatency;
}

void
RbudpObjectStream::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_begin = Simulator::Now();
    m_objectsPerBlock = GetObjectsPerBlock(m_objectRate, m_maxDelay);
    NS_LOG_INFO("blocks of " << m_objectsPerBlock << " objects of " << m_objectSize << " B");
    m_event = Simulator::Schedule(GetAvailable(m_objectsPerBlock - 1) - m_begin,
                                  &RbudpObjectStream::OfferBlock,
                                  this);
}

void
RbudpObjectStream::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    if (!m_sender)
    {
        return;
    }
    uint64_t rest = 0;
    while (rest < m_objectsPerBlock && GetAvailable(m_offered + rest) <= Simulator::Now())
    {
        rest++;
    }
    if (rest > 0 && m_sender->SendPayload(rest * m_objectSize))
    {
        m_offered += rest;
    }
    m_sender->Finish();
}

void
RbudpObjectStream::OfferBlock()
{
    NS_LOG_FUNCTION(this);
    if (!m_sender || !m_sender->SendPayload(m_objectsPerBlock * m_objectSize))
    {
        NS_LOG_LOGIC("no more blocks: the sender takes none after " << m_offered << " objects");
        return; // the transfer has ended
    }
    m_offered += m_objectsPerBlock;
    m_event =
        Simulator::Schedule(GetAvailable(m_offered + m_objectsPerBlock - 1) - Simulator::Now(),
                            &RbudpObjectStream::OfferBlock,
                            this);
}

Time
RbudpObjectStream::GetAvailable(uint64_t object) const
{
    return m_begin + Seconds(static_cast<double>(object + 1) / m_objectRate);
}

void
RbudpObjectStream::NotifyReceived(uint64_t index, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << index << bytes);
    const uint64_t objects = bytes / m_objectSize;
    const Time latency = Simulator::Now() - GetAvailable(index * m_objectsPerBlock);
    NS_LOG_DEBUG("block " << index << " of " << objects << " objects took "
                          << latency.As(Time::MS));
    m_delivered += objects;
    m_maxLatency = std::max(m_maxLatency, latency);
    m_blockTrace(index, objects, latency);
}

void
RbudpObjectStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_sender = nullptr;
    Application::DoDispose();
}

} // namespace ns3::lfn
