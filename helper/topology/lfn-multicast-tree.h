// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_MULTICAST_TREE_H
#define LFN_MULTICAST_TREE_H

#include "ns3/address.h"
#include "ns3/ipv4-static-routing.h"
#include "ns3/ipv6-static-routing.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/node.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Static multicast routes along a tree of links, for any topology.
 *
 * The tree is found breadth first, so that the way from the first node to any other one has the
 * fewest hops; links that would close a cycle are left out. Nodes forward what arrives in over one
 * link of the tree to all its other links there: what a host sends to the group reaches every other
 * node of the tree once.
 *
 * A socket of ns-3 sends a multicast datagram out of one interface only. What a node amid the tree
 * sends itself reaches all if it goes out of each of its devices there, see GetDevices().
 */
class MulticastTree
{
  public:
    /**
     * @brief Set the routes of a group.
     *
     * A link with many nodes, such as CSMA, is taken when none of them but one is in the tree yet:
     * everyone on it receives what passes.
     *
     * @param nodes hosts and routers, with addresses of the group's IP on the links between them;
     * devices without an interface of it are not looked at; with a router first, hosts with several
     * links more likely stay at the ends of the tree
     * @param group a multicast address of IPv4, or of IPv6 with a scope beyond the link; call this
     * once for each
     * @return the error line, with nothing done: a node that cannot be reached from the first one,
     * one without static routing, or an address that is no group's; nothing when all is well
     */
    static std::optional<std::string> Install(const NodeContainer& nodes, const Address& group);

    /**
     * @brief Get the devices that a node has on the links of a group's tree.
     * @param node a node that Install() was given
     * @param group the group
     * @return out of these all others receive it; none for a node that is in no tree
     */
    static std::vector<Ptr<NetDevice>> GetDevices(Ptr<Node> node, const Address& group);

    /** @brief Get a node's static routing; null when the node has no IPv4 or no such protocol. */
    static Ptr<Ipv4StaticRouting> GetRouting(Ptr<Node> node);

    /** @brief Get a node's static routing of IPv6; null when it has no IPv6 or no such protocol. */
    static Ptr<Ipv6StaticRouting> GetIpv6Routing(Ptr<Node> node);
};

} // namespace ns3::lfn

#endif // LFN_MULTICAST_TREE_H
