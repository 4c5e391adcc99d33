// SPDX-License-Identifier: GPL-2.0-only

#ifndef PARALLEL_TCP_TRANSPORT_H
#define PARALLEL_TCP_TRANSPORT_H

#include "ns3/lfn-transport.h"
#include "ns3/parallel-sender-core.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-parallel
 * @brief "parallel-tcp": one flow over several TCP connections.
 */
class ParallelTcpTransport : public Transport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    std::optional<std::string> Check() const override;
    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    TransferReport GetReport(const TransportEnds& ends) const override;
    FlowCounter::Bounds GetBounds(const TransportFlow& flow,
                                  const TransportEnds& ends) const override;

    /**
     * @brief Get the random stream of a flow's first connection; each next one has the next stream.
     * @param flow the flow
     * @param connections how many there are
     * @return the flow's own, or, with more connections than those are, its far ones
     */
    static int64_t GetFirstStream(const TransportFlow& flow, uint64_t connections);

  private:
    /** @brief Get the size of a chunk that makes whole segments, user bytes [B]. */
    static uint32_t GetChunkSize(uint32_t packetSize);

    uint32_t m_streams{4};                                      //!< attribute Streams
    std::string m_congestion;                                   //!< attribute Congestion
    uint32_t m_windowBytes{0};                                  //!< attribute Window, [B]
    ParallelStriping m_striping{ParallelStriping::ROUND_ROBIN}; //!< attribute Striping
};

} // namespace ns3::lfn

#endif // PARALLEL_TCP_TRANSPORT_H
