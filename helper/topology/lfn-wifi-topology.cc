// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-wifi-topology.h"

#include "lfn-link-addresses.h"
#include "lfn-point-to-point-link.h"

#include "ns3/boolean.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/lfn-strict-checkers.h"
#include "ns3/log.h"
#include "ns3/mobility-helper.h"
#include "ns3/neighbor-cache-helper.h"
#include "ns3/pointer.h"
#include "ns3/position-allocator.h"
#include "ns3/ssid.h"
#include "ns3/string.h"
#include "ns3/txop.h"
#include "ns3/uinteger.h"
#include "ns3/wifi-helper.h"
#include "ns3/wifi-mac-helper.h"
#include "ns3/wifi-mac-queue.h"
#include "ns3/wifi-mac.h"
#include "ns3/wifi-net-device.h"
#include "ns3/yans-wifi-helper.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("WifiTopology");
NS_OBJECT_ENSURE_REGISTERED(WifiTopology);

namespace
{

constexpr uint32_t FIRST_NETWORK = 0x0A070000; //!< 10.7.0.0, of the first sender's link
constexpr double METRES = 5;                   //!< from the access point to each station
constexpr uint64_t MEGABIT = 1'000'000;        //!< bits
constexpr int64_t QUEUE_MS = 500;              //!< that ns-3 keeps a packet in a Wi-Fi queue

/** @brief The rates of IEEE 802.11a, Mb/s. */
constexpr std::array<uint64_t, 8> RATES{6, 9, 12, 18, 24, 36, 48, 54};

/** @brief Check whether a rate is one of IEEE 802.11a. */
bool
IsRate(DataRate rate)
{
    return std::ranges::any_of(RATES, [rate](uint64_t some) {
        return some * MEGABIT == rate.GetBitRate();
    });
}

/** @brief Get ns-3's name of a rate. */
std::string
GetMode(DataRate rate)
{
    return "OfdmRate" + std::to_string(rate.GetBitRate() / MEGABIT) + "Mbps";
}

/** @brief Get how long a frame of IEEE 802.11a takes (us). */
double
GetAirtime(double megabits, uint32_t bytes)
{
    constexpr double PREAMBLE = 20;
    constexpr double SYMBOL = 4;
    constexpr double SERVICE_AND_TAIL = 22; // bits
    return PREAMBLE + SYMBOL * std::ceil((SERVICE_AND_TAIL + 8.0 * bytes) / (SYMBOL * megabits));
}

/** @brief Get the queue of a device. */
Ptr<WifiMacQueue>
GetQueue(Ptr<NetDevice> device)
{
    PointerValue txop;
    DynamicCast<WifiNetDevice>(device)->GetMac()->GetAttribute("Txop", txop);
    return txop.Get<Txop>()->GetWifiMacQueue();
}

} // namespace

