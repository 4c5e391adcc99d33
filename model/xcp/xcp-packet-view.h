// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_PACKET_VIEW_H
#define XCP_PACKET_VIEW_H

#include "xcp-header.h"

#include "ns3/queue-item.h"

#include <cstdint>

/**
 * @file
 * @ingroup lfn-xcp
 * What an XCP router sees of a packet.
 */

namespace ns3::lfn
{

/** @brief What a packet is to an XCP router. */
enum class XcpPacketKind : uint8_t
{
    XCP_DATA,  //!< has a standard congestion header
    XCP_OTHER, //!< has a minimal congestion header and no user data, or a malformed one
    E2E_DATA,  //!< TCP or UDP with user data, also behind a minimal congestion header
    OTHER      //!< anything else: pure acknowledgements, later fragments, other protocols
};

/** @brief What makes packets those of one flow. */
enum class XcpFlowId : uint8_t
{
    ADDRESSES_AND_PORTS, //!< both addresses, both ports and the protocol
    ADDRESSES            //!< both addresses alone
};

/**
 * @ingroup lfn-xcp
 * @brief What an XCP router sees of a packet in a queue disc, where the IP header is still apart.
 *
 * The transport's ports are read as bare bytes: its headers are not deserialised.
 */
struct XcpPacketView
{
    XcpPacketKind kind{XcpPacketKind::OTHER}; //!< what it is
    bool isMalformed{false};                  //!< claims a congestion header that cannot be read
    bool isSyn{false};                        //!< a SYN of plain TCP
    uint64_t connection{0};                   //!< hash of addresses and ports of plain TCP; else 0
    uint64_t flow{0};                         //!< flow ID, a hash; 0 unless data
    XcpHeader header;                         //!< the congestion header of XCP_DATA

    /**
     * @brief Look at a packet.
     * @param item an item that holds IPv4 or IPv6; any other one is OTHER
     * @param xcpProtocol the IP protocol number of the congestion header
     * @param flowId what the flow ID is a hash of
     * @return what is seen
     */
    static XcpPacketView Look(const QueueDiscItem& item,
                              uint8_t xcpProtocol,
                              XcpFlowId flowId = XcpFlowId::ADDRESSES_AND_PORTS);

    /**
     * @brief Recognize XCP's packets by their IP protocol number alone.
     *
     * IPv6's extension headers are walked over, and a later fragment is what the first one is.
     * @param item any item
     * @param xcpProtocol the IP protocol number of the congestion header
     * @return whether the packet has that number
     */
    static bool IsXcp(const QueueDiscItem& item, uint8_t xcpProtocol);

    /**
     * @brief Read the congestion header alone, which is all that a departure needs.
     * @param item any item
     * @param xcpProtocol the IP protocol number of the congestion header
     * @param header where it goes
     * @param at where it stands after the IP header, behind IPv6's extension headers, [B]
     * @return whether the packet is XCP_DATA
     */
    static bool ReadHeader(const QueueDiscItem& item,
                           uint8_t xcpProtocol,
                           XcpHeader& header,
                           uint32_t& at);

    /**
     * @brief Rewrite the congestion header.
     *
     * It is rewritten in place; other packets that share the buffer keep theirs.
     * @param item an item of which ReadHeader() said that it is XCP_DATA
     * @param header the new header
     * @param at where it stands, as ReadHeader() said, [B]
     */
    static void WriteHeader(const QueueDiscItem& item, const XcpHeader& header, uint32_t at);
};

} // namespace ns3::lfn

#endif // XCP_PACKET_VIEW_H
