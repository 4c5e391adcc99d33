// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"

#include "ns3/xcp-header.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <sstream>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// A word as the draft's section 3 says, written with no help from the header class.
void
Put(Bytes& bytes, uint64_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8)
    {
        bytes.push_back(static_cast<uint8_t>(word >> shift & 0xff));
    }
}

LFN_CASE(XcpBytesTestCase)
{
    XcpHeader header;
    header.x = 0.5;
    header.rtt = 1.0625;
    header.reverseFeedback = -2;
    header.deltaThroughput = 0x01020304;
    const Bytes standard{6, 20, 0x31, 0,    0x08, 0,    0, 0, 0x11, 0,
                         0, 0,  0xff, 0xff, 0xff, 0xfe, 1, 2, 3,    4};
    NS_TEST_EXPECT_MSG_EQ((Join(header) == standard), true, "the standard format");
    header = XcpHeader();
    header.format = XcpHeader::MINIMAL;
    header.nextProtocol = 17;
    header.reverseFeedback = 0x7fffffff;
    const Bytes minimal{17, 20, 0x32, 0,    0,    0,    0, 0, 0, 0,
                        0,  0,  0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0};
    NS_TEST_EXPECT_MSG_EQ((Join(header) == minimal), true, "the minimal format");
    XcpHeader read;
    NS_TEST_EXPECT_MSG_EQ(ToPacket(standard)->PeekHeader(read), XcpHeader::SIZE, "it parses");
    NS_TEST_EXPECT_MSG_EQ((read.format == XcpHeader::STANDARD), true, "format");
    NS_TEST_EXPECT_MSG_EQ(+read.nextProtocol, 6, "next protocol");
    NS_TEST_EXPECT_MSG_EQ(read.x, 0.5, "X");
    NS_TEST_EXPECT_MSG_EQ(read.rtt, 1.0625, "RTT");
    NS_TEST_EXPECT_MSG_EQ(read.reverseFeedback, -2, "reverse feedback");
    NS_TEST_EXPECT_MSG_EQ(read.deltaThroughput, 16909060, "delta");
    std::ostringstream text;
    read.Print(text);
    NS_TEST_EXPECT_MSG_EQ(text.str(),
                          "standard next=6 X=0.5s RTT=1.0625s reverse=-2B/s "
                          "delta=1.69091e+07B/s",
                          "as text");
}

/// Write and read X and RTT in s and both feedbacks in B/s; what arrives back.
XcpHeader
Travel(double time, double rate)
{
    XcpHeader header;
    header.x = header.rtt = time;
    header.reverseFeedback = header.deltaThroughput = rate;
    XcpHeader read;
    ToPacket(Join(header))->PeekHeader(read);
    return read;
}

/** @brief What does not fit is cut, what lies between two steps is rounded. */
LFN_CASE(XcpSaturationTestCase)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double least = -2147483648.0;
    constexpr double most = 2147483647.0;
    const double longest = 16 - std::ldexp(1, -28);

    struct Case
    {
        double time;     //!< written
        double timeRead; //!< read
        double rate;     //!< written
        double rateRead; //!< read
    };

    const std::array<Case, 10> cases{{
        {0, 0, 0, 0},
        {-1, 0, most + 1, most},
        {16, longest, least - 1, least},
        {1e9, longest, 1e300, most},
        {infinity, longest, infinity, most},
        {-infinity, 0, -infinity, least},
        {std::nan(""), 0, std::nan(""), 0},
        {std::ldexp(0.49, -28), 0, 0.49, 0},
        {std::ldexp(0.51, -28), std::ldexp(1, -28), 0.51, 1},
        {std::ldexp(1.51, -28), std::ldexp(2, -28), -1.51, -2},
    }};
    for (const auto& one : cases)
    {
        const auto read = Travel(one.time, one.rate);
        NS_TEST_EXPECT_MSG_EQ(read.x, one.timeRead, "X " << one.time);
        NS_TEST_EXPECT_MSG_EQ(read.rtt, one.timeRead, "RTT " << one.time);
        NS_TEST_EXPECT_MSG_EQ(read.reverseFeedback, one.rateRead, "reverse " << one.rate);
        NS_TEST_EXPECT_MSG_EQ(read.deltaThroughput, one.rateRead, "delta " << one.rate);
    }
}

