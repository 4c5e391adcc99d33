// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-device-dispatch.h"

#include "ns3/log.h"
#include "ns3/loopback-net-device.h"
#include "ns3/node.h"

#include <algorithm>
#include <cstddef>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("DeviceDispatch");
NS_OBJECT_ENSURE_REGISTERED(DeviceDispatch);

TypeId
DeviceDispatch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::DeviceDispatch")
                            .SetParent<Object>()
                            .SetGroupName("Lfn")
                            .AddConstructor<DeviceDispatch>();
    return tid;
}

template <typename Ip>
void
DeviceDispatch::Take(Ptr<Ip> ip, Use use, uint32_t& taken, int handlers)
{
    const auto theirs = MakeCallback(&TrafficControlLayer::Receive, m_control);
    for (; ip && taken < ip->GetNInterfaces(); ++taken)
    {
        const auto device = ip->GetNetDevice(taken);
        if (DynamicCast<LoopbackNetDevice>(device))
        {
            continue; // it has a handler of its own
        }
        m_uses.resize(std::max<std::size_t>(m_uses.size(), device->GetIfIndex() + 1));
        m_uses[device->GetIfIndex()].*use = true;
        for (int i = 0; i < handlers; ++i)
        {
            device->GetNode()->UnregisterProtocolHandler(theirs);
        }
    }
}

void
DeviceDispatch::TakeInterfaces()
{
    NS_LOG_FUNCTION(this);
    const auto control = GetObject<TrafficControlLayer>();
    if (!control)
    {
        return; // the stack is not complete: there are no such handlers
    }
    if (!m_control)
    {
        m_control = control;
        for (const auto protocol :
             {Ipv4L3Protocol::PROT_NUMBER, ArpL3Protocol::PROT_NUMBER, Ipv6L3Protocol::PROT_NUMBER})
        {
            GetObject<Node>()->RegisterProtocolHandler(MakeCallback(&DeviceDispatch::Receive, this),
                                                       protocol,
                                                       nullptr);
        }
    }
    m_ipv4 = GetObject<Ipv4L3Protocol>();
    m_ipv6 = GetObject<Ipv6L3Protocol>();
    Take(m_ipv4, &Uses::ipv4, m_ipv4Taken, 2);
    Take(m_ipv6, &Uses::ipv6, m_ipv6Taken, 1);
}

void
DeviceDispatch::Receive(Ptr<NetDevice> device,
                        Ptr<const Packet> packet,
                        uint16_t protocol,
                        const Address& from,
                        const Address& to,
                        NetDevice::PacketType type)
{
    const auto index = device->GetIfIndex();
    const auto uses = index < m_uses.size() ? m_uses[index] : Uses();
    if (protocol == Ipv6L3Protocol::PROT_NUMBER)
    {
        if (uses.ipv6)
        {
            m_ipv6->Receive(device, packet, protocol, from, to, type);
        }
    }
    else if (uses.ipv4 && protocol == Ipv4L3Protocol::PROT_NUMBER)
    {
        m_ipv4->Receive(device, packet, protocol, from, to, type);
    }
    else if (uses.ipv4)
    {
        m_control->Receive(device, packet, protocol, from, to, type);
    }
}

void
DeviceDispatch::DoDispose()
{
    m_control = nullptr;
    m_ipv4 = nullptr;
    m_ipv6 = nullptr;
    m_uses.clear();
    Object::DoDispose();
}

} // namespace ns3::lfn
