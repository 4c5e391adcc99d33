// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_STATIC_ROUTE_KEEPER_H
#define LFN_STATIC_ROUTE_KEEPER_H

#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4-routing-table-entry.h"
#include "ns3/ipv4-static-routing.h"
#include "ns3/node.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Gives a node the static routes of IPv4 back that it had before an interface was down.
 *
 * Ipv4StaticRouting removes the routes of an interface that goes down. When it comes up, only the
 * route to its own network returns: default routes, routes to hosts and routes that multicast
 * datagrams are sent by are lost for good. This routing protocol has no routes of its own. It
 * stands before the static routing in the node's list, so that it sees the routes before they are
 * removed.
 *
 * With IPv6 there is nothing to keep: an interface that goes down loses its addresses as well.
 */
class StaticRouteKeeper : public Ipv4RoutingProtocol
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Have a node keep its routes.
     *
     * A node without static routing in a list of protocols, as InternetStackHelper installs them,
     * stays as it is. So does one that has a keeper.
     *
     * @param node the node
     */
    static void Install(Ptr<Node> node);

    Ptr<Ipv4Route> RouteOutput(Ptr<Packet> packet,
                               const Ipv4Header& header,
                               Ptr<NetDevice> device,
                               Socket::SocketErrno& error) override;
    bool RouteInput(Ptr<const Packet> packet,
                    const Ipv4Header& header,
                    Ptr<const NetDevice> device,
                    const UnicastForwardCallback& forward,
                    const MulticastForwardCallback& forwardMulticast,
                    const LocalDeliverCallback& deliver,
                    const ErrorCallback& fail) override;
    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t interface) override;
    void NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void SetIpv4(Ptr<Ipv4> ipv4) override;
    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const override;

  protected:
    void DoDispose() override;

  private:
    using Route = std::pair<Ipv4RoutingTableEntry, uint32_t>; //!< a route and its metric

    /// Destination, its mask, gateway, interface and metric of a route.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;

    /** @brief Get what reports a route from others. */
    static Key GetKey(const Route& route);

    /** @brief Add a route behind all others, unless it is there. */
    void Add(const Route& route);

    /**
     * @brief Put routes to the same destination in the order that they had when all interfaces were
     * up: of those with the same metric ns-3 takes the last one, and to a host the first one.
     */
    void Sort();

    Ptr<Ipv4StaticRouting> m_routing;              //!< what loses the routes
    std::map<uint32_t, std::vector<Route>> m_kept; //!< routes by interface, of those that are down
    std::map<Key, std::size_t> m_places;           //!< order of routes, while an interface is down
};

} // namespace ns3::lfn

#endif // LFN_STATIC_ROUTE_KEEPER_H
