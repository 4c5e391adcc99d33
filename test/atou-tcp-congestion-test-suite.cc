// SPDX-License-Identifier: GPL-2.0-only

#include "atou-test-congestion-clock.h"
#include "lfn-test-case.h"

#include "ns3/tcp-highspeed.h"
#include "ns3/tcp-linux-reno.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** All that can control an atou sender. */
const std::vector<std::string> ALLOWED{"TcpNewReno",
                                       "TcpLinuxReno",
                                       "TcpCubic",
                                       "TcpBic",
                                       "TcpHtcp",
                                       "TcpHybla",
                                       "TcpHighSpeed",
                                       "TcpScalable",
                                       "TcpVegas",
                                       "TcpVeno",
                                       "TcpWestwoodPlus",
                                       "TcpIllinois",
                                       "TcpYeah"};

/** @brief Every allowed class grows, is cut, and stays within its limits. */
class AllowedTestCase : public CaseOf<std::string>
{
    using CaseOf::CaseOf;

    void RunWith(std::string name) override
    {
        NS_TEST_ASSERT_MSG_EQ(
            AtouTcpCongestion::Check(TypeId::LookupByName("ns3::" + name)).value_or(""),
            "",
            "allowed");
        {
            Clock clock(MakeOps(name), MakeOptions(), AtouOptions::INFINITE);
            NS_TEST_EXPECT_MSG_EQ(clock.state.cwnd, 2, "as it began");
            NS_TEST_EXPECT_MSG_EQ(clock.state.ssthresh, AtouOptions::INFINITE, "no threshold");
            clock.RunRtts(5);
            // Hybla at twice its reference time: three segments per ACK instead of one.
            const double expected = name == "TcpHybla" ? 2048 : 64;
            NS_TEST_EXPECT_MSG_EQ(clock.state.cwnd, expected, "doubles every RTT");
        }
        {
            Clock clock(MakeOps(name), MakeOptions(), 50);
            clock.RunRtts(10);
            const double before = clock.state.cwnd;
            NS_TEST_EXPECT_MSG_GT(before, 49, "slow start to its threshold");
            clock.RunRtts(20);
            const double top = clock.state.cwnd;
            NS_TEST_EXPECT_MSG_GT(top, before + 0.5, "congestion avoidance");
            clock.Lose();
            const double cut = clock.state.cwnd;
            NS_TEST_EXPECT_MSG_LT(cut, top, "cut");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(cut, top / 4, "not to next to nothing");
            clock.RunRtts(60);
            NS_TEST_EXPECT_MSG_GT(clock.state.cwnd, cut + 0.5, "grows again");
            clock.Expire();
            NS_TEST_EXPECT_MSG_EQ(clock.state.cwnd, 2, "after a timeout");
            const uint32_t threshold = clock.state.ssthresh;
            NS_TEST_EXPECT_MSG_GT(threshold, 1, "there is a threshold");
            clock.Expire();
            NS_TEST_EXPECT_MSG_EQ(clock.state.ssthresh, threshold, "once for a segment");
            clock.RunRtts(10);
            NS_TEST_EXPECT_MSG_GT(clock.state.cwnd, 4, "grows after a timeout");
        }
        for (uint32_t seed = 0; seed < 10; ++seed)
        {
            Abuse(name, seed);
        }
    }

    /// Random events, also at the same instant and on tiny windows.
    void Abuse(const std::string& name, uint32_t seed)
    {
        std::mt19937 random(seed);
        const uint32_t initSegs = 1 + random() % 10;
        Clock clock(MakeOps(name), MakeOptions(initSegs), 2 + random() % 1000);
        clock.base = MicroSeconds(1 + random() % 400000);
        bool isSound = true;
        for (int i = 0; i < 2000 && isSound; ++i)
        {
            switch (random() % 40)
            {
            case 0:
                clock.Lose();
                break;
            case 1:
                clock.Expire();
                break;
            case 2:
                clock.congestion.CutOnTimeout(clock.state);
                break;
            case 3:
                clock.congestion.CutOnLoss(clock.state);
                clock.congestion.Grow(clock.state, 1, {});
                clock.congestion.EndRecovery(clock.state);
                break;
            case 4:
                clock.state.una = clock.state.nxt;
                clock.congestion.CutOnLoss(clock.state);
                clock.congestion.CutOnTimeout(clock.state);
                break;
            case 5:
                clock.Ack(0);
                break;
            case 6: // as rcvrwin does
                clock.state.cwnd = std::min(clock.state.cwnd, 20.0 + random() % 100);
                break;
            case 7:
                clock.Ack(1 + random() % 100);
                break;
            default:
                clock.Ack(1 + random() % 2);
            }
            isSound = std::isfinite(clock.state.cwnd) && clock.state.cwnd >= initSegs &&
                      clock.state.cwnd < 800'000 && clock.state.ssthresh >= initSegs;
            // Sequence numbers of bytes wrap every 2.9 million segments.
            const uint32_t jump = random() % 1000 == 0 ? 1'000'000 : 0;
            clock.state.una += jump;
            clock.state.nxt += jump;
            clock.state.max += jump;
        }
        NS_TEST_EXPECT_MSG_EQ(isSound,
                              true,
                              "seed " << seed << ": cwnd " << clock.state.cwnd << " ssthresh "
                                      << clock.state.ssthresh);
    }
};

