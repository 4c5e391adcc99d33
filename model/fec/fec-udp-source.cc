// SPDX-License-Identifier: GPL-2.0-only

#include "fec-udp-source.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("FecUdpSource");
NS_OBJECT_ENSURE_REGISTERED(FecUdpSource);

namespace
{

/** What an IPv4 packet leaves to UDP's user, less the larger of the headers. */
constexpr uint32_t MAX_PACKET_SIZE = 65507 - FecParityHeader::SIZE;

} // namespace

TypeId
FecUdpSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::FecUdpSource")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<FecUdpSource>()
            .AddAttribute("Remote",
                          "IPv4 or IPv6 socket address of the sink; its port is that of the data.",
                          AddressValue(),
                          MakeAddressAccessor(&FecUdpSource::m_remote),
                          MakeAddressChecker())
            .AddAttribute("ParityPort",
                          "Port of the parity at the sink.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&FecUdpSource::m_parityPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Bytes",
                          "User bytes to send; 0 sends until stopped.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FecUdpSource::m_bytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SendRate",
                          "Rate of user bytes; headers and parity are not counted.",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&FecUdpSource::m_sendRate),
                          MakeDataRateChecker())
            .AddAttribute("PacketSize",
                          "User bytes of a datagram.",
                          UintegerValue(1448),
                          MakeUintegerAccessor(&FecUdpSource::m_packetSize),
                          MakeUintegerChecker<uint32_t>(1, MAX_PACKET_SIZE))
            .AddAttribute("BlockPackets",
                          "Datagrams of data to one of parity (k; Quanta, section 2: 1 to N, "
                          "typically 2 or 3).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&FecUdpSource::m_blockPackets),
                          MakeUintegerChecker<uint32_t>(1, FecDataHeader::MAX_COUNT))
            .AddAttribute("CheckContent",
                          "Fill the datagrams with a pattern that a FecUdpSink can check.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FecUdpSource::m_checkContent),
                          MakeBooleanChecker());
    return tid;
}

FecUdpSource::FecUdpSource()
    : m_random(CreateObject<UniformRandomVariable>())
{
    m_report.protocol = "fec-udp";
    m_report.isAcknowledged = false;
}

int64_t
FecUdpSource::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    return 1;
}

void
FecUdpSource::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_sendEvent.Cancel();
    for (auto* socket : {&m_socket, &m_parity})
    {
        if (*socket)
        {
            (*socket)->Close();
            *socket = nullptr;
        }
    }
}

bool
FecUdpSource::IsEndless() const
{
    return m_bytes == 0;
}

uint32_t
FecUdpSource::GetNextSize() const
{
    return IsEndless()
               ? m_packetSize
               : static_cast<uint32_t>(std::min<uint64_t>(m_packetSize, m_bytes - m_sentBytes));
}

void
FecUdpSource::StartApplication()
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
    constexpr uint32_t NO_BUFFER = 0; // nothing ever comes back
    const auto parity = UdpEndpoint::WithPort(m_remote, m_parityPort);
    m_socket = UdpEndpoint::Open(GetNode(), m_remote, 0, NO_BUFFER);
    m_parity = UdpEndpoint::Open(GetNode(), parity, 0, NO_BUFFER);
    if (!m_socket || !m_parity)
    {
        Fail("cannot open a socket to Remote");
        return;
    }
    m_socket->ShutdownRecv();
    m_parity->ShutdownRecv();
    const uint64_t packets = IsEndless() ? 0 : (m_bytes - 1) / m_packetSize + 1;
    m_core = FecSenderCore(m_blockPackets, packets, m_random->GetInteger(0, UINT32_MAX));
    m_pacer = Pacer(m_sendRate, m_packetSize, Time(0));
    m_first = Simulator::Now();
    m_report.variant = std::to_string(m_blockPackets);
    m_report.offeredBytes = m_bytes;
    SendNext();
}

void
FecUdpSource::EndSending()
{
    NS_LOG_FUNCTION(this);
    m_isAccepted ? Complete()
                 : Fail("the host refused every datagram: is there a route to Remote?");
}

void
FecUdpSource::SendNext()
{
    NS_LOG_FUNCTION(this);
    const uint32_t size = GetNextSize();
    const auto packet = m_checkContent ? PatternPayload::MakeDatagram(m_report.dataPackets, size)
                                       : Create<Packet>(size);
    std::vector<uint8_t> payload(size);
    packet->CopyData(payload.data(), size);
    const auto header = m_core.GetNext().Write();
    const auto datagram = Create<Packet>(header.data(), header.size());
    datagram->AddAtEnd(packet);
    Begin();
    m_txTrace(packet);
    if (IsFinished())
    {
        return; // whoever listened has ended the transfer
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
    if (m_core.Add(payload))
    {
        SendParity();
    }
    m_pacer.Advance();
    const Time wait = m_first + m_pacer.GetOffset() - Simulator::Now();
    m_sendEvent = GetNextSize() > 0 ? Simulator::Schedule(wait, &FecUdpSource::SendNext, this)
                                    : Simulator::Schedule(wait, &FecUdpSource::EndSending, this);
}

void
FecUdpSource::SendParity()
{
    const auto parity = m_core.TakeParity();
    NS_LOG_LOGIC("a block ends: parity of " << parity.payload.size() << " B");
    const auto header = parity.header.Write();
    const auto datagram = Create<Packet>(header.data(), header.size());
    // Of zeros, as all packets are without CheckContent, ns-3 stores only how many they are.
    datagram->AddAtEnd(m_checkContent ? Create<Packet>(parity.payload.data(), parity.payload.size())
                                      : Create<Packet>(parity.payload.size()));
    if (m_parity->Send(datagram) < 0)
    {
        NS_LOG_WARN("send call failed with error " << m_parity->GetErrno());
    }
    ++m_report.controlPackets;
}

} // namespace ns3::lfn
