// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-receiver-core.h"

#include "jrm-grtt.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::lfn
{

namespace
{

/// How far a message number is ahead of another; negative when behind. Numbers wrap (RFC 1982).
int64_t
Distance(uint32_t from, uint32_t to)
{
    return static_cast<int32_t>(to - from);
}

/// A time of so many seconds, cut off where sums of times would pass their limit.
Time
Limit(double seconds)
{
    const auto most = static_cast<double>(JrmReceiverCore::LONGEST_WAIT_S);
    return Time::FromDouble(std::min(seconds, most), Time::S);
}

/// How long to wait for a response after so many requests before. Backing off ends at the bound of
/// what adapts (deviation JRM-D3).
Time
GetWait(Time nackTimeout, double nackBackoff, uint32_t attempts, Time longest)
{
    const auto wait = Limit(nackTimeout.ToDouble(Time::S) * std::pow(nackBackoff, attempts));
    return std::min(wait, std::max(nackTimeout, longest));
}

/// Whether packets hold as many of each block as others do.
bool
IsCounted(std::span<const uint16_t> packets, std::span<const uint16_t> others, uint32_t blockSize)
{
    std::map<uint32_t, int64_t> more;
    for (const auto packet : packets)
    {
        ++more[(packet - 1) / blockSize];
    }
    return std::all_of(others.begin(), others.end(), [&](uint16_t other) {
        return --more[(other - 1) / blockSize] >= 0;
    });
}

/// Sum up what has happened.
void
Add(JrmReceiverCore::Counters& sum, const JrmReceiverCore::Counters& more)
{
    sum.delivered += more.delivered;
    sum.lost += more.lost;
    sum.nacks += more.nacks;
    sum.suppressed += more.suppressed;
    sum.duplicates += more.duplicates;
    sum.beginnings += more.beginnings;
    sum.withheld += more.withheld;
    sum.answers += more.answers;
}

} // namespace

Time
JrmReceiverCore::Settings::GetLongestRepair() const
{
    const auto longest = [this](Time timeout) {
        return adapt.adaptive ? std::max(timeout, adapt.longest) : timeout;
    };
    const Time first = grtt ? std::max(nackTimeout, adapt.longest) : longest(nackTimeout);
    double sum = std::max(longest(recvTimeout), reorderWait).ToDouble(Time::S);
    for (uint32_t attempt = 0; attempt < maxNackAttempts; ++attempt)
    {
        const auto wait = GetWait(first, nackBackoff, attempt, adapt.longest) + maxBackoff;
        sum += wait.ToDouble(Time::S);
        if (sum > static_cast<double>(LONGEST_WAIT_S))
        {
            break;
        }
    }
    return Limit(sum);
}

void
JrmReceiverCore::Start(const Settings& settings, std::function<double()> uniform)
{
    *this = JrmReceiverCore();
    m_settings = settings;
    m_uniform = std::move(uniform);
    m_budget = JrmHostBudget(settings.limits);
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
        m_observer({id,
                    what,
                    isKnown ? holder->parts.CountMissing() : 0,
                    holder ? holder->attempts : 0,
                    wait});
    }
}

