// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-log.h"
#include "long-fat-tcp-socket.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/ipv6-header.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-tx-buffer.h"

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket: segments from the end points, and those that need no other check than the fast
 * path.
 */

namespace ns3::lfn
{

static LogComponent& g_log = g_longFatTcpLog;

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

} // namespace ns3::lfn
