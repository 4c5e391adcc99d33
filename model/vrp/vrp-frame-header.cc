// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-frame-header.h"

#include <algorithm>

namespace ns3::lfn
{

uint32_t
VrpFrameHeader::GetPackets() const
{
    return packetSize == 0 ? 0 : dataSize / packetSize + (dataSize % packetSize != 0 ? 1 : 0);
}

uint32_t
VrpFrameHeader::GetPacketBytes(uint32_t packet) const
{
    return std::min<uint32_t>(packetSize, dataSize - packet * packetSize);
}

std::vector<VrpTag>
VrpFrameHeader::ToTags() const
{
    std::vector<VrpTag> tags;
    tags.reserve(3 + critical.size());
    auto create = VrpTag::OfFrame(VrpTagCode::FRAME_CREATE, number);
    create.dataSize = dataSize;
    create.packetSize = packetSize;
    tags.push_back(create);
    if (maxBurst)
    {
        tags.push_back(VrpTag::OfValue(VrpTagCode::CONS_LOSS, *maxBurst));
    }
    if (lossRate)
    {
        tags.push_back(VrpTag::OfValue(VrpTagCode::LOSS_RATE, *lossRate));
    }
    for (const auto& interval : critical)
    {
        auto tag = VrpTag::OfPacket(VrpTagCode::CRITICAL_PACKET, interval.first);
        if (interval.first != interval.last)
        {
            tag.code = VrpTagCode::CRITICAL_INTERVAL;
            tag.lastPacket = interval.last;
        }
        tags.push_back(tag);
    }
    return tags;
}

std::optional<VrpFrameHeader>
VrpFrameHeader::FromTags(std::span<const VrpTag> tags)
{
    const auto isCreate = [](const VrpTag& tag) { return tag.code == VrpTagCode::FRAME_CREATE; };
    const auto create = std::find_if(tags.begin(), tags.end(), isCreate);
    if (create == tags.end() || create->packetSize == 0 || create->packetSize > MAX_PACKET_SIZE)
    {
        return std::nullopt;
    }
    VrpFrameHeader header;
    header.number = create->frame;
    header.dataSize = create->dataSize;
    header.packetSize = create->packetSize;
    const uint32_t packets = header.GetPackets();
    const auto addCritical = [&](uint32_t first, uint32_t last) {
        if (first <= last && first < packets)
        {
            header.critical.push_back({first, std::min(last, packets - 1)});
        }
    };

    const auto end = std::find_if(create + 1, tags.end(), isCreate);
    for (auto tag = create + 1; tag != end; ++tag)
    {
        switch (tag->code)
        {
        case VrpTagCode::CONS_LOSS:
            header.maxBurst = tag->value;
            break;
        case VrpTagCode::LOSS_RATE:
            header.lossRate = tag->value;
            break;
        case VrpTagCode::CRITICAL_PACKET:
            addCritical(tag->packet, tag->packet);
            break;
        case VrpTagCode::CRITICAL_INTERVAL:
            addCritical(tag->packet, tag->lastPacket);
            break;
        default: // FRAME_CLOSE, and what makes no sense here
            break;
        }
    }
    VrpLossRules::Merge(header.critical);
    return header;
}

} // namespace ns3::lfn
