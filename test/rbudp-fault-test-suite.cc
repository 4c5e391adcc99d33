// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "rbudp-test-network.h"

#include "ns3/error-model.h"
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
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint8_t TCP = 6;  //!< protocol number
constexpr uint8_t UDP = 17; //!< protocol number

/** Silence that an end bears (100 s), and a blast or a few retransmissions. */
const Time BOUND = Seconds(130);

/**
 * @brief Find a part of a text.
 * @param text where to look
 * @param part what to look for
 * @return whether it is there
 */
bool
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/**
 * @brief Open a UDP socket.
 * @param node where
 * @param port to bind to; 0 for any
 * @return the socket
 */
Ptr<Socket>
OpenUdp(Ptr<Node> node, uint16_t port = 0)
{
    auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    return socket;
}

/**
 * @brief A transfer of 200 kB with one loss, so two blasts: connected after 10 ms, blasting until
 *        42 ms, resending at 53 ms, closed at about 70 ms.
 */
struct SmallTransfer
{
    static constexpr uint64_t BYTES = 200'000; //!< its payload

    /**
     * @brief Install it.
     * @param network where
     * @param ideal RbudpIdealControl instead of TCP
     */
    static void Install(RbudpTestNetwork& network, bool ideal)
    {
        if (ideal)
        {
            network.helper.UseIdealControl(MilliSeconds(5), DataRate("50Mbps"));
        }
        network.helper.SetSenderAttribute("PayloadSize", UintegerValue(1440));
        network.Install(BYTES, "50Mbps");
    }
};

/** @brief Each packet of the control connection lost once, in both directions. */
class RbudpControlLossTestCase : public TestCase
{
  public:
    /**
     * @brief A payload.
     * @param bytes its size
     * @param payloadSize of its datagrams
     * @param name of the case
     */
    RbudpControlLossTestCase(uint64_t bytes, uint32_t payloadSize, const std::string& name)
        : TestCase("each control packet lost once: " + name),
          m_bytes(bytes),
          m_payloadSize(payloadSize)
    {
    }

  private:
    void DoRun() override
    {
        CheckRequestInHandshake();
        for (const bool ipv6 : {false, true})
        {
            for (const bool file : {false, true})
            {
                std::array<uint64_t, 2> packets{};
                RunOne(ipv6, file, 0, 0, packets);
                NS_TEST_EXPECT_MSG_GT(packets[0], 5, "handshake, messages, acknowledgements, FIN");
                NS_TEST_EXPECT_MSG_GT(packets[1], 5, "handshake, messages, acknowledgements, FIN");
                for (const int direction : {0, 1})
                {
                    for (uint64_t k = 1; k <= packets[direction]; ++k)
                    {
                        std::array<uint64_t, 2> seen{};
                        RunOne(ipv6, file, direction, k, seen);
                    }
                }
            }
        }
    }

