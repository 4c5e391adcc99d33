// SPDX-License-Identifier: GPL-2.0-only

// One bulk transfer over a long fat network by UDT (Gu and Grossman, Computer Networks 2007), as
// the program UDT4 has it.
//
//   udt-transfer --bytes=450MB
//   udt-transfer --bytes=50MB --lossRate=0.001 --linkRate=100Mbps --rtt=20ms --seriesInterval=1s
//   udt-transfer --congestion=blast --blastRate=600Mbps --lossRate=0.01
//   udt-transfer --variant=udt3 --bytes=50MB --linkRate=100Mbps --rtt=20ms

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/network-module.h"
#include "ns3/udt-helper.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr const char* SOURCE = "ns3::lfn::UdtSource::";
constexpr const char* SINK = "ns3::lfn::UdtSink::";

/// What the command line asks for that is no Attribute.
struct Request
{
    std::string receiverHost{"none"}; //!< profile
    std::string senderHost{"none"};   //!< profile
    std::vector<uint64_t> dropData;   //!< data packets to lose, from 1
    bool rendezvous{false};           //!< both ends connect
};

/// Declare the flags.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    const std::string source = SOURCE;
    const std::string sink = SINK;
    Config::SetDefault(source + "Bytes", UintegerValue(450'000'000));
    flags.SizeAttribute("bytes", {source + "Bytes"}, "user bytes to send");
    flags.SizeAttribute("mss",
                        {source + "Mss"},
                        "size of a full packet with the headers of IP and UDP");
    flags.Attribute("window",
                    {source + "SendBuffer", sink + "ReceiveBuffer"},
                    "most packets that are sent and not acknowledged");
    flags.Attribute("congestion",
                    {source + "Congestion"},
                    "congestion control: native, UDT's own, or blast, a constant rate");
    flags.Attribute("variant",
                    {source + "Variant", sink + "Variant"},
                    "where the rules of both ends come from: udt4, udt3 (2006), draft or srt");
    flags.SizeAttribute("writeSize",
                        {source + "WriteSize"},
                        "bytes written at a time, the size of a message; 0 for 100 full packets");
    flags.Attribute("sendMessages",
                    {source + "Messages", sink + "Messages"},
                    "send messages of writeSize, not a stream");
    flags.Attribute("inOrder",
                    {source + "InOrder"},
                    "a message is delivered after all earlier ones only");
    flags.Attribute("timeToLive",
                    {source + "TimeToLive"},
                    "a message is not retransmitted after this time but given up; 0: never");
    flags.Attribute("blastRate", {source + "BlastRate"}, "rate of user bits with blast");
    flags.Attribute("syn",
                    {source + "Syn", sink + "Syn"},
                    "SYN, the period of acknowledgements and of the rate control");
    flags.Attribute("checkContent",
                    {source + "CheckContent", sink + "CheckContent"},
                    "send a pattern and check every byte");
    flags.Switch("rendezvous",
                 "both ends connect, as behind two firewalls; the source has the sink's port",
                 request.rendezvous);
    flags.CountList("dropData", "lose these data packets, counted from 1", request.dropData);
    scenario.GetHosts().Declare("receiverHost",
                                "speed of the receiving host",
                                request.receiverHost);
    scenario.GetHosts().Declare("senderHost", "speed of the sending host", request.senderHost);

    scenario.Column("setup_s", "from the first request to the connection [s]");
    scenario.Column("naks", "loss reports that reached the source");
    scenario.Column("reported_packets", "packets in them");
    scenario.Column("acks", "acknowledgements with a number that reached the source");
    scenario.Column("light_acks", "light ones");
    scenario.Column("expirations", "of the source's EXP timer");
    scenario.Column("lost_messages", "messages that were given up");
    scenario.Column("period_us", "time between two packets at the end [us]");
    scenario.Column("duplicate_packets", "data packets that came again");
    scenario.Column("host_drops", "datagrams that found the receiving host's buffer full");
    scenario.Column("failure", "why, when completed is 0");
    scenario.Metric("goodput_bps", "user bits delivered in the interval, over its length [bit/s]");
    scenario.Metric("send_rate_bps", "rate of user bits that the sending period means [bit/s]");
    scenario.Metric("cwnd_packets", "congestion window of UDT [packets]");
    scenario.Metric("period_us", "time between two packets of UDT [us]");
    scenario.Metric("rtt_s", "the source's estimate of the round-trip time [s]");
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, const Request& request)
{
    flags.RefuseIf(request.rendezvous && flags.IsSet("live"),
                   "rendezvous",
                   "leave it away with --live, where a real end has an address of its own");
    const auto mss = flags.Get<UintegerValue>("mss");
    const auto mtu = flags.Get<UintegerValue>("mtu");
    flags.RefuseIf(flags.Get<UintegerValue>("bytes") == 0,
                   "bytes",
                   "give a positive size, such as 450MB");
    // What IPv6 asks of an MTU is said by the topology.
    constexpr uint64_t LEAST_MTU = 1280;
    const bool isTooSmall = flags.GetText("ipVersion") == "6" && mtu < LEAST_MTU;
    flags.RefuseIf(mss > mtu && !isTooSmall,
                   "mss",
                   "make it at most " + std::to_string(mtu) + ", the link's MTU");
    flags.RefuseUnless(flags.GetText("congestion") == "blast",
                       {"blastRate"},
                       "goes with --congestion=blast only");
    flags.RefuseUnless(flags.Get<BooleanValue>("sendMessages"),
                       {"inOrder", "timeToLive"},
                       "goes with --sendMessages=true only");
    flags.RefuseIf(flags.Get<DataRateValue>("blastRate").GetBitRate() == 0,
                   "blastRate",
                   "give a positive rate, such as 600Mbps");
}

