// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-adaptive-drop-law.h"
#include "ns3/xcp-multiplicative-drop-law.h"
#include "ns3/xcp-sred-estimator.h"
#include "ns3/xcp-tcp-fairness.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup lfn-xcp
 * The XCP-TCP fairness mechanism and its drop laws, without a network.
 */

using namespace ns3;
using namespace ns3::lfn;

namespace
{

using Class = XcpTcpFairness::TrafficClass;

constexpr double CAPACITY = 12.5e6; //!< 100 Mb/s, [B/s]
constexpr double RTT = 0.1;         //!< of XCP, [s]

/** @brief An estimator that says what it is told to. */
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

    /**
     * @brief Let packets of 1000 B come and go.
     * @param ofXcp of class XCP
     * @param ofE2e of class E2E
     * @param leave of any
     * @return those of class E2E that were chosen
     */
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

    /**
     * @brief End an interval of 0.1 s on 1 MB/s: 100 packets fill it.
     * @return the account
     */
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

/**
 * @brief Tell whether an account has sane numbers only.
 * @param account the account
 * @return whether it has
 */
bool
IsSane(const XcpTcpFairness::Account& account)
{
    for (const double value : {account.xcpFlows,
                               account.e2eFlows,
                               account.xcpRate,
                               account.e2eRate,
                               account.e2eDue,
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

/** @brief The steps on random traffic, reckoned a second time. */
class FairnessStepsTestCase : public TestCase
{
  public:
    FairnessStepsTestCase()
        : TestCase("the mechanism's steps on random traffic against a second computation")
    {
    }

  private:
    /**
     * @brief Run one of the modes.
     * @param isGated mode gated, else persistent
     */
    void Check(bool isGated)
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
            while (static_cast<double>(gone) < load * seconds * CAPACITY / 20)
            {
                const uint32_t bytes = size(bits);
                bool isLost = false;
                if (uniform(bits) < e2eShare)
                {
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
            const auto length = Time::FromDouble(seconds, Time::S);
            const double t = length.ToDouble(Time::S);
            bench.fairness->OnInterval(length, CAPACITY / 20, RTT);

            const double u = static_cast<double>(gone) / t / (CAPACITY / 20);
            const double rate = static_cast<double>(accepted) / t;
            const double due =
                CAPACITY / 20 * bench.e2e->count / (bench.xcp->count + bench.e2e->count);
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
            NS_TEST_EXPECT_MSG_EQ_TOL(account.e2eDue, due, 1e-6, "due " << interval);
            NS_TEST_EXPECT_MSG_EQ_TOL(account.dropProbability, p, 1e-12, "p " << interval);
            NS_TEST_EXPECT_MSG_EQ(account.isApplied, apply, "applied " << interval);
        }
        NS_TEST_EXPECT_MSG_EQ(kinds.size(), 6, "all kinds of intervals occurred");
        NS_TEST_EXPECT_MSG_EQ(bench.e2e->intervals, 600, "estimators are told of intervals");
    }

    void DoRun() override
    {
        Check(false);
        Check(true);
    }
};

/** @brief The report's law at the edges of its thresholds. */
class MultiplicativeLawTestCase : public TestCase
{
  public:
    MultiplicativeLawTestCase()
        : TestCase("the report's drop law: thresholds, bounds, modes")
    {
    }

  private:
    /**
     * @brief Describe an interval.
     * @param utilisation of the link
     * @param rate of E2E over its due
     * @return the observation
     */
    static XcpDropLaw::Observation See(double utilisation, double rate)
    {
        XcpDropLaw::Observation seen;
        seen.length = RTT;
        seen.utilisation = utilisation;
        seen.e2eRate = rate * 1024;
        seen.e2eDue = 1024;
        seen.e2eFlows = 2;
        seen.meanRtt = RTT;
        seen.meanPacket = 1000;
        return seen;
    }

    void DoRun() override
    {
        auto law = CreateObject<XcpMultiplicativeDropLaw>();
        law->SetAttribute("Tolerance", DoubleValue(0.25)); // exact in binary, as 0.5 is
        law->SetAttribute("UtilisationThreshold", DoubleValue(0.5));
        auto decision = law->Decide(See(0.5, 2));
        NS_TEST_EXPECT_MSG_EQ(decision.probability, 0, "not above the threshold");
        NS_TEST_EXPECT_MSG_EQ(decision.apply, false, "nor dropping");
        decision = law->Decide(See(0.6, 1.25));
        NS_TEST_EXPECT_MSG_EQ(decision.probability, 0, "a match at the upper edge");
        NS_TEST_EXPECT_MSG_EQ(decision.apply, true, "persistent");
        decision = law->Decide(See(0.6, 0.1));
        NS_TEST_EXPECT_MSG_EQ(decision.probability, 0, "nothing to lower");
        decision = law->Decide(See(0.6, 1.2501));
        NS_TEST_EXPECT_MSG_EQ(decision.probability, 1e-4, "start");
        decision = law->Decide(See(0.6, 1.2501));
        NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 1.01e-4, 1e-16, "up");
        decision = law->Decide(See(0.6, 0.75));
        NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 1.01e-4, 1e-16, "a match: lower edge");
        decision = law->Decide(See(0.4, 2));
        NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 1.01e-4, 1e-16, "an idle link: kept");
        decision = law->Rest();
        NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 1.01e-4, 1e-16, "at rest: kept");
        NS_TEST_EXPECT_MSG_EQ(decision.apply, false, "at rest");
        law->Decide(See(0.6, 2));
        decision = law->Decide(See(0.6, 0.7499));
        NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 1.0201e-4 * 0.99, 1e-16, "down");
        NS_TEST_EXPECT_MSG_EQ(decision.apply, true, "persistent, under its due as well");
        decision = law->Decide(See(0.4, 0.5));
        NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability,
                                  1e-4,
                                  1e-16,
                                  "down to the floor, on an idle link, too");
        for (int i = 0; i < 2000; ++i)
        {
            decision = law->Decide(See(1, 3));
        }
        NS_TEST_EXPECT_MSG_EQ(decision.probability, 1, "ceiling");
        for (int i = 0; i < 2000; ++i)
        {
            decision = law->Decide(See(1, 0));
        }
        NS_TEST_EXPECT_MSG_EQ(decision.probability, 1e-4, "floor");

        law->SetAttribute("Gated", BooleanValue(true));
        NS_TEST_EXPECT_MSG_EQ((law->Decide(See(1, 0.74)).apply), false, "gated: under");
        NS_TEST_EXPECT_MSG_EQ((law->Decide(See(1, 0.75)).apply), true, "gated: match");
        NS_TEST_EXPECT_MSG_EQ((law->Decide(See(1, 2)).apply), true, "gated: over");
        NS_TEST_EXPECT_MSG_EQ((law->Decide(See(0.5, 2)).apply), false, "gated: idle");
        law->SetAttribute("MaxProbability", DoubleValue(1e-5));
        NS_TEST_EXPECT_MSG_EQ((law->Decide(See(1, 2)).probability), 1e-5, "ceiling over floor");
    }
};

