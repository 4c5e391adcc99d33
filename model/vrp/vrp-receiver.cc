// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-receiver.h"

#include "vrp-reply.h"

#include "ns3/inet-socket-address.h"
#include "ns3/lfn-make-socket.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("VrpReceiver");

VrpReceiver::VrpReceiver()
{
    m_report.protocol = "vrp";
}

void
VrpReceiver::SetReceive(ReceiveCallback receive)
{
    NS_LOG_FUNCTION(this);
    m_receive = receive;
}

void
VrpReceiver::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (IsFinished())
    {
        return;
    }
    StartHost(MakeCallback(&VrpReceiver::GetWork, this),
              MakeCallback(&VrpReceiver::OnPacket, this));
    m_table.SetSettings(m_settings);
    const auto trouble = UdpEndpoint::Listen(GetNode(),
                                             m_local,
                                             m_port,
                                             MakeCallback(&VrpReceiver::OnDatagrams, this),
                                             m_sockets);
    for (const auto& socket : m_sockets)
    {
        SetTos(socket, m_tos);
    }
    if (!trouble.empty())
    {
        Fail(trouble);
    }
}

void
VrpReceiver::OnDatagrams(Ptr<Socket> socket)
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
VrpReceiver::GetWork(Ptr<const Packet> packet)
{
    return m_hostCost->GetWork(packet->GetSize() - std::min(packet->GetSize(), VrpHeader::SIZE));
}

void
VrpReceiver::OnPacket(Ptr<Packet> packet, const Address& from)
{
    NS_LOG_FUNCTION(this << packet << from);
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
    if (header.control)
    {
        OnControl(header.frame, packet, from);
        return;
    }
    auto* peer = m_table.FindPeer(from);
    Tags tags;
    if (peer && peer->blocks.contains(header.frame))
    {
        OnData(*peer, header.frame, header.packet, packet, tags);
        return;
    }
    const auto done = peer ? peer->done.find(header.frame) : decltype(peer->done)::iterator();
    if (peer && done != peer->done.end())
    {
        DropPacket(packet, DropReason::DUPLICATE);
        if (done->second > 0)
        {
            Reply({}, done->second - 1, tags, header.frame, *peer);
        }
        return;
    }
    NS_LOG_LOGIC("frame " << header.frame << " is unknown, its header is requested");
    DropPacket(packet, DropReason::UNANNOUNCED);
    tags.push_back(VrpTag::OfFrame(VrpTagCode::MISSING_HDR, header.frame));
    Send(tags, header.frame, from);
}

void
VrpReceiver::OnControl(uint16_t frame, Ptr<Packet> packet, const Address& from)
{
    const auto control = VrpControl::Read(packet);
    if (!control)
    {
        DropPacket(packet, DropReason::MALFORMED);
        return;
    }
    NS_LOG_DEBUG("a control packet of frame " << frame << " has " << control->tags.size()
                                              << " tags");
    auto* peer = m_table.FindPeer(from);
    Tags answer;
    const bool closes = AnswerTags(control->tags, peer, answer);
    const bool creates = std::any_of(control->tags.begin(), control->tags.end(), [](auto& tag) {
        return tag.code == VrpTagCode::FRAME_CREATE;
    });
    const auto header = VrpFrameHeader::FromTags(control->tags);
    if (creates && !header)
    {
        DropPacket(packet, DropReason::MALFORMED);
    }
    if (header && !m_answerRepeatedHeader && peer && peer->blocks.contains(header->number))
    {
        DropPacket(packet, DropReason::DUPLICATE);
        return;
    }
    if (header)
    {
        const auto verdict = Create(*header, from);
        NS_LOG_INFO("frame " << header->number << " of " << header->dataSize << " B in "
                             << header->GetPackets() << " packets: " << ToString(verdict)
                             << ", frames held " << m_table.GetBlocks());
        answer.push_back(VrpTag::OfFrame(verdict, header->number));
        if (verdict == VrpTagCode::FRAME_OK)
        {
            packet->RemoveAtStart(control->size);
            AnswerHeader(*m_table.FindPeer(from), *header, packet, answer);
            return;
        }
    }
    if (!answer.empty())
    {
        Send(answer, frame, from);
    }
    else if (!creates && !closes) // tags for a sender, or of frames that are long gone
    {
        DropPacket(packet, DropReason::UNEXPECTED);
    }
}

bool
VrpReceiver::AnswerTags(std::span<const VrpTag> tags, Peer* peer, Tags& answer)
{
    bool closes = false;
    for (const auto& tag : tags)
    {
        if (tag.code == VrpTagCode::PING)
        {
            auto pong = tag;
            pong.code = VrpTagCode::PONG;
            answer.push_back(pong);
            if (peer)
            {
                VrpBlockTable::Forget(*peer);
            }
        }
        else if (tag.code == VrpTagCode::FRAME_CLOSE && peer)
        {
            closes = closes || peer->done.contains(tag.frame);
            if (peer->blocks.contains(tag.frame))
            {
                // Before FRAME_CREATE, for which it may make room.
                m_table.Release(*peer, tag.frame, Simulator::Now());
                closes = true;
            }
        }
    }
    return closes;
}

