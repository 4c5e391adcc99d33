// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_SCENARIO_H
#define LFN_SCENARIO_H

#include "lfn-installed-objects.h"

#include "ns3/error-model.h"
#include "ns3/lfn-flags.h"
#include "ns3/lfn-last-words.h"
#include "ns3/lfn-live-ends.h"
#include "ns3/lfn-run-recorder.h"
#include "ns3/lfn-topology.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

class FlowCounts;
class PathMonitor;

/**
 * @ingroup lfn
 * @brief The frame of a scenario program: common flags, topology, loss, series, run and files.
 *
 * A program declares its own flags and columns, calls Parse(), BuildTopology(), installs its
 * applications, calls Run(), adds a row a flow to the recorder and returns Finish().
 *
 * Random streams are fixed so that equal RngRun gives equal bytes whatever else is installed: the
 * loss of bottleneck i uses LossStream(i), that of the way back ReverseLossStream(i), the topology
 * itself (jitter, reordering) the streams from TOPOLOGY_STREAM on, or from MANY_TOPOLOGY_STREAM on
 * if they are more than RANGE, routers' port i those from PortStream(i) on, and a program gives
 * flow i the streams from FlowStream(i) on, or from ManyFlowStream(i) on if it needs more than
 * RANGE.
 *
 * Flags that are Attributes of a TransportTopology, such as `--rtt`, describe the program's own
 * network: with `--topology` they are refused, and run.json goes without them. A default of the
 * program's own is a Config::SetDefault() before Parse().
 */
class Scenario
{
  public:
    static constexpr int64_t RANGE = 1000;           //!< Streams of a kind, before the far ones.
    static constexpr int64_t TOPOLOGY_STREAM = 3000; //!< First stream of the topology itself.
    /** First stream of a topology that needs many; far from all flows. */
    static constexpr int64_t MANY_TOPOLOGY_STREAM = int64_t{3} << 50;

    /** @brief Get the random stream of the losses of data at a bottleneck. */
    static constexpr int64_t LossStream(uint32_t bottleneck)
    {
        return bottleneck < RANGE ? 1000 + int64_t{bottleneck}
                                  : (int64_t{1} << 50) + int64_t{bottleneck};
    }

    /** @brief Get the random stream of the losses on the way back at a bottleneck. */
    static constexpr int64_t ReverseLossStream(uint32_t bottleneck)
    {
        return bottleneck < RANGE ? 2000 + int64_t{bottleneck}
                                  : (int64_t{2} << 50) + int64_t{bottleneck};
    }

    /** @brief Get the first random stream of a flow, of a thousand that belong to it. */
    static constexpr int64_t FlowStream(uint32_t flow)
    {
        return 10000 + int64_t{1000} * flow;
    }

    /**
     * @brief Get the first random stream of a flow that needs more than RANGE.
     * @param flow The flow's number; at most 200000: ns3::TcpBbr takes 32 bits of a stream.
     * @return The first of ten thousand streams that belong to the flow.
     */
    static constexpr int64_t ManyFlowStream(uint32_t flow)
    {
        return (int64_t{1} << 31) + int64_t{10000} * flow;
    }

    /** @brief Get the first random stream of a router's port, of ten that belong to it. */
    static constexpr int64_t PortStream(uint32_t port)
    {
        // The near ones end where those of the flows begin.
        return (port < 600 ? 4000 : int64_t{4} << 50) + int64_t{10} * port;
    }

    /**
     * @brief Constructor.
     * @param program The program's name.
     * @param description What the program does, for `--PrintHelp`.
     */
    Scenario(const std::string& program, const std::string& description);
    ~Scenario();

    Scenario(const Scenario&) = delete;
    Scenario& operator=(const Scenario&) = delete;

    /** @brief Get the flags, to declare own ones before Parse(). */
    Flags& GetFlags();

    /** @brief Get the recorder, to declare own columns before Parse() and to add flows. */
    RunRecorder& GetRecorder();

