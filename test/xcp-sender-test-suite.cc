// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/tcp-xcp.h"
#include "ns3/xcp-rtt-timer.h"
#include "ns3/xcp-sender-core.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr double MSS = 1000;            //!< a segment, [B]
constexpr double INFINITE_WINDOW = 1e9; //!< of a receiver that never limits, [B]

/// Make a sight; times in s, what is in flight in B.
XcpSenderCore::Sight
At(double now, double inFlight, double srtt = 0.1)
{
    return {now, srtt, MSS, inFlight};
}

/** @brief Feedback and demand of a busy sender against an independent computation. */
LFN_CASE(XcpCoreLawTestCase)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0, 1);
    XcpSenderCore core;
    constexpr double desired = 1e8;
    core.Configure({DataRate(8 * desired), 0.5});
    long double window = 10 * MSS;
    core.SetWindow(10 * MSS);
    double now = 1;
    for (int i = 0; i < 50000; ++i)
    {
        const double srtt = 0.01 + 0.3 * unit(random);
        const double feedback = std::round((unit(random) - 0.5) * 4e5);
        const double receiver = unit(random) < 0.5 ? INFINITE_WINDOW : 64 * MSS * unit(random);
        now += 0.01 * unit(random);
        const auto sight = At(now, core.GetWindow(), srtt);
        core.Advance(sight);
        core.OnFeedback(feedback, sight);
        window += static_cast<long double>(feedback) * srtt;
        window = std::max<long double>(window, MSS);
        NS_TEST_ASSERT_MSG_EQ_TOL(core.GetWindow() / static_cast<double>(window),
                                  1,
                                  1e-9,
                                  "window " << i);
        const auto demand = core.MakeDemand(At(now, core.GetWindow(), srtt), receiver);
        // Whole segments: a fraction is not sent.
        const double allowed = std::min(receiver, core.GetWindow());
        const double used = std::max(MSS, allowed - std::fmod(allowed, MSS));
        NS_TEST_ASSERT_MSG_EQ_TOL(demand.x * used / MSS / srtt, 1, 1e-9, "X " << i);
        NS_TEST_ASSERT_MSG_EQ(demand.rtt, srtt, "RTT");
        // A window per RTT later: used / MSS packets have asked for what is missing.
        const double missing = desired - used / srtt;
        NS_TEST_ASSERT_MSG_EQ_TOL(demand.delta * used / MSS,
                                  missing,
                                  std::abs(missing) * 1e-9,
                                  "delta " << i);
    }
    const auto before = core.GetWindow();
    core.OnFeedback(0, At(now, 0));
    NS_TEST_EXPECT_MSG_EQ(core.GetWindow(), before, "no feedback, no change");
    core.OnFeedback(-1e12, At(now, 0));
    NS_TEST_EXPECT_MSG_EQ(core.GetWindow(), MSS, "never below a segment");
    core.OnFeedback(1e15, At(now, 0));
    NS_TEST_EXPECT_MSG_EQ(core.GetWindow(), XcpSenderCore::MAX_WINDOW, "nor above TCP's most");
    // Of a rate that no link has 17 Gb/s, or what the receiver's window lets go.
    core.Reset();
    core.Configure({DataRate(8e14), 0.5});
    core.SetWindow(10 * MSS);
    for (const auto& [receiver, rate] :
         {std::pair{1e6, 17e9 / 8}, std::pair{64e6, 17e9 / 8}, std::pair{1e9, 1e12}})
    {
        const auto asked = core.MakeDemand(At(now, 10 * MSS, 1e-3), receiver);
        NS_TEST_EXPECT_MSG_EQ_TOL(asked.delta,
                                  std::max(rate, receiver / 1e-3) / 10 - MSS / 1e-3,
                                  1,
                                  "receiver's window " << receiver);
    }
    const auto demand = core.MakeDemand(At(now, 0, 0), INFINITE_WINDOW);
    NS_TEST_EXPECT_MSG_EQ(demand.x + demand.rtt + demand.delta, 0, "nothing without a RTT");
    core.SetWindow(2 * MSS);
    const auto closed = core.MakeDemand(At(now, 2 * MSS), 0);
    NS_TEST_EXPECT_MSG_EQ(closed.x, 0.1, "a closed window counts as a segment per RTT");
}

