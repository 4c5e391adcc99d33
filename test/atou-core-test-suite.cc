// SPDX-License-Identifier: GPL-2.0-only

#include "atou-test-path.h"
#include "lfn-test-case.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Status = AtouSenderCore::Status;

/** @brief What the window allows, the droplist, limited transmit, ends (sections 3.1 and 3.5). */
LFN_CASE_FROM(AtouSendTestCase, AtouTestCase)
{
    AtouTestSender plain(Options("initsegs 4; rcvrwin 6; maxpkts 12"));
    Same(plain.Sent(), "1-4", "initsegs");
    Same(plain.Ack(2), "5-6", "slow start");
    Same(plain.Ack(4), "7-9", "one step per ACK, for any number of segments");
    Same(plain.Ack(5), "10", "rcvrwin");
    Same(plain.Windows(), "6 6", "cwnd is cut to rcvrwin");
    Same(plain.Ack(9), "11", "maxpkts 12: up to 11");
    NS_TEST_EXPECT_MSG_EQ((plain.core.GetStatus() == Status::RUNNING), true, "11 is missing");
    Same(plain.Ack(12), "", "nothing is left");
    NS_TEST_EXPECT_MSG_EQ((plain.core.GetStatus() == Status::DONE), true, "una is at maxpkts");
    NS_TEST_EXPECT_MSG_EQ(plain.core.GetDeadline().has_value(), false, "no timer");
    const auto& counters = plain.core.GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(counters.maxBurst, 4, "initsegs; what is usable at the end is not");
    NS_TEST_EXPECT_MSG_EQ(counters.maxAck, 4, "from 5 to 9");
    NS_TEST_EXPECT_MSG_EQ(counters.goodacks, 5, "all that are no badacks");
    NS_TEST_EXPECT_MSG_EQ(counters.cumacks, 0, "SACK's");
    NS_TEST_EXPECT_MSG_EQ(counters.packetsIn, 5, "ACKs");
    NS_TEST_EXPECT_MSG_EQ(counters.packetsOut, 11, "segments");
    plain.Ack(12);
    NS_TEST_EXPECT_MSG_EQ(counters.packetsIn, 5, "it has ended");

    AtouTestSender burst(Options("initsegs 10; rcvrwin 40; burst_limit 3"));
    Same(burst.Sent(), "1-3", "burst_limit");
    Same(burst.Ack(2), "4-6", "burst_limit");
    NS_TEST_EXPECT_MSG_EQ(burst.core.GetStatistics().maxBurst, 10, "it is not limited itself");

    // A number that is given twice loses the repetition too.
    AtouTestSender drops(Options("initsegs 6; rcvrwin 6; droplist 2 2 5"));
    Same(drops.Sent(), "1 x2 3-4 x5 6", "droplist");
    drops.Ack(2);
    Same(drops.Acks(2, 2), "8-9", "limited transmit");
    Same(drops.Ack(2), "rx2", "dropped again");
    Same(drops.Expire(), "r2-7", "timeout: now it goes");
    NS_TEST_EXPECT_MSG_EQ(drops.core.GetStatistics().rxmts, 2, "a timeout counts once");
    NS_TEST_EXPECT_MSG_EQ(drops.core.GetStatistics().repeated, 7, "all of them");
    NS_TEST_EXPECT_MSG_EQ(drops.core.GetStatistics().packetsOut, 13, "dropped ones are not out");

    // Limited transmit goes beyond cwnd and rcvrwin: dup_thresh 19 gives 18 more.
    AtouTestSender patient(Options("initsegs 20; dup_thresh 19"));
    patient.Sent();
    Same(patient.Acks(18, 1), "21-38", "18 beyond rcvrwin");
    Same(patient.Ack(1), "r1", "the 19th");
    Same(patient.Windows(), "39 20", "initsegs is the floor; and the duplicates");
    AtouTestSender last(Options("initsegs 4; maxpkts 6"));
    last.Sent();
    Same(last.Acks(2, 1), "5", "nothing beyond maxpkts");
}

