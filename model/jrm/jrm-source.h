// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_SOURCE_H
#define JRM_SOURCE_H

#include <compare>
#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief A host as the cores identify it: its address in numbers, without ports.
 */
struct JrmHost
{
    uint64_t low{0};    //!< the address of IPv4, or the lower half of that of IPv6
    uint64_t high{0};   //!< the upper half of that of IPv6
    bool isIpv6{false}; //!< which it is

    /** @brief Compare, for maps. */
    auto operator<=>(const JrmHost&) const = default;

    /**
     * @brief Get what a datagram takes in addition to its data.
     * @return bytes of the headers of IP and UDP
     */
    constexpr uint32_t GetHeaderBytes() const
    {
        return isIpv6 ? 48 : 28;
    }
};

/**
 * @ingroup lfn-jrm
 * @brief Where a datagram comes from: a host, and one of its ports.
 */
struct JrmSource
{
    JrmHost host;     //!< the host
    uint16_t port{0}; //!< the UDP port

    /** @brief Compare. */
    auto operator<=>(const JrmSource&) const = default;
};

} // namespace ns3::lfn

#endif // JRM_SOURCE_H
