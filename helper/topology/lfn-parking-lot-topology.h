// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_PARKING_LOT_TOPOLOGY_H
#define LFN_PARKING_LOT_TOPOLOGY_H

#include "lfn-link-addresses.h"
#include "lfn-link-topology.h"

#include "ns3/data-rate.h"
#include "ns3/net-device-container.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Routers in a row: one pair of hosts talks over all hops, others cross one hop each.
 *
 * Sender 0 is at the first router and receiver 0 at the last one. Then come CrossPairs pairs that
 * cross the first hop, as many that cross the second one, and so on: with CrossPairs of 1, pair k
 * crosses hop k alone. The bottlenecks are the hops, in the direction of the data. All links of the
 * long path have the same delay, Rtt / (2 * (Hops + 2)); access links of the other pairs make
 * their round-trip time CrossRtt. A drop-tail queue is in front of each device, with neither queue
 * disc nor flow control above it. Any host reaches any other one. With Ipv6 every host has IPv6
 * addresses as well, as those of DumbbellTopology.
 */
class ParkingLotTopology : public LinkTopology
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;

  private:
    /** @brief A router, and what it has given away of its addresses. */
    struct Router
    {
        Ptr<Node> node;       //!< The router.
        uint32_t networks{0}; //!< Networks that have addresses.
    };

    /** @brief A host and the addresses on its link. */
    struct Host
    {
        Ptr<Node> node;          //!< The host.
        LinkAddresses addresses; //!< Its own, then the router's.
    };

    void DoBuild() override;

    /** @brief Get the delay of a hop, and of the access links of the long path, one way. */
    Time GetHopDelay() const;

    /**
     * @brief Get the delay of the access links of a pair that crosses one hop, one way; negative
     * when CrossRtt is less than the hop takes.
     */
    Time GetCrossDelay() const;

    /** @brief Get how many bits number the addresses of a router's part. */
    uint32_t GetHostBits() const;

    /** @brief Get the first address of a router's part, the network that all its hosts are in. */
    Ipv4Address GetSite(uint32_t router) const;

    /** @brief Give both ends of a link addresses of a router's part. */
    LinkAddresses Address(const NetDeviceContainer& devices, uint32_t router);

    /** @brief Make a host at a router. */
    Host AddHost(uint32_t router, Time delay);

    /**
     * @brief Make a pair of hosts.
     * @param from Index of the sender's router.
     * @param to Index of the receiver's router.
     * @param delay Of either access link.
     */
    void AddPair(uint32_t from, uint32_t to, Time delay);

    /**
     * @brief Make what is behind a hop go over it.
     * @param device A router's device at the hop.
     * @param gateway Index of the other end in addresses.
     * @param addresses Those of the hop.
     * @param first Index of the first router behind it.
     * @param end Index behind that of the last one.
     */
    void AddRoutes(Ptr<NetDevice> device,
                   uint32_t gateway,
                   const LinkAddresses& addresses,
                   uint32_t first,
                   uint32_t end) const;

    uint32_t m_hops{0};            //!< Attribute Hops.
    uint32_t m_crossPairs{0};      //!< Attribute CrossPairs, on each hop.
    Time m_crossRtt;               //!< Attribute CrossRtt; 0: equal delays of all links.
    std::vector<Router> m_routers; //!< From the long path's sender to its receiver.
};

} // namespace ns3::lfn

#endif // LFN_PARKING_LOT_TOPOLOGY_H
