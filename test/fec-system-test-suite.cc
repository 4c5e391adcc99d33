// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-path.h"

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/fec-header.h"
#include "ns3/fec-helper.h"
#include "ns3/fec-udp-sink.h"
#include "ns3/fec-udp-source.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/node.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint32_t SIZE = 1000; //!< user bytes per datagram

/** @brief Single losses are made good at once; two in a block are not. */
LFN_CASE(FecTransferTestCase)
{
    // Send thirty datagrams in blocks of three; losses are numbers of datagrams, parity counted.
    const auto check =
        [&](bool useIpv6, const std::string& losses, uint64_t recovered, uint64_t lost) {
            TestPath path("100Mbps", MilliSeconds(5), useIpv6);
            auto source = path.AddSource<FecUdpSource>(30 * SIZE - 1);
            source->SetAttribute("PacketSize", UintegerValue(SIZE));
            source->SetAttribute("SendRate", DataRateValue(DataRate("8Mbps")));
            auto sink = path.AddSink<FecUdpSink>();
            path.Lose(1, losses)->SetFilter(IpPacketFilter{.ipProtocol = 17});
            TestPath::Run(Seconds(10));
            const auto& sent = source->GetReport();
            const auto& received = sink->GetReport();
            NS_TEST_EXPECT_MSG_EQ(path.completed, 1, path.report.failure);
            NS_TEST_EXPECT_MSG_EQ(sent.dataPackets, 30, "data");
            NS_TEST_EXPECT_MSG_EQ(sent.controlPackets, 10, "parity");
            NS_TEST_EXPECT_MSG_EQ(sent.finish - sent.start,
                                  MilliSeconds(30),
                                  "a datagram per millisecond, the last one's time included");
            NS_TEST_EXPECT_MSG_EQ(sink->GetCounters().recovered, recovered, losses);
            NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, losses);
            const uint64_t last = losses == "37,38,39,40" ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ(received.deliveredBytes, (30 - lost) * SIZE - 1 + last, losses);
            // A repair takes a block's time at most, and no RTT.
            NS_TEST_EXPECT_MSG_LT_OR_EQ(sink->GetCounters().longest, MilliSeconds(3), losses);
        };
    for (const bool useIpv6 : {false, true})
    {
        // 30 datagrams, every fourth a parity: 1 2 3 P 5 6 7 P ...
        check(useIpv6, "", 0, 0);
        check(useIpv6, "2", 1, 0);
        check(useIpv6, "1,7,39", 3, 0);
        check(useIpv6, "4,8,12", 0, 0);
        check(useIpv6, "1,2", 0, 2);
        check(useIpv6, "1,4", 0, 1);
        check(useIpv6, "37,38,39,40", 0, 3);
    }
}

/** @brief Random losses on the path: the residual loss is that of the closed form. */
LFN_CASE(FecPathTestCase)
{
    constexpr double LOSS = 0.1;
    constexpr uint64_t PACKETS = 20000;
    for (const uint32_t k : {1, 3})
    {
        TestPath path("100Mbps", MilliSeconds(5));
        auto source = path.AddSource<FecUdpSource>(PACKETS * 100);
        source->SetAttribute("PacketSize", UintegerValue(100));
        source->SetAttribute("BlockPackets", UintegerValue(k));
        auto sink = path.AddSink<FecUdpSink>();
        auto model = CreateObject<RateErrorModel>();
        model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        model->SetRate(LOSS);
        model->AssignStreams(77);
        path.Lose(1, model);
        sink->SetStopTime(Seconds(50));
        TestPath::Run(Seconds(100));
        const double law = LOSS * (1 - std::pow(1 - LOSS, k));
        const double lost =
            1 - static_cast<double>(sink->GetReport().deliveredBytes) / (PACKETS * 100.0);
        const double sigma = std::sqrt(law * (1 + k * LOSS) / PACKETS);
        NS_TEST_EXPECT_MSG_EQ_TOL(lost, law, 4 * sigma, k << " a block");
        // Stopped, it has closed all blocks: but for those at the end of which nothing came.
        const auto reported = static_cast<double>(sink->GetReport().lostBytes);
        NS_TEST_EXPECT_MSG_EQ_TOL(reported, lost * PACKETS * 100, 100 * k, "what the sink counts");
    }
}

