// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/enum.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/lfn-drop-reason.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/lfn-listen-address.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-transfer-report.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Every reason has a name of its own. */
LFN_CASE(DropReasonTestCase)
{
    std::set<std::string> names;
    constexpr auto COUNT = static_cast<uint8_t>(DropReason::COUNT_);
    for (uint8_t i = 0; i < COUNT; ++i)
    {
        std::ostringstream text;
        text << static_cast<DropReason>(i);
        names.insert(text.str());
    }
    NS_TEST_EXPECT_MSG_EQ(names.size(), size_t{COUNT}, "all different");
    NS_TEST_EXPECT_MSG_EQ(names.count("unknown"), 0, "all known");
    NS_TEST_EXPECT_MSG_EQ(names.count("buffer-full"), 1, "the form of the names");
    NS_TEST_EXPECT_MSG_EQ(std::string(ToString(static_cast<DropReason>(200))),
                          "unknown",
                          "no reason at all");
}

/** @brief Goodput counts delivered bytes from the application's start to the last delivery. */
LFN_CASE(TransferReportTestCase)
{
    TransferReport sender;
    NS_TEST_EXPECT_MSG_EQ(sender.GoodputBps(), 0.0, "no time has passed");
    sender.applicationStart = Seconds(2);
    sender.start = Seconds(3);
    sender.lastDelivery = Seconds(6);
    sender.finish = Seconds(7);
    sender.completed = true;
    sender.offeredBytes = uint64_t{10} << 40;
    sender.deliveredBytes = sender.offeredBytes;
    NS_TEST_EXPECT_MSG_EQ(sender.GoodputBps(), 2.0 * (uint64_t{10} << 40), "ten TiB in 4 s");
    sender.receivers = 2;
    NS_TEST_EXPECT_MSG_EQ(sender.GoodputBps(), 1.0 * (uint64_t{10} << 40), "for each of two");
    sender.receivers = 1;
    sender.completed = false;
    NS_TEST_EXPECT_MSG_EQ(sender.GetEnd(), Seconds(7), "a failure comes after the last byte");
    sender.finish = Seconds(4);
    NS_TEST_EXPECT_MSG_EQ(sender.GetEnd(), Seconds(6), "or before it, with data on the path");
    sender.completed = true;
    sender.lastDelivery = Time(0);
    NS_TEST_EXPECT_MSG_EQ(sender.GetEnd(), Seconds(4), "nothing is known of a delivery");
    sender.finish = Seconds(1);
    NS_TEST_EXPECT_MSG_EQ(sender.GoodputBps(), 0.0, "time runs forward only");

    TransferReport receiver;
    receiver.protocol = "other";
    receiver.deliveredBytes = 5;
    receiver.lostBytes = 6;
    receiver.lastDelivery = Seconds(5);
    receiver.offeredBytes = 7;
    sender.MergeReceiver(receiver);
    NS_TEST_EXPECT_MSG_EQ(sender.deliveredBytes, 5, "the receiver's");
    NS_TEST_EXPECT_MSG_EQ(sender.lostBytes, 6, "the receiver's");
    NS_TEST_EXPECT_MSG_EQ(sender.lastDelivery, Seconds(5), "the receiver's");
    NS_TEST_EXPECT_MSG_EQ(sender.offeredBytes, uint64_t{10} << 40, "the sender's");
    NS_TEST_EXPECT_MSG_EQ(sender.protocol, "", "the sender's");
}

