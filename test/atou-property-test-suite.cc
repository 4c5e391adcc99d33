// SPDX-License-Identifier: GPL-2.0-only

#include "atou-test-model.h"
#include "atou-test-path.h"
#include "atou-test-sender.h"
#include "lfn-test-case.h"

#include "ns3/atou-scoreboard.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Random = std::mt19937_64; //!< where chance comes from

/// A number from 0 to below - 1.
uint32_t
Draw(Random& random, uint32_t below)
{
    return static_cast<uint32_t>(random() % below);
}

/// True with a probability given in per mille.
bool
Chance(Random& random, uint32_t perMille)
{
    return Draw(random, 1000) < perMille;
}

/// A receiver that keeps every segment in a set.
class BasicReceiver
{
  public:
    /// A segment comes; the ACK.
    AtouAck Take(uint32_t segment, std::vector<AtouBlock>& blocks)
    {
        m_there.insert(segment);
        while (m_there.contains(m_next))
        {
            ++m_next;
        }
        m_recent.insert(m_recent.begin(), segment);
        blocks.clear();
        std::vector<uint32_t> kept;
        for (const auto each : m_recent)
        {
            const auto isReported = [&](const AtouBlock& block) {
                return each >= block.first && each <= block.last;
            };
            if (each < m_next || blocks.size() == 3 ||
                std::any_of(blocks.begin(), blocks.end(), isReported))
            {
                continue;
            }
            AtouBlock block{each, each};
            for (; m_there.contains(block.first - 1); --block.first)
            {
            }
            for (; m_there.contains(block.last + 1); ++block.last)
            {
            }
            blocks.push_back(block);
            kept.push_back(each);
        }
        m_recent = kept;
        return {m_next, blocks, Time(), Time()};
    }

    /// The next segment that is expected.
    uint32_t GetNext() const
    {
        return m_next;
    }

  private:
    uint32_t m_next{1};             //!< the lowest segment that is missing
    std::set<uint32_t> m_there;     //!< segments that came
    std::vector<uint32_t> m_recent; //!< one a block, the most recent first
};

/// What a path does.
struct Weather
{
    uint32_t lossPerMille{0};      //!< data lost
    uint32_t ackLossPerMille{0};   //!< ACKs lost
    uint32_t latePerMille{0};      //!< overtaken
    uint32_t ackTwicePerMille{0};  //!< ACKs that come twice
    uint32_t dataTwicePerMille{0}; //!< segments that come twice
    uint32_t burstPerMille{0};     //!< probability that a run of losses begins
    uint32_t burstLength{0};       //!< its length
    uint32_t forgedPerMille{0};    //!< ACKs with a block of segments that were never sent
};

/// A transfer of the engine and of the model side by side; both get what the engine's packets do.
class SideBySide
{
  public:
    /// A transfer that begins.
    SideBySide(Ptr<const AtouOptions> options, const Weather& weather, uint64_t seed)
        : m_options(options),
          m_weather(weather),
          m_random(seed),
          m_model(options, std::make_unique<AtouNativeCongestion>(*options), Time())
    {
        m_core.Start(options, std::make_unique<AtouNativeCongestion>(*options), Time());
    }

    /// Run to the end; what is wrong, or nothing.
    std::string Run()
    {
        auto trouble = Compare("start");
        for (uint64_t steps = 0; trouble.empty(); ++steps)
        {
            if (m_core.GetStatus() != AtouSenderCore::Status::RUNNING)
            {
                return CheckEnd();
            }
            if (steps > 3'000'000 || m_now > Seconds(20000))
            {
                return "stall at " + Describe();
            }
            trouble = Step();
        }
        return trouble;
    }

    /// When it ended.
    Time GetTime() const
    {
        return m_now;
    }

    /// The engine.
    const AtouSenderCore& GetCore() const
    {
        return m_core;
    }

  private:
    /// Something on the path.
    struct Thing
    {
        bool isAck{false};             //!< otherwise data
        uint32_t number{0};            //!< segment, or next segment
        std::vector<AtouBlock> blocks; //!< of an ACK
        Time sent;                     //!< when its segment was sent
    };

