// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/udt-blast-control.h"
#include "ns3/udt-message-buffer.h"
#include "ns3/udt-native-control.h"
#include "ns3/udt-receiver-core.h"
#include "ns3/udt-sender-core.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <variant>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Header of a packet of a message. */
UdtData
MakeHeader(uint32_t message, bool isFirst, bool isLast, bool isInOrder)
{
    UdtData header;
    header.message = message;
    header.isFirst = isFirst;
    header.isLast = isLast;
    header.isInOrder = isInOrder;
    return header;
}

LFN_CASE(UdtDropWireTestCase)
{
    const UdtDrop drop{5, {0x7ffffffe, 1}, 9};
    const auto bytes = drop.Write();
    const std::vector<uint8_t> expected{0x80, 7, 0, 0, 0,    0,    0,    5,    0, 0, 0, 0,
                                        0,    0, 0, 9, 0x7f, 0xff, 0xff, 0xfe, 0, 0, 0, 1};
    NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "type 7, message number, first and last");
    NS_TEST_EXPECT_MSG_EQ((std::get<UdtDrop>(ReadUdtPacket(bytes)) == drop), true, "read again");
    const auto isRefused = [](const std::vector<uint8_t>& packet) {
        return std::holds_alternative<UdtMalformed>(ReadUdtPacket(packet));
    };
    auto changed = bytes;
    changed.resize(20);
    NS_TEST_EXPECT_MSG_EQ(isRefused(changed), true, "too short");
    changed = bytes;
    changed.insert(changed.end(), 4, 0);
    NS_TEST_EXPECT_MSG_EQ(isRefused(changed), true, "too long");
    changed = bytes;
    changed[20] = 0x80;
    NS_TEST_EXPECT_MSG_EQ(isRefused(changed), true, "a sequence number of 32 bits");
    changed = bytes;
    changed[4] = 0x20;
    NS_TEST_EXPECT_MSG_EQ(isRefused(changed), true, "a message number of 30 bits");
    changed = UdtDrop{5, {7, 6}, 9}.Write();
    NS_TEST_EXPECT_MSG_EQ(isRefused(changed), true, "its end is before its start");
}

LFN_CASE(UdtLossRangeTestCase)
{
    // Against a plain set.
    std::mt19937 random(3);
    UdtLossList list;
    std::set<int64_t> plain;
    for (int i = 0; i < 2000; ++i)
    {
        const int64_t first = random() % 200;
        const int64_t last = first + random() % 20;
        const bool isAdded = random() % 2 == 0;
        for (int64_t j = first; j <= last; ++j)
        {
            isAdded ? static_cast<void>(plain.insert(j)) : static_cast<void>(plain.erase(j));
        }
        isAdded ? list.Add(first, last) : list.Remove(first, last);
        std::set<int64_t> found;
        for (const auto& [from, to] : list.GetIntervals())
        {
            for (int64_t j = from; j <= to; ++j)
            {
                found.insert(j);
            }
        }
        NS_TEST_ASSERT_MSG_EQ((found == plain), true, "the same packets");
        NS_TEST_ASSERT_MSG_EQ(list.GetSize(), static_cast<int64_t>(plain.size()), "their number");
    }
}

