// SPDX-License-Identifier: GPL-2.0-only
#include "atou-sack-recovery.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

AtouSackRecovery::AtouSackRecovery(Parts parts)
    : AtouRecovery(std::move(parts)),
      m_forward(m_parts.state.una)
{
}

void
AtouSackRecovery::TakeDuplicate(const AtouAck& ack)
{
    auto& state = m_parts.state;
    const auto newlySacked = Mark(ack);
    if (ack.blocks.empty())
    {
        ++m_parts.statistics.ooacks; // out of order, or of a segment that was there: no duplicate
    }
    else
    {
        ++state.dupacks;
        ++m_parts.statistics.dups;
        if (ack.blocks[0].last + 1 > m_forward)
        {
            m_forward = ack.blocks[0].last + 1;
        }
        else
        {
            TakeResent();
        }
    }
    if (state.inRecovery)
    {
        Continue(newlySacked);
        return;
    }
    const auto threshold = m_parts.options.dupThresh;
    const bool isBeyond = m_parts.options.fack && m_forward - state.una > threshold;
    if (!ack.blocks.empty() && (state.dupacks == threshold || isBeyond))
    {
        Enter(ack);
        return;
    }
    m_parts.output.SendNext(); // limited transmit
    if (state.cwnd < state.ssthresh)
    {
        state.cwnd += m_parts.options.ssIncr;
    }
}

void
AtouSackRecovery::Continue(uint32_t newlySacked)
{
    auto& state = m_parts.state;
    Drain(newlySacked);
    m_trim = std::max(0.0, m_trim - newlySacked / 2.0);
    Send();
    if (state.cwnd < state.ssthresh)
    {
        state.cwnd += m_parts.options.ssIncr;
    }
}

void
AtouSackRecovery::Enter(const AtouAck& ack)
{
    auto& state = m_parts.state;
    ++m_parts.statistics.dup3s;
    Resend(state.una, AtouEvent::Kind::DUP_RXMT, state.una);
    state.recover = state.max - 1;
    m_parts.congestion.CutOnLoss(state);
    state.inRecovery = true;
    const auto beyond = state.nxt - std::min(state.nxt, m_forward);
    m_trim = m_parts.options.rampDown ? beyond / 2.0 : 0;
    const auto first = std::max(ack.blocks[0].first, state.una);
    if (!m_parts.options.fack && first - state.una > state.cwnd)
    {
        // More than a window is missing: begin again from a small one, as after a timeout.
        m_parts.congestion.CutOnTimeout(state);
        m_pipe = m_parts.options.initSegs;
        m_trim = 0;
    }
    else
    {
        m_pipe = state.GetFlight();
        Drain(m_board.CountSacked());
    }
    m_board.MarkResent(state.una);
    ++m_resent;
    ++m_pipe;
    m_parts.timer.Restart(ack.now);
    Send();
}

void
AtouSackRecovery::TakeAdvance(const AtouAck& ack, uint32_t /* from */)
{
    auto& state = m_parts.state;
    const auto newlySacked = Mark(ack);
    m_forward = std::max(m_forward, state.una);
    if (!state.inRecovery)
    {
        state.dupacks = 0;
    }
    else if (ack.next - 1 >= state.recover)
    {
        Leave(ack);
    }
    else
    {
        Drain(newlySacked + 2); // the lost segment and its repetition are under way no more
        TakeResent();
    }
    Send();
}

void
AtouSackRecovery::Leave(const AtouAck& ack)
{
    auto& state = m_parts.state;
    m_board.ForgetResent();
    m_resent = 0;
    m_trim = 0;
    m_lost = 0;
    state.dupacks = 0;
    state.inRecovery = false;
    m_parts.congestion.EndRecovery(state);
    TellExit(ack.next);
}

void
AtouSackRecovery::TakeTimeout()
{
    auto& state = m_parts.state;
    m_trim = 0;
    m_board.ForgetResent();
    m_resent = 0;
    if (m_board.CountSacked() == 0)
    {
        GoBack();
        return;
    }
    if (!state.inRecovery)
    {
        state.inRecovery = true;
        state.recover = state.max - 1;
    }
    m_parts.output.Resend(state.una);
    m_board.MarkResent(state.una);
    m_resent = 1;
    m_pipe = 1;
    m_lost = state.nxt;
}

bool
AtouSackRecovery::FreezesWindow() const
{
    return m_parts.state.inRecovery;
}

double
AtouSackRecovery::GetUsable() const
{
    const auto& state = m_parts.state;
    if (!state.inRecovery)
    {
        return AtouRecovery::GetUsable();
    }
    const auto window = state.cwnd + m_trim;
    if (!m_parts.options.fack)
    {
        return window - m_pipe;
    }
    // After go-back-N blocks may lie above nxt: those segments are not under way.
    const auto known = std::max(m_forward, m_lost);
    const auto beyond = state.nxt - std::min(state.nxt, known);
    return window - beyond - m_resent;
}

bool
AtouSackRecovery::SendOne()
{
    const auto& state = m_parts.state;
    if (!state.inRecovery)
    {
        return AtouRecovery::SendOne();
    }
    if (const auto hole = m_board.FindHole(state.una))
    {
        ++m_parts.statistics.packs;
        Resend(*hole, AtouEvent::Kind::PAC_RXMT, state.una);
        m_board.MarkResent(*hole);
        ++m_resent;
    }
    else if (!AtouRecovery::SendOne())
    {
        return false;
    }
    ++m_pipe;
    return true;
}

uint32_t
AtouSackRecovery::Mark(const AtouAck& ack)
{
    m_board.Advance(m_parts.state.una);
    uint32_t count = 0;
    for (const auto& block : ack.blocks)
    {
        count += m_board.Mark(block, m_parts.state.una);
    }
    return count;
}

void
AtouSackRecovery::Drain(uint32_t segments)
{
    m_pipe -= std::min(m_pipe, segments);
}

void
AtouSackRecovery::TakeResent()
{
    m_resent -= std::min(m_resent, 1U);
}

} // namespace ns3::lfn
