// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/parallel-receiver-core.h"
#include "ns3/parallel-sender-core.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Bytes = std::vector<uint8_t>;

/** @brief Headers of chunks: write and read, known bytes, and everything that is refused. */
LFN_CASE(ParallelWireTestCase)
{
    // Read a header.
    const auto checkRange = [&](uint64_t total, uint64_t offset, uint32_t length, bool isGood) {
        ParallelChunkHeader header;
        header.total = total;
        header.offset = offset;
        header.length = length;
        NS_TEST_EXPECT_MSG_EQ(ParallelChunkHeader::Read(header.Write()).has_value(),
                              isGood,
                              total << " " << offset << " " << length);
    };
    ParallelChunkHeader header;
    header.total = 0x0102030405060708;
    header.offset = 0x0002030405060700;
    header.length = 0x00010203;
    header.transfer = 0x0a0b0c0d;
    const auto bytes = header.Write();
    const Bytes expected{'P', 'T', 'C', 'P', 0, 1, 2, 3, 0, 2, 3,  4,  5,  6,
                         7,   0,   1,   2,   3, 4, 5, 6, 7, 8, 10, 11, 12, 13};
    NS_TEST_EXPECT_MSG_EQ((Bytes(bytes.begin(), bytes.end()) == expected), true, "bytes");
    NS_TEST_EXPECT_MSG_EQ((ParallelChunkHeader::Read(bytes) == header), true, "read back");
    const std::span<const uint8_t> all(bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        NS_TEST_EXPECT_MSG_EQ(ParallelChunkHeader::Read(all.first(size)).has_value(),
                              false,
                              size << " bytes only");
    }
    checkRange(0, 0, 0, false);
    checkRange(0, 0, 1, true);
    checkRange(10, 0, 10, true);
    checkRange(10, 0, 11, false);
    checkRange(10, 9, 1, true);
    checkRange(10, 10, 1, false);
    checkRange(10, UINT64_MAX, 1, false);
    checkRange(0, UINT64_MAX, 1, false);
    checkRange(0, UINT64_MAX - 5, 5, true);
    checkRange(0, UINT64_MAX - 5, 6, false);
    std::mt19937 random(1);
    for (uint32_t i = 0; i < 100000; ++i)
    {
        Bytes wild(ParallelChunkHeader::SIZE);
        std::ranges::generate(wild, [&random] { return static_cast<uint8_t>(random()); });
        std::copy_n(bytes.begin(), i % 2 == 0 ? 4 : 0, wild.begin());
        if (const auto read = ParallelChunkHeader::Read(wild))
        {
            const auto again = read->Write();
            NS_TEST_ASSERT_MSG_EQ((Bytes(again.begin(), again.end()) == wild), true, "same");
        }
    }
}

