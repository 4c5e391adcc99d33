// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_ESTIMATES_H
#define UDT_ESTIMATES_H

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup lfn-udt
 * What UDT's ends measure: round-trip time, arrival rate, capacity of the link.
 */

namespace ns3::lfn
{

/** @brief How the last intervals between arrivals become one (UDT-30; SRT, file mode). */
enum class UdtFilter : uint8_t
{
    UDT4,  //!< median of the ring without its last place, mean in whole ticks
    EXACT, //!< exact median, mean in whole ticks (UDT3, draft)
    SRT    //!< the larger one of the two intervals in the middle, exact mean
};

/**
 * @ingroup lfn-udt
 * @brief Smoothed round-trip time in whole microseconds (UDT-28).
 */
class UdtRttEstimator
{
  public:
    /**
     * @brief An estimator.
     * @param takesFirst the first sample replaces the initial values, with half of it as the
     *        variation (SRT)
     */
    explicit UdtRttEstimator(bool takesFirst = false);

    /**
     * @brief Take a sample.
     * @param us round-trip time, us, up to 10 s
     */
    void OnSample(uint32_t us);

    /**
     * @brief Take the peer's estimate as it is.
     * @param rtt smoothed round-trip time, us, up to 10 s
     * @param variation its variation, us, up to 10 s
     */
    void Set(uint32_t rtt, uint32_t variation);

    /** @brief Get the smoothed round-trip time. @return us; 100 ms at the start */
    uint32_t GetRtt() const;

    /** @brief Get its variation. @return us; 50 ms at the start */
    uint32_t GetVariation() const;

    /** @brief Get RTT + 4 RTTVar. @return the time */
    Time GetTimeout() const;

  private:
    bool m_takesFirst;           //!< the next sample is the first one, and is taken as it is
    uint32_t m_rtt{100000};      //!< us
    uint32_t m_variation{50000}; //!< us
};

/**
 * @ingroup lfn-udt
 * @brief The last intervals between arrivals, in ticks of a clock.
 */
class UdtIntervals
{
  public:
    /**
     * @brief A ring.
     * @param size intervals that it holds, at least 2
     * @param start length of each of them at the start
     * @param tick granularity of the clock; 0 for that of the simulator
     */
    UdtIntervals(uint32_t size, Time start, Time tick);

    /**
     * @brief Add the interval between two times, in place of the oldest one.
     * @param from the earlier time
     * @param to the later time
     */
    void Add(Time from, Time to);

    /**
     * @brief Get the median.
     * @param filter element size / 2 of the sorted intervals, for UDT4 without the last place of
     *        the ring; for EXACT the mean of the two in the middle
     * @return ticks, rounded down
     */
    int64_t GetMedian(UdtFilter filter) const;

    /** @brief Sum and number of some intervals. */
    struct Total
    {
        int64_t sum{0};    //!< ticks
        uint32_t count{0}; //!< how many
    };

    /**
     * @brief Add up the intervals near the median.
     * @param median ticks
     * @return of those strictly between an eighth and eight times of it
     */
    Total GetNear(int64_t median) const;

    /**
     * @brief Turn an interval into a rate.
     * @param ticks the interval, above 0
     * @return intervals per second, rounded up
     */
    uint32_t GetRate(double ticks) const;

  private:
    std::vector<int64_t> m_ticks; //!< the ring
    std::size_t m_next{0};        //!< place of the oldest
    int64_t m_tick;               //!< of the clock, in the simulator's time steps
};

/**
 * @ingroup lfn-udt
 * @brief Rate at which packets arrive (UDT-30).
 */
class UdtArrivalRate
{
  public:
    /**
     * @brief An estimator.
     * @param window intervals that are kept
     * @param filter how they become one
     * @param tick granularity of the clock; 0 for that of the simulator
     */
    UdtArrivalRate(uint32_t window, UdtFilter filter, Time tick);

    /**
     * @brief Take a data packet.
     * @param now when it arrives
     */
    void OnPacket(Time now);

    /** @brief Get the rate. @return packets/s; 0 for unknown */
    uint32_t GetRate() const;

  private:
    UdtIntervals m_intervals;   //!< between arrivals
    uint32_t m_window;          //!< how many
    UdtFilter m_filter;         //!< how they become one
    std::optional<Time> m_last; //!< the last arrival
};

/**
 * @ingroup lfn-udt
 * @brief Capacity of the link, from pairs of packets that leave back to back (UDT-31).
 */
class UdtCapacity
{
  public:
    /**
     * @brief An estimator.
     * @param window pairs that are kept
     * @param filter how they become one
     * @param tick granularity of the clock; 0 for that of the simulator
     * @param isStrict only consecutive packets that are new make a pair, and a short second one
     *        counts as a full one (SRT)
     */
    UdtCapacity(uint32_t window, UdtFilter filter, Time tick, bool isStrict = false);

    /** @brief A data packet of a pair. */
    struct Sample
    {
        uint32_t sequence{0}; //!< its number: a pair begins at multiples of 16
        bool isNew{true};     //!< its number is larger than all before
        double share{1};      //!< its user bytes over those of a full packet
    };

    /**
     * @brief Take a data packet.
     * @param sample the packet
     * @param now when it arrives
     */
    void OnPacket(const Sample& sample, Time now);

    /** @brief Get the capacity. @return packets/s; 0 for unknown */
    uint32_t GetRate() const;

  private:
    UdtIntervals m_intervals;         //!< within pairs
    UdtFilter m_filter;               //!< how they become one
    bool m_isStrict;                  //!< only consecutive new packets count
    Time m_first;                     //!< when the first packet of a pair arrived last
    std::optional<uint32_t> m_second; //!< number that makes a strict pair with it
};

/**
 * @ingroup lfn-udt
 * @brief Acknowledgements that the peer has not yet answered (UDT-29).
 */
class UdtAckWindow
{
  public:
    /** @brief What an answer says. */
    struct Answer
    {
        int64_t next{0};   //!< packet that the acknowledgement expected next
        uint32_t rttUs{0}; //!< time from the acknowledgement to its answer, us
    };

    /**
     * @brief Remember an acknowledgement, in place of the oldest of 1024.
     * @param next packet that it expects next
     * @param now when it leaves
     * @return its number, from 1
     */
    uint32_t Add(int64_t next, Time now);

    /**
     * @brief Take an answer, and forget all acknowledgements up to that.
     * @param number of the acknowledgement
     * @param now when the answer arrives
     * @return what it says; nothing when the number is not known
     */
    std::optional<Answer> OnAnswer(uint32_t number, Time now);

  private:
    /** @brief An acknowledgement. */
    struct Entry
    {
        int64_t next; //!< packet that it expects next
        Time sent;    //!< when it left
    };

    std::deque<Entry> m_entries; //!< in order of their numbers
    uint32_t m_first{1};         //!< number of the first entry
};

} // namespace ns3::lfn

#endif // UDT_ESTIMATES_H
