// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/lfn-class-scheduler-core.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint32_t LARGEST = 1500; //!< packet, [B]

/** @brief A packet that arrives. */
struct Arrival
{
    double time;       //!< when, [B of the link]
    std::size_t index; //!< its class
    uint32_t bytes;    //!< its size, [B]
};

/// Get packets whose classes send in bursts, now more and now less than the link carries.
std::vector<Arrival>
MakeArrivals(std::size_t classes, std::mt19937& random)
{
    std::vector<Arrival> arrivals;
    for (std::size_t i = 0; i < classes; ++i)
    {
        double time = 0;
        while (time < 400'000)
        {
            const auto burst = random() % 40 + 1;
            // Two thirds to three halves of a fair share.
            const double load = 0.67 + random() % 1000 / 1200.0;
            double bytes = 0;
            for (uint32_t k = 0; k < burst; ++k)
            {
                arrivals.push_back({time, i, static_cast<uint32_t>(random() % LARGEST) + 1});
                bytes += arrivals.back().bytes;
                time += static_cast<double>(random() % 1000);
            }
            time += bytes * static_cast<double>(classes) / load;
        }
    }
    std::ranges::stable_sort(arrivals, {}, &Arrival::time);
    return arrivals;
}

/** @brief Generalized processor sharing of a fluid (Parekh and Gallager), by brute force. */
class Fluid
{
  public:
    explicit Fluid(const std::vector<double>& weights)
        : served(weights.size()),
          m_weights(weights),
          m_backlog(weights.size())
    {
    }

    /// Pass time to an instant.
    void Advance(double time)
    {
        while (m_now < time)
        {
            double sum = 0;
            double step = time - m_now;
            for (std::size_t i = 0; i < m_backlog.size(); ++i)
            {
                sum += m_backlog[i] > 0 ? m_weights[i] : 0;
            }
            for (std::size_t i = 0; i < m_backlog.size(); ++i)
            {
                step = m_backlog[i] > 0 ? std::min(step, m_backlog[i] * sum / m_weights[i]) : step;
            }
            for (std::size_t i = 0; i < m_backlog.size(); ++i)
            {
                if (m_backlog[i] > 0)
                {
                    const double bytes = step * m_weights[i] / sum;
                    served[i] += bytes;
                    // What rounding leaves of a backlog would take no time, again and again.
                    m_backlog[i] = m_backlog[i] - bytes < 1e-6 ? 0 : m_backlog[i] - bytes;
                }
            }
            m_now = std::max(m_now + step, std::nextafter(m_now, time));
        }
    }

    /// A packet arrives now.
    void Arrive(const Arrival& arrival)
    {
        m_backlog[arrival.index] += arrival.bytes;
    }

    std::vector<double> served; //!< of each class, [B]

  private:
    std::vector<double> m_weights; //!< of the classes
    std::vector<double> m_backlog; //!< of the classes, [B]
    double m_now{0};               //!< the time, [B of the link]
};

/** @brief Packets through the core on a link of 1 B per unit of time. */
struct PacketLink
{
    explicit PacketLink(const std::vector<double>& weights)
        : core(weights.size()),
          queues(weights.size()),
          served(weights.size())
    {
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            core.SetWeight(i, weights[i]);
        }
    }

    ClassSchedulerCore::ClassSet GetReady() const
    {
        ClassSchedulerCore::ClassSet ready = 0;
        for (std::size_t i = 0; i < queues.size(); ++i)
        {
            ready |= static_cast<uint64_t>(queues[i].empty() ? 0 : 1) << i;
        }
        return ready;
    }

    /// Send a packet; returns its size, 0 when there is none.
    uint32_t Send()
    {
        const auto index = core.Choose(GetReady());
        if (!index)
        {
            return 0;
        }
        const uint32_t bytes = queues[*index].front();
        queues[*index].pop_front();
        served[*index] += bytes;
        core.OnSent(*index, bytes, GetReady());
        return bytes;
    }

    ClassSchedulerCore core;                  //!< what is tested
    std::vector<std::deque<uint32_t>> queues; //!< sizes of the packets, [B]
    std::vector<double> served;               //!< of each class, [B]
};

/// Get weights from 0.1 to 10.
std::vector<double>
MakeWeights(std::size_t classes, std::mt19937& random)
{
    std::vector<double> weights(classes);
    std::ranges::generate(weights, [&random] { return std::exp2(random() % 664 / 100.0 - 3.32); });
    return weights;
}

/** @brief Classes that come and go get what a fluid would give them, but for a few packets. */
LFN_CASE_OF(FluidTestCase, std::size_t classes)
{
    std::mt19937 random(static_cast<uint32_t>(classes));
    for (int round = 0; round < 20; ++round)
    {
        const auto weights = MakeWeights(classes, random);
        const auto arrivals = MakeArrivals(classes, random);
        Fluid fluid(weights);
        PacketLink link(weights);
        double now = 0;
        double worst = 0;
        auto next = arrivals.begin();
        const auto arrive = [&](double until) {
            for (; next != arrivals.end() && next->time <= until; ++next)
            {
                fluid.Advance(next->time);
                fluid.Arrive(*next);
                link.queues[next->index].push_back(next->bytes);
            }
        };
        while (next != arrivals.end() || link.GetReady() != 0)
        {
            if (link.GetReady() == 0)
            {
                now = std::max(now, next->time);
                arrive(now);
            }
            now += link.Send();
            arrive(now);
            fluid.Advance(now);
            for (std::size_t i = 0; i < classes; ++i)
            {
                worst = std::max(worst, std::abs(link.served[i] - fluid.served[i]));
            }
        }
        for (std::size_t i = 0; i < classes; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(link.served[i], fluid.served[i], 0.01, "all leaves");
        }
        NS_TEST_EXPECT_MSG_LT(worst,
                              static_cast<double>(classes * LARGEST),
                              "bytes from the fluid");
        NS_TEST_EXPECT_MSG_GT(worst, 1, "packets are no fluid");
    }
}

