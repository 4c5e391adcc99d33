// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-network.h"
#include "lfn-test-topology.h"

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/lfn-flow-counter.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-transport.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What a network is like for a test. */
struct Path
{
    double lossRate{0};     //!< of data
    bool isDumbbell{false}; //!< not one link
    bool isEndless{false};  //!< stopped after a while
    bool losesFirst{false}; //!< the first packet of all
};

/** @brief A transport between the first pair of a network. */
class TransportOnPath
{
  public:
    Ptr<TransportTopology> topology; //!< the network
    Ptr<Transport> transport;        //!< what is tested
    TransportFlow flow;              //!< to be changed before Install()
    TransportEnds ends;              //!< after Install()

    /** @brief A flow of 1 MB. */
    explicit TransportOnPath(
        const std::string& name,
        const std::string& network = "PointToPointTopology[LinkRate=20Mbps|Rtt=20ms|Queue=100p]")
        : topology(Build(network)),
          flow(MakeFlow(topology))
    {
        std::vector<Ptr<Transport>> made;
        m_error = Transport::Read(name, made).value_or("");
        transport = made.at(0);
    }

    ~TransportOnPath()
    {
        Finish(topology);
    }

    TransportOnPath(const TransportOnPath&) = delete;
    TransportOnPath& operator=(const TransportOnPath&) = delete;

    /// Install the flow; the error line, or nothing.
    std::string Install()
    {
        m_error += transport->Prepare(*topology).value_or("");
        return m_error.empty() ? transport->Install(flow, ends).value_or("") : m_error;
    }

    /// Run for a time; the report of both ends.
    TransferReport Run(Time limit) const
    {
        Simulator::Stop(limit);
        Simulator::Run();
        return transport->GetReport(ends);
    }

    /// Lose data of the network by an error model.
    void Lose(Ptr<ErrorModel> model) const
    {
        topology->GetBottlenecks()[0].second->SetAttribute("ReceiveErrorModel",
                                                           PointerValue(model));
    }

  private:
    std::string m_error; //!< so far
};

/// What an independent counter has to watch of the flows between the first pair of a network.
FlowCounter::Flow
Watched(Ptr<TransportTopology> topology, uint16_t port)
{
    FlowCounter::Flow watched;
    watched.sender = topology->GetSenders().Get(0);
    watched.receiver = topology->GetReceivers().Get(0);
    watched.port = port;
    watched.ports = Transport::PORTS;
    return watched;
}

/// A packet with its PPP header as another host would send it; a large datagram lacks bytes.
Ptr<Packet>
FromAnotherHost(Ptr<const Packet> frame, uint32_t cut)
{
    const auto packet = frame->Copy();
    PppHeader ppp;
    Ipv4Header ip;
    UdpHeader udp;
    packet->RemoveHeader(ppp);
    packet->RemoveHeader(ip);
    const Ipv4Address other("192.0.2.1");
    constexpr uint8_t UDP = 17;
    if (ip.GetProtocol() != UDP)
    {
        return MakeFrame(other, ip.GetDestination(), ip.GetProtocol(), packet);
    }
    packet->RemoveHeader(udp);
    packet->RemoveAtEnd(packet->GetSize() > 2 * cut ? cut : 0);
    return MakeDatagram(InetSocketAddress(other, udp.GetSourcePort()),
                        InetSocketAddress(ip.GetDestination(), udp.GetDestinationPort()),
                        packet);
}

/** @brief All transports on one network at a time: content, end, and the independent counter's
 * count. */
class TransportMatrixTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        const auto plain = Transport::List();
        auto all = plain;
        all.insert(all.end(),
                   {"atou[Congestion=ns3::TcpCubic]",
                    "fec-udp[BlockPackets=2]",
                    "parallel-tcp[Streams=3]",
                    "tcp[Congestion=ns3::TcpBbr]",
                    "vrp[MaxLossRate=0.05]"});
        for (const bool isDumbbell : {false, true})
        {
            for (const double lossRate : {0.0, 0.02})
            {
                for (const auto& name : all)
                {
                    Check(name, Path{lossRate, isDumbbell, false});
                }
            }
        }
        for (const auto& name : plain)
        {
            Check(name, Path{name == "rbudp" ? 0 : 0.005, false, true});
        }
        Check("jrm[MessagePackets=1]", Path{0, false, false, true});
        NS_TEST_EXPECT_MSG_GT_OR_EQ(m_exact, 16, "of the runs without losses most");
    }

    /// Send a flow.
    void Check(const std::string& name, const Path& path)
    {
        const std::string what = name + (path.isDumbbell ? " dumbbell " : " link ") +
                                 std::to_string(path.lossRate) + (path.isEndless ? " endless" : "");
        const std::string kind = path.isDumbbell ? "Dumbbell" : "PointToPoint";
        FlowCounter counter; // outlives what it watches
        TransportOnPath test(name, kind + "Topology[LinkRate=20Mbps|Rtt=20ms|Queue=100p]");
        if (path.losesFirst)
        {
            test.Lose(CreateObjectWithAttributes<ScriptedErrorModel>("Drop", StringValue("1")));
        }
        else
        {
            const auto model = CreateObject<RateErrorModel>();
            model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            model->SetRate(path.lossRate);
            model->AssignStreams(5);
            test.Lose(model);
        }
        test.flow.index = 3;
        test.flow.bytes = path.isEndless ? 0 : 1'000'000;
        test.flow.start = MilliSeconds(100);
        test.flow.checkContent = true;
        const auto error = test.Install();
        if (path.isEndless && name == "rbudp")
        {
            NS_TEST_EXPECT_MSG_EQ((error.find("--bytes above 0") != std::string::npos), true, what);
            return;
        }
        NS_TEST_ASSERT_MSG_EQ(error, "", what);
        const auto number = counter.Watch(Watched(test.topology, test.flow.port));
        const auto report = test.Run(Seconds(path.isEndless ? 4 : 60));
        const auto& account = counter.Get(number);
        const auto bounds = test.transport->GetBounds(test.flow, test.ends);
        NS_TEST_EXPECT_MSG_EQ(report.failure, "", what);
        NS_TEST_EXPECT_MSG_EQ(report.protocol, name.substr(0, name.find('[')), what);
        NS_TEST_EXPECT_MSG_EQ(report.started, true, what);
        NS_TEST_EXPECT_MSG_EQ(FlowCounter::Agrees(account, report, bounds),
                              true,
                              what << ": " << report.deliveredBytes << " B in "
                                   << report.dataPackets << " packets said, "
                                   << account.payloadBytes << " B in " << account.packets
                                   << " seen, " << bounds.repairedBytes << " repaired, surplus "
                                   << bounds.surplusBytes);
        if (path.isEndless)
        {
            NS_TEST_EXPECT_MSG_EQ(report.completed, false, what);
            NS_TEST_EXPECT_MSG_GT(report.deliveredBytes, 100'000, what);
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(test.transport->IsDone(test.ends), true, what);
            NS_TEST_EXPECT_MSG_EQ(report.completed, true, what);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(report.offeredBytes, test.flow.bytes, what);
            NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes + report.lostBytes,
                                  report.offeredBytes,
                                  what);
            NS_TEST_EXPECT_MSG_EQ(((!test.transport->GetTraits().isReliable && path.lossRate > 0) ||
                                   report.lostBytes == 0),
                                  true,
                                  what);
        }
        // Where nothing may arrived redundantly a report that is off by a byte is found out.
        if (bounds.surplusBytes == 0)
        {
            ++m_exact;
            for (const int by : {-1, 1})
            {
                auto wrong = report;
                wrong.deliveredBytes += by;
                wrong.offeredBytes += 1;
                NS_TEST_EXPECT_MSG_EQ(FlowCounter::Agrees(account, wrong, bounds), false, what);
            }
        }
    }

    uint32_t m_exact{0}; //!< runs in which nothing may have arrived redundantly
};

