// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TOPOLOGY_FILE_H
#define LFN_TOPOLOGY_FILE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A network as a file describes it: nodes, links and roles, and nothing of the simulator.
 *
 * The file is CSV in UTF-8. A line begins with its kind:
 * `node,<name>[,<role>[,<rank>]]` with the role sender, receiver, both or nothing, and the process
 * of ns-3's MpiInterface that simulates the node, 0 if left away; and
 * `link,<a>,<b>,<rate>,<delay>[,<queue>[,<loss>[,bottleneck[,<jitter>[,<policer>]]]]]`. Rate,
 * queue, loss and policer, `<rate>:<burst>` or `none`, are those of both directions, or two with a
 * slash between them, from a to b and back. Lines that begin with
 * `#` and empty ones say nothing, and the first other one may be a header, `kind,...`. Fields may
 * be quoted; spaces around them and empty ones at the end of a line are left away. The order of
 * lines reports that of senders, receivers and bottlenecks, and nothing else.
 */
struct TopologyFile
{
    /** @brief A node. */
    struct Node
    {
        std::string name;       //!< As written.
        bool isSender{false};   //!< Role sender or both.
        bool isReceiver{false}; //!< Role receiver or both.
        uint32_t rank{0};       //!< Of the process that simulates it.
        uint32_t line{0};       //!< Where it was.

        /** @brief Compare. */
        bool operator==(const Node&) const = default;
    };

    /** @brief What a policer lets pass. */
    struct Bucket
    {
        DataRate rate;     //!< Of IP packets (bit/s); 0: any.
        uint32_t burst{0}; //!< What may exceed it at once (bytes).

        /** @brief Compare. */
        bool operator==(const Bucket&) const = default;
    };

    /** @brief One direction of a link. */
    struct Way
    {
        DataRate rate;                  //!< Above 0.
        std::optional<QueueSize> queue; //!< In front of the device; nothing when it does not say.
        double loss{0};                 //!< Probability that an IP packet is lost, 0 to 1.
        Bucket policer{};               //!< At its end.

        /** @brief Compare. */
        bool operator==(const Way&) const = default;
    };

    /** @brief A link between two nodes. */
    struct Link
    {
        uint32_t from{0};         //!< Index of the first node.
        uint32_t to{0};           //!< Index of the second node.
        std::array<Way, 2> ways;  //!< From the first node to the second, and back.
        Time delay;               //!< Of propagation, one way; from 0 to a day.
        bool isBottleneck{false}; //!< Marked as one.
        Time jitter{};            //!< Standard deviation of an extra delay; from 0 to a day.
        uint32_t line{0};         //!< Where it was.

        /** @brief Compare. */
        bool operator==(const Link&) const = default;
    };

    static constexpr std::size_t MOST_NODES = 10000; //!< More are refused.
    static constexpr uint32_t MOST_RANK = 9999;      //!< A larger one is refused.
    static constexpr std::size_t MOST_LOSSY = 3000;  //!< Links with loss or jitter, likewise.

    std::string place;       //!< What errors begin with: the file and a colon; empty without one.
    std::vector<Node> nodes; //!< In the order of the file.
    std::vector<Link> links; //!< Likewise.
    /** Indices of the nodes that send, in the order of the file. */
    std::vector<uint32_t> senders;
    /** Indices of those that receive, in the order of the file, but going round from a later one
     * where a node would else be its own pair. */
    std::vector<uint32_t> receivers;

    /**
     * @brief Get how many pairs of a sender and a receiver there are: the larger of both numbers;
     * the shorter list repeats.
     */
    std::size_t CountPairs() const;

    /** @brief Get the index of the node that sends in a pair. */
    uint32_t GetSender(std::size_t pair) const;

    /** @brief Get the index of the node that receives in a pair. */
    uint32_t GetReceiver(std::size_t pair) const;

    /** @brief Compare. */
    bool operator==(const TopologyFile&) const = default;
};

/**
 * @ingroup lfn
 * @brief Read a network from a text.
 * @param text The content of the file.
 * @param name The file's name, for the error.
 * @param topology Set when the text is good.
 * @return The error: file, line, what is wrong and what to do; or nothing when the text is good.
 */
std::optional<std::string> ParseTopologyFile(std::string_view text,
                                             const std::string& name,
                                             TopologyFile& topology);

/**
 * @ingroup lfn
 * @brief Read a network from a file.
 * @param path The file.
 * @param topology Set when the file is good.
 * @return The error, or nothing when the file is good.
 */
std::optional<std::string> ReadTopologyFile(const std::string& path, TopologyFile& topology);

} // namespace ns3::lfn

#endif // LFN_TOPOLOGY_FILE_H
