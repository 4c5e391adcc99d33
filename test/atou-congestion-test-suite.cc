// SPDX-License-Identifier: GPL-2.0-only

#include "atou-test-path.h"
#include "lfn-test-case.h"

#include "ns3/atou-epoch.h"
#include "ns3/atou-high-speed-table.h"
#include "ns3/atou-response.h"
#include "ns3/atou-slow-start.h"
#include "ns3/atou-vegas.h"
#include "ns3/tcp-highspeed.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// A path of 100 ms without a bottleneck.
AtouTestPath::Settings
Wide()
{
    AtouTestPath::Settings settings;
    settings.hostRate = 1e15;
    return settings;
}

/// RTTs until the window is at a size.
double
CountRtts(const std::string& words, double window)
{
    AtouTestPath path(Wide(), Options("thresh_init 0; rcvrwin 3000;" + words));
    double time = 0;
    path.watch = [&](const AtouTestPath& now) {
        time = time == 0 && now.Core().GetState().cwnd >= window ? now.Now() : time;
    };
    while (time == 0)
    {
        path.Run(Seconds(path.Now()) + MilliSeconds(100));
    }
    return time / 0.1;
}

/** @brief Slow start: initsegs, ssincr, limited (section 3.3, RFC 3742). */
LFN_CASE_FROM(AtouSlowStartTestCase, AtouTestCase)
{
    // After n RTTs the window is initsegs (1 + K)^n.
    for (const double step : {1.0, 2.0, 100.0})
    {
        const auto words = "ssincr " + std::to_string(step);
        const auto theory = std::log(1000) / std::log(1 + step);
        NS_TEST_EXPECT_MSG_EQ_TOL(CountRtts(words + "; initsegs 2", 2000),
                                  std::ceil(theory),
                                  0.01,
                                  "RTTs");
    }
    // Twice initsegs saves an RTT.
    const auto two = CountRtts("initsegs 2", 1024);
    NS_TEST_EXPECT_MSG_EQ_TOL(CountRtts("initsegs 4", 1024), (two - 1), 0.01, "one less");
    // Limited: log2(max) + (W - max) / (max / 2) RTTs from a window of 1.
    const auto limited = CountRtts("initsegs 1; max_ssthresh 100", 1600);
    const auto computed = std::log2(100) + 1500 / 50.0;
    NS_TEST_EXPECT_MSG_GT_OR_EQ(limited, computed, "RFC 3742: at most 50 per RTT");
    NS_TEST_EXPECT_MSG_LT(limited, 1.1 * computed, "a little less: cwnd grows within it");
    const AtouSlowStart rule(1, 100);
    NS_TEST_EXPECT_MSG_EQ(rule.Step(100), 1, "up to max_ssthresh");
    for (const double window : {101.0, 500.0, 5000.0})
    {
        // RFC 3742: K = int(cwnd / (0.5 max_ssthresh)), cwnd += int(MSS / K); ours is not cut.
        const auto k = std::floor(window / 50);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(rule.Step(window), 1 / k, "no faster");
        NS_TEST_EXPECT_MSG_GT(rule.Step(window), 1 / (k + 1), "no slower than one K more");
        NS_TEST_EXPECT_MSG_EQ_TOL(window * rule.Step(window), 50, 1e-9, "an RTT's");
    }
    // Slow start goes on up to and at ssthresh.
    AtouTestSender edge(Options("initsegs 10; rcvrwin 40; thresh_init 0.25"));
    edge.Ack(2);
    Same(edge.Windows(), "11 10", "at ssthresh: slow start");
    edge.Ack(3);
    NS_TEST_EXPECT_MSG_EQ_TOL(edge.core.GetState().cwnd, 11 + 1.0 / 11, 1e-9, "above: 1/cwnd");
}

/// The mean window under regular losses.
double
MeanWindow(double p)
{
    auto settings = Wide();
    settings.server.sack = true;
    AtouTestPath path(settings,
                      Options("rcvrwin 9000; thresh_init 0.001; floyd 1; sack 1; maxtime 0"));
    const auto every = static_cast<uint64_t>(1 / p);
    uint64_t count = 0;
    path.lose = [&](uint32_t) { return ++count % every == 0; };
    while (count < 3 * every) // settles
    {
        path.Run(Seconds(path.Now()) + MilliSeconds(100));
    }
    const auto before = path.Now();
    const auto already = count;
    while (count < 9 * every)
    {
        path.Run(Seconds(path.Now()) + MilliSeconds(100));
    }
    return static_cast<double>(count - already) / ((path.Now() - before) / 0.1);
}

