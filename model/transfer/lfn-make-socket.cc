// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-make-socket.h"

#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/simulator.h"
#include "ns3/socket-factory.h"

namespace ns3::lfn
{

Ptr<Socket>
MakeSocket(Ptr<Node> node, TypeId factory)
{
    if (factory == LongFatTcpSocketFactory::GetTypeId())
    {
        LongFatTcpSocketFactory::Install(node);
    }
    const auto found = node->GetObject<SocketFactory>(factory);
    return found ? found->CreateSocket() : nullptr;
}

void
SetTos(Ptr<Socket> socket, uint8_t tos)
{
    // ns-3 keeps TCP's two bits of ECN out of IPv4's byte only.
    constexpr uint8_t DSCP = 0xfc;
    if (socket && tos > 0)
    {
        const bool isTcp = socket->GetSocketType() == Socket::NS3_SOCK_STREAM;
        tos = isTcp ? tos & DSCP : tos;
        socket->SetIpTos(tos);
        socket->SetIpv6Tclass(tos);
    }
}

void
AbandonSocket(Ptr<Socket> socket, bool isClosed)
{
    // It may be at work in a callback, which ns-3's TCP does not survive without its last owner.
    Simulator::ScheduleNow([socket] {});
    socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                               MakeNullCallback<void, Ptr<Socket>>());
    socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              MakeNullCallback<void, Ptr<Socket>, const Address&>());
    socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                              MakeNullCallback<void, Ptr<Socket>>());
    if (isClosed)
    {
        socket->Close();
    }
}

} // namespace ns3::lfn
