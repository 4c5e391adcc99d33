// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_NETWORK_TOPOLOGY_H
#define LFN_NETWORK_TOPOLOGY_H

#include "lfn-topology-file.h"
#include "lfn-topology-routes.h"
#include "lfn-topology.h"

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/lfn-jitter-channel.h"
#include "ns3/lfn-queue-limit.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/queue-size.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A network of nodes and point-to-point links, which a subclass describes in one method.
 *
 * @code
 * void Describe() const override
 * {
 *     Connect("left", "router", DataRate("1Gbps"), MilliSeconds(5), QueueSize("2000p"));
 *     Connect("router", "right", DataRate("100Mbps"), MilliSeconds(5), QueueSize("2000p"));
 *     Pair("left", "right");
 * }
 * @endcode
 *
 * Every node has one address (with Ipv6 one of IPv6 as well), which all its links share, so that a
 * sender with several links is known by one address on any path of its packets. Packets to
 * senders and receivers take the shortest ways, see TopologyRoutes; other nodes are not reached.
 * The first bottleneck is the link with the most pairs for its rate, which fills first where all
 * send alike; further ones are found likewise among the pairs that cross none yet, until each
 * crosses one. There is a drop-tail queue in front of each device, with neither queue disc nor flow
 * control above it.
 */
class NetworkTopology : public TransportTopology
{
  public:
    /** @brief Nodes with a role, times nodes; ns-3's tables of more take too long to make. */
    static constexpr std::size_t MOST_ROUTES = 500'000;

    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;
    int64_t AssignStreams(int64_t stream) override;
    Time GetLongestHold() const override;

    /** @brief Find links by their name: "a-b" as well, the link of two nodes, from a to b. */
    std::vector<Link> FindLinks(const std::string& name) const override;

    /** @brief Get the name of a node, as Connect() or the file has it. */
    std::string GetNodeName(Ptr<Node> node) const override;

    /**
     * @brief Get a node by its name.
     * @return The node, or null before Build() or when there is none of that name.
     */
    Ptr<Node> GetNode(const std::string& name) const;

  protected:
    void DoDispose() override;

    /**
     * @brief Connect two nodes by a link, in Describe(); a new name is a new node.
     * @param a The first node.
     * @param b The second node; not connected to a before.
     * @param rate Rate of both devices (bit/s), above 0.
     * @param delay Propagation delay one way, from 0 to a day.
     * @param queue Largest size of the drop-tail queue of each device, above 0.
     */
    void Connect(const std::string& a,
                 const std::string& b,
                 DataRate rate,
                 Time delay,
                 QueueSize queue) const;

    /**
     * @brief Name the two ends of data, in Describe(): sender i and receiver i.
     * @param sender A node that Connect() names.
     * @param receiver Another one.
     */
    void Pair(const std::string& sender, const std::string& receiver) const;

    /** @brief Say in Describe() why the network cannot be built, in one line; the first counts. */
    void Refuse(const std::string& complaint) const;

    mutable TopologyFile m_network; //!< What Describe() says.
    QueueLimit m_queue;             //!< Of the devices of links without a size of their own.
    uint16_t m_mtu{1500};           //!< Largest IP packet of the links (bytes).
    TopologyRoutes::Metric m_metric{TopologyRoutes::Metric::HOPS}; //!< What is short.

  private:
    /**
     * @brief Describe the network by Connect() and Pair().
     *
     * It is called again whenever the Attributes may have changed.
     */
    virtual void Describe() const = 0;

    void DoBuild() override;

    /**
     * @brief Have the network described, and find the ways unless they are known.
     * @return What is wrong, or nothing.
     */
    std::optional<std::string> Read() const;

    /** @brief Find senders and receivers by their names. */
    void ReadPairs() const;

    /**
     * @brief Find the ways to all nodes with a role.
     * @return What is wrong, or nothing.
     */
    std::optional<std::string> FindWays() const;

    /** @brief Find the links of a pair's way, from the sender to the receiver. */
    std::vector<TopologyRoutes::Step> GetWay(std::size_t pair) const;

    /** @brief Get the address of a node. */
    static Ipv4Address GetAddress(uint32_t node);

    /** @brief Get the IPv6 address of a node; "::" without Ipv6. */
    Ipv6Address GetIpv6Address(uint32_t node) const;

    /** @brief Give a device the addresses of its node. */
    void AddInterfaces(Ptr<NetDevice> device, uint32_t node) const;

    /**
     * @brief Make a link, with addresses on its devices.
     * @param link The link.
     * @param rtt Round-trip time that queues in BDP go by.
     */
    void AddLink(const TopologyFile::Link& link, Time rtt);

    /** @brief Set the routes to senders and receivers. */
    void AddRoutes() const;

    /** @brief Name senders and receivers. */
    void AddPairs();

    /** @brief A link as data cross it. */
    struct Direction
    {
        std::size_t link; //!< Its index.
        bool isBackwards; //!< From its second node to its first.

        /** @brief Compare, for maps. */
        auto operator<=>(const Direction&) const = default;
    };

    /** @brief Find the bottlenecks: links that are marked, or links that limit all pairs. */
    std::vector<Direction> FindBottlenecks() const;

    /** @brief Name the bottlenecks. */
    void AddBottlenecks();

    /** @brief Make a link without devices. */
    Ptr<PointToPointChannel> MakeChannel(const TopologyFile::Link& link);

    /** @brief Put what loses packets at the end of a link's direction. */
    void AddLosses(Ptr<NetDevice> device, const TopologyFile::Way& way);

    /** @brief Get the round-trip time of propagation of a pair. */
    Time GetPairRtt(std::size_t pair) const;

    /** @brief Get the longest GetPairRtt(), which queues in BDP go by; 0 without pairs. */
    Time GetLongestPairRtt() const;

    /**
     * @brief Check queues in BDP.
     * @return What is wrong, or nothing.
     */
    std::optional<std::string> CheckQueues() const;

    /** @brief Get the propagation delay of a way. */
    Time GetDelay(const std::vector<TopologyRoutes::Step>& path) const;

    /** What FindWays() took as short. */
    mutable TopologyRoutes::Metric m_waysMetric{TopologyRoutes::Metric::HOPS};
    mutable std::map<uint32_t, TopologyRoutes::Ways> m_ways;          //!< To each node with a role.
    mutable std::map<std::string, uint32_t> m_byName;                 //!< Nodes of Connect().
    mutable std::set<std::pair<uint32_t, uint32_t>> m_connected;      //!< By Connect().
    mutable std::vector<std::pair<std::string, std::string>> m_pairs; //!< Of Pair().
    mutable std::optional<std::string> m_complaint;                   //!< Of Refuse().
    NodeContainer m_nodes;                                            //!< One a node.
    std::vector<NetDeviceContainer> m_links;                          //!< One a link.
    std::vector<Ptr<RateErrorModel>> m_losses;                        //!< Two a link with loss.
    std::vector<Ptr<JitterChannel>> m_jitters;                        //!< Links with jitter.
};

} // namespace ns3::lfn

#endif // LFN_NETWORK_TOPOLOGY_H
