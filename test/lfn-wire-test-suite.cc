// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-ip-view.h"
#include "ns3/lfn-tcp-view.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-rfc793.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-option-ts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Views of IP and TCP headers, compared with ns-3's headers and with readers that are written here.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

/** @brief Get the first bytes, in memory that ends there. */
Bytes
Cut(const Bytes& bytes, std::size_t size)
{
    return Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
}

/** @brief Get a number by its digits. */
uint64_t
GetNumber(const Bytes& bytes, std::size_t at, std::size_t size)
{
    uint64_t number = 0;
    for (std::size_t i = at; i < at + size; ++i)
    {
        number = 256 * number + bytes[i];
    }
    return number;
}

/** @brief Numbers of all widths, wherever they begin. */
LFN_CASE(BigEndianCase)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i)
    {
        Bytes bytes(8 + i % 8);
        std::ranges::generate(bytes, [&] { return static_cast<uint8_t>(random()); });
        const std::size_t at = bytes.size() - 8;
        NS_TEST_ASSERT_MSG_EQ(+ReadBigEndian<uint8_t>(bytes, at), bytes[at], i);
        NS_TEST_ASSERT_MSG_EQ(ReadBigEndian<uint16_t>(bytes, at), GetNumber(bytes, at, 2), i);
        NS_TEST_ASSERT_MSG_EQ(ReadBigEndian<uint32_t>(bytes, at), GetNumber(bytes, at, 4), i);
        NS_TEST_ASSERT_MSG_EQ(ReadBigEndian<uint64_t>(bytes, at), GetNumber(bytes, at, 8), i);
        auto written = bytes;
        const auto rewrite = [&](auto number) {
            std::fill_n(written.begin() + static_cast<std::ptrdiff_t>(at), sizeof(number), 0);
            WriteBigEndian(written, at, number);
            return written == bytes;
        };
        NS_TEST_ASSERT_MSG_EQ(rewrite(ReadBigEndian<uint8_t>(bytes, at)), true, i);
        NS_TEST_ASSERT_MSG_EQ(rewrite(ReadBigEndian<uint16_t>(bytes, at)), true, i);
        NS_TEST_ASSERT_MSG_EQ(rewrite(ReadBigEndian<uint32_t>(bytes, at)), true, i);
        NS_TEST_ASSERT_MSG_EQ(rewrite(ReadBigEndian<uint64_t>(bytes, at)), true, i);
    }
}

/** @brief Check whether the fixed part of a TCP header is as ns-3 has it. */
bool
IsSame(const TcpView& view, const TcpHeader& header)
{
    return view.sourcePort == header.GetSourcePort() &&
           view.destinationPort == header.GetDestinationPort() &&
           view.sequence == header.GetSequenceNumber().GetValue() &&
           view.ack == header.GetAckNumber().GetValue() && view.flags == header.GetFlags() &&
           view.window == header.GetWindowSize() && view.headerBytes == header.GetSerializedSize();
}

