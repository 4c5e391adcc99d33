// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-link-addresses.h"

#include "lfn-hashed-routing.h"
#include "lfn-point-to-point-link.h"
#include "lfn-static-route-keeper.h"

#include "ns3/boolean.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/ipv6.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

std::optional<std::string>
CheckMtu(bool ipv6, uint16_t mtu)
{
    if (ipv6 && mtu < IPV6_LEAST_MTU)
    {
        return "with Ipv6 give an Mtu of " + std::to_string(IPV6_LEAST_MTU) + " at least";
    }
    return std::nullopt;
}

void
InstallInternet(const NodeContainer& nodes, bool ipv6, bool hashed)
{
    InternetStackHelper stack;
    if (hashed)
    {
        UseHashedRouting(stack);
    }
    stack.SetIpv6StackInstall(ipv6);
    stack.SetIpv6NsRsJitter(false);
    stack.Install(nodes);
    const UintegerValue ttl(MOST_LINKS);
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        (*node)->GetObject<Ipv4>()->SetAttribute("DefaultTtl", ttl);
        StaticRouteKeeper::Install(*node);
        if (ipv6)
        {
            (*node)->GetObject<Ipv6>()->SetAttribute("DefaultTtl", ttl);
            (*node)->GetObject<Ipv6>()->SetAttribute("IpForward", BooleanValue(true));
            (*node)->GetObject<Icmpv6L4Protocol>()->SetAttribute("DAD", BooleanValue(false));
        }
    }
}

Ipv6Address
MakeIpv6Network(uint16_t site, uint16_t link)
{
    std::array<uint8_t, 16> prefix{0xfd};
    prefix[4] = static_cast<uint8_t>(site >> 8);
    prefix[5] = static_cast<uint8_t>(site);
    prefix[6] = static_cast<uint8_t>(link >> 8);
    prefix[7] = static_cast<uint8_t>(link);
    return Ipv6Address(prefix.data());
}

std::optional<Ipv6Address>
MatchIpv6Network(bool ipv6, Ipv4Address network)
{
    const auto bits = network.Get();
    return ipv6 ? std::optional(MakeIpv6Network(static_cast<uint16_t>(bits >> 16),
                                                static_cast<uint16_t>(bits)))
                : std::nullopt;
}

std::vector<Ipv6Address>
AssignIpv6(const NetDeviceContainer& devices, std::optional<Ipv6Address> network)
{
    std::vector<Ipv6Address> addresses(devices.GetN(), Ipv6Address::GetAny());
    if (network)
    {
        const auto given = Ipv6AddressHelper(*network, Ipv6Prefix(64)).Assign(devices);
        for (uint32_t i = 0; i < devices.GetN(); ++i)
        {
            addresses[i] = given.GetAddress(i, 1); // the first one is the link's own
        }
    }
    return addresses;
}

LinkAddresses
AssignAddresses(const NetDeviceContainer& devices,
                Ipv4Address ipv4,
                std::optional<Ipv6Address> ipv6)
{
    LinkAddresses addresses;
    const auto given = Ipv4AddressHelper(ipv4, "255.255.255.252").Assign(devices);
    addresses.ipv4 = {given.GetAddress(0), given.GetAddress(1)};
    const auto more = AssignIpv6(devices, ipv6);
    addresses.ipv6 = {more[0], more[1]};
    RemoveQueueDiscs(devices);
    return addresses;
}

void
AddRoute(Ptr<NetDevice> device, Ipv4Address network, Ipv4Mask mask, Ipv4Address gateway)
{
    const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
    const auto interface = static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device));
    const auto routing = Ipv4StaticRoutingHelper().GetStaticRouting(ipv4);
    if (const auto hashed = DynamicCast<HashedIpv4Routing>(routing))
    {
        hashed->AddRoute(
            Ipv4RoutingTableEntry::CreateNetworkRouteTo(network, mask, gateway, interface));
        return;
    }
    routing->AddNetworkRouteTo(network, mask, gateway, interface);
}

void
AddRoute(Ptr<NetDevice> device, Ipv6Address network, Ipv6Prefix prefix, Ipv6Address gateway)
{
    const auto ipv6 = device->GetNode()->GetObject<Ipv6>();
    const auto interface = static_cast<uint32_t>(ipv6->GetInterfaceForDevice(device));
    const auto routing = Ipv6StaticRoutingHelper().GetStaticRouting(ipv6);
    if (const auto hashed = DynamicCast<HashedIpv6Routing>(routing))
    {
        hashed->AddRoute(
            Ipv6RoutingTableEntry::CreateNetworkRouteTo(network, prefix, gateway, interface));
        return;
    }
    routing->AddNetworkRouteTo(network, prefix, gateway, interface);
}

void
SetDefaultRoute(Ptr<NetDevice> device, const LinkAddresses& addresses, uint32_t gateway)
{
    AddRoute(device, Ipv4Address::GetZero(), Ipv4Mask::GetZero(), addresses.ipv4.at(gateway));
    if (addresses.ipv6.at(gateway) != Ipv6Address::GetAny())
    {
        AddRoute(device, Ipv6Address::GetAny(), Ipv6Prefix::GetZero(), addresses.ipv6.at(gateway));
    }
}

} // namespace ns3::lfn
