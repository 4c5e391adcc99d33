// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-log.h"
#include "long-fat-tcp-socket.h"
#include "ns3-access.h"

#include "ns3/ipv4-end-point.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-rate-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <iterator>

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket: what is sent, and when a window, Nagle or pacing keep it back.
 */

namespace ns3::lfn
{

static LogComponent& g_log = g_longFatTcpLog;

namespace
{

/// How long a silly window may stop all (RFC 1122, 4.2.3.4: 0.1 to 1.0 s).
constexpr int64_t OVERRIDE_TIMEOUT_MS = 200;

/// The retransmission timeout of the first data where a SYN was retransmitted (RFC 6298, (5.7)).
constexpr int64_t SYN_RTO_S = 3;

/** A window of which ns-3 computes no pacing rate: eight times it in 32 bits, [B]. */
constexpr uint32_t OVERFLOWING_WINDOW = 1U << 29;

} // namespace

int
LongFatTcpSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    NS_LOG_FUNCTION(this << packet << flags);
    if (IsNs3Compatible())
    {
        return TcpSocketBase::Send(packet, flags);
    }
    if (m_state != ESTABLISHED && m_state != SYN_SENT && m_state != CLOSE_WAIT)
    {
        m_errno = ERROR_NOTCONN;
        return -1;
    }
    if (packet->GetSize() > m_txBuffer->Available())
    {
        m_errno = ERROR_MSGSIZE;
        return -1;
    }
    if (packet->GetSize() > 0)
    {
        m_store.Add(packet);
        ns3access::GetSize(*m_txBuffer) += packet->GetSize();
    }
    if (m_shutdownSend)
    {
        m_errno = ERROR_SHUTDOWN;
        return -1;
    }
    m_rateOps->CalculateAppLimited(m_tcb->m_cWnd,
                                   m_tcb->m_bytesInFlight,
                                   m_tcb->m_segmentSize,
                                   m_txBuffer->TailSequence(),
                                   m_tcb->m_nextTxSequence,
                                   m_board.GetLostBytes(),
                                   m_board.GetRetransmittedBytes());
    if (m_state != SYN_SENT && TcpSocketBase::AvailableWindow() > 0 &&
        !m_sendPendingDataEvent.IsPending())
    {
        m_isCheckPending = true;
    }
    if (!m_isInAck)
    {
        ScheduleCheck();
    }
    return static_cast<int>(packet->GetSize());
}

uint32_t
LongFatTcpSocket::BytesInFlight() const
{
    if (IsNs3Compatible())
    {
        return TcpSocketBase::BytesInFlight();
    }
    // Congestion controls read it there.
    m_tcb->m_bytesInFlight = m_recovery.GetBytesInFlight();
    return m_tcb->m_bytesInFlight;
}

void
LongFatTcpSocket::UpdateBytesInFlight()
{
    m_tcb->m_bytesInFlight = m_recovery.GetBytesInFlight();
}

void
LongFatTcpSocket::ScheduleCheck()
{
    if (m_isCheckPending)
    {
        // A little later, so that the application can write more.
        m_sendPendingDataEvent = Simulator::Schedule(TimeStep(1), [this] { SendPending(); });
        m_isCheckPending = false;
    }
}

uint32_t
LongFatTcpSocket::AvailableWindow() const
{
    return IsNs3Compatible() ? TcpSocketBase::AvailableWindow() : 0;
}

void
LongFatTcpSocket::SendPending()
{
    const Ptr<LongFatTcpSocket> keep(this); // who traces segments may end it
    if (m_txBuffer->Size() == 0 || (!m_endPoint && !m_endPoint6))
    {
        return;
    }
    if (const auto window = TcpSocketBase::AvailableWindow(); window > 0)
    {
        if (!m_isInAck) // else it is done
        {
            ConfigureRecovery();
        }
        SendWindow(window);
    }
}

void
LongFatTcpSocket::SendWindow(uint32_t window)
{
    if (m_board.GetSentBytes() == 0)
    {
        RestartAfterIdle();
        window = TcpSocketBase::AvailableWindow();
    }
    while (window > 0 && !(IsPacingEnabled() && m_pacingTimer.IsRunning()) &&
           !(m_tcb->m_congState == TcpSocketState::CA_OPEN && m_state == FIN_WAIT_1))
    {
        const auto next = m_recovery.FindNext(m_txBuffer->Size(), m_rWnd);
        if (!next)
        {
            return;
        }
        const auto sequence = GetSequence(next->begin);
        const auto dataBytes = m_txBuffer->SizeFromSequence(sequence);
        if (dataBytes < window)
        {
            NotifySend(GetTxAvailable());
        }
        if (IsSilly(window, dataBytes) || IsNagled(next->begin, dataBytes))
        {
            return;
        }
        m_tcb->m_nextTxSequence = sequence;
        if (m_tcb->m_bytesInFlight.Get() == 0)
        {
            m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_TX_START);
        }
        const auto bytes =
            SendDataPacket(sequence,
                           std::min(window, static_cast<uint32_t>(next->end - next->begin)),
                           m_connected);
        m_tcb->m_nextTxSequence += bytes;
        PointToNew();
        if (IsPacingEnabled() && m_pacingTimer.IsExpired())
        {
            Pace(bytes);
            return;
        }
        window = TcpSocketBase::AvailableWindow();
    }
}

