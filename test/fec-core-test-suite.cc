// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/fec-receiver-core.h"
#include "ns3/fec-sender-core.h"
#include "ns3/fec-session-table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Bytes = std::vector<uint8_t>;

/** @brief Headers: known bytes, write and read, everything that is refused. */
LFN_CASE(FecWireTestCase)
{
    const FecDataHeader data{0x01020304, 2, 3};
    const auto dataBytes = data.Write();
    NS_TEST_EXPECT_MSG_EQ(
        (Bytes(dataBytes.begin(), dataBytes.end()) == Bytes{0xfd, 2, 3, 0, 1, 2, 3, 4, 0, 0, 0, 0}),
        true,
        "data");
    NS_TEST_EXPECT_MSG_EQ((FecDataHeader::Read(dataBytes) == data), true, "read back");
    const FecParityHeader parity{0x01020304, 7, 0x0506};
    const auto parityBytes = parity.Write();
    NS_TEST_EXPECT_MSG_EQ((Bytes(parityBytes.begin(), parityBytes.end()) ==
                           Bytes{0xfb, 0, 5, 6, 1, 2, 3, 4, 0, 0, 0, 7, 0, 0, 0, 0}),
                          true,
                          "parity");
    NS_TEST_EXPECT_MSG_EQ((FecParityHeader::Read(parityBytes) == parity), true, "read back");
    const FecDataHeader nextData{1, 2, 3, 0xabcdef01};
    const FecParityHeader nextParity{1, 7, 2, 0xabcdef01};
    NS_TEST_EXPECT_MSG_EQ(nextData.Write()[8], 0xab, "the session");
    NS_TEST_EXPECT_MSG_EQ(nextParity.Write()[12], 0xab, "the session");
    NS_TEST_EXPECT_MSG_EQ((FecDataHeader::Read(nextData.Write()) == nextData), true, "data");
    NS_TEST_EXPECT_MSG_EQ((FecParityHeader::Read(nextParity.Write()) == nextParity),
                          true,
                          "parity");
    FecSenderCore sender(1, 0, 0xabcdef01);
    NS_TEST_EXPECT_MSG_EQ(sender.GetNext().session, 0xabcdef01, "in all headers");
    sender.Add(Bytes{1});
    NS_TEST_EXPECT_MSG_EQ(sender.TakeParity().header.session, 0xabcdef01, "in all headers");
    for (std::size_t size = 0; size < FecDataHeader::SIZE; ++size)
    {
        NS_TEST_EXPECT_MSG_EQ(FecDataHeader::Read(std::span(dataBytes).first(size)).has_value(),
                              false,
                              "short");
    }
    for (std::size_t size = 0; size < FecParityHeader::SIZE; ++size)
    {
        NS_TEST_EXPECT_MSG_EQ(FecParityHeader::Read(std::span(parityBytes).first(size)).has_value(),
                              false,
                              "short");
    }
    for (uint32_t index = 0; index < 256; ++index)
    {
        for (uint32_t count = 0; count < 256; ++count)
        {
            const FecDataHeader header{1, static_cast<uint8_t>(index), static_cast<uint8_t>(count)};
            NS_TEST_ASSERT_MSG_EQ(FecDataHeader::Read(header.Write()).has_value(),
                                  (count <= 32 && index < count),
                                  index << " of " << count);
        }
    }
    std::mt19937 random(1);
    for (uint32_t i = 0; i < 100000; ++i)
    {
        const uint32_t mask = i < 1000 ? i : random() >> random() % 32;
        bool isWhole = false;
        for (uint32_t count = 1; count <= 32; ++count)
        {
            isWhole = isWhole || mask == FecParityHeader::MakeMask(count);
        }
        NS_TEST_ASSERT_MSG_EQ(
            FecParityHeader::Read(FecParityHeader{1, mask, 2}.Write()).has_value(),
            isWhole,
            mask);
        Bytes wild(12);
        std::ranges::generate(wild, [&random] { return static_cast<uint8_t>(random()); });
        wild[0] = i % 2 == 0 ? 0xfd : 0xfb;
        FecDataHeader::Read(wild);
        FecParityHeader::Read(wild);
    }
}

