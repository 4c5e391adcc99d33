// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "rbudp-test-network.h"

#include "ns3/config.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/socket.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint8_t TCP = 6;                //!< protocol number
constexpr uint64_t ANNOUNCEMENT = 2;      //!< TCP packet of the sender, behind SYN+ACK
constexpr uint32_t ACK_SIZE = 54;         //!< PPP 2, IPv4 20, TCP 20, time stamps 12, B
constexpr uint32_t DONE_SIZE = 54 + 8;    //!< the same with DONE, B
constexpr uint32_t BITMAP_SIZE = 54 + 39; //!< with the bitmap of 300 datagrams, B
constexpr uint32_t DATAGRAM = 1450;       //!< user bytes
const Time RTT = MilliSeconds(10);        //!< of the test network

LFN_CASE(RbudpHeldTestCase)
{
    // Run a transfer of datagrams that all arrive before their announcement; a number of them
    // should wait.
    const auto check =
        [&](uint64_t datagrams, uint32_t size, uint32_t buffer, bool isSlow, uint64_t held) {
            const auto message = std::to_string(datagrams) + " datagrams of " +
                                 std::to_string(size) + " B, buffer " + std::to_string(buffer) +
                                 (isSlow ? ", slow host" : "");
            RbudpTestNetwork network;
            network.helper.SetSourceAttribute("PayloadSize", UintegerValue(size));
            network.helper.SetSinkAttribute("SocketBuffer", UintegerValue(buffer));
            if (isSlow)
            {
                network.helper.SetSinkAttribute("HostCost",
                                                PointerValue(*HostCost::FindProfile("livelock")));
            }
            network.Install(datagrams * size, "20Mbps");
            network.LoseOne(0, TCP, ANNOUNCEMENT);
            RbudpTestNetwork::Run();
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(datagrams * size), true, network.Describe());
            const auto receiver = network.transfer.sink;
            NS_TEST_EXPECT_MSG_EQ(receiver->GetHeld(), held, message);
            NS_TEST_EXPECT_MSG_EQ(receiver->GetDrops(DropReason::BUFFER_FULL),
                                  datagrams - held,
                                  message);
            NS_TEST_EXPECT_MSG_EQ(receiver->GetTotalDrops(), datagrams - held, message);
            const auto totals = network.transfer.source->GetTotals();
            NS_TEST_EXPECT_MSG_EQ(totals.blasts, (held < datagrams ? 2 : 1), message);
            NS_TEST_EXPECT_MSG_EQ(totals.retransmittedPackets, datagrams - held, message);
        };
    check(100, DATAGRAM, 8 << 20, false, 100);
    check(80, DATAGRAM, 8 << 20, true, 80); // the host's 128 KiB are enough
    // No more than the buffer holds: 45 * 1454 B; and of the smallest, 256 B each.
    check(100, DATAGRAM, 65'536, false, 45);
    check(300, 1, 65'536, false, 256);
    check(100, DATAGRAM, 8 << 20, true, 90); // 90 * 1454 B of 128 KiB
}

LFN_CASE(RbudpSecondPayloadTestCase)
{
    RbudpTestNetwork network;
    network.Install(0, "20Mbps");
    const auto sender = network.transfer.source;
    sender->SendPayload(10 * DATAGRAM);
    const auto lose = [&](const RbudpPayloadReport& report) {
        if (report.index == 0)
        {
            network.LoseOne(0, TCP, 1);
            sender->SendPayload(20 * DATAGRAM);
            sender->Finish();
        }
    };
    sender->TraceConnectWithoutContext(
        "PayloadCompleted",
        Callback<void, const RbudpPayloadReport&>(
            [&](const RbudpPayloadReport& report) { lose(report); }));
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(30 * DATAGRAM), true, network.Describe());
    NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetHeld(), 20, "of the second payload");
    NS_TEST_EXPECT_MSG_EQ(sender->GetTotals().retransmittedPackets, 0, "nothing retransmitted");
}

