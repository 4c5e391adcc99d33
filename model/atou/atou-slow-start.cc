// SPDX-License-Identifier: GPL-2.0-only
#include "atou-slow-start.h"

namespace ns3::lfn
{

AtouSlowStart::AtouSlowStart(double ssIncr, double maxSsthresh)
    : m_ssIncr(ssIncr),
      m_maxSsthresh(maxSsthresh)
{
}

double
AtouSlowStart::Step(double cwnd) const
{
    if (m_maxSsthresh == 0 || cwnd <= m_maxSsthresh)
    {
        return m_ssIncr;
    }
    return LimitedStep(cwnd, m_maxSsthresh);
}

double
AtouSlowStart::LimitedStep(double cwnd, double maxSsthresh)
{
    return 0.5 * maxSsthresh / cwnd;
}

} // namespace ns3::lfn