/** @brief A transfer is completed when its receiver has delivered what was promised. */
LFN_CASE(TransferCompletedTestCase)
{
    TransferReport sender;
    sender.completed = true;
    sender.finish = Seconds(4);
    sender.offeredBytes = 10;
    TransferReport receiver;
    receiver.deliveredBytes = 7;
    receiver.lastDelivery = Seconds(5);
    TransferReport joined = sender;
    joined.MergeReceiver(receiver);
    NS_TEST_EXPECT_MSG_EQ(joined.completed, false, "three bytes are in the receiving host");
    NS_TEST_EXPECT_MSG_EQ(joined.finish, Time(0), "it has not ended");
    receiver.lostBytes = 3;
    joined = sender;
    joined.MergeReceiver(receiver);
    NS_TEST_EXPECT_MSG_EQ(joined.completed, true, "their loss was accepted");
    NS_TEST_EXPECT_MSG_EQ(joined.finish, Seconds(5), "not before the last delivery");
    receiver.lostBytes = 0;
    sender.lostBytes = 2;
    joined = sender;
    joined.MergeReceiver(receiver);
    NS_TEST_EXPECT_MSG_EQ(joined.lostBytes, 2, "the sender gave them up");
    NS_TEST_EXPECT_MSG_EQ(joined.completed, false, "they were promised");
    sender.lostBytes = 5;
    joined = sender;
    joined.MergeReceiver(receiver);
    NS_TEST_EXPECT_MSG_EQ(joined.lostBytes, 3, "two of them have arrived");
    sender.lostBytes = 0;
    sender.isAcknowledged = false;
    joined = sender;
    joined.MergeReceiver(receiver);
    NS_TEST_EXPECT_MSG_EQ(joined.completed, true, "nothing was promised");
    NS_TEST_EXPECT_MSG_EQ(joined.finish, Seconds(4), "everything was sent");
    sender.completed = false;
    sender.failure = "late";
    receiver.failure = "early";
    for (const auto& [finish, reason] : {std::pair{3, "early"}, std::pair{5, "late"}})
    {
        receiver.finish = Seconds(finish);
        joined = sender;
        joined.MergeReceiver(receiver);
        NS_TEST_EXPECT_MSG_EQ(joined.failure, reason, "the first of both failures");
    }
}

/** @brief One byte of the pattern by its definition. */
uint8_t
ComputeByte(uint64_t offset)
{
    uint64_t word = (offset / 8 + 1) * 11400714819323198485ULL;
    word = (word ^ (word / (1ULL << 29))) * 13787848793156543929ULL;
    word = word ^ (word / (1ULL << 32));
    return static_cast<uint8_t>((word / (1ULL << (8 * (offset % 8)))) % 256 / 2 * 2 + 1);
}

/** @brief The pattern is the same from wherever it is read, and every damage shows. */
LFN_CASE(PatternPayloadTestCase)
{
    std::mt19937_64 random(5);
    for (int trial = 0; trial < 300; ++trial)
    {
        // Small offsets, offsets beyond 32 bits, and any at all.
        const uint64_t offset = random() >> (trial % 3 * 25);
        std::vector<uint8_t> bytes(random() % 2000);
        PatternPayload::Fill(offset, bytes);
        for (size_t i = 0; i < bytes.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(+bytes[i], +ComputeByte(offset + i), "byte " << i);
        }
        const auto size = static_cast<uint32_t>(bytes.size());
        const auto packet = PatternPayload::MakePacket(offset, size);
        NS_TEST_ASSERT_MSG_EQ(packet->GetSize(), size, "length");
        NS_TEST_ASSERT_MSG_EQ(PatternPayload::Matches(offset, packet), true, "itself");
        NS_TEST_ASSERT_MSG_EQ(PatternPayload::Matches(offset, Create<Packet>(size)),
                              (size == 0),
                              "a gap of nulls");
        if (size > 0)
        {
            bytes[random() % size] ^= static_cast<uint8_t>(1U << (random() % 8));
            const auto damaged = Create<Packet>(bytes.data(), size);
            NS_TEST_ASSERT_MSG_EQ(PatternPayload::Matches(offset, damaged), false, "one bit");
        }
        if (size > 32)
        {
            NS_TEST_ASSERT_MSG_EQ(PatternPayload::Matches(offset + 8, packet), false, "moved");
            packet->RemoveAtStart(7);
            NS_TEST_ASSERT_MSG_EQ(PatternPayload::Matches(offset + 7, packet), true, "a part");
        }
    }
}

