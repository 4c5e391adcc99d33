// SPDX-License-Identifier: GPL-2.0-only

// Any transports on any topology, side by side, with an independent count of what came.
//
//   transport-comparison --transport=tcp,rbudp --bytes=50MB --lossRate=0.001 --alone
//   transport-comparison --transport="tcp[Congestion=ns3::TcpBbr],xcp" --flows=2 --background=tcp
//   transport-comparison --transport=vrp[MaxLossRate=0.05] --topology=ns3::lfn::DumbbellTopology
//   transport-comparison --transport=tcp,fec-udp,vrp,jrm --objects=control --lossRate=0.01

#include "ns3/core-module.h"
#include "ns3/lfn-alone-flows.h"
#include "ns3/lfn-comparison.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-transport.h"
#include "ns3/lfn-wording.h"
#include "ns3/network-module.h"

using namespace ns3;
using namespace ns3::lfn;

namespace
{

/// Declare the flags and the columns.
void
Declare(Scenario& scenario, ComparisonSettings& request)
{
    auto& flags = scenario.GetFlags();
    flags.Text("transport",
               "comma list of transports",
               request.transport,
               [](const std::string& text) {
                   std::vector<Ptr<Transport>> transports;
                   return Transport::Read(text, transports);
               });
    flags.Explain("transport", [] {
        return "comma list of " + Join(Transport::List()) +
               " or TypeIds, each with [Attribute=value|Attribute=value]";
    });
    flags.Count("flows", "flows of each transport", request.flows, 1, Comparison::MOST_FLOWS);
    flags.Bytes("bytes", "user bytes per flow; 0 sends until --duration", request.bytes, 0);
    flags.DurationList("start",
                       "when flows start: one time, or one a transport; unless given, when the "
                       "network is ready",
                       request.start);
    flags.DurationList("stop",
                       "when the sources of flows stop: one time, or one per transport; 0: when "
                       "their data have been sent, or with the run",
                       request.stop);
    flags.Rate("sendRate",
               "rate of user bits of a flow that needs a configured one",
               request.sendRate);
    flags.Explain("sendRate", [] {
        return "rate of user bits of a flow that needs a configured one (" +
               Join(Transport::List(&TransportTraits::usesSendRate)) +
               "); unless given nine tenths of the bottleneck, less headers, shared by all flows";
    });
    flags.Bytes("packetSize", "user bytes per packet", request.packetSize, 1, 65000);
    scenario.GetHosts().Declare("senderHost", "speed of the sending hosts", request.senderHost);
    scenario.GetHosts().Declare("receiverHost",
                                "speed of the receiving hosts",
                                request.receiverHost);
    request.objects.Declare(flags);
    flags.Switch("checkContent", "send a pattern and check every byte", request.checkContent);
    flags.Columns([] { return "Transports:" + Transport::Describe(); });
    scenario.Column("residual_loss", "lost_bytes over offered_bytes; empty unless completed");
    scenario.Column("device_packets",
                    "packets of data, counted where they come in at the receiving host, duplicates "
                    "included");
    scenario.Column("device_bytes", "their payload, transport headers included [B]");
    scenario.Column("device_control_bytes",
                    "all other packets of the flow that came in at either host, IP headers "
                    "included [B]");
    scenario.Column("agrees",
                    "1 when the report can be true by that count; empty for a flow with a time of "
                    "--stop");
    scenario.Column("mean_queue_packets",
                    "of the first bottleneck, from the first start to the end; as the next three "
                    "the same in all rows, unless --alone gives each flow a bottleneck of its "
                    "own");
    scenario.Column("mean_queue_s", "the same as time at the bottleneck's rate [s]");
    scenario.Column("utilisation", "share of that time in which the bottleneck was sending");
    scenario.Column("jain_index",
                    "Jain's index of all goodputs, from 1/n (one has all) to 1 (all are equal); "
                    "empty with --alone");
    scenario.Column("last_write_s",
                    "when the receiving host's disk has the last byte; empty without one [s]");
    scenario.Column("failure", "why, when completed is 0");
    scenario.Metric("goodput_bps", "user bits delivered in the interval, over its length [bit/s]");
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("transport-comparison",
                      "Any transports on any topology, side by side, with an independent count of "
                      "what arrives in at the receivers.",
                      {.startFlag = false, // here --start is a list
                       .messageLog = false,
                       .stopsRun = true});
    ComparisonSettings request;
    const std::string path = "ns3::lfn::PointToPointTopology::";
    Config::SetDefault(path + "LinkRate", DataRateValue(DataRate("100Mbps")));
    Config::SetDefault(path + "Rtt", TimeValue(MilliSeconds(20)));
    Config::SetDefault(path + "Queue", QueueSizeValue(QueueSize("250p")));
    AloneFlows alone(scenario.GetFlags(), scenario.GetRecorder());
    Declare(scenario, request);
    alone.Declare();
    scenario.Parse(argc, argv);
    auto& flags = scenario.GetFlags();
    flags.RefuseIf(request.bytes == 0 && scenario.GetDuration().IsZero(),
                   "bytes",
                   "give --duration as well, for flows without end");
    request.objects.Check(flags, request.bytes);
    if (alone.MakeRuns(Comparison::CountFlows(request)))
    {
        return scenario.Finish();
    }
    request.only = alone.GetFlow();
    if (request.only)
    {
        scenario.GetAudit().CollectAbsent();
    }
    scenario.BuildTopology();
    if (!flags.IsSet("start"))
    {
        request.start = {scenario.GetStart()};
    }
    Comparison comparison(scenario, request);
    scenario.Run();
    comparison.AddRows();
    if (request.only)
    {
        alone.HandOver(scenario.GetCost(), scenario.GetAudit().GetAbsent());
        scenario.Close();
        return 0;
    }
    return scenario.Finish();
}
