// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-rtt-estimator.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("VrpRttEstimator");
NS_OBJECT_ENSURE_REGISTERED(VrpRttEstimator);

TypeId
VrpRttEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::VrpRttEstimator")
            .SetParent<Object>()
            .SetGroupName("Lfn")
            .AddConstructor<VrpRttEstimator>()
            .AddAttribute("Alpha",
                          "a, weight of the old value of RTT and D (section 2.5.1: 7/8).",
                          DoubleValue(0.875),
                          MakeDoubleAccessor(&VrpRttEstimator::m_alpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DevFactor",
                          "Weight of D in timeout = RTT + 4 D (section 2.5.1).",
                          DoubleValue(4),
                          MakeDoubleAccessor(&VrpRttEstimator::m_devFactor),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("InitialDevRatio",
                          "First D in units of the first RTT (section 2.5.1: 1/2, which makes the "
                          "first timeout 3 RTT; 1/4 makes it the 2 RTT that the text requires).",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&VrpRttEstimator::m_initialDevRatio),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Granularity",
                          "G of timeout = RTT + max(G, 4 D): the tick of the host's clock, which "
                          "no timer beats. 0 for the bare formula (VRP-D18).",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&VrpRttEstimator::m_granularity),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MinRto",
                          "Lower bound of the timeout.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&VrpRttEstimator::m_minRto),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("MaxRto",
                          "Upper bound of the timeout.",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&VrpRttEstimator::m_maxRto),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute(
                "DeviationFrom",
                "RTT from which the deviation of a sample is taken (VRP-C10).",
                EnumValue(DeviationFrom::NEW_RTT),
                MakeEnumAccessor<DeviationFrom>(&VrpRttEstimator::m_deviationFrom),
                MakeEnumChecker(DeviationFrom::NEW_RTT, "NewRtt", DeviationFrom::OLD_RTT, "OldRtt"))
            .AddAttribute("LimitBackoff",
                          "Double at most once in a timeout, however many packets expire "
                          "(VRP-C8).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&VrpRttEstimator::m_limitBackoff),
                          MakeBooleanChecker())
            .AddAttribute("SampleHeaders",
                          "FRAME_OK for a frame header that was sent once is a sample, as an ACK "
                          "is (VRP-D17).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpRttEstimator::m_sampleHeaders),
                          MakeBooleanChecker())
            .AddAttribute("FollowEstimate",
                          "Timers run by the timeout as it is now: one that has grown or shrunk "
                          "since a packet was sent holds for it; otherwise a packet keeps the "
                          "timeout of its sending (VRP-D22).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&VrpRttEstimator::m_followEstimate),
                          MakeBooleanChecker());
    return tid;
}

VrpRttEstimator::VrpRttEstimator() = default;

void
VrpRttEstimator::Measurement(Time measure)
{
    NS_LOG_FUNCTION(this << measure);
    const auto sample = static_cast<double>(measure.GetTimeStep());
    auto rtt = static_cast<double>(m_rtt.GetTimeStep());
    auto deviation = static_cast<double>(m_deviation.GetTimeStep());
    if (m_samples == 0)
    {
        m_smoothed = sample;
        m_smallest = measure;
        rtt = sample;
        deviation = m_initialDevRatio * sample;
    }
    else
    {
        const double old = rtt;
        rtt = m_alpha * old + (1 - m_alpha) * sample;
        const double reference = m_deviationFrom == DeviationFrom::NEW_RTT ? rtt : old;
        deviation = m_alpha * deviation + (1 - m_alpha) * std::abs(reference - sample);
    }
    m_rtt = TimeStep(static_cast<uint64_t>(std::llround(rtt)));
    m_deviation = TimeStep(static_cast<uint64_t>(std::llround(deviation)));
    m_smoothed = m_alpha * m_smoothed + (1 - m_alpha) * sample;
    m_smallest = std::min(m_smallest, measure);
    ++m_samples;
    NS_LOG_DEBUG("sample " << m_samples << ": RTT " << m_rtt.As(Time::MS) << ", variation "
                           << m_deviation.As(Time::MS) << ", timeout "
                           << GetTimeout().As(Time::MS));
}

void
VrpRttEstimator::Reset()
{
    NS_LOG_FUNCTION(this);
    m_rtt = Seconds(1);
    m_deviation = Time(0);
    m_samples = 0;
    m_backoffAllowed = Time(0);
    m_smoothed = 0;
    m_smallest = Time(0);
}

Time
VrpRttEstimator::GetEstimate() const
{
    return m_rtt;
}

Time
VrpRttEstimator::GetVariation() const
{
    return m_deviation;
}

uint32_t
VrpRttEstimator::GetNSamples() const
{
    return m_samples;
}

bool
VrpRttEstimator::Backoff(Time now, Time limit)
{
    NS_LOG_FUNCTION(this << now << limit);
    const Time timeout = GetTimeout();
    if (timeout >= std::min(m_maxRto, limit) || (m_limitBackoff && now < m_backoffAllowed))
    {
        return false;
    }
    const double factor = std::min(2.0, limit.GetSeconds() / timeout.GetSeconds());
    const auto grow = [factor](Time time) {
        return TimeStep(
            static_cast<uint64_t>(std::llround(factor * static_cast<double>(time.GetTimeStep()))));
    };
    m_rtt = grow(m_rtt);
    m_deviation = grow(m_deviation);
    m_backoffAllowed = now + GetTimeout();
    NS_LOG_LOGIC("the timeout backs off from " << timeout.As(Time::MS) << " to "
                                               << GetTimeout().As(Time::MS));
    return true;
}

bool
VrpRttEstimator::SamplesHeaders() const
{
    return m_sampleHeaders;
}

bool
VrpRttEstimator::FollowsEstimate() const
{
    return m_followEstimate;
}

Time
VrpRttEstimator::GetTimeout() const
{
    const double timeout = static_cast<double>(m_rtt.GetTimeStep()) +
                           std::max(static_cast<double>(m_granularity.GetTimeStep()),
                                    m_devFactor * static_cast<double>(m_deviation.GetTimeStep()));
    const auto bounded = std::clamp(timeout,
                                    static_cast<double>(m_minRto.GetTimeStep()),
                                    std::max(static_cast<double>(m_minRto.GetTimeStep()),
                                             static_cast<double>(m_maxRto.GetTimeStep())));
    return TimeStep(static_cast<uint64_t>(std::llround(bounded)));
}

Time
VrpRttEstimator::GetSmoothed() const
{
    return TimeStep(static_cast<uint64_t>(std::llround(m_smoothed)));
}

double
VrpRttEstimator::GetLoad() const
{
    const auto smallest = static_cast<double>(m_smallest.GetTimeStep());
    return smallest > 0 ? m_smoothed / smallest : 1;
}

Time
VrpRttEstimator::GetSmallest() const
{
    return m_smallest;
}

} // namespace ns3::lfn
