// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-transport.h"

#include "baseline-helper.h"

#include "ns3/boolean.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpTransport");
NS_OBJECT_ENSURE_REGISTERED(ConnectionTransport);
NS_OBJECT_ENSURE_REGISTERED(TcpTransport);

TypeId
ConnectionTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::ConnectionTransport").SetParent<Transport>().SetGroupName("Lfn");
    return tid;
}

TypeId
TcpTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::TcpTransport")
            .SetParent<ConnectionTransport>()
            .SetGroupName("Lfn")
            .AddConstructor<TcpTransport>()
            .AddAttribute("SocketFactory",
                          "Factory of the nodes that makes the sockets; "
                          "ns3::TcpSocketFactory for ns-3's own TCP.",
                          TypeIdValue(LongFatTcpSocketFactory::GetTypeId()),
                          MakeTypeIdAccessor(&TcpTransport::m_socketFactory),
                          MakeTypeIdChecker())
            .AddAttribute("Congestion",
                          "TypeId of a TcpCongestionOps; empty for the node's own, which is also "
                          "taken where TcpL4Protocol::SocketType is set and this is not.",
                          StringValue(DEFAULT_TCP_CONGESTION),
                          MakeStringAccessor(&TcpTransport::m_congestion),
                          MakeStringChecker());
    return tid;
}

TransportTraits
TcpTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = "one connection with any TcpCongestionOps that ns-3 has; sockets of other flows "
                  "keep theirs";
    traits.surplus = "segments retransmitted";
    traits.takesObjects = true;
    return traits;
}

std::optional<std::string>
TcpTransport::Check() const
{
    const auto remedy = CheckTcpCongestion(m_congestion);
    return remedy ? std::optional("Congestion: " + *remedy) : std::nullopt;
}

std::optional<std::string>
ConnectionTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    BaselineHelper helper("Tcp");
    const auto remote = UdpEndpoint::WithPort(flow.receiverAddress, flow.port);
    const auto [source, sink] = helper.Install(flow.sender, flow.receiver, remote);
    Suggest(source, "Bytes", UintegerValue(flow.bytes));
    Suggest(source, "SndBufSize", UintegerValue(flow.windowBytes));
    Suggest(sink, "RcvBufSize", UintegerValue(flow.windowBytes));
    for (const auto& end : {source, sink})
    {
        Suggest(end, "CheckContent", BooleanValue(flow.checkContent));
    }
    source->AssignStreams(flow.stream);
    source->SetStartTime(flow.start);
    ends = {.source = source, .sink = sink};
    ends.packetSize = SuggestNumber(source, "SegmentSize", flow.packetSize);
    HandOnTos(ends);
    if (auto* objects = flow.objects)
    {
        FeedObjects(flow, ends);
        sink->TraceConnectWithoutContext(
            "Progress",
            Callback<void, uint64_t, uint64_t>(
                [objects, before = uint64_t{0}](uint64_t delivered, uint64_t) mutable {
                    objects->OnDelivered(Simulator::Now(), before, delivered - before);
                    before = delivered;
                }));
    }
    return std::nullopt;
}

TransferReport
TcpTransport::GetReport(const TransportEnds& ends) const
{
    auto report = ConnectionTransport::GetReport(ends);
    NameCongestion(report, *ends.source);
    return report;
}

std::optional<std::string>
TcpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    const auto error = ConnectionTransport::Install(flow, ends);
    for (const auto& end : {ends.source, ends.sink})
    {
        HandOn(end, "SocketFactory");
    }
    HandOnCongestion(ends);
    return error;
}

FlowCounter::Bounds
ConnectionTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    auto bounds = Transport::GetBounds(flow, ends);
    if (!ends.source->GetReport().completed)
    {
        bounds.surplusBytes += GetNumber(ends.sink, "RcvBufSize"); // behind a gap, in the socket
    }
    return bounds;
}

} // namespace ns3::lfn