    /// The next thing that happens.
    std::string Step()
    {
        const auto deadline = m_core.GetDeadline();
        if (!deadline)
        {
            return "no deadline: " + Describe();
        }
        if (*deadline != m_model.GetDeadline())
        {
            return "deadline " + std::to_string(deadline->GetSeconds()) + " but " +
                   std::to_string(m_model.GetDeadline().GetSeconds()) + Describe();
        }
        if (m_things.empty() || m_things.begin()->first > *deadline)
        {
            m_now = std::max(m_now, *deadline);
            m_core.Expire(m_now);
            m_model.Expire(m_now);
            return Compare("timer");
        }
        m_now = m_things.begin()->first;
        const auto thing = m_things.begin()->second;
        m_things.erase(m_things.begin());
        if (!thing.isAck)
        {
            Thing ack{true, 0, {}, thing.sent};
            ack.number = m_receiver.Take(thing.number, ack.blocks).next;
            if (!m_options->sack)
            {
                ack.blocks.clear();
            }
            else if (Chance(m_random, m_weather.forgedPerMille))
            {
                const auto first = thing.number + 1000 + Draw(m_random, 1U << 31);
                ack.blocks.resize(std::min<std::size_t>(ack.blocks.size(), 2));
                ack.blocks.insert(ack.blocks.begin() + Draw(m_random, 2) * ack.blocks.size(),
                                  {first, first + Draw(m_random, 1000)});
            }
            if (!Chance(m_random, m_weather.ackLossPerMille))
            {
                Carry(ack, m_weather.ackTwicePerMille);
            }
            return "";
        }
        const AtouAck ack{thing.number, thing.blocks, m_now - thing.sent, m_now};
        const auto cwnd = m_core.GetState().cwnd;
        const bool advances = ack.next > m_core.GetState().una;
        m_core.OnAck(ack);
        m_model.OnAck(ack);
        std::string words = "ACK " + std::to_string(thing.number);
        for (const auto& block : thing.blocks)
        {
            words += " " + std::to_string(block.first) + "-" + std::to_string(block.last);
        }
        if (advances && m_core.GetState().cwnd > m_options->rcvrWin)
        {
            return "above rcvrwin at " + Describe();
        }
        return Compare(words + " (cwnd was " + std::to_string(cwnd) + ")");
    }

    /// A thing goes into the path, perhaps twice.
    void Carry(const Thing& thing, uint32_t twicePerMille)
    {
        for (int copies = Chance(m_random, twicePerMille) ? 2 : 1; copies > 0; --copies)
        {
            m_free = std::max(m_free, m_now) + MicroSeconds(100);
            const auto late = Chance(m_random, m_weather.latePerMille)
                                  ? MicroSeconds(100 * Draw(m_random, 60))
                                  : Time();
            m_things.emplace((thing.isAck ? m_now : m_free) + MilliSeconds(20) + late, thing);
        }
    }

