// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/atou-receiver-core.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Settings = AtouReceiverCore::Settings;

/** @brief An acknowledgement and when it went. */
struct SentAck
{
    int64_t ms{0};                 //!< when
    uint64_t time{0};              //!< time words
    uint32_t next{0};              //!< next segment expected
    std::vector<AtouBlock> blocks; //!< SACK blocks

    /** @brief Compares all fields. */
    bool operator==(const SentAck&) const = default;
};

/**
 * @brief The rule taken literally: a set of all segments, a look at every millisecond.
 */
class SlowReceiver
{
  public:
    AtouReceiverCore::Counters counters; //!< what has happened
    std::vector<SentAck> acks;           //!< what was sent

    /// A receiver that has received nothing.
    explicit SlowReceiver(const Settings& settings)
        : m_settings(settings)
    {
    }

    /// A millisecond begins: the heartbeat, if this is one.
    void Tick(int64_t ms)
    {
        const auto delay = m_settings.delay.GetMilliSeconds();
        if (delay > 0 && (ms - m_settings.phase.GetMilliSeconds()) % delay == 0 && m_waiting)
        {
            ++counters.ackTimeouts;
            Send(ms, *m_waiting);
            m_waiting.reset();
        }
    }

    /// A segment comes.
    bool Take(uint32_t segment, uint64_t time, int64_t ms)
    {
        ++counters.packets;
        const bool wasThere = m_there.contains(segment);
        const auto next = GetNext();
        const auto expected = counters.maxSegment + 1;
        auto there = m_there;
        there.insert(segment);
        const bool isForgotten =
            m_settings.gapLimit > 0 && CountMissing(there, segment) > m_settings.gapLimit;
        for (uint32_t missing = expected; missing < segment && isForgotten; ++missing)
        {
            there.insert(missing);
        }
        if (segment == 0 || ListRuns(there).size() > m_settings.runLimit)
        {
            ++counters.refused;
            return false;
        }
        m_there = there;
        counters.duplicates += wasThere ? 1 : 0;
        counters.outOfOrder += !wasThere && segment > next ? 1 : 0;
        if (segment >= expected)
        {
            counters.maxSegment = segment;
            counters.maxGap = std::max(counters.maxGap, segment - expected);
            counters.skipped += isForgotten ? 0 : segment - expected;
        }

        SentAck ack{0,
                    time,
                    GetNext(),
                    m_settings.sack ? ListBlocks(segment) : std::vector<AtouBlock>()};
        if (m_settings.delay.IsZero())
        {
            Send(ms, ack);
            return !wasThere;
        }
        if (m_waiting && m_waitingIsDue)
        {
            Send(ms, *m_waiting);
        }
        m_waiting = ack;
        m_waitingIsDue = segment % 2 == 1 || segment != expected;
        return !wasThere;
    }

    /// The lowest segment that is not there.
    uint32_t GetNext() const
    {
        uint32_t next = 1;
        while (m_there.contains(next))
        {
            ++next;
        }
        return next;
    }

    /// Runs of missing segments.
    std::vector<AtouBlock> ListGaps() const
    {
        std::vector<AtouBlock> gaps;
        for (uint32_t segment = 1; segment <= counters.maxSegment; ++segment)
        {
            if (m_there.contains(segment))
            {
                continue;
            }
            if (!gaps.empty() && gaps.back().last + 1 == segment)
            {
                ++gaps.back().last;
            }
            else
            {
                gaps.push_back({segment, segment});
            }
        }
        return gaps;
    }

  private:
    /// Missing segments up to one.
    static uint32_t CountMissing(const std::set<uint32_t>& there, uint32_t last)
    {
        uint32_t missing = 0;
        for (uint32_t segment = 1; segment < last; ++segment)
        {
            missing += there.contains(segment) ? 0 : 1;
        }
        return missing;
    }

    /// Runs of segments above the oldest gap.
    static std::vector<AtouBlock> ListRuns(const std::set<uint32_t>& there)
    {
        std::vector<AtouBlock> runs{{0, 0}}; // with what is below the oldest gap
        for (const auto segment : there)
        {
            if (runs.back().last + 1 == segment)
            {
                runs.back().last = segment;
            }
            else
            {
                runs.push_back({segment, segment});
            }
        }
        runs.erase(runs.begin());
        return runs;
    }

