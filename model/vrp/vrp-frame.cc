// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-frame.h"

namespace ns3::lfn
{

Ptr<Packet>
VrpFrame::MakeData(uint16_t number, uint32_t offset, uint32_t size) const
{
    if (data)
    {
        return data->CreateFragment(offset, size);
    }
    return makeData.IsNull() ? Create<Packet>(size)
                             : makeData((uint64_t{number} << 32) + offset, size);
}

} // namespace ns3::lfn
