// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_HELPER_H
#define XCP_HELPER_H

#include "ns3/attribute.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/queue-disc-container.h"
#include "ns3/queue-disc.h"

#include <cstdint>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Puts XCP on hosts and routers of any topology.
 */
class XcpHelper
{
  public:
    XcpHelper();

    /**
     * @brief Give hosts the shim and the socket factory "ns3::lfn::XcpSocketFactory".
     *
     * Their TCP sockets stay TCP sockets. Twice does no harm.
     * @param nodes hosts with an internet stack, or one
     */
    static void Install(const NodeContainer& nodes);

    /**
     * @brief Choose the queue disc of the routers to come: XcpQueueDisc unless said otherwise.
     * @param type TypeId name of a QueueDisc; must exist
     */
    void SetQueueDisc(const std::string& type);

    /** @brief Choose the queue disc of the routers to come, with its Attributes. */
    void SetQueueDisc(const ObjectFactory& factory);

    /** @brief Set an Attribute of the queue discs to come. */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Make a device the output port of an XCP router: its own queue is cut to one packet,
     * flow control is installed, a queue disc that is there is replaced. What PPP adds to a packet
     * becomes the disc's OverheadBytes where that is 0: to have 0 set it on the disc returned.
     *
     * The device of a shared medium (NeedsArp()) keeps the size of its queue, for frames that it
     * gets past the disc; the disc hands over a packet when that queue is empty.
     * @param device a device of a node with a traffic control layer
     * @return the queue disc; null when the node has no traffic control layer
     */
    Ptr<QueueDisc> InstallPort(Ptr<NetDevice> device) const;

    /**
     * @brief Make devices output ports of XCP routers, as InstallPort() does.
     * @param devices the devices
     * @return the queue discs
     */
    QueueDiscContainer Install(const NetDeviceContainer& devices) const;

    /**
     * @brief Fix the random streams of output ports: their timers, the inspection and the drops of
     * their mechanisms, both estimators. Hosts draw nothing.
     * @param devices devices; those whose root queue disc is no XcpPort use none
     * @param stream the first stream
     * @return how many were used
     */
    static int64_t AssignStreams(const NetDeviceContainer& devices, int64_t stream);

    /**
     * @brief Fix the random streams of all output ports of nodes.
     * @param nodes routers, and hosts
     * @param stream the first stream
     * @return how many were used
     */
    static int64_t AssignStreams(const NodeContainer& nodes, int64_t stream);

    /**
     * @brief Get the largest segment whose packets need no fragments.
     * @param mtu of the path, [B]
     * @param ipv6 whether the packets are IPv6's
     * @return user bytes a segment with the congestion header and without TCP options, [B]; 0 when
     * none fits
     */
    static uint32_t GetSegmentSize(uint32_t mtu, bool ipv6);

  private:
    ObjectFactory m_queueDisc; //!< makes queue discs
};

} // namespace ns3::lfn

#endif // XCP_HELPER_H
