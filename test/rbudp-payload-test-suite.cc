// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "rbudp-test-bytes.h"
#include "rbudp-test-peer.h"

#include "ns3/nstime.h"
#include "ns3/rbudp-header.h"
#include "ns3/rbudp-object-stream.h"
#include "ns3/rbudp-receiver-core.h"
#include "ns3/rbudp-sender-core.h"

#include <algorithm>
#include <cstdint>
#include <optional>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using SenderState = RbudpSenderCore::State;

LFN_CASE(RbudpLateTestCase)
{
    RbudpTestPeer peer;
    peer.settings.payloadSize = 10;
    for (uint32_t payload = 0; payload < 5; ++payload)
    {
        NS_TEST_EXPECT_MSG_EQ(peer.Announce(95), true, "payload " << payload);
        NS_TEST_EXPECT_MSG_EQ(peer.announcement.firstSequence, 10 * payload, "numbers go on");
        for (uint32_t late = 0; late < 10 * payload; ++late)
        {
            NS_TEST_EXPECT_MSG_EQ(
                (peer.receiver.OnDatagram(late, 10).refused == DropReason::OUT_OF_RANGE),
                true,
                "late " << late);
        }
        NS_TEST_EXPECT_MSG_EQ(
            (peer.receiver.OnDatagram(10 * payload + 10, 10).refused == DropReason::OUT_OF_RANGE),
            true,
            "too early");
        NS_TEST_EXPECT_MSG_EQ(peer.receiver.GetCounters().deliveredBytes, 0, "none is taken");
        peer.Blast({3});
        peer.Exchange();
        peer.Blast();
        NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "payload " << payload);
        NS_TEST_EXPECT_MSG_EQ(peer.IsByteExact(), true, "content");
    }
    NS_TEST_EXPECT_MSG_EQ((peer.receiver.OnDatagram(49, 5).refused == DropReason::UNANNOUNCED),
                          true,
                          "between payloads");
}

LFN_CASE(RbudpReceiverWrapTestCase)
{
    for (uint32_t before = 0; before <= 20; ++before)
    {
        RbudpReceiverCore receiver;
        const uint32_t first = 0 - before;
        receiver.OnAnnouncement({195, 10, first});
        for (uint32_t index = 0; index < 20; ++index)
        {
            NS_TEST_EXPECT_MSG_EQ(receiver.Predict(first + index), true, "in order");
            const auto place = receiver.OnDatagram(first + index, index == 19 ? 5 : 10);
            NS_TEST_EXPECT_MSG_EQ(place.refused.has_value(), false, "taken");
            NS_TEST_EXPECT_MSG_EQ(place.offset, 10 * index, "its place");
        }
        NS_TEST_EXPECT_MSG_EQ(
            (receiver.OnDatagram(first - 1, 10).refused == DropReason::OUT_OF_RANGE),
            true,
            "before the first");
        NS_TEST_EXPECT_MSG_EQ(
            (receiver.OnDatagram(first + 20, 10).refused == DropReason::OUT_OF_RANGE),
            true,
            "behind the last");
        NS_TEST_EXPECT_MSG_EQ(receiver.IsComplete(), true, "all there");
    }
}

LFN_CASE(RbudpSequenceWrapTestCase)
{
    constexpr uint64_t BIG = uint64_t{1} << 28;
    RbudpTestPeer peer;
    peer.settings.payloadSize = 1;
    const auto ack = MakeAck(BIG - 4, {});
    for (uint64_t payload = 0; payload < 16; ++payload)
    {
        const auto announcement = peer.sender.Start(peer.settings, BIG - 4, {});
        NS_TEST_ASSERT_MSG_EQ(announcement.has_value(), true, "payload " << payload);
        NS_TEST_ASSERT_MSG_EQ(announcement->firstSequence, payload * (BIG - 4), "numbers");
        peer.sender.EndBlast();
        NS_TEST_ASSERT_MSG_EQ(peer.sender.OnAck(ack, {}), SenderState::COMPLETE, "full");
    }
    // 64 numbers are left: the next payload needs a hundred.
    NS_TEST_EXPECT_MSG_EQ(peer.Announce(100), true, "over the end");
    NS_TEST_EXPECT_MSG_EQ(peer.announcement.firstSequence, 0 - uint32_t{64}, "first");
    peer.Blast({63, 64});
    NS_TEST_EXPECT_MSG_EQ(peer.departures[63].sequence, UINT32_MAX, "the last number");
    NS_TEST_EXPECT_MSG_EQ(peer.departures[64].sequence, 0, "the first one again");
    NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, "gaps");
    NS_TEST_EXPECT_MSG_EQ((peer.Blast() == RbudpTestPeer::Indices{63, 64}), true, "resent");
    NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "full");
    NS_TEST_EXPECT_MSG_EQ(peer.IsByteExact(), true, "content");
    NS_TEST_EXPECT_MSG_EQ(peer.Announce(1), true, "and on");
    NS_TEST_EXPECT_MSG_EQ(peer.announcement.firstSequence, 36, "numbers");
}

