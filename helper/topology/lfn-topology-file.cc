// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-topology-file.h"

#include "lfn-topology-routes.h"
#include "lfn-topology-rows.h"

#include "ns3/lfn-small-file.h"
#include "ns3/lfn-values.h"
#include "ns3/lfn-wording.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr std::size_t MOST_BYTES = 16'000'000; //!< Of a file; ten times the largest network.
constexpr std::size_t MOST_NAME = 200;         //!< Bytes of a node's name.

/** @brief A wrong line: what the error says behind its number. */
using Complaint = std::optional<std::string>;

/** @brief How a field of a link is written. */
struct Form
{
    std::string name;    //!< The field.
    std::string what;    //!< What to give.
    std::string example; //!< Such as.
    bool isOfEachWay;    //!< May be two, with a slash.
};

/**
 * @brief Read a field.
 * @param row The line.
 * @param index The field's index; it need not be there.
 * @param form How it is written.
 * @param read The reader.
 * @param isGood Indicates whether a value may be.
 * @param take Gets a value that is good, and whether it is that of the reverse path; a field that
 * has one value gives it for both directions.
 * @return What is wrong, or nothing.
 */
template <typename R, typename G, typename F>
Complaint
ReadField(const TopologyRow& row, std::size_t index, const Form& form, R read, G isGood, F take)
{
    const std::string text = index < row.fields.size() ? row.fields[index] : "";
    if (text.empty())
    {
        return "the " + form.name + " is missing: write link,<a>,<b>,<rate>,<delay>, such as " +
               "link,a,b,100Mbps,5ms";
    }
    const auto slash = form.isOfEachWay ? text.find('/') : std::string::npos;
    for (const bool isBack : {false, true})
    {
        const bool isSecond = isBack && slash != std::string::npos;
        const auto part = isSecond ? text.substr(slash + 1) : text.substr(0, slash);
        const auto result = read(part);
        if (result.fault == values::Fault::MISSING_UNIT)
        {
            return form.name + " " + Printable(text, 40) + ": the unit is missing, give " +
                   form.what + ", such as " + form.example;
        }
        if (!result.value || !isGood(*result.value))
        {
            return form.name + " " + Printable(text, 40) + ": give " + form.what + ", such as " +
                   form.example;
        }
        take(*result.value, isBack);
    }
    return std::nullopt;
}

/**
 * @brief Read what a policer lets pass.
 * @param text `<rate>:<burst>`, or `none`.
 * @return Both; rate 0 for none.
 */
values::Result<TopologyFile::Bucket>
ReadPolicer(std::string_view text)
{
    if (text == "none")
    {
        return {TopologyFile::Bucket{}};
    }
    constexpr uint64_t MOST_BURST = 2'000'000'000;
    const auto colon = text.find(':');
    if (colon == std::string_view::npos)
    {
        return {std::nullopt, values::Fault::SYNTAX};
    }
    const auto rate = values::ReadRate(text.substr(0, colon));
    const auto burst = values::ReadBytes(text.substr(colon + 1));
    const bool isGood = rate.value && rate.value->GetBitRate() > 0 && burst.value &&
                        *burst.value > 0 && *burst.value <= MOST_BURST;
    return isGood ? values::Result<TopologyFile::Bucket>{TopologyFile::Bucket{
                        *rate.value,
                        static_cast<uint32_t>(*burst.value)}}
                  : values::Result<TopologyFile::Bucket>{std::nullopt, values::Fault::SYNTAX};
}

