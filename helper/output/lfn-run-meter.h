// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_RUN_METER_H
#define LFN_RUN_METER_H

#include "ns3/nstime.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

/** @brief What a simulation cost. */
struct RunCost
{
    Time simulated;                //!< Simulated time at the end of the run.
    double wallSeconds{0.0};       //!< Real time that the simulation took (s).
    uint64_t events{0};            //!< Events executed.
    uint64_t peakResidentBytes{0}; //!< Largest resident memory of the process (bytes).
};

/**
 * @ingroup lfn
 * @brief Measures what a simulation costs, and prints its progress now and then.
 */
class RunMeter
{
  public:
    /** @brief Begin to measure: the simulation starts now. */
    void Begin();

    /** @brief Get what the simulation has cost so far. */
    RunCost GetCost() const;

    /**
     * @brief Print the simulation's progress, about once per second of real time.
     * @param duration The simulated time to stop at; 0: none.
     * @return A line, or nothing when it is too early for one.
     */
    std::optional<std::string> Report(Time duration);

  private:
    using Clock = std::chrono::steady_clock; //!< Real time.

    Clock::time_point m_start; //!< When Begin() was called.
    Clock::time_point m_last;  //!< When there was a line.
};

} // namespace ns3::lfn

#endif // LFN_RUN_METER_H
