// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_HELPER_H
#define VRP_HELPER_H

#include "ns3/address.h"
#include "ns3/application-container.h"
#include "ns3/attribute.h"
#include "ns3/lfn-transfer-helper.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/vrp-frame-source.h"
#include "ns3/vrp-receiver.h"
#include "ns3/vrp-sender.h"

#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief Installs VRP senders, receivers and sources of frames.
 */
class VrpHelper : public TransferHelper<VrpSender, VrpReceiver>
{
  public:
    /** @brief A sender with its frames, and the receiver. */
    struct Transfer
    {
        Ptr<VrpSender> source;           //!< on the sending node
        Ptr<VrpFrameSource> frameSource; //!< makes its frames
        Ptr<VrpReceiver> sink; //!< on the receiving node; it may have other senders as well
    };

    VrpHelper();

    /** @brief Set an Attribute of the sources of frames to come. */
    void SetFrameSourceAttribute(const std::string& name, const AttributeValue& value);

    /** @brief Install a source of the frames that a sender sends, not yet started. */
    Ptr<VrpFrameSource> AddFrameSource(Ptr<VrpSender> sender) const;

    /**
     * @brief Install a sender and a source of its frames on each node.
     * @param nodes the nodes, or one
     * @return both of each node, not yet started; the senders send to their Attribute Remote
     */
    ApplicationContainer Install(const NodeContainer& nodes) const;

    /**
     * @brief Install a sender and a source of its frames.
     * @param node where
     * @param sink the receiver, of several senders perhaps
     * @param remote IPv4 or IPv6 address of the receiver, with or without a port
     * @return all three, the new ones not yet started
     */
    Transfer Install(Ptr<Node> node, Ptr<VrpReceiver> sink, const Address& remote) const;

    /**
     * @brief Install a receiver, a sender and a source of its frames.
     * @param sendingNode where the sender goes
     * @param receivingNode where the receiver goes
     * @param remote IPv4 or IPv6 address at which the sender finds the receiver
     * @return all three, not yet started
     */
    Transfer Install(Ptr<Node> sendingNode, Ptr<Node> receivingNode, const Address& remote) const;

    /**
     * @brief Have the timers of a transfer follow the round-trip time, as lfn::FollowRtt() does.
     * @param transfer its ends; a receiver of several senders follows the longest one
     * @param rtt the round-trip time of propagation
     */
    static void FollowRtt(const Transfer& transfer, Time rtt);

  private:
    ObjectFactory m_frameSource; //!< makes sources of frames
};

} // namespace ns3::lfn

#endif // VRP_HELPER_H
