// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-segment-dispatch.h"

#include "ns3-access.h"

#include "ns3/ipv4-end-point-demux.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-end-point-demux.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"

#include <array>
#include <cstdint>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpSegmentDispatch");
NS_OBJECT_ENSURE_REGISTERED(TcpSegmentDispatch);

namespace
{

constexpr uint8_t TCP = 6; //!< IP's number of TCP (RFC 9293)

/**
 * @brief Hand a segment to the socket it is for.
 * @param endPoints those of the node's TCP
 * @param packet the segment
 * @param header the header of IP
 * @param interface where it came in
 * @return false if it is for none
 */
template <typename EndPoints, typename Header, typename Interface>
bool
ForwardTo(EndPoints& endPoints, Ptr<Packet> packet, const Header& header, Ptr<Interface> interface)
{
    constexpr uint32_t LEAST_HEADER = 20;    // without options, [B]
    constexpr uint32_t OFFSET = 12;          // where the length of the header is
    std::array<uint8_t, OFFSET + 1> bytes{}; // what the segment lacks reads as 0
    packet->CopyData(bytes.data(), bytes.size());
    const auto headerBytes = uint32_t{bytes[OFFSET]} / 16 * 4;
    if (headerBytes < LEAST_HEADER || headerBytes > packet->GetSize() || Node::ChecksumEnabled())
    {
        return false;
    }
    const auto source = static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
    const auto destination = static_cast<uint16_t>(bytes[2] << 8 | bytes[3]);
    const auto found = endPoints.Lookup(header.GetDestination(),
                                        destination,
                                        header.GetSource(),
                                        source,
                                        interface);
    if (found.empty())
    {
        return false;
    }
    found.front()->ForwardUp(packet, header, source, interface);
    return true;
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
        if (tcp && ip && ip->GetProtocol(TCP) == tcp)
        {
            ip->Insert(CreateObject<TcpSegmentDispatch>(tcp));
        }
    };
    insert(node->GetObject<Ipv4>());
    insert(node->GetObject<Ipv6>());
}

bool
TcpSegmentDispatch::Forward(const TcpL4Protocol& tcp,
                            Ptr<Packet> packet,
                            const Ipv4Header& header,
                            Ptr<Ipv4Interface> interface)
{
    return ForwardTo(ns3access::GetEndPoints(tcp), packet, header, interface);
}

bool
TcpSegmentDispatch::Forward(const TcpL4Protocol& tcp,
                            Ptr<Packet> packet,
                            const Ipv6Header& header,
                            Ptr<Ipv6Interface> interface)
{
    return ForwardTo(ns3access::GetEndPoints6(tcp), packet, header, interface);
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
    return TCP;
}

IpL4Protocol::RxStatus
TcpSegmentDispatch::Receive(Ptr<Packet> packet,
                            const Ipv4Header& header,
                            Ptr<Ipv4Interface> interface)
{
    NS_LOG_FUNCTION(this << packet << header.GetSource());
    return Forward(*m_tcp, packet, header, interface) ? RX_OK
                                                      : m_tcp->Receive(packet, header, interface);
}

IpL4Protocol::RxStatus
TcpSegmentDispatch::Receive(Ptr<Packet> packet,
                            const Ipv6Header& header,
                            Ptr<Ipv6Interface> interface)
{
    NS_LOG_FUNCTION(this << packet << header.GetSource());
    return Forward(*m_tcp, packet, header, interface) ? RX_OK
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
