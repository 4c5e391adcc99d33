// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-scenario.h"

#include "lfn-path-monitor.h"
#include "lfn-watched-scheduler.h"

#include "ns3/boolean.h"
#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-captures.h"
#include "ns3/lfn-device-bounds.h"
#include "ns3/lfn-error-model-list.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-flow-counts.h"
#include "ns3/lfn-forked-runs.h"
#include "ns3/lfn-gilbert-elliott-error-model.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-point-to-point-topology.h"
#include "ns3/lfn-receiving-loss.h"
#include "ns3/lfn-wording.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <set>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("Scenario");

namespace
{

constexpr double MOST_BURST = 1e6;     //!< packets
constexpr uint64_t UNRESOLVED = 10000; //!< packets that wait until an address is resolved

} // namespace

Scenario::Scenario(const std::string& program, const std::string& description)
    : m_lastWords(program),
      m_flags(program, description),
      m_recorder(program),
      m_outputDir("results/" + program)
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

void
Scenario::SetOwnTopologies(const std::vector<std::string>& classes)
{
    m_ownTopologies = classes;
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
Scenario::OmitStart()
{
    m_hasStart = false;
    m_movesStarts = false;
}

void
Scenario::StartByItself()
{
    m_movesStarts = false;
}

Time
Scenario::GetStart() const
{
    return m_hasStart && m_flags.IsSet("start") ? m_start : m_topology->GetReady();
}

void
Scenario::SetDefaultDuration(Time duration)
{
    m_duration = duration;
}

void
Scenario::DeclarePathFlag(const std::string& name,
                          const std::string& attribute,
                          const std::string& help)
{
    std::vector<std::string> attributes;
    for (const auto& topology : m_ownTopologies)
    {
        TypeId::AttributeInformation about;
        if (TypeId::LookupByName(topology).LookupAttributeByName(attribute, &about))
        {
            attributes.push_back(topology + "::" + attribute);
        }
    }
    m_flags.Attribute(name, attributes, help, attribute == "Mtu");
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
        DeclarePathFlag("linkRate", "LinkRate", "rate of the link");
        DeclarePathFlag("rtt", "Rtt", "round-trip time of propagation, twice the link's delay");
        DeclarePathFlag("queue", "Queue", "drop-tail queue in front of the sending device");
    }
    m_flags.Fraction("lossRate",
                     "probability that an IP packet is lost at a bottleneck, data direction only",
                     m_lossRate);
    m_flags.Number("lossBurst",
                   "mean length of a burst of these losses (packets), by "
                   "GilbertElliottErrorModel; 0: losses are independent",
                   m_lossBurst,
                   0,
                   MOST_BURST);
    m_flags.Switch("lossBothWays", "lose packets of the way back as well", m_lossBothWays);
    DeclarePathFlag("mtu", "Mtu", "largest IP packet of the link");
    m_flags.Text("topology",
                 "network instead of one link, such as "
                 "ns3::lfn::PointToPointTopology[LinkRate=100Mbps|Rtt=20ms]",
                 m_topologyText);
    m_flags.Text("live",
                 "ends at which real hosts are, in real time: sender or receiver, with an index, "
                 "=device and @namespace if wanted, such as receiver or sender=tun0@left",
                 m_live,
                 [](const std::string& text) {
                     std::vector<LiveEnds::End> ends;
                     return LiveEnds::Read(text, ends);
                 });
    m_flags.Choice("ipVersion", "version of IP that flows go over", m_ipVersion, {"4", "6"});
    if (m_hasStart)
    {
        m_flags.Duration("start",
                         "when flows start; unless given, when the network is ready: at once but "
                         "for topologies that say otherwise",
                         m_start);
    }
    m_flags.Duration("duration",
                     "simulated time to stop at; 0: when nothing is left to do",
                     m_duration);
    m_flags.Duration("seriesInterval", "interval of series.csv; 0: no series", m_seriesInterval);
    if (m_hasMessageLog)
    {
        m_flags.Switch("messages", "write messages.csv, a line for every message", m_messages);
    }
    m_flags.Switch("attributes",
                   "write attributes.csv, the value of every attribute of what is installed",
                   m_attributes);
    m_flags.Switch("flowMonitor",
                   "write flowmonitor.xml, what ns-3's FlowMonitor counts of every flow",
                   m_flowMonitor);
    m_flags.Text("outputDir", "folder of the files written", m_outputDir);
    m_flags.Switch("force", "write into a folder that holds other files", m_force);
    m_flags.Text("pcap", "prefix of packet captures, one a device", m_pcap);
    m_flags.Switch("progress", "report progress on stderr", m_progress);

    m_recorder.AddTexts({"attributes.csv", "flowmonitor.xml"});
    Metric("queue_packets", "packets in the queue of the first bottleneck (flow -1)");
    Metric("utilisation", "busy share of the first bottleneck (flow -1)");
    if (!m_columns.empty())
    {
        m_flags.Columns("Own columns of summary.csv:" + m_columns);
    }
    m_flags.Columns("Metrics of series.csv; flow -1 is the path:" + m_metrics);
    m_flags.Columns(m_recorder.DescribeFiles(m_hasMessageLog) +
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
        for (const auto& given : m_flags.GetGiven())
        {
            const auto owner = TypeId::LookupByName(given.name.substr(0, given.name.rfind("::")));
            if (given.argument != given.name && owner.IsChildOf(TransportTopology::GetTypeId()))
            {
                return m_flags.Complaint(given.argument,
                                         "--topology describes the path, leave this flag away or "
                                         "set the topology's own attribute");
            }
        }
    }
    if (m_lossBurst > 0 && m_lossRate == 0)
    {
        return m_flags.Complaint("lossBurst", "give --lossRate as well, their share");
    }
    if (m_lossBurst > 0 && !MakeLoss(0))
    {
        return m_flags.Complaint("lossBurst",
                                 "give 1 at least, and a --lossRate that such bursts can make: "
                                 "less than the share of packets lost in the bad state, as "
                                 "GoodToBad is 1 at most");
    }
    if (!m_live.empty() && m_duration.IsZero())
    {
        return m_flags.Complaint("live", "give --duration as well, since real hosts tell no end");
    }
    if (auto error = CheckHosts())
    {
        return error;
    }
    if (const auto remedy = Captures::CheckPrefix(m_pcap))
    {
        return m_flags.Complaint("pcap", *remedy);
    }
    m_recorder.SetOutput(m_outputDir, m_force);
    m_recorder.Enable(m_seriesInterval.IsStrictlyPositive(), m_messages);
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
    ForkRuns(argc, argv);
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
    if (m_asked)
    {
        m_topology = m_asked;
    }
    else
    {
        m_topology = standard;
        if (!m_topology)
        {
            m_topology = CreateObject<PointToPointTopology>();
        }
    }
    if (const auto remedy = m_topology->Check())
    {
        m_flags.Refuse(m_asked ? "topology" : "ipVersion", *remedy);
    }
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
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        m_foreign.push_back((*node)->GetNApplications());
    }
    AddObject("Topology", m_topology);
    if (m_topology->AssignStreams(TOPOLOGY_STREAM) > RANGE)
    {
        m_topology->AssignStreams(MANY_TOPOLOGY_STREAM);
    }
    if (const auto remedy = m_topology->CheckBuilt())
    {
        m_flags.Refuse("topology", *remedy);
    }
    if (!m_topology->HasEnds())
    {
        m_flags.Refuse(
            "ipVersion",
            "this topology has no IPv6 addresses: leave Ipv6=false away, or take another "
            "one");
    }
    std::vector<LiveEnds::End> ends;
    LiveEnds::Read(m_live, ends);
    if (const auto remedy = m_liveEnds.TakePlaces(ends, *m_topology))
    {
        m_flags.Refuse("live", *remedy);
    }
    for (const auto& host : m_liveEnds.GetHosts())
    {
        AddObject("RealHost/" + host->GetDevice(), host);
    }
    const auto& bottlenecks = m_topology->GetBottlenecks();
    if (m_lossRate > 0)
    {
        AddLosses();
    }
    if (m_messages && bottlenecks.empty())
    {
        m_flags.Refuse("messages", "this topology names no bottleneck to look for losses at");
    }
    if (m_recorder.HasSeries() && !bottlenecks.empty())
    {
        m_monitor = std::make_unique<PathMonitor>(bottlenecks.front().first);
    }
    return m_topology;
}

