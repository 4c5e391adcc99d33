// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-tcp-source-base.h"

#include "lfn-make-socket.h"
#include "lfn-tcp-congestion.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/log.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/long-fat-tcp-socket.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpSourceBase");

TypeId
TcpSourceBase::AddAttributes(TypeId tid)
{
    return tid
        .AddAttribute("Remote",
                      "IPv4 or IPv6 socket address of the sink.",
                      AddressValue(),
                      MakeAddressAccessor(&TcpSourceBase::m_remote),
                      MakeAddressChecker())
        .AddAttribute("Bytes",
                      "User bytes to send; 0 sends until stopped.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&TcpSourceBase::m_bytes),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("SegmentSize",
                      "User bytes of a segment, and of every write to a socket.",
                      UintegerValue(1448),
                      MakeUintegerAccessor(&TcpSourceBase::m_segmentSize),
                      MakeUintegerChecker<uint32_t>(1, 65483))
        .AddAttribute("SndBufSize",
                      "Send buffer of each socket in bytes; 0 leaves ns3::TcpSocket's own.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&TcpSourceBase::m_sndBufSize),
                      MakeUintegerChecker<uint32_t>(0, LongFatTcpSocket::MAX_BUFFER))
        .AddAttribute("SocketFactory",
                      "Factory of the node that makes the sockets; ns3::TcpSocketFactory for "
                      "ns-3's own TCP, ns3::lfn::XcpSocketFactory for XCP.",
                      TypeIdValue(LongFatTcpSocketFactory::GetTypeId()),
                      MakeTypeIdAccessor(&TcpSourceBase::m_socketFactory),
                      MakeTypeIdChecker())
        .AddAttribute("Congestion",
                      "TypeId of a TcpCongestionOps for the connections; empty for the node's.",
                      StringValue(""),
                      MakeStringAccessor(&TcpSourceBase::m_congestion),
                      MakeStringChecker())
        .AddAttribute("CheckContent",
                      "Send a pattern that the sink can check.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&TcpSourceBase::m_checkContent),
                      MakeBooleanChecker())
        .AddAttribute("StallTimeout",
                      "Fail when nothing has been acknowledged for so long; 0 waits for ever.",
                      TimeValue(Seconds(300)),
                      MakeTimeAccessor(&TcpSourceBase::m_stallTimeout),
                      MakeTimeChecker(Time(0)));
}

int64_t
TcpSourceBase::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_stream = stream;
    return 1;
}

void
TcpSourceBase::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_completeEvent.Cancel();
    m_stallEvent.Cancel();
}

bool
TcpSourceBase::Admit(HostTurn& turn,
                     uint32_t bytes,
                     const StorageCore::Range& stored,
                     const std::function<void()>& write)
{
    if (turn.event.IsPending())
    {
        return false;
    }
    if (std::exchange(turn.isAdmitted, false))
    {
        return true;
    }
    const Time now = Simulator::Now();
    const Time leaves = m_gate.Admit(now, now, bytes, stored);
    if (leaves == now)
    {
        return true;
    }
    NS_LOG_LOGIC("the host writes " << bytes << " B in " << (leaves - now).As(Time::US));
    turn.isAdmitted = true;
    turn.event = Simulator::Schedule(leaves - now, write);
    return false;
}

bool
TcpSourceBase::IsEndless() const
{
    return m_bytes == 0;
}

void
TcpSourceBase::StartStallTimer()
{
    m_report.offeredBytes = m_bytes;
    m_lastProgress = Simulator::Now();
    if (m_stallTimeout.IsStrictlyPositive())
    {
        m_stallEvent = Simulator::Schedule(m_stallTimeout, &TcpSourceBase::CheckStall, this);
    }
}

Ptr<Socket>
TcpSourceBase::MakeSocket(uint32_t index)
{
    if (!InetSocketAddress::IsMatchingType(m_remote) &&
        !Inet6SocketAddress::IsMatchingType(m_remote))
    {
        Fail("Remote is no socket address");
        return nullptr;
    }
    const auto socket = lfn::MakeSocket(GetNode(), m_socketFactory);
    if (!socket)
    {
        Fail("the node has no TCP, or no " + m_socketFactory.GetName());
        return nullptr;
    }
    if (!UseTcpCongestion(socket, m_congestion, m_stream < 0 ? m_stream : m_stream + index))
    {
        Fail("Congestion is no TcpCongestionOps for any socket");
        return nullptr;
    }
    SetTos(socket, m_tos);
    socket->SetAttribute("SegmentSize", UintegerValue(m_segmentSize));
    if (m_sndBufSize > 0)
    {
        socket->SetAttribute("SndBufSize", UintegerValue(m_sndBufSize));
    }
    return socket;
}

bool
TcpSourceBase::Connect(Ptr<Socket> socket, const Callback<void, Ptr<Socket>>& connected)
{
    socket->SetConnectCallback(connected, MakeCallback(&TcpSourceBase::OnRefused, this));
    const bool isIpv4 = InetSocketAddress::IsMatchingType(m_remote);
    if ((isIpv4 ? socket->Bind() : socket->Bind6()) != 0 || socket->Connect(m_remote) != 0)
    {
        Fail("cannot open a socket to Remote");
        return false;
    }
    socket->ShutdownRecv();
    return true;
}

void
TcpSourceBase::Release(Ptr<Socket> socket) const
{
    socket->Recv(); // unread, it would make a reset of the FIN
    AbandonSocket(socket, !IsBeingDisposed());
}

bool
TcpSourceBase::OnAcknowledged(uint64_t bytes)
{
    m_lastProgress = Simulator::Now();
    m_report.deliveredBytes += bytes;
    m_report.lastDelivery = m_lastProgress;
    m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
    return !IsFinished();
}

bool
TcpSourceBase::CompleteIfDone()
{
    const bool isDone = !IsEndless() && !m_isOpen && m_report.deliveredBytes == m_bytes;
    // Not at once: the socket is in the midst of an acknowledgement and must not be closed.
    if (isDone && !IsCompleting())
    {
        m_completeEvent = Simulator::ScheduleNow(&TcpSourceBase::Complete, this);
    }
    return isDone;
}

bool
TcpSourceBase::IsCompleting() const
{
    return m_completeEvent.IsPending();
}

uint32_t
TcpSourceBase::GetBufferBytes(Ptr<Socket> socket)
{
    UintegerValue bytes;
    socket->GetAttribute("SndBufSize", bytes);
    return static_cast<uint32_t>(bytes.Get());
}

void
TcpSourceBase::OnRefused(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this);
    Fail("connection refused or timed out");
}

void
TcpSourceBase::CheckStall()
{
    const Time now = Simulator::Now();
    if (m_isOpen && m_report.deliveredBytes == m_bytes)
    {
        m_lastProgress = now; // there is nothing to acknowledge
    }
    NS_LOG_DEBUG("the last progress was " << (now - m_lastProgress).As(Time::S)
                                          << " ago, StallTimeout is "
                                          << m_stallTimeout.As(Time::S));
    const Time limit = m_lastProgress + m_stallTimeout;
    if (now >= limit)
    {
        Fail("nothing acknowledged for StallTimeout");
        return;
    }
    m_stallEvent = Simulator::Schedule(limit - now, &TcpSourceBase::CheckStall, this);
}

} // namespace ns3::lfn
