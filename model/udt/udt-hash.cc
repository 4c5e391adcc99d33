// SPDX-License-Identifier: GPL-2.0-only
#include "udt-hash.h"

#include <array>

namespace ns3::lfn
{

uint32_t
UdtHash(uint32_t seed)
{
    constexpr std::size_t LAG = 31;
    constexpr std::size_t FIRST = 344;
    std::array<uint32_t, FIRST + 1> r{};
    r[0] = seed == 0 ? 1 : seed;
    for (std::size_t i = 1; i < LAG; ++i)
    {
        r[i] = static_cast<uint32_t>(16807ULL * r[i - 1] % UDT_HASH_MAX);
    }
    for (std::size_t i = LAG; i < LAG + 3; ++i)
    {
        r[i] = r[i - LAG];
    }
    for (std::size_t i = LAG + 3; i <= FIRST; ++i)
    {
        r[i] = r[i - 3] + r[i - LAG];
    }
    return r[FIRST] >> 1;
}

} // namespace ns3::lfn
