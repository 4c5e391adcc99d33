// SPDX-License-Identifier: GPL-2.0-only

#include "fec-udp-transport.h"

#include "fec-helper.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("FecUdpTransport");
NS_OBJECT_ENSURE_REGISTERED(FecUdpTransport);

TypeId
FecUdpTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::FecUdpTransport")
            .SetParent<Transport>()
            .SetGroupName("Lfn")
            .AddConstructor<FecUdpTransport>()
            .AddAttribute("BlockPackets",
                          "Datagrams of data to one of parity (k).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&FecUdpTransport::m_blockPackets),
                          MakeUintegerChecker<uint32_t>(1, FecDataHeader::MAX_COUNT))
            .AddAttribute("Parities",
                          "Parity datagrams of a block (m); 1: the XOR.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FecUdpTransport::m_parities),
                          MakeUintegerChecker<uint32_t>(1, FecDataHeader::MAX_PARITIES))
            .AddAttribute("Interleave",
                          "Blocks whose datagrams are sent in turns (d).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FecUdpTransport::m_interleave),
                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

TransportTraits
FecUdpTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = "datagrams at a rate that covers the parity datagrams as well";
    traits.surplus =
        "datagrams that the sink refused, such as those that came after they had been made good";
    traits.headerBytes = FecDataHeader::SIZE;
    traits.isReliable = false;
    traits.usesSendRate = true;
    traits.takesObjects = true;
    return traits;
}

std::optional<std::string>
FecUdpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    FecHelper helper;
    helper.SetPorts(flow.port, flow.port + 1);
    const auto transfer = helper.Install(flow.sender, flow.receiver, flow.receiverAddress);
    ends = {.source = transfer.source, .sink = transfer.sink};
    HandOn(ends.source, "BlockPackets");
    // A block at a time, so that neither small rates vanish nor large ones repeat.
    HandOn(ends.source, "Parities");
    HandOn(ends.source, "Interleave");
    const auto k = GetNumber(ends.source, "BlockPackets");
    const auto n = k + GetNumber(ends.source, "Parities");
    const auto interleave = GetNumber(ends.source, "Interleave");
    if (interleave > 1 && 2 * interleave > GetNumber(ends.sink, "BlockWindow"))
    {
        return "fec-udp: Interleave=" + std::to_string(interleave) +
               ": the sink closes blocks too early: give --ns3::lfn::FecUdpSink::BlockWindow=" +
               std::to_string(2 * interleave);
    }
    const uint64_t whole = flow.sendRate.GetBitRate() / n;
    const uint64_t rest = flow.sendRate.GetBitRate() % n;
    const uint64_t rate = whole * k + rest * k / n;
    if (rate == 0)
    {
        return "fec-udp has no bit/s left for data next to parity: raise --sendRate";
    }
    NS_LOG_DEBUG("rate of data " << rate << " bit/s of " << flow.sendRate << ", BlockPackets "
                                 << k);
    Suggest(ends.source, "Bytes", UintegerValue(flow.bytes));
    Suggest(ends.source, "SendRate", DataRateValue(DataRate(rate)));
    ends.packetSize = SuggestNumber(ends.source, "PacketSize", flow.packetSize);
    if (auto* objects = flow.objects)
    {
        const auto bytes = objects->GetSettings().bytes;
        if (bytes % ends.packetSize != 0)
        {
            return "fec-udp sends whole datagrams of an object: make --objectSize a multiple of "
                   "--packetSize";
        }
        ends.source->SetAttribute("SendRate", DataRateValue(objects->GetRate(bytes)));
        FeedObjects(flow, ends);
        ends.sink->TraceConnectWithoutContext(
            "Delivered",
            Callback<void, uint64_t, uint64_t>(
                [objects, size = ends.packetSize](uint64_t number, uint64_t bytes) {
                    objects->OnDelivered(Simulator::Now(), number * size, bytes);
                }));
    }
    for (const auto& end : {ends.source, ends.sink})
    {
        Suggest(end, "CheckContent", BooleanValue(flow.checkContent));
    }
    ends.source->AssignStreams(flow.stream);
    ends.source->SetStartTime(flow.start);
    HandOnTos(ends);
    return std::nullopt;
}

TransferReport
FecUdpTransport::GetReport(const TransportEnds& ends) const
{
    auto report = Transport::GetReport(ends);
    EndAtSink(report);
    return report;
}

FlowCounter::Bounds
FecUdpTransport::GetBounds(const TransportFlow& /* flow */, const TransportEnds& ends) const
{
    FlowCounter::Bounds bounds;
    bounds.headerBytes = GetTraits().headerBytes;
    bounds.repairedBytes = DynamicCast<FecUdpSink>(ends.sink)->GetRecoveredBytes();
    bounds.surplusBytes = ends.sink->GetTotalDrops() * ends.packetSize;
    return bounds;
}

} // namespace ns3::lfn
