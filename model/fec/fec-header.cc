// SPDX-License-Identifier: GPL-2.0-only

#include "fec-header.h"

#include "ns3/lfn-big-endian.h"

namespace ns3::lfn
{

std::array<uint8_t, FecDataHeader::SIZE>
FecDataHeader::Write() const
{
    std::array<uint8_t, SIZE> bytes{KIND, index, count};
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
    if (header.count == 0 || header.count > MAX_COUNT || header.index >= header.count)
    {
        return std::nullopt;
    }
    return header;
}

std::array<uint8_t, FecParityHeader::SIZE>
FecParityHeader::Write() const
{
    std::array<uint8_t, SIZE> bytes{KIND};
    const std::span<uint8_t> out(bytes);
    WriteBigEndian(out, 2, lengths);
    WriteBigEndian(out, 4, block);
    WriteBigEndian(out, 8, mask);
    WriteBigEndian(out, 12, session);
    return bytes;
}

std::optional<FecParityHeader>
FecParityHeader::Read(std::span<const uint8_t> bytes)
{
    if (bytes.size() < SIZE || bytes[0] != KIND)
    {
        return std::nullopt;
    }
    FecParityHeader header;
    header.lengths = ReadBigEndian<uint16_t>(bytes, 2);
    header.block = ReadBigEndian<uint32_t>(bytes, 4);
    header.mask = ReadBigEndian<uint32_t>(bytes, 8);
    header.session = ReadBigEndian<uint32_t>(bytes, 12);
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
