// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-files.h"

#include "ns3/channel.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/lfn-error-model-list.h"
#include "ns3/lfn-jitter-channel.h"
#include "ns3/lfn-point-to-point-topology.h"
#include "ns3/lfn-random-streams.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-topology.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace fs = std::filesystem;

namespace ns3::lfn::test
{

/** @brief A user's own network: sender, router, receiver; the second link is the bottleneck. */
class UserTopology : public TransportTopology
{
  public:
    /// The type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lfn::test::UserTopology")
                                .SetParent<TransportTopology>()
                                .SetGroupName("Lfn")
                                .AddConstructor<UserTopology>()
                                .AddAttribute("Rate",
                                              "Rate of the second link.",
                                              DataRateValue(DataRate("10Mbps")),
                                              MakeDataRateAccessor(&UserTopology::m_rate),
                                              MakeDataRateChecker());
        return tid;
    }

  private:
    void DoBuild() override
    {
        NodeContainer nodes;
        nodes.Create(3);
        InternetStackHelper().Install(nodes);
        PointToPointHelper link;
        link.SetChannelAttribute("Delay", TimeValue(MilliSeconds(1)));
        link.SetDeviceAttribute("DataRate", DataRateValue(DataRate("1Gbps")));
        const auto near = link.Install(nodes.Get(0), nodes.Get(1));
        link.SetDeviceAttribute("DataRate", DataRateValue(m_rate));
        const auto far = link.Install(nodes.Get(1), nodes.Get(2));
        const auto nearFaces = Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(near);
        const auto farFaces = Ipv4AddressHelper("10.1.2.0", "255.255.255.0").Assign(far);
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        AddSender(nodes.Get(0), nearFaces.GetAddress(0));
        AddReceiver(nodes.Get(2), farFaces.GetAddress(1), MilliSeconds(4));
        AddBottleneck(far.Get(0), far.Get(1));
    }

    DataRate m_rate; //!< rate of the second link
};

NS_OBJECT_ENSURE_REGISTERED(UserTopology);

} // namespace ns3::lfn::test

namespace
{

constexpr uint16_t PORT = 9;       //!< port of the datagrams
constexpr uint32_t PAYLOAD = 1000; //!< user bytes of a datagram
constexpr uint32_t FRAME = 1030;   //!< the same with UDP, IP and PPP headers

/** @brief What a run of DatagramRun came to. */
struct Outcome
{
    std::vector<uint64_t> arrived; //!< sequence numbers that arrived, in order
    std::string summary;           //!< summary.csv
    std::string series;            //!< series.csv
    RunCost cost;                  //!< what it cost
    std::string error;             //!< error line, if the flags were refused
};

/** @brief Gives the attributes of the standard path their own defaults again. */
void
ResetPath()
{
    const auto path = PointToPointTopology::GetTypeId();
    for (std::size_t i = 0; i < path.GetAttributeN(); ++i)
    {
        Config::SetDefault(path.GetAttributeFullName(i),
                           *path.GetAttribute(i).originalInitialValue);
    }
}

/** @brief A small program: datagrams at a fixed interval, over the flags' topology. */
class DatagramRun
{
  public:
    uint32_t packets{1000};                  //!< how many datagrams
    Time interval{MilliSeconds(1)};          //!< between two of them
    uint32_t unrelated{0};                   //!< how many random variables an unrelated part uses
    std::vector<Ptr<ErrorModel>> dataLosses; //!< models to add

