// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"

#include "ns3/abort.h"
#include "ns3/data-rate.h"
#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-class-queue-disc.h"
#include "ns3/lfn-install-queue-disc.h"
#include "ns3/lfn-transport.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr double LINK = 100e6;         //!< rate of the bottleneck, [bit/s]
constexpr double WEIGHT = 0.6;         //!< RBUDP's share of it
constexpr uint32_t PACKET = 1400;      //!< user bytes of a packet, [B]
constexpr uint32_t UDP_HEADERS = 14;   //!< RBUDP's 4, UDP's 8, PPP's 2, [B]
constexpr uint32_t TCP_HEADERS = 34;   //!< TCP's 32 with timestamps, PPP's 2, [B]
constexpr uint64_t DATAGRAMS = 15'000; //!< of RBUDP's payload
constexpr uint32_t BUFFER = 20;        //!< packets of RBUDP's class
const Time START = Seconds(3);         //!< of RBUDP

/** @brief A case of two transports: RBUDP in the class EF, and TCP NewReno in the class rest. */
struct Sharing
{
    double rate;        //!< of RBUDP over that of the link, all headers counted
    bool isIpv6{false}; //!< IPv6, and not IPv4
    std::string disc{"ClassQueueDisc[Classes=EF:0.6:20p,rest:0.4:2000p]"}; //!< at the bottleneck
};

/** @brief Two senders and two receivers on either side of a bottleneck. */
class SharedLink
{
  public:
    explicit SharedLink(const Sharing& with)
        : m_topology(Build(std::string("DumbbellTopology[Pairs=2|LinkRate=100Mbps|AccessRate=1Gbps|"
                                       "Rtt=20ms|Queue=3000p") +
                           (with.isIpv6 ? "|Ipv6=true]" : "]"))),
          m_ip(with.isIpv6 ? 40 : 20)
    {
        if (with.isIpv6)
        {
            m_topology->UseIpv6();
        }
        ObjectFactory factory;
        const auto remedy =
            MakeFactory((with.disc.starts_with("Class") ? "ns3::lfn::" : "ns3::") + with.disc,
                        QueueDisc::GetTypeId(),
                        factory);
        NS_ABORT_MSG_IF(remedy, remedy.value_or(""));
        const auto disc = factory.Create<QueueDisc>();
        InstallQueueDisc(m_topology->GetBottlenecks().at(0).first, disc);
        classes = DynamicCast<ClassQueueDisc>(disc);

        auto flow = MakeFlow(m_topology);
        flow.packetSize = PACKET;
        flow.bytes = PACKET * DATAGRAMS;
        flow.start = START;
        // User bits of what all headers are counted in.
        const double user = with.rate * LINK * PACKET / (PACKET + UDP_HEADERS + m_ip);
        flow.sendRate = DataRate(static_cast<uint64_t>(user));
        rbudp = Install("rbudp[Tos=EF]", flow, rbudpEnds);
        flow.index = 1;
        flow.port += Transport::PORTS;
        flow.sender = m_topology->GetSenders().Get(1);
        flow.receiver = m_topology->GetReceivers().Get(1);
        flow.senderAddress = m_topology->GetSenderEnd(1);
        flow.receiverAddress = m_topology->GetReceiverEnd(1);
        flow.start = Time();
        flow.bytes = 0;
        // Three times what the path holds, and less than its queue: TCP always has packets there.
        flow.windowBytes = 800'000;
        flow.stream += 1000;
        tcp = Install("tcp[Congestion=ns3::TcpNewReno]", flow, tcpEnds);
    }

    ~SharedLink()
    {
        Finish(m_topology);
    }

    SharedLink(const SharedLink&) = delete;
    SharedLink& operator=(const SharedLink&) = delete;

    /// What TCP has of the link in a time, all headers counted, over the link's rate.
    double GetTcpShare(Time from, Time to) const
    {
        uint64_t before = 0;
        uint64_t after = 0;
        Simulator::Schedule(from - Simulator::Now(),
                            [&] { before = tcp->GetReport(tcpEnds).deliveredBytes; });
        Simulator::Stop(to - Simulator::Now());
        Simulator::Run();
        after = tcp->GetReport(tcpEnds).deliveredBytes;
        const double packet = (PACKET + TCP_HEADERS + m_ip) / static_cast<double>(PACKET);
        return 8.0 * static_cast<double>(after - before) * packet / (to - from).GetSeconds() / LINK;
    }

    Ptr<ClassQueueDisc> classes; //!< at the bottleneck; null where it is another
    Ptr<Transport> rbudp;        //!< in the class EF
    Ptr<Transport> tcp;          //!< in the class rest
    TransportEnds rbudpEnds;     //!< of RBUDP
    TransportEnds tcpEnds;       //!< of TCP

