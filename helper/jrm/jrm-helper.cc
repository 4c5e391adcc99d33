// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-helper.h"

#include "ns3/application-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/lfn-static-route-keeper.h"
#include "ns3/loopback-net-device.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3::lfn
{

namespace
{

/**
 * @brief Have a node send multicast datagrams out of its first device.
 * @tparam Ip Ipv4 or Ipv6.
 * @param node The node.
 * @param routing Its static routing.
 */
template <typename Ip, typename Routing>
void
SetRoute(Ptr<Node> node, Ptr<Routing> routing)
{
    const auto ip = node->GetObject<Ip>();
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        const auto device = node->GetDevice(i);
        const auto interface = ip->GetInterfaceForDevice(device);
        if (interface >= 0 && !DynamicCast<LoopbackNetDevice>(device))
        {
            routing->SetDefaultMulticastRoute(static_cast<uint32_t>(interface));
            return;
        }
    }
}

} // namespace

JrmHelper::JrmHelper()
    : m_factory("ns3::lfn::JrmPeer"),
      m_source("ns3::lfn::JrmMessageSource")
{
}

void
JrmHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
JrmHelper::SetSourceAttribute(const std::string& name, const AttributeValue& value)
{
    m_source.Set(name, value);
}

bool
JrmHelper::AddGroup(const Address& group)
{
    if (!JrmPeer::GetGroupNumber(group))
    {
        return false;
    }
    m_groups.push_back(group);
    return true;
}

Ipv6Address
JrmHelper::MakeIpv6Group(uint32_t index)
{
    constexpr uint32_t FIRST = 0x80000001;
    std::array<uint8_t, 16> bytes{0xff, 0x15};
    WriteBigEndian(bytes, 12, FIRST + index);
    return Ipv6Address(bytes.data());
}

ApplicationContainer
JrmHelper::Install(const NodeContainer& nodes)
{
    ApplicationContainer peers;
    for (const auto& peer : AddPeers(nodes))
    {
        peers.Add(peer);
    }
    return peers;
}

std::vector<Ptr<JrmPeer>>
JrmHelper::AddPeers(const NodeContainer& nodes)
{
    std::vector<Ptr<JrmPeer>> peers;
    const bool hasIpv6 = std::ranges::any_of(m_groups, Ipv6Address::IsMatchingType);
    const bool hasIpv4 =
        m_groups.empty() || std::ranges::any_of(m_groups, Ipv4Address::IsMatchingType);
    if ((hasIpv4 && !std::all_of(nodes.Begin(), nodes.End(), MulticastTree::GetRouting)) ||
        (hasIpv6 && !std::all_of(nodes.Begin(), nodes.End(), MulticastTree::GetIpv6Routing)))
    {
        return peers;
    }
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        if (hasIpv4)
        {
            StaticRouteKeeper::Install(*node);
            SetRoute<Ipv4>(*node, MulticastTree::GetRouting(*node));
        }
        if (hasIpv6)
        {
            SetRoute<Ipv6>(*node, MulticastTree::GetIpv6Routing(*node));
        }
        const auto peer = m_factory.Create<JrmPeer>();
        peer->SetAttribute("Participant", UintegerValue(++m_participants));
        for (const auto& group : m_groups)
        {
            const auto devices = MulticastTree::GetDevices(*node, group);
            peer->Join(group, devices.size() > 1 ? devices : std::vector<Ptr<NetDevice>>{});
        }
        (*node)->AddApplication(peer);
        peers.push_back(peer);
    }
    return peers;
}

Ptr<JrmMessageSource>
JrmHelper::AddSource(Ptr<JrmPeer> peer) const
{
    const auto source = m_source.Create<JrmMessageSource>();
    source->SetAttribute("Peer", PointerValue(peer));
    peer->GetNode()->AddApplication(source);
    return source;
}

int64_t
JrmHelper::AssignStreams(const NodeContainer& nodes, int64_t stream)
{
    return ApplicationHelper(JrmPeer::GetTypeId()).AssignStreams(nodes, stream);
}

} // namespace ns3::lfn
