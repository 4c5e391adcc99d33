// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-hashed-routing.h"

#include "lfn-device-dispatch.h"

#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-route.h"
#include "ns3/ipv6-routing-helper.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/node.h"
#if __has_include("ns3/ipv6-global-routing-helper.h")
#include "ns3/ipv6-global-routing-helper.h"
#include "ns3/ipv6-list-routing-helper.h"
#endif

#include <ostream>
#include <utility>
#include <vector>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("LfnHashedRouting");
NS_OBJECT_ENSURE_REGISTERED(HashedIpv4Routing);
NS_OBJECT_ENSURE_REGISTERED(HashedIpv6Routing);
NS_OBJECT_ENSURE_REGISTERED(HashedListRouting);

namespace
{

constexpr int16_t GLOBAL_PRIORITY = -10; //!< of global routing, as InternetStackHelper has it

/** @brief Add a route to ns-3's static routing. */
void
AddTo(Ipv4StaticRouting& routing, const Ipv4RoutingTableEntry& route, uint32_t metric)
{
    routing.AddNetworkRouteTo(route.GetDest(),
                              route.GetDestNetworkMask(),
                              route.GetGateway(),
                              route.GetInterface(),
                              metric);
}

/** @brief Add a route to ns-3's static routing. */
void
AddTo(Ipv6StaticRouting& routing, const Ipv6RoutingTableEntry& route, uint32_t metric)
{
    routing.AddNetworkRouteTo(route.GetDest(),
                              route.GetDestNetworkPrefix(),
                              route.GetGateway(),
                              route.GetInterface(),
                              route.GetPrefixToUse(),
                              metric);
}

/**
 * @brief Give ns-3's static routing all routes of a table, before those that it has: of equal
 * routes it takes the last.
 */
template <typename Routing, typename Entry>
void
HandOver(RouteTable<Entry>& table, Routing& routing)
{
    std::vector<std::pair<Entry, uint32_t>> later;
    for (; routing.GetNRoutes() > 0; routing.RemoveRoute(0))
    {
        later.emplace_back(routing.GetRoute(0), routing.GetMetric(0));
    }
    for (const auto& route : table.GetAll())
    {
        AddTo(routing, route, 0);
    }
    for (const auto& [route, metric] : later)
    {
        AddTo(routing, route, metric);
    }
    table = {};
}

/** @brief Print routes as far as they are not in ns3's static routing, which prints its own. */
template <typename Entry>
void
Print(const RouteTable<Entry>& table, std::ostream& out)
{
    for (const auto& route : table.GetAll())
    {
        out << route << "\n";
    }
}

/** @brief Makes the routing protocols of IPv4 for a node. */
class HashedIpv4RoutingHelper : public Ipv4RoutingHelper
{
  public:
    Ipv4RoutingHelper* Copy() const override
    {
        return new HashedIpv4RoutingHelper(*this);
    }

    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node> node) const override
    {
        const auto list = CreateObject<HashedListRouting>();
        list->AddRoutingProtocol(CreateObject<HashedIpv4Routing>(), 0);
        list->AddRoutingProtocol(Ipv4GlobalRoutingHelper().Create(node), GLOBAL_PRIORITY);
        node->AggregateObject(CreateObject<DeviceDispatch>());
        return list;
    }
};

/** @brief Makes the routing protocol of IPv6 for a node. */
class HashedIpv6RoutingHelper : public Ipv6RoutingHelper
{
  public:
    Ipv6RoutingHelper* Copy() const override
    {
        return new HashedIpv6RoutingHelper(*this);
    }

    Ptr<Ipv6RoutingProtocol> Create(Ptr<Node> /* node */) const override
    {
        return CreateObject<HashedIpv6Routing>();
    }
};

} // namespace

TypeId
HashedIpv4Routing::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::HashedIpv4Routing")
                            .SetParent<Ipv4StaticRouting>()
                            .SetGroupName("Lfn")
                            .AddConstructor<HashedIpv4Routing>();
    return tid;
}

