// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "rbudp-test-network.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/packet.h"
#include "ns3/rbudp-header.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

#include <array>
#include <cstdint>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint8_t TCP = 6;  //!< protocol number
constexpr uint8_t UDP = 17; //!< protocol number

/** Silence that an end bears (100 s), and a blast or a few retransmissions. */
const Time BOUND = Seconds(130);

/// Whether a text holds a part.
bool
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// Open a UDP socket on a port; 0 for any.
Ptr<Socket>
OpenUdp(Ptr<Node> node, uint16_t port = 0)
{
    auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    return socket;
}

/**
 * @brief A transfer of 200 kB with one loss, so two blasts: connected after 10 ms, blasting until
 *        42 ms, retransmitting at 53 ms, closed at about 70 ms.
 */
struct SmallTransfer
{
    static constexpr uint64_t BYTES = 200'000; //!< its payload

    /// Install it with RbudpIdealControl or TCP.
    static void Install(RbudpTestNetwork& network, bool ideal)
    {
        network.UseControl(ideal, "50Mbps");
        network.helper.SetSourceAttribute("PayloadSize", UintegerValue(1440));
        network.Install(BYTES, "50Mbps");
    }
};

constexpr uint64_t BYTES = 30'000; //!< size of the payload

LFN_CASE_OF(RbudpControlLossTestCase, uint32_t payload)
{
    // Run a transfer that loses TCP packet k (0: none) of a direction; count those of each
    // direction.
    const auto runOne =
        [&](bool ipv6, bool file, int direction, uint64_t k, std::array<uint64_t, 2>& packets) {
            RbudpTestNetwork network({.rate = "1Gbps", .ipv6 = ipv6});
            network.helper.SetSourceAttribute("PayloadSize", UintegerValue(payload));
            if (file)
            {
                network.helper.SetAttribute("FileName", StringValue("name"));
            }
            network.Install(BYTES, "10Mbps");
            uint64_t datagrams = 0;
            network.loss = [&](int towards, Ptr<const Packet> packet) {
                if (IpPacketFilter{UDP}.Matches(packet))
                {
                    return ++datagrams == 3; // so that there is a second round
                }
                return IpPacketFilter{TCP}.Matches(packet) &&
                       ++packets[static_cast<std::size_t>(towards)] == k && towards == direction;
            };
            RbudpTestNetwork::Run();
            const auto message = (ipv6 ? std::string("IPv6") : "IPv4") + (file ? ", file" : "") +
                                 ", packet " + std::to_string(k) + " of direction " +
                                 std::to_string(direction) + ": " + network.Describe();
            NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, BOUND, message);
            NS_TEST_EXPECT_MSG_LT(network.receiver.report.finish, BOUND, message);
            if (direction == 1 && k == 2 && !file && network.sender.failed == 1)
            {
                // The end of the handshake: ns-3's TCP does not answer the SYN+ACK that the sender
                // then repeats, and the receiver has nothing to say before the sender. Both have to
                // notice.
                NS_TEST_EXPECT_MSG_EQ(network.receiver.failed, 1, message);
                return;
            }
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, message);
            NS_TEST_EXPECT_MSG_EQ(network.transfer.source->GetTotals().blasts, 2, "blasts");
        };
    for (const bool ipv6 : {false, true})
    {
        for (const bool file : {false, true})
        {
            std::array<uint64_t, 2> packets{};
            runOne(ipv6, file, 0, 0, packets);
            NS_TEST_EXPECT_MSG_GT(packets[0], 5, "handshake, messages, acknowledgements, FIN");
            NS_TEST_EXPECT_MSG_GT(packets[1], 5, "handshake, messages, acknowledgements, FIN");
            for (const int direction : {0, 1})
            {
                for (uint64_t k = 1; k <= packets[direction]; ++k)
                {
                    std::array<uint64_t, 2> seen{};
                    runOne(ipv6, file, direction, k, seen);
                }
            }
        }
    }
}

LFN_CASE(RbudpHandshakeTestCase)
{
    RbudpTestNetwork network;
    network.helper.SetAttribute("FileName", StringValue("name"));
    network.helper.SetSourceAttribute("ControlTimeout", TimeValue(Seconds(1)));
    network.Install(BYTES, "100kbps");
    network.LoseOne(1, TCP, 2);
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, network.Describe());
}

