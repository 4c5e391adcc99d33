// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_OUTPUT_H
#define ATOU_OUTPUT_H

#include "atou-state.h"
#include "atou-statistics.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief A segment to send.
 */
struct AtouTransmission
{
    uint32_t segment{0};    //!< its number, from 1
    bool isRepeated{false}; //!< it was sent before
    bool isDropped{false};  //!< droplist: it is not to be put on the wire
};

/**
 * @ingroup lfn-atou
 * @brief What a sender has decided to send: numbers new segments, counts, applies the droplist.
 */
class AtouOutput
{
  public:
    static constexpr uint32_t LAST = 1U << 31U; //!< an endless run ends before it, segment number

    /**
     * @brief Begin.
     * @param state the sender's state, whose nxt and max it advances
     * @param statistics the counters of the summary
     * @param maxPkts segments below it are sent; 0: up to LAST
     * @param dropList segments not to be put on the wire, each entry once
     */
    void Start(AtouState& state,
               AtouStatistics& statistics,
               uint32_t maxPkts,
               const std::vector<uint32_t>& dropList);

    /**
     * @brief Send nothing beyond max any more: maxtime is over.
     *
     * As in the program max may be one beyond maxpkts, since Retransmit() counts nxt as sent.
     */
    void Close();

    /**
     * @brief Send the segment at nxt.
     * @return false when there is none: maxpkts or the end of maxtime
     */
    bool SendNext();

    /**
     * @brief Send a segment again; nxt stays.
     *
     * As in the program max becomes nxt + 1 at least, though nxt has not been sent.
     *
     * @param segment its number, below max
     */
    void Retransmit(uint32_t segment);

    /**
     * @brief Check whether there are segments to send at nxt.
     * @return false at maxpkts or when maxtime is over
     */
    bool HasNext() const;

    /**
     * @brief Check whether all is acknowledged that was to be sent.
     * @return true when una has come to the end
     */
    bool IsDone() const;

    /** @brief Take the next segment out. @return the segment, or nothing */
    std::optional<AtouTransmission> Take();

  private:
    /**
     * @brief Put a segment in the queue.
     * @param segment its number
     */
    void Put(uint32_t segment);

    AtouState* m_state{nullptr};             //!< the sender's
    AtouStatistics* m_statistics{nullptr};   //!< the sender's
    uint32_t m_end{LAST};                    //!< segments below it are sent
    uint32_t m_sent{1};                      //!< highest segment sent, plus 1
    std::vector<uint32_t> m_drops;           //!< droplist entries not yet used
    std::deque<AtouTransmission> m_segments; //!< to send
};

} // namespace ns3::lfn

#endif // ATOU_OUTPUT_H
