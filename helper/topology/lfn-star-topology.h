// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_STAR_TOPOLOGY_H
#define LFN_STAR_TOPOLOGY_H

#include "lfn-topology.h"

#include "ns3/data-rate.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Hosts around one router, each on a link of its own: the network of multicast sessions.
 *
 * The first Senders hosts are the senders and the others the receivers; when all hosts are senders,
 * all are receivers as well, each that of the host before it. All links are alike, with a drop-tail
 * queue in front of each device and neither queue disc nor flow control above it. The bottlenecks
 * are the links from the router to the receivers. Unicast routes lead through the router; those of
 * groups are MulticastTree's.
 */
class StarTopology : public TransportTopology
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;

  private:
    void DoBuild() override;

    uint32_t m_hosts{0};   //!< Attribute Hosts.
    uint32_t m_senders{0}; //!< Attribute Senders.
    DataRate m_linkRate;   //!< Rate of all devices.
    Time m_rtt;            //!< From host to host and back.
    QueueSize m_queue;     //!< Largest size of the queue in front of each device.
    uint16_t m_mtu{0};     //!< Largest IP packet (bytes).
};

} // namespace ns3::lfn

#endif // LFN_STAR_TOPOLOGY_H
