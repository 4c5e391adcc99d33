// SPDX-License-Identifier: GPL-2.0-only
#include "udt-sink.h"

#include "ns3/inet6-socket-address.h"
#include "ns3/lfn-listen-address.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("UdtSink");

namespace
{

/** @brief Say whether a datagram is a control packet. */
bool
IsControl(Ptr<const Packet> packet)
{
    uint8_t first = 0;
    return packet->CopyData(&first, 1) == 1 && (first & 0x80) != 0;
}

} // namespace

bool
UdtSink::IsEndless() const
{
    return true;
}

void
UdtSink::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (IsFinished())
    {
        return;
    }
    StartHost(MakeCallback(&UdtSink::GetWork, this), MakeCallback(&UdtSink::OnDatagram, this));
    UdtHandshake own;
    own.mss = m_mss;
    own.socketType = m_messages ? UdtHandshake::DATAGRAM : UdtHandshake::STREAM;
    own.window = std::min(m_settings.buffer, m_flightFlag);
    m_listener.emplace(own, m_random->GetInteger(0, UINT32_MAX - 1));
    m_nextId = m_random->GetInteger(1, UDT_SEQUENCES - 1);
    if (const auto failure = OpenPorts(); !failure.empty())
    {
        Fail(failure);
        return;
    }
    if (!m_peer.IsInvalid())
    {
        Meet(own);
    }
}

void
UdtSink::Meet(UdtHandshake own)
{
    NS_LOG_FUNCTION(this << m_peer);
    const auto isAddress = UdpEndpoint::GetPort(m_peer).has_value();
    const auto port = isAddress ? FindPort(m_peer) : nullptr;
    if (!port)
    {
        Fail(isAddress ? "Peer has another version of IP than Local"
                       : "Peer is not the source's IPv4 or IPv6 socket address");
        return;
    }
    while (!port->Add(m_nextId, MakeCallback(&UdtSink::OnArrival, this)))
    {
        m_nextId = m_random->GetInteger(1, UDT_SEQUENCES - 1);
    }
    own.initialSequence = m_random->GetInteger(0, UDT_SEQUENCES - 2);
    own.socketId = m_nextId;
    own.address = UdtAddressWords(m_peer);
    m_rendezvous.emplace(own, Simulator::Now(), UdpEndpoint::GetHeaderBytes(m_peer));
    SendRequest();
}

void
UdtSink::SendRequest()
{
    NS_LOG_FUNCTION(this);
    const Time now = Simulator::Now();
    const auto request = m_rendezvous->Request(now);
    if (!request)
    {
        Fail("the source did not come to the rendezvous: set its Rendezvous and LocalPort");
        return;
    }
    SendControl(*request, m_peer);
    m_requestEvent = Simulator::Schedule(m_rendezvous->GetNextRequest().value_or(now) - now,
                                         &UdtSink::SendRequest,
                                         this);
}

bool
UdtSink::OnRendezvous(const Address& from, const UdtHandshake& request)
{
    NS_LOG_FUNCTION(this << from << request.request);
    const Time now = Simulator::Now();
    const bool wasConnected = m_rendezvous->GetState() == UdtRendezvous::State::CONNECTED;
    if (from != m_peer || (request.destination != 0 && request.destination != m_nextId))
    {
        return false;
    }
    m_controlTrace(request, false);
    const auto reply = m_rendezvous->OnHandshake(now, request);
    const bool isConnected = m_rendezvous->GetState() == UdtRendezvous::State::CONNECTED;
    if (isConnected && !wasConnected)
    {
        m_requestEvent.Cancel();
        FindPort(m_peer)->Remove(m_nextId); // the connection's from now on
        Accept(m_peer, m_rendezvous->GetPeer(), m_rendezvous->GetPeer().mss);
    }
    if (reply)
    {
        SendControl(*reply, m_peer);
    }
    if (!isConnected && m_rendezvous->GetNextRequest() == now)
    {
        m_requestEvent.Cancel();
        SendRequest();
        return true;
    }
    return reply || isConnected != wasConnected;
}

