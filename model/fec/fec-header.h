// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_HEADER_H
#define FEC_HEADER_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>

/**
 * @defgroup lfn-fec FEC over UDP
 * @ingroup lfn
 * Datagrams with a parity datagram a block, as Quanta's FEC classes have them (He et al., FGCS
 * 2003, section 2).
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-fec
 * @brief Header of a datagram of data: which place in which block it has. 12 bytes, big-endian:
 * kind, index, count, parities (0 for 1), block, session.
 */
struct FecDataHeader
{
    static constexpr uint32_t SIZE = 12;      //!< bytes on the wire
    static constexpr uint8_t KIND = 0xfd;     //!< first byte
    static constexpr uint32_t MAX_COUNT = 32; //!< most datagrams of a block: bits of a mask
    static constexpr uint32_t MAX_ALL = 256;  //!< most datagrams and parities of a block: the code
    static constexpr uint32_t MAX_PARITIES = MAX_ALL - MAX_COUNT; //!< most parities of any block

    uint32_t block{0};   //!< number of the block, from 0 on, modulo 2^32
    uint8_t index{0};    //!< place in the block, below count
    uint8_t count{1};    //!< datagrams of data in the block (k), 1 to MAX_COUNT
    uint32_t session{0}; //!< random number of the flow
    uint8_t parities{1}; //!< parity datagrams of the block (m); of one it is the XOR

    /** @brief Write the header. @return its bytes */
    std::array<uint8_t, SIZE> Write() const;

    /**
     * @brief Read the header.
     * @param bytes a datagram, or its beginning
     * @return the header; nothing when there are fewer than 12 bytes or a field is out of range
     */
    static std::optional<FecDataHeader> Read(std::span<const uint8_t> bytes);

    /** @brief Compare two headers. @return true when all fields are equal */
    bool operator==(const FecDataHeader& other) const = default;
};

/**
 * @ingroup lfn-fec
 * @brief Header of a parity datagram: which datagrams of which block it is of. 16 bytes,
 * big-endian.
 *
 * The only parity of a block is the XOR: kind, a zero byte, lengths, block, mask, session. One of
 * several is of an ErasureCode, whose strings are the length and the payload of each datagram:
 * kind, index, lengths, block, count, parities, two zero bytes, session.
 */
struct FecParityHeader
{
    static constexpr uint32_t SIZE = 16;       //!< bytes on the wire
    static constexpr uint8_t KIND = 0xfb;      //!< first byte of the only parity of a block
    static constexpr uint8_t CODE_KIND = 0xfc; //!< first byte of one of several

    uint32_t block{0};   //!< number of the block, modulo 2^32
    uint32_t mask{0};    //!< bit i: datagram i is in it; the lowest bits without a gap
    uint16_t lengths{0}; //!< XOR of the payloads' lengths, [B]; of a code its first two bytes
    uint32_t session{0}; //!< that of the data
    uint8_t index{0};    //!< which parity, below parities
    uint8_t parities{1}; //!< parity datagrams of the block (m)

    /** @brief Write the header. @return its bytes */
    std::array<uint8_t, SIZE> Write() const;

    /**
     * @brief Read the header.
     * @param bytes a datagram, or its beginning
     * @return the header; nothing when there are fewer than 16 bytes or a field is out of range
     */
    static std::optional<FecParityHeader> Read(std::span<const uint8_t> bytes);

    /**
     * @brief Get the mask of a whole block.
     * @param count datagrams of data, 1 to FecDataHeader::MAX_COUNT
     * @return count ones
     */
    static uint32_t MakeMask(uint32_t count);

    /** @brief Compare two headers. @return true when all fields are equal */
    bool operator==(const FecParityHeader& other) const = default;
};

} // namespace ns3::lfn

#endif // FEC_HEADER_H