/** @brief A header is read as ns-3 wrote it. */
LFN_CASE(TcpBasicCase)
{
    std::mt19937 random(1);
    const auto word = [&random] { return static_cast<uint32_t>(random()); };
    for (int i = 0; i < 2000; ++i)
    {
        TcpHeader header;
        header.SetSourcePort(static_cast<uint16_t>(word()));
        header.SetDestinationPort(static_cast<uint16_t>(word()));
        header.SetSequenceNumber(SequenceNumber32(word()));
        header.SetAckNumber(SequenceNumber32(word()));
        header.SetWindowSize(static_cast<uint16_t>(word()));
        header.SetUrgentPointer(i % 7 == 0 ? 1 : 0);
        header.SetFlags(i % 5 == 0 ? static_cast<uint8_t>(word()) : TcpView::ACK);
        const auto stamp = CreateObject<TcpOptionTS>();
        stamp->SetTimestamp(word());
        stamp->SetEcho(word());
        const auto sack = CreateObject<TcpOptionSack>();
        sack->AddSackBlock({SequenceNumber32(1), SequenceNumber32(2)});
        const int kind = i % 4; // no option, time stamps, these and SACK, nothing of 12 bytes
        if (kind == 1 || kind == 2)
        {
            header.AppendOption(stamp);
        }
        if (kind == 2)
        {
            header.AppendOption(sack);
        }
        for (int nop = 0; kind == 3 && nop < 12; ++nop)
        {
            header.AppendOption(CreateObject<TcpOptionNOP>());
        }
        const auto packet = Create<Packet>(i % 3);
        packet->AddHeader(header);
        const auto view = TcpView::Read(*packet);
        NS_TEST_ASSERT_MSG_EQ(view.has_value(), true, header);
        const bool isPlain = kind < 2 && i % 7 != 0 && header.GetFlags() == TcpHeader::ACK;
        NS_TEST_ASSERT_MSG_EQ(view->isPlain, isPlain, header);
        NS_TEST_ASSERT_MSG_EQ(view->isReadable, true, header);
        NS_TEST_ASSERT_MSG_EQ(view->dataBytes, (i % 3), header);
        const auto bytes = ToBytes(packet);
        for (std::size_t cut = 0; cut < view->headerBytes; ++cut)
        {
            const auto part = ToPacket(Cut(bytes, cut));
            NS_TEST_ASSERT_MSG_EQ(TcpView::Read(*part).has_value(), false, cut);
        }
        const bool hasTimes = kind == 1 || kind == 2;
        NS_TEST_ASSERT_MSG_EQ(view->time.has_value(), hasTimes, header);
        NS_TEST_ASSERT_MSG_EQ(view->time.value_or(stamp->GetTimestamp()), stamp->GetTimestamp(), i);
        NS_TEST_ASSERT_MSG_EQ(view->echo.value_or(stamp->GetEcho()), stamp->GetEcho(), i);
        NS_TEST_ASSERT_MSG_EQ(IsSame(*view, header), true, header);
    }
}

