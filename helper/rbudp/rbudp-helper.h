// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_HELPER_H
#define RBUDP_HELPER_H

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/lfn-transfer-helper.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/rbudp-object-stream.h"
#include "ns3/rbudp-receiver.h"
#include "ns3/rbudp-sender.h"

#include <cstdint>

namespace ns3::lfn
{

class Flags;

/**
 * @ingroup lfn-rbudp
 * @brief Installs RBUDP transfers.
 */
class RbudpHelper : public EndsHelper<RbudpSender, RbudpReceiver>
{
  public:
    using EndsHelper::Install;

    RbudpHelper();

    /**
     * @brief Set the ports of the transfers to come, on both ends: of the datagrams, of the control
     * connection.
     */
    void SetPorts(uint16_t udpPort, uint16_t controlPort);

    /**
     * @brief Use the analytical model's control channel for the transfers to come, not TCP. It
     * joins two ends that are installed together.
     * @param delay T_prop, one way
     * @param ackRate rate of acknowledgement bits, B_send; 0 bit/s for no T_ack
     */
    void UseIdealControl(Time delay, DataRate ackRate);

    /**
     * @brief Install a transfer.
     * @param sendingNode where the sender goes
     * @param senderAddress IPv4 or IPv6 address at which the receiver finds it
     * @param receivingNode where the receiver goes
     * @param receiverAddress where the datagrams go
     * @return both ends, not yet started
     */
    Transfer Install(Ptr<Node> sendingNode,
                     const Address& senderAddress,
                     Ptr<Node> receivingNode,
                     const Address& receiverAddress) const;

    /**
     * @brief Have the timers of a transfer follow the round-trip time, as lfn::FollowRtt() does.
     * @param transfer both ends
     * @param rtt the round-trip time of propagation
     */
    static void FollowRtt(const Transfer& transfer, Time rtt);

    /**
     * @brief Install a source of objects on top of a transfer (section 4.3).
     * @param transfer both ends; the sender's Bytes and BlockSize are set to 0
     * @return the source, not yet started
     */
    static Ptr<RbudpObjectStream> InstallStream(const Transfer& transfer);

    /**
     * @brief Get the size of datagrams that a program's flags packetSize and ipVersion ask for.
     * @param flags the flags; packetSize stands for RbudpSender::PayloadSize
     * @return user bytes; over IPv6, whose header is longer, a default that fits an MTU of 1500 B
     */
    static uint32_t GetPacketSize(const Flags& flags);

  private:
    bool m_idealControl{false}; //!< use RbudpIdealControl
    ObjectFactory m_ideal;      //!< makes control channels
};

} // namespace ns3::lfn

#endif // RBUDP_HELPER_H