/** @brief Growth is reported against the lesser of the windows with which two rounds began. */
LFN_CASE(XcpCoreGrowthTestCase)
{
    XcpSenderCore core;
    core.Configure({DataRate(8e8), 0.5});
    std::vector<double> windows; // with which rounds began
    std::mt19937 random(5);
    std::uniform_real_distribution<double> growth(-0.3, 0.5);
    double window = 10 * MSS;
    core.SetWindow(window);
    core.RestartRound(At(5, window));
    windows.assign(2, 0); // it grows from nothing
    for (int round = 1; round <= 500; ++round)
    {
        window = std::clamp(window * (1 + growth(random)), 2 * MSS, 1000 * MSS);
        core.SetWindow(window);
        const double before = std::min(windows[round - 1], windows[round]);
        NS_TEST_ASSERT_MSG_EQ(core.IsGrowing(0.25), (window > 1.25 * before), "round " << round);
        core.Advance(At(5 + 0.1001 * round, window));
        windows.push_back(window);
    }
    core.RestartRound(At(60, window));
    for (const double at : {60.05, 60.11, 60.15})
    {
        core.Advance(At(at, window));
        NS_TEST_EXPECT_MSG_EQ(core.IsGrowing(10), true, "a recovery was less than two rounds ago");
    }
    core.Advance(At(60.21, window));
    NS_TEST_EXPECT_MSG_EQ(core.IsGrowing(0), false, "it is two rounds ago");
    core.SetWindow(2000 * MSS);
    NS_TEST_EXPECT_MSG_EQ(core.IsGrowing(0.25), true, "feedback after it is");
    core.Advance(At(70, 2000 * MSS));
    NS_TEST_EXPECT_MSG_EQ(core.IsGrowing(0.25), false, "several rounds later it is no more");
    core.Reset();
    core.SetWindow(MSS);
    NS_TEST_EXPECT_MSG_EQ(core.IsGrowing(0.25), true, "a new flow grows from nothing");
}

/** @brief 20 of 100 segments are used in every round. */
LFN_CASE(XcpCoreLimitedTestCase)
{
    for (const double weight : {0.0, 0.25, 0.5, 1.0})
    {
        XcpSenderCore core;
        core.Configure({DataRate(8e8), weight});
        core.SetWindow(100 * MSS);
        double expected = 100 * MSS;
        for (int step = 0; step <= 100; ++step)
        {
            const double now = 5 + 0.0101 * step;
            // What is in flight goes up and down; the most counts.
            const double inFlight = (step % 3 == 0 ? 20 : 10) * MSS;
            core.Advance(At(now, inFlight));
            if (step > 0 && step % 10 == 0 && expected >= 21 * MSS)
            {
                expected = (1 - weight) * expected + weight * 20 * MSS;
            }
            NS_TEST_ASSERT_MSG_EQ_TOL(core.GetWindow(), expected, 1e-6, "step " << step);
            const auto demand = core.MakeDemand(At(now, inFlight), INFINITE_WINDOW);
            // The window may come so near to what is used that it is full.
            const bool isFull = expected < 22 * MSS; // with this packet
            if (step > 20 && !isFull)
            {
                NS_TEST_ASSERT_MSG_EQ(demand.delta, 0, "asks for nothing at " << step);
            }
            if (step < 10)
            {
                NS_TEST_ASSERT_MSG_GT(demand.delta, 0, "a new flow asks");
            }
            NS_TEST_ASSERT_MSG_EQ_TOL(demand.x,
                                      0.1 / std::floor(expected / MSS),
                                      1e-9,
                                      "X is true");
        }
    }
}