LFN_CASE(UdtMessageBufferTestCase)
{
    UdtMessageBuffer buffer;
    // Message 1 in order, of packets 0 to 2; message 2 need not wait, 3 and 4; 3
    // in order, 5.
    buffer.Put(0, MakeHeader(1, true, false, true), 10);
    buffer.Put(3, MakeHeader(2, true, false, false), 10);
    buffer.Put(5, MakeHeader(3, true, true, true), 7);
    NS_TEST_EXPECT_MSG_EQ(buffer.Take(1).has_value(), false, "nothing is whole but behind gaps");
    buffer.Put(4, MakeHeader(2, false, true, false), 3);
    const auto early = buffer.Take(1);
    NS_TEST_ASSERT_MSG_EQ(early.has_value(), true, "message 2 overtakes");
    NS_TEST_EXPECT_MSG_EQ(early->number, 2, "that one");
    NS_TEST_EXPECT_MSG_EQ(early->bytes, 13, "whole");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetNext(), 0, "message 1 is still awaited");
    NS_TEST_EXPECT_MSG_EQ(buffer.Take(6).has_value(), false, "message 3 waits");
    buffer.Put(2, MakeHeader(1, false, true, true), 10);
    buffer.Put(1, MakeHeader(1, false, false, true), 10);
    NS_TEST_EXPECT_MSG_EQ(buffer.Take(2).has_value(), false, "not yet acknowledged");
    NS_TEST_EXPECT_MSG_EQ(buffer.Take(3)->bytes, 30, "message 1");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetNext(), 5, "what was taken is skipped");
    NS_TEST_EXPECT_MSG_EQ(buffer.Take(6)->number, 3, "message 3");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetBytes(), 0, "empty");

    // A message that is given up frees those behind it; what arrived of it is
    // discarded.
    buffer.Put(6, MakeHeader(4, true, false, true), 10);
    buffer.Put(9, MakeHeader(5, true, true, true), 5);
    buffer.Drop(6, 8);
    NS_TEST_EXPECT_MSG_EQ(buffer.Take(10)->number, 5, "message 5");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetDiscarded(), 10, "of message 4");
    buffer.Put(7, MakeHeader(4, false, false, true), 10);
    NS_TEST_EXPECT_MSG_EQ(buffer.GetDiscarded(), 20, "too late");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetNext(), 10, "nothing waits");
}

LFN_CASE(UdtMessageNonsenseTestCase)
{
    // Headers that lie: everything that is acknowledged leaves the buffer in the
    // end.
    for (uint32_t seed = 0; seed < 200; ++seed)
    {
        std::mt19937 random(seed);
        UdtMessageBuffer buffer;
        uint64_t put = 0;
        uint64_t taken = 0;
        constexpr int64_t PACKETS = 100;
        std::vector<int64_t> order(PACKETS);
        for (int64_t i = 0; i < PACKETS; ++i)
        {
            order[i] = i;
        }
        std::shuffle(order.begin(), order.end(), random);
        for (const auto index : order)
        {
            buffer.Put(
                index,
                MakeHeader(random() % 4, random() % 2 == 0, random() % 2 == 0, random() % 2 == 0),
                10);
            put += 10;
            while (const auto message = buffer.Take(0))
            {
                taken += message->bytes;
            }
        }
        buffer.Put(PACKETS, MakeHeader(9, true, true, true), 1);
        ++put;
        while (const auto message = buffer.Take(PACKETS + 1))
        {
            taken += message->bytes;
            NS_TEST_ASSERT_MSG_EQ(
                message->bytes,
                (message->number == 9
                     ? 1U
                     : static_cast<uint64_t>(10 * (message->last - message->first + 1))),
                "whole");
        }
        NS_TEST_EXPECT_MSG_EQ(buffer.GetNext(), PACKETS + 1, "nothing is stuck");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetBytes(), 0, "nothing waits");
        NS_TEST_EXPECT_MSG_EQ(taken + buffer.GetDiscarded(), put, "delivered or discarded");
    }
}

