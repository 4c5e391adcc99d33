// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-tcp-control.h"

#include "ns3/boolean.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/lfn-make-socket.h"
#include "ns3/log.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RbudpTcpControl");
NS_OBJECT_ENSURE_REGISTERED(RbudpTcpControl);

namespace
{

constexpr uint32_t SEGMENT_SIZE = 1448;    //!< bytes, fills an Ethernet frame with timestamps
constexpr uint32_t IPV6_EXTRA = 20;        //!< bytes that an IPv6 header is longer
constexpr uint64_t PERSIST_DAYS = 36'500;  //!< longer than any simulation
constexpr int64_t RETRY_INTERVAL_MS = 100; //!< between attempts to connect

} // namespace

TypeId
RbudpTcpControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::RbudpTcpControl")
            .SetParent<RbudpControlChannel>()
            .SetGroupName("Lfn")
            .AddConstructor<RbudpTcpControl>()
            .AddAttribute("SocketFactory",
                          "Factory of the node that makes the sockets; "
                          "ns3::TcpSocketFactory for ns-3's own TCP.",
                          TypeIdValue(LongFatTcpSocketFactory::GetTypeId()),
                          MakeTypeIdAccessor(&RbudpTcpControl::m_socketFactory),
                          MakeTypeIdChecker())
            .AddAttribute("MinRtoMargin",
                          "Time that the retransmission timer waits beyond the smoothed RTT, "
                          "at least. Linux since 2.4: 200 ms.",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&RbudpTcpControl::m_minRtoMargin),
                          MakeTimeChecker(MilliSeconds(1), Seconds(60)))
            .AddAttribute("DelAckTimeout",
                          "Time that an acknowledgement waits for data to go with, at most. Linux "
                          "since 2.4, in a dialogue: 40 ms.",
                          TimeValue(MilliSeconds(40)),
                          MakeTimeAccessor(&RbudpTcpControl::m_delAckTimeout),
                          MakeTimeChecker(Time(0), MilliSeconds(500)));
    return tid;
}

Ptr<Socket>
RbudpTcpControl::MakeSocket(Ptr<Node> node, bool ipv6, uint32_t bufferBytes) const
{
    auto socket = lfn::MakeSocket(node, m_socketFactory);
    if (!socket)
    {
        return nullptr;
    }
    socket->SetAttribute("SegmentSize", UintegerValue(SEGMENT_SIZE - (ipv6 ? IPV6_EXTRA : 0)));
    lfn::SetTos(socket, m_tos);
    socket->SetAttribute("TcpNoDelay", BooleanValue(true));
    socket->SetAttribute("SndBufSize", UintegerValue(bufferBytes));
    socket->SetAttribute("RcvBufSize", UintegerValue(bufferBytes));
    // Linux's TCP_RTO_MIN is the least of the variation's part of the timer, not of all of it; ns-3
    // calls that part the clock's granularity, and has a floor of 1 s under the sum.
    socket->SetAttribute("ClockGranularity", TimeValue(m_minRtoMargin));
    socket->SetAttribute("MinRto", TimeValue(m_minRtoMargin));
    socket->SetAttribute("DelAckTimeout", TimeValue(m_delAckTimeout));
    // ns-3 crashes when it probes a closed window with nothing to send, and takes the window of a
    // reset that reaches a listening socket (a receiver gave up connecting) for one. No probes:
    // control messages never fill the buffer, and ControlTimeout ends what stalls.
    socket->SetAttribute("PersistTimeout", TimeValue(Days(PERSIST_DAYS)));
    return socket;
}

void
RbudpTcpControl::SetTos(uint8_t tos)
{
    m_tos = tos;
}

bool
RbudpTcpControl::Listen(Ptr<Node> node,
                        const Address& local,
                        uint32_t bufferBytes,
                        Callback<void, const Address&> connected)
{
    NS_LOG_FUNCTION(this << node << local << bufferBytes);
    m_listener = MakeSocket(node, Inet6SocketAddress::IsMatchingType(local), bufferBytes);
    if (!m_listener)
    {
        return false;
    }
    m_onAccepted = connected;
    // Sockets in their handshake have a copy of the callback, and may outlive the listening one.
    m_listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        MakeCallback(&RbudpTcpControl::OnAccepted, Ptr<RbudpTcpControl>(this)));
    return m_listener->Bind(local) == 0 && m_listener->Listen() == 0;
}