    /// Take what is sent from both and compare everything.
    std::string Compare(const std::string& what)
    {
        std::vector<uint32_t> sent;
        const auto before = m_largest;
        m_largest = m_core.GetState().cwnd;
        while (const auto next = m_core.NextSegment())
        {
            sent.push_back(next->segment);
            m_last = std::max(m_last, next->segment);
            if (m_run == 0 && Chance(m_random, m_weather.burstPerMille))
            {
                m_run = m_weather.burstLength;
            }
            if (m_run > 0)
            {
                --m_run;
            }
            else if (!Chance(m_random, m_weather.lossPerMille))
            {
                Carry({false, next->segment, {}, m_now}, m_weather.dataTwicePerMille);
            }
        }
        const auto& s = m_core.GetState();
        const auto& m = m_model.state;
        std::ostringstream os;
        if (sent != m_model.sent)
        {
            os << "sends ";
            for (const auto segment : sent)
            {
                os << segment << " ";
            }
            os << "but should send ";
            for (const auto segment : m_model.sent)
            {
                os << segment << " ";
            }
        }
        m_model.sent.clear();
        if (s.una != m.una || s.nxt != m.nxt || s.max != m.max)
        {
            os << "una nxt max " << m.una << " " << m.nxt << " " << m.max << "; ";
        }
        if (s.cwnd != m.cwnd || s.ssthresh != m.ssthresh)
        {
            os << "cwnd ssthresh " << m.cwnd << " " << m.ssthresh << "; ";
        }
        if (s.dupacks != m.dupacks || s.inRecovery != m.inRecovery ||
            (m.inRecovery && s.recover != m.recover))
        {
            os << "dupacks inRecovery recover " << m.dupacks << " " << m.inRecovery << " "
               << m.recover << "; ";
        }
        // The program's SACK leaves nxt where go-back-N has put it.
        const bool mayLag = m_options->sack && !m_options->carefulSack;
        if ((s.una > s.nxt && !mayLag) || s.una > s.max || s.nxt > s.max || m_last + 1 > s.max ||
            m_last + 2 < s.max || m_receiver.GetNext() < s.una || s.max > m_options->maxPkts + 1)
        {
            os << "una <= nxt <= max broken; ";
        }
        // Vegas leaves slow start with ssthresh 2.
        const auto least =
            std::min({m_options->initSegs,
                      m_options->GetFirstSsthresh(),
                      m_options->vegas == AtouOptions::VegasRtt::OFF ? UINT32_MAX : 2});
        // After a recovery that was left into slow start cwnd may be below it.
        const bool mayBeLow = m_options->burstLimit > 0 && !m_options->sack;
        if (s.cwnd < (mayBeLow ? 1 : m_options->initSegs) || s.ssthresh < least)
        {
            os << "below initsegs; ";
        }
        if (m_core.GetStatistics().badacks != m_model.badacks ||
            m_core.GetStatistics().timeouts != m_model.timeouts)
        {
            os << "badacks timeouts " << m_model.badacks << " " << m_model.timeouts << "; ";
        }
        // One segment beyond the window, rampdown's share of an earlier one, counts below 0.
        const bool isWide = m_options->rampDown || (m_options->sack && !m_options->carefulSack);
        if (static_cast<double>(sent.size()) >
            1 + std::max(before, s.cwnd) + (isWide ? m_options->rcvrWin : 0))
        {
            os << "a burst of " << sent.size() << "; ";
        }
        const auto words = os.str();
        return words.empty() ? "" : what + ": " + words + "at " + Describe();
    }

    /// The transfer has ended: how?
    std::string CheckEnd()
    {
        if (m_core.GetStatus() == AtouSenderCore::Status::GIVEN_UP)
        {
            return m_model.hasGivenUp ? "" : "gave up";
        }
        if (!m_model.IsDone() || m_receiver.GetNext() != m_options->maxPkts)
        {
            return "done too early";
        }
        return m_core.GetDeadline() ? "a deadline after the end" : "";
    }

    /// The engine's state.
    std::string Describe() const
    {
        const auto& s = m_core.GetState();
        std::ostringstream os;
        os << m_now.GetSeconds() << " s: una " << s.una << " nxt " << s.nxt << " max " << s.max
           << " cwnd " << s.cwnd << " ssthresh " << s.ssthresh << " dupacks " << s.dupacks
           << " recover " << s.recover << (s.inRecovery ? " in recovery" : "");
        return os.str();
    }

    Ptr<const AtouOptions> m_options;    //!< of both
    Weather m_weather;                   //!< of the path
    Random m_random;                     //!< chance
    AtouTestModel m_model;               //!< the model
    AtouSenderCore m_core;               //!< the engine
    BasicReceiver m_receiver;            //!< takes the segments
    std::multimap<Time, Thing> m_things; //!< under way
    Time m_now;                          //!< the time
    Time m_free;                         //!< the link is free
    uint32_t m_run{0};                   //!< segments still to be lost
    uint32_t m_last{0};                  //!< highest segment sent
    double m_largest{0};                 //!< cwnd after the last step
};

