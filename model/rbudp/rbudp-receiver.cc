// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-receiver.h"

#include "rbudp-header.h"

#include "ns3/lfn-make-socket.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RbudpReceiver");

namespace
{

/// What a datagram takes of a buffer at least, B: a system keeps a record of it next to the
/// content.
constexpr uint32_t LEAST_HELD = 256;

} // namespace

RbudpReceiver::RbudpReceiver()
    : m_tcpControl(CreateObject<RbudpTcpControl>())
{
    m_report.protocol = "rbudp";
}

void
RbudpReceiver::SetDeliver(DeliverCallback deliver)
{
    NS_LOG_FUNCTION(this);
    m_deliver = deliver;
}

void
RbudpReceiver::DoDispose()
{
    NS_LOG_FUNCTION(this);
    TransferApplication::DoDispose();
    m_tcpControl->Dispose();
}

void
RbudpReceiver::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (IsFinished())
    {
        return;
    }
    m_peer = UdpEndpoint::WithPort(m_remote, m_peerUdpPort > 0 ? m_peerUdpPort : m_udpPort);
    m_udp = UdpEndpoint::Open(GetNode(), m_peer, m_udpPort, m_socketBuffer);
    SetTos(m_udp, m_tos);
    if (!m_udp)
    {
        Fail(m_peer.IsInvalid()
                 ? "Remote is not set to the sender's IPv4 or IPv6 address"
                 : "UDP port " + std::to_string(m_udpPort) + " is in use: set UdpPort");
        return;
    }
    if (m_wire == RbudpWire::TOOLS && !ExpectUnannounced())
    {
        return;
    }
    m_udp->SetRecvCallback(MakeCallback(&RbudpReceiver::OnDatagrams, this));
    StartHost(MakeCallback(&RbudpReceiver::GetWork, this),
              MakeCallback(&RbudpReceiver::OnDatagram, this));
    m_lastActivity = Simulator::Now();
    m_activityTimer = Simulator::Schedule(m_controlTimeout, &RbudpReceiver::CheckActivity, this);
    const auto connected = MakeCallback(&RbudpReceiver::OnConnected, this);
    const auto tcp = GetTcpControl();
    m_control = tcp ? Ptr<RbudpControlChannel>(tcp) : m_idealControl->JoinReceiver(connected);
    m_control->SetCallbacks(MakeCallback(&RbudpReceiver::OnControl, this),
                            MakeCallback(&RbudpReceiver::OnControlClosed, this));
    if (tcp)
    {
        tcp->SetTos(m_tos);
        tcp->Connect(GetNode(),
                     UdpEndpoint::WithPort(m_remote, m_controlPort),
                     m_socketBuffer,
                     m_connectTimeout,
                     connected);
    }
}

void
RbudpReceiver::OnConnected()
{
    NS_LOG_FUNCTION(this);
    NS_LOG_INFO("the control channel to the sender is open");
    if (!m_fileName.empty() && m_control)
    {
        const auto message = RbudpFileRequest{m_fileName}.Write();
        m_report.controlPackets++;
        m_messageTrace(RbudpMessageKind::REQUEST, true, 0, message.size());
        m_control->Send(message);
    }
}

void
RbudpReceiver::OnControl(std::span<const uint8_t> bytes)
{
    NS_LOG_FUNCTION(this << bytes.size());
    m_lastActivity = Simulator::Now();
    m_inbox.insert(m_inbox.end(), bytes.begin(), bytes.end());
    while (!m_inbox.empty() && !IsFinished())
    {
        if (m_done)
        {
            // Not before its DONE is answered: nor could what is waiting be bounded.
            RefuseControl(m_inbox, DropReason::UNEXPECTED);
            return;
        }
        const bool idle = m_core.GetState() == RbudpReceiverCore::State::IDLE;
        if (idle && m_wire == RbudpWire::TOOLS)
        {
            RefuseControl(m_inbox, DropReason::UNEXPECTED); // there is one payload
            return;
        }
        const std::size_t size = idle ? RbudpAnnouncement::SIZE : RbudpDone::SIZE;
        if (m_inbox.size() < size)
        {
            return;
        }
        const auto end = m_inbox.begin() + static_cast<std::ptrdiff_t>(size);
        const std::vector<uint8_t> message(m_inbox.begin(), end);
        m_inbox.erase(m_inbox.begin(), end);
        if (!(idle ? OnAnnouncement(message) : OnDone(message)))
        {
            RefuseControl(message, DropReason::MALFORMED);
        }
    }
}

