// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_FRAME_HEADER_H
#define VRP_FRAME_HEADER_H

#include "vrp-header.h"
#include "vrp-tolerance.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup lfn-vrp
 * The frame header: what both ends have of a frame (report, section 2.4.5).
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief What a frame header says of its frame.
 */
struct VrpFrameHeader
{
    static constexpr uint32_t MAX_PACKET_SIZE = 65501; //!< UDP's 65507 less the packet header, B

    uint16_t number{0};                      //!< number of the frame, 0 to 32767
    uint32_t dataSize{0};                    //!< size of the frame, B
    uint16_t packetSize{0};                  //!< data bytes of a packet, B, not 0
    std::optional<uint8_t> maxBurst;         //!< CONS_LOSS, packets
    std::optional<uint8_t> lossRate;         //!< LOSS_RATE, 0 to 255
    std::vector<VrpPacketInterval> critical; //!< packets that must not be lost, ascending

    /**
     * @brief Number of packets of the frame.
     * @return ceil(dataSize / packetSize); 0 for a packetSize of 0
     */
    uint32_t GetPackets() const;

    /**
     * @brief Bytes that a packet carries.
     * @param packet 0 to GetPackets() - 1
     * @return packetSize, or what is left for the last one
     */
    uint32_t GetPacketBytes(uint32_t packet) const;

    /**
     * @brief Make the tags: FRAME_CREATE, CONS_LOSS, LOSS_RATE, critical packets.
     * @return the tags, without LAST
     */
    std::vector<VrpTag> ToTags() const;

    /**
     * @brief Find the frame header among the tags of a control packet.
     *
     * CONS_LOSS, LOSS_RATE and CRITICAL_* count only after FRAME_CREATE (section 3.1), the last one
     * of a kind for the first two. A second FRAME_CREATE ends the frame header. Critical packets
     * beyond the frame are ignored and an interval that ends before it begins is empty; the rest is
     * sorted and merged.
     *
     * @return the frame header, or nothing without FRAME_CREATE or with a packet size of 0 or
     *         above MAX_PACKET_SIZE
     */
    static std::optional<VrpFrameHeader> FromTags(std::span<const VrpTag> tags);

    /**
     * @brief Compare.
     * @param other another header
     * @return true when they are equal
     */
    bool operator==(const VrpFrameHeader& other) const = default;
};

} // namespace ns3::lfn

#endif // VRP_FRAME_HEADER_H