LFN_CASE_FROM(AtouHighSpeedTestCase, AtouTestCase)
{
    uint32_t differ = 0;
    for (uint32_t window = 1; window <= 100000; ++window)
    {
        const auto& row = AtouHighSpeedTable::Find(window);
        differ += row.increment == TcpHighSpeed::TableLookupA(window) ? 0 : 1;
        const double coarse = TcpHighSpeed::TableLookupB(window);
        differ += std::abs(row.decrease - coarse) < 0.5 / 100 + 1.0 / 256 ? 0 : 1;
    }
    NS_TEST_EXPECT_MSG_EQ(differ, 0, "ns-3's table, its b rounded to 2 decimals");
    NS_TEST_EXPECT_MSG_EQ(AtouHighSpeedTable::Find(1e9).increment, 73, "beyond the table");
    NS_TEST_EXPECT_MSG_EQ(AtouHighSpeedTable::Find(38).increment, 1, "the last row of TCP");
    NS_TEST_EXPECT_MSG_EQ(AtouHighSpeedTable::Find(38.01).increment, 2, "first row not below");
    const std::vector<uint32_t> first{38, 118, 221, 347, 495, 663, 851, 1058, 1284, 1529};
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(AtouHighSpeedTable::GetRows()[i].window, first[i], "RFC 3649");
    }
    for (const auto& row : AtouHighSpeedTable::GetRows())
    {
        // a(w) = w^2 p(w) 2 b / (2 - b), p(w) = 0.078 / w^1.2; the RFC's program computes it
        // so.
        const double b = AtouHighSpeedTable::Decrease(row.window);
        const double a = 0.078 * std::pow(row.window, 0.8) * 2 * b / (2 - b);
        NS_TEST_EXPECT_MSG_EQ_TOL(a, row.increment, 0.02 * row.increment + 0.05, row.window);
    }
    // The page: 123 -> 73 and 175 -> 103.
    const auto left = [](double window) {
        return static_cast<uint32_t>(window * (1 - AtouHighSpeedTable::Find(window).decrease));
    };
    NS_TEST_EXPECT_MSG_EQ(left(123), 73, "104/256");
    NS_TEST_EXPECT_MSG_EQ(left(175), 103, "104/256");
    NS_TEST_EXPECT_MSG_EQ_TOL(MeanWindow(1e-4) / (0.12 / std::pow(1e-4, 0.835)),
                              1,
                              0.1,
                              "the response function");
    // Near 38 segments the rows are coarse: a(118) = 2 holds from 39 on. The sawtooth with a
    // row's a and b: a peak W with b W / a RTTs of (1 - b / 2) W make 1 / p.
    const double b = 112 / 256.0;
    NS_TEST_EXPECT_MSG_EQ_TOL(MeanWindow(1e-3) / std::sqrt(2 * (1 - b / 2) / (b * 1e-3)),
                              1,
                              0.1,
                              "the second row's sawtooth");
}

