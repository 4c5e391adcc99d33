// SPDX-License-Identifier: GPL-2.0-only
#ifndef LFN_PACER_H
#define LFN_PACER_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Departure times of equal datagrams at a constant rate, on an absolute schedule.
 *
 * Datagram i is due i * T after the start, so lateness of one datagram does not move the next ones
 * and no rounding error accumulates. T is the time of one datagram's bits at the rate. Without a
 * quantum the schedule is exact to the nanosecond (floor of i * bits / rate); with one, T itself
 * is truncated to a whole number of quanta, as the published RBUDP tools do with 1 us.
 */
class Pacer
{
  public:
    /** @brief A pacer whose datagrams are all due at once; assign a real one before use. */
    Pacer() = default;

    /**
     * @brief Set up the schedule.
     * @param rate rate of payload bits, above 0 bit/s
     * @param datagramBytes payload bytes of a full datagram
     * @param quantum granularity of the interval; zero for an ideal clock. An interval shorter
     *        than one quantum becomes one quantum.
     */
    Pacer(DataRate rate, uint32_t datagramBytes, Time quantum);

    /**
     * @brief Offset from the start at which the next datagram is due.
     * @return 0 for the first datagram, then i * T
     */
    Time GetOffset() const;

    /** @brief Go on to the following datagram. */
    void Advance();

  private:
    uint64_t m_offset{0};    //!< offset of the next datagram, ns
    uint64_t m_whole{0};     //!< whole nanoseconds of the interval
    uint64_t m_fraction{0};  //!< rest of the interval, in 1/m_divisor ns
    uint64_t m_divisor{1};   //!< denominator of the rest
    uint64_t m_remainder{0}; //!< accumulated rest, below m_divisor
};

} // namespace ns3::lfn

#endif // LFN_PACER_H
