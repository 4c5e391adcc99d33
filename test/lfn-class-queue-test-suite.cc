// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-item.h"

#include "ns3/data-rate.h"
#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-class-queue-disc.h"
#include "ns3/lfn-tos.h"
#include "ns3/lfn-traffic-classes.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint8_t EF = 0xb8; //!< its TOS byte

/** @brief A packet that a queue disc has sent. */
struct Sent
{
    Time time;      //!< when
    uint8_t tos;    //!< its TOS byte
    uint32_t bytes; //!< of the IP packet, [B]
};

/** @brief A queue disc that a test feeds; it and the simulation end with the test. */
class ClassPort
{
  public:
    /// A queue disc with classes and a buffer.
    explicit ClassPort(const std::string& classes, const std::string& size = "100000p")
    {
        disc->SetAttribute("Classes", StringValue(classes));
        disc->SetAttribute("MaxSize", StringValue(size));
    }

    ~ClassPort()
    {
        disc->Dispose();
        Simulator::Destroy();
    }

    ClassPort(const ClassPort&) = delete;
    ClassPort& operator=(const ClassPort&) = delete;

    /// Send to a device that takes all at once.
    void Connect()
    {
        disc->SetSendCallback([this](Ptr<QueueDiscItem> item) { Note(item); });
        disc->Initialize();
    }

    /// Enqueue a packet of 1000 B over IPv4 or IPv6.
    bool Enqueue(uint8_t tos, bool isIpv6 = false, uint32_t bytes = 1000)
    {
        const uint32_t header = isIpv6 ? 48 : 28;
        return disc->Enqueue(
            MakeXcpItem({.protocol = 17, .payload = bytes - header, .ipv6 = isIpv6, .tos = tos}));
    }

    /// Note what has left.
    void Note(Ptr<const QueueDiscItem> item)
    {
        uint8_t tos = 0;
        item->GetUint8Value(QueueItem::IP_DSFIELD, tos);
        sent.push_back({Simulator::Now(), tos, item->GetSize()});
    }

    Ptr<ClassQueueDisc> disc{CreateObject<ClassQueueDisc>()}; //!< what is tested
    std::vector<Sent> sent;                                   //!< what has left
};

/** @brief The TOS byte as text. */
LFN_CASE(TosTestCase)
{
    const std::vector<std::pair<std::string, uint8_t>> texts{{"EF", 0xb8},
                                                             {"LE", 0x04},
                                                             {"CS0", 0x00},
                                                             {"CS6", 0xc0},
                                                             {"AF11", 0x28},
                                                             {"AF43", 0x98},
                                                             {"0", 0},
                                                             {"40", 40},
                                                             {"255", 255},
                                                             {"0xb8", 0xb8},
                                                             {"0XFF", 255},
                                                             {"0x1", 1}};
    for (const auto& [text, byte] : texts)
    {
        NS_TEST_EXPECT_MSG_EQ(int(tos::Read(text).value_or(77)), int(byte), text);
    }
    for (const auto* text :
         {"",   "256",  "-1",   "0x",   "0x100", "ef",  "EF ", " EF", "CS8", "CS",
          "AF", "AF01", "AF10", "AF14", "AF51",  "1.5", "+1",  "1e1", "0xg", "EFF"})
    {
        NS_TEST_EXPECT_MSG_EQ(tos::Read(text).has_value(), false, "not a TOS byte: " << text);
    }
    for (int byte = 0; byte <= UINT8_MAX; ++byte)
    {
        const auto text = tos::Print(static_cast<uint8_t>(byte));
        NS_TEST_EXPECT_MSG_EQ(int(tos::Read(text).value_or(0)), byte, text);
    }

    // An Attribute takes texts and numbers, and refuses all else.
    const auto source = CreateObject<UdpSource>();
    const auto set = [&source](const AttributeValue& value) {
        UintegerValue has;
        const bool isTaken = source->SetAttributeFailSafe("Tos", value);
        source->GetAttribute("Tos", has);
        return isTaken ? static_cast<int>(has.Get()) : -1;
    };
    NS_TEST_EXPECT_MSG_EQ(set(StringValue("AF21")), 0x48, "a name");
    NS_TEST_EXPECT_MSG_EQ(set(StringValue("0x29")), 0x29, "a hexadecimal number");
    NS_TEST_EXPECT_MSG_EQ(set(StringValue("41")), 41, "a decimal number");
    NS_TEST_EXPECT_MSG_EQ(set(UintegerValue(184)), 184, "a number");
    NS_TEST_EXPECT_MSG_EQ(set(UintegerValue(256)), -1, "too large");
    NS_TEST_EXPECT_MSG_EQ(set(StringValue("AF99")), -1, "an unknown name");
    StringValue text;
    source->SetAttribute("Tos", StringValue("EF"));
    source->GetAttribute("Tos", text);
    NS_TEST_EXPECT_MSG_EQ(text.Get(), "184", "printed as a number");
}

