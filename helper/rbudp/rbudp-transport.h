// SPDX-License-Identifier: GPL-2.0-only

#ifndef RBUDP_TRANSPORT_H
#define RBUDP_TRANSPORT_H

#include "ns3/lfn-transport.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief "rbudp": blasts at the flow's rate, with a control connection beside.
 */
class RbudpTransport : public Transport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    FlowWitness::Bounds GetBounds(const TransportFlow& flow,
                                  const TransportEnds& ends) const override;
};

} // namespace ns3::lfn

#endif // RBUDP_TRANSPORT_H
