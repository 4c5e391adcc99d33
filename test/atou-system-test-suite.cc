// SPDX-License-Identifier: GPL-2.0-only

#include "atou-test-network.h"
#include "lfn-test-case.h"

#include "ns3/atou-log.h"
#include "ns3/atou-meter.h"
#include "ns3/atou-tcp-congestion.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/tcp-congestion-ops.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// A loss of packets at random, in both directions.
AtouTestNetwork::Loss
LoseSome(uint64_t seed, uint32_t perMille)
{
    return [random = std::mt19937_64(seed), perMille](int, Ptr<const Packet>) mutable {
        return random() % 1000 < perMille;
    };
}

LFN_CASE_OF(AtouTransferTestCase, bool ipv6)
{
    for (const std::string mode : {"newreno 0",
                                   "newreno 1",
                                   "sack 1",
                                   "sack 1; rampdown 1",
                                   "fack 1",
                                   "fack 1; rampdown 1",
                                   "newreno 1; vegas 3",
                                   "fack 1; vegas 4; vss 1; floyd 1",
                                   "sack 1; vegas 2; vss 2; kai 0.01; burst_limit 4",
                                   "newreno 1; dup_thresh 19; max_ssthresh 20"})
    {
        for (const auto delay : {0, 200})
        {
            const auto message = mode + " delay " + std::to_string(delay);
            AtouTestNetwork network({"20Mbps", MilliSeconds(10), ipv6});
            network.helper.SetSinkAttribute("AckDelay", TimeValue(MilliSeconds(delay)));
            network.Install(mode + "; rcvrwin 60; maxpkts 400; maxtime 0; tick 0.1",
                            mode.find("ack 1") != std::string::npos);
            network.loss = LoseSome(5, 20);
            AtouTestNetwork::Run();
            const auto& counters = network.server->GetCore().GetCounters();
            NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", message);
            NS_TEST_EXPECT_MSG_GT(network.client->GetReport().retransmittedPackets, 0, message);
            NS_TEST_EXPECT_MSG_EQ(network.server->GetTotalDrops(), counters.duplicates, message);
            NS_TEST_EXPECT_MSG_EQ((delay == 0 || counters.acks < counters.packets), true, message);
        }
    }
}

/** @brief Segments above the MTU: one fragment lost is all lost. */
LFN_CASE_OF(AtouFragmentsTestCase, bool ipv6)
{
    AtouTestNetwork network({"20Mbps", MilliSeconds(10), ipv6});
    network.Install("mss 5888; rcvrwin 20; maxpkts 100; maxtime 0; tick 0.1");
    uint64_t fragments = 0;
    network.loss = [&](int direction, Ptr<const Packet> packet) {
        fragments += direction == 0 && packet->GetSize() > 120 ? 1 : 0;
        return direction == 0 && packet->GetSize() > 120 && fragments == 30;
    };
    AtouTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "fragments");
    NS_TEST_EXPECT_MSG_EQ(network.client->GetReport().retransmittedPackets, 1, "the lost one");
    NS_TEST_EXPECT_MSG_EQ(network.client->GetReport().offeredBytes,
                          99U * (5888 - 12),
                          "user bytes");
    // IPv6's fragments carry less, since they have one header more.
    NS_TEST_EXPECT_MSG_EQ(fragments, (ipv6 ? 500 : 400), "an MTU is 1500");
}

/** @brief Segments of the droplist are not seen on the wire, others once. */
LFN_CASE_OF(AtouDropListTestCase, bool ipv6)
{
    AtouTestNetwork network({"20Mbps", MilliSeconds(10), ipv6});
    network.Install("mss 1400; rcvrwin 40; maxpkts 300; maxtime 0; tick 0.1; "
                    "droplist 100 100 120");
    std::map<uint32_t, uint32_t> seen;
    network.loss = [&](int direction, Ptr<const Packet> packet) {
        if (direction == 0)
        {
            ++seen[network.GetNumber(packet)];
        }
        return false;
    };
    AtouTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "droplist");
    const auto& statistics = network.client->GetCore().GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.timeouts, 1, "the repetition of 100 is lost, too");
    NS_TEST_EXPECT_MSG_EQ(seen[100], 1, "one of three was on the wire");
    uint64_t all = 0;
    for (const auto& [segment, times] : seen)
    {
        all += segment > 0 ? times : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(all, statistics.packetsOut, "droplist's are not out");
}

