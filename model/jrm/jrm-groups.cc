// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-groups.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-make-socket.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/udp-socket-factory.h"

#include <span>

namespace ns3::lfn
{

namespace
{

/// Get the version of IP that an address is of, with a port or without.
bool
IsIpv6(const Address& address)
{
    return Ipv6Address::IsMatchingType(address) || Inet6SocketAddress::IsMatchingType(address);
}

} // namespace

JrmSource
JrmGroups::GetSource(const Address& from)
{
    if (InetSocketAddress::IsMatchingType(from))
    {
        const auto address = InetSocketAddress::ConvertFrom(from);
        return {{address.GetIpv4().Get()}, address.GetPort()};
    }
    const auto address = Inet6SocketAddress::ConvertFrom(from);
    std::array<uint8_t, 16> bytes{};
    address.GetIpv6().GetBytes(bytes.data());
    return {{ReadBigEndian<uint64_t>(bytes, 8), ReadBigEndian<uint64_t>(bytes), true},
            address.GetPort()};
}

Address
JrmGroups::GetAddress(const JrmSource& source)
{
    const auto& [low, high, isIpv6] = source.host;
    if (!isIpv6)
    {
        return InetSocketAddress(Ipv4Address(static_cast<uint32_t>(low)), source.port);
    }
    std::array<uint8_t, 16> bytes{};
    WriteBigEndian(bytes, 0, high);
    WriteBigEndian(bytes, 8, low);
    return Inet6SocketAddress(Ipv6Address(bytes.data()), source.port);
}

std::optional<uint32_t>
JrmGroups::GetNumber(const Address& group)
{
    if (Ipv4Address::IsMatchingType(group))
    {
        const auto address = Ipv4Address::ConvertFrom(group);
        return address.IsMulticast() ? std::optional(address.Get()) : std::nullopt;
    }
    if (!Ipv6Address::IsMatchingType(group))
    {
        return std::nullopt;
    }
    constexpr uint64_t LINK_SCOPE = 2;
    const auto [low, high, isIpv6] = GetSource(UdpEndpoint::WithPort(group, 0)).host;
    const bool isGroup = high >> 56 == 0xff && ((high >> 48) & 0xf) > LINK_SCOPE;
    return isGroup ? std::optional(static_cast<uint32_t>(low)) : std::nullopt;
}

std::optional<uint32_t>
JrmGroups::Find(const Address& group) const
{
    const auto number = GetNumber(group);
    const bool isJoined = number && IsJoined(*number) && m_addresses.at(*number) == group;
    return isJoined ? number : std::nullopt;
}

std::optional<bool>
JrmGroups::Join(const Address& group, const std::vector<Ptr<NetDevice>>& devices)
{
    const auto number = GetNumber(group);
    // A participant's number belongs to one source: with an address of each it would be two.
    const bool isOther =
        !m_addresses.empty() && IsIpv6(m_addresses.begin()->second) != IsIpv6(group);
    if (!number || isOther)
    {
        return std::nullopt;
    }
    const auto [place, isNew] = m_addresses.try_emplace(*number, group);
    if (place->second != group)
    {
        return std::nullopt;
    }
    m_joined.insert(*number);
    m_devices[*number] = devices;
    return isNew;
}

std::optional<uint32_t>
JrmGroups::Leave(const Address& group)
{
    const auto number = Find(group);
    if (number)
    {
        m_joined.erase(*number);
    }
    return number;
}

bool
JrmGroups::IsJoined(uint32_t number) const
{
    return m_joined.contains(number);
}

bool
JrmGroups::IsSameIp(uint32_t number, const Address& from) const
{
    const auto group = m_addresses.find(number);
    return group != m_addresses.end() && IsIpv6(group->second) == IsIpv6(from);
}

std::vector<Address>
JrmGroups::GetJoined() const
{
    std::vector<Address> groups;
    groups.reserve(m_joined.size());
    for (const auto number : m_joined)
    {
        groups.push_back(m_addresses.at(number));
    }
    return groups;
}

const std::map<uint32_t, Address>&
JrmGroups::GetAll() const
{
    return m_addresses;
}

std::string
JrmGroups::Listen(Ptr<Node> node,
                  const Address& group,
                  uint16_t port,
                  uint8_t tos,
                  Callback<void, Ptr<Socket>> receive)
{
    const bool isIpv6 = IsIpv6(group);
    const auto ipv6 = node->GetObject<Ipv6L3Protocol>();
    if (isIpv6 && !ipv6)
    {
        return "the node has no IPv6: install it, or join groups of IPv4";
    }
    auto& socket = m_sockets.at(isIpv6);
    if (!socket)
    {
        socket = MakeSocket(node, UdpSocketFactory::GetTypeId());
        if (!socket)
        {
            return "the node has no ns3::UdpSocketFactory";
        }
        SetTos(socket, tos);
        // ns-3 hands a multicast datagram to every socket of its port: groups are distinguished by
        // MCG.
        const auto any = isIpv6 ? Address(Ipv6Address::GetAny()) : Address(Ipv4Address::GetAny());
        if (socket->Bind(UdpEndpoint::WithPort(any, port)) != 0)
        {
            return "UDP port " + std::to_string(port) + " is in use: set Port";
        }
        socket->SetRecvCallback(receive);
    }
    if (isIpv6)
    {
        // A socket of ns-3 listens to one group of IPv6 alone.
        m_listens.push_back(Ipv6Address::ConvertFrom(group));
        ipv6->AddMulticastAddress(m_listens.back());
    }
    return "";
}

void
JrmGroups::Send(Ptr<Packet> packet, const Address& to) const
{
    // What the host cannot send now is as good as lost.
    m_sockets.at(IsIpv6(to))->SendTo(packet, 0, to);
}

void
JrmGroups::SendToGroup(Ptr<Packet> packet, uint32_t number, uint16_t port) const
{
    const auto to = UdpEndpoint::WithPort(m_addresses.at(number), port);
    const auto& devices = m_devices.at(number);
    if (devices.empty())
    {
        Send(packet, to);
        return;
    }
    const auto& socket = m_sockets.at(IsIpv6(to));
    for (const auto& device : devices) // a socket sends to a group out of one device
    {
        socket->BindToNetDevice(device);
        socket->SendTo(packet->Copy(), 0, to);
    }
    socket->BindToNetDevice(nullptr);
}

void
JrmGroups::Close(Ptr<Node> node)
{
    for (auto& socket : m_sockets)
    {
        UdpEndpoint::Close(socket);
    }
    for (const auto& group : m_listens)
    {
        node->GetObject<Ipv6L3Protocol>()->RemoveMulticastAddress(group);
    }
    m_listens.clear();
}

} // namespace ns3::lfn
