// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_MESSAGE_LOG_H
#define VRP_MESSAGE_LOG_H

#include "vrp-helper.h"

#include "ns3/lfn-run-recorder.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"
#include "ns3/vrp-header.h"

#include <cstdint>
#include <map>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief Writes what a sender and its receiver exchange, for a sequence chart.
 *
 * A data packet is one line, a control packet one line per tag (without LAST and PADDING). The
 * round is the frame, counted from 0 in the order of appearance.
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
     * @brief Constructor: listens to both ends and to what the link loses.
     * @param recorder takes the messages; it must outlive the transfer
     * @param transfer the two ends; the receiver has no other sender
     * @param arriving the device at which data of the bottleneck arrive; the lost frames of a
     * device of another kind than point-to-point are not logged
     */
    VrpMessageLog(RunRecorder& recorder,
                  const VrpHelper::Transfer& transfer,
                  Ptr<NetDevice> arriving);

    VrpMessageLog(const VrpMessageLog&) = delete;
    VrpMessageLog& operator=(const VrpMessageLog&) = delete;

  private:
    /**
     * @brief A packet leaves or arrives.
     * @param node "sender" or "receiver"
     * @param event "tx" or "rx"
     * @param packet the packet, VRP header first
     */
    void OnPacket(std::string node, std::string event, Ptr<const Packet> packet);

    /** @brief The link loses a frame. */
    void OnLost(Ptr<const Packet> frame);

    /** @brief Number the frames as they appear: 0, 1, ... */
    uint64_t GetRound(uint16_t number);

    RunRecorder& m_recorder;               //!< takes the messages
    std::map<uint16_t, uint64_t> m_rounds; //!< frames by number
    uint16_t m_port{0};                    //!< the receiver's UDP port
};

} // namespace ns3::lfn

#endif // VRP_MESSAGE_LOG_H
