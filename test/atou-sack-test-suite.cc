// SPDX-License-Identifier: GPL-2.0-only

#include "atou-test-path.h"
#include "lfn-test-case.h"

#include "ns3/atou-scoreboard.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Mark once, though a macro may look twice.
uint32_t
CheckMark(AtouScoreboard& board, const AtouBlock& block, uint32_t una)
{
    return board.Mark(block, una);
}

/** @brief The scoreboard against a table with a cell per segment. */
LFN_CASE_FROM(AtouScoreboardTestCase, AtouTestCase)
{
    std::mt19937 random(1);
    const auto draw = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
    for (uint32_t round = 0; round < 200; ++round)
    {
        AtouScoreboard board;
        std::vector<bool> sacked(200);
        uint32_t una = 1;
        uint32_t resent = 0;
        for (uint32_t step = 0; step < 60; ++step)
        {
            const auto first = 1 + draw(150);
            const AtouBlock block{first, first + draw(12)};
            uint32_t fresh = 0;
            for (auto i = std::max(first, una); i <= block.last; ++i)
            {
                fresh += sacked[i] ? 0 : 1;
                sacked[i] = true;
            }
            NS_TEST_EXPECT_MSG_EQ((CheckMark(board, block, una) == fresh), true, "newly known");
            if (draw(8) == 0)
            {
                una += draw(6);
                board.Advance(una);
            }
            uint32_t gap = 0;
            uint32_t count = 0;
            for (auto i = una; i < sacked.size(); ++i)
            {
                count += sacked[i] ? 1 : 0;
                gap = gap == 0 && !sacked[i] && i >= resent ? i : gap;
            }
            bool isHole = false; // something above it has come
            for (auto i = gap; i > 0 && i < sacked.size(); ++i)
            {
                isHole = isHole || sacked[i];
            }
            const auto found = board.FindGap(una).value_or(0);
            NS_TEST_EXPECT_MSG_EQ(board.CountSacked(), count, "all known");
            NS_TEST_EXPECT_MSG_EQ(found, (isHole ? gap : 0), "the lowest gap");
            if (found > 0 && draw(2) == 0)
            {
                board.MarkResent(found);
                resent = found + 1;
            }
            if (draw(40) == 0)
            {
                board.ForgetResent();
                resent = 0;
            }
        }
    }
}

/** @brief The page's SACK excerpt: 7149, 7152, 7153, 7155 with FACK and rampdown. */
LFN_CASE_FROM(AtouSackExcerptTestCase, AtouTestCase)
{
    AtouTestSender sender(Options("rcvrwin 1000; fack 1; rampdown 1; floyd 1"),
                          Middle(7149, 7322, 173.6));
    Same(sender.Ack(7149, 0, {{7150, 7150}}), "7322", "limited transmit");
    Same(sender.Ack(7149, 0, {{7150, 7151}}), "7323", "limited transmit");
    NS_TEST_EXPECT_MSG_EQ(sender.core.GetState().GetFlight(), 175, "as on the page");
    // cwnd 103.1 and half of 7155 to 7323 more, of which 169 are out and one is repeated.
    Same(sender.Ack(7149, 0, {{7154, 7154}, {7150, 7151}}),
         "r7149 r7152-7153 7324-7338",
         "almost at once");
    Same(sender.Windows(), "103 103", "104/256 taken");
    Same(sender.Ack(7149, 1, {{7156, 7156}, {7154, 7154}, {7150, 7151}}),
         "r7155 7339",
         "the next gap is known");
    Same(sender.Log(),
         "3duprxmit pkt 7149 nxt 7324 max 7324 cwnd 173 thresh 173 recover 7323\n"
         "packrxmit pkt 7152 nxt 7324 max 7325 cwnd 103 thresh 103 recover 7323 una 7149\n"
         "packrxmit pkt 7153 nxt 7324 max 7325 cwnd 103 thresh 103 recover 7323 una 7149\n"
         "packrxmit pkt 7155 nxt 7339 max 7340 cwnd 103 thresh 103 recover 7323 una 7149",
         "the page's four lines");
    // On a path: one RTT from the first repetition to the end.
    AtouTestPath::Settings settings;
    settings.rtt = MilliSeconds(95);
    settings.server.sack = true;
    AtouTestPath path(settings,
                      Options("rcvrwin 175; fack 1; rampdown 1; floyd 1; maxpkts 9000;"
                              "droplist 7149 7152 7153 7155"));
    double begin = 0;
    double end = 0;
    path.watch = [&](const AtouTestPath& now) {
        const bool isIn = now.Core().GetState().inRecovery;
        begin = isIn && begin == 0 ? now.Now() : begin;
        end = !isIn && begin > 0 && end == 0 ? now.Now() : end;
    };
    path.Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(end - begin, 0.095, 0.010, "all within one RTT");
    NS_TEST_EXPECT_MSG_EQ(path.Core().GetStatistics().rxmts, 4, "each once");
    NS_TEST_EXPECT_MSG_EQ(path.Core().GetStatistics().timeouts, 0, "none");
}

