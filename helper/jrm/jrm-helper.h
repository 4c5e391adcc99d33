// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_HELPER_H
#define JRM_HELPER_H

#include "ns3/attribute.h"
#include "ns3/ipv4-address.h"
#include "ns3/jrm-message-source.h"
#include "ns3/jrm-peer.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief Builds a JRM session: participants on nodes, groups, and the route of multicast datagrams.
 */
class JrmHelper
{
  public:
    JrmHelper();

    /** @brief Set an Attribute of the participants to come. */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /** @brief Set an Attribute of the sources to come. */
    void SetSourceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Add a group that the participants to come join.
     * @param group a multicast address
     * @return false, and nothing is done, when it is none
     */
    bool AddGroup(Ipv4Address group);

    /**
     * @brief Install a participant on each node, numbered from 1 on over all calls.
     *
     * Each node sends multicast datagrams out of its first device with an IPv4 interface that is no
     * loopback. Routers between the nodes need multicast routes of their own.
     *
     * @param nodes hosts with an internet stack that has static routing, the default of ns-3
     * @return the participants, not yet started; none, with nothing done, when a node has no IPv4
     *         or no static routing
     */
    std::vector<Ptr<JrmPeer>> Install(const NodeContainer& nodes);

    /** @brief Install a source of messages that a peer sends, not yet started. */
    Ptr<JrmMessageSource> InstallSource(Ptr<JrmPeer> peer) const;

  private:
    ObjectFactory m_factory;           //!< makes participants
    ObjectFactory m_source;            //!< makes sources
    std::vector<Ipv4Address> m_groups; //!< groups that they join
    uint32_t m_participants{0};        //!< participants installed
};

} // namespace ns3::lfn

#endif // JRM_HELPER_H
