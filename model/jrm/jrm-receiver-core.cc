// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-receiver-core.h"

#include "jrm-grtt.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

namespace
{

/// Take the first entry out of a queue, if there is one.
template <typename T>
std::optional<T>
TakeFirst(std::deque<T>& queue)
{
    if (queue.empty())
    {
        return std::nullopt;
    }
    std::optional<T> first(std::move(queue.front()));
    queue.pop_front();
    return first;
}

} // namespace

void
JrmReceiverCore::Start(const Settings& settings, std::function<double()> uniform)
{
    *this = JrmReceiverCore();
    m_settings = settings;
    m_uniform = std::move(uniform);
    m_streams = JrmStreamTable(settings);
}

void
JrmReceiverCore::SetObserver(std::function<void(const Decision&)> observer)
{
    m_observer = std::move(observer);
}

void
JrmReceiverCore::Report(const char* what,
                        const JrmMessageId& id,
                        const Holder* holder,
                        Time wait) const
{
    if (m_observer)
    {
        const bool isKnown = holder && holder->parts.GetLength();
        const uint64_t missing = isKnown ? holder->parts.CountMissing() : 0;
        m_observer({id, what, missing, holder ? holder->attempts : 0, wait});
    }
}

std::optional<DropReason>
JrmReceiverCore::OnPacket(const JrmHeader& header,
                          uint32_t bytes,
                          std::span<const uint8_t> data,
                          Time now,
                          const JrmSource& source,
                          std::optional<JrmParity> parity)
{
    ForgetSilent(now);
    const auto& id = header.id;
    const bool isNews = header.type == JrmType::MSG;
    if (!m_streams.OnNumber(id, source, now, isNews))
    {
        return DropReason::UNKNOWN_PEER;
    }
    if (const auto refused = Check(header, bytes, parity))
    {
        return refused;
    }
    const uint8_t earlier = isNews && m_settings.fromBeginning ? header.flags : 0;
    auto* const stream = m_streams.Get(id, source, earlier);
    if (!stream)
    {
        return DropReason::BUFFER_FULL;
    }
    m_streams.OnArrival(*stream, bytes, now);
    if (!m_streams.HasRoom(*stream, header, bytes))
    {
        return DropReason::BUFFER_FULL;
    }
    OnNumber(*stream, id, isNews, earlier, now);
    const auto found = stream->holders.find(id.message);
    if (found != stream->holders.end())
    {
        return Store(*stream, found->second, header, bytes, data, now, parity);
    }
    const bool isNew = stream->next == id.message;
    if (!isNew && stream->asked.erase(id.message) == 0)
    {
        ++stream->counters.duplicates;
        return DropReason::DUPLICATE;
    }
    if (isNew)
    {
        stream->Advance(m_settings.finishedWindow);
    }
    if (header.length <= m_settings.packetSize && m_settings.completeImmediately)
    {
        // The usual message: complete at once, it needs no holder, but counts as one.
        m_streams.GetBudget().PassHolder();
        ++stream->counters.delivered;
        m_offeredBytes += header.length;
        m_deliveries.push_back({id, header.length, now, now, {data.begin(), data.end()}});
        return std::nullopt;
    }
    return Store(*stream, MakeHolder(*stream, id, now), header, bytes, data, now, parity);
}

std::optional<DropReason>
JrmReceiverCore::Check(const JrmHeader& header,
                       uint32_t bytes,
                       const std::optional<JrmParity>& parity)
{
    if (parity && m_settings.parityBlock == 0)
    {
        return DropReason::UNEXPECTED;
    }
    const auto packets = JrmAssembly::CountPackets(header.length, m_settings.packetSize);
    const uint64_t packet = header.packet;
    if (packet < 1 || packet > packets || packets > JrmHeader::MAX_PACKETS ||
        (parity && (packets == 1 || (packet - 1) % parity->block != 0)))
    {
        return DropReason::OUT_OF_RANGE;
    }
    const auto offset = (packet - 1) * m_settings.packetSize;
    if (bytes != std::min<uint64_t>(m_settings.packetSize, header.length - offset))
    {
        return DropReason::WRONG_LENGTH;
    }
    if (header.type != JrmType::MSG && !m_streams.FindOpen(header.id))
    {
        return DropReason::UNEXPECTED; // J-C5: repeats for others say nothing of a beginning
    }
    return std::nullopt;
}