    /// Run it; the flags are without outputDir.
    Outcome Run(std::vector<std::string> flags)
    {
        ScratchFolder scratch;
        Outcome outcome;
        // The simulation must not depend on earlier ones.
        RngSeedManager::ResetNextStreamIndex();
        flags.push_back("--outputDir=" + (scratch / "run").string());
        ResetPath(); // flags of earlier runs
        const std::string path = "ns3::lfn::PointToPointTopology::";
        Config::SetDefault(path + "LinkRate", StringValue("100Mbps"));
        Config::SetDefault(path + "Rtt", StringValue("20ms"));
        Scenario scenario("datagrams", "Sends datagrams.");
        scenario.GetFlags().Attribute("jitter", {path + "Jitter"});
        scenario.GetFlags().Attribute("reorder", {path + "ReorderProbability"});
        scenario.GetFlags().Attribute("reorderDisplacement", {path + "ReorderDisplacement"});
        scenario.GetFlags().Attribute("policer", {path + "PolicerRate"});
        scenario.GetFlags().SizeAttribute("policerBurst", {path + "PolicerBurst"});
        if (auto error = scenario.Check(flags))
        {
            outcome.error = *error;
            return outcome;
        }
        for (uint32_t i = 0; i < unrelated; ++i)
        {
            CreateObject<UniformRandomVariable>()->GetValue();
        }
        auto topology = scenario.BuildTopology();
        for (const auto& model : dataLosses)
        {
            scenario.GetLosses().AddData(model);
        }
        auto receiver =
            Socket::CreateSocket(topology->GetReceivers().Get(0), UdpSocketFactory::GetTypeId());
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        receiver->SetRecvCallback(Callback<void, Ptr<Socket>>([&](Ptr<Socket> socket) {
            while (auto packet = socket->Recv())
            {
                uint8_t bytes[8];
                packet->CopyData(bytes, sizeof(bytes));
                uint64_t sequence = 0;
                for (const uint8_t byte : bytes)
                {
                    sequence = sequence << 8 | byte;
                }
                outcome.arrived.push_back(sequence);
            }
        }));
        auto sender =
            Socket::CreateSocket(topology->GetSenders().Get(0), UdpSocketFactory::GetTypeId());
        sender->Connect(InetSocketAddress(topology->GetReceiverAddress(), PORT));
        for (uint32_t i = 0; i < packets; ++i)
        {
            Simulator::Schedule(interval * i, [sender, i] {
                uint8_t bytes[PAYLOAD] = {};
                for (int b = 0; b < 4; ++b)
                {
                    bytes[7 - b] = static_cast<uint8_t>(i >> (8 * b));
                }
                sender->Send(Create<Packet>(bytes, PAYLOAD));
            });
        }
        std::size_t before = 0;
        scenario.GetSeries().EachInterval([&](Time end, Time length) {
            scenario.GetRecorder().Sample(end,
                                          0,
                                          "goodput_bps",
                                          8.0 * PAYLOAD * (outcome.arrived.size() - before) /
                                              length.GetSeconds());
            before = outcome.arrived.size();
        });
        scenario.Run();
        TransferReport report;
        report.protocol = "datagrams";
        report.started = true;
        report.completed = true;
        report.offeredBytes = uint64_t{packets} * PAYLOAD;
        report.deliveredBytes = outcome.arrived.size() * PAYLOAD;
        report.finish = interval * packets;
        scenario.GetRecorder().AddFlow(0, report);
        outcome.cost = scenario.GetCost();
        std::ostringstream ignored;
        auto* const out = std::cout.rdbuf(ignored.rdbuf());
        const int status = scenario.Finish();
        std::cout.rdbuf(out);
        outcome.error = status == 0 ? "" : "files not written";
        outcome.summary = Read(scratch / "run/summary.csv");
        outcome.series = Read(scratch / "run/series.csv");
        return outcome;
    }
};

/** @brief The link of the common flags. */
LFN_CASE(PointToPointCase)
{
    auto topology = CreateObject<PointToPointTopology>();
    topology->SetAttribute("LinkRate", DataRateValue(DataRate("622Mbps")));
    topology->SetAttribute("Rtt", TimeValue(MilliSeconds(110)));
    topology->SetAttribute("Queue", QueueSizeValue(QueueSize("64kB")));
    topology->SetAttribute("Mtu", UintegerValue(9000));
    NS_TEST_EXPECT_MSG_EQ(topology->GetSenders().GetN(), 0, "not yet");
    topology->Build();
    topology->Build();
    NS_TEST_ASSERT_MSG_EQ(topology->GetSenders().GetN(), 1, "one sender");
    NS_TEST_ASSERT_MSG_EQ(topology->GetReceivers().GetN(), 1, "one receiver");
    NS_TEST_ASSERT_MSG_EQ(topology->GetBottlenecks().size(), 1, "one link");
    NS_TEST_EXPECT_MSG_EQ(topology->GetRtt(), MilliSeconds(110), "RTT");
    const auto [sending, receiving] = topology->GetBottlenecks().front();
    NS_TEST_EXPECT_MSG_EQ(sending->GetNode(), topology->GetSenders().Get(0), "from");
    NS_TEST_EXPECT_MSG_EQ(receiving->GetNode(), topology->GetReceivers().Get(0), "to");
    for (const auto& device : {sending, receiving})
    {
        DataRateValue rate;
        device->GetAttribute("DataRate", rate);
        NS_TEST_EXPECT_MSG_EQ(rate.Get(), DataRate("622Mbps"), "rate");
        NS_TEST_EXPECT_MSG_EQ(device->GetMtu(), 9000, "MTU");
        const auto queue = DynamicCast<PointToPointNetDevice>(device)->GetQueue();
        NS_TEST_EXPECT_MSG_EQ((queue->GetMaxSize() == QueueSize("64kB")), true, "queue");
        const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
        NS_TEST_ASSERT_MSG_NE(control, nullptr, "a host as ns-3 makes it");
        NS_TEST_EXPECT_MSG_EQ(control->GetRootQueueDiscOnDevice(device), nullptr, "no queue disc");
    }
    TimeValue delay;
    sending->GetChannel()->GetAttribute("Delay", delay);
    NS_TEST_EXPECT_MSG_EQ(delay.Get(), MilliSeconds(55), "delay");
    topology->Dispose();
    Simulator::Destroy();
}

/** @brief The device's queue is the only one, and its drops can be seen there. */
LFN_CASE(QueueCase)
{
    DatagramRun run;
    run.packets = 100;
    run.interval = Time(0);
    const auto outcome = run.Run({"--queue=10p"});
    // One being sent, ten that wait.
    NS_TEST_EXPECT_MSG_EQ(outcome.arrived.size(), 11, "eleven fit");
    NS_TEST_EXPECT_MSG_EQ(run.Run({"--queue=5150B"}).arrived.size(), 6, "bytes");
    NS_TEST_EXPECT_MSG_EQ(run.Run({"--queue=5149B"}).arrived.size(), 5, "a byte less");
    NS_TEST_EXPECT_MSG_EQ(run.Run({}).arrived.size(), 100, "10000 packets by default");
}

/** @brief An error model that counts packets and loses the third and the fifth. */
class ListenOnce : public ErrorModel
{
  public:
    uint32_t seen{0}; //!< packets seen

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        (void)packet;
        ++seen;
        return seen == 3 || seen == 5;
    }

