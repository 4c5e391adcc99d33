// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-transfer-report.h"

namespace ns3::lfn
{

double
TransferReport::GoodputBps() const
{
    if (finish <= start)
    {
        return 0.0;
    }
    return 8.0 * static_cast<double>(deliveredBytes) / (finish - start).GetSeconds();
}

void
TransferReport::TakeReceiverSide(const TransferReport& receiver)
{
    deliveredBytes = receiver.deliveredBytes;
    lostBytes = receiver.lostBytes;
    lastDelivery = receiver.lastDelivery;
}

} // namespace ns3::lfn
