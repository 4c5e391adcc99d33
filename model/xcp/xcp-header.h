// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_HEADER_H
#define XCP_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <span>

/**
 * @file
 * @ingroup lfn-xcp
 * The congestion header of XCP.
 */

/**
 * @defgroup lfn-xcp XCP
 * @ingroup lfn
 * The eXplicit Control Protocol of Katabi, Handley and Rohrs (SIGCOMM 2002), as
 * draft-falk-xcp-spec-03 puts it, and the XCP-TCP fairness mechanism of Lopez Pacheco, Lefevre and
 * Pham (report RR2007-46).
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief The congestion header between IP and the transport, 20 bytes (draft-falk-xcp-spec-03,
 * section 3).
 *
 * Next protocol, length (20), version (3) and format, a zero byte; then X, RTT, Reverse_Feedback
 * and Delta_Throughput, 32 bits each, big-endian. X and RTT have 28 fraction bits (steps of 3.7
 * ns, below 16 s); both feedbacks are signed, in bytes/s. In the minimal format Reverse_Feedback
 * alone has a meaning, and routers leave the header alone.
 *
 * Values that do not fit are cut to the nearest that does, never wrapped.
 */
class XcpHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 20;  //!< bytes on the wire
    static constexpr uint8_t VERSION = 3; //!< the only version there is

    /** @brief What a header is for. */
    enum Format : uint8_t
    {
        STANDARD = 1, //!< asks routers for feedback
        MINIMAL = 2   //!< carries Reverse_Feedback only
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /**
     * @brief Read the header.
     * @param start where it begins
     * @return 20, or 0 when fewer bytes are there, or length, version or format are not supported
     */
    uint32_t Deserialize(Buffer::Iterator start) override;
    /**
     * @brief Read the header from bytes of a packet, at a lower cost than Deserialize().
     * @param bytes of the header
     * @return false when length, version or format are not supported; then nothing changes
     */
    bool Parse(std::span<const uint8_t, SIZE> bytes);
    void Print(std::ostream& os) const override;

    Format format{STANDARD}; //!< what the header is for
    uint8_t nextProtocol{6}; //!< IP number of the transport behind it
    double x{0};   //!< inter-packet time of the flow, RTT / packets a window, [s]; 0: unknown
    double rtt{0}; //!< the flow's smoothed RTT, [s]; 0: unknown
    double reverseFeedback{0}; //!< what the peer's data packets were granted, [B/s]
    double deltaThroughput{0}; //!< change of rate asked for, cut by each router, [B/s]
};

} // namespace ns3::lfn

#endif // XCP_HEADER_H
