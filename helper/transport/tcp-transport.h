// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_TRANSPORT_H
#define TCP_TRANSPORT_H

#include "lfn-transport.h"

#include "ns3/type-id.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief What carries a flow over one connection of TCP's kind.
 */
class ConnectionTransport : public Transport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    FlowCounter::Bounds GetBounds(const TransportFlow& flow,
                                  const TransportEnds& ends) const override;
};

/**
 * @ingroup lfn
 * @brief "tcp": one TCP connection, with any congestion control of ns-3.
 */
class TcpTransport : public ConnectionTransport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Check() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    TransferReport GetReport(const TransportEnds& ends) const override;

  private:
    TypeId m_socketFactory;   //!< attribute SocketFactory
    std::string m_congestion; //!< attribute Congestion
};

} // namespace ns3::lfn

#endif // TCP_TRANSPORT_H
