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
    WriteBigEndian(MARKER, out.subspan(0, 4));
    WriteBigEndian(length, out.subspan(4, 4));
    WriteBigEndian(offset, out.subspan(8, 8));
    WriteBigEndian(total, out.subspan(16, 8));
    WriteBigEndian(transfer, out.subspan(24, 4));
    return bytes;
}

std::optional<ParallelChunkHeader>
ParallelChunkHeader::Read(std::span<const uint8_t> bytes)
{
    if (bytes.size() != SIZE || ReadBigEndian(bytes.subspan(0, 4)) != MARKER)
    {
        return std::nullopt;
    }
    ParallelChunkHeader header;
    header.length = static_cast<uint32_t>(ReadBigEndian(bytes.subspan(4, 4)));
    header.offset = ReadBigEndian(bytes.subspan(8, 8));
    header.total = ReadBigEndian(bytes.subspan(16, 8));
    header.transfer = static_cast<uint32_t>(ReadBigEndian(bytes.subspan(24, 4)));
    const uint64_t end = header.total > 0 ? header.total : std::numeric_limits<uint64_t>::max();
    if (header.length == 0 || header.offset > end || header.length > end - header.offset)
    {
        return std::nullopt;
    }
    return header;
}

} // namespace ns3::lfn