    /// The three uppermost runs, the arrival's own first if it is among them.
    std::vector<AtouBlock> ListBlocks(uint32_t segment) const
    {
        const auto runs = ListRuns(m_there);
        const auto count = std::min<std::ptrdiff_t>(3, std::ssize(runs));
        std::vector<AtouBlock> blocks;
        for (auto run = runs.rbegin(); run != runs.rbegin() + count; ++run)
        {
            const bool isOwn = run->first <= segment && segment <= run->last;
            blocks.insert(isOwn ? blocks.begin() : blocks.end(), *run);
        }
        return blocks;
    }

    /// Sends an acknowledgement.
    void Send(int64_t ms, SentAck ack)
    {
        ack.ms = ms;
        acks.push_back(ack);
        ++counters.acks;
        counters.sacks += ack.blocks.empty() ? 0 : 1;
    }

    Settings m_settings;              //!< what holds
    std::set<uint32_t> m_there;       //!< all segments that came
    std::optional<SentAck> m_waiting; //!< what waits
    bool m_waitingIsDue{false};       //!< the next datagram makes it go
};

/// Takes what a core has to send.
void
Collect(AtouReceiverCore& core, int64_t ms, std::vector<SentAck>& acks)
{
    while (const auto ack = core.NextAck())
    {
        acks.push_back({ms, ack->time, ack->next, ack->blocks});
    }
}

/// Says that two servers counted the same.
bool
AreEqual(const AtouReceiverCore::Counters& a, const AtouReceiverCore::Counters& b)
{
    return a.packets == b.packets && a.acks == b.acks && a.duplicates == b.duplicates &&
           a.outOfOrder == b.outOfOrder && a.skipped == b.skipped && a.sacks == b.sacks &&
           a.ackTimeouts == b.ackTimeouts && a.refused == b.refused &&
           a.maxSegment == b.maxSegment && a.maxGap == b.maxGap;
}

/// Writes blocks as in the trace.
std::string
Write(const std::vector<AtouBlock>& blocks)
{
    std::string text;
    for (const auto& block : blocks)
    {
        text += " " + std::to_string(block.first) + "-" + std::to_string(block.last);
    }
    return text;
}

/// Writes an acknowledgement: when, whose time, next, blocks.
std::string
Write(const SentAck& ack)
{
    return std::to_string(ack.ms) + ":" + std::to_string(ack.time) + ":" +
           std::to_string(ack.next) + Write(ack.blocks);
}

/// What arrives: each segment now and then lost, late or twice; the lost ones again later.
std::vector<uint32_t>
MakeArrivals(std::mt19937& random)
{
    const auto loss = random() % 3 * 10;     // percent
    const auto late = random() % 3 * 15;     // percent
    const auto twice = random() % 3 * 5;     // percent
    std::multimap<uint32_t, uint32_t> order; // segments by their turn
    for (uint32_t segment = 1; segment <= 120; ++segment)
    {
        uint32_t turn = 10 * segment;
        if (random() % 100 < loss)
        {
            turn += 10 * (random() % 60);
            if (random() % 5 == 0)
            {
                continue; // lost for ever
            }
        }
        turn += random() % 100 < late ? random() % 100 : 0;
        order.emplace(turn, segment);
        if (random() % 100 < twice)
        {
            order.emplace(turn + random() % 300, segment);
        }
    }
    std::vector<uint32_t> arrivals;
    for (const auto& [turn, segment] : order)
    {
        arrivals.push_back(segment);
    }
    return arrivals;
}

/// What holds for a run.
Settings
MakeSettings(std::mt19937& random)
{
    const std::vector<int64_t> delays{0, 0, 1, 7, 20, 200};
    Settings settings;
    settings.sack = random() % 3 != 0;
    settings.delay = MilliSeconds(delays[random() % delays.size()]);
    settings.phase = MilliSeconds(static_cast<int64_t>(random() % 2000) - 1000);
    settings.gapLimit = random() % 3 == 0 ? 1 + random() % 12 : 0;
    settings.runLimit = random() % 3 == 0 ? 1 + random() % 6 : settings.runLimit;
    return settings;
}

