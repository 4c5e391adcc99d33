// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-multiplicative-drop-law.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpMultiplicativeDropLaw");
NS_OBJECT_ENSURE_REGISTERED(XcpMultiplicativeDropLaw);

TypeId
XcpMultiplicativeDropLaw::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpMultiplicativeDropLaw")
            .SetParent<XcpDropLaw>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpMultiplicativeDropLaw>()
            .AddAttribute("UtilisationThreshold",
                          "Packets are dropped only while the link's utilisation is above this.",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&XcpMultiplicativeDropLaw::m_threshold),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("MinProbability",
                          "Where the probability starts, and its floor from then on.",
                          DoubleValue(1e-4),
                          MakeDoubleAccessor(&XcpMultiplicativeDropLaw::m_minProbability),
                          MakeDoubleChecker<double>(1e-12, 1.0))
            .AddAttribute("MaxProbability",
                          "Ceiling of the probability, stronger than its floor.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&XcpMultiplicativeDropLaw::m_maxProbability),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute(
                "IncreaseFactor",
                "Factor of the probability while E2E flows take more than their fair share.",
                DoubleValue(1.01),
                MakeDoubleAccessor(&XcpMultiplicativeDropLaw::m_increase),
                MakeDoubleChecker<double>(1.0))
            .AddAttribute(
                "DecreaseFactor",
                "Factor of the probability while E2E flows take less than their fair share.",
                DoubleValue(0.99),
                MakeDoubleAccessor(&XcpMultiplicativeDropLaw::m_decrease),
                MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("Tolerance",
                          "Relative distance from the fair share within which the rate matches it.",
                          DoubleValue(0.02),
                          MakeDoubleAccessor(&XcpMultiplicativeDropLaw::m_tolerance),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute(
                "Gated",
                "Whether nothing is dropped while E2E flows take less than their fair share; "
                "the report's law drops then as well.",
                BooleanValue(false),
                MakeBooleanAccessor(&XcpMultiplicativeDropLaw::m_isGated),
                MakeBooleanChecker());
    return tid;
}

XcpDropLaw::Decision
XcpMultiplicativeDropLaw::Decide(const Observation& observation)
{
    NS_LOG_FUNCTION(this << observation.length << observation.utilisation);
    const bool isBusy = observation.utilisation > m_threshold;
    const bool isOver = observation.e2eRate > observation.e2eFairShare * (1.0 + m_tolerance);
    const bool isUnder = observation.e2eRate < observation.e2eFairShare * (1.0 - m_tolerance);
    if (isBusy && isOver)
    {
        m_probability = std::max(m_probability * m_increase, m_minProbability);
    }
    else if (isUnder && m_probability > 0.0)
    {
        m_probability = std::max(m_probability * m_decrease, m_minProbability);
    }
    m_probability = std::min(m_probability, m_maxProbability);
    NS_LOG_LOGIC("TCP has " << observation.e2eRate << " B/s, its fair share is "
                            << observation.e2eFairShare << " B/s, utilisation "
                            << observation.utilisation << ": drop probability " << m_probability);
    return {m_probability, isBusy && !(m_isGated && isUnder)};
}

XcpDropLaw::Decision
XcpMultiplicativeDropLaw::Rest()
{
    NS_LOG_FUNCTION(this);
    return {m_probability, false};
}

} // namespace ns3::lfn
