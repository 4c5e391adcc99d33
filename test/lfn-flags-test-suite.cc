// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-flags.h"
#include "ns3/lfn-json.h"
#include "ns3/lfn-topology.h"
#include "ns3/lfn-values.h"
#include "ns3/lfn-wording.h"
#include "ns3/object-factory.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

using Arguments = std::vector<std::string>;

/** @brief Flags of every kind, with their variables. */
struct AllKinds
{
    Flags flags{"program", "A program with every kind of flag."}; //!< the flags
    uint64_t bytes{450000000};                                    //!< --bytes
    uint32_t packetSize{1450};                                    //!< --packetSize
    uint64_t count{7};                                            //!< --count, 1 to 100
    uint32_t rounds{3};                                           //!< --rounds
    std::vector<uint64_t> list;                                   //!< --list
    DataRate rate{DataRate("600Mbps")};                           //!< --rate
    Time rtt{MilliSeconds(100)};                                  //!< --rtt
    double loss{0.0};                                             //!< --lossRate
    double number{2.5};                                           //!< --number, -10 to 10
    std::string receiver{"naive"};                                //!< --receiver
    std::string text;                                             //!< --text
    bool force{false};                                            //!< --force
    QueueSize queue{QueueSize("10000p")};                         //!< --queue

    /** @brief Declares them all. */
    AllKinds()
    {
        flags.Bytes("bytes", "user bytes", bytes);
        flags.Bytes("packetSize", "user bytes a datagram", packetSize, 1U, 65507U);
        flags.Count("count", "a 64-bit count", count, 1, 100);
        flags.Count("rounds", "a 32-bit count", rounds);
        flags.CountList("list", "a list", list);
        flags.Rate("rate", "a rate", rate);
        flags.Duration("rtt", "a time", rtt);
        flags.Fraction("lossRate", "a probability", loss);
        flags.Number("number", "a number", number, -10, 10);
        flags.Choice("receiver", "a word", receiver, {"naive", "scatter-gather", "fake"});
        flags.Text("text", "a text", text);
        flags.Switch("force", "a switch", force);
        flags.Queue("queue", "a queue size", queue);
    }

    /**
     * @brief Gives the value of a flag in canonical text.
     * @param name the flag
     * @return its value
     */
    std::string Value(const std::string& name) const
    {
        for (const auto& [flag, value] : flags.Values())
        {
            if (flag == name)
            {
                return value;
            }
        }
        return "(none)";
    }
};

/** @brief What a child process left. */
struct ChildResult
{
    int status{-1};  //!< exit status, -1 if it did not exit
    std::string out; //!< standard output
    std::string err; //!< standard error
};

/**
 * @brief Runs something that ends the process.
 * @param run what to run
 * @return what it left
 */
ChildResult
RunInChild(const std::function<void()>& run)
{
    std::array<FILE*, 2> files = {std::tmpfile(), std::tmpfile()};
    std::cout.flush();
    std::cerr.flush();
    const pid_t child = fork();
    if (child == 0)
    {
        dup2(fileno(files[0]), STDOUT_FILENO);
        dup2(fileno(files[1]), STDERR_FILENO);
        // The test runner's own static objects do not like to be destroyed in the middle of a run.
        on_exit(
            [](int status, void*) {
                std::cout.flush();
                _exit(status);
            },
            nullptr);
        run();
        std::cout.flush();
        std::cerr.flush();
        _exit(0);
    }
    ChildResult result;
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
    {
        result.status = WEXITSTATUS(status);
    }
    for (std::size_t i = 0; i < files.size(); ++i)
    {
        std::rewind(files[i]);
        std::string& text = i == 0 ? result.out : result.err;
        for (int c = std::fgetc(files[i]); c != EOF; c = std::fgetc(files[i]))
        {
            text += static_cast<char>(c);
        }
        std::fclose(files[i]);
    }
    return result;
}

/**
 * @brief Hands a command line to Flags::Parse().
 * @param kinds the flags
 * @param arguments the arguments without the program's name
 */
