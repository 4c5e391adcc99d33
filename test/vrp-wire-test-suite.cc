// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"

#include "ns3/vrp-frame-header.h"
#include "ns3/vrp-header.h"
#include "ns3/vrp-tolerance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Code = VrpTagCode;
using Intervals = std::vector<VrpPacketInterval>;
using Pieces = std::vector<VrpByteInterval>;
using Rounding = VrpLossRounding;

constexpr uint32_t MAX_U32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t MAX_U64 = std::numeric_limits<uint64_t>::max();

constexpr uint32_t BARE_HEADER = 20; //!< frame header with both limits, LAST included, B

/// Draw a number from the low to the high one.
uint32_t
Draw(std::mt19937& random, uint32_t low, uint32_t high)
{
    return low + static_cast<uint32_t>(random() % (uint64_t{high} - low + 1));
}

/// Make a PING or PONG with a time stamp.
VrpTag
Stamp(Code code, uint32_t seconds, uint32_t microseconds)
{
    return {.code = code, .seconds = seconds, .microseconds = microseconds};
}

/// Make a FRAME_CREATE, sizes in B.
VrpTag
CreateFrame(uint16_t frame, uint32_t dataSize, uint16_t packetSize)
{
    return {.code = Code::FRAME_CREATE,
            .frame = frame,
            .dataSize = dataSize,
            .packetSize = packetSize};
}

/// Make a frame header without limits and critical packets, sizes in B.
VrpFrameHeader
BareHeader(uint16_t frame, uint32_t dataSize, uint16_t packetSize)
{
    return {.number = frame,
            .dataSize = dataSize,
            .packetSize = packetSize,
            .maxBurst = {},
            .lossRate = {},
            .critical = {}};
}

/// Make a CRITICAL_INTERVAL.
VrpTag
CriticalInterval(uint32_t first, uint32_t last)
{
    return {.code = Code::CRITICAL_INTERVAL, .packet = first, .lastPacket = last};
}

/// Make a PADDING.
VrpTag
Padding(uint16_t size)
{
    return {.code = Code::PADDING, .padding = size};
}

/// Get a packet's size on the wire in B: header, tags and LAST.
uint64_t
ControlSize(const std::vector<VrpTag>& tags)
{
    return VrpHeader::SIZE + VrpControl::Write(tags).size();
}

/// Print intervals for messages and comparisons, such as "3-5 9-9".
std::string
Text(const Intervals& intervals)
{
    std::string text;
    for (const auto& [first, last] : intervals)
    {
        text += (text.empty() ? "" : " ") + std::to_string(first) + "-" + std::to_string(last);
    }
    return text;
}

/// Turn flags, one a packet, into intervals: runs of set flags.
Intervals
ToIntervals(const std::vector<bool>& flags)
{
    Intervals intervals;
    for (uint32_t packet = 0; packet < flags.size(); ++packet)
    {
        if (flags[packet] && packet > 0 && flags[packet - 1])
        {
            intervals.back().last = packet;
        }
        else if (flags[packet])
        {
            intervals.push_back({packet, packet});
        }
    }
    return intervals;
}

/// Print a header.
std::string
Print(const VrpHeader& header)
{
    std::ostringstream text;
    header.Print(text);
    return text.str();
}

LFN_CASE(VrpWireHeaderTestCase)
{
    // Write a header and read it back.
    const auto checkVector =
        [&](const VrpHeader& header, const std::string& hex, const std::string& text) {
            const auto packet = Create<Packet>();
            packet->AddHeader(header);
            NS_TEST_EXPECT_MSG_EQ(Hex(ToBytes(packet)), hex, "its bytes");
            VrpHeader copy = VrpHeader::Control(5);
            NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(copy), 6, "its size");
            NS_TEST_EXPECT_MSG_EQ(Print(copy), text, "its fields");
            NS_TEST_EXPECT_MSG_EQ(copy.control, header.control, "its kind");
            NS_TEST_EXPECT_MSG_EQ(copy.frame, header.frame, "its frame");
            NS_TEST_EXPECT_MSG_EQ(copy.packet, header.packet, "its packet");
        };
    checkVector(VrpHeader::Data(0, 0), "000000000000", "data frame 0 packet 0");
    checkVector(VrpHeader::Data(0x1234, 0x56789abc),
                "123456789abc",
                "data frame 4660 packet 1450744508");
    checkVector(VrpHeader::Control(0x1234), "923400000000", "control frame 4660 packet 0");
    checkVector(VrpHeader::Data(0x7fff, MAX_U32),
                "7fffffffffff",
                "data frame 32767 packet 4294967295");
    checkVector(VrpHeader::Control(0x7fff), "ffff00000000", "control frame 32767 packet 0");
    // The number after 32767 is 0; the top bit of a number never reaches the first bit.
    checkVector(VrpHeader::Data(0x8000, 1), "000000000001", "data frame 0 packet 1");
    checkVector(VrpHeader::Data(0xffff, 1), "7fff00000001", "data frame 32767 packet 1");
    checkVector(VrpHeader::Control(0x8001), "800100000000", "control frame 1 packet 0");
    checkVector(VrpHeader(), "000000000000", "data frame 0 packet 0");

    for (uint32_t size = 0; size < VrpHeader::SIZE; ++size)
    {
        const Bytes bytes(size, 0xff);
        VrpHeader header = VrpHeader::Data(77, 78);
        NS_TEST_EXPECT_MSG_EQ(Create<Packet>(bytes.data(), size)->PeekHeader(header),
                              0,
                              size << " B are too short");
        NS_TEST_EXPECT_MSG_EQ(Print(header), "data frame 77 packet 78", "unchanged");
    }
    TypeId tid;
    NS_TEST_EXPECT_MSG_EQ(TypeId::LookupByNameFailSafe("ns3::lfn::VrpHeader", &tid),
                          true,
                          "registered");
    NS_TEST_EXPECT_MSG_EQ(VrpHeader().GetInstanceTypeId(), tid, "as itself");
}