LFN_CASE(AtouWireBytesTestCase)
{
    AtouTestNetwork network({"100Gbps", MilliSeconds(10), false});
    network.Install("rcvrwin 4; initsegs 4; maxpkts 5; mss 100; droplist 2; tick 0.1; sack 1",
                    true);
    // 1.5 is 3ff80000 00000000: the halves are swapped to network order, the low one first.
    network.client->SetStartTime(MilliSeconds(1500));
    std::vector<Bytes> data;
    std::vector<Bytes> acks;
    network.loss = [&](int direction, Ptr<const Packet> packet) {
        (direction == 0 ? data : acks).push_back(AtouTestNetwork::GetPayload(packet));
        return false;
    };
    AtouTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "transfer");
    NS_TEST_ASSERT_MSG_EQ(data.size(), 4, "segments 1, 3, 4 and 2");
    NS_TEST_ASSERT_MSG_EQ(acks.size(), 4, "an ACK each");
    const Bytes time{0, 0, 0, 0, 0x3f, 0xf8, 0, 0};
    const auto expect = [&](const Bytes& all, std::size_t bytes, const Bytes& words) {
        auto expected = time;
        expected.insert(expected.end(), words.begin(), words.end());
        const auto first =
            Bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(expected.size()));
        NS_TEST_EXPECT_MSG_EQ(all.size(), bytes, "length");
        NS_TEST_EXPECT_MSG_EQ((first == expected), true, "bytes");
    };
    expect(data[0], 100, {0, 0, 0, 1});
    expect(data[1], 100, {0, 0, 0, 3});
    expect(data[2], 100, {0, 0, 0, 4});
    expect(acks[0], 16, {0, 0, 0, 2, 0, 0, 0, 0});
    expect(acks[1], 24, {0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 3});
    expect(acks[2], 24, {0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 4});
    const Bytes next(acks[3].begin() + 8, acks[3].end());
    NS_TEST_EXPECT_MSG_EQ((next == Bytes{0, 0, 0, 5, 0, 0, 0, 0}), true, "no block is left");
    NS_TEST_EXPECT_MSG_EQ(std::equal(acks[3].begin(), acks[3].begin() + 8, data[3].begin()),
                          true,
                          "the repetition's own time comes back");
}

LFN_CASE(AtouAbsentTestCase)
{
    for (const bool exact : {false, true})
    {
        AtouTestNetwork network;
        network.helper.GetOptions()->exactTimers = exact;
        network.Install("maxpkts 100; maxtime 0");
        network.server->SetStartTime(Seconds(900));
        AtouTestNetwork::Run(Seconds(800));
        const auto& report = network.client->GetReport();
        NS_TEST_EXPECT_MSG_EQ(report.failure,
                              "no new segment was acknowledged through 11 timeouts in a row",
                              "it gives up");
        // Timeouts after 0.5 s and then every 1 s; ticks of 1 s make the first one 1 s.
        NS_TEST_EXPECT_MSG_EQ(report.finish,
                              (exact ? MilliSeconds(11500) : Seconds(12)),
                              "in bounded time");
        NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes, 0, "nothing came");
    }
}

LFN_CASE(AtouLateTestCase)
{
    AtouTestNetwork network;
    network.Install("maxpkts 100; maxtime 0");
    network.server->SetStartTime(MilliSeconds(2200));
    AtouTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "late");
    NS_TEST_EXPECT_MSG_EQ(network.client->GetCore().GetStatistics().timeouts, 3, "ticks");
}

/**
 * @brief The path falls silent after ACKs: a tick begins with the last of them, not with the
 * transfer.
 */
