// SPDX-License-Identifier: GPL-2.0-only

#ifndef UDT_TRANSPORT_H
#define UDT_TRANSPORT_H

#include "ns3/lfn-transport.h"
#include "ns3/udt-source.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief "udt": UDT with its own congestion control, or at the flow's rate.
 */
class UdtTransport : public Transport
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
    /**
     * @brief Feed the source with the flow's objects, and log which arrive.
     * @param flow the flow, with objects
     * @param ends its ends
     */
    void CarryObjects(const TransportFlow& flow, TransportEnds& ends) const;

    UdtSource::Congestion m_congestion{UdtSource::Congestion::NATIVE}; //!< attribute Congestion
    UdtVariant m_variant{UdtVariant::UDT4};                            //!< attribute Variant
    bool m_messages{false};                                            //!< attribute Messages
    bool m_isInOrder{false};                                           //!< attribute InOrder
    Time m_timeToLive;                                                 //!< attribute TimeToLive
};

} // namespace ns3::lfn

#endif // UDT_TRANSPORT_H
