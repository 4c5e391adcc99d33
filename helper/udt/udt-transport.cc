// SPDX-License-Identifier: GPL-2.0-only

#include "udt-transport.h"

#include "udt-helper.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("UdtTransport");
NS_OBJECT_ENSURE_REGISTERED(UdtTransport);

namespace
{

constexpr uint32_t LEAST_WINDOW = 32; // of FlightFlag, packets

} // namespace

TypeId
UdtTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::UdtTransport")
            .SetParent<Transport>()
            .SetGroupName("Lfn")
            .AddConstructor<UdtTransport>()
            .AddAttribute("Congestion",
                          "Congestion control: Native, UDT's own, or Blast at the flow's rate.",
                          EnumValue(UdtSource::Congestion::NATIVE),
                          MakeEnumAccessor<UdtSource::Congestion>(&UdtTransport::m_congestion),
                          MakeEnumChecker(UdtSource::Congestion::NATIVE,
                                          "Native",
                                          UdtSource::Congestion::BLAST,
                                          "Blast"))
            .AddAttribute("Variant",
                          "Where the rules of both ends come from: the program UDT4, the program "
                          "UDT3 of 2006, or the draft.",
                          EnumValue(UdtVariant::UDT4),
                          MakeEnumAccessor<UdtVariant>(&UdtTransport::m_variant),
                          MakeUdtVariantChecker());
    return tid;
}

TransportTraits
UdtTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = "packets at a rate that follows the receiver's estimates";
    traits.surplus = "packets retransmitted, control packets, and what waits in the sink";
    traits.headerBytes = UDT_HEADER_SIZE;
    traits.usesSendRate = m_congestion == UdtSource::Congestion::BLAST;
    traits.takesObjects = true;
    return traits;
}

std::optional<std::string>
UdtTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    UdtHelper helper;
    helper.SetPort(flow.port);
    const auto transfer = helper.Install(flow.sender, flow.receiver, flow.receiverAddress);
    const auto& [source, sink] = transfer;
    const auto headers = UdtHelper::GetMss(0, flow.receiverAddress);
    ends = {.source = source, .sink = sink};
    const auto mss = std::max(flow.packetSize + headers, UDT_LEAST_MSS);
    ends.packetSize = static_cast<uint32_t>(SuggestNumber(source, "Mss", mss) - headers);
    const auto window = std::max(flow.windowBytes / ends.packetSize, LEAST_WINDOW);
    Suggest(source, "SendBuffer", UintegerValue(window));
    Suggest(sink, "ReceiveBuffer", UintegerValue(window));
    Suggest(sink, "FlightFlag", UintegerValue(window));
    NS_LOG_DEBUG("window " << window << " packets of " << ends.packetSize << " B");
    Suggest(source, "Bytes", UintegerValue(flow.bytes));
    Suggest(source, "BlastRate", DataRateValue(flow.sendRate));
    HandOn(source, "Congestion");
    HandOn(source, "Variant");
    HandOn(sink, "Variant");
    UdtHelper::FollowRtt(transfer, flow.rtt);
    int64_t stream = flow.stream;
    for (const auto& end : {ends.source, ends.sink})
    {
        Suggest(end, "CheckContent", BooleanValue(flow.checkContent));
        stream += end->AssignStreams(stream);
    }
    source->SetStartTime(flow.start);
    if (auto* objects = flow.objects)
    {
        FeedObjects(flow, ends);
        sink->TraceConnectWithoutContext(
            "Delivered",
            Callback<void, uint32_t, uint64_t, uint64_t>(
                [objects](uint32_t, uint64_t offset, uint64_t bytes) {
                    objects->OnDelivered(Simulator::Now(), offset, bytes);
                }));
    }
    HandOnTos(ends);
    return std::nullopt;
}

TransferReport
UdtTransport::GetReport(const TransportEnds& ends) const
{
    auto report = Transport::GetReport(ends);
    report.controlPackets += ends.sink->GetReport().controlPackets;
    return report;
}

FlowCounter::Bounds
UdtTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    auto bounds = Transport::GetBounds(flow, ends);
    // Control packets go to the port of the data.
    bounds.surplusPackets = ends.source->GetReport().controlPackets;
    bounds.surplusBytes += DynamicCast<UdtSource>(ends.source)->GetControlBytes() +
                           DynamicCast<UdtSink>(ends.sink)->GetUndelivered();
    return bounds;
}

} // namespace ns3::lfn
