// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-log.h"
#include "long-fat-tcp-socket.h"
#include "tcp-reassembly.h"

#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket: from CLOSED to a connection, and from its end to CLOSED.
 */

namespace ns3::lfn
{

static LogComponent& g_log = g_longFatTcpLog;

namespace
{

/// Longest timeout of a FIN that is not acknowledged, [s].
constexpr int64_t MAX_FIN_S = 60;

} // namespace

TcpUnsynchronized::Verdict
LongFatTcpSocket::JudgeUnsynchronized(const TcpView& segment) const
{
    using State = TcpUnsynchronized::State;
    auto state = State::CLOSED;
    switch (m_state)
    {
    case LISTEN:
        state = State::LISTEN;
        break;
    case SYN_SENT:
        state = State::SYN_SENT;
        break;
    case SYN_RCVD:
        state = State::SYN_RCVD;
        break;
    case TIME_WAIT:
        state = State::TIME_WAIT;
        break;
    default:
        break;
    }
    const auto& buffer = *m_tcb->m_rxBuffer;
    const TcpUnsynchronized limits{.state = state,
                                   .isActive = m_isActive,
                                   .initial = m_tcb->m_nextTxSequence.Get().GetValue(),
                                   .next = buffer.NextRxSequence().GetValue(),
                                   .room = buffer.MaxBufferSize(),
                                   .hasTimes = m_timestampEnabled};
    return limits.Judge(segment);
}

void
LongFatTcpSocket::ForwardUnsynchronized(Ptr<Packet> packet,
                                        const TcpView& segment,
                                        const Address& fromAddress,
                                        const Address& toAddress)
{
    const auto verdict = JudgeUnsynchronized(segment);
    if (verdict.reason)
    {
        NS_LOG_LOGIC("a segment is refused in state " << TcpStateName[m_state] << ": "
                                                      << *verdict.reason);
        m_refusedTrace(*verdict.reason);
    }
    switch (verdict.action)
    {
    case TcpUnsynchronized::Action::TAKE:
        OpenConnection(packet, segment, fromAddress, toAddress);
        break;
    case TcpUnsynchronized::Action::DROP:
        break;
    case TcpUnsynchronized::Action::ACK:
        Challenge();
        break;
    case TcpUnsynchronized::Action::RESET:
        SendReset(packet, segment, fromAddress, toAddress);
        break;
    case TcpUnsynchronized::Action::REPEAT:
        RepeatAnswer();
        break;
    case TcpUnsynchronized::Action::END:
        ExtractHeader(packet);
        EndUnsynchronized();
        break;
    }
}

void
LongFatTcpSocket::OpenConnection(Ptr<Packet> packet,
                                 const TcpView& segment,
                                 const Address& fromAddress,
                                 const Address& toAddress)
{
    if (m_state == LISTEN)
    {
        ForwardListen(packet, fromAddress, toAddress);
        return;
    }
    if (m_state == SYN_SENT && (segment.flags & TcpHeader::ACK) == 0)
    {
        m_retxEvent.Cancel(); // both have sent a SYN; from now on it is sent with an ACK
    }
    const bool isAccepted = m_isActive && m_state == SYN_RCVD;
    if (segment.time)
    {
        BeginTimes(*segment.time);
    }
    ForwardToBase(packet, fromAddress, toAddress);
    NS_LOG_INFO("state " << TcpStateName[m_state] << ", SACK " << m_sackEnabled << ", time stamps "
                         << m_timestampEnabled << ", window scale " << m_winScalingEnabled);
    UpdateWindow();
    if (!m_connected)
    {
        m_persistEvent.Cancel(); // there are no data yet for which a window is to be asked
    }
    else if (isAccepted)
    {
        // ns-3 takes any host that is in SYN_RCVD for one that listened.
        const Ptr<LongFatTcpSocket> keep(this);
        Simulator::ScheduleNow([keep] { keep->ConnectionSucceeded(); });
    }
    if (m_connected && m_isCloseDue)
    {
        m_isCloseDue = false;
        Close();
    }
}

void
LongFatTcpSocket::ForwardToBase(Ptr<Packet> packet,
                                const Address& fromAddress,
                                const Address& toAddress)
{
    const bool wasConnecting = m_state == SYN_SENT;
    const bool wasProbing = m_persistEvent.IsPending();
    TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
    const bool isConnected = wasConnecting && m_state == ESTABLISHED;
    if (!IsNs3Compatible() && (isConnected || (wasProbing && !m_persistEvent.IsPending())))
    {
        const auto count = m_delAckCount; // ns-3 acknowledges the first data at once
        SendPending();
        m_delAckCount = isConnected ? count : m_delAckCount;
    }
}

void
LongFatTcpSocket::ForwardListen(Ptr<Packet> packet,
                                const Address& fromAddress,
                                const Address& toAddress)
{
    // What a SYN says is of its own connection, which ns-3 copies from the listening socket.
    const bool hasSack = m_sackEnabled;
    const bool hasScale = m_winScalingEnabled;
    const bool hasTimes = m_timestampEnabled;
    const auto shift = m_sndWindShift;
    const auto echo = m_timestampToEcho;
    const auto stamp = m_tcb->m_rcvTimestampValue;
    const auto answer = m_tcb->m_rcvTimestampEchoReply;
    TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
    m_sackEnabled = hasSack;
    m_txBuffer->SetSackEnabled(hasSack);
    m_winScalingEnabled = hasScale;
    m_timestampEnabled = hasTimes;
    m_sndWindShift = shift;
    m_timestampToEcho = echo;
    m_tcb->m_rcvTimestampValue = stamp;
    m_tcb->m_rcvTimestampEchoReply = answer;
    m_persistEvent.Cancel();
}

void
LongFatTcpSocket::EndUnsynchronized()
{
    NS_LOG_INFO("the connection ends in state " << TcpStateName[m_state]);
    if (m_state == TIME_WAIT)
    {
        CloseAndNotify();
        return;
    }
    m_state = CLOSED;
    DeallocateEndPoint();
    if (m_isActive)
    {
        m_rtt->Reset(); // RFC 6298, as when nobody answers
        NotifyConnectionFailed();
    }
}

void
LongFatTcpSocket::SendReset(Ptr<const Packet> packet,
                            const TcpView& segment,
                            const Address& fromAddress,
                            const Address& toAddress)
{
    NS_LOG_FUNCTION(this << packet << fromAddress << toAddress);
    TcpHeader taken;
    packet->PeekHeader(taken);
    TcpHeader header;
    header.SetSourcePort(taken.GetDestinationPort());
    header.SetDestinationPort(taken.GetSourcePort());
    header.SetWindowSize(0);
    if ((segment.flags & TcpHeader::ACK) != 0)
    {
        header.SetFlags(TcpHeader::RST);
        header.SetSequenceNumber(taken.GetAckNumber());
    }
    else
    {
        const uint32_t controls = ((segment.flags & TcpHeader::SYN) != 0 ? 1 : 0) +
                                  ((segment.flags & TcpHeader::FIN) != 0 ? 1 : 0);
        header.SetFlags(TcpHeader::RST | TcpHeader::ACK);
        header.SetSequenceNumber(SequenceNumber32(0));
        header.SetAckNumber(SequenceNumber32(segment.sequence + segment.dataBytes + controls));
    }
    const auto answer = Create<Packet>();
    m_txTrace(answer, header, this);
    m_tcp->SendPacket(answer, header, toAddress, fromAddress, m_boundnetdevice);
}

void
LongFatTcpSocket::RepeatAnswer()
{
    if (!MayAnswer())
    {
        return;
    }
    if (m_state == SYN_RCVD)
    {
        const auto rto = m_rto.Get();
        // It is no retransmission of the timer's, which goes on as it is.
        const auto count = m_synCount;
        m_synCount = std::max(count, 1U);
        const bool isEcn = m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED;
        SendEmptyPacket(TcpHeader::SYN | TcpHeader::ACK | (isEcn ? TcpHeader::ECE : 0));
        m_synCount = count;
        m_rto = rto;
    }
    else
    {
        SendAck();
        m_timewaitEvent.Cancel(); // it restarts (RFC 9293, 3.10.7.4)
        m_timewaitEvent = Simulator::Schedule(Seconds(2 * m_msl), [this] {
            const Ptr<LongFatTcpSocket> keep(this);
            CloseAndNotify();
        });
    }
}

TcpHeader
LongFatTcpSocket::ExtractHeader(Ptr<Packet> packet)
{
    SocketPriorityTag priority;
    packet->RemovePacketTag(priority);
    TcpHeader header;
    packet->RemoveHeader(header);
    m_rxTrace(packet, header, this);
    return header;
}

void
LongFatTcpSocket::ProcessSegment(Ptr<Packet> packet)
{
    const auto header = ExtractHeader(packet);
    const bool hasAck = (header.GetFlags() & TcpHeader::ACK) != 0;
    if (hasAck)
    {
        if (m_timestampEnabled)
        {
            ProcessOptionTimestamp(header.GetOption(TcpOption::TS), header.GetSequenceNumber());
        }
        EstimateRtt(header);
        UpdateWindowSize(header);
    }
    if (m_rWnd == 0 && m_persistEvent.IsExpired())
    {
        m_retxEvent.Cancel();
        m_persistEvent =
            Simulator::Schedule(m_persistTimeout, &LongFatTcpSocket::PersistTimeout, this);
    }
    const auto finEnd = m_tcb->m_highTxMark + 1;
    const bool isFinAcked = hasAck && IsFinPending() && header.GetAckNumber() == finEnd;
    auto& buffer = *m_tcb->m_rxBuffer;
    const bool wasFinished = buffer.Finished();
    const bool hasFin = (header.GetFlags() & TcpHeader::FIN) != 0;
    const auto bytes = packet->GetSize();
    if (hasFin)
    {
        buffer.SetFinSequence(header.GetSequenceNumber() + SequenceNumber32(bytes));
    }
    if (hasAck)
    {
        ReceivedAck(packet, header);
    }
    else if (bytes > 0)
    {
        ReceivedData(packet, header);
    }
    if (isFinAcked)
    {
        ProcessFinAck();
    }
    if (!wasFinished && buffer.Finished())
    {
        ProcessFin();
    }
    else if (hasFin && bytes == 0)
    {
        SendAck(); // data before it are missing
    }
    if (m_rWnd != 0 && m_persistEvent.IsPending())
    {
        m_persistEvent.Cancel();
        SendPending();
    }
    if (IsFinPending() && m_txBuffer->Size() == 0 && m_retxEvent.IsExpired())
    {
        StartTimer(); // with the last data ns-3 stops the timer of the FIN as well
    }
}

bool
LongFatTcpSocket::IsFinPending() const
{
    return m_state == FIN_WAIT_1 || m_state == CLOSING || m_state == LAST_ACK;
}

void
LongFatTcpSocket::ProcessFinAck()
{
    NS_LOG_INFO("the FIN is acknowledged in state " << TcpStateName[m_state]);
    if (m_state == FIN_WAIT_1)
    {
        m_retxEvent.Cancel();
        m_state = FIN_WAIT_2;
    }
    else if (m_state == CLOSING)
    {
        TimeWait();
    }
    else if (m_state == LAST_ACK)
    {
        CloseAndNotify();
    }
}

void
LongFatTcpSocket::ProcessFin()
{
    NS_LOG_INFO("the peer has closed in state " << TcpStateName[m_state]);
    if (m_state == ESTABLISHED)
    {
        DoPeerClose();
        return;
    }
    if (m_state == FIN_WAIT_1)
    {
        m_state = CLOSING;
    }
    else if (m_state == FIN_WAIT_2)
    {
        TimeWait();
    }
    else
    {
        return; // the application has ended it meanwhile
    }
    SendAck();
    if (!m_shutdownRecv)
    {
        NotifyDataRecv();
    }
}

int
LongFatTcpSocket::Close()
{
    NS_LOG_FUNCTION(this);
    const Ptr<LongFatTcpSocket> keep(this);
    if (!m_rules.checkSegments || IsNs3Compatible())
    {
        return TcpSocketBase::Close();
    }
    if (m_state == SYN_RCVD && !m_connected)
    {
        m_isCloseDue = true; // RFC 9293, 3.10.4
        return 0;
    }
    if (m_shutdownRecv)
    {
        DiscardAll(*m_tcb->m_rxBuffer);
    }
    const auto result = TcpSocketBase::Close();
    if (!m_endPoint && !m_endPoint6)
    {
        m_state = CLOSED; // by a reset
    }
    return result;
}

void
LongFatTcpSocket::SendEmptyPacket(uint8_t flags)
{
    NS_LOG_FUNCTION(this << flags);
    const Ptr<LongFatTcpSocket> keep(this); // the last SYN without an answer ends it
    const bool isTimed = (flags & TcpHeader::FIN) != 0 && m_retxEvent.IsExpired() &&
                         !IsNs3Compatible() && m_rules.repeatFin;
    const auto rto = m_rto.Get();
    TcpSocketBase::SendEmptyPacket(flags);
    if (m_rules.keepBackOff && (flags & TcpHeader::SYN) == 0)
    {
        m_rto = rto; // TCP-D31
    }
    if (isTimed && m_retxEvent.IsPending())
    {
        m_retxEvent.Cancel(); // ns-3's own sends it again and again
        StartTimer();
    }
}

void
LongFatTcpSocket::RepeatFin()
{
    NS_LOG_LOGIC("the FIN is retransmitted, attempts left " << m_dataRetrCount);
    --m_dataRetrCount;
    SendEmptyPacket(TcpHeader::FIN);
    m_rto = Min(m_rto + m_rto, Seconds(MAX_FIN_S)); // RFC 6298, (5.5)
    m_retxEvent.Cancel();
    StartTimer();
}

void
LongFatTcpSocket::GiveUp()
{
    NS_LOG_WARN("the connection is given up: no ACK of "
                << m_txBuffer->HeadSequence() << " since " << m_firstTimeout.As(Time::S)
                << " (GiveUpTime " << m_giveUpTime.As(Time::S) << ")");
    m_state = CLOSED;
    DeallocateEndPoint();
    NotifyErrorClose();
}

void
LongFatTcpSocket::LastAckTimeout()
{
    NS_LOG_FUNCTION(this);
    if (!m_rules.repeatFin || IsNs3Compatible()) // else the timer of retransmissions repeats a FIN
    {
        const Ptr<LongFatTcpSocket> keep(this);
        TcpSocketBase::LastAckTimeout();
    }
}

} // namespace ns3::lfn
