// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/rtt-estimator.h"
#include "ns3/string.h"
#include "ns3/vrp-rtt-estimator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief A test of the adaptive timeout. */
class VrpRttTestBase : public Case
{
  protected:
    using Case::Case;

    /// Make an estimator that has seen a PING of a number of milliseconds.
    static Ptr<VrpRttEstimator> After(int64_t milliseconds)
    {
        auto rtt = CreateObject<VrpRttEstimator>();
        rtt->Measurement(MilliSeconds(milliseconds));
        return rtt;
    }

    /// Compare RTT, D and timeout, all in us.
    void Expect(Ptr<VrpRttEstimator> rtt,
                double estimate,
                double deviation,
                double timeout,
                const std::string& message)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Us(rtt->GetEstimate()), estimate, 0.01, message << ": RTT");
        NS_TEST_EXPECT_MSG_EQ_TOL(Us(rtt->GetVariation()), deviation, 0.01, message << ": D");
        NS_TEST_EXPECT_MSG_EQ_TOL(Us(rtt->GetTimeout()), timeout, 0.05, message << ": timeout");
    }

    /// Write a time in microseconds.
    static double Us(Time time)
    {
        return time.GetNanoSeconds() / 1e3;
    }
};

/** @brief V9 and what each attribute changes in it. */
class VrpJacobsonTestCase : public VrpRttTestBase
{
    using VrpRttTestBase::VrpRttTestBase;

    void DoRun() override
    {
        auto rtt = After(100);
        Expect(rtt, 100000, 50000, 300000, "after the PING (C1)");
        NS_TEST_EXPECT_MSG_EQ(rtt->GetNSamples(), 1, "one sample");
        rtt->Measurement(MilliSeconds(120));
        Expect(rtt, 102500, 45937.5, 286250, "V9");
        NS_TEST_EXPECT_MSG_EQ(rtt->GetNSamples(), 2, "two samples");

        CheckAttribute("Alpha", DoubleValue(0.5), 110000, 30000, 230000); // |110 - 120| = 10
        CheckAttribute("DevFactor", DoubleValue(2), 102500, 45937.5, 194375);
        CheckAttribute("InitialDevRatio", DoubleValue(0.25), 102500, 24062.5, 198750);
        CheckAttribute("MinRto", TimeValue(MilliSeconds(290)), 102500, 45937.5, 290000);
        CheckAttribute("MaxRto", TimeValue(MilliSeconds(280)), 102500, 45937.5, 280000);
        CheckAttribute("DeviationFrom", StringValue("OldRtt"), 102500, 46250, 287500); // C10

        // C1: what the text of section 2.5.1 requires, a first timeout of twice the RTT.
        auto text = CreateObject<VrpRttEstimator>();
        text->SetAttribute("InitialDevRatio", DoubleValue(0.25));
        text->Measurement(MilliSeconds(100));
        Expect(text, 100000, 25000, 200000, "2 RTT");

        auto tiny = CreateObject<VrpRttEstimator>();
        tiny->Measurement(MicroSeconds(100));
        Expect(tiny, 100, 50, 10100, "no timer beats the clock's tick");
        tiny->SetAttribute("Granularity", TimeValue(Time(0)));
        Expect(tiny, 100, 50, 1000, "MinRto is 1 ms");
        auto huge = After(9000);
        Expect(huge, 9e6, 4.5e6, 10e6, "MaxRto is 10 s");

        rtt->Measurement(MilliSeconds(500));
        rtt->Reset();
        NS_TEST_EXPECT_MSG_EQ(rtt->GetNSamples(), 0, "no sample");
        rtt->Measurement(MilliSeconds(100));
        Expect(rtt, 100000, 50000, 300000, "as new");
    }

    /// Take V9's two samples with one attribute changed; RTT, D and timeout in us.
    void CheckAttribute(const std::string& name,
                        const AttributeValue& value,
                        double estimate,
                        double deviation,
                        double timeout)
    {
        auto rtt = CreateObject<VrpRttEstimator>();
        rtt->SetAttribute(name, value);
        rtt->Measurement(MilliSeconds(100));
        rtt->Measurement(MilliSeconds(120));
        Expect(rtt, estimate, deviation, timeout, name);
    }
};