bool
LongFatTcpSocket::IsSilly(uint32_t window, uint32_t dataBytes)
{
    if (window >= m_tcb->m_segmentSize || dataBytes <= window || m_isOverriding)
    {
        return false;
    }
    NS_LOG_DEBUG("the window of " << window << " B is too small for a segment, waiting "
                                  << dataBytes << " B");
    // TCP-D5: with nothing in flight no acknowledgement would call again.
    if (m_rules.overrideSilly && BytesInFlight() == 0 && !m_isCheckPending &&
        !m_sendPendingDataEvent.IsPending())
    {
        m_sendPendingDataEvent = Simulator::Schedule(MilliSeconds(OVERRIDE_TIMEOUT_MS), [this] {
            const Ptr<LongFatTcpSocket> keep(this);
            m_isOverriding = true;
            SendPending();
            m_isOverriding = false;
        });
    }
    return true;
}

bool
LongFatTcpSocket::IsNagled(int64_t offset, uint32_t dataBytes) const
{
    if (m_noDelay || dataBytes >= m_tcb->m_segmentSize || UnAckDataCount() == 0)
    {
        return false;
    }
    return !m_rules.nagleNewData || offset >= m_board.GetEnd(); // TCP-D4
}

void
LongFatTcpSocket::SendPaced()
{
    const Ptr<LongFatTcpSocket> keep(this);
    IsNs3Compatible() ? NotifyPacingPerformed() : SendPending();
}

void
LongFatTcpSocket::Pace(uint32_t bytes)
{
    auto rate = m_tcb->m_pacingRate.Get();
    const auto window = std::max(m_tcb->m_cWnd.Get(), m_tcb->m_bytesInFlight.Get());
    if (window >= OVERFLOWING_WINDOW && !m_congestionControl->HasCongControl())
    {
        const double factor =
            m_tcb->m_cWnd < m_tcb->m_ssThresh / 2 ? m_tcb->m_pacingSsRatio : m_tcb->m_pacingCaRatio;
        const double wanted = 8.0 * window * factor / 100 / m_tcb->m_srtt.Get().GetSeconds();
        const auto most = m_tcb->m_maxPacingRate;
        rate = wanted < static_cast<double>(most.GetBitRate())
                   ? DataRate(static_cast<uint64_t>(wanted))
                   : most;
    }
    m_pacingTimer.Schedule(rate.CalculateBytesTxTime(bytes));
}

void
LongFatTcpSocket::AddTags(const Ptr<Packet>& packet, bool isEct) const
{
    AddSocketTags(packet, isEct);
    if (!m_rules.markAnyTos || !isEct || m_tcb->m_ecnState == TcpSocketState::ECN_DISABLED)
    {
        return;
    }
    if (const auto tos = GetIpTos())
    {
        SocketIpTosTag tag;
        tag.SetTos(MarkEcnCodePoint(tos, m_tcb->m_ectCodePoint));
        packet->ReplacePacketTag(tag);
    }
    if (const auto trafficClass = GetIpv6Tclass())
    {
        SocketIpv6TclassTag tag;
        tag.SetTclass(MarkEcnCodePoint(trafficClass, m_tcb->m_ectCodePoint));
        packet->ReplacePacketTag(tag);
    }
}

