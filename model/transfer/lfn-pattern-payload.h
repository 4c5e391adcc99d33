// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_PATTERN_PAYLOAD_H
#define LFN_PATTERN_PAYLOAD_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <span>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief An endless, aperiodic byte string, known from any offset on without state.
 *
 * Senders take their user data from it and receivers compare, so a byte at the wrong place, a
 * mixed-up packet or a gap shows up wherever content checks are switched on. No byte is zero: a
 * gap filled with nulls never matches, not even one of a single byte.
 */
class PatternPayload
{
  public:
    /**
     * @brief Writes a piece of the pattern.
     * @param offset place of the first byte in the pattern, [B]
     * @param bytes where to write; its length says how much
     */
    static void Fill(uint64_t offset, std::span<uint8_t> bytes);

    /**
     * @brief Makes a packet that holds a piece of the pattern.
     * @param offset place of the first byte in the pattern, [B]
     * @param bytes length, [B]
     * @return the packet
     */
    static Ptr<Packet> MakePacket(uint64_t offset, uint32_t bytes);

    /**
     * @brief Compares a whole packet with the pattern.
     * @param offset place in the pattern where the packet's first byte belongs, [B]
     * @param packet the packet, headers removed
     * @return true when every byte agrees; an empty packet always agrees
     */
    static bool Matches(uint64_t offset, Ptr<const Packet> packet);

    /**
     * @brief Makes a datagram that can be checked alone, without the others.
     *
     * It begins with its number in eight big-endian bytes, and the pattern from a place that only
     * this number has follows. A datagram too short for a number holds the pattern's beginning.
     *
     * @param number number of the datagram
     * @param bytes length in all, [B]
     * @return the packet
     */
    static Ptr<Packet> MakeDatagram(uint64_t number, uint32_t bytes);

    /**
     * @brief Checks a datagram made by MakeDatagram().
     * @param datagram the datagram, headers removed
     * @return true when every byte agrees with the number that the datagram carries
     */
    static bool IsIntact(Ptr<const Packet> datagram);
};

} // namespace ns3::lfn

#endif /* LFN_PATTERN_PAYLOAD_H */
