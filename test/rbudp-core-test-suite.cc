// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "rbudp-test-bytes.h"
#include "rbudp-test-peer.h"

#include "ns3/nstime.h"
#include "ns3/rbudp-receiver-core.h"
#include "ns3/rbudp-sender-core.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using SenderState = RbudpSenderCore::State;
using ReceiverState = RbudpReceiverCore::State;

LFN_CASE(RbudpTransitionsTestCase)
{
    using Event = RbudpSenderCore::Event;
    constexpr std::optional<SenderState> NONE;
    constexpr SenderState IDLE = SenderState::IDLE;
    constexpr SenderState BLASTING = SenderState::BLASTING;
    constexpr SenderState AWAITING = SenderState::AWAITING_ACK;
    constexpr SenderState COMPLETE = SenderState::COMPLETE;
    constexpr SenderState FAILED = SenderState::FAILED;
    constexpr std::array STATES{IDLE, BLASTING, AWAITING, COMPLETE, FAILED};
    const std::array EVENTS{Event::START,
                            Event::BLAST_SENT,
                            Event::ACK_FULL,
                            Event::ACK_GAPS,
                            Event::GIVE_UP};
    // Rows are states, columns are events, in the order above.
    const std::array<std::array<std::optional<SenderState>, 5>, 5> table{
        {{BLASTING, NONE, NONE, NONE, FAILED},
         {NONE, AWAITING, NONE, NONE, FAILED},
         {NONE, NONE, COMPLETE, BLASTING, FAILED},
         {BLASTING, NONE, NONE, NONE, FAILED},
         {NONE, NONE, NONE, NONE, FAILED}}};
    for (std::size_t row = 0; row < STATES.size(); ++row)
    {
        for (std::size_t column = 0; column < EVENTS.size(); ++column)
        {
            const auto next = RbudpSenderCore::Transition(STATES[row], EVENTS[column]);
            NS_TEST_EXPECT_MSG_EQ((next == table[row][column]),
                                  true,
                                  STATES[row] << ", event " << column);
        }
    }

    using Happens = RbudpReceiverCore::Event;
    const auto goes = [](ReceiverState from, Happens event, std::optional<ReceiverState> to) {
        return RbudpReceiverCore::Transition(from, event) == to;
    };
    constexpr auto REST = ReceiverState::IDLE;
    constexpr auto RECEIVING = ReceiverState::RECEIVING;
    NS_TEST_EXPECT_MSG_EQ(goes(REST, Happens::ANNOUNCED, RECEIVING), true, "a payload");
    NS_TEST_EXPECT_MSG_EQ(goes(REST, Happens::DONE_GAPS, std::nullopt), true, "no payload");
    NS_TEST_EXPECT_MSG_EQ(goes(REST, Happens::DONE_FULL, std::nullopt), true, "no payload");
    NS_TEST_EXPECT_MSG_EQ(goes(RECEIVING, Happens::ANNOUNCED, std::nullopt), true, "too soon");
    NS_TEST_EXPECT_MSG_EQ(goes(RECEIVING, Happens::DONE_GAPS, RECEIVING), true, "again");
    NS_TEST_EXPECT_MSG_EQ(goes(RECEIVING, Happens::DONE_FULL, REST), true, "the end");
}

