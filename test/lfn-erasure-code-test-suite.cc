// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/lfn-erasure-code.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Parities of blocks: any k of k + h packets give the block, and so does a decoder of another kind.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Bytes = std::vector<uint8_t>;
using Block = std::vector<Bytes>;

/// A product in GF(256), bit by bit, without tables.
uint8_t
Multiply(uint8_t a, uint8_t b)
{
    uint32_t product = 0;
    for (uint32_t bit = 0; bit < 8; ++bit)
    {
        product ^= (b >> bit & 1) != 0 ? uint32_t{a} << bit : 0;
    }
    for (uint32_t bit = 15; bit >= 8; --bit)
    {
        product ^= (product >> bit & 1) != 0 ? 0x11dU << (bit - 8) : 0;
    }
    return static_cast<uint8_t>(product);
}

/// Search for the inverse.
uint8_t
Invert(uint8_t value)
{
    uint32_t other = 1;
    while (Multiply(value, static_cast<uint8_t>(other)) != 1)
    {
        ++other;
    }
    return static_cast<uint8_t>(other);
}

/// The factor of a packet in a parity, as the header's formula says.
uint8_t
GetFactor(uint32_t index, uint32_t place)
{
    return Invert(static_cast<uint8_t>((255 - index) ^ place));
}

/// One byte of each packet by all equations, those of packets that came included.
Bytes
Solve(std::vector<Bytes> rows)
{
    const auto count = rows.size();
    for (std::size_t column = 0; column < count; ++column)
    {
        auto pivot = column;
        while (pivot < count && rows[pivot][column] == 0)
        {
            ++pivot;
        }
        if (pivot == count)
        {
            return {};
        }
        std::swap(rows[column], rows[pivot]);
        const auto inverse = Invert(rows[column][column]);
        for (auto& value : rows[column])
        {
            value = Multiply(value, inverse);
        }
        for (std::size_t row = 0; row < count; ++row)
        {
            const auto times = rows[row][column];
            for (std::size_t i = 0; row != column && i <= count; ++i)
            {
                rows[row][i] ^= Multiply(times, rows[column][i]);
            }
        }
    }
    Bytes solution;
    for (const auto& row : rows)
    {
        solution.push_back(row[count]);
    }
    return solution;
}

/// A block of random packets of one length.
Block
MakeBlock(std::mt19937& random, uint32_t count, uint32_t length)
{
    Block block(count, Bytes(length));
    for (auto& packet : block)
    {
        std::generate(packet.begin(), packet.end(), [&]() { return random(); });
    }
    return block;
}

/// Restore a block of which only some pieces are left: numbers from k on are parities.
std::string
TryPieces(const Block& block, const std::vector<uint32_t>& kept)
{
    const auto count = static_cast<uint32_t>(block.size());
    ErasureCode::Pieces packets;
    ErasureCode::Pieces parities;
    for (const auto number : kept)
    {
        if (number < count)
        {
            packets[static_cast<uint8_t>(number)] = block[number];
        }
        else
        {
            const auto index = static_cast<uint8_t>(number - count);
            parities[index] = ErasureCode::MakeParity(block, index);
        }
    }
    const auto before = packets.size();
    if (!ErasureCode::Restore(packets, parities, count))
    {
        return packets.size() == before ? "not restored" : "half restored";
    }
    for (uint32_t place = 0; place < count; ++place)
    {
        if (packets[static_cast<uint8_t>(place)] != block[place])
        {
            return "packet " + std::to_string(place) + " differs";
        }
    }
    return "";
}

/** @brief Small blocks: every choice of k pieces, and of fewer. */
LFN_CASE(ErasureEveryChoiceTestCase)
{
    std::mt19937 random(1);
    for (uint32_t count = 1; count <= 5; ++count)
    {
        const auto block = MakeBlock(random, count, 7);
        const uint32_t all = count + 5;
        for (uint32_t choice = 0; choice < 1U << all; ++choice)
        {
            std::vector<uint32_t> kept;
            for (uint32_t number = 0; number < all; ++number)
            {
                if ((choice >> number & 1) != 0)
                {
                    kept.push_back(number);
                }
            }
            const auto found = TryPieces(block, kept);
            const std::string expected = kept.size() >= count ? "" : "not restored";
            NS_TEST_EXPECT_MSG_EQ(found, expected, count << " packets, choice " << choice);
        }
    }
}

