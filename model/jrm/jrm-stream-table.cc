// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-stream-table.h"

#include <algorithm>

namespace ns3::lfn
{

void
JrmReceiverCounters::Add(const JrmReceiverCounters& more)
{
    delivered += more.delivered;
    lost += more.lost;
    nacks += more.nacks;
    suppressed += more.suppressed;
    duplicates += more.duplicates;
    beginnings += more.beginnings;
    withheld += more.withheld;
    answers += more.answers;
}

void
JrmStream::Advance(uint32_t window)
{
    ++next;
    asked.erase(next - 1 - window);
}

void
JrmStream::Close()
{
    asked.clear();
    former.reset();
    probe.reset();
    isOpen = false;
}

JrmStreamTable::JrmStreamTable(const JrmReceiverSettings& settings)
    : m_settings(settings),
      m_budget(settings.limits)
{
}

bool
JrmStreamTable::IsOwner(uint32_t participant, const JrmSource& source) const
{
    const auto stream = m_streams.lower_bound({participant, 0});
    return stream == m_streams.end() || stream->first.first != participant ||
           stream->second.source == source;
}

bool
JrmStreamTable::OnNumber(const JrmMessageId& id, const JrmSource& source, Time now, bool isNews)
{
    if (IsOwner(id.participant, source))
    {
        return true;
    }
    const auto first = m_streams.lower_bound({id.participant, 0});
    const auto second = std::next(first);
    const bool isOnly = second == m_streams.end() || second->first.first != id.participant;
    if (auto& held = first->second; isNews && isOnly && held.datagrams < 2)
    {
        // The first of two sources that a second datagram comes from keeps it.
        const uint64_t datagrams = held.rival == source ? 1 : 0;
        const auto rival = held.source;
        if (!ChangeSource(id.participant, source))
        {
            return false;
        }
        held.rival = rival;
        held.datagrams = datagrams;
        return true;
    }
    const auto last = m_streams.upper_bound({id.participant, UINT32_MAX});
    const bool isSilent = std::all_of(first, last, [&](const auto& entry) {
        return now - entry.second.lastArrival >= m_settings.adapt.longest;
    });
    const auto* const stream = FindOpen(id);
    if (!stream || !isSilent)
    {
        return false;
    }
    const auto ahead = JrmMessageId::GetDistance(stream->next, id.message);
    return ahead <= int64_t{m_settings.maxGap} && -ahead <= int64_t{m_settings.finishedWindow} &&
           ChangeSource(id.participant, source);
}

bool
JrmStreamTable::ChangeSource(uint32_t participant, const JrmSource& source)
{
    const auto first = m_streams.lower_bound({participant, 0});
    const auto last = m_streams.upper_bound({participant, UINT32_MAX});
    const auto streams = static_cast<std::size_t>(std::distance(first, last));
    if (!m_budget.MayMove(first->second.source, source, streams))
    {
        return false;
    }
    for (auto i = first; i != last; ++i)
    {
        auto& stream = i->second;
        auto* const host = m_budget.MoveStream(source);
        for (const auto& [message, holder] : stream.holders)
        {
            m_budget.RemoveHolder(*stream.host, holder.bytes);
            m_budget.AddHolder(*host);
            m_budget.Charge(*host, holder.bytes);
        }
        m_budget.RemoveStream(stream.source);
        stream.source = source;
        stream.host = host;
    }
    return true;
}

JrmStream*
JrmStreamTable::FindOpen(const JrmMessageId& id)
{
    const auto found = m_streams.find({id.participant, id.group});
    return found != m_streams.end() && found->second.isOpen ? &found->second : nullptr;
}

JrmStream*
JrmStreamTable::Get(const JrmMessageId& id, const JrmSource& source, uint8_t earlier)
{
    if (auto* const found = FindOpen(id))
    {
        return found;
    }
    const JrmStream::Key key{id.participant, id.group};
    const bool isNew = !m_streams.contains(key);
    auto* const host = isNew ? m_budget.AddStream(source) : nullptr;
    if (isNew && !host)
    {
        return nullptr;
    }
    auto& stream = m_streams[key];
    if (isNew)
    {
        stream.source = source;
        stream.host = host;
        stream.place = m_byArrival.insert(m_byArrival.end(), key);
    }
    stream.isOpen = true;
    // J-C5: what came before is not missed, unless it is reported. Who joins again may have had it.
    stream.next = id.message - (isNew ? earlier : 0);
    stream.recv = JrmAdaptiveTimeout(m_settings.recvTimeout, m_settings.adapt);
    stream.nack = JrmAdaptiveTimeout(m_settings.nackTimeout, m_settings.adapt);
    stream.grtt.reset();
    return &stream;
}

JrmStream*
JrmStreamTable::Find(const JrmStream::Key& key)
{
    const auto found = m_streams.find(key);
    return found == m_streams.end() ? nullptr : &found->second;
}

std::vector<JrmStream*>
JrmStreamTable::GetGroup(uint32_t group)
{
    std::vector<JrmStream*> streams;
    for (auto& [key, stream] : m_streams)
    {
        if (key.second == group)
        {
            streams.push_back(&stream);
        }
    }
    return streams;
}

void
JrmStreamTable::OnArrival(JrmStream& stream, uint32_t bytes, Time now)
{
    stream.lastArrival = now;
    ++stream.datagrams;
    m_byArrival.splice(m_byArrival.end(), m_byArrival, stream.place);
    m_budget.Credit(*stream.host, bytes);
}

void
JrmStreamTable::Charge(JrmStream& stream, JrmStream::Holder& holder, uint64_t bytes)
{
    holder.bytes += bytes;
    m_budget.Charge(*stream.host, bytes);
}

bool
JrmStreamTable::HasRoom(const JrmStream& stream, const JrmHeader& header, uint32_t bytes) const
{
    const auto packets = JrmAssembly::CountPackets(header.length, m_settings.packetSize);
    const auto known = stream.holders.find(header.id.message);
    const bool isBegun = known != stream.holders.end() && known->second.parts.GetLength();
    // What came counts, not what is claimed; a message of many packets needs a bit for each. The
    // last packet takes no room: it frees what its message has.
    const bool isLast = m_settings.completeImmediately &&
                        (packets == 1 || (isBegun && known->second.parts.CountMissing() == 1));
    const uint64_t more = isLast ? 0 : bytes + (isBegun ? 0 : packets / 8);
    return m_budget.HasRoom(*stream.host, isBegun ? 0 : 1, more);
}

JrmStream*
JrmStreamTable::FindSilent(Time now)
{
    if (!m_settings.streamTimeout.IsStrictlyPositive() || m_byArrival.empty())
    {
        return nullptr;
    }
    auto& stream = m_streams.at(m_byArrival.front());
    return stream.lastArrival + m_settings.streamTimeout > now ? nullptr : &stream;
}

void
JrmStreamTable::Forget(const JrmStream& stream)
{
    const auto key = *stream.place;
    // Numbers are for anybody to invent: those of a few thousand are distinguished.
    const bool isReported =
        m_past.contains(key.first) || m_past.size() < m_settings.limits.maxStreams;
    m_past[isReported ? key.first : 0].Add(stream.counters);
    m_budget.RemoveStream(stream.source);
    m_byArrival.erase(stream.place);
    m_streams.erase(key);
}

JrmHostBudget&
JrmStreamTable::GetBudget()
{
    return m_budget;
}

const JrmHostBudget&
JrmStreamTable::GetBudget() const
{
    return m_budget;
}

JrmReceiverCounters
JrmStreamTable::GetCounters() const
{
    JrmReceiverCounters all;
    for (const auto& [key, stream] : m_streams)
    {
        all.Add(stream.counters);
    }
    for (const auto& [participant, counters] : m_past)
    {
        all.Add(counters);
    }
    return all;
}

JrmReceiverCounters
JrmStreamTable::GetCounters(uint32_t participant) const
{
    JrmReceiverCounters all;
    for (auto stream = m_streams.lower_bound({participant, 0});
         stream != m_streams.end() && stream->first.first == participant;
         ++stream)
    {
        all.Add(stream->second.counters);
    }
    const auto past = m_past.find(participant);
    if (past != m_past.end())
    {
        all.Add(past->second);
    }
    return all;
}

} // namespace ns3::lfn
