// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_DELIVERY_TRACE_H
#define LFN_DELIVERY_TRACE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief When a link delivers: a cyclic list of opportunities, as in Mahimahi's trace files.
 *
 * An opportunity delivers OPPORTUNITY bytes at one instant (R. Netravali et al., "Mahimahi:
 * Accurate Record-and-Replay for HTTP", USENIX ATC 2015, section 3.2).
 */
class DeliveryTrace
{
  public:
    static constexpr uint32_t OPPORTUNITY = 1504; //!< Mahimahi's PACKET_SIZE, [B]
    static constexpr uint32_t HEADER = 4; //!< of a packet, in addition to its IP packet, [B]

    /**
     * @brief Creates a trace.
     * @param milliseconds when it delivers, from the beginning of a cycle, [ms]; at least one, none
     * before the one in front of it. The last one is the length of the cycle, above 0.
     */
    explicit DeliveryTrace(std::vector<uint64_t> milliseconds);

    /** @brief Gives the length of a cycle. */
    Time GetPeriod() const;

    /** @brief Gives the number of opportunities in a cycle. */
    std::size_t GetCount() const;

    /**
     * @brief Gives the time of an opportunity.
     * @param number its number, from 0; those of the second cycle follow those of the first
     * @return the time since the beginning of the trace
     */
    Time GetTime(uint64_t number) const;

    /**
     * @brief Finds the first opportunity that is not over.
     * @param now the time since the beginning of the trace, not negative
     * @return its number: the first one of those at now, or the next one
     */
    uint64_t FindFrom(Time now) const;

    /** @brief Gives the mean rate of a cycle, rounded down to 1 bit/s, but at least that. */
    DataRate GetMeanRate() const;

    /**
     * @brief Gives the longest time that bytes may take, whenever they come.
     * @param bytes what waits, headers included, [B]
     * @return the time
     */
    Time GetLongestWait(double bytes) const;

  private:
    std::vector<uint64_t> m_milliseconds; //!< when it delivers, [ms]
};

/**
 * @ingroup lfn
 * @brief What a trace has delivered so far: hands its opportunities out to packets, in order.
 *
 * As in Mahimahi's link_queue.cc: packets share an opportunity, a packet may need several, and what
 * nobody takes at its instant is lost.
 */
class DeliverySchedule
{
  public:
    /**
     * @brief Begins at time 0 of a trace.
     * @param trace the trace
     */
    explicit DeliverySchedule(DeliveryTrace trace);

    /**
     * @brief Takes the opportunities of the next packet.
     * @param now when the packet comes first in the queue, not before the last result
     * @param bytes its size, header included, above 0, [B]
     * @return when its last byte is delivered
     */
    Time Take(Time now, uint32_t bytes);

    /** @brief Gives the trace. */
    const DeliveryTrace& GetTrace() const;

  private:
    DeliveryTrace m_trace;                       //!< the trace
    uint64_t m_number{0};                        //!< the opportunity in use
    uint32_t m_left{DeliveryTrace::OPPORTUNITY}; //!< what is left of it, [B]
};

} // namespace ns3::lfn

#endif // LFN_DELIVERY_TRACE_H
