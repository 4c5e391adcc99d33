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
constexpr uint32_t MAX_DECREASES = 5;
constexpr double EXTRA_WINDOW = 16;
constexpr double NO_WINDOW = 1U << 30;
constexpr int64_t CAP_DIVISOR = 9;

} // namespace

UdtNativeControl::UdtNativeControl(const Settings& settings, Random random)
    : m_settings(settings),
      m_random(std::move(random)),
      m_averageNaks(settings.nakOffset)
{
}

void
UdtNativeControl::OnStart(Time now)
{
    m_acted = now;
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

int64_t
UdtNativeControl::GetFreeCapacity(int64_t capacity, double periodUs, bool isCapped)
{
    const auto free = static_cast<int64_t>(static_cast<double>(capacity) - SECOND_US / periodUs);
    return isCapped ? std::min(free, capacity / CAP_DIVISOR) : free;
}

uint32_t
UdtNativeControl::UpdateAverageNaks(uint32_t average, uint32_t naks, double weight)
{
    return static_cast<uint32_t>(std::ceil(average * (1 - weight) + naks * weight));
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
        const double rtts = m_settings.windowRtts * path.rttUs / SECOND_US;
        const double seconds = rtts + m_settings.syn.GetSeconds();
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
    switch (m_settings.slowStartEnd)
    {
    case SlowStartEnd::WINDOW:
        m_isSlowStart = m_window <= path.peerWindow;
        break;
    case SlowStartEnd::FIRST_ACK:
        m_isSlowStart = false;
        break;
    case SlowStartEnd::FIRST_CAPACITY:
        m_isSlowStart = path.capacity <= 1;
        break;
    }
    if (!m_isSlowStart)
    {
        EndSlowStart(path);
    }
}

void
UdtNativeControl::EndSlowStart(const UdtPathState& path)
{
    m_isSlowStart = false;
    const double cycle = path.rttUs + static_cast<double>(m_settings.syn.GetMicroSeconds());
    if (m_settings.slowStartEnd == SlowStartEnd::FIRST_CAPACITY)
    {
        m_period = path.flowWindow / cycle;
        return;
    }
    m_period = path.arrivalRate > 0 ? SECOND_US / path.arrivalRate : cycle / m_window;
}

void
UdtNativeControl::Increase(const UdtPathState& path)
{
    const bool isCapped = m_settings.capCapacity && m_period > m_periodBefore;
    int64_t capacity = path.capacity;
    if (m_settings.lossRateCap > 0)
    {
        const double most = m_settings.lossRateCap * SECOND_US / m_periodBefore;
        capacity = static_cast<int64_t>(std::min<double>(path.capacity, most));
    }
    const int64_t free = GetFreeCapacity(capacity, m_period, isCapped);
    const double minimum =
        m_settings.minimumIncrease > 0 ? m_settings.minimumIncrease : 1.0 / path.mss;
    const double increase = GetIncrease(free, path.mss, minimum);
    const auto syn = static_cast<double>(m_settings.syn.GetMicroSeconds());
    m_period = m_period * syn / (m_period * increase + syn);
    m_period = std::max(m_period, m_settings.leastGapShare * path.leastGapUs);
}

Time
UdtNativeControl::OnLoss(int64_t first, const UdtPathState& path)
{
    if (m_isSlowStart && m_settings.slowStartEnd != SlowStartEnd::FIRST_CAPACITY)
    {
        EndSlowStart(path);
        if (!m_settings.slowStartLoss)
        {
            return Time(0);
        }
    }
    m_isSlowStart = false; // UDT3 keeps P
    m_hasLoss = true;
    if (IsTolerable(path))
    {
        m_periodBefore = m_period;
        return Time(0);
    }
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

bool
UdtNativeControl::IsTolerable(const UdtPathState& path) const
{
    const double inFlight = std::floor(path.rttUs / m_period);
    const double tolerated = m_settings.lossTolerance * inFlight;
    return m_settings.lossTolerance > 0 &&
           (inFlight == 0 || static_cast<double>(path.lost) < tolerated);
}

void
UdtNativeControl::BeginPeriod(const UdtPathState& path)
{
    if (m_settings.decreaseOnFirst)
    {
        m_periodBefore = m_period;
        Decrease();
    }
    m_averageNaks =
        UpdateAverageNaks(m_averageNaks, m_naks, m_settings.nakWeight) + m_settings.nakOffset;
    m_naks = 1;
    m_decreases = 1;
    m_lastDecrease = path.largestSent;
    const UdtNumbering numbering(path.initial);
    const double random =
        m_settings.decRandomSource == DecRandomSource::STREAM && m_random
            ? m_random()
            : static_cast<double>(UdtHash(numbering.GetSequence(m_lastDecrease))) / UDT_HASH_MAX;
    const double share = m_averageNaks * random;
    const double every =
        m_settings.nakOffset > 0 ? std::floor(share) + m_settings.nakOffset : std::ceil(share);
    m_decreaseEvery = std::max(1U, static_cast<uint32_t>(every));
}

void
UdtNativeControl::Decrease()
{
    const double granularity =
        static_cast<double>(m_settings.periodGranularity.GetNanoSeconds()) / 1e3;
    m_period *= m_settings.decrease;
    if (granularity > 0)
    {
        m_period = std::ceil(m_period / granularity) * granularity;
    }
}

void
UdtNativeControl::OnTimeout(const UdtPathState& path)
{
    if (m_isSlowStart && m_settings.slowStartEnd != SlowStartEnd::FIRST_CAPACITY)
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
    return m_settings.hasWindow ? m_window : NO_WINDOW;
}

uint32_t
UdtNativeControl::GetAverageNaks() const
{
    return m_averageNaks;
}

} // namespace ns3::lfn
