// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_POINT_TO_POINT_TOPOLOGY_H
#define LFN_POINT_TO_POINT_TOPOLOGY_H

#include "lfn-link-topology.h"

#include "ns3/data-rate.h"
#include "ns3/lfn-reordering-channel.h"
#include "ns3/point-to-point-channel.h"

#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Two hosts and one link: the path behind the flags linkRate, rtt, queue and mtu.
 *
 * The rate is the devices' rate (ReturnRate that of the receiver's, where it differs), the
 * round-trip time twice the link's delay, the queue a drop-tail queue in front of each device.
 * There is no queue disc and no flow control between the device and the layers above it, so the
 * device's queue is the only one and counts every drop itself.
 *
 * With Jitter the link is a JitterChannel that keeps the order: each packet takes longer than
 * half the round-trip time by a normal extra delay. Its mean is three times Jitter and it is cut
 * off as far on either side of that, so that it is never negative; the cut leaves a standard
 * deviation of 0.987 times Jitter. GetRtt() does not count it.
 *
 * With ReorderProbability or ReorderScript the link is a ReorderingChannel for the data; the
 * reverse paths keep their order. With PolicerRate a Policer at the receiver's end of the link
 * loses what exceeds it.
 */
class PointToPointTopology : public LinkTopology
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    int64_t AssignStreams(int64_t stream) override;
    Time GetLongestHold() const override;

  protected:
    void DoDispose() override;

  private:
    void DoBuild() override;

    /** @brief Check whether packets of data are reordered. */
    bool Reorders() const;

    /** @brief Make the link, without devices. */
    Ptr<PointToPointChannel> MakeChannel();

    DataRate m_returnRate; //!< Rate of the receiver's device; 0: the same.
    Time m_jitter;         //!< Standard deviation of the extra delay; 0: none.

    double m_reorderProbability;                //!< Probability that a packet of data is held.
    std::string m_reorderScript;                //!< Packets of data that are held, instead.
    uint32_t m_reorderDisplacement;             //!< Later packets that pass before it, or the most.
    double m_reorderMeanDisplacement;           //!< Mean of the geometric law (packets).
    ReorderingChannel::Mode m_reorderDirection; //!< It comes late or early.
    ReorderingChannel::Distribution m_reorderDistribution; //!< How a displacement is drawn.
    uint32_t m_reorderClusterSize;                         //!< Packets chosen together.
    uint32_t m_reorderClusterSpacing; //!< From one of these to the next (packets).
    Time m_reorderLongestHold;        //!< A held packet goes on after this time.

    DataRate m_policerRate;     //!< Rate that the data may have; 0: no policer.
    uint32_t m_policerBurst;    //!< What may exceed it at once (bytes).
    DataRate m_policerPeakRate; //!< Rate that a burst may have; 0: any.

    Ptr<JitterChannel> m_jitterChannel; //!< The link; null when plain.
};

} // namespace ns3::lfn

#endif // LFN_POINT_TO_POINT_TOPOLOGY_H
