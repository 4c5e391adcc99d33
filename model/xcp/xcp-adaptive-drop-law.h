// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_ADAPTIVE_DROP_LAW_H
#define XCP_ADAPTIVE_DROP_LAW_H

#include "xcp-drop-law.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief A drop probability that follows E2E's fair share of the window; not in the report, which
 * leaves it open (RR2007-46, sections 6 and 7).
 *
 * A flow's fair window is W = BW_T RTT / (M packet), and TCP keeps a mean window of W under a loss
 * of K/W^2, K = 1.5. With x what E2E flows take over their fair share,
 *
 *     p = c K/W^2 (W/K)^(steepness (x - 1)),
 *
 * nothing below a gate of x. The exponent hits TCP near the top of its saw-tooth and spares it
 * after a loss; of steepness 1 it asks for one loss per window at x = 2. The correction c, bounded
 * and begun at 1, integrates x - 1 with the time between losses, W RTT / K, for unit, and finds the
 * constant of other TCPs.
 *
 * The correction learns below the gate as well, since there timeouts show, and a timeout is its
 * least unit of time. It does not learn before E2E flows have come to their fair share or ought to
 * have had a loss each: their growth until then is not its effect.
 *
 * Slow start would overshoot long before such a p drops anything. Hence a brake: while x grows by
 * more than a factor in each of two successive intervals, and would pass a threshold in the next
 * one, and by more than congestion avoidance gives, a few losses per flow and window are asked for.
 * It stays alert for a number of intervals, in which it takes less growth to set it off again.
 *
 * It decides once per RTT of TCP: shorter intervals, where XCP's RTT is the shorter
 * one, are put together, since they show the bursts of one window and no growth. The brake has
 * the flows' number in the first RTTs: of SRED it needs CompareWhileFilling.
 */
class XcpAdaptiveDropLaw : public XcpDropLaw
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    Decision Decide(const Observation& interval) override;
    Decision Rest() override;

    /** @brief Get the correction of the square-root law. @return c */
    double GetCorrection() const;

  private:
    /**
     * @brief Take an interval to those that are not yet one RTT of E2E.
     * @param interval what was seen in it
     * @param rtt of E2E, [s]
     * @return the mean of all of them, when they are one RTT long
     */
    std::optional<Observation> Gather(const Observation& interval, double rtt);

    /**
     * @brief Decide upon the time until as much has been gathered again.
     * @param observation of an RTT of E2E, or of an interval that is longer
     * @param rtt of E2E, [s]
     * @return the decision
     */
    Decision DecideOn(const Observation& observation, double rtt);

    /**
     * @brief Check whether E2E flows grow as in slow start towards too much.
     * @param ratio x of this interval
     * @param window W, [packets]
     * @return whether to brake
     */
    bool IsBraking(double ratio, double window);

    double m_threshold{0};       //!< Attribute UtilisationThreshold
    bool m_tcpRtt{true};         //!< Attribute TcpRtt
    double m_constant{0};        //!< Attribute WindowConstant: K
    double m_steepness{0};       //!< Attribute Steepness
    double m_gate{0};            //!< Attribute Gate
    double m_gain{0};            //!< Attribute CorrectionGain
    Time m_leastEpoch;           //!< Attribute LeastEpoch
    double m_leastCorrection{0}; //!< Attribute MinCorrection
    double m_mostCorrection{0};  //!< Attribute MaxCorrection
    double m_fallPerLoss{0};     //!< Attribute FallPerLoss
    double m_smoothing{0};       //!< Attribute Smoothing
    double m_maxProbability{0};  //!< Attribute MaxProbability
    double m_brakeLosses{0};     //!< Attribute BrakeLosses
    double m_brakeThreshold{0};  //!< Attribute BrakeThreshold
    double m_brakeGrowth{0};     //!< Attribute BrakeGrowth
    double m_alertGrowth{0};     //!< Attribute AlertGrowth
    uint32_t m_alertLength{0};   //!< Attribute AlertLength

    Observation m_gathered;    //!< sums over the intervals since the last decision, times length
    bool m_isApplied{false};   //!< what was decided last
    double m_probability{0};   //!< p
    double m_logCorrection{0}; //!< natural logarithm of c
    double m_packet{0};        //!< mean size of E2E packets when they last came, [B]
    double m_applied{0};       //!< p of this interval, if it is the square-root law's
    double m_losses{0};        //!< that it has cost a flow, on average
    double m_newLosses{0};     //!< likewise since m_tried was taken
    double m_tried{0};         //!< m_logCorrection when E2E flows had felt it last
    bool m_hadSay{false};      //!< E2E flows are where they are because of it
    double m_smoothed{-1};     //!< moving average of x; negative: none yet
    double m_last{0};          //!< x of the last interval
    double m_beforeLast{0};    //!< x of the one before
    uint32_t m_alert{0};       //!< intervals to come in which the brake is alert
};

} // namespace ns3::lfn

#endif // XCP_ADAPTIVE_DROP_LAW_H
