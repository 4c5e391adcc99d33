// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-run-meter.h"

#include "ns3/lfn-wording.h"
#include "ns3/simulator.h"

#include <fstream>
#include <sys/resource.h>

namespace ns3::lfn
{

namespace
{

/** @brief Real time between two lines of progress. */
constexpr std::chrono::duration<double> PROGRESS_PERIOD{1.0};

/**
 * @brief Get the largest resident memory of this process so far (bytes); 0 if the system gives
 * none.
 */
uint64_t
PeakResidentBytes()
{
    // getrusage() would report the parent's memory if that was larger before exec().
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
    {
        uint64_t kib = 0;
        if (word == "VmHWM:" && status >> kib)
        {
            return kib * 1024;
        }
    }
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

} // namespace

void
RunMeter::Begin()
{
    m_start = Clock::now();
    m_last = m_start;
}

RunCost
RunMeter::GetCost() const
{
    return {Simulator::Now(),
            std::chrono::duration<double>(Clock::now() - m_start).count(),
            Simulator::GetEventCount(),
            PeakResidentBytes()};
}

std::optional<std::string>
RunMeter::Report(Time duration)
{
    const auto now = Clock::now();
    if (now - m_last < PROGRESS_PERIOD)
    {
        return std::nullopt;
    }
    m_last = now;
    const std::chrono::duration<double> wall = now - m_start;
    std::string line = PrintShort(Simulator::Now().GetSeconds()) + " s";
    if (duration.IsStrictlyPositive())
    {
        line += " of " + PrintShort(duration.GetSeconds()) + " s";
    }
    return line + " simulated, " + std::to_string(Simulator::GetEventCount()) + " events, after " +
           PrintShort(wall.count()) + " s";
}

} // namespace ns3::lfn
