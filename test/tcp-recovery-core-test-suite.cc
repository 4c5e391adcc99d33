// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "tcp-test-recovery.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * TcpRecoveryCore: the examples of the RFCs word by word, each rule of TcpRules on and off, and
 * random connections compared with a second sender that counts everything from scratch.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

constexpr auto TEN = "send 0 send 1 send 2 send 3 send 4 send 5 send 6 send 7 send 8 send 9";

/** @brief What happens, and what the sender does. */
struct Line
{
    std::string event;  //!< words of RecoveryProbe::Do()
    std::string action; //!< what that returns
};

/** @brief A connection, line by line. */
LFN_CASE_OF(TimelineCase, TcpRecoveryCore::Settings settings, std::vector<Line> lines)
{
    RecoveryProbe probe(settings);
    for (const auto& [event, action] : lines)
    {
        const auto done = probe.Do(event);
        NS_TEST_EXPECT_MSG_EQ(done, action, event);
    }
}

/** @brief Events after which the last action shows whether a rule holds. */
struct Difference
{
    std::string name;      //!< the rule
    bool TcpRules::* rule; //!< its switch
    bool hasSack;          //!< with SACK
    std::string events;    //!< what happens before
    std::string last;      //!< what happens then
    std::string rfc;       //!< what the sender does with the rule
    std::string ns3;       //!< without it
};

/** @brief Each rule alone decides. */
LFN_CASE_OF(RuleCase, Difference difference)
{
    for (const bool isRfc : {true, false})
    {
        TcpRules rules;
        rules.*difference.rule = isRfc;
        TcpRecoveryCore::Settings settings;
        settings.hasSack = difference.hasSack;
        settings.partialAckSegments = 2;
        RecoveryProbe probe(settings, rules);
        probe.Do(difference.events);
        const auto done = probe.Do(difference.last);
        NS_TEST_EXPECT_MSG_EQ(done,
                              (isRfc ? difference.rfc : difference.ns3),
                              (isRfc ? "with " : "without ") << difference.name);
    }
}

/**
 * @brief RFC 6675 again, with the definitions of its section 4 taken literally: it walks over
 * all segments for each question. Numbers are of segments.
 */
class LiteralSender
{
  public:
    using State = TcpRecoveryCore::State;

    /** @brief New data, or data again, are sent. */
    void Send(int64_t number)
    {
        if (number == GetEnd())
        {
            m_segments.emplace_back();
            return;
        }
        m_segments[number].isResent = true;
        m_segments[number].resentAt = GetEnd();
    }

    /**
     * @brief An acknowledgement arrives.
     * @param number that it acknowledges
     * @param sacked segments that its blocks cover
     * @param cwnd the window, [B]
     * @param written segments in all
     * @return what it lets go at once
     */
    std::vector<int64_t> Acknowledge(int64_t number,
                                     const std::set<int64_t>& sacked,
                                     int64_t cwnd,
                                     int64_t written)
    {
        bool isDuplicate = false;
        for (const auto i : sacked)
        {
            isDuplicate = isDuplicate || (i >= m_head && !m_segments[i].isSacked);
            m_segments[i].isSacked = true;
            m_segments[i].isResent = false;
        }
        const auto lostResent = isDuplicate ? LoseResent() : -1;
        const auto oldHead = m_head;
        m_head = number;
        if (state == State::RECOVERY && lostResent >= m_reducedAt)
        {
            m_reducedAt = recover = GetEnd();
            Halve(cwnd);
        }
        std::vector<int64_t> atOnce;
        if (isDuplicate && (state == State::OPEN || state == State::DISORDER))
        {
            state = State::DISORDER;
            ++m_duplicates;
            const bool isNewer = !m_isLossOpen || m_head >= recover;
            if ((m_duplicates == 3 && isNewer) || IsLost(m_head))
            {
                atOnce = {m_head};
                Recover(cwnd);
            }
        }
        if (number > oldHead)
        {
            m_duplicates = isDuplicate ? m_duplicates : 0;
            Advance(isDuplicate, written, atOnce);
        }
        return atOnce;
    }

