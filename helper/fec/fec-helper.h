// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_HELPER_H
#define FEC_HELPER_H

#include "ns3/fec-udp-sink.h"
#include "ns3/fec-udp-source.h"
#include "ns3/lfn-transfer-helper.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-fec
 * @brief Installs transfers over FEC over UDP.
 */
class FecHelper : public TransferHelper<FecUdpSource, FecUdpSink>
{
  public:
    /**
     * @brief Set the ports of the transfers to come.
     * @param port UDP port of the data at the sinks
     * @param parityPort UDP port of the parity at the sinks, another one
     */
    void SetPorts(uint16_t port, uint16_t parityPort)
    {
        SetPort(port);
        SetAttribute("ParityPort", UintegerValue(parityPort));
    }
};

} // namespace ns3::lfn

#endif // FEC_HELPER_H
