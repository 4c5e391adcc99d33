// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_PATH_MONITOR_H
#define LFN_PATH_MONITOR_H

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/queue.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Looks at the sending device of a bottleneck for the path's series.
 *
 * Installed only when a series is asked for, so that other runs pay nothing a packet. It must not
 * outlive the simulation.
 */
class PathMonitor
{
  public:
    /**
     * @brief Constructor.
     * @param device The sending device; what it does not offer is not reported.
     */
    explicit PathMonitor(Ptr<NetDevice> device);

    PathMonitor(const PathMonitor&) = delete;
    PathMonitor& operator=(const PathMonitor&) = delete;

    /**
     * @brief Get the packets that wait in front of the device, those in its queue disc included and
     * the one being sent excluded.
     * @return The number now, or nothing when there is no queue to look at.
     */
    std::optional<uint32_t> GetQueuePackets() const;

    /**
     * @brief Get the fraction of time that the device was sending since the last call, and begin
     * again.
     * @return From 0 to 1, or nothing when the device has none or no time has passed.
     */
    std::optional<double> TakeUtilisation();

  private:
    /** @brief A packet begins to leave. */
    void Begin(Ptr<const Packet> packet);

    /** @brief A packet has left. */
    void End(Ptr<const Packet> packet);

    Ptr<NetDevice> m_device; //!< The device.
    Ptr<QueueBase> m_queue;  //!< Its own queue, or null.
    bool m_tells{false};     //!< The device traces the ends of transmissions.
    bool m_isBusy{false};    //!< A packet is leaving.
    Time m_since;            //!< When the interval, or if later the transmission, began.
    Time m_begin;            //!< When the interval began.
    Time m_busy;             //!< Time spent sending in this interval, up to m_since.
};

} // namespace ns3::lfn

#endif // LFN_PATH_MONITOR_H
