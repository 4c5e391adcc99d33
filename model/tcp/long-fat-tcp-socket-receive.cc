// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-log.h"
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

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket: segments that come, from whether they are taken to the ACK for their data.
 */

namespace ns3::lfn
{

static LogComponent& g_log = g_longFatTcpLog;

namespace
{

/// Challenge ACKs are counted so long (RFC 5961, section 7).
constexpr int64_t CHALLENGES_S = 5;

/// After this time a time stamp of the peer is not compared with (RFC 7323, section 5.5).
constexpr int64_t RECENT_DAYS = 24;

/// A time stamp may be later than the last one by the time since that and this, [ms].
constexpr int64_t CLOCK_SLACK_MS = 60'000;

} // namespace

void
LongFatTcpSocket::DoForwardUp(Ptr<Packet> packet,
                              const Address& fromAddress,
                              const Address& toAddress)
{
    NS_LOG_FUNCTION(this << packet << fromAddress << toAddress);
    const Ptr<LongFatTcpSocket> keep(this); // its end may hold the last reference
    if (!m_rules.checkSegments || IsNs3Compatible())
    {
        ForwardToBase(packet, fromAddress, toAddress);
        return;
    }
    const auto segment = TcpView::Read(*packet);
    if (!segment)
    {
        OnMalformed();
        return;
    }
    if (!segment->isReadable) // of a node without TcpSegmentDispatch
    {
        TcpView::MakeReadable(*packet);
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
    // CWR: ns-3 takes it where ECN was not agreed on, too.
    constexpr uint8_t KINDS = TcpHeader::RST | TcpHeader::FIN | TcpHeader::ACK | TcpHeader::CWR;
    const bool wasProbing = m_persistEvent.IsPending();
    const auto lastTime = m_tcb->m_rcvTimestampValue;
    const auto toEcho = m_timestampToEcho;
    const bool isFalseTime = segment->time && IsFalseTime(*segment->time);
    ProcessMark(*segment);
    if ((segment->flags & TcpHeader::RST) != 0)
    {
        ExtractHeader(packet);
        CloseAndNotify();
    }
    else if (m_state == ESTABLISHED && (segment->flags & KINDS) == TcpHeader::ACK)
    {
        ForwardToBase(packet, fromAddress, toAddress);
    }
    else
    {
        ProcessSegment(packet);
    }
    if (isFalseTime) // else PAWS would refuse all that the peer sends
    {
        m_tcb->m_rcvTimestampValue = lastTime;
        m_timestampToEcho = toEcho;
    }
    CheckWindow(wasProbing);
}

bool
LongFatTcpSocket::IsFalseEcho(uint32_t echo) const
{
    const auto now = Simulator::Now().GetMilliSeconds();
    return static_cast<uint32_t>(now) - echo > now - m_born.GetMilliSeconds();
}

std::optional<uint32_t>
LongFatTcpSocket::GetRecentTime() const
{
    const bool isValid = Simulator::Now() - m_recentTime < Days(RECENT_DAYS);
    return m_timestampEnabled && isValid ? std::optional(m_timestampToEcho) : std::nullopt;
}

bool
LongFatTcpSocket::IsFalseTime(uint32_t value) const
{
    const auto ahead = static_cast<int32_t>(value - m_tcb->m_rcvTimestampValue);
    return m_timestampEnabled && ahead > CLOCK_SLACK_MS && // for most: the time costs more
           ahead > (Simulator::Now() - m_recentTime).GetMilliSeconds() + CLOCK_SLACK_MS;
}

void
LongFatTcpSocket::BeginTimes(uint32_t value)
{
    // ns-3 does so only where the peer's initial sequence number is 0.
    m_timestampToEcho = value;
    m_tcb->m_rcvTimestampValue = value;
    m_recentTime = Simulator::Now();
}

void
LongFatTcpSocket::UpdateTimestamp(uint32_t value)
{
    auto& last = m_tcb->m_rcvTimestampValue;
    if (m_rules.wrapTimes && static_cast<int32_t>(value - last) >= 0)
    {
        last = value; // TCP-D23: ns-3 takes no smaller number
        m_recentTime = Simulator::Now();
    }
}

bool
LongFatTcpSocket::IsWindowUpdateDue() const
{
    const auto& buffer = *m_tcb->m_rxBuffer;
    const bool isOpen = m_state == ESTABLISHED || m_state == FIN_WAIT_1 || m_state == FIN_WAIT_2;
    if (!m_rules.updateWindow || !isOpen || buffer.GotFin())
    {
        return false;
    }
    // TCP-D24. Where the offered window is wide, the next ACK is early enough.
    const auto room = buffer.MaxRxSequence() - buffer.NextRxSequence();
    const auto offered = m_highTxAck + SequenceNumber32(m_advWnd) - buffer.NextRxSequence();
    const auto least = std::min(buffer.MaxBufferSize() / 2, m_tcb->m_segmentSize);
    return room - offered >= static_cast<int32_t>(least) && room >= 2 * int64_t{offered};
}

bool
LongFatTcpSocket::Admit(const TcpView& segment)
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
                           .hasTimes = m_timestampEnabled,
                           .recentTime = GetRecentTime()};
    const auto verdict = limits.Judge(segment);
    if (verdict)
    {
        NS_LOG_LOGIC("segment " << segment.sequence << " is refused: " << verdict->reason
                                << ", answered " << verdict->isAnswered);
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
    if (m_timestampEnabled && segment.time)
    {
        IsFalseTime(*segment.time) ? m_refusedTrace(TcpRefusal::FALSE_TIME)
                                   : UpdateTimestamp(*segment.time);
    }
    if (isProbed && !isFinSent && segment.ack == limits.sent)
    {
        m_tcb->m_highTxMark = sent + 1;
        ReportSent(1);
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
        NS_LOG_LOGIC("no more than " << m_challengeLimit << " challenge ACKs in " << CHALLENGES_S
                                     << " s");
        return;
    }
    if (m_state == SYN_RCVD)
    {
        // ns-3 counts the SYN only when it is acknowledged.
        Transmit(Create<Packet>(), MakeHeader(m_tcb->m_nextTxSequence + 1, TcpHeader::ACK), false);
        return;
    }
    SendAck();
}

void
LongFatTcpSocket::UpdateWindow()
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
        NS_LOG_LOGIC("the peer shrinks its window from " << m_windowEnd << " to " << end);
        m_refusedTrace(TcpRefusal::LESS_WINDOW);
    }
    UpdateWindow();
    if (wasProbing && m_persistEvent.IsExpired() && m_retxEvent.IsExpired() &&
        m_board.GetSentBytes() > 0 && IsSynchronized())
    {
        StartTimer(); // ns-3 stopped it when the window was closed
    }
}

