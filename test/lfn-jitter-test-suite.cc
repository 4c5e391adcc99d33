// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-link.h"
#include "lfn-test-topology.h"

#include "ns3/lfn-jitter-channel.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint32_t PACKETS = 10000;   //!< packets of the statistics
constexpr double STANDARD_ERRORS = 4; //!< half width of a band
constexpr int64_t STREAM = 77;        //!< stream of the first direction

/// A normal variable of seconds.
Ptr<NormalRandomVariable>
Normal(double mean, double deviation)
{
    auto variable = CreateObject<NormalRandomVariable>();
    variable->SetAttribute("Mean", DoubleValue(mean));
    variable->SetAttribute("Variance", DoubleValue(deviation * deviation));
    return variable;
}

/// A channel with streams from STREAM on.
Ptr<JitterChannel>
MakeChannel(Ptr<RandomVariableStream> jitter, bool keepOrder = true)
{
    auto channel = CreateObject<JitterChannel>();
    channel->SetAttribute("Jitter", PointerValue(jitter));
    channel->SetAttribute("KeepOrder", BooleanValue(keepOrder));
    channel->AssignStreams(STREAM);
    return channel;
}

/** @brief Mean and standard deviation of a sample. */
struct Moments
{
    /// Compute them.
    explicit Moments(const std::vector<double>& sample)
    {
        for (const double value : sample)
        {
            mean += value / static_cast<double>(sample.size());
        }
        double squares = 0;
        for (const double value : sample)
        {
            squares += (value - mean) * (value - mean);
        }
        deviation = std::sqrt(squares / static_cast<double>(sample.size() - 1));
    }

    double mean{0};      //!< the mean
    double deviation{0}; //!< the standard deviation
};

/// Half the band of a mean: four standard errors of PACKETS values.
double
MeanBand(double deviation)
{
    return STANDARD_ERRORS * deviation / std::sqrt(double{PACKETS});
}

/// The same of a standard deviation of normal values; a cut distribution has smaller errors.
double
DeviationBand(double deviation)
{
    return MeanBand(deviation) / std::sqrt(2.0);
}

/** @brief Packets far apart: the delays are the draws, and each direction has its own. */
LFN_CASE(DelayTestCase)
{
    const TestSimulation run(1);
    const double delay = 0.010;
    const double mean = 0.002;
    const double deviation = 0.0005;
    const Time interval = MilliSeconds(20);
    std::array<Journey, 2> both;
    {
        Link link(MakeChannel(Normal(mean, deviation)), Seconds(delay));
        link.Send(0, PACKETS, interval);
        link.Send(1, PACKETS, interval);
        both = link.Run();
    }
    for (const auto& journey : both)
    {
        NS_TEST_ASSERT_MSG_EQ(journey.came.size(), PACKETS, "all arrive");
        const Moments moments(journey.Delays());
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.mean, delay + mean, MeanBand(deviation), "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.deviation,
                                  deviation,
                                  DeviationBand(deviation),
                                  "standard deviation");
    }
    // Uncorrelated: the product of two deviations has the standard error 1 / sqrt(PACKETS).
    const auto there = both[0].Delays();
    const auto back = both[1].Delays();
    double correlation = 0;
    for (uint32_t i = 0; i < PACKETS; ++i)
    {
        correlation += (there[i] - delay - mean) * (back[i] - delay - mean);
    }
    correlation /= PACKETS * deviation * deviation;
    NS_TEST_EXPECT_MSG_EQ_TOL(correlation,
                              0,
                              STANDARD_ERRORS / std::sqrt(double{PACKETS}),
                              "the directions draw independently");

    for (uint32_t device = 0; device < 2; ++device)
    {
        Link link(MakeChannel(Normal(mean, deviation)), Seconds(delay));
        link.Send(device, PACKETS, interval);
        NS_TEST_EXPECT_MSG_EQ((link.Run()[device].arrived == both[device].arrived),
                              true,
                              "equal runs, equal times, with any reverse traffic");
    }
    RngSeedManager::SetRun(2);
    Link link(MakeChannel(Normal(mean, deviation)), Seconds(delay));
    link.Send(0, PACKETS, interval);
    NS_TEST_EXPECT_MSG_EQ((link.Run()[0].arrived == both[0].arrived),
                          false,
                          "another run, other times");
}

