// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-flow-counter.h"

#include "ns3/ipv6-l3-protocol.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/xcp-l4-protocol.h"

#include <algorithm>
#include <array>

namespace ns3::lfn
{

namespace
{

constexpr std::size_t NO_FLOW = SIZE_MAX;      //!< number of no flow
constexpr std::size_t MOST_DATAGRAMS = 100000; //!< in fragments, that are remembered
constexpr uint32_t UDP_HEADER = 8;             //!< length of a UDP header, [B]

} // namespace

std::size_t
FlowCounter::Watch(const Flow& flow)
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
                                             MakeCallback(&FlowCounter::OnPacket<Ipv4>, this));
            if (const auto ipv6 = node->GetObject<Ipv6L3Protocol>())
            {
                ipv6->TraceConnectWithoutContext("Rx",
                                                 MakeCallback(&FlowCounter::OnPacket<Ipv6>, this));
            }
        }
    }
    return index;
}

const FlowCounter::Account&
FlowCounter::Get(std::size_t flow) const
{
    return m_accounts.at(flow);
}

bool
FlowCounter::Agrees(const Account& account, const TransferReport& report, const Bounds& bounds)
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

std::optional<FlowCounter::Transport>
FlowCounter::ReadTransport(uint8_t protocol, std::span<const uint8_t> bytes)
{
    uint32_t shim = 0;
    if (protocol == XcpL4Protocol::PROT_NUMBER && bytes.size() >= XcpHeader::SIZE)
    {
        protocol = bytes[0];
        shim = XcpHeader::SIZE;
        bytes = bytes.subspan(shim);
    }
    const auto ports = PortView::Read(protocol, bytes);
    if (!ports)
    {
        return std::nullopt;
    }
    if (protocol == IP_UDP)
    {
        return bytes.size() < UDP_HEADER ? std::nullopt
                                         : std::optional<Transport>({*ports, shim + UDP_HEADER});
    }
    const auto header = TcpView::GetHeaderBytes(bytes);
    return header ? std::optional<Transport>({*ports, shim + *header}) : std::nullopt;
}

std::size_t
FlowCounter::Find(uint32_t node, uint16_t source, uint16_t destination) const
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
FlowCounter::OnPacket(Ptr<const Packet> packet, Ptr<Ip> protocol, uint32_t interface)
{
    if (interface == 0) // the loopback, which no link has seen
    {
        return;
    }
    std::array<uint8_t, 60 + MOST_HEADERS> buffer{};
    const uint32_t size = packet->CopyData(buffer.data(), buffer.size());
    const auto bytes = std::span<const uint8_t>(buffer).first(size);
    const auto ip = IpView::Read(bytes);
    if (!ip || ip->headerBytes > bytes.size() || ip->totalBytes < ip->headerBytes)
    {
        return;
    }
    const auto node = protocol->template GetObject<Node>();
    const uint32_t nodeId = node->GetId();
    if (ip->hasMore || ip->offset > 0)
    {
        OnFragment(nodeId, *ip, bytes.subspan(ip->headerBytes));
        return;
    }
    const auto transport = ip->hasTransport
                               ? ReadTransport(ip->protocol, bytes.subspan(ip->headerBytes))
                               : std::nullopt;
    if (transport)
    {
        const uint32_t headers = ip->headerBytes + transport->header;
        const uint32_t payload = ip->totalBytes > headers ? ip->totalBytes - headers : 0;
        Count(nodeId, transport->ports, ip->totalBytes, payload);
    }
}

void
FlowCounter::OnFragment(uint32_t node, const IpView& ip, std::span<const uint8_t> bytes)
{
    const auto copy = [](std::span<const uint8_t> address) {
        Bytes16 bytes{};
        std::ranges::copy(address, bytes.begin());
        return bytes;
    };
    const FragmentKey key{node, copy(ip.source), copy(ip.destination), ip.id, ip.protocol};
    if (m_datagrams.size() >= MOST_DATAGRAMS && !m_datagrams.contains(key))
    {
        m_datagrams.erase(m_datagrams.begin());
    }
    Datagram& datagram = m_datagrams[key];
    if (ip.offset == 0)
    {
        datagram.transport = ReadTransport(ip.protocol, bytes);
    }
    const uint32_t size = ip.totalBytes - ip.headerBytes;
    datagram.came += size;
    datagram.headers += ip.headerBytes;
    datagram.end = ip.hasMore ? datagram.end : ip.offset + size;
    if (datagram.end == 0 || datagram.came < datagram.end)
    {
        return;
    }
    // Whole, unless fragments came twice: then the host does not reassemble it either way.
    if (datagram.transport && datagram.came == datagram.end)
    {
        const uint32_t header = datagram.transport->header;
        Count(node,
              datagram.transport->ports,
              datagram.end + datagram.headers,
              datagram.end > header ? datagram.end - header : 0);
    }
    m_datagrams.erase(key);
}

void
FlowCounter::Count(uint32_t node, const PortView& ports, uint32_t bytes, uint32_t payload)
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
