// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-lossy-path.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Cargo = VrpTestPeer::Cargo;
using Limits = VrpReceiveWindow::Limits;
using Outcome = VrpReceiveWindow::Outcome;

/** @brief Recounts by brute force what a receive window may say only by its counters. */
class Auditor
{
  public:
    /// An auditor for a frame, of a receiver with either algorithm.
    Auditor(const Limits& limits, bool basic)
        : stored(limits.packets, 0),
          m_limits(limits),
          m_basic(basic),
          m_critical(limits.packets, false),
          m_nacks(limits.packets, 0)
    {
        for (const auto& piece : limits.critical)
        {
            for (auto packet = piece.first; packet <= piece.last; ++packet)
            {
                m_critical[packet] = true;
            }
        }
    }

    /// Look at everything after a packet has come.
    void Check(const VrpReceiveWindow& window,
               uint32_t packet,
               Outcome outcome,
               const VrpReceiveWindow::Answer& answer)
    {
        if (outcome == Outcome::STORE)
        {
            Demand(++stored[packet] == 1, "stored once");
            Demand(!m_complete, "nothing stored after the end");
        }
        m_complete = window.IsComplete();
        Recount(window);
        for (const auto demanded : answer.nacks)
        {
            Demand(++m_nacks[demanded] == 1, "demanded once (C14)");
            Demand(m_limits.nackWholeGap || IsNeeded(demanded), "only what limits demand");
        }
        for (const auto accepted : answer.acceptedAcks)
        {
            Demand(m_lost[accepted] != 0, "acknowledged as an accepted loss");
            Demand(m_limits.ackAcceptedLoss && !m_basic, "no such acknowledgement");
        }
    }

    /// Look at the end.
    void CheckEnd(const VrpReceiveWindow& window)
    {
        Demand(window.IsComplete(), "complete");
        std::vector<bool> missing(stored.size(), false);
        uint32_t lost = 0;
        for (const auto& piece : window.GetLostPackets())
        {
            for (auto packet = piece.first; packet <= piece.last; ++packet)
            {
                missing[packet] = true;
                ++lost;
            }
        }
        Demand(lost == window.GetAcceptedLosses(), "number of accepted losses");
        for (uint32_t packet = 0; packet < stored.size(); ++packet)
        {
            Demand(missing[packet] == (stored[packet] == 0), "the gaps are what never came");
            Demand(!missing[packet] || !m_critical[packet], "critical packets are no gaps");
        }
        Demand(window.GetCumulativeAck().value_or(0) + 1 == stored.size(), "all acknowledged");
    }

    /// Note what does not hold.
    void Demand(bool holds, const char* what)
    {
        if (!holds && broken.empty())
        {
            broken = what;
        }
    }

    std::vector<uint32_t> stored; //!< how often a packet was stored
    std::string broken;           //!< the first demand that did not hold

  private:
    /// Recount losses in every history window, bursts, wait_point, loss_cnt.
    void Recount(const VrpReceiveWindow& window)
    {
        const auto next = window.GetNextExpected();
        const auto history = m_limits.historyWindow;
        uint32_t losses = 0;
        uint32_t lossesAtWait = 0;
        uint32_t burst = 0;
        uint32_t wait = next;
        m_lost.assign(next, 0);
        for (uint32_t i = 0; i < next; ++i)
        {
            const bool valid = window.IsValid(i);
            const bool received = window.IsReceived(i);
            const bool lost = valid && !received;
            if (!valid && wait == next)
            {
                wait = i;
                lossesAtWait = losses;
            }
            m_lost[i] = lost ? 1 : 0;
            losses += m_lost[i] - (i >= history ? m_lost[i - history] : 0);
            burst = lost ? burst + 1 : 0;
            Demand(losses <= m_limits.maxLosses, "losses in a history window");
            Demand(burst <= m_limits.maxBurst.value_or(burst), "consecutive losses");
            Demand(!lost || !m_critical[i], "no critical packet lost");
            Demand(valid || !received, "what is received is valid");
            Demand(received == (stored[i] > 0), "received is what was stored");
            Demand(!valid || !window.IsWaiting(i), "what is valid is not awaited");
            Demand(valid || m_basic || window.IsWaiting(i), "judged at once");
        }
        Demand(window.GetWaitPoint() == wait, "wait_point");
        const auto expected = m_basic && wait < next ? lossesAtWait : losses;
        Demand(window.GetLossCount() == expected, "loss_cnt");
        Demand(window.GetAcceptedLosses() ==
                   std::accumulate(m_lost.begin(), m_lost.end(), uint32_t{0}),
               "accepted losses");
    }

