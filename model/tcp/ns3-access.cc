// SPDX-License-Identifier: GPL-2.0-only

#include "ns3-access.h"

#include "ns3/ipv4-end-point-demux.h"
#include "ns3/ipv6-end-point-demux.h"

namespace ns3::lfn::ns3access
{

namespace
{

/**
 * @brief Gives a private member away: an explicit instantiation may name it (C++ standard,
 * [temp.spec.general]).
 * @tparam Name type of the argument of Get() that finds the member
 * @tparam MEMBER pointer to the member
 */
template <typename Name, auto MEMBER>
struct Opened
{
    /** @brief Get the member. @return a pointer to it */
    friend constexpr auto Get(Name /* name */)
    {
        return MEMBER;
    }
};

} // namespace

/// Name a member, and open it.
#define LFN_OPEN(NAME, MEMBER)                                                                     \
    namespace                                                                                      \
    {                                                                                              \
    struct NAME                                                                                    \
    {                                                                                              \
        friend constexpr auto Get(NAME);                                                           \
    };                                                                                             \
    template struct Opened<NAME, MEMBER>;                                                          \
    }

LFN_OPEN(RxNext, &TcpRxBuffer::m_nextRxSeq)
LFN_OPEN(RxFin, &TcpRxBuffer::m_finSeq)
LFN_OPEN(RxSize, &TcpRxBuffer::m_size)
LFN_OPEN(RxAvailable, &TcpRxBuffer::m_availBytes)
LFN_OPEN(RxData, &TcpRxBuffer::m_data)
LFN_OPEN(RxUpdateSacks, &TcpRxBuffer::UpdateSackList)
LFN_OPEN(RxClearSacks, &TcpRxBuffer::ClearSackList)
LFN_OPEN(TxSize, &TcpTxBuffer::m_size)
LFN_OPEN(TxHead, &TcpTxBuffer::m_firstByteSeq)
LFN_OPEN(ItemPacket, &TcpTxItem::m_packet)
LFN_OPEN(ItemLastSent, &TcpTxItem::m_lastSent)
LFN_OPEN(DataSent, &Socket::m_dataSent)
LFN_OPEN(SendV4, &TcpL4Protocol::SendPacketV4)
LFN_OPEN(EndPoints, &TcpL4Protocol::m_endPoints)
LFN_OPEN(EndPoints6, &TcpL4Protocol::m_endPoints6)
LFN_OPEN(SocketsById, &TcpL4Protocol::m_sockets)
LFN_OPEN(SocketIndex, &TcpL4Protocol::m_socketIndex)
LFN_OPEN(SocketState, &TcpSocketBase::m_state)
LFN_OPEN(SocketRWnd, &TcpSocketBase::m_rWnd)

#undef LFN_OPEN

RxBuffer
Open(TcpRxBuffer& buffer)
{
    return {.next = buffer.*Get(RxNext()),
            .fin = buffer.*Get(RxFin()),
            .bytes = buffer.*Get(RxSize()),
            .readableBytes = buffer.*Get(RxAvailable()),
            .pieces = buffer.*Get(RxData())};
}

void
AddSackBlock(TcpRxBuffer& buffer, SequenceNumber32 begin, SequenceNumber32 end)
{
    (buffer.*Get(RxUpdateSacks()))(begin, end);
}

void
ClearSackBlocks(TcpRxBuffer& buffer, SequenceNumber32 end)
{
    (buffer.*Get(RxClearSacks()))(end);
}

uint32_t&
GetSize(TcpTxBuffer& buffer)
{
    return buffer.*Get(TxSize());
}

void
SetHead(TcpTxBuffer& buffer, SequenceNumber32 head)
{
    buffer.*Get(TxHead()) = head;
}

void
SetSegment(TcpTxItem& item, uint32_t bytes, Time lastSent)
{
    auto& packet = item.*Get(ItemPacket());
    if (!packet || packet->GetSize() != bytes)
    {
        packet = Create<Packet>(bytes); // its size is what counts
    }
    item.*Get(ItemLastSent()) = lastSent;
}

bool
HasDataSentCallback(const Socket& socket)
{
    return !(socket.*Get(DataSent())).IsNull();
}

void
SendPacketV4(const TcpL4Protocol& tcp,
             Ptr<Packet> packet,
             const TcpHeader& header,
             Ipv4Address from,
             Ipv4Address to,
             Ptr<NetDevice> device)
{
    (tcp.*Get(SendV4()))(packet, header, from, to, device);
}

Ipv4EndPointDemux&
GetEndPoints(const TcpL4Protocol& tcp)
{
    return *(tcp.*Get(EndPoints()));
}

Ipv6EndPointDemux&
GetEndPoints6(const TcpL4Protocol& tcp)
{
    return *(tcp.*Get(EndPoints6()));
}

const Sockets&
GetSockets(const TcpL4Protocol& tcp)
{
    return tcp.*Get(SocketsById());
}

uint64_t
GetNextSocket(const TcpL4Protocol& tcp)
{
    return tcp.*Get(SocketIndex());
}

TcpSocket::TcpStates_t
GetState(const TcpSocketBase& socket)
{
    return (socket.*Get(SocketState())).Get();
}

uint32_t
GetReceiverWindow(const TcpSocketBase& socket)
{
    return (socket.*Get(SocketRWnd())).Get();
}

} // namespace ns3::lfn::ns3access