    /**
     * @brief Declare a column of summary.csv, after the common ones, with its unit in the help;
     * before Parse().
     */
    void Column(const std::string& name, const std::string& help);

    /** @brief Declare a metric of series.csv, with its unit in the help; before Parse(). */
    void Metric(const std::string& name, const std::string& help);

    /**
     * @brief Set the classes of the program's own network, which `--linkRate`, `--rtt`, `--queue`
     * and `--mtu` are Attributes of; before Parse().
     * @param classes Descendants of TransportTopology; one that lacks an Attribute goes without.
     */
    void SetOwnTopologies(const std::vector<std::string>& classes);

    /**
     * @brief Declare a flag for a host's speed: the name of a profile of HostCost.
     *
     * With `custom` the host has the attributes of HostCost that the command line gives
     * (`--ns3::lfn::HostCost::ReadCost=50us`); one that no host takes is refused.
     *
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param profile Default and result; it must outlive the scenario's Parse().
     */
    void DeclareHost(const std::string& name, const std::string& help, std::string& profile);

    /**
     * @brief Do without messages.csv and its switch `--messages`, whose name the program may then
     * use for a flag of its own; before Parse().
     */
    void OmitMessageLog();

    /**
     * @brief Do without `--linkRate`, `--rtt` and `--queue`, whose names the program may then use
     * for flags of its own; before Parse().
     */
    void OmitLinkFlags();

    /**
     * @brief Do without `--start`, whose name the program may then use for a flag of its own;
     * before Parse(). Its flows should start at GetStart() unless told otherwise.
     */
    void OmitStart();

    /**
     * @brief Have the applications of the program start when it says so, after GetStart() as it
     * adds it to their times itself, where Run() would; before Parse().
     */
    void StartByItself();

    /**
     * @brief Get when flows start: the value of `--start`, else when the network is ready; after
     * BuildTopology().
     *
     * Run() adds it to the times of all applications that the program has installed, unless
     * StartByItself() or OmitStart() was called.
     */
    Time GetStart() const;

    /** @brief Set the default of `--duration`; 0 runs until nothing is left to do. */
    void SetDefaultDuration(Time duration);

    /**
     * @brief Read the command line; an error ends the program with one line and exit status 1.
     *
     * Checks the topology and the output folder as well, and writes nothing.
     */
    void Parse(int argc, char* argv[]);

    /**
     * @brief Check the command line as Parse() does, but return the error.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> Check(const std::vector<std::string>& arguments);

    /**
     * @brief Build the topology that the flags ask for, with losses and packet captures.
     * @param standard Without `--topology` the program's own one, not yet built; null for a
     * PointToPointTopology.
     * @return The topology, built.
     */
    Ptr<TransportTopology> BuildTopology(Ptr<TransportTopology> standard = nullptr);

    /** @brief Get the topology; null before BuildTopology(). */
    Ptr<TransportTopology> GetTopology() const;

    /** @brief End the program with one line where a flow would not leave its node. */
    void CheckPair(uint32_t sender, uint32_t receiver) const;

    /**
     * @brief Have an object treated as those that nodes lead to: an Attribute on the command line
     * must be what it has, and attributes.csv lists it; before Run().
     * @param path What attributes.csv shows.
     * @param object The object.
     */
    void AddObject(const std::string& path, Ptr<Object> object);

    /**
     * @brief Add a loss model for data, beside the one that `--lossRate` asks for.
     *
     * Every model sees every packet, so one model's losses never shift another's random stream.
     *
     * @param model The model; it sees packets as they arrive at the bottleneck's receiving device.
     * @param bottleneck The bottleneck's index.
     */
    void AddDataLoss(Ptr<ErrorModel> model, uint32_t bottleneck = 0);

    /**
     * @brief Add a loss model for the way back.
     * @param model The model; it sees packets as they arrive at the bottleneck's sending device.
     * @param bottleneck The bottleneck's index.
     */
    void AddReverseLoss(Ptr<ErrorModel> model, uint32_t bottleneck = 0);

