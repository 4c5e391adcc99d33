// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-point-to-point-link.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

namespace
{

/**
 * @brief Connect nodes of two ranks: ns-3's helper alone checks whether MpiInterface is enabled,
 * and makes the channel that sends packets to the other process.
 */
NetDeviceContainer
InstallLinkOfRanks(Ptr<Node> from, Ptr<Node> to, const LinkSettings& settings, Time delay)
{
    PointToPointHelper helper;
    helper.DisableFlowControl();
    helper.SetDeviceAttribute("DataRate", DataRateValue(settings.rate));
    helper.SetDeviceAttribute("Mtu", UintegerValue(settings.mtu));
    helper.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", QueueSizeValue(settings.queue));
    helper.SetChannelAttribute("Delay", TimeValue(delay));
    return helper.Install(from, to);
}

} // namespace

NetDeviceContainer
InstallLink(Ptr<Node> from,
            Ptr<Node> to,
            const LinkSettings& settings,
            Ptr<PointToPointChannel> channel)
{
    if (from->GetSystemId() != to->GetSystemId())
    {
        TimeValue delay;
        channel->GetAttribute("Delay", delay);
        return InstallLinkOfRanks(from, to, settings, delay.Get());
    }
    NetDeviceContainer devices;
    for (const auto& node : {from, to})
    {
        auto device = CreateObject<PointToPointNetDevice>();
        device->SetAttribute("DataRate", DataRateValue(settings.rate));
        device->SetAttribute("Mtu", UintegerValue(settings.mtu));
        device->SetAddress(Mac48Address::Allocate());
        node->AddDevice(device);
        auto queue = CreateObject<DropTailQueue<Packet>>();
        queue->SetAttribute("MaxSize", QueueSizeValue(settings.queue));
        device->SetQueue(queue);
        device->Attach(channel);
        devices.Add(device);
    }
    return devices;
}

void
RemoveQueueDiscs(const NetDeviceContainer& devices)
{
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        const auto control = (*device)->GetNode()->GetObject<TrafficControlLayer>();
        if (control && control->GetRootQueueDiscOnDevice(*device))
        {
            TrafficControlHelper().Uninstall(*device);
        }
    }
}

} // namespace ns3::lfn
