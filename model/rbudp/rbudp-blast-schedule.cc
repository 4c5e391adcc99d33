// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-blast-schedule.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ns3::lfn
{

RbudpBlastSchedule::RbudpBlastSchedule(uint64_t datagrams)
    : m_datagrams(datagrams),
      m_size(datagrams)
{
}

RbudpBlastSchedule::RbudpBlastSchedule(uint64_t datagrams, std::vector<uint8_t> bitmap)
    : m_datagrams(datagrams),
      m_bitmap(std::move(bitmap))
{
    for (const auto byte : m_bitmap)
    {
        m_size += 8 - std::popcount(byte); // tail bits are set, so they do not count
    }
}

uint64_t
RbudpBlastSchedule::GetSize() const
{
    return m_size;
}

std::optional<uint64_t>
RbudpBlastSchedule::Next()
{
    if (m_bitmap.empty())
    {
        return m_next < m_datagrams ? std::optional(m_next++) : std::nullopt;
    }
    while (m_next < m_datagrams)
    {
        // Received datagrams ahead in this byte, seen as trailing ones.
        const auto ahead =
            std::countr_one(static_cast<uint8_t>(m_bitmap[m_next / 8] >> (m_next % 8)));
        const auto left = 8 - static_cast<int>(m_next % 8);
        m_next += std::min(ahead, left);
        if (ahead < left)
        {
            return m_next < m_datagrams ? std::optional(m_next++) : std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace ns3::lfn
