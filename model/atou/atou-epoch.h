// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_EPOCH_H
#define ATOU_EPOCH_H

#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief An RTT as atou counts them: it ends with the first ACK beyond the segment that was
 *        next to be sent when it began (section 3.7).
 */
class AtouEpoch
{
  public:
    /**
     * @brief Begin with no epoch before.
     * @param nxt the next segment to send
     */
    void Begin(uint32_t nxt);

    /**
     * @brief Begin the epoch after this one.
     * @param nxt the next segment to send
     */
    void Continue(uint32_t nxt);

    /** @brief Take a round-trip time. */
    void OnRtt(Time rtt)
    {
        m_last = rtt;
        m_base = std::min(m_base, rtt);
        m_min = m_samples == 0 ? rtt : std::min(m_min, rtt);
        m_max = std::max(m_max, rtt);
        m_sum += rtt;
        ++m_samples;
    }

    /**
     * @brief Check whether an ACK ends the epoch.
     * @param ack the next segment that the receiver expects; with SACK the last one that it has
     * @return true when it does
     */
    bool IsEndedBy(uint32_t ack) const
    {
        return ack > m_mark;
    }

    /**
     * @brief Count the segments that were acknowledged in an epoch.
     * @param ack the one that ends it
     * @return segments; those sent in the epoch before
     */
    uint32_t CountAcked(uint32_t ack) const;

    /**
     * @brief Count the segments that the epoch has sent.
     * @param nxt the next segment to send
     * @return segments; those that go-back-N took back are not in it
     */
    uint32_t CountSent(uint32_t nxt) const;

    /** @brief Get the last round-trip time. @return s */
    double GetLast() const;

    /** @brief Get the smallest round-trip time. @return s */
    double GetMin() const;

    /** @brief Get the mean of the round-trip times. @return s */
    double GetMean() const;

    /** @brief Get the largest round-trip time. @return s */
    double GetMax() const;

    /** @brief Get the smallest round-trip time of all epochs. @return s */
    double GetBase() const;

  private:
    uint32_t m_mark{1};    //!< next segment to send when it began
    uint32_t m_before{0};  //!< next segment to send when the one before began
    uint64_t m_samples{0}; //!< round-trip times taken
    Time m_last;           //!< round-trip time
    Time m_min;            //!< round-trip time
    Time m_sum;            //!< of round-trip times
    Time m_max;            //!< round-trip time

    Time m_base{Time::Max()}; //!< smallest of all epochs
};

} // namespace ns3::lfn

#endif // ATOU_EPOCH_H