std::optional<DropReason>
JrmReceiverCore::TakePacket(const JrmHeader& header,
                            uint32_t bytes,
                            std::span<const uint8_t> data,
                            Time now,
                            const JrmSource& source,
                            std::optional<JrmParity> parity)
{
    ForgetSilent(now);
    const auto& id = header.id;
    if (!TakeNumber(id, source, now, header.type == JrmType::MSG))
    {
        return DropReason::UNKNOWN_PEER;
    }
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
    const bool isNews = header.type == JrmType::MSG;
    if (!isNews && !FindStream(id))
    {
        return DropReason::UNEXPECTED; // J-C5: repeats for others say nothing of a beginning
    }
    const uint8_t earlier = isNews && m_settings.fromBeginning ? header.flags : 0;
    auto* stream = GetStream(id, source, earlier);
    if (!stream)
    {
        return DropReason::BUFFER_FULL;
    }
    Hear(*stream, bytes, now);
    const auto known = stream->holders.find(id.message);
    const bool isBegun = known != stream->holders.end() && known->second.parts.GetLength();
    // What came counts, not what is claimed; a message of many packets needs a bit for each. The
    // last packet takes no room: it frees what its message has.
    const bool isLast = m_settings.completeImmediately &&
                        (packets == 1 || (isBegun && known->second.parts.CountMissing() == 1));
    const uint64_t more = isLast ? 0 : bytes + (isBegun ? 0 : packets / 8);
    if (!m_budget.HasRoom(*stream->host, isBegun ? 0 : 1, more))
    {
        return DropReason::BUFFER_FULL;
    }
    Notice(*stream, id, isNews, earlier, now);
    const auto found = stream->holders.find(id.message);
    const bool isKnown = found != stream->holders.end();
    if (!isKnown)
    {
        const bool isNew = stream->next == id.message;
        if (!isNew && stream->asked.erase(id.message) == 0)
        {
            ++stream->counters.duplicates;
            return DropReason::DUPLICATE;
        }
        if (isNew)
        {
            Advance(*stream);
        }
        if (packets == 1 && m_settings.completeImmediately)
        {
            // The usual message: complete at once, it needs no holder, but counts as one.
            m_budget.PassHolder();
            ++stream->counters.delivered;
            m_offeredBytes += header.length;
            m_deliveries.push_back({id, header.length, now, now, {data.begin(), data.end()}});
            return std::nullopt;
        }
    }
    auto& holder = isKnown ? found->second : MakeHolder(*stream, id, now);
    if (!holder.parts.GetLength())
    {
        holder.parts.Begin(header.length, m_settings.packetSize, m_settings.keepData);
        Charge(*stream, holder, packets / 8);
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
        stream->counters.duplicates += refused == DropReason::DUPLICATE ? 1 : 0;
        return refused;
    }
    Charge(*stream, holder, bytes);
    if (holder.timer != m_timers.end() && holder.wait != Wait::BACKOFF)
    {
        const Time left = holder.timer->first - now;
        (holder.wait == Wait::RESPONSE ? stream->nack : stream->recv).Reset(left);
    }
    holder.attempts = 0; // a response: the algorithm starts all over
    if (holder.parts.CountMissing() == 0 && m_settings.completeImmediately)
    {
        Complete(*stream, id, now);
    }
    else
    {
        SetTimer(holder, id, Wait::PACKETS, now + stream->recv.Get());
    }
    return std::nullopt;
}

std::optional<DropReason>
JrmReceiverCore::TakeHeartbeat(const JrmMessageId& id,
                               Time now,
                               const JrmSource& source,
                               uint8_t earlier)
{
    ForgetSilent(now);
    if (!TakeNumber(id, source, now, false))
    {
        return DropReason::UNKNOWN_PEER;
    }
    auto after = id;
    ++after.message; // its next message would show that this one is missing
    auto* stream = GetStream(after, source, m_settings.fromBeginning ? earlier : 0);
    if (!stream)
    {
        return DropReason::BUFFER_FULL;
    }
    Hear(*stream, 0, now);
    Notice(*stream, after, false, 0, now);
    return Distance(stream->next, after.message) > 0 ? std::optional(DropReason::OUT_OF_RANGE)
                                                     : std::nullopt;
}

