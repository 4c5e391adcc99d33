// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-dumbbell.h"

#include "ns3/config.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/xcp-multiplicative-drop-law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Get Jain's index, 1 when all rates are equal.
double
GetJain(const std::vector<double>& rates)
{
    double sum = 0;
    double squares = 0;
    for (const double rate : rates)
    {
        sum += rate;
        squares += rate * rate;
    }
    return sum * sum / (static_cast<double>(rates.size()) * squares);
}

/** @brief XCP alone fills the link, shares it equally, and leaves the queue empty. */
LFN_CASE_OF(XcpAloneTestCase, uint32_t flows, uint32_t rttMs, bool isIpv6)
{
    XcpTestDumbbell network({.pairs = flows, .rttMs = rttMs, .isIpv6 = isIpv6});
    // A newcomer has 50 RTTs to find its share, and 25 to show it.
    const Time step = MilliSeconds(75 * rttMs);
    for (uint32_t i = 0; i < flows; ++i)
    {
        network.AddFlow(i, true, step * i);
    }
    for (uint32_t i = 0; i < flows; ++i)
    {
        XcpTestDumbbell::Run(step * i + MilliSeconds(50 * rttMs));
        auto rates = network.Measure(step * (i + 1));
        rates.resize(i + 1);
        const auto means = network.monitor->Take();
        NS_TEST_EXPECT_MSG_GT(means.utilisation, 0.97, "the link is full with " << i + 1);
        NS_TEST_EXPECT_MSG_LT(means.queuePackets, 5, "the queue is not, with " << i + 1);
        NS_TEST_EXPECT_MSG_GT(GetJain(rates), 0.995, "equal shares of " << i + 1);
        const double share = XcpTestDumbbell::GetShare(rates, i);
        NS_TEST_EXPECT_MSG_EQ_TOL(share, 1.0 / (i + 1), 0.1 / (i + 1), "of the newcomer");
    }
    NS_TEST_EXPECT_MSG_EQ(network.monitor->GetLosses(true).tail, 0, "nothing is lost");
    NS_TEST_EXPECT_MSG_EQ(network.disc->GetMalformedHeaders(), 0, "nor malformed");
}

/** @brief Flows of unequal RTTs have equal rates, also with delayed acknowledgements. */
LFN_CASE_OF(XcpUnequalTestCase, uint32_t delAckCount)
{
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(delAckCount));
    XcpTestDumbbell network(
        {.pairs = 4, .rate = "12Mbps", .rttMs = 160, .rtts = "20ms,40ms,80ms,160ms"});
    for (uint32_t i = 0; i < 4; ++i)
    {
        network.AddFlow(i, true);
    }
    XcpTestDumbbell::Run(Seconds(15));
    const auto rates = network.Measure(Seconds(30));
    const auto [least, most] = std::ranges::minmax(rates);
    NS_TEST_EXPECT_MSG_GT(least, 0.98 * most, "smallest and largest");
    NS_TEST_EXPECT_MSG_GT(network.monitor->Take().utilisation, 0.97, "the link is full");
}

/** @brief A single flow takes a long path at once, and hardly overshoots. */
LFN_CASE(XcpAcquisitionTestCase)
{
    XcpTestDumbbell network({.pairs = 1, .rate = "20Mbps", .rttMs = 100, .sendBuffer = 1000000});
    network.AddFlow(0, true);
    double overshoot = 0;
    ConnectTrace(network.disc, "PersistentQueue", [&overshoot](double, double now) {
        overshoot = std::max(overshoot, now / XcpTestDumbbell::PACKET);
    });
    XcpTestDumbbell::Run(Seconds(1));
    network.Measure(Seconds(2));
    const auto early = network.monitor->Take();
    NS_TEST_EXPECT_MSG_GT(early.utilisation, 0.95, "from 1 s on");
    // The longest queue is longer: the first large windows are not paced and come in one piece.
    NS_TEST_EXPECT_MSG_LT(overshoot, 0.35 * network.GetBdp(), "overshoot");
    NS_TEST_EXPECT_MSG_LT(network.monitor->TakePeak(), 0.65 * network.GetBdp(), "longest queue");
    XcpTestDumbbell::Run(Seconds(3));
    network.Measure(Seconds(4));
    const auto late = network.monitor->Take();
    NS_TEST_EXPECT_MSG_GT(late.utilisation, 0.98, "from 3 s on");
    NS_TEST_EXPECT_MSG_LT(late.queuePackets, 5, "drained");
    NS_TEST_EXPECT_MSG_EQ(network.monitor->GetLosses(true).tail, 0, "nothing is lost");
}

