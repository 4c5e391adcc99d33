// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-arrival-map.h"

namespace ns3::lfn
{

RbudpArrivalMap::RbudpArrivalMap()
    : RbudpArrivalMap(0)
{
}

RbudpArrivalMap::RbudpArrivalMap(uint64_t datagrams)
    : m_datagrams(datagrams),
      m_bitmap(datagrams / 8 + 1, 0)
{
    m_bitmap.back() = static_cast<uint8_t>(0xff << (datagrams % 8));
}

bool
RbudpArrivalMap::Record(uint64_t index)
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
RbudpArrivalMap::Has(uint64_t index) const
{
    return (m_bitmap[index / 8] >> (index % 8)) & 1;
}

uint64_t
RbudpArrivalMap::GetReceived() const
{
    return m_received;
}

uint64_t
RbudpArrivalMap::GetMissing() const
{
    return m_datagrams - m_received;
}

bool
RbudpArrivalMap::IsComplete() const
{
    return m_received == m_datagrams;
}

std::span<const uint8_t>
RbudpArrivalMap::GetBitmap() const
{
    return m_bitmap;
}

} // namespace ns3::lfn
