// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"

#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-dumbbell-topology.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/traffic-control-layer.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Where a sender answers. */
Address
At(Ptr<TransportTopology> topology, uint32_t i, bool isIpv6)
{
    return isIpv6 ? Address(Inet6SocketAddress(topology->GetSenderIpv6Address(i), Echo::PORT))
                  : Address(InetSocketAddress(topology->GetSenderAddress(i), Echo::PORT));
}

/** @brief A packet there and back takes the round-trip time, in ms, with both IP versions. */
LFN_CASE_OF(RttCase, std::string attributes, std::vector<double> rtts)
{
    for (const bool isIpv6 : {false, true})
    {
        const auto topology = Build("DumbbellTopology[" + attributes +
                                    (isIpv6 ? "|Ipv6=true" : "") + "|LinkRate=1000Gbps]");
        NS_TEST_ASSERT_MSG_EQ((topology != nullptr), true, "good attributes are refused");
        NS_TEST_ASSERT_MSG_EQ(topology->GetSenders().GetN(), rtts.size(), "senders");
        NS_TEST_ASSERT_MSG_EQ(topology->GetReceivers().GetN(), rtts.size(), "receivers");
        Echo echo;
        for (uint32_t i = 0; i < rtts.size(); ++i)
        {
            echo.Add(topology, i, i, isIpv6);
            echo.Add(topology->GetReceivers().Get(i),
                     topology->GetSenders().Get(i),
                     At(topology, i, isIpv6));
        }
        echo.Run();
        for (uint32_t i = 0; i < rtts.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(topology->GetRtt(i).GetSeconds(),
                                      rtts[i] / 1e3,
                                      1e-8,
                                      "named round-trip time of pair " << i);
            for (const uint32_t way : {0, 1})
            {
                // At most 51 bytes; on these links their transmission takes next to nothing.
                const auto measured = echo.GetRtt(2 * i + way).GetSeconds();
                NS_TEST_EXPECT_MSG_GT_OR_EQ(measured, rtts[i] / 1e3, "pair " << i);
                NS_TEST_EXPECT_MSG_LT(measured,
                                      rtts[i] / 1e3 + 4e-6,
                                      "pair " << i << (isIpv6 ? ", IPv6" : ", IPv4"));
            }
        }
        Finish(topology);
    }
}

