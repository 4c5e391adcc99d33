// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_JITTER_CHANNEL_H
#define LFN_JITTER_CHANNEL_H

#include "ns3/nstime.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A point-to-point channel whose delay varies from packet to packet.
 *
 * A packet arrives after its transmission time and max(0, Delay + draw), one draw per packet from
 * the variable of its direction. With KeepOrder a packet waits for the one sent before it, as in
 * a queue on the way: draws much wider than the distance of packets then give delays near their
 * running maximum.
 *
 * Delay may be set at any time and counts for packets sent from then on. When it becomes shorter,
 * KeepOrder has later packets wait for those under way; ns-3's own channel, and this one without
 * KeepOrder, let them overtake.
 */
class JitterChannel : public PointToPointChannel
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    JitterChannel() = default;

    bool TransmitStart(Ptr<const Packet> packet,
                       Ptr<PointToPointNetDevice> source,
                       Time txTime) override;

    /**
     * @brief Sets the extra delay of both directions.
     *
     * Packets of the first device draw from the variable itself, those of the second one from a
     * copy of it, so no direction's traffic shifts the other's numbers. A copy has the attributes
     * that the variable has now, and the stream after its stream if that was set. ns-3's empirical
     * and deterministic variables hold more than attributes: both directions draw from the same.
     *
     * @param jitter the extra delay, may be negative, [s]; null for none
     */
    void SetJitter(Ptr<RandomVariableStream> jitter);

    static constexpr int64_t SPAN = 3; //!< of a normal jitter, in standard deviations

    /**
     * @brief Sets a normal extra delay of both directions.
     *
     * Its mean is SPAN times its standard deviation, and it is cut off as far on either side.
     *
     * @param deviation the standard deviation, above 0
     */
    void SetNormalJitter(Time deviation);

    /**
     * @brief Gives the extra delay of the packets of the first device.
     * @return the variable, [s]; null for none
     */
    Ptr<RandomVariableStream> GetJitter() const;

    /**
     * @brief Fixes the random streams: one of the first device's packets, one of the second's.
     * @param stream the first stream
     * @return how many were used: 2, or 0 without jitter
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    /**
     * @brief Gives the latest arrival of a direction.
     * @param direction 0 for packets of the first device, 1 for the second
     * @return when the packet arrives that arrives last of those sent so far
     */
    Time GetLastArrival(std::size_t direction) const;

    /**
     * @brief Sends a packet so that it arrives at a time, in any order with others.
     * @param packet the packet
     * @param source the device that sends it
     * @param arrival when it arrives; not in the past
     * @return whether it was sent
     */
    bool SendToArrive(Ptr<const Packet> packet, Ptr<PointToPointNetDevice> source, Time arrival);

  private:
    static constexpr std::size_t DIRECTIONS = 2; //!< from the first device, from the second

    bool m_keepOrder{true};                                       //!< attribute KeepOrder
    std::array<Ptr<RandomVariableStream>, DIRECTIONS> m_jitter{}; //!< draws of a direction, [s]
    std::array<Time, DIRECTIONS> m_lastArrival{};                 //!< latest one of a direction
};

} // namespace ns3::lfn

#endif /* LFN_JITTER_CHANNEL_H */
