// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "jrm-test-speaker.h"
#include "lfn-test-case.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Three participants talk, with losses; one leaves, and comes back after its absence (0:
/// never).
LFN_CASE_OF(JrmReturnTestCase, Time when, Time absence, bool isCalm)
{
    JrmTestNetwork network(3);
    if (isCalm)
    {
        network.settings.insert(CALM.begin(), CALM.end());
    }
    network.settings.insert({{"Heartbeat", "40ms"}, {"MaxNackAttempts", "4"}});
    network.AddPeers();
    network.peers[1]->SetStopTime(when);
    uint64_t data = 0;
    network.judge = [&](const JrmTestSight& sight) {
        const bool isData = sight.Is(JrmType::MSG) && sight.down;
        return isData && ++data % 7 == 0 ? Fate::LOSE : Fate::PASS;
    };
    for (const std::size_t peer : {0, 1, 2})
    {
        network.SendMany(peer, 20, 3 * PACKET, MilliSeconds(1 + 11 * peer));
    }
    std::size_t back = 0;
    if (absence.IsStrictlyPositive())
    {
        Simulator::Schedule(when + absence, [&]() { back = network.AddPeer(1); });
        network.SendMany(3, 15, 2 * PACKET, when + absence + MilliSeconds(10));
        network.SendMany(0, 15, 3 * PACKET, when + absence + MilliSeconds(15));
    }
    const auto left = network.Run(Seconds(15));
    NS_TEST_EXPECT_MSG_EQ(left, "", "over");
    NS_TEST_EXPECT_MSG_EQ(network.peers[1]->IsFinished(), true, "the one that left");
    const bool isBack = back > 0;
    NS_TEST_EXPECT_MSG_EQ(isBack, absence.IsStrictlyPositive(), "back");
    for (const std::size_t peer : {0, 2})
    {
        // Of the one that left, what it had not repaired is lost, and all of it that came came
        // once; of the others nothing is.
        const auto other = static_cast<uint32_t>(2 - peer);
        NS_TEST_EXPECT_MSG_EQ(network.Count(peer, other),
                              (other == 0 && isBack ? 35 : 20),
                              "all of the others");
        const auto before = static_cast<std::size_t>(when.GetMicroSeconds() / 33'000);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(network.Count(peer, 1) + 3,
                                    before + (isBack ? 15 : 0),
                                    "of the one that left");
    }
    if (isBack)
    {
        // Everything from then on, and at most two that were under way or just repaired.
        const auto over = (when + absence).GetMicroSeconds() / 33'000 + 1;
        const auto rest = static_cast<std::size_t>(15 + std::max<int64_t>(20 - over, 0));
        NS_TEST_EXPECT_MSG_GT_OR_EQ(network.Count(back, 0), rest, "from then on");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(network.Count(back, 0), rest + 2, "no more");
    }
}

constexpr int MESSAGES = 40; //!< of each life

LFN_CASE(JrmLateTestCase)
{
    JrmTestNetwork network(2);
    network.settings.insert({"Adaptive", "false"});
    network.AddPeer(1);
    network.replayDelay = MilliSeconds(300);
    JrmTestSpeaker old(network, 0, 1000);
    JrmTestSpeaker young(network, 0, 900'000);
    network.judge = [&](const JrmTestSight& sight) {
        const auto number = sight.header.id.message;
        const bool isYoung = number >= 900'000 && sight.header.packet == 2;
        return isYoung ? Fate::LATE : number < 2000 && sight.down ? Fate::TWICE : Fate::PASS;
    };
    Simulator::Schedule(MilliSeconds(1), [&]() {
        old.Start();
        old.Send(2 * PACKET);
        old.Send(10);
        old.Stop();
    });
    // Of the new messages the second packets come after those repeats.
    Simulator::Schedule(MilliSeconds(290), [&]() {
        young.Start();
        young.Send(3 * PACKET);
        young.Send(3 * PACKET);
    });
    const auto left = network.Run(Seconds(6));
    NS_TEST_EXPECT_MSG_EQ(left, "", "late packets of the first life");
    NS_TEST_EXPECT_MSG_EQ(network.delivered[0].size(), 4, "each once");
    NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetReceiver().GetCounters().beginnings, 1, "one");
    NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetReceiver().GetCounters().lost, 0, "none");
}