LFN_CASE(XcpCoreIdleTestCase)
{
    XcpSenderCore core;
    core.Configure({DataRate(8e8), 0.5});
    core.SetWindow(64 * MSS);
    core.Advance(At(1, 64 * MSS));
    core.Advance(At(1.05, 0)); // the last acknowledgement has come
    core.Advance(At(1.35, 0)); // 3 rounds: the window was full in the first
    NS_TEST_EXPECT_MSG_EQ_TOL(core.GetWindow(), 16 * MSS, 1e-6, "halved twice");
    NS_TEST_EXPECT_MSG_EQ(core.IsApplicationLimited(At(1.35, 0)), true, "limited");
    core.Advance(At(1000, 0));
    NS_TEST_EXPECT_MSG_EQ_TOL(core.GetWindow(), MSS, 1e-6, "down to a segment");
    NS_TEST_EXPECT_MSG_EQ(core.IsApplicationLimited(At(1000, 0)), false, "which is full");
}

/** @brief The RTT has grown: a sender that waits for it is not idle. */
LFN_CASE(XcpCoreWaitingTestCase)
{
    XcpSenderCore core;
    core.Configure({DataRate(8e8), 0.5});
    core.SetWindow(64 * MSS);
    core.Advance(At(1, 64 * MSS));
    core.Advance(At(1.75, 64 * MSS));
    NS_TEST_EXPECT_MSG_EQ(core.GetWindow(), 64 * MSS, "nothing ages");
    NS_TEST_EXPECT_MSG_EQ(core.IsApplicationLimited(At(1.75, 63 * MSS)), false, "busy");
}