/** @brief Blocks of any size up to the largest, pieces drawn from all that there can be. */
LFN_CASE(ErasureAnySizeTestCase)
{
    std::mt19937 random(2);
    for (const uint32_t count : {1U, 2U, 7U, 20U, 100U, 128U, 200U, 254U, 255U})
    {
        for (int draw = 0; draw < 5; ++draw)
        {
            const auto block = MakeBlock(random, count, 3);
            std::vector<uint32_t> pieces(256);
            std::iota(pieces.begin(), pieces.end(), 0U);
            std::shuffle(pieces.begin(), pieces.end(), random);
            pieces.resize(count);
            NS_TEST_EXPECT_MSG_EQ(TryPieces(block, pieces), "", count << " packets");
        }
    }
}

/** @brief The parities are what the formula says, and another decoder reads them. */
LFN_CASE(ErasureIndependentTestCase)
{
    std::mt19937 random(3);
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(Multiply(0x80, 2)), 0x1d, "x^8 is x^4 + x^3 + x^2 + 1");
    for (const uint32_t count : {2U, 5U, 20U})
    {
        const auto block = MakeBlock(random, count, 4);
        std::vector<uint32_t> pieces(256);
        std::iota(pieces.begin(), pieces.end(), 0U);
        std::shuffle(pieces.begin(), pieces.end(), random);
        pieces.resize(count);
        for (uint32_t at = 0; at < 4; ++at)
        {
            std::vector<Bytes> rows;
            for (const auto number : pieces)
            {
                Bytes row(count + 1);
                if (number < count)
                {
                    row[number] = 1;
                    row[count] = block[number][at];
                }
                else
                {
                    const auto index = static_cast<uint8_t>(number - count);
                    for (uint32_t place = 0; place < count; ++place)
                    {
                        row[place] = GetFactor(index, place);
                    }
                    row[count] = ErasureCode::MakeParity(block, index)[at];
                }
                rows.push_back(row);
            }
            Bytes expected;
            for (const auto& packet : block)
            {
                expected.push_back(packet[at]);
            }
            NS_TEST_EXPECT_MSG_EQ((Solve(rows) == expected),
                                  true,
                                  count << " packets, byte " << at);
        }
    }
    const Block one{{1, 2}, {1, 2}};
    const auto factor = static_cast<uint8_t>(GetFactor(3, 0) ^ GetFactor(3, 1));
    const Bytes literal{factor, Multiply(factor, 2)};
    NS_TEST_EXPECT_MSG_EQ((ErasureCode::MakeParity(one, 3) == literal), true, "by hand");
}

/** @brief Short packets, and what cannot be. */
LFN_CASE(ErasureEdgesTestCase)
{
    const Block block{{1, 2, 3}, {4, 5, 6}, {7}};
    const auto parity = ErasureCode::MakeParity(block, 2);
    NS_TEST_EXPECT_MSG_EQ(parity.size(), 3, "as long as the longest");
    ErasureCode::Pieces packets{{0, block[0]}, {1, block[1]}};
    NS_TEST_EXPECT_MSG_EQ(ErasureCode::Restore(packets, {{2, parity}}, 3), true, "restored");
    NS_TEST_EXPECT_MSG_EQ((packets[2] == Bytes{7, 0, 0}), true, "zeros behind");

    NS_TEST_EXPECT_MSG_EQ(ErasureCode::MakeParity(Block(200, Bytes(1)), 55).size(), 1, "the last");
    NS_TEST_EXPECT_MSG_EQ(ErasureCode::MakeParity(Block(200, Bytes(1)), 56).size(), 0, "no such");
    const auto refuse = [&](ErasureCode::Pieces some, const ErasureCode::Pieces& parities) {
        const auto before = some;
        NS_TEST_EXPECT_MSG_EQ(ErasureCode::Restore(some, parities, 3), false, "refused");
        NS_TEST_EXPECT_MSG_EQ((some == before), true, "unchanged");
    };
    refuse({}, {});
    refuse({{0, block[0]}}, {{2, parity}});
    refuse({{0, block[0]}, {3, block[1]}}, {{2, parity}});
    refuse({{0, block[0]}, {1, block[1]}}, {{253, parity}});
    refuse({{0, Bytes(4)}, {1, block[1]}}, {{2, parity}});
    refuse({{0, block[0]}}, {{1, Bytes(2)}, {2, parity}});
}

const Suite g_suite("lfn-erasure-code", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new ErasureEveryChoiceTestCase("small blocks: every choice of pieces"));
    suite.Add(new ErasureAnySizeTestCase("blocks of any size: any k of 256 pieces"));
    suite.Add(new ErasureIndependentTestCase("parities by the formula, and another decoder"));
    suite.Add(new ErasureEdgesTestCase("short packets, and what is refused"));
});

} // namespace
