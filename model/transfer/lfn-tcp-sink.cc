// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-tcp-sink.h"

#include "lfn-make-socket.h"
#include "lfn-pattern-payload.h"

#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpSink");
NS_OBJECT_ENSURE_REGISTERED(TcpSink);

namespace
{

/** Read at once, [B]: a socket joins all that a filled hole frees, at a cost of its square. */
constexpr uint32_t READ_BYTES = 65'536;

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
TcpSink::GetTypeId()
{
    static TypeId tid =
        AddAttributes(TypeId("ns3::lfn::TcpSink")
                          .SetParent<TransferApplication>()
                          .SetGroupName("Lfn")
                          .AddConstructor<TcpSink>())
            .AddAttribute("ReadSize",
                          "Bytes read at once when there is a host cost.",
                          UintegerValue(1448),
                          MakeUintegerAccessor(&TcpSink::m_readSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HostCost",
                          "What a piece costs the receiving host; leave it unset for nothing.",
                          PointerValue(),
                          MakePointerAccessor(&TcpSink::m_hostCost),
                          MakePointerChecker<HostCost>())
            .AddTraceSource("ConnectionEnded",
                            "A connection was read to its end, or is lost; the sender's socket "
                            "address and the user bytes read, B.",
                            MakeTraceSourceAccessor(&TcpSink::m_endedTrace),
                            "ns3::lfn::TcpSink::ConnectionEndedCallback");
    return tid;
}

TcpSink::TcpSink()
{
    m_report.protocol = "tcp";
}

void
TcpSink::DoDispose()
{
    NS_LOG_FUNCTION(this);
    TransferApplication::DoDispose();
    if (m_queue)
    {
        m_queue->Dispose();
        m_queue = nullptr;
    }
    m_hostCost = nullptr;
}

void
TcpSink::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    TcpSinkBase::CancelEvents();
    for (const auto& [id, connection] : m_connections)
    {
        AbandonSocket(connection.socket, !IsBeingDisposed());
    }
    m_connections.clear();
    m_ready.clear();
    if (m_queue)
    {
        m_queue->Clear();
    }
}

void
TcpSink::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_queue = CreateObject<HostQueue>();
    m_queue->SetCost(m_hostCost);
    m_queue->SetDeliver(MakeCallback(&TcpSink::HandleServed, this));
    TcpSinkBase::StartApplication();
}

void
TcpSink::OnConnection(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const ConnectionId id = m_nextId++;
    UintegerValue bufferBytes;
    socket->GetAttribute("RcvBufSize", bufferBytes);
    NS_LOG_INFO("connection " << id << " is accepted, receive buffer " << bufferBytes.Get()
                              << " B");
    Connection& connection = m_connections[id];
    connection.socket = socket;
    socket->GetPeerName(connection.peer);
    connection.bufferBytes = static_cast<uint32_t>(bufferBytes.Get());
    socket->SetRecvCallback(MakeCallback(&TcpSink::HandleRead, this, id));
    socket->SetCloseCallbacks(MakeCallback(&TcpSink::HandleClose, this, id),
                              MakeCallback(&TcpSink::HandleClose, this, id));
}

void
TcpSink::HandleRead(ConnectionId id, Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this << id);
    if (!m_hostCost)
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
    if (m_queue->IsIdle())
    {
        ReadNext();
    }
}

void
TcpSink::ReadAll(ConnectionId id)
{
    // Looked up anew for every piece, since a trace may end everything.
    for (auto found = m_connections.find(id); found != m_connections.end();
         found = m_connections.find(id))
    {
        Connection& connection = found->second;
        const auto packet = connection.socket->Recv(READ_BYTES, 0);
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        const uint64_t offset = connection.offset;
        connection.offset += packet->GetSize();
        Receive(packet);
        Deliver(offset, packet);
    }
}

void
TcpSink::ReadNext()
{
    while (!m_ready.empty())
    {
        const ConnectionId id = m_ready.front();
        m_ready.pop_front();
        const auto found = m_connections.find(id);
        if (found == m_connections.end())
        {
            continue;
        }
        Connection& connection = found->second;
        connection.isQueued = false;
        const uint32_t room = GetRoom(connection.bufferBytes, connection.socket);
        connection.hasNarrowWindow = connection.hasNarrowWindow || room < m_readSize;
        const auto packet = connection.socket->Recv(m_readSize, 0);
        if (!packet || packet->GetSize() == 0)
        {
            continue;
        }
        m_servedOffset = connection.offset;
        connection.offset += packet->GetSize();
        UpdateWindow(connection);
        if (connection.socket->GetRxAvailable() > 0)
        {
            connection.isQueued = true;
            m_ready.push_back(id);
        }
        Receive(packet);
        if (!IsFinished())
        {
            m_queue->Arrive(packet, Address());
            CloseIfDrained(id);
        }
        return;
    }
}

void
TcpSink::UpdateWindow(Connection& connection) const
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

void
TcpSink::HandleServed(Ptr<Packet> packet, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << packet);
    Deliver(m_servedOffset, packet);
    ReadNext();
}

void
TcpSink::Receive(Ptr<const Packet> packet)
{
    Begin();
    ++m_report.dataPackets;
    m_report.offeredBytes += packet->GetSize();
    m_rxTrace(packet);
}

void
TcpSink::Deliver(uint64_t offset, Ptr<const Packet> packet)
{
    if (m_checkContent && !PatternPayload::Matches(offset, packet))
    {
        m_report.lostBytes += packet->GetSize();
        DropPacket(packet, DropReason::CORRUPT);
        return;
    }
    m_report.deliveredBytes += packet->GetSize();
    m_report.lastDelivery = Simulator::Now();
    m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
}

void
TcpSink::HandleClose(ConnectionId id, Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this << id);
    const auto found = m_connections.find(id);
    if (found != m_connections.end())
    {
        found->second.isClosing = true;
        CloseIfDrained(id);
    }
}

void
TcpSink::CloseIfDrained(ConnectionId id)
{
    const auto found = m_connections.find(id);
    if (found == m_connections.end() || !found->second.isClosing ||
        found->second.socket->GetRxAvailable() > 0)
    {
        return;
    }
    NS_LOG_INFO("connection " << id << " ends after " << found->second.offset << " B");
    // Not at once: the socket may be in the midst of the peer's last segment.
    Simulator::ScheduleNow(&AbandonSocket, found->second.socket, true);
    const auto [peer, bytes] = std::pair(found->second.peer, found->second.offset);
    m_connections.erase(found);
    m_endedTrace(peer, bytes);
}

} // namespace ns3::lfn
