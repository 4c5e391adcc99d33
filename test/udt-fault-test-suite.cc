// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "udt-test-network.h"

#include <array>
#include <cstdint>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint64_t BYTES = 300'000; //!< 207 packets
constexpr uint64_t FEW = 100'000;   //!< 69 packets

/** Silence that an end bears (46 s), and the longest wait of its EXP timer. */
const Time BOUND = Seconds(60);

/// Whether a frame holds a control packet of UDT.
bool
IsControl(Ptr<const Packet> frame)
{
    const auto packet = OpenUdt(frame);
    return packet && !std::holds_alternative<UdtData>(*packet);
}

/// Whether a frame holds a handshake.
bool
IsHandshake(Ptr<const Packet> frame)
{
    const auto packet = OpenUdt(frame);
    return packet && std::holds_alternative<UdtHandshake>(*packet);
}

LFN_CASE(UdtControlLossTestCase)
{
    // Run a transfer that loses control packet k (0: none) of a direction; count those of each.
    const auto runOne =
        [&](bool ipv6, int direction, uint64_t k, std::array<uint64_t, 2>& packets) {
            UdtTestNetwork network({.ipv6 = ipv6});
            network.Install(FEW);
            uint64_t data = 0;
            network.loss = [&](int towards, Ptr<const Packet> frame) {
                if (!IsControl(frame))
                {
                    data += OpenUdt(frame) ? 1 : 0;
                    return OpenUdt(frame) && (data == 3 || data == 50); // so that NAKs exist
                }
                return ++packets.at(static_cast<std::size_t>(towards)) == k && towards == direction;
            };
            UdtTestNetwork::Run();
            const auto message = (ipv6 ? std::string("IPv6") : "IPv4") + ", control packet " +
                                 std::to_string(k) + " of direction " + std::to_string(direction) +
                                 ": " + network.Describe();
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(FEW), true, message);
            NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetConnections(), 0, message);
            NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, Seconds(10), message);
        };
    for (const bool ipv6 : {false, true})
    {
        std::array<uint64_t, 2> packets{};
        runOne(ipv6, 0, 0, packets);
        NS_TEST_EXPECT_MSG_GT(packets[0], 5, "two requests, ACK2, shutdown");
        NS_TEST_EXPECT_MSG_GT(packets[1], 5, "two replies, NAKs, ACKs");
        for (const int direction : {0, 1})
        {
            for (uint64_t k = 1; k <= packets.at(static_cast<std::size_t>(direction)); ++k)
            {
                std::array<uint64_t, 2> seen{};
                runOne(ipv6, direction, k, seen);
            }
        }
    }
}

LFN_CASE(UdtHandshakeLossTestCase)
{
    UdtTestNetwork whole;
    whole.Install(BYTES);
    UdtTestNetwork::Run();
    const Time normal = whole.transfer.source->GetConnected().value();
    for (const int direction : {0, 1})
    {
        for (const uint64_t first : {1, 2})
        {
            for (const uint64_t lost : {1, 2, 5})
            {
                Simulator::Destroy();
                UdtTestNetwork network;
                network.Install(BYTES);
                network.loss = [=, seen = uint64_t{0}](int towards,
                                                       Ptr<const Packet> frame) mutable {
                    const bool isMeant = towards == direction && IsHandshake(frame);
                    seen += isMeant ? 1 : 0;
                    return isMeant && seen >= first && seen < first + lost;
                };
                UdtTestNetwork::Run();
                NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, network.Describe());
                NS_TEST_EXPECT_MSG_EQ(network.transfer.source->GetConnected().value(),
                                      normal + MilliSeconds(250) * static_cast<int64_t>(lost),
                                      "each costs 250 ms");
            }
        }
    }
}

