// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "udt-test-network.h"

#include <array>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Random = std::mt19937_64; //!< where chance comes from

constexpr uint64_t BYTES = 600'000;
constexpr uint16_t SOURCE_PORT = 5000;

/// A number that is likely to hurt.
uint32_t
DrawNasty(Random& random)
{
    constexpr std::array<uint32_t, 9>
        EDGES{0, 1, 44, 64, 1U << 30, (1U << 31) - 1, 1U << 31, UINT32_MAX, 1500};
    return Draw(random, 3) == 0 ? static_cast<uint32_t>(random())
                                : EDGES.at(Draw(random, EDGES.size()));
}

/// A packet of any type with numbers that are likely to hurt.
UdtPacket
MakePacket(Random& random, uint32_t destination)
{
    const auto nasty = [&random]() { return DrawNasty(random); };
    switch (Draw(random, 6))
    {
    case 0:
        return UdtData{nasty() % UDT_SEQUENCES, true, true, false, 1, nasty(), destination};
    case 1: {
        UdtHandshake handshake;
        handshake.version = Draw(random, 3) == 0 ? nasty() : UdtHandshake::VERSION;
        handshake.socketType = Draw(random, 3) == 0 ? nasty() : UdtHandshake::STREAM;
        handshake.initialSequence = nasty() % UDT_SEQUENCES;
        handshake.mss = nasty();
        handshake.window = nasty();
        handshake.request = std::array<int32_t, 5>{1, -1, 0, -2, 1002}.at(Draw(random, 5));
        handshake.socketId = nasty();
        handshake.cookie = nasty();
        handshake.destination = Draw(random, 2) == 0 ? 0 : destination;
        return handshake;
    }
    case 2: {
        UdtAck ack{nasty() % UDT_SEQUENCES, nasty() % UDT_SEQUENCES, {}, {}, destination};
        if (Draw(random, 3) > 0)
        {
            ack.path = UdtAck::Path{nasty(), nasty(), nasty()};
            ack.rates = UdtAck::Rates{nasty(), nasty()};
        }
        return ack;
    }
    case 3: {
        const auto first = nasty() % UDT_SEQUENCES;
        return UdtNak{{{first, (first + DrawNasty(random) % (1U << 30)) % UDT_SEQUENCES}},
                      destination};
    }
    case 4: {
        const auto first = nasty() % UDT_SEQUENCES;
        const auto last = (first + DrawNasty(random) % (1U << 30)) % UDT_SEQUENCES;
        return UdtDrop{nasty() % (1U << 29), {first, last}, destination};
    }
    default:
        constexpr std::array TYPES{UdtType::KEEP_ALIVE,
                                   UdtType::DELAY_WARNING,
                                   UdtType::SHUTDOWN,
                                   UdtType::ACK2,
                                   UdtType::ERROR,
                                   UdtType::USER};
        return UdtSignal{TYPES.at(Draw(random, TYPES.size())), nasty(), destination};
    }
}

/// The bytes of a packet, or noise, or what is left of a packet.
Bytes
MakeBytes(Random& random, uint32_t destination)
{
    if (Draw(random, 6) == 0)
    {
        return MakeNoise(random, 200);
    }
    const auto packet = MakePacket(random, destination);
    const bool isData = std::holds_alternative<UdtData>(packet);
    return Spoil(random, Join(UdtPacketHeader(packet), Bytes(isData ? Draw(random, 1457) : 0, 1)));
}

/** @brief What an attacker has of the connection: the IDs, from packets that pass. */
struct Seen
{
    uint32_t sourceId{0}; //!< of packets to the source
    uint32_t sinkId{0};   //!< of packets to the sink

    /// Look at a packet.
    void Look(int direction, Ptr<const Packet> frame)
    {
        if (const auto packet = OpenUdt(frame))
        {
            (direction == 0 ? sinkId : sourceId) = GetUdtDestination(*packet);
        }
    }
};

