// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-multicast-tree.h"

#include "lfn-static-route-keeper.h"

#include "ns3/channel.h"
#include "ns3/ipv4-routing-table-entry.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-routing-table-entry.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/ipv6.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <sstream>
#include <type_traits>

namespace ns3::lfn
{

namespace
{

/** @brief A node of the tree, by its number, with its interfaces on the tree's links. */
using Tree = std::map<uint32_t, std::vector<uint32_t>>;

/** @brief What the tree needs of IPv4. */
struct Four
{
    using Ip = Ipv4;                                               //!< The protocol.
    using Address = Ipv4Address;                                   //!< An address.
    static constexpr auto NAME = "static routing";                 //!< In errors.
    static constexpr auto GROUPS = "224.0.1.0 to 239.255.255.255"; //!< Those that are routed.

    /** @brief Check whether routers forward what is sent to an address. */
    static bool IsGroup(const Address& address)
    {
        return address.IsMulticast();
    }

    /** @brief Get a node's static routing, or null. */
    static Ptr<Ipv4StaticRouting> GetRouting(Ptr<Node> node)
    {
        return MulticastTree::GetRouting(node);
    }
};

/** @brief What the tree needs of IPv6. */
struct Six
{
    using Ip = Ipv6;                                       //!< The protocol.
    using Address = Ipv6Address;                           //!< An address.
    static constexpr auto NAME = "static routing of IPv6"; //!< In errors.
    static constexpr auto GROUPS = "ff03:: to ffff::";     //!< Those that are routed.

    /** @brief Check whether routers forward what is sent to an address. */
    static bool IsGroup(const Address& address)
    {
        std::array<uint8_t, 16> bytes{};
        address.GetBytes(bytes.data());
        constexpr uint8_t LINK_SCOPE = 2;
        return address.IsMulticast() && (bytes[1] & 0xf) > LINK_SCOPE;
    }

    /** @brief Get a node's static routing, or null. */
    static Ptr<Ipv6StaticRouting> GetRouting(Ptr<Node> node)
    {
        return MulticastTree::GetIpv6Routing(node);
    }
};

/**
 * @brief Take a link into the tree, if that closes no cycle.
 * @tparam Family Four or Six.
 * @param tree The tree so far.
 * @param members The nodes that it may have.
 * @param from The node in the tree that the link starts at.
 * @param link The link.
 * @return Numbers of the nodes that the link adds to the tree; none when it is left out.
 */
template <typename Family>
std::vector<uint32_t>
TakeLink(Tree& tree,
         const std::map<uint32_t, Ptr<Node>>& members,
         uint32_t from,
         const Channel& link)
{
    std::vector<uint32_t> reached;
    std::map<uint32_t, uint32_t> interfaces; // on this link, by node
    for (std::size_t i = 0; i < link.GetNDevices(); ++i)
    {
        const auto device = link.GetDevice(i);
        const auto id = device->GetNode()->GetId();
        const auto node = members.find(id);
        if (node == members.end())
        {
            continue;
        }
        const auto interface =
            node->second->GetObject<typename Family::Ip>()->GetInterfaceForDevice(device);
        if (interface < 0)
        {
            continue;
        }
        const bool isNew = interfaces.emplace(id, static_cast<uint32_t>(interface)).second;
        if (!isNew || (id != from && tree.contains(id)))
        {
            return {}; // it would receive everything twice
        }
        if (id != from)
        {
            reached.push_back(id);
        }
    }
    if (reached.empty() || !interfaces.contains(from))
    {
        return {};
    }
    for (const auto& [id, interface] : interfaces)
    {
        tree[id].push_back(interface);
    }
    return reached;
}

/**
 * @brief Set the routes of a group.
 * @tparam Family Four or Six.
 * @return As MulticastTree::Install().
 */
template <typename Family>
std::optional<std::string>
InstallRoutes(const NodeContainer& nodes, const typename Family::Address& group)
{
    if (!Family::IsGroup(group))
    {
        std::ostringstream text;
        text << group << " is no multicast address that is routed: give one of " << Family::GROUPS;
        return text.str();
    }
    std::map<uint32_t, Ptr<Node>> members;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        if (!Family::GetRouting(*node))
        {
            return "node " + std::to_string((*node)->GetId()) + " has no " + Family::NAME +
                   ": install an internet stack that has it";
        }
        members.emplace((*node)->GetId(), *node);
    }
    if (members.empty())
    {
        return std::nullopt;
    }
    const auto first = nodes.Get(0)->GetId();
    Tree tree{{first, {}}};
    for (std::deque<uint32_t> next{first}; !next.empty(); next.pop_front())
    {
        const auto& node = members.at(next.front());
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            if (const auto link = node->GetDevice(i)->GetChannel())
            {
                const auto reached = TakeLink<Family>(tree, members, next.front(), *link);
                next.insert(next.end(), reached.begin(), reached.end());
            }
        }
    }
    for (const auto& [id, node] : members)
    {
        if (!tree.contains(id))
        {
            return "node " + std::to_string(id) + " cannot be reached from node " +
                   std::to_string(first) + " along a tree of links: connect it or leave it out";
        }
    }
    for (const auto& [id, interfaces] : tree)
    {
        StaticRouteKeeper::Install(members.at(id));
        const auto routing = Family::GetRouting(members.at(id));
        for (const auto interface : interfaces) // for what the node sends itself
        {
            routing->AddHostRouteTo(group, interface);
        }
        if (interfaces.size() == 1)
        {
            continue;
        }
        [[maybe_unused]] const auto ip = members.at(id)->template GetObject<typename Family::Ip>();
        // A route matches its input interface, so there is one for each.
        for (const auto input : interfaces)
        {
            auto outputs = interfaces;
            std::erase(outputs, input);
            if constexpr (std::is_same_v<Family, Six>)
            {
                ip->SetForwarding(input, true); // which it does not do by itself
            }
            routing->AddMulticastRoute(Family::Address::GetAny(), group, input, outputs);
        }
    }
    return std::nullopt;
}

