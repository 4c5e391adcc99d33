// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TEST_LOSSY_PATH_H
#define VRP_TEST_LOSSY_PATH_H

#include "vrp-test-peer.h"

#include "ns3/vrp-receive-window.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-vrp
 * @brief Random numbers that are the same with every standard library.
 */
class Dice
{
  public:
    /// New dice; their sequence begins at the seed.
    explicit Dice(uint32_t seed)
        : m_random(seed)
    {
    }

    /// Throw: a number from the least to the most, all equally likely.
    uint32_t From(uint32_t least, uint32_t most)
    {
        return least + m_random() % (most - least + 1);
    }

    /// Whether something happens that does in a percentage of the cases.
    bool Happens(uint32_t percent)
    {
        return m_random() % 100 < percent;
    }

  private:
    std::mt19937 m_random; //!< where they come from
};

/**
 * @ingroup lfn-vrp
 * @brief A path that loses by one of several plans, until it has lost enough.
 */
class LossyPath
{
  public:
    /** @brief What it is after. */
    enum Plan : uint8_t
    {
        NOTHING,   //!< loses nothing
        ANYTHING,  //!< each kind of packet and of tag with a probability of its own
        BURSTS,    //!< two states, as Gilbert's
        DEMANDED,  //!< what has just been demanded, several times
        TAIL,      //!< the last packets, several times
        ALTERNATE, //!< at a fixed interval of packets, the first time
        GAPS,      //!< gaps of about the accepted burst, the first time
        ANSWERS,   //!< nearly all that comes back
        PLANS
    };

    /// A path for a frame; the receiver's burst limit reports how long a gap should be.
    LossyPath(Dice& dice, const VrpReceiveWindow::Limits& limits)
        : plan(static_cast<Plan>(dice.From(0, PLANS - 1))),
          m_dice(dice),
          m_packets(limits.packets),
          m_left(10 * limits.packets + 40),
          m_often(dice.From(1, 4)),
          m_times(limits.packets, 0),
          m_gaps(limits.packets, false)
    {
        for (auto& percent : m_percent)
        {
            percent = plan == ANYTHING || m_dice.Happens(20) ? m_dice.From(0, 50) : 0;
        }
        m_percent[static_cast<std::size_t>(VrpTestPeer::Cargo::ANSWER)] += plan == ANSWERS ? 45 : 0;
        const uint32_t burst = std::min(limits.maxBurst.value_or(m_dice.From(0, 9)), m_packets);
        for (uint32_t at = m_dice.From(0, 5); at < m_packets; at += m_dice.From(2, 12))
        {
            for (auto left = burst + m_dice.From(0, 2); left > 0 && at < m_packets; --left)
            {
                m_gaps[at++] = true;
            }
        }
    }

    /// Decide whether a packet or tag gets lost, which may have been sent before or be demanded by
    /// the receiver.
    bool Lose(VrpTestPeer::Cargo cargo, uint32_t packet, bool repeat, bool demanded)
    {
        const bool lost = m_left > 0 && plan != NOTHING &&
                          (m_dice.Happens(m_percent[static_cast<std::size_t>(cargo)]) ||
                           IsPlanned(cargo, packet, repeat, demanded));
        m_left -= lost ? 1 : 0;
        losses += lost ? 1 : 0;
        return lost;
    }

    const Plan plan;    //!< the plan
    uint64_t losses{0}; //!< lost so far

  private:
    /// Ask the plan whether a packet or tag is to be lost.
    bool IsPlanned(VrpTestPeer::Cargo cargo, uint32_t packet, bool repeat, bool demanded)
    {
        if (plan == BURSTS)
        {
            m_bad = m_bad ? !m_dice.Happens(20) : m_dice.Happens(4);
            return m_bad && m_dice.Happens(80);
        }
        if (cargo != VrpTestPeer::Cargo::DATA)
        {
            return false;
        }
        switch (plan)
        {
        case DEMANDED:
            return demanded ? m_times[packet]++ < m_often : !repeat && m_dice.Happens(15);
        case TAIL:
            return packet + 3 * m_often >= m_packets && m_times[packet]++ < m_often;
        case ALTERNATE:
            return !repeat && packet % (m_often + 1) == 0;
        case GAPS:
            return !repeat && m_gaps[packet];
        default:
            return false;
        }
    }

    Dice& m_dice;                        //!< random numbers
    uint32_t m_packets;                  //!< packets of the frame
    uint64_t m_left;                     //!< what may still be lost
    uint32_t m_often;                    //!< how often, or every how many
    std::vector<uint32_t> m_times;       //!< how often a packet has been lost by plan
    std::vector<bool> m_gaps;            //!< packets in gaps
    bool m_bad{false};                   //!< Gilbert's bad state
    std::array<uint32_t, 8> m_percent{}; //!< probability by cargo
};

} // namespace ns3::lfn::tests

#endif // VRP_TEST_LOSSY_PATH_H
