// SPDX-License-Identifier: GPL-2.0-only

#include "parallel-tcp-source.h"

#include "ns3/enum.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("ParallelTcpSource");
NS_OBJECT_ENSURE_REGISTERED(ParallelTcpSource);

TypeId
ParallelTcpSource::GetTypeId()
{
    using Settings = ParallelSenderCore::Settings;
    constexpr auto SETTINGS = &ParallelTcpSource::m_settings;
    static TypeId tid =
        AddAttributes(TypeId("ns3::lfn::ParallelTcpSource")
                          .SetParent<TransferApplication>()
                          .SetGroupName("Lfn")
                          .AddConstructor<ParallelTcpSource>())
            .AddAttribute("Streams",
                          "TCP connections (N; Quanta, section 2); no more are opened than there "
                          "are chunks.",
                          UintegerValue(4),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::streams),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("ChunkSize",
                          "User bytes of a chunk. The default makes 45 whole segments of 1448 B, "
                          "the chunk's header included.",
                          UintegerValue(45 * 1448 - ParallelChunkHeader::SIZE),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::chunkSize),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute(
                "Striping",
                "Which connection carries which chunk: in turns, one partition each (as "
                "Quanta; needs Bytes above 0), or any host that has room.",
                EnumValue(ParallelStriping::ROUND_ROBIN),
                MakeFieldAccessor<EnumValue<ParallelStriping>>(SETTINGS, &Settings::striping),
                MakeEnumChecker(ParallelStriping::ROUND_ROBIN,
                                "RoundRobin",
                                ParallelStriping::PARTITION,
                                "Partition",
                                ParallelStriping::ON_DEMAND,
                                "OnDemand"));
    return tid;
}

ParallelTcpSource::ParallelTcpSource()
{
    m_report.protocol = "parallel-tcp";
}

void
ParallelTcpSource::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    TcpSourceBase::CancelEvents();
    for (uint32_t i = 0; i < m_streams.size(); ++i)
    {
        m_streams[i].turn.event.Cancel();
        const auto socket = std::exchange(m_streams[i].socket, nullptr);
        if (!socket)
        {
            continue;
        }
        socket->TraceDisconnectWithoutContext(
            "Tx",
            MakeCallback(&ParallelTcpSource::OnSegment, this).Bind(i));
        Release(socket);
    }
}

int64_t
ParallelTcpSource::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    TcpSourceBase::AssignStreams(stream);
    return m_settings.streams;
}

void
ParallelTcpSource::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if ((IsEndless() || m_isOffered) && m_settings.striping == ParallelStriping::PARTITION)
    {
        Fail("Striping=Partition needs Bytes above 0");
        return;
    }
    m_settings.bytes = m_isOffered ? 0 : m_bytes;
    m_core = ParallelSenderCore(m_settings);
    if (m_isOffered)
    {
        m_core.SetAvailable(m_bytes / m_settings.chunkSize);
    }
    m_report.variant = std::to_string(m_settings.streams);
    m_gate = HostSendGate(m_hostCost);
    StartStallTimer();
    m_streams.resize(m_core.GetStreams());
    NS_LOG_INFO(m_streams.size() << " connections, chunks of " << m_settings.chunkSize << " B");
    for (uint32_t i = 0; i < m_streams.size(); ++i)
    {
        if (!Open(i))
        {
            return;
        }
    }
}

bool
ParallelTcpSource::Offer(uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    if (bytes % m_settings.chunkSize != 0 || !AcceptOffer(bytes, m_bytes))
    {
        return false;
    }
    m_isOffered = true;
    m_core.SetAvailable(m_bytes / m_settings.chunkSize);
    for (uint32_t i = 0; i < m_streams.size() && !IsFinished(); ++i)
    {
        if (m_streams[i].isConnected)
        {
            Write(i, false);
        }
    }
    return true;
}

void
ParallelTcpSource::Finish()
{
    NS_LOG_FUNCTION(this);
    if (!std::exchange(m_isOpen, false))
    {
        return;
    }
    for (uint32_t i = 0; i < m_streams.size(); ++i)
    {
        CloseIfDone(i);
    }
    if (!m_streams.empty())
    {
        CompleteIfDone();
    }
}

bool
ParallelTcpSource::Open(uint32_t index)
{
    Stream& stream = m_streams[index];
    const auto socket = MakeSocket(index);
    if (!socket)
    {
        return false;
    }
    stream.socket = socket;
    stream.bufferBytes = GetBufferBytes(socket);
    socket->SetCloseCallbacks(MakeCallback(&ParallelTcpSource::OnClose, this).Bind(index),
                              MakeCallback(&ParallelTcpSource::OnClose, this).Bind(index));
    socket->TraceConnectWithoutContext(
        "Tx",
        MakeCallback(&ParallelTcpSource::OnSegment, this).Bind(index));
    if (!Connect(socket, MakeCallback(&ParallelTcpSource::OnConnected, this).Bind(index)))
    {
        return false;
    }
    if (index == 0)
    {
        // No two transfers under way have the same, from any host.
        m_transfer = (GetNode()->GetId() << 16) | UdpEndpoint::GetLocalPort(socket);
    }
    return true;
}

void
ParallelTcpSource::OnConnected(uint32_t index, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << index << socket);
    socket->SetSendCallback(MakeCallback(&ParallelTcpSource::OnWritable, this).Bind(index));
    m_streams[index].isConnected = true;
    Write(index, false);
    CloseIfDone(index);
}

void
ParallelTcpSource::OnClose(uint32_t index, Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this << index);
    const Stream& stream = m_streams[index];
    const bool isDone = stream.isClosed && stream.acknowledged == stream.written;
    if (!isDone && !IsCompleting())
    {
        Fail("a connection was closed by the receiver or is lost");
    }
}

