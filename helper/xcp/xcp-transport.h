// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TRANSPORT_H
#define XCP_TRANSPORT_H

#include "ns3/tcp-transport.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief "xcp": a connection of XCP; the bottlenecks become output ports of XCP routers.
 *
 * All other flows of the network pass the same routers, as those of no XCP.
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
};

} // namespace ns3::lfn

#endif // XCP_TRANSPORT_H
