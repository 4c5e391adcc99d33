// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "udt-test-network.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/lfn-host-cost.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Read an Attribute as text. */
std::string
ReadText(const Ptr<Object>& object, const std::string& name)
{
    StringValue value;
    object->GetAttribute(name, value);
    return value.Get();
}

/** @brief Read the rule in use. */
template <typename V>
auto
ReadRule(const Ptr<Object>& object, const std::string& name)
{
    V value;
    object->GetAttribute(name, value);
    return value.Get();
}

LFN_CASE(UdtUnsetTestCase)
{
    const auto source = CreateObject<UdtSource>();
    NS_TEST_EXPECT_MSG_EQ(ReadText(source, "Freeze"), "unset", "nothing is set");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(source, "Freeze"), false, "UDT4 sends on");
    source->SetAttribute("Variant", StringValue("Udt3"));
    NS_TEST_EXPECT_MSG_EQ(ReadText(source, "Freeze"), "unset", "the variant sets no Attribute");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(source, "Freeze"), true, "UDT3 pauses");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<TimeValue>(source, "DeadTime"), Seconds(3), "UDT3");
    source->SetAttribute("Freeze", BooleanValue(false));
    source->SetAttribute("DeadTime", StringValue("7s"));
    NS_TEST_EXPECT_MSG_EQ(ReadText(source, "Freeze"), "false", "set alone");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(source, "Freeze"), false, "set alone");
    // A rule set alone stays, whenever the variant is set.
    source->SetAttribute("Variant", StringValue("Draft"));
    NS_TEST_EXPECT_MSG_EQ(ReadRule<TimeValue>(source, "DeadTime"), Seconds(7), "set alone");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<TimeValue>(source, "ExpMinimum"), MilliSeconds(500), "draft");
    source->SetAttribute("DeadTime", StringValue("unset"));
    NS_TEST_EXPECT_MSG_EQ(ReadRule<TimeValue>(source, "DeadTime"), Seconds(3), "draft");
    // Values out of range are refused, as text and as a value.
    NS_TEST_EXPECT_MSG_EQ(source->SetAttributeFailSafe("DeadTime", StringValue("-1s")),
                          false,
                          "negative");
    NS_TEST_EXPECT_MSG_EQ(source->SetAttributeFailSafe("LeastGapShare", DoubleValue(1.5)),
                          false,
                          "too large");
    NS_TEST_EXPECT_MSG_EQ(source->SetAttributeFailSafe("Freeze", UintegerValue(1)),
                          false,
                          "of another type");
}

