// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "udt-test-network.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/udp-socket-factory.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint64_t FULL = 58'240'000;   //!< of some measurements: 40000 full packets, B
constexpr uint64_t SHORT = 100'000'000; //!< of the others: the last packet is short, B

LFN_CASE(UdtSizesTestCase)
{
    for (const bool ipv6 : {false, true})
    {
        for (const uint64_t bytes : {1, 1456, 1457, 145'600, 145'601, 1'000'000})
        {
            UdtTestNetwork network({.ipv6 = ipv6});
            network.Install(bytes);
            UdtTestNetwork::Run();
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(bytes), true, network.Describe());
            const uint32_t payload = ipv6 ? 1436 : 1456;
            NS_TEST_EXPECT_MSG_EQ(network.transfer.source->GetPayloadSize(), payload, "headers");
            NS_TEST_EXPECT_MSG_EQ(network.sender.report.dataPackets,
                                  (bytes + payload - 1) / payload,
                                  "full packets, and one that is not");
            NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetConnections(), 0, "closed");
        }
    }
}

LFN_CASE(UdtSetUpTestCase)
{
    UdtTestNetwork network;
    network.Install(1000);
    UdtTestNetwork::Run();
    // Two RTTs of 10 ms, with four packets of 64 B on a link of 80 ns per byte.
    const Time expected = MilliSeconds(20) + NanoSeconds(80 * 4 * (64 + 28 + 2));
    NS_TEST_EXPECT_MSG_EQ(network.transfer.source->GetConnected().value(), expected, "2 RTT");
    const auto& counters = network.transfer.source->GetCore().GetCounters();
    NS_TEST_EXPECT_MSG_EQ(counters.acks, 1, "a short packet is acknowledged");
}

/** @brief A case of the measurements of the original program. */
struct Measured
{
    std::string name;       //!< what is measured
    std::string rate;       //!< of the link
    int64_t rttMs;          //!< round-trip time, ms
    uint32_t queue;         //!< packets
    uint32_t window;        //!< packets
    uint64_t bytes;         //!< user bytes
    double goodput;         //!< Mb/s
    uint64_t retransmitted; //!< packets
    uint64_t naks;          //!< loss reports
    uint64_t maxOff;        //!< packets that the retransmissions may differ by
};

LFN_CASE_OF(UdtMeasuredTestCase, Measured original)
{
    // Initial sequence numbers differ, which moves packet pairs: not each count is the same.
    UdtTestNetwork network({.rate = original.rate,
                            .delay = MilliSeconds(original.rttMs) / 2,
                            .queue = original.queue});
    network.helper.SetAttribute("CheckContent", BooleanValue(false));
    network.helper.SetSinkAttribute("ReceiveBuffer", UintegerValue(original.window));
    network.Install(original.bytes);
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(original.bytes), true, network.Describe());
    const double slack = 0.005 * original.goodput;
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetGoodput(), original.goodput, slack, "goodput");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(network.sender.report.retransmittedPackets),
                              static_cast<double>(original.retransmitted),
                              static_cast<double>(original.maxOff),
                              "retransmissions");
    const auto naks = network.transfer.source->GetCore().GetCounters().naks;
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(naks),
                              static_cast<double>(original.naks),
                              2,
                              "NAKs");
}

LFN_CASE(UdtHostsTestCase)
{
    constexpr uint64_t BYTES = 3'000'000;
    for (const std::string profile : {"livelock", "constant"})
    {
        for (const bool isSender : {false, true})
        {
            UdtTestNetwork network({.rate = "1Gbps", .queue = 1000});
            network.Install(BYTES);
            HostCost::SetProfile(isSender ? Ptr<Object>(network.transfer.source)
                                          : Ptr<Object>(network.transfer.sink),
                                 profile);
            UdtTestNetwork::Run();
            const auto message = profile + ": " + network.Describe();
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, message);
        }
    }
    // A sending host that takes 100 us per packet is the bottleneck.
    UdtTestNetwork network({.rate = "1Gbps"});
    const auto cost = CreateObjectWithAttributes<HostCost>("ReadCost",
                                                           TimeValue(MicroSeconds(100)),
                                                           "MoveCost",
                                                           TimeValue(Time(0)),
                                                           "InterruptCost",
                                                           TimeValue(Time(0)));
    network.helper.SetSourceAttribute("HostCost", PointerValue(cost));
    network.Install(10 * BYTES);
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(10 * BYTES), true, network.Describe());
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetGoodput(), 8 * 14.56, 5, "a packet per 100 us");
}