/** @brief Feedback opens the window by many segments: those between are no sign of idleness. */
LFN_CASE(XcpCoreBurstsTestCase)
{
    XcpSenderCore core;
    core.Configure({DataRate(8e8), 0.5});
    core.SetWindow(10 * MSS);
    for (int round = 0; round < 5; ++round)
    {
        const double now = 1 + 0.1 * round;
        const double before = core.GetWindow();
        core.Advance(At(now, before));
        core.OnFeedback(10 * MSS / 0.1, At(now, before));
        for (double flight = before; flight < core.GetWindow(); flight += MSS)
        {
            const auto demand = core.MakeDemand(At(now, flight), INFINITE_WINDOW);
            NS_TEST_ASSERT_MSG_GT(demand.delta, 0, "asks within the burst");
        }
        core.Advance(At(now + 0.01, core.GetWindow()));
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(core.GetWindow(), 60 * MSS, 1e-6, "nothing has aged");
}

constexpr int64_t ONE_WAY_MS = 10; //!< each way

/** @brief RTT samples: of what was sent once, and never with the age of a gap. */
LFN_CASE(XcpRttTimerTestCase)
{
    const auto at = [](uint32_t number) { return SequenceNumber32(number); };
    XcpRttTimer timer;
    NS_TEST_EXPECT_MSG_EQ(timer.OnAck(at(500), MilliSeconds(1)).has_value(), false, "nothing");
    timer.OnSend(at(4294967000U), 500, MilliSeconds(10));
    timer.OnSend(at(204), 500, MilliSeconds(12));
    timer.OnSend(at(704), 0, MilliSeconds(13));
    NS_TEST_EXPECT_MSG_EQ(timer.OnAck(at(203), MilliSeconds(30)).has_value(), false, "a part");
    // The mean of 23 and 21 ms; over the end of the numbers.
    NS_TEST_EXPECT_MSG_EQ(timer.OnAck(at(704), MilliSeconds(33)).value_or(Time(0)),
                          MilliSeconds(22),
                          "delayed acknowledgement");
    NS_TEST_EXPECT_MSG_EQ(timer.OnAck(at(704), MilliSeconds(34)).has_value(), false, "once");
    timer.OnSend(at(704), 500, MilliSeconds(40));
    timer.OnSend(at(1204), 500, MilliSeconds(41));
    timer.OnSend(at(704), 500, MilliSeconds(1040)); // again
    timer.OnSend(at(1704), 500, MilliSeconds(1041));
    NS_TEST_EXPECT_MSG_EQ(timer.OnAck(at(1704), MilliSeconds(1060)).has_value(),
                          false,
                          "what was under way is not timed");
    NS_TEST_EXPECT_MSG_EQ(timer.OnAck(at(2204), MilliSeconds(1061)).value_or(Time(0)),
                          MilliSeconds(20),
                          "what was sent since is");
}

/** @brief Go-back-N over a path that loses a third: every sample is the path's. */
LFN_CASE(XcpRttLossesTestCase)
{
    std::mt19937 random(5);
    uint32_t samples = 0;
    for (int round = 0; round < 300; ++round)
    {
        XcpRttTimer timer;
        uint32_t sent = 0;                         // next segment
        uint32_t received = 0;                     // in order
        std::set<uint32_t> held;                   // beyond
        std::multimap<int64_t, uint32_t> arrivals; // time, segment
        std::multimap<int64_t, uint32_t> acks;     // time, next expected
        uint32_t acked = 0;
        int64_t lastArrival = 0;
        for (int64_t now = 0; now < 2000; ++now)
        {
            for (; !arrivals.empty() && arrivals.begin()->first <= now;
                 arrivals.erase(arrivals.begin()))
            {
                held.insert(arrivals.begin()->second);
                for (; held.erase(received) > 0; ++received)
                {
                }
                acks.emplace(now + ONE_WAY_MS, received);
            }
            for (; !acks.empty() && acks.begin()->first <= now; acks.erase(acks.begin()))
            {
                const uint32_t next = acks.begin()->second;
                lastArrival = next > acked ? now : lastArrival;
                acked = std::max(acked, next);
                if (const auto sample =
                        timer.OnAck(SequenceNumber32(1000 * next), MilliSeconds(now)))
                {
                    ++samples;
                    NS_TEST_ASSERT_MSG_EQ(*sample, MilliSeconds(2 * ONE_WAY_MS), "the path's");
                }
            }
            if (now - lastArrival > 100)
            {
                sent = acked; // a timeout: everything again
                lastArrival = now;
            }
            if (sent < acked + 15)
            {
                timer.OnSend(SequenceNumber32(1000 * sent), 1000, MilliSeconds(now));
                if (random() % 3 != 0)
                {
                    arrivals.emplace(now + ONE_WAY_MS, sent);
                }
                ++sent;
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(samples, 3000, "many");
}

/** @brief A TcpXcp and the state of a socket. */
struct Sender
{
    /// A connection with 10 segments; an RTT of 0 is not known yet.
    explicit Sender(TcpXcp::LossPolicy policy = TcpXcp::MIX, Time rtt = MilliSeconds(100))
    {
        ops->SetAttribute("LossPolicy", EnumValue(policy));
        tcb->m_segmentSize = 1000;
        ops->Init(tcb);
        tcb->m_cWnd = 10000;
        tcb->m_ssThresh = 1000000;
        if (!rtt.IsZero())
        {
            ops->OnRttSample(rtt);
        }
        tcb->m_bytesInFlight = 10000;
        ops->OnPeerSpeaks();
    }

    ~Sender()
    {
        Simulator::Destroy();
    }

    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    /// Change the congestion state as TCP does.
    void Enter(TcpSocketState::TcpCongState_t state)
    {
        if (state != TcpSocketState::CA_CWR)
        {
            ops->CongestionStateSet(tcb, state);
        }
        tcb->m_congState = state;
    }

    Ptr<TcpSocketState> tcb = CreateObject<TcpSocketState>(); //!< TCP's own
    Ptr<TcpXcp> ops = CreateObject<TcpXcp>();                 //!< under test
};

LFN_CASE(XcpPacingTestCase)
{
    for (const double share : {0.0, 0.25})
    {
        for (const bool isPaced : {false, true})
        {
            const auto tcb = CreateObject<TcpSocketState>();
            tcb->m_segmentSize = 1000;
            tcb->m_cWnd = 10000;
            tcb->m_bytesInFlight = 10000;
            tcb->m_pacing = isPaced;
            const auto ops = CreateObject<TcpXcp>();
            ops->SetAttribute("PacedGrowth", DoubleValue(share));
            ops->Init(tcb);
            ops->OnRttSample(MilliSeconds(100));
            Simulator::Stop(Seconds(1)); // rounds go on
            Simulator::Run();
            ops->OnFeedback(0);
            Simulator::Stop(Seconds(1));
            Simulator::Run();
            ops->OnFeedback(0);
            NS_TEST_EXPECT_MSG_EQ(tcb->m_pacing, isPaced, "a steady window");
            ops->OnFeedback(100000);
            NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd.Get(), 20000, "granted");
            NS_TEST_EXPECT_MSG_EQ(tcb->m_pacing, (isPaced || share > 0), "twice the window");
            tcb->m_congState = TcpSocketState::CA_RECOVERY;
            tcb->m_cWnd = 7000;
            ops->OnFeedback(100000);
            NS_TEST_EXPECT_MSG_EQ(tcb->m_pacing, (isPaced || share > 0), "a recovery");
            tcb->m_pacing = true;
            ops->OnFeedback(0);
            NS_TEST_EXPECT_MSG_EQ(tcb->m_pacing, true, "as was asked of the socket");
        }
    }
    Simulator::Destroy();
}

LFN_CASE(XcpFractionsTestCase)
{
    Sender sender;
    NS_TEST_EXPECT_MSG_EQ(sender.ops->HasCongControl(), false, "recovery stays TCP's");
    NS_TEST_EXPECT_MSG_EQ(sender.ops->GetName(), "TcpXcp", "name");
    for (int i = 1; i <= 1000; ++i)
    {
        sender.ops->OnFeedback(5); // half a byte each
        NS_TEST_ASSERT_MSG_EQ(sender.tcb->m_cWnd.Get(),
                              static_cast<uint32_t>(10000 + i / 2),
                              "whole bytes of the sum " << i);
        sender.ops->IncreaseWindow(sender.tcb, 2);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(sender.ops->GetWindow(), 10500, 1e-6, "no slow start either");
}

LFN_CASE(XcpResyncTestCase)
{
    Sender sender;
    sender.ops->OnFeedback(105);
    NS_TEST_EXPECT_MSG_EQ_TOL(sender.ops->GetWindow(), 10010.5, 1e-9, "with a fraction");
    sender.tcb->m_cWnd = 5000;
    NS_TEST_EXPECT_MSG_EQ(sender.ops->GetWindow(), 5000, "TCP has written");
    NS_TEST_EXPECT_MSG_EQ_TOL(sender.ops->MakeDemand().x, 0.02, 1e-12, "and X says so");
    sender.ops->OnFeedback(10000);
    NS_TEST_EXPECT_MSG_EQ(sender.tcb->m_cWnd.Get(), 6000, "goes on from there");
    sender.ops->SetReceiverWindow(2000);
    NS_TEST_EXPECT_MSG_EQ_TOL(sender.ops->MakeDemand().x, 0.05, 1e-12, "the receiver's window");
    Sender fresh(TcpXcp::MIX, Time(0));
    const auto demand = fresh.ops->MakeDemand();
    NS_TEST_EXPECT_MSG_EQ(demand.x + demand.rtt + demand.delta, 0, "no RTT yet");
    fresh.ops->OnFeedback(10000);
    NS_TEST_EXPECT_MSG_EQ(fresh.tcb->m_cWnd.Get(), 10000, "and no sense in feedback");
}

/** @brief Nobody sends congestion headers. */
LFN_CASE(XcpWithoutPeerTestCase)
{
    Sender sender;
    const auto tcb = CreateObject<TcpSocketState>();
    tcb->m_segmentSize = 1000;
    tcb->m_cWnd = 10000;
    tcb->m_ssThresh = 12000;
    const auto ops = CreateObject<TcpXcp>();
    ops->Init(tcb);
    const auto other = CopyObject(tcb);
    const auto reno = CreateObject<TcpNewReno>();
    for (int i = 0; i < 100; ++i)
    {
        ops->IncreaseWindow(tcb, 1);
        reno->IncreaseWindow(other, 1);
        NS_TEST_ASSERT_MSG_EQ(tcb->m_cWnd.Get(), other->m_cWnd.Get(), "NewReno " << i);
    }
    ops->OnPeerSpeaks();
    const auto before = tcb->m_cWnd.Get();
    ops->IncreaseWindow(tcb, 1);
    NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd.Get(), before, "until the peer speaks");
    CreateObject<TcpXcp>()->OnFeedback(1000); // belongs to no socket: harmless
}

LFN_CASE(XcpForkTestCase)
{
    Sender sender(TcpXcp::FALLBACK);
    sender.ops->SetAttribute("DesiredRate", DataRateValue(DataRate("80Mbps")));
    sender.ops->SetAttribute("AgingWeight", DoubleValue(0.75));
    sender.ops->OnFeedback(1000);
    const auto fork = DynamicCast<TcpXcp>(sender.ops->Fork());
    EnumValue<TcpXcp::LossPolicy> policy;
    fork->GetAttribute("LossPolicy", policy);
    NS_TEST_EXPECT_MSG_EQ((policy.Get() == TcpXcp::FALLBACK), true, "setting");
    DoubleValue weight;
    fork->GetAttribute("AgingWeight", weight);
    NS_TEST_EXPECT_MSG_EQ(weight.Get(), 0.75, "setting");
    const auto tcb = CopyObject(sender.tcb);
    fork->Init(tcb);
    NS_TEST_EXPECT_MSG_EQ(fork->MakeDemand().rtt, 0, "its RTT is its own");
    fork->OnRttSample(MilliSeconds(100));
    NS_TEST_EXPECT_MSG_EQ_TOL(fork->MakeDemand().delta,
                              (1e7 - 10000 / 0.1) / 10,
                              1e-6,
                              "asks for the same rate");
    fork->IncreaseWindow(tcb, 1);
    NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd.Get(),
                          sender.tcb->m_cWnd.Get() + 1000,
                          "it has no peer, and the other's window is its own");
}

/** @brief ns-2's way: feedback on duplicate acknowledgements is lost. */
LFN_CASE(XcpNewAcksOnlyTestCase)
{
    Sender sender;
    sender.ops->SetAttribute("ApplyOnNewAcksOnly", BooleanValue(true));
    sender.ops->OnFeedback(10000);
    NS_TEST_EXPECT_MSG_EQ(sender.tcb->m_cWnd.Get(), 10000, "not yet");
    sender.ops->IncreaseWindow(sender.tcb, 1);
    NS_TEST_EXPECT_MSG_EQ(sender.tcb->m_cWnd.Get(), 11000, "with a new one");
    sender.ops->OnFeedback(10000); // a duplicate
    sender.ops->OnFeedback(0);
    sender.ops->IncreaseWindow(sender.tcb, 1);
    NS_TEST_EXPECT_MSG_EQ(sender.tcb->m_cWnd.Get(), 11000, "lost");
}

/** @brief Feedback that comes in recovery is forgotten. */
LFN_CASE_OF(XcpRecoveryTestCase, TcpSocketState::TcpCongState_t state)
{
    for (const auto policy : {TcpXcp::MIX, TcpXcp::FALLBACK})
    {
        Sender sender(policy);
        auto& window = sender.tcb->m_cWnd;
        sender.Enter(state);
        sender.tcb->m_ssThresh = 5000;
        for (int i = 0; i < 10; ++i)
        {
            window = 7000 + 100 * i; // by proportional rate reduction
            sender.ops->OnFeedback(2000);
            sender.ops->MakeDemand();
            NS_TEST_EXPECT_MSG_EQ(window.Get(), 7000U + 100 * i, "left alone");
        }
        // The end: the state first, then the window, then IncreaseWindow().
        sender.ops->OnFeedback(-4000);
        sender.Enter(TcpSocketState::CA_OPEN);
        window = 5000;
        sender.ops->IncreaseWindow(sender.tcb, 1);
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 5000, "as TCP left it");
        sender.ops->OnFeedback(1000);
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 5100, "and obedient again");
    }
}