LFN_CASE(UdtTimeToLiveTestCase)
{
    // Messages of two packets; the first packet of message 1 is lost, and its
    // time is over.
    for (const bool isInTime : {true, false})
    {
        UdtSenderCore sender;
        UdtSenderCore::Settings settings;
        settings.writeSize = 2 * settings.payloadSize;
        settings.isInOrder = true;
        settings.timeToLive = MilliSeconds(50);
        UdtHandshake peer;
        peer.initialSequence = 100;
        peer.socketId = 8;
        peer.window = 1000;
        sender.Start(settings,
                     std::make_unique<UdtNativeControl>(UdtNativeControl::Settings()),
                     peer,
                     4 * settings.payloadSize,
                     Seconds(1));
        UdtReceiverCore::Settings own;
        UdtReceiverCore receiver(own, peer, Seconds(1));
        UdtMessageBuffer buffer;
        std::vector<uint32_t> delivered;
        const auto deliver = [&](Time now, const UdtSenderCore::Departure& departure) {
            const auto arrival = receiver.OnData(now, departure.header, departure.bytes);
            if (!arrival.refused)
            {
                buffer.Put(arrival.index, departure.header, departure.bytes);
            }
        };
        Time now = Seconds(1);
        for (uint32_t i = 0; i < 4; ++i)
        {
            const auto departure = sender.Send(now);
            NS_TEST_ASSERT_MSG_EQ(departure.has_value(), true, "a new packet");
            NS_TEST_EXPECT_MSG_EQ(departure->header.isInOrder, true, "O");
            NS_TEST_EXPECT_MSG_EQ(departure->header.isFirst, (i % 2 == 0), "first");
            NS_TEST_EXPECT_MSG_EQ(departure->header.isLast, (i % 2 == 1), "last");
            NS_TEST_EXPECT_MSG_EQ(departure->header.message, i / 2 + 1, "message");
            if (i > 0)
            {
                deliver(now + MilliSeconds(1), *departure);
            }
        }
        for (const auto& reply : receiver.TakeReplies())
        {
            sender.OnPacket(now + MilliSeconds(2), reply);
        }
        sender.TakeReplies();
        now += MilliSeconds(isInTime ? 50 : 51);
        const auto again = sender.Send(now);
        const auto replies = sender.TakeReplies();
        const auto& counters = sender.GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.lostMessages, (isInTime ? 0U : 1U), "given up");
        NS_TEST_EXPECT_MSG_EQ(again.has_value(), isInTime, "retransmitted");
        if (again)
        {
            deliver(now + MilliSeconds(1), *again);
        }
        NS_TEST_ASSERT_MSG_EQ(replies.size(), (isInTime ? 0U : 1U), "a message drop");
        if (!isInTime)
        {
            const auto drop = std::get<UdtDrop>(replies.front());
            NS_TEST_EXPECT_MSG_EQ((drop == UdtDrop{1, {100, 101}, 8}), true, "of message 1");
            NS_TEST_EXPECT_MSG_EQ(counters.lostBytes, settings.writeSize, "its bytes");
            const auto givenUp = receiver.OnDrop(now + MilliSeconds(1), drop);
            NS_TEST_ASSERT_MSG_EQ(givenUp.has_value(), true, "taken");
            buffer.Drop(givenUp->first, givenUp->second);
            NS_TEST_EXPECT_MSG_EQ(receiver.GetLost().GetSize(), 0, "nothing is missing");
        }
        receiver.OnCheck(now + MilliSeconds(100));
        while (const auto message = buffer.Take(receiver.GetReadable()))
        {
            delivered.push_back(message->number);
        }
        NS_TEST_EXPECT_MSG_EQ(
            (delivered == (isInTime ? std::vector<uint32_t>{1, 2} : std::vector<uint32_t>{2})),
            true,
            "the rest is delivered in order");
        for (const auto& reply : receiver.TakeReplies())
        {
            sender.OnPacket(now + MilliSeconds(101), reply);
        }
        NS_TEST_EXPECT_MSG_EQ(sender.IsComplete(), true, "everything is acknowledged");
    }
}

