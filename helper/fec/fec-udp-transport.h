// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_UDP_TRANSPORT_H
#define FEC_UDP_TRANSPORT_H

#include "ns3/lfn-transport.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-fec
 * @brief "fec-udp": datagrams at a constant rate with a parity datagram a block.
 *
 * The rate that a flow is given covers data and parity.
 */
class FecUdpTransport : public Transport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    TransferReport GetReport(const TransportEnds& ends) const override;
    FlowCounter::Bounds GetBounds(const TransportFlow& flow,
                                  const TransportEnds& ends) const override;

  private:
    uint32_t m_parities{1};     //!< attribute Parities
    uint32_t m_interleave{1};   //!< attribute Interleave
    uint32_t m_blockPackets{3}; //!< attribute BlockPackets
};

} // namespace ns3::lfn

#endif // FEC_UDP_TRANSPORT_H
