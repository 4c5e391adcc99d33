// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_ROUTE_TABLE_H
#define LFN_ROUTE_TABLE_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-routing-table-entry.h"
#include "ns3/ipv6-address.h"
#include "ns3/ipv6-routing-table-entry.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Numbers by address, in one array: a look-up among many misses the cache once, where
 * std::unordered_map does so several times.
 * @tparam Address Ipv4Address or Ipv6Address.
 */
template <typename Address>
class AddressIndex
{
  public:
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); //!< No number.

    /** @brief Get the number of an address; NONE when it has none. */
    uint32_t Find(const Address& address) const
    {
        return m_slots.empty() ? NONE : m_slots[FindSlot(address)].number;
    }

    /** @brief Give an address a number, which is not NONE. */
    void Set(const Address& address, uint32_t number)
    {
        if (2 * (m_used + 1) > m_slots.size())
        {
            constexpr std::size_t LEAST = 8;
            const auto slots =
                std::exchange(m_slots, std::vector<Slot>(std::max(LEAST, 2 * m_slots.size())));
            for (const auto& slot : slots)
            {
                if (slot.number != NONE)
                {
                    m_slots[FindSlot(slot.address)] = slot;
                }
            }
        }
        auto& slot = m_slots[FindSlot(address)];
        m_used += slot.number == NONE ? 1 : 0;
        slot = {address, number};
    }

  private:
    /** @brief A place in the array. */
    struct Slot
    {
        Address address{};     //!< Its address.
        uint32_t number{NONE}; //!< Its number; NONE when the place is free.
    };

    /** @brief Get the bits of an address, those of IPv6 as a sum. */
    static uint64_t GetBits(const Address& address)
    {
        if constexpr (std::is_same_v<Address, Ipv4Address>)
        {
            return address.Get();
        }
        else
        {
            std::array<uint8_t, 16> bytes{};
            address.GetBytes(bytes.data());
            const auto halves = std::bit_cast<std::array<uint64_t, 2>>(bytes);
            return GOLDEN * halves[0] + halves[1];
        }
    }

    /** @brief Find the place of an address, or the free one that it would have. */
    std::size_t FindSlot(const Address& address) const
    {
        const auto size = m_slots.size();
        auto slot = (GOLDEN * GetBits(address)) >> (64 - std::countr_zero(size));
        while (m_slots[slot].number != NONE && m_slots[slot].address != address)
        {
            slot = (slot + 1) & (size - 1);
        }
        return slot;
    }

    /** For the upper bits of a product, since neighbours differ in the lower bits (Knuth, 6.4). */
    static constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15;

    std::vector<Slot> m_slots; //!< A power of two, half of them free at least.
    std::size_t m_used{0};     //!< How many are not.
};

/**
 * @ingroup lfn
 * @brief Routes by a hash table per length of prefix: the time of a look-up depends on the number
 * of different lengths, not on the number of routes.
 * @tparam Entry Ipv4RoutingTableEntry or Ipv6RoutingTableEntry.
 */
template <typename Entry>
class RouteTable
{
  public:
    /** @brief An address of the family. */
    using Address = decltype(std::declval<const Entry&>().GetDest());

    /** @brief Add a route; one that is there already is not added again. */
    void Add(const Entry& route);

    /**
     * @brief Find the route of the longest prefix, as ns-3's static routing does: of several to
     * one host the first, of several to one network the last that was added.
     * @param to The destination.
     * @param isUsable Predicate of a route; others are left out.
     * @return The route, until the table changes; null when there is none.
     */
    template <typename Predicate>
    const Entry* Find(const Address& to, Predicate isUsable) const;

    /** @brief Remove the routes that a predicate is true for. */
    template <typename Predicate>
    void Remove(Predicate isRemoved);

    /** @brief Get all routes, in the order in which they were added. */
    const std::vector<Entry>& GetAll() const
    {
        return m_routes;
    }

  private:
    static constexpr bool IS_IPV4 = std::is_same_v<Address, Ipv4Address>;
    using Mask = std::conditional_t<IS_IPV4, Ipv4Mask, Ipv6Prefix>;
    static constexpr uint32_t NONE = AddressIndex<Address>::NONE; //!< No route.

    /** @brief Routes of one prefix. */
    struct Networks
    {
        Mask mask;                     //!< The prefix.
        AddressIndex<Address> first{}; //!< Index of the route to try first, by network.
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

    /** @brief Tell whether two routes are the same. */
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

    /** @brief Get the routes that have a route's mask. */
    Networks& GetNetworks(const Entry& route);

    /** @brief Add a route that is not there. */
    void Append(const Entry& route);

    std::vector<Entry> m_routes;     //!< In the order in which they were added.
    std::vector<uint32_t> m_next;    //!< Index of the route to try after each; NONE for the last.
    std::vector<Networks> m_lengths; //!< The longest prefix first.
};

template <typename Entry>
typename RouteTable<Entry>::Networks&
RouteTable<Entry>::GetNetworks(const Entry& route)
{
    const auto mask = GetMask(route);
    auto found = std::ranges::find(m_lengths, mask, &Networks::mask);
    if (found == m_lengths.end())
    {
        found = std::ranges::find_if(m_lengths, [&](const Networks& other) {
            return other.mask.GetPrefixLength() < mask.GetPrefixLength();
        });
        found = m_lengths.insert(found, Networks{mask});
    }
    return *found;
}

template <typename Entry>
void
RouteTable<Entry>::Append(const Entry& route)
{
    auto& [mask, first] = GetNetworks(route);
    const auto network = Combine(route.GetDest(), mask);
    const auto head = first.Find(network);
    const auto index = static_cast<uint32_t>(m_routes.size());
    m_routes.push_back(route);
    if (head == NONE || mask != Mask::GetOnes())
    {
        m_next.push_back(head);
        first.Set(network, index);
        return;
    }
    m_next.push_back(NONE);
    auto last = head;
    while (m_next[last] != NONE)
    {
        last = m_next[last];
    }
    m_next[last] = index;
}

template <typename Entry>
void
RouteTable<Entry>::Add(const Entry& route)
{
    const auto& [mask, first] = GetNetworks(route);
    auto other = first.Find(Combine(route.GetDest(), mask));
    while (other != NONE && !IsSame(route, m_routes[other]))
    {
        other = m_next[other];
    }
    if (other == NONE)
    {
        Append(route);
    }
}

template <typename Entry>
template <typename Predicate>
const Entry*
RouteTable<Entry>::Find(const Address& to, Predicate isUsable) const
{
    for (const auto& [mask, first] : m_lengths)
    {
        for (auto i = first.Find(Combine(to, mask)); i != NONE; i = m_next[i])
        {
            if (isUsable(m_routes[i]))
            {
                return &m_routes[i];
            }
        }
    }
    return nullptr;
}

template <typename Entry>
template <typename Predicate>
void
RouteTable<Entry>::Remove(Predicate isRemoved)
{
    auto old = std::exchange(*this, {});
    for (const auto& route : old.m_routes)
    {
        if (!isRemoved(route))
        {
            Append(route);
        }
    }
}

} // namespace ns3::lfn

#endif // LFN_ROUTE_TABLE_H
