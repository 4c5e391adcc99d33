// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_SCENARIO_H
#define LFN_SCENARIO_H

#include "lfn-attribute-audit.h"
#include "lfn-flow-monitoring.h"
#include "lfn-host-flags.h"
#include "lfn-net-animation.h"
#include "lfn-network-flags.h"
#include "lfn-run-end.h"
#include "lfn-series.h"
#include "lfn-start-times.h"

#include "ns3/lfn-flags.h"
#include "ns3/lfn-last-words.h"
#include "ns3/lfn-live-ends.h"
#include "ns3/lfn-run-recorder.h"
#include "ns3/lfn-topology.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

class FlowCounts;

/**
 * @ingroup lfn
 * @brief What a program has of Scenario.
 *
 * A program may use the names of flags that it does without for flags of its own.
 */
struct ScenarioOptions
{
    /** Classes of the program's own network, which `--linkRate`, `--rtt`, `--queue` and `--mtu` are
     * Attributes of; one that lacks an Attribute goes without. */
    std::vector<std::string> topologies{"ns3::lfn::PointToPointTopology"};
    bool linkFlags{true};     //!< Has `--linkRate`, `--rtt` and `--queue`.
    bool queueDiscFlag{true}; //!< Has `--queueDisc`.
    bool startFlag{true};     //!< Has `--start`; else flows should start at GetStart().
    bool movesStarts{true};   //!< With `--start`, Run() adds GetStart() to applications' times.
    bool messageLog{true};    //!< Has messages.csv and `--messages`.
    bool realEnds{false};     //!< Flows may have a real host at one end.
    bool stopsRun{false};     //!< The program stops the run itself, not by RunEnd.
    Time duration{};          //!< Default of `--duration`; 0 runs until nothing is left to do.
};

/**
 * @ingroup lfn
 * @brief The frame of a scenario program: common flags, topology, run and files.
 *
 * A program declares its own flags and columns, calls Parse(), BuildTopology(), installs its
 * applications, calls Run(), adds one row per flow to the recorder and returns Finish().
 *
 * Random streams are those of RandomStreams: a program gives flow i the streams from Flow(i) on, or
 * from ManyFlow(i) on if it needs more than RANGE.
 *
 * Flags that are Attributes of a TransportTopology, such as `--rtt`, describe the program's own
 * network: with `--topology` they are refused, and run.json goes without them. A default of the
 * program's own is a Config::SetDefault() before Parse().
 */
class Scenario
{
  public:
    /**
     * @brief Constructor.
     * @param program The program's name.
     * @param description What the program does, for `--PrintHelp`.
     * @param options What the program has of this.
     */
    Scenario(const std::string& program,
             const std::string& description,
             ScenarioOptions options = {});
    ~Scenario();

    Scenario(const Scenario&) = delete;
    Scenario& operator=(const Scenario&) = delete;

    /** @brief Get the flags, to declare own ones before Parse(). */
    Flags& GetFlags();

    /** @brief Get the recorder, to declare own columns before Parse() and to add flows. */
    RunRecorder& GetRecorder();

    /** @brief Get the flags of hosts, to declare some before Parse(). */
    HostFlags& GetHosts();

    /** @brief Get the losses, to add models after BuildTopology(). */
    PathLosses& GetLosses();

    /** @brief Get the changes of links, to add some after BuildTopology(). */
    LinkSchedule& GetLinks();

    /** @brief Get the cross traffic; Run() installs it. */
    BackgroundTraffic& GetBackground();

    /** @brief Get the real hosts, which take the places of nodes in BuildTopology(). */
    const LiveEnds& GetLiveEnds() const;

    /** @brief Get what ends the run, to name the transfers that it waits for. */
    RunEnd& GetEnd();

    /** @brief Get the series, to sample in every interval. */
    Series& GetSeries();

    /** @brief Get the monitoring, to name the flows that `--monitor` measures. */
    FlowMonitoring& GetMonitoring();

    /** @brief Get the check of Attributes, to add objects that no node leads to; before Run(). */
    AttributeAudit& GetAudit();

    /**
     * @brief Declare a column of summary.csv, after the common ones, with its unit in the help;
     * before Parse().
     */
    void Column(const std::string& name, const std::string& help);

    /** @brief Declare a metric of series.csv, with its unit in the help; before Parse(). */
    void Metric(const std::string& name, const std::string& help);

