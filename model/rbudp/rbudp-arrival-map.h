// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_ARRIVAL_MAP_H
#define RBUDP_ARRIVAL_MAP_H

#include <cstdint>
#include <span>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief The receiver's arrivals of the datagrams that have arrived (section 4): one bit each.
 *
 * Constant work a datagram; the bits are kept as they go on the wire (see RbudpAck).
 */
class RbudpArrivalMap
{
  public:
    /** @brief A arrivals of no datagrams, which is complete. */
    RbudpArrivalMap();

    /**
     * @brief A arrivals in which nothing has arrived.
     * @param datagrams number of datagrams, N
     */
    explicit RbudpArrivalMap(uint64_t datagrams);

    /**
     * @brief Note that a datagram has arrived.
     * @param index its number, from 0
     * @return false when it had arrived before or is not one of the N
     */
    bool Record(uint64_t index);

    /**
     * @brief Ask for a datagram.
     * @param index its number, below N
     * @return whether it has arrived
     */
    bool Has(uint64_t index) const;

    /** @brief Count what has arrived. @return distinct datagrams */
    uint64_t GetReceived() const;

    /** @brief Count what is missing. @return datagrams */
    uint64_t GetMissing() const;

    /** @brief Ask whether everything has arrived. @return true when nothing is missing */
    bool IsComplete() const;

    /** @brief The bitmap of the acknowledgement. @return floor(N / 8) + 1 bytes, tail bits set */
    std::span<const uint8_t> GetBitmap() const;

  private:
    uint64_t m_datagrams{0};       //!< N
    uint64_t m_received{0};        //!< distinct datagrams that arrived
    std::vector<uint8_t> m_bitmap; //!< a bit per datagram, least significant first
};

} // namespace ns3::lfn

#endif // RBUDP_ARRIVAL_MAP_H