    /**
     * @brief The timer expires (section 5.1; RFC 5681, 3.1).
     * @param cwnd the window, [B]
     */
    void Expire(int64_t cwnd)
    {
        for (auto i = m_head; i < GetEnd(); ++i)
        {
            m_segments[i].isGivenUp = !m_segments[i].isSacked;
            m_segments[i].isResent = false;
        }
        if (m_timedOut != m_head)
        {
            Halve(cwnd);
        }
        m_timedOut = m_head;
        m_duplicates = 0;
        m_isLossOpen = true;
        recover = GetEnd();
        state = State::LOSS;
    }

    /// SetPipe().
    int64_t GetPipe() const
    {
        int64_t pipe = 0;
        for (auto i = m_head; i < GetEnd(); ++i)
        {
            if (!m_segments[i].isSacked)
            {
                pipe += (IsLost(i) ? 0 : 1) + (m_segments[i].isResent ? 1 : 0);
            }
        }
        return pipe;
    }

    /// NextSeg(): -1 if there is nothing.
    int64_t GetNext(int64_t written) const
    {
        int64_t highest = GetEnd();
        for (auto i = m_head; i < GetEnd(); ++i)
        {
            highest = m_segments[i].isSacked ? i : highest;
        }
        const auto find = [&](bool mustBeLost) {
            for (auto i = m_head; i < highest; ++i)
            {
                const auto& segment = m_segments[i];
                if (!segment.isSacked && !segment.isResent && (IsLost(i) || !mustBeLost))
                {
                    return i;
                }
            }
            return int64_t{-1};
        };
        if (const auto lost = find(true); lost >= 0)
        {
            return lost;
        }
        if (GetEnd() < written)
        {
            return GetEnd();
        }
        return state == State::RECOVERY ? find(false) : -1;
    }

    State state{State::OPEN};    //!< of congestion
    int64_t recover{0};          //!< RecoveryPoint
    int64_t ssthresh{1'000'000}; //!< slow start threshold, [B]

  private:
    /** @brief What is known of a segment. */
    struct Piece
    {
        bool isSacked{false};  //!< a block covered it
        bool isGivenUp{false}; //!< by the timer or the third duplicate
        bool isResent{false};  //!< and not known to be lost again
        int64_t resentAt{0};   //!< where new data began then
    };

    /// Get where new data begin.
    int64_t GetEnd() const
    {
        return static_cast<int64_t>(m_segments.size());
    }

    /// Count SACKed segments from one on.
    int64_t CountSacked(int64_t from) const
    {
        return std::ranges::count(m_segments.begin() + std::max(from, m_head),
                                  m_segments.end(),
                                  true,
                                  &Piece::isSacked);
    }

    /// IsLost(), for segments of equal size.
    bool IsLost(int64_t number) const
    {
        const auto& segment = m_segments[number];
        return !segment.isSacked && (segment.isGivenUp || CountSacked(number + 1) >= 3);
    }

    /// Find retransmissions that are lost: three segments sent later have arrived.
    int64_t LoseResent()
    {
        int64_t last = -1;
        for (auto i = m_head; i < GetEnd(); ++i)
        {
            auto& segment = m_segments[i];
            if (segment.isResent && CountSacked(segment.resentAt) >= 3)
            {
                segment.isResent = false;
                segment.isGivenUp = true;
                last = std::max(last, segment.resentAt);
            }
        }
        return last;
    }

    /// RFC 5681, equation 4.
    void Halve(int64_t cwnd)
    {
        const auto flight = std::min((GetEnd() - m_head) * RecoveryProbe::SEGMENT, cwnd);
        ssthresh = std::max<int64_t>(flight / 2, 2 * RecoveryProbe::SEGMENT);
    }

    /// Section 5, (4).
    void Recover(int64_t cwnd)
    {
        state = State::RECOVERY;
        m_reducedAt = recover = GetEnd();
        m_isLossOpen = true;
        m_segments[m_head].isGivenUp = true;
        Halve(cwnd);
        Send(m_head);
    }

    /// New data are acknowledged.
    void Advance(bool isDuplicate, int64_t written, std::vector<int64_t>& atOnce)
    {
        if (state == State::RECOVERY && m_head < recover)
        {
            if (!m_segments[m_head].isResent)
            {
                // A partial ACK sends at once, as in RFC 6582.
                state = State::LOSS; // without rule 3
                const auto next = GetNext(written);
                state = State::RECOVERY;
                atOnce.push_back(next < 0 ? m_head : next);
                Send(atOnce.back());
            }
            return;
        }
        if (state == State::LOSS && m_head < recover)
        {
            return;
        }
        m_duplicates = state == State::RECOVERY ? 0 : m_duplicates;
        state = state == State::DISORDER && isDuplicate ? state : State::OPEN;
        m_isLossOpen = m_isLossOpen && m_head < recover;
    }

