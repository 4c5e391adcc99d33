// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/xcp-adaptive-drop-law.h"
#include "ns3/xcp-multiplicative-drop-law.h"
#include "ns3/xcp-tcp-fairness.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Class = XcpTcpFairness::TrafficClass;

constexpr double CAPACITY = 12.5e6; //!< 100 Mb/s, [B/s]
constexpr double RTT = 0.1;         //!< of XCP, [s]

/** @brief An estimator that returns a given number. */
class ScriptedEstimator : public XcpFlowCountEstimator
{
  public:
    void See(uint64_t flow) override
    {
        seen++;
        last = flow;
    }

    void EndInterval() override
    {
        intervals++;
    }

    double GetCount() const override
    {
        return count;
    }

    void Reset() override
    {
        resets++;
    }

    uint64_t GetStateBytes() const override
    {
        return 0;
    }

    double count{1};       //!< what it says
    uint64_t seen{0};      //!< packets
    uint64_t last{0};      //!< flow of the latest
    uint64_t intervals{0}; //!< that ended
    uint64_t resets{0};    //!< calls of Reset
};

/** @brief The mechanism with scripted counts. */
struct Bench
{
    /** @brief Make it, with the report's law. */
    Bench()
    {
        fairness->SetAttribute("XcpEstimator", PointerValue(xcp));
        fairness->SetAttribute("E2eEstimator", PointerValue(e2e));
        fairness->SetAttribute("DropLaw", PointerValue(law));
        fairness->AssignStreams(1);
    }

    /// Let packets of 1000 B come, a number of each class, and go; those of class E2E that were
    /// chosen.
    uint32_t Pass(uint32_t ofXcp, uint32_t ofE2e, uint32_t leave)
    {
        for (uint32_t i = 0; i < ofXcp; ++i)
        {
            fairness->OnArrival(Class::XCP, 1, 1000);
        }
        uint32_t chosen = 0;
        for (uint32_t i = 0; i < ofE2e; ++i)
        {
            chosen += fairness->OnArrival(Class::E2E, 2, 1000) ? 1 : 0;
        }
        for (uint32_t i = 0; i < leave; ++i)
        {
            fairness->OnDeparture(1000);
        }
        return chosen;
    }

    /// End an interval of 0.1 s on 1 MB/s: 100 packets fill it.
    const XcpTcpFairness::Account& End() const
    {
        fairness->OnInterval(MilliSeconds(100), 1e6, RTT);
        return fairness->GetAccount();
    }

    Ptr<ScriptedEstimator> xcp{CreateObject<ScriptedEstimator>()};               //!< N
    Ptr<ScriptedEstimator> e2e{CreateObject<ScriptedEstimator>()};               //!< M
    Ptr<XcpMultiplicativeDropLaw> law{CreateObject<XcpMultiplicativeDropLaw>()}; //!< p
    Ptr<XcpTcpFairness> fairness{CreateObject<XcpTcpFairness>()};                //!< all
};

/// Check whether an account has sane numbers only.
bool
IsSane(const XcpTcpFairness::Account& account)
{
    for (const double value : {account.xcpFlows,
                               account.e2eFlows,
                               account.xcpRate,
                               account.e2eRate,
                               account.e2eFairShare,
                               account.utilisation,
                               account.dropProbability})
    {
        if (!std::isfinite(value) || value < 0)
        {
            return false;
        }
    }
    return account.dropProbability <= 1;
}

