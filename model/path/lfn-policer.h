// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_POLICER_H
#define LFN_POLICER_H

#include "lfn-token-bucket.h"

#include "ns3/data-rate.h"
#include "ns3/error-model.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A token bucket that drops what exceeds a rate, as an error model.
 *
 * The bucket is full at first, holds Burst bytes and is filled at Rate. A packet that finds as
 * many tokens as its IP packet has bytes takes them and passes; any other is lost and takes none.
 * So of every stretch of time t at most Burst + Rate t passes. With PeakRate there is a second
 * bucket of PeakBurst bytes, and a packet needs, and takes, the tokens of both.
 *
 * Nothing is delayed: ns-3's TbfQueueDisc shapes. The computation is exact, to the bit and the
 * nanosecond. Of bytes that are no IP packet the whole packet counts.
 */
class Policer : public ErrorModel
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    Policer() = default;

    /**
     * @brief Counts the packets that were lost.
     * @return their number since the start or the last Reset()
     */
    uint64_t GetDropped() const;

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    DataRate m_rate{0};      //!< attribute Rate
    uint32_t m_burst{0};     //!< attribute Burst
    DataRate m_peakRate{0};  //!< attribute PeakRate
    uint32_t m_peakBurst{0}; //!< attribute PeakBurst
    TokenBucket m_sustained; //!< tokens of Rate
    TokenBucket m_peak;      //!< tokens of PeakRate
    int64_t m_last{0};       //!< when the buckets were filled, [ns]
    uint64_t m_dropped{0};   //!< packets lost so far
};

} // namespace ns3::lfn

#endif /* LFN_POLICER_H */