/** @brief After go-back-N blocks come that lie above nxt: nxt - fack is negative. */
LFN_CASE_FROM(AtouLateBlocksTestCase, AtouTestCase)
{
    for (const bool isCareful : {false, true})
    {
        const auto options = Options("fack 1; rcvrwin 100");
        options->carefulSack = isCareful;
        AtouTestSender sender(options, Middle(50, 100, 50));
        Same(sender.Sent(), "", "all is out");
        Same(sender.Expire(), "r50-51", "go-back-N");
        Same(sender.Ack(50, 1100, {{60, 99}}),
             isCareful ? "r50-51" : "r50-59 r52-91",
             isCareful ? "two segments, not forty more" : "the program fills up what is below");
    }
}

/**
 * @brief The program forgets nothing of what it has retransmitted: what is lost twice costs a
 * timeout.
 */
LFN_CASE_FROM(AtouLostTwiceTestCase, AtouTestCase)
{
    for (const bool isCareful : {false, true})
    {
        const auto options = Options("fack 1; rcvrwin 90; tick 0.5");
        options->carefulSack = isCareful;
        AtouTestSender sender(options, Middle(100, 140, 40));
        sender.Ack(100, 0, {{110, 119}}); // ten gaps; FACK's trigger
        sender.Ack(100, 0, {{110, 139}});
        Same(sender.Expire(), "r100", "the repetitions are lost, too");
        Same(sender.Ack(101, 900, {{110, 139}}),
             isCareful ? "r101-102" : "",
             "retran_data still has the others");
    }
}

/**
 * @brief Nothing is sent once nxt has come to the end, not even gaps; blocks before a recovery.
 */
LFN_CASE_FROM(AtouEndAndBeforeTestCase, AtouTestCase)
{
    for (const bool isCareful : {false, true})
    {
        const auto options = Options("sack 1; rcvrwin 90; maxpkts 140; dup_thresh 4");
        options->carefulSack = isCareful;
        AtouTestSender sender(options, Middle(100, 140, 40));
        sender.Ack(100, 0, {{102, 102}});
        sender.Ack(100, 0, {{104, 104}, {102, 102}});
        sender.Ack(100, 0, {{106, 106}, {104, 104}, {102, 102}});
        Same(sender.Ack(100, 0, {{108, 139}, {106, 106}, {104, 104}}),
             isCareful ? "r100-101 r103 r105 r107" : "r100",
             "gaps at the end");
    }
    AtouTestSender sender(Options("sack 1; rcvrwin 90; dup_thresh 4"), Middle(100, 140, 40));
    sender.Ack(100, 0, {{102, 102}});
    sender.Ack(100, 0, {{104, 104}, {102, 102}});
    sender.Ack(100, 0, {{106, 106}, {104, 104}, {102, 102}});
    Same(sender.Ack(100, 0, {{108, 139}, {106, 106}, {104, 104}}),
         "r100-103 r105 r107 143-147",
         "what 102 was notified of before the recovery is not noted: it is retransmitted");
}

/** @brief An ACK without blocks leaves the scoreboard alone: gaps below una may be retransmitted.
 */
LFN_CASE_FROM(AtouStaleGapsTestCase, AtouTestCase)
{
    for (const bool isCareful : {false, true})
    {
        const auto options = Options("sack 1; rcvrwin 90");
        options->carefulSack = isCareful;
        AtouTestSender sender(options, Middle(100, 140, 40));
        sender.Ack(100, 0, {{102, 102}});
        sender.Ack(100, 0, {{102, 103}});
        Same(sender.Ack(100, 0, {{115, 115}, {102, 103}}), "r100", "entry: pipe is 40");
        Same(sender.Ack(100, 0, {{115, 138}, {102, 103}}), "r101 r104-105", "pipe was 17");
        Same(sender.Ack(112, 50),
             isCareful ? "r112-113" : "r106-107",
             "pipe was 18: the program repeats what has come");
        Same(sender.Ack(112, 60, {{115, 139}}),
             isCareful ? "r114" : "r112",
             "pipe was 19; a block reports una");
    }
}

