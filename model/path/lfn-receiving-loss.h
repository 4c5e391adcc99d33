// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_RECEIVING_LOSS_H
#define LFN_RECEIVING_LOSS_H

#include "lfn-error-model-list.h"

#include "ns3/address.h"
#include "ns3/error-model.h"
#include "ns3/net-device.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Loses IP packets between a device and its node, where the device has no error model for
 * them: one of Wi-Fi has none, and that of a shared medium sees others' frames as well.
 *
 * The models see bare IP packets that the device has for its node, and no frames of ARP. What is
 * lost never reaches the internet stack; link-layer acknowledgements have gone out by then. Other
 * packets go to the internet stack alone: packet sockets on the device get nothing.
 */
class ReceivingLoss : public Object
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    ReceivingLoss();

    /**
     * @brief Have a model lose what arrives at a device, in addition to those that do already.
     * @param device the device, on a node with an internet stack
     * @param model the model
     * @return false when there is no internet stack
     */
    static bool AddTo(Ptr<NetDevice> device, Ptr<ErrorModel> model);

  protected:
    void DoDispose() override;

  private:
    /** @brief Take a packet from the device, as its node would. @return true */
    bool Receive(Ptr<NetDevice> device,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& from);

    Ptr<ErrorModelList> m_models; //!< the models
};

/**
 * @ingroup lfn
 * @brief Have a model lose the IP packets that a device receives, in addition to earlier ones:
 * at the device itself, or on a shared medium between it and its node.
 * @param device the device
 * @param model the model
 * @return false when the node has no internet stack to lose packets in front of
 */
bool AddLoss(Ptr<NetDevice> device, Ptr<ErrorModel> model);

} // namespace ns3::lfn

#endif // LFN_RECEIVING_LOSS_H
