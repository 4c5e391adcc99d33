// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FLOW_MONITORING_H
#define LFN_FLOW_MONITORING_H

#include "lfn-series.h"

#include "ns3/lfn-delay-probe.h"
#include "ns3/lfn-flags.h"
#include "ns3/lfn-run-recorder.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <map>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief `--monitor`: columns and series of the delay of data packets, and series of congestion
 * windows. Without the flag nothing is installed.
 *
 * It must outlive the simulation.
 */
class FlowMonitoring
{
  public:
    /**
     * @brief Constructor.
     * @param recorder Takes columns and samples; it outlives this.
     * @param series Calls this; it does not outlive this.
     */
    FlowMonitoring(RunRecorder& recorder, Series& series);

    /** @brief Declare `--monitor`. */
    void Declare(Flags& flags);

    /** @brief Check whether `--monitor` is given. */
    bool IsWanted() const;

    /** @brief Describe the columns and metrics for `--PrintHelp`. */
    static void Describe(Flags& flags);

    /** @brief Add the columns if they are asked for; after the program's own. */
    void AddColumns();

    /**
     * @brief Measure the delay of a flow's data packets from now on; flows in the order in which
     * they start.
     * @param flow The flow's number.
     * @param sender Where data come from.
     * @param receivers Where data go; several for a group.
     * @param port To which data go at the receivers.
     */
    void Watch(uint32_t flow, Ptr<Node> sender, const NodeContainer& receivers, uint16_t port);

    /** @brief Sample cwnd_bytes, ssthresh_bytes and rtt_s of a sender, those that it has. */
    void SampleWindow(uint32_t flow, Ptr<const TransferApplication> sender);

  private:
    /** @brief Get the values of the columns for a flow. */
    RunRecorder::Fields GetFields(uint32_t flow) const;

    RunRecorder& m_recorder;                   //!< Takes columns and samples.
    Series& m_series;                          //!< Calls at the end of each interval.
    bool m_wanted{false};                      //!< Value of the flag.
    DelayProbe m_probe;                        //!< Measures.
    std::map<uint32_t, std::size_t> m_numbers; //!< Of flows at the probe.
};

} // namespace ns3::lfn

#endif // LFN_FLOW_MONITORING_H
