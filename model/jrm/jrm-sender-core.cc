// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-sender-core.h"

#include "ns3/lfn-erasure-code.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

constexpr int64_t LONGEST_SEND_TIMEOUT = 64; ///< upper bound of what adapts, in first values

} // namespace

void
JrmSenderCore::Start(const Settings& settings)
{
    *this = JrmSenderCore();
    m_settings = settings;
    m_budget = JrmRepairBudget(settings.repairs, settings.packetSize + JrmHeader::SIZE);
    // Every request comes with much time left: literally, the interval would shrink until messages
    // are gone before they are asked for, unless its first value is its lower bound (JRM-D8).
    auto adapt = settings.adapt;
    adapt.shortest = settings.sendTimeoutFloor ? settings.sendTimeout : adapt.shortest;
    adapt.longest = std::max(adapt.longest, settings.sendTimeout * LONGEST_SEND_TIMEOUT);
    m_sendTimeout = JrmAdaptiveTimeout(settings.sendTimeout, adapt);
}

uint64_t
JrmSenderCore::CountPackets(uint32_t length) const
{
    const uint64_t size = m_settings.packetSize;
    return std::max<uint64_t>((length + size - 1) / size, 1);
}

std::optional<JrmMessageId>
JrmSenderCore::Send(uint32_t group, uint32_t length, Time now)
{
    const auto packets = CountPackets(length);
    if (packets > JrmHeader::MAX_PACKETS)
    {
        return std::nullopt;
    }
    const auto next = m_next.try_emplace(group, m_settings.firstMessage).first;
    const JrmMessageId id{m_settings.participant, group, next->second++};
    m_places[GetKey(id)] =
        m_kept.insert(m_kept.end(), Kept{id, length, packets, now, {}, false, {}, {}, {}});
    m_budget.AddMessage(GetSize(length));
    ++m_counters.messages;
    return id;
}

void
JrmSenderCore::Retain(const JrmMessageId& id, Time from)
{
    auto& kept = *m_places.at(GetKey(id));
    kept.since = from;
    kept.left = 0;
}

void
JrmSenderCore::Release(const JrmMessageId& id, uint16_t packet)
{
    const auto found = m_places.find(GetKey(id));
    if (found != m_places.end())
    {
        found->second->left = packet;
    }
}

void
JrmSenderCore::SetHoldOff(uint32_t group, Time holdOff)
{
    m_holdOffs[group] = holdOff;
}

Time
JrmSenderCore::GetHoldOff(uint32_t group) const
{
    const auto reported = m_holdOffs.find(group);
    return reported == m_holdOffs.end() ? m_settings.holdOff
                                        : std::max(reported->second, m_settings.holdOff);
}

bool
JrmSenderCore::HasSentTo(uint32_t group) const
{
    return m_next.contains(group);
}

uint8_t
JrmSenderCore::CountEarlier(const JrmMessageId& id) const
{
    const uint32_t count = id.message - m_settings.firstMessage;
    const JrmMessageId first{id.participant, id.group, m_settings.firstMessage};
    return count <= UINT8_MAX && m_places.contains(GetKey(first)) ? static_cast<uint8_t>(count) : 0;
}

std::optional<DropReason>
JrmSenderCore::OnNack(const JrmMessageId& id,
                      std::span<const uint16_t> packets,
                      bool all,
                      Time now,
                      const JrmSource& source,
                      bool parities)
{
    const auto next = m_next.find(id.group);
    const uint32_t count = next == m_next.end() ? 0 : next->second - m_settings.firstMessage;
    if (id.participant != m_settings.participant || id.message - m_settings.firstMessage >= count)
    {
        ++m_counters.refused;
        return DropReason::OUT_OF_RANGE;
    }
    const auto found = m_places.find(GetKey(id));
    if (found == m_places.end())
    {
        ++m_counters.late;
        m_sendTimeout.Expired(); // what ran out too early (deviation JRM-D8)
        return std::nullopt;
    }
    auto& kept = *found->second;
    const auto verdict = Ask(kept, packets, all, now, source, parities);
    if (!verdict.isUseful)
    {
        const auto refused = verdict.refused;
        ++(verdict.isEarly                      ? m_counters.early
           : refused == DropReason::DUPLICATE   ? m_counters.held
           : refused == DropReason::BUFFER_FULL ? m_counters.denied
                                                : m_counters.refused);
        return verdict.isEarly ? std::nullopt : refused;
    }
    ++m_counters.requests;
    m_sendTimeout.Reset(kept.since + m_sendTimeout.Get() - now);
    if (kept.since < now) // otherwise it has not left, and its time has not begun
    {
        kept.since = now;
        m_kept.splice(m_kept.end(), m_kept, found->second);
    }
    if (m_settings.aggregation.IsZero())
    {
        Respond(kept);
    }
    else if (!kept.gathering)
    {
        kept.gathering = true;
        m_gathered.emplace_back(now + m_settings.aggregation, found->first);
    }
    return std::nullopt;
}

