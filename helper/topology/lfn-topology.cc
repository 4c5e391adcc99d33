// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-topology.h"

#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/lfn-values.h"
#include "ns3/log.h"
#include "ns3/names.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/packet.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TransportTopology");
NS_OBJECT_ENSURE_REGISTERED(TransportTopology);

namespace
{

constexpr uint32_t MOST_HOPS = 255; //!< that a packet survives

/**
 * @brief Find the node at the other end of a device, the one with an address where there are
 * several.
 * @return The node; null when there is none.
 */
Ptr<Node>
FindNext(Ptr<NetDevice> device, Ipv4Address address)
{
    constexpr std::size_t ENDS = 2;
    const auto channel = device ? device->GetChannel() : nullptr;
    const auto ends = channel ? channel->GetNDevices() : 0;
    for (std::size_t i = 0; i < ends; ++i)
    {
        const auto other = channel->GetDevice(i);
        const auto node = other->GetNode();
        const auto ipv4 = node->GetObject<Ipv4>();
        if (other != device &&
            (ends == ENDS || (ipv4 && ipv4->GetInterfaceForAddress(address) >= 0)))
        {
            return node;
        }
    }
    return nullptr;
}

/**
 * @brief Follow the routes of IPv4.
 * @param node Where to begin.
 * @param address Where to go.
 * @param last The node that has the address.
 * @return The devices to leave from; nothing when it does not get there.
 */
std::optional<std::vector<Ptr<NetDevice>>>
Follow(Ptr<Node> node, Ipv4Address address, Ptr<Node> last)
{
    Ipv4Header header;
    header.SetDestination(address);
    std::vector<Ptr<NetDevice>> way;
    for (uint32_t hops = 0; node != last; ++hops)
    {
        const auto ipv4 = node->GetObject<Ipv4>();
        const auto routing = ipv4 ? ipv4->GetRoutingProtocol() : nullptr;
        auto error = Socket::ERROR_NOTERROR;
        const auto route =
            routing ? routing->RouteOutput(Create<Packet>(), header, nullptr, error) : nullptr;
        const auto device = route ? route->GetOutputDevice() : nullptr;
        const bool isDirect = !route || route->GetGateway() == Ipv4Address::GetZero();
        node =
            hops < MOST_HOPS ? FindNext(device, isDirect ? address : route->GetGateway()) : nullptr;
        if (!node)
        {
            return std::nullopt;
        }
        way.push_back(device);
    }
    return way;
}

/**
 * @brief Add up the delays of a way.
 * @return The sum of the channels' delays; nothing when one does not report its.
 */
std::optional<Time>
AddDelays(const std::vector<Ptr<NetDevice>>& way)
{
    Time sum;
    for (const auto& device : way)
    {
        TimeValue delay;
        if (!device->GetChannel()->GetAttributeFailSafe("Delay", delay))
        {
            return std::nullopt;
        }
        sum += delay.Get();
    }
    return sum;
}

} // namespace

TypeId
TransportTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::TransportTopology")
            .SetParent<Object>()
            .SetGroupName("Lfn")
            .AddAttribute("Ipv6",
                          "Give the hosts IPv6 addresses as well; links must then carry packets of "
                          "1280 bytes.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TransportTopology::m_ipv6),
                          MakeBooleanChecker())
            .AddAttribute(
                "HashedRouting",
                "Find routes, and what is for a node, by hash; without it by ns-3's static "
                "routing, which takes longer the more links or routes a node has.",
                BooleanValue(true),
                MakeBooleanAccessor(&TransportTopology::m_hashedRouting),
                MakeBooleanChecker());
    return tid;
}

std::optional<std::string>
TransportTopology::Check() const
{
    return std::nullopt;
}

void
TransportTopology::Build()
{
    NS_LOG_FUNCTION(this);
    if (!m_built)
    {
        m_built = true;
        DoBuild();
        NS_LOG_INFO("senders " << m_senders.GetN() << ", receivers " << m_receivers.GetN()
                               << ", bottlenecks " << m_bottlenecks.size());
    }
}

