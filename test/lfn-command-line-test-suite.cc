// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-flags.h"
#include "lfn-test-throws.h"

#include "ns3/abort.h"
#include "ns3/fatal-error.h"
#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-json.h"
#include "ns3/lfn-last-words.h"
#include "ns3/lfn-log-names.h"
#include "ns3/lfn-topology.h"
#include "ns3/lfn-values.h"
#include "ns3/lfn-wording.h"
#include "ns3/object-factory.h"
#include "ns3/queue-disc.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;
using namespace ns3::lfn::test;

namespace
{

/** @brief Global values and attributes of ns-3. */
LFN_CASE(ForeignArgumentsCase)
{
    for (const char* good : {
             "--RngRun=3",
             "--RngRun=18446744073709551615",
             "--RngSeed=1",
             "--RngSeed=4294944442",
             "--SchedulerType=ns3::HeapScheduler",
             "--SimulatorImplementationType=ns3::DefaultSimulatorImpl",
             "--ChecksumEnabled=true",
             "--ns3::TcpSocket::SndBufSize=1000000",
             "--ns3::TcpSocketBase::MinRto=200ms",
             "--ns3::TcpL4Protocol::SocketType=ns3::TcpNewReno",
             "--ns3::RateErrorModel::ErrorRate=1e-3",
             "--ns3::RateErrorModel::ErrorUnit=ERROR_UNIT_PACKET",
             "--ns3::RateErrorModel::RanVar=ns3::UniformRandomVariable[Min=0.0|Max=1.0]",
             "--ns3::PointToPointNetDevice::DataRate=10Mbps",
             "--ns3::DropTailQueue<Packet>::MaxSize=5p",
             "--ns3::lfn::PointToPointTopology::Rtt=20ms",
             "--ns3::lfn::PointToPointTopology::Queue=1MB",
             "--PrintAttributes=ns3::lfn::PointToPointTopology",
             "--PrintGroup=Lfn",
             "--PrintTypeIds",
         })
    {
        AllKinds kinds;
        NS_TEST_EXPECT_MSG_EQ(kinds.flags.Check(Arguments{good}).value_or(""), "", good);
    }
    const std::vector<std::pair<std::string, std::string>> bad = {
        {"--RngRun=-1", ""},
        {"--RngRun=0x3", ""},
        {"--RngRun=3.0", ""},
        {"--RngRun=18446744073709551616", ""},
        {"--RngRun=", "the value is missing"},
        {"--RngRum=3", "did you mean --RngRun?"},
        {"--RngSeed=0", "from 1 to"},
        {"--RngSeed=4294944443", "from 1 to"},
        {"--SchedulerType=ns3::HepScheduler", "did you mean ns3::HeapScheduler?"},
        {"--SchedulerType=ns3::Scheduler", "not abstract"},
        {"--SchedulerType=ns3::TcpSocket", "derived from ns3::Scheduler"},
        {"--SimulatorImplementationType=fast", "there is no TypeId"},
        {"--ChecksumEnabled=maybe", ""},
        {"--ns3::TcpSocket::SndBufSize=1e6", "give a whole number from 0 to 4294967295"},
        {"--ns3::TcpSocket::SndBufSize=-1", ""},
        {"--ns3::TcpSocket::SndBufSize=4294967296", ""},
        {"--ns3::TcpSocket::SndBufSize=5x", ""},
        {"--ns3::TcpSocket::SndBufSize", "the value is missing"},
        {"--ns3::TcpSocket::SndBufSiz=1", "did you mean SndBufSize?"},
        {"--ns3::TcpSocketBase::SndBufSize=1", "write --ns3::TcpSocket::SndBufSize"},
        {"--ns3::TcpSocke::SndBufSize=1", "did you mean ns3::TcpSocket?"},
        {"--ns3::TcpSocketBase::MinRto=10foo", "time"},
        {"--ns3::TcpSocketBase::MinRto=1", "write the unit"},
        {"--ns3::TcpL4Protocol::SocketType=ns3::Nope", "there is no TypeId"},
        {"--ns3::RateErrorModel::ErrorRate=0.1x", ""},
        {"--ns3::RateErrorModel::ErrorRate=nan", ""},
        {"--ns3::RateErrorModel::ErrorUnit=ERROR_UNIT_BOX", "ERROR_UNIT_PACKET"},
        {"--ns3::RateErrorModel::RanVar=ns3::NoSuchVariable", ""},
        {"--ns3::PointToPointNetDevice::DataRate=10", "write the unit"},
        {"--ns3::PointToPointNetDevice::DataRate=1e9bps", ""},
        {"--ns3::PointToPointNetDevice::Address=zz", ""},
        {"--ns3::DropTailQueue<Packet>::MaxSize=5", "write the unit"},
        {"--ns3::Ipv4L3Protocol::DefaultTtl=300", "give a whole number from 0 to 255"},
        {"--ns3::lfn::PointToPointTopology::Rtt=3x", ""},
        {"--ns3::lfn::PointToPointTopology::LinkRate=0bps", "above 0"},
        {"--ns3::lfn::PointToPointTopology::Queue=0p", "above 0"},
        {"--ns3::lfn::PointToPointTopology::Mtu=67", ""},
        {"--::=1", ""},
        {"--::x=1", ""},
        {"--ns3::=1", ""},
        {"--PrintAttributes=ns3::Foo", "there is no TypeId"},
        {"--PrintAttributes", "the value is missing"},
        {"--PrintGroup=Nope", "there is no group"},
    };
    for (const auto& [argument, part] : bad)
    {
        AllKinds kinds;
        const auto error = kinds.flags.Check({argument});
        NS_TEST_EXPECT_MSG_EQ(error.has_value(), true, argument << " must be refused");
        NS_TEST_EXPECT_MSG_NE(error.value_or("").find(part),
                              std::string::npos,
                              error.value_or("") << " should say " << part);
        NS_TEST_EXPECT_MSG_EQ(kinds.flags.Values().size(), 13, "nothing is noted");
    }
    AllKinds kinds;
    NS_TEST_EXPECT_MSG_EQ(kinds.flags.Check({"--RngRun=3", "--count=5", "--RngRun=3"}).has_value(),
                          true,
                          "given twice");
    const uint64_t run = RngSeedManager::GetRun();
    NS_TEST_EXPECT_MSG_EQ(kinds.flags.Check({"--RngRun=77", "--count=5"}).has_value(),
                          false,
                          "good");
    NS_TEST_EXPECT_MSG_EQ(kinds.Value("RngRun"), "77", "run.json will have it");
    NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetRun(), run, "a check sets nothing of ns-3");
}

