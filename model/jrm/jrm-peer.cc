// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-peer.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(JrmPeer);

TypeId
JrmPeer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::JrmPeer")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<JrmPeer>()
            .AddAttribute("Participant",
                          "VRN, the number of this participant; no other one may have it.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&JrmPeer::m_participant),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Port",
                          "UDP port of the session, the same at all participants.",
                          UintegerValue(9100),
                          MakeUintegerAccessor(&JrmPeer::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("PacketSize",
                          "Data bytes of a packet, the same at all participants.",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&JrmPeer::m_packetSize),
                          MakeUintegerChecker<uint32_t>(1, 65487))
            .AddAttribute("RecvTimeout",
                          "recvTimeout: wait for further packets of a message.",
                          TimeValue(MilliSeconds(20)),
                          MakeTimeAccessor(&JrmPeer::m_recvTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("NackTimeout",
                          "nackTimeout: wait for the response to a NACK request.",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&JrmPeer::m_nackTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("SendTimeout",
                          "sendTimeout: a message is kept this long after the last request for it.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&JrmPeer::m_sendTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("Adaptive",
                          "The three timeouts adapt to how often they expire (section 2).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&JrmPeer::m_adaptive),
                          MakeBooleanChecker())
            .AddAttribute("TimeoutIncrease",
                          "Factor of an expiry.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&JrmPeer::m_timeoutIncrease),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("TimeoutDecrease",
                          "Factor of a reset with much time left.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&JrmPeer::m_timeoutDecrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ShrinkIfLeft",
                          "Part of a timeout that is much time left.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&JrmPeer::m_shrinkIfLeft),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ShortestTimeout",
                          "Lower bound of what adapts.",
                          TimeValue(MilliSeconds(5)),
                          MakeTimeAccessor(&JrmPeer::m_shortestTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("LongestTimeout",
                          "Upper bound of what adapts.",
                          TimeValue(Seconds(2)),
                          MakeTimeAccessor(&JrmPeer::m_longestTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("NackBackoff",
                          "Factor of nackTimeout after an unanswered request.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&JrmPeer::m_nackBackoff),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("MaxNackAttempts",
                          "Unanswered requests after which a message is lost.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&JrmPeer::m_maxNackAttempts),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("GapNackAllPackets",
                          "Ask for all packets of a missing message, not for PSN 1 (J-C6).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&JrmPeer::m_gapNackAllPackets),
                          MakeBooleanChecker())
            .AddAttribute("CreateHolderOnGap",
                          "Ask for a missing message again when no response comes (J-C7).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&JrmPeer::m_createHolderOnGap),
                          MakeBooleanChecker())
            .AddAttribute("CompleteImmediately",
                          "Deliver a message when it is complete, not when its timer ends (J-C8).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&JrmPeer::m_completeImmediately),
                          MakeBooleanChecker())
            .AddAttribute("MaxBackoff",
                          "Suppression: longest random wait before a NACK to the group; 0: off.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&JrmPeer::m_maxBackoff),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("GroupSize",
                          "Suppression: receivers that the random wait reckons with.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&JrmPeer::m_groupSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Aggregation",
                          "Gather requests for so long before answering (RFC 5740).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&JrmPeer::m_aggregation),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Heartbeat",
                          "Idle time before the newest MSN is told, doubling; 0: never (J-C5).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&JrmPeer::m_heartbeat),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("BucketRate",
                          "Rate of the leaky bucket, datagrams with headers; 0 for no limit.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&JrmPeer::m_bucketRate),
                          MakeDataRateChecker())
            .AddAttribute("BucketDepth",
                          "Bytes that the leaky bucket lets pass at once.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&JrmPeer::m_bucketDepth),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BucketCountsRepairs",
                          "NACK responses go through the bucket, too; in the paper they do not.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&JrmPeer::m_bucketCountsRepairs),
                          MakeBooleanChecker())
            .AddAttribute("ErrorRate",
                          "Probability that a datagram is discarded before the send (section 4).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&JrmPeer::m_errorRate),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ErrorOnData",
                          "Messages and NACK responses are discarded.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&JrmPeer::m_errorOnData),
                          MakeBooleanChecker())
            .AddAttribute("ErrorOnNack",
                          "NACK requests are discarded.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&JrmPeer::m_errorOnNack),
                          MakeBooleanChecker())
            .AddAttribute("KeepData",
                          "Keep the bytes of messages for delivery.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&JrmPeer::m_keepData),
                          MakeBooleanChecker())
            .AddAttribute("CheckContent",
                          "Send a pattern and compare what is received with it.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&JrmPeer::m_checkContent),
                          MakeBooleanChecker())
            .AddTraceSource("MessageReceived",
                            "A message is complete.",
                            MakeTraceSourceAccessor(&JrmPeer::m_messageTrace),
                            "ns3::lfn::JrmPeer::MessageTracedCallback");
    return tid;
}

JrmPeer::JrmPeer()
    : m_error(CreateObject<UniformRandomVariable>()),
      m_random(CreateObject<UniformRandomVariable>())
{
    m_report.protocol = "jrm";
}

JrmPeer::~JrmPeer() = default;

void
JrmPeer::SetReceive(ReceiveCallback receive)
{
    m_receive = receive;
}

bool
JrmPeer::Join(Ipv4Address group)
{
    if (!group.IsMulticast())
    {
        return false;
    }
    m_groups[group.Get()] = group;
    return true;
}

const JrmPeer::Sent&
JrmPeer::GetSent() const
{
    return m_sent;
}

const JrmSenderCore&
JrmPeer::GetSender() const
{
    return m_sender;
}

const JrmReceiverCore&
JrmPeer::GetReceiver() const
{
    return m_receiver;
}

int64_t
JrmPeer::AssignStreams(int64_t stream)
{
    m_error->SetStream(stream);
    m_random->SetStream(stream + 1);
    return 2;
}

bool
JrmPeer::IsEndless() const
{
    return true; // a participant ends when it is stopped
}

void
JrmPeer::StartApplication()
{
    if (IsFinished())
    {
        return;
    }
    StartCores();
    m_socket = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
    // ns-3 hands a multicast datagram to every socket of its port: groups are told apart by MCG.
    if (m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port)) != 0)
    {
        Fail("UDP port " + std::to_string(m_port) + " is in use: set Port");
        return;
    }
    m_socket->SetRecvCallback(MakeCallback(&JrmPeer::OnDatagrams, this));
    m_running = true;
}

void
JrmPeer::StartCores()
{
    const JrmAdaptiveTimeout::Rules rules{m_adaptive,
                                          m_timeoutIncrease,
                                          m_timeoutDecrease,
                                          m_shrinkIfLeft,
                                          m_shortestTimeout,
                                          m_longestTimeout};
    JrmReceiverCore::Settings receiving;
    receiving.packetSize = m_packetSize;
    receiving.recvTimeout = m_recvTimeout;
    receiving.nackTimeout = m_nackTimeout;
    receiving.adapt = rules;
    receiving.nackBackoff = m_nackBackoff;
    receiving.maxNackAttempts = m_maxNackAttempts;
    receiving.gapNackAllPackets = m_gapNackAllPackets;
    receiving.createHolderOnGap = m_createHolderOnGap;
    receiving.completeImmediately = m_completeImmediately;
    receiving.keepData = m_keepData;
    receiving.maxBackoff = m_maxBackoff;
    receiving.groupSize = m_groupSize;
    m_receiver.Start(receiving, [random = m_random]() { return random->GetValue(0, 1); });
    JrmSenderCore::Settings sending;
    sending.participant = m_participant;
    sending.packetSize = m_packetSize;
    sending.sendTimeout = m_sendTimeout;
    sending.adapt = rules;
    sending.aggregation = m_aggregation;
    // Random, so that a participant that comes back is not taken for what it was before.
    sending.firstMessage = m_random->GetInteger(0, UINT32_MAX);
    m_sender.Start(sending);
    m_bucket = JrmLeakyBucket(m_bucketRate, m_bucketDepth);
}

std::optional<JrmMessageId>
JrmPeer::SendMessage(Ipv4Address group, uint32_t bytes)
{
    if (!m_running || IsFinished() || !m_groups.contains(group.Get()))
    {
        return std::nullopt;
    }
    const Time now = Simulator::Now();
    const auto id = m_sender.Send(group.Get(), bytes, now);
    if (!id)
    {
        return std::nullopt;
    }
    Begin();
    m_report.offeredBytes += bytes;
    const auto packets = m_sender.CountPackets(bytes);
    for (uint64_t packet = 1; packet <= packets; ++packet)
    {
        const auto size = std::min<uint64_t>(m_packetSize, bytes - (packet - 1) * m_packetSize);
        const auto leaves = m_bucket.Admit(now, static_cast<uint32_t>(size) + JrmHeader::SIZE);
        m_queue.emplace_back(leaves,
                             JrmSenderCore::Response{*id, static_cast<uint16_t>(packet), bytes});
    }
    RestartHeartbeat();
    SendQueued();
    Work();
    return id;
}

void
JrmPeer::SendQueued()
{
    const Time now = Simulator::Now();
    while (!m_queue.empty() && m_queue.front().first <= now)
    {
        const auto packet = m_queue.front().second;
        m_queue.pop_front();
        SendData(JrmType::MSG, packet);
    }
    if (!m_queue.empty() && !m_queueEvent.IsPending())
    {
        m_queueEvent = Simulator::Schedule(m_queue.front().first - now, &JrmPeer::SendQueued, this);
    }
}

void
JrmPeer::SendData(JrmType type, const JrmSenderCore::Response& packet)
{
    const auto offset = (packet.packet - uint64_t{1}) * m_packetSize;
    const auto size =
        static_cast<uint32_t>(std::min<uint64_t>(m_packetSize, packet.length - offset));
    const auto datagram =
        m_checkContent
            ? PatternPayload::MakePacket(GetPatternOffset(packet.id, packet.packet), size)
            : Create<Packet>(size);
    datagram->AddHeader(JrmHeader(type, packet.id, packet.packet, packet.length));
    ++m_report.dataPackets;
    const bool isFirst = type == JrmType::MSG;
    ++(isFirst ? m_sent.msgPackets : m_sent.nackResponses);
    m_report.retransmittedPackets += isFirst ? 0 : 1;
    Send(datagram, InetSocketAddress(m_groups.at(packet.id.group), m_port), false);
}

void
JrmPeer::SendNack(const JrmReceiverCore::Nack& nack)
{
    const auto bytes = JrmNackList::Write(nack.packets);
    const auto datagram = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    datagram->AddHeader(JrmHeader(JrmType::NACK_REQ,
                                  nack.id,
                                  nack.packets.empty() ? 0 : nack.packets.front(),
                                  0,
                                  nack.all ? JrmHeader::ALL_PACKETS : 0));
    ++m_sent.nackRequests;
    ++m_report.controlPackets;
    // With suppression the others have to hear it (J-C13).
    const bool isMulticast = m_maxBackoff.IsStrictlyPositive();
    Send(datagram,
         isMulticast ? Address(InetSocketAddress(m_groups.at(nack.id.group), m_port))
                     : m_participants.at(nack.id.participant),
         true);
}

void
JrmPeer::Send(Ptr<Packet> packet, const Address& to, bool isNack)
{
    m_txTrace(packet);
    // The draw comes before every send, whatever may be discarded: equal runs stay equal.
    const bool isBad = m_error->GetValue(0, 1) < m_errorRate;
    if (isBad && (isNack ? m_errorOnNack : m_errorOnData))
    {
        ++m_sent.discarded;
        return;
    }
    // What the host cannot send now is as good as lost.
    m_socket->SendTo(packet, 0, to);
}

void
JrmPeer::OnDatagrams(Ptr<Socket> socket)
{
    Address from;
    while (!IsFinished())
    {
        const auto packet = socket->RecvFrom(from);
        if (!packet)
        {
            break;
        }
        m_rxTrace(packet);
        TakeDatagram(packet, from);
    }
    if (!IsFinished())
    {
        Work();
    }
}

void
JrmPeer::TakeDatagram(Ptr<Packet> packet, const Address& from)
{
    JrmHeader header;
    if (packet->RemoveHeader(header) == 0)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    const auto& id = header.GetId();
    if (!m_groups.contains(id.group))
    {
        DropPacket(packet, DropReason::UNEXPECTED); // another group of the same port
        return;
    }
    if (header.GetType() == JrmType::NACK_REQ)
    {
        TakeNack(header, packet);
        return;
    }
    const bool hasRoom = m_participants.size() < MAX_PARTICIPANTS;
    const auto known = hasRoom ? m_participants.try_emplace(id.participant, from).first
                               : m_participants.find(id.participant);
    if (id.participant == m_participant || known == m_participants.end() || known->second != from)
    {
        DropPacket(packet, DropReason::UNKNOWN_PEER); // another participant's number, or one's own
        return;
    }
    if (header.GetType() == JrmType::HEARTBEAT)
    {
        m_receiver.TakeHeartbeat(id, Simulator::Now());
        return;
    }
    TakeData(header, packet);
}

void
JrmPeer::TakeNack(const JrmHeader& header, Ptr<Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    auto packets = JrmNackList::Read(bytes);
    const bool all = (header.GetFlags() & JrmHeader::ALL_PACKETS) != 0;
    if (!packets)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    const auto& id = header.GetId();
    if (id.participant != m_participant)
    {
        std::sort(packets->begin(), packets->end());
        m_receiver.Overhear(id, *packets, all, Simulator::Now());
    }
    else if (!m_sender.TakeNack(id, *packets, all, Simulator::Now()))
    {
        DropPacket(packet, DropReason::OUT_OF_RANGE); // of what was never sent
    }
}

void
JrmPeer::TakeData(const JrmHeader& header, Ptr<Packet> packet)
{
    const auto& id = header.GetId();
    std::vector<uint8_t> data(m_keepData ? packet->GetSize() : 0);
    packet->CopyData(data.data(), static_cast<uint32_t>(data.size()));
    const auto refused = m_receiver.TakePacket(header, packet->GetSize(), data, Simulator::Now());
    if (refused)
    {
        DropPacket(packet, *refused);
    }
    else if (m_checkContent &&
             !PatternPayload::Matches(GetPatternOffset(id, header.GetPacket()), packet))
    {
        DropPacket(packet, DropReason::CORRUPT);
        Fail("the content of message " + std::to_string(id.message) + " is not what was sent");
    }
}

void
JrmPeer::Work()
{
    while (const auto nack = m_receiver.NextNack())
    {
        SendNack(*nack);
    }
    while (const auto response = m_sender.NextResponse())
    {
        if (m_bucketCountsRepairs)
        {
            // Only counted: NACK traffic has precedence, and what waits behind it waits longer.
            m_bucket.Admit(Simulator::Now(), m_packetSize + JrmHeader::SIZE);
        }
        SendData(JrmType::NACK_RESP, *response);
    }
    while (const auto delivery = m_receiver.NextDelivery())
    {
        m_report.deliveredBytes += delivery->length;
        m_report.lastDelivery = Simulator::Now();
        m_messageTrace(*delivery);
        if (!m_receive.IsNull())
        {
            m_receive(*delivery);
        }
        if (IsFinished())
        {
            return;
        }
    }
    auto deadline = m_receiver.GetDeadline();
    const auto other = m_sender.GetDeadline();
    if (other && (!deadline || *other < *deadline))
    {
        deadline = other;
    }
    if (!deadline || (m_timer.IsPending() && m_timerTime <= *deadline))
    {
        return; // it finds itself early and is set anew
    }
    m_timer.Cancel();
    m_timerTime = std::max(*deadline, Simulator::Now());
    m_timer = Simulator::Schedule(m_timerTime - Simulator::Now(), &JrmPeer::OnTimer, this);
}

void
JrmPeer::OnTimer()
{
    m_receiver.Expire(Simulator::Now());
    m_sender.Expire(Simulator::Now());
    Work();
}

void
JrmPeer::RestartHeartbeat()
{
    if (m_heartbeat.IsStrictlyPositive())
    {
        m_heartbeatEvent.Cancel();
        m_heartbeatWait = m_heartbeat;
        m_heartbeatEvent = Simulator::Schedule(m_heartbeatWait, &JrmPeer::SendHeartbeats, this);
    }
}

void
JrmPeer::SendHeartbeats()
{
    constexpr int64_t LARGEST = 64; // in units of the first wait: then the stream counts as ended
    for (const auto& [number, group] : m_groups)
    {
        if (const auto newest = m_sender.GetNewest(number))
        {
            const auto datagram = Create<Packet>();
            datagram->AddHeader(JrmHeader(JrmType::HEARTBEAT, *newest, 0, 0));
            ++m_sent.heartbeats;
            ++m_report.controlPackets;
            Send(datagram, InetSocketAddress(group, m_port), false);
        }
    }
    m_heartbeatWait = m_heartbeatWait + m_heartbeatWait;
    if (m_heartbeatWait <= m_heartbeat * LARGEST)
    {
        m_heartbeatEvent = Simulator::Schedule(m_heartbeatWait, &JrmPeer::SendHeartbeats, this);
    }
}

uint64_t
JrmPeer::GetPatternOffset(const JrmMessageId& id, uint16_t packet) const
{
    // Messages start 4 GiB apart, in an order that every participant knows.
    const auto place = id.message + id.participant * uint32_t{2654435761} + id.group;
    return (uint64_t{place} << 32) + (packet - uint64_t{1}) * m_packetSize;
}

void
JrmPeer::CancelEvents()
{
    m_running = false;
    m_timer.Cancel();
    m_queueEvent.Cancel();
    m_heartbeatEvent.Cancel();
    m_queue.clear();
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket->Close();
        m_socket = nullptr;
    }
}

} // namespace ns3::lfn
