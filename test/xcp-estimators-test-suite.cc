// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-moments.h"

#include "ns3/boolean.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-bloom-estimator.h"
#include "ns3/xcp-exact-estimator.h"
#include "ns3/xcp-tcp-fairness.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/**
 * @brief Compare the mean count of many sets of N flows with the expected one, by L levels of P
 * bins.
 */
LFN_CASE_OF(BloomMeanTestCase, uint32_t levels, uint32_t bins, uint32_t flows)
{
    auto bloom = CreateObject<XcpBloomEstimator>();
    bloom->SetAttribute("Levels", UintegerValue(levels));
    bloom->SetAttribute("Bins", UintegerValue(bins));
    auto linear = CreateObject<XcpBloomEstimator>();
    linear->SetAttribute("Levels", UintegerValue(levels));
    linear->SetAttribute("Bins", UintegerValue(bins));
    linear->SetAttribute("LinearCounting", BooleanValue(true));
    std::mt19937_64 bits(levels * bins + flows);
    std::vector<double> counts;
    std::vector<double> corrected;
    for (int sample = 0; sample < 300; ++sample)
    {
        for (uint32_t i = 0; i < flows; ++i)
        {
            const uint64_t flow = bits();
            for (uint32_t packet = 0; packet <= i % 3; ++packet)
            {
                bloom->See(flow);
                linear->See(flow);
            }
        }
        bloom->EndInterval();
        linear->EndInterval();
        counts.push_back(bloom->GetCount());
        corrected.push_back(linear->GetCount());
    }
    double expected = 0;
    for (uint32_t n = 0; n < flows; ++n)
    {
        expected += 1.0 - std::pow(1.0 - std::pow(1.0 - 1.0 / bins, n), levels);
    }
    const auto moments = MomentsOf(counts);
    NS_TEST_EXPECT_MSG_EQ_TOL(moments.mean,
                              expected,
                              4 * moments.error + 1e-3,
                              flows << " flows in " << levels << " levels of " << bins);
    const auto ofCorrected = MomentsOf(corrected);
    NS_TEST_EXPECT_MSG_EQ_TOL(ofCorrected.mean,
                              flows,
                              4 * ofCorrected.error + 0.005 * flows,
                              "linear counting");
}

LFN_CASE(BloomTestCase)
{
    auto bloom = CreateObject<XcpBloomEstimator>();
    bloom->SetAttribute("PeriodLength", UintegerValue(2));
    NS_TEST_EXPECT_MSG_EQ((bloom->GetCount()), 0.0, "no packet");
    bloom->See(1);
    bloom->See(1);
    bloom->EndInterval();
    NS_TEST_EXPECT_MSG_EQ((bloom->GetCount()), 0.0, "the period goes on");
    bloom->See(2);
    bloom->EndInterval();
    NS_TEST_EXPECT_MSG_EQ((bloom->GetCount()), 2.0, "two flows in two intervals");
    bloom->See(3);
    NS_TEST_EXPECT_MSG_EQ((bloom->GetCount()), 2.0, "of the last period");
    bloom->Reset();
    NS_TEST_EXPECT_MSG_EQ((bloom->GetCount()), 0.0, "forgotten");
    bloom->EndInterval();
    bloom->EndInterval();
    NS_TEST_EXPECT_MSG_EQ((bloom->GetCount()), 0.0, "bins, too");
    NS_TEST_EXPECT_MSG_EQ((bloom->GetStateBytes()), 3 * 1024 / 8 + 4, "bits and a counter");

    // Full bins: a number all the same.
    auto full = CreateObject<XcpBloomEstimator>();
    full->SetAttribute("Levels", UintegerValue(1));
    full->SetAttribute("Bins", UintegerValue(2));
    full->SetAttribute("LinearCounting", BooleanValue(true));
    for (uint64_t flow = 0; flow < 1000; ++flow)
    {
        full->See(flow);
    }
    full->EndInterval();
    NS_TEST_EXPECT_MSG_EQ_TOL((full->GetCount()), 2.0, 1e-12, "log(1/4) / log(1/2)");
}

LFN_CASE(ExactTestCase)
{
    auto exact = CreateObject<XcpExactEstimator>();
    std::mt19937 bits(4);
    std::uniform_int_distribution<uint64_t> flows(0, 40);
    NS_TEST_EXPECT_MSG_EQ((exact->GetCount()), 0.0, "no packet");
    for (int interval = 0; interval < 50; ++interval)
    {
        std::set<uint64_t> seen;
        for (int packet = 0; packet < interval; ++packet)
        {
            const uint64_t flow = flows(bits);
            seen.insert(flow);
            exact->See(flow);
        }
        exact->EndInterval();
        NS_TEST_EXPECT_MSG_EQ((exact->GetCount()), seen.size(), "interval " << interval);
    }
    exact->Reset();
    NS_TEST_EXPECT_MSG_EQ((exact->GetCount()), 0.0, "forgotten");
    exact->SetAttribute("PeriodLength", UintegerValue(2));
    exact->See(1);
    exact->EndInterval();
    NS_TEST_EXPECT_MSG_EQ((exact->GetCount()), 0.0, "the period goes on");
    exact->See(std::numeric_limits<uint64_t>::max());
    exact->EndInterval();
    NS_TEST_EXPECT_MSG_EQ((exact->GetCount()), 2.0, "two flows in two intervals");
    const auto before = exact->GetStateBytes();
    exact->See(8);
    NS_TEST_EXPECT_MSG_GT((exact->GetStateBytes()), before, "memory grows with the flows");
    NS_TEST_EXPECT_MSG_EQ((exact->AssignStreams(5)), 0, "nothing random");
}