LFN_CASE(AtouSilenceTestCase)
{
    for (const auto& [words, wait] : {std::pair("", 1000), std::pair("tick 0.1;", 500)})
    {
        AtouTestNetwork network;
        network.Install(std::string(words) + "rcvrwin 8; maxpkts 301; maxtime 0; droplist 300");
        Time last;
        Time again;
        ConnectTrace(network.client, "Ack", [&](const AtouAck& ack, const AtouState&) {
            last = ack.next == 300 ? ack.now : last;
        });
        ConnectTrace(network.client, "Transmit", [&](uint32_t, bool isRepeated) {
            again = isRepeated ? Simulator::Now() : again;
        });
        AtouTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "recovered");
        NS_TEST_EXPECT_MSG_EQ((last > MilliSeconds(400) && last < Seconds(1)), true, "in time");
        NS_TEST_EXPECT_MSG_EQ(again - last, MilliSeconds(wait), "from the last ACK on");
    }
}

LFN_CASE(AtouNewServerTestCase)
{
    AtouTestNetwork network({"1Mbps", MilliSeconds(10), false});
    network.Install("maxpkts 1000; maxtime 0");
    network.server->SetStopTime(Seconds(2));
    const auto second = network.helper.AddSink(network.nodes.Get(1));
    second->SetStartTime(MilliSeconds(2001));
    AtouTestNetwork::Run();
    const auto& report = network.client->GetReport();
    const auto badacks = network.client->GetCore().GetStatistics().badacks;
    NS_TEST_EXPECT_MSG_NE(report.failure, "", "it gives up");
    NS_TEST_EXPECT_MSG_LT(report.finish, Seconds(15), "in bounded time");
    NS_TEST_EXPECT_MSG_GT(badacks, 5, "the other one asks for the first segment");
    NS_TEST_EXPECT_MSG_EQ(network.client->GetDrops(DropReason::UNEXPECTED), badacks, "counted");
    NS_TEST_EXPECT_MSG_EQ(network.server->GetReport().failure, "", "a server ends when stopped");
}

LFN_CASE(AtouNewClientTestCase)
{
    AtouTestNetwork network;
    network.Install("maxpkts 100; maxtime 0; maxidle 3");
    const auto add = [&](Time start) {
        network.helper.SetSourceAttribute("LocalPort", UintegerValue(0));
        const auto client = network.helper.AddSource(network.nodes.Get(0), network.addresses[1]);
        client->SetStartTime(start);
        return client;
    };
    const auto second = add(Seconds(5));
    network.server->SetStopTime(Seconds(20));
    const auto server = network.helper.AddSink(network.nodes.Get(1));
    server->SetStartTime(Seconds(21));
    const auto third = add(Seconds(21));
    AtouTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "first");
    NS_TEST_EXPECT_MSG_NE(second->GetReport().failure, "", "a server has one client");
    NS_TEST_EXPECT_MSG_EQ(network.server->GetDrops(DropReason::UNKNOWN_PEER),
                          second->GetReport().dataPackets,
                          "all of the second's is dropped");
    NS_TEST_EXPECT_MSG_EQ(AtouTestNetwork::Verify(third, server), "", "third");
}

LFN_CASE(AtouLinkDownTestCase)
{
    for (const std::string mode : {"newreno 1", "sack 1", "fack 1; rampdown 1"})
    {
        AtouTestNetwork network({"10Mbps", MilliSeconds(10), false});
        network.Install(mode + "; rcvrwin 50; maxpkts 2000; maxtime 0", true);
        network.Cut(Seconds(1), Seconds(4));
        AtouTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", mode);
        NS_TEST_EXPECT_MSG_LT(network.client->GetReport().finish, Seconds(7), mode);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(network.client->GetCore().GetStatistics().timeouts, 5, mode);
    }
    AtouTestNetwork network({"10Mbps", MilliSeconds(10), false});
    network.Install("rcvrwin 50; maxpkts 2000; maxtime 0; maxidle 4");
    network.Cut(Seconds(1), Seconds(1000));
    AtouTestNetwork::Run();
    NS_TEST_EXPECT_MSG_LT(network.client->GetReport().finish, Seconds(7), "gives up");
    NS_TEST_EXPECT_MSG_EQ(network.client->GetCore().GetStatistics().timeouts, 5, "maxidle");
}

