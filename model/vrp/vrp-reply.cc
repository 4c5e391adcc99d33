// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-reply.h"

#include <utility>

namespace ns3::lfn
{

std::vector<std::vector<VrpTag>>
VrpReply::Make(std::vector<VrpTag> front,
               const VrpReceiveWindow::Answer& answer,
               std::optional<uint32_t> ack,
               uint32_t maxSize)
{
    std::vector<VrpTag> end;
    end.reserve(answer.singleAcks.size() + 1);
    for (const auto packet : answer.singleAcks)
    {
        end.push_back(VrpTag::OfPacket(VrpTagCode::SINGLE_ACK, packet));
    }
    if (ack)
    {
        end.push_back(VrpTag::OfPacket(VrpTagCode::ACK, *ack));
    }
    uint32_t fixed = VrpHeader::SIZE + 1; // with LAST
    for (const auto& tag : end)
    {
        fixed += tag.GetSize();
    }
    uint32_t size = fixed;
    for (const auto& tag : front)
    {
        size += tag.GetSize();
    }
    std::vector<std::vector<VrpTag>> parts;
    const auto finish = [&]() {
        front.insert(front.end(), end.begin(), end.end());
        parts.push_back(std::exchange(front, {}));
        size = fixed;
    };
    const auto add = [&](VrpTagCode code, uint32_t packet) {
        const auto tag = VrpTag::OfPacket(code, packet);
        if (size + tag.GetSize() > maxSize)
        {
            finish();
        }
        size += tag.GetSize();
        front.push_back(tag);
    };
    for (const auto packet : answer.nacks)
    {
        add(VrpTagCode::NACK, packet);
    }
    for (const auto packet : answer.acceptedAcks)
    {
        add(VrpTagCode::SINGLE_ACK, packet);
    }
    finish();
    return parts;
}

} // namespace ns3::lfn
