// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/udt-blast-control.h"
#include "ns3/udt-estimates.h"
#include "ns3/udt-hash.h"
#include "ns3/udt-loss-list.h"
#include "ns3/udt-loss-reports.h"
#include "ns3/udt-native-control.h"
#include "ns3/udt-receiver-core.h"
#include "ns3/udt-sender-core.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Intervals of one length: how many, us. */
using Runs = std::vector<std::pair<uint32_t, int64_t>>;

/** @brief The round-trip time (V3). */
LFN_CASE(RttCase)
{
    UdtRttEstimator rtt;
    NS_TEST_EXPECT_MSG_EQ(rtt.GetRtt(), 100000, "start");
    NS_TEST_EXPECT_MSG_EQ(rtt.GetVariation(), 50000, "start");
    rtt.OnSample(20048);
    NS_TEST_EXPECT_MSG_EQ(rtt.GetRtt(), 90006, "first");
    NS_TEST_EXPECT_MSG_EQ(rtt.GetVariation(), 57488, "first");
    rtt.OnSample(20048);
    NS_TEST_EXPECT_MSG_EQ(rtt.GetRtt(), 81261, "second");
    NS_TEST_EXPECT_MSG_EQ(rtt.GetVariation(), 60605, "second");
    NS_TEST_EXPECT_MSG_EQ(rtt.GetTimeout(), MicroSeconds(81261 + 4 * 60605), "RTT + 4 RTTVar");
    rtt.OnSample(UINT32_MAX);
    NS_TEST_EXPECT_MSG_EQ(rtt.GetRtt(), (7 * 81261 + 10000000) / 8, "10 s at most");
}

/** @brief The arrival rate (V5). */
LFN_CASE(ArrivalRateCase)
{
    const auto measure = [](const Runs& runs) {
        UdtArrivalRate rate(16, UdtFilter::UDT4, MicroSeconds(1));
        Time now = Seconds(1);
        rate.OnPacket(now);
        for (const auto& [count, us] : runs)
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                now += MicroSeconds(us);
                rate.OnPacket(now);
            }
        }
        return rate.GetRate();
    };
    NS_TEST_EXPECT_MSG_EQ(measure({{16, 120}}), 8334, "all alike");
    NS_TEST_EXPECT_MSG_EQ(measure({{9, 120}, {7, 1000000}}), 8334, "nine");
    NS_TEST_EXPECT_MSG_EQ(measure({{7, 1000000}, {9, 120}}), 0, "UDT4's median");
    NS_TEST_EXPECT_MSG_EQ(measure({{8, 120}, {8, 1000000}}), 0, "eight");
    NS_TEST_EXPECT_MSG_EQ(measure({{10, 120}, {6, 2000}}), 8334, "outliers");
    Runs twelve;
    Runs one;
    for (uint32_t i = 0; i < 8; ++i)
    {
        twelve.insert(twelve.end(), {{1, 12}, {1, 13}});
        one.insert(one.end(), {{1, 1}, {1, 2}});
    }
    NS_TEST_EXPECT_MSG_EQ(measure(twelve), 83334, "12 and 13");
    NS_TEST_EXPECT_MSG_EQ(measure(one), 1000000, "1 and 2");
    NS_TEST_EXPECT_MSG_EQ(measure({{9, 0}, {7, 12}}), 0, "a clock too coarse");
}