/// Options at random: every mode and number of them.
std::string
DrawOptions(Random& random)
{
    std::ostringstream os;
    const auto word = [&](const char* keyword, double value) {
        os << keyword << " " << value << "; ";
    };
    const auto mode = Draw(random, 6);
    word("newreno", mode == 0 ? 0 : 1);
    word("sack", mode >= 2);
    word("fack", mode >= 4);
    word("rampdown", mode == 3 || mode == 5);
    const auto init = 1 + Draw(random, Chance(random, 300) ? 10 : 2);
    word("initsegs", init);
    word("rcvrwin", init + 1 + Draw(random, Chance(random, 300) ? 400 : 60));
    word("maxpkts", 2 + Draw(random, 900));
    word("dup_thresh", Chance(random, 500) ? 3 : 3 + Draw(random, 17));
    word("burst_limit", Chance(random, 500) ? 0 : 1 + Draw(random, 10));
    word("ssincr", Chance(random, 700) ? 1 : 1 + Draw(random, 20));
    word("increment", Chance(random, 700) ? 1 : 1 + Draw(random, 20));
    word("multiplier", Chance(random, 500) ? 0.5 : 0.1 + Draw(random, 90) / 100.0);
    word("thresh_init", Draw(random, 5) / 4.0);
    word("max_ssthresh", Chance(random, 700) ? 0 : 2 + Draw(random, 100));
    word("floyd", Chance(random, 250));
    word("kai", Chance(random, 750) ? 0 : 0.01 * (1 + Draw(random, 50)));
    word("vegas", Chance(random, 500) ? 0 : Draw(random, 5));
    word("vss", Draw(random, 3));
    word("vgamma", 1 + Draw(random, 20));
    word("timeout", Chance(random, 500) ? 0.5 : 0.05 * (1 + Draw(random, 20)));
    word("tick", Chance(random, 500) ? 1 : 0.05 * (1 + Draw(random, 20)));
    word("maxidle", 1000);
    word("maxtime", 0);
    return os.str();
}

/// A path at random.
Weather
DrawWeather(Random& random)
{
    const auto rate = [&](uint32_t often, uint32_t most) {
        return Chance(random, often) ? Draw(random, most + 1) : 0;
    };
    Weather weather;
    weather.lossPerMille = rate(600, Chance(random, 200) ? 400 : 40);
    weather.ackLossPerMille = rate(400, Chance(random, 200) ? 600 : 100);
    weather.latePerMille = rate(400, 300);
    weather.ackTwicePerMille = rate(200, 100);
    weather.dataTwicePerMille = rate(200, 100);
    weather.burstPerMille = rate(200, 10);
    weather.forgedPerMille = rate(150, 1000);
    weather.burstLength = 1 + Draw(random, Chance(random, 300) ? 200 : 20);
    return weather;
}

/** @brief The engine and the model agree on any path; the first seed is given. */
LFN_CASE_OF(AtouModelTestCase, uint64_t first, uint64_t transfers)
{
    Simulator::Run(); // until a first simulation ns-3 keeps a register of all Time objects
    Simulator::Destroy();
    for (uint64_t seed = first; seed < first + transfers; ++seed)
    {
        Random random(seed);
        const auto words = DrawOptions(random);
        const auto weather = DrawWeather(random);
        const auto options = Options(words);
        options->exactTimers = Chance(random, 500);
        options->stickyDupacks = Chance(random, 500);
        options->carefulSack = Chance(random, 500);
        SideBySide run(options, weather, seed);
        const auto trouble = run.Run();
        NS_TEST_EXPECT_MSG_EQ(trouble, "", "seed " << seed << ": " << words);
    }
}