/** @brief Makes a network of rows. */
class Reader
{
  public:
    /**
     * @brief Read nodes, then links.
     * @return The error behind the file's name, or nothing.
     */
    Complaint Read(const std::vector<TopologyRow>& rows)
    {
        for (const auto* kind : {"node", "link"})
        {
            const bool isNode = kind == std::string_view("node");
            for (const auto& row : rows)
            {
                if (row.fields[0] == kind)
                {
                    if (const auto complaint = isNode ? ReadNode(row) : ReadLink(row))
                    {
                        return ", line " + std::to_string(row.line) + ": " + *complaint;
                    }
                }
                else if (isNode && row.fields[0] != "link")
                {
                    return ", line " + std::to_string(row.line) + ": " +
                           Printable(row.fields[0], 40) +
                           " is no kind of line: begin it with node, link or #";
                }
            }
        }
        if (m_network.nodes.empty())
        {
            return ": it names no node: write lines such as node,a,sender and "
                   "link,a,b,100Mbps,5ms";
        }
        if (const auto complaint = ArrangePairs())
        {
            return ": " + *complaint;
        }
        if (const auto complaint = CheckConnected(m_network))
        {
            return ": " + *complaint;
        }
        return std::nullopt;
    }

    /** @brief Hand the network over. */
    TopologyFile Take()
    {
        return std::move(m_network);
    }

  private:
    /// Read a node.
    Complaint ReadNode(const TopologyRow& row)
    {
        const std::string name = row.fields.size() > 1 ? row.fields[1] : "";
        const std::string role = row.fields.size() > 2 ? row.fields[2] : "";
        const std::string form = "write node,<name>, node,<name>,<role> or "
                                 "node,<name>,<role>,<rank>";
        if (name.empty())
        {
            return "a node without a name: " + form;
        }
        if (name.size() > MOST_NAME)
        {
            return "the name " + Printable(name, 40) + " is too long: give " +
                   std::to_string(MOST_NAME) + " bytes at most";
        }
        if (row.fields.size() > 4)
        {
            return "too many fields of node " + Printable(name, 40) + ": " + form;
        }
        const std::vector<std::string> roles{"", "sender", "receiver", "both"};
        if (std::ranges::find(roles, role) == roles.end())
        {
            return "there is no role " + Printable(role, 40) +
                   ": write sender, receiver, both or nothing";
        }
        const std::string rank = row.fields.size() > 3 ? row.fields[3] : "0";
        uint32_t process = 0;
        const auto* end = rank.data() + rank.size();
        if (const auto [rest, error] = std::from_chars(rank.data(), end, process);
            error != std::errc() || rest != end || process > TopologyFile::MOST_RANK)
        {
            return "the rank " + Printable(rank, 40) + " is no number: give one from 0 to " +
                   std::to_string(TopologyFile::MOST_RANK);
        }
        const auto index = static_cast<uint32_t>(m_network.nodes.size());
        const auto [earlier, isNew] = m_byName.emplace(name, index);
        if (!isNew)
        {
            return "node " + Printable(name, 40) + " is in line " +
                   std::to_string(m_network.nodes[earlier->second].line) +
                   " as well: give each node a name of its own";
        }
        if (index >= TopologyFile::MOST_NODES)
        {
            return "too many nodes: give " + std::to_string(TopologyFile::MOST_NODES) + " at most";
        }
        m_network.nodes.push_back({name,
                                   role == "sender" || role == "both",
                                   role == "receiver" || role == "both",
                                   process,
                                   row.line});
        return std::nullopt;
    }

    /// Find a node that a link names.
    Complaint FindNode(const TopologyRow& row, std::size_t field, uint32_t& index) const
    {
        const std::string name = field < row.fields.size() ? row.fields[field] : "";
        if (name.empty())
        {
            return "a link without two nodes: write link,<a>,<b>,<rate>,<delay>, such as "
                   "link,a,b,100Mbps,5ms";
        }
        const auto found = m_byName.find(name);
        if (found == m_byName.end())
        {
            std::vector<std::string> names;
            names.reserve(m_network.nodes.size());
            for (const auto& node : m_network.nodes)
            {
                names.push_back(node.name);
            }
            const auto nearest = FindNearest(name, names);
            return "there is no node " + Printable(name, 40) +
                   (nearest ? ", did you mean " + Printable(*nearest, 40) + "?"
                            : ": add the line node," + Printable(name, 40));
        }
        index = found->second;
        return std::nullopt;
    }