std::string
UdtSink::OpenPorts()
{
    const auto addresses = MakeListenAddresses(m_local, m_port);
    for (const auto& address : addresses)
    {
        std::string failure;
        const auto port = UdtPort::Open(GetNode(), address, failure);
        if (!port)
        {
            return failure;
        }
        if (!port->Add(0, MakeCallback(&UdtSink::OnArrival, this)))
        {
            return "UDP port " + std::to_string(*UdpEndpoint::GetPort(address)) +
                   " has a UdtSink already: set Port";
        }
        m_ports.push_back(port);
    }
    return addresses.empty() ? "Local is no IP address" : "";
}

Ptr<UdtPort>
UdtSink::FindPort(const Address& peer) const
{
    const bool isIpv6 = Inet6SocketAddress::IsMatchingType(peer);
    const auto found = std::ranges::find(m_ports, isIpv6, &UdtPort::IsIpv6);
    return found != m_ports.end() ? *found : nullptr;
}

void
UdtSink::OnArrival(Ptr<Packet> packet, const Address& from)
{
    NS_LOG_FUNCTION(this << packet << from);
    if (!m_host)
    {
        OnDatagram(packet, from);
    }
    else if (!m_host->Arrive(packet, from))
    {
        DropPacket(packet, DropReason::BUFFER_FULL);
    }
}

HostWork
UdtSink::GetWork(Ptr<const Packet> packet)
{
    auto work = m_hostCost->GetWork(packet->GetSize(), !IsControl(packet));
    work.storedBytes -= std::min(work.storedBytes, UDT_HEADER_SIZE);
    return work;
}

void
UdtSink::OnDatagram(Ptr<Packet> packet, const Address& from)
{
    NS_LOG_FUNCTION(this << packet << from);
    if (IsFinished())
    {
        return;
    }
    UdtPacketHeader header;
    if (packet->PeekHeader(header) == 0)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    const auto& content = header.GetPacket();
    if (const auto* request = std::get_if<UdtHandshake>(&content))
    {
        if (m_rendezvous)
        {
            if (!OnRendezvous(from, *request))
            {
                DropPacket(packet, DropReason::UNEXPECTED);
            }
            return;
        }
        OnRequest(packet, from, *request);
        return;
    }
    const auto known = m_connections.find(GetUdtDestination(content));
    if (known == m_connections.end() || known->second->peer != from)
    {
        DropPacket(packet, DropReason::UNKNOWN_PEER);
        return;
    }
    auto& connection = *known->second;
    if (const auto* data = std::get_if<UdtData>(&content))
    {
        m_rxTrace(packet);
        packet->RemoveAtStart(UDT_HEADER_SIZE);
        OnData(connection, packet, *data);
        return;
    }
    NS_LOG_DEBUG("arrives: " << content);
    m_controlTrace(content, false);
    const auto* drop = std::get_if<UdtDrop>(&content);
    if (drop && m_messages)
    {
        if (const auto gone = connection.core.OnDrop(Simulator::Now(), *drop))
        {
            NS_LOG_LOGIC("message " << drop->message << " is given up");
            connection.messages.Drop(gone->first, gone->second);
        }
        Settle(connection);
        return;
    }
    const auto* signal = std::get_if<UdtSignal>(&content);
    if (!signal)
    {
        DropPacket(packet, DropReason::UNEXPECTED);
        return;
    }
    if (signal->type == UdtType::SHUTDOWN)
    {
        NS_LOG_INFO("the source " << from << " has closed connection " << connection.id);
        Close(connection);
        return;
    }
    connection.core.OnSignal(Simulator::Now(), *signal);
    Settle(connection);
}