/** @brief After a timeout XCP goes on from one segment, or TCP slow-starts. */
LFN_CASE(XcpTimeoutTestCase)
{
    for (const auto policy : {TcpXcp::MIX, TcpXcp::FALLBACK})
    {
        Sender sender(policy);
        auto& window = sender.tcb->m_cWnd;
        sender.Enter(TcpSocketState::CA_RECOVERY);
        sender.ops->OnFeedback(500000);
        sender.tcb->m_ssThresh = 4000;
        sender.Enter(TcpSocketState::CA_LOSS);
        window = 1000;
        sender.tcb->m_bytesInFlight = 1000;
        sender.ops->OnFeedback(0);
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 1000, "nothing is left of the recovery");
        sender.ops->OnFeedback(5000);
        sender.ops->IncreaseWindow(sender.tcb, 1);
        NS_TEST_EXPECT_MSG_EQ(window.Get(),
                              (policy == TcpXcp::MIX ? 1500 : 2000),
                              "feedback or slow start");
        sender.ops->OnFeedback(5000);
        sender.Enter(TcpSocketState::CA_OPEN);
        sender.ops->IncreaseWindow(sender.tcb, 1);
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 2000, "feedback, or nothing any more");
        sender.ops->OnFeedback(5000);
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 2500, "open");
    }
}

