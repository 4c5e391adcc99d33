// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-scoreboard-core.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::lfn
{

TcpScoreboardCore::TcpScoreboardCore(Delivered delivered)
    : m_delivered(std::move(delivered))
{
}

TcpScoreboardCore::Segments::const_iterator
TcpScoreboardCore::Find(int64_t offset) const
{
    if (offset < m_head || offset >= GetEnd())
    {
        return m_segments.end();
    }
    return std::prev(m_segments.upper_bound(offset));
}

TcpScoreboardCore::Segments::iterator
TcpScoreboardCore::Find(int64_t offset)
{
    if (offset < m_head || offset >= GetEnd())
    {
        return m_segments.end();
    }
    return std::prev(m_segments.upper_bound(offset));
}

bool
TcpScoreboardCore::IsLost(int64_t offset) const
{
    if (!m_highestSack || offset >= *m_highestSack)
    {
        return false;
    }
    const auto segment = Find(offset);
    return segment != m_segments.end() && segment->second.isLost;
}

bool
TcpScoreboardCore::IsHeadSacked() const
{
    return !m_segments.empty() && m_segments.begin()->second.isSacked;
}

bool
TcpScoreboardCore::IsRetransmittedDataAcked(int64_t ack) const
{
    const auto segment = Find(ack - 1);
    return segment != m_segments.end() && segment->first + segment->second.bytes == ack &&
           !segment->second.isSacked && segment->second.isRetransmitted;
}

std::optional<int64_t>
TcpScoreboardCore::FindLost() const
{
    if (m_toSend.empty() || (m_highestSack && *m_toSend.begin() >= *m_highestSack))
    {
        return std::nullopt;
    }
    return *m_toSend.begin();
}

std::optional<int64_t>
TcpScoreboardCore::FindUnsacked() const
{
    const auto end = m_highestSack.value_or(GetEnd());
    m_unsackedFrom = std::max(m_unsackedFrom, m_head);
    while (m_unsackedFrom < end)
    {
        m_unsackedFrom = SkipSacked(m_unsackedFrom);
        const auto segment = Find(m_unsackedFrom);
        if (segment == m_segments.end() || segment->first >= end)
        {
            break;
        }
        if (!segment->second.isRetransmitted)
        {
            return segment->first;
        }
        m_unsackedFrom = segment->first + segment->second.bytes;
    }
    return std::nullopt;
}

TcpScoreboardCore::Segment&
TcpScoreboardCore::Send(uint32_t bytes)
{
    const auto segment = m_segments.emplace_hint(m_segments.end(), GetEnd(), Segment{});
    segment->second.bytes = bytes;
    m_sentBytes += bytes;
    return segment->second;
}

TcpScoreboardCore::Segment&
TcpScoreboardCore::Retransmit(int64_t offset, uint32_t bytes)
{
    bytes = static_cast<uint32_t>(std::min<int64_t>(bytes, GetEnd() - offset));
    auto segment = Find(offset);
    if (segment->first == offset)
    {
        // Joined with the next one only when both have the same fate.
        const auto next = std::next(segment);
        const bool isAlike = next != m_segments.end() && !segment->second.isSacked &&
                             !next->second.isSacked &&
                             next->second.isLost == segment->second.isLost;
        bytes = std::min(bytes, segment->second.bytes + (isAlike ? next->second.bytes : 0));
    }
    else
    {
        segment = Split(segment, static_cast<uint32_t>(offset - segment->first));
    }
    while (segment->second.bytes < bytes)
    {
        Join(segment);
    }
    if (segment->second.bytes > bytes)
    {
        segment = std::prev(Split(segment, bytes));
    }
    if (!segment->second.isRetransmitted)
    {
        segment->second.isRetransmitted = true;
        m_retransmittedBytes += segment->second.bytes;
        Note(segment);
    }
    m_retransmissions.erase({segment->second.sentBefore, offset});
    segment->second.sentBefore = GetEnd();
    m_retransmissions.emplace(GetEnd(), offset);
    return segment->second;
}

void
TcpScoreboardCore::TakeBack()
{
    if (m_segments.empty())
    {
        return;
    }
    const auto last = std::prev(m_segments.end());
    if (last->second.isSacked)
    {
        return; // what has arrived was sent
    }
    m_toSend.erase(last->first);
    Uncount(last->second, last->second.bytes);
    m_segments.erase(last);
}

uint32_t
TcpScoreboardCore::Update(const std::vector<Range>& ranges, uint32_t threshold, Rules rules)
{
    const auto before = m_sackedBytes;
    for (const auto& range : ranges)
    {
        if (GetEnd() < range.begin)
        {
            return m_sackedBytes - before; // as ns-3 does: nothing is taken for lost either
        }
        auto segment = m_segments.lower_bound(range.begin);
        while (segment != m_segments.end())
        {
            if (segment->second.isSacked)
            {
                segment = m_segments.lower_bound(SkipSacked(segment->first));
                continue;
            }
            const auto end = segment->first + segment->second.bytes;
            if (end > range.end)
            {
                break;
            }
            // With ns-3's rules it steps down to the segment right below.
            if (!m_highestSack || *m_highestSack <= (rules == Rules::NS3 ? end : segment->first))
            {
                m_highestSack = segment->first;
            }
            if (segment->second.isLost)
            {
                segment->second.isLost = false;
                m_lostBytes -= segment->second.bytes;
            }
            Sack(segment);
            if (rules == Rules::RFC && segment->second.isRetransmitted)
            {
                ForgetRetransmission(segment);
            }
            m_delivered(segment->second);
            ++segment;
        }
    }
    if (m_sackedBytes > before)
    {
        const auto last = FindThreshold(threshold);
        if (last != m_segments.end())
        {
            LoseBelow(last->first);
            if (rules == Rules::RFC)
            {
                LoseRetransmissions(last->first);
            }
        }
    }
    return m_sackedBytes - before;
}

void
TcpScoreboardCore::Discard(int64_t ack, bool isGuess)
{
    ack = std::min(ack, GetEnd());
    while (m_head < ack)
    {
        const auto first = m_segments.begin();
        const auto end = first->first + first->second.bytes;
        const bool isWhole = end <= ack;
        const auto bytes = static_cast<uint32_t>(std::min(end, ack) - m_head);
        Uncount(first->second, bytes);
        if (first->second.isSacked)
        {
            auto run = m_sackedRuns.extract(m_sackedRuns.begin());
            if (run.mapped() > m_head + bytes)
            {
                run.key() = m_head + bytes;
                m_sackedRuns.insert(std::move(run));
            }
        }
        m_toSend.erase(m_head);
        const bool isOnItsWay = m_retransmissions.erase({first->second.sentBefore, m_head}) > 0;
        m_head += bytes;
        auto segment = m_segments.extract(first);
        if (isWhole)
        {
            m_delivered(segment.mapped());
        }
        else
        {
            segment.key() = m_head;
            segment.mapped().bytes -= bytes;
            if (isOnItsWay)
            {
                m_retransmissions.emplace(segment.mapped().sentBefore, m_head);
            }
            Note(m_segments.insert(std::move(segment)).position);
        }
    }
    if (isGuess && IsHeadSacked())
    {
        // The first segment cannot have arrived: a guess from duplicate ACKs was wrong.
        UnsackHead();
        AddRenoSack();
        LoseHead();
    }
    if (m_highestSack && *m_highestSack <= m_head)
    {
        m_highestSack.reset();
    }
}

void
TcpScoreboardCore::LoseHead()
{
    if (m_segments.empty())
    {
        return;
    }
    const auto head = m_segments.begin();
    if (head->second.isSacked)
    {
        UnsackHead();
    }
    if (head->second.isRetransmitted)
    {
        ForgetRetransmission(head);
        m_unsackedFrom = m_head;
    }
    Lose(head);
}

void
TcpScoreboardCore::AddRenoSack()
{
    if (m_segments.empty())
    {
        return;
    }
    const auto segment = Find(SkipSacked(m_head + m_segments.begin()->second.bytes));
    if (segment != m_segments.end())
    {
        Sack(segment);
        m_highestSack = segment->first;
    }
}

void
TcpScoreboardCore::ForgetSacks()
{
    for (const auto& [begin, end] : m_sackedRuns)
    {
        for (auto segment = m_segments.lower_bound(begin);
             segment != m_segments.end() && segment->first < end;
             ++segment)
        {
            segment->second.isSacked = false;
            Note(segment);
        }
    }
    m_sackedRuns.clear();
    m_sackedBytes = 0;
    m_highestSack.reset();
    m_lostBelow = m_unsackedFrom = m_head;
}

void
TcpScoreboardCore::LoseAll(bool isForgetting)
{
    if (isForgetting)
    {
        ForgetSacks();
    }
    m_lostBytes = m_retransmittedBytes = 0;
    m_toSend.clear();
    m_retransmissions.clear();
    for (auto segment = m_segments.begin(); segment != m_segments.end(); ++segment)
    {
        auto& marks = segment->second;
        marks.isLost = marks.isLost || !marks.isSacked;
        marks.isRetransmitted = false;
        if (marks.isLost)
        {
            m_lostBytes += marks.bytes;
        }
        Note(segment);
    }
    m_unsackedFrom = m_head;
}

TcpScoreboardCore::Segments::iterator
TcpScoreboardCore::Split(Segments::iterator segment, uint32_t bytes)
{
    auto second = segment->second;
    second.bytes -= bytes;
    segment->second.bytes = bytes;
    const auto lastSent = segment->second.record.lastSent;
    segment->second.record = {.lastSent = lastSent};
    const auto rest =
        m_segments.emplace_hint(std::next(segment), segment->first + bytes, std::move(second));
    if (m_retransmissions.contains({rest->second.sentBefore, segment->first}))
    {
        m_retransmissions.emplace(rest->second.sentBefore, rest->first);
    }
    Note(rest);
    return rest;
}

void
TcpScoreboardCore::Join(Segments::iterator segment)
{
    const auto next = std::next(segment);
    auto& first = segment->second;
    if (first.isRetransmitted != next->second.isRetransmitted)
    {
        // Only one of both was retransmitted: count the whole when it is.
        m_retransmittedBytes -= first.isRetransmitted ? first.bytes : next->second.bytes;
        first.isRetransmitted = false;
        m_unsackedFrom = std::min(m_unsackedFrom, segment->first);
    }
    first.record.lastSent = std::max(first.record.lastSent, next->second.record.lastSent);
    first.bytes += next->second.bytes;
    m_toSend.erase(next->first);
    m_retransmissions.erase({next->second.sentBefore, next->first});
    m_segments.erase(next);
    Note(segment);
}

void
TcpScoreboardCore::Sack(Segments::iterator segment)
{
    segment->second.isSacked = true;
    m_sackedBytes += segment->second.bytes;
    auto begin = segment->first;
    auto end = begin + segment->second.bytes;
    auto after = m_sackedRuns.upper_bound(begin);
    if (after != m_sackedRuns.begin() && std::prev(after)->second == begin)
    {
        after = std::prev(after);
        begin = after->first;
        after = m_sackedRuns.erase(after);
    }
    if (after != m_sackedRuns.end() && after->first == end)
    {
        end = after->second;
        after = m_sackedRuns.erase(after);
    }
    m_sackedRuns.emplace_hint(after, begin, end);
    Note(segment);
}

void
TcpScoreboardCore::UnsackHead()
{
    const auto head = m_segments.begin();
    head->second.isSacked = false;
    m_sackedBytes -= head->second.bytes;
    auto run = m_sackedRuns.extract(m_sackedRuns.begin());
    run.key() += head->second.bytes;
    if (run.key() < run.mapped())
    {
        m_sackedRuns.insert(std::move(run));
    }
    m_lostBelow = m_unsackedFrom = m_head;
    Note(head);
}

void
TcpScoreboardCore::Lose(Segments::iterator segment)
{
    if (!segment->second.isLost)
    {
        segment->second.isLost = true;
        m_lostBytes += segment->second.bytes;
    }
    Note(segment);
}

void
TcpScoreboardCore::Note(Segments::iterator segment)
{
    const auto& marks = segment->second;
    if (marks.isLost && !marks.isSacked && !marks.isRetransmitted)
    {
        m_toSend.insert(segment->first);
    }
    else
    {
        m_toSend.erase(segment->first);
    }
}

TcpScoreboardCore::Segments::iterator
TcpScoreboardCore::FindThreshold(uint32_t threshold)
{
    // Go down from the highest sacked segment to the one that DupThresh of them reach.
    auto segment = m_segments.find(*m_highestSack);
    for (uint32_t sacked = 0;;)
    {
        if (segment == m_segments.end() || segment == m_segments.begin())
        {
            return m_segments.end();
        }
        if (segment->second.isSacked && ++sacked >= threshold)
        {
            return segment;
        }
        if (std::prev(segment)->second.isSacked)
        {
            --segment;
            continue;
        }
        const auto run = m_sackedRuns.upper_bound(std::prev(segment)->first);
        if (run == m_sackedRuns.begin())
        {
            return m_segments.end();
        }
        segment = Find(std::prev(run)->second - 1);
    }
}

void
TcpScoreboardCore::LoseBelow(int64_t end)
{
    m_lostBelow = std::max(m_lostBelow, m_head);
    while (m_lostBelow < end)
    {
        m_lostBelow = SkipSacked(m_lostBelow);
        if (m_lostBelow >= end)
        {
            break;
        }
        const auto lost = Find(m_lostBelow);
        Lose(lost);
        m_lostBelow = lost->first + lost->second.bytes;
    }
}

void
TcpScoreboardCore::LoseRetransmissions(int64_t end)
{
    while (!m_retransmissions.empty() && m_retransmissions.begin()->first <= end)
    {
        const auto [sentBefore, offset] = *m_retransmissions.begin();
        m_retransmissions.erase(m_retransmissions.begin());
        const auto segment = m_segments.find(offset);
        if (segment != m_segments.end() && segment->second.isRetransmitted &&
            segment->second.sentBefore == sentBefore)
        {
            ForgetRetransmission(segment);
            Lose(segment);
            m_unsackedFrom = std::min(m_unsackedFrom, offset);
            m_lostRetransmission = sentBefore;
        }
    }
}

void
TcpScoreboardCore::ForgetRetransmission(Segments::iterator segment)
{
    segment->second.isRetransmitted = false;
    m_retransmittedBytes -= segment->second.bytes;
    m_retransmissions.erase({segment->second.sentBefore, segment->first});
    Note(segment);
}

int64_t
TcpScoreboardCore::GetLostRetransmission() const
{
    return m_lostRetransmission;
}

int64_t
TcpScoreboardCore::SkipSacked(int64_t offset) const
{
    const auto after = m_sackedRuns.upper_bound(offset);
    return after == m_sackedRuns.begin() ? offset : std::max(offset, std::prev(after)->second);
}

void
TcpScoreboardCore::Uncount(const Segment& segment, uint32_t bytes)
{
    m_sentBytes -= bytes;
    m_sackedBytes -= segment.isSacked ? bytes : 0;
    m_lostBytes -= segment.isLost ? bytes : 0;
    m_retransmittedBytes -= segment.isRetransmitted ? bytes : 0;
}

} // namespace ns3::lfn
