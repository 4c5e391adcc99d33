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
    : m_time(time),
      m_segment(segment)
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

uint64_t
AtouDataHeader::GetTime() const
{
    return m_time;
}

uint32_t
AtouDataHeader::GetSegment() const
{
    return m_segment;
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
    start.WriteHtonU64(m_time);
    start.WriteHtonU32(m_segment);
}

uint32_t
AtouDataHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < SIZE)
    {
        return 0;
    }
    const auto time = start.ReadNtohU64();
    const auto segment = start.ReadNtohU32();
    if (segment == 0)
    {
        return 0;
    }
    m_time = time;
    m_segment = segment;
    return SIZE;
}

void
AtouDataHeader::Print(std::ostream& os) const
{
    os << "segment=" << m_segment << " time=" << AtouTimeWords::Decode(m_time);
}

AtouAckHeader::AtouAckHeader(uint64_t time, uint32_t next, const std::vector<AtouBlock>& blocks)
    : m_time(time),
      m_next(next),
      m_blocks(blocks.begin(), blocks.begin() + std::min(blocks.size(), MAX_BLOCKS))
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

uint64_t
AtouAckHeader::GetTime() const
{
    return m_time;
}

uint32_t
AtouAckHeader::GetNext() const
{
    return m_next;
}

const std::vector<AtouBlock>&
AtouAckHeader::GetBlocks() const
{
    return m_blocks;
}

TypeId
AtouAckHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
AtouAckHeader::GetSerializedSize() const
{
    return SIZE + BLOCK_SIZE * static_cast<uint32_t>(m_blocks.size());
}

void
AtouAckHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(m_time);
    start.WriteHtonU32(m_next);
    start.WriteHtonU32(static_cast<uint32_t>(m_blocks.size()));
    for (const auto& block : m_blocks)
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
    const auto time = start.ReadNtohU64();
    const auto next = start.ReadNtohU32();
    const auto count = start.ReadNtohU32();
    if (next == 0 || count > MAX_BLOCKS || there < SIZE + BLOCK_SIZE * count)
    {
        return 0;
    }
    std::vector<AtouBlock> blocks(count);
    for (auto& block : blocks)
    {
        block.first = start.ReadNtohU32();
        block.last = start.ReadNtohU32();
        if (block.first == 0 || block.last < block.first)
        {
            return 0;
        }
    }
    m_time = time;
    m_next = next;
    m_blocks = std::move(blocks);
    return GetSerializedSize();
}

void
AtouAckHeader::Print(std::ostream& os) const
{
    os << "next=" << m_next << " time=" << AtouTimeWords::Decode(m_time);
    for (const auto& block : m_blocks)
    {
        os << " " << block.first << "-" << block.last;
    }
}

} // namespace ns3::lfn
