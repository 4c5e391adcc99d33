// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/fec-header.h"
#include "ns3/fec-receiver-core.h"
#include "ns3/fec-sender-core.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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

using Bytes = std::vector<uint8_t>;

/** @brief A code, and how blocks are sent. */
struct Code
{
    uint32_t k{1};            //!< datagrams of a block
    uint32_t m{1};            //!< parities of a block
    uint32_t depth{1};        //!< blocks in turns
    uint64_t packets{1};      //!< datagrams in all
    uint32_t largestBytes{1}; //!< of a payload
};

/** @brief What was sent and what came of it. */
struct Outcome
{
    uint64_t lost{0};                   //!< datagrams
    uint64_t wrong{0};                  //!< datagrams that are not what was sent, or came twice
    std::vector<double> perBlock;       //!< those lost, by block
    FecReceiverCore::Counters counters; //!< of the receiver
};

/**
 * @brief Send datagrams through a path to a receiver.
 * @param code the code
 * @param isLost reports each datagram and parity in turn whether it is lost
 * @param isShuffled blocks arrive in another order, parities first
 */
Outcome
Send(const Code& code, const std::function<bool()>& isLost, bool isShuffled = false)
{
    std::mt19937 random(3);
    FecSenderCore sender(code.k, code.packets, 0, code.m, code.depth);
    FecReceiverCore receiver({2 * code.depth + 2, 1024});
    std::vector<std::pair<FecDataHeader, Bytes>> sent;
    std::vector<std::pair<FecDataHeader, Bytes>> arriving;
    std::vector<FecSenderCore::Parity> parities;
    std::vector<std::pair<FecDataHeader, Bytes>> delivered;
    const auto note = [&](const FecReceiverCore::Outcome& outcome) {
        for (const auto& recovered : outcome.recovered)
        {
            delivered.emplace_back(recovered.header, recovered.payload);
        }
    };
    for (uint64_t i = 0; i < code.packets; ++i)
    {
        Bytes payload(1 + random() % code.largestBytes);
        std::ranges::generate(payload, [&] { return static_cast<uint8_t>(random()); });
        const auto header = *FecDataHeader::Read(sender.GetNext().Write());
        sent.emplace_back(header, payload);
        if (!isLost())
        {
            arriving.emplace_back(header, payload);
        }
        if (!sender.Add(payload))
        {
            continue;
        }
        for (auto left = sender.GetParities(); left > 0; --left)
        {
            auto parity = sender.TakeParity();
            parity.header = *FecParityHeader::Read(parity.header.Write());
            if (!isLost())
            {
                parities.push_back(std::move(parity));
            }
        }
        const auto takeParities = [&] {
            for (const auto& [place, bytes] : std::exchange(parities, {}))
            {
                note(receiver.OnParity(Time(0), place, bytes));
            }
        };
        if (isShuffled)
        {
            std::ranges::shuffle(arriving, random);
            std::ranges::shuffle(parities, random);
            takeParities();
        }
        for (const auto& [place, bytes] : std::exchange(arriving, {}))
        {
            const auto outcome = receiver.OnData(Time(0), place, bytes);
            if (!outcome.refused)
            {
                delivered.emplace_back(place, bytes);
            }
            note(outcome);
        }
        takeParities();
    }
    Outcome result;
    result.perBlock.assign(sent.back().first.block + 1, 0);
    for (const auto& [place, bytes] : sent)
    {
        result.perBlock[place.block] += 1;
    }
    for (const auto& [place, bytes] : delivered)
    {
        result.perBlock[place.block] -= 1;
    }
    const auto less = [](const auto& one, const auto& other) {
        return std::pair(one.first.block, one.first.index) <
               std::pair(other.first.block, other.first.index);
    };
    std::ranges::sort(sent, less);
    std::ranges::sort(delivered, less);
    result.lost = sent.size() - delivered.size();
    result.wrong = delivered.size();
    auto next = delivered.begin();
    for (const auto& one : sent)
    {
        if (next != delivered.end() && *next == one)
        {
            --result.wrong;
            ++next;
        }
    }
    receiver.Finish();
    result.counters = receiver.GetCounters();
    return result;
}

/// What of independent losses stays lost.
double
Law(uint32_t k, uint32_t m, double p)
{
    const uint32_t others = k + m - 1;
    double sum = 0;
    double term = std::pow(1 - p, others); // of j losses among the others
    for (uint32_t j = 0; j <= others; ++j)
    {
        sum += j >= m ? term : 0;
        term *= p / (1 - p) * (others - j) / (j + 1);
    }
    return p * sum;
}