/**
 * @brief The router's arithmetic again, from what is seen outside the queue disc: arrivals,
 * departures, bytes of the headers, lengths of queues. Sums are made at the end of an interval.
 *
 * In double as there: when just the bytes leave that came, rounding decides whether a pool is
 * empty.
 */
class RouterWatch
{
  public:
    uint32_t compared{0}; //!< data packets that left
    uint32_t raised{0};   //!< with positive feedback
    uint32_t lowered{0};  //!< with negative feedback
    double worst{0};      //!< largest difference of a Delta_Throughput, [B/s]

    /// Watch a port from the beginning; its device's rate in bit/s.
    RouterWatch(Ptr<NetDevice> device, Ptr<QueueDisc> disc, double bitRate)
        : m_disc(disc),
          m_capacity(bitRate / 8)
    {
        PointerValue queue;
        device->GetAttribute("TxQueue", queue);
        m_deviceQueue = queue.Get<QueueBase>();
        using Item = Ptr<const QueueDiscItem>;
        ConnectTrace(disc, "Enqueue", [this](Item item) { m_arrivals.push_back(Read(item)); });
        ConnectTrace(disc, "DropBeforeEnqueue", [this](Item item, const char* reason) {
            if (std::string(reason) != XcpQueueDisc::FAIRNESS_DROP)
            {
                m_arrivals.push_back(Read(item));
            }
        });
        ConnectTrace(disc, "Dequeue", [this](Item item) { Depart(Read(item)); });
        ConnectTrace(device, "MacTx", [this](Ptr<const Packet> packet) { Check(packet); });
        m_queues.push_back(0);
        Simulator::Schedule(Seconds(0.05), &RouterWatch::EndControl, this);
        Simulator::Schedule(Seconds(0.05), &RouterWatch::EndQueue, this);
    }

  private:
    /** @brief What a packet is. */
    struct Seen
    {
        double bytes{0};   //!< on the link, [B]
        bool isXcp{false}; //!< with a standard header
        double x{0};       //!< X, [s]
        double rtt{0};     //!< RTT, [s]
        double delta{0};   //!< Delta_Throughput, [B/s]
    };

    /// Read a word of a header at its first byte.
    static uint32_t ReadWord(const uint8_t* at)
    {
        return static_cast<uint32_t>(at[0]) << 24 | at[1] << 16 | at[2] << 8 | at[3];
    }

    /// Read a packet.
    static Seen Read(const Ptr<const QueueDiscItem>& item)
    {
        Seen seen;
        seen.bytes = item->GetSize() + 2; // PPP's
        const auto ipv4 = DynamicCast<const Ipv4QueueDiscItem>(item);
        std::array<uint8_t, 20> bytes{};
        item->GetPacket()->CopyData(bytes.data(), bytes.size());
        if (ipv4 && ipv4->GetHeader().GetProtocol() == 253 && bytes[2] == 0x31)
        {
            seen.isXcp = true;
            seen.x = ReadWord(&bytes[4]) / 268435456.0;
            seen.rtt = ReadWord(&bytes[8]) / 268435456.0;
            seen.delta = static_cast<int32_t>(ReadWord(&bytes[16]));
        }
        return seen;
    }

    /// Get what waits now, in bytes on the link.
    double GetQueue() const
    {
        return m_disc->GetNBytes() + 2.0 * m_disc->GetNPackets() + m_deviceQueue->GetNBytes();
    }

    /// A packet leaves.
    void Depart(const Seen& seen)
    {
        m_queues.push_back(GetQueue());
        if (!seen.isXcp)
        {
            return;
        }
        double plus = std::min(m_perX * seen.x, m_plusPool);
        double minus = std::min(m_perByte * seen.bytes, m_minusPool);
        const double own = plus - minus;
        m_expected = std::min(own, seen.delta);
        if (seen.delta <= own)
        {
            minus = std::min(m_minusPool, minus + own - seen.delta);
            plus = std::max(0.0, seen.delta + minus);
        }
        m_plusPool -= std::min(m_plusPool, plus);
        m_minusPool -= std::min(m_minusPool, minus);
        m_perX = m_plusPool > 0 ? m_perX : 0;
        m_perByte = m_minusPool > 0 ? m_perByte : 0;
        m_isExpecting = true;
    }

