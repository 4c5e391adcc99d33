// SPDX-License-Identifier: GPL-2.0-only
#include "udt-sender-core.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr uint32_t PAIR_EVERY = 16;

/**
 * @brief Smooth a rate as UDT4 does, in integers.
 * @param old the rate so far, packets/s
 * @param sample the new one
 * @return the new rate
 */
uint32_t
Smooth(uint32_t old, uint32_t sample)
{
    return static_cast<uint32_t>((7ULL * old + sample) / 8);
}

/**
 * @brief Divide and round up.
 * @param bytes dividend
 * @param size divisor, above 0
 * @return the quotient
 */
uint64_t
CeilDivide(uint64_t bytes, uint64_t size)
{
    return bytes / size + (bytes % size > 0 ? 1 : 0);
}

} // namespace

void
UdtSenderCore::Start(const Settings& settings,
                     std::unique_ptr<UdtCongestion> control,
                     const UdtHandshake& peer,
                     uint64_t bytes,
                     Time now)
{
    m_settings = settings;
    m_control = std::move(control);
    m_numbering = UdtNumbering(peer.initialSequence);
    m_peerId = peer.socketId;
    m_packetsPerWrite = CeilDivide(settings.writeSize, settings.payloadSize);
    Append(bytes);
    m_path.mss = settings.mss;
    m_path.peerWindow = peer.window;
    m_path.initial = peer.initialSequence;
    m_flowWindow = settings.firstWindow > 0 ? settings.firstWindow : peer.window;
    m_path.flowWindow = static_cast<uint32_t>(m_flowWindow);
    m_control->OnStart(now);
    m_expiration = UdtExpiration(settings.expiration, now);
    auto ackTimer = settings.expiration;
    ackTimer.minimum = Time(0);
    ackTimer.each = 2 * ackTimer.syn;
    ackTimer.restarts = false;
    ackTimer.deadCount = std::numeric_limits<uint32_t>::max();
    m_ackTimer = UdtExpiration(ackTimer, now);
    m_next = now;
    UpdateControl();
    Admit(now);
}

void
UdtSenderCore::Append(uint64_t bytes)
{
    Batch batch{m_packets, m_bytes, bytes, 0};
    if (!m_batches.empty())
    {
        const auto& last = m_batches.back();
        batch.message = last.message + CeilDivide(last.bytes, m_settings.writeSize);
    }
    m_batches.push_back(batch);
    m_bytes += bytes;
    m_packets +=
        static_cast<int64_t>(bytes / m_settings.writeSize * m_packetsPerWrite +
                             CeilDivide(bytes % m_settings.writeSize, m_settings.payloadSize));
}

void
UdtSenderCore::Add(Time now, uint64_t bytes)
{
    Append(bytes);
    Admit(now);
    m_next = m_next.value_or(now);
}

std::optional<Time>
UdtSenderCore::GetNextDeparture() const
{
    return m_next;
}

bool
UdtSenderCore::CanSendNew() const
{
    if (m_nextNew - m_lastAck + 1 > std::min(m_flowWindow, m_window) || m_nextNew >= m_packets)
    {
        return false;
    }
    const auto written = m_settings.messages ? FindMessage(m_nextNew).last : m_nextNew;
    return written < m_dataAck + m_settings.sendBuffer;
}

UdtSenderCore::Departure
UdtSenderCore::Describe(int64_t index) const
{
    const auto behind = std::ranges::upper_bound(m_batches, index, {}, &Batch::first);
    const auto& batch = *std::prev(behind);
    const auto inBatch = static_cast<uint64_t>(index - batch.first);
    const auto write = inBatch / m_packetsPerWrite;
    const auto place = inBatch % m_packetsPerWrite * m_settings.payloadSize;
    const auto before = write * m_settings.writeSize + place;
    Departure departure;
    departure.offset = batch.offset + before;
    departure.place = place;
    const auto left = std::min(m_settings.writeSize - place, batch.bytes - before);
    departure.bytes = static_cast<uint32_t>(std::min<uint64_t>(left, m_settings.payloadSize));
    departure.header.sequence = m_numbering.GetSequence(index);
    departure.header.isFirst = place == 0;
    departure.header.isLast = departure.bytes == left;
    departure.header.isInOrder = m_settings.isInOrder;
    // 1 to 2^29 - 2, then from 1 again.
    departure.header.message =
        static_cast<uint32_t>((batch.message + write) % ((1U << 29) - 2)) + 1;
    departure.header.destination = m_peerId;
    return departure;
}

