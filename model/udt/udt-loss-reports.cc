// SPDX-License-Identifier: GPL-2.0-only
#include "udt-loss-reports.h"

#include <algorithm>
#include <iterator>

namespace ns3::lfn
{

void
UdtLossReports::Add(int64_t first, int64_t last, Time now)
{
    m_reports.push_back({first, last, now, 2});
}

std::vector<UdtLossReports::Interval>
UdtLossReports::TakeDue(Time now, Time rtt, const UdtLossList& lost, std::size_t words)
{
    std::vector<Interval> due;
    std::vector<Report> kept;
    const auto& intervals = lost.GetIntervals();
    for (const auto& report : m_reports)
    {
        auto missing = intervals.upper_bound(report.first);
        missing = missing == intervals.begin() ? missing : std::prev(missing);
        for (; missing != intervals.end() && missing->first <= report.last; ++missing)
        {
            Report part = report;
            part.first = std::max(report.first, missing->first);
            part.last = std::min(report.last, missing->second);
            if (part.first > part.last)
            {
                continue; // the interval before the report
            }
            const std::size_t needed = part.first == part.last ? 1 : 2;
            if (now - part.time >= rtt * part.rtts && needed <= words)
            {
                words -= needed;
                due.emplace_back(part.first, part.last);
                part.time = now;
                ++part.rtts;
            }
            kept.push_back(part);
        }
    }
    m_reports = std::move(kept);
    return due;
}

void
UdtLossReports::Clear()
{
    m_reports.clear();
}

} // namespace ns3::lfn