/** @brief Packets closer than the jitter: order kept or not, to the nanosecond. */
LFN_CASE(OrderTestCase)
{
    const TestSimulation run(1);
    for (const bool keepOrder : {true, false})
    {
        const Time delay = MilliSeconds(1);
        const uint32_t packets = 2000;
        // The deviation of 1 ms makes one draw in six shorter than nothing.
        Link link(MakeChannel(Normal(0, 0.001), keepOrder), delay);
        for (uint32_t device = 0; device < 2; ++device)
        {
            link.Send(device, packets, MicroSeconds(10));
        }
        const auto& journeys = link.Run();
        for (uint32_t device = 0; device < 2; ++device)
        {
            const auto& journey = journeys[device];
            NS_TEST_ASSERT_MSG_EQ(journey.came.size(), packets, "all arrive");
            NS_TEST_EXPECT_MSG_EQ(std::is_sorted(journey.came.begin(), journey.came.end()),
                                  keepOrder,
                                  "order");
            auto draws = Normal(0, 0.001);
            draws->SetStream(STREAM + device);
            Time last;
            uint32_t atOnce = 0;
            for (uint32_t i = 0; i < packets; ++i)
            {
                const Time under = std::max(Time(0), delay + Seconds(draws->GetValue()));
                atOnce += under.IsZero() ? 1 : 0;
                Time expected = journey.sent[i] + under;
                expected = keepOrder ? std::max(expected, last) : expected;
                last = expected;
                NS_TEST_ASSERT_MSG_EQ(journey.arrived[i], expected, "packet " << i);
            }
            NS_TEST_EXPECT_MSG_GT(atOnce, 0, "delays below nothing were drawn");
        }
    }
}

