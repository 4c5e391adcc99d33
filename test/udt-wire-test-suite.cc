// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/udt-header.h"
#include "ns3/udt-sequence.h"

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Bytes = std::vector<uint8_t>;

/**
 * @brief Make bytes of words.
 * @param words the words
 * @return their bytes, big-endian
 */
Bytes
FromWords(const std::vector<uint32_t>& words)
{
    Bytes bytes;
    for (const auto word : words)
    {
        for (const int shift : {24, 16, 8, 0})
        {
            bytes.push_back(static_cast<uint8_t>(word >> shift));
        }
    }
    return bytes;
}

/** @brief Packets that the original program sent (V2): written and read alike. */
LFN_CASE(OriginalPacketsCase)
{
    constexpr uint32_t ISN = 0x7167a0ba;
    constexpr uint32_t CLIENT = 0x01dd76eb;
    constexpr uint32_t SERVER = 0x01dd76ea;
    UdtHandshake request{4, 1, ISN, 0x5dc, 0x2000, 1, CLIENT, 0, {0x02004d0a, 0, 0, 0}, 0};
    auto cookie = request;
    cookie.cookie = 0x2a7be528;
    cookie.destination = CLIENT;
    auto second = cookie;
    second.request = UdtHandshake::ANSWER;
    second.destination = 0;
    const std::vector<uint32_t> body{4, 1, ISN, 0x5dc, 0x2000, 1, CLIENT, 0, 0x02004d0a, 0, 0, 0};
    const auto handshake = [&](uint32_t destination, uint32_t type, uint32_t value) {
        std::vector<uint32_t> words{0x80000000, 0, 0, destination};
        words.insert(words.end(), body.begin(), body.end());
        words[9] = type;
        words[11] = value;
        return words;
    };
    const std::vector<std::pair<UdtPacket, std::vector<uint32_t>>> packets{
        {request, handshake(0, 1, 0)},
        {cookie, handshake(CLIENT, 1, 0x2a7be528)},
        {second, handshake(0, 0xffffffff, 0x2a7be528)},
        {UdtAck{1,
                0x7167a0bb,
                UdtAck::Path{0x186a0, 0xc350, 0x1ffe},
                UdtAck::Rates{1, 0x3e8},
                CLIENT},
         {0x80020000, 1, 0, CLIENT, 0x7167a0bb, 0x186a0, 0xc350, 0x1ffe, 1, 0x3e8}},
        {UdtSignal{UdtType::ACK2, 1, SERVER}, {0x80060000, 1, 0, SERVER, 0}},
        {UdtAck{2,
                0x7167a0ca,
                UdtAck::Path{0x15f96, 0xe090, 0x1ff0},
                UdtAck::Rates{0x683, 0x3ef},
                CLIENT},
         {0x80020000, 2, 0, CLIENT, 0x7167a0ca, 0x15f96, 0xe090, 0x1ff0, 0x683, 0x3ef}},
        {UdtNak{{{0x7167a859, 0x7167a866}}, CLIENT},
         {0x80030000, 0, 0, CLIENT, 0xf167a859, 0x7167a866}},
        {UdtSignal{UdtType::KEEP_ALIVE, 0, CLIENT}, {0x80010000, 0, 0, CLIENT, 0}},
        {UdtSignal{UdtType::SHUTDOWN, 0, SERVER}, {0x80050000, 0, 0, SERVER, 0}},
        {UdtAck{0, 5, {}, {}, CLIENT}, {0x80020000, 0, 0, CLIENT, 5}},
        {UdtAck{3, 5, UdtAck::Path{1, 2, 3}, {}, CLIENT}, {0x80020000, 3, 0, CLIENT, 5, 1, 2, 3}},
        // The loss list of the draft, section 6.4 (V1).
        {UdtNak{{{2, 2}, {6, 11}, {14, 14}}, 0},
         {0x80030000, 0, 0, 0, 2, 0x80000006, 0x0000000b, 0x0000000e}},
    };
    for (const auto& [packet, words] : packets)
    {
        NS_TEST_EXPECT_MSG_EQ((WriteUdtControl(packet) == FromWords(words)), true, words[0]);
        NS_TEST_EXPECT_MSG_EQ((ReadUdtPacket(FromWords(words)).index() == packet.index()),
                              true,
                              words[0]);
        NS_TEST_EXPECT_MSG_EQ(
            (WriteUdtControl(ReadUdtPacket(FromWords(words))) == FromWords(words)),
            true,
            words[0]);
    }
    const UdtData first{ISN, true, false, false, 1, 0x1234, SERVER};
    const auto written = first.Write();
    NS_TEST_EXPECT_MSG_EQ(
        (Bytes(written.begin(), written.end()) == FromWords({ISN, 0x80000001, 0x1234, SERVER})),
        true,
        "data");
    NS_TEST_EXPECT_MSG_EQ((std::get<UdtData>(ReadUdtPacket(written)) == first), true, "read");
    const UdtData whole{1, true, true, true, (1U << 29) - 1, 0, 0};
    NS_TEST_EXPECT_MSG_EQ((std::get<UdtData>(ReadUdtPacket(whole.Write())) == whole), true, "bits");
}

