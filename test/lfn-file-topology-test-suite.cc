// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-files.h"
#include "lfn-test-throws.h"
#include "lfn-test-topology.h"

#include "ns3/error-model.h"
#include "ns3/lfn-file-topology.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Topologies from a file: delays, routes, bottlenecks, losses, jitter, sizes.
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

using Pairs = std::vector<std::pair<std::string, std::string>>; //!< of names of nodes

/** @brief A network from a file, with some Attributes, and what it is like. */
struct Network
{
    std::string text;         //!< of the file
    std::string attributes;   //!< such as "|Metric=Delay"
    std::vector<double> rtts; //!< of the receivers, [s]
    Pairs bottlenecks;        //!< from a node to a node
};

/** @brief Ways, addresses and bottlenecks of a network from a file. */
LFN_CASE_OF(FileCase, Network wanted, bool isIpv6)
{
    const auto& [text, attributes, rtts, bottlenecks] = wanted;
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

/** @brief Devices of a link that differs there and back are each what the file says. */
LFN_CASE(DirectionsCase)
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
    NS_TEST_EXPECT_MSG_EQ(check(from, "5Mbps", "4p"), true, "A: loses what arrives from B");
    NS_TEST_EXPECT_MSG_EQ(check(to, "7Mbps", "3p"), false, "B: loses nothing");
    Finish(network);
}

/** @brief Hosts of a network from a file, and Attributes that the file does not set. */
LFN_CASE(FileAttributesCase)
{
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

/** @brief Any sender's RTT to any receiver, where a network times receivers from several. */
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

/** @brief Count the answers of a hundred datagrams. */
uint32_t
CountAnswers(const std::string& loss)
{
    const NetworkFile file("node,a,sender\nnode,b,receiver\nlink,a,b,1Gbps,1ms,," + loss + "\n");
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

/** @brief A link's loss acts both ways, each on a stream of its own. */
LFN_CASE(FileLossCase)
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

/** @brief A row of links of a millisecond. */
std::string
MakeChain(uint32_t links)
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

/** @brief Nodes that send and receive around the first one. */
std::string
MakeStar(uint32_t nodes)
{
    std::string text = "node,n0,both\n";
    for (uint32_t i = 1; i < nodes; ++i)
    {
        const auto name = "n" + std::to_string(i);
        text += "node," + name + ",both\nlink,n0," + name + ",1Gbps,1ms\n";
    }
    return text;
}

/** @brief Long ways work up to what a packet can cross, and tables are not too large. */
LFN_CASE(FileSizeCase)
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
    // A file that was recovered is read again.
    const NetworkFile bad("node,a,sender\n");
    const auto topology = Make(bad.Topology());
    NS_TEST_EXPECT_MSG_EQ(topology->Check().has_value(), true, "no receiver");
    const NetworkFile good("node,a,sender\nnode,b,receiver\nlink,a,b,1Mbps,1ms\n");
    topology->SetAttribute("File", StringValue(good.Path()));
    NS_TEST_EXPECT_MSG_EQ(topology->Check().value_or(""), "", "another file");
    topology->SetAttribute("File", StringValue(bad.Path()));
    NS_TEST_EXPECT_MSG_EQ(topology->Check().has_value(), true, "the first one again");
}

const Suite g_suite("lfn-file-topology", TestSuite::Type::UNIT, [](Suite& suite) {
    std::vector<Network> networks;
    // Senders A, C; receivers B, C: A to B, then C to C is no pair, so C, B it is.
    networks.push_back({DIAMOND, "", {0.102, 0.002}, {{"A", "B"}, {"C", "B"}}});
    networks.push_back({DIAMOND, "|Metric=Delay", {0.032, 0.002}, {{"x", "y"}, {"C", "B"}}});
    // Two pairs on one link: it fills first, though each sender's own link is as fast.
    const std::string shared = "node,A,sender\nnode,B,sender\nnode,C,receiver\n"
                               "node,D,receiver\nnode,x\nnode,y\n"
                               "link,A,x,100Mbps,1ms\nlink,B,x,100Mbps,1ms\n"
                               "link,y,x,100Mbps,1ms\n"
                               "link,y,C,1Gbps,1ms\nlink,y,D,1Gbps,1ms\n";
    networks.push_back({shared, "", {0.006, 0.006}, {{"x", "y"}}});
    // A shared link that is fast enough limits nobody: each pair is limited where it is.
    auto fast = shared;
    fast.replace(fast.find("y,x,100Mbps"), 11, "y,x,200Mbps");
    networks.push_back({fast, "", {0.006, 0.006}, {{"x", "y"}}}); // a tie: the one that most cross
    fast.replace(fast.find("y,x,200Mbps"), 11, "y,x,300Mbps");
    networks.push_back({fast, "", {0.006, 0.006}, {{"A", "x"}, {"B", "x"}}});
    auto marked = DIAMOND;
    marked.replace(marked.find(",,,\n"), 4, ",,0,bottleneck\n");
    marked.replace(marked.find(",7p\n"), 4, ",,,bottleneck\n");
    // The first line's link as C's data and A's cross it; nobody crosses the other one.
    networks.push_back({marked, "", {0.102, 0.002}, {{"A", "B"}, {"y", "x"}}});

    // What limits is the rate in the direction of the data.
    auto oneWay = shared;
    oneWay.replace(oneWay.find("y,x,100Mbps"), 11, "y,x,5Mbps/1Gbps");
    oneWay.replace(oneWay.find("A,x,100Mbps"), 11, "A,x,10Mbps/1Gbps");
    networks.push_back({oneWay, "", {0.006, 0.006}, {{"A", "x"}, {"B", "x"}}});
    for (const auto& network : networks)
    {
        for (const bool isIpv6 : {false, true})
        {
            suite.Add(
                new FileCase("file: shortest and quickest ways, one address per node, bottlenecks",
                             network,
                             isIpv6));
        }
    }
    suite.Add(new DirectionsCase("a link that differs there and back"));
    suite.Add(new FileAttributesCase("hosts, and Attributes that the file does not set"));
    suite.Add(new FilePairsCase("file: RTTs of all pairs, with more receivers than senders"));
    suite.Add(new FileLossCase("file: losses and policers of a link, in both directions"));
    suite.Add(new FileJitterCase("file: jitter of links"));
    suite.Add(new FileSizeCase("long ways: 100 hops and 255 links of a file work, more is refused, "
                               "and so are too many routes"));
});

} // namespace
