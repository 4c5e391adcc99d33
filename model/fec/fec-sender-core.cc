// SPDX-License-Identifier: GPL-2.0-only

#include "fec-sender-core.h"

#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-erasure-code.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ns3::lfn
{

void
FecSum::Add(std::span<const uint8_t> payload)
{
    bytes.resize(std::max(bytes.size(), payload.size()));
    std::size_t done = 0;
    for (uint64_t sum = 0, word = 0; done + sizeof(word) <= payload.size(); done += sizeof(word))
    {
        std::memcpy(&sum, bytes.data() + done, sizeof(sum));
        std::memcpy(&word, payload.data() + done, sizeof(word));
        sum ^= word;
        std::memcpy(bytes.data() + done, &sum, sizeof(sum));
    }
    for (; done < payload.size(); ++done)
    {
        bytes[done] ^= payload[done];
    }
    lengths ^= static_cast<uint16_t>(payload.size());
}

std::vector<uint8_t>
MakeFecPiece(std::span<const uint8_t> payload)
{
    std::vector<uint8_t> piece(payload.size() + 2);
    piece[0] = static_cast<uint8_t>(payload.size() >> 8);
    piece[1] = static_cast<uint8_t>(payload.size());
    std::ranges::copy(payload, piece.begin() + 2);
    return piece;
}

FecSenderCore::FecSenderCore(uint32_t blockPackets,
                             uint64_t packets,
                             uint32_t session,
                             uint32_t parities,
                             uint32_t depth)
    : m_blockPackets(std::clamp(blockPackets, 1U, FecDataHeader::MAX_COUNT)),
      m_packets(packets),
      m_session(session),
      m_parities(std::clamp(parities, 1U, FecDataHeader::MAX_PARITIES)),
      m_depth(std::max(depth, 1U))
{
    StartBlocks();
}

void
FecSenderCore::StartBlocks()
{
    const uint64_t most = uint64_t{m_blockPackets} * m_depth;
    const uint64_t left = m_packets > m_sent ? std::min(most, m_packets - m_sent) : most;
    const uint64_t blocks = std::min<uint64_t>(m_depth, (left - 1) / m_blockPackets + 1);
    m_blocks.assign(blocks, {});
    for (uint64_t i = 0; i < blocks; ++i)
    {
        m_blocks[i].count = static_cast<uint8_t>(left / blocks + (i < left % blocks ? 1 : 0));
    }
    m_count = left;
    m_added = 0;
    m_taken = 0;
}

FecDataHeader
FecSenderCore::GetNext() const
{
    const auto turn = m_added % m_blocks.size();
    const Block& block = m_blocks[turn];
    return {m_first + static_cast<uint32_t>(turn), // round at 2^32
            block.index,
            block.count,
            m_session,
            static_cast<uint8_t>(m_parities)};
}

bool
FecSenderCore::Add(std::span<const uint8_t> payload)
{
    Block& block = m_blocks[m_added % m_blocks.size()];
    if (m_parities == 1)
    {
        block.sum.Add(payload);
    }
    else
    {
        block.pieces.push_back(MakeFecPiece(payload));
    }
    ++block.index;
    ++m_added;
    ++m_sent;
    return m_added == m_count;
}

std::size_t
FecSenderCore::GetParities() const
{
    return m_blocks.size() * m_parities - m_taken;
}

FecSenderCore::Parity
FecSenderCore::TakeParity()
{
    const auto turn = m_taken % m_blocks.size();
    Block& block = m_blocks[turn];
    Parity parity;
    parity.header.block = m_first + static_cast<uint32_t>(turn); // round at 2^32
    parity.header.session = m_session;
    parity.header.mask = FecParityHeader::MakeMask(block.index);
    parity.header.index = static_cast<uint8_t>(m_taken / m_blocks.size());
    parity.header.parities = static_cast<uint8_t>(m_parities);
    if (m_parities == 1)
    {
        parity.header.lengths = block.sum.lengths;
        parity.payload = std::move(block.sum.bytes);
    }
    else
    {
        parity.payload = ErasureCode::MakeParity(block.pieces, parity.header.index);
        parity.header.lengths = ReadBigEndian<uint16_t>(parity.payload, 0);
        parity.payload.erase(parity.payload.begin(), parity.payload.begin() + 2);
    }
    if (++m_taken == m_blocks.size() * m_parities)
    {
        m_first += static_cast<uint32_t>(m_blocks.size());
        StartBlocks();
    }
    return parity;
}

} // namespace ns3::lfn
