// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_ROUTE_TABLE_H
#define LFN_ROUTE_TABLE_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-routing-table-entry.h"
#include "ns3/ipv6-address.h"
#include "ns3/ipv6-routing-table-entry.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/** @brief Hashes addresses: ns-3's own functors are deprecated, or missing, by release. */
struct IpAddressHash
{
    /** @return the hash of an address of IPv4 */
    std::size_t operator()(const Ipv4Address& address) const
    {
        return std::hash<uint32_t>()(address.Get());
    }

    /** @return the hash of an address of IPv6 */
    std::size_t operator()(const Ipv6Address& address) const
    {
        std::array<uint8_t, 16> bytes;
        address.GetBytes(bytes.data());
        return std::hash<std::string_view>()(
            {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
};

/**
 * @ingroup lfn
 * @brief Routes in a hash table per mask: the time of a look-up depends on the number of masks, not
 * on the number of routes.
 * @tparam Entry Ipv4RoutingTableEntry or Ipv6RoutingTableEntry.
 */
template <typename Entry>
class RouteTable
{
  public:
    /** @brief An address of the IP version. */
    using Address = decltype(std::declval<const Entry&>().GetDest());

    /** Whether the version is 4. */
    static constexpr bool IS_IPV4 = std::is_same_v<Address, Ipv4Address>;

    /** @brief Add a route; one that is there already is not added again. */
    void Add(const Entry& route)
    {
        const auto mask = GetMask(route);
        auto found = std::ranges::find(m_lengths, mask, &Length::mask);
        if (found == m_lengths.end())
        {
            const auto isShorter = [&mask](const Length& other) {
                return other.mask.GetPrefixLength() < mask.GetPrefixLength();
            };
            found = m_lengths.insert(std::ranges::find_if(m_lengths, isShorter), Length{mask});
        }
        auto& routes = found->routes[Combine(route.GetDest(), mask)];
        if (std::ranges::none_of(routes, [&](const Entry& old) { return IsSame(old, route); }))
        {
            // Of several routes ns-3 takes the first to a host, and the last to a network.
            routes.insert(mask == Mask::GetOnes() ? routes.end() : routes.begin(), route);
        }
    }

    /**
     * @brief Find the route of the longest prefix, as ns-3's static routing does among routes of
     * the same metric.
     * @param to The destination.
     * @param isUsable Predicate of a route; others are left out.
     * @return The route, until the table changes; null when there is none.
     */
    template <typename Predicate>
    const Entry* Find(const Address& to, Predicate isUsable) const
    {
        for (const auto& [mask, routes] : m_lengths)
        {
            if (const auto network = routes.find(Combine(to, mask)); network != routes.end())
            {
                const auto found = std::ranges::find_if(network->second, isUsable);
                if (found != network->second.end())
                {
                    return &*found;
                }
            }
        }
        return nullptr;
    }

    /** @brief Get all routes; those with the same mask to the same network as they were added. */
    std::vector<Entry> GetAll() const
    {
        std::vector<Entry> all;
        for (const auto& [mask, routes] : m_lengths)
        {
            for (const auto& [network, same] : routes)
            {
                all.insert(all.end(), same.begin(), same.end());
                if (mask != Mask::GetOnes())
                {
                    std::ranges::reverse(std::views::drop(all, all.size() - same.size()));
                }
            }
        }
        return all;
    }

  private:
    /** @brief A mask of the IP version. */
    using Mask = std::conditional_t<IS_IPV4, Ipv4Mask, Ipv6Prefix>;

    /** @brief Routes of one mask. */
    struct Length
    {
        Mask mask;                                                               //!< The mask.
        std::unordered_map<Address, std::vector<Entry>, IpAddressHash> routes{}; //!< By network.
    };

    /** @brief Get the mask of a route. */
    static Mask GetMask(const Entry& route)
    {
        if constexpr (IS_IPV4)
        {
            return route.GetDestNetworkMask();
        }
        else
        {
            return route.GetDestNetworkPrefix();
        }
    }

    /** @brief Get the network of an address. */
    static Address Combine(const Address& address, const Mask& mask)
    {
        if constexpr (IS_IPV4)
        {
            return address.CombineMask(mask);
        }
        else
        {
            return address.CombinePrefix(mask);
        }
    }

    /** @brief Check whether two routes to the same network are the same. */
    static bool IsSame(const Entry& a, const Entry& b)
    {
        if constexpr (!IS_IPV4)
        {
            if (a.GetPrefixToUse() != b.GetPrefixToUse())
            {
                return false;
            }
        }
        return a.GetDest() == b.GetDest() && a.GetGateway() == b.GetGateway() &&
               a.GetInterface() == b.GetInterface();
    }

    std::vector<Length> m_lengths; //!< The longest first.
};

} // namespace ns3::lfn

#endif // LFN_ROUTE_TABLE_H
