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
    const auto& rows = AtouHighSpeedTable::GetRows();
    const auto before = m_row;
    while (m_row + 1 < rows.size() && cwnd > rows[m_row].window)
    {
        ++m_row;
    }
    while (m_row > 0 && cwnd < rows[m_row - 1].window)
    {
        --m_row;
    }
    if (m_row == before)
    {
        return false;
    }
    m_settings.increment = rows[m_row].increment;
    m_settings.multiplier = 1 - rows[m_row].decrease;
    return true;
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
    return static_cast<uint32_t>(m_row + 1);
}

double
AtouResponse::Step(double cwnd, double increment) const
{
    const auto step = increment / cwnd;
    return m_settings.kai > 0 ? std::max(m_settings.kai, step) : step;
}

} // namespace ns3::lfn
