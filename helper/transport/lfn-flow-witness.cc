// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-flow-witness.h"

#include "ns3/ipv6-l3-protocol.h"
#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-ip-packet-filter.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/xcp-header.h"
#include "ns3/xcp-l4-protocol.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace ns3::lfn
{

namespace
{

constexpr std::size_t NO_FLOW = SIZE_MAX;      //!< number of no flow
constexpr std::size_t MOST_DATAGRAMS = 100000; //!< in fragments, that are remembered

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
            ipv4->TraceConnectWithoutContext("Rx",
                                             MakeCallback(&FlowWitness::HandlePacket<Ipv4>, this));
            if (const auto ipv6 = node->GetObject<Ipv6L3Protocol>())
            {
                ipv6->TraceConnectWithoutContext(
                    "Rx",
                    MakeCallback(&FlowWitness::HandlePacket<Ipv6>, this));
            }
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
           account.packets <= report.dataPackets + bounds.surplusPackets &&
           report.retransmittedPackets <= report.dataPackets &&
           report.deliveredBytes + report.lostBytes <= report.offeredBytes &&
           bounds.repairedBytes <= account.controlBytes;
}

std::optional<FlowWitness::IpView>
FlowWitness::ReadIpv4(std::span<const uint8_t> bytes)
{
    if (bytes.size() < 20 || bytes[0] >> 4 != 4)
    {
        return std::nullopt;
    }
    IpView view;
    view.header = (bytes[0] & 0x0fU) * 4;
    view.total = static_cast<uint32_t>(ReadBigEndian(bytes.subspan(2, 2)));
    view.id = static_cast<uint16_t>(ReadBigEndian(bytes.subspan(4, 2)));
    const auto fragment = static_cast<uint32_t>(ReadBigEndian(bytes.subspan(6, 2)));
    view.hasMore = (fragment & 0x2000U) != 0;
    view.offset = (fragment & 0x1fffU) * 8;
    view.protocol = bytes[9];
    std::ranges::copy(bytes.subspan(12, 4), view.source.begin());
    std::ranges::copy(bytes.subspan(16, 4), view.destination.begin());
    if (view.header < 20 || view.total < view.header)
    {
        return std::nullopt;
    }
    return view;
}

std::optional<FlowWitness::IpView>
FlowWitness::ReadIpv6(std::span<const uint8_t> bytes)
{
    constexpr uint32_t HEADER = 40;
    constexpr uint32_t FRAGMENT_HEADER = 8;
    constexpr uint8_t FRAGMENT = 44;
    if (bytes.size() < HEADER || bytes[0] >> 4 != 6)
    {
        return std::nullopt;
    }
    IpView view;
    view.header = HEADER;
    view.total = HEADER + static_cast<uint32_t>(ReadBigEndian(bytes.subspan(4, 2)));
    view.protocol = bytes[6];
    std::ranges::copy(bytes.subspan(8, 16), view.source.begin());
    std::ranges::copy(bytes.subspan(24, 16), view.destination.begin());
    if (view.protocol == FRAGMENT && bytes.size() >= HEADER + FRAGMENT_HEADER)
    {
        const auto fragment = bytes.subspan(HEADER, FRAGMENT_HEADER);
        const auto place = static_cast<uint32_t>(ReadBigEndian(fragment.subspan(2, 2)));
        view.header += FRAGMENT_HEADER;
        view.protocol = fragment[0];
        view.hasMore = (place & 1U) != 0;
        view.offset = place & 0xfff8U;
        view.id = static_cast<uint32_t>(ReadBigEndian(fragment.subspan(4, 4)));
    }
    return view.total < view.header ? std::nullopt : std::optional(view);
}

std::optional<FlowWitness::PortView>
FlowWitness::ReadPorts(uint8_t protocol, std::span<const uint8_t> bytes)
{
    uint32_t shim = 0;
    if (protocol == XcpL4Protocol::PROT_NUMBER && bytes.size() >= XcpHeader::SIZE)
    {
        protocol = bytes[0];
        shim = XcpHeader::SIZE;
        bytes = bytes.subspan(shim);
    }
    const bool isUdp = protocol == IP_UDP;
    const std::size_t least = isUdp ? 8 : 20;
    if ((!isUdp && protocol != IP_TCP) || bytes.size() < least)
    {
        return std::nullopt;
    }
    PortView view;
    view.source = static_cast<uint16_t>(ReadBigEndian(bytes.subspan(0, 2)));
    view.destination = static_cast<uint16_t>(ReadBigEndian(bytes.subspan(2, 2)));
    view.header = shim + (isUdp ? 8 : (bytes[12] >> 4) * 4U);
    return view;
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

template <typename Ip>
void
FlowWitness::HandlePacket(Ptr<const Packet> packet, Ptr<Ip> protocol, uint32_t interface)
{
    if (interface == 0) // the loopback, which no link has seen
    {
        return;
    }
    std::array<uint8_t, 60 + XcpHeader::SIZE + 60> buffer{};
    const uint32_t size = packet->CopyData(buffer.data(), buffer.size());
    const auto bytes = std::span<const uint8_t>(buffer).first(size);
    const auto ip = std::is_same_v<Ip, Ipv4> ? ReadIpv4(bytes) : ReadIpv6(bytes);
    if (!ip || ip->header > bytes.size())
    {
        return;
    }
    const auto node = protocol->template GetObject<Node>();
    const uint32_t nodeId = node->GetId();
    if (ip->hasMore || ip->offset > 0)
    {
        HandleFragment(nodeId, *ip, bytes.subspan(ip->header));
        return;
    }
    if (const auto ports = ReadPorts(ip->protocol, bytes.subspan(ip->header)))
    {
        const uint32_t headers = ip->header + ports->header;
        Count(nodeId, *ports, ip->total, ip->total > headers ? ip->total - headers : 0);
    }
}

void
FlowWitness::HandleFragment(uint32_t node, const IpView& ip, std::span<const uint8_t> bytes)
{
    const FragmentKey key{node, ip.source, ip.destination, ip.id, ip.protocol};
    if (m_datagrams.size() >= MOST_DATAGRAMS && !m_datagrams.contains(key))
    {
        m_datagrams.erase(m_datagrams.begin());
    }
    Datagram& datagram = m_datagrams[key];
    if (ip.offset == 0)
    {
        datagram.ports = ReadPorts(ip.protocol, bytes);
    }
    const uint32_t size = ip.total - ip.header;
    datagram.came += size;
    datagram.headers += ip.header;
    datagram.end = ip.hasMore ? datagram.end : ip.offset + size;
    if (datagram.end == 0 || datagram.came < datagram.end)
    {
        return;
    }
    // Whole, unless fragments came twice: then it is none that the host puts together either way.
    if (datagram.ports && datagram.came == datagram.end)
    {
        const uint32_t header = datagram.ports->header;
        Count(node,
              *datagram.ports,
              datagram.end + datagram.headers,
              datagram.end > header ? datagram.end - header : 0);
    }
    m_datagrams.erase(key);
}

void
FlowWitness::Count(uint32_t node, const PortView& ports, uint32_t bytes, uint32_t payload)
{
    const auto index = Find(node, ports.source, ports.destination);
    if (index == NO_FLOW)
    {
        return;
    }
    const Flow& flow = m_flows[index];
    Account& account = m_accounts[index];
    if (node == flow.receiver->GetId() && payload > 0 && ports.destination == flow.port)
    {
        ++account.packets;
        account.payloadBytes += payload;
        return;
    }
    ++account.controlPackets;
    account.controlBytes += bytes;
}

} // namespace ns3::lfn