/** @brief Sends random datagrams through random losses, and computes what has to come out. */
class FecModel
{
  public:
    /** @brief What is tried. */
    struct Trial
    {
        uint32_t blockPackets{3}; //!< k
        uint64_t packets{1000};   //!< of data
        double loss{0};           //!< probability
        uint32_t run{1};          //!< which random numbers
        bool isShuffled{false};   //!< parity before data, data in any order
        uint32_t largest{64};     //!< most bytes of a payload
    };

    /// Run a trial.
    explicit FecModel(const Trial& trial)
        : m_random(trial.run),
          sent(trial.packets),
          delivered(trial.packets)
    {
        FecSenderCore sender(trial.blockPackets, trial.packets);
        std::bernoulli_distribution isLost(trial.loss);
        std::vector<std::pair<FecDataHeader, Bytes>> block;
        uint32_t blockLost = 0;
        for (uint64_t i = 0; i < trial.packets; ++i)
        {
            sent[i].resize(1 + m_random() % trial.largest);
            std::ranges::generate(sent[i], [this] { return static_cast<uint8_t>(m_random()); });
            const auto header = sender.GetNext();
            isNumbered = isNumbered && header.block == i / trial.blockPackets &&
                         header.index == i % trial.blockPackets;
            if (isLost(m_random))
            {
                ++blockLost;
            }
            else
            {
                block.emplace_back(header, sent[i]);
            }
            if (!sender.Add(sent[i]))
            {
                continue;
            }
            const auto parity = sender.TakeParity();
            const bool isParityLost = isLost(m_random);
            const uint32_t stayLost = blockLost > 1 || isParityLost ? blockLost : 0;
            expectedLost += stayLost;
            unseenLost += stayLost;
            if (!block.empty() || !isParityLost)
            {
                reportedLost += unseenLost; // what came reports all blocks before, and of its own
                unseenLost = 0;
                isWholeSeen = isWholeSeen || header.count == trial.blockPackets;
            }
            if (trial.isShuffled)
            {
                std::ranges::shuffle(block, m_random);
            }
            const bool isParityFirst = trial.isShuffled && m_random() % 2 == 0;
            if (isParityFirst && !isParityLost)
            {
                Note(core.OnParity(Seconds(i), parity.header, parity.payload), trial);
            }
            for (const auto& [place, payload] : block)
            {
                delivered[place.block * uint64_t{trial.blockPackets} + place.index] = payload;
                Note(core.OnData(Seconds(i), place, payload), trial);
            }
            if (!isParityFirst && !isParityLost)
            {
                Note(core.OnParity(Seconds(i), parity.header, parity.payload), trial);
            }
            block.clear();
            blockLost = 0;
        }
        core.Finish();
    }

    /// Count datagrams that are neither there nor empty but other than sent.
    uint64_t CountWrong() const
    {
        uint64_t wrong = 0;
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            wrong += !delivered[i].empty() && delivered[i] != sent[i] ? 1 : 0;
        }
        return wrong;
    }

    /// Count datagrams that are not there.
    uint64_t CountLost() const
    {
        return std::ranges::count_if(delivered, [](const auto& bytes) { return bytes.empty(); });
    }

  private:
    /// Take what was made good.
    void Note(const FecReceiverCore::Outcome& outcome, const Trial& trial)
    {
        refused += outcome.refused ? 1 : 0;
        for (const auto& recovered : outcome.recovered)
        {
            const auto& place = recovered.header;
            auto& bytes = delivered[place.block * uint64_t{trial.blockPackets} + place.index];
            twice += bytes.empty() ? 0 : 1;
            bytes = recovered.payload;
        }
    }

    std::mt19937 m_random; //!< payloads and losses

  public:
    FecReceiverCore core;         //!< what is tested
    std::vector<Bytes> sent;      //!< payloads
    std::vector<Bytes> delivered; //!< payloads that came or were made good
    uint64_t expectedLost{0};     //!< by the model's own count
    uint64_t reportedLost{0};     //!< of those, that the receiver can count
    uint64_t unseenLost{0};       //!< of those, behind the last datagram that came
    bool isWholeSeen{false};      //!< the receiver has the size of a block
    uint64_t refused{0};          //!< datagrams refused
    uint64_t twice{0};            //!< datagrams made good that were there
    bool isNumbered{true};        //!< blocks and places as they should be
};