/** @brief The capacity (V6). */
LFN_CASE(CapacityCase)
{
    const auto measure = [](const Runs& runs) {
        UdtCapacity capacity(64, UdtFilter::UDT4, MicroSeconds(1));
        Time now = Seconds(1);
        uint32_t sequence = 160;
        for (const auto& [count, us] : runs)
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                capacity.OnPacket({sequence}, now);
                capacity.OnPacket({sequence + 1}, now + MicroSeconds(us));
                capacity.OnPacket({sequence + 2}, now + MicroSeconds(2 * us));
                sequence += 16;
                now += MilliSeconds(10);
            }
        }
        return capacity.GetRate();
    };
    NS_TEST_EXPECT_MSG_EQ(measure({}), 1000, "start");
    NS_TEST_EXPECT_MSG_EQ(measure({{33, 120}, {31, 1000}}), 8334, "33");
    NS_TEST_EXPECT_MSG_EQ(measure({{32, 120}, {32, 1000}}), 1000, "32");
    NS_TEST_EXPECT_MSG_EQ(measure({{32, 12}, {32, 13}}), 79951, "12 and 13");
    NS_TEST_EXPECT_MSG_EQ(measure({{64, 0}}), 0, "a clock too coarse");
    UdtCapacity exact(64, UdtFilter::EXACT, Time(0));
    for (uint32_t i = 0; i < 64; ++i)
    {
        exact.OnPacket({16 * i}, MilliSeconds(i));
        exact.OnPacket({16 * i + 1}, MilliSeconds(i) + NanoSeconds(120));
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(exact.GetRate(), 8333334, 1, "an exact clock");
}

/** @brief Outstanding acknowledgements. */
LFN_CASE(AckWindowCase)
{
    UdtAckWindow window;
    for (int64_t i = 0; i < 1030; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(window.Add(10 * i, MicroSeconds(i)), i + 1, "from 1 on");
    }
    NS_TEST_EXPECT_MSG_EQ(window.OnAnswer(6, Seconds(1)).has_value(), false, "1024 at most");
    NS_TEST_EXPECT_MSG_EQ(window.OnAnswer(1031, Seconds(1)).has_value(), false, "never sent");
    const auto answer = window.OnAnswer(9, MicroSeconds(20008));
    NS_TEST_EXPECT_MSG_EQ(answer->next, 80, "what it expected");
    NS_TEST_EXPECT_MSG_EQ(answer->rttUs, 20000, "how long");
    NS_TEST_EXPECT_MSG_EQ(window.OnAnswer(8, Seconds(1)).has_value(), false, "forgotten");
    NS_TEST_EXPECT_MSG_EQ(window.OnAnswer(10, Seconds(1)).has_value(), true, "not forgotten");
}

/** @brief The hash (V10). */
LFN_CASE(HashCase)
{
    const std::vector<std::pair<uint32_t, uint32_t>> known{{1, 1804289383},
                                                           {100, 677741240},
                                                           {1000000, 1484542426},
                                                           {123456789, 1965102536},
                                                           {2147483647, 1065668062},
                                                           {0, 1804289383}};
    for (const auto& [seed, value] : known)
    {
        NS_TEST_EXPECT_MSG_EQ(UdtHash(seed), value, "seed " << seed);
    }
}

/** @brief The loss list against a set of numbers. */
LFN_CASE(LossListCase)
{
    std::mt19937 random(1);
    UdtLossList list;
    std::set<int64_t> model;
    for (uint32_t step = 0; step < 20000; ++step)
    {
        const int64_t at = random() % 200;
        switch (random() % 16)
        {
        case 0: {
            const int64_t last = at + random() % 12;
            list.Add(at, last);
            for (int64_t i = at; i <= last; ++i)
            {
                model.insert(i);
            }
            break;
        }
        case 1:
            list.RemoveBefore(at / 4);
            model.erase(model.begin(), model.lower_bound(at / 4));
            break;
        default:
            NS_TEST_ASSERT_MSG_EQ(list.Remove(at), (model.erase(at) > 0), "step " << step);
        }
        NS_TEST_ASSERT_MSG_EQ(list.GetSize(), static_cast<int64_t>(model.size()), "step " << step);
        NS_TEST_ASSERT_MSG_EQ(list.GetFirst().value_or(-1),
                              (model.empty() ? -1 : *model.begin()),
                              "step " << step);
        int64_t behind = -2;
        for (const auto& [first, last] : list.GetIntervals())
        {
            NS_TEST_ASSERT_MSG_EQ((first > behind + 1 && last >= first), true, "step " << step);
            behind = last;
        }
    }
    list.Clear();
    NS_TEST_EXPECT_MSG_EQ(list.GetSize(), 0, "empty");
}

