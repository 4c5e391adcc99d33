// SPDX-License-Identifier: GPL-2.0-only
#include "udt-packet-header.h"

#include "ns3/hash.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(UdtPacketHeader);

namespace
{

/** @brief Name a type of control packets. @return a lower-case word */
const char*
GetName(UdtType type)
{
    switch (type)
    {
    case UdtType::HANDSHAKE:
        return "handshake";
    case UdtType::KEEP_ALIVE:
        return "keep-alive";
    case UdtType::ACK:
        return "ack";
    case UdtType::NAK:
        return "nak";
    case UdtType::DELAY_WARNING:
        return "delay-warning";
    case UdtType::SHUTDOWN:
        return "shutdown";
    case UdtType::ACK2:
        return "ack2";
    case UdtType::MESSAGE_DROP:
        return "message-drop";
    case UdtType::ERROR:
        return "error";
    case UdtType::USER:
        return "user";
    }
    return "unknown";
}

/** @brief Prints each kind of packet. */
struct Printer
{
    std::ostream& os; //!< where to

    void operator()(const UdtMalformed& packet) const
    {
        os << "malformed: " << packet.problem;
    }

    void operator()(const UdtData& packet) const
    {
        os << "data " << packet.sequence << (packet.isFirst ? " first" : "")
           << (packet.isLast ? " last" : "") << (packet.isInOrder ? " in-order" : "") << " message "
           << packet.message << " timestamp " << packet.timestamp << " to " << packet.destination;
    }

    void operator()(const UdtHandshake& packet) const
    {
        os << "handshake " << packet.request << " version " << packet.version << " type "
           << packet.socketType << " sequence " << packet.initialSequence << " mss " << packet.mss
           << " window " << packet.window << " id " << packet.socketId << " cookie "
           << packet.cookie << " to " << packet.destination;
    }

    void operator()(const UdtAck& packet) const
    {
        os << "ack " << packet.number << " next " << packet.next;
        if (packet.path)
        {
            os << " rtt " << packet.path->rttUs << " variation " << packet.path->rttVarUs
               << " buffer " << packet.path->buffer;
        }
        if (packet.rates)
        {
            os << " arrival " << packet.rates->arrival << " capacity " << packet.rates->capacity;
        }
        os << " to " << packet.destination;
    }

    void operator()(const UdtNak& packet) const
    {
        os << "nak";
        for (const auto& range : packet.lost)
        {
            os << " " << range.first << "-" << range.last;
        }
        os << " to " << packet.destination;
    }

    void operator()(const UdtDrop& packet) const
    {
        os << GetName(UdtType::MESSAGE_DROP) << " " << packet.message << " packets "
           << packet.range.first << "-" << packet.range.last << " to " << packet.destination;
    }

    void operator()(const UdtSignal& packet) const
    {
        os << GetName(packet.type) << " " << packet.info << " to " << packet.destination;
    }
};

} // namespace

UdtPacketHeader::UdtPacketHeader(UdtPacket packet)
    : m_packet(std::move(packet))
{
}

TypeId
UdtPacketHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::UdtPacketHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lfn")
                            .AddConstructor<UdtPacketHeader>();
    return tid;
}

TypeId
UdtPacketHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
UdtPacketHeader::GetSerializedSize() const
{
    return std::holds_alternative<UdtData>(m_packet)
               ? UDT_HEADER_SIZE
               : static_cast<uint32_t>(WriteUdtControl(m_packet).size());
}

void
UdtPacketHeader::Serialize(Buffer::Iterator start) const
{
    if (const auto* data = std::get_if<UdtData>(&m_packet))
    {
        const auto bytes = data->Write();
        start.Write(bytes.data(), UDT_HEADER_SIZE);
        return;
    }
    const auto bytes = WriteUdtControl(m_packet);
    start.Write(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

uint32_t
UdtPacketHeader::Deserialize(Buffer::Iterator start)
{
    const auto size = start.GetRemainingSize();
    const auto copy = start;
    std::array<uint8_t, UDT_HEADER_SIZE> header{};
    if (size < UDT_HEADER_SIZE)
    {
        m_packet = UdtMalformed{"a packet has at least 16 B"};
        return 0;
    }
    start.Read(header.data(), UDT_HEADER_SIZE);
    m_packet = ReadUdtPacket(header);
    if (std::holds_alternative<UdtData>(m_packet))
    {
        return UDT_HEADER_SIZE;
    }
    start = copy;
    std::vector<uint8_t> bytes(size);
    start.Read(bytes.data(), size);
    m_packet = ReadUdtPacket(bytes);
    return std::holds_alternative<UdtMalformed>(m_packet) ? 0 : size;
}

void
UdtPacketHeader::Print(std::ostream& os) const
{
    os << m_packet;
}

const UdtPacket&
UdtPacketHeader::GetPacket() const
{
    return m_packet;
}

uint32_t
GetUdtDestination(const UdtPacket& packet)
{
    return std::visit(
        [](const auto& kind) -> uint32_t {
            if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, UdtMalformed>)
            {
                return 0;
            }
            else
            {
                return kind.destination;
            }
        },
        packet);
}

std::array<uint32_t, 4>
UdtAddressWords(const Address& address)
{
    std::array<uint8_t, 16> bytes{};
    if (InetSocketAddress::IsMatchingType(address))
    {
        InetSocketAddress::ConvertFrom(address).GetIpv4().Serialize(bytes.data());
    }
    else if (Inet6SocketAddress::IsMatchingType(address))
    {
        Inet6SocketAddress::ConvertFrom(address).GetIpv6().Serialize(bytes.data());
    }
    std::array<uint32_t, 4> words{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        words[i / 4] |= uint32_t{bytes[i]} << 8 * (i % 4);
    }
    return words;
}

uint32_t
HashUdtAddress(const Address& address)
{
    std::array<uint8_t, Address::MAX_SIZE> bytes{};
    const auto size = address.CopyTo(bytes.data());
    return Hash32(std::string(bytes.begin(), bytes.begin() + size));
}

std::ostream&
operator<<(std::ostream& os, const UdtPacket& packet)
{
    std::visit(Printer{os}, packet);
    return os;
}

} // namespace ns3::lfn
