// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_RECEIVED_FRAME_H
#define VRP_RECEIVED_FRAME_H

#include "vrp-tolerance.h"

#include "ns3/address.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup lfn-vrp
 * What a receiving application gets from VRP.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief A frame as the receiving application gets it: full size, gaps filled with nulls.
 */
struct VrpReceivedFrame
{
    Address from;       //!< the sender
    uint16_t number{0}; //!< number of the frame
    uint32_t bytes{0};  //!< its size, B
    const std::vector<uint8_t>* data{
        nullptr};                      //!< its bytes, valid during the call; null if not kept
    std::vector<VrpByteInterval> lost; //!< the gaps, ascending, touching ones merged
    Time start;                        //!< FRAME_CREATE was received
    Time finish;                       //!< it was complete
    uint32_t packets{0};               //!< packets of the frame
    uint32_t acceptedLosses{0};        //!< packets given up
    uint64_t nacks{0};                 //!< NACKs sent for it
    uint64_t duplicates{0};            //!< data packets that arrived redundantly
    uint32_t maxLosses{0};             //!< accepted losses a history window, packets

    /** @brief Sum up the gaps. @return bytes lost, B */
    uint64_t GetLostBytes() const;
};

} // namespace ns3::lfn

#endif // VRP_RECEIVED_FRAME_H
