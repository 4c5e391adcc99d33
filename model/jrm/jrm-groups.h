// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_GROUPS_H
#define JRM_GROUPS_H

#include "jrm-source.h"

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/ipv6-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/socket.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief The multicast groups of a participant: their numbers, and the sockets that listen and send
 *        to them.
 */
class JrmGroups
{
  public:
    /**
     * @brief Get the number of a group.
     * @param group an IPv4 or IPv6 address, without a port
     * @return MCG; nothing when it is no multicast address, or one of IPv6 that routers do not
     *         forward (scopes up to the link's)
     */
    static std::optional<uint32_t> GetNumber(const Address& group);

    /**
     * @brief Get an address and a port as the cores use them.
     * @param from a socket address
     * @return the source
     */
    static JrmSource GetSource(const Address& from);

    /**
     * @brief Get the socket address of a source.
     * @param source the source
     * @return where to send an answer
     */
    static Address GetAddress(const JrmSource& source);

    /**
     * @brief Join a group.
     * @param group its multicast address
     * @param devices out of each of them leaves what is sent to the group
     * @return whether it was never joined before; nothing when it cannot be joined: it is no group,
     *         or another group has its number, or the groups are of the other IP
     */
    std::optional<bool> Join(const Address& group, const std::vector<Ptr<NetDevice>>& devices);

    /**
     * @brief Leave a group.
     * @param group its multicast address
     * @return its number; nothing when it was not joined
     */
    std::optional<uint32_t> Leave(const Address& group);

    /**
     * @brief Get the number of a group that was joined and not left.
     * @param group its multicast address
     * @return MCG, or nothing
     */
    std::optional<uint32_t> Find(const Address& group) const;

    /**
     * @brief Check whether a group was joined and not left.
     * @param number MCG
     * @return true when it was
     */
    bool IsJoined(uint32_t number) const;

    /**
     * @brief Check whether a datagram is of a group's version of IP.
     * @param number MCG
     * @param from where the datagram came from
     * @return false when it is not, or the group was never joined
     */
    bool IsSameIp(uint32_t number, const Address& from) const;

    /**
     * @brief Get the groups that were joined and not left.
     * @return their addresses, by their numbers, ascending
     */
    std::vector<Address> GetJoined() const;

    /**
     * @brief Get the groups that were ever joined.
     * @return their addresses by their numbers, MCG
     */
    const std::map<uint32_t, Address>& GetAll() const;

    /**
     * @brief Open the socket that a group needs, if it is not open, and listen to the group.
     * @param node the participant's node
     * @param group its multicast address
     * @param port UDP port of the session
     * @param tos of what is sent, as SetTos() takes it
     * @param receive takes what has come
     * @return what is wrong and the remedy; empty when all is well
     */
    std::string Listen(Ptr<Node> node,
                       const Address& group,
                       uint16_t port,
                       uint8_t tos,
                       Callback<void, Ptr<Socket>> receive);

    /**
     * @brief Send a datagram to a host.
     * @param packet the datagram
     * @param to its socket address
     */
    void Send(Ptr<Packet> packet, const Address& to) const;

    /**
     * @brief Send a datagram to a group.
     * @param packet the datagram
     * @param number MCG of a group that was joined
     * @param port UDP port of the session
     */
    void SendToGroup(Ptr<Packet> packet, uint32_t number, uint16_t port) const;

    /**
     * @brief Close the sockets.
     * @param node the participant's node
     */
    void Close(Ptr<Node> node);

  private:
    std::array<Ptr<Socket>, 2> m_sockets;                      //!< of IPv4 and of IPv6
    std::vector<Ipv6Address> m_listens;                        //!< to these of IPv6's groups
    std::set<uint32_t> m_joined;                               //!< groups joined, MCG
    std::map<uint32_t, Address> m_addresses;                   //!< of groups ever joined, by MCG
    std::map<uint32_t, std::vector<Ptr<NetDevice>>> m_devices; //!< to send out of, by MCG
};

} // namespace ns3::lfn

#endif // JRM_GROUPS_H
