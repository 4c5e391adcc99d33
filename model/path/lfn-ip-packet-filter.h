// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_IP_PACKET_FILTER_H
#define LFN_IP_PACKET_FILTER_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Says which IP packets are meant: by protocol, ports and size.
 *
 * A value: every field that is set has to agree, and a filter without any set field means every IP
 * packet. It reads packets as a point-to-point device's error model sees them (PPP header first) as
 * well as bare IPv4 and IPv6 packets. Any other bytes match nothing.
 *
 * Ports are those of TCP and UDP. A fragment other than the first carries none, so it matches only
 * filters without ports.
 */
struct IpPacketFilter
{
    std::optional<uint8_t> ipProtocol{};       //!< transport protocol, as in the IP header
    std::optional<uint16_t> sourcePort{};      //!< TCP or UDP source port
    std::optional<uint16_t> destinationPort{}; //!< TCP or UDP destination port
    std::optional<uint32_t> minBytes{};        //!< smallest IP packet, its header included, [B]
    std::optional<uint32_t> maxBytes{};        //!< largest IP packet, its header included, [B]

    /**
     * @brief Indicates whether a packet is one of those meant.
     * @param packet any packet
     * @return true when it is an IP packet and every field that is set agrees
     */
    bool Matches(Ptr<const Packet> packet) const;
};

/**
 * @ingroup lfn
 * @brief Gets the size of an IP packet, with or without a PPP header in front of it.
 * @param packet any packet
 * @return its length by the IP header, headers included, [B]; nothing when it is no IP packet
 */
std::optional<uint32_t> GetIpBytes(Ptr<const Packet> packet);

/**
 * @ingroup lfn
 * @brief Gets the UDP datagram of an IP packet, with or without a PPP header in front of it.
 * @param packet any packet
 * @return the UDP header and what follows it; null when there is none, or in a fragment that does
 * not begin with it
 */
Ptr<Packet> OpenDatagram(Ptr<const Packet> packet);

} // namespace ns3::lfn

#endif /* LFN_IP_PACKET_FILTER_H */
