// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_QUEUE_DISC_H
#define XCP_QUEUE_DISC_H

#include "xcp-controller.h"
#include "xcp-tcp-fairness.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/queue-disc.h"
#include "ns3/traced-value.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief The output port of an XCP router: one FIFO for all traffic, XCP's controller and, if
 * asked for, the XCP-TCP fairness mechanism (report RR2007-46).
 *
 * The capacity is the device's rate, looked up at each control interval, unless Bandwidth gives
 * it. The device's own queue hides the backlog from XCP: XcpHelper makes it one packet long.
 */
class XcpQueueDisc : public QueueDisc
{
  public:
    static constexpr const char* FAIRNESS_DROP = "Fairness drop"; //!< by the mechanism
    static constexpr const char* FAIRNESS_MARK = "Fairness mark"; //!< instead of a drop
    static constexpr const char* LIMIT_EXCEEDED_DROP = "Queue disc limit exceeded"; //!< tail drop

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    XcpQueueDisc();
    ~XcpQueueDisc() override;

    /**
     * @brief Get the controller.
     * @return the controller
     */
    Ptr<XcpController> GetController() const;

    /**
     * @brief Get the fairness mechanism.
     * @return the mechanism; null when there is none
     */
    Ptr<XcpTcpFairness> GetFairness() const;

    /**
     * @brief Fix the random streams.
     * @param stream the first stream
     * @return how many were used
     */
    int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::lfn

#endif // XCP_QUEUE_DISC_H
