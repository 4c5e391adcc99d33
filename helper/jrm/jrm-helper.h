// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_HELPER_H
#define JRM_HELPER_H

#include "ns3/address.h"
#include "ns3/application-container.h"
#include "ns3/attribute.h"
#include "ns3/ipv6-address.h"
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
     * @param group a multicast address of IPv4 or IPv6
     * @return false, and nothing is done, when it is not a group, see JrmPeer::GetGroupNumber()
     */
    bool AddGroup(const Address& group);

    /**
     * @brief Make an address for a group of IPv6: of the site's scope, with a group ID that RFC
     *        3307 leaves to any host that needs one.
     * @param index which of them
     * @return ff15::8000:1 and those behind it
     */
    static Ipv6Address MakeIpv6Group(uint32_t index);

    /**
     * @brief Install a participant on each node, numbered from 1 on over all calls.
     *
     * Each node sends multicast datagrams out of its first device that is no loopback and has an
     * interface of IPv4, or of IPv6 for groups of that; to a group that MulticastTree::Install()
     * has routed before, out of all its devices on that tree. Routers between the nodes need
     * multicast routes of their own.
     *
     * @param nodes hosts with an internet stack that has static routing, the default of ns-3
     * @return the participants, not yet started; none, with nothing done, when a node does not have
     *         the IP of the groups (IPv4 without groups), or no static routing of it
     */
    ApplicationContainer Install(const NodeContainer& nodes);

    /** @brief Install participants as Install() does. */
    std::vector<Ptr<JrmPeer>> AddPeers(const NodeContainer& nodes);

    /** @brief Install a source of messages that a peer sends, not yet started. */
    Ptr<JrmMessageSource> AddSource(Ptr<JrmPeer> peer) const;

    /**
     * @brief Fix the random streams of the participants on nodes.
     * @param nodes the nodes, or one
     * @param stream the first stream
     * @return the number of streams used
     */
    static int64_t AssignStreams(const NodeContainer& nodes, int64_t stream);

  private:
    ObjectFactory m_factory;       //!< makes participants
    ObjectFactory m_source;        //!< makes sources
    std::vector<Address> m_groups; //!< groups that they join
    uint32_t m_participants{0};    //!< participants installed
};

} // namespace ns3::lfn

#endif // JRM_HELPER_H
