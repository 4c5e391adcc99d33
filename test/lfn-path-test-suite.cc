// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/address.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-host-queue.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint32_t PAYLOAD = 1450;             //!< user bytes of the paper's datagrams
constexpr double PAYLOAD_BITS = 8.0 * PAYLOAD; //!< user bits of the paper's datagrams
constexpr int64_t NO_TIES = 4096;              //!< makes a service end between arrivals

/// A host; costs of an arrival, of reading and of moving.
Ptr<HostCost>
MakeCost(int64_t interruptNs, int64_t readNs, int64_t moveNs, uint32_t bufferBytes)
{
    auto cost = CreateObject<HostCost>();
    cost->SetAttribute("InterruptCost", TimeValue(NanoSeconds(interruptNs)));
    cost->SetAttribute("ReadCost", TimeValue(NanoSeconds(readNs)));
    cost->SetAttribute("MoveCost", TimeValue(NanoSeconds(moveNs)));
    cost->SetAttribute("BufferSize", UintegerValue(bufferBytes));
    return cost;
}

/** @brief The profiles hold the numbers of the papers, and memory passes add up. */
LFN_CASE(HostCostTestCase)
{
    // Check the rate of user bytes, in Mb/s, above which a profile loses packets.
    const auto checkSaturation = [&](const std::string& name, bool moves, double mbps) {
        const auto cost = *HostCost::FindProfile(name);
        Time each = cost->GetInterruptTime() + cost->GetReadTime(PAYLOAD);
        each += moves ? cost->GetMoveTime(PAYLOAD) : Time(0);
        NS_TEST_EXPECT_MSG_EQ_TOL(PAYLOAD_BITS / each.GetSeconds() / 1e6, mbps, 0.1, name);
    };
    for (const auto& name : HostCost::GetProfileNames())
    {
        const auto cost = HostCost::FindProfile(name);
        NS_TEST_ASSERT_MSG_EQ(cost.has_value(), true, name << " is listed but unknown");
        NS_TEST_EXPECT_MSG_EQ(static_cast<bool>(*cost), (name != "none"), name);
    }
    // A profile of one's own: the attributes' defaults, as they are by then.
    const auto getBuffer = [] { return (*HostCost::FindProfile("custom"))->GetBufferSize(); };
    NS_TEST_EXPECT_MSG_EQ(getBuffer(), 8388608, "as ns-3 makes it");
    Config::SetDefault("ns3::lfn::HostCost::BufferSize", UintegerValue(131072));
    Config::SetDefault("ns3::lfn::HostCost::ReadCost", TimeValue(MicroSeconds(50)));
    NS_TEST_EXPECT_MSG_EQ(getBuffer(), 131072, "new default");
    NS_TEST_EXPECT_MSG_EQ((*HostCost::FindProfile("custom"))->GetReadTime(PAYLOAD),
                          MicroSeconds(50),
                          "new default");
    NS_TEST_EXPECT_MSG_EQ((*HostCost::FindProfile("livelock"))->GetReadTime(PAYLOAD),
                          NanoSeconds(9200),
                          "a named profile keeps its numbers");
    Config::SetDefault("ns3::lfn::HostCost::BufferSize", UintegerValue(8388608));
    Config::SetDefault("ns3::lfn::HostCost::ReadCost", TimeValue(Time(0)));
    NS_TEST_EXPECT_MSG_EQ(HostCost::FindProfile("").has_value(), false, "an unknown name");
    NS_TEST_EXPECT_MSG_EQ(HostCost::FindProfile("Livelock").has_value(), false, "wrong case");

    // The rate at which each profile saturates, from the published measurements.
    checkSaturation("livelock", true, 617.7);
    checkSaturation("livelock", false, 878.1);
    checkSaturation("livelock-fast", true, 1235.4);
    checkSaturation("constant", true, 643.0);
    checkSaturation("constant", false, 878.1);
    checkSaturation("pacing-16us", true, 725.0);

    // 238 MB/s: three passes over each byte leave 635 Mb/s, two leave 952.
    auto memory = MakeCost(0, 0, 0, 1);
    memory->SetAttribute("MemoryBandwidth", DataRateValue(DataRate(1904000000)));
    const double read = memory->GetReadTime(PAYLOAD).GetSeconds();
    const double move = memory->GetMoveTime(PAYLOAD).GetSeconds();
    NS_TEST_EXPECT_MSG_EQ_TOL(PAYLOAD_BITS / read, 952e6, 1e5, "two passes");
    NS_TEST_EXPECT_MSG_EQ_TOL(PAYLOAD_BITS / (read + move), 634.7e6, 1e5, "three passes");
}

