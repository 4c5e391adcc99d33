// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-tcp-source.h"

#include "lfn-pattern-payload.h"

#include "ns3/log.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpSource");
NS_OBJECT_ENSURE_REGISTERED(TcpSource);

TypeId
TcpSource::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::lfn::TcpSource")
                                          .SetParent<TransferApplication>()
                                          .SetGroupName("Lfn")
                                          .AddConstructor<TcpSource>())
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
    TcpSourceBase::CancelEvents();
    m_turn.event.Cancel();
    if (!m_socket)
    {
        return;
    }
    m_socket->TraceDisconnectWithoutContext("Tx", MakeCallback(&TcpSource::OnSegment, this));
    m_socket->TraceDisconnectWithoutContext("CongestionWindow",
                                            MakeCallback(&TcpSource::OnWindow, this));
    m_socket->TraceDisconnectWithoutContext("SlowStartThreshold",
                                            MakeCallback(&TcpSource::OnThreshold, this));
    m_socket->TraceDisconnectWithoutContext("LastRTT", MakeCallback(&TcpSource::OnRtt, this));
    m_socket->TraceDisconnectWithoutContext("CongState", MakeCallback(&TcpSource::OnState, this));
    Release(std::exchange(m_socket, nullptr));
}

void
TcpSource::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_socket = MakeSocket();
    if (!m_socket)
    {
        return;
    }
    m_bufferBytes = GetBufferBytes(m_socket);
    m_socket->SetCloseCallbacks(MakeCallback(&TcpSource::OnPeerClose, this),
                                MakeCallback(&TcpSource::OnErrorClose, this));
    m_socket->TraceConnectWithoutContext("Tx", MakeCallback(&TcpSource::OnSegment, this));
    m_socket->TraceConnectWithoutContext("CongestionWindow",
                                         MakeCallback(&TcpSource::OnWindow, this));
    m_socket->TraceConnectWithoutContext("SlowStartThreshold",
                                         MakeCallback(&TcpSource::OnThreshold, this));
    m_socket->TraceConnectWithoutContext("LastRTT", MakeCallback(&TcpSource::OnRtt, this));
    m_socket->TraceConnectWithoutContext("CongState", MakeCallback(&TcpSource::OnState, this));
    m_gate = HostSendGate(m_hostCost);
    StartStallTimer();
    Connect(m_socket, MakeCallback(&TcpSource::OnConnected, this));
}

void
TcpSource::OnWindow(uint32_t before, uint32_t now)
{
    NS_LOG_DEBUG("cwnd " << before << " B -> " << now << " B");
    m_window.cwnd = now;
    m_cwndTrace(before, now);
}

void
TcpSource::OnThreshold(uint32_t /* before */, uint32_t now)
{
    m_window.ssthresh = now;
}

TransferApplication::Window
TcpSource::GetWindow() const
{
    return m_window;
}

void
TcpSource::OnRtt(Time before, Time now)
{
    m_window.rtt = now;
    m_rttTrace(before, now);
}

void
TcpSource::OnState(TcpSocketState::TcpCongState_t /* before */, TcpSocketState::TcpCongState_t now)
{
    NS_LOG_INFO("congestion state " << TcpSocketState::TcpCongStateName[m_state] << " -> "
                                    << TcpSocketState::TcpCongStateName[now]);
    m_state = now;
}

void
TcpSource::OnConnected(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    socket->SetSendCallback(MakeCallback(&TcpSource::OnWritable, this));
    Write(false);
    UpdateOffered();
}

void
TcpSource::OnPeerClose(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this);
    if (!IsCompleting())
    {
        Fail("closed by the receiver");
    }
}

void
TcpSource::OnErrorClose(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this);
    if (!IsCompleting())
    {
        Fail("connection lost");
    }
}

void
TcpSource::OnWritable(Ptr<Socket> /* socket */, uint32_t available)
{
    NS_LOG_FUNCTION(this << available);
    // What was written and has left the socket's buffer is acknowledged. The socket calls after
    // every acknowledgement that frees room, the last one included.
    const uint64_t acknowledged = m_writtenBytes - (m_bufferBytes - available);
    const uint64_t before = m_report.deliveredBytes;
    if ((acknowledged > before && !OnAcknowledged(acknowledged - before)) || CompleteIfDone())
    {
        return;
    }
    // Every write makes the socket look again for what it may send, an instant later; many
    // segments at once go for the price of one. That look matters in a recovery only, where it may
    // send what the acknowledgement itself did not let go.
    if (m_state != TcpSocketState::CA_OPEN || GetUnsentSegments() < SentStream::LEAST_UNSENT)
    {
        Write(m_state != TcpSocketState::CA_OPEN);
    }
    UpdateOffered();
}

uint64_t
TcpSource::GetUnsentSegments() const
{
    return m_sent.GetUnsent(m_writtenBytes, m_segmentSize);
}

void
TcpSource::UpdateOffered()
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
TcpSource::OnSegment(Ptr<const Packet> segment,
                     const TcpHeader& header,
                     Ptr<const TcpSocketBase> /* socket */)
{
    const uint32_t size = segment->GetSize();
    if (size == 0)
    {
        return;
    }
    ++m_report.dataPackets;
    m_report.retransmittedPackets += m_sent.Record(header.GetSequenceNumber(), size);
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
        if (m_hostCost && !Admit(m_turn, bytes, {m_writtenBytes, bytes}, [this] { Write(true); }))
        {
            return;
        }
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
        CloseIfWritten();
    }
}

void
TcpSource::CloseIfWritten()
{
    if (m_writtenBytes == m_bytes && !IsEndless() && !m_isOpen)
    {
        NS_LOG_INFO("all " << m_bytes << " B are written, the connection is closed");
        m_socket->Close(); // the FIN goes with the last data, which are then not delayed-ACKed
    }
}

bool
TcpSource::Offer(uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    if (!AcceptOffer(bytes, m_bytes))
    {
        return false;
    }
    if (m_report.started)
    {
        Write(false);
    }
    return true;
}

void
TcpSource::Finish()
{
    NS_LOG_FUNCTION(this);
    if (std::exchange(m_isOpen, false) && m_report.started && m_socket)
    {
        CloseIfWritten();
        CompleteIfDone();
    }
}

} // namespace ns3::lfn
