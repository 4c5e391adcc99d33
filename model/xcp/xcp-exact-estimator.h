// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_EXACT_ESTIMATOR_H
#define XCP_EXACT_ESTIMATOR_H

#include "xcp-flow-count-estimator.h"

#include <cstdint>
#include <unordered_set>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Counts the flows of each period exactly, in a table of all flow IDs that is emptied
 * afterwards (report RR2007-46, section 4.1: the best known, and too slow for a router).
 *
 * It serves as the measure of the others. Its memory grows with the flows of a period, any host
 * that sends them.
 */
class XcpExactEstimator : public XcpFlowCountEstimator
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    void See(uint64_t flow) override;
    void EndInterval() override;
    bool IsSteady() const override;
    void SkipIntervals(uint64_t intervals) override;

    /** @return the flows of the last period that has ended; 0 before */
    double GetCount() const override;

    void Reset() override;
    uint64_t GetStateBytes() const override;

  private:
    uint32_t m_periodLength{0};           //!< Attribute PeriodLength
    std::unordered_set<uint64_t> m_flows; //!< seen in this period
    uint32_t m_intervals{0};              //!< intervals of this period that have ended
    double m_count{0};                    //!< of the last period
};

} // namespace ns3::lfn

#endif // XCP_EXACT_ESTIMATOR_H