/** @brief Writes down how it is called. */
class Recorder : public TcpCongestionOps
{
  public:
    /// A recorder that writes there.
    explicit Recorder(std::string& record)
        : m_record(&record)
    {
    }

    std::string GetName() const override
    {
        return "Recorder";
    }

    void Init(Ptr<TcpSocketState> tcb) override
    {
        Write("init", tcb->m_cWnd);
    }

    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override
    {
        Write("threshold", bytesInFlight, tcb->m_congState);
        return 5 * tcb->m_segmentSize + 1;
    }

    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override
    {
        Write("increase", segmentsAcked, tcb->m_lastAckedSeq.GetValue(), tcb->m_cWnd);
        tcb->m_cWnd += 10;
    }

    void PktsAcked(Ptr<TcpSocketState> /* tcb */, uint32_t segmentsAcked, const Time& rtt) override
    {
        Write("acked", segmentsAcked, rtt.GetMilliSeconds());
    }

    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t newState) override
    {
        Write("state", tcb->m_congState, newState);
    }

    void CwndEvent(Ptr<TcpSocketState> /* tcb */, const TcpSocketState::TcpCAEvent_t event) override
    {
        Write("event", event);
    }

    Ptr<TcpCongestionOps> Fork() override
    {
        return nullptr;
    }

  private:
    /// Writes what is called, and its arguments.
    template <typename... Numbers>
    void Write(const std::string& call, Numbers... numbers)
    {
        *m_record += call;
        ((*m_record += " " + std::to_string(static_cast<int64_t>(numbers))), ...);
        *m_record += "; ";
    }

    std::string* m_record; //!< where to write
};

/** @brief Calls come in the order of TcpSocketBase. */
class OrderTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        // States: 0 open, 1 disorder, 3 recovery, 4 loss. Events: 2 recovery ends, 3 loss.
        auto options = MakeOptions(10);
        options->mss = 1000;
        Clock clock(CreateObject<Recorder>(m_record), options, 100);
        Expect("init 10000; state 0 0; ", "start");
        clock.Ack(1);
        Expect("acked 1 100; increase 1 1000 10000; ", "an ACK");
        clock.Ack(2);
        Expect("acked 2 100; increase 2 3000 10010; ", "an ACK of two");
        NS_TEST_EXPECT_MSG_EQ(clock.state.cwnd, 10.02, "bytes are not lost");
        clock.Ack(0);
        Expect("state 0 1; ", "a duplicate");
        clock.Ack(0);
        Expect("", "another one");
        clock.Ack(1);
        Expect("acked 1 100; state 1 0; increase 1 4000 10020; ", "reordering, no loss");

        clock.state.nxt += 3; // limited transmit
        clock.Lose();
        Expect("state 0 1; state 1 3; threshold 10030 3; event 2; state 3 0; ",
               "loss: no more than the window is under way");
        NS_TEST_EXPECT_MSG_EQ(clock.state.cwnd, 10, "the floor");
        NS_TEST_EXPECT_MSG_EQ(clock.state.ssthresh, 10, "the floor");

        clock.Ack(0);
        m_record = "";
        clock.congestion.CutOnLoss(clock.state);
        Expect("state 1 3; threshold 10000 3; ", "loss");
        clock.state.cwnd += 5; // a window inflated by duplicate ACKs
        clock.Ack(1);
        Expect("acked 1 100; ", "no growth in recovery");
        NS_TEST_EXPECT_MSG_EQ(clock.congestion.GetSocketState()->m_cWnd.Get(),
                              10000,
                              "the inflation is not passed on");
        clock.state.nxt = clock.state.una + 10;
        clock.Expire();
        Expect("threshold 10000 3; event 3; state 3 4; ", "timeout in recovery");
        clock.congestion.EndRecovery(clock.state);
        Expect("", "the timeout's loss is not recovered yet");
        clock.Expire();
        Expect("event 3; state 4 4; ", "the same segment again");
        clock.Ack(1);
        const auto una = std::to_string(1000 * (clock.state.una - 1));
        Expect("acked 1 100; increase 1 " + una + " 10000; ", "growth after a timeout");
        clock.Expire();
        Expect("threshold 10000 4; event 3; state 4 4; ", "the timeout of another segment");
        // At this instant TcpHtcp would divide by zero.
        const AtouAck atOnce{.next = clock.state.una + 1,
                             .rtt = clock.base,
                             .now = Simulator::Now()};
        clock.congestion.Observe(clock.state, atOnce);
        clock.congestion.Grow(clock.state, 1, atOnce);
        Expect("", "an ACK at the instant of a cut");
        clock.Ack(clock.state.max - clock.state.una);
        NS_TEST_EXPECT_MSG_EQ((m_record.find("state 4 0; increase") != std::string::npos),
                              true,
                              "all is recovered: " << m_record);
    }

    /// Compares the record with what is expected, and begins a new one.
    void Expect(const std::string& calls, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(m_record, calls, what);
        m_record = "";
    }

    std::string m_record; //!< calls so far
};

