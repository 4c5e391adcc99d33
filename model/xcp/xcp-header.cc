// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-header.h"

#include "ns3/lfn-big-endian.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(XcpHeader);

namespace
{

constexpr double STEPS = 1 << 28; //!< of X and RTT in a second

/**
 * @brief Round a value to the nearest that a word carries.
 * @tparam T type of the word
 * @param value the value; 0 is taken for what is no number
 * @return the word
 */
template <typename T>
T
ToWord(double value)
{
    if (std::isnan(value))
    {
        return 0;
    }
    constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
    constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
    return value <= least  ? std::numeric_limits<T>::min()
           : value >= most ? std::numeric_limits<T>::max()
                           : static_cast<T>(std::llround(value));
}

} // namespace

TypeId
XcpHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::XcpHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lfn")
                            .AddConstructor<XcpHeader>();
    return tid;
}

TypeId
XcpHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
XcpHeader::GetSerializedSize() const
{
    return SIZE;
}

void
XcpHeader::Serialize(Buffer::Iterator start) const
{
    std::array<uint8_t, SIZE> bytes{nextProtocol,
                                    SIZE,
                                    static_cast<uint8_t>(VERSION << 4 | format)};
    WriteBigEndian(bytes, 4, ToWord<uint32_t>(x * STEPS));
    WriteBigEndian(bytes, 8, ToWord<uint32_t>(rtt * STEPS));
    WriteBigEndian(bytes, 12, static_cast<uint32_t>(ToWord<int32_t>(reverseFeedback)));
    WriteBigEndian(bytes, 16, static_cast<uint32_t>(ToWord<int32_t>(deltaThroughput)));
    start.Write(bytes.data(), SIZE);
}

uint32_t
XcpHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < SIZE)
    {
        return 0;
    }
    std::array<uint8_t, SIZE> bytes;
    start.Read(bytes.data(), SIZE);
    return Parse(bytes) ? SIZE : 0;
}

bool
XcpHeader::Parse(std::span<const uint8_t, SIZE> bytes)
{
    const auto found = static_cast<uint8_t>(bytes[2] & 0x0f);
    if (bytes[1] != SIZE || bytes[2] >> 4 != VERSION || (found != STANDARD && found != MINIMAL))
    {
        return false;
    }
    const auto word = [bytes](std::size_t at) { return ReadBigEndian<uint32_t>(bytes, at); };
    nextProtocol = bytes[0];
    format = static_cast<Format>(found);
    x = word(4) / STEPS;
    rtt = word(8) / STEPS;
    reverseFeedback = static_cast<int32_t>(word(12));
    deltaThroughput = static_cast<int32_t>(word(16));
    return true;
}

void
XcpHeader::Print(std::ostream& os) const
{
    os << (format == STANDARD ? "standard" : "minimal") << " next=" << +nextProtocol << " X=" << x
       << "s RTT=" << rtt << "s reverse=" << reverseFeedback << "B/s delta=" << deltaThroughput
       << "B/s";
}

} // namespace ns3::lfn
