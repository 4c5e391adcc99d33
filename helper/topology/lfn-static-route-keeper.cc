// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-static-route-keeper.h"

#include "ns3/ipv4-list-routing.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("StaticRouteKeeper");
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
    if (!routing || Ipv4RoutingHelper::GetRouting<StaticRouteKeeper>(list))
    {
        return;
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
        const Route route(m_routing->GetRoute(i), m_routing->GetMetric(i));
        m_places.emplace(GetKey(route), m_places.size());
        if (route.first.GetInterface() == interface)
        {
            kept.push_back(route);
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
    for (const auto& route : kept.mapped())
    {
        Add(route);
    }
    Sort();
    NS_LOG_LOGIC("routes restored: " << kept.mapped().size());
    if (m_kept.empty())
    {
        m_places.clear();
    }
}

StaticRouteKeeper::Key
StaticRouteKeeper::GetKey(const Route& route)
{
    const auto& [entry, metric] = route;
    return {entry.GetDestNetwork().Get(),
            entry.GetDestNetworkMask().Get(),
            entry.GetGateway().Get(),
            entry.GetInterface(),
            metric};
}

void
StaticRouteKeeper::Add(const Route& route)
{
    const auto& [entry, metric] = route;
    const auto network = entry.GetDestNetwork();
    const auto mask = entry.GetDestNetworkMask();
    const auto interface = entry.GetInterface();
    entry.IsGateway()
        ? m_routing->AddNetworkRouteTo(network, mask, entry.GetGateway(), interface, metric)
        : m_routing->AddNetworkRouteTo(network, mask, interface, metric);
}

void
StaticRouteKeeper::Sort()
{
    struct Place
    {
        uint32_t index;    // in the table
        std::size_t place; // that it should have
        Route route;
    };

    std::map<std::pair<uint32_t, uint32_t>, std::vector<Place>> table;
    for (uint32_t i = 0; i < m_routing->GetNRoutes(); ++i)
    {
        const Route route(m_routing->GetRoute(i), m_routing->GetMetric(i));
        const auto key = GetKey(route);
        const auto place = m_places.emplace(key, m_places.size()).first->second;
        table[{std::get<0>(key), std::get<1>(key)}].push_back({i, place, route});
    }
    std::vector<uint32_t> indices;
    std::vector<Route> routes;
    for (auto& [destination, places] : table)
    {
        if (std::ranges::is_sorted(places, {}, &Place::place))
        {
            continue;
        }
        for (const auto& place : places)
        {
            indices.push_back(place.index);
        }
        std::ranges::sort(places, {}, &Place::place);
        for (const auto& place : places)
        {
            routes.push_back(place.route);
        }
    }
    std::ranges::sort(indices, std::greater());
    for (const auto index : indices)
    {
        m_routing->RemoveRoute(index);
    }
    for (const auto& route : routes)
    {
        Add(route);
    }
}

void
StaticRouteKeeper::NotifyAddAddress(uint32_t /* interface */, Ipv4InterfaceAddress /* address */)
{
}

void
StaticRouteKeeper::NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
    NS_LOG_FUNCTION(this << interface << address);
    const auto kept = m_kept.find(interface);
    if (kept == m_kept.end())
    {
        return; // the static routing removes it
    }
    const auto mask = address.GetMask();
    const auto network = address.GetLocal().CombineMask(mask);
    std::erase_if(kept->second, [&](const Route& route) {
        return route.first.IsNetwork() && route.first.GetDestNetwork() == network &&
               route.first.GetDestNetworkMask() == mask;
    });
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
    m_places.clear();
    Ipv4RoutingProtocol::DoDispose();
}

} // namespace ns3::lfn
