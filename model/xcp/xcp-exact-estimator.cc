// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-exact-estimator.h"

#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpExactEstimator");
NS_OBJECT_ENSURE_REGISTERED(XcpExactEstimator);

TypeId
XcpExactEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpExactEstimator")
            .SetParent<XcpFlowCountEstimator>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpExactEstimator>()
            .AddAttribute(
                "PeriodLength",
                "Adaptation intervals from one emptying of the table to the next; those in "
                "which the class only waits do not count.",
                UintegerValue(1),
                MakeUintegerAccessor(&XcpExactEstimator::m_periodLength),
                MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
XcpExactEstimator::See(uint64_t flow)
{
    NS_LOG_FUNCTION(this << flow);
    m_flows.insert(flow);
}

void
XcpExactEstimator::EndInterval()
{
    NS_LOG_FUNCTION(this);
    if (++m_intervals >= m_periodLength)
    {
        const auto count = static_cast<double>(m_flows.size());
        Reset();
        m_count = count;
        NS_LOG_DEBUG("flows " << m_count << ", intervals per period " << m_periodLength);
    }
}

bool
XcpExactEstimator::IsSteady() const
{
    return m_flows.empty() && m_count == 0.0;
}

void
XcpExactEstimator::SkipIntervals(uint64_t intervals)
{
    m_intervals = (m_intervals + intervals) % m_periodLength;
}

double
XcpExactEstimator::GetCount() const
{
    return m_count;
}

void
XcpExactEstimator::Reset()
{
    NS_LOG_FUNCTION(this);
    m_flows.clear();
    m_intervals = 0;
    m_count = 0.0;
}

uint64_t
XcpExactEstimator::GetStateBytes() const
{
    // What a hash set of chained nodes takes: a pointer per bucket, a pointer and an ID per node.
    return m_flows.bucket_count() * sizeof(void*) +
           m_flows.size() * (sizeof(void*) + sizeof(uint64_t));
}

} // namespace ns3::lfn