/** @brief A host whose interface is down for a moment: one rule for all transports. */
LFN_CASE_OF(FlapTestCase, std::string kind, std::string host)
{
    for (const auto& name : Transport::List())
    {
        const auto what = name + ", " + host;
        TransportOnPath test(name, kind + "[LinkRate=20Mbps|Rtt=20ms|Queue=100p]");
        test.flow.bytes = 4'000'000;
        NS_TEST_ASSERT_MSG_EQ(test.Install(), "", what);
        const auto router = test.topology->GetBottlenecks()[0].first;
        const auto node = host == "router"   ? router->GetNode()
                          : host == "sender" ? test.flow.sender
                                             : test.flow.receiver;
        const auto ip = node->GetObject<Ipv4>();
        const auto number = ip->GetInterfaceForDevice(router);
        const auto interface = static_cast<uint32_t>(host == "router" ? number : 1);
        Simulator::Schedule(MilliSeconds(500), [ip, interface] { ip->SetDown(interface); });
        Simulator::Schedule(MilliSeconds(600), [ip, interface] { ip->SetUp(interface); });
        const auto report = test.Run(Seconds(100));
        NS_TEST_EXPECT_MSG_EQ(report.failure, "", what);
        NS_TEST_EXPECT_MSG_EQ(test.transport->IsDone(test.ends), true, what);
        const bool isReliable = test.transport->GetTraits().isReliable;
        const uint64_t least = isReliable ? report.offeredBytes : 3'000'000;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(report.deliveredBytes, least, what);
    }
}

/** @brief A sender whose address changes delivers the rest, or the flow ends with a reason. */
LFN_CASE(MovedSenderTestCase)
{
    for (const auto& name : Transport::List())
    {
        TransportOnPath test(name);
        test.flow.bytes = 4'000'000;
        NS_TEST_ASSERT_MSG_EQ(test.Install(), "", name);
        Simulator::Schedule(MilliSeconds(500), [ip = test.flow.sender->GetObject<Ipv4>()] {
            const auto old = ip->GetAddress(1, 0);
            ip->RemoveAddress(1, 0);
            const Ipv4Address other(old.GetLocal().Get() + 100);
            ip->AddAddress(1, Ipv4InterfaceAddress(other, old.GetMask()));
        });
        const auto report = test.Run(Seconds(2000));
        const bool isDelivered = report.deliveredBytes + 100'000 >= test.flow.bytes;
        NS_TEST_EXPECT_MSG_EQ(test.transport->IsDone(test.ends), true, name);
        NS_TEST_EXPECT_MSG_EQ((isDelivered || !report.failure.empty()), true, name);
    }
}

/** @brief The first packet from another host, ahead of it, does not take the flow. */
LFN_CASE_OF(ForgedFirstTestCase, uint32_t cut)
{
    for (const auto& name : Transport::List())
    {
        TransportOnPath test(name);
        NS_TEST_ASSERT_MSG_EQ(test.Install(), "", name);
        const auto model = CreateObject<ScriptedErrorModel>();
        model->DropAll();
        const auto device = test.topology->GetBottlenecks()[0].second;
        uint32_t count = 0;
        model->SetFilter(ScriptedErrorModel::Filter([&](Ptr<const Packet> frame) {
            if (++count > 1)
            {
                return false;
            }
            // The forged one now, the genuine one a moment later.
            Arrive(device, FromAnotherHost(frame, cut));
            Arrive(device, frame->Copy(), MicroSeconds(1));
            return true;
        }));
        test.Lose(model);
        const auto report = test.Run(Seconds(2000));
        NS_TEST_EXPECT_MSG_GT(count, 1, name);
        NS_TEST_EXPECT_MSG_EQ(report.failure, "", name);
        NS_TEST_EXPECT_MSG_EQ(test.transport->IsDone(test.ends), true, name);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(report.deliveredBytes + cut, test.flow.bytes, name);
    }
}

/** @brief Timers follow the round-trip time, as buffers do. */
LFN_CASE_OF(LongPathTestCase, std::string rtt)
{
    for (const auto& name : Transport::List())
    {
        TransportOnPath test(name,
                             "PointToPointTopology[LinkRate=10Mbps|Queue=1000p|Rtt=" + rtt + "]");
        test.flow.bytes = 100'000;
        test.flow.sendRate = DataRate("5Mbps");
        NS_TEST_ASSERT_MSG_EQ(test.Install(), "", name);
        const auto report = test.Run(Seconds(2000));
        NS_TEST_EXPECT_MSG_EQ(report.failure, "", name << " at " << rtt);
        NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes, report.offeredBytes, name << " at " << rtt);
        NS_TEST_EXPECT_MSG_GT(report.deliveredBytes + 1, test.flow.bytes, name);
    }
}

