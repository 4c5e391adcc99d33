// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-files.h"
#include "lfn-test-throws.h"
#include "lfn-test-topology.h"

#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/lfn-file-topology.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Parking lot, tree and file: delays, routes, bottlenecks, and what is refused.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief A file that a test writes. */
class NetworkFile
{
  public:
    /// A file of this content.
    explicit NetworkFile(const std::string& text)
    {
        std::ofstream(Path()) << text;
    }

    /// "FileTopology[File=...]" of this file, with more attributes, each with a bar before it.
    std::string Topology(const std::string& attributes = "") const
    {
        return "FileTopology[File=" + Path() + attributes + "]";
    }

    /// The name of the file.
    std::string Path() const
    {
        return m_folder / "network.csv";
    }

  private:
    ScratchFolder m_folder; //!< where it is
};

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
class ParkingLotRttCase : public CaseOf<Lot>
{
    using CaseOf::CaseOf;

    void RunWith(Lot lot) override
    {
        const auto& [attributes, hops, pairs, hop, cross] = lot;
        for (const bool isIpv6 : {false, true})
        {
            const auto lot =
                Build("ParkingLotTopology[" + attributes + (isIpv6 ? "|Ipv6=true" : "") +
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
                                              "named round trip of pair " << to);
                }
            }
            Finish(lot);
        }
    }
};

/** @brief A pair crosses its own hop alone, the long path all of them; rates and queues. */
class ParkingLotLinkCase : public Case
{
    using Case::Case;

    /// Count the packets that leave each device of the bottlenecks.
    void Count(std::string context, Ptr<const Packet> /* packet */)
    {
        ++m_count.at(std::stoul(context));
    }

