// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_SENT_STREAM_H
#define LFN_SENT_STREAM_H

#include "ns3/sequence-number.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief How much of what a source has written to a TCP connection was sent.
 *
 * A source writes a few hundred segments ahead of what is sent, so that memory follows the data in
 * flight and not the send buffer. It writes more when a segment is sent and when data are
 * acknowledged: a window that opens at once may take more than was written ahead.
 */
class SentStream
{
  public:
    /// With as many unsent segments no more are written.
    static constexpr uint64_t MOST_UNSENT = 256;

    /// With fewer unsent segments more are written.
    static constexpr uint64_t LEAST_UNSENT = 64;

    /**
     * @brief Count a segment with data that is sent.
     * @param sequence of its first byte
     * @param bytes its data, [B]
     * @return true for a retransmission
     */
    bool Record(SequenceNumber32 sequence, uint32_t bytes)
    {
        const bool isAgain = m_hasBegun && sequence < m_end;
        const SequenceNumber32 end = sequence + SequenceNumber32(bytes);
        if (!m_hasBegun || end > m_end)
        {
            m_bytes += m_hasBegun ? static_cast<uint32_t>(end - m_end) : bytes;
            m_hasBegun = true;
            m_end = end;
        }
        return isAgain;
    }

    /**
     * @brief Get how many segments are written and not sent.
     * @param written bytes in all, [B]
     * @param segment bytes of a segment, above 0, [B]
     * @return whole segments
     */
    uint64_t GetUnsent(uint64_t written, uint64_t segment) const
    {
        return (written - m_bytes) / segment;
    }

  private:
    bool m_hasBegun{false}; //!< a segment was sent
    uint64_t m_bytes{0};    //!< sent at least once, [B]
    SequenceNumber32 m_end; //!< behind the highest byte sent
};

} // namespace ns3::lfn

#endif /* LFN_SENT_STREAM_H */
