// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-network-topology.h"

#include "lfn-link-addresses.h"
#include "lfn-point-to-point-link.h"

#include "ns3/boolean.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/lfn-error-model-list.h"
#include "ns3/lfn-policer.h"
#include "ns3/lfn-wording.h"
#include "ns3/log.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <functional>
#include <ranges>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("NetworkTopology");
NS_OBJECT_ENSURE_REGISTERED(NetworkTopology);

TypeId
NetworkTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::NetworkTopology").SetParent<TransportTopology>().SetGroupName("Lfn");
    return tid;
}

std::optional<std::string>
NetworkTopology::Check() const
{
    const auto complaint = CheckMtu(HasIpv6(), m_mtu);
    if (const auto error = complaint ? complaint : Read())
    {
        return error;
    }
    return CheckQueues();
}

void
NetworkTopology::Connect(const std::string& a,
                         const std::string& b,
                         DataRate rate,
                         Time delay,
                         QueueSize queue) const
{
    const auto call = "Connect(" + a + ", " + b + "): ";
    if (a == b)
    {
        return Refuse(call + "name two nodes");
    }
    if (rate.GetBitRate() == 0)
    {
        return Refuse(call + "give a rate above 0");
    }
    if (delay.IsStrictlyNegative() || delay > Days(1))
    {
        return Refuse(call + "give a delay from 0 to 1 d");
    }
    if (queue.GetValue() == 0)
    {
        return Refuse(call + "give a queue above 0");
    }
    const auto find = [this](const std::string& name) {
        const auto [place, isNew] =
            m_byName.emplace(name, static_cast<uint32_t>(m_network.nodes.size()));
        if (isNew)
        {
            m_network.nodes.push_back({.name = name});
        }
        return place->second;
    };
    const auto from = find(a);
    const auto to = find(b);
    if (!m_connected.insert(std::minmax(from, to)).second)
    {
        return Refuse(call + "the two are connected already, connect them once");
    }
    const TopologyFile::Way way{.rate = rate, .queue = queue};
    m_network.links.push_back({.from = from, .to = to, .ways = {way, way}, .delay = delay});
}

void
NetworkTopology::Pair(const std::string& sender, const std::string& receiver) const
{
    m_pairs.emplace_back(sender, receiver);
}

void
NetworkTopology::Refuse(const std::string& complaint) const
{
    if (!m_complaint)
    {
        m_complaint = complaint;
    }
}

void
NetworkTopology::ReadPairs() const
{
    for (const auto& [sender, receiver] : m_pairs)
    {
        const auto call = "Pair(" + sender + ", " + receiver + "): ";
        for (const auto& name : {sender, receiver})
        {
            if (!m_byName.contains(name))
            {
                const auto names = std::views::keys(m_byName);
                const auto nearest = FindNearest(name, {names.begin(), names.end()});
                return Refuse(call + "no Connect() names " + name +
                              (nearest ? ", did you mean " + *nearest + "?" : ""));
            }
        }
        if (sender == receiver)
        {
            return Refuse(call + "name two nodes");
        }
        if (std::ranges::count(m_pairs, std::pair(sender, receiver)) > 1)
        {
            return Refuse(call + "it is called twice, call it once");
        }
        m_network.senders.push_back(m_byName.at(sender));
        m_network.receivers.push_back(m_byName.at(receiver));
    }
    // One node that sends to all, or receives from all, is named once.
    for (auto* list : {&m_network.senders, &m_network.receivers})
    {
        if (std::ranges::adjacent_find(*list, std::not_equal_to()) == list->end())
        {
            list->resize(std::min<std::size_t>(list->size(), 1));
        }
    }
}

std::optional<std::string>
NetworkTopology::Read() const
{
    const auto known = std::exchange(m_network, {});
    m_byName.clear();
    m_connected.clear();
    m_pairs.clear();
    m_complaint.reset();
    Describe();
    ReadPairs();
    if (m_network.nodes.size() > TopologyFile::MOST_NODES)
    {
        Refuse("too many nodes: give " + std::to_string(TopologyFile::MOST_NODES) + " at most");
    }
    if (m_network.senders.empty())
    {
        Refuse("it has no pair: call Pair(sender, receiver) in Describe()");
    }
    if (const auto complaint = m_complaint ? m_complaint : CheckConnected(m_network))
    {
        m_network = {};
        m_ways.clear();
        return complaint;
    }
    if (m_network == known && m_waysMetric == m_metric)
    {
        return std::nullopt;
    }
    m_waysMetric = m_metric;
    const auto complaint = FindWays();
    m_network = complaint ? TopologyFile() : m_network;
    return complaint;
}