/** @brief A sending host delays packets, never the schedule, and follows its recurrence. */
LFN_CASE(HostSendGateTestCase)
{
    HostSendGate open;
    NS_TEST_EXPECT_MSG_EQ(open.Admit(Time(5), Time(3), 1), Time(5), "never into the past");
    NS_TEST_EXPECT_MSG_EQ(open.Admit(Time(5), Time(9), 1), Time(9), "an open gate");

    std::mt19937_64 random(1);
    for (int trial = 0; trial < 20; ++trial)
    {
        const auto read = static_cast<int64_t>(random() % 20000);
        const auto move = static_cast<int64_t>(random() % 20000);
        const bool moves = random() % 2 == 0;
        HostSendGate gate(MakeCost(777, read, move, 1), moves);
        int64_t wanted = 0;
        int64_t departure = 0;
        for (int i = 0; i < 200; ++i)
        {
            const int64_t now = departure;
            const int64_t hostIsFree = departure + read + (moves ? move : 0);
            departure = i == 0 ? 0 : std::max({now, wanted, hostIsFree});
            const Time admitted = gate.Admit(NanoSeconds(now), NanoSeconds(wanted), PAYLOAD);
            NS_TEST_ASSERT_MSG_EQ(admitted, NanoSeconds(departure), "packet " << i);
            wanted += static_cast<int64_t>(random() % 30000);
        }
    }
}

/** @brief One arriving packet of a HostQueue test. */
struct Arrival
{
    int64_t atNs;      //!< when it arrives, [ns]
    uint32_t bytes;    //!< its size, [B]
    int64_t serviceNs; //!< how long it keeps the processor, [ns]
};

/** @brief What became of one packet. */
struct Outcome
{
    bool isKept{false};     //!< it was not lost
    int64_t deliveredNs{0}; //!< when it was delivered, [ns]

    /// Compare.
    bool operator==(const Outcome& other) const = default;
};

/**
 * @brief Run the packets through a processor that is stepped from arrival to arrival: pending
 * interrupt work first, then the packet in service, then the next one.
 */
std::vector<Outcome>
Compute(const std::vector<Arrival>& arrivals, int64_t interruptNs, uint32_t bufferBytes)
{
    std::vector<Outcome> outcomes(arrivals.size());
    std::deque<size_t> inHost; // the first one is in service
    int64_t clock = 0;
    int64_t interruptWork = 0;
    int64_t serviceWork = 0;
    const auto runUntil = [&](int64_t end) {
        while (clock < end && !inHost.empty())
        {
            const int64_t onInterrupts = std::min(interruptWork, end - clock);
            interruptWork -= onInterrupts;
            clock += onInterrupts;
            const int64_t onService = std::min(serviceWork, end - clock);
            serviceWork -= onService;
            clock += onService;
            if (interruptWork == 0 && serviceWork == 0)
            {
                outcomes[inHost.front()].deliveredNs = clock;
                inHost.pop_front();
                serviceWork = inHost.empty() ? 0 : arrivals[inHost.front()].serviceNs;
            }
        }
        clock = std::max(clock, end);
    };
    for (size_t i = 0; i < arrivals.size(); ++i)
    {
        runUntil(arrivals[i].atNs);
        interruptWork += interruptNs;
        uint64_t waiting = 0;
        for (size_t j = 1; j < inHost.size(); ++j)
        {
            waiting += arrivals[inHost[j]].bytes;
        }
        outcomes[i].isKept = inHost.empty() || waiting + arrivals[i].bytes <= bufferBytes;
        if (outcomes[i].isKept)
        {
            inHost.push_back(i);
            serviceWork = inHost.size() == 1 ? arrivals[i].serviceNs : serviceWork;
        }
    }
    runUntil(INT64_MAX / 2);
    return outcomes;
}