std::optional<DropReason>
JrmReceiverCore::Store(Stream& stream,
                       Holder& holder,
                       const JrmHeader& header,
                       uint32_t bytes,
                       std::span<const uint8_t> data,
                       Time now,
                       const std::optional<JrmParity>& parity)
{
    if (!holder.parts.GetLength())
    {
        holder.parts.Begin(header.length, m_settings.packetSize, m_settings.keepData);
        const auto packets = JrmAssembly::CountPackets(header.length, m_settings.packetSize);
        m_streams.Charge(stream, holder, packets / 8);
        m_offeredBytes += header.length;
    }
    else if (holder.parts.GetLength() != header.length)
    {
        return DropReason::WRONG_LENGTH;
    }
    std::vector<uint8_t> kept;
    if (m_settings.keepData)
    {
        kept.assign(data.begin(), data.begin() + std::min<std::ptrdiff_t>(bytes, std::ssize(data)));
        kept.resize(bytes);
    }
    if (const auto refused = holder.parts.Store(header.packet, parity, std::move(kept)))
    {
        stream.counters.duplicates += refused == DropReason::DUPLICATE ? 1 : 0;
        return refused;
    }
    m_streams.Charge(stream, holder, bytes);
    if (holder.timer != m_timers.end() && holder.wait != Wait::BACKOFF)
    {
        const Time left = holder.timer->first - now;
        (holder.wait == Wait::RESPONSE ? stream.nack : stream.recv).Reset(left);
    }
    holder.attempts = 0; // a response: the algorithm starts all over
    if (holder.parts.CountMissing() == 0 && m_settings.completeImmediately)
    {
        Complete(stream, header.id, now);
    }
    else
    {
        SetTimer(holder, header.id, Wait::PACKETS, now + stream.recv.Get());
    }
    return std::nullopt;
}

std::optional<DropReason>
JrmReceiverCore::OnHeartbeat(const JrmMessageId& id,
                             Time now,
                             const JrmSource& source,
                             uint8_t earlier)
{
    ForgetSilent(now);
    if (!m_streams.OnNumber(id, source, now, false))
    {
        return DropReason::UNKNOWN_PEER;
    }
    auto after = id;
    ++after.message; // its next message would show that this one is missing
    auto* stream = m_streams.Get(after, source, m_settings.fromBeginning ? earlier : 0);
    if (!stream)
    {
        return DropReason::BUFFER_FULL;
    }
    m_streams.OnArrival(*stream, 0, now);
    OnNumber(*stream, after, false, 0, now);
    return JrmMessageId::GetDistance(stream->next, after.message) > 0
               ? std::optional(DropReason::OUT_OF_RANGE)
               : std::nullopt;
}

std::optional<DropReason>
JrmReceiverCore::OnProbe(const JrmMessageId& id,
                         uint16_t reported,
                         Time now,
                         const JrmSource& source)
{
    ForgetSilent(now);
    if (!m_streams.IsOwner(id.participant, source))
    {
        return DropReason::UNKNOWN_PEER;
    }
    auto* const stream = m_settings.grtt ? m_streams.FindOpen(id) : nullptr;
    if (!stream)
    {
        return DropReason::UNEXPECTED;
    }
    if (reported > JrmGrtt::MOST)
    {
        return DropReason::OUT_OF_RANGE;
    }
    if (const auto grtt = JrmGrtt::Restore(reported))
    {
        stream->grtt = grtt;
    }
    // One answer for a probe at most, and no longer: it brings no more bytes than came. The credit
    // for requests stays as it is.
    if (!stream->probe)
    {
        const auto most = std::min(stream->grtt.value_or(m_settings.nackTimeout),
                                   std::max(m_settings.nackTimeout, m_settings.adapt.longest));
        m_due.emplace(now + JrmCommonSettings::Limit(m_uniform() * most.ToDouble(Time::S)),
                      JrmStream::Key(id.participant, id.group));
    }
    stream->probe = JrmStream::Probe{id.message, now};
    return std::nullopt;
}

void
JrmReceiverCore::AnswerProbes(Time now)
{
    while (!m_due.empty() && m_due.begin()->first <= now)
    {
        const auto key = m_due.begin()->second;
        m_due.erase(m_due.begin());
        auto* const stream = m_streams.Find(key);
        if (stream && stream->probe)
        {
            const auto probe = *std::exchange(stream->probe, std::nullopt);
            ++stream->counters.answers;
            m_answers.push_back(
                {{key.first, key.second, probe.number}, now - probe.arrival, stream->source});
        }
    }
}

void
JrmReceiverCore::OnForeignNack(const JrmMessageId& id,
                               std::span<const uint16_t> packets,
                               bool all,
                               Time now,
                               bool parities)
{
    auto* const stream = m_streams.Find({id.participant, id.group});
    if (!stream)
    {
        return;
    }
    const auto found = stream->holders.find(id.message);
    if (found == stream->holders.end() || found->second.wait != Wait::BACKOFF)
    {
        return;
    }
    if (all || found->second.parts.IsCoveredBy(packets, parities, m_settings.parityBlock))
    {
        ++stream->counters.suppressed;
        Report("another receiver requests it", id, &found->second);
        AwaitResponse(*stream, found->second, id, now);
    }
}