std::optional<std::string>
TransportTopology::CheckBuilt() const
{
    if (m_senders.GetN() == 0 || m_receivers.GetN() == 0)
    {
        return "this topology names no sender or no receiver";
    }
    for (const auto& nodes : {m_senders, m_receivers})
    {
        for (auto node = nodes.Begin(); node != nodes.End(); ++node)
        {
            if (!(*node)->GetObject<Ipv4>())
            {
                return "a sender or receiver has no internet stack";
            }
        }
    }
    for (const auto& [sending, receiving] : m_bottlenecks)
    {
        const auto rate = ReportedLink::GetRate(sending);
        if (rate && rate->GetBitRate() == 0)
        {
            return "a bottleneck has the rate 0: give it one above 0";
        }
        if (sending->GetChannel() != receiving->GetChannel())
        {
            return "the two devices of a bottleneck are not on one channel";
        }
    }
    if (IsBackwards())
    {
        return "data cross the first bottleneck only from its receiving device to its sending one: "
               "name the one that data leave from first";
    }
    return std::nullopt;
}

bool
TransportTopology::IsBackwards() const
{
    if (m_bottlenecks.empty())
    {
        return false;
    }
    const auto& [sending, receiving] = m_bottlenecks.front();
    bool isBackwards = false;
    for (uint32_t i = 0; i < std::min(m_senders.GetN(), m_receivers.GetN()); ++i)
    {
        const auto way = FindWay(i, i);
        if (way && std::ranges::find(*way, sending) != way->end())
        {
            return false;
        }
        isBackwards |= way && std::ranges::find(*way, receiving) != way->end();
    }
    return isBackwards;
}

const NodeContainer&
TransportTopology::GetSenders() const
{
    return m_senders;
}

const NodeContainer&
TransportTopology::GetReceivers() const
{
    return m_receivers;
}

Ipv4Address
TransportTopology::GetSenderAddress(uint32_t i) const
{
    return m_senderAddresses.at(i);
}

Ipv4Address
TransportTopology::GetReceiverAddress(uint32_t i) const
{
    return m_receiverAddresses.at(i);
}

Ipv6Address
TransportTopology::GetSenderIpv6Address(uint32_t i) const
{
    return m_senderIpv6.at(i);
}

Ipv6Address
TransportTopology::GetReceiverIpv6Address(uint32_t i) const
{
    return m_receiverIpv6.at(i);
}

void
TransportTopology::UseIpv6()
{
    NS_LOG_FUNCTION(this);
    m_usesIpv6 = true;
}

bool
TransportTopology::UsesIpv6() const
{
    return m_usesIpv6;
}

bool
TransportTopology::HasHashedRouting() const
{
    return m_hashedRouting;
}

bool
TransportTopology::HasIpv6() const
{
    return m_ipv6;
}

bool
TransportTopology::HasEnds() const
{
    const auto isMissing = [](const auto& addresses) {
        return std::ranges::find(addresses, Ipv6Address::GetAny()) != addresses.end();
    };
    return !m_usesIpv6 || !(isMissing(m_senderIpv6) || isMissing(m_receiverIpv6));
}

Address
TransportTopology::GetSenderEnd(uint32_t i) const
{
    return m_usesIpv6 ? Address(m_senderIpv6.at(i)) : Address(m_senderAddresses.at(i));
}

Address
TransportTopology::GetReceiverEnd(uint32_t i) const
{
    return m_usesIpv6 ? Address(m_receiverIpv6.at(i)) : Address(m_receiverAddresses.at(i));
}

Time
TransportTopology::GetRtt(uint32_t i) const
{
    return m_rtts.at(i);
}