Time
LongFatTcpSocket::CalculateRttSample(const TcpHeader& tcpHeader, const RttHistory& rttHistory)
{
    if (!m_rules.wrapTimes || IsNs3Compatible())
    {
        return TcpSocketBase::CalculateRttSample(tcpHeader, rttHistory);
    }
    const auto stamp = DynamicCast<const TcpOptionTS>(tcpHeader.GetOption(TcpOption::TS));
    if (!m_isFalseEcho && m_timestampEnabled && stamp)
    {
        if (tcpHeader.GetAckNumber() < rttHistory.seq + SequenceNumber32(rttHistory.count))
        {
            return Time();
        }
        // TCP-D23: by the difference, also across the wrap of the time stamps
        const auto elapsed = TcpOptionTS::NowToTsValue() - stamp->GetEcho();
        return elapsed == 0 ? MicroSeconds(1) : MilliSeconds(elapsed);
    }
    TcpHeader bare; // as without time stamps
    bare.SetAckNumber(tcpHeader.GetAckNumber());
    return TcpSocketBase::CalculateRttSample(bare, rttHistory);
}

int
LongFatTcpSocket::Connect(const Address& address)
{
    NS_LOG_FUNCTION(this << address);
    m_isActive = true;
    const auto result = TcpSocketBase::Connect(address);
    CheckFirst();
    return result;
}

void
LongFatTcpSocket::CompleteFork(Ptr<Packet> packet,
                               const TcpHeader& tcpHeader,
                               const Address& fromAddress,
                               const Address& toAddress)
{
    NS_LOG_FUNCTION(this << packet << tcpHeader << fromAddress << toAddress);
    const Ptr<LongFatTcpSocket> keep(this);
    const auto stamp = DynamicCast<const TcpOptionTS>(tcpHeader.GetOption(TcpOption::TS));
    if (stamp && m_rules.wrapTimes && !IsNs3Compatible())
    {
        BeginTimes(stamp->GetTimestamp());
    }
    TcpSocketBase::CompleteFork(packet, tcpHeader, fromAddress, toAddress);
    if (!m_endPoint && !m_endPoint6)
    {
        m_tcp->RemoveSocket(this); // another SYN of this peer has just come
    }
    CheckFirst();
}

