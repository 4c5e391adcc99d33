// SPDX-License-Identifier: GPL-2.0-only
#include "udt-source.h"

#include "udt-blast-control.h"

#include "ns3/inet6-socket-address.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("UdtSource");

namespace
{

constexpr uint64_t ENDLESS = 1ULL << 62;    // what a source without a size sends, B
constexpr uint32_t PACKETS_PER_WRITE = 100; // unless WriteSize says otherwise

} // namespace

bool
UdtSource::IsEndless() const
{
    return m_bytes == 0;
}

void
UdtSource::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (IsFinished())
    {
        return;
    }
    m_report.offeredBytes = m_bytes;
    m_setUp.ipHeaders = UdpEndpoint::GetHeaderBytes(m_remote);
    if (m_meets && m_localPort == 0)
    {
        Fail("LocalPort is 0: with Rendezvous set it, and the sink's Peer to it");
        return;
    }
    if (!UdpEndpoint::GetPort(m_remote))
    {
        Fail("Remote is not set to the sink's IPv4 or IPv6 socket address");
        return;
    }
    if (!OpenPort())
    {
        Fail("UDP port " + std::to_string(m_localPort) +
             (m_port ? " has an end that takes requests" : " is in use") + ": set LocalPort");
        return;
    }
    if (const auto problem = CheckMtu(); !problem.empty())
    {
        Fail(problem);
        return;
    }
    if (m_congestion == Congestion::BLAST && m_blastRate.GetBitRate() == 0)
    {
        Fail("BlastRate is 0: give a rate above 0 bit/s");
        return;
    }
    m_gate = HostSendGate(m_hostCost);
    m_opened = Simulator::Now();
    UdtHandshake own;
    m_initialSequence = m_initial->GetInteger(0, UDT_SEQUENCES - 2);
    own.initialSequence = m_initialSequence;
    own.mss = m_settings.mss;
    own.window = m_settings.sendBuffer;
    own.socketId = m_id;
    own.address = UdtAddressWords(m_remote);
    own.socketType = m_messages ? UdtHandshake::DATAGRAM : UdtHandshake::STREAM;
    NS_LOG_INFO("requests a connection to " << m_remote << ", socket ID " << m_id
                                            << ", initial sequence number " << own.initialSequence);
    if (m_meets)
    {
        m_rendezvous.emplace(own, m_opened, m_setUp.ipHeaders);
    }
    else
    {
        m_connector.emplace(own, m_opened, m_setUp);
    }
    SendRequest();
}

bool
UdtSource::OpenPort()
{
    const bool isIpv6 = Inet6SocketAddress::IsMatchingType(m_remote);
    const auto any = isIpv6 ? Address(Ipv6Address::GetAny()) : Address(Ipv4Address::GetAny());
    std::string failure;
    m_port = UdtPort::Open(GetNode(), UdpEndpoint::WithPort(any, m_localPort), failure);
    if (!m_port)
    {
        return false;
    }
    const auto receiver = MakeCallback(&UdtSource::OnDatagram, this);
    if (m_meets && !m_port->Add(0, receiver)) // to which the first request of the sink goes
    {
        return false;
    }
    do
    {
        m_id = m_random->GetInteger(1, UDT_SEQUENCES - 1);
    } while (!m_port->Add(m_id, receiver));
    return true;
}

std::string
UdtSource::CheckMtu() const
{
    const auto mtu = UdpEndpoint::FindMtu(GetNode(), m_remote);
    if (m_allowFragmentation || !mtu || m_settings.mss <= *mtu)
    {
        return "";
    }
    return "Mss is " + std::to_string(m_settings.mss) + " B and the link's MTU " +
           std::to_string(*mtu) + " B: lower Mss, or set AllowFragmentation";
}

