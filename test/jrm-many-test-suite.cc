// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "jrm-test-probe.h"
#include "lfn-test-case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/**
 * @brief R receivers lose a packet with probability e each: it is sent until the last one has it.
 *
 * The number of sends is the maximum of R geometric variables, sum_j 1 - (1 - e^j)^R on average,
 * when no repair is redundant. That takes aggregation, and timers that keep requests and the
 * repairs on their way apart: here everything happens at multiples of 20 ms, repairs half-way
 * between.
 */
LFN_CASE_OF(JrmRepairLawTestCase, uint32_t receivers, double loss, uint32_t messages)
{
    JrmTestNetwork network(1 + receivers);
    network.settings.insert({{"Adaptive", "false"},
                             {"NackTimeout", "60ms"},
                             {"NackBackoff", "1"},
                             {"MaxNackAttempts", "1000"},
                             {"Aggregation", "10ms"},
                             {"Heartbeat", "40ms"}});
    network.settings["SendTimeout"] = "20s";
    network.AddPeers();
    std::mt19937 random(receivers);
    std::map<uint32_t, uint32_t> sends;
    network.judge = [&](const JrmTestSight& sight) {
        const bool isData = sight.Is(JrmType::MSG) || sight.Is(JrmType::NACK_RESP);
        if (isData && !sight.down)
        {
            ++sends[sight.header.id.message];
        }
        // The first message opens the streams (J-C5).
        const bool isFirst = sight.header.id == network.sent.begin()->first;
        const bool isBad = std::uniform_real_distribution<>()(random) < loss;
        return isData && sight.down && isBad && !isFirst ? Fate::LOSE : Fate::PASS;
    };
    // 40 ms is a multiple of what the timers need, see above.
    network.SendMany(0, messages + 1, 100, MilliSeconds(1), MilliSeconds(40));
    const auto end = MilliSeconds(40) * static_cast<int64_t>(messages) + Seconds(30);
    const auto left = network.Run(end);
    NS_TEST_EXPECT_MSG_EQ(left, "", "R = " << receivers);
    const JrmRounds rounds(receivers, loss);
    const double error = std::sqrt(rounds.variance / messages);
    double all = 0;
    for (const auto& [message, count] : sends)
    {
        all += count;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL((all - 1) / messages, 1 + rounds.mean, 3.5 * error, "sends a packet");
    for (uint32_t receiver = 1; receiver <= receivers; ++receiver)
    {
        const auto& peer = *network.peers[receiver];
        NS_TEST_EXPECT_MSG_EQ(network.Count(receiver, 0), messages + 1, "all are delivered");
        // Each receiver asks for what it lacks until it has it, e / (1 - e) times a packet, or
        // less often: others' requests help it.
        const double most = loss / (1 - loss);
        const double sd = std::sqrt(loss) / (1 - loss);
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(peer.GetSent().nackRequests) / messages,
                              most + 3.5 * sd / std::sqrt(messages),
                              "requests");
    }
}

constexpr uint32_t LOST = 150;  //!< messages that all receivers lack
constexpr double DELAY = 0.005; //!< of a link, s

/**
 * @brief All receivers lack the same message: how many of them ask for it.
 *
 * Without suppression all R do. With it each draws a wait from the distribution of RFC 5740; a
 * request leaves unless an earlier one has been received, that is, when no other wait is shorter by
 * more than the delay d between receivers: R times the integral of f(x) (1 - F(x - d))^(R - 1).
 * The spread comes from an independent experiment with the same law.
 * @return the mean by the law, then mean and variance of the experiment
 */
