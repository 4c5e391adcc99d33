// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-alone-flows.h"

#include "ns3/log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("AloneFlows");

AloneFlows::AloneFlows(Flags& flags, RunRecorder& recorder)
    : m_flags(flags),
      m_recorder(recorder)
{
}

void
AloneFlows::Declare()
{
    m_flags.Switch("alone",
                   "simulate each flow on a network of its own, one after the other; its metrics "
                   "of the path in series.csv have its number",
                   m_isWanted);
}

bool
AloneFlows::MakeRuns(uint32_t flows)
{
    NS_LOG_FUNCTION(this << flows);
    if (!m_isWanted)
    {
        return false;
    }
    for (const auto* name : {"background", "live", "pcap", "netAnim", "flowMonitor", "attributes"})
    {
        m_flags.RefuseIf(m_flags.IsSet(name),
                         name,
                         "it belongs to one network, and --alone makes one for each flow: leave "
                         "one of them away");
    }
    std::vector<std::string> packed; // added last, so that no child begins with others' rows
    InstalledObjects::Absent absent; // in every simulation
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        std::array<int, 2> ends{-1, -1};
        const pid_t parent = getpid();
        std::cout.flush();
        const pid_t child = pipe(ends.data()) == 0 ? fork() : -1;
        if (child < 0)
        {
            m_flags.Exit("--alone: no process for flow " + std::to_string(flow) + ": " +
                         std::strerror(errno));
        }
        if (child == 0)
        {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != parent)
            {
                _exit(1);
            }
            close(ends[0]);
            m_pipe = ends[1];
            m_flow = flow;
            m_recorder.SetPathNumber(flow);
            return false;
        }
        close(ends[1]);
        packed.push_back(Await(child, ends[0]));
        close(ends[0]);
        auto here = TakeAbsent(packed.back());
        const auto isTaken = [&](const auto& argument) { return !here.contains(argument.first); };
        flow == 0 ? absent.swap(here) : static_cast<void>(std::erase_if(absent, isTaken));
    }
    if (!absent.empty())
    {
        m_flags.Refuse(absent.begin()->first, absent.begin()->second);
    }
    for (const auto& one : packed)
    {
        m_recorder.Add(one);
    }
    return true;
}

std::string
AloneFlows::Await(int child, int pipe) const
{
    std::string packed;
    std::array<char, 65536> buffer;
    for (ssize_t size = 1; size != 0;)
    {
        size = read(pipe, buffer.data(), buffer.size());
        if (size < 0 && errno != EINTR)
        {
            break;
        }
        packed.append(buffer.data(), static_cast<std::size_t>(size > 0 ? size : 0));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    if (WIFSIGNALED(status))
    {
        m_flags.Exit("--alone: a simulation was ended by signal " +
                     std::to_string(WTERMSIG(status)));
    }
    if (WEXITSTATUS(status) != 0)
    {
        std::exit(1); // the child has given the reason
    }
    return packed;
}

InstalledObjects::Absent
AloneFlows::TakeAbsent(std::string& passed)
{
    InstalledObjects::Absent absent;
    std::size_t place = 0;
    const auto takeLine = [&] {
        const auto end = std::min(passed.find('\n', place), passed.size());
        const auto line = passed.substr(place, end - place);
        place = std::min(end + 1, passed.size());
        return line;
    };
    for (auto argument = takeLine(); !argument.empty(); argument = takeLine())
    {
        absent[argument] = takeLine();
    }
    passed.erase(0, place);
    return absent;
}

std::optional<uint32_t>
AloneFlows::GetFlow() const
{
    return m_flow;
}

void
AloneFlows::HandOver(const RunCost& cost, const InstalledObjects::Absent& absent) const
{
    NS_LOG_FUNCTION(this);
    std::string packed;
    for (const auto& [argument, remedy] : absent)
    {
        packed += argument + "\n" + remedy + "\n";
    }
    packed += "\n" + m_recorder.Pack(cost);
    std::size_t written = 0;
    while (written < packed.size())
    {
        const auto size = write(m_pipe, packed.data() + written, packed.size() - written);
        if (size < 0 && errno != EINTR)
        {
            m_flags.Exit(std::string("--alone: ") + std::strerror(errno));
        }
        written += static_cast<std::size_t>(size > 0 ? size : 0);
    }
    close(m_pipe);
}

} // namespace ns3::lfn
