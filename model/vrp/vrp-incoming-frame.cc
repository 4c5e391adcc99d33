// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-incoming-frame.h"

#include "vrp-anticipating-window.h"
#include "vrp-basic-window.h"

#include <algorithm>

namespace ns3::lfn
{

VrpIncomingFrame::VrpIncomingFrame(const VrpFrameHeader& header, const Rules& rules, Time now)
    : m_header(header),
      m_keepData(rules.keepData),
      m_start(now)
{
    auto limits = rules.limits;
    limits.packets = header.GetPackets();
    const auto rate = header.lossRate.value_or(VrpLossRules::RateToByte(rules.defaultLossRate));
    m_maxLosses = rules.shortFrameScaling
                      ? VrpLossRules::MaxLossesScaled(rate,
                                                      limits.historyWindow,
                                                      limits.packets,
                                                      rules.rounding)
                      : VrpLossRules::MaxLosses(rate, limits.historyWindow, rules.rounding);
    limits.maxLosses = m_maxLosses;
    limits.critical = header.critical;
    if (header.maxBurst)
    {
        limits.maxBurst = *header.maxBurst;
    }
    else if (rules.defaultBurst >= 0)
    {
        limits.maxBurst = VrpLossRules::BurstToPackets(static_cast<uint64_t>(rules.defaultBurst),
                                                       header.packetSize);
    }
    if (rules.algorithm == Algorithm::ANTICIPATING)
    {
        m_window = std::make_unique<VrpAnticipatingWindow>(limits);
    }
    else
    {
        m_window = std::make_unique<VrpBasicWindow>(limits);
    }
}

VrpReceiveWindow::Outcome
VrpIncomingFrame::OnPacket(uint32_t packet, VrpReceiveWindow::Answer& answer)
{
    const auto before = answer.nacks.size();
    const auto outcome = m_window->OnPacket(packet, answer);
    m_counters.nacks += answer.nacks.size() - before;
    m_counters.duplicates += outcome == VrpReceiveWindow::Outcome::DUPLICATE ? 1 : 0;
    return outcome;
}

std::span<uint8_t>
VrpIncomingFrame::GetRoom(uint32_t packet)
{
    if (!m_keepData)
    {
        return {};
    }
    const auto offset = uint64_t{packet} * m_header.packetSize;
    const auto bytes = m_header.GetPacketBytes(packet);
    if (m_data.size() < offset + bytes)
    {
        m_data.resize(offset + bytes);
    }
    return std::span(m_data).subspan(offset, bytes);
}

std::vector<VrpByteInterval>
VrpIncomingFrame::Finish()
{
    m_receiving = false;
    if (m_keepData)
    {
        m_data.resize(m_header.dataSize);
    }
    std::vector<VrpByteInterval> gaps;
    for (const auto& lost : m_window->GetLostPackets())
    {
        const auto begin = uint64_t{lost.first} * m_header.packetSize;
        const auto end =
            std::min((uint64_t{lost.last} + 1) * m_header.packetSize, uint64_t{m_header.dataSize});
        gaps.push_back({begin, end - begin});
    }
    return gaps;
}

bool
VrpIncomingFrame::IsReceiving() const
{
    return m_receiving;
}

const VrpFrameHeader&
VrpIncomingFrame::GetHeader() const
{
    return m_header;
}

const VrpReceiveWindow&
VrpIncomingFrame::GetWindow() const
{
    return *m_window;
}

const std::vector<uint8_t>&
VrpIncomingFrame::GetData() const
{
    return m_data;
}

uint32_t
VrpIncomingFrame::GetMaxLosses() const
{
    return m_maxLosses;
}

const VrpIncomingFrame::Counters&
VrpIncomingFrame::GetCounters() const
{
    return m_counters;
}

Time
VrpIncomingFrame::GetStart() const
{
    return m_start;
}

uint64_t
VrpIncomingFrame::GetMemory() const
{
    return sizeof(*this) + m_window->GetMemory() + m_data.capacity() +
           m_header.critical.capacity() * sizeof(VrpPacketInterval);
}

} // namespace ns3::lfn
