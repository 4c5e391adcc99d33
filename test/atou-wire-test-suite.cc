// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"

#include "ns3/atou-header.h"
#include "ns3/atou-text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// A packet of these bytes.
Ptr<Packet>
MakePacket(const std::vector<uint8_t>& bytes)
{
    return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

/// A text with each run of white space made one blank, as the page shows its samples.
std::string
Collapse(const std::string& text)
{
    std::istringstream words(text);
    std::string collapsed;
    for (std::string word; words >> word;)
    {
        collapsed += (collapsed.empty() ? "" : " ") + word;
    }
    return collapsed;
}

LFN_CASE(AtouBytesTestCase)
{
    // 1.1 is 3FF19999 9999999A: the low half first, each half big-endian.
    const auto time = AtouTimeWords::Encode(1.1);
    NS_TEST_EXPECT_MSG_EQ(time, 0x9999999A3FF19999, "a double's halves");
    NS_TEST_EXPECT_MSG_EQ(AtouTimeWords::Decode(time), 1.1, "and back");
    // What the original does on a little-endian machine, by hand: htonl on each half in place.
    const double seconds = 987654321.123456;
    uint64_t bits = 0;
    std::memcpy(&bits, &seconds, 8);
    std::vector<uint8_t> wire;
    for (const int shift : {24, 16, 8, 0, 56, 48, 40, 32})
    {
        wire.push_back(static_cast<uint8_t>(bits >> shift));
    }
    const auto stamped = Create<Packet>();
    stamped->AddHeader(AtouDataHeader(AtouTimeWords::Encode(seconds), 1));
    const auto begin = ToBytes(stamped);
    NS_TEST_EXPECT_MSG_EQ((std::vector<uint8_t>(begin.begin(), begin.begin() + 8) == wire),
                          true,
                          "as a little-endian sender");

    const auto data = Create<Packet>();
    data->AddHeader(AtouDataHeader(0x0102030405060708, 0xFFFFFFFE));
    const std::vector<uint8_t> twelve{1, 2, 3, 4, 5, 6, 7, 8, 0xFF, 0xFF, 0xFF, 0xFE};
    NS_TEST_EXPECT_MSG_EQ((ToBytes(data) == twelve), true, "12 bytes of data header");
    AtouDataHeader dataRead;
    NS_TEST_EXPECT_MSG_EQ(data->RemoveHeader(dataRead), 12, "they parse");
    NS_TEST_EXPECT_MSG_EQ(dataRead.time, 0x0102030405060708, "time untouched");
    NS_TEST_EXPECT_MSG_EQ(dataRead.segment, 0xFFFFFFFE, "segment");

    const auto ack = Create<Packet>();
    const std::vector<AtouBlock> blocks{{9, 9}, {7, 0x01000007}, {3, 4}, {1, 1}};
    ack->AddHeader(AtouAckHeader(0x0102030405060708, 0x0A0B0C0D, blocks));
    const std::vector<uint8_t> forty{1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 0, 0,
                                     0, 3, 0, 0, 0, 9, 0, 0, 0,  9,  0,  0,  0, 7,
                                     1, 0, 0, 7, 0, 0, 0, 3, 0,  0,  0,  4};
    NS_TEST_EXPECT_MSG_EQ((ToBytes(ack) == forty), true, "three blocks, the fourth left out");
    AtouAckHeader ackRead;
    NS_TEST_EXPECT_MSG_EQ(ack->RemoveHeader(ackRead), 40, "they parse");
    NS_TEST_EXPECT_MSG_EQ(ackRead.time, 0x0102030405060708, "time untouched");
    NS_TEST_EXPECT_MSG_EQ(ackRead.next, 0x0A0B0C0D, "next");
    NS_TEST_EXPECT_MSG_EQ(
        (ackRead.blocks == std::vector<AtouBlock>(blocks.begin(), blocks.begin() + 3)),
        true,
        "blocks");

    // The earliest version: always room for three blocks.
    std::vector<uint8_t> padded(40, 0xAA);
    std::fill_n(padded.begin(), AtouAckHeader::SIZE, uint8_t{0});
    padded[11] = 5;
    NS_TEST_EXPECT_MSG_EQ(MakePacket(padded)->RemoveHeader(ackRead), 16, "no block counts");
    NS_TEST_EXPECT_MSG_EQ(ackRead.next, 5, "next");
    NS_TEST_EXPECT_MSG_EQ(ackRead.blocks.empty(), true, "earlier blocks are gone");

    for (const double any : {0.0, -0.0, -1e300, 5e-324, std::numeric_limits<double>::infinity()})
    {
        const auto words = AtouTimeWords::Encode(any);
        NS_TEST_EXPECT_MSG_EQ(AtouTimeWords::Decode(words), any, "any double");
        NS_TEST_EXPECT_MSG_EQ(AtouTimeWords::Encode(AtouTimeWords::Decode(words)), words, "back");
    }
    NS_TEST_EXPECT_MSG_EQ(std::isnan(AtouTimeWords::Decode(0xFFFFFFFFFFFFFFFF)), true, "any bytes");
}

/// A number of four bytes.
uint64_t
Word(const std::vector<uint8_t>& bytes, std::size_t at)
{
    uint64_t word = 0;
    for (std::size_t i = at; i < at + 4; ++i)
    {
        word = 256 * word + bytes[i];
    }
    return word;
}

/// The size of an acknowledgement by its rules; 0 when it is none.
std::size_t
MeasureAck(const std::vector<uint8_t>& bytes)
{
    if (bytes.size() < 16 || Word(bytes, 8) == 0 || Word(bytes, 12) > 3)
    {
        return 0;
    }
    const std::size_t size = 16 + 8 * Word(bytes, 12);
    for (std::size_t at = 16; at < size; at += 8)
    {
        if (bytes.size() < size || Word(bytes, at) == 0 || Word(bytes, at + 4) < Word(bytes, at))
        {
            return 0;
        }
    }
    return size;
}

LFN_CASE(AtouTotalTestCase)
{
    std::mt19937 random(4);
    uint32_t acks = 0;
    for (int i = 0; i < 40000; ++i)
    {
        std::vector<uint8_t> bytes(random() % 48);
        const bool isCalm = random() % 4 != 0; // small numbers, which often parse
        for (std::size_t at = 0; at < bytes.size(); ++at)
        {
            const bool isLow = !isCalm || at < 8 || at % 4 == 3;
            bytes[at] = isLow ? static_cast<uint8_t>(random() % (isCalm ? 5 : 256)) : 0;
        }
        AtouDataHeader data;
        const auto dataPacket = MakePacket(bytes);
        const bool isData = bytes.size() >= 12 && Word(bytes, 8) != 0;
        NS_TEST_ASSERT_MSG_EQ(dataPacket->RemoveHeader(data), (isData ? 12 : 0), "try " << i);
        AtouAckHeader ack;
        const auto ackPacket = MakePacket(bytes);
        const auto size = MeasureAck(bytes);
        NS_TEST_ASSERT_MSG_EQ(ackPacket->RemoveHeader(ack), size, "try " << i);
        if (isData)
        {
            dataPacket->AddHeader(data);
            NS_TEST_ASSERT_MSG_EQ((ToBytes(dataPacket) == bytes), true, "try " << i);
        }
        if (size > 0)
        {
            acks += ack.blocks.empty() ? 0 : 1;
            ackPacket->AddHeader(ack);
            NS_TEST_ASSERT_MSG_EQ((ToBytes(ackPacket) == bytes), true, "try " << i);
        }
    }
    NS_TEST_EXPECT_MSG_GT(acks, 1000, "many parse");
}

LFN_CASE(AtouLinesTestCase)
{
    NS_TEST_EXPECT_MSG_EQ(AtouText::MakeXmt(MicroSeconds(408133), 258), "0.408133 258 xmt", "xmt");
    const AtouState state{.cwnd = 26.99, .ssthresh = 26};
    const auto ack = AtouText::MakeAck(MicroSeconds(408196), 234, MicroSeconds(38062), state, {});
    NS_TEST_EXPECT_MSG_EQ(ack, "0.408196 234 0.038062  26 26 ack", "two blanks");
    NS_TEST_EXPECT_MSG_EQ(Collapse(ack), "0.408196 234 0.038062 26 26 ack", "the page's");
    const std::vector<AtouBlock> blocks{{7, 9}, {3, 3}};
    NS_TEST_EXPECT_MSG_EQ(AtouText::MakeAck(Seconds(1), 1, Seconds(0), state, blocks),
                          "1.000000 1 0.000000  26 26 ack blkcnt:2 7-9 3-3",
                          "blocks");

    using Kind = AtouEvent::Kind;

    struct Row
    {
        AtouEvent event;  //!< with a state of una, nxt, max, cwnd, ssthresh, recover
        bool hasVegas;    //!< the line ends with Vegas's numbers
        std::string line; //!< as the page has it
    };

    const std::vector<Row> rows{
        {{Kind::DUP_RXMT, MilliSeconds(2224), 2210, {1, 2335, 2335, 123.7, 179, 1979}},
         false,
         "3duprxmit 2.22 pkt 2210 nxt 2335 max 2335 cwnd 123 thresh 179 recover 1979"},
        {{Kind::DUP_RXMT, MilliSeconds(2224), 2210, {1, 2335, 2335, 123.7, 179, 1979}, 1.5},
         true,
         "3duprxmit 2.22 pkt 2210 nxt 2335 max 2335 cwnd 123 thresh 179 recover 1979 "
         "vdelta 1.500000"},
        {{Kind::PAC_RXMT, Seconds(3), 2225, {2210, 2345, 2345, 135, 73, 2335}},
         false,
         "packrxmit pkt 2225 nxt 2345 max 2345 cwnd 135 thresh 73 recover 2335 una 2210"},
        {{Kind::TIMER_RXMT, Seconds(1), 417, {1, 616, 617, 100, 100, 0}},
         false,
         "timerxmit 1.00 pkt 417 snd_nxt 616 snd_max 617 snd_cwnd 100 thresh 100"},
        {{Kind::BAD_ACK, Seconds(1), 6636, {6661, 6808, 6808, 100, 100, 0}},
         false,
         "badack 6636 snd_max 6808 snd_nxt 6808 snd_una 6661"},
        {{Kind::CA_EXIT, MilliSeconds(2830), 2361, {1, 1, 1, 1, 1, 1}}, false, "CAexit 2.83 2361"},
        {{Kind::VSS, Seconds(2), 3, {1, 4, 5, 6, 7, 8}, 9.5, 0, 0.077},
         true,
         "vss 2.00 pkt 3 nxt 4 max 5 cwnd 6 thresh 7 recover 8 vdelta 9.500000 vrtt 0.077000"},
        {{Kind::FLOYD, Seconds(2), 3, {1, 4, 5, 123.4, 7, 8}, 0, 3, 0.59375, 221},
         false,
         "floyd cwnd 123 current 221 incr 3 mult 0.593750"},
        {{Kind::BWERTT, Seconds(2), 3, {1, 4, 5, 6, 7, 8}, 0.5, 45.5, 0.077, 300},
         false,
         "bwertt 2.000000 45.500000 0.077000 300 0.500000"},
        {{Kind::BAD_ACK, Seconds(1), 0xFFFFFFFF, {1, 1, 1, 1e300}},
         false,
         "badack 4294967295 snd_max 1 snd_nxt 1 snd_una 1"},
    };
    for (const auto& [event, hasVegas, line] : rows)
    {
        NS_TEST_EXPECT_MSG_EQ(AtouText::MakeEvent(event, hasVegas), line, "an event's line");
    }
}

LFN_CASE(AtouRttTestCase)
{
    AtouStatistics statistics;
    NS_TEST_EXPECT_MSG_EQ(statistics.GetMeanRtt(), 0, "none yet");
    NS_TEST_EXPECT_MSG_EQ(statistics.GetRttVar(), 3, "begins at 3 s");
    statistics.OnRtt(MilliSeconds(80));
    // srtt 0.01, error 0.07 against the new one; 0.75 * 3 + 0.25 * (0.07 - 3)
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.GetSrtt(), 0.01, 1e-12, "srtt");
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.GetRttVar(), 1.5175, 1e-12, "rttvar");
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.GetRto(), 6.08, 1e-12, "rto");
    statistics.OnRtt(MilliSeconds(40));
    // srtt 0.01 + 0.03 / 8, error 0.02625; 0.5 * 1.5175 + 0.25 * 0.02625
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.GetSrtt(), 0.01375, 1e-12, "srtt");
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.GetRttVar(), 0.7653125, 1e-12, "rttvar");
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.GetMinRtt(), 0.04, 1e-12, "least");
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.GetMaxRtt(), 0.08, 1e-12, "most");
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.GetMeanRtt(), 0.06, 1e-12, "mean");
}

