// SPDX-License-Identifier: GPL-2.0-only

// One bulk transfer over a long fat network: RBUDP as in He et al., "Quanta", FGCS 2003, section
// 4, or one of the baselines it is measured against (UDP as iperf and app_perf send it, TCP).
//
//   rbudp-transfer --bytes=450MB --sendRate=611Mbps --lossRate=0.01
//   rbudp-transfer --receiverHost=livelock --sendRate=828.6Mbps --control=ideal
//   rbudp-transfer --protocol=udp --receiver=fake --receiverHost=constant   (the iperf line)

#include "ns3/baseline-helper.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/rbudp-helper.h"
#include "ns3/rbudp-message-log.h"

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint16_t PORT = 38000;        //!< of the baselines' sinks
constexpr uint32_t MOST_SEGMENT = 1448; //!< of TCP, for an MTU of 1500 [B]

/// What the command line asks for that is no Attribute.
struct Request
{
    std::string protocol{"rbudp"};    //!< rbudp, udp or tcp
    std::string control{"tcp"};       //!< tcp or ideal
    std::string receiverHost{"none"}; //!< profile
    std::string senderHost{"none"};   //!< profile
    std::vector<uint64_t> dropData;   //!< data packets to lose, from 1
};

/// Declare the flags.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    const std::string sender = "ns3::lfn::RbudpSender::";
    const std::string receiver = "ns3::lfn::RbudpReceiver::";
    const std::string udp = "ns3::lfn::UdpSource::";
    const std::string tcp = "ns3::lfn::TcpSource::";
    Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                       TypeIdValue(TypeId::LookupByName(DEFAULT_TCP_CONGESTION)));
    for (const auto& end : {sender, receiver, udp, tcp})
    {
        Config::SetDefault(end + "Bytes", UintegerValue(450'000'000));
    }
    flags.Choice("protocol", "what sends", request.protocol, {"rbudp", "udp", "tcp"});
    flags.SizeAttribute("bytes",
                        {sender + "Bytes", receiver + "Bytes", udp + "Bytes", tcp + "Bytes"},
                        "user bytes to send");
    flags.Attribute("sendRate",
                    {sender + "SendRate", udp + "SendRate"},
                    "rate of user bits in a blast");
    flags.SizeAttribute("packetSize",
                        {sender + "PayloadSize", receiver + "PayloadSize", udp + "PacketSize"},
                        "user bytes per datagram");
    flags.Attribute("pacingQuantum",
                    {sender + "PacingQuantum", udp + "PacingQuantum"},
                    "interval between datagrams is truncated to a multiple; 0 = ideal clock, 1us = "
                    "the published tools");
    flags.Attribute("wire",
                    {sender + "Wire", receiver + "Wire"},
                    "layout of messages: lfn, or tools for usend and urecv, with their ports");
    flags.Choice("control",
                 "control channel: TCP, or the analytical model's",
                 request.control,
                 {"tcp", "ideal"});
    flags.Attribute("receiver",
                    {receiver + "Receiver"},
                    "how data reach the application; with --protocol=udp, fake is iperf and naive "
                    "is app_perf");
    scenario.GetHosts().Declare("receiverHost",
                                "speed of the receiving host",
                                request.receiverHost);
    scenario.GetHosts().Declare("senderHost", "speed of the sending host", request.senderHost);
    flags.Attribute("rateAdapt", {sender + "RateAdapt"}, "send rate after a lossy first blast");
    flags.SizeAttribute("blockSize",
                        {sender + "BlockSize"},
                        "split the data into payloads of this size; 0 = one payload");
    flags.Attribute("maxRounds", {sender + "MaxRounds"}, "give up after this number of blasts");
    flags.Attribute("noProgressRounds",
                    {sender + "NoProgressRounds"},
                    "give up after this number of consecutive useless blasts");
    flags.Attribute("checkContent",
                    {sender + "CheckContent",
                     receiver + "CheckContent",
                     udp + "CheckContent",
                     "ns3::lfn::UdpSink::CheckContent",
                     tcp + "CheckContent",
                     "ns3::lfn::TcpSink::CheckContent"},
                    "send a pattern and check every byte");
    flags.CountList("dropData", "lose these data packets, counted from 1", request.dropData);

    scenario.Column("blasts", "passes over the data, the first one included");
    scenario.Column("first_blast_packets", "data packets of the first blast");
    scenario.Column("residual_packets_first_blast", "of those, missing after it");
    scenario.Column("control_bytes", "messages, both directions [B]");
    scenario.Column("host_drops", "datagrams that found the receiving host's buffer full");
    scenario.Column("duplicate_packets", "data packets that came again");
    scenario.Column("held_packets", "data packets that waited for their announcement");
    scenario.Column("unpredicted_packets",
                    "not the datagram expected next; counted with a receiver host");
    scenario.Column("failure", "why, when completed is 0");
    scenario.Metric("goodput_bps", "user bits delivered in the interval, over its length [bit/s]");
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, const Request& request)
{
    const auto rbudp = request.protocol == "rbudp";
    const auto bytes = flags.Get<UintegerValue>("bytes");
    const auto packetSize = RbudpHelper::GetPacketSize(flags);
    const auto mtu = flags.Get<UintegerValue>("mtu");
    flags.RefuseIf(bytes == 0, "bytes", "give a positive size, such as 450MB");
    flags.RefuseIf(flags.Get<DataRateValue>("sendRate").GetBitRate() == 0,
                   "sendRate",
                   "give a positive rate, such as 600Mbps");
    flags.RefuseUnless(
        rbudp,
        {"control", "wire", "rateAdapt", "blockSize", "maxRounds", "noProgressRounds"},
        "goes with --protocol=rbudp only");
    flags.RefuseUnless(request.protocol != "tcp",
                       {"sendRate", "pacingQuantum", "receiver", "dropData"},
                       "goes with --protocol=rbudp or udp only");
    flags.RefuseIf(!rbudp && flags.GetText("receiver") == "scatter-gather",
                   "receiver",
                   "scatter-gather goes with --protocol=rbudp only");
    const uint32_t headers =
        (flags.GetText("ipVersion") == "6" ? 48 : 28) + (rbudp ? RbudpDataHeader::SIZE : 0);
    if (request.protocol != "tcp" && packetSize + headers > mtu)
    {
        flags.Refuse("packetSize",
                     "make it at most " + std::to_string(mtu - headers) +
                         " or set --mtu=" + std::to_string(packetSize + headers));
    }
    if (rbudp && flags.Get<UintegerValue>("blockSize") == 0 &&
        RbudpAnnouncement{bytes, packetSize, 0}.GetDatagrams() > RbudpAnnouncement::MAX_DATAGRAMS)
    {
        flags.Refuse("bytes", "more datagrams than sequence numbers: set --blockSize=1GB");
    }
}