std::optional<DropReason>
JrmReceiverCore::TakeProbe(const JrmMessageId& id, uint16_t told, Time now, const JrmSource& source)
{
    ForgetSilent(now);
    if (!IsOwner(id.participant, source))
    {
        return DropReason::UNKNOWN_PEER;
    }
    auto* const stream = m_settings.grtt ? FindStream(id) : nullptr;
    if (!stream)
    {
        return DropReason::UNEXPECTED;
    }
    if (told > JrmGrtt::MOST)
    {
        return DropReason::OUT_OF_RANGE;
    }
    if (const auto grtt = JrmGrtt::Restore(told))
    {
        stream->grtt = grtt;
    }
    // One answer for a probe at most, and no longer: it brings no more bytes than came. The credit
    // for requests stays as it is.
    if (!stream->probe)
    {
        const auto most = std::min(stream->grtt.value_or(m_settings.nackTimeout),
                                   std::max(m_settings.nackTimeout, m_settings.adapt.longest));
        m_due.emplace(now + Limit(m_uniform() * most.ToDouble(Time::S)),
                      StreamKey(id.participant, id.group));
    }
    stream->probe = Probe{id.message, now};
    return std::nullopt;
}

void
JrmReceiverCore::AnswerProbes(Time now)
{
    while (!m_due.empty() && m_due.begin()->first <= now)
    {
        const auto key = m_due.begin()->second;
        m_due.erase(m_due.begin());
        const auto stream = m_streams.find(key);
        if (stream != m_streams.end() && stream->second.probe)
        {
            const auto probe = *std::exchange(stream->second.probe, std::nullopt);
            ++stream->second.counters.answers;
            m_answers.push_back(
                {{key.first, key.second, probe.number}, now - probe.heard, stream->second.source});
        }
    }
}

Time
JrmReceiverCore::GetNackTimeout(const Stream& stream) const
{
    if (!stream.grtt)
    {
        return stream.nack.Get();
    }
    const auto& adapt = m_settings.adapt;
    const double seconds = stream.grtt->ToDouble(Time::S) * m_settings.grttFactor;
    // Whatever is told, and by whomever: no longer than what adapts may become.
    const auto most = std::max(adapt.longest, adapt.shortest);
    return std::clamp(Limit(seconds) + m_settings.aggregation, adapt.shortest, most);
}

void
JrmReceiverCore::Overhear(const JrmMessageId& id,
                          std::span<const uint16_t> packets,
                          bool all,
                          Time now,
                          bool parities)
{
    const auto stream = m_streams.find({id.participant, id.group});
    if (stream == m_streams.end())
    {
        return;
    }
    const auto found = stream->second.holders.find(id.message);
    if (found == stream->second.holders.end() || found->second.wait != Wait::BACKOFF)
    {
        return;
    }
    const auto& parts = found->second.parts;
    const auto missing = parts.ListMissing(JrmHeader::MAX_PACKETS);
    // What others lack is as good, where parities answer and this receiver takes them.
    const auto blockSize = parts.GetBlockSize() > 0 ? parts.GetBlockSize() : m_settings.parityBlock;
    const bool isCovered =
        all ||
        (parities && blockSize > 0
             ? IsCounted(packets, missing, blockSize)
             : std::includes(packets.begin(), packets.end(), missing.begin(), missing.end()));
    if (isCovered)
    {
        ++stream->second.counters.suppressed;
        Report("another receiver requests it", id, &found->second);
        AwaitResponse(stream->second, found->second, id, now);
    }
}

