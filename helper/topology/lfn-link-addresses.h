// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LINK_ADDRESSES_H
#define LFN_LINK_ADDRESSES_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/** @brief What both ends of a link are reached at. */
struct LinkAddresses
{
    std::array<Ipv4Address, 2> ipv4; //!< Of the first device and of the second.
    /** Likewise; "::" where there is no IPv6. */
    std::array<Ipv6Address, 2> ipv6{Ipv6Address::GetAny(), Ipv6Address::GetAny()};
};

/** @brief The smallest MTU that IPv6 allows (bytes). */
constexpr uint16_t IPV6_LEAST_MTU = 1280;

/** @brief Links that a packet can cross: the time to live of what a host sends. */
constexpr uint8_t MOST_LINKS = 255;

/**
 * @ingroup lfn
 * @brief Check that links may carry the IP versions that a topology has.
 * @param ipv6 There is IPv6.
 * @param mtu Largest IP packet of the links (bytes).
 * @return A remedy, or nothing when all is well.
 */
std::optional<std::string> CheckMtu(bool ipv6, uint16_t mtu);

/**
 * @ingroup lfn
 * @brief Put the internet stack on nodes; IPv6 without duplicate address detection and without
 * jitter, so that its addresses work at once and equal runs are equal. All nodes forward, as ns-3's
 * IPv4 does: those that do not ask for routers, and the links would carry that. Packets can cross
 * MOST_LINKS links.
 * @param nodes The nodes.
 * @param ipv6 Install IPv6 as well as IPv4.
 * @param hashed Find routes by hash, as UseHashedRouting() says.
 */
void InstallInternet(const NodeContainer& nodes, bool ipv6, bool hashed = true);

/**
 * @ingroup lfn
 * @brief Make an IPv6 network of a link: a unique local one, since ns-3's routers drop those that
 * are set aside for documentation.
 * @param site Number of the networks that are routed as one, by a prefix of 48 bits.
 * @param link Number of the link there.
 * @return The network, with a prefix of 64 bits.
 */
Ipv6Address MakeIpv6Network(uint16_t site, uint16_t link);

/**
 * @ingroup lfn
 * @brief Make the IPv6 network that goes with one of IPv4, whose bits become the last ones of its
 * prefix.
 * @param ipv6 There is IPv6.
 * @param network First address of the IPv4 network.
 * @return The network, with a prefix of 64 bits, or nothing. The bits of a route to several follow
 * from those of IPv4: 32 more.
 */
std::optional<Ipv6Address> MatchIpv6Network(bool ipv6, Ipv4Address network);

/**
 * @ingroup lfn
 * @brief Give devices IPv6 addresses.
 * @param devices The devices, on nodes with an IPv6 stack unless there is no network.
 * @param network The network, with a prefix of 64 bits; nothing for no IPv6.
 * @return An address per device; "::" without a network.
 */
std::vector<Ipv6Address> AssignIpv6(const NetDeviceContainer& devices,
                                    std::optional<Ipv6Address> network);

/**
 * @ingroup lfn
 * @brief Give both ends of a link addresses, and no queue disc.
 * @param devices The two devices, on nodes with an internet stack.
 * @param ipv4 The network, with a prefix of 30 bits.
 * @param ipv6 The network, with a prefix of 64 bits; nothing for no IPv6.
 * @return The addresses.
 */
LinkAddresses AssignAddresses(const NetDeviceContainer& devices,
                              Ipv4Address ipv4,
                              std::optional<Ipv6Address> ipv6 = std::nullopt);

/**
 * @ingroup lfn
 * @brief Add a route to a node with static routing, by hash or not.
 * @param device The device that packets leave from; of the node.
 * @param network The network.
 * @param mask Its mask.
 * @param gateway The next router; "0.0.0.0" when the link leads to the network itself.
 */
void AddRoute(Ptr<NetDevice> device, Ipv4Address network, Ipv4Mask mask, Ipv4Address gateway);

/**
 * @ingroup lfn
 * @brief Add a route of IPv6 to a node with static routing, by hash or not.
 * @param device The device that packets leave from; of the node.
 * @param network The network.
 * @param prefix Its prefix.
 * @param gateway The next router; "::" when the link leads to the network itself.
 */
void AddRoute(Ptr<NetDevice> device, Ipv6Address network, Ipv6Prefix prefix, Ipv6Address gateway);

/**
 * @ingroup lfn
 * @brief Send what a node has no route for out of a device.
 * @param device The device.
 * @param addresses Those of its link.
 * @param gateway Index of the other end in addresses.
 */
void SetDefaultRoute(Ptr<NetDevice> device, const LinkAddresses& addresses, uint32_t gateway);

} // namespace ns3::lfn

#endif // LFN_LINK_ADDRESSES_H
