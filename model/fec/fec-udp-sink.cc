// SPDX-License-Identifier: GPL-2.0-only

#include "fec-udp-sink.h"

#include "ns3/boolean.h"
#include "ns3/lfn-listen-address.h"
#include "ns3/lfn-make-socket.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("LfnFecUdpSink");
NS_OBJECT_ENSURE_REGISTERED(FecUdpSink);

TypeId
FecUdpSink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::FecUdpSink")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<FecUdpSink>()
            .AddAttribute("Port",
                          "Port of the data.",
                          UintegerValue(9),
                          MakeUintegerAccessor(&FecUdpSink::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("ParityPort",
                          "Port of the parity.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&FecUdpSink::m_parityPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("BlockWindow",
                          "Blocks that are open at a time; what an older one lacks is lost.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&FecUdpSink::m_window),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("MaxJump",
                          "Blocks that one datagram alone may be ahead of the newest one; a forger "
                          "could close all blocks to come otherwise. After a longer outage the "
                          "second datagram is taken.",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&FecUdpSink::m_maxJump),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute("CheckContent",
                          "Refuse datagrams that do not hold a FecUdpSource's pattern.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FecUdpSink::m_checkContent),
                          MakeBooleanChecker());
    return tid;
}

FecUdpSink::FecUdpSink()
{
    m_report.protocol = "fec-udp";
}

const FecReceiverCore::Counters&
FecUdpSink::GetCounters() const
{
    return m_core.GetCounters();
}

uint64_t
FecUdpSink::GetRecoveredBytes() const
{
    return m_recoveredBytes;
}

void
FecUdpSink::CancelEvents()
{
    for (const auto& socket : m_sockets)
    {
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->Close();
    }
    m_sockets.clear();
    m_core.Finish();
    m_report.lostBytes = m_core.GetCounters().lost * m_largest;
}

bool
FecUdpSink::IsEndless() const
{
    return true;
}

void
FecUdpSink::StartApplication()
{
    m_core = FecReceiverCore(m_window, m_maxJump);
    if (Listen(m_port, false))
    {
        Listen(m_parityPort, true);
    }
}

bool
FecUdpSink::Listen(uint16_t port, bool isParity)
{
    for (const auto& address : MakeListenAddresses(Address(), port))
    {
        const auto socket = MakeSocket(GetNode(), UdpSocketFactory::GetTypeId());
        if (!socket)
        {
            Fail("the node has no ns3::UdpSocketFactory");
            return false;
        }
        m_sockets.push_back(socket);
        if (socket->Bind(address) != 0)
        {
            Fail("UDP port " + std::to_string(port) + " is taken");
            return false;
        }
        socket->SetRecvCallback(MakeCallback(&FecUdpSink::HandleRead, this).Bind(isParity));
    }
    return true;
}

void
FecUdpSink::HandleRead(bool isParity, Ptr<Socket> socket)
{
    Address from;
    while (!IsFinished())
    {
        const auto packet = socket->RecvFrom(from);
        if (!packet)
        {
            return;
        }
        m_rxTrace(packet);
        // The streams of data and parity have ports of their own; the host is the same.
        const auto host = UdpEndpoint::WithPort(from, 0);
        const bool isStranger = !m_sender.IsInvalid() && host != m_sender;
        const auto reason =
            isStranger ? std::optional(DropReason::UNKNOWN_PEER) : Take(isParity, packet);
        if (reason)
        {
            DropPacket(packet, *reason);
        }
        else
        {
            m_sender = host;
        }
    }
}

std::optional<DropReason>
FecUdpSink::Take(bool isParity, Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    const std::span<const uint8_t> all(bytes);
    FecReceiverCore::Outcome outcome;
    if (isParity)
    {
        const auto header = FecParityHeader::Read(all);
        if (!header)
        {
            return DropReason::MALFORMED;
        }
        Begin();
        if (!IsOfSession(header->session, header->block))
        {
            return DropReason::OUT_OF_RANGE;
        }
        outcome = m_core.TakeParity(Simulator::Now(), *header, all.subspan(FecParityHeader::SIZE));
        m_report.controlPackets += outcome.refused ? 0 : 1;
    }
    else
    {
        const auto header = FecDataHeader::Read(all);
        if (!header)
        {
            return DropReason::MALFORMED;
        }
        Begin();
        if (!IsOfSession(header->session, header->block))
        {
            return DropReason::OUT_OF_RANGE;
        }
        const auto payload = all.subspan(FecDataHeader::SIZE);
        outcome = m_core.TakeData(Simulator::Now(), *header, payload);
        ++m_report.dataPackets;
        m_report.offeredBytes += payload.size();
        // A block whose parity contradicts its data still delivers the data.
        const bool isTaken = !outcome.refused || outcome.refused == DropReason::CORRUPT;
        if (isTaken && !Deliver(payload))
        {
            outcome.refused = DropReason::CORRUPT;
        }
    }
    if (outcome.recovered)
    {
        if (Deliver(outcome.recovered->payload))
        {
            m_recoveredBytes += outcome.recovered->payload.size();
        }
        else
        {
            outcome.refused = DropReason::CORRUPT;
        }
    }
    m_report.lostBytes = m_core.GetCounters().lost * m_largest;
    return outcome.refused;
}

bool
FecUdpSink::IsOfSession(uint8_t session, uint32_t block)
{
    if (m_session == session)
    {
        return true;
    }
    // Late datagrams of the sender before do not bring it back, and noise begins no session.
    if (m_session && (session == m_lastSession || block >= m_window))
    {
        return false;
    }
    m_core.Finish();
    m_lastSession = m_session;
    m_session = session;
    return true;
}

bool
FecUdpSink::Deliver(std::span<const uint8_t> payload)
{
    if (m_checkContent &&
        !PatternPayload::IsIntact(
            Create<Packet>(payload.data(), static_cast<uint32_t>(payload.size()))))
    {
        return false;
    }
    m_largest = std::max<uint64_t>(m_largest, payload.size());
    m_report.deliveredBytes += payload.size();
    m_report.lastDelivery = Simulator::Now();
    m_progressTrace(m_report.deliveredBytes, 0);
    return true;
}

} // namespace ns3::lfn
