// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/jrm-header.h"
#include "ns3/jrm-host-budget.h"
#include "ns3/jrm-repair-budget.h"
#include "ns3/jrm-sender-core.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// A source: a host and one of its ports.
constexpr JrmSource
From(uint64_t host, uint64_t port)
{
    return {{host}, static_cast<uint16_t>(port)};
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

LFN_CASE(JrmScarceTestCase)
{
    JrmRepairBudget free;
    NS_TEST_EXPECT_MSG_EQ(free.GetScarcity(), 0, "no limit");
    JrmRepairBudget budget({.one = 0, .all = 3}, 100);
    budget.AddMessage(1000); // 46 packets of 100 bytes may go again
    for (int left = 46; left > 0; --left)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(budget.GetScarcity(), 23.0 / left, 1e-12, left << " are left");
        NS_TEST_EXPECT_MSG_EQ(budget.Spend(From(left, 1), 100), true, left << " are left");
    }
    NS_TEST_EXPECT_MSG_GT(budget.GetScarcity(), 1000, "nothing is left");
    NS_TEST_EXPECT_MSG_EQ(budget.Spend(From(1, 1), 100), false, "nothing is left");
    budget.AddMessage(1000); // 30 of 76 packets
    NS_TEST_EXPECT_MSG_EQ_TOL(budget.GetScarcity(), 38.0 / 30, 1e-12, "there is more again");

    // A message of one datagram of 120 bytes: 4 * 120 + 16 * 120 bytes, 20 times, may go again.
    JrmSenderCore::Settings settings;
    settings.packetSize = 100;
    settings.spacing = MilliSeconds(60);
    settings.adapt.longest = MilliSeconds(300);
    settings.repairs = {.one = 0, .all = 4};
    JrmSenderCore core;
    core.Start(settings);
    const auto id = *core.Send(7, 100, Time(0));
    const std::vector<uint16_t> one{1};
    const auto count = [&core](int64_t us) {
        core.Expire(MicroSeconds(us));
        int responses = 0;
        for (; core.NextResponse(); ++responses)
        {
        }
        return responses;
    };
    const auto ask = [&](uint64_t host, int64_t us) {
        const auto refused = core.OnNack(id, one, false, MicroSeconds(us), From(host, 1));
        NS_TEST_EXPECT_MSG_EQ(refused.has_value(), false, "asker " << host << ", " << us << " us");
        return count(us);
    };
    for (uint64_t host = 1; host <= 11; ++host)
    {
        NS_TEST_EXPECT_MSG_EQ(ask(host, 10'000), 1, "at once, asker " << host);
    }
    // 9 of 20 are left: 60 ms * 10 / 9, * 10 / 8, and so on, at most 300 ms.
    int64_t last = 10'000;
    for (int left = 9; left > 0; --left)
    {
        const auto turn = last + std::min<int64_t>(600'000 / left, 300'000);
        for (uint64_t host = 12; host <= 50; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(ask(host, last + 1), 0, left << " left, asker " << host);
        }
        const double next = core.GetDeadline().value_or(Time(0)).GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(next, static_cast<double>(turn) / 1e6, 2e-6, "the next turn");
        NS_TEST_EXPECT_MSG_EQ(count(turn - 2), 0, "not yet");
        NS_TEST_EXPECT_MSG_EQ(count(turn + 2), 1, "once for 39 hosts");
        last = static_cast<int64_t>(std::llround(next * 1e6));
    }
    const auto denied = core.OnNack(id, one, false, Seconds(3), From(60, 1));
    NS_TEST_EXPECT_MSG_EQ((denied == DropReason::BUFFER_FULL), true, "nothing is left");
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().responses, 20, "11 at once, and 9");

    // What waits for its turn goes with its message.
    settings.sendTimeout = MilliSeconds(1);
    core.Start(settings);
    const auto brief = *core.Send(7, 100, Time(0));
    for (uint64_t host = 1; host <= 12; ++host)
    {
        core.OnNack(brief, one, false, Time(0), From(host, 1));
    }
    NS_TEST_EXPECT_MSG_EQ(count(1'000), 11, "at once");
    NS_TEST_EXPECT_MSG_EQ(core.GetKept(), 0, "the message is gone");
    NS_TEST_EXPECT_MSG_EQ(count(1'000'000), 0, "and what waited");
    NS_TEST_EXPECT_MSG_EQ(core.GetDeadline().has_value(), false, "nothing is left");
}

/** @brief Hosts of IPv6: all bits of an address count, and the longer headers. */
LFN_CASE(JrmIpv6HostTestCase)
{
    const JrmSource four{{1}, 9};
    const std::vector<JrmSource> six{{{1, 0, true}, 9}, {{1, 1, true}, 9}, {{2, 1, true}, 9}};
    JrmHostBudget budget({.nackLimit = 1});
    auto* const host = budget.AddStream(four);
    NS_TEST_EXPECT_MSG_EQ((budget.AddStream({{1}, 10}) == host), true, "a port of the same host");
    std::set<JrmHostBudget::Host*> hosts{host};
    for (const auto& source : six)
    {
        hosts.insert(budget.AddStream(source));
        NS_TEST_EXPECT_MSG_EQ((budget.AddStream({source.host, 10})->streams == 2), true, "a port");
    }
    NS_TEST_EXPECT_MSG_EQ(hosts.size(), 4, "each is a host of its own");
    // A datagram of 100 bytes pays for a request of its size: headers, JRM's 20, 2, and 2 a packet.
    for (auto* const one : hosts)
    {
        budget.Credit(*one, 100);
        NS_TEST_EXPECT_MSG_EQ(one->headers, (one == host ? 28 : 48), "IP and UDP");
        NS_TEST_EXPECT_MSG_EQ(budget.GetRequestRoom(*one), 49, "98 bytes for numbers");
        NS_TEST_EXPECT_MSG_EQ(budget.Afford(*one, 9), 9, "a short list");
        const double left = 120.0 + one->headers - (22.0 + one->headers + 18);
        NS_TEST_EXPECT_MSG_EQ_TOL(one->credit, left, 1e-9, "what is left");
    }
    JrmRepairBudget repairs({.one = 1, .all = 100}, 100);
    repairs.AddMessage(100);
    for (const auto& source : {four, six[0], six[1], six[2]})
    {
        NS_TEST_EXPECT_MSG_EQ(repairs.Spend(source, 1700), true, "all of its share");
        NS_TEST_EXPECT_MSG_EQ(repairs.Spend({source.host, 10}, 1), false, "by no other port");
    }
}

/** @brief JRM's two budgets: what a host may make a receiver hold, and a sender retransmit. */
const Suite g_suite("lfn-jrm-budget", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new JrmHostRoomTestCase("the room of hosts"));
    suite.Add(new JrmHostCreditTestCase("requests are in proportion to what came of a host"));
    suite.Add(new JrmRepairShareTestCase("repairs are in proportion to what was sent"));
    suite.Add(new JrmIpv6HostTestCase("hosts of IPv6"));
    suite.Add(new JrmScarceTestCase("scarce repairs go once for all who ask"));
});

} // namespace