    void DoRun() override
    {
        for (uint32_t pair = 0; pair < 5; ++pair)
        {
            const auto lot = Build("ParkingLotTopology[Hops=4|LinkRate=10Mbps|AccessRate=1Gbps|"
                                   "Queue=77p|Mtu=1400]");
            m_count.assign(8, 0);
            uint32_t index = 0;
            for (const auto& [from, to] : lot->GetBottlenecks())
            {
                for (const auto& device : {from, to})
                {
                    device->TraceConnect("MacTx",
                                         std::to_string(index++),
                                         MakeCallback(&ParkingLotLinkCase::Count, this));
                    CheckDevice(device);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(NodeList::GetNNodes(), 5 + 2 * 5, "routers and hosts");
            Echo echo;
            echo.Add(lot, pair, pair);
            echo.Run();
            for (uint32_t hop = 0; hop < 4; ++hop)
            {
                const uint32_t expected = pair == 0 || pair == hop + 1 ? 1 : 0;
                NS_TEST_EXPECT_MSG_EQ(m_count[2 * hop], expected, "pair " << pair << ", to");
                NS_TEST_EXPECT_MSG_EQ(m_count[2 * hop + 1], expected, "pair " << pair << ", back");
            }
            Finish(lot);
        }
    }

    /// Check a device of a bottleneck.
    void CheckDevice(Ptr<NetDevice> device)
    {
        const auto link = DynamicCast<PointToPointNetDevice>(device);
        DataRateValue rate;
        link->GetAttribute("DataRate", rate);
        NS_TEST_EXPECT_MSG_EQ(rate.Get(), DataRate("10Mbps"), "rate");
        NS_TEST_EXPECT_MSG_EQ(link->GetMtu(), 1400, "MTU");
        NS_TEST_EXPECT_MSG_EQ(link->GetQueue()->GetMaxSize(), QueueSize("77p"), "queue");
        const auto control = link->GetNode()->GetObject<TrafficControlLayer>();
        NS_TEST_EXPECT_MSG_EQ(control->GetRootQueueDiscOnDevice(link), nullptr, "queue disc");
    }

    std::vector<uint32_t> m_count; //!< packets, two devices a bottleneck
};

/** @brief A tree: everyone reaches everyone, and what is sent to a group reaches all once. */
class TreeCase : public CaseOf<uint32_t, uint32_t>
{
    using CaseOf::CaseOf;

    void RunWith(uint32_t depth, uint32_t fanout) override
    {
        for (const bool isIpv6 : {false, true})
        {
            RunOver(isIpv6, depth, fanout);
        }
    }

    /// Over IPv4, or over IPv6.
    void RunOver(bool isIpv6, uint32_t depth, uint32_t fanout)
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
        std::vector<uint32_t> heard(hosts.GetN());
        std::vector<Ptr<Socket>> sockets;
        for (uint32_t i = 0; i < hosts.GetN(); ++i)
        {
            const auto socket = Socket::CreateSocket(hosts.Get(i), UdpSocketFactory::GetTypeId());
            socket->Bind(UdpEndpoint::WithPort(any, Echo::PORT + 1));
            if (Ipv6Address::IsMatchingType(group))
            {
                socket->Ipv6JoinGroup(Ipv6Address::ConvertFrom(group));
            }
            socket->SetRecvCallback(Callback<void, Ptr<Socket>>([&heard, i](Ptr<Socket> from) {
                from->Recv();
                ++heard[i];
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
            NS_TEST_EXPECT_MSG_EQ(heard[i], 2 - own, "host " << i);
        }
        for (const auto& socket : sockets)
        {
            socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        }
    }
};

/** @brief A sender with two ways to its receiver: the short one and the quick one. */
const std::string DIAMOND = "node,A,sender\n"
                            "node,B,receiver\n"
                            "node,C,both\n"
                            "node,x\n"
                            "node,y\n"
                            "link,B,A,10Mbps,50ms,7p\n"
                            "link,A,x,1Gbps,5ms\n"
                            "link,y,x,20Mbps,5ms,,,\n"
                            "link,y,B,1Gbps,5ms\n"
                            "link,B,C,100Mbps,1ms\n";

/** @brief Ways, addresses and bottlenecks of a network from a file. */
class FileCase : public Case
{
    using Case::Case;

    /// Build it, check round trips, and check the first bottleneck.
    void Check(const std::string& text,
               const std::string& attributes,
               const std::vector<double>& rtts,
               const std::vector<std::pair<std::string, std::string>>& bottlenecks)
    {
        for (const bool isIpv6 : {false, true})
        {
            CheckOver(isIpv6, text, attributes, rtts, bottlenecks);
        }
    }

    /// The same over IPv4, or over IPv6.
    void CheckOver(bool isIpv6,
                   const std::string& text,
                   const std::string& attributes,
                   const std::vector<double>& rtts,
                   const std::vector<std::pair<std::string, std::string>>& bottlenecks)
    {
        const NetworkFile file(text);
        const auto topology = Build(file.Topology(attributes + (isIpv6 ? "|Ipv6=true" : "")));
        const auto network = DynamicCast<FileTopology>(topology);
        NS_TEST_ASSERT_MSG_EQ((network != nullptr), true, "a topology");
        NS_TEST_ASSERT_MSG_EQ(network->GetReceivers().GetN(), rtts.size(), "receivers");
        Echo echo;
        for (uint32_t i = 0; i < rtts.size(); ++i)
        {
            echo.Add(network, i % network->GetSenders().GetN(), i, isIpv6);
        }
        echo.Run();
        for (uint32_t i = 0; i < rtts.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(network->GetRtt(i).GetSeconds(), rtts[i], 1e-9, "named");
            // 31 bytes on at most four links each way, and 51
            const double longer = isIpv6 ? 2e-4 : 1e-4;
            NS_TEST_EXPECT_MSG_EQ_TOL(echo.GetRtt(i).GetSeconds(), rtts[i], longer, "measured");
        }
        NS_TEST_ASSERT_MSG_EQ(network->GetBottlenecks().size(), bottlenecks.size(), "bottlenecks");
        for (std::size_t i = 0; i < bottlenecks.size(); ++i)
        {
            const auto [from, to] = network->GetBottlenecks()[i];
            NS_TEST_EXPECT_MSG_EQ((from->GetNode() == network->GetNode(bottlenecks[i].first)),
                                  true,
                                  "from " << bottlenecks[i].first);
            NS_TEST_EXPECT_MSG_EQ((to->GetNode() == network->GetNode(bottlenecks[i].second)),
                                  true,
                                  "to " << bottlenecks[i].second);
            const auto control = from->GetNode()->GetObject<TrafficControlLayer>();
            NS_TEST_EXPECT_MSG_EQ(control->GetRootQueueDiscOnDevice(from), nullptr, "queue disc");
        }
        NS_TEST_EXPECT_MSG_EQ((network->GetNode("Z") == nullptr), true, "no such node");
        Finish(network);
    }

    /// Check that devices of a link that differs there and back are each what the file says.
    void CheckDirections()
    {
        const NetworkFile file("node,A,sender\nnode,B,receiver\n"
                               "link,B,A,7Mbps/5Mbps,1ms,3p/4p,0.1/0\n");
        const auto network = Build(file.Topology(""));
        const auto [from, to] = network->GetBottlenecks().front();
        const auto check = [this](Ptr<NetDevice> device, const char* rate, const char* queue) {
            const auto link = DynamicCast<PointToPointNetDevice>(device);
            DataRateValue has;
            link->GetAttribute("DataRate", has);
            NS_TEST_EXPECT_MSG_EQ(has.Get(), DataRate(rate), "rate");
            NS_TEST_EXPECT_MSG_EQ(link->GetQueue()->GetMaxSize(), QueueSize(queue), "queue");
            PointerValue loss;
            link->GetAttribute("ReceiveErrorModel", loss);
            return loss.Get<ErrorModel>() != nullptr;
        };
        NS_TEST_EXPECT_MSG_EQ(check(from, "5Mbps", "4p"), true, "A: loses what comes from B");
        NS_TEST_EXPECT_MSG_EQ(check(to, "7Mbps", "3p"), false, "B: loses nothing");
        Finish(network);
    }

    void DoRun() override
    {
        // Senders A, C; receivers B, C: A to B, then C to C is no pair, so C, B it is.
        Check(DIAMOND, "", {0.102, 0.002}, {{"A", "B"}, {"C", "B"}});
        Check(DIAMOND, "|Metric=Delay", {0.032, 0.002}, {{"x", "y"}, {"C", "B"}});
        // Two pairs on one link: it fills first, though each sender's own link is as fast.
        const std::string shared = "node,A,sender\nnode,B,sender\nnode,C,receiver\n"
                                   "node,D,receiver\nnode,x\nnode,y\n"
                                   "link,A,x,100Mbps,1ms\nlink,B,x,100Mbps,1ms\n"
                                   "link,y,x,100Mbps,1ms\n"
                                   "link,y,C,1Gbps,1ms\nlink,y,D,1Gbps,1ms\n";
        Check(shared, "", {0.006, 0.006}, {{"x", "y"}});
        // A shared link that is fast enough limits nobody: each pair is limited where it is.
        auto fast = shared;
        fast.replace(fast.find("y,x,100Mbps"), 11, "y,x,200Mbps");
        Check(fast, "", {0.006, 0.006}, {{"x", "y"}}); // a tie: the one that most cross
        fast.replace(fast.find("y,x,200Mbps"), 11, "y,x,300Mbps");
        Check(fast, "", {0.006, 0.006}, {{"A", "x"}, {"B", "x"}});
        auto marked = DIAMOND;
        marked.replace(marked.find(",,,\n"), 4, ",,0,bottleneck\n");
        marked.replace(marked.find(",7p\n"), 4, ",,,bottleneck\n");
        // The first line's link as C's data and A's cross it; nobody crosses the other one.
        Check(marked, "", {0.102, 0.002}, {{"A", "B"}, {"y", "x"}});

        // What limits is the rate in the direction of the data.
        auto oneWay = shared;
        oneWay.replace(oneWay.find("y,x,100Mbps"), 11, "y,x,5Mbps/1Gbps");
        oneWay.replace(oneWay.find("A,x,100Mbps"), 11, "A,x,10Mbps/1Gbps");
        Check(oneWay, "", {0.006, 0.006}, {{"A", "x"}, {"B", "x"}});
        CheckDirections();

        const NetworkFile file(DIAMOND);
        const auto network = Build(file.Topology("|Queue=9p|Mtu=1300"));
        NS_TEST_EXPECT_MSG_EQ(network->GetSenders().GetN(), 2, "senders");
        NS_TEST_EXPECT_MSG_EQ(network->GetReceivers().GetN(), 2, "receivers");
        const auto device = DynamicCast<PointToPointNetDevice>(network->GetBottlenecks()[0].first);
        NS_TEST_EXPECT_MSG_EQ(device->GetQueue()->GetMaxSize(), QueueSize("7p"), "its queue");
        NS_TEST_EXPECT_MSG_EQ(device->GetMtu(), 1300, "MTU");
        const auto other = DynamicCast<PointToPointNetDevice>(
            DynamicCast<FileTopology>(network)->GetNode("x")->GetDevice(1));
        NS_TEST_EXPECT_MSG_EQ(other->GetQueue()->GetMaxSize(), QueueSize("9p"), "the default");
        Finish(network);
    }
};

/** @brief Any sender's round trip to any receiver, where a network times receivers from several. */
LFN_CASE(FilePairsCase)
{
    constexpr uint32_t RECEIVERS = 5;
    std::string text = "node,s0,sender\nnode,s1,sender\nnode,r\n"
                       "link,s0,r,1Gbps,1ms\nlink,s1,r,1Gbps,200ms\n";
    for (uint32_t i = 0; i < RECEIVERS; ++i)
    {
        const auto name = "d" + std::to_string(i);
        text.append("node," + name + ",receiver\nlink,r," + name + ",1Gbps,1ms\n");
    }
    const NetworkFile file(text);
    const auto network = Build(file.Topology());
    NS_TEST_ASSERT_MSG_EQ(network->GetReceivers().GetN(), RECEIVERS, "receivers");
    for (uint32_t i = 0; i < RECEIVERS; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(network->GetRtt(0, i), MilliSeconds(4), "from the near one");
        NS_TEST_EXPECT_MSG_EQ(network->GetRtt(1, i), MilliSeconds(402), "from the far one");
    }
    const bool isRefused = Throws<std::out_of_range>([&] { network->GetRtt(2, 2); });
    NS_TEST_EXPECT_MSG_EQ(isRefused, true, "there is no third sender");
    Finish(network);
}

/** @brief A link's loss acts both ways, each on a stream of its own. */
class FileLossCase : public Case
{
    using Case::Case;

    /// Count the answers of a hundred datagrams.
    static uint32_t CountAnswers(const std::string& loss)
    {
        const NetworkFile file("node,a,sender\nnode,b,receiver\nlink,a,b,1Gbps,1ms,," + loss +
                               "\n");
        const auto network = Build(file.Topology());
        uint32_t answers = 0;
        {
            Echo echo;
            for (uint32_t i = 0; i < 400; ++i)
            {
                echo.Add(network, 0, 0);
            }
            echo.Run();
            for (uint32_t i = 0; i < 400; ++i)
            {
                answers += echo.GetRtt(i).IsZero() ? 0 : 1;
            }
        }
        Finish(network);
        return answers;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountAnswers("0"), 400, "none");
        NS_TEST_EXPECT_MSG_EQ(CountAnswers("1"), 0, "all");
        const auto some = CountAnswers("0.3");
        // 0.49 of 400, five standard deviations around it
        NS_TEST_EXPECT_MSG_GT(some, 196 - 50, "there and back");
        NS_TEST_EXPECT_MSG_LT(some, 196 + 50, "there and back");
        NS_TEST_EXPECT_MSG_EQ(CountAnswers("0.3"), some, "equal runs are equal");
        // A datagram has 29 bytes; the bucket begins with 100, and 1.25 come until the next one.
        const auto passed = static_cast<uint32_t>((100 + 399 * 1.25) / 29);
        NS_TEST_EXPECT_MSG_EQ(CountAnswers("0,,,1bps:100B"), passed, "there and back alike");
        NS_TEST_EXPECT_MSG_EQ(CountAnswers("0,,,1bps:100B/none"), passed, "there");
        NS_TEST_EXPECT_MSG_EQ(CountAnswers("0,,,none/1bps:100B"), passed, "back");
        NS_TEST_EXPECT_MSG_EQ(CountAnswers("0,,,1bps:28B"), 0, "less than a datagram");
        NS_TEST_EXPECT_MSG_EQ(CountAnswers("1,,,1Gbps:1kB"), 0, "policer and loss");
    }
};

/** @brief Jitter of links of a file: its mean, its bound, and what the network may hold. */
LFN_CASE(FileJitterCase)
{
    constexpr uint32_t COUNT = 400;
    const auto measure = [this](const std::string& jitter, bool isIpv6) {
        const NetworkFile file("node,a,sender\nnode,r\nnode,b,receiver\n"
                               "link,a,r,1Gbps,1ms,,,,2ms\nlink,r,b,1Gbps,1ms,,,," +
                               jitter + "\n");
        const auto network = Build(file.Topology(isIpv6 ? "|Ipv6=true" : ""));
        const Time hold = network->GetLongestHold();
        const Time least = network->GetRtt(0);
        NS_TEST_EXPECT_MSG_EQ(network->GetRtt(0), MilliSeconds(4), "without jitter");
        NS_TEST_EXPECT_MSG_EQ(network->AssignStreams(7), (jitter == "0s" ? 2 : 4), "streams");
        std::vector<double> extra;
        {
            Echo echo;
            for (uint32_t i = 0; i < COUNT; ++i)
            {
                echo.Add(network, 0, 0, isIpv6);
            }
            echo.Run();
            for (uint32_t i = 0; i < COUNT; ++i)
            {
                extra.push_back((echo.GetRtt(i) - least).GetSeconds());
            }
        }
        Finish(network);
        const auto [shortest, longest] = std::ranges::minmax(extra);
        NS_TEST_EXPECT_MSG_GT(shortest, 0, "never negative");
        NS_TEST_EXPECT_MSG_LT(longest, 2 * hold.GetSeconds() + 1e-5, "there and back");
        return std::pair(std::accumulate(extra.begin(), extra.end(), 0.0) / COUNT, hold);
    };
    for (const bool isIpv6 : {false, true})
    {
        // Means of 3 deviations a crossing; five standard errors around them.
        const auto [one, holdOne] = measure("0s", isIpv6);
        NS_TEST_EXPECT_MSG_EQ_TOL(one, 2 * 6e-3, 5 * 2e-3 * std::sqrt(2.0 / COUNT), "one link");
        NS_TEST_EXPECT_MSG_EQ(holdOne, MilliSeconds(12), "one link");
        const auto [two, holdTwo] = measure("1ms", isIpv6);
        NS_TEST_EXPECT_MSG_EQ_TOL(two, 2 * 9e-3, 5 * 2e-3 * std::sqrt(2.5 / COUNT), "two links");
        NS_TEST_EXPECT_MSG_EQ(holdTwo, MilliSeconds(18), "two links");
    }
}

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

/** @brief Long ways work up to what a packet can cross, and tables are not too large. */
class FileSizeCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        // More routers than ns-3's own time to live.
        const auto lot = Build("ParkingLotTopology[Hops=100|CrossPairs=0|Rtt=2040ms|Ipv6=true|"
                               "LinkRate=1000Gbps|AccessRate=1000Gbps]");
        Echo both;
        both.Add(lot, 0, 0);
        both.Add(lot, 0, 0, true);
        both.Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(both.GetRtt(0).GetSeconds(), 2.04, 1e-4, "IPv4");
        NS_TEST_EXPECT_MSG_GT(both.GetRtt(1).GetSeconds(), 2, "IPv6, which looks for neighbours");
        Finish(lot);
        for (const auto* metric : {"|Metric=Hops", "|Metric=Delay"})
        {
            const NetworkFile most(MakeChain(255));
            const auto chain = Build(most.Topology(metric));
            NS_TEST_ASSERT_MSG_EQ(chain->GetReceivers().GetN(), 1, metric);
            Echo echo;
            echo.Add(chain, 0, 0);
            echo.Run();
            NS_TEST_EXPECT_MSG_EQ_TOL(echo.GetRtt(0).GetSeconds(), 0.51, 1e-4, "there and back");
            NS_TEST_EXPECT_MSG_EQ(chain->GetRtt(0), MilliSeconds(510), metric);
            Finish(chain);
            const NetworkFile more(MakeChain(256));
            const auto remedy = Make(more.Topology(metric))->Check().value_or("");
            NS_TEST_EXPECT_MSG_NE(remedy.find(": 256 links from n256 to n0, a packet crosses 255"),
                                  std::string::npos,
                                  remedy);
        }
        const NetworkFile wide(MakeStar(707));
        NS_TEST_EXPECT_MSG_EQ(Make(wide.Topology())->Check().value_or(""), "", "just right");
        const NetworkFile wider(MakeStar(708));
        const auto remedy = Make(wider.Topology())->Check().value_or("");
        NS_TEST_EXPECT_MSG_NE(remedy.find(": too many routes, to 708 nodes with a role from 708 "
                                          "nodes: give 706 nodes a role at most"),
                              std::string::npos,
                              remedy);
        // A file that was mended is read again.
        const NetworkFile bad("node,a,sender\n");
        const auto topology = Make(bad.Topology());
        NS_TEST_EXPECT_MSG_EQ(topology->Check().has_value(), true, "no receiver");
        const NetworkFile good("node,a,sender\nnode,b,receiver\nlink,a,b,1Mbps,1ms\n");
        topology->SetAttribute("File", StringValue(good.Path()));
        NS_TEST_EXPECT_MSG_EQ(topology->Check().value_or(""), "", "another file");
        topology->SetAttribute("File", StringValue(bad.Path()));
        NS_TEST_EXPECT_MSG_EQ(topology->Check().has_value(), true, "the first one again");
    }

    /// A row of links of a millisecond.
    static std::string MakeChain(uint32_t links)
    {
        std::string text = "node,n0,sender\n";
        for (uint32_t i = 1; i <= links; ++i)
        {
            const auto name = "n" + std::to_string(i);
            text += "node," + name + (i == links ? ",receiver\n" : "\n") + "link,n" +
                    std::to_string(i - 1) + "," + name + ",1000Gbps,1ms\n";
        }
        return text;
    }

    /// Nodes that send and receive around the first one.
    static std::string MakeStar(uint32_t nodes)
    {
        std::string text = "node,n0,both\n";
        for (uint32_t i = 1; i < nodes; ++i)
        {
            const auto name = "n" + std::to_string(i);
            text += "node," + name + ",both\nlink,n0," + name + ",1Gbps,1ms\n";
        }
        return text;
    }
};

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

/** @brief Every topology that the registry knows, with its defaults: round trips, no own pair. */
class EveryTopologyCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        uint32_t built = 0;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const auto type = TypeId::GetRegistered(i);
            if (type.IsChildOf(TransportTopology::GetTypeId()) && type.HasConstructor())
            {
                built += Check(type, false) && Check(type, true) ? 1 : 0;
            }
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(built, 5, "all but that of a file");
    }

    /// Measure the round trips of each pair; false when there is no network without Attributes.
    bool Check(TypeId type, bool isIpv6)
    {
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
    }
};

