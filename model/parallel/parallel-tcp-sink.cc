// SPDX-License-Identifier: GPL-2.0-only

#include "parallel-tcp-sink.h"

#include "ns3/lfn-pattern-payload.h"
#include "ns3/log.h"

#include <algorithm>
#include <array>
#include <span>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("ParallelTcpSink");
NS_OBJECT_ENSURE_REGISTERED(ParallelTcpSink);

TypeId
ParallelTcpSink::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::lfn::ParallelTcpSink")
                                          .SetParent<TransferApplication>()
                                          .SetGroupName("Lfn")
                                          .AddConstructor<ParallelTcpSink>());
    return tid;
}

ParallelTcpSink::ParallelTcpSink()
{
    m_report.protocol = "parallel-tcp";
}

const ParallelReceiverCore&
ParallelTcpSink::GetCore() const
{
    return m_core;
}

uint32_t
ParallelTcpSink::PrepareRead(ConnectionId id, Ptr<Socket> socket)
{
    while (socket->GetRxAvailable() > 0)
    {
        const uint32_t wanted = std::min(m_core.GetWanted(id), socket->GetRxAvailable());
        if (m_core.IsInChunk(id))
        {
            return wanted;
        }
        const auto packet = socket->Recv(wanted, 0);
        if (!packet || packet->GetSize() == 0)
        {
            return 0;
        }
        std::array<uint8_t, ParallelChunkHeader::SIZE> bytes{};
        const uint32_t size = packet->CopyData(bytes.data(), bytes.size());
        NS_LOG_DEBUG("connection " << id << ": a chunk header of " << size << " B");
        if (!m_core.OnHeader(id, std::span(bytes).first(size)))
        {
            DropPacket(packet, DropReason::MALFORMED);
            Remove(id);
            return 0;
        }
    }
    return 0;
}

TcpSinkBase::Piece
ParallelTcpSink::OnBytes(ConnectionId id, uint64_t /* offset */, Ptr<const Packet> packet)
{
    const uint32_t size = packet->GetSize();
    Piece piece{m_core.GetOffset(id), 0, {}};
    if (m_checkContent && !PatternPayload::Matches(piece.offset, packet))
    {
        m_core.SkipData(id, size); // the place is still to be filled
        piece.refused = DropReason::CORRUPT;
        return piece;
    }
    piece.newBytes = static_cast<uint32_t>(m_core.OnData(id, size));
    NS_LOG_DEBUG("connection " << id << ": new data " << piece.newBytes << " of " << size << " B");
    if (piece.newBytes < size)
    {
        piece.refused = DropReason::DUPLICATE;
    }
    return piece;
}

uint64_t
ParallelTcpSink::GetTotal() const
{
    return m_core.GetTotal();
}

void
ParallelTcpSink::OnRemoved(ConnectionId id)
{
    m_core.Close(id);
}

} // namespace ns3::lfn
