// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-log.h"
#include "long-fat-tcp-socket.h"
#include "ns3-access.h"

#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-bic.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-rate-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket: acknowledgements, what they say of losses, and recovery from these.
 */

namespace ns3::lfn
{

static LogComponent& g_log = g_longFatTcpLog;

namespace
{

/// A retransmission timeout is no longer (RFC 6298, (2.5)).
constexpr int64_t MAX_RTO_S = 60;

} // namespace

void
LongFatTcpSocket::Deliver(TcpRecoveryCore::Segment& segment)
{
    auto& record = segment.record;
    ns3access::SetSegment(m_item, segment.bytes, record.lastSent);
    auto& rate = m_item.GetRateInformation();
    rate.m_delivered = record.deliveredBytes;
    rate.m_deliveredTime = record.deliveredTime;
    rate.m_firstSent = record.firstSent;
    rate.m_isAppLimited = record.isAppLimited;
    m_rateOps->SkbDelivered(&m_item);
    record.deliveredTime = rate.m_deliveredTime;
}

uint32_t
LongFatTcpSocket::ReadSacks(const TcpHeader& header)
{
    const auto option = DynamicCast<const TcpOptionSack>(header.GetOption(TcpOption::SACK));
    if (!option)
    {
        return 0;
    }
    std::vector<TcpRecoveryCore::Range> blocks;
    for (const auto& [begin, end] : option->GetSackList())
    {
        blocks.push_back({GetOffset(begin), GetOffset(end)});
    }
    return m_recovery.OnSacks(std::move(blocks));
}

void
LongFatTcpSocket::RefuseSack(const TcpRecoveryCore::Range& block)
{
    m_refusedTrace(TcpRefusal::FALSE_SACK);
    NS_LOG_LOGIC("a SACK block from " << GetSequence(block.begin) << " to "
                                      << GetSequence(block.end)
                                      << " is ignored: " << TcpRefusal::FALSE_SACK);
}

void
LongFatTcpSocket::ConfigureRecovery()
{
    m_recovery.Configure({.segmentSize = m_tcb->m_segmentSize,
                          .dupThresh = m_retxThresh,
                          .hasSack = m_sackEnabled,
                          .limitedTransmit = m_limitedTx,
                          .controlsWindow = m_congestionControl->HasCongControl(),
                          .partialAckSegments = m_partialAckSegments,
                          .sackRetransmissions = m_sackOfRetransmissions});
}

TcpRecoveryCore::Ack
LongFatTcpSocket::Acknowledge(SequenceNumber32 number)
{
    const auto end = GetOffset(number);
    const auto highData = GetOffset(m_tcb->m_highTxMark);
    auto ack = m_recovery.Acknowledge(end, m_txBuffer->Size() - m_board.GetSentBytes());
    m_store.Discard(end);
    auto& size = ns3access::GetSize(*m_txBuffer);
    size -= std::min(size, static_cast<uint32_t>(number - m_txBuffer->HeadSequence()));
    ns3access::SetHead(*m_txBuffer, number);
    ack.highData = highData;
    ack.writtenBytes = size;
    ack.receiverWindow = m_rWnd;
    return ack;
}

void
LongFatTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    NS_LOG_FUNCTION(this << packet << tcpHeader);
    if (IsNs3Compatible())
    {
        TcpSocketBase::ReceivedAck(packet, tcpHeader);
        return;
    }
    const auto lostBefore = m_board.GetLostBytes();
    const auto inFlightBefore = m_tcb->m_bytesInFlight.Get();
    const auto deliveredBefore = m_rateOps->GetConnectionRate().m_delivered;
    const bool hasData = packet->GetSize() > 0;
    ConfigureRecovery();
    const auto sackedBytes = ReadSacks(tcpHeader);
    const auto number = tcpHeader.GetAckNumber();
    if (number < m_txBuffer->HeadSequence())
    {
        if (hasData)
        {
            ReceivedData(packet, tcpHeader);
        }
        return;
    }
    auto ack = Acknowledge(number);
    const bool isNew = ack.number > ack.oldHead;
    m_tcb->m_isRetransDataAcked |= ack.isRetransmissionAcked;
    ack.deliveredBytes =
        static_cast<uint32_t>(m_rateOps->GetConnectionRate().m_delivered - deliveredBefore);
    m_tcb->m_lastAckedSackedBytes = ack.deliveredBytes;
    ack.isDuplicate =
        m_sackEnabled ? sackedBytes > 0 : !isNew && ack.number < ack.highData && !hasData;
    // Both roles, of data sent and of data received, have one state in ns-3: the receiver's stays.
    const auto echoState = m_tcb->m_ecnState.Get();
    const bool isEchoing = m_rules.echoBothWays && IsEchoing();
    m_recovery.LeaveCwr(ack.number);
    if (ReadEcho(tcpHeader, isNew))
    {
        m_recovery.OnEcho(ack);
    }
    UpdateBytesInFlight();
    NS_LOG_DEBUG("ACK of " << number << ", duplicate " << ack.isDuplicate << ", delivered "
                           << ack.deliveredBytes << " B, SACKed " << m_board.GetSackedBytes()
                           << " B, lost " << m_board.GetLostBytes() << " B, in flight "
                           << m_tcb->m_bytesInFlight << " B, cwnd " << m_tcb->m_cWnd << " B");
    m_isInAck = true;
    m_tcb->m_lastAckedSeq = number;
    m_recovery.OnAck(ack);
    if (!isNew && ack.number > ack.highData)
    {
        m_tcb->m_nextTxSequence = number; // the FIN is acknowledged
    }
    if (isNew || ack.number != ack.highData)
    {
        UpdatePacingRate();
    }
    m_tcb->m_isRetransDataAcked = false;
    ControlWindow(ack.deliveredBytes, lostBefore, inFlightBefore);
    if (isEchoing)
    {
        m_tcb->m_ecnState = echoState;
    }
    if (hasData)
    {
        ReceivedData(packet, tcpHeader);
    }
    SendPending();
    m_isInAck = false;
    // With no window left there is nothing to look for.
    m_isCheckPending = m_isCheckPending && TcpSocketBase::AvailableWindow() > 0;
    ScheduleCheck();
}