template <typename Header, typename HandOn>
void
LongFatTcpSocket::OnPacket(Ptr<Packet> packet, Header header, HandOn handOn)
{
    const auto ecn = header.GetEcn();
    if (ecn == Header::ECN_NotECT && OnFastPath(packet))
    {
        return;
    }
    if (m_rules.checkSegments && !IsNs3Compatible())
    {
        // TCP-D29: ns-3 compares with the last mark by sequence numbers, which fails after 2 GiB.
        m_isEct = ecn != Header::ECN_NotECT;
        m_isMarked = ecn == Header::ECN_CE;
        header.SetEcn(Header::ECN_NotECT);
    }
    handOn(header);
}

bool
LongFatTcpSocket::IsEchoing() const
{
    return m_tcb->m_ecnState == TcpSocketState::ECN_CE_RCVD ||
           m_tcb->m_ecnState == TcpSocketState::ECN_SENDING_ECE;
}

void
LongFatTcpSocket::ProcessMark(const TcpView& segment)
{
    if (m_tcb->m_ecnState == TcpSocketState::ECN_DISABLED)
    {
        return;
    }
    const SequenceNumber32 sequence(segment.sequence);
    const bool isNew = segment.dataBytes > 0 && sequence + SequenceNumber32(segment.dataBytes) >
                                                    m_tcb->m_rxBuffer->NextRxSequence();
    // RFC 3168, 6.1.3: in any state, not in ESTABLISHED alone
    if ((segment.flags & TcpHeader::CWR) != 0 &&
        m_tcb->m_ecnState == TcpSocketState::ECN_SENDING_ECE)
    {
        m_tcb->m_ecnState = TcpSocketState::ECN_IDLE;
    }
    if (isNew && m_isMarked) // RFC 3168, 6.1.5: not of what has arrived before
    {
        NS_LOG_LOGIC("segment " << sequence << " has a CE mark");
        m_ecnCESeq = sequence;
        m_tcb->m_ecnState = TcpSocketState::ECN_CE_RCVD;
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_ECN_IS_CE);
    }
    else if (isNew && m_isEct)
    {
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_ECN_NO_CE);
    }
}

void
LongFatTcpSocket::CheckFirst()
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
                    self->OnPacket(packet, header, [&](const Ipv4Header& shown) {
                        const InetSocketAddress from(header.GetSource(), port);
                        const InetSocketAddress to(header.GetDestination(), self->GetLocalPort());
                        if (!self->OnSegmentAtEnd(packet, from, to))
                        {
                            self->ForwardUp(packet, shown, port, interface);
                        }
                    });
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
                    self->OnPacket(packet, header, [&](const Ipv6Header& shown) {
                        const Inet6SocketAddress from(header.GetSource(), port);
                        const Inet6SocketAddress to(header.GetDestination(), self->GetLocalPort());
                        if (!self->OnSegmentAtEnd(packet, from, to))
                        {
                            self->ForwardUp6(packet, shown, port, interface);
                        }
                    });
                }));
    }
}

bool
LongFatTcpSocket::IsAt(const void* endPoint) const
{
    return endPoint == m_endPoint || endPoint == m_endPoint6;
}

void
LongFatTcpSocket::OnMalformed()
{
    if (m_rules.checkSegments && !IsNs3Compatible())
    {
        m_refusedTrace(TcpRefusal::MALFORMED);
    }
}

uint16_t
LongFatTcpSocket::GetLocalPort() const
{
    return m_endPoint ? m_endPoint->GetLocalPort() : m_endPoint6->GetLocalPort();
}

bool
LongFatTcpSocket::OnSegmentAtEnd(Ptr<Packet> packet,
                                 const Address& fromAddress,
                                 const Address& toAddress)
{
    const auto segment = TcpView::Read(*packet);
    const bool isReset = segment && (segment->flags & TcpView::RST) != 0;
    if (!m_rules.checkSegments || IsNs3Compatible() || !(isReset || m_state == TIME_WAIT))
    {
        return false;
    }
    DoForwardUp(packet, fromAddress, toAddress);
    return true;
}

bool
LongFatTcpSocket::IsPlain(const TcpView& segment) const
{
    const auto& buffer = *m_tcb->m_rxBuffer;
    const SequenceNumber32 sequence(segment.sequence);
    const SequenceNumber32 ack(segment.ack);
    return segment.isPlain && m_state == ESTABLISHED && !buffer.GotFin() &&
           sequence == buffer.NextRxSequence() &&
           (segment.dataBytes == 0 || sequence < buffer.MaxRxSequence()) &&
           ack >= m_txBuffer->HeadSequence() && ack <= m_tcb->m_highTxMark && m_rWnd != 0 &&
           segment.window != 0 && m_persistEvent.IsExpired() &&
           segment.time.has_value() == m_timestampEnabled && m_rxTrace.IsEmpty() &&
           (!m_rules.checkSegments || !segment.time ||
            (!IsFalseEcho(*segment.echo) &&
             static_cast<int32_t>(*segment.time - m_timestampToEcho) >= 0 &&
             !IsFalseTime(*segment.time)));
}

