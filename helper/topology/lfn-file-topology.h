// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FILE_TOPOLOGY_H
#define LFN_FILE_TOPOLOGY_H

#include "lfn-topology-file.h"
#include "lfn-topology-routes.h"
#include "lfn-topology.h"

#include "ns3/error-model.h"
#include "ns3/lfn-jitter-channel.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/queue-size.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A network of nodes and links that a CSV file describes, see TopologyFile.
 *
 * Every node has one address (with Ipv6 one of IPv6 as well), which all its links share, so that a
 * sender with several links is known by one address whatever way its packets take. Packets to
 * senders and receivers take the shortest ways, see TopologyRoutes; other nodes are not reached.
 * The bottlenecks are the links that the file marks, each in the direction of the first pair whose
 * data cross it. Without a mark the first is the link with the most pairs for its rate, which fills
 * first where all send alike; further ones are found likewise among the pairs that cross none yet,
 * until each crosses one. A link's loss, jitter and policer act as those of PointToPointTopology,
 * in both directions. There is a drop-tail queue in front of each device, with neither queue disc
 * nor flow control above it.
 */
class FileTopology : public TransportTopology
{
  public:
    /** @brief Nodes with a role, times nodes; ns-3's tables of more take too long to make. */
    static constexpr std::size_t MOST_ROUTES = 500'000;

    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;
    int64_t AssignStreams(int64_t stream) override;
    Time GetLongestHold() const override;

    /**
     * @brief Get a node by its name in the file.
     * @return The node, or null before Build() or when the file has none of that name.
     */
    Ptr<Node> GetNode(const std::string& name) const;

  protected:
    void DoDispose() override;

  private:
    void DoBuild() override;

    /**
     * @brief Read the file and find the ways, unless that is done.
     * @return What is wrong, or nothing.
     */
    std::optional<std::string> Read() const;

    /** @brief Find the links of a pair's way, from the sender to the receiver. */
    std::vector<TopologyRoutes::Step> GetWay(std::size_t pair) const;

    /** @brief Get the address of a node. */
    static Ipv4Address GetAddress(uint32_t node);

    /** @brief Get the IPv6 address of a node; "::" without Ipv6. */
    Ipv6Address GetIpv6Address(uint32_t node) const;

    /** @brief Give a device the addresses of its node. */
    void AddInterfaces(Ptr<NetDevice> device, uint32_t node) const;

    /** @brief Make a link, with addresses on its devices. */
    void AddLink(const TopologyFile::Link& link);

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

    /** @brief Find the bottlenecks: those that the file marks, or links that limit all pairs. */
    std::vector<Direction> FindBottlenecks() const;

    /** @brief Name the bottlenecks. */
    void AddBottlenecks();

    /** @brief Make a link without devices. */
    Ptr<PointToPointChannel> MakeChannel(const TopologyFile::Link& link);

    /** @brief Put what loses packets at the end of a link's direction. */
    void AddLosses(Ptr<NetDevice> device, const TopologyFile::Way& way);

    /** @brief Get the propagation delay of a way. */
    Time GetDelay(const std::vector<TopologyRoutes::Step>& path) const;

    std::string m_file;                                            //!< Attribute File.
    QueueSize m_queue;                                             //!< Attribute Queue.
    uint16_t m_mtu{0};                                             //!< Attribute Mtu.
    TopologyRoutes::Metric m_metric{TopologyRoutes::Metric::HOPS}; //!< Attribute Metric.
    mutable TopologyFile m_network;                                //!< What the file says.
    mutable std::map<uint32_t, TopologyRoutes::Ways> m_ways;       //!< To each node with a role.
    mutable std::string m_read;                                    //!< File and metric of these.
    NodeContainer m_nodes;                                         //!< One a node of the file.
    std::vector<NetDeviceContainer> m_links;                       //!< One a link of the file.
    std::vector<Ptr<RateErrorModel>> m_losses;                     //!< Two a link with loss.
    std::vector<Ptr<JitterChannel>> m_jitters;                     //!< Links with jitter.
};

} // namespace ns3::lfn

#endif // LFN_FILE_TOPOLOGY_H