/** @brief Silence, counts of 0, marks, odd numbers. */
class FairnessEdgesTestCase : public TestCase
{
  public:
    FairnessEdgesTestCase()
        : TestCase("silent classes, marks, and numbers that make no sense")
    {
    }

  private:
    void DoRun() override
    {
        CheckSilence();
        CheckCounts();
        CheckOddNumbers();
        CheckChance();
    }

    /** @brief A class that stops has no flows after a while. */
    void CheckSilence()
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
        NS_TEST_EXPECT_MSG_EQ(bench.e2e->resets, 1, "forgotten");
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

    /** @brief Counts of 0 put the mechanism at rest; marks are accepted, drops are not. */
    void CheckCounts()
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
        NS_TEST_EXPECT_MSG_EQ(account.e2eDue, 1e6, "nobody to share with");
        NS_TEST_EXPECT_MSG_EQ((bench.Pass(10, 90, 100)), 0, "nothing is dropped");
        bench.xcp->count = 1;
        bench.e2e->count = 0;
        NS_TEST_EXPECT_MSG_EQ((bench.End().isApplied), false, "M = 0");
        NS_TEST_EXPECT_MSG_EQ(bench.fairness->GetAccount().e2eDue, 0, "nobody is due anything");
        bench.e2e->count = 1;
        bench.Pass(10, 90, 100);
        NS_TEST_EXPECT_MSG_EQ((bench.End().isApplied), true, "both again");
        // Counters begin anew with each interval.
        NS_TEST_EXPECT_MSG_EQ((bench.End().utilisation), 0, "nothing left");
        NS_TEST_EXPECT_MSG_EQ(bench.fairness->GetAccount().xcpRate, 0, "nothing came");
    }

    /** @brief No input makes the mechanism reckon nonsense. */
    void CheckOddNumbers()
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

    /** @brief Inspection and dropping by chance; the same streams give the same decisions. */
    void CheckChance()
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
};

