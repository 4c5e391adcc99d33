// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-adaptive-timeout.h"

#include <algorithm>

namespace ns3::lfn
{

JrmAdaptiveTimeout::JrmAdaptiveTimeout(Time initial, const Rules& rules)
    : m_interval(initial),
      m_rules(rules)
{
}

Time
JrmAdaptiveTimeout::Get() const
{
    return m_interval;
}

void
JrmAdaptiveTimeout::Expired()
{
    if (m_rules.adaptive)
    {
        const auto longer =
            Time::FromDouble(m_interval.ToDouble(Time::S) * m_rules.increase, Time::S);
        m_interval = std::max(m_interval, std::min(longer, m_rules.longest));
    }
}

void
JrmAdaptiveTimeout::Reset(Time left)
{
    if (m_rules.adaptive &&
        left.ToDouble(Time::S) > m_interval.ToDouble(Time::S) * m_rules.shrinkIfLeft)
    {
        const auto shorter =
            Time::FromDouble(m_interval.ToDouble(Time::S) * m_rules.decrease, Time::S);
        m_interval = std::min(m_interval, std::max(shorter, m_rules.shortest));
    }
}

} // namespace ns3::lfn
