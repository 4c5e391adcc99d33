// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"

#include "ns3/error-model.h"
#include "ns3/fec-udp-sink.h"
#include "ns3/lfn-transport.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Objects in time: senders that send what is offered, and wait for more.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief A flow whose source has no size, between the first hosts of a network. */
class OpenFlow
{
  public:
    /** @brief Install a flow; sources of frames and messages never start. */
    explicit OpenFlow(const std::string& name, const std::string& network)
        : topology(Build(network))
    {
        std::vector<Ptr<Transport>> made;
        Transport::Read(name, made);
        transport = made.at(0);
        auto flow = MakeFlow(topology);
        flow.bytes = name == "rbudp" ? 1 : 0;
        flow.packetSize = 1000;
        error = transport->Prepare(*topology).value_or("") +
                transport->Install(flow, ends).value_or("");
        ends.source->SetAttributeFailSafe("Bytes", UintegerValue(0));
        ends.source->SetAttributeFailSafe("ChunkSize", UintegerValue(10'000));
        if (ends.feeder)
        {
            ends.feeder->SetStartTime(Hours(1));
        }
    }

    ~OpenFlow()
    {
        Finish(topology);
    }

    OpenFlow(const OpenFlow&) = delete;
    OpenFlow& operator=(const OpenFlow&) = delete;

    /// Run until a time.
    static void RunUntil(Time time)
    {
        Simulator::Stop(time - Simulator::Now());
        Simulator::Run();
    }

    Ptr<TransportTopology> topology; //!< the network
    Ptr<Transport> transport;        //!< who carries it
    TransportEnds ends;              //!< its ends
    std::string error;               //!< of the installation
};

const std::string PATH = "PointToPointTopology[LinkRate=20Mbps|Rtt=20ms|Queue=100p]"; //!< network
const std::string PATH_100_MS =
    "PointToPointTopology[LinkRate=20Mbps|Rtt=100ms|Queue=1000p]"; //!< a long one

/** @brief Three offers per second apart: each is delivered at once, nothing is sent in between. */
LFN_CASE_OF(OfferTestCase, std::string name, bool isBeforeStart)
{
    constexpr uint64_t BYTES = 10'000;
    OpenFlow flow(name, PATH);
    NS_TEST_ASSERT_MSG_EQ(flow.error, "", name);
    const auto source = flow.ends.source;
    if (!isBeforeStart)
    {
        OpenFlow::RunUntil(MicroSeconds(1));
    }
    for (uint64_t i = 1; i <= 3; ++i)
    {
        const Time begin = Simulator::Now();
        NS_TEST_ASSERT_MSG_EQ(source->Offer(BYTES), true, name << ", offer " << i);
        OpenFlow::RunUntil(begin + MilliSeconds(150));
        NS_TEST_ASSERT_MSG_EQ(flow.ends.sink->GetReport().deliveredBytes, i * BYTES, name);
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().offeredBytes, i * BYTES, name);
        const auto packets = source->GetReport().dataPackets;
        OpenFlow::RunUntil(begin + Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().dataPackets, packets, name << ": it waits");
        NS_TEST_EXPECT_MSG_EQ(source->IsFinished(), false, name << ": more may come");
    }
    NS_TEST_EXPECT_MSG_EQ(source->Offer(0), false, name << ": nothing");
    source->Finish();
    OpenFlow::RunUntil(Seconds(5));
    if (name != "jrm") // which is stopped
    {
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, name);
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().failure, "", name);
        NS_TEST_EXPECT_MSG_EQ(source->Offer(BYTES), false, name << ": it has ended");
    }
    NS_TEST_EXPECT_MSG_EQ(flow.ends.sink->GetReport().deliveredBytes, 3 * BYTES, name);
}

