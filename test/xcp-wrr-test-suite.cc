// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-item.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/xcp-tcp-wrr-queue-disc.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// A port with two queues on a link of 80 Mb/s, 10 MB/s.
struct WrrPort : public XcpTestPort<XcpTcpWrrQueueDisc>
{
    explicit WrrPort(double weight, const std::string& size = "100000p")
        : XcpTestPort(size)
    {
        (*this)->SetAttribute("XcpWeight", DoubleValue(weight));
    }
};

/// Whether a packet has a congestion header.
bool
IsXcp(const Ptr<const QueueDiscItem>& item)
{
    return PeekXcpHeader(item).reverseFeedback == 77;
}

LFN_CASE_OF(XcpWrrShareTestCase, double weight, uint32_t xcpBytes, uint32_t restBytes)
{
    const WrrPort disc(weight);
    disc->Initialize();
    NS_TEST_EXPECT_MSG_EQ(disc->GetXcpWeight(), weight, "the weight");
    for (uint16_t i = 0; i < 2000; ++i)
    {
        disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(), .payload = xcpBytes, .port = i}));
        disc->Enqueue(MakeXcpItem({.payload = restBytes, .port = i}));
    }
    double xcp = 0;
    double all = 0;
    double worst = 0;
    while (disc->GetInternalQueue(0)->GetNPackets() > 0 &&
           disc->GetInternalQueue(1)->GetNPackets() > 0)
    {
        const auto item = disc->Dequeue();
        xcp += IsXcp(item) ? item->GetSize() : 0;
        all += item->GetSize();
        worst = std::max(worst, std::abs(xcp - weight * all));
    }
    // Never more than a packet of either class away from the share.
    NS_TEST_EXPECT_MSG_LT(worst, xcpBytes + 60.0 + restBytes + 40.0, "bytes from the share");
    // The rest leaves without the other class, and all in all nothing is lost.
    while (disc->Dequeue())
    {
    }
    NS_TEST_EXPECT_MSG_EQ(disc->GetStats().nTotalDequeuedPackets, 4000, "all leave");
    NS_TEST_EXPECT_MSG_EQ(disc->GetNBytes(), 0, "none is left");
}

LFN_CASE(XcpWrrQueueTestCase)
{
    const WrrPort disc(0.25, "100p");
    disc->Initialize();
    XcpHeader minimal = MakeXcpHeader();
    minimal.format = XcpHeader::MINIMAL;
    // What goes where: all with a congestion header to XCP's queue.
    disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()}));
    disc->Enqueue(MakeXcpItem({.xcp = minimal, .payload = 0}));
    disc->Enqueue(MakeXcpItem({.payload = 0}));
    disc->Enqueue(MakeXcpItem({.protocol = 17, .ipv6 = true}));
    disc->Enqueue(MakeXcpItem({.protocol = 1}));
    NS_TEST_EXPECT_MSG_EQ(disc->GetInternalQueue(0)->GetNPackets(), 2, "XCP's queue");
    NS_TEST_EXPECT_MSG_EQ(disc->GetInternalQueue(1)->GetNPackets(), 3, "the other queue");
    const auto head = disc->Peek();
    const auto first = disc->Dequeue();
    NS_TEST_EXPECT_MSG_EQ(head, first, "what was peeked at");
    while (disc->Dequeue())
    {
    }

    // XCP alone sends 50 packets: it owes nothing afterwards, and TCP has saved nothing.
    for (int i = 0; i < 50; ++i)
    {
        disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()}));
        disc->Dequeue();
    }
    for (uint16_t i = 0; i < 20; ++i)
    {
        disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(), .port = i}));
        disc->Enqueue(MakeXcpItem({.payload = 1020, .port = i}));
    }
    uint32_t xcp = 0;
    for (int i = 0; i < 20; ++i)
    {
        xcp += IsXcp(disc->Dequeue()) ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(xcp, 5, 1, "a quarter of 20");
    while (disc->Dequeue())
    {
    }

    // 25 of 100 packets are XCP's, 75 the others'.
    uint32_t xcpIn = 0;
    uint32_t restIn = 0;
    for (int i = 0; i < 200; ++i)
    {
        restIn += disc->Enqueue(MakeXcpItem({})) ? 1 : 0;
        xcpIn += disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()})) ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(xcpIn, 25, "XCP's buffer");
    NS_TEST_EXPECT_MSG_EQ(restIn, 75, "the other buffer");
    NS_TEST_EXPECT_MSG_EQ(disc->GetStats().GetNDroppedPackets(XcpPort::LIMIT_EXCEEDED_DROP),
                          300,
                          "drops");
}

