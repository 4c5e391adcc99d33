// SPDX-License-Identifier: GPL-2.0-only

#ifndef PARALLEL_RECEIVER_CORE_H
#define PARALLEL_RECEIVER_CORE_H

#include "parallel-header.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace ns3::lfn
{

/**
 * @ingroup lfn-parallel
 * @brief Reads the chunks off the connections of one transfer and keeps account of what is there.
 *
 * A connection is read in turns: GetWanted() bytes at most, then Take...() of what was read. The
 * account holds intervals, not bytes; it is bounded by MAX_GAPS whatever arrives.
 */
class ParallelReceiverCore
{
  public:
    /** Most intervals kept; a connection that calls for more is refused. */
    static constexpr std::size_t MAX_GAPS = 1 << 18;

    /** @brief Names a connection. */
    using Stream = uint64_t;

    /** @brief A piece of a chunk. */
    struct Piece
    {
        uint64_t offset{0}; //!< its place in the transfer, [B]
        uint64_t fresh{0};  //!< its bytes that were not there before, [B]
    };

    /**
     * @brief Get how many bytes a connection's next piece has at most.
     * @param stream the connection
     * @return the rest of its header, or of its chunk, [B]; never 0
     */
    uint32_t GetWanted(Stream stream) const;

    /**
     * @brief Tell whether a connection is within a chunk.
     * @param stream the connection
     * @return true: TakeData() is next; false: TakeHeader()
     */
    bool IsInChunk(Stream stream) const;

    /**
     * @brief Take bytes of a header.
     * @param stream the connection
     * @param bytes what was read, GetWanted() at most
     * @return false when the header is malformed, disagrees with the transfer's size, or asks for
     *         too many gaps: close the connection then
     */
    bool TakeHeader(Stream stream, std::span<const uint8_t> bytes);

    /**
     * @brief Take user bytes of a chunk.
     * @param stream the connection
     * @param bytes how many were read, GetWanted() at most
     * @return their place, and how many of them are new
     */
    Piece TakeData(Stream stream, uint32_t bytes);

    /**
     * @brief Forget a connection.
     * @param stream the connection
     */
    void Close(Stream stream);

    /**
     * @brief Get the size of the transfer.
     * @return user bytes, [B]; 0 while unknown, and without end
     */
    uint64_t GetTotal() const;

    /**
     * @brief Get how much is there.
     * @return user bytes, each once, [B]
     */
    uint64_t GetReceived() const;

    /**
     * @brief Get how much is there without a gap from the beginning on.
     * @return user bytes, [B]
     */
    uint64_t GetInOrder() const;

    /**
     * @brief Get what a reader in order would have had to hold at most.
     * @return the largest number of user bytes behind a gap, [B]
     */
    uint64_t GetPeakWaiting() const;

  private:
    /** @brief Where a connection is. */
    struct Place
    {
        std::array<uint8_t, ParallelChunkHeader::SIZE> header{}; //!< bytes of the next header
        uint32_t filled{0};                                      //!< how many of them are there
        uint64_t offset{0};                                      //!< of the next byte, [B]
        uint32_t left{0};                                        //!< user bytes of the chunk, [B]
    };

    /**
     * @brief Add an interval to what is there.
     * @param begin its first byte
     * @param end behind its last byte
     * @return how many of its bytes are new
     */
    uint64_t Cover(uint64_t begin, uint64_t end);

    std::map<Stream, Place> m_places;         //!< by connection
    std::map<uint64_t, uint64_t> m_intervals; //!< what is there, begin to end, apart
    bool m_isAnnounced{false};                //!< m_total is valid
    uint64_t m_total{0};                      //!< size of the transfer, [B]
    uint64_t m_received{0};                   //!< user bytes there, [B]
    uint64_t m_peakWaiting{0};                //!< most behind a gap, [B]
};

} // namespace ns3::lfn

#endif // PARALLEL_RECEIVER_CORE_H
