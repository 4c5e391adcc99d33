// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-link.h"
#include "lfn-test-topology.h"

#include "ns3/enum.h"
#include "ns3/lfn-policer.h"
#include "ns3/lfn-reordering-channel.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Distribution = ReorderingChannel::Distribution;
using Direction = ReorderingChannel::Direction;

constexpr uint32_t PACKETS = 20000;   //!< packets of the statistics
constexpr uint32_t TAIL = 2000;       //!< packets after them, none of which is held
constexpr double STANDARD_ERRORS = 4; //!< half width of a band
constexpr int64_t STREAM = 77;        //!< first stream of the channel
const Time LONG = Seconds(100);       //!< a hold that never ends in these tests

/** @brief How packets are displaced. */
struct Settings
{
    double probability{0.6};                        //!< of a hold
    Distribution distribution{Distribution::FIXED}; //!< of the displacement
    uint32_t displacement{30};                      //!< it, or the largest
    double mean{6};                                 //!< of the geometric distribution
    Time longestHold{LONG};                         //!< then a packet goes on
    Direction direction{Direction::FORWARD};        //!< whose packets
};

/// A channel with streams from STREAM on.
Ptr<ReorderingChannel>
MakeChannel(const Settings& settings)
{
    auto channel = CreateObject<ReorderingChannel>();
    channel->SetAttribute("Probability", DoubleValue(settings.probability));
    channel->SetAttribute("Displacement", UintegerValue(settings.displacement));
    channel->SetAttribute("Distribution", EnumValue(settings.distribution));
    channel->SetAttribute("MeanDisplacement", DoubleValue(settings.mean));
    channel->SetAttribute("LongestHold", TimeValue(settings.longestHold));
    channel->SetAttribute("Direction", EnumValue(settings.direction));
    channel->AssignStreams(STREAM);
    return channel;
}

/// Count for every packet the later ones that came before it.
std::vector<uint32_t>
Displacements(const std::vector<uint32_t>& came)
{
    std::vector<uint32_t> displacements(came.size());
    // A binary indexed tree counts the numbers that have come, up to any number.
    std::vector<uint32_t> tree(came.size() + 1);
    for (uint32_t i = 0; i < came.size(); ++i)
    {
        uint32_t smaller = 0;
        for (uint32_t at = came[i]; at > 0; at -= at & (~at + 1))
        {
            smaller += tree[at];
        }
        displacements[came[i]] = i - smaller;
        for (uint32_t at = came[i] + 1; at < tree.size(); at += at & (~at + 1))
        {
            tree[at]++;
        }
    }
    return displacements;
}

/// Whether every packet came, once.
bool
IsComplete(std::vector<uint32_t> came, uint32_t packets)
{
    std::ranges::sort(came);
    std::vector<uint32_t> all(packets);
    std::iota(all.begin(), all.end(), 0);
    return came == all;
}