/** @brief Texts of --topology. */
LFN_CASE(FactoryTextsCase)
{
    const TypeId parent = TransportTopology::GetTypeId();
    const std::string name = "ns3::lfn::PointToPointTopology";
    for (const std::string good :
         {"", "[Rtt=20ms]", "[LinkRate=100Mbps|Rtt=0s|Queue=10p|Mtu=9000]"})
    {
        ObjectFactory factory;
        NS_TEST_EXPECT_MSG_EQ(MakeFactory(name + good, parent, factory).value_or(""), "", good);
        NS_TEST_EXPECT_MSG_NE(factory.Create<TransportTopology>(), nullptr, "it can be made");
    }
    for (const std::string& bad : {std::string(),
                                   std::string("x"),
                                   std::string("["),
                                   std::string("ns3::TcpSocket"),
                                   std::string("ns3::lfn::TransportTopology"),
                                   name + "[",
                                   name + "]",
                                   name + "[]",
                                   name + "[Rtt]",
                                   name + "[=5]",
                                   name + "[Rtt=]",
                                   name + "[Rtt=20]",
                                   name + "[Rtt=20ms",
                                   name + "[Rtt=20ms]]",
                                   name + "[Rtt=20ms]x",
                                   name + "[Rtt=20ms|]",
                                   name + "[|Rtt=20ms]",
                                   name + "[Rtt=20ms|Rtt=30ms]",
                                   name + "[Rtt=20ms,LinkRate=1Gbps]",
                                   name + "[Rt=20ms]",
                                   name + "[Rtt=-20ms]",
                                   name + "[LinkRate=0bps]",
                                   name + "[Queue=0p]",
                                   name + "[Mtu=70000]",
                                   name + " [Rtt=20ms]"})
    {
        ObjectFactory factory;
        NS_TEST_EXPECT_MSG_EQ(MakeFactory(bad, parent, factory).has_value(),
                              true,
                              "\"" << bad << "\" must be refused");
        NS_TEST_EXPECT_MSG_EQ(factory.IsTypeIdSet(), false, "and nothing is made of it");
    }
}

