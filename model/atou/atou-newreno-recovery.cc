// SPDX-License-Identifier: GPL-2.0-only
#include "atou-newreno-recovery.h"

#include <algorithm>

namespace ns3::lfn
{

void
AtouNewRenoRecovery::TakeDuplicate(const AtouAck& ack)
{
    auto& state = m_parts.state;
    ++state.dupacks;
    ++m_parts.statistics.dups;
    if (state.dupacks < m_parts.options.dupThresh)
    {
        m_parts.output.SendNext(); // limited transmit: whatever cwnd and rcvrwin say
    }
    else if (state.dupacks == m_parts.options.dupThresh)
    {
        Trigger(ack);
    }
    else
    {
        state.cwnd += 1;
        Send();
    }
}

void
AtouNewRenoRecovery::Trigger(const AtouAck& ack)
{
    auto& state = m_parts.state;
    ++m_parts.statistics.dup3s;
    Resend(state.una, AtouEvent::Kind::DUP_RXMT, state.una);
    if (m_parts.options.newReno && ack.next < state.recover)
    {
        // Segments sent before the last cut: no second cut for them.
        state.dupacks = 0;
        state.cwnd += 1;
        return;
    }
    m_parts.congestion.CutOnLoss(state);
    state.inRecovery = true;
    state.recover = state.max;
    state.cwnd += state.dupacks;
    m_parts.timer.Restart(ack.now);
}

void
AtouNewRenoRecovery::TakeAdvance(const AtouAck& ack, uint32_t from)
{
    auto& state = m_parts.state;
    const auto threshold = m_parts.options.dupThresh;
    if (state.dupacks < threshold)
    {
        state.dupacks = 0;
    }
    else if (state.dupacks == threshold && m_parts.options.stickyDupacks)
    {
        // As r1.38: neither deflated nor reset.
    }
    else if (m_parts.options.newReno && ack.next < state.recover)
    {
        TakePartial(ack, from);
    }
    else
    {
        Leave(ack);
    }
    Send();
}

void
AtouNewRenoRecovery::TakePartial(const AtouAck& ack, uint32_t from)
{
    auto& state = m_parts.state;
    ++m_parts.statistics.packs;
    Resend(ack.next, AtouEvent::Kind::PAC_RXMT, from);
    const double deflation = ack.next - from - 1;
    state.cwnd = std::max<double>(state.cwnd - deflation, m_parts.options.initSegs);
}

void
AtouNewRenoRecovery::Leave(const AtouAck& ack)
{
    auto& state = m_parts.state;
    const auto limit = m_parts.options.burstLimit;
    const auto flight = state.max - ack.next + 4;
    const bool slowStart = m_parts.options.newReno && limit > 0 && flight < state.ssthresh &&
                           state.cwnd - state.ssthresh > limit;
    state.cwnd = slowStart ? std::max(flight, m_parts.options.initSegs) : state.ssthresh;
    state.dupacks = 0;
    state.inRecovery = false;
    m_parts.congestion.EndRecovery(state);
    TellExit(ack.next);
}

void
AtouNewRenoRecovery::TakeTimeout()
{
    GoBack();
}

} // namespace ns3::lfn
