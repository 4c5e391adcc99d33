// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-probe.h"
#include "lfn-test-case.h"

#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup lfn-jrm
 * JRM's receiving half: what it holds is bounded.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What a receiver holds is bounded; what it asks for has a window. */
LFN_CASE(JrmBoundsTestCase)
{
    const auto full = std::optional(DropReason::BUFFER_FULL);
    const auto none = std::optional<DropReason>();
    auto few = MakePlainSettings();
    few.maxHolders = 5;
    few.maxNackAttempts = 1;
    JrmReceiverProbe holders(few);
    holders.Take(0, 0, 1, 50);
    holders.Take(0, 9, 1, 250);
    NS_TEST_EXPECT_MSG_EQ(holders.At(0), "N1:1 N2:1 N3:1 N4:1 D0", "four of eight, and 9");
    NS_TEST_EXPECT_MSG_EQ(holders.core.GetHolders(), 5, "the limit");
    NS_TEST_EXPECT_MSG_EQ(holders.core.GetCounters().lost, 4, "5 to 8");
    NS_TEST_EXPECT_MSG_EQ((holders.Take(1, 10, 1, 50) == full), true, "no room for 10");
    NS_TEST_EXPECT_MSG_EQ((holders.Take(1, 1, 1, 50) == full), true, "nor for 1, unknown yet");
    NS_TEST_EXPECT_MSG_EQ((holders.Take(1, 9, 2, 250) == none), true, "9 goes on");
    NS_TEST_EXPECT_MSG_EQ((holders.Take(1, 9, 3, 250) == none), true, "and ends");
    NS_TEST_EXPECT_MSG_EQ((holders.Take(1, 1, 1, 50) == none), true, "now there is room");
    NS_TEST_EXPECT_MSG_EQ((holders.Take(2, 10, 1, 50) == none), true, "for 10, too");
    holders.At(100);
    NS_TEST_EXPECT_MSG_EQ(holders.core.GetHolders(), 0, "all is over");
    NS_TEST_EXPECT_MSG_EQ(holders.core.GetPeakHolders(), 5, "never more");

    auto small = MakePlainSettings();
    small.maxBytes = 600;
    small.maxNackAttempts = 1;
    JrmReceiverProbe bytes(small);
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 10, 1, 350) == none), true, "350");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 11, 1, 250) == none), true, "600");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 12, 1, 1) == full), true, "601");
    for (const uint16_t packet : {2, 3, 4})
    {
        NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 10, packet, 350) == none), true, "it goes on");
    }
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(1, 12, 1, 350) == none), true, "10 was delivered");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(1, 13, 1, 1) == full), true, "full again");
    bytes.At(40);
    bytes.At(100);
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(200, 13, 1, 350) == none), true, "11 and 12 were lost");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(200, 14, 1, 251) == full), true, "nearly full");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(200, 70'000, 1, 250) == none), true, "a return");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(200, 70'001, 1, 350) == none), true, "13 was given up");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(200, 70'002, 1, 1) == full), true, "full again");

    auto lonely = MakePlainSettings();
    lonely.maxStreams = 1;
    JrmReceiverProbe streams(lonely);
    streams.Take(0, 1, 1, 50);
    const JrmHeader other(JrmType::MSG, {PARTICIPANT + 1, GROUP, 1}, 1, 50);
    NS_TEST_EXPECT_MSG_EQ((streams.core.TakePacket(other, 50, {}, Time(0)) == full),
                          true,
                          "another participant");
    NS_TEST_EXPECT_MSG_EQ(
        (streams.core.TakeHeartbeat({PARTICIPANT, GROUP + 1, 1}, Time(0)) == full),
        true,
        "another group");

    // Lists: 511 PSNs in 1024 bytes after a count of 2 bytes.
    JrmReceiverProbe lists(MakePlainSettings());
    lists.Take(0, 1, 1, 102'400);
    lists.core.Expire(MilliSeconds(20));
    const auto first = lists.core.NextNack();
    const auto second = lists.core.NextNack();
    const auto third = lists.core.NextNack();
    NS_TEST_ASSERT_MSG_EQ((first && second && third), true, "1023 in three datagrams");
    NS_TEST_EXPECT_MSG_EQ(first->packets.size(), 511, "full");
    NS_TEST_EXPECT_MSG_EQ(second->packets.front(), 513, "the next one");
    NS_TEST_EXPECT_MSG_EQ(third->packets.size(), 1, "the rest");
    NS_TEST_EXPECT_MSG_EQ(lists.core.NextNack().has_value(), false, "no more");

    // Without holders: what was asked for is awaited for a window, also where numbers wrap.
    auto once = MakePlainSettings();
    once.createHolderOnGap = false;
    once.finishedWindow = 10;
    once.maxGap = 100;
    JrmReceiverProbe window(once);
    window.Take(0, UINT32_MAX - 8, 1, 50);
    for (uint32_t number = UINT32_MAX - 6; number != 7; number += 2)
    {
        window.Take(0, number, 1, 50);
    }
    const auto duplicate = std::optional(DropReason::DUPLICATE);
    const auto repeat = [&](uint32_t number) {
        return window.Take(1, number, 1, 50, JrmType::NACK_RESP);
    };
    NS_TEST_EXPECT_MSG_EQ((repeat(UINT32_MAX - 7) == duplicate), true, "14 back");
    NS_TEST_EXPECT_MSG_EQ((repeat(UINT32_MAX - 5) == duplicate), true, "12 back");
    NS_TEST_EXPECT_MSG_EQ((repeat(UINT32_MAX - 3) == none), true, "10 back");
    NS_TEST_EXPECT_MSG_EQ((repeat(UINT32_MAX - 3) == duplicate), true, "once");
    NS_TEST_EXPECT_MSG_EQ((repeat(2) == none), true, "after zero");
    window.Take(2, 900, 1, 50);
    NS_TEST_EXPECT_MSG_EQ((repeat(0) == duplicate), true, "a new beginning forgets them");
}

/** @brief Suite of the bounds of JRM's cores. */
const Suite g_suite("lfn-jrm-bounds", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new JrmBoundsTestCase("bounds of holders, bytes, streams and lists"));
});

} // namespace