    /// Check whether a packet demanded just now could not have been accepted as lost.
    bool IsNeeded(uint32_t packet) const
    {
        const auto history = m_limits.historyWindow;
        const auto from = m_lost.begin() + (packet + 1 > history ? packet + 1 - history : 0);
        const auto losses = std::accumulate(from, m_lost.begin() + packet, uint32_t{0});
        uint32_t burst = 0;
        while (burst < packet && m_lost[packet - 1 - burst] != 0)
        {
            ++burst;
        }
        return m_critical[packet] || losses >= m_limits.maxLosses ||
               burst >= m_limits.maxBurst.value_or(burst + 1);
    }

    Limits m_limits;               //!< the receiver's
    bool m_basic;                  //!< the original algorithm
    std::vector<bool> m_critical;  //!< packets that must not be lost
    std::vector<uint32_t> m_nacks; //!< how often a packet was demanded
    std::vector<uint32_t> m_lost;  //!< 1 for each accepted loss, at the last count
    bool m_complete{false};        //!< the frame was complete before the packet came
};

/** @brief The guarantee of section 1.2.2 under any losses, by one of the two algorithms. */
class VrpGuaranteeTestCase : public CaseOf<bool, uint32_t, uint32_t>
{
    using CaseOf::CaseOf;

    void RunWith(bool basic, uint32_t patterns, uint32_t seed) override
    {
        Simulator::Run(); // from here on, Time values are no longer registered: much faster
        for (uint32_t i = 0; i < patterns; ++i)
        {
            const auto broken = Try(basic, seed + i);
            NS_TEST_EXPECT_MSG_EQ(broken, "", "seed " << seed + i);
            if (!broken.empty())
            {
                return; // one is enough: the others may take long
            }
        }
        // The patterns do what they are there for.
        NS_TEST_EXPECT_MSG_GT(m_accepted, 4 * patterns, "accepted losses");
        NS_TEST_EXPECT_MSG_GT(m_nacks, patterns, "NACKs");
        NS_TEST_EXPECT_MSG_GT(m_timeouts, 4 * patterns, "timeouts");
        NS_TEST_EXPECT_MSG_GT(m_headers, patterns * 5 / 4, "headers");
    }

    /// Send a frame, of which the seed says everything; what was not as it should be, or nothing.
    std::string Try(bool basic, uint32_t seed)
    {
        Dice dice(seed);
        const Limits limits = DrawLimits(dice);
        const bool reorder = dice.Happens(30);
        const uint32_t oneWay = dice.From(1, 50000000); // ns
        VrpOutgoingFrame::Settings settings;
        settings.header.packetSize = 2;
        settings.header.dataSize = 2 * limits.packets - dice.From(0, 1);
        // The original receiver refuses what lies far ahead: that can be tried with any window,
        // but it makes for many retransmissions, so not too often.
        const bool any = !basic || dice.Happens(5);
        const uint32_t span = any ? 256 : std::min(256U, 2 * limits.historyWindow);
        settings.windowSize = std::min(span, 1U << dice.From(0, 8));
        settings.frameTimeout = Seconds(1000000);
        settings.dataWithHeader = dice.Happens(20);
        auto timeout = CreateObject<VrpRttEstimator>();
        timeout->SetAttribute("MaxRto", TimeValue(Seconds(1)));
        const bool fair = dice.Happens(80); // or the first estimate is far too short
        timeout->Measurement(NanoSeconds(fair ? 2 * oneWay : 1));

        LossyPath path(dice, limits);
        Auditor auditor(limits, basic);
        VrpTestPeer peer(settings, limits, basic, timeout);
        peer.lose = [&](Cargo cargo, uint32_t packet, bool repeat) {
            const bool demanded = peer.receiver && peer.receiver->IsWaiting(packet);
            return path.Lose(cargo, packet, repeat, demanded);
        };
        peer.delay = [&]() { return oneWay + (reorder ? dice.From(0, oneWay) : 0); };
        peer.repeat = [&]() { return reorder && dice.Happens(10); };
        peer.taken = [&](uint32_t packet, Outcome outcome, const auto& answer) {
            auditor.Check(*peer.receiver, packet, outcome, answer);
        };
        auditor.Demand(peer.Run(1000000), "it ends");
        auditor.Demand(peer.sender.GetState() == VrpFrameState::DONE, "the sender is done");
        auditor.Demand(peer.lateDeadlines == 0, "deadlines lie in the future");
        auditor.Demand(peer.missingHeaders == 0, "no data before the header");
        if (!auditor.broken.empty())
        {
            return auditor.broken;
        }
        peer.Settle();
        auditor.CheckEnd(*peer.receiver);
        const auto& counters = peer.sender.GetCounters();
        auditor.Demand(peer.steps <= GetMostSteps(basic, fair && !reorder, settings.windowSize) *
                                         (limits.packets + path.losses + 10),
                       "work is bounded");
        auditor.Demand(counters.dataPackets - counters.retransmissions == limits.packets,
                       "each new once");
        if (path.plan == LossyPath::NOTHING && fair && !reorder)
        {
            auditor.Demand(counters.retransmissions == 0 || basic, "nothing sent redundantly");
            auditor.Demand(peer.receiver->GetAcceptedLosses() == 0, "nothing given up");
        }
        m_accepted += peer.receiver->GetAcceptedLosses();
        m_nacks += counters.nacks;
        m_timeouts += counters.timeouts;
        m_headers += counters.headers;
        return auditor.broken;
    }

