// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_BIG_ENDIAN_H
#define LFN_BIG_ENDIAN_H

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Read an unsigned number, most significant byte first.
 * @tparam T its type, of 8 to 64 bits
 * @param bytes the bytes, which have to reach behind the number
 * @param at where the number begins
 * @return the number
 */
template <std::unsigned_integral T>
T
ReadBigEndian(std::span<const uint8_t> bytes, std::size_t at = 0)
{
    // By halves: the compiler makes one instruction of it, but not of a loop.
    if constexpr (sizeof(T) == 8)
    {
        return T{ReadBigEndian<uint32_t>(bytes, at)} << 32 | ReadBigEndian<uint32_t>(bytes, at + 4);
    }
    else if constexpr (sizeof(T) == 4)
    {
        return T{ReadBigEndian<uint16_t>(bytes, at)} << 16 | ReadBigEndian<uint16_t>(bytes, at + 2);
    }
    else if constexpr (sizeof(T) == 2)
    {
        return static_cast<T>(bytes[at] << 8 | bytes[at + 1]);
    }
    else
    {
        return bytes[at];
    }
}

/**
 * @ingroup lfn
 * @brief Write an unsigned number, most significant byte first.
 * @tparam T its type, of 8 to 64 bits
 * @param bytes the bytes, which have to reach behind the number
 * @param at where the number begins
 * @param value the number
 */
template <std::unsigned_integral T>
void
WriteBigEndian(std::span<uint8_t> bytes, std::size_t at, T value)
{
    for (std::size_t i = sizeof(T); i > 0; --i)
    {
        bytes[at + i - 1] = static_cast<uint8_t>(value);
        value = static_cast<T>(uint64_t{value} >> 8);
    }
}

} // namespace ns3::lfn

#endif // LFN_BIG_ENDIAN_H
