// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-udp-source.h"

#include "lfn-make-socket.h"
#include "lfn-pattern-payload.h"
#include "lfn-udp-endpoint.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("UdpSource");
NS_OBJECT_ENSURE_REGISTERED(UdpSource);

TypeId
UdpSource::GetTypeId()
{
    static TypeId tid =
        AddAttributes(TypeId("ns3::lfn::UdpSource")
                          .SetParent<TransferApplication>()
                          .SetGroupName("Lfn")
                          .AddConstructor<UdpSource>(),
                      "600Mbps",
                      1450,
                      MAX_DATAGRAM)
            .AddAttribute(
                "PacingQuantum",
                "The interval between datagrams is rounded down to a multiple of this, at "
                "least one; 0 keeps it exact.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&UdpSource::m_pacingQuantum),
                MakeTimeChecker(Time(0)));
    return tid;
}

UdpSource::UdpSource()
{
    m_report.protocol = "udp";
    m_report.isAcknowledged = false;
}

TypeId
UdpSource::AddAttributes(TypeId tid,
                         const std::string& sendRate,
                         uint32_t packetSize,
                         uint32_t maxPacketSize)
{
    return tid
        .AddAttribute("Remote",
                      "IPv4 or IPv6 socket address of the sink; its port is that of the data.",
                      AddressValue(),
                      MakeAddressAccessor(&UdpSource::m_remote),
                      MakeAddressChecker())
        .AddAttribute("Bytes",
                      "User bytes to send; 0 sends until stopped.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&UdpSource::m_bytes),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("SendRate",
                      "Rate of user bytes, headers and parity not counted (B_send).",
                      DataRateValue(DataRate(sendRate)),
                      MakeDataRateAccessor(&UdpSource::m_sendRate),
                      MakeDataRateChecker())
        .AddAttribute("PacketSize",
                      "User bytes of a datagram.",
                      UintegerValue(packetSize),
                      MakeUintegerAccessor(&UdpSource::m_packetSize),
                      MakeUintegerChecker<uint32_t>(1, maxPacketSize))
        .AddAttribute("CheckContent",
                      "Fill the datagrams with a pattern that the sink can check.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&UdpSource::m_checkContent),
                      MakeBooleanChecker());
}

void
UdpSource::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_sendEvent.Cancel();
    if (m_socket)
    {
        m_socket->Close();
        m_socket = nullptr;
    }
}

bool
UdpSource::IsEndless() const
{
    return m_bytes == 0;
}

uint32_t
UdpSource::GetNextSize() const
{
    return IsEndless()
               ? m_packetSize
               : static_cast<uint32_t>(std::min<uint64_t>(m_packetSize, m_bytes - m_sentBytes));
}

Ptr<Socket>
UdpSource::OpenSocket(const Address& remote)
{
    constexpr uint32_t NO_BUFFER = 0; // nothing ever comes back
    const auto socket = UdpEndpoint::Open(GetNode(), remote, 0, NO_BUFFER);
    if (!socket)
    {
        Fail("cannot open a socket to Remote");
        return nullptr;
    }
    socket->ShutdownRecv();
    SetTos(socket, m_tos);
    return socket;
}

void
UdpSource::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (!InetSocketAddress::IsMatchingType(m_remote) &&
        !Inet6SocketAddress::IsMatchingType(m_remote))
    {
        Fail("Remote is no socket address");
        return;
    }
    if (m_sendRate.GetBitRate() == 0)
    {
        Fail("SendRate is 0");
        return;
    }
    m_socket = OpenSocket(m_remote);
    if (!m_socket || !Prepare())
    {
        return;
    }
    m_gate = HostSendGate(m_hostCost);
    m_pacer = Pacer(m_sendRate, m_packetSize, m_pacingQuantum);
    NS_LOG_INFO("sends " << m_bytes << " B in datagrams of " << m_packetSize << " B at "
                         << m_sendRate);
    m_firstDeparture = Simulator::Now();
    m_report.offeredBytes = m_bytes;
    const auto size = GetNextSize();
    const Time now = m_firstDeparture;
    const Time departure = m_gate.Admit(now, now, size, {0, size});
    if (departure > now) // its bytes are not there yet
    {
        m_sendEvent = Simulator::Schedule(departure - now, &UdpSource::SendNext, this);
        return;
    }
    SendNext();
}

bool
UdpSource::Offer(uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    if (!AcceptOffer(bytes, m_bytes))
    {
        return false;
    }
    if (std::exchange(m_isWaiting, false))
    {
        StartPacing();
    }
    return true;
}

void
UdpSource::Finish()
{
    NS_LOG_FUNCTION(this);
    if (std::exchange(m_isOpen, false) && std::exchange(m_isWaiting, false))
    {
        const Time due = m_firstDeparture + m_pacer.GetOffset();
        const Time wait = std::max(Time(0), due - Simulator::Now());
        m_sendEvent = Simulator::Schedule(wait, &UdpSource::EndSending, this);
    }
}

void
UdpSource::StartPacing()
{
    const Time now = Simulator::Now();
    m_firstDeparture = std::max(now, m_firstDeparture + m_pacer.GetOffset());
    m_pacer = Pacer(m_sendRate, m_packetSize, m_pacingQuantum);
    const Time departure = m_gate.Admit(now, m_firstDeparture, GetNextSize());
    m_sendEvent = Simulator::Schedule(departure - now, &UdpSource::SendNext, this);
}

bool
UdpSource::Prepare()
{
    return true;
}

Ptr<Packet>
UdpSource::MakeDatagram(Ptr<Packet> payload)
{
    return payload;
}

void
UdpSource::OnSent(Ptr<const Packet> /* payload */)
{
}

void
UdpSource::EndSending()
{
    NS_LOG_FUNCTION(this);
    m_isAccepted ? Complete()
                 : Fail("the host refused every datagram: is there a route to Remote?");
}

void
UdpSource::SendNext()
{
    NS_LOG_FUNCTION(this);
    const uint32_t size = GetNextSize();
    const auto payload = m_checkContent ? PatternPayload::MakeDatagram(m_report.dataPackets, size)
                                        : Create<Packet>(size);
    const auto datagram = MakeDatagram(payload);
    Begin();
    m_txTrace(payload);
    if (IsFinished())
    {
        return; // any host that listened has ended the transfer
    }
    if (m_socket->Send(datagram) < 0) // as good as lost: an interface may come back
    {
        NS_LOG_WARN("send call failed with error " << m_socket->GetErrno());
    }
    else
    {
        m_isAccepted = true;
    }
    ++m_report.dataPackets;
    m_sentBytes += size;
    if (IsEndless())
    {
        m_report.offeredBytes = m_sentBytes;
    }
    OnSent(payload);
    m_pacer.Advance();
    const Time now = Simulator::Now();
    const Time due = m_firstDeparture + m_pacer.GetOffset();
    const uint32_t nextSize = GetNextSize();
    if (nextSize == 0 && m_isOpen)
    {
        m_isWaiting = true;
        return;
    }
    if (nextSize == 0)
    {
        m_sendEvent = Simulator::Schedule(std::max(now, due) - now, &UdpSource::EndSending, this);
        return;
    }
    const Time departure = m_gate.Admit(now, due, nextSize, {m_sentBytes, nextSize});
    NS_LOG_DEBUG("sent " << m_sentBytes << " B; the next datagram is due in "
                         << (due - now).As(Time::US) << ", the host sends it in "
                         << (departure - now).As(Time::US));
    m_sendEvent = Simulator::Schedule(departure - now, &UdpSource::SendNext, this);
}

} // namespace ns3::lfn