/** @brief Run one of the modes, gated or persistent. */
LFN_CASE_OF(FairnessStepsTestCase, bool isGated)
{
    Bench bench;
    bench.law->SetAttribute("Gated", BooleanValue(isGated));
    bench.law->SetAttribute("MinProbability", DoubleValue(0.01));
    bench.law->SetAttribute("IncreaseFactor", DoubleValue(1.2));
    bench.law->SetAttribute("DecreaseFactor", DoubleValue(0.7));
    std::mt19937 bits(isGated ? 1 : 2);
    std::uniform_int_distribution<uint32_t> size(40, 1500);
    std::uniform_real_distribution<double> uniform;
    double p = 0;
    bool apply = false;
    std::set<int> kinds;
    uint64_t busy = 0;
    for (int interval = 0; interval < 600; ++interval)
    {
        bench.xcp->count = 1 + (interval / 7) % 5;
        bench.e2e->count = 1.5 + (interval / 40) % 3;
        const double e2eShare = 0.5 + 0.5 * std::sin(interval / 25.0);
        const double load = 0.9 + 0.15 * uniform(bits);
        const double seconds = 0.05 + 0.1 * uniform(bits);
        uint64_t ofXcp = 0;
        uint64_t accepted = 0;
        uint64_t gone = 0;
        bool isBusy = false;
        while (static_cast<double>(gone) < load * seconds * CAPACITY / 20)
        {
            const uint32_t bytes = size(bits);
            bool isLost = false;
            if (uniform(bits) < e2eShare)
            {
                isBusy = true;
                isLost = bench.fairness->OnArrival(Class::E2E, bits(), bytes);
                accepted += isLost ? 0 : bytes;
                NS_TEST_EXPECT_MSG_EQ((isLost && !(apply && p > 0)), false, "no p, no drop");
            }
            else
            {
                isLost = bench.fairness->OnArrival(Class::XCP, bits(), bytes);
                ofXcp += bytes;
                NS_TEST_EXPECT_MSG_EQ(isLost, false, "XCP is never dropped");
            }
            if (!isLost)
            {
                bench.fairness->OnDeparture(bytes);
                gone += bytes;
            }
        }
        busy += isBusy ? 1 : 0;
        const auto length = Time::FromDouble(seconds, Time::S);
        const double t = length.ToDouble(Time::S);
        bench.fairness->OnInterval(length, CAPACITY / 20, RTT);

        const double u = static_cast<double>(gone) / t / (CAPACITY / 20);
        const double rate = static_cast<double>(accepted) / t;
        const double due = CAPACITY / 20 * bench.e2e->count / (bench.xcp->count + bench.e2e->count);
        const bool over = rate > due * 1.02;
        const bool under = rate < due * 0.98;
        if (u > 0.95 && over)
        {
            p = p == 0 ? 0.01 : p * 1.2;
        }
        else if (under && p > 0)
        {
            p = p * 0.7 < 0.01 ? 0.01 : p * 0.7;
        }
        p = p > 1 ? 1 : p;
        apply = u > 0.95 && (!isGated || !under);
        kinds.insert((u > 0.95 ? 4 : 0) + (over ? 2 : 0) + (under ? 1 : 0));

        const auto& account = bench.fairness->GetAccount();
        NS_TEST_EXPECT_MSG_EQ_TOL(account.utilisation, u, 1e-12, "utilisation " << interval);
        NS_TEST_EXPECT_MSG_EQ_TOL(account.e2eRate, rate, 1e-6, "E2E rate " << interval);
        NS_TEST_EXPECT_MSG_EQ_TOL(account.xcpRate,
                                  static_cast<double>(ofXcp) / t,
                                  1e-6,
                                  "XCP rate " << interval);
        NS_TEST_EXPECT_MSG_EQ_TOL(account.e2eFairShare, due, 1e-6, "due " << interval);
        NS_TEST_EXPECT_MSG_EQ_TOL(account.dropProbability, p, 1e-12, "p " << interval);
        NS_TEST_EXPECT_MSG_EQ(account.isApplied, apply, "applied " << interval);
    }
    NS_TEST_EXPECT_MSG_EQ(kinds.size(), 6, "all kinds of intervals occurred");
    NS_TEST_EXPECT_MSG_EQ(bench.e2e->intervals, busy, "called for intervals with packets");
}

LFN_CASE(FairnessSilenceTestCase)
{
    Bench bench;
    bench.Pass(10, 90, 100);
    NS_TEST_EXPECT_MSG_EQ((bench.End().e2eFlows), 1, "active");
    for (int interval = 1; interval <= 9; ++interval)
    {
        bench.Pass(10, 0, 100);
        NS_TEST_EXPECT_MSG_EQ((bench.End().e2eFlows), 1, "within 1 s, " << interval);
    }
    NS_TEST_EXPECT_MSG_EQ(bench.e2e->resets, 0, "nothing forgotten yet");
    bench.Pass(10, 0, 100);
    const double before = bench.fairness->GetAccount().dropProbability;
    NS_TEST_EXPECT_MSG_EQ((bench.End().e2eFlows), 0, "after 1 s");
    NS_TEST_EXPECT_MSG_EQ(bench.e2e->resets, 0, "nor now");
    NS_TEST_EXPECT_MSG_EQ(bench.fairness->GetAccount().isApplied, false, "at rest");
    NS_TEST_EXPECT_MSG_EQ(bench.fairness->GetAccount().dropProbability, before, "p stays");
    NS_TEST_EXPECT_MSG_EQ(bench.fairness->GetAccount().xcpFlows, 1, "the other is active");
    bench.Pass(10, 90, 100);
    NS_TEST_EXPECT_MSG_EQ((bench.End().e2eFlows), 1, "back at once");

    // Ten intervals when these are long; another time when one is given.
    Bench slow;
    slow.Pass(1, 1, 1);
    for (int interval = 0; interval <= 10; ++interval)
    {
        slow.fairness->OnInterval(Seconds(1), 1e6, RTT);
        NS_TEST_EXPECT_MSG_EQ(slow.fairness->GetAccount().xcpFlows,
                              (interval < 10 ? 1 : 0),
                              "ten intervals of 1 s, " << interval);
    }
    // What is silent stays so when the intervals grow.
    for (int interval = 0; interval < 30; ++interval)
    {
        slow.fairness->OnInterval(Seconds(2), 1e6, RTT);
        NS_TEST_EXPECT_MSG_EQ(slow.fairness->GetAccount().xcpFlows, 0, "then of 2 s");
    }
    slow.Pass(1, 1, 1);
    slow.fairness->OnInterval(Seconds(2), 1e6, RTT);
    NS_TEST_EXPECT_MSG_EQ(slow.fairness->GetAccount().xcpFlows, 1, "until a packet comes");
    Bench given;
    given.fairness->SetAttribute("SilenceTimeout", TimeValue(MilliSeconds(200)));
    given.Pass(1, 1, 1);
    NS_TEST_EXPECT_MSG_EQ((given.End().xcpFlows), 1, "0 s");
    NS_TEST_EXPECT_MSG_EQ((given.End().xcpFlows), 1, "0.1 s");
    NS_TEST_EXPECT_MSG_EQ((given.End().xcpFlows), 0, "0.2 s");
    for (int interval = 0; interval < 40; ++interval)
    {
        given.fairness->OnInterval(Seconds(1e9), 1e6, RTT);
    }
    NS_TEST_EXPECT_MSG_EQ((IsSane(given.End())), true, "silent for 1000 years");
}

