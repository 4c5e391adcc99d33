// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-peer.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("JrmPeer");

JrmPeer::JrmPeer()
    : m_random(CreateObject<UniformRandomVariable>())
{
    m_report.protocol = "jrm";
}

void
JrmPeer::SetReceive(ReceiveCallback receive)
{
    NS_LOG_FUNCTION(this);
    m_receive = receive;
}

bool
JrmPeer::Join(const Address& group, const std::vector<Ptr<NetDevice>>& devices)
{
    NS_LOG_FUNCTION(this << group << devices.size());
    const auto isNew = m_groups.Join(group, devices);
    if (isNew == true && m_running)
    {
        Listen(group);
    }
    return isNew.has_value();
}

bool
JrmPeer::Leave(const Address& group)
{
    NS_LOG_FUNCTION(this << group);
    const auto number = m_groups.Leave(group);
    if (number)
    {
        m_receiver.Leave(*number);
    }
    return number.has_value();
}

int64_t
JrmPeer::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_errors.send->SetStream(stream);
    m_random->SetStream(stream + 1);
    m_errors.receive->SetStream(stream + 2);
    return 3;
}

void
JrmPeer::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (IsFinished())
    {
        return;
    }
    StartCores();
    m_gate = HostSendGate(m_hostCost);
    StartHost(MakeCallback(&JrmPeer::GetWork, this), MakeCallback(&JrmPeer::OnServed, this));
    m_receiver.SetObserver([](const JrmReceiverCore::Decision& decision) {
        NS_LOG_LOGIC(decision.id << ": " << decision.what << "; missing packets "
                                 << decision.missing << ", requests " << decision.attempts
                                 << ", timer " << decision.wait.As(Time::MS));
    });
    NS_LOG_INFO("participant " << m_sending.participant
                               << " starts, groups: " << m_groups.GetAll().size());
    m_running = true;
    for (const auto& [number, group] : m_groups.GetAll())
    {
        Listen(group);
    }
}

void
JrmPeer::Listen(const Address& group)
{
    if (IsFinished())
    {
        return;
    }
    NS_LOG_INFO("listens to " << group << ", port " << m_port);
    const auto received = MakeCallback(&JrmPeer::OnDatagrams, this);
    const auto trouble = m_groups.Listen(GetNode(), group, m_port, m_tos, received);
    if (!trouble.empty())
    {
        Fail(trouble);
    }
}

bool
JrmPeer::Offer(uint64_t bytes)
{
    const auto groups = GetGroups();
    return bytes > 0 && bytes <= UINT32_MAX && !groups.empty() &&
           SendMessage(groups[0], static_cast<uint32_t>(bytes));
}

std::optional<JrmMessageId>
JrmPeer::SendMessage(const Address& group, uint32_t bytes)
{
    NS_LOG_FUNCTION(this << group << bytes);
    const auto number = m_groups.Find(group);
    if (!m_running || IsFinished() || !number)
    {
        return std::nullopt;
    }
    const Time now = Simulator::Now();
    const auto id = m_sender.Send(*number, bytes, now);
    if (!id)
    {
        return std::nullopt;
    }
    NS_LOG_DEBUG(*id << " has " << bytes << " B, messages retained " << m_sender.GetKept());
    Begin();
    const auto packets = m_sender.CountPackets(bytes);
    for (uint64_t number = 1; number <= packets; ++number)
    {
        const JrmSenderCore::Response packet{*id, static_cast<uint16_t>(number), bytes};
        const auto size = m_content.GetSize(packet);
        const Time due = m_bucket.Admit(now, size + JrmHeader::SIZE);
        const uint64_t place = m_report.offeredBytes + (number - 1) * m_receiving.packetSize;
        m_queue.emplace_back(m_gate.Admit(now, due, size, {place, size}), packet);
    }
    m_report.offeredBytes += bytes;
    if (m_queue.back().first > now)
    {
        m_sender.Retain(*id, m_queue.back().first);
    }
    SendQueued();
    SendPending();
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
        if (m_bucketRate.GetBitRate() > 0 || m_hostCost)
        {
            m_sender.Release(packet.id, packet.packet);
        }
    }
    if (!m_queue.empty() && !m_queueEvent.IsPending())
    {
        NS_LOG_LOGIC("the bucket holds back " << m_queue.size() << " packets, the first one until "
                                              << m_queue.front().first.As(Time::S));
        m_queueEvent = Simulator::Schedule(m_queue.front().first - now, &JrmPeer::SendQueued, this);
    }
}

