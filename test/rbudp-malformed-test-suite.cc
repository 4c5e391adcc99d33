// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "rbudp-test-network.h"
#include "rbudp-test-peer.h"

#include "ns3/inet-socket-address.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/packet.h"
#include "ns3/rbudp-header.h"
#include "ns3/socket.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Random = std::mt19937_64;

/// An acknowledgement with random gaps.
Bytes
MakeAck(Random& random, uint64_t datagrams)
{
    RbudpArrivalMap arrivals(datagrams);
    const auto share = 1 + Draw(random, 4);
    for (uint64_t index = 0; index < datagrams; ++index)
    {
        if (share == 4 || Draw(random, 4) < share)
        {
            arrivals.Record(index);
        }
    }
    return RbudpAck::Write(arrivals.GetBitmap(), arrivals.IsComplete());
}

/// The bytes of a message.
template <std::size_t N>
Bytes
Copy(const std::array<uint8_t, N>& message)
{
    return {message.begin(), message.end()};
}

/// Send bytes, when the socket can.
void
Send(Ptr<Socket> socket, const Bytes& bytes)
{
    if (!bytes.empty())
    {
        socket->Send(ToPacket(bytes));
    }
}

/// Call the sender at random.
void
CallSender(Random& random, RbudpTestPeer& peer)
{
    auto& sender = peer.sender;
    switch (Draw(random, 5))
    {
    case 0: {
        auto settings = peer.settings;
        settings.payloadSize = static_cast<uint32_t>(Draw(random, 40));
        settings.sendRate = DataRate(Draw(random, 3) == 0 ? Draw(random, 2) : random());
        settings.pacingQuantum = NanoSeconds(Draw(random, 3) * 1000);
        sender.Start(settings, Draw(random, 600), peer.now);
        break;
    }
    case 1:
        for (auto left = Draw(random, 30); left > 0 && sender.Next(); --left)
        {
        }
        break;
    case 2:
        sender.EndBlast();
        break;
    default:
        if (sender.GetState() == RbudpSenderCore::State::AWAITING_ACK || Draw(random, 9) == 0)
        {
            const auto datagrams = sender.GetCounters().firstBlastPackets;
            const auto ack = MakeAck(random, datagrams);
            sender.OnAck(Draw(random, 2) == 0 ? Spoil(random, ack) : ack, peer.now);
        }
        break;
    }
}

/// Call the receiver at random.
void
CallReceiver(Random& random, RbudpReceiverCore& receiver)
{
    const auto& payload = receiver.GetPayload();
    switch (Draw(random, 4))
    {
    case 0: {
        const RbudpAnnouncement announcement{Draw(random, 600),
                                             static_cast<uint32_t>(1 + Draw(random, 40)),
                                             static_cast<uint32_t>(random())};
        if (const auto read = RbudpAnnouncement::Read(announcement.Write()))
        {
            receiver.OnAnnouncement(*read);
        }
        break;
    }
    case 1:
        receiver.OnDone({receiver.GetCounters().rounds + (Draw(random, 4) == 0 ? 1 : 0)});
        break;
    default:
        for (auto left = Draw(random, 30); left > 0; --left)
        {
            const auto index = Draw(random, payload.GetDatagrams() + 2);
            const auto sequence = payload.firstSequence + static_cast<uint32_t>(index);
            receiver.Predict(sequence);
            receiver.OnDatagram(Draw(random, 20) == 0 ? static_cast<uint32_t>(random()) : sequence,
                                payload.GetDatagramBytes(index) + (Draw(random, 20) == 0 ? 1 : 0));
        }
        break;
    }
}