LFN_CASE(XcpRandomHeadersTestCase)
{
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 20000; ++i)
    {
        XcpHeader header;
        header.format = i % 2 == 0 ? XcpHeader::STANDARD : XcpHeader::MINIMAL;
        header.nextProtocol = static_cast<uint8_t>(random());
        header.x = std::exp(unit(random) * 20 - 18);
        header.rtt = std::exp(unit(random) * 20 - 18);
        header.reverseFeedback = (unit(random) - 0.5) * std::exp(unit(random) * 22);
        header.deltaThroughput = (unit(random) - 0.5) * std::exp(unit(random) * 22);
        Bytes expected{header.nextProtocol, 20, static_cast<uint8_t>(i % 2 == 0 ? 49 : 50), 0};
        Put(expected, static_cast<uint64_t>(std::floor(header.x * 268435456 + 0.5)));
        Put(expected, static_cast<uint64_t>(std::floor(header.rtt * 268435456 + 0.5)));
        const auto twos = [](double value) {
            return static_cast<uint64_t>(static_cast<int64_t>(std::round(value)) + (1LL << 32));
        };
        Put(expected, twos(header.reverseFeedback));
        Put(expected, twos(header.deltaThroughput));
        const auto written = Join(header);
        NS_TEST_ASSERT_MSG_EQ((written == expected), true, "attempt " << i);
        XcpHeader read;
        const auto packet = ToPacket(written);
        NS_TEST_ASSERT_MSG_EQ(packet->RemoveHeader(read), XcpHeader::SIZE, "attempt " << i);
        NS_TEST_ASSERT_MSG_EQ_TOL(read.x, header.x, 1.9e-9, "X, half a step off");
        NS_TEST_ASSERT_MSG_EQ_TOL(read.rtt, header.rtt, 1.9e-9, "RTT");
        NS_TEST_ASSERT_MSG_EQ_TOL(read.reverseFeedback, header.reverseFeedback, 0.5, "RF");
        NS_TEST_ASSERT_MSG_EQ_TOL(read.deltaThroughput, header.deltaThroughput, 0.5, "DT");
        NS_TEST_ASSERT_MSG_EQ((Join(read) == written), true, "a router changes nothing else");
    }
}

/** @brief Any bytes parse or are refused, and nothing behind them is read. */
LFN_CASE(XcpTotalTestCase)
{
    const Bytes good{6, 20, 0x31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    XcpHeader header;
    header.x = 7;
    for (std::size_t size = 0; size < good.size(); ++size)
    {
        // Debug builds of ns-3 stop the program at a read beyond the end of a buffer.
        const Bytes cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
        NS_TEST_EXPECT_MSG_EQ(ToPacket(cut)->PeekHeader(header), 0, size << " bytes");
    }
    for (int value = 0; value < 256; ++value)
    {
        auto bytes = good;
        bytes[1] = static_cast<uint8_t>(value);
        NS_TEST_EXPECT_MSG_EQ(ToPacket(bytes)->PeekHeader(header),
                              (value == 20 ? 20 : 0),
                              "length " << value);
        header.x = 7;
        bytes = good;
        bytes[2] = static_cast<uint8_t>(value);
        NS_TEST_EXPECT_MSG_EQ(ToPacket(bytes)->PeekHeader(header),
                              (value == 0x31 || value == 0x32 ? 20 : 0),
                              "version and format " << value);
        header.x = 7;
        bytes = good;
        bytes[0] = bytes[3] = static_cast<uint8_t>(value);
        NS_TEST_EXPECT_MSG_EQ(ToPacket(bytes)->PeekHeader(header), 20, "transport " << value);
        NS_TEST_EXPECT_MSG_EQ(+header.nextProtocol, value, "is left to the host");
    }
    header.x = 7;
    auto bytes = good;
    bytes[2] = 0x33;
    ToPacket(bytes)->PeekHeader(header);
    NS_TEST_EXPECT_MSG_EQ(header.x, 7, "what is refused changes nothing");
}

/** @brief Mutated headers parse by their length, version and format alone. */
LFN_CASE(XcpMutationsTestCase)
{
    const Bytes good{6, 20, 0x31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    XcpHeader header;
    std::mt19937 random(2);
    uint32_t parsed = 0;
    for (int i = 0; i < 20000; ++i)
    {
        Bytes any(random() % 30);
        for (std::size_t at = 0; at < any.size(); ++at)
        {
            any[at] =
                at < good.size() && random() % 8 != 0 ? good[at] : static_cast<uint8_t>(random());
        }
        const bool isGood = any.size() >= 20 && any[1] == 20 && (any[2] == 0x31 || any[2] == 0x32);
        NS_TEST_ASSERT_MSG_EQ(ToPacket(any)->PeekHeader(header), (isGood ? 20 : 0), "try " << i);
        if (any.size() >= XcpHeader::SIZE)
        {
            const std::span<const uint8_t> bytes(any);
            NS_TEST_ASSERT_MSG_EQ(XcpHeader().Parse(bytes.first<XcpHeader::SIZE>()),
                                  isGood,
                                  "copied bytes, try " << i);
        }
        if (isGood)
        {
            ++parsed;
            Bytes same(any.begin(), any.begin() + 20);
            same[3] = 0;
            NS_TEST_ASSERT_MSG_EQ((Join(header) == same), true, "and is written as it was");
        }
    }
    NS_TEST_EXPECT_MSG_GT(parsed, 1000, "many parse");
}

/// The congestion header on the wire: byte for byte, rounded, cut to what fits, total on any bytes.
const Suite g_suite("lfn-xcp-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new XcpBytesTestCase("headers as literal bytes"));
    suite.Add(new XcpSaturationTestCase("saturation and rounding"));
    suite.Add(new XcpRandomHeadersTestCase("random values against an independent encoding"));
    suite.Add(new XcpTotalTestCase("truncations and wrong bytes are refused"));
    suite.Add(new XcpMutationsTestCase("mutations are refused, or written as they were"));
});

} // namespace
