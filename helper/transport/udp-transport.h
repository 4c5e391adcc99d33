// SPDX-License-Identifier: GPL-2.0-only

#ifndef UDP_TRANSPORT_H
#define UDP_TRANSPORT_H

#include "lfn-transport.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief "udp": datagrams at a constant rate, nothing sent again.
 */
class UdpTransport : public Transport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    TransferReport GetReport(const TransportEnds& ends) const override;
    FlowWitness::Bounds GetBounds(const TransportFlow& flow,
                                  const TransportEnds& ends) const override;
};

} // namespace ns3::lfn

#endif // UDP_TRANSPORT_H