/** @brief Every byte goes over exactly one connection, any host that carries it. */
LFN_CASE(ParallelStripingTestCase)
{
    // Take all chunks in a random order and put them together.
    const auto checkAll = [&](ParallelStriping striping, uint64_t bytes, uint32_t streams) {
        ParallelSenderCore core({bytes, streams, 10, striping});
        const uint64_t chunks = (bytes + 9) / 10;
        NS_TEST_EXPECT_MSG_EQ(core.GetStreams(), std::min<uint64_t>(streams, chunks), "streams");
        std::vector<uint32_t> covered(bytes);
        std::vector<uint32_t> open(core.GetStreams());
        for (uint32_t i = 0; i < open.size(); ++i)
        {
            open[i] = i;
        }
        std::mt19937 random(1);
        while (!open.empty())
        {
            const auto which = random() % open.size();
            const auto chunk = core.Next(open[which]);
            if (!chunk)
            {
                open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(chunk->total, bytes, "the size");
            NS_TEST_ASSERT_MSG_EQ((ParallelChunkHeader::Read(chunk->Write()) == chunk),
                                  true,
                                  "can be read");
            for (uint32_t i = 0; i < chunk->length; ++i)
            {
                ++covered[chunk->offset + i];
            }
        }
        NS_TEST_EXPECT_MSG_EQ((std::ranges::all_of(covered, [](auto n) { return n == 1; })),
                              true,
                              "every byte once: " << bytes << " over " << streams);
    };
    for (const auto striping :
         {ParallelStriping::ROUND_ROBIN, ParallelStriping::PARTITION, ParallelStriping::ON_DEMAND})
    {
        for (const uint64_t bytes : {1, 9, 10, 11, 99, 100, 101, 1234})
        {
            for (const uint32_t streams : {1, 2, 3, 7, 1000})
            {
                checkAll(striping, bytes, streams);
            }
        }
    }
}

/** @brief A partition is one piece, and none is more than a chunk longer than another. */
LFN_CASE(PartitionCase)
{
    ParallelSenderCore core({1000, 3, 10, ParallelStriping::PARTITION});
    uint64_t next = 0;
    for (const uint64_t size : {340, 330, 330})
    {
        uint64_t sum = 0;
        const uint32_t stream = next == 0 ? 0 : next == 340 ? 1 : 2;
        while (const auto chunk = core.Next(stream))
        {
            NS_TEST_ASSERT_MSG_EQ(chunk->offset, next, "in order");
            next += chunk->length;
            sum += chunk->length;
        }
        NS_TEST_EXPECT_MSG_EQ(sum, size, "its share");
    }
}

/** @brief Without an end chunks go on, and there are no partitions. */
LFN_CASE(EndlessCase)
{
    ParallelSenderCore none({0, 3, 10, ParallelStriping::PARTITION});
    NS_TEST_EXPECT_MSG_EQ(none.Next(0).has_value(), false, "no partition");
    ParallelSenderCore core({0, 3, 10, ParallelStriping::ROUND_ROBIN});
    NS_TEST_EXPECT_MSG_EQ(core.GetStreams(), 3, "as many as asked for");
    for (uint64_t i = 0; i < 1000; ++i)
    {
        const auto chunk = core.Next(i % 3);
        NS_TEST_ASSERT_MSG_EQ(chunk->offset, 10 * i, "in turns");
        NS_TEST_ASSERT_MSG_EQ(chunk->total, 0, "without an end");
    }
}

/** @brief User bytes of a connection's beginning, against a walk over its bytes. */
LFN_CASE(AcknowledgedCase)
{
    const ParallelSenderCore core({1000, 1, 10, ParallelStriping::ROUND_ROBIN});
    uint64_t user = 0;
    for (uint64_t wire = 0; wire < 500; ++wire)
    {
        NS_TEST_ASSERT_MSG_EQ(core.GetUserBytes(wire), user, wire << " bytes");
        user += wire % 38 >= 28 ? 1 : 0;
    }
}

/** @brief Any order and any cuts give the same account as a list of single bytes. */
LFN_CASE(ParallelAssemblyTestCase)
{
    // Send random chunks, overlapping ones as well, over three connections in random cuts.
    const auto checkRandom = [&](uint32_t run) {
        constexpr uint32_t TOTAL = 400;
        std::mt19937 random(run);
        ParallelReceiverCore core;
        std::vector<bool> there(TOTAL);
        uint64_t peak = 0;
        std::vector<Bytes> waiting(3);
        std::vector<ParallelChunkHeader> chunks(3);
        std::vector<uint32_t> left(3);
        for (uint32_t step = 0; step < 600; ++step)
        {
            const uint32_t stream = random() % 3;
            if (left[stream] == 0 && waiting[stream].empty())
            {
                auto& chunk = chunks[stream];
                chunk.total = TOTAL;
                chunk.offset = random() % TOTAL;
                chunk.length = 1 + random() % std::min<uint64_t>(40, TOTAL - chunk.offset);
                const auto bytes = chunk.Write();
                waiting[stream].assign(bytes.begin(), bytes.end());
                left[stream] = chunk.length;
            }
            auto& header = waiting[stream];
            const uint32_t wanted = core.GetWanted(stream);
            const uint32_t size = 1 + random() % wanted;
            NS_TEST_ASSERT_MSG_EQ(core.IsInChunk(stream), header.empty(), "the turn");
            if (!header.empty())
            {
                NS_TEST_ASSERT_MSG_EQ(core.OnHeader(stream, std::span(header).first(size)),
                                      true,
                                      "a good header");
                header.erase(header.begin(), header.begin() + size);
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(wanted, left[stream], "the rest of the chunk");
            const uint64_t offset = chunks[stream].offset + chunks[stream].length - left[stream];
            uint64_t fresh = 0;
            for (uint64_t i = offset; i < offset + size; ++i)
            {
                fresh += there[i] ? 0 : 1;
                there[i] = true;
            }
            NS_TEST_ASSERT_MSG_EQ(core.GetOffset(stream), offset, "the place");
            left[stream] -= size;
            NS_TEST_ASSERT_MSG_EQ(core.OnData(stream, size), fresh, "what is new");
            const uint64_t all = std::ranges::count(there, true);
            const uint64_t inOrder = std::ranges::find(there, false) - there.begin();
            peak = std::max(peak, all - inOrder);
            NS_TEST_ASSERT_MSG_EQ(core.GetReceived(), all, "all that is there");
            NS_TEST_ASSERT_MSG_EQ(core.GetInOrder(), inOrder, "without a gap");
            NS_TEST_ASSERT_MSG_EQ(core.GetPeakWaiting(), peak, "behind a gap");
        }
        NS_TEST_EXPECT_MSG_EQ(core.GetTotal(), TOTAL, "the size");
    };
    for (uint32_t run = 1; run <= 200; ++run)
    {
        checkRandom(run);
    }
}

/** @brief What costs a connection. */
LFN_CASE(RefusedCase)
{
    ParallelReceiverCore core;
    const auto make = [](uint64_t total, uint64_t offset) {
        ParallelChunkHeader header;
        header.total = total;
        header.offset = offset;
        header.length = 1;
        return header.Write();
    };
    NS_TEST_EXPECT_MSG_EQ(core.OnHeader(1, make(100, 0)), true, "the first says the size");
    NS_TEST_EXPECT_MSG_EQ(core.OnHeader(1, make(100, 0)), false, "not within a chunk");
    NS_TEST_EXPECT_MSG_EQ(core.OnHeader(2, make(101, 0)), false, "another size");
    NS_TEST_EXPECT_MSG_EQ(core.OnHeader(3, make(100, 100)), false, "beyond the end");
    NS_TEST_EXPECT_MSG_EQ(core.OnHeader(4, Bytes(29)), false, "more than was wanted");
    core.Close(1);
    NS_TEST_EXPECT_MSG_EQ(core.GetWanted(1), ParallelChunkHeader::SIZE, "forgotten");
    // A misbehaving host who leaves a gap after every byte.
    ParallelReceiverCore gaps;
    uint64_t taken = 0;
    while (taken < 2 * ParallelReceiverCore::MAX_GAPS && gaps.OnHeader(1, make(0, 2 * taken)))
    {
        gaps.OnData(1, 1);
        ++taken;
    }
    NS_TEST_EXPECT_MSG_EQ(taken, ParallelReceiverCore::MAX_GAPS, "bounded");
}

/** @brief Transfers after and alongside each other, and bytes that are not what was sent. */
LFN_CASE(TransfersCase)
{
    ParallelReceiverCore core;
    const auto take = [&core](uint64_t stream, uint32_t transfer, uint64_t total) {
        ParallelChunkHeader header;
        header.total = total;
        header.length = 10;
        header.transfer = transfer;
        return core.OnHeader(stream, header.Write());
    };
    NS_TEST_EXPECT_MSG_EQ(take(1, 7, 20), true, "a transfer");
    NS_TEST_EXPECT_MSG_EQ(core.OnData(1, 10), 10, "its bytes");
    NS_TEST_EXPECT_MSG_EQ(take(2, 8, 30), true, "another one, of another size");
    NS_TEST_EXPECT_MSG_EQ(core.GetTotal(), 30, "that one is notified of");
    core.SkipData(2, 4);
    NS_TEST_EXPECT_MSG_EQ(core.GetOffset(2), 4, "passed over");
    NS_TEST_EXPECT_MSG_EQ(core.OnData(2, 6), 6, "the others are new");
    NS_TEST_EXPECT_MSG_EQ(core.GetInOrder(), 0, "with a gap before them");
    NS_TEST_EXPECT_MSG_EQ(take(3, 8, 30), true, "a second connection");
    NS_TEST_EXPECT_MSG_EQ(core.OnData(3, 10), 4, "which brings what lacked");
    NS_TEST_EXPECT_MSG_EQ(core.GetInOrder(), 10, "no gap");
    NS_TEST_EXPECT_MSG_EQ(take(1, 8, 30), false, "a connection stays where it is");
    NS_TEST_EXPECT_MSG_EQ(take(4, 7, 20), true, "the first transfer goes on");
    NS_TEST_EXPECT_MSG_EQ(core.OnData(4, 10), 0, "and has these bytes");
    for (const uint64_t stream : {1, 2, 3, 4})
    {
        core.Close(stream);
    }
    NS_TEST_EXPECT_MSG_EQ(core.GetReceived(), 10, "the last one is still reported");
    NS_TEST_EXPECT_MSG_EQ(take(5, 8, 30), true, "a connection that comes late");
    NS_TEST_EXPECT_MSG_EQ(core.GetReceived(), 10, "belongs to it");
    core.Close(5);
    NS_TEST_EXPECT_MSG_EQ(take(5, 8, 40), true, "its name is free again");
    NS_TEST_EXPECT_MSG_EQ(core.GetReceived(), 0, "from the beginning");
    core.Close(99);
}

const Suite g_suite("lfn-parallel", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new ParallelWireTestCase("parallel TCP: the chunk's header"));
    suite.Add(new ParallelStripingTestCase("parallel TCP: striping"));
    suite.Add(new PartitionCase(
        "a partition is one piece, and none is more than a chunk longer than another"));
    suite.Add(new EndlessCase("without an end chunks go on, and there are no partitions"));
    suite.Add(new AcknowledgedCase(
        "user bytes of a connection's beginning, against a walk over its bytes"));
    suite.Add(new ParallelAssemblyTestCase("parallel TCP: putting together"));
    suite.Add(new RefusedCase("what costs a connection"));
    suite.Add(new TransfersCase(
        "transfers after and alongside each other, and bytes that are not what was sent"));
});

} // namespace
