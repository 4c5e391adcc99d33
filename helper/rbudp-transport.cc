// SPDX-License-Identifier: GPL-2.0-only

#include "rbudp-transport.h"

#include "rbudp-helper.h"

#include "ns3/boolean.h"
#include "ns3/rbudp-header.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

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

std::optional<std::string>
RbudpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    if (flow.bytes == 0)
    {
        return "rbudp needs to know how much it sends: give --bytes above 0";
    }
    RbudpHelper helper;
    helper.SetPorts(flow.port, flow.port + 1);
    helper.SetSenderAttribute("Bytes", UintegerValue(flow.bytes));
    helper.SetSenderAttribute("SendRate", DataRateValue(flow.sendRate));
    helper.SetSenderAttribute("PayloadSize", UintegerValue(flow.packetSize));
    helper.SetSenderAttribute("CheckContent", BooleanValue(flow.checkContent));
    helper.SetReceiverAttribute("CheckContent", BooleanValue(flow.checkContent));
    const auto transfer =
        helper.Install(flow.sender, flow.senderAddress, flow.receiver, flow.receiverAddress);
    ends = {transfer.sender, transfer.receiver};
    // The receiver opens the control connection: both start together.
    transfer.sender->SetStartTime(flow.start);
    transfer.receiver->SetStartTime(flow.start);
    return std::nullopt;
}

FlowWitness::Bounds
RbudpTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    auto bounds = Transport::GetBounds(flow, ends);
    bounds.headerBytes = RbudpDataHeader::SIZE;
    return bounds;
}

} // namespace ns3::lfn
