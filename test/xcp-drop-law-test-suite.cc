// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-adaptive-drop-law.h"
#include "ns3/xcp-multiplicative-drop-law.h"

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

constexpr double RTT = 0.1; //!< of XCP, [s]

/// Describe an interval with a fair window of 100 packets by E2E's rate over its fair share and the
/// link's utilisation.
XcpDropLaw::Observation
See(double ratio, double utilisation = 1.0)
{
    XcpDropLaw::Observation seen;
    seen.length = RTT;
    seen.utilisation = utilisation;
    seen.e2eFairShare = 2e6;
    seen.e2eRate = ratio * seen.e2eFairShare;
    seen.e2eFlows = 2;
    seen.meanRtt = RTT;
    seen.meanPacket = 1000;
    return seen;
}

LFN_CASE(MultiplicativeLawTestCase)
{
    auto law = CreateObject<XcpMultiplicativeDropLaw>();
    law->SetAttribute("Tolerance", DoubleValue(0.25)); // exact in binary, as 0.5 is
    law->SetAttribute("UtilisationThreshold", DoubleValue(0.5));
    auto decision = law->Decide(See(2, 0.5));
    NS_TEST_EXPECT_MSG_EQ(decision.probability, 0, "not above the threshold");
    NS_TEST_EXPECT_MSG_EQ(decision.apply, false, "nor dropping");
    decision = law->Decide(See(1.25, 0.6));
    NS_TEST_EXPECT_MSG_EQ(decision.probability, 0, "a match at the upper edge");
    NS_TEST_EXPECT_MSG_EQ(decision.apply, true, "persistent");
    decision = law->Decide(See(0.1, 0.6));
    NS_TEST_EXPECT_MSG_EQ(decision.probability, 0, "nothing to lower");
    decision = law->Decide(See(1.2501, 0.6));
    NS_TEST_EXPECT_MSG_EQ(decision.probability, 1e-4, "start");
    decision = law->Decide(See(1.2501, 0.6));
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 1.01e-4, 1e-16, "up");
    decision = law->Decide(See(0.75, 0.6));
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 1.01e-4, 1e-16, "a match: lower edge");
    decision = law->Decide(See(2, 0.4));
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 1.01e-4, 1e-16, "an idle link: kept");
    decision = law->Rest();
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 1.01e-4, 1e-16, "at rest: kept");
    NS_TEST_EXPECT_MSG_EQ(decision.apply, false, "at rest");
    law->Decide(See(2, 0.6));
    decision = law->Decide(See(0.7499, 0.6));
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 1.0201e-4 * 0.99, 1e-16, "down");
    NS_TEST_EXPECT_MSG_EQ(decision.apply, true, "persistent, under its fair share as well");
    decision = law->Decide(See(0.5, 0.4));
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability,
                              1e-4,
                              1e-16,
                              "down to the floor, on an idle link, too");
    for (int i = 0; i < 2000; ++i)
    {
        decision = law->Decide(See(3, 1));
    }
    NS_TEST_EXPECT_MSG_EQ(decision.probability, 1, "ceiling");
    for (int i = 0; i < 2000; ++i)
    {
        decision = law->Decide(See(0, 1));
    }
    NS_TEST_EXPECT_MSG_EQ(decision.probability, 1e-4, "floor");

    law->SetAttribute("Gated", BooleanValue(true));
    NS_TEST_EXPECT_MSG_EQ((law->Decide(See(0.74, 1)).apply), false, "gated: under");
    NS_TEST_EXPECT_MSG_EQ((law->Decide(See(0.75, 1)).apply), true, "gated: match");
    NS_TEST_EXPECT_MSG_EQ((law->Decide(See(2, 1)).apply), true, "gated: over");
    NS_TEST_EXPECT_MSG_EQ((law->Decide(See(2, 0.5)).apply), false, "gated: idle");
    law->SetAttribute("MaxProbability", DoubleValue(1e-5));
    NS_TEST_EXPECT_MSG_EQ((law->Decide(See(2, 1)).probability), 1e-5, "ceiling over floor");
}

