// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-helper.h"

#include "ns3/ipv4.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/loopback-net-device.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

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
JrmHelper::AddGroup(Ipv4Address group)
{
    if (!group.IsMulticast())
    {
        return false;
    }
    m_groups.push_back(group);
    return true;
}

std::vector<Ptr<JrmPeer>>
JrmHelper::Install(const NodeContainer& nodes)
{
    std::vector<Ptr<JrmPeer>> peers;
    if (!std::all_of(nodes.Begin(), nodes.End(), MulticastTree::GetRouting))
    {
        return peers;
    }
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto ipv4 = (*node)->GetObject<Ipv4>();
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            const auto device = (*node)->GetDevice(i);
            const auto interface = ipv4->GetInterfaceForDevice(device);
            if (interface >= 0 && !DynamicCast<LoopbackNetDevice>(device))
            {
                const auto routing = MulticastTree::GetRouting(*node);
                routing->SetDefaultMulticastRoute(static_cast<uint32_t>(interface));
                break;
            }
        }
        const auto peer = m_factory.Create<JrmPeer>();
        peer->SetAttribute("Participant", UintegerValue(++m_participants));
        for (const auto& group : m_groups)
        {
            peer->Join(group);
        }
        (*node)->AddApplication(peer);
        peers.push_back(peer);
    }
    return peers;
}

Ptr<JrmMessageSource>
JrmHelper::InstallSource(Ptr<JrmPeer> peer) const
{
    const auto source = m_source.Create<JrmMessageSource>();
    source->SetAttribute("Peer", PointerValue(peer));
    peer->GetNode()->AddApplication(source);
    return source;
}

} // namespace ns3::lfn