/** @brief Values that ns-3's checkers take, and its code does not. */
LFN_CASE(NotTakenCase)
{
    // Check whether a queue disc with attributes is taken.
    const auto checkDisc = [&](const std::string& text, bool isGood) {
        ObjectFactory factory;
        NS_TEST_EXPECT_MSG_EQ(MakeFactory(text, QueueDisc::GetTypeId(), factory).has_value(),
                              !isGood,
                              text);
        NS_TEST_EXPECT_MSG_EQ(factory.IsTypeIdSet(), isGood, "made when it is good");
    };
    checkDisc("ns3::PieQueueDisc[Tupdate=-1s]", false);
    checkDisc("ns3::PieQueueDisc[Tupdate=0s]", false);
    checkDisc("ns3::FqPieQueueDisc[Tupdate=0s]", false);
    checkDisc("ns3::PieQueueDisc[Tupdate=1ms]", true);
    checkDisc("ns3::FqCoDelQueueDisc[EnableSetAssociativeHash=true|SetWays=4]", true);
    checkDisc("ns3::lfn::XcpQueueDisc", true);

    const std::string tcp = "ns3::TcpL4Protocol::";
    const std::string factory = "ns3::lfn::TcpTransport::SocketFactory";
    const std::vector<std::tuple<std::string, std::string, bool>> types = {
        {tcp + "SocketType", "ns3::TcpCubic", true},
        {tcp + "SocketType", "ns3::Node", false},
        {tcp + "SocketType", "ns3::TcpPrrRecovery", false},
        {tcp + "RecoveryType", "ns3::TcpClassicRecovery", true},
        {tcp + "RecoveryType", "ns3::TcpBbr", false},
        {tcp + "RttEstimatorType", "ns3::TcpBbr", false},
        {factory, "ns3::TcpSocketFactory", true},
        {factory, "ns3::Node", false},
        {"ns3::OnOffApplication::Protocol", "ns3::TcpSocketFactory", true},
    };
    for (const auto& [attribute, value, isGood] : types)
    {
        NS_TEST_EXPECT_MSG_EQ(CheckDefault(attribute, value).has_value(),
                              !isGood,
                              attribute << "=" << value);
    }
    TypeId::AttributeInformation info;
    TypeId::LookupByName("ns3::TcpL4Protocol").LookupAttributeByName("SocketType", &info);
    NS_TEST_EXPECT_MSG_EQ(info.initialValue->SerializeToString(info.checker),
                          info.originalInitialValue->SerializeToString(info.checker),
                          "a check sets nothing");
    const auto stream = RngSeedManager::GetNextStreamIndex();
    const std::string variable = "ns3::UniformRandomVariable[Max=2.0]";
    NS_TEST_EXPECT_MSG_EQ(CheckDefault("ns3::RateErrorModel::RanVar", variable).has_value(),
                          false,
                          variable);
    NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetNextStreamIndex(),
                          stream + 1,
                          "a check takes no random stream");
}

/** @brief Check that the line over a value that ns-3 ends the program for names the argument. */
LFN_CASE(NamedArgumentCase)
{
    const std::string position = "--ns3::MobilityModel::Position=1:2:3x";
    const std::string type = "--ns3::TcpL4Protocol::SocketType=ns3::TcpCongestionOps";
    const std::vector<std::pair<std::vector<std::string>, std::string>> lines = {
        {{position}, position}, // in the check
        {{"--bytes=5MB", type}, type},
        {{type, "--ns3::TcpSocket::SegmentSize=99"}, type + ", --ns3::TcpSocket::SegmentSize=99"},
    };
    for (const auto& [words, begin] : lines)
    {
        const auto ended = RunInChild([&words] {
            unsetenv("NS_LOG");
            const LastWords lastWords("program");
            AllKinds kinds;
            Parse(kinds, words);
            TypeId::AttributeInformation info;
            TypeId::LookupByName("ns3::TcpL4Protocol").LookupAttributeByName("SocketType", &info);
            ObjectFactory factory(info.initialValue->SerializeToString(info.checker));
            factory.Create<Object>();
        });
        NS_TEST_EXPECT_MSG_EQ(ended.status, 1, begin);
        NS_TEST_EXPECT_MSG_EQ(ended.err.rfind("program: " + begin + ": ns-3 cannot go on (", 0),
                              0,
                              ended.err);
        NS_TEST_EXPECT_MSG_EQ(std::ranges::count(ended.err, '\n'), 1, ended.err);
    }
}