    /** @brief The file request ends the handshake; the blast outlasts the sender's patience. */
    void CheckRequestInHandshake()
    {
        RbudpTestNetwork network;
        network.helper.SetSenderAttribute("FileName", StringValue("name"));
        network.helper.SetReceiverAttribute("FileName", StringValue("name"));
        network.helper.SetSenderAttribute("ControlTimeout", TimeValue(Seconds(1)));
        network.Install(30'000, "100kbps");
        network.LoseOne(1, TCP, 2);
        RbudpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(30'000), true, network.Describe());
    }

    /**
     * @brief Run a transfer.
     * @param ipv6 which IP
     * @param file whether the receiver asks for a name
     * @param direction in which the packet is lost
     * @param k number of the TCP packet that is lost; 0 for none
     * @param packets TCP packets seen in each direction
     */
    void RunOne(bool ipv6, bool file, int direction, uint64_t k, std::array<uint64_t, 2>& packets)
    {
        TestLink link{.rate = "1Gbps"};
        link.ipv6 = ipv6;
        RbudpTestNetwork network(link);
        network.helper.SetSenderAttribute("PayloadSize", UintegerValue(m_payloadSize));
        if (file)
        {
            network.helper.SetSenderAttribute("FileName", StringValue("name"));
            network.helper.SetReceiverAttribute("FileName", StringValue("name"));
        }
        network.Install(m_bytes, "10Mbps");
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
            // The end of the handshake: ns-3's TCP does not answer the SYN+ACK that the sender then
            // repeats, and the receiver has nothing to say before the sender. Both have to notice.
            NS_TEST_EXPECT_MSG_EQ(network.receiver.failed, 1, message);
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(m_bytes), true, message);
        NS_TEST_EXPECT_MSG_EQ(network.transfer.sender->GetTotals().blasts, 2, "blasts");
    }

    uint64_t m_bytes;       //!< size of the payload
    uint32_t m_payloadSize; //!< of its datagrams
};

/** @brief Each datagram lost once. */
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
            // Behind the last one comes its own resend, which is lost too.
            const bool isOver = last > DATAGRAMS;
            const auto totals = network.transfer.sender->GetTotals();
            NS_TEST_EXPECT_MSG_EQ(totals.retransmittedPackets, lost, "resends");
            NS_TEST_EXPECT_MSG_EQ(totals.residualPacketsFirstBlast, (isOver ? 1 : lost), "missing");
            NS_TEST_EXPECT_MSG_EQ(totals.blasts, (isOver ? 3 : 2), "blasts");
        }
    }
}

/** @brief One end is stopped, or the link is cut for ever, at many moments. */
class RbudpGoneTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const bool ideal : {false, true})
        {
            for (int ms = 1; ms < 90; ms += 3)
            {
                Check(ideal, Microseconds(ms), "receiver stopped");
                Check(ideal, Microseconds(ms), "sender stopped");
                Check(ideal, Microseconds(ms), "cut");
            }
        }
    }

    /**
     * @brief A moment a little off the whole millisecond.
     * @param ms the millisecond
     * @return the moment
     */
    static Time Microseconds(int ms)
    {
        return MicroSeconds(1000 * ms + 137);
    }

    /**
     * @brief Run a transfer.
     * @param ideal which control channel
     * @param when something happens
     * @param what happens
     */
    void Check(bool ideal, Time when, const std::string& what)
    {
        RbudpTestNetwork network;
        SmallTransfer::Install(network, ideal);
        network.LoseOne(0, UDP, 7);
        if (what == "receiver stopped")
        {
            network.transfer.receiver->SetStopTime(when);
        }
        else if (what == "sender stopped")
        {
            network.transfer.sender->SetStopTime(when);
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
            NS_TEST_EXPECT_MSG_EQ(network.transfer.receiver->IsFinished(), true, message);
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(ended, 1, message);
        }
        NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, when + BOUND, message);
        NS_TEST_EXPECT_MSG_LT(network.receiver.report.finish, when + BOUND, message);
        const bool isDelivered =
            network.transfer.receiver->GetReport().deliveredBytes == SmallTransfer::BYTES;
        NS_TEST_EXPECT_MSG_EQ((network.sender.completed == 0 || isDelivered), true, message);
        NS_TEST_EXPECT_MSG_EQ((network.receiver.completed == 0 || isDelivered), true, message);
        NS_TEST_EXPECT_MSG_EQ(
            (network.sender.failed == 0 || !network.sender.report.failure.empty()),
            true,
            message);
    }
};

/** @brief The link is down for five seconds, from many moments on. */
class RbudpLinkDownTestCase : public Case
{
    using Case::Case;

