// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_FRAME_H
#define VRP_FRAME_H

#include "vrp-outgoing-frame.h"
#include "vrp-tolerance.h"

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-vrp
 * What applications hand to VRP and get from it: a frame to send, its end, a frame received.
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
     * sent again. Gets (frame number << 32) + offset of the packet's first byte, and its size, B.
     */
    Callback<Ptr<Packet>, uint64_t, uint32_t> makeData;

    VrpTolerance tolerance; //!< what may be lost
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
    double lossRate{0}; //!< loss rate that the receiver was told, 0 to 1; -1 for none
    uint64_t criticalPackets{
        0};                    //!< packets that could not be lost, those added by merging included
    uint64_t mergedPackets{0}; //!< packets made critical only to keep the header one packet
    VrpOutgoingFrame::Counters counters; //!< packets, NACKs, timeouts, accepted losses
};

/**
 * @ingroup lfn-vrp
 * @brief A frame as the receiving application gets it: full size, holes filled with nulls (VRP-04).
 */
struct VrpReceivedFrame
{
    Address from;       //!< the sender
    uint16_t number{0}; //!< number of the frame
    uint32_t bytes{0};  //!< its size, B
    const std::vector<uint8_t>* data{
        nullptr};                      //!< its bytes, valid during the call; null if not kept
    std::vector<VrpByteInterval> lost; //!< the holes, ascending, touching ones merged
    Time start;                        //!< FRAME_CREATE was received
    Time finish;                       //!< it was complete
    uint32_t packets{0};               //!< packets of the frame
    uint32_t acceptedLosses{0};        //!< packets given up
    uint64_t nacks{0};                 //!< NACKs sent for it
    uint64_t duplicates{0};            //!< data packets that came in vain
    uint32_t maxLosses{0};             //!< accepted losses a history window, packets
};

} // namespace ns3::lfn

#endif // VRP_FRAME_H
