// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-delivery-trace.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::lfn
{

DeliveryTrace::DeliveryTrace(std::vector<uint64_t> milliseconds)
    : m_milliseconds(std::move(milliseconds))
{
}

Time
DeliveryTrace::GetPeriod() const
{
    return MilliSeconds(m_milliseconds.back());
}

std::size_t
DeliveryTrace::GetCount() const
{
    return m_milliseconds.size();
}

Time
DeliveryTrace::GetTime(uint64_t number) const
{
    const auto cycle = number / m_milliseconds.size();
    return MilliSeconds(cycle * m_milliseconds.back() +
                        m_milliseconds[number % m_milliseconds.size()]);
}

uint64_t
DeliveryTrace::FindFrom(Time now) const
{
    const auto wanted =
        static_cast<uint64_t>((now.GetNanoSeconds() + MilliSeconds(1).GetNanoSeconds() - 1) /
                              MilliSeconds(1).GetNanoSeconds());
    // The last ones of a cycle are at the same time as the beginning of the next one.
    const auto cycle = wanted == 0 ? 0 : (wanted - 1) / m_milliseconds.back();
    const auto found =
        std::ranges::lower_bound(m_milliseconds, wanted - cycle * m_milliseconds.back());
    return cycle * m_milliseconds.size() + static_cast<uint64_t>(found - m_milliseconds.begin());
}

DataRate
DeliveryTrace::GetMeanRate() const
{
    const auto bits = 8.0 * OPPORTUNITY * static_cast<double>(m_milliseconds.size());
    const auto rate = 1000 * bits / static_cast<double>(m_milliseconds.back());
    return DataRate(std::max<uint64_t>(1, static_cast<uint64_t>(rate)));
}

Time
DeliveryTrace::GetLongestWait(double bytes) const
{
    // One more than the bytes need: they may come just after an opportunity.
    const auto wanted = static_cast<uint64_t>(std::ceil(bytes / OPPORTUNITY)) + 1;
    Time longest;
    for (uint64_t i = 0; i < m_milliseconds.size(); ++i)
    {
        longest = std::max(longest, GetTime(i + wanted) - GetTime(i));
    }
    return longest;
}

DeliverySchedule::DeliverySchedule(DeliveryTrace trace)
    : m_trace(std::move(trace))
{
}

Time
DeliverySchedule::Take(Time now, uint32_t bytes)
{
    if (m_trace.GetTime(m_number) < now)
    {
        // Not back to one that is used up: there may be several at an instant.
        m_number = std::max(m_number + 1, m_trace.FindFrom(now));
        m_left = DeliveryTrace::OPPORTUNITY;
    }
    while (bytes > m_left)
    {
        bytes -= m_left;
        m_number++;
        m_left = DeliveryTrace::OPPORTUNITY;
    }
    m_left -= bytes;
    return m_trace.GetTime(m_number);
}

const DeliveryTrace&
DeliverySchedule::GetTrace() const
{
    return m_trace;
}

} // namespace ns3::lfn
