// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_FRAME_H
#define VRP_FRAME_H

#include "vrp-outgoing-frame.h"
#include "vrp-tolerance.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-vrp
 * What applications hand to a VRP sender and get from it: a frame to send, and its end.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief A frame to send (the report's vrp_buffer_t).
 *
 * What the tolerance leaves open is taken from the sender's Attributes.
 */
struct VrpFrame
{
    uint32_t bytes{0};      //!< size, B; 0 is a frame without data
    Ptr<const Packet> data; //!< the bytes, as many as the size says; null: size only, nulls travel

    /**
     * @brief Instead of data: makes the bytes of a packet when it is sent, the same ones when it is
     * retransmitted. Gets (frame number << 32) + offset of the packet's first byte, and its size,
     * B.
     */
    Callback<Ptr<Packet>, uint64_t, uint32_t> makeData;

    VrpTolerance tolerance; //!< what may be lost

    /**
     * @brief Make the bytes of a packet.
     * @param number number of the frame
     * @param offset of the packet's first byte in the frame, B
     * @param size its size, B
     * @return a packet without a header
     */
    Ptr<Packet> MakeData(uint16_t number, uint32_t offset, uint32_t size) const;
};

/**
 * @ingroup lfn-vrp
 * @brief How a frame ended at the sender, and what the network did to it.
 */
struct VrpFrameReport
{
    uint16_t number{0};                          //!< number of the frame
    uint32_t bytes{0};                           //!< its size, B
    Time start;                                  //!< SendFrame() was called
    Time finish;                                 //!< the sender knew its end
    VrpFrameState state{VrpFrameState::CREATED}; //!< DONE, REFUSED, ERROR or TIMED_OUT
    std::string failure;                         //!< why, when it is not DONE
    double lossRate{0}; //!< loss rate given to the receiver, 0 to 1; -1 for none
    uint64_t criticalPackets{
        0};                    //!< packets that could not be lost, those added by merging included
    uint64_t mergedPackets{0}; //!< packets made critical only to keep the header one packet
    VrpOutgoingFrame::Counters counters; //!< packets, NACKs, timeouts, accepted losses
};

} // namespace ns3::lfn

#endif // VRP_FRAME_H
