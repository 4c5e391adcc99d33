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
ParallelReceiverCore::OnHeader(Stream stream, std::span<const uint8_t> bytes)
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
    if (!header || m_gaps >= MAX_GAPS || !Join(place, *header))
    {
        return false;
    }
    place.offset = header->offset;
    place.left = header->length;
    return true;
}

bool
ParallelReceiverCore::Join(Place& place, const ParallelChunkHeader& header)
{
    if (place.isMember)
    {
        return place.transfer == header.transfer &&
               m_accounts[place.transfer].total == header.total;
    }
    const auto known = m_accounts.find(header.transfer);
    const bool isKnown = known != m_accounts.end();
    const bool isSameSize = isKnown && known->second.total == header.total;
    // Connections that have carried their part may be closed before another one is there.
    const bool isPartial = isSameSize && known->second.received < header.total;
    if (isKnown && known->second.streams > 0 && !isSameSize)
    {
        return false;
    }
    if (!isPartial && (!isKnown || known->second.streams == 0))
    {
        Forget(header.transfer);
        Forget(m_latest);
        m_latest = header.transfer;
        m_accounts[m_latest].total = header.total;
    }
    place.isMember = true;
    place.transfer = header.transfer;
    ++m_accounts[place.transfer].streams;
    return true;
}

void
ParallelReceiverCore::Forget(uint32_t transfer)
{
    const auto found = m_accounts.find(transfer);
    if (found != m_accounts.end() && found->second.streams == 0)
    {
        m_gaps -= found->second.intervals.size();
        m_accounts.erase(found);
    }
}

uint64_t
ParallelReceiverCore::GetOffset(Stream stream) const
{
    const auto found = m_places.find(stream);
    return found != m_places.end() ? found->second.offset : 0;
}

uint64_t
ParallelReceiverCore::OnData(Stream stream, uint32_t bytes)
{
    Place& place = m_places[stream];
    Account& account = m_accounts[place.transfer];
    const uint32_t taken = std::min(bytes, place.left);
    m_gaps -= account.intervals.size();
    const uint64_t fresh = Cover(account.intervals, place.offset, place.offset + taken);
    m_gaps += account.intervals.size();
    place.offset += taken;
    place.left -= taken;
    account.received += fresh;
    account.peakWaiting = std::max(account.peakWaiting, account.received - CountInOrder(account));
    return fresh;
}

void
ParallelReceiverCore::SkipData(Stream stream, uint32_t bytes)
{
    Place& place = m_places[stream];
    const uint32_t skipped = std::min(bytes, place.left);
    place.offset += skipped;
    place.left -= skipped;
}

void
ParallelReceiverCore::Close(Stream stream)
{
    const auto found = m_places.find(stream);
    if (found == m_places.end())
    {
        return;
    }
    const Place place = found->second;
    m_places.erase(found);
    if (place.isMember)
    {
        --m_accounts[place.transfer].streams;
        if (place.transfer != m_latest) // that one is asked for yet
        {
            Forget(place.transfer);
        }
    }
}

const ParallelReceiverCore::Account&
ParallelReceiverCore::GetLatest() const
{
    static const Account NONE{};
    const auto found = m_accounts.find(m_latest);
    return found != m_accounts.end() ? found->second : NONE;
}

uint64_t
ParallelReceiverCore::GetTotal() const
{
    return GetLatest().total;
}

uint64_t
ParallelReceiverCore::GetReceived() const
{
    return GetLatest().received;
}

uint64_t
ParallelReceiverCore::GetInOrder() const
{
    return CountInOrder(GetLatest());
}

uint64_t
ParallelReceiverCore::GetPeakWaiting() const
{
    return GetLatest().peakWaiting;
}

uint64_t
ParallelReceiverCore::CountInOrder(const Account& account)
{
    const auto first = account.intervals.begin();
    return first != account.intervals.end() && first->first == 0 ? first->second : 0;
}

uint64_t
ParallelReceiverCore::Cover(Intervals& intervals, uint64_t begin, uint64_t end)
{
    if (begin >= end)
    {
        return 0;
    }
    uint64_t fresh = end - begin;
    // The first interval that ends at or behind our begin is the first to touch us.
    auto next = intervals.upper_bound(begin);
    if (next != intervals.begin() && std::prev(next)->second >= begin)
    {
        --next;
    }
    while (next != intervals.end() && next->first <= end)
    {
        const uint64_t from = std::max(next->first, begin);
        const uint64_t to = std::min(next->second, end);
        fresh -= to > from ? to - from : 0;
        begin = std::min(begin, next->first);
        end = std::max(end, next->second);
        next = intervals.erase(next);
    }
    intervals.emplace(begin, end);
    return fresh;
}

} // namespace ns3::lfn