void
HashedIpv4Routing::AddRoute(const Ipv4RoutingTableEntry& route)
{
    NS_LOG_FUNCTION(this << route);
    if (IsHandedOver())
    {
        AddTo(*this, route, 0);
        return;
    }
    m_routes.Add(route);
}

bool
HashedIpv4Routing::MayBeOwn(Ipv4Address address) const
{
    return m_own.Find(address) != AddressIndex<Ipv4Address>::NONE || address.IsMulticast() ||
           address.IsBroadcast();
}

void
HashedIpv4Routing::AddOwn(const Ipv4InterfaceAddress& address)
{
    m_own.Set(address.GetLocal(), 0);
    m_own.Set(address.GetBroadcast(), 0);
}

bool
HashedIpv4Routing::IsHandedOver()
{
    if (!m_isHandedOver && GetNRoutes() > 0)
    {
        NS_LOG_INFO("all routes go over to Ipv4StaticRouting");
        m_isHandedOver = true;
        HandOver(m_routes, *this);
        for (uint32_t i = 0; i < m_ipv4->GetNInterfaces(); ++i)
        {
            if (!m_ipv4->IsUp(i))
            {
                m_ipv4->GetRoutingProtocol()->NotifyInterfaceDown(i);
            }
        }
    }
    return m_isHandedOver;
}

Ptr<Ipv4Route>
HashedIpv4Routing::Find(Ipv4Address to, Ptr<NetDevice> device) const
{
    const auto found = m_routes.Find(to, [&](const Ipv4RoutingTableEntry& route) {
        return m_ipv4->IsUp(route.GetInterface()) &&
               (!device || device == m_ipv4->GetNetDevice(route.GetInterface()));
    });
    if (!found)
    {
        return nullptr;
    }
    const auto route = Create<Ipv4Route>();
    route->SetDestination(found->GetDest());
    route->SetSource(m_ipv4->SourceAddressSelection(found->GetInterface(), found->GetDest()));
    route->SetGateway(found->GetGateway());
    route->SetOutputDevice(m_ipv4->GetNetDevice(found->GetInterface()));
    return route;
}

Ptr<Ipv4Route>
HashedIpv4Routing::RouteOutput(Ptr<Packet> packet,
                               const Ipv4Header& header,
                               Ptr<NetDevice> device,
                               Socket::SocketErrno& error)
{
    if (IsHandedOver() || header.GetDestination().IsLocalMulticast())
    {
        return Ipv4StaticRouting::RouteOutput(packet, header, device, error);
    }
    const auto route = Find(header.GetDestination(), device);
    error = route ? Socket::ERROR_NOTERROR : Socket::ERROR_NOROUTETOHOST;
    return route;
}

bool
HashedIpv4Routing::RouteInput(Ptr<const Packet> packet,
                              const Ipv4Header& header,
                              Ptr<const NetDevice> device,
                              const UnicastForwardCallback& forward,
                              const MulticastForwardCallback& forwardMulticast,
                              const LocalDeliverCallback& deliver,
                              const ErrorCallback& fail)
{
    const auto to = header.GetDestination();
    const auto interface = m_ipv4->GetInterfaceForDevice(device);
    if (IsHandedOver() || to.IsMulticast() ||
        (MayBeOwn(to) && m_ipv4->IsDestinationAddress(to, interface)) ||
        !m_ipv4->IsForwarding(interface))
    {
        return Ipv4StaticRouting::RouteInput(packet,
                                             header,
                                             device,
                                             forward,
                                             forwardMulticast,
                                             deliver,
                                             fail);
    }
    const auto route = Find(to, nullptr);
    if (route)
    {
        forward(route, packet, header);
    }
    return route != nullptr;
}

void
HashedIpv4Routing::AddNetwork(uint32_t interface, const Ipv4InterfaceAddress& address)
{
    if (address.GetLocal() != Ipv4Address() && address.GetMask() != Ipv4Mask())
    {
        m_routes.Add(Ipv4RoutingTableEntry::CreateNetworkRouteTo(
            address.GetLocal().CombineMask(address.GetMask()),
            address.GetMask(),
            interface));
    }
}

