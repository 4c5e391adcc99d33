// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_RTT_TIMERS_H
#define LFN_RTT_TIMERS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Check whether a default was set for an Attribute, by `--ns3::Class::Name=value` or
 * Config::SetDefault(), be it the class's own value.
 */
bool HasOwnDefault(Ptr<const Object> object, const std::string& name);

/**
 * @ingroup lfn
 * @brief Have a timer follow the round-trip time: the rule of all transports and programs.
 *
 * On paths of 1 s to 1 h the timer lasts some round-trip times at least. On shorter ones it keeps
 * its value, which is that of a paper or of its tools. On longer ones it does, too, and the
 * transfer fails with its reason: TCP gives up its handshake there, and timers of years would
 * repeat it millions of times. A timer for which a default was set keeps it.
 *
 * @param object whose Attribute the timer is
 * @param name its name; a Time
 * @param rtt the round-trip time of propagation
 * @param rtts round-trip times that the timer lasts at least
 * @param most the longest time that the Attribute takes
 */
void FollowRtt(Ptr<Object> object,
               const std::string& name,
               Time rtt,
               int64_t rtts,
               Time most = Time::Max());

} // namespace ns3::lfn

#endif // LFN_RTT_TIMERS_H
