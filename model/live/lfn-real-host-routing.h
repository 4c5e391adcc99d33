// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_REAL_HOST_ROUTING_H
#define LFN_REAL_HOST_ROUTING_H

#include "ns3/callback.h"
#include "ns3/ipv4-list-routing.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The routing of a node whose place a real host takes: what is for the node itself goes to
 * that host, all else as before.
 *
 * It is a list with that routing alone in it, which gets what the list hands on.
 */
class RealHostRouting : public Ipv4ListRouting
{
  public:
    /** @brief Takes a packet for the node, with its header. */
    using Deliver = Callback<void, Ptr<const Packet>, const Ipv4Header&>;

    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    /**
     * @brief Set what is behind it; once, before it becomes the routing of the node.
     * @param inner The node's routing until now.
     * @param deliver Takes what is for the node.
     */
    void Set(Ptr<Ipv4RoutingProtocol> inner, Deliver deliver);

    bool RouteInput(Ptr<const Packet> p,
                    const Ipv4Header& header,
                    Ptr<const NetDevice> idev,
                    const UnicastForwardCallback& ucb,
                    const MulticastForwardCallback& mcb,
                    const LocalDeliverCallback& lcb,
                    const ErrorCallback& ecb) override;
    void SetIpv4(Ptr<Ipv4> ipv4) override;
    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream,
                           Time::Unit unit = Time::S) const override;

  protected:
    void DoDispose() override;

  private:
    Ptr<Ipv4RoutingProtocol> m_inner; //!< Has the routes.
    Deliver m_deliver;                //!< Takes what is for the node.
    Ptr<Ipv4> m_ipv4;                 //!< Has the node's addresses.
};

} // namespace ns3::lfn

#endif // LFN_REAL_HOST_ROUTING_H
