// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-leaky-bucket.h"

#include <algorithm>

namespace ns3::lfn
{

JrmLeakyBucket::JrmLeakyBucket(DataRate rate, uint32_t depth)
    : m_rate(rate)
{
    if (rate.GetBitRate() > 0)
    {
        m_burst = rate.CalculateBytesTxTime(depth);
    }
}

Time
JrmLeakyBucket::Admit(Time now, uint32_t bytes)
{
    if (m_rate.GetBitRate() == 0)
    {
        return now;
    }
    m_free = std::max(m_free, now) + m_rate.CalculateBytesTxTime(bytes);
    return std::max(now, m_free - m_burst);
}

} // namespace ns3::lfn