/** @brief Classes as text, there and back. */
LFN_CASE(TextTestCase)
{
    TrafficClasses classes;
    NS_TEST_EXPECT_MSG_EQ(classes.Print(), "rest:1", "unless given");
    const std::vector<std::pair<std::string, std::string>> texts{
        {"EF+0x28:0.6:500p:60Mbps,rest:0.4", "EF+AF11:0.6:500p:60000000bps,rest:0.4"},
        {"rest:3,CS1+184:1:2KiB", "rest:3,CS1+EF:1:2048B"},
        {"0x0c:1e-3:1.5kb/s,rest:1000:1.5KiB:2GB/s",
         "0x0c:0.001:1500bps,rest:1000:1536B:16000000000bps"}};
    for (const auto& [text, printed] : texts)
    {
        const auto remedy = TrafficClasses::Read(text, classes);
        NS_TEST_EXPECT_MSG_EQ(remedy.value_or(""), "", text);
        NS_TEST_EXPECT_MSG_EQ(classes.Print(), printed, text);
        TrafficClasses again;
        TrafficClasses::Read(printed, again);
        NS_TEST_EXPECT_MSG_EQ(again.Print(), printed, "there and back");
    }
    // A refused text changes nothing, and the line says what to write.
    const auto before = classes.Print();
    const std::vector<std::pair<std::string, std::string>> refused{
        {"", "class : there is no DSCP , give"},
        {"EF:0.6", "add a class for all other packets, such as rest:0.4"},
        {"rest:0.6,rest:0.4", "give one class rest"},
        {"EF:1,0xb8:1,rest:1", "give EF to one class, once"},
        {"EF+EF:1,rest:1", "give EF to one class, once"},
        {"EF+rest:1", "class EF+rest:1: rest stands alone"},
        {"EG:1,rest:1", "class EG:1: there is no DSCP EG, give EF, LE"},
        {"0xb9:1,rest:1", "the lowest two bits of TOS byte 0xb9 are those of ECN: give EF"},
        {"EF,rest:1", "class EF: write a weight from 1e-6 to 1e6"},
        {"EF:0,rest:1", "class EF:0: write a weight"},
        {"EF:-1,rest:1", "write a weight"},
        {"EF:nan,rest:1", "write a weight"},
        {"EF:inf,rest:1", "write a weight"},
        {"EF:1e7,rest:1", "write a weight"},
        {"EF:1:5,rest:1", "class EF:1:5: a buffer is a whole number above 0 with its unit"},
        {"EF:1:0p,rest:1", "a buffer is a whole number"},
        {"EF:1:1.5p,rest:1", "a buffer is a whole number"},
        {"EF:1:5000000000p,rest:1", "a buffer is a whole number"},
        {"EF:1:99999999999999999999MiB,rest:1", "a buffer is a whole number"},
        {"EF:1:-5p,rest:1", "a buffer is a whole number"},
        {"EF:1:0bps,rest:1", "a cap is a rate above 0 with its unit"},
        {"EF:1:5parsecs,rest:1", "a cap is a rate"},
        {"EF:1:99999999999Gbps,rest:1", "a cap is a rate above 0 with its unit, 10000Gbps at most"},
        {"EF:1:60Mbps:500p,rest:1", "write name:weight, then at most one buffer, then at most one"},
        {"EF:1:5p:6p,rest:1", "write name:weight, then at most one buffer"},
        {"EF:1:5Mbps:6Mbps,rest:1", "write name:weight, then at most one buffer"},
        {"EF:1,,rest:1", "class : there is no DSCP"},
        {"EF:1,rest:1,", "class : there is no DSCP"},
        {"EF :1,rest:1", "there is no DSCP EF "}};
    const auto about = ClassQueueDisc::GetTypeId().GetAttribute(0);
    NS_TEST_ASSERT_MSG_EQ(about.name, "Classes", "the first Attribute");
    for (const auto& [text, part] : refused)
    {
        const auto remedy = TrafficClasses::Read(text, classes);
        NS_TEST_EXPECT_MSG_EQ((remedy.value_or("").find(part) != std::string::npos),
                              true,
                              text << ": " << remedy.value_or("") << " lacks " << part);
        NS_TEST_EXPECT_MSG_EQ(classes.Print(), before, "unchanged");
        const auto checked = CheckAttributeText(about.checker, text).value_or("");
        NS_TEST_EXPECT_MSG_EQ(checked, remedy.value_or(""), "on the command line");
        const auto disc = CreateObject<ClassQueueDisc>();
        const bool isTaken = disc->SetAttributeFailSafe("Classes", StringValue(text));
        NS_TEST_EXPECT_MSG_EQ(isTaken, false, "the Attribute with " << text);
    }
    // No text ends the program, and what is taken is printed and taken again.
    std::mt19937 random(3);
    const std::string letters = "EFrest0xb8:,+.1pBMs-";
    uint32_t taken = 0;
    for (int i = 0; i < 20'000; ++i)
    {
        std::string text = "EF+0x28:0.6:500p:60Mbps,rest:0.4";
        for (auto k = random() % 4; k > 0; --k)
        {
            text[random() % text.size()] = letters[random() % letters.size()];
        }
        TrafficClasses some;
        if (TrafficClasses::Read(text, some))
        {
            continue;
        }
        ++taken;
        TrafficClasses again;
        TrafficClasses::Read(some.Print(), again);
        NS_TEST_EXPECT_MSG_EQ(again.Print(), some.Print(), text);
    }
    NS_TEST_EXPECT_MSG_GT(taken, 1000, "some are taken");
}

/** @brief Which class a packet is in, over both versions of IP. */
LFN_CASE_OF(ClassTestCase, bool isIpv6)
{
    ClassPort port("EF+CS1:1,rest:1,AF11:1");
    port.disc->Initialize();
    const std::vector<std::pair<uint8_t, uint32_t>> packets{{0xb8, 0},
                                                            {0xb9, 0},
                                                            {0xbb, 0},
                                                            {0x20, 0},
                                                            {0x00, 1},
                                                            {0x02, 1},
                                                            {0xbc, 1},
                                                            {0x28, 2},
                                                            {0x2a, 2}};
    std::array<uint32_t, 3> expected{};
    for (const auto& [tos, index] : packets)
    {
        ++expected[index];
        port.Enqueue(tos, isIpv6);
        NS_TEST_EXPECT_MSG_EQ(port.disc->GetInternalQueue(index)->GetNPackets(),
                              expected[index],
                              "TOS byte " << int(tos));
    }
}

/** @brief What is not IP is in the class rest. */
LFN_CASE(ForeignTestCase)
{
    class ForeignItem : public QueueDiscItem
    {
      public:
        ForeignItem()
            : QueueDiscItem(Create<Packet>(28), Mac48Address("00:00:00:00:00:02"), 0x0806)
        {
        }

        void AddHeader() override
        {
        }

        bool Mark() override
        {
            return false;
        }
    };

    ClassPort port("CS0:1,rest:1");
    port.disc->Initialize();
    port.disc->Enqueue(Create<ForeignItem>());
    NS_TEST_EXPECT_MSG_EQ(port.disc->GetInternalQueue(1)->GetNPackets(), 1, "the class rest");
}

/** @brief Buffers: a share of MaxSize by weight, or one of its own; a packet always. */
LFN_CASE(BufferTestCase)
{
    const auto fill = [&](const std::string& classes, const std::string& size) {
        ClassPort port(classes, size);
        port.disc->Initialize();
        for (int i = 0; i < 200; ++i)
        {
            port.Enqueue(EF);
            port.Enqueue(0);
        }
        const auto first = port.disc->GetInternalQueue(0)->GetNPackets();
        const auto second = port.disc->GetInternalQueue(1)->GetNPackets();
        NS_TEST_EXPECT_MSG_EQ(port.disc->GetCounts(0).droppedPackets, 200 - first, "EF");
        NS_TEST_EXPECT_MSG_EQ(port.disc->GetCounts(1).droppedPackets, 200 - second, "rest");
        NS_TEST_EXPECT_MSG_EQ(
            port.disc->GetStats().GetNDroppedPackets(ClassQueueDisc::BUFFER_FULL_DROP),
            400 - first - second,
            "of the queue disc");
        return std::pair(first, second);
    };
    NS_TEST_EXPECT_MSG_EQ((fill("EF:3,rest:1", "100p") == std::pair(75U, 25U)), true, "by weight");
    NS_TEST_EXPECT_MSG_EQ((fill("EF:3:7p,rest:1", "100p") == std::pair(7U, 25U)), true, "own");
    NS_TEST_EXPECT_MSG_EQ((fill("EF:3:4500B,rest:1:20p", "10p") == std::pair(4U, 20U)),
                          true,
                          "own, in bytes and packets");
    NS_TEST_EXPECT_MSG_EQ((fill("EF:1:500B,rest:1000", "100p") == std::pair(1U, 100U)),
                          true,
                          "a packet always");
    NS_TEST_EXPECT_MSG_EQ((fill("EF:0.6,rest:0.4", "50kB") == std::pair(30U, 20U)),
                          true,
                          "MaxSize in bytes");
}

/** @brief Shares by bytes on the link, and an idle class's share for the others. */
LFN_CASE(ShareTestCase)
{
    for (const uint32_t overhead : {0, 200})
    {
        ClassPort port("EF:0.6,AF11:0.3,rest:0.1");
        port.disc->SetAttribute("OverheadBytes", UintegerValue(overhead));
        port.disc->Initialize();
        for (int i = 0; i < 2000; ++i)
        {
            port.Enqueue(EF, false, 100);
            port.Enqueue(0x28, true, 1500);
            port.Enqueue(0, false, 600);
        }
        const auto head = port.disc->Peek();
        for (int i = 0; i < 1000; ++i)
        {
            const auto item = port.disc->Dequeue();
            NS_TEST_EXPECT_MSG_EQ((i > 0 || item == head), true, "what was peeked at");
        }
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i)
        {
            sum += static_cast<double>(port.disc->GetCounts(i).sentBytes);
        }
        const std::array<double, 3> shares{0.6, 0.3, 0.1};
        for (std::size_t i = 0; i < 3; ++i)
        {
            const auto bytes = static_cast<double>(port.disc->GetCounts(i).sentBytes);
            NS_TEST_EXPECT_MSG_EQ_TOL(bytes,
                                      shares[i] * sum,
                                      2.0 * (1500 + overhead),
                                      "class " << i);
        }
        // Two classes left, then one, then none.
        while (port.disc->Dequeue())
        {
        }
        NS_TEST_EXPECT_MSG_EQ(port.disc->GetNBytes(), 0, "all leave");
        for (std::size_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(port.disc->GetCounts(i).sentPackets, 2000, "class " << i);
        }
        // A class that paused has saved nothing: the others do not wait for it.
        for (int i = 0; i < 100; ++i)
        {
            port.Enqueue(EF);
            port.disc->Dequeue();
        }
        for (int i = 0; i < 40; ++i)
        {
            port.Enqueue(EF);
            port.Enqueue(0x28);
        }
        uint32_t expedited = 0;
        for (int i = 0; i < 30; ++i)
        {
            port.Note(port.disc->Dequeue());
            expedited += port.sent.back().tos == EF ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(expedited, 20, 2, "two of three");
    }
}

/** @brief A cap: exact over every stretch, in ns; packets larger than the burst pass, too. */
LFN_CASE_OF(CapTestCase, uint32_t burst, uint32_t bytes)
{
    ClassPort port("EF:1:7777kbps,rest:1");
    port.disc->SetAttribute("CapBurst", UintegerValue(burst));
    port.disc->SetAttribute("OverheadBytes", UintegerValue(2));
    port.Connect();
    for (int i = 0; i < 500; ++i)
    {
        port.Enqueue(EF, false, bytes);
    }
    port.disc->Run();
    Pass(Seconds(20));
    NS_TEST_ASSERT_MSG_EQ(port.sent.size(), 500, "all leave, by the timer alone");
    const double rate = 7777e3 / 8;
    const double slack = std::max(burst, bytes + 2);
    const double size = bytes + 2;
    const auto& sent = port.sent;
    for (std::size_t i = 0; i < sent.size(); ++i)
    {
        for (std::size_t k = i; k < sent.size(); k += 7)
        {
            const double passed = (sent[k].time - sent[i].time).GetSeconds();
            NS_TEST_ASSERT_MSG_LT_OR_EQ(size * (k - i + 1),
                                        slack + rate * passed + 1e-6,
                                        "the cap");
        }
    }
    // The last packet leaves as soon as its tokens are there. One that needs a full bucket loses
    // what arrives until the next ns.
    const double owed = std::max(0.0, size * 500 - slack);
    const double tolerance = size < burst ? 1.01e-9 : 500e-9;
    NS_TEST_EXPECT_MSG_EQ_TOL(sent.back().time.GetSeconds(), owed / rate, tolerance, "the end");
    NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount(), 2000, "a timer per packet at most");
}

