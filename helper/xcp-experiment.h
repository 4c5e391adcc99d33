// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_EXPERIMENT_H
#define XCP_EXPERIMENT_H

#include "lfn-scenario.h"
#include "xcp-port-monitor.h"

#include "ns3/data-rate.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/xcp-tcp-fairness.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/** @brief What an XcpExperiment does; see the flags of xcp-tcp-fairness. */
struct XcpExperimentSettings
{
    DataRate bottleneckRate{"100Mbps"};             //!< or the topology's
    DataRate accessRate{"500Mbps"};                 //!< or the topology's
    std::vector<Time> rtt{MilliSeconds(20)};        //!< one, or one a flow
    double bufferBdp{1};                            //!< buffer over bandwidth-delay product
    QueueSize queue{"1000p"};                       //!< instead of that
    uint32_t xcpFlows{1};                           //!< of XCP
    uint32_t tcpFlows{2};                           //!< of TCP
    std::vector<Time> xcpStart{Time(0)};            //!< one, or one a flow
    std::vector<Time> tcpStart{Time(0)};            //!< one, or one a flow
    std::vector<Time> xcpStop{Time(0)};             //!< one, or one a flow; 0: never
    std::vector<Time> tcpStop{Time(0)};             //!< one, or one a flow; 0: never
    Time startSpread{Seconds(1)};                   //!< starts are late by up to this, at random
    std::string mechanism{"none"};                  //!< the routers' fairness mechanism
    double inspectProbability{1};                   //!< of a packet
    std::string estimator{"sred"};                  //!< counts flows
    std::string tcp{"ns3::TcpNewReno"};             //!< congestion control of the TCP flows
    bool sack{false};                               //!< selective acknowledgements
    bool stockReno{false};                          //!< ns-3's TCP without SACK as it is
    std::string queueDisc{"xcp"};                   //!< or another one
    bool ecn{false};                                //!< mark instead of dropping
    uint32_t ipVersion{4};                          //!< 4 or 6
    uint32_t packetSize{1000};                      //!< user bytes a packet
    uint32_t receiveBuffer{0};                      //!< of a flow, [B]; 0: as large as it can use
    DataRate udpRate{0};                            //!< of a UDP flow; 0: none
    Time udpStart;                                  //!< when it starts
    std::string rateChange;                         //!< time:rate, ...
    bool xcpAccess{false};                          //!< XCP on the access links, too
    uint32_t initialWindow{2};                      //!< segments
    Time statsFrom;                                 //!< window of the statistics
    Time statsTo;                                   //!< its end; 0: that of the run
    ObjectFactory disc{"ns3::lfn::XcpQueueDisc"};   //!< makes the bottleneck's queue disc
    bool isSized{false};                            //!< it has a MaxSize of its own
    bool hasQueue{false};                           //!< queue counts, not bufferBdp
    std::vector<std::pair<Time, DataRate>> changes; //!< made from rateChange

    /**
     * @brief Get the number of all flows.
     * @return those of XCP, TCP and UDP
     */
    uint32_t GetFlows() const
    {
        return xcpFlows + tcpFlows + (udpRate.GetBitRate() > 0 ? 1 : 0);
    }

    /**
     * @brief Tell whether XCP's FIFO is at the bottleneck, with the mechanism.
     * @return true for persistent, gated and adaptive
     */
    bool HasMechanism() const
    {
        return mechanism != "none" && mechanism != "wrr";
    }
};

/**
 * @ingroup lfn-xcp
 * @brief Flows of XCP, TCP and UDP through the bottlenecks of a topology, and what is seen of them:
 * the work of the program xcp-tcp-fairness.
 *
 * In this order: construct, Install(), Scenario::Run(), AddRows(). It must outlive the simulation.
 */
class XcpExperiment
{
  public:
    /** @brief Names of the columns that AddRows() writes. */
    static const std::vector<std::string> COLUMNS;

    /// First random stream of the ports on the hosts' links, beyond all flows.
    static constexpr int64_t ACCESS_STREAM = int64_t{5} << 50;

    /**
     * @brief Constructor.
     * @param scenario the frame; its topology is built
     * @param settings what to do; a window of statistics that is not empty
     */
    XcpExperiment(Scenario& scenario, const XcpExperimentSettings& settings);

    XcpExperiment(const XcpExperiment&) = delete;
    XcpExperiment& operator=(const XcpExperiment&) = delete;

    /** @brief Install queue discs, flows and samplers; what cannot be ends the program. */
    void Install();

    /** @brief Write a row a flow. */
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

        /**
         * @brief Get what the receiver has.
         * @return user bytes, [B]
         */
        uint64_t GetDelivered() const;

        /**
         * @brief Tell whether it is between start and stop.
         * @param now the time
         * @return true if it is
         */
        bool IsRunning(Time now) const;
    };

    /** @brief Refuse packets, or an IP version, that the topology cannot carry. */
    void CheckTopology() const;

    /** @brief Put queue discs on the bottlenecks. */
    void InstallPorts();

    /** @brief Put XCP's queue discs on the links of the hosts. */
    void InstallAccessPorts();

    /** @brief Install the flows. */
    void InstallFlows();

    /**
     * @brief Install a flow's applications, which run between its start and its stop.
     * @param index its number
     * @param flow the flow
     */
    void InstallFlow(uint32_t index, Flow& flow);

    /** @brief Have the rate changed, the window looked at, and series written. */
    void Schedule();

    /**
     * @brief Get the longest round-trip time of propagation.
     * @return the time
     */
    Time GetLongestRtt() const;

    /**
     * @brief Get the buffer of a bottleneck.
     * @param rate of the bottleneck, [bit/s]
     * @return its size
     */
    QueueSize GetBuffer(double rate) const;

    /**
     * @brief Get the buffer of a socket.
     * @return its size, [B]
     */
    uint32_t GetSocketBuffer() const;

    /**
     * @brief Get the size of a TCP packet with its IP header.
     * @return the size, [B]
     */
    uint32_t GetWireSize() const;

    /**
     * @brief Make the fairness mechanism of a port.
     * @return the mechanism
     */
    Ptr<XcpTcpFairness> MakeFairness() const;

    /**
     * @brief Sample all flows and the path.
     * @param end of the interval
     * @param interval its length
     */
    void Sample(Time end, Time interval);

    /**
     * @brief Sample what only the queue disc of the first bottleneck knows.
     * @param end of the interval
     */
    void SamplePort(Time end);

    Scenario& m_scenario;                                    //!< the frame
    const XcpExperimentSettings& m_settings;                 //!< what is asked for
    Ptr<TransportTopology> m_topology;                       //!< the network
    std::vector<Ptr<QueueDisc>> m_discs;                     //!< of the bottlenecks
    std::vector<std::unique_ptr<XcpPortMonitor>> m_monitors; //!< of the same
    std::vector<Flow> m_flows;                               //!< XCP, TCP, UDP
    XcpPortMonitor::Losses m_sampledLosses;                  //!< at the last sample
    XcpPortMonitor::Means m_means;                           //!< of the window
    Time m_controlInterval;                                  //!< of the first bottleneck
};

} // namespace ns3::lfn

#endif // XCP_EXPERIMENT_H
