// SPDX-License-Identifier: GPL-2.0-only

#include "udp-transport.h"

#include "baseline-helper.h"

#include "ns3/boolean.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("UdpTransport");
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

TransportTraits
UdpTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = "datagrams at the flow's rate";
    traits.surplus = "what the sink lost within its host: 0";
    traits.isReliable = false;
    traits.usesSendRate = true;
    return traits;
}

std::optional<std::string>
UdpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    const auto remote = UdpEndpoint::WithPort(flow.receiverAddress, flow.port);
    const auto [source, sink] = BaselineHelper("Udp").Install(flow.sender, flow.receiver, remote);
    Suggest(source, "Bytes", UintegerValue(flow.bytes));
    Suggest(source, "SendRate", DataRateValue(flow.sendRate));
    Suggest(source, "PacketSize", UintegerValue(flow.packetSize));
    for (const auto& end : {source, sink})
    {
        Suggest(end, "CheckContent", BooleanValue(flow.checkContent));
    }
    source->SetStartTime(flow.start);
    ends = {.source = source, .sink = sink};
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