Ptr<ErrorModel>
Scenario::MakeLoss(int64_t stream) const
{
    if (m_lossBurst > 0)
    {
        const auto model = CreateObject<GilbertElliottErrorModel>();
        model->AssignStreams(stream);
        return model->SetMean(m_lossRate, m_lossBurst) ? model : nullptr;
    }
    const auto model = CreateObject<RateErrorModel>();
    model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(m_lossRate);
    model->AssignStreams(stream);
    return model;
}

void
Scenario::AddLosses()
{
    const auto& bottlenecks = m_topology->GetBottlenecks();
    if (bottlenecks.empty())
    {
        m_flags.Refuse("lossRate", "this topology names no bottleneck to lose packets at");
    }
    std::set<Ptr<NetDevice>> lossy; // each once, though several links may end there
    std::set<Ptr<NetDevice>> lossyBack;
    for (uint32_t i = 0; i < bottlenecks.size(); ++i)
    {
        if (lossy.insert(bottlenecks[i].second).second)
        {
            AddDataLoss(MakeLoss(LossStream(i)), i);
        }
        if (m_lossBothWays && lossyBack.insert(bottlenecks[i].first).second)
        {
            AddReverseLoss(MakeLoss(ReverseLossStream(i)), i);
        }
    }
}

Ptr<TransportTopology>
Scenario::GetTopology() const
{
    return m_topology;
}

