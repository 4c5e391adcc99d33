// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/object-factory.h"
#include "ns3/xcp-controller.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Ways in which the published controllers differ. */
struct Variant
{
    std::string name{};         //!< for messages
    bool clip{false};           //!< ClipByResidues
    bool zeroRttIgnored{false}; //!< ZeroRttGetsNothing
    bool xcpPays{false};        //!< NegativePool = XcpBytes
    bool atArrival{false};      //!< QueueSampling = Arrival
    bool keepRtt{false};        //!< KeepMeanRtt
    double queueFraction{0.5};  //!< QueueIntervalFraction
    double target{1};           //!< TargetUtilisation
};

/// All that are tried: draft, ns-2, SIGCOMM, and each choice alone.
const std::vector<Variant>&
GetVariants()
{
    static const std::vector<Variant> variants{
        {.name = "draft"},
        {.name = "ns-2", .clip = true, .zeroRttIgnored = true},
        {.name = "paper", .atArrival = true, .queueFraction = 1},
        {.name = "XCP pays", .xcpPays = true},
        {.name = "kept RTT, target 0.9", .keepRtt = true, .target = 0.9},
        {.name = "all at once",
         .clip = true,
         .zeroRttIgnored = true,
         .xcpPays = true,
         .atArrival = true,
         .keepRtt = true},
    };
    return variants;
}

/// A controller of a variant.
Ptr<XcpController>
MakeController(const Variant& variant)
{
    auto controller =
        CreateObjectWithAttributes<XcpController>("ClipByResidues",
                                                  BooleanValue(variant.clip),
                                                  "ZeroRttGetsNothing",
                                                  BooleanValue(variant.zeroRttIgnored),
                                                  "KeepMeanRtt",
                                                  BooleanValue(variant.keepRtt),
                                                  "QueueIntervalFraction",
                                                  DoubleValue(variant.queueFraction),
                                                  "TargetUtilisation",
                                                  DoubleValue(variant.target));
    controller->SetAttribute(
        "NegativePool",
        EnumValue(variant.xcpPays ? XcpController::XCP_BYTES : XcpController::ALL_BYTES));
    controller->SetAttribute(
        "QueueSampling",
        EnumValue(variant.atArrival ? XcpController::AT_ARRIVAL : XcpController::AT_DEPARTURE));
    return controller;
}

/** @brief A packet that the second computation keeps. */
struct Seen
{
    double bytes;     //!< size
    bool isXcp;       //!< with a standard header
    XcpDemand demand; //!< its header
};

/**
 * @brief The second computation: keeps every packet and every queue length of an interval, and
 * computes from the list when the interval ends.
 */
class ReferenceAccount
{
  public:
    /// Start with the constants of the draft.
    explicit ReferenceAccount(const Variant& variant)
        : m_variant(variant)
    {
    }

    std::vector<Seen> packets;  //!< of this control interval
    std::vector<double> queues; //!< of this queue interval
    long double pool{0};        //!< positive, left
    long double debt{0};        //!< negative, left
    long double perX{0};        //!< Cp
    long double perByte{0};     //!< Cn
    long double meanRtt{0.05L}; //!< d
    long double rate{0};        //!< y
    long double f{0};           //!< F
    long double h{0};           //!< h
    long double q{0};           //!< Q
    long double length{0.05L};  //!< of this control interval

    /// A departure; what Delta_Throughput becomes.
    double Depart(double bytes, const XcpDemand& demand)
    {
        if (m_variant.zeroRttIgnored && demand.rtt == 0)
        {
            return 0;
        }
        long double gain = perX * demand.x;
        long double loss = perByte * bytes;
        if (m_variant.clip)
        {
            gain = gain > pool ? pool : gain;
            loss = loss > debt ? debt : loss;
        }
        const long double offer = gain - loss;
        const long double result = demand.delta > offer ? offer : demand.delta;
        if (!(demand.delta > offer))
        {
            loss = loss + offer - demand.delta;
            loss = loss > debt ? debt : loss;
            gain = demand.delta + loss;
            gain = gain < 0 ? 0 : gain;
        }
        pool = gain >= pool ? 0 : pool - gain;
        debt = loss >= debt ? 0 : debt - loss;
        perX = pool > 0 ? perX : 0;
        perByte = debt > 0 ? perByte : 0;
        return static_cast<double>(result);
    }