void
HashedIpv4Routing::NotifyInterfaceUp(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    if (IsHandedOver())
    {
        Ipv4StaticRouting::NotifyInterfaceUp(interface);
        return;
    }
    for (uint32_t i = 0; i < m_ipv4->GetNAddresses(interface); ++i)
    {
        const auto address = m_ipv4->GetAddress(interface, i);
        if (address.GetMask() != Ipv4Mask::GetOnes())
        {
            AddNetwork(interface, address);
        }
    }
}

void
HashedIpv4Routing::NotifyInterfaceDown(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    if (IsHandedOver())
    {
        Ipv4StaticRouting::NotifyInterfaceDown(interface);
    }
}

void
HashedIpv4Routing::NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
    NS_LOG_FUNCTION(this << interface << address);
    AddOwn(address);
    if (IsHandedOver())
    {
        Ipv4StaticRouting::NotifyAddAddress(interface, address);
    }
    else if (m_ipv4->IsUp(interface))
    {
        AddNetwork(interface, address);
    }
}

void
HashedIpv4Routing::NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
    NS_LOG_FUNCTION(this << interface << address);
    if (IsHandedOver())
    {
        Ipv4StaticRouting::NotifyRemoveAddress(interface, address);
        return;
    }
    const auto mask = address.GetMask();
    const auto network = address.GetLocal().CombineMask(mask);
    m_routes.Remove([&](const Ipv4RoutingTableEntry& route) {
        return route.GetInterface() == interface && route.IsNetwork() &&
               route.GetDestNetwork() == network && route.GetDestNetworkMask() == mask;
    });
}

void
HashedIpv4Routing::SetIpv4(Ptr<Ipv4> ipv4)
{
    NS_LOG_FUNCTION(this << ipv4);
    m_ipv4 = ipv4;
    for (uint32_t i = 0; i < ipv4->GetNInterfaces(); ++i)
    {
        for (uint32_t j = 0; j < ipv4->GetNAddresses(i); ++j)
        {
            AddOwn(ipv4->GetAddress(i, j));
        }
    }
    Ipv4StaticRouting::SetIpv4(ipv4);
}

void
HashedIpv4Routing::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const
{
    Ipv4StaticRouting::PrintRoutingTable(stream, unit);
    Print(m_routes, *stream->GetStream());
}

void
HashedIpv4Routing::DoDispose()
{
    m_ipv4 = nullptr;
    m_routes = {};
    m_own = {};
    Ipv4StaticRouting::DoDispose();
}

TypeId
HashedIpv6Routing::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::HashedIpv6Routing")
                            .SetParent<Ipv6StaticRouting>()
                            .SetGroupName("Lfn")
                            .AddConstructor<HashedIpv6Routing>();
    return tid;
}

void
HashedIpv6Routing::AddRoute(const Ipv6RoutingTableEntry& route)
{
    NS_LOG_FUNCTION(this << route);
    if (IsHandedOver())
    {
        AddTo(*this, route, 0);
        return;
    }
    m_routes.Add(route);
}

bool
HashedIpv6Routing::IsHandedOver()
{
    if (GetNRoutes() > 0)
    {
        GiveAway();
    }
    return m_isHandedOver;
}

void
HashedIpv6Routing::GiveAway()
{
    if (!m_isHandedOver)
    {
        NS_LOG_INFO("all routes go over to Ipv6StaticRouting");
        m_isHandedOver = true;
        HandOver(m_routes, *this);
    }
}

