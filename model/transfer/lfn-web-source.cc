// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-web-source.h"

#include "lfn-make-socket.h"
#include "lfn-tcp-congestion.h"
#include "lfn-udp-endpoint.h"

#include "ns3/double.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/log.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/long-fat-tcp-socket.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("WebSource");
NS_OBJECT_ENSURE_REGISTERED(WebSource);

TypeId
WebSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::WebSource")
            .SetParent<Application>()
            .SetGroupName("Lfn")
            .AddConstructor<WebSource>()
            .AddAttribute("Remote",
                          "IPv4 or IPv6 socket address of the sink.",
                          AddressValue(),
                          MakeAddressAccessor(&WebSource::m_remote),
                          MakeAddressChecker())
            .AddAttribute("Interval",
                          "Time between the beginnings of two flows in seconds.",
                          StringValue("ns3::ExponentialRandomVariable[Mean=0.1]"),
                          MakePointerAccessor(&WebSource::m_interval),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Size",
                          "Size of a flow in user bytes; rounded, and 1 at least.",
                          StringValue("ns3::ConstantRandomVariable[Constant=10000]"),
                          MakePointerAccessor(&WebSource::m_size),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("SegmentSize",
                          "User bytes of a segment.",
                          UintegerValue(1400),
                          MakeUintegerAccessor(&WebSource::m_segmentSize),
                          MakeUintegerChecker<uint32_t>(1, 65483))
            .AddAttribute("SndBufSize",
                          "Send buffer of each socket in bytes.",
                          UintegerValue(4U << 20),
                          MakeUintegerAccessor(&WebSource::m_sndBufSize),
                          MakeUintegerChecker<uint32_t>(1, LongFatTcpSocket::MAX_BUFFER))
            .AddAttribute("SocketFactory",
                          "Factory of the node that makes the sockets; ns3::TcpSocketFactory for "
                          "ns-3's own TCP.",
                          TypeIdValue(LongFatTcpSocketFactory::GetTypeId()),
                          MakeTypeIdAccessor(&WebSource::m_socketFactory),
                          MakeTypeIdChecker())
            .AddAttribute("Congestion",
                          "TypeId of a TcpCongestionOps for the connections; empty for the node's.",
                          StringValue(""),
                          MakeStringAccessor(&WebSource::m_congestion),
                          MakeStringChecker())
            .AddAttribute("TimeWait",
                          "Time in the state TIME_WAIT, twice TCP's maximum segment lifetime "
                          "(RFC 9293, 3.6.1, has 240s).",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&WebSource::m_timeWait),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("FlowStarted",
                            "A flow has begun; its size, B.",
                            MakeTraceSourceAccessor(&WebSource::m_startedTrace),
                            "ns3::lfn::WebSource::FlowStartedTracedCallback")
            .AddTraceSource("FlowEnded",
                            "A flow has completed or failed; its size, B, and duration.",
                            MakeTraceSourceAccessor(&WebSource::m_endedTrace),
                            "ns3::lfn::WebSource::FlowEndedTracedCallback");
    return tid;
}

int64_t
WebSource::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_interval->SetStream(stream);
    m_size->SetStream(stream + 1);
    m_stream = stream + 2;
    return 3;
}

std::size_t
WebSource::GetNActive() const
{
    return m_flows.size();
}

void
WebSource::StartApplication()
{
    NS_LOG_FUNCTION(this);
    ScheduleNext();
}

void
WebSource::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
    for (const auto& [port, flow] : std::exchange(m_flows, {}))
    {
        AbandonSocket(flow.socket, true);
    }
}

void
WebSource::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
    for (const auto& [port, flow] : std::exchange(m_flows, {}))
    {
        AbandonSocket(flow.socket, false);
    }
    m_interval = nullptr;
    m_size = nullptr;
    Application::DoDispose();
}

void
WebSource::ScheduleNext()
{
    m_next = Simulator::Schedule(Seconds(m_interval->GetValue()), &WebSource::StartFlow, this);
}

Ptr<Socket>
WebSource::MakeFlowSocket() const
{
    const auto socket = MakeSocket(GetNode(), m_socketFactory);
    if (!socket || !UseTcpCongestion(socket, m_congestion, m_stream))
    {
        return nullptr;
    }
    socket->SetAttribute("SegmentSize", UintegerValue(m_segmentSize));
    socket->SetAttribute("SndBufSize", UintegerValue(m_sndBufSize));
    socket->SetAttribute("MaxSegLifetime", DoubleValue(m_timeWait.GetSeconds() / 2));
    return socket;
}

void
WebSource::StartFlow()
{
    ScheduleNext();
    Flow flow;
    flow.bytes = static_cast<uint64_t>(std::max(1.0, std::round(m_size->GetValue())));
    flow.start = Simulator::Now();
    flow.socket = MakeFlowSocket();
    m_startedTrace(flow.bytes);
    const bool isIpv6 = Inet6SocketAddress::IsMatchingType(m_remote);
    Address local;
    if (!flow.socket || (isIpv6 ? flow.socket->Bind6() : flow.socket->Bind()) != 0 ||
        flow.socket->GetSockName(local) != 0)
    {
        NS_LOG_WARN("a flow has no socket: TCP is missing, or all ports are in use");
        m_endedTrace(flow.bytes, Time(0), false);
        return;
    }
    const auto port = UdpEndpoint::GetPort(local).value_or(0);
    NS_LOG_INFO("flow of " << flow.bytes << " B from port " << port);
    const auto socket = flow.socket;
    m_flows[port] = std::move(flow);
    const auto failed = MakeCallback(&WebSource::OnFailed, this, port);
    socket->SetConnectCallback(MakeCallback(&WebSource::OnConnected, this, port), failed);
    socket->SetCloseCallbacks(failed, failed);
    if (socket->Connect(m_remote) != 0)
    {
        OnFailed(port, socket);
    }
}

void
WebSource::OnConnected(uint16_t port, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << port);
    socket->SetSendCallback(MakeCallback(&WebSource::OnWritable, this, port));
    OnWritable(port, socket, socket->GetTxAvailable());
}

void
WebSource::OnWritable(uint16_t port, Ptr<Socket> socket, uint32_t /* available */)
{
    const auto found = m_flows.find(port);
    if (found == m_flows.end() || found->second.written == found->second.bytes)
    {
        return;
    }
    auto& flow = found->second;
    while (flow.written < flow.bytes)
    {
        const auto size =
            static_cast<uint32_t>(std::min<uint64_t>(m_segmentSize, flow.bytes - flow.written));
        if (socket->GetTxAvailable() < size)
        {
            return;
        }
        flow.written += size; // first: the socket may call back
        if (socket->Send(Create<Packet>(size)) < 0)
        {
            OnFailed(port, socket);
            return;
        }
    }
    socket->Close(); // the FIN goes with the last data
}

void
WebSource::OnFailed(uint16_t port, Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this << port);
    End(port, false);
}

void
WebSource::OnDelivered(const Address& peer, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << peer << bytes);
    const auto port = UdpEndpoint::GetPort(peer).value_or(0);
    const auto found = m_flows.find(port);
    if (found != m_flows.end() && found->second.bytes == bytes)
    {
        End(port, true);
    }
}

void
WebSource::End(uint16_t port, bool isComplete)
{
    const auto found = m_flows.find(port);
    if (found == m_flows.end())
    {
        return;
    }
    const auto flow = found->second;
    m_flows.erase(found);
    AbandonSocket(flow.socket, flow.written < flow.bytes);
    m_endedTrace(flow.bytes, Simulator::Now() - flow.start, isComplete);
}

} // namespace ns3::lfn
