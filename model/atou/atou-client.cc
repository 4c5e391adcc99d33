// SPDX-License-Identifier: GPL-2.0-only
#include "atou-client.h"

#include "atou-config.h"
#include "atou-header.h"
#include "atou-native-congestion.h"
#include "atou-tcp-congestion.h"
#include "atou-text.h"

#include "ns3/boolean.h"
#include "ns3/lfn-make-socket.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("AtouClient");
NS_OBJECT_ENSURE_REGISTERED(AtouClient);

TypeId
AtouClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::AtouClient")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<AtouClient>()
            .AddAttribute("Remote",
                          "Socket address of the server.",
                          AddressValue(),
                          MakeAddressAccessor(&AtouClient::m_remote),
                          MakeAddressChecker())
            .AddAttribute("LocalPort",
                          "UDP port to send from; 0 for any.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&AtouClient::m_localPort),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Options",
                          "The options of the original's configuration file; own ones with their "
                          "defaults when it is not set.",
                          PointerValue(),
                          MakePointerAccessor(&AtouClient::m_options),
                          MakePointerChecker<AtouOptions>())
            .AddAttribute("Congestion",
                          "Congestion control: native, by the options, or a TcpCongestionOps's "
                          "TypeId, such as ns3::TcpCubic.",
                          StringValue(NATIVE),
                          MakeStringAccessor(&AtouClient::m_congestion),
                          MakeStringChecker())
            .AddAttribute("CheckContent",
                          "Send a pattern that the server can check.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AtouClient::m_checkContent),
                          MakeBooleanChecker())
            .AddAttribute("InterfaceRate",
                          "Rate of the host's own interface, for which sends wait; 0 for no limit.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&AtouClient::m_interfaceRate),
                          MakeDataRateChecker())
            .AddTraceSource("CongestionWindow",
                            "cwnd, segments.",
                            MakeTraceSourceAccessor(&AtouClient::m_cwnd),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("SlowStartThreshold",
                            "ssthresh, segments.",
                            MakeTraceSourceAccessor(&AtouClient::m_ssthresh),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("RTT",
                            "Round-trip time of the last ACK.",
                            MakeTraceSourceAccessor(&AtouClient::m_rtt),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("VegasDelta",
                            "Expected minus actual rate of Vegas, segments.",
                            MakeTraceSourceAccessor(&AtouClient::m_delta),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("Transmit",
                            "A segment is sent, or dropped by droplist.",
                            MakeTraceSourceAccessor(&AtouClient::m_transmitTrace),
                            "ns3::lfn::AtouClient::TransmitTracedCallback")
            .AddTraceSource("Ack",
                            "An acknowledgement comes; the state is that before it.",
                            MakeTraceSourceAccessor(&AtouClient::m_ackTrace),
                            "ns3::lfn::AtouClient::AckTracedCallback")
            .AddTraceSource("Event",
                            "An entry of the event log.",
                            MakeTraceSourceAccessor(&AtouClient::m_eventTrace),
                            "ns3::lfn::AtouClient::EventTracedCallback");
    return tid;
}

AtouClient::AtouClient()
    : m_options(CreateObject<AtouOptions>())
{
    m_report.protocol = "atou";
}

Ptr<AtouOptions>
AtouClient::GetOptions() const
{
    return m_options;
}

std::optional<std::string>
AtouClient::ChangeOptions(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    const auto next = CopyObject(m_options);
    for (const auto& change : m_changes)
    {
        AtouConfig::ReadText(change, *next);
    }
    if (auto wrong = AtouConfig::ReadText(text, *next))
    {
        return wrong;
    }
    if (!m_report.started)
    {
        AtouConfig::ReadText(text, *m_options);
        return std::nullopt;
    }
    auto wrong = m_options->CheckChange(*next);
    if (!wrong)
    {
        m_changes.push_back(text);
    }
    return wrong;
}

void
AtouClient::ApplyChanges()
{
    for (const auto& change : m_changes)
    {
        AtouConfig::ReadText(change, *m_options);
    }
    m_changes.clear();
    NS_LOG_INFO("the options have changed");
    m_core.OnOptions();
}

const AtouSenderCore&
AtouClient::GetCore() const
{
    return m_core;
}

uint32_t
AtouClient::GetSegmentBytes() const
{
    return m_options->mss - AtouDataHeader::SIZE;
}

TransferApplication::Window
AtouClient::GetWindow() const
{
    const double segment = m_options->mss;
    return m_report.started ? Window{.cwnd = m_cwnd.Get() * segment,
                                     .ssthresh = m_ssthresh.Get() * segment,
                                     .rtt = m_rtt.Get()}
                            : Window{};
}

uint16_t
AtouClient::GetLocalPort() const
{
    return m_boundPort;
}

bool
AtouClient::IsEndless() const
{
    return m_options->maxPkts == 0 && m_options->maxTime.IsZero();
}

std::unique_ptr<AtouCongestion>
AtouClient::MakeCongestion()
{
    if (m_congestion == NATIVE)
    {
        return std::make_unique<AtouNativeCongestion>(*m_options);
    }
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(m_congestion, &type))
    {
        Fail("Congestion is " + m_congestion + ": give native or a TcpCongestionOps");
        return nullptr;
    }
    if (const auto trouble = AtouTcpCongestion::Check(type))
    {
        Fail("Congestion is " + m_congestion + ": " + *trouble);
        return nullptr;
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    return std::make_unique<AtouTcpCongestion>(factory.Create<TcpCongestionOps>(), m_options);
}

void
AtouClient::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (IsFinished())
    {
        return;
    }
    m_options = CopyObject(m_options); // others may have been given the same ones
    m_options->Settle();
    auto congestion = MakeCongestion();
    if (!congestion)
    {
        return;
    }
    m_gate = HostSendGate(m_hostCost);
    m_gate.SetInterfaceRate(m_interfaceRate);
    m_socket = UdpEndpoint::Open(GetNode(), m_remote, m_localPort, m_options->rcvBuf);
    SetTos(m_socket, m_tos);
    if (!m_socket)
    {
        Fail("Remote is no IPv4 or IPv6 socket address, or LocalPort is in use");
        return;
    }
    m_boundPort = UdpEndpoint::GetLocalPort(m_socket);
    m_socket->SetRecvCallback(MakeCallback(&AtouClient::OnDatagrams, this));
    Begin();
    m_start = Simulator::Now();
    m_core.SetObserver([this](const AtouEvent& event) {
        NS_LOG_LOGIC(AtouText::MakeEvent(event, m_options->vegas != AtouOptions::VegasRtt::OFF));
        m_eventTrace(event);
    });
    NS_LOG_INFO("sends from port " << m_boundPort << ", congestion control " << m_congestion
                                   << ", segments of " << GetSegmentBytes() << " B");
    m_core.Start(m_options, std::move(congestion), m_start);
    SendPending();
}

void
AtouClient::OnDatagrams(Ptr<Socket> socket)
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
        if (from != m_remote) // ns-3's connected UDP sockets take datagrams from anyone
        {
            DropPacket(packet, DropReason::UNKNOWN_PEER);
            continue;
        }
        OnPacket(packet);
    }
}