void
UdtSink::OnRequest(Ptr<const Packet> packet, const Address& from, const UdtHandshake& request)
{
    const auto outcome = m_listener->OnHandshake(Simulator::Now(),
                                                 HashUdtAddress(from),
                                                 request,
                                                 UdpEndpoint::GetHeaderBytes(from));
    if (!outcome.reply || request.destination != 0)
    {
        DropPacket(packet, DropReason::UNEXPECTED);
        return;
    }
    m_controlTrace(request, false);
    auto reply = *outcome.reply;
    if (outcome.isAccepted)
    {
        const auto* connection = Accept(from, request, reply.mss);
        if (connection)
        {
            reply.socketId = connection->id;
            reply.address = UdtAddressWords(from);
        }
        else
        {
            NS_LOG_LOGIC("a connection of " << from << " is refused, there are "
                                            << m_connections.size());
            reply = request;
            reply.destination = request.socketId;
            reply.request = UdtHandshake::REFUSED;
        }
    }
    SendControl(reply, from);
}

UdtSink::Connection*
UdtSink::Accept(const Address& from, const UdtHandshake& request, uint32_t mss)
{
    const auto known = std::ranges::find_if(m_connections, [&](const auto& entry) {
        const auto& [id, connection] = entry;
        return connection->peer == from && connection->request.socketId == request.socketId &&
               connection->request.initialSequence == request.initialSequence;
    });
    if (known != m_connections.end())
    {
        return known->second.get();
    }
    if (m_connections.size() >= m_maxConnections)
    {
        return nullptr;
    }
    const auto port = FindPort(from);
    if (!port)
    {
        return nullptr;
    }
    const auto receiver = MakeCallback(&UdtSink::OnArrival, this);
    while (m_connections.contains(m_nextId) || !port->Add(m_nextId, receiver)) // 0 is the sink's
    {
        m_nextId = (m_nextId + UDT_SEQUENCES - 1) % UDT_SEQUENCES; // UDT4 counts down
    }
    auto connection = std::make_unique<Connection>();
    connection->peer = from;
    connection->request = request;
    connection->id = m_nextId;
    connection->payloadSize = mss - UdpEndpoint::GetHeaderBytes(from) - UDT_HEADER_SIZE;
    auto settings = GetSettings().receiver;
    settings.payloadSize = connection->payloadSize;
    connection->core = UdtReceiverCore(settings, request, Simulator::Now());
    NS_LOG_INFO("connection " << connection->id << " of " << from << ": " << connection->payloadSize
                              << " B per packet, initial sequence "
                              << "number " << request.initialSequence);
    auto& place = m_connections[m_nextId];
    place = std::move(connection);
    Settle(*place);
    return place.get();
}

void
UdtSink::OnData(Connection& connection, Ptr<Packet> packet, const UdtData& header)
{
    const auto bytes = packet->GetSize();
    if (bytes == 0 || bytes > connection.payloadSize)
    {
        DropPacket(packet, DropReason::WRONG_LENGTH);
        return;
    }
    Begin();
    ++m_report.dataPackets;
    const auto arrival = connection.core.OnData(Simulator::Now(), header, bytes);
    if (arrival.refused)
    {
        DropPacket(packet, *arrival.refused);
    }
    else
    {
        m_report.offeredBytes += bytes;
        if (m_messages)
        {
            connection.messages.Put(arrival.index, header, bytes);
            if (m_checkContent)
            {
                connection.contents[arrival.index] = packet;
            }
        }
        else
        {
            connection.buffer.Put(arrival.index, {bytes, m_checkContent ? packet : nullptr});
        }
    }
    Settle(connection);
}

bool
UdtSink::Deliver(Connection& connection)
{
    const auto readable = connection.core.GetReadable();
    const auto before = connection.delivered;
    while (connection.buffer.GetNext() < readable)
    {
        const auto item = connection.buffer.Take();
        if (item.content && !PatternPayload::Matches(connection.delivered, item.content))
        {
            DropPacket(item.content, DropReason::CORRUPT);
            Fail("the content from byte " + std::to_string(connection.delivered) +
                 " on is not what was sent");
            return false;
        }
        connection.delivered += item.bytes;
    }
    if (connection.delivered > before)
    {
        connection.core.SetRead(readable);
        ReportDelivery(connection, connection.delivered - before);
    }
    return !IsFinished(); // the one who listens may have stopped the sink
}

