// SPDX-License-Identifier: GPL-2.0-only

// Streaming of equal objects over RBUDP: He et al., "Quanta", FGCS 2003, section 4.3. Objects are
// gathered into blocks; a block takes S / B_send + RTT, so equation (11) tells the send rate that
// keeps up with the objects.
//
//   rbudp-streaming                        (the paper's example, 288 Mb/s)
//   rbudp-streaming --sendRate=280Mbps     (falls behind)

#include "ns3/core-module.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-scenario.h"
#include "ns3/network-module.h"
#include "ns3/rbudp-helper.h"

using namespace ns3;
using namespace ns3::lfn;

namespace
{

/// What the command line asks for.
struct Request
{
    uint32_t objectSize{1'440'000};   //!< S_obj
    double objectRate{20};            //!< B_obj
    Time maxDelay{MilliSeconds(500)}; //!< D
    Time streamTime{Seconds(60)};     //!< how long objects come
    DataRate sendRate{288'000'000};   //!< B_send
    uint32_t packetSize{1450};        //!< S_packet
    Time pacingQuantum;               //!< granularity of the interval
    std::string control{"ideal"};     //!< tcp or ideal
};

/// What the blocks took.
struct Blocks
{
    uint64_t count{0};      //!< blocks delivered
    Time sum;               //!< of their times at the sender
    Time longest;           //!< of them
    Time firstLatency;      //!< of the first block's first object
    Time lastLatency;       //!< of the last full block's first object
    uint64_t fullBlocks{0}; //!< blocks of N_obj objects
    uint64_t waiting{0};    //!< objects not delivered when the last one came
};

/// Declare the flags.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    flags.Bytes("objectSize", "size of an object, S_obj", request.objectSize);
    flags.Number("objectRate", "objects a second, B_obj", request.objectRate, 1e-3, 1e6);
    flags.Duration("maxDelay",
                   "delay that gathering objects may add, D",
                   request.maxDelay,
                   NanoSeconds(1));
    flags.Duration("streamTime", "how long objects come", request.streamTime, NanoSeconds(1));
    flags.Rate("sendRate", "rate of user bits in a blast, B_send", request.sendRate);
    flags.Bytes("packetSize", "user bytes a datagram", request.packetSize, 1, 65503);
    flags.Duration("pacingQuantum",
                   "interval between datagrams is truncated to a multiple; 0 = ideal clock",
                   request.pacingQuantum);
    flags.Choice("control",
                 "control channel: TCP, or the analytical model's",
                 request.control,
                 {"tcp", "ideal"});
    flags.Columns("Own columns of summary.csv: blocks, objects_per_block, objects_offered, "
                  "objects_delivered, objects_waiting_at_end (not delivered when the last object "
                  "came), block_period_s (N_obj / B_obj), mean_block_time_s and max_block_time_s "
                  "(from first datagram to full bitmap), max_object_latency_s (from availability "
                  "to the arrival of its block), latency_growth_s (a block later than the one "
                  "before; above 0: falls behind), equation_11_bps, blasts, control_bytes, "
                  "failure.");
    scenario.GetRecorder().AddColumns({"blocks",
                                       "objects_per_block",
                                       "objects_offered",
                                       "objects_delivered",
                                       "objects_waiting_at_end",
                                       "block_period_s",
                                       "mean_block_time_s",
                                       "max_block_time_s",
                                       "max_object_latency_s",
                                       "latency_growth_s",
                                       "equation_11_bps",
                                       "blasts",
                                       "control_bytes",
                                       "failure"});
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, const Request& request, uint32_t mtu)
{
    const auto headers = 28 + RbudpDataHeader::SIZE;
    if (request.packetSize + headers > mtu)
    {
        flags.Refuse("packetSize",
                     "make it at most " + std::to_string(mtu - headers) +
                         " or set --mtu=" + std::to_string(request.packetSize + headers));
    }
    const auto objects =
        RbudpObjectStream::GetObjectsPerBlock(request.objectRate, request.maxDelay);
    const RbudpAnnouncement block{objects * request.objectSize, request.packetSize, 0};
    if (block.GetDatagrams() > RbudpAnnouncement::MAX_DATAGRAMS)
    {
        flags.Refuse("maxDelay", "a block has too many datagrams: shorten it");
    }
}

/// Equation (11): S_obj * B_obj / (1 - RTT / D), in bit/s; 0 when D does not exceed the RTT.
double
GetEquation11(const Request& request, Time rtt)
{
    const double share = 1 - rtt.GetSeconds() / request.maxDelay.GetSeconds();
    return share > 0 ? 8 * request.objectSize * request.objectRate / share : 0;
}

} // namespace