void
Scenario::AllowRealEnds()
{
    m_allowsReal = true;
}

bool
Scenario::IsReal(Ptr<const Node> node) const
{
    return m_liveEnds.IsReal(node);
}

TransferReport
Scenario::JoinReports(const TransferApplication& source, const TransferApplication& sink) const
{
    if (IsReal(source.GetNode()))
    {
        auto report = sink.GetReport();
        if (report.started && !report.completed && report.failure.empty())
        {
            report.completed = true;
            report.finish = report.lastDelivery;
        }
        report.applicationStart = report.start; // when the real host began is not known
        return report;
    }
    auto report = source.GetReport();
    if (!IsReal(sink.GetNode()))
    {
        report.TakeReceiverSide(sink.GetReport());
    }
    else if (report.completed)
    {
        report.deliveredBytes = report.offeredBytes - report.lostBytes;
        if (report.lastDelivery.IsZero())
        {
            report.lastDelivery = report.finish;
        }
    }
    return report;
}

void
Scenario::CheckPair(uint32_t sender, uint32_t receiver) const
{
    const bool isFromReal = IsReal(m_topology->GetSenders().Get(sender));
    const bool isToReal = IsReal(m_topology->GetReceivers().Get(receiver));
    if (isFromReal && isToReal)
    {
        m_flags.Refuse("live",
                       "sender " + std::to_string(sender) + " and receiver " +
                           std::to_string(receiver) +
                           " are both real, and a flow of this program is to be between them: take "
                           "a topology with more hosts, or another pair");
    }
    if (m_topology->GetSenders().Get(sender) == m_topology->GetReceivers().Get(receiver))
    {
        m_flags.Refuse("topology",
                       "sender " + std::to_string(sender) + " and receiver " +
                           std::to_string(receiver) +
                           " are one node: ask for fewer flows, or name other hosts");
    }
}

