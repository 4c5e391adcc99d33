// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_WIFI_TOPOLOGY_H
#define LFN_WIFI_TOPOLOGY_H

#include "lfn-link-topology.h"

#include "ns3/data-rate.h"
#include "ns3/net-device-container.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A Wi-Fi hop behind a wired path: senders on links to an access point, receivers on its
 * radio.
 *
 * The radio is IEEE 802.11a, all at one place, at one constant rate without frame aggregation. What
 * goes to a group has a rate of its own, a basic rate unless configured otherwise, and is neither
 * acknowledged nor retransmitted; a station's own packets to a group go to the access point first,
 * which sends them out again by the radio that they came in at. The bottlenecks lead from the
 * access point to each station; their rate is that of the largest IP packets while nobody else
 * sends. Stations associate after the simulation has begun, so that the network is ready after
 * READY_S seconds.
 */
class WifiTopology : public LinkTopology
{
  public:
    static constexpr int64_t READY_S = 1; //!< from when on all stations are associated, [s]

    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;
    Time GetReady() const override;
    Time GetLongestHold() const override;
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief Get the rate of IP packets of a size while nobody else sends: with the mean back-off,
     * the preamble, whole symbols, and, unless they go to a group, the acknowledgement.
     * @param phyRate Rate of the frames (bit/s), one of IEEE 802.11a.
     * @param bytes Size of the packets.
     * @param isGroup They go to a group.
     * @return The rate (bit/s).
     */
    static DataRate GetPacketRate(DataRate phyRate, uint32_t bytes, bool isGroup);

  protected:
    void DoDispose() override;

  private:
    void DoBuild() override;

    /** @brief Make the radio of the access point, the first node, and of the stations. */
    NetDeviceContainer MakeRadio(const NodeContainer& nodes) const;

    uint32_t m_senders{0};      //!< Attribute Senders.
    uint32_t m_stations{0};     //!< Attribute Stations.
    DataRate m_phyRate;         //!< Attribute PhyRate.
    DataRate m_multicastRate;   //!< Attribute MulticastRate.
    uint32_t m_radioQueue{0};   //!< Attribute RadioQueue.
    NetDeviceContainer m_radio; //!< Of the access point, then of the stations.
};

} // namespace ns3::lfn

#endif // LFN_WIFI_TOPOLOGY_H