LFN_CASE(UdtVariantRulesTestCase)
{
    using SlowStartEnd = UdtNativeControl::SlowStartEnd;
    const auto source = CreateObject<UdtSource>();
    const auto sink = CreateObject<UdtSink>();
    const auto set = [&](const std::string& variant) {
        source->SetAttribute("Variant", StringValue(variant));
        sink->SetAttribute("Variant", StringValue(variant));
    };
    set("Udt3");
    for (const auto* name : {"Freeze", "CapCapacity", "Interruptible", "NakAddsFirst"})
    {
        NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(source, name), true, name);
    }
    for (const auto* name : {"DecreaseOnFirst", "SourceWindow", "SmoothRtt"})
    {
        NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(source, name), false, name);
    }
    for (const auto* name : {"RepeatNak", "RatesInEveryAck", "FlowControl"})
    {
        NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(sink, name), true, name);
    }
    const auto end = ReadRule<EnumValue<SlowStartEnd>>(source, "SlowStartEnd");
    NS_TEST_EXPECT_MSG_EQ((end == SlowStartEnd::FIRST_CAPACITY), true, "UDT3");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(sink, "NakPerLoss"), false, "all losses");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<UintegerValue>(sink, "LightAckPackets"), 0, "none");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<TimeValue>(sink, "Patience"), Seconds(30), "UDT3");
    sink->SetAttribute("Syn", TimeValue(MilliSeconds(4)));
    NS_TEST_EXPECT_MSG_EQ(ReadRule<TimeValue>(sink, "NakMinimum"), MilliSeconds(4), "SYN");
    set("Draft");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(source, "CapCapacity"), false, "draft");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<UintegerValue>(sink, "AckRepeatRtts"), 2, "draft");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(sink, "NakPerLoss"), true, "draft");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<UintegerValue>(sink, "LightAckPackets"), 64, "draft");
    set("Srt");
    for (const auto* name : {"SlowStartLoss", "LightAckFrees", "CatchUp", "ZeroRates", "AckTimer"})
    {
        NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(source, name), true, name);
    }
    for (const auto* name : {"SmoothRtt", "NakEndsWait", "ExpRestarts", "Freeze", "NakAddsFirst"})
    {
        NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(source, name), false, name);
    }
    NS_TEST_EXPECT_MSG_EQ(ReadRule<DoubleValue>(source, "Decrease"), 1.03, "SRT");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<DoubleValue>(source, "NakWeight"), 0.03, "SRT");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<DoubleValue>(source, "LossRateCap"), 2, "SRT");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<DoubleValue>(source, "LossTolerance"), 0.02, "SRT");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<TimeValue>(source, "PeriodGranularity"), MicroSeconds(1), "SRT");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(sink, "RepeatNak"), false, "file mode");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(sink, "StrictPairs"), true, "SRT");
    NS_TEST_EXPECT_MSG_EQ(
        (ReadRule<EnumValue<UdtFilter>>(sink, "EstimateFilter") == UdtFilter::SRT),
        true,
        "SRT");
    sink->SetAttribute("Syn", TimeValue(MilliSeconds(10)));
    NS_TEST_EXPECT_MSG_EQ(ReadRule<TimeValue>(sink, "SilentTimerCheck"), MilliSeconds(10), "SYN");
    set("Udt4");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<BooleanValue>(source, "AckTimer"), false, "UDT4");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<DoubleValue>(source, "Decrease"), 1.125, "UDT4");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<TimeValue>(source, "PeriodGranularity"), MicroSeconds(1), "");
    NS_TEST_EXPECT_MSG_EQ(ReadRule<UintegerValue>(sink, "ProbeWindow"), 64, "UDT4");
}

/** @brief A host that takes this long per packet. */
Ptr<HostCost>
MakeHost(Time perPacket)
{
    return CreateObjectWithAttributes<HostCost>("ReadCost",
                                                TimeValue(perPacket),
                                                "MoveCost",
                                                TimeValue(Time(0)),
                                                "InterruptCost",
                                                TimeValue(Time(0)));
}

LFN_CASE(UdtVariantLossTestCase)
{
    // 0.1 % of losses: the cores without the simulator give 36.0, 90.4, 30.0 and 83.9
    // Mb/s.
    const auto run = [&](const std::string& variant, double goodput) {
        constexpr uint64_t BYTES = 60'000'000;
        UdtTestNetwork network({.rate = "100Mbps", .delay = MilliSeconds(10), .queue = 1000});
        network.helper.SetAttribute("CheckContent", BooleanValue(false));
        network.helper.SetAttribute("Variant", StringValue(variant));
        network.Install(BYTES);
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        network.loss = [random](int, Ptr<const Packet> packet) {
            return packet->GetSize() > 1000 && random->GetValue() < 0.001;
        };
        UdtTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, variant + network.Describe());
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetGoodput(), goodput, 0.2 * goodput, variant);
        return network.GetGoodput();
    };
    const double udt4 = run("Udt4", 36);
    const double udt3 = run("Udt3", 90.4);
    const double draft = run("Draft", 30);
    run("Srt", 83.9);
    NS_TEST_EXPECT_MSG_GT(udt3, 1.5 * udt4, "no decrease at the first NAK, no window of its own");
    NS_TEST_EXPECT_MSG_LT(draft, udt4, "the least increase is smaller");
}

/** @brief What the original UDT3 did in three repetitions, which differ in their first number. */
struct Udt3Measured
{
    Time delay;             //!< half of the RTT
    uint32_t queue;         //!< packets
    double least;           //!< goodput, Mb/s
    double most;            //!< goodput, Mb/s
    uint64_t retransmitted; //!< packets, in each repetition
};

