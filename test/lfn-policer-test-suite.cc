// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"

#include "ns3/data-rate.h"
#include "ns3/ipv4-header.h"
#include "ns3/lfn-policer.h"
#include "ns3/ppp-header.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What a bucket allows. */
struct Curve
{
    uint64_t rate;  //!< bit/s
    uint64_t burst; //!< B
};

/** @brief A packet. */
struct Arrival
{
    int64_t time;   //!< when, ns
    uint32_t bytes; //!< IP packet, B
};

/// A policer; a second bucket of rate 0 has no effect.
Ptr<Policer>
MakePolicer(const Curve& sustained, const Curve& peak = {0, 1})
{
    auto policer = CreateObject<Policer>();
    policer->SetAttribute("Rate", DataRateValue(DataRate(sustained.rate)));
    policer->SetAttribute("Burst", UintegerValue(sustained.burst));
    policer->SetAttribute("PeakRate", DataRateValue(DataRate(peak.rate)));
    policer->SetAttribute("PeakBurst", UintegerValue(peak.burst));
    return policer;
}

/// Have a policer see packets at their times; get of each whether it passed.
std::vector<bool>
Police(Ptr<Policer> policer, const std::vector<Arrival>& arrivals)
{
    std::vector<bool> passed;
    passed.reserve(arrivals.size());
    for (const auto& arrival : arrivals)
    {
        Simulator::Schedule(NanoSeconds(arrival.time), [&passed, policer, arrival] {
            passed.push_back(!policer->IsCorrupt(Create<Packet>(arrival.bytes)));
        });
    }
    Simulator::Run();
    Simulator::Destroy();
    return passed;
}

/// Get by the arrival curve which packets pass: from any packet that passed on, up to and
/// including this one, no more bytes than burst + rate times the time between. Times and rates are
/// so small that 64 bits hold everything.
std::vector<bool>
Compute(const std::vector<Curve>& curves, const std::vector<Arrival>& arrivals)
{
    const uint64_t unit = 8'000'000'000; // bit/s times ns in a byte
    std::vector<Arrival> through;
    std::vector<bool> passed;
    for (const auto& arrival : arrivals)
    {
        const bool fits = std::ranges::all_of(curves, [&](const Curve& curve) {
            uint64_t bytes = arrival.bytes;
            bool isWithin = bytes <= curve.burst;
            for (auto earlier = through.rbegin(); earlier != through.rend(); ++earlier)
            {
                bytes += earlier->bytes;
                const auto between = static_cast<uint64_t>(arrival.time - earlier->time);
                isWithin = isWithin && unit * bytes <= unit * curve.burst + curve.rate * between;
            }
            return isWithin;
        });
        passed.push_back(fits);
        if (fits)
        {
            through.push_back(arrival);
        }
    }
    return passed;
}

