// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_MESSAGE_LOG_H
#define VRP_MESSAGE_LOG_H

#include "lfn-run-recorder.h"

#include "ns3/net-device.h"
#include "ns3/packet.h"
#include "ns3/vrp-receiver.h"
#include "ns3/vrp-sender.h"

#include <cstdint>
#include <map>
#include <optional>

/**
 * @file
 * @ingroup lfn-vrp
 * ns3::lfn::VrpMessageLog declaration.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief Writes what a sender and its receiver exchange, for a sequence chart.
 *
 * A data packet is one line, a control packet one line a tag (without LAST and PADDING). The round
 * is the frame, counted from 0 in the order of appearance.
 */
class VrpMessageLog
{
  public:
    /**
     * @brief Read the VRP header of a frame on a point-to-point link.
     * @param frame the link's frame, PPP header first
     * @param port the receiver's UDP port
     * @return the header, when this is a packet to the receiver or its first fragment
     */
    static std::optional<VrpHeader> Peek(Ptr<const Packet> frame, uint16_t port);

    /**
     * @brief Listen to both ends and to what the link loses.
     * @param recorder takes the messages; outlives the simulation
     * @param sender the sending end
     * @param receiver the receiving end, which has no other sender
     * @param arriving device whose lost frames are logged; null or of another kind: none
     * @param port the receiver's UDP port
     */
    VrpMessageLog(RunRecorder& recorder,
                  Ptr<VrpSender> sender,
                  Ptr<VrpReceiver> receiver,
                  Ptr<NetDevice> arriving,
                  uint16_t port);

  private:
    /**
     * @brief A packet leaves or arrives.
     * @param node "sender" or "receiver"
     * @param event "tx" or "rx"
     * @param packet the packet, VRP header first
     */
    void OnPacket(std::string node, std::string event, Ptr<const Packet> packet);

    /**
     * @brief The link loses a frame.
     * @param frame the link's frame
     */
    void OnLost(Ptr<const Packet> frame);

    /**
     * @brief Number the frames as they appear.
     * @param number frame number
     * @return 0, 1, ...
     */
    uint64_t GetRound(uint16_t number);

    RunRecorder& m_recorder;               //!< takes the messages
    std::map<uint16_t, uint64_t> m_rounds; //!< frames by number
    uint16_t m_port;                       //!< the receiver's UDP port
};

} // namespace ns3::lfn

#endif // VRP_MESSAGE_LOG_H