void
JrmReceiverCore::Leave(uint32_t group)
{
    for (auto* const stream : m_streams.GetGroup(group))
    {
        while (!stream->holders.empty())
        {
            Forget(*stream, stream->holders.begin());
        }
        stream->Close();
    }
    const auto isOfGroup = [group](const auto& entry) { return entry.id.group == group; };
    std::erase_if(m_nacks, isOfGroup);
    std::erase_if(m_answers, isOfGroup);
    std::erase_if(m_deliveries, isOfGroup);
}

void
JrmReceiverCore::Expire(Time now)
{
    AnswerProbes(now);
    while (!m_timers.empty() && m_timers.begin()->first <= now)
    {
        const auto id = m_timers.begin()->second;
        auto& stream = *m_streams.Find({id.participant, id.group});
        auto& holder = stream.holders.at(id.message);
        m_timers.erase(m_timers.begin());
        holder.timer = m_timers.end();
        if (holder.parts.CountMissing() == 0)
        {
            Complete(stream, id, now); // without completeImmediately
            continue;
        }
        switch (holder.wait)
        {
        case Wait::PACKETS:
            stream.recv.Expired();
            Report("recvTimeout has expired", id, &holder, stream.recv.Get());
            Request(stream, holder, id, now);
            break;
        case Wait::BACKOFF:
            MakeNack(stream, holder, id, now);
            break;
        case Wait::RESPONSE:
            stream.nack.Expired();
            Report("nackTimeout has expired", id, &holder, stream.nack.Get());
            if (holder.attempts >= m_settings.maxNackAttempts)
            {
                GiveUp(stream, stream.holders.find(id.message));
            }
            else
            {
                Request(stream, holder, id, now);
            }
            break;
        }
    }
}

std::optional<Time>
JrmReceiverCore::GetDeadline() const
{
    auto deadline = m_due.empty() ? std::nullopt : std::optional(m_due.begin()->first);
    if (!m_timers.empty() && (!deadline || m_timers.begin()->first < *deadline))
    {
        deadline = m_timers.begin()->first;
    }
    return deadline;
}

std::optional<JrmReceiverCore::Nack>
JrmReceiverCore::NextNack()
{
    return TakeFirst(m_nacks);
}

std::optional<JrmReceiverCore::Answer>
JrmReceiverCore::NextAnswer()
{
    return TakeFirst(m_answers);
}

std::optional<JrmReceiverCore::Delivery>
JrmReceiverCore::NextDelivery()
{
    return TakeFirst(m_deliveries);
}

std::size_t
JrmReceiverCore::GetHolders() const
{
    return m_streams.GetBudget().GetHolders();
}

std::size_t
JrmReceiverCore::GetPeakHolders() const
{
    return m_streams.GetBudget().GetPeakHolders();
}

uint64_t
JrmReceiverCore::GetOfferedBytes() const
{
    return m_offeredBytes;
}

uint64_t
JrmReceiverCore::GetLostBytes() const
{
    return m_lostBytes;
}

void
JrmReceiverCore::ForgetSilent(Time now)
{
    while (auto* const stream = m_streams.FindSilent(now))
    {
        while (!stream->holders.empty())
        {
            GiveUp(*stream, stream->holders.begin());
        }
        m_streams.Forget(*stream);
    }
}

void
JrmReceiverCore::OnNumber(Stream& stream,
                          const JrmMessageId& id,
                          bool isNews,
                          uint8_t earlier,
                          Time now)
{
    const auto ahead = JrmMessageId::GetDistance(stream.next, id.message);
    if (ahead > int64_t{m_settings.maxGap} || -ahead > int64_t{m_settings.finishedWindow})
    {
        // A participant that has come back numbers from elsewhere. Repeated packets prove nothing,
        // nor do late ones of the time before.
        const auto back = stream.former ? JrmMessageId::GetDistance(id.message, *stream.former) : 0;
        const bool isLate = back > 0 && back <= int64_t{m_settings.finishedWindow};
        if (!isNews || isLate || stream.holders.contains(id.message))
        {
            return;
        }
        Restart(stream, id.message - earlier);
    }
    while (JrmMessageId::GetDistance(stream.next, id.message) > 0)
    {
        auto missing = id;
        missing.message = stream.next;
        stream.Advance(m_settings.finishedWindow);
        Report("a later message shows it missing", missing, nullptr);
        if (m_settings.createHolderOnGap && !m_streams.GetBudget().HasRoom(*stream.host, 2, 0))
        {
            ++stream.counters.lost;
            Report("there is no room for it", missing, nullptr);
            continue;
        }
        if (m_settings.createHolderOnGap)
        {
            auto& holder = MakeHolder(stream, missing, now);
            Request(stream, holder, missing, now, m_settings.reorderWait);
            continue;
        }
        // J-C7, literally: asked for once; what arrives of it opens a holder.
        if (m_streams.GetBudget().Afford(*stream.host, 1) == 1)
        {
            ++stream.counters.nacks;
            m_nacks.push_back({missing, {1}, m_settings.gapNackAllPackets, stream.source});
        }
        else
        {
            ++stream.counters.withheld;
        }
        stream.asked.insert(missing.message);
    }
}

