// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-dumbbell-topology.h"

#include "lfn-attribute-check.h"
#include "lfn-point-to-point-link.h"
#include "lfn-values.h"

#include "ns3/boolean.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(DumbbellTopology);

TypeId
DumbbellTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::DumbbellTopology")
            .SetParent<TransportTopology>()
            .SetGroupName("Lfn")
            .AddConstructor<DumbbellTopology>()
            .AddAttribute("Pairs",
                          "Senders, and receivers.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&DumbbellTopology::m_pairs),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("LinkRate",
                          "Rate of the bottleneck (bit/s), in both directions.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&DumbbellTopology::m_linkRate),
                          MakePositiveDataRateChecker())
            .AddAttribute("AccessRate",
                          "Rate of the links between hosts and routers (bit/s).",
                          DataRateValue(DataRate("500Mbps")),
                          MakeDataRateAccessor(&DumbbellTopology::m_accessRate),
                          MakePositiveDataRateChecker())
            .AddAttribute("BottleneckDelay",
                          "Propagation delay of the bottleneck, one way; at most half the shortest "
                          "round-trip time is taken.",
                          TimeValue(MilliSeconds(2)),
                          MakeTimeAccessor(&DumbbellTopology::m_bottleneckDelay),
                          MakeTimeChecker(Time(0), Days(3650)))
            .AddAttribute("Rtt",
                          "Round-trip time of propagation of every pair.",
                          TimeValue(MilliSeconds(20)),
                          MakeTimeAccessor(&DumbbellTopology::m_rtt),
                          MakeTimeChecker(Time(0), Days(3650)))
            .AddAttribute("Rtts",
                          "Instead of Rtt: round-trip times with commas between, one a pair and "
                          "then from the first on again; empty: Rtt.",
                          StringValue(""),
                          MakeStringAccessor(&DumbbellTopology::m_rtts),
                          MakeTimeListChecker())
            .AddAttribute("Queue",
                          "Largest size of the drop-tail queue in front of each device, in "
                          "packets or bytes.",
                          QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, 10000)),
                          MakeQueueSizeAccessor(&DumbbellTopology::m_queue),
                          MakePositiveQueueSizeChecker())
            .AddAttribute("Mtu",
                          "Largest IP packet that the links carry (bytes).",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&DumbbellTopology::m_mtu),
                          MakeUintegerChecker<uint16_t>(68))
            .AddAttribute("Ipv6",
                          "Give the hosts IPv6 addresses as well; Mtu must then be 1280 at least.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DumbbellTopology::m_ipv6),
                          MakeBooleanChecker());
    return tid;
}

DumbbellTopology::DumbbellTopology() = default;

DumbbellTopology::~DumbbellTopology() = default;

std::string
DumbbellTopology::Describe() const
{
    return "dumbbell of " + std::to_string(m_pairs) + " pairs, bottleneck " +
           values::PrintRate(m_linkRate) + ", access " + values::PrintRate(m_accessRate) +
           ", round trip " + (m_rtts.empty() ? values::PrintTime(m_rtt) : m_rtts) + ", queue " +
           values::PrintQueueSize(m_queue);
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

DumbbellTopology::Addresses
DumbbellTopology::Address(const NetDeviceContainer& devices)
{
    Addresses addresses;
    const Ipv4Address network(Ipv4Address("10.3.0.0").Get() + 4 * m_networks);
    const auto ipv4 = Ipv4AddressHelper(network, "255.255.255.252").Assign(devices);
    addresses.ipv4 = {ipv4.GetAddress(0), ipv4.GetAddress(1)};
    addresses.ipv6 = {Ipv6Address::GetAny(), Ipv6Address::GetAny()};
    if (m_ipv6)
    {
        // Unique local addresses: ns-3's routers drop those set aside for documentation.
        std::array<uint8_t, 16> prefix{0xfd};
        prefix[6] = static_cast<uint8_t>(m_networks >> 8);
        prefix[7] = static_cast<uint8_t>(m_networks);
        const auto ipv6 =
            Ipv6AddressHelper(Ipv6Address(prefix.data()), Ipv6Prefix(64)).Assign(devices);
        // The first address is the link's own.
        addresses.ipv6 = {ipv6.GetAddress(0, 1), ipv6.GetAddress(1, 1)};
    }
    RemoveQueueDiscs(devices);
    m_networks++;
    return addresses;
}

void
DumbbellTopology::SetDefaultRoute(Ptr<NetDevice> device,
                                  uint32_t gateway,
                                  const Addresses& addresses) const
{
    const auto node = device->GetNode();
    const auto ipv4 = node->GetObject<Ipv4>();
    Ipv4StaticRoutingHelper().GetStaticRouting(ipv4)->SetDefaultRoute(
        addresses.ipv4[gateway],
        ipv4->GetInterfaceForDevice(device));
    if (m_ipv6)
    {
        const auto ipv6 = node->GetObject<Ipv6>();
        Ipv6StaticRoutingHelper().GetStaticRouting(ipv6)->SetDefaultRoute(
            addresses.ipv6[gateway],
            ipv6->GetInterfaceForDevice(device));
    }
}

DumbbellTopology::Host
DumbbellTopology::AddHost(Ptr<Node> router, Time delay)
{
    const auto node = CreateObject<Node>();
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(m_ipv6);
    stack.SetIpv6NsRsJitter(false);
    stack.Install(node);
    if (m_ipv6)
    {
        node->GetObject<Icmpv6L4Protocol>()->SetAttribute("DAD", BooleanValue(false));
    }
    const auto channel = CreateObject<PointToPointChannel>();
    channel->SetAttribute("Delay", TimeValue(delay));
    const auto devices = InstallLink(node, router, {m_accessRate, m_queue, m_mtu}, channel);
    Host host{node, Address(devices)};
    SetDefaultRoute(devices.Get(0), 1, host.addresses);
    return host;
}

void
DumbbellTopology::DoBuild()
{
    const auto rtts = GetRtts();
    const auto delay = std::min(m_bottleneckDelay, *std::ranges::min_element(rtts) / 2);

    const NodeContainer routers(2);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(m_ipv6);
    stack.SetIpv6NsRsJitter(false);
    stack.Install(routers);
    const auto channel = CreateObject<PointToPointChannel>();
    channel->SetAttribute("Delay", TimeValue(delay));
    const auto bottleneck =
        InstallLink(routers.Get(0), routers.Get(1), {m_linkRate, m_queue, m_mtu}, channel);
    for (uint32_t i = 0; i < 2 && m_ipv6; ++i)
    {
        routers.Get(i)->GetObject<Icmpv6L4Protocol>()->SetAttribute("DAD", BooleanValue(false));
    }
    const auto addresses = Address(bottleneck);
    SetDefaultRoute(bottleneck.Get(0), 1, addresses);
    SetDefaultRoute(bottleneck.Get(1), 0, addresses);
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
    for (uint32_t i = 0; i < 2 && m_ipv6; ++i)
    {
        // It concerns the interfaces that are there.
        routers.Get(i)->GetObject<Ipv6>()->SetAttribute("IpForward", BooleanValue(true));
    }
}

} // namespace ns3::lfn
