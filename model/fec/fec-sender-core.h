// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_SENDER_CORE_H
#define FEC_SENDER_CORE_H

#include "fec-header.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ns3::lfn
{

/** @brief A running XOR of byte strings of unequal length, the shorter ones filled with nulls. */
struct FecSum
{
    std::vector<uint8_t> bytes; //!< as long as the longest one
    uint16_t lengths{0};        //!< XOR of the lengths, [B]

    /**
     * @brief Add a string.
     * @param payload the string, 65535 bytes at most
     */
    void Add(std::span<const uint8_t> payload);
};

/**
 * @ingroup lfn-fec
 * @brief Numbers datagrams into blocks of k and makes the parity of each block.
 *
 * k is 1 (every datagram twice) to 32; the Quanta paper speaks of 1 to N, typically 2 or 3.
 */
class FecSenderCore
{
  public:
    /** @brief A parity datagram. */
    struct Parity
    {
        FecParityHeader header;       //!< its header
        std::vector<uint8_t> payload; //!< XOR of the block's payloads
    };

    /**
     * @brief A sender.
     * @param blockPackets datagrams of data a block (k); cut to 1 to 32
     * @param packets datagrams of data in all, so that the last block is as short as it has to be;
     *        0: there is no end
     * @param session random number of the flow
     */
    explicit FecSenderCore(uint32_t blockPackets = 1, uint64_t packets = 0, uint32_t session = 0);

    /** @brief Get the header of the next datagram. @return the header */
    FecDataHeader GetNext() const;

    /**
     * @brief Take the next datagram.
     * @param payload its user bytes
     * @return true when the block is complete: TakeParity() is next
     */
    bool Add(std::span<const uint8_t> payload);

    /**
     * @brief Take the parity of the block, and begin the next one.
     * @return the parity; of the datagrams so far when the block is not complete
     */
    Parity TakeParity();

  private:
    uint32_t m_blockPackets; //!< k
    uint64_t m_packets;      //!< in all; 0 without end
    uint32_t m_session;      //!< goes into all headers
    uint64_t m_sent{0};      //!< datagrams so far
    uint32_t m_block{0};     //!< number of the block
    uint8_t m_index{0};      //!< datagrams of the block so far
    uint8_t m_count;         //!< datagrams of the block
    FecSum m_sum;            //!< of the block's payloads
};

} // namespace ns3::lfn

#endif // FEC_SENDER_CORE_H
