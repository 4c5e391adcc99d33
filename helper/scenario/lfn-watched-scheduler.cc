// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-watched-scheduler.h"

#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("WatchedScheduler");
NS_OBJECT_ENSURE_REGISTERED(WatchedScheduler);

namespace
{

constexpr uint32_t EVENTS = 4096; //!< From look to look, some milliseconds of real time.

} // namespace

Callback<void> WatchedScheduler::m_check;

TypeId
WatchedScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::WatchedScheduler")
                            .SetParent<PriorityQueueScheduler>()
                            .SetGroupName("Lfn")
                            .AddConstructor<WatchedScheduler>();
    return tid;
}

void
WatchedScheduler::Install(Callback<void> look)
{
    NS_LOG_FUNCTION_NOARGS();
    m_check = look;
    Simulator::SetScheduler(ObjectFactory("ns3::lfn::WatchedScheduler"));
}

Scheduler::Event
WatchedScheduler::RemoveNext()
{
    if (++m_removed % EVENTS == 0 && !m_check.IsNull())
    {
        m_check();
    }
    return PriorityQueueScheduler::RemoveNext();
}

} // namespace ns3::lfn