    std::vector<Piece> m_segments; //!< from the first one of the connection on
    int64_t m_head{0};             //!< first unacknowledged
    int64_t m_duplicates{0};       //!< in a row
    bool m_isLossOpen{false};      //!< recover is of a loss that goes on
    int64_t m_reducedAt{0};        //!< where new data began at the last reduction
    int64_t m_timedOut{-1};        //!< what the timer expired for last
};

/** @brief A receiver behind a path that loses and reorders. */
class Receiver
{
  public:
    /** @brief A segment arrives. */
    void Take(int64_t number)
    {
        m_held.insert(number);
        while (m_held.contains(next))
        {
            ++next;
        }
        std::erase(m_latest, number);
        m_latest.push_front(number);
    }

    /// Get up to three SACK blocks, those of the latest segments (RFC 2018, section 4).
    std::vector<std::pair<int64_t, int64_t>> GetBlocks() const
    {
        std::vector<std::pair<int64_t, int64_t>> blocks;
        for (const auto number : m_latest)
        {
            const auto isIn = [number](const auto& block) {
                return number >= block.first && number < block.second;
            };
            if (number < next || std::ranges::any_of(blocks, isIn) || blocks.size() == 3)
            {
                continue;
            }
            auto [begin, end] = std::pair(number, number + 1);
            for (; m_held.contains(begin - 1); --begin)
            {
            }
            for (; m_held.contains(end); ++end)
            {
            }
            blocks.emplace_back(begin, end);
        }
        return blocks;
    }

    int64_t next{0}; //!< that is expected

  private:
    std::set<int64_t> m_held;     //!< what has arrived
    std::deque<int64_t> m_latest; //!< the same, the latest first
};