    void DoReset() override
    {
        seen = 0;
    }
};

/** @brief Losses. */
LFN_CASE(LossCase)
{
    DatagramRun run;
    run.packets = 4000;
    run.interval = MicroSeconds(100);
    const auto first = run.Run({"--lossRate=0.12"});
    // Three standard deviations of 4000 Bernoulli trials.
    NS_TEST_EXPECT_MSG_EQ_TOL(first.arrived.size(), 3520, 62, "12 % are lost");
    NS_TEST_EXPECT_MSG_EQ((run.Run({"--lossRate=0.12"}).arrived == first.arrived),
                          true,
                          "same run, same losses");
    NS_TEST_EXPECT_MSG_EQ((run.Run({"--lossRate=0.12", "--reverseLoss"}).arrived == first.arrived),
                          true,
                          "the reverse path has its own stream");
    run.unrelated = 17;
    NS_TEST_EXPECT_MSG_EQ((run.Run({"--lossRate=0.12"}).arrived == first.arrived),
                          true,
                          "unrelated random variables shift nothing");
    run.unrelated = 0;

    // A list that drops the third and the fifth.
    auto list = CreateObject<ListenOnce>();
    run.dataLosses = {list};
    auto expected = first.arrived;
    std::erase_if(expected, [](uint64_t n) { return n == 2 || n == 4; });
    NS_TEST_EXPECT_MSG_EQ((run.Run({"--lossRate=0.12"}).arrived == expected),
                          true,
                          "a second model loses its own packets and shifts no stream");
    NS_TEST_EXPECT_MSG_EQ(list->seen, 4000, "and it sees every packet");
    run.dataLosses.clear();

    const uint64_t before = RngSeedManager::GetRun();
    RngSeedManager::SetRun(before + 1);
    NS_TEST_EXPECT_MSG_EQ((run.Run({"--lossRate=0.12"}).arrived == first.arrived),
                          false,
                          "another run, other losses");
    RngSeedManager::SetRun(before);
    NS_TEST_EXPECT_MSG_EQ(run.Run({"--lossRate=1"}).arrived.size(), 0, "all lost");

    Scenario scenario("datagrams", "");
    ScratchFolder scratch;
    const std::string folder = "--outputDir=" + (scratch / "x").string();
    scenario.Check({folder, "--lossRate=0.5"});
    const auto [sending, receiving] = scenario.BuildTopology()->GetBottlenecks().front();
    PointerValue model;
    receiving->GetAttribute("ReceiveErrorModel", model);
    NS_TEST_EXPECT_MSG_NE(model.Get<ErrorModel>(), nullptr, "data are lost");
    sending->GetAttribute("ReceiveErrorModel", model);
    NS_TEST_EXPECT_MSG_EQ(model.Get<ErrorModel>(), nullptr, "the reverse path is not");
    scenario.GetLosses().AddReverse(CreateObject<ErrorModelList>());
    sending->GetAttribute("ReceiveErrorModel", model);
    NS_TEST_EXPECT_MSG_NE(model.Get<ErrorModel>(), nullptr, "unless asked");
    Simulator::Destroy();
}

