// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-sred-estimator.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpSredEstimator");
NS_OBJECT_ENSURE_REGISTERED(XcpSredEstimator);

namespace
{

constexpr double MOST_FLOWS = 1e9; //!< bound of the estimate, so that it stays a number

} // namespace

TypeId
XcpSredEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpSredEstimator")
            .SetParent<XcpFlowCountEstimator>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpSredEstimator>()
            .AddAttribute("TableSize",
                          "Entries of the zombie table.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&XcpSredEstimator::m_tableSize),
                          MakeUintegerChecker<uint32_t>(1, 10000000))
            .AddAttribute("OverwriteProbability",
                          "Probability that a packet that missed replaces the entry.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&XcpSredEstimator::m_overwrite),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("Weight",
                          "Weight a of the latest comparison in the moving average.",
                          DoubleValue(0.001),
                          MakeDoubleAccessor(&XcpSredEstimator::m_weight),
                          MakeDoubleChecker<double>(1e-9, 1.0))
            .AddAttribute("CompareWhileFilling",
                          "Whether packets that fill the table are compared with what is in it "
                          "already; the report's are not.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&XcpSredEstimator::m_compareFilling),
                          MakeBooleanChecker())
            .AddAttribute("BiasCorrection",
                          "Whether P is divided by 1 - (1 - a)^n, the weight that n comparisons "
                          "have in it, so that its start at 0 does not count.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&XcpSredEstimator::m_correctBias),
                          MakeBooleanChecker())
            .AddAttribute("RateVariation",
                          "Squared coefficient of variation of the flows' rates that the estimate "
                          "is corrected for; 0 for equal rates, as the report takes them.",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&XcpSredEstimator::m_variation),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

XcpSredEstimator::XcpSredEstimator()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
XcpSredEstimator::Compare(uint64_t flow)
{
    const auto entries = static_cast<uint32_t>(m_table.size());
    const uint32_t index = m_random->GetInteger(0, entries - 1);
    const double hit = m_table[index] == flow ? 1.0 : 0.0;
    m_hits += m_weight * (hit - m_hits);
    m_seen += m_weight * (1.0 - m_seen);
    return index;
}

void
XcpSredEstimator::See(uint64_t flow)
{
    NS_LOG_FUNCTION(this << flow);
    if (m_table.size() < m_tableSize)
    {
        if (m_compareFilling && !m_table.empty())
        {
            Compare(flow);
        }
        m_table.push_back(flow);
        return;
    }
    uint64_t& entry = m_table[Compare(flow)];
    if (entry != flow && m_random->GetValue() < m_overwrite)
    {
        entry = flow;
    }
}

void
XcpSredEstimator::EndInterval()
{
    NS_LOG_DEBUG("flows " << GetCount() << ", hit frequency " << m_hits);
}

bool
XcpSredEstimator::IsSteady() const
{
    return true;
}

double
XcpSredEstimator::GetCount() const
{
    if (m_seen <= 0.0)
    {
        return 0.0;
    }
    const double weight = m_correctBias ? m_seen : 1.0;
    const double hits = m_hits > 0.0 ? m_hits : m_weight;
    const double count = std::clamp(weight / hits, 1.0, MOST_FLOWS);
    // M flows of variation v count as M / (1 + v (1 - 1/M)): solved for M.
    const double half = 0.5 * count * (1.0 + m_variation);
    return half + std::sqrt(std::max(0.0, half * half - count * m_variation));
}

void
XcpSredEstimator::Reset()
{
    NS_LOG_FUNCTION(this);
    m_table.clear();
    m_hits = 0.0;
    m_seen = 0.0;
}

uint64_t
XcpSredEstimator::GetStateBytes() const
{
    return m_tableSize * sizeof(uint64_t) + sizeof(m_hits) + sizeof(m_seen);
}

int64_t
XcpSredEstimator::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    return 1;
}

double
XcpSredEstimator::GetHitFrequency() const
{
    return m_hits;
}

uint32_t
XcpSredEstimator::GetEntries() const
{
    return static_cast<uint32_t>(m_table.size());
}

} // namespace ns3::lfn