    void DoRun() override
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
                const auto message = std::to_string(ms) + " ms, " + (ideal ? "ideal" : "TCP") +
                                     ": " + network.Describe();
                // TCP tries to connect for 5 s only; then the ends have to fail.
                if (ideal || ms >= 15)
                {
                    NS_TEST_EXPECT_MSG_EQ(IsFine(network, ideal), true, message);
                }
                NS_TEST_EXPECT_MSG_EQ(network.sender.completed + network.sender.failed, 1, message);
                NS_TEST_EXPECT_MSG_EQ(network.receiver.completed + network.receiver.failed,
                                      1,
                                      message);
                NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, BOUND, message);
                NS_TEST_EXPECT_MSG_LT(network.receiver.report.finish, BOUND, message);
            }
        }
    }

    /**
     * @brief Ask for the right end.
     * @param network after the run
     * @param ideal which control channel; the ideal one goes on without the link, so that blasts
     *        without progress add up
     * @return whether it was the right end
     */
    static bool IsFine(const RbudpTestNetwork& network, bool ideal)
    {
        return network.IsDelivered(SmallTransfer::BYTES) ||
               (ideal && network.sender.failed == 1 &&
                Contains(network.sender.report.failure, "no progress"));
    }
};

/** @brief Datagrams that do not fit a link. */
class RbudpMtuTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const bool ipv6 : {false, true})
        {
            const uint32_t fits = ipv6 ? 1448 : 1468; // UDP 8, header 4, IP 20 or 40
            CheckFirstLink(ipv6, fits, false, true);
            CheckFirstLink(ipv6, fits + 1, false, false);
            CheckFirstLink(ipv6, fits + 1, true, true);
            CheckFirstLink(ipv6, 65'503, true, true);
        }
        CheckRouter();
        CheckRouterIpv6();
    }

    /**
     * @brief Run a transfer over one link of 1500 B.
     * @param ipv6 which IP
     * @param payloadSize of the datagrams
     * @param fragments AllowFragmentation
     * @param completes what has to happen
     */
    void CheckFirstLink(bool ipv6, uint32_t payloadSize, bool fragments, bool completes)
    {
        TestLink link{.rate = "1Gbps"};
        link.ipv6 = ipv6;
        RbudpTestNetwork network(link);
        network.helper.SetSenderAttribute("PayloadSize", UintegerValue(payloadSize));
        network.helper.SetSenderAttribute("AllowFragmentation", BooleanValue(fragments));
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
    }

    /** @brief An IPv4 router in front of a narrow link splits the datagrams. */
    void CheckRouter()
    {
        RbudpTestNetwork network;
        const auto far = network.AddHost(1, 1000);
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        network.Install(200'000, "600Mbps", far);
        RbudpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(200'000), true, network.Describe());
    }

    /** @brief An IPv6 router may not: it says so, or nothing gets through. */
    void CheckRouterIpv6()
    {
        TestLink link{.rate = "1Gbps"};
        link.ipv6 = true;
        RbudpTestNetwork network(link);
        const auto far = network.AddHost(1, 1300);
        network.helper.SetSenderAttribute("PayloadSize", UintegerValue(1440));
        network.Install(200'000, "600Mbps", far);
        RbudpTestNetwork::Run();
        const bool isDelivered = network.IsDelivered(200'000);
        const bool isFailed = network.sender.failed == 1 && network.receiver.failed == 1;
        NS_TEST_EXPECT_MSG_EQ((isDelivered || isFailed), true, network.Describe());
        NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, BOUND, network.Describe());
        NS_TEST_EXPECT_MSG_LT(network.receiver.report.finish, BOUND, network.Describe());
    }
};

/** @brief Strangers, second senders and second receivers. */
class RbudpCompanyTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        CheckStranger();
        CheckStrangerKeepsNobodyAlive();
        CheckTwoSenders();
        CheckTwoReceivers();
    }

    /** @brief A third host sends datagrams that would fit. */
    void CheckStranger()
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
        NS_TEST_EXPECT_MSG_EQ(network.transfer.receiver->GetDrops(DropReason::UNKNOWN_PEER),
                              100,
                              "all of them are counted");
        NS_TEST_EXPECT_MSG_EQ(network.transfer.receiver->GetTotalDrops(), 100, "nothing else");
    }

    /** @brief A stranger's datagrams are no sign of life from the sender. */
    void CheckStrangerKeepsNobodyAlive()
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

    /** @brief On the same ports the second pair fails, on other ports both complete. */
    void CheckTwoSenders()
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
            sender.Watch(second.sender);
            receiver.Watch(second.receiver);
            second.sender->SetStartTime(MilliSeconds(20));
            second.receiver->SetStartTime(MilliSeconds(20));
            RbudpTestNetwork::Run();
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(SmallTransfer::BYTES),
                                  true,
                                  network.Describe());
            NS_TEST_EXPECT_MSG_EQ(sender.completed, (samePorts ? 0 : 1), sender.report.failure);
            NS_TEST_EXPECT_MSG_EQ(sender.failed, (samePorts ? 1 : 0), sender.report.failure);
            NS_TEST_EXPECT_MSG_EQ(receiver.completed, (samePorts ? 0 : 1), "receiver");
            NS_TEST_EXPECT_MSG_EQ(receiver.report.failure,
                                  (samePorts ? "UDP port 38000 is in use: set UdpPort" : ""),
                                  "receiver");
            NS_TEST_EXPECT_MSG_LT(sender.report.finish, BOUND, "sender");
        }
    }

    /** @brief A sender has one receiver; a second one is told. */
    void CheckTwoReceivers()
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
};

