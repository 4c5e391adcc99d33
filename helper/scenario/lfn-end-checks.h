// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_END_CHECKS_H
#define LFN_END_CHECKS_H

#include "ns3/nstime.h"

#include <algorithm>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Get the time of the next look for the end of a run.
 *
 * Looks are an interval apart; where flows take years, a millionth of the time so far. The end
 * cannot come before all flows have begun: looks before the last one by then are left out.
 * @param look time of the previous look, or 0
 * @param interval between looks
 * @param begin of the last flow
 * @return the time
 */
inline Time
GetNextCheck(Time look, Time interval, Time begin)
{
    constexpr int64_t LOOKS = 1'000'000;
    // Not as Time, which takes seconds for the millions of looks before a start after weeks.
    const int64_t step = interval.GetTimeStep();
    const auto next = [step](int64_t at) { return at + std::max(step, at / LOOKS); };
    int64_t at = next(look.GetTimeStep());
    while (next(at) < begin.GetTimeStep())
    {
        at = next(at);
    }
    return TimeStep(static_cast<uint64_t>(at));
}

} // namespace ns3::lfn

#endif // LFN_END_CHECKS_H