/** @brief Hosts without an Internet stack end a transfer, not the program. */
LFN_CASE(BareNodeTestCase)
{
    for (const auto& name : Transport::List())
    {
        for (const bool isBareSender : {false, true})
        {
            const auto what = name + (isBareSender ? ", bare sender" : ", bare receiver");
            TransportOnPath test(name, "PointToPointTopology");
            (isBareSender ? test.flow.sender : test.flow.receiver) = CreateObject<Node>();
            test.flow.bytes = 100'000;
            test.flow.sendRate = DataRate("1Mbps");
            if (test.Install().empty())
            {
                const auto failure = test.Run(Seconds(30)).failure;
                NS_TEST_EXPECT_MSG_NE(failure, "", what);
                NS_TEST_EXPECT_MSG_EQ(failure.find('\n'), std::string::npos, what);
            }
        }
    }
}

/** @brief A transport refuses a rate at which it cannot send packets of a size. */
LFN_CASE_OF(RateTestCase, std::string name, std::string rate, uint32_t packetSize, bool isGood)
{
    TransportOnPath test(name, "PointToPointTopology");
    test.flow.bytes = 1000;
    test.flow.sendRate = DataRate(rate);
    test.flow.packetSize = packetSize;
    const auto error = test.Install();
    NS_TEST_EXPECT_MSG_EQ(error.empty(), isGood, error);
    NS_TEST_EXPECT_MSG_EQ((isGood || error.find("--sendRate") != std::string::npos), true, error);
}

/** @brief The round-trip time of a pair is half of each of its hosts'. */
LFN_CASE(PairRttTestCase)
{
    const auto topology = Build("DumbbellTopology[Rtts=40ms,80ms|Pairs=2]");
    NS_TEST_EXPECT_MSG_EQ(topology->GetRtt(0, 0), MilliSeconds(40), "a pair");
    NS_TEST_EXPECT_MSG_EQ(topology->GetRtt(1, 1), MilliSeconds(80), "a pair");
    NS_TEST_EXPECT_MSG_EQ(topology->GetRtt(0, 1), MilliSeconds(60), "half of each");
    NS_TEST_EXPECT_MSG_EQ(topology->GetRtt(1, 0), MilliSeconds(60), "half of each");
    Finish(topology);
}

/**
 * @brief The independent counter against scripted losses, packet by packet.
 *
 * Two flows of datagrams, in fragments above 1472 B. One flow, or without a port any fragment of
 * both, loses packets, and thereby a number of datagrams of the first and of the second flow.
 */
LFN_CASE_OF(FlowCounterTestCase,
            uint32_t packetSize,
            std::optional<uint16_t> port,
            std::string losses,
            uint32_t first,
            uint32_t second)
{
    const auto topology = Build("PointToPointTopology[LinkRate=100Mbps]");
    const auto script = CreateObjectWithAttributes<ScriptedErrorModel>("Drop", StringValue(losses));
    script->SetFilter(IpPacketFilter{.ipProtocol = 17, .destinationPort = port});
    topology->GetBottlenecks()[0].second->SetAttribute("ReceiveErrorModel", PointerValue(script));
    FlowCounter counter;
    std::vector<Ptr<UdpSink>> sinks;
    for (uint32_t i = 0; i < 2; ++i)
    {
        const auto own = static_cast<uint16_t>(20000 + 8 * i);
        const auto source = CreateObject<UdpSource>();
        const InetSocketAddress remote(topology->GetReceiverAddress(0), own);
        source->SetAttribute("Remote", AddressValue(remote));
        source->SetAttribute("Bytes", UintegerValue(uint64_t{20} * packetSize - 100 * i));
        source->SetAttribute("PacketSize", UintegerValue(packetSize));
        source->SetAttribute("SendRate", DataRateValue(DataRate("10Mbps")));
        topology->GetSenders().Get(0)->AddApplication(source);
        sinks.push_back(CreateObject<UdpSink>());
        sinks.back()->SetAttribute("Port", UintegerValue(own));
        topology->GetReceivers().Get(0)->AddApplication(sinks.back());
        counter.Watch(Watched(topology, own));
    }
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    for (const uint32_t i : {0, 1})
    {
        const auto& account = counter.Get(i);
        const uint32_t lost = i == 0 ? first : second;
        NS_TEST_EXPECT_MSG_EQ(account.packets, 20 - lost, losses << ": each once");
        NS_TEST_EXPECT_MSG_EQ(account.payloadBytes,
                              (20 - lost) * packetSize - 100 * i,
                              losses << ": every byte");
        NS_TEST_EXPECT_MSG_EQ(account.payloadBytes,
                              sinks[i]->GetReport().deliveredBytes,
                              losses << ": as the sink says");
        NS_TEST_EXPECT_MSG_EQ(account.controlPackets, 0, losses << ": nothing else");
    }
    Finish(topology);
}

