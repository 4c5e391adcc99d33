// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-parking-lot-topology.h"

#include "lfn-point-to-point-link.h"

#include "ns3/lfn-values.h"
#include "ns3/log.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/uinteger.h"

#include <bit>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("ParkingLotTopology");
NS_OBJECT_ENSURE_REGISTERED(ParkingLotTopology);

TypeId
ParkingLotTopology::GetTypeId()
{
    static TypeId tid =
        AddAccessRate(
            AddLinkAttributes(
                TypeId("ns3::lfn::ParkingLotTopology").SetParent<TransportTopology>(),
                {.rate = DataRate("100Mbps"),
                 .rateHelp = "Rate of the hops (bit/s), in both directions.",
                 .rtt = MilliSeconds(40),
                 .rttHelp =
                     "Round-trip time of propagation over all hops; its links have equal delays."}))
            .SetGroupName("Lfn")
            .AddConstructor<ParkingLotTopology>()
            .AddAttribute("Hops",
                          "Bottlenecks in a row: routers, less one.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&ParkingLotTopology::m_hops),
                          MakeUintegerChecker<uint32_t>(1, 100))
            .AddAttribute("CrossPairs",
                          "Pairs of hosts that cross one hop, on each of them.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ParkingLotTopology::m_crossPairs),
                          MakeUintegerChecker<uint32_t>(0, 100))
            .AddAttribute("CrossRtt",
                          "Round-trip time of propagation of the pairs that cross one hop; 0: "
                          "their access links are like those of the long path.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&ParkingLotTopology::m_crossRtt),
                          MakeTimeChecker(Time(0), Days(3650)));
    return tid;
}

std::optional<std::string>
ParkingLotTopology::Check() const
{
    if (m_crossPairs > 0 && GetCrossDelay().IsStrictlyNegative())
    {
        return "CrossRtt: give " + values::PrintTime(2 * GetHopDelay()) +
               " at least, the RTT over a hop, or lower Rtt";
    }
    return LinkTopology::Check();
}

Time
ParkingLotTopology::GetHopDelay() const
{
    return m_rtt / (2 * (int64_t{m_hops} + 2));
}

Time
ParkingLotTopology::GetCrossDelay() const
{
    return m_crossRtt.IsZero() ? GetHopDelay() : (m_crossRtt / 2 - GetHopDelay()) / 2;
}

uint32_t
ParkingLotTopology::GetHostBits() const
{
    // The hop behind the router, a host of the long path, and both kinds of the others' hosts.
    return 2 + static_cast<uint32_t>(std::bit_width(2 * m_crossPairs + 2));
}

Ipv4Address
ParkingLotTopology::GetSite(uint32_t router) const
{
    return Ipv4Address(Ipv4Address("10.64.0.0").Get() + (router << GetHostBits()));
}

LinkAddresses
ParkingLotTopology::Address(const NetDeviceContainer& devices, uint32_t router)
{
    const auto network = m_routers.at(router).networks++;
    std::optional<Ipv6Address> ipv6;
    if (HasIpv6())
    {
        ipv6 = MakeIpv6Network(static_cast<uint16_t>(router), static_cast<uint16_t>(network));
    }
    return AssignAddresses(devices, Ipv4Address(GetSite(router).Get() + 4 * network), ipv6);
}

ParkingLotTopology::Host
ParkingLotTopology::AddHost(uint32_t router, Time delay)
{
    const auto node = CreateObject<Node>();
    InstallInternet(node, HasIpv6(), HasHashedRouting());
    const auto channel = CreateObject<PointToPointChannel>();
    channel->SetAttribute("Delay", TimeValue(delay));
    const auto devices = InstallLink(node,
                                     m_routers.at(router).node,
                                     {GetAccessRate(), GetQueueSize(), m_mtu},
                                     channel);
    Host host{node, Address(devices, router)};
    SetDefaultRoute(devices.Get(0), host.addresses, 1);
    return host;
}

void
ParkingLotTopology::AddPair(uint32_t from, uint32_t to, Time delay)
{
    const auto sender = AddHost(from, delay);
    const auto receiver = AddHost(to, delay);
    AddSender(sender.node, sender.addresses.ipv4[0], sender.addresses.ipv6[0]);
    AddReceiver(receiver.node,
                receiver.addresses.ipv4[0],
                4 * delay + 2 * (to - from) * GetHopDelay(),
                receiver.addresses.ipv6[0]);
}

void
ParkingLotTopology::AddRoutes(Ptr<NetDevice> device,
                              uint32_t gateway,
                              const LinkAddresses& addresses,
                              uint32_t first,
                              uint32_t end) const
{
    const Ipv4Mask mask(~0U << GetHostBits());
    for (uint32_t router = first; router < end; ++router)
    {
        AddRoute(device, GetSite(router), mask, addresses.ipv4.at(gateway));
        if (HasIpv6())
        {
            AddRoute(device,
                     MakeIpv6Network(static_cast<uint16_t>(router), 0),
                     Ipv6Prefix(48),
                     addresses.ipv6.at(gateway));
        }
    }
}

void
ParkingLotTopology::DoBuild()
{
    NS_LOG_FUNCTION(this);
    const NodeContainer routers(m_hops + 1);
    InstallInternet(routers, HasIpv6(), HasHashedRouting());
    for (auto router = routers.Begin(); router != routers.End(); ++router)
    {
        m_routers.push_back({*router});
    }
    for (uint32_t hop = 0; hop < m_hops; ++hop)
    {
        const auto channel = CreateObject<PointToPointChannel>();
        channel->SetAttribute("Delay", TimeValue(GetHopDelay()));
        const auto devices = InstallLink(routers.Get(hop),
                                         routers.Get(hop + 1),
                                         {m_linkRate, GetQueueSize(), m_mtu},
                                         channel);
        const auto addresses = Address(devices, hop);
        AddRoutes(devices.Get(0), 1, addresses, hop + 1, m_hops + 1);
        AddRoutes(devices.Get(1), 0, addresses, 0, hop + 1);
        AddBottleneck(devices.Get(0), devices.Get(1));
    }
    AddPair(0, m_hops, GetHopDelay());
    for (uint32_t hop = 0; hop < m_hops; ++hop)
    {
        for (uint32_t pair = 0; pair < m_crossPairs; ++pair)
        {
            AddPair(hop, hop + 1, GetCrossDelay());
        }
    }
    m_routers.clear();
}

} // namespace ns3::lfn