/** @brief With any loss: what leaves the decoder is what was sent, and as much as can be. */
LFN_CASE(FecRepairTestCase)
{
    for (uint32_t run = 1; run <= 300; ++run)
    {
        FecModel::Trial trial;
        trial.run = run;
        trial.blockPackets = 1 + run % 32;
        trial.packets = 1 + 37 * run % 700;
        trial.loss = (run % 10) * 0.06;
        trial.isShuffled = run % 2 == 0;
        trial.largest = run % 3 == 0 ? 1 : 90;
        const FecModel model(trial);
        const auto& counters = model.core.GetCounters();
        NS_TEST_ASSERT_MSG_EQ(model.CountWrong(), 0, "as sent, run " << run);
        NS_TEST_ASSERT_MSG_EQ(model.CountLost(), model.expectedLost, "as much as can be");
        // A parity that comes early makes good what is merely late, and that is then a double.
        NS_TEST_ASSERT_MSG_EQ((trial.isShuffled || model.refused == 0), true, "does good");
        NS_TEST_ASSERT_MSG_EQ(model.twice, 0, "once each");
        NS_TEST_ASSERT_MSG_EQ(model.isNumbered, true, "numbered");
        NS_TEST_ASSERT_MSG_EQ(counters.received + counters.recovered + model.expectedLost,
                              trial.packets,
                              "all accounted for");
        NS_TEST_ASSERT_MSG_EQ((counters.lost == model.reportedLost || !model.isWholeSeen),
                              true,
                              "run " << run << ": " << counters.lost << " reported, "
                                     << model.reportedLost << " lost");
    }
}

/** @brief The residual loss when a datagram is lost with probability p, k of them a block. */
double
Law(double loss, uint32_t k)
{
    return loss * (1 - std::pow(1 - loss, k));
}

/** @brief The law p * (1 - (1 - p)^k), and the numbers of the spec's table. */
LFN_CASE(FecLawTestCase)
{
    NS_TEST_EXPECT_MSG_EQ_TOL(Law(0.019, 1), 0.000361, 1e-6, "p^2");
    NS_TEST_EXPECT_MSG_EQ_TOL(Law(0.019, 3), 0.00106, 1e-5, "three");
    NS_TEST_EXPECT_MSG_EQ_TOL(Law(0.174, 2), 0.0553, 1e-4, "two");
    for (const double loss : {0.019, 0.174})
    {
        for (const uint32_t k : {1, 2, 3, 8})
        {
            FecModel::Trial trial;
            trial.blockPackets = k;
            trial.packets = 120'000;
            trial.loss = loss;
            trial.run = k;
            trial.largest = 4;
            const FecModel model(trial);
            const double law = Law(loss, k);
            const auto n = static_cast<double>(trial.packets);
            const double measured = static_cast<double>(model.CountLost()) / n;
            // Losses of a block come together, k at most: four standard deviations of that.
            const double sigma = std::sqrt(law * std::min(k + 1.0, 1 + k * loss) / n);
            NS_TEST_EXPECT_MSG_EQ_TOL(measured, law, 4 * sigma, loss << " " << k);
        }
    }
}

