// SPDX-License-Identifier: GPL-2.0-only
#include "udt-estimates.h"

#include "udt-sequence.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr uint32_t MAX_RTT_US = 10000000;
constexpr std::size_t ACK_WINDOW = 1024;
constexpr double LEAST_SHARE = 1e-5; // of a packet without user bytes

/**
 * @brief Get a time in whole microseconds.
 * @param time the time
 * @return us, rounded down
 */
int64_t
ToMicroseconds(Time time)
{
    return time.GetMicroSeconds();
}

} // namespace

UdtRttEstimator::UdtRttEstimator(bool takesFirst)
    : m_takesFirst(takesFirst)
{
}

void
UdtRttEstimator::OnSample(uint32_t us)
{
    us = std::min(us, MAX_RTT_US);
    if (std::exchange(m_takesFirst, false))
    {
        m_rtt = us;
        m_variation = us / 2;
        return;
    }
    m_variation = (3 * m_variation + (us > m_rtt ? us - m_rtt : m_rtt - us)) / 4;
    m_rtt = (7 * m_rtt + us) / 8;
}

void
UdtRttEstimator::Set(uint32_t rtt, uint32_t variation)
{
    m_rtt = std::min(rtt, MAX_RTT_US);
    m_variation = std::min(variation, MAX_RTT_US);
}

uint32_t
UdtRttEstimator::GetRtt() const
{
    return m_rtt;
}

uint32_t
UdtRttEstimator::GetVariation() const
{
    return m_variation;
}

Time
UdtRttEstimator::GetTimeout() const
{
    return MicroSeconds(m_rtt + 4ULL * m_variation);
}

UdtIntervals::UdtIntervals(uint32_t size, Time start, Time tick)
    : m_tick(std::max<int64_t>(tick.GetTimeStep(), 1))
{
    m_ticks.assign(size, start.GetTimeStep() / m_tick);
}

void
UdtIntervals::Add(Time from, Time to)
{
    m_ticks[m_next] = to.GetTimeStep() / m_tick - from.GetTimeStep() / m_tick;
    m_next = (m_next + 1) % m_ticks.size();
}

int64_t
UdtIntervals::GetMedian(UdtFilter filter) const
{
    std::vector<int64_t> sorted(m_ticks.begin(),
                                m_ticks.end() - (filter == UdtFilter::UDT4 ? 1 : 0));
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(m_ticks.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    if (filter == UdtFilter::EXACT && sorted.size() % 2 == 0)
    {
        return (*std::max_element(sorted.begin(), middle) + *middle) / 2;
    }
    return *middle;
}

UdtIntervals::Total
UdtIntervals::GetNear(int64_t median) const
{
    constexpr int64_t SPREAD = 8;
    Total total;
    for (const auto ticks : m_ticks)
    {
        if (ticks > median / SPREAD && ticks < median * SPREAD)
        {
            total.sum += ticks;
            ++total.count;
        }
    }
    return total;
}

uint32_t
UdtIntervals::GetRate(double ticks) const
{
    const double seconds = ticks * static_cast<double>(m_tick) / Seconds(1).GetDouble();
    return static_cast<uint32_t>(std::min(std::ceil(1 / seconds), 2147483647.0));
}

UdtArrivalRate::UdtArrivalRate(uint32_t window, UdtFilter filter, Time tick)
    : m_intervals(window, Seconds(1), tick),
      m_window(window),
      m_filter(filter)
{
}

void
UdtArrivalRate::OnPacket(Time now)
{
    if (m_last)
    {
        m_intervals.Add(*m_last, now);
    }
    m_last = now;
}

uint32_t
UdtArrivalRate::GetRate() const
{
    const auto near = m_intervals.GetNear(m_intervals.GetMedian(m_filter));
    if (near.count <= m_window / 2)
    {
        return 0;
    }
    double mean = static_cast<double>(near.sum) / near.count;
    if (m_filter != UdtFilter::SRT)
    {
        mean = std::floor(mean);
    }
    return mean > 0 ? m_intervals.GetRate(mean) : 0;
}

UdtCapacity::UdtCapacity(uint32_t window, UdtFilter filter, Time tick, bool isStrict)
    : m_intervals(window, MilliSeconds(1), tick),
      m_filter(filter),
      m_isStrict(isStrict)
{
}

void
UdtCapacity::OnPacket(const Sample& sample, Time now)
{
    constexpr uint32_t PAIR_EVERY = 16;
    const auto place = sample.sequence % PAIR_EVERY;
    if (place == 0)
    {
        m_first = now;
        // The first packet again, before the second one: no pair.
        const bool isRepeated = !sample.isNew && m_second == sample.sequence + 1;
        m_second = isRepeated ? std::nullopt : std::make_optional(sample.sequence + 1);
    }
    else if (place == 1 && !m_isStrict)
    {
        m_intervals.Add(m_first, now);
    }
    else if (place == 1 && sample.isNew && m_second == sample.sequence)
    {
        m_second.reset();
        m_intervals.Add(m_first, m_first + (now - m_first) / std::max(sample.share, LEAST_SHARE));
    }
}

uint32_t
UdtCapacity::GetRate() const
{
    const auto median = m_intervals.GetMedian(m_filter);
    const auto near = m_intervals.GetNear(median);
    const auto sum = static_cast<double>(median + near.sum);
    return median > 0 ? m_intervals.GetRate(sum / (near.count + 1)) : 0;
}

uint32_t
UdtAckWindow::Add(int64_t next, Time now)
{
    if (m_entries.size() == ACK_WINDOW)
    {
        m_entries.pop_front();
        m_first = (m_first + 1) % UDT_SEQUENCES;
    }
    m_entries.push_back({next, now});
    return (m_first + static_cast<uint32_t>(m_entries.size()) - 1) % UDT_SEQUENCES;
}

std::optional<UdtAckWindow::Answer>
UdtAckWindow::OnAnswer(uint32_t number, Time now)
{
    const auto at = UdtDistance(m_first, number);
    if (at < 0 || static_cast<std::size_t>(at) >= m_entries.size())
    {
        return std::nullopt;
    }
    const auto entry = m_entries[static_cast<std::size_t>(at)];
    m_entries.erase(m_entries.begin(), m_entries.begin() + at + 1);
    m_first = (number + 1) % UDT_SEQUENCES;
    const auto us = ToMicroseconds(now) - ToMicroseconds(entry.sent);
    return Answer{entry.next, static_cast<uint32_t>(std::min<int64_t>(us, MAX_RTT_US))};
}

} // namespace ns3::lfn
