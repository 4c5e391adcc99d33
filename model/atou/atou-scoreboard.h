// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_SCOREBOARD_H
#define ATOU_SCOREBOARD_H

#include "atou-header.h"

#include <cstdint>
#include <map>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief What SACK blocks have reported: runs of segments that the receiver has beyond a gap, and
 * up
 *        to where gaps were retransmitted.
 *
 * A gap is any segment below the highest run that is in none. Gaps are retransmitted from the
 * lowest up, and new ones come only above the others, so one number says which were. Work depends
 * on the number of runs (its logarithm), not on the window.
 */
class AtouScoreboard
{
  public:
    /** @brief Forget everything. */
    void Clear();

    /**
     * @brief Note a block.
     * @param block the block
     * @param una segments below it are acknowledged and of no interest
     * @return segments of it that were not known
     */
    uint32_t Mark(const AtouBlock& block, uint32_t una);

    /**
     * @brief Forget what is acknowledged.
     * @param una the oldest segment that is not
     */
    void Advance(uint32_t una);

    /**
     * @brief Note that a gap was retransmitted, and with it all below.
     * @param segment the gap
     */
    void MarkResent(uint32_t segment);

    /** @brief Forget which gaps were retransmitted. */
    void ForgetResent();

    /**
     * @brief Find the lowest gap that was not retransmitted.
     * @param una the oldest segment not acknowledged
     * @return the gap, or nothing
     */
    std::optional<uint32_t> FindGap(uint32_t una) const;

    /** @brief Count the segments in all runs. @return segments */
    uint32_t CountSacked() const;

  private:
    /**
     * @brief Find the first run that begins above a segment.
     *
     * Blocks report recent arrivals: it is looked for at the upper end first.
     *
     * @return the run, or the end
     */
    std::map<uint32_t, uint32_t>::iterator FindAbove(uint32_t segment);

    std::map<uint32_t, uint32_t> m_runs; //!< first to last segment, apart from each other
    uint32_t m_sacked{0};                //!< segments in them
    uint32_t m_resent{0};                //!< gaps below it were retransmitted
};

} // namespace ns3::lfn

#endif // ATOU_SCOREBOARD_H
