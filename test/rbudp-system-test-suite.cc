// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "rbudp-test-network.h"

#include "ns3/error-model.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/point-to-point-helper.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Get the throughput as the paper times it, from the first datagram to the last acknowledgement.
double
GetThroughput(const TransferReport& report)
{
    const double seconds = (report.finish - report.start).GetSeconds();
    return 8.0 * static_cast<double>(report.deliveredBytes) / seconds;
}

LFN_CASE_OF(RbudpAccuracyTestCase, std::vector<double> sizes)
{
    // Run one transfer of S_total at B_send.
    const auto check = [&](double bytes, int mbps, int rttMs) {
        const Time delay = MicroSeconds(500 * rttMs);
        RbudpTestNetwork network({.rate = "1Gbps", .delay = delay});
        network.helper.UseIdealControl(delay, DataRate(uint64_t{1'000'000} * mbps));
        network.Install(static_cast<uint64_t>(bytes), std::to_string(mbps) + "Mbps");
        RbudpTestNetwork::Run();
        NS_TEST_ASSERT_MSG_EQ(network.IsDelivered(static_cast<uint64_t>(bytes)),
                              true,
                              network.Describe());
        auto report = network.sender.report;
        report.MergeReceiver(network.receiver.report);
        const double rate = mbps * 1e6;
        const double rtt = rttMs * 1e-3;
        const double acknowledgement = std::ceil(bytes / 1450) / 8; // S_ack, B
        const double best = rate / (1 + rtt * rate / (8 * bytes) + acknowledgement / bytes);
        NS_TEST_EXPECT_MSG_EQ_TOL(GetThroughput(report),
                                  best,
                                  0.005 * best,
                                  bytes << " B at " << mbps << " Mb/s, " << rttMs << " ms");
        NS_TEST_EXPECT_MSG_EQ(report.dataPackets, std::ceil(bytes / 1450), "datagrams");
        NS_TEST_EXPECT_MSG_EQ(report.retransmittedPackets, 0, "no retransmissions");
        NS_TEST_EXPECT_MSG_EQ(report.controlPackets, 3, "announcement, DONE, acknowledgement");
    };
    for (const double megabytes : sizes)
    {
        for (const int mbps : {100, 400, 611, 725, 878})
        {
            for (const int rttMs : {1, 20, 100, 200})
            {
                check(megabytes * 1e6, mbps, rttMs);
            }
        }
    }
}