std::array<double, 3>
GetRequests(uint32_t receivers, double longest)
{
    // The waits are drawn for R receivers: F(x) = (e^(lambda x / T) - 1) / (e^lambda - 1).
    const double lambda = std::log(receivers) + 1;
    const auto below = [&](double x) {
        return x < 0 ? 0.0 : (std::exp(lambda * x / longest) - 1) / (std::exp(lambda) - 1);
    };
    // A request crosses two links; 54 B take 4.3 us at 100 Mb/s on each.
    const double delay = 2 * (DELAY + 54 * 8 / 100e6);
    constexpr int STEPS = 20'000;
    double mean = 0;
    for (int i = 0; i < STEPS; ++i)
    {
        const double x = longest * (i + 0.5) / STEPS;
        const double density = below(x + longest / STEPS / 2) - below(x - longest / STEPS / 2);
        mean += receivers * density * std::pow(1 - below(x - delay), receivers - 1);
    }
    std::mt19937 random(receivers);
    double sum = 0;
    double square = 0;
    constexpr int TRIALS = 20'000;
    for (int i = 0; i < TRIALS; ++i)
    {
        std::vector<double> waits(receivers);
        for (auto& wait : waits)
        {
            const double u = std::uniform_real_distribution<>()(random);
            wait = longest / lambda * std::log(1 + u * (std::exp(lambda) - 1));
        }
        const double first = *std::min_element(waits.begin(), waits.end());
        const auto isSent = [&](double wait) { return wait < first + delay; };
        const auto count = static_cast<double>(std::count_if(waits.begin(), waits.end(), isSent));
        sum += count;
        square += count * count;
    }
    return {mean, sum / TRIALS, square / TRIALS - sum * sum / TRIALS / TRIALS};
}

LFN_CASE(JrmSuppressionTestCase)
{
    // Lose every other message before the hub; get the requests sent.
    const auto run = [&](uint32_t receivers, Time longest) {
        JrmTestNetwork network(1 + receivers, 1, Seconds(DELAY));
        network.settings.insert({{"Adaptive", "false"},
                                 {"NackTimeout", "1s"},
                                 {"MaxBackoff", std::to_string(longest.GetSeconds()) + "s"},
                                 {"GroupSize", std::to_string(receivers)},
                                 {"Aggregation", "30ms"}});
        network.AddPeers();
        network.judge = [&](const JrmTestSight& sight) {
            const auto place = sight.header.id.message - network.sent.begin()->first.message;
            const bool isBad = sight.Is(JrmType::MSG) && !sight.down && place % 2 == 1;
            return isBad ? Fate::LOSE : Fate::PASS;
        };
        network.SendMany(0, 2 * LOST + 1, 100, MilliSeconds(1), MilliSeconds(200));
        const auto left = network.Run(Seconds(80));
        NS_TEST_EXPECT_MSG_EQ(left, "", "R = " << receivers);
        uint64_t requests = 0;
        for (uint32_t receiver = 1; receiver <= receivers; ++receiver)
        {
            const auto& peer = *network.peers[receiver];
            const auto& counters = peer.GetReceiver().GetCounters();
            requests += peer.GetSent().nackRequests;
            NS_TEST_EXPECT_MSG_EQ(network.Count(receiver, 0), 2 * LOST + 1, "all are delivered");
            NS_TEST_EXPECT_MSG_EQ(counters.suppressed + counters.nacks, LOST, "one way or other");
        }
        NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetSent().nackResponses,
                              LOST,
                              "each repaired once");
        return requests;
    };
    for (const uint32_t receivers : {1, 2, 5, 12})
    {
        NS_TEST_EXPECT_MSG_EQ(run(receivers, Time(0)), LOST * receivers, "no suppression");
        for (const double longest : {0.05, 0.2})
        {
            const auto [mean, found, variance] = GetRequests(receivers, longest);
            NS_TEST_EXPECT_MSG_EQ_TOL(found, mean, 0.05, "the integral is right");
            const auto count = run(receivers, Seconds(longest));
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(count) / LOST,
                                      mean,
                                      3.5 * std::sqrt(variance / LOST) + 1e-9,
                                      receivers << " receivers, up to " << longest << " s");
        }
    }
}