void
UdtSource::SendRequest()
{
    NS_LOG_FUNCTION(this);
    const Time now = Simulator::Now();
    const auto request = m_meets ? m_rendezvous->Request(now) : m_connector->Request(now);
    if (!request)
    {
        Fail(m_meets ? "the sink did not come to the rendezvous: set its Peer"
                     : "no answer from the sink within ConnectTimeout");
        return;
    }
    SendControl(*request);
    const auto next = m_meets ? m_rendezvous->GetNextRequest() : m_connector->GetNextRequest();
    m_requestEvent = Simulator::Schedule(next.value_or(now) - now, &UdtSource::SendRequest, this);
}

void
UdtSource::OnDatagram(Ptr<Packet> packet, const Address& from)
{
    if (from != m_remote)
    {
        DropPacket(packet, DropReason::UNKNOWN_PEER);
        return;
    }
    UdtPacketHeader header;
    if (packet->PeekHeader(header) == 0)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    const auto& content = header.GetPacket();
    NS_LOG_DEBUG("arrives: " << content);
    const auto id = GetUdtDestination(content);
    const auto* handshake = std::get_if<UdtHandshake>(&content);
    if (id != m_id && !(m_meets && handshake && id == 0))
    {
        DropPacket(packet, DropReason::UNKNOWN_PEER);
        return;
    }
    const bool isData = std::holds_alternative<UdtData>(content);
    if (handshake && (m_meets || !m_connected))
    {
        m_controlTrace(content, false);
        if (!OnHandshake(*handshake))
        {
            DropPacket(packet, DropReason::UNEXPECTED);
        }
        return;
    }
    if (!m_connected || handshake || isData)
    {
        DropPacket(packet, DropReason::UNEXPECTED);
        return;
    }
    m_controlTrace(content, false);
    if (const auto* signal = std::get_if<UdtSignal>(&content);
        signal && signal->type == UdtType::SHUTDOWN)
    {
        Fail("the sink has closed the connection");
        return;
    }
    if (!m_core.OnPacket(Simulator::Now(), content))
    {
        DropPacket(packet, DropReason::OUT_OF_RANGE);
    }
    Settle();
}

bool
UdtSource::OnHandshake(const UdtHandshake& handshake)
{
    if (m_meets)
    {
        return OnRendezvous(handshake);
    }
    if (!m_connector->OnHandshake(Simulator::Now(), handshake))
    {
        return false;
    }
    switch (m_connector->GetState())
    {
    case UdtConnector::State::REFUSED:
        Fail("the sink has refused the connection");
        break;
    case UdtConnector::State::CONNECTED:
        OnConnected(m_connector->GetAnswer());
        break;
    default:
        m_requestEvent.Cancel();
        SendRequest();
        break;
    }
    return true;
}

bool
UdtSource::OnRendezvous(const UdtHandshake& handshake)
{
    NS_LOG_FUNCTION(this << handshake.request);
    const Time now = Simulator::Now();
    const auto reply = m_rendezvous->OnHandshake(now, handshake);
    if (reply)
    {
        SendControl(*reply);
    }
    if (m_rendezvous->GetState() == UdtRendezvous::State::CONNECTED)
    {
        const bool isNew = !m_connected;
        if (isNew)
        {
            auto answer = m_rendezvous->GetPeer();
            answer.initialSequence = m_initialSequence; // data have the sender's
            OnConnected(answer);
        }
        return isNew || reply;
    }
    if (m_rendezvous->GetNextRequest() == now)
    {
        m_requestEvent.Cancel();
        SendRequest();
        return true;
    }
    return false;
}

