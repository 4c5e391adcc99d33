// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LINK_TOPOLOGY_H
#define LFN_LINK_TOPOLOGY_H

#include "lfn-topology.h"

#include "ns3/data-rate.h"
#include "ns3/lfn-queue-limit.h"
#include "ns3/queue-size.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A topology with Attributes LinkRate, Rtt, Queue and Mtu.
 *
 * It has no TypeId. ns-3 sets defaults of Attributes only by the class that declares them, and each
 * topology has defaults of its own, so AddLinkAttributes() declares them in the subclass.
 */
class LinkTopology : public TransportTopology
{
  public:
    /**
     * @brief Check that the MTU suits IPv6 where the hosts have it, that access links are not
     * slower than the bottleneck, and that Queue as BDP is a size that a queue can have.
     */
    std::optional<std::string> Check() const override;

  protected:
    /** @brief In what the Attributes of a subclass differ from those of others. */
    struct LinkAttributes
    {
        DataRate rate;                      //!< Default of LinkRate (bit/s).
        std::string rateHelp;               //!< Help of LinkRate.
        Time rtt;                           //!< Default of Rtt.
        std::string rttHelp;                //!< Help of Rtt.
        Time longestRtt{Days(3650)};        //!< Largest Rtt.
        std::string queueOf{"each device"}; //!< What has a queue, in the help of Queue.
        uint16_t largestMtu{UINT16_MAX};    //!< Largest Mtu (bytes).
    };

    /**
     * @brief Declare LinkRate, Rtt, Queue and Mtu.
     * @param tid The subclass, with its parent.
     * @param links In what its Attributes differ.
     * @return The subclass.
     */
    static TypeId AddLinkAttributes(TypeId tid, const LinkAttributes& links);

    /**
     * @brief Declare AccessRate, of topologies whose hosts have links of their own to a router.
     * @param tid The subclass, with the Attributes of AddLinkAttributes().
     * @return The subclass.
     */
    static TypeId AddAccessRate(TypeId tid);

    /** @brief Get the rate of the links between hosts and routers (bit/s). */
    DataRate GetAccessRate() const;

    /** @brief Get the largest size of the queue in front of each device (packets or bytes). */
    QueueSize GetQueueSize() const;

    DataRate m_linkRate; //!< Attribute LinkRate.
    Time m_rtt;          //!< Attribute Rtt.
    uint16_t m_mtu{0};   //!< Attribute Mtu, the largest IP packet (bytes).

  private:
    /** @brief Get the RTT of propagation that Queue as BDP goes by; Rtt unless pairs differ. */
    virtual Time GetPathRtt() const;

    QueueLimit m_queue;       //!< Attribute Queue, of the queue in front of each device.
    DataRate m_accessRate{0}; //!< Attribute AccessRate; 0: follows LinkRate.
};

} // namespace ns3::lfn

#endif // LFN_LINK_TOPOLOGY_H