const TransportTopology::Link&
Scenario::GetBottleneck(uint32_t index)
{
    const auto& bottlenecks = BuildTopology()->GetBottlenecks();
    if (index >= bottlenecks.size())
    {
        m_flags.Refuse("topology",
                       "packets are to be lost at bottleneck " + std::to_string(index) +
                           ", but this topology names " + std::to_string(bottlenecks.size()) +
                           ": leave such flags away, or name more");
    }
    return bottlenecks[index];
}

void
Scenario::AddDataLoss(Ptr<ErrorModel> model, uint32_t bottleneck)
{
    AddLoss(GetBottleneck(bottleneck).second, model);
}

void
Scenario::AddReverseLoss(Ptr<ErrorModel> model, uint32_t bottleneck)
{
    AddLoss(GetBottleneck(bottleneck).first, model);
}

void
Scenario::AddLoss(Ptr<NetDevice> device, Ptr<ErrorModel> model)
{
    // The error model of a shared medium would see others' frames, and those of ARP.
    const bool isAlone = device->IsPointToPoint();
    NS_LOG_LOGIC("packets are lost by " << model << " at " << device
                                        << ", at the device itself: " << isAlone);
    if ((!isAlone || !ErrorModelList::AddTo(device, model)) && !ReceivingLoss::AddTo(device, model))
    {
        m_flags.Refuse("topology",
                       "the node of the bottleneck's receiving device has no internet stack to "
                       "lose packets in front of: install one");
    }
}

Time
Scenario::GetDuration() const
{
    return m_duration;
}

void
Scenario::EachInterval(std::function<void(Time end, Time interval)> sampler)
{
    m_samplers.push_back(std::move(sampler));
}

void
Scenario::StopAfter(Ptr<TransferApplication> application)
{
    if (IsReal(application->GetNode()))
    {
        return; // its silence tells the end
    }
    m_running++;
    m_hadRunning = true;
    for (const auto* end : {"Completed", "Failed"})
    {
        application->TraceConnectWithoutContext(end, MakeCallback(&Scenario::OnEnd, this));
    }
}

void
Scenario::StopAfter(Ptr<TransferApplication> source, Ptr<TransferApplication> sink)
{
    if (IsReal(source->GetNode()) || IsReal(sink->GetNode()))
    {
        StopAfter(source);
        return;
    }
    m_running++;
    m_hadRunning = true;
    source->TraceConnectWithoutContext("Failed", MakeCallback(&Scenario::OnEnd, this));
    // Plain pointers, since an application must not keep itself; the nodes keep both.
    source->TraceConnectWithoutContext(
        "Completed",
        Callback<void, const TransferReport&>(
            [this, from = PeekPointer(source), to = PeekPointer(sink)](const TransferReport&) {
                AwaitDelivery(from, to);
            }));
}

void
Scenario::AwaitDelivery(const TransferApplication* source, TransferApplication* sink)
{
    const auto check = [this, source, sink, hasEnded = std::make_shared<bool>(false)] {
        auto report = source->GetReport();
        report.TakeReceiverSide(sink->GetReport());
        if (!*hasEnded && (report.completed || sink->IsFinished()))
        {
            *hasEnded = true;
            OnEnd(report);
        }
        return *hasEnded;
    };
    if (check())
    {
        return;
    }
    sink->TraceConnectWithoutContext(
        "Progress",
        Callback<void, uint64_t, uint64_t>([check](uint64_t, uint64_t) { check(); }));
    sink->TraceConnectWithoutContext("Drop",
                                     Callback<void, Ptr<const Packet>, DropReason>(
                                         [check](Ptr<const Packet>, DropReason) { check(); }));
    sink->TraceConnectWithoutContext(
        "Failed",
        Callback<void, const TransferReport&>([check](const TransferReport&) { check(); }));
}

void
Scenario::OnEnd(const TransferReport& /* report */)
{
    m_lastEnd = Simulator::Now();
    NS_LOG_INFO("a transfer has ended, still running " << m_running - 1);
    // A real host may still wait for the last packets.
    if (--m_running == 0 && m_live.empty())
    {
        Simulator::Stop();
    }
}

