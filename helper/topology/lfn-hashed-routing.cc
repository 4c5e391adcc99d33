// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-hashed-routing.h"

#include "lfn-device-dispatch.h"

#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv6-routing-helper.h"
#include "ns3/log.h"
#include "ns3/node.h"
#if __has_include("ns3/ipv6-global-routing-helper.h")
#include "ns3/ipv6-global-routing-helper.h"
#include "ns3/ipv6-list-routing-helper.h"
#endif

#include <ostream>
#include <vector>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("HashedIpv4Routing");
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

/** @brief Remove all routes from ns-3's static routing, and return them with their metrics. */
template <typename Routing>
auto
TakeAll(Routing& routing)
{
    std::vector<std::pair<decltype(routing.GetRoute(0)), uint32_t>> routes;
    for (; routing.GetNRoutes() > 0; routing.RemoveRoute(0))
    {
        routes.emplace_back(routing.GetRoute(0), routing.GetMetric(0));
    }
    return routes;
}

/** @brief Get the address that a packet to a host by a route comes from. */
Ipv4Address
SelectSource(Ipv4& ipv4, const Ipv4RoutingTableEntry& route, Ipv4Address /* to */)
{
    return ipv4.SourceAddressSelection(route.GetInterface(), route.GetDest());
}

/** @brief Get the address that a packet to a host by a route comes from. */
Ipv6Address
SelectSource(Ipv6& ipv6, const Ipv6RoutingTableEntry& route, Ipv6Address to)
{
    auto near = route.GetDest();
    if (near.IsAny() && !route.GetGateway().IsAny()) // a default route
    {
        near = route.GetPrefixToUse().IsAny() ? to : route.GetPrefixToUse();
    }
    return ipv6.SourceAddressSelection(route.GetInterface(), near);
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

template <typename Static>
void
HashedRouting<Static>::AddRoute(const Entry& route)
{
    NS_LOG_FUNCTION(this << route);
    IsHandedOver() ? AddTo(*this, route, 0) : m_routes.Add(route);
}

template <typename Static>
void
HashedRouting<Static>::HandOver()
{
    if (m_isHandedOver)
    {
        return;
    }
    NS_LOG_INFO("all routes go over to ns-3's static routing");
    m_isHandedOver = true;
    const auto later = TakeAll(*this); // of equal routes ns-3 takes the last
    for (const auto& route : m_routes.GetAll())
    {
        AddTo(*this, route, 0);
    }
    for (const auto& [route, metric] : later)
    {
        AddTo(*this, route, metric);
    }
    m_routes = {};
}

template <typename Static>
bool
HashedRouting<Static>::IsHandedOver()
{
    if (this->GetNRoutes() > 0)
    {
        HandOver();
    }
    return m_isHandedOver;
}

template <typename Static>
template <typename Action>
void
HashedRouting<Static>::Absorb(Action add)
{
    const bool isHandedOver = IsHandedOver();
    add();
    if (!isHandedOver)
    {
        for (const auto& [route, metric] : TakeAll(*this))
        {
            m_routes.Add(route);
        }
    }
}

template <typename Static>
auto
HashedRouting<Static>::Find(IpAddress to, Ptr<NetDevice> device) const -> Ptr<IpRoute>
{
    const auto found = m_routes.Find(to, [&](const Entry& route) {
        return !device || device == m_ip->GetNetDevice(route.GetInterface());
    });
    if (!found)
    {
        return nullptr;
    }
    const auto route = Create<IpRoute>();
    route->SetSource(SelectSource(*m_ip, *found, to));
    route->SetDestination(found->GetDest());
    route->SetGateway(found->GetGateway());
    route->SetOutputDevice(m_ip->GetNetDevice(found->GetInterface()));
    return route;
}

template <typename Static>
auto
HashedRouting<Static>::RouteOutput(Ptr<Packet> packet,
                                   const IpHeader& header,
                                   Ptr<NetDevice> device,
                                   Socket::SocketErrno& error) -> Ptr<IpRoute>
{
    const auto to = header.GetDestination();
    bool isLinkLocalMulticast = false;
    if constexpr (IS_IPV4)
    {
        isLinkLocalMulticast = to.IsLocalMulticast();
    }
    else
    {
        isLinkLocalMulticast = to.IsLinkLocalMulticast();
    }
    if (IsHandedOver() || isLinkLocalMulticast)
    {
        return Static::RouteOutput(packet, header, device, error);
    }
    const auto route = Find(to, device);
    error = route ? Socket::ERROR_NOTERROR : Socket::ERROR_NOROUTETOHOST;
    return route;
}

template <typename Static>
bool
HashedRouting<Static>::RouteInput(Ptr<const Packet> packet,
                                  const IpHeader& header,
                                  Ptr<const NetDevice> device,
                                  const typename Static::UnicastForwardCallback& forward,
                                  const typename Static::MulticastForwardCallback& forwardMulticast,
                                  const typename Static::LocalDeliverCallback& deliver,
                                  const typename Static::ErrorCallback& fail)
{
    const auto to = header.GetDestination();
    const auto interface = m_ip->GetInterfaceForDevice(device);
    if (IsHandedOver() || IsLocal(to, interface) || !m_ip->IsForwarding(interface))
    {
        return Static::RouteInput(packet, header, device, forward, forwardMulticast, deliver, fail);
    }
    const auto route = Find(to, nullptr);
    if (!route)
    {
        return false;
    }
    if constexpr (IS_IPV4)
    {
        forward(route, packet, header);
    }
    else
    {
        forward(device, route, packet, header);
    }
    return true;
}

template <typename Static>
void
HashedRouting<Static>::NotifyInterfaceUp(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    Absorb([&] { Static::NotifyInterfaceUp(interface); });
    if (const auto dispatch = m_ip->template GetObject<DeviceDispatch>())
    {
        dispatch->TakeInterfaces();
    }
}

template <typename Static>
void
HashedRouting<Static>::NotifyInterfaceDown(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    HandOver();
    Static::NotifyInterfaceDown(interface);
}

template <typename Static>
void
HashedRouting<Static>::NotifyAddAddress(uint32_t interface, InterfaceAddress address)
{
    NS_LOG_FUNCTION(this << interface << address);
    Absorb([&] { Static::NotifyAddAddress(interface, address); });
}

template <typename Static>
void
HashedRouting<Static>::NotifyRemoveAddress(uint32_t interface, InterfaceAddress address)
{
    NS_LOG_FUNCTION(this << interface << address);
    HandOver();
    Static::NotifyRemoveAddress(interface, address);
}

template <typename Static>
void
HashedRouting<Static>::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const
{
    Static::PrintRoutingTable(stream, unit);
    for (const auto& route : m_routes.GetAll())
    {
        *stream->GetStream() << route << "\n";
    }
}

template <typename Static>
void
HashedRouting<Static>::SetIp(Ptr<Ip> ip)
{
    NS_LOG_FUNCTION(this << ip);
    m_ip = ip;
}

template <typename Static>
auto
HashedRouting<Static>::GetIp() const -> Ptr<Ip>
{
    return m_ip;
}

template <typename Static>
void
HashedRouting<Static>::DoDispose()
{
    m_ip = nullptr;
    m_routes = {};
    Static::DoDispose();
}

template class HashedRouting<Ipv4StaticRouting>;
template class HashedRouting<Ipv6StaticRouting>;

TypeId
HashedIpv4Routing::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::HashedIpv4Routing")
                            .SetParent<Ipv4StaticRouting>()
                            .SetGroupName("Lfn")
                            .AddConstructor<HashedIpv4Routing>();
    return tid;
}

