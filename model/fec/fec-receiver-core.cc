// SPDX-License-Identifier: GPL-2.0-only

#include "fec-receiver-core.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ns3::lfn
{

FecReceiverCore::Counters&
FecReceiverCore::Counters::operator+=(const Counters& other)
{
    received += other.received;
    parities += other.parities;
    recovered += other.recovered;
    lost += other.lost;
    waited += other.waited;
    longest = std::max(longest, other.longest);
    return *this;
}

FecReceiverCore::FecReceiverCore(const Settings& settings)
    : m_settings(settings)
{
    m_settings.window = std::max(m_settings.window, 1U);
}

std::optional<DropReason>
FecReceiverCore::Find(Time now, uint32_t wireNumber, uint32_t mask, Block*& block)
{
    // Numbers go round at 2^32: it is the one nearest to the newest.
    const auto ahead = static_cast<int32_t>(wireNumber - static_cast<uint32_t>(m_newest));
    if (ahead < 0 && static_cast<uint64_t>(-int64_t{ahead}) > m_newest)
    {
        return DropReason::OUT_OF_RANGE;
    }
    const uint64_t number = m_newest + static_cast<uint64_t>(int64_t{ahead});
    if (number < m_floor || !IsNear(number))
    {
        return DropReason::OUT_OF_RANGE;
    }
    const auto found = m_blocks.find(number);
    if (found != m_blocks.end() && found->second.mask != mask)
    {
        return DropReason::UNEXPECTED;
    }
    m_newest = std::max(m_newest, number);
    m_count = std::max<uint32_t>(m_count, std::popcount(mask));
    block = &m_blocks[number];
    if (found == m_blocks.end())
    {
        block->mask = mask;
        block->first = now;
        if (m_newest >= m_settings.window)
        {
            CloseBefore(m_newest - m_settings.window + 1);
        }
    }
    return std::nullopt;
}

FecReceiverCore::Outcome
FecReceiverCore::TakeData(Time now, const FecDataHeader& header, std::span<const uint8_t> payload)
{
    if (payload.empty() || payload.size() > UINT16_MAX)
    {
        return {DropReason::WRONG_LENGTH, std::nullopt};
    }
    Block* block = nullptr;
    if (const auto reason = Find(now, header.block, FecParityHeader::MakeMask(header.count), block))
    {
        return {reason, std::nullopt};
    }
    const uint32_t bit = 1U << header.index;
    if (block->there & bit)
    {
        return {DropReason::DUPLICATE, std::nullopt};
    }
    block->there |= bit;
    ++m_counters.received;
    if (block->there != block->mask)
    {
        block->sum.Add(payload); // nothing is left to make good otherwise
    }
    return Repair(now, header.block, *block);
}

FecReceiverCore::Outcome
FecReceiverCore::TakeParity(Time now,
                            const FecParityHeader& header,
                            std::span<const uint8_t> payload)
{
    if (payload.empty() || payload.size() > UINT16_MAX)
    {
        return {DropReason::WRONG_LENGTH, std::nullopt};
    }
    Block* block = nullptr;
    if (const auto reason = Find(now, header.block, header.mask, block))
    {
        return {reason, std::nullopt};
    }
    if (block->hasParity)
    {
        return {DropReason::DUPLICATE, std::nullopt};
    }
    block->hasParity = true;
    block->room = payload.size();
    ++m_counters.parities;
    const auto lengths = static_cast<uint16_t>(block->sum.lengths ^ header.lengths);
    block->sum.Add(payload);
    block->sum.lengths = lengths;
    return Repair(now, header.block, *block);
}

FecReceiverCore::Outcome
FecReceiverCore::Repair(Time now, uint32_t number, Block& block)
{
    const uint32_t missing = block.mask & ~block.there;
    if (!block.hasParity || std::popcount(missing) != 1)
    {
        return {};
    }
    const std::size_t length = block.sum.lengths;
    if (length == 0 || length > block.room)
    {
        return {DropReason::CORRUPT, std::nullopt};
    }
    block.there = block.mask;
    Recovered recovered;
    recovered.header.block = number;
    recovered.header.index = static_cast<uint8_t>(std::countr_zero(missing));
    recovered.header.count = static_cast<uint8_t>(std::popcount(block.mask));
    recovered.payload = std::move(block.sum.bytes);
    recovered.payload.resize(length);
    block.sum = FecSum();
    ++m_counters.recovered;
    m_counters.waited += now - block.first;
    m_counters.longest = std::max(m_counters.longest, now - block.first);
    return {std::nullopt, std::move(recovered)};
}

void
FecReceiverCore::CloseBefore(uint64_t floor)
{
    if (floor <= m_floor)
    {
        return;
    }
    uint64_t unseen = floor - m_floor;
    while (!m_blocks.empty() && m_blocks.begin()->first < floor)
    {
        const Block& block = m_blocks.begin()->second;
        m_counters.lost += std::popcount(block.mask & ~block.there);
        m_blocks.erase(m_blocks.begin());
        --unseen;
    }
    m_counters.lost += unseen * m_count;
    m_floor = floor;
}

bool
FecReceiverCore::IsNear(uint64_t number)
{
    if (number <= m_newest + m_settings.maxJump)
    {
        return true;
    }
    // One alone may be forged; after an outage the next one is close to it.
    const bool isConfirmed =
        m_far && number + m_settings.window >= *m_far && number <= *m_far + m_settings.window;
    m_far = isConfirmed ? std::nullopt : std::optional(number);
    return isConfirmed;
}

void
FecReceiverCore::Finish()
{
    if (m_count > 0)
    {
        CloseBefore(m_newest + 1);
    }
    m_blocks.clear();
    m_floor = 0;
    m_newest = 0;
    m_count = 0;
    m_far.reset();
}

const FecReceiverCore::Counters&
FecReceiverCore::GetCounters() const
{
    return m_counters;
}

} // namespace ns3::lfn