void
JrmReceiverCore::Leave(uint32_t group)
{
    for (auto& [key, stream] : m_streams)
    {
        if (key.second != group)
        {
            continue;
        }
        while (!stream.holders.empty())
        {
            Forget(stream, stream.holders.begin());
        }
        stream.asked.clear();
        stream.former.reset();
        stream.probe.reset();
        stream.isOpen = false;
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
        auto& stream = m_streams.at({id.participant, id.group});
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
    auto deadline = m_timers.empty() ? std::nullopt : std::optional(m_timers.begin()->first);
    if (!m_due.empty() && (!deadline || m_due.begin()->first < *deadline))
    {
        deadline = m_due.begin()->first;
    }
    return deadline;
}

std::optional<JrmReceiverCore::Nack>
JrmReceiverCore::NextNack()
{
    if (m_nacks.empty())
    {
        return std::nullopt;
    }
    auto nack = std::move(m_nacks.front());
    m_nacks.pop_front();
    return nack;
}

std::optional<JrmReceiverCore::Answer>
JrmReceiverCore::NextAnswer()
{
    if (m_answers.empty())
    {
        return std::nullopt;
    }
    const auto answer = m_answers.front();
    m_answers.pop_front();
    return answer;
}

std::optional<JrmReceiverCore::Delivery>
JrmReceiverCore::NextDelivery()
{
    if (m_deliveries.empty())
    {
        return std::nullopt;
    }
    auto delivery = std::move(m_deliveries.front());
    m_deliveries.pop_front();
    return delivery;
}

std::size_t
JrmReceiverCore::GetHolders() const
{
    return m_budget.GetHolders();
}

std::size_t
JrmReceiverCore::GetPeakHolders() const
{
    return m_budget.GetPeakHolders();
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

JrmReceiverCore::Counters
JrmReceiverCore::GetCounters() const
{
    Counters all;
    for (const auto& [key, stream] : m_streams)
    {
        Add(all, stream.counters);
    }
    for (const auto& [participant, counters] : m_past)
    {
        Add(all, counters);
    }
    return all;
}

JrmReceiverCore::Counters
JrmReceiverCore::GetCounters(uint32_t participant) const
{
    Counters all;
    for (auto stream = m_streams.lower_bound({participant, 0});
         stream != m_streams.end() && stream->first.first == participant;
         ++stream)
    {
        Add(all, stream->second.counters);
    }
    const auto past = m_past.find(participant);
    if (past != m_past.end())
    {
        Add(all, past->second);
    }
    return all;
}

void
JrmReceiverCore::ForgetSilent(Time now)
{
    while (m_settings.streamTimeout.IsStrictlyPositive() && !m_heard.empty())
    {
        const auto key = m_heard.front();
        auto& stream = m_streams.at(key);
        if (stream.heard + m_settings.streamTimeout > now)
        {
            return;
        }
        while (!stream.holders.empty())
        {
            GiveUp(stream, stream.holders.begin());
        }
        // Numbers are for anybody to invent: those of a few thousand are told apart.
        const bool isTold =
            m_past.contains(key.first) || m_past.size() < m_settings.limits.maxStreams;
        Add(m_past[isTold ? key.first : 0], stream.counters);
        m_budget.RemoveStream(stream.source);
        m_heard.pop_front();
        m_streams.erase(key);
    }
}

bool
JrmReceiverCore::IsOwner(uint32_t participant, const JrmSource& source) const
{
    const auto stream = m_streams.lower_bound({participant, 0});
    return stream == m_streams.end() || stream->first.first != participant ||
           stream->second.source == source;
}

bool
JrmReceiverCore::TakeNumber(const JrmMessageId& id, const JrmSource& source, Time now, bool isNews)
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
        return now - entry.second.heard >= m_settings.adapt.longest;
    });
    const auto* const stream = FindStream(id);
    if (!stream || !isSilent)
    {
        return false;
    }
    const auto ahead = Distance(stream->next, id.message);
    return ahead <= int64_t{m_settings.maxGap} && -ahead <= int64_t{m_settings.finishedWindow} &&
           ChangeSource(id.participant, source);
}

bool
JrmReceiverCore::ChangeSource(uint32_t participant, const JrmSource& source)
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

JrmReceiverCore::Stream*
JrmReceiverCore::FindStream(const JrmMessageId& id)
{
    const auto found = m_streams.find({id.participant, id.group});
    return found != m_streams.end() && found->second.isOpen ? &found->second : nullptr;
}

