// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_LEAKY_BUCKET_H
#define JRM_LEAKY_BUCKET_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief Limits the rate of message packets (paper, section 4).
 *
 * Packets leave at the bucket's rate, after an idle time as many at once as its depth holds. By the
 * paper's design NACK traffic does not go through it.
 */
class JrmLeakyBucket
{
  public:
    /** @brief A bucket that lets everything pass. */
    JrmLeakyBucket() = default;

    /**
     * @brief A bucket.
     * @param rate rate of datagrams, header included; 0 bit/s lets everything pass
     * @param depth bytes that may leave at once
     */
    JrmLeakyBucket(DataRate rate, uint32_t depth);

    /**
     * @brief Take a datagram into account.
     * @param now the time
     * @param bytes its size, B
     * @return when it may leave; those of successive calls ascend
     */
    Time Admit(Time now, uint32_t bytes);

  private:
    DataRate m_rate{0}; //!< 0 for no limit
    Time m_burst;       //!< time that the depth needs at the rate
    Time m_free;        //!< when everything admitted so far has leaked out
};

} // namespace ns3::lfn

#endif // JRM_LEAKY_BUCKET_H
