// SPDX-License-Identifier: GPL-2.0-only

#include "parallel-tcp-transport.h"

#include "lfn-scenario.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/parallel-tcp-sink.h"
#include "ns3/parallel-tcp-source.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(ParallelTcpTransport);

TypeId
ParallelTcpTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::ParallelTcpTransport")
            .SetParent<Transport>()
            .SetGroupName("Lfn")
            .AddConstructor<ParallelTcpTransport>()
            .AddAttribute("Streams",
                          "TCP connections (N).",
                          UintegerValue(4),
                          MakeUintegerAccessor(&ParallelTcpTransport::m_streams),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("Congestion",
                          "TypeId of a TcpCongestionOps; empty for the node's own.",
                          StringValue(""),
                          MakeStringAccessor(&ParallelTcpTransport::m_congestion),
                          MakeStringChecker())
            .AddAttribute("Window",
                          "Buffers of each connection in bytes (W); 0: as large as the path wants.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ParallelTcpTransport::m_windowBytes),
                          MakeUintegerChecker<uint32_t>(0, 1U << 30))
            .AddAttribute("Striping",
                          "Which connection carries which chunk, see ParallelTcpSource.",
                          EnumValue(ParallelStriping::ROUND_ROBIN),
                          MakeEnumAccessor<ParallelStriping>(&ParallelTcpTransport::m_striping),
                          MakeEnumChecker(ParallelStriping::ROUND_ROBIN,
                                          "RoundRobin",
                                          ParallelStriping::PARTITION,
                                          "Partition",
                                          ParallelStriping::ON_DEMAND,
                                          "OnDemand"));
    return tid;
}

std::optional<std::string>
ParallelTcpTransport::Check() const
{
    const auto remedy = CheckTcpCongestion(m_congestion);
    return remedy ? std::optional("Congestion: " + *remedy) : std::nullopt;
}

int64_t
ParallelTcpTransport::GetFirstStream(const TransportFlow& flow) const
{
    return m_streams > Scenario::RANGE ? Scenario::ManyFlowStream(flow.index) : flow.stream;
}

uint32_t
ParallelTcpTransport::GetChunkSize(uint32_t packetSize)
{
    // Above half of that already: whatever the size, a chunk is larger than its header.
    constexpr uint32_t WANTED = 65536;
    const uint32_t segments = std::max(WANTED / packetSize, 1U);
    return segments * packetSize - ParallelChunkHeader::SIZE;
}

std::optional<std::string>
ParallelTcpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    const uint32_t window = m_windowBytes > 0 ? m_windowBytes : flow.windowBytes;
    ends.source = CreateObject<ParallelTcpSource>();
    ends.sink = CreateObject<ParallelTcpSink>();
    ends.source->SetAttribute("Remote",
                              AddressValue(InetSocketAddress(flow.receiverAddress, flow.port)));
    ends.source->SetAttribute("Bytes", UintegerValue(flow.bytes));
    ends.source->SetAttribute("Streams", UintegerValue(m_streams));
    ends.source->SetAttribute("Striping", EnumValue(m_striping));
    ends.source->SetAttribute("ChunkSize", UintegerValue(GetChunkSize(flow.packetSize)));
    ends.source->SetAttribute("SegmentSize", UintegerValue(flow.packetSize));
    ends.source->SetAttribute("SndBufSize", UintegerValue(window));
    ends.source->AssignStreams(GetFirstStream(flow));
    ends.sink->SetAttribute("RcvBufSize", UintegerValue(window));
    ends.sink->SetAttribute("Port", UintegerValue(flow.port));
    for (const auto& end : {ends.source, ends.sink})
    {
        end->SetAttribute("Congestion", StringValue(m_congestion));
        end->SetAttribute("CheckContent", BooleanValue(flow.checkContent));
    }
    Put(flow, ends);
    return std::nullopt;
}

FlowWitness::Bounds
ParallelTcpTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    auto bounds = Transport::GetBounds(flow, ends);
    const auto& report = ends.source->GetReport();
    const uint64_t chunks = report.offeredBytes / GetChunkSize(flow.packetSize) + m_streams;
    bounds.surplusBytes += chunks * ParallelChunkHeader::SIZE;
    if (!report.completed)
    {
        const uint64_t window = m_windowBytes > 0 ? m_windowBytes : flow.windowBytes;
        bounds.surplusBytes += m_streams * window; // behind gaps, in the sockets
    }
    return bounds;
}

} // namespace ns3::lfn
