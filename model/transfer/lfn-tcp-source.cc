// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-tcp-source.h"

#include "lfn-make-socket.h"
#include "lfn-pattern-payload.h"
#include "lfn-tcp-congestion.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/log.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/long-fat-tcp-socket.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpSource");
NS_OBJECT_ENSURE_REGISTERED(TcpSource);

TypeId
TcpSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::TcpSource")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<TcpSource>()
            .AddAttribute("Remote",
                          "IPv4 or IPv6 socket address of the sink.",
                          AddressValue(),
                          MakeAddressAccessor(&TcpSource::m_remote),
                          MakeAddressChecker())
            .AddAttribute("Bytes",
                          "User bytes to send; 0 sends until stopped.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TcpSource::m_bytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SegmentSize",
                          "User bytes of a segment, and of every write to the socket.",
                          UintegerValue(1448),
                          MakeUintegerAccessor(&TcpSource::m_segmentSize),
                          MakeUintegerChecker<uint32_t>(1, 65483))
            .AddAttribute("SndBufSize",
                          "Send buffer of the socket in bytes; 0 leaves ns3::TcpSocket's own.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TcpSource::m_sndBufSize),
                          MakeUintegerChecker<uint32_t>(0, LongFatTcpSocket::MAX_BUFFER))
            .AddAttribute("SocketFactory",
                          "Factory of the node that makes the sockets; ns3::TcpSocketFactory for "
                          "ns-3's own TCP, "
                          "ns3::lfn::XcpSocketFactory for XCP.",
                          TypeIdValue(LongFatTcpSocketFactory::GetTypeId()),
                          MakeTypeIdAccessor(&TcpSource::m_socketFactory),
                          MakeTypeIdChecker())
            .AddAttribute("Congestion",
                          "TypeId of a TcpCongestionOps for this connection; empty for the node's.",
                          StringValue(""),
                          MakeStringAccessor(&TcpSource::m_congestion),
                          MakeStringChecker())
            .AddAttribute("CheckContent",
                          "Send a pattern that a TcpSink can check.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpSource::m_checkContent),
                          MakeBooleanChecker())
            .AddAttribute("StallTimeout",
                          "Fail when nothing has been acknowledged for so long; 0 waits for ever.",
                          TimeValue(Seconds(300)),
                          MakeTimeAccessor(&TcpSource::m_stallTimeout),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("CongestionWindow",
                            "The socket's congestion window, B.",
                            MakeTraceSourceAccessor(&TcpSource::m_cwndTrace),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("RTT",
                            "The socket's last sample of the RTT.",
                            MakeTraceSourceAccessor(&TcpSource::m_rttTrace),
                            "ns3::TracedValueCallback::Time");
    return tid;
}

TcpSource::TcpSource()
{
    m_report.protocol = "tcp";
}

void
TcpSource::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_completeEvent.Cancel();
    m_stallEvent.Cancel();
    if (!m_socket)
    {
        return;
    }
    m_socket->TraceDisconnectWithoutContext("Tx", MakeCallback(&TcpSource::HandleSegment, this));
    m_socket->TraceDisconnectWithoutContext("CongestionWindow",
                                            MakeCallback(&TcpSource::HandleWindow, this));
    m_socket->TraceDisconnectWithoutContext("LastRTT", MakeCallback(&TcpSource::HandleRtt, this));
    m_socket->TraceDisconnectWithoutContext("CongState",
                                            MakeCallback(&TcpSource::HandleState, this));
    m_socket->Recv(); // unread, it would make a reset of the FIN
    AbandonSocket(m_socket, !IsBeingDisposed());
    m_socket = nullptr;
}

int64_t
TcpSource::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_stream = stream;
    return 1;
}

bool
TcpSource::IsEndless() const
{
    return m_bytes == 0;
}

