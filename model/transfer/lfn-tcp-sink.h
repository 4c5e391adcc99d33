// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TCP_SINK_H
#define LFN_TCP_SINK_H

#include "lfn-tcp-sink-base.h"

#include "ns3/socket.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Receives bulk data over any number of TCP connections.
 */
class TcpSink : public TcpSinkBase
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    TcpSink();

  private:
    uint32_t PrepareRead(ConnectionId id, Ptr<Socket> socket) override;
    Piece OnBytes(ConnectionId id, uint64_t offset, Ptr<const Packet> packet) override;
    uint64_t GetTotal() const override;
};

} // namespace ns3::lfn

#endif /* LFN_TCP_SINK_H */