    /// A control interval ends; the length of the next in seconds.
    double EndControl(double capacity)
    {
        long double bytes = 0;
        long double paying = 0;
        long double xs = 0;
        long double timedXs = 0;
        long double xRtts = 0;
        for (const auto& packet : packets)
        {
            bytes += packet.bytes;
            if (!packet.isXcp)
            {
                paying += m_variant.xcpPays ? 0 : packet.bytes;
                continue;
            }
            const bool hasRtt = packet.demand.rtt > 0;
            const bool counts = hasRtt || !m_variant.zeroRttIgnored;
            paying += counts || !m_variant.xcpPays ? packet.bytes : 0;
            xs += counts ? packet.demand.x : 0;
            timedXs += hasRtt ? packet.demand.x : 0;
            xRtts += static_cast<long double>(packet.demand.x) * std::min(packet.demand.rtt, 1.0);
        }
        packets.clear();
        if (timedXs > 0)
        {
            meanRtt = xRtts / timedXs;
        }
        else if (!m_variant.keepRtt)
        {
            meanRtt = 0.05L;
        }
        rate = bytes / length;
        f = 0.4L * (m_variant.target * capacity - rate) - 0.226L * q / meanRtt;
        h = std::max(0.0L, 0.1L * rate - std::abs(f));
        pool = f > 0 ? h + f : h;
        debt = f < 0 ? h - f : h;
        m_lastXs = xs > 0 ? xs : m_lastXs;
        perX = m_lastXs > 0 ? pool / m_lastXs : 0;
        perByte = paying > 0 ? debt / paying : 0;
        length = std::max(meanRtt, 0.005L);
        return static_cast<double>(length);
    }

    /// A queue interval ends; the length of the next in seconds.
    double EndQueue(double now, double capacity)
    {
        q = queues.empty() ? m_first
                           : std::min(m_first, *std::min_element(queues.begin(), queues.end()));
        queues.clear();
        m_first = now;
        return std::max(0.002,
                        m_variant.queueFraction * (static_cast<double>(meanRtt) - now / capacity));
    }

  private:
    Variant m_variant;       //!< which one
    double m_first{0};       //!< queue when the queue interval began
    long double m_lastXs{0}; //!< sum of X when there was one last
};

/** @brief Random traffic, packet by packet, against the second computation. */
class XcpAccountTestCase : public CaseOf<Variant, uint32_t>
{
    using CaseOf::CaseOf;

    /// Compare two results; the scale says what an error is measured by.
    void Compare(double found, long double wanted, double scale, const std::string& what)
    {
        NS_TEST_ASSERT_MSG_EQ_TOL(found,
                                  static_cast<double>(wanted),
                                  1e-9 * (scale + std::abs(static_cast<double>(wanted))),
                                  what << " at step " << m_step);
    }

    /// A number from 0 to below 1.
    double Draw()
    {
        return std::uniform_real_distribution<double>(0, 1)(m_random);
    }

    /// A header: mostly sensible, sometimes without X, RTT, or with an odd demand.
    XcpDemand DrawDemand()
    {
        XcpDemand demand;
        demand.x = Draw() < 0.05 ? 0 : std::pow(10, -5 + 3 * Draw());
        demand.rtt = Draw() < 0.05 ? 0 : std::pow(10, -3 + 3.5 * Draw());
        const double kind = Draw();
        demand.delta = kind < 0.6 ? 1e6 : (kind < 0.95 ? 4e4 * (Draw() - 0.5) : -3e6 * Draw());
        return demand;
    }

