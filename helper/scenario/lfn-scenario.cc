// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-scenario.h"

#include "lfn-random-streams.h"
#include "lfn-watched-scheduler.h"

#include "ns3/boolean.h"
#include "ns3/lfn-captures.h"
#include "ns3/lfn-device-bounds.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-flow-counts.h"
#include "ns3/lfn-forked-runs.h"
#include "ns3/lfn-own-library.h"
#include "ns3/lfn-point-to-point-topology.h"
#include "ns3/lfn-topology-drawing.h"
#include "ns3/lfn-values.h"
#include "ns3/lfn-wording.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("Scenario");

namespace
{

constexpr uint64_t UNRESOLVED = 10000; //!< packets that wait until an address is resolved

} // namespace

Scenario::Scenario(const std::string& program,
                   const std::string& description,
                   ScenarioOptions options)
    : m_options(std::move(options)),
      m_lastWords(program),
      m_flags(program, description),
      m_recorder(program),
      m_duration(m_options.duration),
      m_outputDir("results/" + program),
      m_hosts(m_flags),
      m_network(m_flags),
      m_end(m_liveEnds),
      m_series(m_recorder),
      m_monitoring(m_recorder, m_series),
      m_audit(m_flags, m_recorder)
{
    UseFastAllocator();
    UseFastScheduler();
}

Scenario::~Scenario() = default;

Flags&
Scenario::GetFlags()
{
    return m_flags;
}

RunRecorder&
Scenario::GetRecorder()
{
    return m_recorder;
}

HostFlags&
Scenario::GetHosts()
{
    return m_hosts;
}

PathLosses&
Scenario::GetLosses()
{
    return m_network.GetLosses();
}

LinkSchedule&
Scenario::GetLinks()
{
    return m_network.GetLinks();
}

BackgroundTraffic&
Scenario::GetBackground()
{
    return m_network.GetBackground();
}

const LiveEnds&
Scenario::GetLiveEnds() const
{
    return m_liveEnds;
}

RunEnd&
Scenario::GetEnd()
{
    return m_end;
}

Series&
Scenario::GetSeries()
{
    return m_series;
}

FlowMonitoring&
Scenario::GetMonitoring()
{
    return m_monitoring;
}

AttributeAudit&
Scenario::GetAudit()
{
    return m_audit;
}

void
Scenario::Column(const std::string& name, const std::string& help)
{
    m_recorder.AddColumns({name});
    m_columns += "\n  " + name + "  " + help;
}

void
Scenario::Metric(const std::string& name, const std::string& help)
{
    m_metrics += "\n  " + name + "  " + help;
}

Time
Scenario::GetStart() const
{
    return m_options.startFlag && m_flags.IsSet("start") ? m_start : m_topology->GetReady();
}

void
Scenario::DeclareCommonFlags()
{
    if (m_declared)
    {
        return;
    }
    m_declared = true;
    DeclareNetwork();
    if (m_options.startFlag)
    {
        m_flags.Duration("start",
                         "when flows start; unless given, when the network is ready: at once but "
                         "for topologies that say otherwise",
                         m_start);
    }
    m_flags.Duration("duration",
                     "simulated time to stop at; 0: when nothing is left to do",
                     m_duration);
    m_series.Declare(m_flags);
    DeclareFiles();
    m_flags.Switch("progress", "report progress on stderr", m_progress);
    DeclareColumns();
}

void
Scenario::DeclareNetwork()
{
    m_network.Declare(m_options.topologies, m_options.linkFlags, m_options.queueDiscFlag);
    m_flags.Text("drawTopology",
                 "file that gets a drawing of the network in SVG: nodes, links with rates and "
                 "delays, bottlenecks, who sends",
                 m_drawing);
    m_animation.Declare(m_flags);
    m_flags.Text("library",
                 "shared libraries with classes of your own, such as topologies and transports",
                 m_libraries);
    m_flags.Text("live",
                 "ends at which real hosts are, in real time: sender or receiver, with an index, "
                 "=device and @namespace if wanted, such as receiver or sender=tun0@left",
                 m_live,
                 [](const std::string& text) {
                     std::vector<LiveEnds::End> ends;
                     return LiveEnds::Read(text, ends);
                 });
    m_flags.Choice("ipVersion", "version of IP that flows go over", m_ipVersion, {"4", "6"});
}

