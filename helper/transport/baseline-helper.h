// SPDX-License-Identifier: GPL-2.0-only

#ifndef BASELINE_HELPER_H
#define BASELINE_HELPER_H

#include "lfn-transfer-helper.h"

#include "ns3/lfn-transfer-application.h"

#include <string>

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
};

} // namespace ns3::lfn

#endif // BASELINE_HELPER_H
