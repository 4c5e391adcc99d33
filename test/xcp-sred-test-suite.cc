// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-moments.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-sred-estimator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr double WEIGHT = 0.001;   //!< default a of SRED
constexpr double OVERWRITE = 0.25; //!< default overwrite probability
constexpr uint32_t TABLE = 1000;   //!< default table size

/** @brief Packets of flows with given shares, in random order. */
class Arrivals
{
  public:
    /// Prepare flows, whose shares are of any sum.
    Arrivals(const std::vector<double>& shares, uint32_t seed)
        : m_pick(shares.begin(), shares.end()),
          m_bits(seed)
    {
    }

    /// Show a number of packets to an estimator.
    void Feed(XcpFlowCountEstimator& estimator, uint32_t packets)
    {
        for (uint32_t i = 0; i < packets; ++i)
        {
            estimator.See(1000 + m_pick(m_bits));
        }
    }

  private:
    std::discrete_distribution<uint64_t> m_pick; //!< the next packet's flow
    std::mt19937_64 m_bits;                      //!< chance
};

/// Make an estimator with the published parameters and a fixed stream.
Ptr<XcpSredEstimator>
MakeSred(int64_t stream)
{
    auto sred = CreateObject<XcpSredEstimator>();
    sred->AssignStreams(stream);
    return sred;
}

/**
 * @brief A second SRED: keeps all outcomes, and sums them up again for each estimate.
 *
 * It draws the same numbers in the same order, as doubles only.
 */
class SredTwin
{
  public:
    /// Make one with a number of entries in its table; packets that fill it may be compared.
    SredTwin(int64_t stream, uint32_t entries, bool whileFilling)
        : m_entries(entries),
          m_whileFilling(whileFilling)
    {
        m_random->SetStream(stream);
    }

    /// See a packet.
    void See(uint64_t flow)
    {
        const bool isFull = m_zombies.size() == m_entries;
        size_t at = m_zombies.size();
        bool isHit = false;
        if (isFull || (m_whileFilling && !m_zombies.empty()))
        {
            at = static_cast<size_t>(
                std::floor(m_random->GetValue(0.0, static_cast<double>(m_zombies.size()))));
            isHit = m_zombies.at(at) == flow;
            m_outcomes.push_back(isHit);
        }
        if (!isFull)
        {
            m_zombies.push_back(flow);
        }
        else if (!isHit && m_random->GetValue() < OVERWRITE)
        {
            m_zombies.at(at) = flow;
        }
    }

    /// Estimate the number of flows; corrected, the start at 0 does not count.
    double GetCount(bool isCorrected) const
    {
        double hits = 0;
        double all = 0;
        double weight = WEIGHT;
        for (auto outcome = m_outcomes.rbegin(); outcome != m_outcomes.rend(); ++outcome)
        {
            hits += *outcome ? weight : 0.0;
            all += weight;
            weight *= 1.0 - WEIGHT;
        }
        if (m_outcomes.empty())
        {
            return 0;
        }
        return (isCorrected ? all : 1.0) / (hits > 0 ? hits : WEIGHT);
    }

  private:
    uint32_t m_entries;              //!< of the table when it is full
    bool m_whileFilling;             //!< whether packets that fill the table are compared
    std::vector<uint64_t> m_zombies; //!< the table
    std::vector<bool> m_outcomes;    //!< of all comparisons
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< chance
};

