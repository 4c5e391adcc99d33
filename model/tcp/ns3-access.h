// SPDX-License-Identifier: GPL-2.0-only

#ifndef NS3_ACCESS_H
#define NS3_ACCESS_H

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/sequence-number.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/tcp-tx-item.h"
#include "ns3/traced-value.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>

/**
 * @file
 * @ingroup lfn-tcp
 * What this module needs of ns-3's TCP beyond its interface: what differs between the releases,
 * 3.44 to the development head, and members that are private. Nothing else names these.
 */

#ifndef LFN_NS3_VERSION
#define LFN_NS3_VERSION "unknown"
#endif

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief Compare a version of ns-3 with a release 3.x.
 * @param version as ns-3's VERSION file has it, such as "3.48", "3.48.1" or "3-dev"
 * @param minor x
 * @return true if it is this release or a later one; what is no release is the development head,
 * and later than all
 */
constexpr bool
IsNs3AtLeast(std::string_view version, uint32_t minor)
{
    if (!version.starts_with("3."))
    {
        return true;
    }
    uint32_t found = 0;
    for (const char digit : version.substr(2))
    {
        if (digit < '0' || digit > '9')
        {
            break;
        }
        found = 10 * found + static_cast<uint32_t>(digit - '0');
    }
    return found >= minor;
}

/// From 3.48 on ns-3 informs a congestion control of CA_CWR, too.
constexpr bool NS3_REPORTS_CWR = IsNs3AtLeast(LFN_NS3_VERSION, 48);

/**
 * @ingroup lfn-tcp
 * @brief TcpSocketBase under the name of the class derived from it.
 *
 * From ns-3 3.45 on Object reports which class it is. In 3.44 TcpSocketBase says so itself, and
 * takes every derived class for a TcpSocketBase, whose Attributes are then the only ones.
 *
 * @tparam T the derived class
 * @tparam Method type of the GetInstanceTypeId() that TcpSocketBase has
 */
template <typename T, typename Method = decltype(&TcpSocketBase::GetInstanceTypeId)>
class NamedTcpSocketBase : public TcpSocketBase
{
};

/**
 * @ingroup lfn-tcp
 * @brief The same with ns-3 3.44.
 * @tparam T the derived class
 */
template <typename T>
class NamedTcpSocketBase<T, TypeId (TcpSocketBase::*)() const> : public TcpSocketBase
{
  public:
    TypeId GetInstanceTypeId() const override
    {
        return T::GetTypeId();
    }
};

/**
 * @brief Whether ns-3's socket has FACK, from 3.47 on, and it is on.
 * @param socket the socket
 * @return true if so
 */
template <typename T>
bool
IsFack(const T& socket)
{
    if constexpr (requires { socket.GetFackEnabled(); })
    {
        return socket.GetFackEnabled();
    }
    return false;
}

/**
 * @brief Begin a recovery; after 3.48 ns-3's method takes the SACKed bytes as well.
 * @param ops the recovery algorithm
 * @param state of the congestion control
 * @param duplicates duplicate ACKs
 * @param unacknowledgedBytes sent and not acknowledged, [B]
 * @param deliveredBytes newly acknowledged or SACKed, [B]
 * @param sackedBytes SACKed, [B]
 */
template <typename Ops>
void
EnterRecoveryOf(Ptr<Ops> ops,
                Ptr<TcpSocketState> state,
                uint32_t duplicates,
                uint32_t unacknowledgedBytes,
                uint32_t deliveredBytes,
                uint32_t sackedBytes)
{
    if constexpr (requires { ops->EnterRecovery(state, 0, 0, 0, 0); })
    {
        ops->EnterRecovery(state, duplicates, unacknowledgedBytes, deliveredBytes, sackedBytes);
    }
    else
    {
        ops->EnterRecovery(state, duplicates, unacknowledgedBytes, deliveredBytes);
    }
}

/**
 * @ingroup lfn-tcp
 * @brief Private members of ns-3's classes, where ns-3 has no other way to them.
 */