/** @brief A tag, its bytes and its name. */
struct Vector
{
    VrpTag tag;       //!< the tag
    std::string hex;  //!< its bytes
    std::string name; //!< its name
};

/// Check whether a list of tags is read.
bool
IsRead(const Bytes& bytes)
{
    return VrpControl::Read(bytes).has_value();
}

LFN_CASE(VrpWireTagsTestCase)
{
    // Read a list of tags.
    const auto checkList = [&](Bytes bytes, const std::vector<VrpTag>& tags) {
        const auto size = bytes.size();
        for (int turn = 0; turn < 2; ++turn)
        {
            const auto control = VrpControl::Read(bytes);
            NS_TEST_ASSERT_MSG_EQ(control.has_value(), true, Hex(bytes));
            NS_TEST_EXPECT_MSG_EQ((control->tags == tags), true, Hex(bytes));
            NS_TEST_EXPECT_MSG_EQ(control->size, size, "bytes taken");
            bytes.push_back(0xff); // data behind LAST is not looked at
        }
    };
    // Write a tag, read it back, and cut it at every place.
    const auto checkVector =
        [&](const VrpTag& tag, const std::string& hex, const std::string& name) {
            auto bytes = VrpControl::Write(std::array{tag});
            NS_TEST_EXPECT_MSG_EQ(Hex(bytes), hex + "00", name << " and LAST");
            NS_TEST_EXPECT_MSG_EQ(tag.GetSize(), hex.size() / 2, "size of " << name);
            NS_TEST_EXPECT_MSG_EQ(std::string(ToString(tag.code)), name, "its name");
            checkList(bytes, {tag});
            // Without LAST, then without bytes of its own.
            while (!bytes.empty())
            {
                bytes.pop_back();
                NS_TEST_EXPECT_MSG_EQ(IsRead(bytes), false, name << " in " << bytes.size() << " B");
            }
        };
    const std::vector<Vector> vectors{
        {Stamp(Code::PING, 0x01020304, 0x000f423f), "0101020304000f423f", "ping"},
        {Stamp(Code::PONG, 0xfffefdfc, 0x00000001), "02fffefdfc00000001", "pong"},
        {VrpTag::OfPacket(Code::ACK, 0x01020304), "0301020304", "ack"},
        {VrpTag::OfPacket(Code::SINGLE_ACK, 0xfffefdfc), "04fffefdfc", "single_ack"},
        {VrpTag::OfPacket(Code::NACK, 0x80000001), "0580000001", "nack"},
        {CreateFrame(0x7ffe, 0xfffefdfc, 0x0800), "067ffefffefdfc0800", "frame_create"},
        {VrpTag::OfValue(Code::CONS_LOSS, 2), "0702", "cons_loss"},
        {VrpTag::OfValue(Code::LOSS_RATE, 255), "08ff", "loss_rate"},
        {VrpTag::OfFrame(Code::FRAME_OK, 0x0102), "090102", "frame_ok"},
        {VrpTag::OfFrame(Code::FRAME_REFUSED, 0x7fff), "0a7fff", "frame_refused"},
        {VrpTag::OfFrame(Code::FRAME_CLOSE, 0x00ff), "0b00ff", "frame_close"},
        {VrpTag::OfFrame(Code::MISSING_HDR, 0), "0c0000", "missing_hdr"},
        {VrpTag::OfPacket(Code::CRITICAL_PACKET, 7), "0d00000007", "critical_packet"},
        {CriticalInterval(0x01020304, 0xfffefdfc), "0e01020304fffefdfc", "critical_interval"},
        {Padding(0), "0f0000", "padding"},
        {Padding(3), "0f0003000000", "padding"},
    };
    std::vector<VrpTag> tags;
    std::string all;
    for (const auto& [tag, hex, name] : vectors)
    {
        checkVector(tag, hex, name);
        tags.push_back(tag);
        all += hex;
    }
    NS_TEST_EXPECT_MSG_EQ(Hex(VrpControl::Write(tags)), all + "00", "all of them");
    checkList(VrpControl::Write(tags), tags);
    NS_TEST_EXPECT_MSG_EQ(Hex(VrpControl::Write({})), "00", "no tags");
    checkList({0}, {});
    NS_TEST_EXPECT_MSG_EQ(std::string(ToString(Code::LAST)), "last", "its name");
    NS_TEST_EXPECT_MSG_EQ(VrpTag().GetSize(), 1, "LAST");
    NS_TEST_EXPECT_MSG_EQ(Padding(65535).GetSize(), 65538, "the largest padding");
}

LFN_CASE(VrpRefusalsTestCase)
{
    NS_TEST_EXPECT_MSG_EQ(IsRead({}), false, "nothing at all");
    for (uint32_t code = 16; code < 256; ++code)
    {
        const auto unknown = static_cast<uint8_t>(code);
        NS_TEST_EXPECT_MSG_EQ(IsRead({unknown, 0}), false, "unknown tag " << code);
        NS_TEST_EXPECT_MSG_EQ(IsRead({8, 9, unknown, 0}), false, "behind a known one");
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(static_cast<Code>(code))),
                              "unknown",
                              "its name");
    }
    for (const uint8_t code : {6, 9, 10, 11, 12})
    {
        // The frame number is the first field of each; FRAME_CREATE takes ten bytes.
        Bytes bytes{code, 0x7f, 0xff};
        bytes.resize(code == 6 ? 10 : 4);
        NS_TEST_EXPECT_MSG_EQ(IsRead(bytes), true, "frame 32767 in tag " << int{code});
        bytes[1] = 0x80;
        bytes[2] = 0;
        NS_TEST_EXPECT_MSG_EQ(IsRead(bytes), false, "frame 32768 in tag " << int{code});
    }
    NS_TEST_EXPECT_MSG_EQ(Hex(VrpControl::Write(std::array{CreateFrame(0x8005, 1, 1)})),
                          "06000500000001000100",
                          "15 bits of a frame number are written");
    NS_TEST_EXPECT_MSG_EQ(IsRead({0x0f, 0, 2, 0xaa, 0xbb, 0}), true, "padding of any bytes");
    NS_TEST_EXPECT_MSG_EQ(IsRead({0x0f, 0, 3, 0xaa, 0xbb, 0}), false, "padding eats LAST");
    NS_TEST_EXPECT_MSG_EQ(IsRead({0x0f, 0xff, 0xff, 0, 0}), false, "padding beyond the end");
}

