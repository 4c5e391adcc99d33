// SPDX-License-Identifier: GPL-2.0-only
#include "lfn-udp-endpoint.h"

#include "lfn-listen-address.h"
#include "lfn-make-socket.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-route.h"
#include "ns3/ipv6-routing-protocol.h"
#include "ns3/ipv6.h"
#include "ns3/lfn-ip-view.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

Address
UdpEndpoint::WithPort(const Address& address, uint16_t port)
{
    if (Ipv4Address::IsMatchingType(address))
    {
        return InetSocketAddress(Ipv4Address::ConvertFrom(address), port);
    }
    if (Ipv6Address::IsMatchingType(address))
    {
        return Inet6SocketAddress(Ipv6Address::ConvertFrom(address), port);
    }
    if (InetSocketAddress::IsMatchingType(address))
    {
        return InetSocketAddress(InetSocketAddress::ConvertFrom(address).GetIpv4(), port);
    }
    if (Inet6SocketAddress::IsMatchingType(address))
    {
        return Inet6SocketAddress(Inet6SocketAddress::ConvertFrom(address).GetIpv6(), port);
    }
    return Address();
}

std::optional<uint16_t>
UdpEndpoint::GetPort(const Address& address)
{
    if (InetSocketAddress::IsMatchingType(address))
    {
        return InetSocketAddress::ConvertFrom(address).GetPort();
    }
    if (Inet6SocketAddress::IsMatchingType(address))
    {
        return Inet6SocketAddress::ConvertFrom(address).GetPort();
    }
    return std::nullopt;
}

Ptr<Socket>
UdpEndpoint::Open(Ptr<Node> node, const Address& peer, uint16_t localPort, uint32_t bufferBytes)
{
    Address local;
    if (InetSocketAddress::IsMatchingType(peer))
    {
        local = InetSocketAddress(Ipv4Address::GetAny(), localPort);
    }
    else if (Inet6SocketAddress::IsMatchingType(peer))
    {
        local = Inet6SocketAddress(Ipv6Address::GetAny(), localPort);
    }
    else
    {
        return nullptr;
    }
    const auto socket = MakeSocket(node, UdpSocketFactory::GetTypeId());
    if (!socket)
    {
        return nullptr;
    }
    socket->SetAttribute("RcvBufSize", UintegerValue(bufferBytes));
    return socket->Bind(local) == 0 && socket->Connect(peer) == 0 ? socket : nullptr;
}

std::string
UdpEndpoint::Listen(Ptr<Node> node,
                    const Address& local,
                    uint16_t port,
                    Callback<void, Ptr<Socket>> receive,
                    std::vector<Ptr<Socket>>& sockets)
{
    const auto addresses = MakeListenAddresses(local, port);
    for (const auto& address : addresses)
    {
        const auto socket = MakeSocket(node, UdpSocketFactory::GetTypeId());
        if (!socket)
        {
            return "the node has no ns3::UdpSocketFactory";
        }
        sockets.push_back(socket);
        if (socket->Bind(address) != 0)
        {
            return "UDP port " + std::to_string(*GetPort(address)) +
                   " is taken or Local is no address of this node";
        }
        socket->SetRecvCallback(receive);
    }
    return addresses.empty() ? "Local is no IP address" : "";
}

void
UdpEndpoint::Close(Ptr<Socket>& socket)
{
    if (socket)
    {
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->Close();
        socket = nullptr;
    }
}

void
UdpEndpoint::Close(std::vector<Ptr<Socket>>& sockets)
{
    for (auto& socket : sockets)
    {
        Close(socket);
    }
    sockets.clear();
}

uint16_t
UdpEndpoint::GetLocalPort(Ptr<Socket> socket)
{
    Address local;
    socket->GetSockName(local);
    return GetPort(local).value_or(0);
}

std::optional<uint32_t>
UdpEndpoint::FindMtu(Ptr<Node> node, const Address& peer)
{
    const auto find = [](const auto& ip, auto header, const auto& to) -> std::optional<uint32_t> {
        header.SetDestination(to);
        Socket::SocketErrno error{};
        const auto routing = ip ? ip->GetRoutingProtocol() : nullptr;
        const auto route =
            routing ? routing->RouteOutput(Create<Packet>(), header, nullptr, error) : nullptr;
        return route ? std::optional<uint32_t>(route->GetOutputDevice()->GetMtu()) : std::nullopt;
    };
    if (InetSocketAddress::IsMatchingType(peer))
    {
        Ipv4Header header;
        header.SetProtocol(IP_UDP);
        return find(node->GetObject<Ipv4>(),
                    header,
                    InetSocketAddress::ConvertFrom(peer).GetIpv4());
    }
    if (Inet6SocketAddress::IsMatchingType(peer))
    {
        Ipv6Header header;
        header.SetNextHeader(IP_UDP);
        return find(node->GetObject<Ipv6>(),
                    header,
                    Inet6SocketAddress::ConvertFrom(peer).GetIpv6());
    }
    return std::nullopt;
}

uint32_t
UdpEndpoint::GetHeaderBytes(const Address& peer)
{
    constexpr uint32_t UDP = 8;
    constexpr uint32_t IPV4 = 20;
    constexpr uint32_t IPV6 = 40;
    return UDP + (Inet6SocketAddress::IsMatchingType(peer) ? IPV6 : IPV4);
}

} // namespace ns3::lfn