/** @brief The adaptive law's formula, brake and bounds. */
LFN_CASE(AdaptiveLawTestCase)
{
    constexpr double base = 1.5e-4; // 1.5 / 100^2
    auto law = CreateObject<XcpAdaptiveDropLaw>();
    auto decision = law->Decide(See(1));
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, base, 1e-12, "the square-root law");
    NS_TEST_EXPECT_MSG_EQ(decision.apply, true, "a full link");
    NS_TEST_EXPECT_MSG_EQ((law->Decide(See(1, 0.8)).apply), false, "not above the threshold");
    auto rested = law->Rest();
    NS_TEST_EXPECT_MSG_EQ_TOL(rested.probability, base, 1e-12, "kept");
    NS_TEST_EXPECT_MSG_EQ(rested.apply, false, "at rest");
    law->SetAttribute("CorrectionGain", DoubleValue(0));
    law->SetAttribute("Steepness", DoubleValue(1));
    decision = law->Decide(See(1.5));
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability,
                              base * std::pow(100 / 1.5, 0.5),
                              1e-12,
                              "the first interval after a rest is not averaged");
    law->Rest();
    decision = law->Decide(See(0.51));
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability,
                              base * std::pow(100 / 1.5, -0.49),
                              1e-12,
                              "less below the fair share");
    law->Rest();
    NS_TEST_EXPECT_MSG_EQ((law->Decide(See(0.49)).apply), false, "gated");
    law->Rest();
    decision = law->Decide(See(50));
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 0.01, 1e-12, "at most one a window");
    law->Rest();
    auto small = See(50);
    small.e2eFlows = 1000;
    NS_TEST_EXPECT_MSG_EQ_TOL((law->Decide(small).probability), 0.15, 1e-12, "ceiling");
    law->Rest();
    auto empty = See(1);
    empty.meanPacket = 0;
    empty.meanRtt = 0;
    NS_TEST_EXPECT_MSG_EQ_TOL((law->Decide(empty).probability),
                              base,
                              1e-12,
                              "the last packet size, the interval as RTT");
}

LFN_CASE(AdaptiveBrakeTestCase)
{
    auto law = CreateObject<XcpAdaptiveDropLaw>();
    for (const double ratio : {0.04, 0.08, 0.16})
    {
        NS_TEST_EXPECT_MSG_EQ((law->Decide(See(ratio)).apply), false, "too little to brake");
    }
    auto decision = law->Decide(See(0.32));
    NS_TEST_EXPECT_MSG_EQ(decision.apply, true, "0.64 is to come");
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 2 / 64.0, 1e-12, "two a window");
    decision = law->Decide(See(0.42));
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability,
                              2 / (42 * 0.42 / 0.32),
                              1e-12,
                              "alert: growth by ten packets a window");
    NS_TEST_EXPECT_MSG_EQ((law->Decide(See(0.49)).apply), false, "growth by seven");

    auto bounded = CreateObject<XcpAdaptiveDropLaw>();
    bounded->SetAttribute("MaxProbability", DoubleValue(0.01));
    for (const double ratio : {0.04, 0.08, 0.16})
    {
        bounded->Decide(See(ratio));
    }
    decision = bounded->Decide(See(0.32));
    NS_TEST_EXPECT_MSG_EQ(decision.apply, true, "brakes");
    NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 0.01, 1e-12, "no more than allowed");

    auto calm = CreateObject<XcpAdaptiveDropLaw>();
    double most = 0;
    for (double ratio = 0.6; ratio < 1.2; ratio *= 1.03)
    {
        most = std::max(most, calm->Decide(See(ratio)).probability);
    }
    NS_TEST_EXPECT_MSG_LT(most, 2e-3, "congestion avoidance: far from a loss per window");
    for (const double ratio : {0.5, 0.8, 0.7, 1.2, 0.9})
    {
        most = std::max(most, calm->Decide(See(ratio)).probability);
    }
    NS_TEST_EXPECT_MSG_LT(most, 2e-3, "growth in one interval only");
    auto without = CreateObject<XcpAdaptiveDropLaw>();
    without->SetAttribute("BrakeLosses", DoubleValue(0));
    for (const double ratio : {0.1, 0.2, 0.4})
    {
        decision = without->Decide(See(ratio));
    }
    NS_TEST_EXPECT_MSG_EQ(decision.apply, false, "no brake");
}

LFN_CASE(AdaptiveAlertTestCase)
{
    for (const uint32_t length : {0, 2, 11})
    {
        for (const uint32_t after : {2, 3, 11, 12})
        {
            auto law = CreateObject<XcpAdaptiveDropLaw>();
            if (length != 11)
            {
                law->SetAttribute("AlertLength", UintegerValue(length));
            }
            for (const double ratio : {0.04, 0.08, 0.16, 0.32})
            {
                law->Decide(See(ratio));
            }
            for (uint32_t interval = 1; interval < after; ++interval)
            {
                law->Decide(See(0.32));
            }
            NS_TEST_EXPECT_MSG_EQ((law->Decide(See(0.42)).apply),
                                  (after <= length),
                                  "interval " << after << " after a braking, of " << length);
        }
    }
}