/** @brief Caps of two classes and one without, on a link that is busy and then is not. */
LFN_CASE(CapsTestCase)
{
    ClassPort port("EF:0.6:10Mbps,AF11:0.3:20Mbps,rest:0.1");
    port.disc->SetAttribute("CapBurst", UintegerValue(3000));
    port.disc->Initialize();
    for (int i = 0; i < 4000; ++i)
    {
        port.Enqueue(EF);
        port.Enqueue(0x28);
        port.Enqueue(0);
    }
    // A link of 100 Mb/s: 80 us per packet.
    for (int i = 0; i < 5000; ++i)
    {
        Simulator::Schedule(MicroSeconds(80 * i), [&port] { port.Note(port.disc->Dequeue()); });
    }
    Pass(MilliSeconds(400));
    NS_TEST_ASSERT_MSG_EQ(port.sent.size(), 5000, "the link never idles while a class may send");
    const double expedited = static_cast<double>(port.disc->GetCounts(0).sentBytes);
    const double assured = static_cast<double>(port.disc->GetCounts(1).sentBytes);
    NS_TEST_EXPECT_MSG_EQ_TOL(expedited, 10e6 / 8 * 0.4, 4000, "EF: its cap");
    NS_TEST_EXPECT_MSG_EQ_TOL(assured, 20e6 / 8 * 0.4, 4000, "AF11: its cap");
}