/** @brief Parse() as a program calls it. */
LFN_CASE(ParseCase)
{
    const auto good = RunInChild([] {
        AllKinds kinds;
        Parse(kinds, {"--bytes=5MB", "--force", "--RngRun=42", "--ns3::TcpSocket::SegmentSize=99"});
        UintegerValue size;
        TypeId::AttributeInformation info;
        TypeId::LookupByName("ns3::TcpSocket").LookupAttributeByName("SegmentSize", &info);
        std::cout << kinds.bytes << " " << kinds.force << " " << RngSeedManager::GetRun() << " "
                  << info.initialValue->SerializeToString(info.checker);
    });
    NS_TEST_EXPECT_MSG_EQ(good.status, 0, good.err);
    NS_TEST_EXPECT_MSG_EQ(good.out, "5000000 1 42 99", "all took effect");

    const auto bad = RunInChild([] {
        AllKinds kinds;
        Parse(kinds, {"--bytes=-5"});
    });
    NS_TEST_EXPECT_MSG_EQ(bad.status, 1, "exit status");
    NS_TEST_EXPECT_MSG_EQ(bad.out, "", "nothing on stdout");
    NS_TEST_EXPECT_MSG_EQ(bad.err,
                          "program: --bytes=-5: give a positive size, such as 450MB\n",
                          "one line on stderr");

    const auto refused = RunInChild([] {
        AllKinds kinds;
        kinds.flags.Refuse("rtt", "not with\nthis");
    });
    NS_TEST_EXPECT_MSG_EQ(refused.status, 1, "exit status");
    NS_TEST_EXPECT_MSG_EQ(refused.err, "program: --rtt=100ms: not with\\x0athis\n", "one line");

    for (const char* help : {"--PrintHelp", "--help"})
    {
        const auto shown = RunInChild([help] {
            AllKinds kinds;
            kinds.flags.Columns("Columns: flow,protocol");
            Parse(kinds, {"--bytes=bad", help});
        });
        NS_TEST_EXPECT_MSG_EQ(shown.status, 0, "help is no error");
        for (const char* part : {"A program with every kind of flag.",
                                 "Columns: flow,protocol",
                                 "--bytes:",
                                 "user bytes [450MB]",
                                 "a rate [600Mbps]",
                                 "a time [100ms]",
                                 "(naive, scatter-gather, fake) [naive]",
                                 "a queue size [10000p]",
                                 "--PrintAttributes"})
        {
            NS_TEST_EXPECT_MSG_NE(shown.out.find(part), std::string::npos, "help has " << part);
        }
    }
    const auto version = RunInChild([] {
        AllKinds kinds;
        Parse(kinds, {"--PrintVersion"});
    });
    NS_TEST_EXPECT_MSG_EQ(version.status, 0, "exit status");
    NS_TEST_EXPECT_MSG_EQ(version.out.rfind("program of lfn ", 0), 0, version.out);

    AllKinds kinds;
    const bool isThrown =
        Throws<std::logic_error>([&] { kinds.flags.Switch("bytes", "again", kinds.force); });
    NS_TEST_EXPECT_MSG_EQ(isThrown, true, "a name is declared once");
}

