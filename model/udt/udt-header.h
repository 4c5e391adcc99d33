// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_HEADER_H
#define UDT_HEADER_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup lfn-udt
 * UDT on the wire: data and control packets, big-endian (draft-gg-udt-03, section 2).
 */

/**
 * @defgroup lfn-udt UDT
 * @ingroup lfn
 * UDP-based Data Transfer of Gu and Grossman, Computer Networks 2007, as the program UDT4 has it.
 */

namespace ns3::lfn
{

/** @brief Bytes of the header of every packet. */
constexpr uint32_t UDT_HEADER_SIZE = 16;

/** Smallest size of a full packet with the headers of IP and UDP, room for data with IPv6 [B]. */
constexpr uint32_t UDT_LEAST_MSS = 96;

/** @brief Types of control packets. */
enum class UdtType : uint16_t
{
    HANDSHAKE = 0,     //!< connection set-up
    KEEP_ALIVE = 1,    //!< the peer is still there
    ACK = 2,           //!< what arrived, and the receiver's estimates
    NAK = 3,           //!< what is missing
    DELAY_WARNING = 4, //!< unused
    SHUTDOWN = 5,      //!< the peer closes
    ACK2 = 6,          //!< answer to an ACK
    MESSAGE_DROP = 7,  //!< the sender gives a message up
    ERROR = 8,         //!< the receiver's disk failed
    USER = 0x7fff,     //!< the user's own
};

/**
 * @ingroup lfn-udt
 * @brief Header of a data packet; the payload follows.
 */
struct UdtData
{
    uint32_t sequence{0};    //!< number of the packet, 31 bits
    bool isFirst{false};     //!< the message begins here
    bool isLast{false};      //!< the message ends here
    bool isInOrder{false};   //!< deliver after all earlier messages
    uint32_t message{0};     //!< number of the message, 29 bits
    uint32_t timestamp{0};   //!< since the socket was opened, us
    uint32_t destination{0}; //!< socket ID of the peer

    /** @brief Write the header. @return its bytes */
    std::array<uint8_t, UDT_HEADER_SIZE> Write() const;

    /** @brief Compare all fields. @return whether they agree */
    bool operator==(const UdtData&) const = default;
};

/**
 * @ingroup lfn-udt
 * @brief Connection set-up: a request, the same with a cookie, the request again, the answer.
 */
struct UdtHandshake
{
    static constexpr uint32_t VERSION = 4;   //!< the only one that is understood
    static constexpr uint32_t STREAM = 1;    //!< socket type of a byte stream
    static constexpr uint32_t DATAGRAM = 2;  //!< socket type of messages
    static constexpr int32_t REQUEST = 1;    //!< request type, also of the cookie that comes back
    static constexpr int32_t ANSWER = -1;    //!< the second request, and its answer
    static constexpr int32_t REFUSED = 1002; //!< the server takes no connection

    uint32_t version{VERSION};         //!< version of UDT
    uint32_t socketType{STREAM};       //!< stream or datagrams
    uint32_t initialSequence{0};       //!< of both directions, 31 bits
    uint32_t mss{1500};                //!< packet with IP and UDP headers, B
    uint32_t window{0};                //!< largest flow window, packets
    int32_t request{REQUEST};          //!< request type
    uint32_t socketId{0};              //!< of who sends this
    uint32_t cookie{0};                //!< 0 in the first request
    std::array<uint32_t, 4> address{}; //!< IP address of who gets this; nobody reads it
    uint32_t destination{0};           //!< socket ID of who gets this; 0 in requests

    /** @brief Write the packet. @return its bytes, 64 */
    std::vector<uint8_t> Write() const;

    /** @brief Compare all fields. @return whether they agree */
    bool operator==(const UdtHandshake&) const = default;
};

/**
 * @ingroup lfn-udt
 * @brief Acknowledgement.
 *
 * Light ones have the next sequence number only and the ACK number 0, full ones the path as well.
 */
struct UdtAck
{
    /** @brief What a full acknowledgement says about the path. */
    struct Path
    {
        uint32_t rttUs{0};    //!< smoothed round-trip time, us
        uint32_t rttVarUs{0}; //!< its variation, us
        uint32_t buffer{0};   //!< free buffer, packets
        /** @brief Compare all fields. @return whether they agree */
        bool operator==(const Path&) const = default;
    };