LFN_CASE_OF(RbudpTcpControlTimeTestCase, bool all)
{
    // Run one transfer of one-byte datagrams, of which many fit a small payload; slow start should
    // add a number of RTTs.
    const auto check = [&](uint64_t datagrams, int extra, bool ipv6) {
        RbudpTestNetwork network({.rate = "1Gbps", .delay = MilliSeconds(50), .ipv6 = ipv6});
        network.helper.SetSourceAttribute("PayloadSize", UintegerValue(1));
        network.helper.SetAttribute("CheckContent", BooleanValue(false));
        network.Install(datagrams, "10Mbps");
        RbudpTestNetwork::Run();
        NS_TEST_ASSERT_MSG_EQ(network.IsDelivered(datagrams), true, network.Describe());
        const auto& report = network.sender.report;
        const double took = (report.finish - report.start).GetSeconds();
        const double blast = static_cast<double>(datagrams) * 8 / 10e6;
        const double rtts = (took - blast) / 0.1;
        NS_TEST_EXPECT_MSG_EQ_TOL(rtts, 1 + extra, 0.02, datagrams << " datagrams");
    };
    check(1, 0, false); // an acknowledgement of one segment
    check(1, 0, true);
    check(120'000, 1, false); // 15,002 B: two flights
    if (all)
    {
        check(120'000, 1, true);
        for (const bool ipv6 : {false, true})
        {
            check(114'000, 0, ipv6); // 14,252 B: one flight of ten segments
            check(310'345, 1, ipv6); // 38,795 B: the paper's payload
        }
    }
}

/// Listen to PayloadCompleted.
void
Trace(RbudpTestNetwork& network, std::function<void(const RbudpPayloadReport&)> report)
{
    network.transfer.source->TraceConnectWithoutContext(
        "PayloadCompleted",
        Callback<void, const RbudpPayloadReport&>(report));
}

LFN_CASE_OF(RbudpBlocksTestCase, bool ideal)
{
    RbudpTestNetwork network;
    network.UseControl(ideal);
    network.helper.SetSourceAttribute("BlockSize", UintegerValue(40'000));
    network.Install(100'001);
    std::vector<RbudpPayloadReport> reports;
    Trace(network, [&](const RbudpPayloadReport& report) { reports.push_back(report); });
    // Content by the receiver's own call, alongside CheckContent.
    std::vector<uint8_t> content(100'001);
    network.transfer.sink->SetDeliver(
        Callback<void, uint64_t, Ptr<const Packet>>([&](uint64_t offset, Ptr<const Packet> packet) {
            packet->CopyData(&content.at(offset), packet->GetSize());
        }));
    // A loss in the second block.
    network.LoseOne(0, 17, 40);
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(100'001), true, network.Describe());
    NS_TEST_ASSERT_MSG_EQ(reports.size(), 3, "blocks");
    for (uint64_t index = 0; index < 3; ++index)
    {
        const auto& report = reports[index];
        NS_TEST_EXPECT_MSG_EQ(report.index, index, "number");
        NS_TEST_EXPECT_MSG_EQ(report.bytes, (index < 2 ? 40'000 : 20'001), "size");
        NS_TEST_EXPECT_MSG_EQ(report.work.blasts, (index == 1 ? 2 : 1), "blasts");
        NS_TEST_EXPECT_MSG_EQ(report.work.acknowledgedBytes, report.bytes, "acknowledged");
        NS_TEST_EXPECT_MSG_GT(report.finish, report.start, "it takes time");
    }
    const auto totals = network.transfer.source->GetTotals();
    NS_TEST_EXPECT_MSG_EQ(totals.blasts, 4, "blasts");
    NS_TEST_EXPECT_MSG_EQ(totals.firstBlastPackets, 28 + 28 + 14, "datagrams");
    NS_TEST_EXPECT_MSG_EQ(totals.retransmittedPackets, 1, "retransmissions");
    NS_TEST_EXPECT_MSG_EQ(network.sender.report.dataPackets, 71, "sent");
    // Three announcements, four DONEs, bitmaps of 28, 28, 28 and 14 bits.
    NS_TEST_EXPECT_MSG_EQ(network.transfer.source->GetControlBytes(),
                          3 * 16 + 4 * 8 + 3 * 5 + 3,
                          "control bytes");
    std::vector<uint8_t> expected(content.size());
    PatternPayload::Fill(0, expected);
    NS_TEST_EXPECT_MSG_EQ((content == expected), true, "content");
}

LFN_CASE_OF(RbudpHandedOverTestCase, bool ideal)
{
    RbudpTestNetwork network;
    network.UseControl(ideal);
    network.Install(0);
    const auto sender = network.transfer.source;
    NS_TEST_EXPECT_MSG_EQ(sender->SendPayload(0), false, "nothing");
    NS_TEST_EXPECT_MSG_EQ(sender->SendPayload(UINT64_MAX), false, "too much");
    NS_TEST_EXPECT_MSG_EQ(sender->SendPayload(5000), true, "before the start");
    NS_TEST_EXPECT_MSG_EQ(sender->SendPayload(1), true, "one more");
    NS_TEST_EXPECT_MSG_EQ(sender->GetBacklog(), 2, "both wait");
    std::vector<uint64_t> sizes;
    Trace(network, [&](const RbudpPayloadReport& report) { sizes.push_back(report.bytes); });
    Simulator::Schedule(MilliSeconds(18), [&] { sender->SendPayload(70'000); });
    Simulator::Schedule(Seconds(30), [&] {
        NS_TEST_EXPECT_MSG_EQ(sender->GetBacklog(), 0, "a pause");
        NS_TEST_EXPECT_MSG_EQ(sender->SendPayload(3000), true, "after a pause");
        sender->Finish();
        NS_TEST_EXPECT_MSG_EQ(sender->SendPayload(1), false, "after Finish()");
    });
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(78'001), true, network.Describe());
    NS_TEST_EXPECT_MSG_EQ((sizes == std::vector<uint64_t>{5000, 1, 70'000, 3000}),
                          true,
                          "in order");
    // No datagram may overtake its announcement, on an idle connection either.
    NS_TEST_EXPECT_MSG_EQ(network.sender.report.retransmittedPackets, 0, "nothing retransmitted");
    NS_TEST_EXPECT_MSG_GT(network.sender.report.finish, Seconds(30), "the end");
    NS_TEST_EXPECT_MSG_LT(network.sender.report.finish, Seconds(31), "the end");
}

LFN_CASE_OF(RbudpCallbacksTestCase, bool ideal)
{
    RbudpTestNetwork network;
    network.UseControl(ideal);
    network.Install(0);
    const auto sender = network.transfer.source;
    sender->SendPayload(2000);
    uint64_t payloads = 0;
    Trace(network, [&](const RbudpPayloadReport&) {
        if (++payloads < 5)
        {
            NS_TEST_EXPECT_MSG_EQ(sender->SendPayload(2000), true, "from the callback");
        }
        else
        {
            sender->Finish();
        }
    });
    uint32_t ends = 0;
    sender->TraceConnectWithoutContext(
        "Completed",
        Callback<void, const TransferReport&>([&](const TransferReport&) {
            ++ends;
            NS_TEST_EXPECT_MSG_EQ(sender->SendPayload(2000), false, "it has ended");
            sender->Finish();
        }));
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(10'000), true, network.Describe());
    NS_TEST_EXPECT_MSG_EQ(payloads, 5, "payloads");
    NS_TEST_EXPECT_MSG_EQ(ends, 1, "one end");
}

LFN_CASE_OF(RbudpFinishTestCase, bool ideal)
{
    RbudpTestNetwork network;
    network.UseControl(ideal);
    network.Install(0);
    Simulator::Schedule(Seconds(1), [&] { network.transfer.source->Finish(); });
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.sender.completed, 1, network.Describe());
    // Seen from the receiver, a sender that failed at its start closes in the same way.
    NS_TEST_EXPECT_MSG_EQ(network.receiver.report.failure,
                          "the sender closed the control connection before it announced a "
                          "payload",
                          network.Describe());
}

/// Run a transfer between ends that have and want a name; get the network, after the run.
std::unique_ptr<RbudpTestNetwork>
Request(const std::string& has, const std::string& wanted, bool ideal)
{
    auto network = std::make_unique<RbudpTestNetwork>();
    network->UseControl(ideal);
    network->helper.SetSourceAttribute("FileName", StringValue(has));
    network->helper.SetSinkAttribute("FileName", StringValue(wanted));
    network->Install(50'000);
    RbudpTestNetwork::Run();
    return network;
}

LFN_CASE(RbudpFileTestCase)
{
    for (const bool ideal : {false, true})
    {
        for (const auto& name : {std::string("data.bin"), std::string(255, 'n')})
        {
            const auto network = Request(name, name, ideal);
            NS_TEST_EXPECT_MSG_EQ(network->IsDelivered(50'000), true, network->Describe());
        }
        const auto network = Request("data.bin", "other.bin", ideal);
        NS_TEST_EXPECT_MSG_EQ(network->sender.failed, 1, network->Describe());
        NS_TEST_EXPECT_MSG_EQ(network->receiver.failed, 1, network->Describe());
        NS_TEST_EXPECT_MSG_EQ(network->receiver.report.failure,
                              "the sender has no file of that name",
                              "the receiver reports it");
        NS_TEST_EXPECT_MSG_EQ(network->sender.report.failure,
                              "the receiver asked for a file that is not here",
                              "the sender reports it");
        NS_TEST_EXPECT_MSG_LT(network->receiver.report.finish, Seconds(1), "at once");
    }
}

LFN_CASE_OF(RbudpStreamTestCase, std::string sendRate, bool holds)
{
    constexpr uint32_t OBJECT = 14'400;
    const Time delay = MilliSeconds(50);
    RbudpTestNetwork network({.rate = "1Gbps", .delay = delay});
    network.helper.UseIdealControl(delay, DataRate(0));
    network.Install(0, sendRate);
    const auto stream = RbudpHelper::InstallStream(network.transfer);
    stream->SetAttribute("ObjectSize", UintegerValue(OBJECT));
    stream->SetStartTime(Seconds(1));
    stream->SetStopTime(Seconds(21.12)); // two more objects have gathered
    std::vector<Time> latencies;
    uint64_t objects = 0;
    stream->TraceConnectWithoutContext(
        "BlockDelivered",
        Callback<void, uint64_t, uint64_t, Time>([&](uint64_t index, uint64_t count, Time latency) {
            NS_TEST_EXPECT_MSG_EQ(index, latencies.size(), "in order");
            objects += count;
            latencies.push_back(latency);
        }));
    RbudpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(uint64_t{402} * OBJECT), true, network.Describe());
    NS_TEST_EXPECT_MSG_EQ(stream->GetObjectsOffered(), 402, "objects");
    NS_TEST_EXPECT_MSG_EQ(stream->GetObjectsDelivered(), 402, "objects");
    NS_TEST_EXPECT_MSG_EQ(objects, 402, "objects");
    NS_TEST_ASSERT_MSG_EQ(latencies.size(), 41, "blocks of ten, and one of two");
    // The first object of a block waits for nine more, for the blast and half an RTT. A
    // blast is a whole number of intervals: at just the rate of equation (11) that piles up
    // less than one interval per block.
    const double interval = 1450 * 8.0 / static_cast<double>(DataRate(sendRate).GetBitRate());
    const double blast = std::ceil(10.0 * OBJECT / 1450) * interval;
    const double first = 0.45 + blast - interval + 0.05;
    NS_TEST_EXPECT_MSG_EQ_TOL(latencies[0].GetSeconds(), first, 2e-5, "latency");
    // A block takes its blast and an RTT; what that exceeds 0.5 s adds up.
    const double excess = blast + 0.1 - 0.5;
    NS_TEST_EXPECT_MSG_EQ((excess < interval), holds, "equation (11)");
    NS_TEST_EXPECT_MSG_EQ_TOL(latencies[39].GetSeconds(), first + 39 * excess, 2e-5, "latency");
    NS_TEST_EXPECT_MSG_EQ(stream->GetMaxLatency(),
                          *std::max_element(latencies.begin(), latencies.end()),
                          "the longest");
}

/// Lose 12 % of the packets that a device receives.
void
Lose(Ptr<NetDevice> device, int64_t stream)
{
    const auto model = CreateObject<RateErrorModel>();
    model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(0.12);
    model->AssignStreams(stream);
    device->SetAttribute("ReceiveErrorModel", PointerValue(model));
}

/// A second transfer between nodes of its own.
RbudpHelper::Transfer
InstallCompanion()
{
    NodeContainer nodes;
    nodes.Create(2);
    const auto devices = PointToPointHelper().Install(nodes);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper numbering("10.9.0.0", "255.255.255.0");
    const auto interfaces = numbering.Assign(devices);
    Lose(devices.Get(1), 200);
    RbudpHelper helper;
    helper.SetSourceAttribute("Bytes", UintegerValue(300'000));
    helper.SetSourceAttribute("SendRate", StringValue("20Mbps"));
    const auto transfer = helper.Install(nodes.Get(0),
                                         interfaces.GetAddress(0),
                                         nodes.Get(1),
                                         interfaces.GetAddress(1));
    transfer.source->SetStartTime(Seconds(0));
    transfer.sink->SetStartTime(Seconds(0));
    return transfer;
}

/// Run a transfer with 12 % loss, perhaps alongside a second one on a link of its own; get
/// everything that the ends report.
std::string
RunOne(uint64_t run, bool company)
{
    RbudpTestNetwork network;
    RngSeedManager::SetRun(run);
    const auto companion = company ? InstallCompanion() : RbudpHelper::Transfer{};
    network.Install(1'000'000);
    Lose(network.devices.Get(1), 100);
    RbudpTestNetwork::Run();
    const auto totals = network.transfer.source->GetTotals();
    return network.Describe() + ", " + std::to_string(totals.blasts) + " blasts, " +
           std::to_string(totals.dataPackets) + " datagrams, " +
           std::to_string(network.sender.report.finish.GetNanoSeconds()) + " ns, last " +
           std::to_string(network.receiver.report.lastDelivery.GetNanoSeconds()) + " ns";
}

LFN_CASE(RbudpDeterminismTestCase)
{
    const auto first = RunOne(1, false);
    NS_TEST_EXPECT_MSG_EQ(RunOne(1, false), first, "the same run again");
    NS_TEST_EXPECT_MSG_EQ(RunOne(1, true), first, "alongside another flow");
    NS_TEST_EXPECT_MSG_NE(RunOne(2, false), first, "another run");
}

/** @brief What came out of a transfer. */
struct Outcome
{
    double firstLoss{0};     //!< part of the first blast that was missing
    double goodput{0};       //!< bit/s
    uint64_t unpredicted{0}; //!< datagrams that were not expected next
};

LFN_CASE(RbudpHostTestCase)
{
    // Run a transfer of S_total bytes at B_send, in bit/s, to a host of a profile; without one
    // from a sending host with its 16 us floor.
    const auto run = [&](const std::string& profile,
                         const std::string& receiver,
                         uint64_t rate,
                         uint64_t bytes) {
        RbudpTestNetwork network({.rate = "1Gbps", .delay = MilliSeconds(1)});
        const auto cost = *HostCost::FindProfile(profile.empty() ? "pacing-16us" : profile);
        if (profile.empty())
        {
            network.helper.SetSourceAttribute("HostCost", PointerValue(cost));
        }
        else
        {
            network.helper.SetSinkAttribute("HostCost", PointerValue(cost));
        }
        network.helper.SetSinkAttribute("Receiver", StringValue(receiver));
        network.Install(bytes, std::to_string(rate) + "bps");
        RbudpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(bytes), true, network.Describe());
        auto report = network.sender.report;
        report.MergeReceiver(network.receiver.report);
        const auto totals = network.transfer.source->GetTotals();
        const Outcome outcome{static_cast<double>(totals.residualPacketsFirstBlast) /
                                  static_cast<double>(totals.firstBlastPackets),
                              GetThroughput(report),
                              network.transfer.sink->GetUnpredicted()};
        const auto lost = network.transfer.sink->GetDrops(DropReason::BUFFER_FULL);
        NS_TEST_EXPECT_MSG_EQ(report.retransmittedPackets, lost, "only the host loses");
        return outcome;
    };
    // The 14 us step, 828.6 Mb/s, is the paper's "5 % below iperf".
    const auto slow = run("livelock", "Naive", 828'571'428, 45'000'000);
    NS_TEST_EXPECT_MSG_GT(slow.firstLoss, 0.315, "about a third is lost");
    NS_TEST_EXPECT_MSG_LT(slow.firstLoss, 0.335, "about a third is lost");
    const auto fast = run("livelock-fast", "Naive", 828'571'428, 45'000'000);
    NS_TEST_EXPECT_MSG_LT(fast.firstLoss, 0.02, "a host twice as fast");

    // Scatter/gather is faster where the receiver is the bottleneck, and only there.
    const auto naive = run("livelock", "Naive", 725'000'000, 15'000'000);
    const auto gather = run("livelock", "ScatterGather", 725'000'000, 15'000'000);
    const auto fake = run("livelock", "Fake", 725'000'000, 15'000'000);
    NS_TEST_EXPECT_MSG_GT(gather.goodput, 1.05 * naive.goodput, "scatter/gather");
    NS_TEST_EXPECT_MSG_LT(gather.goodput, 1.12 * naive.goodput, "scatter/gather");
    NS_TEST_EXPECT_MSG_GT(fake.goodput, gather.goodput, "nothing is moved");
    NS_TEST_EXPECT_MSG_EQ(fake.firstLoss, 0, "nothing is moved");
    const auto easy = run("livelock-fast", "Naive", 725'000'000, 15'000'000);
    const auto easier = run("livelock-fast", "ScatterGather", 725'000'000, 15'000'000);
    NS_TEST_EXPECT_MSG_EQ_TOL(easier.goodput, easy.goodput, 1e-3 * easy.goodput, "fast host");
    NS_TEST_EXPECT_MSG_EQ(easy.unpredicted, 0, "all in order");

    // A sender that needs 16 us per datagram: 725 Mb/s at any configured rate.
    const auto sender = run("", "Naive", 878'000'000, 15'000'000);
    NS_TEST_EXPECT_MSG_EQ_TOL(sender.goodput, 725e6 / (1 + 0.002 * 725e6 / 120e6), 2e6, "16 us");
}

const Suite g_suite("lfn-rbudp-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    using Megabytes = std::vector<double>;
    const auto extensive = TestCase::Duration::EXTENSIVE;
    const std::string accurate = "lossless, ideal control: goodput within 0.5 % of equation (4), ";
    suite.Add(new RbudpAccuracyTestCase(accurate + "1 MB", Megabytes{1}));
    suite.Add(new RbudpAccuracyTestCase(accurate + "5 and 20 MB", Megabytes{5, 20}), extensive);
    suite.Add(new RbudpAccuracyTestCase(accurate + "67.5 MB", Megabytes{67.5}), extensive);
    suite.Add(new RbudpAccuracyTestCase(accurate + "450 MB", Megabytes{450}), extensive);
    const std::string added = "lossless, TCP control: RTTs that slow start adds (Q7)";
    suite.Add(new RbudpTcpControlTimeTestCase(added, false));
    suite.Add(new RbudpTcpControlTimeTestCase(added + ", all", true), extensive);
    for (const bool ideal : {false, true})
    {
        const auto control = std::string("payloads, ") + (ideal ? "ideal" : "TCP") + " control: ";
        suite.Add(new RbudpBlocksTestCase(control + "blocks, the last one smaller", ideal));
        suite.Add(new RbudpHandedOverTestCase(control + "handed over at any time", ideal));
        suite.Add(new RbudpCallbacksTestCase(control + "handed over from callbacks", ideal));
        suite.Add(new RbudpFinishTestCase(control + "Finish() without payloads", ideal));
    }
    suite.Add(new RbudpFileTestCase("file requests: the right name, a wrong one, the longest one"));
    // A hundredth of the paper's objects and rates.
    const std::string objects = "streaming: 20 objects a second ";
    suite.Add(new RbudpStreamTestCase(objects + "hold at equation (11)'s rate", "2880kbps", true));
    suite.Add(new RbudpStreamTestCase(objects + "do not hold below it", "2800kbps", false));
    suite.Add(
        new RbudpDeterminismTestCase("determinism: RngRun decides, an unrelated flow does not"));
    suite.Add(new RbudpHostTestCase(
        "hosts: first-blast loss of the profiles, three receivers, a slow sender"));
});

} // namespace
