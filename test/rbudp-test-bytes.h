// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_TEST_BYTES_H
#define RBUDP_TEST_BYTES_H

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-rbudp
 * Messages as bytes, made without the model.
 */

namespace ns3::lfn::tests
{

using Bytes = std::vector<uint8_t>; //!< a message

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
 * @brief Make an acknowledgement bit by bit, without the model.
 * @param datagrams N
 * @param missing numbers of the missing ones
 * @return the message
 */
inline Bytes
MakeAck(uint64_t datagrams, const std::set<uint64_t>& missing)
{
    Bytes ack(datagrams / 8 + 2, 0xff);
    ack[0] = missing.empty() ? 1 : 0;
    for (const auto index : missing)
    {
        ack[1 + index / 8] -= static_cast<uint8_t>(1U << (index % 8));
    }
    return ack;
}

} // namespace ns3::lfn::tests

#endif // RBUDP_TEST_BYTES_H
