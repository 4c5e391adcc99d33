// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_RECEIVER_CORE_H
#define ATOU_RECEIVER_CORE_H

#include "atou-header.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief An atou server's half of a transfer: gap table, delayed ACKs, SACK blocks (section 3.10).
 *
 * Without delayed ACKs every arrival is acknowledged at once. With them the server first waits, at
 * every arrival, for the next datagram or the heartbeat, a multiple of the delay from a phase of
 * its own, to which it counts in whole milliseconds, so that datagrams that come more often than
 * that pass it by; then it acknowledges the earlier arrival, as things stood before the later. Of
 * segments that come one above the highest one, with gaps below or not, only the odd-numbered
 * ones are acknowledged when the wait is ended by a datagram; the heartbeat acknowledges any.
 * The rule of ns's sink is there for comparisons with what others have simulated.
 *
 * SACK blocks are the three uppermost runs, downwards; the one that has the arrival comes first if
 * it is among them.
 *
 * What came above a gap is kept as runs of segments, so that an arrival costs the logarithm of
 * their number, and nothing more when it comes in order. A segment adds one run at most, however
 * far its number is from the others, and there are runLimit runs at most: a segment that needs one
 * more is refused as if it had been lost, so that the sender repeats it.
 */
class AtouReceiverCore
{
  public:
    AtouReceiverCore() = default;
    AtouReceiverCore(const AtouReceiverCore&) = delete;
    AtouReceiverCore& operator=(const AtouReceiverCore&) = delete;

    static constexpr uint32_t MAX_SEGMENT = 1U << 31; //!< no sender goes further

    /** @brief How ACKs are delayed. */
    enum class DelayRule : uint8_t
    {
        HEARTBEAT, //!< as the program does
        NS_SINK,   //!< as ns-2's TCPSink/DelAck: a segment in order waits for the delay or for the
                   //!< next segment, which is acknowledged at once; what is out of order always is
    };

    /** @brief What holds for the whole transfer. */
    struct Settings
    {
        bool sack{false};                     //!< send SACK blocks (-s)
        Time delay;                           //!< of ACKs (-d); 0: none
        DelayRule rule{DelayRule::HEARTBEAT}; //!< what delay means
        Time phase;                           //!< of the heartbeat: it beats at phase + k delay
        uint32_t gapLimit{0};  //!< a jump that would make more missing segments than this is taken
                               //!< for received, as in the original (1024); 0: none is
        bool padBlocks{false}; //!< the earliest version: an ACK always has room for 3 blocks
        std::size_t runLimit{1U << 17}; //!< most runs of segments above a gap
    };

    /** @brief An acknowledgement to send. */
    struct Ack
    {
        uint64_t time{0};              //!< time words of the datagram that it answers
        uint32_t next{1};              //!< next segment expected
        std::vector<AtouBlock> blocks; //!< SACK blocks
        uint32_t padding{0};           //!< empty bytes to send after them, B
    };

    /** @brief What the server reports at its end. */
    struct Counters
    {
        uint64_t packets{0};     //!< datagrams that came
        uint64_t acks{0};        //!< ACKs to send
        uint64_t duplicates{0};  //!< segments that were there already (dups)
        uint64_t outOfOrder{0};  //!< segments that came above the next expected one
        uint64_t skipped{0};     //!< segments that a later one overtook (drop|oo)
        uint64_t sacks{0};       //!< ACKs with blocks
        uint64_t ackTimeouts{0}; //!< ACKs that the heartbeat, or the sink's timer, sent
        uint64_t refused{0};     //!< segments 0, above MAX_SEGMENT, or one run too many
        uint32_t maxSegment{0};  //!< highest segment that came
        uint32_t maxGap{0};      //!< most segments that an arrival has skipped (maxooo)
    };

    /**
     * @brief Begin again.
     * @param settings what holds for the whole transfer
     */
    void Start(const Settings& settings);

    /**
     * @brief Take a segment.
     * @param segment its number, from 1
     * @param time its time words
     * @param now the time
     * @return true when it was new; a refused one is not, and is not acknowledged
     */
    bool OnSegment(uint32_t segment, uint64_t time, Time now);

    /** @brief The heartbeat: acknowledge what waits. */
    void Expire(Time now);

    /**
     * @brief Get the time of the heartbeat that is waited for.
     * @return the time; nothing when nothing waits
     */
    std::optional<Time> GetDeadline() const;

    /** @brief Get the next acknowledgement to send. @return the acknowledgement, or nothing */
    std::optional<Ack> NextAck();

    /**
     * @brief Get the next segment expected.
     * @return the oldest gap, or the highest segment plus 1
     */
    uint32_t GetNext() const;

    /**
     * @brief List the segments that are missing below the highest one.
     * @return runs of missing segments, ascending
     */
    std::vector<AtouBlock> ListGaps() const;

    /** @brief Get what has happened. @return the counters */
    const Counters& GetCounters() const;

  private:
    using Runs = std::map<uint32_t, uint32_t>; //!< runs: first to last segment

    /** @brief An arrival that waits to be acknowledged. */
    struct Waiting
    {
        Ack ack;           //!< as things stood after it
        bool isDue{false}; //!< the next datagram makes it go
        Time beat;         //!< the heartbeat, or the sink's timer, does so
    };

    /**
     * @brief Delay the acknowledgement of an arrival, as the rule says.
     * @param ack the acknowledgement
     * @param segment the arrival
     * @param top the highest segment that had come before it, plus 1
     * @param now the time
     */
    void Delay(Ack ack, uint32_t segment, uint32_t top, Time now);

    /**
     * @brief Find the run that has a segment.
     * @param segment the segment, not below the next expected one
     * @return the run, or end
     */
    Runs::iterator FindRun(uint32_t segment);

    /**
     * @brief Take the segment above the highest one, or one beyond.
     * @return false when there are too many runs
     */
    bool OnSegmentAbove(uint32_t segment);

    /** @brief Take a segment that was missing. @return false when there are too many runs */
    bool OnMissingSegment(uint32_t segment);

    /**
     * @brief Add a run that no other one touches.
     * @param first its first segment
     * @param last its last segment
     * @return false when there are too many
     */
    bool AddRun(uint32_t first, uint32_t last);

    /**
     * @brief Make an acknowledgement of how things stand.
     * @param segment the arrival
     * @param time time words to echo
     * @return the acknowledgement
     */
    Ack MakeAck(uint32_t segment, uint64_t time) const;

    /**
     * @brief Send an acknowledgement.
     * @param ack the acknowledgement
     */
    void Send(Ack ack);

    /** @brief Get the first heartbeat after a time. @return the heartbeat */
    Time GetNextBeat(Time now) const;

    Settings m_settings;              //!< what holds for the whole transfer
    uint32_t m_next{1};               //!< next segment expected
    uint32_t m_top{1};                //!< highest segment that came, plus 1
    uint64_t m_missing{0};            //!< segments missing below m_top
    Runs m_runs;                      //!< what is there above m_next
    std::optional<Waiting> m_waiting; //!< the arrival that waits
    std::deque<Ack> m_acks;           //!< acknowledgements to send
    Counters m_counters;              //!< what has happened
};

} // namespace ns3::lfn

#endif // ATOU_RECEIVER_CORE_H