    /// Read a link.
    Complaint ReadLink(const TopologyRow& row)
    {
        TopologyFile::Link link{};
        link.line = row.line;
        Complaint complaint = FindNode(row, 1, link.from);
        complaint = complaint ? complaint : FindNode(row, 2, link.to);
        if (complaint)
        {
            return complaint;
        }
        if (link.from == link.to)
        {
            return "a link from " + Printable(row.fields[1], 40) +
                   " to itself: name two nodes, or remove the line";
        }
        const auto [earlier, isNew] = m_links.emplace(std::minmax(link.from, link.to), link.line);
        if (!isNew)
        {
            return "line " + std::to_string(earlier->second) + " is a link between " +
                   Printable(row.fields[1], 40) + " and " + Printable(row.fields[2], 40) +
                   " as well: keep one of the two, with the sum of their rates";
        }
        complaint = ReadProperties(row, link);
        if (complaint)
        {
            return complaint;
        }
        if (m_network.nodes[link.from].rank != m_network.nodes[link.to].rank &&
            (link.delay.IsZero() || !link.jitter.IsZero()))
        {
            return "a link between nodes of two ranks needs a delay above 0, and no jitter: give "
                   "it that, or its nodes one rank";
        }
        m_lossy += link.ways[0].loss > 0 || link.ways[1].loss > 0 || !link.jitter.IsZero() ? 1 : 0;
        if (m_lossy > TopologyFile::MOST_LOSSY)
        {
            return "too many links with loss or jitter: give " +
                   std::to_string(TopologyFile::MOST_LOSSY) + " at most";
        }
        m_network.links.push_back(link);
        return std::nullopt;
    }

    /// Read what a link is like.
    static Complaint ReadProperties(const TopologyRow& row, TopologyFile::Link& link)
    {
        const auto has = [&row](std::size_t field) {
            return field < row.fields.size() && !row.fields[field].empty();
        };
        const Form rate{"rate", "a rate above 0 with its unit", "100Mbps", true};
        const Form delay{"delay", "a time from 0 to 1 d with its unit", "5ms", false};
        const Form queue{"queue",
                         "packets or bytes above 0",
                         "1000p or 64kB (BDP: Attribute Queue)",
                         true};
        const Form loss{"loss", "a probability from 0 to 1", "0.01", true};
        const Form jitter{"jitter", "a time from 0 to 1 d with its unit", "2ms", false};
        const Form policer{"policer", "a rate and a burst in bytes, or none", "5Mbps:100kB", true};
        const auto isRate = [](DataRate some) { return some.GetBitRate() > 0; };
        const auto isDelay = [](Time some) { return some >= Time(0) && some <= Days(1); };
        const auto isQueue = [](QueueSize some) { return some.GetValue() > 0; };
        const auto isLoss = [](double some) { return some >= 0 && some <= 1; };
        const auto isBucket = [](const auto& /* some */) { return true; };
        auto& ways = link.ways;
        Complaint complaint;
        const auto read =
            [&](std::size_t index, const Form& form, auto reader, auto isGood, auto take) {
                if (!complaint && (index < 5 || has(index))) // the first two are needed
                {
                    complaint = ReadField(row, index, form, reader, isGood, take);
                }
            };
        read(3, rate, values::ReadRate, isRate, [&](auto some, bool back) {
            ways[back].rate = some;
        });
        read(4, delay, values::ReadTime, isDelay, [&](Time some, bool) { link.delay = some; });
        read(5, queue, values::ReadQueueSize, isQueue, [&](auto some, bool back) {
            ways[back].queue = some;
        });
        read(6, loss, values::ReadNumber, isLoss, [&](auto some, bool back) {
            ways[back].loss = some;
        });
        link.isBottleneck = has(7);
        if (!complaint && link.isBottleneck && row.fields[7] != "bottleneck")
        {
            return "the field behind the loss is bottleneck or nothing, not " +
                   Printable(row.fields[7], 40) + ": correct it or leave it away";
        }
        read(8, jitter, values::ReadTime, isDelay, [&](Time some, bool) { link.jitter = some; });
        read(9, policer, ReadPolicer, isBucket, [&](auto some, bool back) {
            ways[back].policer = some;
        });
        if (!complaint && row.fields.size() > 10)
        {
            return "too many fields of a link: write "
                   "link,<a>,<b>,<rate>,<delay>,<queue>,<loss>,bottleneck,<jitter>,<policer> at "
                   "most";
        }
        return complaint;
    }

