// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-socket.h"

#include "opened-member.h"
#include "tcp-reassembly.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/ipv6-header.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-bic.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-rate-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#ifndef LFN_NS3_VERSION
#define LFN_NS3_VERSION "unknown"
#endif

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(LongFatTcpSocket);

namespace
{

/// From 3.48 on ns-3 tells a congestion control of CWR, too.
constexpr bool TELLS_OF_CWR = std::string_view(LFN_NS3_VERSION) >= "3.48";

/// Whether ns-3's socket has FACK, from 3.47 on, and it is on.
template <typename T>
bool
IsFack(const T& socket)
{
    if constexpr (requires { socket.GetFackEnabled(); })
    {
        return socket.GetFackEnabled();
    }
    return false;
}

/// A retransmission timeout is no longer (RFC 6298, (2.5)).
constexpr int64_t MAX_RTO_S = 60;

/// Challenge ACKs are counted so long (RFC 5961, section 7).
constexpr int64_t CHALLENGES_S = 5;

/// A TCP header is no longer, [B].
constexpr uint32_t MAX_HEADER = 60;

/// How long a silly window may stop all (RFC 1122, 4.2.3.4: 0.1 to 1.0 s).
constexpr int64_t OVERRIDE_TIMEOUT_MS = 200;

} // namespace

/// The packet of a TcpTxItem, which ns-3 lets TcpTxBuffer set alone.
struct TxItemPacket
{
    using Type = Ptr<Packet> TcpTxItem::*;
    friend Type Open(TxItemPacket);
};

/// When a TcpTxItem was sent last.
struct TxItemLastSent
{
    using Type = Time TcpTxItem::*;
    friend Type Open(TxItemLastSent);
};

/// Whom a socket tells of what it sent.
struct SocketDataSent
{
    using Type = Callback<void, Ptr<Socket>, uint32_t> Socket::*;
    friend Type Open(SocketDataSent);
};

/// Sends a packet over IPv4.
struct TcpSendV4
{
    using Type = void (TcpL4Protocol::*)(Ptr<Packet>,
                                         const TcpHeader&,
                                         const Ipv4Address&,
                                         const Ipv4Address&,
                                         Ptr<NetDevice>) const;
    friend Type Open(TcpSendV4);
};

/// How much a TcpTxBuffer holds.
struct TxBufferSize
{
    using Type = uint32_t TcpTxBuffer::*;
    friend Type Open(TxBufferSize);
};

/// Where it begins.
struct TxBufferHead
{
    using Type = TracedValue<SequenceNumber32> TcpTxBuffer::*;
    friend Type Open(TxBufferHead);
};

template struct OpenedMember<TcpSendV4, &TcpL4Protocol::SendPacketV4>;
template struct OpenedMember<TxBufferSize, &TcpTxBuffer::m_size>;
template struct OpenedMember<TxBufferHead, &TcpTxBuffer::m_firstByteSeq>;
template struct OpenedMember<SocketDataSent, &Socket::m_dataSent>;
template struct OpenedMember<TxItemPacket, &TcpTxItem::m_packet>;
template struct OpenedMember<TxItemLastSent, &TcpTxItem::m_lastSent>;

