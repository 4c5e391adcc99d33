// SPDX-License-Identifier: GPL-2.0-only

#ifndef PARALLEL_TCP_SINK_H
#define PARALLEL_TCP_SINK_H

#include "parallel-receiver-core.h"

#include "ns3/lfn-tcp-sink-base.h"
#include "ns3/socket.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-parallel
 * @brief Puts together what a ParallelTcpSource sends over several connections.
 *
 * Every chunk says which transfer it belongs to and how large that is; chunks that disagree cost
 * their connection. Transfers may follow each other or overlap. deliveredBytes counts every byte
 * of each once, in any order of arrival over the connections.
 */
class ParallelTcpSink : public TcpSinkBase
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    ParallelTcpSink();

    /** @brief Get the account of the transfers. @return the core */
    const ParallelReceiverCore& GetCore() const;

  private:
    uint32_t PrepareRead(ConnectionId id, Ptr<Socket> socket) override;
    Piece OnBytes(ConnectionId id, uint64_t offset, Ptr<const Packet> packet) override;
    uint64_t GetTotal() const override;
    void OnRemoved(ConnectionId id) override;

    ParallelReceiverCore m_core; //!< what is there
};

} // namespace ns3::lfn

#endif // PARALLEL_TCP_SINK_H
