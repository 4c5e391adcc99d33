// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_MULTICAST_TREE_TOPOLOGY_H
#define LFN_MULTICAST_TREE_TOPOLOGY_H

#include "lfn-link-topology.h"

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A tree of routers with a sender at its root and a receiver at each leaf.
 *
 * The sender is a host with one link to the root router. Every router has Fanout links downwards;
 * those of the last of Depth levels lead to the receivers, so that there are Fanout to the power
 * of Depth of them. All Depth + 1 links of a path are alike, with a drop-tail queue in front of
 * each device and neither queue disc nor flow control above it. The bottlenecks are the links to
 * the receivers, in their order. Any host reaches any other one; routes of groups are those of
 * MulticastTree.
 */
class MulticastTreeTopology : public LinkTopology
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;

  private:
    void DoBuild() override;

    /**
     * @brief Get the number of leaves: Fanout to the power of Depth, or a number that is too large.
     */
    uint64_t GetLeaves() const;

    /** @brief Get a link's delay, one way. */
    Time GetLinkDelay() const;

    /** @brief Get how many bits of the addresses number the children of a router. */
    uint32_t GetLevelBits() const;

    /** @brief Connect a node to its router; the router's device comes first. */
    NetDeviceContainer AddLink(Ptr<Node> parent, Ptr<Node> child) const;

    /**
     * @brief Make what is below a router, and the routes to it.
     * @param router The router.
     * @param level Its level; 0 for the root.
     * @param network First address of what is below it.
     */
    void AddChildren(Ptr<Node> router, uint32_t level, uint32_t network);

    uint32_t m_depth{0};  //!< Attribute Depth.
    uint32_t m_fanout{0}; //!< Attribute Fanout.
    uint32_t m_links{0};  //!< Links between routers that have addresses.
};

} // namespace ns3::lfn

#endif // LFN_MULTICAST_TREE_TOPOLOGY_H