void
JrmPeer::SendData(JrmType type, const JrmSenderCore::Response& packet)
{
    NS_LOG_FUNCTION(this << ToString(type) << packet.id.message << packet.packet << packet.length);
    const auto datagram = m_content.Make(packet);
    const bool isFirst = type == JrmType::MSG;
    const uint8_t earlier = isFirst ? GetEarlier(packet.id) : 0;
    datagram->AddHeader(JrmHeader(type, packet.id, packet.packet, packet.length, earlier));
    ++m_report.dataPackets;
    ++(isFirst ? m_sent.msgPackets : m_sent.nackResponses);
    m_sent.parities += packet.parity ? 1 : 0;
    m_report.retransmittedPackets += isFirst ? 0 : 1;
    SendToGroup(datagram, packet.id.group, false);
    const bool isLast = packet.packet == m_sender.CountPackets(packet.length);
    if (isFirst && isLast && m_receiving.grtt)
    {
        Probe(packet.id.group);
    }
    if (isFirst && isLast && m_heartbeat.IsStrictlyPositive())
    {
        auto& beat = m_beats[packet.id.group];
        beat.event.Cancel();
        beat.newest = packet.id;
        beat.wait = m_heartbeat;
        beat.event = Simulator::Schedule(beat.wait, &JrmPeer::SendHeartbeat, this, packet.id.group);
    }
}

void
JrmPeer::SendNack(const JrmReceiverCore::Nack& nack)
{
    NS_LOG_FUNCTION(this << nack.id.message << nack.packets.size() << nack.all);
    const auto bytes = JrmNackList::Write(nack.packets);
    const auto datagram = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    datagram->AddHeader(
        JrmHeader(JrmType::NACK_REQ,
                  nack.id,
                  nack.packets.empty() ? 0 : nack.packets.front(),
                  0,
                  static_cast<uint8_t>((nack.all ? JrmHeader::ALL_PACKETS : 0) |
                                       (m_receiving.parityBlock > 0 ? JrmHeader::PARITIES : 0))));
    NS_LOG_INFO("sends a NACK of " << nack.id << ", packets " << nack.packets.size() << ", all "
                                   << nack.all << ", to the group "
                                   << m_receiving.maxBackoff.IsStrictlyPositive());
    ++m_sent.nackRequests;
    ++m_report.controlPackets;
    m_nackTrace(nack.id);
    // With suppression the others have to receive it (J-C13).
    if (m_receiving.maxBackoff.IsStrictlyPositive())
    {
        SendToGroup(datagram, nack.id.group, true);
        return;
    }
    if (!IsDiscarded(datagram, true))
    {
        m_groups.Send(datagram, JrmGroups::GetAddress(nack.source));
    }
}

void
JrmPeer::Probe(uint32_t group)
{
    auto settings = m_probing;
    settings.longest = m_receiving.adapt.longest;
    auto& grtt = m_grtts.try_emplace(group, settings).first->second;
    const Time now = Simulator::Now();
    if (!grtt.IsDue(now))
    {
        return;
    }
    const auto number = m_random->GetInteger(0, UINT32_MAX);
    const auto reported = grtt.Probe(number, now);
    if (const auto longest = grtt.Get())
    {
        // A receiver that asks waits for GrttFactor of it before it asks again.
        const double part = std::min(m_holdOff * m_receiving.grttFactor, 1.0);
        m_sender.SetHoldOff(group, Time::FromDouble(longest->ToDouble(Time::S) * part, Time::S));
    }
    NS_LOG_LOGIC("probe " << number << " reports GRTT "
                          << grtt.Get().value_or(Time()).As(Time::MS));
    const auto datagram = Create<Packet>();
    datagram->AddHeader(
        JrmHeader(JrmType::PROBE, {m_sending.participant, group, number}, reported, 0));
    ++m_sent.probes;
    ++m_report.controlPackets;
    SendToGroup(datagram, group, false);
}

