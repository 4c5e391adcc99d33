// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "jrm-test-probe.h"
#include "lfn-test-case.h"

#include "ns3/jrm-grtt.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief The number that reports an RTT, by a table made in another way. */
LFN_CASE(JrmQuantiseTestCase)
{
    // 31 multiples of 1 us; from 1000 s downwards by the 13th root of e, made by multiplication.
    std::vector<double> table(256);
    const double step = std::pow(std::exp(1.0), 1.0 / 13);
    double value = 1000;
    for (int number = 255; number >= 31; --number, value /= step)
    {
        table[number] = value;
    }
    for (int number = 0; number < 31; ++number)
    {
        table[number] = 1e-6 * (number + 1);
    }
    NS_TEST_ASSERT_MSG_EQ(std::ranges::is_sorted(table), true, "the longer the larger");
    NS_TEST_EXPECT_MSG_EQ(JrmGrtt::Restore(JrmGrtt::UNKNOWN).has_value(), false, "nothing known");
    NS_TEST_EXPECT_MSG_EQ(JrmGrtt::Restore(257).has_value(), false, "nothing has this number");
    NS_TEST_EXPECT_MSG_EQ(JrmGrtt::Restore(65535).has_value(), false, "nothing has this number");
    for (int number = 0; number < 256; ++number)
    {
        const auto reported = static_cast<uint16_t>(number + 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(JrmGrtt::Restore(reported).value().GetSeconds(),
                                  table[number],
                                  1e-9 * table[number] + 1e-9,
                                  "number " << number);
    }
    std::mt19937 random(3);
    for (int i = 0; i < 10'000; ++i)
    {
        const double log = std::uniform_real_distribution<>(std::log(5e-7), std::log(2e3))(random);
        const auto rtt = Time::FromDouble(std::exp(log), Time::S);
        const auto next = std::ranges::lower_bound(table, rtt.GetSeconds() * (1 - 1e-12));
        const auto expected = std::min<std::ptrdiff_t>(next - table.begin(), 255) + 1;
        NS_TEST_EXPECT_MSG_EQ(JrmGrtt::Quantise(rtt), expected, rtt);
    }
    NS_TEST_EXPECT_MSG_EQ(JrmGrtt::Quantise(Time(0)), 1, "1 us");
    NS_TEST_EXPECT_MSG_EQ(JrmGrtt::Quantise(MicroSeconds(1)), 1, "1 us");
    NS_TEST_EXPECT_MSG_EQ(JrmGrtt::Quantise(MicroSeconds(31)), 31, "31 us");
    NS_TEST_EXPECT_MSG_EQ(JrmGrtt::Quantise(Seconds(1)), 167, "1.06 s: 255 - 89, and one more");
    NS_TEST_EXPECT_MSG_EQ(JrmGrtt::Quantise(Days(1)), 256, "1000 s");
}

LFN_CASE(JrmGrttStepsTestCase)
{
    JrmGrtt grtt({.firstWait = MilliSeconds(100),
                  .longestWait = MilliSeconds(500),
                  .longest = MilliSeconds(800)});
    const auto take = [&](uint32_t number, int64_t heldMs, int64_t ms) {
        return grtt.OnAnswer(number, MilliSeconds(heldMs), MilliSeconds(ms));
    };
    NS_TEST_EXPECT_MSG_EQ(grtt.IsDue(Time(0)), true, "the first one");
    NS_TEST_EXPECT_MSG_EQ(grtt.Probe(11, MilliSeconds(0)), JrmGrtt::UNKNOWN, "nothing is known");
    int64_t at = 0;
    for (const int64_t wait : {100, 200, 400, 500, 500})
    {
        NS_TEST_EXPECT_MSG_EQ(grtt.IsDue(MilliSeconds(at + wait - 1)), false, wait << " ms");
        at += wait;
        NS_TEST_EXPECT_MSG_EQ(grtt.IsDue(MilliSeconds(at)), true, wait << " ms");
        const auto number = static_cast<uint32_t>(at);
        NS_TEST_EXPECT_MSG_EQ(grtt.Probe(number, MilliSeconds(at)), JrmGrtt::UNKNOWN, "no answer");
    }
    // 100, 300, 700, 1200, 1700: the last four may be answered.
    NS_TEST_EXPECT_MSG_EQ((take(11, 0, 1701) == DropReason::UNEXPECTED), true, "long ago");
    NS_TEST_EXPECT_MSG_EQ((take(100, 0, 1701) == DropReason::UNEXPECTED), true, "long ago");
    NS_TEST_EXPECT_MSG_EQ((take(1699, 0, 1701) == DropReason::UNEXPECTED), true, "a guess");
    NS_TEST_EXPECT_MSG_EQ((take(1700, 2, 1701) == DropReason::OUT_OF_RANGE), true, "held longer");
    NS_TEST_EXPECT_MSG_EQ((take(1700, -1, 1701) == DropReason::OUT_OF_RANGE), true, "held less");
    NS_TEST_EXPECT_MSG_EQ(grtt.Get().has_value(), false, "nothing was taken");

    NS_TEST_EXPECT_MSG_EQ(take(1700, 30, 1750).has_value(), false, "an answer");
    NS_TEST_EXPECT_MSG_EQ(grtt.Get().value(), MilliSeconds(20), "1750 - 1700 - 30");
    take(1700, 0, 1800);
    NS_TEST_EXPECT_MSG_EQ(grtt.Get().value(), MilliSeconds(100), "it rises at once");
    take(1700, 50, 1810);
    NS_TEST_EXPECT_MSG_EQ(grtt.Get().value(), MilliSeconds(100), "a shorter one changes nothing");
    const auto reported = grtt.Probe(1, Seconds(3));
    NS_TEST_EXPECT_MSG_EQ(reported, JrmGrtt::Quantise(MilliSeconds(100)), "as long as its peak");
    grtt.Probe(2, Seconds(4));
    NS_TEST_EXPECT_MSG_EQ(grtt.Get().value(), MilliSeconds(100), "no answer, no change");
    grtt.OnAnswer(2, Time(0), MilliSeconds(4050));
    grtt.Probe(3, Seconds(5));
    NS_TEST_EXPECT_MSG_EQ(grtt.Get().value(), MilliSeconds(90), "it falls by a tenth");
    grtt.OnAnswer(3, Time(0), MilliSeconds(5085));
    grtt.Probe(4, Seconds(6));
    NS_TEST_EXPECT_MSG_EQ(grtt.Get().value(), MilliSeconds(85), "not below its peak");
    grtt.OnAnswer(4, Time(0), Seconds(60));
    NS_TEST_EXPECT_MSG_EQ(grtt.Get().value(), MilliSeconds(800), "no longer than is believed");
}

LFN_CASE(JrmGrttHistoryTestCase)
{
    struct Answer
    {
        std::size_t after; //!< probes before it
        double rtt;        //!< what it says, [s]
    };

    for (uint32_t seed = 0; seed < 50; ++seed)
    {
        std::mt19937 random(seed);
        const auto draw = [&random](double low, double high) {
            return std::uniform_real_distribution<>(low, high)(random);
        };
        JrmGrtt grtt({.longest = Seconds(2)});
        std::vector<Answer> answers;
        std::vector<Time> probes;
        Time now;
        for (int i = 0; i < 60; ++i)
        {
            now += Time::FromDouble(draw(0.001, 3), Time::S);
            grtt.Probe(1000 + i, now);
            probes.push_back(now);
            for (auto left = random() % 4; left > 0; --left)
            {
                const auto back = std::min<std::size_t>(random() % 4, probes.size() - 1);
                const auto which = probes.size() - 1 - back;
                now += Time::FromDouble(draw(0, 0.7), Time::S);
                const auto out = (now - probes[which]).GetSeconds();
                const auto held = Time::FromDouble(draw(0, out), Time::S);
                grtt.OnAnswer(static_cast<uint32_t>(1000 + which), held, now);
                answers.push_back({probes.size(), std::min(out - held.GetSeconds(), 2.0)});
            }
            double estimate = -1;
            for (std::size_t round = 1; round <= probes.size(); ++round)
            {
                double peak = -1;
                for (const auto& answer : answers)
                {
                    peak = answer.after == round - 1 ? std::max(peak, answer.rtt) : peak;
                }
                if (peak >= 0 && peak < estimate) // reported by the probe that ends the round
                {
                    estimate = std::max(peak, 0.9 * estimate);
                }
                for (const auto& answer : answers)
                {
                    estimate = answer.after == round ? std::max(estimate, answer.rtt) : estimate;
                }
            }
            NS_TEST_EXPECT_MSG_EQ(grtt.Get().has_value(), (estimate >= 0), "seed " << seed);
            NS_TEST_EXPECT_MSG_EQ_TOL(grtt.Get().value_or(Seconds(-1)).GetSeconds(),
                                      estimate,
                                      1e-6,
                                      "seed " << seed << ", probe " << i);
        }
    }
}

LFN_CASE(JrmProbedTestCase)
{
    auto settings = MakeBasicSettings();
    settings.grtt = true;
    settings.nackBackoff = 1;
    const auto probe =
        [](JrmReceiverProbe& receiver, uint32_t number, uint16_t reported, int64_t ms) {
            receiver.core.Expire(MilliSeconds(ms));
            return receiver.core.OnProbe({PARTICIPANT, GROUP, number}, reported, MilliSeconds(ms));
        };
    // When a message that is missed from 1000 ms on is asked for again.
    const auto again = [](JrmReceiverProbe& receiver) {
        receiver.Take(1000, 1, 1, 10);
        receiver.Take(1000, 3, 1, 10);
        receiver.At(1000);
        return receiver.core.GetDeadline().value_or(Time(0)) - Seconds(1);
    };
    JrmReceiverProbe early(settings);
    NS_TEST_EXPECT_MSG_EQ((probe(early, 5, 1, 0) == DropReason::UNEXPECTED),
                          true,
                          "not received yet");
    NS_TEST_EXPECT_MSG_EQ(early.core.GetDeadline().has_value(), false, "no answer");

    auto off = settings;
    off.grtt = false;
    JrmReceiverProbe old(off);
    old.Take(0, 0, 1, 10);
    NS_TEST_EXPECT_MSG_EQ((probe(old, 5, 1, 0) == DropReason::UNEXPECTED), true, "no option");
    NS_TEST_EXPECT_MSG_EQ(again(old), MilliSeconds(50), "nackTimeout");

    struct Reported
    {
        uint16_t number; //!< what the probe reports
        Time wait;       //!< for a response
    };

    const auto some = JrmGrtt::Quantise(MilliSeconds(200));
    const Reported cases[] = {{JrmGrtt::UNKNOWN, MilliSeconds(50)}, // the paper's rule
                              {1, MilliSeconds(5)},                 // ShortestTimeout
                              {some, JrmGrtt::Restore(some).value() * 2},
                              {256, Seconds(2)}}; // 1000 s; LongestTimeout
    for (const auto& reported : cases)
    {
        JrmReceiverProbe receiver(settings);
        receiver.Take(0, 0, 1, 10);
        NS_TEST_EXPECT_MSG_EQ(probe(receiver, 5, reported.number, 0).has_value(), false, "taken");
        NS_TEST_EXPECT_MSG_EQ((receiver.core.GetDeadline() <= Seconds(2)), true, "answered soon");
        receiver.core.Expire(MilliSeconds(999));
        receiver.core.Expire(Seconds(1));
        if (reported.number != 256)
        {
            NS_TEST_EXPECT_MSG_EQ(receiver.core.NextAnswer().has_value(), true, "answered");
            NS_TEST_EXPECT_MSG_EQ(again(receiver), reported.wait, "it reports " << reported.number);
        }
    }
    JrmReceiverProbe huge(settings);
    huge.Take(0, 0, 1, 10);
    NS_TEST_EXPECT_MSG_EQ((probe(huge, 5, 257, 0) == DropReason::OUT_OF_RANGE), true, "no number");
    probe(huge, 5, 256, 0);
    huge.core.Expire(Seconds(2)); // it is answered
    NS_TEST_EXPECT_MSG_EQ(huge.core.NextAnswer().has_value(), true, "within the longest timeout");
    huge.Take(3000, 2, 1, 10);
    NS_TEST_EXPECT_MSG_EQ(huge.core.GetDeadline().value(), Seconds(5), "3 + 2 s, the longest");
    probe(huge, 6, some, 3001); // a true one puts it right
    huge.Take(3002, 4, 1, 10);
    huge.core.Expire(MilliSeconds(3300));
    NS_TEST_EXPECT_MSG_EQ((huge.core.GetDeadline() == MilliSeconds(3002) + cases[2].wait),
                          true,
                          "as the true one reports");

    // Two probes at once have one answer, of the newer one; the hold time is what it says.
    JrmReceiverProbe busy(settings);
    busy.Take(0, 0, 1, 10);
    probe(busy, 7, some, 10);
    const auto due = busy.core.GetDeadline().value();
    NS_TEST_EXPECT_MSG_EQ((due >= MilliSeconds(10)), true, "it waits");
    NS_TEST_EXPECT_MSG_EQ((due <= MilliSeconds(10) + cases[2].wait / 2), true, "an RTT");
    NS_TEST_ASSERT_MSG_EQ((due > MilliSeconds(11)), true, "the seed of this test");
    probe(busy, 8, some, 11);
    NS_TEST_EXPECT_MSG_EQ((busy.core.GetDeadline() == due), true, "as before");
    busy.core.Expire(due);
    const auto answer = busy.core.NextAnswer();
    NS_TEST_ASSERT_MSG_EQ(answer.has_value(), true, "an answer");
    const JrmMessageId newer{PARTICIPANT, GROUP, 8};
    NS_TEST_EXPECT_MSG_EQ((answer->id == newer), true, "of the newer one");
    NS_TEST_EXPECT_MSG_EQ(answer->held, due - MilliSeconds(11), "held");
    NS_TEST_EXPECT_MSG_EQ(busy.core.NextAnswer().has_value(), false, "one");
    NS_TEST_EXPECT_MSG_EQ(busy.core.GetCounters().answers, 1, "one");

    // Nothing goes to a group that was left.
    probe(busy, 9, some, 2000);
    busy.core.Leave(GROUP);
    busy.core.Expire(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(busy.core.NextAnswer().has_value(), false, "left");
    NS_TEST_EXPECT_MSG_EQ(busy.core.GetDeadline().has_value(), false, "left");

    // A message is kept for longer than it can be asked for, for any estimate in probes.
    auto longer = settings;
    longer.adapt.adaptive = false;
    longer.maxNackAttempts = 3;
    NS_TEST_EXPECT_MSG_EQ(longer.GetLongestRepair(), MilliSeconds(6020), "20 ms and thrice 2 s");
}

LFN_CASE(JrmHoldOffTestCase)
{
    JrmSenderCore::Settings settings;
    settings.holdOff = MilliSeconds(10);
    JrmSenderCore core;
    core.Start(settings);
    const auto one = *core.Send(GROUP, 10, Time(0));
    const auto other = *core.Send(GROUP + 1, 10, Time(0));
    core.SetHoldOff(GROUP, MilliSeconds(200));
    core.SetHoldOff(GROUP + 1, MilliSeconds(1));
    const std::vector<uint16_t> first{1};
    const auto ask = [&](const JrmMessageId& id, int64_t ms) {
        return core.OnNack(id, first, false, MilliSeconds(ms), {{7}, 0}).has_value();
    };
    NS_TEST_EXPECT_MSG_EQ(ask(one, 0), false, "answered");
    NS_TEST_EXPECT_MSG_EQ(ask(one, 199), true, "held off");
    NS_TEST_EXPECT_MSG_EQ(ask(one, 200), false, "answered again");
    NS_TEST_EXPECT_MSG_EQ(ask(other, 0), false, "another group");
    NS_TEST_EXPECT_MSG_EQ(ask(other, 9), true, "no shorter than it was set");
    NS_TEST_EXPECT_MSG_EQ(ask(other, 10), false, "answered again");
}

LFN_CASE(JrmGrttSystemTestCase)
{
    for (const bool isMixed : {false, true})
    {
        JrmTestNetwork network(4, 2, MilliSeconds(25)); // an RTT of 100 ms
        network.settings.insert({{"Heartbeat", "50ms"}, {"ReceiveErrorRate", "0.1"}});
        network.settings["SendTimeout"] = "25s";
        network.settings["Grtt"] = "true";
        network.AddPeer(0);
        network.AddPeer(1);
        network.settings["Grtt"] = isMixed ? "false" : "true";
        network.AddPeer(2);
        network.AddPeer(3);
        uint64_t others = 0;
        network.judge = [&](const JrmTestSight& sight) {
            others += sight.Is(JrmType::PROBE) || sight.Is(JrmType::ANSWER) ? 1 : 0;
            return Fate::PASS;
        };
        for (const std::size_t peer : {0, 1, 2, 3})
        {
            network.SendMany(peer, 60, 3 * PACKET, MilliSeconds(1 + peer), MilliSeconds(33));
            network.SendMany(peer, 60, PACKET, MilliSeconds(9 + peer), MilliSeconds(33), 1);
        }
        NS_TEST_EXPECT_MSG_EQ(network.Run(Seconds(60)), "", "over");
        NS_TEST_EXPECT_MSG_GT(others, 100, "probes and answers");
        for (uint32_t i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(network.peers[i]->GetReceiver().GetCounters().lost, 0, "lost");
            const auto& sent = network.peers[i]->GetSent();
            const bool isOld = isMixed && i >= 2;
            NS_TEST_EXPECT_MSG_EQ((sent.probes == 0), isOld, "probes of " << i);
            NS_TEST_EXPECT_MSG_EQ((sent.answers == 0), isOld, "answers of " << i);
            for (const auto& group : network.groups)
            {
                const auto grtt = network.peers[i]->GetGrtt(group);
                NS_TEST_EXPECT_MSG_EQ(grtt.has_value(), !isOld, "estimate of " << i);
                const auto ms = grtt.value_or(MilliSeconds(101)).GetSeconds() * 1000;
                NS_TEST_EXPECT_MSG_GT(ms, 100, "the path's, and queues");
                NS_TEST_EXPECT_MSG_LT(ms, 106, "the path's, and queues");
            }
        }
    }
}

constexpr double LOSS = 0.25;    //!< before every send
constexpr uint32_t PACKETS = 10; //!< of a message

constexpr uint32_t ATTEMPTS = 2; //!< requests without a response

constexpr uint32_t MESSAGES = 3000;

/// Probability that a given number of packets is lost.
double
GetShare(uint32_t all, uint32_t lost)
{
    double ways = 1;
    for (uint32_t i = 0; i < lost; ++i)
    {
        ways *= static_cast<double>(all - i) / (i + 1);
    }
    return ways * std::pow(LOSS, lost) * std::pow(1 - LOSS, all - lost);
}

/// Probability that a message is completed that lacks packets after unanswered requests.
double
GetComplete(uint32_t missing, uint32_t attempts)
{
    if (missing == 0 || attempts == ATTEMPTS)
    {
        return missing == 0 ? 1 : 0;
    }
    const double nothing = LOSS + (1 - LOSS) * GetShare(missing, missing);
    double sum = nothing * GetComplete(missing, attempts + 1);
    for (uint32_t left = 0; left < missing; ++left)
    {
        sum += (1 - LOSS) * GetShare(missing, left) * GetComplete(left, 0);
    }
    return sum;
}

LFN_CASE(JrmFewAttemptsTestCase)
{
    double law = 0;
    for (uint32_t missing = 0; missing < PACKETS; ++missing) // all missing: 1e-6
    {
        law += GetShare(PACKETS, missing) * GetComplete(missing, 0);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(law, 0.837, 0.001, "the law");
    const double sigma = std::sqrt(law * (1 - law) / MESSAGES);
    for (const std::string adaptive : {"false", "true"})
    {
        for (const std::string grtt : {"false", "true"})
        {
            JrmTestNetwork network(2);
            network.settings["Adaptive"] = adaptive;
            network.settings["Grtt"] = grtt;
            network.settings["Heartbeat"] = "100ms";
            network.settings["SendTimeout"] = "25s";
            network.settings["ErrorRate"] = std::to_string(LOSS);
            network.settings["MaxNackAttempts"] = std::to_string(ATTEMPTS);
            network.AddPeers();
            network.SendMany(0, MESSAGES, PACKETS * PACKET, MilliSeconds(1), MilliSeconds(33));
            network.Run(Seconds(200));
            const auto counters = network.peers[1]->GetReceiver().GetCounters();
            const auto what = "adaptive " + adaptive + ", grtt " + grtt;
            NS_TEST_EXPECT_MSG_EQ(counters.delivered + counters.lost, MESSAGES, what);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(counters.delivered) / MESSAGES,
                                      law,
                                      4 * sigma,
                                      what);
        }
    }
}

LFN_CASE(JrmGrttForgedTestCase)
{
    JrmTestNetwork network(3, 1, MilliSeconds(5)); // an RTT of 20 ms
    network.settings.insert({{"Heartbeat", "50ms"}, {"GrttInterval", "500ms"}});
    network.settings["SendTimeout"] = "25s";
    network.settings["Grtt"] = "true";
    network.unknownHosts = true;
    network.AddPeers();
    std::vector<uint32_t> numbers; // of true probes, as a member receives them
    network.judge = [&](const JrmTestSight& sight) {
        if (sight.Is(JrmType::PROBE) && sight.header.id.participant == 1)
        {
            numbers.push_back(sight.header.id.message);
        }
        return Fate::PASS;
    };
    network.SendMany(0, 200, PACKET);
    const InetSocketAddress honest(network.addresses[0], JRM_PORT);
    for (int64_t k = 0; k < 500; ++k)
    {
        Simulator::Schedule(MilliSeconds(500 + 10 * k), [&, k]() {
            const auto number = static_cast<uint32_t>(k);
            const JrmMessageId id{1, network.groups[0].Get(), number};
            network.Inject(1, UNKNOWN_HOST, Make({JrmType::PROBE, id, 256, 0}));
            network.Inject(1, honest, Make({JrmType::PROBE, id, 256, 0}));
            network.Inject(0,
                           UNKNOWN_HOST,
                           Make({JrmType::ANSWER, id, 0, 0}),
                           network.addresses[0]);
            auto known = id; // a member's: as late as it gets, and never held
            known.message = numbers.empty() ? 0 : numbers.front();
            network.Inject(0,
                           UNKNOWN_HOST,
                           Make({JrmType::ANSWER, known, 0, 0}),
                           network.addresses[0]);
        });
    }
    uint64_t answers = 0;
    Simulator::Schedule(MilliSeconds(499),
                        [&]() { answers = network.peers[1]->GetSent().answers; });
    NS_TEST_EXPECT_MSG_EQ(network.Run(Seconds(60)), "", "over");
    NS_TEST_EXPECT_MSG_EQ(network.CountMissing(1, 1), 0, "messages of host 0");
    answers = network.peers[1]->GetSent().answers - answers;
    NS_TEST_EXPECT_MSG_LT(answers, 1000, "fewer answers than probes");
    const auto grtt = network.peers[0]->GetGrtt(network.groups[0]);
    NS_TEST_ASSERT_MSG_EQ(grtt.has_value(), true, "an estimate");
    NS_TEST_EXPECT_MSG_EQ((*grtt <= Seconds(2)), true, "no longer than LongestTimeout");
}

/// JRM's estimate of a group's RTT: the estimator, the receivers' half, whole stacks.
const Suite g_units("lfn-jrm-grtt", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new JrmQuantiseTestCase("numbers that stand for RTTs"));
    suite.Add(new JrmGrttStepsTestCase("probes, answers, and what is refused"));
    suite.Add(new JrmGrttHistoryTestCase("random histories, computed twice"));
    suite.Add(new JrmProbedTestCase("a receiver: timers, answers, and what it refuses"));
    suite.Add(new JrmHoldOffTestCase("a sender: no second answer within one RTT"));
});
const Suite g_systems("lfn-jrm-grtt-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new JrmGrttSystemTestCase("estimates, alongside participants without the option"));
    suite.Add(new JrmGrttForgedTestCase("forged probes and answers"));
    suite.Add(new JrmFewAttemptsTestCase("two attempts and fixed timers: the law"));
});

} // namespace
