// SPDX-License-Identifier: GPL-2.0-only

#include "parallel-tcp-transport.h"

#include "parallel-tcp-helper.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/lfn-random-streams.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr uint64_t MOST_CHUNK = uint64_t{1} << 30; //!< of ParallelTcpSource, [B]

} // namespace

NS_LOG_COMPONENT_DEFINE("ParallelTcpTransport");
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
                          "TypeId of a TcpCongestionOps; empty for the node's own, which is also "
                          "taken where TcpL4Protocol::SocketType is set and this is not.",
                          StringValue(DEFAULT_TCP_CONGESTION),
                          MakeStringAccessor(&ParallelTcpTransport::m_congestion),
                          MakeStringChecker())
            .AddAttribute("Window",
                          "Buffers of each connection in bytes (W); 0: as large as the path needs.",
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

TransportTraits
ParallelTcpTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = "several TCP connections, each with its own window";
    traits.surplus = "segments retransmitted, and the chunks' headers";
    traits.takesObjects = true;
    return traits;
}

std::optional<std::string>
ParallelTcpTransport::Check() const
{
    const auto remedy = CheckTcpCongestion(m_congestion);
    return remedy ? std::optional("Congestion: " + *remedy) : std::nullopt;
}

int64_t
ParallelTcpTransport::GetFirstStream(const TransportFlow& flow, uint64_t connections)
{
    return connections > RandomStreams::RANGE ? RandomStreams::ManyFlow(flow.index) : flow.stream;
}

uint32_t
ParallelTcpTransport::GetChunkSize(uint32_t packetSize)
{
    // Above half of that already: for any size, a chunk is larger than its header.
    constexpr uint32_t WANTED = 65536;
    const uint32_t segments = std::max(WANTED / packetSize, 1U);
    return segments * packetSize - ParallelChunkHeader::SIZE;
}

TransferReport
ParallelTcpTransport::GetReport(const TransportEnds& ends) const
{
    auto report = Transport::GetReport(ends);
    NameCongestion(report, *ends.source);
    return report;
}

std::optional<std::string>
ParallelTcpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    ParallelTcpHelper helper;
    helper.SetPort(flow.port);
    const auto [source, sink] = helper.Install(flow.sender, flow.receiver, flow.receiverAddress);
    Suggest(source, "Bytes", UintegerValue(flow.bytes));
    HandOn(source, "Streams");
    HandOn(source, "Striping");
    const auto packetSize = SuggestNumber(source, "SegmentSize", flow.packetSize);
    Suggest(source, "ChunkSize", UintegerValue(GetChunkSize(packetSize)));
    ends = {.source = source, .sink = sink};
    ends.packetSize = packetSize;
    const auto window = m_windowBytes > 0 ? m_windowBytes : flow.windowBytes;
    for (const auto& [end, buffer] :
         {std::pair(ends.source, "SndBufSize"), std::pair(ends.sink, "RcvBufSize")})
    {
        HandOn("Window", end, buffer, UintegerValue(window));
        Suggest(end, "CheckContent", BooleanValue(flow.checkContent));
    }
    HandOnCongestion(ends);
    if (auto* objects = flow.objects)
    {
        if (m_striping == ParallelStriping::PARTITION)
        {
            return "parallel-tcp: Striping=Partition needs a size: take another one for objects";
        }
        if (objects->GetSettings().bytes > MOST_CHUNK)
        {
            return "parallel-tcp sends an object as a chunk of up to 1 GiB: lower --objectSize";
        }
        source->SetAttribute("ChunkSize", UintegerValue(objects->GetSettings().bytes));
        FeedObjects(flow, ends);
        sink->TraceConnectWithoutContext(
            "Delivered",
            Callback<void, uint64_t, uint64_t>([objects](uint64_t offset, uint64_t bytes) {
                objects->OnDelivered(Simulator::Now(), offset, bytes);
            }));
    }
    source->AssignStreams(GetFirstStream(flow, GetNumber(source, "Streams")));
    source->SetStartTime(flow.start);
    HandOnTos(ends);
    return std::nullopt;
}

FlowCounter::Bounds
ParallelTcpTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    auto bounds = Transport::GetBounds(flow, ends);
    const auto& report = ends.source->GetReport();
    const auto streams = GetNumber(ends.source, "Streams");
    const auto chunks = report.offeredBytes / GetNumber(ends.source, "ChunkSize") + streams;
    bounds.surplusBytes += chunks * ParallelChunkHeader::SIZE;
    if (!report.completed)
    {
        bounds.surplusBytes += streams * GetNumber(ends.sink, "RcvBufSize"); // behind gaps
    }
    return bounds;
}

} // namespace ns3::lfn