void
JrmPeer::SendAnswer(const JrmReceiverCore::Answer& answer)
{
    NS_LOG_FUNCTION(this << answer.id.message << answer.held);
    const auto held = std::min<int64_t>(answer.held.GetMicroSeconds(), UINT32_MAX);
    const auto datagram = Create<Packet>();
    datagram->AddHeader(JrmHeader(JrmType::ANSWER, answer.id, 0, static_cast<uint32_t>(held)));
    ++m_sent.answers;
    ++m_report.controlPackets;
    if (!IsDiscarded(datagram, true))
    {
        m_groups.Send(datagram, JrmGroups::GetAddress(answer.source));
    }
}

void
JrmPeer::SendToGroup(Ptr<Packet> packet, uint32_t group, bool isNack)
{
    if (!IsDiscarded(packet, isNack))
    {
        m_groups.SendToGroup(packet, group, m_port);
    }
}

bool
JrmPeer::IsDiscarded(Ptr<const Packet> packet, bool isNack)
{
    m_txTrace(packet);
    if (!m_errors.IsDiscarded(isNack))
    {
        return false;
    }
    NS_LOG_LOGIC("ErrorRate discards a datagram of " << packet->GetSize()
                                                     << " B, request: " << isNack);
    ++m_sent.discarded;
    return true;
}

void
JrmPeer::OnDatagrams(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Address from;
    while (!IsFinished())
    {
        const auto packet = socket->RecvFrom(from);
        if (!packet)
        {
            break;
        }
        ++m_received;
        if (m_errors.IsLost(packet))
        {
            NS_LOG_LOGIC("ReceiveErrorRate discards a datagram of " << packet->GetSize() << " B");
            continue;
        }
        m_rxTrace(packet);
        if (!m_host)
        {
            OnDatagram(packet, from);
        }
        else if (!m_host->Arrive(packet, from))
        {
            DropPacket(packet, DropReason::BUFFER_FULL);
        }
    }
    if (!IsFinished())
    {
        SendPending();
    }
}

void
JrmPeer::OnDatagram(Ptr<Packet> packet, const Address& from)
{
    NS_LOG_FUNCTION(this << packet << from);
    JrmHeader header;
    if (packet->RemoveHeader(header) == 0)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    const auto& id = header.id;
    const bool isNack = header.type == JrmType::NACK_REQ;
    const bool isAnswer = header.type == JrmType::ANSWER;
    const bool isOwn = (isNack || isAnswer) && id.participant == m_sending.participant &&
                       m_sender.HasSentTo(id.group);
    if (!m_groups.IsSameIp(id.group, from) || (!m_groups.IsJoined(id.group) && !isOwn))
    {
        DropPacket(packet, DropReason::UNEXPECTED); // another group of the same port
        return;
    }
    NS_LOG_DEBUG(ToString(header.type)
                 << " of " << id << ", PSN " << header.packet << ", length " << header.length);
    if (isNack)
    {
        OnNack(header, packet, JrmGroups::GetSource(from));
        return;
    }
    if (!isAnswer && id.participant == m_sending.participant)
    {
        DropPacket(packet, DropReason::UNKNOWN_PEER); // one's own number
        return;
    }
    const auto source = JrmGroups::GetSource(from);
    const Time now = Simulator::Now();
    std::optional<DropReason> refused;
    switch (header.type)
    {
    case JrmType::ANSWER:
        refused = OnAnswer(header);
        break;
    case JrmType::PROBE:
        refused = m_receiver.OnProbe(id, header.packet, now, source);
        break;
    case JrmType::HEARTBEAT:
        refused = m_receiver.OnHeartbeat(id, now, source, header.flags);
        break;
    default:
        refused = OnData(header, packet, source);
        break;
    }
    if (refused)
    {
        NS_LOG_LOGIC(id << ": the datagram is refused: " << *refused);
        DropPacket(packet, *refused);
    }
}