/** @brief Datagrams carry their number and are checked without any state. */
LFN_CASE(DatagramsCase)
{
    std::mt19937_64 random(6);
    for (uint32_t size = 0; size < 200; ++size)
    {
        const uint64_t number = random() >> (size % 3 * 25);
        const auto packet = PatternPayload::MakeDatagram(number, size);
        NS_TEST_ASSERT_MSG_EQ(packet->GetSize(), size, "exact length");
        NS_TEST_ASSERT_MSG_EQ(PatternPayload::IsIntact(packet), true, "itself");
        std::vector<uint8_t> bytes(size);
        packet->CopyData(bytes.data(), size);
        // A wrong number shows in the bytes after it, if there are enough of them.
        for (size_t i = size >= 8 && size < 16 ? 8 : 0; i < size; ++i)
        {
            bytes[i] ^= 0x10;
            const auto damaged = Create<Packet>(bytes.data(), size);
            NS_TEST_ASSERT_MSG_EQ(PatternPayload::IsIntact(damaged), false, "byte " << i);
            bytes[i] ^= 0x10;
        }
    }
    NS_TEST_EXPECT_MSG_EQ(PatternPayload::IsIntact(Create<Packet>(1450)), false, "nulls");
}

/** @brief A transfer application that does what a test requests. */
class ScriptedApplication : public TransferApplication
{
  public:
    using TransferApplication::Begin;
    using TransferApplication::Complete;
    using TransferApplication::DropPacket;
    using TransferApplication::Fail;

    bool isEndless{false}; //!< whether a stop is its normal end
    int cancels{0};        //!< how often CancelEvents() was called

  private:
    void CancelEvents() override
    {
        ++cancels;
    }

    bool IsEndless() const override
    {
        return isEndless;
    }
};

/** @brief Make an application on a node of its own, listened to. */
Ptr<ScriptedApplication>
MakeListened(TestEnd& end)
{
    const auto application = CreateObject<ScriptedApplication>();
    CreateObject<Node>()->AddApplication(application);
    end.Watch(application);
    return application;
}

/** @brief A transfer begins once and ends once. */
LFN_CASE(TransferApplicationTestCase)
{
    TestEnd end;
    std::string dropped;
    auto application = MakeListened(end);
    ConnectTrace(application, "Drop", [&dropped](Ptr<const Packet>, DropReason reason) {
        dropped += ToString(reason);
    });
    Simulator::Schedule(Seconds(1), &ScriptedApplication::Begin, application);
    Simulator::Schedule(Seconds(2), &ScriptedApplication::Begin, application);
    Simulator::Schedule(Seconds(3), &ScriptedApplication::Complete, application);
    Simulator::Schedule(Seconds(4), &ScriptedApplication::Fail, application, "too late");
    Simulator::Schedule(Seconds(5), &ScriptedApplication::Complete, application);
    application->SetStopTime(Seconds(6));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(application->GetReport().start, Seconds(1), "the first begin");
    NS_TEST_EXPECT_MSG_EQ(application->GetReport().finish, Seconds(3), "the first end");
    NS_TEST_EXPECT_MSG_EQ(application->GetReport().completed, true, "ended well");
    NS_TEST_EXPECT_MSG_EQ(application->GetReport().failure, "", "ended well");
    NS_TEST_EXPECT_MSG_EQ(application->IsFinished(), true, "ended");
    NS_TEST_EXPECT_MSG_EQ(end.completed, 1, "reported once");
    NS_TEST_EXPECT_MSG_EQ(end.report.completed, true, "and so");
    NS_TEST_EXPECT_MSG_EQ(end.failed, 0, "and nothing else");
    NS_TEST_EXPECT_MSG_EQ(application->cancels, 1, "released once");

    const auto packet = Create<Packet>(1);
    application->DropPacket(packet, DropReason::CORRUPT);
    application->DropPacket(packet, DropReason::MALFORMED);
    application->DropPacket(packet, DropReason::CORRUPT);
    NS_TEST_EXPECT_MSG_EQ(application->GetDrops(DropReason::CORRUPT), 2, "by reason");
    NS_TEST_EXPECT_MSG_EQ(application->GetDrops(DropReason::DUPLICATE), 0, "by reason");
    NS_TEST_EXPECT_MSG_EQ(application->GetDrops(DropReason::COUNT_), 0, "no reason");
    NS_TEST_EXPECT_MSG_EQ(application->GetTotalDrops(), 3, "in all");
    NS_TEST_EXPECT_MSG_EQ(dropped, "corruptmalformedcorrupt", "traced");
    Simulator::Destroy();
}