LFN_CASE(RbudpRefusalsTestCase)
{
    // Check what became of a datagram.
    const auto expect = [&](const RbudpReceiverCore::Placement& place,
                            std::optional<DropReason> refused) {
        NS_TEST_EXPECT_MSG_EQ(place.refused.value_or(DropReason::COUNT_),
                              refused.value_or(DropReason::COUNT_),
                              "refusal");
    };
    RbudpReceiverCore receiver;
    expect(receiver.OnDatagram(0, 10), DropReason::UNANNOUNCED);
    receiver.OnAnnouncement({95, 10, 100});
    expect(receiver.OnDatagram(99, 10), DropReason::OUT_OF_RANGE);
    expect(receiver.OnDatagram(110, 10), DropReason::OUT_OF_RANGE);
    expect(receiver.OnDatagram(0, 10), DropReason::OUT_OF_RANGE);
    for (uint32_t index = 0; index < 10; ++index)
    {
        const uint32_t right = index == 9 ? 5 : 10;
        for (uint32_t bytes = 0; bytes < 30; ++bytes)
        {
            if (bytes != right)
            {
                expect(receiver.OnDatagram(100 + index, bytes), DropReason::WRONG_LENGTH);
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().deliveredBytes, 0, "nothing taken");
    for (uint32_t index = 0; index < 10; ++index)
    {
        const uint32_t right = index == 9 ? 5 : 10;
        NS_TEST_EXPECT_MSG_EQ(receiver.IsComplete(), false, "before " << index);
        expect(receiver.OnDatagram(100 + index, right), std::nullopt);
        expect(receiver.OnDatagram(100 + index, right), DropReason::DUPLICATE);
        // A wrong length is not a duplicate.
        expect(receiver.OnDatagram(100 + index, right + 1), DropReason::WRONG_LENGTH);
    }
    NS_TEST_EXPECT_MSG_EQ(receiver.IsComplete(), true, "all there");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().deliveredBytes, 95, "each once");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().duplicatePackets, 10, "duplicates");
    expect(receiver.OnDatagram(100, 10), DropReason::DUPLICATE);
    NS_TEST_EXPECT_MSG_EQ(receiver.OnDone({0}).has_value(), true, "done");
    expect(receiver.OnDatagram(100, 10), DropReason::UNANNOUNCED);
    NS_TEST_EXPECT_MSG_EQ(receiver.OnDone({1}).has_value(), false, "done twice");
}

