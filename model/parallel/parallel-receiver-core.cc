// SPDX-License-Identifier: GPL-2.0-only

#include "parallel-receiver-core.h"

#include <algorithm>
#include <iterator>

namespace ns3::lfn
{

uint32_t
ParallelReceiverCore::GetWanted(Stream stream) const
{
    const auto found = m_places.find(stream);
    if (found == m_places.end())
    {
        return ParallelChunkHeader::SIZE;
    }
    const Place& place = found->second;
    return place.left > 0 ? place.left : ParallelChunkHeader::SIZE - place.filled;
}

bool
ParallelReceiverCore::IsInChunk(Stream stream) const
{
    const auto found = m_places.find(stream);
    return found != m_places.end() && found->second.left > 0;
}

bool
ParallelReceiverCore::TakeHeader(Stream stream, std::span<const uint8_t> bytes)
{
    Place& place = m_places[stream];
    if (place.left > 0 || bytes.size() > place.header.size() - place.filled)
    {
        return false;
    }
    std::ranges::copy(bytes, place.header.begin() + place.filled);
    place.filled += static_cast<uint32_t>(bytes.size());
    if (place.filled < place.header.size())
    {
        return true;
    }
    place.filled = 0;
    const auto header = ParallelChunkHeader::Read(place.header);
    if (!header || (m_isAnnounced && header->total != m_total) || m_intervals.size() >= MAX_GAPS)
    {
        return false;
    }
    m_isAnnounced = true;
    m_total = header->total;
    place.offset = header->offset;
    place.left = header->length;
    return true;
}

ParallelReceiverCore::Piece
ParallelReceiverCore::TakeData(Stream stream, uint32_t bytes)
{
    Place& place = m_places[stream];
    const uint32_t taken = std::min(bytes, place.left);
    Piece piece{place.offset, Cover(place.offset, place.offset + taken)};
    place.offset += taken;
    place.left -= taken;
    m_received += piece.fresh;
    m_peakWaiting = std::max(m_peakWaiting, m_received - GetInOrder());
    return piece;
}

void
ParallelReceiverCore::Close(Stream stream)
{
    m_places.erase(stream);
}

uint64_t
ParallelReceiverCore::GetTotal() const
{
    return m_total;
}

uint64_t
ParallelReceiverCore::GetReceived() const
{
    return m_received;
}

uint64_t
ParallelReceiverCore::GetInOrder() const
{
    const auto first = m_intervals.begin();
    return first != m_intervals.end() && first->first == 0 ? first->second : 0;
}

uint64_t
ParallelReceiverCore::GetPeakWaiting() const
{
    return m_peakWaiting;
}

uint64_t
ParallelReceiverCore::Cover(uint64_t begin, uint64_t end)
{
    if (begin >= end)
    {
        return 0;
    }
    uint64_t fresh = end - begin;
    // The first interval that ends at or behind our begin is the first to touch us.
    auto next = m_intervals.upper_bound(begin);
    if (next != m_intervals.begin() && std::prev(next)->second >= begin)
    {
        --next;
    }
    while (next != m_intervals.end() && next->first <= end)
    {
        const uint64_t from = std::max(next->first, begin);
        const uint64_t to = std::min(next->second, end);
        fresh -= to > from ? to - from : 0;
        begin = std::min(begin, next->first);
        end = std::max(end, next->second);
        next = m_intervals.erase(next);
    }
    m_intervals.emplace(begin, end);
    return fresh;
}

} // namespace ns3::lfn