UdtSenderCore::Message
UdtSenderCore::FindMessage(int64_t index) const
{
    const auto departure = Describe(index);
    const auto& batch = *std::prev(std::ranges::upper_bound(m_batches, index, {}, &Batch::first));
    Message message;
    message.first = index - static_cast<int64_t>(departure.place / m_settings.payloadSize);
    const uint64_t start = departure.offset - departure.place - batch.offset;
    message.bytes = std::min<uint64_t>(m_settings.writeSize, batch.bytes - start);
    message.last =
        message.first + static_cast<int64_t>(CeilDivide(message.bytes, m_settings.payloadSize)) - 1;
    message.number = departure.header.message;
    return message;
}

void
UdtSenderCore::Admit(Time now)
{
    if (m_settings.timeToLive.IsZero())
    {
        return;
    }
    while (!m_admissions.empty() && m_admissions.front().end <= m_dataAck)
    {
        m_admissions.pop_front();
    }
    while (!m_givenUp.empty() && m_givenUp.begin()->second < m_dataAck)
    {
        m_givenUp.erase(m_givenUp.begin());
    }
    const auto end = std::min(m_packets, m_dataAck + m_settings.sendBuffer);
    if (m_admissions.empty() || m_admissions.back().end < end)
    {
        m_admissions.push_back({end, now});
    }
}

void
UdtSenderCore::GiveUp(Time now)
{
    if (m_settings.timeToLive.IsZero())
    {
        return;
    }
    while (const auto lost = m_lost.GetFirst())
    {
        const auto message = FindMessage(*lost);
        const auto written =
            std::ranges::upper_bound(m_admissions, message.last, {}, &Admission::end);
        if (written == m_admissions.end() || now - written->time <= m_settings.timeToLive)
        {
            return;
        }
        m_lost.Remove(message.first, message.last);
        // Those of its packets that were never sent are not sent any more.
        m_nextNew = std::max(m_nextNew, message.last + 1);
        m_replies.emplace_back(
            UdtDrop{message.number,
                    {m_numbering.GetSequence(message.first), m_numbering.GetSequence(message.last)},
                    m_peerId});
        if (m_givenUp.emplace(message.first, message.last).second)
        {
            ++m_counters.lostMessages;
            m_counters.lostBytes += message.bytes;
        }
    }
}

std::optional<UdtSenderCore::Departure>
UdtSenderCore::Send(Time now)
{
    GiveUp(now);
    const auto lost = m_lost.GetFirst();
    if (!lost && !CanSendNew())
    {
        m_next.reset();
        m_late = Time(0);
        return std::nullopt;
    }
    if (m_settings.catchUp && m_next)
    {
        m_late += std::max(now - *m_next, Time(0));
    }
    const int64_t index = lost ? *lost : m_nextNew;
    auto departure = Describe(index);
    MeasureGap(now);
    if (lost)
    {
        m_lost.Remove(index);
        departure.isRetransmission = true;
        ++m_counters.retransmitted;
    }
    else
    {
        m_path.largestSent = m_nextNew++;
    }
    m_isPair = !lost && departure.header.sequence % PAIR_EVERY == 0;
    SetNext();
    ++m_counters.packets;
    return departure;
}

void
UdtSenderCore::SetNext()
{
    Time wait = m_period;
    if (m_isPair)
    {
        wait = Time(0); // the second packet of a pair that measures the capacity leaves at once
        m_late -= m_settings.catchUp ? m_period : Time(0);
    }
    else if (m_settings.catchUp)
    {
        const Time regained = std::min(m_late, wait);
        wait -= regained;
        m_late -= regained;
    }
    m_next = *m_lastDeparture + wait + (m_isPair ? Time(0) : std::exchange(m_pause, Time(0)));
}

void
UdtSenderCore::Interrupt(Time now)
{
    if (m_settings.interruptible && m_next && now < m_busyUntil)
    {
        SetNext();
    }
    else
    {
        m_next = now;
    }
}

void
UdtSenderCore::SetBusyUntil(Time time)
{
    m_busyUntil = time;
}

