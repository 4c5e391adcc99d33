// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-outgoing-frame.h"

#include "vrp-header.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

const char*
ToString(VrpFrameState state)
{
    switch (state)
    {
    case VrpFrameState::CREATED:
        return "created";
    case VrpFrameState::HEADER_SENT:
        return "header-sent";
    case VrpFrameState::SEND:
        return "send";
    case VrpFrameState::DONE:
        return "done";
    case VrpFrameState::REFUSED:
        return "refused";
    case VrpFrameState::ERROR:
        return "error";
    case VrpFrameState::TIMED_OUT:
        return "timed-out";
    }
    return "unknown";
}

VrpOutgoingFrame::Counters&
VrpOutgoingFrame::Counters::operator+=(const Counters& other)
{
    headers += other.headers;
    dataPackets += other.dataPackets;
    nacks += other.nacks;
    timeouts += other.timeouts;
    ignoredAcks += other.ignoredAcks;
    ignoredNacks += other.ignoredNacks;
    acceptedLosses += other.acceptedLosses;
    retransmissions += other.retransmissions;
    return *this;
}

VrpOutgoingFrame::VrpOutgoingFrame(const Settings& settings,
                                   Ptr<VrpRttEstimator> timeout,
                                   std::shared_ptr<VrpRateControl> rate)
    : m_settings(settings),
      m_timeout(timeout),
      m_rate(std::move(rate)),
      m_packets(settings.header.GetPackets())
{
}

std::optional<VrpOutgoingFrame::Step>
VrpOutgoingFrame::Next(Time now)
{
    if (IsEnded())
    {
        return std::nullopt;
    }
    if (m_state == VrpFrameState::CREATED)
    {
        m_lastNews = now;
        SetState(VrpFrameState::HEADER_SENT);
    }
    if (now - m_lastNews >= m_settings.frameTimeout)
    {
        SetState(VrpFrameState::TIMED_OUT, "nothing new was received within FrameTimeout");
        return std::nullopt;
    }
    if (m_state == VrpFrameState::HEADER_SENT)
    {
        return NextHeader(now);
    }
    Expire(now);
    while (!m_resend.empty())
    {
        const auto packet = m_resend.front();
        m_resend.pop_front();
        if (packet < m_ackExpected || !At(packet).queued)
        {
            continue; // acknowledged in the meantime
        }
        MarkSent(packet, now);
        return Step{false, packet, true};
    }
    const auto used = m_settings.countUnacked ? m_unacked : m_nextToSend - m_ackExpected;
    if (m_nextToSend < m_packets && used < m_settings.windowSize)
    {
        const auto packet = m_nextToSend;
        const bool repeat = packet < m_everSent;
        Open();
        MarkSent(packet, now);
        return Step{false, packet, repeat};
    }
    if (m_rate && m_nextToSend < m_packets)
    {
        m_rate->HeldBack(now);
    }
    return std::nullopt;
}

std::optional<VrpOutgoingFrame::Step>
VrpOutgoingFrame::NextHeader(Time now)
{
    if (!m_headerDue && now >= GetDue(m_headerTimer))
    {
        m_timeout->Backoff(now, m_settings.backoffLimit);
        m_headerDue = true;
    }
    if (!m_headerDue)
    {
        return std::nullopt;
    }
    m_headerDue = false;
    m_headerSent = now;
    m_headerTimer = StartTimer(now);
    const Step step{true, 0, m_counters.headers++ > 0};
    if (m_settings.dataWithHeader && m_packets > 0)
    {
        if (m_nextToSend == 0)
        {
            Open();
        }
        else
        {
            Requeue(0, now);
            m_resend.clear();
        }
        MarkSent(0, now);
    }
    return step;
}

void
VrpOutgoingFrame::MarkLeft(const Step& step, Time now)
{
    if (step.header && m_state == VrpFrameState::HEADER_SENT)
    {
        m_headerSent = now;
        m_headerTimer = StartTimer(now);
    }
    const bool data = !step.header || m_settings.dataWithHeader;
    if (data && step.packet >= m_ackExpected && step.packet < m_nextToSend &&
        !At(step.packet).acked && !At(step.packet).queued)
    {
        auto& cell = At(step.packet);
        m_timers.erase(cell.timer);
        cell.sent = now;
        cell.timer = m_timers.emplace_hint(m_timers.end(), StartTimer(now), step.packet);
    }
}