/// Install RBUDP.
RbudpHelper::Transfer
InstallRbudp(const Flags& flags,
             const Request& request,
             const TransportTopology& path,
             DataRate sendRate)
{
    RbudpHelper helper;
    if (request.control == "ideal")
    {
        helper.UseIdealControl(path.GetRtt() / 2, sendRate);
    }
    if (flags.GetText("wire") == "tools")
    {
        // Theirs: one for TCP and the sender's datagrams, the next one for the receiver.
        constexpr uint16_t TOOLS_PORT = 38000;
        for (const bool isSender : {true, false})
        {
            const std::string end = isSender ? "RbudpSender::" : "RbudpReceiver::";
            const uint16_t own = isSender ? TOOLS_PORT : TOOLS_PORT + 1;
            flags.Imply("ns3::lfn::" + end + "ControlPort", UintegerValue(TOOLS_PORT));
            flags.Imply("ns3::lfn::" + end + "UdpPort", UintegerValue(own));
            flags.Imply("ns3::lfn::" + end + "PeerUdpPort",
                        UintegerValue(2 * TOOLS_PORT + 1 - own));
        }
    }
    const auto transfer = helper.Install(path.GetSenders().Get(0),
                                         path.GetSenderEnd(),
                                         path.GetReceivers().Get(0),
                                         path.GetReceiverEnd());
    RbudpHelper::FollowRtt(transfer, path.GetRtt());
    HostCost::SetProfile(transfer.source, request.senderHost);
    HostCost::SetProfile(transfer.sink, request.receiverHost);
    return transfer;
}