LFN_CASE(AtouSummaryTestCase)
{
    // The options, counters and final state of the page's sample.
    const auto options = CreateObject<AtouOptions>();
    options->mss = 1460;
    options->rcvrWin = 300;
    options->maxPkts = 12000;
    options->debug = 4;
    AtouStatistics statistics;
    statistics.packetsIn = 11542;
    statistics.packetsOut = 11999;
    statistics.maxAck = 24;
    statistics.maxBurst = 300;
    AtouState state;
    state.una = 12000;
    state.nxt = 12000;
    state.max = 12000;
    state.cwnd = 300;
    state.ssthresh = 300;
    AtouText::ClientRun run;
    run.program = "portcli $Revision: 1.29 $";
    run.date = "Tue May 22 05:18:54 2001";
    run.client = "swift";
    run.server = "stingray.ccs.ornl.gov";
    run.elapsed = NanoSeconds(3609110951);
    // Round-trip times with the sample's extremes and mean, which end so that the estimates
    // are the sample's: values m + d and m - d in turn leave srtt at m + d / 15 and rttvar at
    // 7 d / 15, after m + d.
    constexpr int SAMPLES = 11542;
    constexpr int TAIL = 400;
    const double d = 0.00012222 * 15 / 7;
    const double m = 0.0667048 - d / 15;
    const double rest =
        (0.0777472486 * SAMPLES - 0.065249 - 0.098987 - m * TAIL) / (SAMPLES - TAIL - 2);
    statistics.OnRtt(Seconds(0.065249));
    statistics.OnRtt(Seconds(0.098987));
    for (int i = 2; i < SAMPLES; ++i)
    {
        const bool isTail = i >= SAMPLES - TAIL;
        statistics.OnRtt(Seconds(isTail ? m + (i % 2 == 1 ? d : -d) : rest));
    }
    const std::string sample =
        "config: portcli $Revision: 1.29 $ port 7890 debug 4 Tue May 22 05:18:54 2001\n"
        "config: initsegs 2 mss 1460 tick 1.000000 timeout 0.500000\n"
        "config: rcvrwin 300 increment 1 multiplier 0.500000 thresh_init 1.000000\n"
        "config: newreno 1 sack 0 delack 0 maxpkts 12000 burst_limit 0 dup_thresh 3\n"
        "config: sndbuf 32768 rcvbuf 32768\n"
        "swift => stingray.ccs.ornl.gov 38.835049 Mbs win 300 rxmts 0\n"
        "3.609111 secs 17520000 good bytes goodput 4854.381103 KBs 38.835049 Mbs\n"
        "pkts in 11542 out 11999 enobufs 0\n"
        "total bytes out 17518540 loss 0.000 % 38.831813 Mbs\n"
        "rxmts 0 dup3s 0 packs 0 timeouts 0 dups 0 badacks 0 maxack 24 maxburst 300\n"
        "minrtt 0.065249 maxrtt 0.098987 avrgrtt 0.077747\n"
        "rto 0.067194 srtt 0.066705 rttvar 0.000122\n"
        "win/rtt = 45.069119 Mbs bwdelay = 377 KB 258 segs\n"
        "snd_nxt 12000 snd_cwnd 300 snd_una 12000 ssthresh 300 snd_max 12000\n";
    const auto text = AtouText::MakeClientSummary(*options, statistics, state, run);
    NS_TEST_EXPECT_MSG_EQ(text, sample + "goodacks 0 cumacks 0 ooacks 0\n", "the sample");

    options->fack = true;
    options->vegas = AtouOptions::VegasRtt::MAX;
    options->vss = AtouOptions::VegasExit::LIMITED;
    options->dropList = {200, 200};
    options->maxTime = Seconds(2.5);
    options->floyd = true;
    options->maxSsthresh = 100;
    run.elapsed = Time();
    const auto later = AtouText::MakeClientSummary(*options, AtouStatistics(), AtouState(), run);
    for (const std::string line :
         {"config: maxidle 10 maxtime 2.5",
          "config: ssincr 1 max_ssthresh 100 floyd 1 kai 0.000000",
          "config: newreno 1 sack 0 rampdown 0 fack 1 delack 0 maxpkts 12000 burst_limit 0 "
          "dup_thresh 3",
          "config: vegas 4 valpha 1.000000 vbeta 3.000000 vgamma 1.000000 vss 1",
          "config: droplist 200 200",
          "0.000000 secs 0 good bytes goodput 0.000000 KBs 0.000000 Mbs",
          "bwertt 0.000000 bwertt_max 0.000000 max_delta 0.000000 vsscnt 0 vdecr 0 v0 0 "
          "vrtt 0.000000 vdelta 0.000000"})
    {
        NS_TEST_EXPECT_MSG_NE(later.find(line + "\n"), std::string::npos, line);
    }
    NS_TEST_EXPECT_MSG_EQ(later.find("nan"), std::string::npos, "a run without a segment");
}

