// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "udt-test-network.h"

#include "ns3/lfn-udp-endpoint.h"

#include <array>
#include <cstdint>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint16_t PORT = 5000;     //!< of the source
constexpr uint64_t BYTES = 300'000; //!< 207 packets

/** @brief A transfer whose ends both connect. */
class MeetingNetwork : public UdtTestNetwork
{
  public:
    /**
     * @brief A network.
     * @param ipv6 which version of IP
     * @param later the sink starts so much after the source, or before it
     */
    explicit MeetingNetwork(bool ipv6, Time later = Time(0))
        : UdtTestNetwork({.ipv6 = ipv6})
    {
        Install(BYTES);
        UdtHelper::Meet(transfer, GetEnd(0, PORT));
        const Time start = GetStart();
        transfer.source->SetStartTime(start + Max(Time(0) - later, Time(0)));
        transfer.sink->SetStartTime(start + Max(later, Time(0)));
    }
};

/// Read the handshake in a frame.
std::optional<UdtHandshake>
OpenHandshake(Ptr<const Packet> frame)
{
    const auto packet = OpenUdt(frame);
    const auto* handshake = packet ? std::get_if<UdtHandshake>(&*packet) : nullptr;
    return handshake ? std::optional(*handshake) : std::nullopt;
}

/** @brief Both ends connect, the sink earlier or later; the first handshakes are lost. */
LFN_CASE_OF(MeetCase, bool ipv6, Time later, uint32_t lost)
{
    for (const int direction : {0, 1})
    {
        for (uint32_t first = 1; first <= (lost == 0 ? 1 : 4); ++first)
        {
            MeetingNetwork network(ipv6, later);
            std::array<uint32_t, 2> handshakes{};
            network.loss = [&](int towards, Ptr<const Packet> frame) {
                const auto handshake = OpenHandshake(frame);
                if (!handshake)
                {
                    return false;
                }
                NS_TEST_EXPECT_MSG_LT_OR_EQ(handshake->request, 0, "of a rendezvous");
                const auto n = ++handshakes.at(static_cast<std::size_t>(towards));
                return towards == direction && n >= first && n < first + lost;
            };
            UdtTestNetwork::Run();
            const auto message = "direction " + std::to_string(direction) + ", from handshake " +
                                 std::to_string(first) + ": " + network.Describe();
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, message);
            NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetConnections(), 0, message);
            NS_TEST_EXPECT_MSG_GT(handshakes[0], 1, "both ends send requests");
            NS_TEST_EXPECT_MSG_GT(handshakes[1], 1, "both ends send requests");
            const auto most = 20 + 4 * static_cast<uint32_t>(Abs(later).GetSeconds());
            NS_TEST_EXPECT_MSG_LT(handshakes[0] + handshakes[1], most, message);
        }
    }
}

/** @brief An end whose peer does not come gives up with a reason. */
LFN_CASE(AloneCase)
{
    for (const bool isSource : {true, false})
    {
        MeetingNetwork network(false, isSource ? Seconds(100) : Seconds(-100));
        network.loss = [](int, Ptr<const Packet> frame) { return OpenUdt(frame).has_value(); };
        UdtTestNetwork::Run();
        const auto& end = isSource ? network.sender : network.receiver;
        NS_TEST_EXPECT_MSG_EQ(end.failed, 1, network.Describe());
        NS_TEST_EXPECT_MSG_NE(end.report.failure.find("did not come to the rendezvous"),
                              std::string::npos,
                              end.report.failure);
        const Time waited = end.report.finish - network.GetStart();
        NS_TEST_EXPECT_MSG_EQ_TOL(waited, UdtRendezvous::GetPatience(), MilliSeconds(250), "when");
    }
}

/** @brief Wrong settings have one line with the remedy. */
LFN_CASE(WrongSettingsCase)
{
    const auto fail = [](const auto& spoil) {
        MeetingNetwork network(false);
        spoil(network);
        UdtTestNetwork::Run();
        return network.sender.report.failure + network.receiver.report.failure;
    };
    const auto expect = [this, &fail](const std::string& words, const auto& spoil) {
        const std::string text = fail(spoil);
        NS_TEST_EXPECT_MSG_NE(text.find(words), std::string::npos, words + ": " + text);
    };
    expect("LocalPort is 0: with Rendezvous set it", [](MeetingNetwork& network) {
        network.transfer.source->SetAttribute("LocalPort", UintegerValue(0));
    });
    expect("Peer is not the source's", [](MeetingNetwork& network) {
        network.transfer.sink->SetAttribute("Peer", AddressValue(Ipv4Address("10.1.1.1")));
    });
    expect("Peer has another version of IP", [](MeetingNetwork& network) {
        network.transfer.sink->SetAttribute("Local", AddressValue(Ipv4Address::GetAny()));
        network.transfer.sink->SetAttribute(
            "Peer",
            AddressValue(Inet6SocketAddress(Ipv6Address("2001:1::1"), PORT)));
    });
    expect("has an end that takes requests: set LocalPort", [](MeetingNetwork& network) {
        network.helper.SetPort(PORT);
        network.helper.AddSink(network.nodes.Get(0));
        network.transfer.source->SetStartTime(network.GetStart() + MilliSeconds(1));
    });
}

/** @brief A sink that meets a source takes no other, and no packet of another ends the transfer. */
LFN_CASE(OthersCase)
{
    MeetingNetwork network(false);
    const auto other = network.helper.AddSource(network.nodes.Get(0), network.GetEnd(1, 9000));
    other->SetStartTime(network.GetStart());
    TestEnd watch;
    watch.Watch(other);
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, network.Describe());
    NS_TEST_EXPECT_MSG_EQ(watch.failed, 1, "the other one is not taken");
    NS_TEST_EXPECT_MSG_GT(network.transfer.sink->GetTotalDrops(), 0, "its requests are dropped");
}

// NOLINTNEXTLINE(cert-err58-cpp,cppcoreguidelines-avoid-non-const-global-variables)
const Suite g_suite("lfn-udt-rendezvous", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const bool ipv6 : {false, true})
    {
        const std::string version = ipv6 ? "IPv6" : "IPv4";
        suite.Add(new MeetCase(version + ", at the same time", ipv6, Time(0), 0));
        suite.Add(new MeetCase(version + ", the sink later", ipv6, MilliSeconds(1100), 0));
        suite.Add(new MeetCase(version + ", the sink earlier", ipv6, MilliSeconds(-1100), 0));
        suite.Add(new MeetCase(version + ", one handshake is lost", ipv6, Time(0), 1));
        suite.Add(new MeetCase(version + ", two handshakes are lost", ipv6, MilliSeconds(3), 2));
    }
    suite.Add(new AloneCase("an end whose peer does not come"));
    suite.Add(new WrongSettingsCase("wrong settings"));
    suite.Add(new OthersCase("others are not taken"));
});

} // namespace
