// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TOS_H
#define LFN_TOS_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/**
 * @ingroup lfn
 * @brief The TOS byte of IPv4 and the traffic class of IPv6 as text: six bits of DSCP (RFC 2474),
 * two of ECN (RFC 3168).
 */
namespace ns3::lfn::tos
{

/** The bits of the DSCP. */
constexpr uint8_t DSCP_MASK = 0xfc;

/**
 * @brief Read a TOS byte.
 * @param text a DSCP: CS0 to CS7 (RFC 2474), AF11 to AF43 (RFC 2597), EF (RFC 3246), LE (RFC 8622);
 * or the whole byte, 0 to 255 or 0x00 to 0xff
 * @return the byte, 0 for both bits of ECN with a name; nothing when the text is neither
 */
std::optional<uint8_t> Read(std::string_view text);

/**
 * @brief Print a TOS byte.
 * @param byte its value
 * @return the name of a DSCP when the bits of ECN are 0 and there is one; else 0x and two digits
 */
std::string Print(uint8_t byte);

} // namespace ns3::lfn::tos

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Make a checker for an Attribute of MakeUintegerAccessor() that is a TOS byte.
 *
 * The Attribute takes a UintegerValue, or a text as tos::Read() has it.
 * @return the checker, which explains what it refuses (ExplainingChecker)
 */
Ptr<const AttributeChecker> MakeTosChecker();

} // namespace ns3::lfn

#endif // LFN_TOS_H