LFN_CASE(AdaptiveCorrectionTestCase)
{
    auto law = CreateObject<XcpAdaptiveDropLaw>();
    law->SetAttribute("CorrectionGain", DoubleValue(1));
    law->SetAttribute("FallPerLoss", DoubleValue(1e6));
    law->Decide(See(1.5));
    // An interval is 1.5/100 of the mean time between losses.
    NS_TEST_EXPECT_MSG_EQ_TOL((std::log(law->GetCorrection())), 0.5 * 0.015, 1e-12, "gain 1");
    for (int i = 0; i < 100; ++i)
    {
        const double before = law->GetCorrection();
        law->Decide(See(1.5));
        NS_TEST_EXPECT_MSG_EQ_TOL((std::log(law->GetCorrection() / before)),
                                  0.5 * 0.015 * before,
                                  1e-9,
                                  "a correction of two halves the time between losses");
    }
    for (int i = 0; i < 10000; ++i)
    {
        law->Decide(See(1.5));
    }
    NS_TEST_EXPECT_MSG_EQ_TOL((law->GetCorrection()), 500, 1e-6, "upper bound");
    law->Rest();
    NS_TEST_EXPECT_MSG_EQ_TOL((law->GetCorrection()), 500, 1e-6, "a rest keeps it");
    for (int i = 0; i < 100; ++i)
    {
        law->Decide(See(0.6, 0.5));
    }
    NS_TEST_EXPECT_MSG_EQ_TOL((law->GetCorrection()), 500, 1e-6, "an idle link keeps it");
    for (int i = 0; i < 10000; ++i)
    {
        law->Decide(See(0.6));
    }
    NS_TEST_EXPECT_MSG_EQ_TOL((law->GetCorrection()), 1 / 500.0, 1e-9, "lower bound");
}

/** @brief The correction where the law has little part in what TCP does. */
LFN_CASE(AdaptiveUntriedTestCase)
{
    // Below the gate nothing is dropped, so that TCP is small for another reason.
    auto untried = CreateObject<XcpAdaptiveDropLaw>();
    untried->Decide(See(1.5));
    for (int i = 0; i < 10000; ++i)
    {
        untried->Decide(See(0.3));
    }
    NS_TEST_EXPECT_MSG_EQ_TOL((untried->GetCorrection()),
                              1 / 4.0,
                              1e-9,
                              "no decrease without a decision");

    auto fresh = CreateObject<XcpAdaptiveDropLaw>();
    for (int i = 0; i < 10; ++i)
    {
        fresh->Decide(See(0.8));
    }
    NS_TEST_EXPECT_MSG_EQ(fresh->GetCorrection(), 1, "growth that it had no part in");
    for (int i = 0; i < 400; ++i)
    {
        fresh->Decide(See(0.8));
    }
    NS_TEST_EXPECT_MSG_LT(fresh->GetCorrection(), 0.9, "two losses per flow ought to have come");

    auto low = CreateObject<XcpAdaptiveDropLaw>();
    low->Decide(See(1.5));
    auto decision = low->Decide(See(0.1));
    for (int i = 0; i < 40; ++i)
    {
        decision = low->Decide(See(0.1));
    }
    NS_TEST_EXPECT_MSG_EQ(decision.apply, false, "below the gate");
    NS_TEST_EXPECT_MSG_LT(low->GetCorrection(), 0.8, "where it learns all the same");

    auto quick = CreateObject<XcpAdaptiveDropLaw>();
    auto small = See(1.5);
    small.e2eFlows *= 10;
    quick->Decide(small);
    NS_TEST_EXPECT_MSG_EQ_TOL((std::log(quick->GetCorrection())),
                              0.5 * 3 * small.length,
                              1e-12,
                              "a timeout is the least unit of time");
}

/// Describe an interval of 20 ms, a fifth of TCP's RTT; the fair window is 100 packets.
XcpDropLaw::Observation
SeeShort(double ratio)
{
    auto seen = See(ratio);
    seen.length = seen.meanRtt = 0.02;
    seen.e2eRtt = 0.1;
    return seen;
}

