// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_SERIES_H
#define LFN_SERIES_H

#include "lfn-path-monitor.h"

#include "ns3/lfn-flags.h"
#include "ns3/lfn-run-recorder.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The samples of series.csv: calls what samples at the end of every `--seriesInterval`.
 */
class Series
{
  public:
    /**
     * @brief Constructor.
     * @param recorder Takes the samples; it outlives this.
     */
    explicit Series(RunRecorder& recorder);

    /** @brief Declare `--seriesInterval`. */
    void Declare(Flags& flags);

    /** @brief Check whether a series is asked for. */
    bool IsWanted() const;

    /** @brief Sample queue and utilisation of the sending device of a bottleneck as well. */
    void Watch(Ptr<NetDevice> device);

    /**
     * @brief Have a function called at the end of every interval; it samples into the recorder.
     * Never called when no series was asked for.
     * @param sampler Gets the end of the interval and its length.
     */
    void EachInterval(std::function<void(Time end, Time interval)> sampler);

    /** @brief Sample goodput_bps of a flow: what its receiver delivers in each interval. */
    void SampleGoodput(uint32_t flow, Ptr<const TransferApplication> receiver);

    /** @brief Begin the first interval; before the simulation runs. */
    void Begin();

    /** @brief End the last interval, which the end of the run cuts short. */
    void End();

    /** @brief Forget the watched device; after it is gone. */
    void Clear();

  private:
    /** @brief Sample the path and call the samplers. */
    void Sample();

    /** @brief Sample, and come again unless nothing else is left to do. */
    void Tick();

    RunRecorder& m_recorder;                                 //!< Takes the samples.
    Time m_interval;                                         //!< 0: no series.
    Time m_last;                                             //!< When the interval began.
    std::optional<PathMonitor> m_monitor;                    //!< Samples the bottleneck.
    std::vector<std::function<void(Time, Time)>> m_samplers; //!< Called each interval.
};

} // namespace ns3::lfn

#endif // LFN_SERIES_H