std::optional<DropReason>
JrmPeer::OnAnswer(const JrmHeader& header)
{
    const auto grtt = m_grtts.find(header.id.group);
    if (header.id.participant != m_sending.participant || grtt == m_grtts.end())
    {
        return DropReason::UNEXPECTED;
    }
    return grtt->second.OnAnswer(header.id.message, MicroSeconds(header.length), Simulator::Now());
}

void
JrmPeer::OnNack(const JrmHeader& header, Ptr<Packet> packet, const JrmSource& source)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    auto packets = JrmNackList::Read(bytes);
    const bool all = (header.flags & JrmHeader::ALL_PACKETS) != 0;
    const bool parities = (header.flags & JrmHeader::PARITIES) != 0;
    if (!packets)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    const auto& id = header.id;
    if (id.participant != m_sending.participant)
    {
        std::sort(packets->begin(), packets->end());
        m_receiver.OnForeignNack(id, *packets, all, Simulator::Now(), parities);
    }
    else if (const auto refused =
                 m_sender.OnNack(id, *packets, all, Simulator::Now(), source, parities))
    {
        NS_LOG_LOGIC("a request for " << packets->size() << " packets of " << id
                                      << " is refused: " << *refused);
        DropPacket(packet, *refused);
    }
}

std::optional<DropReason>
JrmPeer::OnData(const JrmHeader& header, Ptr<Packet> packet, const JrmSource& source)
{
    const auto& id = header.id;
    std::optional<JrmParity> parity;
    if (header.type == JrmType::PARITY)
    {
        std::vector<uint8_t> numbers(std::min(packet->GetSize(), JrmParity::SIZE));
        packet->CopyData(numbers.data(), static_cast<uint32_t>(numbers.size()));
        parity = JrmParity::Read(numbers);
        if (!parity)
        {
            return DropReason::MALFORMED;
        }
        packet->RemoveAtStart(JrmParity::SIZE);
    }
    const bool isKept = IsDataKept();
    std::vector<uint8_t> data(isKept ? packet->GetSize() : 0);
    packet->CopyData(data.data(), static_cast<uint32_t>(data.size()));
    const auto refused =
        m_receiver.OnPacket(header, packet->GetSize(), data, Simulator::Now(), source, parity);
    if (!refused && m_checkContent && !parity && !m_content.Matches(id, header.packet, packet))
    {
        Fail("the content of message " + std::to_string(id.message) + " is not what was sent");
        return DropReason::CORRUPT;
    }
    return refused;
}

bool
JrmPeer::CheckWhole(const JrmReceiverCore::Delivery& delivery)
{
    if (!m_checkContent || m_receiving.parityBlock == 0)
    {
        return true;
    }
    const auto& data = delivery.data;
    const auto whole = Create<Packet>(data.data(), static_cast<uint32_t>(data.size()));
    const bool isGood = m_content.Matches(delivery.id, 1, whole);
    if (!isGood)
    {
        Fail("the content of message " + std::to_string(delivery.id.message) +
             " is not what was sent");
    }
    return isGood;
}

