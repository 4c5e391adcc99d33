// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-flags.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;
using namespace ns3::lfn::test;

namespace
{

/** @brief Good values of every kind, with what they mean. */
LFN_CASE(GoodValuesCase)
{
    const std::vector<std::array<std::string, 3>> table = {
        {"bytes", "450MB", "450MB"},
        {"bytes", "1", "1B"},
        {"bytes", "1B", "1B"},
        {"bytes", "1000", "1kB"},
        {"bytes", "67.5MB", "67500kB"},
        {"bytes", "1.5kB", "1500B"},
        {"bytes", "1.50kB", "1500B"},
        {"bytes", "0.001kB", "1B"},
        {"bytes", "007", "7B"},
        {"bytes", "1KiB", "1024B"},
        {"bytes", "0.5KiB", "512B"},
        {"bytes", "3MiB", "3145728B"},
        {"bytes", "1GiB", "1073741824B"},
        {"bytes", "10GB", "10GB"},
        {"bytes", "2TB", "2TB"},
        {"bytes", "18446744073709551615", "18446744073709551615B"},
        {"bytes", "18446744073.709551615GB", "18446744073709551615B"},
        {"packetSize", "65507", "65507B"},
        {"packetSize", "1", "1B"},
        {"count", "1", "1"},
        {"count", "100", "100"},
        {"rounds", "4294967295", "4294967295"},
        {"rounds", "0", "0"},
        {"list", "3,7,11", "3,7,11"},
        {"list", "5", "5"},
        {"list", "2,2,1", "2,2,1"},
        {"rate", "1bps", "1bps"},
        {"rate", "600Mbps", "600Mbps"},
        {"rate", "828.6Mbps", "828600kbps"},
        {"rate", "0.6Gbps", "600Mbps"},
        {"rate", "1000kb/s", "1Mbps"},
        {"rate", "1KBps", "8kbps"},
        {"rate", "1B/s", "8bps"},
        {"rate", "1Kib/s", "1024bps"},
        {"rate", "1MiB/s", "8388608bps"},
        {"rate", "100Gbps", "100Gbps"},
        {"rate", "0.7bps", "1bps"},
        {"rate", "10000Gbps", "10000Gbps"},
        {"rtt", "100ms", "100ms"},
        {"rtt", "0", "0s"},
        {"rtt", "0ms", "0s"},
        {"rtt", "1.5s", "1500ms"},
        {"rtt", "0.1s", "100ms"},
        {"rtt", "1e-3s", "1ms"},
        {"rtt", "4.01us", "4010ns"},
        {"rtt", "16us", "16us"},
        {"rtt", "7ns", "7ns"},
        {"rtt", "2min", "120s"},
        {"rtt", "1h", "3600s"},
        {"rtt", "3650d", "315360000s"},
        {"rtt", "2000ps", "2ns"},
        {"rtt", "+5ms", "5ms"},
        {"lossRate", "0", "0"},
        {"lossRate", "1", "1"},
        {"lossRate", "0.12", "0.12"},
        {"lossRate", "1e-7", "1e-07"},
        {"lossRate", "-0", "-0"},
        {"number", "-10", "-10"},
        {"number", "+1.25", "1.25"},
        {"number", "1e1", "10"},
        {"receiver", "scatter-gather", "scatter-gather"},
        {"text", "a b=c", "a b=c"},
        {"text", "--x", "--x"},
        {"force", "true", "true"},
        {"force", "false", "false"},
        {"force", "1", "true"},
        {"queue", "1p", "1p"},
        {"queue", "10kp", "10000p"},
        {"queue", "1Kip", "1024p"},
        {"queue", "1MB", "1000000B"},
        {"queue", "1MiB", "1048576B"},
        {"queue", "4294967295B", "4294967295B"},
    };
    for (const auto& [name, text, meaning] : table)
    {
        AllKinds kinds;
        const auto error = kinds.flags.Check({"--" + name + "=" + text});
        NS_TEST_EXPECT_MSG_EQ(error.value_or(""), "", name << "=" << text);
        NS_TEST_EXPECT_MSG_EQ(kinds.Value(name), meaning, name << "=" << text);
        NS_TEST_EXPECT_MSG_EQ(kinds.flags.IsSet(name), true, "it was given");
        NS_TEST_EXPECT_MSG_EQ(kinds.flags.IsSet("bytes"), (name == "bytes"), "others were not");
    }
    AllKinds kinds;
    NS_TEST_EXPECT_MSG_EQ(kinds.flags.Check({"--force"}).has_value(), false, "bare switch");
    NS_TEST_EXPECT_MSG_EQ(kinds.force, true, "a bare switch is on");
}

/** @brief Bad values of every kind: refused in one line with a remedy, and nothing changes. */
LFN_CASE(BadValuesCase)
{
    // The values of a flag, with | between them.
    const std::vector<std::pair<std::string, std::string>> table = {
        {"bytes",
         "-5|0|1e9|1e9B|+5| 5|5 |5 MB|5mb|5Mb|MB|0x10|.|.5MB|5.|5.MB|1,000|1_000|1.5|1.5B|"
         "0.1B|nan|inf|1.2.3|5MBx|5M|--5|1.0005kB|5PB|18446744073709551616|18446744073710MB|"
         "99999999999999999999999999|18446744073709551615kB|17179869184GiB|"
         "0.00000000000000000001TB|1.00000000000000000000000000000001kB"},
        {"packetSize", "0|65508|66kB|-1|4294967297|1450.5|1e3"},
        {"count", "0|101|-1|1.0|1.5|5x|x5|1e1|+1|0x5|5B|1kB|18446744073709551617"},
        {"rounds", "4294967296|-3|three|1/2"},
        {"list", "3,,7|,|3,|,3|0|1,0|3;7|3 7|3, 7|-1|1,-2|1.5|a|3,18446744073709551616"},
        {"rate",
         "5|0bps|0Mbps|-5Mbps|1e9bps|1e3Mbps|Mbps|5mbps|5 Mbps|5Mbit|5MB|600mbps|nanbps|"
         "infMbps|600Mbps |0.4bps|600.Mbps|10000000000001bps|18446744073709551615bps|"
         "99999999999Gbps|18446744073709551616bps|5bpsbps|5/s|0x5bps|1.5.5Mbps"},
        {"rtt",
         "100|-3ms|-1ns|1e300s|5|ms|5 ms|5msx|5sec|5m|5MS|nan|nans|infs|inf|1..5s|.5s|5.s|"
         "e5s|1es|1e-20s|0.1ns|1ps|300y|3651d|1e400s|0x5s|--5s|+-5s|5s5s"},
        {"lossRate", "0.1x|-0.1|1.1|nan|inf|-inf|1e400|10%|0,1|.5|1.|0x0.1p1| 0.1|0.1 |one|1e|1e+"},
        {"number", "-10.1|11|1e2|2.5.|--1|+-1|NAN|infinity|1f"},
        {"receiver", "Naive|nave|naive |scatter|0"},
        {"force", "yes|no|2|True|on|tru"},
        {"queue",
         "7|0p|0B|-1p|5GB|1.5p|1e3p|p|5 p|5packets|5P|4294967296p|5000MB|0.0001kB|nanp|"
         "10000p "},
    };
    std::size_t tried = 0;
    for (const auto& [name, texts] : table)
    {
        std::istringstream stream(texts);
        for (std::string text; std::getline(stream, text, '|');)
        {
            ++tried;
            AllKinds kinds;
            const auto before = kinds.flags.Values();
            // A good flag before and after: nothing of the command line may take effect.
            const std::string other = name == "text" ? "--count=9" : "--text=x";
            const std::string argument = "--" + name + "=" + text;
            const auto error = kinds.flags.Check({other, argument, "--ns3::Node::Id=1"});
            NS_TEST_EXPECT_MSG_EQ(error.has_value(), true, argument << " must be refused");
            const std::string line = error.value_or("");
            const std::string shown = argument + ": ";
            NS_TEST_EXPECT_MSG_EQ(line.substr(0, shown.size()), shown, "names the flag");
            NS_TEST_EXPECT_MSG_GT(line.size(), shown.size() + 10, "has a remedy");
            const bool isPlain =
                std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; });
            NS_TEST_EXPECT_MSG_EQ(isPlain, true, "one printable line");
            NS_TEST_EXPECT_MSG_EQ((kinds.flags.Values() == before), true, "changes nothing");
            NS_TEST_EXPECT_MSG_EQ(kinds.flags.IsSet("text"), false, "sets nothing");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(tried, 182, "all of the table");
}

/** @brief Remedies say what to write. */
LFN_CASE(RemediesCase)
{
    const std::vector<std::pair<Arguments, std::string>> table = {
        {{"--bytes=-5"}, "--bytes=-5: give a positive size, such as 450MB"},
        {{"--rtt=100"}, "--rtt=100: the unit is missing, write --rtt=100ms"},
        {{"--lossRate=1%"}, "--lossRate=1%: give a number from 0 to 1, such as 0.01"},
        {{"--rtt=-3ms"}, "--rtt=-3ms: give a time from 0s to 3650d with its unit, such as 100ms"},
        {{"--rate=5"}, "--rate=5: the unit is missing, write --rate=5Mbps"},
        {{"--queue=7"}, "--queue=7: the unit is missing, write --queue=7p, or with B for bytes"},
        {{"--bytes=1e9"}, "--bytes=1e9: write the number without an exponent, such as 450MB"},
        {{"--bites=5"}, "--bites=5: unknown flag, did you mean --bytes? --PrintHelp lists all"},
        {{"--LOSSRATE=0"},
         "--LOSSRATE=0: unknown flag, did you mean --lossRate? --PrintHelp lists all"},
        {{"--zzzzzzzz=5"}, "--zzzzzzzz=5: unknown flag; --PrintHelp lists all"},
        {{"--bytes"}, "--bytes: the value is missing, write --bytes=450MB"},
        {{"--bytes="}, "--bytes=: the value is missing, write --bytes=450MB"},
        {{"--text="}, "--text=: the value is missing, write --text=text"},
        {{"--force="}, "--force=: the value is missing, write --force=true"},
        {{"--bytes", "5MB"}, "--bytes: the value is missing, write --bytes=5MB"},
        {{"--count=4", "--count=4"}, "--count=4: --count is given twice, give it once"},
        {{"--force", "--force=false"}, "--force=false: --force is given twice, give it once"},
        {{"-bytes=5"}, "-bytes=5: write --bytes=5, with two dashes"},
        {{"450MB"},
         "450MB: arguments without a flag are not taken, write --flag=value (--PrintHelp lists "
         "all flags)"},
        {{"--PrintGlobals=1"}, "--PrintGlobals=1: write --PrintGlobals without a value"},
        {{"--receiver=nave"},
         "--receiver=nave: did you mean naive? give one of naive, scatter-gather, fake"},
        {{"--queue=5GB"},
         "--queue=5GB: there is no unit GB, give a positive queue size in packets or bytes, "
         "such as 10000p"},
        {{"--text=x", "--bytes=5\n6"},
         "--bytes=5\\x0a6: there is no unit \\x0a6, give a positive size, such as 450MB"},
    };
    for (const auto& [arguments, expected] : table)
    {
        AllKinds kinds;
        NS_TEST_EXPECT_MSG_EQ(kinds.flags.Check(arguments).value_or("(fine)"),
                              expected,
                              arguments.front());
    }
    for (const char* odd : {"-5", "--", "", "-", "=", "---bytes=5", "--=5", "- bytes", "bytes=5"})
    {
        AllKinds kinds;
        NS_TEST_EXPECT_MSG_EQ(kinds.flags.Check(Arguments{odd}).has_value(),
                              true,
                              "\"" << odd << "\" is no flag");
    }
    AllKinds kinds;
    NS_TEST_EXPECT_MSG_EQ(kinds.flags.Complaint("rtt", "give --topology or --rtt, not both"),
                          "--rtt=100ms: give --topology or --rtt, not both",
                          "an impossible combination has the same form");
    const std::string longText(100000, 'x');
    const auto error = kinds.flags.Check({"--" + longText + "=" + longText});
    NS_TEST_EXPECT_MSG_LT(error.value_or(longText).size(), 1000, "long texts are cut");
}

const Suite g_suite("lfn-flags", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new GoodValuesCase("good values are read as what they mean"));
    suite.Add(new BadValuesCase("bad values are refused with a remedy, and change nothing"));
    suite.Add(new RemediesCase("remedies name what to write"));
});

} // namespace
