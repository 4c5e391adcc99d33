// SPDX-License-Identifier: GPL-2.0-only
#include "udt-receiver-core.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::lfn
{

UdtReceiverCore::UdtReceiverCore()
    : UdtReceiverCore(Settings(), UdtHandshake(), Time(0))
{
}

UdtReceiverCore::UdtReceiverCore(const Settings& settings, const UdtHandshake& peer, Time now)
    : m_settings(settings),
      m_numbering(peer.initialSequence),
      m_peerId(peer.socketId),
      m_rtt(settings.rttFromFirst),
      m_arrivalRate(settings.arrivalWindow, settings.filter, settings.clockGranularity),
      m_capacity(settings.probeWindow,
                 settings.filter,
                 settings.clockGranularity,
                 settings.strictPairs),
      m_expiration(settings.expiration, now),
      m_nextAck(now + settings.syn),
      m_nextNak(now)
{
}

int64_t
UdtReceiverCore::GetFree() const
{
    return static_cast<int64_t>(m_settings.buffer) - 1 - (m_lastAck - m_read);
}

int64_t
UdtReceiverCore::GetNextExpected() const
{
    return m_lost.GetFirst().value_or(m_largest + 1);
}

UdtReceiverCore::Arrival
UdtReceiverCore::OnData(Time now, const UdtData& header, uint32_t bytes)
{
    m_expiration.OnArrival(now);
    ++m_packets;
    m_arrivalRate.OnPacket(now);
    Arrival arrival;
    arrival.index = m_numbering.GetIndex(header.sequence, m_lastAck);
    const bool isNew = arrival.index > m_largest;
    const double share = static_cast<double>(bytes) / m_settings.payloadSize;
    m_capacity.OnPacket({header.sequence, isNew, share}, now);
    if (arrival.index >= m_lastAck + GetFree())
    {
        arrival.refused = DropReason::BUFFER_FULL;
    }
    else if (arrival.index < m_lastAck || (!isNew && !m_lost.Remove(arrival.index)))
    {
        arrival.refused = DropReason::DUPLICATE;
    }
    else
    {
        if (arrival.index > m_largest + 1)
        {
            const int64_t first = m_largest + 1;
            const int64_t last = arrival.index - 1;
            if (m_settings.nakPerLoss)
            {
                if (!m_lost.GetFirst())
                {
                    m_reports.Clear(); // of losses that have arrived
                }
                m_reports.Add(first, last, now);
            }
            m_lost.Add(first, last);
            m_replies.emplace_back(
                UdtNak{{{m_numbering.GetSequence(first), m_numbering.GetSequence(last)}},
                       m_peerId});
            ++m_counters.naks;
            m_counters.lost += static_cast<uint64_t>(last - first + 1);
            m_lastLoss = now;
            m_isSlowStart = false;
        }
        if (bytes < m_settings.payloadSize)
        {
            m_nextAck = now; // the end of a message: acknowledge at the next look at the timers
        }
        m_lastLoss = isNew ? m_lastLoss : now;
        m_largest = std::max(m_largest, arrival.index);
    }
    CheckAcks(now);
    return arrival;
}

void
UdtReceiverCore::OnSignal(Time now, const UdtSignal& signal)
{
    m_expiration.OnArrival(now);
    if (signal.type == UdtType::ACK2)
    {
        if (const auto answer = m_ackWindow.OnAnswer(signal.info, now))
        {
            m_confirmed = std::max(m_confirmed, answer->next);
            m_rtt.OnSample(answer->rttUs);
        }
    }
    CheckAcks(now);
}

std::optional<std::pair<int64_t, int64_t>>
UdtReceiverCore::OnDrop(Time now, const UdtDrop& drop)
{
    m_expiration.OnArrival(now);
    const int64_t from = m_numbering.GetIndex(drop.range.first, m_lastAck);
    const int64_t last = from + UdtDistance(drop.range.first, drop.range.last);
    const int64_t first = std::max(from, m_lastAck);
    std::optional<std::pair<int64_t, int64_t>> givenUp;
    // Behind a gap of which nothing was reported yet it has to come again.
    if (last >= m_lastAck && last < m_lastAck + GetFree() && first <= m_largest + 1)
    {
        m_lost.Remove(first, last);
        m_largest = std::max(m_largest, last);
        ++m_counters.drops;
        givenUp.emplace(first, last);
    }
    CheckAcks(now);
    return givenUp;
}

void
UdtReceiverCore::CheckAcks(Time now)
{
    if (now > m_nextAck)
    {
        SendAck(now);
        m_nextAck = now + m_settings.syn;
        m_packets = 0;
        m_nextLight = 1;
    }
    else if (m_settings.lightAckPackets > 0 &&
             m_packets >= m_settings.lightAckPackets * m_nextLight)
    {
        SendLightAck();
        ++m_nextLight;
    }
    if (m_settings.repeatNak && m_lost.GetFirst() && now > m_nextNak)
    {
        RepeatNak(now);
        m_nextNak = now + GetNakPeriod();
    }
}

void
UdtReceiverCore::SendAck(Time now)
{
    const int64_t next = GetNextExpected();
    const bool isRepeat = next == m_lastAck;
    const Time repeat = m_settings.ackRepeatRtts > 0
                            ? MicroSeconds(uint64_t{m_settings.ackRepeatRtts} * m_rtt.GetRtt())
                            : m_rtt.GetTimeout();
    if (next == m_confirmed || (isRepeat && m_lastFull && now - *m_lastFull < repeat))
    {
        return;
    }
    m_lastAck = next;
    UdtAck ack;
    ack.next = m_numbering.GetSequence(next);
    ack.destination = m_peerId;
    ack.path = UdtAck::Path{m_rtt.GetRtt(), m_rtt.GetVariation(), UpdateWindow()};
    if (m_settings.ratesInEveryAck || !m_lastFull || now - *m_lastFull > m_settings.syn)
    {
        const bool hasCapacity = !m_settings.flowControl || !m_isSlowStart;
        ack.rates = UdtAck::Rates{m_arrivalRate.GetRate(), hasCapacity ? m_capacity.GetRate() : 0};
        m_lastFull = now;
        ++m_counters.acks;
    }
    else
    {
        ++m_counters.shortAcks;
    }
    ack.number = m_ackWindow.Add(next, now);
    m_replies.emplace_back(ack);
}

uint32_t
UdtReceiverCore::UpdateWindow()
{
    constexpr int64_t LEAST = 2; // a full buffer must not stop the sender for ever
    constexpr double EXTRA = 16;
    constexpr int64_t QUICK_START = 16;
    int64_t window = GetFree();
    if (m_settings.flowControl)
    {
        const auto rate = m_arrivalRate.GetRate();
        const auto seconds = 1e-6 * m_rtt.GetRtt() + m_settings.syn.GetSeconds();
        if (m_isSlowStart)
        {
            m_window = static_cast<double>(m_lastAck);
            if (rate > 0 && m_lastAck >= QUICK_START)
            {
                m_isSlowStart = false;
                m_window = std::floor(rate * seconds) + EXTRA;
            }
        }
        else if (rate > 0)
        {
            m_window = std::ceil(m_window * 0.875 + rate * seconds * 0.125) + EXTRA;
        }
        if (m_window > m_settings.largestWindow)
        {
            m_window = m_settings.largestWindow;
            m_isSlowStart = false;
        }
        window = std::min(window, static_cast<int64_t>(m_window));
    }
    return static_cast<uint32_t>(std::max(window, LEAST));
}

void
UdtReceiverCore::SendLightAck()
{
    const int64_t next = GetNextExpected();
    if (next == m_confirmed)
    {
        return;
    }
    UdtAck ack;
    ack.next = m_numbering.GetSequence(next);
    ack.destination = m_peerId;
    m_replies.emplace_back(ack);
    ++m_counters.lightAcks;
}

Time
UdtReceiverCore::GetNakPeriod() const
{
    const Time period =
        m_settings.nakPerLoss
            ? MicroSeconds(4 * uint64_t{m_rtt.GetRtt()} + m_rtt.GetVariation()) + m_settings.syn
            : m_rtt.GetTimeout();
    return std::max(period, m_settings.nakMinimum);
}

void
UdtReceiverCore::RepeatNak(Time now)
{
    std::size_t words = m_settings.payloadSize / sizeof(uint32_t);
    const auto& missing = m_lost.GetIntervals();
    std::vector<UdtLossReports::Interval> due;
    if (m_settings.nakPerLoss)
    {
        due = m_reports.TakeDue(now, MicroSeconds(m_rtt.GetRtt()), m_lost, words);
    }
    else if (now - m_lastLoss >= m_rtt.GetTimeout())
    {
        due.assign(missing.begin(), missing.end());
    }
    if (due.empty())
    {
        return;
    }
    m_lastLoss = now;
    m_isSlowStart = false;
    UdtNak nak;
    nak.destination = m_peerId;
    for (const auto& [first, last] : due)
    {
        const std::size_t needed = first == last ? 1 : 2;
        if (needed > words)
        {
            break;
        }
        words -= needed;
        nak.lost.push_back({m_numbering.GetSequence(first), m_numbering.GetSequence(last)});
        m_counters.lost += static_cast<uint64_t>(last - first + 1);
    }
    m_replies.emplace_back(nak);
    ++m_counters.naks;
}

Time
UdtReceiverCore::GetNextCheck() const
{
    // The timers are due once their time is over.
    const bool isRepeating = m_settings.repeatNak && m_lost.GetFirst();
    const Time due = isRepeating ? std::min(m_nextAck, m_nextNak) : m_nextAck;
    return m_expiration.GetNextCheck(due + TimeStep(1), m_rtt);
}

bool
UdtReceiverCore::OnCheck(Time now)
{
    CheckAcks(now);
    const auto outcome = m_expiration.Check(now, m_rtt);
    if (outcome == UdtExpiration::Outcome::EXPIRED)
    {
        m_replies.emplace_back(UdtSignal{UdtType::KEEP_ALIVE, 0, m_peerId});
        ++m_counters.keepAlives;
    }
    return outcome != UdtExpiration::Outcome::DEAD;
}

std::vector<UdtPacket>
UdtReceiverCore::TakeReplies()
{
    return std::exchange(m_replies, {});
}

int64_t
UdtReceiverCore::GetReadable() const
{
    return m_lastAck;
}

void
UdtReceiverCore::SetRead(int64_t next)
{
    m_read = std::min(next, m_lastAck);
}

const UdtLossList&
UdtReceiverCore::GetLost() const
{
    return m_lost;
}

const UdtReceiverCore::Counters&
UdtReceiverCore::GetCounters() const
{
    return m_counters;
}

} // namespace ns3::lfn
