// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-size-laws.h"

#include <cmath>

namespace ns3::lfn
{

double
GetParetoMean(double scale, double shape, double bound)
{
    const double ratio = scale / bound;
    if (ratio >= 1)
    {
        return bound;
    }
    // The integral of x dF(x) from scale to bound, over F(bound).
    return shape * scale / (shape - 1) * (1 - std::pow(ratio, shape - 1)) /
           (1 - std::pow(ratio, shape));
}

double
GetParetoScale(double mean, double shape, double bound)
{
    constexpr int HALVINGS = 200; // more than a double has bits
    double low = 0;
    double high = mean; // the mean grows with the scale, and is above it
    for (int i = 0; i < HALVINGS; ++i)
    {
        const double scale = low + (high - low) / 2;
        (GetParetoMean(scale, shape, bound) < mean ? low : high) = scale;
    }
    return high;
}

double
GetLogNormalMu(double mean, double sigma)
{
    return std::log(mean) - sigma * sigma / 2;
}

} // namespace ns3::lfn
