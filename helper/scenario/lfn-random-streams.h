// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_RANDOM_STREAMS_H
#define LFN_RANDOM_STREAMS_H

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The numbers of random streams, fixed by what draws from them: equal RngRun gives equal
 * bytes with anything else installed.
 *
 * A kind has streams from low numbers as long as RANGE suffices, and others far from all flows.
 */
struct RandomStreams
{
    static constexpr int64_t RANGE = 1000; //!< Streams of a kind, before the far ones.
    static constexpr int64_t TOPOLOGY =
        3000; //!< First stream of the topology (jitter, reordering).
    /** First stream of a topology that needs more than RANGE. */
    static constexpr int64_t MANY_TOPOLOGY = int64_t{3} << 50;

    /** @brief Get the stream of the losses of data at a bottleneck. */
    static constexpr int64_t Loss(uint32_t bottleneck)
    {
        return bottleneck < RANGE ? 1000 + int64_t{bottleneck}
                                  : (int64_t{1} << 50) + int64_t{bottleneck};
    }

    /** @brief Get the stream of the losses on the reverse path at a bottleneck. */
    static constexpr int64_t ReverseLoss(uint32_t bottleneck)
    {
        return bottleneck < RANGE ? 2000 + int64_t{bottleneck}
                                  : (int64_t{2} << 50) + int64_t{bottleneck};
    }

    /** @brief Get the stream of a loss that a link has by a schedule. */
    static constexpr int64_t ScheduledLoss(uint32_t number)
    {
        return (int64_t{6} << 50) + int64_t{number};
    }

    /** @brief Get the first stream of a flow, of a thousand that belong to it. */
    static constexpr int64_t Flow(uint32_t flow)
    {
        return 10000 + int64_t{1000} * flow;
    }

    /**
     * @brief Get the first stream of a flow that needs more than RANGE.
     * @param flow The flow's number; at most 200000: ns3::TcpBbr takes 32 bits of a stream.
     * @return The first of ten thousand streams that belong to the flow.
     */
    static constexpr int64_t ManyFlow(uint32_t flow)
    {
        return (int64_t{1} << 31) + int64_t{10000} * flow;
    }

    /** @brief Get the first stream of a kind of cross traffic, of a million that belong to it. */
    static constexpr int64_t Background(uint32_t kind)
    {
        // After those of the flows, and within the 32 bits that ns3::TcpBbr takes.
        return Flow(20000) + int64_t{1'000'000} * kind;
    }

    /** @brief Get the first stream of a router's port, of ten that belong to it. */
    static constexpr int64_t Port(uint32_t port)
    {
        // The near ones end where those of the flows begin.
        return (port < 600 ? 4000 : int64_t{4} << 50) + int64_t{10} * port;
    }
};

} // namespace ns3::lfn

#endif // LFN_RANDOM_STREAMS_H