/** @brief Any two classes that stay ready differ by at most a packet of each, over the weights. */
LFN_CASE_OF(FairnessTestCase, std::size_t classes)
{
    std::mt19937 random(static_cast<uint32_t>(100 + classes));
    const auto weights = MakeWeights(classes, random);
    PacketLink link(weights);

    struct Range
    {
        double least{std::numeric_limits<double>::infinity()};
        double most{-std::numeric_limits<double>::infinity()};
    };

    std::vector<std::vector<Range>> ranges(classes, std::vector<Range>(classes));
    double worst = 0;
    for (int step = 0; step < 20'000; ++step)
    {
        const std::size_t index = random() % classes;
        for (auto k = random() % 8; k > 0 && link.queues[index].size() < 50; --k)
        {
            link.queues[index].push_back(static_cast<uint32_t>(random() % LARGEST) + 1);
        }
        link.Send();
        for (std::size_t i = 0; i < classes; ++i)
        {
            for (std::size_t j = 0; j < i; ++j)
            {
                auto& range = ranges[i][j];
                if (link.queues[i].empty() || link.queues[j].empty())
                {
                    range = Range();
                    continue;
                }
                const double ahead = link.served[i] / weights[i] - link.served[j] / weights[j];
                range.least = std::min(range.least, ahead);
                range.most = std::max(range.most, ahead);
                const double bound = LARGEST / weights[i] + LARGEST / weights[j];
                worst = std::max(worst, (range.most - range.least) / bound);
            }
        }
    }
    NS_TEST_EXPECT_MSG_LT_OR_EQ(worst, 1 + 1e-9, "of a packet of each");
    NS_TEST_EXPECT_MSG_GT(worst, 0.5, "the bound is reached, nearly");
}

/** @brief Two classes: the lead of ns-2's two queues, to the last bit. */
LFN_CASE(TwoClassesTestCase)
{
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round)
    {
        double weight = 0.001 + random() % 998 / 1000.0;
        ClassSchedulerCore core(2);
        std::array<uint32_t, 2> waiting{};
        double lead = 0;
        for (int step = 0; step < 5000; ++step)
        {
            weight = random() % 100 == 0 ? 0.001 + random() % 998 / 1000.0 : weight;
            core.SetWeight(0, weight);
            core.SetWeight(1, 1 - weight);
            waiting[random() % 2] += random() % 3;
            const bool isFirst = waiting[0] > 0 && (waiting[1] == 0 || lead <= 0);
            const auto chosen = core.Choose((waiting[0] > 0 ? 1 : 0) | (waiting[1] > 0 ? 2 : 0));
            NS_TEST_ASSERT_MSG_EQ(chosen.has_value(), (waiting[0] + waiting[1] > 0), "any");
            if (!chosen)
            {
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(*chosen, isFirst ? 0 : 1, "the class at step " << step);
            --waiting[*chosen];
            const auto bytes = static_cast<uint32_t>(random() % LARGEST) + 1;
            core.OnSent(*chosen, bytes, (waiting[0] > 0 ? 1 : 0) | (waiting[1] > 0 ? 2 : 0));
            if (isFirst)
            {
                lead += bytes / weight;
                lead = waiting[1] == 0 ? std::min(lead, 0.0) : lead;
            }
            else
            {
                lead -= bytes / (1 - weight);
                lead = waiting[0] == 0 ? std::max(lead, 0.0) : lead;
            }
            NS_TEST_ASSERT_MSG_EQ(core.GetLead(0), lead, "the lead at step " << step);
            NS_TEST_ASSERT_MSG_EQ(core.GetLead(1), 0, "of the last class");
        }
    }
}

/** @brief All 64 classes, equal leads, and a class that pauses. */
LFN_CASE(ManyClassesTestCase)
{
    ClassSchedulerCore core(ClassSchedulerCore::MOST_CLASSES);
    const auto all = ~ClassSchedulerCore::ClassSet{0};
    NS_TEST_EXPECT_MSG_EQ(core.Choose(0).has_value(), false, "nothing to send");
    for (std::size_t turn = 0; turn < 3 * ClassSchedulerCore::MOST_CLASSES; ++turn)
    {
        const auto index = core.Choose(all);
        NS_TEST_ASSERT_MSG_EQ(*index, turn % ClassSchedulerCore::MOST_CLASSES, "in turns");
        core.OnSent(*index, 1000, all);
    }
    // The last class alone sends a terabyte: leads stay small, and nobody has saved anything.
    const auto last = ClassSchedulerCore::MOST_CLASSES - 1;
    for (int i = 0; i < 1'000'000; ++i)
    {
        core.OnSent(last, 1'000'000, 0);
    }
    for (std::size_t i = 0; i <= last; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(core.GetLead(i), 0, "lead of class " << i);
    }
}

/** @brief The scheduler of classes against other computations. */
const Suite g_suite("lfn-class-scheduler", TestSuite::Type::UNIT, [](Suite& suite) {
    for (const std::size_t classes : {2, 3, 5, 9})
    {
        const auto number = std::to_string(classes);
        suite.Add(new FluidTestCase(number + " classes against a fluid", classes));
        suite.Add(new FairnessTestCase(number + " classes: any two of them", classes));
    }
    suite.Add(new TwoClassesTestCase("two classes are the two queues of ns-2"));
    suite.Add(new ManyClassesTestCase("64 classes, and a long run of one of them"));
});

} // namespace