/** @brief The bounds of agreement, on either side. */
LFN_CASE(CounterBoundsTestCase)
{
    FlowCounter::Account account;
    account.packets = 10;
    account.payloadBytes = 1040;
    FlowCounter::Bounds bounds;
    bounds.headerBytes = 4;
    TransferReport report;
    report.dataPackets = 10;
    report.offeredBytes = 2000;
    account.controlBytes = 200;
    const auto agrees = [&](uint64_t delivered) {
        report.deliveredBytes = delivered;
        return FlowCounter::Agrees(account, report, bounds);
    };
    NS_TEST_EXPECT_MSG_EQ(agrees(1000), true, "just so");
    NS_TEST_EXPECT_MSG_EQ(agrees(1001), false, "more than came");
    NS_TEST_EXPECT_MSG_EQ(agrees(999), false, "less than came");
    bounds.surplusBytes = 100;
    NS_TEST_EXPECT_MSG_EQ(agrees(900), true, "duplicates");
    NS_TEST_EXPECT_MSG_EQ(agrees(899), false, "too many");
    bounds.surplusBytes = 0;
    bounds.repairedBytes = 200;
    NS_TEST_EXPECT_MSG_EQ(agrees(1200), true, "made good");
    NS_TEST_EXPECT_MSG_EQ(agrees(1000), false, "but not reported");
    NS_TEST_EXPECT_MSG_EQ(agrees(100), false, "no wrap");
    bounds.repairedBytes = 0;
    report.dataPackets = 9;
    NS_TEST_EXPECT_MSG_EQ(agrees(1000), false, "more packets than were sent");
    bounds.surplusPackets = 1;
    NS_TEST_EXPECT_MSG_EQ(agrees(1000), true, "one of control");
    report.lostBytes = 1000;
    NS_TEST_EXPECT_MSG_EQ(agrees(1000), true, "the rest is lost");
    report.lostBytes = 1001;
    NS_TEST_EXPECT_MSG_EQ(agrees(1000), false, "more than was offered");
    report.lostBytes = 0;
    report.retransmittedPackets = 9;
    NS_TEST_EXPECT_MSG_EQ(agrees(1000), true, "all retransmitted");
    report.retransmittedPackets = 10;
    NS_TEST_EXPECT_MSG_EQ(agrees(1000), false, "more retransmitted than sent");
    report.retransmittedPackets = 0;
    bounds.repairedBytes = 200;
    NS_TEST_EXPECT_MSG_EQ(agrees(1200), true, "made good by as much");
    account.controlBytes = 199;
    NS_TEST_EXPECT_MSG_EQ(agrees(1200), false, "made good from nothing");
    bounds.repairedBytes = 0;
    bounds.headerBytes = 200;
    NS_TEST_EXPECT_MSG_EQ(agrees(0), false, "headers larger than packets");
}

/**
 * @brief A flow is done when a receiving host that needs time has delivered everything.
 *
 * Send 10 packets to a host that takes a second for all; a sink that is stopped has its end.
 */