void
Scenario::DeclareFiles()
{
    if (m_options.messageLog)
    {
        m_flags.Switch("messages", "write messages.csv, a line for every message", m_messages);
    }
    m_audit.Declare();
    m_monitoring.Declare(m_flags);
    m_flags.Switch("flowMonitor",
                   "write flowmonitor.xml, what ns-3's FlowMonitor counts of every flow",
                   m_flowMonitor);
    m_recorder.AddTexts({"flowmonitor.xml", "background.csv"});
    m_flags.Text("outputDir", "folder of the files written", m_outputDir);
    m_flags.Switch("force", "write into a folder that holds other files", m_force);
    m_flags.Text("pcap", "prefix of packet captures, one a device", m_pcap);
}

void
Scenario::DeclareColumns()
{
    Metric("queue_packets", "packets in the queue of the first bottleneck (flow -1)");
    Metric("utilisation", "busy share of the first bottleneck (flow -1)");
    if (!m_columns.empty())
    {
        m_flags.Columns("Own columns of summary.csv:" + m_columns);
    }
    m_flags.Columns("Metrics of series.csv; flow -1 is the path:" + m_metrics);
    FlowMonitoring::Describe(m_flags);
    m_flags.Columns(m_recorder.DescribeFiles(m_options.messageLog) +
                    "Columns and metrics are explained in doc/vocabulary.rst.\n"
                    "Exit status: 0 when the run is done, also if a transfer failed (completed is "
                    "0 then);\n"
                    "1 with one line on stderr when a flag or the folder is no good.");
}

std::optional<std::string>
Scenario::CheckTogether()
{
    const bool isIpv6 = m_ipVersion == "6";
    if (isIpv6 && !m_live.empty())
    {
        return m_flags.Complaint("ipVersion",
                                 "real hosts are reached by IPv4: leave it or --live away");
    }
    if (isIpv6)
    {
        m_flags.Imply("ns3::lfn::TransportTopology::Ipv6", BooleanValue(true));
    }
    if (auto error = m_network.Check(m_duration))
    {
        return error;
    }
    if (!m_live.empty() && m_duration.IsZero())
    {
        return m_flags.Complaint("live",
                                 "give --duration as well, since real hosts do not report an end");
    }
    if (!m_live.empty() && !m_network.GetBackground().Get().empty())
    {
        return m_flags.Complaint("background", "leave it or --live away: its flows need both ends");
    }
    if (auto error = m_hosts.Check())
    {
        return error;
    }
    if (const auto remedy = Captures::CheckPrefix(m_pcap))
    {
        return m_flags.Complaint("pcap", *remedy);
    }
    if (auto error = m_animation.Check(m_flags))
    {
        return error;
    }
    m_recorder.SetOutput(m_outputDir, m_force);
    m_recorder.Enable(m_series.IsWanted(), m_messages);
    m_monitoring.AddColumns();
    if (const auto trouble = m_recorder.Prepare())
    {
        return m_flags.Complaint("outputDir", *trouble);
    }
    return std::nullopt;
}

std::optional<std::string>
Scenario::Check(const std::vector<std::string>& arguments)
{
    DeclareCommonFlags();
    if (auto error = LoadLibraries(arguments))
    {
        return error;
    }
    if (auto error = m_flags.Check(arguments))
    {
        return error;
    }
    return CheckTogether();
}

void
Scenario::Parse(int argc, char* argv[])
{
    DeclareCommonFlags();
    ForkRuns(argc, argv);
    if (const auto error = LoadLibraries({argv + std::min(argc, 1), argv + argc}))
    {
        m_flags.Exit(*error);
    }
    m_flags.Parse(argc, argv);
    if (const auto error = CheckTogether())
    {
        m_flags.Exit(*error);
    }
}

Ptr<TransportTopology>
Scenario::BuildTopology(Ptr<TransportTopology> standard)
{
    NS_LOG_FUNCTION(this << standard);
    if (m_topology)
    {
        return m_topology;
    }
    if (!m_live.empty())
    {
        RealHost::UseRealTime();
    }
    const auto asked = m_network.GetAsked();
    m_topology = asked ? asked : standard;
    if (!m_topology)
    {
        m_topology = CreateObject<PointToPointTopology>();
    }
    const auto error = m_topology->Check();
    const bool isQueue = error && error->starts_with("Queue: ") && m_options.linkFlags;
    m_flags.RefuseIf(asked ? "topology" : isQueue ? "queue" : "ipVersion", error);
    if (m_ipVersion == "6")
    {
        m_topology->UseIpv6();
    }
    // ns-3 keeps three and loses the others.
    m_flags.Imply("ns3::ArpCache::PendingQueueSize", UintegerValue(UNRESOLVED));
    m_flags.Imply("ns3::NdiscCache::UnresolvedQueueSize", UintegerValue(UNRESOLVED));
    m_topology->Build();
    NS_LOG_INFO("topology " << m_topology->GetInstanceTypeId().GetName() << ", nodes "
                            << NodeList::GetNNodes());
    m_startTimes.Begin();
    m_audit.AddObject("Topology", m_topology);
    if (m_topology->AssignStreams(RandomStreams::TOPOLOGY) > RandomStreams::RANGE)
    {
        m_topology->AssignStreams(RandomStreams::MANY_TOPOLOGY);
    }
    EquipTopology();
    return m_topology;
}