LFN_CASE(AtouReceiverModelTestCase)
{
    std::mt19937 random{7};
    uint64_t acks = 0;
    uint64_t refused = 0;
    uint64_t beats = 0;
    AtouReceiverCore core; // one for all: Start() forgets what was
    for (int run = 0; run < 300; ++run)
    {
        const auto settings = MakeSettings(random);
        SlowReceiver slow(settings);
        core.Start(settings);
        std::vector<SentAck> sent;
        const auto arrivals = MakeArrivals(random);
        const auto pause = 1 + random() % 12;
        uint64_t time = 1000;
        auto arrival = arrivals.begin();
        for (int64_t ms = 0; arrival != arrivals.end() || ms % 1000 != 0; ++ms)
        {
            slow.Tick(ms);
            // The shell calls Expire() when it is due; a datagram may be first at that moment.
            const auto deadline = core.GetDeadline();
            NS_TEST_ASSERT_MSG_EQ((!deadline || *deadline >= MilliSeconds(ms)),
                                  true,
                                  "a deadline is not in the past");
            if (deadline && *deadline == MilliSeconds(ms) && random() % 2 == 0)
            {
                core.Expire(MilliSeconds(ms));
                Collect(core, ms, sent);
            }
            while (arrival != arrivals.end() && random() % pause == 0)
            {
                ++time;
                const bool isNew = slow.Take(*arrival, time, ms);
                const bool isTaken = core.OnSegment(*arrival, time, MilliSeconds(ms));
                Collect(core, ms, sent);
                NS_TEST_ASSERT_MSG_EQ(isTaken, isNew, "run " << run << " new " << *arrival);
                NS_TEST_ASSERT_MSG_EQ(core.GetNext(), slow.GetNext(), "run " << run);
                NS_TEST_ASSERT_MSG_EQ(Write(core.ListGaps()),
                                      Write(slow.ListGaps()),
                                      "run " << run);
                NS_TEST_ASSERT_MSG_EQ(AreEqual(core.GetCounters(), slow.counters),
                                      true,
                                      "run " << run << " counters");
                ++arrival;
            }
            core.Expire(MilliSeconds(ms));
            Collect(core, ms, sent);
        }
        NS_TEST_ASSERT_MSG_EQ(sent.size(), slow.acks.size(), "run " << run);
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(Write(sent[i]), Write(slow.acks[i]), "run " << run);
        }
        acks += sent.size();
        refused += slow.counters.refused;
        beats += slow.counters.ackTimeouts;
    }
    NS_TEST_EXPECT_MSG_GT(acks, 10000, "many were compared");
    NS_TEST_EXPECT_MSG_GT(refused, 100, "runs were short at times");
    NS_TEST_EXPECT_MSG_GT(beats, 1000, "the heartbeat sent some");
}

/// Segments come at times in milliseconds; the ACKs in words, the time words being the segment.
std::string
Play(const Settings& settings,
     const std::vector<std::pair<int64_t, uint32_t>>& arrivals,
     int64_t end)
{
    AtouReceiverCore core;
    core.Start(settings);
    std::vector<SentAck> sent;
    auto next = arrivals.begin();
    for (int64_t ms = 0; ms <= end; ++ms)
    {
        core.Expire(MilliSeconds(ms));
        for (; next != arrivals.end() && next->first == ms; ++next)
        {
            core.OnSegment(next->second, next->second, MilliSeconds(ms));
        }
        Collect(core, ms, sent);
    }
    std::string text;
    for (const auto& ack : sent)
    {
        text += (text.empty() ? "" : ", ") + Write(ack);
    }
    return text;
}

LFN_CASE(AtouReceiverRulesTestCase)
{
    Settings plain;
    NS_TEST_EXPECT_MSG_EQ(Play(plain, {{1, 1}, {2, 2}, {3, 4}, {4, 3}}, 9),
                          "1:1:2, 2:2:3, 3:4:3, 4:3:5",
                          "every arrival at once");

    Settings sack;
    sack.sack = true;
    NS_TEST_EXPECT_MSG_EQ(Play(sack, {{1, 2}, {2, 6}, {3, 4}, {4, 8}, {5, 2}, {6, 7}}, 9),
                          "1:2:1 2-2, 2:6:1 6-6 2-2, 3:4:1 4-4 6-6 2-2, 4:8:1 8-8 6-6 4-4, "
                          "5:2:1 8-8 6-6 4-4, 6:7:1 6-8 4-4 2-2",
                          "the three uppermost blocks, the arrival's own one first");

    Settings late;
    late.delay = MilliSeconds(100);
    late.phase = MilliSeconds(50);
    // 3 is acknowledged as 4 stands, before 5 came; 4 is even; 5 is left for the heartbeat.
    NS_TEST_EXPECT_MSG_EQ(Play(late, {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}, 200),
                          "2:1:2, 4:3:4, 50:5:6",
                          "the odd ones when the next one comes");
    NS_TEST_EXPECT_MSG_EQ(Play(late, {{1, 1}, {60, 2}, {150, 3}}, 300),
                          "50:1:2, 150:2:3, 250:3:4",
                          "the heartbeat comes first, and takes even ones");
    NS_TEST_EXPECT_MSG_EQ(Play(late, {{1, 1}, {2, 3}, {3, 4}, {4, 6}, {5, 2}}, 200),
                          "2:1:2, 3:3:2, 5:6:2, 50:2:5",
                          "a jump at once, what follows it when odd; a lone retransmission waits "
                          "for the heartbeat");
    // The page's excerpt: ten segments above a gap make five duplicate ACKs.
    NS_TEST_EXPECT_MSG_EQ(Play(late,
                               {{1, 1},
                                {2, 3},
                                {3, 4},
                                {4, 5},
                                {5, 6},
                                {6, 7},
                                {7, 8},
                                {8, 9},
                                {9, 10},
                                {10, 11},
                                {11, 12},
                                {12, 14}},
                               20),
                          "2:1:2, 3:3:2, 5:5:2, 7:7:2, 9:9:2, 11:11:2",
                          "above a gap half of them");
    NS_TEST_EXPECT_MSG_EQ(Play(late, {{1, 1}, {2, 2}, {3, 4}, {4, 6}, {5, 8}, {6, 7}, {7, 9}}, 20),
                          "2:1:2, 4:4:3, 5:6:3, 6:8:3, 7:7:3",
                          "all that open or fill a gap");
}

