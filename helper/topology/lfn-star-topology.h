// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_STAR_TOPOLOGY_H
#define LFN_STAR_TOPOLOGY_H

#include "lfn-link-topology.h"

#include <cstdint>

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
class StarTopology : public LinkTopology
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

  private:
    void DoBuild() override;

    uint32_t m_hosts{0};   //!< Attribute Hosts.
    uint32_t m_senders{0}; //!< Attribute Senders.
};

} // namespace ns3::lfn

#endif // LFN_STAR_TOPOLOGY_H
