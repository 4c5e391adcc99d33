// SPDX-License-Identifier: GPL-2.0-only
#include "atou-response.h"

#include "atou-high-speed-table.h"

#include <algorithm>

namespace ns3::lfn
{

AtouResponse::AtouResponse(const Settings& settings)
    : m_settings(settings)
{
}

bool
AtouResponse::LookUp(double cwnd)
{
    if (!m_settings.floyd)
    {
        return false;
    }
    const auto& row = AtouHighSpeedTable::Find(cwnd);
    const bool isNew = row.window != m_row;
    m_row = row.window;
    m_settings.increment = row.increment;
    m_settings.multiplier = 1 - row.decrease;
    return isNew;
}

double
AtouResponse::GetIncrement() const
{
    return m_settings.increment;
}

double
AtouResponse::GetMultiplier() const
{
    return m_settings.multiplier;
}

uint32_t
AtouResponse::GetRow() const
{
    return m_row;
}

double
AtouResponse::Step(double cwnd, double increment) const
{
    const auto step = increment / cwnd;
    return m_settings.kai > 0 ? std::max(m_settings.kai, step) : step;
}

} // namespace ns3::lfn