/** @brief What was sent until maxtime is brought home after it. */
LFN_CASE(AtouMaxTimeTestCase)
{
    AtouTestNetwork network({"10Mbps", MilliSeconds(50), false});
    network.Install("rcvrwin 50; maxtime 2; tick 0.1; droplist 300");
    network.loss = LoseSome(3, 10);
    AtouTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "drained");
    const auto finish = network.client->GetReport().finish;
    NS_TEST_EXPECT_MSG_GT(finish, Seconds(2), "the drain counts");
    NS_TEST_EXPECT_MSG_LT(finish, Seconds(5), "and ends");
    const auto& state = network.client->GetCore().GetState();
    NS_TEST_EXPECT_MSG_EQ(state.una, state.max, "all of it");
}

LFN_CASE(AtouEndlessTestCase)
{
    for (const bool isEndless : {false, true})
    {
        AtouTestNetwork network({"10Mbps", MilliSeconds(5), false});
        network.Install(isEndless ? "rcvrwin 50; maxtime 0" : "rcvrwin 50; maxpkts 1000000");
        network.client->SetStopTime(Seconds(3));
        AtouTestNetwork::Run();
        const auto& report = network.client->GetReport();
        NS_TEST_EXPECT_MSG_EQ(report.failure, (isEndless ? "" : "stopped"), "why it ended");
        NS_TEST_EXPECT_MSG_EQ(report.finish, Seconds(3), "its stop");
        NS_TEST_EXPECT_MSG_GT(8e-6 * static_cast<double>(report.deliveredBytes) / 3,
                              9,
                              "the link was full");
        const auto sent = report.dataPackets;
        const auto came = network.server->GetReport().dataPackets;
        NS_TEST_EXPECT_MSG_EQ(sent, came, "what was under way came, nothing else");
    }
}

/** @brief What cannot be is reported, and nothing is sent; the summary can be made all the same. */
LFN_CASE(AtouWrongTestCase)
{
    for (const std::string congestion : {"ns3::TcpBbr", "ns3::UdpSocketFactory", "reno", ""})
    {
        AtouTestNetwork network;
        network.helper.SetSourceAttribute("Congestion", StringValue(congestion));
        network.Install("maxpkts 100; debug 6");
        RunRecorder recorder("atou");
        const AtouLog log(recorder, {network.client, network.server});
        AtouTestNetwork::Run(Seconds(10));
        const auto& report = network.client->GetReport();
        NS_TEST_EXPECT_MSG_EQ(report.failure.rfind("Congestion is " + congestion, 0), 0, "why");
        NS_TEST_EXPECT_MSG_EQ(report.dataPackets, 0, "nothing is sent");
        NS_TEST_EXPECT_MSG_NE(log.MakeClientSummary(), "", "a summary of nothing");
        NS_TEST_EXPECT_MSG_NE(log.MakeServerSummary(), "", "a summary of nothing");
    }
    AtouTestNetwork network;
    network.Install("maxpkts 100; maxidle 2");
    const auto other = network.helper.AddSink(network.nodes.Get(1));
    const auto twin = network.helper.AddSource(network.nodes.Get(0), network.addresses[1]);
    AtouTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "the first ones");
    NS_TEST_EXPECT_MSG_NE(other->GetReport().failure, "", "the port is in use");
    NS_TEST_EXPECT_MSG_NE(twin->GetReport().failure, "", "the port is in use");
}