void
UdtSink::ReportDelivery(Connection& connection, uint64_t bytes)
{
    m_report.deliveredBytes += bytes;
    m_report.lastDelivery = Simulator::Now();
    m_deliveredTrace(connection.id, connection.delivered - bytes, bytes);
    m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
}

bool
UdtSink::DeliverMessages(Connection& connection)
{
    const auto readable = connection.core.GetReadable();
    while (const auto message = connection.messages.Take(readable))
    {
        if (m_checkContent && !CheckMessage(connection, *message))
        {
            Fail("the content of message " + std::to_string(message->number) +
                 " is not what was sent");
            return false;
        }
        connection.delivered += message->bytes;
        m_messageTrace(connection.id, message->number, message->bytes);
        ReportDelivery(connection, message->bytes);
        if (IsFinished())
        {
            return false; // the one who listens may have stopped the sink
        }
    }
    const auto next = connection.messages.GetNext();
    connection.core.SetRead(next);
    connection.contents.erase(connection.contents.begin(), connection.contents.lower_bound(next));
    return true;
}

bool
UdtSink::CheckMessage(Connection& connection, const UdtMessageBuffer::Message& message)
{
    uint64_t place = 0;
    for (auto index = message.first; index <= message.last; ++index)
    {
        const auto content = connection.contents[index];
        if (!content || !PatternPayload::Matches(place, content))
        {
            return false;
        }
        place += content->GetSize();
        connection.contents.erase(index);
    }
    return true;
}

void
UdtSink::Settle(Connection& connection)
{
    for (const auto& reply : connection.core.TakeReplies())
    {
        SendControl(reply, connection.peer);
    }
    if (m_messages ? !DeliverMessages(connection) : !Deliver(connection))
    {
        return;
    }
    const Time now = Simulator::Now();
    const Time due = std::max(connection.core.GetNextCheck(), now);
    if (!connection.checkEvent.IsPending() || due < connection.checkTime)
    {
        connection.checkEvent.Cancel();
        connection.checkTime = due;
        connection.checkEvent =
            Simulator::Schedule(due - now, &UdtSink::OnCheck, this, connection.id);
    }
}

void
UdtSink::OnCheck(uint32_t id)
{
    auto& connection = *m_connections.at(id);
    const Time now = Simulator::Now();
    const bool isDue = now >= connection.core.GetNextCheck();
    if (isDue && !connection.core.OnCheck(now))
    {
        NS_LOG_INFO("the source " << connection.peer << " of connection " << id
                                  << " is silent for too long");
        Close(connection);
        return;
    }
    Settle(connection);
}

void
UdtSink::SendControl(const UdtPacket& packet, const Address& to)
{
    NS_LOG_DEBUG("sends to " << to << ": " << packet);
    const auto datagram = Create<Packet>();
    datagram->AddHeader(UdtPacketHeader(packet));
    ++m_report.controlPackets;
    m_controlTrace(packet, true);
    if (const auto port = FindPort(to))
    {
        port->Send(datagram, to, m_tos);
    }
}

void
UdtSink::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_requestEvent.Cancel();
    const auto port = FindPort(m_peer);
    if (port && m_rendezvous && m_connections.empty())
    {
        port->Remove(m_nextId);
    }
    while (!m_connections.empty())
    {
        auto& connection = *m_connections.begin()->second;
        if (!IsBeingDisposed())
        {
            SendControl(UdtSignal{UdtType::SHUTDOWN, 0, connection.request.socketId},
                        connection.peer);
        }
        Close(connection);
    }
    for (const auto& open : std::exchange(m_ports, {}))
    {
        open->Remove(0);
    }
}

} // namespace ns3::lfn
