// SPDX-License-Identifier: GPL-2.0-only
#include "atou-high-speed-table.h"

#include "ns3/tcp-highspeed.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

namespace
{

constexpr double LOW_WINDOW = 38;       //!< standard TCP up to it, segments
constexpr double HIGH_WINDOW = 83000;   //!< segments
constexpr double HIGH_DECREASE = 0.1;   //!< b(HIGH_WINDOW)
constexpr uint32_t LAST_WINDOW = 94717; //!< of the RFC's table; ns-3's leaves its last row open

/// Make the rows: one ends where a(w) of ns-3's table changes.
std::vector<AtouHighSpeedTable::Row>
MakeRows()
{
    std::vector<AtouHighSpeedTable::Row> rows;
    for (uint32_t window = 1; window <= LAST_WINDOW; ++window)
    {
        const auto increment = TcpHighSpeed::TableLookupA(window);
        if (window == LAST_WINDOW || TcpHighSpeed::TableLookupA(window + 1) != increment)
        {
            const auto steps = std::floor(AtouHighSpeedTable::Decrease(window) * 256);
            rows.push_back({window, increment, steps / 256});
        }
    }
    return rows;
}

} // namespace

const AtouHighSpeedTable::Row&
AtouHighSpeedTable::Find(double cwnd)
{
    const auto& rows = GetRows();
    const auto isBelow = [](const Row& row, double window) { return row.window < window; };
    const auto row = std::lower_bound(rows.begin(), rows.end(), cwnd, isBelow);
    return row == rows.end() ? rows.back() : *row;
}

const std::vector<AtouHighSpeedTable::Row>&
AtouHighSpeedTable::GetRows()
{
    static const std::vector<Row> rows = MakeRows();
    return rows;
}

double
AtouHighSpeedTable::Decrease(double window)
{
    const auto share = std::log(window / LOW_WINDOW) / std::log(HIGH_WINDOW / LOW_WINDOW);
    return 0.5 + (HIGH_DECREASE - 0.5) * share;
}

} // namespace ns3::lfn
