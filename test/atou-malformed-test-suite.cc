// SPDX-License-Identifier: GPL-2.0-only

#include "atou-test-network.h"
#include "atou-test-sender.h"
#include "lfn-test-case.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Random = std::mt19937_64; //!< where chance comes from

constexpr std::array MODES{"newreno 0",
                           "newreno 1; vegas 3",
                           "sack 1; rampdown 1",
                           "fack 1; rampdown 1; vegas 2; vss 2",
                           "fack 1; floyd 1; burst_limit 3"}; //!< kinds of recovery

/// A number that is likely to hurt: near some numbers, or near 2^31, 2^32, 0.
uint32_t
DrawNasty(Random& random, const AtouState& state)
{
    const std::array around{state.una, state.nxt, state.max, state.recover, 1U << 31, 0U};
    if (Draw(random, 8) == 0)
    {
        return static_cast<uint32_t>(random());
    }
    return around.at(Draw(random, around.size())) + Draw(random, 7) - 3;
}

/// An ACK at random.
AtouAckHeader
MakeAck(Random& random, const AtouState& state, uint64_t time)
{
    std::vector<AtouBlock> blocks(Draw(random, 4));
    for (auto& block : blocks)
    {
        block.first = DrawNasty(random, state);
        block.last =
            Draw(random, 4) == 0 ? DrawNasty(random, state) : block.first + Draw(random, 30);
    }
    const bool isHonest = Draw(random, 3) > 0;
    return {time, isHonest ? state.una : DrawNasty(random, state), blocks};
}

