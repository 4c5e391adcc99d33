// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-plain-segment.h"

#include "ns3/tcp-header.h"
#include "ns3/tcp-option.h"

#include <cstddef>

namespace ns3::lfn
{

namespace
{

/// Length of a header without options, [B].
constexpr uint32_t BARE_BYTES = 20;

/// Length of the option of the time stamps, [B]; ns-3 pads it with two zeros.
constexpr uint8_t STAMP_BYTES = 10;

/// Read an unsigned number of 16 bits in network order.
uint16_t
Read16(std::span<const uint8_t> bytes, std::size_t at)
{
    return static_cast<uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

/// Read an unsigned number of 32 bits in network order.
uint32_t
Read32(std::span<const uint8_t> bytes, std::size_t at)
{
    return uint32_t{Read16(bytes, at)} << 16 | Read16(bytes, at + 2);
}

} // namespace

std::optional<TcpPlainSegment>
TcpPlainSegment::Read(std::span<const uint8_t> bytes)
{
    if (bytes.size() < BARE_BYTES || bytes[13] != TcpHeader::ACK || Read16(bytes, 18) != 0)
    {
        return std::nullopt;
    }
    TcpPlainSegment segment{.sourcePort = Read16(bytes, 0),
                            .destinationPort = Read16(bytes, 2),
                            .sequence = Read32(bytes, 4),
                            .ack = Read32(bytes, 8),
                            .window = Read16(bytes, 14),
                            .stamp = std::nullopt,
                            .bytes = BARE_BYTES};
    if (bytes[12] == (BARE_BYTES / 4) << 4)
    {
        return segment;
    }
    if (bytes[12] != (MAX_BYTES / 4) << 4 || bytes.size() < MAX_BYTES ||
        bytes[20] != TcpOption::TS || bytes[21] != STAMP_BYTES || Read16(bytes, 30) != 0)
    {
        return std::nullopt;
    }
    segment.stamp = Stamp{Read32(bytes, 22), Read32(bytes, 26)};
    segment.bytes = MAX_BYTES;
    return segment;
}

} // namespace ns3::lfn
