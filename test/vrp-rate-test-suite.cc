// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/nstime.h"
#include "ns3/vrp-rate-control.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint32_t PACKET = 1000; //!< bytes of a packet

/** @brief A sender at a round trip of 100 ms, whose packets all come unless they are lost. */
struct RateProbe
{
    VrpRateControl rate; //!< what is tested
    Time now;            //!< the clock

    /// A sender that starts now.
    RateProbe()
    {
        rate.Start(PACKET, MilliSeconds(100), now);
    }

    /// Send and deliver so many packets at a rate in B/s, all heard of a round trip later.
    void Deliver(int packets, double bytesPerSecond)
    {
        for (int i = 0; i < packets; ++i)
        {
            now += Seconds(PACKET / bytesPerSecond);
            rate.Came(rate.Sent(), PACKET);
            rate.TakeFeedback(MilliSeconds(100), now);
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
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate(), 40000, 1e-6, "4 packets a round trip");
    NS_TEST_EXPECT_MSG_EQ(probe.rate.GetLossEventRate(), 0, "no loss");
    double before = probe.rate.GetRate();
    for (int i = 0; i < 5; ++i)
    {
        probe.Deliver(static_cast<int>(std::lround(before * 0.1 / PACKET)), before);
        NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate() / before, 2, 0.01, "round trip " << i);
        before = probe.rate.GetRate();
    }
    // What comes bounds it: a path of 100 kB/s.
    probe.Deliver(200, 1e5);
    NS_TEST_EXPECT_MSG_LT_OR_EQ(probe.rate.GetRate(), 2.01e5, "twice what comes");
    // The first loss: half of what came.
    probe.Lose();
    probe.rate.TakeFeedback(MilliSeconds(100), probe.now);
    NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetRate() / 5e4, 1, 0.02, "half");

    // Spacing.
    RateProbe spaced;
    NS_TEST_EXPECT_MSG_EQ(spaced.rate.Depart(1000, spaced.now), MilliSeconds(0), "the first");
    NS_TEST_EXPECT_MSG_EQ(spaced.rate.Depart(500, spaced.now), MilliSeconds(25), "40 kB/s");
    NS_TEST_EXPECT_MSG_EQ(spaced.rate.Depart(1000, spaced.now), MicroSeconds(37500), "smaller");
    NS_TEST_EXPECT_MSG_EQ(spaced.rate.Depart(1000, Seconds(1)), Seconds(1), "no credit");
}

/** @brief Loss events and their average. */
class VrpLossEventTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        RateProbe probe;
        probe.Deliver(100, 1e5);
        probe.Lose();
        const double first = probe.rate.GetLossEventRate();
        probe.now += MilliSeconds(50);
        probe.Lose();
        probe.Lose();
        NS_TEST_EXPECT_MSG_EQ(probe.rate.GetLossEventRate(), first, "within a round trip: one");

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

        // What is heard late of packets before the last event is no event of its own.
        const double before = probe.rate.GetLossEventRate();
        probe.rate.Lost(5, MilliSeconds(1), probe.now);
        NS_TEST_EXPECT_MSG_EQ(probe.rate.GetLossEventRate(), before, "an old one");

        CheckSilence();
        CheckEveryPacket();
    }

    /** @brief Nothing comes back any more. */
    void CheckSilence()
    {
        RateProbe probe;
        probe.Deliver(100, 1e5);
        probe.Lose();
        probe.rate.TakeFeedback(MilliSeconds(100), probe.now);
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

    /** @brief The worst: everything is lost, and nothing is divided by zero. */
    void CheckEveryPacket()
    {
        RateProbe probe;
        for (int i = 0; i < 1000; ++i)
        {
            probe.now += Seconds(1);
            probe.Lose();
            probe.rate.TakeFeedback(Time(0), probe.now);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(probe.rate.GetLossEventRate(), 1, 1e-9, "all");
        NS_TEST_EXPECT_MSG_EQ(std::isfinite(probe.rate.GetRate()), true, "a number");
        NS_TEST_EXPECT_MSG_GT(probe.rate.GetRate(), 0, "above 0");
    }
};

/** @brief The suite of the rate control. */
const Suite g_suite("lfn-vrp-rate", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new VrpEquationTestCase("the throughput equation and its inverse"));
    suite.Add(new VrpSlowStartTestCase("slow start, the first loss, spacing"));
    suite.Add(new VrpLossEventTestCase("loss events, their average, silence"));
});

} // namespace
