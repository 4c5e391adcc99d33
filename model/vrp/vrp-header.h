// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_HEADER_H
#define VRP_HEADER_H

#include "ns3/header.h"
#include "ns3/packet.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-vrp
 * VRP on the wire: the packet header and the tags of control packets (report, section 3.1).
 */

/**
 * @defgroup lfn-vrp VRP
 * @ingroup lfn
 * Variable Reliability Protocol of A. Denis, LIP research report 2000-11.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief Header of every packet: data or control, frame number, packet number; 6 bytes, big-endian.
 *
 * The first bit is 1 in control packets, whose packet number is 0 (the report gives neither
 * value: deviation VRP-D1).
 */
class VrpHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 6;                 //!< bytes on the wire
    static constexpr uint16_t FRAME_NUMBERS = 1U << 15; //!< frame numbers are below this

    /** @brief Header of packet 0 of frame 0. */
    VrpHeader() = default;

    /**
     * @brief Header of a data packet.
     * @param frame number of the frame; the lower 15 bits count
     * @param packet number of the packet in its frame
     * @return the header
     */
    static VrpHeader Data(uint16_t frame, uint32_t packet);

    /**
     * @brief Header of a control packet.
     * @param frame number of the frame; the lower 15 bits count
     * @return the header
     */
    static VrpHeader Control(uint16_t frame);

    /** @return the object TypeId */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /**
     * @brief Read the header.
     * @param start where it begins
     * @return bytes read: 6, or 0 when fewer than 6 are there (nothing is then changed)
     */
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    bool control{false}; //!< whether tags follow, or data
    uint16_t frame{0};   //!< number of the frame, 0 to 32767
    uint32_t packet{0};  //!< number of the packet in its frame, from 0
};

/**
 * @ingroup lfn-vrp
 * @brief Codes of the tags, in the order in which section 3.1 lists them (deviation VRP-D1).
 */
enum class VrpTagCode : uint8_t
{
    LAST,              //!< end of the list
    PING,              //!< time stamp, to be echoed
    PONG,              //!< the echo
    ACK,               //!< this packet and all before it
    SINGLE_ACK,        //!< this packet alone
    NACK,              //!< this packet is to be retransmitted
    FRAME_CREATE,      //!< a new frame
    CONS_LOSS,         //!< most consecutive losses, packets
    LOSS_RATE,         //!< highest loss rate, 0 to 255
    FRAME_OK,          //!< the frame was created
    FRAME_REFUSED,     //!< there is no room for the frame
    FRAME_CLOSE,       //!< the receiver may forget the frame
    MISSING_HDR,       //!< data of an unknown frame came
    CRITICAL_PACKET,   //!< a packet that must not be lost
    CRITICAL_INTERVAL, //!< packets that must not be lost, both ends included
    PADDING,           //!< bytes without meaning
};

/** @brief Get the report's name of a tag. @return its name in lower case, such as "single_ack" */
const char* ToString(VrpTagCode code);

/**
 * @ingroup lfn-vrp
 * @brief A tag: its code, and those of the fields that the code has; the others stay 0.
 */
struct VrpTag
{
    VrpTagCode code{VrpTagCode::LAST}; //!< what it says
    uint32_t packet{0}; //!< ACK, SINGLE_ACK, NACK, CRITICAL_*: packet number (interval: the first)
    uint32_t lastPacket{0};   //!< CRITICAL_INTERVAL: the last packet
    uint32_t seconds{0};      //!< PING, PONG: time stamp, s
    uint32_t microseconds{0}; //!< PING, PONG: time stamp, us
    uint16_t frame{0};        //!< FRAME_*, MISSING_HDR: frame number; its top bit is 0
    uint32_t dataSize{0};     //!< FRAME_CREATE: bytes of the frame
    uint16_t packetSize{0};   //!< FRAME_CREATE: data bytes of a packet
    uint8_t value{0};         //!< CONS_LOSS, LOSS_RATE
    uint16_t padding{0};      //!< PADDING: bytes that follow

    /**
     * @brief An ACK, SINGLE_ACK, NACK or CRITICAL_PACKET.
     * @param code which of them
     * @param packet the packet
     * @return the tag
     */
    static VrpTag OfPacket(VrpTagCode code, uint32_t packet);

    /**
     * @brief A FRAME_OK, FRAME_REFUSED, FRAME_CLOSE or MISSING_HDR.
     * @param code which of them
     * @param frame the frame
     * @return the tag
     */
    static VrpTag OfFrame(VrpTagCode code, uint16_t frame);

    /**
     * @brief A CONS_LOSS or LOSS_RATE.
     * @param code which of them
     * @param value its value
     * @return the tag
     */
    static VrpTag OfValue(VrpTagCode code, uint8_t value);

    /** @brief Get the tag's size on the wire. @return bytes, code included */
    uint32_t GetSize() const;

    /**
     * @brief Compare all fields.
     * @param other another tag
     * @return true when they are equal
     */
    bool operator==(const VrpTag& other) const = default;
};

/** @brief What follows the header of a control packet. */
struct VrpControl
{
    std::vector<VrpTag> tags; //!< the tags, without LAST
    uint32_t size{0}; //!< bytes that they took, with LAST; data may follow (option CombineSmall)

    /**
     * @brief Write tags and LAST; of frame numbers the lower 15 bits, padding as nulls.
     * @return their bytes
     */
    static std::vector<uint8_t> Write(std::span<const VrpTag> tags);

    /**
     * @brief Read tags up to LAST.
     *
     * A list with an unknown tag, a tag that is cut short, a frame number above 32767 or no LAST is
     * refused as a whole: the length of what is unknown cannot be skipped.
     *
     * @param bytes what follows the header
     * @return the tags, or nothing when the list is refused
     */
    static std::optional<VrpControl> Read(std::span<const uint8_t> bytes);

    /**
     * @brief Read the tags of a packet; see the other form.
     * @param packet what follows the header
     * @return the tags, or nothing when the list is refused
     */
    static std::optional<VrpControl> Read(Ptr<const Packet> packet);

    /**
     * @brief Make a control packet.
     * @param frame frame number of its header
     * @param tags its tags
     * @return the packet, header included
     */
    static Ptr<Packet> MakePacket(uint16_t frame, std::span<const VrpTag> tags);
};

} // namespace ns3::lfn

#endif // VRP_HEADER_H
