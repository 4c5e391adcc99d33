// SPDX-License-Identifier: GPL-2.0-only

#ifndef RBUDP_TRANSPORT_H
#define RBUDP_TRANSPORT_H

#include "ns3/lfn-transport.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief "rbudp": blasts at the flow's rate, with a control connection alongside.
 *
 * Objects go in blocks, each a payload (section 4.3): those that become available within the delay
 * D, equation (9), at the least rate that keeps up with them, equation (11). An object waits up to
 * D for its block, which takes up to D itself, so D is half of the deadline unless it is set.
 */
class RbudpTransport : public Transport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    FlowCounter::Bounds GetBounds(const TransportFlow& flow,
                                  const TransportEnds& ends) const override;

  private:
    /**
     * @brief Have the objects of a flow sent in blocks, and their arrival noted.
     * @param flow a flow with objects
     * @param ends its ends, whose feeder is set
     * @return a remedy, or nothing when all is well
     */
    std::optional<std::string> CarryObjects(const TransportFlow& flow, TransportEnds& ends) const;

    Time m_maxDelay; //!< attribute MaxDelay
};

} // namespace ns3::lfn

#endif // RBUDP_TRANSPORT_H
