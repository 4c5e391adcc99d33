// SPDX-License-Identifier: GPL-2.0-only

// Any transports on any topology, side by side, with an independent count of what came.
//
//   transport-comparison --transport=tcp,rbudp --bytes=50MB --lossRate=0.001
//   transport-comparison --transport="tcp[Congestion=ns3::TcpBbr],xcp" --flows=2 --crossTcp=1
//   transport-comparison --transport=vrp[MaxLossRate=0.05] --topology=ns3::lfn::DumbbellTopology

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-device-bounds.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-flow-witness.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-transport.h"
#include "ns3/network-module.h"
#include "ns3/tcp-transport.h"
#include "ns3/traffic-control-module.h"
#include "ns3/xcp-port-monitor.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint16_t FIRST_PORT = 20000;        //!< of flow 0
constexpr uint32_t MOST_FLOWS = 2000;         //!< whose ports stay below the ephemeral ones
constexpr uint32_t MOST_HEADERS = 72;         //!< IP, XCP, TCP with time stamps: the most of all, B
constexpr double RATE_SHARE = 0.9;            //!< of a bottleneck, given out as send rates
constexpr uint32_t LEAST_WINDOW = 256 * 1024; //!< B
constexpr double ALL_WINDOWS = 1e9;           //!< of all flows, unless LEAST_WINDOW is more, B
constexpr int LOOK_INTERVAL_MS = 10;          //!< between two looks for the end

/// What the command line asks for.
struct Request
{
    std::string transport{"tcp"};     //!< names, comma list
    uint32_t flows{1};                //!< a transport
    uint64_t bytes{10'000'000};       //!< a flow
    std::vector<Time> start{Time(0)}; //!< one, or one a transport
    DataRate sendRate{0};             //!< of rate-based transports; 0: a share
    uint32_t packetSize{1400};        //!< user bytes a packet
    uint32_t crossTcp{0};             //!< endless TCP flows beside
    std::string crossCongestion;      //!< their congestion control
    bool checkContent{false};         //!< send and check a pattern
};

/// Declare the flags.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    std::string names;
    for (const auto& name : Transport::List())
    {
        names += (names.empty() ? "" : ", ") + name;
    }
    flags.Text("transport",
               "comma list of " + names +
                   " or TypeIds, each with [Attribute=value|Attribute=value]",
               request.transport,
               [](const std::string& text) {
                   std::vector<Ptr<Transport>> transports;
                   return Transport::Read(text, transports);
               });
    flags.Count("flows", "flows of each transport", request.flows, 1, MOST_FLOWS);
    flags.Bytes("bytes", "user bytes a flow; 0 sends until --duration", request.bytes, 0);
    flags.DurationList("start", "when flows start: one time, or one a transport", request.start);
    flags.Rate(
        "sendRate",
        "rate of user bits of a flow that has to be told one (vrp, rbudp, jrm, fec-udp, "
        "udp); unless given nine tenths of the bottleneck, less headers, shared by all flows",
        request.sendRate);
    flags.Bytes("packetSize", "user bytes a packet", request.packetSize, 1, 65000);
    flags.Count("crossTcp", "endless TCP flows beside", request.crossTcp, 0, MOST_FLOWS);
    flags.Text("crossCongestion",
               "congestion control of those, a TypeId; ns-3's default unless given",
               request.crossCongestion);
    flags.Switch("checkContent", "send a pattern and check every byte", request.checkContent);
    flags.Columns(
        "Own columns of summary.csv: residual_loss (lost_bytes over offered_bytes; empty unless "
        "completed), "
        "device_packets and device_bytes (packets of data and their payload, counted where they "
        "come in at the receiving host, duplicates and transport headers included), "
        "device_control_bytes (all other packets of the flow that came in at either host, IP "
        "headers included), agrees "
        "(1 when the report can be true by that count), mean_queue_packets, mean_queue_s and "
        "utilisation (of the first bottleneck, from the first start to the end), jain_index (of "
        "all goodputs; these four the same in all rows), and failure. The rows of --crossTcp "
        "come last, their variant is cross.");
    scenario.GetRecorder().AddColumns({"residual_loss",
                                       "device_packets",
                                       "device_bytes",
                                       "device_control_bytes",
                                       "agrees",
                                       "mean_queue_packets",
                                       "mean_queue_s",
                                       "utilisation",
                                       "jain_index",
                                       "failure"});
}

