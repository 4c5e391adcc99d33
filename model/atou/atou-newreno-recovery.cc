// SPDX-License-Identifier: GPL-2.0-only
#include "atou-newreno-recovery.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

void
AtouNewRenoRecovery::OnDuplicateAck(const AtouAck& ack)
{
    auto& state = m_parts.state;
    ++state.dupacks;
    ++m_parts.statistics.dups;
    if (state.dupacks < m_parts.options.dupThresh)
    {
        m_parts.output.SendNext(); // limited transmit: beyond cwnd and rcvrwin
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
    ReportRetransmission(state.una, AtouEvent::Kind::DUP_RXMT);
    state.isMeasured = false;
    if (m_parts.options.newReno && ack.next < state.recover)
    {
        // Segments sent before the last cut: no second cut for them.
        state.dupacks = 0;
        state.cwnd += 1;
    }
    else
    {
        m_parts.congestion.CutOnLoss(state);
        state.inRecovery = true;
        state.recover = state.max;
        state.cwnd += state.dupacks;
    }
    m_parts.timer.Restart(ack.now);
    m_parts.output.Retransmit(state.una);
}

void
AtouNewRenoRecovery::OnNewAck(const AtouAck& ack)
{
    auto& state = m_parts.state;
    const auto threshold = m_parts.options.dupThresh;
    const bool isInflated =
        state.dupacks > threshold || (state.dupacks == threshold && !m_parts.options.stickyDupacks);
    if (!m_parts.options.newReno)
    {
        if (isInflated)
        {
            state.cwnd = std::min<double>(state.cwnd, state.ssthresh);
        }
        state.dupacks = 0;
        state.inRecovery = false;
    }
    else if (isInflated && ack.next < state.recover)
    {
        OnPartialAck(ack);
    }
    else if (isInflated)
    {
        Leave(ack);
    }
    else if (state.dupacks < threshold)
    {
        state.dupacks = 0;
    }
}

void
AtouNewRenoRecovery::OnPartialAck(const AtouAck& ack)
{
    auto& state = m_parts.state;
    const auto step = ack.next - state.una;
    ++m_parts.statistics.packs;
    ReportRetransmission(ack.next, AtouEvent::Kind::PAC_RXMT);
    // As if it were the next one, in a window that has room for it alone, unless rcvrwin has not.
    const auto cwnd = std::trunc(state.cwnd);
    const auto nxt = state.nxt;
    state.cwnd = 1.0 + step;
    state.nxt = ack.next;
    Send();
    state.nxt = std::max(state.nxt, nxt); // after go-back-N it may have been below
    const double deflation = step - 1;
    state.cwnd = std::max<double>(cwnd - deflation, m_parts.options.initSegs);
}

void
AtouNewRenoRecovery::Leave(const AtouAck& ack)
{
    auto& state = m_parts.state;
    const auto limit = m_parts.options.burstLimit;
    const auto flight = state.max - ack.next + 4;
    const bool slowStart =
        limit > 0 && flight < state.ssthresh && state.cwnd - state.ssthresh > limit;
    state.cwnd = slowStart ? flight : state.ssthresh;
    state.dupacks = 0;
    state.inRecovery = false;
}

void
AtouNewRenoRecovery::OnTimeout()
{
    GoBack();
}

} // namespace ns3::lfn