/** @brief The order of arrival is the one permutation that has the drawn displacements. */
LFN_CASE_OF(PermutationTestCase, Settings settings)
{
    const uint32_t packets = 3000;
    const std::string name =
        std::to_string(settings.probability) + " by " + std::to_string(settings.displacement);
    const auto channel = MakeChannel(settings);
    Link link(channel);
    link.Send(0, packets + TAIL);
    link.ChangeProbability(packets, 0);
    const Journey& journey = link.Run()[0];
    NS_TEST_ASSERT_MSG_EQ(IsComplete(journey.came, packets + TAIL), true, name);

    // The same draws, and the permutation built backwards: as many of the later packets come
    // before a packet as its displacement says.
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(STREAM + 2);
    std::vector<uint32_t> wanted(packets + TAIL);
    uint32_t held = 0;
    for (uint32_t i = 0; i < packets; ++i)
    {
        if (uniform->GetValue() < settings.probability)
        {
            held++;
            wanted[i] =
                settings.distribution == Distribution::FIXED
                    ? settings.displacement
                    : 1 + static_cast<uint32_t>(uniform->GetValue() * settings.displacement);
        }
    }
    std::vector<uint32_t> order;
    for (uint32_t i = packets + TAIL; i-- > 0;)
    {
        order.insert(order.begin() + wanted[i], i);
    }
    NS_TEST_EXPECT_MSG_EQ((journey.came == order), true, name);
    NS_TEST_EXPECT_MSG_EQ((Displacements(journey.came) == wanted), true, name);
    NS_TEST_EXPECT_MSG_EQ(channel->GetHeld(), held, name);
    NS_TEST_EXPECT_MSG_EQ(channel->GetExpired(), 0, name);

    // A packet that is not held takes the delay; a held one comes with the one before it.
    Time last;
    bool isInTime = true;
    for (const uint32_t packet : journey.came)
    {
        const Time expected = wanted[packet] == 0 ? journey.sent[packet] + DELAY : last;
        isInTime = isInTime && journey.arrived[packet] == expected;
        last = journey.arrived[packet];
    }
    NS_TEST_EXPECT_MSG_EQ(isInTime, true, name);
    NS_TEST_EXPECT_MSG_EQ(link.GetEnd(), last, "nothing is left to wait for: " << name);
}

/** @brief The packets that a script names are chosen, with any Probability. */
LFN_CASE(ScriptTestCase)
{
    for (const double probability : {0.0, 1.0})
    {
        const auto channel = MakeChannel(
            {.probability = probability, .displacement = 2, .direction = Direction::BOTH});
        NS_TEST_EXPECT_MSG_EQ(channel->SetAttributeFailSafe("Script", StringValue("2,5")),
                              true,
                              "a script");
        for (const auto* text : {"2,", "0", "two", "2 5"})
        {
            NS_TEST_EXPECT_MSG_EQ(channel->SetScript(text), false, text);
        }
        NS_TEST_EXPECT_MSG_EQ(channel->GetScript(), "2,5", "as it was");
        Link link(channel);
        link.Send(0, 10);
        link.Send(1, 6);
        const auto& [there, back] = link.Run();
        const std::vector<uint32_t> ten{0, 2, 3, 1, 5, 6, 4, 7, 8, 9};
        NS_TEST_EXPECT_MSG_EQ((there.came == ten), true, "the second and the fifth, late by 2");
        const std::vector<uint32_t> six{0, 2, 3, 1, 5, 4};
        NS_TEST_EXPECT_MSG_EQ((back.came == six), true, "counted for itself");
        NS_TEST_EXPECT_MSG_EQ(channel->GetHeld(), 4, "held");
    }
}

/** @brief Clusters: their size, their spacing, and none begins within another. */
LFN_CASE(ClusterTestCase)
{
    const uint32_t packets = 60000;
    const uint32_t size = 5;
    const uint32_t spacing = 9;
    const double probability = 0.004;
    // Late by one packet, so that each chosen one changes places with the next.
    const auto channel = MakeChannel({.probability = probability, .displacement = 1});
    channel->SetAttribute("ClusterSize", UintegerValue(size));
    channel->SetAttribute("ClusterSpacing", UintegerValue(spacing));
    Link link(channel);
    link.Send(0, packets + TAIL);
    link.ChangeProbability(packets, 0);
    const Journey& journey = link.Run()[0];
    const auto displacements = Displacements(journey.came);
    std::vector<uint32_t> chosen;
    for (uint32_t i = 0; i < packets; ++i)
    {
        if (displacements[i] > 0)
        {
            chosen.push_back(i);
        }
    }
    NS_TEST_ASSERT_MSG_GT(chosen.size(), 10 * size, "several clusters");
    uint32_t clusters = 0;
    for (std::size_t i = 0; i + size <= chosen.size(); i += size)
    {
        for (std::size_t at = i + 1; at < i + size; ++at)
        {
            NS_TEST_EXPECT_MSG_EQ(chosen[at] - chosen[at - 1], spacing, "within a cluster");
        }
        clusters++;
    }
    const double period = 1 / probability + (size - 1) * spacing;
    const double expected = packets / period;
    NS_TEST_EXPECT_MSG_EQ_TOL(clusters,
                              expected,
                              STANDARD_ERRORS * std::sqrt(expected),
                              "as often as Probability has it");
}

