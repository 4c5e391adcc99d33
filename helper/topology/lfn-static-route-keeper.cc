// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-static-route-keeper.h"

#include "ns3/ipv4-list-routing.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"

#include <limits>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("LfnStaticRouteKeeper");
NS_OBJECT_ENSURE_REGISTERED(StaticRouteKeeper);

TypeId
StaticRouteKeeper::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::StaticRouteKeeper")
                            .SetParent<Ipv4RoutingProtocol>()
                            .SetGroupName("Lfn")
                            .AddConstructor<StaticRouteKeeper>();
    return tid;
}

void
StaticRouteKeeper::Install(Ptr<Node> node)
{
    const auto ipv4 = node->GetObject<Ipv4>();
    const auto list = ipv4 ? DynamicCast<Ipv4ListRouting>(ipv4->GetRoutingProtocol()) : nullptr;
    const auto routing = list ? Ipv4StaticRoutingHelper().GetStaticRouting(ipv4) : nullptr;
    if (!routing)
    {
        return;
    }
    for (uint32_t i = 0; i < list->GetNRoutingProtocols(); ++i)
    {
        int16_t priority = 0;
        if (DynamicCast<StaticRouteKeeper>(list->GetRoutingProtocol(i, priority)))
        {
            return;
        }
    }
    const auto keeper = CreateObject<StaticRouteKeeper>();
    keeper->m_routing = routing;
    list->AddRoutingProtocol(keeper, std::numeric_limits<int16_t>::max());
}

Ptr<Ipv4Route>
StaticRouteKeeper::RouteOutput(Ptr<Packet> /* packet */,
                               const Ipv4Header& /* header */,
                               Ptr<NetDevice> /* device */,
                               Socket::SocketErrno& error)
{
    error = Socket::ERROR_NOROUTETOHOST;
    return nullptr;
}

bool
StaticRouteKeeper::RouteInput(Ptr<const Packet> /* packet */,
                              const Ipv4Header& /* header */,
                              Ptr<const NetDevice> /* device */,
                              const UnicastForwardCallback& /* forward */,
                              const MulticastForwardCallback& /* forwardMulticast */,
                              const LocalDeliverCallback& /* deliver */,
                              const ErrorCallback& /* fail */)
{
    return false;
}

void
StaticRouteKeeper::NotifyInterfaceDown(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    auto& kept = m_kept[interface];
    for (uint32_t i = 0; m_routing && i < m_routing->GetNRoutes(); ++i)
    {
        const auto route = m_routing->GetRoute(i);
        if (route.GetInterface() == interface)
        {
            kept.emplace_back(route, m_routing->GetMetric(i));
        }
    }
}

void
StaticRouteKeeper::NotifyInterfaceUp(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    const auto kept = m_kept.extract(interface);
    if (kept.empty() || !m_routing)
    {
        return;
    }
    for (const auto& [route, metric] : kept.mapped()) // those that are there are not added again
    {
        const auto network = route.GetDestNetwork();
        const auto mask = route.GetDestNetworkMask();
        route.IsGateway()
            ? m_routing->AddNetworkRouteTo(network, mask, route.GetGateway(), interface, metric)
            : m_routing->AddNetworkRouteTo(network, mask, interface, metric);
    }
}

void
StaticRouteKeeper::NotifyAddAddress(uint32_t /* interface */, Ipv4InterfaceAddress /* address */)
{
}

void
StaticRouteKeeper::NotifyRemoveAddress(uint32_t /* interface */, Ipv4InterfaceAddress /* address */)
{
}

void
StaticRouteKeeper::SetIpv4(Ptr<Ipv4> /* ipv4 */)
{
}

void
StaticRouteKeeper::PrintRoutingTable(Ptr<OutputStreamWrapper> /* stream */,
                                     Time::Unit /* unit */) const
{
}

void
StaticRouteKeeper::DoDispose()
{
    m_routing = nullptr;
    m_kept.clear();
    Ipv4RoutingProtocol::DoDispose();
}

} // namespace ns3::lfn