/** @brief Ports in use, and ends that start late or never. */
class RbudpStartTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        CheckPorts();
        CheckLate(Seconds(4.5), Seconds(0), true);
        CheckLate(Seconds(0), Seconds(90), true);
        CheckLate(Seconds(6), Seconds(0), false);
        CheckLate(Seconds(0), Seconds(300), false);
        CheckNothingSet();
    }

    /** @brief Every port that may be taken. */
    void CheckPorts()
    {
        {
            RbudpTestNetwork network;
            const auto taken = OpenUdp(network.nodes.Get(0), 38'000);
            SmallTransfer::Install(network, false);
            RbudpTestNetwork::Run();
            NS_TEST_EXPECT_MSG_EQ(network.sender.report.failure,
                                  "UDP port 38000 is in use: set UdpPort",
                                  network.Describe());
            NS_TEST_EXPECT_MSG_EQ(network.receiver.failed, 1, network.Describe());
        }
        {
            RbudpTestNetwork network;
            const auto taken = OpenUdp(network.nodes.Get(1), 38'000);
            SmallTransfer::Install(network, false);
            RbudpTestNetwork::Run();
            NS_TEST_EXPECT_MSG_EQ(network.receiver.report.failure,
                                  "UDP port 38000 is in use: set UdpPort",
                                  network.Describe());
            NS_TEST_EXPECT_MSG_EQ(network.sender.failed, 1, network.Describe());
            NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, BOUND, network.Describe());
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

    /**
     * @brief Start the ends at different times.
     * @param sender when the sender starts
     * @param receiver when the receiver starts
     * @param completes what has to happen
     */
    void CheckLate(Time sender, Time receiver, bool completes)
    {
        RbudpTestNetwork network;
        SmallTransfer::Install(network, false);
        network.transfer.sender->SetStartTime(sender);
        network.transfer.receiver->SetStartTime(receiver);
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
    }

    /** @brief Attributes that were forgotten. */
    void CheckNothingSet()
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
};

/** @brief A device that repeats packets and holds others back. */
class DisorderErrorModel : public ErrorModel
{
  public:
    /**
     * @brief Disturb what a device receives.
     * @param device the device
     * @param seed of the choice
     */
    DisorderErrorModel(Ptr<PointToPointNetDevice> device, uint64_t seed)
        : m_device(device),
          m_random(seed)
    {
    }

    uint64_t repeated{0}; //!< datagrams that came twice
    uint64_t delayed{0};  //!< datagrams that came late

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        if (m_again || !IpPacketFilter{UDP}.Matches(packet))
        {
            return false;
        }
        const auto draw = m_random() % 10;
        if (draw >= 4)
        {
            return false;
        }
        const bool isRepeated = draw < 2;
        (isRepeated ? repeated : delayed)++;
        // Up to 30 ms: into the next blast, or the next payload.
        Simulator::Schedule(MicroSeconds(1 + m_random() % (draw % 2 == 0 ? 30 : 30'000)),
                            &DisorderErrorModel::ReceiveAgain,
                            Ptr<DisorderErrorModel>(this),
                            packet->Copy());
        return !isRepeated;
    }

    void DoReset() override
    {
    }

    /**
     * @brief Hand a packet to the device once more.
     * @param packet the packet
     */
    void ReceiveAgain(Ptr<Packet> packet)
    {
        m_again = true;
        m_device->Receive(packet);
        m_again = false;
    }

    void DoDispose() override
    {
        m_device = nullptr;
        ErrorModel::DoDispose();
    }

    Ptr<PointToPointNetDevice> m_device; //!< whose packets
    std::mt19937_64 m_random;            //!< the choice
    bool m_again{false};                 //!< the packet has been here before
};

/** @brief Duplicated and reordered datagrams. */
LFN_CASE(RbudpDisorderTestCase)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        RbudpTestNetwork network;
        network.helper.SetSenderAttribute("BlockSize", UintegerValue(30'000));
        if (seed % 2 == 0)
        {
            network.helper.UseIdealControl(MilliSeconds(5), DataRate("600Mbps"));
        }
        network.Install(100'000, "50Mbps");
        const auto device = DynamicCast<PointToPointNetDevice>(network.devices.Get(1));
        const auto model = CreateObject<DisorderErrorModel>(device, seed);
        device->SetReceiveErrorModel(model);
        RbudpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(100'000), true, network.Describe());
        const auto receiver = network.transfer.receiver;
        NS_TEST_EXPECT_MSG_GT(model->repeated, 5, "seed " << seed);
        NS_TEST_EXPECT_MSG_GT(model->delayed, 5, "seed " << seed);
        NS_TEST_EXPECT_MSG_EQ(receiver->GetDuplicates(),
                              receiver->GetDrops(DropReason::DUPLICATE),
                              "seed " << seed);
        // What arrived is what was sent and what was repeated; 70 datagrams are new. A late one
        // may find the receiver's port closed.
        const auto sent = network.sender.report.dataPackets + model->repeated;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(receiver->GetTotalDrops() + 70, sent, "seed " << seed);
        NS_TEST_EXPECT_MSG_GT(receiver->GetDrops(DropReason::DUPLICATE), 0, "seed " << seed);
        NS_TEST_EXPECT_MSG_GT(receiver->GetDrops(DropReason::OUT_OF_RANGE) +
                                  receiver->GetDrops(DropReason::UNANNOUNCED),
                              0,
                              "late ones of an earlier payload, seed " << seed);
        device->SetReceiveErrorModel(nullptr);
    }
}

/** @brief The suite of RBUDP in trouble. */
const Suite g_suite("lfn-rbudp-fault", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new RbudpControlLossTestCase(30'000, 1440, "one segment a bitmap"));
    suite.Add(new RbudpControlLossTestCase(30'000, 1, "three segments a bitmap"),
              TestCase::Duration::EXTENSIVE);
    suite.Add(new RbudpDataLossTestCase("each datagram lost once, and each pair of neighbours"));
    suite.Add(new RbudpGoneTestCase(
        "an end gone or the link cut, at many moments: both ends end, once, in time"));
    suite.Add(new RbudpLinkDownTestCase("link down for 5 s, from many moments on"));
    suite.Add(
        new RbudpMtuTestCase("datagrams above the MTU of the first link, and of a link behind it"));
    suite.Add(new RbudpCompanyTestCase(
        "strangers' datagrams, two senders to one receiver, two receivers of one sender"));
    suite.Add(new RbudpStartTestCase("ports in use; ends that start late or never"));
    suite.Add(new RbudpDisorderTestCase(
        "duplicated and reordered datagrams, within and across payloads"));
});

} // namespace