void
Scenario::KeepOffRealHosts()
{
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        for (uint32_t i = 0; IsReal(*node) && i < (*node)->GetNApplications(); ++i)
        {
            if (!m_allowsReal)
            {
                m_flags.Refuse("live",
                               "flows of this program need both ends: take hosts without a flow");
            }
            (*node)->GetApplication(i)->SetStartTime(2 * m_duration);
        }
    }
}

void
Scenario::WatchSilence()
{
    if (m_running == 0 && m_liveEnds.AreSilent(m_lastEnd) &&
        (m_hadRunning || m_liveEnds.HasBegun()))
    {
        Simulator::Stop();
    }
    Simulator::Schedule(MilliSeconds(100), &Scenario::WatchSilence, this);
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
    if (const auto line = m_meter.Report(m_duration))
    {
        std::cerr << m_flags.GetProgram() << ": " << *line << std::endl;
    }
}

void
Scenario::Tick()
{
    Sample();
    // When nothing else is left to do, neither is there anything left to look at.
    if (!Simulator::IsFinished())
    {
        Simulator::Schedule(m_seriesInterval, &Scenario::Tick, this);
    }
}

void
Scenario::AddObject(const std::string& path, Ptr<Object> object)
{
    m_objects.push_back({path, object});
}

void
Scenario::LookAtInstalled(InstalledObjects::Moment moment)
{
    const InstalledObjects installed(m_objects);
    if (const auto ignored = installed.FindIgnored(m_flags, moment))
    {
        m_flags.Refuse(ignored->first, ignored->second);
    }
    if (m_attributes && installed.GetEntries().size() > m_listed)
    {
        m_listed = installed.GetEntries().size();
        m_recorder.SetText("attributes.csv", installed.List());
    }
}