    /**
     * @brief Get when flows start: the value of `--start`, else when the network is ready; after
     * BuildTopology().
     *
     * Run() adds it to the times of all applications that the program has installed, unless its
     * ScenarioOptions say otherwise.
     */
    Time GetStart() const;

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

    /** @brief Get the value of `--duration`; 0 if the run ends when nothing is left to do. */
    Time GetDuration() const;

    /** @brief Run the simulation and measure its cost. */
    void Run();

    /** @brief Get what the run cost; zero before Run(). */
    const RunCost& GetCost() const;

    /**
     * @brief Write the files, print a line per flow on stdout and destroy the simulation.
     * @return The program's exit status: 0, also when a transfer failed (that is a result, and
     * `completed` says so), 1 when the files cannot be written.
     */
    int Finish();

    /** @brief Destroy the simulation, as Finish() does, and write nothing. */
    void Close();

  private:
    /** @brief Declare the common flags after the program's own; once. */
    void DeclareCommonFlags();

    /** @brief Declare the flags of the network. */
    void DeclareNetwork();

    /** @brief Declare the flags of the files. */
    void DeclareFiles();

    /** @brief Describe the columns of the files for `--PrintHelp`. */
    void DeclareColumns();

    /**
     * @brief Check what no single flag can: the topology, the folder, the captures.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> CheckTogether();

    /** @brief Put real hosts, losses and what samples into the topology, which is built. */
    void EquipTopology();

    /** @brief Install the cross traffic; refuse it where the run would never end. */
    void InstallBackground();

    /** @brief Close captures, series and counts when the simulation has run. */
    void EndRun();

    /**
     * @brief Have packets counted as lost that cannot be under way any more. Where paths are not
     * known, and where the user gave FlowMonitor's own delay, that one stays.
     */
    void CountLosses();

    /** @brief Say so on stderr where no flow has delivered anything. */
    void WarnOfNothing() const;

    /** @brief Hand the flags to the recorder. */
    void RecordFlags();

    /** @brief Print progress on stderr when it is time for it. */
    void ReportProgress();

    ScenarioOptions m_options;                //!< What the program has of this.
    LastWords m_lastWords;                    //!< Says why ns-3 ends a run.
    Flags m_flags;                            //!< The command line.
    RunRecorder m_recorder;                   //!< The files.
    Time m_start;                             //!< When flows start, if given.
    Time m_duration;                          //!< When to stop; 0: when done.
    std::string m_outputDir;                  //!< Folder of the files.
    bool m_force{false};                      //!< Write into a folder with other files.
    std::string m_libraries;                  //!< Value of --library.
    std::string m_drawing;                    //!< Value of --drawTopology.
    NetAnimation m_animation;                 //!< File for NetAnim.
    std::string m_ipVersion{"4"};             //!< Version of IP that flows go over.
    std::string m_live;                       //!< Value of --live.
    std::string m_pcap;                       //!< Prefix of captures.
    bool m_progress{false};                   //!< Report progress on stderr.
    bool m_messages{false};                   //!< Write messages.csv.
    bool m_flowMonitor{false};                //!< Write flowmonitor.xml.
    bool m_declared{false};                   //!< Common flags are declared.
    std::string m_columns;                    //!< Own columns with their help, one per line.
    std::string m_metrics;                    //!< Metrics with their help, one per line.
    Ptr<TransportTopology> m_topology;        //!< The network.
    LiveEnds m_liveEnds;                      //!< Real hosts in the network.
    StartTimes m_startTimes;                  //!< Moved to GetStart().
    HostFlags m_hosts;                        //!< Flags of hosts.
    NetworkFlags m_network;                   //!< Flags of the network.
    RunEnd m_end;                             //!< Stops the simulation.
    Series m_series;                          //!< Samples for series.csv.
    FlowMonitoring m_monitoring;              //!< Delays of flows.
    AttributeAudit m_audit;                   //!< Checks what is installed.
    std::unique_ptr<FlowCounts> m_flowCounts; //!< What ns-3's FlowMonitor counts, or null.
    RunMeter m_meter;                         //!< Measures what the run costs.
    RunCost m_cost;                           //!< What the run cost.
};

} // namespace ns3::lfn

#endif // LFN_SCENARIO_H