/** @brief Slow start (V4), and its ends (UDT-43). */
LFN_CASE(SlowStartCase)
{
    UdtNativeControl control{UdtNativeControl::Settings()};
    UdtPathState path;
    path.arrivalRate = 8000;
    int64_t next = 0;
    Time now = Seconds(1);
    const std::vector<std::pair<int64_t, double>> steps{{1, 19}, {15, 35}, {4, 40}, {17, 58}};
    NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 16, "start");
    for (const auto& [packets, window] : steps)
    {
        next += packets;
        control.OnAck(now, next, path);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), window, "after " << next);
        control.OnAck(now + MicroSeconds(9999), next + 1, path);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), window, "once per SYN");
        now += MilliSeconds(10);
    }
    NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), 1, "no pacing yet");
    control.OnTimeout(path);
    NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), 125, "1 / R");
    UdtNativeControl window{UdtNativeControl::Settings()};
    path.peerWindow = 20;
    window.OnAck(now, 10, path);
    NS_TEST_EXPECT_MSG_LT(window.GetPeriod(), 125, "the window is full: rate and one increase");
    NS_TEST_EXPECT_MSG_GT(window.GetPeriod(), 124, "the window is full: rate and one increase");
    UdtNativeControl::Settings settings;
    settings.slowStartEnd = UdtNativeControl::SlowStartEnd::FIRST_ACK;
    UdtNativeControl first(settings);
    path.peerWindow = 8192;
    first.OnAck(now, 10, path);
    NS_TEST_EXPECT_MSG_GT(first.GetPeriod(), 100, "the first acknowledgement");
}

/** @brief The increase (V7). */
LFN_CASE(IncreaseCase)
{
    const std::vector<std::pair<int64_t, double>>
        known{{-5, 0.01}, {833, 0.01}, {834, 0.1}, {8333, 0.1}, {8334, 1}, {83333, 1}, {83334, 10}};
    for (const auto& [free, increase] : known)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(UdtNativeControl::GetIncrease(free, 1500, 0.01),
                                  increase,
                                  1e-12,
                                  free << " packets/s");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(UdtNativeControl::GetIncrease(4, 1500, 1.0 / 1500),
                              0.000667,
                              1e-6,
                              4);
    NS_TEST_EXPECT_MSG_EQ_TOL(UdtNativeControl::GetIncrease(41, 1500, 1.0 / 1500), 0.001, 1e-9, 41);
}

/**
 * @brief Make a control that has left slow start.
 * @param settings what was set, with SYN of 10 ms
 * @param periodUs P, at least 10 us
 * @return the control
 */
UdtNativeControl
MakeControl(const UdtNativeControl::Settings& settings, double periodUs)
{
    constexpr double WINDOW = 1000;
    UdtNativeControl control(settings);
    UdtPathState path;
    path.arrivalRate = 0;
    path.rttUs = static_cast<uint32_t>(std::lround(periodUs * WINDOW)) - 10000;
    control.OnAck(Seconds(1), 982, path); // W = 16 + 982 + 1 + 1
    control.OnTimeout(path);              // P = T / W
    return control;
}

