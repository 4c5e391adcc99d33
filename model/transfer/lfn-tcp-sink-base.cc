// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-tcp-sink-base.h"

#include "lfn-listen-address.h"
#include "lfn-make-socket.h"
#include "lfn-tcp-congestion.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/long-fat-tcp-socket.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpSinkBase");

TypeId
TcpSinkBase::AddAttributes(TypeId tid)
{
    return tid
        .AddAttribute("Local",
                      "Address to listen on, with or without a port; unset for every IPv4 and "
                      "IPv6 address of the node.",
                      AddressValue(),
                      MakeAddressAccessor(&TcpSinkBase::m_local),
                      MakeAddressChecker())
        .AddAttribute("Port",
                      "Port to listen on, unless Local brings one.",
                      UintegerValue(9),
                      MakeUintegerAccessor(&TcpSinkBase::m_port),
                      MakeUintegerChecker<uint16_t>())
        .AddAttribute("RcvBufSize",
                      "Receive buffer of each socket in bytes; 0 leaves ns3::TcpSocket's own.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&TcpSinkBase::m_rcvBufSize),
                      MakeUintegerChecker<uint32_t>(0, LongFatTcpSocket::MAX_BUFFER))
        .AddAttribute("SocketFactory",
                      "Factory of the node that makes the sockets; ns3::TcpSocketFactory for "
                      "ns-3's own TCP, ns3::lfn::XcpSocketFactory for XCP.",
                      TypeIdValue(LongFatTcpSocketFactory::GetTypeId()),
                      MakeTypeIdAccessor(&TcpSinkBase::m_socketFactory),
                      MakeTypeIdChecker())
        .AddAttribute("Congestion",
                      "TypeId of a TcpCongestionOps for what it accepts; empty for the node's. "
                      "Some, such as ns3::TcpDctcp, need it at both ends.",
                      StringValue(""),
                      MakeStringAccessor(&TcpSinkBase::m_congestion),
                      MakeStringChecker())
        .AddAttribute("CheckContent",
                      "Refuse pieces that do not hold the source's pattern.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&TcpSinkBase::m_checkContent),
                      MakeBooleanChecker());
}

void
TcpSinkBase::StartApplication()
{
    NS_LOG_FUNCTION(this);
    for (const auto& address : MakeListenAddresses(m_local, m_port))
    {
        const auto socket = MakeSocket(GetNode(), m_socketFactory);
        if (!socket)
        {
            Fail("the node has no TCP, or no " + m_socketFactory.GetName());
            return;
        }
        m_listeners.push_back(socket);
        SetTos(socket, m_tos);
        if (!UseTcpCongestion(socket, m_congestion))
        {
            Fail("Congestion is no TcpCongestionOps for any socket");
            return;
        }
        if (m_rcvBufSize > 0)
        {
            socket->SetAttribute("RcvBufSize", UintegerValue(m_rcvBufSize));
        }
        if (socket->Bind(address) != 0 || socket->Listen() != 0)
        {
            Fail("the port is taken or Local is no address of this node");
            return;
        }
        socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&TcpSinkBase::OnAccepted, this));
    }
    if (m_listeners.empty())
    {
        Fail("Local is no IP address");
    }
}

void
TcpSinkBase::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    for (const auto& listener : m_listeners)
    {
        AbandonSocket(listener, !IsBeingDisposed());
    }
    m_listeners.clear();
}

bool
TcpSinkBase::IsEndless() const
{
    return true;
}

void
TcpSinkBase::OnAccepted(Ptr<Socket> socket, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << socket);
    if (IsFinished())
    {
        // Its handshake was under way at the end.
        Simulator::ScheduleNow(&AbandonSocket, socket, true);
        return;
    }
    OnConnection(socket);
}

} // namespace ns3::lfn