LFN_CASE_OF(AtouCoreFuzzTestCase, uint64_t calls)
{
    // One call and what has to hold after it.
    const auto makeCall =
        [&](Random& random, AtouSenderCore& core, Time now, const std::string& mode) {
            const auto before = core.GetState();
            if (core.GetDeadline() && now >= *core.GetDeadline())
            {
                core.Expire(now);
            }
            const auto ack = MakeAck(random, before, 0);
            const auto rtt = MicroSeconds(Draw(random, 3) == 0 ? 0 : Draw(random, 100'000));
            const bool isIn = ack.next >= core.GetState().una && ack.next <= core.GetState().max;
            // Far numbers would end the transfer too soon.
            if (isIn && ack.next > before.una + 5)
            {
                return;
            }
            const bool isTaken = core.OnAck({ack.next, ack.blocks, rtt, now});
            NS_TEST_EXPECT_MSG_EQ(isTaken, isIn, mode);
            uint32_t sent = 0;
            while (core.NextSegment())
            {
                ++sent;
            }
            const auto& state = core.GetState();
            // A window, rampdown's share of one, and a segment of limited transmit.
            NS_TEST_EXPECT_MSG_LT_OR_EQ(sent, 101, mode);
            // The program's SACK leaves nxt where go-back-N has put it.
            const bool mayLag = mode.find("ack 1") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ((state.una <= state.nxt || mayLag), true, mode);
            NS_TEST_EXPECT_MSG_EQ((state.una <= state.max && state.nxt <= state.max), true, mode);
            NS_TEST_EXPECT_MSG_EQ((state.una >= before.una && state.max >= before.max), true, mode);
            NS_TEST_EXPECT_MSG_EQ((std::isfinite(state.cwnd) && state.cwnd >= 2), true, mode);
            NS_TEST_EXPECT_MSG_EQ(std::isfinite(core.GetCongestion().GetDelta()), true, mode);
        };
    Simulator::Run(); // until a first simulation ns-3 keeps a register of all Time objects
    Simulator::Destroy();
    for (const std::string mode : MODES)
    {
        Random random(11);
        const auto options =
            Options(mode + "; rcvrwin 50; maxpkts 100000; maxtime 0; maxidle 1000");
        AtouSenderCore core;
        Time now;
        core.Start(options, std::make_unique<AtouNativeCongestion>(*options), now);
        for (uint64_t call = 0; call < calls; ++call)
        {
            now += MicroSeconds(Draw(random, Draw(random, 50) == 0 ? 2'000'000 : 1000));
            makeCall(random, core, now, mode);
        }
        // In all cases an honest receiver ends it.
        while (core.GetStatus() == AtouSenderCore::Status::RUNNING && now < Seconds(1e6))
        {
            while (core.NextSegment())
            {
            }
            now += MilliSeconds(1);
            core.OnAck({core.GetState().max, {}, MilliSeconds(1), now});
            core.Expire(now);
        }
        NS_TEST_EXPECT_MSG_EQ((core.GetStatus() == AtouSenderCore::Status::DONE), true, mode);
    }
}

/// Forge a datagram now, in somebody's name.
void
Forge(Random& random, const AtouTestNetwork& network)
{
    const int direction = Draw(random, 2) == 0 ? 0 : 1;
    auto from = network.GetEnd(direction);
    if (Draw(random, 4) == 0)
    {
        from = Draw(random, 2) == 0 ? InetSocketAddress("192.0.2.1", from.GetPort())
                                    : InetSocketAddress(from.GetIpv4(), 666);
    }
    const auto& state = network.client->GetCore().GetState();
    constexpr double INF = std::numeric_limits<double>::infinity();
    const std::array<double, 7>
        times{NAN, INF, -INF, -1.0, 1e300, 0.0, Simulator::Now().GetSeconds()};
    const auto time = AtouTimeWords::Encode(times.at(Draw(random, times.size())));
    const auto bytes = direction == 0
                           ? Join(AtouDataHeader(time, DrawNasty(random, state)), Bytes(1460))
                           : Join(MakeAck(random, state, time));
    network.Inject(direction, from, Spoil(random, bytes));
}

LFN_CASE_OF(AtouForgedTestCase, uint64_t transfers)
{
    // Run a transfer; whether it completed.
    const auto runOne = [&](uint64_t seed) {
        Random random(seed);
        AtouTestNetwork network({"20Mbps", MilliSeconds(10), false});
        network.CheckContent(false);
        network.helper.SetSinkAttribute("AckDelay", TimeValue(MilliSeconds(seed % 2 * 50)));
        if (seed % 5 == 4)
        {
            network.helper.SetSourceAttribute("Congestion", StringValue("ns3::TcpVegas"));
        }
        network.Install(std::string(MODES.at(seed % MODES.size())) +
                            "; rcvrwin 40; maxpkts 500; maxtime 0; tick 0.1",
                        true);
        std::array<uint64_t, 2> traced{};
        for (const bool isClient : {false, true})
        {
            const Ptr<TransferApplication> end = isClient
                                                     ? Ptr<TransferApplication>(network.client)
                                                     : Ptr<TransferApplication>(network.server);
            ConnectTrace(end, "Drop", [&traced, isClient](Ptr<const Packet>, DropReason) {
                ++traced[isClient];
            });
        }
        for (int i = 0; i < 400; ++i)
        {
            Simulator::Schedule(MicroSeconds(15'000 + Draw(random, 200'000)),
                                [&] { Forge(random, network); });
        }
        AtouTestNetwork::Run();
        const auto& report = network.client->GetReport();
        const auto message = "seed " + std::to_string(seed) + " " + network.Verify();
        NS_TEST_EXPECT_MSG_EQ(network.client->IsFinished(), true, message);
        NS_TEST_EXPECT_MSG_LT(report.finish, Seconds(60), message);
        NS_TEST_EXPECT_MSG_EQ(network.client->GetTotalDrops(), traced[1], message);
        NS_TEST_EXPECT_MSG_EQ(network.server->GetTotalDrops(), traced[0], message);
        NS_TEST_EXPECT_MSG_GT(traced[0], 20, message);
        NS_TEST_EXPECT_MSG_GT(traced[1], 20, message);
        NS_TEST_EXPECT_MSG_EQ(network.server->GetReport().failure, "", message);
        return report.completed;
    };
    uint64_t completed = 0;
    for (uint64_t seed = 0; seed < transfers; ++seed)
    {
        completed += runOne(seed) ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_GT(completed, transfers / 2, "most transfers complete");
}

constexpr double AT = 0.05; //!< when, s

/** @brief A case that injects a message into a transfer. */
class AtouAttack : public Case
{
  protected:
    using Case::Case;

    /// Send a message fifty times while a transfer is under way.
    void Attack(const std::string& what, int direction, const Bytes& message, DropReason why)
    {
        AtouTestNetwork network({"20Mbps", MilliSeconds(10), false});
        network.CheckContent(false);
        network.Install("sack 1; rcvrwin 40; maxpkts 200; maxtime 0; tick 0.1", true);
        uint32_t unknownHosts = 0;
        Simulator::Schedule(Seconds(AT), [&] {
            for (int i = 0; i < 50; ++i)
            {
                network.Inject(direction, network.GetEnd(direction), message);
                network.Inject(direction, InetSocketAddress("192.0.2.1", 4000), message);
                ++unknownHosts;
            }
        });
        AtouTestNetwork::Run();
        const Ptr<TransferApplication> end = direction == 0
                                                 ? Ptr<TransferApplication>(network.server)
                                                 : Ptr<TransferApplication>(network.client);
        NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", what);
        NS_TEST_EXPECT_MSG_EQ(end->GetDrops(why), 50, what);
        NS_TEST_EXPECT_MSG_EQ(end->GetDrops(DropReason::UNKNOWN_PEER), unknownHosts, what);
        NS_TEST_EXPECT_MSG_EQ(end->GetTotalDrops(), 100, what);
        NS_TEST_EXPECT_MSG_LT(network.client->GetReport().finish, Seconds(2), what);
    }
};

LFN_CASE_FROM(AtouAttackClientTestCase, AtouAttack)
{
    const auto now = AtouTimeWords::Encode(AT);
    const auto expect = [this](const std::string& what, const Bytes& message, DropReason why) {
        Attack("client: " + what, 1, message, why);
    };
    for (const uint32_t next : {5000U, 1U << 31U, UINT32_MAX})
    {
        expect("never sent", Join(AtouAckHeader(now, next)), DropReason::UNEXPECTED);
    }
    constexpr double INF = std::numeric_limits<double>::infinity();
    for (const double time : {static_cast<double>(NAN), INF, -INF, -0.001, AT + 0.001, 1e308})
    {
        const AtouAckHeader ack(AtouTimeWords::Encode(time), 1);
        expect("echoed time", Join(ack), DropReason::OUT_OF_RANGE);
    }
    auto malformed = [&](std::vector<AtouBlock> blocks) {
        return Join(AtouAckHeader(now, 1, blocks));
    };
    expect("block 0", malformed({{0, 5}}), DropReason::MALFORMED);
    expect("block reversed", malformed({{9, 8}}), DropReason::MALFORMED);
    auto bytes = malformed({{9, 10}});
    bytes.pop_back();
    expect("cut", bytes, DropReason::MALFORMED);
    bytes = malformed({});
    bytes[15] = 4;
    bytes.resize(64);
    expect("four blocks", bytes, DropReason::MALFORMED);
    bytes[12] = bytes[13] = bytes[14] = bytes[15] = 0xff;
    expect("2^32 - 1 blocks", bytes, DropReason::MALFORMED);
    expect("nothing", {}, DropReason::MALFORMED);
    expect("next 0", Bytes(16, 0), DropReason::MALFORMED);
}

LFN_CASE_FROM(AtouAttackServerTestCase, AtouAttack)
{
    const auto now = AtouTimeWords::Encode(AT);
    const auto expect = [this](uint32_t segment, uint32_t rest, DropReason why, uint64_t time) {
        const auto what = "server: " + std::to_string(segment) + " " + std::to_string(rest);
        Bytes bytes = Join(AtouDataHeader(time, segment), Bytes(rest));
        Attack(what, 0, bytes, why);
    };
    expect(0, 1460, DropReason::MALFORMED, now);
    expect((1U << 31) + 1, 1460, DropReason::OUT_OF_RANGE, now);
    expect(UINT32_MAX, 1460, DropReason::OUT_OF_RANGE, now);
    expect(1, 1460, DropReason::DUPLICATE, now);
    expect(1, 1459, DropReason::WRONG_LENGTH, now);
    expect(90, 1461, DropReason::WRONG_LENGTH, now);
    expect(90, 0, DropReason::WRONG_LENGTH, now);
    Attack("server: cut", 0, Bytes(11, 1), DropReason::MALFORMED);
}

LFN_CASE(AtouAttackBeginningTestCase)
{
    for (const bool isChecked : {false, true})
    {
        for (const int64_t ms : {1, 15, 25})
        {
            AtouTestNetwork network({"20Mbps", MilliSeconds(10), false});
            network.CheckContent(isChecked);
            network.Install("sack 1; rcvrwin 40; maxpkts 200; maxtime 0; tick 0.1", true);
            Simulator::Schedule(MilliSeconds(ms), [&network] {
                const auto now = AtouTimeWords::Encode(AT);
                for (uint16_t port = 1; port <= 20; ++port)
                {
                    const InetSocketAddress from("192.0.2.1", port);
                    const AtouDataHeader header(now, port == 20 ? 5000 : port);
                    network.Inject(0, from, Join(header, Bytes(port % 2 == 0 ? 1460 : 100)));
                }
            });
            AtouTestNetwork::Run();
            NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "after " << ms << " ms");
            NS_TEST_EXPECT_MSG_LT(network.client->GetReport().finish, Seconds(3), ms);
        }
    }
}

/** @brief A far segment at the server: its block rides in ACKs, and only that is ignored. */
LFN_CASE(AtouFarTestCase)
{
    for (const std::string mode : MODES)
    {
        AtouTestNetwork network({"20Mbps", MilliSeconds(10), false});
        network.CheckContent(false);
        network.Install(mode + "; rcvrwin 40; maxpkts 500; maxtime 0; tick 0.1; droplist 200",
                        true);
        Simulator::Schedule(Seconds(AT), [&] {
            // The time of an honest one: Vegas is not to be led astray here.
            const auto now = AtouTimeWords::Encode(AT - 0.011);
            for (const uint32_t segment : {1U << 31U, 1'000'000U})
            {
                network.Inject(0,
                               network.GetEnd(0),
                               Join(AtouDataHeader(now, segment), Bytes(1460)));
            }
        });
        AtouTestNetwork::Run();
        const auto& report = network.client->GetReport();
        NS_TEST_EXPECT_MSG_EQ(report.completed, true, mode);
        NS_TEST_EXPECT_MSG_LT(report.finish, Seconds(3), mode);
        NS_TEST_EXPECT_MSG_EQ(network.client->GetCore().GetStatistics().badacks, 0, mode);
        NS_TEST_EXPECT_MSG_EQ(network.server->GetReport().deliveredBytes,
                              report.offeredBytes + 2 * 1460,
                              mode);
    }
}

LFN_CASE(AtouFloodTestCase)
{
    AtouTestNetwork network({"20Mbps", MilliSeconds(10), false});
    network.CheckContent(false);
    network.Install("sack 1; rcvrwin 40; maxpkts 500; maxtime 0; tick 0.1", true);
    uint64_t sent = 0;
    Simulator::Schedule(Seconds(AT), [&] {
        const auto now = AtouTimeWords::Encode(AT);
        for (uint32_t i = 0; i < 5000; ++i)
        {
            network.Inject(0,
                           network.GetEnd(0),
                           Join(AtouDataHeader(now, 10'000 + 2 * i), Bytes(1460)));
            network.Inject(1, network.GetEnd(1), Join(AtouAckHeader(now, 1U << 30)));
        }
        sent = network.client->GetReport().dataPackets;
    });
    AtouTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.client->GetReport().completed, true, "flood");
    NS_TEST_EXPECT_MSG_LT(network.client->GetReport().finish, Seconds(10), "flood");
    NS_TEST_EXPECT_MSG_EQ(network.client->GetDrops(DropReason::UNEXPECTED), 5000, "flood");
    // An ACK per arrival, forged or not.
    NS_TEST_EXPECT_MSG_EQ(network.server->GetReport().controlPackets,
                          network.server->GetReport().dataPackets,
                          "flood");
}

const Suite g_suite("lfn-atou-malformed", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new AtouCoreFuzzTestCase("20000 malformed ACKs in every mode", 20'000));
    suite.Add(new AtouForgedTestCase("8000 forged datagrams", 20));
    suite.Add(new AtouAttackClientTestCase("single attacks on the client"));
    suite.Add(new AtouAttackServerTestCase("single attacks on the server"));
    suite.Add(
        new AtouAttackBeginningTestCase("segments of other hosts before the client's first one"));
    suite.Add(new AtouFarTestCase("segments far beyond the window"));
    suite.Add(new AtouFloodTestCase("a flood of segments and ACKs"));
    suite.Add(new AtouCoreFuzzTestCase("1000000 malformed ACKs in every mode", 1'000'000),
              TestCase::Duration::EXTENSIVE);
    suite.Add(new AtouForgedTestCase("200000 forged datagrams", 500),
              TestCase::Duration::EXTENSIVE);
});

} // namespace