void
Scenario::EquipTopology()
{
    m_flags.RefuseIf("topology", m_topology->CheckBuilt());
    m_flags.RefuseIf(!m_topology->HasEnds(),
                     "ipVersion",
                     "this topology has no IPv6 addresses: leave Ipv6=false away, or take "
                     "another one");
    std::vector<LiveEnds::End> ends;
    LiveEnds::Read(m_live, ends);
    m_flags.RefuseIf("live", m_liveEnds.TakePlaces(ends, *m_topology));
    for (const auto& host : m_liveEnds.GetHosts())
    {
        m_audit.AddObject("RealHost/" + host->GetDevice(), host);
    }
    m_network.Install(*m_topology);
    const auto& bottlenecks = m_topology->GetBottlenecks();
    m_flags.RefuseIf(m_messages && bottlenecks.empty(),
                     "messages",
                     "this topology names no bottleneck to look for losses at");
    if (m_series.IsWanted() && !bottlenecks.empty())
    {
        m_series.Watch(bottlenecks.front().first);
    }
}

Ptr<TransportTopology>
Scenario::GetTopology() const
{
    return m_topology;
}

void
Scenario::CheckPair(uint32_t sender, uint32_t receiver) const
{
    const bool isFromReal = m_liveEnds.IsReal(m_topology->GetSenders().Get(sender));
    const bool isToReal = m_liveEnds.IsReal(m_topology->GetReceivers().Get(receiver));
    if (isFromReal && isToReal)
    {
        m_flags.Refuse("live",
                       "sender " + std::to_string(sender) + " and receiver " +
                           std::to_string(receiver) +
                           " are both real, and a flow of this program is to be between them: take "
                           "a topology with more hosts, or another pair");
    }
    m_flags.RefuseIf(m_monitoring.IsWanted() && (isFromReal || isToReal),
                     "monitor",
                     "an end of a flow is a real host, where no delay is measured: leave it or "
                     "--live away");
    if (m_topology->GetSenders().Get(sender) == m_topology->GetReceivers().Get(receiver))
    {
        m_flags.Refuse("topology",
                       "sender " + std::to_string(sender) + " and receiver " +
                           std::to_string(receiver) +
                           " are one node: ask for fewer flows, or name other hosts");
    }
}

Time
Scenario::GetDuration() const
{
    return m_duration;
}

void
Scenario::ReportProgress()
{
    if (const auto line = m_meter.Report(m_duration))
    {
        std::cerr << m_flags.GetProgram() << ": " << *line << std::endl;
    }
}

void
Scenario::RecordFlags()
{
    auto flags = m_flags.Values();
    auto values = m_flags.BaseValues();
    if (m_network.GetAsked())
    {
        // The defaults of these describe a path that is not there.
        const auto own = m_flags.FindFlagsOf(TransportTopology::GetTypeId());
        const auto isOwn = [&own](const auto& flag) {
            return std::ranges::find(own, flag.first) != own.end();
        };
        std::erase_if(flags, isOwn);
        std::erase_if(values, isOwn);
    }
    m_recorder.SetFlags(std::move(flags), std::move(values));
}

void
Scenario::CountLosses()
{
    if (!m_topology || !m_live.empty() || m_flags.IsGiven("ns3::FlowMonitor::MaxPerHopDelay"))
    {
        return;
    }
    const auto longest = LongestWait(*m_topology);
    if (!longest)
    {
        return;
    }
    const Time rtt = m_topology->GetLongestRtt();
    const Time hold = m_topology->GetLongestHold() + m_network.GetLinks().GetLongestHold();
    m_flowCounts->CountLosses(*longest + rtt + hold, hold, rtt);
}

void
Scenario::WarnOfNothing() const
{
    const auto& rows = m_recorder.GetRows();
    if (!rows.empty() && std::ranges::none_of(rows, &RunRecorder::Row::hasDelivered))
    {
        std::cerr << m_flags.GetProgram()
                  << ": warning: nothing was delivered; is the network ready at --start and "
                     "--duration long enough?"
                  << std::endl;
    }
}

