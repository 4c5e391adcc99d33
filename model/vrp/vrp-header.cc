// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-header.h"

#include "ns3/lfn-big-endian.h"

#include <utility>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(VrpHeader);

namespace
{

constexpr uint16_t CONTROL_BIT = VrpHeader::FRAME_NUMBERS;     //!< the first bit of the header
constexpr uint16_t FRAME_MASK = VrpHeader::FRAME_NUMBERS - 1U; //!< the 15 bits that follow it

/**
 * @brief Get the size of what follows a code, as section 3.1 gives it.
 * @param code the tag
 * @return bytes, without those that PADDING announces
 */
uint32_t
GetBodySize(VrpTagCode code)
{
    switch (code)
    {
    case VrpTagCode::LAST:
        return 0;
    case VrpTagCode::CONS_LOSS:
    case VrpTagCode::LOSS_RATE:
        return 1;
    case VrpTagCode::FRAME_OK:
    case VrpTagCode::FRAME_REFUSED:
    case VrpTagCode::FRAME_CLOSE:
    case VrpTagCode::MISSING_HDR:
    case VrpTagCode::PADDING:
        return 2;
    case VrpTagCode::ACK:
    case VrpTagCode::SINGLE_ACK:
    case VrpTagCode::NACK:
    case VrpTagCode::CRITICAL_PACKET:
        return 4;
    case VrpTagCode::PING:
    case VrpTagCode::PONG:
    case VrpTagCode::FRAME_CREATE:
    case VrpTagCode::CRITICAL_INTERVAL:
        return 8;
    }
    return 0;
}

/** @brief Appends unsigned numbers, most significant byte first. */
class Writer
{
  public:
    /**
     * @brief Append a number.
     * @tparam T its type, which gives the number of bytes
     * @param value the number
     */
    template <typename T>
    void operator()(T value)
    {
        m_bytes.resize(m_bytes.size() + sizeof(T));
        WriteBigEndian(m_bytes, m_bytes.size() - sizeof(T), value);
    }

    std::vector<uint8_t> m_bytes; //!< what has been written
};

/** @brief Takes unsigned numbers from bytes that are known to be there. */
class Reader
{
  public:
    /**
     * @brief A reader.
     * @param bytes what to read
     */
    explicit Reader(std::span<const uint8_t> bytes)
        : m_bytes(bytes)
    {
    }

    /**
     * @brief Take the next number.
     * @tparam T its type, which gives the number of bytes
     * @param value becomes the number
     */
    template <typename T>
    void operator()(T& value)
    {
        value = ReadBigEndian<T>(m_bytes);
        m_bytes = m_bytes.subspan(sizeof(T));
    }

  private:
    std::span<const uint8_t> m_bytes; //!< what is left
};

/**
 * @brief Go through the fields of a tag in the order in which they travel.
 * @tparam Tag VrpTag, const or not
 * @tparam Visitor Writer or Reader
 * @param tag the tag
 * @param visit called with every field
 */
template <typename Tag, typename Visitor>
void
VisitFields(Tag& tag, Visitor& visit)
{
    switch (tag.code)
    {
    case VrpTagCode::LAST:
        break;
    case VrpTagCode::PING:
    case VrpTagCode::PONG:
        visit(tag.seconds);
        visit(tag.microseconds);
        break;
    case VrpTagCode::ACK:
    case VrpTagCode::SINGLE_ACK:
    case VrpTagCode::NACK:
    case VrpTagCode::CRITICAL_PACKET:
        visit(tag.packet);
        break;
    case VrpTagCode::FRAME_CREATE:
        visit(tag.frame);
        visit(tag.dataSize);
        visit(tag.packetSize);
        break;
    case VrpTagCode::CONS_LOSS:
    case VrpTagCode::LOSS_RATE:
        visit(tag.value);
        break;
    case VrpTagCode::FRAME_OK:
    case VrpTagCode::FRAME_REFUSED:
    case VrpTagCode::FRAME_CLOSE:
    case VrpTagCode::MISSING_HDR:
        visit(tag.frame);
        break;
    case VrpTagCode::CRITICAL_INTERVAL:
        visit(tag.packet);
        visit(tag.lastPacket);
        break;
    case VrpTagCode::PADDING:
        visit(tag.padding);
        break;
    }
}

} // namespace

VrpHeader
VrpHeader::Data(uint16_t frame, uint32_t packet)
{
    VrpHeader header;
    header.frame = frame & FRAME_MASK;
    header.packet = packet;
    return header;
}