/** @brief maxtime: nothing new is sent, but what was sent is repeated until it has come. */
LFN_CASE_FROM(AtouDrainTestCase, AtouTestCase)
{
    AtouTestSender drain(Options("initsegs 4; maxtime 1; tick 0.1"));
    drain.Sent();
    Same(drain.Ack(2, 900), "5-6", "not yet");
    Same(drain.Ack(4, 1000), "7-9", "over: looked at after the ACK");
    NS_TEST_EXPECT_MSG_EQ((drain.core.GetStatus() == Status::RUNNING), true, "4 to 9 are out");
    std::string sent;
    while (sent.empty())
    {
        sent = drain.Expire();
    }
    Same(sent, "r4-7", "a timeout: what was sent");
    Same(drain.Ack(8, 1600), "r8-9", "nothing new");
    Same(drain.Ack(9, 1650), "", "one is missing");
    drain.Ack(10, 1700);
    NS_TEST_EXPECT_MSG_EQ((drain.core.GetStatus() == Status::DONE), true, "drained");
    // What is retransmitted alongside nxt counts nxt as sent: at the end of maxtime it goes.
    AtouTestSender beyond(Options("initsegs 4; maxpkts 5; maxtime 1"));
    beyond.Sent();
    beyond.Acks(3, 1);
    Same(beyond.Ack(4, 1000), "", "nothing more below maxpkts");
    Same(beyond.Ack(4, 1100), "5", "maxpkts itself, as in the program");
    AtouTestSender endless(Options("maxtime 0"));
    endless.Sent();
    endless.Ack(2, 1000000);
    NS_TEST_EXPECT_MSG_EQ((endless.core.GetStatus() == Status::RUNNING), true, "no maxtime");
}

LFN_CASE_FROM(AtouBadAckTestCase, AtouTestCase)
{
    AtouTestSender bad(Options("initsegs 4; sack 1"), Middle(50, 60, 10, 10));
    const auto take = [&](uint32_t next, const std::vector<AtouBlock>& blocks) {
        const auto now = MilliSeconds(100);
        return bad.core.OnAck({next, blocks, MilliSeconds(100), now}) ? "good" : "bad";
    };
    Same(take(49, {}), "bad", "below una");
    Same(take(61, {}), "bad", "above max");
    Same(take(50, {{55, 60}}), "good", "60 was never sent: the block is left out");
    NS_TEST_EXPECT_MSG_EQ(bad.core.GetStatistics().ooacks, 1, "as if it were not there");
    Same(take(50, {{55, 59}, {1, 4000000000U}}), "good", "nor was this");
    NS_TEST_EXPECT_MSG_EQ(bad.core.GetStatistics().dups, 1, "the other block is taken");
    Same(take(50, {{55, 59}, {1, 20}}), "good", "stale blocks are not good");
    NS_TEST_EXPECT_MSG_EQ(bad.core.GetStatistics().badacks, 2, "counted");
    NS_TEST_EXPECT_MSG_EQ(bad.core.GetStatistics().packetsIn, 5, "they came, too");
    NS_TEST_EXPECT_MSG_EQ(bad.log.front(),
                          "badack 48 snd_max 60 snd_nxt 60 snd_una 50",
                          "the page's words, less 1 with SACK");
    AtouTestSender stale(Options("rcvrwin 90"), Middle(50, 60, 10, 10));
    stale.Acks(2, 50);
    stale.Ack(49);
    NS_TEST_EXPECT_MSG_EQ(stale.core.GetState().dupacks, 0, "below una: forgotten duplicates");
    stale.Acks(2, 50);
    stale.Ack(80);
    NS_TEST_EXPECT_MSG_EQ(stale.core.GetState().dupacks, 2, "above max: not");
}