/** @brief ns-3's own estimator computes the same from the old RTT; doubles, from the new one. */
LFN_CASE_FROM(VrpSecondComputationTestCase, VrpRttTestBase)
{
    auto old = CreateObject<VrpRttEstimator>();
    old->SetAttribute("DeviationFrom", StringValue("OldRtt"));
    auto theirs = CreateObject<RttMeanDeviation>();
    theirs->SetAttribute("Alpha", DoubleValue(0.125));
    theirs->SetAttribute("Beta", DoubleValue(0.125));
    auto fresh = CreateObject<VrpRttEstimator>();
    double estimate = 0;
    double deviation = 0;
    std::mt19937 random(1);
    for (int i = 0; i < 3000; ++i)
    {
        const uint32_t microseconds = 200 + random() % 300000;
        const Time sample = MicroSeconds(microseconds);
        old->Measurement(sample);
        theirs->Measurement(sample);
        fresh->Measurement(sample);
        estimate = i == 0 ? microseconds : 0.875 * estimate + 0.125 * microseconds;
        deviation = i == 0 ? microseconds / 2.0
                           : 0.875 * deviation + 0.125 * std::abs(estimate - microseconds);
        // Each of them drops less than 1 ns a sample, of which 1/8 a sample is forgotten.
        NS_TEST_ASSERT_MSG_EQ_TOL(Us(old->GetEstimate()),
                                  Us(theirs->GetEstimate()),
                                  0.02,
                                  "sample " << i);
        NS_TEST_ASSERT_MSG_EQ_TOL(Us(old->GetVariation()),
                                  Us(theirs->GetVariation()),
                                  0.03,
                                  "sample " << i);
        NS_TEST_ASSERT_MSG_EQ_TOL(Us(fresh->GetEstimate()), estimate, 0.02, "sample " << i);
        NS_TEST_ASSERT_MSG_EQ_TOL(Us(fresh->GetVariation()), deviation, 0.03, "sample " << i);
    }
}

/** @brief Karn's doubling, its limits, and the reverse path. */
class VrpKarnTestCase : public VrpRttTestBase
{
    using VrpRttTestBase::VrpRttTestBase;