LFN_CASE(AtouManyPortsTestCase)
{
    AtouTestNetwork network({"50Mbps", MilliSeconds(5), false});
    network.Install("maxpkts 300; maxtime 0; rcvrwin 30; tick 0.1");
    network.helper.SetSourceAttribute("LocalPort", UintegerValue(0));
    std::vector<std::pair<Ptr<AtouClient>, Ptr<AtouServer>>> pairs;
    for (uint16_t i = 1; i < 8; ++i)
    {
        pairs.emplace_back(network.helper.AddSource(network.nodes.Get(0), network.addresses[1], i),
                           network.helper.AddSink(network.nodes.Get(1), i));
    }
    network.loss = LoseSome(9, 10);
    AtouTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "the first one");
    for (const auto& [client, server] : pairs)
    {
        NS_TEST_EXPECT_MSG_EQ(AtouTestNetwork::Verify(client, server), "", "one of many");
        NS_TEST_EXPECT_MSG_EQ(client->GetDrops(DropReason::UNKNOWN_PEER), 0, "apart");
    }
}

/** @brief The original's servers: room for three blocks, few gaps. */
LFN_CASE(AtouServersTestCase)
{
    const auto run = [this](const std::string& attribute, const AttributeValue& value) {
        AtouTestNetwork network({"20Mbps", MilliSeconds(10), false});
        network.helper.SetSinkAttribute(attribute, value);
        network.helper.SetSinkAttribute("AckDelay",
                                        TimeValue(MilliSeconds(attribute == "GapLimit" ? 0 : 200)));
        network.helper.SetSinkAttribute("HeartbeatPhase", TimeValue(MilliSeconds(50)));
        network.Install("rcvrwin 60; maxpkts 500; maxtime 0; tick 0.1; droplist 100 102");
        std::set<std::size_t> sizes;
        network.loss = [&](int direction, Ptr<const Packet> packet) {
            if (direction == 1)
            {
                sizes.insert(AtouTestNetwork::GetPayload(packet).size());
            }
            return false;
        };
        AtouTestNetwork::Run();
        const auto& sent = network.client->GetReport();
        const auto lacking = sent.offeredBytes - network.server->GetReport().deliveredBytes;
        NS_TEST_EXPECT_MSG_EQ(sent.completed, true, attribute);
        NS_TEST_EXPECT_MSG_EQ(sizes.size(), 1, attribute);
        return std::pair(*sizes.begin(), lacking);
    };
    const auto [size, lacking] = run("PadBlocks", BooleanValue(false));
    NS_TEST_EXPECT_MSG_EQ(size, 16, "without blocks");
    NS_TEST_EXPECT_MSG_EQ(lacking, 0, "all came");
    const auto padded = run("PadBlocks", BooleanValue(true));
    NS_TEST_EXPECT_MSG_EQ(padded.first, 40, "room for three");
    const auto forgetful = run("GapLimit", UintegerValue(1));
    NS_TEST_EXPECT_MSG_EQ(forgetful.second, 1460, "the second gap is forgotten");
}

/** @brief Every congestion control of ns-3 works or says why it does not. */
LFN_CASE(AtouCongestionsTestCase)
{
    uint32_t works = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (!type.IsChildOf(TcpCongestionOps::GetTypeId()) || !type.HasConstructor() ||
            AtouTcpCongestion::Check(type))
        {
            continue;
        }
        ++works;
        AtouTestNetwork network({"20Mbps", MilliSeconds(10), false});
        network.helper.SetSourceAttribute("Congestion", StringValue(type.GetName()));
        network.Install("sack 1; rcvrwin 60; maxpkts 500; maxtime 0; tick 0.1", true);
        network.loss = LoseSome(6, 10);
        AtouTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", type.GetName());
        NS_TEST_EXPECT_MSG_LT(network.client->GetReport().finish, Seconds(30), type.GetName());
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(works, 12, "most of them");
}