/** @brief Parameters change in congestion avoidance and at cuts. */
LFN_CASE_FROM(AtouLookupsTestCase, AtouTestCase)
{
    AtouResponse response({1, 0.5, true, 0});
    NS_TEST_EXPECT_MSG_EQ(response.GetRow(), 1, "the first one");
    NS_TEST_EXPECT_MSG_EQ(response.LookUp(38), false, "still it");
    NS_TEST_EXPECT_MSG_EQ(response.GetMultiplier(), 0.5, "the configured one");
    NS_TEST_EXPECT_MSG_EQ(response.LookUp(200), true, "new");
    NS_TEST_EXPECT_MSG_EQ(response.LookUp(130), false, "the same row");
    NS_TEST_EXPECT_MSG_EQ(response.GetIncrement(), 3, "118 to 221");
    NS_TEST_EXPECT_MSG_EQ_TOL(response.GetMultiplier(), 1 - 104.0 / 256, 1e-12, "its b");
    NS_TEST_EXPECT_MSG_EQ(response.LookUp(118), false, "both edges belong to it");
    NS_TEST_EXPECT_MSG_EQ(response.LookUp(117.9), true, "left downwards");
    NS_TEST_EXPECT_MSG_EQ(response.GetRow(), 2, "38 to 118");
    NS_TEST_EXPECT_MSG_EQ(response.LookUp(1e9), true, "beyond the table");
    NS_TEST_EXPECT_MSG_EQ(response.GetIncrement(), 73, "its last row");
    const auto options = Options("rcvrwin 300; floyd 1; initsegs 200");
    AtouNativeCongestion control(*options);
    AtouState state;
    state.cwnd = 200;
    control.CutOnTimeout(state);
    NS_TEST_EXPECT_MSG_EQ(state.ssthresh, 200, "initsegs is its floor");
    const auto small = Options("rcvrwin 300; floyd 1");
    AtouNativeCongestion first(*small);
    state.cwnd = 200;
    first.CutOnTimeout(state);
    NS_TEST_EXPECT_MSG_EQ(state.ssthresh, 118, "200 (1 - 104/256): looked up at a timeout, too");
}

/// RTTs from a cut until a window has its size again.
double
Recovery(const std::string& words, double window)
{
    const auto options = Options("rcvrwin 1000000;" + words);
    AtouNativeCongestion control(*options);
    AtouState state;
    state.cwnd = window;
    state.ssthresh = 10;
    control.CutOnLoss(state);
    state.ssthresh -= 1; // past the step of slow start at ssthresh
    double trips = 0;
    while (state.cwnd < window)
    {
        const auto acks = std::floor(state.cwnd);
        for (double i = 0; i < acks && state.cwnd < window; ++i)
        {
            control.Grow(state, 1, {});
            trips += 1 / acks;
        }
    }
    return trips;
}

/** @brief AIMD and Scalable TCP in congestion avoidance and after a loss. */
LFN_CASE_FROM(AtouAvoidanceTestCase, AtouTestCase)
{
    const auto kelly = std::log(1 / 0.875) / std::log(1.01);
    NS_TEST_EXPECT_MSG_EQ_TOL(kelly, 13.4, 0.05, "the paper's number");
    for (const double window : {500.0, 1500.0, 5000.0, 20000.0})
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Recovery("kai 0.01; multiplier 0.875", window),
                                  kelly,
                                  0.2,
                                  "from " << window);
    }
    for (const double window : {200.0, 800.0})
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Recovery("", window),
                                  window / 2,
                                  0.01 * window,
                                  "half a window, one per RTT");
        NS_TEST_EXPECT_MSG_EQ_TOL(Recovery("increment 10; multiplier 0.9", window),
                                  window / 100,
                                  0.02 * window / 100 + 1,
                                  "a tenth, ten per RTT");
    }
    const AtouResponse scalable({1, 0.5, false, 0.01});
    NS_TEST_EXPECT_MSG_EQ(scalable.Step(50, 1), 0.02, "below increment / kai: ordinary TCP");
    NS_TEST_EXPECT_MSG_EQ(scalable.Step(200, 1), 0.01, "above: Scalable");
    NS_TEST_EXPECT_MSG_EQ(scalable.Step(200, -1), 0.01, "it overrides Vegas");
    // Floors.
    const auto options = Options("initsegs 8; rcvrwin 300");
    AtouNativeCongestion control(*options);
    AtouState state;
    state.cwnd = 10;
    control.CutOnLoss(state);
    NS_TEST_EXPECT_MSG_EQ(state.cwnd, 8, "initsegs");
    NS_TEST_EXPECT_MSG_EQ(state.ssthresh, 8, "initsegs");
    state.cwnd = 25;
    control.CutOnLoss(state);
    NS_TEST_EXPECT_MSG_EQ(state.cwnd, 12.5, "real");
    NS_TEST_EXPECT_MSG_EQ(state.ssthresh, 12, "whole");
}

using Kind = AtouOptions::VegasRtt;
using Exit = AtouOptions::VegasExit;

