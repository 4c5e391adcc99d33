// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-assembly.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::lfn
{

uint64_t
JrmAssembly::CountPackets(uint32_t length, uint32_t packetSize)
{
    return std::max<uint64_t>((uint64_t{length} + packetSize - 1) / packetSize, 1);
}

void
JrmAssembly::Begin(uint32_t length, uint32_t packetSize, bool keepData)
{
    m_length = length;
    m_packetSize = packetSize;
    m_keepData = keepData;
    m_have.assign(CountPackets(length, packetSize), false);
}

std::optional<uint32_t>
JrmAssembly::GetLength() const
{
    return m_length;
}

uint64_t
JrmAssembly::CountMissing() const
{
    return m_length ? m_have.size() - m_count : 1;
}

uint8_t
JrmAssembly::GetBlockSize() const
{
    return m_blockSize;
}

std::optional<DropReason>
JrmAssembly::Store(uint16_t packet,
                   const std::optional<JrmParity>& parity,
                   std::vector<uint8_t> data)
{
    if (!parity)
    {
        if (m_have[packet - 1])
        {
            return DropReason::DUPLICATE;
        }
        m_have[packet - 1] = true;
        if (m_keepData)
        {
            m_data[packet].swap(data);
        }
    }
    else if (m_blockSize == 0)
    {
        m_blockSize = parity->block;
    }
    else if (m_blockSize != parity->block)
    {
        return DropReason::WRONG_LENGTH;
    }
    if (m_blockSize > 0) // not the usual message
    {
        if (const auto refused = StoreInBlock(packet, parity, std::move(data)))
        {
            return refused;
        }
    }
    ++m_count;
    return std::nullopt;
}

std::optional<DropReason>
JrmAssembly::StoreInBlock(uint16_t packet,
                          const std::optional<JrmParity>& parity,
                          std::vector<uint8_t> data)
{
    const auto first = static_cast<uint16_t>((packet - 1) / m_blockSize * m_blockSize + 1);
    auto found = m_blocks.find(first);
    if (parity && found == m_blocks.end())
    {
        found = m_blocks.try_emplace(first).first;
        const auto begin = m_have.begin() + first - 1;
        found->second.lacking =
            static_cast<uint32_t>(std::count(begin, begin + CountBlock(first), false));
    }
    if (found == m_blocks.end())
    {
        return std::nullopt; // a packet of a block without parities
    }
    auto& block = found->second;
    if (parity &&
        (block.lacking == 0 || !block.parities.try_emplace(parity->index, std::move(data)).second))
    {
        return DropReason::DUPLICATE;
    }
    if (--block.lacking == 0)
    {
        Restore(first, std::exchange(block.parities, {}));
    }
    return std::nullopt;
}

void
JrmAssembly::Restore(uint16_t first, const ErasureCode::Pieces& parities)
{
    const auto count = CountBlock(first);
    std::fill_n(m_have.begin() + first - 1, count, true);
    if (!m_keepData)
    {
        return;
    }
    ErasureCode::Pieces packets;
    const auto end = m_data.lower_bound(first + count);
    for (auto packet = m_data.lower_bound(first); packet != end; ++packet)
    {
        packets[static_cast<uint8_t>(packet->first - first)] = packet->second;
    }
    ErasureCode::Restore(packets, parities, count);
    for (auto& [place, bytes] : packets)
    {
        const auto packet = static_cast<uint16_t>(first + place);
        const auto rest = *m_length - (packet - uint64_t{1}) * m_packetSize;
        bytes.resize(std::min<uint64_t>(rest, m_packetSize));
        m_data[packet] = std::move(bytes);
    }
}

uint32_t
JrmAssembly::CountBlock(uint16_t first) const
{
    return std::min(uint32_t{m_blockSize}, static_cast<uint32_t>(m_have.size()) - first + 1);
}

std::vector<uint16_t>
JrmAssembly::ListMissing(std::size_t most) const
{
    if (!m_length)
    {
        return {1};
    }
    std::vector<uint16_t> missing;
    std::size_t parities = 0; // of the block
    for (std::size_t i = 0; i < m_have.size() && missing.size() < most; ++i)
    {
        const auto packet = static_cast<uint16_t>(i + 1);
        if (m_blockSize > 0 && i % m_blockSize == 0)
        {
            const auto block = m_blocks.find(packet);
            parities = block == m_blocks.end() ? 0 : block->second.parities.size();
        }
        if (!m_have[i] && parities > 0)
        {
            --parities;
        }
        else if (!m_have[i])
        {
            missing.push_back(packet);
        }
    }
    return missing;
}

std::vector<uint8_t>
JrmAssembly::GetData() const
{
    std::vector<uint8_t> all;
    for (const auto& [packet, bytes] : m_data)
    {
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
}

bool
JrmAssembly::IsCoveredBy(std::span<const uint16_t> packets,
                         bool parities,
                         uint8_t parityBlock) const
{
    const auto missing = ListMissing(JrmHeader::MAX_PACKETS);
    const uint32_t blockSize = GetBlockSize() > 0 ? GetBlockSize() : parityBlock;
    if (!parities || blockSize == 0)
    {
        return std::includes(packets.begin(), packets.end(), missing.begin(), missing.end());
    }
    std::map<uint32_t, int64_t> more;
    for (const auto packet : packets)
    {
        ++more[(packet - 1) / blockSize];
    }
    return std::all_of(missing.begin(), missing.end(), [&](uint16_t lacking) {
        return --more[(lacking - 1) / blockSize] >= 0;
    });
}

} // namespace ns3::lfn