LFN_CASE(RbudpCallsTestCase)
{
    RbudpTestPeer peer;
    NS_TEST_EXPECT_MSG_EQ(peer.sender.GetState(), SenderState::IDLE, "at first");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.Next().has_value(), false, "nothing to send");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.EndBlast().has_value(), false, "no blast to end");
    NS_TEST_EXPECT_MSG_EQ(peer.receiver.OnDone({0}).has_value(), false, "no payload");
    NS_TEST_EXPECT_MSG_EQ(peer.Announce(3000), true, "a payload");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.GetState(), SenderState::BLASTING, "A");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.Start({}, 1, {}).has_value(), false, "one at a time");
    NS_TEST_EXPECT_MSG_EQ(peer.receiver.OnAnnouncement({1, 1, 3}), false, "one at a time");
    NS_TEST_EXPECT_MSG_EQ(peer.receiver.OnDone({1}).has_value(), false, "not this round");
    peer.Blast();
    const auto ack = peer.Done();
    NS_TEST_ASSERT_MSG_EQ(ack.has_value(), true, "D");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.GetState(), SenderState::AWAITING_ACK, "C");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.EndBlast().has_value(), false, "DONE goes once");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.Next().has_value(), false, "no blast");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.OnAck(*ack, {}), SenderState::COMPLETE, "full");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.OnAck(*ack, {}), SenderState::FAILED, "a second one");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.GetFailure().empty(), false, "a reason");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.Start({}, 1, {}).has_value(), false, "failed for good");

    RbudpTestPeer early;
    early.Announce(3000);
    NS_TEST_EXPECT_MSG_EQ(early.sender.OnAck(MakeAck(3, {}), {}),
                          SenderState::FAILED,
                          "an acknowledgement before DONE");

    RbudpSenderCore fresh;
    RbudpSenderCore::Settings settings;
    NS_TEST_EXPECT_MSG_EQ(fresh.Start(settings, 0, {}).has_value(), false, "no bytes");
    settings.sendRate = DataRate(0);
    NS_TEST_EXPECT_MSG_EQ(fresh.Start(settings, 1, {}).has_value(), false, "no rate");
    settings.sendRate = DataRate(1);
    settings.payloadSize = 0;
    NS_TEST_EXPECT_MSG_EQ(fresh.Start(settings, 1, {}).has_value(), false, "no size");
    settings.payloadSize = 1;
    NS_TEST_EXPECT_MSG_EQ(fresh.Start(settings, (1ULL << 31) + 1, {}).has_value(),
                          false,
                          "too many datagrams");
    NS_TEST_EXPECT_MSG_EQ(fresh.Start(settings, 1, {}).has_value(), true, "still idle");
    NS_TEST_EXPECT_MSG_EQ(peer.receiver.OnAnnouncement({0, 1, 0}), false, "an empty payload");
}

LFN_CASE(RbudpFigure4TestCase)
{
    RbudpTestPeer peer;
    peer.settings.sendRate = DataRate("11600kbps"); // a datagram each millisecond
    peer.now = Seconds(7);
    peer.Announce(20 * 1450 - 50);
    NS_TEST_EXPECT_MSG_EQ(peer.Blast({4, 11, 19}).size(), 20, "A to B: the whole payload");
    for (uint32_t i = 0; i < 20; ++i)
    {
        const auto& departure = peer.departures[i];
        NS_TEST_EXPECT_MSG_EQ(departure.time, Seconds(7) + MilliSeconds(i), "when");
        NS_TEST_EXPECT_MSG_EQ(departure.offset, i * 1450, "from where");
        NS_TEST_EXPECT_MSG_EQ(departure.bytes, (i == 19 ? 1400 : 1450), "how much");
        NS_TEST_EXPECT_MSG_EQ(departure.sequence, i, "its number");
    }
    NS_TEST_EXPECT_MSG_EQ(peer.now, Seconds(7) + MilliSeconds(20), "T_udpSend");
    NS_TEST_EXPECT_MSG_EQ(peer.receiver.GetCounters().deliveredBytes, 17 * 1450, "arrivals");

    const auto bitmap = peer.Done();
    NS_TEST_ASSERT_MSG_EQ(bitmap.has_value(), true, "C");
    NS_TEST_EXPECT_MSG_EQ(Hex(*bitmap), Hex(MakeAck(20, {4, 11, 19})), "D");
    peer.Advance(MilliSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(peer.sender.OnAck(*bitmap, peer.now), SenderState::BLASTING, "E");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.GetCounters().acknowledgedBytes,
                          20 * 1450 - 50 - 3 * 1450,
                          "a missing datagram counts as a full one");

    NS_TEST_EXPECT_MSG_EQ((peer.Blast() == RbudpTestPeer::Indices{4, 11, 19}), true, "E to F");
    NS_TEST_EXPECT_MSG_EQ(peer.departures[0].time, Seconds(7) + MilliSeconds(120), "at once");
    NS_TEST_EXPECT_MSG_EQ(peer.departures[2].time, Seconds(7) + MilliSeconds(122), "same rate");
    NS_TEST_EXPECT_MSG_EQ(peer.departures[2].bytes, 1400, "the short one");
    NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "G");
    NS_TEST_EXPECT_MSG_EQ(peer.IsByteExact(), true, "content");

    const auto& work = peer.sender.GetCounters();
    NS_TEST_EXPECT_MSG_EQ(work.blasts, 2, "both blasts");
    NS_TEST_EXPECT_MSG_EQ(work.dataPackets, 23, "datagrams");
    NS_TEST_EXPECT_MSG_EQ(work.retransmittedPackets, 3, "again");
    NS_TEST_EXPECT_MSG_EQ(work.firstBlastPackets, 20, "N");
    NS_TEST_EXPECT_MSG_EQ(work.residualPacketsFirstBlast, 3, "missing after the first");
    NS_TEST_EXPECT_MSG_EQ(work.acknowledgedBytes, 20 * 1450 - 50, "all");
    NS_TEST_EXPECT_MSG_EQ(peer.receiver.GetState(), ReceiverState::IDLE, "ready for the next");
    NS_TEST_EXPECT_MSG_EQ(peer.receiver.GetCounters().rounds, 2, "answers");
}

