// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/atou-config.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/lfn-wording.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Rtt = AtouOptions::VegasRtt;
using Exit = AtouOptions::VegasExit;

/// Says that two objects have the same options, names of those that differ in the answer.
std::string
Differ(const AtouOptions& a, const AtouOptions& b)
{
    std::string names;
    const auto check = [&names](const std::string& name, bool isEqual) {
        names += isEqual ? "" : name + " ";
    };
    check("mss", a.mss == b.mss);
    check("rcvrwin", a.rcvrWin == b.rcvrWin);
    check("initsegs", a.initSegs == b.initSegs);
    check("ssincr", a.ssIncr == b.ssIncr);
    check("increment", a.increment == b.increment);
    check("multiplier", a.multiplier == b.multiplier);
    check("thresh_init", a.threshInit == b.threshInit);
    check("max_ssthresh", a.maxSsthresh == b.maxSsthresh);
    check("floyd", a.floyd == b.floyd);
    check("kai", a.kai == b.kai);
    check("newreno", a.newReno == b.newReno);
    check("sack", a.sack == b.sack);
    check("fack", a.fack == b.fack);
    check("rampdown", a.rampDown == b.rampDown);
    check("delack", a.delAck == b.delAck);
    check("dup_thresh", a.dupThresh == b.dupThresh);
    check("burst_limit", a.burstLimit == b.burstLimit);
    check("timeout", a.timeout == b.timeout);
    check("tick", a.tick == b.tick);
    check("maxidle", a.maxIdle == b.maxIdle);
    check("maxpkts", a.maxPkts == b.maxPkts);
    check("maxtime", a.maxTime == b.maxTime);
    check("vegas", a.vegas == b.vegas);
    check("valpha", a.vAlpha == b.vAlpha);
    check("vbeta", a.vBeta == b.vBeta);
    check("vgamma", a.vGamma == b.vGamma);
    check("vss", a.vss == b.vss);
    check("port", a.port == b.port);
    check("sndbuf", a.sndBuf == b.sndBuf);
    check("rcvbuf", a.rcvBuf == b.rcvBuf);
    check("droplist", a.dropList == b.dropList);
    check("debug", a.debug == b.debug);
    check("exactTimers", a.exactTimers == b.exactTimers);
    check("stickyDupacks", a.stickyDupacks == b.stickyDupacks);
    return names;
}

LFN_CASE(AtouKeywordsTestCase)
{
    const AtouOptions plain; // without Attributes: what the header says
    NS_TEST_EXPECT_MSG_EQ(Differ(plain, *CreateObject<AtouOptions>()), "", "same defaults");

    struct Line
    {
        std::string keyword;                     //!< the keyword
        std::string value;                       //!< a value
        std::function<void(AtouOptions&)> apply; //!< what it means
    };

    const std::vector<uint32_t> drops{200, 200, 7};
    const std::vector<Line> lines{
        {"mss", "1460", [](auto& o) { o.mss = 1460; }},
        {"rcvrwin", "2000", [](auto& o) { o.rcvrWin = 2000; }},
        {"initsegs", "10", [](auto& o) { o.initSegs = 10; }},
        {"ssincr", "2.5", [](auto& o) { o.ssIncr = 2.5; }},
        {"increment", "10", [](auto& o) { o.increment = 10; }},
        {"multiplier", "0.875", [](auto& o) { o.multiplier = 0.875; }},
        {"thresh_init", "0", [](auto& o) { o.threshInit = 0; }},
        {"max_ssthresh", "100", [](auto& o) { o.maxSsthresh = 100; }},
        {"floyd", "1", [](auto& o) { o.floyd = true; }},
        {"kai", "0.01", [](auto& o) { o.kai = 0.01; }},
        {"newreno", "0", [](auto& o) { o.newReno = false; }},
        {"sack", "1", [](auto& o) { o.sack = true; }},
        {"fack", "1.0", [](auto& o) { o.fack = true; }},
        {"rampdown", "1", [](auto& o) { o.rampDown = true; }},
        {"delack", "1", [](auto& o) { o.delAck = true; }},
        {"dup_thresh", "19", [](auto& o) { o.dupThresh = 19; }},
        {"burst_limit", "8", [](auto& o) { o.burstLimit = 8; }},
        {"timeout", "1", [](auto& o) { o.timeout = Seconds(1); }},
        {"tick", ".25", [](auto& o) { o.tick = MilliSeconds(250); }},
        {"maxidle", "3", [](auto& o) { o.maxIdle = 3; }},
        {"maxpkts", "2e4", [](auto& o) { o.maxPkts = 20000; }},
        {"maxtime", "0", [](auto& o) { o.maxTime = Seconds(0); }},
        {"vegas", "4", [](auto& o) { o.vegas = Rtt::MAX; }},
        {"valpha", "30", [](auto& o) { o.vAlpha = 30; }},
        {"vbeta", "40", [](auto& o) { o.vBeta = 40; }},
        {"vgamma", "200.5", [](auto& o) { o.vGamma = 200.5; }},
        {"vss", "2", [](auto& o) { o.vss = Exit::DELTA; }},
        {"port", "65535", [](auto& o) { o.port = 65535; }},
        {"sndbuf", "1048576", [](auto& o) { o.sndBuf = 1048576; }},
        {"rcvbuf", "2097152", [](auto& o) { o.rcvBuf = 2097152; }},
        {"droplist", " 200 200\t7 ", [&drops](auto& o) { o.dropList = drops; }},
        {"debug", "6", [](auto& o) { o.debug = 6; }},
    };
    const auto keywords = AtouOptions::GetKeywords();
    NS_TEST_ASSERT_MSG_EQ(keywords.size(), lines.size(), "all of them");
    for (std::size_t i = 0; i < lines.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(keywords[i], lines[i].keyword, "in their order");
        const auto options = CreateObject<AtouOptions>();
        const auto wrong = options->SetByKeyword(lines[i].keyword, lines[i].value);
        NS_TEST_EXPECT_MSG_EQ(wrong.value_or(""), "", "it is taken");
        AtouOptions expected;
        lines[i].apply(expected);
        NS_TEST_EXPECT_MSG_EQ(Differ(*options, expected), "", lines[i].keyword);
        NS_TEST_EXPECT_MSG_NE(Differ(*options, plain), "", lines[i].keyword << " is set");
    }
}

