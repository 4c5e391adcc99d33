// SPDX-License-Identifier: GPL-2.0-only
#include "lfn-erasure-code.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr uint32_t POLYNOMIAL = 0x11d; ///< 2 is a generator of what it makes
constexpr uint32_t ORDER = 255;        ///< of the generator

/// Powers and logarithms of 2; the powers twice, so that sums of two logarithms need no remainder.
struct Tables
{
    std::array<uint8_t, 2 * ORDER> power{}; ///< 2^i
    std::array<uint8_t, 256> log{};         ///< its inverse; of 0 there is none

    constexpr Tables()
    {
        uint32_t value = 1;
        for (uint32_t i = 0; i < ORDER; ++i)
        {
            power[i] = power[i + ORDER] = static_cast<uint8_t>(value);
            log[value] = static_cast<uint8_t>(i);
            value = value & 0x80 ? (value << 1) ^ POLYNOMIAL : value << 1;
        }
    }
};

constexpr Tables TABLES;

/// The inverse of what is not 0.
uint8_t
Invert(uint8_t value)
{
    return TABLES.power[ORDER - TABLES.log[value]];
}

/// The product.
uint8_t
Multiply(uint8_t a, uint8_t b)
{
    return a == 0 || b == 0 ? uint8_t{0} : TABLES.power[TABLES.log[a] + TABLES.log[b]];
}

/// Add a multiple of a string to another one that is no shorter.
void
Add(std::span<uint8_t> sum, std::span<const uint8_t> bytes, uint8_t times)
{
    if (times == 0)
    {
        return;
    }
    const auto log = TABLES.log[times];
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        sum[i] ^= bytes[i] == 0 ? uint8_t{0} : TABLES.power[TABLES.log[bytes[i]] + log];
    }
}

/// How many times a packet is in a parity: the Cauchy matrix.
uint8_t
GetFactor(uint8_t index, std::size_t place)
{
    return Invert(static_cast<uint8_t>((ErasureCode::MOST - 1 - index) ^ place));
}

} // namespace

std::vector<uint8_t>
ErasureCode::MakeParity(std::span<const std::vector<uint8_t>> packets, uint8_t index)
{
    if (packets.size() + index >= MOST)
    {
        return {};
    }
    std::size_t longest = 0;
    for (const auto& packet : packets)
    {
        longest = std::max(longest, packet.size());
    }
    std::vector<uint8_t> parity(longest);
    for (std::size_t place = 0; place < packets.size(); ++place)
    {
        Add(parity, packets[place], GetFactor(index, place));
    }
    return parity;
}

bool
ErasureCode::Restore(Pieces& packets, const Pieces& parities, uint32_t count)
{
    if (packets.size() + parities.size() < count || parities.empty() ||
        (!packets.empty() && packets.rbegin()->first >= count) ||
        parities.rbegin()->first + count >= MOST)
    {
        return packets.size() == count;
    }
    std::vector<uint8_t> missing;
    for (uint32_t place = 0; place < count; ++place)
    {
        if (!packets.contains(static_cast<uint8_t>(place)))
        {
            missing.push_back(static_cast<uint8_t>(place));
        }
    }

    // As many equations: a parity less what is known is a sum of what is missing.
    struct Row
    {
        std::vector<uint8_t> factors; // of the missing packets
        std::vector<uint8_t> sum;     // what they add up to
    };

    const auto length = parities.begin()->second.size();
    std::vector<Row> rows;
    for (auto parity = parities.begin(); rows.size() < missing.size(); ++parity)
    {
        rows.push_back({{}, parity->second});
        auto& [factors, sum] = rows.back();
        const bool isShort = std::any_of(packets.begin(), packets.end(), [length](const auto& one) {
            return one.second.size() > length;
        });
        if (isShort || sum.size() != length)
        {
            return false;
        }
        for (const auto& [place, bytes] : packets)
        {
            Add(sum, bytes, GetFactor(parity->first, place));
        }
        for (const auto place : missing)
        {
            factors.push_back(GetFactor(parity->first, place));
        }
    }
    // Gauss and Jordan. The matrix can be inverted, so that there is a row with a factor.
    for (std::size_t column = 0; column < missing.size(); ++column)
    {
        const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(column),
                                        rows.end(),
                                        [=](const Row& row) { return row.factors[column] != 0; });
        std::swap(rows[column], *pivot);
        auto& [factors, sum] = rows[column];
        const auto inverse = Invert(factors[column]);
        const auto scale = [inverse](std::vector<uint8_t>& bytes) {
            for (auto& byte : bytes)
            {
                byte = Multiply(byte, inverse);
            }
        };
        scale(factors);
        scale(sum);
        for (std::size_t other = 0; other < rows.size(); ++other)
        {
            if (const auto times = rows[other].factors[column]; other != column)
            {
                Add(rows[other].factors, factors, times);
                Add(rows[other].sum, sum, times);
            }
        }
    }
    for (std::size_t i = 0; i < missing.size(); ++i)
    {
        packets[missing[i]] = std::move(rows[i].sum);
    }
    return true;
}

} // namespace ns3::lfn
