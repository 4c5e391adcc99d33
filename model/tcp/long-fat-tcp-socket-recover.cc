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
LongFatTcpSocket::Deliver(TcpScoreboardCore::Segment& segment)
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
    std::vector<TcpScoreboardCore::Range> ranges;
    for (const auto& [begin, end] : option->GetSackList())
    {
        const TcpScoreboardCore::Range range{GetOffset(begin), GetOffset(end)};
        const bool isTrue = m_board.GetHead() < range.begin && range.begin < range.end &&
                            range.end <= m_board.GetEnd();
        if (m_ns3Faults || isTrue)
        {
            ranges.push_back(range);
        }
        else if (range.begin >= range.end || range.end > m_board.GetHead()) // else it is an old one
        {
            m_refusedTrace(TcpRefusal::FALSE_SACK);
            NS_LOG_LOGIC("a SACK block from " << begin << " to " << end
                                              << " is ignored: " << TcpRefusal::FALSE_SACK);
        }
    }
    const bool isRfc = m_sackOfRetransmissions && !m_ns3Faults; // TCP-D27, TCP-D28
    const auto rules = isRfc ? TcpScoreboardCore::Rules::RFC : TcpScoreboardCore::Rules::NS3;
    return m_board.Update(ranges, m_retxThresh, rules);
}

void
LongFatTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    NS_LOG_FUNCTION(this << packet << tcpHeader);
    if (IsStock())
    {
        TcpSocketBase::ReceivedAck(packet, tcpHeader);
        return;
    }
    const auto lostBefore = m_board.GetLostBytes();
    const auto inFlightBefore = m_tcb->m_bytesInFlight.Get();
    const auto deliveredBefore = m_rateOps->GetConnectionRate().m_delivered;
    const bool hasData = packet->GetSize() > 0;
    const auto sackedBytes = ReadSacks(tcpHeader);

    Ack ack{tcpHeader.GetAckNumber(), m_txBuffer->HeadSequence(), false, 0};
    if (ack.number < ack.oldHead)
    {
        if (hasData)
        {
            ReceivedData(packet, tcpHeader);
        }
        return;
    }
    if (ack.number < m_recover && m_tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        const auto segments =
            static_cast<uint32_t>(ack.number - ack.oldHead) / m_tcb->m_segmentSize;
        for (uint32_t i = 0; i < segments; ++i)
        {
            const auto end = GetOffset(ack.number) - int64_t{i} * m_tcb->m_segmentSize;
            m_tcb->m_isRetransDataAcked |= m_board.IsRetransmittedDataAcked(end);
        }
    }
    ForgetDuplicates(ack);
    Discard(ack.number);
    ack.deliveredBytes =
        static_cast<uint32_t>(m_rateOps->GetConnectionRate().m_delivered - deliveredBefore);
    m_tcb->m_lastAckedSackedBytes = ack.deliveredBytes;
    ack.isDuplicate =
        m_sackEnabled ? sackedBytes > 0
                      : ack.number == ack.oldHead && ack.number < m_tcb->m_highTxMark && !hasData;
    // Both roles, of data sent and of data received, have one state in ns-3: the receiver's stays.
    const auto echoState = m_tcb->m_ecnState.Get();
    const bool isEchoing = !m_ns3Faults && IsEchoing();
    ProcessEcho(tcpHeader, ack);
    BytesInFlight();
    NS_LOG_DEBUG("ACK of " << ack.number << ", duplicate " << ack.isDuplicate << ", delivered "
                           << ack.deliveredBytes << " B, SACKed " << m_board.GetSackedBytes()
                           << " B, lost " << m_board.GetLostBytes() << " B, in flight "
                           << m_tcb->m_bytesInFlight << " B, cwnd " << m_tcb->m_cWnd << " B");
    m_isInAck = true;
    HandleAck(ack);
    m_tcb->m_isRetransDataAcked = false;
    if (m_congestionControl->HasCongControl())
    {
        const auto lost = m_board.GetLostBytes();
        const auto sample =
            m_rateOps->GenerateSample(ack.deliveredBytes,
                                      std::max(lost, lostBefore) - std::min(lost, lostBefore),
                                      false,
                                      inFlightBefore,
                                      m_tcb->m_minRtt);
        m_congestionControl->CongControl(m_tcb, m_rateOps->GetConnectionRate(), sample);
    }
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
    m_isLookDue = m_isLookDue && TcpSocketBase::AvailableWindow() > 0;
    ScheduleLook();
}