LFN_CASE(AtouNumbersTestCase)
{
    const std::vector<Rtt> rtts{Rtt::OFF, Rtt::LAST, Rtt::MIN, Rtt::AVERAGE, Rtt::MAX};
    for (std::size_t i = 0; i < rtts.size(); ++i)
    {
        AtouOptions options;
        options.SetByKeyword("vegas", std::to_string(i));
        NS_TEST_EXPECT_MSG_EQ((options.vegas == rtts[i]), true, "vegas " << i);
    }
    const std::vector<Exit> exits{Exit::EIGHTH, Exit::LIMITED, Exit::DELTA};
    for (std::size_t i = 0; i < exits.size(); ++i)
    {
        AtouOptions options;
        options.SetByKeyword("vss", std::to_string(i));
        NS_TEST_EXPECT_MSG_EQ((options.vss == exits[i]), true, "vss " << i);
    }
}

LFN_CASE(AtouAttributesTestCase)
{
    ObjectFactory factory("ns3::lfn::AtouOptions");
    factory.Set("Vegas", StringValue("average"));
    factory.Set("Vss", EnumValue(Exit::LIMITED));
    factory.Set("DropList", StringValue("1400 2147483648"));
    factory.Set("ExactTimers", BooleanValue(true));
    factory.Set("StickyDupacks", BooleanValue(true));
    factory.Set("Timeout", StringValue("1s"));
    const auto made = factory.Create<AtouOptions>();
    AtouOptions expected;
    expected.vegas = Rtt::AVERAGE;
    expected.vss = Exit::LIMITED;
    expected.dropList = {1400, 2147483648};
    expected.exactTimers = true;
    expected.stickyDupacks = true;
    expected.timeout = Seconds(1);
    NS_TEST_EXPECT_MSG_EQ(Differ(*made, expected), "", "as given");
    StringValue drops;
    made->GetAttribute("DropList", drops);
    NS_TEST_EXPECT_MSG_EQ(drops.Get(), "1400 2147483648", "and read back");

    const std::vector<std::pair<std::string, std::string>> refused{
        {"Mss", "12"},
        {"Mss", "65508"},
        {"RcvWin", "0"},
        {"InitSegs", "0"},
        {"Multiplier", "1.01"},
        {"Kai", "-1"},
        {"DupThresh", "0"},
        {"Timeout", "0s"},
        {"Tick", "-1s"},
        {"MaxIdle", "0"},
        {"MaxPkts", "2147483649"},
        {"MaxTime", "-1s"},
        {"Port", "0"},
        {"RcvBuf", "39"},
        {"DropList", "0"},
        {"DropList", "1 2 3 4 5 6 7 8 9 10 11"},
        {"DropList", "a"},
    };
    for (const auto& [name, value] : refused)
    {
        const bool isTaken = made->SetAttributeFailSafe(name, StringValue(value));
        NS_TEST_EXPECT_MSG_EQ(isTaken, false, name << " " << value);
    }
    const DoubleValue none(std::numeric_limits<double>::quiet_NaN());
    NS_TEST_EXPECT_MSG_EQ(made->SetAttributeFailSafe("Multiplier", none), false, "no number");
    NS_TEST_EXPECT_MSG_EQ(Differ(*made, expected), "", "and nothing changed");
}

