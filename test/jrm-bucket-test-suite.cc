// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "lfn-test-case.h"

#include "ns3/double.h"
#include "ns3/jrm-leaky-bucket.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

LFN_CASE(JrmLeakyBucketTestCase)
{
    JrmLeakyBucket open;
    NS_TEST_EXPECT_MSG_EQ(open.Admit(MilliSeconds(5), 1'000'000), MilliSeconds(5), "no limit");
    // A byte in a millisecond, 100 bytes at once.
    JrmLeakyBucket bucket(DataRate("8kbps"), 100);
    const auto admit = [&bucket](int64_t now, uint32_t bytes) {
        return bucket.Admit(MilliSeconds(now), bytes).GetMilliSeconds();
    };
    NS_TEST_EXPECT_MSG_EQ(admit(0, 50), 0, "there is room");
    NS_TEST_EXPECT_MSG_EQ(admit(0, 50), 0, "it is full");
    NS_TEST_EXPECT_MSG_EQ(admit(0, 10), 10, "it overflows");
    NS_TEST_EXPECT_MSG_EQ(admit(5, 10), 20, "in order");
    NS_TEST_EXPECT_MSG_EQ(admit(60, 50), 70, "it has leaked for 60 ms");
    NS_TEST_EXPECT_MSG_EQ(admit(1000, 60), 1000, "it is empty");
    NS_TEST_EXPECT_MSG_EQ(admit(1000, 60), 1020, "an idle time is no more than its depth");
    JrmLeakyBucket flat(DataRate("8kbps"), 0);
    NS_TEST_EXPECT_MSG_EQ(flat.Admit(Time(0), 30), MilliSeconds(30), "one after another");
}

LFN_CASE_OF(JrmBucketPeerTestCase, bool counts)
{
    JrmTestNetwork network(2);
    network.settings["SendTimeout"] = "250ms";
    network.settings.insert({{"Adaptive", "false"},
                             {"RecvTimeout", "150ms"},
                             {"Heartbeat", "30ms"},
                             {"BucketRate", "83520bps"},
                             {"BucketCountsRepairs", counts ? "true" : "false"}});
    network.AddPeers();
    std::vector<int64_t> times;
    uint32_t early = 0;
    network.judge = [&](const JrmTestSight& sight) {
        const auto now = Simulator::Now();
        if (sight.Is(JrmType::MSG) && !sight.down)
        {
            times.push_back(now.GetMilliSeconds());
        }
        // The first message has left at 301 ms, the second one at 601 ms.
        const auto number = sight.header.id.message - network.sent.begin()->first.message;
        const bool isEarly = now < MilliSeconds(301) || (number > 0 && now < MilliSeconds(601));
        early += sight.Is(JrmType::HEARTBEAT) && isEarly ? 1 : 0;
        const bool isLost = number == 1 && sight.header.packet == 3;
        return sight.Is(JrmType::MSG) && isLost ? Fate::LOSE : Fate::PASS;
    };
    network.SendMany(0, 2, 3 * PACKET, MilliSeconds(1), MilliSeconds(1));
    network.SendMany(0, 1, PACKET, MilliSeconds(700));
    const auto left = network.Run(Seconds(6));
    const std::string message = counts ? "repairs count" : "repairs do not count";
    NS_TEST_EXPECT_MSG_EQ(left, "", message);
    NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0), 3, message);
    NS_TEST_EXPECT_MSG_EQ(early, 0, message);
    NS_TEST_EXPECT_MSG_EQ(network.peers[1]->GetSent().nackRequests, 1, message);
    // The repair leaves at 652 ms.
    const std::vector<int64_t> expected{101, 201, 301, 401, 501, 601, counts ? 852 : 800};
    NS_TEST_ASSERT_MSG_EQ(times.size(), expected.size(), message);
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(times[i], expected[i], 1, message);
    }
}

/** @brief An impatient receiver asks for packets that still wait in a slow bucket. */
LFN_CASE(JrmWaitingPacketsTestCase)
{
    for (const bool isAll : {false, true})
    {
        for (const std::string aggregation : {"0s", "5ms"})
        {
            JrmTestNetwork network(2);
            // A packet leaves every 100 ms.
            network.settings.insert({{"Adaptive", "false"},
                                     {"RecvTimeout", "30ms"},
                                     {"GapNackAllPackets", isAll ? "true" : "false"},
                                     {"Aggregation", aggregation},
                                     {"BucketRate", "83520bps"}});
            network.AddPeers();
            network.judge = [&](const JrmTestSight& sight) {
                const auto number = sight.header.id.message - network.sent.begin()->first.message;
                const bool isLost = number == 1 && sight.header.packet == 2;
                return sight.Is(JrmType::MSG) && isLost ? Fate::LOSE : Fate::PASS;
            };
            network.SendMany(0, 3, 4 * PACKET, MilliSeconds(1), MilliSeconds(1));
            const auto left = network.Run(Seconds(6));
            const std::string what = (isAll ? "all, " : "listed, ") + aggregation;
            NS_TEST_EXPECT_MSG_EQ(left, "", what);
            NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0), 3, what);
            const auto& counters = network.peers[0]->GetSender().GetCounters();
            NS_TEST_EXPECT_MSG_GT(counters.early, 5, what << ": asked for before they left");
            NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetSent().msgPackets, 12, what);
            NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetSent().nackResponses,
                                  1,
                                  what << ": the lost one");
            NS_TEST_EXPECT_MSG_EQ(network.peers[1]->GetReceiver().GetCounters().duplicates,
                                  0,
                                  what);
        }
    }
}

