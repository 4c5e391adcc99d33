// SPDX-License-Identifier: GPL-2.0-only

#include "udp-transport.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(UdpTransport);

TypeId
UdpTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::UdpTransport")
                            .SetParent<Transport>()
                            .SetGroupName("Lfn")
                            .AddConstructor<UdpTransport>();
    return tid;
}

std::optional<std::string>
UdpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    ends.source = CreateObject<UdpSource>();
    ends.sink = CreateObject<UdpSink>();
    ends.source->SetAttribute("Remote",
                              AddressValue(InetSocketAddress(flow.receiverAddress, flow.port)));
    ends.source->SetAttribute("Bytes", UintegerValue(flow.bytes));
    ends.source->SetAttribute("SendRate", DataRateValue(flow.sendRate));
    ends.source->SetAttribute("PacketSize", UintegerValue(flow.packetSize));
    ends.sink->SetAttribute("Port", UintegerValue(flow.port));
    for (const auto& end : {ends.source, ends.sink})
    {
        end->SetAttribute("CheckContent", BooleanValue(flow.checkContent));
    }
    Put(flow, ends);
    return std::nullopt;
}

TransferReport
UdpTransport::GetReport(const TransportEnds& ends) const
{
    auto report = Transport::GetReport(ends);
    EndAtSink(report);
    return report;
}

FlowWitness::Bounds
UdpTransport::GetBounds(const TransportFlow& /* flow */, const TransportEnds& ends) const
{
    FlowWitness::Bounds bounds;
    bounds.surplusBytes = ends.sink->GetReport().lostBytes; // within the receiving host
    return bounds;
}

} // namespace ns3::lfn
