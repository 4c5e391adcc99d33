// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-header.h"

#include "ns3/lfn-big-endian.h"

#include <algorithm>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(RbudpDataHeader);

namespace
{

constexpr std::array<uint8_t, 4> DONE_MARKER{'D', 'N', 'E', 0};  //!< three marks and the padding
constexpr std::array<uint8_t, 4> TOOLS_MARKER{'E', 'E', 'E', 0}; //!< of the tools, likewise

/// The marker of a layout.
const std::array<uint8_t, 4>&
MarkerOf(RbudpWire wire)
{
    return wire == RbudpWire::TOOLS ? TOOLS_MARKER : DONE_MARKER;
}

} // namespace

uint32_t
RbudpNumber(uint32_t number, RbudpWire wire)
{
    if (wire == RbudpWire::LFN)
    {
        return number;
    }
    return number << 24 | (number & 0xff00) << 8 | (number >> 8 & 0xff00) | number >> 24;
}

RbudpDataHeader::RbudpDataHeader(uint32_t sequence)
    : sequence(sequence)
{
}

TypeId
RbudpDataHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::RbudpDataHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lfn")
                            .AddConstructor<RbudpDataHeader>();
    return tid;
}

TypeId
RbudpDataHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
RbudpDataHeader::GetSerializedSize() const
{
    return SIZE;
}

void
RbudpDataHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(sequence);
}

uint32_t
RbudpDataHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < SIZE)
    {
        return 0;
    }
    sequence = start.ReadNtohU32();
    return SIZE;
}

void
RbudpDataHeader::Print(std::ostream& os) const
{
    os << "sequence " << sequence;
}

uint64_t
RbudpAnnouncement::GetDatagrams() const
{
    return payloadSize == 0 ? 0 : bytes / payloadSize + (bytes % payloadSize != 0 ? 1 : 0);
}

uint32_t
RbudpAnnouncement::GetDatagramBytes(uint64_t index) const
{
    return static_cast<uint32_t>(std::min<uint64_t>(payloadSize, bytes - index * payloadSize));
}

std::array<uint8_t, RbudpAnnouncement::SIZE>
RbudpAnnouncement::Write() const
{
    std::array<uint8_t, SIZE> out{};
    const std::span<uint8_t> all(out);
    WriteBigEndian(all, 0, bytes);
    WriteBigEndian(all, 8, payloadSize);
    WriteBigEndian(all, 12, firstSequence);
    return out;
}

std::optional<RbudpAnnouncement>
RbudpAnnouncement::Read(std::span<const uint8_t> in)
{
    if (in.size() != SIZE)
    {
        return std::nullopt;
    }
    RbudpAnnouncement message;
    message.bytes = ReadBigEndian<uint64_t>(in, 0);
    message.payloadSize = ReadBigEndian<uint32_t>(in, 8);
    message.firstSequence = ReadBigEndian<uint32_t>(in, 12);
    if (message.payloadSize == 0 || message.payloadSize > MAX_PAYLOAD_SIZE ||
        message.GetDatagrams() > MAX_DATAGRAMS)
    {
        return std::nullopt;
    }
    return message;
}

std::array<uint8_t, RbudpDone::SIZE>
RbudpDone::Write(RbudpWire wire) const
{
    std::array<uint8_t, SIZE> out{};
    WriteBigEndian(out, 0, RbudpNumber(round, wire));
    std::ranges::copy(MarkerOf(wire), out.begin() + 4);
    return out;
}

std::optional<RbudpDone>
RbudpDone::Read(std::span<const uint8_t> in, RbudpWire wire)
{
    if (in.size() != SIZE || !std::ranges::equal(MarkerOf(wire), in.subspan(4)))
    {
        return std::nullopt;
    }
    return RbudpDone{RbudpNumber(ReadBigEndian<uint32_t>(in), wire)};
}

uint64_t
RbudpAck::GetSize(uint64_t datagrams)
{
    return datagrams / 8 + 2;
}

std::vector<uint8_t>
RbudpAck::Write(std::span<const uint8_t> bitmap, bool complete)
{
    std::vector<uint8_t> out;
    out.reserve(bitmap.size() + 1);
    out.push_back(complete ? 1 : 0);
    out.insert(out.end(), bitmap.begin(), bitmap.end());
    return out;
}

std::optional<std::vector<uint8_t>>
RbudpAck::Read(std::span<const uint8_t> in, uint64_t datagrams)
{
    if (in.size() != GetSize(datagrams) || in[0] > 1)
    {
        return std::nullopt;
    }
    const auto tail = static_cast<uint8_t>(0xff << (datagrams % 8));
    const bool full =
        std::all_of(in.begin() + 1, in.end(), [](uint8_t byte) { return byte == 0xff; });
    if ((in.back() & tail) != tail || full != (in[0] == 1))
    {
        return std::nullopt;
    }
    return std::vector<uint8_t>(in.begin() + 1, in.end());
}

std::array<uint8_t, RbudpFileRequest::SIZE>
RbudpFileRequest::Write() const
{
    std::array<uint8_t, SIZE> out{};
    std::copy_n(name.begin(), std::min<std::size_t>(name.size(), SIZE - 1), out.begin());
    return out;
}

std::optional<RbudpFileRequest>
RbudpFileRequest::Read(std::span<const uint8_t> in)
{
    if (in.size() != SIZE)
    {
        return std::nullopt;
    }
    const auto end = std::find(in.begin(), in.end(), 0);
    if (end == in.begin() || end == in.end() ||
        std::any_of(end, in.end(), [](uint8_t byte) { return byte != 0; }))
    {
        return std::nullopt;
    }
    return RbudpFileRequest{std::string(in.begin(), end)};
}

} // namespace ns3::lfn
