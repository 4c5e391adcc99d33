// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-path.h"

#include "ns3/lfn-background-rows.h"
#include "ns3/lfn-size-laws.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-values.h"
#include "ns3/lfn-web-source.h"
#include "ns3/object-vector.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Get the largest distance of a sample from its law, over what it is below with 99.9 %.
double
KolmogorovSmirnov(std::vector<double> sample, const std::function<double(double)>& law)
{
    std::ranges::sort(sample);
    const auto n = static_cast<double>(sample.size());
    double distance = 0;
    for (std::size_t i = 0; i < sample.size(); ++i)
    {
        const double p = law(sample[i]);
        const auto below = static_cast<double>(i);
        distance = std::max({distance, std::abs(p - below / n), std::abs((below + 1) / n - p)});
    }
    return distance * std::sqrt(n) / 1.95;
}

/// Get the distribution function of a Pareto law that is cut off.
double
ParetoLaw(double x, double scale, double shape, double bound)
{
    const auto below = [&](double some) { return 1 - std::pow(scale / some, shape); };
    return below(x) / below(bound);
}

/// Get the distribution function of a log-normal law.
double
LogNormalLaw(double x, double mu, double sigma)
{
    return 0.5 * std::erfc((mu - std::log(x)) / sigma / std::sqrt(2.0));
}

/// What a source of short flows did.
struct WebRun
{
    std::vector<double> begins; ///< of flows, s
    std::vector<double> sizes;  ///< of flows, B
    double bytes{0};            ///< of all flows
    uint32_t completed{0};      ///< flows
    uint32_t failed{0};         ///< flows
    std::size_t mostSockets{0}; ///< that the sender had at once
    std::size_t leftSockets{0}; ///< that it had long after the last flow
    std::size_t leftActive{0};  ///< flows that have not ended by then
};

/// Count the TCP sockets of a node.
std::size_t
CountSockets(Ptr<Node> node)
{
    ObjectVectorValue sockets;
    node->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
    return sockets.GetN();
}

/// Send short flows for some seconds.
WebRun
SendFlows(const std::string& sizes, double interval, double seconds, bool isIpv6 = false)
{
    WebRun run;
    const TestSimulation simulation(1);
    TestPath path("1Gbps", MilliSeconds(2), isIpv6);
    const auto sink = CreateObject<TcpSink>();
    path.nodes.Get(1)->AddApplication(sink);
    const auto source = CreateObject<WebSource>();
    source->SetAttribute("Remote", AddressValue(path.GetRemote()));
    source->SetAttribute("Size", StringValue(sizes));
    source->SetAttribute(
        "Interval",
        StringValue("ns3::ExponentialRandomVariable[Mean=" + values::PrintNumber(interval) + "]"));
    source->SetAttribute("TimeWait", TimeValue(Seconds(1)));
    source->AssignStreams(5);
    source->SetStartTime(Seconds(3));
    source->SetStopTime(Seconds(3 + seconds));
    path.nodes.Get(0)->AddApplication(source);
    sink->TraceConnectWithoutContext("ConnectionEnded",
                                     MakeCallback(&WebSource::OnDelivered, source));
    ConnectTrace(source, "FlowStarted", [&](uint64_t bytes) {
        run.begins.push_back(Simulator::Now().GetSeconds() - 3);
        run.sizes.push_back(static_cast<double>(bytes));
        run.bytes += static_cast<double>(bytes);
        if (run.sizes.size() % 100 == 0)
        {
            run.mostSockets = std::max(run.mostSockets, CountSockets(path.nodes.Get(0)));
        }
    });
    ConnectTrace(source, "FlowEnded", [&](uint64_t, Time, bool isComplete) {
        (isComplete ? run.completed : run.failed)++;
    });
    Simulator::Schedule(Seconds(seconds + 20), [&] {
        run.leftSockets = CountSockets(path.nodes.Get(0)) + CountSockets(path.nodes.Get(1));
        run.leftActive = source->GetNActive();
    });
    TestSimulation::Run(Seconds(seconds + 21));
    return run;
}