/** @brief The adaptive law's formula, brake and bounds. */
class AdaptiveLawTestCase : public TestCase
{
  public:
    AdaptiveLawTestCase()
        : TestCase("the adaptive drop law: square root, exponent, brake, correction")
    {
    }

  private:
    /**
     * @brief Describe an interval with a fair window of 100 packets.
     * @param ratio of E2E's rate and due
     * @param utilisation of the link
     * @return the observation
     */
    static XcpDropLaw::Observation See(double ratio, double utilisation = 1.0)
    {
        XcpDropLaw::Observation seen;
        seen.length = RTT;
        seen.utilisation = utilisation;
        seen.e2eDue = 2e6;
        seen.e2eRate = ratio * seen.e2eDue;
        seen.e2eFlows = 2;
        seen.meanRtt = RTT;
        seen.meanPacket = 1000;
        return seen;
    }

    void DoRun() override
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
                                  "less below the due");
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
        CheckBrake();
        CheckCorrection();
    }

    /** @brief Slow start is braked, congestion avoidance is not. */
    void CheckBrake()
    {
        auto law = CreateObject<XcpAdaptiveDropLaw>();
        for (const double ratio : {0.04, 0.08, 0.16})
        {
            NS_TEST_EXPECT_MSG_EQ((law->Decide(See(ratio)).apply), false, "too little to brake");
        }
        auto decision = law->Decide(See(0.32));
        NS_TEST_EXPECT_MSG_EQ(decision.apply, true, "0.64 is to come");
        NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 4 / 64.0, 1e-12, "four a window");
        decision = law->Decide(See(0.37));
        NS_TEST_EXPECT_MSG_EQ_TOL(decision.probability, 4 / 50.0, 1e-12, "alert: growth of 15 %");
        NS_TEST_EXPECT_MSG_EQ((law->Decide(See(0.38)).apply), false, "growth of 3 %");

        auto calm = CreateObject<XcpAdaptiveDropLaw>();
        double most = 0;
        for (double ratio = 0.6; ratio < 1.2; ratio *= 1.03)
        {
            most = std::max(most, calm->Decide(See(ratio)).probability);
        }
        NS_TEST_EXPECT_MSG_LT(most, 6e-4, "congestion avoidance");
        for (const double ratio : {0.5, 0.8, 0.7, 1.2, 0.9})
        {
            most = std::max(most, calm->Decide(See(ratio)).probability);
        }
        NS_TEST_EXPECT_MSG_LT(most, 1e-3, "growth in one interval only");
        auto without = CreateObject<XcpAdaptiveDropLaw>();
        without->SetAttribute("BrakeLosses", DoubleValue(0));
        for (const double ratio : {0.1, 0.2, 0.4})
        {
            decision = without->Decide(See(ratio));
        }
        NS_TEST_EXPECT_MSG_EQ(decision.apply, false, "no brake");
    }

    /** @brief The correction integrates, within bounds. */
    void CheckCorrection()
    {
        auto law = CreateObject<XcpAdaptiveDropLaw>();
        law->Decide(See(1.5));
        // An interval is 1.5/100 of the mean time between losses.
        NS_TEST_EXPECT_MSG_EQ_TOL((std::log(law->GetCorrection())), 0.5 * 0.015, 1e-12, "gain 1");
        for (int i = 0; i < 10000; ++i)
        {
            law->Decide(See(1.5));
        }
        NS_TEST_EXPECT_MSG_EQ_TOL((law->GetCorrection()), 16, 1e-9, "upper bound");
        law->Rest();
        NS_TEST_EXPECT_MSG_EQ_TOL((law->GetCorrection()), 16, 1e-9, "a rest keeps it");
        for (int i = 0; i < 100; ++i)
        {
            law->Decide(See(0.6, 0.5));
        }
        NS_TEST_EXPECT_MSG_EQ_TOL((law->GetCorrection()), 16, 1e-9, "an idle link keeps it");
        for (int i = 0; i < 10000; ++i)
        {
            law->Decide(See(0.6));
        }
        NS_TEST_EXPECT_MSG_EQ_TOL((law->GetCorrection()), 1 / 64.0, 1e-9, "lower bound");
    }
};

