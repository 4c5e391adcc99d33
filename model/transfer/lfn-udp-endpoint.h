// SPDX-License-Identifier: GPL-2.0-only
#ifndef LFN_UDP_ENDPOINT_H
#define LFN_UDP_ENDPOINT_H

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/node.h"
#include "ns3/socket.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief What every transport over UDP needs from its node, for IPv4 and IPv6 alike.
 */
class UdpEndpoint
{
  public:
    /**
     * @brief Give an address per port.
     * @param address an IPv4 or IPv6 address, with or without a port
     * @param port the port, which replaces one in the address
     * @return the socket address; an invalid one when the address is neither
     */
    static Address WithPort(const Address& address, uint16_t port);

    /**
     * @brief Get the port of an address.
     * @param address any address
     * @return its port; nothing if it is no socket address
     */
    static std::optional<uint16_t> GetPort(const Address& address);

    /**
     * @brief Open a UDP socket that is connected to its peer.
     * @param node where
     * @param peer where datagrams go, with its port
     * @param localPort port to bind to
     * @param bufferBytes receive buffer, B
     * @return the socket; null when the port is in use, the peer's address is unusable or the node
     * has no UDP
     */
    static Ptr<Socket> Open(Ptr<Node> node,
                            const Address& peer,
                            uint16_t localPort,
                            uint32_t bufferBytes);

    /**
     * @brief Open UDP sockets that listen.
     * @param node where
     * @param local address to listen on, with or without a port; invalid for every address of both
     *        versions of IP
     * @param port the port, unless local has one
     * @param receive takes what has come
     * @param sockets gets the sockets, also those that were opened before one fails
     * @return what is wrong; empty when all is well
     */
    static std::string Listen(Ptr<Node> node,
                              const Address& local,
                              uint16_t port,
                              Callback<void, Ptr<Socket>> receive,
                              std::vector<Ptr<Socket>>& sockets);

    /**
     * @brief Close a socket, whose callback is called no more.
     * @param socket the socket, null afterwards; may be null
     */
    static void Close(Ptr<Socket>& socket);

    /**
     * @brief Close sockets.
     * @param sockets the sockets, none afterwards
     */
    static void Close(std::vector<Ptr<Socket>>& sockets);

    /**
     * @brief Get the port that a socket is bound to.
     * @param socket a UDP socket
     * @return the port; 0 when it is not bound
     */
    static uint16_t GetLocalPort(Ptr<Socket> socket);

    /**
     * @brief Find the MTU of the link on which datagrams to a peer leave.
     * @param node where they leave
     * @param peer where they go
     * @return bytes; nothing when there is no route at present
     */
    static std::optional<uint32_t> FindMtu(Ptr<Node> node, const Address& peer);

    /**
     * @brief Bytes of the IP and UDP headers of a datagram.
     * @param peer where it goes
     * @return 28 for IPv4, 48 for IPv6
     */
    static uint32_t GetHeaderBytes(const Address& peer);
};

} // namespace ns3::lfn

#endif // LFN_UDP_ENDPOINT_H