/// A participant leaves while two of its messages are incomplete, and comes back with numbers
/// that begin delta behind the next one.
LFN_CASE_OF(JrmUnluckyTestCase, uint32_t next, int delta)
{
    JrmTestNetwork network(3);
    network.settings.insert({{"Adaptive", "false"}, {"MaxNackAttempts", "3"}});
    network.AddPeer(1);
    network.AddPeer(2);
    const auto after = next + static_cast<uint32_t>(delta);
    JrmTestSpeaker old(network, 0, next - MESSAGES);
    JrmTestSpeaker young(network, 0, after);
    bool isBack = false;
    network.judge = [&](const JrmTestSight& sight) {
        const auto left = next - sight.header.id.message; // 1 for the last of the first life
        const bool isLost =
            !isBack && left <= 9 && left % 3 == 0 && sight.down && sight.header.packet == left / 3;
        return isLost ? Fate::LOSE : Fate::PASS;
    };
    Simulator::Schedule(MilliSeconds(1), [&]() {
        old.Start();
        for (int i = 0; i < MESSAGES; ++i)
        {
            old.Send(3 * PACKET);
        }
    });
    // The last ones had three packets, one of them lost; before they can be asked for it ends.
    Simulator::Schedule(MilliSeconds(14), [&]() { old.Stop(); });
    Simulator::Schedule(MilliSeconds(500), [&]() {
        isBack = true;
        young.Start();
        for (int i = 0; i < MESSAGES; ++i)
        {
            young.Send(2 * PACKET);
        }
    });
    const auto left = network.Run(Seconds(6));
    NS_TEST_EXPECT_MSG_EQ(left, "", "over");
    const bool isAgain = delta < -1024 || delta > 1024;
    const int old2 = isAgain || delta > 0 ? 0 : std::min(MESSAGES, -delta);
    const auto missed = static_cast<uint64_t>(isAgain || delta < 0 ? 0 : delta);
    const auto delivered = static_cast<uint64_t>(2 * MESSAGES - 3 - old2);
    for (const std::size_t peer : {0, 1})
    {
        const auto counters = network.peers[peer]->GetReceiver().GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.delivered, delivered, "what looks old is not delivered");
        NS_TEST_EXPECT_MSG_EQ(counters.lost, 3 + missed, "and gaps end");
        NS_TEST_EXPECT_MSG_EQ(counters.beginnings, (isAgain ? 1 : 0), "beginnings");
    }
}

/** @brief JRM participants that leave, crash, and come back with other numbers. */
const Suite g_suite("lfn-jrm-return", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (int step = 0; step < 8; ++step)
    {
        for (const bool isCalm : {false, true})
        {
            const auto name = "leaving in step " + std::to_string(step) + (isCalm ? ", calm" : "");
            const Time when = MicroSeconds(300'037 + 4470 * step);
            suite.Add(new JrmReturnTestCase(name + ", for ever", when, Time(0), isCalm));
            suite.Add(new JrmReturnTestCase(name + ", for 3 ms", when, MilliSeconds(3), isCalm));
            suite.Add(new JrmReturnTestCase(name + ", for 4 s", when, Seconds(4), isCalm));
        }
    }
    for (const uint32_t next : {5000U, 0U, 500U, UINT32_MAX - 20})
    {
        for (const int delta : {-5000, -1025, -1024, -41, -7, -1, 0, 1, 7, 1024, 1025, 9000})
        {
            const auto name = std::to_string(delta) + " behind " + std::to_string(next);
            suite.Add(new JrmUnluckyTestCase("coming back with numbers " + name, next, delta));
        }
    }
    suite.Add(new JrmLateTestCase("what the first life sent arrives in the second one"));
});

} // namespace
