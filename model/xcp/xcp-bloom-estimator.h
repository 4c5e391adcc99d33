// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_BLOOM_ESTIMATOR_H
#define XCP_BLOOM_ESTIMATOR_H

#include "xcp-flow-count-estimator.h"

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief NRED's Bloom filter: L levels of P bins of one bit (report RR2007-46, section 4.1).
 *
 * Each level hashes a flow into one of its bins. A packet that finds at least one of its L bins
 * empty counts as a new flow, and fills them. The bins are emptied at the end of each period, and
 * the estimate is that of the last period: a flow must send at least once in each. Intervals in
 * which nothing of the class comes are in no period until the class is silent (XcpTcpFairness).
 */
class XcpBloomEstimator : public XcpFlowCountEstimator
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    void See(uint64_t flow) override;
    void EndInterval() override;
    bool IsSteady() const override;
    void SkipIntervals(uint64_t intervals) override;

    /** @brief Get the estimate. @return the flows of the last period that has ended; 0 before */
    double GetCount() const override;

    void Reset() override;
    uint64_t GetStateBytes() const override;

  private:
    /**
     * @brief Compute the flows of the present period.
     * @return the count, or with LinearCounting the estimate from the empty bins
     */
    double Compute() const;

    uint32_t m_levels{0};          //!< Attribute Levels
    uint32_t m_binsPerLevel{0};    //!< Attribute Bins
    uint32_t m_periodLength{0};    //!< Attribute PeriodLength
    bool m_linearCounting{false};  //!< Attribute LinearCounting
    std::vector<uint64_t> m_words; //!< the bins, level by level, 64 a word
    uint32_t m_new{0};             //!< packets of this period that found an empty bin: N_act
    uint64_t m_filled{0};          //!< bins filled in this period
    uint32_t m_intervals{0};       //!< intervals of this period that have ended
    double m_count{0};             //!< the estimate
};

} // namespace ns3::lfn

#endif // XCP_BLOOM_ESTIMATOR_H
