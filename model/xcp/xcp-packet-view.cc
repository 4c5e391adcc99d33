// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-packet-view.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-queue-disc-item.h"
#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-ip-view.h"
#include "ns3/lfn-tcp-view.h"
#include "ns3/packet.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ns3::lfn
{

namespace
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800; //!< protocol of an item with IPv4
constexpr uint16_t ETHERTYPE_IPV6 = 0x86DD; //!< protocol of an item with IPv6
constexpr uint32_t PORT_BYTES = 4;          //!< source and destination port, [B]
constexpr uint32_t UDP_BYTES = 8;           //!< UDP header, [B]
constexpr uint32_t TCP_BYTES = 20;          //!< TCP header without options, [B]
constexpr uint32_t TCP_OFFSET_AT = 12;      //!< place of TCP's data offset, [B]
constexpr uint32_t TCP_FLAGS_AT = 13;       //!< place of TCP's flags, [B]

/** How much of a packet is looked at when it has extension headers, [B]. */
constexpr uint32_t HEAD_BYTES = 160;

/** @brief What the IP header says. */
struct IpSummary
{
    const Ipv4Header* ipv4{nullptr}; //!< set in an IPv4 item
    const Ipv6Header* ipv6{nullptr}; //!< set in an IPv6 item
    uint8_t protocol{0};             //!< of what follows the IP header
    bool isReadable{false};          //!< IP, and no later fragment of IPv4
};

/**
 * @brief Reads the IP header of an item.
 * @param item any item
 * @return what it says
 */
IpSummary
ReadIp(const QueueDiscItem& item)
{
    IpSummary ip;
    if (item.GetProtocol() == ETHERTYPE_IPV4)
    {
        if (const auto* ipv4 = dynamic_cast<const Ipv4QueueDiscItem*>(&item))
        {
            ip.ipv4 = &ipv4->GetHeader();
            ip.protocol = ip.ipv4->GetProtocol();
            ip.isReadable = ip.ipv4->GetFragmentOffset() == 0;
        }
    }
    else if (item.GetProtocol() == ETHERTYPE_IPV6)
    {
        if (const auto* ipv6 = dynamic_cast<const Ipv6QueueDiscItem*>(&item))
        {
            ip.ipv6 = &ipv6->GetHeader();
            ip.protocol = ip.ipv6->GetNextHeader();
            ip.isReadable = true;
        }
    }
    return ip;
}

/**
 * @brief Stirs a number into a hash.
 *
 * The finishing steps of MurmurHash3: every bit of the input turns half of the output's.
 * @param hash so far
 * @param number what is to be stirred in
 * @return the new hash
 */
uint64_t
Mix(uint64_t hash, uint64_t number)
{
    uint64_t z = (hash ^ number) + 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 33)) * 0xFF51AFD7ED558CCD;
    z = (z ^ (z >> 33)) * 0xC4CEB9FE1A85EC53;
    return z ^ (z >> 33);
}

/**
 * @brief Computes a flow ID.
 * @param ip the IP header
 * @param flowId what it is a hash of
 * @param protocol of the transport
 * @param ports both ports as one number
 * @return the hash
 */
uint64_t
HashFlow(const IpSummary& ip, XcpFlowId flowId, uint8_t protocol, uint32_t ports)
{
    uint64_t hash = flowId == XcpFlowId::ADDRESSES ? 0 : Mix(protocol, ports);
    if (ip.ipv4)
    {
        return Mix(hash,
                   uint64_t{ip.ipv4->GetSource().Get()} << 32 | ip.ipv4->GetDestination().Get());
    }
    for (const auto& address : {ip.ipv6->GetSource(), ip.ipv6->GetDestination()})
    {
        std::array<uint8_t, 16> bytes;
        address.GetBytes(bytes.data());
        for (size_t at = 0; at < bytes.size(); at += 8)
        {
            hash = Mix(hash, ReadBigEndian<uint64_t>(bytes, at));
        }
    }
    return hash;
}

/**
 * @brief Walks over the extension headers of IPv6.
 * @param head the first bytes of what follows the IPv6 header
 * @param headBytes how many they are
 * @param protocol number of the first header; becomes that of the transport
 * @return where the transport begins, [B]; headBytes when there is none
 */
uint32_t
SkipExtensions(const uint8_t* head, uint32_t headBytes, uint8_t& protocol)
{
    const auto view = IpView::ReadExtensions(protocol, {head, headBytes});
    protocol = view.protocol;
    return view.hasTransport ? view.headerBytes : headBytes;
}

/**
 * @brief Indicates whether a transport packet carries user data.
 * @param protocol TCP or UDP
 * @param head its first bytes
 * @param headBytes how many they are
 * @param packetBytes size of the transport packet, [B]
 * @return true when it does
 */
bool
HasPayload(uint8_t protocol, const uint8_t* head, uint32_t headBytes, uint32_t packetBytes)
{
    if (protocol == IP_UDP)
    {
        return headBytes >= PORT_BYTES && packetBytes > UDP_BYTES;
    }
    if (headBytes <= TCP_OFFSET_AT)
    {
        return false;
    }
    // An offset that is too small does not make a header of less than 20 bytes.
    const uint32_t offset = 4 * (uint32_t{head[TCP_OFFSET_AT]} >> 4);
    return packetBytes > std::max(offset, TCP_BYTES);
}

/**
 * @brief Reads a congestion header.
 * @param packet what follows the IP header
 * @param at where the congestion header begins there, [B]
 * @param header where it goes
 * @return whether there is one
 */