/** @brief Rounds under random loss, duplication and reordering against a set of missing numbers. */
class RbudpRoundsTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        for (uint64_t seed = 0; seed < 400; ++seed)
        {
            RunOne(seed);
        }
    }

    /// One connection with up to three payloads.
    void RunOne(uint64_t seed)
    {
        std::mt19937_64 random(seed);
        RbudpTestPeer peer;
        peer.settings.payloadSize = static_cast<uint32_t>(1 + random() % 40);
        peer.settings.noProgressRounds = 1000;
        const double loss = static_cast<double>(seed % 10) / 11;
        uint32_t firstSequence = 0;
        for (int payload = 0; payload < 3; ++payload)
        {
            const uint64_t bytes = 1 + random() % 4000;
            const uint64_t datagrams = 1 + (bytes - 1) / peer.settings.payloadSize;
            NS_TEST_ASSERT_MSG_EQ(peer.Announce(bytes), true, "seed " << seed);
            NS_TEST_ASSERT_MSG_EQ(peer.announcement.firstSequence, firstSequence, "numbers go on");
            RbudpTestPeer::Indices missing(datagrams);
            std::iota(missing.begin(), missing.end(), 0);
            uint32_t blasts = 0;
            uint64_t packets = 0;
            uint64_t duplicates = 0;
            while (!missing.empty())
            {
                RbudpTestPeer::Indices left;
                const auto lose = [&](uint64_t index) {
                    const bool isLost = std::uniform_real_distribution()(random) < loss;
                    if (isLost)
                    {
                        left.push_back(index);
                    }
                    return isLost;
                };
                const auto disturb = [&](RbudpTestPeer::Indices& arriving) {
                    const auto copies = arriving.size() / 4;
                    for (std::size_t i = 0; i < copies; ++i)
                    {
                        arriving.push_back(arriving[random() % arriving.size()]);
                    }
                    duplicates += copies;
                    std::shuffle(arriving.begin(), arriving.end(), random);
                };
                NS_TEST_ASSERT_MSG_EQ((peer.Blast(lose, disturb) == missing), true, "resent");
                packets += missing.size();
                CheckDepartures(peer);
                missing = left;
                ++blasts;
                const auto state = peer.Exchange();
                NS_TEST_ASSERT_MSG_EQ(
                    state,
                    (missing.empty() ? SenderState::COMPLETE : SenderState::BLASTING),
                    "seed " << seed << ", blast " << blasts);
            }
            NS_TEST_ASSERT_MSG_EQ(peer.sender.GetCounters().blasts, blasts, "blasts");
            NS_TEST_ASSERT_MSG_EQ(peer.sender.GetCounters().dataPackets, packets, "packets");
            NS_TEST_ASSERT_MSG_EQ(peer.sender.GetCounters().retransmittedPackets,
                                  packets - datagrams,
                                  "retransmissions");
            NS_TEST_ASSERT_MSG_EQ(peer.receiver.GetCounters().duplicatePackets,
                                  duplicates,
                                  "twice");
            NS_TEST_ASSERT_MSG_EQ(peer.receiver.GetCounters().deliveredBytes, bytes, "delivered");
            NS_TEST_ASSERT_MSG_EQ(peer.IsByteExact(), true, "content, seed " << seed);
            firstSequence += static_cast<uint32_t>(datagrams);
        }
    }

    /// Check where and when a blast's datagrams leave.
    void CheckDepartures(const RbudpTestPeer& peer)
    {
        const auto bits = 8.0 * peer.settings.payloadSize;
        for (std::size_t i = 0; i < peer.departures.size(); ++i)
        {
            const auto& departure = peer.departures[i];
            const uint64_t index = peer.sent[i];
            NS_TEST_ASSERT_MSG_EQ(departure.offset, index * peer.settings.payloadSize, "offset");
            NS_TEST_ASSERT_MSG_EQ(departure.sequence,
                                  peer.announcement.firstSequence + static_cast<uint32_t>(index),
                                  "sequence");
            NS_TEST_ASSERT_MSG_EQ(departure.bytes,
                                  std::min<uint64_t>(peer.settings.payloadSize,
                                                     peer.content.size() - departure.offset),
                                  "bytes");
            const double offset = (departure.time - peer.departures[0].time).GetSeconds();
            const double due = static_cast<double>(i) * bits / 600e6;
            NS_TEST_ASSERT_MSG_EQ_TOL(offset, due, 1.1e-9, "time");
        }
    }
};

