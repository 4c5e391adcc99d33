// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LINK_ACTIONS_H
#define LFN_LINK_ACTIONS_H

#include "lfn-link-schedule-file.h"

#include "ns3/error-model.h"
#include "ns3/lfn-link-outage.h"
#include "ns3/lfn-topology.h"
#include "ns3/net-device.h"
#include "ns3/ptr.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Changes links of a topology at their times.
 *
 * A rate is the Attribute DataRate of the sending devices. XcpPort::ResumeTimers() is called before
 * it changes, so that XCP's controllers have the rate of every interval. A packet that is being
 * sent keeps its rate, one under way its delay.
 */
class LinkActions
{
  public:
    /**
     * @brief Constructor.
     * @param topology The network, built; it outlives the calls of Schedule().
     */
    explicit LinkActions(const TransportTopology& topology);

    /**
     * @brief Schedule a change of links.
     * @param change The change.
     * @param now Change the links at once.
     * @return What is wrong and the remedy, or nothing.
     */
    std::optional<std::string> Schedule(const LinkChange& change, bool now = false);

    /**
     * @brief Have links deliver by a trace.
     * @param link The links.
     * @param trace The trace.
     * @return What is wrong and the remedy, or nothing.
     */
    std::optional<std::string> Deliver(const LinkName& link, const DeliveryTrace& trace);

  private:
    /** @brief What is done at a time; a null function: nothing yet. */
    using Action = std::function<void()>;

    /** @brief Find links, turned in the direction of a name's; both turns for both directions. */
    std::vector<TransportTopology::Link> Find(const LinkName& link) const;

    /** @brief Prepare a change of the rate. @return What is wrong, or nothing. */
    static std::optional<std::string> MakeRate(const std::vector<TransportTopology::Link>& links,
                                               DataRate rate,
                                               Action& action);

    /** @brief Prepare a change of the delay. @return What is wrong, or nothing. */
    static std::optional<std::string> MakeDelay(const std::vector<TransportTopology::Link>& links,
                                                Time delay,
                                                Action& action);

    /** @brief Prepare a change of the losses. @return What is wrong, or nothing. */
    std::optional<std::string> MakeLoss(const std::vector<TransportTopology::Link>& links,
                                        double probability,
                                        Action& action);

    /** @brief Prepare a change of the state. @return What is wrong, or nothing. */
    std::optional<std::string> MakeState(const std::vector<TransportTopology::Link>& links,
                                         bool isUp,
                                         Action& action);

    const TransportTopology& m_topology;                      //!< The network.
    std::map<const NetDevice*, Ptr<RateErrorModel>> m_losses; //!< By the receiving device.
    std::map<const NetDevice*, Ptr<LinkOutage>> m_outages;    //!< By the receiving device.
};

} // namespace ns3::lfn

#endif // LFN_LINK_ACTIONS_H
