// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"

#include "ns3/config.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Parking lot and tree: delays, routes, bottlenecks; what all topologies share, and what is
 * refused.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What a parking lot is like. */
struct Lot
{
    std::string attributes; //!< of the topology
    uint32_t hops;          //!< how many
    uint32_t pairs;         //!< on each hop
    double hop;             //!< delay of a hop and of the access links of the long path, ms
    double cross;           //!< delay of other access links, ms
};

/** @brief Every sender of a parking lot reaches every receiver in the time that delays give. */
LFN_CASE_OF(ParkingLotRttCase, Lot lot)
{
    const auto& [attributes, hops, pairs, hop, cross] = lot;
    for (const bool isIpv6 : {false, true})
    {
        const auto lot = Build("ParkingLotTopology[" + attributes + (isIpv6 ? "|Ipv6=true" : "") +
                               "|LinkRate=1000Gbps|AccessRate=1000Gbps]");
        const auto count = 1 + hops * pairs;
        NS_TEST_ASSERT_MSG_EQ(lot->GetSenders().GetN(), count, "senders");
        NS_TEST_ASSERT_MSG_EQ(lot->GetReceivers().GetN(), count, "receivers");
        NS_TEST_ASSERT_MSG_EQ(lot->GetBottlenecks().size(), hops, "bottlenecks");
        Echo echo;
        for (uint32_t i = 0; i < count * count; ++i)
        {
            echo.Add(lot, i / count, i % count, isIpv6);
        }
        echo.Run();
        for (uint32_t i = 0; i < count * count; ++i)
        {
            const auto from = i / count;
            const auto to = i % count;
            const auto start = from == 0 ? 0 : (from - 1) / pairs;
            const auto end = to == 0 ? hops : (to - 1) / pairs + 1;
            const auto distance = std::abs(static_cast<int>(end) - static_cast<int>(start));
            const auto rtt =
                2e-3 * (distance * hop + (from == 0 ? hop : cross) + (to == 0 ? hop : cross));
            NS_TEST_EXPECT_MSG_EQ_TOL(echo.GetRtt(i).GetSeconds(),
                                      rtt,
                                      1e-6,
                                      from << " to " << to << (isIpv6 ? ", IPv6" : ", IPv4"));
            if (from == to)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(lot->GetRtt(to).GetSeconds(),
                                          rtt,
                                          1e-7,
                                          "named RTT of pair " << to);
            }
        }
        Finish(lot);
    }
}