TypeId
LongFatTcpSocket::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::LongFatTcpSocket")
            .SetParent<TcpSocketBase>()
            .SetGroupName("Lfn")
            .AddConstructor<LongFatTcpSocket>()
            .AddAttribute("Scoreboard",
                          "Who keeps account of what was sent (RFC 6675, section 3): Indexed, at a "
                          "cost that does not grow with the window, or Ns3, ns-3's own send "
                          "buffer, as always with FACK. To be set before data are written.",
                          EnumValue(INDEXED),
                          MakeEnumAccessor<Scoreboard>(&LongFatTcpSocket::m_scoreboard),
                          MakeEnumChecker(INDEXED, "Indexed", NS3, "Ns3"))
            .AddAttribute(
                "Ns3Faults",
                "Err where ns-3's TCP does (TCP-D1 to TCP-D14 of the deviations), so that "
                "the packets are the same; else do what the RFCs say.",
                BooleanValue(false),
                MakeBooleanAccessor(&LongFatTcpSocket::m_ns3Faults),
                MakeBooleanChecker())
            .AddAttribute("PartialAckSegments",
                          "Segments that may be sent again for a partial ACK without SACK: 1 as "
                          "in RFC 6582, n losses take n round trips; 2 is the variant of RFC 3782, "
                          "section 4, which begins anew with the hole and doubles what it sends "
                          "again in a round trip: losses in a row take log2(n), and what had "
                          "arrived between them goes twice. XCP's sockets take XcpSocketFactory's.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&LongFatTcpSocket::m_partialAckSegments),
                          MakeUintegerChecker<uint32_t>(1, 10))
            .AddAttribute("ChallengeAcks",
                          "Segments that are not taken and are answered with an ACK, in 5 s at "
                          "most (RFC 5961, section 7).",
                          UintegerValue(10),
                          MakeUintegerAccessor(&LongFatTcpSocket::m_challengeLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("Refused",
                            "A segment, or a part of what it says, was not taken, and why; not "
                            "with Ns3Faults.",
                            MakeTraceSourceAccessor(&LongFatTcpSocket::m_refusedTrace),
                            "ns3::lfn::LongFatTcpSocket::RefusedCallback");
    return tid;
}

LongFatTcpSocket::LongFatTcpSocket()
    : m_board([this](TcpScoreboardCore::Segment& segment) { Deliver(segment); }),
      m_born(Simulator::Now())
{
}

LongFatTcpSocket::LongFatTcpSocket(const LongFatTcpSocket& other)
    : NamedTcpSocketBase(other),
      m_scoreboard(other.m_scoreboard),
      m_ns3Faults(other.m_ns3Faults),
      m_board([this](TcpScoreboardCore::Segment& segment) { Deliver(segment); }),
      m_partialAckSegments(other.m_partialAckSegments),
      m_challengeLimit(other.m_challengeLimit),
      m_born(Simulator::Now()),
      m_refusedTrace(other.m_refusedTrace)
{
}

LongFatTcpSocket::~LongFatTcpSocket()
{
    m_delayedAckEvent.Cancel();
}

Ptr<TcpSocketBase>
LongFatTcpSocket::Fork()
{
    return CopyObject<LongFatTcpSocket>(this);
}

bool
LongFatTcpSocket::IsStock() const
{
    return m_scoreboard == NS3 || IsFack(*this);
}

bool
LongFatTcpSocket::IsSynchronized() const
{
    return m_state == ESTABLISHED || m_state == CLOSE_WAIT || m_state == LAST_ACK ||
           m_state == FIN_WAIT_1 || m_state == FIN_WAIT_2 || m_state == CLOSING;
}

void
LongFatTcpSocket::DoForwardUp(Ptr<Packet> packet,
                              const Address& fromAddress,
                              const Address& toAddress)
{
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
    const Ptr<LongFatTcpSocket> keep(this); // its end may be the last that knows it
    m_isFalseEcho = m_timestampEnabled && segment->echo && (segment->flags & TcpHeader::ACK) != 0 &&
                    IsFalseEcho(*segment->echo);
    if (!IsSynchronized())
    {
        TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
        NoteWindow();
    }
    else if (Admit(packet, *segment))
    {
        const bool wasProbing = m_persistEvent.IsPending();
        const auto state = m_state.Get();
        const bool isFinAcked = segment->ack == (m_tcb->m_highTxMark.Get() + 1).GetValue();
        const bool isWaiting = (state == LAST_ACK || state == CLOSING) && !isFinAcked &&
                               (segment->flags & TcpHeader::RST) == 0;
        if (isWaiting)
        {
            m_state = CLOSE_WAIT; // TCP-D9: ns-3 takes any ACK for that of the FIN
        }
        TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
        if (isWaiting && (m_state == CLOSE_WAIT || m_state == LAST_ACK))
        {
            m_state = state;
        }
        CheckWindow(wasProbing);
    }
}

bool
LongFatTcpSocket::IsFalseEcho(uint32_t echo) const
{
    const auto now = Simulator::Now().GetMilliSeconds();
    return static_cast<uint32_t>(now) - echo > now - m_born.GetMilliSeconds();
}

bool
LongFatTcpSocket::Admit(Ptr<Packet> packet, const TcpSegment& segment)
{
    const auto& buffer = *m_tcb->m_rxBuffer;
    const auto sent = m_tcb->m_highTxMark.Get();
    const bool isFinSent = m_state != ESTABLISHED && m_state != CLOSE_WAIT;
    const bool isProbed = m_probed == sent; // its byte is not counted as sent otherwise
    const bool isFinished = m_state == CLOSE_WAIT || m_state == LAST_ACK || m_state == CLOSING;
    const TcpLimits limits{.next = buffer.NextRxSequence().GetValue(),
                           .room = buffer.MaxBufferSize(),
                           .isFinished = isFinished,
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
        if (!(this->*Open(SocketDataSent())).IsNull())
        {
            Simulator::ScheduleNow(&LongFatTcpSocket::NotifyDataSent, this, 1);
        }
    }
    const bool isReset = (segment.flags & TcpHeader::RST) != 0;
    if (isReset || (isFinished && m_state != CLOSE_WAIT))
    {
        // ns-3 takes other flags beside these for a fault, and answers with a reset.
        TcpHeader header;
        packet->RemoveHeader(header);
        header.SetFlags(isReset ? TcpHeader::RST : TcpHeader::ACK);
        packet->AddHeader(header);
    }
    return true;
}

void
LongFatTcpSocket::Challenge()
{
    if (m_challengesEnd <= Simulator::Now())
    {
        m_challengesEnd = Simulator::Now() + Seconds(CHALLENGES_S);
        m_challenges = 0;
    }
    if (m_challenges < m_challengeLimit)
    {
        ++m_challenges;
        const auto rto = m_rto.Get();
        SendAck();
        m_rto = rto; // it is not to be shortened by sending an ACK
    }
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
    TcpSocketBase::CompleteFork(packet, tcpHeader, fromAddress, toAddress);
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
                    if (header.GetEcn() != Ipv4Header::ECN_NotECT || !self->TakePlain(packet))
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
                    if (header.GetEcn() != Ipv6Header::ECN_NotECT || !self->TakePlain(packet))
                    {
                        self->ForwardUp6(packet, header, port, interface);
                    }
                }));
    }
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