LFN_CASE(AtouReceiverBeatTestCase)
{
    Settings late;
    late.delay = MilliSeconds(100);
    late.phase = MilliSeconds(50);
    Settings sack;
    sack.sack = true;
    // The wait is a whole number of milliseconds: datagrams less than one apart end it first.
    AtouReceiverCore beat;
    beat.Start(late);
    const auto next = [&beat](int64_t us, uint32_t segment) {
        beat.OnSegment(segment, 0, MicroSeconds(us));
        return beat.GetDeadline()->GetMicroSeconds();
    };
    NS_TEST_EXPECT_MSG_EQ(next(149300, 1), 150300, "1 ms, not 0.7");
    NS_TEST_EXPECT_MSG_EQ(next(149900, 2), 150900, "1 ms");
    NS_TEST_EXPECT_MSG_EQ(next(150200, 3), 250200, "100 ms");
    NS_TEST_EXPECT_MSG_EQ(beat.GetCounters().ackTimeouts, 0, "the heartbeat is passed by");

    Settings sink = late;
    sink.rule = AtouReceiverCore::DelayRule::NS_SINK;
    NS_TEST_EXPECT_MSG_EQ(Play(sink, {{1, 1}, {2, 2}, {3, 3}, {60, 4}, {70, 5}}, 300),
                          "2:2:3, 60:4:5, 170:5:6",
                          "ns: every second one at once, a lone one after the delay");
    NS_TEST_EXPECT_MSG_EQ(Play(sink, {{1, 1}, {2, 3}, {3, 4}, {4, 2}, {5, 5}, {6, 5}, {7, 6}}, 300),
                          "2:3:2, 3:4:2, 4:2:5, 6:5:6, 107:6:7",
                          "ns: what opens or fills a gap at once, for itself and what waited");

    Settings few;
    few.gapLimit = 2;
    few.sack = true;
    NS_TEST_EXPECT_MSG_EQ(Play(few, {{1, 5}, {2, 1}, {3, 2}, {4, 7}, {5, 9}}, 9),
                          "1:5:6, 2:1:6, 3:2:6, 4:7:6 7-7, 5:9:6 9-9 7-7",
                          "a jump that the gap table has no room for is acknowledged");

    AtouReceiverCore core;
    Settings padded = sack;
    padded.padBlocks = true;
    core.Start(padded);
    core.OnSegment(1, 0, Time());
    core.OnSegment(3, 0, Time());
    NS_TEST_EXPECT_MSG_EQ(core.NextAck()->padding, 24, "room for three blocks");
    NS_TEST_EXPECT_MSG_EQ(core.NextAck()->padding, 16, "room for two more");
    NS_TEST_EXPECT_MSG_EQ(core.NextAck().has_value(), false, "that was all");
    NS_TEST_EXPECT_MSG_EQ(core.GetDeadline().has_value(), false, "nothing waits");
}