LFN_CASE(AtouSettleTestCase)
{
    AtouOptions options;
    options.rampDown = true;
    options.Settle();
    NS_TEST_EXPECT_MSG_EQ(options.rampDown, false, "rampdown needs sack");
    options.rampDown = true;
    options.fack = true;
    options.Settle();
    NS_TEST_EXPECT_MSG_EQ(options.sack, true, "fack brings sack");
    NS_TEST_EXPECT_MSG_EQ(options.rampDown, true, "and rampdown may stay");

    NS_TEST_EXPECT_MSG_EQ(options.GetFirstSsthresh(), 20, "the window");
    options.rcvrWin = 25;
    options.threshInit = 0.5;
    NS_TEST_EXPECT_MSG_EQ(options.GetFirstSsthresh(), 12, "half of it, truncated");
    options.threshInit = 0;
    NS_TEST_EXPECT_MSG_EQ(options.GetFirstSsthresh(), AtouOptions::INFINITE, "0 is infinite");
    options.threshInit = 1000;
    options.rcvrWin = 10000000;
    NS_TEST_EXPECT_MSG_EQ(options.GetFirstSsthresh(), AtouOptions::INFINITE, "no overflow");
}

/** @brief A case that reads configuration files. */
class AtouConfigCase : public Case
{
  protected:
    using Case::Case;

    /// Reads a file of these bytes; its name is taken off the answer.
    std::string Read(const std::string& bytes, AtouOptions& options)
    {
        const auto path = CreateTempDirFilename("atou.conf");
        std::ofstream(path, std::ios::binary) << bytes;
        auto answer = AtouConfig::ReadFile(path, options).value_or("");
        if (answer.starts_with(path))
        {
            answer.erase(0, path.size());
        }
        return answer;
    }
};

LFN_CASE_FROM(AtouGoodConfigTestCase, AtouConfigCase)
{
    // The original's samples and those of its report.
    AtouOptions options;
    NS_TEST_EXPECT_MSG_EQ(Read("newreno 0\nfack 1\nsack 1\nrampdown 1\nrcvrwin 26\n", options),
                          "",
                          "fack");
    AtouOptions expected;
    expected.newReno = false;
    expected.fack = true;
    expected.sack = true;
    expected.rampDown = true;
    expected.rcvrWin = 26;
    NS_TEST_EXPECT_MSG_EQ(Differ(options, expected), "", "fack");
    const std::string vegas = "fack 1\nsack 1\nrampdown 1\nvegas 4\nvalpha 30\nvbeta 40\n"
                              "vgamma 200\nvss 1\nrcvrwin 2000";
    NS_TEST_EXPECT_MSG_EQ(Read(vegas, options), "", "vegas, no end of the last line");
    expected.vegas = Rtt::MAX;
    expected.vAlpha = 30;
    expected.vBeta = 40;
    expected.vGamma = 200;
    expected.vss = Exit::LIMITED;
    expected.rcvrWin = 2000;
    NS_TEST_EXPECT_MSG_EQ(Differ(options, expected), "", "over what was");
    AtouOptions other;
    NS_TEST_EXPECT_MSG_EQ(
        Read("# from the report \xC3\xA9\r\n\r\n  newreno\t1 \r\nrcvrwin 1000#x\r\n"
             "maxtime 10\ninitsegs 10\nincrement 10\ndroplist 1400\n#",
             other),
        "",
        "comments, blanks, other ends of lines");
    AtouOptions report;
    report.rcvrWin = 1000;
    report.initSegs = 10;
    report.increment = 10;
    report.dropList = {1400};
    NS_TEST_EXPECT_MSG_EQ(Differ(other, report), "", "the report's");
    NS_TEST_EXPECT_MSG_EQ(Read("", other), "", "an empty file");
    const auto read = [](const std::string& text, AtouOptions& into) {
        return AtouConfig::ReadText(text, into).value_or("");
    };
    NS_TEST_EXPECT_MSG_EQ(read("rcvrwin 26; droplist 200 200;;", other), "", "a text");
    report.rcvrWin = 26;
    report.dropList = {200, 200};
    NS_TEST_EXPECT_MSG_EQ(Differ(other, report), "", "over the file");
    NS_TEST_EXPECT_MSG_EQ(read("", other) + read(" ; ", other), "", "nothing to say");
    NS_TEST_EXPECT_MSG_EQ(Differ(other, report), "", "nothing changed");
    NS_TEST_EXPECT_MSG_EQ(read("sack 1; rcvwin 3", other),
                          "rcvwin: there is no such keyword, did you mean rcvrwin?",
                          "a bad text");
}

