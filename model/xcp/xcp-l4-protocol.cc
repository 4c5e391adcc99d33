// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-l4-protocol.h"

#include "ns3/ipv4-interface.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/ns3-access.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-segment-dispatch.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpL4Protocol");
NS_OBJECT_ENSURE_REGISTERED(XcpL4Protocol);

namespace
{

constexpr uint8_t TCP = 6;          //!< IP's number of TCP (RFC 9293)
constexpr uint32_t IPV4_BYTES = 20; //!< of an IPv4 header without options
constexpr uint32_t IPV6_BYTES = 40; //!< of an IPv6 header
constexpr uint32_t ICMP_BYTES = 8;  //!< that an ICMP error quotes of a packet

/**
 * @brief Set in an IPv4 header what follows it.
 * @param header the header
 * @param protocol of what follows
 * @param bytes that follow
 */
void
SetPayload(Ipv4Header& header, uint8_t protocol, uint16_t bytes)
{
    header.SetProtocol(protocol);
    header.SetPayloadSize(bytes);
}

/**
 * @brief Set in an IPv6 header what follows it.
 * @param header the header
 * @param protocol of what follows
 * @param bytes that follow
 */
void
SetPayload(Ipv6Header& header, uint8_t protocol, uint16_t bytes)
{
    header.SetNextHeader(protocol);
    header.SetPayloadLength(bytes);
}

} // namespace

TypeId
XcpL4Protocol::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpL4Protocol")
            .SetParent<IpL4Protocol>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpL4Protocol>()
            .AddAttribute("EchoTimeout",
                          "How long a peer without an XCP socket here is remembered when nothing "
                          "comes from it.",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&XcpL4Protocol::m_echoTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HeaderProtocol",
                          "IP protocol number of the congestion header, 253 or 254, read when a "
                          "host is made; that of the routers, XcpPort::ProtocolNumber, has to be "
                          "the same.",
                          UintegerValue(PROT_NUMBER),
                          MakeUintegerAccessor(&XcpL4Protocol::m_number),
                          MakeUintegerChecker<uint8_t>(253, 254))
            .AddAttribute("XcpSyns",
                          "SYNs with a congestion header before a connection is tried without.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&XcpL4Protocol::m_xcpSyns),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("Drop",
                            "A packet was refused, and why; of what an ICMP error is about, the "
                            "8 bytes that it quotes.",
                            MakeTraceSourceAccessor(&XcpL4Protocol::m_dropTrace),
                            "ns3::lfn::TransferApplication::DropTracedCallback")
            .AddTraceSource("Oversize",
                            "A packet with its congestion header exceeds the link's MTU: IP will "
                            "fragment it, and only the first fragment asks the routers.",
                            MakeTraceSourceAccessor(&XcpL4Protocol::m_oversizeTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

Ptr<XcpL4Protocol>
XcpL4Protocol::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(node);
    const auto tcp = node->GetObject<TcpL4Protocol>();
    if (!tcp)
    {
        return nullptr;
    }
    auto shim = node->GetObject<XcpL4Protocol>();
    if (!shim)
    {
        shim = CreateObject<XcpL4Protocol>();
        shim->m_tcp = tcp;
        shim->m_node = node;
        node->AggregateObject(shim);
    }
    TcpSegmentDispatch::Install(node);
    shim->Hook();
    return shim;
}

void
XcpL4Protocol::Hook()
{
    // Each version of IP by itself: one of them may have been added to the node later.
    if (m_down.IsNull() && !m_tcp->GetDownTarget().IsNull())
    {
        m_down = m_tcp->GetDownTarget();
        m_tcp->SetDownTarget(MakeCallback(&XcpL4Protocol::Send, this));
        m_node->GetObject<Ipv4>()->Insert(this);
    }
    if (m_down6.IsNull() && !m_tcp->GetDownTarget6().IsNull())
    {
        m_down6 = m_tcp->GetDownTarget6();
        m_tcp->SetDownTarget6(MakeCallback(&XcpL4Protocol::Send6, this));
        m_node->GetObject<Ipv6>()->Insert(this);
    }
}

void
XcpL4Protocol::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_flows.Clear();
    m_announced = nullptr;
    m_announcer = nullptr;
    m_tcp = nullptr;
    m_node = nullptr;
    m_down.Nullify();
    m_down6.Nullify();
    IpL4Protocol::DoDispose();
}

