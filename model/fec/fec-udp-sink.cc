// SPDX-License-Identifier: GPL-2.0-only

#include "fec-udp-sink.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("FecUdpSink");
NS_OBJECT_ENSURE_REGISTERED(FecUdpSink);

TypeId
FecUdpSink::GetTypeId()
{
    using Settings = FecSessionTable::Settings;
    constexpr auto SETTINGS = &FecUdpSink::m_settings;
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
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::window),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("MaxJump",
                          "Blocks that one datagram alone may be ahead of the newest one; a forger "
                          "could close all blocks to come otherwise. After a longer outage the "
                          "second datagram is taken.",
                          UintegerValue(1024),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::maxJump),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute("MaxSessions",
                          "Flows that are open at a time; the bound keeps forged ones from taking "
                          "memory.",
                          UintegerValue(16),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::maxSessions),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("SessionTimeout",
                          "With MaxSessions flows open another one replaces a flow of a single "
                          "datagram, or one that is silent for longer than this.",
                          TimeValue(Seconds(10)),
                          MakeFieldAccessor<TimeValue>(SETTINGS, &Settings::timeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CheckContent",
                          "Refuse datagrams that do not hold a FecUdpSource's pattern.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FecUdpSink::m_checkContent),
                          MakeBooleanChecker())
            .AddTraceSource("Delivered",
                            "A datagram, received or recovered: its number in the flow, from 0, "
                            "and its user bytes.",
                            MakeTraceSourceAccessor(&FecUdpSink::m_deliveredTrace),
                            "ns3::lfn::FecUdpSink::DeliveredTracedCallback");
    return tid;
}

FecUdpSink::FecUdpSink()
{
    m_report.protocol = "fec-udp";
}

FecReceiverCore::Counters
FecUdpSink::GetCounters() const
{
    return m_sessions.GetCounters();
}

uint64_t
FecUdpSink::GetRecoveredBytes() const
{
    return m_recoveredBytes;
}

void
FecUdpSink::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    UdpEndpoint::Close(m_sockets);
    m_sessions.Finish();
    m_report.lostBytes = m_sessions.GetLostBytes();
}

bool
FecUdpSink::IsEndless() const
{
    return true;
}

void
FecUdpSink::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_sessions = FecSessionTable(m_settings);
    StartHost(MakeCallback(&FecUdpSink::GetWork, this), MakeCallback(&FecUdpSink::OnPacket, this));
    for (const bool isParity : {false, true})
    {
        const auto port = isParity ? m_parityPort : m_port;
        const auto received = MakeCallback(&FecUdpSink::OnReadable, this).Bind(isParity);
        const auto failure = UdpEndpoint::Listen(GetNode(), Address(), port, received, m_sockets);
        if (!failure.empty())
        {
            Fail(failure);
            return;
        }
    }
}

void
FecUdpSink::OnReadable(bool isParity, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << isParity << socket);
    while (!IsFinished())
    {
        const auto packet = socket->Recv();
        if (!packet)
        {
            return;
        }
        m_rxTrace(packet);
        std::optional<DropReason> refused;
        if (!m_host)
        {
            refused = OnDatagram(isParity, packet);
        }
        else if (!m_host->Arrive(packet, InetSocketAddress(isParity ? m_parityPort : m_port)))
        {
            refused = DropReason::BUFFER_FULL;
        }
        if (refused)
        {
            DropPacket(packet, *refused);
        }
    }
}

HostWork
FecUdpSink::GetWork(Ptr<const Packet> packet)
{
    uint8_t kind = 0;
    packet->CopyData(&kind, sizeof(kind));
    const bool isParity = kind != FecDataHeader::KIND;
    const auto header = isParity ? FecParityHeader::SIZE : FecDataHeader::SIZE;
    return m_hostCost->GetWork(packet->GetSize() - std::min(packet->GetSize(), header), !isParity);
}

void
FecUdpSink::OnPacket(Ptr<Packet> packet, const Address& at)
{
    const bool isParity = InetSocketAddress::ConvertFrom(at).GetPort() != m_port;
    if (const auto reason = OnDatagram(isParity, packet))
    {
        DropPacket(packet, *reason);
    }
}

std::optional<DropReason>
FecUdpSink::OnDatagram(bool isParity, Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    const std::span<const uint8_t> all(bytes);
    const auto parity = isParity ? FecParityHeader::Read(all) : std::nullopt;
    const auto data = isParity ? std::nullopt : FecDataHeader::Read(all);
    if (!parity && !data)
    {
        return DropReason::MALFORMED;
    }
    Begin();
    auto* session = m_sessions.Find(Simulator::Now(), parity ? parity->session : data->session);
    if (!session)
    {
        return DropReason::BUFFER_FULL;
    }
    FecReceiverCore::Outcome outcome;
    if (parity)
    {
        outcome =
            session->core.OnParity(Simulator::Now(), *parity, all.subspan(FecParityHeader::SIZE));
        m_report.controlPackets += outcome.refused ? 0 : 1;
    }
    else
    {
        outcome = OnData(*session, *data, all.subspan(FecDataHeader::SIZE));
    }
    session->lastArrival = Simulator::Now();
    session->datagrams += outcome.refused ? 0 : 1;
    for (const auto& recovered : outcome.recovered)
    {
        NS_LOG_LOGIC("a lost datagram of " << recovered.payload.size() << " B is recovered");
        if (Deliver(*session, recovered.header, recovered.payload))
        {
            m_recoveredBytes += recovered.payload.size();
        }
        else
        {
            outcome.refused = DropReason::CORRUPT;
        }
    }
    m_report.lostBytes = m_sessions.GetLostBytes();
    NS_LOG_DEBUG("parity " << isParity << ", accepted " << !outcome.refused << ", lost "
                           << m_report.lostBytes << " B");
    return outcome.refused;
}

FecReceiverCore::Outcome
FecUdpSink::OnData(FecSessionTable::Session& session,
                   const FecDataHeader& header,
                   std::span<const uint8_t> payload)
{
    ++m_report.dataPackets;
    m_report.offeredBytes += payload.size();
    auto outcome = session.core.OnData(Simulator::Now(), header, payload);
    // A block whose parity contradicts its data still delivers the data.
    const bool isTaken = !outcome.refused || outcome.refused == DropReason::CORRUPT;
    if (isTaken && !Deliver(session, header, payload))
    {
        outcome.refused = DropReason::CORRUPT;
    }
    return outcome;
}

bool
FecUdpSink::Deliver(FecSessionTable::Session& session,
                    const FecDataHeader& header,
                    std::span<const uint8_t> payload)
{
    if (m_checkContent &&
        !PatternPayload::IsIntact(
            Create<Packet>(payload.data(), static_cast<uint32_t>(payload.size()))))
    {
        return false;
    }
    session.largest = std::max<uint64_t>(session.largest, payload.size());
    m_report.deliveredBytes += payload.size();
    m_report.lastDelivery = Simulator::Now();
    m_progressTrace(m_report.deliveredBytes, 0);
    // All blocks are full; with Bytes the last one may be shorter.
    m_deliveredTrace(uint64_t{header.block} * header.count + header.index, payload.size());
    return true;
}

} // namespace ns3::lfn