LFN_CASE(AtouHostsTestCase)
{
    const auto rate = [](const std::string& what) {
        AtouTestNetwork network({"1Gbps", MilliSeconds(1), false});
        if (what == "interface")
        {
            network.helper.SetSourceAttribute("InterfaceRate", StringValue("10Mbps"));
        }
        const auto cost = CreateObject<HostCost>();
        cost->SetAttribute("ReadCost", TimeValue(MicroSeconds(500)));
        if (what == "client")
        {
            network.helper.SetSourceAttribute("HostCost", PointerValue(cost));
        }
        if (what == "server")
        {
            network.helper.SetSinkAttribute("HostCost", PointerValue(cost));
        }
        network.Install("rcvrwin 50; maxpkts 2000; maxtime 0; tick 0.1");
        AtouTestNetwork::Run();
        const auto trouble = network.Verify();
        const auto& report = network.client->GetReport();
        return trouble.empty()
                   ? 8e-6 * static_cast<double>(report.offeredBytes) / report.finish.GetSeconds()
                   : -1;
    };
    const double free = rate("");
    NS_TEST_EXPECT_MSG_GT(free, 200, "nothing in the way");
    const double interface = rate("interface");
    NS_TEST_EXPECT_MSG_GT(interface, 9, "10 Mb/s and headers");
    NS_TEST_EXPECT_MSG_LT(interface, 10, "10 Mb/s and headers");
    const double client = rate("client");
    NS_TEST_EXPECT_MSG_GT(client, 8 * 1.460 / 0.5 * 0.8, "500 us a datagram");
    NS_TEST_EXPECT_MSG_LT(client, 8 * 1.460 / 0.5 * 1.05, "500 us a datagram");
    const double server = rate("server");
    NS_TEST_EXPECT_MSG_GT(server, 8 * 1.460 / 0.5 * 0.8, "500 us a datagram");
    NS_TEST_EXPECT_MSG_LT(server, 8 * 1.460 / 0.5 * 1.05, "500 us a datagram");
}

/// The files of a run.
struct Files
{
    std::string trace;  //!< xmt and ack
    std::string events; //!< of losses
    std::string client; //!< summary
    std::string server; //!< summary

    /// Compares all.
    bool operator==(const Files&) const = default;
};

/// Add a transfer on another link.
void
AddFlow(const AtouTestNetwork& network)
{
    NodeContainer nodes;
    nodes.Create(2);
    const auto devices = PointToPointHelper().Install(nodes);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper numbering("10.1.0.0", "255.255.255.0");
    const auto interfaces = numbering.Assign(devices);
    network.helper.AddSink(nodes.Get(1))->AssignStreams(200);
    network.helper.AddSource(nodes.Get(0), Address(interfaces.GetAddress(1)));
}

