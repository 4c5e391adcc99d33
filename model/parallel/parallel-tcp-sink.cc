// SPDX-License-Identifier: GPL-2.0-only

#include "parallel-tcp-sink.h"

#include "ns3/lfn-make-socket.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

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

void
ParallelTcpSink::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    TcpSinkBase::CancelEvents();
    for (const auto& [id, socket] : m_connections)
    {
        AbandonSocket(socket, !IsBeingDisposed());
    }
    m_connections.clear();
}

void
ParallelTcpSink::OnConnection(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const uint64_t id = m_nextId++;
    NS_LOG_INFO("connection " << id << " is accepted");
    m_connections[id] = socket;
    socket->SetRecvCallback(MakeCallback(&ParallelTcpSink::HandleRead, this).Bind(id));
    socket->SetCloseCallbacks(MakeCallback(&ParallelTcpSink::HandleClose, this).Bind(id),
                              MakeCallback(&ParallelTcpSink::HandleClose, this).Bind(id));
}

void
ParallelTcpSink::HandleRead(uint64_t id, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << id << socket);
    // Looked up anew for every piece, since a trace may end everything.
    while (m_connections.contains(id))
    {
        const uint32_t available = socket->GetRxAvailable();
        const uint32_t wanted = std::min(m_core.GetWanted(id), available);
        const auto packet = wanted > 0 ? socket->Recv(wanted, 0) : nullptr;
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        if (!Take(id, packet))
        {
            Remove(id);
        }
    }
}

bool
ParallelTcpSink::Take(uint64_t id, Ptr<Packet> packet)
{
    if (!m_core.IsInChunk(id))
    {
        std::array<uint8_t, ParallelChunkHeader::SIZE> bytes{};
        const uint32_t size = packet->CopyData(bytes.data(), bytes.size());
        NS_LOG_DEBUG("connection " << id << ": a chunk header of " << size << " B");
        const bool isGood = m_core.TakeHeader(id, std::span(bytes).first(size));
        if (!isGood)
        {
            DropPacket(packet, DropReason::MALFORMED);
        }
        return isGood;
    }
    Begin();
    ++m_report.dataPackets;
    const uint32_t size = packet->GetSize();
    m_report.offeredBytes += size;
    m_rxTrace(packet);
    if (m_checkContent && !PatternPayload::Matches(m_core.GetOffset(id), packet))
    {
        m_core.SkipData(id, size); // the place is still to be filled
        m_report.lostBytes += size;
        DropPacket(packet, DropReason::CORRUPT);
        return true;
    }
    const uint64_t fresh = m_core.TakeData(id, size);
    NS_LOG_DEBUG("connection " << id << ": new data " << fresh << " of " << size << " B");
    if (fresh < size)
    {
        DropPacket(packet, DropReason::DUPLICATE);
    }
    if (fresh > 0)
    {
        m_report.deliveredBytes += fresh;
        m_report.lastDelivery = Simulator::Now();
        m_progressTrace(m_report.deliveredBytes, m_core.GetTotal());
    }
    return true;
}

void
ParallelTcpSink::HandleClose(uint64_t id, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << id << socket);
    HandleRead(id, socket);
    Remove(id);
}

void
ParallelTcpSink::Remove(uint64_t id)
{
    const auto found = m_connections.find(id);
    if (found == m_connections.end())
    {
        return;
    }
    // Not at once: the socket may be in the midst of the peer's last segment.
    Simulator::ScheduleNow(&AbandonSocket, found->second, true);
    m_connections.erase(found);
    m_core.Close(id);
}

} // namespace ns3::lfn