    void RunWith(Variant variant, uint32_t seed) override
    {
        m_random.seed(seed);
        const auto controller = MakeController(variant);
        ReferenceAccount reference(variant);
        const Time first = controller->Start();
        NS_TEST_ASSERT_MSG_EQ(first, MilliSeconds(50), "first interval");
        double capacity = 12.5e6;
        double queue = 0;
        uint32_t grants = 0;
        uint32_t cuts = 0;
        for (m_step = 0; m_step < 60000; ++m_step)
        {
            const double event = Draw();
            const auto bytes = static_cast<uint32_t>(40 + 1460 * Draw());
            queue = std::max(0.0, queue + 3000 * (Draw() - 0.5));
            if (event < 0.1)
            {
                controller->OnArrival(bytes);
                reference.packets.push_back({static_cast<double>(bytes), false, {}});
            }
            else if (event < 0.55)
            {
                const auto demand = DrawDemand();
                controller->OnArrival(bytes, demand);
                controller->SampleAtArrival(queue);
                reference.packets.push_back({static_cast<double>(bytes), true, demand});
                if (variant.atArrival)
                {
                    reference.queues.push_back(queue);
                }
            }
            else if (event < 0.99)
            {
                const auto demand = DrawDemand();
                controller->SampleAtDeparture(queue);
                if (!variant.atArrival)
                {
                    reference.queues.push_back(queue);
                }
                const double found = controller->OnDeparture(bytes, demand);
                Compare(found, reference.Depart(bytes, demand), 1, "Delta_Throughput");
                grants += found > 0 ? 1 : 0;
                cuts += found < 0 ? 1 : 0;
            }
            else if (event < 0.995)
            {
                capacity = Draw() < 0.1 ? 25e6 * Draw() + 1e5 : capacity;
                const Time next = controller->OnQueueTimeout(queue, capacity);
                Compare(next.GetSeconds(),
                        reference.EndQueue(queue, capacity),
                        1,
                        "queue interval");
            }
            else
            {
                const Time next = controller->OnControlTimeout(capacity);
                Compare(next.GetSeconds(), reference.EndControl(capacity), 1, "control interval");
                const auto& account = controller->GetAccount();
                Compare(account.meanRtt, reference.meanRtt, 0, "mean RTT");
                Compare(account.inputRate, reference.rate, 0, "y");
                Compare(account.persistentQueue, reference.q, 0, "Q");
                Compare(account.aggregate, reference.f, capacity, "F");
                Compare(account.shuffled, reference.h, capacity, "h");
            }
            const auto& account = controller->GetAccount();
            Compare(account.positiveResidue, reference.pool, capacity, "positive pool");
            Compare(account.negativeResidue, reference.debt, capacity, "negative pool");
            Compare(account.positiveFactor * 1e-3, reference.perX * 1e-3L, capacity, "Cp");
            Compare(account.negativeFactor, reference.perByte, 1e-3, "Cn");
            if (IsStatusFailure())
            {
                return;
            }
        }
        // The traffic is no use if nothing or everything is cut.
        NS_TEST_EXPECT_MSG_GT(grants, 1000, "grants");
        NS_TEST_EXPECT_MSG_GT(cuts, 1000, "cuts");
    }

    std::mt19937 m_random; //!< traffic
    uint32_t m_step{0};    //!< of the run
};

/** @brief A test that compares results of calls, which the macros would repeat. */
class XcpResultTestCase : public Case
{
  protected:
    using Case::Case;

    /// Compare a number.
    void Expect(double found, double wanted, double tolerance, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(found, wanted, tolerance, what);
    }

    /// Compare a number exactly.
    void Expect(double found, double wanted, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(found, wanted, what);
    }

    /// Compare a time.
    void Expect(Time found, Time wanted, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(found, wanted, what);
    }

    /// Ask for a fact.
    void Expect(bool fact, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(fact, true, what);
    }
};

LFN_CASE_FROM(XcpByHandTestCase, XcpResultTestCase)
{
    const auto controller = MakeController({});
    controller->Start();
    // 100 packets of 1000 bytes in 50 ms are 2 MB/s; the link has 12.5 MB/s.
    const XcpDemand demand{.x = 1e-3, .rtt = 0.1, .delta = 1e9};
    for (int i = 0; i < 100; ++i)
    {
        controller->OnArrival(1000, demand);
    }
    const auto& account = controller->GetAccount();
    Expect(controller->OnControlTimeout(12.5e6), MilliSeconds(100), "mean RTT");
    Expect(account.inputRate, 2e6, 1e-3, "y");
    Expect(account.aggregate, 4.2e6, 1e-3, "0.4 (12.5 - 2) MB/s");
    Expect(account.shuffled, 0, 1e-3, "F is more than 0.1 y");
    Expect(controller->OnDeparture(1000, demand), 42000, 1e-3, "its part");
    // A packet that asks for less gets that, and the pool keeps the rest.
    const XcpDemand modest{.x = 1e-3, .rtt = 0.1, .delta = 2000};
    Expect(controller->OnDeparture(1000, modest), 2000, 1e-9, "as asked");
    Expect(account.positiveResidue, 4.2e6 - 44000, 1e-3, "the pool");

    // A full link with a queue of 50 kB: 10 MB in 100 ms is y = 100 MB/s = C.
    controller->OnQueueTimeout(50000, 1e8);
    controller->SampleAtDeparture(60000);
    controller->SampleAtArrival(10);
    Expect(controller->OnQueueTimeout(1e6, 1e8).GetSeconds(), 0.045, 1e-9, "(d - q/C) / 2");
    Expect(account.persistentQueue, 50000, 1e-9, "least since then");
    for (int i = 0; i < 5000; ++i)
    {
        controller->OnArrival(1000, demand);
        controller->OnArrival(1000);
    }
    controller->OnControlTimeout(1e8);
    Expect(account.aggregate, -113000, 1e-3, "-0.226 Q/d");
    Expect(account.shuffled, 1e7 - 113000, 1e-3, "0.1 y - |F|");
    // All bytes share the negative pool, XCP's packets alone the positive one.
    const double wanted = (1e7 - 113000) / 5000 - 1e7 / 10000;
    Expect(controller->OnDeparture(1000, demand), wanted, 1e-6, "feedback");
}

