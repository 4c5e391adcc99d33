// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_RTT_ESTIMATOR_H
#define VRP_RTT_ESTIMATOR_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief The adaptive timeout: Jacobson's and Karn's algorithms as section 2.5.1 states them.
 *
 * RTT := a RTT + (1 - a) M;  D := a D + (1 - a) |RTT - M|;  timeout = RTT + 4 D.
 *
 * The bare formula lets the timeout sink to RTT where that hardly varies, and then any burst makes
 * timers expire for nothing. No timer of the report's hosts beat the tick of their clocks, though:
 * 4 D is never taken as less than Granularity (deviation VRP-D18).
 *
 * ns-3's RttMeanDeviation, which has the same methods, does not fit: it takes the deviation from
 * the old RTT (RFC 6298; the report's order of the two lines means the new one, ambiguity C10), and
 * nothing can double its RTT and deviation, as Karn's rule requires here. Only Karn's doubling has
 * the time: at most one in a timeout, or 64 packets that expire together would multiply by 2^64
 * (ambiguity C8).
 */
class VrpRttEstimator : public Object
{
  public:
    /** @brief From which RTT the deviation of a sample is taken (ambiguity C10). */
    enum class DeviationFrom
    {
        NEW_RTT, //!< the one that the sample has entered: the report's order
        OLD_RTT, //!< the one before: RFC 6298
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();

    VrpRttEstimator();

    /**
     * @brief Take a sample; the first one sets RTT and, by InitialDevRatio, D.
     * @param measure the round-trip time of a packet that was sent once
     */
    void Measurement(Time measure);

    /** @brief Forget all samples. */
    void Reset();

    /** @brief Get the estimated round-trip time. @return RTT; 1 s before the first sample */
    Time GetEstimate() const;

    /** @brief Get the estimated mean deviation. @return D; 0 before the first sample */
    Time GetVariation() const;

    /** @brief Count the samples. @return their number */
    uint32_t GetNSamples() const;

    /**
     * @brief Karn's rule: a timeout has expired, RTT and D are doubled.
     *
     * Nothing happens within one timeout (the doubled one) after the last doubling (unless
     * LimitBackoff is off), nor once the timeout is at MaxRto or at a limit of the caller's, up to
     * which the last doubling goes (VRP-D23). Samples may lift the timeout above that limit.
     *
     * @param now the time
     * @param limit what no doubling lifts the timeout above; positive
     * @return true if they were doubled
     */
    bool Backoff(Time now, Time limit = Time::Max());

    /**
     * @brief Check whether timers are judged by the timeout as it is now, not as it was at a
     * packet's sending.
     * @return attribute FollowEstimate
     */
    bool FollowsEstimate() const;

    /**
     * @brief Check whether a frame header that was sent once gives a sample.
     * @return attribute SampleHeaders
     */
    bool SamplesHeaders() const;

    /**
     * @brief Get the timeout.
     * @return RTT + max(Granularity, DevFactor * D), within MinRto and MaxRto
     */
    Time GetTimeout() const;

    /**
     * @brief Get what the samples alone say of the load: Karn's doubling left out.
     * @return moving average of the samples with weight Alpha; 0 before the first one
     */
    Time GetSmoothed() const;

    /**
     * @brief Get the load that the samples show.
     * @return smoothed round-trip time over the smallest one; 1 before the first sample
     */
    double GetLoad() const;

    /**
     * @brief Get the smallest sample, the RTT without load.
     * @return the smallest; 0 before the first one
     */
    Time GetSmallest() const;

  private:
    Time m_rtt{Seconds(1)};                                //!< RTT
    Time m_deviation;                                      //!< D
    uint32_t m_samples{0};                                 //!< samples taken
    double m_alpha{0};                                     //!< attribute Alpha
    double m_devFactor{0};                                 //!< attribute DevFactor
    double m_initialDevRatio{0};                           //!< attribute InitialDevRatio
    Time m_granularity;                                    //!< attribute Granularity
    Time m_minRto;                                         //!< attribute MinRto
    Time m_maxRto;                                         //!< attribute MaxRto
    DeviationFrom m_deviationFrom{DeviationFrom::NEW_RTT}; //!< attribute DeviationFrom
    bool m_limitBackoff{true};                             //!< attribute LimitBackoff
    bool m_sampleHeaders{false};                           //!< attribute SampleHeaders
    bool m_followEstimate{true};                           //!< attribute FollowEstimate
    Time m_backoffAllowed;                                 //!< no doubling before
    double m_smoothed{0};                                  //!< average of the samples, time steps
    Time m_smallest;                                       //!< smallest sample
};

} // namespace ns3::lfn

#endif // VRP_RTT_ESTIMATOR_H