VrpTagCode
VrpReceiver::Create(const VrpFrameHeader& header, const Address& from)
{
    const auto before = m_table.GetBlocks();
    const auto verdict = m_table.Create(header, from, Simulator::Now());
    if (m_table.GetBlocks() > before)
    {
        Begin();
        m_report.offeredBytes += header.dataSize;
        SetLifeTimer();
    }
    return verdict;
}

void
VrpReceiver::AnswerHeader(Peer& peer, const VrpFrameHeader& header, Ptr<Packet> data, Tags& answer)
{
    const auto block = peer.blocks.find(header.number);
    std::optional<uint32_t> ack;
    if (block == peer.blocks.end()) // delivered and gone (C18)
    {
        if (header.dataSize > 0)
        {
            ack = header.GetPackets() - 1;
        }
    }
    else if (data->GetSize() > 0) // rode with the header (option CombineSmall)
    {
        OnData(peer, header.number, 0, data, answer);
        return;
    }
    else
    {
        const auto& frame = *block->second.frame;
        ack = frame.GetWindow().GetCumulativeAck();
        if (frame.IsReceiving() && frame.GetWindow().IsComplete()) // a frame without data
        {
            Deliver(peer, header.number);
        }
    }
    Reply({}, ack, answer, header.number, peer);
}

void
VrpReceiver::OnData(Peer& peer, uint16_t number, uint32_t index, Ptr<Packet> packet, Tags& tags)
{
    NS_LOG_FUNCTION(this << number << index << packet->GetSize());
    auto& block = peer.blocks.at(number);
    auto& frame = *block.frame;
    m_table.Touch(block, Simulator::Now());
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
    switch (frame.OnPacket(index, m_answer))
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
    if (!m_answer.nacks.empty() || !m_answer.acceptedAcks.empty())
    {
        NS_LOG_LOGIC("frame " << number << ", packet " << index << ": " << m_answer.nacks.size()
                              << " packets are requested, " << m_answer.acceptedAcks.size()
                              << " losses are accepted");
    }
    m_table.Account(block);
    const auto ack = frame.GetWindow().GetCumulativeAck();
    if (frame.IsReceiving() && frame.GetWindow().IsComplete())
    {
        Deliver(peer, number);
    }
    Reply(m_answer, ack, tags, number, peer);
}

bool
VrpReceiver::Store(VrpIncomingFrame& frame, uint32_t index, Ptr<const Packet> packet) const
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
    const auto received = m_table.Complete(peer, number, Simulator::Now());
    const auto lost = received.GetLostBytes();
    NS_LOG_INFO("frame " << number << " of " << received.bytes << " B is delivered after "
                         << (received.finish - received.start).As(Time::MS) << ", lost " << lost
                         << " B");
    m_report.deliveredBytes += received.bytes - lost;
    m_report.lostBytes += lost;
    m_report.lastDelivery = received.finish;
    m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
    m_frameTrace(received);
    if (!m_receive.IsNull())
    {
        m_receive(received);
    }
    if (m_freeEarly && !IsFinished())
    {
        m_table.Release(peer, number, Simulator::Now());
    }
}

void
VrpReceiver::SetLifeTimer()
{
    const auto expiry = m_table.GetExpiry();
    if (expiry && !m_lifeTimer.IsPending())
    {
        m_lifeTimer =
            Simulator::Schedule(*expiry - Simulator::Now(), &VrpReceiver::OnLifeTimer, this);
    }
}

void
VrpReceiver::OnLifeTimer()
{
    NS_LOG_FUNCTION(this);
    m_table.Expire(Simulator::Now());
    SetLifeTimer();
}

void
VrpReceiver::Reply(const VrpReceiveWindow::Answer& answer,
                   std::optional<uint32_t> ack,
                   const Tags& front,
                   uint16_t frame,
                   Peer& peer)
{
    if (IsFinished()) // any host that took the frame has stopped the receiver
    {
        return;
    }
    NS_LOG_DEBUG("frame " << frame << ": acknowledges " << (ack ? static_cast<int64_t>(*ack) : -1)
                          << ", requests " << answer.nacks.size() << " packets");
    for (const auto& tags : VrpReply::Make(front, answer, ack, m_maxControlSize))
    {
        ++peer.totals.report.controlPackets;
        Send(tags, frame, peer.address);
    }
}

void
VrpReceiver::Send(std::span<const VrpTag> tags, uint16_t frame, const Address& to)
{
    const bool ipv4 = InetSocketAddress::IsMatchingType(to);
    const auto found = std::find_if(m_sockets.begin(), m_sockets.end(), [ipv4](auto socket) {
        Address local;
        socket->GetSockName(local);
        return InetSocketAddress::IsMatchingType(local) == ipv4;
    });
    if (found == m_sockets.end())
    {
        return;
    }
    const auto packet = VrpControl::MakePacket(frame, tags);
    ++m_report.controlPackets;
    m_txTrace(packet);
    // What the host cannot send now is as good as lost.
    (*found)->SendTo(packet, 0, to);
}

void
VrpReceiver::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_lifeTimer.Cancel();
    UdpEndpoint::Close(m_sockets);
}

} // namespace ns3::lfn