/** @brief Run the packets through a HostQueue. */
std::vector<Outcome>
Simulate(const std::vector<Arrival>& arrivals, int64_t interruptNs, uint32_t bufferBytes)
{
    std::vector<Outcome> outcomes(arrivals.size());
    auto queue = CreateObject<HostQueue>();
    queue->SetCost(MakeCost(interruptNs, 0, 0, bufferBytes));
    std::deque<size_t> kept; // in the order of service, which is the order of arrival
    size_t served = 0;
    queue->SetWork(HostQueue::GetWork([&](Ptr<const Packet>) {
        const size_t index = served < kept.size() ? kept[served] : kept.back();
        ++served;
        return HostWork{NanoSeconds(arrivals[index].serviceNs), 0, {}};
    }));
    size_t delivered = 0;
    queue->SetDeliver(HostQueue::Deliver([&](Ptr<Packet>, const Address&) {
        outcomes[kept[delivered++]].deliveredNs = Simulator::Now().GetNanoSeconds();
    }));
    for (size_t i = 0; i < arrivals.size(); ++i)
    {
        Simulator::Schedule(NanoSeconds(arrivals[i].atNs), [&, i]() {
            // Put on the list first: an idle host asks for the service time at once.
            kept.push_back(i);
            outcomes[i].isKept = queue->Arrive(Create<Packet>(arrivals[i].bytes), Address());
            if (!outcomes[i].isKept)
            {
                kept.pop_back();
            }
        });
    }
    Simulator::Run();
    queue->Dispose();
    Simulator::Destroy();
    return outcomes;
}

/** @brief A HostQueue is a processor that serves interrupts before packets. */
LFN_CASE(HostQueueBruteForceTestCase)
{
    std::mt19937_64 random(2);
    uint64_t lost = 0;
    for (int trial = 0; trial < 40; ++trial)
    {
        const int64_t interruptNs = NO_TIES * static_cast<int64_t>(random() % 3);
        const auto bufferBytes = static_cast<uint32_t>(random() % 20000);
        const uint64_t spread = 1 + random() % 24;
        std::vector<Arrival> arrivals;
        int64_t at = 0;
        for (int i = 0; i < 300; ++i)
        {
            // Arrivals and interrupts take multiples of NO_TIES, services one more, and there
            // are fewer packets: a service never ends at the instant of an arrival.
            at += NO_TIES * static_cast<int64_t>(random() % spread);
            arrivals.push_back({at,
                                static_cast<uint32_t>(random() % 3000),
                                NO_TIES * static_cast<int64_t>(random() % 16) + 1});
        }
        const auto expected = Compute(arrivals, interruptNs, bufferBytes);
        const auto measured = Simulate(arrivals, interruptNs, bufferBytes);
        for (size_t i = 0; i < arrivals.size(); ++i)
        {
            lost += measured[i].isKept ? 0 : 1;
            NS_TEST_ASSERT_MSG_EQ(measured[i].isKept, expected[i].isKept, "packet " << i);
            NS_TEST_ASSERT_MSG_EQ(measured[i].deliveredNs,
                                  expected[i].deliveredNs,
                                  "packet " << i << " of trial " << trial);
        }
    }
    NS_TEST_EXPECT_MSG_GT(lost, 100, "the trials lose packets");
}

/**
 * @brief Send datagrams at a constant rate into a host that is already busy; get the rate of user
 * bytes delivered, in Mb/s, and the share of the arriving packets kept.
 */
std::pair<double, double>
SendAt(const std::string& profile, double mbps)
{
    constexpr int WARM_UP = 5000;
    constexpr int MEASURED = 20000;
    const auto period = NanoSeconds(static_cast<int64_t>(std::llround(PAYLOAD_BITS * 1e3 / mbps)));
    auto queue = CreateObject<HostQueue>();
    queue->SetCost(*HostCost::FindProfile(profile));
    int arrived = 0;
    int kept = 0;
    int delivered = 0;
    queue->SetDeliver(HostQueue::Deliver(
        [&](Ptr<Packet>, const Address&) { delivered += arrived > WARM_UP ? 1 : 0; }));
    const auto packet = Create<Packet>(PAYLOAD);
    std::function<void()> arrive = [&]() {
        const bool isKept = queue->Arrive(packet, Address());
        kept += isKept && arrived >= WARM_UP ? 1 : 0;
        if (++arrived < WARM_UP + MEASURED)
        {
            Simulator::Schedule(period, arrive);
        }
        else
        {
            Simulator::Stop();
        }
    };
    Simulator::ScheduleNow(arrive);
    Simulator::Run();
    queue->Dispose();
    Simulator::Destroy();
    const double seconds = MEASURED * period.GetSeconds();
    return {delivered * PAYLOAD_BITS / seconds / 1e6, static_cast<double>(kept) / MEASURED};
}

