// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-listen-address.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"

namespace ns3::lfn
{

std::vector<Address>
MakeListenAddresses(const Address& local, uint16_t port)
{
    if (local.IsInvalid())
    {
        return {InetSocketAddress(Ipv4Address::GetAny(), port),
                Inet6SocketAddress(Ipv6Address::GetAny(), port)};
    }
    if (InetSocketAddress::IsMatchingType(local) || Inet6SocketAddress::IsMatchingType(local))
    {
        return {local};
    }
    if (Ipv4Address::IsMatchingType(local))
    {
        return {InetSocketAddress(Ipv4Address::ConvertFrom(local), port)};
    }
    if (Ipv6Address::IsMatchingType(local))
    {
        return {Inet6SocketAddress(Ipv6Address::ConvertFrom(local), port)};
    }
    return {};
}

} // namespace ns3::lfn
