// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-device-dispatch.h"

#include "ns3/log.h"
#include "ns3/loopback-net-device.h"
#include "ns3/node.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("LfnDeviceDispatch");
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

void
DeviceDispatch::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    const auto node = GetObject<Node>();
    m_control = GetObject<TrafficControlLayer>();
    m_ipv4 = GetObject<Ipv4L3Protocol>();
    m_ipv6 = GetObject<Ipv6L3Protocol>();
    m_uses.resize(node->GetNDevices());
    const auto theirs = MakeCallback(&TrafficControlLayer::Receive, m_control);
    const auto take = [&](Ptr<NetDevice> device, bool Uses::* use, int handlers) {
        if (DynamicCast<LoopbackNetDevice>(device))
        {
            return; // it has a handler of its own
        }
        m_uses.at(device->GetIfIndex()).*use = true;
        for (int i = 0; i < handlers; ++i)
        {
            node->UnregisterProtocolHandler(theirs);
        }
    };
    for (uint32_t i = 0; m_ipv4 && i < m_ipv4->GetNInterfaces(); ++i)
    {
        take(m_ipv4->GetNetDevice(i), &Uses::ipv4, 2);
    }
    for (uint32_t i = 0; m_ipv6 && i < m_ipv6->GetNInterfaces(); ++i)
    {
        take(m_ipv6->GetNetDevice(i), &Uses::ipv6, 1);
    }
    for (const auto protocol :
         {Ipv4L3Protocol::PROT_NUMBER, ArpL3Protocol::PROT_NUMBER, Ipv6L3Protocol::PROT_NUMBER})
    {
        node->RegisterProtocolHandler(MakeCallback(&DeviceDispatch::Receive, this),
                                      protocol,
                                      nullptr);
    }
    Object::DoInitialize();
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
