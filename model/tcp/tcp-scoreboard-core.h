// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_SCOREBOARD_CORE_H
#define TCP_SCOREBOARD_CORE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief A TCP sender's state of the data that it sent (RFC 6675, section 3), with operations
 * whose cost grows with the logarithm of the window at most.
 *
 * Data are offsets in the stream of the connection. What was sent stands in segments, from the
 * first unacknowledged byte on without a gap. It decides as ns-3's TcpTxBuffer does, which walks
 * the list of all segments for nearly every question.
 */
class TcpScoreboardCore
{
  public:
    /** @brief What an estimate of the delivery rate has to remember of a segment. */
    struct Record
    {
        uint64_t deliveredBytes{0};      //!< delivered by the connection when it was sent
        Time deliveredTime{Time::Max()}; //!< of the last of these; maximum: counted already
        Time firstSent{Time::Max()};     //!< when the first one of its flight was sent
        Time lastSent{Time::Max()};      //!< when it was sent last
        bool isAppLimited{false};        //!< there was no more to send
    };

    /** @brief Data that were sent together. */
    struct Segment
    {
        uint32_t bytes{0};           //!< size, [B]
        bool isSacked{false};        //!< said or guessed to have arrived
        bool isLost{false};          //!< taken for lost
        bool isRetransmitted{false}; //!< retransmitted since it was taken for lost
        int64_t sentBefore{0};       //!< where new data began when it was retransmitted
        Record record;               //!< for an estimate of the rate
    };

    /** @brief A piece of the stream. */
    struct Range
    {
        int64_t begin; //!< first byte
        int64_t end;   //!< behind the last byte
    };

    /** @brief What ns-3's TcpTxBuffer does, and RFC 6675 does not. */
    enum class Rules
    {
        RFC, //!< RFC 6675; a retransmission that SACK shows to be lost is lost
        NS3  //!< a sacked retransmission stays in flight, a lost one waits for the timer
    };

    /** @brief Called with a segment that has arrived, once when it is sacked and when acknowledged.
     */
    using Delivered = std::function<void(Segment& segment)>;

    /**
     * @brief An empty scoreboard at offset 0.
     * @param delivered called with what arrives
     */
    explicit TcpScoreboardCore(Delivered delivered);

    /** @brief Get the first unacknowledged byte. @return its offset */
    int64_t GetHead() const
    {
        return m_head;
    }

    /** @brief Get where new data begin. @return offset behind the last byte that was sent */
    int64_t GetEnd() const
    {
        return m_head + m_sentBytes;
    }

    /** @brief Get how much was sent and is not acknowledged. @return bytes */
    uint32_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    /** @brief Get how much of it is sacked. @return bytes */
    uint32_t GetSackedBytes() const
    {
        return m_sackedBytes;
    }

    /** @brief Get how much of it is taken for lost. @return bytes */
    uint32_t GetLostBytes() const
    {
        return m_lostBytes;
    }

    /** @brief Get how much of it was retransmitted. @return bytes */
    uint32_t GetRetransmittedBytes() const
    {
        return m_retransmittedBytes;
    }

    /** @brief Estimate what is on its way (RFC 6675: pipe). @return bytes */
    uint32_t GetBytesInFlight() const
    {
        return m_sentBytes - m_sackedBytes - m_lostBytes + m_retransmittedBytes;
    }

    /**
     * @brief Whether a byte is taken for lost (RFC 6675: IsLost()).
     * @param offset the byte
     * @return true below the highest sacked segment, in a segment that is taken for lost
     */
    bool IsLost(int64_t offset) const;

    /**
     * @brief Whether the first segment is sacked, and so the receiver has lost it after all.
     * @return true if so
     */
    bool IsHeadSacked() const;

    /**
     * @brief Whether an acknowledgement ends at a segment that was retransmitted.
     * @param ack offset behind the last byte that it acknowledges
     * @return true if such a segment ends there, and was not sacked
     */
    bool IsRetransmittedDataAcked(int64_t ack) const;

    /**
     * @brief Find what to retransmit (RFC 6675: NextSeg(), rule 1).
     * @return offset of the first segment that is taken for lost and was not retransmitted
     */
    std::optional<int64_t> FindLost() const;

    /**
     * @brief Find what to retransmit if there is nothing else (RFC 6675: NextSeg(), rule 3).
     * @return offset of the first segment that was neither sacked nor retransmitted, below the
     * highest sacked one
     */
    std::optional<int64_t> FindUnsacked() const;

    /**
     * @brief New data are sent.
     * @param bytes size, at least 1
     * @return the new segment, valid until the next call
     */
    Segment& Send(uint32_t bytes);

