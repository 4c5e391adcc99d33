// SPDX-License-Identifier: GPL-2.0-only

#ifndef VRP_TRANSPORT_H
#define VRP_TRANSPORT_H

#include "ns3/lfn-transport.h"

namespace ns3::lfn
{

class VrpReceiver;
class VrpSender;

/**
 * @ingroup lfn-vrp
 * @brief "vrp": frames with a tolerance for loss, one after the other, paced by the flow's rate.
 *
 * VRP has no rate of its own: the sending host's interface is given the flow's, and the window
 * holds twice what is under way then.
 */
class VrpTransport : public Transport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    TransferReport GetReport(const TransportEnds& ends) const override;
    FlowCounter::Bounds GetBounds(const TransportFlow& flow,
                                  const TransportEnds& ends) const override;

  private:
    /** @brief Have frames that arrive without gaps taken for the objects that they are. */
    static void RecordObjects(ObjectLog& objects, Ptr<VrpSender> sender, Ptr<VrpReceiver> receiver);

    double m_maxLossRate{0};  //!< attribute MaxLossRate
    uint32_t m_frameSize{0};  //!< attribute FrameSize, [B]
    uint32_t m_concurrent{0}; //!< attribute ConcurrentFrames
};

} // namespace ns3::lfn

#endif // VRP_TRANSPORT_H
