// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_REORDERING_CHANNEL_H
#define LFN_REORDERING_CHANNEL_H

#include "lfn-jitter-channel.h"
#include "lfn-packet-script.h"

#include "ns3/event-id.h"
#include "ns3/packet.h"

#include <deque>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A point-to-point channel on which chosen packets come late or early.
 *
 * With Mode Late, the usual one, a chosen packet lets later ones overtake it.
 * A chosen packet is held until as many packets as its displacement, all sent after it in the same
 * direction, have passed; it arrives right behind the last of them, at the same instant. Packets
 * that were held themselves count when they go on, so exactly that many later packets arrive
 * before it. A packet that has been held for LongestHold goes on unconditionally: none is ever
 * lost or doubled, and with Probability 1, where nothing passes, all of them are just late.
 *
 * With Mode Early a chosen packet overtakes as many packets sent before it as its displacement, at
 * the instant at which the first of these arrives; of those that have arrived it overtakes none,
 * and it arrives no earlier than it was sent. Nothing is held, and LongestHold is not used.
 *
 * With ClusterSize above 1 the packets that Probability chooses are the first ones of clusters: of
 * each, ClusterSize packets are chosen, ClusterSpacing packets of the same direction apart. No
 * cluster begins within another one, so that a share of
 * Probability * ClusterSize / (1 + Probability * (ClusterSize - 1) * ClusterSpacing) is chosen.
 *
 * Behind the hold the channel is a JitterChannel: without Jitter every packet takes Delay.
 * The work a packet is proportional to the number of packets held at a time, which is about the
 * displacement divided by 1 - Probability.
 */
class ReorderingChannel : public JitterChannel
{
  public:
    /** @brief Which packets may be held. */
    enum class Direction : uint8_t
    {
        FORWARD,  //!< those of the first device
        BACKWARD, //!< those of the second device
        BOTH,     //!< all
    };

    /** @brief What happens to a chosen packet. */
    enum class Mode : uint8_t
    {
        LATE,  //!< later ones overtake it
        EARLY, //!< it overtakes earlier ones
    };

    /** @brief How a displacement is drawn. */
    enum class Distribution : uint8_t
    {
        FIXED,     //!< always Displacement
        UNIFORM,   //!< 1 to Displacement, all equally likely
        GEOMETRIC, //!< k with probability proportional to (1 - 1 / MeanDisplacement)^(k - 1)
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();

    ReorderingChannel();

    bool TransmitStart(Ptr<const Packet> packet,
                       Ptr<PointToPointNetDevice> source,
                       Time txTime) override;

    /**
     * @brief Fixes the random streams: two of the jitter, two of the hold, a direction each.
     * @param stream the first stream
     * @return how many were used: 4, whether there is jitter or not
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief Names the packets that are chosen, in each direction, instead of by Probability.
     * @param script as PacketScript::Set() has it; nothing: by Probability
     * @return false, with nothing changed, when the text is invalid
     */
    bool SetScript(std::string script);

    /** @return the packets that are chosen, as text */
    std::string GetScript() const;

    /**
     * @brief Counts the packets that were chosen: held, or sent ahead.
     * @return their number since the start, both directions
     */
    uint64_t GetHeld() const;

    /**
     * @brief Counts the packets that went on because they had been held for LongestHold.
     * @return their number since the start, both directions
     */
    uint64_t GetExpired() const;

  protected:
    void DoDispose() override;

  private:
    static constexpr std::size_t LANES = 2; //!< from the first device, from the second

    /** @brief A packet that is held. */
    struct Held
    {
        Ptr<const Packet> packet;          //!< the packet
        Ptr<PointToPointNetDevice> source; //!< the device that sent it
        uint32_t remaining;                //!< later packets that have yet to pass
        Time deadline;                     //!< when it goes on unconditionally
    };

    /** @brief One direction. */
    struct Lane
    {
        Ptr<UniformRandomVariable> uniform; //!< draws
        std::deque<Held> held;              //!< packets that wait, in the order of sending
        std::deque<Time> arrivals;          //!< with Mode Early: when the last Displacement packets
                                            //!< arrive, in the order of arrival
        uint64_t packets{0};                //!< sent while some may be chosen
        uint32_t clusterLeft{0};            //!< packets of the present cluster yet to be chosen
        uint32_t clusterNext{0};            //!< packets until the next of these
        EventId timer;                      //!< deadline of the first, or earlier
    };

    /**
     * @brief Indicates whether packets of a direction are chosen.
     * @param lane 0 for those of the first device, 1 for the second
     * @return whether they may be
     */
    bool IsOn(std::size_t lane) const;

    /**
     * @brief Counts a packet, and indicates whether it is chosen.
     * @param lane its direction, which is on
     * @return whether it is
     */
    bool IsChosen(Lane& lane) const;

    /**
     * @brief Sends a packet, with Mode Early, ahead of earlier ones.
     * @param number the direction
     * @param ahead how many of them
     * @param packet the packet
     * @param source the device that sends it
     * @param txTime its transmission time
     */
    void SendAhead(std::size_t number,
                   uint32_t ahead,
                   Ptr<const Packet> packet,
                   Ptr<PointToPointNetDevice> source,
                   Time txTime);

    /**
     * @brief Draws a displacement.
     * @param uniform source of random numbers
     * @return packets, 1 to Displacement
     */
    uint32_t DrawDisplacement(UniformRandomVariable& uniform) const;

    /**
     * @brief Counts a packet that has passed, and sends on those that have waited for it.
     * @param lane the direction
     * @param before how many of the held packets were sent before it
     * @param txTime its transmission time
     */
    void Pass(Lane& lane, std::size_t before, Time txTime);

    /**
     * @brief Sends on the packets that have been held for too long.
     * @param lane the direction
     */
    void Expire(std::size_t lane);

    double m_probability{0};                          //!< attribute Probability
    PacketScript m_script;                            //!< attribute Script
    uint32_t m_displacement{1};                       //!< attribute Displacement
    double m_meanDisplacement{1};                     //!< attribute MeanDisplacement
    Mode m_mode{Mode::LATE};                          //!< attribute Mode
    Distribution m_distribution{Distribution::FIXED}; //!< attribute Distribution
    uint32_t m_clusterSize{1};                        //!< attribute ClusterSize
    uint32_t m_clusterSpacing{1};                     //!< attribute ClusterSpacing
    Direction m_direction{Direction::FORWARD};        //!< attribute Direction
    Time m_longestHold;                               //!< attribute LongestHold
    std::array<Lane, LANES> m_lanes;                  //!< by sending device
    uint64_t m_heldPackets{0};                        //!< packets that were held or sent ahead
    uint64_t m_expired{0};                            //!< packets held for LongestHold
};

} // namespace ns3::lfn

#endif /* LFN_REORDERING_CHANNEL_H */
