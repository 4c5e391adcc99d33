// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-pattern-payload.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

namespace ns3::lfn
{

namespace
{

constexpr size_t WORD = sizeof(uint64_t); //!< the pattern is made eight bytes at a time

/**
 * @brief Makes eight bytes of the pattern, in the order in which they lie in memory.
 * @param index number of the word, offset / 8
 * @return the eight bytes
 */
uint64_t
MakeWord(uint64_t index)
{
    // Multiply and fold: neighbours differ in about half of their bits.
    uint64_t word = (index + 1) * 0x9E3779B97F4A7C15U;
    word ^= word >> 29;
    word *= 0xBF58476D1CE4E5B9U;
    word ^= word >> 32;
    word |= 0x0101010101010101U; // no byte is zero
    if constexpr (std::endian::native == std::endian::big)
    {
        uint64_t swapped = 0;
        for (size_t i = 0; i < WORD; ++i)
        {
            swapped = (swapped << 8) | ((word >> (8 * i)) & 0xFF);
        }
        return swapped;
    }
    return word;
}

/**
 * @brief Walks through the words that a range of the pattern touches.
 * @tparam F callable (position in the range, pointer to bytes, their number), false to stop
 * @param offset place of the first byte, [B]
 * @param size length of the range, [B]
 * @param visit what to do with each piece
 * @return false when the visitor stopped the walk
 */
template <typename F>
bool
Walk(uint64_t offset, size_t size, F&& visit)
{
    size_t done = 0;
    while (done < size)
    {
        const uint64_t place = offset + done;
        const uint64_t word = MakeWord(place / WORD);
        std::array<uint8_t, WORD> bytes;
        std::memcpy(bytes.data(), &word, WORD);
        const size_t skip = place % WORD;
        const size_t take = std::min(WORD - skip, size - done);
        if (!visit(done, bytes.data() + skip, take))
        {
            return false;
        }
        done += take;
    }
    return true;
}

} // namespace

void
PatternPayload::Fill(uint64_t offset, std::span<uint8_t> bytes)
{
    Walk(offset, bytes.size(), [&](size_t at, const uint8_t* piece, size_t size) {
        std::memcpy(bytes.data() + at, piece, size);
        return true;
    });
}

Ptr<Packet>
PatternPayload::MakePacket(uint64_t offset, uint32_t bytes)
{
    const auto buffer = std::make_unique_for_overwrite<uint8_t[]>(bytes);
    Fill(offset, {buffer.get(), bytes});
    return Create<Packet>(buffer.get(), bytes);
}

bool
PatternPayload::Matches(uint64_t offset, Ptr<const Packet> packet)
{
    const uint32_t size = packet->GetSize();
    const auto buffer = std::make_unique_for_overwrite<uint8_t[]>(size);
    packet->CopyData(buffer.get(), size);
    return Walk(offset, size, [&](size_t at, const uint8_t* piece, size_t length) {
        return std::memcmp(buffer.get() + at, piece, length) == 0;
    });
}

} // namespace ns3::lfn