void
XcpL4Protocol::Watch(Ptr<TcpSocketBase> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const auto announce = MakeCallback(&XcpL4Protocol::OnTransmit, this);
    socket->TraceDisconnectWithoutContext("Tx", announce);
    socket->TraceConnectWithoutContext("Tx", announce);
}

std::size_t
XcpL4Protocol::GetFlows() const
{
    return m_flows.GetSize();
}

uint64_t
XcpL4Protocol::GetDrops(DropReason reason) const
{
    const auto index = static_cast<std::size_t>(reason);
    return index < m_drops.size() ? m_drops[index] : 0;
}

int
XcpL4Protocol::GetProtocolNumber() const
{
    return m_number;
}

void
XcpL4Protocol::OnTransmit(Ptr<const Packet> packet,
                          const TcpHeader& /* header */,
                          Ptr<const TcpSocketBase> socket)
{
    // TCP hands the very same packet down before anything else happens.
    m_announced = PeekPointer(packet);
    m_announcer = socket;
}

void
XcpL4Protocol::Send(Ptr<Packet> packet,
                    Ipv4Address source,
                    Ipv4Address destination,
                    uint8_t protocol,
                    Ptr<Ipv4Route> route)
{
    NS_LOG_FUNCTION(this << packet << source << destination << protocol);
    if (m_down.IsNull())
    {
        return; // the node is being taken apart
    }
    if (Wrap(packet, source, destination))
    {
        CheckSize(packet, IPV4_BYTES, route ? route->GetOutputDevice() : nullptr);
        protocol = m_number;
    }
    m_down(packet, source, destination, protocol, route);
}

void
XcpL4Protocol::Send6(Ptr<Packet> packet,
                     Ipv6Address source,
                     Ipv6Address destination,
                     uint8_t protocol,
                     Ptr<Ipv6Route> route)
{
    NS_LOG_FUNCTION(this << packet << source << destination << protocol);
    if (m_down6.IsNull())
    {
        return;
    }
    if (Wrap(packet, source, destination))
    {
        CheckSize(packet, IPV6_BYTES, route ? route->GetOutputDevice() : nullptr);
        protocol = m_number;
    }
    m_down6(packet, source, destination, protocol, route);
}

template <typename IpAddress>
bool
XcpL4Protocol::Wrap(Ptr<Packet> packet, IpAddress source, IpAddress destination)
{
    auto tcp = TcpView::Read(*packet);
    if (!tcp)
    {
        return false;
    }
    const bool isProbe = (tcp->flags & (TcpHeader::SYN | TcpHeader::ACK | TcpHeader::RST)) == 0;
    if (isProbe)
    {
        tcp->flags |= TcpHeader::ACK;
    }
    const XcpFlowKey key(source, destination, tcp->sourcePort, tcp->destinationPort);
    XcpHeader header;
    if (!Fill(packet, *tcp, key, header))
    {
        return false;
    }
    if (isProbe)
    {
        TcpHeader probe;
        packet->RemoveHeader(probe);
        probe.SetFlags(tcp->flags);
        if (Node::ChecksumEnabled())
        {
            probe.EnableChecksums();
            probe.InitializeChecksum(source, destination, TCP);
        }
        packet->AddHeader(probe);
    }
    packet->AddHeader(header);
    return true;
}