/** @brief Windows of three classes, segment by segment, computed again. */
class ArithmeticTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const uint32_t delayed : {1, 2})
        {
            // Linux: a segment per window of segments; what was counted for a larger window before
            // a loss is worth one.
            uint64_t count = 0;
            Compare("TcpLinuxReno", delayed, 0.5, [&](uint64_t window, uint32_t acked) {
                const uint64_t credit = count >= window ? 1 : 0;
                count = (credit > 0 ? 0 : count) + acked;
                const uint64_t more = count / window;
                count %= window;
                return window + credit + more;
            });
            // RFC 3649: a(w) segments a window of segments, a(w) from the table; the remainder
            // stays.
            count = 0;
            Compare("TcpHighSpeed", delayed, 0, [&](uint64_t window, uint32_t acked) {
                count += uint64_t{acked} * TcpHighSpeed::TableLookupA(window);
                while (count >= window)
                {
                    count -= window;
                    window++;
                }
                return window;
            });
            // A segment every 50 segments, or every window where that is smaller; the remainder is
            // thrown away.
            count = 0;
            Compare("TcpScalable", delayed, 0.875, [&](uint64_t window, uint32_t acked) {
                const uint64_t every = std::min<uint64_t>(window, 50);
                if (count >= every)
                {
                    count = 0;
                    window++;
                }
                count += acked;
                if (count >= every)
                {
                    window += count / every;
                    count = 0;
                }
                return window;
            });
        }
    }

    /// Runs a class, with ACKs of a number of delayed segments, against its rule, the window after
    /// an ACK in congestion avoidance; a multiplier of 0: the HighSpeed table reports the window
    /// after a loss.
    void Compare(const std::string& name,
                 uint32_t delayed,
                 double multiplier,
                 const std::function<uint64_t(uint64_t window, uint32_t acked)>& rule)
    {
        Clock clock(MakeOps(name), MakeOptions(), 64);
        clock.base = Seconds(1);
        while (clock.state.cwnd < 64)
        {
            clock.Ack(1);
        }
        uint64_t window = 64;
        uint64_t top = 0;
        for (int i = 0; i < 20000; ++i)
        {
            clock.Ack(delayed);
            window = rule(window, delayed);
            top = std::max(top, window);
            NS_TEST_ASSERT_MSG_EQ(clock.state.cwnd, window, name << " at ACK " << i);
            if (i % 4000 == 3999)
            {
                const double factor =
                    multiplier > 0 ? multiplier : 1 - TcpHighSpeed::TableLookupB(window);
                clock.Lose();
                const double cut = std::floor(static_cast<double>(window) * factor);
                NS_TEST_ASSERT_MSG_EQ(clock.state.ssthresh, cut, name << " cut");
                NS_TEST_ASSERT_MSG_EQ(clock.state.cwnd, cut, name << " cut");
                window = clock.state.ssthresh;
            }
        }
        NS_TEST_EXPECT_MSG_GT(top, 100, name << " has grown");
    }
};