/** @brief A transfer that is stopped before its end. */
LFN_CASE(StoppedTestCase)
{
    {
        TestEnd end;
        const auto application = MakeListened(end);
        application->SetStopTime(Seconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(end.failed, 1, "a sender that is stopped has failed");
        NS_TEST_EXPECT_MSG_EQ(end.report.failure, "stopped", "and says why");
        NS_TEST_EXPECT_MSG_EQ(application->GetReport().finish, Seconds(2), "when");
        Simulator::Destroy();
    }
    {
        TestEnd end;
        const auto application = MakeListened(end);
        application->isEndless = true;
        application->SetStopTime(Seconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(end.failed + end.completed, 0, "an endless one just ends");
        NS_TEST_EXPECT_MSG_EQ(application->IsFinished(), true, "but it ends");
        NS_TEST_EXPECT_MSG_EQ(application->GetReport().finish, Seconds(2), "when");
        NS_TEST_EXPECT_MSG_EQ(application->cancels, 1, "released");
        Simulator::Destroy();
    }
    {
        TestEnd end;
        const auto application = MakeListened(end);
        application->Dispose();
        application->Complete();
        NS_TEST_EXPECT_MSG_EQ(end.failed + end.completed, 0, "a disposed one says nothing");
        NS_TEST_EXPECT_MSG_EQ(application->cancels, 1, "released");
        Simulator::Destroy();
    }
}

/** @brief A sink listens where its attributes say. */
LFN_CASE(ListenAddressTestCase)
{
    // Check an address that stands for exactly one, port 9 being the default.
    const auto check = [&](const Address& local, const Address& expected) {
        const auto addresses = MakeListenAddresses(local, 9);
        NS_TEST_ASSERT_MSG_EQ(addresses.size(), 1, local);
        NS_TEST_EXPECT_MSG_EQ(addresses[0], expected, local);
    };
    const Ipv4Address ipv4("10.1.2.3");
    const Ipv6Address ipv6("2001::1");
    NS_TEST_EXPECT_MSG_EQ(MakeListenAddresses(Address(), 9).size(), 2, "both families");
    check(ipv4, InetSocketAddress(ipv4, 9));
    check(ipv6, Inet6SocketAddress(ipv6, 9));
    check(InetSocketAddress(ipv4, 10), InetSocketAddress(ipv4, 10));
    check(Inet6SocketAddress(ipv6, 10), Inet6SocketAddress(ipv6, 10));
    const uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
    NS_TEST_EXPECT_MSG_EQ(MakeListenAddresses(Address(77, bytes, 6), 9).size(), 0, "neither");
    UseFastAllocator(); // may be called at any time
}

/** @brief An object whose Attributes are fields of a struct that it holds. */
class FieldObject : public Object
{
  public:
    /** @brief What both have. */
    struct Common
    {
        Time wait; //!< a field of a base
    };

    /** @brief What holds for a part. */
    struct Part
    {
        uint16_t count{3};                      //!< a field two levels deep
        DropReason reason{DropReason::CORRUPT}; //!< an enumerator
    };

    /** @brief What is set. */
    struct Settings : Common
    {
        Part part; //!< what holds for a part
    };

    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        constexpr auto SETTINGS = &FieldObject::settings;
        static TypeId tid =
            TypeId("ns3::lfn::tests::FieldObject")
                .SetParent<Object>()
                .SetGroupName("Lfn")
                .AddConstructor<FieldObject>()
                .AddAttribute("Wait",
                              "a field of a base",
                              TimeValue(Seconds(2)),
                              MakeFieldAccessor<TimeValue>(SETTINGS, &Settings::wait),
                              MakeTimeChecker(Time(0)))
                .AddAttribute(
                    "Count",
                    "a field two levels deep",
                    UintegerValue(7),
                    MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::part, &Part::count),
                    MakeUintegerChecker<uint16_t>(1, 9))
                .AddAttribute("Reason",
                              "an enumerator",
                              EnumValue(DropReason::DUPLICATE),
                              MakeFieldAccessor<EnumValue<DropReason>>(SETTINGS,
                                                                       &Settings::part,
                                                                       &Part::reason),
                              MakeEnumChecker(DropReason::CORRUPT,
                                              "Corrupt",
                                              DropReason::DUPLICATE,
                                              "Duplicate"));
        return tid;
    }

    Settings settings; //!< what is set
};