void
UdtSenderCore::MeasureGap(Time now)
{
    if (m_lastDeparture)
    {
        const auto us = now.GetMicroSeconds() - m_lastDeparture->GetMicroSeconds();
        if (us > 0 && (m_path.leastGapUs == 0 || us < m_path.leastGapUs))
        {
            m_path.leastGapUs = static_cast<uint32_t>(us);
        }
    }
    m_lastDeparture = now;
}

bool
UdtSenderCore::OnPacket(Time now, const UdtPacket& packet)
{
    bool makesSense = true;
    if (const auto* ack = std::get_if<UdtAck>(&packet))
    {
        makesSense = OnAck(now, *ack);
    }
    else if (const auto* nak = std::get_if<UdtNak>(&packet))
    {
        makesSense = OnNak(now, *nak);
    }
    if (makesSense)
    {
        m_expiration.OnArrival(now); // nonsense does not keep a connection alive
        CheckAckTimer(now);
    }
    else
    {
        ++m_counters.refused;
        m_isBroken = m_isBroken || m_settings.strictErrors;
    }
    return makesSense;
}

bool
UdtSenderCore::OnAck(Time now, const UdtAck& ack)
{
    const int64_t next = m_numbering.GetIndex(ack.next, m_lastAck);
    if (next > m_nextNew)
    {
        return false;
    }
    if (next >= m_lastAck)
    {
        m_ackTimer.OnArrival(now);
    }
    if (!ack.path)
    {
        OnLightAck(now, next);
        return true;
    }
    ++m_counters.acks;
    AnswerAck(now, ack.number);
    if (next >= m_lastAck)
    {
        m_flowWindow = ack.path->buffer;
        m_path.flowWindow = ack.path->buffer;
        m_lastAck = next;
    }
    if (next <= m_fullAck)
    {
        if (m_settings.lightAckFrees && !m_next)
        {
            Interrupt(now); // the window may have opened
        }
        return true;
    }
    m_fullAck = next;
    Free(now, next);
    UpdateEstimates(ack);
    m_control->OnAck(now, next, m_path);
    UpdateControl();
    if (!m_next || m_settings.interruptible)
    {
        Interrupt(now);
    }
    return true;
}

void
UdtSenderCore::OnLightAck(Time now, int64_t next)
{
    ++m_counters.lightAcks;
    if (next >= m_lastAck)
    {
        m_flowWindow -= next - m_lastAck;
        m_lastAck = next;
    }
    if (m_settings.lightAckFrees)
    {
        Free(now, next);
        if (!m_next)
        {
            Interrupt(now);
        }
    }
}

void
UdtSenderCore::AnswerAck(Time now, uint32_t number)
{
    const Time least = m_settings.ack2Interval;
    if (least.IsZero() || !m_lastAnswer || now - *m_lastAnswer > least || number == m_answered)
    {
        m_replies.emplace_back(UdtSignal{UdtType::ACK2, number, m_peerId});
        m_answered = number;
        m_lastAnswer = now;
    }
}

void
UdtSenderCore::Free(Time now, int64_t next)
{
    if (next <= m_dataAck)
    {
        return;
    }
    m_dataAck = next;
    while (m_batches.size() > 1 && m_batches[1].first <= next)
    {
        m_batches.pop_front();
    }
    m_lost.RemoveBefore(next);
    Admit(now);
}

void
UdtSenderCore::UpdateEstimates(const UdtAck& ack)
{
    if (m_settings.smoothRtt)
    {
        m_rtt.OnSample(ack.path->rttUs);
    }
    else
    {
        m_rtt.Set(ack.path->rttUs, ack.path->rttVarUs);
    }
    m_path.rttUs = m_rtt.GetRtt();
    if (ack.rates && (ack.rates->arrival > 0 || m_settings.zeroRates))
    {
        m_path.arrivalRate = Smooth(m_path.arrivalRate, ack.rates->arrival);
    }
    if (ack.rates && (ack.rates->capacity > 0 || m_settings.zeroRates))
    {
        m_path.capacity = Smooth(m_path.capacity, ack.rates->capacity);
    }
}

