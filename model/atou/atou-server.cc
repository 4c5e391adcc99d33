// SPDX-License-Identifier: GPL-2.0-only
#include "atou-server.h"

#include "atou-header.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/lfn-make-socket.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("AtouServer");
NS_OBJECT_ENSURE_REGISTERED(AtouServer);

TypeId
AtouServer::GetTypeId()
{
    using Settings = AtouReceiverCore::Settings;
    constexpr auto SETTINGS = &AtouServer::m_settings;
    static TypeId tid =
        TypeId("ns3::lfn::AtouServer")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<AtouServer>()
            .AddAttribute("Local",
                          "Address to listen on; every address of both families unless set.",
                          AddressValue(),
                          MakeAddressAccessor(&AtouServer::m_local),
                          MakeAddressChecker())
            .AddAttribute("Port",
                          "UDP port (-p), unless Local brings its own.",
                          UintegerValue(7890),
                          MakeUintegerAccessor(&AtouServer::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("RcvBufSize",
                          "Receive buffer of the socket (-b), B.",
                          UintegerValue(131072),
                          MakeUintegerAccessor(&AtouServer::m_bufferBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Sack",
                          "Send SACK blocks (-s).",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(SETTINGS, &Settings::sack),
                          MakeBooleanChecker())
            .AddAttribute("AckDelay",
                          "Delayed-ACK timer (-d); 0 acknowledges every datagram at once.",
                          TimeValue(Time(0)),
                          MakeFieldAccessor<TimeValue>(SETTINGS, &Settings::delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "DelayRule",
                "What AckDelay means: the original's Heartbeat, or NsSink, ns-2's "
                "TCPSink/DelAck, which acknowledges every second segment in order and "
                "all out of order at once, and a lone one after AckDelay.",
                EnumValue(AtouReceiverCore::DelayRule::HEARTBEAT),
                MakeFieldAccessor<EnumValue<AtouReceiverCore::DelayRule>>(SETTINGS,
                                                                          &Settings::rule),
                MakeEnumChecker(AtouReceiverCore::DelayRule::HEARTBEAT,
                                "Heartbeat",
                                AtouReceiverCore::DelayRule::NS_SINK,
                                "NsSink"))
            .AddAttribute("HeartbeatPhase",
                          "The delayed-ACK heartbeat beats at this time and every AckDelay from "
                          "then on; negative for a random phase (section 3.10).",
                          TimeValue(TimeStep(-1)),
                          MakeTimeAccessor(&AtouServer::m_phase),
                          MakeTimeChecker())
            .AddAttribute("GapLimit",
                          "A jump that would leave more gaps than this counts as received, as in "
                          "the original, whose table had 1024 entries; 0 for no limit.",
                          UintegerValue(0),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::gapLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("PadBlocks",
                          "ACKs always have space for three SACK blocks, as in early versions.",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(SETTINGS, &Settings::padBlocks),
                          MakeBooleanChecker())
            .AddAttribute("CheckContent",
                          "Compare what is received with the pattern that the client sends.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AtouServer::m_checkContent),
                          MakeBooleanChecker())
            .AddTraceSource("AckSent",
                            "An acknowledgement is sent.",
                            MakeTraceSourceAccessor(&AtouServer::m_ackTrace),
                            "ns3::lfn::AtouServer::AckTracedCallback");
    return tid;
}

AtouServer::AtouServer()
    : m_random(CreateObject<UniformRandomVariable>())
{
    m_report.protocol = "atou";
}

const AtouReceiverCore&
AtouServer::GetCore() const
{
    return *m_client.core;
}

Time
AtouServer::GetElapsed() const
{
    return m_client.last - m_client.first;
}

uint32_t
AtouServer::GetSegmentSize() const
{
    return m_client.segmentSize;
}

int64_t
AtouServer::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    return 1;
}

bool
AtouServer::IsEndless() const
{
    return true; // a server ends when it is stopped
}

void
AtouServer::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (IsFinished())
    {
        return;
    }
    m_settings.phase = m_phase.IsStrictlyNegative()
                           ? Seconds(m_random->GetValue(0, m_settings.delay.GetSeconds()))
                           : m_phase;
    m_client.core->Start(m_settings);
    NS_LOG_DEBUG("SACK " << m_settings.sack << ", delay " << m_settings.delay.As(Time::MS)
                         << ", phase " << m_settings.phase.As(Time::MS));
    m_blank = m_report;
    StartHost(MakeCallback(&AtouServer::GetWork, this), MakeCallback(&AtouServer::OnPacket, this));
    const auto trouble = UdpEndpoint::Listen(GetNode(),
                                             m_local,
                                             m_port,
                                             MakeCallback(&AtouServer::OnDatagrams, this),
                                             m_sockets);
    for (const auto& socket : m_sockets)
    {
        SetTos(socket, m_tos);
        socket->SetAttribute("RcvBufSize", UintegerValue(m_bufferBytes));
    }
    if (!trouble.empty())
    {
        Fail(trouble);
    }
}

void
AtouServer::OnDatagrams(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Address from;
    while (!IsFinished())
    {
        const auto packet = socket->RecvFrom(from);
        if (!packet)
        {
            return;
        }
        if (m_client.datagrams < 2 && from != m_client.address)
        {
            // Any host may send one segment: the client is who sends a second one.
            AtouDataHeader header;
            if (packet->PeekHeader(header) == 0)
            {
                DropPacket(packet, DropReason::MALFORMED);
                continue;
            }
            ChangeClient(socket, from, packet->GetSize());
        }
        if (from != m_client.address)
        {
            DropPacket(packet, DropReason::UNKNOWN_PEER);
            continue;
        }
        ++m_client.datagrams;
        if (m_client.datagrams == 2)
        {
            m_others.clear();
        }
        if (!m_host)
        {
            OnPacket(packet, from);
        }
        else if (!m_host->Arrive(packet, from))
        {
            DropPacket(packet, DropReason::BUFFER_FULL);
        }
    }
}

HostWork
AtouServer::GetWork(Ptr<const Packet> packet)
{
    auto work = m_hostCost->GetWork(packet->GetSize());
    work.storedBytes -= std::min(work.storedBytes, AtouDataHeader::SIZE);
    return work;
}

void
AtouServer::ChangeClient(Ptr<Socket> socket, const Address& from, uint32_t bytes)
{
    NS_LOG_INFO("the client changes from " << m_client.address << " to " << from);
    constexpr std::size_t MOST = 16; // the oldest one gives way
    if (!m_client.address.IsInvalid())
    {
        m_client.report = m_report;
        m_others.push_back(std::exchange(m_client, Client()));
        m_client.core->Start(m_settings);
        m_report = m_blank;
    }
    const auto known = std::ranges::find(m_others, from, &Client::address);
    if (known != m_others.end())
    {
        m_client = std::move(*known);
        m_others.erase(known);
        m_report = m_client.report;
    }
    else
    {
        m_client.address = from;
        m_client.socket = socket;
        m_client.segmentSize = bytes;
        m_client.first = Simulator::Now();
    }
    if (m_others.size() > MOST)
    {
        m_others.pop_front();
    }
    Begin();
}

void
AtouServer::OnPacket(Ptr<Packet> packet, const Address& from)
{
    NS_LOG_FUNCTION(this << packet << from);
    if (IsFinished())
    {
        return;
    }
    if (from != m_client.address) // it was set aside in the meantime
    {
        DropPacket(packet, DropReason::UNKNOWN_PEER);
        return;
    }
    m_rxTrace(packet);
    AtouDataHeader header;
    if (packet->RemoveHeader(header) == 0)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    const auto bytes = packet->GetSize();
    const auto segment = header.segment;
    if (bytes + AtouDataHeader::SIZE != m_client.segmentSize)
    {
        DropPacket(packet, DropReason::WRONG_LENGTH);
        return;
    }
    if (m_checkContent && !PatternPayload::Matches((segment - uint64_t{1}) * bytes, packet))
    {
        DropPacket(packet, DropReason::CORRUPT);
        if (m_client.datagrams < 2)
        {
            return; // of any host
        }
        Fail("the content of segment " + std::to_string(segment) + " is not what was sent");
        return;
    }
    m_client.last = Simulator::Now();
    ++m_report.dataPackets;
    const auto refused = m_client.core->GetCounters().refused;
    if (m_client.core->OnSegment(segment, header.time, m_client.last))
    {
        m_report.deliveredBytes += bytes;
        m_report.lastDelivery = m_client.last;
        m_progressTrace(m_report.deliveredBytes, 0);
    }
    else
    {
        const bool isRefused = m_client.core->GetCounters().refused > refused;
        NS_LOG_LOGIC("segment " << segment << " is discarded, out of range: " << isRefused);
        DropPacket(packet, isRefused ? DropReason::OUT_OF_RANGE : DropReason::DUPLICATE);
    }
    SendAcks();
}

void
AtouServer::OnTimer()
{
    NS_LOG_FUNCTION(this);
    m_client.core->Expire(Simulator::Now());
    SendAcks();
}

void
AtouServer::SendAcks()
{
    while (const auto ack = m_client.core->NextAck())
    {
        NS_LOG_DEBUG("ACK of " << ack->next << ", SACK blocks " << ack->blocks.size());
        const auto packet = Create<Packet>(ack->padding);
        packet->AddHeader(AtouAckHeader(ack->time, ack->next, ack->blocks));
        ++m_report.controlPackets;
        m_ackTrace(*ack);
        m_txTrace(packet);
        m_client.socket->SendTo(packet,
                                0,
                                m_client.address); // what the host cannot send is as good as lost
    }
    const auto deadline = m_client.core->GetDeadline();
    if (!deadline || (m_timer.IsPending() && m_timerTime <= *deadline))
    {
        return; // it finds itself early and is set again
    }
    m_timer.Cancel();
    m_timerTime = std::max(*deadline, Simulator::Now());
    m_timer = Simulator::Schedule(m_timerTime - Simulator::Now(), &AtouServer::OnTimer, this);
}

void
AtouServer::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_timer.Cancel();
    UdpEndpoint::Close(m_sockets);
    m_client.socket = nullptr;
    m_others.clear();
}

} // namespace ns3::lfn
