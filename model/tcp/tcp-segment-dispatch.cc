// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-segment-dispatch.h"

#include "long-fat-tcp-socket.h"
#include "ns3-access.h"

#include "ns3/ipv4-end-point-demux.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-end-point-demux.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/ipv6.h"
#include "ns3/lfn-ip-view.h"
#include "ns3/log.h"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpSegmentDispatch");
NS_OBJECT_ENSURE_REGISTERED(TcpSegmentDispatch);

namespace
{

/**
 * @brief Hand a segment to the socket it is for.
 * @param endPoints those of the node's TCP
 * @param view its header
 * @param packet the segment
 * @param header the header of IP
 * @param interface where it came in
 * @return false if it is for none
 */
template <typename EndPoints, typename Header, typename Interface>
bool
ForwardTo(EndPoints& endPoints,
          const TcpView& view,
          const Ptr<Packet>& packet,
          const Header& header,
          const Ptr<Interface>& interface)
{
    if (!view.isReadable)
    {
        TcpView::MakeReadable(*packet);
    }
    if (Node::ChecksumEnabled())
    {
        return false;
    }
    const auto found = endPoints.Lookup(header.GetDestination(),
                                        view.destinationPort,
                                        header.GetSource(),
                                        view.sourcePort,
                                        interface);
    if (found.empty())
    {
        return false;
    }
    found.front()->ForwardUp(packet, header, view.sourcePort, interface);
    return true;
}

/**
 * @brief Have the socket that a malformed segment is for trace it, if there is one.
 * @param tcp the TCP of the node
 * @param endPoints those of the node's TCP
 * @param packet the segment
 * @param header the header of IP
 * @param interface where it came in
 */
template <typename EndPoints, typename Header, typename Interface>
void
Refuse(const TcpL4Protocol& tcp,
       EndPoints& endPoints,
       const Packet& packet,
       const Header& header,
       Ptr<Interface> interface)
{
    NS_LOG_LOGIC("a segment of " << packet.GetSize() << " B is dropped: " << TcpRefusal::MALFORMED);
    std::array<uint8_t, 4> bytes;
    const auto size = packet.CopyData(bytes.data(), bytes.size());
    const auto ports = PortView::Read(IP_TCP, std::span(bytes).first(size));
    if (!ports)
    {
        return;
    }
    const auto found = endPoints.Lookup(header.GetDestination(),
                                        ports->destination,
                                        header.GetSource(),
                                        ports->source,
                                        interface);
    if (found.empty())
    {
        return;
    }
    for (const auto& [number, socket] : ns3access::GetSockets(tcp))
    {
        const auto ours = DynamicCast<LongFatTcpSocket>(socket);
        if (ours && ours->IsAt(found.front()))
        {
            ours->OnMalformed();
            return; // what listens to the trace may close the socket
        }
    }
}

} // namespace

TypeId
TcpSegmentDispatch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::TcpSegmentDispatch").SetParent<IpL4Protocol>().SetGroupName("Lfn");
    return tid;
}

void
TcpSegmentDispatch::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(node);
    const auto tcp = node->GetObject<TcpL4Protocol>();
    const auto insert = [&tcp](const auto& ip) {
        if (tcp && ip && ip->GetProtocol(IP_TCP) == tcp)
        {
            ip->Insert(CreateObject<TcpSegmentDispatch>(tcp));
        }
    };
    insert(node->GetObject<Ipv4>());
    insert(node->GetObject<Ipv6>());
}

bool
TcpSegmentDispatch::Forward(const TcpL4Protocol& tcp,
                            const TcpView& view,
                            Ptr<Packet> packet,
                            const Ipv4Header& header,
                            Ptr<Ipv4Interface> interface)
{
    return ForwardTo(ns3access::GetEndPoints(tcp), view, packet, header, interface);
}

bool
TcpSegmentDispatch::Forward(const TcpL4Protocol& tcp,
                            const TcpView& view,
                            Ptr<Packet> packet,
                            const Ipv6Header& header,
                            Ptr<Ipv6Interface> interface)
{
    return ForwardTo(ns3access::GetEndPoints6(tcp), view, packet, header, interface);
}

TcpSegmentDispatch::TcpSegmentDispatch(Ptr<TcpL4Protocol> tcp)
    : m_tcp(tcp)
{
}

void
TcpSegmentDispatch::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_tcp = nullptr;
    IpL4Protocol::DoDispose();
}

int
TcpSegmentDispatch::GetProtocolNumber() const
{
    return IP_TCP;
}

IpL4Protocol::RxStatus
TcpSegmentDispatch::Receive(Ptr<Packet> packet,
                            const Ipv4Header& header,
                            Ptr<Ipv4Interface> interface)
{
    NS_LOG_FUNCTION(this << packet << header.GetSource());
    const auto view = TcpView::Read(*packet);
    if (!view)
    {
        Refuse(*m_tcp, ns3access::GetEndPoints(*m_tcp), *packet, header, interface);
        return RX_OK;
    }
    return Forward(*m_tcp, *view, packet, header, interface)
               ? RX_OK
               : m_tcp->Receive(packet, header, interface);
}

IpL4Protocol::RxStatus
TcpSegmentDispatch::Receive(Ptr<Packet> packet,
                            const Ipv6Header& header,
                            Ptr<Ipv6Interface> interface)
{
    NS_LOG_FUNCTION(this << packet << header.GetSource());
    const auto view = TcpView::Read(*packet);
    if (!view)
    {
        Refuse(*m_tcp, ns3access::GetEndPoints6(*m_tcp), *packet, header, interface);
        return RX_OK;
    }
    return Forward(*m_tcp, *view, packet, header, interface)
               ? RX_OK
               : m_tcp->Receive(packet, header, interface);
}

void
TcpSegmentDispatch::ReceiveIcmp(Ipv4Address icmpSource,
                                uint8_t icmpTtl,
                                uint8_t icmpType,
                                uint8_t icmpCode,
                                uint32_t icmpInfo,
                                Ipv4Address payloadSource,
                                Ipv4Address payloadDestination,
                                const uint8_t payload[8])
{
    NS_LOG_FUNCTION(this << icmpSource);
    m_tcp->ReceiveIcmp(icmpSource,
                       icmpTtl,
                       icmpType,
                       icmpCode,
                       icmpInfo,
                       payloadSource,
                       payloadDestination,
                       payload);
}

void
TcpSegmentDispatch::ReceiveIcmp(Ipv6Address icmpSource,
                                uint8_t icmpTtl,
                                uint8_t icmpType,
                                uint8_t icmpCode,
                                uint32_t icmpInfo,
                                Ipv6Address payloadSource,
                                Ipv6Address payloadDestination,
                                const uint8_t payload[8])
{
    NS_LOG_FUNCTION(this << icmpSource);
    m_tcp->ReceiveIcmp(icmpSource,
                       icmpTtl,
                       icmpType,
                       icmpCode,
                       icmpInfo,
                       payloadSource,
                       payloadDestination,
                       payload);
}

void
TcpSegmentDispatch::SetDownTarget(DownTargetCallback callback)
{
    m_tcp->SetDownTarget(callback);
}

void
TcpSegmentDispatch::SetDownTarget6(DownTargetCallback6 callback)
{
    m_tcp->SetDownTarget6(callback);
}

IpL4Protocol::DownTargetCallback
TcpSegmentDispatch::GetDownTarget() const
{
    return m_tcp->GetDownTarget();
}

IpL4Protocol::DownTargetCallback6
TcpSegmentDispatch::GetDownTarget6() const
{
    return m_tcp->GetDownTarget6();
}

} // namespace ns3::lfn
