// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-scenario.h"

#include "lfn-attribute-check.h"
#include "lfn-open-files.h"
#include "lfn-path-monitor.h"
#include "lfn-point-to-point-topology.h"

#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-wording.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sys/resource.h>
#include <unistd.h>

namespace ns3::lfn
{

namespace
{

/** @brief Real time between two lines of progress. */
constexpr std::chrono::duration<double> PROGRESS_PERIOD{1.0};

/**
 * @brief Get the largest resident memory of this process so far.
 * @return The size (bytes); 0 if the system does not tell.
 */
uint64_t
PeakResidentBytes()
{
    // getrusage() would report the parent's memory if that was larger before exec().
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
    {
        uint64_t kib = 0;
        if (word == "VmHWM:" && status >> kib)
        {
            return kib * 1024;
        }
    }
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

} // namespace

Scenario::Scenario(const std::string& program, const std::string& description)
    : m_flags(program, description),
      m_recorder(program),
      m_outputDir("results/" + program),
      m_progressInterval(MilliSeconds(1))
{
    UseFastAllocator();
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

PathSettings&
Scenario::GetPath()
{
    return m_path;
}

void
Scenario::DeclareHost(const std::string& name, const std::string& help, std::string& profile)
{
    m_flags.Choice(name, help, profile, HostCost::GetProfileNames());
    m_hosts.emplace_back(name, &profile);
}

void
Scenario::OmitMessageLog()
{
    m_hasMessageLog = false;
}

void
Scenario::OmitLinkFlags()
{
    m_hasLinkFlags = false;
}

void
Scenario::AddPathFlags(const std::vector<std::string>& names)
{
    m_pathFlags.insert(m_pathFlags.end(), names.begin(), names.end());
}

void
Scenario::SetDefaultDuration(Time duration)
{
    m_duration = duration;
}

void
Scenario::DeclareCommonFlags()
{
    if (m_declared)
    {
        return;
    }
    m_declared = true;
    if (m_hasLinkFlags)
    {
        AddPathFlags({"linkRate", "rtt", "queue"});
        m_flags.Rate("linkRate", "rate of the link", m_path.linkRate);
        m_flags.Duration("rtt",
                         "round-trip time of propagation, twice the link's delay",
                         m_path.rtt);
        m_flags.Queue("queue", "drop-tail queue in front of the sending device", m_path.queue);
    }
    m_flags.Fraction("lossRate",
                     "probability that an IP packet is lost at a bottleneck, data direction only",
                     m_path.lossRate);
    m_flags.Switch("lossBothWays", "lose packets of the way back as well", m_path.lossBothWays);
    m_flags.Bytes("mtu", "largest IP packet of the link", m_path.mtu, 68U, 65535U);
    m_flags.Text("topology",
                 "network instead of one link, such as "
                 "ns3::lfn::PointToPointTopology[LinkRate=100Mbps|Rtt=20ms]",
                 m_topologyText);
    m_flags.Duration("duration",
                     "simulated time to stop at; 0: when nothing is left to do",
                     m_duration);
    m_flags.Duration("seriesInterval", "interval of series.csv; 0: no series", m_seriesInterval);
    if (m_hasMessageLog)
    {
        m_flags.Switch("messages", "write messages.csv, a line for every message", m_messages);
    }
    m_flags.Text("outputDir", "folder of the files written", m_outputDir);
    m_flags.Switch("force", "write into a folder that holds other files", m_force);
    m_flags.Text("pcap", "prefix of packet captures, one a device", m_pcap);
    m_flags.Switch("progress", "report progress on stderr", m_progress);

    std::string columns;
    for (const auto& name : m_recorder.GetColumns())
    {
        columns += (columns.empty() ? "" : ",") + name;
    }
    m_flags.Columns(
        "Written to --outputDir, where an earlier run of this program is replaced:\n"
        "  summary.csv   one row a flow: " +
        columns +
        "\n"
        "  series.csv    with --seriesInterval: time_s,flow,metric,value; flow -1 is the path,\n"
        "                with queue_packets and utilisation of its first bottleneck\n" +
        (m_hasMessageLog ? "  messages.csv  with --messages: "
                           "time_s,flow,node,event,message,round,sequence,bytes\n"
                         : "") +
        "  run.json      all flags, versions, seed and run, and what the run cost\n"
        "Columns and metrics are explained in doc/vocabulary.rst.\n"
        "Exit status: 0 when the run is done, also if a transfer failed (completed is 0 then);\n"
        "1 with one line on stderr when a flag or the folder is no good.");
}

std::optional<std::string>
Scenario::CheckTogether()
{
    if (!m_topologyText.empty())
    {
        ObjectFactory factory;
        if (const auto remedy =
                MakeFactory(m_topologyText, TransportTopology::GetTypeId(), factory))
        {
            return m_flags.Complaint("topology", *remedy);
        }
        m_asked = factory.Create<TransportTopology>();
        if (const auto remedy = m_asked->Check())
        {
            return m_flags.Complaint("topology", *remedy);
        }
        for (const auto& name : m_pathFlags)
        {
            if (m_flags.IsSet(name))
            {
                return m_flags.Complaint(name,
                                         "--topology describes the path, leave this flag away or "
                                         "set the topology's own attribute");
            }
        }
    }
    if (auto error = CheckHosts())
    {
        return error;
    }
    if (!m_pcap.empty())
    {
        // The capture helper ends the program when it cannot open a file.
        namespace fs = std::filesystem;
        fs::path folder = fs::path(m_pcap).parent_path();
        folder = folder.empty() ? fs::path(".") : folder;
        std::error_code error;
        if (!fs::is_directory(folder, error))
        {
            return m_flags.Complaint("pcap", "there is no such folder, make it first");
        }
        const fs::path trial = m_pcap + "-" + std::to_string(getpid()) + ".trial";
        const bool isWritable = std::ofstream(trial).is_open();
        fs::remove(trial, error);
        if (!isWritable)
        {
            return m_flags.Complaint("pcap", "no file can be written there, give another prefix");
        }
    }
    m_recorder.SetOutput(m_outputDir, m_force);
    m_recorder.Enable(m_seriesInterval.IsStrictlyPositive(), m_messages);
    auto flags = m_flags.Values();
    if (m_asked)
    {
        // The defaults of these describe a path that is not there.
        std::erase_if(flags, [this](const auto& flag) {
            return std::ranges::find(m_pathFlags, flag.first) != m_pathFlags.end();
        });
    }
    m_recorder.SetFlags(std::move(flags));
    if (const auto trouble = m_recorder.Prepare())
    {
        return m_flags.Complaint("outputDir", *trouble);
    }
    return std::nullopt;
}

std::optional<std::string>
Scenario::CheckHosts() const
{
    const auto isAny = [this](const auto& matches) {
        return std::ranges::any_of(m_hosts,
                                   [&](const auto& host) { return matches(*host.second); });
    };
    if (m_hosts.empty() || isAny([](const auto& profile) { return profile == "custom"; }))
    {
        return std::nullopt;
    }
    const std::string prefix = HostCost::GetTypeId().GetName() + "::";
    const bool isHost = isAny([](const auto& profile) { return profile != "none"; });
    for (const auto& [name, value] : m_flags.Values())
    {
        // A named profile sets all but the memory's bandwidth itself.
        if (name.starts_with(prefix) && !(isHost && name == prefix + "MemoryBandwidth"))
        {
            return m_flags.Complaint(name,
                                     "no host takes it, give --" + m_hosts.front().first +
                                         "=custom");
        }
    }
    return std::nullopt;
}

std::optional<std::string>
Scenario::Check(const std::vector<std::string>& arguments)
{
    DeclareCommonFlags();
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
    m_flags.Parse(argc, argv);
    if (const auto error = CheckTogether())
    {
        m_flags.Exit(*error);
    }
}

Time
Scenario::GetDuration() const
{
    return m_duration;
}

Time
Scenario::GetSeriesInterval() const
{
    return m_seriesInterval;
}

void
Scenario::EachInterval(std::function<void(Time end, Time interval)> sampler)
{
    m_samplers.push_back(std::move(sampler));
}

void
Scenario::StopAfter(Ptr<TransferApplication> application)
{
    m_running++;
    for (const auto* end : {"Completed", "Failed"})
    {
        application->TraceConnectWithoutContext(end, MakeCallback(&Scenario::OnEnd, this));
    }
}

void
Scenario::OnEnd(const TransferReport& /* report */)
{
    if (--m_running == 0)
    {
        Simulator::Stop();
    }
}

void
Scenario::Sample()
{
    const Time now = Simulator::Now();
    const Time interval = now - m_lastSample;
    m_lastSample = now;
    if (m_monitor)
    {
        if (const auto packets = m_monitor->GetQueuePackets())
        {
            m_recorder.Sample(now, -1, "queue_packets", *packets);
        }
        if (const auto utilisation = m_monitor->TakeUtilisation())
        {
            m_recorder.Sample(now, -1, "utilisation", *utilisation);
        }
    }
    for (const auto& sampler : m_samplers)
    {
        sampler(now, interval);
    }
}

void
Scenario::ReportProgress()
{
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> since = now - m_lastProgress;
    // Coming too rarely is bad, coming often costs next to nothing.
    if (since > 2 * PROGRESS_PERIOD)
    {
        m_progressInterval = std::max(m_progressInterval / 2, MicroSeconds(1));
    }
    else if (since < PROGRESS_PERIOD / 4)
    {
        m_progressInterval = std::min(m_progressInterval * 2, Hours(1));
    }
    if (since < PROGRESS_PERIOD)
    {
        return;
    }
    m_lastProgress = now;
    const std::chrono::duration<double> wall = now - m_wallStart;
    std::string line =
        m_flags.GetProgram() + ": " + PrintShort(Simulator::Now().GetSeconds()) + " s";
    if (m_duration.IsStrictlyPositive())
    {
        line += " of " + PrintShort(m_duration.GetSeconds()) + " s";
    }
    std::cerr << line + " simulated, " + std::to_string(Simulator::GetEventCount()) +
                     " events, after " + PrintShort(wall.count()) + " s\n"
              << std::flush;
}

void
Scenario::ScheduleTick()
{
    // One event serves both purposes: two would keep each other, and the simulation, alive.
    Time next = Time::Max();
    if (m_seriesInterval.IsStrictlyPositive())
    {
        next = m_nextSample;
    }
    if (m_progress)
    {
        next = std::min(next, m_nextProgress);
    }
    if (next < Time::Max())
    {
        Simulator::Schedule(next - Simulator::Now(), &Scenario::Tick, this);
    }
}

void
Scenario::Tick()
{
    const Time now = Simulator::Now();
    if (m_progress && now >= m_nextProgress)
    {
        ReportProgress();
        m_nextProgress = now + m_progressInterval;
    }
    if (m_seriesInterval.IsStrictlyPositive() && now >= m_nextSample)
    {
        Sample();
        m_nextSample = now + m_seriesInterval;
    }
    // When nothing else is left to do, neither is there anything left to look at.
    if (!Simulator::IsFinished())
    {
        ScheduleTick();
    }
}

void
Scenario::Run()
{
    if (!m_pcap.empty())
    {
        // Not earlier: the devices are there to be counted, and no other flag is refused any more,
        // which must leave older captures alone.
        if (const auto remedy = MakeRoomForCaptures())
        {
            m_flags.Refuse("pcap", *remedy);
        }
        m_topology->EnablePcap(m_pcap);
    }
    m_wallStart = std::chrono::steady_clock::now();
    m_lastProgress = m_wallStart;
    m_lastSample = Simulator::Now();
    m_nextSample = m_lastSample + m_seriesInterval;
    m_nextProgress = m_lastSample + m_progressInterval;
    if (m_duration.IsStrictlyPositive())
    {
        Simulator::Stop(m_duration);
    }
    ScheduleTick();
    Simulator::Run();
    if (m_seriesInterval.IsStrictlyPositive() && Simulator::Now() > m_lastSample)
    {
        // The end of the run cuts the last interval short.
        Sample();
    }
    m_cost.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - m_wallStart).count();
    m_cost.simulated = Simulator::Now();
    m_cost.events = Simulator::GetEventCount();
    m_cost.peakResidentBytes = PeakResidentBytes();
}

const RunCost&
Scenario::GetCost() const
{
    return m_cost;
}

int
Scenario::Finish()
{
    int status = 0;
    if (const auto trouble = m_recorder.Write(m_cost))
    {
        std::cerr << m_flags.GetProgram() << ": " << m_flags.Complaint("outputDir", *trouble)
                  << std::endl;
        status = 1;
    }
    else
    {
        for (const auto& row : m_recorder.GetFlows())
        {
            std::cout << RunRecorder::Describe(row) << "\n";
        }
        std::cout << "files in " << Printable(m_outputDir, 1000) << std::endl;
    }
    // The monitor's callbacks must be there until the devices are gone.
    if (m_topology)
    {
        m_topology->Dispose();
        m_topology = nullptr;
    }
    Simulator::Destroy();
    m_monitor.reset();
    return status;
}

} // namespace ns3::lfn