/// Sample the source into the series.
void
Sample(RunRecorder& recorder, Time end, const UdtSource& source)
{
    if (!source.GetConnected())
    {
        return;
    }
    constexpr double BITS = 8;
    const auto* control = source.GetCore().GetControl();
    const auto sample = [&](const std::string& metric, double value) {
        recorder.Sample(end, 0, metric, value);
    };
    sample("send_rate_bps", BITS * 1e6 * source.GetPayloadSize() / control->GetPeriod());
    sample("cwnd_packets", control->GetWindow());
    sample("period_us", control->GetPeriod());
    sample("rtt_s", 1e-6 * source.GetCore().GetPath().rttUs);
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("udt-transfer",
                      "A bulk transfer by UDT (Gu and Grossman, Computer Networks 2007).",
                      {.realEnds = true});
    Request request;
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    auto& flags = scenario.GetFlags();
    CheckTogether(flags, request);
    constexpr uint64_t FLIGHT_FLAG = 25600; // of UDT4, packets
    flags.Imply(std::string(SINK) + "FlightFlag",
                UintegerValue(std::max(flags.Get<UintegerValue>("window"), FLIGHT_FLAG)));
    const auto path = scenario.BuildTopology();
    scenario.CheckPair(0, 0);
    auto& recorder = scenario.GetRecorder();

    const UdtHelper helper;
    const auto transfer =
        helper.Install(path->GetSenders().Get(0),
                       path->GetReceivers().Get(0),
                       UdpEndpoint::WithPort(path->GetReceiverEnd(), helper.GetPort()));
    const auto& [source, sink] = transfer;
    if (request.rendezvous)
    {
        UdtHelper::Meet(transfer, UdpEndpoint::WithPort(path->GetSenderEnd(), helper.GetPort()));
    }
    UdtHelper::FollowRtt(transfer, path->GetRtt());
    HostCost::SetProfile(source, request.senderHost);
    HostCost::SetProfile(sink, request.receiverHost);
    if (!request.dropData.empty())
    {
        const auto script = CreateObject<ScriptedErrorModel>();
        IpPacketFilter data;
        data.ipProtocol = UdpL4Protocol::PROT_NUMBER;
        data.destinationPort = helper.GetPort();
        data.minBytes = UdtHelper::GetMss(0, path->GetReceiverEnd()) + 49; // no control packet
        script->SetFilter(data);
        for (const auto k : request.dropData)
        {
            script->Drop(k);
        }
        scenario.GetLosses().AddData(script);
    }
    scenario.GetEnd().StopAfter(source, sink);
    scenario.GetSeries().SampleGoodput(0, sink);
    scenario.GetSeries().EachInterval(
        [&](Time end, Time /* interval */) { Sample(recorder, end, *source); });
    scenario.GetMonitoring().Watch(0, source->GetNode(), sink->GetNode(), helper.GetPort());
    scenario.Run();

    const auto report = scenario.GetLiveEnds().JoinReports(*source, *sink);
    const auto& counters = source->GetCore().GetCounters();
    using R = RunRecorder;
    const auto& live = scenario.GetLiveEnds();
    // Of an end that is a real host nothing is known.
    const auto sent = [&](const std::string& value) {
        return live.IsReal(source->GetNode()) ? "" : value;
    };
    const auto received = [&](uint64_t count) {
        return live.IsReal(sink->GetNode()) ? "" : R::Print(count);
    };
    const auto setUp = source->GetConnected().value_or(report.applicationStart);
    recorder.AddFlow(0,
                     report,
                     {{"setup_s", sent(R::Print((setUp - report.applicationStart).GetSeconds()))},
                      {"naks", sent(R::Print(counters.naks))},
                      {"reported_packets", sent(R::Print(counters.lost))},
                      {"acks", sent(R::Print(counters.acks))},
                      {"light_acks", sent(R::Print(counters.lightAcks))},
                      {"expirations", sent(R::Print(counters.expirations))},
                      {"lost_messages", sent(R::Print(counters.lostMessages))},
                      {"period_us", sent(R::Print(1e-3 * source->GetPeriod().GetNanoSeconds()))},
                      {"duplicate_packets", received(sink->GetDrops(DropReason::DUPLICATE))},
                      {"host_drops", received(sink->GetDrops(DropReason::BUFFER_FULL))},
                      {"failure", report.failure}});
    return scenario.Finish();
}