/** @brief Every pattern of losses of small blocks: as many are restored as there are parities. */
LFN_CASE(CodePatternsTestCase)
{
    for (const auto& [k, m] : {std::pair(1U, 2U), {2U, 2U}, {3U, 2U}, {4U, 3U}, {2U, 5U}, {5U, 1U}})
    {
        for (uint32_t pattern = 0; pattern < 1U << (k + m); ++pattern)
        {
            for (const bool isShuffled : {false, true})
            {
                uint32_t turn = 0;
                const auto result = Send(
                    {k, m, 1, k, 40},
                    [&] { return (pattern >> turn++ & 1) != 0; },
                    isShuffled);
                uint32_t lostData = 0;
                uint32_t lostAll = 0;
                for (uint32_t i = 0; i < k + m; ++i)
                {
                    lostAll += pattern >> i & 1;
                    lostData += i < k ? pattern >> i & 1 : 0;
                }
                const auto expected = lostAll <= m ? 0 : lostData;
                NS_TEST_ASSERT_MSG_EQ(result.wrong, 0, k << "+" << m << " " << pattern);
                NS_TEST_ASSERT_MSG_EQ(result.lost, expected, k << "+" << m << " " << pattern);
            }
        }
    }
}

/** @brief The law of independent losses, for 12 codes. */
LFN_CASE(CodeLawTestCase)
{
    NS_TEST_EXPECT_MSG_EQ_TOL(100 * Law(1, 1, 0.019), 0.0361, 1e-4, "known");
    NS_TEST_EXPECT_MSG_EQ_TOL(100 * Law(4, 2, 0.019), 0.0066, 1e-4, "known");
    NS_TEST_EXPECT_MSG_EQ_TOL(100 * Law(20, 4, 0.019), 0.0016, 1e-4, "known");
    NS_TEST_EXPECT_MSG_EQ_TOL(100 * Law(6, 2, 0.174), 6.104, 1e-3, "known");
    NS_TEST_EXPECT_MSG_EQ_TOL(100 * Law(20, 4, 0.174), 10.19, 1e-2, "known");
    uint32_t seed = 1;
    for (const auto& [k, m] : {std::pair(1U, 1U),
                               {2U, 1U},
                               {3U, 1U},
                               {4U, 2U},
                               {6U, 2U},
                               {20U, 4U},
                               {1U, 3U},
                               {2U, 3U},
                               {8U, 2U},
                               {10U, 5U},
                               {32U, 8U},
                               {32U, 2U}})
    {
        for (const double p : {0.019, 0.174})
        {
            std::mt19937 random(seed++);
            std::uniform_real_distribution<double> chance;
            const uint64_t blocks = (p > 0.1 ? 20'000 : 80'000) / k; // some losses stay
            const auto result = Send({k, m, 1, blocks * k, 4}, [&] { return chance(random) < p; });
            const auto n = static_cast<double>(blocks * k);
            const double law = Law(k, m, p);
            // The standard error of losses that come together in blocks.
            double squares = 0;
            for (const double lost : result.perBlock)
            {
                squares += (lost - law * k) * (lost - law * k);
            }
            const double error = std::max(std::sqrt(squares) / n, std::sqrt(law / n));
            const auto measured = static_cast<double>(result.lost) / n;
            NS_TEST_EXPECT_MSG_EQ_TOL(measured, law, 3 * error, k << "+" << m << " at " << p);
            NS_TEST_EXPECT_MSG_EQ(result.wrong, 0, "content");
        }
    }
}

/** @brief A burst of d * m losses is restored wherever it is, one more is not always. */
LFN_CASE(InterleaveTestCase)
{
    for (const uint32_t depth : {1, 3, 8})
    {
        for (const uint32_t m : {1, 2, 3})
        {
            constexpr uint32_t K = 5;
            for (const uint32_t extra : {0, 1})
            {
                uint64_t lost = 0;
                for (uint32_t at = 0; at < 2 * depth * (K + m); ++at)
                {
                    uint32_t turn = 0;
                    // The last group has two datagrams more than whole blocks.
                    const auto result = Send({K, m, depth, 3 * depth * K + 2, 20}, [&] {
                        const auto now = turn++;
                        return now >= at && now < at + depth * m + extra;
                    });
                    lost += result.lost;
                    NS_TEST_ASSERT_MSG_EQ(result.wrong, 0, "content");
                }
                NS_TEST_EXPECT_MSG_EQ((lost > 0), (extra > 0), depth << " x " << m);
            }
        }
    }
}

