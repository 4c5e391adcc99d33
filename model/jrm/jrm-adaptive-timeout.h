// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_ADAPTIVE_TIMEOUT_H
#define JRM_ADAPTIVE_TIMEOUT_H

#include "ns3/nstime.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief A timeout interval that follows how often it expires (paper, section 2).
 *
 * "If timeouts are frequent the interval is lengthened. If the timer is frequently reset while
 * there is still a significant amount of time left, it is shortened." The paper gives no
 * constants: deviation JRM-D7.
 */
class JrmAdaptiveTimeout
{
  public:
    /** @brief How an interval adapts. */
    struct Rules
    {
        bool adaptive{true};            //!< off: the interval stays as it was set
        double increase{1.5};           //!< factor of an expiry, above 1
        double decrease{0.9};           //!< factor of a reset with much time left, 0 to 1
        double shrinkIfLeft{0.5};       //!< part of the interval that is "a significant amount"
        Time shortest{MilliSeconds(5)}; //!< lower bound
        Time longest{Seconds(2)};       //!< upper bound, of waits between requests, too
    };

    /** @brief An interval of zero that never adapts. */
    JrmAdaptiveTimeout() = default;

    /**
     * @brief An interval.
     * @param initial its first value; the bounds hold for what adapts, not for it
     * @param rules how it adapts
     */
    JrmAdaptiveTimeout(Time initial, const Rules& rules);

    /** @brief Get the interval. @return the present value */
    Time Get() const;

    /** @brief A timer of this interval has expired. */
    void Expired();

    /**
     * @brief A timer of this interval was reset.
     * @param left time that it still had
     */
    void Reset(Time left);

  private:
    Time m_interval;                  //!< the present value
    Rules m_rules{.adaptive = false}; //!< how it adapts
};

} // namespace ns3::lfn

#endif // JRM_ADAPTIVE_TIMEOUT_H
