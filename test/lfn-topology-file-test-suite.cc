// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/lfn-topology-file.h"
#include "ns3/lfn-topology-routes.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Topology files: what is read, what is refused, and shortest ways.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Two hosts and a router. */
const std::string GOOD = "node,a,sender\nnode,b,receiver\nnode,r\n"
                         "link,a,r,100Mbps,5ms\nlink,r,b,10Mbps,1.5ms,64kB,0.01,bottleneck\n";

/// The good text with a part replaced.
std::string
With(const std::string& what, const std::string& by)
{
    auto text = GOOD;
    return text.replace(text.find(what), what.size(), by);
}

/// Read a text; get the error, or nothing in it.
std::string
Read(const std::string& text, TopologyFile& network)
{
    return ParseTopologyFile(text, "n.csv", network).value_or("");
}

/** @brief The same network in many spellings. */
LFN_CASE(GoodCase)
{
    auto crlf = GOOD;
    for (std::size_t i = 0; (i = crlf.find('\n', i)) != std::string::npos; i += 2)
    {
        crlf.replace(i, 1, "\r\n");
    }
    const std::vector<std::pair<std::string, std::string>> texts{
        {"plain", GOOD},
        {"CRLF", crlf},
        {"byte order mark", "\xef\xbb\xbf" + GOOD},
        {"both", "\xef\xbb\xbf" + crlf},
        {"header", "kind,a,b,rate,delay,queue,loss,bottleneck\n" + GOOD},
        {"no policer", With("bottleneck", "bottleneck,0s,none")},
        {"no jitter and no policer back", With("bottleneck", "bottleneck,,none/none")},
        {"comments", "# a network\n\n  # of three\n,,,\nkind,name,role\n" + GOOD + "#"},
        {"no end of line", GOOD.substr(0, GOOD.size() - 1)},
        {"a spreadsheet's commas", With("node,r\n", "node,r,,,,,,\n")},
        {"spaces", With("link,a,r,100Mbps,5ms", " link , a,\tr , 100Mbps,5ms ")},
        {"quotes", With("link,a,r,100Mbps", "\"link\", \"a\" ,r,\"100Mbps\"")},
        {"links first", "link,a,r,100Mbps,5ms\n" + With("link,a,r,100Mbps,5ms\n", "")},
        {"empty fields", With("link,a,r,100Mbps,5ms", "link,a,r,100Mbps,5ms,,,")},
        {"ranks", With("node,a,sender", "node,a,sender,2")},
        {"no loss", With("link,a,r,100Mbps,5ms", "link,a,r,100Mbps,5ms,,0")},
    };
    for (const auto& [name, text] : texts)
    {
        TopologyFile network;
        NS_TEST_EXPECT_MSG_EQ(Read(text, network), "", name);
        NS_TEST_ASSERT_MSG_EQ(network.nodes.size(), 3, name);
        NS_TEST_ASSERT_MSG_EQ(network.links.size(), 2, name);
        NS_TEST_EXPECT_MSG_EQ(network.nodes[0].name, "a", name);
        NS_TEST_EXPECT_MSG_EQ(network.nodes[0].isSender, true, name);
        NS_TEST_EXPECT_MSG_EQ(network.nodes[0].isReceiver, false, name);
        NS_TEST_EXPECT_MSG_EQ(network.nodes[1].isReceiver, true, name);
        NS_TEST_EXPECT_MSG_EQ(network.nodes[2].isSender, false, name);
        const auto& last = network.links[1];
        NS_TEST_EXPECT_MSG_EQ(last.from, 2, name);
        NS_TEST_EXPECT_MSG_EQ(last.to, 1, name);
        NS_TEST_EXPECT_MSG_EQ(last.ways[0].rate, DataRate("10Mbps"), name);
        NS_TEST_EXPECT_MSG_EQ(last.delay, MicroSeconds(1500), name);
        NS_TEST_EXPECT_MSG_EQ((last.ways[0].queue == QueueSize("64kB")), true, name);
        NS_TEST_EXPECT_MSG_EQ(last.ways[0].loss, 0.01, name);
        NS_TEST_EXPECT_MSG_EQ(last.isBottleneck, true, name);
        NS_TEST_EXPECT_MSG_EQ(network.links[0].ways[0].queue.has_value(), false, name);
        NS_TEST_EXPECT_MSG_EQ(network.links[0].ways[0].loss, 0, name);
        NS_TEST_EXPECT_MSG_EQ(network.links[0].isBottleneck, false, name);
    }
    TopologyFile network;
    NS_TEST_EXPECT_MSG_EQ(Read(With("bottleneck", ",2ms,5Mbps:100kB/none"), network), "", "both");
    NS_TEST_ASSERT_MSG_EQ(network.links.size(), 2, "both");
    NS_TEST_EXPECT_MSG_EQ(network.links[0].jitter, Time(0), "none");
    NS_TEST_EXPECT_MSG_EQ(network.links[0].ways[0].policer.rate, DataRate(0), "none");
    NS_TEST_EXPECT_MSG_EQ(network.links[1].isBottleneck, false, "no mark");
    NS_TEST_EXPECT_MSG_EQ(network.links[1].jitter, MilliSeconds(2), "jitter");
    NS_TEST_EXPECT_MSG_EQ(network.links[1].ways[0].policer.rate, DataRate("5Mbps"), "rate");
    NS_TEST_EXPECT_MSG_EQ(network.links[1].ways[0].policer.burst, 100'000, "burst");
    NS_TEST_EXPECT_MSG_EQ(network.links[1].ways[1].policer.rate, DataRate(0), "none back");
    const std::string odd = "Washington, \"\"DC\"\"";
    auto text = With("node,a,", "node,\"" + odd + "\",");
    text.replace(text.find("link,a"), 6, "link,\"" + odd + "\"");
    NS_TEST_ASSERT_MSG_EQ(Read(text, network), "", "commas and quotes in a name");
    NS_TEST_EXPECT_MSG_EQ(network.nodes[0].name, "Washington, \"DC\"", "its name");
    NS_TEST_EXPECT_MSG_EQ(Read(With("node,r\n",
                                    "node,K\xc3\xb6ln\nnode,r\nlink,r,K\xc3\xb6ln,"
                                    "1Mbps,0s\n"),
                               network),
                          "",
                          "UTF-8");
}

/** @brief Each mistake has its line. */
LFN_CASE(BadCase)
{
    const std::string rate = "100Mbps,5ms\n";
    const std::vector<std::pair<std::string, std::string>> texts{
        {"", "n.csv: it names no node: write lines such as"},
        {"# nothing\n", "n.csv: it names no node"},
        {"kind,a,b\n", "n.csv: it names no node"},
        {With("node,r", "knot,r"), "n.csv, line 3: knot is no kind of line: begin it with"},
        {With("node,r", "kind,r"), "n.csv, line 3: kind is no kind of line"},
        {With("node,r", "node"), "n.csv, line 3: a node without a name"},
        {With("node,r", "node,,"), "n.csv, line 3: a node without a name"},
        {With("node,r", "node,r,router"), "line 3: there is no role router: write sender, "},
        {With("node,r", "node,r,both,1,2"), "line 3: too many fields of node r"},
        {With("node,r", "node,r,,one"), "line 3: the rank one is no number: give one from 0 to"},
        {With("node,r", "node,r,,10000"), "line 3: the rank 10000 is no number"},
        {With("node,r\nlink,a,r,100Mbps,5ms", "node,r,,1\nlink,a,r,100Mbps,0s"),
         "line 4: a link between nodes of two ranks needs a delay above 0, and no jitter"},
        {With("node,r", "node,r,,1") + "node,q,,1\nlink,a,q,1Mbps,5ms,,,,2ms\n",
         "line 7: a link between nodes of two ranks needs a delay above 0, and no jitter"},
        {With("node,r", "node,r,,-1"), "line 3: the rank -1 is no number"},
        {With("node,r", "node,b"), "line 3: node b is in line 2 as well: give each node"},
        {With("node,r", "node," + std::string(300, 'x')), "is too long: give 200 bytes"},
        {With("link,a,r", "link,a,quito"),
         "line 4: there is no node quito: add the line node,quito"},
        {With("node,r", "node,router"), "line 4: there is no node r"},
        {With("link,a,r", "link,A,r"), "line 4: there is no node A, did you mean a?"},
        {With("link,a,r", "link,a,a"), "line 4: a link from a to itself: name two nodes"},
        {GOOD + "link,b,r," + rate, "line 6: line 5 is a link between b and r as well: keep"},
        {With(rate, "100,5ms\n"), "line 4: rate 100: the unit is missing, give a rate above 0"},
        {With(rate, "0bps,5ms\n"), "line 4: rate 0bps: give a rate above 0 with its unit"},
        {With(rate, "-1Mbps,5ms\n"), "line 4: rate -1Mbps: give a rate above 0"},
        {With(rate, "1e8bps,5ms\n"), "line 4: rate 1e8bps: give a rate above 0"},
        {With(rate, "fast,5ms\n"), "line 4: rate fast: give a rate above 0"},
        {With(rate, ",5ms\n"), "line 4: the rate is missing: write link,<a>,<b>,<rate>,"},
        {With(rate, "100Mbps\n"), "line 4: the delay is missing: write link"},
        {With(rate, "100Mbps,5\n"), "line 4: delay 5: the unit is missing, give a time"},
        {With(rate, "100Mbps,-5ms\n"), "line 4: delay -5ms: give a time from 0"},
        {With(rate, "100Mbps,25h\n"), "line 4: delay 25h: give a time from 0 to 1 d"},
        {With("64kB", "0p"), "line 5: queue 0p: give packets or bytes above 0"},
        {With("64kB", "64"), "line 5: queue 64: the unit is missing"},
        {With("0.01", "1.01"), "line 5: loss 1.01: give a probability from 0 to 1"},
        {With("0.01", "-0.1"), "line 5: loss -0.1: give a probability"},
        {With("0.01", "1%"), "line 5: loss 1%: give a probability"},
        {With("0.01", "nan"), "line 5: loss nan: give a probability"},
        {With("0.01", "0/2"), "line 5: loss 0/2: give a probability"},
        {With("0.01", "0/"), "line 5: loss 0/: give a probability"},
        {With("10Mbps", "10Mbps/1Mbps/1Mbps"), "line 5: rate 10Mbps/1Mbps/1Mbps: give a rate"},
        {With("10Mbps", "/1Mbps"), "line 5: rate /1Mbps: give a rate"},
        {With("10Mbps", "10Mbps/1"), "line 5: rate 10Mbps/1: the unit is missing"},
        {With("1.5ms", "1.5ms/2ms"), "line 5: delay 1.5ms/2ms: give a time"},
        {With("bottleneck", "slow"), "line 5: the field behind the loss is bottleneck or"},
        {With("bottleneck", "bottleneck,1"), "line 5: jitter 1: the unit is missing"},
        {With("bottleneck", "bottleneck,-1ms"), "line 5: jitter -1ms: give a time from 0"},
        {With("bottleneck", ",25h"), "line 5: jitter 25h: give a time from 0 to 1 d"},
        {With("bottleneck", ",1ms/2ms"), "line 5: jitter 1ms/2ms: give a time"},
        {With("bottleneck", ",,5Mbps"), "line 5: policer 5Mbps: give a rate and a burst in bytes"},
        {With("bottleneck", ",,5:1kB"), "line 5: policer 5:1kB: give a rate and a burst"},
        {With("bottleneck", ",,0bps:1kB"), "line 5: policer 0bps:1kB: give a rate and a burst"},
        {With("bottleneck", ",,5Mbps:0B"), "line 5: policer 5Mbps:0B: give a rate and a burst"},
        {With("bottleneck", ",,5Mbps:3GB"), "line 5: policer 5Mbps:3GB: give a rate and a burst"},
        {With("bottleneck", ",,5Mbps:"), "line 5: policer 5Mbps:: give a rate and a burst"},
        {With("bottleneck", ",,none/any"),
         "line 5: policer none/any: give a rate and a burst in "
         "bytes, or none, such as 5Mbps:100kB"},
        {With("bottleneck", ",,none,1"), "line 5: too many fields of a link"},
        {With("link,a,r", "link,a"), "line 4: there is no node 100Mbps"},
        {With("link,a,r,", "link,a\n#"), "line 4: a link without two nodes"},
        {With("a,sender", "a"), "n.csv: no node is a sender: give one the role"},
        {With("b,receiver", "b"), "n.csv: no node is a receiver: give one the role"},
        {With("a,sender\nnode,b,receiver", "a,both\nnode,b"), "node a would send to itself"},
        {With("link,a,r," + rate, ""),
         "n.csv: 2 parts that no link connects: 1 nodes (a) and 2 nodes (b, r): add a link"},
        {GOOD + "node,p\nnode,q\nnode,s\nnode,t\nlink,p,q,1Mbps,0s\nlink,s,t,1Mbps,0s\n",
         "n.csv: 3 parts that no link connects: 3 nodes (a, b, r) and 2 nodes (p, q)"},
        {With("node,r", "node,\"r"), "line 3: a quote is not closed"},
        {With("node,r", "node,\"r\"x,"), "line 3: a quote is not closed"},
        {With("node,r", std::string("node,r\0", 7)), "line 3: a control character: save"},
        {"\xff\xfen", "n.csv, line 1: \\xff\\xfen is no kind of line"},
    };
    for (const auto& [text, part] : texts)
    {
        TopologyFile network;
        const auto error = Read(text, network);
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, part << ": " << error);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
        NS_TEST_EXPECT_MSG_EQ(network.nodes.size(), 0, "nothing is set");
    }
}