/** @brief Packets come early: each overtakes as many as asked for of those that are under way. */
LFN_CASE(EarlyTestCase)
{
    // Run one channel.
    const auto check = [&](double probability, uint32_t displacement) {
        const uint32_t packets = 3000;
        const auto channel =
            MakeChannel({.probability = probability, .displacement = displacement});
        channel->SetAttribute("Mode", EnumValue(ReorderingChannel::Mode::EARLY));
        Link link(channel);
        link.Send(0, packets);
        const Journey& journey = link.Run()[0];
        NS_TEST_ASSERT_MSG_EQ(IsComplete(journey.came, packets), true, "all, once");

        // The order that the same draws make.
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(STREAM + 2);
        std::vector<uint32_t> order;
        uint32_t early = 0;
        bool isInTime = true;
        for (uint32_t i = 0; i < packets; ++i)
        {
            auto place = order.end();
            if (uniform->GetValue() < probability)
            {
                // Of those under way, none of which arrives before this one has been sent.
                for (uint32_t ahead = 0; ahead < displacement && place != order.begin() &&
                                         journey.arrived[*std::prev(place)] > journey.sent[i];
                     ++ahead)
                {
                    --place;
                }
            }
            if (place != order.end())
            {
                ++early;
                isInTime = isInTime && journey.arrived[i] + TimeStep(1) == journey.arrived[*place];
            }
            else
            {
                isInTime = isInTime && journey.arrived[i] == journey.sent[i] + DELAY;
            }
            order.insert(place, i);
        }
        NS_TEST_EXPECT_MSG_EQ((journey.came == order), true, displacement);
        NS_TEST_EXPECT_MSG_EQ(isInTime, true, "just before the first that it overtakes");
        NS_TEST_EXPECT_MSG_EQ(channel->GetHeld(), early, "counted");
        NS_TEST_EXPECT_MSG_GT(early, 2, "there were some");
    };
    for (const double probability : {0.0025, 0.1})
    {
        for (const uint32_t displacement : {1, 7, 30})
        {
            check(probability, displacement);
        }
    }
}

/// Send packets; get the displacements of those that were overtaken, none if any is missing.
std::vector<uint32_t>
Late(const Settings& settings, uint32_t packets)
{
    Link link(MakeChannel(settings));
    link.Send(0, packets + TAIL);
    link.ChangeProbability(packets, 0);
    const auto came = link.Run()[0].came;
    auto late = IsComplete(came, packets + TAIL) ? Displacements(came) : std::vector<uint32_t>();
    std::erase(late, 0);
    return late;
}

