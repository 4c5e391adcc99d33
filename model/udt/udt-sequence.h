// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_SEQUENCE_H
#define UDT_SEQUENCE_H

#include <cstdint>

/**
 * @file
 * @ingroup lfn-udt
 * UDT's sequence numbers: 31 bits on the wire, 64-bit packet indices inside (UDT-2).
 */

namespace ns3::lfn
{

/** @brief Sequence numbers are below this: they wrap after 2^31 - 1. */
constexpr uint32_t UDT_SEQUENCES = 1U << 31;

/**
 * @ingroup lfn-udt
 * @brief Distance between two sequence numbers.
 * @param from a sequence number
 * @param to another one
 * @return what leads from one to the other, -2^30 to 2^30 - 1
 */
constexpr int32_t
UdtDistance(uint32_t from, uint32_t to)
{
    const uint32_t forward = (to - from) % UDT_SEQUENCES;
    return forward < UDT_SEQUENCES / 2 ? static_cast<int32_t>(forward)
                                       : -static_cast<int32_t>(UDT_SEQUENCES - forward);
}

/**
 * @ingroup lfn-udt
 * @brief Numbers the packets of one direction of a connection from 0 on.
 */
class UdtNumbering
{
  public:
    /** @brief A numbering from sequence 0 on. */
    UdtNumbering() = default;

    /**
     * @brief A numbering.
     * @param initial sequence number of packet 0
     */
    explicit UdtNumbering(uint32_t initial)
        : m_initial(initial % UDT_SEQUENCES)
    {
    }

    /**
     * @brief Get the sequence number of a packet.
     * @param index number of the packet, -1 for the one before the first
     * @return its number on the wire
     */
    uint32_t GetSequence(int64_t index) const
    {
        return (m_initial + static_cast<uint32_t>(index)) % UDT_SEQUENCES;
    }

    /**
     * @brief Find the packet that a sequence number means.
     * @param sequence number on the wire
     * @param near packet that it must be close to, as the number has 31 bits only
     * @return number of the packet; negative for one before the first
     */
    int64_t GetIndex(uint32_t sequence, int64_t near) const
    {
        return near + UdtDistance(GetSequence(near), sequence);
    }

  private:
    uint32_t m_initial{0}; //!< sequence number of packet 0
};

} // namespace ns3::lfn

#endif // UDT_SEQUENCE_H