LFN_CASE(UdtLossTestCase)
{
    constexpr uint64_t BYTES = 3'000'000;
    for (const bool ipv6 : {false, true})
    {
        for (const bool isRepeating : {false, true})
        {
            UdtTestNetwork network({.ipv6 = ipv6});
            network.helper.SetSinkAttribute("RepeatNak", BooleanValue(isRepeating));
            network.Install(BYTES);
            const auto random = CreateObject<UniformRandomVariable>();
            random->SetStream(5);
            network.loss = [random](int, Ptr<const Packet>) { return random->GetValue() < 0.02; };
            UdtTestNetwork::Run();
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, network.Describe());
            NS_TEST_EXPECT_MSG_GT(network.sender.report.retransmittedPackets, 20, "losses");
        }
    }
}

LFN_CASE(UdtTimersTestCase)
{
    // Exact timers: an end that receives nothing acts when it is due, not up to 100 ms later.
    constexpr uint64_t BYTES = 300'000;
    for (const auto& check : {Time(0), MilliSeconds(10), MilliSeconds(100)})
    {
        UdtTestNetwork network;
        network.helper.SetAttribute("SilentTimerCheck", TimeValue(check));
        network.Install(BYTES);
        UdtTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, network.Describe());
        const Time last = network.transfer.sink->GetReport().lastDelivery;
        // 207 packets leave in bursts; the last one is short unless it fills the write.
        NS_TEST_EXPECT_MSG_LT(last, MilliSeconds(150) + check, "the last acknowledgement");
    }
}

LFN_CASE(UdtOfferTestCase)
{
    UdtTestNetwork network;
    network.Install(0);
    const auto source = network.transfer.source;
    uint64_t delivered = 0;
    ConnectTrace(network.transfer.sink,
                 "Delivered",
                 [&](uint32_t /* id */, uint64_t offset, uint64_t bytes) {
                     NS_TEST_EXPECT_MSG_EQ(offset, delivered, "in order");
                     delivered += bytes;
                 });
    const auto offer = [&](Time when, uint64_t bytes) {
        Simulator::Schedule(when, [=, this]() {
            NS_TEST_EXPECT_MSG_EQ(source->Offer(bytes), true, "an offer is taken");
        });
    };
    NS_TEST_EXPECT_MSG_EQ(source->Offer(1), true, "before the start");
    offer(MilliSeconds(5), 2000);
    offer(MilliSeconds(500), 1456);
    offer(MilliSeconds(500), 300'000);
    offer(Seconds(2), 77);
    Simulator::Schedule(Seconds(3), [&]() {
        NS_TEST_EXPECT_MSG_EQ(delivered, 303'534, "all but the end is there");
        NS_TEST_EXPECT_MSG_EQ(source->IsFinished(), false, "more may follow");
        source->Finish();
        NS_TEST_EXPECT_MSG_EQ(source->Offer(1), false, "none is taken after that");
    });
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(303'534), true, network.Describe());
    NS_TEST_EXPECT_MSG_EQ(network.sender.report.finish, Seconds(3), "complete at once");
}

LFN_CASE(UdtBlastTestCase)
{
    constexpr uint64_t BYTES = 3'000'000;
    UdtTestNetwork network;
    network.helper.SetSourceAttribute("Congestion", EnumValue(UdtSource::Congestion::BLAST));
    network.helper.SetSourceAttribute("BlastRate", StringValue("50Mbps"));
    network.Install(BYTES);
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, network.Describe());
    // Pairs leave together, so one packet in 16 needs no time of its own.
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetGoodput(), 50.0 * 16 / 15, 2, "the rate");
}

LFN_CASE(UdtManyTestCase)
{
    // Several sources send to one sink, one of them again from the port of one that has stopped.
    constexpr uint64_t BYTES = 400'000;
    UdtTestNetwork network;
    network.helper.SetSourceAttribute("LocalPort", UintegerValue(5000));
    network.Install(BYTES);
    network.transfer.source->SetStopTime(MilliSeconds(60));
    std::vector<Ptr<UdtSource>> sources;
    for (uint32_t i = 0; i < 4; ++i)
    {
        network.helper.SetSourceAttribute("LocalPort", UintegerValue(5000 + i));
        sources.push_back(network.helper.AddSource(network.nodes.Get(0), network.addresses[1]));
        sources.back()->SetStartTime(MilliSeconds(70 + i));
    }
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.sender.report.failure, "stopped", network.Describe());
    for (const auto& source : sources)
    {
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, source->GetReport().failure);
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().deliveredBytes, BYTES, "all of it");
    }
    NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetConnections(), 0, "all are closed");
    const auto& received = network.transfer.sink->GetReport();
    NS_TEST_EXPECT_MSG_GT_OR_EQ(received.deliveredBytes, 4 * BYTES, "the sum");
}