LFN_CASE(FairnessCountsTestCase)
{
    Bench bench;
    bench.law->SetAttribute("MinProbability", DoubleValue(1.0));
    bench.Pass(10, 90, 100);
    NS_TEST_EXPECT_MSG_EQ((bench.End().isApplied), true, "E2E takes too much");
    NS_TEST_EXPECT_MSG_EQ((bench.Pass(10, 90, 100)), 90, "all are dropped");
    NS_TEST_EXPECT_MSG_EQ((bench.End().e2eRate), 0, "what is dropped is not accepted");
    NS_TEST_EXPECT_MSG_EQ(bench.fairness->GetAccount().xcpRate, 1e5, "10 packets in 0.1 s");
    const uint32_t marked = bench.Pass(10, 90, 100);
    for (uint32_t i = 0; i < marked; ++i)
    {
        bench.fairness->OnMarked(Class::E2E, 1000);
    }
    NS_TEST_EXPECT_MSG_EQ((bench.End().e2eRate), 9e5, "what is marked is");
    bench.xcp->count = 0;
    bench.Pass(10, 90, 100);
    const auto& account = bench.End();
    NS_TEST_EXPECT_MSG_EQ(account.isApplied, false, "N = 0");
    NS_TEST_EXPECT_MSG_EQ(account.e2eFairShare, 1e6, "nobody to share with");
    NS_TEST_EXPECT_MSG_EQ((bench.Pass(10, 90, 100)), 0, "nothing is dropped");
    bench.xcp->count = 1;
    bench.e2e->count = 0;
    NS_TEST_EXPECT_MSG_EQ((bench.End().isApplied), false, "M = 0");
    NS_TEST_EXPECT_MSG_EQ(bench.fairness->GetAccount().e2eFairShare, 0, "no fair share");
    bench.e2e->count = 1;
    bench.Pass(10, 90, 100);
    NS_TEST_EXPECT_MSG_EQ((bench.End().isApplied), true, "both again");
    // Counters begin again with each interval.
    NS_TEST_EXPECT_MSG_EQ((bench.End().utilisation), 0, "nothing left");
    NS_TEST_EXPECT_MSG_EQ(bench.fairness->GetAccount().xcpRate, 0, "nothing came");
}