/// What stays lost of a Gilbert-Elliott path: losses in bursts of a mean length.
double
SendInBursts(const Code& code, double p, double burst)
{
    std::mt19937 random(11);
    std::uniform_real_distribution<double> chance;
    bool isBad = false;
    const auto result = Send(code, [&] {
        isBad = chance(random) < (isBad ? 1 - 1 / burst : p / (1 - p) / burst);
        return isBad;
    });
    return static_cast<double>(result.lost) / static_cast<double>(code.packets);
}

/** @brief Interleaving gives a path with bursts the residual loss of one without. */
LFN_CASE(BurstsTestCase)
{
    constexpr double P = 0.02;
    constexpr double BURST = 4;
    constexpr uint64_t PACKETS = 100'000;
    const double independent = Law(4, 2, P);
    const double plain = SendInBursts({4, 2, 1, PACKETS, 4}, P, BURST);
    const double deep = SendInBursts({4, 2, 32, PACKETS, 4}, P, BURST);
    NS_TEST_EXPECT_MSG_GT(plain, 50 * independent, "bursts are too much for a block");
    NS_TEST_EXPECT_MSG_LT(deep, plain / 20, "not for 32 blocks in turns");
    NS_TEST_EXPECT_MSG_EQ_TOL(deep, independent, 2 * independent, "as without bursts");
    NS_TEST_EXPECT_MSG_LT(SendInBursts({4, 2, 8, PACKETS, 4}, P, BURST), plain / 3, "nor for 8");
}

/** @brief Headers of codes: known bytes, what is refused. */
LFN_CASE(CodeWireTestCase)
{
    const FecDataHeader data{0x01020304, 2, 3, 0x05060708, 4};
    const auto dataBytes = data.Write();
    NS_TEST_EXPECT_MSG_EQ(
        (Bytes(dataBytes.begin(), dataBytes.end()) == Bytes{0xfd, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8}),
        true,
        "data");
    NS_TEST_EXPECT_MSG_EQ((FecDataHeader::Read(dataBytes) == data), true, "read back");
    const FecParityHeader parity{0x01020304, 7, 0x090a, 0x05060708, 2, 4};
    const auto parityBytes = parity.Write();
    NS_TEST_EXPECT_MSG_EQ((Bytes(parityBytes.begin(), parityBytes.end()) ==
                           Bytes{0xfc, 2, 9, 10, 1, 2, 3, 4, 3, 4, 0, 0, 5, 6, 7, 8}),
                          true,
                          "parity");
    NS_TEST_EXPECT_MSG_EQ((FecParityHeader::Read(parityBytes) == parity), true, "read back");
    const auto isRefused = [](auto bytes, std::size_t at, uint8_t value) {
        bytes[at] = value;
        return bytes.size() == FecDataHeader::SIZE ? !FecDataHeader::Read(bytes)
                                                   : !FecParityHeader::Read(bytes);
    };
    NS_TEST_EXPECT_MSG_EQ(isRefused(dataBytes, 3, 1), true, "one parity is written as 0");
    NS_TEST_EXPECT_MSG_EQ(isRefused(dataBytes, 3, 253), false, "3 + 253 is 256");
    NS_TEST_EXPECT_MSG_EQ(isRefused(dataBytes, 3, 254), true, "k + m is above 256");
    NS_TEST_EXPECT_MSG_EQ(isRefused(parityBytes, 1, 4), true, "index beyond m");
    NS_TEST_EXPECT_MSG_EQ(isRefused(parityBytes, 9, 1), true, "one parity has the other kind");
    NS_TEST_EXPECT_MSG_EQ(isRefused(parityBytes, 9, 253), false, "3 + 253 is 256");
    NS_TEST_EXPECT_MSG_EQ(isRefused(parityBytes, 9, 254), true, "k + m is above 256");
    NS_TEST_EXPECT_MSG_EQ(isRefused(parityBytes, 8, 0), true, "k is 0");
    NS_TEST_EXPECT_MSG_EQ(isRefused(parityBytes, 8, 33), true, "k is above 32");
}