/** @brief SACK leaves nxt below una when go-back-N finds that all had come: another timeout. */
LFN_CASE_FROM(AtouStallTestCase, AtouTestCase)
{
    for (const bool isCareful : {false, true})
    {
        const auto options = Options("sack 1; rcvrwin 90");
        options->carefulSack = isCareful;
        AtouTestSender sender(options, Middle(100, 140, 40));
        Same(sender.Expire(), "r100-101", "go-back-N");
        Same(sender.Ack(140, 1100), isCareful ? "140-142" : "", "nxt is 102");
        Same(sender.Ack(140, 1101), isCareful ? "143" : "r102", "limited transmit");
        Same(sender.Expire(), isCareful ? "r140-141" : "140-141", "from una on");
        NS_TEST_EXPECT_MSG_EQ(sender.core.GetStatistics().maxAck, 39, "less 1 with SACK");
    }
}

/** @brief Triggers, pipe, limited transmit, big losses (section 3.8). */
LFN_CASE_FROM(AtouSackRulesTestCase, AtouTestCase)
{
    // What is no duplicate counts as out of order, and still lets a segment go.
    AtouTestSender plain(Options("rcvrwin 90; sack 1"), Middle(100, 140, 40));
    Same(plain.Ack(100), "140", "limited transmit");
    NS_TEST_EXPECT_MSG_EQ(plain.core.GetStatistics().ooacks, 1, "no block");
    NS_TEST_EXPECT_MSG_EQ(plain.core.GetState().dupacks, 0, "no duplicate");
    // Limited transmit grows the window in slow start.
    auto slow = Middle(100, 110, 10);
    slow.ssthresh = 20;
    AtouTestSender grow(Options("rcvrwin 90; sack 1; ssincr 2"), slow);
    grow.Ack(100, 0, {{101, 101}});
    Same(grow.Windows(), "12 20", "by ssincr");
    // An ACK that advances forgets duplicates.
    grow.Ack(103, 0, {});
    NS_TEST_EXPECT_MSG_EQ(grow.core.GetState().dupacks, 0, "forgotten");
}

LFN_CASE_FROM(AtouTriggersTestCase, AtouTestCase)
{
    for (const bool fack : {false, true})
    {
        // FACK: 104 - 100 is more than 3. It sends no more: 20 - (140 - 104 + 1) is negative.
        const std::string words = "rcvrwin 90; sack 1; fack " + std::to_string(fack ? 1 : 0);
        AtouTestSender sender(Options(words), Middle(100, 140, 40));
        Same(sender.Ack(100, 0, {{102, 102}}), "140", "103 - 100 is not");
        Same(sender.Ack(100, 0, {{102, 103}}), fack ? "r100" : "141", "FACK's trigger");
        Same(sender.Ack(100, 0, {{102, 104}}), fack ? "" : "r100", "the third duplicate");
        Same(sender.Windows(), "20 20", "cut once");
    }
}

LFN_CASE_FROM(AtouPipeTestCase, AtouTestCase)
{
    AtouTestSender sender(Options("rcvrwin 90; sack 1"), Middle(100, 120, 20));
    Same(sender.Ack(100, 0, {{101, 101}}), "120", "limited transmit");
    Same(sender.Ack(100, 0, {{101, 102}}), "121", "limited transmit");
    // pipe = 22 - 3 SACKed + 1 = 20, cwnd 10.
    Same(sender.Ack(100, 0, {{104, 104}, {101, 102}}), "r100", "entry");
    Same(sender.Windows(), "10 10", "half");
    for (uint32_t segment = 105; segment < 114; ++segment)
    {
        Same(sender.Ack(100, 0, {{104, segment}, {101, 102}}), "", "pipe is 19 to 11");
    }
    Same(sender.Ack(100, 0, {{104, 114}, {101, 102}}), "", "10, as cwnd");
    Same(sender.Ack(100, 0, {{104, 115}, {101, 102}}), "r103", "the gap first");
    Same(sender.Ack(100, 0, {{104, 116}, {101, 102}}), "122", "then new ones");
    NS_TEST_EXPECT_MSG_EQ(sender.core.GetState().recover, 121, "max - 1");
    Same(sender.Ack(103, 50, {{104, 116}}), "123-124", "partial: two less");
    Same(sender.Windows(), "10 10", "frozen");
    Same(sender.Ack(122, 60), "125-132", "recover: 11 from 122 on, 122 to 124 are out");
    NS_TEST_EXPECT_MSG_EQ(sender.core.GetState().inRecovery, false, "left");
    NS_TEST_EXPECT_MSG_EQ(sender.log.back(), "CAexit 121", "reported, less 1");
    Same(sender.Windows(), "11 10", "the last ACK of a recovery grows it");
    Same(sender.Ack(123, 70), "133", "congestion avoidance above ssthresh");
}

