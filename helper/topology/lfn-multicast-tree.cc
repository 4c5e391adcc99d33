// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-multicast-tree.h"

#include "ns3/channel.h"
#include "ns3/ipv4-routing-table-entry.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/net-device.h"

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <sstream>
#include <vector>

namespace ns3::lfn
{

namespace
{

/** @brief A node of the tree, by its number, with its interfaces on the tree's links. */
using Tree = std::map<uint32_t, std::vector<uint32_t>>;

/**
 * @brief Take a link into the tree, if that closes no cycle.
 * @param tree The tree so far.
 * @param members The nodes that it may have.
 * @param from The node in the tree that the link starts at.
 * @param link The link.
 * @return Numbers of the nodes that the link adds to the tree; none when it is left out.
 */
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
        const auto interface = node->second->GetObject<Ipv4>()->GetInterfaceForDevice(device);
        if (interface < 0)
        {
            continue;
        }
        const bool isNew = interfaces.emplace(id, static_cast<uint32_t>(interface)).second;
        if (!isNew || (id != from && tree.contains(id)))
        {
            return {}; // it would hear everything twice
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

} // namespace

Ptr<Ipv4StaticRouting>
MulticastTree::GetRouting(Ptr<Node> node)
{
    const auto ipv4 = node->GetObject<Ipv4>();
    return ipv4 && ipv4->GetRoutingProtocol() ? Ipv4StaticRoutingHelper().GetStaticRouting(ipv4)
                                              : nullptr;
}

std::optional<std::string>
MulticastTree::Install(const NodeContainer& nodes, Ipv4Address group)
{
    if (!group.IsMulticast())
    {
        std::ostringstream text;
        text << group << " is no multicast address: give one from 224.0.1.0 to 239.255.255.255";
        return text.str();
    }
    std::map<uint32_t, Ptr<Node>> members;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        if (!GetRouting(*node))
        {
            return "node " + std::to_string((*node)->GetId()) +
                   " has no static routing: install an internet stack that has it";
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
                const auto reached = TakeLink(tree, members, next.front(), *link);
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
        const auto routing = GetRouting(members.at(id));
        if (interfaces.size() == 1)
        {
            routing->AddHostRouteTo(group, interfaces.front());
            continue;
        }
        // A route matches its input interface, so there is one for each.
        for (const auto input : interfaces)
        {
            auto outputs = interfaces;
            std::erase(outputs, input);
            routing->AddMulticastRoute(Ipv4Address::GetAny(), group, input, outputs);
        }
    }
    return std::nullopt;
}

bool
MulticastTree::CanSend(Ptr<Node> node, Ipv4Address group)
{
    const auto routing = GetRouting(node);
    for (uint32_t i = 0; routing && i < routing->GetNMulticastRoutes(); ++i)
    {
        if (routing->GetMulticastRoute(i).GetGroup() == group)
        {
            return false;
        }
    }
    return routing != nullptr;
}

} // namespace ns3::lfn
