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
 * @brief Reads the chunks off the connections of transfers and keeps account of what is there.
 *
 * A connection is read in turns: GetWanted() bytes at most, then Take...() of what was read. Its
 * first header says which transfer it belongs to, and it stays there: a connection that nobody
 * closes spoils no other transfer. The accounts hold intervals, not bytes, MAX_GAPS in all for any
 * arrives. Reports are about the transfer that began last.
 */
class ParallelReceiverCore
{
  public:
    /** Most intervals kept; a connection that calls for more is refused. */
    static constexpr std::size_t MAX_GAPS = 1 << 18;

    /** @brief Names a connection. */
    using Stream = uint64_t;

    /**
     * @brief Get how many bytes a connection's next piece has at most.
     * @param stream the connection
     * @return the rest of its header, or of its chunk, [B]; never 0
     */
    uint32_t GetWanted(Stream stream) const;

    /**
     * @brief Check whether a connection is within a chunk.
     * @param stream the connection
     * @return true: OnData() is next; false: OnHeader()
     */
    bool IsInChunk(Stream stream) const;

    /**
     * @brief Take bytes of a header.
     * @param stream the connection
     * @param bytes what was read, GetWanted() at most
     * @return false when the header is malformed, disagrees with the transfer's size, is of another
     *         transfer than the connection, or asks for too many gaps: close the connection then
     */
    bool OnHeader(Stream stream, std::span<const uint8_t> bytes);

    /**
     * @brief Get the place of a connection's next user byte.
     * @param stream the connection, within a chunk
     * @return its offset in the transfer, [B]
     */
    uint64_t GetOffset(Stream stream) const;

    /**
     * @brief Take user bytes of a chunk.
     * @param stream the connection
     * @param bytes how many were read, GetWanted() at most
     * @return how many of them were not there before, [B]
     */
    uint64_t OnData(Stream stream, uint32_t bytes);

    /**
     * @brief Pass over user bytes that are not what was sent: they are not there.
     * @param stream the connection
     * @param bytes how many were read, GetWanted() at most
     */
    void SkipData(Stream stream, uint32_t bytes);

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

    /** @brief Get how much is there. @return user bytes, each once, [B] */
    uint64_t GetReceived() const;

    /** @brief Get how much is there without a gap from the beginning on. @return user bytes, [B] */
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
        bool isMember{false};                                    //!< transfer is valid
        uint32_t transfer{0};                                    //!< what it belongs to
    };

    /** What is there, begin to end, apart. */
    using Intervals = std::map<uint64_t, uint64_t>;

    /** @brief What is there of a transfer. */
    struct Account
    {
        uint64_t total{0};       //!< its size, [B]
        uint64_t received{0};    //!< user bytes there, [B]
        uint64_t peakWaiting{0}; //!< most behind a gap, [B]
        Intervals intervals;     //!< which ones
        uint32_t streams{0};     //!< its open connections
    };

    /**
     * @brief Find out what a header's connection belongs to.
     * @param place the connection
     * @param header its header
     * @return false when the header is not one of that transfer
     */
    bool Join(Place& place, const ParallelChunkHeader& header);

    /**
     * @brief Drop the account of a transfer without connections.
     * @param transfer the transfer; one with connections stays
     */
    void Forget(uint32_t transfer);

    /**
     * @brief Get the account of the transfer that began last.
     * @return the account; an empty one before the first
     */
    const Account& GetLatest() const;

    /**
     * @brief Count what is there without a gap from the beginning on.
     * @param account the transfer
     * @return user bytes, [B]
     */
    static uint64_t CountInOrder(const Account& account);

    /**
     * @brief Add an interval to what is there.
     * @param intervals what is there
     * @param begin its first byte
     * @param end behind its last byte
     * @return how many of its bytes are new
     */
    static uint64_t Cover(Intervals& intervals, uint64_t begin, uint64_t end);

    std::map<Stream, Place> m_places;       //!< by connection
    std::map<uint32_t, Account> m_accounts; //!< by transfer: those with connections, and the last
    uint32_t m_latest{0};                   //!< the transfer that began last
    std::size_t m_gaps{0};                  //!< intervals of all accounts
};

} // namespace ns3::lfn

#endif // PARALLEL_RECEIVER_CORE_H
