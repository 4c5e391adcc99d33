// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_POINT_TO_POINT_LINK_H
#define LFN_POINT_TO_POINT_LINK_H

#include "ns3/data-rate.h"
#include "ns3/net-device-container.h"
#include "ns3/node.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/queue-size.h"

#include <cstdint>

namespace ns3::lfn
{

/** @brief What both devices of a link are like. */
struct LinkSettings
{
    DataRate rate;      //!< Rate of the device (bit/s).
    QueueSize queue;    //!< Largest size of its drop-tail queue.
    uint16_t mtu{1500}; //!< Largest IP packet (bytes).
};

/**
 * @ingroup lfn
 * @brief Connect two nodes by a point-to-point link.
 *
 * By hand, since ns-3's helper makes its own kind of channel only. Without the aggregate that the
 * helper adds for flow control: with it a full queue would stop the layer above, which then drops
 * the packets where no trace of the device sees them. Only nodes of two ranks (Node::GetSystemId())
 * are connected by ns3::PointToPointHelper, with a channel that has the delay of the one given.
 *
 * @param from The first node.
 * @param to The second node.
 * @param settings What both devices are like.
 * @param channel The link, without devices.
 * @return The device of the first node and that of the second.
 */
NetDeviceContainer InstallLink(Ptr<Node> from,
                               Ptr<Node> to,
                               const LinkSettings& settings,
                               Ptr<PointToPointChannel> channel);

/**
 * @ingroup lfn
 * @brief Remove the queue discs that assigning addresses installs where a device could use them.
 */
void RemoveQueueDiscs(const NetDeviceContainer& devices);

} // namespace ns3::lfn

#endif // LFN_POINT_TO_POINT_LINK_H