LFN_CASE(RbudpDataLossTestCase)
{
    constexpr uint64_t DATAGRAMS = 20;
    for (uint64_t first = 1; first <= DATAGRAMS; ++first)
    {
        for (const uint64_t last : {first, first + 1})
        {
            RbudpTestNetwork network;
            network.Install(DATAGRAMS * 1450 - 700);
            network.loss = [=, seen = uint64_t{0}](int, Ptr<const Packet> packet) mutable {
                seen += IpPacketFilter{UDP}.Matches(packet) ? 1 : 0;
                return IpPacketFilter{UDP}.Matches(packet) && seen >= first && seen <= last;
            };
            RbudpTestNetwork::Run();
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(DATAGRAMS * 1450 - 700),
                                  true,
                                  network.Describe());
            const uint64_t lost = last - first + 1;
            // Behind the last one comes its own retransmission, which is lost too.
            const bool isOver = last > DATAGRAMS;
            const auto totals = network.transfer.source->GetTotals();
            NS_TEST_EXPECT_MSG_EQ(totals.retransmittedPackets, lost, "retransmissions");
            NS_TEST_EXPECT_MSG_EQ(totals.residualPacketsFirstBlast, (isOver ? 1 : lost), "missing");
            NS_TEST_EXPECT_MSG_EQ(totals.blasts, (isOver ? 3 : 2), "blasts");
        }
    }
}

/// A moment a little off the whole millisecond.
Time
Microseconds(int ms)
{
    return MicroSeconds(1000 * ms + 137);
}

LFN_CASE(RbudpGoneTestCase)
{
    // Run a transfer to which something happens.
    const auto check = [&](bool ideal, Time when, const std::string& what) {
        RbudpTestNetwork network;
        SmallTransfer::Install(network, ideal);
        network.LoseOne(0, UDP, 7);
        if (what == "receiver stopped")
        {
            network.transfer.sink->SetStopTime(when);
        }
        else if (what == "sender stopped")
        {
            network.transfer.source->SetStopTime(when);
        }
        else
        {
            network.Cut(when, Time::Max());
        }
        RbudpTestNetwork::Run();
        const auto message = what + " at " + std::to_string(when.GetMicroSeconds()) + " us, " +
                             (ideal ? "ideal" : "TCP") + ": " + network.Describe();
        NS_TEST_EXPECT_MSG_EQ(network.sender.completed + network.sender.failed, 1, message);
        const uint32_t ended = network.receiver.completed + network.receiver.failed;
        if (what == "receiver stopped")
        {
            // A receiver that is stopped ends without a call.
            NS_TEST_EXPECT_MSG_LT_OR_EQ(ended, 1, message);
            NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->IsFinished(), true, message);
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(ended, 1, message);
        }
        NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, when + BOUND, message);
        NS_TEST_EXPECT_MSG_LT(network.receiver.report.finish, when + BOUND, message);
        const bool isDelivered =
            network.transfer.sink->GetReport().deliveredBytes == SmallTransfer::BYTES;
        NS_TEST_EXPECT_MSG_EQ((network.sender.completed == 0 || isDelivered), true, message);
        NS_TEST_EXPECT_MSG_EQ((network.receiver.completed == 0 || isDelivered), true, message);
        NS_TEST_EXPECT_MSG_EQ(
            (network.sender.failed == 0 || !network.sender.report.failure.empty()),
            true,
            message);
    };
    for (const bool ideal : {false, true})
    {
        for (int ms = 1; ms < 90; ms += 3)
        {
            check(ideal, Microseconds(ms), "receiver stopped");
            check(ideal, Microseconds(ms), "sender stopped");
            check(ideal, Microseconds(ms), "cut");
        }
    }
}

/// Ask for the right end. The ideal control channel goes on without the link, so that blasts
/// without progress add up.
bool
IsFine(const RbudpTestNetwork& network, bool ideal)
{
    return network.IsDelivered(SmallTransfer::BYTES) ||
           (ideal && network.sender.failed == 1 &&
            Contains(network.sender.report.failure, "no progress"));
}

