// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/nstime.h"
#include "ns3/vrp-rate-control.h"

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

constexpr uint32_t PACKET = 1000; //!< bytes of a packet

/** @brief A sender at an RTT of 100 ms, whose packets all come unless they are lost. */
struct RateProbe
{
    VrpRateControl rate; //!< what is tested
    Time now;            //!< the clock

    /// A sender that starts now.
    RateProbe()
    {
        rate.Start(PACKET, MilliSeconds(100), now);
    }

    /// Send and deliver a number of packets at a rate in B/s, all received an RTT later.
    void Deliver(int packets, double bytesPerSecond)
    {
        for (int i = 0; i < packets; ++i)
        {
            now += Seconds(PACKET / bytesPerSecond);
            rate.HeldBack(now); // it has more to send
            rate.Came(rate.Sent(), PACKET, now);
            rate.OnFeedback(MilliSeconds(100), now);
        }
    }

    /// Lose a packet that leaves now.
    void Lose()
    {
        rate.Lost(rate.Sent(), now, now);
    }
};

/** @brief The equation of RFC 5348, section 3.1, and its inverse. */
LFN_CASE(VrpEquationTestCase)
{
    // Written out a second time, with t_RTO = 4 R and b = 1.
    for (const double p : {1e-6, 1e-4, 0.01, 0.1, 0.5, 1.0})
    {
        const double r = 0.06;
        const double denominator = r * (std::sqrt(2.0 / 3.0 * p) +
                                        12 * std::sqrt(3.0 / 8.0 * p) * (p + 32 * std::pow(p, 3)));
        const double rate = VrpRateControl::Throughput(1460, r, p);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate * denominator / 1460, 1, 1e-12, "p " << p);
        NS_TEST_EXPECT_MSG_EQ_TOL(VrpRateControl::FindLossEventRate(1460, r, rate) / p,
                                  1,
                                  1e-6,
                                  "p " << p);
    }
    // Small p: Mathis' sqrt(3/2) / (R sqrt(p)).
    NS_TEST_EXPECT_MSG_EQ_TOL(VrpRateControl::Throughput(1000, 0.1, 1e-6) /
                                  (1000 * std::sqrt(1.5) / (0.1 * 1e-3)),
                              1,
                              1e-3,
                              "Mathis");
}

/** @brief The beginning: no loss yet. */
LFN_CASE(VrpSlowStartTestCase)
{
    RateProbe probe;
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), 40000, 1e-6, "4 packets per RTT");
    NS_TEST_EXPECT_MSG_EQ(probe.rate.GetLossEventRate(), 0, "no loss");
    double before = probe.rate.GetRate();
    for (int i = 0; i < 5; ++i)
    {
        probe.Deliver(static_cast<int>(std::lround(before * 0.1 / PACKET)), before);
        NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate() / before, 2, 0.01, "RTT " << i);
        before = probe.rate.GetRate();
    }
    // What arrives bounds it: a path of 100 kB/s.
    probe.Deliver(200, 1e5);
    NS_TEST_EXPECT_MSG_LT_OR_EQ(probe.rate.GetRate(), 2.01e5, "twice what arrives");
    // The first loss: half of what came.
    probe.Lose();
    probe.rate.OnFeedback(MilliSeconds(100), probe.now);
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate() / 5e4, 1, 0.02, "half");

    // Spacing.
    RateProbe spaced;
    NS_TEST_EXPECT_MSG_EQ(spaced.rate.Depart(1000, spaced.now), MilliSeconds(0), "the first");
    NS_TEST_EXPECT_MSG_EQ(spaced.rate.Depart(500, spaced.now), MilliSeconds(25), "40 kB/s");
    NS_TEST_EXPECT_MSG_EQ(spaced.rate.Depart(1000, spaced.now), MicroSeconds(37500), "smaller");
    NS_TEST_EXPECT_MSG_EQ(spaced.rate.Depart(1000, Seconds(1)), Seconds(1), "no credit");
}

