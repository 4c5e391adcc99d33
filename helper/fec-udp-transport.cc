// SPDX-License-Identifier: GPL-2.0-only

#include "fec-udp-transport.h"

#include "ns3/boolean.h"
#include "ns3/fec-udp-sink.h"
#include "ns3/fec-udp-source.h"
#include "ns3/inet-socket-address.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

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
                          MakeUintegerChecker<uint32_t>(1, FecDataHeader::MAX_COUNT));
    return tid;
}

std::optional<std::string>
FecUdpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    const uint16_t parityPort = flow.port + 1;
    // A block at a time, so that neither small rates vanish nor large ones go round.
    const uint64_t whole = flow.sendRate.GetBitRate() / (m_blockPackets + 1);
    const uint64_t rest = flow.sendRate.GetBitRate() % (m_blockPackets + 1);
    const uint64_t rate = whole * m_blockPackets + rest * m_blockPackets / (m_blockPackets + 1);
    if (rate == 0)
    {
        return "fec-udp has no bit/s left for data beside parity: raise --sendRate";
    }
    ends.source = CreateObject<FecUdpSource>();
    ends.sink = CreateObject<FecUdpSink>();
    ends.source->SetAttribute("Remote",
                              AddressValue(InetSocketAddress(flow.receiverAddress, flow.port)));
    ends.source->SetAttribute("Bytes", UintegerValue(flow.bytes));
    ends.source->SetAttribute("SendRate", DataRateValue(DataRate(rate)));
    ends.source->SetAttribute("PacketSize", UintegerValue(flow.packetSize));
    ends.source->SetAttribute("BlockPackets", UintegerValue(m_blockPackets));
    ends.sink->SetAttribute("Port", UintegerValue(flow.port));
    for (const auto& end : {ends.source, ends.sink})
    {
        end->SetAttribute("ParityPort", UintegerValue(parityPort));
        end->SetAttribute("CheckContent", BooleanValue(flow.checkContent));
    }
    Put(flow, ends);
    return std::nullopt;
}

TransferReport
FecUdpTransport::GetReport(const TransportEnds& ends) const
{
    auto report = Transport::GetReport(ends);
    EndAtSink(report);
    return report;
}

FlowWitness::Bounds
FecUdpTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    FlowWitness::Bounds bounds;
    bounds.headerBytes = FecDataHeader::SIZE;
    bounds.repairedBytes = DynamicCast<FecUdpSink>(ends.sink)->GetRecoveredBytes();
    bounds.surplusBytes = ends.sink->GetTotalDrops() * flow.packetSize;
    return bounds;
}

} // namespace ns3::lfn