void
Parse(AllKinds& kinds, Arguments arguments)
{
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> argv;
    for (auto& argument : arguments)
    {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    kinds.flags.Parse(static_cast<int>(arguments.size()), argv.data());
}

/** @brief Good values of every kind, with what they mean. */
class GoodValuesCase : public TestCase
{
  public:
    GoodValuesCase()
        : TestCase("good values are read as what they mean")
    {
    }

  private:
    void DoRun() override
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
            {"rate", "18446744073709551615bps", "18446744073709551615bps"},
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
};

/** @brief Bad values of every kind: refused in one line with a remedy, and nothing changes. */
class BadValuesCase : public TestCase
{
  public:
    BadValuesCase()
        : TestCase("bad values are refused with a remedy, and change nothing")
    {
    }

  private:
    void DoRun() override
    {
        using Table = std::vector<std::pair<std::string, std::vector<std::string>>>;
        const Table table = {
            {"bytes",
             {"-5",
              "0",
              "1e9",
              "1e9B",
              "+5",
              " 5",
              "5 ",
              "5 MB",
              "5mb",
              "5Mb",
              "MB",
              "0x10",
              ".",
              ".5MB",
              "5.",
              "5.MB",
              "1,000",
              "1_000",
              "1.5",
              "1.5B",
              "0.1B",
              "nan",
              "inf",
              "1.2.3",
              "5MBx",
              "5M",
              "--5",
              "1.0005kB",
              "5PB",
              "18446744073709551616",
              "18446744073710MB",
              "99999999999999999999999999",
              "18446744073709551615kB",
              "17179869184GiB",
              "0.00000000000000000001TB",
              "1.00000000000000000000000000000001kB"}},
            {"packetSize", {"0", "65508", "66kB", "-1", "4294967297", "1450.5", "1e3"}},
            {"count",
             {"0",
              "101",
              "-1",
              "1.0",
              "1.5",
              "5x",
              "x5",
              "1e1",
              "+1",
              "0x5",
              "5B",
              "1kB",
              "18446744073709551617"}},
            {"rounds", {"4294967296", "-3", "three", "1/2"}},
            {"list",
             {"3,,7",
              ",",
              "3,",
              ",3",
              "0",
              "1,0",
              "3;7",
              "3 7",
              "3, 7",
              "-1",
              "1,-2",
              "1.5",
              "a",
              "3,18446744073709551616"}},
            {"rate",
             {"5",
              "0bps",
              "0Mbps",
              "-5Mbps",
              "1e9bps",
              "1e3Mbps",
              "Mbps",
              "5mbps",
              "5 Mbps",
              "5Mbit",
              "5MB",
              "600mbps",
              "nanbps",
              "infMbps",
              "600Mbps ",
              "0.4bps",
              "600.Mbps",
              "99999999999Gbps",
              "18446744073709551616bps",
              "5bpsbps",
              "5/s",
              "0x5bps",
              "1.5.5Mbps"}},
            {"rtt", {"100",   "-3ms",   "-1ns", "1e300s", "5",      "ms",    "5 ms", "5msx",
                     "5sec",  "5m",     "5MS",  "nan",    "nans",   "infs",  "inf",  "1..5s",
                     ".5s",   "5.s",    "e5s",  "1es",    "1e-20s", "0.1ns", "1ps",  "300y",
                     "3651d", "1e400s", "0x5s", "--5s",   "+-5s",   "5s5s"}},
            {"lossRate",
             {"0.1x",
              "-0.1",
              "1.1",
              "nan",
              "inf",
              "-inf",
              "1e400",
              "10%",
              "0,1",
              ".5",
              "1.",
              "0x0.1p1",
              " 0.1",
              "0.1 ",
              "one",
              "1e",
              "1e+"}},
            {"number", {"-10.1", "11", "1e2", "2.5.", "--1", "+-1", "NAN", "infinity", "1f"}},
            {"receiver", {"Naive", "nave", "naive ", "scatter", "0"}},
            {"force", {"yes", "no", "2", "True", "on", "tru"}},
            {"queue",
             {"7",
              "0p",
              "0B",
              "-1p",
              "5GB",
              "1.5p",
              "1e3p",
              "p",
              "5 p",
              "5packets",
              "5P",
              "4294967296p",
              "5000MB",
              "0.0001kB",
              "nanp",
              "10000p "}},
        };
        std::size_t tried = 0;
        for (const auto& [name, texts] : table)
        {
            for (const auto& text : texts)
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
        NS_TEST_EXPECT_MSG_GT(tried, 150, "a table worth its name");
    }
};

/** @brief Remedies say what to write. */
class RemediesCase : public TestCase
{
  public:
    RemediesCase()
        : TestCase("remedies name what to write")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::pair<Arguments, std::string>> table = {
            {{"--bytes=-5"}, "--bytes=-5: give a positive size, such as 450MB"},
            {{"--rtt=100"}, "--rtt=100: the unit is missing, write --rtt=100ms"},
            {{"--rate=5"}, "--rate=5: the unit is missing, write --rate=5Mbps"},
            {{"--queue=7"},
             "--queue=7: the unit is missing, write --queue=7p, or with B for bytes"},
            {{"--bytes=1e9"}, "--bytes=1e9: write the number without an exponent, such as 450MB"},
            {{"--bites=5"}, "--bites=5: unknown flag, did you mean --bytes? --PrintHelp lists all"},
            {{"--LOSSRATE=0"},
             "--LOSSRATE=0: unknown flag, did you mean --lossRate? --PrintHelp lists all"},
            {{"--zzzzzzzz=5"}, "--zzzzzzzz=5: unknown flag --PrintHelp lists all"},
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
        for (const char* odd :
             {"-5", "--", "", "-", "=", "---bytes=5", "--=5", "- bytes", "bytes=5"})
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
        const std::string hostile(100000, 'x');
        const auto error = kinds.flags.Check({"--" + hostile + "=" + hostile});
        NS_TEST_EXPECT_MSG_LT(error.value_or(hostile).size(), 1000, "long texts are cut");
    }
};

/** @brief Global values and attributes of ns-3. */
class ForeignArgumentsCase : public TestCase
{
  public:
    ForeignArgumentsCase()
        : TestCase("global values and attributes of ns-3 are checked before ns-3 sees them")
    {
    }

  private:
    void DoRun() override
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
            {"--ns3::TcpSocket::SndBufSize=1e6", "uint32_t"},
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
            {"--ns3::Ipv4L3Protocol::DefaultTtl=300", "uint8_t"},
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
        NS_TEST_EXPECT_MSG_EQ(
            kinds.flags.Check({"--RngRun=3", "--count=5", "--RngRun=3"}).has_value(),
            true,
            "given twice");
        const uint64_t run = RngSeedManager::GetRun();
        NS_TEST_EXPECT_MSG_EQ(kinds.flags.Check({"--RngRun=77", "--count=5"}).has_value(),
                              false,
                              "good");
        NS_TEST_EXPECT_MSG_EQ(kinds.Value("RngRun"), "77", "run.json will tell");
        NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetRun(), run, "a check sets nothing of ns-3");
    }
};