void
TcpSource::StartApplication()
{
    NS_LOG_FUNCTION(this);
    const bool isIpv4 = InetSocketAddress::IsMatchingType(m_remote);
    if (!isIpv4 && !Inet6SocketAddress::IsMatchingType(m_remote))
    {
        Fail("Remote is no socket address");
        return;
    }
    m_socket = MakeSocket(GetNode(), m_socketFactory);
    if (!m_socket)
    {
        Fail("the node has no TCP, or no " + m_socketFactory.GetName());
        return;
    }
    if (!UseTcpCongestion(m_socket, m_congestion, m_stream))
    {
        Fail("Congestion is no TcpCongestionOps for any socket");
        return;
    }
    m_socket->SetAttribute("SegmentSize", UintegerValue(m_segmentSize));
    if (m_sndBufSize > 0)
    {
        m_socket->SetAttribute("SndBufSize", UintegerValue(m_sndBufSize));
    }
    UintegerValue bufferBytes;
    m_socket->GetAttribute("SndBufSize", bufferBytes);
    m_bufferBytes = static_cast<uint32_t>(bufferBytes.Get());
    m_socket->SetConnectCallback(MakeCallback(&TcpSource::HandleConnected, this),
                                 MakeCallback(&TcpSource::HandleConnectFailed, this));
    m_socket->SetCloseCallbacks(MakeCallback(&TcpSource::HandlePeerClose, this),
                                MakeCallback(&TcpSource::HandleErrorClose, this));
    m_socket->TraceConnectWithoutContext("Tx", MakeCallback(&TcpSource::HandleSegment, this));
    m_socket->TraceConnectWithoutContext("CongestionWindow",
                                         MakeCallback(&TcpSource::HandleWindow, this));
    m_socket->TraceConnectWithoutContext("LastRTT", MakeCallback(&TcpSource::HandleRtt, this));
    m_socket->TraceConnectWithoutContext("CongState", MakeCallback(&TcpSource::HandleState, this));

    m_report.offeredBytes = m_bytes;
    m_lastProgress = Simulator::Now();
    if (m_stallTimeout.IsStrictlyPositive())
    {
        m_stallEvent = Simulator::Schedule(m_stallTimeout, &TcpSource::CheckStall, this);
    }
    const int bound = isIpv4 ? m_socket->Bind() : m_socket->Bind6();
    if (bound != 0 || m_socket->Connect(m_remote) != 0)
    {
        Fail("cannot open a socket to Remote");
        return;
    }
    m_socket->ShutdownRecv();
}

void
TcpSource::HandleWindow(uint32_t before, uint32_t now)
{
    NS_LOG_DEBUG("cwnd " << before << " B -> " << now << " B");
    m_cwndTrace(before, now);
}

void
TcpSource::HandleRtt(Time before, Time now)
{
    m_rttTrace(before, now);
}

void
TcpSource::HandleState(TcpSocketState::TcpCongState_t /* before */,
                       TcpSocketState::TcpCongState_t now)
{
    NS_LOG_INFO("congestion state " << TcpSocketState::TcpCongStateName[m_state] << " -> "
                                    << TcpSocketState::TcpCongStateName[now]);
    m_state = now;
}

void
TcpSource::HandleConnected(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    socket->SetSendCallback(MakeCallback(&TcpSource::HandleRoom, this));
    Write(false);
    NoteOffered();
}

void
TcpSource::HandleConnectFailed(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this);
    Fail("connection refused or timed out");
}

void
TcpSource::HandlePeerClose(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this);
    if (!m_completeEvent.IsPending())
    {
        Fail("closed by the receiver");
    }
}

void
TcpSource::HandleErrorClose(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this);
    if (!m_completeEvent.IsPending())
    {
        Fail("connection lost");
    }
}

