// SPDX-License-Identifier: GPL-2.0-only
#include "atou-statistics.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

void
AtouStatistics::OnRtt(Time rtt)
{
    const double seconds = rtt.GetSeconds();
    m_min = m_samples == 0 ? seconds : std::min(m_min, seconds);
    m_max = std::max(m_max, seconds);
    m_sum += seconds;
    ++m_samples;
    m_srtt += (seconds - m_srtt) / 8;
    const double error = std::abs(seconds - m_srtt);
    m_rttVar = 0.75 * m_rttVar + 0.25 * (error - m_rttVar);
}

double
AtouStatistics::GetMinRtt() const
{
    return m_min;
}

double
AtouStatistics::GetMaxRtt() const
{
    return m_max;
}

double
AtouStatistics::GetMeanRtt() const
{
    return m_samples == 0 ? 0 : m_sum / static_cast<double>(m_samples);
}

double
AtouStatistics::GetSrtt() const
{
    return m_srtt;
}

double
AtouStatistics::GetRttVar() const
{
    return m_rttVar;
}

double
AtouStatistics::GetRto() const
{
    return m_srtt + 4 * m_rttVar;
}

} // namespace ns3::lfn
