// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_DELAY_PROBE_H
#define LFN_DELAY_PROBE_H

#include "ns3/lfn-delay-statistics.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/packet.h"

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Measures how long the data packets of flows take from host to host.
 *
 * IP of the sending host marks each packet with the time, in a byte tag that takes no bytes on the
 * wire; IP of the receiving host reads it when the packet is whole. Queues of the sending device
 * count, as on the path. A retransmission counts with its own time. Data packets are those that a
 * FlowCounter counts as such: with payload, to the flow's port.
 *
 * It must outlive the simulation.
 */
class DelayProbe
{
  public:
    DelayProbe() = default;
    DelayProbe(const DelayProbe&) = delete;
    DelayProbe& operator=(const DelayProbe&) = delete;

    /**
     * @brief Measure a flow from now on.
     *
     * Flows with the same sender and the same port differ by their source ports: watch them in the
     * order in which they start.
     * @param sender where data come from
     * @param receivers where data go; several for a group
     * @param port to which data go at the receivers
     * @return its number, from 0 on
     */
    std::size_t Watch(Ptr<Node> sender, const NodeContainer& receivers, uint16_t port);

    /** @brief Get the delays of a flow so far. */
    const DelayStatistics& Get(std::size_t flow) const;

  private:
    /** @brief A flow and its delays. */
    struct Flow
    {
        std::set<uint32_t> receivers; //!< nodes
        DelayStatistics delays;       //!< of what they received
    };

    using Route = std::pair<uint32_t, uint16_t>; //!< sending node, destination port

    /** @brief Listen to IP of a node, once. */
    void Listen(Ptr<Node> node);

    /** @brief A packet leaves its host: mark it when it belongs to a flow. */
    template <typename Header>
    void OnSent(uint32_t node, const Header& ip, Ptr<const Packet> payload, uint32_t interface);

    /** @brief A packet has arrived: take its delay. */
    template <typename Header>
    void OnDelivered(uint32_t node,
                     const Header& ip,
                     Ptr<const Packet> payload,
                     uint32_t interface);

    /** @brief Find the flow of a packet by its ports; null for packets of no flow. */
    const std::size_t* Find(const Route& route, uint16_t source);

    std::vector<Flow> m_flows;                                   //!< the flows
    std::set<uint32_t> m_nodes;                                  //!< nodes listened to
    std::map<Route, std::vector<std::size_t>> m_routes;          //!< flows, last one first
    std::map<std::pair<Route, uint16_t>, std::size_t> m_sources; //!< flow by source port, too
};

} // namespace ns3::lfn

#endif // LFN_DELAY_PROBE_H
