// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"

#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/lfn-delay-probe.h"
#include "ns3/lfn-delay-statistics.h"
#include "ns3/lfn-flow-counter.h"
#include "ns3/lfn-flow-counts.h"
#include "ns3/lfn-transport.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Delays and jitter: their statistics, and what the probe measures of each transport.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Statistics of delays, [ms].
DelayStatistics
Take(const std::vector<int>& delays)
{
    DelayStatistics statistics;
    for (const int delay : delays)
    {
        statistics.Add(MilliSeconds(delay));
    }
    return statistics;
}

/** @brief Four delays by hand: ours, and the jitters of others that differ from it. */
LFN_CASE(DelayVectorsTestCase)
{
    const std::vector<int> delays{10, 12, 14, 11};
    const auto four = Take(delays);
    NS_TEST_EXPECT_MSG_EQ(four.GetCount(), 4, "delays");
    NS_TEST_EXPECT_MSG_EQ(four.GetSum(), MilliSeconds(47), "their sum");
    NS_TEST_EXPECT_MSG_EQ(four.GetRecentMean(), 0.01175, "STAL");
    NS_TEST_EXPECT_MSG_EQ(four.GetRecentJitter(), 0.00125, "JITTER");
    NS_TEST_EXPECT_MSG_EQ(four.GetJitter(), 0.00125, "of all: the same in the first window");
    NS_TEST_EXPECT_MSG_EQ(four.GetMax(), MilliSeconds(14), "the longest");
    NS_TEST_EXPECT_MSG_EQ_TOL(Take({10, 12, 14}).GetJitter(), 0.004 / 3, 1e-15, "of three");
    double rfc3550 = 0;
    int flowMonitor = 0;
    for (std::size_t i = 1; i < delays.size(); ++i)
    {
        const int step = std::abs(delays[i] - delays[i - 1]);
        rfc3550 += (step - rfc3550) / 16;
        flowMonitor += step;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(rfc3550, 0.4146, 5e-5, "RFC 3550's J, [ms]");
    NS_TEST_EXPECT_MSG_EQ(flowMonitor, 7, "FlowMonitor's jitterSum, [ms]");
    const DelayStatistics none;
    NS_TEST_EXPECT_MSG_EQ(none.GetMean() + none.GetJitter() + none.GetRecentJitter() +
                              none.GetRecentMean() + none.GetQuantile(0.5),
                          0,
                          "of none");
}

/** @brief Many delays against sorting and adding them all. */
LFN_CASE(DelayManyTestCase)
{
    constexpr std::size_t WINDOW = DelayStatistics::WINDOW;
    constexpr uint64_t LONGEST_NS = 2'000'000'000'000;
    std::vector<int64_t> delays;
    DelayStatistics statistics;
    uint64_t state = 1;
    for (int i = 0; i < 2570; ++i)
    {
        state = state * 6364136223846793005U + 1442695040888963407U;
        // From nanoseconds to half an hour, as many in each decade.
        delays.push_back(static_cast<int64_t>((state >> 20) % LONGEST_NS >> (i % 40)));
        statistics.Add(NanoSeconds(delays.back()));
    }
    const auto deviations = [&](std::size_t from, std::size_t to) {
        double sum = 0;
        double mean = 0;
        for (auto i = from; i < to; ++i)
        {
            mean += static_cast<double>(delays[i]) / static_cast<double>(to - from);
        }
        for (auto i = from; i < to; ++i)
        {
            sum += std::abs(static_cast<double>(delays[i]) - mean);
        }
        return 1e-9 * sum;
    };
    double all = 0;
    for (std::size_t i = 0; i < delays.size(); i += WINDOW)
    {
        all += deviations(i, std::min(i + WINDOW, delays.size()));
    }
    const double jitter = all / static_cast<double>(delays.size());
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.GetJitter() / jitter, 1, 1e-12, "of all windows");
    const double recent = deviations(delays.size() - WINDOW, delays.size()) / WINDOW;
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.GetRecentJitter() / recent, 1, 1e-12, "of the last");
    auto sorted = delays;
    std::ranges::sort(sorted);
    for (const double share : {0.001, 0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0})
    {
        const auto rank = static_cast<std::size_t>(std::ceil(share * 2570));
        const double exact = 1e-9 * static_cast<double>(sorted[std::max<std::size_t>(rank, 1) - 1]);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(statistics.GetQuantile(share) - exact),
                                    exact / 1024,
                                    "quantile " << share);
    }
    NS_TEST_EXPECT_MSG_LT_OR_EQ(statistics.GetQuantile(1), statistics.GetMax().GetSeconds(), "max");
}

