// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_CSMA_TOPOLOGY_H
#define LFN_CSMA_TOPOLOGY_H

#include "lfn-link-topology.h"

#include "ns3/csma-net-device.h"
#include "ns3/data-rate.h"

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A LAN whose hosts share one medium: Ethernet with carrier sense, half duplex, by ns-3's
 * CSMA devices.
 *
 * The first Senders hosts are the senders and the others the receivers; when all hosts are senders,
 * all are receivers as well, each that of the host before it. There is a drop-tail queue in each
 * device, with neither queue disc nor flow control above it. The bottlenecks lead from a sender to
 * each receiver; their rate is that of the largest IP packets while nobody else sends. Addresses
 * are found by ARP, those of IPv6 are known.
 */
class CsmaTopology : public LinkTopology
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    void DoBuild() override;

    /** @brief Get the rate of the largest IP packets, each with the time that it propagates. */
    DataRate GetPacketRate() const;

    uint32_t m_hosts{0};                       //!< Attribute Hosts.
    uint32_t m_senders{0};                     //!< Attribute Senders.
    std::vector<Ptr<CsmaNetDevice>> m_devices; //!< One a host.
};

} // namespace ns3::lfn

#endif // LFN_CSMA_TOPOLOGY_H
