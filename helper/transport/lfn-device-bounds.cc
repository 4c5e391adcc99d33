// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-device-bounds.h"

#include "ns3/lfn-reported-link.h"
#include "ns3/node.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <vector>

namespace ns3::lfn
{

namespace
{

/**
 * @brief Collect the sizes of a queue disc and of those in it; where it has none of its own, as
 * ns3::MqQueueDisc, ns-3 would end the program over the question.
 */
void
AddSizes(Ptr<QueueDisc> disc, std::vector<QueueSize>& sizes)
{
    QueueSizeValue size;
    if (disc->GetAttributeFailSafe("MaxSize", size))
    {
        sizes.push_back(size.Get());
        return; // what it holds in all
    }
    for (std::size_t i = 0; i < disc->GetNInternalQueues(); ++i)
    {
        sizes.push_back(disc->GetInternalQueue(i)->GetMaxSize());
    }
    for (std::size_t i = 0; i < disc->GetNQueueDiscClasses(); ++i)
    {
        AddSizes(disc->GetQueueDiscClass(i)->GetQueueDisc(), sizes);
    }
}

} // namespace

double
MostQueuedBytes(Ptr<NetDevice> device, uint32_t packet)
{
    const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
    const auto disc = control ? control->GetRootQueueDiscOnDevice(device) : nullptr;
    std::vector<QueueSize> sizes;
    if (const auto queue = ReportedLink::GetQueue(device))
    {
        sizes.push_back(queue->GetMaxSize());
    }
    if (disc)
    {
        AddSizes(disc, sizes);
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
    const auto rate = ReportedLink::GetRate(device);
    if (!rate || rate->GetBitRate() == 0)
    {
        return Time(0);
    }
    const double bytes = MostQueuedBytes(device, packet) + packet;
    return Time::FromDouble(8 * bytes / static_cast<double>(rate->GetBitRate()), Time::S);
}

std::optional<Time>
LongestWait(const TransportTopology& topology)
{
    const auto senders = topology.GetSenders().GetN();
    Time longest(0);
    for (uint32_t i = 0; i < topology.GetReceivers().GetN(); ++i)
    {
        const auto way = topology.FindWay(i < senders ? i : 0, i);
        if (!way)
        {
            return std::nullopt;
        }
        Time waits(0);
        for (const auto& device : *way)
        {
            waits += LongestWait(device, device->GetMtu());
        }
        longest = std::max(longest, waits);
    }
    return longest;
}

} // namespace ns3::lfn