bool
Parse(const Ptr<const Packet>& packet, uint32_t at, XcpHeader& header)
{
    if (packet->GetSize() < at + XcpHeader::SIZE)
    {
        return false;
    }
    // Hardly any packet has extension headers: no other one is cut.
    std::array<uint8_t, XcpHeader::SIZE> bytes;
    if (at == 0)
    {
        packet->CopyData(bytes.data(), bytes.size());
    }
    else
    {
        packet->CreateFragment(at, XcpHeader::SIZE)->CopyData(bytes.data(), bytes.size());
    }
    return header.Parse(bytes);
}

} // namespace

XcpPacketView
XcpPacketView::Look(const QueueDiscItem& item, uint8_t xcpProtocol, XcpFlowId flowId)
{
    XcpPacketView view;
    const IpSummary ip = ReadIp(item);
    if (!ip.isReadable)
    {
        return view;
    }
    const Ptr<const Packet> packet = item.GetPacket();
    const uint32_t packetBytes = packet->GetSize();
    std::array<uint8_t, HEAD_BYTES> head;

    uint8_t protocol = ip.protocol;
    uint32_t at = 0;
    uint32_t headBytes = 0;
    if (protocol == xcpProtocol)
    {
        headBytes = packet->CopyData(head.data(), XcpHeader::SIZE + TCP_OFFSET_AT + 1);
    }
    else if (protocol == IP_TCP || protocol == IP_UDP)
    {
        headBytes = packet->CopyData(head.data(), TCP_FLAGS_AT + 1);
    }
    else if (ip.ipv6)
    {
        headBytes = packet->CopyData(head.data(), HEAD_BYTES);
        at = SkipExtensions(head.data(), headBytes, protocol);
    }
    if (protocol == xcpProtocol && (at == 0 || at < headBytes))
    {
        view.kind = XcpPacketKind::XCP_OTHER;
        view.isMalformed = !Parse(packet, at, view.header);
        if (view.isMalformed)
        {
            return view;
        }
        at += XcpHeader::SIZE;
        const uint32_t seen = headBytes > at ? headBytes - at : 0;
        const uint32_t ports = seen >= PORT_BYTES ? ReadBigEndian<uint32_t>(head, at) : 0;
        if (view.header.format == XcpHeader::STANDARD)
        {
            view.kind = XcpPacketKind::XCP_DATA;
            view.flow = HashFlow(ip, flowId, xcpProtocol, ports);
        }
        else if (HasPayload(view.header.nextProtocol, head.data() + at, seen, packetBytes - at))
        {
            // Its sender is no XCP sender: it merely returns what its peer was granted.
            view.kind = XcpPacketKind::E2E_DATA;
            view.flow = HashFlow(ip, flowId, view.header.nextProtocol, ports);
        }
        return view;
    }
    const bool isTransport = protocol == IP_TCP || protocol == IP_UDP;
    if (!isTransport || at >= headBytes)
    {
        return view;
    }
    const uint8_t* transport = head.data() + at;
    const uint32_t seen = headBytes - at;
    const uint32_t ports = seen >= PORT_BYTES ? ReadBigEndian<uint32_t>(head, at) : 0;
    if (protocol == IP_TCP && seen > TCP_FLAGS_AT)
    {
        view.connection = HashFlow(ip, XcpFlowId::ADDRESSES_AND_PORTS, protocol, ports);
        view.isSyn = (transport[TCP_FLAGS_AT] & TcpView::SYN) != 0;
    }
    if (HasPayload(protocol, transport, seen, packetBytes - at))
    {
        view.kind = XcpPacketKind::E2E_DATA;
        const bool isKnown = view.connection != 0 && flowId == XcpFlowId::ADDRESSES_AND_PORTS;
        view.flow = isKnown ? view.connection : HashFlow(ip, flowId, protocol, ports);
    }
    return view;
}

bool
XcpPacketView::IsXcp(const QueueDiscItem& item, uint8_t xcpProtocol)
{
    const IpSummary ip = ReadIp(item);
    uint8_t protocol = ip.protocol;
    if (ip.ipv6)
    {
        std::array<uint8_t, HEAD_BYTES> head;
        SkipExtensions(head.data(), item.GetPacket()->CopyData(head.data(), HEAD_BYTES), protocol);
    }
    return protocol == xcpProtocol;
}

bool
XcpPacketView::ReadHeader(const QueueDiscItem& item,
                          uint8_t xcpProtocol,
                          XcpHeader& header,
                          uint32_t& at)
{
    const IpSummary ip = ReadIp(item);
    if (!ip.isReadable)
    {
        return false;
    }
    const Ptr<const Packet> packet = item.GetPacket();
    uint8_t protocol = ip.protocol;
    at = 0;
    if (protocol != xcpProtocol && ip.ipv6 && protocol != IP_TCP && protocol != IP_UDP)
    {
        std::array<uint8_t, HEAD_BYTES> head;
        const uint32_t headBytes = packet->CopyData(head.data(), HEAD_BYTES);
        at = SkipExtensions(head.data(), headBytes, protocol);
        if (at >= headBytes)
        {
            return false;
        }
    }
    return protocol == xcpProtocol && Parse(packet, at, header) &&
           header.format == XcpHeader::STANDARD;
}

void
XcpPacketView::WriteHeader(const QueueDiscItem& item, const XcpHeader& header, uint32_t at)
{
    const Ptr<Packet> packet = item.GetPacket();
    if (at == 0)
    {
        packet->RemoveAtStart(XcpHeader::SIZE);
        packet->AddHeader(header);
        return;
    }
    const Ptr<Packet> tail = packet->Copy();
    tail->RemoveAtStart(at + XcpHeader::SIZE);
    tail->AddHeader(header);
    packet->RemoveAtEnd(packet->GetSize() - at);
    packet->AddAtEnd(tail);
}

} // namespace ns3::lfn