/** @brief What is granted in an interval never exceeds the positive pool. */
LFN_CASE_OF(XcpConservationTestCase, bool clip)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> draw(0, 1);
    const auto controller = MakeController({.clip = clip});
    const auto& account = controller->GetAccount();
    controller->Start();
    double worst = 0;
    for (int interval = 0; interval < 400; ++interval)
    {
        const double pool = account.positiveResidue;
        const double share = account.positiveFactor;
        double granted = 0;
        double largest = 0;
        // More packets leave than had come, with larger X: a drained queue, or lies.
        for (int i = 0; i < 300; ++i)
        {
            const XcpDemand demand{.x = 2e-3 * draw(random),
                                   .rtt = 0.1,
                                   .delta = i % 3 == 0 ? 1e4 * (draw(random) - 0.5) : 1e9};
            granted += std::max(0.0, controller->OnDeparture(1000, demand));
            largest = std::max(largest, share * demand.x);
            if (i % 2 == 0)
            {
                controller->OnArrival(1000, {.x = 1e-3 * draw(random), .rtt = 0.1});
            }
        }
        // The draft cuts the books only: the packet that empties the pool gets its full part.
        const double bound = pool + (clip ? 0 : largest);
        worst = std::max(worst, granted - bound);
        NS_TEST_EXPECT_MSG_EQ((account.positiveResidue >= 0 && account.negativeResidue >= 0),
                              true,
                              "pools below zero in interval " << interval);
        controller->OnControlTimeout(3e6 * draw(random));
    }
    NS_TEST_EXPECT_MSG_LT(worst, 1e-6, "granted beyond the pool, B/s");
}

LFN_CASE_FROM(XcpGuardTestCase, XcpResultTestCase)
{
    const XcpDemand demand{.x = 1e-3, .rtt = 0.1, .delta = 1e9};
    const auto controller = MakeController({});
    const auto& account = controller->GetAccount();
    controller->Start();
    Expect(account.knownRtt, 0.05, 1e-12, "FirstInterval before any other");
    Expect(controller->OnDeparture(1000, demand), 0, "no interval yet");

    Expect(controller->OnControlTimeout(1e6), MilliSeconds(50), "idle");
    Expect(account.positiveFactor, 0, "no XCP traffic: nothing is given out");
    Expect(controller->OnDeparture(1000, demand), 0, "the first packet");

    // TCP alone: XCP's first packet may lose, and gains nothing.
    for (int i = 0; i < 100; ++i)
    {
        controller->OnArrival(1000);
    }
    controller->OnControlTimeout(1e6);
    Expect(account.positiveFactor, 0, "TCP alone");
    Expect(controller->OnDeparture(1000, demand) < 0, "TCP alone, overload");

    // X unknown: loses, and never gains. RTT unknown: no mean RTT.
    controller->OnArrival(1000, {.x = 1e-3, .rtt = 0, .delta = 0});
    Expect(controller->OnControlTimeout(1e6), MilliSeconds(50), "RTT unknown");
    Expect(account.positiveFactor > 0, "X counts (draft)");
    Expect(controller->OnDeparture(1000, {.x = 0, .rtt = 0.1, .delta = 9}) <= 0, "X unknown");

    // An RTT of a step of the header: as good as none.
    controller->OnArrival(1000, {.x = 1e-3, .rtt = 3.8e-9, .delta = 0});
    Expect(controller->OnControlTimeout(1e6), MilliSeconds(50), "below 1 us");
    controller->OnArrival(1000, {.x = 1e-3, .rtt = 1e-3, .delta = 0});
    Expect(controller->OnControlTimeout(1e6), MilliSeconds(5), "MIN_INTERVAL");
    Expect(account.meanRtt, 1e-3, 1e-12, "the mean RTT itself");
    Expect(controller->OnControlTimeout(1e6), MilliSeconds(50), "nothing came");
    Expect(account.meanRtt, 0.05, 1e-12, "FirstInterval again");
    Expect(account.knownRtt, 1e-3, 1e-12, "the last one that was reported");
    controller->OnArrival(1000, {.x = 1e-3, .rtt = 15, .delta = 0});
    Expect(controller->OnControlTimeout(1e6), Seconds(1), "MAX_INTERVAL");

    for (const double capacity : {0.0, -1.0, std::nan("")})
    {
        controller->OnArrival(1000, demand);
        controller->OnControlTimeout(capacity);
        Expect(controller->OnDeparture(1000, demand),
               0,
               "capacity " + std::to_string(capacity) + ": nothing is granted");
        const XcpDemand less{.x = 1e-3, .rtt = 0.1, .delta = -5};
        Expect(controller->OnDeparture(1000, less), -5, "a cut from upstream");
        Expect(controller->OnQueueTimeout(1e6, capacity).IsStrictlyPositive(), "queue interval");
    }
}

