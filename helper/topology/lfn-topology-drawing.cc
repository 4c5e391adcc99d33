// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-topology-drawing.h"

#include "ns3/channel.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/lfn-values.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/nstime.h"
#include "ns3/queue.h"

#include <algorithm>
#include <cmath>
#include <locale>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TopologyDrawing");

namespace
{

constexpr double COLUMN = 220; //!< From one column of nodes to the next (pixels).
constexpr double ROW = 74;     //!< From one row to the next (pixels).
constexpr double MARGIN = 70;  //!< Around the nodes (pixels).
constexpr double RADIUS = 17;  //!< Of a node (pixels).
constexpr double MEDIUM = 5;   //!< Radius of a medium of several devices (pixels).
constexpr double ARROW = 0.66; //!< Where on its link the arrow of a bottleneck is.

constexpr const char* SENDER = "#0072B2";     //!< Colour of nodes that send data.
constexpr const char* RECEIVER = "#009E73";   //!< Colour of nodes that receive data.
constexpr const char* BOTH = "#CC79A7";       //!< Colour of nodes that do both.
constexpr const char* ROUTER = "#6E6E6E";     //!< Colour of other nodes, and of links.
constexpr const char* BOTTLENECK = "#D55E00"; //!< Colour of bottlenecks.

/** @brief A node, or a medium of several devices. */
struct Vertex : DrawnNode
{
    bool isMedium{false};  //!< A point instead of a circle.
    std::size_t column{0}; //!< Links from the nearest sender.
};

/** @brief A link between two vertices. */
struct Edge
{
    std::size_t from{0};      //!< The first vertex.
    std::size_t to{0};        //!< The second one.
    std::string label;        //!< Rates and delay.
    std::string queue;        //!< Queue of the bottleneck, if it is one.
    bool isBottleneck{false}; //!< From the first to the second.
};

/** @brief Print a rate with its unit, empty where it is not known. */
std::string
PrintRateOf(Ptr<const NetDevice> device)
{
    const auto rate = ReportedLink::GetRate(device);
    return rate && rate->GetBitRate() > 0 ? values::PrintRate(*rate) : "";
}

/** @brief Print the size of the queue in front of a device, empty where it is not known. */
std::string
PrintQueueOf(Ptr<const NetDevice> device)
{
    const auto queue = ReportedLink::GetQueue(device);
    return queue ? "queue " + values::PrintQueueSize(queue->GetMaxSize()) : "";
}

/** @brief Print the delay of a channel, empty where it has none of its own. */
std::string
PrintDelayOf(Ptr<const Channel> channel)
{
    TimeValue delay;
    return channel->GetAttributeFailSafe("Delay", delay) ? values::PrintTime(delay.Get()) : "";
}

/** @brief Join words that are not empty. */
std::string
JoinWords(const std::string& left, const std::string& between, const std::string& right)
{
    return left.empty() || right.empty() ? left + right : left + between + right;
}

/** @brief Make a text fit for XML. */
std::string
Escape(const std::string& text)
{
    std::string out;
    for (const char c : text)
    {
        out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    }
    return out;
}

/** @brief The drawing of a network, with a place for each vertex. */
class TopologyDrawing
{
  public:
    /** @brief Constructor: read a network. */
    explicit TopologyDrawing(const TransportTopology& topology);

    /** @brief Print the drawing as SVG. */
    std::string Print() const;

    /** @brief Get the nodes without media, by their number. */
    std::vector<DrawnNode> GetNodes() const;

  private:
    /** @brief Add the nodes, with their names and roles. */
    void AddNodes(const TransportTopology& topology);

    /** @brief Add the links of a channel. */
    void AddChannel(Ptr<Channel> channel, const std::vector<TransportTopology::Link>& bottlenecks);

    /** @brief Give each vertex a column and a place in it. */
    void Place();

    /** @brief Print an edge. */
    void PrintEdge(std::ostream& os, const Edge& edge) const;

    /** @brief Print a vertex. */
    static void PrintVertex(std::ostream& os, const Vertex& vertex);

