// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_INSTALL_QUEUE_DISC_H
#define LFN_INSTALL_QUEUE_DISC_H

#include "ns3/net-device.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"

namespace ns3::lfn
{

/**
 * @brief Put a queue disc in front of a device, in place of the one that is there.
 *
 * The device's own queue keeps one packet, so that packets wait in the queue disc. An Attribute
 * OverheadBytes of the queue disc that is 0 becomes the bytes that the device adds to a packet.
 *
 * @param device the device
 * @param disc the queue disc, not used before
 * @return false when the device's node has no TrafficControlLayer; nothing is changed then
 */
bool InstallQueueDisc(Ptr<NetDevice> device, Ptr<QueueDisc> disc);

} // namespace ns3::lfn

#endif // LFN_INSTALL_QUEUE_DISC_H
