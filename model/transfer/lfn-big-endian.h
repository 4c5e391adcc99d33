// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_BIG_ENDIAN_H
#define LFN_BIG_ENDIAN_H

#include <cstdint>
#include <span>

namespace ns3::lfn
{

/**
 * @brief Write an unsigned number, most significant byte first.
 * @param value the number
 * @param out where its bytes go; as many as there is room
 */
inline void
WriteBigEndian(uint64_t value, std::span<uint8_t> out)
{
    for (auto byte = out.rbegin(); byte != out.rend(); ++byte)
    {
        *byte = static_cast<uint8_t>(value);
        value >>= 8;
    }
}

/**
 * @brief Read an unsigned number, most significant byte first.
 * @param in its bytes, 8 at most
 * @return the number
 */
inline uint64_t
ReadBigEndian(std::span<const uint8_t> in)
{
    uint64_t value = 0;
    for (const auto byte : in)
    {
        value = (value << 8) | byte;
    }
    return value;
}

} // namespace ns3::lfn

#endif // LFN_BIG_ENDIAN_H
