// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_DEVICE_BOUNDS_H
#define LFN_DEVICE_BOUNDS_H

#include "ns3/lfn-topology.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Get how much may wait at a device: its own queue and its root queue disc, both full.
 * @param device the sending device
 * @param packet what a packet takes where a queue's size is given in packets, [B]
 * @return the bytes; 0 where neither reports its size
 */
double MostQueuedBytes(Ptr<NetDevice> device, uint32_t packet);

/**
 * @ingroup lfn
 * @brief Get how long a packet may take to leave a device when it finds all queues full.
 * @param device the sending device
 * @param packet the packet's bytes, and those of each that waits
 * @return the time; 0 where the device reports no rate
 */
Time LongestWait(Ptr<NetDevice> device, uint32_t packet);

/**
 * @ingroup lfn
 * @brief Get how long a packet may wait on its way from a sender to a receiver.
 * @param topology the network, built
 * @return the longest of all pairs; nothing where a path is not known
 */
std::optional<Time> LongestWait(const TransportTopology& topology);

} // namespace ns3::lfn

#endif // LFN_DEVICE_BOUNDS_H
