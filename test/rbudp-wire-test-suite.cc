// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "rbudp-test-bytes.h"

#include "ns3/lfn-pacer.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/rbudp-arrival-map.h"
#include "ns3/rbudp-blast-schedule.h"
#include "ns3/rbudp-header.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

LFN_CASE(RbudpWireVectorsTestCase)
{
    const auto packet = Create<Packet>();
    packet->AddHeader(RbudpDataHeader(0x01020304));
    Bytes header(packet->GetSize());
    packet->CopyData(header.data(), static_cast<uint32_t>(header.size()));
    NS_TEST_EXPECT_MSG_EQ(Hex(header), "01020304", "most significant byte first");

    // 450 MB in 1450 B, near the end of the sequence space.
    const RbudpAnnouncement announcement{450'000'000, 1450, 0xfffffffe};
    NS_TEST_EXPECT_MSG_EQ(Hex(announcement.Write()),
                          "000000001ad27480000005aafffffffe",
                          "size, datagram size, first sequence");
    NS_TEST_EXPECT_MSG_EQ(announcement.GetDatagrams(), 310'345, "N of the paper's payload");
    NS_TEST_EXPECT_MSG_EQ(announcement.GetDatagramBytes(310'343), 1450, "the last but one");
    NS_TEST_EXPECT_MSG_EQ(announcement.GetDatagramBytes(310'344), 1200, "the last one");
    NS_TEST_EXPECT_MSG_EQ(RbudpAck::GetSize(310'345), 38'795, "its bitmap");

    NS_TEST_EXPECT_MSG_EQ(Hex(RbudpDone{5}.Write()), "00000005444e4500", "round and marker");
    NS_TEST_EXPECT_MSG_EQ(RbudpDone::Read(RbudpDone{0xfedcba98}.Write())->round,
                          0xfedcba98,
                          "all bits of the round");

    // Of ten datagrams 0, 3 and 9 are there.
    RbudpArrivalMap arrivals(10);
    arrivals.Record(0);
    arrivals.Record(3);
    arrivals.Record(9);
    NS_TEST_EXPECT_MSG_EQ(Hex(RbudpAck::Write(arrivals.GetBitmap(), false)),
                          "0009fe",
                          "least significant bit first, tail bits set");
    const RbudpArrivalMap eight(8);
    NS_TEST_EXPECT_MSG_EQ(Hex(RbudpAck::Write(eight.GetBitmap(), false)), "0000ff", "N = 8");
    const RbudpArrivalMap seven(7);
    NS_TEST_EXPECT_MSG_EQ(Hex(RbudpAck::Write(seven.GetBitmap(), false)), "0080", "N = 7");
}

LFN_CASE(RbudpFileRequestsTestCase)
{
    NS_TEST_EXPECT_MSG_EQ(Hex(RbudpFileRequest{"ab"}.Write()),
                          "6162" + std::string(std::size_t{2} * 254, '0'),
                          "padded with zeros");
    const std::string longest(255, 'x');
    NS_TEST_EXPECT_MSG_EQ(RbudpFileRequest::Read(RbudpFileRequest{longest}.Write())->name,
                          longest,
                          "the longest name");
    NS_TEST_EXPECT_MSG_EQ(RbudpFileRequest::Read(RbudpFileRequest{longest + "y"}.Write())->name,
                          longest,
                          "a longer one is cut");
    const auto isRefused = [](const Bytes& bytes) {
        return !RbudpFileRequest::Read(bytes).has_value();
    };
    NS_TEST_EXPECT_MSG_EQ(isRefused(Bytes(256, 0)), true, "no name");
    NS_TEST_EXPECT_MSG_EQ(isRefused(Bytes(256, 'x')), true, "a name without end");
    Bytes dirty(256, 0);
    dirty[0] = 'a';
    dirty[255] = 1;
    NS_TEST_EXPECT_MSG_EQ(isRefused(dirty), true, "something behind the name");
}

/** @brief Reading takes any bytes, and what it accepts writes back to the same bytes. */
class RbudpWireTotalityTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        std::mt19937_64 random(1);
        for (std::size_t size = 0; size <= 300; ++size)
        {
            for (int turn = 0; turn < 20; ++turn)
            {
                Bytes bytes(size);
                // All random, all zero but a little, or all ones but a little.
                const uint8_t base = turn % 3 == 1 ? 0 : 0xff;
                std::generate(bytes.begin(), bytes.end(), [&] {
                    const auto drawn = static_cast<uint8_t>(random());
                    return turn % 3 == 0 || random() % 16 == 0 ? drawn : base;
                });
                CheckMessage<RbudpAnnouncement>(bytes);
                CheckMessage<RbudpDone>(bytes);
                CheckMessage<RbudpFileRequest>(bytes);
                CheckAck(bytes);
                CheckHeader(bytes);
            }
        }
        CheckAnnouncementLimits();
    }

    /// Read a message of fixed size.
    template <typename T>
    void CheckMessage(const Bytes& bytes)
    {
        const auto message = T::Read(bytes);
        if (bytes.size() != T::SIZE)
        {
            NS_TEST_EXPECT_MSG_EQ(message.has_value(), false, "length " << bytes.size());
        }
        else if (message)
        {
            NS_TEST_EXPECT_MSG_EQ(Hex(message->Write()), Hex(bytes), "written back");
        }
    }

    /// Read an acknowledgement as one of every payload that has this length.
    void CheckAck(const Bytes& bytes)
    {
        for (uint64_t datagrams = 0; datagrams < 40; ++datagrams)
        {
            const auto bitmap = RbudpAck::Read(bytes, datagrams);
            // The rules of the bitmap bit by bit.
            bool valid = bytes.size() == datagrams / 8 + 2;
            if (valid)
            {
                bool full = true;
                for (uint64_t bit = 0; bit < 8 * (bytes.size() - 1); ++bit)
                {
                    const bool set = ((bytes[1 + bit / 8] >> (bit % 8)) & 1) != 0;
                    full = full && set;
                    valid = valid && (set || bit < datagrams);
                }
                valid = valid && bytes[0] == (full ? 1 : 0);
            }
            NS_TEST_EXPECT_MSG_EQ(bitmap.has_value(), valid, Hex(bytes) << ", N = " << datagrams);
            if (bitmap)
            {
                NS_TEST_EXPECT_MSG_EQ(Hex(RbudpAck::Write(*bitmap, bytes[0] == 1)),
                                      Hex(bytes),
                                      "written back");
            }
        }
    }

    /// Read the header of a datagram.
    void CheckHeader(const Bytes& bytes)
    {
        const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
        RbudpDataHeader header(77);
        const uint32_t size = packet->PeekHeader(header);
        if (bytes.size() < 4)
        {
            NS_TEST_EXPECT_MSG_EQ(size, 0, "too short");
            NS_TEST_EXPECT_MSG_EQ(header.sequence, 77, "unchanged");
        }
        else
        {
            const auto sequence =
                std::accumulate(bytes.begin(),
                                bytes.begin() + 4,
                                uint32_t{0},
                                [](uint32_t value, uint8_t byte) { return value * 256 + byte; });
            NS_TEST_EXPECT_MSG_EQ(size, 4, "its size");
            NS_TEST_EXPECT_MSG_EQ(header.sequence, sequence, "its value");
        }
    }

    /** @brief The ranges of an announcement's fields. */
    void CheckAnnouncementLimits()
    {
        const auto isRead = [](uint64_t bytes, uint32_t size) {
            return RbudpAnnouncement::Read(RbudpAnnouncement{bytes, size, 9}.Write()).has_value();
        };
        NS_TEST_EXPECT_MSG_EQ(isRead(1, 0), false, "no datagram size");
        NS_TEST_EXPECT_MSG_EQ(isRead(1, 65'503), true, "the largest datagram");
        NS_TEST_EXPECT_MSG_EQ(isRead(1, 65'504), false, "one byte more");
        NS_TEST_EXPECT_MSG_EQ(isRead(0, 1), true, "no such file");
        NS_TEST_EXPECT_MSG_EQ(isRead(1ULL << 31, 1), true, "half the sequence space");
        NS_TEST_EXPECT_MSG_EQ(isRead((1ULL << 31) + 1, 1), false, "one datagram more");
        NS_TEST_EXPECT_MSG_EQ(isRead(UINT64_MAX, 65'503), false, "far too much");
        NS_TEST_EXPECT_MSG_EQ(isRead(10'000'000'000, 1450), true, "10 GB");
        NS_TEST_EXPECT_MSG_EQ(isRead(6'000'000'000'000, 8192), true, "6 TB");
        const RbudpAnnouncement large{6'000'000'000'000, 8192, 0};
        NS_TEST_EXPECT_MSG_EQ(large.GetDatagrams(), 732'421'875, "6 TB in 8192 B");
        const RbudpAnnouncement huge{(1ULL << 31) * 65'503, 65'503, 0};
        NS_TEST_EXPECT_MSG_EQ(huge.GetDatagrams(), 1ULL << 31, "the largest payload");
        NS_TEST_EXPECT_MSG_EQ(huge.GetDatagramBytes((1ULL << 31) - 1), 65'503, "its last one");
    }
};

LFN_CASE(RbudpArrivalMapTestCase)
{
    std::mt19937_64 random(2);
    for (int turn = 0; turn < 300; ++turn)
    {
        const uint64_t datagrams = turn < 40 ? turn : random() % 500;
        RbudpArrivalMap arrivals(datagrams);
        std::set<uint64_t> arrived;
        for (uint64_t i = 0; i < 3 * datagrams + 5; ++i)
        {
            // One in nine outside, some of them far.
            const uint64_t index = random() % 9 == 0
                                       ? datagrams + random() % (uint64_t{1} << (random() % 63))
                                       : random() % std::max<uint64_t>(datagrams, 1);
            const bool isNew = index < datagrams && arrived.insert(index).second;
            NS_TEST_ASSERT_MSG_EQ(arrivals.Record(index), isNew, index << " of " << datagrams);
            NS_TEST_ASSERT_MSG_EQ(arrivals.GetReceived(), arrived.size(), "received");
            NS_TEST_ASSERT_MSG_EQ(arrivals.GetMissing(), datagrams - arrived.size(), "missing");
            NS_TEST_ASSERT_MSG_EQ(arrivals.IsComplete(), (arrived.size() == datagrams), "complete");
        }
        std::set<uint64_t> missing;
        for (uint64_t index = 0; index < datagrams; ++index)
        {
            NS_TEST_ASSERT_MSG_EQ(arrivals.Has(index), arrived.contains(index), index);
            if (!arrived.contains(index))
            {
                missing.insert(index);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(Hex(RbudpAck::Write(arrivals.GetBitmap(), arrivals.IsComplete())),
                              Hex(MakeAck(datagrams, missing)),
                              "bitmap");
    }
    NS_TEST_EXPECT_MSG_EQ(RbudpArrivalMap().IsComplete(), true, "a arrivals of nothing");
    NS_TEST_EXPECT_MSG_EQ(RbudpArrivalMap().Record(0), false, "it takes nothing");
}

LFN_CASE(RbudpScheduleTestCase)
{
    const auto check = [&](RbudpBlastSchedule schedule, const std::vector<uint64_t>& expected) {
        NS_TEST_ASSERT_MSG_EQ(schedule.GetSize(), expected.size(), "size");
        for (const auto index : expected)
        {
            const auto next = schedule.Next();
            NS_TEST_ASSERT_MSG_EQ(next.has_value(), true, "ends before " << index);
            NS_TEST_ASSERT_MSG_EQ(*next, index, "the next one");
        }
        NS_TEST_ASSERT_MSG_EQ(schedule.Next().has_value(), false, "no end");
        NS_TEST_ASSERT_MSG_EQ(schedule.Next().has_value(), false, "starts again");
    };
    std::mt19937_64 random(3);
    for (int turn = 0; turn < 3000; ++turn)
    {
        const uint64_t datagrams = random() % 200;
        const double loss = turn % 5 * 0.25;
        std::set<uint64_t> missing;
        for (uint64_t index = 0; index < datagrams; ++index)
        {
            if (std::uniform_real_distribution()(random) < loss)
            {
                missing.insert(index);
            }
        }
        Bytes bitmap = MakeAck(datagrams, missing);
        bitmap.erase(bitmap.begin());
        check(RbudpBlastSchedule(datagrams, bitmap), {missing.begin(), missing.end()});
    }
    std::vector<uint64_t> all(77);
    std::iota(all.begin(), all.end(), 0);
    check(RbudpBlastSchedule(77), all);
    check(RbudpBlastSchedule(), {});
    check(RbudpBlastSchedule(0), {});
}

/// The interval at a rate in bit/s with the tools' clock.
Time
Second(uint64_t rate)
{
    Pacer pacer(DataRate(rate), 1450, MicroSeconds(1));
    pacer.Advance();
    return pacer.GetOffset();
}

/// The closed form in ns: floor(i * bits / rate), or i * floor(bits / rate / quantum) quanta.
int64_t
GetOffset(uint64_t rate, uint32_t bytes, int64_t quantum, uint64_t i)
{
    __extension__ using Wide = unsigned __int128;
    const Wide scaled = Wide{8'000'000'000} * bytes;
    if (quantum == 0)
    {
        return static_cast<int64_t>(scaled * i / rate);
    }
    const Wide quanta = scaled / (Wide{rate} * static_cast<uint64_t>(quantum));
    return static_cast<int64_t>((quanta == 0 ? Wide{1} : quanta) * i *
                                static_cast<uint64_t>(quantum));
}

LFN_CASE(RbudpPacerTestCase)
{
    // Compare the first offsets with the closed form; the rate is in bit/s; quantum 0: none.
    const auto checkOffsets = [&](uint64_t rate, uint32_t bytes, Time quantum, uint64_t datagrams) {
        Pacer pacer(DataRate(rate), bytes, quantum);
        for (uint64_t i = 0; i < datagrams; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(pacer.GetOffset().GetNanoSeconds(),
                                  GetOffset(rate, bytes, quantum.GetNanoSeconds(), i),
                                  i << ": " << rate << " bit/s, " << bytes << " B, " << quantum);
            pacer.Advance();
        }
    };
    // The rates of spec 2.3: what each whole microsecond gives, and the paper's own figures.
    const std::array<std::tuple<int, double>, 7> steps{{{14, 828.6},
                                                        {15, 773.3},
                                                        {16, 725.0},
                                                        {17, 682.4},
                                                        {18, 644.4},
                                                        {19, 610.5},
                                                        {20, 580.0}}};
    for (const auto& [us, mbps] : steps)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(1450 * 8.0 / us, mbps, 0.051, "the table itself");
        // Any rate down to just above the next step's is sent at this step.
        const auto fastest = static_cast<uint64_t>(1450 * 8e6 / us);
        const auto slowest = static_cast<uint64_t>(1450 * 8e6 / (us + 1)) + 1;
        for (const auto rate : {fastest, (fastest + slowest) / 2, slowest})
        {
            checkOffsets(rate, 1450, MicroSeconds(1), 1000);
            Pacer pacer(DataRate(rate), 1450, MicroSeconds(1));
            pacer.Advance();
            NS_TEST_EXPECT_MSG_EQ(pacer.GetOffset(), MicroSeconds(us), rate << " bit/s");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(Second(611'000'000), MicroSeconds(18), "611 Mb/s: 18.99 us");
    NS_TEST_EXPECT_MSG_EQ(Second(610'500'000), MicroSeconds(19), "610.5 Mb/s: 19.001 us");

    std::mt19937_64 random(4);
    for (int turn = 0; turn < 300; ++turn)
    {
        const uint64_t rate = 1 + random() % (uint64_t{1} << (1 + random() % 40));
        const auto bytes = static_cast<uint32_t>(1 + random() % 65'503);
        const int64_t quantum = turn % 3 == 0 ? 0 : 1 + static_cast<int64_t>(random() % 50'000);
        checkOffsets(rate, bytes, NanoSeconds(quantum), 200);
    }
    // A quantum above the interval takes its place.
    checkOffsets(1'000'000'000, 1450, MilliSeconds(1), 100);
    Pacer coarse(DataRate("1Gbps"), 1450, MilliSeconds(1));
    coarse.Advance();
    NS_TEST_EXPECT_MSG_EQ(coarse.GetOffset(), MilliSeconds(1), "one quantum");
}

LFN_CASE(RbudpPacerDriftTestCase)
{
    constexpr uint64_t DATAGRAMS = 10'000'000;
    Pacer pacer(DataRate(611'000'000), 1450, Time(0));
    for (uint64_t i = 0; i < DATAGRAMS; ++i)
    {
        pacer.Advance();
    }
    NS_TEST_EXPECT_MSG_EQ(pacer.GetOffset().GetNanoSeconds(),
                          GetOffset(611'000'000, 1450, 0, DATAGRAMS),
                          "drift");
    const long double seconds = DATAGRAMS * 11600.0L / 611e6L;
    NS_TEST_EXPECT_MSG_EQ_TOL(pacer.GetOffset().GetSeconds(),
                              static_cast<double>(seconds),
                              2e-9,
                              "drift");
}

const Suite g_suite("lfn-rbudp-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new RbudpWireVectorsTestCase("wire: messages as literal bytes"));
    suite.Add(new RbudpFileRequestsTestCase("wire: names up to 255 bytes, padded with zeros"));
    suite.Add(
        new RbudpWireTotalityTestCase("wire: every length and random bytes are read or refused"));
    suite.Add(new RbudpArrivalMapTestCase("arrivals: agrees with a set"));
    suite.Add(new RbudpScheduleTestCase("blast schedule: agrees with a scan bit by bit"));
    suite.Add(new RbudpPacerTestCase("pacer: exact schedule, whole quanta"));
    suite.Add(new RbudpPacerDriftTestCase(
        "pacer: ten million datagrams later the schedule is still exact"));
});

} // namespace
