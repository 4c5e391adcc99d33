// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-helper.h"

#include "ns3/lfn-install-queue-disc.h"
#include "ns3/node.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/xcp-header.h"
#include "ns3/xcp-port.h"
#include "ns3/xcp-socket-factory.h"

namespace ns3::lfn
{

namespace
{

constexpr uint32_t IPV4_HEADER = 20; //!< without options, [B]
constexpr uint32_t IPV6_HEADER = 40; //!< without extensions, [B]
constexpr uint32_t TCP_HEADER = 20;  //!< without options, [B]

} // namespace

XcpHelper::XcpHelper()
    : m_queueDisc("ns3::lfn::XcpQueueDisc")
{
}

void
XcpHelper::Install(const NodeContainer& nodes)
{
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        XcpSocketFactory::Install(*node);
    }
}

void
XcpHelper::SetQueueDisc(const std::string& type)
{
    m_queueDisc = ObjectFactory(type);
}

void
XcpHelper::SetQueueDisc(const ObjectFactory& factory)
{
    m_queueDisc = factory;
}

void
XcpHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_queueDisc.Set(name, value);
}

Ptr<QueueDisc>
XcpHelper::InstallPort(Ptr<NetDevice> device) const
{
    const auto disc = m_queueDisc.Create<QueueDisc>();
    return InstallQueueDisc(device, disc) ? disc : nullptr;
}

QueueDiscContainer
XcpHelper::Install(const NetDeviceContainer& devices) const
{
    QueueDiscContainer discs;
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        if (const auto disc = InstallPort(*device))
        {
            discs.Add(disc);
        }
    }
    return discs;
}

int64_t
XcpHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    int64_t used = 0;
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        const auto control = (*device)->GetNode()->GetObject<TrafficControlLayer>();
        const auto disc = control ? control->GetRootQueueDiscOnDevice(*device) : nullptr;
        const auto port = DynamicCast<XcpPort>(disc);
        used += port ? port->AssignStreams(stream + used) : 0;
    }
    return used;
}

int64_t
XcpHelper::AssignStreams(const NodeContainer& nodes, int64_t stream)
{
    int64_t used = 0;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            used += AssignStreams(NetDeviceContainer((*node)->GetDevice(i)), stream + used);
        }
    }
    return used;
}

uint32_t
XcpHelper::GetSegmentSize(uint32_t mtu, bool ipv6)
{
    const uint32_t headers = (ipv6 ? IPV6_HEADER : IPV4_HEADER) + XcpHeader::SIZE + TCP_HEADER;
    return mtu > headers ? mtu - headers : 0;
}

} // namespace ns3::lfn
