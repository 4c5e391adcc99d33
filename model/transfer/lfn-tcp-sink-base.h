// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TCP_SINK_BASE_H
#define LFN_TCP_SINK_BASE_H

#include "lfn-transfer-application.h"

#include "ns3/address.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Base of the receivers over TCP: listens, accepts connections and reads what they bring.
 *
 * Without a host cost it reads all there is. With one it reads a piece, is busy with it, and
 * only then reads the next, connections in turn; the sockets fill up meanwhile and TCP's flow
 * control slows the senders. A piece costs one interrupt, reading and moving.
 *
 * ns-3's TCP does not report its peer when a read reopens a window that had closed, so the peer
 * would wait for its probe, 6 seconds by default. The sink sends that window update itself.
 */
class TcpSinkBase : public TransferApplication
{
  public:
    /**
     * @brief Signature of the trace source Delivered.
     * @param offset place of the first byte in the transfer, [B]
     * @param bytes how many, [B]
     */
    typedef void (*DeliveredTracedCallback)(uint64_t offset, uint64_t bytes);

    /**
     * @brief Signature of the trace source ConnectionEnded.
     * @param peer the socket address of the sender
     * @param bytes bytes read from the connection
     */
    typedef void (*ConnectionEndedTracedCallback)(const Address& peer, uint64_t bytes);

  protected:
    /** @brief Names a connection for as long as the sink lives. */
    using ConnectionId = uint64_t;

    /** @brief What becomes of a piece that was taken off a connection. */
    struct Piece
    {
        uint64_t offset{0};                //!< its place, [B]
        uint32_t newBytes{0};              //!< user bytes of it that are delivered, [B]
        std::optional<DropReason> refused; //!< why the others are not
    };

    /**
     * @brief Add the common Attributes to a subclass, where Config::SetDefault() finds them.
     * @param tid the subclass
     * @return the subclass
     */
    static TypeId AddAttributes(TypeId tid);

    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    /**
     * @brief Let a connection go.
     * @param id the connection, which may be gone
     */
    void Remove(ConnectionId id);

    bool m_checkContent{false}; //!< attribute CheckContent

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

    /**
     * @brief Get ready to read user bytes; takes what is before them off the socket.
     * @param id the connection, which Remove() may let go
     * @param socket its socket
     * @return the most bytes to read; 0 when there are none
     */
    virtual uint32_t PrepareRead(ConnectionId id, Ptr<Socket> socket) = 0;

    /**
     * @brief Take user bytes off a connection.
     * @param id the connection
     * @param offset their place in its stream, [B]
     * @param packet the bytes
     * @return what becomes of them, once the host is done with them
     */
    virtual Piece OnBytes(ConnectionId id, uint64_t offset, Ptr<const Packet> packet) = 0;

    /** @brief Get the user bytes to come in all, as far as this side has counted, [B]. */
    virtual uint64_t GetTotal() const = 0;

    /**
     * @brief A connection is gone.
     * @param id the connection
     */
    virtual void OnRemoved(ConnectionId id);

    /** @brief Data have arrived. */
    void OnReadable(ConnectionId id, Ptr<Socket> socket);

    /** @brief The peer has sent everything, or the connection is lost. */
    void OnClose(ConnectionId id, Ptr<Socket> socket);

    /** @brief Read all that a connection holds. */
    void ReadAll(ConnectionId id);

    /** @brief Give the idle host the next piece of the connection whose turn it is. */
    void ReadNext();

    /**
     * @brief Read a piece.
     * @param id the connection, which may be gone afterwards
     * @param most the largest number of bytes
     * @param piece set to what becomes of it
     * @return the piece; null when there is none
     */
    Ptr<Packet> ReadPiece(ConnectionId id, uint32_t most, Piece& piece);

    /**
     * @brief Take account of a piece taken off a socket.
     * @param packet the piece
     */
    void Receive(Ptr<const Packet> packet);

    /** @brief Announce a window to the peer that had been narrow. */
    void UpdateWindow(Connection& connection) const;

    /** @brief Give the host the place of the piece that it serves. */
    HostWork GetWork(Ptr<const Packet> packet);

    /**
     * @brief Take a piece that got through the host.
     * @param packet the piece
     * @param from where it came from
     */
    void OnServed(Ptr<Packet> packet, const Address& from);

    /**
     * @brief Take account of a piece that has reached the application.
     * @param piece what becomes of it
     * @param packet the piece
     */
    void Deliver(const Piece& piece, Ptr<const Packet> packet);

    /** @brief Close a connection whose peer is done, once everything is read. */
    void CloseIfDrained(ConnectionId id);

    /**
     * @brief Pass on a connection, or close it after the end of the transfer.
     * @param socket its socket
     * @param from address of the peer
     */
    void OnAccepted(Ptr<Socket> socket, const Address& from);

    Address m_local;          //!< attribute Local
    uint16_t m_port{0};       //!< attribute Port
    uint32_t m_rcvBufSize{0}; //!< attribute RcvBufSize
    uint32_t m_readSize{0};   //!< attribute ReadSize
    TypeId m_socketFactory;   //!< attribute SocketFactory
    std::string m_congestion; //!< attribute Congestion

    std::vector<Ptr<Socket>> m_listeners;                  //!< one, or one per address family
    std::map<ConnectionId, Connection> m_connections;      //!< the open connections
    ConnectionId m_nextId{0};                              //!< name of the next connection
    std::deque<ConnectionId> m_ready;                      //!< connections with data, in turn
    Piece m_served;                                        //!< the piece in service
    TracedCallback<uint64_t, uint64_t> m_deliveredTrace;   //!< new bytes: place, number
    TracedCallback<const Address&, uint64_t> m_endedTrace; //!< a connection is gone: peer, bytes
};

} // namespace ns3::lfn

#endif // LFN_TCP_SINK_BASE_H
