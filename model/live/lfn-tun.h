// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TUN_H
#define LFN_TUN_H

#include "ns3/ipv4-address.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A tun device of Linux: what the kernel sends there is read here, and the other way round.
 *
 * The packets are bare IP ones. The device goes away with the object, unless it was there before.
 */
class Tun
{
  public:
    /** @brief What the device is like. */
    struct Settings
    {
        std::string device;              //!< Its name, of 15 characters at most.
        std::string networkNamespace;    //!< As of "ip netns"; empty for the process's own.
        std::optional<Ipv4Address> own;  //!< The kernel's address on it; none for a router.
        std::vector<Ipv4Address> behind; //!< Addresses that the kernel finds behind the device.
        uint16_t mtu{1500};              //!< Largest IP packet [B].
        uint32_t queue{10000};           //!< Packets that may wait until they are read.
    };

    Tun() = default;
    ~Tun();
    Tun(const Tun&) = delete;
    Tun& operator=(const Tun&) = delete;

    /**
     * @brief Make the device and set it up; once.
     * @param settings What it is like.
     * @return What is missing and the remedy, or nothing when all is well.
     */
    std::optional<std::string> Open(const Settings& settings);

    /** @brief Get the descriptor to read packets from; -1 when it is not open. */
    int GetDescriptor() const;

    /**
     * @brief Hand a packet to the kernel.
     * @param packet From its IP header on.
     * @return False when the kernel did not take it, such as while the device is down.
     */
    bool Write(std::span<const uint8_t> packet) const;

    /** @brief Close the device; it then goes away, unless it was there before. */
    void Close();

  private:
    int m_descriptor{-1}; //!< Of /dev/net/tun.
};

} // namespace ns3::lfn

#endif // LFN_TUN_H
