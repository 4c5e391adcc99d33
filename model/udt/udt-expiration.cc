// SPDX-License-Identifier: GPL-2.0-only
#include "udt-expiration.h"

#include <algorithm>

namespace ns3::lfn
{

UdtExpiration::UdtExpiration(const Settings& settings, Time now)
    : m_settings(settings),
      m_lastResponse(now),
      m_lastCheck(now)
{
}

void
UdtExpiration::OnArrival(Time now)
{
    m_count = 1;
    m_lastResponse = now;
    m_lastCheck = now;
}

Time
UdtExpiration::GetExpiry(const UdtRttEstimator& rtt) const
{
    const auto wait = std::max((rtt.GetTimeout() + m_settings.each) * m_count + m_settings.syn,
                               m_settings.minimum * m_count);
    return m_lastResponse + wait;
}

bool
UdtExpiration::IsDead(Time now, const UdtRttEstimator& rtt) const
{
    const bool isOften = m_count > m_settings.deadCount;
    if (m_settings.patience.IsZero())
    {
        return isOften && now - m_lastResponse > m_settings.deadTime;
    }
    const Time silence =
        (rtt.GetTimeout() * (m_count - 1) / 2 + m_settings.syn) * static_cast<int64_t>(m_count);
    return silence > m_settings.patience || (isOften && silence > m_settings.deadTime);
}

UdtExpiration::Outcome
UdtExpiration::Check(Time now, const UdtRttEstimator& rtt)
{
    m_lastCheck = now;
    if (now < GetExpiry(rtt))
    {
        return Outcome::WAITING;
    }
    if (IsDead(now, rtt))
    {
        return Outcome::DEAD;
    }
    ++m_count;
    m_lastResponse = m_settings.restarts ? now : m_lastResponse;
    return Outcome::EXPIRED;
}

Time
UdtExpiration::GetNextCheck(Time exact, const UdtRttEstimator& rtt) const
{
    return m_settings.check.IsZero() ? std::min(exact, GetExpiry(rtt))
                                     : m_lastCheck + m_settings.check;
}

} // namespace ns3::lfn
