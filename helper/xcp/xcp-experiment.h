// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_EXPERIMENT_H
#define XCP_EXPERIMENT_H

#include "xcp-experiment-settings.h"
#include "xcp-port-monitor.h"

#include "ns3/lfn-scenario.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Flows of XCP, TCP and UDP through the bottlenecks of a topology, and what is seen of them:
 * the work of the program xcp-tcp-fairness, from its flags.
 *
 * In this order: construct, Install(), Scenario::Run(), AddRows(). It must outlive the simulation.
 */
class XcpExperiment
{
  public:
    /**
     * @brief Constructor.
     * @param scenario the frame; its topology is built
     * @param settings what to do; a window of statistics that is not empty
     */
    XcpExperiment(Scenario& scenario, const XcpExperimentSettings& settings);

    /**
     * @brief Declare the columns that AddRows() writes, and the metrics of the series; before
     * Scenario::Parse().
     */
    static void DeclareColumns(Scenario& scenario);

    XcpExperiment(const XcpExperiment&) = delete;
    XcpExperiment& operator=(const XcpExperiment&) = delete;

    /** @brief Install queue discs, flows and samplers; what cannot be ends the program. */
    void Install();

    /** @brief Write a row per flow. */
    void AddRows();

  private:
    /** @brief One flow. */
    struct Flow
    {
        bool isXcp{false};               //!< or TCP or UDP
        Ptr<TransferApplication> source; //!< sends
        Ptr<TransferApplication> sink;   //!< receives
        Time start;                      //!< of the source
        Time stop;                       //!< of the source; 0: with the run
        uint64_t windowBytes{0};         //!< delivered in the window, or before it, [B]
        uint64_t sampledBytes{0};        //!< delivered at the last sample, [B]
        double cwnd{0};                  //!< congestion window, [B]
        double rtt{0};                   //!< last sample, [s]

        /** @brief Get what the receiver has, user bytes [B]. */
        uint64_t GetDelivered() const;

        /** @brief Check whether it is between start and stop. */
        bool IsRunning(Time now) const;
    };

    /** @brief Refuse packets, or an IP version, that the topology cannot carry. */
    void CheckTopology() const;

    /** @brief Look at the bottlenecks' queue discs, which are there. */
    void Watch();

    /** @brief Install the flows. */
    void InstallFlows();

    /** @brief Install a flow's applications, which run between its start and its stop. */
    void InstallFlow(uint32_t index, Flow& flow);

    /** @brief Have the rate changed, the window looked at, and series written. */
    void Schedule();

    /** @brief Sample all flows and the path. */
    void Sample(Time end, Time interval);

    /**
     * @brief Sample the path.
     * @param end of the interval
     * @param rates goodput of XCP's flows and of all others, [bit/s]
     * @param running how many of either are between start and stop
     */
    void SamplePath(Time end, const double (&rates)[2], const uint32_t (&running)[2]);

    /**
     * @brief Sample something of a bottleneck: the first one's rows have flow -1, the next one's
     * -2.
     * @param end of the interval
     * @param bottleneck which one, from 0
     * @param metric name
     * @param value what it is
     */
    void SampleBottleneck(Time end, std::size_t bottleneck, const char* metric, double value);

    /**
     * @brief Sample the queue disc of a bottleneck.
     * @param end of the interval
     * @param bottleneck which one, from 0
     */
    void SampleDisc(Time end, std::size_t bottleneck);

    Scenario& m_scenario;                                    //!< the frame
    const Flags& m_flags;                                    //!< the command line
    const XcpExperimentSettings& m_settings;                 //!< what is asked for
    Ptr<TransportTopology> m_topology;                       //!< the network
    std::vector<Ptr<QueueDisc>> m_discs;                     //!< of the bottlenecks
    std::vector<std::unique_ptr<XcpPortMonitor>> m_monitors; //!< of the same
    std::vector<Flow> m_flows;                               //!< XCP, TCP, UDP
    XcpPortMonitor::Losses m_sampledLosses;                  //!< at the last sample
    XcpPortMonitor::Means m_means;                           //!< of the window
    std::vector<Time> m_controlIntervals;                    //!< of each bottleneck
};

} // namespace ns3::lfn

#endif // XCP_EXPERIMENT_H
