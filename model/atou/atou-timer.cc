// SPDX-License-Identifier: GPL-2.0-only
#include "atou-timer.h"

namespace ns3::lfn
{

void
AtouTimer::Start(const Settings& settings, Time now)
{
    m_settings = settings;
    m_checked = now;
    Restart(now);
}

void
AtouTimer::SetSettings(const Settings& settings)
{
    m_settings = settings;
}

void
AtouTimer::Restart(Time now)
{
    m_due = now + m_settings.timeout;
}

void
AtouTimer::BackOff(Time now)
{
    m_due = now + m_settings.timeout + m_settings.timeout;
}

bool
AtouTimer::Look(Time now)
{
    m_checked = now;
    return now >= m_due;
}

Time
AtouTimer::GetNextCheck() const
{
    return m_settings.isExact ? m_due : m_checked + m_settings.tick;
}

} // namespace ns3::lfn