Time
VrpOutgoingFrame::GetDeadline() const
{
    if (IsEnded())
    {
        return Time::Max();
    }
    if (m_state == VrpFrameState::CREATED)
    {
        return Time(0);
    }
    const Time life = m_lastNews + m_settings.frameTimeout;
    if (m_state == VrpFrameState::HEADER_SENT)
    {
        return std::min(life, GetDue(m_headerTimer));
    }
    return m_timers.empty() ? life : std::min(life, GetDue(m_timers.begin()->first));
}

Time
VrpOutgoingFrame::StartTimer(Time now) const
{
    return m_timeout->FollowsEstimate() ? now : now + m_timeout->GetTimeout();
}

Time
VrpOutgoingFrame::GetDue(Time timer) const
{
    return m_timeout->FollowsEstimate() ? timer + m_timeout->GetTimeout() : timer;
}

void
VrpOutgoingFrame::Abort(const std::string& reason)
{
    if (!IsEnded())
    {
        SetState(VrpFrameState::ERROR, reason);
    }
}

void
VrpOutgoingFrame::OnFrameOk(Time now)
{
    if (m_state != VrpFrameState::HEADER_SENT)
    {
        return;
    }
    if (!m_headerKnown) // no news the second time: MISSING_HDR and FRAME_OK must not alternate for
                        // ever
    {
        m_headerKnown = true;
        m_lastNews = now;
        if (m_counters.headers == 1 && !m_settings.dataWithHeader && m_timeout->SamplesHeaders())
        {
            m_timeout->Measurement(now - m_headerSent);
        }
    }
    SetState(VrpFrameState::SEND);
    Slide();
}

void
VrpOutgoingFrame::OnRefused()
{
    if (m_state == VrpFrameState::HEADER_SENT)
    {
        SetState(VrpFrameState::REFUSED, "the receiver has no room for the frame");
    }
}

void
VrpOutgoingFrame::OnMissingHeader()
{
    if (m_state != VrpFrameState::SEND)
    {
        return; // the header's own timer sees to it
    }
    if (m_anyAcked)
    {
        SetState(VrpFrameState::ERROR, "the receiver has lost the frame: it was restarted");
        return;
    }
    Rewind();
    m_headerDue = true;
    SetState(VrpFrameState::HEADER_SENT);
}

void
VrpOutgoingFrame::OnSingleAck(uint32_t packet, bool accepted, Time now)
{
    OnPiggybackedAck(packet, now);
    if (!Accept(packet, m_counters.ignoredAcks, "SINGLE_ACK"))
    {
        return;
    }
    m_singleAcks = true;
    if (packet < m_ackExpected || At(packet).acked)
    {
        return;
    }
    m_counters.acceptedLosses += accepted ? 1 : 0;
    MarkAcked(packet, !accepted, !accepted, now);
    Slide();
}

void
VrpOutgoingFrame::OnAck(uint32_t packet, Time now)
{
    OnPiggybackedAck(packet, now);
    if (!Accept(packet, m_counters.ignoredAcks, "ACK"))
    {
        return;
    }
    for (auto covered = m_ackExpected; covered <= packet; ++covered)
    {
        if (!At(covered).acked)
        {
            MarkAcked(covered, covered == packet && !m_singleAcks, true, now);
        }
    }
    Slide();
}

void
VrpOutgoingFrame::OnNack(uint32_t packet, Time now)
{
    if (!Accept(packet, m_counters.ignoredNacks, "NACK"))
    {
        return;
    }
    if (packet < m_ackExpected || At(packet).acked || At(packet).queued)
    {
        ++m_counters.ignoredNacks;
        if (m_settings.strictErrors && packet < m_ackExpected)
        {
            SetState(VrpFrameState::ERROR,
                     "NACK of packet " + std::to_string(packet) + ", which lies before the window");
        }
        return;
    }
    ++m_counters.nacks;
    m_lastNews = now;
    Requeue(packet, now);
}

VrpFrameState
VrpOutgoingFrame::GetState() const
{
    return m_state;
}

bool
VrpOutgoingFrame::IsEnded() const
{
    return m_state >= VrpFrameState::DONE;
}

const std::string&
VrpOutgoingFrame::GetFailure() const
{
    return m_failure;
}

uint32_t
VrpOutgoingFrame::GetAckExpected() const
{
    return m_ackExpected;
}