/** @brief Late, doubled, contradictory, forged: refused with a reason, and bounded. */
LFN_CASE(FecMalformedTestCase)
{
    const Bytes byte{1};
    FecReceiverCore core({4, 100});
    const auto take = [&](uint32_t block, uint8_t index, uint8_t count) {
        return core.OnData(Seconds(1), {block, index, count}, byte).refused;
    };
    using R = DropReason;
    NS_TEST_EXPECT_MSG_EQ((take(0, 0, 3) == std::nullopt), true, "new");
    NS_TEST_EXPECT_MSG_EQ((take(0, 0, 3) == R::DUPLICATE), true, "twice");
    NS_TEST_EXPECT_MSG_EQ((take(0, 1, 2) == R::UNEXPECTED), true, "another block size");
    NS_TEST_EXPECT_MSG_EQ((take(101, 0, 3) == R::OUT_OF_RANGE), true, "too far ahead");
    NS_TEST_EXPECT_MSG_EQ((take(100, 0, 3) == std::nullopt), true, "as far as may be");
    NS_TEST_EXPECT_MSG_EQ((take(96, 0, 3) == R::OUT_OF_RANGE), true, "closed");
    NS_TEST_EXPECT_MSG_EQ((take(97, 0, 3) == std::nullopt), true, "open");
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().lost, 2 + 96 * 3, "what closed blocks lack");
    NS_TEST_EXPECT_MSG_EQ((core.OnData(Seconds(1), {98, 0, 3}, Bytes()).refused == R::WRONG_LENGTH),
                          true,
                          "empty");
    const auto parity = [&](uint32_t mask, uint16_t lengths, const Bytes& payload) {
        return core.OnParity(Seconds(1), {98, mask, lengths}, payload).refused;
    };
    NS_TEST_EXPECT_MSG_EQ((parity(3, 1, Bytes()) == R::WRONG_LENGTH), true, "empty");
    NS_TEST_EXPECT_MSG_EQ((parity(3, 1, byte) == std::nullopt), true, "new");
    NS_TEST_EXPECT_MSG_EQ((parity(3, 1, byte) == R::DUPLICATE), true, "twice");
    NS_TEST_EXPECT_MSG_EQ((parity(7, 1, byte) == R::UNEXPECTED), true, "another block size");
    // The parity says that one byte XOR the other's length is 1: the other has none.
    NS_TEST_EXPECT_MSG_EQ((take(98, 0, 2) == R::CORRUPT), true, "an empty datagram");
}

/** @brief One datagram far ahead is not accepted; two that agree are. */
LFN_CASE(OutageCase)
{
    const Bytes byte{1};
    FecReceiverCore core({4, 100});
    const auto take = [&](uint32_t block) {
        return core.OnData(Seconds(1), {block, 0, 2}, byte).refused;
    };
    using R = DropReason;
    NS_TEST_EXPECT_MSG_EQ((take(5) == std::nullopt), true, "near");
    NS_TEST_EXPECT_MSG_EQ((take(1'000'000) == R::OUT_OF_RANGE), true, "a forger");
    NS_TEST_EXPECT_MSG_EQ((take(6) == std::nullopt), true, "who has closed nothing");
    NS_TEST_EXPECT_MSG_EQ((take(2'000'000) == R::OUT_OF_RANGE), true, "an outage ends");
    NS_TEST_EXPECT_MSG_EQ((take(2'000'001) == std::nullopt), true, "indeed");
    NS_TEST_EXPECT_MSG_EQ((take(2'000'000) == std::nullopt), true, "within the window");
    NS_TEST_EXPECT_MSG_EQ((take(7) == R::OUT_OF_RANGE), true, "closed");
    core.Finish();
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().lost,
                          uint64_t{2} * 2'000'002 - 4,
                          "all but the four that came");
    NS_TEST_EXPECT_MSG_EQ((take(0) == std::nullopt), true, "another sender");
    core.Finish();
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().lost, uint64_t{2} * 2'000'003 - 5, "in sum");
}

