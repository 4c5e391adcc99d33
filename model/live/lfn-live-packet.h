// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LIVE_PACKET_H
#define LFN_LIVE_PACKET_H

#include <cstdint>
#include <span>

namespace ns3::lfn
{

/** @brief What a packet of a real host is to a simulation. */
enum class LivePacket : uint8_t
{
    SOUND,   //!< IPv4 from one host to one host, and ns-3 can read it
    FOREIGN, //!< something else: IPv6, broadcast, multicast
    UNSOUND  //!< its lengths contradict each other, or it has IP options
};

/**
 * @ingroup lfn
 * @brief Look at a packet before ns-3 does, which ends a program where a header is cut short.
 *
 * ns-3 reads headers that it has written itself, and trusts their lengths. So lengths of IPv4, of
 * UDP, of TCP and its options, and of ICMP with what it quotes are checked here (RFC 791, 768,
 * 9293, 792). The first fragment has to hold the whole header of its transport, as RFC 1858 asks
 * for. Checksums are left to the receiver.
 *
 * @param bytes The packet, from its IP header on.
 * @return What it is.
 */
LivePacket InspectLivePacket(std::span<const uint8_t> bytes);

/**
 * @ingroup lfn
 * @brief Change a TCP header that ns-3 would misread into one that says the same.
 *
 * Other packets stay as they are.
 *
 * @param bytes The packet, from its IP header on.
 */
void MakeTcpReadable(std::span<uint8_t> bytes);

} // namespace ns3::lfn

#endif // LFN_LIVE_PACKET_H
