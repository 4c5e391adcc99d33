// SPDX-License-Identifier: GPL-2.0-only

#include "parallel-header.h"

#include "ns3/lfn-big-endian.h"

#include <limits>

namespace ns3::lfn
{

std::array<uint8_t, ParallelChunkHeader::SIZE>
ParallelChunkHeader::Write() const
{
    std::array<uint8_t, SIZE> bytes{};
    const std::span<uint8_t> out(bytes);
    WriteBigEndian(out, 0, MARKER);
    WriteBigEndian(out, 4, length);
    WriteBigEndian(out, 8, offset);
    WriteBigEndian(out, 16, total);
    WriteBigEndian(out, 24, transfer);
    return bytes;
}

std::optional<ParallelChunkHeader>
ParallelChunkHeader::Read(std::span<const uint8_t> bytes)
{
    if (bytes.size() != SIZE || ReadBigEndian<uint32_t>(bytes, 0) != MARKER)
    {
        return std::nullopt;
    }
    ParallelChunkHeader header;
    header.length = ReadBigEndian<uint32_t>(bytes, 4);
    header.offset = ReadBigEndian<uint64_t>(bytes, 8);
    header.total = ReadBigEndian<uint64_t>(bytes, 16);
    header.transfer = ReadBigEndian<uint32_t>(bytes, 24);
    const uint64_t end = header.total > 0 ? header.total : std::numeric_limits<uint64_t>::max();
    if (header.length == 0 || header.offset > end || header.length > end - header.offset)
    {
        return std::nullopt;
    }
    return header;
}

} // namespace ns3::lfn