    /**
     * @brief Data are retransmitted; segments are split or joined to fit.
     * @param offset first byte, one that was sent
     * @param bytes at most this number
     * @return the segment, valid until the next call
     */
    Segment& Retransmit(int64_t offset, uint32_t bytes);

    /** @brief The last segment was not sent after all. */
    void TakeBack();

    /**
     * @brief The receiver has reported what it holds (RFC 6675: Update()).
     *
     * Segments that lie in a range as a whole are sacked. Then all that lies below DupThresh sacked
     * segments is taken for lost.
     * @param ranges what it says, in its order; one that begins behind all that was sent ends it
     * @param threshold DupThresh, 3 in RFC 6675
     * @param rules whose rules hold
     * @return bytes that are new
     */
    uint32_t Update(const std::vector<Range>& ranges, uint32_t threshold, Rules rules = Rules::NS3);

    /**
     * @brief Get which retransmissions are known to be lost.
     * @return where new data began when the last one of these was sent; 0: none was lost
     */
    int64_t GetLostRetransmission() const;

    /**
     * @brief Data are acknowledged.
     * @param ack offset behind them
     * @param isGuess what is sacked is a guess, which is wrong for the first segment
     */
    void Discard(int64_t ack, bool isGuess = true);

    /** @brief The first segment is taken for lost, and has to be retransmitted. */
    void LoseHead();

    /** @brief Without SACK: a duplicate ACK means that a segment behind the first one arrived. */
    void AddRenoSack();

    /** @brief Forget which segments are sacked. */
    void ForgetSacks();

    /**
     * @brief The retransmission timer has expired: all that is not sacked is taken for lost.
     * @param isForgetting forget what was sacked, too
     */
    void LoseAll(bool isForgetting);

  private:
    using Segments = std::map<int64_t, Segment>; //!< by the offset of their first byte

    /// Find the segment that holds a byte, or the end.
    Segments::iterator Find(int64_t offset);

    /// Find the segment that holds a byte, or the end.
    Segments::const_iterator Find(int64_t offset) const;

    /// Split a segment; returns the second part. The first one's record is a new one, as in ns-3.
    Segments::iterator Split(Segments::iterator segment, uint32_t bytes);

    /// Join a segment and the next one to be retransmitted together.
    void Join(Segments::iterator segment);

    /// Mark a segment as sacked.
    void Sack(Segments::iterator segment);

    /// Mark a segment as not sacked; it is the first one.
    void UnsackHead();

    /// Mark a segment as lost.
    void Lose(Segments::iterator segment);

    /// Keep the set of what is to be retransmitted in step with a segment's marks.
    void Note(Segments::iterator segment);

    /// Find the last of DupThresh sacked segments, counted from the highest one downwards.
    Segments::iterator FindThreshold(uint32_t threshold);

    /// Take what lies below an offset for lost, unless it is sacked.
    void LoseBelow(int64_t end);

    /// Take retransmissions for lost that were sent before the data at an offset.
    void LoseRetransmissions(int64_t end);

    /// A segment is not retransmitted any more, or not yet.
    void ForgetRetransmission(Segments::iterator segment);

    /// Skip a run of sacked segments.
    int64_t SkipSacked(int64_t offset) const;

    /// Take part of a segment out of the counters.
    void Uncount(const Segment& segment, uint32_t bytes);

    Delivered m_delivered;                   //!< called with what arrives
    int64_t m_head{0};                       //!< first unacknowledged byte
    Segments m_segments;                     //!< what was sent
    std::map<int64_t, int64_t> m_sackedRuns; //!< beginning and end of runs of sacked segments
    std::set<int64_t> m_toSend;              //!< lost, neither sacked nor retransmitted
    /// Retransmissions in flight, by where new data began when they were sent, and their offset.
    std::set<std::pair<int64_t, int64_t>> m_retransmissions;
    int64_t m_lostRetransmission{0};      //!< GetLostRetransmission()
    std::optional<int64_t> m_highestSack; //!< beginning of the highest sacked segment
    int64_t m_lostBelow{0};               //!< all that is not sacked below it is lost
    mutable int64_t m_unsackedFrom{0};    //!< nothing below it is FindUnsacked()'s
    uint32_t m_sentBytes{0};              //!< in m_segments, [B]
    uint32_t m_sackedBytes{0};            //!< of these sacked, [B]
    uint32_t m_lostBytes{0};              //!< of these lost, [B]
    uint32_t m_retransmittedBytes{0};     //!< of these retransmitted, [B]
};

} // namespace ns3::lfn

#endif /* TCP_SCOREBOARD_CORE_H */