    /** @brief Get the value of `--duration`; 0 if the run ends when nothing is left to do. */
    Time GetDuration() const;

    /**
     * @brief Have a function called at the end of every series interval; it samples into the
     * recorder. Never called when no series was asked for.
     * @param sampler Gets the end of the interval and its length.
     */
    void EachInterval(std::function<void(Time end, Time interval)> sampler);

    /**
     * @brief Stop the simulation when this application and all others given have ended, well or
     * not.
     * @param application An application that has not ended yet.
     */
    void StopAfter(Ptr<TransferApplication> application);

    /**
     * @brief Stop the simulation when this transfer and all others given have ended: the source
     * has ended, and unless it failed the sink has delivered everything.
     * @param source A source that has not ended yet, and that its sink acknowledges to.
     * @param sink Its sink, which serves no other source.
     */
    void StopAfter(Ptr<TransferApplication> source, Ptr<TransferApplication> sink);

    /** @brief Say that the program's flows may have a real host at one end; before Parse(). */
    void AllowRealEnds();

    /** @brief Tell whether a real host has taken the place of a node, as `--live` asks for. */
    bool IsReal(Ptr<const Node> node) const;

    /**
     * @brief Join the reports of both ends; where one is a real host, what the other knows.
     *
     * A receiver that is never told the end counts as complete when something came: the real sender
     * knows whether it was all.
     *
     * @param source The sender.
     * @param sink The receiver.
     * @return The report of the transfer.
     */
    TransferReport JoinReports(const TransferApplication& source,
                               const TransferApplication& sink) const;

    /** @brief Run the simulation and measure its cost. */
    void Run();

    /** @brief Get what the run cost; zero before Run(). */
    const RunCost& GetCost() const;

    /**
     * @brief Write the files, print a line a flow on stdout and destroy the simulation.
     * @return The program's exit status: 0, also when a transfer failed (that is a result, and
     * `completed` says so), 1 when the files cannot be written.
     */
    int Finish();

  private:
    /** @brief A flag of a host: its name, and its value, the name of a profile. */
    using HostFlag = std::pair<std::string, const std::string*>;

    /** @brief Declare the common flags after the program's own; once. */
    void DeclareCommonFlags();

    /**
     * @brief Check what no single flag can: the topology, the folder, the captures.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> CheckTogether();

    /**
     * @brief Check that hosts take the attributes of HostCost that were given.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> CheckHosts() const;

    /** @brief Count an application that has ended, and stop after the last one. */
    void OnEnd(const TransferReport& report);

    /**
     * @brief A source has completed: its transfer ends when the sink has delivered everything.
     * @param source The source.
     * @param sink Its sink.
     */
    void AwaitDelivery(const TransferApplication* source, TransferApplication* sink);

    /** @brief Keep simulated applications off nodes that are real hosts. */
    void KeepOffRealHosts();

    /** @brief Stop a live run whose transfers have ended, once its real hosts are silent. */
    void WatchSilence();

    /** @brief Get a bottleneck; where there is none, end the program with one line. */
    const TransportTopology::Link& GetBottleneck(uint32_t index);

    /** @brief Make a model of what `--lossRate` and `--lossBurst` ask for. */
    Ptr<ErrorModel> MakeLoss(int64_t stream) const;

    /** @brief Lose packets at all bottlenecks as `--lossRate` asks for. */
    void AddLosses();

    /** @brief Move what the program has installed to GetStart(). */
    void MoveStarts() const;

    /**
     * @brief Have packets counted as lost that cannot be under way any more. Where paths are not
     * known, and where the user gave FlowMonitor's own delay, that one stays.
     */
    void CountLosses();

    /** @brief Say so on stderr where no flow has delivered anything. */
    void WarnOfNothing() const;

    /** @brief Add a loss model to a device, beside those that it has. */
    void AddLoss(Ptr<NetDevice> device, Ptr<ErrorModel> model);

