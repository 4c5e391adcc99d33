// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_SEND_STORE_H
#define TCP_SEND_STORE_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief The data that an application wrote and that are not acknowledged, by their offset in the
 * stream of the connection.
 *
 * Zeros without tags, which most applications of ns-3 write, are not kept but made when they are
 * sent.
 */
class TcpSendStore
{
  public:
    /**
     * @brief The application writes.
     * @param data what; at least one byte
     */
    void Add(Ptr<const Packet> data);

    /**
     * @brief Get data.
     * @param offset first byte
     * @param bytes how many; all of them are there
     * @return a packet of its own
     */
    Ptr<Packet> Get(int64_t offset, uint32_t bytes) const;

    /**
     * @brief Forget writes all of which are acknowledged.
     * @param offset what lies below is acknowledged
     */
    void Discard(int64_t offset);

  private:
    /** @brief What was written at once, or zeros of several writes. */
    struct Write
    {
        int64_t begin;          //!< offset of its first byte
        int64_t end;            //!< offset behind its last byte
        Ptr<const Packet> data; //!< all of it; null: zeros
    };

    std::deque<Write> m_writes; //!< in order
    int64_t m_end{0};           //!< behind the last byte
};

} // namespace ns3::lfn

#endif /* TCP_SEND_STORE_H */
