// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_STORAGE_CORE_H
#define LFN_STORAGE_CORE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A disk behind a cache: when a write call returns, and when bytes to send are there.
 *
 * It has no events: it is asked with the time, which never goes back, and answers with a time. One
 * disk either writes or reads. Without a rate nothing takes time. What would take longer than half
 * of ns-3's longest time, 146 years, takes that.
 *
 * Writing: the disk drains the cache at its rate D. A write call returns when the cache of C bytes
 * holds what the disk has not yet written. S bytes that arrive at rate B are in the cache after
 * max(S / B, (S - C) / D) and on the disk after max(S / B, S / D).
 *
 * Reading: the disk reads ahead in sequence from the first call on, so byte x is there 8 * x / D
 * later. The last C bytes read are in the cache; an earlier byte is read again.
 */
class StorageCore
{
  public:
    /** @brief What a disk can do. */
    struct Settings
    {
        DataRate rate;          //!< of the disk; 0 bit/s: there is no disk
        uint64_t cacheBytes{0}; //!< size of the cache, [B]
        Time seekTime;          //!< for an offset that is not the end of the access before
    };

    /** @brief Bytes of a file. */
    struct Range
    {
        uint64_t offset{0}; //!< place of the first one, [B]
        uint32_t bytes{0};  //!< how many, [B]
    };

    /** @brief Without a disk. */
    StorageCore() = default;

    /**
     * @brief A disk at rest.
     * @param settings what it can do
     */
    explicit StorageCore(const Settings& settings);

    /** @brief Check whether there is a disk. @return false when nothing takes time */
    bool HasDisk() const;

    /**
     * @brief Write.
     * @param now when the call is made
     * @param bytes how many, [B]; 0 writes nothing
     * @param offset their place; unless given the end of the write before
     * @return when the call returns, now at the earliest
     */
    Time Write(Time now, uint32_t bytes, std::optional<uint64_t> offset = std::nullopt);

    /**
     * @brief Get when the last byte that was written reaches the disk.
     * @return the time; nothing when nothing was written or there is no disk
     */
    std::optional<Time> GetLastWrite() const;

    /**
     * @brief Read.
     * @param now when the bytes are asked for
     * @param range which bytes
     * @return when the last of them is there, now at the earliest
     */
    Time Read(Time now, const Range& range);

  private:
    /**
     * @brief Get the time that the disk needs.
     * @param bytes how many, [B]
     * @return the time; what is longer than half of ns-3's longest time is that
     */
    Time GetTime(uint64_t bytes) const;

    /**
     * @brief Add times.
     * @param one a time, at least 0
     * @param other another one, at least 0
     * @return the sum; what is longer than half of ns-3's longest time is that
     */
    static Time Add(Time one, Time other);

    Settings m_settings;         //!< what the disk can do
    std::optional<Time> m_begin; //!< of writing without a pause, or of reading ahead
    uint64_t m_bytes{0};         //!< written since, or read ahead up to here, [B]
    uint64_t m_next{0};          //!< end of the access before, of reads not ahead, [B]
    Time m_free;                 //!< when the disk has read what was read again
};

} // namespace ns3::lfn

#endif // LFN_STORAGE_CORE_H
