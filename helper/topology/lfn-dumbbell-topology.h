// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_DUMBBELL_TOPOLOGY_H
#define LFN_DUMBBELL_TOPOLOGY_H

#include "lfn-link-addresses.h"
#include "lfn-link-topology.h"

#include "ns3/data-rate.h"
#include "ns3/net-device-container.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Pairs of hosts on either side of a bottleneck between two routers.
 *
 * Sender i talks to receiver i. Its round-trip time, Rtt or the i-th of Rtts, is made up of the
 * bottleneck's delay and of equal delays of both access links; the bottleneck's delay is
 * BottleneckDelay, or half the shortest round-trip time where that is less. A drop-tail queue is in
 * front of each device, with neither queue disc nor flow control above it; a program that needs a
 * queue disc at the bottleneck installs it there and limits the device's queue. With Ipv6 every
 * host has IPv6 addresses as well, without duplicate address detection, so that they work at once.
 */
class DumbbellTopology : public LinkTopology
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

  private:
    /** @brief A host and the addresses on its link. */
    struct Host
    {
        Ptr<Node> node;          //!< The host.
        LinkAddresses addresses; //!< Its own, then the router's.
    };

    void DoBuild() override;

    Time GetPathRtt() const override;

    /** @brief Get the round-trip times, one a pair. */
    std::vector<Time> GetRtts() const;

    /** @brief Give both ends of a link addresses of a network of their own. */
    LinkAddresses Address(const NetDeviceContainer& devices);

    /** @brief Make a host at a router. */
    Host AddHost(Ptr<Node> router, Time delay);

    uint32_t m_pairs{0};    //!< Attribute Pairs.
    Time m_bottleneckDelay; //!< Attribute BottleneckDelay, one way.
    std::string m_rtts;     //!< Attribute Rtts: a comma list, one a pair, going round.
    uint32_t m_ranks{1};    //!< Attribute Ranks.
    uint32_t m_networks{0}; //!< Networks that have addresses.
};

} // namespace ns3::lfn

#endif // LFN_DUMBBELL_TOPOLOGY_H
