// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_ERRORS_H
#define JRM_ERRORS_H

#include "ns3/packet.h"
#include "ns3/random-variable-stream.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief The errors of the paper's experiments: datagrams that are discarded before they are sent
 *        (section 4), or lost at their arrival.
 */
struct JrmErrors
{
    double sendRate{0};    //!< probability that a datagram is discarded before it is sent
    double receiveRate{0}; //!< probability that an arriving datagram is lost
    bool onData{true};     //!< messages, NACK responses and heartbeats are discarded
    bool onNack{true};     //!< NACK requests are discarded and lost (J-C1)

    /** Draws the errors before the send. */
    Ptr<UniformRandomVariable> send{CreateObject<UniformRandomVariable>()};
    /** Draws the errors at arrival. */
    Ptr<UniformRandomVariable> receive{CreateObject<UniformRandomVariable>()};

    /**
     * @brief Draw whether a datagram is discarded before it is sent.
     * @param isNack whether it is NACK traffic of a receiver
     * @return true when it is
     */
    bool IsDiscarded(bool isNack) const;

    /**
     * @brief Draw whether a datagram is lost at its arrival.
     * @param packet the datagram
     * @return true when it is
     */
    bool IsLost(Ptr<const Packet> packet) const;
};

} // namespace ns3::lfn

#endif // JRM_ERRORS_H
