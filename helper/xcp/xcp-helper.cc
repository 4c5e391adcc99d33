// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-helper.h"

#include "ns3/csma-net-device.h"
#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/lfn-told-link.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/ppp-header.h"
#include "ns3/queue-limits.h"
#include "ns3/queue.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
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

/** @brief Get what a device adds to each packet [B]; 0 where that is in the rate that is told. */
uint32_t
GetOverhead(Ptr<NetDevice> device)
{
    if (DynamicCast<PointToPointNetDevice>(device))
    {
        return PppHeader().GetSerializedSize();
    }
    if (DynamicCast<CsmaNetDevice>(device) && !device->GetObject<ToldLink>())
    {
        return EthernetHeader(false).GetSerializedSize() + EthernetTrailer().GetSerializedSize();
    }
    return 0;
}

/** @brief Stops a queue disc as soon as one packet is in the device's queue. */
class OnePacketLimits : public QueueLimits
{
  public:
    void Reset() override
    {
        m_packets = 0;
    }

    void Completed(uint32_t /* bytes */) override
    {
        m_packets -= m_packets > 0 ? 1 : 0;
    }

    int32_t Available() const override
    {
        return m_packets > 0 ? -1 : 0;
    }

    void Queued(uint32_t /* bytes */) override
    {
        ++m_packets;
    }

  private:
    uint32_t m_packets{0}; //!< in the device's queue
};

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
    const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
    if (!control)
    {
        return nullptr;
    }
    if (control->GetRootQueueDiscOnDevice(device))
    {
        TrafficControlHelper().Uninstall(device);
    }
    const auto inDevice = ToldLink::GetQueue(device);
    // A shared medium's device gets frames past the disc, which find no room in a queue of one
    // packet: answers of neighbour discovery, frames that an access point relays.
    const bool isShared = device->NeedsArp();
    if (inDevice && !isShared)
    {
        inDevice->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, 1));
    }
    const auto queue = DynamicCast<Queue<Packet>>(inDevice);
    if (queue && !device->GetObject<NetDeviceQueueInterface>())
    {
        const auto flowControl = CreateObject<NetDeviceQueueInterface>();
        flowControl->GetTxQueue(0)->ConnectQueueTraces(queue);
        device->AggregateObject(flowControl);
    }
    const auto flowControl = device->GetObject<NetDeviceQueueInterface>();
    for (std::size_t i = 0; inDevice && isShared && flowControl && i < flowControl->GetNTxQueues();
         ++i)
    {
        if (!DynamicCast<OnePacketLimits>(flowControl->GetTxQueue(i)->GetQueueLimits()))
        {
            flowControl->GetTxQueue(i)->SetQueueLimits(CreateObject<OnePacketLimits>());
        }
    }
    const auto disc = m_queueDisc.Create<QueueDisc>();
    if (const auto port = DynamicCast<XcpPort>(disc))
    {
        port->SetDevice(device);
    }
    UintegerValue overhead;
    const auto ofLink = GetOverhead(device);
    if (ofLink > 0 && disc->GetAttributeFailSafe("OverheadBytes", overhead) && overhead.Get() == 0)
    {
        disc->SetAttribute("OverheadBytes", UintegerValue(ofLink));
    }
    control->SetRootQueueDiscOnDevice(device, disc);
    return disc;
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
