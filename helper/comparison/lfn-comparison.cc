// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-comparison.h"

#include "ns3/lfn-device-bounds.h"
#include "ns3/lfn-end-checks.h"
#include "ns3/lfn-random-streams.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/lfn-values.h"
#include "ns3/lfn-wording.h"
#include "ns3/loopback-net-device.h"
#include "ns3/node-list.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-transport.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <tuple>

namespace ns3::lfn
{

namespace
{

constexpr uint16_t FIRST_PORT = 20000;        //!< of flow 0
constexpr uint32_t MOST_HEADERS = 72;         //!< IPv4, XCP, TCP with time stamps: the most, B
constexpr uint32_t IPV6_LONGER = 20;          //!< than IPv4's is the header of IPv6, B
constexpr double RATE_SHARE = 0.9;            //!< of a bottleneck, given out as send rates
constexpr uint32_t LEAST_WINDOW = 256 * 1024; //!< B
constexpr double ALL_WINDOWS = 1e9;           //!< of all flows, unless LEAST_WINDOW is more, B
constexpr int CHECK_INTERVAL_MS = 10;         //!< between two looks for the end

} // namespace

Comparison::Comparison(Scenario& scenario, const ComparisonSettings& settings)
    : m_scenario(scenario),
      m_settings(settings),
      m_topology(scenario.GetTopology()),
      m_headers(MOST_HEADERS + (m_topology->UsesIpv6() ? IPV6_LONGER : 0))
{
    auto& flags = scenario.GetFlags();
    std::vector<Ptr<Transport>> transports;
    flags.RefuseIf("transport", Transport::Read(settings.transport, transports));
    if (settings.start.size() != 1 && settings.start.size() != transports.size())
    {
        flags.Refuse("start",
                     "give one for all or one for each of the " +
                         std::to_string(transports.size()) + " transports");
    }
    CheckStops(transports.size());
    const auto background = scenario.GetBackground().TakeTcp();
    const auto own = transports.size() * settings.flows;
    const auto all = own + background.size();
    if (all > MOST_FLOWS)
    {
        flags.Refuse("flows", "make it " + std::to_string(MOST_FLOWS) + " flows in all at most");
    }
    CheckPacketSize();
    const bool usesSendRate = std::ranges::any_of(transports, [](const auto& transport) {
        return transport->GetTraits().usesSendRate;
    });
    InspectPath(settings.only ? 1 : static_cast<uint32_t>(all), usesSendRate);
    uint32_t index = 0;
    for (std::size_t i = 0; i < transports.size(); ++i)
    {
        scenario.GetAudit().AddObject("Transport/" + std::to_string(i), transports[i]);
        for (uint32_t k = 0; k < settings.flows; ++k, ++index)
        {
            if (settings.only.value_or(index) == index)
            {
                Add(index, transports[i], settings.start[i % settings.start.size()], false);
                m_flows.back().stop = settings.stop[i % settings.stop.size()];
            }
        }
    }
    m_begin = m_flows.front().settings.start;
    for (const auto& flow : m_flows)
    {
        m_begin = std::min(m_begin, flow.settings.start);
        m_lastStart = std::max(m_lastStart, flow.settings.start);
    }
    for (const auto& tcp : background)
    {
        const auto cross = CreateObject<TcpTransport>();
        if (!tcp->GetCongestion().empty())
        {
            cross->SetAttribute("Congestion", StringValue(tcp->GetCongestion()));
        }
        Add(index++, cross, Time(0), true);
    }
    if (settings.objects.AreWanted())
    {
        scenario.GetRecorder().AddColumns(ObjectFlags::GetColumns(), [this](uint32_t number) {
            const auto flow = std::ranges::find(m_flows, number, [](const Flow& each) {
                return each.settings.index;
            });
            return flow->objects ? ObjectFlags::GetFields(*flow->objects, Simulator::Now())
                                 : RunRecorder::Fields();
        });
    }
    Install();
    for (std::size_t i = 0; i < background.size(); ++i)
    {
        background[i]->Add(m_flows[own + i].ends.sink);
    }
    Simulator::Schedule(m_begin, [this] {
        if (m_monitor)
        {
            m_monitor->Begin();
        }
    });
    if (settings.bytes > 0)
    {
        Simulator::Schedule(GetWaitForCheck(), &Comparison::CheckForEnd, this);
    }
}

uint32_t
Comparison::CountFlows(const ComparisonSettings& settings)
{
    std::vector<Ptr<Transport>> transports;
    Transport::Read(settings.transport, transports);
    return static_cast<uint32_t>(transports.size()) * settings.flows;
}

void
Comparison::AddRows()
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
        utilisation = m_means.isReported ? R::Print(m_means.utilisation) : "";
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
            // Not where --duration has ended it, and flows without an end lack nothing.
            report.failure =
                m_isOver && !flow.isCross ? "data are missing that are not sent any more" : "";
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
        const auto lastWrite = flow.ends.sink->GetLastWrite();
        // A TCP socket still sends what it holds when its application stops, which counts no more.
        const bool isStopped = flow.stop.IsStrictlyPositive();
        const std::string agrees = FlowCounter::Agrees(account, report, bounds) ? "1" : "0";
        m_scenario.GetRecorder().AddFlow(
            flow.settings.index,
            report,
            {{"residual_loss", report.completed && offered > 0 ? R::Print(lost / offered) : ""},
             {"device_packets", R::Print(account.packets)},
             {"device_bytes", R::Print(account.payloadBytes)},
             {"device_control_bytes", R::Print(account.controlBytes)},
             {"agrees", isStopped ? "" : agrees},
             {"mean_queue_packets", queuePackets},
             {"mean_queue_s", queueTime},
             {"utilisation", utilisation},
             {"jain_index", m_settings.only ? "" : R::Print(jain)},
             {"last_write_s", lastWrite ? R::Print(*lastWrite) : ""},
             {"failure", report.failure}},
            flow.isCross || m_settings.bytes == 0);
    }
}