LFN_CASE_OF(TransportHostTestCase, Time sinkStop)
{
    TransportOnPath test("tcp", "PointToPointTopology[LinkRate=20Mbps|Rtt=20ms]");
    test.flow.bytes = 14'000;
    NS_TEST_ASSERT_MSG_EQ(test.Install(), "", "installed");
    const auto cost = CreateObject<HostCost>();
    cost->SetAttribute("ReadCost", TimeValue(MilliSeconds(100)));
    test.ends.sink->SetAttribute("HostCost", PointerValue(cost));
    if (sinkStop.IsStrictlyPositive())
    {
        test.ends.sink->SetStopTime(sinkStop);
    }
    const auto& sent = test.ends.source->GetReport();
    const auto early = test.Run(MilliSeconds(500));
    NS_TEST_EXPECT_MSG_EQ(sent.completed, true, "everything is acknowledged");
    NS_TEST_EXPECT_MSG_EQ(test.transport->IsDone(test.ends), false, "not delivered");
    NS_TEST_EXPECT_MSG_EQ(early.completed, false, "not delivered");
    const auto report = test.Run(Seconds(2));
    const bool isStopped = sinkStop.IsStrictlyPositive();
    NS_TEST_EXPECT_MSG_EQ(test.transport->IsDone(test.ends), true, "delivered, or nothing will be");
    NS_TEST_EXPECT_MSG_EQ(report.completed, !isStopped, "whether it is delivered");
    NS_TEST_EXPECT_MSG_EQ((report.deliveredBytes == test.flow.bytes), !isStopped, "every byte");
}

const Suite g_suite("lfn-transports", TestSuite::Type::SYSTEM, [](Suite& suite) {
    using Port = std::optional<uint16_t>;
    const auto counter = [&suite](const std::string& what, auto... with) {
        suite.Add(
            new FlowCounterTestCase("flow independent counter: exact counts, " + what, with...));
    };
    counter("datagrams", 1000, Port(20000), "2,5,6", 3, 0);
    counter("fragments of a flow", 4000, Port(20000), "2,5,6", 3, 0);
    // Of fragments, three a datagram and the flows in turns: the first and the last one of two of
    // the first flow's, the middle one and all of two of the second's.
    counter("fragments of both flows", 4000, Port(), "1,5,15,22,23,24", 2, 2);
    suite.Add(new CounterBoundsTestCase("flow independent counter: bounds of agreement"));
    for (const std::string kind : {"PointToPointTopology", "DumbbellTopology"})
    {
        for (const std::string host : {"sender", "receiver", "router"})
        {
            suite.Add(
                new FlapTestCase(kind + ": an interface of the " + host + " is down for 0.1 s",
                                 kind,
                                 host));
        }
    }
    suite.Add(new ForgedFirstTestCase("another host is the first to send", 0));
    suite.Add(new ForgedFirstTestCase("another host is the first to send, another size", 100));
    suite.Add(new MovedSenderTestCase("the sender's address changes"));
    suite.Add(new LongPathTestCase("a round-trip time of 5 s", "5s"));
    suite.Add(new LongPathTestCase("a round-trip time of 10 s", "10s"));
    suite.Add(new LongPathTestCase("a round-trip time of 20 s", "20s"));
    suite.Add(new BareNodeTestCase("hosts without an Internet stack"));
    suite.Add(new TransportHostTestCase("transports: done when delivered", Time(0)));
    suite.Add(new TransportHostTestCase("transports: done when stopped", MilliSeconds(800)));
    suite.Add(new TransportMatrixTestCase("transports: delivered, ended, agreed"));
    const auto rate = [&suite](const std::string& name,
                               const std::string& rate,
                               uint32_t packetSize,
                               bool isGood) {
        suite.Add(new RateTestCase(name + " at " + rate, name, rate, packetSize, isGood));
    };
    rate("jrm", "1bps", 1400, true);
    rate("jrm", "100Gbps", 1, false);
    rate("jrm[MessagePackets=1]", "1Gbps", 1, true);
    rate("fec-udp[BlockPackets=1]", "1bps", 1400, false);
    rate("fec-udp[BlockPackets=1]", "2bps", 1400, true);
    rate("fec-udp[BlockPackets=31]", "1Gbps", 1400, true);
    suite.Add(new PairRttTestCase("round-trip times of any pair"));
});

} // namespace
