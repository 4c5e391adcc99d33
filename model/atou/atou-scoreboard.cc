// SPDX-License-Identifier: GPL-2.0-only
#include "atou-scoreboard.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace ns3::lfn
{

void
AtouScoreboard::Clear()
{
    *this = AtouScoreboard();
}

uint32_t
AtouScoreboard::Mark(const AtouBlock& block, uint32_t una)
{
    auto first = std::max(block.first, una);
    auto last = block.last;
    if (first > last)
    {
        return 0;
    }
    const auto before = m_sacked;
    auto run = FindAbove(first);
    if (run != m_runs.begin() && std::prev(run)->second >= first - 1)
    {
        --run; // it touches the block from below
    }
    while (run != m_runs.end() && run->first <= last + 1)
    {
        if (run->first <= first && run->second >= last)
        {
            return 0; // the usual repetition: nothing to rebuild
        }
        first = std::min(first, run->first);
        last = std::max(last, run->second);
        m_sacked -= run->second - run->first + 1;
        run = m_runs.erase(run);
    }
    m_runs.emplace_hint(run, first, last);
    m_sacked += last - first + 1;
    return m_sacked - before;
}

void
AtouScoreboard::Advance(uint32_t una)
{
    while (!m_runs.empty() && m_runs.begin()->first < una)
    {
        const auto [first, last] = *m_runs.begin();
        m_runs.erase(m_runs.begin());
        m_sacked -= last - first + 1;
        if (last >= una)
        {
            m_runs.emplace(una, last);
            m_sacked += last - una + 1;
        }
    }
}

void
AtouScoreboard::MarkResent(uint32_t segment)
{
    m_resent = std::max(m_resent, segment + 1);
}

void
AtouScoreboard::ForgetResent()
{
    m_resent = 0;
}

std::optional<uint32_t>
AtouScoreboard::FindGap(uint32_t una) const
{
    auto gap = std::max(una, m_resent);
    if (m_runs.empty() || m_runs.rbegin()->first <= gap)
    {
        return std::nullopt; // nothing above it has come; mostly so, and known without a search
    }
    const auto run = m_runs.upper_bound(gap);
    if (run != m_runs.begin() && std::prev(run)->second >= gap)
    {
        gap = std::prev(run)->second + 1;
    }
    return gap;
}

uint32_t
AtouScoreboard::CountSacked() const
{
    return m_sacked;
}

std::map<uint32_t, uint32_t>::iterator
AtouScoreboard::FindAbove(uint32_t segment)
{
    auto run = m_runs.end();
    for (std::size_t step = 0; step <= AtouAckHeader::MAX_BLOCKS; ++step)
    {
        if (run == m_runs.begin() || std::prev(run)->first <= segment)
        {
            return run;
        }
        --run;
    }
    return m_runs.upper_bound(segment);
}

} // namespace ns3::lfn