    /// The packet that left is on its way to the link.
    void Check(Ptr<const Packet> packet)
    {
        if (!m_isExpecting)
        {
            return;
        }
        m_isExpecting = false;
        std::array<uint8_t, 42> bytes{};
        packet->CopyData(bytes.data(), bytes.size());
        const auto delta = static_cast<int32_t>(ReadWord(&bytes[38]));
        worst = std::max(worst, std::abs(delta - m_expected));
        ++compared;
        raised += delta > 0 ? 1 : 0;
        lowered += delta < 0 ? 1 : 0;
    }

    /** @brief A control interval ends. */
    void EndControl()
    {
        double bytes = 0;
        double sumX = 0;
        double timedX = 0;
        double products = 0;
        for (const auto& seen : m_arrivals)
        {
            bytes += seen.bytes;
            sumX += seen.x;
            timedX += seen.rtt > 0 ? seen.x : 0;
            products += seen.x * std::min(seen.rtt, 1.0);
        }
        m_arrivals.clear();
        m_meanRtt = timedX > 0 ? products / timedX : 0.05;
        const double input = bytes / m_interval;
        const double spare = 0.4 * (m_capacity - input) - 0.226 * m_persistent / m_meanRtt;
        const double shuffled = std::max(0.0, 0.1 * input - std::abs(spare));
        m_plusPool = shuffled + std::max(spare, 0.0);
        m_minusPool = shuffled + std::max(-spare, 0.0);
        m_lastSumX = sumX > 0 ? sumX : m_lastSumX;
        m_perX = m_lastSumX > 0 ? m_plusPool / m_lastSumX : 0;
        m_perByte = bytes > 0 ? m_minusPool / bytes : 0;
        m_interval = std::max(m_meanRtt, 0.005);
        Simulator::Schedule(Seconds(m_interval), &RouterWatch::EndControl, this);
    }

    /** @brief A queue interval ends. */
    void EndQueue()
    {
        m_persistent = *std::ranges::min_element(m_queues);
        const double now = GetQueue();
        m_queues = {now};
        const double next = std::max(0.002, (m_meanRtt - now / m_capacity) / 2);
        Simulator::Schedule(Seconds(next), &RouterWatch::EndQueue, this);
    }

    Ptr<QueueDisc> m_disc;        //!< the queue disc
    Ptr<QueueBase> m_deviceQueue; //!< of the device
    double m_capacity;            //!< [B/s]
    std::vector<Seen> m_arrivals; //!< in this control interval
    std::vector<double> m_queues; //!< in this queue interval, [B]
    double m_interval{0.05};      //!< the control interval, [s]
    double m_meanRtt{0.05};       //!< [s]
    double m_persistent{0};       //!< Q, [B]
    double m_plusPool{0};         //!< [B/s]
    double m_minusPool{0};        //!< [B/s]
    double m_lastSumX{0};         //!< sum of X when there was one last, [s]
    double m_perX{0};             //!< Cp
    double m_perByte{0};          //!< Cn
    double m_expected{0};         //!< of the packet that has left, [B/s]
    bool m_isExpecting{false};    //!< such a packet has left
};

/** @brief Every Delta_Throughput of real runs is what the second computation says. */
LFN_CASE_OF(XcpArithmeticTestCase, uint32_t xcpFlows, uint32_t tcpFlows)
{
    XcpTestDumbbell network(
        {.pairs = xcpFlows + tcpFlows, .law = CreateObject<XcpMultiplicativeDropLaw>()});
    RouterWatch watch(network.topology->GetBottlenecks().front().first, network.disc, 10e6);
    for (uint32_t i = 0; i < xcpFlows + tcpFlows; ++i)
    {
        network.AddFlow(i, i < xcpFlows, MilliSeconds(700 * i));
    }
    XcpTestDumbbell::Run(Seconds(6));
    // The header carries whole bytes a second.
    NS_TEST_EXPECT_MSG_LT(watch.worst, 0.51, "every packet's feedback");
    NS_TEST_EXPECT_MSG_GT(watch.compared, 1500, "packets");
    NS_TEST_EXPECT_MSG_GT(watch.raised, 300, "with more");
    NS_TEST_EXPECT_MSG_GT(watch.lowered, 300, "with less");
}

/** @brief What came of a run. */
struct Result
{
    std::vector<uint64_t> delivered; //!< by flow, [B]
    uint64_t drops{0};               //!< by the mechanism
    double share{0};                 //!< of XCP
    bool operator==(const Result& other) const = default;
};