VrpHeader
VrpHeader::Control(uint16_t frame)
{
    VrpHeader header;
    header.control = true;
    header.frame = frame & FRAME_MASK;
    return header;
}

TypeId
VrpHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::VrpHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lfn")
                            .AddConstructor<VrpHeader>();
    return tid;
}

TypeId
VrpHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
VrpHeader::GetSerializedSize() const
{
    return SIZE;
}

void
VrpHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(control ? frame | CONTROL_BIT : frame);
    start.WriteHtonU32(packet);
}

uint32_t
VrpHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < SIZE)
    {
        return 0;
    }
    const uint16_t first = start.ReadNtohU16();
    control = (first & CONTROL_BIT) != 0;
    frame = first & FRAME_MASK;
    packet = start.ReadNtohU32();
    return SIZE;
}

void
VrpHeader::Print(std::ostream& os) const
{
    os << (control ? "control" : "data") << " frame " << frame << " packet " << packet;
}

const char*
ToString(VrpTagCode code)
{
    switch (code)
    {
    case VrpTagCode::LAST:
        return "last";
    case VrpTagCode::PING:
        return "ping";
    case VrpTagCode::PONG:
        return "pong";
    case VrpTagCode::ACK:
        return "ack";
    case VrpTagCode::SINGLE_ACK:
        return "single_ack";
    case VrpTagCode::NACK:
        return "nack";
    case VrpTagCode::FRAME_CREATE:
        return "frame_create";
    case VrpTagCode::CONS_LOSS:
        return "cons_loss";
    case VrpTagCode::LOSS_RATE:
        return "loss_rate";
    case VrpTagCode::FRAME_OK:
        return "frame_ok";
    case VrpTagCode::FRAME_REFUSED:
        return "frame_refused";
    case VrpTagCode::FRAME_CLOSE:
        return "frame_close";
    case VrpTagCode::MISSING_HDR:
        return "missing_hdr";
    case VrpTagCode::CRITICAL_PACKET:
        return "critical_packet";
    case VrpTagCode::CRITICAL_INTERVAL:
        return "critical_interval";
    case VrpTagCode::PADDING:
        return "padding";
    }
    return "unknown";
}

VrpTag
VrpTag::OfPacket(VrpTagCode code, uint32_t packet)
{
    return {.code = code, .packet = packet};
}

VrpTag
VrpTag::OfFrame(VrpTagCode code, uint16_t frame)
{
    return {.code = code, .frame = frame};
}

VrpTag
VrpTag::OfValue(VrpTagCode code, uint8_t value)
{
    return {.code = code, .value = value};
}

uint32_t
VrpTag::GetSize() const
{
    return 1 + GetBodySize(code) + (code == VrpTagCode::PADDING ? padding : 0U);
}

std::vector<uint8_t>
VrpControl::Write(std::span<const VrpTag> tags)
{
    Writer write;
    for (auto tag : tags)
    {
        tag.frame &= FRAME_MASK; // with its top bit set, no receiver would read the list
        write(static_cast<uint8_t>(tag.code));
        VisitFields(tag, write);
        if (tag.code == VrpTagCode::PADDING)
        {
            write.m_bytes.resize(write.m_bytes.size() + tag.padding);
        }
    }
    write(static_cast<uint8_t>(VrpTagCode::LAST));
    return std::move(write.m_bytes);
}

std::optional<VrpControl>
VrpControl::Read(std::span<const uint8_t> bytes)
{
    VrpControl control;
    while (control.size < bytes.size())
    {
        const auto rest = bytes.subspan(control.size);
        if (rest[0] > static_cast<uint8_t>(VrpTagCode::PADDING))
        {
            return std::nullopt;
        }
        VrpTag tag;
        tag.code = static_cast<VrpTagCode>(rest[0]);
        if (rest.size() < 1 + GetBodySize(tag.code))
        {
            return std::nullopt;
        }
        Reader read(rest.subspan(1));
        VisitFields(tag, read);
        if (tag.frame > FRAME_MASK)
        {
            return std::nullopt;
        }
        control.size += tag.GetSize(); // beyond the end if padding is cut: then there is no LAST
        if (tag.code == VrpTagCode::LAST)
        {
            return control;
        }
        control.tags.push_back(tag);
    }
    return std::nullopt;
}

std::optional<VrpControl>
VrpControl::Read(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return Read(bytes);
}

Ptr<Packet>
VrpControl::MakePacket(uint16_t frame, std::span<const VrpTag> tags)
{
    const auto bytes = Write(tags);
    const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    packet->AddHeader(VrpHeader::Control(frame));
    return packet;
}

} // namespace ns3::lfn
