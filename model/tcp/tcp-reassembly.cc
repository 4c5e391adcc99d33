// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-reassembly.h"

#include "opened-member.h"

#include "ns3/traced-value.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace ns3::lfn
{

/// The next sequence number that is expected.
struct RxBufferNext
{
    using Type = TracedValue<SequenceNumber32> TcpRxBuffer::*;
    friend Type Open(RxBufferNext);
};

/// The sequence number of the FIN.
struct RxBufferFin
{
    using Type = SequenceNumber32 TcpRxBuffer::*;
    friend Type Open(RxBufferFin);
};

/// Bytes that are held.
struct RxBufferSize
{
    using Type = uint32_t TcpRxBuffer::*;
    friend Type Open(RxBufferSize);
};

/// Bytes that can be read.
struct RxBufferAvailable
{
    using Type = uint32_t TcpRxBuffer::*;
    friend Type Open(RxBufferAvailable);
};

/// What is held, by sequence number.
struct RxBufferData
{
    using Type = std::map<SequenceNumber32, Ptr<Packet>> TcpRxBuffer::*;
    friend Type Open(RxBufferData);
};

/// Puts a block at the head of the SACK list.
struct RxBufferAddSack
{
    using Type = void (TcpRxBuffer::*)(const SequenceNumber32&, const SequenceNumber32&);
    friend Type Open(RxBufferAddSack);
};

/// Takes blocks below a sequence number off the SACK list.
struct RxBufferClearSacks
{
    using Type = void (TcpRxBuffer::*)(const SequenceNumber32&);
    friend Type Open(RxBufferClearSacks);
};

template struct OpenedMember<RxBufferNext, &TcpRxBuffer::m_nextRxSeq>;
template struct OpenedMember<RxBufferFin, &TcpRxBuffer::m_finSeq>;
template struct OpenedMember<RxBufferSize, &TcpRxBuffer::m_size>;
template struct OpenedMember<RxBufferAvailable, &TcpRxBuffer::m_availBytes>;
template struct OpenedMember<RxBufferData, &TcpRxBuffer::m_data>;
template struct OpenedMember<RxBufferAddSack, &TcpRxBuffer::UpdateSackList>;
template struct OpenedMember<RxBufferClearSacks, &TcpRxBuffer::ClearSackList>;

bool
Reassemble(TcpRxBuffer& buffer, Ptr<Packet> data, SequenceNumber32 sequence)
{
    auto& next = buffer.*Open(RxBufferNext());
    auto& size = buffer.*Open(RxBufferSize());
    auto& held = buffer.*Open(RxBufferData());
    const auto endOf = [](const auto& piece) {
        return piece.first + SequenceNumber32(piece.second->GetSize());
    };

    auto begin = std::max(sequence, next.Get());
    // TCP-D36: nothing behind the window, be the buffer empty or not
    const auto windowEnd = next.Get() + SequenceNumber32(buffer.MaxBufferSize()) -
                           static_cast<int32_t>(buffer.Available());
    auto end = std::min(sequence + SequenceNumber32(data->GetSize()), windowEnd);
    begin = std::min(begin, end);
    // Pieces do not overlap: of those that begin below, only the last one can reach so far.
    auto piece = held.upper_bound(begin);
    piece = piece == held.begin() ? piece : std::prev(piece);
    while (piece != held.end() && piece->first <= end)
    {
        const auto pieceEnd = endOf(*piece);
        if (pieceEnd > begin)
        {
            if (piece->first > begin && pieceEnd < end)
            {
                size -= piece->second->GetSize(); // what has come holds it all
                piece = held.erase(piece);
                continue;
            }
            if (piece->first <= begin)
            {
                begin = pieceEnd;
            }
            if (pieceEnd >= end)
            {
                end = piece->first;
            }
        }
        ++piece;
    }
    if (begin >= end)
    {
        return false;
    }
    const auto bytes = static_cast<uint32_t>(end - begin);
    const bool isWhole = bytes == data->GetSize();
    piece =
        held.emplace(begin, isWhole ? data : data->CreateFragment(begin - sequence, bytes)).first;
    size += bytes;
    if (begin > next)
    {
        (buffer.*Open(RxBufferAddSack()))(begin, end); // RFC 2018, section 4
    }
    for (; piece != held.end() && piece->first == next; ++piece)
    {
        buffer.*Open(RxBufferAvailable()) += piece->second->GetSize();
        next = endOf(*piece);
        (buffer.*Open(RxBufferClearSacks()))(next);
    }
    if (buffer.GotFin() && next == buffer.*Open(RxBufferFin()))
    {
        ++next;
    }
    return true;
}

Ptr<Packet>
TakePiece(TcpRxBuffer& buffer, uint32_t maxBytes)
{
    auto& available = buffer.*Open(RxBufferAvailable());
    auto& held = buffer.*Open(RxBufferData());
    if (available == 0 || available > maxBytes || held.begin()->second->GetSize() != available)
    {
        return nullptr;
    }
    const auto piece = held.begin()->second;
    held.erase(held.begin());
    buffer.*Open(RxBufferSize()) -= available;
    available = 0;
    piece->RemoveAllPacketTags(); // as a copy by AddAtEnd() has none
    return piece;
}

void
DiscardAll(TcpRxBuffer& buffer)
{
    (buffer.*Open(RxBufferData())).clear();
    buffer.*Open(RxBufferSize()) = 0;
    buffer.*Open(RxBufferAvailable()) = 0;
}

} // namespace ns3::lfn
