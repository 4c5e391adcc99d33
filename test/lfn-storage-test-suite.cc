// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-host-queue.h"
#include "ns3/lfn-storage-core.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint64_t MIB = 1024 * 1024; //!< bytes in a mebibyte

/// A host whose processor takes a time for each packet, and that has a disk.
Ptr<HostCost>
MakeHost(int64_t readNs, const StorageCore::Settings& disk, int64_t interruptNs = 0)
{
    auto cost = CreateObject<HostCost>();
    cost->SetAttribute("ReadCost", TimeValue(NanoSeconds(readNs)));
    cost->SetAttribute("InterruptCost", TimeValue(NanoSeconds(interruptNs)));
    cost->SetAttribute("StorageRate", DataRateValue(disk.rate));
    cost->SetAttribute("StorageCache", UintegerValue(disk.cacheBytes));
    cost->SetAttribute("SeekTime", TimeValue(disk.seekTime));
    return cost;
}

/** @brief Writes wait as for a cache whose level is followed from call to call. */
LFN_CASE(StorageWriteTestCase)
{
    StorageCore none;
    NS_TEST_EXPECT_MSG_EQ(none.Write(Seconds(3), 1000), Seconds(3), "without a disk");
    NS_TEST_EXPECT_MSG_EQ(none.GetLastWrite().has_value(), false, "nothing is written");

    std::mt19937_64 random(5);
    uint64_t waits = 0;
    for (int trial = 0; trial < 50; ++trial)
    {
        const double rate = 1e6 + static_cast<double>(random() % 1'000'000'000); // [bit/s]
        const double cache = trial % 5 == 0 ? 0 : static_cast<double>(random() % 100'000);
        StorageCore disk({DataRate(static_cast<uint64_t>(rate)), static_cast<uint64_t>(cache), {}});
        double now = 0;
        double level = 0; // bytes that are not on the disk
        for (int i = 0; i < 300; ++i)
        {
            const double pause = static_cast<double>(random() % 100) * 1448 * 8 / rate / 40;
            now += pause;
            level = std::max(0.0, level - pause * rate / 8);
            const auto bytes = static_cast<uint32_t>(random() % 3000);
            level += bytes;
            const double wait = std::max(0.0, level - cache) * 8 / rate;
            waits += wait > 0 ? 1 : 0;
            const Time returns = disk.Write(Seconds(now), bytes);
            NS_TEST_ASSERT_MSG_EQ_TOL(returns.GetSeconds(), now + wait, 1e-8, "write " << i);
            now += wait;
            level = std::max(0.0, level - wait * rate / 8);
            const double written = now + level * 8 / rate;
            const double stored = bytes > 0 ? disk.GetLastWrite()->GetSeconds() : written;
            NS_TEST_ASSERT_MSG_EQ_TOL(stored, written, 1e-8, "on the disk " << i);
        }
    }
    NS_TEST_EXPECT_MSG_GT(waits, 1000, "writes wait");
}

/** @brief The first write that waits, and the law of the whole. */
LFN_CASE(StorageLawTestCase)
{
    constexpr double NETWORK = 600e6;
    constexpr double DISK = 400e6;
    constexpr uint32_t PIECE = 1450;
    constexpr uint64_t WHOLE = 450'000'000;
    for (const uint64_t cache : {uint64_t{0}, 8 * MIB, 64 * MIB, 1024 * MIB})
    {
        StorageCore disk({DataRate(static_cast<uint64_t>(DISK)), cache, {}});
        std::optional<Time> firstWait;
        Time returned;
        for (uint64_t sent = 0; sent < WHOLE; sent += PIECE)
        {
            const Time due = Seconds(static_cast<double>(sent + PIECE) * 8 / NETWORK);
            const Time now = std::max(due, returned);
            returned = disk.Write(now, PIECE);
            firstWait = firstWait || returned == now ? firstWait : now;
        }
        const double late = static_cast<double>(WHOLE) - static_cast<double>(cache);
        const double expected = std::max(WHOLE * 8 / NETWORK, late * 8 / DISK);
        NS_TEST_EXPECT_MSG_EQ_TOL(returned.GetSeconds(), expected, 1e-4, "T, cache " << cache);
        NS_TEST_EXPECT_MSG_EQ_TOL(disk.GetLastWrite()->GetSeconds(), 9.0, 1e-4, "on the disk");
        NS_TEST_EXPECT_MSG_EQ(firstWait.has_value(), (cache < 1024 * MIB), "whether a write waits");
        if (cache == 8 * MIB)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(firstWait->GetSeconds(), 0.3355, 1e-4, "C / (B - D)");
        }
    }
}

/** @brief Seeks are paid where an access does not begin at the end of the one before. */
LFN_CASE(StorageSeekTestCase)
{
    const StorageCore::Settings settings{DataRate("8Mbps"), 0, MilliSeconds(5)};
    StorageCore written(settings);
    NS_TEST_EXPECT_MSG_EQ(written.Write(Time(0), 1000), MilliSeconds(1), "in sequence");
    NS_TEST_EXPECT_MSG_EQ(written.Write(MilliSeconds(1), 1000, 1000), MilliSeconds(2), "likewise");
    NS_TEST_EXPECT_MSG_EQ(written.Write(MilliSeconds(2), 1000, 0), MilliSeconds(8), "back");
    NS_TEST_EXPECT_MSG_EQ(written.Write(MilliSeconds(8), 1000), MilliSeconds(9), "after that");

    StorageCore read(settings);
    NS_TEST_EXPECT_MSG_EQ(read.Read(Time(0), {0, 1000}), MilliSeconds(6), "the first byte");
    NS_TEST_EXPECT_MSG_EQ(read.Read(MilliSeconds(6), {1000, 1000}), MilliSeconds(7), "ahead");
    NS_TEST_EXPECT_MSG_EQ(read.Read(MilliSeconds(50), {0, 1000}), MilliSeconds(56), "again");
    NS_TEST_EXPECT_MSG_EQ(read.Read(MilliSeconds(56), {1000, 1000}), MilliSeconds(57), "behind it");
    // Reading ahead paused for 7 ms: byte 60000 is there at 5 + 60 + 7 ms.
    NS_TEST_EXPECT_MSG_EQ(read.Read(MilliSeconds(60), {2000, 58'000}), MilliSeconds(72), "ahead");
}

/** @brief Byte x is there at 8 x / D; what the cache holds costs nothing, the rest is read again.
 */
LFN_CASE(StorageReadTestCase)
{
    StorageCore none;
    NS_TEST_EXPECT_MSG_EQ(none.Read(Seconds(3), {0, 1000}), Seconds(3), "without a disk");

    StorageCore disk({DataRate("8Mbps"), 10'000, {}});
    const Time begin = Seconds(1);
    for (uint32_t i = 0; i < 50; ++i)
    {
        const Time there = disk.Read(begin, {i * 1000, 1000});
        NS_TEST_EXPECT_MSG_EQ(there, begin + MilliSeconds(i + 1), "packet " << i);
    }
    const Time late = Seconds(2);
    NS_TEST_EXPECT_MSG_EQ(disk.Read(late, {45'000, 1000}), late, "cached");
    NS_TEST_EXPECT_MSG_EQ(disk.Read(late, {40'000, 1000}), late, "the oldest that is cached");
    NS_TEST_EXPECT_MSG_EQ(disk.Read(late, {39'000, 1000}), late + MilliSeconds(1), "not cached");
    NS_TEST_EXPECT_MSG_EQ(disk.Read(late, {0, 1000}), late + MilliSeconds(2), "one by one");
    NS_TEST_EXPECT_MSG_EQ(disk.Read(late, {900'000, 1000}), late + MilliSeconds(3), "far ahead");
    NS_TEST_EXPECT_MSG_EQ(disk.Read(late, {50'000, 1000}), late, "read ahead meanwhile");

    // Of two streams one asks further ahead: the other's bytes are there by the same law.
    StorageCore shared({DataRate("8Mbps"), 100'000, {}});
    NS_TEST_EXPECT_MSG_EQ(shared.Read(Time(0), {64'000, 1000}), MilliSeconds(65), "ahead");
    NS_TEST_EXPECT_MSG_EQ(shared.Read(Time(0), {0, 1000}), MilliSeconds(1), "in between");
}

/** @brief Times beyond ns-3's longest one, 292 years, do not wrap around. */
LFN_CASE(StorageLongTestCase)
{
    const Time years = Seconds(4e9); // of 1.15e9 B at 1 bit/s, and more
    constexpr uint32_t PIECE = 1'500'000'000;
    StorageCore written({DataRate(1), 10'000'000'000, Seconds(9e9)});
    Time stored;
    for (int i = 0; i < 8; ++i)
    {
        const Time now = Seconds(i);
        const Time returns = written.Write(now, PIECE);
        NS_TEST_EXPECT_MSG_EQ((returns == now), (i < 6), "the cache takes it, write " << i);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(returns, now, "no call returns earlier, write " << i);
        NS_TEST_EXPECT_MSG_GT(*written.GetLastWrite(), years, "on the disk, write " << i);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(*written.GetLastWrite(), stored, "not earlier, write " << i);
        stored = *written.GetLastWrite();
    }
    NS_TEST_EXPECT_MSG_GT(written.Write(Seconds(9), 1000, 0), years, "a seek as well");
    NS_TEST_EXPECT_MSG_GT(Seconds(10) + *written.GetLastWrite(), years, "sums are times");

    StorageCore read({DataRate(1), 0, Seconds(9e9)});
    NS_TEST_EXPECT_MSG_GT(read.Read(Seconds(1), {uint64_t{1} << 62, 1000}), years, "far away");
    NS_TEST_EXPECT_MSG_GT(read.Read(Seconds(2), {0, PIECE}), years, "again");
    NS_TEST_EXPECT_MSG_GT(read.Read(Seconds(3), {0, PIECE}), years, "and again");

    StorageCore cached({DataRate("8Mbps"), UINT64_MAX, MilliSeconds(5)});
    NS_TEST_EXPECT_MSG_EQ(cached.Read(Time(0), {0, 1000}), MilliSeconds(6), "the largest cache");
    NS_TEST_EXPECT_MSG_EQ(cached.Read(Time(0), {1000, 1000}), MilliSeconds(7), "ahead of it");

    HostSendGate gate(MakeHost(1'000'000, {DataRate(1), 0, {}}));
    const Time late = gate.Admit(Time(0), Time(0), 1000, {0, PIECE});
    NS_TEST_EXPECT_MSG_GT(late, years, "a sending host");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(gate.Admit(Time(0), Time(0), 1000), late, "and then");
}

/** @brief A sending host lets no packet go before its last byte was read. */
LFN_CASE(HostReadsTestCase)
{
    for (const bool isDiskSlow : {true, false})
    {
        const DataRate rate(isDiskSlow ? "4Mbps" : "80Mbps"); // a packet in 2 ms, or in 0.1 ms
        HostSendGate gate(MakeHost(1'000'000, {rate, 0, {}}));
        Time now;
        for (uint32_t i = 0; i < 100; ++i)
        {
            now = gate.Admit(now, now, 1000, {i * 1000, 1000});
        }
        const Time expected = isDiskSlow ? MilliSeconds(200) : MicroSeconds(99'100);
        NS_TEST_EXPECT_MSG_EQ(now, expected, "the slower of processor and disk");
        NS_TEST_EXPECT_MSG_EQ(gate.Admit(now, now, 1000), now + MilliSeconds(1), "no data");
    }
}

/** @brief Hand a host packets of 1000 B, with an interval; get when the last one is delivered. */
Time
Deliver(Ptr<HostCost> cost, int packets, Time interval, int& lost, uint32_t storedBytes = 1000)
{
    auto queue = CreateObject<HostQueue>();
    Time last;
    lost = 0;
    queue->SetCost(cost);
    queue->SetWork(HostQueue::GetWork([&](Ptr<const Packet> packet) {
        return cost->GetWork(packet->GetSize() - 1000 + storedBytes, storedBytes > 0);
    }));
    queue->SetDeliver(
        HostQueue::Deliver([&](Ptr<Packet>, const Address&) { last = Simulator::Now(); }));
    for (int i = 0; i < packets; ++i)
    {
        Simulator::Schedule(interval * i, [&] {
            lost += queue->Arrive(Create<Packet>(1000), Address()) ? 0 : 1;
        });
    }
    Simulator::Run();
    queue->Dispose();
    Simulator::Destroy();
    return last;
}

/** @brief A receiving host's processor and disk work at the same time; its buffer loses. */
LFN_CASE(HostWritesTestCase)
{
    int lost = 0;
    const DataRate disk("4Mbps"); // a packet in 2 ms; the processor needs 1 ms
    const auto run = [&](uint64_t cache, int packets, Time interval, uint32_t stored = 1000) {
        return Deliver(MakeHost(1'000'000, {disk, cache, {}}), packets, interval, lost, stored);
    };
    NS_TEST_EXPECT_MSG_EQ(run(0, 100, Time(0)), MilliSeconds(300), "one after the other");
    NS_TEST_EXPECT_MSG_EQ(run(1000, 100, Time(0)), MilliSeconds(199), "the disk all the time");
    NS_TEST_EXPECT_MSG_EQ(run(100'000, 100, Time(0)), MilliSeconds(100), "all in the cache");
    NS_TEST_EXPECT_MSG_EQ(run(0, 100, Time(0), 0), MilliSeconds(100), "nothing is stored");
    NS_TEST_EXPECT_MSG_EQ(lost, 0, "the buffer has room");

    // Offered at 8 Mb/s: 1 - D / B - (C + R) / S is lost, but for the packet in service.
    const auto cost = MakeHost(0, {disk, 50'000, {}});
    cost->SetAttribute("BufferSize", UintegerValue(100'000));
    Deliver(cost, 1000, MilliSeconds(1), lost);
    NS_TEST_EXPECT_MSG_EQ_TOL(lost, 1000 * (1 - 0.5) - 150, 2, "the law");

    // While the disk is busy the processor is free for interrupts.
    const Time last = Deliver(MakeHost(0, {disk, 0, {}}, 100'000), 100, MilliSeconds(1), lost);
    NS_TEST_EXPECT_MSG_EQ(last, MicroSeconds(200'100), "only the first interrupt is waited for");
}

const Suite g_suite("lfn-storage", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new StorageWriteTestCase("storage: writes wait as the level of the cache demands"));
    suite.Add(new StorageLawTestCase("storage: the first wait and the time of the whole"));
    suite.Add(new StorageSeekTestCase("storage: seeks"));
    suite.Add(new StorageReadTestCase("storage: reading ahead, from the cache, and again"));
    suite.Add(new StorageLongTestCase("storage: times beyond ns-3's longest, sizes near 2^64"));
    suite.Add(new HostReadsTestCase("host send gate: no packet leaves before it is read"));
    suite.Add(new HostWritesTestCase("host queue: processor and disk overlap, the buffer loses"));
});

} // namespace
