// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_POLICER_H
#define LFN_POLICER_H

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/nstime.h"

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
    /** @brief Tokens, in the smallest unit that makes every sum exact. */
    class Bucket
    {
      public:
        /**
         * @brief Adds what a time brings.
         * @param rate of tokens, bit/s
         * @param burst most tokens, B
         * @param nanoseconds the time
         */
        void Fill(uint64_t rate, uint32_t burst, uint64_t nanoseconds);

        /**
         * @brief Tells whether a packet may pass.
         * @param bytes its size, B
         * @return whether there are as many tokens
         */
        bool Has(uint32_t bytes) const;

        /**
         * @brief Takes tokens away; there must be as many.
         * @param bytes how many, B
         */
        void Take(uint32_t bytes);

        /** @brief Has the next Fill() fill the bucket. */
        void Refill();

      private:
        static constexpr uint64_t UNIT = 8'000'000'000; //!< of a byte: bit/s times nanoseconds

        uint64_t m_missing{
            0};              //!< tokens that the full bucket would have beyond those here, 1/UNIT B
        uint32_t m_burst{0}; //!< most tokens, B
    };

    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    DataRate m_rate{0};      //!< attribute Rate
    uint32_t m_burst{0};     //!< attribute Burst
    DataRate m_peakRate{0};  //!< attribute PeakRate
    uint32_t m_peakBurst{0}; //!< attribute PeakBurst
    Bucket m_sustained;      //!< tokens of Rate
    Bucket m_peak;           //!< tokens of PeakRate
    int64_t m_last{0};       //!< when the buckets were filled, [ns]
    uint64_t m_dropped{0};   //!< packets lost so far
};

} // namespace ns3::lfn

#endif /* LFN_POLICER_H */
