// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"

#include "ns3/lfn-delivery-channel.h"
#include "ns3/lfn-delivery-trace.h"
#include "ns3/lfn-jitter-channel.h"
#include "ns3/lfn-link-actions.h"
#include "ns3/lfn-link-outage.h"
#include "ns3/lfn-link-schedule-file.h"
#include "ns3/lfn-point-to-point-link.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Links over time: files of schedules and traces, opportunities to deliver, outages.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Read a schedule; get the error, or nothing in it.
std::string
ReadSchedule(const std::string& text, std::vector<LinkChange>& changes)
{
    return ParseLinkSchedule(text, changes).value_or("");
}

/// Read a trace; get the error, or nothing in it.
std::string
ReadTrace(const std::string& text)
{
    std::optional<DeliveryTrace> trace;
    return ParseDeliveryTrace(text, trace).value_or("");
}

/** @brief Every kind of change is read, and nothing else. */
LFN_CASE(GoodScheduleCase)
{
    const std::string text = "\xef\xbb\xbftime_s,link,what,value\r\n# comment\r\n\n"
                             "0,bottleneck,rate,50Mbps\n0.5, a-b:forward , delay:x,\n";
    std::vector<LinkChange> changes;
    NS_TEST_EXPECT_MSG_NE(ReadSchedule(text, changes), "", "a delay with a colon");
    NS_TEST_EXPECT_MSG_EQ(changes.empty(), true, "nothing of a bad file");
    const std::string good = "time_s,link,what,value\r\n# comment\n\n0,bottleneck,rate,50Mbps\n"
                             "1e-1,bottleneck1,delay,80ms\n1e-1,a-b:reverse,loss,0.25\n"
                             "2,bottleneck:forward,state,down\n2.5,bottleneck:both,state,up";
    NS_TEST_ASSERT_MSG_EQ(ReadSchedule(good, changes), "", "good");
    NS_TEST_ASSERT_MSG_EQ(changes.size(), 5, "all lines");
    NS_TEST_EXPECT_MSG_EQ(changes[0].rate, DataRate("50Mbps"), "rate");
    NS_TEST_EXPECT_MSG_EQ(changes[0].line, 4, "line");
    NS_TEST_EXPECT_MSG_EQ(changes[1].time, MilliSeconds(100), "time");
    NS_TEST_EXPECT_MSG_EQ(changes[1].delay, MilliSeconds(80), "delay");
    NS_TEST_EXPECT_MSG_EQ((changes[2].link == LinkName{"a-b", LinkDirection::REVERSE}),
                          true,
                          "link");
    NS_TEST_EXPECT_MSG_EQ(changes[2].loss, 0.25, "loss");
    NS_TEST_EXPECT_MSG_EQ(changes[3].isUp, false, "down");
    NS_TEST_EXPECT_MSG_EQ(changes[4].isUp, true, "up");
}

