// SPDX-License-Identifier: GPL-2.0-only

#include "parallel-sender-core.h"

#include <algorithm>
#include <limits>

namespace ns3::lfn
{

ParallelSenderCore::ParallelSenderCore(const Settings& settings)
    : m_settings(settings)
{
    m_settings.streams = std::max(m_settings.streams, 1U);
    m_settings.chunkSize = std::max(m_settings.chunkSize, 1U);
    if (m_settings.bytes > 0)
    {
        m_chunks = (m_settings.bytes - 1) / m_settings.chunkSize + 1;
        m_settings.streams =
            static_cast<uint32_t>(std::min<uint64_t>(m_settings.streams, m_chunks));
    }
    m_next.resize(m_settings.streams);
}

uint32_t
ParallelSenderCore::GetStreams() const
{
    return static_cast<uint32_t>(m_next.size());
}

std::optional<uint64_t>
ParallelSenderCore::Peek(uint32_t stream) const
{
    uint64_t chunk = m_taken;
    uint64_t end =
        m_chunks > 0 ? m_chunks : m_available.value_or(std::numeric_limits<uint64_t>::max());
    if (m_settings.striping == ParallelStriping::ROUND_ROBIN)
    {
        chunk = m_next[stream] * m_next.size() + stream;
    }
    else if (m_settings.striping == ParallelStriping::PARTITION)
    {
        // As even as whole chunks can be; quotient and remainder, so that nothing overflows.
        const uint64_t each = m_chunks / m_next.size();
        const uint64_t longer = m_chunks % m_next.size();
        const auto begin = [&](uint64_t j) { return j * each + std::min(j, longer); };
        chunk = begin(stream) + m_next[stream];
        end = begin(stream + uint64_t{1});
    }
    return chunk < end ? std::optional(chunk) : std::nullopt;
}

void
ParallelSenderCore::SetAvailable(uint64_t chunks)
{
    m_available = chunks;
}

bool
ParallelSenderCore::HasNext(uint32_t stream) const
{
    return Peek(stream).has_value();
}

std::optional<ParallelChunkHeader>
ParallelSenderCore::Next(uint32_t stream)
{
    const auto chunk = Peek(stream);
    if (!chunk)
    {
        return std::nullopt;
    }
    ++m_next[stream];
    ++m_taken;
    ParallelChunkHeader header;
    header.total = m_settings.bytes;
    header.offset = *chunk * m_settings.chunkSize;
    header.length = m_settings.chunkSize;
    if (m_chunks > 0)
    {
        header.length = static_cast<uint32_t>(
            std::min<uint64_t>(header.length, m_settings.bytes - header.offset));
    }
    return header;
}

uint64_t
ParallelSenderCore::GetUserBytes(uint64_t wireBytes) const
{
    // All chunks of a connection are full but perhaps its last one.
    const uint64_t whole = uint64_t{m_settings.chunkSize} + ParallelChunkHeader::SIZE;
    const uint64_t rest = wireBytes % whole;
    return wireBytes / whole * m_settings.chunkSize +
           (rest > ParallelChunkHeader::SIZE ? rest - ParallelChunkHeader::SIZE : 0);
}

} // namespace ns3::lfn
