// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-log.h"
#include "long-fat-tcp-socket.h"
#include "tcp-reassembly.h"

#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket: data that arrive, from the buffer to the application, and their ACKs.
 */

namespace ns3::lfn
{

static LogComponent& g_log = g_longFatTcpLog;

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
LongFatTcpSocket::IsEchoing() const
{
    return m_tcb->m_ecnState == TcpSocketState::ECN_CE_RCVD ||
           m_tcb->m_ecnState == TcpSocketState::ECN_SENDING_ECE;
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
