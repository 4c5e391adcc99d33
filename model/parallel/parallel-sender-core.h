// SPDX-License-Identifier: GPL-2.0-only

#ifndef PARALLEL_SENDER_CORE_H
#define PARALLEL_SENDER_CORE_H

#include "parallel-header.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/** @brief Which connection carries which chunk. */
enum class ParallelStriping : uint8_t
{
    ROUND_ROBIN, //!< chunk i goes over connection i mod N
    PARTITION,   //!< connection j carries the j-th N-th of the transfer, as in Quanta
    ON_DEMAND    //!< the next chunk goes to any host that has room for it
};

/**
 * @ingroup lfn-parallel
 * @brief Cuts a transfer into chunks and deals them out to connections.
 */
class ParallelSenderCore
{
  public:
    /** @brief What is to be sent, and how. */
    struct Settings
    {
        uint64_t bytes{0};     //!< user bytes of the transfer, [B]; 0: it has no end
        uint32_t streams{1};   //!< connections asked for, at least 1
        uint32_t chunkSize{1}; //!< user bytes of a chunk, [B], at least 1
        ParallelStriping striping{ParallelStriping::ROUND_ROBIN}; //!< who carries what
    };

    /** @brief A transfer of nothing; assign a real one before use. */
    ParallelSenderCore() = default;

    /**
     * @brief A transfer.
     * @param settings what is to be sent; without an end there are no partitions, and nothing is
     */
    explicit ParallelSenderCore(const Settings& settings);

    /**
     * @brief Get the number of connections that carry anything.
     * @return those asked for, but no more than there are chunks
     */
    uint32_t GetStreams() const;

    /**
     * @brief Take the next chunk of a connection.
     * @param stream the connection, below GetStreams()
     * @return the chunk's header; nothing when the connection is done
     */
    std::optional<ParallelChunkHeader> Next(uint32_t stream);

    /**
     * @brief Limit a transfer without end to chunks that are available.
     * @param chunks in all so far
     */
    void SetAvailable(uint64_t chunks);

    /**
     * @brief Whether a connection has a chunk left to send.
     * @param stream the connection, below GetStreams()
     * @return false when the connection is done
     */
    bool HasNext(uint32_t stream) const;

    /**
     * @brief Get how many user bytes are within the first bytes of a connection.
     * @param wireBytes bytes of the connection, headers of chunks included, [B]
     * @return user bytes, [B]
     */
    uint64_t GetUserBytes(uint64_t wireBytes) const;

  private:
    /**
     * @brief Get the number of the chunk that a connection carries next.
     * @param stream the connection
     * @return the number from 0 on; nothing when the connection is done
     */
    std::optional<uint64_t> Peek(uint32_t stream) const;

    Settings m_settings;                 //!< what is to be sent
    uint64_t m_chunks{0};                //!< chunks in all; 0 without end
    std::optional<uint64_t> m_available; //!< chunks that may be taken; all when not set
    std::vector<uint64_t> m_next;        //!< chunks taken, by connection
    uint64_t m_taken{0};                 //!< chunks taken in all
};

} // namespace ns3::lfn

#endif // PARALLEL_SENDER_CORE_H
