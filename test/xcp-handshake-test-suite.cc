// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-dumbbell.h"
#include "xcp-test-item.h"

#include "ns3/boolean.h"
#include "ns3/xcp-adaptive-drop-law.h"
#include "ns3/xcp-handshake-timer.h"
#include "ns3/xcp-packet-view.h"
#include "ns3/xcp-tcp-fairness.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint64_t PLACES = XcpHandshakeTimer::PLACES;

LFN_CASE(HandshakeExamplesTestCase)
{
    XcpHandshakeTimer timer;
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(7, 0.5), 0, "nothing is known without a SYN");
    timer.OnSyn(7, 1.0, 0.25);
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(8, 1.5), 0, "another connection");
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(7, 1.75), 0.5, "from where the SYN left");
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(7, 9), 0.5, "later packets change nothing");
    timer.OnSyn(7, 20, 0);
    timer.OnSyn(7, 21, 0);
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(7, 21.125), 0.125, "a SYN that is retransmitted");
    timer.OnSyn(9, 1, 0.5);
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(9, 1.25), 0, "an answer before the SYN has left");
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(9, 3), 0, "stays no answer");
    timer.OnSyn(10, 1, 0);
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(10, 11.5), 0, "too long for an RTT");
    timer.OnSyn(10, 12, 0);
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(10, 22), 10, "the longest one");
}

LFN_CASE(HandshakePlacesTestCase)
{
    XcpHandshakeTimer timer;
    timer.OnSyn(5, 0, 0);
    timer.OnPacket(5, 0.5);
    for (uint64_t i = 1; i < 1000; ++i)
    {
        timer.OnSyn(5 + i * PLACES, 1, 0);
        timer.OnPacket(5 + i * PLACES, 1.5);
    }
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(5, 2), 0.5, "who talks is not driven out");
    timer.OnSyn(5 + PLACES, 61.5, 0);
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(5 + PLACES, 61.75), 0, "silent for less than a minute");
    timer.OnSyn(5 + PLACES, 62.5, 0);
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(5 + PLACES, 62.75), 0.25, "and for more");
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(5, 63), 0, "the former one is forgotten");
    for (uint64_t i = 0; i < 1000; ++i)
    {
        timer.OnSyn(6 + i * PLACES, 70, 0);
    }
    timer.OnSyn(6, 70, 0);
    NS_TEST_EXPECT_MSG_EQ(timer.OnPacket(6, 70.5), 0.5, "SYNs alone keep no place");
}

LFN_CASE(HandshakePropertyTestCase)
{
    std::mt19937_64 bits(11);
    XcpHandshakeTimer timer;
    // Connections that share no place, so that the second computation needs no places.
    std::vector<uint64_t> names;
    names.reserve(200);
    for (uint64_t i = 0; i < 200; ++i)
    {
        names.push_back(i + PLACES * (bits() % 1000000));
    }
    std::map<uint64_t, std::pair<double, bool>> state; // when the SYN left, or the RTT
    double now = 0;
    for (int i = 0; i < 200000; ++i)
    {
        now += 1e-3 * static_cast<double>(bits() % 100);
        const uint64_t name = names[bits() % names.size()];
        if (bits() % 10 == 0)
        {
            const double wait = 1e-2 * static_cast<double>(bits() % 10);
            timer.OnSyn(name, now, wait);
            state[name] = {now + wait, true};
            continue;
        }
        auto& [value, isOpening] = state[name];
        if (isOpening)
        {
            const double rtt = now - value;
            value = rtt > 0 && rtt <= 10 ? rtt : 0;
            isOpening = false;
        }
        NS_TEST_ASSERT_MSG_EQ(timer.OnPacket(name, now), value, "packet " << i);
    }
}

/// Make a TCP packet with flags.
Ptr<QueueDiscItem>
Make(uint8_t flags, uint32_t payload, bool ipv6)
{
    auto packet = Create<Packet>(payload);
    TcpHeader tcp;
    tcp.SetSourcePort(1000);
    tcp.SetDestinationPort(80);
    tcp.SetFlags(flags);
    packet->AddHeader(tcp);
    return MakeXcpItem(packet, {.ipv6 = ipv6});
}