void
LongFatTcpSocket::NewAck(const SequenceNumber32& seq, bool resetRTO)
{
    if (!IsStock() && resetRTO && m_state != SYN_RCVD)
    {
        resetRTO = false;
        if (m_ns3Faults || !m_keepBackOff) // TCP-D31: else it stays doubled until a new sample (RFC
                                           // 6298, section 5)
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
    const auto rto = m_ns3Faults ? m_rto.Get() : Min(m_rto, Seconds(MAX_RTO_S));
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

void
LongFatTcpSocket::ForgetDuplicates(const Ack& ack)
{
    const bool isRecovered =
        m_tcb->m_congState == TcpSocketState::CA_RECOVERY && ack.number >= m_recover;
    const bool isOrdered =
        m_tcb->m_congState == TcpSocketState::CA_DISORDER && ack.number > ack.oldHead;
    if (!m_ns3Faults && !m_sackEnabled && (isRecovered || isOrdered)) // TCP-D1
    {
        m_board.ForgetSacks();
    }
}

bool
LongFatTcpSocket::IsBeyondRecover(SequenceNumber32 ack) const
{
    // TCP-D13: duplicates of the ACK of recover itself may come of what was sent again needlessly.
    return m_ns3Faults || m_sackEnabled ? ack >= m_recover : ack > m_recover;
}

uint32_t
LongFatTcpSocket::GetFlightSize() const
{
    return std::min(m_board.GetSentBytes(), m_tcb->m_cWnd.Get());
}

void
LongFatTcpSocket::Discard(SequenceNumber32 ack)
{
    const auto end = GetOffset(ack);
    const auto unsentBytes = m_txBuffer->Size() - m_board.GetSentBytes();
    if (end > m_board.GetEnd() && unsentBytes > 0)
    {
        // A probe's byte, or with Ns3Faults a lie, taken for sent.
        m_board.Send(static_cast<uint32_t>(std::min<int64_t>(end - m_board.GetEnd(), unsentBytes)));
    }
    m_board.Discard(end, m_ns3Faults || !m_sackEnabled);
    m_store.Discard(end);
    auto& size = ns3access::GetSize(*m_txBuffer);
    size -= std::min(size, static_cast<uint32_t>(ack - m_txBuffer->HeadSequence()));
    ns3access::SetHead(*m_txBuffer, ack);
}

void
LongFatTcpSocket::EnterState(TcpSocketState::TcpCongState_t state)
{
    NS_LOG_INFO("congestion state " << TcpSocketState::TcpCongStateName[m_tcb->m_congState]
                                    << " -> " << TcpSocketState::TcpCongStateName[state]);
    m_congestionControl->CongestionStateSet(m_tcb, state);
    m_tcb->m_congState = state;
}

void
LongFatTcpSocket::ProcessEcho(const TcpHeader& header, const Ack& ack)
{
    if (m_tcb->m_congState == TcpSocketState::CA_CWR && ack.number > m_recover)
    {
        if (NS3_REPORTS_CWR)
        {
            m_congestionControl->CongestionStateSet(m_tcb, TcpSocketState::CA_OPEN);
        }
        m_tcb->m_congState = TcpSocketState::CA_OPEN;
        if (!m_congestionControl->HasCongControl())
        {
            m_tcb->m_cWnd = m_tcb->m_ssThresh.Get();
            m_recoveryOps->ExitRecovery(m_tcb);
            m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_COMPLETE_CWR);
        }
    }
    const bool isEcho = (header.GetFlags() & TcpHeader::ECE) != 0;
    const bool isEcn = m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED;
    if (ack.number > ack.oldHead && isEcn && isEcho)
    {
        // TCP-D29: by sequence numbers, an echo 2 GiB ago would be one to come.
        if (!m_ns3Faults || m_ecnEchoSeq < ack.number)
        {
            m_ecnEchoSeq = ack.number;
            m_tcb->m_ecnState = TcpSocketState::ECN_ECE_RCVD;
            // RFC 3168, 6.1.2: once per window, of whatever reason.
            const bool isReduced =
                m_tcb->m_congState == TcpSocketState::CA_CWR ||
                (!m_ns3Faults && (m_tcb->m_congState == TcpSocketState::CA_RECOVERY ||
                                  m_tcb->m_congState == TcpSocketState::CA_LOSS));
            if (!isReduced)
            {
                ReduceForEcn(ack.deliveredBytes);
            }
        }
    }
    else if (m_tcb->m_ecnState == TcpSocketState::ECN_ECE_RCVD && !isEcho)
    {
        m_tcb->m_ecnState = TcpSocketState::ECN_IDLE;
    }
}

void
LongFatTcpSocket::BeginRecovery(uint32_t deliveredBytes)
{
    if (!m_congestionControl->HasCongControl())
    {
        EnterRecoveryOf(m_recoveryOps,
                        m_tcb,
                        m_dupAckCount,
                        UnAckDataCount(),
                        deliveredBytes,
                        m_board.GetSackedBytes());
    }
}

void
LongFatTcpSocket::ReduceForEcn(uint32_t deliveredBytes)
{
    m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, BytesInFlight());
    m_tcb->m_cWndInfl = m_tcb->m_ssThresh;
    if (NS3_REPORTS_CWR)
    {
        m_congestionControl->CongestionStateSet(m_tcb, TcpSocketState::CA_CWR);
    }
    m_tcb->m_congState = TcpSocketState::CA_CWR;
    m_recover = m_tcb->m_highTxMark;
    m_isCwrDue = true;
    NS_LOG_LOGIC("ECN-Echo: ssthresh " << m_tcb->m_ssThresh << " B, recovery point " << m_recover);
    BeginRecovery(deliveredBytes);
}