/** @brief The page's logs of Reno and NewReno, number by number. */
LFN_CASE_FROM(AtouPageLogTestCase, AtouTestCase)
{
    // Limited transmit is younger than the log: two more segments are out (page: 616, 2844).
    // So is the growth on the ACK that ends a recovery (page: cwnd 100; the last program: 101).
    AtouTestPath reno({}, Options("newreno 0; rcvrwin 200; maxpkts 1100; droplist 416 417"));
    reno.Run();
    Same(reno.Sender().Log(),
         "3duprxmit pkt 416 nxt 618 max 618 cwnd 200 thresh 200 recover 0\n"
         "timerxmit pkt 417 snd_nxt 618 snd_max 619 cwnd 101 thresh 100\n"
         "CAexit 619",
         "Reno recovers the second loss by timeout");
    AtouTestPath newReno({}, Options("rcvrwin 100; maxpkts 3000; droplist 2744 2747 2750"));
    newReno.Run();
    Same(newReno.Sender().Log(),
         "3duprxmit pkt 2744 nxt 2846 max 2846 cwnd 100 thresh 100 recover 0\n"
         "packrxmit pkt 2747 nxt 2846 max 2847 cwnd 100 thresh 50 recover 2846 una 2744\n"
         "packrxmit pkt 2750 nxt 2846 max 2847 cwnd 98 thresh 50 recover 2846 una 2747\n"
         "CAexit 2847",
         "NewReno recovers one per RTT");
}

/** @brief 2210 and five others: every second segment is acknowledged. */
LFN_CASE_FROM(AtouPageExcerptTestCase, AtouTestCase)
{
    AtouTestSender sender(Options("rcvrwin 1000; floyd 1; multiplier 0.9"),
                          Middle(2210, 2333, 123, 179, 1979));
    Same(sender.Acks(2, 2210), "2333-2334", "limited transmit");
    Same(sender.Ack(2210), "r2210", "the third duplicate");
    Same(sender.Windows(), "76 73", "104/256 taken, 3 added");
    Same(sender.Acks(59, 2210), "2335-2344", "those in flight, every second");
    Same(sender.Ack(2225), "r2225 2345", "partial");
    Same(sender.Acks(5, 2225), "2346-2350", "of 2335 to 2344");
    Same(sender.Ack(2227), "r2227 2351", "partial");
    Same(sender.Acks(3, 2227), "2352-2354", "of 2345 to 2350");
    Same(sender.Ack(2230), "r2230 2355", "partial");
    Same(sender.Acks(2, 2230), "2356-2357", "of 2351 to 2354");
    Same(sender.Ack(2234), "r2234 2358", "partial");
    Same(sender.Acks(2, 2234), "2359-2360", "of 2355 to 2357");
    Same(sender.Ack(2237), "r2237 2361", "partial");
    Same(sender.Log(),
         "3duprxmit pkt 2210 nxt 2335 max 2335 cwnd 123 thresh 179 recover 1979\n"
         "packrxmit pkt 2225 nxt 2345 max 2345 cwnd 135 thresh 73 recover 2335 una 2210\n"
         "packrxmit pkt 2227 nxt 2351 max 2351 cwnd 126 thresh 73 recover 2335 una 2225\n"
         "packrxmit pkt 2230 nxt 2355 max 2355 cwnd 128 thresh 73 recover 2335 una 2227\n"
         "packrxmit pkt 2234 nxt 2358 max 2358 cwnd 128 thresh 73 recover 2335 una 2230\n"
         "packrxmit pkt 2237 nxt 2361 max 2361 cwnd 127 thresh 73 recover 2335 una 2234",
         "the page's six lines");
    sender.Ack(2335);
    Same(sender.Windows(), "74 73", "recovered: cwnd is ssthresh, and grows");
    NS_TEST_EXPECT_MSG_EQ(sender.core.GetState().dupacks, 0, "recovered");
    NS_TEST_EXPECT_MSG_EQ(sender.core.GetStatistics().packs, 5, "partial ACKs");
}