void
LongFatTcpSocket::ControlWindow(uint32_t deliveredBytes,
                                uint32_t lostBefore,
                                uint32_t inFlightBefore)
{
    if (!m_congestionControl->HasCongControl())
    {
        return;
    }
    const auto lost = m_board.GetLostBytes();
    const auto sample =
        m_rateOps->GenerateSample(deliveredBytes,
                                  std::max(lost, lostBefore) - std::min(lost, lostBefore),
                                  false,
                                  inFlightBefore,
                                  m_tcb->m_minRtt);
    m_congestionControl->CongControl(m_tcb, m_rateOps->GetConnectionRate(), sample);
}

bool
LongFatTcpSocket::ReadEcho(const TcpHeader& header, bool isNew)
{
    const bool isEcho = (header.GetFlags() & TcpHeader::ECE) != 0;
    const auto state = m_tcb->m_ecnState.Get();
    if (isNew && state != TcpSocketState::ECN_DISABLED && isEcho)
    {
        // TCP-D29: by sequence numbers, an echo 2 GiB ago would be one to come.
        if (!m_rules.echoAnySequence && m_ecnEchoSeq >= header.GetAckNumber())
        {
            return false;
        }
        m_ecnEchoSeq = header.GetAckNumber();
        m_tcb->m_ecnState = TcpSocketState::ECN_ECE_RCVD;
        return true;
    }
    if (state == TcpSocketState::ECN_ECE_RCVD && !isEcho)
    {
        m_tcb->m_ecnState = TcpSocketState::ECN_IDLE;
    }
    return false;
}

void
LongFatTcpSocket::NewAck(const SequenceNumber32& seq, bool resetRTO)
{
    if (!IsNs3Compatible() && resetRTO && m_state != SYN_RCVD)
    {
        resetRTO = false;
        // RFC 6298, section 5: it stays doubled until a new sample (TCP-D31)
        if (!m_rules.keepBackOff || !m_keepBackOff)
        {
            m_rto = Max(m_rtt->GetEstimate() + Max(m_clockGranularity, m_rtt->GetVariation() * 4),
                        m_minRto);
        }
        StartTimer(); // RFC 6298, (5.3)
    }
    TcpSocketBase::NewAck(seq, resetRTO);
}

void
LongFatTcpSocket::StartTimer()
{
    const auto rto = m_rules.limitRto ? Min(m_rto, Seconds(MAX_RTO_S)) : m_rto.Get();
    m_retxDeadline = Simulator::Now() + rto;
    if (m_retxEvent.IsExpired() || Simulator::GetDelayLeft(m_retxEvent) > rto)
    {
        m_retxEvent.Cancel();
        m_retxEvent = Simulator::Schedule(rto, &LongFatTcpSocket::CheckTimer, this);
    }
}