void
LongFatTcpSocket::ProcessDuplicate(uint32_t deliveredBytes)
{
    if (m_tcb->m_congState == TcpSocketState::CA_LOSS)
    {
        return; // whether of a spurious retransmission or of a loss, nobody knows
    }
    const bool isOfVain = m_vainSegments > 0;
    m_vainSegments -= isOfVain;
    if (m_tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        if (!m_sackEnabled && !isOfVain)
        {
            m_board.AddRenoSack();
        }
        if (!m_congestionControl->HasCongControl())
        {
            m_recoveryOps->DoRecovery(m_tcb, deliveredBytes, true);
        }
        if (m_resendRoom > m_tcb->m_segmentSize)
        {
            ResendMore(1); // before the new segment that a duplicate ACK lets go
        }
        return;
    }
    if (isOfVain)
    {
        return; // it tells of no loss
    }
    ++m_dupAckCount; // RFC 6675, section 5
    NS_LOG_LOGIC("duplicate ACK " << m_dupAckCount << " of " << m_retxThresh);
    if (m_tcb->m_congState == TcpSocketState::CA_OPEN)
    {
        EnterState(TcpSocketState::CA_DISORDER);
    }
    const bool isInCwr = m_tcb->m_congState == TcpSocketState::CA_CWR && !m_ns3Faults; // TCP-D30
    if (m_tcb->m_congState != TcpSocketState::CA_DISORDER && !isInCwr)
    {
        return;
    }
    const bool isThird =
        m_dupAckCount == m_retxThresh && (IsBeyondRecover(m_highRxAckMark) || !m_recoverActive);
    if (isThird || m_board.IsLost(GetOffset(m_highRxAckMark)))
    {
        Recover(deliveredBytes);
    }
    else if (!m_sackEnabled && m_limitedTx)
    {
        m_board.AddRenoSack(); // limited transmit, RFC 3042
    }
}

