// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-settings.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

Time
JrmCommonSettings::Limit(double seconds)
{
    return Time::FromDouble(std::min(seconds, double{LONGEST_WAIT_S}), Time::S);
}

Time
JrmReceiverSettings::GetLongestRepair() const
{
    const auto longest = [this](Time timeout) {
        return adapt.adaptive ? std::max(timeout, adapt.longest) : timeout;
    };
    const Time first = grtt ? std::max(nackTimeout, adapt.longest) : longest(nackTimeout);
    double sum = std::max(longest(recvTimeout), reorderWait).ToDouble(Time::S);
    for (uint32_t attempt = 0; attempt < maxNackAttempts; ++attempt)
    {
        const auto wait = GetResponseWait(first, attempt) + maxBackoff;
        sum += wait.ToDouble(Time::S);
        if (sum > static_cast<double>(LONGEST_WAIT_S))
        {
            break;
        }
    }
    return Limit(sum);
}

Time
JrmReceiverSettings::GetNackTimeout(Time timeout, std::optional<Time> reported) const
{
    if (!reported)
    {
        return timeout;
    }
    const double seconds = reported->ToDouble(Time::S) * grttFactor;
    // Any report of any host: no longer than what adapts may become.
    const auto most = std::max(adapt.longest, adapt.shortest);
    return std::clamp(Limit(seconds) + aggregation, adapt.shortest, most);
}

Time
JrmReceiverSettings::GetResponseWait(Time timeout, uint32_t attempts) const
{
    const auto wait = Limit(timeout.ToDouble(Time::S) * std::pow(nackBackoff, attempts));
    return std::min(wait, std::max(timeout, adapt.longest));
}

Time
JrmReceiverSettings::GetBackoff(double uniform) const
{
    const double longest = maxBackoff.ToDouble(Time::S);
    const double lambda = std::log(static_cast<double>(std::max(groupSize, 1U))) + 1;
    const double scale = lambda / (longest * (std::exp(lambda) - 1));
    const double x = uniform * lambda / longest + scale;
    const double wait = longest / lambda * std::log(x * (std::exp(lambda) - 1) * longest / lambda);
    return Time::FromDouble(std::clamp(wait, 0.0, longest), Time::S);
}

} // namespace ns3::lfn
