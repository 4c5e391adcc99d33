// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-receiver-core.h"

namespace ns3::lfn
{

std::optional<RbudpReceiverCore::State>
RbudpReceiverCore::Transition(State state, Event event)
{
    const auto wanted = event == Event::ANNOUNCED ? State::IDLE : State::RECEIVING;
    if (state != wanted)
    {
        return std::nullopt;
    }
    return event == Event::DONE_FULL ? State::IDLE : State::RECEIVING;
}

bool
RbudpReceiverCore::OnAnnouncement(const RbudpAnnouncement& announcement)
{
    const auto next = Transition(m_state, Event::ANNOUNCED);
    if (!next || announcement.GetDatagrams() == 0)
    {
        return false;
    }
    m_state = *next;
    m_payload = announcement;
    m_arrivals = RbudpArrivalMap(announcement.GetDatagrams());
    m_expected = RbudpBlastSchedule(announcement.GetDatagrams());
    m_predicted = m_expected.Next();
    m_counters = Counters{};
    return true;
}

bool
RbudpReceiverCore::Predict(uint32_t sequence)
{
    const uint32_t index = sequence - m_payload.firstSequence;
    const bool predicted = m_predicted && index == *m_predicted;
    if (m_state == State::RECEIVING && index < m_payload.GetDatagrams())
    {
        m_counters.unpredictedPackets += predicted ? 0 : 1;
        while (m_predicted && *m_predicted <= index)
        {
            m_predicted = m_expected.Next();
        }
    }
    return predicted;
}

RbudpReceiverCore::Placement
RbudpReceiverCore::OnDatagram(uint32_t sequence, uint32_t bytes)
{
    if (m_state != State::RECEIVING)
    {
        return {DropReason::UNANNOUNCED};
    }
    // Modulo 2^32: a late datagram of an earlier payload lands far outside.
    const uint32_t index = sequence - m_payload.firstSequence;
    if (index >= m_payload.GetDatagrams())
    {
        return {DropReason::OUT_OF_RANGE};
    }
    if (bytes != m_payload.GetDatagramBytes(index))
    {
        return {DropReason::WRONG_LENGTH};
    }
    if (!m_arrivals.Record(index))
    {
        m_counters.duplicatePackets++;
        return {DropReason::DUPLICATE};
    }
    m_counters.deliveredBytes += bytes;
    return {std::nullopt, uint64_t{index} * m_payload.payloadSize};
}

std::optional<std::vector<uint8_t>>
RbudpReceiverCore::OnDone(const RbudpDone& done)
{
    const auto next =
        Transition(m_state, m_arrivals.IsComplete() ? Event::DONE_FULL : Event::DONE_GAPS);
    if (!next || done.round != m_counters.rounds)
    {
        return std::nullopt;
    }
    m_state = *next;
    m_counters.rounds++;
    const auto bitmap = m_arrivals.GetBitmap();
    m_expected = RbudpBlastSchedule(m_payload.GetDatagrams(), {bitmap.begin(), bitmap.end()});
    m_predicted = m_expected.Next();
    return RbudpAck::Write(bitmap, m_arrivals.IsComplete());
}

RbudpReceiverCore::State
RbudpReceiverCore::GetState() const
{
    return m_state;
}

const RbudpAnnouncement&
RbudpReceiverCore::GetPayload() const
{
    return m_payload;
}

bool
RbudpReceiverCore::IsComplete() const
{
    return m_arrivals.IsComplete();
}

const RbudpReceiverCore::Counters&
RbudpReceiverCore::GetCounters() const
{
    return m_counters;
}

std::ostream&
operator<<(std::ostream& os, RbudpReceiverCore::State state)
{
    return os << (state == RbudpReceiverCore::State::IDLE ? "idle" : "receiving");
}

} // namespace ns3::lfn
