// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TRANSPORT_H
#define XCP_TRANSPORT_H

#include "xcp-mechanism.h"

#include "ns3/queue-disc.h"
#include "ns3/tcp-transport.h"

#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief "xcp": a connection of XCP; the bottlenecks become output ports of XCP routers.
 *
 * All other flows of the network pass the same routers, as those of no XCP. Mechanism says how the
 * routers share a link with them; it is the same for all flows of XCP in a network.
 */
class XcpTransport : public ConnectionTransport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;

  private:
    std::optional<std::string> DoPrepare(TransportTopology& topology) override;

    /** @brief Get the class of the ports' queue discs. */
    std::string GetQueueDisc() const;

    /** @brief Get the class of the mechanism's estimators. */
    TypeId GetEstimator() const;

    /**
     * @brief Check whether a port that is there rules as this transport asks.
     * @param disc the port's queue disc; one of another class than this module's always does
     * @return true when so
     */
    bool HasMechanism(Ptr<const QueueDisc> disc) const;

    /** @brief Which of XcpTcpFairness's estimators count the flows. */
    enum class Estimator : uint8_t
    {
        SRED,  //!< XcpSredEstimator
        BLOOM, //!< XcpBloomEstimator
        EXACT  //!< XcpExactEstimator
    };

    XcpMechanism m_mechanism{XcpMechanism::NONE}; //!< Attribute Mechanism.
    Estimator m_estimator{Estimator::SRED};       //!< Attribute Estimator.
};

} // namespace ns3::lfn

#endif // XCP_TRANSPORT_H
