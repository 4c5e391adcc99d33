// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TCP_START_H
#define XCP_TCP_START_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief The fixed part of a TCP header (RFC 9293, section 3.1), as far as XCP's hosts look at it.
 */
struct XcpTcpStart
{
    uint16_t source{0};      //!< port
    uint16_t destination{0}; //!< port
    uint32_t sequence{0};    //!< of the first byte
    uint32_t ack{0};         //!< the next byte expected, when the flag says so
    uint32_t headerBytes{0}; //!< length of the header with options, [B]
    uint8_t flags{0};        //!< TcpHeader::Flags_t

    /**
     * @brief Read it.
     * @param packet begins with it; what is missing reads as 0
     * @return what matters
     */
    static XcpTcpStart Read(Ptr<const Packet> packet);

    /**
     * @brief Tell whether ns-3 can read a TCP header without running off the end of the packet,
     * and without ending the program for an option that is too short.
     * @param packet begins with it
     * @return true when the header and its options are whole
     */
    static bool IsWhole(Ptr<const Packet> packet);
};

} // namespace ns3::lfn

#endif // XCP_TCP_START_H
