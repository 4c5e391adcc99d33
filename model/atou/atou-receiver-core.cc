// SPDX-License-Identifier: GPL-2.0-only
#include "atou-receiver-core.h"

#include <algorithm>
#include <iterator>

namespace ns3::lfn
{

void
AtouReceiverCore::Start(const Settings& settings)
{
    m_settings = settings;
    m_next = 1;
    m_top = 1;
    m_missing = 0;
    m_runs.clear();
    m_waiting.reset();
    m_acks.clear();
    m_counters = {};
}

bool
AtouReceiverCore::OnSegment(uint32_t segment, uint64_t time, Time now)
{
    Expire(now); // a heartbeat comes before a datagram of the same moment
    ++m_counters.packets;
    if (segment == 0 || segment > MAX_SEGMENT)
    {
        ++m_counters.refused;
        return false;
    }
    const auto next = m_next;
    const auto top = m_top;
    const auto missing = m_missing;
    bool isNew = true;
    if (segment < m_next || (segment < m_top && FindRun(segment) != m_runs.end()))
    {
        isNew = false;
    }
    else if (!(segment >= m_top ? OnSegmentAbove(segment) : OnMissingSegment(segment)))
    {
        ++m_counters.refused;
        return false;
    }
    if (segment > top)
    {
        m_counters.maxGap = std::max(m_counters.maxGap, segment - top);
        m_counters.skipped += m_missing - missing;
    }
    m_counters.outOfOrder += isNew && segment > next ? 1 : 0;
    m_counters.duplicates += isNew ? 0 : 1;
    m_counters.maxSegment = std::max(m_counters.maxSegment, segment);

    if (m_settings.delay.IsStrictlyPositive())
    {
        Delay(MakeAck(segment, time), segment, top, now);
    }
    else
    {
        Send(MakeAck(segment, time));
    }
    return isNew;
}

void
AtouReceiverCore::Delay(Ack ack, uint32_t segment, uint32_t top, Time now)
{
    if (m_settings.rule == DelayRule::HEARTBEAT)
    {
        if (m_waiting && m_waiting->isDue)
        {
            Send(std::move(m_waiting->ack));
        }
        const bool isDue = segment != top || segment % 2 == 1;
        m_waiting = Waiting{std::move(ack), isDue, GetNextBeat(now)};
    }
    else if (!m_waiting && m_next == segment + 1)
    {
        m_waiting = Waiting{std::move(ack), false, now + m_settings.delay};
    }
    else
    {
        m_waiting.reset();
        Send(std::move(ack));
    }
}

void
AtouReceiverCore::Expire(Time now)
{
    if (m_waiting && now >= m_waiting->beat)
    {
        ++m_counters.ackTimeouts;
        Send(std::move(m_waiting->ack));
        m_waiting.reset();
    }
}

std::optional<Time>
AtouReceiverCore::GetDeadline() const
{
    return m_waiting ? std::optional(m_waiting->beat) : std::nullopt;
}

std::optional<AtouReceiverCore::Ack>
AtouReceiverCore::NextAck()
{
    if (m_acks.empty())
    {
        return std::nullopt;
    }
    auto ack = std::move(m_acks.front());
    m_acks.pop_front();
    return ack;
}

uint32_t
AtouReceiverCore::GetNext() const
{
    return m_next;
}

std::vector<AtouBlock>
AtouReceiverCore::ListGaps() const
{
    std::vector<AtouBlock> gaps;
    gaps.reserve(m_runs.size());
    uint32_t first = m_next;
    for (const auto& [begin, last] : m_runs)
    {
        gaps.push_back({first, begin - 1});
        first = last + 1;
    }
    return gaps;
}

const AtouReceiverCore::Counters&
AtouReceiverCore::GetCounters() const
{
    return m_counters;
}

AtouReceiverCore::Runs::iterator
AtouReceiverCore::FindRun(uint32_t segment)
{
    const auto above = m_runs.upper_bound(segment);
    if (above == m_runs.begin())
    {
        return m_runs.end();
    }
    const auto run = std::prev(above);
    return segment <= run->second ? run : m_runs.end();
}

bool
AtouReceiverCore::OnSegmentAbove(uint32_t segment)
{
    // A jump for which the gap table has no room is taken for received.
    uint64_t missing = segment - m_top;
    if (m_settings.gapLimit > 0 && m_missing + missing > m_settings.gapLimit)
    {
        missing = 0;
    }
    if (m_missing + missing == 0)
    {
        m_next = segment + 1;
    }
    else if (missing == 0)
    {
        m_runs.rbegin()->second = segment; // a gap has a run above it
    }
    else if (!AddRun(segment, segment))
    {
        return false;
    }
    m_top = segment + 1;
    m_missing += missing;
    return true;
}

bool
AtouReceiverCore::OnMissingSegment(uint32_t segment)
{
    const auto above = m_runs.upper_bound(segment); // there is one: the highest segment's
    const bool touchesAbove = above->first == segment + 1;
    const uint32_t last = touchesAbove ? above->second : segment;
    if (segment == m_next)
    {
        m_next = last + 1;
        if (touchesAbove)
        {
            m_runs.erase(above);
        }
    }
    else if (above != m_runs.begin() && std::prev(above)->second + 1 == segment)
    {
        std::prev(above)->second = last;
        if (touchesAbove)
        {
            m_runs.erase(above);
        }
    }
    else if (touchesAbove)
    {
        auto node = m_runs.extract(above);
        node.key() = segment;
        m_runs.insert(std::move(node));
    }
    else if (!AddRun(segment, segment))
    {
        return false;
    }
    --m_missing;
    return true;
}

bool
AtouReceiverCore::AddRun(uint32_t first, uint32_t last)
{
    if (m_runs.size() >= m_settings.runLimit)
    {
        return false;
    }
    m_runs.emplace_hint(m_runs.end(), first, last);
    return true;
}

AtouReceiverCore::Ack
AtouReceiverCore::MakeAck(uint32_t segment, uint64_t time) const
{
    Ack ack;
    ack.time = time;
    ack.next = m_next;
    if (m_settings.sack)
    {
        auto& blocks = ack.blocks;
        for (auto run = m_runs.rbegin();
             run != m_runs.rend() && blocks.size() < AtouAckHeader::MAX_BLOCKS;
             ++run)
        {
            blocks.push_back({run->first, run->second});
        }
        const auto own = std::find_if(blocks.begin(), blocks.end(), [segment](const auto& block) {
            return block.first <= segment && segment <= block.last;
        });
        if (own != blocks.end())
        {
            std::rotate(blocks.begin(), own, own + 1);
        }
    }
    if (m_settings.padBlocks)
    {
        const auto empty = AtouAckHeader::MAX_BLOCKS - ack.blocks.size();
        ack.padding = static_cast<uint32_t>(empty) * AtouAckHeader::BLOCK_SIZE;
    }
    return ack;
}

void
AtouReceiverCore::Send(Ack ack)
{
    ++m_counters.acks;
    m_counters.sacks += ack.blocks.empty() ? 0 : 1;
    m_acks.push_back(std::move(ack));
}

Time
AtouReceiverCore::GetNextBeat(Time now) const
{
    const int64_t delay = m_settings.delay.GetTimeStep();
    int64_t since = (now.GetTimeStep() - m_settings.phase.GetTimeStep() % delay) % delay;
    since += since < 0 ? delay : 0; // before the phase, too, it beats
    since -= since % MilliSeconds(1).GetTimeStep();
    return TimeStep(static_cast<uint64_t>(now.GetTimeStep() + delay - since));
}

} // namespace ns3::lfn