/** @brief Topologies by name. */
LFN_CASE(TopologyFlagCase)
{
    DatagramRun run;
    run.packets = 50;
    run.interval = MilliSeconds(5);
    const std::string user = "--topology=ns3::lfn::test::UserTopology";
    auto outcome = run.Run({user, "--seriesInterval=50ms"});
    NS_TEST_EXPECT_MSG_EQ(outcome.error, "", "taken");
    NS_TEST_EXPECT_MSG_EQ(outcome.arrived.size(), 50, "all arrive");
    // 10 datagrams of 1030 bytes in 50 ms at 10 Mb/s.
    NS_TEST_EXPECT_MSG_NE(outcome.series.find("0.1,-1,utilisation,0.1648\n"),
                          std::string::npos,
                          outcome.series);
    outcome = run.Run({user + "[Rate=1Mbps]", "--lossRate=1"});
    NS_TEST_EXPECT_MSG_EQ(outcome.error, "", "with an attribute");
    NS_TEST_EXPECT_MSG_EQ(outcome.arrived.size(), 0, "losses at its bottleneck");

    const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
        {{user, "--rtt=20ms"}, "--rtt=20ms: --topology describes the path"},
        {{user, "--linkRate=1Gbps"}, "--linkRate=1Gbps: --topology describes the path"},
        {{user, "--queue=5p"}, "--queue=5p: --topology describes the path"},
        {{user, "--mtu=9000"}, "--mtu=9kB: --topology describes the path"},
        {{user, "--jitter=5ms"}, "--jitter=5ms: --topology describes the path"},
        {{user, "--reorder=0.1"}, "--reorder=0.1: --topology describes the path"},
        {{user, "--policer=1Mbps"}, "--policer=1Mbps: --topology describes the path"},
        {{user + "[Rat=1Mbps]"}, "did you mean Rate?"},
        {{user + "[Rate=1]"}, "Rate: write the unit"},
        {{"--topology=UserTopology"}, "there is no TypeId"},
        {{"--topology=ns3::lfn::test::UserTopologie"}, "UserTopology?"},
        {{"--topology=ns3::Node"}, "derived from ns3::lfn::TransportTopology"},
        {{"--pcap=/no/such/folder/x"}, "there is no such folder"},
        {{"--pcap=" + std::string(250, 'x')}, "no file can be written there"},
    };
    for (const auto& [flags, part] : bad)
    {
        const std::string error = run.Run(flags).error;
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, error);
    }
    ScratchFolder scratch;
    std::ofstream(scratch / "file") << "in the way";
    const std::string folder = "--outputDir=" + (scratch / "file").string();
    Scenario scenario("datagrams", "");
    NS_TEST_EXPECT_MSG_EQ(scenario.Check({folder}).value_or(""),
                          folder + ": a file is in the way, give a folder",
                          "folder");
}