/** @brief Two flows from one host to one port, in fragments; then another host's datagrams. */
LFN_CASE(DelayProbeTestCase)
{
    DelayProbe probe;
    const auto topology = Build("PointToPointTopology[LinkRate=20Mbps|Rtt=20ms|Queue=100p]");
    const auto sender = topology->GetSenders().Get(0);
    const auto receiver = topology->GetReceivers().Get(0);
    constexpr uint16_t PORT = 9;
    const InetSocketAddress remote(Ipv4Address::ConvertFrom(topology->GetReceiverEnd()), PORT);
    probe.Watch(sender, receiver, PORT);
    probe.Watch(sender, receiver, PORT);
    std::vector<Ptr<Socket>> sockets;
    for (int i = 0; i < 2; ++i)
    {
        sockets.push_back(Socket::CreateSocket(sender, UdpSocketFactory::GetTypeId()));
        sockets[i]->Bind();
    }
    const auto send = [&](int from, uint32_t bytes, Time time) {
        Simulator::Schedule(time, [&sockets, from, bytes, remote] {
            sockets[from]->SendTo(Create<Packet>(bytes), 0, remote);
        });
    };
    // Bits of frames, two bytes of PPP included, at 20 Mb/s.
    const auto takes = [](uint32_t frames) { return MilliSeconds(10) + NanoSeconds(400) * frames; };
    send(0, 1000, MilliSeconds(0));
    send(1, 4000, MilliSeconds(100)); // three fragments
    send(0, 1000, MilliSeconds(200));
    send(0, 1000, MilliSeconds(200)); // waits for the one before
    send(1, 0, MilliSeconds(300));    // no data
    const auto back = Socket::CreateSocket(receiver, UdpSocketFactory::GetTypeId());
    back->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    const InetSocketAddress host(Ipv4Address::ConvertFrom(topology->GetSenderEnd()), PORT);
    Simulator::Schedule(MilliSeconds(400), [&] { back->SendTo(Create<Packet>(99), 0, host); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(probe.Get(0).GetCount(), 3, "datagrams of the first");
    NS_TEST_EXPECT_MSG_EQ(probe.Get(0).GetSum(), 3 * takes(1030) + NanoSeconds(412'000), "their");
    NS_TEST_EXPECT_MSG_EQ(probe.Get(1).GetCount(), 1, "datagrams of the second");
    NS_TEST_EXPECT_MSG_EQ(probe.Get(1).GetSum(), takes(4008 + 3 * 22), "to the last fragment");
    Finish(topology);
}

/// What FlowMonitor has of some packets.
struct Arrived
{
    int64_t packets{0}; //!< that arrived
    Time delays;        //!< their sum
};

/// Add up what FlowMonitor has of the packets from an address to a port.
Arrived
AddUp(const FlowCounts& counts, const std::string& source, uint16_t port)
{
    Arrived sum;
    const std::string xml = counts.ToXml();
    const std::regex flow("flowId=\"(\\d+)\" sourceAddress=\"" + source +
                          "\" [^>]* destinationPort=\"" + std::to_string(port) + "\"");
    const auto& stats = counts.GetMonitor()->GetFlowStats();
    for (std::sregex_iterator i(xml.begin(), xml.end(), flow), end; i != end; ++i)
    {
        const auto& found = stats.at(std::stoul((*i)[1].str()));
        sum.packets += found.rxPackets;
        sum.delays += found.delaySum;
    }
    return sum;
}

/** @brief Each transport over a lossy path: the delays are those that FlowMonitor has. */
LFN_CASE_OF(DelayMatrixTestCase, bool isIpv6)
{
    for (const auto& name : Transport::List())
    {
        FlowCounter counter; // these three outlive what they watch
        DelayProbe probe;
        FlowCounts counts;
        const auto topology =
            Make("PointToPointTopology[LinkRate=20Mbps|Rtt=20ms|Queue=100p|Ipv6=" +
                 std::string(isIpv6 ? "true]" : "false]"));
        if (isIpv6)
        {
            topology->UseIpv6();
        }
        topology->Build();
        topology->AssignStreams(1);
        const auto model = CreateObject<RateErrorModel>();
        model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        model->SetRate(0.01);
        model->AssignStreams(5);
        topology->GetBottlenecks()[0].second->SetAttribute("ReceiveErrorModel",
                                                           PointerValue(model));
        std::vector<Ptr<Transport>> made;
        Transport::Read(name, made);
        const auto flow = MakeFlow(topology);
        TransportEnds ends;
        NS_TEST_ASSERT_MSG_EQ(made[0]->Prepare(*topology).value_or(""), "", name);
        NS_TEST_ASSERT_MSG_EQ(made[0]->Install(flow, ends).value_or(""), "", name);
        FlowCounter::Flow watched{flow.sender, flow.receiver, flow.port, Transport::PORTS};
        counter.Watch(watched);
        probe.Watch(flow.sender, flow.receiver, flow.port);
        counts.Install();
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        const auto& delays = probe.Get(0);
        NS_TEST_EXPECT_MSG_GT(delays.GetCount(), 600, name);
        NS_TEST_EXPECT_MSG_EQ(delays.GetCount(), counter.Get(0).packets, name);
        std::ostringstream source;
        isIpv6 ? source << Ipv6Address::ConvertFrom(flow.senderAddress)
               : source << Ipv4Address::ConvertFrom(flow.senderAddress);
        const auto theirs = AddUp(counts, source.str(), flow.port);
        // What is left are a connection's packets without data, which hardly wait.
        const int64_t others = theirs.packets - static_cast<int64_t>(delays.GetCount());
        const Time rest = theirs.delays - delays.GetSum();
        const bool isTcp = name.ends_with("tcp") || name == "xcp";
        NS_TEST_EXPECT_MSG_EQ((others > 0), isTcp, name << ": " << others << " others");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(rest, others * MilliSeconds(10), name);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(rest, others * MilliSeconds(15), name);
        Finish(topology);
    }
}

const Suite g_suite("lfn-delay", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new DelayVectorsTestCase("statistics: four delays by hand"));
    suite.Add(new DelayManyTestCase("statistics: many delays against sorting them"));
    suite.Add(new DelayProbeTestCase("probe: flows by source port, fragments, queues"));
    suite.Add(new DelayMatrixTestCase("all transports as FlowMonitor, IPv4", false));
    suite.Add(new DelayMatrixTestCase("all transports as FlowMonitor, IPv6", true));
});

} // namespace
