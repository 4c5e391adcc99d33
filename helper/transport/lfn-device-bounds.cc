// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-device-bounds.h"

#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/traffic-control-layer.h"

#include <vector>

namespace ns3::lfn
{

double
MostQueuedBytes(Ptr<NetDevice> device, uint32_t packet)
{
    PointerValue queue;
    const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
    const auto disc = control ? control->GetRootQueueDiscOnDevice(device) : nullptr;
    std::vector<QueueSize> sizes;
    if (device->GetAttributeFailSafe("TxQueue", queue) && queue.Get<QueueBase>())
    {
        sizes.push_back(queue.Get<QueueBase>()->GetMaxSize());
    }
    if (disc)
    {
        sizes.push_back(disc->GetMaxSize());
    }
    double bytes = 0;
    for (const auto& size : sizes)
    {
        bytes += (size.GetUnit() == QueueSizeUnit::BYTES ? 1.0 : packet) * size.GetValue();
    }
    return bytes;
}

Time
LongestWait(Ptr<NetDevice> device, uint32_t packet)
{
    DataRateValue rate;
    if (!device->GetAttributeFailSafe("DataRate", rate) || rate.Get().GetBitRate() == 0)
    {
        return Time(0);
    }
    const double bytes = MostQueuedBytes(device, packet) + packet;
    return Time::FromDouble(8 * bytes / static_cast<double>(rate.Get().GetBitRate()), Time::S);
}

} // namespace ns3::lfn
