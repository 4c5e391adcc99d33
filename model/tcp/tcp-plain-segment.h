// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_PLAIN_SEGMENT_H
#define TCP_PLAIN_SEGMENT_H

#include <cstdint>
#include <optional>
#include <span>

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief The header of a segment as nearly all are: the ACK flag alone, and no option but a time
 * stamp.
 *
 * ns-3's TcpHeader makes an object for each option, which costs more than all the rest.
 */
struct TcpPlainSegment
{
    /// A header has no more, [B].
    static constexpr uint32_t MAX_BYTES = 32;

    /** @brief Time stamps (RFC 7323, section 3.2). */
    struct Stamp
    {
        uint32_t value; //!< of the sender (TSval), [ms]
        uint32_t echo;  //!< of what it answers (TSecr), [ms]

        /** @return whether both have the same stamps */
        bool operator==(const Stamp&) const = default;
    };

    /**
     * @brief Read a header.
     * @param bytes the first of a segment, MAX_BYTES if it has so many
     * @return nothing if it is not plain
     */
    static std::optional<TcpPlainSegment> Read(std::span<const uint8_t> bytes);

    /** @return whether both have the same fields */
    bool operator==(const TcpPlainSegment&) const = default;

    uint16_t sourcePort{0};      //!< source port
    uint16_t destinationPort{0}; //!< destination port
    uint32_t sequence{0};        //!< sequence number
    uint32_t ack{0};             //!< acknowledgement number
    uint16_t window{0};          //!< window, not scaled
    std::optional<Stamp> stamp;  //!< time stamps
    uint32_t bytes{0};           //!< length of the header, [B]
};

} // namespace ns3::lfn

#endif /* TCP_PLAIN_SEGMENT_H */