    std::vector<Vertex> m_vertices;   //!< Nodes by their number, then media.
    std::vector<Edge> m_edges;        //!< Links.
    std::vector<std::size_t> m_first; //!< The senders.
    double m_width{0};                //!< Of the picture (pixels).
    double m_height{0};               //!< Of the picture (pixels).
};

TopologyDrawing::TopologyDrawing(const TransportTopology& topology)
{
    AddNodes(topology);
    std::vector<Ptr<Channel>> seen;
    for (uint32_t i = 0; i < NodeList::GetNNodes(); ++i)
    {
        const auto node = NodeList::GetNode(i);
        for (uint32_t k = 0; k < node->GetNDevices(); ++k)
        {
            const auto channel = node->GetDevice(k)->GetChannel();
            if (channel && std::ranges::find(seen, channel) == seen.end())
            {
                seen.push_back(channel);
                AddChannel(channel, topology.GetBottlenecks());
            }
        }
    }
    NS_LOG_LOGIC("nodes " << NodeList::GetNNodes() << ", media "
                          << m_vertices.size() - NodeList::GetNNodes() << ", links "
                          << m_edges.size() << ", columns start at " << m_first.size()
                          << " senders");
    Place();
}

void
TopologyDrawing::AddNodes(const TransportTopology& topology)
{
    std::map<uint32_t, std::string> roles;
    std::map<uint32_t, std::string> colours;
    const auto add = [&](const NodeContainer& nodes, const std::string& role, const char* colour) {
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            const auto id = nodes.Get(i)->GetId();
            const auto before = colours.find(id);
            const bool isNew = before == colours.end() || before->second == colour;
            colours[id] = isNew ? colour : BOTH;
            roles[id] = JoinWords(roles[id], ", ", role + " " + std::to_string(i));
        }
    };
    add(topology.GetSenders(), "sender", SENDER);
    add(topology.GetReceivers(), "receiver", RECEIVER);
    for (uint32_t i = 0; i < NodeList::GetNNodes(); ++i)
    {
        const auto name = topology.GetNodeName(NodeList::GetNode(i));
        const auto colour = colours.find(i);
        Vertex vertex;
        vertex.name = name.empty() ? std::to_string(i) : name;
        vertex.role = roles[i];
        vertex.colour = colour == colours.end() ? ROUTER : colour->second;
        m_vertices.push_back(vertex);
    }
    for (uint32_t i = 0; i < topology.GetSenders().GetN(); ++i)
    {
        m_first.push_back(topology.GetSenders().Get(i)->GetId());
    }
}

void
TopologyDrawing::AddChannel(Ptr<Channel> channel,
                            const std::vector<TransportTopology::Link>& bottlenecks)
{
    const auto limits = [&](Ptr<NetDevice> from, Ptr<NetDevice> to) {
        return std::ranges::any_of(bottlenecks, [&](const auto& link) {
            return link.first == from && (!to || link.second == to);
        });
    };
    if (channel->GetNDevices() == 2)
    {
        auto from = channel->GetDevice(0);
        auto to = channel->GetDevice(1);
        if (limits(to, from) && !limits(from, to))
        {
            std::swap(from, to);
        }
        const auto there = PrintRateOf(from);
        const auto back = PrintRateOf(to);
        const auto rates = there == back ? there : JoinWords(there, " / ", back);
        m_edges.push_back({.from = from->GetNode()->GetId(),
                           .to = to->GetNode()->GetId(),
                           .label = JoinWords(rates, ", ", PrintDelayOf(channel)),
                           .queue = PrintQueueOf(from),
                           .isBottleneck = limits(from, to)});
        return;
    }
    const auto medium = m_vertices.size();
    Vertex point;
    point.name = PrintDelayOf(channel);
    point.colour = ROUTER;
    point.isMedium = true;
    m_vertices.push_back(point);
    for (std::size_t i = 0; i < channel->GetNDevices(); ++i)
    {
        const auto device = channel->GetDevice(i);
        m_edges.push_back({.from = device->GetNode()->GetId(),
                           .to = medium,
                           .label = PrintRateOf(device),
                           .queue = PrintQueueOf(device),
                           .isBottleneck = limits(device, nullptr)});
    }
}

void
TopologyDrawing::Place()
{
    std::vector<std::vector<std::size_t>> neighbours(m_vertices.size());
    for (const auto& edge : m_edges)
    {
        neighbours[edge.from].push_back(edge.to);
        neighbours[edge.to].push_back(edge.from);
    }
    // Breadth first from the senders; what cannot be reached starts another search in the first
    // column.
    std::vector<std::vector<std::size_t>> columns;
    std::vector<bool> isPlaced(m_vertices.size());
    std::vector<std::size_t> waiting;
    const auto put = [&](std::size_t vertex, std::size_t column) {
        if (isPlaced[vertex])
        {
            return;
        }
        isPlaced[vertex] = true;
        columns.resize(std::max(columns.size(), column + 1));
        columns[column].push_back(vertex);
        m_vertices[vertex].column = column;
        waiting.push_back(vertex);
    };
    std::size_t next = 0;
    const auto spread = [&] {
        for (; next < waiting.size(); ++next)
        {
            for (const auto neighbour : neighbours[waiting[next]])
            {
                put(neighbour, m_vertices[waiting[next]].column + 1);
            }
        }
    };
    for (const auto vertex : m_first)
    {
        put(vertex, 0);
    }
    spread();
    for (std::size_t vertex = 0; vertex < m_vertices.size(); ++vertex)
    {
        put(vertex, 0);
        spread();
    }
    std::size_t most = 1;
    for (const auto& column : columns)
    {
        most = std::max(most, column.size());
    }
    m_height = 2 * MARGIN + ROW * static_cast<double>(most - 1) + ROW / 2;
    m_width =
        2 * MARGIN + COLUMN * static_cast<double>(std::max<std::size_t>(columns.size(), 1) - 1);
    for (std::size_t column = 0; column < columns.size(); ++column)
    {
        const auto size = static_cast<double>(columns[column].size());
        double y = m_height / 2 - ROW * (size - 1) / 2;
        for (const auto vertex : columns[column])
        {
            m_vertices[vertex].x = MARGIN + COLUMN * static_cast<double>(column);
            m_vertices[vertex].y = std::exchange(y, y + ROW);
            NS_LOG_DEBUG((m_vertices[vertex].isMedium ? "medium " : "node ")
                         << vertex << " " << m_vertices[vertex].name << " at "
                         << m_vertices[vertex].x << "," << m_vertices[vertex].y);
        }
    }
}

