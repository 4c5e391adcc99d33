// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_HELPER_H
#define VRP_HELPER_H

#include "ns3/address.h"
#include "ns3/attribute.h"
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
class VrpHelper
{
  public:
    /** @brief A sender with its frames, and the receiver. */
    struct Transfer
    {
        Ptr<VrpSender> sender;      //!< on the sending node
        Ptr<VrpFrameSource> source; //!< makes its frames
        Ptr<VrpReceiver> receiver;  //!< on the receiving node; it may have other senders as well
    };

    VrpHelper();

    /** @brief Set an Attribute of the senders to come. */
    void SetSenderAttribute(const std::string& name, const AttributeValue& value);

    /** @brief Set an Attribute of the receivers to come. */
    void SetReceiverAttribute(const std::string& name, const AttributeValue& value);

    /** @brief Set an Attribute of the sources to come. */
    void SetSourceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Set the receivers' UDP port, which senders send to; VrpReceiver's default unless set.
     */
    void SetPort(uint16_t port);

    /** @brief Get the receivers' UDP port. */
    uint16_t GetPort() const;

    /** @brief Install a receiver, not yet started. */
    Ptr<VrpReceiver> InstallReceiver(Ptr<Node> node) const;

    /**
     * @brief Install a sender.
     * @param node where
     * @param receiver IPv4 or IPv6 address of the receiver, with or without a port
     * @return the sender, not yet started
     */
    Ptr<VrpSender> InstallSender(Ptr<Node> node, const Address& receiver) const;

    /** @brief Install a source of the frames that a sender sends, not yet started. */
    Ptr<VrpFrameSource> InstallSource(Ptr<VrpSender> sender) const;

    /**
     * @brief Install a sender and a source of its frames.
     * @param node where
     * @param receiver the receiver
     * @param address IPv4 or IPv6 address of the receiver, with or without a port
     * @return all three, the new ones not yet started
     */
    Transfer Install(Ptr<Node> node, Ptr<VrpReceiver> receiver, const Address& address) const;

    /**
     * @brief Have the timers of a transfer follow the round-trip time, as lfn::FollowRtt() does.
     * @param transfer its ends; a receiver of several senders follows the longest one
     * @param rtt the round-trip time of propagation
     */
    static void FollowRtt(const Transfer& transfer, Time rtt);

  private:
    ObjectFactory m_sender;   //!< makes senders
    ObjectFactory m_receiver; //!< makes receivers
    ObjectFactory m_source;   //!< makes sources
    uint16_t m_port{0};       //!< the receivers' port
};

} // namespace ns3::lfn

#endif // VRP_HELPER_H