Ptr<TcpOptionTS>
LongFatTcpSocket::MakeStamp(Ptr<TcpOptionTS>& last, uint32_t value, uint32_t echo)
{
    if (!last || last->GetReferenceCount() > 1)
    {
        last = CreateObject<TcpOptionTS>();
    }
    last->SetTimestamp(value);
    last->SetEcho(echo);
    return last;
}

uint32_t&
LongFatTcpSocket::GetTxSize()
{
    return PeekPointer(m_txBuffer)->*Open(TxBufferSize());
}

int64_t
LongFatTcpSocket::GetOffset(SequenceNumber32 sequence) const
{
    return m_board.GetHead() + (sequence - m_txBuffer->HeadSequence());
}

SequenceNumber32
LongFatTcpSocket::GetSequence(int64_t offset) const
{
    return m_txBuffer->HeadSequence() + static_cast<int32_t>(offset - m_board.GetHead());
}

int
LongFatTcpSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    if (IsStock())
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
        m_store.Add(packet->Copy());
        GetTxSize() += packet->GetSize();
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
    m_isCounting = true;
    if (m_state != SYN_SENT && AvailableWindow() > 0 && !m_sendPendingDataEvent.IsPending())
    {
        m_isLookDue = true;
    }
    m_isCounting = false;
    if (!m_isInAck)
    {
        ScheduleLook();
    }
    return static_cast<int>(packet->GetSize());
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

