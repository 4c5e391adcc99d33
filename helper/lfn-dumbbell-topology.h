// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_DUMBBELL_TOPOLOGY_H
#define LFN_DUMBBELL_TOPOLOGY_H

#include "lfn-topology.h"

#include "ns3/data-rate.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Pairs of hosts on either side of a bottleneck between two routers.
 *
 * Sender i talks to receiver i. Its round-trip time, Rtt or the i-th of Rtts, is made up of the
 * bottleneck's delay and of equal delays of both access links. A drop-tail queue is in front of
 * each device, with neither queue disc nor flow control above it; a program that wants a queue disc
 * at the bottleneck installs it there and limits the device's queue. With Ipv6 every host has IPv6
 * addresses as well.
 */
class DumbbellTopology : public TransportTopology
{
  public:
    /**
     * @brief Get the type ID.
     * @return The object TypeId.
     */
    static TypeId GetTypeId();

    DumbbellTopology();
    ~DumbbellTopology() override;

    std::string Describe() const override;

  private:
    void DoBuild() override;

    uint32_t m_pairs{0};       //!< Attribute Pairs.
    DataRate m_linkRate;       //!< Attribute LinkRate: of the bottleneck.
    DataRate m_accessRate;     //!< Attribute AccessRate.
    Time m_bottleneckDelay;    //!< Attribute BottleneckDelay, one way.
    Time m_rtt;                //!< Attribute Rtt.
    std::string m_rtts;        //!< Attribute Rtts: a comma list, one a pair, going round.
    QueueSize m_queue;         //!< Attribute Queue: in front of the bottleneck's devices.
    uint16_t m_mtu{0};         //!< Attribute Mtu.
    bool m_ipv6{false};        //!< Attribute Ipv6.
};

} // namespace ns3::lfn

#endif // LFN_DUMBBELL_TOPOLOGY_H