LFN_CASE(RbudpPredictionTestCase)
{
    // Read and take a datagram, which should be the expected one or not.
    const auto read = [&](RbudpReceiverCore& receiver, uint32_t index, bool predicted) {
        NS_TEST_EXPECT_MSG_EQ(receiver.Predict(50 + index), predicted, "datagram " << index);
        receiver.OnDatagram(50 + index, 10);
    };
    RbudpReceiverCore receiver;
    NS_TEST_EXPECT_MSG_EQ(receiver.Predict(0), false, "no payload");
    receiver.OnAnnouncement({100, 10, 50});
    // Datagram 2 is lost, 6 overtakes 5, 7 comes twice, 9 is lost.
    read(receiver, 0, true);
    read(receiver, 1, true);
    read(receiver, 3, false);
    read(receiver, 4, true);
    read(receiver, 6, false);
    read(receiver, 5, false);
    read(receiver, 7, true);
    read(receiver, 7, false);
    read(receiver, 8, true);
    NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().unpredictedPackets, 4, "mispredictions");
    NS_TEST_EXPECT_MSG_EQ(receiver.Predict(49), false, "out of range");
    NS_TEST_EXPECT_MSG_EQ(receiver.Predict(60), false, "out of range");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().unpredictedPackets, 4, "these do not count");
    receiver.OnDone({0});
    // 2 and 9 are known to come, in this order.
    read(receiver, 2, true);
    read(receiver, 9, true);
    NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().unpredictedPackets,
                          4,
                          "retransmissions are foreseen");

    // Retransmissions that are lost again.
    RbudpReceiverCore lossy;
    lossy.OnAnnouncement({100, 10, 50});
    read(lossy, 5, false);
    lossy.OnDone({0});
    read(lossy, 0, true);
    read(lossy, 4, false);
    read(lossy, 6, true); // 5 is there, so 6 follows 4
    read(lossy, 9, false);
    lossy.OnDone({1});
    read(lossy, 1, true);
    read(lossy, 2, true);
    read(lossy, 3, true);
    read(lossy, 7, true);
    read(lossy, 8, true);
    NS_TEST_EXPECT_MSG_EQ(lossy.IsComplete(), true, "all there");
    NS_TEST_EXPECT_MSG_EQ(lossy.GetCounters().unpredictedPackets, 3, "mispredictions");

    // Without loss every datagram is where it should be.
    RbudpReceiverCore clean;
    clean.OnAnnouncement({100'000, 10, UINT32_MAX - 50});
    for (uint32_t index = 0; index < 10'000; ++index)
    {
        NS_TEST_ASSERT_MSG_EQ(clean.Predict(UINT32_MAX - 50 + index), true, index);
    }
}

LFN_CASE(RbudpMalformedAckTestCase)
{
    // Hand an acknowledgement of N datagrams to a sender that waits for one.
    const auto check = [&](uint64_t datagrams, const Bytes& ack, SenderState expected) {
        RbudpTestPeer peer;
        peer.settings.payloadSize = 3;
        peer.Announce(3 * datagrams);
        peer.Blast();
        peer.sender.EndBlast();
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetAckSize(), datagrams / 8 + 2, "size");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.OnAck(ack, peer.now), expected, Hex(ack));
        NS_TEST_EXPECT_MSG_EQ(
            peer.sender.GetFailure(),
            (expected == SenderState::FAILED ? "the acknowledgement is malformed" : ""),
            Hex(ack));
    };
    for (uint64_t datagrams = 1; datagrams <= 24; ++datagrams)
    {
        const auto full = MakeAck(datagrams, {});
        const auto gaps = MakeAck(datagrams, {datagrams - 1});
        check(datagrams, full, SenderState::COMPLETE);
        check(datagrams, gaps, SenderState::BLASTING);
        check(datagrams, {}, SenderState::FAILED);
        check(datagrams, {full.begin(), full.end() - 1}, SenderState::FAILED);
        auto longer = full;
        longer.push_back(0xff);
        check(datagrams, longer, SenderState::FAILED);
        for (const int first : {0, 2, 255})
        {
            auto wrong = full;
            wrong[0] = static_cast<uint8_t>(first);
            check(datagrams, wrong, SenderState::FAILED);
        }
        auto claims = gaps;
        claims[0] = 1;
        check(datagrams, claims, SenderState::FAILED);
        for (uint64_t bit = datagrams; bit < 8 * (full.size() - 1); ++bit)
        {
            auto tail = gaps;
            tail[1 + bit / 8] &= static_cast<uint8_t>(~(1U << (bit % 8)));
            check(datagrams, tail, SenderState::FAILED);
        }
    }
}

