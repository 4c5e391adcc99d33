// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_SIZE_LAWS_H
#define LFN_SIZE_LAWS_H

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Get the mean of a Pareto distribution that is cut off at a bound, as
 * ns3::ParetoRandomVariable draws it: values above the bound are drawn again.
 * @param scale the smallest value, above 0
 * @param shape the exponent, above 0 and not 1
 * @param bound the largest value, at least the scale
 * @return the mean, in the unit of the scale
 */
double GetParetoMean(double scale, double shape, double bound);

/**
 * @ingroup lfn
 * @brief Get the scale of such a distribution from its mean.
 * @param mean the mean, from above 0 to the bound
 * @param shape the exponent, above 0 and not 1
 * @param bound the largest value
 * @return the scale, the smallest value; GetParetoMean() of it is the mean
 */
double GetParetoScale(double mean, double shape, double bound);

/**
 * @ingroup lfn
 * @brief Get the parameter mu of a log-normal distribution, the mean of the logarithm.
 * @param mean the mean of the values, above 0
 * @param sigma the standard deviation of their natural logarithm
 * @return mu
 */
double GetLogNormalMu(double mean, double sigma);

} // namespace ns3::lfn

#endif // LFN_SIZE_LAWS_H
