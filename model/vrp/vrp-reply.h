// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_REPLY_H
#define VRP_REPLY_H

#include "vrp-header.h"
#include "vrp-receive-window.h"

#include <cstdint>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup lfn-vrp
 * What a receiver answers to a data packet (report, section 3.2.2).
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief Puts NACKs and ACKs into control packets.
 *
 * Order of the tags: what is put in front, NACKs, SINGLE_ACKs of accepted losses, SINGLE_ACKs of
 * packets that came, the cumulative ACK. An answer too long for one control packet is split; each
 * part ends like the whole, so that none has only NACKs and that the last SINGLE_ACK, which a
 * sender takes for a packet that came, always is one.
 */
struct VrpReply
{
    /**
     * @brief Make the tags.
     * @param front tags put in front
     * @param answer NACKs and SINGLE_ACKs
     * @param ack the cumulative ACK, if there is one
     * @param maxSize largest control packet, B
     * @return tags of one control packet or more, each without LAST
     */
    static std::vector<std::vector<VrpTag>> Make(std::vector<VrpTag> front,
                                                 const VrpReceiveWindow::Answer& answer,
                                                 std::optional<uint32_t> ack,
                                                 uint32_t maxSize);
};

} // namespace ns3::lfn

#endif // VRP_REPLY_H