/** @brief Random arrivals against the arrival curve, in whole numbers. */
LFN_CASE(ExactTestCase)
{
    std::mt19937 random(5);
    uint32_t lost = 0;
    uint32_t all = 0;
    for (uint32_t trial = 0; trial < 60; ++trial)
    {
        const Curve sustained{1 + random() % 50'000'000, 1 + random() % 20'000};
        const Curve peak{sustained.rate + random() % 50'000'000, 1 + random() % 4000};
        const bool hasPeak = trial % 2 == 1;
        // Load between a quarter and four times the rate; some packets at the same instant.
        const double load = 0.25 * (1 << random() % 5);
        const double gap = 800 * 8e9 / static_cast<double>(sustained.rate) / load;
        std::vector<Arrival> arrivals;
        int64_t time = 0;
        for (uint32_t i = 0; i < 400; ++i)
        {
            const double factor = random() % 4 == 0 ? 0 : (random() % 2000) / 1000.0 / 0.75;
            time += static_cast<int64_t>(gap * factor);
            arrivals.push_back({time, static_cast<uint32_t>(1 + random() % 1600)});
        }
        const auto passed = hasPeak ? Police(MakePolicer(sustained, peak), arrivals)
                                    : Police(MakePolicer(sustained), arrivals);
        std::vector<Curve> curves{sustained};
        if (hasPeak)
        {
            curves.push_back(peak);
        }
        NS_TEST_EXPECT_MSG_EQ((passed == Compute(curves, arrivals)), true, "trial " << trial);
        lost += static_cast<uint32_t>(std::ranges::count(passed, false));
        all += static_cast<uint32_t>(passed.size());
    }
    NS_TEST_EXPECT_MSG_GT(lost, all / 10, "enough are lost to compare");
    NS_TEST_EXPECT_MSG_LT(lost, all - all / 10, "enough pass to compare");
}

/** @brief The nanosecond at which there are tokens enough; long times; resets. */
LFN_CASE(EdgeTestCase)
{
    for (const uint64_t rate : {1UL, 7UL, 12'345'678UL, 1'000'000'000UL})
    {
        // 1000 bytes again, once the bucket is empty, after 8e12 / rate ns, rounded up.
        const auto wait = static_cast<int64_t>((8'000'000'000'000 + rate - 1) / rate);
        for (const int64_t early : {0, 1})
        {
            const auto passed =
                Police(MakePolicer({rate, 1000}), {{5, 1000}, {5 + wait - early, 1000}});
            NS_TEST_EXPECT_MSG_EQ(passed[0], true, "a full bucket");
            NS_TEST_EXPECT_MSG_EQ(passed[1], (early == 0), rate << " bit/s");
        }
    }
    const int64_t year = 365LL * 86400 * 1'000'000'000;
    const auto passed = Police(MakePolicer({1'000'000'000'000'000, 2'000'000'000}),
                               {{0, 1500}, {year, 1500}, {100 * year, 1500}, {100 * year, 9}});
    NS_TEST_EXPECT_MSG_EQ(std::ranges::count(passed, true), 4, "no overflow");
    NS_TEST_EXPECT_MSG_EQ(Police(MakePolicer({1000, 1000}), {{year, 1001}}).at(0),
                          false,
                          "larger than the bucket");
    NS_TEST_EXPECT_MSG_EQ(Police(MakePolicer({0, 1000}), {{year, 1000}, {2 * year, 1}}).at(1),
                          false,
                          "no rate, only a burst");

    const auto policer = MakePolicer({1, 1000});
    const auto see = [&](uint32_t bytes) { return policer->IsCorrupt(Create<Packet>(bytes)); };
    NS_TEST_EXPECT_MSG_EQ((see(1000)), false, "full");
    NS_TEST_EXPECT_MSG_EQ((see(1000)), true, "empty");
    NS_TEST_EXPECT_MSG_EQ(policer->GetDropped(), 1, "counted");
    policer->Reset();
    NS_TEST_EXPECT_MSG_EQ(policer->GetDropped(), 0, "reset");
    NS_TEST_EXPECT_MSG_EQ((see(1000)), false, "full again");
    policer->Disable();
    NS_TEST_EXPECT_MSG_EQ((see(1000)), false, "disabled: all pass");
    Simulator::Destroy();
}

/** @brief The IP packet's size counts, with PPP in front or not. */
LFN_CASE(SizeTestCase)
{
    for (const bool isFramed : {false, true})
    {
        // 20 bytes of IP header and 980 of data.
        for (const uint32_t burst : {999, 1000})
        {
            auto packet = Create<Packet>(980);
            Ipv4Header ip;
            ip.SetPayloadSize(980);
            packet->AddHeader(ip);
            if (isFramed)
            {
                PppHeader ppp;
                ppp.SetProtocol(0x0021);
                packet->AddHeader(ppp);
            }
            NS_TEST_EXPECT_MSG_EQ((MakePolicer({1, burst})->IsCorrupt(packet)),
                                  (burst == 999),
                                  "burst " << burst << ", PPP " << isFramed);
        }
    }
    Simulator::Destroy();
}

/** @brief What came. */
struct Result
{
    std::vector<Time> times;       //!< of the datagrams
    std::vector<uint32_t> numbers; //!< of the datagrams
};

constexpr uint32_t DATAGRAMS = 2000; //!< datagrams sent

/** @brief Send datagrams of 1000 B with their headers back to back, numbered by their first bytes.
 */
Result
Send(const std::string& rate)
{
    const auto topology = Build("PointToPointTopology[LinkRate=100Mbps|PolicerRate=" + rate + "]");
    Result result;
    auto sink =
        Socket::CreateSocket(topology->GetReceivers().Get(0), UdpSocketFactory::GetTypeId());
    sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
    sink->SetRecvCallback(Callback<void, Ptr<Socket>>([&result](Ptr<Socket> socket) {
        while (const auto packet = socket->Recv())
        {
            uint8_t number[2];
            packet->CopyData(number, 2);
            result.times.push_back(Simulator::Now());
            result.numbers.push_back(number[0] * 256U + number[1]);
        }
    }));
    auto source =
        Socket::CreateSocket(topology->GetSenders().Get(0), UdpSocketFactory::GetTypeId());
    source->Connect(InetSocketAddress(topology->GetReceiverAddress(), 9));
    Simulator::Schedule(Seconds(1), [source] {
        for (uint32_t i = 0; i < DATAGRAMS; ++i)
        {
            std::vector<uint8_t> bytes(1000 - 28);
            bytes[0] = static_cast<uint8_t>(i / 256);
            bytes[1] = static_cast<uint8_t>(i % 256);
            source->Send(Create<Packet>(bytes.data(), bytes.size()));
        }
    });
    Simulator::Run();
    Finish(topology);
    return result;
}

/** @brief On a path: what passes comes when it would have come, the rest never. */
LFN_CASE(PathTestCase)
{
    const auto free = Send("0bps");
    const auto policed = Send("50Mbps");
    NS_TEST_ASSERT_MSG_EQ(free.times.size(), DATAGRAMS, "all come where nothing polices");
    // 1000 B an IP packet at 100 Mb/s of frames: the bucket of 100,000 B loses half of what
    // arrives, so about 200 pass at once, and then every second one.
    const auto passed = static_cast<double>(policed.times.size());
    NS_TEST_EXPECT_MSG_EQ_TOL(passed, 100 + DATAGRAMS * 0.501, 2, "burst and rate");
    bool isInTime = true;
    for (std::size_t i = 0; i < policed.times.size(); ++i)
    {
        isInTime = isInTime && policed.times[i] == free.times[policed.numbers[i]];
    }
    NS_TEST_EXPECT_MSG_EQ(isInTime, true, "nothing is delayed");
    const auto first = std::ranges::adjacent_find(policed.numbers, [](uint32_t a, uint32_t b) {
        return b != a + 1;
    });
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(*first), 199, 2, "the burst passes whole");
}

const Suite g_suite("lfn-policer", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(
        new ExactTestCase("random arrivals: those pass that the arrival curve allows, exactly"));
    suite.Add(new EdgeTestCase(
        "edges: the nanosecond of the last token, long times, extreme rates, reset"));
    suite.Add(new SizeTestCase("size: the IP packet, without the frame's header"));
    suite.Add(new PathTestCase("path: drops what exceeds burst + rate t, delays nothing"));
});

} // namespace
