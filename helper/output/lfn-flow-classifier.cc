// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-flow-classifier.h"

#include "ns3/lfn-ip-view.h"
#include "ns3/xcp-header.h"
#include "ns3/xcp-l4-protocol.h"

#include <span>

namespace ns3::lfn
{

std::optional<TransportFlowClassifier::Numbers>
TransportFlowClassifier::Classify(const Ipv4Header& ip, Ptr<const Packet> payload)
{
    return ip.GetFragmentOffset() > 0 ? std::nullopt : Number(Addresses(ip), payload);
}

std::optional<TransportFlowClassifier::Numbers>
TransportFlowClassifier::Classify(const Ipv6Header& ip, Ptr<const Packet> payload)
{
    return Number(Addresses(ip), payload);
}

bool
TransportFlowClassifier::IsBetween(FlowId flow, const Ipv4Header& ip) const
{
    return HasAddressesOf(flow, Addresses(ip));
}

bool
TransportFlowClassifier::IsBetween(FlowId flow, const Ipv6Header& ip) const
{
    return HasAddressesOf(flow, Addresses(ip));
}

bool
TransportFlowClassifier::IsMulticast(FlowId flow) const
{
    if (flow == 0 || flow > m_flows.size())
    {
        return false;
    }
    const Flow& found = m_flows[flow - 1];
    constexpr uint8_t IPV4_GROUPS = 0xe; // first four bits
    constexpr uint8_t IPV6_GROUPS = 0xff;
    return found.isIpv6 ? found.destination[0] == IPV6_GROUPS
                        : found.destination[0] >> 4 == IPV4_GROUPS;
}

TransportFlowClassifier::Flow
TransportFlowClassifier::Addresses(const Ipv4Header& ip)
{
    Flow flow;
    ip.GetSource().Serialize(flow.source.data());
    ip.GetDestination().Serialize(flow.destination.data());
    flow.protocol = ip.GetProtocol();
    return flow;
}

TransportFlowClassifier::Flow
TransportFlowClassifier::Addresses(const Ipv6Header& ip)
{
    Flow flow;
    flow.isIpv6 = true;
    ip.GetSource().Serialize(flow.source.data());
    ip.GetDestination().Serialize(flow.destination.data());
    flow.protocol = ip.GetNextHeader();
    return flow;
}

bool
TransportFlowClassifier::HasAddressesOf(FlowId number, const Flow& flow) const
{
    if (number == 0 || number > m_flows.size())
    {
        return false;
    }
    const Flow& found = m_flows[number - 1];
    return found.isIpv6 == flow.isIpv6 && found.source == flow.source &&
           found.destination == flow.destination;
}

std::optional<TransportFlowClassifier::Numbers>
TransportFlowClassifier::Number(Flow flow, Ptr<const Packet> payload)
{
    constexpr std::size_t PORTS = 4; // bytes
    std::array<uint8_t, XcpHeader::SIZE + PORTS> head{};
    auto bytes = std::span<const uint8_t>(head).first(payload->CopyData(head.data(), head.size()));
    uint8_t protocol = flow.protocol;
    if (protocol == XcpL4Protocol::PROT_NUMBER && bytes.size() > XcpHeader::SIZE)
    {
        protocol = bytes[0];
        bytes = bytes.subspan(XcpHeader::SIZE);
    }
    const auto ports = PortView::Read(protocol, bytes);
    if (!ports)
    {
        return std::nullopt;
    }
    flow.sourcePort = ports->source;
    flow.destinationPort = ports->destination;
    const auto [found, isNew] = m_numbers.try_emplace(flow, 0);
    if (isNew)
    {
        found->second = GetNewFlowId();
        m_flows.push_back(flow);
        m_packets.push_back(0);
    }
    return Numbers{found->second, m_packets[found->second - 1]++};
}

void
TransportFlowClassifier::SerializeToXmlStream(std::ostream& os, uint16_t indent) const
{
    for (const bool isIpv6 : {false, true})
    {
        const auto* name = isIpv6 ? "Ipv6FlowClassifier" : "Ipv4FlowClassifier";
        Indent(os, indent);
        os << "<" << name << ">\n";
        for (std::size_t i = 0; i < m_flows.size(); ++i)
        {
            const Flow& flow = m_flows[i];
            if (flow.isIpv6 != isIpv6)
            {
                continue;
            }
            const auto address = [&](const Bytes& bytes) {
                isIpv6 ? os << Ipv6Address::Deserialize(bytes.data())
                       : os << Ipv4Address::Deserialize(bytes.data());
            };
            Indent(os, indent + 2);
            os << "<Flow flowId=\"" << i + 1 << "\" sourceAddress=\"";
            address(flow.source);
            os << "\" destinationAddress=\"";
            address(flow.destination);
            os << "\" protocol=\"" << +flow.protocol << "\" sourcePort=\"" << flow.sourcePort
               << "\" destinationPort=\"" << flow.destinationPort << "\" />\n";
        }
        Indent(os, indent);
        os << "</" << name << ">\n";
    }
}

} // namespace ns3::lfn