LFN_CASE(RbudpLinkDownTestCase)
{
    for (const bool ideal : {false, true})
    {
        for (int ms = 0; ms < 90; ms += 2)
        {
            RbudpTestNetwork network;
            SmallTransfer::Install(network, ideal);
            const Time from = MicroSeconds(1000 * ms + 137);
            network.Cut(from, from + Seconds(5));
            RbudpTestNetwork::Run();
            const auto message = std::to_string(ms) + " ms, " + (ideal ? "ideal" : "TCP") + ": " +
                                 network.Describe();
            // TCP tries to connect for 5 s only; then the ends have to fail.
            if (ideal || ms >= 15)
            {
                NS_TEST_EXPECT_MSG_EQ(IsFine(network, ideal), true, message);
            }
            NS_TEST_EXPECT_MSG_EQ(network.sender.completed + network.sender.failed, 1, message);
            NS_TEST_EXPECT_MSG_EQ(network.receiver.completed + network.receiver.failed, 1, message);
            NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, BOUND, message);
            NS_TEST_EXPECT_MSG_LT(network.receiver.report.finish, BOUND, message);
        }
    }
}

LFN_CASE(RbudpMtuTestCase)
{
    // Run a transfer of which nothing but the bytes is set over one link of 1500 B.
    const auto checkDefaults = [&](bool ipv6) {
        RbudpTestNetwork network({.rate = "1Gbps", .ipv6 = ipv6});
        network.Install(200'000);
        UintegerValue size;
        network.transfer.source->GetAttribute("PayloadSize", size);
        RbudpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(200'000), true, network.Describe());
        NS_TEST_EXPECT_MSG_EQ(size.Get(), (ipv6 ? 1448 : 1450), "user bytes per datagram");
    };
    // Run a transfer over one link of 1500 B.
    const auto checkFirstLink =
        [&](bool ipv6, uint32_t payloadSize, bool fragments, bool completes) {
            RbudpTestNetwork network({.rate = "1Gbps", .ipv6 = ipv6});
            network.helper.SetSourceAttribute("PayloadSize", UintegerValue(payloadSize));
            network.helper.SetSourceAttribute("AllowFragmentation", BooleanValue(fragments));
            network.Install(200'000);
            RbudpTestNetwork::Run();
            if (completes)
            {
                NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(200'000), true, network.Describe());
                return;
            }
            NS_TEST_EXPECT_MSG_EQ(network.sender.failed, 1, network.Describe());
            NS_TEST_EXPECT_MSG_EQ(Contains(network.sender.report.failure, "MTU of 1501 B"),
                                  true,
                                  network.Describe());
            NS_TEST_EXPECT_MSG_EQ(Contains(network.sender.report.failure, "AllowFragmentation"),
                                  true,
                                  network.Describe());
            NS_TEST_EXPECT_MSG_EQ(network.sender.report.dataPackets, 0, "nothing is sent");
            NS_TEST_EXPECT_MSG_EQ(network.receiver.failed, 1, network.Describe());
        };
    for (const bool ipv6 : {false, true})
    {
        const uint32_t fits = ipv6 ? 1448 : 1468; // UDP 8, header 4, IP 20 or 40
        checkFirstLink(ipv6, fits, false, true);
        checkFirstLink(ipv6, fits + 1, false, false);
        checkFirstLink(ipv6, fits + 1, true, true);
        checkFirstLink(ipv6, 65'503, true, true);
        checkDefaults(ipv6);
    }
}

LFN_CASE(RbudpRouterTestCase)
{
    RbudpTestNetwork network;
    const auto far = network.AddHost(1, 1000);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    network.Install(200'000, "600Mbps", far);
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(200'000), true, network.Describe());
}

LFN_CASE(RbudpIpv6RouterTestCase)
{
    RbudpTestNetwork network({.rate = "1Gbps", .ipv6 = true});
    const auto far = network.AddHost(1, 1300);
    network.helper.SetSourceAttribute("PayloadSize", UintegerValue(1440));
    network.Install(200'000, "600Mbps", far);
    RbudpTestNetwork::Run();
    const bool isDelivered = network.IsDelivered(200'000);
    const bool isFailed = network.sender.failed == 1 && network.receiver.failed == 1;
    NS_TEST_EXPECT_MSG_EQ((isDelivered || isFailed), true, network.Describe());
    NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, BOUND, network.Describe());
    NS_TEST_EXPECT_MSG_LT(network.receiver.report.finish, BOUND, network.Describe());
}

LFN_CASE(RbudpUnauthenticatedTestCase)
{
    RbudpTestNetwork network;
    const auto other = network.AddHost(1, 1500);
    SmallTransfer::Install(network, false);
    const auto socket = OpenUdp(other.node, 38'000);
    socket->Connect(InetSocketAddress(Ipv4Address::ConvertFrom(other.neighbour), 38'000));
    for (uint32_t i = 0; i < 100; ++i)
    {
        Simulator::Schedule(MicroSeconds(500 * (i + 1)), [=] {
            const auto packet = Create<Packet>(1440);
            packet->AddHeader(RbudpDataHeader(i));
            socket->Send(packet);
        });
    }
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(SmallTransfer::BYTES), true, network.Describe());
    NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetDrops(DropReason::UNKNOWN_PEER),
                          100,
                          "all of them are counted");
    NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetTotalDrops(), 100, "nothing else");
}

LFN_CASE(RbudpSilenceTestCase)
{
    RbudpTestNetwork network;
    const auto other = network.AddHost(1, 1500);
    SmallTransfer::Install(network, false);
    network.Cut(MilliSeconds(30), Time::Max());
    const auto socket = OpenUdp(other.node);
    socket->Connect(InetSocketAddress(Ipv4Address::ConvertFrom(other.neighbour), 38'000));
    for (uint32_t i = 0; i < 100; ++i)
    {
        Simulator::Schedule(Seconds(5 * i), [=] { socket->Send(Create<Packet>(100)); });
    }
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.receiver.failed, 1, network.Describe());
    NS_TEST_EXPECT_MSG_LT(network.receiver.report.finish, BOUND, network.Describe());
}

LFN_CASE(RbudpTwoSendersTestCase)
{
    for (const bool samePorts : {true, false})
    {
        RbudpTestNetwork network;
        const auto other = network.AddHost(1, 1500);
        SmallTransfer::Install(network, false);
        if (!samePorts)
        {
            network.helper.SetPorts(39'000, 39'001);
        }
        const auto second = network.helper.Install(other.node,
                                                   other.address,
                                                   network.nodes.Get(1),
                                                   other.neighbour);
        TestEnd sender;
        TestEnd receiver;
        sender.Watch(second.source);
        receiver.Watch(second.sink);
        second.source->SetStartTime(MilliSeconds(20));
        second.sink->SetStartTime(MilliSeconds(20));
        RbudpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(SmallTransfer::BYTES), true, network.Describe());
        NS_TEST_EXPECT_MSG_EQ(sender.completed, (samePorts ? 0 : 1), sender.report.failure);
        NS_TEST_EXPECT_MSG_EQ(sender.failed, (samePorts ? 1 : 0), sender.report.failure);
        NS_TEST_EXPECT_MSG_EQ(receiver.completed, (samePorts ? 0 : 1), "receiver");
        NS_TEST_EXPECT_MSG_EQ(receiver.report.failure,
                              (samePorts ? "UDP port 38000 is in use: set UdpPort" : ""),
                              "receiver");
        NS_TEST_EXPECT_MSG_LT(sender.report.finish, BOUND, "sender");
    }
}

LFN_CASE(RbudpTwoReceiversTestCase)
{
    RbudpTestNetwork network;
    const auto other = network.AddHost(0, 1500);
    SmallTransfer::Install(network, false);
    const auto second = CreateObject<RbudpReceiver>();
    second->SetAttribute("Remote", AddressValue(other.neighbour));
    second->SetStartTime(MilliSeconds(20));
    other.node->AddApplication(second);
    TestEnd end;
    end.Watch(second);
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(SmallTransfer::BYTES), true, network.Describe());
    NS_TEST_EXPECT_MSG_EQ(end.completed, 0, "nothing was received");
    NS_TEST_EXPECT_MSG_EQ(end.failed, 1, "the second receiver");
    NS_TEST_EXPECT_MSG_LT(end.report.finish, BOUND, "the second receiver");
}

LFN_CASE(RbudpStartTestCase)
{
    // Start the ends at different times.
    const auto checkLate = [&](Time sender, Time receiver, bool completes) {
        RbudpTestNetwork network;
        SmallTransfer::Install(network, false);
        network.transfer.source->SetStartTime(sender);
        network.transfer.sink->SetStartTime(receiver);
        RbudpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(SmallTransfer::BYTES),
                              completes,
                              network.Describe());
        if (!completes)
        {
            NS_TEST_EXPECT_MSG_EQ(network.receiver.failed, 1, network.Describe());
            NS_TEST_EXPECT_MSG_EQ_TOL(network.receiver.report.finish,
                                      receiver + Seconds(5),
                                      MilliSeconds(1),
                                      network.Describe());
            NS_TEST_EXPECT_MSG_EQ(network.sender.failed, 1, network.Describe());
            NS_TEST_EXPECT_MSG_EQ(network.sender.report.finish,
                                  sender + Seconds(100),
                                  network.Describe());
        }
    };
    checkLate(Seconds(4.5), Seconds(0), true);
    checkLate(Seconds(0), Seconds(90), true);
    checkLate(Seconds(6), Seconds(0), false);
    checkLate(Seconds(0), Seconds(300), false);
}

LFN_CASE(RbudpPortsTestCase)
{
    for (const uint32_t node : {0, 1})
    {
        RbudpTestNetwork network;
        const auto taken = OpenUdp(network.nodes.Get(node), 38'000);
        SmallTransfer::Install(network, false);
        RbudpTestNetwork::Run();
        const auto& end = node == 0 ? network.sender : network.receiver;
        const auto& other = node == 0 ? network.receiver : network.sender;
        NS_TEST_EXPECT_MSG_EQ(end.report.failure,
                              "UDP port 38000 is in use: set UdpPort",
                              network.Describe());
        NS_TEST_EXPECT_MSG_EQ(other.failed, 1, network.Describe());
        NS_TEST_EXPECT_MSG_LT(other.report.finish, BOUND, network.Describe());
    }
    RbudpTestNetwork network;
    SmallTransfer::Install(network, false);
    const auto second = CreateObject<RbudpSender>();
    second->SetAttribute("Bytes", UintegerValue(1));
    second->SetStartTime(MilliSeconds(1));
    network.nodes.Get(0)->AddApplication(second);
    TestEnd end;
    end.Watch(second);
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(SmallTransfer::BYTES), true, network.Describe());
    NS_TEST_EXPECT_MSG_EQ(end.failed, 1, "the second sender");
    NS_TEST_EXPECT_MSG_EQ(end.report.failure,
                          "TCP port 38001 is in use: set ControlPort",
                          "the second sender");
}

LFN_CASE(RbudpNothingSetTestCase)
{
    RbudpTestNetwork network;
    const auto receiver = CreateObject<RbudpReceiver>();
    const auto sender = CreateObject<RbudpSender>();
    sender->SetAttribute("IdealControl", PointerValue(CreateObject<RbudpIdealControl>()));
    const auto still = CreateObject<RbudpSender>();
    still->SetAttribute("SendRate", StringValue("0bps"));
    TestEnd ends[3];
    uint32_t i = 0;
    for (const auto& end : {Ptr<TransferApplication>(receiver),
                            Ptr<TransferApplication>(sender),
                            Ptr<TransferApplication>(still)})
    {
        network.nodes.Get(0)->AddApplication(end);
        ends[i++].Watch(end);
    }
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(Contains(ends[0].report.failure, "Remote"), true, "no address");
    NS_TEST_EXPECT_MSG_EQ(Contains(ends[1].report.failure, "Remote"), true, "no address");
    NS_TEST_EXPECT_MSG_EQ(Contains(ends[2].report.failure, "SendRate"), true, "no rate");
}

LFN_CASE(RbudpDisorderTestCase)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        RbudpTestNetwork network;
        network.helper.SetSourceAttribute("BlockSize", UintegerValue(30'000));
        network.UseControl(seed % 2 == 0);
        network.Install(100'000, "50Mbps");
        std::mt19937_64 random(seed);
        uint64_t repeated = 0;
        uint64_t delayed = 0;
        const auto disorder = [&](Ptr<const Packet> frame) {
            const auto draw = IpPacketFilter{UDP}.Matches(frame) ? random() % 10 : 10;
            if (draw >= 4)
            {
                return TestFate::PASS;
            }
            const bool isRepeated = draw < 2;
            (isRepeated ? repeated : delayed)++;
            // Up to 30 ms: into the next blast, or the next payload.
            network.replayDelay = MicroSeconds(1 + random() % (draw % 2 == 0 ? 30 : 30'000));
            return isRepeated ? TestFate::TWICE : TestFate::LATE;
        };
        Disturb(network.devices.Get(1), disorder, network.replayDelay);
        RbudpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(100'000), true, network.Describe());
        const auto receiver = network.transfer.sink;
        NS_TEST_EXPECT_MSG_GT(repeated, 5, "seed " << seed);
        NS_TEST_EXPECT_MSG_GT(delayed, 5, "seed " << seed);
        NS_TEST_EXPECT_MSG_EQ(receiver->GetDuplicates(),
                              receiver->GetDrops(DropReason::DUPLICATE),
                              "seed " << seed);
        // What arrived is what was sent and what was repeated; 70 datagrams are new. A late one
        // may find the receiver's port closed.
        const auto sent = network.sender.report.dataPackets + repeated;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(receiver->GetTotalDrops() + 70, sent, "seed " << seed);
        NS_TEST_EXPECT_MSG_GT(receiver->GetDrops(DropReason::DUPLICATE), 0, "seed " << seed);
        NS_TEST_EXPECT_MSG_GT(receiver->GetDrops(DropReason::OUT_OF_RANGE) +
                                  receiver->GetDrops(DropReason::UNANNOUNCED),
                              0,
                              "late ones of an earlier payload, seed " << seed);
    }
}

const Suite g_suite("lfn-rbudp-fault", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::string each = "each control packet lost once: ";
    suite.Add(new RbudpControlLossTestCase(each + "one segment per bitmap", 1440));
    suite.Add(new RbudpHandshakeTestCase(
        "the file request ends the handshake; the blast outlasts the sender's patience"));
    suite.Add(new RbudpControlLossTestCase(each + "three segments per bitmap", 1),
              TestCase::Duration::EXTENSIVE);
    suite.Add(new RbudpDataLossTestCase("each datagram lost once, and each pair of neighbours"));
    suite.Add(new RbudpGoneTestCase(
        "an end gone or the link cut, at many moments: both ends end, once, in time"));
    suite.Add(new RbudpLinkDownTestCase("link down for 5 s, from many moments on"));
    suite.Add(new RbudpMtuTestCase("datagrams above the MTU of the first link"));
    suite.Add(
        new RbudpRouterTestCase("an IPv4 router in front of a narrow link splits the datagrams"));
    suite.Add(new RbudpIpv6RouterTestCase(
        "an IPv6 router does not: both ends fail, or the transfer completes"));
    suite.Add(
        new RbudpUnauthenticatedTestCase("datagrams of a third host that would fit are counted"));
    suite.Add(new RbudpSilenceTestCase("datagrams of a third host do not keep the receiver alive"));
    suite.Add(new RbudpTwoSendersTestCase(
        "a second pair on the same ports fails, on other ports both complete"));
    suite.Add(new RbudpTwoReceiversTestCase("a second receiver of one sender fails"));
    suite.Add(new RbudpStartTestCase("ends that start late or never"));
    suite.Add(new RbudpPortsTestCase("ports in use"));
    suite.Add(new RbudpNothingSetTestCase("Attributes that were forgotten"));
    suite.Add(new RbudpDisorderTestCase(
        "duplicated and reordered datagrams, within and across payloads"));
});

} // namespace