/** @brief What is wrong is named with its line and a remedy. */
LFN_CASE(BadScheduleCase)
{
    const std::vector<std::pair<std::string, std::string>> bad{
        {"", "it has no change: write a line"},
        {"# nothing\ntime_s,link,what,value\n", "it has no change: write a line"},
        {"1,bottleneck,rate\n", "line 1: 3 fields: write"},
        {"1,bottleneck,rate,1Mbps,x\n", "line 1: 5 fields: write"},
        {"-1,bottleneck,rate,1Mbps\n", "line 1: time -1: give seconds from 0 on"},
        {"2s,bottleneck,rate,1Mbps\n", "line 1: time 2s: give seconds"},
        {"2m,bottleneck,rate,1Mbps\n", "line 1: time 2m: give seconds"},
        {"1e12,bottleneck,rate,1Mbps\n", "line 1: time 1e12: give seconds"},
        {"nan,bottleneck,rate,1Mbps\n", "line 1: time nan: give seconds"},
        {"2,bottleneck,rate,1Mbps\n1,bottleneck,rate,1Mbps\n", "line 2: time 1 is before that of"},
        {"1,,rate,1Mbps\n", "line 1: link : give a name"},
        {"1,b:up,rate,1Mbps\n", "line 1: link b:up: give a name"},
        {"1,:forward,rate,1Mbps\n", "line 1: link :forward: give a name"},
        {"1,b,speed,1Mbps\n", "line 1: speed: there is no such change, give rate, delay"},
        {"1,b,rate,0Mbps\n", "line 1: rate 0Mbps: give a rate above 0"},
        {"1,b,rate,-5Mbps\n", "line 1: rate -5Mbps: give a rate above 0"},
        {"1,b,rate,5\n", "line 1: rate 5: give a rate above 0 with its unit"},
        {"1,b,delay,-5ms\n", "line 1: delay -5ms: give a time from 0s"},
        {"1,b,delay,2d\n", "line 1: delay 2d: give a time from 0s to a day"},
        {"1,b:forward,delay,5ms\n", "line 1: the delay is that of both directions"},
        {"1,b,loss,1.5\n", "line 1: loss 1.5: give a probability"},
        {"1,b,loss,-0.1\n", "line 1: loss -0.1: give a probability"},
        {"1,b,state,off\n", "line 1: state off: give up or down"},
        {"1,b,rate,1Mbps\n\x01\n", "line 2: a control character"},
        {"1,\"b,rate,1Mbps\n", "line 1: a quote is not closed"},
    };
    for (const auto& [text, part] : bad)
    {
        std::vector<LinkChange> changes;
        const auto error = ReadSchedule(text, changes);
        NS_TEST_EXPECT_MSG_EQ(error.substr(0, part.size()), part, text);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
        NS_TEST_EXPECT_MSG_EQ(changes.empty(), true, "nothing of a bad file");
    }
}

/** @brief Traces are read as Mahimahi reads them, and refused with the line. */
LFN_CASE(TraceFileCase)
{
    for (const auto* good : {"1\n", "0\n5", "0\n0\n3\n3\n", "1\r\n2\r\n", "86400000"})
    {
        NS_TEST_EXPECT_MSG_EQ(ReadTrace(good), "", good);
    }
    const std::vector<std::pair<std::string, std::string>> bad{
        {"", "it has no opportunity: write"},
        {"0\n0\n", "line 2: the last time is the length of the trace: give one above 0"},
        {"5\n4\n", "line 2: 4 is before the line above: sort"},
        {"1\n\n2\n", "line 2: : give whole milliseconds"},
        {"-1\n", "line 1: -1: give whole milliseconds"},
        {"1.5\n", "line 1: 1.5: give whole"},
        {"1 \n", "line 1: 1 : give whole"},
        {"x\n", "line 1: x: give whole"},
        {"86400001\n", "line 1: 86400001: give whole"},
        {"99999999999999999999999\n", "line 1: 99999999999999999999999: give whole"},
        {std::string("1\n\0\n", 4), "line 2: \\x00: give whole"},
    };
    for (const auto& [text, part] : bad)
    {
        const auto error = ReadTrace(text);
        NS_TEST_EXPECT_MSG_EQ(error.substr(0, part.size()), part, text);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
    }
}

