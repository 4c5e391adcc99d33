// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-socket.h"
#include "tcp-reassembly.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/ipv6-header.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <array>

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket: segments that come, from whether they are taken to the ACK for their data.
 */

namespace ns3::lfn
{

namespace
{

/// A TCP header is no longer, [B].
constexpr uint32_t MAX_HEADER = 60;

/// Challenge ACKs are counted so long (RFC 5961, section 7).
constexpr int64_t CHALLENGES_S = 5;

} // namespace

void
LongFatTcpSocket::DoForwardUp(Ptr<Packet> packet,
                              const Address& fromAddress,
                              const Address& toAddress)
{
    const Ptr<LongFatTcpSocket> keep(this); // its end may be the last that knows it
    if (m_ns3Faults || IsStock())
    {
        TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
        return;
    }
    std::array<uint8_t, MAX_HEADER> bytes;
    const auto size = packet->CopyData(bytes.data(), MAX_HEADER);
    const auto segment = TcpSegment::Read({bytes.data(), size}, packet->GetSize());
    if (!segment)
    {
        m_refusedTrace(TcpRefusal::MALFORMED);
        return;
    }
    m_isFalseEcho = m_timestampEnabled && segment->echo && (segment->flags & TcpHeader::ACK) != 0 &&
                    IsFalseEcho(*segment->echo);
    if (!IsSynchronized())
    {
        ForwardUnsynchronized(packet, *segment, fromAddress, toAddress);
        return;
    }
    if (!Admit(*segment))
    {
        return;
    }
    constexpr uint8_t KINDS = TcpHeader::RST | TcpHeader::FIN | TcpHeader::ACK;
    const bool wasProbing = m_persistEvent.IsPending();
    if ((segment->flags & TcpHeader::RST) != 0)
    {
        TakeHeader(packet);
        CloseAndNotify();
    }
    else if (m_state == ESTABLISHED && (segment->flags & KINDS) == TcpHeader::ACK)
    {
        TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
    }
    else
    {
        ProcessSegment(packet);
    }
    CheckWindow(wasProbing);
}

bool
LongFatTcpSocket::IsFalseEcho(uint32_t echo) const
{
    const auto now = Simulator::Now().GetMilliSeconds();
    return static_cast<uint32_t>(now) - echo > now - m_born.GetMilliSeconds();
}

bool
LongFatTcpSocket::Admit(const TcpSegment& segment)
{
    const auto& buffer = *m_tcb->m_rxBuffer;
    const auto sent = m_tcb->m_highTxMark.Get();
    const bool isFinSent = m_state != ESTABLISHED && m_state != CLOSE_WAIT;
    const bool isProbed = m_probed == sent; // its byte is not counted as sent otherwise
    const bool isFinished = m_state == CLOSE_WAIT || m_state == LAST_ACK || m_state == CLOSING;
    std::optional<uint32_t> fin;
    if (buffer.GotFin() && !isFinished)
    {
        fin = buffer.MaxRxSequence().GetValue();
    }
    const TcpLimits limits{.next = buffer.NextRxSequence().GetValue(),
                           .room = buffer.MaxBufferSize(),
                           .isFinished = isFinished,
                           .fin = fin,
                           .head = m_txBuffer->HeadSequence().GetValue(),
                           .sent = sent.GetValue() + (isFinSent || isProbed ? 1 : 0),
                           .window = m_maxWindow,
                           .hasTimes = m_timestampEnabled};
    const auto verdict = limits.Judge(segment);
    if (verdict)
    {
        m_refusedTrace(verdict->reason);
        if (verdict->isAnswered)
        {
            Challenge();
        }
        return false;
    }
    if (m_isFalseEcho)
    {
        m_refusedTrace(TcpRefusal::FALSE_ECHO);
    }
    if (isProbed && !isFinSent && segment.ack == limits.sent)
    {
        m_tcb->m_highTxMark = sent + 1;
        TellSent(1);
    }
    return true;
}

bool
LongFatTcpSocket::MayAnswer()
{
    if (m_challengesEnd <= Simulator::Now())
    {
        m_challengesEnd = Simulator::Now() + Seconds(CHALLENGES_S);
        m_challenges = 0;
    }
    return m_challenges++ < m_challengeLimit;
}

void
LongFatTcpSocket::Challenge()
{
    if (!MayAnswer())
    {
        return;
    }
    if (m_state == SYN_RCVD)
    {
        // ns-3 counts the SYN only when it is acknowledged.
        Transmit(Create<Packet>(), MakeHeader(m_tcb->m_nextTxSequence + 1, TcpHeader::ACK), false);
        return;
    }
    const auto rto = m_rto.Get();
    SendAck();
    m_rto = rto; // it is not to be shortened by sending an ACK
}

void
LongFatTcpSocket::NoteWindow()
{
    m_windowEnd = m_txBuffer->HeadSequence() + m_rWnd;
    m_maxWindow = std::max(m_maxWindow, m_rWnd.Get());
}

void
LongFatTcpSocket::CheckWindow(bool wasProbing)
{
    const auto end = m_txBuffer->HeadSequence() + m_rWnd;
    if (end + (1 << m_sndWindShift) < m_windowEnd) // RFC 7323, 2.4: a window is rounded off
    {
        m_refusedTrace(TcpRefusal::LESS_WINDOW);
    }
    NoteWindow();
    if (wasProbing && m_persistEvent.IsExpired() && m_retxEvent.IsExpired() &&
        m_board.GetSentBytes() > 0 && IsSynchronized())
    {
        StartTimer(); // ns-3 stopped it when the window was closed
    }
}

Time
LongFatTcpSocket::CalculateRttSample(const TcpHeader& tcpHeader, const RttHistory& rttHistory)
{
    if (!m_isFalseEcho)
    {
        return TcpSocketBase::CalculateRttSample(tcpHeader, rttHistory);
    }
    TcpHeader bare; // as without time stamps
    bare.SetAckNumber(tcpHeader.GetAckNumber());
    return TcpSocketBase::CalculateRttSample(bare, rttHistory);
}

int
LongFatTcpSocket::Connect(const Address& address)
{
    m_isActive = true;
    const auto result = TcpSocketBase::Connect(address);
    LookFirst();
    return result;
}

void
LongFatTcpSocket::CompleteFork(Ptr<Packet> packet,
                               const TcpHeader& tcpHeader,
                               const Address& fromAddress,
                               const Address& toAddress)
{
    const Ptr<LongFatTcpSocket> keep(this);
    TcpSocketBase::CompleteFork(packet, tcpHeader, fromAddress, toAddress);
    if (!m_endPoint && !m_endPoint6)
    {
        m_tcp->RemoveSocket(this); // another SYN of this peer has just come
    }
    LookFirst();
}

void
LongFatTcpSocket::LookFirst()
{
    const Ptr<LongFatTcpSocket> self(this);
    if (m_endPoint)
    {
        m_endPoint->SetRxCallback(
            Callback<void, Ptr<Packet>, Ipv4Header, uint16_t, Ptr<Ipv4Interface>>(
                [self](Ptr<Packet> packet,
                       const Ipv4Header& header,
                       uint16_t port,
                       Ptr<Ipv4Interface> interface) {
                    if (header.GetEcn() == Ipv4Header::ECN_NotECT && self->TakePlain(packet))
                    {
                        return;
                    }
                    const InetSocketAddress from(header.GetSource(), port);
                    const InetSocketAddress to(header.GetDestination(), self->GetLocalPort());
                    if (!self->TakeAtEnd(packet, from, to))
                    {
                        self->ForwardUp(packet, header, port, interface);
                    }
                }));
    }
    if (m_endPoint6)
    {
        m_endPoint6->SetRxCallback(
            Callback<void, Ptr<Packet>, Ipv6Header, uint16_t, Ptr<Ipv6Interface>>(
                [self](Ptr<Packet> packet,
                       const Ipv6Header& header,
                       uint16_t port,
                       Ptr<Ipv6Interface> interface) {
                    if (header.GetEcn() == Ipv6Header::ECN_NotECT && self->TakePlain(packet))
                    {
                        return;
                    }
                    const Inet6SocketAddress from(header.GetSource(), port);
                    const Inet6SocketAddress to(header.GetDestination(), self->GetLocalPort());
                    if (!self->TakeAtEnd(packet, from, to))
                    {
                        self->ForwardUp6(packet, header, port, interface);
                    }
                }));
    }
}

uint16_t
LongFatTcpSocket::GetLocalPort() const
{
    return m_endPoint ? m_endPoint->GetLocalPort() : m_endPoint6->GetLocalPort();
}

bool
LongFatTcpSocket::TakeAtEnd(Ptr<Packet> packet,
                            const Address& fromAddress,
                            const Address& toAddress)
{
    constexpr uint32_t FLAGS = 13; // where they are in a header
    std::array<uint8_t, FLAGS + 1> bytes{};
    packet->CopyData(bytes.data(), bytes.size());
    const bool isReset = (bytes[FLAGS] & TcpHeader::RST) != 0;
    if (m_ns3Faults || IsStock() || !(isReset || m_state == TIME_WAIT))
    {
        return false;
    }
    DoForwardUp(packet, fromAddress, toAddress);
    return true;
}

bool
LongFatTcpSocket::IsPlain(const TcpPlainSegment& segment, uint32_t dataBytes) const
{
    const auto& buffer = *m_tcb->m_rxBuffer;
    const SequenceNumber32 sequence(segment.sequence);
    const SequenceNumber32 ack(segment.ack);
    return m_state == ESTABLISHED && !buffer.GotFin() && sequence == buffer.NextRxSequence() &&
           (dataBytes == 0 || sequence < buffer.MaxRxSequence()) &&
           ack >= m_txBuffer->HeadSequence() && ack <= m_tcb->m_highTxMark && m_rWnd != 0 &&
           segment.window != 0 && m_persistEvent.IsExpired() &&
           segment.stamp.has_value() == m_timestampEnabled && m_rxTrace.IsEmpty() &&
           (m_ns3Faults || !segment.stamp || !IsFalseEcho(segment.stamp->echo));
}

bool
LongFatTcpSocket::TakePlain(const Ptr<Packet>& packet)
{
    std::array<uint8_t, TcpPlainSegment::MAX_BYTES> bytes;
    const auto size = packet->CopyData(bytes.data(), TcpPlainSegment::MAX_BYTES);
    const auto segment = TcpPlainSegment::Read({bytes.data(), size});
    if (!segment || IsStock() || !IsPlain(*segment, packet->GetSize() - segment->bytes))
    {
        return false;
    }
    // From here on as DoForwardUp() and ProcessEstablished().
    const Ptr<LongFatTcpSocket> keep(this); // the application may close it
    m_isFalseEcho = false;
    if (packet->GetPacketTagIterator().HasNext())
    {
        SocketPriorityTag priority;
        packet->RemovePacketTag(priority);
    }
    packet->RemoveAtStart(segment->bytes);
    TcpHeader header;
    header.SetSourcePort(segment->sourcePort);
    header.SetDestinationPort(segment->destinationPort);
    header.SetSequenceNumber(SequenceNumber32(segment->sequence));
    header.SetAckNumber(SequenceNumber32(segment->ack));
    header.SetFlags(TcpHeader::ACK);
    header.SetWindowSize(segment->window);
    if (segment->stamp)
    {
        const auto stamp = MakeStamp(m_takenStamp, segment->stamp->value, segment->stamp->echo);
        header.AppendOption(stamp);
        ProcessOptionTimestamp(stamp, header.GetSequenceNumber());
    }
    EstimateRtt(header);
    UpdateWindowSize(header);
    ReceivedAck(packet, header);
    if (!m_ns3Faults)
    {
        CheckWindow(false);
    }
    return true;
}

Ptr<Packet>
LongFatTcpSocket::Recv(uint32_t maxSize, uint32_t flags)
{
    if (!IsStock())
    {
        if (const auto piece = TakePiece(*m_tcb->m_rxBuffer, maxSize))
        {
            return piece;
        }
    }
    return TcpSocketBase::Recv(maxSize, flags);
}

void
LongFatTcpSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    if (IsStock())
    {
        TcpSocketBase::ReceivedData(packet, tcpHeader);
        return;
    }
    auto& buffer = *m_tcb->m_rxBuffer;
    const auto expected = buffer.NextRxSequence();
    const auto end = expected + SequenceNumber32(packet->GetSize()); // it may go to its reader
    if (!Reassemble(buffer, packet, tcpHeader.GetSequenceNumber()))
    {
        SendAck();
        return;
    }
    if (expected < buffer.NextRxSequence())
    {
        if (!m_shutdownRecv)
        {
            NotifyDataRecv();
        }
        if (m_shutdownRecv && !m_ns3Faults)
        {
            buffer.Extract(buffer.Available()); // nobody reads it
        }
        const bool isOpen = m_ns3Faults || m_state == ESTABLISHED;
        if (isOpen && buffer.Finished() && (tcpHeader.GetFlags() & TcpHeader::FIN) == 0)
        {
            DoPeerClose(); // the last hole before an earlier FIN is filled
            return;
        }
    }
    const bool isGap = buffer.Size() > buffer.Available();
    const bool isFilled = buffer.NextRxSequence() > end;
    if (isGap || isFilled) // RFC 5681, section 4.2: at once
    {
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_NON_DELAYED_ACK);
        SendAck();
    }
    else if (++m_delAckCount >= m_delAckMaxCount)
    {
        m_delAckCount = 0;
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_NON_DELAYED_ACK);
        SendAck();
    }
    else
    {
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_DELAYED_ACK);
        if (m_delAckCount == 1)
        {
            DelayAck();
        }
    }
}