LFN_CASE_FROM(XcpGuardNs2TestCase, XcpResultTestCase)
{
    const auto controller = MakeController({});
    const auto& account = controller->GetAccount();
    controller->Start();
    controller->OnArrival(1000, {.x = 1e-3, .rtt = 15, .delta = 0});
    controller->OnControlTimeout(1e6);
    // ns-2: a packet without RTT is as no XCP packet at all.
    const auto old = MakeController({.clip = true, .zeroRttIgnored = true});
    old->Start();
    old->OnArrival(1000, {.x = 1e-3, .rtt = 0, .delta = 0});
    old->OnControlTimeout(1e6);
    Expect(old->GetAccount().positiveFactor, 0, "not in the sums");
    Expect(old->GetAccount().inputRate > 0, "in the input traffic");
    Expect(old->OnDeparture(1000, {.x = 1, .rtt = 0, .delta = -7}), 0, "zeroed");

    // Start() forgets all.
    controller->Start();
    Expect(controller->OnControlTimeout(1e6), MilliSeconds(50), "again");
    Expect(account.inputRate, 0, "again");
}

LFN_CASE_FROM(XcpFirstRttsTestCase, XcpResultTestCase)
{
    const auto controller = MakeController({});
    controller->Start();
    Expect(controller->GetFirstRtts().has_value(), false, "nothing has come");
    controller->OnArrival(1000);
    controller->OnArrival(1000, {.x = 1e-5, .rtt = 0});
    Expect(controller->GetFirstRtts().has_value(), false, "nobody has reported an RTT");
    controller->OnArrival(1000, {.x = 1e-6, .rtt = 12e-6, .delta = 1e9});
    Expect(controller->GetFirstRtts().value_or(Time(0)), MicroSeconds(60), "five RTTs");
    controller->OnArrival(1000, {.x = 1e-6, .rtt = 20e-6, .delta = 1e9});
    Expect(controller->GetFirstRtts().value_or(Time(0)), MicroSeconds(80), "of the mean");

    // The input rate is that of the time that the interval lasted.
    controller->CutInterval(MicroSeconds(80));
    Expect(controller->OnControlTimeout(1e9), MilliSeconds(5), "MIN_INTERVAL");
    Expect(controller->GetAccount().inputRate, 4000 / 80e-6, 1e-3, "y");
    controller->OnArrival(1000, {.x = 1e-6, .rtt = 12e-6, .delta = 1e9});
    Expect(controller->GetFirstRtts().has_value(), false, "the RTT is known");
    controller->OnControlTimeout(1e9);
    Expect(controller->OnControlTimeout(1e9), MilliSeconds(50), "nothing came");
    controller->OnArrival(1000, {.x = 1e-6, .rtt = 10e-3, .delta = 1e9});
    Expect(controller->GetFirstRtts().value_or(Time(0)), MilliSeconds(50), "unknown again");

    const auto old = MakeController({});
    old->SetAttribute("FirstRtts", DoubleValue(0));
    old->Start();
    old->OnArrival(1000, {.x = 1e-6, .rtt = 12e-6, .delta = 1e9});
    Expect(old->GetFirstRtts().has_value(), false, "never");

    const auto keeps = MakeController({.keepRtt = true});
    keeps->Start();
    keeps->OnControlTimeout(1e9);
    keeps->OnArrival(1000, {.x = 1e-6, .rtt = 12e-6, .delta = 1e9});
    Expect(keeps->GetFirstRtts().has_value(), true, "none was ever reported");
    keeps->OnControlTimeout(1e9);
    keeps->OnControlTimeout(1e9);
    keeps->OnArrival(1000, {.x = 1e-6, .rtt = 12e-6, .delta = 1e9});
    Expect(keeps->GetFirstRtts().has_value(), false, "the last one counts");
}

