// SPDX-License-Identifier: GPL-2.0-only
#include "lfn-pacer.h"

#include <algorithm>

namespace ns3::lfn
{

Pacer::Pacer(DataRate rate, uint32_t datagramBytes, Time quantum)
{
    constexpr uint64_t NS_PER_S = 1'000'000'000;
    // A datagram is shorter than 2^16 bytes, so that this stays far below 2^64.
    const uint64_t scaledBits = 8 * std::min<uint64_t>(datagramBytes, UINT16_MAX) * NS_PER_S;
    m_divisor = std::max<uint64_t>(rate.GetBitRate(), 1);
    m_whole = scaledBits / m_divisor;
    m_fraction = scaledBits % m_divisor;
    if (quantum.IsStrictlyPositive())
    {
        const auto step = static_cast<uint64_t>(std::max<int64_t>(quantum.GetNanoSeconds(), 1));
        m_whole = std::max(m_whole / step, uint64_t{1}) * step;
        m_fraction = 0;
    }
}

Time
Pacer::GetOffset() const
{
    return NanoSeconds(m_offset);
}

void
Pacer::Advance()
{
    m_offset += m_whole;
    m_remainder += m_fraction;
    if (m_remainder >= m_divisor)
    {
        m_remainder -= m_divisor;
        m_offset++;
    }
}

} // namespace ns3::lfn
