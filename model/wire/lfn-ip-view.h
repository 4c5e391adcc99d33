// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_IP_VIEW_H
#define LFN_IP_VIEW_H

#include "lfn-big-endian.h"

#include <cstdint>
#include <optional>
#include <span>

namespace ns3::lfn
{

constexpr uint8_t IP_TCP = 6;  //!< IP's number of TCP (RFC 9293)
constexpr uint8_t IP_UDP = 17; //!< IP's number of UDP (RFC 768)

/**
 * @ingroup lfn
 * @brief The header of an IPv4 (RFC 791) or IPv6 packet (RFC 8200), read from its bytes.
 *
 * Of IPv6, extension headers are walked over: hop-by-hop options, routing, fragment, destination
 * options. Any bytes are read or refused. Addresses are those of the bytes that were read.
 */
struct IpView
{
    uint8_t version{0};                     //!< 4 or 6
    uint8_t protocol{0};                    //!< of the transport, or of what is not in the bytes
    uint32_t headerBytes{0};                //!< with options or extension headers, [B]
    uint32_t totalBytes{0};                 //!< length of the packet by its header, [B]
    uint32_t id{0};                         //!< number of the datagram, if it is in fragments
    uint32_t offset{0};                     //!< place of a fragment in its datagram, [B]
    bool hasMore{false};                    //!< further fragments follow
    bool hasTransport{false};               //!< the transport begins at headerBytes
    std::span<const uint8_t> source{};      //!< address, 4 or 16 bytes
    std::span<const uint8_t> destination{}; //!< address, 4 or 16 bytes

    /**
     * @brief Read a header.
     * @param bytes the first bytes of a packet, or all
     * @return what it says; nothing if it is neither IPv4 nor IPv6, or its fixed part is cut
     */
    static std::optional<IpView> Read(std::span<const uint8_t> bytes);

    /**
     * @brief Walk over the extension headers of IPv6.
     * @param protocol IP's number of the first one
     * @param bytes what follows the fixed header
     * @return protocol, headerBytes (of the extension headers alone) and what says of fragments
     */
    static IpView ReadExtensions(uint8_t protocol, std::span<const uint8_t> bytes);
};

/**
 * @ingroup lfn
 * @brief The ports of TCP or UDP.
 */
struct PortView
{
    uint16_t source{0};      //!< of the sender
    uint16_t destination{0}; //!< of the receiver

    /**
     * @brief Read ports.
     * @param protocol IP's number of the transport
     * @param bytes what follows the IP header
     * @return the ports; nothing of other transports, or if they are cut
     */
    static std::optional<PortView> Read(uint8_t protocol, std::span<const uint8_t> bytes)
    {
        if ((protocol != IP_TCP && protocol != IP_UDP) || bytes.size() < 4)
        {
            return std::nullopt;
        }
        return PortView{ReadBigEndian<uint16_t>(bytes, 0), ReadBigEndian<uint16_t>(bytes, 2)};
    }
};

} // namespace ns3::lfn

#endif // LFN_IP_VIEW_H
