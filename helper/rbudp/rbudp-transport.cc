// SPDX-License-Identifier: GPL-2.0-only

#include "rbudp-transport.h"

#include "rbudp-helper.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/rbudp-header.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RbudpTransport");
NS_OBJECT_ENSURE_REGISTERED(RbudpTransport);

TypeId
RbudpTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::RbudpTransport")
                            .SetParent<Transport>()
                            .SetGroupName("Lfn")
                            .AddConstructor<RbudpTransport>();
    return tid;
}

TransportTraits
RbudpTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = "blasts at the flow's rate, the control channel over ns-3's TCP";
    traits.headerBytes = RbudpDataHeader::SIZE;
    traits.usesSendRate = true;
    return traits;
}

std::optional<std::string>
RbudpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    RbudpHelper helper;
    helper.SetPorts(flow.port, flow.port + 1);
    const auto [sender, receiver] =
        helper.Install(flow.sender, flow.senderAddress, flow.receiver, flow.receiverAddress);
    if (SuggestNumber(sender, "Bytes", flow.bytes) == 0)
    {
        return "rbudp needs to know how much it sends: give --bytes above 0";
    }
    Suggest(sender, "SendRate", DataRateValue(flow.sendRate));
    Suggest(sender, "CheckContent", BooleanValue(flow.checkContent));
    Suggest(receiver, "CheckContent", BooleanValue(flow.checkContent));
    RbudpHelper::FollowRtt({sender, receiver}, flow.rtt);
    ends = {.source = sender, .sink = receiver};
    ends.packetSize = SuggestNumber(sender, "PayloadSize", flow.packetSize);
    // The receiver opens the control connection: both start together.
    sender->SetStartTime(flow.start);
    receiver->SetStartTime(flow.start);
    HandOnTos(ends);
    return std::nullopt;
}

FlowWitness::Bounds
RbudpTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    auto bounds = Transport::GetBounds(flow, ends);
    return bounds;
}

} // namespace ns3::lfn
