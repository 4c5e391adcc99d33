// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TEST_MOMENTS_H
#define XCP_TEST_MOMENTS_H

#include <cmath>
#include <vector>

/**
 * @file
 * @ingroup lfn-xcp
 * Statistics of samples for tests.
 */

namespace ns3::lfn::tests
{

/** @brief Mean and deviation of samples. */
struct Moments
{
    double mean{0};      //!< their mean
    double deviation{0}; //!< their standard deviation
    double error{0};     //!< standard error of the mean
};

/// Compute mean and deviation of at least two samples.
inline Moments
MomentsOf(const std::vector<double>& samples)
{
    const auto count = static_cast<double>(samples.size());
    double sum = 0;
    for (const double sample : samples)
    {
        sum += sample;
    }
    Moments result;
    result.mean = sum / count;
    double squares = 0;
    for (const double sample : samples)
    {
        squares += (sample - result.mean) * (sample - result.mean);
    }
    result.deviation = std::sqrt(squares / (count - 1));
    result.error = result.deviation / std::sqrt(count);
    return result;
}

} // namespace ns3::lfn::tests

#endif // XCP_TEST_MOMENTS_H