LFN_CASE(XcpWrrBytesTestCase)
{
    // In bytes, and never more than MaxSize in all.
    const WrrPort bytes(0.5, "20000B");
    bytes->Initialize();
    for (int i = 0; i < 100; ++i)
    {
        bytes->Enqueue(MakeXcpItem({}));
        bytes->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()}));
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bytes->GetNBytes(), 20000, "both queues");
    }
    NS_TEST_EXPECT_MSG_EQ(bytes->GetInternalQueue(0)->GetNPackets(), 9, "9 of 1060 bytes");
    NS_TEST_EXPECT_MSG_EQ(bytes->GetInternalQueue(1)->GetNPackets(), 9, "9 of 1040 bytes");
}

LFN_CASE(XcpWrrControlTestCase)
{
    // F of the controller when the other class sends at a rate, [B/s], after a silence.
    const auto findAggregate = [&](double rate, uint32_t silentMs = 0) {
        const WrrPort disc(0.25);
        disc->Initialize();
        constexpr uint32_t ms = 1000;
        for (uint32_t i = 0; i < 300; ++i)
        {
            Simulator::Schedule(MicroSeconds(ms * i + 500), [&disc, rate, i, silentMs] {
                const auto payload = static_cast<uint32_t>(rate / 1000) - 40;
                if (i >= silentMs)
                {
                    disc->Enqueue(MakeXcpItem({.payload = payload}));
                }
                disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(1e-3, 0.05)}));
                disc->Dequeue();
                disc->Dequeue();
            });
        }
        Pass(MilliSeconds(260));
        const auto& account = disc->GetController()->GetAccount();
        NS_TEST_EXPECT_MSG_EQ_TOL(account.inputRate, 1.06e6, 1, "XCP's traffic alone");
        return account.aggregate;
    };
    // F = 0.4 (capacity - 1.06 MB/s); the link has 10 MB/s, XCP's part is 2.5 MB/s.
    const double little = findAggregate(1e6);
    NS_TEST_EXPECT_MSG_EQ_TOL(little, 0.4 * (9e6 - 1.06e6), 100, "what the others left");
    const double much = findAggregate(9e6);
    NS_TEST_EXPECT_MSG_EQ_TOL(much, 0.4 * (2.5e6 - 1.06e6), 100, "its part");
    // Known at the end of the very interval in which the others came, from 200 ms to 250 ms.
    const double now = findAggregate(9e6, 200);
    NS_TEST_EXPECT_MSG_EQ_TOL(now, 0.4 * (2.5e6 - 1.06e6), 100, "at once");
}

/** @brief The windows in XCP's headers are traced, for any weights. */
LFN_CASE_OF(XcpWrrWindowTestCase, XcpTcpWrrQueueDisc::WeightLaw law)
{
    const WrrPort disc(0.5);
    disc->SetAttribute("Weights", EnumValue(law));
    double window = 0;
    ConnectTrace(disc, "XcpWindow", [&window](double, double now) { window = now; });
    disc->Initialize();
    // A flow with a window of 20 packets and one with 10; each sends 1/X packets a second.
    for (uint32_t i = 0; i < 60; ++i)
    {
        const double x = i % 3 == 0 ? 0.005 : 0.0025;
        disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(x, 0.05)}));
        disc->Dequeue();
    }
    Pass(MilliSeconds(60));
    NS_TEST_EXPECT_MSG_EQ_TOL(window, 15, 1e-3, "the mean of both flows");
    // An interval without XCP reports nothing new.
    Pass(MilliSeconds(60));
    NS_TEST_EXPECT_MSG_EQ_TOL(window, 15, 1e-3, "what was reported last");
}

