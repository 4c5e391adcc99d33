// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-receive-window.h"

#include <algorithm>

namespace ns3::lfn
{

VrpReceiveWindow::VrpReceiveWindow(const Limits& limits)
    : m_limits(limits)
{
}

bool
VrpReceiveWindow::IsComplete() const
{
    return m_waitPoint == m_limits.packets;
}

uint32_t
VrpReceiveWindow::GetWaitPoint() const
{
    return m_waitPoint;
}

uint32_t
VrpReceiveWindow::GetNextExpected() const
{
    return m_nextExpected;
}

uint32_t
VrpReceiveWindow::GetLossCount() const
{
    return m_lossCount;
}

std::optional<uint32_t>
VrpReceiveWindow::GetCumulativeAck() const
{
    return m_waitPoint > 0 ? std::optional<uint32_t>(m_waitPoint - 1) : std::nullopt;
}

bool
VrpReceiveWindow::IsReceived(uint32_t packet) const
{
    return packet < m_cells.size() && m_cells[packet].received;
}

bool
VrpReceiveWindow::IsValid(uint32_t packet) const
{
    return packet < m_cells.size() && m_cells[packet].valid;
}

bool
VrpReceiveWindow::IsWaiting(uint32_t packet) const
{
    return packet < m_cells.size() && m_cells[packet].waiting;
}

bool
VrpReceiveWindow::IsRequired(uint32_t packet) const
{
    const auto& critical = m_limits.critical;
    const auto after = std::upper_bound(
        critical.begin(),
        critical.end(),
        packet,
        [](uint32_t number, const VrpPacketInterval& piece) { return number < piece.first; });
    return after != critical.begin() && packet <= std::prev(after)->last;
}

uint32_t
VrpReceiveWindow::GetAcceptedLosses() const
{
    return m_acceptedLosses;
}

std::vector<VrpPacketInterval>
VrpReceiveWindow::GetLostPackets() const
{
    std::vector<VrpPacketInterval> lost;
    for (uint32_t packet = 0; packet < m_cells.size(); ++packet)
    {
        if (!m_cells[packet].valid || m_cells[packet].received)
        {
            continue;
        }
        if (!lost.empty() && lost.back().last + 1 == packet)
        {
            lost.back().last = packet;
        }
        else
        {
            lost.push_back({packet, packet});
        }
    }
    return lost;
}

uint64_t
VrpReceiveWindow::GetMemory() const
{
    return m_cells.capacity() * sizeof(Cell);
}

bool
VrpReceiveWindow::Admit(uint32_t packet)
{
    // The report's receiver would walk from next_exp to any number that a packet names: a single
    // damaged number would have it demand the whole frame (deviation VRP-D7).
    if (packet >= m_limits.packets ||
        (packet > m_nextExpected && packet - m_nextExpected > m_limits.maxGap))
    {
        return false;
    }
    if (packet >= m_cells.size())
    {
        m_cells.resize(packet + 1);
    }
    return true;
}

VrpReceiveWindow::Outcome
VrpReceiveWindow::OnLatePacket(uint32_t packet, bool counted)
{
    if (!m_limits.takeLateLoss)
    {
        return Outcome::DUPLICATE;
    }
    m_cells[packet].received = true;
    --m_acceptedLosses;
    m_lossCount -= counted ? 1 : 0;
    return Outcome::STORE;
}

bool
VrpReceiveWindow::Require(uint32_t packet)
{
    const auto& critical = m_limits.critical;
    while (m_criticalAt < critical.size() && critical[m_criticalAt].last < packet)
    {
        ++m_criticalAt;
    }
    return m_criticalAt < critical.size() && critical[m_criticalAt].first <= packet;
}

} // namespace ns3::lfn
