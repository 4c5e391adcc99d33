// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"

#include "ns3/baseline-helper.h"
#include "ns3/config.h"
#include "ns3/csma-net-device.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-header.h"
#include "ns3/lfn-receiving-loss.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-transport.h"
#include "ns3/lfn-wifi-topology.h"
#include "ns3/node-list.h"
#include "ns3/queue.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/sta-wifi-mac.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/wifi-net-device.h"
#include "ns3/xcp-helper.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * CSMA and Wi-Fi: when they are ready, what they carry, and losses in front of a node.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief When the network says that it is ready, every station is associated. */
LFN_CASE(ReadyCase)
{
    const uint64_t before = RngSeedManager::GetRun();
    for (const uint32_t stations : {1, 20, 100})
    {
        for (uint64_t run = 1; run <= (stations < 100 ? 5 : 1); ++run)
        {
            RngSeedManager::SetRun(run);
            const auto topology = Build("WifiTopology[Stations=" + std::to_string(stations) + "]");
            Simulator::Stop(topology->GetReady());
            Simulator::Run();
            uint32_t associated = 0;
            for (const auto& [from, to] : topology->GetBottlenecks())
            {
                const auto mac = DynamicCast<WifiNetDevice>(to)->GetMac();
                associated += DynamicCast<StaWifiMac>(mac)->IsAssociated() ? 1 : 0;
            }
            NS_TEST_EXPECT_MSG_EQ(associated, stations, "run " << run);
            Finish(topology);
        }
    }
    RngSeedManager::SetRun(before);
}

/** @brief A bottleneck carries as much as it is said to: more is offered, and what arrives is
 * counted. */
