// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_HEADER_PACKET_H
#define VRP_HEADER_PACKET_H

#include "vrp-frame-header.h"
#include "vrp-tolerance.h"

#include <cstdint>
#include <deque>
#include <vector>

/**
 * @file
 * @ingroup lfn-vrp
 * The one packet that a frame header is (report, section 2.4.5).
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief Packs a frame header: tolerance, critical packets and as many FRAME_CLOSE as fit.
 */
struct VrpHeaderPacket
{
    static constexpr uint32_t MIN_SIZE = 64; //!< room that a header packet has at least, B

    std::vector<uint8_t> bytes;   //!< tags with LAST; what follows the packet header
    std::vector<uint16_t> closes; //!< frames whose FRAME_CLOSE is in it
    uint64_t criticalPackets{0};  //!< packets that must not be lost, merged ones included
    uint64_t mergedPackets{0};    //!< of them, those made critical only to fit into one packet
    bool carriesData{false};      //!< there is room for the data of a frame of one packet

    /**
     * @brief Pack a frame header.
     * @param header number and sizes; its tolerance is filled in
     * @param tolerance what may be lost
     * @param maxSize largest packet, B, packet header included; at least MIN_SIZE is taken
     * @param combine let the data of a frame of one packet ride, if the packet then is no larger
     *        than a data packet
     * @param ended frames to close; those that fit are taken from its front
     * @return the packet
     */
    static VrpHeaderPacket Pack(VrpFrameHeader& header,
                                const VrpTolerance& tolerance,
                                uint32_t maxSize,
                                bool combine,
                                std::deque<uint16_t>& ended);
};

} // namespace ns3::lfn

#endif // VRP_HEADER_PACKET_H
