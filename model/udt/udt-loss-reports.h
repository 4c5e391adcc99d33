// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_LOSS_REPORTS_H
#define UDT_LOSS_REPORTS_H

#include "udt-loss-list.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief When each loss was reported: it is due again k RTTs later, with k = 2 after the first
 *        report, and one more after each other (draft-gg-udt-03, section 6.2).
 */
class UdtLossReports
{
  public:
    /** @brief First and last packet. */
    using Interval = std::pair<int64_t, int64_t>;

    /**
     * @brief Losses are reported for the first time.
     * @param first first packet
     * @param last last packet, not before the first
     * @param now the time
     */
    void Add(int64_t first, int64_t last, Time now);

    /**
     * @brief Take the losses that are due; they count as reported now.
     * @param now the time
     * @param rtt the round-trip time
     * @param lost packets that are still missing; others are forgotten
     * @param words room for the report: one per packet, two per run of packets
     * @return the losses
     */
    std::vector<Interval> TakeDue(Time now, Time rtt, const UdtLossList& lost, std::size_t words);

    /** @brief Forget everything. */
    void Clear();

  private:
    /** @brief Losses that were reported together. */
    struct Report
    {
        int64_t first{0}; //!< first packet
        int64_t last{0};  //!< last packet
        Time time;        //!< of the last report
        int64_t rtts{2};  //!< RTTs after which they are reported again
    };

    std::vector<Report> m_reports; //!< of all losses, and of some that have arrived since
};

} // namespace ns3::lfn

#endif // UDT_LOSS_REPORTS_H