using Class = XcpTcpFairness::TrafficClass; //!< shorter

/// Make a mechanism whose XCP estimator has a period of a number of intervals.
Ptr<XcpTcpFairness>
Make(const std::string& type, uint32_t period)
{
    ObjectFactory estimator(type);
    estimator.Set("PeriodLength", UintegerValue(period));
    const auto fairness = CreateObject<XcpTcpFairness>();
    fairness->SetAttribute("XcpEstimator", PointerValue(estimator.Create<Object>()));
    return fairness;
}

/// Let an interval of 0.1 s pass, in which flows of XCP send a packet each; N.
double
Step(const Ptr<XcpTcpFairness>& fairness, const std::vector<uint64_t>& flows)
{
    for (const uint64_t flow : flows)
    {
        fairness->OnArrival(Class::XCP, flow, 1000);
    }
    fairness->OnInterval(MilliSeconds(100), 1e6, 0.1);
    return fairness->GetAccount().xcpFlows;
}

/** @brief Periods of the mechanism while nothing of a class comes. */
LFN_CASE_OF(WaitingPeriodTestCase, std::string estimator)
{
    const auto fairness = Make(estimator, 1);
    NS_TEST_EXPECT_MSG_EQ((Step(fairness, {})), 0, "nothing yet");
    NS_TEST_EXPECT_MSG_EQ((Step(fairness, {1, 2, 3})), 3, "three flows");
    for (int i = 1; i < 10; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((Step(fairness, {})), 3, "within SilenceTimeout, " << i);
    }
    NS_TEST_EXPECT_MSG_EQ((Step(fairness, {})), 0, "silent");
    NS_TEST_EXPECT_MSG_EQ((Step(fairness, {3, 4})), 2, "counted again");
    NS_TEST_EXPECT_MSG_EQ((Step(fairness, {})), 2, "a pause");
    NS_TEST_EXPECT_MSG_EQ((Step(fairness, {5})), 1, "counted again without a silence");
    Step(fairness, {6, 7});
    fairness->OnTailDrop(Class::XCP);
    for (int i = 1; i < 600; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((Step(fairness, {})), 2, "within LossTimeout, " << i);
    }
    NS_TEST_EXPECT_MSG_EQ((Step(fairness, {})), 0, "silent after LossTimeout");

    // A period is of two intervals with packets, however long the pause between them.
    const auto slow = Make(estimator, 2);
    NS_TEST_EXPECT_MSG_EQ((Step(slow, {1})), 0, "the first period goes on");
    NS_TEST_EXPECT_MSG_EQ((Step(slow, {})), 0, "still");
    NS_TEST_EXPECT_MSG_EQ((Step(slow, {2, 3})), 3, "the first period");
    for (int i = 1; i < 10; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((Step(slow, {})), 3, "a pause, " << i);
    }
    NS_TEST_EXPECT_MSG_EQ((Step(slow, {1})), 3, "the second period goes on");
    for (int i = 1; i <= 20; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((Step(slow, {})), (i < 10 ? 3 : 0), "then silence, " << i);
    }
    Step(slow, {4});
    NS_TEST_EXPECT_MSG_EQ((Step(slow, {4})), 1, "what was before a silence is forgotten");
}

/** @brief The estimators that count active flows by period; SRED has a suite of its own. */
const Suite g_suite("lfn-xcp-estimators", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new BloomTestCase("the Bloom filter's periods, full bins"));
    suite.Add(
        new BloomMeanTestCase("the Bloom filter's expected count, 1 levels of 64 bins, 30 flows",
                              1,
                              64,
                              30));
    suite.Add(
        new BloomMeanTestCase("the Bloom filter's expected count, 1 levels of 64 bins, 100 flows",
                              1,
                              64,
                              100));
    suite.Add(
        new BloomMeanTestCase("the Bloom filter's expected count, 3 levels of 64 bins, 100 flows",
                              3,
                              64,
                              100));
    suite.Add(
        new BloomMeanTestCase("the Bloom filter's expected count, 4 levels of 128 bins, 250 flows",
                              4,
                              128,
                              250));
    suite.Add(
        new BloomMeanTestCase("the Bloom filter's expected count, 3 levels of 1024 bins, 13 flows",
                              3,
                              1024,
                              13));
    suite.Add(new ExactTestCase("the exact count of each period"));
    for (const std::string name : {"ns3::lfn::XcpBloomEstimator", "ns3::lfn::XcpExactEstimator"})
    {
        suite.Add(
            new WaitingPeriodTestCase("flows that wait are no part of a period: " + name, name));
    }
});

} // namespace