uint32_t
LongFatTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    if (IsNs3Compatible())
    {
        return TcpSocketBase::SendDataPacket(seq, maxSize, withAck);
    }
    const bool isStart = BytesInFlight() == 0;
    const auto offset = GetOffset(seq);
    auto bytes = std::min(maxSize, m_txBuffer->SizeFromSequence(seq));
    if (bytes == 0)
    {
        return 0;
    }
    if (m_board.GetEnd() == 0 && m_rtt->GetNSamples() == 0 && m_rules.limitRto)
    {
        m_rto = Min(m_rto, Seconds(SYN_RTO_S)); // RFC 6298, (5.7): the SYN's is not kept
    }
    const bool isAgain = offset < m_board.GetEnd();
    auto& segment = m_recovery.OnSend(offset, bytes);
    bytes = segment.bytes;
    const auto packet = m_store.Get(offset, bytes);
    m_rateOps->SkbSent(&m_item, isStart);
    const auto& rate = m_item.GetRateInformation();
    segment.record = {rate.m_delivered,
                      rate.m_deliveredTime,
                      rate.m_firstSent,
                      Simulator::Now(),
                      rate.m_isAppLimited};
    NS_LOG_DEBUG((isAgain ? "retransmits " : "sends ")
                 << seq << ", " << bytes << " B, in flight " << m_board.GetBytesInFlight()
                 << " B, cwnd " << m_tcb->m_cWnd << " B, window " << m_rWnd << " B");
    if (IsPacingEnabled() && m_pacingTimer.IsExpired())
    {
        Pace(bytes);
    }
    uint8_t flags = 0;
    if (withAck)
    {
        flags |= TcpHeader::ACK;
        m_delAckEvent.Cancel();
        m_delAckCount = 0;
    }
    flags |= GetEcnFlags(seq, isAgain);
    m_lastDataSent = Simulator::Now();
    AddTags(packet, IsEct(isAgain ? TcpPacketType_t::RE_XMT : TcpPacketType_t::DATA));
    if (m_closeOnEmpty && m_txBuffer->SizeFromSequence(seq + SequenceNumber32(bytes)) == 0)
    {
        flags |= TcpHeader::FIN;
        if (m_state == ESTABLISHED)
        {
            m_state = FIN_WAIT_1;
        }
        else if (m_state == CLOSE_WAIT)
        {
            m_state = LAST_ACK;
        }
    }
    const auto header = MakeHeader(seq, flags);
    if (m_retxEvent.IsExpired())
    {
        StartTimer();
    }
    Transmit(packet, header, isAgain);
    m_tcb->m_isCwndLimited = m_tcb->m_cWnd < BytesInFlight() + m_tcb->m_segmentSize;
    UpdateRttHistory(seq, bytes, isAgain);
    if (m_tcb->m_congState == TcpSocketState::CA_RECOVERY ||
        m_tcb->m_congState == TcpSocketState::CA_CWR)
    {
        m_recoveryOps->UpdateBytesSent(bytes);
    }
    const auto end = seq + SequenceNumber32(bytes);
    if (!isAgain)
    {
        ReportSent(static_cast<uint32_t>(end - m_tcb->m_highTxMark.Get()));
    }
    m_tcb->m_highTxMark = std::max(end, m_tcb->m_highTxMark.Get());
    return bytes;
}

void
LongFatTcpSocket::RestartAfterIdle()
{
    // TCP-D33. A congestion control of its own, such as BBR, handles idle times.
    if (!m_rules.restartAfterIdle || !m_restartAfterIdle || m_congestionControl->HasCongControl() ||
        Simulator::Now() - m_lastDataSent <= m_rto)
    {
        return;
    }
    m_tcb->m_cWnd = std::min(m_tcb->m_cWnd.Get(), GetInitialCwnd() * m_tcb->m_segmentSize);
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    NS_LOG_LOGIC("idle since " << m_lastDataSent.As(Time::S) << ": cwnd " << m_tcb->m_cWnd << " B");
}

uint8_t
LongFatTcpSocket::GetEcnFlags(SequenceNumber32 sequence, bool isAgain)
{
    const auto state = m_tcb->m_ecnState.Get();
    if (state == TcpSocketState::ECN_DISABLED)
    {
        return 0;
    }
    const bool isCwr = m_rules.reportReductions
                           ? m_isCwrDue
                           : state == TcpSocketState::ECN_ECE_RCVD && m_ecnEchoSeq > m_ecnCWRSeq;
    uint8_t flags = 0;
    if (isCwr && !isAgain)
    {
        m_isCwrDue = false;
        m_ecnCWRSeq = sequence;
        flags |= TcpHeader::CWR;
        if (state == TcpSocketState::ECN_ECE_RCVD)
        {
            m_tcb->m_ecnState = TcpSocketState::ECN_CWR_SENT;
        }
    }
    if (m_rules.echoBothWays && IsEchoing()) // ns-3 echoes in segments without data alone
    {
        flags |= TcpHeader::ECE;
        m_tcb->m_ecnState = TcpSocketState::ECN_SENDING_ECE;
    }
    return flags;
}

void
LongFatTcpSocket::PointToNew()
{
    if (m_rules.keepSndNxt)
    {
        m_tcb->m_nextTxSequence = GetSequence(m_board.GetEnd());
    }
}