/** @brief Properties that hold for any text and any value. */
LFN_CASE(PropertiesCase)
{
    std::mt19937_64 random(7);
    const auto below = [&random](uint64_t n) { return random() % n; };

    for (int i = 0; i < 20000; ++i)
    {
        // All magnitudes alike, round numbers more often than chance has them.
        uint64_t value = random() >> below(64);
        for (uint64_t zeros = below(5); zeros > 0 && value < UINT64_MAX / 1000; --zeros)
        {
            value *= 1000;
        }
        NS_TEST_ASSERT_MSG_EQ(*values::ReadBytes(values::PrintBytes(value)).value, value, "bytes");
        const uint64_t rate = value % (values::MOST_RATE.GetBitRate() + 1);
        NS_TEST_ASSERT_MSG_EQ(
            values::ReadRate(values::PrintRate(DataRate(rate))).value->GetBitRate(),
            rate,
            "rate");
        // Times pass through a double: exact up to 2^53.
        const Time time = TimeStep(value >> 11);
        NS_TEST_ASSERT_MSG_EQ(*values::ReadTime(values::PrintTime(time)).value, time, "time");
        const QueueSize size(value % 2 ? QueueSizeUnit::PACKETS : QueueSizeUnit::BYTES,
                             static_cast<uint32_t>(value));
        NS_TEST_ASSERT_MSG_EQ((*values::ReadQueueSize(values::PrintQueueSize(size)).value == size),
                              true,
                              "queue size");
        const auto number = std::bit_cast<double>(random());
        if (std::isfinite(number))
        {
            NS_TEST_ASSERT_MSG_EQ(*values::ReadNumber(values::PrintNumber(number)).value,
                                  number,
                                  "number");
        }
    }

    // Random texts: never a crash, and what is taken is what ns-3 takes it for.
    const std::vector<std::string> pieces = {
        "0",    "1",    "5",  "12", "600", ".",   "-",   "+",   "e",           "E",   "s",  "ms",
        "us",   "ns",   "k",  "M",  "G",   "b",   "B",   "bps", "b/s",         "B/s", "ib", "KiB",
        "Mbps", "p",    "kp", "MB", " ",   ",",   "nan", "inf", "0x",          "/",   "=",  "--",
        "\n",   "\xff", "]",  "[",  "|",   "min", "h",   "d",   "999999999999"};
    std::size_t taken = 0;
    for (int i = 0; i < 100000; ++i)
    {
        std::string text;
        for (uint64_t n = 1 + below(4); n > 0; --n)
        {
            text += pieces[below(pieces.size())];
        }
        values::ReadCountList(text);
        values::ReadBool(text);
        if (const auto rate = values::ReadRate(text).value)
        {
            ++taken;
            const uint64_t theirs = DataRate(text).GetBitRate();
            // ns-3 computes in doubles and cuts off.
            NS_TEST_ASSERT_MSG_EQ_TOL(static_cast<double>(rate->GetBitRate()),
                                      static_cast<double>(theirs),
                                      1.0 + 1e-9 * static_cast<double>(theirs),
                                      text);
        }
        if (const auto time = values::ReadTime(text).value)
        {
            ++taken;
            NS_TEST_ASSERT_MSG_EQ_TOL(time->GetDouble(),
                                      Time(text).GetDouble(),
                                      1.0 + 1e-9 * std::abs(time->GetDouble()),
                                      text);
        }
        if (const auto size = values::ReadQueueSize(text).value)
        {
            ++taken;
            NS_TEST_ASSERT_MSG_EQ((*size == QueueSize(text)), true, text);
        }
        if (const auto number = values::ReadNumber(text).value)
        {
            ++taken;
            NS_TEST_ASSERT_MSG_EQ(*number, std::strtod(text.c_str(), nullptr), text);
        }
        if (const auto bytes = values::ReadBytes(text).value)
        {
            ++taken;
            const auto again = values::ReadBytes(values::PrintBytes(*bytes)).value;
            NS_TEST_ASSERT_MSG_EQ(*again, *bytes, text);
        }
        if (i % 20 == 0)
        {
            AllKinds kinds;
            kinds.flags.Check({text});
            kinds.flags.Check({"--" + text});
            kinds.flags.Check({"--rate=" + text, "--bytes=" + text, "--list=" + text});
        }
        NS_TEST_ASSERT_MSG_EQ(JsonObject::HasText("{\"a\": {" + text + "}}", "b", text),
                              false,
                              "no text there");
    }
    NS_TEST_EXPECT_MSG_GT(taken, 1000, "the random texts hit good ones too");
}