void
RbudpTcpControl::OnAccepted(Ptr<Socket> socket, const Address& from)
{
    NS_LOG_FUNCTION(this << socket << from);
    if (m_isTaken || m_closing)
    {
        NS_LOG_LOGIC("a second connection is closed: taken " << m_isTaken << ", closing "
                                                             << m_closing);
        socket->Close();
        return;
    }
    const Ptr<RbudpTcpControl> keep(this);
    m_isTaken = true;
    m_onAccepted(from);
    // Last, since a file request that came with the end of the handshake is taken here.
    Adopt(socket);
}

void
RbudpTcpControl::CloseListener()
{
    if (const auto listener = std::exchange(m_listener, nullptr))
    {
        AbandonSocket(listener, true);
    }
}

void
RbudpTcpControl::Adopt(Ptr<Socket> socket)
{
    m_socket = socket;
    NS_LOG_INFO("connected; " << m_unsent.size() << " B are waiting to be sent");
    m_connected = true;
    m_socket->SetRecvCallback(MakeCallback(&RbudpTcpControl::OnReadable, this));
    m_socket->SetSendCallback(MakeCallback(&RbudpTcpControl::OnWritable, this));
    m_socket->SetCloseCallbacks(MakeCallback(&RbudpTcpControl::OnClosed, this),
                                MakeCallback(&RbudpTcpControl::OnError, this));
    Flush();
    // What came with the last segment of the handshake rang no bell.
    OnReadable(socket);
}

void
RbudpTcpControl::Connect(Ptr<Node> node,
                         const Address& remote,
                         uint32_t bufferBytes,
                         Time timeout,
                         Callback<void> connected)
{
    NS_LOG_FUNCTION(this << node << remote << bufferBytes << timeout);
    m_node = node;
    m_remote = remote;
    m_bufferBytes = bufferBytes;
    m_onConnected = connected;
    m_giveUp = Simulator::Schedule(timeout, &RbudpTcpControl::GiveUpConnecting, this);
    TryConnect();
}

void
RbudpTcpControl::TryConnect()
{
    NS_LOG_FUNCTION(this);
    const bool ipv6 = Inet6SocketAddress::IsMatchingType(m_remote);
    m_socket = MakeSocket(m_node, ipv6, m_bufferBytes);
    if (!m_socket)
    {
        return; // without TCP, until the time for connecting is over
    }
    const bool bound = (ipv6 ? m_socket->Bind6() : m_socket->Bind()) == 0;
    m_socket->SetConnectCallback(MakeCallback(&RbudpTcpControl::OnConnected, this),
                                 MakeCallback(&RbudpTcpControl::OnRefused, this));
    // A handshake that is reset ends as a normal close, or, when the reset also acknowledges, as
    // it does where nobody listens, not at all: so it is looked for.
    m_socket->TraceConnectWithoutContext("Rx", MakeCallback(&RbudpTcpControl::OnSegment, this));
    m_socket->SetCloseCallbacks(MakeCallback(&RbudpTcpControl::OnRefused, this),
                                MakeCallback(&RbudpTcpControl::OnRefused, this));
    if (!bound || m_socket->Connect(m_remote) != 0)
    {
        OnRefused(m_socket); // no route yet, for instance
    }
}

void
RbudpTcpControl::OnConnected(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const Ptr<RbudpTcpControl> keep(this);
    m_giveUp.Cancel();
    socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                               MakeNullCallback<void, Ptr<Socket>>());
    Adopt(socket);
    if (const auto onConnected = m_onConnected; m_connected && !onConnected.IsNull())
    {
        onConnected();
    }
}

void
RbudpTcpControl::OnRefused(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this);
    Forget();
    NS_LOG_LOGIC("not connected; the next attempt follows in " << RETRY_INTERVAL_MS << " ms");
    m_retry =
        Simulator::Schedule(MilliSeconds(RETRY_INTERVAL_MS), &RbudpTcpControl::TryConnect, this);
}