std::optional<std::string>
NetworkTopology::FindWays() const
{
    m_ways.clear();
    std::set<uint32_t> ends(m_network.senders.begin(), m_network.senders.end());
    ends.insert(m_network.receivers.begin(), m_network.receivers.end());
    const auto nodes = m_network.nodes.size();
    if (ends.size() * nodes > MOST_ROUTES)
    {
        return m_network.place + "too many routes, to " + std::to_string(ends.size()) +
               " nodes with a role from " + std::to_string(nodes) + " nodes: give " +
               std::to_string(MOST_ROUTES / nodes) + " nodes a role at most";
    }
    const TopologyRoutes routes(m_network, m_metric);
    for (const auto destination : ends)
    {
        const auto& ways = m_ways[destination] = routes.FindWays(destination);
        for (const auto from : ends)
        {
            if (ways.links[from] > MOST_LINKS)
            {
                return m_network.place + std::to_string(ways.links[from]) + " links from " +
                       Printable(m_network.nodes[from].name, 40) + " to " +
                       Printable(m_network.nodes[destination].name, 40) + ", a packet crosses " +
                       std::to_string(MOST_LINKS) +
                       " at most: shorten the way, or give the role to nearer nodes";
            }
        }
    }
    return std::nullopt;
}

std::vector<TopologyRoutes::Step>
NetworkTopology::GetWay(std::size_t pair) const
{
    const TopologyRoutes routes(m_network, m_metric);
    return routes.Follow(m_ways.at(m_network.GetReceiver(pair)), m_network.GetSender(pair));
}

int64_t
NetworkTopology::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    for (const auto& loss : m_losses)
    {
        loss->AssignStreams(stream++);
    }
    const int64_t first = stream;
    for (const auto& channel : m_jitters)
    {
        stream += channel->AssignStreams(stream);
    }
    return static_cast<int64_t>(m_losses.size()) + stream - first;
}

Time
NetworkTopology::GetLongestHold() const
{
    Time longest;
    for (std::size_t pair = 0; pair < m_network.CountPairs(); ++pair)
    {
        Time sum;
        for (const auto& step : GetWay(pair))
        {
            sum += m_network.links[step.link].jitter;
        }
        longest = std::max(longest, sum);
    }
    return 2 * JitterChannel::SPAN * longest;
}

std::vector<TransportTopology::Link>
NetworkTopology::FindLinks(const std::string& name) const
{
    auto found = TransportTopology::FindLinks(name);
    for (std::size_t i = 0; i < m_links.size() && found.empty(); ++i)
    {
        const auto& from = m_network.nodes[m_network.links[i].from].name;
        const auto& to = m_network.nodes[m_network.links[i].to].name;
        if (name == from + "-" + to)
        {
            found.emplace_back(m_links[i].Get(0), m_links[i].Get(1));
        }
        else if (name == to + "-" + from)
        {
            found.emplace_back(m_links[i].Get(1), m_links[i].Get(0));
        }
    }
    return found;
}

Ptr<Node>
NetworkTopology::GetNode(const std::string& name) const
{
    const auto found = std::ranges::find(m_network.nodes, name, &TopologyFile::Node::name);
    const auto index = static_cast<uint32_t>(found - m_network.nodes.begin());
    return index < m_nodes.GetN() ? m_nodes.Get(index) : nullptr;
}

std::string
NetworkTopology::GetNodeName(Ptr<Node> node) const
{
    const auto found = std::find(m_nodes.Begin(), m_nodes.End(), node);
    return found == m_nodes.End() ? TransportTopology::GetNodeName(node)
                                  : m_network.nodes[found - m_nodes.Begin()].name;
}

void
NetworkTopology::DoDispose()
{
    m_nodes = NodeContainer();
    m_links.clear();
    m_losses.clear();
    m_jitters.clear();
    TransportTopology::DoDispose();
}

Ipv4Address
NetworkTopology::GetAddress(uint32_t node)
{
    return Ipv4Address(Ipv4Address("10.128.0.1").Get() + node);
}

Ipv6Address
NetworkTopology::GetIpv6Address(uint32_t node) const
{
    std::array<uint8_t, 16> bytes{};
    if (const auto network = MatchIpv6Network(HasIpv6(), GetAddress(node)))
    {
        network->GetBytes(bytes.data());
        bytes.back() = 1;
    }
    return Ipv6Address(bytes.data());
}