  private:
    /// Install a flow.
    Ptr<Transport> Install(const std::string& name, const TransportFlow& flow, TransportEnds& ends)
    {
        std::vector<Ptr<Transport>> made;
        auto remedy = Transport::Read(name, made).value_or("");
        NS_ABORT_MSG_UNLESS(remedy.empty(), remedy);
        remedy = made.at(0)->Prepare(*m_topology).value_or("");
        remedy += made.at(0)->Install(flow, ends).value_or("");
        NS_ABORT_MSG_UNLESS(remedy.empty(), remedy);
        return made.at(0);
    }

    Ptr<TransportTopology> m_topology; //!< the network
    uint32_t m_ip;                     //!< bytes of an IP header
};

/** @brief In a class TCP keeps its share, at any rate of RBUDP. */
LFN_CASE_OF(ClassShareTestCase, Sharing with)
{
    const SharedLink link(with);
    // The class EF is idle: its share is TCP's.
    const double alone = link.GetTcpShare(Seconds(1), START);
    NS_TEST_EXPECT_MSG_EQ_TOL(alone, 1, 0.01, "TCP with an idle class");
    // From the end of slow start on, up to the end of the first blast at the latest.
    const double blast =
        8.0 * PACKET * DATAGRAMS /
        (with.rate * LINK * PACKET / (PACKET + UDP_HEADERS + (with.isIpv6 ? 40 : 20)));
    const double used = std::min(with.rate, WEIGHT);
    const double share = link.GetTcpShare(START + MilliSeconds(500), START + Seconds(0.95 * blast));
    NS_TEST_EXPECT_MSG_EQ_TOL(share, 1 - used, 0.01 * (1 - used), "TCP during the first blast");
    // What the first blast lost: what its class does not carry, and its buffer does not hold.
    link.GetTcpShare(Simulator::Now(), START + Seconds(blast) + MilliSeconds(60));
    const double lost = static_cast<double>(link.classes->GetCounts(0).droppedPackets);
    const double expected = with.rate > WEIGHT ? DATAGRAMS * (1 - WEIGHT / with.rate) - BUFFER : 0;
    NS_TEST_EXPECT_MSG_EQ_TOL(lost, expected, 0.01 * expected, "datagrams lost by the first blast");
    // RBUDP completes, and then TCP has all again.
    link.GetTcpShare(Simulator::Now(), START + Seconds(8));
    const auto report = link.rbudp->GetReport(link.rbudpEnds);
    NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes, PACKET * DATAGRAMS, "RBUDP completes");
    NS_TEST_EXPECT_MSG_EQ((report.retransmittedPackets > 0),
                          (with.rate > WEIGHT),
                          "RBUDP's losses");
    const double after = link.GetTcpShare(Simulator::Now(), Simulator::Now() + Seconds(1));
    NS_TEST_EXPECT_MSG_EQ_TOL(after, 1, 0.01, "TCP afterwards");
    NS_TEST_EXPECT_MSG_EQ(link.classes->GetCounts(1).droppedPackets, 0, "TCP loses nothing");
}

/** @brief In a FIFO TCP has what the rate of RBUDP leaves. */
LFN_CASE_OF(FifoShareTestCase, Sharing with)
{
    const SharedLink link(with);
    const double blast =
        8.0 * PACKET * DATAGRAMS /
        (with.rate * LINK * PACKET / (PACKET + UDP_HEADERS + (with.isIpv6 ? 40 : 20)));
    // The longer queue slows TCP within a few RTTs.
    const double share = link.GetTcpShare(START + Seconds(1), START + Seconds(0.95 * blast));
    if (with.rate < 1)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(share, 1 - with.rate, 0.01 * (1 - with.rate), "what is left");
    }
    else
    {
        NS_TEST_EXPECT_MSG_LT(share, 0.05, "next to nothing");
    }
}

/** @brief Shares of real stacks at a bottleneck: laws of 1 %. */
const Suite g_suite("lfn-class-shares", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const bool isIpv6 : {false, true})
    {
        const std::string version = isIpv6 ? ", IPv6" : ", IPv4";
        suite.Add(new ClassShareTestCase("at the share of the class" + version, {WEIGHT, isIpv6}));
        suite.Add(new ClassShareTestCase("at 1.2 times that" + version, {1.2 * WEIGHT, isIpv6}));
    }
    suite.Add(new ClassShareTestCase("at half of it", {0.5 * WEIGHT}));
    suite.Add(new ClassShareTestCase("at twice the link", {2}));
    const std::string fifo = "FifoQueueDisc[MaxSize=2000p]";
    suite.Add(new FifoShareTestCase("a FIFO, at 0.6 of the link", {0.6, false, fifo}));
    suite.Add(new FifoShareTestCase("a FIFO, at the link", {1.05, false, fifo}));
});

} // namespace
