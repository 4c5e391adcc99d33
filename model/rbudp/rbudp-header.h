// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_HEADER_H
#define RBUDP_HEADER_H

#include "ns3/header.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-rbudp
 * RBUDP on the wire: the data header and the control messages.
 */

/**
 * @defgroup lfn-rbudp RBUDP
 * @ingroup lfn
 * Reliable Blast UDP of He et al., "Quanta", FGCS 2003, section 4.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief Header of a data datagram: a 4-byte sequence number, big-endian.
 *
 * The payload follows; every datagram but the last of a payload carries the announced size.
 * The published tools used the host's byte order and let the peer guess (deviation RBUDP-D1).
 */
class RbudpDataHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 4; //!< bytes on the wire

    /** @brief A header with sequence 0. */
    RbudpDataHeader() = default;

    /**
     * @brief A header with a sequence number.
     * @param sequence number of the datagram
     */
    explicit RbudpDataHeader(uint32_t sequence);

    /** @return the object TypeId */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /**
     * @brief Read the header.
     * @param start where it begins
     * @return bytes read: 4, or 0 when fewer than 4 are there (the sequence is then unchanged)
     */
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    uint32_t sequence{0}; //!< number of the datagram
};

/** @brief How messages are laid out. */
enum class RbudpWire : uint8_t
{
    LFN,  //!< as this module's: big-endian, payloads announced
    TOOLS //!< as that of the published tools usend and urecv on little-endian hosts: none announced
};

/**
 * @ingroup lfn-rbudp
 * @brief Number that stands for another one in the big-endian fields of this module.
 * @param number the number
 * @param wire how messages are laid out
 * @return the number, its bytes turned round for TOOLS; the same turns it back
 */
uint32_t RbudpNumber(uint32_t number, RbudpWire wire);

/**
 * @ingroup lfn-rbudp
 * @brief First control message of a payload, sender to receiver: what is about to be blasted.
 *
 * The published streaming and file tools send the 8-byte size only, and both ends must be started
 * with the same datagram size; here the size of a datagram and the first sequence number follow,
 * so that nothing can disagree and a late datagram of the previous payload is recognised
 * (deviation RBUDP-D2). 16 bytes, big-endian.
 */
struct RbudpAnnouncement
{
    static constexpr uint32_t SIZE = 16;                  //!< bytes on the wire
    static constexpr uint32_t MAX_PAYLOAD_SIZE = 65503;   //!< UDP's 65507 less the data header
    static constexpr uint64_t MAX_DATAGRAMS = 1ULL << 31; //!< half the sequence space

    uint64_t bytes{0};         //!< size of the payload, B; 0: "no such file"
    uint32_t payloadSize{0};   //!< user bytes per datagram, B, 1 to MAX_PAYLOAD_SIZE
    uint32_t firstSequence{0}; //!< sequence number of the payload's first datagram

    /** @brief Number of datagrams of the payload. @return ceil(bytes / payloadSize) */
    uint64_t GetDatagrams() const;

    /**
     * @brief Bytes that a datagram carries.
     * @param index 0 to GetDatagrams() - 1
     * @return payloadSize, or what is left for the last one
     */
    uint32_t GetDatagramBytes(uint64_t index) const;

    /** @brief Write the message. @return its bytes */
    std::array<uint8_t, SIZE> Write() const;

    /**
     * @brief Read the message.
     * @param bytes what arrived
     * @return the message; nothing when the length is wrong, the datagram size is out of range or
     *         the payload has more than MAX_DATAGRAMS
     */
    static std::optional<RbudpAnnouncement> Read(std::span<const uint8_t> bytes);
};

/**
 * @ingroup lfn-rbudp
 * @brief DONE: the blast has been sent (section 4, C in figure 4). 8 bytes: round, marker, pad.
 */
struct RbudpDone
{
    static constexpr uint32_t SIZE = 8; //!< bytes on the wire

    uint32_t round{0}; //!< number of the blast, from 0

    /**
     * @brief Write the message.
     * @param wire how messages are laid out
     * @return its bytes
     */
    std::array<uint8_t, SIZE> Write(RbudpWire wire = RbudpWire::LFN) const;

    /**
     * @brief Read the message.
     * @param bytes what arrived
     * @param wire how messages are laid out
     * @return the message; nothing when the length or the marker is wrong
     */
    static std::optional<RbudpDone> Read(std::span<const uint8_t> bytes,
                                         RbudpWire wire = RbudpWire::LFN);
};

/**
 * @ingroup lfn-rbudp
 * @brief The acknowledgement: a bitmap of received datagrams (section 4, D in figure 4).
 *
 * Byte 0 is 1 when nothing is missing, else 0; then floor(N / 8) + 1 bytes with one bit per
 * datagram, least significant first, set = received; bits past the last datagram are set.
 */
struct RbudpAck
{
    /**
     * @brief Size on the wire.
     * @param datagrams N
     * @return floor(N / 8) + 2 bytes
     */
    static uint64_t GetSize(uint64_t datagrams);

    /**
     * @brief Write the message.
     * @param bitmap floor(N / 8) + 1 bytes, tail bits set
     * @param complete whether nothing is missing
     * @return the message's bytes
     */
    static std::vector<uint8_t> Write(std::span<const uint8_t> bitmap, bool complete);

    /**
     * @brief Check the message and take out the bitmap.
     * @param bytes what arrived
     * @param datagrams N
     * @return the bitmap; nothing when the length is wrong, a tail bit is clear, or byte 0
     *         disagrees with the bits
     */
    static std::optional<std::vector<uint8_t>> Read(std::span<const uint8_t> bytes,
                                                    uint64_t datagrams);
};

/**
 * @ingroup lfn-rbudp
 * @brief Request of the file tool, receiver to sender: a name in 256 bytes, padded with zeros.
 */
struct RbudpFileRequest
{
    static constexpr uint32_t SIZE = 256; //!< bytes on the wire

    std::string name; //!< 1 to 255 bytes, none of them zero

    /** @brief Write the message; a longer name is cut at 255 bytes. @return its bytes */
    std::array<uint8_t, SIZE> Write() const;

    /**
     * @brief Read the message.
     * @param bytes what arrived
     * @return the message; nothing when the length is wrong, the name is empty or not ended, or
     *         the padding is not zero
     */
    static std::optional<RbudpFileRequest> Read(std::span<const uint8_t> bytes);
};

} // namespace ns3::lfn

#endif // RBUDP_HEADER_H