/** @brief The core decides as LiteralSender does. */
LFN_CASE(LiteralCase)
{
    constexpr int64_t ALL = 300;
    constexpr int64_t SEGMENT = RecoveryProbe::SEGMENT;
    uint32_t recoveries = 0;
    uint32_t again = 0;
    for (uint32_t seed = 1; seed <= 300; ++seed)
    {
        std::mt19937 random(seed);
        const auto chance = [&random](uint32_t percent) { return random() % 100 < percent; };
        RecoveryProbe probe;
        LiteralSender literal;
        Receiver receiver;
        std::deque<int64_t> path;
        // What the core has sent is what the other one would send: at once, or by the window.
        const auto compare = [&](const std::vector<int64_t>& atOnce) {
            std::string wrong;
            const auto window = probe.cwnd;
            for (std::size_t i = 0; i < probe.sent.size(); ++i)
            {
                if (i >= atOnce.size())
                {
                    wrong += literal.GetPipe() * SEGMENT < window ? "" : " window";
                    wrong += literal.GetNext(ALL) == probe.sent[i] ? "" : " next";
                    literal.Send(probe.sent[i]);
                }
                else if (probe.sent[i] != atOnce[i])
                {
                    wrong += " at once";
                }
                path.push_back(probe.sent[i]);
            }
            const bool isIdle = literal.GetPipe() * SEGMENT < window && literal.GetNext(ALL) >= 0;
            wrong += isIdle || probe.sent.size() < atOnce.size() ? " too little" : "";
            wrong += probe.core.GetState() == literal.state ? "" : " state";
            wrong += probe.core.GetBytesInFlight() == literal.GetPipe() * SEGMENT ? "" : " pipe";
            wrong += probe.ssthresh == literal.ssthresh ? "" : " ssthresh";
            const bool isIn = literal.state == TcpRecoveryCore::State::RECOVERY ||
                              literal.state == TcpRecoveryCore::State::LOSS;
            wrong += !isIn || probe.core.GetRecoveryPoint() == literal.recover * SEGMENT
                         ? ""
                         : " recovery point";
            probe.sent.clear();
            return wrong;
        };
        probe.Write(ALL);
        std::string wrong = compare({});
        for (int step = 0; receiver.next < ALL && wrong.empty() && step < 10'000; ++step)
        {
            if (path.empty())
            {
                literal.Expire(probe.cwnd);
                probe.Expire();
                wrong = compare({});
                continue;
            }
            const auto place = chance(5) ? random() % std::min<std::size_t>(path.size(), 6) : 0;
            const auto number = path[place];
            path.erase(path.begin() + static_cast<int64_t>(place));
            if (chance(seed % 12))
            {
                continue; // the segment is lost
            }
            receiver.Take(number);
            if (chance(seed % 7))
            {
                continue; // its ACK is lost
            }
            std::vector<TcpRecoveryCore::Range> ranges;
            std::set<int64_t> sacked;
            for (const auto& [begin, end] : receiver.GetBlocks())
            {
                ranges.push_back({begin * SEGMENT, end * SEGMENT});
                for (auto i = begin; i < end; ++i)
                {
                    sacked.insert(i);
                }
            }
            const auto atOnce = literal.Acknowledge(receiver.next, sacked, probe.cwnd, ALL);
            probe.Take(receiver.next * SEGMENT, ranges);
            wrong = compare(atOnce);
        }
        NS_TEST_ASSERT_MSG_EQ(wrong, "", "seed " << seed);
        NS_TEST_ASSERT_MSG_EQ(receiver.next, ALL, "complete, seed " << seed);
        using Decision = TcpRecoveryCore::Decision;
        recoveries += std::ranges::count(probe.decisions, Decision::START_RECOVERY);
        again += std::ranges::count(probe.decisions, Decision::REDUCE_AGAIN);
    }
    NS_TEST_EXPECT_MSG_GT(recoveries, 1000, "there were losses");
    NS_TEST_EXPECT_MSG_GT(again, 20, "retransmissions were lost as well");
}

/// Connections with SACK (RFC 6675), and rules that only these show.
void
AddSackCases(Suite& suite)
{
    const TcpRecoveryCore::Settings sack;
    suite.Add(
        new TimelineCase("RFC 6675, section 5: one loss; pipe falls from 9 to 5 before new data go",
                         sack,
                         {{"write 30", TEN},
                          {"sack 1", "disorder acked 1 send 10"},
                          {"sack 1-2", "acked 1 send 11"},
                          {"sack 1-3", "recovery halve 10 cwnd 5 send 0 acked 1"},
                          {"sack 1-6", "acked 1"},
                          {"sack 1-9", "acked 1 send 12 send 13"},
                          {"ack 10", "send 14 acked 1 timer"},
                          {"ack 13", "acked 3 open timer timer send 15 send 16 send 17"}}));
    suite.Add(new TimelineCase(
        "RFC 6675, section 5, (2): one ACK with three segments is enough",
        sack,
        {{"write 10", TEN}, {"sack 3-5", "disorder recovery halve 10 cwnd 5 send 0 acked 1"}}));
    suite.Add(new TimelineCase("RFC 6675, section 4, NextSeg(), (1) and (2): lost, then new",
                               sack,
                               {{"write 11", TEN},
                                {"sack 2,4,6", "disorder recovery halve 10 cwnd 5 send 0 acked 1"},
                                {"sack 8,7,9", "acked 1 send 1 send 3 send 5 send 10"},
                                {"ack 3", "acked 1 timer"}}));
    suite.Add(new TimelineCase("RFC 6675, section 4, NextSeg(), (3): if there is nothing else",
                               sack,
                               {{"write 10", TEN},
                                {"sack 2,4,9", "disorder recovery halve 10 cwnd 5 send 0 acked 1"},
                                {"sack 6-7", "acked 1 send 1 send 3 send 5"},
                                {"ack 5", "acked 1 timer send 8"}}));
    suite.Add(new TimelineCase("reordering reduces nothing",
                               sack,
                               {{"write 12", TEN},
                                {"sack 1; sack 1-2", "disorder acked 1 send 10 acked 1 send 11"},
                                {"ack 3", "open timer"}}));
    suite.Add(new TimelineCase(
        "RFC 6675, section 5.1: after a timeout SACKs stay; RFC 5681, 3.1: ssthresh is held",
        sack,
        {{"write 30", TEN},
         {"sack 2-4", "disorder recovery halve 10 cwnd 5 send 0 acked 1"},
         {"timeout", "halve 5 loss cwnd 1 send 0"},
         {"timeout", "loss send 0"},
         {"sack 2-4", ""},
         {"ack 1", "acked 1 timer send 1 send 10"},
         {"ack 5", "acked 1 timer send 5 send 6"},
         {"ack 10", "acked 0 open timer send 11 send 12"}}));
    suite.Add(new TimelineCase("RFC 5681, section 4.3: a lost retransmission reduces again",
                               sack,
                               {{"write 40", TEN},
                                {"sack 1-3", "disorder recovery halve 10 cwnd 5 send 0 acked 1"},
                                {"sack 1-9", "acked 1 send 10 send 11 send 12 send 13"},
                                {"sack 1-11", "acked 1 send 14 send 15"},
                                {"sack 1-12", "halve 5 cwnd 2.5 acked 1"},
                                {"sack 1-14", "acked 1 send 0 send 16"}}));
    suite.Add(new TimelineCase("RFC 3168, section 6.1.2: once per window of data",
                               sack,
                               {{"write 40", TEN},
                                {"echo 1", "halve 9 cwr cwnd 4.5 acked 1 timer"},
                                {"echo 2", "acked 1 timer"},
                                {"ack 10", "acked 8 timer send 10 send 11 send 12 send 13 send 14"},
                                {"echo 11", "open halve 4 cwr cwnd 2 acked 1 timer"}}));
    suite.Add(
        new TimelineCase("RFC 2018, section 3: blocks that cannot be are ignored",
                         sack,
                         {{"write 10", TEN},
                          {"sack 12-14; sack 0; sack 2-12", "refuse 12-14 refuse 0-0 refuse 2-12"},
                          {"ack 3; sack 0-1", "acked 3 timer"}}));
    for (const auto& difference :
         std::vector<Difference>{{"halveFlightSize: FlightSize, not pipe",
                                  &TcpRules::halveFlightSize,
                                  true,
                                  "write 30",
                                  "sack 1-3",
                                  "disorder recovery halve 10 cwnd 5 send 0 acked 1",
                                  "disorder recovery halve 6 cwnd 3 send 0 acked 1"},
                                 {"holdSsThresh: the timer expires again",
                                  &TcpRules::holdSsThresh,
                                  true,
                                  "write 30; timeout",
                                  "timeout",
                                  "loss send 0",
                                  "halve 1 loss send 0"},
                                 {"reduceOncePerWindow: a loss in CWR",
                                  &TcpRules::reduceOncePerWindow,
                                  true,
                                  "write 30; echo 1",
                                  "sack 2-4",
                                  "recovery send 1 acked 1",
                                  "acked 1"},
                                 {"reduceOncePerWindow: a mark in recovery",
                                  &TcpRules::reduceOncePerWindow,
                                  true,
                                  "write 30; sack 1-3",
                                  "echo 4",
                                  "send 10 acked 1 timer",
                                  "halve 6 cwr cwnd 3 acked 1 timer"},
                                 {"checkSacks: nothing but what was sent",
                                  &TcpRules::checkSacks,
                                  true,
                                  "write 10",
                                  "sack 2-12",
                                  "refuse 2-12",
                                  "disorder recovery halve 10 cwnd 5 send 0 acked 1 send 1"},
                                 {"noticeReneging: SACKed data at the head are discarded",
                                  &TcpRules::noticeReneging,
                                  true,
                                  "write 10; sack 1-3; ack 1; timeout",
                                  "timeout",
                                  "loss send 1",
                                  "loss"},
                                 {"sackRetransmissions: a lost one goes again",
                                  &TcpRules::sackRetransmissions,
                                  true,
                                  "write 30; sack 1-3; sack 1-9; sack 1-11",
                                  "sack 1-13",
                                  "halve 5 cwnd 2.5 acked 1 send 0",
                                  "acked 1 send 16 send 17"}})
    {
        suite.Add(new RuleCase(difference.name, difference));
    }
}

/// Connections without SACK (RFC 6582), and rules that only these show.
void
AddRenoCases(Suite& suite)
{
    const TcpRecoveryCore::Settings reno{.hasSack = false};
    suite.Add(new TimelineCase(
        "RFC 6582, section 3.2: two losses; the timer restarts with the first partial ACK alone",
        reno,
        {{"write 30", TEN},
         {"dup; dup", "disorder acked 1 send 10 acked 1 send 11"}, // RFC 3042
         {"dup", "recovery halve 10 cwnd 5 send 0 acked 1"},
         {"dup; dup", "acked 1 acked 1"},
         {"ack 4", "send 4 acked 1 timer"},
         {"ack 7", "send 7 acked 1"},
         {"ack 12", "acked 5 open timer timer send 12 send 13 send 14 send 15 send 16"}}));
    suite.Add(new TimelineCase("RFC 3042: limited transmit can be off",
                               {.hasSack = false, .limitedTransmit = false},
                               {{"write 30", TEN},
                                {"dup; dup", "disorder acked 1 acked 1"},
                                {"dup", "recovery halve 10 cwnd 5 send 0 acked 1"}}));
    suite.Add(new TimelineCase(
        "RFC 6582, section 3.2, step 2: duplicates of the ACK of recover are too old",
        reno,
        {{"write 10", TEN},
         {"dup; dup; dup", "disorder acked 1 acked 1 recovery halve 10 cwnd 5 send 0 acked 1"},
         {"ack 10", "acked 10 open timer timer"},
         {"write 10", "send 10 send 11 send 12 send 13 send 14"},
         {"dup; dup; dup", "disorder acked 1 send 15 acked 1 send 16 acked 1 send 17"},
         {"ack 11", "open timer"},
         {"dup; dup; dup", "disorder acked 1 acked 1 recovery halve 5 cwnd 2.5 send 11 acked 1"}}));
    suite.Add(new TimelineCase("RFC 5681, section 3.1: slow start after a timeout",
                               reno,
                               {{"write 30", TEN},
                                {"timeout", "halve 10 loss cwnd 1 send 0"},
                                {"ack 1", "acked 1 timer send 1 send 2"},
                                {"dup; dup; dup", "acked 1 acked 1 acked 1"},
                                {"ack 3", "acked 2 timer send 3 send 4 send 5 send 6"},
                                {"ack 10", "acked 0 open timer send 10 send 11 send 12 send 13"}}));
    suite.Add(new TimelineCase(
        "RFC 3782, section 5: each partial ACK doubles what may be retransmitted",
        {.hasSack = false, .partialAckSegments = 2},
        {{"write 40", TEN},
         {"dup; dup; dup",
          "disorder acked 1 send 10 acked 1 send 11 recovery halve 10 cwnd 5 send 0 acked 1"},
         {"dup; dup", "acked 1 acked 1"},
         {"ack 1", "send 1 send 2 acked 1 timer"},
         {"ack 2", "send 3 send 4 acked 1 timer"},
         {"ack 12", "acked 10 open timer timer send 12 send 13 send 14"}}));
    for (const auto& difference : std::vector<Difference>{
             {"halveFlightSize: FlightSize, not pipe and one",
              &TcpRules::halveFlightSize,
              false,
              "write 10; dup; dup",
              "dup",
              "recovery halve 10 cwnd 5 send 0 acked 1",
              "recovery halve 7 cwnd 3.5 send 0 acked 1"},
             {"requireBeyondRecover: duplicates of the ACK of recover",
              &TcpRules::requireBeyondRecover,
              false,
              "write 10; dup; dup; dup; ack 10; write 10; dup; dup",
              "dup",
              "acked 1 send 17",
              "recovery halve 5 cwnd 2.5 send 10 acked 1"},
             {"countDuplicates: the peer's data",
              &TcpRules::countDuplicates,
              false,
              "write 10",
              "data",
              "",
              "acked 1"},
             {"forgetDuplicates: marks end with the recovery",
              &TcpRules::forgetDuplicates,
              false,
              "write 40; dup; dup; dup; dup; dup; dup; dup; dup; dup; dup; dup; dup; dup; dup",
              "ack 12",
              "acked 12 open timer timer",
              "acked 12 open timer timer send 12 send 19"},
             {"resendMore: two segments per partial ACK",
              &TcpRules::resendMore,
              false,
              "write 30; dup; dup; dup",
              "ack 1",
              "send 1 send 2 acked 1 timer",
              "send 1 acked 1 timer"}})
    {
        suite.Add(new RuleCase(difference.name, difference));
    }
}

const Suite g_suite("lfn-tcp-recovery-core", TestSuite::Type::UNIT, [](Suite& suite) {
    AddSackCases(suite);
    AddRenoCases(suite);
    suite.Add(new LiteralCase("random connections as by RFC 6675 to the letter"));
});

} // namespace