bool
LongFatTcpSocket::OnFastPath(const Ptr<Packet>& packet)
{
    const auto segment = TcpView::Read(*packet);
    if (!segment || IsNs3Compatible() || !IsPlain(*segment))
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
    packet->RemoveAtStart(segment->headerBytes);
    NS_LOG_DEBUG("segment " << segment->sequence << " of " << packet->GetSize() << " B, ACK of "
                            << segment->ack);
    TcpHeader header;
    header.SetSourcePort(segment->sourcePort);
    header.SetDestinationPort(segment->destinationPort);
    header.SetSequenceNumber(SequenceNumber32(segment->sequence));
    header.SetAckNumber(SequenceNumber32(segment->ack));
    header.SetFlags(TcpHeader::ACK);
    header.SetWindowSize(segment->window);
    if (segment->time)
    {
        const auto stamp = MakeStamp(m_takenStamp, *segment->time, *segment->echo);
        header.AppendOption(stamp);
        UpdateTimestamp(*segment->time);
        ProcessOptionTimestamp(stamp, header.GetSequenceNumber());
    }
    EstimateRtt(header);
    UpdateWindowSize(header);
    ReceivedAck(packet, header);
    if (m_rules.checkSegments)
    {
        CheckWindow(false);
    }
    return true;
}

Ptr<Packet>
LongFatTcpSocket::Recv(uint32_t maxSize, uint32_t flags)
{
    NS_LOG_FUNCTION(this << maxSize << flags);
    if (IsNs3Compatible())
    {
        return TcpSocketBase::Recv(maxSize, flags);
    }
    auto piece = TakePiece(*m_tcb->m_rxBuffer, maxSize);
    if (!piece)
    {
        piece = TcpSocketBase::Recv(maxSize, flags);
    }
    if (!m_isReceiving && IsWindowUpdateDue())
    {
        SendAck();
    }
    return piece;
}

void
LongFatTcpSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    NS_LOG_FUNCTION(this << packet << tcpHeader);
    if (IsNs3Compatible())
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
            m_isReceiving = true;
            NotifyDataRecv();
            m_isReceiving = false;
        }
        if (m_shutdownRecv && m_rules.discardUnread)
        {
            buffer.Extract(buffer.Available()); // nobody reads it
        }
        const bool isOpen = !m_rules.checkSegments || m_state == ESTABLISHED;
        if (isOpen && buffer.Finished() && (tcpHeader.GetFlags() & TcpHeader::FIN) == 0)
        {
            DoPeerClose(); // the last gap before an earlier FIN is filled
            return;
        }
    }
    const bool isGap = buffer.Size() > buffer.Available();
    const bool isFilled = buffer.NextRxSequence() > end;
    if (isGap || isFilled || IsWindowUpdateDue()) // RFC 5681, section 4.2: at once
    {
        NS_LOG_DEBUG("ACK at once: gap " << isGap << ", gap filled " << isFilled << ", expects "
                                         << buffer.NextRxSequence());
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
LongFatTcpSocket::SendPureAck()
{
    const auto packet = Create<Packet>();
    AddTags(packet, IsEct(TcpPacketType_t::PURE_ACK));
    if (!m_rules.keepBackOff)
    {
        m_rto = Max(m_rtt->GetEstimate() + Max(m_clockGranularity, m_rtt->GetVariation() * 4),
                    m_minRto);
    }
    const auto header = MakeHeader(m_tcb->m_nextTxSequence, TcpHeader::ACK);
    m_delAckEvent.Cancel();
    m_delAckCount = 0;
    m_highTxAck = std::max(m_highTxAck, header.GetAckNumber());
    Transmit(packet, header, false);
}

void
LongFatTcpSocket::SendAck()
{
    const bool isMarked = IsEchoing();
    if (!isMarked && m_state == ESTABLISHED && (m_endPoint || m_endPoint6) &&
        m_tcb->m_rxBuffer->GetSackListSize() == 0)
    {
        SendPureAck();
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
    NS_LOG_LOGIC("the delayed ACK is due, segments " << m_delAckCount);
    DelAckTimeout();
}

void
LongFatTcpSocket::DelAckTimeout()
{
    const Ptr<LongFatTcpSocket> keep(this);
    TcpSocketBase::DelAckTimeout();
}

} // namespace ns3::lfn