void
AtouClient::OnPacket(Ptr<Packet> packet)
{
    NS_LOG_FUNCTION(this << packet << packet->GetSize());
    m_rxTrace(packet);
    AtouAckHeader header;
    if (packet->RemoveHeader(header) == 0)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    const Time now = Simulator::Now();
    const double sent = AtouTimeWords::Decode(header.time);
    const double began = m_start.GetSeconds();
    if (!(sent >= began && sent <= now.GetSeconds())) // NaN, too
    {
        DropPacket(packet, DropReason::OUT_OF_RANGE);
        return;
    }
    const AtouAck ack{header.next, header.blocks, std::max(now - Seconds(sent), Time(0)), now};
    if (!m_changes.empty())
    {
        ApplyChanges();
    }
    m_ackTrace(ack, m_core.GetState());
    if (!m_core.OnAck(ack))
    {
        DropPacket(packet, DropReason::UNEXPECTED); // a badack
    }
    NS_LOG_DEBUG("ACK of " << ack.next << ", SACK blocks " << ack.blocks.size() << ", RTT "
                           << ack.rtt.As(Time::MS) << "; una " << m_core.GetState().una << ", cwnd "
                           << m_core.GetState().cwnd << ", ssthresh " << m_core.GetState().ssthresh
                           << ", in flight " << m_core.GetState().GetFlight());
    m_rtt = ack.rtt;
    SendPending();
}

