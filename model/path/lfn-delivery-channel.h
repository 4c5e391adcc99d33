// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_DELIVERY_CHANNEL_H
#define LFN_DELIVERY_CHANNEL_H

#include "lfn-delivery-trace.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"

#include <array>
#include <cstddef>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A point-to-point link whose devices send when a DeliveryTrace says so.
 *
 * It takes the place of a link's channel, to which it hands all packets, so that jitter and
 * reordering stay. A packet that comes first in the device's queue waits in the transmitter for its
 * opportunities; the device is busy until then. It has left, and begins to propagate, at the last
 * of them. Nothing else of the link changes: queue, queue disc, traces and captures are those of
 * ns-3's device. Its DataRate becomes the mean rate of the trace, for all that ask for it.
 */
class DeliveryChannel : public PointToPointChannel
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    DeliveryChannel();

    /**
     * @brief Has a device send by a trace, from the beginning of the simulation on.
     * @param device the sending device, on a link of two devices; nothing is being sent
     * @param trace when it sends
     * @return false when the link is not one of two point-to-point devices
     */
    static bool Install(Ptr<PointToPointNetDevice> device, const DeliveryTrace& trace);

    /**
     * @brief Gives the trace that a device sends by.
     * @param device the device
     * @return the trace; null without one
     */
    static const DeliveryTrace* GetTrace(Ptr<const NetDevice> device);

    bool TransmitStart(Ptr<const Packet> packet,
                       Ptr<PointToPointNetDevice> source,
                       Time txTime) override;

  protected:
    void DoDispose() override;

  private:
    /** @brief A direction of the link. */
    struct Direction
    {
        std::optional<DeliverySchedule> schedule; //!< nothing: by the device's rate
        Time wait;                                //!< of the packet that is being sent
    };

    /**
     * @brief A device is about to send: have it be busy until the packet is delivered.
     * @param direction 0 for the first device, 1 for the second
     * @param packet the packet, with the header of the link
     */
    void OnTransmit(std::size_t direction, Ptr<const Packet> packet);

    Ptr<PointToPointChannel> m_channel;    //!< attribute Channel
    Time m_channelDelay;                   //!< its Delay
    std::array<Direction, 2> m_directions; //!< from the first device, from the second
};

} // namespace ns3::lfn

#endif // LFN_DELIVERY_CHANNEL_H
