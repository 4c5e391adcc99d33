// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_MECHANISM_H
#define XCP_MECHANISM_H

#include "ns3/ptr.h"
#include "ns3/type-id.h"
#include "ns3/xcp-tcp-fairness.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief How the routers of XCP share a link with end-to-end flows (RR2007-46, section 4).
 */
enum class XcpMechanism : uint8_t
{
    NONE,       //!< they do not
    PERSISTENT, //!< XcpMultiplicativeDropLaw, as published
    GATED,      //!< the same, which drops only while the flows take more than their fair share
    ADAPTIVE,   //!< XcpAdaptiveDropLaw
    WRR         //!< two queues, XcpTcpWrrQueueDisc
};

/**
 * @ingroup lfn-xcp
 * @brief Squared coefficient of variation of the rates of TCP flows, of which the adaptive law's
 * XcpSredEstimators need; it requires their CompareWhileFilling as well, since its brake needs
 * a count before the tables are full.
 */
constexpr double XCP_RENO_VARIATION = 0.165;

/**
 * @ingroup lfn-xcp
 * @brief Get the drop law of a mechanism.
 * @param mechanism PERSISTENT, GATED or ADAPTIVE
 * @return the class
 */
TypeId GetXcpDropLaw(XcpMechanism mechanism);

/**
 * @ingroup lfn-xcp
 * @brief Make the fairness mechanism of a port.
 * @param mechanism PERSISTENT, GATED or ADAPTIVE
 * @param estimator class of the estimators of both classes' flows
 * @return the mechanism, which rules one port
 */
Ptr<XcpTcpFairness> MakeXcpFairness(XcpMechanism mechanism, TypeId estimator);

} // namespace ns3::lfn

#endif // XCP_MECHANISM_H
