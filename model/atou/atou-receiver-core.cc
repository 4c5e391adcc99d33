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
    m_recent.clear();
    m_waiting.reset();
    m_acks.clear();
    m_counters = {};
}

bool
AtouReceiverCore::TakeSegment(uint32_t segment, uint64_t time, Time now)
{
    Expire(now); // a heartbeat comes before a datagram of the same moment
    ++m_counters.packets;
    if (segment == 0 || segment > MAX_SEGMENT)
    {
        ++m_counters.refused;
        return false;
    }
    const bool isInOrder = segment == m_top && m_missing == 0;
    const bool opensHole = segment > m_top;
    bool isNew = true;
    if (segment < m_next)
    {
        isNew = false;
    }
    else if (segment >= m_top)
    {
        const uint32_t skipped = segment - m_top;
        if (!TakeAbove(segment))
        {
            ++m_counters.refused;
            return false;
        }
        m_counters.skipped += skipped;
        m_counters.outOfOrder += isInOrder ? 0 : 1;
    }
    else if (const auto run = FindRun(segment); run != m_runs.end())
    {
        isNew = false;
        Touch(run); // RFC 2018: the first block has the segment that caused the ACK
    }
    else
    {
        const bool isAboveHole = segment > m_next;
        if (!TakeMissing(segment))
        {
            ++m_counters.refused;
            return false;
        }
        m_counters.outOfOrder += isAboveHole ? 1 : 0;
        m_counters.maxGap = std::max(m_counters.maxGap, m_counters.maxSegment - segment);
    }
    m_counters.duplicates += isNew ? 0 : 1;
    m_counters.maxSegment = std::max(m_counters.maxSegment, segment);

    if (m_settings.delay.IsStrictlyPositive())
    {
        if (m_waiting && m_waiting->isDue)
        {
            Send(std::move(m_waiting->ack));
        }
        const bool isDue =
            segment % 2 == 1 || opensHole || (!isInOrder && !m_settings.oddOnlyAlways);
        m_waiting = Waiting{MakeAck(time), isDue, GetNextBeat(now)};
    }
    else
    {
        Send(MakeAck(time));
    }
    return isNew;
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
AtouReceiverCore::ListHoles() const
{
    std::vector<AtouBlock> holes;
    holes.reserve(m_runs.size());
    uint32_t first = m_next;
    for (const auto& [begin, run] : m_runs)
    {
        holes.push_back({first, begin - 1});
        first = run->last + 1;
    }
    return holes;
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
    return segment <= run->second->last ? run : m_runs.end();
}

bool
AtouReceiverCore::TakeAbove(uint32_t segment)
{
    // What the hole table has no room for is taken for received.
    uint64_t missing = segment - m_top;
    if (m_settings.holeLimit > 0)
    {
        missing = std::min(missing, m_settings.holeLimit - m_missing);
    }
    const auto first = static_cast<uint32_t>(m_top + missing);
    if (m_missing + missing == 0)
    {
        m_next = segment + 1;
    }
    else if (missing == 0)
    {
        const auto run = std::prev(m_runs.end()); // a hole has a run above it
        run->second->last = segment;
        Touch(run);
    }
    else if (!AddRun(first, segment))
    {
        return false;
    }
    m_top = segment + 1;
    m_missing += missing;
    return true;
}

bool
AtouReceiverCore::TakeMissing(uint32_t segment)
{
    const auto above = m_runs.upper_bound(segment); // there is one: the highest segment's
    const bool touchesAbove = above->first == segment + 1;
    const uint32_t last = touchesAbove ? above->second->last : segment;
    if (segment == m_next)
    {
        m_next = last + 1;
        if (touchesAbove)
        {
            DropRun(above);
        }
    }
    else if (above != m_runs.begin() && std::prev(above)->second->last + 1 == segment)
    {
        const auto below = std::prev(above);
        below->second->last = last;
        if (touchesAbove)
        {
            DropRun(above);
        }
        Touch(below);
    }
    else if (touchesAbove)
    {
        auto node = m_runs.extract(above);
        node.key() = segment;
        node.mapped()->first = segment;
        Touch(m_runs.insert(std::move(node)).position);
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
    m_recent.push_front({first, last});
    m_runs.emplace(first, m_recent.begin());
    return true;
}

void
AtouReceiverCore::DropRun(Runs::iterator run)
{
    m_recent.erase(run->second);
    m_runs.erase(run);
}

void
AtouReceiverCore::Touch(Runs::iterator run)
{
    m_recent.splice(m_recent.begin(), m_recent, run->second);
}

AtouReceiverCore::Ack
AtouReceiverCore::MakeAck(uint64_t time) const
{
    Ack ack;
    ack.time = time;
    ack.next = m_next;
    if (m_settings.sack)
    {
        const auto count = std::min(m_recent.size(), AtouAckHeader::MAX_BLOCKS);
        const auto most = std::next(m_recent.begin(), static_cast<std::ptrdiff_t>(count));
        ack.blocks.assign(m_recent.begin(), most);
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
    return TimeStep(static_cast<uint64_t>(now.GetTimeStep() + delay - since));
}

} // namespace ns3::lfn
