// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FLOW_PROBE_H
#define LFN_FLOW_PROBE_H

#include "lfn-flow-classifier.h"

#include "ns3/flow-monitor.h"
#include "ns3/flow-probe.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/queue-item.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Reports to ns-3's FlowMonitor what a node sends, forwards, receives and drops, by IPv4 and
 * by IPv6.
 *
 * What ns-3's own probes leave out is reported as well: packets to a group, of which the first copy
 * to arrive at a node with applications counts and none is reported as dropped, since others may
 * arrive; and what an error
 * model loses on a link, with a reason of its own. The reasons are otherwise those of
 * Ipv4FlowProbe. It must outlive the simulation.
 */
class TransportFlowProbe : public FlowProbe
{
  public:
    /** @brief Why a packet was dropped; the first ones are those of ns3::Ipv4FlowProbe. */
    enum Reason : uint32_t
    {
        NO_ROUTE = 0,     //!< no host has a route
        TTL_EXPIRED,      //!< too many hops
        BAD_CHECKSUM,     //!< of the IP header
        QUEUE,            //!< a device's queue is full
        QUEUE_DISC,       //!< a queue disc dropped it
        INTERFACE_DOWN,   //!< the interface is off
        ROUTE_ERROR,      //!< the routing protocol refused it
        FRAGMENT_TIMEOUT, //!< a fragment never came
        OTHER,            //!< what else IP finds
        LINK,             //!< an error model lost it where it arrived
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Constructor; the probe listens from now on.
     * @param monitor whom to report to
     * @param classifier that of all probes
     * @param node a node, with IPv4, IPv6 or both
     */
    TransportFlowProbe(Ptr<FlowMonitor> monitor,
                       Ptr<TransportFlowClassifier> classifier,
                       Ptr<Node> node);

  protected:
    void DoDispose() override;

  private:
    /** @brief What a packet is, as its tag says. */
    struct Known
    {
        FlowId flow;         //!< number of the flow
        FlowPacketId packet; //!< number of the packet
        uint32_t bytes;      //!< size, IP header included [B]
    };

    /** @brief Read the newest tag of a packet; nothing when it has none. */
    static std::optional<Known> Find(Ptr<const Packet> packet);

    /** @brief A packet leaves its host; it gets a tag. */
    template <typename Header>
    void OnSent(const Header& ip, Ptr<const Packet> payload, uint32_t interface);

    /** @brief A packet passes. */
    template <typename Header>
    void OnForwarded(const Header& ip, Ptr<const Packet> payload, uint32_t interface);

    /** @brief A packet is there. */
    template <typename Header>
    void OnDelivered(const Header& ip, Ptr<const Packet> payload, uint32_t interface);

    /** @brief IP drops a packet. */
    template <typename L3, typename Header, typename Ip>
    void OnIpDrop(const Header& ip,
                  Ptr<const Packet> payload,
                  typename L3::DropReason reason,
                  Ptr<Ip> protocol,
                  uint32_t interface);

    /** @brief A device's queue drops a packet. */
    void OnQueueDrop(Ptr<const Packet> packet);

    /** @brief A queue disc drops a packet. */
    void OnQueueDiscDrop(Ptr<const QueueDiscItem> item);

    /** @brief A packet is lost where it arrives. */
    void OnLinkDrop(Ptr<const Packet> packet);

    /** @brief Report a drop, unless others of the group may get the packet. */
    void Drop(Ptr<const Packet> packet, Reason reason);

    Ptr<TransportFlowClassifier> m_classifier; //!< that of all probes
    Ptr<Node> m_node;                          //!< where it listens
};

} // namespace ns3::lfn

#endif // LFN_FLOW_PROBE_H