/// An epoch of 10 segments from 1 on, with RTTs of 100, 140 and 120 ms.
AtouVegas
AfterEpoch(AtouVegas::Settings settings)
{
    AtouVegas vegas(settings);
    AtouState state;
    state.nxt = 11;
    state.max = 11;
    AtouEpoch epoch;
    epoch.Begin(1);
    const auto take = [&](uint32_t next, int64_t ms) {
        epoch.OnRtt(MilliSeconds(ms));
        if (epoch.IsEndedBy(next))
        {
            vegas.OnEpoch(state, epoch);
            epoch.Continue(state.nxt);
        }
    };
    take(2, 80); // ends the first epoch, from 1 on: the next one begins at 11
    state.una = 2;
    take(6, 100);
    state.una = 6;
    take(11, 140);
    state.una = 11;
    state.nxt = 31; // 20 were sent since
    take(12, 120);
    return vegas;
}

/** @brief Vegas: delta for every kind of round-trip time, exits, steering (section 3.7). */
LFN_CASE_FROM(AtouVegasTestCase, AtouTestCase)
{
    // delta = flight - sent minrtt / R = 20 - 20 * 80 / R.
    const std::vector<std::pair<Kind, double>> kinds{{Kind::LAST, 120},
                                                     {Kind::MIN, 100},
                                                     {Kind::AVERAGE, 120},
                                                     {Kind::MAX, 140}};
    for (const auto& [kind, rtt] : kinds)
    {
        const auto vegas = AfterEpoch({kind, 1, 3, 1, Exit::EIGHTH});
        NS_TEST_EXPECT_MSG_EQ_TOL(vegas.GetDelta(), 20 - 20 * 80 / rtt, 1e-9, "by hand");
        NS_TEST_EXPECT_MSG_EQ_TOL(vegas.GetRtt(), rtt / 1000, 1e-9, "R");
    }
    const auto off = AfterEpoch({Kind::OFF, 1, 3, 1, Exit::EIGHTH});
    NS_TEST_EXPECT_MSG_EQ_TOL(off.GetDelta(), 20 - 20 * 80 / 120.0, 1e-9, "reported all the same");
    NS_TEST_EXPECT_MSG_EQ(off.HasLeftSlowStart({}), false, "and not used");
}

/** @brief What happens in slow start with delta 20 - 1600 / 140 = 8.571. */
LFN_CASE_FROM(AtouVegasExitsTestCase, AtouTestCase)
{
    const double delta = 20 - 1600 / 140.0;
    for (const auto& [exit, cwnd, ssthresh] :
         std::vector<std::tuple<Exit, double, uint32_t>>{{Exit::EIGHTH, 35, 2},
                                                         {Exit::LIMITED, 40 + 50 / 40.0, 100},
                                                         {Exit::DELTA, 40 - delta, 2}})
    {
        auto vegas = AfterEpoch({Kind::MAX, 1, 3, 1, exit});
        NS_TEST_EXPECT_MSG_EQ(vegas.HasLeftSlowStart({}), true, "delta is above gamma");
        AtouState state;
        state.cwnd = 40;
        state.ssthresh = 100;
        vegas.SlowStart(state);
        NS_TEST_EXPECT_MSG_EQ_TOL(state.cwnd, cwnd, 1e-9, "cwnd");
        NS_TEST_EXPECT_MSG_EQ(state.ssthresh, ssthresh, "ssthresh");
        const bool isOut = exit != Exit::LIMITED;
        NS_TEST_EXPECT_MSG_EQ(state.isMeasured, !isOut, "until the next ACK");
        NS_TEST_EXPECT_MSG_EQ(vegas.HasLeftSlowStart(state), !isOut, "once");
        if (!isOut)
        {
            vegas.SlowStart(state);
        }
        NS_TEST_EXPECT_MSG_EQ(vegas.GetSlowStarts(), 1, "counted once");
        NS_TEST_EXPECT_MSG_EQ(vegas.Steer(state, 1), (isOut ? 1 : -1), "not measured, or steered");
        vegas.Resume();
        state.isMeasured = true;
        NS_TEST_EXPECT_MSG_EQ(vegas.Steer(state, 1), -1, "with the delta that there was");
    }
    const auto high = AfterEpoch({Kind::MAX, 1, 3, 9, Exit::EIGHTH});
    NS_TEST_EXPECT_MSG_EQ(high.HasLeftSlowStart({}), false, "gamma is 9");
}