LFN_CASE(RbudpNeverAnnouncedTestCase)
{
    RbudpTestNetwork network;
    const auto receiver = CreateObject<RbudpReceiver>();
    receiver->SetAttribute("Remote", AddressValue(network.addresses[0]));
    receiver->SetStartTime(Seconds(0));
    network.nodes.Get(1)->AddApplication(receiver);
    TestEnd end;
    end.Watch(receiver);
    const auto listener = Socket::CreateSocket(network.nodes.Get(0), TcpSocketFactory::GetTypeId());
    listener->Bind(network.GetEnd(0, 38'001));
    listener->Listen();
    const auto udp = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
    udp->Bind(network.GetEnd(0, 38'000));
    udp->Connect(network.GetEnd(1, 38'000));
    listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        Callback<void, Ptr<Socket>, const Address&>([&](Ptr<Socket> socket, const Address&) {
            for (int i = 0; i < 10; ++i)
            {
                udp->Send(Create<Packet>(100));
            }
            Simulator::Schedule(MilliSeconds(50), [socket] { socket->Close(); });
        }));
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(end.failed, 1, end.report.failure);
    NS_TEST_EXPECT_MSG_EQ(receiver->GetHeld(), 10, "they waited");
    NS_TEST_EXPECT_MSG_EQ(receiver->GetDrops(DropReason::UNANNOUNCED), 10, "redundant");
}

LFN_CASE_OF(RbudpDoneTestCase, bool ideal)
{
    RbudpTestNetwork network;
    network.UseControl(ideal);
    network.Install(20 * DATAGRAM, "11.6Mbps"); // 1 ms a datagram
    network.LoseOne(0, 17, 7);
    Time last;
    std::vector<Time> waits;
    const auto sender = network.transfer.source;
    sender->TraceConnectWithoutContext(
        "Tx",
        Callback<void, Ptr<const Packet>>([&](Ptr<const Packet>) { last = Simulator::Now(); }));
    sender->TraceConnectWithoutContext("Message",
                                       Callback<void, RbudpMessageKind, bool, uint32_t, uint64_t>(
                                           [&](RbudpMessageKind kind, bool, uint32_t, uint64_t) {
                                               if (kind == RbudpMessageKind::DONE)
                                               {
                                                   waits.push_back(Simulator::Now() - last);
                                               }
                                           }));
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(20 * DATAGRAM), true, network.Describe());
    NS_TEST_ASSERT_MSG_EQ(waits.size(), 2, "blasts");
    for (const auto& wait : waits)
    {
        NS_TEST_EXPECT_MSG_EQ(wait, MilliSeconds(ideal ? 1 : 0), "behind the last datagram");
    }
}

/** @brief What came out of a transfer. */
struct Outcome
{
    Time took;  //!< from the announcement to the full bitmap
    Time delay; //!< from the first bitmap's arrival to its acknowledgement
};

LFN_CASE(RbudpControlTimersTestCase)
{
    // Run a transfer whose first half has to be retransmitted, which takes 150 ms, with the first
    // DONE lost or not.
    const auto runOne = [&](bool isLost) {
        Outcome outcome;
        RbudpTestNetwork network;
        network.Install(300 * DATAGRAM, "11.6Mbps");
        uint64_t datagrams = 0;
        std::optional<Time> bitmap;
        network.loss = [&](int direction, Ptr<const Packet> packet) {
            if (!IpPacketFilter{TCP}.Matches(packet))
            {
                return ++datagrams <= 150;
            }
            if (direction == 1 && packet->GetSize() == BITMAP_SIZE && !bitmap)
            {
                bitmap = Simulator::Now();
            }
            if (direction == 0 && packet->GetSize() == ACK_SIZE && bitmap && outcome.delay.IsZero())
            {
                outcome.delay = Simulator::Now() - *bitmap - RTT / 2;
            }
            return direction == 0 && packet->GetSize() == DONE_SIZE && std::exchange(isLost, false);
        };
        RbudpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(300 * DATAGRAM), true, network.Describe());
        NS_TEST_EXPECT_MSG_EQ(isLost, false, "the DONE was seen");
        outcome.took = network.sender.report.finish - network.sender.report.start;
        return outcome;
    };
    // Run with the first DONE lost and without, and look at the timers.
    const auto check = [&](Time margin, Time delay) {
        const auto normal = runOne(false);
        NS_TEST_EXPECT_MSG_EQ_TOL(normal.delay.GetSeconds(),
                                  delay.GetSeconds(),
                                  1e-4,
                                  "an acknowledgement that finds no data to go with");
        // The smoothed RTT is that of the path.
        NS_TEST_EXPECT_MSG_EQ_TOL((runOne(true).took - normal.took).GetSeconds(),
                                  (margin + RTT).GetSeconds(),
                                  1e-3,
                                  "DONE again after an RTT and the margin");
    };
    check(MilliSeconds(200), MilliSeconds(40));
    const std::string margin = "ns3::lfn::RbudpTcpControl::MinRtoMargin";
    const std::string delay = "ns3::lfn::RbudpTcpControl::DelAckTimeout";
    Config::SetDefault(margin, TimeValue(Seconds(2)));
    Config::SetDefault(delay, TimeValue(MilliSeconds(100)));
    check(Seconds(2), MilliSeconds(100));
    Config::SetDefault(margin, TimeValue(MilliSeconds(200)));
    Config::SetDefault(delay, TimeValue(MilliSeconds(40)));
}

const Suite g_suite("lfn-rbudp-original", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new RbudpHeldTestCase(
        "datagrams before their announcement wait, as many as the buffer holds"));
    suite.Add(new RbudpSecondPayloadTestCase(
        "datagrams of a second payload before its announcement wait"));
    suite.Add(new RbudpNeverAnnouncedTestCase(
        "datagrams of a payload that is never announced are dropped in the end, and counted"));
    suite.Add(new RbudpDoneTestCase("DONE right behind the last datagram, TCP control", false));
    suite.Add(new RbudpDoneTestCase("DONE an interval behind it, ideal control", true));
    suite.Add(new RbudpControlTimersTestCase(
        "control connection: margin of the retransmission timer, delay of an acknowledgement"));
});

} // namespace
