// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-token-bucket.h"

namespace ns3::lfn
{

void
TokenBucket::Fill(uint64_t rate, uint32_t burst, uint64_t nanoseconds)
{
    m_burst = burst;
    // Compared by a division: the product may be larger than its type.
    if (nanoseconds > 0 && m_missing / nanoseconds < rate)
    {
        m_missing = 0;
        return;
    }
    m_missing -= rate * nanoseconds;
}

bool
TokenBucket::Has(uint32_t bytes) const
{
    return bytes <= m_burst && m_missing <= UNIT * (m_burst - bytes);
}

uint64_t
TokenBucket::GetWait(uint64_t rate, uint32_t bytes) const
{
    const uint64_t allowed = UNIT * (m_burst - bytes);
    return m_missing <= allowed ? 0 : (m_missing - allowed - 1) / rate + 1;
}

void
TokenBucket::Take(uint32_t bytes)
{
    m_missing += UNIT * bytes;
}

void
TokenBucket::Refill()
{
    m_missing = 0;
}

} // namespace ns3::lfn
