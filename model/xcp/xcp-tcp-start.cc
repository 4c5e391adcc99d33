// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-tcp-start.h"

#include "ns3/tcp-option.h"

#include <array>
#include <cstddef>

namespace ns3::lfn
{

namespace
{

constexpr uint32_t READ_BYTES = 14;  //!< as far as the flags
constexpr uint32_t LEAST_BYTES = 20; //!< of a TCP header without options
constexpr uint32_t MOST_BYTES = 60;  //!< and with as many as there can be
constexpr uint8_t MOST_SHIFT = 14;   //!< of a window, RFC 7323, section 2.3

/**
 * @brief Tell whether an option is as long as its kind has to be, and ns-3 takes what it says.
 * @param option its bytes, kind and length first
 * @return false when ns-3 would end the program, or lose its way among the options behind it
 */
bool
IsReadable(const uint8_t* option)
{
    const uint8_t length = option[1];
    switch (option[0])
    {
    case TcpOption::MSS:
        return length == 4;
    case TcpOption::WINSCALE:
        return length == 3 && option[2] <= MOST_SHIFT;
    case TcpOption::SACKPERMITTED:
        return length == 2;
    case TcpOption::SACK:
        return length % 8 == 2;
    case TcpOption::TS:
        return length == 10;
    default:
        return true;
    }
}

} // namespace

XcpTcpStart
XcpTcpStart::Read(Ptr<const Packet> packet)
{
    std::array<uint8_t, READ_BYTES> bytes{};
    packet->CopyData(bytes.data(), bytes.size());
    XcpTcpStart tcp;
    tcp.source = static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
    tcp.destination = static_cast<uint16_t>(bytes[2] << 8 | bytes[3]);
    const auto word = [&bytes](std::size_t at) {
        return uint32_t{bytes[at]} << 24 | uint32_t{bytes[at + 1]} << 16 |
               uint32_t{bytes[at + 2]} << 8 | uint32_t{bytes[at + 3]};
    };
    tcp.sequence = word(4);
    tcp.ack = word(8);
    tcp.headerBytes = (bytes[12] >> 4) * 4U;
    tcp.flags = bytes[13];
    return tcp;
}

bool
XcpTcpStart::IsWhole(Ptr<const Packet> packet)
{
    if (packet->GetSize() < LEAST_BYTES)
    {
        return false;
    }
    std::array<uint8_t, MOST_BYTES> bytes{};
    const auto copied = packet->CopyData(bytes.data(), bytes.size());
    const uint32_t end = (bytes[12] >> 4) * 4U;
    if (end < LEAST_BYTES || end > copied)
    {
        return false;
    }
    for (uint32_t at = LEAST_BYTES; at < end && bytes[at] != 0;)
    {
        if (bytes[at] == 1)
        {
            ++at; // NOP, the only option without a length
            continue;
        }
        if (at + 1 >= end || bytes[at + 1] < 2 || at + bytes[at + 1] > end ||
            !IsReadable(&bytes[at]))
        {
            return false;
        }
        at += bytes[at + 1];
    }
    return true;
}

} // namespace ns3::lfn
