// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_HEADER_H
#define JRM_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup lfn-jrm
 * JRM on the wire: the header of every datagram and the list of a NACK request.
 */

/**
 * @defgroup lfn-jrm JRM
 * @ingroup lfn
 * Java Reliable Multicast of Stuer, Broeckhove and Arickx, ICCS 2003 (LNCS 2657).
 */

namespace ns3::lfn
{

/** @brief Kinds of datagrams; the paper names the first three. */
enum class JrmType : uint8_t
{
    MSG = 1,   //!< a packet of a message, sent for the first time
    NACK_REQ,  //!< a receiver asks for packets
    NACK_RESP, //!< a packet retransmitted because it was asked for
    HEARTBEAT, //!< an idle sender reports its newest message (option)
    PROBE,     //!< a sender asks for the RTT and reports its estimate (option)
    ANSWER,    //!< a receiver answers a probe (option)
    PARITY,    //!< a parity of a block of packets, sent because some were asked for (option)
};

/**
 * @brief Get a kind's name.
 * @param type the kind
 * @return its name in lower case, such as "nack-req"
 */
const char* ToString(JrmType type);

/**
 * @ingroup lfn-jrm
 * @brief Identity of a message: who sent it, to which group, the how manieth (section 2).
 */
struct JrmMessageId
{
    uint32_t participant{0}; //!< VRN, number of the sending participant
    uint32_t group{0};       //!< MCG, number of the multicast group
    uint32_t message{0};     //!< MSN, number of the message by sender and group; wraps

    /**
     * @brief Compare.
     * @param other another identity
     * @return the order
     */
    auto operator<=>(const JrmMessageId& other) const = default;

    /**
     * @brief Get how far a message number is ahead of another. Numbers wrap (RFC 1982).
     * @param from the other number, MSN
     * @param to the number, MSN
     * @return messages; negative when it is behind
     */
    static int64_t GetDistance(uint32_t from, uint32_t to)
    {
        return static_cast<int32_t>(to - from);
    }
};

/**
 * @brief Print an identity.
 * @param os where to
 * @param id the identity
 * @return os
 */
std::ostream& operator<<(std::ostream& os, const JrmMessageId& id);

/**
 * @ingroup lfn-jrm
 * @brief Header of every datagram: 20 bytes, big-endian (deviation JRM-D1: the paper names the
 * fields, not their sizes).
 *
 * type 1, flags 1, PSN 2, VRN 4, MCG 4, MSN 4, message length 4. A message gives in the place of
 * the flags how many messages of its stream went before, a heartbeat how many there are (J-C5). In
 * a NACK request the identity is that of the message asked for, not of the one who asks. In a probe
 * and its answer MSN is the probe's number; a probe has what it reports the estimate in place of
 * PSN, its answer the time that it was held, in microseconds, in place of the length (JRM-D19). PSN
 * of a parity is the first one of its block (JRM-D21).
 */
class JrmHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 20;           //!< bytes on the wire
    static constexpr uint8_t ALL_PACKETS = 1;      //!< flag of a NACK request: send everything
    static constexpr uint8_t PARITIES = 2;         //!< the same: as many parities will do
    static constexpr uint32_t MAX_PACKETS = 65535; //!< packets of a message, numbered from 1

    /** @brief Header of nothing. */
    JrmHeader() = default;

    /** @brief A header with these fields. */
    JrmHeader(JrmType type,
              const JrmMessageId& id,
              uint16_t packet,
              uint32_t length,
              uint8_t flags = 0);

    /** @return the object TypeId */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /**
     * @brief Read the header.
     * @param start where it begins
     * @return bytes read: 20, or 0 when fewer are there or the kind is unknown (nothing is then
     *         changed)
     */
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    JrmType type{JrmType::MSG}; //!< the kind
    uint8_t flags{0};           //!< of a request; messages before, see above
    uint16_t packet{0};         //!< PSN, from 1; 0 where there is none
    JrmMessageId id;            //!< the message: VRN, MCG, MSN
    uint32_t length{0};         //!< total length of the message, B; 0 where it is not known
};

/** @brief What follows the header of a parity, and comes before its bytes (JRM-D21). */
struct JrmParity
{
    static constexpr uint32_t SIZE = 2; //!< bytes on the wire

    uint8_t block{0}; //!< packets of every block of the message, the last one may have fewer
    uint8_t index{0}; //!< which parity of its block

    /** @brief Write it. @return the bytes */
    std::vector<uint8_t> Write() const;

    /**
     * @brief Read it.
     * @param bytes what follows the header
     * @return the parity's numbers, or nothing when they are cut short, the block is of less than
     *         two packets, or has no such parity
     */
    static std::optional<JrmParity> Read(std::span<const uint8_t> bytes);
};

/** @brief What follows the header of a NACK request: the packets asked for. */
struct JrmNackList
{
    /**
     * @brief Write a list: a 2-byte count and 2 bytes a packet.
     * @param packets PSNs, at most 65535
     * @return the bytes
     */
    static std::vector<uint8_t> Write(std::span<const uint16_t> packets);

    /**
     * @brief Read a list.
     * @param bytes what follows the header; bytes after the list are ignored
     * @return the PSNs, or nothing when the list is cut short or names packet 0
     */
    static std::optional<std::vector<uint16_t>> Read(std::span<const uint8_t> bytes);
};

} // namespace ns3::lfn

#endif // JRM_HEADER_H
