// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-socket-finder.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ns3-access.h"
#include "ns3/pointer.h"

namespace ns3::lfn
{

namespace
{

/**
 * @brief Check whether a socket belongs to a connection.
 * @param socket the socket
 * @param key the connection
 * @return true when it does
 */
bool
IsSocketOf(Ptr<const TcpSocketBase> socket, const XcpFlowKey& key)
{
    Address local;
    Address peer;
    if (socket->GetSockName(local) != 0 || socket->GetPeerName(peer) != 0)
    {
        return false;
    }
    if (InetSocketAddress::IsMatchingType(local) && InetSocketAddress::IsMatchingType(peer))
    {
        const auto from = InetSocketAddress::ConvertFrom(local);
        const auto to = InetSocketAddress::ConvertFrom(peer);
        return XcpFlowKey(from.GetIpv4(), to.GetIpv4(), from.GetPort(), to.GetPort()) == key;
    }
    if (!Inet6SocketAddress::IsMatchingType(local) || !Inet6SocketAddress::IsMatchingType(peer))
    {
        return false;
    }
    const auto from = Inet6SocketAddress::ConvertFrom(local);
    const auto to = Inet6SocketAddress::ConvertFrom(peer);
    if (to.GetIpv6().IsIpv4MappedAddress())
    {
        return XcpFlowKey(from.GetIpv6().GetIpv4MappedAddress(),
                          to.GetIpv6().GetIpv4MappedAddress(),
                          from.GetPort(),
                          to.GetPort()) == key;
    }
    return XcpFlowKey(from.GetIpv6(), to.GetIpv6(), from.GetPort(), to.GetPort()) == key;
}

} // namespace

Ptr<TcpXcp>
XcpSocketFinder::GetOps(Ptr<const TcpSocketBase> socket)
{
    PointerValue ops;
    socket->GetAttribute("CongestionOps", ops);
    return DynamicCast<TcpXcp>(ops.GetObject());
}

Ptr<TcpSocketBase>
XcpSocketFinder::Find(const TcpL4Protocol& tcp,
                      const XcpFlowKey& key,
                      const std::function<void(Ptr<TcpSocketBase>)>& watch)
{
    const auto& sockets = ns3access::GetSockets(tcp);
    Ptr<TcpSocketBase> found;
    for (const uint64_t end = ns3access::GetNextSocket(tcp); m_next < end; ++m_next)
    {
        const auto entry = sockets.find(m_next);
        const Ptr<TcpSocketBase> socket = entry == sockets.end() ? nullptr : entry->second;
        if (socket && GetOps(socket))
        {
            watch(socket); // listening ones too, for the sake of those that they fork
            if (!found && IsSocketOf(socket, key))
            {
                found = socket;
            }
        }
    }
    return found;
}

} // namespace ns3::lfn