    /// Draw what a receiver receives.
    static Limits DrawLimits(Dice& dice)
    {
        Limits limits;
        limits.packets = dice.Happens(75) ? dice.From(1, 60) : dice.From(1, 200);
        limits.packets = dice.Happens(3) ? dice.From(200, 600) : limits.packets;
        limits.historyWindow = dice.Happens(60) ? dice.From(4, 24) : dice.From(4, 256);
        limits.maxLosses = dice.Happens(60) ? dice.From(0, limits.historyWindow)
                                            : dice.From(0, limits.historyWindow / 4);
        limits.maxLosses = dice.Happens(10) ? 0 : limits.maxLosses;
        if (dice.Happens(60))
        {
            limits.maxBurst = dice.Happens(10) ? 0 : dice.From(1, 8);
        }
        if (dice.Happens(50))
        {
            for (uint32_t at = dice.From(0, 20); at < limits.packets;)
            {
                const uint32_t last = std::min(at + dice.From(0, 3), limits.packets - 1);
                limits.critical.push_back({at, last});
                at = last + 2 + dice.From(0, 40);
            }
        }
        limits.maxGap = dice.Happens(5) ? dice.From(1, 64) : 4096;
        limits.ackAcceptedLoss = dice.Happens(75);
        limits.ackRepeats = dice.Happens(75);
        limits.takeLateLoss = dice.Happens(75);
        limits.nackWholeGap = dice.Happens(25);
        return limits;
    }

    /// The work that a frame may make, in packets sent and arrived, for each packet of it and each
    /// that was lost. The bounds are some twice the most that 92000 of these frames made. On a
    /// steady path, which keeps the order and whose RTT is known, a packet and its answer
    /// are hardly sent redundantly; a first timeout that is a fraction of the RTT makes for
    /// retransmissions until it has grown. The basic algorithm acknowledges nothing behind a gap:
    /// the rest of the window is retransmitted with it.
    static uint64_t GetMostSteps(bool basic, bool steady, uint32_t window)
    {
        if (basic)
        {
            return 5 * (window + 16);
        }
        return steady ? 10 : 80;
    }

    uint64_t m_accepted{0}; //!< accepted losses of all frames
    uint64_t m_nacks{0};    //!< NACKs that had an effect
    uint64_t m_timeouts{0}; //!< timers that expired
    uint64_t m_headers{0};  //!< headers sent
};

const Suite g_suite("lfn-vrp-guarantee", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new VrpGuaranteeTestCase("anticipating algorithm, 7000 frames from seed 1",
                                       false,
                                       7000,
                                       1));
    suite.Add(new VrpGuaranteeTestCase("basic algorithm, 5000 frames from seed 1", true, 5000, 1));
    suite.Add(new VrpGuaranteeTestCase("anticipating algorithm, 100000 frames from seed 100001",
                                       false,
                                       100000,
                                       100001),
              TestCase::Duration::EXTENSIVE);
    suite.Add(new VrpGuaranteeTestCase("basic algorithm, 60000 frames from seed 100001",
                                       true,
                                       60000,
                                       100001),
              TestCase::Duration::EXTENSIVE);
});

} // namespace
