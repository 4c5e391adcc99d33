// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_DELAY_STATISTICS_H
#define LFN_DELAY_STATISTICS_H

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <map>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Mean, quantiles, maximum and jitter of delays, of packets or of objects.
 *
 * Jitter is that of Quanta's monitoring: the mean absolute deviation of the last 100 delays from
 * their mean. Memory does not grow with the number of delays: quantiles come from a histogram whose
 * bins are at most 1/512 of the delay wide.
 */
class DelayStatistics
{
  public:
    static constexpr std::size_t WINDOW = 100; //!< delays that the jitter is taken of

    /** @brief Add a delay, 0 or more. */
    void Add(Time delay);

    /** @brief Get the number of delays. */
    uint64_t GetCount() const;

    /** @brief Get the sum of the delays. */
    Time GetSum() const;

    /** @brief Get the mean of all delays, [s]; 0 before the first. */
    double GetMean() const;

    /** @brief Get the largest delay; 0 before the first. */
    Time GetMax() const;

    /**
     * @brief Get a quantile by nearest rank.
     * @param share of the delays that are at most as large, above 0, at most 1
     * @return the quantile, at most 1/1024 of it off, [s]; 0 before the first delay
     */
    double GetQuantile(double share) const;

    /**
     * @brief Get the jitter of all delays.
     * @return the mean absolute deviation of the delays, each from the mean of its window of WINDOW
     * consecutive ones, [s]; 0 before the first
     */
    double GetJitter() const;

    /** @brief Get the mean of the last WINDOW delays (Quanta's STAL), [s]; 0 before the first. */
    double GetRecentMean() const;

    /** @brief Get the jitter of the last WINDOW delays (Quanta's JITTER), [s]. */
    double GetRecentJitter() const;

  private:
    /** @brief Get the mean of the first delays of the window, [steps of ns3::Time]. */
    double GetWindowMean(std::size_t size) const;

    /** @brief Add up the deviations of the first delays of the window from their mean, [steps]. */
    double GetDeviations(std::size_t size) const;

    uint64_t m_count{0};                    //!< delays
    Time m_sum;                             //!< of all delays
    Time m_max;                             //!< largest one
    std::map<int64_t, uint64_t> m_bins;     //!< delays by the middle of their bin, [steps]
    std::array<int64_t, WINDOW> m_window{}; //!< the last delays, [steps], in no order
    double m_deviations{0};                 //!< of all windows that are full, [steps]
};

} // namespace ns3::lfn

#endif // LFN_DELAY_STATISTICS_H
