// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-probe.h"
#include "lfn-test-case.h"

#include "ns3/jrm-sender-core.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

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
    auto few = MakeBasicSettings();
    few.limits.maxHolders = 5;
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

    auto small = MakeBasicSettings();
    small.limits.maxBytes = 600;
    small.maxNackAttempts = 1;
    JrmReceiverProbe bytes(small);
    for (const uint16_t packet : {1, 2, 3})
    {
        NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 10, packet, 350) == none), true, "of 350");
    }
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 11, 1, 6'000) == none), true, "407, a bit for each");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 12, 1, 350) == none), true, "507");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 13, 1, 350) == full), true, "607");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 12, 2, 350) == full), true, "of one begun");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 13, 1, 50) == none), true, "what is not kept");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(0, 10, 4, 350) == none), true, "the last one frees 300");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(1, 12, 2, 350) == none), true, "there is room");
    bytes.At(40);
    bytes.At(100);
    NS_TEST_EXPECT_MSG_EQ(bytes.core.GetHolders(), 0, "11 and 12 were lost");
    for (uint32_t number = 14; number < 20; ++number)
    {
        NS_TEST_EXPECT_MSG_EQ((bytes.Take(200, number, 1, 350) == none), true, "all is free");
    }
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(200, 20, 1, 350) == full), true, "full");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(200, 70'000, 1, 50) == none), true, "a return");
    NS_TEST_EXPECT_MSG_EQ((bytes.Take(200, 70'001, 1, 350) == none), true, "those were given up");

    auto lonely = MakeBasicSettings();
    lonely.limits.maxStreams = 1;
    JrmReceiverProbe streams(lonely);
    streams.Take(0, 1, 1, 50);
    const JrmHeader other(JrmType::MSG, {PARTICIPANT + 1, GROUP, 1}, 1, 50);
    NS_TEST_EXPECT_MSG_EQ((streams.core.OnPacket(other, 50, {}, Time(0)) == full),
                          true,
                          "another participant");
    NS_TEST_EXPECT_MSG_EQ((streams.core.OnHeartbeat({PARTICIPANT, GROUP + 1, 1}, Time(0)) == full),
                          true,
                          "another group");

    // Lists: 511 PSNs in 1024 bytes after a count of 2 bytes.
    JrmReceiverProbe lists(MakeBasicSettings());
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
    auto once = MakeBasicSettings();
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

/// A packet of a participant from a source comes, at a time in seconds.
std::optional<DropReason>
TakeFrom(JrmReceiverProbe& probe,
         uint64_t host,
         uint32_t participant,
         uint32_t message,
         uint32_t length,
         int64_t seconds)
{
    const JrmHeader header(JrmType::MSG, {participant, GROUP, message}, 1, length);
    const JrmSource source{{host}, static_cast<uint16_t>(participant)}; // a host has many ports
    return probe.core.OnPacket(header, std::min(length, 100U), {}, Seconds(seconds), source);
}

/** @brief When a participant's number changes hands: one datagram does not hold it for ever. */
LFN_CASE(JrmOwnerTestCase)
{
    const auto other = std::optional(DropReason::UNKNOWN_PEER);
    const auto none = std::optional<DropReason>();
    const auto beat = [](JrmReceiverProbe& probe, uint64_t host, uint32_t message, int64_t s) {
        return probe.core.OnHeartbeat({1, GROUP, message}, Seconds(s), {{host}, 1});
    };
    // A forged datagram is the first.
    JrmReceiverProbe forged(MakeBasicSettings());
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(forged, 9, 1, 5000000, 350, 0) == none), true, "forged");
    NS_TEST_EXPECT_MSG_EQ((beat(forged, 1, 7, 0) == other), true, "a heartbeat begins nothing");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(forged, 1, 1, 7, 50, 0) == none), true, "the genuine one");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(forged, 1, 1, 8, 50, 0) == none), true, "it goes on");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(forged, 9, 1, 5000001, 50, 0) == other), true, "forged");
    NS_TEST_EXPECT_MSG_EQ(forged.core.GetCounters(1).delivered, 2, "all of it");
    NS_TEST_EXPECT_MSG_EQ(forged.core.GetCounters(1).lost, 1, "the forged one");
    NS_TEST_EXPECT_MSG_EQ(forged.core.GetHolders(), 0, "nothing is left of it");

    // A forged datagram is the second, and the third by another address.
    JrmReceiverProbe second(MakeBasicSettings());
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(second, 1, 1, 7, 50, 0) == none), true, "the genuine one");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(second, 9, 1, 5000000, 50, 0) == none), true, "forged");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(second, 8, 1, 6000000, 50, 0) == none), true, "forged");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(second, 1, 1, 8, 50, 0) == none), true, "it goes on");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(second, 1, 1, 9, 50, 0) == none), true, "it goes on");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(second, 9, 1, 5000001, 50, 0) == other), true, "forged");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(second, 1, 1, 10, 50, 0) == none), true, "it goes on");
    // Two addresses of one host in turns: the first that two datagrams come from.
    JrmReceiverProbe turns(MakeBasicSettings());
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(turns, 1, 1, 7, 50, 0) == none), true, "one");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(turns, 2, 1, 8, 50, 0) == none), true, "the other");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(turns, 1, 1, 9, 50, 0) == none), true, "one, again");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(turns, 2, 1, 10, 50, 0) == other), true, "the other");

    // A sender moves, and lacks a packet meanwhile.
    JrmReceiverProbe moved(MakeBasicSettings());
    TakeFrom(moved, 1, 1, 7, 50, 0);
    TakeFrom(moved, 1, 1, 8, 150, 10);
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(moved, 2, 1, 9, 50, 11) == other), true, "1 was just received");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(moved, 2, 1, 5000, 50, 12) == other), true, "no continuation");
    NS_TEST_EXPECT_MSG_EQ((beat(moved, 2, 5000, 12) == other), true, "no continuation");
    NS_TEST_EXPECT_MSG_EQ(moved.core.GetHolders(), 1, "message 8");
    NS_TEST_EXPECT_MSG_EQ((beat(moved, 2, 9, 12) == none), true, "it continues");
    NS_TEST_EXPECT_MSG_EQ(moved.core.GetHolders(), 2, "messages 8 and 9");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(moved, 1, 1, 10, 50, 13) == other), true, "the old address");
    while (const auto nack = moved.core.NextNack()) // drop those before
    {
    }
    moved.core.Expire(Seconds(13));
    const auto nack = moved.core.NextNack();
    NS_TEST_ASSERT_MSG_EQ(nack.has_value(), true, "it is asked");
    NS_TEST_EXPECT_MSG_EQ((nack->source == JrmSource{{2}, 1}), true, "where it is now");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(moved, 2, 1, 9, 50, 13) == none), true, "9");
    NS_TEST_EXPECT_MSG_EQ(moved.core.GetHolders(), 1, "message 8");
}