void
LongFatTcpSocket::Recover(uint32_t deliveredBytes)
{
    if (!m_sackEnabled)
    {
        m_board.AddRenoSack();
        m_board.LoseHead();
    }
    else if (!m_board.IsLost(m_board.GetHead()))
    {
        m_board.LoseHead();
    }
    // RFC 6675, section 5, (4.1) to (4.3)
    const bool isReduced = m_tcb->m_congState == TcpSocketState::CA_CWR; // RFC 3168, 6.1.2
    m_recover = m_tcb->m_highTxMark;
    m_recoverActive = true;
    m_reducedBefore = m_board.GetEnd() - 1;
    EnterState(TcpSocketState::CA_RECOVERY);
    // TCP-D2. Without SACK ns-3 still takes the first segment for one in flight.
    const auto theirs = BytesInFlight() + (m_sackEnabled ? 0 : m_tcb->m_segmentSize);
    if (!isReduced)
    {
        m_tcb->m_ssThresh =
            m_congestionControl->GetSsThresh(m_tcb, m_ns3Faults ? theirs : GetFlightSize());
        m_isCwrDue = true;
    }
    NS_LOG_LOGIC("recovery starts at " << m_highRxAckMark << " after " << m_dupAckCount
                                       << " duplicate ACKs: ssthresh " << m_tcb->m_ssThresh
                                       << " B, lost " << m_board.GetLostBytes()
                                       << " B, recovery point " << m_recover);
    BeginRecovery(deliveredBytes);
    m_resendRoom = m_tcb->m_segmentSize;
    m_resentEnd = m_board.GetHead();
    m_resentEnd += SendDataPacket(m_highRxAckMark, m_tcb->m_segmentSize, true);
}

void
LongFatTcpSocket::ReduceAgain(uint32_t deliveredBytes)
{
    // RFC 5681, section 4.3: the loss of a retransmission is a second sign of congestion.
    m_reducedBefore = m_board.GetEnd() - 1;
    m_recover = m_tcb->m_highTxMark;
    m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, GetFlightSize());
    NS_LOG_LOGIC("a retransmission is lost: ssthresh " << m_tcb->m_ssThresh << " B, recovery point "
                                                       << m_recover);
    m_isCwrDue = true;
    BeginRecovery(deliveredBytes);
}

void
LongFatTcpSocket::HandleAck(const Ack& ack)
{
    const auto dupAckCount = m_dupAckCount;
    m_tcb->m_lastAckedSeq = ack.number;
    if (m_tcb->m_congState == TcpSocketState::CA_RECOVERY &&
        m_board.GetLostRetransmission() > m_reducedBefore)
    {
        ReduceAgain(ack.deliveredBytes);
    }
    if (ack.isDuplicate)
    {
        ProcessDuplicate(ack.deliveredBytes);
    }
    if (ack.number > ack.oldHead)
    {
        ProcessNew(ack, dupAckCount);
    }
    else if (ack.number > m_tcb->m_highTxMark)
    {
        m_tcb->m_nextTxSequence = ack.number; // the FIN is acknowledged
    }
    else if (ack.number < m_tcb->m_highTxMark)
    {
        // TCP-D35: a duplicate means that one segment has arrived; the peer's data mean nothing.
        if (m_ns3Faults || ack.isDuplicate)
        {
            m_congestionControl->PktsAcked(m_tcb, 1, m_tcb->m_srtt);
        }
    }
    else
    {
        m_vainSegments -= m_vainSegments > 0;
        return;
    }
    UpdatePacingRate();
}

void
LongFatTcpSocket::ProcessNew(const Ack& ack, uint32_t oldDupAckCount)
{
    const auto size = m_tcb->m_segmentSize;
    m_bytesAckedNotProcessed += ack.deliveredBytes % size;
    auto segments = ack.deliveredBytes / size;
    if (m_bytesAckedNotProcessed >= size)
    {
        ++segments;
        m_bytesAckedNotProcessed -= size;
    }
    if (!ack.isDuplicate)
    {
        m_dupAckCount = 0;
    }
    if (m_tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        // Of what was sent again all that this ACK covers but the first segment is taken to have
        // arrived before: its copies are on their way, behind that of the first.
        const auto passed = std::min(GetOffset(ack.number), m_resentEnd) - GetOffset(ack.oldHead);
        m_vainSegments = static_cast<uint32_t>(std::max<int64_t>(passed - size, 0) / size);
        m_vainEnd = m_tcb->m_highTxMark;
        BytesInFlight();
    }
    else if (ack.number > m_vainEnd)
    {
        m_vainSegments = 0; // they, or their ACKs, were lost
    }
    const bool isPartial = ack.number < m_recover;
    if (isPartial && m_tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        ProcessPartial(ack, segments, segments * size);
    }
    else if (isPartial && m_tcb->m_congState == TcpSocketState::CA_LOSS)
    {
        m_congestionControl->PktsAcked(m_tcb, segments, m_tcb->m_srtt);
        OpenWindow(segments);
        NewAck(ack.number, true);
    }
    else if (m_tcb->m_congState == TcpSocketState::CA_CWR)
    {
        m_congestionControl->PktsAcked(m_tcb, segments, m_tcb->m_srtt);
        if (!m_congestionControl->HasCongControl() && segments >= 1)
        {
            m_recoveryOps->DoRecovery(m_tcb, ack.deliveredBytes, false);
        }
        NewAck(ack.number, true);
    }
    else
    {
        ProcessFull(ack, segments, oldDupAckCount);
    }
}

