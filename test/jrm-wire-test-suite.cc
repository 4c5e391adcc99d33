// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"

#include "ns3/jrm-header.h"
#include "ns3/packet.h"

#include <cstdint>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

LFN_CASE(JrmBytesTestCase)
{
    const JrmMessageId id{0x01020304, 0xE0000001, 0xFFFFFFFE};
    const JrmHeader header(JrmType::NACK_RESP, id, 0x0A0B, 0x00100000, 0x80);
    const auto packet = Create<Packet>();
    packet->AddHeader(header);
    const std::vector<uint8_t> expected{3, 0x80, 0x0A, 0x0B, 1,    2,    3, 4,    0xE0, 0,
                                        0, 1,    0xFF, 0xFF, 0xFF, 0xFE, 0, 0x10, 0,    0};
    NS_TEST_EXPECT_MSG_EQ((ToBytes(packet) == expected), true, "20 bytes, big-endian");
    JrmHeader read;
    NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(read), JrmHeader::SIZE, "it parses");
    NS_TEST_EXPECT_MSG_EQ((read.type == JrmType::NACK_RESP), true, "type");
    NS_TEST_EXPECT_MSG_EQ((read.id == id), true, "identity");
    NS_TEST_EXPECT_MSG_EQ(read.packet, 0x0A0B, "PSN");
    NS_TEST_EXPECT_MSG_EQ(read.length, 0x00100000, "length");
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(read.flags), 0x80, "flags");

    const std::vector<uint16_t> packets{1, 258, 65535};
    const std::vector<uint8_t> list{0, 3, 0, 1, 1, 2, 255, 255};
    NS_TEST_EXPECT_MSG_EQ((JrmNackList::Write(packets) == list), true, "count and PSNs");
    NS_TEST_EXPECT_MSG_EQ((JrmNackList::Read(list) == packets), true, "and back");
    auto longer = list;
    longer.push_back(9);
    NS_TEST_EXPECT_MSG_EQ((JrmNackList::Read(longer) == packets), true, "what follows is ignored");
    for (std::size_t size = 0; size < list.size(); ++size)
    {
        const auto cut = std::span(list).first(size);
        NS_TEST_EXPECT_MSG_EQ(JrmNackList::Read(cut).has_value(), false, size << " bytes");
    }
    const std::vector<uint8_t> zero{0, 1, 0, 0};
    NS_TEST_EXPECT_MSG_EQ(JrmNackList::Read(zero).has_value(), false, "there is no packet 0");
    const std::vector<uint8_t> none{0, 0};
    NS_TEST_EXPECT_MSG_EQ(JrmNackList::Read(none)->empty(), true, "an empty list parses");

    const std::vector<uint8_t> numbers{20, 235};
    NS_TEST_EXPECT_MSG_EQ((JrmParity{20, 235}.Write() == numbers), true, "block, index");
    const auto parity = JrmParity::Read(numbers);
    NS_TEST_ASSERT_MSG_EQ(parity.has_value(), true, "and back");
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(parity->block), 20, "packets of a block");
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(parity->index), 235, "the last one of such a block");
    for (const std::vector<uint8_t>& bad :
         {std::vector<uint8_t>{}, {20}, {20, 236}, {0, 0}, {1, 0}, {255, 1}})
    {
        NS_TEST_EXPECT_MSG_EQ(JrmParity::Read(bad).has_value(), false, bad.size() << " bytes");
    }
}

LFN_CASE(JrmTotalTestCase)
{
    std::mt19937 random(4);
    uint32_t parsed = 0;
    for (int i = 0; i < 20000; ++i)
    {
        std::vector<uint8_t> bytes(random() % 40);
        for (auto& byte : bytes)
        {
            byte = static_cast<uint8_t>(random() % (random() % 2 == 0 ? 8 : 256));
        }
        const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
        JrmHeader header;
        const bool isGood = bytes.size() >= JrmHeader::SIZE && bytes[0] >= 1 && bytes[0] <= 7;
        NS_TEST_ASSERT_MSG_EQ(packet->RemoveHeader(header),
                              (isGood ? JrmHeader::SIZE : 0),
                              "attempt " << i);
        if (isGood)
        {
            ++parsed;
            packet->AddHeader(header);
            NS_TEST_ASSERT_MSG_EQ((ToBytes(packet) == bytes), true, "attempt " << i);
        }
        const auto list = JrmNackList::Read(bytes);
        if (list)
        {
            const auto again = JrmNackList::Write(*list);
            NS_TEST_ASSERT_MSG_EQ(
                (again == std::vector<uint8_t>(bytes.begin(), bytes.begin() + again.size())),
                true,
                "attempt " << i);
        }
    }
    NS_TEST_EXPECT_MSG_GT(parsed, 1000, "many parse");
}

/** @brief JRM on the wire: byte for byte, and total on any bytes. */
const Suite g_suite("lfn-jrm-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new JrmBytesTestCase("header and NACK list as literal bytes"));
    suite.Add(new JrmTotalTestCase("any bytes parse or are refused"));
});

} // namespace