/** @brief There and back may differ. */
LFN_CASE(BothWaysCase)
{
    TopologyFile network;
    NS_TEST_ASSERT_MSG_EQ(
        Read(With("10Mbps,1.5ms,64kB,0.01", "10Mbps/1Mbps,1.5ms,9p/64kB,0/0.02"), network),
        "",
        "two of each");
    const auto& [there, back] = network.links[1].ways;
    NS_TEST_EXPECT_MSG_EQ(there.rate, DataRate("10Mbps"), "there");
    NS_TEST_EXPECT_MSG_EQ(back.rate, DataRate("1Mbps"), "back");
    NS_TEST_EXPECT_MSG_EQ((there.queue == QueueSize("9p")), true, "there");
    NS_TEST_EXPECT_MSG_EQ((back.queue == QueueSize("64kB")), true, "back");
    NS_TEST_EXPECT_MSG_EQ(there.loss, 0, "there");
    NS_TEST_EXPECT_MSG_EQ(back.loss, 0.02, "back");
    const auto& alike = network.links[0].ways;
    NS_TEST_EXPECT_MSG_EQ(alike[0].rate, alike[1].rate, "one of each is both");
}

/** @brief Who talks to whom. */
LFN_CASE(PairsCase)
{
    const std::vector<std::pair<std::vector<std::string>, std::vector<uint32_t>>> cases{
        {{"sender", "receiver", "receiver"}, {1, 2}},
        {{"receiver", "sender", "receiver"}, {0, 2}},
        {{"both", "both", "both"}, {1, 2, 0}},
        {{"both", "receiver", ""}, {1, 0}},
        {{"sender", "both", "receiver"}, {1, 2}},
        {{"both", "both", "receiver"}, {2, 0, 1}},
    };
    for (const auto& [roles, receivers] : cases)
    {
        TopologyFile network;
        NS_TEST_EXPECT_MSG_EQ(Read("node,0," + roles[0] + "\nnode,1," + roles[1] + "\nnode,2," +
                                       roles[2] + "\nlink,0,1,1Mbps,1ms\nlink,1,2,1Mbps,1ms\n",
                                   network),
                              "",
                              "good");
        NS_TEST_EXPECT_MSG_EQ((network.receivers == receivers),
                              true,
                              roles[0] << "," << roles[1] << "," << roles[2]);
        NS_TEST_EXPECT_MSG_NE(network.GetSender(0), network.GetReceiver(0), "two nodes");
    }
}