LFN_CASE(VrpLossEventTestCase)
{
    RateProbe probe;
    probe.Deliver(100, 1e5);
    probe.Lose();
    const double first = probe.rate.GetLossEventRate();
    probe.now += MilliSeconds(50);
    probe.Lose();
    probe.Lose();
    NS_TEST_EXPECT_MSG_EQ(probe.rate.GetLossEventRate(), first, "within one RTT: one");

    // One of every hundred: p = 1/100 once eight intervals are known.
    for (int i = 0; i < 10; ++i)
    {
        probe.Deliver(99, 1e5);
        probe.Lose();
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetLossEventRate(), 0.01, 1e-9, "1 in 100");
    probe.Deliver(1, 1e6);
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(),
                              std::min(VrpRateControl::Throughput(PACKET, 0.1, 0.01), 2e5),
                              1e3,
                              "the equation");
    probe.Deliver(50, 1e5);
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetLossEventRate(),
                              0.01,
                              1e-9,
                              "a short open interval does not count");
    probe.Deliver(949, 1e5);
    // Open: 1000; the weights are 1 1 1 1 .8 .6 .4 .2, 6 in all.
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetLossEventRate(),
                              6.0 / (1000 + 5 * 100),
                              1e-9,
                              "a long one does");

    // What is received late of packets before the last event is no event of its own.
    const double before = probe.rate.GetLossEventRate();
    probe.rate.Lost(5, MilliSeconds(1), probe.now);
    NS_TEST_EXPECT_MSG_EQ(probe.rate.GetLossEventRate(), before, "an old one");
}

LFN_CASE(VrpSilenceTestCase)
{
    RateProbe probe;
    probe.Deliver(100, 1e5);
    probe.Lose();
    probe.rate.OnFeedback(MilliSeconds(100), probe.now);
    const double before = probe.rate.GetRate();
    for (int i = 1; i <= 3; ++i)
    {
        probe.now += Seconds(1);
        probe.Lose();
        NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), before / std::pow(2, i), 1, "halved");
        probe.Lose();
        NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), before / std::pow(2, i), 1, "once");
    }
    for (int i = 0; i < 100; ++i)
    {
        probe.now += Seconds(1000);
        probe.Lose();
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), PACKET / 64.0, 1e-9, "a packet in 64 s");
}

LFN_CASE(VrpEveryPacketTestCase)
{
    RateProbe probe;
    for (int i = 0; i < 1000; ++i)
    {
        probe.now += Seconds(1);
        probe.Lose();
        probe.rate.OnFeedback(Time(0), probe.now);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetLossEventRate(), 1, 1e-9, "all");
    NS_TEST_EXPECT_MSG_EQ(std::isfinite(probe.rate.GetRate()), true, "a number");
    NS_TEST_EXPECT_MSG_GT(probe.rate.GetRate(), 0, "above 0");
}

/** @brief RFC 5348, section 4.3, step 4, written out a second time, for feedback every R. */
struct RateModel
{
    double rtt{0.1};         //!< R, s
    double initial{40000};   //!< initial rate, B/s
    double rate{40000};      //!< X, B/s
    double limit{0};         //!< recv_limit, B/s
    double last{0};          //!< p of the feedback before
    std::vector<double> set; //!< X_recv_set; of the last four, B/s

    /// Take feedback.
    void OnPacket(double received, double p, bool isDataLimited, bool isNewLoss)
    {
        if (isDataLimited && (isNewLoss || p > last))
        {
            for (auto& entry : set)
            {
                entry *= 0.5;
            }
            Maximize(0.85 * received);
            limit = set[0];
        }
        else if (isDataLimited)
        {
            Maximize(received);
            limit = 2 * set[0];
        }
        else
        {
            set.push_back(received);
            if (set.size() > 4)
            {
                set.erase(set.begin());
            }
            limit = 2 * *std::max_element(set.begin(), set.end());
        }
        last = p;
        if (p > 0)
        {
            const double root =
                std::sqrt(2 * p / 3) + 12 * std::sqrt(3 * p / 8) * p * (1 + 32 * p * p);
            rate = std::max(std::min(PACKET / (rtt * root), limit), PACKET / 64.0);
        }
        else
        {
            rate = std::max(std::min(2 * rate, limit), initial);
        }
    }

    /// Keep the largest.
    void Maximize(double received)
    {
        set.push_back(received);
        set = {*std::max_element(set.begin(), set.end())};
    }
};

/// An RTT of 100 ms with a number of packets, of which the first may be lost, and feedback.
void
Interval(RateProbe& probe, int packets, bool isGreedy, bool isLost = false)
{
    const Time start = probe.now;
    for (int i = 0; i < packets; ++i)
    {
        probe.now = start + (i + 1) * MilliSeconds(100) / packets;
        if (isGreedy)
        {
            probe.rate.HeldBack(probe.now);
        }
        const auto order = probe.rate.Sent();
        if (isLost && i == 0)
        {
            probe.rate.Lost(order, probe.now, probe.now);
        }
        else
        {
            probe.rate.Came(order, PACKET, probe.now);
        }
    }
    probe.now = start + MilliSeconds(100);
    probe.rate.OnFeedback(MilliSeconds(100), probe.now);
}

