// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-files.h"
#include "lfn-test-throws.h"

#include "ns3/lfn-json.h"
#include "ns3/lfn-output-folder.h"
#include "ns3/lfn-run-recorder.h"
#include "ns3/lfn-transfer-report.h"
#include "ns3/simulator.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace fs = std::filesystem;

namespace
{

/// Write a file.
void
Put(const fs::path& path, const std::string& text)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

/// The content of everything below a folder, by relative path.
std::map<std::string, std::string>
Tree(const fs::path& folder)
{
    std::map<std::string, std::string> tree;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
    {
        tree[entry.path().lexically_relative(folder).string()] =
            entry.is_regular_file() ? Read(entry.path()) : "(folder)";
    }
    return tree;
}

/// A report with a value in every member.
TransferReport
MakeReport()
{
    TransferReport report;
    report.protocol = "rbudp";
    report.variant = "naive";
    report.applicationStart = MilliSeconds(50);
    report.start = MilliSeconds(100);
    report.finish = NanoSeconds(6100000001);
    report.lastDelivery = Seconds(6);
    report.started = true;
    report.completed = true;
    report.offeredBytes = 450000000;
    report.deliveredBytes = 450000000;
    report.lostBytes = 7;
    report.dataPackets = 310345;
    report.retransmittedPackets = 12;
    report.controlPackets = 3;
    return report;
}

/** @brief Numbers, times and quotes. */
LFN_CASE(PrintingCase)
{
    const std::vector<std::pair<double, std::string>> numbers = {
        {0.0, "0"},
        {-0.0, "0"},
        {1.0, "1"},
        {0.1, "0.1"},
        {1.0 / 3, "0.333333333333"},
        {600000000.0, "600000000"},
        {599999999.99949, "599999999.999"},
        {1e12, "1e+12"},
        {-2.5, "-2.5"},
        {1e-9, "1e-09"},
        {std::numeric_limits<double>::quiet_NaN(), "nan"},
        {std::numeric_limits<double>::infinity(), "inf"},
        {-std::numeric_limits<double>::infinity(), "-inf"},
    };
    for (const auto& [number, text] : numbers)
    {
        NS_TEST_EXPECT_MSG_EQ(RunRecorder::Print(number), text, "number");
    }
    const std::vector<std::pair<Time, std::string>> times = {
        {Time(0), "0"},
        {NanoSeconds(1), "0.000000001"},
        {MilliSeconds(100), "0.1"},
        {Seconds(6), "6"},
        {NanoSeconds(6100000001), "6.100000001"},
        {NanoSeconds(-1500000000), "-1.5"},
        {Days(3650), "315360000"},
        {TimeStep(INT64_MAX), "9223372036.854775807"},
        {TimeStep(INT64_MIN), "-9223372036.854775808"},
    };
    for (const auto& [time, text] : times)
    {
        NS_TEST_EXPECT_MSG_EQ(RunRecorder::Print(time), text, "time");
    }
    NS_TEST_EXPECT_MSG_EQ(RunRecorder::Print(UINT64_MAX), "18446744073709551615", "count");
    NS_TEST_EXPECT_MSG_EQ(RunRecorder::Quote("plain text"), "plain text", "no quotes needed");
    NS_TEST_EXPECT_MSG_EQ(RunRecorder::Quote("a,b"), "\"a,b\"", "comma");
    NS_TEST_EXPECT_MSG_EQ(RunRecorder::Quote("a\"b"), "\"a\"\"b\"", "quote");
    NS_TEST_EXPECT_MSG_EQ(RunRecorder::Quote("a\nb"), "\"a\nb\"", "line break");
    NS_TEST_EXPECT_MSG_EQ(RunRecorder::Quote("a\rb"), "\"a\rb\"", "carriage return");
}

/** @brief The files themselves. */
LFN_CASE(FilesCase)
{
    ScratchFolder scratch;
    const fs::path folder = scratch / "deep/er/run";
    RunRecorder recorder("rbudp-transfer");
    recorder.SetOutput(folder.string(), false);
    recorder.Enable(true, true);
    recorder.AddColumns({"blasts", "failure"});
    recorder.SetFlags({{"bytes", "450MB"}, {"text", "a \"b\"\n"}}, {{"bytes", "450000000"}});
    NS_TEST_EXPECT_MSG_EQ(recorder.Prepare().value_or(""), "", "all is well");
    NS_TEST_EXPECT_MSG_EQ(Tree(scratch.Path()).empty(), true, "a check leaves nothing behind");

    recorder.AddFlow(0, MakeReport(), {{"blasts", "2"}});
    TransferReport failed;
    failed.protocol = "rbudp";
    recorder.AddFlow(1, failed, {{"failure", "no answer, 3 tries"}});
    recorder.Sample(MilliSeconds(100), -1, "queue_packets", 12);
    recorder.Sample(MilliSeconds(200), 0, "goodput_bps", 1.5e8);
    recorder.Message(MicroSeconds(5), 0, "sender", "tx", "data", 0, 17, 1450);
    RunCost cost;
    cost.simulated = MilliSeconds(6200);
    cost.wallSeconds = 0.25;
    cost.events = 123456789;
    cost.peakResidentBytes = 20000000;
    NS_TEST_EXPECT_MSG_EQ(recorder.Write(cost).value_or(""), "", "written");

    NS_TEST_EXPECT_MSG_EQ(
        Read(folder / "summary.csv"),
        "flow,protocol,variant,start_s,finish_s,completed,offered_bytes,delivered_bytes,"
        "lost_bytes,goodput_bps,data_packets,retransmitted_packets,control_packets,"
        "last_delivery_s,application_start_s,blasts,failure\n"
        "0,rbudp,naive,0.1,6.100000001,1,450000000,450000000,7,605042016.807,310345,12,3,6,0.05,2,"
        "\n"
        "1,rbudp,,,,0,0,0,0,0,0,0,0,,0,,\"no answer, 3 tries\"\n",
        "summary");
    NS_TEST_EXPECT_MSG_EQ(Read(folder / "series.csv"),
                          "time_s,flow,metric,value\n"
                          "0.1,-1,queue_packets,12\n"
                          "0.2,0,goodput_bps,150000000\n",
                          "series");
    NS_TEST_EXPECT_MSG_EQ(Read(folder / "messages.csv"),
                          "time_s,flow,node,event,message,round,sequence,bytes\n"
                          "0.000005,0,sender,tx,data,0,17,1450\n",
                          "messages");
    const std::string run = Read(folder / "run.json");
    NS_TEST_EXPECT_MSG_EQ(JsonObject::HasText(run, "program", "rbudp-transfer"), true, run);
    for (const char* part : {"\"format\": 1,",
                             "\"bytes\": \"450MB\"",
                             "\"text\": \"a \\\"b\\\"\\u000a\"",
                             "\"lfn\": \"",
                             "\"ns3\": \"",
                             "\"rng_seed\": ",
                             "\"rng_run\": ",
                             "\"simulated_s\": 6.2,",
                             "\"wall_s\": 0.25,",
                             "\"events\": 123456789,",
                             "\"peak_resident_bytes\": 20000000"})
    {
        NS_TEST_EXPECT_MSG_NE(run.find(part), std::string::npos, part << " in " << run);
    }
    NS_TEST_EXPECT_MSG_EQ(Tree(scratch.Path()).size(), 7, "three folders and four files");

    bool isThrown = Throws<std::logic_error>([&] { recorder.AddFlow(2, failed, {{"nope", "1"}}); });
    NS_TEST_EXPECT_MSG_EQ(isThrown, true, "an unknown column is the program's error");
    isThrown = Throws<std::logic_error>([&] { recorder.AddColumns({"goodput_bps"}); });
    NS_TEST_EXPECT_MSG_EQ(isThrown, true, "a column is declared once");
}

/** @brief A folder's rules for a program "mine". */
OutputFolder
Mine(const fs::path& folder, bool force = false)
{
    return OutputFolder(folder.string(), "mine", {"summary.csv", "series.csv", "run.json"}, force);
}

/** @brief The files of a run, distinguished by the tag. */
OutputFolder::Files
MakeFiles(const std::string& tag, bool hasSeries = false)
{
    OutputFolder::Files files = {{"summary.csv", tag}};
    if (hasSeries)
    {
        files.emplace_back("series.csv", tag);
    }
    files.emplace_back("run.json", "{\n  \"program\": \"mine\",\n  \"tag\": \"" + tag + "\"\n}");
    return files;
}

/** @brief Earlier runs of the same program. */
LFN_CASE(ReplacementCase)
{
    ScratchFolder scratch;
    const fs::path run = scratch / "run";
    NS_TEST_EXPECT_MSG_EQ(Mine(run).Check().value_or(""), "", "absent");
    NS_TEST_EXPECT_MSG_EQ(fs::exists(run), false, "not made by a check");
    NS_TEST_EXPECT_MSG_EQ(Mine(run).Write(MakeFiles("one", true)).value_or(""), "", "first");
    NS_TEST_EXPECT_MSG_EQ(Read(run / "series.csv"), "one", "there");
    fs::permissions(run, fs::perms::owner_all);
    NS_TEST_EXPECT_MSG_EQ(Mine(run).Check().value_or(""), "", "same program");
    NS_TEST_EXPECT_MSG_EQ(Read(run / "series.csv"), "one", "not touched by a check");
    NS_TEST_EXPECT_MSG_EQ(Mine(run).Write(MakeFiles("two")).value_or(""), "", "second");
    NS_TEST_EXPECT_MSG_EQ(Read(run / "summary.csv"), "two", "replaced");
    NS_TEST_EXPECT_MSG_EQ(fs::exists(run / "series.csv"), false, "no stale series");
    NS_TEST_EXPECT_MSG_EQ((fs::status(run).permissions() == fs::perms::owner_all),
                          true,
                          "the folder's permissions stay");
    NS_TEST_EXPECT_MSG_EQ(Tree(scratch.Path()).size(), 3, "nothing is left next to it");

    // What a killed run of this machine left next to the folder goes away.
    const pid_t child = fork();
    if (child == 0)
    {
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    std::array<char, 64> host{};
    gethostname(host.data(), host.size() - 1);
    std::string name(host.data());
    for (char& c : name)
    {
        c = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
    }
    Put(scratch / (".run.lfn-" + name + "-" + std::to_string(child) + "/summary.csv"), "old");
    Put(scratch / ".run.lfn-elsewhere-1/summary.csv", "busy");
    NS_TEST_EXPECT_MSG_EQ(Mine(run).Write(MakeFiles("three")).value_or(""), "", "third");
    NS_TEST_EXPECT_MSG_EQ(Tree(scratch.Path()).size(), 5, "the dead one's scratch is gone");

    fs::create_directory_symlink(run, scratch / "link");
    NS_TEST_EXPECT_MSG_EQ(Mine(scratch / "link").Write(MakeFiles("four")).value_or(""), "", "link");
    NS_TEST_EXPECT_MSG_EQ(fs::is_symlink(scratch / "link"), true, "still a link");
    NS_TEST_EXPECT_MSG_EQ(Read(run / "summary.csv"), "four", "written behind it");

    const fs::path before = fs::current_path();
    fs::current_path(run);
    NS_TEST_EXPECT_MSG_EQ(Mine(".").Check().value_or(""), "", "here");
    NS_TEST_EXPECT_MSG_EQ(Mine(".").Write(MakeFiles("five")).value_or(""), "", "here");
    NS_TEST_EXPECT_MSG_EQ(Read("summary.csv"), "five", "any host that stands in it sees it");
    fs::current_path(before);
    NS_TEST_EXPECT_MSG_EQ(Mine(run / "").Write(MakeFiles("six")).value_or(""),
                          "",
                          "a slash behind");
    NS_TEST_EXPECT_MSG_EQ(Read(run / "summary.csv"), "six", "same folder");

    fs::create_directory(scratch / "empty");
    NS_TEST_EXPECT_MSG_EQ(Mine(scratch / "empty").Check().value_or(""), "", "empty");
    NS_TEST_EXPECT_MSG_EQ(Mine(scratch / "empty").Write(MakeFiles("x")).value_or(""), "", "empty");
    NS_TEST_EXPECT_MSG_EQ(Read(scratch / "empty/summary.csv"), "x", "written");
}

/** @brief Folders that hold something else. */
LFN_CASE(RefusalsCase)
{
    ScratchFolder scratch;
    const std::string mine = "{\n  \"program\": \"mine\"\n}";
    Put(scratch / "notes/notes.txt", "mine, by hand");
    Put(scratch / "other/run.json", "{\n  \"program\": \"yours\"\n}");
    Put(scratch / "other/summary.csv", "yours");
    Put(scratch / "norun/summary.csv", "whose?");
    Put(scratch / "damaged/run.json", "{\n  \"program\": \"mi");
    Put(scratch / "nested/run.json", "{\n  \"flags\": {\n    \"program\": \"mine\"\n  }\n}");
    Put(scratch / "more/run.json", mine);
    Put(scratch / "more/notes.txt", "mine, by hand");
    Put(scratch / "sub/run.json", mine);
    Put(scratch / "sub/folder/file", "deep");
    Put(scratch / "linked/run.json", mine);
    fs::create_symlink(scratch / "notes/notes.txt", scratch / "linked/summary.csv");
    Put(scratch / "inway/run.json/file", "a folder by that name");
    Put(scratch / "file", "a file");
    fs::create_symlink(scratch / "nowhere", scratch / "dangling");
    const auto before = Tree(scratch.Path());
    for (const char* name :
         {"notes", "other", "norun", "damaged", "nested", "more", "sub", "linked"})
    {
        const auto trouble = Mine(scratch / name).Check();
        NS_TEST_EXPECT_MSG_NE(trouble.value_or("").find("--force"), std::string::npos, name);
        NS_TEST_EXPECT_MSG_EQ(Mine(scratch / name, true).Check().value_or(""), "", name);
    }
    for (const char* name : {"inway", "file", "file/below", "dangling"})
    {
        NS_TEST_EXPECT_MSG_EQ(Mine(scratch / name).Check().has_value(), true, name);
        NS_TEST_EXPECT_MSG_EQ(Mine(scratch / name, true).Check().has_value(), true, name);
    }
    NS_TEST_EXPECT_MSG_EQ((Tree(scratch.Path()) == before), true, "checks touch nothing");

    NS_TEST_EXPECT_MSG_EQ(Mine(scratch / "more", true).Write(MakeFiles("new")).value_or(""),
                          "",
                          "");
    NS_TEST_EXPECT_MSG_EQ(Read(scratch / "more/summary.csv"), "new", "ours is written");
    NS_TEST_EXPECT_MSG_EQ(Read(scratch / "more/notes.txt"), "mine, by hand", "theirs stays");
    NS_TEST_EXPECT_MSG_EQ(Mine(scratch / "linked", true).Write(MakeFiles("new")).value_or(""),
                          "",
                          "");
    NS_TEST_EXPECT_MSG_EQ(Read(scratch / "notes/notes.txt"),
                          "mine, by hand",
                          "a link is replaced, not what it points at");
}

/** @brief Places where nothing can be written. */
LFN_CASE(PlacesCase)
{
    ScratchFolder scratch;
    // A chroot may have an ordinary folder by that name.
    if (fs::exists("/proc/self"))
    {
        NS_TEST_EXPECT_MSG_EQ(Mine("/proc/lfn").Check().has_value(), true, "not a real disk");
        NS_TEST_EXPECT_MSG_EQ(Mine("/proc/a/b/c").Check().has_value(), true, "nor below it");
        NS_TEST_EXPECT_MSG_EQ(Mine("/proc/lfn").Write(MakeFiles("x")).has_value(),
                              true,
                              "reported");
    }
    NS_TEST_EXPECT_MSG_EQ(Mine("").Check().has_value(), true, "no name");
    NS_TEST_EXPECT_MSG_EQ(Mine(scratch / std::string(300, 'x')).Check().has_value(),
                          true,
                          "too long");
    NS_TEST_EXPECT_MSG_EQ(Mine(scratch / ("a/" + std::string(300, 'x'))).Check().has_value(),
                          true,
                          "too long, below a missing one");
    const fs::path longest = scratch / std::string(255, 'x');
    NS_TEST_EXPECT_MSG_EQ(Mine(longest).Check().value_or(""), "", "as long as can be");
    NS_TEST_EXPECT_MSG_EQ(Mine(longest).Write(MakeFiles("x")).value_or(""), "", "written");
    if (geteuid() != 0)
    {
        fs::create_directory(scratch / "locked");
        fs::permissions(scratch / "locked", fs::perms::owner_read | fs::perms::owner_exec);
        NS_TEST_EXPECT_MSG_EQ(Mine(scratch / "locked").Check().has_value(), true, "locked");
        NS_TEST_EXPECT_MSG_EQ(Mine(scratch / "locked/x").Check().has_value(), true, "below");
    }
}

/** @brief A flow that has not ended when the run does. */
LFN_CASE(CutOffCase)
{
    TransferReport unfinished;
    unfinished.started = true;
    unfinished.start = Seconds(1);
    unfinished.deliveredBytes = 1000;
    TransferReport failed = unfinished;
    failed.finish = Seconds(2);
    RunRecorder recorder("rbudp-transfer");
    Simulator::Stop(Seconds(3));
    Simulator::Run();
    recorder.AddFlow(0, unfinished);
    recorder.AddFlow(1, failed);
    NS_TEST_EXPECT_MSG_EQ(recorder.GetRows()[0].fields[4], "3", "the run's end");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetRows()[1].fields[4], "2", "its own end");
    Simulator::Destroy();
}

/** @brief A file that cannot be written to its end: the earlier run stays, and nothing else. */
LFN_CASE(TooLargeCase)
{
    ScratchFolder scratch;
    const OutputFolder folder((scratch / "run").string(),
                              "mine",
                              {"series.csv", "run.json"},
                              false);
    const std::string run = "{\n  \"program\": \"mine\"\n}";
    const auto write = [&](std::size_t bytes) {
        const pid_t child = fork();
        if (child == 0)
        {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{100'000, 100'000};
            setrlimit(RLIMIT_FSIZE, &limit);
            const auto trouble =
                folder.Write({{"series.csv", std::string(bytes, 'x')}, {"run.json", run}});
            _exit(!trouble ? 0 : trouble->ends_with(std::strerror(EFBIG)) ? 1 : 2);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WEXITSTATUS(status);
    };
    NS_TEST_EXPECT_MSG_EQ(write(100'001), 1, "too large by one byte");
    NS_TEST_EXPECT_MSG_EQ(Tree(scratch.Path()).size(), 0, "nothing is there");
    NS_TEST_EXPECT_MSG_EQ(write(100'000), 0, "as large as can be");
    const auto before = Tree(scratch.Path());
    NS_TEST_EXPECT_MSG_EQ(write(1'000'000), 1, "much too large");
    NS_TEST_EXPECT_MSG_EQ((Tree(scratch.Path()) == before), true, "the earlier run is there");
}

/** @brief Runs that are killed while they write. */
LFN_CASE(KillCase)
{
    ScratchFolder scratch;
    const fs::path folder = scratch / "run";
    const std::vector<std::string> names = {"summary.csv", "series.csv", "run.json"};
    const auto makeRun = [](uint64_t number) {
        const std::string tag = std::to_string(number);
        // Large enough that a write takes its time.
        return OutputFolder::Files{
            {"summary.csv", tag + "\n" + std::string(100000, 's') + "\n" + tag},
            {"series.csv", tag + "\n" + std::string(300000, 'x') + "\n" + tag},
            {"run.json", "{\n  \"program\": \"mine\",\n  \"tag\": \"" + tag + "\"\n}"}};
    };
    for (uint64_t round = 0; round < 25; ++round)
    {
        const pid_t child = fork();
        if (child == 0)
        {
            for (uint64_t i = 0;; ++i)
            {
                OutputFolder(folder.string(), "mine", names, false)
                    .Write(makeRun(1000000 * round + i));
            }
        }
        std::this_thread::sleep_for(std::chrono::microseconds(5000 + 777 * round));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        if (!fs::exists(folder))
        {
            continue;
        }
        const std::string run = Read(folder / "run.json");
        const auto begin = run.find("\"tag\": \"");
        const std::string tag = begin == std::string::npos
                                    ? "(no tag)"
                                    : run.substr(begin + 8, run.find('"', begin + 8) - begin - 8);
        const auto whole = makeRun(std::strtoull(tag.c_str(), nullptr, 10));
        for (const auto& [name, text] : whole)
        {
            NS_TEST_EXPECT_MSG_EQ((Read(folder / name) == text), true, name << " of " << tag);
        }
        NS_TEST_EXPECT_MSG_EQ(std::distance(fs::directory_iterator(folder), {}), 3, "no more");
        NS_TEST_EXPECT_MSG_EQ(
            OutputFolder(folder.string(), "mine", names, false).Check().value_or(""),
            "",
            "and it may be replaced");
    }
    OutputFolder(folder.string(), "mine", names, false).Write(makeRun(1));
    NS_TEST_EXPECT_MSG_EQ(std::distance(fs::directory_iterator(scratch.Path()), {}),
                          1,
                          "the next run cleans up");
}

const Suite g_suite("lfn-recorder", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new PrintingCase("numbers, times and fields are printed the same way everywhere"));
    suite.Add(new FilesCase("summary, series, messages and run file hold what they promise"));
    suite.Add(new ReplacementCase("earlier runs of the same program"));
    suite.Add(new RefusalsCase("folders that hold something else"));
    suite.Add(new PlacesCase("places where nothing can be written"));
    suite.Add(new CutOffCase("a flow that the end of the run cuts off ends with it"));
    suite.Add(new TooLargeCase("a run that cannot be written to its end leaves the earlier one"));
    suite.Add(new KillCase("a run that is killed at any moment leaves one run's files, whole"));
});

} // namespace
