// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-mechanism.h"

#include "ns3/boolean.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"

namespace ns3::lfn
{

TypeId
GetXcpDropLaw(XcpMechanism mechanism)
{
    return TypeId::LookupByName(mechanism == XcpMechanism::ADAPTIVE
                                    ? "ns3::lfn::XcpAdaptiveDropLaw"
                                    : "ns3::lfn::XcpMultiplicativeDropLaw");
}

Ptr<XcpTcpFairness>
MakeXcpFairness(XcpMechanism mechanism, TypeId estimator)
{
    ObjectFactory counts;
    counts.SetTypeId(estimator);
    ObjectFactory law;
    law.SetTypeId(GetXcpDropLaw(mechanism));
    if (mechanism != XcpMechanism::ADAPTIVE)
    {
        law.Set("Gated", BooleanValue(mechanism == XcpMechanism::GATED));
    }
    auto fairness = CreateObject<XcpTcpFairness>();
    fairness->SetAttribute("XcpEstimator", PointerValue(counts.Create<Object>()));
    fairness->SetAttribute("E2eEstimator", PointerValue(counts.Create<Object>()));
    fairness->SetAttribute("DropLaw", PointerValue(law.Create<Object>()));
    return fairness;
}

} // namespace ns3::lfn
