// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_PORT_H
#define UDT_PORT_H

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief A UDP port of a node, shared by the sources and the sink that have the same local address
 *        (UDT-13): packets are given to them by their destination socket ID.
 *
 * The ID 0 is the sink's, to which requests for a connection go. Packets of an unknown ID go to the
 * end with the lowest one, which drops them with a reason.
 */
class UdtPort : public SimpleRefCount<UdtPort>
{
  public:
    /** @brief Takes a datagram and the address that it has come from. */
    using Receiver = Callback<void, Ptr<Packet>, const Address&>;

    /**
     * @brief Find an open port, or open it. It closes when its last end is removed.
     * @param node where
     * @param local IPv4 or IPv6 socket address; with port 0 it is a new port
     * @param failure gets one line that says what is wrong
     * @return the port; null when something is wrong
     */
    static Ptr<UdtPort> Open(Ptr<Node> node, const Address& local, std::string& failure);

    ~UdtPort();

    /**
     * @brief Add an end.
     * @param id its socket ID; 0 for the sink
     * @param receiver takes its packets
     * @return false when another end has this ID
     */
    bool Add(uint32_t id, const Receiver& receiver);

    /**
     * @brief Remove an end; the port closes behind the last one.
     * @param id its socket ID
     */
    void Remove(uint32_t id);

    /** @brief Check which version of IP it has. @return whether it is IPv6 */
    bool IsIpv6() const;

    /**
     * @brief Send a datagram. What the host cannot send is as good as lost.
     * @param packet the datagram
     * @param to socket address of the peer
     * @param tos TOS byte or traffic class
     */
    void Send(Ptr<Packet> packet, const Address& to, uint8_t tos);

  private:
    /** @brief Take packets off the socket. */
    void OnDatagrams(Ptr<Socket> socket);

    /** @brief Close the socket; the next one that opens this address gets a new port. */
    void Close();

    /** @brief Open ports by node and local address. They belong to their ends. */
    using Registry = std::map<std::pair<const Node*, Address>, UdtPort*>;

    /** @brief Get the open ports of all nodes. @return them, which outlast the last port */
    static const std::shared_ptr<Registry>& GetRegistry();

    std::shared_ptr<Registry> m_registry;     //!< where it is found
    const Node* m_node{nullptr};              //!< where
    Address m_local;                          //!< the address that is shared
    std::vector<Ptr<Socket>> m_sockets;       //!< the socket, until it closes
    std::map<uint32_t, Receiver> m_receivers; //!< by socket ID
    uint8_t m_tos{0};                         //!< of the socket
};

} // namespace ns3::lfn

#endif // UDT_PORT_H
