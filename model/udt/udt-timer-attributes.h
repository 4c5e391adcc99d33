// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_TIMER_ATTRIBUTES_H
#define UDT_TIMER_ATTRIBUTES_H

#include "udt-expiration.h"

#include "ns3/lfn-field-accessor.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief Add the Attributes of the EXP timer, which both ends have.
 * @param tid the end's type
 * @param settings member of the end: settings of its core, which have the timer's as expiration
 * @return the type
 */
template <typename T, typename S>
TypeId
AddUdtTimerAttributes(TypeId tid, S T::* settings)
{
    using Timer = UdtExpiration::Settings;
    constexpr auto TIMER = &S::expiration;
    return tid
        .AddAttribute("SilentTimerCheck",
                      "An end to which nothing arrives looks at its timers so often; 0: exact "
                      "timers. 10 ms in the draft.",
                      TimeValue(MilliSeconds(100)),
                      MakeFieldAccessor<TimeValue>(settings, TIMER, &Timer::check),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ExpMinimum",
                      "Least time of the EXP timer, times the number of expirations in a row.",
                      TimeValue(MilliSeconds(300)),
                      MakeFieldAccessor<TimeValue>(settings, TIMER, &Timer::minimum),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("DeadCount",
                      "The peer is dead after more expirations in a row than this, and DeadTime.",
                      UintegerValue(16),
                      MakeFieldAccessor<UintegerValue>(settings, TIMER, &Timer::deadCount),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("DeadTime",
                      "The peer is dead after a wait of the EXP timer longer than this, and "
                      "DeadCount.",
                      TimeValue(Seconds(5)),
                      MakeFieldAccessor<TimeValue>(settings, TIMER, &Timer::deadTime),
                      MakeTimeChecker(Time(0)));
}

} // namespace ns3::lfn

#endif // UDT_TIMER_ATTRIBUTES_H
