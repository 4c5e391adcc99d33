// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-anticipating-window.h"

namespace ns3::lfn
{

VrpReceiveWindow::Outcome
VrpAnticipatingWindow::OnPacket(uint32_t packet, Answer& answer)
{
    if (!Admit(packet))
    {
        return Outcome::OUT_OF_RANGE;
    }
    auto outcome = Outcome::STORE;
    if (packet >= m_nextExpected)
    {
        uint32_t burst = 0; // cons_loss: next_exp - 1 has been received, or there is none
        while (m_nextExpected < packet)
        {
            JudgeLoss(burst, answer);
        }
        m_cells[packet].received = true;
        m_cells[packet].valid = true;
        ShiftWindow();
        answer.singleAcks.push_back(packet);
    }
    else
    {
        auto& cell = m_cells[packet];
        if (IsComplete() || cell.received)
        {
            outcome = Outcome::DUPLICATE;
        }
        else if (cell.waiting) // it had to come, and counters never counted it
        {
            cell.received = true;
            cell.valid = true;
            cell.waiting = false;
        }
        else
        {
            outcome = OnLatePacket(packet, m_nextExpected - packet <= m_limits.historyWindow);
        }
        if (m_limits.ackRepeats)
        {
            answer.singleAcks.push_back(packet);
        }
    }
    AdvanceWaitPoint();
    return outcome;
}

void
VrpAnticipatingWindow::JudgeLoss(uint32_t& burst, Answer& answer)
{
    const auto packet = m_nextExpected;
    auto& cell = m_cells[packet];
    ShiftWindow();
    ++m_lossCount;
    ++burst;
    if (m_lossCount > m_limits.maxLosses || (m_limits.maxBurst && burst > *m_limits.maxBurst) ||
        Require(packet))
    {
        answer.nacks.push_back(packet);
        cell.waiting = true;
        --m_lossCount;
        burst = 0;
        return;
    }
    cell.valid = true;
    ++m_acceptedLosses;
    if (m_limits.ackAcceptedLoss)
    {
        answer.acceptedAcks.push_back(packet);
    }
}

void
VrpAnticipatingWindow::ShiftWindow()
{
    if (m_nextExpected >= m_limits.historyWindow)
    {
        const auto& leaving = m_cells[m_nextExpected - m_limits.historyWindow];
        m_lossCount -= leaving.valid && !leaving.received ? 1 : 0;
    }
    ++m_nextExpected;
}

void
VrpAnticipatingWindow::AdvanceWaitPoint()
{
    while (m_waitPoint < m_nextExpected && m_cells[m_waitPoint].valid)
    {
        ++m_waitPoint;
    }
}

} // namespace ns3::lfn
