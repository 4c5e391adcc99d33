// SPDX-License-Identifier: GPL-2.0-only

#include "fec-header.h"

#include "ns3/lfn-big-endian.h"

#include <algorithm>
#include <bit>

namespace ns3::lfn
{

std::array<uint8_t, FecDataHeader::SIZE>
FecDataHeader::Write() const
{
    const uint8_t others = parities > 1 ? parities : uint8_t{0};
    std::array<uint8_t, SIZE> bytes{KIND, index, count, others};
    const std::span<uint8_t> out(bytes);
    WriteBigEndian(out, 4, block);
    WriteBigEndian(out, 8, session);
    return bytes;
}

std::optional<FecDataHeader>
FecDataHeader::Read(std::span<const uint8_t> bytes)
{
    if (bytes.size() < SIZE || bytes[0] != KIND)
    {
        return std::nullopt;
    }
    FecDataHeader header;
    header.index = bytes[1];
    header.count = bytes[2];
    header.block = ReadBigEndian<uint32_t>(bytes, 4);
    header.session = ReadBigEndian<uint32_t>(bytes, 8);
    header.parities = std::max<uint8_t>(bytes[3], 1);
    if (header.count == 0 || header.count > MAX_COUNT || header.index >= header.count ||
        bytes[3] == 1 || header.count + header.parities > static_cast<int>(MAX_ALL))
    {
        return std::nullopt;
    }
    return header;
}

std::array<uint8_t, FecParityHeader::SIZE>
FecParityHeader::Write() const
{
    const bool isCode = parities > 1;
    std::array<uint8_t, SIZE> bytes{isCode ? CODE_KIND : KIND, index};
    const std::span<uint8_t> out(bytes);
    WriteBigEndian(out, 2, lengths);
    WriteBigEndian(out, 4, block);
    WriteBigEndian(out, 8, mask);
    if (isCode)
    {
        const auto count = static_cast<uint32_t>(std::popcount(mask));
        WriteBigEndian(out, 8, count << 24 | uint32_t{parities} << 16);
    }
    WriteBigEndian(out, 12, session);
    return bytes;
}

std::optional<FecParityHeader>
FecParityHeader::Read(std::span<const uint8_t> bytes)
{
    if (bytes.size() < SIZE || (bytes[0] != KIND && bytes[0] != CODE_KIND))
    {
        return std::nullopt;
    }
    FecParityHeader header;
    header.lengths = ReadBigEndian<uint16_t>(bytes, 2);
    header.block = ReadBigEndian<uint32_t>(bytes, 4);
    header.mask = ReadBigEndian<uint32_t>(bytes, 8);
    header.session = ReadBigEndian<uint32_t>(bytes, 12);
    if (bytes[0] == CODE_KIND)
    {
        const uint32_t count = bytes[8];
        header.index = bytes[1];
        header.parities = bytes[9];
        header.mask = count > 0 ? MakeMask(count) : 0;
        if (count > FecDataHeader::MAX_COUNT || header.parities < 2 ||
            header.index >= header.parities || count + header.parities > FecDataHeader::MAX_ALL)
        {
            return std::nullopt;
        }
    }
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
