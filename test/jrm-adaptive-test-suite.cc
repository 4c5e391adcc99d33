// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-probe.h"
#include "lfn-test-case.h"

#include "ns3/jrm-sender-core.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Settings with timeouts that adapt: 20 ms and 50 ms at first.
JrmReceiverCore::Settings
MakeAdaptiveSettings()
{
    auto settings = MakeBasicSettings();
    settings.adapt = JrmAdaptiveTimeout::Rules();
    settings.nackBackoff = 1;
    return settings;
}

LFN_CASE(JrmReceiverAdaptsTestCase)
{
    // Compare what is sent and delivered at a time in microseconds.
    const auto expect = [&](JrmReceiverProbe& probe, int64_t us, const std::string& words) {
        NS_TEST_EXPECT_MSG_EQ(probe.AtTime(MicroSeconds(us)), words, us << " us");
    };
    // recvTimeout ends: 20 becomes 30 ms. nackTimeout ends: 50 becomes 75 ms.
    JrmReceiverProbe longer(MakeAdaptiveSettings());
    longer.Take(0, 1, 1, 250);
    expect(longer, 19'999, "");
    expect(longer, 20'000, "N1:2,3");
    expect(longer, 69'999, "");
    expect(longer, 70'000, "N1:2,3");
    expect(longer, 144'999, "");
    expect(longer, 145'000, "N1:2,3");
    // A response with little of 112.5 ms left: nothing shrinks.
    longer.Take(240, 1, 2, 250, JrmType::NACK_RESP);
    expect(longer, 269'999, "");
    expect(longer, 270'000, "N1:3");
    expect(longer, 382'499, "");
    expect(longer, 382'500, "N1:3"); // nackTimeout becomes 168.75 ms, recvTimeout is 45 ms
    // A response with nearly all left: nackTimeout becomes 151.875 ms, recvTimeout stays.
    longer.Take(383, 1, 3, 250, JrmType::NACK_RESP);
    expect(longer, 383'000, "D1");
    longer.Take(400, 2, 1, 250);
    expect(longer, 444'999, "");
    expect(longer, 445'000, "N2:2,3");
    expect(longer, 596'874, "");
    expect(longer, 596'875, "N2:2,3");

    // Packets in quick succession: recvTimeout becomes 18 ms, nackTimeout stays.
    JrmReceiverProbe shorter(MakeAdaptiveSettings());
    shorter.Take(0, 1, 1, 350);
    shorter.Take(1, 1, 2, 350);
    expect(shorter, 18'999, "");
    expect(shorter, 19'000, "N1:3,4"); // 27 ms
    expect(shorter, 68'999, "");
    expect(shorter, 69'000, "N1:3,4");
}

LFN_CASE(JrmRandomWaitTestCase)
{
    // A packet meanwhile is no reset of recvTimeout.
    auto calm = MakeAdaptiveSettings();
    calm.maxBackoff = Seconds(10);
    calm.groupSize = 1'000'000;
    JrmReceiverProbe waiting(calm);
    waiting.Take(0, 1, 1, 350);
    NS_TEST_EXPECT_MSG_EQ(waiting.At(20), "", "30 ms");
    waiting.Take(21, 1, 2, 350);
    waiting.Take(22, 1, 3, 350); // 27 ms
    waiting.core.Expire(MicroSeconds(48'999));
    NS_TEST_EXPECT_MSG_EQ(waiting.core.GetDeadline().value(), MilliSeconds(49), "22 + 27 ms");

    // Another's request for everything covers what one lacks.
    JrmReceiverProbe covered(calm);
    covered.Take(0, 1, 1, 350);
    covered.core.Expire(MilliSeconds(20));
    const std::vector<uint16_t> two{2};
    covered.core.OnForeignNack({PARTICIPANT, GROUP, 1}, two, false, MilliSeconds(21));
    NS_TEST_EXPECT_MSG_EQ(covered.core.GetCounters().suppressed, 0, "a part is not enough");
    covered.core.OnForeignNack({PARTICIPANT, GROUP, 1}, two, true, MilliSeconds(21));
    NS_TEST_EXPECT_MSG_EQ(covered.core.GetCounters().suppressed, 1, "everything is");
    covered.core.OnForeignNack({PARTICIPANT, GROUP, 1}, two, true, MilliSeconds(22));
    NS_TEST_EXPECT_MSG_EQ(covered.core.GetCounters().suppressed, 1, "once");
    NS_TEST_EXPECT_MSG_EQ(covered.core.GetDeadline().value(), MilliSeconds(71), "21 + 50 ms");
    covered.core.OnForeignNack({PARTICIPANT, GROUP, 9}, two, true, MilliSeconds(22));
    covered.core.OnForeignNack({PARTICIPANT + 1, GROUP, 1}, two, true, MilliSeconds(22));
    NS_TEST_EXPECT_MSG_EQ(covered.core.GetHolders(), 1, "what is not known stays so");

    // The random wait: the inverse of (e^(lambda x / T) - 1) / (e^lambda - 1), lambda = ln R
    // + 1.
    for (const double uniform : {0.0, 0.1, 0.5, 0.9, 1.0})
    {
        auto settings = MakeBasicSettings();
        settings.maxBackoff = Seconds(1);
        settings.groupSize = 10;
        JrmReceiverCore core;
        core.Start(settings, [uniform]() { return uniform; });
        core.OnPacket(MakeJrmHeader(1, 1, 10), 10, {}, Time(0));
        core.OnPacket(MakeJrmHeader(3, 1, 10), 10, {}, Time(0));
        const double lambda = std::log(10.0) + 1;
        const double wait = std::log(1 + uniform * (std::exp(lambda) - 1)) / lambda;
        NS_TEST_EXPECT_MSG_EQ_TOL(core.GetDeadline().value().GetSeconds(),
                                  wait,
                                  1e-6,
                                  "U = " << uniform);
    }
}

LFN_CASE(JrmSenderAdaptsTestCase)
{
    JrmSenderCore::Settings settings;
    settings.participant = PARTICIPANT;
    settings.sendTimeout = Seconds(1);
    JrmSenderCore core;
    core.Start(settings);
    const std::vector<uint16_t> one{1};
    const auto first = *core.Send(GROUP, 10, Seconds(0));
    for (int i = 0; i < 100; ++i)
    {
        core.OnNack(first, one, false, MilliSeconds(1));
    }
    NS_TEST_EXPECT_MSG_EQ(core.GetDeadline().value(), MilliSeconds(1001), "not shorter");
    core.Expire(MilliSeconds(1001));
    core.OnNack(first, one, false, Seconds(2)); // late: 1.5 s
    const auto second = *core.Send(GROUP, 10, Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(core.GetDeadline().value(), MilliSeconds(11'500), "longer");
    core.OnNack(second, one, false, Seconds(10)); // 1.35 s
    NS_TEST_EXPECT_MSG_EQ(core.GetDeadline().value(), MilliSeconds(11'350), "shorter again");
    core.OnNack({PARTICIPANT, GROUP, first.message - 1}, one, false, Seconds(10));
    core.OnNack({PARTICIPANT, GROUP, second.message + 1}, one, false, Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(core.GetDeadline().value(), MilliSeconds(11'350), "never sent: no");

    // Literally (JRM-D8): every request comes with much time left, down to the bound of all timers.
    settings.sendTimeoutFloor = false;
    core.Start(settings);
    const auto fading = *core.Send(GROUP, 10, Seconds(0));
    core.OnNack(fading, one, false, MilliSeconds(1)); // 0.9 s
    NS_TEST_EXPECT_MSG_EQ(core.GetDeadline().value(), MilliSeconds(901), "shorter at once");
    for (int i = 0; i < 100; ++i)
    {
        core.OnNack(fading, one, false, MilliSeconds(1));
    }
    NS_TEST_EXPECT_MSG_EQ(core.GetDeadline().value(), MilliSeconds(6), "ShortestTimeout is 5 ms");
    settings.sendTimeoutFloor = true;

    // Requests gathered for longer than the message is kept.
    settings.aggregation = Seconds(3);
    core.Start(settings);
    const auto third = *core.Send(GROUP, 10, Seconds(0));
    core.OnNack(third, one, false, Seconds(0));
    core.Expire(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(core.GetKept(), 0, "gone");
    core.Expire(Seconds(3));
    NS_TEST_EXPECT_MSG_EQ(core.NextResponse().has_value(), false, "nothing to send");
    NS_TEST_EXPECT_MSG_EQ(core.GetDeadline().has_value(), false, "no timer");

    // Bounds hold for what adapts, not for the first value.
    JrmAdaptiveTimeout large(Seconds(5), {});
    large.Expired();
    NS_TEST_EXPECT_MSG_EQ(large.Get(), Seconds(5), "above 2 s");
    JrmAdaptiveTimeout small(MilliSeconds(1), {});
    small.Reset(MilliSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(small.Get(), MilliSeconds(1), "below 5 ms");
}

LFN_CASE(JrmOldTestCase)
{
    auto patient = MakeBasicSettings();
    patient.recvTimeout = Seconds(1000);
    JrmReceiverProbe old(patient);
    old.Take(7, 0, 1, 150);
    for (uint32_t number = 1; number <= 1100; ++number)
    {
        old.Take(8, number, 1, 10);
        old.core.NextDelivery();
    }
    old.Take(9, 0, 2, 150);
    const auto delivery = old.core.NextDelivery();
    NS_TEST_ASSERT_MSG_EQ(delivery.has_value(), true, "complete");
    NS_TEST_EXPECT_MSG_EQ(delivery->id.message, 0, "the old one");
    NS_TEST_EXPECT_MSG_EQ(delivery->begin, MilliSeconds(7), "it began");
    NS_TEST_EXPECT_MSG_EQ(delivery->end, MilliSeconds(9), "it ended");
    NS_TEST_EXPECT_MSG_EQ(old.core.GetCounters().beginnings, 0, "no return");

    // Numbers of a third life may be those of a first one, but for the newest of them.
    JrmReceiverProbe lives(MakeBasicSettings());
    lives.Take(0, 50'000, 1, 10);
    lives.Take(1, 900'000, 1, 10);
    NS_TEST_EXPECT_MSG_EQ(lives.At(1), "D50000 D900000", "two lives");
    lives.Take(2, 50'000 - 1023, 1, 10);
    NS_TEST_EXPECT_MSG_EQ(lives.At(2), "", "late");
    lives.Take(3, 50'000 - 1024, 1, 10);
    NS_TEST_EXPECT_MSG_EQ(lives.At(3), "D48976", "a third one");
    NS_TEST_EXPECT_MSG_EQ(lives.core.GetCounters().beginnings, 2, "two returns");
}

/** @brief JRM's timeouts: which event makes which of them longer or shorter (section 2). */
const Suite g_suite("lfn-jrm-adaptive", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new JrmReceiverAdaptsTestCase(
        "recvTimeout and nackTimeout: each by its own expiries and resets"));
    suite.Add(new JrmRandomWaitTestCase("the random wait before a request, and what ends it"));
    suite.Add(new JrmSenderAdaptsTestCase(
        "sendTimeout: longer by late requests, never shorter than it was set"));
    suite.Add(new JrmOldTestCase("a message far behind that is still collected; a third life"));
});

} // namespace
