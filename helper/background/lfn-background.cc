// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-background.h"

#include "ns3/log.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("Background");
NS_OBJECT_ENSURE_REGISTERED(Background);

TypeId
Background::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::Background").SetParent<Object>().SetGroupName("Lfn");
    return tid;
}

const ClassFamily&
Background::GetFamily()
{
    static const ClassFamily family(GetTypeId());
    return family;
}

std::optional<std::string>
Background::Check() const
{
    NS_LOG_FUNCTION(this);
    return std::nullopt;
}

} // namespace ns3::lfn
