// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_FLOW_COUNT_ESTIMATOR_H
#define XCP_FLOW_COUNT_ESTIMATOR_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Estimates how many flows are active from the packets that pass (report RR2007-46,
 * section 4.1).
 */
class XcpFlowCountEstimator : public Object
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Take account of a packet.
     * @param flow its flow ID: a hash over addresses, ports and protocol
     */
    virtual void See(uint64_t flow) = 0;

    /**
     * @brief An adaptation interval has ended; estimators that count by interval close it. The
     * mechanism leaves out intervals without a packet of the class while the class counts as there.
     */
    virtual void EndInterval() = 0;

    /**
     * @brief Check whether EndInterval() changes nothing, but the number of intervals, while no
     * packets come; the port's timers run on unless so.
     * @return true in steady state; by default false
     */
    virtual bool IsSteady() const;

    /**
     * @brief As EndInterval() a number of times, in steady state.
     * @param intervals the number of them
     */
    virtual void SkipIntervals(uint64_t intervals);

    /**
     * @brief Get the estimate.
     * @return the number of active flows; 0 before the first packet, and after Reset()
     */
    virtual double GetCount() const = 0;

    /** @brief Forget everything, as after a class of traffic has fallen silent. */
    virtual void Reset() = 0;

    /**
     * @brief Get the memory that the estimate takes in a router.
     * @return the bytes of its tables, [B]
     */
    virtual uint64_t GetStateBytes() const = 0;

    /**
     * @brief Fix the random streams.
     * @param stream the first stream
     * @return how many were used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::lfn

#endif // XCP_FLOW_COUNT_ESTIMATOR_H
