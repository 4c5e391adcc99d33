// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TCP_SINK_H
#define LFN_TCP_SINK_H

#include "lfn-tcp-sink-base.h"

#include "ns3/address.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-host-queue.h"
#include "ns3/socket.h"

#include <cstdint>
#include <deque>
#include <map>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Receives bulk data over any number of TCP connections.
 *
 * Without a host cost it reads whatever is there. With one it reads a piece, is busy with it, and
 * only then reads the next, connections in turn; the sockets fill up meanwhile and TCP's flow
 * control slows the senders. A piece costs one interrupt, reading and moving.
 *
 * ns-3's TCP does not tell its peer when a read reopens a window that had closed, so the peer would
 * wait for its probe, 6 seconds by default. The sink sends that window update itself.
 */
class TcpSink : public TcpSinkBase
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    TcpSink();

    /**
     * @brief Signature of the trace source ConnectionEnded.
     * @param peer the socket address of the sender
     * @param bytes user bytes read from the connection
     */
    typedef void (*ConnectionEndedCallback)(const Address& peer, uint64_t bytes);

  protected:
    void DoDispose() override;
    void CancelEvents() override;

  private:
    /** @brief One accepted connection. */
    struct Connection
    {
        Ptr<Socket> socket;          //!< its socket
        Address peer;                //!< socket address of the sender
        uint32_t bufferBytes{0};     //!< size of its receive buffer, [B]
        uint64_t offset{0};          //!< place in the stream of the next byte to read, [B]
        bool isQueued{false};        //!< it waits in m_ready
        bool isClosing{false};       //!< the peer has sent everything
        bool hasNarrowWindow{false}; //!< less than a piece fitted into its buffer
    };

    /** @brief Names a connection for as long as the sink lives. */
    using ConnectionId = uint64_t;

    void StartApplication() override;

    void OnConnection(Ptr<Socket> socket) override;

    /** @brief Data have arrived. */
    void HandleRead(ConnectionId id, Ptr<Socket> socket);

    /** @brief The peer has sent everything, or the connection is lost. */
    void HandleClose(ConnectionId id, Ptr<Socket> socket);

    /** @brief Reads all that a connection holds. */
    void ReadAll(ConnectionId id);

    /** @brief Gives the idle host the next piece of the connection whose turn it is. */
    void ReadNext();

    /** @brief Tells the peer about room in a window that had been narrow. */
    void UpdateWindow(Connection& connection) const;

    /**
     * @brief Takes a piece that got through the host.
     * @param packet the piece
     * @param from where it came from
     */
    void HandleServed(Ptr<Packet> packet, const Address& from);

    /**
     * @brief Takes account of a piece taken off a socket.
     * @param packet the piece
     */
    void Receive(Ptr<const Packet> packet);

    /**
     * @brief Takes account of a piece that has reached the application.
     * @param offset its place in the stream of its connection, [B]
     * @param packet the piece
     */
    void Deliver(uint64_t offset, Ptr<const Packet> packet);

    /** @brief Closes a connection whose peer is done, once everything is read. */
    void CloseIfDrained(ConnectionId id);

    uint32_t m_readSize{0};   //!< attribute ReadSize
    Ptr<HostCost> m_hostCost; //!< attribute HostCost

    std::map<ConnectionId, Connection> m_connections;      //!< the open connections
    ConnectionId m_nextId{0};                              //!< name of the next connection
    std::deque<ConnectionId> m_ready;                      //!< connections with data, in turn
    Ptr<HostQueue> m_queue;                                //!< the receiving host
    uint64_t m_servedOffset{0};                            //!< place of the piece in service, [B]
    TracedCallback<const Address&, uint64_t> m_endedTrace; //!< trace source ConnectionEnded
};

} // namespace ns3::lfn

#endif /* LFN_TCP_SINK_H */