TcpHeader
LongFatTcpSocket::MakeHeader(SequenceNumber32 sequence, uint8_t flags)
{
    TcpHeader header;
    header.SetFlags(flags);
    header.SetSequenceNumber(sequence);
    header.SetAckNumber(m_tcb->m_rxBuffer->NextRxSequence());
    header.SetSourcePort(m_endPoint ? m_endPoint->GetLocalPort() : m_endPoint6->GetLocalPort());
    header.SetDestinationPort(m_endPoint ? m_endPoint->GetPeerPort() : m_endPoint6->GetPeerPort());
    header.SetWindowSize(AdvertisedWindowSize());
    if (m_timestampEnabled)
    {
        header.AppendOption(MakeStamp(m_sentStamp, TcpOptionTS::NowToTsValue(), m_timestampToEcho));
    }
    return header;
}

void
LongFatTcpSocket::Transmit(Ptr<Packet> packet, const TcpHeader& header, bool isAgain)
{
    m_txTrace(packet, header, this);
    if (m_rules.ackWithData) // TCP-D14: Last.ACK.sent (RFC 7323, 4.3) is of data that are sent, too
    {
        m_highTxAck = std::max(m_highTxAck, header.GetAckNumber());
    }
    if (m_endPoint && !isAgain)
    {
        ns3access::SendPacketV4(*m_tcp,
                                packet,
                                header,
                                m_endPoint->GetLocalAddress(),
                                m_endPoint->GetPeerAddress(),
                                m_boundnetdevice);
        return;
    }
    const Address from =
        m_endPoint ? Address(m_endPoint->GetLocalAddress()) : m_endPoint6->GetLocalAddress();
    const Address to =
        m_endPoint ? Address(m_endPoint->GetPeerAddress()) : m_endPoint6->GetPeerAddress();
    if (isAgain)
    {
        m_retransmissionTrace(packet, header, from, to, this);
    }
    m_tcp->SendPacket(packet, header, from, to, m_boundnetdevice);
}

void
LongFatTcpSocket::ReportSent(uint32_t bytes)
{
    if (ns3access::HasDataSentCallback(*this))
    {
        Simulator::ScheduleNow(&LongFatTcpSocket::NotifyDataSent, this, bytes);
    }
}

void
LongFatTcpSocket::UpdateRttHistory(const SequenceNumber32& seq, uint32_t sz, bool isRetransmission)
{
    // TCP-D31: with time stamps a retransmission gives a sample, which ends the back-off.
    const bool isLast =
        m_history.empty() || seq >= m_history.back().seq + SequenceNumber32(m_history.back().count);
    if (isRetransmission && isLast && m_rules.timeRetransmissions)
    {
        m_history.emplace_back(seq, sz, Simulator::Now());
        m_history.back().retx = true;
        return;
    }
    if (!isRetransmission || m_history.empty())
    {
        TcpSocketBase::UpdateRttHistory(seq, sz, isRetransmission);
        return;
    }
    const auto holds = [seq](const RttHistory& sent) {
        return seq >= sent.seq && seq < sent.seq + SequenceNumber32(sent.count);
    };
    auto sent = std::ranges::upper_bound(m_history, seq, {}, &RttHistory::seq);
    auto found = m_history.end();
    while (sent != m_history.begin() && holds(*std::prev(sent)))
    {
        found = --sent; // the first that holds it
    }
    if (found != m_history.end())
    {
        found->retx = true;
        found->count = static_cast<uint32_t>(seq + SequenceNumber32(sz) - found->seq);
    }
}

void
LongFatTcpSocket::PersistTimeout()
{
    NS_LOG_FUNCTION(this);
    const Ptr<LongFatTcpSocket> keep(this);
    if (IsNs3Compatible())
    {
        TcpSocketBase::PersistTimeout();
        return;
    }
    m_persistTimeout = std::min(Seconds(60), Time(2 * m_persistTimeout));
    // TCP-D8: the first byte that is not acknowledged.
    const auto sequence =
        m_rules.probeHead ? m_txBuffer->HeadSequence() : m_tcb->m_nextTxSequence.Get();
    if (m_txBuffer->SizeFromSequence(sequence) > 0)
    {
        // One byte that may be lost (RFC 9293, 3.8.6.1), and is not taken for one in flight.
        const auto offset = GetOffset(sequence);
        if (!m_rules.probeHead)
        {
            m_recovery.OnProbe(offset);
        }
        m_probed = sequence;
        NS_LOG_LOGIC("the window is probed at " << sequence << ", again in "
                                                << m_persistTimeout.As(Time::S));
        const auto packet = m_store.Get(offset, 1);
        if (m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED)
        {
            AddTags(packet, IsEct(TcpPacketType_t::WINDOW_PROBE));
        }
        Transmit(packet, MakeHeader(sequence, m_rules.probeHead ? TcpHeader::ACK : 0), false);
    }
    m_persistEvent = Simulator::Schedule(m_persistTimeout, &LongFatTcpSocket::PersistTimeout, this);
}

} // namespace ns3::lfn