LFN_CASE(SredNoHitTestCase)
{
    // As if the latest comparison had hit.
    auto sred = MakeSred(3);
    for (uint64_t flow = 0; flow < TABLE + 10; ++flow)
    {
        sred->See(flow);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL((sred->GetCount()), 10.0, 0.05, "ten comparisons, no hit");
    for (uint64_t flow = 10000; flow < 100000; ++flow)
    {
        sred->See(flow);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL((sred->GetCount()), 1 / WEIGHT, 1e-6, "never more without a hit");
    sred->Reset();
    NS_TEST_EXPECT_MSG_EQ((sred->GetCount()), 0.0, "forgotten");
    NS_TEST_EXPECT_MSG_EQ((sred->GetEntries()), 0, "an empty table");
    NS_TEST_EXPECT_MSG_EQ((sred->GetStateBytes()), 8 * TABLE + 16, "IDs of 8 B");
}

/// Feed both implementations; packets that fill the table may be compared, the start at 0 may
/// not count.
LFN_CASE_OF(SredTwinTestCase, bool whileFilling, bool isCorrected)
{
    constexpr uint32_t entries = 200;
    auto sred = MakeSred(7);
    sred->SetAttribute("TableSize", UintegerValue(entries));
    sred->SetAttribute("CompareWhileFilling", BooleanValue(whileFilling));
    sred->SetAttribute("BiasCorrection", BooleanValue(isCorrected));
    SredTwin twin(7, entries, whileFilling);
    std::mt19937 bits(11);
    std::discrete_distribution<uint64_t> pick({5, 4, 3, 2, 1, 1, 1});
    double worst = 0;
    for (int i = 0; i < 3000; ++i)
    {
        const uint64_t flow = pick(bits);
        sred->See(flow);
        twin.See(flow);
        const double expected = twin.GetCount(isCorrected);
        worst = std::max(worst, std::abs(sred->GetCount() - expected) / (expected + 1));
    }
    NS_TEST_EXPECT_MSG_LT(worst, 1e-9, "largest difference of 3000 steps");
}

/// A single flow is counted as exactly one; packets that fill the table may be compared, the
/// start at 0 may not count.
LFN_CASE_OF(SredOneFlowTestCase, bool whileFilling, bool isCorrected)
{
    auto sred = MakeSred(9);
    sred->SetAttribute("CompareWhileFilling", BooleanValue(whileFilling));
    sred->SetAttribute("BiasCorrection", BooleanValue(isCorrected));
    NS_TEST_EXPECT_MSG_EQ((sred->GetCount()), 0.0, "no packet");
    sred->See(5);
    NS_TEST_EXPECT_MSG_EQ((sred->GetCount()), 0.0, "nothing to compare with");
    for (uint32_t i = 1; i < TABLE; ++i)
    {
        sred->See(5);
    }
    NS_TEST_EXPECT_MSG_EQ((sred->GetCount() > 0), whileFilling, "the table is just full");
    sred->See(5);
    if (isCorrected)
    {
        NS_TEST_EXPECT_MSG_EQ((sred->GetCount()), 1.0, "at once");
    }
    for (uint32_t i = 0; i < 40000; ++i)
    {
        sred->See(5);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL((sred->GetCount()), 1.0, 1e-12, "one flow");
    NS_TEST_EXPECT_MSG_EQ((sred->GetCount() >= 1.0), true, "never less than one");
}

/** @brief A row of known figures. */
struct SredRow
{
    uint32_t flows;    //!< equal ones
    double weight;     //!< a
    double mean;       //!< of the estimate; 0 if not known to better than the law
    double deviation;  //!< of the estimate
    double resolution; //!< to which both are known
};

/** @brief Equal flows: mean and spread of the estimate. */
LFN_CASE_OF(SredTableTestCase, SredRow row, uint32_t samples)
{
    auto sred = MakeSred(100 + row.flows);
    sred->SetAttribute("Weight", DoubleValue(row.weight));
    Arrivals arrivals(std::vector<double>(row.flows, 1.0), row.flows);
    const auto apart = static_cast<uint32_t>(5.0 / row.weight); // e^-5 in common
    arrivals.Feed(*sred, TABLE + 8 * apart);                    // e^-40 of the start
    std::vector<double> counts;
    std::vector<double> hits;
    for (uint32_t i = 0; i < samples; ++i)
    {
        arrivals.Feed(*sred, apart);
        counts.push_back(sred->GetCount());
        hits.push_back(sred->GetHitFrequency());
    }
    const double p = 1.0 / row.flows;
    const auto ofHits = MomentsOf(hits);
    const double exact = std::sqrt(row.weight / (2.0 - row.weight) * p * (1.0 - p));
    NS_TEST_EXPECT_MSG_EQ_TOL(ofHits.mean, p, 4 * ofHits.error + 1e-12, "hits are 1/N");
    NS_TEST_EXPECT_MSG_EQ_TOL(ofHits.deviation,
                              exact,
                              4 * exact / std::sqrt(2.0 * samples) + 1e-12,
                              "their spread is that of the moving average alone");
    // The estimate 1/P, by the moments of P, which is a sum of a (1 - a)^k times coin k.
    const double q = 1.0 - p;
    const double a = row.weight;
    const double b = 1.0 - a;
    const double second = a * a / (1 - b * b) * q / p;
    const double third = std::pow(a, 3) / (1 - std::pow(b, 3)) * q * (q - p) / (p * p);
    const double fourth = 3 * second * second + std::pow(a, 4) / (1 - std::pow(b, 4)) * q *
                                                    (1 - 6 * p * q) / std::pow(p, 3);
    const double mean = 1 + second - third + fourth;
    const double square = 1 + 3 * second - 4 * third + 5 * fourth;
    const double deviation = std::sqrt(square - mean * mean) / p;
    const auto ofCounts = MomentsOf(counts);
    NS_TEST_EXPECT_MSG_EQ_TOL(ofCounts.mean,
                              mean / p,
                              4 * ofCounts.error + 0.003 * (mean - 1) / p + 1e-12,
                              "mean of 1/P");
    // What the expansion leaves out: 3 % at 100 flows. The skew to the right lets the deviation
    // of samples vary by more than that of a normal law.
    const double skew = 1.0 + 20.0 * row.flows * row.weight;
    NS_TEST_EXPECT_MSG_EQ_TOL(ofCounts.deviation,
                              deviation,
                              4 * skew * deviation / std::sqrt(2.0 * samples) +
                                  0.7 * second * deviation + 1e-12,
                              "deviation of 1/P");
    if (row.mean > 0)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(mean / p,
                                  row.mean,
                                  0.1 * deviation + row.resolution,
                                  "known mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(deviation,
                                  row.deviation,
                                  0.1 * deviation + row.resolution,
                                  "known deviation");
    }
}

LFN_CASE(SredUnequalTestCase)
{
    std::vector<double> one(10, 0.6 / 9);
    one.front() = 0.4;
    const std::vector<std::vector<double>> cases{{0.7, 0.3}, {0.9, 0.1}, {0.5, 0.3, 0.2}, one};
    const std::vector<double> published{1.73, 1.22, 2.62, 4.99};
    for (size_t i = 0; i < cases.size(); ++i)
    {
        double squares = 0;
        for (const double share : cases[i])
        {
            squares += share * share;
        }
        auto sred = MakeSred(200 + static_cast<int64_t>(i));
        Arrivals arrivals(cases[i], 20 + static_cast<uint32_t>(i));
        arrivals.Feed(*sred, 40000); // the table has to forget how it was filled
        std::vector<double> hits;
        std::vector<double> counts;
        for (int sample = 0; sample < 100; ++sample)
        {
            arrivals.Feed(*sred, 10000);
            hits.push_back(sred->GetHitFrequency());
            counts.push_back(sred->GetCount());
        }
        const auto ofHits = MomentsOf(hits);
        const auto ofCounts = MomentsOf(counts);
        NS_TEST_EXPECT_MSG_EQ_TOL(ofHits.mean, squares, 4 * ofHits.error, "sum of squares");
        NS_TEST_EXPECT_MSG_EQ_TOL(ofCounts.mean,
                                  published[i],
                                  4 * ofCounts.error + 0.01,
                                  "known figure");
    }

    // Known variation corrected for: flows of .5 and 1.5 times the mean have 1/4.
    auto sred = MakeSred(300);
    sred->SetAttribute("RateVariation", DoubleValue(0.25));
    Arrivals arrivals({1, 1, 1, 1, 1, 3, 3, 3, 3, 3}, 30);
    arrivals.Feed(*sred, 40000);
    std::vector<double> counts;
    for (int sample = 0; sample < 100; ++sample)
    {
        arrivals.Feed(*sred, 10000);
        counts.push_back(sred->GetCount());
    }
    const auto ofCounts = MomentsOf(counts);
    // The definition takes the variance of all N flows over N - 1: 0.25 of theirs, 10/9 of
    // that.
    const double effective = 8.0;
    const double half = effective * 1.25 / 2;
    const double expected = half + std::sqrt(half * half - effective * 0.25);
    NS_TEST_EXPECT_MSG_EQ_TOL(ofCounts.mean, expected, 0.1 + 4 * ofCounts.error, "corrected");
    auto single = MakeSred(301);
    single->SetAttribute("RateVariation", DoubleValue(0.25));
    Arrivals({1}, 1).Feed(*single, 5000);
    NS_TEST_EXPECT_MSG_EQ((single->GetCount()), 1.0, "one flow has no variation");
}

/**
 * @brief Compare hits after a change of the number of equal flows, averaged over repetitions, with
 * the exact recursion; a share of the table belongs to flows that have left.
 */
LFN_CASE_OF(SredChangeTestCase, uint32_t before, uint32_t after, double stale)
{
    const std::vector<uint32_t> times{500, 1000, 2303, 4000, 8000, 12000};
    std::vector<std::vector<double>> hits(times.size());
    for (uint32_t repetition = 0; repetition < 60; ++repetition)
    {
        auto sred = MakeSred(400 + repetition);
        Arrivals(std::vector<double>(before, 1.0), repetition).Feed(*sred, 8000);
        Arrivals next(std::vector<double>(after, 1.0), 1000 + repetition);
        uint32_t done = 0;
        for (size_t i = 0; i < times.size(); ++i)
        {
            next.Feed(*sred, times[i] - done);
            done = times[i];
            hits[i].push_back(sred->GetHitFrequency());
        }
    }
    double left = stale;
    double p = (1.0 - std::pow(1.0 - WEIGHT, 7000)) / before;
    uint32_t reached = 0;
    size_t i = 0;
    for (uint32_t packet = 1; packet <= times.back(); ++packet)
    {
        p += WEIGHT * ((1.0 - left) / after - p);
        left *= 1.0 - OVERWRITE / TABLE;
        const double way = (p - 1.0 / before) / (1.0 / after - 1.0 / before);
        reached = reached == 0 && way >= 0.9 ? packet : reached;
        if (packet == times[i])
        {
            const auto moments = MomentsOf(hits[i]);
            NS_TEST_EXPECT_MSG_EQ_TOL(moments.mean,
                                      p,
                                      4.5 * moments.error,
                                      before << " to " << after << " after " << packet);
            ++i;
        }
    }
    if (stale > 0)
    {
        NS_TEST_EXPECT_MSG_EQ((reached > 8000 && reached < 12000), true, "90 % after a leave");
    }
    else
    {
        NS_TEST_EXPECT_MSG_EQ((reached > 2000 && reached < 2800), true, "90 % after a join");
    }
}

LFN_CASE(SredTransientTestCase)
{
    // From P = 0 a first estimate is far too high; the correction makes it right at once.
    std::vector<double> raw;
    std::vector<double> corrected;
    for (uint32_t repetition = 0; repetition < 200; ++repetition)
    {
        auto sred = MakeSred(600 + repetition);
        Arrivals({1, 1}, repetition).Feed(*sred, TABLE + 100);
        corrected.push_back(1.0 / sred->GetCount());
        raw.push_back(sred->GetHitFrequency());
    }
    const double seen = 1.0 - std::pow(1.0 - WEIGHT, 100);
    const auto ofRaw = MomentsOf(raw);
    const auto ofCorrected = MomentsOf(corrected);
    NS_TEST_EXPECT_MSG_EQ_TOL(ofRaw.mean, seen / 2, 4 * ofRaw.error, "P begins at 0");
    NS_TEST_EXPECT_MSG_EQ_TOL(ofCorrected.mean, 0.5, 4 * ofCorrected.error, "no bias");
}

/// SRED's count of active flows against exact laws, known figures and a second implementation.
const Suite g_suite("lfn-xcp-sred", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new SredNoHitTestCase("SRED without hits, when all flows differ"));
    for (const bool filling : {false, true})
    {
        for (const bool isCorrected : {false, true})
        {
            const auto name = std::string(filling ? ", compares while it fills" : "") +
                              (isCorrected ? ", corrected" : "");
            suite.Add(new SredTwinTestCase("SRED agrees with a second implementation" + name,
                                           filling,
                                           isCorrected));
            suite.Add(new SredOneFlowTestCase("SRED counts a flow" + name, filling, isCorrected));
        }
    }
    const std::vector<SredRow> rows{{1, 0.001, 1.000, 0, 0.0005},
                                    {2, 0.001, 2.01, 0.04, 0.005},
                                    {3, 0.001, 3.01, 0.09, 0.005},
                                    {10, 0.001, 10.0, 0.64, 0.05},
                                    {13, 0.001, 13.0, 1.0, 0.05},
                                    {30, 0.001, 0, 0, 0},
                                    {100, 0.001, 0, 0, 0}};
    const std::vector<SredRow> slowRows{{2, 0.00025, 2.01, 0.02, 0.005},
                                        {3, 0.00025, 3.00, 0.04, 0.005},
                                        {10, 0.00025, 9.97, 0.31, 0.05},
                                        {13, 0.00025, 13.0, 0.48, 0.05},
                                        {30, 0.00025, 0, 0, 0},
                                        {100, 0.00025, 0, 0, 0}};
    const auto name = [](const SredRow& row) {
        return "SRED's spread with " + std::to_string(row.flows) + " flows, weight " +
               std::to_string(row.weight);
    };
    for (const auto& row : rows)
    {
        suite.Add(new SredTableTestCase(name(row), row, 200));
        suite.Add(new SredTableTestCase(name(row), row, 2000), TestCase::Duration::EXTENSIVE);
    }
    for (const auto& row : slowRows)
    {
        suite.Add(new SredTableTestCase(name(row), row, 1000), TestCase::Duration::EXTENSIVE);
    }
    suite.Add(
        new SredUnequalTestCase("SRED counts unequal flows as 1 over the sum of squared shares"));
    suite.Add(new SredTransientTestCase("the first estimates"));
    suite.Add(new SredChangeTestCase("hits after 2 flows become 4", 2, 4, 0.0));
    suite.Add(new SredChangeTestCase("hits after 1 flow becomes 10", 1, 10, 0.0));
    suite.Add(new SredChangeTestCase("hits after 10 flows become 5", 10, 5, 0.5));
    suite.Add(new SredChangeTestCase("hits after 3 flows become 2", 3, 2, 1.0 / 3));
});

} // namespace