JrmSenderCore::Verdict
JrmSenderCore::Ask(Kept& kept,
                   std::span<const uint16_t> packets,
                   bool all,
                   Time now,
                   const JrmSource& source,
                   bool parities)
{
    const auto last = CountPackets(kept.length);
    Verdict verdict;
    std::set<uint16_t> asked;
    const bool isCoded = parities && m_settings.parityBlock > 0 && last > 1;
    const auto ask = [&](uint64_t packet) {
        if (packet < 1 || packet > last)
        {
            return;
        }
        // What has not left comes anyway: a repair would be a second copy (JRM-D11).
        if (packet > kept.left && !m_settings.copyWaiting)
        {
            verdict.isEarly = true;
        }
        else if (isCoded)
        {
            asked.insert(static_cast<uint16_t>(packet));
        }
        else
        {
            verdict.Add(Want(kept, static_cast<uint16_t>(packet), source, now));
        }
    };
    for (uint64_t packet = 1; all && m_settings.answerAll && packet <= last; ++packet)
    {
        ask(packet);
    }
    for (const auto packet : packets)
    {
        ask(packet);
    }
    WantParities(kept, asked, source, now, verdict);
    return verdict;
}

void
JrmSenderCore::Verdict::Add(std::optional<DropReason> why)
{
    isUseful = isUseful || !why;
    refused = why ? why : refused;
}

std::optional<DropReason>
JrmSenderCore::Want(Kept& kept, uint16_t packet, const JrmSource& source, Time now)
{
    if (kept.wanted.contains(packet))
    {
        return std::nullopt;
    }
    const auto before = kept.repairs.find(packet);
    const bool isKnown = before != kept.repairs.end();
    if (isKnown && before->second.waits)
    {
        return std::nullopt;
    }
    if (isKnown && before->second.source == source &&
        now - before->second.at < GetHoldOff(kept.id.group))
    {
        return DropReason::DUPLICATE; // the answer is on its way
    }
    const auto spacing = GetSpacing();
    if (!m_budget.Spend(source, GetPacketSize(kept, packet)))
    {
        return DropReason::BUFFER_FULL;
    }
    auto& repair = kept.repairs[packet];
    const auto turn = isKnown ? std::max(now, repair.at + spacing) : now;
    repair = {turn, source, turn > now};
    if (repair.waits)
    {
        m_spaced.emplace(turn, Spaced{GetKey(kept.id), packet, false});
    }
    else
    {
        kept.wanted.insert(packet);
    }
    return std::nullopt;
}

void
JrmSenderCore::WantParities(Kept& kept,
                            const std::set<uint16_t>& packets,
                            const JrmSource& source,
                            Time now,
                            Verdict& verdict)
{
    const uint32_t size = m_settings.parityBlock;
    for (auto packet = packets.begin(); packet != packets.end();)
    {
        const auto first = static_cast<uint16_t>((*packet - 1) / size * size + 1);
        uint32_t lacking = 0;
        for (; packet != packets.end() && *packet < first + size; ++packet)
        {
            ++lacking;
        }
        verdict.Add(WantParities(kept, first, lacking, source, now));
    }
}

std::optional<DropReason>
JrmSenderCore::WantParities(Kept& kept,
                            uint16_t first,
                            uint32_t lacking,
                            const JrmSource& source,
                            Time now)
{
    const auto [found, isNew] = kept.blocks.try_emplace(first);
    auto& block = found->second;
    if (!isNew && block.source == source && now - block.at < GetHoldOff(kept.id.group))
    {
        return DropReason::DUPLICATE; // the answer is on its way
    }
    if (lacking <= block.wanted)
    {
        return std::nullopt; // what others lack is enough
    }
    const auto spacing = GetSpacing();
    const auto before = block.wanted;
    const auto bytes = GetPacketSize(kept, first) + JrmParity::SIZE;
    while (block.wanted < lacking && m_budget.Spend(source, bytes))
    {
        ++block.wanted;
    }
    if (block.wanted == before)
    {
        if (isNew)
        {
            kept.blocks.erase(found);
        }
        return DropReason::BUFFER_FULL;
    }
    block.source = source;
    if (before > 0) // they go when the others do
    {
        return std::nullopt;
    }
    const auto turn = isNew ? now : std::max(now, block.at + spacing);
    block.at = turn;
    if (turn > now)
    {
        m_spaced.emplace(turn, Spaced{GetKey(kept.id), first, true});
    }
    else
    {
        kept.wantedBlocks.insert(first);
    }
    return std::nullopt;
}