/// What is known of a flow at an instant.
struct Measured
{
    TransferReport report;        //!< as its ends tell it
    FlowWitness::Account account; //!< as its witness tells it
    FlowWitness::Bounds bounds;   //!< of how far they may differ
};

/// One flow: who carries it, and how it went.
struct Flow
{
    Ptr<Transport> transport; //!< who carries it
    TransportFlow settings;   //!< what is carried
    TransportEnds ends;       //!< its ends
    std::size_t witness{0};   //!< its number at the witness
    bool isCross{false};      //!< a flow of --crossTcp
    Measured measured;        //!< of a flow of --crossTcp: up to the end of the others
    uint64_t sampled{0};      //!< bytes delivered at the last sample
};

/// All flows on one network.
class Comparison
{
  public:
    /// Install everything.
    Comparison(Scenario& scenario, const Request& request)
        : m_scenario(scenario),
          m_request(request),
          m_topology(scenario.GetTopology())
    {
        auto& flags = scenario.GetFlags();
        std::vector<Ptr<Transport>> transports;
        if (const auto remedy = Transport::Read(request.transport, transports))
        {
            flags.Refuse("transport", *remedy);
        }
        if (request.start.size() != 1 && request.start.size() != transports.size())
        {
            flags.Refuse("start",
                         "give one for all or one for each of the " +
                             std::to_string(transports.size()) + " transports");
        }
        const auto all = transports.size() * request.flows + request.crossTcp;
        if (all > MOST_FLOWS)
        {
            flags.Refuse("flows",
                         "make it " + std::to_string(MOST_FLOWS) + " flows in all at most");
        }
        CheckPacketSize();
        LookAtPath(static_cast<uint32_t>(all));
        for (std::size_t i = 0; i < transports.size(); ++i)
        {
            for (uint32_t k = 0; k < request.flows; ++k)
            {
                Add(transports[i], request.start[i % request.start.size()], false);
            }
        }
        const auto cross = CreateObject<TcpTransport>();
        cross->SetAttribute("Congestion", StringValue(request.crossCongestion));
        for (uint32_t k = 0; k < request.crossTcp; ++k)
        {
            Add(cross, Time(0), true);
        }
        Install();
        m_begin = *std::ranges::min_element(request.start);
        Simulator::Schedule(m_begin, [this] {
            if (m_monitor)
            {
                m_monitor->Begin();
            }
        });
        if (request.bytes > 0)
        {
            Simulator::Schedule(MilliSeconds(LOOK_INTERVAL_MS), &Comparison::LookForEnd, this);
        }
    }

    /// Sample the flows' goodput.
    void Sample(Time end, Time interval)
    {
        for (auto& flow : m_flows)
        {
            const auto delivered = flow.ends.sink->GetReport().deliveredBytes;
            const auto bytes = delivered - std::exchange(flow.sampled, delivered);
            m_scenario.GetRecorder().Sample(end,
                                            flow.settings.index,
                                            "goodput_bps",
                                            8 * static_cast<double>(bytes) / interval.GetSeconds());
        }
    }

    /// Write the rows.
    void AddRows()
    {
        using R = RunRecorder;
        if (!m_isOver || CountArrivals() != m_arrivals)
        {
            Measure();
        }
        std::string queuePackets;
        std::string queueTime;
        std::string utilisation;
        if (m_monitor)
        {
            queuePackets = R::Print(m_means.queuePackets);
            queueTime = m_rate > 0 ? R::Print(8 * m_means.queueBytes / m_rate) : "";
            utilisation = R::Print(m_means.utilisation);
        }
        double sum = 0;
        double squares = 0;
        for (auto& flow : m_flows)
        {
            if (!flow.isCross)
            {
                flow.measured = Ask(flow);
            }
            auto& report = flow.measured.report;
            if (!report.completed && report.failure.empty())
            {
                report.finish = m_measured;
            }
            sum += report.GoodputBps();
            squares += report.GoodputBps() * report.GoodputBps();
        }
        const double jain = squares > 0 ? sum * sum / (m_flows.size() * squares) : 0;
        for (auto& flow : m_flows)
        {
            auto& [report, account, bounds] = flow.measured;
            if (flow.isCross)
            {
                report.variant = "cross";
            }
            const auto offered = static_cast<double>(report.offeredBytes);
            const auto lost = static_cast<double>(report.lostBytes);
            m_scenario.GetRecorder().AddFlow(
                flow.settings.index,
                report,
                {{"residual_loss", report.completed && offered > 0 ? R::Print(lost / offered) : ""},
                 {"device_packets", R::Print(account.packets)},
                 {"device_bytes", R::Print(account.payloadBytes)},
                 {"device_control_bytes", R::Print(account.controlBytes)},
                 {"agrees", FlowWitness::Agrees(account, report, bounds) ? "1" : "0"},
                 {"mean_queue_packets", queuePackets},
                 {"mean_queue_s", queueTime},
                 {"utilisation", utilisation},
                 {"jain_index", R::Print(jain)},
                 {"failure", report.failure}});
        }
    }

