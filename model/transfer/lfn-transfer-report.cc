// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-transfer-report.h"

#include <algorithm>

namespace ns3::lfn
{

Time
TransferReport::GetEnd() const
{
    return completed && lastDelivery.IsStrictlyPositive() ? lastDelivery
                                                          : std::max(finish, lastDelivery);
}

double
TransferReport::GoodputBps() const
{
    const Time time = GetEnd() - applicationStart;
    if (!time.IsStrictlyPositive() || receivers == 0)
    {
        return 0.0;
    }
    return 8.0 * static_cast<double>(deliveredBytes) / receivers / time.GetSeconds();
}

void
TransferReport::MergeReceiver(const TransferReport& receiver)
{
    deliveredBytes = receiver.deliveredBytes;
    const uint64_t missing = offeredBytes - std::min(offeredBytes, deliveredBytes);
    lostBytes = std::max(receiver.lostBytes, std::min(lostBytes, missing));
    lastDelivery = receiver.lastDelivery;
    if (!failure.empty() && !receiver.failure.empty() && receiver.finish < finish)
    {
        failure = receiver.failure; // the sender's failure follows from it
    }
    if (!completed || !isAcknowledged)
    {
        return;
    }
    // What is acknowledged may still be in the receiving host.
    completed = deliveredBytes + receiver.lostBytes >= offeredBytes;
    finish = completed ? std::max(finish, lastDelivery) : Time(0);
}

} // namespace ns3::lfn
