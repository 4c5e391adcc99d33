// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-multicast-tree-topology.h"

#include "lfn-link-addresses.h"
#include "lfn-point-to-point-link.h"

#include "ns3/log.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/uinteger.h"

#include <bit>

namespace ns3::lfn
{

namespace
{

constexpr uint64_t MOST_LEAVES = 10000;         //!< More take minutes to build.
constexpr uint32_t LEAVES = 0x0a800000;         //!< 10.128.0.0, the first address of a leaf's link.
constexpr uint32_t ROUTER_LINKS = 0x0a400000;   //!< 10.64.0.0, of links between routers.
constexpr uint32_t SENDER_NETWORK = 0x0a040000; //!< 10.4.0.0, of the sender's link.

} // namespace

NS_LOG_COMPONENT_DEFINE("MulticastTreeTopology");
NS_OBJECT_ENSURE_REGISTERED(MulticastTreeTopology);

TypeId
MulticastTreeTopology::GetTypeId()
{
    static TypeId tid =
        AddLinkAttributes(TypeId("ns3::lfn::MulticastTreeTopology").SetParent<TransportTopology>(),
                          {.rate = DataRate("100Mbps"),
                           .rateHelp = "Rate of the links (bit/s), in both directions.",
                           .rtt = MilliSeconds(12),
                           .rttHelp = "Round-trip time of propagation from the sender to a "
                                      "receiver: 2 * (Depth + 1) times a link's delay."})
            .SetGroupName("Lfn")
            .AddConstructor<MulticastTreeTopology>()
            .AddAttribute("Depth",
                          "Links from the root router to a receiver.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&MulticastTreeTopology::m_depth),
                          MakeUintegerChecker<uint32_t>(1, 13))
            .AddAttribute("Fanout",
                          "Links downwards of every router; Fanout to the power of Depth "
                          "receivers, 10000 at most.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&MulticastTreeTopology::m_fanout),
                          MakeUintegerChecker<uint32_t>(1, MOST_LEAVES));
    return tid;
}

std::optional<std::string>
MulticastTreeTopology::Check() const
{
    if (GetLeaves() > MOST_LEAVES)
    {
        return "Fanout to the power of Depth is more than " + std::to_string(MOST_LEAVES) +
               " receivers: lower one of them";
    }
    return LinkTopology::Check();
}

uint64_t
MulticastTreeTopology::GetLeaves() const
{
    uint64_t leaves = 1;
    for (uint32_t level = 0; level < m_depth && leaves <= MOST_LEAVES; ++level)
    {
        leaves *= m_fanout;
    }
    return leaves;
}

Time
MulticastTreeTopology::GetLinkDelay() const
{
    return m_rtt / (2 * (int64_t{m_depth} + 1));
}

uint32_t
MulticastTreeTopology::GetLevelBits() const
{
    return static_cast<uint32_t>(std::bit_width(m_fanout - 1));
}

NetDeviceContainer
MulticastTreeTopology::AddLink(Ptr<Node> parent, Ptr<Node> child) const
{
    const auto channel = CreateObject<PointToPointChannel>();
    channel->SetAttribute("Delay", TimeValue(GetLinkDelay()));
    return InstallLink(parent, child, {m_linkRate, GetQueueSize(), m_mtu}, channel);
}

void
MulticastTreeTopology::AddChildren(Ptr<Node> router, uint32_t level, uint32_t network)
{
    const NodeContainer children(m_fanout);
    InstallInternet(children, HasIpv6(), HasHashedRouting());
    const bool isLast = level + 1 == m_depth;
    // Everything below a child has the same upper bits: one route.
    const uint32_t bits = 2 + GetLevelBits() * (m_depth - level - 1);
    for (uint32_t i = 0; i < m_fanout; ++i)
    {
        const auto child = children.Get(i);
        const auto devices = AddLink(router, child);
        const uint32_t below = network + (i << bits);
        const Ipv4Address network(isLast ? below : ROUTER_LINKS + 4 * m_links++);
        const auto addresses =
            AssignAddresses(devices, network, MatchIpv6Network(HasIpv6(), network));
        SetDefaultRoute(devices.Get(1), addresses, 0);
        if (isLast)
        {
            AddReceiver(child,
                        addresses.ipv4[1],
                        2 * (int64_t{m_depth} + 1) * GetLinkDelay(),
                        addresses.ipv6[1]);
            AddBottleneck(devices.Get(0), devices.Get(1));
            continue;
        }
        AddRoute(devices.Get(0), Ipv4Address(below), Ipv4Mask(~0U << bits), addresses.ipv4[1]);
        if (HasIpv6())
        {
            AddRoute(devices.Get(0),
                     *MatchIpv6Network(true, Ipv4Address(below)),
                     Ipv6Prefix(static_cast<uint8_t>(64 - bits)),
                     addresses.ipv6[1]);
        }
        AddChildren(child, level + 1, below);
    }
}

void
MulticastTreeTopology::DoBuild()
{
    NS_LOG_FUNCTION(this);
    const NodeContainer both(2);
    InstallInternet(both, HasIpv6(), HasHashedRouting());
    const auto root = both.Get(0);
    const auto devices = AddLink(root, both.Get(1));
    const Ipv4Address network(SENDER_NETWORK);
    const auto addresses = AssignAddresses(devices, network, MatchIpv6Network(HasIpv6(), network));
    SetDefaultRoute(devices.Get(1), addresses, 0);
    SetDefaultRoute(devices.Get(0), addresses, 1);
    AddSender(both.Get(1), addresses.ipv4[1], addresses.ipv6[1]);
    AddChildren(root, 0, LEAVES);
}

} // namespace ns3::lfn
