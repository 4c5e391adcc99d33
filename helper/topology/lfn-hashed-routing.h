// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_HASHED_ROUTING_H
#define LFN_HASHED_ROUTING_H

#include "lfn-route-table.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-list-routing.h"
#include "ns3/ipv4-static-routing.h"
#include "ns3/ipv6-static-routing.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Routes of IPv4 and the node's own addresses by hash.
 *
 * Ipv4StaticRouting goes through all routes for each packet, and through all addresses of the
 * node. This class finds the same route in a RouteTable. The table has the networks of the node's
 * interfaces and what AddRoute() gives it. A route whose interface is down is left out until the
 * interface is up.
 *
 * A node that gets routes by the methods of Ipv4StaticRouting as well, such as those of a multicast
 * group, is no exception to what they say: all routes then go over to Ipv4StaticRouting, and its
 * look-up decides. Multicast forwarding is that of Ipv4StaticRouting.
 */
class HashedIpv4Routing : public Ipv4StaticRouting
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    /** @brief Add a route, with metric 0. */
    void AddRoute(const Ipv4RoutingTableEntry& route);

    /**
     * @brief Tell whether an address may be one that the node receives at.
     * @return False when it is surely none; otherwise Ipv4::IsDestinationAddress() decides.
     */
    bool MayBeOwn(Ipv4Address address) const;

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
    /** @brief Tell whether Ipv4StaticRouting has the routes; it gets them when it has others. */
    bool IsHandedOver();

    /** @brief Add a route to the network of an address, if the address has one. */
    void AddNetwork(uint32_t interface, const Ipv4InterfaceAddress& address);

    /** @brief Find a route in the table; null when there is none. */
    Ptr<Ipv4Route> Find(Ipv4Address to, Ptr<NetDevice> device) const;

    /** @brief Remember an address of the node. */
    void AddOwn(const Ipv4InterfaceAddress& address);

    Ptr<Ipv4> m_ipv4;                           //!< The node's.
    RouteTable<Ipv4RoutingTableEntry> m_routes; //!< Until they are handed over.
    AddressIndex<Ipv4Address> m_own;            //!< Has the addresses of all interfaces, ever.
    bool m_isHandedOver{false};                 //!< Ipv4StaticRouting has the routes.
};

/**
 * @ingroup lfn
 * @brief Routes of IPv6 by hash, as HashedIpv4Routing.
 *
 * As in ns-3 an interface that goes down loses its routes, as it loses its addresses. Which packets
 * are for the node is beyond a routing protocol: Ipv6L3Protocol goes through all addresses itself.
 */
class HashedIpv6Routing : public Ipv6StaticRouting
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    /** @brief Add a route, with metric 0. */
    void AddRoute(const Ipv6RoutingTableEntry& route);

    Ptr<Ipv6Route> RouteOutput(Ptr<Packet> packet,
                               const Ipv6Header& header,
                               Ptr<NetDevice> device,
                               Socket::SocketErrno& error) override;
    bool RouteInput(Ptr<const Packet> packet,
                    const Ipv6Header& header,
                    Ptr<const NetDevice> device,
                    const UnicastForwardCallback& forward,
                    const MulticastForwardCallback& forwardMulticast,
                    const LocalDeliverCallback& deliver,
                    const ErrorCallback& fail) override;
    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t interface) override;
    void NotifyRemoveAddress(uint32_t interface, Ipv6InterfaceAddress address) override;
    void NotifyAddRoute(Ipv6Address network,
                        Ipv6Prefix prefix,
                        Ipv6Address gateway,
                        uint32_t interface,
                        Ipv6Address prefixToUse) override;
    void NotifyRemoveRoute(Ipv6Address network,
                           Ipv6Prefix prefix,
                           Ipv6Address gateway,
                           uint32_t interface,
                           Ipv6Address prefixToUse) override;
    void SetIpv6(Ptr<Ipv6> ipv6) override;
    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const override;

  protected:
    void DoDispose() override;

  private:
    /** @brief Tell whether Ipv6StaticRouting has the routes; it gets them when it has others. */
    bool IsHandedOver();

    /** @brief Give Ipv6StaticRouting the routes, if it does not have them. */
    void GiveAway();

    /** @brief Find a route in the table; null when there is none. */
    Ptr<Ipv6Route> Find(Ipv6Address to, Ptr<NetDevice> device) const;

    Ptr<Ipv6> m_ipv6;                           //!< The node's.
    RouteTable<Ipv6RoutingTableEntry> m_routes; //!< Until they are handed over.
    bool m_isHandedOver{false};                 //!< Ipv6StaticRouting has the routes.
};

/**
 * @ingroup lfn
 * @brief A list of routing protocols that asks HashedIpv4Routing which packets are for the node.
 *
 * Ipv4ListRouting goes through all addresses of the node for each packet.
 */
class HashedListRouting : public Ipv4ListRouting
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    bool RouteInput(Ptr<const Packet> packet,
                    const Ipv4Header& header,
                    Ptr<const NetDevice> device,
                    const UnicastForwardCallback& forward,
                    const MulticastForwardCallback& forwardMulticast,
                    const LocalDeliverCallback& deliver,
                    const ErrorCallback& fail) override;
    void SetIpv4(Ptr<Ipv4> ipv4) override;

  protected:
    void DoDispose() override;

  private:
    Ptr<Ipv4> m_ipv4;                //!< The node's.
    Ptr<HashedIpv4Routing> m_hashed; //!< In the list; null for none.
};

/**
 * @ingroup lfn
 * @brief Have a stack find routes, and what is for a node, by hash.
 *
 * The nodes have the routing protocols that InternetStackHelper installs, HashedIpv4Routing and
 * HashedIpv6Routing in place of static routing, and a DeviceDispatch.
 *
 * @param stack The stack, before it is installed.
 */
void UseHashedRouting(InternetStackHelper& stack);

} // namespace ns3::lfn

#endif // LFN_HASHED_ROUTING_H