void
LongFatTcpSocket::ProcessPartial(const Ack& ack, uint32_t segments, uint32_t bytes)
{
    NS_LOG_LOGIC("partial ACK of " << ack.number << ", recovery point " << m_recover << ", lost "
                                   << m_board.GetLostBytes() << " B");
    const auto size = m_tcb->m_segmentSize;
    const bool isMore = !m_sackEnabled && !m_ns3Faults && m_partialAckSegments > 1;
    const auto head = m_board.GetHead();
    if (!m_sackEnabled)
    {
        m_board.LoseHead();
    }
    if (isMore && head < std::min(m_resentEnd, m_board.GetEnd()))
    {
        // It is on its way again already.
        m_board.Retransmit(head,
                           static_cast<uint32_t>(std::min<int64_t>(m_resentEnd - head, size)));
    }
    if (!m_congestionControl->HasCongControl() && segments >= 1)
    {
        m_recoveryOps->DoRecovery(m_tcb, ack.deliveredBytes, false);
    }
    if (isMore)
    {
        m_resendRoom = std::min<int64_t>(m_resendRoom * m_partialAckSegments,
                                         std::max<uint32_t>(m_tcb->m_ssThresh, size));
        m_resentEnd = std::max(m_resentEnd, head);
        // A delayed ACK tells of two segments.
        ResendMore(m_partialAckSegments * (segments == 2 ? 2 : 1));
        m_tcb->m_cWndInfl = SafeSubtraction(m_tcb->m_cWndInfl, bytes);
    }
    else if (!m_board.IsRetransmittedDataAcked(head + size))
    {
        Retransmit();
        m_tcb->m_cWndInfl = SafeSubtraction(m_tcb->m_cWndInfl, bytes);
    }
    m_congestionControl->PktsAcked(m_tcb, 1, m_tcb->m_srtt);
    NewAck(ack.number, m_isFirstPartialAck || isMore);
    m_isFirstPartialAck = false;
}

void
LongFatTcpSocket::OpenWindow(uint32_t segments)
{
    const auto window = m_tcb->m_cWnd.Get();
    m_congestionControl->IncreaseWindow(m_tcb, segments);
    if (segments == 0 && window < m_tcb->m_cWnd && !m_ns3Faults &&
        DynamicCast<TcpBic>(m_congestionControl))
    {
        m_tcb->m_cWnd = window; // TCP-D11: TcpBic takes any ACK for one of a segment
    }
}

void
LongFatTcpSocket::ProcessFull(const Ack& ack, uint32_t segments, uint32_t oldDupAckCount)
{
    const auto size = m_tcb->m_segmentSize;
    bool isRecovered = false;
    switch (m_tcb->m_congState.Get())
    {
    case TcpSocketState::CA_OPEN:
        m_congestionControl->PktsAcked(m_tcb, segments, m_tcb->m_srtt);
        break;
    case TcpSocketState::CA_DISORDER:
        if (segments >= oldDupAckCount)
        {
            m_congestionControl->PktsAcked(m_tcb, segments - oldDupAckCount, m_tcb->m_srtt);
        }
        if (!ack.isDuplicate)
        {
            EnterState(TcpSocketState::CA_OPEN); // it was reordering
        }
        break;
    case TcpSocketState::CA_RECOVERY: // RFC 6675, section 5, (A)
        m_isFirstPartialAck = true;
        segments = static_cast<uint32_t>(ack.number - ack.oldHead) / size;
        m_congestionControl->PktsAcked(m_tcb, segments, m_tcb->m_srtt);
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_COMPLETE_CWR);
        EnterState(TcpSocketState::CA_OPEN);
        isRecovered = true;
        m_dupAckCount = 0;
        break;
    case TcpSocketState::CA_LOSS:
        m_isFirstPartialAck = true;
        segments = static_cast<uint32_t>(ack.number - m_recover) / size;
        m_congestionControl->PktsAcked(m_tcb, segments, m_tcb->m_srtt);
        EnterState(TcpSocketState::CA_OPEN);
        break;
    default:
        break;
    }
    if (IsBeyondRecover(ack.number))
    {
        m_recoverActive = false;
    }
    if (isRecovered)
    {
        NS_LOG_LOGIC("recovery ends with the ACK of " << ack.number << ": cwnd "
                                                      << m_tcb->m_ssThresh << " B");
        NewAck(ack.number, true);
        m_tcb->m_cWnd = m_tcb->m_ssThresh.Get();
        m_recoveryOps->ExitRecovery(m_tcb);
        BytesInFlight();
    }
    if (m_tcb->m_congState == TcpSocketState::CA_OPEN)
    {
        OpenWindow(segments);
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
        NewAck(ack.number, true);
    }
}