/** @brief Attributes reach the fields of a struct: defaults, values, ranges, reading back. */
LFN_CASE(FieldAccessorTestCase)
{
    const auto object = CreateObject<FieldObject>();
    const auto& settings = object->settings;
    NS_TEST_EXPECT_MSG_EQ(settings.wait, Seconds(2), "the default of a base's field");
    NS_TEST_EXPECT_MSG_EQ(settings.part.count, 7, "the default two levels deep");
    NS_TEST_EXPECT_MSG_EQ((settings.part.reason == DropReason::DUPLICATE), true, "of an enum");
    object->SetAttribute("Wait", StringValue("5ms"));
    object->SetAttribute("Count", UintegerValue(9));
    object->SetAttribute("Reason", StringValue("Corrupt"));
    NS_TEST_EXPECT_MSG_EQ(settings.wait, MilliSeconds(5), "set by text");
    NS_TEST_EXPECT_MSG_EQ(settings.part.count, 9, "set by value");
    NS_TEST_EXPECT_MSG_EQ((settings.part.reason == DropReason::CORRUPT), true, "set by name");
    const bool isBeyond = object->SetAttributeFailSafe("Count", UintegerValue(10));
    NS_TEST_EXPECT_MSG_EQ(isBeyond, false, "out of range");
    NS_TEST_EXPECT_MSG_EQ(settings.part.count, 9, "as it was");
    UintegerValue count;
    object->GetAttribute("Count", count);
    NS_TEST_EXPECT_MSG_EQ(count.Get(), 9, "read back");
    TimeValue wait;
    object->GetAttribute("Wait", wait);
    NS_TEST_EXPECT_MSG_EQ(wait.Get(), MilliSeconds(5), "read back");
}

const Suite g_suite("lfn-transfer", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new DropReasonTestCase("drop reason: names"));
    suite.Add(new TransferReportTestCase("transfer report: goodput, the receiver's side"));
    suite.Add(new TransferCompletedTestCase("transfer report: completed means delivered"));
    suite.Add(new PatternPayloadTestCase("pattern payload: pieces, damage, datagrams"));
    suite.Add(new DatagramsCase("datagrams carry their number and are checked without any state"));
    suite.Add(new TransferApplicationTestCase(
        "transfer application: one begin, one end, drops by reason"));
    suite.Add(new StoppedTestCase("applications that are stopped or disposed of"));
    suite.Add(new ListenAddressTestCase("listen address: all forms"));
    suite.Add(new FieldAccessorTestCase("field accessor: Attributes that are fields of a struct"));
});

} // namespace
