// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-socket-factory.h"

#include "tcp-xcp.h"
#include "xcp-l4-protocol.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpSocketFactory");
NS_OBJECT_ENSURE_REGISTERED(XcpSocketFactory);

TypeId
XcpSocketFactory::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpSocketFactory")
            .SetParent<SocketFactory>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpSocketFactory>()
            .AddAttribute("PartialAckSegments",
                          "LongFatTcpSocket::PartialAckSegments of XCP's sockets, "
                          "which routers give the capacity that a path has: without "
                          "SACK, segments that may be retransmitted for a partial "
                          "ACK; 1 as in RFC 6582, and nearest to ns-2.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&XcpSocketFactory::m_partialAckSegments),
                          MakeUintegerChecker<uint32_t>(1, 10));
    return tid;
}

Ptr<XcpSocketFactory>
XcpSocketFactory::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(node);
    if (!XcpL4Protocol::Install(node))
    {
        return nullptr;
    }
    auto factory = node->GetObject<XcpSocketFactory>();
    if (!factory)
    {
        factory = CreateObject<XcpSocketFactory>();
        node->AggregateObject(factory);
    }
    return factory;
}

Ptr<Socket>
XcpSocketFactory::CreateSocket()
{
    NS_LOG_FUNCTION(this);
    const auto node = GetObject<Node>();
    const auto shim = node ? XcpL4Protocol::Install(node) : nullptr;
    if (!shim)
    {
        return nullptr;
    }
    const auto socket =
        LongFatTcpSocketFactory::Make(node->GetObject<TcpL4Protocol>(), TcpXcp::GetTypeId());
    socket->SetAttribute("Timestamp", BooleanValue(false));
    socket->SetAttribute("PartialAckSegments", UintegerValue(m_partialAckSegments));
    socket->SetAttribute("KeepBackOff", BooleanValue(false));
    socket->SetAttribute("SackOfRetransmissions", BooleanValue(false));
    socket->SetAttribute("RestartAfterIdle", BooleanValue(false)); // X-C19 ages its window
    shim->Watch(socket);
    return socket;
}

} // namespace ns3::lfn