/** @brief Noise on both ports, from the sender's host, before and during a transfer. */
LFN_CASE(FecNoiseTestCase)
{
    TestPath path("100Mbps", MilliSeconds(5));
    auto source = path.AddSource<FecUdpSource>(3000 * SIZE);
    source->SetAttribute("PacketSize", UintegerValue(SIZE));
    auto sink = path.AddSink<FecUdpSink>();
    std::mt19937 random(3);
    std::vector<Ptr<Socket>> sockets;
    for (uint32_t i = 0; i < 4000; ++i)
    {
        std::vector<uint8_t> bytes(random() % 40);
        for (auto& byte : bytes)
        {
            byte = static_cast<uint8_t>(random());
        }
        if (bytes.size() > 3 && i % 2 == 0)
        {
            bytes[0] = i % 4 == 0 ? 0xfd : 0xfb;
            bytes[1] = 0;
            bytes[3] = 0;
        }
        Simulator::Schedule(MilliSeconds(500 + i), [&path, &sockets, bytes, i] {
            const auto to = UdpEndpoint::WithPort(path.GetRemote(), PORT + i / 2 % 2);
            if (sockets.size() < 2)
            {
                sockets.push_back(UdpEndpoint::Open(path.nodes.Get(0), to, 0, 1000));
            }
            sockets[i % 2]->SendTo(
                Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                0,
                to);
        });
    }
    TestPath::Run(Seconds(30));
    NS_TEST_EXPECT_MSG_EQ(path.completed, 1, path.report.failure);
    NS_TEST_EXPECT_MSG_EQ(sink->IsFinished(), false, "the sink stands");
    NS_TEST_EXPECT_MSG_GT(sink->GetDrops(DropReason::MALFORMED), 1000, "noise is reported");
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 3000 * SIZE, "no more, no less");
}

/** @brief Another host forges flows, before and during a transfer: nothing of it is lost. */
LFN_CASE(FecForgedTestCase)
{
    for (const bool isOwnHost : {false, true})
    {
        TestPath path("100Mbps", MilliSeconds(5));
        auto source = path.AddSource<FecUdpSource>(3000 * SIZE);
        source->SetAttribute("PacketSize", UintegerValue(SIZE));
        auto sink = path.AddSink<FecUdpSink>();
        path.Lose(1, "2,1001")->SetFilter(IpPacketFilter{.ipProtocol = 17});
        const auto own = InetSocketAddress::ConvertFrom(path.GetEnd(0, 2000)).GetIpv4();
        const InetSocketAddress from(isOwnHost ? own : Ipv4Address("192.0.2.1"), 2000);
        const auto to = InetSocketAddress::ConvertFrom(path.GetRemote());
        std::mt19937 random(3);
        for (uint32_t i = 0; i < 6000; ++i)
        {
            FecDataHeader header;
            header.block = random() % 1024;
            header.count = 3;
            header.session = i == 0 ? 0 : random();
            const auto bytes = header.Write();
            const auto packet = Create<Packet>(bytes.data(), FecDataHeader::SIZE);
            packet->AddAtEnd(Create<Packet>(SIZE));
            const auto frame = MakeDatagram(from, to, packet);
            Arrive(path.devices.Get(1), frame, MicroSeconds(2'900'000 + i * 800));
        }
        TestPath::Run(Seconds(30));
        NS_TEST_EXPECT_MSG_EQ(path.completed, 1, path.report.failure);
        NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 3000 * SIZE, "every byte");
        NS_TEST_EXPECT_MSG_EQ(sink->GetCounters().recovered, 2, "the lost ones too");
        NS_TEST_EXPECT_MSG_EQ(sink->GetDrops(DropReason::CORRUPT), 6000, "as they are forged");
    }
}

/** @brief A sender that starts again on its host, while datagrams of the first are late. */
LFN_CASE(FecRestartTestCase)
{
    TestPath path("100Mbps", MilliSeconds(5));
    auto first = path.AddSource<FecUdpSource>(0);
    first->SetAttribute("PacketSize", UintegerValue(SIZE));
    first->SetStopTime(Seconds(6));
    auto second = path.AddSource<FecUdpSource>(3000 * SIZE, Seconds(6));
    second->SetAttribute("PacketSize", UintegerValue(SIZE));
    auto sink = path.AddSink<FecUdpSink>();
    path.Lose(1, "7001")->SetFilter(IpPacketFilter{.ipProtocol = 17});
    TestPath::Run(Seconds(30));
    NS_TEST_EXPECT_MSG_EQ(path.completed, 1, path.report.failure);
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes,
                          first->GetReport().offeredBytes + 3000 * SIZE,
                          "both, every byte");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, "nothing refused");
    NS_TEST_EXPECT_MSG_EQ(sink->GetCounters().recovered, 1, "the second's too");
}