/** @brief A saturated host delivers y = (1 - x c_i) / c_a: the losses of the Quanta paper. */
LFN_CASE(HostQueueFluidTestCase)
{
    // Check the share of packets lost in the steady state at a rate of user bytes against the one
    // that the profile was fitted to or that follows from the fit.
    const auto checkLoss = [&](double mbps, double published) {
        const auto [delivered, share] = SendAt("livelock", mbps);
        const double x = mbps * 1e6 / PAYLOAD_BITS;
        const double y = (1.0 - x * 4.01e-6) / 14.77e-6;
        const double formula = std::max(0.0, 1.0 - y / x);
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 - share, formula, 0.001, mbps << " Mb/s, fluid formula");
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 - share, published, 0.002, mbps << " Mb/s, published");
        NS_TEST_EXPECT_MSG_EQ_TOL(delivered, mbps * (1.0 - formula), 1.0, mbps << " Mb/s, rate");
    };
    checkLoss(611, 0.0);
    checkLoss(617, 0.0);
    checkLoss(643, 0.050);
    checkLoss(682, 0.120);
    checkLoss(725, 0.188);
    checkLoss(834, 0.331);
    // A host twice as fast, 5 % below what the link carries: below 2 %.
    NS_TEST_EXPECT_MSG_EQ(1.0 - SendAt("livelock-fast", 834).second, 0.0, "the faster host");
    // No interrupts: a plateau at any load.
    for (const double mbps : {682.0, 725.0, 834.0, 892.0})
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(SendAt("constant", mbps).first, 643.0, 0.5, mbps << " sent");
    }
}

/** @brief Nothing is delivered after Clear(), Dispose() or destruction; reentrance is allowed. */
LFN_CASE(HostQueueLifeTestCase)
{
    int delivered = 0;
    const auto count = HostQueue::Deliver([&](Ptr<Packet>, const Address&) { ++delivered; });
    const auto packet = Create<Packet>(100);
    const auto cost = MakeCost(10, 1000, 0, 1000);

    auto free = CreateObject<HostQueue>();
    free->SetDeliver(count);
    NS_TEST_EXPECT_MSG_EQ(free->Arrive(packet, Address()), true, "a host without cost");
    NS_TEST_EXPECT_MSG_EQ(delivered, 1, "delivers at once");
    NS_TEST_EXPECT_MSG_EQ(free->IsIdle(), true, "and stays idle");

    // One in service, three waiting; then they are forgotten in three ways.
    std::vector<Ptr<HostQueue>> queues;
    for (int i = 0; i < 4; ++i)
    {
        auto queue = CreateObject<HostQueue>();
        queue->SetCost(cost);
        queue->SetDeliver(count);
        for (int k = 0; k < 4; ++k)
        {
            queue->Arrive(packet, Address());
        }
        NS_TEST_EXPECT_MSG_EQ(queue->GetWaitingPackets(), 3, "one is in service");
        NS_TEST_EXPECT_MSG_EQ(queue->GetWaitingBytes(), 300, "the others wait");
        queues.push_back(queue);
    }
    delivered = 0;
    queues[0]->Clear();
    NS_TEST_EXPECT_MSG_EQ(queues[0]->IsIdle(), true, "cleared");
    NS_TEST_EXPECT_MSG_EQ(queues[0]->GetWaitingBytes(), 0, "cleared");
    queues[1]->Dispose();
    queues[2] = nullptr;
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(delivered, 4, "only the fourth delivers");

    // A cleared queue works again.
    queues[0]->Arrive(packet, Address());
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(delivered, 5, "used again");

    // The taker hands in another packet, and finally drops the queue.
    auto queue = CreateObject<HostQueue>();
    queue->SetCost(cost);
    int turns = 0;
    queue->SetDeliver(HostQueue::Deliver([&](Ptr<Packet> back, const Address&) {
        if (++turns < 3)
        {
            queue->Arrive(back, Address());
            return;
        }
        queue->Dispose();
        queue = nullptr;
    }));
    queue->Arrive(packet, Address());
    queue->Arrive(packet, Address());
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(turns, 3, "the queue ends with its third packet");
    Simulator::Destroy();
}

const Suite g_suite("lfn-path", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new HostCostTestCase("host cost: profiles and memory passes"));
    suite.Add(new HostSendGateTestCase("host send gate: departures follow the recurrence"));
    suite.Add(new HostQueueBruteForceTestCase(
        "host queue: equals a brute-force processor on random arrivals"));
    suite.Add(new HostQueueFluidTestCase("host queue: livelock and plateau as published"));
    suite.Add(
        new HostQueueLifeTestCase("host queue: no cost, clear, dispose, destroy, reentrance"));
});

} // namespace