LFN_CASE_OF(RbudpCoreFuzzTestCase, uint64_t calls)
{
    Random random(10);
    RbudpTestPeer peer;
    uint64_t completed = 0;
    uint64_t failed = 0;
    for (uint64_t call = 0; call < calls; ++call)
    {
        CallSender(random, peer);
        CallReceiver(random, peer.receiver);
        const auto state = peer.sender.GetState();
        const auto& work = peer.sender.GetCounters();
        NS_TEST_ASSERT_MSG_LT_OR_EQ(work.residualPacketsFirstBlast,
                                    work.firstBlastPackets,
                                    "call " << call);
        NS_TEST_ASSERT_MSG_EQ(peer.sender.GetFailure().empty(),
                              (state != RbudpSenderCore::State::FAILED),
                              "call " << call);
        const auto& counters = peer.receiver.GetCounters();
        NS_TEST_ASSERT_MSG_LT_OR_EQ(counters.deliveredBytes,
                                    peer.receiver.GetPayload().bytes,
                                    "call " << call);
        NS_TEST_ASSERT_MSG_EQ((counters.deliveredBytes == peer.receiver.GetPayload().bytes),
                              peer.receiver.IsComplete(),
                              "call " << call);
        if (state == RbudpSenderCore::State::FAILED)
        {
            peer.sender = RbudpSenderCore();
            failed++;
        }
        completed += state == RbudpSenderCore::State::COMPLETE ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_GT(completed, calls / 100, "some payloads complete");
    NS_TEST_EXPECT_MSG_GT(failed, calls / 100, "some fail");
}

/// Forge a datagram, from the sender's address and port or from somewhere else, which is
/// counted. Wrong content is forged seldom when it ends the transfer.
Ptr<Packet>
Forge(Random& random, const RbudpTestNetwork& network, bool checks, uint64_t& unknownHosts)
{
    Bytes bytes(4 + 1450);
    const auto sequence = static_cast<uint32_t>(Draw(random, 200));
    bytes[3] = static_cast<uint8_t>(sequence);
    switch (Draw(random, checks ? 300 : 4))
    {
    case 0:
        break; // right in length, wrong in content
    case 1:
        bytes.resize(Draw(random, 8));
        break;
    case 2:
        std::generate(bytes.begin(), bytes.begin() + 4, [&] {
            return static_cast<uint8_t>(random());
        });
        bytes[0] |= 1;
        break;
    default:
        bytes.resize(Draw(random, 4 + 1450));
        break;
    }
    const auto misbehaving = Draw(random, 6);
    unknownHosts += misbehaving < 2 ? 1 : 0;
    const auto real = Ipv4Address::ConvertFrom(network.addresses[0]);
    return MakeDatagram({misbehaving == 1 ? Ipv4Address("192.0.2.1") : real,
                         static_cast<uint16_t>(misbehaving == 0 ? 38'001 : 38'000)},
                        {Ipv4Address::ConvertFrom(network.addresses[1]), 38'000},
                        ToPacket(bytes));
}

LFN_CASE_OF(RbudpForgedDatagramsTestCase, uint64_t transfers)
{
    // Run a transfer; check whether it completed.
    const auto runOne = [&](uint64_t seed) {
        Random random(seed);
        RbudpTestNetwork network;
        const bool checks = seed % 4 == 0;
        network.helper.SetSinkAttribute("CheckContent", BooleanValue(checks));
        if (seed % 3 == 0)
        {
            network.helper.SetSinkAttribute("HostCost",
                                            PointerValue(*HostCost::FindProfile("livelock")));
            network.helper.SetSinkAttribute("Receiver", StringValue("ScatterGather"));
        }
        // Connected after 10 ms, the first blast is over after 42 ms.
        network.Install(200'000, "50Mbps");
        uint64_t accepted = 0;
        network.transfer.sink->TraceConnectWithoutContext(
            "Progress",
            Callback<void, uint64_t, uint64_t>([&](uint64_t, uint64_t) { accepted++; }));
        uint64_t traced = 0;
        network.transfer.sink->TraceConnectWithoutContext(
            "Drop",
            Callback<void, Ptr<const Packet>, DropReason>(
                [&](Ptr<const Packet>, DropReason) { traced++; }));
        const auto device = DynamicCast<PointToPointNetDevice>(network.devices.Get(1));
        uint64_t unknownHosts = 0;
        for (int i = 0; i < 200; ++i)
        {
            const auto packet = Forge(random, network, checks, unknownHosts);
            Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                           MicroSeconds(11'000 + Draw(random, 30'000)),
                                           [=] { device->Receive(packet); });
        }
        RbudpTestNetwork::Run();
        const auto message = "seed " + std::to_string(seed) + ": " + network.Describe();
        const auto receiver = network.transfer.sink;
        NS_TEST_EXPECT_MSG_EQ(network.sender.completed + network.sender.failed, 1, message);
        NS_TEST_EXPECT_MSG_EQ(network.receiver.completed + network.receiver.failed, 1, message);
        NS_TEST_EXPECT_MSG_LT(network.receiver.report.finish, Seconds(130), message);
        NS_TEST_EXPECT_MSG_EQ(receiver->GetTotalDrops(), traced, message);
        if (network.receiver.completed == 1)
        {
            NS_TEST_EXPECT_MSG_EQ(network.receiver.report.deliveredBytes, 200'000, message);
            NS_TEST_EXPECT_MSG_EQ(receiver->GetDrops(DropReason::UNKNOWN_PEER),
                                  unknownHosts,
                                  message);
            // Every datagram, forged or not, was taken or counted as dropped.
            NS_TEST_EXPECT_MSG_EQ(accepted + traced,
                                  200 + network.sender.report.dataPackets,
                                  message);
        }
        return network.receiver.completed == 1;
    };
    uint64_t completed = 0;
    for (uint64_t seed = 0; seed < transfers; ++seed)
    {
        completed += runOne(seed) ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_GT(completed, transfers / 2, "most transfers complete");
}

/** @brief A receiver that keeps no rules. */
class FakeReceiver
{
  public:
    /// Connect to a sender's control port.
    FakeReceiver(Ptr<Node> node, const Address& sender, uint64_t seed)
        : m_random(seed),
          m_socket(Socket::CreateSocket(node, TcpSocketFactory::GetTypeId()))
    {
        m_asks = Draw(m_random, 3) == 0;
        m_answers = Draw(m_random, 4) != 0;
        m_isCalm = Draw(m_random, 2) == 0;
        m_socket->Bind();
        m_socket->SetConnectCallback(
            Callback<void, Ptr<Socket>>([this](Ptr<Socket>) { OnConnected(); }),
            Callback<void, Ptr<Socket>>([](Ptr<Socket>) {}));
        m_socket->SetRecvCallback(
            Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) { OnReadable(socket); }));
        m_socket->Connect(sender);
        if (Draw(m_random, 3) == 0)
        {
            Simulator::Schedule(MicroSeconds(Draw(m_random, 60'000)),
                                [this] { m_socket->Close(); });
        }
    }

  private:
    /** @brief Say something, or wait. */
    void OnConnected()
    {
        if (m_asks)
        {
            Send(m_socket, Spoil(m_random, Copy(RbudpFileRequest{"name"}.Write())));
        }
        else if (Draw(m_random, 4) == 0)
        {
            Send(m_socket, MakeNoise(m_random, 600));
        }
    }

    /// Answer each DONE with something.
    void OnReadable(Ptr<Socket> socket)
    {
        while (const auto packet = socket->Recv())
        {
            if (packet->GetSize() == 0)
            {
                return;
            }
            const auto bytes = ToBytes(packet);
            m_inbox.insert(m_inbox.end(), bytes.begin(), bytes.end());
        }
        if (!m_payload && m_inbox.size() >= RbudpAnnouncement::SIZE)
        {
            m_payload = RbudpAnnouncement::Read(std::span(m_inbox).first(RbudpAnnouncement::SIZE));
            m_read = RbudpAnnouncement::SIZE;
        }
        while (m_payload && m_answers && m_inbox.size() >= m_read + RbudpDone::SIZE)
        {
            m_read += RbudpDone::SIZE;
            const auto ack = MakeAck(m_random, m_payload->GetDatagrams());
            const auto answer = Draw(m_random, m_isCalm ? 50 : 3) == 0 ? Spoil(m_random, ack) : ack;
            if (Draw(m_random, 2) == 0)
            {
                Send(socket, answer);
                continue;
            }
            // In two portions.
            const auto middle = answer.begin() + static_cast<std::ptrdiff_t>(answer.size() / 2);
            Send(socket, {answer.begin(), middle});
            Simulator::Schedule(MicroSeconds(Draw(m_random, 20'000)),
                                [=, rest = Bytes(middle, answer.end())] { Send(socket, rest); });
        }
    }

    Random m_random;                            //!< what happens
    Ptr<Socket> m_socket;                       //!< the control connection
    bool m_asks{false};                         //!< sends a file request
    bool m_answers{false};                      //!< answers DONE
    bool m_isCalm{false};                       //!< answers well, most of the time
    Bytes m_inbox;                              //!< all that has arrived
    std::size_t m_read{0};                      //!< how much of it has been looked at
    std::optional<RbudpAnnouncement> m_payload; //!< what is coming
};

/** @brief A sender that keeps no rules. */
class FakeSender
{
  public:
    /// Listen for a receiver; both ends have the same UDP port.
    FakeSender(Ptr<Node> node,
               const Ipv4Address& receiver,
               uint16_t udpPort,
               uint16_t controlPort,
               uint64_t seed)
        : m_random(seed),
          m_listener(Socket::CreateSocket(node, TcpSocketFactory::GetTypeId())),
          m_udp(Socket::CreateSocket(node, UdpSocketFactory::GetTypeId()))
    {
        m_udp->Bind(InetSocketAddress(Ipv4Address::GetAny(), udpPort));
        m_udp->Connect(InetSocketAddress(receiver, udpPort));
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), controlPort));
        m_listener->Listen();
        m_listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>(
                [this](Ptr<Socket> socket, const Address&) { OnAccepted(socket); }));
    }

  private:
    /// Begin to talk.
    void OnAccepted(Ptr<Socket> socket)
    {
        m_socket = socket;
        m_socket->SetRecvCallback(Callback<void, Ptr<Socket>>([](Ptr<Socket> readable) {
            while (const auto packet = readable->Recv())
            {
                if (packet->GetSize() == 0)
                {
                    return;
                }
            }
        }));
        m_left = 1 + Draw(m_random, 12);
        m_isCalm = Draw(m_random, 2) == 0;
        Simulator::Schedule(MicroSeconds(Draw(m_random, 1000)), [this] { Act(); });
    }

    /** @brief Do something, and something else a little later. */
    void Act()
    {
        if (m_left-- == 0)
        {
            if (Draw(m_random, 3) != 0)
            {
                m_socket->Close();
            }
            return;
        }
        // Most of the time a well-behaved step: announcement, blast, DONE, blast, DONE, ...
        switch (Draw(m_random, m_isCalm ? 50 : 5) == 0 ? Draw(m_random, 4) : 4)
        {
        case 0:
            Send(m_socket, MakeNoise(m_random, 60));
            break;
        case 1:
            Send(m_socket, Spoil(m_random, Copy(m_payload.Write())));
            break;
        case 2:
            Send(m_socket, Spoil(m_random, Copy(RbudpDone{m_round}.Write())));
            break;
        case 3:
            for (int i = 0; i < 10; ++i)
            {
                Send(m_udp, MakeNoise(m_random, 300));
            }
            break;
        default:
            Behave();
            break;
        }
        Simulator::Schedule(MicroSeconds(Draw(m_random, 30'000)), [this] { Act(); });
    }

    /** @brief Do what a sender would do, losing some datagrams. */
    void Behave()
    {
        if (m_step == 0)
        {
            m_payload.firstSequence += static_cast<uint32_t>(m_payload.GetDatagrams());
            m_payload.bytes = 1 + Draw(m_random, 5000);
            m_payload.payloadSize = static_cast<uint32_t>(1 + Draw(m_random, 300));
            m_round = 0;
            Send(m_socket, Copy(m_payload.Write()));
        }
        else if (m_step % 2 == 1)
        {
            const bool loses = Draw(m_random, 2) == 0;
            m_isWhole = m_isWhole || !loses;
            for (uint64_t index = 0; index < m_payload.GetDatagrams(); ++index)
            {
                if (!loses || Draw(m_random, 4) != 0)
                {
                    const auto packet = Create<Packet>(m_payload.GetDatagramBytes(index));
                    packet->AddHeader(
                        RbudpDataHeader(m_payload.firstSequence + static_cast<uint32_t>(index)));
                    m_udp->Send(packet);
                }
            }
        }
        else
        {
            Send(m_socket, Copy(RbudpDone{m_round++}.Write()));
            if (m_isWhole)
            {
                m_isWhole = false;
                m_step = 0;
                return;
            }
        }
        m_step++;
    }

    Random m_random;                      //!< what happens
    Ptr<Socket> m_listener;               //!< awaits the receiver
    Ptr<Socket> m_udp;                    //!< where datagrams leave
    Ptr<Socket> m_socket;                 //!< the control connection
    uint64_t m_left{0};                   //!< steps still to be done
    uint64_t m_step{0};                   //!< well-behaved steps of this payload
    uint32_t m_round{0};                  //!< blast of this payload
    bool m_isWhole{false};                //!< a blast without loss was sent
    bool m_isCalm{false};                 //!< behaves, most of the time
    RbudpAnnouncement m_payload{0, 1, 0}; //!< what is being sent
};

/** @brief Control connections of ends that keep no rules: rounds with a hundred of each kind. */
class RbudpFakePeersTestCase : public CaseOf<uint64_t>
{
    using CaseOf::CaseOf;

    void RunWith(uint64_t rounds) override
    {
        for (uint64_t round = 0; round < rounds; ++round)
        {
            RunOne(round);
        }
        NS_TEST_EXPECT_MSG_GT(m_completedSenders, 4 * rounds, "some senders complete");
        NS_TEST_EXPECT_MSG_GT(m_failedSenders, 4 * rounds, "some fail");
        NS_TEST_EXPECT_MSG_GT(m_completedReceivers, 4 * rounds, "some receivers complete");
        NS_TEST_EXPECT_MSG_GT(m_failedReceivers, 4 * rounds, "some fail");
    }

    /// Run a hundred senders and a hundred receivers at once.
    void RunOne(uint64_t round)
    {
        constexpr uint16_t PEERS = 100;
        Random random(round);
        RbudpTestNetwork network;
        const auto sendingNode = network.nodes.Get(0);
        const auto receivingNode = network.nodes.Get(1);
        const auto sendingAddress = Ipv4Address::ConvertFrom(network.addresses[0]);
        const auto receivingAddress = Ipv4Address::ConvertFrom(network.addresses[1]);
        std::vector<TestEnd> senders(PEERS);
        std::vector<TestEnd> receivers(PEERS);
        std::vector<Ptr<TransferApplication>> applications;
        std::vector<std::unique_ptr<FakeReceiver>> fakeReceivers(PEERS);
        std::vector<std::unique_ptr<FakeSender>> fakeSenders;
        for (uint16_t i = 0; i < PEERS; ++i)
        {
            const auto udpPort = static_cast<uint16_t>(20'000 + 2 * i);
            const auto controlPort = static_cast<uint16_t>(30'000 + 2 * i);
            const auto sender = CreateObject<RbudpSender>();
            sender->SetAttribute("UdpPort", UintegerValue(udpPort));
            sender->SetAttribute("ControlPort", UintegerValue(controlPort));
            sender->SetAttribute("ControlTimeout", TimeValue(Seconds(2)));
            sender->SetAttribute("MaxRounds", UintegerValue(12));
            sender->SetAttribute("Bytes", UintegerValue(1 + Draw(random, 8000)));
            sender->SetAttribute("BlockSize", UintegerValue(Draw(random, 8000)));
            sender->SetAttribute("PayloadSize", UintegerValue(5 + Draw(random, 1400)));
            sender->SetAttribute("SendRate", StringValue("100Mbps"));
            sender->SetAttribute("FileName", StringValue(Draw(random, 2) == 0 ? "name" : ""));
            sendingNode->AddApplication(sender);
            sender->SetStartTime(Seconds(0));
            senders[i].Watch(sender);
            applications.emplace_back(sender);
            const InetSocketAddress remote(sendingAddress, controlPort);
            Simulator::Schedule(MicroSeconds(1 + Draw(random, 100'000)),
                                [=, &fake = fakeReceivers[i], seed = random()] {
                                    fake =
                                        std::make_unique<FakeReceiver>(receivingNode, remote, seed);
                                });

            const auto receiver = CreateObject<RbudpReceiver>();
            receiver->SetAttribute("Remote", AddressValue(sendingAddress));
            receiver->SetAttribute("UdpPort", UintegerValue(udpPort + 1));
            receiver->SetAttribute("ControlPort", UintegerValue(controlPort + 1));
            receiver->SetAttribute("ControlTimeout", TimeValue(Seconds(2)));
            receiver->SetAttribute("ConnectTimeout", TimeValue(Seconds(1)));
            receiver->SetAttribute("MaxDatagrams", UintegerValue(1 << 20));
            if (i % 4 == 0)
            {
                receiver->SetAttribute("HostCost",
                                       PointerValue(*HostCost::FindProfile("constant")));
            }
            receivingNode->AddApplication(receiver);
            receiver->SetStartTime(MicroSeconds(Draw(random, 100'000)));
            receivers[i].Watch(receiver);
            applications.emplace_back(receiver);
            fakeSenders.push_back(std::make_unique<FakeSender>(sendingNode,
                                                               receivingAddress,
                                                               udpPort + 1,
                                                               controlPort + 1,
                                                               random()));
        }
        RbudpTestNetwork::Run(Seconds(300));
        Check(round, senders, m_completedSenders, m_failedSenders);
        Check(round, receivers, m_completedReceivers, m_failedReceivers);
        for (const auto& application : applications)
        {
            const auto& failure = application->GetReport().failure;
            const bool isBlamed = failure.find("malformed") != std::string::npos ||
                                  failure.find("out of turn") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ((!isBlamed || application->GetTotalDrops() > 0),
                                  true,
                                  "round " << round << ": not counted: " << failure);
        }
    }

    /// Check that every end has ended, once and in time, and count how.
    void Check(uint64_t round,
               const std::vector<TestEnd>& ends,
               uint64_t& completed,
               uint64_t& failed)
    {
        for (std::size_t i = 0; i < ends.size(); ++i)
        {
            const auto& end = ends[i];
            NS_TEST_EXPECT_MSG_EQ(end.completed + end.failed,
                                  1,
                                  "round " << round << ", end " << i);
            NS_TEST_EXPECT_MSG_LT(end.report.finish,
                                  Seconds(60),
                                  "round " << round << ", end " << i);
            completed += end.completed;
            failed += end.failed;
        }
    }

    uint64_t m_completedSenders{0};   //!< how they ended
    uint64_t m_failedSenders{0};      //!< how they ended
    uint64_t m_completedReceivers{0}; //!< how they ended
    uint64_t m_failedReceivers{0};    //!< how they ended
};

LFN_CASE(RbudpBadMessagesTestCase)
{
    // Send a message to a sender of two datagrams, so long after the connection stands. It has to
    // be counted under the reason and named in the failure; without one the sender has to complete.
    const auto check = [&](const std::string& file,
                           const Bytes& message,
                           Time delay,
                           DropReason reason,
                           const std::string& failure) {
        RbudpTestNetwork network;
        const auto sender = CreateObject<RbudpSender>();
        sender->SetAttribute("Bytes", UintegerValue(2000));
        sender->SetAttribute("SendRate", StringValue("1Mbps")); // 11.6 ms between them
        sender->SetAttribute("FileName", StringValue(file));
        sender->SetStartTime(Seconds(0));
        network.nodes.Get(0)->AddApplication(sender);
        TestEnd end;
        end.Watch(sender);
        const auto socket =
            Socket::CreateSocket(network.nodes.Get(1), TcpSocketFactory::GetTypeId());
        socket->Bind();
        socket->SetConnectCallback(Callback<void, Ptr<Socket>>([&](Ptr<Socket>) {
                                       Simulator::Schedule(delay, [&] { Send(socket, message); });
                                   }),
                                   Callback<void, Ptr<Socket>>([](Ptr<Socket>) {}));
        socket->Connect(InetSocketAddress(Ipv4Address::ConvertFrom(network.addresses[0]), 38'001));
        RbudpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(end.completed, (failure.empty() ? 1 : 0), end.report.failure);
        NS_TEST_EXPECT_MSG_EQ(end.failed, (failure.empty() ? 0 : 1), end.report.failure);
        NS_TEST_EXPECT_MSG_NE(end.report.failure.find(failure),
                              std::string::npos,
                              end.report.failure);
        NS_TEST_EXPECT_MSG_EQ(sender->GetTotalDrops(), (failure.empty() ? 0 : 1), "counted");
        NS_TEST_EXPECT_MSG_EQ(sender->GetDrops(reason), (failure.empty() ? 0 : 1), "counted");
    };
    // DONE is there after 12 ms; a file would be asked for at once.
    check("", {0}, MilliSeconds(7), DropReason::UNEXPECTED, "out of turn");
    check("", Bytes(300, 1), MilliSeconds(7), DropReason::UNEXPECTED, "out of turn");
    check("", {1, 0}, MilliSeconds(30), DropReason::MALFORMED, "acknowledgement is malformed");
    check("", {1, 0xff, 0}, MilliSeconds(30), DropReason::COUNT_, "");
    check("name", Bytes(256, 'x'), MilliSeconds(0), DropReason::MALFORMED, "request is malformed");
}

const Suite g_suite("lfn-rbudp-malformed", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new RbudpCoreFuzzTestCase("cores: 100000 calls at random", 100'000));
    suite.Add(new RbudpForgedDatagramsTestCase("19000 forged datagrams", 95));
    suite.Add(new RbudpFakePeersTestCase("1000 control connections of fake peers", 5));
    suite.Add(new RbudpBadMessagesTestCase(
        "a receiver's bad messages: each has its reason and is counted"));
    const auto forever = TestCase::Duration::TAKES_FOREVER;
    suite.Add(new RbudpCoreFuzzTestCase("cores: 10000000 calls at random", 10'000'000), forever);
    suite.Add(new RbudpForgedDatagramsTestCase("920000 forged datagrams", 4600), forever);
    suite.Add(new RbudpFakePeersTestCase("80000 control connections of fake peers", 400), forever);
});

} // namespace