LFN_CASE(UdtMessageRoomTestCase)
{
    // A message enters the send buffer as a whole: 10 packets hold three of 3 packets, not a
    // fourth.
    UdtSenderCore sender;
    UdtSenderCore::Settings settings;
    settings.writeSize = 3 * settings.payloadSize;
    settings.sendBuffer = 10;
    settings.messages = true;
    UdtHandshake peer;
    peer.window = 1000;
    sender.Start(settings,
                 std::make_unique<UdtBlastControl>(1),
                 peer,
                 12 * settings.payloadSize,
                 Seconds(1));
    Time now = Seconds(1);
    for (; sender.GetNextDeparture(); now += MilliSeconds(1))
    {
        sender.Send(now);
    }
    NS_TEST_EXPECT_MSG_EQ(sender.GetCounters().packets, 9, "three messages");
    sender.OnPacket(now, UdtAck{1, 3, UdtAck::Path{10000, 5000, 1000}, {}, 0});
    for (; sender.GetNextDeparture(); now += MilliSeconds(1))
    {
        sender.Send(now);
    }
    NS_TEST_EXPECT_MSG_EQ(sender.GetCounters().packets, 12, "the fourth, when one is acknowledged");
}

LFN_CASE(UdtMessageScanTestCase)
{
    // What was checked of the first message counts only as long as it is there.
    UdtMessageBuffer buffer;
    buffer.Put(0, MakeHeader(1, true, false, true), 1);
    buffer.Put(1, MakeHeader(1, false, false, true), 1);
    buffer.Put(2, MakeHeader(1, false, false, true), 1);
    NS_TEST_EXPECT_MSG_EQ(buffer.Take(3).has_value(), false, "its end is missing");
    buffer.Put(3, MakeHeader(1, false, true, true), 1);
    buffer.Drop(1, 1);
    NS_TEST_EXPECT_MSG_EQ(buffer.Take(4).has_value(), false, "a part is given up");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetNext(), 4, "what was left is discarded");
    buffer.Put(4, MakeHeader(2, true, false, true), 1);
    NS_TEST_EXPECT_MSG_EQ(buffer.Take(5).has_value(), false, "its end is missing");
    buffer.Drop(4, 5);
    buffer.Put(6, MakeHeader(3, true, true, true), 1);
    NS_TEST_EXPECT_MSG_EQ(buffer.Take(7)->number, 3, "the next message");
}

LFN_CASE(UdtForgedDropTestCase)
{
    UdtReceiverCore receiver(UdtReceiverCore::Settings(), UdtHandshake(), Seconds(0));
    UdtData header;
    receiver.OnData(Seconds(1), header, 1456);
    const auto isTaken = [&](uint32_t first, uint32_t last) {
        return receiver.OnDrop(Seconds(1), UdtDrop{1, {first, last}, 0}).has_value();
    };
    NS_TEST_EXPECT_MSG_EQ(isTaken(5, 6), false, "behind a gap");
    NS_TEST_EXPECT_MSG_EQ(isTaken(1, 1U << 29), false, "beyond the buffer");
    NS_TEST_EXPECT_MSG_EQ(isTaken((1U << 31) - 2, (1U << 31) - 1), false, "before the start");
    NS_TEST_EXPECT_MSG_EQ(isTaken(1, 3), true, "the next packets");
    header.sequence = 2;
    const auto late = receiver.OnData(Seconds(1), header, 1456);
    NS_TEST_EXPECT_MSG_EQ(late.refused.has_value(), true, "given up");
}

// NOLINTNEXTLINE(cert-err58-cpp,cppcoreguidelines-avoid-non-const-global-variables)
const Suite SUITE("lfn-udt-message", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new UdtDropWireTestCase("Message drops on the wire"));
    suite.Add(new UdtLossRangeTestCase("Ranges leave the loss list"));
    suite.Add(new UdtMessageBufferTestCase("Messages are delivered whole, in order or not"));
    suite.Add(new UdtMessageNonsenseTestCase("Headers that contradict each other"));
    suite.Add(new UdtTimeToLiveTestCase("A message whose time is over"));
    suite.Add(new UdtMessageRoomTestCase("A message enters the send buffer as a whole"));
    suite.Add(new UdtMessageScanTestCase("A first message that changes while it is checked"));
    suite.Add(new UdtForgedDropTestCase("Drops of what is not there"));
});

} // namespace
