// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_SENDER_CORE_H
#define FEC_SENDER_CORE_H

#include "fec-header.h"

#include <cstddef>
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
 * @brief Make the string of a datagram that an ErasureCode takes.
 * @param payload its user bytes, 65535 at most
 * @return their length, 2 bytes, and the user bytes
 */
std::vector<uint8_t> MakeFecPiece(std::span<const uint8_t> payload);

/**
 * @ingroup lfn-fec
 * @brief Numbers datagrams into blocks of k and makes the m parities of each block.
 *
 * k is 1 to 32; the Quanta paper speaks of 1 to N, typically 2 or 3. The one parity of m = 1 is the
 * XOR, several are of an ErasureCode. Of d blocks datagrams and parities are sent in turns, so that
 * a burst of d * m losses costs none of the blocks more than m.
 */
class FecSenderCore
{
  public:
    /** @brief A parity datagram. */
    struct Parity
    {
        FecParityHeader header;       //!< its header
        std::vector<uint8_t> payload; //!< as long as the longest of the block's payloads
    };

    /**
     * @brief A sender.
     * @param blockPackets datagrams of data a block (k); cut to 1 to 32
     * @param packets datagrams of data in all, so that the last block is as short as it has to be;
     *        0: there is no end
     * @param session random number of the flow
     * @param parities parity datagrams a block (m); cut to 1 to 224
     * @param depth blocks that are sent in turns (d), at least 1
     */
    explicit FecSenderCore(uint32_t blockPackets = 1,
                           uint64_t packets = 0,
                           uint32_t session = 0,
                           uint32_t parities = 1,
                           uint32_t depth = 1);

    /** @brief Get the header of the next datagram. @return the header */
    FecDataHeader GetNext() const;

    /**
     * @brief Take the next datagram.
     * @param payload its user bytes
     * @return true when the blocks under way are complete: TakeParity() is next, GetParities()
     * times
     */
    bool Add(std::span<const uint8_t> payload);

    /** @brief Get how many parities of the blocks under way are to be taken. */
    std::size_t GetParities() const;

    /**
     * @brief Take the next parity of the blocks, and after the last one begin the next blocks.
     * @return the parity; of the datagrams so far when the blocks are not complete
     */
    Parity TakeParity();

  private:
    /** @brief A block under way. */
    struct Block
    {
        uint8_t count{0};                         //!< its datagrams
        uint8_t index{0};                         //!< those so far
        FecSum sum;                               //!< of one parity: of the payloads
        std::vector<std::vector<uint8_t>> pieces; //!< of several: lengths and payloads
    };

    /** @brief Begin the next blocks. */
    void StartBlocks();

    uint32_t m_blockPackets;     //!< k
    uint64_t m_packets;          //!< in all; 0 without end
    uint32_t m_session;          //!< goes into all headers
    uint32_t m_parities;         //!< m
    uint32_t m_depth;            //!< d
    uint64_t m_sent{0};          //!< datagrams so far
    uint32_t m_first{0};         //!< number of the first block under way
    std::vector<Block> m_blocks; //!< the blocks under way
    uint64_t m_count{0};         //!< their datagrams
    uint64_t m_added{0};         //!< those so far
    std::size_t m_taken{0};      //!< their parities so far
};

} // namespace ns3::lfn

#endif // FEC_SENDER_CORE_H
