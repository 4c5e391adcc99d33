// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_REASSEMBLY_H
#define TCP_REASSEMBLY_H

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/sequence-number.h"
#include "ns3/tcp-rx-buffer.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief Put data into a receiver's buffer as TcpRxBuffer::Add() does, which walks over all that
 * the buffer holds; this finds the place. Data behind the window are cut off (RFC 9293, 3.4).
 * @param buffer the buffer
 * @param data what has come
 * @param sequence of its first byte
 * @return true if some of it is new and fits
 */
bool Reassemble(TcpRxBuffer& buffer, Ptr<Packet> data, SequenceNumber32 sequence);

/**
 * @ingroup lfn-tcp
 * @brief Take what can be read out of a receiver's buffer if it is one piece, as
 * TcpRxBuffer::Extract() does with a copy.
 * @param buffer the buffer
 * @param maxBytes so much at most, [B]
 * @return the piece, null if there is none, several or a longer one
 */
Ptr<Packet> TakePiece(TcpRxBuffer& buffer, uint32_t maxBytes);

/**
 * @ingroup lfn-tcp
 * @brief Throw away what a receiver's buffer holds and nobody will read.
 * @param buffer the buffer
 */
void DiscardAll(TcpRxBuffer& buffer);

} // namespace ns3::lfn

#endif /* TCP_REASSEMBLY_H */