LFN_CASE(HandshakeViewTestCase)
{
    for (const bool ipv6 : {false, true})
    {
        const std::string on = ipv6 ? " on IPv6" : " on IPv4";
        const auto data = XcpPacketView::Look(*Make(TcpHeader::ACK, 100, ipv6), 253);
        NS_TEST_EXPECT_MSG_EQ(data.connection, data.flow, "data" << on);
        for (const int flags : {int{TcpHeader::SYN}, TcpHeader::SYN | TcpHeader::ACK})
        {
            const auto syn = XcpPacketView::Look(*Make(static_cast<uint8_t>(flags), 0, ipv6), 253);
            NS_TEST_EXPECT_MSG_EQ(syn.isSyn, true, "SYN" << on);
            NS_TEST_EXPECT_MSG_EQ(syn.connection, data.connection, "of the same" << on);
            NS_TEST_EXPECT_MSG_EQ((syn.kind == XcpPacketKind::OTHER), true, "no data" << on);
        }
        const auto ack = XcpPacketView::Look(*Make(TcpHeader::ACK, 0, ipv6), 253);
        NS_TEST_EXPECT_MSG_EQ(ack.isSyn, false, "an ACK" << on);
        NS_TEST_EXPECT_MSG_EQ(ack.connection, data.connection, "is of it as well" << on);
        const auto coarse =
            XcpPacketView::Look(*Make(TcpHeader::ACK, 9, ipv6), 253, XcpFlowId::ADDRESSES);
        NS_TEST_EXPECT_MSG_EQ(coarse.connection, data.connection, "by its ports" << on);
        NS_TEST_EXPECT_MSG_NE(coarse.flow, data.flow, "any definition of flows" << on);
        for (const auto& other : {XcpTestPacket{.protocol = 17, .ipv6 = ipv6},
                                  XcpTestPacket{.xcp = MakeXcpHeader(), .ipv6 = ipv6}})
        {
            const auto view = XcpPacketView::Look(*MakeXcpItem(other), 253);
            NS_TEST_EXPECT_MSG_EQ(view.connection, 0, "no plain TCP" << on);
        }
    }
    // A packet that ends in front of the flags has none.
    auto cut = Make(TcpHeader::SYN, 0, false)->GetPacket();
    cut->RemoveAtEnd(cut->GetSize() - 13);
    const auto view = XcpPacketView::Look(*MakeXcpItem(cut, XcpTestPacket{}), 253);
    NS_TEST_EXPECT_MSG_EQ(view.isSyn, false, "cut short");
    NS_TEST_EXPECT_MSG_EQ(view.connection, 0, "of no connection");
}

/// End an interval of 0.1 s in which E2E is there; what the mechanism takes for its RTT.
double
End(XcpTcpFairness& fairness)
{
    fairness.OnArrival(XcpTcpFairness::TrafficClass::E2E, 1, 1000);
    fairness.OnInterval(MilliSeconds(100), 1e6, 0.1);
    return fairness.GetAccount().e2eRtt;
}

LFN_CASE(HandshakeMeanTestCase)
{
    auto fairness = CreateObject<XcpTcpFairness>();
    fairness->AssignStreams(1);
    NS_TEST_EXPECT_MSG_EQ((End(*fairness)), 0, "no handshake was seen");
    fairness->OnTcpSyn(1, Seconds(1), 0);
    fairness->OnTcpSyn(2, Seconds(1), 0);
    fairness->OnTcp(1, false, Seconds(1.125), 0);
    fairness->OnTcp(2, false, Seconds(1.5), 0);
    NS_TEST_EXPECT_MSG_EQ((End(*fairness)), 0, "acknowledgements do not count");
    // Rates as 1/RTT: four packets of one to one of the other.
    for (int i = 0; i < 5; ++i)
    {
        fairness->OnTcp(i < 4 ? 1 : 2, true, Seconds(1.6), 0);
    }
    fairness->OnTcp(3, true, Seconds(1.6), 0);
    const double harmonic = 2 / (1 / 0.125 + 1 / 0.5);
    double rtt = End(*fairness);
    NS_TEST_EXPECT_MSG_EQ_TOL(rtt, harmonic, 1e-12, "harmonic mean of the flows");
    rtt = End(*fairness);
    NS_TEST_EXPECT_MSG_EQ_TOL(rtt, harmonic, 1e-12, "kept while none is received");
    for (int i = 0; i < 5; ++i)
    {
        fairness->OnTcp(2, true, Seconds(2), 0);
    }
    const double faded = 5 * std::exp(-0.2 / 4);
    rtt = End(*fairness);
    NS_TEST_EXPECT_MSG_EQ_TOL(rtt,
                              (faded * harmonic + 5 * 0.5) / (faded + 5),
                              1e-12,
                              "what was received before fades in 4 s");

    auto waiting = CreateObject<XcpTcpFairness>();
    waiting->AssignStreams(1);
    waiting->OnTcpSyn(1, Seconds(1), 0);
    waiting->OnTcp(1, false, Seconds(1.125), 5e5);
    waiting->OnTcp(1, true, Seconds(1.2), 2e5);
    waiting->OnTcp(1, true, Seconds(1.2), 4e5);
    End(*waiting);
    NS_TEST_EXPECT_MSG_EQ_TOL(waiting->GetAccount().e2eRtt, 0.125, 1e-12, "alone");
    NS_TEST_EXPECT_MSG_EQ_TOL(waiting->GetAccount().e2eWait, 0.3, 1e-12, "at 1 MB/s");
}

