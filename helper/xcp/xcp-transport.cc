// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-transport.h"

#include "xcp-helper.h"

#include "ns3/lfn-random-streams.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/log.h"
#include "ns3/queue.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/xcp-port.h"
#include "ns3/xcp-queue-disc.h"
#include "ns3/xcp-socket-factory.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpTransport");
NS_OBJECT_ENSURE_REGISTERED(XcpTransport);

TypeId
XcpTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::XcpTransport")
                            .SetParent<ConnectionTransport>()
                            .SetGroupName("Lfn")
                            .AddConstructor<XcpTransport>();
    return tid;
}

TransportTraits
XcpTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what =
        "TCP over XCP's shim, XcpQueueDisc at all bottlenecks with the queue that was there";
    traits.surplus = "segments retransmitted";
    traits.takesObjects = true;
    return traits;
}

std::optional<std::string>
XcpTransport::DoPrepare(TransportTopology& topology)
{
    NS_LOG_FUNCTION(this << &topology);
    if (topology.GetBottlenecks().empty())
    {
        return "xcp needs a bottleneck, and this topology names none";
    }
    uint32_t ports = 0;
    for (const auto& [device, to] : topology.GetBottlenecks())
    {
        const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
        if (control && DynamicCast<XcpPort>(control->GetRootQueueDiscOnDevice(device)))
        {
            continue; // another one of the list has been here, or the topology has it
        }
        const auto queue = ReportedLink::GetQueue(device);
        const auto size = queue ? std::optional(queue->GetMaxSize()) : std::nullopt;
        NS_LOG_LOGIC("the port of " << device << " gets a queue disc of XCP");
        const auto disc = XcpHelper().InstallPort(device);
        if (!disc)
        {
            return "xcp needs a traffic control layer at the bottleneck";
        }
        const auto port = DynamicCast<XcpPort>(disc);
        if (port && port->GetCapacity() <= 0)
        {
            return "xcp needs the rate of the bottleneck, which its device does not tell: give it "
                   "with --ns3::lfn::XcpPort::Bandwidth, such as 20Mbps";
        }
        if (size)
        {
            Suggest(disc, "MaxSize", QueueSizeValue(*size));
        }
        XcpHelper::AssignStreams(NetDeviceContainer(device), RandomStreams::Port(ports++));
    }
    XcpHelper::Install(topology.GetSenders());
    XcpHelper::Install(topology.GetReceivers());
    return std::nullopt;
}

std::optional<std::string>
XcpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    const auto error = ConnectionTransport::Install(flow, ends);
    for (const auto& end : {ends.source, ends.sink})
    {
        end->SetAttribute("SocketFactory", TypeIdValue(XcpSocketFactory::GetTypeId()));
    }
    return error;
}

} // namespace ns3::lfn