LFN_CASE(AtouFilesTestCase)
{
    uint64_t sent{0};
    uint64_t acks{0};
    // Run a transfer, perhaps alongside another one on a link of its own.
    const auto run = [&](uint32_t debug, uint64_t rngRun, bool besides) -> Files {
        AtouTestNetwork network({"20Mbps", MilliSeconds(10), false});
        RngSeedManager::SetRun(rngRun);
        network.helper.SetSinkAttribute("AckDelay", TimeValue(MilliSeconds(200)));
        if (besides) // made first, it would take the numbers that come first
        {
            AddFlow(network);
        }
        network.Install("rcvrwin 40; maxpkts 500; maxtime 0; droplist 200; debug " +
                        std::to_string(debug));
        network.server->AssignStreams(100);
        RunRecorder recorder("atou");
        const AtouLog log(recorder, {network.client, network.server});
        const AtouMeter meter(network.client, 40);
        AtouTestNetwork::Run();
        const auto mean = meter.GetMean(network.client->GetReport().finish);
        NS_TEST_EXPECT_MSG_EQ(meter.GetLargest(), 40, "the window was full, and no more");
        NS_TEST_EXPECT_MSG_GT(meter.GetFullAt(), 0, "not at once");
        NS_TEST_EXPECT_MSG_EQ((mean > 20 && mean < 40), true, "a mean window of " << mean);
        NS_TEST_EXPECT_MSG_GT(meter.GetRtt(), MilliSeconds(10), "the last RTT");
        NS_TEST_EXPECT_MSG_EQ(network.Verify(), "", "transfer");
        sent = network.client->GetCore().GetStatistics().packetsOut;
        acks = network.client->GetCore().GetStatistics().packetsIn;
        return {log.GetTrace(), log.GetEvents(), log.MakeClientSummary(), log.MakeServerSummary()};
    };
    const auto files = run(4, 1, false);
    const auto count = [](const std::string& text, const std::string& word) {
        std::size_t times = 0;
        for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        {
            ++times;
        }
        return times;
    };
    NS_TEST_EXPECT_MSG_EQ(count(files.trace, " xmt\n"),
                          sent + 1,
                          "a line per transmission; one of the droplist is not out");
    NS_TEST_EXPECT_MSG_EQ(count(files.trace, " ack"), acks, "a line per ACK");
    NS_TEST_EXPECT_MSG_EQ(files.trace.rfind("0.000000 1 xmt\n0.000000 2 xmt\n", 0), 0, "begins");
    NS_TEST_EXPECT_MSG_EQ(count(files.events, "3duprxmit"), 1, "the droplist's segment");
    NS_TEST_EXPECT_MSG_EQ(count(files.events, "timerxmit"), 0, "no timeout");
    NS_TEST_EXPECT_MSG_GT(count(files.client, "\n"), 10, "lines");
    NS_TEST_EXPECT_MSG_EQ(count(files.server, "\n"), 2, "nothing is missing");
    NS_TEST_EXPECT_MSG_EQ((run(4, 1, false) == files), true, "equal runs are equal");
    NS_TEST_EXPECT_MSG_EQ((run(4, 2, false) == files), false, "others are not");
    NS_TEST_EXPECT_MSG_EQ((run(4, 1, true) == files), true, "a flow elsewhere shifts nothing");
    const auto losses = run(2, 1, false);
    NS_TEST_EXPECT_MSG_EQ(losses.trace, "", "debug 2 has no trace");
    NS_TEST_EXPECT_MSG_EQ(losses.events, files.events, "but the same events");
    const auto none = run(0, 1, false);
    NS_TEST_EXPECT_MSG_EQ(none.trace + none.events, "", "debug 0 has none");
}

const Suite g_suite("lfn-atou-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new AtouTransferTestCase("every mode with losses, IPv4", false));
    suite.Add(new AtouTransferTestCase("every mode with losses, IPv6", true));
    suite.Add(new AtouFragmentsTestCase("fragments, one lost, IPv4", false));
    suite.Add(new AtouFragmentsTestCase("fragments, one lost, IPv6", true));
    suite.Add(new AtouDropListTestCase("a droplist on the wire, IPv4", false));
    suite.Add(new AtouDropListTestCase("a droplist on the wire, IPv6", true));
    suite.Add(new AtouWireBytesTestCase("bytes on the wire"));
    suite.Add(new AtouAbsentTestCase("no server"));
    suite.Add(new AtouLateTestCase("a server that starts late"));
    suite.Add(
        new AtouSilenceTestCase("a path that falls silent: the timer restarts at the last ACK"));
    suite.Add(new AtouNewServerTestCase("a server that is replaced in the middle"));
    suite.Add(new AtouNewClientTestCase("a second client with the same and with a new server"));
    suite.Add(new AtouLinkDownTestCase("a link that is down for a time and for ever"));
    suite.Add(new AtouMaxTimeTestCase("maxtime, and the drain after it"));
    suite.Add(new AtouEndlessTestCase("a transfer without end, stopped"));
    suite.Add(new AtouWrongTestCase("a congestion control that does not exist, ports in use"));
    suite.Add(new AtouManyPortsTestCase("many ports"));
    suite.Add(new AtouServersTestCase("servers that pad blocks and forget gaps"));
    suite.Add(new AtouCongestionsTestCase("every TcpCongestionOps"));
    suite.Add(new AtouHostsTestCase("host costs and interface rate"));
    suite.Add(new AtouFilesTestCase("trace, event log, summaries; equal runs are equal"));
});

} // namespace