/** @brief The scoreboard against a set of single segments. */
LFN_CASE_OF(AtouScoreboardTestCase, uint64_t rounds)
{
    Random random(7);
    AtouScoreboard board;
    std::set<uint32_t> sacked;
    uint32_t una = 1;
    uint32_t resent = 0;
    for (uint64_t round = 0; round < rounds; ++round)
    {
        const auto what = Draw(random, 1000);
        if (what < 700)
        {
            const auto first = una + Draw(random, 80) - std::min(una - 1, Draw(random, 20));
            const AtouBlock block{first, first + Draw(random, Chance(random, 900) ? 4 : 40)};
            uint32_t fresh = 0;
            for (auto each = std::max(una, block.first); each <= block.last; ++each)
            {
                fresh += sacked.insert(each).second ? 1 : 0;
            }
            const auto reported = board.Mark(block, una);
            NS_TEST_ASSERT_MSG_EQ(reported, fresh, "round " << round);
        }
        else if (what < 800)
        {
            una += Draw(random, Chance(random, 900) ? 10 : 100);
            board.Advance(una);
            sacked.erase(sacked.begin(), sacked.lower_bound(una));
        }
        else if (what < 995)
        {
            if (const auto gap = board.FindGap(una))
            {
                board.MarkResent(*gap);
                resent = *gap;
            }
        }
        else if (what < 998)
        {
            board.ForgetResent();
            resent = 0;
        }
        else
        {
            board.Clear();
            sacked.clear();
            resent = 0;
        }
        auto gap = std::max(una, resent + 1);
        for (; sacked.contains(gap); ++gap)
        {
        }
        const bool isHole = !sacked.empty() && gap < *sacked.rbegin();
        const auto found = board.FindGap(una).value_or(0);
        NS_TEST_ASSERT_MSG_EQ(found, (isHole ? gap : 0), "round " << round);
        NS_TEST_ASSERT_MSG_EQ(board.CountSacked(), sacked.size(), "round " << round);
    }
}

LFN_CASE(AtouTimeoutRepairTestCase)
{
    // Run a transfer of 3000 segments on a path that loses some of them; at most a number of
    // seconds.
    const auto check =
        [&](const std::string& words,
            const std::function<bool(const AtouTestPath& path, uint32_t segment)>& lose,
            double most) {
            AtouTestPath::Settings settings;
            settings.server.sack = true;
            const auto options = Options("rcvrwin 400; maxpkts 3000; maxtime 0; " + words);
            options->carefulSack = true;
            AtouTestPath path(settings, options);
            path.lose = [&](uint32_t segment) { return lose(path, segment); };
            const auto seconds = path.Run(Seconds(600));
            NS_TEST_EXPECT_MSG_EQ(path.receiver.GetNext(), 3000, words);
            NS_TEST_EXPECT_MSG_EQ(path.Core().GetStatistics().timeouts, 1, words);
            NS_TEST_EXPECT_MSG_LT(seconds, most, words);
        };
    for (const std::string mode : {"sack 1", "sack 1; rampdown 1", "fack 1", "fack 1; rampdown 1"})
    {
        // Of a window's segments every second is lost, and so is the first one's repetition.
        std::map<uint32_t, uint32_t> tries;
        const auto lose = [&](const AtouTestPath&, uint32_t segment) {
            const auto attempt = ++tries[segment];
            return segment >= 1000 && segment < 1400 && segment % 2 == 0 &&
                   attempt <= (segment == 1000 ? 2 : 1);
        };
        check("initsegs 2; " + mode, lose, 5);
    }
    for (const auto* mode : {"sack 1", "fack 1", "fack 1; rampdown 1", "newreno 1"})
    {
        // From one segment on all is lost for a while, but for two segments.
        double since = 1e9;
        const auto lose = [&](const AtouTestPath& path, uint32_t segment) {
            since = segment == 1000 ? std::min(since, path.Now()) : since;
            return path.Now() < since + 0.4 && segment >= 1000 && segment != 1001 &&
                   segment != 1100;
        };
        // The window stays small until the hundred gaps are filled.
        check(mode, lose, 20);
    }
}

const Suite g_suite("lfn-atou-property", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new AtouTimeoutRepairTestCase("a timeout takes what was under way for lost"));
    suite.Add(new AtouScoreboardTestCase("200000 changes of a scoreboard", 200'000));
    suite.Add(new AtouModelTestCase("1000 transfers compared with a second model", 1, 1000));
    suite.Add(
        new AtouModelTestCase("30000 transfers compared with a second model", 100'000, 30'000),
        TestCase::Duration::EXTENSIVE);
});

} // namespace