void
Scenario::RecordFlags()
{
    auto flags = m_flags.Values();
    auto values = m_flags.BaseValues();
    if (m_asked)
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
Scenario::MoveStarts() const
{
    const Time start = m_topology ? GetStart() : Time(0);
    NS_LOG_DEBUG("applications start at " << start.As(Time::S));
    for (uint32_t i = 0; m_movesStarts && start.IsStrictlyPositive() && i < NodeList::GetNNodes();
         ++i)
    {
        const auto node = NodeList::GetNode(i);
        for (auto k = i < m_foreign.size() ? m_foreign[i] : 0; k < node->GetNApplications(); ++k)
        {
            const auto application = node->GetApplication(k);
            TimeValue from;
            TimeValue to;
            application->GetAttribute("StartTime", from);
            application->GetAttribute("StopTime", to);
            application->SetStartTime(from.Get() + start);
            if (to.Get().IsStrictlyPositive())
            {
                application->SetStopTime(to.Get() + start);
            }
        }
    }
}

void
Scenario::CountLosses()
{
    if (!m_topology || !m_live.empty() || m_flags.IsGiven("ns3::FlowMonitor::MaxPerHopDelay"))
    {
        return;
    }
    const auto senders = m_topology->GetSenders().GetN();
    const auto receivers = m_topology->GetReceivers().GetN();
    Time longest(0);
    for (uint32_t i = 0; i < receivers; ++i)
    {
        const auto way = m_topology->FindWay(i < senders ? i : 0, i);
        if (!way)
        {
            return;
        }
        Time waits(0);
        for (const auto& device : *way)
        {
            waits += LongestWait(device, device->GetMtu());
        }
        longest = std::max(longest, waits);
    }
    const Time rtt = m_topology->GetLongestRtt();
    const Time hold = m_topology->GetLongestHold();
    m_flowCounts->CountLosses(longest + rtt + hold, hold, rtt);
}

void
Scenario::WarnOfNothing() const
{
    const auto& rows = m_recorder.GetFlows();
    const auto hasNothing = [](const auto& row) { return row.report.deliveredBytes == 0; };
    if (!rows.empty() && std::ranges::all_of(rows, hasNothing))
    {
        std::cerr << m_flags.GetProgram()
                  << ": warning: nothing was delivered; is the network ready at --start and "
                     "--duration long enough?"
                  << std::endl;
    }
}

void
Scenario::Run()
{
    NS_LOG_FUNCTION(this);
    MoveStarts();
    RecordFlags(); // not earlier: some follow from others
    KeepOffRealHosts();
    if (m_flowMonitor)
    {
        m_flowCounts = std::make_unique<FlowCounts>();
        m_flowCounts->Install();
        AddObject("FlowMonitor", m_flowCounts->GetMonitor());
    }
    const auto given = m_flags.GetGiven();
    if (m_attributes || !given.empty())
    {
        LookAtInstalled(InstalledObjects::Moment::BUILT);
    }
    // What ns-3 makes later, such as sockets, can be asked only then.
    const auto isLater = [](const auto& attribute) {
        const auto owner = attribute.name.substr(0, attribute.name.rfind("::"));
        return !owner.starts_with("ns3::lfn::") ||
               TypeId::LookupByName(owner).IsChildOf(Socket::GetTypeId());
    };
    if (m_attributes || std::ranges::any_of(given, isLater))
    {
        const auto starts = InstalledObjects::ListStarts();
        for (const auto& start : starts)
        {
            Simulator::Schedule(start - Simulator::Now() + TimeStep(1),
                                &Scenario::LookAtInstalled,
                                this,
                                start == *starts.rbegin() ? InstalledObjects::Moment::STARTED
                                                          : InstalledObjects::Moment::STARTING);
        }
    }
    if (!m_pcap.empty())
    {
        // Not earlier: the devices are there to be counted.
        if (const auto remedy = Captures::MakeRoom())
        {
            m_flags.Refuse("pcap", *remedy);
        }
        m_topology->EnablePcap(m_pcap);
    }
    NS_LOG_INFO("the run starts, Duration " << m_duration.As(Time::S));
    m_meter.Begin();
    m_lastSample = Simulator::Now();
    if (m_duration.IsStrictlyPositive())
    {
        Simulator::Stop(m_duration);
    }
    if (m_seriesInterval.IsStrictlyPositive())
    {
        Simulator::Schedule(m_seriesInterval, &Scenario::Tick, this);
    }
    if (m_progress)
    {
        WatchedScheduler::Install(MakeCallback(&Scenario::ReportProgress, this));
    }
    if (!m_live.empty())
    {
        Simulator::ScheduleNow(&Scenario::WatchSilence, this);
    }
    Simulator::Run();
    NS_LOG_INFO("the run has ended at " << Simulator::Now().As(Time::S) << ", running transfers "
                                        << m_running);
    for (const auto& line : m_liveEnds.Describe())
    {
        std::cerr << m_flags.GetProgram() << ": " << line << std::endl;
    }
    if (const auto remedy = m_topology ? m_topology->ClosePcap() : std::nullopt)
    {
        m_flags.Refuse("pcap", *remedy);
    }
    if (m_seriesInterval.IsStrictlyPositive() && Simulator::Now() > m_lastSample)
    {
        // The end of the run cuts the last interval short.
        Sample();
    }
    m_cost = m_meter.GetCost();
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
        for (const auto& row : m_recorder.GetFlows())
        {
            std::cout << RunRecorder::Describe(row) << "\n";
        }
        WarnOfNothing();
        std::cout << "files in " << Printable(m_outputDir, 1000) << std::endl;
    }
    m_liveEnds.Close(); // its threads must end before the simulation
    // The monitor's callbacks must be there until the devices are gone.
    if (m_topology)
    {
        m_topology->Dispose();
        m_topology = nullptr;
        m_objects.clear();
    }
    Simulator::Destroy();
    m_monitor.reset();
    m_flowCounts.reset();
    return status;
}

} // namespace ns3::lfn