/// The weight after a second of XCP flows with a window, and a queue that drops every n-th.
double
FindWeight(double window, uint32_t every, double kappa = 0.01)
{
    const WrrPort disc(0.5, every > 0 ? "2p" : "1000p");
    disc->SetAttribute("Weights", EnumValue(XcpTcpWrrQueueDisc::TFRC));
    disc->SetAttribute("Kappa", DoubleValue(kappa));
    disc->Initialize();
    for (uint32_t i = 0; i < 10000; ++i)
    {
        Simulator::Schedule(MicroSeconds(100 * i), [&disc, window, every, i] {
            if (i % 10 == 0 && window > 0)
            {
                disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(0.05 / window, 0.05)}));
                disc->Dequeue();
            }
            disc->Enqueue(MakeXcpItem({}));
            if (every > 0 && i % every == 0)
            {
                disc->Enqueue(MakeXcpItem({})); // no room
            }
            disc->Dequeue();
        });
    }
    Pass(Seconds(1));
    return disc->GetXcpWeight();
}

/** @brief Weights that follow the windows of both classes. */
LFN_CASE(XcpWrrWeightTestCase)
{
    // The equation: about sqrt(1.5/p) for rare drops, far less for many.
    const double rare = XcpTcpWrrQueueDisc::GetTfrcWindow(1e-4);
    NS_TEST_EXPECT_MSG_EQ_TOL(rare, std::sqrt(1.5e4), 1.5, "rare drops");
    const double some = XcpTcpWrrQueueDisc::GetTfrcWindow(0.01);
    NS_TEST_EXPECT_MSG_EQ_TOL(some,
                              1 / (std::sqrt(0.02 / 3) + 0.12 * std::sqrt(0.03 / 8) * (1 + 32e-4)),
                              1e-9,
                              "one in a hundred");
    const double whole = XcpTcpWrrQueueDisc::GetTfrcWindow(1);
    NS_TEST_EXPECT_MSG_LT(whole, 0.01, "all dropped");
    for (const double none : {0.0, -1.0, std::nan("")})
    {
        const double window = XcpTcpWrrQueueDisc::GetTfrcWindow(none);
        NS_TEST_EXPECT_MSG_EQ(std::isinf(window), true, "nothing dropped");
    }

    // 5 % dropped are a window of 3 to 4 packets.
    const double balance = XcpTcpWrrQueueDisc::GetTfrcWindow(1.0 / 21);
    const double ahead = FindWeight(50 * balance, 20);
    NS_TEST_EXPECT_MSG_LT(ahead, 0.45, "XCP has the larger windows: it loses weight");
    const double behind = FindWeight(balance / 50, 20);
    NS_TEST_EXPECT_MSG_GT(behind, 0.55, "XCP has the smaller windows: it gains");
    const double free = FindWeight(50, 0);
    NS_TEST_EXPECT_MSG_GT(free, 0.55, "the others lose nothing: they do not need it all");
    const double alone = FindWeight(0, 20);
    NS_TEST_EXPECT_MSG_EQ(alone, 0.5, "no XCP flows: nothing to compare");
    const double least = FindWeight(1e4, 20, 1);
    NS_TEST_EXPECT_MSG_EQ(least, 0.05, "SmallestWeight");
    const double most = FindWeight(0.01, 20, 1);
    NS_TEST_EXPECT_MSG_EQ(most, 0.95, "the same for the others");
}

/** @brief The XCP router's port with two queues: shares, limits, capacity, moving weights. */
const Suite g_suite("lfn-xcp-wrr", TestSuite::Type::UNIT, [](Suite& suite) {
    for (const double weight : {0.5, 0.1, 0.8})
    {
        const auto share = "share " + std::to_string(weight);
        suite.Add(new XcpWrrShareTestCase(share + ", 1000 and 1000 bytes", weight, 1000, 1000));
        suite.Add(new XcpWrrShareTestCase(share + ", 100 and 1400 bytes", weight, 100, 1400));
    }
    suite.Add(new XcpWrrQueueTestCase("queues of their own, no saving, limits by weight"));
    suite.Add(new XcpWrrBytesTestCase("a limit in bytes, in all"));
    suite.Add(new XcpWrrControlTestCase("XCP's capacity follows what the other queue sends"));
    suite.Add(new XcpWrrWindowTestCase("the window that is traced, weights that stay",
                                       XcpTcpWrrQueueDisc::FIXED));
    suite.Add(new XcpWrrWindowTestCase("the window that is traced, weights that move",
                                       XcpTcpWrrQueueDisc::TFRC));
    suite.Add(new XcpWrrWeightTestCase("weights by the TFRC equation"));
});

} // namespace