/** @brief Growth, none, or less. */
LFN_CASE_FROM(AtouVegasSteeringTestCase, AtouTestCase)
{
    const auto steer = [this](double alpha, double beta) {
        auto vegas = AfterEpoch({Kind::MAX, alpha, beta, 1, Exit::EIGHTH});
        const auto step = vegas.Steer({}, 5);
        NS_TEST_EXPECT_MSG_EQ(vegas.GetHolds(), (step == 0 ? 1 : 0), "v0");
        NS_TEST_EXPECT_MSG_EQ(vegas.GetDecreases(), (step < 0 ? 1 : 0), "vdecr");
        return step;
    };
    NS_TEST_EXPECT_MSG_EQ(steer(9, 12), 5, "below alpha");
    NS_TEST_EXPECT_MSG_EQ(steer(8, 12), 0, "between");
    NS_TEST_EXPECT_MSG_EQ(steer(1, 3), -5, "above beta");
}

/** @brief Off until recovery ends; gamma works before the first loss only. */
LFN_CASE_FROM(AtouVegasLossesTestCase, AtouTestCase)
{
    auto vegas = AfterEpoch({Kind::MAX, 1, 3, 1, Exit::EIGHTH});
    AtouState lost;
    lost.isMeasured = false;
    NS_TEST_EXPECT_MSG_EQ(vegas.Steer(lost, 5), 5, "off");
    NS_TEST_EXPECT_MSG_EQ(vegas.HasLeftSlowStart(lost), false, "off");
    vegas.Resume();
    NS_TEST_EXPECT_MSG_EQ(vegas.Steer({}, 5), -5, "on again");
    NS_TEST_EXPECT_MSG_EQ(vegas.HasLeftSlowStart({}), false, "no first slow start any more");
}

/** @brief On a path it settles between alpha and beta, without a loss; the counters show it. */
LFN_CASE_FROM(AtouVegasPathTestCase, AtouTestCase)
{
    AtouTestPath::Settings settings;
    settings.rate = 12e6; // 100 segments per RTT
    AtouTestPath path(settings, Options("rcvrwin 400; vegas 4; valpha 4; vbeta 8; maxtime 40"));
    path.Run(Seconds(39));
    const auto& state = path.Core().GetState();
    const auto& counters = path.Core().GetStatistics();
    NS_TEST_EXPECT_MSG_EQ_TOL(path.Core().GetCongestion().GetDelta(), 6, 3, "alpha to beta");
    NS_TEST_EXPECT_MSG_EQ_TOL(state.cwnd, 107, 5, "the path and delta");
    NS_TEST_EXPECT_MSG_EQ(counters.vssCount, 1, "one exit");
    NS_TEST_EXPECT_MSG_GT(counters.maxDelta, 1, "above gamma");
    NS_TEST_EXPECT_MSG_EQ(path.Sender().log.size(), 2, "reported once, and CAexit");
    NS_TEST_EXPECT_MSG_GT(counters.bwerttMax, 5, "Mb/s");
}

/** @brief atou's own congestion control: slow start, AIMD, HighSpeed, Scalable, Vegas. */
const Suite g_suite("lfn-atou-congestion", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new AtouSlowStartTestCase(
        "slow start: (1 + K)^n windows, initsegs, limited slow start's formula"));
    suite.Add(new AtouHighSpeedTestCase(
        "HighSpeed TCP: table, formulas, response function 0.12 over p^0.835"));
    suite.Add(new AtouLookupsTestCase("HighSpeed TCP: when the parameters change"));
    suite.Add(new AtouAvoidanceTestCase(
        "congestion avoidance: increment, Kelly's 13.4 RTTs at any window"));
    suite.Add(new AtouVegasTestCase("Vegas: delta by hand"));
    suite.Add(new AtouVegasExitsTestCase("Vegas: three ways out of slow start"));
    suite.Add(new AtouVegasSteeringTestCase("Vegas: alpha and beta"));
    suite.Add(new AtouVegasLossesTestCase("Vegas: off until a recovery ends"));
    suite.Add(new AtouVegasPathTestCase("Vegas: on a path between alpha and beta"));
});

} // namespace
