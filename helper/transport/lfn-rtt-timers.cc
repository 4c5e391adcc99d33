// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-rtt-timers.h"

#include <algorithm>

namespace ns3::lfn
{

bool
HasOwnDefault(Ptr<const Object> object, const std::string& name)
{
    TypeId::AttributeInformation about;
    object->GetInstanceTypeId().LookupAttributeByName(name, &about);
    // Any host that sets a default makes a new object of it, be the value the same.
    return about.initialValue != about.originalInitialValue;
}

void
FollowRtt(Ptr<Object> object, const std::string& name, Time rtt, int64_t rtts, Time most)
{
    if (rtt < Seconds(1) || rtt > Hours(1) || HasOwnDefault(object, name))
    {
        return;
    }
    TimeValue value;
    object->GetAttribute(name, value);
    const Time least = std::min(most, rtt * rtts);
    if (value.Get() < least)
    {
        object->SetAttribute(name, TimeValue(least));
    }
}

} // namespace ns3::lfn
