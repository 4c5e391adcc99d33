// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-reassembly.h"

#include "ns3-access.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace ns3::lfn
{

bool
Reassemble(TcpRxBuffer& buffer, Ptr<Packet> data, SequenceNumber32 sequence)
{
    auto [next, fin, size, available, held] = ns3access::Open(buffer);
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
        ns3access::AddSackBlock(buffer, begin, end); // RFC 2018, section 4
    }
    for (; piece != held.end() && piece->first == next; ++piece)
    {
        available += piece->second->GetSize();
        next = endOf(*piece);
        ns3access::ClearSackBlocks(buffer, next);
    }
    if (buffer.GotFin() && next == fin)
    {
        ++next;
    }
    return true;
}

Ptr<Packet>
TakePiece(TcpRxBuffer& buffer, uint32_t maxBytes)
{
    const auto parts = ns3access::Open(buffer);
    auto& available = parts.readableBytes;
    auto& held = parts.pieces;
    if (available == 0 || available > maxBytes || held.begin()->second->GetSize() != available)
    {
        return nullptr;
    }
    const auto piece = held.begin()->second;
    held.erase(held.begin());
    parts.bytes -= available;
    available = 0;
    piece->RemoveAllPacketTags(); // as a copy by AddAtEnd() has none
    return piece;
}

void
DiscardAll(TcpRxBuffer& buffer)
{
    const auto parts = ns3access::Open(buffer);
    parts.pieces.clear();
    parts.bytes = 0;
    parts.readableBytes = 0;
}

} // namespace ns3::lfn