/** @brief Corners of Reno and NewReno (sections 3.5 and 3.6). */
LFN_CASE_FROM(AtouRecoveryTestCase, AtouTestCase)
{
    // Losses among segments sent before the last cut cost NewReno nothing, Reno another cut.
    for (const bool newReno : {true, false})
    {
        AtouTestSender sender(Options(newReno ? "rcvrwin 90" : "newreno 0; rcvrwin 90"),
                              Middle(100, 140, 40, 20, 200));
        Same(sender.Acks(2, 100), "140-141", "limited transmit");
        Same(sender.Ack(100), "r100", "the third");
        Same(sender.Windows(), newReno ? "41 20" : "23 20", "cut once only");
        NS_TEST_EXPECT_MSG_EQ(sender.core.GetState().dupacks, (newReno ? 0 : 3), "begins again");
    }
    // Reno leaves at the first new ACK.
    AtouTestSender reno(Options("newreno 0; rcvrwin 90"), Middle(100, 140, 40, 20));
    reno.Acks(30, 100);
    Same(reno.Windows(), "50 20", "20 + 30");
    reno.Ack(103);
    Same(reno.Windows(), "21 20", "deflated, and grown at ssthresh");
    // NewReno: a large partial ACK stops at initsegs.
    AtouTestSender deep(Options("initsegs 5; rcvrwin 90"), Middle(100, 140, 40, 20));
    deep.Acks(4, 100);
    Same(deep.Ack(139), "r139 142-144", "partial: 142 was max");
    Same(deep.Windows(), "6 20", "its floor, and slow start");
    NS_TEST_EXPECT_MSG_EQ(deep.core.GetState().inRecovery, true, "it stays");
    deep.Ack(142);
    Same(deep.Windows(), "21 20", "recover is reached");
    NS_TEST_EXPECT_MSG_EQ(deep.core.GetState().inRecovery, false, "it leaves");
    // After go-back-N nxt may lie below a partial ACK: what that repeats goes once.
    AtouTestSender back(Options("rcvrwin 90; initsegs 8"), Middle(100, 140, 40, 20));
    Same(back.Expire(), "r100-107", "go-back-N");
    Same(back.Acks(4, 100, 1100), "r108-109 r100 r110-111", "a recovery");
    Same(back.Ack(120, 1200), "r120-128", "120 once");
    // The quirk of r1.38: an ACK that advances at dup_thresh changes nothing.
    for (const bool sticky : {false, true})
    {
        const auto options = Options("rcvrwin 90");
        options->stickyDupacks = sticky;
        AtouTestSender sender(options, Middle(100, 140, 40, 20));
        sender.Acks(3, 100);
        sender.Ack(142);
        NS_TEST_EXPECT_MSG_EQ(sender.core.GetState().dupacks, (sticky ? 3 : 0), "dupacks");
        Same(sender.Windows(), sticky ? "23 20" : "21 20", "no deflation");
        Same(sender.Ack(142), sticky ? "165" : "163", "window or limited transmit");
        const auto plain = Options("rcvrwin 90; newreno 0");
        plain->stickyDupacks = sticky;
        AtouTestSender reno(plain, Middle(100, 140, 40, 20));
        reno.Acks(3, 100);
        reno.Ack(142);
        Same(reno.Windows(), sticky ? "23 20" : "21 20", "nor in Reno");
        NS_TEST_EXPECT_MSG_EQ(reno.core.GetState().dupacks, 0, "which forgets the count");
    }
    // An ACK before dup_thresh forgets the duplicates.
    AtouTestSender two(Options("rcvrwin 90"), Middle(100, 140, 40, 20));
    two.Acks(2, 100);
    two.Ack(101);
    NS_TEST_EXPECT_MSG_EQ(two.core.GetState().dupacks, 0, "forgotten");
    Same(two.Windows(), "40 20", "grown by 1/40");
}

/** @brief NewReno leaves into slow start when a burst limit asks for it. */
LFN_CASE_FROM(AtouExitsTestCase, AtouTestCase)
{
    // cwnd is 20 + 30: 30 above ssthresh. Slow start adds one on the ACK that leaves.
    for (const auto& [words, windows] : std::vector<std::pair<std::string, std::string>>{
             {"burst_limit 29", "13 20"},
             {"burst_limit 29; initsegs 20", "13 20"}, // no floor in slow start
             {"burst_limit 30", "21 20"},
             {"burst_limit 0", "21 20"},
             {"burst_limit 25; newreno 0", "21 20"}})
    {
        AtouTestSender sender(Options("rcvrwin 90;" + words), Middle(100, 140, 40, 20));
        sender.Acks(30, 100);
        NS_TEST_EXPECT_MSG_EQ(sender.core.GetState().max, 150, "50 from 100 on");
        sender.Ack(142);
        Same(sender.Windows(), windows, words + ": 150 - 142 + 4");
        NS_TEST_EXPECT_MSG_EQ(sender.log.size(), 1, words);
        sender.Ack(143);
        NS_TEST_EXPECT_MSG_EQ(sender.log.back(), "CAexit 143", words + ": above recover");
    }
}