/**
 * @brief Get the devices that a node's routes of a group lead to.
 * @tparam Family Four or Six.
 */
template <typename Family>
std::vector<Ptr<NetDevice>>
FindDevices(Ptr<Node> node, const typename Family::Address& group)
{
    std::vector<Ptr<NetDevice>> devices;
    const auto routing = Family::GetRouting(node);
    for (uint32_t i = 0; routing && i < routing->GetNRoutes(); ++i)
    {
        const auto route = routing->GetRoute(i);
        if (route.IsHost() && route.GetDest() == group)
        {
            const auto ip = node->GetObject<typename Family::Ip>();
            devices.push_back(ip->GetNetDevice(route.GetInterface()));
        }
    }
    return devices;
}

} // namespace

Ptr<Ipv4StaticRouting>
MulticastTree::GetRouting(Ptr<Node> node)
{
    const auto ipv4 = node->GetObject<Ipv4>();
    return ipv4 && ipv4->GetRoutingProtocol() ? Ipv4StaticRoutingHelper().GetStaticRouting(ipv4)
                                              : nullptr;
}

Ptr<Ipv6StaticRouting>
MulticastTree::GetIpv6Routing(Ptr<Node> node)
{
    const auto ipv6 = node->GetObject<Ipv6>();
    return ipv6 && ipv6->GetRoutingProtocol() ? Ipv6StaticRoutingHelper().GetStaticRouting(ipv6)
                                              : nullptr;
}

std::optional<std::string>
MulticastTree::Install(const NodeContainer& nodes, const Address& group)
{
    if (Ipv6Address::IsMatchingType(group))
    {
        return InstallRoutes<Six>(nodes, Ipv6Address::ConvertFrom(group));
    }
    if (Ipv4Address::IsMatchingType(group))
    {
        return InstallRoutes<Four>(nodes, Ipv4Address::ConvertFrom(group));
    }
    return "a group is an address of IPv4 or IPv6, without a port";
}

std::vector<Ptr<NetDevice>>
MulticastTree::GetDevices(Ptr<Node> node, const Address& group)
{
    if (Ipv6Address::IsMatchingType(group))
    {
        return FindDevices<Six>(node, Ipv6Address::ConvertFrom(group));
    }
    return Ipv4Address::IsMatchingType(group)
               ? FindDevices<Four>(node, Ipv4Address::ConvertFrom(group))
               : std::vector<Ptr<NetDevice>>{};
}

} // namespace ns3::lfn
