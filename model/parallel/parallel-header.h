// SPDX-License-Identifier: GPL-2.0-only

#ifndef PARALLEL_HEADER_H
#define PARALLEL_HEADER_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>

/**
 * @defgroup lfn-parallel Parallel TCP
 * @ingroup lfn
 * One transfer over several TCP connections, as Quanta's parallel TCP class has it (He et al.,
 * FGCS 2003, section 2).
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-parallel
 * @brief What goes before every chunk on a connection: which part of the transfer follows.
 *
 * Quanta cuts the payload into as many partitions as there are connections and sends their sizes
 * out of band; a header per chunk makes every connection readable by itself (deviation PT-D1). 28
 * bytes, big-endian: marker, length, offset, total, transfer.
 */
struct ParallelChunkHeader
{
    static constexpr uint32_t SIZE = 28;           //!< bytes on the wire
    static constexpr uint32_t MARKER = 0x50544350; //!< first four bytes, "PTCP"

    uint64_t total{0};    //!< user bytes of the whole transfer, [B]; 0: it has no end
    uint64_t offset{0};   //!< place of the chunk in the transfer, [B]
    uint32_t length{0};   //!< user bytes of the chunk, [B], at least 1
    uint32_t transfer{0}; //!< reports the connections of one transfer from those of another

    /** @brief Write the header. @return its bytes */
    std::array<uint8_t, SIZE> Write() const;

    /**
     * @brief Read the header.
     * @param bytes what arrived
     * @return the header; nothing when there are not 28 bytes, the marker is wrong, or the chunk is
     *         empty or reaches beyond the transfer
     */
    static std::optional<ParallelChunkHeader> Read(std::span<const uint8_t> bytes);

    /** @brief Compare two headers. @return true when all fields are equal */
    bool operator==(const ParallelChunkHeader& other) const = default;
};

} // namespace ns3::lfn

#endif // PARALLEL_HEADER_H
