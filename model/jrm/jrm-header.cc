// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-header.h"

#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-erasure-code.h"

#include <algorithm>
#include <ostream>

namespace ns3::lfn
{
std::ostream&
operator<<(std::ostream& os, const JrmMessageId& id)
{
    return os << "VRN " << id.participant << " MCG " << id.group << " MSN " << id.message;
}

NS_OBJECT_ENSURE_REGISTERED(JrmHeader);

const char*
ToString(JrmType type)
{
    switch (type)
    {
    case JrmType::MSG:
        return "msg";
    case JrmType::NACK_REQ:
        return "nack-req";
    case JrmType::NACK_RESP:
        return "nack-resp";
    case JrmType::HEARTBEAT:
        return "heartbeat";
    case JrmType::PROBE:
        return "probe";
    case JrmType::ANSWER:
        return "answer";
    case JrmType::PARITY:
        return "parity";
    }
    return "unknown";
}

JrmHeader::JrmHeader(JrmType type,
                     const JrmMessageId& id,
                     uint16_t packet,
                     uint32_t length,
                     uint8_t flags)
    : type(type),
      flags(flags),
      packet(packet),
      id(id),
      length(length)
{
}

TypeId
JrmHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::JrmHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lfn")
                            .AddConstructor<JrmHeader>();
    return tid;
}

TypeId
JrmHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
JrmHeader::GetSerializedSize() const
{
    return SIZE;
}

void
JrmHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(static_cast<uint8_t>(type));
    start.WriteU8(flags);
    start.WriteHtonU16(packet);
    start.WriteHtonU32(id.participant);
    start.WriteHtonU32(id.group);
    start.WriteHtonU32(id.message);
    start.WriteHtonU32(length);
}

uint32_t
JrmHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < SIZE)
    {
        return 0;
    }
    const auto kind = start.ReadU8();
    if (kind < static_cast<uint8_t>(JrmType::MSG) || kind > static_cast<uint8_t>(JrmType::PARITY))
    {
        return 0;
    }
    type = static_cast<JrmType>(kind);
    flags = start.ReadU8();
    packet = start.ReadNtohU16();
    id.participant = start.ReadNtohU32();
    id.group = start.ReadNtohU32();
    id.message = start.ReadNtohU32();
    length = start.ReadNtohU32();
    return SIZE;
}

void
JrmHeader::Print(std::ostream& os) const
{
    os << ToString(type) << " VRN=" << id.participant << " MCG=" << id.group
       << " MSN=" << id.message << " PSN=" << packet << " length=" << length;
}

std::vector<uint8_t>
JrmParity::Write() const
{
    return {block, index};
}

std::optional<JrmParity>
JrmParity::Read(std::span<const uint8_t> bytes)
{
    if (bytes.size() < SIZE || bytes[0] < 2 || uint32_t{bytes[0]} + bytes[1] >= ErasureCode::MOST)
    {
        return std::nullopt;
    }
    return JrmParity{bytes[0], bytes[1]};
}

std::vector<uint8_t>
JrmNackList::Write(std::span<const uint16_t> packets)
{
    std::vector<uint8_t> bytes(2 + 2 * packets.size());
    WriteBigEndian(bytes, 0, static_cast<uint16_t>(packets.size()));
    for (std::size_t i = 0; i < packets.size(); ++i)
    {
        WriteBigEndian(bytes, 2 + 2 * i, packets[i]);
    }
    return bytes;
}

std::optional<std::vector<uint16_t>>
JrmNackList::Read(std::span<const uint8_t> bytes)
{
    if (bytes.size() < 2)
    {
        return std::nullopt;
    }
    const std::size_t count = ReadBigEndian<uint16_t>(bytes);
    if (bytes.size() < 2 + 2 * count)
    {
        return std::nullopt;
    }
    std::vector<uint16_t> packets;
    packets.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        packets.push_back(ReadBigEndian<uint16_t>(bytes, 2 + 2 * i));
    }
    if (std::find(packets.begin(), packets.end(), 0) != packets.end())
    {
        return std::nullopt;
    }
    return packets;
}

} // namespace ns3::lfn
