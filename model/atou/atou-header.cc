// SPDX-License-Identifier: GPL-2.0-only
#include "atou-header.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(AtouDataHeader);
NS_OBJECT_ENSURE_REGISTERED(AtouAckHeader);

uint64_t
AtouTimeWords::Encode(double seconds)
{
    return std::rotl(std::bit_cast<uint64_t>(seconds), 32);
}

double
AtouTimeWords::Decode(uint64_t words)
{
    return std::bit_cast<double>(std::rotl(words, 32));
}

AtouDataHeader::AtouDataHeader(uint64_t time, uint32_t segment)
    : time(time),
      segment(segment)
{
}

TypeId
AtouDataHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::AtouDataHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lfn")
                            .AddConstructor<AtouDataHeader>();
    return tid;
}

TypeId
AtouDataHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
AtouDataHeader::GetSerializedSize() const
{
    return SIZE;
}

void
AtouDataHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(time);
    start.WriteHtonU32(segment);
}

uint32_t
AtouDataHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < SIZE)
    {
        return 0;
    }
    const auto stamp = start.ReadNtohU64();
    const auto number = start.ReadNtohU32();
    if (number == 0)
    {
        return 0;
    }
    time = stamp;
    segment = number;
    return SIZE;
}

void
AtouDataHeader::Print(std::ostream& os) const
{
    os << "segment=" << segment << " time=" << AtouTimeWords::Decode(time);
}

AtouAckHeader::AtouAckHeader(uint64_t time, uint32_t next, const std::vector<AtouBlock>& blocks)
    : time(time),
      next(next),
      blocks(blocks.begin(), blocks.begin() + std::min(blocks.size(), MAX_BLOCKS))
{
}

TypeId
AtouAckHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::AtouAckHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lfn")
                            .AddConstructor<AtouAckHeader>();
    return tid;
}

TypeId
AtouAckHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
AtouAckHeader::GetSerializedSize() const
{
    return SIZE + BLOCK_SIZE * static_cast<uint32_t>(blocks.size());
}

void
AtouAckHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(time);
    start.WriteHtonU32(next);
    start.WriteHtonU32(static_cast<uint32_t>(blocks.size()));
    for (const auto& block : blocks)
    {
        start.WriteHtonU32(block.first);
        start.WriteHtonU32(block.last);
    }
}

uint32_t
AtouAckHeader::Deserialize(Buffer::Iterator start)
{
    const auto there = start.GetRemainingSize();
    if (there < SIZE)
    {
        return 0;
    }
    const auto stamp = start.ReadNtohU64();
    const auto expected = start.ReadNtohU32();
    const auto count = start.ReadNtohU32();
    if (expected == 0 || count > MAX_BLOCKS || there < SIZE + BLOCK_SIZE * count)
    {
        return 0;
    }
    std::vector<AtouBlock> runs(count);
    for (auto& block : runs)
    {
        block.first = start.ReadNtohU32();
        block.last = start.ReadNtohU32();
        if (block.first == 0 || block.last < block.first)
        {
            return 0;
        }
    }
    time = stamp;
    next = expected;
    blocks = std::move(runs);
    return GetSerializedSize();
}

void
AtouAckHeader::Print(std::ostream& os) const
{
    os << "next=" << next << " time=" << AtouTimeWords::Decode(time);
    for (const auto& block : blocks)
    {
        os << " " << block.first << "-" << block.last;
    }
}

} // namespace ns3::lfn