LFN_CASE(VrpSizesTestCase)
{
    auto header = BareHeader(1, 102'400, 2048);
    NS_TEST_EXPECT_MSG_EQ(ControlSize(header.ToTags()), 16, "bare frame header");
    header.maxBurst = 2;
    header.lossRate = 64;
    NS_TEST_EXPECT_MSG_EQ(ControlSize(header.ToTags()), BARE_HEADER, "with both limits");
    header.critical = {{0, 0}};
    NS_TEST_EXPECT_MSG_EQ(ControlSize(header.ToTags()), 25, "with a critical packet");
    header.critical = {{0, 1}};
    NS_TEST_EXPECT_MSG_EQ(ControlSize(header.ToTags()), 29, "with a critical interval");

    const auto ack = VrpTag::OfPacket(Code::ACK, 1);
    const auto single = VrpTag::OfPacket(Code::SINGLE_ACK, 3);
    const auto nack = VrpTag::OfPacket(Code::NACK, 2);
    NS_TEST_EXPECT_MSG_EQ(ControlSize({ack}), 12, "ACK");
    NS_TEST_EXPECT_MSG_EQ(ControlSize({single, ack}), 17, "SINGLE_ACK, ACK");
    NS_TEST_EXPECT_MSG_EQ(ControlSize({nack, single, ack}), 22, "NACK, SINGLE_ACK, ACK");
    const auto ping = Stamp(Code::PING, 1, 2);
    NS_TEST_EXPECT_MSG_EQ(ControlSize({ping}), 16, "PING");
    NS_TEST_EXPECT_MSG_EQ(ControlSize({ping, Padding(2035)}), 2054, "as a data packet");
}

/// Draw a tag with random fields.
VrpTag
DrawTag(std::mt19937& random)
{
    const auto code = static_cast<Code>(Draw(random, 1, 15));
    switch (code)
    {
    case Code::PING:
    case Code::PONG:
        return Stamp(code, random(), random());
    case Code::FRAME_CREATE:
        return CreateFrame(Draw(random, 0, 32767), random(), Draw(random, 0, 65535));
    case Code::CONS_LOSS:
    case Code::LOSS_RATE:
        return VrpTag::OfValue(code, Draw(random, 0, 255));
    case Code::FRAME_OK:
    case Code::FRAME_REFUSED:
    case Code::FRAME_CLOSE:
    case Code::MISSING_HDR:
        return VrpTag::OfFrame(code, Draw(random, 0, 32767));
    case Code::CRITICAL_INTERVAL:
        return CriticalInterval(random(), random());
    case Code::PADDING:
        return Padding(Draw(random, 0, 20));
    default:
        return VrpTag::OfPacket(code, random());
    }
}

/// Follow a list by the table of section 3.1, without the model: bytes up to LAST, or nothing
/// if the list is to be refused. Bytes of its padding become nulls.
std::optional<std::size_t>
Walk(Bytes& bytes)
{
    constexpr std::array<std::size_t, 16> BODY{0, 8, 8, 4, 4, 4, 8, 1, 1, 2, 2, 2, 2, 4, 8, 2};
    std::size_t at = 0;
    while (at < bytes.size() && bytes[at] < BODY.size())
    {
        const auto code = bytes[at];
        const auto body = at + 1;
        at = body + BODY[code];
        if (at > bytes.size())
        {
            return std::nullopt;
        }
        if (code == 0)
        {
            return at;
        }
        if ((code == 6 || (code >= 9 && code <= 12)) && bytes[body] > 127)
        {
            return std::nullopt;
        }
        for (uint32_t left = code == 15 ? 256U * bytes[body] + bytes[body + 1] : 0; left > 0;
             --left)
        {
            if (at == bytes.size())
            {
                return std::nullopt;
            }
            bytes[at] = 0;
            ++at;
        }
    }
    return std::nullopt;
}

LFN_CASE(VrpWireTotalityTestCase)
{
    int read{0};
    int refused{0};
    int headers{0};
    // Read bytes, and write what they are.
    const auto check = [&](const Bytes& bytes) {
        const auto control = VrpControl::Read(bytes);
        Bytes prefix = bytes;
        const auto size = Walk(prefix);
        NS_TEST_ASSERT_MSG_EQ(control.has_value(), size.has_value(), Hex(bytes));
        if (!control)
        {
            ++refused;
            return;
        }
        ++read;
        prefix.resize(*size);
        NS_TEST_EXPECT_MSG_EQ(control->size, *size, Hex(bytes));
        NS_TEST_EXPECT_MSG_EQ(Hex(VrpControl::Write(control->tags)), Hex(prefix), "written back");
        const auto header = VrpFrameHeader::FromTags(control->tags);
        if (header)
        {
            ++headers;
            const auto again = VrpFrameHeader::FromTags(header->ToTags());
            NS_TEST_EXPECT_MSG_EQ((again == header), true, "frame header of " << Hex(bytes));
        }
    };
    std::mt19937 random(1);
    for (int turn = 0; turn < 20'000; ++turn)
    {
        Bytes bytes(Draw(random, 0, 60));
        // Codes mostly, since a list of random bytes ends soon.
        std::generate(bytes.begin(), bytes.end(), [&random] {
            return static_cast<uint8_t>(Draw(random, 0, 9) == 0 ? Draw(random, 0, 255)
                                                                : Draw(random, 0, 15));
        });
        check(bytes);
    }
    for (int turn = 0; turn < 20'000; ++turn)
    {
        std::vector<VrpTag> tags(Draw(random, 0, 12));
        std::generate(tags.begin(), tags.end(), [&random] { return DrawTag(random); });
        const Bytes bytes = VrpControl::Write(tags);
        check(bytes);
        check(Spoil(random, bytes));
    }
    NS_TEST_EXPECT_MSG_GT(read, 10'000, "many are read");
    NS_TEST_EXPECT_MSG_GT(refused, 10'000, "many are refused");
    NS_TEST_EXPECT_MSG_GT(headers, 1000, "frame headers among them");
}

LFN_CASE(VrpFrameHeaderTestCase)
{
    // Read a frame header.
    const auto checkRead = [&](const std::vector<VrpTag>& tags,
                               const VrpFrameHeader& header,
                               const std::string& what) {
        const auto read = VrpFrameHeader::FromTags(tags);
        NS_TEST_EXPECT_MSG_EQ((read == header), true, what);
    };
    const auto create = CreateFrame(5, 10'000, 1000);
    const auto burst = VrpTag::OfValue(Code::CONS_LOSS, 2);
    const auto rate = VrpTag::OfValue(Code::LOSS_RATE, 64);
    const auto packet = VrpTag::OfPacket(Code::CRITICAL_PACKET, 3);
    const auto interval = CriticalInterval(5, 6);
    const auto close = VrpTag::OfFrame(Code::FRAME_CLOSE, 4);
    const auto bare = BareHeader(5, 10'000, 1000);
    const VrpFrameHeader full{5, 10'000, 1000, 2, 64, {{3, 3}, {5, 6}}};

    NS_TEST_EXPECT_MSG_EQ((bare.ToTags() == std::vector{create}), true, "nothing optional");
    NS_TEST_EXPECT_MSG_EQ((full.ToTags() == std::vector{create, burst, rate, packet, interval}),
                          true,
                          "all of it");
    checkRead({create}, bare, "nothing optional");
    checkRead({create, burst, rate, packet, interval}, full, "all of it");
    checkRead({create, interval, rate, close, packet, burst}, full, "in another order");
    checkRead({burst, rate, packet, interval, close, create}, bare, "all before FRAME_CREATE");
    checkRead({create, create, burst, rate, packet, interval}, bare, "a second FRAME_CREATE");
    checkRead({create, burst, rate, packet, interval, CreateFrame(6, 1, 1), burst},
              full,
              "a second FRAME_CREATE at the end");
    checkRead({create,
               VrpTag::OfValue(Code::CONS_LOSS, 9),
               burst,
               VrpTag::OfValue(Code::LOSS_RATE, 9),
               rate,
               packet,
               interval},
              full,
              "the last value holds");

    const auto isRead = [](const std::vector<VrpTag>& tags) {
        return VrpFrameHeader::FromTags(tags).has_value();
    };
    NS_TEST_EXPECT_MSG_EQ(isRead({}), false, "no tags");
    NS_TEST_EXPECT_MSG_EQ(isRead({burst, rate, packet, close}), false, "no FRAME_CREATE");
    NS_TEST_EXPECT_MSG_EQ(isRead({CreateFrame(5, 100, 0)}), false, "packet size 0");
    NS_TEST_EXPECT_MSG_EQ(isRead({CreateFrame(5, 0, 0)}), false, "and no data");
    NS_TEST_EXPECT_MSG_EQ(isRead({CreateFrame(5, 100, 0), create}), false, "the first counts");
    NS_TEST_EXPECT_MSG_EQ(isRead({CreateFrame(5, 1, 65'501)}), true, "the largest packet");
    NS_TEST_EXPECT_MSG_EQ(isRead({CreateFrame(5, 1, 65'502)}), false, "one byte more");
    NS_TEST_EXPECT_MSG_EQ(isRead({CreateFrame(5, 1, 65'535)}), false, "far too large");
}

LFN_CASE(VrpCutsTestCase)
{
    const auto frame = BareHeader(0, 102'401, 2048);
    NS_TEST_EXPECT_MSG_EQ(frame.GetPackets(), 51, "a byte more than 50 packets");
    NS_TEST_EXPECT_MSG_EQ(frame.GetPacketBytes(0), 2048, "the first one");
    NS_TEST_EXPECT_MSG_EQ(frame.GetPacketBytes(49), 2048, "the last but one");
    NS_TEST_EXPECT_MSG_EQ(frame.GetPacketBytes(50), 1, "the last one");
    const auto even = BareHeader(0, 102'400, 2048);
    NS_TEST_EXPECT_MSG_EQ(even.GetPackets(), 50, "50 packets");
    NS_TEST_EXPECT_MSG_EQ(even.GetPacketBytes(49), 2048, "the last one is full");
    const auto empty = BareHeader(0, 0, 2048);
    NS_TEST_EXPECT_MSG_EQ(empty.GetPackets(), 0, "no data");
    const auto small = BareHeader(0, 7, 2048);
    NS_TEST_EXPECT_MSG_EQ(small.GetPackets(), 1, "one short packet");
    NS_TEST_EXPECT_MSG_EQ(small.GetPacketBytes(0), 7, "its bytes");
    const auto bytes = BareHeader(0, MAX_U32, 1);
    NS_TEST_EXPECT_MSG_EQ(bytes.GetPackets(), MAX_U32, "as many packets as there can be");
    NS_TEST_EXPECT_MSG_EQ(bytes.GetPacketBytes(MAX_U32 - 1), 1, "the last one");
    const auto large = BareHeader(0, MAX_U32, 65'501);
    NS_TEST_EXPECT_MSG_EQ(large.GetPackets(), 65'572, "packets as large as they can be");
    NS_TEST_EXPECT_MSG_EQ(large.GetPacketBytes(65'571), 1224, "the last one");
    NS_TEST_EXPECT_MSG_EQ(VrpFrameHeader().GetPackets(), 0, "not yet a frame");
}

LFN_CASE(VrpCriticalTagsTestCase)
{
    std::mt19937 random(3);
    for (int turn = 0; turn < 3000; ++turn)
    {
        const uint32_t packets = Draw(random, 0, 40);
        std::vector<VrpTag> tags{CreateFrame(0, packets * 10, 10)};
        std::vector<bool> required(packets);
        for (auto left = Draw(random, 0, 6); left > 0; --left)
        {
            const uint32_t first = Draw(random, 0, 9) == 0 ? random() : Draw(random, 0, 45);
            const uint32_t last =
                Draw(random, 0, 9) == 0 ? random() : first + Draw(random, 0, 8) - 2;
            const bool one = Draw(random, 0, 1) == 0;
            tags.push_back(one ? VrpTag::OfPacket(Code::CRITICAL_PACKET, first)
                               : CriticalInterval(first, last));
            for (uint32_t packet = 0; packet < packets; ++packet)
            {
                if (packet >= first && packet <= (one ? first : last))
                {
                    required[packet] = true;
                }
            }
        }
        const auto header = VrpFrameHeader::FromTags(tags);
        NS_TEST_ASSERT_MSG_EQ(header.has_value(), true, "a frame header");
        NS_TEST_EXPECT_MSG_EQ(Text(header->critical), Text(ToIntervals(required)), "critical");
    }
}

LFN_CASE(VrpHugeFrameTestCase)
{
    const std::vector<VrpTag> tags{CreateFrame(0, MAX_U32, 1),
                                   CriticalInterval(0, MAX_U32),
                                   VrpTag::OfPacket(Code::CRITICAL_PACKET, MAX_U32)};
    for (int turn = 0; turn < 1000; ++turn)
    {
        const auto header = VrpFrameHeader::FromTags(tags);
        NS_TEST_ASSERT_MSG_EQ(header.has_value(), true, "a frame header");
        NS_TEST_EXPECT_MSG_EQ(Text(header->critical), "0-4294967294", "up to the end");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(header->critical.capacity(), tags.size(), "no more room");
    }
}

LFN_CASE(VrpBurstsTestCase)
{
    const auto burst = VrpLossRules::BurstToPackets;
    NS_TEST_EXPECT_MSG_EQ(int{burst(4096, 2048)}, 2, "the paper's 4 kB of 2 kB packets");
    NS_TEST_EXPECT_MSG_EQ(int{burst(4095, 2048)}, 1, "a byte less");
    NS_TEST_EXPECT_MSG_EQ(int{burst(2047, 2048)}, 0, "less than a packet");
    NS_TEST_EXPECT_MSG_EQ(int{burst(0, 2048)}, 0, "no loss at all");
    NS_TEST_EXPECT_MSG_EQ(int{burst(255, 1)}, 255, "the largest");
    NS_TEST_EXPECT_MSG_EQ(int{burst(256, 1)}, 255, "more does not wrap");
    NS_TEST_EXPECT_MSG_EQ(int{burst(MAX_U64, 1)}, 255, "no limit");
    NS_TEST_EXPECT_MSG_EQ(int{burst(MAX_U64, MAX_U32)}, 255, "of the largest packets");
}

LFN_CASE(VrpRatesTestCase)
{
    const auto rate = VrpLossRules::RateToByte;
    NS_TEST_EXPECT_MSG_EQ(int{rate(0)}, 0, "0 %");
    NS_TEST_EXPECT_MSG_EQ(int{rate(1)}, 255, "100 %");
    NS_TEST_EXPECT_MSG_EQ(int{rate(0.25)}, 64, "25 % = 63.75");
    NS_TEST_EXPECT_MSG_EQ(int{rate(0.16)}, 41, "16 % = 40.8");
    NS_TEST_EXPECT_MSG_EQ(int{rate(0.32)}, 82, "32 % = 81.6");
    NS_TEST_EXPECT_MSG_EQ(int{rate(0.0019)}, 0, "0.48");
    NS_TEST_EXPECT_MSG_EQ(int{rate(0.0020)}, 1, "0.51");
    NS_TEST_EXPECT_MSG_EQ(int{rate(0.9979)}, 254, "254.46");
    NS_TEST_EXPECT_MSG_EQ(int{rate(-0.5)}, 0, "below 0 %");
    NS_TEST_EXPECT_MSG_EQ(int{rate(1.5)}, 255, "above 100 %");
    constexpr double ENDLESS = std::numeric_limits<double>::infinity();
    NS_TEST_EXPECT_MSG_EQ(int{rate(ENDLESS)}, 255, "infinity");
    NS_TEST_EXPECT_MSG_EQ(int{rate(-ENDLESS)}, 0, "less than nothing");
    NS_TEST_EXPECT_MSG_EQ(int{rate(std::nan(""))}, 0, "not a number");
    for (int byte = 0; byte <= 255; ++byte)
    {
        NS_TEST_EXPECT_MSG_EQ(int{rate(byte / 255.0)}, byte, "a whole number");
    }
}

LFN_CASE(VrpWindowLossesTestCase)
{
    const auto losses = VrpLossRules::MaxLosses;
    // 25 % of 64, the benchmark of section 4.2.2.
    NS_TEST_EXPECT_MSG_EQ(losses(64, 64, Rounding::FLOOR), 16, "16.06");
    NS_TEST_EXPECT_MSG_EQ(losses(64, 64, Rounding::NEAREST), 16, "16.06");
    NS_TEST_EXPECT_MSG_EQ(losses(63, 64, Rounding::FLOOR), 15, "15.81");
    NS_TEST_EXPECT_MSG_EQ(losses(63, 64, Rounding::NEAREST), 16, "15.81");
    // The examples of section 2.3.5.
    NS_TEST_EXPECT_MSG_EQ(losses(41, 6, Rounding::FLOOR), 0, "16 % of 6 = 0.96");
    NS_TEST_EXPECT_MSG_EQ(losses(41, 6, Rounding::NEAREST), 1, "16 % of 6 = 0.96");
    NS_TEST_EXPECT_MSG_EQ(losses(82, 6, Rounding::FLOOR), 1, "32 % of 6 = 1.92");
    NS_TEST_EXPECT_MSG_EQ(losses(82, 6, Rounding::NEAREST), 2, "32 % of 6 = 1.92");
    for (const uint32_t window : {0U, 1U, 6U, 64U, 254U, 255U, 1000U, 32'768U, MAX_U32})
    {
        for (const auto rounding : {Rounding::FLOOR, Rounding::NEAREST})
        {
            NS_TEST_EXPECT_MSG_EQ(losses(0, window, rounding), 0, "0 % of " << window);
            NS_TEST_EXPECT_MSG_EQ(losses(255, window, rounding), window, "100 %");
        }
        for (int byte = 0; byte <= 255; ++byte)
        {
            const long double share = static_cast<long double>(byte) * window / 255;
            const auto rate = static_cast<uint8_t>(byte);
            NS_TEST_EXPECT_MSG_EQ(losses(rate, window, Rounding::FLOOR),
                                  static_cast<uint32_t>(std::floor(share)),
                                  byte << " of " << window);
            NS_TEST_EXPECT_MSG_EQ(losses(rate, window, Rounding::NEAREST),
                                  static_cast<uint32_t>(std::round(share)),
                                  byte << " of " << window);
        }
    }
}

LFN_CASE(VrpScaledTestCase)
{
    const auto losses = VrpLossRules::MaxLossesScaled;
    NS_TEST_EXPECT_MSG_EQ(losses(64, 64, 50, Rounding::FLOOR), 12, "12.55, 100 kB");
    NS_TEST_EXPECT_MSG_EQ(losses(64, 64, 50, Rounding::NEAREST), 13, "12.55, 100 kB");
    NS_TEST_EXPECT_MSG_EQ(losses(64, 64, 5, Rounding::FLOOR), 1, "1.25, 10 kB");
    NS_TEST_EXPECT_MSG_EQ(losses(64, 64, 3, Rounding::FLOOR), 0, "0.75");
    NS_TEST_EXPECT_MSG_EQ(losses(64, 64, 3, Rounding::NEAREST), 1, "0.75");
    NS_TEST_EXPECT_MSG_EQ(losses(64, 64, 0, Rounding::NEAREST), 0, "an empty frame");
    NS_TEST_EXPECT_MSG_EQ(losses(64, 64, 64, Rounding::FLOOR), 16, "as long as the window");
    NS_TEST_EXPECT_MSG_EQ(losses(64, 64, MAX_U32, Rounding::FLOOR), 16, "a long frame");
    NS_TEST_EXPECT_MSG_EQ(losses(255, 64, 5, Rounding::FLOOR), 5, "all of a short frame");
}

LFN_CASE(VrpCriticalPacketsTestCase)
{
    const auto check =
        [this](const Pieces& pieces, const std::string& packets, const std::string& what) {
            const auto found = VrpLossRules::CriticalPackets(pieces, 10'001, 100);
            NS_TEST_EXPECT_MSG_EQ(Text(found), packets, what);
        };
    check({}, "", "nothing");
    check({{0, 1}}, "0-0", "the first byte");
    check({{0, 100}}, "0-0", "a whole packet");
    check({{0, 101}}, "0-1", "a byte more");
    check({{99, 2}}, "0-1", "across a border");
    check({{100, 100}}, "1-1", "from border to border");
    check({{150, 0}}, "", "no bytes");
    check({{700, 50}, {100, 50}, {400, 50}}, "1-1 4-4 7-7", "unsorted");
    check({{100, 400}, {300, 500}, {350, 10}}, "1-7", "overlapping");
    check({{100, 900}, {300, 100}}, "1-9", "one inside the other");
    check({{100, 100}, {200, 100}}, "1-2", "touching packets");
    check({{110, 10}, {150, 10}}, "1-1", "apart, in one packet");
    check({{100, 100}, {300, 100}}, "1-1 3-3", "a packet between them");
    check({{10'000, 1}}, "100-100", "the last, short packet");
    check({{9'999, 2}}, "99-100", "and the one before");
    check({{10'001, 1}}, "", "beyond the end");
    check({{MAX_U64, 1}, {MAX_U64, MAX_U64}}, "", "far beyond the end");
    check({{10'000, 100}}, "100-100", "to beyond the end");
    check({{50, MAX_U64}}, "0-100", "its end exceeds 64 bits");
    check({{0, MAX_U64}}, "0-100", "everything");

    const auto found = VrpLossRules::CriticalPackets(Pieces{{0, MAX_U64}}, MAX_U32, 1);
    NS_TEST_EXPECT_MSG_EQ(Text(found), "0-4294967294", "the largest frame");
    const auto ends = VrpLossRules::CriticalPackets(Pieces{{4'294'967'294, 1}, {0, 1}}, MAX_U32, 1);
    NS_TEST_EXPECT_MSG_EQ(Text(ends), "0-0 4294967294-4294967294", "its ends");
    NS_TEST_EXPECT_MSG_EQ(VrpLossRules::CriticalPackets(Pieces{{0, 1}}, 0, 1).size(),
                          0,
                          "an empty frame");
    Intervals top{{MAX_U32, MAX_U32}, {0, 0}, {MAX_U32, MAX_U32}};
    VrpLossRules::Merge(top);
    NS_TEST_EXPECT_MSG_EQ(Text(top), "0-0 4294967295-4294967295", "no wrap at the top");
}

LFN_CASE(VrpCriticalBytesTestCase)
{
    std::mt19937 random(4);
    for (int turn = 0; turn < 5000; ++turn)
    {
        const uint32_t size = Draw(random, 0, 300);
        const uint32_t packetSize = Draw(random, 1, 40);
        Pieces pieces(Draw(random, 0, 6));
        for (auto& [offset, length] : pieces)
        {
            offset = Draw(random, 0, 19) == 0 ? MAX_U64 - Draw(random, 0, 2) : Draw(random, 0, 320);
            length = Draw(random, 0, 19) == 0 ? MAX_U64 - Draw(random, 0, 2) : Draw(random, 0, 60);
        }
        std::vector<bool> required;
        for (uint32_t byte = 0; byte < size; ++byte)
        {
            if (byte % packetSize == 0)
            {
                required.push_back(false);
            }
            for (const auto& [offset, length] : pieces)
            {
                if (byte >= offset && byte - offset < length)
                {
                    required.back() = true;
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Text(VrpLossRules::CriticalPackets(pieces, size, packetSize)),
                              Text(ToIntervals(required)),
                              size << " B in packets of " << packetSize << " B");
    }
}

/// Make intervals of a number of packets with gaps of ten packets, but for one gap of three behind
/// the narrow one.
Intervals
MakeIntervals(uint32_t count, uint32_t length, uint32_t narrow)
{
    Intervals intervals;
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        intervals.push_back({first, first + length - 1});
        first += length + (i == narrow ? 3 : 10);
    }
    return intervals;
}

/// Count the bytes of tags, without the rest of the frame header, by writing them.
uint64_t
CountBytes(const Intervals& intervals)
{
    const VrpFrameHeader header{1, MAX_U32, 2048, 2, 64, intervals};
    return ControlSize(header.ToTags()) - BARE_HEADER;
}

LFN_CASE(VrpFitCriticalTestCase)
{
    // Fill a frame header to its limit and beyond: a number of intervals, or single packets, fit
    // into a packet of a size in B.
    const auto checkLimit = [&](uint32_t size, uint32_t intervals, uint32_t singles) {
        const uint64_t room = size - BARE_HEADER;
        for (const uint32_t length : {1, 2})
        {
            const uint32_t most = length == 1 ? singles : intervals;
            auto critical = MakeIntervals(most, length, 100);
            const auto before = critical;
            NS_TEST_EXPECT_MSG_EQ(VrpLossRules::FitCritical(critical, room), 0, "at the limit");
            NS_TEST_EXPECT_MSG_EQ(Text(critical), Text(before), "nothing is merged");
            VrpFrameHeader header{1, MAX_U32, 2048, 2, 64, critical};
            NS_TEST_EXPECT_MSG_LT_OR_EQ(ControlSize(header.ToTags()), size, "it fits");

            critical = MakeIntervals(most + 1, length, 100);
            auto expected = critical;
            header.critical = critical;
            NS_TEST_EXPECT_MSG_GT(ControlSize(header.ToTags()), size, "one more does not");
            const auto added = VrpLossRules::FitCritical(critical, room);
            // The smallest gap first; two packets are 10 B and an interval 9 B, so that 1472 B
            // (3 B short) need the first two of the larger gaps, 1 B and 5 B, as well.
            expected[100].last = expected[101].last;
            expected.erase(expected.begin() + 101);
            uint64_t gaps = 3;
            if (length == 1 && size == 1472)
            {
                expected[0].last = expected[2].last;
                expected.erase(expected.begin() + 1, expected.begin() + 3);
                gaps += 20;
            }
            NS_TEST_EXPECT_MSG_EQ(Text(critical), Text(expected), "the smallest gap is closed");
            NS_TEST_EXPECT_MSG_EQ(added, gaps, "its packets became critical");
            header.critical = critical;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(ControlSize(header.ToTags()), size, "now it fits");
        }
    };
    checkLimit(2054, 226, 406);
    checkLimit(1472, 161, 290);
}

LFN_CASE(VrpFitOrderTestCase)
{
    // 5 + 9 + 5 + 9 + 5 bytes; gaps of 4, 2, 2 and 9 packets.
    const Intervals all{{0, 0}, {5, 6}, {9, 9}, {12, 14}, {24, 24}};
    NS_TEST_EXPECT_MSG_EQ(VrpLossRules::GetTagBytes(all), 33, "their tags");
    NS_TEST_EXPECT_MSG_EQ(VrpLossRules::GetTagBytes({}), 0, "no tags");
    const auto check = [&](uint64_t room, const std::string& packets, uint64_t added) {
        auto critical = all;
        NS_TEST_EXPECT_MSG_EQ(VrpLossRules::FitCritical(critical, room), added, room);
        NS_TEST_EXPECT_MSG_EQ(Text(critical), packets, room << " B");
    };
    check(MAX_U64, "0-0 5-6 9-9 12-14 24-24", 0);
    check(33, "0-0 5-6 9-9 12-14 24-24", 0);
    check(32, "0-0 5-9 12-14 24-24", 2); // 28 B, the earlier of two equal gaps
    check(28, "0-0 5-9 12-14 24-24", 2);
    check(27, "0-0 5-14 24-24", 4); // 19 B
    check(19, "0-0 5-14 24-24", 4);
    check(18, "0-14 24-24", 8); // 14 B
    check(14, "0-14 24-24", 8);
    check(13, "0-24", 17); // 9 B
    check(9, "0-24", 17);
    check(0, "0-24", 17); // it cannot become smaller

    Intervals none;
    NS_TEST_EXPECT_MSG_EQ(VrpLossRules::FitCritical(none, 0), 0, "nothing to merge");
    NS_TEST_EXPECT_MSG_EQ(none.size(), 0, "nothing appears");
    Intervals ends{{0, 0}, {MAX_U32, MAX_U32}};
    NS_TEST_EXPECT_MSG_EQ(VrpLossRules::FitCritical(ends, 9), MAX_U32 - 1, "the widest gap");
    NS_TEST_EXPECT_MSG_EQ(Text(ends), "0-4294967295", "all packets");
}

LFN_CASE(VrpFitModelTestCase)
{
    std::mt19937 random(5);
    for (int turn = 0; turn < 5000; ++turn)
    {
        std::vector<bool> flags(Draw(random, 0, 80));
        const auto density = Draw(random, 1, 9);
        std::generate(flags.begin(), flags.end(), [&] { return Draw(random, 0, 9) < density; });
        const auto before = ToIntervals(flags);
        const uint64_t room = Draw(random, 9, 120);

        auto expected = before;
        while (CountBytes(expected) > room)
        {
            std::size_t best = 1;
            for (std::size_t i = 2; i < expected.size(); ++i)
            {
                if (expected[i].first - expected[i - 1].last <
                    expected[best].first - expected[best - 1].last)
                {
                    best = i;
                }
            }
            expected[best - 1].last = expected[best].last;
            expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(best));
        }

        auto critical = before;
        const auto added = VrpLossRules::FitCritical(critical, room);
        NS_TEST_EXPECT_MSG_EQ(Text(critical),
                              Text(expected),
                              Text(before) << " in " << room << " B");
        NS_TEST_EXPECT_MSG_EQ(VrpLossRules::GetTagBytes(critical), CountBytes(critical), "bytes");
        std::vector<bool> after(flags.size(), false);
        for (const auto& [first, last] : critical)
        {
            std::fill(after.begin() + first, after.begin() + last + 1, true);
        }
        for (std::size_t packet = 0; packet < flags.size(); ++packet)
        {
            NS_TEST_EXPECT_MSG_EQ((!flags[packet] || after[packet]), true, "none is lost");
        }
        NS_TEST_EXPECT_MSG_EQ(added,
                              static_cast<uint64_t>(std::count(after.begin(), after.end(), true) -
                                                    std::count(flags.begin(), flags.end(), true)),
                              "packets that became critical");
    }
}

LFN_CASE(VrpFitManyTestCase)
{
    constexpr uint64_t ROOM = 2034;
    std::mt19937 random(6);
    Intervals before;
    uint32_t next = 0;
    for (int i = 0; i < 300'000; ++i)
    {
        const uint32_t last = next + Draw(random, 0, 2);
        before.push_back({next, last});
        next = last + 1 + Draw(random, 1, 5000);
    }
    auto critical = before;
    const auto added = VrpLossRules::FitCritical(critical, ROOM);
    NS_TEST_EXPECT_MSG_LT_OR_EQ(VrpLossRules::GetTagBytes(critical), ROOM, "it fits");
    // A merge saves 9 B at most: with one less it would not have fitted.
    NS_TEST_EXPECT_MSG_GT(VrpLossRules::GetTagBytes(critical) + 9, ROOM, "and no more");
    NS_TEST_EXPECT_MSG_EQ(critical.front().first, before.front().first, "the first packet");
    NS_TEST_EXPECT_MSG_EQ(critical.back().last, before.back().last, "the last packet");

    // No gap that was closed is larger than one that is left.
    uint32_t largestClosed = 0;
    uint32_t smallestLeft = MAX_U32;
    uint64_t sum = 0;
    std::size_t at = 0;
    for (std::size_t i = 1; i < before.size(); ++i)
    {
        const uint32_t gap = before[i].first - before[i - 1].last - 1;
        if (critical[at].last == before[i - 1].last)
        {
            ++at;
            smallestLeft = std::min(smallestLeft, gap);
        }
        else
        {
            largestClosed = std::max(largestClosed, gap);
            sum += gap;
        }
    }
    NS_TEST_EXPECT_MSG_EQ(at + 1, critical.size(), "its ends are ends of pieces");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(largestClosed, smallestLeft, "the smallest gaps");
    NS_TEST_EXPECT_MSG_EQ(added, sum, "packets that became critical");
}

const Suite g_suite("lfn-vrp-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new VrpWireHeaderTestCase("wire: packet header"));
    suite.Add(new VrpWireTagsTestCase("wire: tags as literal bytes"));
    suite.Add(new VrpRefusalsTestCase("wire: what makes a list unreadable"));
    suite.Add(new VrpSizesTestCase("wire: the sizes of control packets"));
    suite.Add(new VrpWireTotalityTestCase("wire: random and mutated bytes are read or refused"));
    suite.Add(new VrpFrameHeaderTestCase("frame header: from tags and to tags"));
    suite.Add(new VrpCutsTestCase("frame header: how a frame is cut into packets"));
    suite.Add(new VrpCriticalTagsTestCase(
        "frame header: critical tags in any order, overlapping, turned round or beyond the end"));
    suite.Add(new VrpHugeFrameTestCase(
        "frame header: a header costs what its tags cost, not what it announces"));
    suite.Add(new VrpBurstsTestCase("tolerance: bursts in packets"));
    suite.Add(new VrpRatesTestCase("tolerance: rates on the wire"));
    suite.Add(new VrpWindowLossesTestCase("tolerance: losses in a history window"));
    suite.Add(new VrpScaledTestCase("tolerance: losses in a frame shorter than the window"));
    suite.Add(new VrpCriticalPacketsTestCase("tolerance: critical bytes in packets"));
    suite.Add(new VrpCriticalBytesTestCase("tolerance: critical bytes in packets, byte by byte"));
    suite.Add(new VrpFitCriticalTestCase("tolerance: critical packets fit into one header"));
    suite.Add(new VrpFitOrderTestCase("tolerance: which gaps are closed"));
    suite.Add(new VrpFitModelTestCase("tolerance: the smallest gap is closed each time"));
    suite.Add(new VrpFitManyTestCase(
        "tolerance: far more pieces than fit; the work must not grow with their square"));
});

} // namespace