/** @brief A cap as large as the share takes nothing of it. */
LFN_CASE(EqualCapTestCase)
{
    ClassPort port("EF:0.6:60Mbps,rest:0.4");
    port.disc->Initialize();
    for (int i = 0; i < 5000; ++i)
    {
        port.Enqueue(EF);
        port.Enqueue(0);
    }
    for (int i = 0; i < 5000; ++i)
    {
        Simulator::Schedule(MicroSeconds(80 * i), [&port] { port.Note(port.disc->Dequeue()); });
    }
    Pass(MilliSeconds(400));
    const auto expedited = port.disc->GetCounts(0).sentPackets;
    NS_TEST_EXPECT_MSG_EQ_TOL(expedited, 3000, 3, "three fifths");
}

/** @brief Packets of another class leave while a class waits for its cap, and nothing is lost. */
LFN_CASE(WakeTestCase)
{
    ClassPort port("EF:1:8Mbps,AF11:1:4Mbps,rest:1");
    port.disc->SetAttribute("CapBurst", UintegerValue(1000));
    port.Connect();
    std::mt19937 random(5);
    uint32_t sent = 0;
    for (int i = 0; i < 600; ++i)
    {
        const uint8_t tos = i % 3 == 0 ? EF : i % 3 == 1 ? 0x28 : 0;
        sent += 1;
        Simulator::Schedule(MicroSeconds(random() % 100'000), [&port, tos] {
            port.Enqueue(tos);
            port.disc->Run();
            if (tos == 0)
            {
                NS_ABORT_MSG_UNLESS(port.sent.back().tos == 0, "rest does not wait");
            }
        });
    }
    Pass(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(port.sent.size(), sent, "all leave");
    NS_TEST_EXPECT_MSG_EQ(port.disc->GetNPackets(), 0, "none waits");
    // EF: 200 packets of 1 ms each, AF11: 2 ms each.
    NS_TEST_EXPECT_MSG_EQ_TOL(port.sent.back().time.GetSeconds(), 0.4, 0.01, "the slower cap");
}

/** @brief Below another queue disc nothing runs it: a cap holds packets, and no timer crashes. */
LFN_CASE(ChildTestCase)
{
    ClassPort port("EF:1:8Mbps,rest:1");
    port.disc->SetAttribute("CapBurst", UintegerValue(1000));
    port.disc->Initialize();
    port.Enqueue(EF);
    port.Enqueue(EF);
    NS_TEST_EXPECT_MSG_EQ((port.disc->Dequeue() != nullptr), true, "the burst");
    NS_TEST_EXPECT_MSG_EQ((port.disc->Dequeue() == nullptr), true, "the cap");
    Pass(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ((port.disc->Dequeue() != nullptr), true, "later");
}

/** @brief The queue disc with classes, and the texts of TOS bytes and classes. */
const Suite g_suite("lfn-class-queue", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new TosTestCase("TOS bytes as text"));
    suite.Add(new TextTestCase("classes as text"));
    suite.Add(new ClassTestCase("classes of IPv4 packets", false));
    suite.Add(new ClassTestCase("classes of IPv6 packets", true));
    suite.Add(new ForeignTestCase("packets without a TOS byte"));
    suite.Add(new BufferTestCase("buffers"));
    suite.Add(new ShareTestCase("shares"));
    suite.Add(new CapTestCase("a cap, bursts of ten packets", 15'000, 1000));
    suite.Add(new CapTestCase("a cap, a burst of a packet", 1003, 1000));
    suite.Add(new CapTestCase("a cap, packets larger than the burst", 1, 1499));
    suite.Add(new CapsTestCase("caps on a busy link"));
    suite.Add(new EqualCapTestCase("a cap as large as the share"));
    suite.Add(new WakeTestCase("caps, and packets that come at random"));
    suite.Add(new ChildTestCase("a cap below another queue disc"));
});

} // namespace