void
UdtSource::OnConnected(const UdtHandshake& answer)
{
    m_requestEvent.Cancel();
    m_peerId = answer.socketId;
    const Time now = Simulator::Now();
    const auto settings = GetSettings();
    m_settings = settings.sender;
    m_native = settings.control;
    m_settings.mss = answer.mss;
    m_settings.payloadSize = answer.mss - m_setUp.ipHeaders - UDT_HEADER_SIZE;
    if (m_settings.writeSize == 0)
    {
        m_settings.writeSize = PACKETS_PER_WRITE * m_settings.payloadSize;
    }
    NS_LOG_INFO("connected to socket ID " << answer.socketId << ": " << m_settings.payloadSize
                                          << " B per packet, window " << answer.window
                                          << " packets");
    m_connected = now;
    m_isOpenConnection = true;
    const uint64_t packets = (m_settings.writeSize - 1) / m_settings.payloadSize + 1;
    const auto room = std::min(m_settings.sendBuffer, answer.window);
    if (m_messages && packets >= room)
    {
        Fail("a message of WriteSize has " + std::to_string(packets) +
             " packets and the buffers hold " + std::to_string(room) +
             ": lower WriteSize, or raise SendBuffer and the sink's ReceiveBuffer");
        return;
    }
    m_core.Start(m_settings,
                 MakeControl(),
                 answer,
                 m_bytes > 0 || m_isOpen ? m_bytes : ENDLESS,
                 now);
    Begin();
    Settle();
}

std::unique_ptr<UdtCongestion>
UdtSource::MakeControl()
{
    if (m_congestion == Congestion::BLAST)
    {
        constexpr double BITS_US = 8e6;
        const auto rate = static_cast<double>(m_blastRate.GetBitRate());
        return std::make_unique<UdtBlastControl>(BITS_US * m_settings.payloadSize / rate);
    }
    return std::make_unique<UdtNativeControl>(m_native,
                                              [random = m_random]() { return random->GetValue(); });
}

bool
UdtSource::Offer(uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    if (bytes > ENDLESS - std::min(m_bytes, ENDLESS) || !AcceptOffer(bytes, m_bytes))
    {
        return false;
    }
    if (m_connected)
    {
        m_core.Add(Simulator::Now(), bytes);
        ScheduleDeparture();
    }
    return true;
}

void
UdtSource::Finish()
{
    NS_LOG_FUNCTION(this);
    if (std::exchange(m_isOpen, false) && m_connected)
    {
        Settle();
    }
}

void
UdtSource::OnCheck()
{
    const Time now = Simulator::Now();
    const bool isDue = now >= m_core.GetNextCheck();
    if (isDue && !m_core.OnCheck(now))
    {
        Fail("nothing came from the sink for too long");
        return;
    }
    Settle();
}

void
UdtSource::SendReplies()
{
    for (const auto& reply : m_core.TakeReplies())
    {
        SendControl(reply);
    }
}

void
UdtSource::Settle()
{
    SendReplies();
    m_report.lostBytes = m_core.GetCounters().lostBytes;
    const auto all = m_core.GetAcknowledgedBytes();
    const auto acknowledged = all - std::min(all, m_report.lostBytes);
    if (acknowledged > m_report.deliveredBytes)
    {
        m_report.deliveredBytes = acknowledged;
        m_report.lastDelivery = Simulator::Now();
        m_progressTrace(acknowledged, m_report.offeredBytes);
    }
    m_window = m_core.GetControl()->GetWindow();
    m_period = m_core.GetControl()->GetPeriod();
    if (m_core.IsBroken())
    {
        Fail("the sink has reported on packets that were never sent");
        return;
    }
    if (m_core.IsComplete() && !m_isOpen)
    {
        m_report.deliveredBytes = acknowledged; // parts of a message may have counted before
        Complete();
    }
    if (IsFinished())
    {
        return; // any host that listens may have ended the transfer as well
    }
    ScheduleDeparture();
    const Time due = std::max(m_core.GetNextCheck(), Simulator::Now());
    if (!m_checkEvent.IsPending() || due < m_checkTime)
    {
        m_checkEvent.Cancel();
        m_checkTime = due;
        m_checkEvent = Simulator::Schedule(due - Simulator::Now(), &UdtSource::OnCheck, this);
    }
}