/** @brief Mutated texts are read or refused, in one line. */
LFN_CASE(FuzzCase)
{
    std::mt19937 random(7); // fixed: equal everywhere
    const std::string alphabet = "nodelikabr,\"#\r\n 019.-pMG\t\x80";
    uint32_t good = 0;
    for (uint32_t run = 0; run < 20000; ++run)
    {
        auto text = GOOD;
        for (uint32_t change = random() % 4; change < 4; ++change)
        {
            const auto at = random() % text.size();
            const auto with = alphabet[random() % alphabet.size()];
            switch (random() % 3)
            {
            case 0:
                text[at] = with;
                break;
            case 1:
                text.insert(at, 1, with);
                break;
            default:
                text.erase(at, 1 + random() % 5);
            }
        }
        TopologyFile network;
        const auto error = Read(text, network);
        const bool isGood = error.empty() && FindParts(network).size() == 1 &&
                            network.GetSender(0) != network.GetReceiver(0);
        good += isGood ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ((isGood || error.starts_with("n.csv")), true, text);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
    }
    NS_TEST_EXPECT_MSG_GT(good, 100, "some are good");
}

/** @brief Make a random network, connected or not. */
TopologyFile
MakeNetwork(std::mt19937& random)
{
    const uint32_t count = 2 + random() % 14;
    TopologyFile network;
    for (uint32_t i = 0; i < count; ++i)
    {
        network.nodes.push_back({std::to_string(i), true, true, 0, 0});
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = 0; k < i; ++k)
        {
            if (random() % count < 2)
            {
                TopologyFile::Link link{};
                link.from = i;
                link.to = k;
                link.delay = MilliSeconds(random() % 4);
                network.links.push_back(link);
            }
        }
    }
    return network;
}

