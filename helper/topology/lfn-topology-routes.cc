// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-topology-routes.h"

#include "ns3/lfn-wording.h"

#include <algorithm>
#include <compare>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>

namespace ns3::lfn
{

namespace
{

/** @brief How long a way is: what counts first, then what counts between equal ones. */
struct Length
{
    int64_t first{std::numeric_limits<int64_t>::max()};  //!< Links, or delay (time steps).
    int64_t second{std::numeric_limits<int64_t>::max()}; //!< The other one.

    auto operator<=>(const Length&) const = default;
};

} // namespace

std::vector<std::vector<uint32_t>>
FindParts(const TopologyFile& network)
{
    // Each node points at an earlier one of its part, or at itself.
    std::vector<uint32_t> heads(network.nodes.size());
    std::iota(heads.begin(), heads.end(), 0U);
    const auto findHead = [&heads](uint32_t node) {
        while (heads[node] != node)
        {
            heads[node] = heads[heads[node]];
            node = heads[node];
        }
        return node;
    };
    for (const auto& link : network.links)
    {
        const auto a = findHead(link.from);
        const auto b = findHead(link.to);
        heads[std::max(a, b)] = std::min(a, b);
    }
    std::vector<std::vector<uint32_t>> parts;
    std::vector<std::size_t> partOf(network.nodes.size());
    for (uint32_t node = 0; node < heads.size(); ++node)
    {
        const auto head = findHead(node);
        if (head == node)
        {
            partOf[node] = parts.size();
            parts.emplace_back();
        }
        parts[partOf[head]].push_back(node);
    }
    return parts;
}

std::optional<std::string>
CheckConnected(const TopologyFile& network)
{
    const auto parts = FindParts(network);
    if (parts.size() < 2)
    {
        return std::nullopt;
    }
    std::string text = std::to_string(parts.size()) + " parts that no link connects: ";
    for (std::size_t i = 0; i < 2; ++i)
    {
        text += (i > 0 ? " and " : "") + std::to_string(parts[i].size()) + " nodes (";
        for (std::size_t k = 0; k < std::min<std::size_t>(parts[i].size(), 3); ++k)
        {
            text += (k > 0 ? ", " : "") + Printable(network.nodes[parts[i][k]].name, 40);
        }
        text += parts[i].size() > 3 ? ", ...)" : ")";
    }
    return text + ": add a link, or leave one part away";
}

TopologyRoutes::TopologyRoutes(const TopologyFile& network, Metric metric)
    : m_network(network),
      m_metric(metric),
      m_linksOf(network.nodes.size())
{
    for (std::size_t i = 0; i < network.links.size(); ++i)
    {
        m_linksOf[network.links[i].from].push_back(i);
        m_linksOf[network.links[i].to].push_back(i);
    }
}

TopologyRoutes::Ways
TopologyRoutes::FindWays(uint32_t destination) const
{
    // Dijkstra's algorithm, from the destination backwards: links are alike in both directions.
    std::vector<Length> lengths(m_network.nodes.size());
    Ways ways{std::vector<std::size_t>(lengths.size(), NO_LINK),
              std::vector<int64_t>(lengths.size(), 0)};
    using Entry = std::tuple<Length, uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    lengths[destination] = {0, 0};
    open.emplace(lengths[destination], destination);
    while (!open.empty())
    {
        const auto [length, node] = open.top();
        open.pop();
        if (length != lengths[node])
        {
            continue; // a shorter way was found since
        }
        for (const auto index : m_linksOf[node])
        {
            const auto& link = m_network.links[index];
            const auto other = link.from == node ? link.to : link.from;
            const auto delay = link.delay.GetTimeStep();
            const Length longer = m_metric == Metric::HOPS
                                      ? Length{length.first + 1, length.second + delay}
                                      : Length{length.first + delay, length.second + 1};
            if (longer < lengths[other])
            {
                lengths[other] = longer;
                ways.next[other] = index;
                open.emplace(longer, other);
            }
            else if (longer == lengths[other] && index < ways.next[other])
            {
                ways.next[other] = index;
            }
        }
    }
    for (std::size_t node = 0; node < lengths.size(); ++node)
    {
        if (ways.next[node] != NO_LINK)
        {
            const auto& length = lengths[node];
            ways.links[node] = m_metric == Metric::HOPS ? length.first : length.second;
        }
    }
    return ways;
}

std::vector<TopologyRoutes::Step>
TopologyRoutes::Follow(const Ways& ways, uint32_t from) const
{
    std::vector<Step> path;
    while (ways.next[from] != NO_LINK)
    {
        const auto& link = m_network.links[ways.next[from]];
        const auto other = link.from == from ? link.to : link.from;
        path.push_back({ways.next[from], from, other});
        from = other;
    }
    return path;
}

} // namespace ns3::lfn