LFN_CASE(LimitsTestCase)
{
    const std::string end = ", which atou does not have, give another class, such as "
                            "ns3::TcpLinuxReno or ns3::TcpCubic";
    const auto check = [](const std::string& name) {
        return AtouTcpCongestion::Check(TypeId::LookupByName(name)).value_or("");
    };
    NS_TEST_EXPECT_MSG_EQ((check("ns3::TcpBbr")),
                          "ns3::TcpBbr needs delivery rate samples and pacing" + end,
                          "Bbr");
    NS_TEST_EXPECT_MSG_EQ((check("ns3::TcpDctcp")), "ns3::TcpDctcp needs ECN marks" + end, "Dctcp");
    for (const std::string name : {"ns3::TcpLedbat", "ns3::TcpLp"})
    {
        NS_TEST_EXPECT_MSG_EQ((check(name)),
                              name + " needs one-way delays from TCP timestamps" + end,
                              name);
    }
    for (const std::string name : {"ns3::TcpCongestionOps", "ns3::UdpSocket"})
    {
        NS_TEST_EXPECT_MSG_EQ((check(name)),
                              name + " is no congestion control of TCP that can be made, give "
                                     "another class, such as ns3::TcpLinuxReno or "
                                     "ns3::TcpCubic",
                              name);
    }

    // A small window: the threshold is two segments at least, unless initsegs is more.
    for (const uint32_t initSegs : {1, 5})
    {
        Clock clock(MakeOps("TcpNewReno"), MakeOptions(initSegs), 100);
        clock.Expire();
        NS_TEST_EXPECT_MSG_EQ(clock.state.cwnd, initSegs, "after a timeout");
        NS_TEST_EXPECT_MSG_EQ(clock.state.ssthresh, std::max(2U, initSegs), "threshold");
    }

    // TcpYeah's threshold wraps round when it has seen a queue and nothing is under way.
    {
        Clock clock(MakeOps("TcpYeah"), MakeOptions(20), 20);
        clock.RunRtts(1);
        clock.base = MilliSeconds(200);
        clock.RunRtts(1);
        clock.RunRtts(1);
        clock.state.una = clock.state.nxt;
        clock.congestion.CutOnTimeout(clock.state);
        NS_TEST_EXPECT_MSG_LT(clock.state.ssthresh, 30, "no more than the window");
    }
}

/** @brief 2^30 bytes, and an infinite threshold that stays one. */
LFN_CASE(CeilingTestCase)
{
    Clock clock(MakeOps("TcpLinuxReno"), MakeOptions(), AtouOptions::INFINITE);
    clock.Ack(1);
    clock.state.cwnd = 1e9;
    for (int i = 0; i < 10; ++i)
    {
        clock.Ack(100);
        NS_TEST_EXPECT_MSG_EQ(clock.state.cwnd, (1 << 30) / 1472.0, "most");
    }
    NS_TEST_EXPECT_MSG_EQ(clock.state.ssthresh, AtouOptions::INFINITE, "still infinite");
    NS_TEST_EXPECT_MSG_EQ(clock.congestion.GetSocketState()->m_ssThresh.Get(),
                          UINT32_MAX,
                          "still infinite");
}

/** @brief TcpWestwoodPlus leaves an event behind, which must find it alive. */
LFN_CASE(LifetimeTestCase)
{
    const auto ops = MakeOps("TcpWestwoodPlus");
    {
        Clock sender(ops, MakeOptions(), 10);
        sender.Ack(1);
    }
    NS_TEST_EXPECT_MSG_EQ(ops->GetReferenceCount(), 1, "gone with the simulation");
    auto sender = std::make_unique<AtouTcpCongestion>(ops, MakeOptions());
    AtouState state{.cwnd = 2, .ssthresh = 10};
    sender->Start(state);
    sender.reset();
    NS_TEST_EXPECT_MSG_GT(ops->GetReferenceCount(), 1, "not gone with the sender");
    Simulator::Destroy();
}

const Suite g_suite("lfn-atou-tcp-congestion", TestSuite::Type::UNIT, [](Suite& suite) {
    for (const auto& name : ALLOWED)
    {
        suite.Add(
            new AllowedTestCase(name + ": grows, is cut, and lives through 20,000 random events",
                                name));
    }
    suite.Add(new OrderTestCase("calls: which, when, in what state and with what numbers"));
    suite.Add(
        new ArithmeticTestCase("arithmetic: LinuxReno, HighSpeed and Scalable by their own rules"));
    suite.Add(new LimitsTestCase("limits: floor; refused classes say what they need"));
    suite.Add(new CeilingTestCase("limits: ceiling, infinite threshold"));
    suite.Add(new LifetimeTestCase("a congestion control that leaves an event behind"));
});

} // namespace