/** @brief A link that is down for more blocks than MaxJump: it goes on afterwards. */
LFN_CASE(FecOutageTestCase)
{
    TestPath path("100Mbps", MilliSeconds(5));
    auto source = path.AddSource<FecUdpSource>(0);
    source->SetAttribute("PacketSize", UintegerValue(100));
    source->SetStopTime(Seconds(13));
    auto sink = path.AddSink<FecUdpSink>();
    sink->SetStopTime(Seconds(14));
    auto model = path.Lose(1, "");
    for (const bool isDown : {true, false})
    {
        Simulator::Schedule(Seconds(isDown ? 4 : 5), [model, isDown] {
            model->SetFilter(isDown ? IpPacketFilter{.ipProtocol = 17}
                                    : IpPacketFilter{.ipProtocol = 99});
        });
    }
    std::string all = "1";
    for (uint32_t i = 2; i < 20'000; ++i)
    {
        all += "," + std::to_string(i);
    }
    model->SetAttribute("Drop", StringValue(all));
    model->SetFilter(IpPacketFilter{.ipProtocol = 99});
    TestPath::Run(Seconds(30));
    const auto& received = sink->GetReport();
    const uint64_t offered = source->GetReport().offeredBytes;
    NS_TEST_EXPECT_MSG_EQ(sink->GetDrops(DropReason::OUT_OF_RANGE), 1, "the first behind it");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(received.lostBytes),
                              static_cast<double>(offered) / 10,
                              static_cast<double>(offered) / 1000,
                              "a second of ten");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(received.deliveredBytes + received.lostBytes),
                              static_cast<double>(offered),
                              300,
                              "what was refused was counted as lost");
}

/** @brief A node without UDP ends the transfer, not the program. */
LFN_CASE(FecNoStackTestCase)
{
    const auto node = CreateObject<Node>();
    const std::vector<Ptr<TransferApplication>> all = {CreateObject<FecUdpSink>(),
                                                       CreateObject<UdpSink>(),
                                                       CreateObject<UdpSource>(),
                                                       CreateObject<FecUdpSource>()};
    for (const auto& end : all)
    {
        end->SetAttributeFailSafe("Remote", AddressValue(InetSocketAddress("10.0.0.1", PORT)));
        node->AddApplication(end);
    }
    TestPath::Run(Seconds(1));
    for (const auto& end : all)
    {
        const auto& why = end->GetReport().failure;
        NS_TEST_EXPECT_MSG_EQ((why == "the node has no ns3::UdpSocketFactory" ||
                               why == "cannot open a socket to Remote"),
                              true,
                              why);
    }
    Simulator::Destroy();
}

/** @brief The helper installs what the tests install by hand. */
LFN_CASE(FecHelperTestCase)
{
    TestPath path("100Mbps", MilliSeconds(5));
    FecHelper helper;
    helper.SetPorts(7, 8);
    helper.SetSourceAttribute("Bytes", UintegerValue(100'000));
    helper.SetSinkAttribute("BlockWindow", UintegerValue(4));
    const auto transfer = helper.Install(path.nodes.Get(0), path.nodes.Get(1), path.GetRemote());
    transfer.source->SetStartTime(Seconds(3));
    path.Lose(1, "2")->SetFilter(IpPacketFilter{.ipProtocol = 17});
    TestPath::Run(Seconds(30));
    NS_TEST_EXPECT_MSG_EQ(transfer.source->GetReport().completed, true, "it runs");
    NS_TEST_EXPECT_MSG_EQ(transfer.sink->GetReport().deliveredBytes, 100'000, "all");
    NS_TEST_EXPECT_MSG_EQ(transfer.sink->GetCounters().recovered, 1, "parity has its port");
}

/** @brief Settings that cannot be. */
LFN_CASE(FecWrongTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    auto source = path.AddSource<FecUdpSource>(1000);
    source->SetAttribute("SendRate", DataRateValue(DataRate(0)));
    auto first = path.AddSink<FecUdpSink>();
    auto second = path.AddSink<FecUdpSink>();
    TestPath::Run(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(path.report.failure, "SendRate is 0", "says why");
    NS_TEST_EXPECT_MSG_EQ(first->GetReport().failure, "", "has the port");
    NS_TEST_EXPECT_MSG_EQ(second->GetReport().failure,
                          "UDP port 9 is taken or Local is no address of this node",
                          "says why");
}

const Suite g_suite("lfn-fec-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new FecTransferTestCase("FEC: scripted losses, content and times"));
    suite.Add(new FecPathTestCase("FEC: residual loss of a lossy path"));
    suite.Add(new FecNoiseTestCase(
        "FEC: noise on both ports, from the sender's host, before and during a transfer"));
    suite.Add(new FecForgedTestCase(
        "FEC: another host forges flows, before and during a transfer: nothing of it is lost"));
    suite.Add(new FecRestartTestCase(
        "FEC: a sender that starts again on its host, while datagrams of the first are late"));
    suite.Add(new FecOutageTestCase(
        "FEC: a link that is down for more blocks than MaxJump: it goes on afterwards"));
    suite.Add(new FecNoStackTestCase("FEC: a node without UDP ends the transfer, not the program"));
    suite.Add(new FecHelperTestCase("FEC: the helper installs what the tests install by hand"));
    suite.Add(new FecWrongTestCase("FEC: settings that cannot be"));
});

} // namespace