LFN_CASE(UdtRefusalTestCase)
{
    const auto fails = [&](const std::string& text, const auto& prepare) {
        UdtTestNetwork network;
        prepare(network);
        UdtTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.sender.failed, 1, network.Describe());
        const auto& failure = network.sender.report.failure;
        NS_TEST_EXPECT_MSG_NE(failure.find(text), std::string::npos, failure);
    };
    fails("lower Mss", [](auto& network) {
        network.helper.SetSourceAttribute("Mss", UintegerValue(1501));
        network.Install(1000);
    });
    fails("set LocalPort", [](auto& network) {
        network.helper.SetSourceAttribute("LocalPort", UintegerValue(5000));
        const auto other =
            Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
        other->Bind(InetSocketAddress(Ipv4Address::GetAny(), 5000));
        network.Install(1000);
    });
    fails("within ConnectTimeout", [](auto& network) {
        network.Install(1000);
        network.transfer.sink->SetStopTime(NanoSeconds(1));
    });
    fails("refused the connection", [](auto& network) {
        network.helper.SetSinkAttribute("MaxConnections", UintegerValue(1));
        network.helper.SetSourceAttribute("Bytes", UintegerValue(0));
        network.helper.AddSource(network.nodes.Get(0), network.addresses[1])
            ->SetStopTime(Seconds(4));
        network.Install(1000);
        network.transfer.source->SetStartTime(Seconds(1));
    });
    fails("Remote is not set", [](auto& network) {
        network.Install(1000);
        network.transfer.source->SetAttribute("Remote", AddressValue());
    });
    fails("BlastRate is 0", [](auto& network) {
        network.helper.SetSourceAttribute("Congestion", EnumValue(UdtSource::Congestion::BLAST));
        network.helper.SetSourceAttribute("BlastRate", StringValue("0bps"));
        network.Install(1000);
    });
    UdtTestNetwork network;
    network.helper.SetSourceAttribute("Mss", UintegerValue(4000));
    network.helper.SetSourceAttribute("AllowFragmentation", BooleanValue(true));
    network.Install(100'000);
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(100'000), true, network.Describe());
}

// NOLINTNEXTLINE(cert-err58-cpp,cppcoreguidelines-avoid-non-const-global-variables)
const Suite SUITE("lfn-udt-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new UdtSizesTestCase("Every size arrives byte by byte, over IPv4 and IPv6"));
    suite.Add(new UdtSetUpTestCase("The connection takes two RTTs"));
    const auto add = [&suite](const Measured& measured, TestCase::Duration duration) {
        suite.Add(new UdtMeasuredTestCase("As the original: " + measured.name, measured), duration);
    };
    constexpr auto QUICK = TestCase::Duration::QUICK;
    constexpr auto LONG = TestCase::Duration::EXTENSIVE;
    add({"one overflow", "100Mbps", 20, 1000, 8192, SHORT, 87.97, 1134, 14, 15}, QUICK);
    add({"small window", "100Mbps", 20, 1000, 512, FULL, 91.65, 0, 0, 0}, QUICK);
    add({"no loss", "100Mbps", 20, 10'000, 8192, SHORT, 95.48, 0, 0, 0}, LONG);
    add({"small queue", "100Mbps", 20, 167, 8192, SHORT, 83.27, 180, 11, 5}, LONG);
    add({"long path", "100Mbps", 100, 833, 8192, SHORT, 79.56, 1628, 39, 20}, LONG);
    suite.Add(new UdtHostsTestCase("Slow hosts lose and delay, and everything arrives"));
    suite.Add(new UdtLossTestCase("Losses in both directions are recovered from"));
    suite.Add(new UdtTimersTestCase("Exact and coarse timers"));
    suite.Add(new UdtOfferTestCase("Data that are offered in time"));
    suite.Add(new UdtBlastTestCase("A constant rate"));
    suite.Add(new UdtManyTestCase("Several sources and a restart at one sink"));
    suite.Add(new UdtRefusalTestCase("What cannot be fails with a reason"));
});

} // namespace