/** @brief Decreases (V8). */
LFN_CASE(DecreaseCase)
{
    using Periods = std::vector<double>;
    UdtPathState path;
    for (const auto& [start, periods] : {std::pair<double, Periods>{120, {135, 152, 171, 193, 218}},
                                         std::pair<double, Periods>{12, {14, 16, 18, 21, 24}}})
    {
        auto control = MakeControl(UdtNativeControl::Settings(), start);
        NS_TEST_ASSERT_MSG_EQ(control.GetPeriod(), start, "start");
        for (const double period : periods)
        {
            path.largestSent += 100;
            control.OnLoss(path.largestSent, path); // a new period each time
            NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), period, "whole microseconds");
        }
    }
    UdtNativeControl::Settings settings;
    settings.periodGranularity = Time(0);
    auto exact = MakeControl(settings, 120);
    for (const double period : {135.0, 151.875})
    {
        path.largestSent += 100;
        exact.OnLoss(path.largestSent, path);
        NS_TEST_EXPECT_MSG_EQ(exact.GetPeriod(), period, "no rounding");
    }
    // Seven NAKs of packets that are 10 apart, 200 packets before the largest one: one period.
    path.largestSent = 1000;
    auto seven = MakeControl(UdtNativeControl::Settings(), 130.98);
    NS_TEST_ASSERT_MSG_EQ_TOL(seven.GetPeriod(), 130.98, 1e-9, "start");
    int64_t lost = 800;
    for (const double period : {148, 167, 188, 212, 239, 239, 239})
    {
        seven.OnLoss(lost, path);
        lost += 10;
        path.largestSent += 10;
        NS_TEST_EXPECT_MSG_EQ(seven.GetPeriod(), period, "five at most");
    }
    settings.decreaseOnFirst = false;
    settings.freeze = true;
    auto udt3 = MakeControl(settings, 120);
    path.largestSent = 2000;
    NS_TEST_EXPECT_MSG_EQ(udt3.OnLoss(1990, path), MilliSeconds(10), "pauses");
    NS_TEST_EXPECT_MSG_EQ(udt3.GetPeriod(), 120, "and does not decrease");
    NS_TEST_EXPECT_MSG_EQ(udt3.OnLoss(1991, path), Time(0), "the second report");
    NS_TEST_EXPECT_MSG_EQ(udt3.GetPeriod(), 135, "decreases");
}

/** @brief The reverse path to the rate before (V9). */
LFN_CASE(RecoveryCase)
{
    auto control = MakeControl(UdtNativeControl::Settings(), 120);
    UdtPathState path;
    path.capacity = 8333;
    path.arrivalRate = 8333;
    path.largestSent = 100;
    control.OnLoss(100, path);
    NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), 135, "120 times 1.125");
    Time now = Seconds(2);
    control.OnAck(now, 1, path);
    NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), 135, "no increase after a NAK");
    NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 8333 * 0.11 + 16, "R T + 16");
    const std::vector<std::pair<int64_t, double>> steps{{925, 134.818},
                                                        {915, 134.636},
                                                        {905, 134.455},
                                                        {895, 134.275}};
    for (const auto& [free, period] : steps)
    {
        NS_TEST_EXPECT_MSG_EQ(UdtNativeControl::GetFreeCapacity(8333, control.GetPeriod(), true),
                              free,
                              "B");
        now += MilliSeconds(10);
        control.OnAck(now, 1, path);
        NS_TEST_EXPECT_MSG_EQ_TOL(control.GetPeriod(), period, 5e-4, "P");
    }
    NS_TEST_EXPECT_MSG_EQ(UdtNativeControl::GetFreeCapacity(8333, 240, true), 925, "a ninth");
    NS_TEST_EXPECT_MSG_EQ(UdtNativeControl::GetFreeCapacity(8333, 240, false), 4166, "all");
    NS_TEST_EXPECT_MSG_EQ(UdtNativeControl::GetFreeCapacity(8333, 100, true), -1667, "too fast");
}

/** @brief The average number of NAKs per period (V11), and how a control counts them. */
LFN_CASE(AverageNaksCase)
{
    const std::vector<std::pair<uint32_t, uint32_t>> periods{{1, 1},
                                                             {3, 2},
                                                             {8, 3},
                                                             {20, 6},
                                                             {20, 8},
                                                             {20, 10}};
    uint32_t before = 0;
    for (const auto& [naks, average] : periods)
    {
        before = UdtNativeControl::UpdateAverageNaks(before, naks);
        NS_TEST_EXPECT_MSG_EQ(before, average, naks << " NAKs");
    }
    // A period counts five NAKs at most: the limit of the decreases ends the counting, too.
    auto control = MakeControl(UdtNativeControl::Settings(), 120);
    UdtPathState path;
    const std::vector<std::pair<uint32_t, uint32_t>> counted{{1, 0}, {3, 1}, {20, 2}, {1, 3}};
    for (const auto& [naks, average] : counted)
    {
        path.largestSent += 1000;
        for (uint32_t i = 0; i < naks; ++i)
        {
            control.OnLoss(path.largestSent, path);
            NS_TEST_EXPECT_MSG_EQ(control.GetAverageNaks(), average, "set at the first NAK");
        }
    }
}

