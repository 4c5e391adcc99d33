// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-flow-witness.h"

#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/xcp-header.h"
#include "ns3/xcp-l4-protocol.h"

#include <array>
#include <optional>

namespace ns3::lfn
{

namespace
{

constexpr std::size_t NO_FLOW = SIZE_MAX;      //!< number of no flow
constexpr std::size_t MOST_FRAGMENTS = 100000; //!< datagrams in fragments that are remembered

/** @brief What an IPv4 packet says of itself. */
struct Ipv4View
{
    uint32_t total{0};       //!< length, [B]
    uint32_t header{0};      //!< length of the IP header, [B]
    uint16_t id{0};          //!< number of the datagram
    bool hasMore{false};     //!< further fragments follow
    bool isFirst{true};      //!< not a fragment behind the first
    uint8_t protocol{0};     //!< what is behind the IP header
    uint32_t source{0};      //!< address
    uint32_t destination{0}; //!< address
};

/** @brief What the transport header says. */
struct PortView
{
    uint16_t source{0};      //!< port
    uint16_t destination{0}; //!< port
    uint32_t header{0};      //!< length of the headers behind the IP header, [B]
};

/**
 * @brief Read a big-endian number.
 * @param bytes where it is
 * @return the number
 */
uint32_t
Read(std::span<const uint8_t> bytes)
{
    uint32_t value = 0;
    for (const auto byte : bytes)
    {
        value = (value << 8) | byte;
    }
    return value;
}

/**
 * @brief Read an IPv4 header.
 * @param bytes the packet's beginning
 * @return what it says; nothing when it is none
 */
std::optional<Ipv4View>
ReadIpv4(std::span<const uint8_t> bytes)
{
    if (bytes.size() < 20 || bytes[0] >> 4 != 4)
    {
        return std::nullopt;
    }
    Ipv4View view;
    view.header = (bytes[0] & 0x0fU) * 4;
    view.total = Read(bytes.subspan(2, 2));
    view.id = static_cast<uint16_t>(Read(bytes.subspan(4, 2)));
    const uint32_t fragment = Read(bytes.subspan(6, 2));
    view.hasMore = (fragment & 0x2000U) != 0;
    view.isFirst = (fragment & 0x1fffU) == 0;
    view.protocol = bytes[9];
    view.source = Read(bytes.subspan(12, 4));
    view.destination = Read(bytes.subspan(16, 4));
    if (view.header < 20 || view.total < view.header)
    {
        return std::nullopt;
    }
    return view;
}

/**
 * @brief Read the ports.
 * @param protocol what is behind the IP header
 * @param bytes what is behind the IP header
 * @return what it says; nothing when it is neither UDP nor TCP
 */
std::optional<PortView>
ReadPorts(uint8_t protocol, std::span<const uint8_t> bytes)
{
    uint32_t shim = 0;
    if (protocol == XcpL4Protocol::PROT_NUMBER && bytes.size() >= XcpHeader::SIZE)
    {
        protocol = bytes[0];
        shim = XcpHeader::SIZE;
        bytes = bytes.subspan(shim);
    }
    const bool isUdp = protocol == UdpL4Protocol::PROT_NUMBER;
    const std::size_t least = isUdp ? 8 : 20;
    if ((!isUdp && protocol != TcpL4Protocol::PROT_NUMBER) || bytes.size() < least)
    {
        return std::nullopt;
    }
    PortView view;
    view.source = static_cast<uint16_t>(Read(bytes.subspan(0, 2)));
    view.destination = static_cast<uint16_t>(Read(bytes.subspan(2, 2)));
    view.header = shim + (isUdp ? 8 : (bytes[12] >> 4) * 4U);
    return view;
}

} // namespace

std::size_t
FlowWitness::Watch(const Flow& flow)
{
    const std::size_t index = m_flows.size();
    m_flows.push_back(flow);
    m_accounts.emplace_back();
    for (const auto& node : {flow.sender, flow.receiver})
    {
        for (uint32_t i = 0; i < flow.ports; ++i)
        {
            m_ports[{node->GetId(), static_cast<uint16_t>(flow.port + i)}] = index;
        }
        const auto ipv4 = node->GetObject<Ipv4>();
        if (ipv4 && m_nodes.insert(node->GetId()).second)
        {
            ipv4->TraceConnectWithoutContext("Rx", MakeCallback(&FlowWitness::HandlePacket, this));
        }
    }
    return index;
}

const FlowWitness::Account&
FlowWitness::Get(std::size_t flow) const
{
    return m_accounts.at(flow);
}

bool
FlowWitness::Agrees(const Account& account, const TransferReport& report, const Bounds& bounds)
{
    const uint64_t headers = account.packets * bounds.headerBytes;
    if (account.payloadBytes < headers || report.deliveredBytes < bounds.repairedBytes)
    {
        return false;
    }
    const uint64_t came = account.payloadBytes - headers;
    const uint64_t delivered = report.deliveredBytes - bounds.repairedBytes;
    return delivered <= came && came - delivered <= bounds.surplusBytes &&
           account.packets <= report.dataPackets + bounds.surplusPackets;
}

std::size_t
FlowWitness::Find(uint32_t node, uint16_t source, uint16_t destination) const
{
    for (const auto port : {destination, source})
    {
        const auto found = m_ports.find({node, port});
        if (found != m_ports.end())
        {
            return found->second;
        }
    }
    return NO_FLOW;
}

void
FlowWitness::HandlePacket(Ptr<const Packet> packet, Ptr<Ipv4> ipv4, uint32_t interface)
{
    if (interface == 0) // the loopback, which no link has seen
    {
        return;
    }
    std::array<uint8_t, 60 + XcpHeader::SIZE + 60> buffer{};
    const uint32_t size = packet->CopyData(buffer.data(), buffer.size());
    const auto bytes = std::span<const uint8_t>(buffer).first(size);
    const auto ip = ReadIpv4(bytes);
    if (!ip || ip->header > bytes.size())
    {
        return;
    }
    const auto node = ipv4->GetObject<Node>();
    const FragmentKey key{ip->source, ip->destination, ip->id, ip->protocol};
    if (!ip->isFirst)
    {
        const auto found = m_fragments.find(key);
        if (found != m_fragments.end())
        {
            m_accounts[found->second].payloadBytes += ip->total - ip->header;
            if (!ip->hasMore)
            {
                m_fragments.erase(found);
            }
        }
        return;
    }
    const auto ports = ReadPorts(ip->protocol, bytes.subspan(ip->header));
    const auto index = ports ? Find(node->GetId(), ports->source, ports->destination) : NO_FLOW;
    if (index == NO_FLOW)
    {
        return;
    }
    const Flow& flow = m_flows[index];
    Account& account = m_accounts[index];
    const uint32_t headers = ip->header + ports->header;
    const uint32_t payload = ip->total > headers ? ip->total - headers : 0;
    const bool isData = node == flow.receiver && payload > 0 && ports->destination >= flow.port &&
                        ports->destination - flow.port < flow.dataPorts;
    if (!isData)
    {
        ++account.controlPackets;
        account.controlBytes += ip->total;
        return;
    }
    ++account.packets;
    account.payloadBytes += payload;
    if (ip->hasMore && m_fragments.size() < MOST_FRAGMENTS)
    {
        m_fragments[key] = index;
    }
}

} // namespace ns3::lfn