void
NetworkTopology::AddInterfaces(Ptr<NetDevice> device, uint32_t node) const
{
    const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
    const auto interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(GetAddress(node), Ipv4Mask::GetOnes()));
    ipv4->SetUp(interface);
    if (HasIpv6())
    {
        const auto ipv6 = device->GetNode()->GetObject<Ipv6>();
        // Packets for the one address may come in by any link.
        ipv6->SetAttribute("StrongEndSystemModel", BooleanValue(false));
        const auto other = ipv6->AddInterface(device);
        ipv6->AddAddress(other, Ipv6InterfaceAddress(GetIpv6Address(node), Ipv6Prefix::GetOnes()));
        ipv6->SetUp(other);
    }
}

Ptr<PointToPointChannel>
NetworkTopology::MakeChannel(const TopologyFile::Link& link)
{
    auto channel = CreateObject<PointToPointChannel>();
    if (link.jitter.IsStrictlyPositive())
    {
        m_jitters.push_back(CreateObject<JitterChannel>());
        m_jitters.back()->SetNormalJitter(link.jitter);
        channel = m_jitters.back();
    }
    channel->SetAttribute("Delay", TimeValue(link.delay));
    return channel;
}

void
NetworkTopology::AddLosses(Ptr<NetDevice> device, const TopologyFile::Way& way)
{
    if (way.policer.rate.GetBitRate() > 0)
    {
        const auto policer = CreateObject<Policer>();
        policer->SetAttribute("Rate", DataRateValue(way.policer.rate));
        policer->SetAttribute("Burst", UintegerValue(way.policer.burst));
        ErrorModelList::AddTo(device, policer);
    }
    if (way.loss > 0)
    {
        const auto loss = CreateObject<RateErrorModel>();
        loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        loss->SetRate(way.loss);
        ErrorModelList::AddTo(device, loss);
        m_losses.push_back(loss);
    }
}

void
NetworkTopology::AddLink(const TopologyFile::Link& link, Time rtt)
{
    const auto channel = MakeChannel(link);
    const auto size = [this, rtt](const TopologyFile::Way& way) {
        return way.queue.value_or(m_queue.Resolve(way.rate, rtt, m_mtu));
    };
    const auto& there = link.ways[0];
    const auto devices = InstallLink(m_nodes.Get(link.from),
                                     m_nodes.Get(link.to),
                                     {there.rate, size(there), m_mtu},
                                     channel);
    const auto& back = link.ways[1];
    const auto sendsBack = DynamicCast<PointToPointNetDevice>(devices.Get(1));
    sendsBack->SetDataRate(back.rate);
    sendsBack->GetQueue()->SetMaxSize(size(back));
    for (uint32_t end = 0; end < 2; ++end)
    {
        const auto device = devices.Get(end);
        AddInterfaces(device, end == 0 ? link.from : link.to);
        AddLosses(device, link.ways[1 - end]);
    }
    RemoveQueueDiscs(devices);
    m_links.push_back(devices);
}

void
NetworkTopology::AddRoutes() const
{
    for (const auto& [destination, ways] : m_ways)
    {
        const auto& next = ways.next;
        for (uint32_t node = 0; node < next.size(); ++node)
        {
            if (next[node] == TopologyRoutes::NO_LINK)
            {
                continue;
            }
            const auto& devices = m_links[next[node]];
            const auto device = devices.Get(m_network.links[next[node]].from == node ? 0 : 1);
            AddRoute(device, GetAddress(destination), Ipv4Mask::GetOnes(), Ipv4Address::GetZero());
            if (HasIpv6())
            {
                AddRoute(device,
                         GetIpv6Address(destination),
                         Ipv6Prefix::GetOnes(),
                         Ipv6Address::GetAny());
            }
        }
    }
}

Time
NetworkTopology::GetDelay(const std::vector<TopologyRoutes::Step>& path) const
{
    Time delay;
    for (const auto& step : path)
    {
        delay += m_network.links[step.link].delay;
    }
    return delay;
}

Time
NetworkTopology::GetPairRtt(std::size_t pair) const
{
    const TopologyRoutes routes(m_network, m_metric);
    const auto from = m_network.GetSender(pair);
    const auto to = m_network.GetReceiver(pair);
    return GetDelay(routes.Follow(m_ways.at(to), from)) +
           GetDelay(routes.Follow(m_ways.at(from), to));
}

