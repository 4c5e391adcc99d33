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
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpSinkBase");

namespace
{

/**
 * @brief Gives the room in a receive buffer.
 * @param bufferBytes its size, [B]
 * @param socket the socket
 * @return the room for data in sequence, [B]
 */
uint32_t
GetRoom(uint32_t bufferBytes, Ptr<Socket> socket)
{
    return bufferBytes - std::min(bufferBytes, socket->GetRxAvailable());
}

} // namespace

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
        .AddTraceSource("Delivered",
                        "New user bytes: the place of the first one in the transfer, and how "
                        "many.",
                        MakeTraceSourceAccessor(&TcpSinkBase::m_deliveredTrace),
                        "ns3::lfn::TcpSinkBase::DeliveredTracedCallback")
        .AddTraceSource("ConnectionEnded",
                        "A connection was read to its end, or is lost; the sender's socket "
                        "address and the bytes read.",
                        MakeTraceSourceAccessor(&TcpSinkBase::m_endedTrace),
                        "ns3::lfn::TcpSinkBase::ConnectionEndedTracedCallback")
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
        .AddAttribute("ReadSize",
                      "Bytes read at once when there is a host cost.",
                      UintegerValue(1448),
                      MakeUintegerAccessor(&TcpSinkBase::m_readSize),
                      MakeUintegerChecker<uint32_t>(1))
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
    StartHost(MakeCallback(&TcpSinkBase::GetWork, this),
              MakeCallback(&TcpSinkBase::OnServed, this));
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
    for (const auto& [id, connection] : m_connections)
    {
        AbandonSocket(connection.socket, !IsBeingDisposed());
    }
    m_connections.clear();
    m_ready.clear();
}

bool
TcpSinkBase::IsEndless() const
{
    return true;
}

void
TcpSinkBase::OnAccepted(Ptr<Socket> socket, const Address& from)
{
    NS_LOG_FUNCTION(this << socket);
    if (IsFinished())
    {
        // Its handshake was under way at the end.
        Simulator::ScheduleNow(&AbandonSocket, socket, true);
        return;
    }
    const ConnectionId id = m_nextId++;
    UintegerValue bufferBytes;
    socket->GetAttribute("RcvBufSize", bufferBytes);
    NS_LOG_INFO("connection " << id << " is accepted, receive buffer " << bufferBytes.Get()
                              << " B");
    Connection& connection = m_connections[id];
    connection.socket = socket;
    connection.peer = from;
    connection.bufferBytes = static_cast<uint32_t>(bufferBytes.Get());
    socket->SetRecvCallback(MakeCallback(&TcpSinkBase::OnReadable, this, id));
    socket->SetCloseCallbacks(MakeCallback(&TcpSinkBase::OnClose, this, id),
                              MakeCallback(&TcpSinkBase::OnClose, this, id));
}

void
TcpSinkBase::OnRemoved(ConnectionId /* id */)
{
}

void
TcpSinkBase::OnReadable(ConnectionId id, Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this << id);
    if (!m_host)
    {
        ReadAll(id);
        return;
    }
    const auto found = m_connections.find(id);
    if (found == m_connections.end() || found->second.isQueued)
    {
        return;
    }
    found->second.isQueued = true;
    m_ready.push_back(id);
    if (m_host->IsIdle())
    {
        ReadNext();
    }
}

Ptr<Packet>
TcpSinkBase::ReadPiece(ConnectionId id, uint32_t most, Piece& piece)
{
    const auto socket = m_connections.at(id).socket;
    const uint32_t wanted = std::min(PrepareRead(id, socket), most);
    const auto packet = wanted > 0 ? socket->Recv(wanted, 0) : nullptr;
    if (!packet || packet->GetSize() == 0)
    {
        return nullptr;
    }
    auto& offset = m_connections.at(id).offset;
    piece = OnBytes(id, offset, packet);
    offset += packet->GetSize();
    return packet;
}

void
TcpSinkBase::ReadAll(ConnectionId id)
{
    constexpr uint32_t ALL = UINT32_MAX;
    // Looked up again for every piece, since a trace may end everything.
    while (m_connections.contains(id))
    {
        Piece piece;
        const auto packet = ReadPiece(id, ALL, piece);
        if (!packet)
        {
            return;
        }
        Receive(packet);
        Deliver(piece, packet);
    }
}