LFN_CASE_OF(XcpMalformedInputTestCase, Variant variant)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::array<double, 16> times{0,
                                       1.0 / (1 << 28),
                                       15.9999999963,
                                       0.1,
                                       1e-3,
                                       -1,
                                       std::nan(""),
                                       infinity,
                                       -infinity,
                                       5e-324,
                                       1e308,
                                       16,
                                       1e-6,
                                       1,
                                       0.05,
                                       2e-9};
    const std::array<double, 10> deltas{0,
                                        2147483647.0,
                                        -2147483648.0,
                                        1000,
                                        -1000,
                                        infinity,
                                        -infinity,
                                        std::nan(""),
                                        1e308,
                                        -1e308};
    const std::array<double, 9> rates{0, 1e6, 1.25e9, -1, infinity, std::nan(""), 1e308, 1, 1e-300};
    const std::array<uint32_t, 5> sizes{0, 40, 1500, 65535, 4294967295U};
    std::mt19937 random(3);
    const auto pick = [&random](const auto& list) { return list[random() % list.size()]; };
    const auto controller = MakeController(variant);
    const auto& account = controller->GetAccount();
    controller->Start();
    bool isSound = true;
    for (int i = 0; i < 200000 && isSound; ++i)
    {
        const XcpDemand demand{.x = pick(times), .rtt = pick(times), .delta = pick(deltas)};
        double result = 0;
        Time length = Seconds(1);
        switch (random() % 8)
        {
        case 0:
            controller->OnArrival(pick(sizes));
            break;
        case 1:
        case 2:
            controller->OnArrival(pick(sizes), demand);
            break;
        case 3:
            controller->SampleAtArrival(pick(rates));
            controller->SampleAtDeparture(pick(rates));
            break;
        case 4:
            length = controller->OnQueueTimeout(pick(rates), pick(rates));
            break;
        case 5:
            length = controller->OnControlTimeout(pick(rates));
            break;
        default:
            result = controller->OnDeparture(pick(sizes), demand);
        }
        isSound = std::isfinite(result) && length.IsStrictlyPositive() && length <= Seconds(1) &&
                  account.inputRate >= 0 && account.meanRtt >= 1e-6 &&
                  std::isfinite(account.aggregate) && account.shuffled >= 0;
        for (const double part : {account.positiveResidue,
                                  account.negativeResidue,
                                  account.positiveFactor,
                                  account.negativeFactor,
                                  account.persistentQueue})
        {
            isSound = isSound && part >= 0 && std::isfinite(part);
        }
        NS_TEST_EXPECT_MSG_EQ(isSound, true, "step " << i << ", result " << result);
    }
}

/// XCP's router arithmetic: against a second computation packet by packet, its pools, its guards.
const Suite g_suite("lfn-xcp-controller", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new XcpByHandTestCase("one interval by hand"));
    suite.Add(new XcpGuardTestCase("nothing to divide by"));
    suite.Add(new XcpGuardNs2TestCase("a packet without RTT in ns-2; Start()"));
    suite.Add(new XcpFirstRttsTestCase("an interval of unknown RTT ends early"));
    for (const auto& variant : GetVariants())
    {
        for (const uint32_t seed : {1, 2})
        {
            suite.Add(new XcpAccountTestCase(variant.name + ", seed " + std::to_string(seed),
                                             variant,
                                             seed));
        }
        suite.Add(new XcpMalformedInputTestCase("any input, " + variant.name, variant));
    }
    suite.Add(new XcpConservationTestCase("grants stay in the pool, draft", false));
    suite.Add(new XcpConservationTestCase("grants stay in the pool, ns-2", true));
});

} // namespace
