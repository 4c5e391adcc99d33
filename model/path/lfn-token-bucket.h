// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TOKEN_BUCKET_H
#define LFN_TOKEN_BUCKET_H

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A token bucket that is full at first. The computation is exact, to the bit and the
 * nanosecond.
 */
class TokenBucket
{
  public:
    /**
     * @brief Add the tokens of a time.
     * @param rate of tokens, bit/s
     * @param burst most tokens, at most 2e9, B
     * @param nanoseconds the time
     */
    void Fill(uint64_t rate, uint32_t burst, uint64_t nanoseconds);

    /**
     * @brief Check whether a packet may pass.
     * @param bytes its size, B
     * @return whether there are as many tokens
     */
    bool Has(uint32_t bytes) const;

    /**
     * @brief Get how long a packet has to wait.
     * @param rate of tokens, above 0, bit/s
     * @param bytes its size, at most the burst, B
     * @return the shortest time after which there are as many tokens, ns
     */
    uint64_t GetWait(uint64_t rate, uint32_t bytes) const;

    /**
     * @brief Take tokens away. Where there are fewer, the bucket owes the difference.
     * @param bytes how many, B
     */
    void Take(uint32_t bytes);

    /** @brief Have the next Fill() fill the bucket. */
    void Refill();

  private:
    static constexpr uint64_t UNIT = 8'000'000'000; //!< of a byte: bit/s times nanoseconds

    uint64_t m_missing{0}; //!< tokens that the full bucket would have beyond those here, 1/UNIT B
    uint32_t m_burst{0};   //!< most tokens, B
};

} // namespace ns3::lfn

#endif // LFN_TOKEN_BUCKET_H
