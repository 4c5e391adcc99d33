// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-star-topology.h"

#include "lfn-link-addresses.h"
#include "lfn-point-to-point-link.h"

#include "ns3/log.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("StarTopology");
NS_OBJECT_ENSURE_REGISTERED(StarTopology);

namespace
{

constexpr uint32_t FIRST_NETWORK = 0x0A020000; //!< 10.2.0.0, of the first host's link

} // namespace

TypeId
StarTopology::GetTypeId()
{
    static TypeId tid =
        AddLinkAttributes(
            TypeId("ns3::lfn::StarTopology").SetParent<TransportTopology>(),
            {.rate = DataRate("100Mbps"),
             .rateHelp = "Rate of the links (bit/s), in both directions.",
             .rtt = MicroSeconds(200),
             .rttHelp =
                 "Round-trip time of propagation from host to host: four times a link's delay."})
            .SetGroupName("Lfn")
            .AddConstructor<StarTopology>()
            .AddAttribute("Hosts",
                          "Hosts around the router.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&StarTopology::m_hosts),
                          MakeUintegerChecker<uint32_t>(2, 10000))
            .AddAttribute("Senders",
                          "How many of the hosts, the first ones, are senders; the others are "
                          "receivers. With as many as Hosts, or more, every host is both.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&StarTopology::m_senders),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
StarTopology::DoBuild()
{
    NS_LOG_FUNCTION(this);
    const NodeContainer hosts(m_hosts);
    const NodeContainer router(1);
    InstallInternet(hosts, HasIpv6(), HasHashedRouting());
    InstallInternet(router, HasIpv6(), HasHashedRouting());
    const auto delay = m_rtt / 4;
    const bool isAllBoth = m_senders >= m_hosts;
    for (uint32_t i = 0; i < m_hosts; ++i)
    {
        const auto host = hosts.Get(i);
        const auto channel = CreateObject<PointToPointChannel>();
        channel->SetAttribute("Delay", TimeValue(delay));
        const auto devices =
            InstallLink(host, router.Get(0), {m_linkRate, GetQueueSize(), m_mtu}, channel);
        const Ipv4Address network(FIRST_NETWORK + 4 * i);
        const auto addresses =
            AssignAddresses(devices, network, MatchIpv6Network(HasIpv6(), network));
        SetDefaultRoute(devices.Get(0), addresses, 1);
        if (i < m_senders)
        {
            AddSender(host, addresses.ipv4[0], addresses.ipv6[0]);
        }
        if (i >= m_senders)
        {
            AddReceiver(host, addresses.ipv4[0], delay * 4, addresses.ipv6[0]);
        }
        if (i >= m_senders || isAllBoth)
        {
            AddBottleneck(devices.Get(1), devices.Get(0));
        }
    }
    // No host is its own receiver: those of the same index are a pair.
    for (uint32_t i = 0; isAllBoth && i < m_hosts; ++i)
    {
        const uint32_t to = (i + 1) % m_hosts;
        AddReceiver(hosts.Get(to), GetSenderAddress(to), delay * 4, GetSenderIpv6Address(to));
    }
}

} // namespace ns3::lfn