bool
UdtSenderCore::OnNak(Time now, const UdtNak& nak)
{
    int64_t first = m_nextNew;
    for (const auto& range : nak.lost)
    {
        const int64_t from = m_numbering.GetIndex(range.first, m_lastAck);
        const int64_t to = from + UdtDistance(range.first, range.last);
        if (to >= m_nextNew)
        {
            return false;
        }
        first = std::min(first, from);
    }
    ++m_counters.naks;
    for (const auto& range : nak.lost)
    {
        const int64_t from = m_numbering.GetIndex(range.first, m_lastAck);
        const int64_t to = from + UdtDistance(range.first, range.last);
        m_counters.lost += static_cast<uint64_t>(to - from + 1);
        if (to >= m_lastAck)
        {
            m_lost.Add(std::max(from, m_lastAck), to);
        }
    }
    if (m_settings.nakAddsFirst && m_nextNew > m_lastAck)
    {
        m_lost.Add(m_lastAck, m_lastAck);
    }
    m_path.lost = m_lost.GetSize();
    m_pause = std::max(m_pause, m_control->OnLoss(first, m_path));
    UpdateControl();
    if (!m_next || m_settings.nakEndsWait)
    {
        Interrupt(now);
    }
    return true;
}

void
UdtSenderCore::UpdateControl()
{
    double period = m_control->GetPeriod();
    if (m_settings.maxRate > 0)
    {
        period = std::max(period, 8e6 * m_settings.mss / static_cast<double>(m_settings.maxRate));
    }
    m_period = NanoSeconds(static_cast<int64_t>(std::min(period, 1e12) * 1e3));
    if (const auto step = m_settings.pacingGranularity.GetTimeStep(); step > 0)
    {
        m_period = TimeStep(m_period.GetTimeStep() / step * step);
    }
    m_window = static_cast<int64_t>(std::min(m_control->GetWindow(), 1e12));
}

Time
UdtSenderCore::GetNextCheck() const
{
    const bool isAwaited = m_settings.ackTimer && m_dataAck < m_packets;
    return m_expiration.GetNextCheck(isAwaited ? m_ackTimer.GetNextCheck(Time::Max(), m_rtt)
                                               : Time::Max(),
                                     m_rtt);
}

bool
UdtSenderCore::OnCheck(Time now)
{
    CheckAckTimer(now);
    const auto outcome = m_expiration.Check(now, m_rtt);
    if (outcome != UdtExpiration::Outcome::EXPIRED)
    {
        return outcome == UdtExpiration::Outcome::WAITING;
    }
    if (IsComplete())
    {
        ++m_counters.expirations;
        m_replies.emplace_back(UdtSignal{UdtType::KEEP_ALIVE, 0, m_peerId});
    }
    else if (!m_settings.ackTimer)
    {
        OnTimeout(now);
    }
    return true;
}

void
UdtSenderCore::CheckAckTimer(Time now)
{
    if (m_settings.ackTimer && m_dataAck < m_packets &&
        m_ackTimer.Check(now, m_rtt) == UdtExpiration::Outcome::EXPIRED)
    {
        OnTimeout(now);
    }
}

void
UdtSenderCore::OnTimeout(Time now)
{
    ++m_counters.expirations;
    if (m_nextNew > m_lastAck && !m_lost.GetFirst())
    {
        m_lost.Add(m_lastAck, m_nextNew - 1);
    }
    m_control->OnTimeout(m_path);
    UpdateControl();
    m_next = m_settings.ackTimer ? m_next.value_or(now) : now;
}

std::vector<UdtPacket>
UdtSenderCore::TakeReplies()
{
    return std::exchange(m_replies, {});
}

bool
UdtSenderCore::IsComplete() const
{
    return m_control && m_dataAck >= m_packets;
}

bool
UdtSenderCore::IsBroken() const
{
    return m_isBroken;
}

uint64_t
UdtSenderCore::GetAcknowledgedBytes() const
{
    return m_dataAck >= m_packets ? m_bytes : Describe(m_dataAck).offset;
}

const UdtPathState&
UdtSenderCore::GetPath() const
{
    return m_path;
}

const UdtCongestion*
UdtSenderCore::GetControl() const
{
    return m_control.get();
}

const UdtLossList&
UdtSenderCore::GetLost() const
{
    return m_lost;
}

const UdtSenderCore::Counters&
UdtSenderCore::GetCounters() const
{
    return m_counters;
}

} // namespace ns3::lfn
