// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-fast-settings.h"

// Any header of the C library says which library it is.
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace ns3::lfn
{

void
UseFastAllocator()
{
#ifdef __GLIBC__
    constexpr int MIB = 1024 * 1024;
    mallopt(M_TRIM_THRESHOLD, 512 * MIB);
    mallopt(M_TOP_PAD, 16 * MIB);
#endif
}

} // namespace ns3::lfn
