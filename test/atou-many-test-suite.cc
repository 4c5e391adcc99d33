// SPDX-License-Identifier: GPL-2.0-only

#include "atou-test-network.h"
#include "lfn-test-case.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Streams from one host to the other, each with its own port at either end. */
class Streams : public AtouTestNetwork
{
  public:
    std::vector<AtouHelper::Transfer> all; //!< the streams
    std::vector<std::string> acks;         //!< of each: when ACKs went and what they reported

    using AtouTestNetwork::AtouTestNetwork;

    /// Add a stream; the servers of all take their numbers of chance apart from each other.
    void Add(const std::string& words)
    {
        const auto index = static_cast<uint16_t>(all.size());
        helper.ReadOptions(words);
        all.push_back(helper.Install(nodes.Get(0), nodes.Get(1), addresses[1], index));
        all.back().sink->AssignStreams(100 + index);
        acks.emplace_back();
        ConnectTrace(all.back().sink, "AckSent", [this, index](const AtouReceiverCore::Ack& ack) {
            acks[index] += std::to_string(Simulator::Now().GetNanoSeconds()) + ":" +
                           std::to_string(ack.next) + " ";
        });
    }

    /// User rates that came, Mb/s, over a time.
    std::vector<double> GetRates(double seconds) const
    {
        std::vector<double> rates;
        for (const auto& one : all)
        {
            const auto bytes = one.sink->GetReport().deliveredBytes;
            rates.push_back(8e-6 * static_cast<double>(bytes) / seconds);
        }
        return rates;
    }

    /// What is wrong with any of them.
    std::string VerifyAll() const
    {
        std::string wrong;
        for (const auto& one : all)
        {
            wrong += Verify(one.source, one.sink);
        }
        return wrong;
    }
};