/** @brief Displacements have the probabilities of displacement 1, 2, ... */
LFN_CASE_OF(LawTestCase, Settings settings, std::vector<double> shares)
{
    const auto late = Late(settings, PACKETS);
    const auto count = static_cast<double>(late.size());
    const double p = settings.probability;
    NS_TEST_EXPECT_MSG_EQ_TOL(count / PACKETS,
                              p,
                              STANDARD_ERRORS * std::sqrt(p * (1 - p) / PACKETS),
                              "share of late packets");
    NS_TEST_ASSERT_MSG_LT_OR_EQ(*std::ranges::max_element(late), shares.size(), "largest");
    // A normal band holds for many events only: what is rarer goes with the next ones.
    const double enough = 25;
    double share = 0;
    double found = 0;
    for (uint32_t i = 0; i < shares.size(); ++i)
    {
        share += shares[i];
        found += static_cast<double>(std::ranges::count(late, i + 1));
        const bool isRestRare =
            std::accumulate(shares.begin() + i + 1, shares.end(), 0.0) * count < enough;
        if (share * count < enough || (isRestRare && i + 1 < shares.size()))
        {
            continue;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(found / count,
                                  share,
                                  STANDARD_ERRORS * std::sqrt(share * (1 - share) / count) + 1e-12,
                                  "displacements to " << i + 1 << ", mean " << settings.mean);
        share = 0;
        found = 0;
    }
    NS_TEST_EXPECT_MSG_EQ(found, 0, "every displacement was looked at");
}

/** @brief One packet in 400 late by 8: between 0.2 and 0.3 per cent of them. */
LFN_CASE(RareTestCase)
{
    const auto late = Late({.probability = 0.0025, .displacement = 8}, 100000);
    NS_TEST_EXPECT_MSG_GT(late.size(), 200, "late packets");
    NS_TEST_EXPECT_MSG_LT(late.size(), 300, "late packets");
    NS_TEST_EXPECT_MSG_EQ(std::ranges::count(late, 8U),
                          static_cast<std::ptrdiff_t>(late.size()),
                          "all by 8");
}

/** @brief A held packet goes on after its longest hold. */
LFN_CASE(LongestHoldTestCase)
{
    const Time hold = MilliSeconds(3);
    const Settings all{.probability = 1, .displacement = 8, .longestHold = hold};
    {
        Link link(MakeChannel(all));
        link.Send(0, 1);
        const Journey& journey = link.Run()[0];
        NS_TEST_ASSERT_MSG_EQ(journey.came.size(), 1, "a packet alone");
        NS_TEST_EXPECT_MSG_EQ(journey.arrived[0], journey.sent[0] + hold + DELAY, "late");
        NS_TEST_EXPECT_MSG_EQ(link.GetEnd(), journey.arrived[0], "no event is left");
    }
    {
        // Two are held, then only three pass.
        const auto channel = MakeChannel(all);
        Link link(channel);
        link.Send(0, 5);
        link.ChangeProbability(2, 0);
        const Journey& journey = link.Run()[0];
        NS_TEST_EXPECT_MSG_EQ((journey.came == std::vector<uint32_t>{2, 3, 4, 0, 1}),
                              true,
                              "those that pass come first");
        for (const uint32_t packet : {0, 1})
        {
            NS_TEST_EXPECT_MSG_EQ(journey.arrived[packet],
                                  journey.sent[packet] + hold + DELAY,
                                  "each at its own time");
        }
        NS_TEST_EXPECT_MSG_EQ(channel->GetExpired(), 2, "expired");
    }
    {
        // Nothing ever passes: all in order, late.
        const auto channel = MakeChannel(all);
        Link link(channel);
        link.Send(0, 1000);
        const Journey& journey = link.Run()[0];
        NS_TEST_EXPECT_MSG_EQ(IsComplete(journey.came, 1000), true, "all come");
        NS_TEST_EXPECT_MSG_EQ(std::ranges::is_sorted(journey.came), true, "in order");
        NS_TEST_EXPECT_MSG_EQ(journey.arrived[999], journey.sent[999] + hold + DELAY, "late");
        NS_TEST_EXPECT_MSG_EQ(channel->GetExpired(), 1000, "expired");
    }
    // Holds of about as long as the displacements take: some are cut short, none is lost.
    for (const auto micros : {0, 5, 10, 55, 100, 200})
    {
        const auto channel = MakeChannel({.displacement = 8, .longestHold = MicroSeconds(micros)});
        Link link(channel);
        link.Send(0, 5000);
        const Journey& journey = link.Run()[0];
        NS_TEST_EXPECT_MSG_EQ(IsComplete(journey.came, 5000), true, micros << " us");
        const auto displacements = Displacements(journey.came);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(*std::ranges::max_element(displacements), 8, micros << " us");
        for (uint32_t packet = 0; packet < 5000; ++packet)
        {
            const Time under = journey.arrived[packet] - journey.sent[packet];
            NS_TEST_ASSERT_MSG_LT_OR_EQ(under, DELAY + MicroSeconds(micros), micros << " us");
        }
        NS_TEST_EXPECT_MSG_GT(channel->GetExpired(), 0, micros << " us");
    }
}

/** @brief Directions are independent, and jitter changes times, not the order. */
LFN_CASE(IndependenceTestCase)
{
    const uint32_t packets = 5000;
    const auto go = [&](Direction direction, std::vector<uint32_t> devices, bool hasJitter) {
        const auto channel =
            MakeChannel({.distribution = Distribution::UNIFORM, .direction = direction});
        if (hasJitter)
        {
            auto jitter = CreateObject<ExponentialRandomVariable>();
            jitter->SetAttribute("Mean", DoubleValue(0.001));
            channel->SetJitter(jitter);
            NS_TEST_EXPECT_MSG_EQ(channel->AssignStreams(STREAM), 4, "streams");
        }
        Link link(channel);
        for (const uint32_t device : devices)
        {
            link.Send(device, packets);
        }
        link.ChangeProbability(packets - 500, 0);
        return link.Run();
    };
    const auto forward = go(Direction::FORWARD, {0, 1}, false);
    const auto backward = go(Direction::BACKWARD, {0, 1}, false);
    const auto both = go(Direction::BOTH, {0, 1}, false);
    for (uint32_t device = 0; device < 2; ++device)
    {
        const auto& changed = (device == 0 ? forward : backward)[device];
        const auto& straight = (device == 0 ? backward : forward)[device];
        NS_TEST_EXPECT_MSG_EQ(IsComplete(changed.came, packets), true, "all come");
        NS_TEST_EXPECT_MSG_EQ(std::ranges::is_sorted(changed.came), false, "reordered");
        NS_TEST_EXPECT_MSG_EQ(straight.came.size(), packets, "all come");
        NS_TEST_EXPECT_MSG_EQ(std::ranges::is_sorted(straight.came), true, "in order");
        for (uint32_t packet = 0; packet < packets; ++packet)
        {
            NS_TEST_ASSERT_MSG_EQ(straight.arrived[packet],
                                  straight.sent[packet] + DELAY,
                                  "the fixed delay");
        }
        NS_TEST_EXPECT_MSG_EQ((both[device].arrived == changed.arrived),
                              true,
                              "both ways, each as alone");
        NS_TEST_EXPECT_MSG_EQ(
            (go(Direction::BOTH, {device}, false)[device].arrived == changed.arrived),
            true,
            "with any reverse traffic");
    }
    NS_TEST_EXPECT_MSG_EQ((both[0].came == both[1].came), false, "draws of their own");
    const auto jittered = go(Direction::BOTH, {0, 1}, true);
    for (uint32_t device = 0; device < 2; ++device)
    {
        NS_TEST_EXPECT_MSG_EQ((jittered[device].came == both[device].came),
                              true,
                              "jitter that keeps the order keeps this one");
        NS_TEST_EXPECT_MSG_EQ((jittered[device].arrived == both[device].arrived),
                              false,
                              "at other times");
    }
}

/** @brief The topology's attributes make the channel and the policer. */
LFN_CASE(TopologyTestCase)
{
    // Build a topology; check its channel, its policer and how many random streams it uses.
    const auto check =
        [&](const std::string& attributes, bool isReordering, bool isPolicing, int64_t streams) {
            const auto topology = Build("PointToPointTopology" + attributes);
            NS_TEST_ASSERT_MSG_EQ((topology != nullptr), true, attributes);
            NS_TEST_EXPECT_MSG_EQ(topology->AssignStreams(STREAM), streams, attributes);
            const auto& [sending, receiving] = topology->GetBottlenecks().at(0);
            const auto channel = DynamicCast<ReorderingChannel>(sending->GetChannel());
            NS_TEST_EXPECT_MSG_EQ((channel != nullptr), isReordering, attributes);
            if (channel)
            {
                EnumValue<Direction> direction;
                channel->GetAttribute("Direction", direction);
                NS_TEST_EXPECT_MSG_EQ((direction.Get() == Direction::FORWARD), true, attributes);
                NS_TEST_EXPECT_MSG_EQ(channel->GetDevice(0), sending, "the data's sender is first");
            }
            for (const auto& device : {sending, receiving})
            {
                PointerValue model;
                device->GetAttribute("ReceiveErrorModel", model);
                const auto policer = DynamicCast<Policer>(model.Get<ErrorModel>());
                NS_TEST_EXPECT_MSG_EQ((policer != nullptr),
                                      (isPolicing && device == receiving),
                                      attributes);
                if (policer)
                {
                    UintegerValue peakBurst;
                    policer->GetAttribute("PeakBurst", peakBurst);
                    NS_TEST_EXPECT_MSG_EQ(peakBurst.Get(), 1500, "the MTU");
                }
            }
            Simulator::Destroy();
        };
    check("", false, false, 0);
    check("[Jitter=1ms]", false, false, 2);
    check("[ReorderScript=3,7]", true, false, 4);
    check("[ReorderProbability=0.003]", true, false, 4);
    check(
        "[ReorderProbability=0.6|ReorderDistribution=Geometric|ReorderDisplacement=30|Jitter=1ms]",
        true,
        false,
        4);
    check("[ReorderProbability=0.001|ReorderClusterSize=5|ReorderClusterSpacing=9]",
          true,
          false,
          4);
    check("[PolicerRate=50Mbps|PolicerPeakRate=100Mbps]", false, true, 0);
}

const Suite g_suite("lfn-reordering", TestSuite::Type::UNIT, [](Suite& suite) {
    for (const auto distribution : {Distribution::FIXED, Distribution::UNIFORM})
    {
        for (const double probability : {0.0025, 0.1, 0.6, 0.95})
        {
            for (const uint32_t displacement : {1, 8, 30})
            {
                suite.Add(new PermutationTestCase(
                    "arrivals: the permutation that the draws ask for, to the nanosecond",
                    {.probability = probability,
                     .distribution = distribution,
                     .displacement = displacement}));
            }
        }
    }
    const auto addLaw = [&suite](const Settings& settings, const std::vector<double>& shares) {
        suite.Add(
            new LawTestCase("statistics: displacements, mean " + std::to_string(settings.mean),
                            settings,
                            shares));
    };
    std::vector<double> even(30, 1.0 / 30);
    addLaw({.distribution = Distribution::UNIFORM}, even);
    for (const double mean : {1.0, 2.0, 6.0, 1000.0})
    {
        // Power by power, not by the formula of the sum.
        std::vector<double> shares(30);
        double share = 1;
        double sum = 0;
        for (auto& value : shares)
        {
            value = share;
            sum += share;
            share *= 1 - 1 / mean;
        }
        for (auto& value : shares)
        {
            value /= sum;
        }
        addLaw({.distribution = Distribution::GEOMETRIC, .mean = mean}, shares);
    }
    suite.Add(new RareTestCase("statistics: one packet in 400 is late"));
    suite.Add(new ScriptTestCase("script: the packets that it names"));
    suite.Add(new ClusterTestCase("clusters: their size, their spacing and how often they begin"));
    suite.Add(new EarlyTestCase("early packets: the order that the draws make"));
    suite.Add(new LongestHoldTestCase("longest hold: packets go on when too few, or none, follow"));
    suite.Add(
        new IndependenceTestCase("independence: of the other direction's traffic, and of jitter"));
    suite.Add(new TopologyTestCase("topology: attributes of reordering and policing"));
});

} // namespace