LFN_CASE_FROM(AtouChangeTestCase, AtouTestCase)
{
    const auto options = Options("rcvrwin 90; initsegs 4; ssincr 1");
    AtouTestSender sender(options, Middle(100, 110, 10, 20));
    sender.Ack(101);
    Same(sender.Windows(), "11 20", "ssincr 1");
    options->ssIncr = 5;
    sender.core.OnOptions();
    sender.Ack(102);
    Same(sender.Windows(), "16 20", "ssincr 5");
    options->ssIncr = 10;
    options->increment = 26;
    options->multiplier = 0.75;
    options->dupThresh = 2;
    sender.core.OnOptions();
    sender.Ack(103);
    sender.Ack(104);
    Same(sender.Windows(), "27 20", "increment 26 at a window of 26");
    sender.Acks(2, 104);
    Same(sender.Windows(), "22 20", "dup_thresh 2, multiplier 0.75 of 27, and the two");
    options->initSegs = 8;
    options->timeout = MilliSeconds(100);
    options->tick = MilliSeconds(50);
    sender.core.OnOptions();
    Same(std::to_string(sender.core.GetDeadline()->GetMilliSeconds()), "150", "tick from the ACK");
    sender.Ack(105, 120);
    sender.Expire();
    Same(sender.Expire(), "r105-112", "timeout 0.1, initsegs 8");

    const auto fast = Options("rcvrwin 900; floyd 1");
    AtouTestSender floyd(fast, Middle(1000, 1400, 400, 300));
    floyd.Ack(1001);
    NS_TEST_EXPECT_MSG_EQ_TOL(floyd.core.GetState().cwnd, (400 + 5 / 400.0), 1e-9, "the fifth row");
    fast->floyd = false;
    fast->increment = 2;
    floyd.core.OnOptions();
    floyd.Ack(1002);
    NS_TEST_EXPECT_MSG_EQ_TOL(floyd.core.GetState().cwnd, 400.0175, 1e-4, "no row any more");
}

/// When, in ms, the retransmission comes on a path that falls silent after an ACK at 1230 ms.
int64_t
Silence(const std::string& words, bool exact)
{
    const auto options = Options("initsegs 8;" + words);
    options->exactTimers = exact;
    AtouTestSender sender(options);
    sender.Sent();
    sender.Ack(2, 1230);
    sender.core.Expire(MilliSeconds(1300)); // a caller that is too early changes nothing
    Time at;
    for (std::string sent; sent.empty() && sender.core.GetDeadline();)
    {
        at = *sender.core.GetDeadline();
        sent = sender.Expire();
    }
    return at.GetMilliSeconds() - 1230;
}

/** @brief Timers: ticks, exactness, back-off, giving up (section 3.9). */
LFN_CASE_FROM(AtouTimerTestCase, AtouTestCase)
{
    NS_TEST_EXPECT_MSG_EQ(Silence("", false), 1000, "a tick after the last ACK");
    NS_TEST_EXPECT_MSG_EQ(Silence("", true), 500, "exact");
    NS_TEST_EXPECT_MSG_EQ(Silence("tick 0.1", false), 500, "the fifth tick");
    NS_TEST_EXPECT_MSG_EQ(Silence("tick 0.2", false), 600, "the third");
    NS_TEST_EXPECT_MSG_EQ(Silence("timeout 1; tick 0.5", false), 1000, "the report's table");

    // Duplicate ACKs make it look: the retransmission comes at timeout.
    AtouTestSender busy(Options("initsegs 8; dup_thresh 100; maxpkts 9"));
    busy.Sent();
    busy.Ack(2, 100);
    Same(busy.Ack(2, 599), "", "not due");
    Same(busy.Ack(2, 600), "r2-8", "due");
    Same(busy.Windows(), "8 8", "initsegs is the floor of both");
    NS_TEST_EXPECT_MSG_EQ(busy.core.GetState().dupacks, 0, "forgotten");
    Same(busy.Ack(2, 1599), "", "twice the timeout from then on");
    Same(busy.Ack(2, 1600), "r2-8", "due again");
}