LFN_CASE(VrpLimitedStartTestCase)
{
    RateProbe probe;
    for (const int packets : {4, 8, 16, 32})
    {
        Interval(probe, packets, true);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), 640e3, 1, "doubled four times");
    for (int i = 0; i < 20; ++i)
    {
        Interval(probe, 1, false);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), 640e3, 1, "twice the most that came");
}

LFN_CASE(VrpLimitedLossRateTestCase)
{
    RateProbe probe;
    for (int i = 0; i < 20; ++i)
    {
        Interval(probe, 100, true, i > 10);
    }
    const double before = probe.rate.GetRate();
    NS_TEST_EXPECT_MSG_GT(before, 1e5, "more than the application will send");
    for (int i = 0; i < 20; ++i)
    {
        Interval(probe, 1, false);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), before, 1, "as it was");
    for (int i = 0; i < 5; ++i)
    {
        Interval(probe, 1, true);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), 2e4, 1, "twice what arrives of a greedy one");
}

LFN_CASE(VrpLimitedLossTestCase)
{
    RateProbe probe;
    for (int i = 0; i < 400; ++i)
    {
        Interval(probe, 100, true);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), 2e6, 1, "twice 1 MB/s");
    Interval(probe, 10, false);
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), 2e6, 1, "1 MB/s is the largest");
    // The loss interval is as if the equation had given 500 kB/s: 0.5 MB/s is the lower bound.
    Interval(probe, 10, false, true);
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), 5e5, 10, "half of it");
    for (int i = 0; i < 2000; ++i)
    {
        Interval(probe, 50, false);
    }
    // Long without a loss, so that the equation gives more.
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), 1e6, 1, "twice 500 kB/s");
    Interval(probe, 50, false, true);
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(),
                              0.85 * 490e3,
                              1,
                              "0.85 of what came, which is more than half of the largest");
}

LFN_CASE(VrpLimitedIdleTestCase)
{
    RateProbe probe;
    for (int i = 0; i < 20; ++i)
    {
        Interval(probe, 100, true, i > 10);
    }
    const double before = probe.rate.GetRate();
    probe.now += Seconds(20);
    Interval(probe, 1, false);
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), before, before / 100, "as it was");
}

LFN_CASE(VrpLimitedRandomTestCase)
{
    std::mt19937 random(11);
    for (int run = 0; run < 200; ++run)
    {
        RateProbe probe;
        RateModel model;
        Time event = Seconds(-1); // losses within one RTT are one
        for (int i = 0; i < 100; ++i)
        {
            const int packets = 2 + static_cast<int>(random() % 60);
            const bool isGreedy = random() % 3 == 0;
            const bool isLost = run % 4 != 0 && random() % 8 == 0;
            const Time first = probe.now + MilliSeconds(100) / packets;
            const bool isNew = isLost && first > event + MilliSeconds(100);
            event = isNew ? first : event;
            Interval(probe, packets, isGreedy, isLost);
            model.OnPacket(PACKET * (packets - (isLost ? 1 : 0)) / 0.1,
                           probe.rate.GetLossEventRate(),
                           !isGreedy,
                           isNew);
            NS_TEST_ASSERT_MSG_EQ_TOL(probe.rate.GetRate() / model.rate,
                                      1,
                                      1e-9,
                                      "run " << run << " interval " << i);
        }
    }
}

const Suite g_suite("lfn-vrp-rate", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new VrpEquationTestCase("the throughput equation and its inverse"));
    suite.Add(new VrpSlowStartTestCase("slow start, the first loss, spacing"));
    suite.Add(new VrpLossEventTestCase("loss events, their average"));
    suite.Add(new VrpSilenceTestCase("silence: nothing comes back any more"));
    suite.Add(new VrpEveryPacketTestCase("everything is lost, and nothing is divided by zero"));
    suite.Add(new VrpLimitedStartTestCase("data-limited intervals before the first loss"));
    suite.Add(new VrpLimitedLossRateTestCase("data-limited intervals after it: the equation holds, "
                                             "not twice what the application sends"));
    suite.Add(new VrpLimitedLossTestCase(
        "a loss while the application has little to send: the largest rate counts half"));
    suite.Add(
        new VrpLimitedIdleTestCase("nothing to send for a while, and everything at once then"));
    suite.Add(new VrpLimitedRandomTestCase("data-limited intervals at random, against a model"));
});

} // namespace
