// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_TCP_CONTROL_H
#define RBUDP_TCP_CONTROL_H

#include "rbudp-control-channel.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/type-id.h"

#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief The control connection over TCP, as the paper has it: one connection for all rounds.
 *
 * Segments that fill an Ethernet frame (1448 B, 1428 B over IPv6) instead of ns-3's 536, no Nagle
 * delay (deviation Q7), and the timers of the systems that the published tools ran on (deviation
 * RBUDP-D23).
 */
class RbudpTcpControl : public RbudpControlChannel
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Set the type of service of the connection to come.
     * @param tos as lfn::SetTos() takes it
     */
    void SetTos(uint8_t tos);

    /**
     * @brief Await the receiver; the first one is taken, others are turned away.
     * @param node where
     * @param local address and control port to listen on
     * @param bufferBytes send and receive buffer, B
     * @param connected called with the receiver's address when the connection stands
     * @return false when the port is in use, or the node has no TCP
     */
    bool Listen(Ptr<Node> node,
                const Address& local,
                uint32_t bufferBytes,
                Callback<void, const Address&> connected);

    /**
     * @brief Connect, and try again while the sender is not yet listening.
     * @param node where
     * @param remote the sender's address and control port
     * @param bufferBytes send and receive buffer, B
     * @param timeout how long to try; then the closed callback is called
     * @param connected called when the connection stands
     */
    void Connect(Ptr<Node> node,
                 const Address& remote,
                 uint32_t bufferBytes,
                 Time timeout,
                 Callback<void> connected);

    void Send(std::span<const uint8_t> bytes) override;
    void Close() override;

  protected:
    void DoDispose() override;

  private:
    /**
     * @brief Make a TCP socket with the settings of a control connection.
     * @param node where
     * @param ipv6 whether its packets are IPv6
     * @param bufferBytes send and receive buffer, B
     * @return the socket, null when the node has no such TCP; one that listens passes its settings
     * on to those it accepts
     */
    Ptr<Socket> MakeSocket(Ptr<Node> node, bool ipv6, uint32_t bufferBytes) const;

    /**
     * @brief Somebody has connected to the listening socket.
     * @param socket the connection
     * @param from who
     */
    void OnAccepted(Ptr<Socket> socket, const Address& from);

    /**
     * @brief Use a connection.
     * @param socket the connected socket
     */
    void Adopt(Ptr<Socket> socket);

    /** @brief Stop listening. */
    void CloseListener();

    /** @brief Make a socket and try to connect. */
    void TryConnect();

    /**
     * @brief The connection stands.
     * @param socket the connected socket
     */
    void OnConnected(Ptr<Socket> socket);

    /**
     * @brief An attempt has failed: try again a little later.
     * @param socket the refused socket
     */
    void OnRefused(Ptr<Socket> socket);

    /**
     * @brief Look for a reset of the handshake.
     * @param packet what follows the header
     * @param header of the segment
     * @param socket the socket
     */
    void OnSegment(Ptr<const Packet> packet,
                   const TcpHeader& header,
                   Ptr<const TcpSocketBase> socket);

    /** @brief The handshake was reset: close the socket and try again a little later. */
    void OnReset();

    /** @brief The time for connecting is over. */
    void GiveUpConnecting();

    /** @brief The peer has closed the connection. */
    void OnClosed(Ptr<Socket> socket);

    /** @brief TCP has given the connection up. */
    void OnError(Ptr<Socket> socket);

    /** @brief Take what has arrived. */
    void OnReadable(Ptr<Socket> socket);

    /**
     * @brief The socket can take more.
     * @param socket the socket
     * @param room bytes that it can take
     */
    void OnWritable(Ptr<Socket> socket, uint32_t room);

    /** @brief Hand waiting bytes to the socket, as many as it takes. */
    void Flush();

    /**
     * @brief Let go of the socket, which has ended by itself.
     * @return the socket, which calls nobody any more; null when there was none
     */
    Ptr<Socket> Forget();

    /** @brief Close the socket and let go of it. */
    void Release();

    uint8_t m_tos{0};                            //!< type of service
    TypeId m_socketFactory;                      //!< attribute SocketFactory
    Time m_minRtoMargin;                         //!< least of the timer beyond the RTT
    Time m_delAckTimeout;                        //!< longest delay of an acknowledgement
    Ptr<Socket> m_listener;                      //!< awaits the receiver
    Callback<void, const Address&> m_onAccepted; //!< called when the receiver has connected
    bool m_isTaken{false};                       //!< a receiver has connected
    Ptr<Socket> m_socket;                        //!< the connection
    std::vector<uint8_t> m_unsent;               //!< bytes that the socket has not taken yet
    std::size_t m_unsentBegin{0};                //!< first of them
    bool m_connected{false};                     //!< the connection stands
    bool m_closing{false};                       //!< close when nothing is unsent
    Ptr<Node> m_node;                            //!< where to connect from
    Address m_remote;                            //!< where to connect to
    uint32_t m_bufferBytes{0};                   //!< send and receive buffer, B
    Callback<void> m_onConnected;                //!< called when the connection stands
    EventId m_retry;                             //!< next attempt
    EventId m_giveUp;                            //!< end of all attempts
};

} // namespace ns3::lfn

#endif // RBUDP_TCP_CONTROL_H
