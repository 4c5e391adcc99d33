// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-flow-counts.h"

#include "lfn-flow-probe.h"

#include "ns3/node-list.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

/** @brief ns-3's monitor without the look for lost packets that comes each second for ever. */
class QuietFlowMonitor : public FlowMonitor
{
  protected:
    // FlowMonitor's own would begin that look; that of the classes above it does nothing.
    void NotifyConstructionCompleted() override
    {
    }
};

} // namespace

FlowCounts::FlowCounts()
    : m_monitor(CreateObject<QuietFlowMonitor>()),
      m_classifier(Create<TransportFlowClassifier>())
{
    m_monitor->AddFlowClassifier(m_classifier);
    // Its event for that comes after those of applications that begin at 0 as well.
    TypeId::AttributeInformation start;
    FlowMonitor::GetTypeId().LookupAttributeByName("StartTime", &start);
    const auto time = DynamicCast<const TimeValue>(start.initialValue);
    if (time && time->Get().IsZero())
    {
        m_monitor->StartRightNow();
    }
}

FlowCounts::~FlowCounts()
{
    m_monitor->Dispose(); // it and its probes hold each other
}

void
FlowCounts::Install()
{
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        // The monitor keeps it.
        CreateObject<TransportFlowProbe>(m_monitor, m_classifier, *node);
    }
}

Ptr<FlowMonitor>
FlowCounts::GetMonitor() const
{
    return m_monitor;
}

void
FlowCounts::CountLosses(Time longest, Time hold, Time spread)
{
    const Time now = Simulator::Now();
    Time age(0);
    for (const auto& [number, flow] : m_monitor->GetFlowStats())
    {
        if (flow.txPackets <= flow.rxPackets + flow.lostPackets)
        {
            continue;
        }
        Time since = longest;
        if (flow.rxPackets > 0)
        {
            // Others that were sent at the same time may wait behind it.
            const Time sent = flow.timeLastRxPacket - flow.lastDelay - TimeStep(1);
            since = now - sent + hold + (m_classifier->IsMulticast(number) ? spread : Time(0));
        }
        age = std::max(age, std::min(since, longest));
    }
    m_monitor->CheckForLostPackets(age);
}

std::string
FlowCounts::ToXml() const
{
    return "<?xml version=\"1.0\" ?>\n" + m_monitor->SerializeToXmlString(0, true, false);
}

} // namespace ns3::lfn
