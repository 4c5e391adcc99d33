// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-send-store.h"

#include <algorithm>
#include <iterator>

namespace ns3::lfn
{

namespace
{

/**
 * @brief Check whether a packet is made of zeros that ns-3 does not store, and has no tags.
 * @param packet the packet
 * @return true if a new packet is its equal
 */
bool
IsPlain(const Packet& packet)
{
    static const uint32_t LEAST = Create<Packet>(1)->GetSerializedSize();
    return packet.GetSerializedSize() == LEAST;
}

} // namespace

void
TcpSendStore::Add(Ptr<const Packet> data)
{
    const auto end = m_end + data->GetSize();
    const bool isPlain = IsPlain(*data);
    if (isPlain && !m_writes.empty() && !m_writes.back().data)
    {
        m_writes.back().end = end;
    }
    else
    {
        m_writes.push_back({m_end, end, isPlain ? nullptr : data->Copy()});
    }
    m_end = end;
}

Ptr<Packet>
TcpSendStore::Get(int64_t offset, uint32_t bytes) const
{
    auto write = std::prev(std::ranges::upper_bound(m_writes, offset, {}, &Write::begin));
    const auto take = [&]() {
        const int64_t from = offset - write->begin;
        const auto size = static_cast<uint32_t>(std::min<int64_t>(bytes, write->end - offset));
        offset += size;
        bytes -= size;
        if (!write->data)
        {
            return Create<Packet>(size);
        }
        return size == write->data->GetSize()
                   ? write->data->Copy()
                   : write->data->CreateFragment(static_cast<uint32_t>(from), size);
    };
    const auto packet = take();
    while (bytes > 0)
    {
        ++write;
        packet->AddAtEnd(take());
    }
    return packet;
}

void
TcpSendStore::Discard(int64_t offset)
{
    while (!m_writes.empty() && m_writes.front().end <= offset)
    {
        m_writes.pop_front();
    }
}

} // namespace ns3::lfn