/** @brief Block numbers repeat at 2^32. */
LFN_CASE(WrapCase)
{
    const Bytes byte{1};
    FecReceiverCore core({4, INT32_MAX});
    const auto take = [&](uint32_t block, uint8_t index) {
        return core.OnData(Seconds(1), {block, index, 2}, byte).refused;
    };
    NS_TEST_EXPECT_MSG_EQ((take(INT32_MAX, 0) == std::nullopt), true, "half of the way");
    NS_TEST_EXPECT_MSG_EQ((take(UINT32_MAX - 1, 0) == std::nullopt), true, "almost");
    for (const uint32_t block : {UINT32_MAX, 0U, 1U, 2U})
    {
        NS_TEST_EXPECT_MSG_EQ((take(block, 0) == std::nullopt), true, block);
        NS_TEST_EXPECT_MSG_EQ((take(block, 0) == DropReason::DUPLICATE), true, block);
    }
    NS_TEST_EXPECT_MSG_EQ((take(UINT32_MAX, 1) == std::nullopt), true, "still open");
    NS_TEST_EXPECT_MSG_EQ((take(UINT32_MAX - 1, 1) == DropReason::OUT_OF_RANGE), true, "closed");
    const auto made = core.OnParity(Seconds(1), {2, 3, 0}, Bytes{0});
    NS_TEST_EXPECT_MSG_EQ((made.recovered.size() == 1 && made.recovered[0].header.block == 2),
                          true,
                          "named");
}

/** @brief Random headers for ever: memory stays bounded, and nothing is made up twice. */
LFN_CASE(RandomCase)
{
    std::mt19937 random(7);
    FecReceiverCore core({8, 1000});
    uint64_t recovered = 0;
    for (uint32_t i = 0; i < 300000; ++i)
    {
        const Bytes payload(random() % 20, static_cast<uint8_t>(i));
        const uint32_t block = random() % 4 == 0 ? random() : i / 10;
        const auto count = static_cast<uint8_t>(1 + random() % 32);
        const auto outcome =
            random() % 3 == 0 ? core.OnParity(Seconds(i),
                                              {block,
                                               FecParityHeader::MakeMask(count),
                                               static_cast<uint16_t>(random() % 40)},
                                              payload)
                              : core.OnData(Seconds(i),
                                            {block, static_cast<uint8_t>(random() % count), count},
                                            payload);
        recovered += outcome.recovered.size();
        NS_TEST_ASSERT_MSG_EQ((outcome.refused && !outcome.recovered.empty()),
                              false,
                              "one or other");
    }
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().recovered, recovered, "counted");
}

/** @brief A table for four flows. */
FecSessionTable
MakeTable()
{
    FecSessionTable::Settings settings;
    settings.window = 4;
    settings.maxJump = 100;
    settings.maxSessions = 4;
    settings.timeout = Seconds(1);
    return FecSessionTable(settings);
}

/** @brief Take the first datagram of a block of two. @return false when it is refused */
bool
Take(FecSessionTable& table, Time now, uint32_t number, uint32_t block)
{
    auto* const session = table.Find(now, number);
    if (!session || session->core.OnData(now, {block, 0, 2, number}, Bytes(10)).refused)
    {
        return false;
    }
    ++session->datagrams;
    session->largest = 10;
    session->lastArrival = now;
    return true;
}

/** @brief A datagram of one flow closes no block of another. */
LFN_CASE(ApartCase)
{
    auto table = MakeTable();
    NS_TEST_EXPECT_MSG_EQ(Take(table, Time(0), 1, 0), true, "a forged flow is the first");
    NS_TEST_EXPECT_MSG_EQ(Take(table, Time(0), 7, 0), true, "the flow begins");
    NS_TEST_EXPECT_MSG_EQ(Take(table, Time(0), 2, 100), true, "forged, as far as may be");
    for (uint32_t block = 1; block < 200; ++block)
    {
        NS_TEST_EXPECT_MSG_EQ(Take(table, Time(0), 7, block), true, block);
    }
    NS_TEST_EXPECT_MSG_EQ(table.GetCounters().lost, 196, "one of two, of closed blocks");
    NS_TEST_EXPECT_MSG_EQ(table.GetLostBytes(), 1960, "in bytes");
    table.Finish();
    NS_TEST_EXPECT_MSG_EQ(table.GetCounters().lost, 200, "nothing that a forger claims");
    NS_TEST_EXPECT_MSG_EQ(table.GetLostBytes(), 2000, "nothing that a forger claims");
    NS_TEST_EXPECT_MSG_EQ(table.GetCounters().received, 202, "in sum");
}

