// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-received-frame.h"

namespace ns3::lfn
{

uint64_t
VrpReceivedFrame::GetLostBytes() const
{
    uint64_t bytes = 0;
    for (const auto& gap : lost)
    {
        bytes += gap.size;
    }
    return bytes;
}

} // namespace ns3::lfn