uint32_t
VrpOutgoingFrame::GetNextToSend() const
{
    return m_nextToSend;
}

const VrpOutgoingFrame::Counters&
VrpOutgoingFrame::GetCounters() const
{
    return m_counters;
}

const VrpFrameHeader&
VrpOutgoingFrame::GetHeader() const
{
    return m_settings.header;
}

void
VrpOutgoingFrame::SetState(VrpFrameState state, const std::string& failure)
{
    m_state = state;
    m_failure = failure;
    if (IsEnded())
    {
        m_timers.clear();
        m_resend.clear();
    }
}

VrpOutgoingFrame::Cell&
VrpOutgoingFrame::At(uint32_t packet)
{
    return m_cells[packet - m_ackExpected];
}

void
VrpOutgoingFrame::Open()
{
    Cell cell;
    cell.retransmitted = m_nextToSend < m_everSent; // before Rewind(): Karn's rule holds for it too
    m_cells.push_back(cell);
    ++m_nextToSend;
    ++m_unacked;
}

void
VrpOutgoingFrame::MarkSent(uint32_t packet, Time now)
{
    auto& cell = At(packet);
    cell.sent = now;
    cell.queued = false;
    // Nearly always the last deadline, so the hint makes it constant work.
    cell.timer = m_timers.emplace_hint(m_timers.end(), StartTimer(now), packet);
    cell.order = m_rate ? m_rate->Sent() : 0;
    ++m_counters.dataPackets;
    m_counters.retransmissions += packet < m_everSent ? 1 : 0;
    m_everSent = std::max(m_everSent, packet + 1);
}

void
VrpOutgoingFrame::MarkAcked(uint32_t packet, bool sample, bool came, Time now)
{
    auto& cell = At(packet);
    if (m_rate && came)
    {
        m_rate->Came(cell.order,
                     m_settings.header.GetPacketBytes(packet) + VrpHeader::SIZE,
                     cell.sent);
    }
    else if (m_rate && !cell.queued) // else it has been counted already
    {
        m_rate->Lost(cell.order, cell.sent, now);
    }
    if (!cell.queued)
    {
        m_timers.erase(cell.timer);
    }
    cell.queued = false;
    cell.acked = true;
    --m_unacked;
    m_anyAcked = true;
    m_lastNews = now;
    if (sample && !cell.retransmitted)
    {
        m_timeout->Measurement(now - cell.sent);
    }
}

void
VrpOutgoingFrame::Requeue(uint32_t packet, Time now)
{
    auto& cell = At(packet);
    if (m_rate)
    {
        m_rate->Lost(cell.order, cell.sent, now);
    }
    m_timers.erase(cell.timer);
    cell.queued = true;
    cell.retransmitted = true;
    m_resend.push_back(packet);
}

bool
VrpOutgoingFrame::Accept(uint32_t packet, uint64_t& ignored, const char* what)
{
    if (m_state != VrpFrameState::SEND)
    {
        return false;
    }
    if (packet < m_nextToSend)
    {
        return true;
    }
    ++ignored;
    if (m_settings.strictErrors)
    {
        SetState(VrpFrameState::ERROR,
                 std::string(what) + " of packet " + std::to_string(packet) +
                     ", which was never sent");
    }
    return false;
}

void
VrpOutgoingFrame::OnPiggybackedAck(uint32_t packet, Time now)
{
    if (m_settings.dataWithHeader && packet < m_nextToSend)
    {
        OnFrameOk(now);
    }
}

void
VrpOutgoingFrame::Rewind()
{
    m_timers.clear();
    m_resend.clear();
    m_cells.clear();
    m_nextToSend = 0;
    m_unacked = 0;
}

void
VrpOutgoingFrame::Expire(Time now)
{
    while (!m_timers.empty() && GetDue(m_timers.begin()->first) <= now)
    {
        Requeue(m_timers.begin()->second, now);
        ++m_counters.timeouts;
        m_timeout->Backoff(now, m_settings.backoffLimit);
    }
}

void
VrpOutgoingFrame::Slide()
{
    while (m_ackExpected < m_nextToSend && At(m_ackExpected).acked)
    {
        ++m_ackExpected;
        m_cells.pop_front();
    }
    if (m_ackExpected == m_packets && m_state == VrpFrameState::SEND)
    {
        SetState(VrpFrameState::DONE);
    }
}

} // namespace ns3::lfn
