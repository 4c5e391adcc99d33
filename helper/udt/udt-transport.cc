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

constexpr uint32_t LEAST_WINDOW = 32;         // of FlightFlag, packets
constexpr uint64_t PACKETS_PER_MESSAGE = 100; // without objects

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
                          "UDT3 of 2006, the draft, or SRT in file mode.",
                          EnumValue(UdtVariant::UDT4),
                          MakeEnumAccessor<UdtVariant>(&UdtTransport::m_variant),
                          MakeUdtVariantChecker())
            .AddAttribute("Messages",
                          "Send messages, not a stream: each object is one, if half of the window "
                          "holds it.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&UdtTransport::m_messages),
                          MakeBooleanChecker())
            .AddAttribute("InOrder",
                          "With Messages: a message is delivered after all earlier ones only.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&UdtTransport::m_isInOrder),
                          MakeBooleanChecker())
            .AddAttribute("TimeToLive",
                          "With Messages: what would be retransmitted after this time is given up, "
                          "with its whole message; 0: never.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&UdtTransport::m_timeToLive),
                          MakeTimeChecker(Time(0)));
    return tid;
}

TransportTraits
UdtTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = "packets at a rate that follows the receiver's estimates";
    traits.surplus = "packets retransmitted, control packets, and what waits in the sink";
    traits.headerBytes = UDT_HEADER_SIZE;
    traits.isReliable = !m_messages || m_timeToLive.IsZero();
    traits.usesSendRate = m_congestion == UdtSource::Congestion::BLAST;
    traits.takesObjects = true;
    return traits;
}

std::optional<std::string>
UdtTransport::Check() const
{
    if (!m_messages && (m_isInOrder || m_timeToLive.IsStrictlyPositive()))
    {
        return std::string(m_isInOrder ? "InOrder" : "TimeToLive") + " needs Messages=true";
    }
    return std::nullopt;
}

void
UdtTransport::CarryObjects(const TransportFlow& flow, TransportEnds& ends) const
{
    auto* objects = flow.objects;
    FeedObjects(flow, ends);
    if (!m_messages)
    {
        ends.sink->TraceConnectWithoutContext(
            "Delivered",
            Callback<void, uint32_t, uint64_t, uint64_t>(
                [objects](uint32_t, uint64_t offset, uint64_t bytes) {
                    objects->OnDelivered(Simulator::Now(), offset, bytes);
                }));
        return;
    }
    const uint64_t object = objects->GetSettings().bytes;
    const uint64_t message = GetNumber(ends.source, "WriteSize");
    const uint64_t perObject = (object - 1) / message + 1;
    ends.sink->TraceConnectWithoutContext(
        "Message",
        Callback<void, uint32_t, uint32_t, uint64_t>(
            [=](uint32_t, uint32_t number, uint64_t bytes) {
                const uint64_t before = number - 1;
                const uint64_t offset = before / perObject * object + before % perObject * message;
                objects->OnDelivered(Simulator::Now(), offset, bytes);
            }));
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
    HandOn(source, "Messages");
    HandOn(sink, "Messages");
    HandOn(source, "InOrder");
    HandOn(source, "TimeToLive");
    if (m_messages)
    {
        // A message has to fit the window, with room for others.
        const uint64_t most = std::min(uint64_t{window} / 2, PACKETS_PER_MESSAGE) * ends.packetSize;
        const uint64_t wanted = flow.objects ? flow.objects->GetSettings().bytes : most;
        const auto fits = std::min(wanted, uint64_t{window} / 2 * ends.packetSize);
        Suggest(source, "WriteSize", UintegerValue(std::min<uint64_t>(fits, UINT32_MAX)));
    }
    UdtHelper::FollowRtt(transfer, flow.rtt);
    int64_t stream = flow.stream;
    for (const auto& end : {ends.source, ends.sink})
    {
        Suggest(end, "CheckContent", BooleanValue(flow.checkContent));
        stream += end->AssignStreams(stream);
    }
    source->SetStartTime(flow.start);
    if (flow.objects)
    {
        CarryObjects(flow, ends);
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
