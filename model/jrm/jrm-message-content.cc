// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-message-content.h"

#include "jrm-assembly.h"

#include "ns3/lfn-erasure-code.h"
#include "ns3/lfn-pattern-payload.h"

#include <algorithm>
#include <vector>

namespace ns3::lfn
{

JrmMessageContent::JrmMessageContent(uint32_t packetSize, bool isPattern)
    : m_packetSize(packetSize),
      m_isPattern(isPattern)
{
}

uint32_t
JrmMessageContent::GetSize(const JrmSenderCore::Response& packet) const
{
    const auto offset = (packet.packet - uint64_t{1}) * m_packetSize;
    return static_cast<uint32_t>(std::min<uint64_t>(m_packetSize, packet.length - offset));
}

Ptr<Packet>
JrmMessageContent::Make(const JrmSenderCore::Response& packet) const
{
    const auto size = GetSize(packet);
    const auto offset = GetOffset(packet.id, packet.packet);
    if (!packet.parity)
    {
        return m_isPattern ? PatternPayload::MakePacket(offset, size) : Create<Packet>(size);
    }
    const auto numbers = packet.parity->Write();
    const auto datagram = Create<Packet>(numbers.data(), JrmParity::SIZE);
    if (!m_isPattern)
    {
        datagram->AddAtEnd(Create<Packet>(size)); // zeros, as all packets
        return datagram;
    }
    std::vector<std::vector<uint8_t>> block;
    auto member = packet;
    const auto last = JrmAssembly::CountPackets(packet.length, m_packetSize);
    for (; block.size() < packet.parity->block && member.packet <= last; ++member.packet)
    {
        block.emplace_back(GetSize(member));
        PatternPayload::Fill(GetOffset(member.id, member.packet), block.back());
    }
    const auto bytes = ErasureCode::MakeParity(block, packet.parity->index);
    datagram->AddAtEnd(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
    return datagram;
}

bool
JrmMessageContent::Matches(const JrmMessageId& id, uint16_t packet, Ptr<const Packet> data) const
{
    return PatternPayload::Matches(GetOffset(id, packet), data);
}

uint64_t
JrmMessageContent::GetOffset(const JrmMessageId& id, uint16_t packet) const
{
    // Messages start 4 GiB apart, in an order common to all participants.
    const auto place = id.message + id.participant * uint32_t{2654435761} + id.group;
    return (uint64_t{place} << 32) + (packet - uint64_t{1}) * m_packetSize;
}

} // namespace ns3::lfn