/** @brief The delay changes while packets are under way. */
LFN_CASE(StepTestCase)
{
    const TestSimulation run(1);
    // Ten a millisecond; the step falls between packets 499 and 500.
    const Time step = MicroSeconds(49950);
    const auto go = [&](Ptr<PointToPointChannel> channel, Time before, Time after) {
        Link link(channel, before);
        link.Send(0, 1000, MicroSeconds(100));
        link.ChangeDelay(step, after);
        return link.Run()[0];
    };
    const Time more = MilliSeconds(30);
    const Time less = MilliSeconds(5);
    const auto none = [](bool keepOrder) {
        auto channel = CreateObject<JitterChannel>();
        channel->SetAttribute("KeepOrder", BooleanValue(keepOrder));
        return channel;
    };

    // Without jitter and order it is ns-3's channel, whose packets overtake on a step down.
    const auto plain = go(CreateObject<PointToPointChannel>(), more, less);
    NS_TEST_ASSERT_MSG_EQ(plain.came.size(), 1000, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(std::is_sorted(plain.came.begin(), plain.came.end()),
                          false,
                          "ns-3's channel lets packets overtake");
    NS_TEST_EXPECT_MSG_EQ((go(none(false), more, less).arrived == plain.arrived),
                          true,
                          "without order as ns-3's channel");
    const auto up = go(CreateObject<PointToPointChannel>(), less, more);
    NS_TEST_EXPECT_MSG_EQ((go(none(true), less, more).arrived == up.arrived),
                          true,
                          "a step up as on ns-3's channel");

    const auto kept = go(none(true), more, less);
    NS_TEST_EXPECT_MSG_EQ(std::is_sorted(kept.came.begin(), kept.came.end()), true, "in order");
    for (uint32_t i = 0; i < 1000; ++i)
    {
        const Time own = kept.sent[i] + (i < 500 ? more : less);
        const Time expected = i < 500 ? own : std::max(own, kept.sent[499] + more);
        NS_TEST_ASSERT_MSG_EQ(kept.arrived[i], expected, "packet " << i);
    }
    const auto jittered = go(MakeChannel(Normal(0.003, 0.001)), more, less);
    NS_TEST_ASSERT_MSG_EQ(jittered.came.size(), 1000, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(std::is_sorted(jittered.came.begin(), jittered.came.end()),
                          true,
                          "in order with jitter");
}

/** @brief The variable of the second direction. */
LFN_CASE(VariableTestCase)
{
    const TestSimulation run(1);
    // Send three packets per second apart either way, the first device a bit earlier; extra delays
    // there and back are in ms.
    const auto checkTurns = [&](Ptr<RandomVariableStream> variable,
                                const std::vector<int64_t>& there,
                                const std::vector<int64_t>& back) {
        auto channel = CreateObject<JitterChannel>();
        channel->SetJitter(variable);
        Link link(channel, Time(0));
        for (uint32_t device = 0; device < 2; ++device)
        {
            link.Send(device, 3, Seconds(1));
        }
        const auto& journeys = link.Run();
        for (std::size_t i = 0; i < there.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(journeys[0].arrived.at(i) - journeys[0].sent.at(i),
                                  MilliSeconds(there[i]),
                                  "there, packet " << i);
        }
        for (std::size_t i = 0; i < back.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(journeys[1].arrived.at(i) - journeys[1].sent.at(i),
                                  MilliSeconds(back[i]),
                                  "back, packet " << i);
        }
    };
    // A copy counts for itself: 1, 2, 3 ms either way.
    auto counting = CreateObject<SequentialRandomVariable>();
    counting->SetAttribute("Min", DoubleValue(0.001));
    counting->SetAttribute("Max", DoubleValue(0.004));
    counting->SetAttribute("Increment", StringValue("ns3::ConstantRandomVariable[Constant=0.001]"));
    checkTurns(counting, {1, 2, 3}, {1, 2, 3});
    // Numbers that are no attributes: both directions draw from the same, turn by turn.
    auto listed = CreateObject<DeterministicRandomVariable>();
    listed->SetValueArray({0.001, 0.002, 0.003, 0.004, 0.005, 0.006});
    checkTurns(listed, {1, 3, 5}, {2, 4, 6});
    // Endless distributions: ten years are the limit.
    auto far = CreateObjectWithAttributes<ConstantRandomVariable>("Constant", DoubleValue(1e300));
    checkTurns(far, {315360000000, 315360000000, 315360000000}, {315360000000});
}

/** @brief A stream that was set stays, and the copy has the next one. */
LFN_CASE(StreamTestCase)
{
    const TestSimulation run(1);
    auto given = CreateObject<UniformRandomVariable>();
    given->SetStream(5);
    given->SetAntithetic(true);
    auto channel = CreateObject<JitterChannel>();
    NS_TEST_EXPECT_MSG_EQ(channel->GetJitter(), nullptr, "none by default");
    NS_TEST_EXPECT_MSG_EQ(channel->AssignStreams(1), 0, "none, no stream");
    channel->SetJitter(given);
    NS_TEST_EXPECT_MSG_EQ(channel->GetJitter(), given, "the variable itself");
    auto there = CreateObject<UniformRandomVariable>();
    there->SetStream(5);
    there->SetAntithetic(true);
    auto back = CreateObject<UniformRandomVariable>();
    back->SetStream(6);
    back->SetAntithetic(true);
    {
        Link link(channel, Time(0));
        link.Send(0, 1, Time(0));
        link.Send(1, 1, Time(0));
        const auto& journeys = link.Run();
        NS_TEST_EXPECT_MSG_EQ(journeys[0].arrived.at(0) - journeys[0].sent.at(0),
                              Seconds(there->GetValue()),
                              "stream 5");
        NS_TEST_EXPECT_MSG_EQ(journeys[1].arrived.at(0) - journeys[1].sent.at(0),
                              Seconds(back->GetValue()),
                              "stream 6");
    }
    NS_TEST_EXPECT_MSG_EQ(channel->AssignStreams(40), 2, "one a direction");
    NS_TEST_EXPECT_MSG_EQ(given->GetStream(), 40, "the first");
    const auto listed = CreateObject<DeterministicRandomVariable>();
    channel->SetJitter(listed);
    NS_TEST_EXPECT_MSG_EQ(channel->AssignStreams(50), 2, "as many for a shared one");
    NS_TEST_EXPECT_MSG_EQ(listed->GetStream(), 50, "the first");
}

/** @brief The topology's attribute. */
LFN_CASE(TopologyTestCase)
{
    const TestSimulation run(1);
    const double deviation = 0.005;
    const auto topology = Build("PointToPointTopology[Rtt=20ms|Jitter=5ms]");
    NS_TEST_EXPECT_MSG_EQ(topology->AssignStreams(STREAM), 2, "there and back");
    NS_TEST_EXPECT_MSG_EQ(topology->GetRtt(), MilliSeconds(20), "propagation only");

    // Datagrams 100 ms apart, answered: the mean draw is 15 ms, none above 30.
    const uint16_t port = 9;
    const auto type = UdpSocketFactory::GetTypeId();
    std::array<std::vector<Time>, 3> times; // sent, at the receiver, back
    auto receiver = Socket::CreateSocket(topology->GetReceivers().Get(0), type);
    receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    receiver->SetRecvCallback(Callback<void, Ptr<Socket>>([&](Ptr<Socket> socket) {
        Address from;
        const auto packet = socket->RecvFrom(from);
        times[1].push_back(Simulator::Now());
        socket->SendTo(packet, 0, from);
    }));
    auto sender = Socket::CreateSocket(topology->GetSenders().Get(0), type);
    sender->Bind();
    sender->Connect(InetSocketAddress(topology->GetReceiverAddress(), port));
    sender->SetRecvCallback(Callback<void, Ptr<Socket>>([&](Ptr<Socket> socket) {
        socket->Recv();
        times[2].push_back(Simulator::Now());
    }));
    for (uint32_t i = 0; i < PACKETS; ++i)
    {
        Simulator::Schedule(MilliSeconds(100) * i, [&times, sender] {
            times[0].push_back(Simulator::Now());
            sender->Send(Create<Packet>(97)); // 127 bytes a frame: 1016 ns at 1 Gb/s
        });
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(times[2].size(), PACKETS, "all come back");
    for (std::size_t way = 0; way < 2; ++way)
    {
        std::vector<double> extras;
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            const Time extra =
                times[way + 1][i] - times[way][i] - MilliSeconds(10) - NanoSeconds(1016);
            extras.push_back(extra.GetSeconds());
        }
        const auto [least, most] = std::minmax_element(extras.begin(), extras.end());
        NS_TEST_EXPECT_MSG_GT_OR_EQ(*least, 0, "never shorter than the delay");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(*most, 6 * deviation, "nor six deviations longer");
        const Moments moments(extras);
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.mean, 3 * deviation, MeanBand(deviation), "mean");
        // What the cut at three standard deviations leaves of a normal distribution.
        const double density = std::exp(-4.5) / std::sqrt(2 * M_PI);
        const double cut = std::sqrt(1 - 6 * density / std::erf(3 / std::sqrt(2.0)));
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.deviation,
                                  cut * deviation,
                                  DeviationBand(deviation),
                                  "standard deviation");
    }
    Finish(topology);

    const auto plain = Build("PointToPointTopology");
    NS_TEST_EXPECT_MSG_EQ(plain->AssignStreams(STREAM), 0, "no jitter, no stream");
    NS_TEST_EXPECT_MSG_EQ(plain->GetBottlenecks().front().first->GetChannel()->GetInstanceTypeId(),
                          PointToPointChannel::GetTypeId(),
                          "no jitter, ns-3's channel");
    Finish(plain);
}

const Suite g_suite("lfn-jitter", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new DelayTestCase(
        "delays of packets far apart: mean and deviation of the draw, both ways"));
    suite.Add(
        new OrderTestCase("close packets: arrivals equal the recurrence, in order or as drawn"));
    suite.Add(
        new StepTestCase("the delay changes in mid-run: later packets only, and no overtaking"));
    suite.Add(new VariableTestCase("variables: copied with their attributes, or shared, and none"));
    suite.Add(new StreamTestCase("the variable's stream stays, and the copy has the next one"));
    suite.Add(new TopologyTestCase(
        "PointToPointTopology::Jitter: never shorter than the delay, around three more"));
});

} // namespace
