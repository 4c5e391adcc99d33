// SPDX-License-Identifier: GPL-2.0-only

#ifndef RBUDP_MESSAGE_LOG_H
#define RBUDP_MESSAGE_LOG_H

#include "rbudp-helper.h"

#include "ns3/lfn-run-recorder.h"
#include "ns3/net-device.h"
#include "ns3/rbudp-message.h"

#include <cstdint>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Writes the messages of a transfer to messages.csv, for a sequence chart.
 */
class RbudpMessageLog
{
  public:
    /**
     * @brief Constructor: listens to both ends and to what the link loses.
     * @param recorder takes the messages; it must outlive the transfer
     * @param transfer the two ends
     * @param arriving the device at which data of the bottleneck arrive
     */
    RbudpMessageLog(RunRecorder& recorder,
                    const RbudpHelper::Transfer& transfer,
                    Ptr<NetDevice> arriving);

    RbudpMessageLog(const RbudpMessageLog&) = delete;
    RbudpMessageLog& operator=(const RbudpMessageLog&) = delete;

  private:
    /** @brief A datagram leaves the sender or is read by the receiver. */
    void OnData(bool sent, Ptr<const Packet> packet);

    /**
     * @brief A control message leaves or arrives.
     * @param node "sender" or "receiver"
     * @param kind the message
     * @param sent whether it leaves
     * @param round the blast that it belongs to
     * @param bytes its size, [B]
     */
    void OnMessage(std::string node,
                   RbudpMessageKind kind,
                   bool sent,
                   uint32_t round,
                   uint64_t bytes);

    /** @brief The link loses a frame. */
    void OnLost(Ptr<const Packet> frame);

    RunRecorder& m_recorder;    //!< takes the messages
    RbudpWire m_wire;           //!< layout of the datagrams
    uint32_t m_sendRound{0};    //!< blast that the sender is in
    uint32_t m_receiveRound{0}; //!< blast that the receiver is in
};

} // namespace ns3::lfn

#endif // RBUDP_MESSAGE_LOG_H