Ptr<Ipv6Route>
HashedIpv6Routing::Find(Ipv6Address to, Ptr<NetDevice> device) const
{
    const auto found = m_routes.Find(to, [&](const Ipv6RoutingTableEntry& route) {
        return !device || device == m_ipv6->GetNetDevice(route.GetInterface());
    });
    if (!found)
    {
        return nullptr;
    }
    auto near = found->GetDest();
    if (near.IsAny() && !found->GetGateway().IsAny()) // a default route
    {
        near = found->GetPrefixToUse().IsAny() ? to : found->GetPrefixToUse();
    }
    const auto route = Create<Ipv6Route>();
    route->SetSource(m_ipv6->SourceAddressSelection(found->GetInterface(), near));
    route->SetDestination(found->GetDest());
    route->SetGateway(found->GetGateway());
    route->SetOutputDevice(m_ipv6->GetNetDevice(found->GetInterface()));
    return route;
}

Ptr<Ipv6Route>
HashedIpv6Routing::RouteOutput(Ptr<Packet> packet,
                               const Ipv6Header& header,
                               Ptr<NetDevice> device,
                               Socket::SocketErrno& error)
{
    if (IsHandedOver() || header.GetDestination().IsLinkLocalMulticast())
    {
        return Ipv6StaticRouting::RouteOutput(packet, header, device, error);
    }
    const auto route = Find(header.GetDestination(), device);
    error = route ? Socket::ERROR_NOTERROR : Socket::ERROR_NOROUTETOHOST;
    return route;
}

bool
HashedIpv6Routing::RouteInput(Ptr<const Packet> packet,
                              const Ipv6Header& header,
                              Ptr<const NetDevice> device,
                              const UnicastForwardCallback& forward,
                              const MulticastForwardCallback& forwardMulticast,
                              const LocalDeliverCallback& deliver,
                              const ErrorCallback& fail)
{
    if (IsHandedOver() || header.GetDestination().IsMulticast() ||
        !m_ipv6->IsForwarding(m_ipv6->GetInterfaceForDevice(device)))
    {
        return Ipv6StaticRouting::RouteInput(packet,
                                             header,
                                             device,
                                             forward,
                                             forwardMulticast,
                                             deliver,
                                             fail);
    }
    const auto route = Find(header.GetDestination(), nullptr);
    if (route)
    {
        forward(device, route, packet, header);
    }
    return route != nullptr;
}

void
HashedIpv6Routing::NotifyInterfaceUp(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    if (IsHandedOver())
    {
        Ipv6StaticRouting::NotifyInterfaceUp(interface);
        return;
    }
    for (uint32_t i = 0; i < m_ipv6->GetNAddresses(interface); ++i)
    {
        const auto address = m_ipv6->GetAddress(interface, i);
        const auto prefix = address.GetPrefix();
        if (address.GetAddress() != Ipv6Address() && prefix != Ipv6Prefix() &&
            (prefix == Ipv6Prefix::GetOnes() || address.GetOnLink()))
        {
            m_routes.Add(Ipv6RoutingTableEntry::CreateNetworkRouteTo(
                address.GetAddress().CombinePrefix(prefix),
                prefix,
                interface));
        }
    }
}

void
HashedIpv6Routing::NotifyInterfaceDown(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    if (IsHandedOver())
    {
        Ipv6StaticRouting::NotifyInterfaceDown(interface);
        return;
    }
    m_routes.Remove([interface](const Ipv6RoutingTableEntry& route) {
        return route.GetInterface() == interface;
    });
}

void
HashedIpv6Routing::NotifyRemoveAddress(uint32_t interface, Ipv6InterfaceAddress address)
{
    NS_LOG_FUNCTION(this << interface << address);
    if (IsHandedOver())
    {
        Ipv6StaticRouting::NotifyRemoveAddress(interface, address);
        return;
    }
    const auto prefix = address.GetPrefix();
    const auto network = address.GetAddress().CombinePrefix(prefix);
    m_routes.Remove([&](const Ipv6RoutingTableEntry& route) {
        return route.GetInterface() == interface && route.IsNetwork() &&
               route.GetDestNetwork() == network && route.GetDestNetworkPrefix() == prefix;
    });
}