LFN_CASE(RbudpGiveUpTestCase)
{
    const auto all = [](uint64_t) { return true; };
    for (uint32_t limit = 1; limit <= 5; ++limit)
    {
        RbudpTestPeer peer;
        peer.settings.noProgressRounds = limit;
        peer.Announce(10'000);
        for (uint32_t blast = 1; blast <= limit; ++blast)
        {
            peer.Blast(all);
            NS_TEST_EXPECT_MSG_EQ(peer.Exchange(),
                                  (blast < limit ? SenderState::BLASTING : SenderState::FAILED),
                                  "useless blast " << blast << " of " << limit);
        }
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetFailure(),
                              "no progress in " + std::to_string(limit) + " blasts",
                              "the reason");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.Next().has_value(), false, "nothing more is sent");
    }
}

LFN_CASE(RbudpProgressTestCase)
{
    RbudpTestPeer peer;
    peer.settings.noProgressRounds = 3;
    peer.settings.payloadSize = 10;
    peer.Announce(50);
    uint32_t blasts = 0;
    for (uint64_t arriving = 0; arriving < 4; ++arriving)
    {
        for (int useless = 0; useless < 2; ++useless)
        {
            peer.Blast([](uint64_t) { return true; });
            NS_TEST_ASSERT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, ++blasts);
        }
        peer.Blast([=](uint64_t index) { return index != arriving; });
        NS_TEST_ASSERT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, ++blasts);
    }
    peer.Blast();
    NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "at last");
    NS_TEST_EXPECT_MSG_EQ(peer.sender.GetCounters().blasts, 13, "blasts");
    NS_TEST_EXPECT_MSG_EQ(peer.IsByteExact(), true, "content");

    // The next payload starts with a clean record.
    peer.Announce(50);
    peer.Blast([](uint64_t) { return true; });
    peer.Exchange();
    peer.Blast([](uint64_t) { return true; });
    NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, "two useless blasts");
}

LFN_CASE(RbudpMaxRoundsTestCase)
{
    for (const bool arrives : {false, true})
    {
        RbudpTestPeer peer;
        peer.settings.maxRounds = 4;
        peer.settings.payloadSize = 10;
        peer.Announce(100);
        for (uint64_t blast = 1; blast < 4; ++blast)
        {
            peer.Blast([=](uint64_t index) { return index >= blast; });
            NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, blast);
        }
        peer.Blast([=](uint64_t index) { return !arrives && index == 9; });
        NS_TEST_EXPECT_MSG_EQ(peer.Exchange(),
                              (arrives ? SenderState::COMPLETE : SenderState::FAILED),
                              "the fourth blast");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetFailure(),
                              (arrives ? "" : "still incomplete after 4 blasts"),
                              "the reason");
    }
}

