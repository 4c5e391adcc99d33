// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-ip-packet-filter.h"

#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-ip-view.h"

#include <array>
#include <span>

namespace ns3::lfn
{

namespace
{

constexpr size_t PPP_BYTES = 2;       //!< size of the PPP header, [B]
constexpr uint16_t PPP_IPV4 = 0x0021; //!< PPP protocol number of IPv4
constexpr uint16_t PPP_IPV6 = 0x0057; //!< PPP protocol number of IPv6

/** How much of a packet is looked at: PPP, IP with options or extension headers, ports. */
constexpr size_t HEAD_BYTES = 160;

/** @brief What a filter looks at. */
struct Summary
{
    uint32_t bytes{0};               //!< length of the IP packet by its header, [B]
    uint8_t ipProtocol{0};           //!< transport protocol
    std::optional<PortView> ports{}; //!< where there are some
    uint32_t headerBytes{0};         //!< what is in front of the ports, [B]
};

/**
 * @brief Reads an IP packet, with or without a PPP header.
 * @param packet any packet
 * @return what the filter looks at; nothing when it is no IP packet
 */
std::optional<Summary>
ReadPacket(Ptr<const Packet> packet)
{
    std::array<uint8_t, HEAD_BYTES> head;
    std::span<const uint8_t> bytes(head.data(), packet->CopyData(head.data(), HEAD_BYTES));
    // No IP version begins with a zero, so a PPP header cannot be mistaken.
    const uint16_t ppp = bytes.size() < PPP_BYTES ? 0 : ReadBigEndian<uint16_t>(bytes);
    const bool hasPpp = ppp == PPP_IPV4 || ppp == PPP_IPV6;
    bytes = bytes.subspan(hasPpp ? PPP_BYTES : 0);
    const auto ip = IpView::Read(bytes);
    if (!ip || (hasPpp && (ppp == PPP_IPV4) != (ip->version == 4)))
    {
        return std::nullopt;
    }
    Summary summary{.bytes = ip->totalBytes, .ipProtocol = ip->protocol};
    if (ip->hasTransport)
    {
        summary.ports = PortView::Read(ip->protocol, bytes.subspan(ip->headerBytes));
        summary.headerBytes = ip->headerBytes + (hasPpp ? PPP_BYTES : 0);
    }
    return summary;
}

} // namespace

bool
IpPacketFilter::Matches(Ptr<const Packet> packet) const
{
    const auto found = ReadPacket(packet);
    if (!found)
    {
        return false;
    }
    const auto& ports = found->ports;
    return (!ipProtocol || *ipProtocol == found->ipProtocol) &&
           (!sourcePort || (ports && *sourcePort == ports->source)) &&
           (!destinationPort || (ports && *destinationPort == ports->destination)) &&
           (!minBytes || found->bytes >= *minBytes) && (!maxBytes || found->bytes <= *maxBytes);
}

std::optional<uint32_t>
GetIpBytes(Ptr<const Packet> packet)
{
    const auto found = ReadPacket(packet);
    return found ? std::optional(found->bytes) : std::nullopt;
}

Ptr<Packet>
OpenDatagram(Ptr<const Packet> packet)
{
    const auto found = ReadPacket(packet);
    if (!found || found->ipProtocol != IP_UDP || !found->ports)
    {
        return nullptr;
    }
    const auto datagram = packet->Copy();
    datagram->RemoveAtStart(found->headerBytes);
    return datagram;
}

} // namespace ns3::lfn