LFN_CASE(JrmMoveTestCase)
{
    const auto other = std::optional(DropReason::UNKNOWN_PEER);
    const auto none = std::optional<DropReason>();
    auto settings = MakeBasicSettings();
    settings.limits.maxStreams = 4;
    settings.limits.hostShare = 0.5;
    JrmReceiverProbe probe(settings);
    const auto beat =
        [&](uint64_t host, uint16_t port, uint32_t participant, uint32_t group, int64_t s) {
            return probe.core.OnHeartbeat({participant, group, 7}, Seconds(s), {{host}, port});
        };
    beat(1, 1, 1, GROUP, 0);
    beat(1, 1, 1, GROUP + 1, 0);
    beat(2, 1, 2, GROUP, 0);
    NS_TEST_EXPECT_MSG_EQ((beat(2, 1, 1, GROUP, 3) == other), true, "room for one of two");
    NS_TEST_EXPECT_MSG_EQ((beat(2, 1, 1, GROUP, 3) == other), true, "still");
    NS_TEST_EXPECT_MSG_EQ((beat(1, 1, 1, GROUP + 1, 3) == none), true, "both are where they were");
    NS_TEST_EXPECT_MSG_EQ((beat(1, 2, 1, GROUP, 6) == none), true, "another port takes no room");
    beat(2, 1, 2, GROUP + 1, 6);
    NS_TEST_EXPECT_MSG_EQ((beat(3, 1, 1, GROUP, 9) == none), true, "nor does another host, in all");
    NS_TEST_EXPECT_MSG_EQ((beat(1, 2, 1, GROUP + 1, 9) == other), true, "both have moved");
    NS_TEST_EXPECT_MSG_EQ((beat(3, 1, 1, GROUP + 1, 9) == none), true, "both have moved");
}