void
TcpSource::HandleRoom(Ptr<Socket> /* socket */, uint32_t available)
{
    NS_LOG_FUNCTION(this << available);
    // What was written and has left the socket's buffer is acknowledged. The socket calls after
    // every acknowledgement that frees room, the last one included.
    const uint64_t acknowledged = m_writtenBytes - (m_bufferBytes - available);
    if (acknowledged > m_report.deliveredBytes)
    {
        m_lastProgress = Simulator::Now();
        m_report.deliveredBytes = acknowledged;
        m_report.lastDelivery = m_lastProgress;
        m_progressTrace(acknowledged, m_report.offeredBytes);
        if (IsFinished())
        {
            return; // whoever listened has ended the transfer
        }
    }
    if (!IsEndless() && acknowledged == m_bytes)
    {
        // Not at once: the socket is in the midst of an acknowledgement and must not be closed.
        if (!m_completeEvent.IsPending())
        {
            m_completeEvent = Simulator::ScheduleNow(&TcpSource::Complete, this);
        }
        return;
    }
    // Every write makes the socket look once more for what it may send, an instant later; many
    // segments at once go for the price of one. That look matters in a recovery only, where it may
    // send what the acknowledgement itself did not let go.
    if (m_state != TcpSocketState::CA_OPEN || GetUnsentSegments() < SentStream::LEAST_UNSENT)
    {
        Write(m_state != TcpSocketState::CA_OPEN);
    }
    NoteOffered();
}

uint64_t
TcpSource::GetUnsentSegments() const
{
    return m_sent.GetUnsent(m_writtenBytes, m_segmentSize);
}

void
TcpSource::NoteOffered()
{
    if (IsEndless() && m_socket)
    {
        // All that the buffer has room for, be it written or not.
        const uint64_t size = std::min(m_segmentSize, m_bufferBytes);
        const uint64_t room = m_socket->GetTxAvailable();
        m_report.offeredBytes = m_writtenBytes + (size > 0 ? room / size * size : 0);
    }
}

void
TcpSource::HandleSegment(Ptr<const Packet> segment,
                         const TcpHeader& header,
                         Ptr<const TcpSocketBase> /* socket */)
{
    const uint32_t size = segment->GetSize();
    if (size == 0)
    {
        return;
    }
    ++m_report.dataPackets;
    m_report.retransmittedPackets += m_sent.Note(header.GetSequenceNumber(), size);
    m_txTrace(segment);
    if (GetUnsentSegments() < SentStream::LEAST_UNSENT)
    {
        Write(false);
    }
}

void
TcpSource::Write(bool isOne)
{
    while (m_socket && (IsEndless() || m_writtenBytes < m_bytes) &&
           (isOne || GetUnsentSegments() < SentStream::MOST_UNSENT))
    {
        isOne = false;
        uint64_t size = std::min(m_segmentSize, m_bufferBytes);
        if (!IsEndless())
        {
            size = std::min(size, m_bytes - m_writtenBytes);
        }
        if (m_socket->GetTxAvailable() < size || size == 0)
        {
            return;
        }
        const auto bytes = static_cast<uint32_t>(size);
        const auto packet = m_checkContent ? PatternPayload::MakePacket(m_writtenBytes, bytes)
                                           : Create<Packet>(bytes);
        Begin();
        if (m_socket->Send(packet) < 0)
        {
            NS_LOG_WARN("send call failed with error " << m_socket->GetErrno());
            Fail("the socket refused data");
            return;
        }
        m_writtenBytes += size;
        if (m_writtenBytes == m_bytes && !IsEndless())
        {
            NS_LOG_INFO("all " << m_bytes << " B are written, the connection is closed");
            m_socket->Close(); // the FIN goes with the last data, which are then not delayed-ACKed
        }
    }
}

void
TcpSource::CheckStall()
{
    const Time limit = m_lastProgress + m_stallTimeout;
    const Time now = Simulator::Now();
    NS_LOG_DEBUG("the last progress was " << (now - m_lastProgress).As(Time::S)
                                          << " ago, StallTimeout is "
                                          << m_stallTimeout.As(Time::S));
    if (now >= limit)
    {
        Fail("nothing acknowledged for StallTimeout");
        return;
    }
    m_stallEvent = Simulator::Schedule(limit - now, &TcpSource::CheckStall, this);
}

} // namespace ns3::lfn