void
RbudpReceiver::RefuseControl(std::span<const uint8_t> bytes, DropReason reason)
{
    NS_LOG_LOGIC("a control message of " << bytes.size() << " B is refused: " << reason);
    DropPacket(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())), reason);
    Fail(reason == DropReason::MALFORMED ? "the sender's control message is malformed"
                                         : "the sender sent a control message out of turn");
}

bool
RbudpReceiver::OnAnnouncement(std::span<const uint8_t> message)
{
    const auto announcement = RbudpAnnouncement::Read(message);
    if (!announcement)
    {
        return false;
    }
    m_messageTrace(RbudpMessageKind::SIZE, false, 0, message.size());
    if (announcement->bytes == 0)
    {
        Fail("the sender has no file of that name");
        return true;
    }
    if (announcement->GetDatagrams() > m_maxDatagrams)
    {
        Fail("the payload has more than MaxDatagrams datagrams");
        return true;
    }
    NS_LOG_INFO("a payload of " << announcement->bytes << " B in " << announcement->GetDatagrams()
                                << " datagrams is announced, " << m_held.size()
                                << " datagrams came before it");
    Begin();
    m_duplicates += m_core.GetCounters().duplicatePackets;
    m_unpredicted += m_core.GetCounters().unpredictedPackets;
    m_receivedBefore += m_core.GetPayload().bytes;
    m_report.offeredBytes += announcement->bytes;
    if (!m_core.OnAnnouncement(*announcement))
    {
        return false;
    }
    ReadHeld();
    return true;
}

bool
RbudpReceiver::OnDone(std::span<const uint8_t> message)
{
    m_done = RbudpDone::Read(message, m_wire);
    if (!m_done)
    {
        return false;
    }
    m_messageTrace(RbudpMessageKind::DONE, false, m_done->round, message.size());
    NS_LOG_LOGIC("DONE of round " << m_done->round << " has arrived, waiting for the host: "
                                  << (m_host && !m_host->IsIdle()));
    // What has arrived is read before DONE is looked at.
    if (!m_host || m_host->IsIdle())
    {
        Acknowledge();
    }
    return true;
}

void
RbudpReceiver::Acknowledge()
{
    const auto done = *m_done;
    m_done.reset();
    const auto ack = m_core.OnDone(done);
    if (!ack)
    {
        Fail("the sender's DONE is of round " + std::to_string(done.round) + ", not the next one");
        return;
    }
    NS_LOG_INFO("bitmap of round " << done.round << ", " << ack->size()
                                   << " B, is sent; complete: " << m_core.IsComplete());
    m_report.controlPackets++;
    m_messageTrace(RbudpMessageKind::ACK, true, done.round, ack->size());
    m_control->Send(*ack);
}

void
RbudpReceiver::OnControlClosed(const std::string& error)
{
    NS_LOG_FUNCTION(this << error);
    if (!error.empty())
    {
        Fail(error);
    }
    else if (m_core.GetState() == RbudpReceiverCore::State::RECEIVING)
    {
        Fail("the sender closed the control connection before the payload was complete");
    }
    else if (!m_report.started)
    {
        // A sender that failed, or that serves another receiver, closes like this.
        Fail("the sender closed the control connection before it announced a payload");
    }
    else
    {
        Complete(); // the stream ends with the connection
    }
}

void
RbudpReceiver::OnDatagrams(Ptr<Socket> socket)
{
    Address from;
    while (const auto packet = socket->RecvFrom(from))
    {
        if (from != m_peer)
        {
            DropPacket(packet, DropReason::UNKNOWN_PEER);
            continue; // no sign of life from the sender
        }
        m_lastActivity = Simulator::Now();
        if (m_core.GetState() == RbudpReceiverCore::State::IDLE)
        {
            Hold(packet);
        }
        else
        {
            Read(packet);
        }
    }
}

void
RbudpReceiver::Hold(Ptr<Packet> packet)
{
    const uint64_t buffer = m_hostCost ? m_hostCost->GetBufferSize() : m_socketBuffer;
    const auto bytes = std::max(packet->GetSize(), LEAST_HELD);
    NS_LOG_LOGIC("a datagram arrived before the announcement; held " << m_heldBytes << " B of "
                                                                     << buffer << " B");
    if (m_heldBytes + bytes > buffer)
    {
        DropPacket(packet, DropReason::BUFFER_FULL);
        return;
    }
    m_heldBytes += bytes;
    m_heldPackets++;
    m_held.push_back(packet);
}

void
RbudpReceiver::ReadHeld()
{
    m_heldBytes = 0;
    for (const auto& packet : std::exchange(m_held, {}))
    {
        Read(packet);
    }
}

