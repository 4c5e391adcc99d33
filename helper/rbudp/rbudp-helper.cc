// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-helper.h"

#include "ns3/boolean.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/lfn-flags.h"
#include "ns3/lfn-rtt-timers.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

RbudpHelper::RbudpHelper()
    : m_ideal("ns3::lfn::RbudpIdealControl")
{
}

void
RbudpHelper::SetPorts(uint16_t udpPort, uint16_t controlPort)
{
    SetAttribute("UdpPort", UintegerValue(udpPort));
    SetAttribute("ControlPort", UintegerValue(controlPort));
}

void
RbudpHelper::UseIdealControl(Time delay, DataRate ackRate)
{
    m_idealControl = true;
    m_ideal.Set("Delay", TimeValue(delay));
    m_ideal.Set("AckRate", DataRateValue(ackRate));
}

namespace
{

/// Most user bytes of a datagram over IPv6 with an MTU of 1500 B, [B].
constexpr uint64_t LARGEST_OVER_IPV6 = 1448;

/// Have the default PayloadSize fit into an MTU of 1500 B over IPv6, at both ends.
void
FitPayloadSize(const RbudpHelper::Transfer& transfer)
{
    UintegerValue own;
    BooleanValue mayFragment;
    TypeId::AttributeInformation about;
    transfer.source->GetAttribute("PayloadSize", own);
    transfer.source->GetAttribute("AllowFragmentation", mayFragment);
    RbudpSender::GetTypeId().LookupAttributeByName("PayloadSize", &about);
    const auto usual = DynamicCast<const UintegerValue>(about.initialValue);
    const bool isUsual =
        about.initialValue == about.originalInitialValue && own.Get() == usual->Get();
    if (isUsual && !mayFragment.Get())
    {
        const UintegerValue size(std::min(own.Get(), LARGEST_OVER_IPV6));
        transfer.source->SetAttribute("PayloadSize", size);
        transfer.sink->SetAttribute("PayloadSize", size);
    }
}

} // namespace

RbudpHelper::Transfer
RbudpHelper::Install(Ptr<Node> sendingNode,
                     const Address& senderAddress,
                     Ptr<Node> receivingNode,
                     const Address& receiverAddress) const
{
    Transfer transfer{MakeSource(), MakeSink()};
    transfer.source->SetAttribute("Remote", AddressValue(receiverAddress));
    transfer.sink->SetAttribute("Remote", AddressValue(senderAddress));
    const bool ipv6 = Ipv6Address::IsMatchingType(senderAddress) ||
                      Inet6SocketAddress::IsMatchingType(senderAddress);
    transfer.source->SetAttribute("Ipv6", BooleanValue(ipv6));
    if (ipv6)
    {
        FitPayloadSize(transfer);
    }
    if (m_idealControl)
    {
        const PointerValue control(m_ideal.Create<RbudpIdealControl>());
        transfer.source->SetAttribute("IdealControl", control);
        transfer.sink->SetAttribute("IdealControl", control);
    }
    sendingNode->AddApplication(transfer.source);
    receivingNode->AddApplication(transfer.sink);
    return transfer;
}

void
RbudpHelper::FollowRtt(const Transfer& transfer, Time rtt)
{
    lfn::FollowRtt(transfer.sink, "ConnectTimeout", rtt, 4);
    lfn::FollowRtt(transfer.sink, "ControlTimeout", rtt, 20);
    lfn::FollowRtt(transfer.source, "ControlTimeout", rtt, 20);
}

Ptr<RbudpObjectStream>
RbudpHelper::InstallStream(const Transfer& transfer)
{
    const auto stream = CreateObject<RbudpObjectStream>();
    for (const auto* size : {"Bytes", "BlockSize"})
    {
        transfer.source->SetAttribute(size, UintegerValue(0));
    }
    stream->SetAttribute("Sender", PointerValue(transfer.source));
    transfer.sink->TraceConnectWithoutContext(
        "PayloadReceived",
        MakeCallback(&RbudpObjectStream::NotifyReceived, stream));
    transfer.source->GetNode()->AddApplication(stream);
    return stream;
}

uint32_t
RbudpHelper::GetPacketSize(const Flags& flags)
{
    const auto size = flags.Get<UintegerValue>("packetSize");
    const bool isOwn =
        flags.GetText("ipVersion") == "6" && !flags.IsGiven("ns3::lfn::RbudpSender::PayloadSize");
    return static_cast<uint32_t>(isOwn ? std::min(size, LARGEST_OVER_IPV6) : size);
}

} // namespace ns3::lfn
