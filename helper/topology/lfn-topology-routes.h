// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TOPOLOGY_ROUTES_H
#define LFN_TOPOLOGY_ROUTES_H

#include "lfn-topology-file.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Find the parts of a network that no link connects.
 * @param network The network.
 * @return Indices of the nodes of each part; parts and nodes in the order of the file.
 */
std::vector<std::vector<uint32_t>> FindParts(const TopologyFile& network);

/**
 * @ingroup lfn
 * @brief Check that links connect all nodes.
 * @param network The network.
 * @return The error, or nothing.
 */
std::optional<std::string> CheckConnected(const TopologyFile& network);

/**
 * @ingroup lfn
 * @brief Shortest ways through a network, without chance: of equal ones, that over the link which
 * the file names first.
 */
class TopologyRoutes
{
  public:
    /** @brief What is short. */
    enum class Metric : uint8_t
    {
        HOPS,  //!< Few links; of equal ways, the one with the least delay.
        DELAY, //!< Little delay; of equal ways, the one with the fewest links.
    };

    /** @brief A link on a way. */
    struct Step
    {
        std::size_t link; //!< The link's index.
        uint32_t from;    //!< Index of the node before it.
        uint32_t to;      //!< Index of the node behind it.
    };

    static constexpr std::size_t NO_LINK = SIZE_MAX; //!< There is no way, or no need of one.

    /** @brief The shortest ways from everywhere to a node. */
    struct Ways
    {
        /** For each node the index of the link to take; NO_LINK for the destination itself and for
         * what no link connects to it. */
        std::vector<std::size_t> next;
        std::vector<int64_t> links; //!< For each node how many links the way has; 0 for none.
    };

    /**
     * @brief Constructor.
     * @param network The network; it must outlive this.
     * @param metric What is short.
     */
    TopologyRoutes(const TopologyFile& network, Metric metric);

    /** @brief Find the shortest ways from everywhere to a node. */
    Ways FindWays(uint32_t destination) const;

    /**
     * @brief List the links of a way that was found.
     * @param ways What FindWays() gave for the last node.
     * @param from The first node's index.
     * @return The links; none when there is no way.
     */
    std::vector<Step> Follow(const Ways& ways, uint32_t from) const;

  private:
    const TopologyFile& m_network;                   //!< The network.
    Metric m_metric;                                 //!< What is short.
    std::vector<std::vector<std::size_t>> m_linksOf; //!< Indices of links, by node.
};

} // namespace ns3::lfn

#endif // LFN_TOPOLOGY_ROUTES_H