/** @brief Everything that is refused (V1 and UDT-59). */
LFN_CASE(RefusedCase)
{
    const auto isRefused = [](const std::vector<uint32_t>& words, std::size_t less = 0) {
        auto bytes = FromWords(words);
        bytes.resize(bytes.size() - less);
        const auto packet = ReadUdtPacket(bytes);
        const auto* malformed = std::get_if<UdtMalformed>(&packet);
        return malformed && !std::string(malformed->problem).empty();
    };
    for (std::size_t size = 0; size < UDT_HEADER_SIZE; ++size)
    {
        NS_TEST_EXPECT_MSG_EQ(isRefused({1, 2, 3, 4}, UDT_HEADER_SIZE - size), true, size);
    }
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80030000, 0, 0, 0}), true, "empty loss list");
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80030000, 0, 0, 0, 0x80000006, 5}), true, "ends early");
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80030000, 0, 0, 0, 0x80000006}), true, "no end");
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80030000, 0, 0, 0, 0x80000006, 0x8000000b}),
                          true,
                          "top bit");
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80030000, 0, 0, 0, 0x80000000, 1U << 30}), true, "2^30");
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80030000, 0, 0, 0, 1, 2}, 1), true, "odd length");
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80030000, 0, 0, 0, 0xffffffff, 0}), false, "a run may wrap");
    for (const std::size_t words : {0, 2, 3, 5, 7})
    {
        std::vector<uint32_t> ack{0x80020000, 1, 0, 0};
        ack.resize(ack.size() + words, 1);
        NS_TEST_EXPECT_MSG_EQ(isRefused(ack), true, words << " words of an ACK");
    }
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80020000, 1, 0, 0, 1U << 31}), true, "32 bits");
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80020000, 1U << 31, 0, 0, 1}), true, "32 bits");
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80000000, 0, 0, 0, 4}), true, "short handshake");
    std::vector<uint32_t> handshake(16, 1);
    handshake[0] = 0x80000000;
    NS_TEST_EXPECT_MSG_EQ(isRefused(handshake), false, "handshake");
    handshake[6] = 1U << 31;
    NS_TEST_EXPECT_MSG_EQ(isRefused(handshake), true, "initial sequence number");
    NS_TEST_EXPECT_MSG_EQ(isRefused({0x80090000, 0, 0, 0}), true, "unknown type");
    NS_TEST_EXPECT_MSG_EQ(isRefused({0xffff0007, 0, 0, 0}), false, "the user's type");
}

/** @brief Random bytes, and mutated packets: read or refused, and what is read is written back. */
LFN_CASE(RandomBytesCase)
{
    std::mt19937 random(1);
    for (uint32_t run = 0; run < 200000; ++run)
    {
        Bytes bytes(random() % 72);
        for (auto& byte : bytes)
        {
            byte = static_cast<uint8_t>(random() % 4 == 0 ? random() : 0);
        }
        if (bytes.size() > 1 && random() % 2 == 0)
        {
            bytes[0] = 0x80;
            bytes[1] = static_cast<uint8_t>(random() % 9);
        }
        const auto packet = ReadUdtPacket(bytes);
        const auto written = WriteUdtControl(packet);
        if (!written.empty())
        {
            NS_TEST_ASSERT_MSG_EQ((WriteUdtControl(ReadUdtPacket(written)) == written),
                                  true,
                                  "run " << run);
        }
    }
}

/** @brief Sequence numbers wrap after 2^31 - 1. */
LFN_CASE(SequenceCase)
{
    NS_TEST_EXPECT_MSG_EQ(UdtDistance(0x7fffffff, 0), 1, "forward");
    NS_TEST_EXPECT_MSG_EQ(UdtDistance(0, 0x7fffffff), -1, "back");
    NS_TEST_EXPECT_MSG_EQ(UdtDistance(5, 5), 0, "none");
    const UdtNumbering numbering(0x7ffffffb);
    NS_TEST_EXPECT_MSG_EQ(numbering.GetSequence(0), 0x7ffffffb, "first");
    NS_TEST_EXPECT_MSG_EQ(numbering.GetSequence(5), 0, "wraps");
    NS_TEST_EXPECT_MSG_EQ(numbering.GetSequence(-1), 0x7ffffffa, "before the first");
    for (const int64_t index : {0L, 4L, 5L, 1L << 31, (1L << 33) + 17})
    {
        for (const int64_t far : {-1000L, -1L, 0L, 1L, 1L << 29})
        {
            NS_TEST_EXPECT_MSG_EQ(numbering.GetIndex(numbering.GetSequence(index), index - far),
                                  index,
                                  "near " << index - far);
        }
    }
}

const Suite g_suite("lfn-udt-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new OriginalPacketsCase("packets of the original program"));
    suite.Add(new RefusedCase("what is refused"));
    suite.Add(new RandomBytesCase("random bytes"));
    suite.Add(new SequenceCase("sequence numbers wrap"));
});

} // namespace