LFN_CASE(JrmHostsTestCase)
{
    const auto full = std::optional(DropReason::BUFFER_FULL);
    const auto none = std::optional<DropReason>();
    auto shared = MakeBasicSettings();
    shared.limits.hostShare = 0.5;
    shared.limits.maxStreams = 4;
    shared.streamTimeout = Seconds(10);
    JrmReceiverProbe streams(shared);
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 1, 1, 7, 50, 0) == none), true, "one");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 1, 1, 8, 50, 0) == none), true, "one");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 1, 2, 7, 50, 1) == none), true, "two");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 1, 3, 7, 50, 1) == full), true, "its share");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 2, 3, 7, 50, 2) == none), true, "another host");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 3, 4, 7, 50, 2) == none), true, "a third one");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 4, 5, 7, 50, 2) == full), true, "all is taken");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 4, 1, 5000, 50, 9) == DropReason::UNKNOWN_PEER),
                          true,
                          "another's number");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 1, 2, 9, 350, 9) == none), true, "2 is received");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 4, 1, 5000, 50, 10) == none), true, "1 was silent");
    NS_TEST_EXPECT_MSG_EQ(streams.core.GetCounters(1).delivered, 3, "both who had the number");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 1, 2, 10, 50, 18) == none), true, "2 goes on");
    NS_TEST_EXPECT_MSG_EQ(streams.core.GetHolders(), 2, "8 and 9 of it");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(streams, 1, 1, 10, 50, 40) == none), true, "all were silent");
    NS_TEST_EXPECT_MSG_EQ(streams.core.GetHolders(), 0, "given up");
    NS_TEST_EXPECT_MSG_EQ(streams.core.GetCounters(2).lost, 2, "counted");
    NS_TEST_EXPECT_MSG_EQ(streams.core.GetCounters().delivered, 8, "all that ever came");

    auto few = MakeBasicSettings();
    few.limits.hostShare = 0.5;
    few.limits.maxHolders = 4;
    few.limits.maxBytes = 1000;
    JrmReceiverProbe holders(few);
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(holders, 1, 1, 7, 350, 0) == none), true, "one");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(holders, 1, 2, 7, 350, 0) == none), true, "two");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(holders, 1, 2, 8, 350, 0) == full), true, "its share");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(holders, 2, 3, 7, 350, 0) == none), true, "another host");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(holders, 2, 3, 8, 350'000, 0) == full), true, "too many bits");
    NS_TEST_EXPECT_MSG_EQ((TakeFrom(holders, 2, 3, 8, 35'000, 0) == none), true, "fewer");
}

/** @brief What is asked for is in proportion to what came of a host. */
LFN_CASE(JrmNackLimitTestCase)
{
    auto limited = MakeBasicSettings();
    limited.limits.nackLimit = 2;
    limited.maxNackAttempts = 3;
    limited.nackBackoff = 1;
    JrmReceiverProbe probe(limited);
    // 1 byte and 48 of headers: 98 bytes of requests, which is 24 PSNs.
    probe.Take(0, 1, 101, 10'001);
    probe.core.Expire(MilliSeconds(20));
    const auto first = probe.core.NextNack();
    NS_TEST_ASSERT_MSG_EQ(first.has_value(), true, "a request");
    NS_TEST_EXPECT_MSG_EQ(first->packets.size(), 24, "no more");
    NS_TEST_EXPECT_MSG_EQ(probe.core.NextNack().has_value(), false, "and no other");
    NS_TEST_EXPECT_MSG_EQ(probe.core.GetCounters().withheld, 1, "counted");
    NS_TEST_EXPECT_MSG_EQ(probe.At(70), "", "nothing is left");
    // 100 bytes: 296 of requests, 123 PSNs, and 99 are missing.
    probe.Take(80, 1, 1, 10'001, JrmType::NACK_RESP);
    probe.core.Expire(MilliSeconds(100));
    const auto second = probe.core.NextNack();
    NS_TEST_ASSERT_MSG_EQ(second.has_value(), true, "a request");
    NS_TEST_EXPECT_MSG_EQ(second->packets.size(), 99, "all that is missing");
    NS_TEST_EXPECT_MSG_EQ(probe.At(150), "", "nothing is left");
    probe.At(200);
    probe.At(250);
    NS_TEST_EXPECT_MSG_EQ(probe.core.GetHolders(), 0, "it ends all the same");
    NS_TEST_EXPECT_MSG_EQ(probe.core.GetCounters().lost, 1, "lost");
}

LFN_CASE(JrmRepairLimitTestCase)
{
    JrmSenderCore::Settings settings;
    settings.packetSize = 80;
    settings.adapt = MakeFixedRules();
    settings.holdOff = MilliSeconds(10);
    settings.repairs.one = 2;
    settings.repairs.all = 3;
    settings.answerAll = false;
    JrmSenderCore core;
    core.Start(settings);
    // Datagrams of 100 bytes.
    const auto id = core.Send(GROUP, 20 * 80, Time(0));
    const std::vector<uint16_t> one{1};
    const auto ask = [&](uint64_t host, int64_t ms) {
        const auto refused = core.OnNack(*id, one, true, MilliSeconds(ms), {{host}, 9});
        uint32_t count = 0;
        while (core.NextResponse())
        {
            ++count;
        }
        NS_TEST_EXPECT_MSG_EQ(count, (refused ? 0 : 1), "answered or refused, one packet");
        return refused;
    };
    NS_TEST_EXPECT_MSG_EQ(ask(1, 0).has_value(), false, "host 1");
    NS_TEST_EXPECT_MSG_EQ((ask(1, 9) == DropReason::DUPLICATE), true, "within the hold-off");
    NS_TEST_EXPECT_MSG_EQ(ask(2, 9).has_value(), false, "it is not host 2's");
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().held, 1, "counted");
    int64_t ms = 20;
    for (int i = 1; i < 2 * 20 + 16; ++i, ms += 10)
    {
        NS_TEST_EXPECT_MSG_EQ(ask(1, ms).has_value(), false, "its share, and 16");
    }
    NS_TEST_EXPECT_MSG_EQ((ask(1, ms) == DropReason::BUFFER_FULL), true, "no more");
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().denied, 1, "counted");
    const auto deadline = core.GetDeadline();
    ask(1, ms + 10);
    NS_TEST_EXPECT_MSG_EQ((core.GetDeadline() == deadline), true, "it is kept no longer");
    for (int i = 1; i < 20; ++i, ms += 10)
    {
        NS_TEST_EXPECT_MSG_EQ(ask(2, ms).has_value(), false, "what is left for all");
    }
    NS_TEST_EXPECT_MSG_EQ((ask(2, ms) == DropReason::BUFFER_FULL), true, "three times and 16");
    core.Send(GROUP, 80, MilliSeconds(ms));
    for (int i = 0; i < 2; ++i, ms += 10)
    {
        NS_TEST_EXPECT_MSG_EQ(ask(1, ms).has_value(), false, "another packet: two more");
    }
    NS_TEST_EXPECT_MSG_EQ((ask(1, ms) == DropReason::BUFFER_FULL), true, "of host 1");
    NS_TEST_EXPECT_MSG_EQ(ask(2, ms).has_value(), false, "the third one");
    NS_TEST_EXPECT_MSG_EQ((ask(2, ms + 10) == DropReason::BUFFER_FULL), true, "that is all");
}

/** @brief JRM's two halves: what they hold and send is bounded. */
const Suite g_suite("lfn-jrm-bounds", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new JrmOwnerTestCase("whose number it is: forged and moved senders"));
    suite.Add(new JrmMoveTestCase("a sender of several groups that moves"));
    suite.Add(new JrmBoundsTestCase("bounds of holders, bytes, streams and lists"));
    suite.Add(new JrmHostsTestCase("the share of a host; streams age"));
    suite.Add(new JrmNackLimitTestCase("requests are in proportion to what came"));
    suite.Add(new JrmRepairLimitTestCase("repairs are in proportion to what was sent"));
});

} // namespace