/** @brief The bottleneck is between the routers and is the slow link; queues are as asked for. */
LFN_CASE(LinkCase)
{
    const auto topology =
        Build("DumbbellTopology[Pairs=3|LinkRate=10Mbps|AccessRate=1Gbps|Queue=77p|Mtu=9000]");
    NS_TEST_ASSERT_MSG_EQ((topology != nullptr), true, "good attributes are refused");
    NS_TEST_ASSERT_MSG_EQ(topology->GetBottlenecks().size(), 1, "bottlenecks");
    const auto [from, to] = topology->GetBottlenecks().front();
    NS_TEST_EXPECT_MSG_EQ(from->GetNode()->GetNDevices(), 5, "loopback, 3 hosts, bottleneck");
    NS_TEST_EXPECT_MSG_EQ(to->GetNode()->GetNDevices(), 5, "loopback, 3 hosts, bottleneck");
    NS_TEST_EXPECT_MSG_EQ((topology->GetSenderIpv6Address(2) == Ipv6Address::GetAny()),
                          true,
                          "an IPv6 address that nobody asked for");
    uint32_t devices = 0;
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        const auto control = (*node)->GetObject<TrafficControlLayer>();
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            const auto device = DynamicCast<PointToPointNetDevice>((*node)->GetDevice(i));
            if (!device)
            {
                continue;
            }
            devices++;
            DataRateValue rate;
            device->GetAttribute("DataRate", rate);
            const bool isBottleneck = device == from || device == to;
            NS_TEST_EXPECT_MSG_EQ(rate.Get().GetBitRate(),
                                  (isBottleneck ? 10'000'000U : 1'000'000'000U),
                                  "rate");
            NS_TEST_EXPECT_MSG_EQ(device->GetMtu(), 9000, "MTU");
            NS_TEST_EXPECT_MSG_EQ(device->GetQueue()->GetMaxSize(),
                                  QueueSize("77p"),
                                  "queue limit");
            NS_TEST_EXPECT_MSG_EQ(control->GetRootQueueDiscOnDevice(device),
                                  nullptr,
                                  "a queue disc that nobody asked for");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(devices, 14, "devices of 7 links");
    Finish(topology);
}

/** @brief Access links follow the bottleneck, or are refused where they would be one. */
LFN_CASE(AccessCase)
{
    for (const std::string name : {"Dumbbell", "ParkingLot"})
    {
        for (const auto& [attributes, expected] :
             {std::pair<std::string, uint64_t>{"Rtt=20ms", 500'000'000},
              {"LinkRate=1Gbps", 5'000'000'000},
              {"LinkRate=1Gbps|AccessRate=0bps", 5'000'000'000},
              {"LinkRate=10Mbps", 50'000'000},
              {"LinkRate=1Gbps|AccessRate=1Gbps", 1'000'000'000}})
        {
            const auto topology = Build(name + "Topology[" + attributes + "]");
            NS_TEST_ASSERT_MSG_EQ((topology != nullptr), true, name << ": " << attributes);
            const auto host = topology->GetSenders().Get(0);
            DataRateValue rate;
            for (uint32_t i = 0; i < host->GetNDevices(); ++i)
            {
                if (const auto device = DynamicCast<PointToPointNetDevice>(host->GetDevice(i)))
                {
                    device->GetAttribute("DataRate", rate);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(rate.Get().GetBitRate(), expected, name << ": " << attributes);
            Finish(topology);
        }
        const auto slow = Make(name + "Topology[LinkRate=1Gbps|AccessRate=500Mbps]");
        NS_TEST_ASSERT_MSG_EQ((slow != nullptr), true, name);
        const auto remedy = slow->Check().value_or("");
        NS_TEST_EXPECT_MSG_EQ(remedy.starts_with("AccessRate: give LinkRate (1Gbps) or more"),
                              true,
                              remedy);
    }
}

/** @brief Values that make no sense are refused with a line that says what is taken. */
LFN_CASE(RefusalCase)
{
    const std::vector<std::pair<std::string, std::string>> refused = {
        {"Rtts=20", "such as 20ms,40ms"},
        {"Rtts=20ms,", "such as 20ms,40ms"},
        {"Rtts=20ms,-1ms", "such as 20ms,40ms"},
        {"Rtts=20ms;40ms", "such as 20ms,40ms"},
        {"Rtt=-1ms", "a time"},
        {"Rtt=20", "unit"},
        {"Pairs=0", "Pairs"},
        {"Pairs=10001", "Pairs"},
        {"LinkRate=0bps", "above 0"},
        {"Queue=0p", "above 0"},
        {"Mtu=67", "Mtu"},
        {"BottleneckDelay=-1ms", "BottleneckDelay"},
        {"Delay=1ms", "there is no attribute"},
    };
    for (const auto& [attributes, part] : refused)
    {
        ObjectFactory factory;
        const auto remedy = MakeFactory("ns3::lfn::DumbbellTopology[" + attributes + "]",
                                        TransportTopology::GetTypeId(),
                                        factory);
        NS_TEST_ASSERT_MSG_EQ(remedy.has_value(), true, attributes << " is taken");
        NS_TEST_EXPECT_MSG_NE(remedy->find(part), std::string::npos, *remedy);
    }
}

const Suite g_suite("lfn-dumbbell", TestSuite::Type::UNIT, [](Suite& suite) {
    const std::string rtt = "round-trip times of ";
    suite.Add(new RttCase(rtt + "2 pairs, all alike", "Pairs=2|Rtt=100ms", {100, 100}));
    suite.Add(new RttCase(rtt + "5 pairs, going round",
                          "Pairs=5|Rtts=20ms,40ms,320ms",
                          {20, 40, 320, 20, 40}));
    suite.Add(new RttCase(rtt + "2 pairs, one short",
                          "Pairs=2|Rtts=1ms,20ms|BottleneckDelay=10ms",
                          {1, 20}));
    suite.Add(
        new RttCase(rtt + "300 pairs, many", "Pairs=300|Rtt=7ms", std::vector<double>(300, 7)));
    suite.Add(new LinkCase("bottleneck, rates and queues"));
    suite.Add(new AccessCase("access links follow the bottleneck"));
    suite.Add(new RefusalCase("bad attributes are refused"));
});

} // namespace
