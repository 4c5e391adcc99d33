// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_TIMER_ATTRIBUTES_H
#define UDT_TIMER_ATTRIBUTES_H

#include "udt-expiration.h"
#include "udt-rules.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief Add the Attributes of the EXP timer that are rules of the variants; both ends have them.
 * @param rules adds Attributes of the end
 * @param core settings of the end's core, which have the timer's as expiration
 */
template <typename T, typename S>
void
AddUdtTimerAttributes(UdtRuleAttributes<T>& rules, S UdtSettings::* core)
{
    using Timer = UdtExpiration::Settings;
    constexpr auto TIMER = &S::expiration;
    const auto checker = MakeTimeChecker(Time(0));
    rules
        .template Add<TimeValue>("SilentTimerCheck",
                                 "An end to which nothing arrives looks at its timers so often; "
                                 "0: exact timers.",
                                 "100 ms, 10 ms, 10 ms, Syn",
                                 checker,
                                 core,
                                 TIMER,
                                 &Timer::check)
        .template Add<TimeValue>("ExpMinimum",
                                 "Least time of the EXP timer, times the number of expirations in "
                                 "a row.",
                                 "300 ms, 0, 500 ms, 300 ms",
                                 checker,
                                 core,
                                 TIMER,
                                 &Timer::minimum)
        .template Add<TimeValue>("DeadTime",
                                 "The peer is dead after a wait of the EXP timer longer than this, "
                                 "and DeadCount.",
                                 "5 s, 3 s, 3 s, 5 s",
                                 checker,
                                 core,
                                 TIMER,
                                 &Timer::deadTime)
        .template Add<TimeValue>("Patience",
                                 "Unless 0, DeadTime is of the whole silence, and the peer is dead "
                                 "after this silence in any case.",
                                 "0, 30 s, 0, 0",
                                 checker,
                                 core,
                                 TIMER,
                                 &Timer::patience)
        .template Add<BooleanValue>("ExpRestarts",
                                    "An expiration of the EXP timer begins another wait; "
                                    "otherwise all waits begin when the last packet arrives.",
                                    "true, true, true, false",
                                    MakeBooleanChecker(),
                                    core,
                                    TIMER,
                                    &Timer::restarts);
}

} // namespace ns3::lfn

#endif // UDT_TIMER_ATTRIBUTES_H