void
JrmPeer::SendPending()
{
    while (const auto nack = m_receiver.NextNack())
    {
        SendNack(*nack);
    }
    while (const auto answer = m_receiver.NextAnswer())
    {
        SendAnswer(*answer);
    }
    while (const auto response = m_sender.NextResponse())
    {
        if (m_bucketCountsRepairs)
        {
            // Only counted: NACK traffic has precedence, and what waits behind it waits longer.
            const auto more = response->parity ? JrmParity::SIZE : 0;
            m_bucket.Admit(Simulator::Now(), m_content.GetSize(*response) + JrmHeader::SIZE + more);
        }
        m_gate.Admit(Simulator::Now(), Simulator::Now(), m_content.GetSize(*response)); // likewise
        NS_LOG_INFO("answers with " << (response->parity ? "a parity" : "a retransmission")
                                    << " of " << response->id << ", PSN " << response->packet);
        SendData(response->parity ? JrmType::PARITY : JrmType::NACK_RESP, *response);
    }
    if (m_receiver.GetLostBytes() > m_report.lostBytes)
    {
        NS_LOG_WARN("a message is lost after MaxNackAttempts requests; lost so far: "
                    << m_receiver.GetLostBytes() << " B");
    }
    m_report.lostBytes = m_receiver.GetLostBytes();
    if (Deliver())
    {
        SetTimer();
    }
}

bool
JrmPeer::Deliver()
{
    while (const auto delivery = m_receiver.NextDelivery())
    {
        if (!CheckWhole(*delivery))
        {
            return false;
        }
        NS_LOG_INFO(delivery->id << " is complete, " << delivery->length << " B in "
                                 << (delivery->end - delivery->begin).As(Time::MS));
        m_report.deliveredBytes += delivery->length;
        m_report.lastDelivery = Simulator::Now();
        m_progressTrace(m_report.deliveredBytes, m_receiver.GetOfferedBytes());
        m_messageTrace(*delivery);
        if (!m_receive.IsNull())
        {
            m_receive(*delivery);
        }
        if (IsFinished())
        {
            return false;
        }
    }
    return true;
}

void
JrmPeer::SetTimer()
{
    auto deadline = m_receiver.GetDeadline();
    const auto other = m_sender.GetDeadline();
    if (other && (!deadline || *other < *deadline))
    {
        deadline = other;
    }
    if (!deadline || (m_timer.IsPending() && m_timerTime <= *deadline))
    {
        return; // it finds itself early and is set again
    }
    m_timer.Cancel();
    m_timerTime = std::max(*deadline, Simulator::Now());
    m_timer = Simulator::Schedule(m_timerTime - Simulator::Now(), &JrmPeer::OnTimer, this);
}

void
JrmPeer::OnTimer()
{
    NS_LOG_FUNCTION(this);
    m_receiver.Expire(Simulator::Now());
    m_sender.Expire(Simulator::Now());
    SendPending();
}

uint8_t
JrmPeer::GetEarlier(const JrmMessageId& id) const
{
    return m_receiving.fromBeginning ? m_sender.CountEarlier(id) : uint8_t{0};
}

void
JrmPeer::SendHeartbeat(uint32_t group)
{
    NS_LOG_FUNCTION(this << group);
    constexpr int64_t LARGEST = 64; // in units of the first wait: then the stream counts as ended
    auto& beat = m_beats.at(group);
    const auto datagram = Create<Packet>();
    auto next = beat.newest;
    ++next.message;
    datagram->AddHeader(JrmHeader(JrmType::HEARTBEAT, beat.newest, 0, 0, GetEarlier(next)));
    ++m_sent.heartbeats;
    ++m_report.controlPackets;
    SendToGroup(datagram, group, false);
    beat.wait = beat.wait + beat.wait;
    // As many years as the first wait may have are as far as the sum of waits may go.
    if (beat.wait <= std::min(m_heartbeat, Days(3650) / LARGEST) * LARGEST)
    {
        beat.event = Simulator::Schedule(beat.wait, &JrmPeer::SendHeartbeat, this, group);
    }
}

void
JrmPeer::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_running = false;
    m_timer.Cancel();
    m_queueEvent.Cancel();
    for (auto& [group, beat] : m_beats)
    {
        beat.event.Cancel();
    }
    m_queue.clear();
    m_groups.Close(GetNode());
}

} // namespace ns3::lfn