void
LongFatTcpSocket::CheckTimer()
{
    if (const auto left = m_retxDeadline - Simulator::Now(); left.IsStrictlyPositive())
    {
        m_retxEvent = Simulator::Schedule(left, &LongFatTcpSocket::CheckTimer, this);
        return;
    }
    ReTxTimeout();
}

uint32_t
LongFatTcpSocket::GetCwnd() const
{
    return m_tcb->m_cWnd;
}

uint32_t
LongFatTcpSocket::GetSsThresh() const
{
    return m_tcb->m_ssThresh;
}

void
LongFatTcpSocket::SetState(TcpRecoveryCore::State state)
{
    constexpr std::array STATES{TcpSocketState::CA_OPEN,
                                TcpSocketState::CA_DISORDER,
                                TcpSocketState::CA_CWR,
                                TcpSocketState::CA_RECOVERY,
                                TcpSocketState::CA_LOSS};
    const auto next = STATES.at(static_cast<std::size_t>(state));
    const auto last = m_tcb->m_congState.Get();
    NS_LOG_INFO("congestion state " << TcpSocketState::TcpCongStateName[last] << " -> "
                                    << TcpSocketState::TcpCongStateName[next]);
    const bool isOfCwr = next == TcpSocketState::CA_CWR ||
                         (last == TcpSocketState::CA_CWR && next == TcpSocketState::CA_OPEN);
    if (next == TcpSocketState::CA_CWR)
    {
        m_tcb->m_cWndInfl = m_tcb->m_ssThresh;
    }
    else if (next == TcpSocketState::CA_LOSS)
    {
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_LOSS);
    }
    if (!isOfCwr || NS3_REPORTS_CWR)
    {
        m_congestionControl->CongestionStateSet(m_tcb, next);
    }
    m_tcb->m_congState = next;
}

void
LongFatTcpSocket::ReduceSsThresh(uint32_t flightBytes)
{
    m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, flightBytes);
    m_isCwrDue = true;
}

void
LongFatTcpSocket::SetLossWindow()
{
    m_tcb->m_cWnd = m_tcb->m_segmentSize;
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
}

void
LongFatTcpSocket::BeginReduction(uint32_t deliveredBytes)
{
    EnterRecoveryOf(m_recoveryOps,
                    m_tcb,
                    m_recovery.GetDuplicates(),
                    UnAckDataCount(),
                    deliveredBytes,
                    m_board.GetSackedBytes());
}

void
LongFatTcpSocket::GoOnReducing(uint32_t deliveredBytes, bool isDuplicate)
{
    m_recoveryOps->DoRecovery(m_tcb, deliveredBytes, isDuplicate);
}

void
LongFatTcpSocket::EndReduction()
{
    m_tcb->m_cWnd = m_tcb->m_ssThresh.Get();
    m_recoveryOps->ExitRecovery(m_tcb);
}

void
LongFatTcpSocket::ReportReduction()
{
    m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_COMPLETE_CWR);
}

void
LongFatTcpSocket::ReportAcked(uint32_t segments)
{
    m_congestionControl->PktsAcked(m_tcb, segments, m_tcb->m_srtt);
}

void
LongFatTcpSocket::OpenWindow(uint32_t segments)
{
    const auto window = m_tcb->m_cWnd.Get();
    m_congestionControl->IncreaseWindow(m_tcb, segments);
    if (segments == 0 && window < m_tcb->m_cWnd && m_rules.countSegments &&
        DynamicCast<TcpBic>(m_congestionControl))
    {
        m_tcb->m_cWnd = window; // TCP-D11: TcpBic takes any ACK for one of a segment
    }
    if (m_tcb->m_congState == TcpSocketState::CA_OPEN)
    {
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    }
}

void
LongFatTcpSocket::Deflate(uint32_t bytes)
{
    m_tcb->m_cWndInfl = SafeSubtraction(m_tcb->m_cWndInfl, bytes);
}

void
LongFatTcpSocket::ReportNewAck(bool restartTimer)
{
    NewAck(m_tcb->m_lastAckedSeq, restartTimer);
}