Time
TransportTopology::GetRtt(uint32_t sender, uint32_t receiver) const
{
    // Which sender the receivers beyond the senders are timed from is up to the network.
    const auto senders = m_senders.GetN();
    if (sender < senders && (sender == receiver || senders == 1))
    {
        return GetRtt(receiver);
    }
    auto way = FindWay(sender, receiver);
    const auto back =
        Follow(m_receivers.Get(receiver), m_senderAddresses.at(sender), m_senders.Get(sender));
    if (!way || !back)
    {
        return GetRtt(receiver);
    }
    way->insert(way->end(), back->begin(), back->end());
    return AddDelays(*way).value_or(GetRtt(receiver));
}

Time
TransportTopology::GetLongestRtt() const
{
    return m_rtts.empty() ? Time(0) : *std::ranges::max_element(m_rtts);
}

std::optional<std::vector<Ptr<NetDevice>>>
TransportTopology::FindWay(uint32_t sender, uint32_t receiver) const
{
    // The addresses give how many there are.
    [[maybe_unused]] const auto& known = m_senderAddresses.at(sender);
    const auto& address = m_receiverAddresses.at(receiver);
    return Follow(m_senders.Get(sender), address, m_receivers.Get(receiver));
}

const std::vector<TransportTopology::Link>&
TransportTopology::GetBottlenecks() const
{
    return m_bottlenecks;
}

std::vector<TransportTopology::Link>
TransportTopology::FindLinks(const std::string& name) const
{
    const std::string all = "bottleneck";
    if (name == all)
    {
        return m_bottlenecks;
    }
    const auto index =
        name.starts_with(all) ? values::ReadCount(name.substr(all.size())).value : std::nullopt;
    return index && *index < m_bottlenecks.size() ? std::vector{m_bottlenecks[*index]}
                                                  : std::vector<Link>();
}

std::string
TransportTopology::GetNodeName(Ptr<Node> node) const
{
    return Names::FindName(node);
}

Time
TransportTopology::GetReady() const
{
    return Time(0);
}

Time
TransportTopology::GetLongestHold() const
{
    return Time(0);
}

void
TransportTopology::EnablePcap(const std::string& prefix)
{
    NS_LOG_FUNCTION(this << prefix);
    if (Captures::MakeRoom())
    {
        return; // ns-3 would end the program at the file that is too many; Scenario says why
    }
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            m_captures.Open(prefix, (*node)->GetDevice(i));
        }
    }
}

std::optional<std::string>
TransportTopology::ClosePcap()
{
    return m_captures.Close();
}

int64_t
TransportTopology::AssignStreams(int64_t /* stream */)
{
    return 0;
}

void
TransportTopology::DoDispose()
{
    NS_LOG_FUNCTION(this);
    // Devices and nodes point at each other; the simulation's end takes them apart only when
    // nobody else holds them.
    m_senders = NodeContainer();
    m_receivers = NodeContainer();
    m_bottlenecks.clear();
    Object::DoDispose();
}

void
TransportTopology::AddSender(Ptr<Node> node, Ipv4Address address, Ipv6Address ipv6Address)
{
    NS_LOG_FUNCTION(this << node << address << ipv6Address);
    m_senders.Add(node);
    m_senderAddresses.push_back(address);
    m_senderIpv6.push_back(ipv6Address);
}

void
TransportTopology::AddReceiver(Ptr<Node> node,
                               Ipv4Address address,
                               Time rtt,
                               Ipv6Address ipv6Address)
{
    NS_LOG_FUNCTION(this << node << address << rtt << ipv6Address);
    m_receivers.Add(node);
    m_receiverAddresses.push_back(address);
    m_receiverIpv6.push_back(ipv6Address);
    m_rtts.push_back(rtt);
}

void
TransportTopology::AddBottleneck(Ptr<NetDevice> sending, Ptr<NetDevice> receiving)
{
    NS_LOG_FUNCTION(this << sending << receiving);
    m_bottlenecks.emplace_back(sending, receiving);
}

void
TransportTopology::AddBottleneck(Ptr<NetDevice> sending,
                                 Ptr<NetDevice> receiving,
                                 const ReportedLink::Facts& facts)
{
    ReportedLink::Set(sending, facts);
    AddBottleneck(sending, receiving);
}

} // namespace ns3::lfn