/// The sum of numbers.
double
Sum(const std::vector<double>& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

/// Jain's index: 1 when all are equal.
double
Fairness(const std::vector<double>& rates)
{
    const double squares = std::inner_product(rates.begin(), rates.end(), rates.begin(), 0.0);
    return Sum(rates) * Sum(rates) / (static_cast<double>(rates.size()) * squares);
}

LFN_CASE(AtouShareTestCase)
{
    // 20 Mb/s and 40 ms hold 67 segments; four windows of 30 fill it without loss.
    const TestLink link{"20Mbps", MilliSeconds(20)};
    const double most = 20 * 1460.0 / 1502;
    for (const uint32_t count : {1U, 4U})
    {
        Streams streams(link);
        for (uint32_t i = 0; i < count; ++i)
        {
            streams.Add("rcvrwin 30; maxtime 5");
        }
        Streams::Run(Seconds(5));
        const auto rates = streams.GetRates(5);
        const double bound = std::min(most, count * 30 * 1460 * 8e-6 / 0.0406);
        NS_TEST_EXPECT_MSG_EQ_TOL(Sum(rates), bound, 0.03 * bound, count << " streams");
        NS_TEST_EXPECT_MSG_GT(Fairness(rates), 0.999, count << " streams");
    }

    // Bound by their windows: what one loses costs the others nothing.
    std::vector<double> whole;
    std::vector<double> hurt;
    for (const bool hasLoss : {false, true})
    {
        Streams streams({"1Gbps", MilliSeconds(20)});
        for (uint32_t i = 0; i < 4; ++i)
        {
            streams.Add("rcvrwin 100; maxtime 2");
        }
        if (hasLoss)
        {
            streams.all[0].source->GetOptions()->dropList = {1500};
        }
        Streams::Run(Seconds(2));
        (hasLoss ? hurt : whole) = streams.GetRates(2);
    }
    NS_TEST_EXPECT_MSG_LT(hurt[0], 0.9 * whole[0], "half a window, and one more per RTT");
    for (std::size_t i = 1; i < whole.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(hurt[i], whole[i], 0.001 * whole[i], "another one");
    }
}

/** @brief Windows that overrun a queue of 40: they lose, and share in the long run. */
LFN_CASE(AtouContendTestCase)
{
    const double most = 20 * 1460.0 / 1502;
    Streams lossy({"20Mbps", MilliSeconds(20), false, 1500, 40});
    for (uint32_t i = 0; i < 4; ++i)
    {
        lossy.Add("rcvrwin 1000; maxtime 20; sack 1");
    }
    for (const auto& one : lossy.all)
    {
        one.sink->SetAttribute("Sack", BooleanValue(true));
    }
    Streams::Run(Seconds(20));
    const auto shares = lossy.GetRates(20);
    NS_TEST_EXPECT_MSG_GT(Sum(shares), 0.85 * most, "they fill it nearly");
    NS_TEST_EXPECT_MSG_GT(Fairness(shares), 0.85, "and share it");
    uint64_t cuts = 0;
    for (const auto& one : lossy.all)
    {
        cuts += one.source->GetCore().GetStatistics().dup3s;
    }
    NS_TEST_EXPECT_MSG_GT(cuts, 8, "by losses");
}

LFN_CASE(AtouApartTestCase)
{
    std::vector<std::vector<std::string>> acks;
    for (const bool hasLoss : {false, true})
    {
        Streams streams({"1Gbps", MilliSeconds(20)});
        streams.helper.SetSinkAttribute("AckDelay", TimeValue(MilliSeconds(100)));
        for (uint32_t i = 0; i < 5; ++i)
        {
            streams.Add("rcvrwin 20; maxpkts 800; maxtime 0");
        }
        if (hasLoss)
        {
            streams.all[2].source->GetOptions()->dropList = {100, 101, 105, 300};
        }
        std::vector<uint64_t> sent(streams.all.size());
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            ConnectTrace(streams.all[i].source, "Tx", [&sent, i](Ptr<const Packet>) { ++sent[i]; });
        }
        Streams::Run();
        NS_TEST_EXPECT_MSG_EQ(streams.VerifyAll(), "", "every byte of each");
        std::set<uint16_t> ports;
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            const auto& [client, server] = streams.all[i];
            ports.insert(client->GetLocalPort());
            NS_TEST_EXPECT_MSG_EQ(sent[i], client->GetReport().dataPackets, "its own packets");
            NS_TEST_EXPECT_MSG_EQ(server->GetReport().dataPackets,
                                  client->GetReport().dataPackets,
                                  "all came, to it");
            NS_TEST_EXPECT_MSG_EQ((client->GetReport().retransmittedPackets > 0),
                                  (hasLoss && i == 2),
                                  "its own losses");
            NS_TEST_EXPECT_MSG_EQ(client->GetDrops(DropReason::UNKNOWN_PEER),
                                  0,
                                  "no unauthenticated hosts");
            NS_TEST_EXPECT_MSG_EQ(server->GetDrops(DropReason::UNKNOWN_PEER),
                                  0,
                                  "no unauthenticated hosts");
        }
        NS_TEST_EXPECT_MSG_EQ(ports.size(), sent.size(), "a port each");
        acks.push_back(streams.acks);
    }
    NS_TEST_EXPECT_MSG_EQ((acks[0][2] != acks[1][2]), true, "it has lost");
    const std::set<std::string> different(acks[0].begin(), acks[0].end());
    NS_TEST_EXPECT_MSG_EQ(different.size(), 5, "each heartbeat has a phase of its own");
    const auto whole = [](const std::string& words) {
        return words.substr(0, words.find(':')); // of the first ACK: the heartbeat's phase
    };
    for (const std::size_t i : {0U, 1U, 3U, 4U})
    {
        NS_TEST_EXPECT_MSG_EQ(whole(acks[0][i]), whole(acks[1][i]), "its phase is not shifted");
    }
    NS_TEST_EXPECT_MSG_EQ(whole(acks[0][2]), whole(acks[1][2]), "nor that of the one that lost");

    // A server serves whom it received first, as a run of the original did.
    Streams streams({"100Mbps", MilliSeconds(5)});
    streams.Add("rcvrwin 20; maxpkts 200; maxtime 0; maxidle 2; tick 0.1");
    const auto late = streams.helper.AddSource(streams.nodes.Get(0), streams.addresses[1]);
    late->SetStartTime(MilliSeconds(1));
    Streams::Run();
    NS_TEST_EXPECT_MSG_EQ(streams.VerifyAll(), "", "the first one");
    NS_TEST_EXPECT_MSG_EQ(late->GetReport().completed, false, "the second one has no server");
    NS_TEST_EXPECT_MSG_EQ(late->GetReport().deliveredBytes, 0, "nothing of it");
    NS_TEST_EXPECT_MSG_GT(streams.all[0].sink->GetDrops(DropReason::UNKNOWN_PEER), 0, "received");
}