void
TopologyDrawing::PrintEdge(std::ostream& os, const Edge& edge) const
{
    const auto& from = m_vertices[edge.from];
    const auto& to = m_vertices[edge.to];
    const char* colour = edge.isBottleneck ? BOTTLENECK : ROUTER;
    os << "<line x1=\"" << from.x << "\" y1=\"" << from.y << "\" x2=\"" << to.x << "\" y2=\""
       << to.y << "\" stroke=\"" << colour << "\" stroke-width=\"" << (edge.isBottleneck ? 3 : 1.5)
       << "\"/>\n";
    if (edge.isBottleneck)
    {
        const double angle = std::atan2(to.y - from.y, to.x - from.x) * 180 / std::acos(-1.0);
        os << "<path d=\"M8,0 L-6,-7 L-6,7 Z\" fill=\"" << colour << "\" transform=\"translate("
           << from.x + ARROW * (to.x - from.x) << "," << from.y + ARROW * (to.y - from.y)
           << ") rotate(" << angle << ")\"/>\n";
    }
    const double x = (from.x + to.x) / 2;
    const double y = (from.y + to.y) / 2;
    os << "<text x=\"" << x << "\" y=\"" << y - 6 << "\">" << Escape(edge.label) << "</text>\n";
    if (edge.isBottleneck && !edge.queue.empty())
    {
        os << "<text x=\"" << x << "\" y=\"" << y + 18 << "\" fill=\"" << colour << "\">"
           << Escape(edge.queue) << "</text>\n";
    }
}

void
TopologyDrawing::PrintVertex(std::ostream& os, const Vertex& vertex)
{
    os << "<circle cx=\"" << vertex.x << "\" cy=\"" << vertex.y << "\" r=\""
       << (vertex.isMedium ? MEDIUM : RADIUS) << "\" fill=\"" << vertex.colour << "\"/>\n";
    const double below = vertex.y + (vertex.isMedium ? MEDIUM : RADIUS) + 15;
    const bool isInside = !vertex.isMedium && vertex.name.size() <= 3;
    os << "<text x=\"" << vertex.x << "\" y=\"" << (isInside ? vertex.y + 4 : below)
       << (isInside ? "\" class=\"inside\">" : "\">") << Escape(vertex.name) << "</text>\n";
    if (!vertex.role.empty())
    {
        os << "<text x=\"" << vertex.x << "\" y=\"" << (isInside ? below : below + 14) << "\">"
           << Escape(vertex.role) << "</text>\n";
    }
}

std::string
TopologyDrawing::Print() const
{
    std::ostringstream os;
    os.imbue(std::locale::classic());
    os << R"(<?xml version="1.0" encoding="UTF-8"?>)"
       << "\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << m_width << "\" height=\""
       << m_height << "\" viewBox=\"0 0 " << m_width << " " << m_height << "\">\n"
       << "<style>text{font:12px sans-serif;text-anchor:middle;paint-order:stroke;stroke:white;"
          "stroke-width:3px}.inside{fill:white;stroke:none}</style>\n"
       << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    for (const auto& edge : m_edges)
    {
        PrintEdge(os, edge);
    }
    for (const auto& vertex : m_vertices)
    {
        PrintVertex(os, vertex);
    }
    os << "</svg>\n";
    return os.str();
}

std::vector<DrawnNode>
TopologyDrawing::GetNodes() const
{
    return {m_vertices.begin(), m_vertices.begin() + NodeList::GetNNodes()};
}

} // namespace

std::vector<DrawnNode>
PlaceNodes(const TransportTopology& topology)
{
    NS_LOG_FUNCTION(&topology);
    return TopologyDrawing(topology).GetNodes();
}

std::string
DrawTopology(const TransportTopology& topology)
{
    NS_LOG_FUNCTION(&topology);
    return TopologyDrawing(topology).Print();
}

} // namespace ns3::lfn
