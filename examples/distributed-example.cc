// SPDX-License-Identifier: GPL-2.0-only

// One network in two processes, by ns-3's MPI: senders in one, receivers in the other. Where ns-3
// was built without MPI, or is not run by mpirun, one process simulates all of it.

#include "ns3/core-module.h"
#include "ns3/lfn-dumbbell-topology.h"
#include "ns3/lfn-flags.h"
#include "ns3/lfn-transport.h"
#include "ns3/network-module.h"

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>
#if defined(NS3_MPI) && __has_include("ns3/mpi-interface.h")
#include "ns3/mpi-interface.h"
#define WITH_MPI
#endif

using namespace ns3;

namespace
{

/** @brief End the program with an error's line, if there is one. */
void
EndIf(const std::optional<std::string>& error)
{
    if (error)
    {
        std::cerr << "distributed-example: " << *error << std::endl;
        std::exit(1);
    }
}

/** @brief Install a transfer between every pair of hosts, of which each process starts its own. */
std::vector<lfn::TransportEnds>
InstallFlows(Ptr<lfn::Transport> transport, Ptr<lfn::TransportTopology> topology, uint64_t bytes)
{
    std::vector<lfn::TransportEnds> all(topology->GetSenders().GetN());
    for (uint32_t i = 0; i < all.size(); ++i)
    {
        lfn::TransportFlow flow;
        flow.index = i;
        flow.sender = topology->GetSenders().Get(i);
        flow.receiver = topology->GetReceivers().Get(i);
        flow.senderAddress = topology->GetSenderEnd(i);
        flow.receiverAddress = topology->GetReceiverEnd(i);
        flow.port = 5000;
        flow.bytes = bytes;
        flow.start = MilliSeconds(i);
        flow.sendRate = DataRate("10Mbps");
        flow.rtt = topology->GetRtt(i);
        flow.packetSize = 1400;
        flow.windowBytes = 1'000'000;
        flow.stream = 1000 * i;
        EndIf(transport->Install(flow, all[i]));
        lfn::LeaveOtherRanks(all[i]);
    }
    return all;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t pairs = 16;
    std::string name = "tcp";
    uint64_t bytes = 1'000'000;
    lfn::Flags flags("distributed-example", "Transfers over a dumbbell that MPI splits in two.");
    flags.Count("pairs", "Pairs of hosts, with a transfer each.", pairs, 1, 10000);
    std::vector<Ptr<lfn::Transport>> transports;
    flags.Text("transport", "What carries them.", name, [&transports](const std::string& text) {
        return lfn::Transport::Read(text, transports);
    });
    flags.Bytes("bytes", "User bytes of a transfer.", bytes);
    flags.Parse(argc, argv);
    lfn::Transport::Read(name, transports);

    uint32_t ranks = 1;
#ifdef WITH_MPI
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DistributedSimulatorImpl"));
    MpiInterface::Enable(&argc, &argv);
    ranks = MpiInterface::GetSize();
    EndIf(ranks > 2 ? std::optional<std::string>("two processes at most: mpirun -np 2")
                    : std::nullopt);
#endif
    const auto topology = CreateObject<lfn::DumbbellTopology>();
    topology->SetAttribute("Pairs", UintegerValue(pairs));
    topology->SetAttribute("Ranks", UintegerValue(ranks));
    topology->SetAttribute("BottleneckDelay", TimeValue(MilliSeconds(5)));
    topology->Build();
    EndIf(transports[0]->Prepare(*topology));
    const auto flows = InstallFlows(transports[0], topology, bytes);
    Simulator::Stop(Seconds(60));
    Simulator::Run();

    uint64_t sentBytes = 0;
    uint64_t deliveredBytes = 0;
    for (const auto& flow : flows)
    {
        // Those of the other rank never started.
        sentBytes += flow.source->GetReport().offeredBytes;
        deliveredBytes += flow.sink->GetReport().deliveredBytes;
    }
    std::cout << "rank " << Simulator::GetSystemId() << " of " << ranks << ": " << sentBytes
              << " B offered, " << deliveredBytes << " B delivered" << std::endl;
    Simulator::Destroy();
#ifdef WITH_MPI
    MpiInterface::Disable();
#endif
    return 0;
}