JrmReceiverCore::Stream*
JrmReceiverCore::GetStream(const JrmMessageId& id, const JrmSource& source, uint8_t earlier)
{
    if (auto* const found = FindStream(id))
    {
        return found;
    }
    const StreamKey key{id.participant, id.group};
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
        stream.place = m_heard.insert(m_heard.end(), key);
    }
    stream.isOpen = true;
    // J-C5: what came before is not missed, unless it is told. Who joins again may have had it.
    stream.next = id.message - (isNew ? earlier : 0);
    stream.recv = JrmAdaptiveTimeout(m_settings.recvTimeout, m_settings.adapt);
    stream.nack = JrmAdaptiveTimeout(m_settings.nackTimeout, m_settings.adapt);
    stream.grtt.reset();
    return &stream;
}

void
JrmReceiverCore::Hear(Stream& stream, uint32_t bytes, Time now)
{
    stream.heard = now;
    ++stream.datagrams;
    m_heard.splice(m_heard.end(), m_heard, stream.place);
    m_budget.Credit(*stream.host, bytes);
}

void
JrmReceiverCore::Charge(Stream& stream, Holder& holder, uint64_t bytes)
{
    holder.bytes += bytes;
    m_budget.Charge(*stream.host, bytes);
}

void
JrmReceiverCore::Notice(Stream& stream,
                        const JrmMessageId& id,
                        bool isNews,
                        uint8_t earlier,
                        Time now)
{
    const auto ahead = Distance(stream.next, id.message);
    if (ahead > int64_t{m_settings.maxGap} || -ahead > int64_t{m_settings.finishedWindow})
    {
        // A participant that has come back numbers from elsewhere. Repeated packets prove nothing,
        // nor do late ones of the time before.
        const auto back = stream.former ? Distance(id.message, *stream.former) : 0;
        const bool isLate = back > 0 && back <= int64_t{m_settings.finishedWindow};
        if (!isNews || isLate || stream.holders.contains(id.message))
        {
            return;
        }
        Restart(stream, id.message - earlier);
    }
    while (Distance(stream.next, id.message) > 0)
    {
        auto missing = id;
        missing.message = stream.next;
        Advance(stream);
        Report("a later message shows it missing", missing, nullptr);
        if (m_settings.createHolderOnGap && !m_budget.HasRoom(*stream.host, 2, 0))
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
        // J-C7, literally: asked for once; what comes of it opens a holder.
        if (m_budget.Afford(*stream.host, 1) == 1)
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
JrmReceiverCore::Advance(Stream& stream) const
{
    ++stream.next;
    stream.asked.erase(stream.next - 1 - m_settings.finishedWindow);
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
    m_budget.AddHolder(*stream.host);
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
    wait += m_settings.maxBackoff.IsStrictlyPositive() ? DrawBackoff() : Time(0);
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
    const auto missing =
        holder.parts.ListMissing(std::max<std::size_t>(m_budget.GetRequestRoom(*stream.host), 1));
    auto lacking = holder.parts.CountMissing();
    const bool isUnknown = !holder.parts.GetLength();
    const auto most = std::max(m_settings.packetSize, 1024U) / 2 - 1; // a count takes 2 bytes
    for (auto first = missing.begin(); first != missing.end();)
    {
        const auto wanted = std::min<std::ptrdiff_t>(most, missing.end() - first);
        const auto count = m_budget.Afford(*stream.host, static_cast<std::size_t>(wanted));
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
    const auto wait = GetWait(GetNackTimeout(stream),
                              m_settings.nackBackoff,
                              holder.attempts,
                              m_settings.adapt.longest);
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
    m_budget.RemoveHolder(*stream.host, holder->second.bytes);
    stream.holders.erase(holder);
}

Time
JrmReceiverCore::DrawBackoff()
{
    const double longest = m_settings.maxBackoff.ToDouble(Time::S);
    const double lambda = std::log(static_cast<double>(std::max(m_settings.groupSize, 1U))) + 1;
    const double scale = lambda / (longest * (std::exp(lambda) - 1));
    const double x = m_uniform() * lambda / longest + scale;
    const double wait = longest / lambda * std::log(x * (std::exp(lambda) - 1) * longest / lambda);
    return Time::FromDouble(std::clamp(wait, 0.0, longest), Time::S);
}

} // namespace ns3::lfn
