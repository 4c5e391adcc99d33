// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_BYTES_H
#define LFN_TEST_BYTES_H

#include "ns3/packet.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Bytes of messages: read, written, drawn at random and spoilt.
 */

namespace ns3::lfn::tests
{

using Bytes = std::vector<uint8_t>; //!< a message

/**
 * @brief Get the bytes of a packet.
 * @param packet the packet
 * @return its bytes
 */
inline Bytes
ToBytes(Ptr<const Packet> packet)
{
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

/**
 * @brief Make a packet of bytes.
 * @param bytes the bytes
 * @return the packet
 */
inline Ptr<Packet>
ToPacket(std::span<const uint8_t> bytes)
{
    return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

/**
 * @brief Put a header in front of bytes.
 * @param header the header
 * @param rest what follows
 * @return all bytes
 */
template <typename H>
Bytes
Join(const H& header, const Bytes& rest = {})
{
    const auto packet = ToPacket(rest);
    packet->AddHeader(header);
    return ToBytes(packet);
}

/**
 * @brief Print bytes as hexadecimal digits.
 * @param bytes the bytes
 * @return two digits each
 */
inline std::string
Hex(std::span<const uint8_t> bytes)
{
    constexpr auto DIGITS = "0123456789abcdef";
    std::string text;
    for (const auto byte : bytes)
    {
        text += DIGITS[byte >> 4];
        text += DIGITS[byte & 15];
    }
    return text;
}

/**
 * @brief Draw a number.
 * @param random where from
 * @param below its limit
 * @return 0 to below - 1
 */
template <typename R>
auto
Draw(R& random, typename R::result_type below)
{
    return random() % below;
}

/**
 * @brief Make bytes at random.
 * @param random where from
 * @param most of them
 * @return none to most
 */
template <typename R>
Bytes
MakeNoise(R& random, uint64_t most)
{
    Bytes bytes(Draw(random, most + 1));
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<uint8_t>(random()); });
    return bytes;
}

/**
 * @brief Spoil a message, cut it, lengthen it, or leave it alone.
 * @param random what to do
 * @param bytes the message
 * @return what is left of it
 */
template <typename R>
Bytes
Spoil(R& random, Bytes bytes)
{
    constexpr std::array<uint8_t, 4> EXTREMES{0x00, 0xff, 0x7f, 0x80};
    const auto kind = Draw(random, 6);
    if (kind == 0)
    {
        bytes.resize(Draw(random, bytes.size() + 1));
    }
    else if (kind == 1)
    {
        const auto noise = MakeNoise(random, 20);
        bytes.insert(bytes.end(), noise.begin(), noise.end());
    }
    else if (kind < 4)
    {
        for (auto left = 1 + Draw(random, 4); left > 0 && !bytes.empty(); --left)
        {
            auto& byte = bytes[Draw(random, bytes.size())];
            byte = kind == 2 ? byte ^ static_cast<uint8_t>(1U << Draw(random, 8))
                             : EXTREMES[Draw(random, 4)];
        }
    }
    return bytes;
}

} // namespace ns3::lfn::tests

#endif // LFN_TEST_BYTES_H