/** @brief Texts of --topology. */
class FactoryTextsCase : public TestCase
{
  public:
    FactoryTextsCase()
        : TestCase("a class with attributes is read strictly")
    {
    }

  private:
    void DoRun() override
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
};

/** @brief Parse() as a program calls it. */
class ParseCase : public TestCase
{
  public:
    ParseCase()
        : TestCase("Parse sets ns-3 up, explains itself, or ends with one line and status 1")
    {
    }

  private:
    void DoRun() override
    {
        const auto good = RunInChild([] {
            AllKinds kinds;
            Parse(kinds,
                  {"--bytes=5MB", "--force", "--RngRun=42", "--ns3::TcpSocket::SegmentSize=99"});
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
        bool isThrown = false;
        try
        {
            kinds.flags.Switch("bytes", "again", kinds.force);
        }
        catch (const std::logic_error&)
        {
            isThrown = true;
        }
        NS_TEST_EXPECT_MSG_EQ(isThrown, true, "a name is declared once");
    }
};

/** @brief Properties that hold for any text and any value. */
class PropertiesCase : public TestCase
{
  public:
    PropertiesCase()
        : TestCase("what is printed reads back equal, and ns-3 agrees about what is taken")
    {
    }

  private:
    void DoRun() override
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
            NS_TEST_ASSERT_MSG_EQ(*values::ReadBytes(values::PrintBytes(value)).value,
                                  value,
                                  "bytes");
            NS_TEST_ASSERT_MSG_EQ(
                values::ReadRate(values::PrintRate(DataRate(value))).value->GetBitRate(),
                value,
                "rate");
            // Times pass through a double: exact up to 2^53.
            const Time time = TimeStep(value >> 11);
            NS_TEST_ASSERT_MSG_EQ(*values::ReadTime(values::PrintTime(time)).value, time, "time");
            const QueueSize size(value % 2 ? QueueSizeUnit::PACKETS : QueueSizeUnit::BYTES,
                                 static_cast<uint32_t>(value));
            NS_TEST_ASSERT_MSG_EQ(
                (*values::ReadQueueSize(values::PrintQueueSize(size)).value == size),
                true,
                "queue size");
            const double number = std::bit_cast<double>(random());
            if (std::isfinite(number))
            {
                NS_TEST_ASSERT_MSG_EQ(*values::ReadNumber(values::PrintNumber(number)).value,
                                      number,
                                      "number");
            }
        }

        // Random texts: never a crash, and what is taken is what ns-3 takes it for.
        const std::vector<std::string> pieces = {
            "0",  "1",    "5",   "12",  "600", ".",   "-",    "+", "e",
            "E",  "s",    "ms",  "us",  "ns",  "k",   "M",    "G", "b",
            "B",  "bps",  "b/s", "B/s", "ib",  "KiB", "Mbps", "p", "kp",
            "MB", " ",    ",",   "nan", "inf", "0x",  "/",    "=", "--",
            "\n", "\xff", "]",   "[",   "|",   "min", "h",    "d", "999999999999"};
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
            NS_TEST_ASSERT_MSG_EQ(FindJsonText("{\"a\": {" + text + "}}", "b").has_value(),
                                  false,
                                  "no text there");
        }
        NS_TEST_EXPECT_MSG_GT(taken, 1000, "the random texts hit good ones too");
    }
};

