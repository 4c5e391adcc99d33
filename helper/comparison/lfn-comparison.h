// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_COMPARISON_H
#define LFN_COMPARISON_H

#include "lfn-object-flags.h"

#include "ns3/data-rate.h"
#include "ns3/lfn-flow-counter.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-transport.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/xcp-port-monitor.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/** @brief What a Comparison does; see the flags of transport-comparison. */
struct ComparisonSettings
{
    std::string transport{"tcp"};     //!< names, comma list
    uint32_t flows{1};                //!< a transport
    uint64_t bytes{10'000'000};       //!< a flow, [B]
    std::vector<Time> start{Time(0)}; //!< one, or one a transport
    std::vector<Time> stop{Time(0)};  //!< one, or one per transport; 0: not
    DataRate sendRate{0};             //!< of rate-based transports; 0: a share
    uint32_t packetSize{1400};        //!< user bytes per packet, [B]
    bool checkContent{false};         //!< send and check a pattern
    std::string senderHost{"none"};   //!< profile of HostCost
    std::string receiverHost{"none"}; //!< profile of HostCost
    ObjectFlags objects;              //!< sent instead of bytes, if wanted
    std::optional<uint32_t> only;     //!< the flow to simulate; unless set, all
};

/**
 * @ingroup lfn
 * @brief Flows of any transports side by side on one network, and an independent count of what
 * arrives: the work of the program transport-comparison.
 *
 * In this order: construct, which installs everything, Scenario::Run(), AddRows(). It must outlive
 * the simulation. What cannot be ends the program with one line.
 */
class Comparison
{
  public:
    static constexpr uint32_t MOST_FLOWS = 2000; //!< whose ports stay below the ephemeral ones

    /**
     * @brief Install everything.
     * @param scenario the frame; its topology is built
     * @param settings what to do; must stay
     */
    Comparison(Scenario& scenario, const ComparisonSettings& settings);

    Comparison(const Comparison&) = delete;
    Comparison& operator=(const Comparison&) = delete;

    /** @brief Count the flows without --background=tcp; after the command line was read. */
    static uint32_t CountFlows(const ComparisonSettings& settings);

    /** @brief Write one row per flow, those of --background=tcp last. */
    void AddRows();

  private:
    /** @brief What is known of a flow at an instant. */
    struct Measured
    {
        TransferReport report;        //!< as its ends report it
        FlowCounter::Account account; //!< as its counter reports it
        FlowCounter::Bounds bounds;   //!< of how far they may differ
    };

    /** @brief One flow: who carries it, and how it went. */
    struct Flow
    {
        Ptr<Transport> transport; //!< who carries it
        TransportFlow settings;   //!< what is carried
        TransportEnds ends;       //!< its ends
        std::size_t counter{0};   //!< its number at the counter
        bool isCross{false};      //!< a flow of --background=tcp
        Time stop;                //!< when its source stops; 0: not
        /** What became of its objects; null where it sends none. */
        std::shared_ptr<ObjectLog> objects;
        Measured measured; //!< of a flow of --background=tcp: up to the end of the others
    };

    /** @brief A sender's index and a receiver's. */
    using Pair = std::pair<uint32_t, uint32_t>;

    /** @brief List all devices of the network, on any path, but for the loopbacks. */
    static std::vector<Ptr<NetDevice>> ListDevices();

    /**
     * @brief Refuse times at which flows stop that are too many, too few or before the start.
     * @param transports the number of transports
     */
    void CheckStops(std::size_t transports) const;

    /** @brief Refuse packets that a link would need fragments for. */
    void CheckPacketSize() const;

    /**
     * @brief Find the indices of a flow's hosts: the next sender, and the next receiver that is
     * another host.
     */
    Pair FindPair(uint32_t index) const;

    /** @brief Find a flow's round-trip time of propagation. */
    Time FindRtt(const Pair& pair);

    /**
     * @brief Find out what the path is like, and what a flow gets of it.
     * @param flows number of flows that the network has
     * @param usesSendRate one of the transports needs a configured rate
     */
    void InspectPath(uint32_t flows, bool usesSendRate);

    /**
     * @brief Add a flow from its sender to its receiver.
     * @param index the flow's number
     * @param transport who carries it
     * @param start when it starts
     * @param isCross it is one of --background=tcp
     */
    void Add(uint32_t index, Ptr<Transport> transport, Time start, bool isCross);

    /** @brief Have a flow send objects. */
    void AddObjects(Flow& flow) const;

    /** @brief Make the network ready and install the flows. */
    void Install();

    /**
     * @brief Count what the sinks have seen come in: it grows with each arrival; heartbeats and the
     * like do not count.
     */
    uint64_t CountArrivals() const;

    /** @brief Ask a flow's ends and its counter. */
    Measured Ask(const Flow& flow) const;

    /**
     * @brief Take what others have of the network up to now: the means of its bottleneck, and
     * --background=tcp.
     */
    void Measure();

    /**
     * @brief Find out how long a packet of a flow may be on its way when it finds every queue full.
     */
    Time FindLongestWay(const Flow& flow) const;

    /**
     * @brief Stop when every flow has come to its end, and what was under way has arrived: when
     * nothing has come in for as long as a packet may be on its way.
     *
     * What is measured ends with the last arrival: afterwards the network is idle, or that of
     * --background alone.
     */
    void CheckForEnd();

    /** @return the time to the next look for the end */
    Time GetWaitForCheck() const;

    Scenario& m_scenario;                      //!< the frame
    const ComparisonSettings& m_settings;      //!< what was asked for
    Ptr<TransportTopology> m_topology;         //!< the network
    uint32_t m_headers;                        //!< the most of all in a packet, B
    double m_rate{0};                          //!< of the first bottleneck, bit/s
    DataRate m_share;                          //!< send rate of a flow
    DataRate m_multicastShare;                 //!< of one to a group
    uint32_t m_window{0};                      //!< of a flow, B
    Time m_begin;                              //!< of the first flow
    Time m_lastStart;                          //!< of the last one
    Time m_measured;                           //!< until when the others are measured
    XcpPortMonitor::Means m_means;             //!< from m_begin to m_measured
    bool m_isOver{false};                      //!< all flows are done
    Time m_silence;                            //!< after which nothing is under way
    uint64_t m_arrivals{0};                    //!< what had come in at m_measured
    std::map<Pair, Time> m_rtts;               //!< by sender and receiver
    std::vector<Flow> m_flows;                 //!< the flows, those of --background last
    FlowCounter m_counter;                     //!< counts what arrives
    std::unique_ptr<XcpPortMonitor> m_monitor; //!< of the first bottleneck
};

} // namespace ns3::lfn

#endif // LFN_COMPARISON_H