uint32_t
LongFatTcpSocket::BytesInFlight() const
{
    if (IsStock())
    {
        return TcpSocketBase::BytesInFlight();
    }
    m_tcb->m_bytesInFlight = m_board.GetBytesInFlight(); // congestion controls read it there
    return m_tcb->m_bytesInFlight;
}

void
LongFatTcpSocket::ScheduleLook()
{
    if (m_isLookDue)
    {
        // A little later, so that the application can write more.
        m_sendPendingDataEvent = Simulator::Schedule(TimeStep(1), [this] { SendPending(); });
        m_isLookDue = false;
    }
}

uint32_t
LongFatTcpSocket::AvailableWindow() const
{
    const auto window = TcpSocketBase::AvailableWindow();
    if (m_isCounting || window == 0 || IsStock())
    {
        return window;
    }
    const_cast<LongFatTcpSocket*>(this)->SendWindow(window); // ns-3 asks only where it sends
    return 0;
}

std::optional<LongFatTcpSocket::Next>
LongFatTcpSocket::FindNext(bool isRule3) const
{
    const auto size = m_tcb->m_segmentSize;
    if (const auto lost = m_board.FindLost())
    {
        return Next{GetSequence(*lost), size};
    }
    const auto sentBytes = m_board.GetSentBytes();
    if (sentBytes < m_txBuffer->Size())
    {
        if (sentBytes >= m_rWnd)
        {
            return std::nullopt;
        }
        return Next{GetSequence(m_board.GetEnd()), std::min(size, m_rWnd.Get() - sentBytes)};
    }
    if (const auto hole = isRule3 ? m_board.FindUnsacked() : std::nullopt)
    {
        return Next{GetSequence(*hole), size};
    }
    return std::nullopt;
}

void
LongFatTcpSocket::SendPending()
{
    if (m_txBuffer->Size() > 0 && (m_endPoint || m_endPoint6))
    {
        AvailableWindow();
    }
}

void
LongFatTcpSocket::SendWindow(uint32_t window)
{
    while (window > 0 && !(IsPacingEnabled() && m_pacingTimer.IsRunning()) &&
           !(m_tcb->m_congState == TcpSocketState::CA_OPEN && m_state == FIN_WAIT_1))
    {
        const auto next =
            FindNext(m_sackEnabled && m_tcb->m_congState == TcpSocketState::CA_RECOVERY);
        if (!next)
        {
            return;
        }
        const auto dataBytes = m_txBuffer->SizeFromSequence(next->sequence);
        if (dataBytes < window)
        {
            NotifySend(GetTxAvailable());
        }
        if (IsSilly(window, dataBytes) || IsNagled(*next, dataBytes))
        {
            return;
        }
        m_tcb->m_nextTxSequence = next->sequence;
        if (m_tcb->m_bytesInFlight.Get() == 0)
        {
            m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_TX_START);
        }
        const auto bytes =
            SendDataPacket(next->sequence, std::min(window, next->bytes), m_connected);
        m_tcb->m_nextTxSequence += bytes;
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
    // TCP-D5: with nothing in flight no acknowledgement would call again.
    if (!m_ns3Faults && BytesInFlight() == 0 && !m_isLookDue && !m_sendPendingDataEvent.IsPending())
    {
        m_sendPendingDataEvent = Simulator::Schedule(MilliSeconds(OVERRIDE_TIMEOUT_MS), [this] {
            m_isOverriding = true;
            SendPending();
            m_isOverriding = false;
        });
    }
    return true;
}

