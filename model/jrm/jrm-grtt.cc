// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-grtt.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

namespace
{

constexpr std::size_t MAX_PROBES = 4; ///< whose answers count
constexpr double FALL = 0.9;          ///< of the estimate, from probe to probe, at least
constexpr double LEAST_S = 1e-6;      ///< shortest RTT that can be reported, [s]
constexpr double MOST_S = 1000;       ///< the longest one, [s]
constexpr double STEPS = 13;          ///< numbers for a factor of e
constexpr int LINEAR = 31;            ///< numbers below are multiples of the shortest one
constexpr int LAST = 255;             ///< RFC 5740's number for the longest one

/// The RTT of RFC 5740's number.
double
ToSeconds(int number)
{
    return number < LINEAR ? (number + 1) * LEAST_S : MOST_S / std::exp((LAST - number) / STEPS);
}

} // namespace

JrmGrtt::JrmGrtt(const Settings& settings)
    : m_settings(settings)
{
}

bool
JrmGrtt::IsDue(Time now) const
{
    return m_probes.empty() || now >= m_probes.back().at + m_wait;
}

uint16_t
JrmGrtt::Probe(uint32_t number, Time now)
{
    if (m_peak && *m_peak < *m_estimate)
    {
        const auto fallen = Time::FromDouble(m_estimate->ToDouble(Time::S) * FALL, Time::S);
        m_estimate = std::max(*m_peak, fallen);
    }
    m_peak.reset();
    const auto longer = m_probes.empty() ? m_settings.firstWait : m_wait + m_wait;
    m_wait = std::min(longer, m_settings.longestWait);
    m_probes.push_back({number, now});
    if (m_probes.size() > MAX_PROBES)
    {
        m_probes.pop_front();
    }
    return m_estimate ? Quantise(*m_estimate) : UNKNOWN;
}

std::optional<DropReason>
JrmGrtt::OnAnswer(uint32_t number, Time held, Time now)
{
    const auto probe = std::ranges::find(m_probes, number, &Sent::number);
    if (probe == m_probes.end())
    {
        return DropReason::UNEXPECTED;
    }
    const Time rtt = now - probe->at - held;
    if (rtt.IsStrictlyNegative() || held.IsStrictlyNegative())
    {
        return DropReason::OUT_OF_RANGE;
    }
    const auto believed = std::min(rtt, m_settings.longest);
    m_peak = std::max(m_peak.value_or(believed), believed);
    m_estimate = std::max(m_estimate.value_or(believed), believed);
    return std::nullopt;
}

std::optional<Time>
JrmGrtt::Get() const
{
    return m_estimate;
}

uint16_t
JrmGrtt::Quantise(Time rtt)
{
    const double seconds = std::clamp(rtt.ToDouble(Time::S), LEAST_S, MOST_S);
    int number = static_cast<int>(std::ceil(LAST - STEPS * std::log(MOST_S / seconds)));
    if (seconds <= LINEAR * LEAST_S)
    {
        number = static_cast<int>(std::ceil(seconds / LEAST_S)) - 1;
    }
    number = std::clamp(number, 0, LAST);
    return static_cast<uint16_t>(number + 1);
}

std::optional<Time>
JrmGrtt::Restore(uint16_t number)
{
    if (number == UNKNOWN || number > MOST)
    {
        return std::nullopt;
    }
    return Time::FromDouble(ToSeconds(number - 1), Time::S);
}

} // namespace ns3::lfn