/** @brief JSON, written and looked into. */
class JsonCase : public TestCase
{
  public:
    JsonCase()
        : TestCase("JSON is escaped, and a damaged document is never taken for one")
    {
    }

  private:
    void DoRun() override
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
        NS_TEST_EXPECT_MSG_EQ(FindJsonText(text, "program").value_or(""),
                              "outer \"quoted\" \\ text",
                              "only the outermost counts");
        NS_TEST_EXPECT_MSG_EQ(FindJsonText(text, "format").has_value(), false, "not a text");
        const std::size_t end = text.find("\\ text\"") + 6;
        for (std::size_t length = 0; length < end; ++length)
        {
            NS_TEST_EXPECT_MSG_EQ(FindJsonText(text.substr(0, length), "program").has_value(),
                                  false,
                                  "cut short at " << length);
        }
        const std::string deep(1000000, '[');
        NS_TEST_EXPECT_MSG_EQ(FindJsonText("{\"a\": " + deep, "b").has_value(), false, "deep");
        for (const char* bad : {"", "[]", "\"program\"", "{}", "{program: \"x\"}", "nonsense"})
        {
            NS_TEST_EXPECT_MSG_EQ(FindJsonText(bad, "program").has_value(), false, bad);
        }
    }
};

/** @brief The suite of the strict command line. */
class LfnFlagsTestSuite : public TestSuite
{
  public:
    LfnFlagsTestSuite()
        : TestSuite("lfn-flags", Type::UNIT)
    {
        AddTestCase(new GoodValuesCase, TestCase::Duration::QUICK);
        AddTestCase(new BadValuesCase, TestCase::Duration::QUICK);
        AddTestCase(new RemediesCase, TestCase::Duration::QUICK);
        AddTestCase(new ForeignArgumentsCase, TestCase::Duration::QUICK);
        AddTestCase(new FactoryTextsCase, TestCase::Duration::QUICK);
        AddTestCase(new ParseCase, TestCase::Duration::QUICK);
        AddTestCase(new PropertiesCase, TestCase::Duration::QUICK);
        AddTestCase(new JsonCase, TestCase::Duration::QUICK);
    }
};

LfnFlagsTestSuite g_lfnFlagsTestSuite; //!< registers the suite

} // namespace
