// SPDX-License-Identifier: GPL-2.0-only

#include "fec-sender-core.h"

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

FecSenderCore::FecSenderCore(uint32_t blockPackets, uint64_t packets, uint32_t session)
    : m_blockPackets(std::clamp(blockPackets, 1U, FecDataHeader::MAX_COUNT)),
      m_packets(packets),
      m_session(session),
      m_count(static_cast<uint8_t>(m_blockPackets))
{
    if (packets > 0)
    {
        m_count = static_cast<uint8_t>(std::min<uint64_t>(m_blockPackets, packets));
    }
}

FecDataHeader
FecSenderCore::GetNext() const
{
    return {m_block, m_index, m_count, m_session};
}

bool
FecSenderCore::Add(std::span<const uint8_t> payload)
{
    m_sum.Add(payload);
    ++m_sent;
    return ++m_index == m_count;
}

FecSenderCore::Parity
FecSenderCore::TakeParity()
{
    Parity parity;
    parity.header.block = m_block++; // round at 2^32
    parity.header.session = m_session;
    parity.header.mask = FecParityHeader::MakeMask(m_index);
    parity.header.lengths = m_sum.lengths;
    parity.payload = std::move(m_sum.bytes);
    m_sum = FecSum();
    m_index = 0;
    const uint64_t left = m_packets > m_sent ? m_packets - m_sent : m_blockPackets;
    m_count = static_cast<uint8_t>(std::min<uint64_t>(m_blockPackets, left));
    return parity;
}

} // namespace ns3::lfn
