// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-live-packet.h"

#include <cstddef>

namespace ns3::lfn
{

namespace
{

using Bytes = std::span<const uint8_t>;

constexpr std::size_t IP_HEADER = 20;   //!< without options [B]
constexpr std::size_t UDP_HEADER = 8;   //!< [B]
constexpr std::size_t TCP_HEADER = 20;  //!< without options [B]
constexpr std::size_t ICMP_HEADER = 8;  //!< [B]
constexpr std::size_t QUOTED_BYTES = 8; //!< of the transport, by an ICMP error [B]

/** @brief Read 16 bits. */
std::size_t
Read16(Bytes bytes, std::size_t at)
{
    return static_cast<std::size_t>(bytes[at]) << 8 | bytes[at + 1];
}

/** @brief Tell whether an option of TCP, from its kind to its end, is one that ns-3 can read. */
bool
IsOptionSound(Bytes option)
{
    constexpr uint8_t SEGMENT_SIZE = 2;
    constexpr uint8_t WINDOW_SCALE = 3;
    constexpr uint8_t SACK_PERMITTED = 4;
    constexpr uint8_t SACK = 5;
    constexpr uint8_t TIMESTAMPS = 8;
    constexpr uint8_t MOST_SCALE = 14;
    switch (option[0])
    {
    case SEGMENT_SIZE:
        return option.size() == 4;
    case WINDOW_SCALE:
        return option.size() == 3 && option[2] <= MOST_SCALE;
    case SACK_PERMITTED:
        return option.size() == 2;
    case SACK:
        return option.size() % 8 == 2;
    case TIMESTAMPS:
        return option.size() == 10;
    default:
        return true;
    }
}

/** @brief Tell whether options of TCP fill the header up to its end, less 3 bytes at most. */
bool
AreOptionsSound(Bytes options)
{
    constexpr uint8_t END = 0;
    constexpr uint8_t NO_OPERATION = 1;
    while (!options.empty() && options[0] != END)
    {
        std::size_t size = 1;
        if (options[0] != NO_OPERATION)
        {
            if (options.size() < 2 || options[1] < 2 || options[1] > options.size())
            {
                return false;
            }
            size = options[1];
            if (!IsOptionSound(options.first(size)))
            {
                return false;
            }
        }
        options = options.subspan(size);
    }
    return options.size() <= 4; // ns-3 would take more of the padding for data
}

/** @brief Tell whether TCP's header and its options are whole. */
bool
IsTcpSound(Bytes segment)
{
    if (segment.size() < TCP_HEADER)
    {
        return false;
    }
    const std::size_t header = (segment[12] >> 4) * std::size_t{4};
    return header >= TCP_HEADER && header <= segment.size() &&
           AreOptionsSound(segment.subspan(TCP_HEADER, header - TCP_HEADER));
}

/** @brief Tell whether an ICMP message is whole, what it quotes included. */
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

/** @brief Tell whether the transport's header is whole. */
bool
IsTransportSound(uint8_t protocol, Bytes payload, bool isWhole)
{
    constexpr uint8_t ICMP = 1;
    constexpr uint8_t TCP = 6;
    constexpr uint8_t UDP = 17;
    switch (protocol)
    {
    case ICMP:
        return IsIcmpSound(payload);
    case TCP:
        return IsTcpSound(payload);
    case UDP:
        return payload.size() >= UDP_HEADER && (!isWhole || Read16(payload, 4) == payload.size());
    default:
        return true;
    }
}

} // namespace

LivePacket
LookAtLivePacket(std::span<const uint8_t> bytes)
{
    constexpr std::size_t MORE_FRAGMENTS = 0x2000;
    constexpr std::size_t OFFSET = 0x1fff;
    constexpr uint8_t FIRST_MULTICAST = 224; // and all above, broadcast included
    if (bytes.empty() || bytes[0] >> 4 != 4)
    {
        return LivePacket::FOREIGN;
    }
    if (bytes.size() < IP_HEADER || bytes[0] != 0x45 || Read16(bytes, 2) != bytes.size())
    {
        return LivePacket::UNSOUND;
    }
    if (bytes[16] >= FIRST_MULTICAST || bytes[16] == 0)
    {
        return LivePacket::FOREIGN;
    }
    const auto fragment = Read16(bytes, 6);
    const auto payload = bytes.subspan(IP_HEADER);
    const bool isLater = (fragment & OFFSET) != 0;
    const bool isWhole = !isLater && (fragment & MORE_FRAGMENTS) == 0;
    if (isLater)
    {
        // Beyond what a datagram can be, or nothing at all.
        const bool fits = (fragment & OFFSET) * 8 + bytes.size() <= UINT16_MAX;
        return fits && !payload.empty() ? LivePacket::SOUND : LivePacket::UNSOUND;
    }
    return IsTransportSound(bytes[9], payload, isWhole) ? LivePacket::SOUND : LivePacket::UNSOUND;
}

} // namespace ns3::lfn
