// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-receiver.h"

#include "ns3/address.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/integer.h"
#include "ns3/lfn-listen-address.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("VrpReceiver");
NS_OBJECT_ENSURE_REGISTERED(VrpReceiver);

namespace
{

constexpr uint16_t NUMBER_MASK = VrpHeader::FRAME_NUMBERS - 1; //!< 15 bits
constexpr uint16_t OLD_NUMBER = VrpHeader::FRAME_NUMBERS / 4;  //!< distance of forgotten numbers

/// How far a frame number is ahead of another, in the circle of numbers.
uint16_t
Distance(uint16_t from, uint16_t to)
{
    return static_cast<uint16_t>(to - from) & NUMBER_MASK;
}

} // namespace

TypeId
VrpReceiver::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::VrpReceiver")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<VrpReceiver>()
            .AddAttribute("Local",
                          "IPv4 or IPv6 address to listen on, with or without a port; every "
                          "address of both families when it is not set.",
                          AddressValue(),
                          MakeAddressAccessor(&VrpReceiver::m_local),
                          MakeAddressChecker())
            .AddAttribute("Port",
                          "UDP port, unless Local has one.",
                          UintegerValue(7667),
                          MakeUintegerAccessor(&VrpReceiver::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("MaxIncomingFrames",
                          "Frames that may have a block at once; FRAME_REFUSED answers the rest "
                          "(section 3.1).",
                          UintegerValue(64),
                          MakeUintegerAccessor(&VrpReceiver::m_maxIncomingFrames),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Algorithm",
                          "Who judges losses: the improved algorithm (section 2.3.4) or the "
                          "original one (section 2.2.2).",
                          EnumValue(VrpIncomingFrame::Algorithm::ANTICIPATING),
                          MakeEnumAccessor<VrpIncomingFrame::Algorithm>(&VrpReceiver::m_algorithm),
                          MakeEnumChecker(VrpIncomingFrame::Algorithm::ANTICIPATING,
                                          "Anticipating",
                                          VrpIncomingFrame::Algorithm::BASIC,
                                          "Basic"))
            .AddAttribute("HistoryWindow",
                          "window_size, the packets over which losses are counted (section "
                          "2.3.4); also the basic algorithm's receive window.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&VrpReceiver::m_historyWindow),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LossRounding",
                          "How the loss rate becomes a number of packets (VRP-C3).",
                          EnumValue(VrpLossRounding::FLOOR),
                          MakeEnumAccessor<VrpLossRounding>(&VrpReceiver::m_rounding),
                          MakeEnumChecker(VrpLossRounding::FLOOR,
                                          "Floor",
                                          VrpLossRounding::NEAREST,
                                          "Nearest"))
            .AddAttribute("ShortFrameScaling",
                          "Apply the loss rate to frames shorter than HistoryWindow as a whole "
                          "(VRP-C4).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpReceiver::m_shortFrameScaling),
                          MakeBooleanChecker())
            .AddAttribute("DefaultMaxLossRate",
                          "Loss rate of frames whose sender tells none, 0 to 1.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&VrpReceiver::m_defaultLossRate),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DefaultMaxBurst",
                          "Longest accepted loss of frames whose sender tells none, in bytes; -1 "
                          "for no limit.",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&VrpReceiver::m_defaultBurst),
                          MakeIntegerChecker<int64_t>(-1))
            .AddAttribute("AckAcceptedLoss",
                          "Acknowledge accepted losses by SINGLE_ACK (VRP-C6).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&VrpReceiver::m_ackAcceptedLoss),
                          MakeBooleanChecker())
            .AddAttribute("AckRepeats",
                          "Acknowledge by SINGLE_ACK also what was demanded and what comes twice.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&VrpReceiver::m_ackRepeats),
                          MakeBooleanChecker())
            .AddAttribute("TakeLateLoss",
                          "Take the data of an accepted loss that comes after all (VRP-C2).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&VrpReceiver::m_takeLateLoss),
                          MakeBooleanChecker())
            .AddAttribute("NackWholeHole",
                          "Basic algorithm: demand every packet of a hole that is too large, as "
                          "figure 6 has it, not only the one that is awaited (section 2.3.1 names "
                          "both faults).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&VrpReceiver::m_nackWholeHole),
                          MakeBooleanChecker())
            .AddAttribute("MaxGap",
                          "Refuse a packet further ahead of the highest received one, in packets; "
                          "no smaller than the largest window of a sender.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&VrpReceiver::m_maxGap),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxControlSize",
                          "Largest control packet, in bytes; longer answers are split.",
                          UintegerValue(1472),
                          MakeUintegerAccessor(&VrpReceiver::m_maxControlSize),
                          MakeUintegerChecker<uint32_t>(64, 65507))
            .AddAttribute("FrameTimeout",
                          "Life timeout of a frame of which nothing comes (section 2.4.3).",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&VrpReceiver::m_frameTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("RememberTime",
                          "How long a delivered frame is known after its block is gone (VRP-C18).",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&VrpReceiver::m_rememberTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxFrameSize",
                          "Refuse larger frames, in bytes.",
                          UintegerValue(1U << 30),
                          MakeUintegerAccessor(&VrpReceiver::m_maxFrameSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("KeepData",
                          "Keep the bytes of frames for delivery.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpReceiver::m_keepData),
                          MakeBooleanChecker())
            .AddAttribute("FreeEarly",
                          "Free a block when its frame is delivered, not when the sender closes it "
                          "(section 5, future work).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpReceiver::m_freeEarly),
                          MakeBooleanChecker())
            .AddAttribute("CheckContent",
                          "Compare every byte with the pattern that VrpFrameSource sends.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpReceiver::m_checkContent),
                          MakeBooleanChecker())
            .AddAttribute("HostCost",
                          "What a packet costs this host; nothing when it is not set.",
                          PointerValue(),
                          MakePointerAccessor(&VrpReceiver::m_hostCost),
                          MakePointerChecker<HostCost>())
            .AddTraceSource("FrameReceived",
                            "A frame is delivered.",
                            MakeTraceSourceAccessor(&VrpReceiver::m_frameTrace),
                            "ns3::lfn::VrpReceiver::FrameTracedCallback");
    return tid;
}

VrpReceiver::VrpReceiver()
{
    m_report.protocol = "vrp";
}

VrpReceiver::~VrpReceiver() = default;

void
VrpReceiver::SetReceive(ReceiveCallback receive)
{
    m_receive = receive;
}

VrpReceiver::PeerTotals
VrpReceiver::GetPeerTotals(const Address& peer) const
{
    const auto found = m_peers.find(peer);
    return found == m_peers.end() ? PeerTotals{} : found->second.totals;
}

std::size_t
VrpReceiver::GetBlocks() const
{
    return m_blocks;
}

uint64_t
VrpReceiver::GetBlockBytes() const
{
    return m_blockBytes;
}

uint64_t
VrpReceiver::GetPeakBlockBytes() const
{
    return m_peakBlockBytes;
}

bool
VrpReceiver::IsEndless() const
{
    return true; // a receiver ends when it is stopped
}

VrpIncomingFrame::Rules
VrpReceiver::MakeRules() const
{
    VrpIncomingFrame::Rules rules;
    rules.algorithm = m_algorithm;
    rules.limits.historyWindow = m_historyWindow;
    rules.limits.maxGap = m_maxGap;
    rules.limits.ackAcceptedLoss = m_ackAcceptedLoss;
    rules.limits.ackRepeats = m_ackRepeats;
    rules.limits.takeLateLoss = m_takeLateLoss;
    rules.limits.nackWholeHole = m_nackWholeHole;
    rules.rounding = m_rounding;
    rules.shortFrameScaling = m_shortFrameScaling;
    rules.defaultLossRate = VrpLossRules::RateToByte(m_defaultLossRate);
    if (m_defaultBurst >= 0)
    {
        rules.defaultBurst = static_cast<uint64_t>(m_defaultBurst);
    }
    rules.keepData = m_keepData;
    return rules;
}

void
VrpReceiver::StartApplication()
{
    if (IsFinished())
    {
        return;
    }
    if (m_hostCost)
    {
        m_host = CreateObject<HostQueue>();
        m_host->SetCost(m_hostCost);
        m_host->SetServiceTime(MakeCallback(&VrpReceiver::GetServiceTime, this));
        m_host->SetDeliver(MakeCallback(&VrpReceiver::TakePacket, this));
    }
    const auto addresses = MakeListenAddresses(m_local, m_port);
    for (const auto& address : addresses)
    {
        const auto socket = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
        m_sockets.emplace_back(InetSocketAddress::IsMatchingType(address), socket);
        if (socket->Bind(address) != 0)
        {
            Fail("UDP port " + std::to_string(m_port) +
                 " is in use or Local is no address of this node");
            return;
        }
        socket->SetRecvCallback(MakeCallback(&VrpReceiver::OnDatagrams, this));
    }
    if (addresses.empty())
    {
        Fail("Local is no IP address");
    }
}

void
VrpReceiver::OnDatagrams(Ptr<Socket> socket)
{
    Address from;
    while (!IsFinished())
    {
        const auto packet = socket->RecvFrom(from);
        if (!packet)
        {
            return;
        }
        if (!m_host)
        {
            TakePacket(packet, from);
        }
        else if (!m_host->Arrive(packet, from))
        {
            DropPacket(packet, DropReason::BUFFER_FULL);
        }
    }
}

Time
VrpReceiver::GetServiceTime(Ptr<const Packet> packet)
{
    const auto bytes = packet->GetSize() - std::min(packet->GetSize(), VrpHeader::SIZE);
    return m_hostCost->GetReadTime(bytes) + m_hostCost->GetMoveTime(bytes);
}

VrpReceiver::Peer*
VrpReceiver::FindPeer(const Address& address)
{
    const auto found = m_peers.find(address);
    return found == m_peers.end() ? nullptr : &found->second;
}

void
VrpReceiver::TakePacket(Ptr<Packet> packet, const Address& from)
{
    if (IsFinished())
    {
        return;
    }
    m_rxTrace(packet);
    VrpHeader header;
    if (packet->RemoveHeader(header) == 0)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    if (header.IsControl())
    {
        TakeControl(header.GetFrame(), packet, from);
        return;
    }
    auto* peer = FindPeer(from);
    Tags tags;
    if (peer && peer->blocks.contains(header.GetFrame()))
    {
        TakeData(*peer, header.GetFrame(), header.GetPacket(), packet, tags);
        return;
    }
    const auto done = peer ? peer->done.find(header.GetFrame()) : decltype(peer->done)::iterator();
    if (peer && done != peer->done.end())
    {
        DropPacket(packet, DropReason::DUPLICATE);
        if (done->second > 0)
        {
            Reply({}, done->second - 1, tags, header.GetFrame(), *peer);
        }
        return;
    }
    DropPacket(packet, DropReason::UNANNOUNCED);
    tags.push_back(VrpTag::OfFrame(VrpTagCode::MISSING_HDR, header.GetFrame()));
    Send(tags, header.GetFrame(), from);
}

void
VrpReceiver::TakeControl(uint16_t frame, Ptr<Packet> packet, const Address& from)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    const auto control = VrpControl::Read(bytes);
    if (!control)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    auto* peer = FindPeer(from);
    Tags answer;
    for (const auto& tag : control->tags)
    {
        if (tag.code == VrpTagCode::PING)
        {
            auto pong = tag;
            pong.code = VrpTagCode::PONG;
            answer.push_back(pong);
            if (peer) // it opens anew, its numbers start anywhere
            {
                peer->done.clear();
                peer->finished.clear();
            }
        }
        else if (tag.code == VrpTagCode::FRAME_CLOSE && peer && peer->blocks.contains(tag.frame))
        {
            Release(*peer, tag.frame); // before FRAME_CREATE, for which it may make room
        }
    }
    const auto created = VrpFrameHeader::FromTags(control->tags);
    if (created)
    {
        peer = TakeCreate(*created, from, answer);
    }
    else if (std::any_of(control->tags.begin(), control->tags.end(), [](const auto& tag) {
                 return tag.code == VrpTagCode::FRAME_CREATE;
             }))
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    if (answer.empty())
    {
        return;
    }
    if (!created || !peer)
    {
        Send(answer, frame, from);
        return;
    }
    const auto block = peer->blocks.find(created->number);
    if (block == peer->blocks.end()) // delivered and gone
    {
        const auto packets = created->GetPackets();
        Reply({},
              packets > 0 ? std::optional<uint32_t>(packets - 1) : std::nullopt,
              answer,
              frame,
              *peer);
    }
    else if (packet->GetSize() > control->size)
    {
        packet->RemoveAtStart(control->size);
        TakeData(*peer, created->number, 0, packet, answer);
    }
    else
    {
        const auto ack = block->second.frame->GetWindow().GetCumulativeAck();
        if (block->second.frame->IsReceiving() && block->second.frame->GetWindow().IsComplete())
        {
            Deliver(*peer, created->number); // a frame without data
        }
        Reply({}, ack, answer, frame, *peer);
    }
}

VrpReceiver::Peer*
VrpReceiver::TakeCreate(const VrpFrameHeader& header, const Address& from, Tags& tags)
{
    auto* peer = FindPeer(from);
    if (peer)
    {
        const auto block = peer->blocks.find(header.number);
        if (block != peer->blocks.end() && block->second.frame->GetHeader() == header)
        {
            // C7: the first FRAME_OK may be lost.
            tags.push_back(VrpTag::OfFrame(VrpTagCode::FRAME_OK, header.number));
            return peer;
        }
        const auto done = peer->done.find(header.number);
        if (done != peer->done.end() && done->second == header.GetPackets())
        {
            tags.push_back(VrpTag::OfFrame(VrpTagCode::FRAME_OK, header.number));
            return peer;
        }
        if (block != peer->blocks.end()) // another frame of that number is still here
        {
            tags.push_back(VrpTag::OfFrame(VrpTagCode::FRAME_REFUSED, header.number));
            return nullptr;
        }
    }
    if (m_blocks >= m_maxIncomingFrames || header.dataSize > m_maxFrameSize)
    {
        tags.push_back(VrpTag::OfFrame(VrpTagCode::FRAME_REFUSED, header.number));
        return nullptr;
    }
    Begin();
    if (!peer)
    {
        peer = &m_peers[from];
        peer->address = from;
        peer->newest = header.number;
        peer->totals.report.protocol = m_report.protocol;
        peer->totals.report.started = true;
        peer->totals.report.start = Simulator::Now();
    }
    Renew(*peer, header.number);
    m_report.offeredBytes += header.dataSize;
    peer->totals.report.offeredBytes += header.dataSize;
    auto& block = peer->blocks[header.number];
    block.frame = std::make_unique<VrpIncomingFrame>(header, MakeRules(), Simulator::Now());
    block.lastHeard = Simulator::Now();
    block.life =
        Simulator::Schedule(m_frameTimeout, &VrpReceiver::CheckLife, this, from, header.number);
    ++m_blocks;
    Account(block, block.frame->GetMemory());
    tags.push_back(VrpTag::OfFrame(VrpTagCode::FRAME_OK, header.number));
    return peer;
}

void
VrpReceiver::Renew(Peer& peer, uint16_t number)
{
    if (Distance(peer.newest, number) < VrpHeader::FRAME_NUMBERS / 2)
    {
        peer.newest = number;
    }
    while (!peer.finished.empty() &&
           (peer.finished.front().forget <= Simulator::Now() ||
            Distance(peer.finished.front().number, peer.newest) > OLD_NUMBER))
    {
        peer.done.erase(peer.finished.front().number);
        peer.finished.pop_front();
    }
    peer.done.erase(number); // another frame than the one remembered
}

void
VrpReceiver::TakeData(Peer& peer, uint16_t number, uint32_t index, Ptr<Packet> packet, Tags& tags)
{
    auto& block = peer.blocks.at(number);
    auto& frame = *block.frame;
    block.lastHeard = Simulator::Now();
    m_answer.nacks.clear();
    m_answer.acceptedAcks.clear();
    m_answer.singleAcks.clear();
    if (index < frame.GetHeader().GetPackets() &&
        packet->GetSize() != frame.GetHeader().GetPacketBytes(index))
    {
        DropPacket(packet, DropReason::WRONG_LENGTH);
        Reply(m_answer, frame.GetWindow().GetCumulativeAck(), tags, number, peer);
        return;
    }
    switch (frame.Take(index, m_answer))
    {
    case VrpReceiveWindow::Outcome::STORE:
        if (!Store(frame, index, packet))
        {
            DropPacket(packet, DropReason::CORRUPT);
            Fail("the content of packet " + std::to_string(index) + " of frame " +
                 std::to_string(number) + " is not what was sent");
            return;
        }
        break;
    case VrpReceiveWindow::Outcome::DUPLICATE:
        ++peer.totals.duplicates;
        DropPacket(packet, DropReason::DUPLICATE);
        break;
    case VrpReceiveWindow::Outcome::REFUSED:
        DropPacket(packet, DropReason::UNEXPECTED);
        break;
    case VrpReceiveWindow::Outcome::OUT_OF_RANGE:
        DropPacket(packet, DropReason::OUT_OF_RANGE);
        break;
    }
    Account(block, frame.GetMemory());
    const auto ack = frame.GetWindow().GetCumulativeAck();
    if (frame.IsReceiving() && frame.GetWindow().IsComplete())
    {
        Deliver(peer, number);
        if (IsFinished()) // whoever took the frame has stopped the receiver
        {
            return;
        }
    }
    Reply(m_answer, ack, tags, number, peer);
}

bool
VrpReceiver::Store(VrpIncomingFrame& frame, uint32_t index, Ptr<const Packet> packet)
{
    const auto room = frame.GetRoom(index);
    if (!room.empty())
    {
        packet->CopyData(room.data(), static_cast<uint32_t>(room.size()));
    }
    const auto& header = frame.GetHeader();
    const auto begin = (uint64_t{header.number} << 32) + uint64_t{index} * header.packetSize;
    return !m_checkContent || PatternPayload::Matches(begin, packet);
}

void
VrpReceiver::Deliver(Peer& peer, uint16_t number)
{
    auto& frame = *peer.blocks.at(number).frame;
    const auto& window = frame.GetWindow();
    const auto& header = frame.GetHeader();
    VrpReceivedFrame received;
    received.lost = frame.Finish();
    received.from = peer.address;
    received.number = number;
    received.bytes = header.dataSize;
    received.data = m_keepData ? &frame.GetData() : nullptr;
    received.start = frame.GetStart();
    received.finish = Simulator::Now();
    received.packets = header.GetPackets();
    received.acceptedLosses = window.GetAcceptedLosses();
    received.nacks = frame.GetCounters().nacks;
    received.duplicates = frame.GetCounters().duplicates;
    received.maxLosses = frame.GetMaxLosses();

    uint64_t lost = 0;
    auto& totals = peer.totals;
    for (const auto& hole : received.lost)
    {
        lost += hole.size;
        totals.longestBurstBytes = std::max(totals.longestBurstBytes, hole.size);
    }
    ++totals.frames;
    totals.packets += received.packets;
    totals.acceptedLosses += received.acceptedLosses;
    totals.nacks += received.nacks;
    for (auto* report : {&m_report, &totals.report})
    {
        report->deliveredBytes += received.bytes - lost;
        report->lostBytes += lost;
        report->lastDelivery = Simulator::Now();
    }
    Account(peer.blocks.at(number), frame.GetMemory());
    m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
    m_frameTrace(received);
    if (!m_receive.IsNull())
    {
        m_receive(received);
    }
    if (m_freeEarly && !IsFinished())
    {
        Release(peer, number);
    }
}

void
VrpReceiver::Release(Peer& peer, uint16_t number)
{
    auto& block = peer.blocks.at(number);
    if (!block.frame->IsReceiving() && m_rememberTime.IsStrictlyPositive())
    {
        peer.done[number] = block.frame->GetHeader().GetPackets();
        peer.finished.push_back({number, Simulator::Now() + m_rememberTime});
    }
    Account(block, 0);
    block.life.Cancel();
    peer.blocks.erase(number);
    --m_blocks;
}

void
VrpReceiver::CheckLife(const Address& from, uint16_t number)
{
    auto& peer = m_peers.at(from);
    auto& block = peer.blocks.at(number);
    const Time silence = Simulator::Now() - block.lastHeard;
    if (silence >= m_frameTimeout)
    {
        NS_LOG_INFO("frame " << number << ": life timeout");
        Release(peer, number);
        return;
    }
    block.life =
        Simulator::Schedule(m_frameTimeout - silence, &VrpReceiver::CheckLife, this, from, number);
}

void
VrpReceiver::Reply(const VrpReceiveWindow::Answer& answer,
                   std::optional<uint32_t> ack,
                   Tags& tags,
                   uint16_t frame,
                   Peer& peer)
{
    constexpr uint32_t PACKET_TAG = 5;
    // The end of every part: SINGLE_ACKs of what came, the cumulative ACK, LAST. The sender takes
    // the SINGLE_ACKs before the last one as accepted losses, so each part repeats it.
    Tags end;
    for (const auto packet : answer.singleAcks)
    {
        end.push_back(VrpTag::OfPacket(VrpTagCode::SINGLE_ACK, packet));
    }
    if (ack)
    {
        end.push_back(VrpTag::OfPacket(VrpTagCode::ACK, *ack));
    }
    const uint32_t fixed = VrpHeader::SIZE + 1 + PACKET_TAG * static_cast<uint32_t>(end.size());
    uint32_t size = fixed;
    for (const auto& tag : tags)
    {
        size += tag.GetSize();
    }
    const auto send = [&]() {
        tags.insert(tags.end(), end.begin(), end.end());
        ++peer.totals.report.controlPackets;
        Send(tags, frame, peer.address);
        tags.clear();
        size = fixed;
    };
    const auto add = [&](VrpTagCode code, uint32_t packet) {
        if (size + PACKET_TAG > m_maxControlSize)
        {
            send();
        }
        tags.push_back(VrpTag::OfPacket(code, packet));
        size += PACKET_TAG;
    };
    for (const auto packet : answer.nacks)
    {
        add(VrpTagCode::NACK, packet);
    }
    for (const auto packet : answer.acceptedAcks)
    {
        add(VrpTagCode::SINGLE_ACK, packet);
    }
    send();
}

void
VrpReceiver::Send(std::span<const VrpTag> tags, uint16_t frame, const Address& to)
{
    const bool ipv4 = InetSocketAddress::IsMatchingType(to);
    const auto found = std::find_if(m_sockets.begin(), m_sockets.end(), [ipv4](const auto& item) {
        return item.first == ipv4;
    });
    if (found == m_sockets.end())
    {
        return;
    }
    const auto bytes = VrpControl::Write(tags);
    const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    packet->AddHeader(VrpHeader::Control(frame));
    ++m_report.controlPackets;
    m_txTrace(packet);
    // What the host cannot send now is as good as lost.
    found->second->SendTo(packet, 0, to);
}

void
VrpReceiver::Account(Block& block, uint64_t bytes)
{
    m_blockBytes += bytes - block.memory;
    block.memory = bytes;
    m_peakBlockBytes = std::max(m_peakBlockBytes, m_blockBytes);
}

void
VrpReceiver::CancelEvents()
{
    for (auto& [address, peer] : m_peers)
    {
        for (auto& [number, block] : peer.blocks)
        {
            block.life.Cancel();
        }
    }
    if (m_host)
    {
        m_host->Clear();
    }
    for (const auto& [ipv4, socket] : m_sockets)
    {
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->Close();
    }
    m_sockets.clear();
}

} // namespace ns3::lfn
