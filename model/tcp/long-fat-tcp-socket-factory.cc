// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-socket-factory.h"

#include "long-fat-tcp-socket.h"
#include "tcp-segment-dispatch.h"

#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"

#include <string>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("LongFatTcpSocketFactory");
NS_OBJECT_ENSURE_REGISTERED(LongFatTcpSocketFactory);

namespace
{

/**
 * @brief Get the class that an Attribute of TCP names.
 * @param tcp a node's TCP
 * @param attribute the Attribute
 * @return its TypeId
 */
TypeId
GetType(Ptr<TcpL4Protocol> tcp, const std::string& attribute)
{
    TypeIdValue type;
    tcp->GetAttribute(attribute, type);
    return type.Get();
}

/**
 * @brief Make an object.
 * @param type of this class
 * @return the object
 */
template <typename T>
Ptr<T>
Create(TypeId type)
{
    return ObjectFactory(type.GetName()).Create<T>();
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
    NS_LOG_FUNCTION(node);
    auto factory = node->GetObject<LongFatTcpSocketFactory>();
    if (!factory)
    {
        factory = CreateObject<LongFatTcpSocketFactory>();
        node->AggregateObject(factory);
    }
    TcpSegmentDispatch::Install(node);
    return factory;
}

Ptr<TcpSocketBase>
LongFatTcpSocketFactory::Make(Ptr<TcpL4Protocol> tcp, TypeId congestion)
{
    NS_LOG_FUNCTION(tcp << congestion.GetName());
    const auto socket = CreateObject<LongFatTcpSocket>();
    socket->SetNode(tcp->GetObject<Node>());
    socket->SetTcp(tcp);
    socket->SetRtt(Create<RttEstimator>(GetType(tcp, "RttEstimatorType")));
    socket->SetCongestionControlAlgorithm(Create<TcpCongestionOps>(congestion));
    socket->SetRecoveryAlgorithm(Create<TcpRecoveryOps>(GetType(tcp, "RecoveryType")));
    tcp->AddSocket(socket);
    return socket;
}

Ptr<Socket>
LongFatTcpSocketFactory::CreateSocket()
{
    NS_LOG_FUNCTION(this);
    const auto tcp = GetObject<TcpL4Protocol>();
    return tcp ? Make(tcp, GetType(tcp, "SocketType")) : nullptr;
}

} // namespace ns3::lfn
