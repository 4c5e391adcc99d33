// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-send-store.h"

#include <algorithm>
#include <iterator>

namespace ns3::lfn
{

void
TcpSendStore::Add(Ptr<const Packet> data)
{
    m_writes.push_back({m_end, data});
    m_end += data->GetSize();
}

Ptr<Packet>
TcpSendStore::Get(int64_t offset, uint32_t bytes) const
{
    auto write = std::prev(std::ranges::upper_bound(m_writes, offset, {}, &Write::begin));
    const auto take = [&]() {
        const auto from = static_cast<uint32_t>(offset - write->begin);
        const auto size = std::min(bytes, write->data->GetSize() - from);
        offset += size;
        bytes -= size;
        return size == write->data->GetSize() ? write->data->Copy()
                                              : write->data->CreateFragment(from, size);
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
    while (!m_writes.empty() && m_writes.front().begin + m_writes.front().data->GetSize() <= offset)
    {
        m_writes.pop_front();
    }
}

} // namespace ns3::lfn