void
RbudpReceiver::Read(Ptr<Packet> packet)
{
    if (!m_host)
    {
        OnDatagram(packet, m_peer);
    }
    else if (!m_host->Arrive(packet, m_peer))
    {
        DropPacket(packet, DropReason::BUFFER_FULL);
    }
}

HostWork
RbudpReceiver::GetWork(Ptr<const Packet> packet)
{
    const auto bytes =
        packet->GetSize() - std::min<uint32_t>(packet->GetSize(), RbudpDataHeader::SIZE);
    auto work = m_hostCost->GetWork(bytes, m_model != Model::FAKE);
    RbudpDataHeader header;
    if (m_model == Model::FAKE || packet->PeekHeader(header) != RbudpDataHeader::SIZE)
    {
        return work;
    }
    const auto sequence = RbudpNumber(header.sequence, m_wire);
    const auto& payload = m_core.GetPayload();
    work.offset =
        m_receivedBefore + uint64_t{sequence - payload.firstSequence} * payload.payloadSize;
    // A datagram read to the wrong place has to be moved after all.
    const bool isPredicted = m_core.Predict(sequence);
    if (m_model == Model::SCATTER_GATHER && isPredicted)
    {
        work.time = Time::FromDouble(work.time.ToDouble(Time::S) / m_scatterGatherGain, Time::S);
    }
    return work;
}

void
RbudpReceiver::OnDatagram(Ptr<Packet> packet, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << packet << packet->GetSize());
    if (IsFinished())
    {
        return;
    }
    m_rxTrace(packet);
    RbudpDataHeader header;
    if (packet->GetSize() <= RbudpDataHeader::SIZE)
    {
        DropPacket(packet, DropReason::MALFORMED);
    }
    else
    {
        packet->RemoveHeader(header);
        if (m_wire == RbudpWire::TOOLS)
        {
            Begin(); // else the announcement was the first to come
        }
        const auto place =
            m_core.OnDatagram(RbudpNumber(header.sequence, m_wire), packet->GetSize());
        const auto offset = m_receivedBefore + place.offset;
        if (place.refused)
        {
            NS_LOG_LOGIC("datagram " << header.sequence << " is refused: " << *place.refused);
            DropPacket(packet, *place.refused);
        }
        else if (m_checkContent && !PatternPayload::Matches(offset, packet))
        {
            DropPacket(packet, DropReason::CORRUPT);
            Fail("the content differs at byte " + std::to_string(offset) + " or soon after");
            return;
        }
        else
        {
            m_report.deliveredBytes += packet->GetSize();
            m_report.lastDelivery = Simulator::Now();
            if (m_model != Model::FAKE && !m_deliver.IsNull())
            {
                m_deliver(offset, packet);
            }
            m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
            if (m_core.IsComplete())
            {
                NS_LOG_INFO("payload " << m_payloadIndex << " has arrived in full after "
                                       << m_core.GetCounters().rounds << " bitmaps");
                m_payloadTrace(m_payloadIndex++, m_core.GetPayload().bytes);
            }
        }
    }
    if (m_done && (!m_host || m_host->IsIdle()))
    {
        Acknowledge();
    }
}

bool
RbudpReceiver::ExpectUnannounced()
{
    const RbudpAnnouncement payload{m_bytes, m_payloadSize, 0};
    if (m_bytes == 0 || payload.GetDatagrams() > m_maxDatagrams)
    {
        Fail(m_bytes == 0 ? "Wire is Tools, which announce nothing: set Bytes"
                          : "the payload has more than MaxDatagrams datagrams");
        return false;
    }
    m_report.offeredBytes += m_bytes;
    return m_core.OnAnnouncement(payload);
}

void
RbudpReceiver::CheckActivity()
{
    const Time silence = Simulator::Now() - m_lastActivity;
    NS_LOG_DEBUG("the last packet from the sender is " << silence.As(Time::S) << " old");
    if (silence >= m_controlTimeout)
    {
        Fail("nothing came from the sender within ControlTimeout");
        return;
    }
    m_activityTimer =
        Simulator::Schedule(m_controlTimeout - silence, &RbudpReceiver::CheckActivity, this);
}

void
RbudpReceiver::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_activityTimer.Cancel();
    m_heldBytes = 0;
    for (const auto& packet : std::exchange(m_held, {}))
    {
        if (!IsBeingDisposed()) // else any host that listens may be gone
        {
            DropPacket(packet, DropReason::UNANNOUNCED);
        }
    }
    if (m_control)
    {
        m_control->End(IsBeingDisposed());
        m_control = nullptr;
    }
    UdpEndpoint::Close(m_udp);
}

} // namespace ns3::lfn