bool
LongFatTcpSocket::IsNagled(const Next& next, uint32_t dataBytes) const
{
    if (m_noDelay || dataBytes >= m_tcb->m_segmentSize || UnAckDataCount() == 0)
    {
        return false;
    }
    return m_ns3Faults || GetOffset(next.sequence) >= m_board.GetEnd(); // TCP-D4: new data
}

void
LongFatTcpSocket::Pace(uint32_t bytes)
{
    m_pacingTimer.Schedule(m_tcb->m_pacingRate.Get().CalculateBytesTxTime(bytes));
}

uint32_t
LongFatTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    if (IsStock())
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
    const bool isAgain = offset < m_board.GetEnd();
    auto& segment = isAgain ? m_board.Retransmit(offset, bytes) : m_board.Send(bytes);
    bytes = segment.bytes;
    const auto packet = m_store.Get(offset, bytes);
    m_rateOps->SkbSent(&m_item, isStart);
    const auto& rate = m_item.GetRateInformation();
    segment.record = {rate.m_delivered,
                      rate.m_deliveredTime,
                      rate.m_firstSent,
                      Simulator::Now(),
                      rate.m_isAppLimited};
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
    if (m_tcb->m_ecnState == TcpSocketState::ECN_ECE_RCVD && m_ecnEchoSeq > m_ecnCWRSeq && !isAgain)
    {
        m_tcb->m_ecnState = TcpSocketState::ECN_CWR_SENT;
        m_ecnCWRSeq = seq;
        flags |= TcpHeader::CWR;
    }
    AddSocketTags(packet, IsEct(isAgain ? TcpPacketType_t::RE_XMT : TcpPacketType_t::DATA));
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
    if (!isAgain && !(this->*Open(SocketDataSent())).IsNull())
    {
        const auto newBytes = static_cast<uint32_t>(end - m_tcb->m_highTxMark.Get());
        Simulator::ScheduleNow(&LongFatTcpSocket::NotifyDataSent, this, newBytes);
    }
    m_tcb->m_highTxMark = std::max(end, m_tcb->m_highTxMark.Get());
    return bytes;
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
    if (!m_ns3Faults) // TCP-D14: Last.ACK.sent (RFC 7323, 4.3) is of data that are sent, too
    {
        m_highTxAck = std::max(m_highTxAck, header.GetAckNumber());
    }
    if (m_endPoint && !isAgain)
    {
        (*m_tcp.*Open(TcpSendV4()))(packet,
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
LongFatTcpSocket::UpdateRttHistory(const SequenceNumber32& seq, uint32_t sz, bool isRetransmission)
{
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
LongFatTcpSocket::Deliver(TcpScoreboardCore::Segment& segment)
{
    const auto packet = m_item.GetPacket();
    if (!packet || packet->GetSize() != segment.bytes)
    {
        m_item.*Open(TxItemPacket()) = Create<Packet>(segment.bytes); // its size is what counts
    }
    auto& record = segment.record;
    m_item.*Open(TxItemLastSent()) = record.lastSent;
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
        }
    }
    return m_board.Update(ranges, m_retxThresh);
}

void
LongFatTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
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
    ProcessEcho(tcpHeader, ack);
    BytesInFlight();
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
        if (buffer.Finished() && (tcpHeader.GetFlags() & TcpHeader::FIN) == 0)
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

// The two timers that each segment moves are left where they are and look at their deadline
// when they expire: a cancelled event stays with the simulator for its whole time.

void
LongFatTcpSocket::DelayAck()
{
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
LongFatTcpSocket::NewAck(const SequenceNumber32& seq, bool resetRTO)
{
    if (!IsStock() && resetRTO && m_state != SYN_RCVD)
    {
        resetRTO = false;
        // RFC 6298, (2.3) and (5.3)
        m_rto = Max(m_rtt->GetEstimate() + Max(m_clockGranularity, m_rtt->GetVariation() * 4),
                    m_minRto);
        StartTimer();
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
        m_retxEvent = Simulator::Schedule(rto, &LongFatTcpSocket::ReTxTimeout, this);
    }
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
    auto& size = GetTxSize();
    size -= std::min(size, static_cast<uint32_t>(ack - m_txBuffer->HeadSequence()));
    PeekPointer(m_txBuffer)->*Open(TxBufferHead()) = ack;
}

void
LongFatTcpSocket::EnterState(TcpSocketState::TcpCongState_t state)
{
    m_congestionControl->CongestionStateSet(m_tcb, state);
    m_tcb->m_congState = state;
}

void
LongFatTcpSocket::ProcessEcho(const TcpHeader& header, const Ack& ack)
{
    if (m_tcb->m_congState == TcpSocketState::CA_CWR && ack.number > m_recover)
    {
        if (TELLS_OF_CWR)
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
        if (m_ecnEchoSeq < ack.number)
        {
            m_ecnEchoSeq = ack.number;
            m_tcb->m_ecnState = TcpSocketState::ECN_ECE_RCVD;
            if (m_tcb->m_congState != TcpSocketState::CA_CWR)
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
LongFatTcpSocket::ReduceForEcn(uint32_t deliveredBytes)
{
    m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, BytesInFlight());
    m_tcb->m_cWndInfl = m_tcb->m_ssThresh;
    if (TELLS_OF_CWR)
    {
        m_congestionControl->CongestionStateSet(m_tcb, TcpSocketState::CA_CWR);
    }
    m_tcb->m_congState = TcpSocketState::CA_CWR;
    m_recover = m_tcb->m_highTxMark;
    if (!m_congestionControl->HasCongControl())
    {
        m_recoveryOps->EnterRecovery(m_tcb, m_dupAckCount, UnAckDataCount(), deliveredBytes);
    }
}

void
LongFatTcpSocket::ProcessDuplicate(uint32_t deliveredBytes)
{
    if (m_tcb->m_congState == TcpSocketState::CA_LOSS)
    {
        return; // whether of a spurious retransmission or of a loss, nobody knows
    }
    if (m_tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        if (!m_sackEnabled)
        {
            m_board.AddRenoSack();
        }
        if (!m_congestionControl->HasCongControl())
        {
            m_recoveryOps->DoRecovery(m_tcb, deliveredBytes, true);
        }
        return;
    }
    ++m_dupAckCount; // RFC 6675, section 5
    if (m_tcb->m_congState == TcpSocketState::CA_OPEN)
    {
        EnterState(TcpSocketState::CA_DISORDER);
    }
    if (m_tcb->m_congState != TcpSocketState::CA_DISORDER)
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
    m_recover = m_tcb->m_highTxMark;
    m_recoverActive = true;
    EnterState(TcpSocketState::CA_RECOVERY);
    // TCP-D2. Without SACK ns-3 still takes the first segment for one in flight.
    const auto theirs = BytesInFlight() + (m_sackEnabled ? 0 : m_tcb->m_segmentSize);
    m_tcb->m_ssThresh =
        m_congestionControl->GetSsThresh(m_tcb, m_ns3Faults ? theirs : GetFlightSize());
    if (!m_congestionControl->HasCongControl())
    {
        m_recoveryOps->EnterRecovery(m_tcb, m_dupAckCount, UnAckDataCount(), deliveredBytes);
    }
    m_resendSegments = 1;
    m_resentEnd = m_board.GetHead() + m_tcb->m_segmentSize;
    SendDataPacket(m_highRxAckMark, m_tcb->m_segmentSize, true);
}

void
LongFatTcpSocket::HandleAck(const Ack& ack)
{
    const auto dupAckCount = m_dupAckCount;
    m_tcb->m_lastAckedSeq = ack.number;
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
        m_congestionControl->PktsAcked(m_tcb, 1, m_tcb->m_srtt); // one segment has arrived
    }
    else
    {
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
    const auto size = m_tcb->m_segmentSize;
    const bool isMore = !m_sackEnabled && m_partialAckSegments > 1;
    if (!m_sackEnabled)
    {
        m_board.LoseHead();
    }
    if (isMore && m_board.GetHead() < std::min(m_resentEnd, m_board.GetEnd()))
    {
        m_board.Retransmit(m_board.GetHead(), size); // it is on its way again already
    }
    if (!m_congestionControl->HasCongControl() && segments >= 1)
    {
        m_recoveryOps->DoRecovery(m_tcb, ack.deliveredBytes, false);
    }
    if (!m_board.IsRetransmittedDataAcked(m_board.GetHead() + size))
    {
        Retransmit();
        m_tcb->m_cWndInfl = SafeSubtraction(m_tcb->m_cWndInfl, bytes);
    }
    if (isMore)
    {
        ResendMore();
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
}

void
LongFatTcpSocket::ResendMore()
{
    m_resendSegments += m_partialAckSegments - 1;
    const auto size = int64_t{m_tcb->m_segmentSize};
    const auto head = m_board.GetHead();
    const auto room = std::min(m_resendSegments * size, std::max<int64_t>(m_tcb->m_ssThresh, size));
    const auto end = std::min(head + room, GetOffset(m_recover));
    m_resentEnd = std::max(m_resentEnd, head + size);
    while (m_resentEnd < end)
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
    if (const auto left = m_retxDeadline - Simulator::Now(); left.IsStrictlyPositive())
    {
        m_retxEvent = Simulator::Schedule(left, &LongFatTcpSocket::ReTxTimeout, this);
        return;
    }
    const bool hasData = m_txBuffer->Size() > 0;
    const bool isOpen = m_state != CLOSED && m_state != TIME_WAIT && m_state != SYN_SENT;
    if (IsStock() || !hasData || !isOpen || m_dataRetrCount == 0)
    {
        TcpSocketBase::ReTxTimeout();
        return;
    }
    --m_dataRetrCount;
    const auto flight = m_ns3Faults ? BytesInFlight() : GetFlightSize(); // TCP-D2
    const bool isRepeated = m_timedOut == m_board.GetHead();
    m_timedOut = m_board.GetHead();
    m_dupAckCount = 0;
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
    m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_LOSS);
    EnterState(TcpSocketState::CA_LOSS);
    m_tcb->m_cWnd = m_tcb->m_segmentSize;
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    m_pacingTimer.Cancel();
    BytesInFlight();
    SendPending();
    BytesInFlight();
}

void
LongFatTcpSocket::PersistTimeout()
{
    if (IsStock())
    {
        TcpSocketBase::PersistTimeout();
        return;
    }
    m_persistTimeout = std::min(Seconds(60), Time(2 * m_persistTimeout));
    // TCP-D8: the first byte that is not acknowledged.
    const auto sequence = m_ns3Faults ? m_tcb->m_nextTxSequence.Get() : m_txBuffer->HeadSequence();
    if (m_txBuffer->SizeFromSequence(sequence) > 0)
    {
        // One byte that may be lost (RFC 9293, 3.8.6.1), and is not taken for one in flight.
        const auto offset = GetOffset(sequence);
        if (m_ns3Faults)
        {
            const bool isAgain = offset < m_board.GetEnd();
            isAgain ? m_board.Retransmit(offset, 1) : m_board.Send(1);
            m_board.TakeBack();
        }
        m_probed = sequence;
        const auto packet = m_store.Get(offset, 1);
        if (m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED)
        {
            AddSocketTags(packet, IsEct(TcpPacketType_t::WINDOW_PROBE));
        }
        Transmit(packet, MakeHeader(sequence, m_ns3Faults ? 0 : TcpHeader::ACK), false);
    }
    m_persistEvent = Simulator::Schedule(m_persistTimeout, &LongFatTcpSocket::PersistTimeout, this);
}

} // namespace ns3::lfn
