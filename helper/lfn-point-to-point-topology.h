// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_POINT_TO_POINT_TOPOLOGY_H
#define LFN_POINT_TO_POINT_TOPOLOGY_H

#include "lfn-topology.h"

#include "ns3/data-rate.h"
#include "ns3/queue-size.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Two hosts and one link: the path behind the flags linkRate, rtt, queue and mtu.
 *
 * The rate is the devices' rate, the round-trip time twice the link's delay, the queue a drop-tail
 * queue in front of each device. There is no queue disc and no flow control between the device
 * and the layers above it, so the device's queue is the only one and counts every drop itself.
 */
class PointToPointTopology : public TransportTopology
{
  public:
    /**
     * @brief Get the type ID.
     * @return The object TypeId.
     */
    static TypeId GetTypeId();

    PointToPointTopology();
    ~PointToPointTopology() override;

    std::string Describe() const override;

  private:
    void DoBuild() override;

    DataRate m_linkRate; //!< Rate of both devices.
    Time m_rtt;          //!< Twice the link's propagation delay.
    QueueSize m_queue;   //!< Largest size of the queue in front of each device.
    uint16_t m_mtu;      //!< Largest IP packet (bytes).
};

} // namespace ns3::lfn

#endif // LFN_POINT_TO_POINT_TOPOLOGY_H