LFN_CASE_FROM(AtouBadConfigTestCase, AtouConfigCase)
{
    const std::string window = "give a whole number from 1 to 10000000";
    const std::string drops = "give up to 10 segment numbers from 1 to 2147483648";
    const std::vector<std::pair<std::string, std::string>> bad{
        {"rcvwin 300", ":1: rcvwin: there is no such keyword, did you mean rcvrwin?"},
        {"sack 1\n\nDupThresh 3",
         ":3: DupThresh: there is no such keyword, did you mean dup_thresh?"},
        {"Sack 1", ":1: Sack: there is no such keyword, did you mean sack?"},
        {"rcvrwin", ":1: rcvrwin: no value, " + window},
        {"rcvrwin 0", ":1: rcvrwin: 0 does not do, " + window},
        {"rcvrwin -5", ":1: rcvrwin: -5 does not do, " + window},
        {"rcvrwin 2.5", ":1: rcvrwin: 2.5 does not do, " + window},
        {"rcvrwin 1e30", ":1: rcvrwin: 1e30 does not do, " + window},
        {"rcvrwin 300 400", ":1: rcvrwin: more than one value, " + window},
        {"rcvrwin many", ":1: rcvrwin: many is no number, " + window},
        {"rcvrwin 300x", ":1: rcvrwin: 300x is no number, " + window},
        {"rcvrwin 0x10", ":1: rcvrwin: 0x10 is no number, " + window},
        {"rcvrwin=300", ":1: rcvrwin: a sign before the value, write 'rcvrwin 300'"},
        {"rcvrwin : 300", ":1: rcvrwin: a sign before the value, write 'rcvrwin 300'"},
        {"rcvrwin 30\n#\nrcvrwin 40", ":3: rcvrwin: given twice (first at 1), give it once"},
        {"mss 12", ":1: mss: 12 does not do, give a whole number from 13 to 65507"},
        {"mss 65508", ":1: mss: 65508 does not do, give a whole number from 13 to 65507"},
        {"multiplier 1.5", ":1: multiplier: 1.5 does not do, give a number from 0 to 1"},
        {"multiplier nan", ":1: multiplier: nan is no number, give a number from 0 to 1"},
        {"kai inf", ":1: kai: inf is no number, give a number from 0 to 10000000"},
        {"kai 1e999", ":1: kai: 1e999 is no number, give a number from 0 to 10000000"},
        {"newreno yes", ":1: newreno: yes is no number, give 0 or 1"},
        {"sack 2", ":1: sack: 2 does not do, give 0 or 1"},
        {"timeout 0", ":1: timeout: 0 does not do, give a number of seconds from 1e-06 to 3600"},
        {"timeout 500ms",
         ":1: timeout: 500ms is no number, give a number of seconds from 1e-06 to 3600"},
        {"maxtime 1e300",
         ":1: maxtime: 1e300 does not do, give a number of seconds from 0 to 1000000"},
        {"maxtime -1", ":1: maxtime: -1 does not do, give a number of seconds from 0 to 1000000"},
        {"maxpkts 2147483649",
         ":1: maxpkts: 2147483649 does not do, give a whole number from 0 to 2147483648"},
        {"vegas 5",
         ":1: vegas: 5 does not do, give a whole number from 0 to 4 "
         "(off|last|min|average|max)"},
        {"vegas max",
         ":1: vegas: max is no number, give a whole number from 0 to 4 "
         "(off|last|min|average|max)"},
        {"vss 0.5",
         ":1: vss: 0.5 does not do, give a whole number from 0 to 2 (eighth|limited|delta)"},
        {"port 65536", ":1: port: 65536 does not do, give a whole number from 1 to 65535"},
        {"droplist", ":1: droplist: no value, " + drops},
        {"droplist 1 2 3 4 5 6 7 8 9 10 11", ":1: droplist: too many values, " + drops},
        {"droplist 1,2", ":1: droplist: 1,2 is no segment number, " + drops},
        {"droplist 0", ":1: droplist: 0 is no segment number, " + drops},
        {"droplist 4000000000", ":1: droplist: 4000000000 is no segment number, " + drops},
        {"sack \x01", ":1: sack \\x01: not plain text, write a keyword and its value in ASCII"},
        {std::string("\0\0", 2),
         ":1: \\x00\\x00: not plain text, write a keyword and its value in ASCII"},
        {"\xEF\xBB\xBFsack 1",
         ":1: \\xef\\xbb\\xbfsack 1: not plain text, write a keyword and its value in ASCII"},
    };
    for (const auto& [bytes, answer] : bad)
    {
        AtouOptions options;
        NS_TEST_EXPECT_MSG_EQ(Read(bytes, options), answer, bytes);
    }
    AtouOptions options;
    const auto unknown = Read("bandwidth 5", options);
    NS_TEST_EXPECT_MSG_EQ(unknown.starts_with(":1: bandwidth: there is no such keyword, give "
                                              "one of mss, rcvrwin, initsegs, "),
                          true,
                          unknown);
    NS_TEST_EXPECT_MSG_EQ(Read(std::string(70000, '#'), options),
                          ": larger than 65536 bytes, give a file of lines 'keyword value'",
                          "a large file");
    NS_TEST_EXPECT_MSG_EQ(*AtouConfig::ReadFile("no/such\nname", options),
                          "no/such\\x0aname: there is no such file, give a file of lines "
                          "'keyword value'",
                          "no file");
    NS_TEST_EXPECT_MSG_EQ(*AtouConfig::ReadFile(".", options),
                          ".: no ordinary file, give a file of lines 'keyword value'",
                          "a folder");
    NS_TEST_EXPECT_MSG_EQ(AtouConfig::ReadFile("", options).has_value(), true, "no name");
    NS_TEST_EXPECT_MSG_EQ(Differ(options, AtouOptions()), "", "nothing was set");
}