LFN_CASE_OF(JrmManyToManyTestCase, JrmSettings settings)
{
    constexpr uint32_t SIZE = 20;
    constexpr uint32_t MESSAGES = 20;
    JrmTestNetwork network(SIZE);
    network.settings.insert({{"Heartbeat", "50ms"}, {"ErrorRate", "0.05"}});
    network.settings.insert(settings.begin(), settings.end());
    network.AddPeers();
    std::mt19937 random(3);
    network.judge = [&](const JrmTestSight&) {
        return random() % 20 == 0 ? Fate::LOSE : Fate::PASS;
    };
    for (uint32_t peer = 0; peer < SIZE; ++peer)
    {
        network.SendMany(peer,
                         MESSAGES,
                         2 * PACKET + peer,
                         MilliSeconds(1) + MicroSeconds(1600 * peer));
    }
    const auto left = network.Run(Seconds(30));
    NS_TEST_EXPECT_MSG_EQ(left, "", "content");
    NS_TEST_EXPECT_MSG_EQ(network.sent.size(), SIZE * MESSAGES, "sent");
    std::size_t missing = 0;
    for (uint32_t peer = 0; peer < SIZE; ++peer)
    {
        missing += network.CountMissing(peer, peer);
        NS_TEST_EXPECT_MSG_EQ(network.peers[peer]->GetReceiver().GetCounters().lost, 0, "lost");
    }
    // Only a first message that does not arrive at all is never missed: 0.15^3 of them.
    NS_TEST_EXPECT_MSG_LT(missing, 380 * 0.0034 + 3.5 * std::sqrt(380 * 0.0034), "missing");
}

LFN_CASE(JrmGroupsTestCase)
{
    const std::vector<std::set<uint32_t>> members{{0}, {0, 1}, {1, 2}, {0, 1, 2}, {2}, {1}};
    constexpr uint32_t MESSAGES = 30;
    JrmTestNetwork network(6, 3);
    network.settings.insert({"Heartbeat", "40ms"});
    for (uint32_t host = 0; host < members.size(); ++host)
    {
        network.AddPeer(host, Time(0), members[host]);
    }
    std::mt19937 random(8);
    std::set<std::pair<uint32_t, JrmMessageId>> seen;
    network.judge = [&](const JrmTestSight& sight) {
        auto stream = sight.header.id;
        stream.message = 0;
        const bool isFirst = seen.insert({sight.host, stream}).second;
        return !isFirst && sight.down && random() % 8 == 0 ? Fate::LOSE : Fate::PASS;
    };
    std::map<uint32_t, uint32_t> expected;
    for (uint32_t host = 0; host < members.size(); ++host)
    {
        for (const auto group : members[host])
        {
            network.SendMany(host,
                             MESSAGES,
                             1500 + 10 * group,
                             MilliSeconds(1 + 3 * host),
                             MilliSeconds(17 + 8 * group),
                             group);
            for (uint32_t other = 0; other < members.size(); ++other)
            {
                expected[other] += other != host && members[other].contains(group) ? MESSAGES : 0;
            }
        }
    }
    const auto left = network.Run(Seconds(9));
    NS_TEST_EXPECT_MSG_EQ(left, "", "content");
    for (uint32_t host = 0; host < members.size(); ++host)
    {
        NS_TEST_EXPECT_MSG_EQ(network.delivered[host].size(), expected[host], "host " << host);
        for (const auto& [id, times] : network.delivered[host])
        {
            const auto group = id.group - network.groups[0].Get();
            NS_TEST_EXPECT_MSG_EQ(members[host].contains(group), true, "a member");
        }
        const auto& peer = *network.peers[host];
        NS_TEST_EXPECT_MSG_EQ((peer.GetDrops(DropReason::UNEXPECTED) > 0),
                              (members[host].size() < 3),
                              "the others' are counted");
    }
}

LFN_CASE(JrmQuietGroupTestCase)
{
    JrmTestNetwork network(2, 2);
    network.settings.insert({"Heartbeat", "100ms"});
    network.AddPeers();
    network.judge = [&](const JrmTestSight& sight) {
        const bool isTail = sight.header.id.group == network.groups[0].Get() &&
                            Simulator::Now() > MilliSeconds(90) && sight.Is(JrmType::MSG);
        return isTail ? Fate::LOSE : Fate::PASS;
    };
    network.SendMany(0, 4, 100, MilliSeconds(1), MilliSeconds(33), 0);
    network.SendMany(0, 200, 100, MilliSeconds(1), MilliSeconds(33), 1);
    std::size_t early = 0;
    Simulator::Schedule(Seconds(1), [&]() { early = network.CountMissing(1, 1); });
    const auto left = network.Run(Seconds(22));
    NS_TEST_EXPECT_MSG_EQ(left, "", "a quiet group");
    NS_TEST_EXPECT_MSG_EQ(early, 0, "long before the busy group ends");
    // A busy group needs none; each ends with seven, up to 64 times 100 ms apart.
    NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetSent().heartbeats, 14, "heartbeats");
}

