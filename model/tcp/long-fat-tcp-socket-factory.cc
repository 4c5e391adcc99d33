// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-socket-factory.h"

#include "long-fat-tcp-socket.h"

#include "ns3/object-factory.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"

#include <string>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(LongFatTcpSocketFactory);

namespace
{

/**
 * @brief Make what an Attribute of TCP names.
 * @param tcp a node's TCP
 * @param attribute a TypeId
 * @return an object of that class
 */
template <typename T>
Ptr<T>
Make(Ptr<TcpL4Protocol> tcp, const std::string& attribute)
{
    TypeIdValue type;
    tcp->GetAttribute(attribute, type);
    return ObjectFactory(type.Get().GetName()).Create<T>();
}

} // namespace

TypeId
LongFatTcpSocketFactory::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::LongFatTcpSocketFactory")
                            .SetParent<SocketFactory>()
                            .SetGroupName("Lfn")
                            .AddConstructor<LongFatTcpSocketFactory>();
    return tid;
}

Ptr<LongFatTcpSocketFactory>
LongFatTcpSocketFactory::Install(Ptr<Node> node)
{
    auto factory = node->GetObject<LongFatTcpSocketFactory>();
    if (!factory)
    {
        factory = CreateObject<LongFatTcpSocketFactory>();
        node->AggregateObject(factory);
    }
    return factory;
}

Ptr<Socket>
LongFatTcpSocketFactory::CreateSocket()
{
    const auto node = GetObject<Node>();
    const auto tcp = node ? node->GetObject<TcpL4Protocol>() : nullptr;
    if (!tcp)
    {
        return nullptr;
    }
    const auto socket = CreateObject<LongFatTcpSocket>();
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(Make<RttEstimator>(tcp, "RttEstimatorType"));
    socket->SetCongestionControlAlgorithm(Make<TcpCongestionOps>(tcp, "SocketType"));
    socket->SetRecoveryAlgorithm(Make<TcpRecoveryOps>(tcp, "RecoveryType"));
    tcp->AddSocket(socket);
    return socket;
}

} // namespace ns3::lfn