/// cwnd of a stream over time, which takes changes at 2 s.
std::vector<std::pair<Time, double>>
RunOnce(const std::string& change)
{
    Streams streams({"1Gbps", MilliSeconds(10)});
    streams.Add("initsegs 20; thresh_init 0.01; rcvrwin 2000; maxtime 3");
    streams.Add("initsegs 20; thresh_init 0.01; rcvrwin 2000; maxtime 3");
    std::vector<std::pair<Time, double>> windows;
    ConnectTrace(streams.all[1].source, "CongestionWindow", [&windows](double, double now) {
        windows.emplace_back(Simulator::Now(), now);
    });
    Simulator::Schedule(Seconds(2),
                        [&streams, &change]() { streams.all[1].source->ChangeOptions(change); });
    Streams::Run(Seconds(3));
    return windows;
}

/// The window at a time.
double
WindowAt(const std::vector<std::pair<Time, double>>& windows, double seconds)
{
    double window = 0;
    for (const auto& [time, now] : windows)
    {
        window = time <= Seconds(seconds) ? now : window;
    }
    return window;
}

LFN_CASE(AtouTuneTestCase)
{
    const auto plain = RunOnce("");
    const auto tuned = RunOnce("increment 10; multiplier 0.9");
    const auto before = [](auto windows) {
        std::erase_if(windows, [](const auto& one) { return one.first > Seconds(2); });
        return windows;
    };
    NS_TEST_EXPECT_MSG_EQ((before(plain) == before(tuned)), true, "nothing before");
    NS_TEST_EXPECT_MSG_GT(before(plain).size(), 5000, "a window per ACK");
    // A RTT is 20.01 ms: 50 of them a second.
    const auto slope = [](const auto& windows, double from, double to) {
        return (WindowAt(windows, to) - WindowAt(windows, from)) / (to - from);
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(slope(tuned, 1, 1.9), 49.9, 1, "1 per RTT");
    NS_TEST_EXPECT_MSG_EQ_TOL(slope(tuned, 2.1, 2.9), 499, 12, "10 per RTT");
    NS_TEST_EXPECT_MSG_EQ_TOL(slope(plain, 2.1, 2.9), 49.9, 1, "had it not been tuned");
    const double at = WindowAt(plain, 2);
    NS_TEST_EXPECT_MSG_EQ_TOL(WindowAt(tuned, 2.0003) - at,
                              10 / at,
                              40 / at,
                              "from the next ACK on");
}

LFN_CASE(AtouRefuseTestCase)
{
    Streams streams({"100Mbps", MilliSeconds(10)});
    streams.Add("maxpkts 100; maxtime 0");
    const auto client = streams.all[0].source;
    const auto change = [client](const std::string& text) {
        return client->ChangeOptions(text).value_or("");
    };
    NS_TEST_EXPECT_MSG_EQ(change("mss 1000; rcvrwin 30"), "", "before the start: anything");
    Simulator::Schedule(MilliSeconds(1), [&]() {
        NS_TEST_EXPECT_MSG_EQ(change("mss 1400"),
                              "mss: a running transfer keeps it, set it before the start",
                              "one line");
        NS_TEST_EXPECT_MSG_EQ(change("ssincr 2; sack 1"),
                              "sack: a running transfer keeps it, set it before the start",
                              "all or nothing");
        NS_TEST_EXPECT_MSG_EQ(change("ssincrr 2").starts_with("ssincrr: "), true, "no keyword");
        NS_TEST_EXPECT_MSG_EQ(change("ssincr 3"), "", "well");
        NS_TEST_EXPECT_MSG_EQ(change("increment 4; mss 1000"), "", "mss is that already");
        NS_TEST_EXPECT_MSG_EQ(client->GetOptions()->ssIncr, 1, "not before an ACK");
    });
    Simulator::Schedule(MilliSeconds(25), [&]() {
        NS_TEST_EXPECT_MSG_EQ(client->GetOptions()->ssIncr, 3, "after one");
        NS_TEST_EXPECT_MSG_EQ(client->GetOptions()->increment, 4, "both changes");
    });
    Streams::Run();
    NS_TEST_EXPECT_MSG_EQ(streams.VerifyAll(), "", "it has gone on");
    NS_TEST_EXPECT_MSG_EQ(client->GetSegmentBytes(), 988, "with the mss of its start");
}

/// atou streams side by side: shares and their sum, ports, streams of chance, one that tunes
/// itself.
const Suite g_suite("lfn-atou-many", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new AtouShareTestCase("equal streams fill a link and share it; one stream's loss"));
    suite.Add(new AtouContendTestCase("equal streams that overrun a queue share what it lets"));
    suite.Add(new AtouApartTestCase("ports, counters, contents and chance of streams are apart"));
    suite.Add(new AtouTuneTestCase("options that an application changes while it runs"));
    suite.Add(new AtouRefuseTestCase("changes of options that are refused"));
});

} // namespace
