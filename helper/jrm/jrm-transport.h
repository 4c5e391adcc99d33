// SPDX-License-Identifier: GPL-2.0-only

#ifndef JRM_TRANSPORT_H
#define JRM_TRANSPORT_H

#include "ns3/lfn-transport.h"

namespace ns3::lfn
{

class JrmMessageSource;
class JrmPeer;

/**
 * @ingroup lfn-jrm
 * @brief "jrm": messages to a group of its own with one receiver, at the flow's rate.
 *
 * The group's tree reaches the two hosts and all routers. Whole messages are sent: the bytes
 * offered are rounded up. No report of arrivals comes, so finish_s is the last delivery.
 */
class JrmTransport : public Transport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    bool IsDone(const TransportEnds& ends) const override;
    TransferReport GetReport(const TransportEnds& ends) const override;
    FlowCounter::Bounds GetBounds(const TransportFlow& flow,
                                  const TransportEnds& ends) const override;

  private:
    /** @brief Find the routers between the two hosts, and behind them the hosts. */
    static NodeContainer FindNodes(const TransportFlow& flow);

    /** @brief Have messages that arrive taken for the objects that they are. */
    static void RecordObjects(ObjectLog& objects,
                              Ptr<JrmMessageSource> source,
                              Ptr<JrmPeer> receiver);

    /** @brief Check whether every message has reached the receiver. */
    static bool IsDelivered(const TransportEnds& ends);

    uint32_t m_messagePackets{0}; //!< attribute MessagePackets
    Time m_heartbeat;             //!< attribute Heartbeat
    bool m_adaptive{true};        //!< attribute Adaptive
    bool m_grtt{true};            //!< attribute Grtt
};

} // namespace ns3::lfn

#endif // JRM_TRANSPORT_H
