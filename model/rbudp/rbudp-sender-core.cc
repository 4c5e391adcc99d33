// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-sender-core.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

namespace ns3::lfn
{

std::optional<RbudpSenderCore::State>
RbudpSenderCore::Transition(State state, Event event)
{
    switch (event)
    {
    case Event::START:
        if (state == State::IDLE || state == State::COMPLETE)
        {
            return State::BLASTING;
        }
        break;
    case Event::BLAST_SENT:
        if (state == State::BLASTING)
        {
            return State::AWAITING_ACK;
        }
        break;
    case Event::ACK_FULL:
        if (state == State::AWAITING_ACK)
        {
            return State::COMPLETE;
        }
        break;
    case Event::ACK_GAPS:
        if (state == State::AWAITING_ACK)
        {
            return State::BLASTING;
        }
        break;
    case Event::GIVE_UP:
        return State::FAILED;
    }
    return std::nullopt;
}

std::optional<RbudpAnnouncement>
RbudpSenderCore::Start(const Settings& settings, uint64_t bytes, Time now)
{
    const RbudpAnnouncement payload{bytes, settings.payloadSize, m_nextFirstSequence};
    const auto next = Transition(m_state, Event::START);
    if (!next || bytes == 0 || settings.sendRate.GetBitRate() == 0 ||
        !RbudpAnnouncement::Read(payload.Write()))
    {
        return std::nullopt;
    }
    m_state = *next;
    m_settings = settings;
    m_payload = payload;
    m_nextFirstSequence += static_cast<uint32_t>(payload.GetDatagrams());
    m_counters = Counters{};
    m_counters.firstBlastPackets = payload.GetDatagrams();
    m_missing = payload.GetDatagrams();
    m_uselessRounds = 0;
    m_rate = settings.sendRate;
    BeginBlast(RbudpBlastSchedule(payload.GetDatagrams()), now);
    return m_payload;
}

void
RbudpSenderCore::BeginBlast(RbudpBlastSchedule schedule, Time now)
{
    m_schedule = std::move(schedule);
    m_pacer = Pacer(m_rate, m_settings.payloadSize, m_settings.pacingQuantum);
    m_blastStart = now;
    m_counters.blasts++;
}

std::optional<RbudpSenderCore::Departure>
RbudpSenderCore::Next()
{
    const auto index = m_state == State::BLASTING ? m_schedule.Next() : std::nullopt;
    if (!index)
    {
        return std::nullopt;
    }
    const Departure departure{m_blastStart + m_pacer.GetOffset(),
                              *index * m_payload.payloadSize,
                              m_payload.GetDatagramBytes(*index),
                              m_payload.firstSequence + static_cast<uint32_t>(*index)};
    m_pacer.Advance();
    m_counters.dataPackets++;
    m_counters.retransmittedPackets += m_counters.blasts > 1 ? 1 : 0;
    return departure;
}

Time
RbudpSenderCore::GetBlastEnd() const
{
    return m_blastStart + m_pacer.GetOffset();
}

std::optional<RbudpDone>
RbudpSenderCore::EndBlast()
{
    const auto next = Transition(m_state, Event::BLAST_SENT);
    if (!next)
    {
        return std::nullopt;
    }
    m_state = *next;
    return RbudpDone{m_counters.blasts - 1};
}

RbudpSenderCore::State
RbudpSenderCore::OnAck(std::span<const uint8_t> message, Time now)
{
    if (m_state != State::AWAITING_ACK)
    {
        GiveUp("an acknowledgement arrived that was not asked for");
        return m_state;
    }
    auto bitmap = RbudpAck::Read(message, m_payload.GetDatagrams());
    if (!bitmap)
    {
        GiveUp("the acknowledgement is malformed");
        return m_state;
    }
    RbudpBlastSchedule schedule(m_payload.GetDatagrams(), std::move(*bitmap));
    const auto missing = schedule.GetSize();
    const auto firstBlast = m_counters.blasts == 1;
    if (firstBlast)
    {
        m_counters.residualPacketsFirstBlast = missing;
    }
    m_uselessRounds = missing < m_missing ? 0 : m_uselessRounds + 1;
    m_missing = missing;
    // A missing last datagram may be short; counting it as full never claims too much.
    m_counters.acknowledgedBytes =
        m_payload.bytes - std::min(m_payload.bytes, missing * m_payload.payloadSize);
    if (missing == 0)
    {
        m_state = *Transition(m_state, Event::ACK_FULL);
        return m_state;
    }
    if (m_uselessRounds >= m_settings.noProgressRounds)
    {
        GiveUp("no progress in " + std::to_string(m_uselessRounds) + " blasts");
        return m_state;
    }
    if (m_counters.blasts >= m_settings.maxRounds)
    {
        GiveUp("still incomplete after " + std::to_string(m_counters.blasts) + " blasts");
        return m_state;
    }
    if (firstBlast && m_settings.rateAdapt == RateAdapt::LOSS_BASED)
    {
        // The tools divide the interval by 1 - loss - 0.05; kept from reaching zero.
        const double loss =
            static_cast<double>(missing) / static_cast<double>(m_counters.firstBlastPackets);
        const double factor = std::max(1 - loss - 0.05, 0.05);
        m_rate = DataRate(std::max<uint64_t>(
            1,
            static_cast<uint64_t>(factor * static_cast<double>(m_rate.GetBitRate()))));
    }
    m_state = *Transition(m_state, Event::ACK_GAPS);
    BeginBlast(std::move(schedule), now);
    return m_state;
}

void
RbudpSenderCore::GiveUp(const std::string& why)
{
    m_state = *Transition(m_state, Event::GIVE_UP);
    m_failure = why;
}

uint64_t
RbudpSenderCore::GetAckSize() const
{
    return RbudpAck::GetSize(m_payload.GetDatagrams());
}

RbudpSenderCore::State
RbudpSenderCore::GetState() const
{
    return m_state;
}

const std::string&
RbudpSenderCore::GetFailure() const
{
    return m_failure;
}

const RbudpSenderCore::Counters&
RbudpSenderCore::GetCounters() const
{
    return m_counters;
}

uint64_t
RbudpSenderCore::GetMissing() const
{
    return m_missing;
}

DataRate
RbudpSenderCore::GetSendRate() const
{
    return m_rate;
}

std::ostream&
operator<<(std::ostream& os, RbudpSenderCore::State state)
{
    constexpr std::array NAMES{"idle", "blasting", "awaiting-ack", "complete", "failed"};
    return os << NAMES.at(static_cast<std::size_t>(state));
}

} // namespace ns3::lfn
