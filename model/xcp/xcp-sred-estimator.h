// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_SRED_ESTIMATOR_H
#define XCP_SRED_ESTIMATOR_H

#include "xcp-flow-count-estimator.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief SRED's zombie table: the inverse of how often a packet belongs to the same flow as one
 * taken at random from a table of earlier ones (report RR2007-46, section 4.1; Ott, Lakshman and
 * Wong, INFOCOM 1999).
 *
 * The first packets fill the table. After that each one is compared with a random entry; the
 * moving average P of the hits follows P = (1 - a) P + a hit, and after a miss the packet replaces
 * the entry with a given probability. The estimate is 1/P: the number of flows if all have the same
 * rate, else the effective number 1 / sum of pi^2 with pi the flows' shares, which is smaller.
 */
class XcpSredEstimator : public XcpFlowCountEstimator
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    XcpSredEstimator();

    void See(uint64_t flow) override;

    /** @brief Nothing: the average has no intervals. */
    void EndInterval() override;
    bool IsSteady() const override;

    /**
     * @brief Get the estimate.
     * @return 1/P, corrected if the Attributes say so; 0 before the first comparison, and as if the
     * latest comparison had hit until one has; at most 1e9
     */
    double GetCount() const override;

    void Reset() override;
    uint64_t GetStateBytes() const override;
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief Get P as the moving average has it.
     * @return the frequency of hits, 0 to 1, without any correction
     */
    double GetHitFrequency() const;

    /** @brief Get how far the table is filled. @return its entries */
    uint32_t GetEntries() const;

  private:
    /**
     * @brief Compare a flow with a random entry, and move the average.
     * @return the entry's index
     */
    uint32_t Compare(uint64_t flow);

    uint32_t m_tableSize{0};      //!< Attribute TableSize
    double m_overwrite{0};        //!< Attribute OverwriteProbability
    double m_weight{0};           //!< Attribute Weight
    bool m_compareFilling{false}; //!< Attribute CompareWhileFilling
    bool m_correctBias{false};    //!< Attribute BiasCorrection
    double m_variation{0};        //!< Attribute RateVariation

    std::vector<uint64_t> m_table;       //!< flows of earlier packets
    double m_hits{0};                    //!< P
    double m_seen{0};                    //!< weight of all comparisons in P: 1 - (1 - a)^n
    Ptr<UniformRandomVariable> m_random; //!< picks entries, and decides upon overwriting
};

} // namespace ns3::lfn

#endif // XCP_SRED_ESTIMATOR_H
