// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_MESSAGE_BUFFER_H
#define UDT_MESSAGE_BUFFER_H

#include "udt-header.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief Packets of messages that have arrived: finds the messages that are
 * whole (UDT-53).
 *
 * UdtReceiverCore bounds their number: it refuses packets beyond its buffer.
 * Fields of packets that contradict each other cost the messages concerned, no
 * others.
 */
class UdtMessageBuffer
{
  public:
    /** @brief A whole message. */
    struct Message
    {
        int64_t first{0};      //!< its first packet
        int64_t last{0};       //!< its last packet
        uint32_t number{0};    //!< message number on the wire
        uint64_t bytes{0};     //!< user bytes
        bool isInOrder{false}; //!< it waits for all earlier ones
    };

    /**
     * @brief Put a packet in its place.
     * @param index number of the packet, not taken yet
     * @param header its header
     * @param bytes user bytes, above 0
     */
    void Put(int64_t index, const UdtData& header, uint32_t bytes);

    /**
     * @brief The sender has given packets up: forget them.
     * @param first first packet
     * @param last last packet
     */
    void Drop(int64_t first, int64_t last);

    /**
     * @brief Take a whole message that can be delivered: one that need not wait
     * for earlier ones, otherwise the first one.
     * @param readable first packet that no acknowledgement covers
     * @return the message; nothing when there is none
     */
    std::optional<Message> Take(int64_t readable);

    /** @brief Get the first packet that is neither taken nor given up. @return
     * its number */
    int64_t GetNext() const;

    /** @brief Count the user bytes that wait. @return bytes */
    uint64_t GetBytes() const;

    /** @brief Count the user bytes that arrived and were discarded. @return bytes
     */
    uint64_t GetDiscarded() const;

  private:
    /** @brief Place of a packet. */
    struct Slot
    {
        UdtData header;     //!< of the packet
        uint32_t bytes{0};  //!< user bytes; 0: it has not arrived
        bool isGone{false}; //!< taken or given up
    };

    /** @brief Packets of a message that need not wait. */
    struct Progress
    {
        std::optional<int64_t> first; //!< its first packet
        std::optional<int64_t> last;  //!< its last packet
        int64_t packets{0};           //!< that have arrived
    };

    /**
     * @brief Get the place of a packet.
     * @param index its number, from GetNext() on
     * @return the place; null when nothing behind it has arrived
     */
    Slot* Find(int64_t index);

    /**
     * @brief Check whether packets are one message, whole.
     * @param first first packet
     * @param last last packet
     * @return whether they are
     */
    bool IsWhole(int64_t first, int64_t last);

    /**
     * @brief Take packets out.
     * @param first first packet
     * @param last last packet
     * @return their user bytes
     */
    uint64_t Remove(int64_t first, int64_t last);

    /** @brief Discard packets at the front that can be no message any more. */
    void DiscardBroken();

    std::deque<Slot> m_slots;                        //!< from m_next on
    std::map<uint32_t, Progress> m_progress;         //!< by message number
    std::deque<std::pair<int64_t, int64_t>> m_whole; //!< messages that need not wait
    int64_t m_next{0};                               //!< first packet not gone
    int64_t m_checked{0};                            //!< those before belong to the first message
    uint64_t m_bytes{0};                             //!< that wait
    uint64_t m_discarded{0};                         //!< that were discarded
};

} // namespace ns3::lfn

#endif // UDT_MESSAGE_BUFFER_H