void
LongFatTcpSocket::SendPlainAck()
{
    const auto packet = Create<Packet>();
    AddSocketTags(packet, IsEct(TcpPacketType_t::PURE_ACK));
    m_rto =
        Max(m_rtt->GetEstimate() + Max(m_clockGranularity, m_rtt->GetVariation() * 4), m_minRto);
    const auto header = MakeHeader(m_tcb->m_nextTxSequence, TcpHeader::ACK);
    m_delAckEvent.Cancel();
    m_delAckCount = 0;
    m_highTxAck = std::max(m_highTxAck, header.GetAckNumber());
    Transmit(packet, header, false);
}

void
LongFatTcpSocket::SendAck()
{
    const bool isMarked = m_tcb->m_ecnState == TcpSocketState::ECN_CE_RCVD ||
                          m_tcb->m_ecnState == TcpSocketState::ECN_SENDING_ECE;
    if (!isMarked && m_state == ESTABLISHED && (m_endPoint || m_endPoint6) &&
        m_tcb->m_rxBuffer->GetSackListSize() == 0)
    {
        SendPlainAck();
        return;
    }
    SendEmptyPacket(isMarked ? TcpHeader::ACK | TcpHeader::ECE : TcpHeader::ACK);
    if (isMarked)
    {
        m_tcb->m_ecnState = TcpSocketState::ECN_SENDING_ECE;
    }
}

void
LongFatTcpSocket::DelayAck()
{
    // As the timer of retransmissions: left where it is, it looks at its deadline when it expires.
    // A cancelled event stays with the simulator for its whole time.
    m_ackDeadline = Simulator::Now() + m_delAckTimeout;
    if (!m_delayedAckEvent.IsPending())
    {
        m_delayedAckEvent = Simulator::Schedule(m_delAckTimeout, [this] { AckDelayed(); });
    }
}

void
LongFatTcpSocket::AckDelayed()
{
    if (m_delAckCount == 0 || m_state == CLOSED || m_state == TIME_WAIT)
    {
        return; // acknowledged meanwhile
    }
    if (const auto left = m_ackDeadline - Simulator::Now(); left.IsStrictlyPositive())
    {
        m_delayedAckEvent = Simulator::Schedule(left, [this] { AckDelayed(); });
        return;
    }
    DelAckTimeout();
}

void
LongFatTcpSocket::DelAckTimeout()
{
    const Ptr<LongFatTcpSocket> keep(this);
    TcpSocketBase::DelAckTimeout();
}

} // namespace ns3::lfn
