// SPDX-License-Identifier: GPL-2.0-only

#ifndef UDP_TRANSPORT_H
#define UDP_TRANSPORT_H

#include "lfn-application-transport.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief "udp": datagrams at a constant rate, nothing retransmitted.
 *
 * A datagram of objects has the place of its first byte as a byte tag, which no packet carries.
 */
class UdpTransport : public ApplicationTransport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    UdpTransport();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;

  private:
    /** @brief Have the objects of a flow sent at their rate, and their arrival noted. */
    static void CarryObjects(const TransportFlow& flow, TransportEnds& ends);
};

} // namespace ns3::lfn

#endif // UDP_TRANSPORT_H