/** @brief Contradictions within a block are refused, what is kept is bounded. */
LFN_CASE(CodeMalformedTestCase)
{
    using R = DropReason;
    const Bytes bytes(10, 1);
    FecReceiverCore core({4, 100, 40});
    const auto data = [&](uint32_t block, uint8_t index, uint8_t k, uint8_t m) {
        return core.OnData(Time(0), {block, index, k, 0, m}, bytes).refused;
    };
    const auto parity = [&](uint32_t block, uint8_t index, uint8_t k, uint8_t m, Bytes payload) {
        const FecParityHeader header{block, FecParityHeader::MakeMask(k), 9, 0, index, m};
        return core.OnParity(Time(0), header, payload).refused;
    };
    NS_TEST_EXPECT_MSG_EQ((data(0, 0, 3, 2) == std::nullopt), true, "new");
    NS_TEST_EXPECT_MSG_EQ((data(0, 0, 3, 2) == R::DUPLICATE), true, "twice");
    NS_TEST_EXPECT_MSG_EQ((data(0, 1, 3, 3) == R::UNEXPECTED), true, "another m");
    NS_TEST_EXPECT_MSG_EQ((data(0, 1, 3, 1) == R::UNEXPECTED), true, "another m");
    NS_TEST_EXPECT_MSG_EQ((data(0, 1, 4, 2) == R::UNEXPECTED), true, "another k");
    NS_TEST_EXPECT_MSG_EQ((parity(0, 0, 3, 2, bytes) == std::nullopt), true, "new");
    NS_TEST_EXPECT_MSG_EQ((parity(0, 0, 3, 2, bytes) == R::DUPLICATE), true, "twice");
    NS_TEST_EXPECT_MSG_EQ((parity(0, 1, 3, 2, Bytes(9)) == R::WRONG_LENGTH), true, "shorter");
    NS_TEST_EXPECT_MSG_EQ((parity(0, 1, 3, 2, bytes) == R::CORRUPT), true, "lengths of nonsense");
    NS_TEST_EXPECT_MSG_EQ((data(0, 1, 3, 2) == std::nullopt), true, "data still come");
    NS_TEST_EXPECT_MSG_EQ((data(0, 2, 3, 2) == std::nullopt), true, "data still come");
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().recovered, 0, "nothing was restored");
    // 40 bytes are kept: three datagrams of 12, and no parity that would restore the fourth.
    for (const uint8_t index : {0, 1, 2})
    {
        NS_TEST_EXPECT_MSG_EQ((data(1, index, 4, 2) == std::nullopt), true, "kept");
    }
    NS_TEST_EXPECT_MSG_EQ((parity(1, 0, 4, 2, bytes) == std::nullopt), true, "not kept");
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().recovered, 0, "nothing was restored");
}

/** @brief Random headers and payloads of one flow: counts add up, memory is let go. */
LFN_CASE(CodeRandomTestCase)
{
    std::mt19937 random(9);
    FecReceiverCore core({4, 8, 2000});
    uint64_t recovered = 0;
    for (int i = 0; i < 200'000; ++i)
    {
        const auto block = static_cast<uint32_t>(i / 200 + random() % 6);
        const auto k = static_cast<uint8_t>(1 + random() % 4);
        const auto m = static_cast<uint8_t>(1 + random() % 3);
        const Bytes payload(random() % 6, static_cast<uint8_t>(random() % 3));
        const bool isParity = random() % 2 == 0;
        const FecParityHeader parity{block,
                                     FecParityHeader::MakeMask(k),
                                     static_cast<uint16_t>(random() % 8),
                                     0,
                                     static_cast<uint8_t>(random() % m),
                                     m};
        const FecDataHeader data{block, static_cast<uint8_t>(random() % k), k, 0, m};
        const auto outcome = isParity ? core.OnParity(Time(0), parity, payload)
                                      : core.OnData(Time(0), data, payload);
        recovered += outcome.recovered.size();
        NS_TEST_ASSERT_MSG_EQ((outcome.refused && !outcome.recovered.empty()),
                              false,
                              "one or other");
    }
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().recovered, recovered, "counted");
    NS_TEST_EXPECT_MSG_GT(recovered, 50, "some are restored all the same");
}

const Suite g_suite("lfn-fec-codes", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new CodePatternsTestCase("every pattern of losses of small blocks"));
    suite.Add(new CodeLawTestCase("residual loss of 12 codes follows the law"));
    suite.Add(new InterleaveTestCase("bursts of d * m losses are restored"));
    suite.Add(new BurstsTestCase("interleaving over Gilbert-Elliott bursts"));
    suite.Add(new CodeWireTestCase("headers of codes: known bytes, and what is refused"));
    suite.Add(new CodeMalformedTestCase("contradictions are refused, what is kept is bounded"));
    suite.Add(new CodeRandomTestCase("random datagrams of one flow"));
});

} // namespace
