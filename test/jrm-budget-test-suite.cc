// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/jrm-header.h"
#include "ns3/jrm-host-budget.h"
#include "ns3/jrm-repair-budget.h"

#include <cstdint>

/**
 * @file
 * @ingroup lfn-jrm
 * JRM's two budgets: what a host may make a receiver hold, and a sender send again.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// A source: a host and one of its ports.
constexpr uint64_t
From(uint64_t host, uint64_t port)
{
    return (host << 16) + port;
}

/** @brief Streams, messages and bytes: what there is in all, and what one host may have. */
LFN_CASE(JrmHostRoomTestCase)
{
    JrmHostBudget budget({.maxStreams = 4, .maxHolders = 4, .maxBytes = 100, .hostShare = 0.5});
    auto* const one = budget.AddStream(From(1, 1));
    NS_TEST_ASSERT_MSG_EQ((one != nullptr), true, "a stream");
    NS_TEST_EXPECT_MSG_EQ((budget.AddStream(From(1, 2)) == one), true, "another port, one host");
    NS_TEST_EXPECT_MSG_EQ((budget.AddStream(From(1, 3)) == nullptr), true, "half of all");
    auto* const two = budget.AddStream(From(2, 1));
    NS_TEST_ASSERT_MSG_EQ((two != nullptr), true, "another host");
    NS_TEST_EXPECT_MSG_EQ((budget.AddStream(From(3, 1)) != nullptr), true, "the last one");
    NS_TEST_EXPECT_MSG_EQ((budget.AddStream(From(4, 1)) == nullptr), true, "no more");
    budget.RemoveStream(From(3, 1));
    NS_TEST_EXPECT_MSG_EQ((budget.AddStream(From(4, 1)) != nullptr), true, "its room is free");
    budget.RemoveStream(From(9, 1));
    NS_TEST_EXPECT_MSG_EQ((budget.AddStream(From(5, 1)) == nullptr), true, "nobody has ended");

    NS_TEST_EXPECT_MSG_EQ(budget.HasRoom(*one, 2, 50), true, "half of all");
    NS_TEST_EXPECT_MSG_EQ(budget.HasRoom(*one, 3, 0), false, "a message more");
    NS_TEST_EXPECT_MSG_EQ(budget.HasRoom(*one, 0, 51), false, "a byte more");
    budget.AddHolder(*one);
    budget.Charge(*one, 50);
    NS_TEST_EXPECT_MSG_EQ(budget.HasRoom(*one, 1, 0), true, "half of the messages");
    NS_TEST_EXPECT_MSG_EQ(budget.HasRoom(*one, 0, 1), false, "all of its bytes");
    NS_TEST_EXPECT_MSG_EQ(budget.HasRoom(*two, 2, 50), true, "the other half");
    budget.AddHolder(*two);
    budget.AddHolder(*two);
    NS_TEST_EXPECT_MSG_EQ(budget.GetHolders(), 3, "of both");
    budget.PassHolder();
    budget.RemoveHolder(*one, 50);
    NS_TEST_EXPECT_MSG_EQ(budget.HasRoom(*one, 2, 50), true, "as before");
    NS_TEST_EXPECT_MSG_EQ(budget.GetHolders(), 2, "of the other");
    NS_TEST_EXPECT_MSG_EQ(budget.GetPeakHolders(), 4, "one came and went");
}

/** @brief Requests to a host are in proportion to what came of it. */
LFN_CASE(JrmHostCreditTestCase)
{
    constexpr std::size_t ALL = JrmHeader::MAX_PACKETS;
    JrmHostBudget free;
    auto& anybody = *free.AddStream(From(1, 1));
    NS_TEST_EXPECT_MSG_EQ(free.GetRequestRoom(anybody), ALL, "no limit");
    NS_TEST_EXPECT_MSG_EQ(free.Afford(anybody, 7), 7, "as many as are wanted");

    JrmHostBudget budget({.nackLimit = 2});
    auto& host = *budget.AddStream(From(1, 1));
    NS_TEST_EXPECT_MSG_EQ(budget.Afford(host, 1), 0, "nothing has come");
    budget.Credit(host, 0); // 48 bytes of headers; a request for nothing has 50
    NS_TEST_EXPECT_MSG_EQ(budget.GetRequestRoom(host), 23, "(96 - 50) / 2");
    NS_TEST_EXPECT_MSG_EQ(budget.Afford(host, 3), 3, "56 bytes");
    NS_TEST_EXPECT_MSG_EQ(budget.Afford(host, 1), 0, "40 are left");
    for (int i = 0; i < 1000; ++i)
    {
        budget.Credit(host, 65'000);
    }
    NS_TEST_EXPECT_MSG_EQ(budget.Afford(host, ALL), ALL, "the longest message");
    NS_TEST_EXPECT_MSG_EQ((budget.GetRequestRoom(host) < ALL), true, "no more is saved up");
}

/** @brief Repairs are in proportion to what was sent, for one asker and for all. */
LFN_CASE(JrmRepairShareTestCase)
{
    JrmRepairBudget free;
    NS_TEST_EXPECT_MSG_EQ(free.Spend(From(1, 1), 1'000'000), true, "no limit");

    const auto spend = [](JrmRepairBudget& budget, uint64_t host) {
        int count = 0;
        for (; count < 1000 && budget.Spend(From(host, count), 100); ++count)
        {
        }
        return count;
    };
    JrmRepairBudget budget({.one = 2, .all = 3}, 100);
    budget.AddMessage(1000);
    NS_TEST_EXPECT_MSG_EQ(spend(budget, 1), 2 * 10 + 16, "twice, and 16; ports do not count");
    NS_TEST_EXPECT_MSG_EQ(spend(budget, 2), 10, "what all have is 46");
    NS_TEST_EXPECT_MSG_EQ(spend(budget, 3), 0, "nothing for a third one");
    budget.AddMessage(500);
    NS_TEST_EXPECT_MSG_EQ(spend(budget, 1), 10, "twice what is new");
    NS_TEST_EXPECT_MSG_EQ(spend(budget, 2), 5, "three times, in all");
    budget.RemoveMessage(1500);
    budget.AddMessage(100'000);
    budget.RemoveMessage(100'000);
    NS_TEST_EXPECT_MSG_EQ(spend(budget, 1), 16, "nothing is kept: 16 are all that is saved up");
}

/** @brief Suite of JRM's budgets. */
const Suite g_suite("lfn-jrm-budget", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new JrmHostRoomTestCase("the room of hosts"));
    suite.Add(new JrmHostCreditTestCase("requests are in proportion to what came of a host"));
    suite.Add(new JrmRepairShareTestCase("repairs are in proportion to what was sent"));
});

} // namespace
