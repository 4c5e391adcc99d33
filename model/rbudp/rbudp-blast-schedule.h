// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_BLAST_SCHEDULE_H
#define RBUDP_BLAST_SCHEDULE_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief Which datagrams a blast sends, in order: all of them, then exactly the missing ones.
 *
 * Walks the clear bits of the last bitmap. A blast costs its datagrams plus one look at every
 * bitmap byte, which is less than receiving the bitmap cost.
 */
class RbudpBlastSchedule
{
  public:
    /** @brief A blast of nothing. */
    RbudpBlastSchedule() = default;

    /**
     * @brief The first blast: every datagram.
     * @param datagrams number of datagrams, N
     */
    explicit RbudpBlastSchedule(uint64_t datagrams);

    /**
     * @brief A later blast: the datagrams whose bit is clear.
     * @param datagrams number of datagrams, N
     * @param bitmap of an acknowledgement: floor(N / 8) + 1 bytes, tail bits set
     */
    RbudpBlastSchedule(uint64_t datagrams, std::vector<uint8_t> bitmap);

    /** @brief Size of the blast. @return datagrams that it sends in all */
    uint64_t GetSize() const;

    /**
     * @brief Take the next datagram.
     * @return its number, ascending; nothing when the blast has been sent
     */
    std::optional<uint64_t> Next();

  private:
    uint64_t m_datagrams{0};       //!< N
    uint64_t m_size{0};            //!< datagrams of this blast
    uint64_t m_next{0};            //!< number to look at next
    std::vector<uint8_t> m_bitmap; //!< received datagrams; empty for the first blast
};

} // namespace ns3::lfn

#endif // RBUDP_BLAST_SCHEDULE_H
