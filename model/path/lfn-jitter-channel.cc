// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-jitter-channel.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("JitterChannel");
NS_OBJECT_ENSURE_REGISTERED(JitterChannel);

namespace
{

/**
 * @brief Makes a second variable of the same distribution.
 * @param original the variable
 * @return the copy, or the variable itself where attributes do not describe it
 */
Ptr<RandomVariableStream>
CopyVariable(Ptr<RandomVariableStream> original)
{
    if (!original || DynamicCast<EmpiricalRandomVariable>(original) ||
        DynamicCast<DeterministicRandomVariable>(original))
    {
        return original;
    }
    const TypeId type = original->GetInstanceTypeId();
    if (!type.HasConstructor())
    {
        return original;
    }
    const auto copy = ObjectFactory(type.GetName()).Create<RandomVariableStream>();
    for (TypeId level = type; level != RandomVariableStream::GetTypeId(); level = level.GetParent())
    {
        for (std::size_t i = 0; i < level.GetAttributeN(); ++i)
        {
            const auto attribute = level.GetAttribute(i);
            const auto value = attribute.checker->Create();
            if (original->GetAttributeFailSafe(attribute.name, *value))
            {
                copy->SetAttributeFailSafe(attribute.name, *value);
            }
        }
    }
    copy->SetAntithetic(original->IsAntithetic());
    if (original->GetStream() >= 0)
    {
        copy->SetStream(original->GetStream() + 1);
    }
    return copy;
}

/**
 * @brief Draws an extra delay.
 * @param jitter the variable, [s]; null for none
 * @return the delay, at most ten years long: a distribution may have no end, but Time has
 */
Time
Draw(const Ptr<RandomVariableStream>& jitter)
{
    if (!jitter)
    {
        return Time(0);
    }
    const double limit = Days(3650).GetSeconds();
    return Seconds(std::clamp(jitter->GetValue(), -limit, limit));
}

} // namespace

TypeId
JitterChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::JitterChannel")
            .SetParent<PointToPointChannel>()
            .SetGroupName("Lfn")
            .AddConstructor<JitterChannel>()
            .AddAttribute("Jitter",
                          "Extra delay of a packet, in seconds, drawn for each; every direction "
                          "has its own copy. Null: none.",
                          PointerValue(),
                          MakePointerAccessor(&JitterChannel::SetJitter, &JitterChannel::GetJitter),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("KeepOrder",
                          "A packet never arrives before the one sent before it in the same "
                          "direction.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&JitterChannel::m_keepOrder),
                          MakeBooleanChecker());
    return tid;
}

void
JitterChannel::SetJitter(Ptr<RandomVariableStream> jitter)
{
    NS_LOG_FUNCTION(this << jitter);
    m_jitter = {jitter, CopyVariable(jitter)};
}

void
JitterChannel::SetNormalJitter(Time deviation)
{
    NS_LOG_FUNCTION(this << deviation);
    const double seconds = deviation.GetSeconds();
    const auto extra = CreateObject<NormalRandomVariable>();
    extra->SetAttribute("Mean", DoubleValue(SPAN * seconds));
    extra->SetAttribute("Variance", DoubleValue(seconds * seconds));
    extra->SetAttribute("Bound", DoubleValue(SPAN * seconds));
    SetJitter(extra);
}

Ptr<RandomVariableStream>
JitterChannel::GetJitter() const
{
    return m_jitter.front();
}

int64_t
JitterChannel::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    if (!m_jitter[0])
    {
        return 0;
    }
    // The second first: where both directions share a variable, the first stream counts.
    m_jitter[1]->SetStream(stream + 1);
    m_jitter[0]->SetStream(stream);
    return DIRECTIONS;
}

Time
JitterChannel::GetLastArrival(std::size_t direction) const
{
    return m_lastArrival.at(direction);
}

bool
JitterChannel::TransmitStart(Ptr<const Packet> packet,
                             Ptr<PointToPointNetDevice> source,
                             Time txTime)
{
    const std::size_t direction = source == GetSource(0) ? 0 : 1;
    const Time now = Simulator::Now();
    Time arrival = now + txTime + std::max(Time(0), GetDelay() + Draw(m_jitter[direction]));
    Time& last = m_lastArrival[direction];
    if (m_keepOrder)
    {
        arrival = std::max(arrival, last);
    }
    last = std::max(arrival, last);
    NS_LOG_DEBUG("a packet of " << packet->GetSize() << " B in direction " << direction
                                << " arrives at " << arrival.As(Time::S));
    return SendToArrive(packet, source, arrival);
}

bool
JitterChannel::SendToArrive(Ptr<const Packet> packet,
                            Ptr<PointToPointNetDevice> source,
                            Time arrival)
{
    // The base delivers after the transmission time and Delay, and fires its private trace source:
    // what the delay is to differ by is given as part of the transmission time.
    const Time wait = arrival - Simulator::Now();
    return PointToPointChannel::TransmitStart(packet, source, wait - GetDelay());
}

} // namespace ns3::lfn
