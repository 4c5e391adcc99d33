// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-errors.h"

#include "jrm-header.h"

namespace ns3::lfn
{

bool
JrmErrors::IsDiscarded(bool isNack) const
{
    // The draw comes before every send, also for what is discarded: equal runs stay equal.
    const bool isBad = send->GetValue(0, 1) < sendRate;
    return isBad && (isNack ? onNack : onData);
}

bool
JrmErrors::IsLost(Ptr<const Packet> packet) const
{
    if (receiveRate <= 0 || receive->GetValue(0, 1) >= receiveRate)
    {
        return false;
    }
    JrmHeader header;
    return onNack || packet->PeekHeader(header) == 0 ||
           (header.type != JrmType::NACK_REQ && header.type != JrmType::ANSWER);
}

} // namespace ns3::lfn