/** @brief The smoothing of the capacity at the sender (V6). */
LFN_CASE(SmoothingCase)
{
    UdtSenderCore core;
    UdtHandshake peer;
    peer.window = 8192;
    core.Start(UdtSenderCore::Settings(),
               std::make_unique<UdtBlastControl>(1),
               peer,
               10000000,
               Seconds(1));
    std::vector<uint32_t> capacities;
    Time now = Seconds(1);
    for (uint32_t i = 1; i < 200; ++i)
    {
        now += MilliSeconds(1);
        core.Send(now);
        core.OnPacket(now,
                      UdtAck{i, i, UdtAck::Path{20000, 0, 8192}, UdtAck::Rates{8334, 8334}, 0});
        capacities.push_back(core.GetPath().capacity);
    }
    NS_TEST_EXPECT_MSG_EQ(capacities[0], 1042, "after 1");
    NS_TEST_EXPECT_MSG_EQ(capacities[1], 1953, "after 2");
    NS_TEST_EXPECT_MSG_EQ(capacities[17], 7578, "after 18");
    NS_TEST_EXPECT_MSG_EQ(capacities.back(), 8327, "at last");
}

/** @brief A constant rate. */
LFN_CASE(BlastCase)
{
    UdtBlastControl control(12.5);
    const UdtPathState path;
    control.OnAck(Seconds(1), 5, path);
    control.OnTimeout(path);
    NS_TEST_EXPECT_MSG_EQ(control.OnLoss(5, path), Time(0), "no pause");
    NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), 12.5, "constant");
    NS_TEST_EXPECT_MSG_GT(control.GetWindow(), 1e9, "no window");
}

/** @brief The receiver of a gap of two packets, one of which arrives later. */
LFN_CASE(NakPerLossCase)
{
    UdtReceiverCore::Settings settings;
    settings.repeatNak = true;
    settings.nakPerLoss = true;
    settings.nakMinimum = MilliSeconds(10);
    settings.expiration.check = Time(0);
    UdtReceiverCore core(settings, UdtHandshake(), Seconds(1));
    UdtData data;
    const auto arrive = [&](Time now, uint32_t sequence) {
        data.sequence = sequence;
        core.OnData(now, data, settings.payloadSize);
    };
    arrive(Seconds(1), 0);
    arrive(Seconds(1), 3);
    std::vector<std::pair<int64_t, std::size_t>> naks; // ms, packets
    Time now = Seconds(1);
    int checks = 0;
    for (; now < Seconds(4) && ++checks < 10000; now = core.GetNextCheck())
    {
        core.OnCheck(now);
        for (const auto& packet : core.TakeReplies())
        {
            if (const auto* nak = std::get_if<UdtNak>(&packet))
            {
                const auto& lost = nak->lost.front();
                naks.emplace_back((now - Seconds(1)).GetMilliSeconds(), lost.last - lost.first + 1);
            }
        }
        if (now >= Seconds(2) && core.GetLost().GetSize() == 2)
        {
            arrive(now, 1);
        }
    }
    NS_TEST_EXPECT_MSG_LT(checks, 10000, "time goes on");
    // Of RTT 100 ms and RTTVar 50 ms, the first period is over at the second packet, then each 460
    // ms: k = 2 at 460, 3 at 920, 4 at 1380, 5 not at 1840 but at 2300, 6 at 2300 + 920.
    const std::vector<std::pair<int64_t, std::size_t>> expected{{0, 2},
                                                                {460, 2},
                                                                {920, 2},
                                                                {1380, 1},
                                                                {2300, 1}};
    NS_TEST_EXPECT_MSG_EQ((naks == expected), true, "reports at " << [&naks]() {
        std::string text;
        for (const auto& [time, packets] : naks)
        {
            text += std::to_string(time) + ":" + std::to_string(packets) + " ";
        }
        return text;
    }());
}

