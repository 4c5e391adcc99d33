// SPDX-License-Identifier: GPL-2.0-only
#include "udt-native-control.h"

#include "udt-hash.h"
#include "udt-sequence.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr double SECOND_US = 1e6;
constexpr double DECREASE = 1.125;
constexpr uint32_t MAX_DECREASES = 5;
constexpr double EXTRA_WINDOW = 16;
constexpr int64_t CAP_DIVISOR = 9;

} // namespace

UdtNativeControl::UdtNativeControl(const Settings& settings, Random random)
    : m_settings(settings),
      m_random(std::move(random))
{
}

double
UdtNativeControl::GetIncrease(int64_t free, uint32_t mss, double minimum)
{
    constexpr double BETA = 1.5e-6;
    if (free <= 0)
    {
        return minimum;
    }
    const double bits = 8.0 * static_cast<double>(free) * mss;
    return std::max(std::pow(10, std::ceil(std::log10(bits))) * BETA / mss, minimum);
}

void
UdtNativeControl::OnAck(Time now, int64_t next, const UdtPathState& path)
{
    if (m_acted && now - *m_acted < m_settings.syn)
    {
        return;
    }
    m_acted = now;
    if (m_isSlowStart)
    {
        SlowStart(next, path);
    }
    else
    {
        const double seconds = path.rttUs / SECOND_US + m_settings.syn.GetSeconds();
        m_window = path.arrivalRate * seconds + EXTRA_WINDOW;
    }
    if (m_isSlowStart)
    {
        return;
    }
    if (std::exchange(m_hasLoss, false))
    {
        return;
    }
    Increase(path);
}

void
UdtNativeControl::SlowStart(int64_t next, const UdtPathState& path)
{
    m_window += static_cast<double>(next - m_lastAck + 1);
    m_lastAck = next;
    const bool isFirstAck = m_settings.slowStartEnd == SlowStartEnd::FIRST_ACK;
    if (isFirstAck || m_window > path.peerWindow)
    {
        EndSlowStart(path);
    }
}

void
UdtNativeControl::EndSlowStart(const UdtPathState& path)
{
    m_isSlowStart = false;
    const double cycle = path.rttUs + m_settings.syn.GetMicroSeconds();
    m_period = path.arrivalRate > 0 ? SECOND_US / path.arrivalRate : cycle / m_window;
}

void
UdtNativeControl::Increase(const UdtPathState& path)
{
    const int64_t capacity = path.capacity;
    auto free = static_cast<int64_t>(static_cast<double>(capacity) - SECOND_US / m_period);
    if (m_settings.capCapacity && m_period > m_periodBefore)
    {
        free = std::min(free, capacity / CAP_DIVISOR);
    }
    const double minimum =
        m_settings.minimumIncrease > 0 ? m_settings.minimumIncrease : 1.0 / path.mss;
    const double increase = GetIncrease(free, path.mss, minimum);
    const auto syn = static_cast<double>(m_settings.syn.GetMicroSeconds());
    m_period = m_period * syn / (m_period * increase + syn);
}

Time
UdtNativeControl::OnLoss(int64_t first, const UdtPathState& path)
{
    if (m_isSlowStart)
    {
        EndSlowStart(path);
        return Time(0);
    }
    m_hasLoss = true;
    if (first > m_lastDecrease)
    {
        BeginPeriod(path);
        return m_settings.freeze ? m_settings.syn : Time(0);
    }
    if (m_decreases++ < MAX_DECREASES && ++m_naks % m_decreaseEvery == 0)
    {
        Decrease();
        m_lastDecrease = path.largestSent;
    }
    return Time(0);
}

void
UdtNativeControl::BeginPeriod(const UdtPathState& path)
{
    m_periodBefore = m_period;
    if (m_settings.decreaseOnFirst)
    {
        Decrease();
    }
    m_averageNaks = static_cast<uint32_t>(std::ceil(m_averageNaks * 0.875 + m_naks * 0.125));
    m_naks = 1;
    m_decreases = 1;
    m_lastDecrease = path.largestSent;
    const UdtNumbering numbering(path.initial);
    const double random =
        m_settings.decRandomSource == DecRandomSource::STREAM && m_random
            ? m_random()
            : static_cast<double>(UdtHash(numbering.GetSequence(m_lastDecrease))) / UDT_HASH_MAX;
    m_decreaseEvery = std::max(1U, static_cast<uint32_t>(std::ceil(m_averageNaks * random)));
}

void
UdtNativeControl::Decrease()
{
    const double granularity =
        static_cast<double>(m_settings.periodGranularity.GetNanoSeconds()) / 1e3;
    m_period *= DECREASE;
    if (granularity > 0)
    {
        m_period = std::ceil(m_period / granularity) * granularity;
    }
}

void
UdtNativeControl::OnTimeout(const UdtPathState& path)
{
    if (m_isSlowStart)
    {
        EndSlowStart(path);
    }
}

double
UdtNativeControl::GetPeriod() const
{
    return m_period;
}

double
UdtNativeControl::GetWindow() const
{
    return m_window;
}

uint32_t
UdtNativeControl::GetAverageNaks() const
{
    return m_averageNaks;
}

} // namespace ns3::lfn
