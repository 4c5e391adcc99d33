// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-ping.h"

#include <algorithm>

namespace ns3::lfn
{

std::vector<VrpTag>
VrpPing::Make(Time now, uint32_t packetSize)
{
    constexpr int64_t MILLION = 1'000'000;
    const auto stamp = now.GetMicroSeconds();
    m_stamps.push_back(MicroSeconds(stamp));
    VrpTag ping;
    ping.code = VrpTagCode::PING;
    ping.seconds = static_cast<uint32_t>(stamp / MILLION);
    ping.microseconds = static_cast<uint32_t>(stamp % MILLION);
    VrpTag padding;
    padding.code = VrpTagCode::PADDING;
    const uint32_t least = ping.GetSize() + padding.GetSize() + 1; // with LAST
    if (packetSize < least)
    {
        return {ping};
    }
    padding.padding = static_cast<uint16_t>(packetSize - least);
    return {ping, padding};
}

std::optional<Time>
VrpPing::OnPong(const VrpTag& pong, Time now) const
{
    const Time stamp = Seconds(pong.seconds) + MicroSeconds(pong.microseconds);
    if (std::find(m_stamps.begin(), m_stamps.end(), stamp) == m_stamps.end())
    {
        return std::nullopt;
    }
    return now - stamp;
}

std::size_t
VrpPing::GetTries() const
{
    return m_stamps.size();
}

} // namespace ns3::lfn
