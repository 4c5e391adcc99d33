// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_HEADER_H
#define ATOU_HEADER_H

#include "ns3/header.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief A run of segments that the receiver has beyond a gap.
 */
struct AtouBlock
{
    uint32_t first{0}; //!< its first segment
    uint32_t last{0};  //!< its last segment, included

    /** @brief Compares all fields. */
    bool operator==(const AtouBlock&) const = default;
};

/**
 * @ingroup lfn-atou
 * @brief The eight bytes that carry a time: a double of seconds whose two 32-bit halves are put
 *        into network order each by itself, the low half first (as a little-endian sender did).
 */
class AtouTimeWords
{
  public:
    /**
     * @brief Write a time.
     * @param seconds the time, s
     * @return the eight bytes as they are on the wire, first byte most significant
     */
    static uint64_t Encode(double seconds);

    /**
     * @brief Read a time.
     * @param words the eight bytes as they are on the wire, first byte most significant
     * @return the time, s; any bytes give some double, NaN and infinities included
     */
    static double Decode(uint64_t words);
};

/**
 * @ingroup lfn-atou
 * @brief What a data packet begins with: 12 bytes, which mss counts.
 *
 * Bytes after them are data or left-overs of earlier packets and mean nothing.
 */
class AtouDataHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 12; //!< bytes

    AtouDataHeader() = default;

    /**
     * @brief Constructor.
     * @param time AtouTimeWords of the sending
     * @param segment segment number, from 1
     */
    AtouDataHeader(uint64_t time, uint32_t segment);

    /** @return the object TypeId */
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;

    /**
     * @brief Read the header.
     * @param start where it begins
     * @return its size; 0 when there are fewer bytes or the segment number is 0
     */
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    uint64_t time{0};    //!< AtouTimeWords of the sending, to be echoed untouched
    uint32_t segment{1}; //!< segment number, from 1
};

/**
 * @ingroup lfn-atou
 * @brief An acknowledgement: 16 bytes and 8 a SACK block.
 */
class AtouAckHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 16;         //!< bytes without blocks
    static constexpr uint32_t BLOCK_SIZE = 8;    //!< bytes of a block
    static constexpr std::size_t MAX_BLOCKS = 3; //!< SACK blocks

    AtouAckHeader() = default;

    /**
     * @brief Constructor.
     * @param time time words of the data packet that caused it
     * @param next the next segment that the receiver expects: its oldest gap
     * @param blocks SACK blocks; those beyond MAX_BLOCKS are left out
     */
    AtouAckHeader(uint64_t time, uint32_t next, const std::vector<AtouBlock>& blocks = {});

    /** @return the object TypeId */
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;

    /**
     * @brief Read the header.
     * @param start where it begins
     * @return its size; 0 when there are fewer bytes than it says, more than MAX_BLOCKS blocks, a
     *         block that begins at 0 or ends before it begins, or the next segment is 0. Bytes that
     *         follow are no error: early programs always sent room for three blocks.
     */
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    uint64_t time{0};              //!< the echoed AtouTimeWords
    uint32_t next{1};              //!< next segment that the receiver expects, from 1
    std::vector<AtouBlock> blocks; //!< SACK blocks, the most recent one first
};

} // namespace ns3::lfn

#endif // ATOU_HEADER_H
