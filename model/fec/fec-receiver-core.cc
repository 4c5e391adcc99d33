// SPDX-License-Identifier: GPL-2.0-only

#include "fec-receiver-core.h"

#include "ns3/lfn-big-endian.h"

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
FecReceiverCore::Find(Time now, uint32_t wireNumber, uint32_t mask, uint8_t parities, Block*& block)
{
    // Numbers repeat at 2^32: it is the one nearest to the newest.
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
    if (found != m_blocks.end() && (found->second.mask != mask || found->second.count != parities))
    {
        return DropReason::UNEXPECTED;
    }
    m_newest = std::max(m_newest, number);
    m_count = std::max<uint32_t>(m_count, std::popcount(mask));
    block = &m_blocks[number];
    if (found == m_blocks.end())
    {
        block->mask = mask;
        block->count = parities;
        block->first = now;
        if (m_newest >= m_settings.window)
        {
            CloseBefore(m_newest - m_settings.window + 1);
        }
    }
    return std::nullopt;
}

FecReceiverCore::Outcome
FecReceiverCore::OnData(Time now, const FecDataHeader& header, std::span<const uint8_t> payload)
{
    if (payload.empty() || payload.size() > UINT16_MAX)
    {
        return {DropReason::WRONG_LENGTH, {}};
    }
    Block* block = nullptr;
    const auto mask = FecParityHeader::MakeMask(header.count);
    if (const auto reason = Find(now, header.block, mask, header.parities, block))
    {
        return {reason, {}};
    }
    const uint32_t bit = 1U << header.index;
    if (block->there & bit)
    {
        return {DropReason::DUPLICATE, {}};
    }
    block->there |= bit;
    ++m_counters.received;
    if (block->count > 1)
    {
        Keep(*block, block->pieces, header.index, MakeFecPiece(payload));
    }
    else if (block->there != block->mask)
    {
        block->sum.Add(payload); // nothing is left to make good otherwise
    }
    return Repair(now, header.block, *block);
}

FecReceiverCore::Outcome
FecReceiverCore::OnParity(Time now, const FecParityHeader& header, std::span<const uint8_t> payload)
{
    if (payload.empty() || payload.size() > UINT16_MAX)
    {
        return {DropReason::WRONG_LENGTH, {}};
    }
    Block* block = nullptr;
    if (const auto reason = Find(now, header.block, header.mask, header.parities, block))
    {
        return {reason, {}};
    }
    if (block->count > 1 ? block->parities.contains(header.index) : block->hasParity)
    {
        return {DropReason::DUPLICATE, {}};
    }
    if (block->hasParity && payload.size() != block->room)
    {
        return {DropReason::WRONG_LENGTH, {}};
    }
    block->hasParity = true;
    block->room = payload.size();
    ++m_counters.parities;
    if (block->count > 1)
    {
        std::vector<uint8_t> piece(payload.size() + 2);
        piece[0] = static_cast<uint8_t>(header.lengths >> 8);
        piece[1] = static_cast<uint8_t>(header.lengths);
        std::ranges::copy(payload, piece.begin() + 2);
        Keep(*block, block->parities, header.index, std::move(piece));
        return Repair(now, header.block, *block);
    }
    const auto lengths = static_cast<uint16_t>(block->sum.lengths ^ header.lengths);
    block->sum.Add(payload);
    block->sum.lengths = lengths;
    return Repair(now, header.block, *block);
}

FecReceiverCore::Outcome
FecReceiverCore::Repair(Time now, uint32_t number, Block& block)
{
    if (block.count > 1)
    {
        return Restore(now, number, block);
    }
    const uint32_t missing = block.mask & ~block.there;
    if (!block.hasParity || std::popcount(missing) != 1)
    {
        return {};
    }
    const std::size_t length = block.sum.lengths;
    if (length == 0 || length > block.room)
    {
        return {DropReason::CORRUPT, {}};
    }
    block.there = block.mask;
    Recovered recovered;
    recovered.header.block = number;
    recovered.header.index = static_cast<uint8_t>(std::countr_zero(missing));
    recovered.header.count = static_cast<uint8_t>(std::popcount(block.mask));
    recovered.payload = std::move(block.sum.bytes);
    recovered.payload.resize(length);
    block.sum = FecSum();
    CountRepair(now, block);
    return {std::nullopt, {std::move(recovered)}};
}

void
FecReceiverCore::CountRepair(Time now, const Block& block)
{
    ++m_counters.recovered;
    m_counters.waited += now - block.first;
    m_counters.longest = std::max(m_counters.longest, now - block.first);
}

void
FecReceiverCore::Keep(Block& block,
                      ErasureCode::Pieces& pieces,
                      uint8_t index,
                      std::vector<uint8_t> piece)
{
    // A string of nothing marks a parity that has come.
    if (block.there == block.mask || block.isSpoiled || m_held + piece.size() > m_settings.maxHeld)
    {
        block.isSpoiled = true;
        piece.clear();
    }
    m_held += piece.size();
    pieces[index] = std::move(piece);
}

void
FecReceiverCore::Forget(Block& block)
{
    for (auto* pieces : {&block.pieces, &block.parities})
    {
        for (auto& [index, piece] : *pieces)
        {
            m_held -= piece.size();
            piece = {};
        }
    }
    block.pieces.clear();
}

FecReceiverCore::Outcome
FecReceiverCore::Restore(Time now, uint32_t number, Block& block)
{
    const uint32_t missing = block.mask & ~block.there;
    if (missing == 0 || block.isSpoiled)
    {
        Forget(block);
        return {};
    }
    if (static_cast<std::size_t>(std::popcount(missing)) > block.parities.size())
    {
        return {};
    }
    Outcome outcome;
    const auto count = static_cast<uint32_t>(std::popcount(block.mask));
    auto pieces = block.pieces;
    block.isSpoiled = !ErasureCode::Restore(pieces, block.parities, count);
    for (uint32_t index = 0; index < count && !block.isSpoiled; ++index)
    {
        if ((missing >> index & 1) == 0)
        {
            continue;
        }
        auto& piece = pieces.at(static_cast<uint8_t>(index));
        const auto length = ReadBigEndian<uint16_t>(piece, 0);
        block.isSpoiled = length == 0 || length > block.room;
        Recovered recovered;
        recovered.header.block = number;
        recovered.header.index = static_cast<uint8_t>(index);
        recovered.header.count = static_cast<uint8_t>(count);
        recovered.header.parities = block.count;
        recovered.payload.assign(piece.begin() + 2,
                                 piece.begin() + 2 + std::min<std::size_t>(length, block.room));
        outcome.recovered.push_back(std::move(recovered));
    }
    Forget(block);
    if (block.isSpoiled)
    {
        return {DropReason::CORRUPT, {}};
    }
    block.there = block.mask;
    for (std::size_t i = 0; i < outcome.recovered.size(); ++i)
    {
        CountRepair(now, block);
    }
    return outcome;
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
        Block& block = m_blocks.begin()->second;
        Forget(block);
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
    m_held = 0;
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
