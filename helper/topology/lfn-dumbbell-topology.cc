// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-dumbbell-topology.h"

#include "lfn-point-to-point-link.h"

#include "ns3/lfn-strict-checkers.h"
#include "ns3/lfn-values.h"
#include "ns3/log.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("DumbbellTopology");
NS_OBJECT_ENSURE_REGISTERED(DumbbellTopology);

TypeId
DumbbellTopology::GetTypeId()
{
    static TypeId tid =
        AddAccessRate(
            AddLinkAttributes(TypeId("ns3::lfn::DumbbellTopology").SetParent<TransportTopology>(),
                              {.rate = DataRate("100Mbps"),
                               .rateHelp = "Rate of the bottleneck (bit/s), in both directions.",
                               .rtt = MilliSeconds(20),
                               .rttHelp = "Round-trip time of propagation of every pair."}))
            .SetGroupName("Lfn")
            .AddConstructor<DumbbellTopology>()
            .AddAttribute("Pairs",
                          "Senders, and receivers.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&DumbbellTopology::m_pairs),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("BottleneckDelay",
                          "Propagation delay of the bottleneck, one way; at most half the shortest "
                          "round-trip time is taken.",
                          TimeValue(MilliSeconds(2)),
                          MakeTimeAccessor(&DumbbellTopology::m_bottleneckDelay),
                          MakeTimeChecker(Time(0), Days(3650)))
            .AddAttribute("Rtts",
                          "Instead of Rtt: round-trip times with commas between, one a pair and "
                          "then from the first on again; empty: Rtt.",
                          StringValue(""),
                          MakeStringAccessor(&DumbbellTopology::m_rtts),
                          MakeTimeListChecker())
            .AddAttribute("Ranks",
                          "Processes of ns-3's MpiInterface that simulate the network. With 2, "
                          "senders and their router are of rank 0, the others of rank 1.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DumbbellTopology::m_ranks),
                          MakeUintegerChecker<uint32_t>(1, 2));
    return tid;
}

std::vector<Time>
DumbbellTopology::GetRtts() const
{
    const auto given = values::ReadTimeList(m_rtts).value.value_or(std::vector{m_rtt});
    std::vector<Time> all;
    all.reserve(m_pairs);
    for (uint32_t i = 0; i < m_pairs; ++i)
    {
        all.push_back(given[i % given.size()]);
    }
    return all;
}

Time
DumbbellTopology::GetPathRtt() const
{
    return std::ranges::max(GetRtts());
}

LinkAddresses
DumbbellTopology::Address(const NetDeviceContainer& devices)
{
    const Ipv4Address network(Ipv4Address("10.3.0.0").Get() + 4 * m_networks);
    std::optional<Ipv6Address> ipv6;
    if (HasIpv6())
    {
        ipv6 = MakeIpv6Network(0, static_cast<uint16_t>(m_networks));
    }
    m_networks++;
    return AssignAddresses(devices, network, ipv6);
}

DumbbellTopology::Host
DumbbellTopology::AddHost(Ptr<Node> router, Time delay)
{
    const auto node = CreateObject<Node>(router->GetSystemId());
    InstallInternet(node, HasIpv6(), HasHashedRouting());
    const auto channel = CreateObject<PointToPointChannel>();
    channel->SetAttribute("Delay", TimeValue(delay));
    const auto devices =
        InstallLink(node, router, {GetAccessRate(), GetQueueSize(), m_mtu}, channel);
    Host host{node, Address(devices)};
    SetDefaultRoute(devices.Get(0), host.addresses, 1);
    return host;
}

void
DumbbellTopology::DoBuild()
{
    NS_LOG_FUNCTION(this);
    const auto rtts = GetRtts();
    const auto delay = std::min(m_bottleneckDelay, *std::ranges::min_element(rtts) / 2);

    const NodeContainer routers(CreateObject<Node>(0), CreateObject<Node>(m_ranks - 1));
    InstallInternet(routers, HasIpv6(), HasHashedRouting());
    const auto channel = CreateObject<PointToPointChannel>();
    channel->SetAttribute("Delay", TimeValue(delay));
    const auto bottleneck =
        InstallLink(routers.Get(0), routers.Get(1), {m_linkRate, GetQueueSize(), m_mtu}, channel);
    const auto addresses = Address(bottleneck);
    SetDefaultRoute(bottleneck.Get(0), addresses, 1);
    SetDefaultRoute(bottleneck.Get(1), addresses, 0);
    AddBottleneck(bottleneck.Get(0), bottleneck.Get(1));

    for (const auto& rtt : rtts)
    {
        const auto access = (rtt / 2 - delay) / 2;
        const auto sender = AddHost(routers.Get(0), access);
        const auto receiver = AddHost(routers.Get(1), access);
        AddSender(sender.node, sender.addresses.ipv4[0], sender.addresses.ipv6[0]);
        AddReceiver(receiver.node,
                    receiver.addresses.ipv4[0],
                    4 * access + 2 * delay,
                    receiver.addresses.ipv6[0]);
    }
}

} // namespace ns3::lfn