LFN_CASE(RbudpLargePayloadTestCase)
{
    // 10 GB in datagrams of 65503 B: both ends, the last retransmission is behind 2^33 B.
    RbudpTestPeer peer;
    const uint64_t bytes = 10'000'000'000;
    peer.settings.payloadSize = 65'503;
    const auto announcement = peer.sender.Start(peer.settings, bytes, {});
    NS_TEST_ASSERT_MSG_EQ(announcement.has_value(), true, "10 GB");
    NS_TEST_ASSERT_MSG_EQ(peer.receiver.OnAnnouncement(*announcement), true, "10 GB");
    const uint64_t datagrams = 1 + (bytes - 1) / 65'503;
    uint64_t sum = 0;
    uint64_t sent = 0;
    while (const auto departure = peer.sender.Next())
    {
        sum += departure->bytes;
        if (++sent < datagrams)
        {
            peer.receiver.OnDatagram(departure->sequence, departure->bytes);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(sent, datagrams, "datagrams");
    NS_TEST_EXPECT_MSG_EQ(sum, bytes, "bytes");
    NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, "one is missing");
    const auto last = peer.sender.Next();
    NS_TEST_ASSERT_MSG_EQ(last.has_value(), true, "the last one");
    NS_TEST_EXPECT_MSG_EQ(last->offset, (datagrams - 1) * 65'503, "its place");
    NS_TEST_EXPECT_MSG_EQ(last->bytes, bytes - last->offset, "its size");
    const auto place = peer.receiver.OnDatagram(last->sequence, last->bytes);
    NS_TEST_EXPECT_MSG_EQ(place.offset, last->offset, "where it is put");
    NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "full");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.GetCounters().acknowledgedBytes, bytes, "acknowledged");
    NS_TEST_EXPECT_MSG_EQ(peer.receiver.GetCounters().deliveredBytes, bytes, "delivered");

    // The sender alone, 6 TB: no memory is taken before the bitmap.
    RbudpSenderCore sender;
    RbudpSenderCore::Settings settings;
    settings.payloadSize = 8192;
    const auto huge = sender.Start(settings, 6'000'000'000'000, {});
    NS_TEST_ASSERT_MSG_EQ(huge.has_value(), true, "6 TB");
    NS_TEST_EXPECT_MSG_EQ(sender.GetAckSize(), 732'421'875 / 8 + 2, "its bitmap");
    const auto read = RbudpAnnouncement::Read(huge->Write());
    NS_TEST_EXPECT_MSG_EQ(read->bytes, 6'000'000'000'000, "announced");
    NS_TEST_EXPECT_MSG_EQ(read->GetDatagramBytes(732'421'874), 8192, "an exact fit");
}

LFN_CASE(RbudpObjectsPerBlockTestCase)
{
    const auto objects = RbudpObjectStream::GetObjectsPerBlock;
    NS_TEST_EXPECT_MSG_EQ(objects(20, MilliSeconds(500)), 10, "the paper's example");
    NS_TEST_EXPECT_MSG_EQ(objects(30, MilliSeconds(100)), 3, "30 * 0.1");
    NS_TEST_EXPECT_MSG_EQ(objects(10, MilliSeconds(700)), 7, "10 * 0.7");
    NS_TEST_EXPECT_MSG_EQ(objects(20, MilliSeconds(499)), 9, "just below a whole number");
    NS_TEST_EXPECT_MSG_EQ(objects(20, MilliSeconds(549)), 10, "just below the next");
    NS_TEST_EXPECT_MSG_EQ(objects(20, MilliSeconds(550)), 11, "the next");
    NS_TEST_EXPECT_MSG_EQ(objects(20, MilliSeconds(1)), 1, "at least one");
    NS_TEST_EXPECT_MSG_EQ(objects(1e-6, Time(0)), 1, "at least one");
    NS_TEST_EXPECT_MSG_EQ(objects(0.1, Seconds(30)), 3, "0.1 * 30");
    // Every whole product of tenths of objects/s and milliseconds, by integers.
    for (uint64_t tenths = 1; tenths <= 600; ++tenths)
    {
        for (uint64_t ms = 1; ms <= 2000; ms += 7)
        {
            const uint64_t expected = std::max<uint64_t>(1, tenths * ms / 10'000);
            NS_TEST_ASSERT_MSG_EQ(objects(static_cast<double>(tenths) / 10, MilliSeconds(ms)),
                                  expected,
                                  tenths << " / 10 objects/s, " << ms << " ms");
        }
    }
}

const Suite g_suite("lfn-rbudp-payload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new RbudpLateTestCase(
        "sequence numbers: datagrams of an earlier payload that arrive during the next one"));
    suite.Add(
        new RbudpReceiverWrapTestCase("sequence numbers: a payload over the end of the range"));
    suite.Add(
        new RbudpSequenceWrapTestCase("sequence numbers: a connection of more than 2^32 datagrams"),
        TestCase::Duration::EXTENSIVE);
    suite.Add(new RbudpRefusalsTestCase(
        "refusals: duplicates, wrong lengths, out of range, unannounced"));
    suite.Add(new RbudpPredictionTestCase(
        "scatter-gather: prediction in the first blast and in retransmissions"));
    suite.Add(
        new RbudpMalformedAckTestCase("malformed acknowledgements fail the payload with a reason"));
    suite.Add(new RbudpLargePayloadTestCase("payloads of 10 GB and 6 TB"));
    suite.Add(new RbudpObjectsPerBlockTestCase("equation (9): objects per block"));
});

} // namespace