    /// List senders and receivers so that no node is its own pair.
    Complaint ArrangePairs()
    {
        for (uint32_t i = 0; i < m_network.nodes.size(); ++i)
        {
            if (m_network.nodes[i].isSender)
            {
                m_network.senders.push_back(i);
            }
            if (m_network.nodes[i].isReceiver)
            {
                m_network.receivers.push_back(i);
            }
        }
        for (const auto& [list, role] :
             {std::pair{&m_network.senders, "sender"}, std::pair{&m_network.receivers, "receiver"}})
        {
            if (list->empty())
            {
                return std::string("no node is a ") + role + ": give one the role, as in node,a," +
                       role;
            }
        }
        // A node that is both counts as its own pair in few files; the first shift that helps all
        // pairs is taken, else the first that helps the first pair.
        const auto order = m_network.receivers;
        std::optional<std::size_t> firstHelps;
        for (std::size_t shift = 0; shift < order.size(); ++shift)
        {
            std::ranges::rotate_copy(order, order.begin() + shift, m_network.receivers.begin());
            if (m_network.senders[0] != m_network.receivers[0] && !firstHelps)
            {
                firstHelps = shift;
            }
            bool isGood = true;
            for (std::size_t pair = 0; pair < m_network.CountPairs() && isGood; ++pair)
            {
                isGood = m_network.GetSender(pair) != m_network.GetReceiver(pair);
            }
            if (isGood)
            {
                return std::nullopt;
            }
        }
        if (!firstHelps)
        {
            return "node " + Printable(m_network.nodes[order[0]].name, 40) +
                   " would send to itself: give another node the role receiver";
        }
        std::ranges::rotate_copy(order, order.begin() + *firstHelps, m_network.receivers.begin());
        return std::nullopt;
    }

    TopologyFile m_network;                                    //!< What was read.
    std::map<std::string, uint32_t, std::less<>> m_byName;     //!< Index of each node.
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_links; //!< Line of each link, by its nodes.
    std::size_t m_lossy{0};                                    //!< Links with loss.
};

} // namespace

std::size_t
TopologyFile::CountPairs() const
{
    return std::max(senders.size(), receivers.size());
}

uint32_t
TopologyFile::GetSender(std::size_t pair) const
{
    return senders.at(pair % senders.size());
}

uint32_t
TopologyFile::GetReceiver(std::size_t pair) const
{
    return receivers.at(pair % receivers.size());
}

std::optional<std::string>
ParseTopologyFile(std::string_view text, const std::string& name, TopologyFile& topology)
{
    std::vector<TopologyRow> rows;
    if (const auto complaint = ReadTopologyRows(text, rows))
    {
        return Printable(name) + *complaint;
    }
    Reader reader;
    if (const auto complaint = reader.Read(rows))
    {
        return Printable(name) + *complaint;
    }
    topology = reader.Take();
    topology.place = Printable(name) + ": ";
    return std::nullopt;
}

std::optional<std::string>
ReadTopologyFile(const std::string& path, TopologyFile& topology)
{
    std::string text;
    if (auto complaint = ReadSmallFile(path, MOST_BYTES, "the CSV file of a network", text))
    {
        return complaint;
    }
    return ParseTopologyFile(text, path, topology);
}

} // namespace ns3::lfn
