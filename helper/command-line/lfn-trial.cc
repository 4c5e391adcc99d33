// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-trial.h"

#include "lfn-last-words.h"

#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/lfn-point-to-point-link.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-helper.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <streambuf>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::lfn
{

namespace
{

constexpr rlim_t MOST_CPU_SECONDS = 2;     //!< that a child may take; it needs a hundredth
constexpr unsigned MOST_WALL_SECONDS = 60; //!< on a machine that has others to serve

/** @brief Writes to the file of stderr, whatever holds lines back in the parent. */
class StraightBuffer : public std::streambuf
{
  protected:
    int_type overflow(int_type c) override
    {
        const char letter = traits_type::to_char_type(c);
        return write(STDERR_FILENO, &letter, 1) == 1 ? traits_type::not_eof(c) : traits_type::eof();
    }
};

/**
 * @brief Be the child: the complaints go to the parent, and there is an end to it.
 * @param trial What to run.
 * @param complaints Where to write what is said on stderr.
 */
[[noreturn]] void
BeChild(const std::function<bool()>& trial, int complaints)
{
    dup2(complaints, STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // whoever kills the program means its trials as well
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0)
    {
        dup2(nowhere, STDOUT_FILENO);
    }
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const rlimit some{MOST_CPU_SECONDS, MOST_CPU_SECONDS};
    setrlimit(RLIMIT_CPU, &some);
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGALRM, SIGXCPU})
    {
        std::signal(signal, SIG_DFL);
    }
    std::set_terminate(std::abort);
    StraightBuffer straight;
    std::cerr.rdbuf(&straight);
    alarm(MOST_WALL_SECONDS);
    bool good = false;
    try
    {
        good = trial();
    }
    catch (...)
    {
        good = false;
    }
    _exit(good ? 0 : 1);
}

} // namespace

std::optional<std::string>
TryInChild(const std::function<bool()>& trial)
{
    std::cout.flush();
    std::cerr.flush();
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
    {
        // None to spare: the value will be tried for real soon enough.
        return std::nullopt;
    }
    const pid_t child = fork();
    if (child == 0)
    {
        BeChild(trial, ends[1]);
    }
    close(ends[1]);
    std::string said;
    std::array<char, 4096> buffer{};
    ssize_t got = 0;
    while (child > 0 &&
           ((got = read(ends[0], buffer.data(), buffer.size())) > 0 || (got < 0 && errno == EINTR)))
    {
        said.append(buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    close(ends[0]);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0)
    {
        if (errno != EINTR)
        {
            return std::nullopt;
        }
    }
    if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
    {
        return std::nullopt;
    }
    return LastWords::FindReason(said);
}

bool
RunSmallNetwork(const ObjectFactory* disc)
{
    constexpr uint16_t PORT = 38000;
    NodeContainer hosts(2);
    const LinkSettings settings{DataRate("2Mbps"), QueueSize("20p"), 1500};
    const auto devices =
        InstallLink(hosts.Get(0), hosts.Get(1), settings, CreateObject<PointToPointChannel>());
    InternetStackHelper().Install(hosts);
    Ipv4AddressHelper addresses("10.1.1.0", "255.255.255.0");
    const auto interfaces = addresses.Assign(devices);
    RemoveQueueDiscs(devices);
    if (disc)
    {
        XcpHelper helper;
        helper.SetQueueDisc(*disc);
        helper.InstallPort(devices.Get(0));
    }
    const auto install = [&](Ptr<Application> source, Ptr<Application> sink, uint64_t bytes) {
        const InetSocketAddress remote(interfaces.GetAddress(1), PORT);
        source->SetAttribute("Remote", AddressValue(remote));
        source->SetAttribute("Bytes", UintegerValue(bytes));
        sink->SetAttribute("Port", UintegerValue(PORT));
        hosts.Get(0)->AddApplication(source);
        hosts.Get(1)->AddApplication(sink);
    };
    const auto datagrams = CreateObject<UdpSource>();
    datagrams->SetAttribute("SendRate", DataRateValue(DataRate("4Mbps")));
    install(datagrams, CreateObject<UdpSink>(), 200'000);
    install(CreateObject<TcpSource>(), CreateObject<TcpSink>(), 100'000);
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    Simulator::Destroy();
    return true;
}

} // namespace ns3::lfn
