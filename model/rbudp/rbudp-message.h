// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_MESSAGE_H
#define RBUDP_MESSAGE_H

#include <cstdint>
#include <ostream>

/**
 * @file
 * @ingroup lfn-rbudp
 * Kinds of RBUDP control messages, for trace sources.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief Kinds of control messages.
 */
enum class RbudpMessageKind : uint8_t
{
    REQUEST, //!< RbudpFileRequest
    SIZE,    //!< RbudpAnnouncement
    DONE,    //!< RbudpDone
    ACK,     //!< RbudpAck
};

/** @brief Name a kind of message. @return a lower-case word */
constexpr const char*
ToString(RbudpMessageKind kind)
{
    switch (kind)
    {
    case RbudpMessageKind::REQUEST:
        return "request";
    case RbudpMessageKind::SIZE:
        return "size";
    case RbudpMessageKind::DONE:
        return "done";
    case RbudpMessageKind::ACK:
        return "ack";
    }
    return "unknown";
}

/**
 * @brief Print a kind of message.
 * @param os where to
 * @param kind the kind
 * @return os
 */
inline std::ostream&
operator<<(std::ostream& os, RbudpMessageKind kind)
{
    return os << ToString(kind);
}

/**
 * @brief Signature of the trace source Message of both applications.
 * @param kind what it is
 * @param sent true when it leaves, false when it arrives
 * @param round blast that it belongs to, from 0
 * @param bytes its size, B
 */
typedef void (*RbudpMessageTracedCallback)(RbudpMessageKind kind,
                                           bool sent,
                                           uint32_t round,
                                           uint64_t bytes);

} // namespace ns3::lfn

#endif // RBUDP_MESSAGE_H
