// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-probe.h"
#include "lfn-test-case.h"

#include "ns3/jrm-sender-core.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

LFN_CASE(JrmGapTestCase)
{
    JrmReceiverProbe gap(MakeBasicSettings());
    gap.Take(0, 10, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(gap.At(0), "D10", "one packet, complete at once");
    gap.Take(33, 13, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(gap.At(33), "N11:1 N12:1 D13", "two are missing");
    NS_TEST_EXPECT_MSG_EQ(gap.core.GetHolders(), 2, "holders without a length");
    gap.Take(40, 11, 1, 250, JrmType::NACK_RESP);
    NS_TEST_EXPECT_MSG_EQ(gap.At(40), "", "11 has three packets");
    NS_TEST_EXPECT_MSG_EQ(gap.At(59), "", "recvTimeout is 20 ms");
    NS_TEST_EXPECT_MSG_EQ(gap.At(60), "N11:2,3", "what it lacks");
    NS_TEST_EXPECT_MSG_EQ(gap.At(83), "N12:1", "nackTimeout is 50 ms: again");
    gap.Take(90, 11, 3, 250, JrmType::NACK_RESP);
    gap.Take(91, 11, 2, 250, JrmType::NACK_RESP);
    NS_TEST_EXPECT_MSG_EQ(gap.At(91), "D11", "in any order");
    NS_TEST_EXPECT_MSG_EQ(gap.At(182), "", "nackTimeout was doubled");
    NS_TEST_EXPECT_MSG_EQ(gap.At(183), "N12:1", "third");
    NS_TEST_EXPECT_MSG_EQ((gap.Take(184, 11, 2, 250, JrmType::NACK_RESP) == DropReason::DUPLICATE),
                          true,
                          "a late packet opens nothing (J-C9)");
    NS_TEST_EXPECT_MSG_EQ(gap.core.GetHolders(), 1, "12 alone");
}

LFN_CASE(JrmRetriesTestCase)
{
    auto capped = MakeBasicSettings();
    capped.maxNackAttempts = 3;
    capped.nackBackoff = 1;
    JrmReceiverProbe lost(capped);
    lost.Take(0, 1, 1, 50);
    lost.Take(0, 3, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(lost.At(0), "N2:1 D1 D3", "first");
    NS_TEST_EXPECT_MSG_EQ(lost.At(50), "N2:1", "second");
    NS_TEST_EXPECT_MSG_EQ(lost.At(100), "N2:1", "third");
    NS_TEST_EXPECT_MSG_EQ(lost.At(150), "", "given up");
    NS_TEST_EXPECT_MSG_EQ(lost.core.GetCounters().lost, 1, "counted");
    NS_TEST_EXPECT_MSG_EQ(lost.core.GetHolders(), 0, "removed");
    NS_TEST_EXPECT_MSG_EQ(lost.core.GetDeadline().has_value(), false, "no timer");

    // A response restarts the count (J-C10).
    JrmReceiverProbe restarted(capped);
    restarted.Take(0, 1, 1, 250);
    NS_TEST_EXPECT_MSG_EQ(restarted.At(20), "N1:2,3", "first");
    NS_TEST_EXPECT_MSG_EQ(restarted.At(70), "N1:2,3", "second");
    NS_TEST_EXPECT_MSG_EQ(restarted.At(120), "N1:2,3", "third");
    restarted.Take(130, 1, 2, 250, JrmType::NACK_RESP);
    NS_TEST_EXPECT_MSG_EQ(restarted.At(150), "N1:3", "all over");
    NS_TEST_EXPECT_MSG_EQ(restarted.At(200), "N1:3", "second");
    NS_TEST_EXPECT_MSG_EQ(restarted.At(250), "N1:3", "third");
    NS_TEST_EXPECT_MSG_EQ(restarted.At(300), "", "lost");
}

LFN_CASE(JrmOptionsTestCase)
{
    auto all = MakeBasicSettings();
    all.gapNackAllPackets = true;
    JrmReceiverProbe whole(all);
    whole.Take(0, 1, 1, 50);
    whole.Take(0, 3, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(whole.At(0), "N2:1+ D1 D3", "everything is asked for");
    auto waiting = MakeBasicSettings();
    waiting.completeImmediately = false;
    JrmReceiverProbe literal(waiting);
    literal.Take(0, 1, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(literal.At(19), "", "the timer decides (J-C8)");
    NS_TEST_EXPECT_MSG_EQ(literal.At(20), "D1", "complete");
    auto once = MakeBasicSettings();
    once.createHolderOnGap = false;
    JrmReceiverProbe asked(once);
    asked.Take(0, 1, 1, 50);
    asked.Take(0, 3, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(asked.At(0), "N2:1 D1 D3", "asked for once");
    NS_TEST_EXPECT_MSG_EQ(asked.At(10000), "", "and not again (J-C7)");
    asked.Take(10001, 2, 1, 50, JrmType::NACK_RESP);
    NS_TEST_EXPECT_MSG_EQ(asked.At(10001), "D2", "what arrives of it is taken");
}

LFN_CASE(JrmNumbersTestCase)
{
    JrmReceiverProbe wrap(MakeBasicSettings());
    wrap.Take(0, UINT32_MAX, 1, 50);
    wrap.Take(1, 1, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(wrap.At(1), "N0:1 D4294967295 D1", "around zero");
    wrap.Take(2, 500000, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(wrap.At(2), "D500000", "a participant that has come back");
    NS_TEST_EXPECT_MSG_EQ(wrap.core.GetHolders(), 0, "what was begun is given up");
    wrap.Take(3, 400000, 1, 50, JrmType::NACK_RESP);
    NS_TEST_EXPECT_MSG_EQ(wrap.At(3), "", "a repeated packet proves no return");
    wrap.Take(4, 499000, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(wrap.At(4), "", "within the finished window it is old");
}

LFN_CASE(JrmBadPacketsTestCase)
{
    JrmReceiverProbe bad(MakeBasicSettings());
    NS_TEST_EXPECT_MSG_EQ((bad.Take(0, 1, 0, 50) == DropReason::OUT_OF_RANGE), true, "PSN 0");
    NS_TEST_EXPECT_MSG_EQ((bad.Take(0, 1, 2, 50) == DropReason::OUT_OF_RANGE), true, "beyond");
    NS_TEST_EXPECT_MSG_EQ(
        (bad.core.OnPacket(MakeJrmHeader(1, 1, 250), 99, {}, Time(0)) == DropReason::WRONG_LENGTH),
        true,
        "short");
    NS_TEST_EXPECT_MSG_EQ((bad.Take(0, 1, 1, UINT32_MAX) == DropReason::OUT_OF_RANGE),
                          true,
                          "more packets than numbers");
    bad.Take(0, 1, 1, 250);
    NS_TEST_EXPECT_MSG_EQ((bad.Take(1, 1, 2, 350) == DropReason::WRONG_LENGTH),
                          true,
                          "another length");
    NS_TEST_EXPECT_MSG_EQ((bad.Take(1, 1, 1, 250) == DropReason::DUPLICATE), true, "twice");
}

LFN_CASE(JrmTailTestCase)
{
    JrmReceiverProbe tail(MakeBasicSettings());
    tail.Take(0, 1, 1, 50);
    tail.core.OnHeartbeat({PARTICIPANT, GROUP, 1}, MilliSeconds(5));
    NS_TEST_EXPECT_MSG_EQ(tail.At(5), "D1", "nothing is missing");
    tail.core.OnHeartbeat({PARTICIPANT, GROUP, 3}, MilliSeconds(6));
    NS_TEST_EXPECT_MSG_EQ(tail.At(6), "N2:1 N3:1", "two are");
}

LFN_CASE(JrmLateTestCase)
{
    auto patient = MakeBasicSettings();
    patient.reorderWait = MilliSeconds(10);
    patient.maxNackAttempts = 2;
    JrmReceiverProbe late(patient);
    late.Take(0, 1, 1, 50);
    late.Take(0, 4, 1, 250);
    NS_TEST_EXPECT_MSG_EQ(late.At(0), "D1", "2 and 3 may be late");
    NS_TEST_EXPECT_MSG_EQ(late.At(9), "", "not yet");
    late.Take(9, 2, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(late.At(9), "D2", "it was late");
    NS_TEST_EXPECT_MSG_EQ(late.At(10), "N3:1", "it is missing");
    NS_TEST_EXPECT_MSG_EQ(late.At(19), "", "packets of 4 wait for recvTimeout, as ever");
    NS_TEST_EXPECT_MSG_EQ(late.At(20), "N4:2,3", "and no longer");
    NS_TEST_EXPECT_MSG_EQ(late.At(60), "N3:1", "nackTimeout later, without another wait");
    NS_TEST_EXPECT_MSG_EQ(late.At(70), "N4:2,3", "the same for 4");
    NS_TEST_EXPECT_MSG_EQ(late.At(160), "", "3 is given up");
    NS_TEST_EXPECT_MSG_EQ(late.core.GetCounters().lost, 1, "3");
    NS_TEST_EXPECT_MSG_EQ(patient.GetLongestRepair(), MilliSeconds(170), "20, 50 and 100");
    patient.reorderWait = MilliSeconds(30);
    NS_TEST_EXPECT_MSG_EQ(patient.GetLongestRepair(), MilliSeconds(180), "30, 50 and 100");
}

LFN_CASE(JrmForeignNackTestCase)
{
    auto quiet = MakeBasicSettings();
    quiet.maxBackoff = MilliSeconds(100);
    JrmReceiverProbe calm(quiet);
    calm.Take(0, 1, 1, 50);
    calm.Take(0, 4, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(calm.At(0), "D1 D4", "they wait");
    const std::vector<uint16_t> first{1};
    calm.core.OnForeignNack({PARTICIPANT, GROUP, 2}, first, false, MilliSeconds(0));
    NS_TEST_EXPECT_MSG_EQ(calm.core.GetCounters().suppressed, 1, "2 was asked for");
    const auto words = calm.At(100);
    NS_TEST_EXPECT_MSG_EQ((words.find("N3:1") != std::string::npos), true, "3 was not");
}

/// A message of one packet comes, which reports how many went before it.
std::optional<DropReason>
ArriveAfter(JrmReceiverProbe& probe, uint32_t message, uint8_t earlier, JrmType type = JrmType::MSG)
{
    auto header = MakeJrmHeader(message, 1, 50, type);
    header.flags = earlier;
    return probe.core.OnPacket(header, 50, {}, Time(0));
}

LFN_CASE(JrmBeginningTestCase)
{
    auto settings = MakeBasicSettings();
    JrmReceiverProbe plain(settings);
    ArriveAfter(plain, 12, 2);
    NS_TEST_EXPECT_MSG_EQ(plain.At(0), "D12", "without the option");
    plain.core.OnHeartbeat({PARTICIPANT + 1, GROUP, 12}, Time(0), {}, 3);
    NS_TEST_EXPECT_MSG_EQ(plain.At(0), "", "nor by a heartbeat");

    settings.fromBeginning = true;
    JrmReceiverProbe whole(settings);
    const auto refused = ArriveAfter(whole, 11, 1, JrmType::NACK_RESP);
    NS_TEST_EXPECT_MSG_EQ((refused == DropReason::UNEXPECTED), true, "repeats begin nothing");
    ArriveAfter(whole, 12, 2);
    NS_TEST_EXPECT_MSG_EQ(whole.At(0), "N10:1 N11:1 D12", "both are asked for");
    ArriveAfter(whole, 10, 0, JrmType::NACK_RESP);
    ArriveAfter(whole, 14, 4);
    NS_TEST_EXPECT_MSG_EQ(whole.At(0), "N13:1 D10 D14", "a known stream goes on");
    ArriveAfter(whole, 500'002, 2);
    NS_TEST_EXPECT_MSG_EQ(whole.At(0), "N500000:1 N500001:1 D500002", "a return begins, too");
    whole.core.Leave(GROUP);
    ArriveAfter(whole, 500'004, 4);
    NS_TEST_EXPECT_MSG_EQ(whole.At(0), "D500004", "who joins again may have had it");

    JrmReceiverProbe wrap(settings);
    ArriveAfter(wrap, 1, 3);
    NS_TEST_EXPECT_MSG_EQ(wrap.At(0), "N4294967294:1 N4294967295:1 N0:1 D1", "around zero");

    JrmReceiverProbe beat(settings);
    beat.core.OnHeartbeat({PARTICIPANT, GROUP, 10}, Time(0), {}, 1);
    NS_TEST_EXPECT_MSG_EQ(beat.At(0), "N10:1", "the only message");
    beat.core.OnHeartbeat({PARTICIPANT + 1, GROUP, 10}, Time(0), {}, 0);
    NS_TEST_EXPECT_MSG_EQ(beat.At(0), "", "nothing that is to be had");

    // A forged claim: 196 B of requests for 98 B that came, and it ends.
    settings.limits.nackLimit = 2;
    settings.maxNackAttempts = 3;
    JrmReceiverProbe claim(settings);
    ArriveAfter(claim, 1000, 255);
    NS_TEST_EXPECT_MSG_EQ(claim.At(0), "N745:1 N746:1 N747:1 D1000", "what it may ask for");
    NS_TEST_EXPECT_MSG_EQ(claim.core.GetHolders(), 255, "all are missed");
    for (const int64_t ms : {50, 150, 350})
    {
        NS_TEST_EXPECT_MSG_EQ(claim.At(ms), "", "nothing more");
    }
    NS_TEST_EXPECT_MSG_EQ(claim.core.GetHolders(), 0, "given up");
    NS_TEST_EXPECT_MSG_EQ(claim.core.GetCounters().lost, 255, "and counted");

    JrmSenderCore::Settings sending;
    sending.participant = PARTICIPANT;
    sending.adapt = MakeFixedRules();
    sending.sendTimeout = Seconds(5);
    sending.firstMessage = UINT32_MAX - 9;
    JrmSenderCore core;
    core.Start(sending);
    for (uint32_t count = 0; count < 300; ++count)
    {
        const auto id = core.Send(GROUP, 50, Seconds(count < 100 ? 0 : 1));
        NS_TEST_EXPECT_MSG_EQ(static_cast<uint32_t>(core.CountEarlier(*id)),
                              (count <= 255 ? count : 0),
                              "message " << count);
    }
    const JrmMessageId other{PARTICIPANT, GROUP, UINT32_MAX - 4};
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(core.CountEarlier(other)), 5, "still kept");
    core.Expire(Seconds(5));
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(core.CountEarlier(other)), 0, "the first one is gone");
}

LFN_CASE(JrmSenderTestCase)
{
    JrmSenderCore::Settings settings;
    settings.participant = PARTICIPANT;
    settings.packetSize = 100;
    settings.adapt = MakeFixedRules();
    settings.sendTimeout = Seconds(5);
    settings.firstMessage = UINT32_MAX;
    JrmSenderCore core;
    core.Start(settings);
    const auto first = core.Send(GROUP, 250, Seconds(0));
    const auto second = core.Send(GROUP, 50, Seconds(1));
    NS_TEST_ASSERT_MSG_EQ((first && second), true, "sent");
    NS_TEST_EXPECT_MSG_EQ(first->message, UINT32_MAX, "the first number");
    NS_TEST_EXPECT_MSG_EQ(second->message, 0, "they wrap");
    NS_TEST_EXPECT_MSG_EQ(core.Send(8, 50, Seconds(1))->message,
                          UINT32_MAX,
                          "every group has its own");
    NS_TEST_EXPECT_MSG_EQ(core.Send(GROUP, UINT32_MAX, Seconds(1)).has_value(),
                          false,
                          "too many packets");

    const std::vector<uint16_t> wanted{2, 3, 9};
    NS_TEST_EXPECT_MSG_EQ(core.OnNack(*first, wanted, false, Seconds(4)).has_value(),
                          false,
                          "request");
    const auto two = core.NextResponse();
    const auto three = core.NextResponse();
    NS_TEST_ASSERT_MSG_EQ((two && three), true, "two responses");
    NS_TEST_EXPECT_MSG_EQ(two->packet, 2, "PSN 2");
    NS_TEST_EXPECT_MSG_EQ(three->packet, 3, "PSN 3");
    NS_TEST_EXPECT_MSG_EQ(core.NextResponse().has_value(), false, "there is no PSN 9");
    core.Expire(Seconds(6));
    NS_TEST_EXPECT_MSG_EQ(core.GetKept(), 1, "a request prolongs");
    NS_TEST_EXPECT_MSG_EQ(core.GetDeadline().value(), Seconds(9), "until then");
    core.Expire(Seconds(9));
    NS_TEST_EXPECT_MSG_EQ(core.GetKept(), 0, "nobody has asked for it since");
    core.OnNack(*first, wanted, false, Seconds(9));
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().late, 1, "too late");
    auto foreign = *first;
    foreign.participant = 99;
    NS_TEST_EXPECT_MSG_EQ(core.OnNack(foreign, wanted, false, Seconds(9)).has_value(),
                          true,
                          "another's");
    auto future = *second;
    ++future.message;
    NS_TEST_EXPECT_MSG_EQ(core.OnNack(future, wanted, false, Seconds(9)).has_value(),
                          true,
                          "unsent");

    settings.aggregation = MilliSeconds(30);
    core.Start(settings);
    const auto id = core.Send(GROUP, 250, Seconds(0));
    const std::vector<uint16_t> one{1};
    core.OnNack(*id, one, false, MilliSeconds(100));
    core.OnNack(*id, one, false, MilliSeconds(110));
    core.OnNack(*id, {}, true, MilliSeconds(120));
    NS_TEST_EXPECT_MSG_EQ(core.NextResponse().has_value(), false, "they are gathered");
    core.Expire(MilliSeconds(130));
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().responses, 3, "each packet once");
}

/**
 * @brief Two participants and losses before every send: transmissions per message follow the exact
 * law of n packets, loss e: n / (1 - e) data packets, E[max of n geometrics] / (1 - e) requests.
 */
LFN_CASE_OF(JrmLawTestCase, uint32_t packets, double loss)
{
    constexpr uint32_t MESSAGES = 20000;
    constexpr uint32_t SIZE = 100;
    const Time delay = MilliSeconds(1);
    const Time interval = MilliSeconds(33);
    JrmSenderCore::Settings sending;
    sending.participant = PARTICIPANT;
    sending.packetSize = SIZE;
    sending.sendTimeout = Seconds(1000);
    sending.adapt = MakeFixedRules();
    JrmSenderCore sender;
    sender.Start(sending);
    auto receiving = MakeBasicSettings();
    receiving.gapNackAllPackets = true; // a round more for a message lost as a whole is no loss
    receiving.nackBackoff = 1;
    receiving.maxNackAttempts = 1000;
    JrmReceiverCore receiver;
    receiver.Start(receiving);

    std::mt19937 random(packets + static_cast<uint32_t>(100 * loss));
    const auto isLost = [&]() { return std::uniform_real_distribution<>()(random) < loss; };
    std::multimap<Time, std::function<void()>> events;
    Time now;
    uint64_t data = 0;
    uint64_t requests = 0;
    uint64_t delivered = 0;
    const auto sendData = [&](const JrmSenderCore::Response& packet, JrmType type) {
        ++data;
        if (isLost())
        {
            return;
        }
        const JrmHeader header(type, packet.id, packet.packet, packet.length);
        events.emplace(now + delay, [&, header]() { receiver.OnPacket(header, SIZE, {}, now); });
    };
    for (uint32_t i = 0; i < MESSAGES; ++i)
    {
        events.emplace(interval * static_cast<int64_t>(i), [&]() {
            const auto id = sender.Send(GROUP, packets * SIZE, now);
            for (uint32_t k = 1; k <= packets; ++k)
            {
                sendData({*id, static_cast<uint16_t>(k), packets * SIZE}, JrmType::MSG);
            }
        });
    }
    while (!events.empty() || receiver.GetDeadline())
    {
        const auto timer = receiver.GetDeadline();
        if (!events.empty() && (!timer || events.begin()->first <= *timer))
        {
            now = events.begin()->first;
            const auto event = std::move(events.begin()->second);
            events.erase(events.begin());
            event();
        }
        else
        {
            now = *timer;
            receiver.Expire(now);
        }
        while (const auto nack = receiver.NextNack())
        {
            ++requests;
            if (!isLost())
            {
                events.emplace(now + delay, [&, nack = *nack]() {
                    sender.OnNack(nack.id, nack.packets, nack.all, now);
                    while (const auto response = sender.NextResponse())
                    {
                        sendData(*response, JrmType::NACK_RESP);
                    }
                });
            }
        }
        while (receiver.NextDelivery())
        {
            ++delivered;
        }
    }
    const JrmRounds rounds(packets, loss);
    const double perMessage = static_cast<double>(data + requests) / MESSAGES;
    const double law = packets / (1 - loss) + rounds.mean / (1 - loss);
    // Bound of the standard deviation of data and requests of a message, fully correlated.
    const double dataSd = std::sqrt(packets * loss) / (1 - loss);
    const double requestSd =
        std::sqrt((rounds.variance + rounds.mean * loss) / std::pow(1 - loss, 2));
    const double error = (dataSd + requestSd) / std::sqrt(MESSAGES);
    NS_TEST_EXPECT_MSG_EQ_TOL(perMessage, law, 3.5 * error + 0.001, "transmissions per message");
    NS_TEST_EXPECT_MSG_GT(delivered, MESSAGES - 30, "all but what is lost at the ends");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().lost, 0, "nothing is given up");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetHolders(), 0, "nothing is left");
}

LFN_CASE(JrmTimeoutTestCase)
{
    JrmAdaptiveTimeout timeout(MilliSeconds(100), {});
    timeout.Expired();
    NS_TEST_EXPECT_MSG_EQ(timeout.Get(), MilliSeconds(150), "x 1.5");
    timeout.Reset(MilliSeconds(75));
    NS_TEST_EXPECT_MSG_EQ(timeout.Get(), MilliSeconds(150), "half is not much");
    timeout.Reset(MilliSeconds(76));
    NS_TEST_EXPECT_MSG_EQ(timeout.Get(), MilliSeconds(135), "x 0.9");
    for (int i = 0; i < 100; ++i)
    {
        timeout.Expired();
    }
    NS_TEST_EXPECT_MSG_EQ(timeout.Get(), Seconds(2), "upper bound");
    for (int i = 0; i < 100; ++i)
    {
        timeout.Reset(Seconds(2));
    }
    NS_TEST_EXPECT_MSG_EQ(timeout.Get(), MilliSeconds(5), "lower bound");
    JrmAdaptiveTimeout fixed(MilliSeconds(100), MakeFixedRules());
    fixed.Expired();
    fixed.Reset(MilliSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(fixed.Get(), MilliSeconds(100), "fixed");
}

/** @brief JRM's cores: gaps, holders, timers, retention, and the exact law of transmissions. */
const Suite g_suite("lfn-jrm-core", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new JrmTimeoutTestCase(
        "adaptive interval: expiry lengthens, resets with much time left shorten"));
    suite.Add(new JrmGapTestCase("gaps: one request per message, at once, for PSN 1"));
    suite.Add(new JrmRetriesTestCase(
        "retries: K requests, then lost; a response restarts the count (J-C10)"));
    suite.Add(new JrmOptionsTestCase(
        "holders: ask for all, deliver when the timer ends, ask once without a holder"));
    suite.Add(new JrmNumbersTestCase(
        "what is old and what begins again: numbers wrap, a participant returns"));
    suite.Add(new JrmBadPacketsTestCase("bad packets are refused"));
    suite.Add(new JrmTailTestCase("heartbeats announce the lost tail (J-C5)"));
    suite.Add(new JrmLateTestCase("a gap may be what is late, for a while"));
    suite.Add(new JrmForeignNackTestCase("suppression: another's request is as good as one's own"));
    suite.Add(new JrmBeginningTestCase("what a stream had before it was received"));
    suite.Add(new JrmSenderTestCase("numbers, retention, responses, aggregation"));
    for (const uint32_t packets : {1, 10})
    {
        for (const double loss : {0.0, 0.1, 0.3})
        {
            const auto name =
                "exact law, n = " + std::to_string(packets) + ", e = " + std::to_string(loss);
            suite.Add(new JrmLawTestCase(name, packets, loss));
        }
    }
});

} // namespace
