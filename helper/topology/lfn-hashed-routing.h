// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_HASHED_ROUTING_H
#define LFN_HASHED_ROUTING_H

#include "lfn-route-table.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-list-routing.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-static-routing.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-route.h"
#include "ns3/ipv6-static-routing.h"
#include "ns3/ipv6.h"

#include <cstdint>
#include <type_traits>
#include <unordered_set>
#include <utility>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief ns-3's static routing with a hash table; what HashedIpv4Routing and HashedIpv6Routing
 * share.
 *
 * ns-3 goes through all routes for each packet. This class finds the same route in a RouteTable,
 * which has the networks of the node's interfaces and what AddRoute() gives it.
 *
 * The table only grows. All routes are handed over to ns-3's static routing, which decides from
 * then on, when an interface goes down, when an address is removed, and when the node gets a route
 * by a method of ns-3's class. Multicast forwarding is that of ns-3.
 *
 * @tparam Static Ipv4StaticRouting or Ipv6StaticRouting.
 */
template <typename Static>
class HashedRouting : public Static
{
  public:
    /** @brief A route of a table. */
    using Entry = decltype(std::declval<Static&>().GetDefaultRoute());
    /** @brief An address of the IP version. */
    using IpAddress = typename RouteTable<Entry>::Address;
    /** Whether the version is 4. */
    static constexpr bool IS_IPV4 = RouteTable<Entry>::IS_IPV4;
    using Ip = std::conditional_t<IS_IPV4, Ipv4, Ipv6>;                   //!< The protocol.
    using IpHeader = std::conditional_t<IS_IPV4, Ipv4Header, Ipv6Header>; //!< Of a packet.
    using IpRoute = std::conditional_t<IS_IPV4, Ipv4Route, Ipv6Route>;    //!< Of a packet.
    /** @brief An address of an interface. */
    using InterfaceAddress =
        std::conditional_t<IS_IPV4, Ipv4InterfaceAddress, Ipv6InterfaceAddress>;

    /** @brief Add a route, with metric 0. */
    void AddRoute(const Entry& route);

    /** @brief Give ns-3's static routing the routes, if it does not have them. */
    void HandOver();

    Ptr<IpRoute> RouteOutput(Ptr<Packet> packet,
                             const IpHeader& header,
                             Ptr<NetDevice> device,
                             Socket::SocketErrno& error) override;
    bool RouteInput(Ptr<const Packet> packet,
                    const IpHeader& header,
                    Ptr<const NetDevice> device,
                    const typename Static::UnicastForwardCallback& forward,
                    const typename Static::MulticastForwardCallback& forwardMulticast,
                    const typename Static::LocalDeliverCallback& deliver,
                    const typename Static::ErrorCallback& fail) override;
    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t interface) override;
    void NotifyAddAddress(uint32_t interface, InterfaceAddress address) override;
    void NotifyRemoveAddress(uint32_t interface, InterfaceAddress address) override;
    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const override;

  protected:
    /** @brief Set the node's IP, before ns-3's static routing gets it. */
    void SetIp(Ptr<Ip> ip);

    /** @brief Get the node's IP. */
    Ptr<Ip> GetIp() const;

    /** @brief Have ns-3's static routing add routes, and take them from it unless it has all. */
    template <typename Action>
    void Absorb(Action add);

    void DoDispose() override;

  private:
    /** @brief Check whether ns-3's static routing has the routes; it gets them when it has others.
     */
    bool IsHandedOver();

    /** @brief Check whether a packet that arrives may not be forwarded by the table. */
    virtual bool IsLocal(IpAddress to, uint32_t interface) const = 0;

    /** @brief Find a route in the table; null when there is none. */
    Ptr<IpRoute> Find(IpAddress to, Ptr<NetDevice> device) const;

    Ptr<Ip> m_ip;               //!< The node's.
    RouteTable<Entry> m_routes; //!< Until they are handed over.
    bool m_isHandedOver{false}; //!< ns-3's static routing has the routes.
};

extern template class HashedRouting<Ipv4StaticRouting>;
extern template class HashedRouting<Ipv6StaticRouting>;

/**
 * @ingroup lfn
 * @brief Routes of IPv4 and the node's own addresses by hash.
 */
class HashedIpv4Routing : public HashedRouting<Ipv4StaticRouting>
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Check whether an address may be one that the node receives at.
     * @return False when it is surely none; otherwise Ipv4::IsDestinationAddress() decides.
     */
    bool MayBeOwn(Ipv4Address address) const;

    void NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void SetIpv4(Ptr<Ipv4> ipv4) override;

  private:
    bool IsLocal(Ipv4Address to, uint32_t interface) const override;

    /** @brief Remember an address of the node. */
    void AddOwn(const Ipv4InterfaceAddress& address);

    /** Has the addresses of all interfaces, ever. */
    std::unordered_set<Ipv4Address, IpAddressHash> m_own;
};

/**
 * @ingroup lfn
 * @brief Routes of IPv6 by hash.
 *
 * Which packets are for the node is beyond a routing protocol: Ipv6L3Protocol goes through all
 * addresses itself.
 */
class HashedIpv6Routing : public HashedRouting<Ipv6StaticRouting>
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

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

  private:
    bool IsLocal(Ipv6Address to, uint32_t interface) const override;
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
    /** As ns-3; but first the routes are handed over, so that StaticRouteKeeper finds them. */
    void NotifyInterfaceDown(uint32_t interface) override;
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