bool
XcpL4Protocol::Fill(Ptr<const Packet> packet,
                    const TcpView& tcp,
                    const XcpFlowKey& key,
                    XcpHeader& header)
{
    auto socket = std::exchange(m_announcer, nullptr);
    if (std::exchange(m_announced, nullptr) != PeekPointer(packet))
    {
        socket = nullptr;
    }
    if ((tcp.flags & TcpHeader::RST) != 0)
    {
        if (const XcpFlow* flow = m_flows.Find(key); flow && !flow->socket)
        {
            m_flows.Erase(key);
        }
        return false;
    }
    const bool isSyn = (tcp.flags & TcpHeader::SYN) != 0;
    const uint32_t payload = tcp.dataBytes;
    if (!socket && isSyn)
    {
        socket = FindSocket(key);
    }
    // The state of an earlier connection between the same ports does not belong to this one.
    const bool isAnswer = isSyn && (tcp.flags & TcpHeader::ACK) != 0;
    if (const XcpFlow* found = isSyn ? m_flows.Find(key) : nullptr;
        found && (isAnswer ? !found->isOpened : !socket))
    {
        m_flows.Erase(key);
    }
    XcpFlow* flow =
        socket && isSyn ? &m_flows.Obtain(key, Simulator::Now(), m_echoTimeout) : m_flows.Find(key);
    if (!flow)
    {
        return false;
    }
    if (isSyn)
    {
        flow->teardown = XcpTeardown();
    }
    flow->teardown.OnSend(tcp, payload);
    header.nextProtocol = TCP;
    header.format = XcpHeader::MINIMAL;
    if (socket ? !Ask(socket, tcp, payload, *flow, header) : !flow->peerSpeaks)
    {
        return false;
    }
    // What is beyond the word waits for the next packet.
    constexpr double most = std::numeric_limits<int32_t>::max();
    header.reverseFeedback = std::clamp(flow->pending, -most, most);
    flow->pending -= header.reverseFeedback;
    return true;
}

bool
XcpL4Protocol::Ask(Ptr<const TcpSocketBase> socket,
                   const TcpView& tcp,
                   uint32_t payload,
                   XcpFlow& flow,
                   XcpHeader& header) const
{
    const bool isSyn = (tcp.flags & TcpHeader::SYN) != 0;
    const bool isOpening = isSyn && (tcp.flags & TcpHeader::ACK) == 0;
    if (flow.socket != socket)
    {
        // Another connection between the same ports; the peer's SYN to it was noted already.
        flow.socket = socket;
        flow.ops = XcpSocketFinder::GetOps(socket);
        flow.syns = 0;
        flow.timer = XcpRttTimer();
        if (isOpening)
        {
            flow.pending = 0;
            flow.peerSpeaks = false;
        }
        if (flow.ops && flow.peerSpeaks)
        {
            flow.ops->OnPeerSpeaks();
        }
    }
    if (isOpening && flow.ops && flow.syns < m_xcpSyns)
    {
        ++flow.syns;
        header.format = XcpHeader::STANDARD;
        flow.timer.OnSend(SequenceNumber32(tcp.sequence), 1, Simulator::Now());
        return true;
    }
    if (!flow.peerSpeaks)
    {
        return false;
    }
    if (flow.ops && isSyn)
    {
        header.format = XcpHeader::STANDARD;
        flow.timer.OnSend(SequenceNumber32(tcp.sequence), 1, Simulator::Now());
    }
    else if (flow.ops && payload > 0)
    {
        flow.timer.OnSend(SequenceNumber32(tcp.sequence), payload, Simulator::Now());
        flow.ops->SetReceiverWindow(ns3access::GetReceiverWindow(*socket));
        const XcpDemand demand = flow.ops->MakeDemand();
        header.format = XcpHeader::STANDARD;
        header.x = demand.x;
        header.rtt = demand.rtt;
        header.deltaThroughput = demand.delta;
        NS_LOG_DEBUG("demands " << demand.delta << " B/s, X " << demand.x << " s, RTT "
                                << demand.rtt << " s");
    }
    return true;
}

