// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-open-files.h"

#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/point-to-point-net-device.h"

#include <cstdint>
#include <sys/resource.h>

namespace ns3::lfn
{

std::optional<std::string>
MakeRoomForCaptures()
{
    constexpr uint64_t OTHERS = 32; // libraries, output, and what the caller left open
    uint64_t captures = 0;
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            captures += DynamicCast<PointToPointNetDevice>((*node)->GetDevice(i)) ? 1 : 0;
        }
    }
    const uint64_t needed = captures + OTHERS;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
    {
        return std::nullopt;
    }
    if (limit.rlim_max >= needed)
    {
        limit.rlim_cur = needed;
        if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
        {
            return std::nullopt;
        }
    }
    return std::to_string(captures) + " captures and " + std::to_string(OTHERS) +
           " other files would be open at once, of " + std::to_string(limit.rlim_max) +
           " at most: raise the limit (ulimit -n " + std::to_string(needed) +
           "), or capture a smaller network";
}

} // namespace ns3::lfn
