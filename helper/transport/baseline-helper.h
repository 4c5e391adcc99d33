// SPDX-License-Identifier: GPL-2.0-only

#ifndef BASELINE_HELPER_H
#define BASELINE_HELPER_H

#include "lfn-transfer-helper.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/lfn-transfer-application.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Installs the transports that others are compared with: TcpSource and TcpSink, or UdpSource
 * and UdpSink.
 */
class BaselineHelper : public TransferHelper<TransferApplication, TransferApplication>
{
  public:
    /**
     * @brief Constructor.
     * @param protocol "Tcp" or "Udp"
     */
    explicit BaselineHelper(const std::string& protocol)
        : TransferHelper("ns3::lfn::" + protocol + "Source", "ns3::lfn::" + protocol + "Sink")
    {
    }

    /**
     * @brief Installs a source and its sink.
     * @param sendingNode where the source goes
     * @param receivingNode where the sink goes
     * @param remote the sink's InetSocketAddress or Inet6SocketAddress, port included
     * @return the two ends
     */
    Transfer Install(Ptr<Node> sendingNode, Ptr<Node> receivingNode, const Address& remote)
    {
        SetPort(Inet6SocketAddress::IsMatchingType(remote)
                    ? Inet6SocketAddress::ConvertFrom(remote).GetPort()
                    : InetSocketAddress::ConvertFrom(remote).GetPort());
        return TransferHelper::Install(sendingNode, receivingNode, remote);
    }
};

} // namespace ns3::lfn

#endif // BASELINE_HELPER_H