TypeId
WifiTopology::GetTypeId()
{
    static TypeId tid =
        AddLinkAttributes(TypeId("ns3::lfn::WifiTopology").SetParent<TransportTopology>(),
                          {.rate = DataRate("100Mbps"),
                           .rateHelp = "Rate of the wired links (bit/s), in both directions.",
                           .rtt = MilliSeconds(40),
                           .rttHelp = "Round-trip time of propagation over a wired link; that of "
                                      "the delay of the radio is negligible.",
                           .queueOf = "each wired device",
                           .largestMtu = 2296})
            .SetGroupName("Lfn")
            .AddConstructor<WifiTopology>()
            .AddAttribute("Senders",
                          "Wired hosts, each on a link of its own to the access point.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&WifiTopology::m_senders),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("Stations",
                          "Receivers, on the access point's radio.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&WifiTopology::m_stations),
                          MakeUintegerChecker<uint32_t>(1, 100))
            .AddAttribute("PhyRate",
                          "Rate of frames by radio (bit/s): 6, 9, 12, 18, 24, 36, 48 or 54 Mb/s, "
                          "those of IEEE 802.11a.",
                          DataRateValue(DataRate("54Mbps")),
                          MakeDataRateAccessor(&WifiTopology::m_phyRate),
                          MakePositiveDataRateChecker())
            .AddAttribute("MulticastRate",
                          "Rate of frames to a group (bit/s), likewise; access points use a basic "
                          "rate, such as the lowest.",
                          DataRateValue(DataRate("6Mbps")),
                          MakeDataRateAccessor(&WifiTopology::m_multicastRate),
                          MakePositiveDataRateChecker())
            .AddAttribute("RadioQueue",
                          "Most packets that wait in each device of the radio; ns-3 discards those "
                          "that wait for longer than half a second.",
                          UintegerValue(500),
                          MakeUintegerAccessor(&WifiTopology::m_radioQueue),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

std::optional<std::string>
WifiTopology::Check() const
{
    for (const auto& [name, rate] :
         {std::pair{"PhyRate", m_phyRate}, std::pair{"MulticastRate", m_multicastRate}})
    {
        if (!IsRate(rate))
        {
            return std::string(name) +
                   ": IEEE 802.11a has no such rate, give 6, 9, 12, 18, 24, 36, 48 or 54Mbps";
        }
    }
    return LinkTopology::Check();
}

Time
WifiTopology::GetReady() const
{
    return Seconds(READY_S);
}

Time
WifiTopology::GetLongestHold() const
{
    // At the access point and, of what goes back, at a station.
    return MilliSeconds(2 * QUEUE_MS);
}

void
WifiTopology::DoDispose()
{
    m_radio = NetDeviceContainer();
    TransportTopology::DoDispose();
}

int64_t
WifiTopology::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    const auto used = WifiHelper::AssignStreams(m_radio, stream);
    NodeContainer nodes;
    for (auto device = m_radio.Begin(); device != m_radio.End(); ++device)
    {
        nodes.Add((*device)->GetNode());
    }
    return used + InternetStackHelper().AssignStreams(nodes, stream + used); // ARP's
}

DataRate
WifiTopology::GetPacketRate(DataRate phyRate, uint32_t bytes, bool isGroup)
{
    constexpr double DIFS = 34;          // us
    constexpr double SIFS = 16;          // us
    constexpr double BACK_OFF = 7.5 * 9; // us: the mean of 0 to 15 slots
    constexpr uint32_t FRAME_BYTES = 36; // of the headers of MAC and LLC, and of the checksum
    constexpr uint32_t ACK_BYTES = 14;
    const double rate = static_cast<double>(phyRate.GetBitRate()) / MEGABIT;
    const double ofAck = rate >= 24 ? 24 : rate >= 12 ? 12 : 6;
    const double us = DIFS + BACK_OFF + GetAirtime(rate, bytes + FRAME_BYTES) +
                      (isGroup ? 0 : SIFS + GetAirtime(ofAck, ACK_BYTES));
    return DataRate(static_cast<uint64_t>(8.0 * bytes / us * MEGABIT));
}

NetDeviceContainer
WifiTopology::MakeRadio(const NodeContainer& nodes) const
{
    const auto positions = CreateObject<ListPositionAllocator>();
    positions->Add(Vector(0, 0, 0));
    for (uint32_t i = 0; i < m_stations; ++i)
    {
        const double angle = 2 * std::numbers::pi * i / m_stations;
        positions->Add(Vector(METRES * std::cos(angle), METRES * std::sin(angle), 0));
    }
    MobilityHelper mobility;
    mobility.SetPositionAllocator(positions);
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(nodes);

    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211a);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue(GetMode(m_phyRate)),
                                 "NonUnicastMode",
                                 StringValue(GetMode(m_multicastRate)));
    const SsidValue ssid(Ssid("lfn"));
    WifiMacHelper mac;
    mac.SetType("ns3::ApWifiMac", "Ssid", ssid);
    auto devices = wifi.Install(phy, mac, nodes.Get(0));
    mac.SetType("ns3::StaWifiMac", "Ssid", ssid);
    for (uint32_t i = 1; i < nodes.GetN(); ++i)
    {
        devices.Add(wifi.Install(phy, mac, nodes.Get(i)));
    }
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        (*device)->SetMtu(m_mtu);
        GetQueue(*device)->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, m_radioQueue));
    }
    return devices;
}

void
WifiTopology::DoBuild()
{
    NS_LOG_FUNCTION(this);
    const NodeContainer hosts(m_senders);
    NodeContainer radio(1);
    radio.Add(NodeContainer(m_stations));
    InstallInternet(hosts, HasIpv6(), HasHashedRouting());
    InstallInternet(radio, HasIpv6(), HasHashedRouting());
    m_radio = MakeRadio(radio);
    for (uint32_t i = 0; i < m_senders; ++i)
    {
        const auto channel = CreateObject<PointToPointChannel>();
        channel->SetAttribute("Delay", TimeValue(m_rtt / 2));
        const auto devices =
            InstallLink(hosts.Get(i), radio.Get(0), {m_linkRate, GetQueueSize(), m_mtu}, channel);
        const Ipv4Address network(FIRST_NETWORK + 4 * i);
        const auto addresses =
            AssignAddresses(devices, network, MatchIpv6Network(HasIpv6(), network));
        SetDefaultRoute(devices.Get(0), addresses, 1);
        AddSender(hosts.Get(i), addresses.ipv4[0], addresses.ipv6[0]);
    }
    const auto addresses = Ipv4AddressHelper("10.8.0.0", "255.255.0.0").Assign(m_radio);
    const auto ipv6 = AssignIpv6(m_radio, MatchIpv6Network(HasIpv6(), "10.8.0.0"));
    RemoveQueueDiscs(m_radio);
    for (auto device = m_radio.Begin(); HasIpv6() && device != m_radio.End(); ++device)
    {
        // Where both ends look for each other ns-3 loses what waits for the answer. A station
        // forgets its neighbours when it associates.
        const auto populate = [own = PeekPointer(*device)] {
            NeighborCacheHelper().PopulateNeighborCache(NetDeviceContainer(own));
        };
        populate();
        (*device)->AddLinkChangeCallback(Callback<void>(populate));
    }
    for (uint32_t i = 1; i <= m_stations; ++i)
    {
        LinkAddresses ends;
        ends.ipv4 = {addresses.GetAddress(i), addresses.GetAddress(0)};
        ends.ipv6 = {ipv6[i], ipv6[0]};
        SetDefaultRoute(m_radio.Get(i), ends, 1);
        AddReceiver(radio.Get(i), addresses.GetAddress(i), m_rtt, ipv6[i]);
        AddBottleneck(m_radio.Get(0),
                      m_radio.Get(i),
                      {.rate = GetPacketRate(m_phyRate, m_mtu, false),
                       .multicastRate = GetPacketRate(m_multicastRate, m_mtu, true),
                       .queue = GetQueue(m_radio.Get(0))});
    }
}

} // namespace ns3::lfn