  private:
    /// List all devices of the network, on whatever path they are, but for the loopbacks.
    static std::vector<Ptr<NetDevice>> ListDevices()
    {
        std::vector<Ptr<NetDevice>> devices;
        for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
        {
            for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
            {
                if (!DynamicCast<LoopbackNetDevice>((*node)->GetDevice(i)))
                {
                    devices.push_back((*node)->GetDevice(i));
                }
            }
        }
        return devices;
    }

    /// Refuse packets that a link would need fragments for.
    void CheckPacketSize() const
    {
        uint32_t mtu = UINT16_MAX;
        for (const auto& device : ListDevices())
        {
            mtu = std::min<uint32_t>(mtu, device->GetMtu());
        }
        if (m_request.packetSize + MOST_HEADERS > mtu)
        {
            m_scenario.GetFlags().Refuse(
                "packetSize",
                mtu > MOST_HEADERS ? "make it at most " + std::to_string(mtu - MOST_HEADERS) +
                                         ", so that no transport needs fragments"
                                   : "the network's packets are too small");
        }
    }

    /// Find a flow's pair of hosts: from the next sender to the next receiver that is another host.
    std::pair<uint32_t, uint32_t> FindPair(uint32_t index) const
    {
        const auto senders = m_topology->GetSenders();
        const auto receivers = m_topology->GetReceivers();
        const auto from = index % senders.GetN();
        auto to = index % receivers.GetN();
        for (uint32_t i = 0; i < receivers.GetN() && receivers.Get(to) == senders.Get(from); ++i)
        {
            to = (to + 1) % receivers.GetN();
        }
        return {from, to};
    }

    /// Find a flow's round-trip time of propagation.
    Time FindRtt(const std::pair<uint32_t, uint32_t>& pair)
    {
        const auto known = m_rtts.find(pair);
        return known != m_rtts.end()
                   ? known->second
                   : m_rtts.emplace(pair, m_topology->GetRtt(pair.first, pair.second))
                         .first->second;
    }

    /// Find out what the path is like, and what a flow gets of it.
    void LookAtPath(uint32_t flows)
    {
        auto& flags = m_scenario.GetFlags();
        const auto& bottlenecks = m_topology->GetBottlenecks();
        const auto device = bottlenecks.empty() ? nullptr : bottlenecks.front().first;
        DataRateValue rate;
        if (device && device->GetAttributeFailSafe("DataRate", rate))
        {
            m_rate = static_cast<double>(rate.Get().GetBitRate());
        }
        if (m_rate == 0 && m_request.sendRate.GetBitRate() == 0)
        {
            flags.Refuse("topology", "it tells no bottleneck's rate: give --sendRate as well");
        }
        const double user = m_request.packetSize / (1.0 * m_request.packetSize + MOST_HEADERS);
        const auto share = static_cast<uint64_t>(RATE_SHARE * user * m_rate / flows);
        m_share = m_request.sendRate.GetBitRate() > 0 ? m_request.sendRate : DataRate(share);
        if (m_share.GetBitRate() == 0)
        {
            flags.Refuse("flows",
                         "the bottleneck leaves none of them 1 bps: lower it, or give --sendRate");
        }
        const uint32_t packet = m_request.packetSize + MOST_HEADERS;
        const double queued = device ? MostQueuedBytes(device, packet) : 0;
        Time longest;
        for (uint32_t i = 0; i < flows; ++i)
        {
            longest = std::max(longest, FindRtt(FindPair(i)));
        }
        const double most = std::max<double>(LEAST_WINDOW, ALL_WINDOWS / flows);
        const double held = m_rate / 8 * longest.GetSeconds() + queued;
        m_window = static_cast<uint32_t>(std::clamp(2 * held, 1.0 * LEAST_WINDOW, most));
    }