uint32_t
JrmSenderCore::GetPacketSize(const Kept& kept, uint16_t packet) const
{
    const auto rest = kept.length - (packet - uint64_t{1}) * m_settings.packetSize;
    return static_cast<uint32_t>(std::min<uint64_t>(rest, m_settings.packetSize)) + JrmHeader::SIZE;
}

void
JrmSenderCore::SendParities(Kept& kept, uint16_t first)
{
    auto& block = kept.blocks[first];
    for (; block.wanted > 0; --block.wanted)
    {
        // When all have been sent, the first ones are as good as any.
        const JrmParity parity{m_settings.parityBlock, static_cast<uint8_t>(block.next)};
        block.next = (block.next + 1) % (ErasureCode::MOST - m_settings.parityBlock);
        m_responses.push_back({kept.id, first, kept.length, parity});
        ++m_counters.responses;
        ++m_counters.parities;
    }
}

Time
JrmSenderCore::GetSpacing()
{
    const auto scarcity = m_budget.GetScarcity();
    const auto longest = std::max(m_settings.spacing, m_settings.adapt.longest);
    const double wait = m_settings.spacing.ToDouble(Time::S) * scarcity;
    return scarcity <= 1 ? Time(0)
                         : Time::FromDouble(std::min(wait, longest.ToDouble(Time::S)), Time::S);
}

uint64_t
JrmSenderCore::GetSize(uint32_t length) const
{
    return length + CountPackets(length) * JrmHeader::SIZE;
}

void
JrmSenderCore::Respond(Kept& kept)
{
    for (const auto packet : kept.wanted)
    {
        m_responses.push_back({kept.id, packet, kept.length});
        ++m_counters.responses;
    }
    kept.wanted.clear();
    for (const auto first : kept.wantedBlocks)
    {
        SendParities(kept, first);
    }
    kept.wantedBlocks.clear();
    kept.gathering = false;
}

void
JrmSenderCore::Expire(Time now)
{
    while (!m_gathered.empty() && m_gathered.front().first <= now)
    {
        const auto found = m_places.find(m_gathered.front().second);
        if (found != m_places.end())
        {
            Respond(*found->second);
        }
        m_gathered.pop_front();
    }
    while (!m_spaced.empty() && m_spaced.begin()->first <= now)
    {
        const auto [key, packet, isBlock] = m_spaced.begin()->second;
        m_spaced.erase(m_spaced.begin());
        const auto found = m_places.find(key);
        if (found != m_places.end() && isBlock)
        {
            SendParities(*found->second, packet);
        }
        else if (found != m_places.end())
        {
            found->second->repairs[packet].waits = false;
            m_responses.push_back({found->second->id, packet, found->second->length});
            ++m_counters.responses;
        }
    }
    while (!m_kept.empty() && m_kept.front().since + m_sendTimeout.Get() <= now)
    {
        m_places.erase(GetKey(m_kept.front().id));
        m_budget.RemoveMessage(GetSize(m_kept.front().length));
        m_kept.pop_front();
    }
}

uint64_t
JrmSenderCore::GetKey(const JrmMessageId& id)
{
    return (uint64_t{id.group} << 32) + id.message;
}

std::optional<Time>
JrmSenderCore::GetDeadline() const
{
    std::optional<Time> deadline;
    if (!m_kept.empty())
    {
        deadline = m_kept.front().since + m_sendTimeout.Get();
    }
    if (!m_gathered.empty() && (!deadline || m_gathered.front().first < *deadline))
    {
        deadline = m_gathered.front().first;
    }
    if (!m_spaced.empty() && (!deadline || m_spaced.begin()->first < *deadline))
    {
        deadline = m_spaced.begin()->first;
    }
    return deadline;
}

std::optional<JrmSenderCore::Response>
JrmSenderCore::NextResponse()
{
    if (m_responses.empty())
    {
        return std::nullopt;
    }
    const auto response = m_responses.front();
    m_responses.pop_front();
    return response;
}

std::size_t
JrmSenderCore::GetKept() const
{
    return m_kept.size();
}

const JrmSenderCore::Counters&
JrmSenderCore::GetCounters() const
{
    return m_counters;
}

} // namespace ns3::lfn
