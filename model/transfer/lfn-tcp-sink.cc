// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-tcp-sink.h"

#include "lfn-pattern-payload.h"

#include "ns3/log.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpSink");
NS_OBJECT_ENSURE_REGISTERED(TcpSink);

TypeId
TcpSink::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::lfn::TcpSink")
                                          .SetParent<TransferApplication>()
                                          .SetGroupName("Lfn")
                                          .AddConstructor<TcpSink>());
    return tid;
}

TcpSink::TcpSink()
{
    m_report.protocol = "tcp";
}

uint32_t
TcpSink::PrepareRead(ConnectionId /* id */, Ptr<Socket> /* socket */)
{
    // A socket joins all that a filled gap frees, at a cost of its square.
    constexpr uint32_t READ_BYTES = 65'536;
    return READ_BYTES;
}

TcpSinkBase::Piece
TcpSink::OnBytes(ConnectionId id, uint64_t offset, Ptr<const Packet> packet)
{
    NS_LOG_DEBUG("connection " << id << ": " << packet->GetSize() << " B at " << offset);
    if (m_checkContent && !PatternPayload::Matches(offset, packet))
    {
        return {offset, 0, DropReason::CORRUPT};
    }
    return {offset, packet->GetSize(), {}};
}

uint64_t
TcpSink::GetTotal() const
{
    return m_report.offeredBytes;
}

} // namespace ns3::lfn
