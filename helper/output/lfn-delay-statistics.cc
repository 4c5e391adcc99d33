// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-delay-statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

namespace ns3::lfn
{

namespace
{

constexpr int BIN_BITS = 10; //!< leading bits of a delay that give its bin

/** @brief Convert steps of ns3::Time to seconds. */
double
ToSeconds(double steps)
{
    return steps / static_cast<double>(Seconds(1).GetTimeStep());
}

} // namespace

void
DelayStatistics::Add(Time delay)
{
    const int64_t steps = delay.GetTimeStep();
    const int bits = std::bit_width(static_cast<uint64_t>(steps));
    const int shift = std::max(0, bits - BIN_BITS);
    const int64_t half = shift > 0 ? int64_t{1} << (shift - 1) : 0;
    ++m_bins[(steps >> shift << shift) + half];
    m_sum += delay;
    m_max = std::max(m_max, delay);
    m_window[m_count % WINDOW] = steps;
    ++m_count;
    if (m_count % WINDOW == 0)
    {
        m_deviations += GetDeviations(WINDOW);
    }
}

uint64_t
DelayStatistics::GetCount() const
{
    return m_count;
}

Time
DelayStatistics::GetSum() const
{
    return m_sum;
}

double
DelayStatistics::GetMean() const
{
    return m_count > 0 ? m_sum.GetSeconds() / static_cast<double>(m_count) : 0;
}

Time
DelayStatistics::GetMax() const
{
    return m_max;
}

double
DelayStatistics::GetQuantile(double share) const
{
    const double rank = std::ceil(share * static_cast<double>(m_count));
    uint64_t seen = 0;
    for (const auto& [middle, delays] : m_bins)
    {
        seen += delays;
        if (static_cast<double>(seen) >= rank)
        {
            return ToSeconds(static_cast<double>(std::min(middle, m_max.GetTimeStep())));
        }
    }
    return m_max.GetSeconds();
}

double
DelayStatistics::GetJitter() const
{
    const double deviations = m_deviations + GetDeviations(m_count % WINDOW);
    return m_count > 0 ? ToSeconds(deviations / static_cast<double>(m_count)) : 0;
}

double
DelayStatistics::GetRecentMean() const
{
    return ToSeconds(GetWindowMean(std::min<uint64_t>(m_count, WINDOW)));
}

double
DelayStatistics::GetRecentJitter() const
{
    const auto size = std::min<uint64_t>(m_count, WINDOW);
    return size > 0 ? ToSeconds(GetDeviations(size) / static_cast<double>(size)) : 0;
}

double
DelayStatistics::GetWindowMean(std::size_t size) const
{
    const auto delays = std::span(m_window).first(size);
    const auto sum = std::accumulate(delays.begin(), delays.end(), int64_t{0});
    return size > 0 ? static_cast<double>(sum) / static_cast<double>(size) : 0;
}

double
DelayStatistics::GetDeviations(std::size_t size) const
{
    const double mean = GetWindowMean(size);
    double sum = 0;
    for (const int64_t delay : std::span(m_window).first(size))
    {
        sum += std::abs(static_cast<double>(delay) - mean);
    }
    return sum;
}

} // namespace ns3::lfn