/** @brief The suite. */
const Suite g_suite("lfn-topologies", TestSuite::Type::UNIT, [](Suite& suite) {
    for (const auto& lot : {Lot{"Hops=3|Rtt=100ms", 3, 1, 10, 10},
                            Lot{"Hops=2|CrossPairs=3|Rtt=80ms|CrossRtt=30ms", 2, 3, 10, 2.5},
                            Lot{"Hops=1|CrossPairs=0|Rtt=60ms", 1, 0, 10, 0},
                            Lot{"Hops=20|Rtt=440ms", 20, 1, 10, 10}})
    {
        const auto name =
            std::to_string(lot.hops) + " hops, " + std::to_string(lot.pairs) + " pairs on each";
        suite.Add(new ParkingLotRttCase("parking lot, round trips from all to all: " + name, lot));
    }
    suite.Add(
        new ParkingLotLinkCase("parking lot: who crosses which hop; rates, queues, no queue disc"));
    for (const auto& [depth, fanout] :
         {std::pair{1U, 1U}, {1U, 5U}, {2U, 2U}, {3U, 3U}, {4U, 2U}, {2U, 10U}})
    {
        const auto name = std::to_string(depth) + " and fanout " + std::to_string(fanout);
        suite.Add(new TreeCase("tree of depth " + name + ": unicast and multicast reach all",
                               depth,
                               fanout));
    }
    suite.Add(new FileCase("file: shortest and quickest ways, one address a node, bottlenecks"));
    suite.Add(
        new FilePairsCase("file: round trips of all pairs, with more receivers than senders"));
    suite.Add(new FileLossCase("file: losses and policers of a link, in both directions"));
    suite.Add(new FileJitterCase("file: jitter of links"));
    suite.Add(new FileSizeCase("long ways: 100 hops and 255 links of a file work, more is refused, "
                               "and so are too many routes"));
    suite.Add(new LinkAttributesCase("the same Attributes of links, each topology's defaults"));
    suite.Add(new EveryTopologyCase("every topology: round trips of all pairs"));
    suite.Add(new RefusedCase("what no network can be: one line each"));
});

} // namespace