    /// Add a flow from the next sender to the next receiver.
    void Add(Ptr<Transport> transport, Time start, bool isCross)
    {
        const auto index = static_cast<uint32_t>(m_flows.size());
        const auto senders = m_topology->GetSenders();
        const auto receivers = m_topology->GetReceivers();
        const auto pair = FindPair(index);
        const auto& [from, to] = pair;
        if (receivers.Get(to) == senders.Get(from))
        {
            m_scenario.GetFlags().Refuse("topology", "it has no receiver but the sender itself");
        }
        Flow flow;
        flow.transport = transport;
        flow.isCross = isCross;
        auto& settings = flow.settings;
        settings.index = index;
        settings.sender = senders.Get(from);
        settings.receiver = receivers.Get(to);
        settings.senderAddress = m_topology->GetSenderAddress(from);
        settings.receiverAddress = m_topology->GetReceiverAddress(to);
        settings.port = static_cast<uint16_t>(FIRST_PORT + index * Transport::PORTS);
        settings.bytes = isCross ? 0 : m_request.bytes;
        settings.start = start;
        settings.sendRate = m_share;
        settings.rtt = FindRtt(pair);
        settings.packetSize = m_request.packetSize;
        settings.windowBytes = m_window;
        settings.checkContent = m_request.checkContent;
        settings.stream = Scenario::FlowStream(index);
        m_flows.push_back(flow);
    }

    /// Make the network ready and install the flows.
    void Install()
    {
        auto& flags = m_scenario.GetFlags();
        for (auto& flow : m_flows)
        {
            if (const auto error = flow.transport->Prepare(*m_topology))
            {
                flags.Refuse("transport", *error);
            }
        }
        if (!m_topology->GetBottlenecks().empty())
        {
            const auto device = m_topology->GetBottlenecks().front().first;
            const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
            m_monitor = std::make_unique<XcpPortMonitor>(
                device,
                control ? control->GetRootQueueDiscOnDevice(device) : nullptr);
        }
        for (auto& flow : m_flows)
        {
            if (const auto error = flow.transport->Install(flow.settings, flow.ends))
            {
                flags.Refuse("transport", *error);
            }
            FlowWitness::Flow watched;
            watched.sender = flow.settings.sender;
            watched.receiver = flow.settings.receiver;
            watched.port = flow.settings.port;
            watched.ports = Transport::PORTS;
            flow.witness = m_witness.Watch(watched);
        }
    }

    /// Count what the sinks have seen come in; heartbeats and the like do not count.
    uint64_t CountArrivals() const
    {
        uint64_t sum = 0;
        for (const auto& flow : m_flows)
        {
            const auto& report = flow.ends.sink->GetReport();
            sum += flow.isCross ? 0 : report.dataPackets + report.deliveredBytes;
        }
        return sum;
    }

    /// Ask a flow's ends and its witness.
    Measured Ask(const Flow& flow) const
    {
        return {flow.transport->GetReport(flow.ends),
                m_witness.Get(flow.witness),
                flow.transport->GetBounds(flow.settings, flow.ends)};
    }

    /// Take what others have of the network up to now: the means of its bottleneck, and --crossTcp.
    void Measure()
    {
        const Time now = Simulator::Now();
        if (m_monitor)
        {
            // Means since the last call, or since the first flow began: those up to now.
            const Time whole = now - m_begin;
            const Time part = now - std::max(m_measured, m_begin);
            const double weight =
                whole.IsStrictlyPositive() ? part.GetSeconds() / whole.GetSeconds() : 1;
            const auto means = m_monitor->Take();
            const auto mix = [weight](double& mean, double next) {
                mean += weight * (next - mean);
            };
            mix(m_means.queuePackets, means.queuePackets);
            mix(m_means.queueBytes, means.queueBytes);
            mix(m_means.utilisation, means.utilisation);
        }
        for (auto& flow : m_flows)
        {
            if (flow.isCross)
            {
                flow.measured = Ask(flow);
            }
        }
        m_measured = now;
    }