LFN_CASE(AtouAnyConfigTestCase)
{
    // Any bytes: an answer of one printable line, or none.
    std::mt19937 random(5);
    const auto keywords = AtouOptions::GetKeywords();
    const std::string likely = "0123456789.-+e \t;#=\n";
    uint32_t good = 0;
    for (int i = 0; i < 20000; ++i)
    {
        std::string text;
        for (auto entries = random() % 3; entries <= 2; ++entries)
        {
            text += random() % 4 == 0 ? "" : keywords[random() % keywords.size()] + " ";
            for (auto size = random() % 6; size > 0; --size)
            {
                text += random() % 8 == 0 ? static_cast<char>(random())
                                          : likely[random() % likely.size()];
            }
            text += ';';
        }
        AtouOptions options;
        const auto answer = AtouConfig::ReadText(text, options).value_or("");
        const bool isLine = Printable(answer, answer.size() + 1) == answer;
        NS_TEST_ASSERT_MSG_EQ((isLine && answer.size() < 600), true, answer);
        good += answer.empty() ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_GT(good, 100, "some are good");
}

LFN_CASE(AtouChangeableTestCase)
{
    std::string fixed;
    const auto options = CreateObject<AtouOptions>();
    for (const auto& keyword : AtouOptions::GetKeywords())
    {
        const auto next = CopyObject<AtouOptions>(options);
        for (const auto* value : {"1", "0", "50", "0.75"}) // one at least is not the default
        {
            next->SetByKeyword(keyword, value);
            if (const auto wrong = options->CheckChange(*next))
            {
                NS_TEST_EXPECT_MSG_EQ(wrong->substr(0, wrong->find(':')), keyword, *wrong);
                fixed += keyword + " ";
                break;
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(fixed,
                          "mss rcvrwin thresh_init newreno sack fack rampdown delack maxpkts "
                          "maxtime port sndbuf rcvbuf droplist debug ",
                          "what the account of a transfer rests on, or is reported at its start");
}

/** @brief atou's options: defaults, keywords, configuration files good and bad. */
const Suite g_suite("lfn-atou-config", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new AtouKeywordsTestCase("each keyword sets its option and no other"));
    suite.Add(new AtouNumbersTestCase("each number of vegas and vss"));
    suite.Add(new AtouAttributesTestCase("Attributes"));
    suite.Add(new AtouSettleTestCase("settling, first threshold"));
    suite.Add(new AtouGoodConfigTestCase("good configuration files"));
    suite.Add(new AtouBadConfigTestCase("bad configuration files"));
    suite.Add(new AtouAnyConfigTestCase("any text"));
    suite.Add(new AtouChangeableTestCase("what a running transfer may change"));
});

} // namespace