void
ParallelTcpSource::OnWritable(uint32_t index, Ptr<Socket> /* socket */, uint32_t available)
{
    NS_LOG_FUNCTION(this << index << available);
    Stream& stream = m_streams[index];
    // What was written and has left the socket's buffer is acknowledged.
    const uint64_t acknowledged = stream.written - (stream.bufferBytes - available);
    if (acknowledged > stream.acknowledged)
    {
        const uint64_t before = m_core.GetUserBytes(stream.acknowledged);
        stream.acknowledged = acknowledged;
        if (!OnAcknowledged(m_core.GetUserBytes(acknowledged) - before))
        {
            return;
        }
    }
    if (CompleteIfDone())
    {
        return;
    }
    Write(index, true);
}

void
ParallelTcpSource::OnSegment(uint32_t index,
                             Ptr<const Packet> segment,
                             const TcpHeader& header,
                             Ptr<const TcpSocketBase> /* socket */)
{
    if (segment->GetSize() == 0)
    {
        return;
    }
    Stream& stream = m_streams[index];
    ++m_report.dataPackets;
    m_report.retransmittedPackets +=
        stream.sent.Record(header.GetSequenceNumber(), segment->GetSize());
    m_txTrace(segment);
    if (stream.sent.GetUnsent(stream.written, m_segmentSize) < SentStream::LEAST_UNSENT)
    {
        Write(index, false);
    }
}

Ptr<Packet>
ParallelTcpSource::MakePiece(const Stream& stream, uint32_t bytes) const
{
    constexpr uint32_t HEADER = ParallelChunkHeader::SIZE;
    const auto skipped = static_cast<uint32_t>(std::min<uint64_t>(stream.position, HEADER));
    const uint32_t ofHeader = std::min(HEADER - skipped, bytes);
    const uint32_t ofData = bytes - ofHeader;
    const uint64_t offset = stream.chunk->offset + stream.position + ofHeader - HEADER;
    const auto data = m_checkContent && ofData > 0 ? PatternPayload::MakePacket(offset, ofData)
                                                   : Create<Packet>(ofData);
    if (ofHeader == 0)
    {
        return data;
    }
    const auto header = stream.chunk->Write();
    const auto piece = Create<Packet>(header.data() + skipped, ofHeader);
    if (ofData > 0)
    {
        piece->AddAtEnd(data);
    }
    return piece;
}

bool
ParallelTcpSource::AdmitPiece(uint32_t index, uint32_t bytes)
{
    constexpr uint64_t HEADER = ParallelChunkHeader::SIZE;
    Stream& stream = m_streams[index];
    const uint64_t begin = std::max(stream.position, HEADER);
    const uint64_t end = std::max(stream.position + bytes, HEADER);
    const StorageCore::Range user{stream.chunk->offset + begin - HEADER,
                                  static_cast<uint32_t>(end - begin)};
    return Admit(stream.turn, bytes, user, [this, index] { Write(index, true); });
}

void
ParallelTcpSource::Write(uint32_t index, bool isOne)
{
    Stream& stream = m_streams[index];
    const uint32_t most = std::min(m_segmentSize, stream.bufferBytes);
    while (stream.socket && (isOne || stream.sent.GetUnsent(stream.written, m_segmentSize) <
                                          SentStream::MOST_UNSENT))
    {
        isOne = false;
        const uint32_t room = stream.socket->GetTxAvailable();
        if (!stream.chunk)
        {
            // Asked for when it can be sent only: with OnDemand another could have taken it.
            stream.chunk = room >= most && most > 0 ? m_core.Next(index) : std::nullopt;
            stream.position = 0;
            if (!stream.chunk)
            {
                return;
            }
            NS_LOG_LOGIC("connection " << index << " gets the chunk at " << stream.chunk->offset
                                       << " of " << stream.chunk->length << " B, room " << room
                                       << " B");
            stream.chunk->transfer = m_transfer;
            if (m_settings.striping == ParallelStriping::ON_DEMAND && !m_core.HasNext(index))
            {
                for (uint32_t i = 0; i < m_streams.size(); ++i)
                {
                    CloseIfDone(i); // this was the last chunk of all
                }
            }
        }
        const uint64_t whole = uint64_t{ParallelChunkHeader::SIZE} + stream.chunk->length;
        const auto size = static_cast<uint32_t>(std::min<uint64_t>(most, whole - stream.position));
        if (room < size)
        {
            return;
        }
        if (m_hostCost && !AdmitPiece(index, size))
        {
            return;
        }
        const auto piece = MakePiece(stream, size);
        Begin();
        if (stream.socket->Send(piece) < 0)
        {
            NS_LOG_WARN("send call failed with error " << stream.socket->GetErrno());
            Fail("a socket refused data");
            return;
        }
        const uint64_t user =
            stream.position + size - std::max<uint64_t>(stream.position, ParallelChunkHeader::SIZE);
        if (IsEndless() && stream.position + size > ParallelChunkHeader::SIZE)
        {
            m_report.offeredBytes += user;
        }
        stream.position += size;
        stream.written += size;
        if (stream.position == whole)
        {
            stream.chunk.reset();
            CloseIfDone(index);
        }
    }
}

void
ParallelTcpSource::CloseIfDone(uint32_t index)
{
    Stream& stream = m_streams[index];
    if (stream.socket && stream.isConnected && !stream.isClosed && !stream.chunk && !m_isOpen &&
        !m_core.HasNext(index))
    {
        NS_LOG_INFO("connection " << index << " is closed after " << stream.written << " B");
        stream.isClosed = true;
        stream.socket->Close();
    }
}

} // namespace ns3::lfn