    void DoRun() override
    {
        auto rtt = After(100);
        NS_TEST_EXPECT_MSG_EQ(rtt->Backoff(MilliSeconds(1000)), true, "the first");
        for (int i = 1; i < 64; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(rtt->Backoff(MilliSeconds(1000)), false, "timer " << i);
        }
        Expect(rtt, 200000, 100000, 600000, "64 timers that expire at once double once");
        NS_TEST_EXPECT_MSG_EQ(rtt->GetNSamples(), 1, "a doubling is no sample");
        NS_TEST_EXPECT_MSG_EQ(rtt->Backoff(MilliSeconds(1599)), false, "within the new timeout");
        NS_TEST_EXPECT_MSG_EQ(rtt->Backoff(MilliSeconds(1600)), true, "after it");
        Expect(rtt, 400000, 200000, 1200000, "twice");
        rtt->Measurement(MilliSeconds(400));
        Expect(rtt, 400000, 175000, 1100000, "the recursion goes on from the doubled values");

        // What the samples alone say is not doubled: 7/8 * 100 + 1/8 * 400.
        NS_TEST_EXPECT_MSG_EQ_TOL(Us(rtt->GetSmoothed()), 137500, 0.01, "the load");
        NS_TEST_EXPECT_MSG_EQ_TOL(Us(rtt->GetSmallest()), 100000, 0.01, "no load");
        rtt->Measurement(MilliSeconds(60));
        NS_TEST_EXPECT_MSG_EQ_TOL(Us(rtt->GetSmallest()), 60000, 0.01, "a faster one");

        auto literal = After(100);
        literal->SetAttribute("LimitBackoff", BooleanValue(false));
        for (int i = 0; i < 5; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(literal->Backoff(MilliSeconds(1000)), true, "every packet's");
        }
        Expect(literal, 3200000, 1600000, 9600000, "2 to the power of 5");
        NS_TEST_EXPECT_MSG_EQ(literal->Backoff(MilliSeconds(1000)), true, "up to MaxRto");
        NS_TEST_EXPECT_MSG_EQ(literal->Backoff(MilliSeconds(1000)), false, "but not beyond");
        Expect(literal, 6400000, 3200000, 10000000, "it must come back some time");

        auto clamped = After(100);
        clamped->SetAttribute("MaxRto", TimeValue(MilliSeconds(500)));
        NS_TEST_EXPECT_MSG_EQ(clamped->Backoff(Seconds(0)), true, "to 500 ms");
        NS_TEST_EXPECT_MSG_EQ(clamped->Backoff(Seconds(100)), false, "it is there");
        Expect(clamped, 200000, 100000, 500000, "at MaxRto");

        // VRP-D23: a doubling ends at the caller's limit, samples do not.
        auto limited = After(100);
        NS_TEST_EXPECT_MSG_EQ(limited->Backoff(Seconds(0), MilliSeconds(450)), true, "to 450 ms");
        Expect(limited, 150000, 75000, 450000, "one and a half times");
        NS_TEST_EXPECT_MSG_EQ(limited->Backoff(Seconds(9), MilliSeconds(450)), false, "the limit");
        NS_TEST_EXPECT_MSG_EQ(limited->Backoff(Seconds(9), MilliSeconds(200)), false, "above it");
        Expect(limited, 150000, 75000, 450000, "never shorter");
        limited->Measurement(MilliSeconds(950));
        Expect(limited, 250000, 153125, 862500, "a longer path");

        // A limit that a first doubling has set does not outlive a new beginning.
        auto again = After(100);
        again->Backoff(MilliSeconds(1000));
        again->Reset();
        again->Measurement(MilliSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(again->Backoff(MilliSeconds(1001)), true, "reset");

        CheckReversePath();
    }

    /**
     * @brief One doubling and then clean samples of a constant path.
     *
     * In the closed form RTT = R (1 + a^n) and, of a deviation that was 0, D = R (1 - a) n a^n. So
     * RTT comes back below 1.1 R with the 18th sample (the 17th leaves 1.103 R), but the deviation
     * that the reverse path itself makes lifts the timeout to 2.8 R first and keeps it above 1.1 R
     * for 40 samples.
     */
    void CheckReversePath()
    {
        auto rtt = CreateObject<VrpRttEstimator>();
        rtt->SetAttribute("InitialDevRatio", DoubleValue(0));
        rtt->SetAttribute("Granularity", TimeValue(Time(0)));
        rtt->Measurement(MilliSeconds(100));
        rtt->Backoff(MilliSeconds(0));
        Expect(rtt, 200000, 0, 200000, "doubled");
        double highest = 0;
        int estimateBack = 0;
        int timeoutBack = 0;
        for (int n = 1; n <= 50; ++n)
        {
            rtt->Measurement(MilliSeconds(100));
            const double left = std::pow(0.875, n);
            Expect(rtt,
                   1e5 * (1 + left),
                   1e5 * 0.125 * n * left,
                   1e5 * (1 + left + 0.5 * n * left),
                   "sample " + std::to_string(n));
            highest = std::max(highest, Us(rtt->GetTimeout()));
            estimateBack += rtt->GetEstimate() >= MilliSeconds(110) ? 1 : 0;
            timeoutBack += rtt->GetTimeout() >= MilliSeconds(110) ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(estimateBack, 17, "samples that leave RTT at 1.1 or more");
        NS_TEST_EXPECT_MSG_EQ(timeoutBack, 40, "samples that leave the timeout at 1.1 or more");
        NS_TEST_EXPECT_MSG_EQ_TOL(highest, 279500, 1000, "the timeout's peak");
    }
};

const Suite g_suite("lfn-vrp-rtt", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new VrpJacobsonTestCase("V9: RTT, deviation and timeout; every attribute"));
    suite.Add(new VrpSecondComputationTestCase(
        "random samples: as RttMeanDeviation (old RTT), as in floating point (new)"));
    suite.Add(new VrpKarnTestCase("C8: one doubling per timeout, MaxRto, and the reverse path"));
});

} // namespace