/** @brief Intervals shorter than TCP's RTT are one. */
LFN_CASE(AdaptiveLawGatherTestCase)
{
    // A window that comes in two bursts per RTT is no growth, and decides nothing alone.
    const std::vector<double> bursts{0.1, 0.5, 2.5, 0.4, 1.5};
    auto law = CreateObject<XcpAdaptiveDropLaw>();
    auto whole = CreateObject<XcpAdaptiveDropLaw>();
    double last = 0;
    for (int round = 0; round < 50; ++round)
    {
        for (std::size_t i = 0; i < bursts.size(); ++i)
        {
            const auto decision = law->Decide(SeeShort(bursts[i]));
            if (i + 1 < bursts.size())
            {
                NS_TEST_EXPECT_MSG_EQ(decision.probability, last, "until it is an RTT");
                NS_TEST_EXPECT_MSG_EQ(decision.apply, (round > 0), "as decided before");
            }
            last = decision.probability;
        }
        auto mean = SeeShort(1.0);
        mean.length = 0.1;
        NS_TEST_EXPECT_MSG_EQ_TOL(last,
                                  (whole->Decide(mean).probability),
                                  1e-9,
                                  "as of one interval with the mean");
    }
    law->Decide(SeeShort(1));
    law->Rest();
    NS_TEST_EXPECT_MSG_EQ((law->Decide(SeeShort(1)).apply), false, "a rest begins again");
}

/// Run a loop of N + M = 2 M flows with a fair window, in packets, that a loss multiplies and
/// that grows by packets a round; what the flows got over their fair share, mean over the second
/// half.
double
RunOnce(uint32_t flows, double window, double decrease, double growth)
{
    auto law = CreateObject<XcpAdaptiveDropLaw>();
    std::mt19937 bits(flows);
    std::uniform_real_distribution<double> uniform;
    std::vector<double> windows(flows, window / 2);
    const int rounds = 40000;
    double p = 0;
    double taken = 0;
    for (int i = 0; i < rounds; ++i)
    {
        double sent = 0;
        for (auto& each : windows)
        {
            sent += each;
            const bool isHit = uniform(bits) > std::pow(1 - p, each);
            each = isHit ? std::max(1.0, each * decrease) : each + growth;
        }
        auto seen = See(1);
        seen.e2eFairShare = window * flows * 1000 / RTT;
        seen.e2eRate = sent * 1000 / RTT;
        seen.e2eFlows = flows;
        const auto decision = law->Decide(seen);
        p = decision.apply ? decision.probability : 0;
        taken += i < rounds / 2 ? 0 : sent / (window * flows);
    }
    return taken / (0.5 * rounds);
}

/** @brief A coarse model of AIMD flows, a round a step, under the adaptive law. */
LFN_CASE(AdaptiveLoopTestCase)
{
    for (const uint32_t flows : {1, 2, 10})
    {
        for (const double window : {10.0, 50.0, 400.0})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL((RunOnce(flows, window, 0.5, 1)),
                                      1.0,
                                      0.05,
                                      flows << " flows of window " << window);
        }
    }
    NS_TEST_EXPECT_MSG_EQ_TOL((RunOnce(2, 50, 0.7, 1)), 1.0, 0.05, "a gentler decrease");
    NS_TEST_EXPECT_MSG_EQ_TOL((RunOnce(2, 50, 0.5, 3)), 1.0, 0.05, "a steeper increase");
}

/** @brief The drop laws of the XCP-TCP fairness mechanism. */
const Suite g_suite("lfn-xcp-drop-law", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new MultiplicativeLawTestCase("the report's drop law: thresholds, bounds, modes"));
    suite.Add(new AdaptiveLawTestCase("the adaptive drop law: square root, exponent, bounds"));
    suite.Add(new AdaptiveBrakeTestCase("the adaptive drop law brakes slow start"));
    suite.Add(new AdaptiveAlertTestCase("the brake's alert"));
    suite.Add(new AdaptiveCorrectionTestCase("the adaptive drop law's correction"));
    suite.Add(
        new AdaptiveUntriedTestCase("the correction below the gate, of a new law, with timeouts"));
    suite.Add(new AdaptiveLawGatherTestCase("the adaptive drop law decides once in an RTT of TCP"));
    suite.Add(
        new AdaptiveLoopTestCase("AIMD flows under the adaptive drop law get their fair share"));
});

} // namespace