LFN_CASE(AtouServerSummaryTestCase)
{
    AtouReceiverCore::Counters counters;
    counters.packets = 1001;
    counters.acks = 500;
    counters.duplicates = 3;
    counters.skipped = 2;
    counters.sacks = 7;
    counters.ackTimeouts = 1;
    counters.maxSegment = 1000;
    counters.maxGap = 7;
    const AtouText::ServerRun times{Seconds(1), Seconds(3), 1500};
    NS_TEST_EXPECT_MSG_EQ(
        AtouText::MakeServerSummary(counters, {{5, 6}, {9, 9}}, times),
        "pkts 1001 acks 500 bytes 1501500 750.000000 KBs 6.000000 Mbs 2.000000 secs\n"
        "dups 3 drop|oo 2 sacks 7 seglen 1500 maxseg 1000 maxooo 7 acktimeouts 1\n"
        "missing 5\nmissing 6\nmissing 9\n",
        "the server's");
    const auto forged = AtouText::MakeServerSummary({}, {{1, 999}, {1001, 2000000000}}, {});
    NS_TEST_EXPECT_MSG_NE(forged.find("missing 999\nmissing 1001\nmissing 1999998999 more\n"),
                          std::string::npos,
                          "no line for each of thousands of millions");
    NS_TEST_EXPECT_MSG_EQ(forged.find("nan"), std::string::npos, "no datagram, no rate");
}

/**
 * @brief atou's headers byte for byte, total on any bytes; the lines that its programs write,
 * against the samples of the atou page.
 */
const Suite g_suite("lfn-atou-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new AtouBytesTestCase("headers and times as literal bytes"));
    suite.Add(new AtouTotalTestCase("any bytes parse or are refused"));
    suite.Add(new AtouLinesTestCase("trace and events as the page prints them"));
    suite.Add(new AtouRttTestCase("round-trip times, by hand"));
    suite.Add(new AtouSummaryTestCase("the page's summary, word for word"));
    suite.Add(new AtouServerSummaryTestCase("the server's summary"));
});

} // namespace