/** @brief Texts in messages: UTF-8 as it is, anything else escaped. */
LFN_CASE(PrintableCase)
{
    const std::vector<std::pair<std::string, std::string>> table = {
        {"", ""},
        {"some/folder", "some/folder"},
        {"some/\xc3\xbc"
         "bung",
         "some/\xc3\xbc"
         "bung"},
        {"\xe6\xbc\x94\xe7\xbf\x92 \xf0\x9f\x93\x81", "\xe6\xbc\x94\xe7\xbf\x92 \xf0\x9f\x93\x81"},
        {"tab\tline\n", "tab\\x09line\\x0a"},
        {"\x1b[31m\x7f", "\\x1b[31m\\x7f"},
        {std::string("\0", 1), "\\x00"},
        {"\xff\xfen", "\\xff\\xfen"},
        {"\xfc"
         "bung",
         "\\xfc"
         "bung"},
        {"cut \xc3", "cut \\xc3"},
        {"\xc0\x80", "\\xc0\\x80"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
        {"\xc2\x85", "\\xc2\\x85"},
        {"\xc2\xa0", "\xc2\xa0"},
        {"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},
        {"\xe2\x80\xae", "\\xe2\\x80\\xae"},
        {"\xe2\x81\xa6", "\\xe2\\x81\\xa6"},
        {"\xef\xbb\xbf", "\\xef\\xbb\\xbf"},
    };
    for (const auto& [text, printed] : table)
    {
        NS_TEST_EXPECT_MSG_EQ(Printable(text), printed, "printed");
        NS_TEST_EXPECT_MSG_EQ(Printable(Printable(text)), printed, "printed twice");
    }
    NS_TEST_EXPECT_MSG_EQ(Printable("ab\xc3\xbc"
                                    "cd",
                                    3),
                          "ab\xc3\xbc...",
                          "whole characters");
}

/** @brief JSON, written and looked into. */
LFN_CASE(JsonCase)
{
    const std::vector<std::pair<std::string, std::string>> table = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"line\nbreak\ttab", "\"line\\u000abreak\\u0009tab\""},
        {std::string("\0", 1), "\"\\u0000\""},
        {"\xc3\xa4", "\"\xc3\xa4\""},
        {"\xff", "\"\xef\xbf\xbd\""},
        {"\xc3", "\"\xef\xbf\xbd\""},
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    };
    for (const auto& [text, json] : table)
    {
        NS_TEST_EXPECT_MSG_EQ(JsonObject::Quote(text), json, "quoted");
    }
    JsonObject inner;
    inner.AddText("program", "inner");
    inner.AddRaw("list", "[1, {\"program\": \"deep\"}, \"}\"]");
    JsonObject outer;
    outer.AddRaw("format", "1");
    outer.AddObject("flags", inner);
    outer.AddObject("empty", JsonObject());
    outer.AddText("program", "outer \"quoted\" \\ text");
    const std::string text = outer.Print();
    const std::string program = "outer \"quoted\" \\ text";
    NS_TEST_EXPECT_MSG_EQ(JsonObject::HasText(text, "program", program), true, "as it was added");
    NS_TEST_EXPECT_MSG_EQ(JsonObject::HasText(text, "program", "inner"),
                          false,
                          "only the outermost counts");
    NS_TEST_EXPECT_MSG_EQ(JsonObject::HasText(text, "program", "outer"), false, "all of it");
    NS_TEST_EXPECT_MSG_EQ(JsonObject::HasText(text, "format", "1"), false, "not a text");
    for (std::size_t length = 0; length < text.size(); ++length)
    {
        NS_TEST_EXPECT_MSG_EQ(JsonObject::HasText(text.substr(0, length), "program", program),
                              false,
                              "cut short at " << length);
    }
    const std::string deep(1000000, '[');
    NS_TEST_EXPECT_MSG_EQ(JsonObject::HasText("{\"a\": " + deep, "b", ""), false, "deep");
    for (const char* bad : {"", "[]", "\"program\"", "{}", "{program: \"x\"}", "nonsense"})
    {
        NS_TEST_EXPECT_MSG_EQ(JsonObject::HasText(bad, "program", "x"), false, bad);
    }
}