/** @brief The first block is more than a window away. */
LFN_CASE_FROM(AtouBigLossTestCase, AtouTestCase)
{
    for (const bool fack : {false, true})
    {
        const std::string words = "rcvrwin 90; initsegs 3; sack 1; rampdown 1; dup_thresh 1;";
        AtouTestSender sender(Options(words + (fack ? "fack 1" : "")), Middle(100, 140, 40));
        Same(sender.Ack(100, 0, {{125, 125}}),
             fack ? "r100-112" : "r100",
             "25 beyond una, 20 is the window");
        Same(sender.Windows(), fack ? "20 20" : "4 10", "as after a timeout, and slow start");
    }
    AtouTestSender near(Options("rcvrwin 90; initsegs 3; sack 1; dup_thresh 1"),
                        Middle(100, 140, 40));
    near.Ack(100, 0, {{120, 120}});
    Same(near.Windows(), "20 20", "20 is not beyond the window");
}

/** @brief Rampdown and timeouts with blocks. */
LFN_CASE_FROM(AtouSackPathTestCase, AtouTestCase)
{
    // One loss of a window of 100: with rampdown a segment goes for every two that came.
    for (const bool rampDown : {false, true})
    {
        AtouTestSender sender(
            Options(std::string("rcvrwin 200; fack 1") + (rampDown ? "; rampdown 1" : "")),
            Middle(100, 200, 100));
        uint32_t before = 0;
        uint32_t early = 0;
        for (uint32_t segment = 101; segment < 200; ++segment)
        {
            sender.Ack(100, 0, {{101, segment}});
            const auto nxt = sender.core.GetState().nxt;
            before = segment == 103 ? nxt : before; // recovery has begun
            early = segment == 150 ? nxt : early;
        }
        const double all = sender.core.GetState().nxt - before;
        const double half = early - before;
        NS_TEST_EXPECT_MSG_EQ_TOL(all, 49, 2.5, "half a window in either case");
        NS_TEST_EXPECT_MSG_EQ_TOL(half, (rampDown ? 24 : 0), 1.5, "rampdown begins at once");
    }
    // The sample configuration that forces a timeout.
    for (const std::string way : {"fack 1", "sack 1", "newreno 1"})
    {
        AtouTestPath::Settings settings;
        settings.server.sack = true;
        AtouTestPath path(settings, Options("rcvrwin 26; droplist 200 200; maxpkts 400;" + way));
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.Core().GetStatistics().timeouts, 1, way);
        NS_TEST_EXPECT_MSG_EQ((path.Core().GetStatus() == AtouSenderCore::Status::DONE), true, way);
    }
}

LFN_CASE_FROM(AtouSackTimeoutsTestCase, AtouTestCase)
{
    AtouTestSender known(Options("rcvrwin 90; sack 1; tick 0.5"), Middle(100, 120, 20));
    known.Ack(100, 0, {{105, 110}});
    Same(known.Expire(), "r100", "the blocks say that others have come: only una");
    Same(known.Windows(), "2 10", "initsegs, half");
    NS_TEST_EXPECT_MSG_EQ(known.core.GetState().inRecovery, true, "enters recovery");
    Same(known.Ack(101, 600, {{105, 110}}), "r101-103", "pipe is -1: three gaps");
    Same(known.Ack(102, 600, {{105, 110}}), "r104 121", "no more gaps: 111 on are no gaps");
    Same(known.Ack(103, 600, {{105, 110}}), "122-123", "pipe is 0");
    AtouTestSender unknown(Options("rcvrwin 90; sack 1; tick 0.5"), Middle(100, 120, 20));
    Same(unknown.Expire(), "r100-101", "no block: go back");
    NS_TEST_EXPECT_MSG_EQ(unknown.core.GetState().inRecovery, false, "no recovery");
}

/// atou's sender with SACK and FACK: scoreboard, triggers, pipe, rampdown, timeouts (section 3.8).
const Suite g_suite("lfn-atou-sack", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new AtouScoreboardTestCase("the scoreboard agrees with a plain table"));
    suite.Add(new AtouSackExcerptTestCase("the page's SACK excerpt"));
    suite.Add(new AtouSackRulesTestCase("out-of-order ACKs, limited transmit"));
    suite.Add(new AtouStaleGapsTestCase("gaps below una"));
    suite.Add(new AtouStallTestCase("go-back-N after which nxt lies below una"));
    suite.Add(new AtouLateBlocksTestCase("blocks above nxt"));
    suite.Add(new AtouLostTwiceTestCase("retransmissions that are lost"));
    suite.Add(new AtouEndAndBeforeTestCase("gaps at the end, blocks before a recovery"));
    suite.Add(new AtouTriggersTestCase("triggers of SACK and FACK"));
    suite.Add(new AtouPipeTestCase("pipe from entry to exit"));
    suite.Add(new AtouBigLossTestCase("the big loss rule"));
    suite.Add(new AtouSackPathTestCase("rampdown spreads the halving"));
    suite.Add(new AtouSackTimeoutsTestCase("timeouts with and without blocks"));
});

} // namespace