void
TcpSinkBase::ReadNext()
{
    while (!m_ready.empty())
    {
        const ConnectionId id = m_ready.front();
        m_ready.pop_front();
        if (!m_connections.contains(id))
        {
            continue;
        }
        auto& connection = m_connections.at(id);
        connection.isQueued = false;
        const uint32_t room = GetRoom(connection.bufferBytes, connection.socket);
        connection.hasNarrowWindow = connection.hasNarrowWindow || room < m_readSize;
        const auto packet = ReadPiece(id, m_readSize, m_served);
        if (!packet)
        {
            CloseIfDrained(id);
            continue;
        }
        UpdateWindow(connection);
        if (connection.socket->GetRxAvailable() > 0)
        {
            connection.isQueued = true;
            m_ready.push_back(id);
        }
        Receive(packet);
        if (!IsFinished())
        {
            m_host->Arrive(packet, Address());
            CloseIfDrained(id);
        }
        return;
    }
}

void
TcpSinkBase::UpdateWindow(Connection& connection) const
{
    const uint32_t size = connection.bufferBytes;
    const uint32_t room = GetRoom(size, connection.socket);
    // Two pieces, so that the peer never sends in crumbs (RFC 1122, 4.2.3.3).
    const uint64_t wanted = std::min<uint64_t>(size / 2, uint64_t{2} * m_readSize);
    if (!connection.hasNarrowWindow || room < wanted || connection.isClosing)
    {
        return;
    }
    connection.hasNarrowWindow = false;
    NS_LOG_LOGIC("the window is announced: room " << room << " of " << size << " B");
    // A buffer that grows is the one event on which ns-3's socket announces its window.
    connection.socket->SetAttribute("RcvBufSize", UintegerValue(size - 1));
    connection.socket->SetAttribute("RcvBufSize", UintegerValue(size));
}

HostWork
TcpSinkBase::GetWork(Ptr<const Packet> packet)
{
    auto work = m_hostCost->GetWork(packet->GetSize());
    work.offset = m_served.offset;
    return work;
}

void
TcpSinkBase::OnServed(Ptr<Packet> packet, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << packet);
    Deliver(m_served, packet);
    ReadNext();
}

void
TcpSinkBase::Receive(Ptr<const Packet> packet)
{
    Begin();
    ++m_report.dataPackets;
    m_report.offeredBytes += packet->GetSize();
    m_rxTrace(packet);
}

void
TcpSinkBase::Deliver(const Piece& piece, Ptr<const Packet> packet)
{
    if (piece.refused)
    {
        m_report.lostBytes += piece.refused == DropReason::CORRUPT ? packet->GetSize() : 0;
        DropPacket(packet, *piece.refused);
    }
    if (piece.newBytes > 0)
    {
        m_report.deliveredBytes += piece.newBytes;
        m_report.lastDelivery = Simulator::Now();
        m_progressTrace(m_report.deliveredBytes, GetTotal());
        m_deliveredTrace(piece.offset, piece.newBytes);
    }
}

void
TcpSinkBase::OnClose(ConnectionId id, Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this << id);
    if (!m_host)
    {
        ReadAll(id);
    }
    const auto found = m_connections.find(id);
    if (found != m_connections.end())
    {
        found->second.isClosing = true;
        CloseIfDrained(id);
    }
}

void
TcpSinkBase::CloseIfDrained(ConnectionId id)
{
    const auto found = m_connections.find(id);
    if (found != m_connections.end() && found->second.isClosing &&
        found->second.socket->GetRxAvailable() == 0)
    {
        Remove(id);
    }
}

void
TcpSinkBase::Remove(ConnectionId id)
{
    const auto found = m_connections.find(id);
    if (found == m_connections.end())
    {
        return;
    }
    NS_LOG_INFO("connection " << id << " ends after " << found->second.offset << " B");
    // Not at once: the socket may be in the midst of the peer's last segment.
    Simulator::ScheduleNow(&AbandonSocket, found->second.socket, true);
    const auto [peer, bytes] = std::pair(found->second.peer, found->second.offset);
    m_connections.erase(found);
    OnRemoved(id);
    m_endedTrace(peer, bytes);
}

} // namespace ns3::lfn
