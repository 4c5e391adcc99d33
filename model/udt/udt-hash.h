// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_HASH_H
#define UDT_HASH_H

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief First number of the additive generator of 31 words that UDT4 seeds at each decrease with
 *        a sequence number (UDT-46).
 * @param seed the seed; 0 is taken as 1
 * @return 0 to UDT_HASH_MAX
 */
uint32_t UdtHash(uint32_t seed);

/** @brief The largest hash. */
constexpr uint32_t UDT_HASH_MAX = (1U << 31) - 1;

} // namespace ns3::lfn

#endif // UDT_HASH_H