Ptr<const TcpSocketBase>
XcpL4Protocol::FindSocket(const XcpFlowKey& key)
{
    TypeIdValue type;
    m_tcp->GetAttribute("SocketType", type);
    if (type.Get() != TcpXcp::GetTypeId() && !type.Get().IsChildOf(TcpXcp::GetTypeId()))
    {
        return nullptr;
    }
    return m_finder.Find(*m_tcp, key, [this](Ptr<TcpSocketBase> socket) { Watch(socket); });
}

void
XcpL4Protocol::CheckSize(Ptr<const Packet> packet, uint32_t ipBytes, Ptr<NetDevice> device)
{
    if (device && packet->GetSize() + ipBytes > device->GetMtu())
    {
        NS_LOG_WARN("a packet of " << packet->GetSize() + ipBytes << " B exceeds the MTU of "
                                   << device->GetMtu()
                                   << " B and will be fragmented; use a SegmentSize that leaves "
                                   << XcpHeader::SIZE << " B for the congestion header");
        m_oversizeTrace(packet);
    }
}

template <typename Header, typename Interface>
IpL4Protocol::RxStatus
XcpL4Protocol::Deliver(Ptr<Packet> packet, const Header& header, Ptr<Interface> incomingInterface)
{
    XcpHeader congestion;
    const auto tcp = m_tcp ? Strip(packet, congestion) : std::nullopt;
    if (!tcp)
    {
        return RX_OK;
    }
    const XcpFlowKey key(header.GetDestination(),
                         header.GetSource(),
                         tcp->destinationPort,
                         tcp->sourcePort);
    m_flows.Tend(Simulator::Now(), m_echoTimeout);
    const Noted noted = Record(packet, congestion, *tcp, key);
    Header inner(header);
    SetPayload(inner, TCP, static_cast<uint16_t>(packet->GetSize()));
    const auto status = TcpSegmentDispatch::Forward(*m_tcp, *tcp, packet, inner, incomingInterface)
                            ? RX_OK
                            : m_tcp->Receive(packet, inner, incomingInterface);
    NS_LOG_DEBUG("feedback " << congestion.reverseFeedback << " B/s, to be returned "
                             << congestion.deltaThroughput << " B/s, format "
                             << static_cast<uint32_t>(congestion.format) << ", known flows "
                             << m_flows.GetSize());
    if (noted.isNew && status != RX_OK)
    {
        m_flows.Erase(key);
    }
    else if (noted.mayEnd)
    {
        m_flows.EraseIfOver(key);
    }
    return status;
}

IpL4Protocol::RxStatus
XcpL4Protocol::Receive(Ptr<Packet> packet,
                       const Ipv4Header& header,
                       Ptr<Ipv4Interface> incomingInterface)
{
    NS_LOG_FUNCTION(this << packet << header.GetSource());
    return Deliver(packet, header, incomingInterface);
}

IpL4Protocol::RxStatus
XcpL4Protocol::Receive(Ptr<Packet> packet,
                       const Ipv6Header& header,
                       Ptr<Ipv6Interface> incomingInterface)
{
    return Deliver(packet, header, incomingInterface);
}

std::optional<TcpView>
XcpL4Protocol::Strip(Ptr<Packet> packet, XcpHeader& header)
{
    std::array<uint8_t, XcpHeader::SIZE> bytes;
    if (packet->CopyData(bytes.data(), bytes.size()) < bytes.size() || !header.Parse(bytes) ||
        header.nextProtocol != TCP)
    {
        Drop(packet, DropReason::MALFORMED);
        return std::nullopt;
    }
    packet->RemoveAtStart(XcpHeader::SIZE);
    const auto tcp = TcpView::Read(*packet);
    if (!tcp)
    {
        Drop(packet, DropReason::WRONG_LENGTH);
        return std::nullopt;
    }
    // RFC 9293, section 3.10.7.4: such a segment is dropped. ns-3 may end the program for it.
    constexpr uint8_t needed = TcpHeader::SYN | TcpHeader::ACK | TcpHeader::RST;
    if ((tcp->flags & needed) == 0)
    {
        Drop(packet, DropReason::MALFORMED);
        return std::nullopt;
    }
    return tcp;
}

