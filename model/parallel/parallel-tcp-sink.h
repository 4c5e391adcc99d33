// SPDX-License-Identifier: GPL-2.0-only

#ifndef PARALLEL_TCP_SINK_H
#define PARALLEL_TCP_SINK_H

#include "parallel-receiver-core.h"

#include "ns3/lfn-tcp-sink-base.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>

namespace ns3::lfn
{

/**
 * @ingroup lfn-parallel
 * @brief Puts together what a ParallelTcpSource sends over several connections.
 *
 * Every chunk says which transfer it belongs to and how large that is; chunks that disagree cost
 * their connection. Transfers may follow each other or overlap. deliveredBytes counts every byte
 * of each once, in whatever order the connections bring them.
 */
class ParallelTcpSink : public TcpSinkBase
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    ParallelTcpSink();

    /** @brief Get the account of the transfers. @return the core */
    const ParallelReceiverCore& GetCore() const;

  protected:
    void CancelEvents() override;

  private:
    void OnConnection(Ptr<Socket> socket) override;

    /**
     * @brief Data have arrived: reads all that a connection holds.
     * @param id the connection
     * @param socket its socket
     */
    void HandleRead(uint64_t id, Ptr<Socket> socket);

    /**
     * @brief The peer has sent everything, or the connection is lost.
     * @param id the connection
     * @param socket its socket
     */
    void HandleClose(uint64_t id, Ptr<Socket> socket);

    /**
     * @brief Takes a piece off a connection.
     * @param id the connection
     * @param packet the piece, of a header or of a chunk
     * @return false when the connection has to go
     */
    bool Take(uint64_t id, Ptr<Packet> packet);

    /**
     * @brief Lets a connection go.
     * @param id the connection
     */
    void Remove(uint64_t id);

    std::map<uint64_t, Ptr<Socket>> m_connections; //!< the open connections
    uint64_t m_nextId{0};                          //!< name of the next connection
    ParallelReceiverCore m_core;                   //!< what is there
};

} // namespace ns3::lfn

#endif // PARALLEL_TCP_SINK_H
