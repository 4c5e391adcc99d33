// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-tally.h"

namespace ns3::lfn
{

RbudpTally::RbudpTally()
    : RbudpTally(0)
{
}

RbudpTally::RbudpTally(uint64_t datagrams)
    : m_datagrams(datagrams),
      m_bitmap(datagrams / 8 + 1, 0)
{
    m_bitmap.back() = static_cast<uint8_t>(0xff << (datagrams % 8));
}

bool
RbudpTally::Record(uint64_t index)
{
    if (index >= m_datagrams || Has(index))
    {
        return false;
    }
    m_bitmap[index / 8] |= static_cast<uint8_t>(1 << (index % 8));
    m_received++;
    return true;
}

bool
RbudpTally::Has(uint64_t index) const
{
    return (m_bitmap[index / 8] >> (index % 8)) & 1;
}

uint64_t
RbudpTally::GetReceived() const
{
    return m_received;
}

uint64_t
RbudpTally::GetMissing() const
{
    return m_datagrams - m_received;
}

bool
RbudpTally::IsComplete() const
{
    return m_received == m_datagrams;
}

std::span<const uint8_t>
RbudpTally::GetBitmap() const
{
    return m_bitmap;
}

} // namespace ns3::lfn
