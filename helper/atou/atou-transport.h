// SPDX-License-Identifier: GPL-2.0-only

#ifndef ATOU_TRANSPORT_H
#define ATOU_TRANSPORT_H

#include "ns3/lfn-transport.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief "atou": a tunable TCP over UDP, with its own or any congestion control of ns-3.
 *
 * It sends whole segments: the bytes offered are rounded up.
 */
class AtouTransport : public Transport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Check() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    TransferReport GetReport(const TransportEnds& ends) const override;
    FlowCounter::Bounds GetBounds(const TransportFlow& flow,
                                  const TransportEnds& ends) const override;

  private:
    std::string m_congestion; //!< attribute Congestion
    std::string m_options;    //!< attribute Options
};

} // namespace ns3::lfn

#endif // ATOU_TRANSPORT_H
