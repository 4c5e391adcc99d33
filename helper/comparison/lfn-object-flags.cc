// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-object-flags.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

void
ObjectFlags::Declare(Flags& flags)
{
    flags.Choice("objects",
                 "class of objects, for the three flags below: bulk is one object of --bytes; "
                 "streaming 1.44 MB, 20 per second, 0.5 s; control 1 kB, 30 per second",
                 m_class,
                 {"none", "bulk", "streaming", "control"});
    flags.Bytes("objectSize",
                "send --bytes as objects of this size, each when it becomes available",
                m_size,
                1);
    flags.Number("objectRate", "objects that become available per second", m_rate, 1e-3, 1e6);
    flags.Duration("deadline", "delay after which an object is late; 0: none is", m_deadline);
    flags.Columns("More columns of summary.csv with --objects or --objectSize:\n"
                  "  objects  that became available\n"
                  "  objects_late  of those, arrived after --deadline\n"
                  "  objects_lost  of those, not arrived in full when the run ended\n"
                  "  object_delay_mean_s  from when an object is available to its last byte [s]\n"
                  "  object_delay_p99_s  its 99th percentile, at most 0.1 % off [s]\n"
                  "  object_delay_max_s  the longest [s]\n"
                  "  object_jitter_s  of these delays, as jitter_s is of packets [s]");
}

void
ObjectFlags::Check(const Flags& flags, uint64_t bytes)
{
    if (m_class == "bulk")
    {
        flags.RefuseIf(bytes == 0, "objects", "a bulk object has a size: give --bytes above 0");
        m_size = flags.IsSet("objectSize") ? m_size : bytes;
        m_rate = flags.IsSet("objectRate") ? m_rate : 1;
    }
    else if (m_class == "streaming")
    {
        m_size = flags.IsSet("objectSize") ? m_size : 1'440'000;
        m_rate = flags.IsSet("objectRate") ? m_rate : 20;
        m_deadline = flags.IsSet("deadline") ? m_deadline : MilliSeconds(500);
    }
    else if (m_class == "control")
    {
        m_size = flags.IsSet("objectSize") ? m_size : 1000;
    }
    if (!AreWanted())
    {
        for (const auto* name : {"objectRate", "deadline"})
        {
            flags.RefuseIf(flags.IsSet(name), name, "goes with --objectSize or --objects only");
        }
        return;
    }
    m_objects = bytes / m_size;
    if (bytes > 0 && m_objects == 0)
    {
        flags.Refuse("objectSize",
                     "it is more than --bytes=" + std::to_string(bytes) +
                         ": lower it, or raise --bytes");
    }
}

bool
ObjectFlags::AreWanted() const
{
    return m_size > 0;
}

ObjectLog::Settings
ObjectFlags::GetObjects(Time begin) const
{
    return {m_size, m_rate, m_objects, begin, m_deadline};
}

std::vector<std::string>
ObjectFlags::GetColumns()
{
    return {"objects",
            "objects_late",
            "objects_lost",
            "object_delay_mean_s",
            "object_delay_p99_s",
            "object_delay_max_s",
            "object_jitter_s"};
}

RunRecorder::Fields
ObjectFlags::GetFields(const ObjectLog& log, Time now)
{
    using R = RunRecorder;
    const auto& delays = log.GetDelays();
    const auto available = log.GetAvailable(now);
    RunRecorder::Fields fields = {
        {"objects", R::Print(available)},
        {"objects_late",
         log.GetSettings().deadline.IsStrictlyPositive() ? R::Print(log.GetLate()) : ""},
        {"objects_lost", R::Print(available - std::min(available, delays.GetCount()))}};
    if (delays.GetCount() > 0)
    {
        fields.emplace_back("object_delay_mean_s", R::Print(delays.GetMean()));
        fields.emplace_back("object_delay_p99_s", R::Print(delays.GetQuantile(0.99)));
        fields.emplace_back("object_delay_max_s", R::Print(delays.GetMax()));
        fields.emplace_back("object_jitter_s", R::Print(delays.GetJitter()));
    }
    return fields;
}

} // namespace ns3::lfn