void
UdtSource::ScheduleDeparture()
{
    const auto next = m_core.GetNextDeparture();
    if (!next || m_held)
    {
        return;
    }
    const Time now = Simulator::Now();
    const Time due = std::max({*next, now, m_hostFree});
    if (m_departureEvent.IsPending())
    {
        if (m_departureTime <= due)
        {
            return; // it finds itself early and is set again
        }
        m_departureEvent.Cancel();
    }
    m_departureTime = due;
    m_departureEvent = Simulator::Schedule(due - now, &UdtSource::OnDeparture, this);
}

void
UdtSource::OnDeparture()
{
    const Time now = Simulator::Now();
    while (!IsFinished() && !m_held)
    {
        const auto next = m_core.GetNextDeparture();
        if (!next || std::max(*next, m_hostFree) > now)
        {
            break;
        }
        const auto departure = m_core.Send(now);
        if (m_messages)
        {
            SendReplies(); // messages that were given up
        }
        if (!departure)
        {
            return;
        }
        if (m_hostCost)
        {
            const uint32_t bytes = departure->bytes + UDT_HEADER_SIZE;
            const Time leaves =
                m_gate.Admit(now, now, bytes, {departure->offset, departure->bytes});
            // The thread that sends a packet prepares the next one afterwards.
            m_hostFree = leaves + m_hostCost->GetReadTime(bytes) + m_hostCost->GetMoveTime(bytes);
            m_core.SetBusyUntil(m_hostFree);
            if (leaves > now)
            {
                m_held = departure;
                m_departureTime = leaves;
                m_departureEvent = Simulator::Schedule(leaves - now, &UdtSource::OnHostReady, this);
                return;
            }
        }
        SendData(*departure);
    }
    if (!IsFinished())
    {
        ScheduleDeparture();
    }
}

void
UdtSource::OnHostReady()
{
    SendData(*std::exchange(m_held, std::nullopt));
    OnDeparture();
}

void
UdtSource::SendData(const UdtSenderCore::Departure& departure)
{
    NS_LOG_FUNCTION(this << departure.header.sequence << departure.bytes);
    const auto packet =
        m_checkContent ? PatternPayload::MakePacket(m_messages ? departure.place : departure.offset,
                                                    departure.bytes)
                       : Create<Packet>(departure.bytes);
    auto header = departure.header;
    header.timestamp = static_cast<uint32_t>((Simulator::Now() - m_opened).GetMicroSeconds());
    packet->AddHeader(UdtPacketHeader(header));
    ++m_report.dataPackets;
    m_report.retransmittedPackets += departure.isRetransmission ? 1 : 0;
    if (IsEndless())
    {
        m_report.offeredBytes = std::max(m_report.offeredBytes, departure.offset + departure.bytes);
    }
    m_txTrace(packet);
    if (m_port)
    {
        m_port->Send(packet, m_remote, m_tos);
    }
}

void
UdtSource::SendControl(const UdtPacket& packet)
{
    NS_LOG_DEBUG("sends: " << packet);
    const auto datagram = Create<Packet>();
    datagram->AddHeader(UdtPacketHeader(packet));
    ++m_report.controlPackets;
    m_controlBytes += datagram->GetSize() - UDT_HEADER_SIZE;
    m_controlTrace(packet, true);
    if (m_port)
    {
        m_port->Send(datagram, m_remote, m_tos);
    }
}

void
UdtSource::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_requestEvent.Cancel();
    m_departureEvent.Cancel();
    m_checkEvent.Cancel();
    m_held.reset();
    if (std::exchange(m_isOpenConnection, false) && !IsBeingDisposed())
    {
        SendControl(UdtSignal{UdtType::SHUTDOWN, 0, m_peerId});
    }
    if (const auto port = std::exchange(m_port, nullptr); port && m_id != 0)
    {
        port->Remove(m_id);
        if (m_meets)
        {
            port->Remove(0);
        }
    }
}

} // namespace ns3::lfn