/// Run two XCP and two TCP flows, under drops.
Result
RunOnce(Time length, bool isIpv6, uint64_t run)
{
    const auto law = CreateObject<XcpTestFixedLaw>();
    law->probability = 0.004;
    XcpTestDumbbell network({.pairs = 4, .rttMs = 20, .law = law, .isIpv6 = isIpv6, .run = run});
    for (uint32_t i = 0; i < 4; ++i)
    {
        network.AddFlow(i, i < 2, MilliSeconds(100 * i));
    }
    XcpTestDumbbell::Run(length / 4);
    const auto rates = network.Measure(length);
    Result result;
    for (const auto& flow : network.flows)
    {
        result.delivered.push_back(flow.GetDelivered());
    }
    result.drops = network.monitor->GetLosses(false).fairness;
    result.share = XcpTestDumbbell::GetShare(rates, 0) + XcpTestDumbbell::GetShare(rates, 1);
    return result;
}

LFN_CASE_OF(XcpVersionTestCase, Time length)
{
    const auto first = RunOnce(length, false, 1);
    const auto other = RunOnce(length, false, 2);
    const auto ipv6 = RunOnce(length, true, 1);
    NS_TEST_EXPECT_MSG_EQ((first == RunOnce(length, false, 1)), true, "the same again");
    NS_TEST_EXPECT_MSG_EQ((first == other), false, "another run differs");
    NS_TEST_EXPECT_MSG_GT(first.drops, 5, "the mechanism drops");
    NS_TEST_EXPECT_MSG_GT(first.share, 0.1, "XCP has something");
    NS_TEST_EXPECT_MSG_LT(first.share, 0.9, "TCP has something");
    NS_TEST_EXPECT_MSG_EQ_TOL(ipv6.share, first.share, 0.1, "IPv6");
    NS_TEST_EXPECT_MSG_EQ_TOL(other.share, first.share, 0.1, "noise of another run");
}

/** @brief One host sends over XCP and TCP at once, and all comes as it was sent. */
LFN_CASE_OF(XcpTogetherTestCase, bool isIpv6)
{
    const auto law = CreateObject<XcpTestFixedLaw>();
    law->probability = 0.02;
    XcpTestDumbbell network({.pairs = 1, .bufferBdp = 0.5, .law = law, .isIpv6 = isIpv6});
    for (uint32_t i = 0; i < 4; ++i)
    {
        // XCP longer: without it nothing is dropped.
        network.AddFlow(0, i % 2 == 0, MilliSeconds(50 * i), i % 2 == 0 ? 4000000 : 1000000);
    }
    std::array<uint32_t, 2> odd{};
    std::array<uint32_t, 2> data{};
    network.Tap(
        XcpTestDumbbell::GetPeer(XcpTestDumbbell::GetDevice(network.topology->GetSenders().Get(0))),
        [&](XcpTestSight& sight) {
            const uint32_t tcp = (sight.tcp.GetDestinationPort() - XcpTestNetwork::PORT) % 2;
            data[tcp] += sight.payload > 0 ? 1 : 0;
            odd[tcp] += sight.header.has_value() == (tcp == 1) ? 1 : 0;
            return false;
        });
    XcpTestDumbbell::Run(Seconds(60));
    for (const auto& flow : network.flows)
    {
        NS_TEST_EXPECT_MSG_EQ(flow.IsWhole(), true, "every byte as it was sent");
    }
    NS_TEST_EXPECT_MSG_GT(network.monitor->GetLosses(false).fairness, 20, "TCP suffers");
    NS_TEST_EXPECT_MSG_EQ(network.monitor->GetLosses(true).fairness, 0, "XCP does not");
    NS_TEST_EXPECT_MSG_EQ(odd[0] + odd[1], 0, "headers on XCP's packets only");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(data[0], 8000, "XCP's data");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(data[1], 2000, "TCP's data");
}

/** @brief What came of a run. */
struct MarkedResult
{
    uint64_t drops{0};                  //!< at the bottleneck
    uint64_t marks{0};                  //!< by the mechanism
    uint64_t xcpMarks{0};               //!< by the test
    std::array<uint32_t, 2> reported{}; //!< packets with CWR, of XCP and of TCP
    std::array<double, 2> rates{};      //!< of XCP and of TCP, [bit/s]
};