LFN_CASE(UdtGoneTestCase)
{
    for (const int ms : {1, 15, 30, 45})
    {
        const Time when = MilliSeconds(ms) + MicroSeconds(137);
        for (const std::string what : {"sink stopped", "source stopped", "path dead"})
        {
            Simulator::Destroy();
            UdtTestNetwork network;
            network.Install(BYTES);
            if (what == "sink stopped")
            {
                network.transfer.sink->SetStopTime(when);
            }
            else if (what == "source stopped")
            {
                network.transfer.source->SetStopTime(when);
            }
            else
            {
                network.Cut(when, Time::Max());
            }
            UdtTestNetwork::Run();
            const auto message = what + " at " + std::to_string(ms) + " ms: " + network.Describe();
            NS_TEST_EXPECT_MSG_EQ(network.sender.failed, 1, message);
            NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, BOUND, message);
            NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetConnections(), 0, message);
            NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(1001), "nothing runs on for ever");
        }
    }
}

LFN_CASE(UdtCutTestCase)
{
    // The link is down for a while, in one direction or in both.
    for (const int seconds : {1, 20})
    {
        for (const int direction : {0, 1, 2})
        {
            Simulator::Destroy();
            UdtTestNetwork network;
            network.Install(BYTES);
            network.loss = [=](int towards, Ptr<const Packet>) {
                const Time now = Simulator::Now();
                return (direction == 2 || towards == direction) && now >= MilliSeconds(35) &&
                       now < Seconds(seconds);
            };
            UdtTestNetwork::Run();
            const auto message = std::to_string(seconds) + " s, direction " +
                                 std::to_string(direction) + ": " + network.Describe();
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, message);
            NS_TEST_EXPECT_MSG_GT(network.sender.report.finish, Seconds(seconds), message);
        }
    }
    Simulator::Destroy();
    UdtTestNetwork network;
    network.Install(BYTES);
    network.Cut(MilliSeconds(35), Seconds(60));
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.sender.report.failure,
                          "nothing came from the sink for too long",
                          network.Describe());
    const double died = network.sender.report.finish.GetSeconds();
    NS_TEST_EXPECT_MSG_EQ_TOL(died, 46, 1.8, "after 17 waits of 0.3 s, 0.6 s, .., looked at");
    NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetConnections(), 0, "the sink gives up, too");
}

/** @brief A path that repeats and delays packets. */
class UdtUnrulyNetwork : public UdtTestNetwork
{
  public:
    using UdtTestNetwork::UdtTestNetwork;

    uint64_t m_every{7}; //!< packets to one that is disturbed

  protected:
    TestFate Judge(int direction, Ptr<const Packet> frame) override
    {
        if (UdtTestNetwork::Judge(direction, frame) == TestFate::LOSE)
        {
            return TestFate::LOSE;
        }
        const auto seen = ++m_seen;
        return seen % m_every > 0 ? TestFate::PASS
                                  : (seen % 2 > 0 ? TestFate::TWICE : TestFate::LATE);
    }

  private:
    uint64_t m_seen{0}; //!< packets
};

LFN_CASE(UdtUnrulyTestCase)
{
    for (const bool ipv6 : {false, true})
    {
        for (const int64_t us : {100, 3000, 400'000})
        {
            Simulator::Destroy();
            UdtUnrulyNetwork network({.ipv6 = ipv6});
            network.replayDelay = MicroSeconds(us);
            network.Install(BYTES);
            UdtTestNetwork::Run();
            NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES),
                                  true,
                                  std::to_string(us) + " us: " + network.Describe());
        }
    }
}

// NOLINTNEXTLINE(cert-err58-cpp,cppcoreguidelines-avoid-non-const-global-variables)
const Suite SUITE("lfn-udt-fault", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new UdtControlLossTestCase("Every control packet is lost once"));
    suite.Add(new UdtHandshakeLossTestCase("Every handshake is lost up to five times"));
    suite.Add(new UdtGoneTestCase("An end is stopped, or the path dies"));
    suite.Add(new UdtCutTestCase("The link is down for 1, 20 and 60 s"));
    suite.Add(new UdtUnrulyTestCase("Packets that come twice and late"));
});

} // namespace