LFN_CASE(HandshakeLawTestCase)
{
    XcpDropLaw::Observation seen;
    seen.length = 0.1;
    seen.utilisation = 1;
    seen.e2eRate = 2e6;
    seen.e2eFairShare = 2e6;
    seen.e2eFlows = 2;
    seen.meanRtt = 0.1;
    seen.e2eRtt = 0.2;
    seen.meanPacket = 1000;
    auto law = CreateObject<XcpAdaptiveDropLaw>();
    NS_TEST_EXPECT_MSG_EQ_TOL(law->Decide(seen).probability,
                              1.5 / 200 / 200,
                              1e-15,
                              "a window of TCP's RTT");
    auto former = CreateObject<XcpAdaptiveDropLaw>();
    former->SetAttribute("TcpRtt", BooleanValue(false));
    NS_TEST_EXPECT_MSG_EQ_TOL(former->Decide(seen).probability,
                              1.5 / 100 / 100,
                              1e-15,
                              "or of XCP's");
    seen.e2eRtt = 0;
    NS_TEST_EXPECT_MSG_EQ_TOL(CreateObject<XcpAdaptiveDropLaw>()->Decide(seen).probability,
                              1.5 / 100 / 100,
                              1e-15,
                              "which serves where TCP's is not known");
}

/** @brief Real stacks: what the router takes for TCP's RTT, with a queue of its own. */
LFN_CASE_OF(HandshakeSystemTestCase, bool ipv6)
{
    const auto law = CreateObject<XcpTestFixedLaw>();
    law->probability = 1e-3;
    XcpTestDumbbell net({.pairs = 3, .rttMs = 80, .bufferBdp = 2, .law = law, .isIpv6 = ipv6});
    net.AddFlow(0, true);
    net.AddFlow(1, false);
    // A connection that is opened into a standing queue of datagrams.
    net.AddUdp(2, "12Mbps", Seconds(10)).source->SetAttribute("StopTime", TimeValue(Seconds(14)));
    net.AddFlow(2, false, Seconds(12));
    double rtt = 0;
    ConnectTrace(net.disc, "TcpRtt", [&rtt](double, double now) { rtt = now; });
    XcpTestDumbbell::Run(Seconds(9));
    // The links of the hosts add a little to 80 ms of propagation.
    NS_TEST_EXPECT_MSG_EQ_TOL(rtt, 0.080, 0.002, "on an empty path");
    XcpTestDumbbell::Run(Seconds(30));
    NS_TEST_EXPECT_MSG_GT(net.largestQueue, 50, "there was a queue");
    NS_TEST_EXPECT_MSG_EQ_TOL(rtt, 0.080, 0.004, "and without this router's queue");
}

/** @brief TCP's RTT in the router, reported by handshakes. */
const Suite g_suite("lfn-xcp-handshake", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new HandshakeExamplesTestCase("handshakes by hand"));
    suite.Add(new HandshakePlacesTestCase("who keeps a place, and who loses it"));
    suite.Add(new HandshakePropertyTestCase("random handshakes against a second computation"));
    suite.Add(new HandshakeViewTestCase("SYNs and connections as a router sees them"));
    suite.Add(new HandshakeMeanTestCase("the mean RTT, and the drop law's window of it"));
    suite.Add(new HandshakeLawTestCase("the drop law's RTT: TCP's or XCP's"));
    suite.Add(new HandshakeSystemTestCase("the RTT on real stacks, IPv4", false));
    suite.Add(new HandshakeSystemTestCase("the RTT on real stacks, IPv6", true));
});

} // namespace