Time
NetworkTopology::GetLongestPairRtt() const
{
    Time longest;
    for (std::size_t pair = 0; pair < m_network.CountPairs(); ++pair)
    {
        longest = std::max(longest, GetPairRtt(pair));
    }
    return longest;
}

std::optional<std::string>
NetworkTopology::CheckQueues() const
{
    if (!m_queue.IsBdp())
    {
        return std::nullopt;
    }
    const auto rtt = GetLongestPairRtt();
    for (const auto& link : m_network.links)
    {
        for (const auto& way : link.ways)
        {
            const auto remedy = way.queue ? std::nullopt : m_queue.Check(way.rate, rtt);
            if (remedy)
            {
                return "Queue: " + *remedy;
            }
        }
    }
    return std::nullopt;
}

void
NetworkTopology::AddPairs()
{
    for (const auto sender : m_network.senders)
    {
        AddSender(m_nodes.Get(sender), GetAddress(sender), GetIpv6Address(sender));
    }
    for (std::size_t i = 0; i < m_network.receivers.size(); ++i)
    {
        const auto to = m_network.GetReceiver(i);
        AddReceiver(m_nodes.Get(to), GetAddress(to), GetPairRtt(i), GetIpv6Address(to));
    }
}

std::vector<NetworkTopology::Direction>
NetworkTopology::FindBottlenecks() const
{
    // The pairs that cross a direction of a link, in the order of the first of them.
    std::vector<std::pair<Direction, std::vector<std::size_t>>> crossed;
    std::map<Direction, std::size_t> places;
    for (std::size_t pair = 0; pair < m_network.CountPairs(); ++pair)
    {
        for (const auto& step : GetWay(pair))
        {
            const Direction direction{step.link, step.from != m_network.links[step.link].from};
            const auto [place, isNew] = places.emplace(direction, crossed.size());
            if (isNew)
            {
                crossed.push_back({direction, {}});
            }
            crossed[place->second].second.push_back(pair);
        }
    }
    std::vector<Direction> found;
    if (std::ranges::any_of(m_network.links, &TopologyFile::Link::isBottleneck))
    {
        for (std::size_t i = 0; i < m_network.links.size(); ++i)
        {
            if (m_network.links[i].isBottleneck)
            {
                const auto first = std::ranges::find_if(crossed, [i](const auto& one) {
                    return one.first.link == i;
                });
                found.push_back(first != crossed.end() ? first->first : Direction{i, false});
            }
        }
        return found;
    }
    // Where all pairs send alike, the link with the most pairs for its rate fills first. Then the
    // same for those pairs that do not cross it, until each crosses one.
    std::vector<bool> isServed(m_network.CountPairs());
    while (true)
    {
        double most = 0;
        std::size_t best = crossed.size();
        for (std::size_t i = 0; i < crossed.size(); ++i)
        {
            const auto& [direction, pairs] = crossed[i];
            const auto rate =
                m_network.links[direction.link].ways[direction.isBackwards].rate.GetBitRate();
            const auto waiting = std::ranges::count_if(pairs, [&isServed](std::size_t pair) {
                return !isServed[pair];
            });
            const auto load = static_cast<double>(waiting) / static_cast<double>(rate);
            const bool isWider =
                best < crossed.size() && load == most && pairs.size() > crossed[best].second.size();
            if (waiting > 0 && (load > most || isWider))
            {
                most = load;
                best = i;
            }
        }
        if (best == crossed.size())
        {
            return found;
        }
        found.push_back(crossed[best].first);
        for (const auto pair : crossed[best].second)
        {
            isServed[pair] = true;
        }
    }
}

void
NetworkTopology::AddBottlenecks()
{
    for (const auto& [link, isBackwards] : FindBottlenecks())
    {
        AddBottleneck(m_links[link].Get(isBackwards ? 1 : 0),
                      m_links[link].Get(isBackwards ? 0 : 1));
    }
}

void
NetworkTopology::DoBuild()
{
    NS_LOG_FUNCTION(this);
    if (Read())
    {
        return; // Check() says why; without senders a program refuses it
    }
    for (const auto& node : m_network.nodes)
    {
        m_nodes.Create(1, node.rank);
    }
    InstallInternet(m_nodes, HasIpv6(), HasHashedRouting());
    const Time rtt = m_queue.IsBdp() ? GetLongestPairRtt() : Time(0);
    for (const auto& link : m_network.links)
    {
        AddLink(link, rtt);
    }
    AddRoutes();
    AddPairs();
    AddBottlenecks();
}

} // namespace ns3::lfn