LFN_CASE(XcpReorderingTestCase)
{
    for (const auto policy : {TcpXcp::MIX, TcpXcp::FALLBACK})
    {
        Sender sender(policy);
        sender.Enter(TcpSocketState::CA_DISORDER);
        sender.ops->OnFeedback(5000);
        NS_TEST_EXPECT_MSG_EQ(sender.tcb->m_cWnd.Get(), 10500, "obeyed at once");
    }
}

/// The window of an XCP sender against sums done here, and how it shares TCP's window with TCP.
const Suite g_suite("lfn-xcp-sender", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new XcpRttTimerTestCase("RTT samples"));
    suite.Add(new XcpRttLossesTestCase("RTT samples of a path that loses a third"));
    suite.Add(new XcpCoreLawTestCase("window and demand of a busy sender"));
    suite.Add(new XcpCoreGrowthTestCase("growth of the window over two rounds"));
    suite.Add(new XcpCoreLimitedTestCase("aging of a window that the application does not fill"));
    suite.Add(new XcpCoreIdleTestCase("aging of an idle sender"));
    suite.Add(new XcpCoreWaitingTestCase("no aging while the RTT grows"));
    suite.Add(new XcpCoreBurstsTestCase("no aging within granted bursts"));
    suite.Add(new XcpPacingTestCase("TCP's pacing while the window grows"));
    suite.Add(new XcpFractionsTestCase("TCP's window: fractions of a byte add up"));
    suite.Add(new XcpResyncTestCase("TCP's window: resynchronisation with what TCP writes"));
    suite.Add(new XcpWithoutPeerTestCase("TCP's window: NewReno without a peer"));
    suite.Add(new XcpForkTestCase("a forked socket has the settings and no state"));
    suite.Add(new XcpNewAcksOnlyTestCase("feedback on new acknowledgements only, as in ns-2"));
    suite.Add(new XcpRecoveryTestCase("loss policies: recovery", TcpSocketState::CA_RECOVERY));
    suite.Add(new XcpRecoveryTestCase("loss policies: ECN", TcpSocketState::CA_CWR));
    suite.Add(new XcpTimeoutTestCase("loss policies: a timeout"));
    suite.Add(new XcpReorderingTestCase("loss policies: reordering is no loss"));
});

} // namespace