LFN_CASE(FairnessOddNumbersTestCase)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    Bench bench;
    bench.Pass(10, 90, 100);
    for (const Time& length : {Seconds(0), Seconds(-1)})
    {
        bench.fairness->OnInterval(length, 1e6, RTT);
        NS_TEST_EXPECT_MSG_EQ(bench.e2e->intervals, 0, "no interval");
    }
    NS_TEST_EXPECT_MSG_EQ((bench.End().e2eRate), 9e5, "counters were kept");
    for (const bool isAdaptive : {false, true})
    {
        Bench odd;
        if (isAdaptive)
        {
            auto law = CreateObject<XcpAdaptiveDropLaw>();
            odd.fairness->SetAttribute("DropLaw", PointerValue(law));
        }
        for (const double capacity : {0.0, -1.0, nan, infinite, 1e-300, 1e300, 1e6})
        {
            for (const double rtt : {0.0, -1.0, nan, infinite, 1e-300, 1e300, RTT})
            {
                for (const double count : {0.0, -1.0, nan, infinite, 1e-300, 1e300, 3.0})
                {
                    odd.e2e->count = count;
                    odd.Pass(10, 90, 100);
                    odd.fairness->OnInterval(MilliSeconds(100), capacity, rtt);
                    NS_TEST_EXPECT_MSG_EQ((IsSane(odd.fairness->GetAccount())),
                                          true,
                                          capacity << " " << rtt << " " << count);
                    odd.xcp->count = count;
                    odd.fairness->OnInterval(NanoSeconds(1), capacity, rtt);
                    NS_TEST_EXPECT_MSG_EQ((IsSane(odd.fairness->GetAccount())),
                                          true,
                                          capacity << " " << rtt << " " << count);
                    odd.xcp->count = 1;
                }
            }
        }
        odd.e2e->count = 2;
        odd.Pass(10, 90, 100);
        odd.fairness->OnArrival(Class::E2E, 1, 0);
        odd.fairness->OnArrival(Class::E2E, 1, std::numeric_limits<uint32_t>::max());
        NS_TEST_EXPECT_MSG_EQ((IsSane(odd.End())), true, "odd sizes");
        // Nothing of that stays: the next busy intervals drop.
        odd.xcp->count = 1;
        for (int interval = 0; interval < 30; ++interval)
        {
            odd.Pass(10, 90, 100);
            odd.End();
        }
        NS_TEST_EXPECT_MSG_EQ(odd.fairness->GetAccount().isApplied, true, "as before");
        NS_TEST_EXPECT_MSG_GT(odd.fairness->GetAccount().dropProbability, 0, "p");
    }
}

LFN_CASE(FairnessChanceTestCase)
{
    Bench bench;
    bench.fairness->SetAttribute("InspectProbability", DoubleValue(0.5));
    bench.law->SetAttribute("MinProbability", DoubleValue(0.1));
    bench.Pass(1000, 9000, 100);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bench.xcp->seen), 500, 64, "half of XCP");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bench.e2e->seen), 4500, 190, "half of E2E");
    NS_TEST_EXPECT_MSG_EQ(bench.e2e->last, 2, "the flow");
    NS_TEST_EXPECT_MSG_EQ((bench.End().e2eRate), 9e7, "rates count every packet");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bench.Pass(0, 40000, 0)),
                              4000,
                              4 * 60,
                              "p = 0.1");
    Bench blind;
    blind.fairness->SetAttribute("InspectProbability", DoubleValue(0.0));
    blind.Pass(10, 90, 100);
    NS_TEST_EXPECT_MSG_EQ(blind.e2e->seen, 0, "no packet is inspected");

    // With the default parts, half the inspection gives the same counts after twice the
    // packets.
    std::vector<double> counts;
    for (const double inspected : {1.0, 0.5, 0.5})
    {
        auto fairness = CreateObject<XcpTcpFairness>();
        fairness->SetAttribute("InspectProbability", DoubleValue(inspected));
        NS_TEST_EXPECT_MSG_EQ((fairness->AssignStreams(50)), 3, "own, and two estimators");
        std::mt19937 bits(3);
        double sum = 0;
        for (int i = 0; i < 200000; ++i)
        {
            fairness->OnArrival(Class::E2E, bits() % 3, 1000);
            fairness->OnArrival(Class::XCP, 9, 1000);
            if (i % 1000 == 999)
            {
                fairness->OnInterval(MilliSeconds(100), CAPACITY, RTT);
                sum += i < 20000 ? 0 : fairness->GetAccount().e2eFlows;
            }
        }
        counts.push_back(sum / 180);
        NS_TEST_EXPECT_MSG_EQ(fairness->GetAccount().xcpFlows, 1, "one XCP flow");
    }
    // 180 samples, over about 90 or 45 time constants of a spread of 0.09.
    NS_TEST_EXPECT_MSG_EQ_TOL(counts[0], 3.0, 0.06, "all inspected");
    NS_TEST_EXPECT_MSG_EQ_TOL(counts[1], 3.0, 0.08, "half inspected");
    NS_TEST_EXPECT_MSG_EQ(counts[1], counts[2], "the same streams, the same result");
}

/// The XCP-TCP fairness mechanism without a network; its drop laws have a suite of their own.
const Suite g_suite("lfn-xcp-fairness", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(
        new FairnessStepsTestCase("the mechanism's steps on random traffic, persistent", false));
    suite.Add(new FairnessStepsTestCase("the mechanism's steps on random traffic, gated", true));
    suite.Add(new FairnessSilenceTestCase("a class that stops has no flows"));
    suite.Add(new FairnessCountsTestCase("counts of 0, marks"));
    suite.Add(new FairnessOddNumbersTestCase("any input"));
    suite.Add(new FairnessChanceTestCase("inspection and drops by chance"));
});

} // namespace
