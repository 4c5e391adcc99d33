// SPDX-License-Identifier: GPL-2.0-only
#include "udt-message-buffer.h"

#include <algorithm>

namespace ns3::lfn
{

UdtMessageBuffer::Slot*
UdtMessageBuffer::Find(int64_t index)
{
    const auto place = static_cast<std::size_t>(index - m_next);
    return index >= m_next && place < m_slots.size() ? &m_slots[place] : nullptr;
}

void
UdtMessageBuffer::Put(int64_t index, const UdtData& header, uint32_t bytes)
{
    if (index < m_next)
    {
        m_discarded += bytes; // it was given up
        return;
    }
    const auto place = static_cast<std::size_t>(index - m_next);
    if (place >= m_slots.size())
    {
        m_slots.resize(place + 1);
    }
    auto& slot = m_slots[place];
    if (slot.isGone || slot.bytes > 0)
    {
        m_discarded += bytes;
        return;
    }
    slot.header = header;
    slot.bytes = bytes;
    m_bytes += bytes;
    if (header.isInOrder)
    {
        return;
    }
    auto& progress = m_progress[header.message];
    ++progress.packets;
    progress.first = header.isFirst ? index : progress.first;
    progress.last = header.isLast ? index : progress.last;
    if (progress.first && progress.last &&
        *progress.last - *progress.first + 1 == progress.packets &&
        IsWhole(*progress.first, *progress.last))
    {
        m_whole.emplace_back(*progress.first, *progress.last);
    }
}

bool
UdtMessageBuffer::IsWhole(int64_t first, int64_t last)
{
    const auto* begin = Find(first);
    for (int64_t i = first; i <= last; ++i)
    {
        const auto* slot = Find(i);
        if (!slot || slot->bytes == 0 || slot->isGone ||
            slot->header.message != begin->header.message ||
            slot->header.isInOrder != begin->header.isInOrder ||
            slot->header.isFirst != (i == first) || slot->header.isLast != (i == last))
        {
            return false;
        }
    }
    return first <= last;
}

uint64_t
UdtMessageBuffer::Remove(int64_t first, int64_t last)
{
    uint64_t bytes = 0;
    for (int64_t i = std::max(first, m_next); i <= last; ++i)
    {
        auto* slot = Find(i);
        if (!slot)
        {
            m_slots.resize(static_cast<std::size_t>(last - m_next + 1));
            slot = Find(i);
        }
        if (slot->bytes > 0 && !slot->isGone)
        {
            bytes += slot->bytes;
            m_progress.erase(slot->header.message);
        }
        *slot = Slot{{}, 0, true};
    }
    m_checked = std::min(m_checked, std::max(first, m_next));
    while (!m_slots.empty() && m_slots.front().isGone)
    {
        m_slots.pop_front();
        ++m_next;
        m_checked = m_next;
    }
    m_bytes -= bytes;
    return bytes;
}

void
UdtMessageBuffer::Drop(int64_t first, int64_t last)
{
    m_discarded += Remove(first, last);
}

void
UdtMessageBuffer::DiscardBroken()
{
    while (!m_slots.empty() && m_slots.front().bytes > 0 && !m_slots.front().header.isFirst)
    {
        m_discarded += Remove(m_next, m_next);
    }
}

std::optional<UdtMessageBuffer::Message>
UdtMessageBuffer::Take(int64_t readable)
{
    while (!m_whole.empty())
    {
        const auto [first, last] = m_whole.front();
        m_whole.pop_front();
        if (IsWhole(first, last)) // and was not given up since
        {
            const auto number = Find(first)->header.message;
            return Message{first, last, number, Remove(first, last), false};
        }
    }
    for (DiscardBroken(); !m_slots.empty() && m_next < readable; DiscardBroken())
    {
        int64_t last = std::max(m_next, m_checked); // no packet is checked for each arrival
        const auto* slot = Find(last);
        const auto continues = [&]() {
            return slot && slot->bytes > 0 &&
                   slot->header.message == m_slots.front().header.message;
        };
        while (continues() && !slot->header.isLast)
        {
            slot = Find(++last);
        }
        if (last >= readable || !slot || (slot->bytes == 0 && !slot->isGone))
        {
            m_checked = last;
            return std::nullopt; // the rest is on its way
        }
        if (IsWhole(m_next, last))
        {
            const auto first = m_next;
            const auto header = m_slots.front().header;
            return Message{first, last, header.message, Remove(first, last), header.isInOrder};
        }
        m_discarded += Remove(m_next, m_next);
    }
    return std::nullopt;
}

int64_t
UdtMessageBuffer::GetNext() const
{
    return m_next;
}

uint64_t
UdtMessageBuffer::GetBytes() const
{
    return m_bytes;
}

uint64_t
UdtMessageBuffer::GetDiscarded() const
{
    return m_discarded;
}

} // namespace ns3::lfn
