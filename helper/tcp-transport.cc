// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-transport.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

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
    static TypeId tid = TypeId("ns3::lfn::TcpTransport")
                            .SetParent<ConnectionTransport>()
                            .SetGroupName("Lfn")
                            .AddConstructor<TcpTransport>()
                            .AddAttribute("Congestion",
                                          "TypeId of a TcpCongestionOps; empty for the node's own.",
                                          StringValue(""),
                                          MakeStringAccessor(&TcpTransport::m_congestion),
                                          MakeStringChecker());
    return tid;
}

std::optional<std::string>
TcpTransport::Check() const
{
    const auto remedy = CheckTcpCongestion(m_congestion);
    return remedy ? std::optional("Congestion: " + *remedy) : std::nullopt;
}

TypeId
TcpTransport::GetSocketFactory() const
{
    return TcpSocketFactory::GetTypeId();
}

std::optional<std::string>
ConnectionTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    ends.source = CreateObject<TcpSource>();
    ends.sink = CreateObject<TcpSink>();
    ends.source->SetAttribute("Remote",
                              AddressValue(InetSocketAddress(flow.receiverAddress, flow.port)));
    ends.source->SetAttribute("Bytes", UintegerValue(flow.bytes));
    ends.source->SetAttribute("SegmentSize", UintegerValue(flow.packetSize));
    ends.source->SetAttribute("SndBufSize", UintegerValue(flow.windowBytes));
    ends.sink->SetAttribute("RcvBufSize", UintegerValue(flow.windowBytes));
    ends.sink->SetAttribute("Port", UintegerValue(flow.port));
    for (const auto& end : {ends.source, ends.sink})
    {
        end->SetAttribute("SocketFactory", TypeIdValue(GetSocketFactory()));
        end->SetAttribute("CheckContent", BooleanValue(flow.checkContent));
    }
    ends.source->AssignStreams(flow.stream);
    Put(flow, ends);
    return std::nullopt;
}

std::optional<std::string>
TcpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    const auto error = ConnectionTransport::Install(flow, ends);
    for (const auto& end : {ends.source, ends.sink})
    {
        end->SetAttribute("Congestion", StringValue(m_congestion));
    }
    return error;
}

FlowWitness::Bounds
ConnectionTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    auto bounds = Transport::GetBounds(flow, ends);
    if (!ends.source->GetReport().completed)
    {
        bounds.surplusBytes += flow.windowBytes; // behind a gap, in the socket
    }
    return bounds;
}

} // namespace ns3::lfn