LFN_CASE(AtouReceiverMalformedTestCase)
{
    AtouReceiverCore core;
    Settings settings;
    settings.sack = true;
    core.Start(settings);
    for (const uint32_t segment : {0U, 4000000000U, 0xFFFFFFFFU, (1U << 31) + 1})
    {
        NS_TEST_EXPECT_MSG_EQ(core.OnSegment(segment, 0, Time()), false, "refused");
    }
    NS_TEST_EXPECT_MSG_EQ(core.NextAck().has_value(), false, "and not acknowledged");
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().refused, 4, "but counted");

    // The last one that is taken: one run, one gap of two thousand million segments.
    const uint32_t top = AtouReceiverCore::MAX_SEGMENT;
    NS_TEST_EXPECT_MSG_EQ(core.OnSegment(top, 0, Time()), true, "taken");
    NS_TEST_EXPECT_MSG_EQ(Write(core.ListGaps()), " 1-2147483647", "one gap");
    for (uint32_t segment = 1; segment <= 1000; ++segment)
    {
        NS_TEST_EXPECT_MSG_EQ(core.OnSegment(segment, 0, Time()), true, "life goes on");
    }
    NS_TEST_EXPECT_MSG_EQ(core.GetNext(), 1001, "as before");
    NS_TEST_EXPECT_MSG_EQ(core.OnSegment(top - 1, 0, Time()), true, "below it");
    NS_TEST_EXPECT_MSG_EQ(Write(core.ListGaps()), " 1001-2147483646", "still one gap");
    settings.gapLimit = 1024;
    core.Start(settings);
    core.OnSegment(top, 0, Time());
    NS_TEST_EXPECT_MSG_EQ(Write(core.ListGaps()), "", "no loop over what is forgotten");
    NS_TEST_EXPECT_MSG_EQ(core.GetNext(), top + 1, "the end of numbers");
    NS_TEST_EXPECT_MSG_EQ(core.OnSegment(top, 0, Time()), false, "a repeated one");
    NS_TEST_EXPECT_MSG_EQ(core.OnSegment(top + 1, 0, Time()), false, "none follows");
}

/** @brief Every second segment, for ever: runs are bounded, and the transfer can still end. */
LFN_CASE(AtouReceiverRunsTestCase)
{
    AtouReceiverCore core;
    Settings settings;
    settings.sack = true;
    // Every second segment, for ever: runs are bounded, and the transfer can still end.
    settings.gapLimit = 0;
    settings.runLimit = 100;
    core.Start(settings);
    for (uint32_t segment = 2; segment <= 100000; segment += 2)
    {
        core.OnSegment(segment, 0, Time());
    }
    NS_TEST_EXPECT_MSG_EQ(core.ListGaps().size(), 100, "no more runs than that");
    for (uint32_t segment = 1; segment <= 100000; ++segment)
    {
        core.OnSegment(segment, 0, Time());
    }
    NS_TEST_EXPECT_MSG_EQ(core.GetNext(), 100001, "what was refused can come again");
}

LFN_CASE(AtouReceiverFuzzTestCase)
{
    AtouReceiverCore core;
    std::mt19937 random(3);
    Settings any;
    any.sack = true;
    any.delay = NanoSeconds(7);
    any.phase = Time::Max();
    core.Start(any);
    for (uint32_t i = 0; i < 300000; ++i)
    {
        const auto segment = random() >> (random() % 32);
        core.OnSegment(segment, random(), NanoSeconds(i));
        while (core.NextAck())
        {
        }
    }
    const auto gaps = core.ListGaps();
    NS_TEST_EXPECT_MSG_LT_OR_EQ(gaps.size(), any.runLimit, "bounded");
    bool isSorted = gaps[0].first == core.GetNext();
    for (std::size_t i = 0; i < gaps.size(); ++i)
    {
        isSorted = isSorted && gaps[i].first <= gaps[i].last &&
                   (i == 0 || gaps[i].first > gaps[i - 1].last + 1);
    }
    NS_TEST_EXPECT_MSG_EQ(isSorted, true, "in order, apart");
    any.phase = Time::Min();
    core.Start(any);
    core.OnSegment(1, 0, NanoSeconds(5));
    NS_TEST_EXPECT_MSG_GT(*core.GetDeadline(), NanoSeconds(5), "after the arrival");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(*core.GetDeadline(), NanoSeconds(12), "within a delay");
}

/// The atou receiver: gaps, blocks, delayed ACKs, against a slow model that records every segment.
const Suite g_suite("lfn-atou-receiver", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(
        new AtouReceiverModelTestCase("random loss, reordering, duplicates: as the slow model"));
    suite.Add(new AtouReceiverRulesTestCase("who is acknowledged, when, with what"));
    suite.Add(new AtouReceiverBeatTestCase(
        "the heartbeat's wait, ns's rule, a small gap table, padding"));
    suite.Add(new AtouReceiverMalformedTestCase("forged segment numbers"));
    suite.Add(new AtouReceiverRunsTestCase("every second segment"));
    suite.Add(new AtouReceiverFuzzTestCase("any numbers"));
});

} // namespace