std::vector<Ptr<NetDevice>>
Comparison::ListDevices()
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

void
Comparison::CheckStops(std::size_t transports) const
{
    const auto& flags = m_scenario.GetFlags();
    const auto& [start, stop] = std::tie(m_settings.start, m_settings.stop);
    if (stop.size() != 1 && stop.size() != transports)
    {
        flags.Refuse("stop",
                     "give one for all or one for each of the " + std::to_string(transports) +
                         " transports");
    }
    for (std::size_t i = 0; i < transports; ++i)
    {
        const Time end = stop[i % stop.size()];
        if (end.IsStrictlyPositive() && end <= start[i % start.size()])
        {
            flags.Refuse("stop",
                         "flows would end before they start: make each later than --start, or 0");
        }
    }
}

void
Comparison::CheckPacketSize() const
{
    uint32_t mtu = UINT16_MAX;
    for (const auto& device : ListDevices())
    {
        mtu = std::min<uint32_t>(mtu, device->GetMtu());
    }
    if (m_settings.packetSize + m_headers > mtu)
    {
        m_scenario.GetFlags().Refuse("packetSize",
                                     mtu > m_headers
                                         ? "make it at most " + std::to_string(mtu - m_headers) +
                                               ", so that no transport needs fragments"
                                         : "the network's packets are too small");
    }
}

Comparison::Pair
Comparison::FindPair(uint32_t index) const
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

Time
Comparison::FindRtt(const Pair& pair)
{
    const auto known = m_rtts.find(pair);
    return known != m_rtts.end()
               ? known->second
               : m_rtts.emplace(pair, m_topology->GetRtt(pair.first, pair.second)).first->second;
}

void
Comparison::InspectPath(uint32_t flows, bool usesSendRate)
{
    auto& flags = m_scenario.GetFlags();
    const auto& bottlenecks = m_topology->GetBottlenecks();
    const auto device = bottlenecks.empty() ? nullptr : bottlenecks.front().first;
    const auto getRate = [device](const auto& get) {
        const auto rate = device ? get(device) : std::nullopt;
        return rate ? static_cast<double>(rate->GetBitRate()) : 0.0;
    };
    m_rate = getRate([](auto some) { return ReportedLink::GetRate(some); });
    const double user = m_settings.packetSize / (1.0 * m_settings.packetSize + m_headers);
    const auto share = [&](double rate) {
        return m_settings.sendRate.GetBitRate() > 0
                   ? m_settings.sendRate
                   : DataRate(static_cast<uint64_t>(RATE_SHARE * user * rate / flows));
    };
    m_share = share(m_rate);
    m_multicastShare =
        share(getRate([](auto some) { return ReportedLink::GetMulticastRate(some); }));
    if (usesSendRate && m_share.GetBitRate() == 0)
    {
        flags.RefuseIf(m_rate == 0,
                       "topology",
                       "it gives no bottleneck's rate: give --sendRate as well");
        flags.Refuse("flows",
                     "the bottleneck leaves none of them 1 bps: lower it, or give --sendRate");
    }
    const uint32_t packet = m_settings.packetSize + m_headers;
    const double queued = device ? MostQueuedBytes(device, packet) : 0;
    Time longest;
    const uint32_t first = m_settings.only.value_or(0);
    for (uint32_t i = first; i < first + flows; ++i)
    {
        longest = std::max(longest, FindRtt(FindPair(i)));
    }
    const double most = std::max<double>(LEAST_WINDOW, ALL_WINDOWS / flows);
    longest += m_scenario.GetLinks().GetExtraRtt();
    const auto highest = static_cast<double>(m_scenario.GetLinks().GetHighestRate().GetBitRate());
    const double held = std::max(m_rate, highest) / 8 * longest.GetSeconds() + queued;
    m_window = static_cast<uint32_t>(std::clamp(2 * held, 1.0 * LEAST_WINDOW, most));
}