/** @brief Shortest ways between all nodes, against Floyd's and Warshall's. */
LFN_CASE_OF(RoutesCase, TopologyFile network, TopologyRoutes::Metric metric)
{
    // What counts first in the upper digits: a way has fewer than 1000 links and milliseconds.
    constexpr int64_t FIRST = 1000;
    constexpr int64_t NO_WAY = std::numeric_limits<int64_t>::max() / 4;
    const bool isHops = metric == TopologyRoutes::Metric::HOPS;
    const auto count = network.nodes.size();
    const auto length = [isHops](const TopologyFile::Link& link) {
        const auto delay = link.delay.GetMilliSeconds();
        return isHops ? FIRST + delay : FIRST * delay + 1;
    };
    std::vector<std::vector<int64_t>> least(count, std::vector<int64_t>(count, NO_WAY));
    for (std::size_t i = 0; i < count; ++i)
    {
        least[i][i] = 0;
    }
    for (const auto& link : network.links)
    {
        least[link.from][link.to] = least[link.to][link.from] = length(link);
    }
    for (std::size_t via = 0; via < count; ++via)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            for (std::size_t k = 0; k < count; ++k)
            {
                least[i][k] = std::min(least[i][k], least[i][via] + least[via][k]);
            }
        }
    }
    const TopologyRoutes routes(network, metric);
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = 0; k < count; ++k)
        {
            int64_t sum = 0;
            uint32_t at = i;
            for (const auto& step : routes.Follow(routes.FindWays(k), i))
            {
                NS_TEST_EXPECT_MSG_EQ(step.from, at, "the way hangs together");
                sum += length(network.links[step.link]);
                at = step.to;
            }
            const bool isThere = least[i][k] < NO_WAY;
            NS_TEST_EXPECT_MSG_EQ((at == k), isThere, "a way from " << i << " to " << k);
            NS_TEST_EXPECT_MSG_EQ(sum, (isThere ? least[i][k] : 0), i << " to " << k);
        }
    }
    // Nodes are in one part when there is a way between them.
    for (const auto& part : FindParts(network))
    {
        for (std::size_t k = 0; k < count; ++k)
        {
            const bool isIn = std::ranges::find(part, k) != part.end();
            NS_TEST_EXPECT_MSG_EQ(isIn, (least[part[0]][k] < NO_WAY), "part of " << part[0]);
        }
    }
}

const Suite g_suite("lfn-topology-file", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new GoodCase("one network in many spellings"));
    suite.Add(new BadCase("mistakes: file, line, what is wrong and what to do"));
    suite.Add(new BothWaysCase("a file whose links differ there and back"));
    suite.Add(new PairsCase("pairs: nobody is its own one where that can be"));
    suite.Add(new FuzzCase("20000 damaged texts: read, or refused in one line"));
    std::mt19937 random(11);
    for (uint32_t run = 0; run < 200; ++run)
    {
        const auto network = MakeNetwork(random);
        for (const auto metric : {TopologyRoutes::Metric::HOPS, TopologyRoutes::Metric::DELAY})
        {
            suite.Add(new RoutesCase("shortest ways, against all-pairs sums", network, metric));
        }
    }
});

} // namespace
