// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-forked-runs.h"

#include "ns3/rng-stream.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::lfn
{

namespace
{

/**
 * @brief Be the child: take the place of a program that was started with the run's command line.
 * @param request The words that differ from the parent's; none for the first run.
 * @param argc Number of arguments.
 * @param argv The arguments; those of the same names are replaced.
 */
void
BecomeRun(std::string& request, int argc, char* argv[])
{
    if (request.empty())
    {
        return;
    }
    const int log = open(request.c_str(), O_WRONLY | O_APPEND);
    if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
    {
        _exit(1);
    }
    close(log);
    for (auto at = std::strlen(request.c_str()) + 1; at < request.size();)
    {
        char* word = request.data() + at;
        const std::string_view text(word);
        const auto name = text.substr(0, text.find('=') + 1);
        for (int i = 1; i < argc; ++i)
        {
            argv[i] = std::string_view(argv[i]).starts_with(name) ? word : argv[i];
        }
        at += text.size() + 1;
    }
}

} // namespace

void
ForkRuns(int argc, char* argv[])
{
    const char* text = std::getenv("LFN_RUNS");
    if (!text)
    {
        return;
    }
    char* end = nullptr;
    const auto runner = static_cast<int>(std::strtol(text, &end, 10));
    const bool isMine = *end == ',' && std::strtol(end + 1, nullptr, 10) == getppid();
    unsetenv("LFN_RUNS");
    if (!isMine)
    {
        return;
    }
    RngStream(1, 1, 0); // the first one computes the table
    static std::string request;
    std::array<char, 65536> buffer{};
    const pid_t parent = getpid();
    for (ssize_t size = 0; size >= 0;)
    {
        request.assign(buffer.data(), static_cast<std::size_t>(size));
        const pid_t child = fork();
        if (child == 0)
        {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != parent)
            {
                _exit(1);
            }
            BecomeRun(request, argc, argv);
            return;
        }
        int status = 0;
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        {
        }
        const auto answer =
            std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
        if (child < 0 || send(runner, answer.data(), answer.size(), MSG_NOSIGNAL) < 0)
        {
            _exit(1);
        }
        size = recv(runner, buffer.data(), buffer.size(), 0);
        size = size == 0 ? -1 : size;
    }
    _exit(0);
}

} // namespace ns3::lfn
