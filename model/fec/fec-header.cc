// SPDX-License-Identifier: GPL-2.0-only

#include "fec-header.h"

namespace ns3::lfn
{

namespace
{

/**
 * @brief Write an unsigned number, most significant byte first.
 * @param value the number
 * @param out where its bytes go; as many as there is room
 */
void
WriteBigEndian(uint32_t value, std::span<uint8_t> out)
{
    for (auto byte = out.rbegin(); byte != out.rend(); ++byte)
    {
        *byte = static_cast<uint8_t>(value);
        value >>= 8;
    }
}

/**
 * @brief Read an unsigned number, most significant byte first.
 * @param in its bytes, 4 at most
 * @return the number
 */
uint32_t
ReadBigEndian(std::span<const uint8_t> in)
{
    uint32_t value = 0;
    for (const auto byte : in)
    {
        value = (value << 8) | byte;
    }
    return value;
}

} // namespace

std::array<uint8_t, FecDataHeader::SIZE>
FecDataHeader::Write() const
{
    std::array<uint8_t, SIZE> bytes{KIND, index, count, 0};
    WriteBigEndian(block, std::span(bytes).subspan(4, 4));
    return bytes;
}

std::optional<FecDataHeader>
FecDataHeader::Read(std::span<const uint8_t> bytes)
{
    if (bytes.size() < SIZE || bytes[0] != KIND || bytes[3] != 0)
    {
        return std::nullopt;
    }
    FecDataHeader header;
    header.index = bytes[1];
    header.count = bytes[2];
    header.block = ReadBigEndian(bytes.subspan(4, 4));
    if (header.count == 0 || header.count > MAX_COUNT || header.index >= header.count)
    {
        return std::nullopt;
    }
    return header;
}

std::array<uint8_t, FecParityHeader::SIZE>
FecParityHeader::Write() const
{
    std::array<uint8_t, SIZE> bytes{KIND, 0};
    const std::span<uint8_t> out(bytes);
    WriteBigEndian(lengths, out.subspan(2, 2));
    WriteBigEndian(block, out.subspan(4, 4));
    WriteBigEndian(mask, out.subspan(8, 4));
    return bytes;
}

std::optional<FecParityHeader>
FecParityHeader::Read(std::span<const uint8_t> bytes)
{
    if (bytes.size() < SIZE || bytes[0] != KIND || bytes[1] != 0)
    {
        return std::nullopt;
    }
    FecParityHeader header;
    header.lengths = static_cast<uint16_t>(ReadBigEndian(bytes.subspan(2, 2)));
    header.block = ReadBigEndian(bytes.subspan(4, 4));
    header.mask = ReadBigEndian(bytes.subspan(8, 4));
    if (header.mask == 0 || (header.mask & (header.mask + 1)) != 0)
    {
        return std::nullopt;
    }
    return header;
}

uint32_t
FecParityHeader::MakeMask(uint32_t count)
{
    return count >= FecDataHeader::MAX_COUNT ? UINT32_MAX : (1U << count) - 1;
}

} // namespace ns3::lfn
