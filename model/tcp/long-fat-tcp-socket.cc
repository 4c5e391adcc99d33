// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-socket.h"

#include "long-fat-tcp-log.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

LogComponent g_longFatTcpLog("LongFatTcpSocket", __FILE__);
static LogComponent& g_log = g_longFatTcpLog;
NS_OBJECT_ENSURE_REGISTERED(LongFatTcpSocket);

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
                "Err where ns-3's TCP does (TCP-D1 to TCP-D35 of the deviations), so that "
                "the packets are the same; else do what the RFCs say.",
                BooleanValue(false),
                MakeBooleanAccessor(&LongFatTcpSocket::SetNs3Faults,
                                    &LongFatTcpSocket::HasNs3Faults),
                MakeBooleanChecker())
            .AddAttribute(
                "PartialAckSegments",
                "Segments that may be retransmitted for a partial ACK without SACK: 1 as "
                "in RFC 6582, n losses take n RTTs; 2 is the variant of RFC 3782, "
                "section 5, which begins again with the gap: each partial ACK doubles "
                "how far behind it may be retransmitted, two segments with it and one with "
                "each duplicate ACK, before new data. n losses take log2(n) RTTs "
                "and more where they are far apart; what had arrived between them goes "
                "twice. Nothing with Ns3Faults. XCP's sockets take XcpSocketFactory's.",
                UintegerValue(1),
                MakeUintegerAccessor(&LongFatTcpSocket::m_partialAckSegments),
                MakeUintegerChecker<uint32_t>(1, 10))
            .AddAttribute(
                "GiveUpTime",
                "A connection whose data are not acknowledged is given up after "
                "DataRetries retransmissions by the timer, the last one of which was sent "
                "this time after the first one or later, so that it survives shorter "
                "outages (RFC 9293, 3.8.3: R2, at least 100 s).",
                TimeValue(Seconds(100)),
                MakeTimeAccessor(&LongFatTcpSocket::m_giveUpTime),
                MakeTimeChecker(Time()))
            .AddAttribute("KeepBackOff",
                          "A doubled retransmission timeout stays until a new sample of the "
                          "round-trip time, not until a new ACK (RFC 6298, section 5, Karn; "
                          "TCP-D31). XCP's sockets, which have no time stamps, do without: where "
                          "many retransmissions are lost they would have no sample for minutes.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LongFatTcpSocket::m_keepBackOff),
                          MakeBooleanChecker())
            .AddAttribute("SackOfRetransmissions",
                          "What SACK says of retransmissions counts: one that has arrived leaves "
                          "the pipe, one that is lost is retransmitted again and lowers the window "
                          "again (RFC 5681, section 4.3; TCP-D27 and TCP-D28). XCP's sockets do "
                          "without, as in ns-2: the timer limits a window that is far too large.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LongFatTcpSocket::m_sackOfRetransmissions),
                          MakeBooleanChecker())
            .AddAttribute("RestartAfterIdle",
                          "After a retransmission timeout without data sent begin with the initial "
                          "window (RFC 5681, section 4.1). XCP's sockets do not: their allowance "
                          "ages by TcpXcp::AgingWeight.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LongFatTcpSocket::m_restartAfterIdle),
                          MakeBooleanChecker())
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
                            "ns3::lfn::LongFatTcpSocket::RefusedTracedCallback");
    return tid;
}

LongFatTcpSocket::LongFatTcpSocket()
    : m_recovery(*this, m_rules, [this](TcpRecoveryCore::Segment& segment) { Deliver(segment); }),
      m_board(m_recovery.GetScoreboard()),
      m_born(Simulator::Now())
{
    m_pacingTimer.SetFunction(&LongFatTcpSocket::SendPaced, this);
}

LongFatTcpSocket::LongFatTcpSocket(const LongFatTcpSocket& other)
    : NamedTcpSocketBase(other),
      Actions(),
      m_scoreboard(other.m_scoreboard),
      m_rules(other.m_rules),
      m_recovery(*this, m_rules, [this](TcpRecoveryCore::Segment& segment) { Deliver(segment); }),
      m_board(m_recovery.GetScoreboard()),
      m_partialAckSegments(other.m_partialAckSegments),
      m_keepBackOff(other.m_keepBackOff),
      m_sackOfRetransmissions(other.m_sackOfRetransmissions),
      m_restartAfterIdle(other.m_restartAfterIdle),
      m_giveUpTime(other.m_giveUpTime),
      m_challengeLimit(other.m_challengeLimit),
      m_born(Simulator::Now()),
      m_refusedTrace(other.m_refusedTrace)
{
    m_pacingTimer.SetFunction(&LongFatTcpSocket::SendPaced, this);
}

LongFatTcpSocket::~LongFatTcpSocket()
{
    m_delayedAckEvent.Cancel();
}

void
LongFatTcpSocket::SetSndBufSize(uint32_t size)
{
    NS_LOG_FUNCTION(this << size);
    TcpSocketBase::SetSndBufSize(std::min(size, MAX_BUFFER));
}

void
LongFatTcpSocket::SetRcvBufSize(uint32_t size)
{
    NS_LOG_FUNCTION(this << size);
    TcpSocketBase::SetRcvBufSize(std::min(size, MAX_BUFFER));
}

Ptr<TcpSocketBase>
LongFatTcpSocket::Fork()
{
    NS_LOG_FUNCTION(this);
    return CopyObject<LongFatTcpSocket>(this);
}

void
LongFatTcpSocket::SetNs3Faults(bool isNs3)
{
    m_rules = TcpRules{.isRfc = !isNs3};
}

bool
LongFatTcpSocket::HasNs3Faults() const
{
    return !m_rules.isRfc;
}

bool
LongFatTcpSocket::IsNs3Compatible() const
{
    return m_scoreboard == NS3 || IsFack(*this);
}

bool
LongFatTcpSocket::IsSynchronized() const
{
    return m_state == ESTABLISHED || m_state == CLOSE_WAIT || m_state == LAST_ACK ||
           m_state == FIN_WAIT_1 || m_state == FIN_WAIT_2 || m_state == CLOSING;
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

} // namespace ns3::lfn
