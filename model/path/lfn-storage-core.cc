// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-storage-core.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

/** @brief Get a time that no simulation reaches, 146 years, so that no sum of two is reached. */
Time
GetNever()
{
    return TimeStep(Time::Max().GetTimeStep() / 2);
}

} // namespace

StorageCore::StorageCore(const Settings& settings)
    : m_settings(settings)
{
}

bool
StorageCore::HasDisk() const
{
    return m_settings.rate.GetBitRate() > 0;
}

Time
StorageCore::GetTime(uint64_t bytes) const
{
    constexpr int BITS = 8;
    const uint64_t rate = m_settings.rate.GetBitRate();
    const uint64_t whole = bytes / rate;
    if (whole >= static_cast<uint64_t>(GetNever().GetSeconds()) / BITS)
    {
        return GetNever();
    }
    const int64x64_t rest = int64x64_t(bytes % rate) * BITS / int64x64_t(rate);
    return Seconds(int64x64_t(BITS * whole) + rest);
}

Time
StorageCore::Add(Time one, Time other)
{
    return std::min(GetNever(), std::min(one, GetNever()) + std::min(other, GetNever()));
}

Time
StorageCore::Write(Time now, uint32_t bytes, std::optional<uint64_t> offset)
{
    if (!HasDisk() || bytes == 0)
    {
        return now;
    }
    // Counted from the last pause on, so that roundings do not add up.
    if (!m_begin || Add(*m_begin, GetTime(m_bytes)) < now)
    {
        m_begin = now;
        m_bytes = 0;
    }
    const uint64_t begin = offset.value_or(m_next);
    m_begin = begin == m_next ? *m_begin : Add(*m_begin, m_settings.seekTime);
    m_next = begin + bytes;
    m_bytes += bytes;
    const uint64_t waiting = m_bytes - std::min(m_bytes, m_settings.cacheBytes);
    return waiting == 0 ? now : std::max(now, Add(*m_begin, GetTime(waiting)));
}

std::optional<Time>
StorageCore::GetLastWrite() const
{
    return m_begin ? std::optional(Add(*m_begin, GetTime(m_bytes))) : std::nullopt;
}

Time
StorageCore::Read(Time now, const Range& range)
{
    if (!HasDisk() || range.bytes == 0)
    {
        return now;
    }
    if (!m_begin)
    {
        m_begin = Add(now, m_settings.seekTime);
        m_next = UINT64_MAX; // nothing was read again
    }
    const uint64_t end = range.offset + range.bytes;
    const uint64_t cached = m_bytes - std::min(m_bytes, m_settings.cacheBytes);
    const uint64_t ahead = range.offset - std::min(range.offset, m_bytes);
    if (range.offset >= cached && ahead <= m_settings.cacheBytes)
    {
        m_bytes = std::max(m_bytes, end);
        return std::max(now, Add(*m_begin, GetTime(end)));
    }
    // Reading ahead pauses meanwhile.
    const Time from = std::max(now, m_free);
    const Time seek = range.offset == m_next ? Time(0) : m_settings.seekTime;
    m_free = Add(Add(from, seek), GetTime(range.bytes));
    m_next = end;
    m_begin = Add(*m_begin, m_free - std::min(from, m_free));
    return std::max(now, m_free);
}

} // namespace ns3::lfn
