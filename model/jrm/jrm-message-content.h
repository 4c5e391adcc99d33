// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_MESSAGE_CONTENT_H
#define JRM_MESSAGE_CONTENT_H

#include "jrm-header.h"
#include "jrm-sender-core.h"

#include "ns3/packet.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief The bytes of messages: zeros, or a pattern that receivers can check, and their parities.
 */
class JrmMessageContent
{
  public:
    /** @brief Zeros, in packets without any data. */
    JrmMessageContent() = default;

    /**
     * @brief The content of all messages of a session.
     * @param packetSize data bytes of a packet
     * @param isPattern the pattern instead of zeros
     */
    JrmMessageContent(uint32_t packetSize, bool isPattern);

    /**
     * @brief Get the size of the data of a packet.
     * @param packet the packet, or a parity
     * @return size, B
     */
    uint32_t GetSize(const JrmSenderCore::Response& packet) const;

    /**
     * @brief Make the data of a packet, or of a parity with what reports which one it is.
     * @param packet the packet, or the parity
     * @return a datagram without its header
     */
    Ptr<Packet> Make(const JrmSenderCore::Response& packet) const;

    /**
     * @brief Compare data with the pattern.
     * @param id the message
     * @param packet PSN of the packet that the data begin with
     * @param data the data
     * @return true when they are what was sent
     */
    bool Matches(const JrmMessageId& id, uint16_t packet, Ptr<const Packet> data) const;

  private:
    /**
     * @brief Get the place of a message's bytes in the pattern.
     * @param id the message
     * @param packet PSN
     * @return offset, B
     */
    uint64_t GetOffset(const JrmMessageId& id, uint16_t packet) const;

    uint32_t m_packetSize{0}; //!< data bytes of a packet
    bool m_isPattern{false};  //!< the pattern instead of zeros
};

} // namespace ns3::lfn

#endif // JRM_MESSAGE_CONTENT_H