/** @brief Headers are read or refused, for any bytes. */
LFN_CASE(TcpReadCase)
{
    Bytes bytes{0, 80, 0, 90, 1,  2, 3, 4, 5, 6, 7, 8, 0x90, 0x10, 0, 1, 0, 0,  0,
                0, 1,  1, 8,  10, 0, 0, 0, 9, 0, 0, 1, 0,    254,  4, 1, 1, 99, 99};
    const auto segment = TcpView::Read(bytes, 1000);
    NS_TEST_ASSERT_MSG_EQ(segment.has_value(), true, "read");
    NS_TEST_EXPECT_MSG_EQ(segment->sequence, 0x01020304, "sequence number");
    NS_TEST_EXPECT_MSG_EQ(segment->ack, 0x05060708, "acknowledgement number");
    NS_TEST_EXPECT_MSG_EQ(segment->flags, TcpView::ACK, "flags");
    NS_TEST_EXPECT_MSG_EQ(segment->headerBytes, 36, "header");
    NS_TEST_EXPECT_MSG_EQ(segment->dataBytes, 964, "data");
    NS_TEST_EXPECT_MSG_EQ(segment->time.value_or(0), 9, "time");
    NS_TEST_EXPECT_MSG_EQ(segment->echo.value_or(0), 256, "echo");
    for (std::size_t size = 0; size < 36; ++size)
    {
        const auto part = Cut(bytes, size);
        NS_TEST_EXPECT_MSG_EQ(TcpView::Read(part, 1000).has_value(), false, "cut at " << size);
    }
    std::mt19937 random(1);
    uint32_t read = 0;
    for (uint32_t i = 0; i < 100'000; ++i)
    {
        Bytes noise(random() % 61);
        for (auto& byte : noise)
        {
            byte = static_cast<uint8_t>(random() % (random() % 2 == 0 ? 12 : 256));
        }
        if (noise.size() > 12)
        {
            noise[12] = static_cast<uint8_t>(random());
        }
        const auto size = static_cast<uint32_t>(noise.size());
        const auto one = TcpView::Read(noise, size);
        read += one ? 1 : 0;
        NS_TEST_ASSERT_MSG_EQ(!one || one->headerBytes + one->dataBytes == size, true, "sizes");
    }
    NS_TEST_EXPECT_MSG_GT(read, 1000, "some are read");
    NS_TEST_EXPECT_MSG_LT(read, 90'000, "some are not");
}

/** @brief TCP options: every kind with every length. */
LFN_CASE(TcpOptionsCase)
{
    for (uint32_t kind = 2; kind < 256; ++kind)
    {
        for (uint32_t length = 0; length < 45; ++length)
        {
            Bytes bytes(60, 1); // 40 bytes of options, the rest of them NOP
            bytes[12] = 15 << 4;
            bytes[20] = static_cast<uint8_t>(kind);
            bytes[21] = static_cast<uint8_t>(length);
            const bool isRight = kind == 2   ? length == 4
                                 : kind == 3 ? length == 3
                                 : kind == 4 ? length == 2
                                 : kind == 5 ? length == 2 || length == 10 || length == 18 ||
                                                   length == 26 || length == 34
                                 : kind == 8 ? length == 10
                                             : length >= 2 && length <= 40;
            const bool isWhole = TcpView::Read(bytes, 60).has_value();
            NS_TEST_ASSERT_MSG_EQ(isWhole, isRight, kind << " " << length);
        }
    }
    Bytes bytes(24, 0);
    bytes[12] = 6 << 4;
    for (const uint8_t shift : {0, 14, 15, 255})
    {
        const std::array<uint8_t, 3> scale{3, 3, shift};
        std::copy(scale.begin(), scale.end(), bytes.begin() + 20);
        const auto view = TcpView::Read(bytes, 24);
        NS_TEST_ASSERT_MSG_EQ(view.has_value(), true, "window scale " << +shift);
        NS_TEST_EXPECT_MSG_EQ(view->isReadable, (shift < 15), "window scale " << +shift);
    }
}

/** @brief The options of a TCP header, read a second time. */
struct Options
{
    std::optional<std::vector<Bytes>> list; //!< nothing if one is impossible
    std::size_t padding{0};                 //!< from the end of the options on, [B]

    /** @brief Read the options of a header that is whole. */
    explicit Options(const Bytes& header)
    {
        const std::map<uint8_t, std::vector<std::size_t>> sizes{{2, {4}},
                                                                {3, {3}},
                                                                {4, {2}},
                                                                {5, {2, 10, 18, 26, 34}},
                                                                {8, {10}}};
        std::vector<Bytes> read;
        auto at = header.begin() + 20;
        while (at != header.end() && *at != 0)
        {
            if (*at == 1)
            {
                ++at;
                continue;
            }
            const auto left = static_cast<std::size_t>(header.end() - at);
            if (left < 2 || at[1] < 2 || at[1] > left)
            {
                return;
            }
            const auto known = sizes.find(*at);
            if (known != sizes.end() && std::ranges::count(known->second, at[1]) == 0)
            {
                return;
            }
            read.emplace_back(at, at + at[1]);
            at += at[1];
        }
        padding = static_cast<std::size_t>(header.end() - at);
        list = read;
    }

    /** @brief Get the first option of a kind. */
    std::optional<Bytes> Find(uint8_t kind) const
    {
        const auto found =
            std::ranges::find_if(*list, [kind](const Bytes& option) { return option[0] == kind; });
        return found == list->end() ? std::nullopt : std::optional(*found);
    }
};

/** @brief Make a TCP header with options that are right for the most part. */
template <typename R>
Bytes
MakeTcp(R& random)
{
    const std::vector<Bytes> samples{{0},
                                     {1},
                                     {2, 4, 5, 180},
                                     {3, 3, 7},
                                     {3, 3, 15},
                                     {4, 2},
                                     {5, 2},
                                     {5, 10, 0, 0, 0, 1, 0, 0, 0, 9},
                                     {8, 10, 1, 2, 3, 4, 5, 6, 7, 8},
                                     {8, 10, 9, 9, 9, 9, 8, 8, 8, 8},
                                     {254, 5, 1, 1, 1},
                                     {99, 0},
                                     {99, 1}};
    Bytes bytes(20);
    std::ranges::generate(bytes, [&] { return static_cast<uint8_t>(random()); });
    for (auto count = Draw(random, 5); count > 0; --count)
    {
        const auto& sample = samples[Draw(random, samples.size())];
        bytes.insert(bytes.end(), sample.begin(), sample.end());
    }
    bytes.resize(std::min<std::size_t>(bytes.size(), 60));
    bytes.resize((bytes.size() + 3) / 4 * 4, static_cast<uint8_t>(Draw(random, 2)));
    bytes[12] = static_cast<uint8_t>(bytes.size() / 4 * 16);
    for (auto changes = Draw(random, 8); changes > 5; --changes)
    {
        bytes[Draw(random, bytes.size())] = static_cast<uint8_t>(random());
    }
    return bytes;
}

/** @brief Random and spoilt headers, cut anywhere, against a second reader and ns-3's. */
class TcpFuzzCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        std::mt19937 random(3);
        uint32_t accepted = 0;
        uint32_t changed = 0;
        for (uint32_t i = 0; i < 20'000; ++i)
        {
            auto bytes = i % 10 == 0 ? MakeNoise(random, 70) : MakeTcp(random);
            const auto data = MakeNoise(random, 3);
            bytes.insert(bytes.end(), data.begin(), data.end());
            for (std::size_t size = i % 20 == 0 ? 0 : bytes.size(); size <= bytes.size(); ++size)
            {
                Check(Cut(bytes, size));
            }
            const auto view = TcpView::Read(bytes, static_cast<uint32_t>(bytes.size()));
            if (view)
            {
                ++accepted;
                changed += view->isReadable ? 0 : 1;
                CheckNs3(bytes, *view);
            }
        }
        NS_TEST_EXPECT_MSG_GT(accepted, 5000, "many are read");
        NS_TEST_EXPECT_MSG_LT(accepted, 18'000, "some are not");
        NS_TEST_EXPECT_MSG_GT(changed, 500, "some have to be changed for ns-3");
    }

    /** @brief Compare with the second reader. */
    void Check(const Bytes& bytes)
    {
        const auto view = TcpView::Read(bytes, static_cast<uint32_t>(bytes.size()));
        const std::size_t header = bytes.size() < 20 ? 0 : bytes[12] / 16 * 4;
        const bool isWhole = header >= 20 && header <= bytes.size();
        NS_TEST_ASSERT_MSG_EQ(TcpView::GetHeaderBytes(bytes).value_or(0),
                              (isWhole ? header : 0),
                              Hex(bytes));
        const auto options = isWhole ? std::optional(Options(Cut(bytes, header))) : std::nullopt;
        const bool isRight = options && options->list;
        NS_TEST_ASSERT_MSG_EQ(view.has_value(), isRight, Hex(bytes));
        auto changed = bytes;
        TcpView::MakeReadable(changed);
        NS_TEST_ASSERT_MSG_EQ((changed != bytes), (view && !view->isReadable), Hex(bytes));
        if (!view)
        {
            return;
        }
        NS_TEST_ASSERT_MSG_EQ(view->headerBytes, header, Hex(bytes));
        NS_TEST_ASSERT_MSG_EQ(view->dataBytes, bytes.size() - header, Hex(bytes));
        const auto times = options->Find(8);
        NS_TEST_ASSERT_MSG_EQ(view->time.has_value(), times.has_value(), Hex(bytes));
        if (times)
        {
            NS_TEST_ASSERT_MSG_EQ(*view->time, GetNumber(*times, 2, 4), Hex(bytes));
            NS_TEST_ASSERT_MSG_EQ(*view->echo, GetNumber(*times, 6, 4), Hex(bytes));
        }
        const bool isLarge = std::ranges::any_of(*options->list, [](const Bytes& option) {
            return option[0] == 3 && option[2] > 14;
        });
        NS_TEST_ASSERT_MSG_EQ(view->isReadable, (!isLarge && options->padding <= 4), Hex(bytes));
        const Bytes rest(bytes.begin() + 20, bytes.begin() + static_cast<std::ptrdiff_t>(header));
        const bool isStamp = rest.size() == 12 && rest[0] == 8 && rest[10] == 0 && rest[11] == 0;
        NS_TEST_ASSERT_MSG_EQ(
            view->isPlain,
            (bytes[13] == 0x10 && GetNumber(bytes, 18, 2) == 0 && (rest.empty() || isStamp)),
            Hex(bytes));
    }

    /** @brief Compare with ns-3, which reads what was changed for it. */
    void CheckNs3(const Bytes& bytes, const TcpView& view)
    {
        const auto packet = ToPacket(bytes);
        if (!view.isReadable)
        {
            TcpView::MakeReadable(*packet);
            auto changed = bytes;
            TcpView::MakeReadable(changed);
            NS_TEST_ASSERT_MSG_EQ((ToBytes(packet) == changed), true, Hex(bytes));
            NS_TEST_ASSERT_MSG_EQ(GetSum(changed, view), GetSum(bytes, view), Hex(bytes));
        }
        TcpHeader header;
        packet->RemoveHeader(header);
        NS_TEST_ASSERT_MSG_EQ(IsSame(view, header), true, Hex(bytes));
        const Bytes data(bytes.begin() + view.headerBytes, bytes.end());
        NS_TEST_ASSERT_MSG_EQ((ToBytes(packet) == data), true, "the data alone: " << Hex(bytes));
        const auto times = DynamicCast<const TcpOptionTS>(header.GetOption(TcpOption::TS));
        NS_TEST_ASSERT_MSG_EQ((times != nullptr), view.time.has_value(), Hex(bytes));
        if (times)
        {
            NS_TEST_ASSERT_MSG_EQ(times->GetTimestamp(), *view.time, Hex(bytes));
            NS_TEST_ASSERT_MSG_EQ(times->GetEcho(), *view.echo, Hex(bytes));
        }
        Bytes kinds;
        for (const auto& option : header.GetOptionList())
        {
            if (option->GetKind() > 1)
            {
                kinds.push_back(option->GetKind());
            }
        }
        Bytes expected;
        const Options second(Cut(bytes, view.headerBytes));
        for (const auto& option : *second.list)
        {
            expected.push_back(option[0]);
        }
        NS_TEST_ASSERT_MSG_EQ((kinds == expected), true, "all options: " << Hex(bytes));
    }

    /** @brief Add up a header as its checksum does: what two of the same sum say is equal. */
    static uint32_t GetSum(const Bytes& bytes, const TcpView& view)
    {
        uint64_t sum = 0;
        for (std::size_t at = 0; at < view.headerBytes; at += 2)
        {
            sum += GetNumber(bytes, at, 2);
        }
        return static_cast<uint32_t>(sum % 0xffff);
    }
};

/** @brief An IPv4 header is as ns-3 reads it. */
LFN_CASE(Ipv4Case)
{
    std::mt19937 random(4);
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < 20'000; ++i)
    {
        auto bytes = MakeNoise(random, 70);
        if (i % 10 != 0 && !bytes.empty())
        {
            bytes[0] = static_cast<uint8_t>(0x40 + Draw(random, 16));
        }
        for (std::size_t size = i % 20 == 0 ? 0 : bytes.size(); size <= bytes.size(); ++size)
        {
            const auto part = Cut(bytes, size);
            const auto view = IpView::Read(part);
            const bool isIpv4 = size >= 20 && part[0] >= 0x45 && part[0] < 0x50;
            NS_TEST_ASSERT_MSG_EQ((view && view->version == 4), isIpv4, Hex(part));
            if (!isIpv4)
            {
                continue;
            }
            ++accepted;
            Ipv4Header header;
            auto whole = part;
            whole.resize(60); // ns-3 does not look where the packet ends
            ToPacket(whole)->PeekHeader(header);
            NS_TEST_ASSERT_MSG_EQ(view->headerBytes, header.GetSerializedSize(), Hex(part));
            NS_TEST_ASSERT_MSG_EQ(+view->protocol, +header.GetProtocol(), Hex(part));
            NS_TEST_ASSERT_MSG_EQ(view->totalBytes, GetNumber(part, 2, 2), Hex(part));
            NS_TEST_ASSERT_MSG_EQ(view->id, header.GetIdentification(), Hex(part));
            NS_TEST_ASSERT_MSG_EQ(view->offset, header.GetFragmentOffset(), Hex(part));
            NS_TEST_ASSERT_MSG_EQ(view->hasMore, !header.IsLastFragment(), Hex(part));
            NS_TEST_ASSERT_MSG_EQ(view->hasTransport,
                                  (view->offset == 0 && view->headerBytes <= size),
                                  Hex(part));
            const auto address = [](std::span<const uint8_t> four) {
                return Ipv4Address::Deserialize(four.data());
            };
            NS_TEST_ASSERT_MSG_EQ(address(view->source), header.GetSource(), Hex(part));
            NS_TEST_ASSERT_MSG_EQ(address(view->destination), header.GetDestination(), Hex(part));
        }
    }
    NS_TEST_EXPECT_MSG_GT(accepted, 5000, "many are read");
}

/** @brief Walk on from an extension header, or from what follows the last one. */
void
Walk(const Bytes& bytes, uint8_t kind, IpView& walked)
{
    const std::size_t at = walked.headerBytes;
    walked.protocol = kind;
    walked.hasTransport = kind != 0 && kind != 43 && kind != 44 && kind != 60;
    if (walked.hasTransport || at + 8 > bytes.size())
    {
        return;
    }
    const std::size_t size = kind == 44 ? 8 : 8 + 8 * std::size_t{bytes[at + 1]};
    if (at + size > bytes.size())
    {
        walked.protocol = bytes[at];
        return;
    }
    walked.headerBytes += static_cast<uint32_t>(size);
    if (kind == 44)
    {
        walked.offset = static_cast<uint32_t>(GetNumber(bytes, at + 2, 2) / 8 * 8);
        walked.hasMore = bytes[at + 3] % 2 == 1;
        walked.id = static_cast<uint32_t>(GetNumber(bytes, at + 4, 4));
    }
    if (kind == 44 && walked.offset > 0)
    {
        walked.protocol = bytes[at];
        return;
    }
    Walk(bytes, bytes[at], walked);
}

/** @brief IPv6, with extension headers in any order, cut anywhere. */
LFN_CASE(Ipv6Case)
{
    // Compare with ns-3 and with a second walk.
    const auto check = [&](const Bytes& bytes) {
        const auto view = IpView::Read(bytes);
        const bool isIpv6 = bytes.size() >= 40 && bytes[0] / 16 == 6;
        NS_TEST_ASSERT_MSG_EQ((view && view->version == 6), isIpv6, Hex(bytes));
        if (!isIpv6)
        {
            return;
        }
        Ipv6Header header;
        ToPacket(bytes)->PeekHeader(header);
        NS_TEST_ASSERT_MSG_EQ(view->totalBytes, 40U + header.GetPayloadLength(), Hex(bytes));
        const auto address = [](std::span<const uint8_t> sixteen) {
            return Ipv6Address::Deserialize(sixteen.data());
        };
        NS_TEST_ASSERT_MSG_EQ(address(view->source), header.GetSource(), Hex(bytes));
        NS_TEST_ASSERT_MSG_EQ(address(view->destination), header.GetDestination(), Hex(bytes));
        IpView walked;
        walked.headerBytes = 40;
        Walk(bytes, header.GetNextHeader(), walked);
        NS_TEST_ASSERT_MSG_EQ(view->headerBytes, walked.headerBytes, Hex(bytes));
        NS_TEST_ASSERT_MSG_EQ(+view->protocol, +walked.protocol, Hex(bytes));
        NS_TEST_ASSERT_MSG_EQ(view->hasTransport, walked.hasTransport, Hex(bytes));
        NS_TEST_ASSERT_MSG_EQ(view->id, walked.id, Hex(bytes));
        NS_TEST_ASSERT_MSG_EQ(view->offset, walked.offset, Hex(bytes));
        NS_TEST_ASSERT_MSG_EQ(view->hasMore, walked.hasMore, Hex(bytes));
        const auto alone = IpView::ReadExtensions(bytes[6], std::span(bytes).subspan(40));
        NS_TEST_ASSERT_MSG_EQ(alone.headerBytes + 40, view->headerBytes, Hex(bytes));
    };
    const std::vector<uint8_t> kinds{0, 43, 44, 60, 6, 17, 50, 253};
    std::mt19937 random(5);
    uint32_t withTransport = 0;
    uint32_t fragments = 0;
    for (uint32_t i = 0; i < 5'000; ++i)
    {
        auto bytes = MakeNoise(random, 40);
        bytes.resize(40);
        bytes[0] = i % 10 == 0 ? bytes[0] : static_cast<uint8_t>(0x60 + Draw(random, 16));
        bytes[6] = kinds[Draw(random, i % 3 == 0 ? 8 : 4)];
        for (auto count = Draw(random, 12); count > 0; --count)
        {
            const auto units = 1 + Draw(random, 10) / 8;
            auto extension = MakeNoise(random, 8 * units);
            extension.resize(8 * units);
            extension[0] = kinds[Draw(random, i % 3 == 0 ? 8 : 5)];
            extension[1] = static_cast<uint8_t>(units - 1);
            extension[2] = Draw(random, 2) == 0 ? 0 : extension[2];
            extension[3] = Draw(random, 2) == 0 ? 1 : extension[3];
            bytes.insert(bytes.end(), extension.begin(), extension.end());
        }
        for (std::size_t size = 0; size <= bytes.size(); ++size)
        {
            check(Cut(bytes, size));
        }
        const auto view = IpView::Read(bytes);
        withTransport += view && view->hasTransport ? 1 : 0;
        fragments += view && view->offset > 0 ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_GT(withTransport, 500, "many have a transport");
    NS_TEST_EXPECT_MSG_GT(fragments, 300, "many are later fragments");
}

/** @brief Ports are those of TCP and UDP, and whole. */
LFN_CASE(PortsCase)
{
    const Bytes bytes{1, 2, 3, 4};
    for (uint32_t protocol = 0; protocol < 256; ++protocol)
    {
        for (std::size_t size = 0; size <= 4; ++size)
        {
            const auto ports = PortView::Read(static_cast<uint8_t>(protocol), Cut(bytes, size));
            const bool hasPorts = (protocol == 6 || protocol == 17) && size == 4;
            NS_TEST_ASSERT_MSG_EQ(ports.has_value(), hasPorts, protocol << ", " << size);
            NS_TEST_ASSERT_MSG_EQ((!ports || ports->source == 0x102), true, protocol);
            NS_TEST_ASSERT_MSG_EQ((!ports || ports->destination == 0x304), true, protocol);
        }
    }
}

const Suite g_suite("lfn-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new BigEndianCase("big-endian numbers"));
    suite.Add(new TcpBasicCase("a TCP header as ns-3 writes it"));
    suite.Add(new TcpReadCase("a TCP header is read or refused"));
    suite.Add(new TcpOptionsCase("TCP options of every kind and length"));
    suite.Add(new TcpFuzzCase("random TCP headers against ns-3 and a second reader"));
    suite.Add(new Ipv4Case("random IPv4 headers against ns-3"));
    suite.Add(new Ipv6Case("random extension headers of IPv6 against a second reader"));
    suite.Add(new PortsCase("ports"));
});

} // namespace
