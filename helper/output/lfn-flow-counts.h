// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FLOW_COUNTS_H
#define LFN_FLOW_COUNTS_H

#include "lfn-flow-classifier.h"

#include "ns3/flow-monitor.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief ns-3's FlowMonitor on any network, with all flows in it: XCP's too, and those to groups.
 *
 * It stands in for ns-3's FlowMonitorHelper: Install() once nodes, devices and internet stacks are
 * there, ToXml() after the run. Other than with that helper, the monitor leaves no event behind
 * that keeps a simulation from ending when nothing is left to do: what is lost is looked for at the
 * end. It changes nothing of what happens. It must outlive the simulation.
 */
class FlowCounts
{
  public:
    FlowCounts();
    FlowCounts(const FlowCounts&) = delete;
    FlowCounts& operator=(const FlowCounts&) = delete;
    ~FlowCounts();

    /** @brief Listen to all nodes that there are; once. */
    void Install();

    /** @brief Get the monitor, for its statistics by flow and its Attributes. */
    Ptr<FlowMonitor> GetMonitor() const;

    /**
     * @brief Count as lost what cannot be under way any more, once, at the end: packets that were
     * sent before one of the same flow that has arrived, and packets that nobody saw for longer
     * than a path takes. The monitor itself waits for MaxPerHopDelay, ten seconds.
     * @param longest that a packet may take to its host, full queues included
     * @param hold that a packet may be late behind later ones of its flow
     * @param spread of arrivals at the hosts of a group: a packet to a group may be late by that
     * as well
     */
    void CountLosses(Time longest, Time hold, Time spread);

    /**
     * @brief Get all counts as ns-3's FlowMonitor writes them, with histograms, without probes.
     * @return the text of an XML file
     */
    std::string ToXml() const;

  private:
    Ptr<FlowMonitor> m_monitor;                //!< that counts
    Ptr<TransportFlowClassifier> m_classifier; //!< of packets to flows
};

} // namespace ns3::lfn

#endif // LFN_FLOW_COUNTS_H
