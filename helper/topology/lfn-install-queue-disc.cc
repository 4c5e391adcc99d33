// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-install-queue-disc.h"

#include "lfn-point-to-point-link.h"

#include "ns3/csma-net-device.h"
#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/ppp-header.h"
#include "ns3/queue-limits.h"
#include "ns3/queue.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-port.h"

namespace ns3::lfn
{

namespace
{

/** @brief Get what a device adds to each packet [B]; 0 where that is in the configured rate. */
uint32_t
GetOverhead(Ptr<NetDevice> device)
{
    if (DynamicCast<PointToPointNetDevice>(device))
    {
        return PppHeader().GetSerializedSize();
    }
    if (DynamicCast<CsmaNetDevice>(device) && !device->GetObject<ReportedLink>())
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

/** @brief Have a device stop its queue disc as soon as one packet is in its own queue. */
void
LimitDeviceQueue(Ptr<NetDevice> device)
{
    const auto inDevice = ReportedLink::GetQueue(device);
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
}

} // namespace

bool
InstallQueueDisc(Ptr<NetDevice> device, Ptr<QueueDisc> disc)
{
    const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
    if (!control)
    {
        return false;
    }
    RemoveQueueDiscs(device);
    LimitDeviceQueue(device);
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
    return true;
}

} // namespace ns3::lfn