LFN_CASE_FROM(AtouGoBackTestCase, AtouTestCase)
{
    AtouTestSender sender(Options("rcvrwin 90"), Middle(100, 140, 40, 40));
    Same(sender.Expire(), "r100-101", "initsegs");
    Same(sender.Windows(), "2 20", "half of cwnd");
    Same(sender.Log(),
         "timerxmit pkt 100 snd_nxt 140 snd_max 140 cwnd 40 thresh 40",
         "before the cut");
    Same(sender.Ack(101, 1100), "r102-103", "slow start, repeated");
    Same(sender.Ack(120, 1150), "r120-123", "it jumps: nxt goes along");
    NS_TEST_EXPECT_MSG_EQ(sender.core.GetState().max, 140, "nothing new");
    Same(sender.Acks(2, 120, 1160), "r124-125", "duplicates of what had come");
    Same(sender.Ack(120, 1170), "r120", "they trigger another cut");
    Same(sender.Windows(), "5 2", "2 and the three");
    Same(sender.Ack(140, 1200), "140-144", "new again");
}

LFN_CASE_FROM(AtouGiveUpTestCase, AtouTestCase)
{
    AtouTestSender sender(Options("initsegs 4; maxidle 3; timeout 0.5; tick 0.5"));
    sender.Sent();
    sender.Expire();
    sender.Ack(2, 700);
    NS_TEST_EXPECT_MSG_EQ(sender.core.GetStatistics().timeouts, 1, "and an ACK: none in a row");
    std::vector<int64_t> times;
    while (const auto deadline = sender.core.GetDeadline())
    {
        const auto before = sender.core.GetStatistics().timeouts;
        sender.Expire();
        if (sender.core.GetStatistics().timeouts > before)
        {
            times.push_back(deadline->GetMilliSeconds());
        }
    }
    NS_TEST_EXPECT_MSG_EQ((times == std::vector<int64_t>{1200, 2200, 3200, 4200}),
                          true,
                          "backed off");
    NS_TEST_EXPECT_MSG_EQ((sender.core.GetStatus() == Status::GIVEN_UP), true, "the third");
    sender.core.OnAck({3, {}, Time(), Seconds(4)});
    NS_TEST_EXPECT_MSG_EQ(sender.core.GetState().una, 2, "it is over");
}

