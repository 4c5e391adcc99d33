// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_LOSS_LIST_H
#define UDT_LOSS_LIST_H

#include <cstdint>
#include <map>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief Set of packets that are missing, kept as intervals (UDT-6, UDT-57).
 *
 * Takes memory per interval, not per packet. Packets are counted from the start of the connection.
 */
class UdtLossList
{
  public:
    /**
     * @brief Add packets; those that are there already stay.
     * @param first first one
     * @param last last one, not before the first
     */
    void Add(int64_t first, int64_t last);

    /**
     * @brief Remove a packet.
     * @param index the packet
     * @return whether it was there
     */
    bool Remove(int64_t index);

    /**
     * @brief Remove packets.
     * @param first first one
     * @param last last one, not before the first
     */
    void Remove(int64_t first, int64_t last);

    /**
     * @brief Remove all packets before one.
     * @param index the first packet that stays
     */
    void RemoveBefore(int64_t index);

    /** @brief Get the lowest packet. @return it; nothing when the set is empty */
    std::optional<int64_t> GetFirst() const;

    /** @brief Count the packets. @return how many are in the set */
    int64_t GetSize() const;

    /** @brief Get the intervals. @return first packet to last packet, in order */
    const std::map<int64_t, int64_t>& GetIntervals() const;

    /** @brief Remove all packets. */
    void Clear();

  private:
    std::map<int64_t, int64_t> m_intervals; //!< first to last, apart by one packet at least
    int64_t m_size{0};                      //!< packets in all
};

} // namespace ns3::lfn

#endif // UDT_LOSS_LIST_H
