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

/**
 * @brief Finds the piece of the pattern that belongs to a numbered datagram.
 * @param number number of the datagram
 * @return place of the first byte; odd multiples, so that no two numbers share one, [B]
 */
constexpr uint64_t
FindPlace(uint64_t number)
{
    return number * 0x9E3779B97F4A7C15U;
}

/**
 * @brief Compares bytes with the pattern.
 * @param offset place in the pattern of the first byte, [B]
 * @param bytes the bytes
 * @return true when all agree
 */
bool
IsPattern(uint64_t offset, std::span<const uint8_t> bytes)
{
    return Walk(offset, bytes.size(), [&](size_t at, const uint8_t* piece, size_t size) {
        return std::memcmp(bytes.data() + at, piece, size) == 0;
    });
}

/** @brief The bytes of a packet, laid out in one piece. */
struct FlatPacket
{
    /** @brief Copies the bytes of a packet. */
    explicit FlatPacket(const Packet& packet)
        : size(packet.GetSize()),
          bytes(std::make_unique_for_overwrite<uint8_t[]>(size))
    {
        packet.CopyData(bytes.get(), size);
    }

    uint32_t size;                    //!< number of bytes
    std::unique_ptr<uint8_t[]> bytes; //!< the bytes
};

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
    const FlatPacket flat(*packet);
    return IsPattern(offset, {flat.bytes.get(), flat.size});
}

Ptr<Packet>
PatternPayload::MakeDatagram(uint64_t number, uint32_t bytes)
{
    if (bytes < WORD)
    {
        return MakePacket(0, bytes);
    }
    const auto buffer = std::make_unique_for_overwrite<uint8_t[]>(bytes);
    for (size_t i = 0; i < WORD; ++i)
    {
        buffer[i] = static_cast<uint8_t>(number >> (8 * (WORD - 1 - i)));
    }
    Fill(FindPlace(number), {buffer.get() + WORD, bytes - WORD});
    return Create<Packet>(buffer.get(), bytes);
}

bool
PatternPayload::IsIntact(Ptr<const Packet> datagram)
{
    const FlatPacket flat(*datagram);
    if (flat.size < WORD)
    {
        return IsPattern(0, {flat.bytes.get(), flat.size});
    }
    uint64_t number = 0;
    for (size_t i = 0; i < WORD; ++i)
    {
        number = (number << 8) | flat.bytes[i];
    }
    return IsPattern(FindPlace(number), {flat.bytes.get() + WORD, flat.size - WORD});
}

} // namespace ns3::lfn