    /// Find out how long a packet of a flow may be on its way when it finds every queue full.
    Time FindLongestWay(const Flow& flow) const
    {
        const auto [from, to] = FindPair(flow.settings.index);
        // Where there is no way to follow, it passes no device twice.
        const auto way = m_topology->FindWay(from, to).value_or(ListDevices());
        Time sum = flow.settings.rtt + m_topology->GetLongestHold();
        for (const auto& device : way)
        {
            sum += LongestWait(device, m_request.packetSize + MOST_HEADERS);
        }
        return sum;
    }

    /**
     * Stop when every flow has come to its end, and what was under way has arrived: when nothing
     * has come in for as long as a packet may be on its way. What is measured ends with the last
     * arrival: afterwards the network is idle, or that of --crossTcp alone.
     */
    void LookForEnd()
    {
        const bool isDone = std::ranges::all_of(m_flows, [](const Flow& flow) {
            return flow.isCross || flow.transport->IsDone(flow.ends);
        });
        if (isDone)
        {
            const auto arrivals = CountArrivals();
            if (!m_isOver || arrivals != m_arrivals)
            {
                Measure();
                m_arrivals = arrivals;
            }
            if (!m_isOver)
            {
                m_isOver = true;
                for (const auto& flow : m_flows)
                {
                    m_silence = std::max(m_silence, flow.isCross ? Time(0) : FindLongestWay(flow));
                }
            }
            if (Simulator::Now() - m_measured > m_silence)
            {
                Simulator::Stop();
                return;
            }
        }
        Simulator::Schedule(MilliSeconds(LOOK_INTERVAL_MS), &Comparison::LookForEnd, this);
    }

    Scenario& m_scenario;                                 //!< the frame
    const Request& m_request;                             //!< what was asked for
    Ptr<TransportTopology> m_topology;                    //!< the network
    double m_rate{0};                                     //!< of the first bottleneck, bit/s
    DataRate m_share;                                     //!< send rate of a flow
    uint32_t m_window{0};                                 //!< of a flow, B
    Time m_begin;                                         //!< of the first flow
    Time m_measured;                                      //!< until when the others are measured
    XcpPortMonitor::Means m_means;                        //!< from m_begin to m_measured
    bool m_isOver{false};                                 //!< all flows are done
    Time m_silence;                                       //!< after which nothing is under way
    uint64_t m_arrivals{0};                               //!< what had come in at m_measured
    std::map<std::pair<uint32_t, uint32_t>, Time> m_rtts; //!< by sender and receiver
    std::vector<Flow> m_flows;                            //!< the flows, those of --crossTcp last
    FlowWitness m_witness;                                //!< counts what comes
    std::unique_ptr<XcpPortMonitor> m_monitor;            //!< of the first bottleneck
};

} // namespace

int
main(int argc, char* argv[])
{
    UseFastAllocator();
    Scenario scenario("transport-comparison",
                      "Any transports on any topology, side by side, with an independent count of "
                      "what comes in at the receivers.");
    Request request;
    scenario.GetPath().linkRate = DataRate("100Mbps");
    scenario.GetPath().rtt = MilliSeconds(20);
    scenario.GetPath().queue = QueueSize("250p");
    scenario.OmitMessageLog();
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    auto& flags = scenario.GetFlags();
    if (request.bytes == 0 && scenario.GetDuration().IsZero())
    {
        flags.Refuse("bytes", "give --duration as well, for flows without end");
    }
    if (!request.crossCongestion.empty())
    {
        if (request.crossTcp == 0)
        {
            flags.Refuse("crossCongestion", "goes with --crossTcp only");
        }
        const auto tcp = CreateObject<TcpTransport>();
        tcp->SetAttribute("Congestion", StringValue(request.crossCongestion));
        if (const auto remedy = tcp->Check())
        {
            flags.Refuse("crossCongestion", *remedy);
        }
    }
    scenario.BuildTopology();
    Comparison comparison(scenario, request);
    scenario.EachInterval([&](Time end, Time interval) { comparison.Sample(end, interval); });
    scenario.Run();
    comparison.AddRows();
    return scenario.Finish();
}