void
RbudpTcpControl::OnSegment(Ptr<const Packet> /* packet */,
                           const TcpHeader& header,
                           Ptr<const TcpSocketBase> /* socket */)
{
    if (!m_connected && (header.GetFlags() & TcpHeader::RST) != 0)
    {
        // In an event of its own, since the socket is still at work.
        m_retry.Cancel();
        m_retry = Simulator::ScheduleNow(&RbudpTcpControl::OnReset, this);
    }
}

void
RbudpTcpControl::OnReset()
{
    NS_LOG_FUNCTION(this);
    const auto socket = m_socket;
    OnRefused(socket);
    if (socket)
    {
        socket->Close(); // else it would try on by itself
    }
}

void
RbudpTcpControl::GiveUpConnecting()
{
    const Ptr<RbudpTcpControl> keep(this);
    NS_LOG_WARN("no sender answered");
    Release();
    NotifyClosed("no sender answered within ConnectTimeout");
}

void
RbudpTcpControl::OnClosed(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this);
    const Ptr<RbudpTcpControl> keep(this);
    Release();
    NotifyClosed("");
}

void
RbudpTcpControl::OnError(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this);
    const Ptr<RbudpTcpControl> keep(this);
    Forget();
    NotifyClosed("the control connection broke");
}

void
RbudpTcpControl::OnWritable(Ptr<Socket> /* socket */, uint32_t /* room */)
{
    const Ptr<RbudpTcpControl> keep(this);
    Flush();
}

void
RbudpTcpControl::OnReadable(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this << m_socket);
    const Ptr<RbudpTcpControl> keep(this);
    std::vector<uint8_t> bytes;
    while (m_socket)
    {
        const auto packet = m_socket->Recv();
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        bytes.resize(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        NotifyReceived(bytes);
    }
}

void
RbudpTcpControl::Send(std::span<const uint8_t> bytes)
{
    NS_LOG_FUNCTION(this << bytes.size());
    m_unsent.insert(m_unsent.end(), bytes.begin(), bytes.end());
    Flush();
}

void
RbudpTcpControl::Flush()
{
    while (m_connected && m_unsentBegin < m_unsent.size())
    {
        const auto room =
            std::min<std::size_t>(m_socket->GetTxAvailable(), m_unsent.size() - m_unsentBegin);
        if (room == 0 || m_socket->Send(Create<Packet>(&m_unsent[m_unsentBegin],
                                                       static_cast<uint32_t>(room))) < 0)
        {
            return;
        }
        m_unsentBegin += room;
    }
    NS_LOG_DEBUG(m_unsent.size() - m_unsentBegin << " B unsent, connected " << m_connected);
    if (!m_connected)
    {
        return; // what is unsent waits for the connection
    }
    m_unsent.clear();
    m_unsentBegin = 0;
    if (m_closing)
    {
        Release();
    }
}

void
RbudpTcpControl::Close()
{
    NS_LOG_FUNCTION(this);
    ClearCallbacks();
    CloseListener();
    m_closing = true;
    if (m_connected)
    {
        Flush();
    }
    else
    {
        Release();
    }
}

Ptr<Socket>
RbudpTcpControl::Forget()
{
    m_retry.Cancel();
    m_connected = false;
    const auto socket = std::exchange(m_socket, nullptr);
    if (socket)
    {
        socket->TraceDisconnectWithoutContext("Rx",
                                              MakeCallback(&RbudpTcpControl::OnSegment, this));
        AbandonSocket(socket, false);
    }
    return socket;
}

void
RbudpTcpControl::Release()
{
    m_giveUp.Cancel();
    if (const auto socket = Forget())
    {
        socket->Close();
    }
}

void
RbudpTcpControl::DoDispose()
{
    NS_LOG_FUNCTION(this);
    CloseListener();
    m_giveUp.Cancel();
    Forget(); // without a FIN: the node's devices may be gone
    m_onAccepted = Callback<void, const Address&>();
    m_onConnected = Callback<void>();
    m_node = nullptr;
    RbudpControlChannel::DoDispose();
}

} // namespace ns3::lfn