XcpL4Protocol::Noted
XcpL4Protocol::Record(Ptr<const Packet> packet,
                      const XcpHeader& header,
                      const TcpView& tcp,
                      const XcpFlowKey& key)
{
    XcpFlow* flow = m_flows.Find(key);
    Noted noted;
    // A header that asks for nothing, as the last ones of a connection, is nothing to remember.
    if (!flow && header.format == XcpHeader::STANDARD && (tcp.flags & TcpHeader::RST) == 0)
    {
        flow = &m_flows.Obtain(key, Simulator::Now(), m_echoTimeout);
        noted.isNew = true;
    }
    if (flow)
    {
        flow->lastUse = Simulator::Now();
        flow->isOpened = (tcp.flags & (TcpHeader::SYN | TcpHeader::ACK)) == TcpHeader::SYN;
        if (flow->isOpened)
        {
            flow->pending = 0;
            flow->teardown = XcpTeardown();
        }
        flow->teardown.OnReceive(tcp, tcp.dataBytes);
        noted.mayEnd = flow->teardown.IsEnding();
        if (header.format == XcpHeader::STANDARD)
        {
            flow->pending += header.deltaThroughput;
        }
        if (!std::exchange(flow->peerSpeaks, true) && flow->ops)
        {
            NS_LOG_INFO("the peer of port " << tcp.destinationPort << " sends congestion headers");
            flow->ops->OnPeerSpeaks();
        }
        if (flow->ops)
        {
            flow->ops->OnFeedback(header.reverseFeedback);
            const auto sample = (tcp.flags & TcpHeader::ACK) != 0
                                    ? flow->timer.OnAck(SequenceNumber32(tcp.ack), Simulator::Now())
                                    : std::nullopt;
            if (sample)
            {
                flow->ops->OnRttSample(*sample);
            }
            return noted;
        }
    }
    if (header.reverseFeedback != 0)
    {
        Drop(packet, DropReason::UNEXPECTED);
    }
    return noted;
}

void
XcpL4Protocol::ReceiveIcmp(Ipv4Address /* icmpSource */,
                           uint8_t /* icmpTtl */,
                           uint8_t /* icmpType */,
                           uint8_t /* icmpCode */,
                           uint32_t /* icmpInfo */,
                           Ipv4Address /* payloadSource */,
                           Ipv4Address /* payloadDestination */,
                           const uint8_t payload[8])
{
    NS_LOG_FUNCTION(this);
    // The 8 bytes are the beginning of the congestion header: there are no ports.
    Drop(Create<Packet>(payload, ICMP_BYTES), DropReason::UNEXPECTED);
}

void
XcpL4Protocol::ReceiveIcmp(Ipv6Address /* icmpSource */,
                           uint8_t /* icmpTtl */,
                           uint8_t /* icmpType */,
                           uint8_t /* icmpCode */,
                           uint32_t /* icmpInfo */,
                           Ipv6Address /* payloadSource */,
                           Ipv6Address /* payloadDestination */,
                           const uint8_t payload[8])
{
    Drop(Create<Packet>(payload, ICMP_BYTES), DropReason::UNEXPECTED);
}

void
XcpL4Protocol::Drop(Ptr<const Packet> packet, DropReason reason)
{
    NS_LOG_LOGIC("a packet of " << packet->GetSize() << " B is dropped: " << reason);
    ++m_drops[static_cast<std::size_t>(reason)];
    m_dropTrace(packet, reason);
}

void
XcpL4Protocol::SetDownTarget(DownTargetCallback callback)
{
    m_down = callback;
}

void
XcpL4Protocol::SetDownTarget6(DownTargetCallback6 callback)
{
    m_down6 = callback;
}

IpL4Protocol::DownTargetCallback
XcpL4Protocol::GetDownTarget() const
{
    return m_down;
}

IpL4Protocol::DownTargetCallback6
XcpL4Protocol::GetDownTarget6() const
{
    return m_down6;
}

} // namespace ns3::lfn
