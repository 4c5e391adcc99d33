// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-live-packet.h"

#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-ip-view.h"
#include "ns3/lfn-tcp-view.h"

#include <cstddef>

namespace ns3::lfn
{

namespace
{

using Bytes = std::span<const uint8_t>;

constexpr std::size_t IP_HEADER = 20;   //!< without options [B]
constexpr std::size_t UDP_HEADER = 8;   //!< [B]
constexpr std::size_t ICMP_HEADER = 8;  //!< [B]
constexpr std::size_t QUOTED_BYTES = 8; //!< of the transport, by an ICMP error [B]

/** @brief Check whether an ICMP message is whole, what it quotes included. */
bool
IsIcmpSound(Bytes message)
{
    constexpr uint8_t UNREACHABLE = 3;
    constexpr uint8_t TIME_EXCEEDED = 11;
    if (message.size() < ICMP_HEADER)
    {
        return false;
    }
    if (message[0] != UNREACHABLE && message[0] != TIME_EXCEEDED)
    {
        return true;
    }
    const auto quoted = message.subspan(ICMP_HEADER);
    return quoted.size() >= IP_HEADER + QUOTED_BYTES && quoted[0] == 0x45;
}

/** @brief Check whether the transport's header is whole. */
bool
IsTransportSound(uint8_t protocol, Bytes payload, bool isWhole)
{
    constexpr uint8_t ICMP = 1;
    switch (protocol)
    {
    case ICMP:
        return IsIcmpSound(payload);
    case IP_TCP:
        return TcpView::Read(payload, static_cast<uint32_t>(payload.size())).has_value();
    case IP_UDP:
        return payload.size() >= UDP_HEADER &&
               (!isWhole || ReadBigEndian<uint16_t>(payload, 4) == payload.size());
    default:
        return true;
    }
}

} // namespace

LivePacket
InspectLivePacket(std::span<const uint8_t> bytes)
{
    constexpr uint8_t FIRST_MULTICAST = 224; // and all above, broadcast included
    if (bytes.empty() || bytes[0] >> 4 != 4)
    {
        return LivePacket::FOREIGN;
    }
    const auto ip = IpView::Read(bytes);
    if (!ip || ip->headerBytes != IP_HEADER || ip->totalBytes != bytes.size())
    {
        return LivePacket::UNSOUND;
    }
    if (ip->destination[0] >= FIRST_MULTICAST || ip->destination[0] == 0)
    {
        return LivePacket::FOREIGN;
    }
    const auto payload = bytes.subspan(IP_HEADER);
    if (ip->offset > 0)
    {
        // Beyond what a datagram can be, or nothing at all.
        const bool fits = ip->offset + bytes.size() <= UINT16_MAX;
        return fits && !payload.empty() ? LivePacket::SOUND : LivePacket::UNSOUND;
    }
    return IsTransportSound(ip->protocol, payload, !ip->hasMore) ? LivePacket::SOUND
                                                                 : LivePacket::UNSOUND;
}

void
MakeTcpReadable(std::span<uint8_t> bytes)
{
    const auto ip = IpView::Read(bytes);
    if (ip && ip->hasTransport && ip->protocol == IP_TCP)
    {
        TcpView::MakeReadable(bytes.subspan(ip->headerBytes));
    }
}

} // namespace ns3::lfn