/** @brief Runs whose numbers the page and the report give. */
LFN_CASE_FROM(AtouPublishedTestCase, AtouTestCase)
{
    AtouTestPath::Settings settings;
    settings.rtt = MicroSeconds(64923); // 65.2 ms with a datagram's serialisation
    settings.rate = 45e6;
    AtouTestPath sample(settings, Options("rcvrwin 300; mss 1460; maxpkts 12000"));
    const auto seconds = sample.Run();
    const auto& counters = sample.Core().GetStatistics();
    NS_TEST_EXPECT_MSG_EQ_TOL(seconds, 3.609, 0.05 * 3.609, "duration, s");
    NS_TEST_EXPECT_MSG_EQ_TOL(counters.GetMinRtt(), 0.0652, 0.0001, "minrtt, s");
    NS_TEST_EXPECT_MSG_EQ_TOL(counters.GetMaxRtt(), 0.0990, 0.05 * 0.0990, "maxrtt, s");
    NS_TEST_EXPECT_MSG_EQ_TOL(counters.GetMeanRtt(), 0.0777, 0.05 * 0.0777, "avrgrtt, s");
    NS_TEST_EXPECT_MSG_EQ(counters.packetsOut, 11999, "pkts out");
    NS_TEST_EXPECT_MSG_EQ(counters.maxBurst, 2, "maxburst of the last program; the page has 300");
    NS_TEST_EXPECT_MSG_EQ(sample.Core().GetState().una, 12000, "snd_una");
    NS_TEST_EXPECT_MSG_EQ(sample.Core().GetState().ssthresh, 300, "ssthresh");

    settings.rtt = MilliSeconds(80);
    settings.rate = 136e6 * (1472 + 30) / 1472;
    const auto average = [&](const std::string& words, double until) {
        AtouTestPath path(settings, Options("rcvrwin 1000;" + words));
        path.Run();
        return path.SentRate(until);
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(average("", 9.9), 125.7, 0.05 * 125.7, "without loss, Mb/s");
    NS_TEST_EXPECT_MSG_EQ_TOL(average("droplist 10000 22500", 10), 55.1, 0.05 * 55.1, "losses");
    NS_TEST_EXPECT_MSG_EQ_TOL(average("droplist 10000 22500; initsegs 10; increment 10", 10),
                              99.35,
                              0.05 * 99.35,
                              "virtual MSS of 10");
}

/** @brief Every kind of recovery gets everything through a path that loses, and at the counted
 * cost.
 */
LFN_CASE_FROM(AtouLossyTestCase, AtouTestCase)
{
    // A transfer of 3000 segments, of which some hundred are lost.
    const auto checkWay = [&](const std::string& way, int64_t delay, uint32_t seed) {
        AtouTestPath::Settings settings;
        settings.rtt = MilliSeconds(40);
        settings.rate = 20e6;
        settings.server.sack = true;
        settings.server.delay = MilliSeconds(delay);
        AtouTestPath path(settings,
                          Options("rcvrwin 60; maxtime 0; maxidle 30; maxpkts 3001;" + way));
        uint64_t random = seed;
        uint64_t lost = 0;
        path.lose = [&](uint32_t) {
            random = random * 6364136223846793005ULL + 1442695040888963407ULL;
            const bool loses = (random >> 33U) % 40 == 0;
            lost += loses ? 1 : 0;
            return loses;
        };
        path.Run(Seconds(3000));
        const auto& counters = path.Core().GetStatistics();
        NS_TEST_EXPECT_MSG_EQ((path.Core().GetStatus() == Status::DONE), true, way << delay);
        NS_TEST_EXPECT_MSG_EQ(path.receiver.GetNext(), 3001, way << ": all have come");
        NS_TEST_EXPECT_MSG_EQ(counters.packetsOut, path.sendings.size(), way);
        NS_TEST_EXPECT_MSG_EQ(counters.packetsOut - counters.repeated, 3000, way << ": once new");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(counters.repeated, lost, way << ": each loss is recovered");
        NS_TEST_EXPECT_MSG_EQ(counters.badacks, 0, way << ": no ACK is overtaken");
    };
    const std::vector<std::string> ways{"newreno 0",
                                        "newreno 1",
                                        "newreno 1; burst_limit 4",
                                        "sack 1",
                                        "sack 1; rampdown 1",
                                        "fack 1",
                                        "fack 1; rampdown 1; dup_thresh 8",
                                        "floyd 1; vegas 4; sack 1",
                                        "kai 0.01; vegas 1; vss 1"};
    for (uint32_t way = 0; way < ways.size(); ++way)
    {
        for (const int64_t delay : {0, 200})
        {
            checkWay(ways[way], delay, way + 1);
        }
    }
}

/// atou's sender without SACK: what is sent, Reno and NewReno, timers, ends of a transfer.
const Suite g_suite("lfn-atou-core", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new AtouChangeTestCase("options that change while the transfer runs"));
    suite.Add(new AtouSendTestCase("window, burst limit, droplist, limited transmit, maxpkts"));
    suite.Add(new AtouDrainTestCase("maxtime and the drain after it"));
    suite.Add(new AtouBadAckTestCase("ACKs that cannot be"));
    suite.Add(new AtouPageLogTestCase("the page's event log"));
    suite.Add(new AtouPageExcerptTestCase("the page's NewReno excerpt"));
    suite.Add(
        new AtouRecoveryTestCase("Reno's and NewReno's corners: floors, second cuts, the quirk"));
    suite.Add(new AtouExitsTestCase("NewReno's exits with a burst limit"));
    suite.Add(new AtouTimerTestCase("timeouts: at ticks or exact, under duplicate ACKs, back-off"));
    suite.Add(new AtouGoBackTestCase("go-back-N and its duplicates"));
    suite.Add(new AtouGiveUpTestCase("maxidle timeouts in a row"));
    suite.Add(new AtouPublishedTestCase("the page's sample run; start-up; virtual MSS"));
    suite.Add(new AtouLossyTestCase(
        "random losses: all comes, every kind of recovery, with and without delayed ACKs"));
});

} // namespace