LFN_CASE(RbudpRateAdaptTestCase)
{
    // Check the rate of the present blast, a multiple of 8 Mb/s.
    const auto checkRate = [&](const RbudpTestPeer& peer, double factor) {
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(peer.sender.GetSendRate().GetBitRate()),
                                  8e6 * factor,
                                  1.01,
                                  "rate");
    };
    // Check the interval of the blast that was sent, at a multiple of 8 Mb/s.
    const auto checkInterval = [&](const RbudpTestPeer& peer, double factor) {
        if (peer.departures.size() > 1)
        {
            const Time interval = peer.departures[1].time - peer.departures[0].time;
            NS_TEST_EXPECT_MSG_EQ_TOL(interval.GetSeconds(), 1e-3 / factor, 3e-8, "interval");
        }
    };
    for (const uint64_t lost : {1U, 10U, 33U, 50U, 90U, 94U, 99U, 100U})
    {
        RbudpTestPeer peer;
        peer.settings.payloadSize = 1000;
        peer.settings.sendRate = DataRate(8'000'000); // a datagram each millisecond
        peer.settings.rateAdapt = RbudpSenderCore::RateAdapt::LOSS_BASED;
        peer.Announce(100'000);
        peer.Blast([=](uint64_t index) { return index < lost; });
        NS_TEST_EXPECT_MSG_EQ(peer.departures[1].time, MilliSeconds(1), "B_send");
        peer.Exchange();
        const double factor = std::max(0.05, 1 - static_cast<double>(lost) / 100 - 0.05);
        checkRate(peer, factor);
        peer.Blast([](uint64_t) { return true; });
        checkInterval(peer, factor);
        peer.Exchange();
        checkRate(peer, factor); // a second lossy blast changes nothing
        peer.Blast();
        checkInterval(peer, factor);
        NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "end");
        peer.Announce(100'000);
        checkRate(peer, 1); // the next payload is sent as the user set it
    }
    RbudpTestPeer none;
    none.Announce(100'000);
    none.Blast({1, 2, 3});
    none.Exchange();
    NS_TEST_EXPECT_MSG_EQ(none.sender.GetSendRate(), DataRate("600Mbps"), "the paper");
}

/** @brief Acknowledged bytes for every set of missing datagrams of a small payload. */
LFN_CASE(RbudpAcknowledgedBytesTestCase)
{
    constexpr uint64_t BYTES = 5 * 10 - 7; // four full ones and one of 3 B
    for (unsigned mask = 0; mask < 32; ++mask)
    {
        RbudpTestPeer peer;
        peer.settings.payloadSize = 10;
        peer.Announce(BYTES);
        peer.Blast([=](uint64_t index) { return ((mask >> index) & 1) != 0; });
        peer.Exchange();
        const auto claimed = peer.sender.GetCounters().acknowledgedBytes;
        const auto arrived = peer.receiver.GetCounters().deliveredBytes;
        const bool isShortMissing = (mask & 16) != 0;
        const uint64_t expected = isShortMissing ? std::max<uint64_t>(arrived, 7) - 7 : arrived;
        NS_TEST_EXPECT_MSG_EQ(claimed, expected, "mask " << mask);
    }
}

const Suite g_suite("lfn-rbudp", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new RbudpTransitionsTestCase("transitions: every state with every event"));
    suite.Add(new RbudpCallsTestCase("transitions: methods refuse what the table refuses"));
    suite.Add(new RbudpFigure4TestCase("figure 4: three losses, and just these are retransmitted"));
    suite.Add(new RbudpRoundsTestCase("rounds: random loss against an independent computation"));
    suite.Add(new RbudpGiveUpTestCase("giving up: NoProgressRounds"));
    suite.Add(
        new RbudpProgressTestCase("giving up: one datagram that arrives starts the count again"));
    suite.Add(
        new RbudpMaxRoundsTestCase("giving up: the last blast of MaxRounds may still complete"));
    suite.Add(
        new RbudpRateAdaptTestCase("rate adaptation: 1 - loss - 0.05, after the first blast only"));
    suite.Add(new RbudpAcknowledgedBytesTestCase(
        "acknowledged bytes: never more than arrived, exact when the short one is there"));
});

} // namespace