/** @brief A coarse model of AIMD flows, a round a step, under the adaptive law. */
class AdaptiveLoopTestCase : public TestCase
{
  public:
    AdaptiveLoopTestCase()
        : TestCase("AIMD flows under the adaptive drop law get their due")
    {
    }

  private:
    /**
     * @brief Run a loop.
     * @param flows M, of N + M = 2 M
     * @param window fair window, [packets]
     * @param decrease factor of the window at a loss
     * @param growth of the window a round, [packets]
     * @return what the flows got over their due, mean over the second half
     */
    static double Run(uint32_t flows, double window, double decrease, double growth)
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
            XcpDropLaw::Observation seen;
            seen.length = RTT;
            seen.utilisation = 1;
            seen.e2eDue = window * flows * 1000 / RTT;
            seen.e2eRate = sent * 1000 / RTT;
            seen.e2eFlows = flows;
            seen.meanRtt = RTT;
            seen.meanPacket = 1000;
            const auto decision = law->Decide(seen);
            p = decision.apply ? decision.probability : 0;
            taken += i < rounds / 2 ? 0 : sent / (window * flows);
        }
        return taken / (rounds / 2);
    }

    void DoRun() override
    {
        for (const uint32_t flows : {1, 2, 10})
        {
            for (const double window : {10.0, 50.0, 400.0})
            {
                NS_TEST_EXPECT_MSG_EQ_TOL((Run(flows, window, 0.5, 1)),
                                          1.0,
                                          0.05,
                                          flows << " flows of window " << window);
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL((Run(2, 50, 0.7, 1)), 1.0, 0.05, "a gentler decrease");
        NS_TEST_EXPECT_MSG_EQ_TOL((Run(2, 50, 0.5, 3)), 1.0, 0.05, "a steeper increase");
    }
};

/** @brief Suite lfn-xcp-fairness. */
class XcpFairnessTestSuite : public TestSuite
{
  public:
    XcpFairnessTestSuite()
        : TestSuite("lfn-xcp-fairness", Type::UNIT)
    {
        AddTestCase(new FairnessStepsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new MultiplicativeLawTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FairnessEdgesTestCase, TestCase::Duration::QUICK);
        AddTestCase(new AdaptiveLawTestCase, TestCase::Duration::QUICK);
        AddTestCase(new AdaptiveLoopTestCase, TestCase::Duration::QUICK);
    }
};

XcpFairnessTestSuite g_xcpFairnessTestSuite; //!< the suite

} // namespace
