// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-flow-count-estimator.h"

#include "ns3/log.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpFlowCountEstimator");
NS_OBJECT_ENSURE_REGISTERED(XcpFlowCountEstimator);

TypeId
XcpFlowCountEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpFlowCountEstimator").SetParent<Object>().SetGroupName("Lfn");
    return tid;
}

bool
XcpFlowCountEstimator::IsSteady() const
{
    return false;
}

void
XcpFlowCountEstimator::SkipIntervals(uint64_t /* intervals */)
{
}

int64_t
XcpFlowCountEstimator::AssignStreams(int64_t /* stream */)
{
    NS_LOG_FUNCTION(this);
    return 0;
}

} // namespace ns3::lfn