void
Scenario::InstallBackground()
{
    const auto& kinds = m_network.GetBackground().Get();
    if (kinds.empty())
    {
        return;
    }
    m_flags.RefuseIf(m_duration.IsZero() && m_end.GetRunning() == 0 && !m_options.stopsRun,
                     "background",
                     "give --duration as well, since this traffic has no end");
    for (std::size_t i = 0; i < kinds.size(); ++i)
    {
        m_audit.AddObject("Background/" + std::to_string(i), kinds[i]);
    }
    const bool movesStarts = m_options.startFlag && m_options.movesStarts;
    m_network.GetBackground().Install(*m_topology, movesStarts ? Time(0) : GetStart());
}

void
Scenario::Run()
{
    NS_LOG_FUNCTION(this);
    InstallBackground();
    if (m_topology && m_options.startFlag && m_options.movesStarts)
    {
        NS_LOG_DEBUG("applications start at " << GetStart().As(Time::S));
        m_startTimes.Move(GetStart());
    }
    m_network.RefuseReplaced();
    RecordFlags(); // not earlier: some follow from others
    if (m_liveEnds.HoldApplications(m_duration) > 0 && !m_options.realEnds)
    {
        m_flags.Refuse("live", "flows of this program need both ends: take hosts without a flow");
    }
    if (m_flowMonitor)
    {
        m_flowCounts = std::make_unique<FlowCounts>();
        m_flowCounts->Install();
        m_audit.AddObject("FlowMonitor", m_flowCounts->GetMonitor());
    }
    m_audit.Begin();
    if (!m_pcap.empty())
    {
        // Not earlier: the devices are there to be counted.
        m_flags.RefuseIf("pcap", Captures::MakeRoom());
        m_topology->EnablePcap(m_pcap);
    }
    if (!m_drawing.empty() && m_topology)
    {
        std::ofstream file(m_drawing);
        file << DrawTopology(*m_topology);
        file.close();
        m_flags.RefuseIf(!file,
                         "drawTopology",
                         "the file cannot be written, name another one in a folder that is there");
    }
    if (m_topology)
    {
        m_animation.Begin(m_flags, *m_topology);
    }
    NS_LOG_INFO("the run starts, Duration " << m_duration.As(Time::S));
    m_meter.Begin();
    if (m_duration.IsStrictlyPositive())
    {
        Simulator::Stop(m_duration);
    }
    m_series.Begin();
    if (m_progress)
    {
        WatchedScheduler::Install(MakeCallback(&Scenario::ReportProgress, this));
    }
    m_end.Begin();
    Simulator::Run();
    NS_LOG_INFO("the run has ended at " << Simulator::Now().As(Time::S) << ", running transfers "
                                        << m_end.GetRunning());
    EndRun();
}

void
Scenario::EndRun()
{
    for (const auto& line : m_liveEnds.Describe())
    {
        std::cerr << m_flags.GetProgram() << ": " << line << std::endl;
    }
    m_flags.RefuseIf("pcap", m_topology ? m_topology->ClosePcap() : std::nullopt);
    m_series.End();
    m_cost = m_meter.GetCost();
    if (m_duration.IsStrictlyPositive() && Simulator::Now() >= m_duration)
    {
        m_recorder.SetCut("--duration ended the run at " + values::PrintTime(m_duration));
    }
    m_recorder.SetText("background.csv", m_network.GetBackground().Print());
    if (m_flowCounts)
    {
        CountLosses();
        m_recorder.SetText("flowmonitor.xml", m_flowCounts->ToXml());
    }
}

const RunCost&
Scenario::GetCost() const
{
    return m_cost;
}

int
Scenario::Finish()
{
    NS_LOG_FUNCTION(this);
    int status = 0;
    if (const auto trouble = m_recorder.Write(m_cost))
    {
        std::cerr << m_flags.GetProgram() << ": " << m_flags.Complaint("outputDir", *trouble)
                  << std::endl;
        status = 1;
    }
    else
    {
        for (const auto& row : m_recorder.GetRows())
        {
            std::cout << row.line << "\n";
        }
        WarnOfNothing();
        std::cout << "files in " << Printable(m_outputDir, 1000) << std::endl;
    }
    Close();
    if (const auto trouble = m_animation.End(m_flags))
    {
        std::cerr << m_flags.GetProgram() << ": " << m_flags.Complaint("netAnim", *trouble)
                  << std::endl;
        status = 1;
    }
    return status;
}

void
Scenario::Close()
{
    m_liveEnds.Close(); // its threads must end before the simulation
    // The monitor's callbacks must be there until the devices are gone.
    if (m_topology)
    {
        m_topology->Dispose();
        m_topology = nullptr;
        m_audit.Clear();
    }
    Simulator::Destroy();
    m_series.Clear();
    m_flowCounts.reset();
}

} // namespace ns3::lfn
