// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-version.h"

// Both are given by the build; a build that does not is worth noticing in run.json.
#ifndef LFN_VERSION
#define LFN_VERSION "unknown"
#endif
#ifndef LFN_NS3_VERSION
#define LFN_NS3_VERSION "unknown"
#endif

namespace ns3::lfn
{

std::string
GetVersion()
{
    return LFN_VERSION;
}

std::string
GetNs3Version()
{
    return LFN_NS3_VERSION;
}

} // namespace ns3::lfn
