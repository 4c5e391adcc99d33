// SPDX-License-Identifier: GPL-2.0-only
#include "udt-loss-list.h"

#include <algorithm>
#include <iterator>

namespace ns3::lfn
{

void
UdtLossList::Add(int64_t first, int64_t last)
{
    auto at = m_intervals.upper_bound(first);
    if (at != m_intervals.begin() && std::prev(at)->second >= first - 1)
    {
        --at;
    }
    while (at != m_intervals.end() && at->first <= last + 1)
    {
        first = std::min(first, at->first);
        last = std::max(last, at->second);
        m_size -= at->second - at->first + 1;
        at = m_intervals.erase(at);
    }
    m_intervals.emplace_hint(at, first, last);
    m_size += last - first + 1;
}

bool
UdtLossList::Remove(int64_t index)
{
    auto at = m_intervals.upper_bound(index);
    if (at == m_intervals.begin() || std::prev(at)->second < index)
    {
        return false;
    }
    --at;
    const auto [first, last] = *at;
    at = m_intervals.erase(at);
    if (last > index)
    {
        at = m_intervals.emplace_hint(at, index + 1, last);
    }
    if (first < index)
    {
        m_intervals.emplace_hint(at, first, index - 1);
    }
    --m_size;
    return true;
}

void
UdtLossList::Remove(int64_t first, int64_t last)
{
    auto at = m_intervals.upper_bound(first);
    if (at != m_intervals.begin() && std::prev(at)->second >= first)
    {
        --at;
    }
    while (at != m_intervals.end() && at->first <= last)
    {
        const auto [from, to] = *at;
        at = m_intervals.erase(at);
        m_size -= std::min(to, last) - std::max(from, first) + 1;
        if (from < first)
        {
            m_intervals.emplace(from, first - 1);
        }
        if (to > last)
        {
            m_intervals.emplace(last + 1, to);
        }
    }
}

void
UdtLossList::RemoveBefore(int64_t index)
{
    while (!m_intervals.empty() && m_intervals.begin()->first < index)
    {
        const auto [first, last] = *m_intervals.begin();
        m_intervals.erase(m_intervals.begin());
        m_size -= std::min(last, index - 1) - first + 1;
        if (last >= index)
        {
            m_intervals.emplace(index, last);
        }
    }
}

std::optional<int64_t>
UdtLossList::GetFirst() const
{
    return m_intervals.empty() ? std::nullopt : std::optional(m_intervals.begin()->first);
}

int64_t
UdtLossList::GetSize() const
{
    return m_size;
}

const std::map<int64_t, int64_t>&
UdtLossList::GetIntervals() const
{
    return m_intervals;
}

void
UdtLossList::Clear()
{
    m_intervals.clear();
    m_size = 0;
}

} // namespace ns3::lfn
