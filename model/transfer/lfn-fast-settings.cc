// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-fast-settings.h"

#include "ns3/global-value.h"
#include "ns3/map-scheduler.h"
#include "ns3/priority-queue-scheduler.h"
#include "ns3/type-id.h"

// Any header of the C library says which library it is.
#include <cstdlib>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace ns3::lfn
{

void
UseFastAllocator()
{
#ifdef __GLIBC__
    constexpr int MIB = 1024 * 1024;
    mallopt(M_TRIM_THRESHOLD, 512 * MIB);
    mallopt(M_TOP_PAD, 16 * MIB);
#endif
}

void
UseFastScheduler()
{
    const std::string name = "SchedulerType";
    TypeIdValue type;
    GlobalValue::GetValueByName(name, type);
    if (type.Get() == MapScheduler::GetTypeId())
    {
        GlobalValue::Bind(name, TypeIdValue(PriorityQueueScheduler::GetTypeId()));
    }
}

} // namespace ns3::lfn