uint32_t
LongFatTcpSocket::SendNow(int64_t offset, uint32_t bytes)
{
    return SendDataPacket(GetSequence(offset), bytes, true);
}

void
LongFatTcpSocket::SendNext(int64_t offset, uint32_t bytes)
{
    m_tcb->m_nextTxSequence = GetSequence(offset);
    SendDataPacket(m_tcb->m_nextTxSequence, bytes, true);
    PointToNew();
}

void
LongFatTcpSocket::Log(TcpRecoveryCore::Decision decision)
{
    using Decision = TcpRecoveryCore::Decision;
    const auto point = GetSequence(m_recovery.GetRecoveryPoint());
    switch (decision)
    {
    case Decision::COUNT_DUPLICATE:
        NS_LOG_LOGIC("duplicate ACK " << m_recovery.GetDuplicates() << " of " << m_retxThresh);
        break;
    case Decision::START_RECOVERY:
        NS_LOG_LOGIC("recovery starts at "
                     << m_txBuffer->HeadSequence() << " after " << m_recovery.GetDuplicates()
                     << " duplicate ACKs: ssthresh " << m_tcb->m_ssThresh << " B, lost "
                     << m_board.GetLostBytes() << " B, recovery point " << point);
        break;
    case Decision::REDUCE_AGAIN:
        NS_LOG_LOGIC("a retransmission is lost: ssthresh " << m_tcb->m_ssThresh
                                                           << " B, recovery point " << point);
        break;
    case Decision::REDUCE_FOR_ECHO:
        NS_LOG_LOGIC("ECN-Echo: ssthresh " << m_tcb->m_ssThresh << " B, recovery point " << point);
        break;
    case Decision::GO_ON:
        NS_LOG_LOGIC("partial ACK of " << m_tcb->m_lastAckedSeq << ", recovery point " << point
                                       << ", lost " << m_board.GetLostBytes() << " B");
        break;
    case Decision::END_RECOVERY:
        NS_LOG_LOGIC("recovery ends with the ACK of " << m_tcb->m_lastAckedSeq << ": cwnd "
                                                      << m_tcb->m_ssThresh << " B");
        break;
    }
}

void
LongFatTcpSocket::ReTxTimeout()
{
    NS_LOG_FUNCTION(this << m_rto);
    const Ptr<LongFatTcpSocket> keep(
        this); // the callback of a failed attempt may drop the last reference
    const bool hasData = m_txBuffer->Size() > 0;
    const bool isOpen = m_state != CLOSED && m_state != TIME_WAIT && m_state != SYN_SENT;
    const bool isTimed =
        isOpen && !IsNs3Compatible() && m_rules.giveUpByTime && (hasData || IsFinPending());
    const bool isSpent = IsSpent(isTimed);
    if (isTimed && (isSpent || !hasData))
    {
        isSpent ? GiveUp() : RepeatFin();
        return;
    }
    if (IsNs3Compatible() || !hasData || !isOpen || isSpent)
    {
        TcpSocketBase::ReTxTimeout();
        return;
    }
    m_dataRetrCount -= m_dataRetrCount > 0;
    UpdateBytesInFlight();
    m_rto = Min(m_rto + m_rto, Seconds(MAX_RTO_S)); // RFC 6298, (5.5)
    m_history.clear();
    m_isCwrDue = true;
    ConfigureRecovery();
    m_recovery.OnTimeout(GetOffset(m_tcb->m_highTxMark));
    NS_LOG_LOGIC("retransmission timeout at " << m_txBuffer->HeadSequence() << ": ssthresh "
                                              << m_tcb->m_ssThresh << " B, the next timeout is "
                                              << m_rto.Get().As(Time::MS) << ", lost "
                                              << m_board.GetLostBytes() << " B");
    m_pacingTimer.Cancel();
    UpdateBytesInFlight();
    SendPending();
    UpdateBytesInFlight();
}

bool
LongFatTcpSocket::IsSpent(bool isTimed)
{
    if (isTimed && m_dataRetrCount == m_dataRetries)
    {
        m_firstTimeout = Simulator::Now();
    }
    // TCP-D32: RFC 9293, 3.8.3, R2; data were retransmitted when it had passed
    const bool isPatient =
        isTimed && m_txBuffer->Size() > 0 && m_lastDataSent - m_firstTimeout < m_giveUpTime;
    return m_dataRetrCount == 0 && !isPatient;
}

} // namespace ns3::lfn