void
HashedIpv6Routing::NotifyAddRoute(Ipv6Address network,
                                  Ipv6Prefix prefix,
                                  Ipv6Address gateway,
                                  uint32_t interface,
                                  Ipv6Address prefixToUse)
{
    NS_LOG_FUNCTION(this << network << prefix << gateway << interface << prefixToUse);
    if (IsHandedOver() || !gateway.IsAny())
    {
        GiveAway();
        Ipv6StaticRouting::NotifyAddRoute(network, prefix, gateway, interface, prefixToUse);
        return;
    }
    m_routes.Add(Ipv6RoutingTableEntry::CreateNetworkRouteTo(network, prefix, interface));
}

void
HashedIpv6Routing::NotifyRemoveRoute(Ipv6Address network,
                                     Ipv6Prefix prefix,
                                     Ipv6Address gateway,
                                     uint32_t interface,
                                     Ipv6Address prefixToUse)
{
    NS_LOG_FUNCTION(this << network << prefix << gateway << interface << prefixToUse);
    GiveAway();
    Ipv6StaticRouting::NotifyRemoveRoute(network, prefix, gateway, interface, prefixToUse);
}

void
HashedIpv6Routing::SetIpv6(Ptr<Ipv6> ipv6)
{
    NS_LOG_FUNCTION(this << ipv6);
    m_ipv6 = ipv6;
    Ipv6StaticRouting::SetIpv6(ipv6);
}

void
HashedIpv6Routing::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const
{
    Ipv6StaticRouting::PrintRoutingTable(stream, unit);
    Print(m_routes, *stream->GetStream());
}

void
HashedIpv6Routing::DoDispose()
{
    m_ipv6 = nullptr;
    m_routes = {};
    Ipv6StaticRouting::DoDispose();
}

TypeId
HashedListRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::HashedListRouting")
                            .SetParent<Ipv4ListRouting>()
                            .SetGroupName("Lfn")
                            .AddConstructor<HashedListRouting>();
    return tid;
}

bool
HashedListRouting::RouteInput(Ptr<const Packet> packet,
                              const Ipv4Header& header,
                              Ptr<const NetDevice> device,
                              const UnicastForwardCallback& forward,
                              const MulticastForwardCallback& forwardMulticast,
                              const LocalDeliverCallback& deliver,
                              const ErrorCallback& fail)
{
    if (!m_hashed || m_hashed->MayBeOwn(header.GetDestination()) ||
        !m_ipv4->IsForwarding(m_ipv4->GetInterfaceForDevice(device)))
    {
        return Ipv4ListRouting::RouteInput(packet,
                                           header,
                                           device,
                                           forward,
                                           forwardMulticast,
                                           deliver,
                                           fail);
    }
    int16_t priority = 0;
    for (uint32_t i = 0; i < GetNRoutingProtocols(); ++i)
    {
        if (GetRoutingProtocol(i, priority)
                ->RouteInput(packet, header, device, forward, forwardMulticast, deliver, fail))
        {
            return true;
        }
    }
    return false;
}

void
HashedListRouting::SetIpv4(Ptr<Ipv4> ipv4)
{
    m_ipv4 = ipv4;
    m_hashed = Ipv4RoutingHelper::GetRouting<HashedIpv4Routing>(this);
    Ipv4ListRouting::SetIpv4(ipv4);
}

void
HashedListRouting::DoDispose()
{
    m_ipv4 = nullptr;
    m_hashed = nullptr;
    Ipv4ListRouting::DoDispose();
}

void
UseHashedRouting(InternetStackHelper& stack)
{
    stack.SetRoutingHelper(HashedIpv4RoutingHelper());
#if __has_include("ns3/ipv6-global-routing-helper.h") // ns-3 3.47
    Ipv6ListRoutingHelper list;
    list.Add(HashedIpv6RoutingHelper(), 0);
    list.Add(Ipv6GlobalRoutingHelper(), GLOBAL_PRIORITY);
    stack.SetRoutingHelper(list);
#else
    stack.SetRoutingHelper(HashedIpv6RoutingHelper());
#endif
}

} // namespace ns3::lfn