LFN_CASE_OF(JrmMemoryTestCase, uint32_t messages)
{
    constexpr uint32_t RATE = 1000;
    JrmTestNetwork network(2);
    network.settings["KeepData"] = "false";
    network.settings["SendTimeout"] = "500ms";
    network.settings.insert({{"NackBackoff", "1"}, {"MaxNackAttempts", "100"}});
    network.settings.insert({{"Adaptive", "false"}, {"Heartbeat", "20ms"}, {"ErrorRate", "0.1"}});
    network.AddPeers();
    auto& sender = *network.peers[0];
    auto& receiver = *network.peers[1];
    uint64_t delivered = 0;
    receiver.SetReceive(Callback<void, const JrmReceiverCore::Delivery&>(
        [&](const JrmReceiverCore::Delivery&) { ++delivered; }));
    std::size_t kept = 0;
    std::size_t holders = 0;
    uint32_t rest = messages;
    std::function<void()> send = [&]() {
        sender.SendMessage(network.groups[0], 50);
        kept = std::max(kept, sender.GetSender().GetKept());
        holders = std::max(holders, receiver.GetReceiver().GetHolders());
        if (--rest > 0)
        {
            Simulator::Schedule(Seconds(1) / RATE, send);
        }
    };
    Simulator::Schedule(MilliSeconds(1), send);
    const int64_t sending = messages / RATE; // s
    const auto left = network.Run(Seconds(sending + 40));
    NS_TEST_EXPECT_MSG_EQ(left, "", "nothing is left");
    NS_TEST_EXPECT_MSG_GT(delivered, messages - 10, "delivered");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetReceiver().GetCounters().lost, 0, "lost");
    // Both numbers are Poisson's: losses are independent. A message is kept for 500 ms, and on
    // average for 8 ms more: there are 0.1 / 0.81 requests for it, 50 ms apart, the first after
    // 1 ms. It is incomplete for 2 ms and, if a request or its response is lost, 50 ms more:
    // 0.1 * 2 ms + 0.1 * 0.19 / 0.81 * 50 ms = 1.4 ms on average.
    NS_TEST_EXPECT_MSG_LT(kept, RATE * 0.508 + 7 * std::sqrt(8) + 1, "kept");
    NS_TEST_EXPECT_MSG_LT(holders, 1.4 + 10 * std::sqrt(1.4) + 1, "holders");
}

/// JRM with many participants: laws of repairs and of suppression, many-to-many, several groups.
const Suite g_suite("lfn-jrm-many", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const uint32_t receivers : {1, 2, 5, 10})
    {
        const auto name = "sends a packet, R = " + std::to_string(receivers) + ", e = ";
        suite.Add(new JrmRepairLawTestCase(name + "0.100000", receivers, 0.1, 600));
        suite.Add(new JrmRepairLawTestCase(name + "0.300000", receivers, 0.3, 20'000),
                  TestCase::Duration::EXTENSIVE);
    }
    suite.Add(new JrmSuppressionTestCase(
        "suppression: requests for what all receivers lack, against the exact law"));
    const std::string all = "20 participants all send, losses everywhere, ";
    suite.Add(new JrmManyToManyTestCase(all + "fixed timers", {{"Adaptive", "false"}}));
    suite.Add(new JrmManyToManyTestCase(
        all + "adaptive timers, suppression and aggregation",
        {{"MaxBackoff", "20ms"}, {"GroupSize", "20"}, {"Aggregation", "5ms"}}));
    suite.Add(new JrmGroupsTestCase("several groups: members alone get messages, and all of them"));
    suite.Add(new JrmQuietGroupTestCase("several groups: a group's tail is found missing while the "
                                        "sender is busy in another group (J-C5)"));
    suite.Add(new JrmMemoryTestCase("memory over 5000 messages", 5000));
    suite.Add(new JrmMemoryTestCase("memory over 1000000 messages", 1'000'000),
              TestCase::Duration::EXTENSIVE);
});

} // namespace