/** @brief Means of the laws, and their inverses. */
LFN_CASE(SizeLawsTestCase)
{
    for (const double shape : {1.05, 1.2, 2.0, 5.0})
    {
        for (const double mean : {2e3, 30e3, 9e6})
        {
            const double scale = GetParetoScale(mean, shape, 10e6);
            NS_TEST_EXPECT_MSG_EQ_TOL(GetParetoMean(scale, shape, 10e6),
                                      mean,
                                      1e-9 * mean,
                                      "the inverse");
            // The mean is the integral of the tail.
            double sum = scale;
            const int steps = 200000;
            const double ratio = std::pow(10e6 / scale, 1.0 / steps);
            for (double x = scale; x < 10e6 * 0.999999; x *= ratio)
            {
                const double middle = x * std::sqrt(ratio);
                sum += (1 - ParetoLaw(middle, scale, shape, 10e6)) * x * (ratio - 1);
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(sum, mean, 1e-3 * mean, "the mean");
        }
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(std::exp(GetLogNormalMu(5000, 1.5) + 1.125), 5000, 1e-6, "the mean");
}

/** @brief Arrivals and sizes against their laws, and what they sum up to. */
LFN_CASE(LawsTestCase)
{
    const double interval = 0.001;
    const double seconds = 20;
    const double scale = GetParetoScale(3000, 1.5, 1e6);
    const auto pareto = SendFlows("ns3::ParetoRandomVariable[Scale=" + values::PrintNumber(scale) +
                                      "|Shape=1.5|Bound=1e6]",
                                  interval,
                                  seconds);
    NS_TEST_EXPECT_MSG_LT(
        KolmogorovSmirnov(pareto.sizes,
                          [=](double x) { return ParetoLaw(std::max(x, scale), scale, 1.5, 1e6); }),
        1,
        "sizes, Pareto");
    const double mu = GetLogNormalMu(3000, 0.5);
    const auto normal =
        SendFlows("ns3::LogNormalRandomVariable[Mu=" + values::PrintNumber(mu) + "|Sigma=0.5]",
                  interval,
                  seconds);
    NS_TEST_EXPECT_MSG_LT(
        KolmogorovSmirnov(normal.sizes, [=](double x) { return LogNormalLaw(x, mu, 0.5); }),
        1,
        "sizes, log-normal");
    NS_TEST_EXPECT_MSG_EQ_TOL(normal.bytes / seconds,
                              3000 / interval,
                              0.02 * 3000 / interval,
                              "offered load");
    NS_TEST_EXPECT_MSG_EQ((normal.begins == pareto.begins), true, "sizes do not move arrivals");
    std::vector<double> gaps;
    for (std::size_t i = 1; i < normal.begins.size(); ++i)
    {
        gaps.push_back(normal.begins[i] - normal.begins[i - 1]);
    }
    NS_TEST_EXPECT_MSG_LT(
        KolmogorovSmirnov(gaps, [=](double x) { return 1 - std::exp(-x / interval); }),
        1,
        "intervals");
}

/** @brief Twenty thousand flows: more than there are ports, and nothing is left of them. */
LFN_CASE_OF(ManyFlowsTestCase, bool isIpv6)
{
    const auto run = SendFlows("ns3::ConstantRandomVariable[Constant=500]", 0.0005, 10, isIpv6);
    NS_TEST_EXPECT_MSG_GT(run.sizes.size(), 19000, "flows");
    NS_TEST_EXPECT_MSG_EQ(run.failed, 0, "none fails");
    NS_TEST_EXPECT_MSG_GT(run.completed, run.sizes.size() - 100, "all but the last complete");
    NS_TEST_EXPECT_MSG_LT(run.mostSockets, 2500, "those of one second wait");
    NS_TEST_EXPECT_MSG_EQ(run.leftSockets, 1 + 1, "the listening ones are left");
    NS_TEST_EXPECT_MSG_EQ(run.leftActive, 0, "no flow is left");
}

/** @brief A sink that is not there: flows fail. */
LFN_CASE(RefusedTestCase)
{
    const TestSimulation simulation(1);
    TestPath path("10Mbps", MilliSeconds(2));
    const auto source = CreateObject<WebSource>();
    source->SetAttribute("Remote", AddressValue(path.GetRemote()));
    source->SetStartTime(Seconds(3));
    source->SetStopTime(Seconds(4));
    path.nodes.Get(0)->AddApplication(source);
    uint32_t begun = 0;
    uint32_t failed = 0;
    ConnectTrace(source, "FlowStarted", [&](uint64_t) { begun++; });
    ConnectTrace(source, "FlowEnded", [&](uint64_t, Time, bool isComplete) {
        failed += isComplete ? 0 : 1;
    });
    TestSimulation::Run(Seconds(10));
    NS_TEST_EXPECT_MSG_GT(begun, 3, "flows");
    NS_TEST_EXPECT_MSG_EQ(failed, begun, "each is refused");
}

/** @brief Rows by size, and their times. */
LFN_CASE(RowsTestCase)
{
    SizeClassRows rows("reverse");
    for (const uint64_t bytes : {9'999, 10'000, 99'999, 1'000'000})
    {
        rows.Begin(bytes);
    }
    rows.Complete(10'000, Seconds(1));
    rows.Complete(99'999, Seconds(3));
    const std::string text = PrintBackgroundRows(2, "web", rows.Get());
    NS_TEST_EXPECT_MSG_EQ(text,
                          "2,web,reverse,all,4,2,2,2,2.9,1119998,109999\n"
                          "2,web,reverse,0-10kB,1,0,,,,9999,0\n"
                          "2,web,reverse,10kB-100kB,2,2,2,2,2.9,109999,109999\n"
                          "2,web,reverse,100kB-1MB,0,0,,,,0,0\n"
                          "2,web,reverse,1MB-,1,0,,,,1000000,0\n",
                          "rows");
}

const Suite g_suite("lfn-background", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new SizeLawsTestCase("means of the sizes' laws, and the parameters from the means"));
    suite.Add(new LawsTestCase("arrivals and sizes pass Kolmogorov and Smirnov; load within 2 %"));
    suite.Add(new ManyFlowsTestCase("20000 flows: ports are free, sockets are freed", false));
    suite.Add(new ManyFlowsTestCase("the same over IPv6", true));
    suite.Add(new RefusedTestCase("flows that nobody accepts fail"));
    suite.Add(new RowsTestCase("flows are sorted by size, with mean and quantiles"));
});

} // namespace