/** @brief Offers at once and a late Finish() lose nothing, whenever the connection stands. */
LFN_CASE(OfferBurstTestCase)
{
    for (const std::string name : {"tcp", "xcp", "parallel-tcp", "udp", "fec-udp", "udt"})
    {
        OpenFlow flow(name, PATH);
        for (int i = 0; i < 50; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(flow.ends.source->Offer(10'000), true, name);
        }
        flow.ends.source->Finish();
        NS_TEST_EXPECT_MSG_EQ(flow.ends.source->Offer(10'000), false, name << ": asked to finish");
        OpenFlow::RunUntil(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ(flow.ends.source->GetReport().completed, true, name);
        NS_TEST_EXPECT_MSG_EQ(flow.ends.sink->GetReport().deliveredBytes, 500'000, name);
    }
}

/** @brief Who refuses an offer. */
LFN_CASE(OfferRefusedTestCase)
{
    for (const std::string name : {"tcp", "udp", "fec-udp", "parallel-tcp", "udt"})
    {
        OpenFlow sized(name, PATH);
        sized.ends.source->SetAttribute("Bytes", UintegerValue(10'000));
        NS_TEST_EXPECT_MSG_EQ(sized.ends.source->Offer(10'000), false, name << " with a size");
    }
    for (const std::string name : {"tcp", "udp", "fec-udp", "udt"})
    {
        OpenFlow endless(name, PATH);
        OpenFlow::RunUntil(MilliSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(endless.ends.source->Offer(10'000), false, name << " without end");
    }
    const auto takes = [](const std::string& name, uint64_t bytes) {
        return OpenFlow(name, PATH).ends.source->Offer(bytes);
    };
    NS_TEST_EXPECT_MSG_EQ(takes("atou", 1000), false, "atou takes none");
    NS_TEST_EXPECT_MSG_EQ(takes("parallel-tcp", 9'999), false, "a part of a chunk");
    NS_TEST_EXPECT_MSG_EQ(takes("vrp", uint64_t{1} << 32), false, "too large a frame");
    OpenFlow longest("tcp", PATH);
    NS_TEST_EXPECT_MSG_EQ(longest.ends.source->Offer(UINT64_MAX), true, "the most");
    NS_TEST_EXPECT_MSG_EQ(longest.ends.source->Offer(1), false, "more than the most");
}

/** @brief Small objects, 100 per second, over a lossy path of 100 ms. */
class OfferLossTestCase : public Case
{
    using Case::Case;

    static constexpr uint64_t OBJECTS = 20'000; //!< offered
    static constexpr uint32_t SIZE = 1000;      //!< of each, [B]

    /// Offer the objects of a flow, and run to the end.
    static void Run(OpenFlow& flow)
    {
        const auto model = CreateObject<RateErrorModel>();
        model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        model->SetRate(0.01);
        model->AssignStreams(7);
        flow.topology->GetBottlenecks()[0].second->SetAttribute("ReceiveErrorModel",
                                                                PointerValue(model));
        const auto source = flow.ends.source;
        source->Offer(SIZE);
        for (uint64_t i = 1; i < OBJECTS; ++i)
        {
            Simulator::Schedule(GetTime(i), [source] { source->Offer(SIZE); });
        }
        Simulator::Schedule(GetTime(OBJECTS), [source] { source->Finish(); });
        OpenFlow::RunUntil(GetTime(OBJECTS) + Seconds(10));
    }

    /// When an object is available.
    static Time GetTime(uint64_t object)
    {
        return MilliSeconds(10 * static_cast<int64_t>(object));
    }

    /**
     * @brief TCP: a lost object takes 1.5 RTTs, and those behind it wait.
     * @param congestion its congestion control
     * @param isWindowLarge its window stays larger than what is in flight, 10 segments
     * @return share of late objects
     */
    double CheckTcp(const std::string& congestion, bool isWindowLarge)
    {
        std::vector<Time> delays;
        OpenFlow tcp("tcp[Congestion=ns3::" + congestion + "]", PATH_100_MS);
        ConnectTrace(tcp.ends.sink, "Progress", [&](uint64_t delivered, uint64_t) {
            while (delays.size() < delivered / SIZE)
            {
                delays.push_back(Simulator::Now() - GetTime(delays.size()));
            }
        });
        Run(tcp);
        NS_TEST_EXPECT_MSG_EQ(delays.size(), OBJECTS, "TCP delivers all");
        constexpr uint64_t FIRST = 100; // the connection stands, and the window is open
        uint64_t late = 0;
        uint64_t lost = 0;
        uint64_t early = 0;
        for (uint64_t i = FIRST; i < OBJECTS; ++i)
        {
            const bool isLate = delays[i] > MilliSeconds(55);
            late += isLate ? 1 : 0;
            if (isLate && delays[i - 1] <= MilliSeconds(55)) // it was lost, or the window is small
            {
                ++lost;
                early += delays[i] < MilliSeconds(150) ? 1 : 0;
            }
        }
        if (isWindowLarge)
        {
            NS_TEST_EXPECT_MSG_GT(lost, 100, "lost objects");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(early, 5, "of those, recovered earlier");
        }
        const double share = static_cast<double>(late) / static_cast<double>(OBJECTS - FIRST);
        return share;
    }

    /// FEC: what is recovered is late by three intervals at most; little stays lost.
    void CheckFec()
    {
        OpenFlow fec("fec-udp", PATH_100_MS);
        Run(fec);
        const auto counters = DynamicCast<FecUdpSink>(fec.ends.sink)->GetCounters();
        NS_TEST_EXPECT_MSG_LT_OR_EQ(counters.longest, MilliSeconds(30), "the longest wait");
        NS_TEST_EXPECT_MSG_EQ_TOL(counters.recovered / (0.01 * OBJECTS), 0.97, 0.2, "recovered");
        // p (1 - (1 - p)^3) of them, 6.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(counters.lost, 18, "lost for good");
    }

    void DoRun() override
    {
        // A lost segment holds up what is sent until it is there again: 1 - 0.99^12.
        NS_TEST_EXPECT_MSG_EQ_TOL(CheckTcp("TcpScalable", true), 0.11, 0.03, "late objects");
        // Where losses make the window smaller than what is in flight, objects also wait for it.
        NS_TEST_EXPECT_MSG_GT(CheckTcp("TcpCubic", false), 0.3, "late objects");
        CheckFec();
    }
};

const Suite g_suite("lfn-offer", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const std::string name : {"tcp", "xcp", "parallel-tcp", "udp", "fec-udp", "rbudp", "udt"})
    {
        suite.Add(new OfferTestCase(name + ": three offers", name, true));
    }
    suite.Add(new OfferTestCase("vrp: three frames", "vrp", false));
    suite.Add(new OfferTestCase("jrm: three messages", "jrm", false));
    suite.Add(new OfferBurstTestCase("many offers before the connection stands"));
    suite.Add(new OfferRefusedTestCase("offers that are refused"));
    suite.Add(new OfferLossTestCase("objects over a lossy path: TCP holds up, FEC does not"));
});

} // namespace