/// Install a baseline: UDP without retransmissions, or TCP.
BaselineHelper::Transfer
InstallBaseline(const Flags& flags, const Request& request, const TransportTopology& path)
{
    const bool udp = request.protocol == "udp";
    const uint64_t packetSize = RbudpHelper::GetPacketSize(flags);
    flags.Imply(
        "ns3::lfn::TcpSource::SegmentSize",
        UintegerValue(
            std::min<uint64_t>(packetSize, path.UsesIpv6() ? MOST_SEGMENT - 20 : MOST_SEGMENT)));
    flags.Imply("ns3::lfn::UdpSink::MoveData", BooleanValue(flags.GetText("receiver") != "fake"));
    const auto transfer = BaselineHelper(udp ? "Udp" : "Tcp")
                              .Install(path.GetSenders().Get(0),
                                       path.GetReceivers().Get(0),
                                       UdpEndpoint::WithPort(path.GetReceiverEnd(), PORT));
    HostCost::SetProfile(transfer.source, request.senderHost);
    HostCost::SetProfile(transfer.sink, request.receiverHost);
    return transfer;
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("rbudp-transfer",
                      "A bulk transfer by RBUDP (He et al., Quanta, FGCS 2003, section 4), or by "
                      "UDP or TCP for comparison.",
                      {.realEnds = true});
    Request request;
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    auto& flags = scenario.GetFlags();
    const UintegerValue packetSize(RbudpHelper::GetPacketSize(flags));
    flags.Imply("ns3::lfn::RbudpSender::PayloadSize", packetSize);
    flags.Imply("ns3::lfn::RbudpReceiver::PayloadSize", packetSize);
    flags.Imply("ns3::lfn::UdpSource::PacketSize", packetSize);
    CheckTogether(flags, request);
    const auto path = scenario.BuildTopology();
    scenario.CheckPair(0, 0);
    auto& recorder = scenario.GetRecorder();

    RbudpHelper::Transfer rbudp;
    Ptr<TransferApplication> source;
    Ptr<TransferApplication> sink;
    std::unique_ptr<RbudpMessageLog> log;
    if (request.protocol == "rbudp")
    {
        rbudp = InstallRbudp(flags, request, *path, flags.Get<DataRateValue>("sendRate"));
        source = rbudp.source;
        sink = rbudp.sink;
        scenario.GetEnd().StopAfter(sink);
        if (recorder.HasMessages())
        {
            log = std::make_unique<RbudpMessageLog>(recorder,
                                                    rbudp,
                                                    path->GetBottlenecks()[0].second);
        }
    }
    else
    {
        const auto transfer = InstallBaseline(flags, request, *path);
        source = transfer.source;
        sink = transfer.sink;
    }
    UintegerValue port(PORT);
    if (rbudp.sink)
    {
        rbudp.sink->GetAttribute("UdpPort", port);
    }
    if (!request.dropData.empty())
    {
        const auto script = CreateObject<ScriptedErrorModel>();
        IpPacketFilter data;
        data.ipProtocol = UdpL4Protocol::PROT_NUMBER;
        data.destinationPort = static_cast<uint16_t>(port.Get());
        script->SetFilter(data);
        for (const auto k : request.dropData)
        {
            script->Drop(k);
        }
        scenario.GetLosses().AddData(script);
    }
    if (request.protocol == "rbudp")
    {
        scenario.GetEnd().StopAfter(source);
    }
    else if (request.protocol == "tcp") // UDP's sender ends while its datagrams are on the path
    {
        scenario.GetEnd().StopAfter(source, sink);
    }
    scenario.GetSeries().SampleGoodput(0, sink);
    scenario.GetMonitoring().Watch(0,
                                   source->GetNode(),
                                   sink->GetNode(),
                                   static_cast<uint16_t>(port.Get()));
    scenario.GetMonitoring().SampleWindow(0, source);
    scenario.Run();

    auto report = scenario.GetLiveEnds().JoinReports(*source, *sink);
    report.variant =
        request.protocol == "tcp" ? GetTcpCongestion(*source) : flags.GetText("receiver");
    const auto totals = rbudp.source ? rbudp.source->GetTotals() : RbudpSenderCore::Counters{};
    using R = RunRecorder;
    // Of an end that is a real host nothing is known.
    const auto sent = [&](uint64_t count) {
        return scenario.GetLiveEnds().IsReal(source->GetNode()) ? "" : R::Print(count);
    };
    const auto received = [&](uint64_t count) {
        return scenario.GetLiveEnds().IsReal(sink->GetNode()) ? "" : R::Print(count);
    };
    recorder.AddFlow(
        0,
        report,
        {{"blasts", sent(totals.blasts)},
         {"first_blast_packets", sent(totals.firstBlastPackets)},
         {"residual_packets_first_blast", sent(totals.residualPacketsFirstBlast)},
         {"control_bytes", sent(rbudp.source ? rbudp.source->GetControlBytes() : 0)},
         {"host_drops", received(sink->GetDrops(DropReason::BUFFER_FULL))},
         {"duplicate_packets", received(rbudp.sink ? rbudp.sink->GetDuplicates() : 0)},
         {"held_packets", received(rbudp.sink ? rbudp.sink->GetHeld() : 0)},
         {"unpredicted_packets", received(rbudp.sink ? rbudp.sink->GetUnpredicted() : 0)},
         {"failure", report.failure}});
    return scenario.Finish();
}
