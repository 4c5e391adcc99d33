// SPDX-License-Identifier: GPL-2.0-only

#ifndef UDT_TEST_PATH_H
#define UDT_TEST_PATH_H

#include "ns3/nstime.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-udt
 * The path on which the original program was measured, with a clock of its own, without the
 * simulator.
 */

namespace ns3::lfn::tests
{

/** @brief A clock that jumps from event to event. */
class UdtTestClock
{
  public:
    /**
     * @brief Do something later.
     * @param time when; now, if that is over
     * @param action what
     */
    void At(Time time, std::function<void()> action)
    {
        m_events.push({std::max(time, m_now), m_order++, std::move(action)});
    }

    /** @brief Do what arrives next. @return false when there is nothing */
    bool Step()
    {
        if (m_events.empty())
        {
            return false;
        }
        // The queue gives constant references only, and the action must outlive its place in it.
        const auto action = std::move(const_cast<Event&>(m_events.top()).action);
        m_now = m_events.top().time;
        m_events.pop();
        action();
        return true;
    }

    /** @brief Get the time. @return since the start */
    Time GetNow() const
    {
        return m_now;
    }

  private:
    /** @brief Something to come. */
    struct Event
    {
        Time time;                    //!< when
        uint64_t order;               //!< breaks ties
        std::function<void()> action; //!< what

        /** @brief Compare. @return whether this one comes later */
        bool operator<(const Event& other) const
        {
            return time == other.time ? order > other.order : time > other.time;
        }
    };

    std::priority_queue<Event> m_events; //!< what is to come
    uint64_t m_order{0};                 //!< of events
    Time m_now;                          //!< the time
};

/** @brief One direction: a drop-tail queue and a link. */
class UdtTestLink
{
  public:
    /**
     * @brief A direction.
     * @param rate of the link, bit/s
     * @param queue packets that wait, without the one on the link
     * @param framing bytes on the link besides those of IP
     */
    UdtTestLink(double rate, std::size_t queue, uint32_t framing)
        : m_rate(rate),
          m_queue(queue),
          m_framing(framing)
    {
    }

    /**
     * @brief Put a packet on the queue.
     * @param now the time
     * @param bytes of IP
     * @return when it has left the link; nothing when the queue is full
     */
    std::optional<Time> Send(Time now, uint32_t bytes)
    {
        while (!m_starts.empty() && m_starts.front() <= now)
        {
            m_starts.pop();
        }
        m_maxWaiting = std::max(m_maxWaiting, m_starts.size());
        if (m_starts.size() >= m_queue)
        {
            ++m_dropped;
            return std::nullopt;
        }
        const Time start = std::max(now, m_free);
        m_free = start + NanoSeconds(static_cast<int64_t>((bytes + m_framing) * 8e9 / m_rate));
        m_starts.push(start);
        return m_free;
    }

    std::size_t m_maxWaiting{0}; //!< most packets that waited
    uint64_t m_dropped{0};       //!< packets that found the queue full

  private:
    double m_rate;             //!< bit/s
    std::size_t m_queue;       //!< packets
    uint32_t m_framing;        //!< B
    Time m_free;               //!< when the link is idle
    std::queue<Time> m_starts; //!< when packets that wait begin to be sent
};

/** @brief The random losses of the emulator: one number for each data packet, in their order. */
class UdtTestLosses
{
  public:
    /**
     * @brief Losses.
     * @param seed of the emulator
     * @param probability of a loss
     */
    UdtTestLosses(uint64_t seed, double probability)
        : m_state(seed * 0x9E3779B97F4A7C15ULL + 1),
          m_probability(probability)
    {
        constexpr uint32_t THROWN_AWAY = 100;
        for (uint32_t i = 0; i < THROWN_AWAY; ++i)
        {
            Draw();
        }
    }

    /** @brief Decide about the next packet. @return whether it is lost */
    bool operator()()
    {
        return m_probability > 0 && Draw() < m_probability;
    }

  private:
    /** @brief Draw a number: xorshift64*. @return 0 to 1 */
    double Draw()
    {
        m_state ^= m_state >> 12;
        m_state ^= m_state << 25;
        m_state ^= m_state >> 27;
        return static_cast<double>((m_state * 2685821657736338717ULL) >> 11) / 9007199254740992.0;
    }

    uint64_t m_state;     //!< of the generator
    double m_probability; //!< of a loss
};

/** @brief A path that flows share; each has its own delay. */
struct UdtTestPath
{
    /** @brief What can be set. */
    struct Settings
    {
        double rate{100e6};           //!< of the link, bit/s
        std::size_t queue{1000};      //!< packets
        uint32_t framing{2};          //!< bytes of each packet on the link besides those of IP
        std::function<bool()> isLost; //!< losses of data packets behind the link
    };

    /**
     * @brief A path.
     * @param settings what was set
     */
    explicit UdtTestPath(const Settings& settings)
        : isLost(settings.isLost),
          forward(settings.rate, settings.queue, settings.framing),
          reverse(settings.rate, REVERSE_QUEUE, settings.framing)
    {
    }

    static constexpr std::size_t REVERSE_QUEUE = 10000; //!< packets

    UdtTestClock clock;           //!< of everything
    std::function<bool()> isLost; //!< losses of data packets behind the link
    UdtTestLink forward;          //!< data
    UdtTestLink reverse;          //!< reports
    uint64_t lossDrops{0};        //!< packets lost behind the link
};

} // namespace ns3::lfn::tests

#endif // UDT_TEST_PATH_H
