// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-header.h"

#include <cmath>
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
    start.WriteU8(nextProtocol);
    start.WriteU8(SIZE);
    start.WriteU8(static_cast<uint8_t>(VERSION << 4 | format));
    start.WriteU8(0);
    start.WriteHtonU32(ToWord<uint32_t>(x * STEPS));
    start.WriteHtonU32(ToWord<uint32_t>(rtt * STEPS));
    start.WriteHtonU32(static_cast<uint32_t>(ToWord<int32_t>(reverseFeedback)));
    start.WriteHtonU32(static_cast<uint32_t>(ToWord<int32_t>(deltaThroughput)));
}

uint32_t
XcpHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < SIZE)
    {
        return 0;
    }
    const auto next = start.ReadU8();
    const auto length = start.ReadU8();
    const auto versionAndFormat = start.ReadU8();
    start.Next();
    const auto found = static_cast<uint8_t>(versionAndFormat & 0x0f);
    if (length != SIZE || versionAndFormat >> 4 != VERSION ||
        (found != STANDARD && found != MINIMAL))
    {
        return 0;
    }
    nextProtocol = next;
    format = static_cast<Format>(found);
    x = start.ReadNtohU32() / STEPS;
    rtt = start.ReadNtohU32() / STEPS;
    reverseFeedback = static_cast<int32_t>(start.ReadNtohU32());
    deltaThroughput = static_cast<int32_t>(start.ReadNtohU32());
    return SIZE;
}

void
XcpHeader::Print(std::ostream& os) const
{
    os << (format == STANDARD ? "standard" : "minimal") << " next=" << +nextProtocol << " X=" << x
       << "s RTT=" << rtt << "s reverse=" << reverseFeedback << "B/s delta=" << deltaThroughput
       << "B/s";
}

} // namespace ns3::lfn
