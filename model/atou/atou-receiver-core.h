// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_RECEIVER_CORE_H
#define ATOU_RECEIVER_CORE_H

#include "atou-header.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-atou
 * ns3::lfn::AtouReceiverCore declaration.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief An atou server's half of a transfer: hole table, delayed ACKs, SACK blocks (section 3.10).
 *
 * Without delayed ACKs every arrival is acknowledged at once. With them the server first waits, at
 * every arrival, for the next datagram or the heartbeat, a multiple of the delay from a phase of
 * its own; then it acknowledges the earlier arrival, as things stood before the later one. Of
 * segments that come in order only the odd-numbered ones are acknowledged when the wait is ended
 * by a datagram; the heartbeat acknowledges any.
 */
class AtouReceiverCore
{
  public:
    /** @brief What holds for the whole transfer. */
    struct Settings
    {
        bool sack{false};              //!< send SACK blocks (-s)
        Time delay;                    //!< of ACKs (-d); 0: none
        Time phase;                    //!< of the heartbeat: it beats at phase + k delay
        bool oddOnlyAlways{false};     //!< also segments out of order are acknowledged when odd only
        uint32_t holeLimit{0};         //!< holes beyond these are forgotten, as in the original; 0: none are
        bool padBlocks{false};         //!< the earliest version: an ACK always has room for 3 blocks
    };

    /** @brief An acknowledgement to send. */
    struct Ack
    {
        uint64_t time{0};              //!< time words of the datagram that it answers
        uint32_t next{1};              //!< next segment expected
        std::vector<AtouBlock> blocks; //!< SACK blocks, the most recent one first
    };

    /** @brief What the server tells at its end. */
    struct Counters
    {
        uint64_t packets{0};     //!< datagrams that came
        uint64_t acks{0};        //!< ACKs to send
        uint64_t duplicates{0};  //!< segments that were there already (dups)
        uint64_t outOfOrder{0};  //!< segments that came above the next expected one (drop|oo)
        uint64_t sacks{0};       //!< ACKs with blocks
        uint64_t ackTimeouts{0}; //!< ACKs that the heartbeat sent
        uint32_t maxSegment{0};  //!< highest segment that came
        uint32_t maxGap{0};      //!< largest distance of an arrival below the highest one (maxooo)
    };

    /**
     * @brief Begin anew.
     * @param settings what holds for the whole transfer
     */
    void Start(const Settings& settings);

    /**
     * @brief Take a segment.
     * @param segment its number, from 1
     * @param time its time words
     * @param now the time
     * @return true when it was new
     */
    bool TakeSegment(uint32_t segment, uint64_t time, Time now);

    /**
     * @brief The heartbeat: acknowledge what waits.
     * @param now the time
     */
    void Expire(Time now);

    /**
     * @brief Get the time of the heartbeat that is waited for.
     * @return the time; nothing when nothing waits
     */
    std::optional<Time> GetDeadline() const;

    /**
     * @brief Get the next acknowledgement to send.
     * @return the acknowledgement, or nothing
     */
    std::optional<Ack> NextAck();

    /**
     * @brief Get the next segment expected.
     * @return the oldest hole, or the highest segment plus 1
     */
    uint32_t GetNext() const;

    /**
     * @brief List the segments that are missing below the highest one.
     * @return runs of missing segments, ascending
     */
    std::vector<AtouBlock> ListHoles() const;

    /**
     * @brief Get what has happened.
     * @return the counters
     */
    const Counters& GetCounters() const;

    // private part: the author's
};

} // namespace ns3::lfn

#endif // ATOU_RECEIVER_CORE_H