namespace ns3access
{

/** @brief The members of a TcpRxBuffer. */
struct RxBuffer
{
    TracedValue<SequenceNumber32>& next;             //!< sequence number that is expected
    SequenceNumber32& fin;                           //!< sequence number of the FIN
    uint32_t& bytes;                                 //!< that are held, [B]
    uint32_t& readableBytes;                         //!< of these in sequence, [B]
    std::map<SequenceNumber32, Ptr<Packet>>& pieces; //!< that are held
};

/** @brief The sockets of a TcpL4Protocol, by number. */
using Sockets = std::unordered_map<uint64_t, Ptr<TcpSocketBase>>;

/**
 * @brief Get the members of a receive buffer.
 * @param buffer the buffer
 * @return references to them
 */
RxBuffer Open(TcpRxBuffer& buffer);

/**
 * @brief Put a block at the head of a receive buffer's SACK list.
 * @param buffer the buffer
 * @param begin its first byte
 * @param end behind its last byte
 */
void AddSackBlock(TcpRxBuffer& buffer, SequenceNumber32 begin, SequenceNumber32 end);

/**
 * @brief Remove blocks from a receive buffer's SACK list.
 * @param buffer the buffer
 * @param end what lies below is acknowledged
 */
void ClearSackBlocks(TcpRxBuffer& buffer, SequenceNumber32 end);

/**
 * @brief Get how much a send buffer counts.
 * @param buffer the buffer
 * @return bytes, can be changed
 */
uint32_t& GetSize(TcpTxBuffer& buffer);

/**
 * @brief Set where a send buffer begins, without the checks of SetHeadSequence().
 * @param buffer the buffer
 * @param head the first unacknowledged byte
 */
void SetHead(TcpTxBuffer& buffer, SequenceNumber32 head);

/**
 * @brief Have an item of ns-3's send buffer describe a segment.
 * @param item the item
 * @param bytes size of the segment, [B]
 * @param lastSent when it was sent last
 */
void SetSegment(TcpTxItem& item, uint32_t bytes, Time lastSent);

/**
 * @brief Check whether an application asked to be informed of sent data.
 * @param socket its socket
 * @return true if so
 */
bool HasDataSentCallback(const Socket& socket);

/**
 * @brief Send a segment over IPv4, without the way through two classes of addresses.
 * @param tcp the TCP of the node
 * @param packet the data
 * @param header the header of TCP
 * @param from source
 * @param to destination
 * @param device to send by; may be null
 */
void SendPacketV4(const TcpL4Protocol& tcp,
                  Ptr<Packet> packet,
                  const TcpHeader& header,
                  Ipv4Address from,
                  Ipv4Address to,
                  Ptr<NetDevice> device);

/**
 * @brief Get the endpoints of IPv4.
 * @param tcp the TCP of a node
 * @return the endpoints
 */
Ipv4EndPointDemux& GetEndPoints(const TcpL4Protocol& tcp);

/**
 * @brief Get the endpoints of IPv6.
 * @param tcp the TCP of a node
 * @return the endpoints
 */
Ipv6EndPointDemux& GetEndPoints6(const TcpL4Protocol& tcp);

/**
 * @brief Get the sockets of a node.
 * @param tcp the TCP of the node
 * @return its sockets
 */
const Sockets& GetSockets(const TcpL4Protocol& tcp);

/**
 * @brief Get the number of the socket that a node creates next.
 * @param tcp the TCP of the node
 * @return the number
 */
uint64_t GetNextSocket(const TcpL4Protocol& tcp);

/**
 * @brief Get the state of a connection.
 * @param socket the socket
 * @return the state
 */
TcpSocket::TcpStates_t GetState(const TcpSocketBase& socket);

/**
 * @brief Get the window that a socket's peer offers.
 * @param socket the socket
 * @return the window, [B]
 */
uint32_t GetReceiverWindow(const TcpSocketBase& socket);

} // namespace ns3access

} // namespace ns3::lfn

#endif // NS3_ACCESS_H
