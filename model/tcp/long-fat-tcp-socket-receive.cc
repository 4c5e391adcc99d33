// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-log.h"
#include "long-fat-tcp-socket.h"

#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket: checks of arriving segments, the window, time stamps, marks by ECN.
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

} // namespace ns3::lfn
