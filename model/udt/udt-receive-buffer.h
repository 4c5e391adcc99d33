// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_RECEIVE_BUFFER_H
#define UDT_RECEIVE_BUFFER_H

#include "ns3/packet.h"

#include <cstdint>
#include <deque>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief Packets that have arrived and that the application cannot read yet.
 *
 * UdtReceiverCore bounds their number: it refuses packets beyond its buffer.
 */
class UdtReceiveBuffer
{
  public:
    /** @brief A packet. */
    struct Item
    {
        uint32_t bytes{0};         //!< user bytes; 0 for a gap
        Ptr<const Packet> content; //!< what it carries; null when it is not used
    };

    /**
     * @brief Put a packet in its place.
     * @param index number of the packet, not taken yet
     * @param item the packet
     */
    void Put(int64_t index, const Item& item)
    {
        const auto place = static_cast<std::size_t>(index - m_next);
        if (place >= m_items.size())
        {
            m_items.resize(place + 1);
        }
        m_bytes += item.bytes;
        m_items[place] = item;
    }

    /** @brief Take the first packet, which is there. @return it */
    Item Take()
    {
        const auto item = m_items.front();
        m_items.pop_front();
        m_bytes -= item.bytes;
        ++m_next;
        return item;
    }

    /** @brief Get which packet is taken next. @return its number, from 0 */
    int64_t GetNext() const
    {
        return m_next;
    }

    /** @brief Count the user bytes that wait. @return bytes */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    std::deque<Item> m_items; //!< from m_next on
    int64_t m_next{0};        //!< first packet not taken
    uint64_t m_bytes{0};      //!< of all items
};

} // namespace ns3::lfn

#endif // UDT_RECEIVE_BUFFER_H