void
AtouClient::OnTimer()
{
    NS_LOG_FUNCTION(this);
    m_core.Expire(Simulator::Now());
    SendPending();
}

void
AtouClient::SendPending()
{
    const Time now = Simulator::Now();
    while (const auto transmission = m_core.NextSegment())
    {
        const auto bytes = GetSegmentBytes();
        const StorageCore::Range content{(transmission->segment - uint64_t{1}) * bytes, bytes};
        const Time leaves = m_gate.Admit(now, now, m_options->mss, content);
        if (leaves <= now && m_held.empty())
        {
            Send(*transmission);
        }
        else
        {
            NS_LOG_LOGIC("segment " << transmission->segment << " is held back for "
                                    << (leaves - now).As(Time::US));
            m_held.emplace_back(leaves, *transmission);
        }
    }
    Account();
    if (m_core.GetStatus() == AtouSenderCore::Status::DONE)
    {
        Complete();
        return;
    }
    if (m_core.GetStatus() == AtouSenderCore::Status::GIVEN_UP)
    {
        Fail("no new segment was acknowledged through " + std::to_string(m_options->maxIdle + 1) +
             " timeouts in a row");
        return;
    }
    if (!m_held.empty() && !m_heldEvent.IsPending())
    {
        m_heldEvent = Simulator::Schedule(m_held.front().first - now, &AtouClient::SendHeld, this);
    }
    const auto deadline = m_core.GetDeadline();
    if (!deadline || (m_timer.IsPending() && m_timerTime <= *deadline))
    {
        return; // it finds itself early and is set again
    }
    m_timer.Cancel();
    m_timerTime = std::max(*deadline, now);
    m_timer = Simulator::Schedule(m_timerTime - now, &AtouClient::OnTimer, this);
}

void
AtouClient::SendHeld()
{
    NS_LOG_FUNCTION(this);
    const Time now = Simulator::Now();
    while (!m_held.empty() && m_held.front().first <= now)
    {
        const auto transmission = m_held.front().second;
        m_held.pop_front();
        Send(transmission);
    }
    if (!m_held.empty())
    {
        m_heldEvent = Simulator::Schedule(m_held.front().first - now, &AtouClient::SendHeld, this);
    }
}

void
AtouClient::Send(const AtouSenderCore::Transmission& transmission)
{
    NS_LOG_FUNCTION(this << transmission.segment << transmission.isRepeated);
    m_transmitTrace(transmission.segment, transmission.isRepeated);
    if (transmission.isDropped)
    {
        NS_LOG_LOGIC("droplist discards segment " << transmission.segment);
        return;
    }
    const auto bytes = GetSegmentBytes();
    const auto packet =
        m_checkContent
            ? PatternPayload::MakePacket((transmission.segment - uint64_t{1}) * bytes, bytes)
            : Create<Packet>(bytes);
    packet->AddHeader(
        AtouDataHeader(AtouTimeWords::Encode(Simulator::Now().GetSeconds()), transmission.segment));
    m_txTrace(packet);
    m_socket->Send(packet); // what the host cannot send is as good as lost
}

void
AtouClient::Account()
{
    const auto& state = m_core.GetState();
    const auto& statistics = m_core.GetStatistics();
    const uint64_t bytes = GetSegmentBytes();
    m_report.dataPackets = statistics.packetsOut;
    m_report.retransmittedPackets = statistics.repeated;
    const uint64_t acknowledged = (state.una - uint64_t{1}) * bytes;
    if (acknowledged > m_report.deliveredBytes)
    {
        m_report.deliveredBytes = acknowledged;
        m_report.lastDelivery = Simulator::Now();
    }
    const uint64_t last = m_options->maxPkts > 0 ? m_options->maxPkts : state.max;
    m_report.offeredBytes = (std::max<uint64_t>(last, state.una) - 1) * bytes;
    m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
    m_cwnd = state.cwnd;
    m_ssthresh = state.ssthresh;
    m_delta = m_core.GetCongestion().GetDelta();
}

void
AtouClient::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_timer.Cancel();
    m_heldEvent.Cancel();
    m_held.clear();
    UdpEndpoint::Close(m_socket);
}

} // namespace ns3::lfn
