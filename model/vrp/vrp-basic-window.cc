// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-basic-window.h"

namespace ns3::lfn
{

VrpReceiveWindow::Outcome
VrpBasicWindow::OnPacket(uint32_t packet, Answer& answer)
{
    if (!Admit(packet))
    {
        return Outcome::OUT_OF_RANGE;
    }
    auto& cell = m_cells[packet];
    if (cell.received)
    {
        return Outcome::DUPLICATE;
    }
    const bool isNew =
        packet >= m_nextExpected && packet - m_waitPoint <= m_limits.historyWindow; // too_far
    if (packet != m_waitPoint && !isNew)
    {
        return Outcome::REFUSED;
    }
    cell.received = true;
    cell.valid = true;
    cell.waiting = false;
    if (isNew)
    {
        m_nextExpected = packet + 1;
    }
    Advance(answer);
    return Outcome::STORE;
}

void
VrpBasicWindow::Advance(Answer& answer)
{
    while (m_waitPoint < m_nextExpected)
    {
        auto& cell = m_cells[m_waitPoint];
        uint32_t leaving = 0;
        if (m_waitPoint >= m_limits.historyWindow)
        {
            const auto& oldest = m_cells[m_waitPoint - m_limits.historyWindow];
            leaving = oldest.received ? 0 : 1;
        }
        if (cell.received)
        {
            m_lossCount -= leaving;
            m_burst = 0;
        }
        else if (m_lossCount - leaving < m_limits.maxLosses &&
                 (!m_limits.maxBurst || m_burst < *m_limits.maxBurst) && !Require(m_waitPoint))
        {
            m_lossCount += 1 - leaving;
            ++m_burst;
            ++m_acceptedLosses;
            cell.valid = true;
            cell.waiting = false;
        }
        else
        {
            for (auto gap = m_waitPoint; gap < m_nextExpected && !m_cells[gap].received; ++gap)
            {
                if (!m_cells[gap].waiting)
                {
                    m_cells[gap].waiting = true;
                    answer.nacks.push_back(gap);
                }
                if (!m_limits.nackWholeGap)
                {
                    break;
                }
            }
            return;
        }
        ++m_waitPoint;
    }
}

} // namespace ns3::lfn
