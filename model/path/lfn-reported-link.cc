// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-reported-link.h"

#include "ns3/channel.h"
#include "ns3/log.h"
#include "ns3/pointer.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("ReportedLink");
NS_OBJECT_ENSURE_REGISTERED(ReportedLink);

TypeId
ReportedLink::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::ReportedLink").SetParent<Object>().SetGroupName("Lfn");
    return tid;
}

void
ReportedLink::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_facts.queue = nullptr;
    Object::DoDispose();
}

void
ReportedLink::Set(Ptr<NetDevice> device, const Facts& facts)
{
    NS_LOG_FUNCTION(device << facts.rate << facts.multicastRate << facts.queue);
    auto reported = device->GetObject<ReportedLink>();
    if (!reported)
    {
        reported = CreateObject<ReportedLink>();
        device->AggregateObject(reported);
    }
    reported->m_facts = facts;
}

std::optional<DataRate>
ReportedLink::GetRate(Ptr<const NetDevice> device)
{
    const auto reported = device->GetObject<ReportedLink>();
    if (reported && reported->m_facts.rate.GetBitRate() > 0)
    {
        return reported->m_facts.rate;
    }
    DataRateValue rate;
    const auto channel = device->GetChannel();
    if (device->GetAttributeFailSafe("DataRate", rate) ||
        (channel && channel->GetAttributeFailSafe("DataRate", rate)))
    {
        return rate.Get();
    }
    return std::nullopt;
}

std::optional<DataRate>
ReportedLink::GetMulticastRate(Ptr<const NetDevice> device)
{
    const auto reported = device->GetObject<ReportedLink>();
    return reported && reported->m_facts.multicastRate.GetBitRate() > 0
               ? std::optional(reported->m_facts.multicastRate)
               : GetRate(device);
}

Ptr<QueueBase>
ReportedLink::GetQueue(Ptr<const NetDevice> device)
{
    const auto reported = device->GetObject<ReportedLink>();
    if (reported && reported->m_facts.queue)
    {
        return reported->m_facts.queue;
    }
    PointerValue queue;
    return device->GetAttributeFailSafe("TxQueue", queue) ? queue.Get<QueueBase>() : nullptr;
}

} // namespace ns3::lfn
