// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_REPORTED_LINK_H
#define LFN_REPORTED_LINK_H

#include "ns3/data-rate.h"
#include "ns3/net-device.h"
#include "ns3/object.h"
#include "ns3/queue.h"

#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief What is set for a device's link where the device does not report it, such as Wi-Fi's.
 *
 * It belongs to the device (aggregated), so that it is found from the device.
 */
class ReportedLink : public Object
{
  public:
    /** @brief What is said. */
    struct Facts
    {
        /** Of IP packets of the largest size, while nobody else sends (bit/s); 0: not said. */
        DataRate rate{0};
        /** Likewise, of packets to a group; 0: as others. */
        DataRate multicastRate{0};
        Ptr<QueueBase> queue{}; //!< Where packets wait in the device; null: not said.
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Say something of a device's link, in place of what was said before.
     * @param device The device that sends.
     * @param facts What is said.
     */
    static void Set(Ptr<NetDevice> device, const Facts& facts);

    /**
     * @brief Get the rate of a device's link: what was said, else the Attribute DataRate of the
     * device, else that of its channel.
     * @return The rate (bit/s), which may be 0; nothing where it is not known.
     */
    static std::optional<DataRate> GetRate(Ptr<const NetDevice> device);

    /** @brief Get the rate of packets to a group; that of others unless it was said. */
    static std::optional<DataRate> GetMulticastRate(Ptr<const NetDevice> device);

    /**
     * @brief Get the queue in a device: what was said, else its Attribute TxQueue.
     * @return The queue; null where it is not known.
     */
    static Ptr<QueueBase> GetQueue(Ptr<const NetDevice> device);

  protected:
    void DoDispose() override;

  private:
    Facts m_facts; //!< What was said.
};

} // namespace ns3::lfn

#endif // LFN_REPORTED_LINK_H
