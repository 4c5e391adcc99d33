// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-header-packet.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

/// Bytes of a packet with these tags: packet header, tags, LAST.
uint32_t
GetPacketSize(const std::vector<VrpTag>& tags)
{
    uint32_t size = VrpHeader::SIZE + 1;
    for (const auto& tag : tags)
    {
        size += tag.GetSize();
    }
    return size;
}

} // namespace

VrpHeaderPacket
VrpHeaderPacket::Pack(VrpFrameHeader& header,
                      const VrpTolerance& tolerance,
                      uint32_t maxSize,
                      bool combine,
                      std::deque<uint16_t>& ended)
{
    maxSize = std::max(maxSize, MIN_SIZE);
    if (tolerance.maxLossRate)
    {
        header.lossRate = VrpLossRules::RateToByte(*tolerance.maxLossRate);
    }
    if (tolerance.maxBurst)
    {
        header.maxBurst = VrpLossRules::BurstToPackets(*tolerance.maxBurst, header.packetSize);
    }
    VrpHeaderPacket packet;
    auto critical =
        VrpLossRules::CriticalPackets(tolerance.critical, header.dataSize, header.packetSize);
    packet.mergedPackets =
        VrpLossRules::FitCritical(critical, maxSize - GetPacketSize(header.ToTags()));
    for (const auto& piece : critical)
    {
        packet.criticalPackets += uint64_t{piece.last} - piece.first + 1;
    }
    header.critical = std::move(critical);

    auto tags = header.ToTags();
    uint32_t size = GetPacketSize(tags);
    uint32_t limit = maxSize;
    const auto dataPacket = uint32_t{header.packetSize} + VrpHeader::SIZE;
    if (combine && header.GetPackets() == 1 && size + header.dataSize <= dataPacket)
    {
        packet.carriesData = true;
        limit = std::min(limit, dataPacket - header.dataSize);
    }
    while (!ended.empty())
    {
        const auto close = VrpTag::OfFrame(VrpTagCode::FRAME_CLOSE, ended.front());
        if (size + close.GetSize() > limit)
        {
            break;
        }
        size += close.GetSize();
        tags.push_back(close);
        packet.closes.push_back(ended.front());
        ended.pop_front();
    }
    packet.bytes = VrpControl::Write(tags);
    return packet;
}

} // namespace ns3::lfn