/** @brief Exact timers and repeated reports: a check moves the time. */
LFN_CASE(NakTimerCase)
{
    for (const bool perLoss : {false, true})
    {
        UdtReceiverCore::Settings settings;
        settings.repeatNak = true;
        settings.nakPerLoss = perLoss;
        settings.nakMinimum = MicroSeconds(1);
        settings.syn = Seconds(1);
        settings.expiration.check = Time(0);
        UdtReceiverCore core(settings, UdtHandshake(), Seconds(1));
        UdtData data;
        data.sequence = 2;
        core.OnData(Seconds(1), data, settings.payloadSize);
        Time now = core.GetNextCheck();
        for (int i = 0; i < 20; ++i)
        {
            core.OnCheck(now);
            NS_TEST_ASSERT_MSG_GT(core.GetNextCheck(), now, "step " << i);
            now = core.GetNextCheck();
        }
    }
}

/** @brief Losses that are reported: parts that have arrived are forgotten, too many wait. */
LFN_CASE(LossReportsCase)
{
    UdtLossReports reports;
    UdtLossList lost;
    lost.Add(10, 19);
    lost.Add(30, 30);
    reports.Add(10, 19, Seconds(1));
    reports.Add(30, 30, Seconds(1));
    const Time rtt = MilliSeconds(100);
    const auto due = [&](int64_t ms, std::size_t words) {
        std::string text;
        const Time now = Seconds(1) + MilliSeconds(ms);
        for (const auto& [first, last] : reports.TakeDue(now, rtt, lost, words))
        {
            text += std::to_string(first) + "-" + std::to_string(last) + " ";
        }
        return text;
    };
    NS_TEST_EXPECT_MSG_EQ(due(199, 99), "", "2 RTT");
    lost.Remove(12);
    lost.Remove(19);
    NS_TEST_EXPECT_MSG_EQ(due(200, 3), "10-11 30-30 ", "the second run does not fit");
    NS_TEST_EXPECT_MSG_EQ(due(201, 99), "13-18 ", "it fits the next report");
    NS_TEST_EXPECT_MSG_EQ(due(499, 99), "", "3 RTT");
    NS_TEST_EXPECT_MSG_EQ(due(500, 99), "10-11 30-30 ", "3 RTT");
    lost.RemoveBefore(30);
    NS_TEST_EXPECT_MSG_EQ(due(900, 99), "30-30 ", "4 RTT");
}

const Suite g_suite("lfn-udt", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new RttCase("round-trip time"));
    suite.Add(new ArrivalRateCase("arrival rate"));
    suite.Add(new CapacityCase("capacity"));
    suite.Add(new AckWindowCase("outstanding acknowledgements"));
    suite.Add(new HashCase("hash of sequence numbers"));
    suite.Add(new LossListCase("loss list"));
    suite.Add(new SlowStartCase("slow start"));
    suite.Add(new IncreaseCase("increase"));
    suite.Add(new DecreaseCase("decrease"));
    suite.Add(new RecoveryCase("recovery of the rate"));
    suite.Add(new AverageNaksCase("average number of NAKs"));
    suite.Add(new SmoothingCase("smoothing of the capacity"));
    suite.Add(new BlastCase("constant rate"));
    suite.Add(new NakPerLossCase("each loss is reported at times of its own"));
    suite.Add(new NakTimerCase("exact timers of repeated reports"));
    suite.Add(new LossReportsCase("when losses are due"));
});

} // namespace