/** @brief Mutated files are read or refused with one line; what is read obeys the format. */
LFN_CASE(FuzzCase)
{
    std::mt19937 random(7);
    const std::vector<std::string> seeds{
        "time_s,link,what,value\n0,bottleneck,rate,50Mbps\n1.5,bottleneck:forward,state,down\n"
        "2,a-b,loss,0.1\n2,bottleneck0,delay,80ms\n",
        "0\n1\n1\n7\n10\n"};
    const std::string letters = ",:\n\r\"#-.0123456789eabkMpsx\t \xff\x01";
    uint32_t good = 0;
    for (uint32_t i = 0; i < 20'000; ++i)
    {
        auto text = seeds[i % 2];
        for (auto edits = random() % 6; edits > 0; --edits)
        {
            const auto place = random() % (text.size() + 1);
            const auto letter = letters[random() % letters.size()];
            random() % 2 == 0 ? text.insert(place, 1, letter)
                              : text.replace(place, random() % 4, 1, letter);
        }
        std::vector<LinkChange> changes;
        const auto error = i % 2 == 0 ? ReadSchedule(text, changes) : ReadTrace(text);
        good += error.empty() ? 1 : 0;
        const auto isControl = [](char c) { return static_cast<unsigned char>(c) < ' '; };
        NS_TEST_ASSERT_MSG_EQ(std::ranges::any_of(error, isControl), false, error);
        const auto isGood = [](const LinkChange& change) {
            return !change.time.IsStrictlyNegative() && change.loss >= 0 && change.loss <= 1 &&
                   !change.delay.IsStrictlyNegative();
        };
        NS_TEST_ASSERT_MSG_EQ(std::ranges::all_of(changes, isGood), true, text);
        NS_TEST_ASSERT_MSG_EQ(std::ranges::is_sorted(changes, {}, &LinkChange::time), true, text);
    }
    NS_TEST_EXPECT_MSG_GT(good, 2000, "many are good");
    NS_TEST_EXPECT_MSG_LT(good, 18'000, "many are not");
}

/** @brief A packet as the test offers it. */
struct Offered
{
    int64_t arrival; //!< at the queue, us
    uint32_t bytes;  //!< with header
};

/// Find when packets leave by going through the opportunities one by one, ms.
std::vector<int64_t>
Deliver(const std::vector<uint64_t>& trace, const std::vector<Offered>& packets)
{
    std::vector<int64_t> left;
    std::size_t next = 0;
    uint32_t missing = packets[0].bytes;
    for (int64_t base = 0; next < packets.size(); base += static_cast<int64_t>(trace.back()))
    {
        for (const auto offset : trace)
        {
            const auto now = base + static_cast<int64_t>(offset);
            uint32_t budget = 1504;
            while (next < packets.size() && packets[next].arrival <= 1000 * now && budget > 0)
            {
                const auto used = std::min(budget, missing);
                budget -= used;
                missing -= used;
                if (missing == 0)
                {
                    left.push_back(now);
                    next++;
                    missing = next < packets.size() ? packets[next].bytes : 0;
                }
            }
        }
    }
    return left;
}

/** @brief The core delivers as a walk through all opportunities does. */
LFN_CASE(CoreCase)
{
    std::mt19937 random(11);
    for (uint32_t trial = 0; trial < 200; ++trial)
    {
        std::vector<uint64_t> trace;
        uint64_t time = random() % 3;
        for (uint32_t i = 0; i <= trial % 40; ++i)
        {
            trace.push_back(time);
            time += random() % 3 == 0 ? random() % 50 : 0;
        }
        trace.back() += 1; // not 0
        std::vector<Offered> packets;
        int64_t arrival = 0;
        for (uint32_t i = 0; i < 300; ++i)
        {
            arrival += random() % 4 == 0 ? random() % 100'000 : random() % 300;
            packets.push_back({arrival, 1 + static_cast<uint32_t>(random() % 4000)});
        }
        const auto expected = Deliver(trace, packets);
        DeliverySchedule schedule{DeliveryTrace(trace)};
        Time free;
        for (std::size_t i = 0; i < packets.size(); ++i)
        {
            free =
                schedule.Take(std::max(free, MicroSeconds(packets[i].arrival)), packets[i].bytes);
            NS_TEST_ASSERT_MSG_EQ(free, MilliSeconds(expected[i]), "trial " << trial << ", " << i);
        }
    }
}

/** @brief Mean rate and longest wait of a trace. */
LFN_CASE(TraceFiguresCase)
{
    const DeliveryTrace steady({1});
    NS_TEST_EXPECT_MSG_EQ(steady.GetMeanRate(), DataRate("12032kbps"), "12 Mb/s");
    NS_TEST_EXPECT_MSG_EQ(steady.GetLongestWait(1504), MilliSeconds(2), "one packet");
    const DeliveryTrace gap({1, 2, 100});
    NS_TEST_EXPECT_MSG_EQ(gap.GetLongestWait(1504), MilliSeconds(99), "just after 2 or at 1");
    NS_TEST_EXPECT_MSG_EQ(gap.GetMeanRate(), DataRate(360'960), "three in 100 ms");
    NS_TEST_EXPECT_MSG_EQ(gap.FindFrom(MilliSeconds(100)), 2, "the last of a cycle");
    NS_TEST_EXPECT_MSG_EQ(gap.FindFrom(MilliSeconds(100) + TimeStep(1)), 3, "the next cycle");
}

/** @brief Two devices and their link. */
struct Link
{
    /// Connect two nodes.
    explicit Link(Time delay,
                  Ptr<PointToPointChannel> channel = CreateObject<PointToPointChannel>())
    {
        channel->SetAttribute("Delay", TimeValue(delay));
        devices = InstallLink(CreateObject<Node>(),
                              CreateObject<Node>(),
                              {DataRate("1Gbps"), QueueSize("100000p")},
                              channel);
        for (uint32_t i = 0; i < 2; ++i)
        {
            ConnectTrace(devices.Get(i), "PhyRxEnd", [this, i](Ptr<const Packet> packet) {
                arrivals[i].emplace_back(Simulator::Now(), packet->GetSize());
            });
        }
    }

    /// Get a device.
    Ptr<PointToPointNetDevice> Get(uint32_t i) const
    {
        return DynamicCast<PointToPointNetDevice>(devices.Get(i));
    }

    /// Send an IP packet of this size, now.
    void Send(uint32_t from, uint32_t bytes) const
    {
        devices.Get(from)->Send(Create<Packet>(bytes), devices.Get(1 - from)->GetAddress(), 0x800);
    }

    NetDeviceContainer devices;                         //!< both
    std::vector<std::pair<Time, uint32_t>> arrivals[2]; //!< at each: when, bytes with header
};

/** @brief A source that never ends fills every opportunity, in both directions. */
LFN_CASE_OF(SaturatedCase, std::vector<uint64_t> times, uint32_t bytes)
{
    const Time delay = MicroSeconds(1234);
    const Time end = MilliSeconds(3 * times.back() + 500);
    const DeliveryTrace trace(times);
    Link link(delay);
    for (uint32_t i = 0; i < 2; ++i)
    {
        DeliveryChannel::Install(link.Get(i), trace);
    }
    DataRateValue rate;
    link.Get(0)->GetAttribute("DataRate", rate);
    NS_TEST_EXPECT_MSG_EQ(rate.Get(), trace.GetMeanRate(), "the device reports the mean rate");
    const double opportunities = static_cast<double>(trace.FindFrom(end + TimeStep(1)));
    const auto packets = static_cast<uint32_t>(opportunities * 1504 / (bytes + 4)) + 10;
    for (uint32_t i = 0; i < 2 * packets; ++i)
    {
        link.Send(i % 2, bytes);
    }
    Simulator::Stop(end + delay + TimeStep(1)); // what arrives just then counts
    Simulator::Run();
    for (const auto& arrivals : link.arrivals)
    {
        const double delivered = static_cast<double>(arrivals.size()) * (bytes + 4);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(delivered, opportunities * 1504, "no more than the trace");
        NS_TEST_EXPECT_MSG_GT(delivered, opportunities * 1504 - (bytes + 4), "within a packet");
        for (const auto& [when, size] : arrivals)
        {
            const auto number = trace.FindFrom(when - delay);
            NS_TEST_ASSERT_MSG_EQ(trace.GetTime(number), when - delay, "at an opportunity");
        }
    }
    Simulator::Destroy();
}

/** @brief Packets that come while nothing waits leave at the next opportunity. */
LFN_CASE(IdleCase)
{
    Link link(MilliSeconds(7), CreateObject<JitterChannel>());
    DeliveryChannel::Install(link.Get(0), DeliveryTrace({10, 40}));
    Simulator::Schedule(MilliSeconds(5), [&link] { link.Send(0, 1500); });
    Simulator::Schedule(MilliSeconds(41), [&link] { link.Send(0, 700); });
    Simulator::Schedule(MilliSeconds(42), [&link] { link.Send(0, 700); });
    Simulator::Schedule(MilliSeconds(43), [&link] { link.Send(0, 700); });
    Simulator::Schedule(MilliSeconds(60), [&link] { link.Send(1, 1500); });
    Simulator::Schedule(MilliSeconds(100), [&link] {
        link.devices.Get(0)->GetChannel()->SetAttribute("Delay", TimeValue(MilliSeconds(20)));
        link.Send(0, 100);
    });
    Simulator::Run();
    std::vector<Time> found;
    for (const auto& [when, bytes] : link.arrivals[1])
    {
        found.push_back(when);
    }
    // 700 + 4 bytes fit twice in an opportunity, at 50 ms; the third one's rest is at 80 ms.
    const std::vector<Time> expected{MilliSeconds(17),
                                     MilliSeconds(57),
                                     MilliSeconds(57),
                                     MilliSeconds(87),
                                     MilliSeconds(140)};
    NS_TEST_EXPECT_MSG_EQ((found == expected), true, "at the opportunities, then the delay");
    NS_TEST_ASSERT_MSG_EQ(link.arrivals[0].size(), 1, "the other direction");
    const Time other = MilliSeconds(67) + DataRate("1Gbps").CalculateBytesTxTime(1502);
    NS_TEST_EXPECT_MSG_EQ(link.arrivals[0][0].first, other, "has the device's rate");
    Simulator::Destroy();
}

/** @brief An outage loses what is under way and what is sent meanwhile, and nothing else. */
LFN_CASE_OF(OutageCase, Time delay, Time length, bool jitters)
{
    const auto jitter = CreateObject<JitterChannel>();
    if (jitters)
    {
        jitter->SetNormalJitter(MilliSeconds(3));
        jitter->AssignStreams(1);
    }
    Link link(delay, jitter);
    const auto outage = LinkOutage::Install(link.devices.Get(0), link.devices.Get(1));
    NS_TEST_ASSERT_MSG_NE(outage, nullptr, "a device with an error model needs no stack");
    const Time down = MilliSeconds(300) + TimeStep(1);
    const Time step = MilliSeconds(1);
    const uint32_t packets = 1000;
    Simulator::Schedule(down, [outage] { outage->GoDown(); });
    Simulator::Schedule(down + length, [outage] { outage->GoUp(); });
    for (uint32_t i = 0; i < packets; ++i)
    {
        Simulator::Schedule(i * step, [&link, i] { link.Send(0, 100 + i); });
    }
    Simulator::Run();
    std::vector<bool> arrived(packets);
    for (const auto& [when, bytes] : link.arrivals[1])
    {
        arrived[bytes - 100 - 2] = true;
    }
    // On its way for the delay, its sending and what jitter adds.
    const Time slack = MicroSeconds(20) + (jitters ? MilliSeconds(18) : Time(0));
    uint32_t lost = 0;
    for (uint32_t i = 0; i < packets; ++i)
    {
        const Time sent = i * step;
        lost += arrived[i] ? 0 : 1;
        const bool isSafe = sent + delay + slack <= down || sent >= down + length;
        const bool isLost = sent + delay > down && sent < down + length;
        NS_TEST_ASSERT_MSG_EQ((isSafe && !arrived[i]), false, "packet " << i << " is lost");
        NS_TEST_ASSERT_MSG_EQ((isLost && arrived[i]), false, "packet " << i << " has arrived");
    }
    NS_TEST_EXPECT_MSG_GT(lost, 0, "the outage loses packets");
    Simulator::Destroy();
}

/** @brief Links have the names of bottlenecks, and in networks of nodes those of their nodes. */
LFN_CASE(NamesCase)
{
    const auto lot = Build("ParkingLotTopology[Hops=3]");
    NS_TEST_EXPECT_MSG_EQ(lot->FindLinks("bottleneck").size(), 3, "all");
    NS_TEST_ASSERT_MSG_EQ(lot->FindLinks("bottleneck2").size(), 1, "the third");
    NS_TEST_EXPECT_MSG_EQ((lot->FindLinks("bottleneck2")[0] == lot->GetBottlenecks()[2]),
                          true,
                          "the third");
    for (const auto* name : {"bottleneck3", "bottleneck-1", "bottlenecks", "", "a-b"})
    {
        NS_TEST_EXPECT_MSG_EQ(lot->FindLinks(name).size(), 0, name);
    }
    LinkActions actions(*lot);
    LinkChange change{.time = Seconds(1), .what = LinkChange::What::RATE, .rate = DataRate(1)};
    change.link.name = "bottleneck7";
    NS_TEST_EXPECT_MSG_NE(
        actions.Schedule(change).value_or("").find("there is no link bottleneck7"),
        std::string::npos,
        "a remedy");
    Finish(lot);
}

/** @brief Each kind of change acts on the links named, in the direction named, at its time. */
LFN_CASE(ActionsCase)
{
    const auto lot = Build("ParkingLotTopology[Hops=2]");
    LinkActions actions(*lot);
    const auto& bottlenecks = lot->GetBottlenecks();
    const auto getRate = [](Ptr<NetDevice> device) {
        DataRateValue rate;
        device->GetAttribute("DataRate", rate);
        return rate.Get();
    };
    const auto before = getRate(bottlenecks[0].first);
    LinkChange change{.time = Seconds(1), .what = LinkChange::What::RATE, .rate = DataRate(77)};
    change.link = {"bottleneck1", LinkDirection::REVERSE};
    NS_TEST_ASSERT_MSG_EQ(actions.Schedule(change).has_value(), false, "rate");
    change = {.time = Seconds(2), .what = LinkChange::What::DELAY, .delay = MilliSeconds(9)};
    NS_TEST_ASSERT_MSG_EQ(actions.Schedule(change).has_value(), false, "delay");
    Simulator::Stop(Seconds(1) - TimeStep(1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(getRate(bottlenecks[1].second), before, "not before its time");
    Simulator::Stop(Seconds(2));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(getRate(bottlenecks[1].second), DataRate(77), "changed");
    NS_TEST_EXPECT_MSG_EQ(getRate(bottlenecks[1].first), before, "the other direction");
    NS_TEST_EXPECT_MSG_EQ(getRate(bottlenecks[0].second), before, "the other link");
    for (const auto& [from, to] : bottlenecks)
    {
        TimeValue delay;
        from->GetChannel()->GetAttribute("Delay", delay);
        NS_TEST_EXPECT_MSG_EQ(delay.Get(), MilliSeconds(9), "the delay of all");
    }
    Finish(lot);
}

const Suite g_unit("lfn-link-schedule", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new GoodScheduleCase("schedules are read"));
    suite.Add(new BadScheduleCase("a bad schedule is refused with its line"));
    suite.Add(new TraceFileCase("traces are read, or refused with their line"));
    suite.Add(new FuzzCase("mutated files are read or refused with one line"));
    suite.Add(new CoreCase("packets take the opportunities in order"));
    suite.Add(new TraceFiguresCase("mean rate and longest wait of a trace"));
});

const Suite g_system("lfn-link-schedule-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::vector<std::pair<std::string, std::vector<uint64_t>>> traces{
        {"12 Mbps", {1}},
        {"bursts", {0, 0, 0, 5, 5, 30, 31, 31, 31, 31, 100}},
        {"a gap of 2 s", {1, 2, 3, 4, 2004}},
        {"odd times", {7, 20, 33, 33, 97}},
    };
    for (const auto& [name, times] : traces)
    {
        for (const uint32_t bytes : {40U, 576U, 1500U, 9000U})
        {
            suite.Add(new SaturatedCase(name + ", packets of " + std::to_string(bytes) + " B",
                                        times,
                                        bytes));
        }
    }
    suite.Add(new IdleCase("a packet waits for the next opportunity"));
    for (const bool jitters : {false, true})
    {
        const std::string with = jitters ? ", jitter" : "";
        suite.Add(new OutageCase("outage longer than the delay" + with,
                                 MilliSeconds(20),
                                 MilliSeconds(100),
                                 jitters));
        suite.Add(new OutageCase("outage shorter than the delay" + with,
                                 MilliSeconds(250),
                                 MilliSeconds(10),
                                 jitters));
    }
    suite.Add(new NamesCase("links have names"));
    suite.Add(new ActionsCase("changes act where and when they should"));
});

} // namespace