/** @brief A link that reorders data and loses what exceeds a rate. */
LFN_CASE(ReorderAndPoliceCase)
{
    DatagramRun run;
    run.packets = 200;
    const auto straight = run.Run({});
    NS_TEST_EXPECT_MSG_EQ(straight.arrived.size(), 200, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(std::ranges::is_sorted(straight.arrived), true, "in order");
    const std::vector<std::string> flags{"--reorder=0.1", "--reorderDisplacement=3"};
    auto reordered = run.Run(flags).arrived;
    NS_TEST_EXPECT_MSG_EQ(std::ranges::is_sorted(reordered), false, "out of order");
    run.unrelated = 17;
    NS_TEST_EXPECT_MSG_EQ((run.Run(flags).arrived == reordered), true, "a stream of its own");
    std::ranges::sort(reordered);
    NS_TEST_EXPECT_MSG_EQ((reordered == straight.arrived), true, "all arrive");

    const auto policed = run.Run({"--policer=1bps", "--policerBurst=50kB"}).arrived;
    NS_TEST_EXPECT_MSG_GT(policed.size(), 10, "the burst");
    NS_TEST_ASSERT_MSG_LT(policed.size(), 200, "no more");
    NS_TEST_EXPECT_MSG_EQ(
        std::ranges::equal(policed, std::span(straight.arrived).first(policed.size())),
        true,
        "the first ones");
    const auto lossy = run.Run({"--lossRate=1", "--policer=1Gbps"}).arrived;
    NS_TEST_EXPECT_MSG_EQ(lossy.size(), 0, "losses alongside the policer");
}

/** @brief The extra delay of the link that a scenario builds; null for ns-3's own channel. */
Ptr<RandomVariableStream>
GetJitter(std::vector<std::string> flags)
{
    ScratchFolder scratch;
    flags.push_back("--outputDir=" + (scratch / "x").string());
    ResetPath();
    Scenario scenario("jitter", "");
    scenario.GetFlags().Attribute("jitter", {"ns3::lfn::PointToPointTopology::Jitter"});
    scenario.Check(flags);
    const auto topology = scenario.BuildTopology();
    const auto channel = topology->GetBottlenecks().front().first->GetChannel();
    const auto jittering = DynamicCast<JitterChannel>(channel);
    const auto variable = jittering ? jittering->GetJitter() : nullptr;
    topology->Dispose();
    Simulator::Destroy();
    return variable;
}

/** @brief A link whose delay varies. */
LFN_CASE(JitterCase)
{
    NS_TEST_EXPECT_MSG_EQ(GetJitter({}), nullptr, "none unless asked");
    for (const std::string flag :
         {"--jitter=5ms", "--topology=ns3::lfn::PointToPointTopology[Jitter=5ms]"})
    {
        const auto jitter = GetJitter({flag});
        NS_TEST_ASSERT_MSG_NE(jitter, nullptr, flag);
        DoubleValue mean;
        jitter->GetAttribute("Mean", mean);
        NS_TEST_EXPECT_MSG_EQ_TOL(mean.Get(), 0.015, 1e-12, flag);
        NS_TEST_EXPECT_MSG_EQ(jitter->GetStream(), RandomStreams::TOPOLOGY, flag);
    }
    DatagramRun run;
    run.packets = 200;
    const auto straight = run.Run({"--seriesInterval=1ms"});
    const auto jittered = run.Run({"--seriesInterval=1ms", "--jitter=5ms"});
    NS_TEST_EXPECT_MSG_EQ((jittered.arrived == straight.arrived), true, "order is kept");
    NS_TEST_EXPECT_MSG_NE(jittered.series, straight.series, "other times of arrival");
    run.unrelated = 17;
    NS_TEST_EXPECT_MSG_EQ(run.Run({"--seriesInterval=1ms", "--jitter=5ms"}).series,
                          jittered.series,
                          "unrelated random variables shift nothing");
}

/** @brief The error line of a program with two hosts. */
std::string
Check(std::vector<std::string> flags)
{
    ScratchFolder scratch;
    flags.push_back("--outputDir=" + (scratch / "x").string());
    Scenario scenario("hosts", "");
    std::string receiver = "none";
    std::string sender = "none";
    scenario.GetHosts().Declare("receiverHost", "", receiver);
    scenario.GetHosts().Declare("senderHost", "", sender);
    return scenario.Check(flags).value_or("");
}

/** @brief Hosts of one's own, by flags. */
LFN_CASE(HostCase)
{
    const std::string read = "--ns3::lfn::HostCost::ReadCost=50us";
    const std::string memory = "--ns3::lfn::HostCost::MemoryBandwidth=1904Mbps";
    const std::string refused = ": no host takes it, give --receiverHost=custom";
    NS_TEST_EXPECT_MSG_EQ(Check({"--senderHost=custom", read, memory}), "", "one's own");
    NS_TEST_EXPECT_MSG_EQ(Check({read}), read + refused, "no host");
    NS_TEST_EXPECT_MSG_EQ(Check({memory}), memory + refused, "no host");
    NS_TEST_EXPECT_MSG_EQ(Check({"--senderHost=livelock", read}),
                          read + refused,
                          "a named profile sets it itself");
    NS_TEST_EXPECT_MSG_EQ(Check({"--senderHost=livelock", memory}), "", "but not the memory");
    NS_TEST_EXPECT_MSG_EQ(Check({"--ns3::lfn::UdpSink::MoveData=false"}), "", "not a host's");
    ScratchFolder scratch;
    Scenario hostless("hosts", "");
    const auto answer = hostless.Check({"--outputDir=" + (scratch / "x").string(), read});
    NS_TEST_EXPECT_MSG_EQ(answer.value_or(""), "", "a program without hosts does not mind");
}

/** @brief Completes at a time, or fails when it is stopped before. */
class Sleeper : public TransferApplication
{
  public:
    /// Complete at a time.
    explicit Sleeper(Time end)
        : m_end(end)
    {
    }

  private:
    void StartApplication() override
    {
        Simulator::Schedule(m_end - Simulator::Now(), [this] { Complete(); });
    }

    void CancelEvents() override
    {
    }

    Time m_end; //!< when it completes
};

/** @brief The end of a run whose applications have ended. */
LFN_CASE(StopCase)
{
    ScratchFolder scratch;
    Scenario scenario("stop", "");
    scenario.Check({"--outputDir=" + (scratch / "x").string()});
    const auto node = scenario.BuildTopology()->GetSenders().Get(0);
    std::vector<Ptr<Sleeper>> sleepers;
    for (const int64_t end : {1, 5, 9})
    {
        sleepers.push_back(CreateObject<Sleeper>(Seconds(end)));
        node->AddApplication(sleepers.back());
    }
    sleepers[1]->SetStopTime(Seconds(3));
    scenario.GetEnd().StopAfter(sleepers[0]);
    scenario.GetEnd().StopAfter(sleepers[1]);
    scenario.Run();
    NS_TEST_EXPECT_MSG_EQ(scenario.GetCost().simulated, Seconds(3), "the second one failed");
    NS_TEST_EXPECT_MSG_EQ(sleepers[0]->GetReport().completed, true, "the first one completed");
    NS_TEST_EXPECT_MSG_EQ(sleepers[2]->IsFinished(), false, "the third one is not waited for");
    Simulator::Destroy();
}

/** @brief What a program does without, and the names that are its own then. */
LFN_CASE(OptionsCase)
{
    ScratchFolder scratch;
    const std::string folder = "--outputDir=" + (scratch / "x").string();
    ResetPath();
    Scenario bare("options",
                  "",
                  {.topologies = {"ns3::lfn::StarTopology"},
                   .linkFlags = false,
                   .startFlag = false,
                   .messageLog = false,
                   .duration = Seconds(7)});
    bool start = false;
    bool messages = false;
    bool rtt = false;
    bare.GetFlags().Switch("start", "", start);
    bare.GetFlags().Switch("messages", "", messages);
    bare.GetFlags().Switch("rtt", "", rtt);
    const auto error = bare.Check({folder, "--start", "--messages", "--rtt"});
    NS_TEST_EXPECT_MSG_EQ(error.value_or(""), "", "the program's own flags");
    NS_TEST_EXPECT_MSG_EQ((start && messages && rtt), true, "are set");
    NS_TEST_EXPECT_MSG_EQ(bare.GetDuration(), Seconds(7), "its own default");
    NS_TEST_EXPECT_MSG_EQ(bare.GetFlags().Has("queue"), false, "no flag of the link");
    NS_TEST_EXPECT_MSG_EQ(bare.GetFlags().FindArgument("ns3::lfn::StarTopology::Mtu"),
                          "mtu",
                          "an Attribute of its own network");
    for (const bool moves : {true, false})
    {
        Scenario scenario("options", "", {.movesStarts = moves});
        scenario.Check({folder, "--start=2s", "--duration=9s"});
        const auto node = scenario.BuildTopology()->GetSenders().Get(0);
        const auto application = CreateObject<UdpSink>();
        application->SetStartTime(Seconds(1));
        application->SetStopTime(Seconds(4));
        node->AddApplication(application);
        scenario.Run();
        TimeValue from;
        TimeValue to;
        application->GetAttribute("StartTime", from);
        application->GetAttribute("StopTime", to);
        NS_TEST_EXPECT_MSG_EQ(from.Get(), Seconds(moves ? 3 : 1), "starts, moved " << moves);
        NS_TEST_EXPECT_MSG_EQ(to.Get(), Seconds(moves ? 6 : 4), "stops, moved " << moves);
        Simulator::Destroy();
    }
    ResetPath();
}

/** @brief Series, progress, duration and captures. */
LFN_CASE(RunCase)
{
    DatagramRun run;
    run.packets = 100;
    run.interval = MilliSeconds(1);
    const auto quiet = run.Run({});
    NS_TEST_EXPECT_MSG_EQ(quiet.series, "(none)", "no series unless asked");
    NS_TEST_EXPECT_MSG_EQ(quiet.arrived.size(), 100, "all arrive");
    // The last datagram leaves at 99 ms, takes 82.4 us to send and 10 ms on the way.
    NS_TEST_EXPECT_MSG_EQ(quiet.cost.simulated, NanoSeconds(109082400), "ends by itself");
    NS_TEST_EXPECT_MSG_GT(quiet.cost.events, 300, "events");
    NS_TEST_EXPECT_MSG_GT(quiet.cost.peakResidentBytes, 1000000, "memory");
    NS_TEST_EXPECT_MSG_GT(quiet.cost.wallSeconds, 0.0, "time");

    const auto watched = run.Run({"--seriesInterval=20ms"});
    // 20 datagrams of FRAME bytes in 20 ms at 100 Mb/s; the first tick ends before arrivals of
    // the second half, since the way takes 10 ms.
    static_assert(20 * FRAME * 8 == 164800);
    NS_TEST_EXPECT_MSG_EQ(watched.series,
                          "time_s,flow,metric,value\n"
                          "0.02,-1,queue_packets,0\n"
                          "0.02,-1,utilisation,0.0824\n"
                          "0.02,0,goodput_bps,4000000\n"
                          "0.04,-1,queue_packets,0\n"
                          "0.04,-1,utilisation,0.0824\n"
                          "0.04,0,goodput_bps,8000000\n"
                          "0.06,-1,queue_packets,0\n"
                          "0.06,-1,utilisation,0.0824\n"
                          "0.06,0,goodput_bps,8000000\n"
                          "0.08,-1,queue_packets,0\n"
                          "0.08,-1,utilisation,0.0824\n"
                          "0.08,0,goodput_bps,8000000\n"
                          "0.1,-1,queue_packets,0\n"
                          "0.1,-1,utilisation,0.0824\n"
                          "0.1,0,goodput_bps,8000000\n"
                          "0.12,-1,queue_packets,0\n"
                          "0.12,-1,utilisation,0\n"
                          "0.12,0,goodput_bps,4000000\n",
                          "series");
    NS_TEST_EXPECT_MSG_EQ(watched.summary, quiet.summary, "watching changes nothing");

    const auto cut = run.Run({"--seriesInterval=20ms", "--duration=50ms"});
    NS_TEST_EXPECT_MSG_EQ(cut.cost.simulated, MilliSeconds(50), "stopped");
    NS_TEST_EXPECT_MSG_NE(cut.series.find("0.05,0,goodput_bps,8000000\n"),
                          std::string::npos,
                          "the last interval is shorter: " << cut.series);
    const auto even = run.Run({"--seriesInterval=20ms", "--duration=40ms"});
    NS_TEST_EXPECT_MSG_NE(even.series.find("0.04,0,goodput_bps,8000000\n"),
                          std::string::npos,
                          "the interval that ends with the run is there: " << even.series);

    std::ostringstream progress;
    auto* const err = std::cerr.rdbuf(progress.rdbuf());
    const auto shown = run.Run({"--seriesInterval=20ms", "--progress"});
    const auto alone = run.Run({"--progress"});
    std::cerr.rdbuf(err);
    NS_TEST_EXPECT_MSG_EQ(shown.series, watched.series, "nor does progress");
    NS_TEST_EXPECT_MSG_EQ(alone.summary, quiet.summary, "nor does progress");
    NS_TEST_EXPECT_MSG_EQ(alone.cost.simulated, quiet.cost.simulated, "nor does it end later");
    NS_TEST_EXPECT_MSG_EQ(alone.cost.events, quiet.cost.events, "nor is it an event");

    run.interval = Time(0);
    const auto busy = run.Run({"--seriesInterval=1ms", "--duration=3ms"});
    // 82.4 us a datagram: 12.1 in a millisecond.
    NS_TEST_EXPECT_MSG_NE(busy.series.find("0.001,-1,queue_packets,87\n"
                                           "0.001,-1,utilisation,1\n"),
                          std::string::npos,
                          busy.series);

    ScratchFolder scratch;
    run.packets = 3;
    run.Run({"--pcap=" + (scratch / "trace").string()});
    std::size_t captures = 0;
    for (const auto& entry : fs::directory_iterator(scratch.Path()))
    {
        // The global header, then 16 bytes and the frame for each packet.
        NS_TEST_EXPECT_MSG_EQ(entry.file_size(), 24 + 3 * (16 + FRAME), entry.path());
        ++captures;
    }
    NS_TEST_EXPECT_MSG_EQ(captures, 2, "one a device");
}

const Suite g_suite("lfn-scenario", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(
        new PointToPointCase("two hosts, one link: rate, delay, queue, MTU, and no queue disc"));
    suite.Add(new QueueCase("the queue holds what it says, and the rest is lost there"));
    suite.Add(new LossCase(
        "losses: the rate asked for, data only unless both ways, streams of their own"));
    suite.Add(new TopologyFlagCase(
        "a user's own topology works in a program that has never received of it"));
    suite.Add(new JitterCase(
        "jitter: a program's own flag or the topology's attribute, on its own stream"));
    suite.Add(new ReorderAndPoliceCase(
        "reordering and policing: a program's own flags, with losses alongside them"));
    suite.Add(new HostCase("hosts: attributes that no host takes are refused"));
    suite.Add(new OptionsCase("a program does without flags and files by its options"));
    suite.Add(new StopCase("the run stops when all watched applications have ended, well or not"));
    suite.Add(
        new RunCase("series are exact, end with the run, and nobody's watching changes a run"));
});

} // namespace
