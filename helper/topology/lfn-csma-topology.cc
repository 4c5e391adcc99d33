// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-csma-topology.h"

#include "lfn-link-addresses.h"
#include "lfn-point-to-point-link.h"

#include "ns3/csma-channel.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/neighbor-cache-helper.h"
#include "ns3/packet.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("CsmaTopology");
NS_OBJECT_ENSURE_REGISTERED(CsmaTopology);

namespace
{

constexpr uint32_t ETHERNET_BYTES = 18; //!< header and checksum of a frame
constexpr uint32_t LEAST_FRAME = 64;    //!< bytes, such frames included

} // namespace

TypeId
CsmaTopology::GetTypeId()
{
    static TypeId tid =
        AddLinkAttributes(
            TypeId("ns3::lfn::CsmaTopology").SetParent<TransportTopology>(),
            {.rate = DataRate("100Mbps"),
             .rateHelp = "Rate of the medium (bit/s), shared by all and by both directions.",
             .rtt = MicroSeconds(1),
             .rttHelp =
                 "Round-trip time of propagation from host to host. The medium is taken while a "
                 "frame propagates, and ns-3's hosts back off then, so it costs rate.",
             .longestRtt = MicroSeconds(10)})
            .SetGroupName("Lfn")
            .AddConstructor<CsmaTopology>()
            .AddAttribute("Hosts",
                          "Hosts on the medium.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&CsmaTopology::m_hosts),
                          MakeUintegerChecker<uint32_t>(2, 1000))
            .AddAttribute("Senders",
                          "How many of the hosts, the first ones, are senders; the others are "
                          "receivers. With as many as Hosts, or more, every host is both.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&CsmaTopology::m_senders),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
CsmaTopology::DoDispose()
{
    m_devices.clear();
    TransportTopology::DoDispose();
}

int64_t
CsmaTopology::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    int64_t used = 0;
    for (const auto& device : m_devices)
    {
        used += device->AssignStreams(stream + used);
        // ARP spreads its requests.
        used +=
            InternetStackHelper().AssignStreams(NodeContainer(device->GetNode()), stream + used);
    }
    return used;
}

DataRate
CsmaTopology::GetPacketRate() const
{
    const double frame = std::max<uint32_t>(LEAST_FRAME, m_mtu + ETHERNET_BYTES);
    const double seconds =
        8 * frame / static_cast<double>(m_linkRate.GetBitRate()) + m_rtt.GetSeconds() / 2;
    return DataRate(std::max<uint64_t>(1, static_cast<uint64_t>(8.0 * m_mtu / seconds)));
}

void
CsmaTopology::DoBuild()
{
    NS_LOG_FUNCTION(this);
    const NodeContainer hosts(m_hosts);
    InstallInternet(hosts, HasIpv6(), HasHashedRouting());
    const auto channel = CreateObject<CsmaChannel>();
    channel->SetAttribute("DataRate", DataRateValue(m_linkRate));
    channel->SetAttribute("Delay", TimeValue(m_rtt / 2));
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < m_hosts; ++i)
    {
        const auto device = CreateObject<CsmaNetDevice>();
        device->SetMtu(m_mtu);
        device->SetAddress(Mac48Address::Allocate());
        hosts.Get(i)->AddDevice(device);
        const auto queue = CreateObject<DropTailQueue<Packet>>();
        queue->SetAttribute("MaxSize", QueueSizeValue(GetQueueSize()));
        device->SetQueue(queue);
        device->Attach(channel);
        devices.Add(device);
        m_devices.push_back(device);
    }
    const auto addresses = Ipv4AddressHelper("10.6.0.0", "255.255.0.0").Assign(devices);
    const auto ipv6 = AssignIpv6(devices, MatchIpv6Network(HasIpv6(), "10.6.0.0"));
    RemoveQueueDiscs(devices);
    if (HasIpv6())
    {
        // Where both ends look for each other ns-3 loses what waits for the answer.
        NeighborCacheHelper().PopulateNeighborCache(channel);
    }
    const bool isAllBoth = m_senders >= m_hosts;
    for (uint32_t i = 0; i < m_hosts && i < m_senders; ++i)
    {
        AddSender(hosts.Get(i), addresses.GetAddress(i), ipv6[i]);
    }
    for (uint32_t i = 0; i < (isAllBoth ? m_hosts : m_hosts - m_senders); ++i)
    {
        // No host is its own receiver: those of the same index are a pair.
        const uint32_t to = isAllBoth ? (i + 1) % m_hosts : m_senders + i;
        AddReceiver(hosts.Get(to), addresses.GetAddress(to), m_rtt, ipv6[to]);
        AddBottleneck(devices.Get(i % m_senders),
                      devices.Get(to),
                      {.rate = GetPacketRate(), .multicastRate = DataRate(0), .queue = nullptr});
    }
}

} // namespace ns3::lfn