LFN_CASE_OF(UdtVariantHostTestCase, Udt3Measured measured)
{
    constexpr uint64_t BYTES = 50'000'000;
    UdtTestNetwork network({.rate = "100Mbps", .delay = measured.delay, .queue = measured.queue});
    network.helper.SetAttribute("CheckContent", BooleanValue(false));
    network.helper.SetAttribute("Variant", EnumValue(UdtVariant::UDT3));
    // The last packet of a write is short, and is acknowledged at once, which ends pauses.
    network.helper.SetSourceAttribute("WriteSize", UintegerValue(145200));
    network.helper.SetSourceAttribute("HostCost", PointerValue(MakeHost(MicroSeconds(116))));
    network.Install(BYTES);
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, network.Describe());
    // A packet has 0.3 % fewer user bytes here.
    NS_TEST_EXPECT_MSG_GT(network.GetGoodput(), 0.992 * measured.least, "as the original");
    NS_TEST_EXPECT_MSG_LT(network.GetGoodput(), 1.005 * measured.most, "as the original");
    NS_TEST_EXPECT_MSG_EQ_TOL(network.sender.report.retransmittedPackets,
                              measured.retransmitted,
                              0.1 * static_cast<double>(measured.retransmitted),
                              "as the original");
}

LFN_CASE(UdtBusyHostTestCase)
{
    // UDT3's pause after a NAK counts from the packet that the host works on. A full ACK ends it.
    constexpr uint64_t BYTES = 3'000'000;
    UdtTestNetwork network({.rate = "100Mbps", .delay = MilliSeconds(10), .queue = 1000});
    network.helper.SetAttribute("Variant", EnumValue(UdtVariant::UDT3));
    network.helper.SetSourceAttribute("HostCost", PointerValue(MakeHost(MicroSeconds(500))));
    network.Install(BYTES);
    network.transfer.source->AssignStreams(20); // the ISN decides when ACKs arrive
    uint32_t data = 0;
    network.loss = [&](int, Ptr<const Packet> packet) {
        return packet->GetSize() > 1000 && ++data == 400;
    };
    Time nak;
    Time ack;
    ConnectTrace(network.transfer.source, "Control", [&](const UdtPacket& packet, bool isSent) {
        if (!isSent && std::holds_alternative<UdtNak>(packet) && nak.IsZero())
        {
            nak = Simulator::Now();
        }
        else if (!isSent && std::holds_alternative<UdtAck>(packet) && !nak.IsZero() && ack.IsZero())
        {
            ack = Simulator::Now();
        }
    });
    Time resumed;
    ConnectTrace(network.transfer.source, "Tx", [&](Ptr<const Packet>) {
        // The second packet of a pair may still leave.
        if (!nak.IsZero() && resumed.IsZero() && Simulator::Now() > nak + MicroSeconds(500))
        {
            resumed = Simulator::Now();
        }
    });
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, network.Describe());
    NS_TEST_EXPECT_MSG_GT(nak, Time(0), "the loss is reported");
    NS_TEST_ASSERT_MSG_GT(ack, nak + MilliSeconds(2), "long enough for four packets");
    NS_TEST_EXPECT_MSG_EQ((resumed >= std::min(ack, nak + MicroSeconds(9500))),
                          true,
                          "nothing leaves in the pause, but at " << resumed - nak);
}

// NOLINTNEXTLINE(cert-err58-cpp,cppcoreguidelines-avoid-non-const-global-variables)
const Suite SUITE("lfn-udt-variant", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new UdtUnsetTestCase("A rule that is unset is the variant's"));
    suite.Add(new UdtVariantRulesTestCase("The rules of each variant"));
    suite.Add(new UdtVariantLossTestCase("Losses distinguish the variants"));
    suite.Add(new UdtVariantHostTestCase("UDT3 on a host of 116 us per packet, 20 ms",
                                         {MilliSeconds(10), 1000, 93.5673, 95.4702, 62}));
    suite.Add(new UdtVariantHostTestCase("UDT3 on a host of 116 us per packet, 100 ms",
                                         {MilliSeconds(50), 833, 86.6913, 90.0948, 94}));
    suite.Add(new UdtBusyHostTestCase("Nothing ends a wait while the host is busy"));
});

} // namespace
