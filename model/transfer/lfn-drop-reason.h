// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_DROP_REASON_H
#define LFN_DROP_REASON_H

#include <cstdint>
#include <ostream>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Why an endpoint threw a packet away.
 *
 * Every datagram that reaches an endpoint and does no good is counted under exactly one reason, so
 * malformed, late and surplus packets can be distinguished in a trace.
 */
enum class DropReason : uint8_t
{
    MALFORMED,    //!< the header does not parse
    UNKNOWN_PEER, //!< it comes from an address that takes no part in the transfer
    UNANNOUNCED,  //!< data of a transfer whose size was not known
    DUPLICATE,    //!< the receiver has it already
    OUT_OF_RANGE, //!< its sequence number lies outside the transfer
    WRONG_LENGTH, //!< its length is not the one that its sequence number calls for
    BUFFER_FULL,  //!< the host's buffer had no room for it
    UNEXPECTED,   //!< well formed, but nothing that the present state waits for
    CORRUPT,      //!< its content is not what the sender put into it
    COUNT_        //!< number of reasons; no reason itself
};

/**
 * @brief Gives the name of a reason, as tables and logs print it.
 * @return a lower-case word with dashes, "unknown" outside the enumeration
 */
const char* ToString(DropReason reason);

/**
 * @brief Prints the name of a reason.
 * @param os the stream to print to
 * @param reason the reason
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, DropReason reason);

} // namespace ns3::lfn

#endif /* LFN_DROP_REASON_H */
