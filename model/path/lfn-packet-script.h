// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_PACKET_SCRIPT_H
#define LFN_PACKET_SCRIPT_H

#include <cstdint>
#include <set>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Names packets by their numbers, from 1.
 */
class PacketScript
{
  public:
    /**
     * @brief Adds one packet.
     * @param k its number, from 1
     */
    void Add(uint64_t k);

    /** @brief Adds all packets. */
    void AddAll();

    /**
     * @brief Replaces the script.
     * @param script numbers separated by commas ("3,7,11"), "all", or nothing
     * @return false, with the script unchanged, when the text is invalid
     */
    bool Set(const std::string& script);

    /**
     * @brief Gives the script as text.
     * @return numbers in rising order, separated by commas, or "all"
     */
    std::string Get() const;

    /**
     * @brief Indicates whether a packet is named.
     * @param k its number, from 1
     * @return true when it is
     */
    bool Has(uint64_t k) const;

    /** @return whether no packet is named */
    bool IsEmpty() const;

  private:
    std::set<uint64_t> m_numbers; //!< of the packets
    bool m_isAll{false};          //!< every packet
};

} // namespace ns3::lfn

#endif /* LFN_PACKET_SCRIPT_H */
