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
AtouSackRecovery::OnDuplicateAck(const AtouAck& ack)
{
    auto& state = m_parts.state;
    m_last.assign(ack.blocks.begin(), ack.blocks.end());
    if (state.inRecovery || m_parts.options.carefulSack)
    {
        Mark(state.una, ack.blocks);
    }
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
            OnRetransmissions();
        }
    }
    if (state.inRecovery)
    {
        Continue();
        return;
    }
    const auto threshold = m_parts.options.dupThresh;
    const bool isBeyond = m_parts.options.fack && m_forward - state.una > threshold;
    if (!ack.blocks.empty() && (state.dupacks == threshold || isBeyond))
    {
        Enter(ack);
    }
    else if (m_parts.output.SendNext()) // limited transmit
    {
        Grow();
    }
}

void
AtouSackRecovery::Continue()
{
    const auto fresh = std::exchange(m_fresh, 0U);
    Drain(fresh);
    m_trim = std::max(0.0, m_trim - fresh / 2.0);
    Send();
    Grow();
}

void
AtouSackRecovery::Grow()
{
    auto& state = m_parts.state;
    if (state.cwnd < state.ssthresh)
    {
        state.cwnd += m_parts.options.ssIncr;
    }
}

void
AtouSackRecovery::Enter(const AtouAck& ack)
{
    auto& state = m_parts.state;
    Mark(state.una, ack.blocks);
    ++m_parts.statistics.dup3s;
    state.recover = state.max - 1;
    ReportRetransmission(state.una, AtouEvent::Kind::DUP_RXMT);
    state.isMeasured = false;
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
        m_pipe = int64_t{state.nxt} - state.una;
        Drain(m_board.CountSacked());
    }
    m_fresh = 0;
    m_parts.timer.Restart(ack.now);
    m_parts.output.Retransmit(state.una);
    m_board.MarkResent(state.una);
    ++m_resent;
    ++m_pipe;
    Send();
    Grow();
}

void
AtouSackRecovery::OnNewAck(const AtouAck& ack)
{
    auto& state = m_parts.state;
    state.dupacks = 0;
    if (!ack.blocks.empty() || !m_last.empty())
    {
        m_last.assign(ack.blocks.begin(), ack.blocks.end());
    }
    m_forward = std::max(m_forward, ack.next);
    const bool isCareful = m_parts.options.carefulSack;
    if (state.inRecovery || isCareful)
    {
        Mark(ack.next, ack.blocks);
    }
    const auto fresh = std::exchange(m_fresh, 0U);
    if (!state.inRecovery)
    {
        return;
    }
    ++m_parts.statistics.cumacks;
    if (ack.next - 1 >= state.recover)
    {
        Leave();
        return;
    }
    Drain((isCareful ? fresh : 0) + 2); // the lost segment and its repetition
    OnRetransmissions();
}

void
AtouSackRecovery::Leave()
{
    if (m_parts.options.carefulSack)
    {
        m_board.ForgetResent();
    }
    else
    {
        m_board.Clear();
    }
    m_resent = 0;
    m_trim = 0;
    m_lost = 0;
    m_parts.state.inRecovery = false;
}

void
AtouSackRecovery::OnTimeout()
{
    if (m_parts.options.carefulSack)
    {
        OnTimeoutCarefully();
        return;
    }
    auto& state = m_parts.state;
    if (m_last.empty())
    {
        state.nxt = state.una; // in recovery, too
        Send();
        return;
    }
    if (!state.inRecovery)
    {
        Mark(state.una, m_last);
        state.inRecovery = true;
        state.recover = state.max - 1;
    }
    m_trim = 0;
    m_parts.output.Retransmit(state.una);
    m_board.MarkResent(state.una);
    ++m_resent;
    m_pipe = 1;
}

void
AtouSackRecovery::OnTimeoutCarefully()
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
    m_parts.output.Retransmit(state.una);
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
    // Counts below 0 make it large; no more than a receiver's window at once.
    const double most = m_parts.options.rcvrWin;
    if (!m_parts.options.fack)
    {
        return std::min(window - static_cast<double>(m_pipe), most);
    }
    // After go-back-N blocks may lie above nxt.
    int64_t beyond = int64_t{state.nxt} - m_forward;
    if (m_parts.options.carefulSack)
    {
        beyond = std::max<int64_t>(int64_t{state.nxt} - std::max(m_forward, m_lost), 0);
    }
    return std::min(window - static_cast<double>(beyond + m_resent), most);
}

bool
AtouSackRecovery::SendOne()
{
    if (!m_parts.state.inRecovery)
    {
        return AtouRecovery::SendOne();
    }
    if (!m_parts.options.carefulSack && !m_parts.output.HasNext())
    {
        return false;
    }
    if (const auto gap = m_board.FindGap(m_first))
    {
        ++m_parts.statistics.packs;
        m_parts.output.Retransmit(*gap);
        ReportRetransmission(*gap, AtouEvent::Kind::PAC_RXMT);
        m_board.MarkResent(*gap);
        ++m_resent;
    }
    else if (!AtouRecovery::SendOne())
    {
        return false;
    }
    ++m_pipe;
    return true;
}

void
AtouSackRecovery::Mark(uint32_t una, std::span<const AtouBlock> blocks)
{
    if (blocks.empty() && !m_parts.options.carefulSack)
    {
        return; // the program looks at una for each block: gaps below it may be retransmitted
    }
    m_board.Advance(una);
    m_first = una;
    for (const auto& block : blocks)
    {
        m_fresh += m_board.Mark(block, una);
    }
}

void
AtouSackRecovery::Drain(uint32_t segments)
{
    m_pipe -= segments;
    if (m_parts.options.carefulSack)
    {
        m_pipe = std::max<int64_t>(m_pipe, 0);
    }
}

void
AtouSackRecovery::OnRetransmissions()
{
    --m_resent;
    if (m_parts.options.carefulSack)
    {
        m_resent = std::max<int64_t>(m_resent, 0);
    }
}

} // namespace ns3::lfn