void
LongFatTcpSocket::Retransmit()
{
    const auto next =
        FindNext(false).value_or(Next{m_txBuffer->HeadSequence(), m_tcb->m_segmentSize});
    m_tcb->m_nextTxSequence = next.sequence;
    SendDataPacket(next.sequence, next.bytes, true);
    PointToNew();
}

void
LongFatTcpSocket::ResendMore(uint32_t most)
{
    const auto end = std::min(m_board.GetHead() + m_resendRoom, GetOffset(m_recover));
    for (uint32_t i = 0; i < most && m_resentEnd < end; ++i)
    {
        const auto bytes = SendDataPacket(GetSequence(m_resentEnd), m_tcb->m_segmentSize, true);
        if (bytes == 0)
        {
            return;
        }
        m_resentEnd += bytes;
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
    const bool isTimed = isOpen && !IsStock() && !m_ns3Faults && (hasData || IsFinPending());
    if (isTimed && m_dataRetrCount == m_dataRetries)
    {
        m_firstTimeout = Simulator::Now();
    }
    // TCP-D32: RFC 9293, 3.8.3, R2; data were retransmitted when it had passed
    const bool isPatient = isTimed && hasData && m_lastDataSent - m_firstTimeout < m_giveUpTime;
    const bool isSpent = m_dataRetrCount == 0 && !isPatient;
    if (isTimed && (isSpent || !hasData))
    {
        isSpent ? GiveUp() : RepeatFin();
        return;
    }
    if (IsStock() || !hasData || !isOpen || isSpent)
    {
        TcpSocketBase::ReTxTimeout();
        return;
    }
    m_dataRetrCount -= m_dataRetrCount > 0;
    const auto flight = m_ns3Faults ? BytesInFlight() : GetFlightSize(); // TCP-D2
    const bool isRepeated = m_timedOut == m_board.GetHead();
    m_timedOut = m_board.GetHead();
    m_dupAckCount = 0;
    m_vainSegments = 0;
    // Without SACK it is a guess; with it the receiver has gone back on its word (RFC 2018, 8).
    m_board.LoseAll(!m_sackEnabled || (!m_ns3Faults && m_board.IsHeadSacked()));
    // RFC 6675, section 5.1
    m_recover = m_tcb->m_highTxMark;
    m_recoverActive = true;
    m_rto = Min(m_rto + m_rto, Seconds(MAX_RTO_S)); // RFC 6298, (5.5)
    m_history.clear();
    if (m_ns3Faults || !isRepeated) // TCP-D3: RFC 5681, section 3.1, held when it expires again
    {
        m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, flight);
    }
    m_isCwrDue = true;
    m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_LOSS);
    EnterState(TcpSocketState::CA_LOSS);
    m_tcb->m_cWnd = m_tcb->m_segmentSize;
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    NS_LOG_LOGIC("retransmission timeout at " << m_txBuffer->HeadSequence() << ": ssthresh "
                                              << m_tcb->m_ssThresh << " B, the next timeout is "
                                              << m_rto.Get().As(Time::MS) << ", lost "
                                              << m_board.GetLostBytes() << " B");
    m_pacingTimer.Cancel();
    BytesInFlight();
    SendPending();
    BytesInFlight();
}

} // namespace ns3::lfn