LFN_CASE_OF(RateCase, std::string text)
{
    constexpr uint32_t USER_BYTES = 1472; // a packet of 1500 bytes
    const auto topology = Build(text);
    NS_TEST_ASSERT_MSG_EQ((topology != nullptr), true, "a topology");
    const auto reported = ReportedLink::GetRate(topology->GetBottlenecks().front().first);
    NS_TEST_ASSERT_MSG_EQ(reported.has_value(), true, "a rate");
    BaselineHelper helper("Udp");
    helper.SetSourceAttribute("SendRate", DataRateValue(*reported * 1.2));
    helper.SetSourceAttribute("PacketSize", UintegerValue(USER_BYTES));
    helper.SetSourceAttribute("Bytes", UintegerValue(1'000'000'000));
    const auto transfer = helper.Install(topology->GetSenders().Get(0),
                                         topology->GetReceivers().Get(0),
                                         InetSocketAddress(topology->GetReceiverAddress(0), 5000));
    const Time begin = topology->GetReady();
    const Time end = begin + Seconds(3);
    transfer.source->SetStartTime(begin);
    uint64_t bytes = 0;
    const auto sink = transfer.sink;
    Simulator::Schedule(begin + Seconds(1),
                        [&bytes, sink] { bytes = sink->GetReport().deliveredBytes; });
    Simulator::Stop(end);
    Simulator::Run();
    bytes = sink->GetReport().deliveredBytes - bytes;
    const double rate = 8.0 * static_cast<double>(bytes) / 2 * 1500 / USER_BYTES;
    const auto expected = static_cast<double>(reported->GetBitRate());
    NS_TEST_EXPECT_MSG_EQ_TOL(rate / expected, 1, 0.02, text << ": " << rate);
    Finish(topology);
}

/** @brief The radio's times by hand: IEEE 802.11a, 1500 bytes at 54 Mb/s and at 6 Mb/s. */
LFN_CASE(AirtimeCase)
{
    // DIFS 34, 7.5 slots of 9, preamble 20 and 57 symbols of 4, SIFS 16, the ACK's 28: 393.5 us.
    const auto fast = WifiTopology::GetPacketRate(DataRate("54Mbps"), 1500, false);
    NS_TEST_EXPECT_MSG_EQ_TOL(fast.GetBitRate() / 1e6, 12000 / 393.5, 1e-3, "54 Mb/s");
    // DIFS, slots and preamble as before, 513 symbols, and no ACK: 2173.5 us.
    const auto slow = WifiTopology::GetPacketRate(DataRate("6Mbps"), 1500, true);
    NS_TEST_EXPECT_MSG_EQ_TOL(slow.GetBitRate() / 1e6, 12000 / 2173.5, 1e-3, "6 Mb/s, a group");
}

/** @brief The model sees IP packets for its node and nothing else, and what it loses is lost. */
LFN_CASE(ReceivingLossCase)
{
    const auto topology = Build("CsmaTopology[Hosts=3]");
    const auto [sending, receiving] = topology->GetBottlenecks().front();
    const auto model = CreateObject<ScriptedErrorModel>();
    model->Drop(2);
    uint32_t unknownHosts = 0;
    model->SetFilter(ScriptedErrorModel::Filter([&unknownHosts](Ptr<const Packet> packet) {
        Ipv4Header header;
        unknownHosts += packet->PeekHeader(header) > 0 && header.GetProtocol() == 17 ? 0 : 1;
        return true;
    }));
    NS_TEST_EXPECT_MSG_EQ(ReceivingLoss::AddTo(receiving, model), true, "added");
    Echo echo;
    for (uint32_t i = 0; i < 3; ++i)
    {
        echo.Add(topology, 0, 0);
        echo.Add(topology, 0, 1); // not for this node
    }
    echo.Run();
    NS_TEST_EXPECT_MSG_EQ(model->GetMatched(), 3, "its own packets, without those of ARP");
    NS_TEST_EXPECT_MSG_EQ(unknownHosts, 0, "as bare IP");
    for (const uint32_t i : {0, 1, 2, 3, 4, 5})
    {
        NS_TEST_EXPECT_MSG_EQ(echo.GetRtt(i).IsZero(), (i == 2), "datagram " << i);
    }
    Finish(topology);
}

/** @brief A packet of a protocol that the node has not is ignored; ns-3 would end the program. */
LFN_CASE(StrangeProtocolCase)
{
    const auto topology = Build("CsmaTopology");
    const auto [sending, receiving] = topology->GetBottlenecks().front();
    const auto model = CreateObject<ScriptedErrorModel>();
    NS_TEST_EXPECT_MSG_EQ(ReceivingLoss::AddTo(receiving, model), true, "added");
    constexpr uint16_t IPV6 = 0x86DD;
    constexpr uint16_t NOBODYS = 0x1234;
    for (const uint16_t protocol : {IPV6, NOBODYS})
    {
        Simulator::Schedule(Seconds(1), [device = sending, protocol, to = receiving]() {
            device->Send(Create<Packet>(100), to->GetAddress(), protocol);
        });
    }
    Simulator::Stop(Seconds(2));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(model->GetMatched(), 1, "IP packets are counted, of either version");
    const auto bare = CreateObject<CsmaNetDevice>();
    CreateObject<Node>()->AddDevice(bare);
    NS_TEST_EXPECT_MSG_EQ(ReceivingLoss::AddTo(bare, model), false, "no internet stack");
    Finish(topology);
}

/** @brief Transports that start together all connect at once and deliver everything. */
LFN_CASE_OF(MixtureCase, std::string text)
{
    // Send one flow of each transport.
    const auto check = [&](const std::string& text, const std::string& names) {
        constexpr uint64_t BYTES = 100'000;
        std::vector<Ptr<Transport>> made;
        NS_TEST_ASSERT_MSG_EQ(Transport::Read(names, made).value_or(""), "", names);
        const auto topology = Build(text);
        for (const auto& transport : made)
        {
            NS_TEST_ASSERT_MSG_EQ(transport->Prepare(*topology).value_or(""), "", names);
        }
        std::vector<TransportEnds> ends(made.size());
        auto flow = MakeFlow(topology);
        flow.bytes = BYTES;
        flow.start = topology->GetReady();
        flow.sendRate = DataRate("1Mbps");
        flow.packetSize = 1000;
        for (std::size_t i = 0; i < made.size(); ++i)
        {
            flow.port = static_cast<uint16_t>(5000 + 16 * i);
            flow.stream = static_cast<int64_t>(10'000 + 1000 * i);
            NS_TEST_ASSERT_MSG_EQ(made[i]->Install(flow, ends[i]).value_or(""), "", names);
        }
        Simulator::Stop(flow.start + Seconds(60));
        Simulator::Run();
        for (std::size_t i = 0; i < made.size(); ++i)
        {
            const auto report = made[i]->GetReport(ends[i]);
            const auto what = text + " " + names + ", flow " + std::to_string(i);
            NS_TEST_EXPECT_MSG_EQ(report.failure, "", what);
            NS_TEST_EXPECT_MSG_EQ(report.completed, true, what);
            NS_TEST_EXPECT_MSG_EQ(report.lostBytes, 0, what);
            const Time waited = report.start - flow.start;
            NS_TEST_EXPECT_MSG_LT(waited, MilliSeconds(200), what << ": the first packet");
        }
        Finish(topology);
    };
    // As programs do: ns-3 keeps three packets, and loses the others.
    Config::SetDefault("ns3::ArpCache::PendingQueueSize", UintegerValue(10'000));
    for (const auto* names : {"tcp",
                              "rbudp",
                              "xcp",
                              "tcp,rbudp",
                              "tcp,xcp",
                              "rbudp,xcp",
                              "tcp,rbudp,xcp",
                              "atou,jrm,parallel-tcp,rbudp,tcp,vrp,xcp"})
    {
        check(text, names);
    }
    Config::Reset();
}

/**
 * @brief A port of XCP at a shared medium hands over one packet at a time, and loses none of the
 * frames that the device gets in another way.
 */
LFN_CASE_OF(PortCase, std::string text)
{
    constexpr uint32_t FRAMES = 20;
    constexpr uint32_t PACKET_BYTES = 1000;
    constexpr uint32_t FRAME_BYTES = 500;
    constexpr uint16_t PROTOCOL = 0x1234;
    const auto topology = Build(text);
    const auto [sending, receiving] = topology->GetBottlenecks().front();
    const auto disc = XcpHelper().InstallPort(sending);
    NS_TEST_ASSERT_MSG_EQ((disc != nullptr), true, text);
    disc->SetAttribute("MaxSize", QueueSizeValue(QueueSize("100p")));
    uint32_t packets = 0;
    uint32_t frames = 0;
    receiving->GetNode()->RegisterProtocolHandler(
        [&packets, &frames](Ptr<NetDevice>,
                            Ptr<const Packet> packet,
                            uint16_t,
                            const Address&,
                            const Address&,
                            NetDevice::PacketType) {
            ++(packet->GetSize() == FRAME_BYTES ? frames : packets);
        },
        PROTOCOL,
        receiving);
    uint32_t most = 0;
    const auto queue = ReportedLink::GetQueue(sending);
    ConnectTrace(queue, "PacketsInQueue", [&most](uint32_t, uint32_t now) {
        most = std::max(most, now);
    });
    const auto control = sending->GetNode()->GetObject<TrafficControlLayer>();
    const auto to = receiving->GetAddress();
    const auto make = [=] {
        return Create<Ipv4QueueDiscItem>(Create<Packet>(PACKET_BYTES), to, PROTOCOL, Ipv4Header());
    };
    const Time begin = topology->GetReady();
    Simulator::Schedule(begin, [=, sending = sending]() {
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            control->Send(sending, make());
        }
    });
    Simulator::Stop(begin + MilliSeconds(200));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(packets, FRAMES, text << ": by the disc");
    NS_TEST_EXPECT_MSG_EQ(most, 1, text << ": in the device");
    Simulator::Schedule(Seconds(0), [=, sending = sending]() {
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            control->Send(sending, make());
            sending->Send(Create<Packet>(FRAME_BYTES), to, PROTOCOL);
        }
    });
    Simulator::Stop(MilliSeconds(200));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(packets, 2 * FRAMES, text << ": by the disc");
    NS_TEST_EXPECT_MSG_EQ(frames, FRAMES, text << ": past the disc");
    Finish(topology);
}

const Suite g_suite("lfn-shared-media", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new ReadyCase("wifi: all stations are associated when it is ready"));
    suite.Add(new AirtimeCase("wifi: the standard's times"));
    suite.Add(new RateCase("wifi at 54Mbps carries what it says", "WifiTopology"));
    suite.Add(new RateCase("wifi at 18Mbps carries what it says", "WifiTopology[PhyRate=18Mbps]"));
    suite.Add(new RateCase("wifi at 6Mbps carries what it says", "WifiTopology[PhyRate=6Mbps]"));
    suite.Add(new RateCase("csma carries what it says", "CsmaTopology"));
    suite.Add(new RateCase("csma at 10Mbps over 10 us carries what it says",
                           "CsmaTopology[LinkRate=10Mbps|Rtt=10us]"));
    uint32_t mixtures = 0;
    for (const auto* text : {"WifiTopology[Ipv6=true]",
                             "WifiTopology[Ipv6=true|Rtt=0s]",
                             "WifiTopology[Ipv6=true|Rtt=100us|Stations=3]",
                             "WifiTopology",
                             "CsmaTopology[Ipv6=true]",
                             "CsmaTopology"})
    {
        suite.Add(new MixtureCase("mixtures of transports " + std::to_string(++mixtures), text));
    }
    suite.Add(new PortCase("a port of XCP: wifi", "WifiTopology"));
    suite.Add(new PortCase("a port of XCP: csma", "CsmaTopology"));
    suite.Add(new ReceivingLossCase("losses in front of a node"));
    suite.Add(new StrangeProtocolCase("losses in front of a node: protocols that it has not"));
});

} // namespace