void
Comparison::Add(uint32_t index, Ptr<Transport> transport, Time start, bool isCross)
{
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
    settings.senderAddress = m_topology->GetSenderEnd(from);
    settings.receiverAddress = m_topology->GetReceiverEnd(to);
    settings.port = static_cast<uint16_t>(FIRST_PORT + index * Transport::PORTS);
    settings.bytes = isCross ? 0 : m_settings.bytes;
    settings.start = start;
    settings.sendRate = transport->GetTraits().isMulticast ? m_multicastShare : m_share;
    settings.rtt = FindRtt(pair);
    settings.packetSize = m_settings.packetSize;
    settings.windowBytes = m_window;
    settings.checkContent = m_settings.checkContent;
    settings.senderHost = m_settings.senderHost;
    settings.receiverHost = m_settings.receiverHost;
    settings.stream = RandomStreams::Flow(index);
    if (m_settings.objects.AreWanted() && !isCross)
    {
        AddObjects(flow);
    }
    m_flows.push_back(flow);
}

void
Comparison::AddObjects(Flow& flow) const
{
    const auto& flags = m_scenario.GetFlags();
    if (!flow.transport->GetTraits().takesObjects)
    {
        flags.Refuse("transport",
                     flow.transport->GetName() + " sends no objects: take " +
                         Join(Transport::List(&TransportTraits::takesObjects)));
    }
    auto& settings = flow.settings;
    const auto objects = m_settings.objects.GetObjects(settings.start);
    const Time least = settings.rtt / 2;
    if (objects.deadline.IsStrictlyPositive() && objects.deadline <= least)
    {
        flags.Refuse("deadline",
                     "no byte arrives before: make it more than " + values::PrintTime(least));
    }
    flow.objects = std::make_shared<ObjectLog>(objects);
    settings.objects = flow.objects.get();
    settings.bytes = objects.objects * objects.bytes;
    settings.packetSize =
        static_cast<uint32_t>(std::min<uint64_t>(settings.packetSize, objects.bytes));
}

void
Comparison::Install()
{
    auto& flags = m_scenario.GetFlags();
    for (auto& flow : m_flows)
    {
        flags.RefuseIf("transport", flow.transport->Prepare(*m_topology));
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
        flags.RefuseIf("transport", flow.transport->Install(flow.settings, flow.ends));
        Transport::GiveHosts(flow.settings, flow.ends);
        if (flow.stop.IsStrictlyPositive())
        {
            flow.ends.source->SetStopTime(flow.stop);
        }
        FlowCounter::Flow watched;
        watched.sender = flow.settings.sender;
        watched.receiver = flow.settings.receiver;
        watched.port = flow.settings.port;
        watched.ports = Transport::PORTS;
        flow.counter = m_counter.Watch(watched);
        m_scenario.GetSeries().SampleGoodput(flow.settings.index, flow.ends.sink);
        auto& monitoring = m_scenario.GetMonitoring();
        monitoring.Watch(flow.settings.index, watched.sender, watched.receiver, watched.port);
        monitoring.SampleWindow(flow.settings.index, flow.ends.source);
    }
}

uint64_t
Comparison::CountArrivals() const
{
    uint64_t sum = 0;
    for (const auto& flow : m_flows)
    {
        const auto& report = flow.ends.sink->GetReport();
        sum += flow.isCross ? 0 : report.dataPackets + report.deliveredBytes;
    }
    return sum;
}

Comparison::Measured
Comparison::Ask(const Flow& flow) const
{
    return {flow.transport->GetReport(flow.ends),
            m_counter.Get(flow.counter),
            flow.transport->GetBounds(flow.settings, flow.ends)};
}

void
Comparison::Measure()
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
        const auto mix = [weight](double& mean, double next) { mean += weight * (next - mean); };
        mix(m_means.queuePackets, means.queuePackets);
        mix(m_means.queueBytes, means.queueBytes);
        mix(m_means.utilisation, means.utilisation);
        m_means.isReported |= means.isReported;
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

Time
Comparison::FindLongestWay(const Flow& flow) const
{
    const auto [from, to] = FindPair(flow.settings.index);
    // Where there is no way to follow, it passes no device twice.
    const auto way = m_topology->FindWay(from, to).value_or(ListDevices());
    Time sum =
        flow.settings.rtt + m_topology->GetLongestHold() + m_scenario.GetLinks().GetLongestHold();
    for (const auto& device : way)
    {
        sum += LongestWait(device, m_settings.packetSize + m_headers);
    }
    return sum;
}

Time
Comparison::GetWaitForCheck() const
{
    const Time now = Simulator::Now();
    return GetNextCheck(now, MilliSeconds(CHECK_INTERVAL_MS), m_lastStart) - now;
}

void
Comparison::CheckForEnd()
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
    Simulator::Schedule(GetWaitForCheck(), &Comparison::CheckForEnd, this);
}

} // namespace ns3::lfn
