// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-ip-packet-filter.h"

#include <algorithm>
#include <array>
#include <span>

namespace ns3::lfn
{

namespace
{

constexpr uint8_t PROTOCOL_TCP = 6;           //!< IANA protocol number of TCP
constexpr uint8_t PROTOCOL_UDP = 17;          //!< IANA protocol number of UDP
constexpr uint8_t IPV6_HOP_BY_HOP = 0;        //!< IPv6 extension header
constexpr uint8_t IPV6_ROUTING = 43;          //!< IPv6 extension header
constexpr uint8_t IPV6_FRAGMENT = 44;         //!< IPv6 extension header
constexpr uint8_t IPV6_DESTINATION = 60;      //!< IPv6 extension header
constexpr size_t PPP_BYTES = 2;               //!< size of the PPP header, [B]
constexpr uint16_t PPP_IPV4 = 0x0021;         //!< PPP protocol number of IPv4
constexpr uint16_t PPP_IPV6 = 0x0057;         //!< PPP protocol number of IPv6
constexpr size_t IPV4_BYTES = 20;             //!< size of an IPv4 header without options, [B]
constexpr size_t IPV6_BYTES = 40;             //!< size of an IPv6 header, [B]
constexpr uint16_t IPV4_OFFSET_MASK = 0x1FFF; //!< place of the fragment, in the flags field
constexpr uint16_t IPV6_OFFSET_MASK = 0xFFF8; //!< place of the fragment, in the fragment header
constexpr size_t PORT_BYTES = 4;              //!< source and destination port, [B]

/** How much of a packet is looked at: PPP, IP with options or extension headers, ports. */
constexpr size_t HEAD_BYTES = 160;

/** @brief The first bytes of a packet. */
using Bytes = std::span<const uint8_t>;

/** @brief What a filter looks at. */
struct Summary
{
    uint32_t bytes{0};                       //!< length of the IP packet by its header, [B]
    uint8_t ipProtocol{0};                   //!< transport protocol
    std::optional<uint16_t> sourcePort;      //!< source port, where there is one
    std::optional<uint16_t> destinationPort; //!< destination port, where there is one
    size_t headerBytes{0};                   //!< what is in front of the ports, [B]
};

/**
 * @brief Reads a big-endian number.
 * @param bytes at least two bytes from the place on
 * @param at the place
 * @return the number
 */
uint16_t
Read16(Bytes bytes, size_t at)
{
    return static_cast<uint16_t>((bytes[at] << 8) | bytes[at + 1]);
}

/**
 * @brief Adds the ports of TCP and UDP.
 * @param transport what follows the IP headers, possibly cut short
 * @param summary where to add them
 */
void
ReadPorts(Bytes transport, Summary& summary)
{
    const bool hasPorts = summary.ipProtocol == PROTOCOL_TCP || summary.ipProtocol == PROTOCOL_UDP;
    if (hasPorts && transport.size() >= PORT_BYTES)
    {
        summary.sourcePort = Read16(transport, 0);
        summary.destinationPort = Read16(transport, 2);
    }
}

/**
 * @brief Reads an IPv4 packet.
 * @param bytes its first bytes
 * @return what the filter looks at; nothing when it is no IPv4 packet
 */
std::optional<Summary>
ReadIpv4(Bytes bytes)
{
    if (bytes.size() < IPV4_BYTES || bytes[0] >> 4 != 4)
    {
        return std::nullopt;
    }
    const size_t headerBytes = size_t{4} * (bytes[0] & 0x0F);
    if (headerBytes < IPV4_BYTES)
    {
        return std::nullopt;
    }
    Summary summary;
    summary.bytes = Read16(bytes, 2);
    summary.ipProtocol = bytes[9];
    const bool isFirstFragment = (Read16(bytes, 6) & IPV4_OFFSET_MASK) == 0;
    if (isFirstFragment && bytes.size() >= headerBytes)
    {
        summary.headerBytes = headerBytes;
        ReadPorts(bytes.subspan(headerBytes), summary);
    }
    return summary;
}

/**
 * @brief Reads an IPv6 packet, extension headers included.
 * @param bytes its first bytes
 * @return what the filter looks at; nothing when it is no IPv6 packet
 */
std::optional<Summary>
ReadIpv6(Bytes bytes)
{
    if (bytes.size() < IPV6_BYTES || bytes[0] >> 4 != 6)
    {
        return std::nullopt;
    }
    Summary summary;
    summary.bytes = static_cast<uint32_t>(IPV6_BYTES + Read16(bytes, 4));
    summary.ipProtocol = bytes[6];
    // Every turn takes at least eight bytes away, so the walk ends.
    for (Bytes rest = bytes.subspan(IPV6_BYTES);;)
    {
        const uint8_t type = summary.ipProtocol;
        const bool isFragment = type == IPV6_FRAGMENT;
        const bool isExtension = isFragment || type == IPV6_HOP_BY_HOP || type == IPV6_ROUTING ||
                                 type == IPV6_DESTINATION;
        if (!isExtension)
        {
            summary.headerBytes = bytes.size() - rest.size();
            ReadPorts(rest, summary);
            return summary;
        }
        const size_t fixedBytes = 8;
        if (rest.size() < fixedBytes)
        {
            return summary;
        }
        const size_t extensionBytes = isFragment ? fixedBytes : fixedBytes * (size_t{1} + rest[1]);
        summary.ipProtocol = rest[0];
        if (isFragment && (Read16(rest, 2) & IPV6_OFFSET_MASK) != 0)
        {
            return summary;
        }
        if (rest.size() < extensionBytes)
        {
            return summary;
        }
        rest = rest.subspan(extensionBytes);
    }
}

/**
 * @brief Reads an IP packet, with or without a PPP header.
 * @param bytes its first bytes
 * @return what the filter looks at; nothing when it is no IP packet
 */
std::optional<Summary>
ReadPacket(Bytes bytes)
{
    if (bytes.size() >= PPP_BYTES)
    {
        // No IP version begins with a zero, so a PPP header cannot be mistaken.
        const uint16_t pppProtocol = Read16(bytes, 0);
        if (pppProtocol == PPP_IPV4 || pppProtocol == PPP_IPV6)
        {
            const auto ip = bytes.subspan(PPP_BYTES);
            auto summary = pppProtocol == PPP_IPV4 ? ReadIpv4(ip) : ReadIpv6(ip);
            if (summary)
            {
                summary->headerBytes += PPP_BYTES;
            }
            return summary;
        }
    }
    const auto ipv4 = ReadIpv4(bytes);
    return ipv4 ? ipv4 : ReadIpv6(bytes);
}

/**
 * @brief Reads an IP packet, with or without a PPP header.
 * @param packet any packet
 * @return what the filter looks at; nothing when it is no IP packet
 */
std::optional<Summary>
ReadPacket(Ptr<const Packet> packet)
{
    std::array<uint8_t, HEAD_BYTES> head;
    const uint32_t size = packet->CopyData(head.data(), HEAD_BYTES);
    return ReadPacket(Bytes(head.data(), std::min<size_t>(size, HEAD_BYTES)));
}

/**
 * @brief Compares one field.
 * @tparam T type of the field
 * @param wanted what the filter asks for, if anything
 * @param found what the packet has, if anything
 * @return true when the filter does not ask or the values are equal
 */
template <typename T>
bool
Agrees(const std::optional<T>& wanted, const std::optional<T>& found)
{
    return !wanted || wanted == found;
}

} // namespace

bool
IpPacketFilter::Matches(Ptr<const Packet> packet) const
{
    const auto found = ReadPacket(packet);
    return found && Agrees<uint8_t>(ipProtocol, found->ipProtocol) &&
           Agrees(sourcePort, found->sourcePort) &&
           Agrees(destinationPort, found->destinationPort) &&
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
    if (!found || found->ipProtocol != PROTOCOL_UDP || !found->sourcePort)
    {
        return nullptr;
    }
    const auto datagram = packet->Copy();
    datagram->RemoveAtStart(static_cast<uint32_t>(found->headerBytes));
    return datagram;
}

} // namespace ns3::lfn