/// Run one flow of each kind; of XCP's data packets one of a given number is marked, 0 for none.
MarkedResult
RunMarked(bool useEcn, uint32_t markEvery)
{
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue(useEcn ? "On" : "Off"));
    const auto law = CreateObject<XcpTestFixedLaw>();
    law->probability = 0.01;
    MarkedResult result;
    {
        XcpTestDumbbell network({.law = law, .isMarking = useEcn});
        uint32_t data = 0;
        using Item = Ptr<const QueueDiscItem>;
        ConnectTrace(network.disc, "Enqueue", [&](Item item) {
            const auto ip = DynamicCast<const Ipv4QueueDiscItem>(item);
            const bool isXcp = ip && ip->GetHeader().GetProtocol() == 253;
            if (isXcp && markEvery > 0 && item->GetSize() > 1000 && ++data % markEvery == 0)
            {
                result.xcpMarks += ConstCast<QueueDiscItem>(item)->Mark() ? 1 : 0;
            }
        });
        for (uint32_t i = 0; i < 2; ++i)
        {
            network.AddFlow(i, i == 0);
            network.Tap(XcpTestDumbbell::GetPeer(
                            XcpTestDumbbell::GetDevice(network.topology->GetSenders().Get(i))),
                        [&result, i](XcpTestSight& sight) {
                            const bool isData = sight.payload > 0;
                            result.reported[i] += isData && sight.Has(TcpHeader::CWR) ? 1 : 0;
                            return false;
                        });
        }
        XcpTestDumbbell::Run(Seconds(2));
        const auto rates = network.Measure(Seconds(14));
        std::ranges::copy(rates, result.rates.begin());
        const auto& losses = network.monitor->GetLosses(false);
        result.drops = losses.fairness + losses.tail + network.monitor->GetLosses(true).tail;
        result.marks = losses.marks;
    }
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("Off"));
    return result;
}

/** @brief Marks instead of drops: both kinds of senders give way, and nothing need be lost. */
LFN_CASE(XcpEcnTestCase)
{
    const auto dropped = RunMarked(false, 0);
    const auto marked = RunMarked(true, 0);
    const auto both = RunMarked(true, 200);
    NS_TEST_EXPECT_MSG_GT(dropped.drops, 15, "without ECN packets are lost");
    NS_TEST_EXPECT_MSG_EQ(dropped.marks + dropped.reported[0] + dropped.reported[1],
                          0,
                          "none marked");
    NS_TEST_EXPECT_MSG_LT(3 * marked.drops, dropped.drops, "with ECN hardly any");
    NS_TEST_EXPECT_MSG_GT(marked.marks, 15, "but marked");
    NS_TEST_EXPECT_MSG_GT(marked.reported[1], 8, "TCP has given way");
    NS_TEST_EXPECT_MSG_EQ(marked.reported[0], 0, "the mechanism marks no XCP");
    NS_TEST_EXPECT_MSG_GT(both.xcpMarks, 8, "another queue does");
    NS_TEST_EXPECT_MSG_GT(both.reported[0], 8, "XCP has given way");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(both.reported[0], both.xcpMarks + 1, "once a mark");
    NS_TEST_EXPECT_MSG_LT(both.rates[0], 0.9 * marked.rates[0], "and has less");
    NS_TEST_EXPECT_MSG_GT(both.rates[0], 1e6, "but goes on");
}

/** @brief XCP from end to end: real stacks, a router, TCP alongside it. */
const Suite g_suite("lfn-xcp-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new XcpAloneTestCase("4 XCP flows, 40 ms", 4, 40, false));
    suite.Add(new XcpAloneTestCase("3 XCP flows, 40 ms, IPv6", 3, 40, true));
    suite.Add(new XcpAloneTestCase("5 XCP flows, 80 ms", 5, 80, false),
              TestCase::Duration::EXTENSIVE);
    suite.Add(new XcpUnequalTestCase("4 XCP flows of 20 to 160 ms, an ACK per segment", 1));
    suite.Add(new XcpUnequalTestCase("4 XCP flows of 20 to 160 ms, delayed ACKs", 2));
    suite.Add(new XcpAcquisitionTestCase("one XCP flow fills a path of 100 ms within a second"));
    suite.Add(
        new XcpArithmeticTestCase("the router's feedback packet by packet, 3 XCP and 0 TCP flows",
                                  3,
                                  0));
    suite.Add(
        new XcpArithmeticTestCase("the router's feedback packet by packet, 2 XCP and 2 TCP flows",
                                  2,
                                  2));
    suite.Add(new XcpVersionTestCase("IPv6 as IPv4; equal RngRun, equal results", Seconds(6)));
    suite.Add(new XcpVersionTestCase("IPv6 as IPv4; equal RngRun, equal results", Seconds(60)),
              TestCase::Duration::EXTENSIVE);
    suite.Add(
        new XcpTogetherTestCase("XCP and TCP between the same hosts, under drops, IPv4", false));
    suite.Add(
        new XcpTogetherTestCase("XCP and TCP between the same hosts, under drops, IPv6", true));
    suite.Add(new XcpEcnTestCase("ECN: marks make TCP and XCP senders give way"));
});

} // namespace