void
JrmReceiverCore::Restart(Stream& stream, uint32_t message)
{
    ++stream.counters.beginnings;
    while (!stream.holders.empty())
    {
        GiveUp(stream, stream.holders.begin());
    }
    stream.asked.clear();
    stream.former = stream.next;
    stream.next = message;
}

JrmReceiverCore::Holder&
JrmReceiverCore::MakeHolder(Stream& stream, const JrmMessageId& id, Time now)
{
    auto& holder = stream.holders[id.message];
    holder.begin = now;
    holder.timer = m_timers.end();
    m_streams.GetBudget().AddHolder(*stream.host);
    return holder;
}

void
JrmReceiverCore::SetTimer(Holder& holder, const JrmMessageId& id, Wait wait, Time until)
{
    holder.wait = wait;
    if (holder.timer == m_timers.end())
    {
        holder.timer = m_timers.emplace(until, id);
        return;
    }
    auto timer = m_timers.extract(holder.timer); // no memory comes or goes
    timer.key() = until;
    holder.timer = m_timers.insert(std::move(timer));
}

void
JrmReceiverCore::Request(Stream& stream,
                         Holder& holder,
                         const JrmMessageId& id,
                         Time now,
                         Time wait)
{
    wait +=
        m_settings.maxBackoff.IsStrictlyPositive() ? m_settings.GetBackoff(m_uniform()) : Time(0);
    if (m_settings.maxBackoff.IsStrictlyPositive() || wait.IsStrictlyPositive())
    {
        SetTimer(holder, id, Wait::BACKOFF, now + wait);
        return;
    }
    MakeNack(stream, holder, id, now);
}

void
JrmReceiverCore::MakeNack(Stream& stream, Holder& holder, const JrmMessageId& id, Time now)
{
    // No more is looked at than may be asked for: what is claimed costs no time, either.
    const auto missing = holder.parts.ListMissing(
        std::max<std::size_t>(m_streams.GetBudget().GetRequestRoom(*stream.host), 1));
    auto lacking = holder.parts.CountMissing();
    const bool isUnknown = !holder.parts.GetLength();
    const auto most = std::max(m_settings.packetSize, 1024U) / 2 - 1; // a count takes 2 bytes
    for (auto first = missing.begin(); first != missing.end();)
    {
        const auto wanted = std::min<std::ptrdiff_t>(most, missing.end() - first);
        const auto count =
            m_streams.GetBudget().Afford(*stream.host, static_cast<std::size_t>(wanted));
        if (count == 0)
        {
            break; // an attempt all the same: it ends
        }
        const auto last = first + static_cast<std::ptrdiff_t>(count);
        ++stream.counters.nacks;
        m_nacks.push_back(
            {id, {first, last}, isUnknown && m_settings.gapNackAllPackets, stream.source});
        first = last;
        lacking -= count;
    }
    stream.counters.withheld += lacking > 0 ? 1 : 0;
    AwaitResponse(stream, holder, id, now);
}

void
JrmReceiverCore::AwaitResponse(Stream& stream, Holder& holder, const JrmMessageId& id, Time now)
{
    const auto wait =
        m_settings.GetResponseWait(m_settings.GetNackTimeout(stream.nack.Get(), stream.grtt),
                                   holder.attempts);
    ++holder.attempts;
    SetTimer(holder, id, Wait::RESPONSE, now + wait);
    Report("a response is awaited", id, &holder, wait);
}

void
JrmReceiverCore::Complete(Stream& stream, const JrmMessageId& id, Time now)
{
    const auto found = stream.holders.find(id.message);
    const auto& holder = found->second;
    const auto& parts = holder.parts;
    m_deliveries.push_back({id, *parts.GetLength(), holder.begin, now, parts.GetData()});
    ++stream.counters.delivered;
    Forget(stream, found);
}

void
JrmReceiverCore::GiveUp(Stream& stream, std::map<uint32_t, Holder>::iterator holder)
{
    ++stream.counters.lost;
    m_lostBytes += holder->second.parts.GetLength().value_or(0);
    Forget(stream, holder);
}

void
JrmReceiverCore::Forget(Stream& stream, std::map<uint32_t, Holder>::iterator holder)
{
    if (holder->second.timer != m_timers.end())
    {
        m_timers.erase(holder->second.timer);
    }
    m_streams.GetBudget().RemoveHolder(*stream.host, holder->second.bytes);
    stream.holders.erase(holder);
}

} // namespace ns3::lfn