    /** @brief What the receiver measured. */
    struct Rates
    {
        uint32_t arrival{0};  //!< arrival rate, packets/s; 0 for unknown
        uint32_t capacity{0}; //!< capacity of the link, packets/s; 0 for unknown
        /** @brief Compare all fields. @return whether they agree */
        bool operator==(const Rates&) const = default;
    };

    uint32_t number{0};         //!< of the acknowledgement, from 1; 0 in a light one
    uint32_t next{0};           //!< next sequence number expected
    std::optional<Path> path;   //!< not in a light one
    std::optional<Rates> rates; //!< at most once per SYN
    uint32_t destination{0};    //!< socket ID of the peer

    /** @brief Write the packet. @return its bytes: 20, 32 or 40 */
    std::vector<uint8_t> Write() const;

    /** @brief Compare all fields. @return whether they agree */
    bool operator==(const UdtAck&) const = default;
};

/**
 * @ingroup lfn-udt
 * @brief Consecutive sequence numbers, both ends included.
 */
struct UdtRange
{
    uint32_t first{0}; //!< first one
    uint32_t last{0};  //!< last one, less than 2^30 behind the first
    /** @brief Compare all fields. @return whether they agree */
    bool operator==(const UdtRange&) const = default;
};

/**
 * @ingroup lfn-udt
 * @brief Report of missing packets.
 */
struct UdtNak
{
    std::vector<UdtRange> lost; //!< what is missing, at least one range
    uint32_t destination{0};    //!< socket ID of the peer

    /** @brief Write the packet. @return its bytes: one word per packet, two per longer range */
    std::vector<uint8_t> Write() const;

    /** @brief Compare all fields. @return whether they agree */
    bool operator==(const UdtNak&) const = default;
};

/**
 * @ingroup lfn-udt
 * @brief The sender has given a message up: its packets will not come (UDT-53).
 */
struct UdtDrop
{
    uint32_t message{0};     //!< message number, 29 bits
    UdtRange range;          //!< its packets
    uint32_t destination{0}; //!< socket ID of the peer

    /** @brief Write the packet. @return its bytes: 24 */
    std::vector<uint8_t> Write() const;

    /** @brief Compare all fields. @return whether they agree */
    bool operator==(const UdtDrop&) const = default;
};

/**
 * @ingroup lfn-udt
 * @brief A control packet whose body says nothing to a stream: keep-alive, shutdown, ACK2 and the
 * rest.
 */
struct UdtSignal
{
    UdtType type{UdtType::KEEP_ALIVE}; //!< any type without a struct of its own
    uint32_t info{0};                  //!< ACK2: number of the acknowledgement
    uint32_t destination{0};           //!< socket ID of the peer

    /** @brief Write the packet. @return its bytes: 20, the last four are padding as in UDT4 */
    std::vector<uint8_t> Write() const;

    /** @brief Compare all fields. @return whether they agree */
    bool operator==(const UdtSignal&) const = default;
};

/**
 * @ingroup lfn-udt
 * @brief Bytes that are no packet of UDT.
 */
struct UdtMalformed
{
    const char* problem{""}; //!< what is wrong
};

/** @brief Each kind of datagram. */
using UdtPacket =
    std::variant<UdtMalformed, UdtData, UdtHandshake, UdtAck, UdtNak, UdtSignal, UdtDrop>;

/**
 * @ingroup lfn-udt
 * @brief Read a datagram. Every byte string is read or refused.
 * @param bytes payload of UDP; of data the header is enough
 * @return the packet
 */
UdtPacket ReadUdtPacket(std::span<const uint8_t> bytes);

/**
 * @ingroup lfn-udt
 * @brief Write a control packet.
 * @param packet any but UdtMalformed and UdtData
 * @return its bytes
 */
std::vector<uint8_t> WriteUdtControl(const UdtPacket& packet);

} // namespace ns3::lfn

#endif // UDT_HEADER_H