/** @brief Flows of a single datagram replace each other only. */
LFN_CASE(SinglesCase)
{
    auto table = MakeTable();
    Take(table, Time(0), 7, 0);
    Take(table, Time(0), 7, 1);
    for (uint32_t number = 1000; number < 2000; ++number)
    {
        NS_TEST_EXPECT_MSG_EQ(Take(table, MicroSeconds(number), number, 0), true, number);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(table.GetSize(), 4, "bounded");
    }
    NS_TEST_EXPECT_MSG_EQ(Take(table, MilliSeconds(2), 7, 1), false, "it has block 1 still");
    NS_TEST_EXPECT_MSG_EQ(Take(table, MilliSeconds(2), 8, 0), true, "another flow begins");
    Take(table, MilliSeconds(2), 2000, 0);
    NS_TEST_EXPECT_MSG_EQ(Take(table, MilliSeconds(2), 8, 1), true, "and goes on");
    for (uint32_t number = 3000; number < 4000; ++number)
    {
        Take(table, MilliSeconds(3), number, 0);
    }
    NS_TEST_EXPECT_MSG_EQ(Take(table, MilliSeconds(4), 8, 1), false, "it has block 1 still");
    // A flow that pauses.
    for (uint32_t number = 5000; number < 6000; ++number)
    {
        NS_TEST_EXPECT_MSG_EQ(Take(table, Seconds(2), number, 0), true, number);
    }
    NS_TEST_EXPECT_MSG_EQ(Take(table, Seconds(3), 7, 1), false, "it has block 1 still");
    NS_TEST_EXPECT_MSG_EQ(Take(table, Seconds(3), 7, 90), true, "it goes on");
    NS_TEST_EXPECT_MSG_EQ(Take(table, Seconds(3), 8, 1), false, "it has block 1 still");
}

/** @brief Flows of two datagrams keep their places, until they are silent. */
LFN_CASE(PairsCase)
{
    auto table = MakeTable();
    Take(table, Time(0), 7, 0);
    Take(table, Time(0), 7, 1);
    for (uint32_t number = 1000; number < 2000; ++number)
    {
        Take(table, Time(0), number, 0);
        Take(table, Time(0), number, 1);
    }
    NS_TEST_EXPECT_MSG_EQ(Take(table, Seconds(1), 7, 2), true, "it goes on");
    NS_TEST_EXPECT_MSG_EQ(Take(table, Seconds(1), 8, 0), false, "no room");
    const Time later = Seconds(1) + MilliSeconds(1);
    NS_TEST_EXPECT_MSG_EQ(Take(table, later, 8, 0), true, "in the place of a silent one");
    NS_TEST_EXPECT_MSG_EQ(Take(table, later, 7, 2), false, "it has block 2 still");
}

const Suite g_suite("lfn-fec", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new FecWireTestCase("FEC: the headers"));
    suite.Add(new FecRepairTestCase("FEC: repairs, byte by byte, over random losses"));
    suite.Add(new FecLawTestCase("FEC: residual loss against the closed form"));
    suite.Add(new FecMalformedTestCase("FEC: what does no good"));
    suite.Add(new OutageCase("one datagram far ahead is not accepted; two that agree are"));
    suite.Add(new WrapCase("block numbers repeat at 2^32"));
    suite.Add(new RandomCase(
        "random headers for ever: memory stays bounded, and nothing is made up twice"));
    suite.Add(new ApartCase("a datagram of one flow closes no block of another"));
    suite.Add(new SinglesCase("flows of a single datagram replace each other only"));
    suite.Add(new PairsCase("flows of two datagrams keep their places, until they are silent"));
});

} // namespace
