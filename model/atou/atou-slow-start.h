// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_SLOW_START_H
#define ATOU_SLOW_START_H

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief Growth in slow start: ssincr an ACK, or limited (RFC 3742) above max_ssthresh.
 */
class AtouSlowStart
{
  public:
    /** @brief max_ssthresh that RFC 3742 suggests, and that Vegas' gamma takes, segments. */
    static constexpr double USUAL_MAX_SSTHRESH = 100;

    /**
     * @brief Constructor.
     * @param ssIncr growth an ACK, segments
     * @param maxSsthresh growth is limited above this window, segments; 0: never
     */
    AtouSlowStart(double ssIncr, double maxSsthresh);

    /**
     * @brief Grow for an ACK.
     * @param cwnd the window, segments
     * @return what it grows by, segments
     */
    double Step(double cwnd) const;

    /**
     * @brief Grow for an ACK by the limited law: at most maxSsthresh / 2 per RTT.
     * @param cwnd the window, segments
     * @param maxSsthresh the window that the limit is for, segments
     * @return what it grows by, segments; RFC 3742's 1/K with K not cut to a whole number
     */
    static double LimitedStep(double cwnd, double maxSsthresh);

  private:
    double m_ssIncr;      //!< growth an ACK, segments
    double m_maxSsthresh; //!< 0: growth is never limited, segments
};

} // namespace ns3::lfn

#endif // ATOU_SLOW_START_H