    /** @brief Declare the common flags that are Attributes of the program's own network. */
    void DeclarePathFlag(const std::string& name,
                         const std::string& attribute,
                         const std::string& help);

    /**
     * @brief Look at what is installed: end the program with one line where it is not as the
     * command line says, and list it for attributes.csv.
     * @param moment When this is.
     */
    void LookAtInstalled(InstalledObjects::Moment moment);

    /** @brief Hand the flags to the recorder. */
    void RecordFlags();

    /** @brief Sample the path and have the program's samplers called. */
    void Sample();

    /** @brief Sample, and come again. */
    void Tick();

    /** @brief Print progress on stderr when it is time for it. */
    void ReportProgress();

    LastWords m_lastWords; //!< Says why ns-3 ends a run.
    /** What no node leads to. */
    std::vector<InstalledObjects::Entry> m_objects;
    Flags m_flags;          //!< The command line.
    RunRecorder m_recorder; //!< The files.
    std::vector<std::string> m_ownTopologies{"ns3::lfn::PointToPointTopology"}; //!< Classes.
    double m_lossRate{0};                     //!< Loss probability of an IP packet.
    double m_lossBurst{0};                    //!< Mean length of a burst of losses; 0: no bursts.
    bool m_lossBothWays{false};               //!< Lose packets of the way back as well.
    Time m_start;                             //!< When flows start, if given.
    bool m_hasStart{true};                    //!< There is a flag for that.
    bool m_movesStarts{true};                 //!< Applications are moved to it.
    std::vector<uint32_t> m_foreign;          //!< Applications of the network itself, by node.
    std::string m_outputDir;                  //!< Folder of the files.
    bool m_force{false};                      //!< Write beside foreign files.
    std::string m_topologyText;               //!< Value of --topology.
    std::string m_ipVersion{"4"};             //!< Version of IP that flows go over.
    Ptr<TransportTopology> m_asked;           //!< Made from --topology, or null.
    Time m_duration;                          //!< When to stop; 0: when done.
    Time m_seriesInterval;                    //!< 0: no series.
    std::string m_pcap;                       //!< Prefix of captures.
    bool m_progress{false};                   //!< Report progress on stderr.
    bool m_messages{false};                   //!< Write messages.csv.
    bool m_attributes{false};                 //!< Write attributes.csv.
    bool m_flowMonitor{false};                //!< Write flowmonitor.xml.
    std::size_t m_listed{0};                  //!< Objects in attributes.csv.
    bool m_hasMessageLog{true};               //!< There is a flag for that.
    bool m_hasLinkFlags{true};                //!< There are --linkRate and such.
    bool m_declared{false};                   //!< Common flags are declared.
    std::vector<HostFlag> m_hosts;            //!< Flags of hosts.
    std::string m_columns;                    //!< Own columns with their help, a line each.
    std::string m_metrics;                    //!< Metrics with their help, a line each.
    uint32_t m_running{0};                    //!< StopAfter() waits for these.
    Time m_lastEnd;                           //!< When the last of these ended.
    bool m_hadRunning{false};                 //!< There was something to wait for.
    bool m_allowsReal{false};                 //!< Flows may have a real host at one end.
    std::string m_live;                       //!< Value of --live.
    LiveEnds m_liveEnds;                      //!< Real hosts in the network.
    Ptr<TransportTopology> m_topology;        //!< The network.
    std::unique_ptr<PathMonitor> m_monitor;   //!< Samples the first bottleneck.
    std::unique_ptr<FlowCounts> m_flowCounts; //!< What ns-3's FlowMonitor counts, or null.
    std::vector<std::function<void(Time, Time)>> m_samplers; //!< Called each interval.
    Time m_lastSample;                                       //!< When the interval began.
    RunMeter m_meter;                                        //!< Measures what the run costs.
    RunCost m_cost;                                          //!< What the run cost.
};

} // namespace ns3::lfn

#endif // LFN_SCENARIO_H
