// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_DROP_LAW_H
#define XCP_DROP_LAW_H

#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief How the drop probability for end-to-end flows follows what they take and their fair
 * share.
 */
class XcpDropLaw : public Object
{
  public:
    /** @brief What was seen in an adaptation interval. */
    struct Observation
    {
        double length{0};       //!< of the interval, [s]
        double utilisation{0};  //!< departed bytes over capacity
        double e2eRate{0};      //!< accepted bytes of E2E, [B/s]
        double e2eFairShare{0}; //!< BW_T, [B/s]
        double e2eFlows{0};     //!< M
        double meanRtt{0};      //!< mean RTT of the XCP traffic when it last reported one, [s]
        double e2eRtt{0};       //!< mean RTT of E2E with the wait here, [s]; 0: not known
        double meanPacket{0};   //!< mean size of E2E data packets, [B]; 0: none came
    };

    /** @brief What follows. */
    struct Decision
    {
        double probability{0}; //!< p
        bool apply{false};     //!< packets are dropped with it in the next interval
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Decide upon the next interval.
     * @param observation of the one that ends; both classes are active
     * @return the decision
     */
    virtual Decision Decide(const Observation& observation) = 0;

    /**
     * @brief One of the classes is silent: nothing is to be shared. Further calls in a row change
     * nothing: an idle port leaves them out.
     * @return the decision: p as it was, not applied
     */
    virtual Decision Rest() = 0;
};

} // namespace ns3::lfn

#endif // XCP_DROP_LAW_H