bool
HashedIpv4Routing::MayBeOwn(Ipv4Address address) const
{
    return m_own.contains(address) || address.IsMulticast() || address.IsBroadcast();
}

bool
HashedIpv4Routing::IsLocal(Ipv4Address to, uint32_t interface) const
{
    return MayBeOwn(to) && GetIp()->IsDestinationAddress(to, interface);
}

void
HashedIpv4Routing::AddOwn(const Ipv4InterfaceAddress& address)
{
    m_own.insert({address.GetLocal(), address.GetBroadcast()});
}

void
HashedIpv4Routing::NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
    AddOwn(address);
    HashedRouting::NotifyAddAddress(interface, address);
}

void
HashedIpv4Routing::SetIpv4(Ptr<Ipv4> ipv4)
{
    SetIp(ipv4);
    for (uint32_t i = 0; i < ipv4->GetNInterfaces(); ++i)
    {
        for (uint32_t j = 0; j < ipv4->GetNAddresses(i); ++j)
        {
            AddOwn(ipv4->GetAddress(i, j));
        }
    }
    HashedRouting::SetIpv4(ipv4);
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

bool
HashedIpv6Routing::IsLocal(Ipv6Address to, uint32_t /* interface */) const
{
    return to.IsMulticast();
}

void
HashedIpv6Routing::NotifyAddRoute(Ipv6Address network,
                                  Ipv6Prefix prefix,
                                  Ipv6Address gateway,
                                  uint32_t interface,
                                  Ipv6Address prefixToUse)
{
    NS_LOG_FUNCTION(this << network << prefix << gateway << interface << prefixToUse);
    Absorb(
        [&] { HashedRouting::NotifyAddRoute(network, prefix, gateway, interface, prefixToUse); });
}

void
HashedIpv6Routing::NotifyRemoveRoute(Ipv6Address network,
                                     Ipv6Prefix prefix,
                                     Ipv6Address gateway,
                                     uint32_t interface,
                                     Ipv6Address prefixToUse)
{
    NS_LOG_FUNCTION(this << network << prefix << gateway << interface << prefixToUse);
    HandOver();
    HashedRouting::NotifyRemoveRoute(network, prefix, gateway, interface, prefixToUse);
}

void
HashedIpv6Routing::SetIpv6(Ptr<Ipv6> ipv6)
{
    SetIp(ipv6);
    HashedRouting::SetIpv6(ipv6);
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
HashedListRouting::NotifyInterfaceDown(uint32_t interface)
{
    if (m_hashed)
    {
        m_hashed->HandOver();
    }
    Ipv4ListRouting::NotifyInterfaceDown(interface);
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
