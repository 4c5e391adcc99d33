// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-sender-core.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

namespace
{

/** What one packet can ask for, about, 17 Gb/s, [B/s]: any flow may have as much. */
constexpr double PACKET_RATE = 17e9 / 8;

/**
 * @brief Check whether no further segment fits into a window; ns-3's TCP calls this cwnd-limited.
 * @param window the window, [B]
 * @param inFlight what is in flight, [B]
 * @param mss a segment, [B]
 * @return true when it is full
 */
bool
IsFull(double window, double inFlight, double mss)
{
    return std::floor(window) < inFlight + mss;
}

} // namespace

void
XcpSenderCore::Configure(const Settings& settings)
{
    m_settings = settings;
}

void
XcpSenderCore::Reset()
{
    m_window = 0;
    m_roundStart = -1;
    m_peak = 0;
    m_wasFull = false;
    m_wasFullBefore = true;
    m_roundWindow = 0;
    m_formerWindow = 0;
}

void
XcpSenderCore::SetWindow(double bytes)
{
    m_window = bytes;
}

double
XcpSenderCore::GetWindow() const
{
    return m_window;
}

void
XcpSenderCore::Advance(const Sight& sight)
{
    const bool isFull = IsFull(m_window, sight.inFlight, sight.mss);
    m_peak = std::max(m_peak, sight.inFlight);
    m_wasFull = m_wasFull || isFull;
    if (sight.srtt <= 0)
    {
        return;
    }
    if (m_roundStart < 0)
    {
        m_roundStart = sight.now;
    }
    const double elapsed = sight.now - m_roundStart;
    if (elapsed < sight.srtt)
    {
        return;
    }
    const double rounds = std::floor(elapsed / sight.srtt);
    if (!m_wasFull)
    {
        Age(m_peak, 1, std::max(sight.mss, sight.initialWindow));
    }
    // Nothing has happened in the rounds after the first: the flow was idle, or waited.
    if (rounds > 1 && !isFull)
    {
        Age(sight.inFlight, rounds - 1, std::max(sight.mss, sight.initialWindow));
    }
    m_wasFullBefore = rounds > 1 ? isFull : m_wasFull;
    m_wasFull = false;
    m_peak = sight.inFlight;
    m_formerWindow = rounds > 1 ? m_window : m_roundWindow;
    m_roundWindow = m_window;
    m_roundStart += rounds * sight.srtt;
}

void
XcpSenderCore::RestartRound(const Sight& sight)
{
    m_roundStart = sight.now;
    m_peak = 0;
    m_wasFull = true;
    m_wasFullBefore = true;
    m_roundWindow = 0;
    m_formerWindow = 0;
}

void
XcpSenderCore::OnFeedback(double feedback, const Sight& sight)
{
    if (feedback != 0)
    {
        m_window = std::min(std::max(m_window + feedback * sight.srtt, sight.mss), MAX_WINDOW);
    }
}

bool
XcpSenderCore::IsGrowing(double share) const
{
    return m_window > (1 + share) * std::min(m_formerWindow, m_roundWindow);
}

bool
XcpSenderCore::IsApplicationLimited(const Sight& sight) const
{
    return !m_wasFull && !m_wasFullBefore &&
           !IsFull(m_window, sight.inFlight + sight.mss, sight.mss);
}

XcpDemand
XcpSenderCore::MakeDemand(const Sight& sight, double receiverWindow) const
{
    XcpDemand demand;
    if (sight.srtt <= 0 || sight.mss <= 0)
    {
        return demand;
    }
    // Whole segments are sent: with the fraction X would say more than is sent, and the flow, most
    // of all one with a short RTT, would have less than its share.
    const double segments = std::floor(std::min(m_window, receiverWindow) / sight.mss);
    const double window = std::max(segments, 1.0) * sight.mss;
    demand.rtt = sight.srtt;
    demand.x = sight.srtt * sight.mss / window;
    const double desiredRate = static_cast<double>(m_settings.desiredRate.GetBitRate()) / 8;
    if (m_settings.isUndivided)
    {
        demand.delta = desiredRate;
    }
    else if (!IsApplicationLimited(sight))
    {
        // Without a router that supports XCP nobody cuts it: no more than the receiver takes.
        const double desired =
            std::min(desiredRate, std::max(PACKET_RATE, receiverWindow / sight.srtt));
        demand.delta = (desired - window / sight.srtt) / (window / sight.mss);
    }
    return demand;
}

void
XcpSenderCore::Age(double used, double rounds, double least)
{
    if (used < m_window)
    {
        const double kept = std::pow(1 - m_settings.agingWeight, rounds);
        m_window = std::max(used + kept * (m_window - used), std::min(least, m_window));
    }
}

} // namespace ns3::lfn
