// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-block-table.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

constexpr uint16_t NUMBER_MASK = VrpHeader::FRAME_NUMBERS - 1; //!< 15 bits
constexpr uint16_t OLD_NUMBER = VrpHeader::FRAME_NUMBERS / 4;  //!< distance of forgotten numbers

/// How far a frame number is ahead of another, in the circle of numbers.
uint16_t
Distance(uint16_t from, uint16_t to)
{
    return static_cast<uint16_t>(to - from) & NUMBER_MASK;
}

} // namespace

void
VrpBlockTable::SetSettings(const Settings& settings)
{
    m_settings = settings;
}

VrpBlockTable::Peer*
VrpBlockTable::FindPeer(const Address& address)
{
    const auto found = m_peers.find(address);
    return found == m_peers.end() ? nullptr : &found->second;
}

const VrpBlockTable::Peer*
VrpBlockTable::FindPeer(const Address& address) const
{
    const auto found = m_peers.find(address);
    return found == m_peers.end() ? nullptr : &found->second;
}

VrpTagCode
VrpBlockTable::Create(const VrpFrameHeader& header, const Address& from, Time now)
{
    auto* peer = FindPeer(from);
    if (peer)
    {
        const auto block = peer->blocks.find(header.number);
        if (block != peer->blocks.end())
        {
            // C7: the first FRAME_OK may be lost. Another frame of that number has to wait.
            return block->second.frame->GetHeader() == header ? VrpTagCode::FRAME_OK
                                                              : VrpTagCode::FRAME_REFUSED;
        }
        const auto done = peer->done.find(header.number);
        if (done != peer->done.end() && done->second == header.GetPackets())
        {
            return VrpTagCode::FRAME_OK;
        }
    }
    if (header.dataSize > m_settings.maxFrameSize ||
        (peer && peer->incoming >= m_settings.maxIncoming) || !MakeRoom(now))
    {
        return VrpTagCode::FRAME_REFUSED;
    }
    if (!peer)
    {
        peer = &m_peers[from];
        peer->address = from;
        peer->newest = header.number;
        peer->totals.report.started = true;
        peer->totals.report.start = now;
    }
    Renew(*peer, header.number, now);
    peer->totals.report.offeredBytes += header.dataSize;
    auto& block = peer->blocks[header.number];
    block.frame = std::make_unique<VrpIncomingFrame>(header, m_settings.rules, now);
    block.lastArrival = now;
    block.life = m_lives.emplace(m_lives.end(), from, header.number);
    ++peer->incoming;
    Account(block);
    return VrpTagCode::FRAME_OK;
}

bool
VrpBlockTable::MakeRoom(Time now)
{
    // A frame that nothing is remembered of could come a second time.
    const bool remembers = m_settings.rememberTime.IsStrictlyPositive();
    if (m_lives.size() >= m_settings.maxBlocks && remembers && !m_kept.empty())
    {
        const auto [address, number] = m_kept.front();
        Release(m_peers.at(address), number, now);
    }
    return m_lives.size() < m_settings.maxBlocks;
}

void
VrpBlockTable::Renew(Peer& peer, uint16_t number, Time now)
{
    if (Distance(peer.newest, number) < VrpHeader::FRAME_NUMBERS / 2)
    {
        peer.newest = number;
    }
    while (!peer.finished.empty() &&
           (peer.finished.front().forget <= now ||
            Distance(peer.finished.front().number, peer.newest) > OLD_NUMBER))
    {
        peer.done.erase(peer.finished.front().number);
        peer.finished.pop_front();
    }
    peer.done.erase(number); // another frame than the one remembered
}

void
VrpBlockTable::Touch(Block& block, Time now)
{
    block.lastArrival = now;
    m_lives.splice(m_lives.end(), m_lives, block.life);
}

VrpReceivedFrame
VrpBlockTable::Complete(Peer& peer, uint16_t number, Time now)
{
    auto& block = peer.blocks.at(number);
    auto& frame = *block.frame;
    VrpReceivedFrame received;
    received.from = peer.address;
    received.number = number;
    received.bytes = frame.GetHeader().dataSize;
    received.lost = frame.Finish();
    block.kept = m_kept.emplace(m_kept.end(), peer.address, number);
    --peer.incoming;
    received.data = m_settings.rules.keepData ? &frame.GetData() : nullptr;
    received.start = frame.GetStart();
    received.finish = now;
    received.packets = frame.GetHeader().GetPackets();
    received.acceptedLosses = frame.GetWindow().GetAcceptedLosses();
    received.nacks = frame.GetCounters().nacks;
    received.duplicates = frame.GetCounters().duplicates;
    received.maxLosses = frame.GetMaxLosses();

    auto& totals = peer.totals;
    const auto lost = received.GetLostBytes();
    for (const auto& gap : received.lost)
    {
        totals.longestBurstBytes = std::max(totals.longestBurstBytes, gap.size);
    }
    ++totals.frames;
    totals.packets += received.packets;
    totals.acceptedLosses += received.acceptedLosses;
    totals.nacks += received.nacks;
    totals.report.deliveredBytes += received.bytes - lost;
    totals.report.lostBytes += lost;
    totals.report.lastDelivery = now;
    Account(block);
    return received;
}

void
VrpBlockTable::Release(Peer& peer, uint16_t number, Time now)
{
    auto& block = peer.blocks.at(number);
    const bool delivered = !block.frame->IsReceiving();
    if (delivered && m_settings.rememberTime.IsStrictlyPositive())
    {
        peer.done[number] = block.frame->GetHeader().GetPackets();
        peer.finished.push_back({number, now + m_settings.rememberTime});
    }
    if (delivered)
    {
        m_kept.erase(block.kept);
    }
    else
    {
        --peer.incoming;
    }
    m_bytes -= block.memory;
    m_lives.erase(block.life);
    peer.blocks.erase(number);
}

void
VrpBlockTable::Forget(Peer& peer)
{
    peer.done.clear();
    peer.finished.clear();
}

void
VrpBlockTable::Expire(Time now)
{
    while (const auto expiry = GetExpiry())
    {
        if (*expiry > now)
        {
            return;
        }
        const auto [address, number] = m_lives.front();
        Release(m_peers.at(address), number, now);
    }
}

std::optional<Time>
VrpBlockTable::GetExpiry() const
{
    if (m_lives.empty())
    {
        return std::nullopt;
    }
    const auto& [address, number] = m_lives.front();
    return m_peers.at(address).blocks.at(number).lastArrival + m_settings.frameTimeout;
}

void
VrpBlockTable::Account(Block& block)
{
    const auto bytes = block.frame->GetMemory();
    m_bytes += bytes - block.memory;
    block.memory = bytes;
    m_peakBytes = std::max(m_peakBytes, m_bytes);
}

std::size_t
VrpBlockTable::GetBlocks() const
{
    return m_lives.size();
}

uint64_t
VrpBlockTable::GetBytes() const
{
    return m_bytes;
}

uint64_t
VrpBlockTable::GetPeakBytes() const
{
    return m_peakBytes;
}

} // namespace ns3::lfn