/** @brief A pair crosses its own hop alone, the long path all of them; rates and queues. */
LFN_CASE(ParkingLotLinkCase)
{
    const auto checkDevice = [this](Ptr<NetDevice> device) {
        const auto link = DynamicCast<PointToPointNetDevice>(device);
        DataRateValue rate;
        link->GetAttribute("DataRate", rate);
        NS_TEST_EXPECT_MSG_EQ(rate.Get(), DataRate("10Mbps"), "rate");
        NS_TEST_EXPECT_MSG_EQ(link->GetMtu(), 1400, "MTU");
        NS_TEST_EXPECT_MSG_EQ(link->GetQueue()->GetMaxSize(), QueueSize("77p"), "queue");
        const auto control = link->GetNode()->GetObject<TrafficControlLayer>();
        NS_TEST_EXPECT_MSG_EQ(control->GetRootQueueDiscOnDevice(link), nullptr, "queue disc");
    };
    for (uint32_t pair = 0; pair < 5; ++pair)
    {
        const auto lot = Build("ParkingLotTopology[Hops=4|LinkRate=10Mbps|AccessRate=1Gbps|"
                               "Queue=77p|Mtu=1400]");
        std::vector<uint32_t> count(8);
        uint32_t index = 0;
        for (const auto& [from, to] : lot->GetBottlenecks())
        {
            for (const auto& device : {from, to})
            {
                ConnectTrace(device, "MacTx", [&count, number = index++](Ptr<const Packet>) {
                    ++count.at(number);
                });
                checkDevice(device);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(NodeList::GetNNodes(), 5 + 2 * 5, "routers and hosts");
        Echo echo;
        echo.Add(lot, pair, pair);
        echo.Run();
        for (uint32_t hop = 0; hop < 4; ++hop)
        {
            const uint32_t expected = pair == 0 || pair == hop + 1 ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ(count[2 * hop], expected, "pair " << pair << ", to");
            NS_TEST_EXPECT_MSG_EQ(count[2 * hop + 1], expected, "pair " << pair << ", back");
        }
        Finish(lot);
    }
}

/** @brief A tree: everyone reaches everyone, and what is sent to a group reaches all once. */
class TreeCase : public CaseOf<uint32_t, uint32_t, bool>
{
    using CaseOf::CaseOf;

    void RunWith(uint32_t depth, uint32_t fanout, bool isIpv6) override
    {
        const auto tree = Build("MulticastTreeTopology[Depth=" + std::to_string(depth) +
                                "|Fanout=" + std::to_string(fanout) +
                                "|LinkRate=1000Gbps|Rtt=60ms" + (isIpv6 ? "|Ipv6=true]" : "]"));
        isIpv6 ? tree->UseIpv6() : void();
        uint32_t leaves = 1;
        for (uint32_t level = 0; level < depth; ++level)
        {
            leaves *= fanout;
        }
        NS_TEST_ASSERT_MSG_EQ(tree->GetSenders().GetN(), 1, "senders");
        NS_TEST_ASSERT_MSG_EQ(tree->GetReceivers().GetN(), leaves, "receivers");
        NS_TEST_ASSERT_MSG_EQ(tree->GetBottlenecks().size(), leaves, "bottlenecks");
        Echo echo;
        for (uint32_t i = 0; i < leaves; ++i)
        {
            echo.Add(tree, 0, i, isIpv6);
            // From a leaf to its neighbour, and to one that is far away.
            echo.Add(tree->GetReceivers().Get(i),
                     tree->GetReceivers().Get((i + 1) % leaves),
                     UdpEndpoint::WithPort(tree->GetReceiverEnd((i + 1) % leaves), Echo::PORT));
        }
        const auto back = echo.Add(tree->GetReceivers().Get(leaves - 1),
                                   tree->GetSenders().Get(0),
                                   UdpEndpoint::WithPort(tree->GetSenderEnd(), Echo::PORT));
        echo.Run();
        const double link = 0.03 / (depth + 1);
        for (uint32_t i = 0; i < leaves; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(echo.GetRtt(2 * i).GetSeconds(), 0.06, 1e-6, "leaf " << i);
            NS_TEST_EXPECT_MSG_EQ_TOL(tree->GetRtt(i).GetSeconds(), 0.06, 1e-7, "leaf " << i);
            const auto next = (i + 1) % leaves;
            // Links up to the first common router, and down again.
            uint32_t up = 0;
            for (auto [a, b] = std::pair{i, next}; a != b; a /= fanout, b /= fanout)
            {
                ++up;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(echo.GetRtt(2 * i + 1).GetSeconds(),
                                      4 * up * link,
                                      1e-6,
                                      "from leaf " << i << " to the next one");
            const auto to = tree->GetBottlenecks()[i].second->GetNode();
            NS_TEST_EXPECT_MSG_EQ(to->GetId(), tree->GetReceivers().Get(i)->GetId(), "its link");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(echo.GetRtt(back).GetSeconds(), 0.06, 1e-6, "from a leaf");
        isIpv6 ? Multicast(tree, Ipv6Address("ff15::8000:1"), Ipv6Address::GetAny())
               : Multicast(tree, Ipv4Address("239.1.0.1"), Ipv4Address::GetAny());
        Finish(tree);
    }

    /// Send a datagram to a group from the root and from the last leaf.
    void Multicast(Ptr<TransportTopology> tree, const Address& group, const Address& any)
    {
        const auto error = MulticastTree::Install(NodeContainer::GetGlobal(), group);
        NS_TEST_ASSERT_MSG_EQ(error.value_or(""), "", "a tree");
        NodeContainer hosts(tree->GetSenders());
        hosts.Add(tree->GetReceivers());
        std::vector<uint32_t> received(hosts.GetN());
        std::vector<Ptr<Socket>> sockets;
        for (uint32_t i = 0; i < hosts.GetN(); ++i)
        {
            const auto socket = Socket::CreateSocket(hosts.Get(i), UdpSocketFactory::GetTypeId());
            socket->Bind(UdpEndpoint::WithPort(any, Echo::PORT + 1));
            if (Ipv6Address::IsMatchingType(group))
            {
                socket->Ipv6JoinGroup(Ipv6Address::ConvertFrom(group));
            }
            socket->SetRecvCallback(Callback<void, Ptr<Socket>>([&received, i](Ptr<Socket> from) {
                from->Recv();
                ++received[i];
            }));
            sockets.push_back(socket);
        }
        for (const auto& sender : {sockets.front(), sockets.back()})
        {
            Simulator::ScheduleNow([sender, group] {
                sender->SendTo(Create<Packet>(1), 0, UdpEndpoint::WithPort(group, Echo::PORT + 1));
            });
        }
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        for (uint32_t i = 0; i < hosts.GetN(); ++i)
        {
            const uint32_t own = i == 0 || i + 1 == hosts.GetN() ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ(received[i], 2 - own, "host " << i);
        }
        for (const auto& socket : sockets)
        {
            socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        }
    }
};

/** @brief What Attributes that do not go together are answered. */
LFN_CASE(RefusedCase)
{
    const std::vector<std::pair<std::string, std::string>> refused{
        {"ParkingLotTopology[Rtt=100ms|CrossRtt=19ms]", "CrossRtt: give 20ms at least"},
        {"ParkingLotTopology[Ipv6=true|Mtu=1279]", "with Ipv6 give an Mtu of 1280 at least"},
        {"DumbbellTopology[Ipv6=true|Mtu=1279]", "with Ipv6 give an Mtu of 1280 at least"},
        {"PointToPointTopology[Ipv6=true|Mtu=1279]", "with Ipv6 give an Mtu of 1280 at least"},
        {"StarTopology[Ipv6=true|Mtu=1279]", "with Ipv6 give an Mtu of 1280 at least"},
        {"MulticastTreeTopology[Ipv6=true|Mtu=1279]", "with Ipv6 give an Mtu of 1280 at least"},
        {"CsmaTopology[Ipv6=true|Mtu=1279]", "with Ipv6 give an Mtu of 1280 at least"},
        {"WifiTopology[Ipv6=true|Mtu=1279]", "with Ipv6 give an Mtu of 1280 at least"},
        {"FileTopology[Ipv6=true|Mtu=1279|File=.]", "with Ipv6 give an Mtu of 1280 at least"},
        {"MulticastTreeTopology[Depth=13|Fanout=3]", "more than 10000 receivers: lower one"},
        {"FileTopology", "File: name the CSV file"},
        {"FileTopology[File=no/such/file.csv]", "no/such/file.csv: there is no such file"},
        {"FileTopology[File=.]", ".: this is no file"},
    };
    for (const auto& [text, part] : refused)
    {
        const auto topology = Make(text);
        NS_TEST_EXPECT_MSG_EQ((topology != nullptr), true, text);
        if (!topology)
        {
            continue; // after a failed assertion ns-3 goes on
        }
        const auto remedy = topology->Check().value_or("");
        NS_TEST_EXPECT_MSG_NE(remedy.find(part), std::string::npos, text << ": " << remedy);
    }
    for (const auto* good : {"ParkingLotTopology[Rtt=100ms|CrossRtt=20ms]",
                             "ParkingLotTopology[CrossPairs=0|CrossRtt=1ns]",
                             "ParkingLotTopology[Ipv6=true|Mtu=1280]",
                             "MulticastTreeTopology[Depth=13|Fanout=2]"})
    {
        NS_TEST_EXPECT_MSG_EQ(Make(good)->Check().value_or(""), "", good);
    }
    for (const auto* bad : {"ParkingLotTopology[Hops=0]",
                            "ParkingLotTopology[Hops=101]",
                            "ParkingLotTopology[LinkRate=0bps]",
                            "ParkingLotTopology[Rtt=-1ms]",
                            "MulticastTreeTopology[Depth=0]",
                            "MulticastTreeTopology[Fanout=0]",
                            "FileTopology[Metric=hops]",
                            "FileTopology[Queue=0p]"})
    {
        NS_TEST_EXPECT_MSG_EQ((Make(bad) == nullptr), true, bad);
    }
}

/** @brief Attributes of links, which topologies share: each has its own defaults. */
LFN_CASE(LinkAttributesCase)
{
    const auto get = [](const std::string& name, const std::string& attribute) {
        StringValue value;
        ObjectFactory("ns3::lfn::" + name).Create<Object>()->GetAttribute(attribute, value);
        return value.Get();
    };
    const std::vector<std::array<std::string, 4>> defaults = {
        {"PointToPointTopology", "1000000000bps", "+1e+08ns", "65535"},
        {"DumbbellTopology", "100000000bps", "+2e+07ns", "65535"},
        {"ParkingLotTopology", "100000000bps", "+4e+07ns", "65535"},
        {"StarTopology", "100000000bps", "+200000ns", "65535"},
        {"MulticastTreeTopology", "100000000bps", "+1.2e+07ns", "65535"},
        {"CsmaTopology", "100000000bps", "+1000ns", "65535"},
        {"WifiTopology", "100000000bps", "+4e+07ns", "2296"}};
    for (const auto& [name, rate, rtt, mtu] : defaults)
    {
        NS_TEST_EXPECT_MSG_EQ(get(name, "LinkRate"), rate, name);
        NS_TEST_EXPECT_MSG_EQ(get(name, "Rtt"), rtt, name);
        NS_TEST_EXPECT_MSG_EQ(get(name, "Queue"), "10000p", name);
        NS_TEST_EXPECT_MSG_EQ(get(name, "Mtu"), "1500", name);
        const auto path = "ns3::lfn::" + name + "::";
        const auto set = [&path](const std::string& attribute, const std::string& value) {
            return Config::SetDefaultFailSafe(path + attribute, StringValue(value));
        };
        NS_TEST_EXPECT_MSG_EQ(set("LinkRate", "0bps"), false, name);
        NS_TEST_EXPECT_MSG_EQ(set("Queue", "0p"), false, name);
        NS_TEST_EXPECT_MSG_EQ(set("Mtu", "67"), false, name);
        NS_TEST_EXPECT_MSG_EQ(set("Mtu", mtu), true, name);
        NS_TEST_EXPECT_MSG_EQ(set("Mtu", std::to_string(std::stoi(mtu) + 1)), false, name);
        NS_TEST_EXPECT_MSG_EQ(set("Rtt", "11us"), (name != "CsmaTopology"), name);
        NS_TEST_EXPECT_MSG_EQ(set("LinkRate", "3Mbps"), true, name);
        NS_TEST_EXPECT_MSG_EQ(get(name, "LinkRate"), "3000000bps", name);
        for (const auto& other : defaults)
        {
            const bool isOwn = get(other[0], "LinkRate") == other[1];
            NS_TEST_EXPECT_MSG_EQ(isOwn, (other[0] != name), name << " does not set " << other[0]);
        }
        Config::Reset();
    }
}

/** @brief Every topology in the registry, with its defaults: RTTs, no own pair. */
LFN_CASE(EveryTopologyCase)
{
    // Measure the RTTs of each pair; false when there is no network without Attributes.
    const auto check = [&](TypeId type, bool isIpv6) {
        const auto name = type.GetName() + (isIpv6 ? " over IPv6" : " over IPv4");
        const auto topology = ObjectFactory(type.GetName()).Create<TransportTopology>();
        topology->SetAttribute("Ipv6", BooleanValue(isIpv6));
        if (topology->Check())
        {
            return false;
        }
        topology->Build();
        if (isIpv6)
        {
            topology->UseIpv6();
        }
        if (!topology->HasEnds())
        {
            const bool isOther = name.starts_with("ns3::lfn::test::");
            NS_TEST_EXPECT_MSG_EQ(isOther, true, name << ": every topology of the module can");
            Finish(topology);
            return true;
        }
        topology->AssignStreams(1);
        const auto senders = topology->GetSenders();
        const auto receivers = topology->GetReceivers();
        const auto pairs = std::min(senders.GetN(), receivers.GetN());
        NS_TEST_EXPECT_MSG_GT_OR_EQ(pairs, 1, name << ": a pair");
        Echo echo;
        for (uint32_t i = 0; i < pairs; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((senders.Get(i) != receivers.Get(i)), true, name << ": " << i);
            // Once stations are associated and addresses are known.
            echo.Add(topology, i, i, isIpv6);
            echo.Add(topology, i, i, isIpv6);
        }
        echo.Run();
        for (uint32_t i = 0; i < pairs; ++i)
        {
            // What a few bytes take to leave the devices comes on top.
            const double longer = (echo.GetRtt(2 * i + 1) - topology->GetRtt(i)).GetSeconds();
            NS_TEST_EXPECT_MSG_GT_OR_EQ(longer, -1e-6, name << ": pair " << i);
            NS_TEST_EXPECT_MSG_LT(longer, 2e-3, name << ": pair " << i);
        }
        Finish(topology);
        return true;
    };
    uint32_t built = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (type.IsChildOf(TransportTopology::GetTypeId()) && type.HasConstructor())
        {
            built += check(type, false) && check(type, true) ? 1 : 0;
        }
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(built, 5, "all but that of a file");
}

const Suite g_suite("lfn-topologies", TestSuite::Type::UNIT, [](Suite& suite) {
    for (const auto& lot : {Lot{"Hops=3|Rtt=100ms", 3, 1, 10, 10},
                            Lot{"Hops=2|CrossPairs=3|Rtt=80ms|CrossRtt=30ms", 2, 3, 10, 2.5},
                            Lot{"Hops=1|CrossPairs=0|Rtt=60ms", 1, 0, 10, 0},
                            Lot{"Hops=20|Rtt=440ms", 20, 1, 10, 10}})
    {
        const auto name =
            std::to_string(lot.hops) + " hops, " + std::to_string(lot.pairs) + " pairs on each";
        suite.Add(new ParkingLotRttCase("parking lot, RTTs from all to all: " + name, lot));
    }
    suite.Add(
        new ParkingLotLinkCase("parking lot: who crosses which hop; rates, queues, no queue disc"));
    for (const auto& [depth, fanout] :
         {std::pair{1U, 1U}, {1U, 5U}, {2U, 2U}, {3U, 3U}, {4U, 2U}, {2U, 10U}})
    {
        const auto name = std::to_string(depth) + " and fanout " + std::to_string(fanout);
        for (const bool isIpv6 : {false, true})
        {
            suite.Add(new TreeCase("tree of depth " + name + ": unicast and multicast reach all",
                                   depth,
                                   fanout,
                                   isIpv6));
        }
    }
    suite.Add(new LinkAttributesCase("the same Attributes of links, each topology's defaults"));
    suite.Add(new EveryTopologyCase("every topology: RTTs of all pairs"));
    suite.Add(new RefusedCase("what no network can be: one line each"));
});

} // namespace