/** @brief A run that ns-3 or an exception ends. */
LFN_CASE(LastWordsCase)
{
    const std::string tail = ": give other values, or set NS_LOG to see where it stopped\n";
    const std::vector<std::tuple<std::string, std::function<void()>, std::string>> table = {
        {"a message", [] { NS_FATAL_ERROR("why"); }, " (why)"},
        {"a condition", [] { NS_ABORT_MSG_IF(true, "why not"); }, " (why not)"},
        {"a stack trace",
         [] {
             std::cerr << "msg=\"why\", file=a.cc, line=1\nNS_FATAL, terminating\n";
             std::cerr << "  0# F at a.cc:1\n  1# main at a.cc:9\n\n";
             std::terminate();
         },
         " (why)"},
        {"an exception", [] { throw std::runtime_error("a\nb"); }, " (a\\x0ab)"},
        {"no memory", [] { throw std::bad_alloc(); }, " (there is not enough memory)"},
        {"nothing said", [] { std::terminate(); }, ""},
        {"a signal", [] { std::raise(SIGFPE); }, " (a division by zero)"},
    };
    for (const auto& [name, end, reason] : table)
    {
        const auto ended = RunInChild([&end] {
            unsetenv("NS_LOG");
            const LastWords words("program");
            // Out of the reach of any host that runs the test.
            [&end]() noexcept { end(); }();
        });
        NS_TEST_EXPECT_MSG_EQ(ended.status, 1, name);
        NS_TEST_EXPECT_MSG_EQ(ended.err, "program: ns-3 cannot go on" + reason + tail, name);
    }
    const auto warned = RunInChild([] {
        unsetenv("NS_LOG");
        const LastWords words("program");
        std::cerr << "half";
        std::clog << " a line\n";
        NS_FATAL_ERROR_CONT("not the end");
    });
    NS_TEST_EXPECT_MSG_EQ(warned.status, 0, "goes on");
    NS_TEST_EXPECT_MSG_EQ(warned.err.rfind("half a line\nmsg=\"not the end\", ", 0), 0, warned.err);
#ifdef NS3_LOG_ENABLE
    const std::string noLogs;
#else
    const std::string noLogs = "program: warning: NS_LOG prints nothing, ns-3 was built without "
                               "logs: build it with --enable-logs\n";
#endif
    const auto looked = RunInChild([] {
        setenv("NS_LOG", "TcpSource", 1);
        const LastWords words("program");
        NS_FATAL_ERROR("why");
    });
    NS_TEST_EXPECT_MSG_EQ(looked.err.rfind(noLogs + "msg=\"why\", ", 0), 0, looked.err);
    NS_TEST_EXPECT_MSG_NE(looked.status, 1, "aborted");
    const std::string none = ": there is no such log ";
    const std::vector<std::pair<std::string, std::string>> names = {
        {"JrmPeer:TcpSocketBase=info|prefix_all:*=warn", ""},
        {"***", ""},
        {"JrmPeer=**", ""},
        {"jrm-session", "NS_LOG=jrm-session" + none + "component"},
        {"JrmPeer:JrmPear", "NS_LOG=JrmPear" + none + "component, did you mean JrmPeer?"},
        {"JrmPeer=infos", "NS_LOG=infos" + none + "level, did you mean info?"},
    };
    for (const auto& [text, begin] : names)
    {
        const auto wrong = CheckLogNames(text);
        NS_TEST_EXPECT_MSG_EQ(wrong.has_value(), !begin.empty(), text);
        NS_TEST_EXPECT_MSG_EQ(wrong.value_or("").rfind(begin, 0),
                              0,
                              text << ": " << wrong.value_or(""));
        const auto ended = RunInChild([&text] {
            setenv("NS_LOG", text.c_str(), 1);
            const LastWords words("program");
        });
        NS_TEST_EXPECT_MSG_EQ(ended.status, (wrong ? 1 : 0), text);
        const auto line = wrong ? "program: " + *wrong + "\n" : "";
        NS_TEST_EXPECT_MSG_EQ(ended.err, noLogs + line, text);
    }
}

const Suite g_suite("lfn-command-line", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new ForeignArgumentsCase(
        "global values and attributes of ns-3 are checked before ns-3 sees them"));
    suite.Add(new FactoryTextsCase("a class with attributes is read strictly"));
    suite.Add(new NotTakenCase("what ns-3 would end a run over is refused before, or named after"));
    suite.Add(new NamedArgumentCase(
        "check that the line over a value that ns-3 ends the program for names the argument"));
    suite.Add(
        new ParseCase("Parse sets ns-3 up, explains itself, or ends with one line and status 1"));
    suite.Add(new LastWordsCase("a run that ns-3 ends gives one line; with NS_LOG, ns-3's own"));
    suite.Add(new PropertiesCase(
        "what is printed reads back equal, and ns-3 agrees about what is taken"));
    suite.Add(new PrintableCase("texts in messages"));
    suite.Add(new JsonCase("JSON is escaped, and a damaged document is never taken for one"));
});

} // namespace