/** @brief With copyWaiting all that is asked for is retransmitted, whether it has left or not. */
LFN_CASE(JrmCopyWaitingTestCase)
{
    for (const bool isCopied : {false, true})
    {
        JrmSenderCore::Settings settings;
        settings.packetSize = 100;
        settings.adapt.adaptive = false;
        settings.copyWaiting = isCopied;
        JrmSenderCore core;
        core.Start(settings);
        const auto id = core.Send(7, 300, Seconds(0));
        core.Retain(*id, Seconds(5));
        core.Release(*id, 1);
        const std::vector<uint16_t> all{1, 2, 3};
        core.OnNack(*id, all, false, Seconds(1));
        std::vector<uint16_t> sent;
        while (const auto response = core.NextResponse())
        {
            sent.push_back(response->packet);
        }
        const std::vector<uint16_t> wanted = isCopied ? all : std::vector<uint16_t>{1};
        NS_TEST_EXPECT_MSG_EQ((sent == wanted), true, "copies: " << isCopied);
        NS_TEST_EXPECT_MSG_EQ(core.GetCounters().early, 0, "the first packet was of use");
    }
}

/** @brief A request that comes before a message has left does not shorten its retention. */
LFN_CASE(JrmEarlyRequestTestCase)
{
    JrmSenderCore::Settings settings;
    settings.packetSize = 100;
    settings.adapt.adaptive = false;
    settings.sendTimeout = Seconds(1);
    JrmSenderCore core;
    core.Start(settings);
    const auto id = core.Send(7, 300, Seconds(0));
    const std::vector<uint16_t> both{1, 3};
    core.Retain(*id, Seconds(5));
    core.OnNack(*id, both, false, Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(core.NextResponse().has_value(), false, "none has left");
    core.Release(*id, 1);
    core.OnNack(*id, both, false, Seconds(2));
    NS_TEST_EXPECT_MSG_EQ(core.NextResponse().has_value(), true, "the first one has");
    NS_TEST_EXPECT_MSG_EQ(core.NextResponse().has_value(), false, "the third one has not");
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().early, 1, "counted");
    core.Expire(Seconds(5));
    NS_TEST_EXPECT_MSG_EQ(core.GetKept(), 1, "kept from when it leaves on");
    core.Release(*id, 3);
    core.OnNack(*id, both, false, MilliSeconds(5500));
    core.Expire(Seconds(6));
    NS_TEST_EXPECT_MSG_EQ(core.GetKept(), 1, "asked for");
    core.Expire(MilliSeconds(6500));
    NS_TEST_EXPECT_MSG_EQ(core.GetKept(), 0, "gone");
}

LFN_CASE(JrmErrorTestCase)
{
    for (const bool onData : {false, true})
    {
        for (const bool onNack : {false, true})
        {
            JrmTestNetwork network(2);
            network.settings.insert({{"Adaptive", "false"},
                                     {"MaxNackAttempts", "3"},
                                     {"ErrorOnData", onData ? "true" : "false"},
                                     {"ErrorOnNack", onNack ? "true" : "false"}});
            network.AddPeers();
            network.judge = [&](const JrmTestSight& sight) {
                const auto first = network.sent.begin()->first.message;
                const bool isLost = sight.header.id.message == first + 1;
                return sight.Is(JrmType::MSG) && isLost ? Fate::LOSE : Fate::PASS;
            };
            network.SendMany(0, 2, 10);
            // From here on every datagram that it means is discarded.
            Simulator::Schedule(MilliSeconds(50), [&]() {
                network.peers[0]->SetAttribute("ErrorRate", DoubleValue(onData ? 0 : 1));
                network.peers[1]->SetAttribute("ErrorRate", DoubleValue(1));
            });
            network.SendMany(0, 1, 10, MilliSeconds(67));
            Simulator::Schedule(MilliSeconds(68), [&]() {
                network.peers[0]->SetAttribute("ErrorRate", DoubleValue(1));
            });
            const auto left = network.Run(Seconds(6));
            const auto message = std::string(onData ? "data " : "") + (onNack ? "nack" : "");
            NS_TEST_EXPECT_MSG_EQ(left, "", message);
            const auto& sender = network.peers[0]->GetSent();
            const auto& receiver = network.peers[1]->GetSent();
            NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0), (onData || onNack ? 2 : 3), message);
            NS_TEST_EXPECT_MSG_EQ(receiver.nackRequests, (onData || onNack ? 3 : 1), message);
            NS_TEST_EXPECT_MSG_EQ(receiver.discarded, (onNack ? 3 : 0), message);
            NS_TEST_EXPECT_MSG_EQ(sender.discarded, (onData && !onNack ? 3 : 0), message);
        }
    }
}

/// JRM's leaky bucket, what it does to heartbeats and retention, and errors before the send.
const Suite g_suite("lfn-jrm-bucket", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new JrmLeakyBucketTestCase("leaky bucket: rate, depth, idle time"));
    const std::string slow = "a slow bucket: heartbeats announce what has left, ";
    suite.Add(new JrmBucketPeerTestCase(slow + "messages are kept from then on", false));
    suite.Add(new JrmBucketPeerTestCase(slow + "headers count", true));
    suite.Add(new JrmWaitingPacketsTestCase("packets that wait in the bucket are not repaired"));
    suite.Add(
        new JrmCopyWaitingTestCase("copies of what waits in the bucket, where they are wanted"));
    suite.Add(new JrmEarlyRequestTestCase("requests before a message has left"));
    suite.Add(new JrmErrorTestCase("ErrorOnData and ErrorOnNack (J-C1)"));
});

} // namespace
