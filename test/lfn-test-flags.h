// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_FLAGS_H
#define LFN_TEST_FLAGS_H

#include "ns3/lfn-flags.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ns3::lfn::test
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
        flags.Bytes("packetSize", "user bytes per datagram", packetSize, 1U, 65507U);
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

    /// The value of a flag in canonical text.
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

/// Run something that ends the process: what it left.
inline ChildResult
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
        std::fseek(files[i], 0, SEEK_SET);
        std::string& text = i == 0 ? result.out : result.err;
        for (int c = std::fgetc(files[i]); c != EOF; c = std::fgetc(files[i]))
        {
            text += static_cast<char>(c);
        }
        std::fclose(files[i]);
    }
    return result;
}

/// Hand a command line, without the program's name, to Flags::Parse().
inline void
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

} // namespace ns3::lfn::test

#endif // LFN_TEST_FLAGS_H