int
main(int argc, char* argv[])
{
    UseFastAllocator();
    Scenario scenario("rbudp-streaming",
                      "Objects streamed over RBUDP in blocks (He et al., Quanta, FGCS 2003, "
                      "section 4.3).");
    Request request;
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    CheckTogether(scenario.GetFlags(), request, scenario.GetPath().mtu);
    const auto path = scenario.BuildTopology();
    scenario.CheckPair(0, 0);

    RbudpHelper helper;
    helper.SetSenderAttribute("SendRate", DataRateValue(request.sendRate));
    helper.SetSenderAttribute("PayloadSize", UintegerValue(request.packetSize));
    helper.SetSenderAttribute("PacingQuantum", TimeValue(request.pacingQuantum));
    if (request.control == "ideal")
    {
        helper.UseIdealControl(path->GetRtt() / 2, request.sendRate);
    }
    const auto transfer = helper.Install(path->GetSenders().Get(0),
                                         path->GetSenderAddress(),
                                         path->GetReceivers().Get(0),
                                         path->GetReceiverAddress());
    const auto stream = RbudpHelper::InstallStream(transfer,
                                                   request.objectSize,
                                                   request.objectRate,
                                                   request.maxDelay);
    // The objects begin when the connection stands, not in its set-up.
    const Time begin = 2 * path->GetRtt();
    stream->SetStartTime(begin);
    stream->SetStopTime(begin + request.streamTime);

    const auto objectsPerBlock =
        RbudpObjectStream::GetObjectsPerBlock(request.objectRate, request.maxDelay);
    Blocks blocks;
    auto onPayload = [&blocks](const RbudpPayloadReport& report) {
        const Time taken = report.finish - report.start;
        blocks.count++;
        blocks.sum += taken;
        blocks.longest = std::max(blocks.longest, taken);
    };
    auto onBlock = [&blocks, objectsPerBlock](uint64_t index, uint64_t objects, Time latency) {
        blocks.firstLatency = index == 0 ? latency : blocks.firstLatency;
        if (objects == objectsPerBlock)
        {
            blocks.lastLatency = latency;
            blocks.fullBlocks++;
        }
    };
    transfer.sender->TraceConnectWithoutContext(
        "PayloadCompleted",
        Callback<void, const RbudpPayloadReport&>(onPayload));
    stream->TraceConnectWithoutContext("BlockDelivered",
                                       Callback<void, uint64_t, uint64_t, Time>(onBlock));
    Simulator::Schedule(begin + request.streamTime - Time(1), [&] {
        const auto came = static_cast<uint64_t>(
            std::floor(request.streamTime.GetSeconds() * request.objectRate * (1 - 1e-12)));
        blocks.waiting = came - std::min(came, stream->GetObjectsDelivered());
    });
    transfer.receiver->TraceConnectWithoutContext(
        "Completed",
        Callback<void, const TransferReport&>([](const TransferReport&) { Simulator::Stop(); }));
    uint64_t sampled = 0;
    scenario.EachInterval([&](Time end, Time interval) {
        auto& recorder = scenario.GetRecorder();
        const auto delivered = transfer.receiver->GetReport().deliveredBytes;
        recorder.Sample(end,
                        0,
                        "goodput_bps",
                        8 * static_cast<double>(delivered - sampled) / interval.GetSeconds());
        recorder.Sample(end,
                        0,
                        "backlog_blocks",
                        static_cast<double>(transfer.sender->GetBacklog()));
        sampled = delivered;
    });
    scenario.Run();

    auto report = transfer.sender->GetReport();
    report.TakeReceiverSide(transfer.receiver->GetReport());
    report.variant = "streaming";
    const Time period = Seconds(static_cast<double>(objectsPerBlock) / request.objectRate);
    const auto later = blocks.fullBlocks > 1 ? (blocks.lastLatency - blocks.firstLatency) /
                                                   static_cast<int64_t>(blocks.fullBlocks - 1)
                                             : Time(0);
    using R = RunRecorder;
    scenario.GetRecorder().AddFlow(
        0,
        report,
        {{"blocks", R::Print(blocks.count)},
         {"objects_per_block", R::Print(objectsPerBlock)},
         {"objects_offered", R::Print(stream->GetObjectsOffered())},
         {"objects_delivered", R::Print(stream->GetObjectsDelivered())},
         {"objects_waiting_at_end", R::Print(blocks.waiting)},
         {"block_period_s", R::Print(period)},
         {"mean_block_time_s",
          blocks.count > 0 ? R::Print(blocks.sum / static_cast<int64_t>(blocks.count)) : ""},
         {"max_block_time_s", R::Print(blocks.longest)},
         {"max_object_latency_s", R::Print(stream->GetMaxLatency())},
         {"latency_growth_s", R::Print(later)},
         {"equation_11_bps", R::Print(GetEquation11(request, path->GetRtt()))},
         {"blasts", R::Print(uint64_t{transfer.sender->GetTotals().blasts})},
         {"control_bytes", R::Print(transfer.sender->GetControlBytes())},
         {"failure", report.failure}});
    return scenario.Finish();
}