LFN_CASE_OF(UdtUnauthenticatedTestCase, uint64_t packets)
{
    // Unauthenticated hosts have both socket IDs, but neither have the peer's address nor its port.
    for (const bool ipv6 : {false, true})
    {
        Simulator::Destroy();
        UdtTestNetwork network({.ipv6 = ipv6});
        network.helper.SetSourceAttribute("LocalPort", UintegerValue(SOURCE_PORT));
        network.Install(BYTES);
        Random random(ipv6 ? 3 : 2);
        Seen seen;
        network.loss = [&seen](int direction, Ptr<const Packet> frame) {
            seen.Look(direction, frame);
            return false;
        };
        const auto send = [&]() {
            const bool isToSink = Draw(random, 2) == 0;
            const auto bytes = MakeBytes(random, isToSink ? seen.sinkId : seen.sourceId);
            const auto port = network.helper.GetPort();
            const auto from = isToSink ? SOURCE_PORT : port;
            const auto to = isToSink ? port : SOURCE_PORT;
            const auto& target = network.addresses.at(isToSink ? 1 : 0);
            const auto& peer = network.addresses.at(isToSink ? 0 : 1);
            const auto isOtherPort = Draw(random, 2) == 0;
            const auto datagram = AddUdpHeader(isOtherPort ? from + 1 : from, to, ToPacket(bytes));
            const Address other =
                ipv6 ? Address(Ipv6Address("2001:db8:9::1")) : Address(Ipv4Address("192.0.2.1"));
            Arrive(network.GetDevice(isToSink ? 0 : 1),
                   MakeFrame(isOtherPort ? peer : other, target, 17, datagram));
        };
        for (uint64_t i = 0; i < packets; ++i)
        {
            Simulator::Schedule(network.GetStart() + MicroSeconds(1 + i * 120'000 / packets), send);
        }
        UdtTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, network.Describe());
        NS_TEST_EXPECT_MSG_GT(network.transfer.source->GetTotalDrops() +
                                  network.transfer.sink->GetTotalDrops(),
                              packets / 2,
                              "dropped, with a reason");
        NS_TEST_EXPECT_MSG_LT(network.sender.report.finish,
                              network.GetStart() + Seconds(1),
                              "and without delay");
    }
}

LFN_CASE_OF(UdtInsiderTestCase, uint64_t runs)
{
    // An attacker on the path spoils packets and adds some in the name of both ends: a transfer may
    // fail, but both ends come to an end, and nothing wrong is delivered.
    uint64_t completed = 0;
    for (uint64_t run = 0; run < runs; ++run)
    {
        Simulator::Destroy();
        UdtTestNetwork network;
        network.helper.SetSourceAttribute("LocalPort", UintegerValue(SOURCE_PORT));
        network.helper.SetSourceAttribute("StrictErrors", BooleanValue(run % 2 == 1));
        network.helper.SetAttribute("CheckContent", BooleanValue(run % 4 < 2));
        network.helper.SetAttribute("Messages", BooleanValue(run % 3 == 2));
        network.helper.SetSourceAttribute("InOrder", BooleanValue(run % 2 == 0));
        network.helper.SetSourceAttribute("TimeToLive", TimeValue(MilliSeconds(run % 5)));
        network.Install(BYTES);
        Random random(run);
        Seen seen;
        network.loss = [&](int direction, Ptr<const Packet> frame) {
            seen.Look(direction, frame);
            if (Draw(random, 40) > 0)
            {
                return false;
            }
            const bool isToSink = direction == 0;
            const auto bytes = MakeBytes(random, isToSink ? seen.sinkId : seen.sourceId);
            const auto port = network.helper.GetPort();
            const auto datagram = AddUdpHeader(isToSink ? SOURCE_PORT : port,
                                               isToSink ? port : SOURCE_PORT,
                                               ToPacket(bytes));
            Arrive(network.GetDevice(direction),
                   MakeFrame(network.addresses.at(isToSink ? 0 : 1),
                             network.addresses.at(isToSink ? 1 : 0),
                             17,
                             datagram));
            return false;
        };
        UdtTestNetwork::Run(Seconds(4000));
        const auto message = "run " + std::to_string(run) + ": " + network.Describe();
        NS_TEST_EXPECT_MSG_EQ(network.sender.completed + network.sender.failed, 1, message);
        NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetConnections(), 0, message);
        completed += network.sender.completed;
    }
    NS_TEST_EXPECT_MSG_LT(completed, runs, "some are ended by a forged shutdown");
}

LFN_CASE(UdtAmplificationTestCase)
{
    // Requests in the name of a victim, and packets of all kinds: without the cookie the sink sends
    // no more bytes than it gets.
    Random random(11);
    UdtTestNetwork network;
    network.Install(0);
    network.transfer.source->SetStartTime(Seconds(2000)); // never
    uint64_t received = 0;
    uint64_t sent = 0;
    network.loss = [&](int direction, Ptr<const Packet> frame) {
        sent += direction == 1 ? frame->GetSize() : 0;
        return false;
    };
    const auto send = [&]() {
        const auto bytes = MakeBytes(random, static_cast<uint32_t>(random()));
        const auto datagram = AddUdpHeader(666, network.helper.GetPort(), ToPacket(bytes));
        const auto frame = MakeFrame(network.addresses[0], network.addresses[1], 17, datagram);
        received += frame->GetSize();
        Arrive(network.GetDevice(0), frame);
    };
    for (uint64_t i = 0; i < 20'000; ++i)
    {
        Simulator::Schedule(MicroSeconds(1 + 10 * i), send);
    }
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_GT(sent, 0, "some are answered");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(sent, received, "with no more than they are");
    NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetConnections(), 0, "nothing is kept");
    NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->IsFinished(), false, "and nothing ends");
}

LFN_CASE(UdtPrintTestCase)
{
    Random random(5);
    for (int i = 0; i < 2000; ++i)
    {
        const auto packet = MakePacket(random, 9);
        std::ostringstream text;
        UdtPacketHeader(packet).Print(text);
        NS_TEST_EXPECT_MSG_NE(text.str().find(" to "), std::string::npos, text.str());
        NS_TEST_EXPECT_MSG_EQ(text.str().find('\n'), std::string::npos, "one line");
        const auto bytes = ToPacket(Join(UdtPacketHeader(packet)));
        UdtPacketHeader back;
        NS_TEST_EXPECT_MSG_EQ(bytes->PeekHeader(back), bytes->GetSize(), text.str());
        NS_TEST_EXPECT_MSG_EQ(Hex(Join(back)), Hex(ToBytes(bytes)), text.str());
    }
    std::ostringstream text;
    UdtPacketHeader(UdtNak{{{2, 2}, {6, 11}}, 7}).Print(text);
    NS_TEST_EXPECT_MSG_EQ(text.str(), "nak 2-2 6-11 to 7", "as written");
}

// NOLINTNEXTLINE(cert-err58-cpp,cppcoreguidelines-avoid-non-const-global-variables)
const Suite SUITE("lfn-udt-malformed", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(
        new UdtUnauthenticatedTestCase("Packets of unauthenticated hosts change nothing", 3000));
    suite.Add(new UdtInsiderTestCase("Packets in the name of the peer end nothing badly", 40));
    suite.Add(new UdtAmplificationTestCase("No amplification before the cookie is back"));
    suite.Add(new UdtPrintTestCase("Packets of all kinds are written, read and printed"));
});

} // namespace
