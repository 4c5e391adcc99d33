// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-link-topology.h"

#include "lfn-link-addresses.h"

#include "ns3/lfn-strict-checkers.h"
#include "ns3/lfn-values.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

TypeId
LinkTopology::AddLinkAttributes(TypeId tid, const LinkAttributes& links)
{
    return tid
        .AddAttribute("LinkRate",
                      links.rateHelp,
                      DataRateValue(links.rate),
                      MakeDataRateAccessor(&LinkTopology::m_linkRate),
                      MakePositiveDataRateChecker())
        .AddAttribute("Rtt",
                      links.rttHelp,
                      TimeValue(links.rtt),
                      MakeTimeAccessor(&LinkTopology::m_rtt),
                      MakeTimeChecker(Time(0), links.longestRtt))
        .AddAttribute(
            "Queue",
            "Largest size of the drop-tail queue in front of " + links.queueOf +
                ", in packets, bytes, or as a multiple of LinkRate times the longest Rtt, "
                "such as 0.5BDP.",
            QueueLimitValue(QueueSize(QueueSizeUnit::PACKETS, 10000)),
            MakeQueueLimitAccessor(&LinkTopology::m_queue),
            MakePositiveQueueLimitChecker())
        .AddAttribute("Mtu",
                      "Largest IP packet that the links carry (bytes).",
                      UintegerValue(1500),
                      MakeUintegerAccessor(&LinkTopology::m_mtu),
                      MakeUintegerChecker<uint16_t>(68, links.largestMtu));
}

TypeId
LinkTopology::AddAccessRate(TypeId tid)
{
    return tid.AddAttribute("AccessRate",
                            "Rate of the links between hosts and routers (bit/s), at least "
                            "LinkRate; 0: five times LinkRate.",
                            DataRateValue(DataRate(0)),
                            MakeDataRateAccessor(&LinkTopology::m_accessRate),
                            MakeDataRateChecker());
}

DataRate
LinkTopology::GetAccessRate() const
{
    constexpr uint64_t RATIO = 5;
    const auto rate = m_linkRate.GetBitRate();
    const auto follows = rate > UINT64_MAX / RATIO ? UINT64_MAX : RATIO * rate;
    return m_accessRate.GetBitRate() > 0 ? m_accessRate : DataRate(follows);
}

std::optional<std::string>
LinkTopology::Check() const
{
    if (GetAccessRate() < m_linkRate)
    {
        return "AccessRate: give LinkRate (" + values::PrintRate(m_linkRate) +
               ") or more, or 0 for five times LinkRate: the hosts' links would be the bottleneck";
    }
    if (const auto remedy = m_queue.Check(m_linkRate, GetPathRtt()))
    {
        return "Queue: " + *remedy;
    }
    return CheckMtu(HasIpv6(), m_mtu);
}

Time
LinkTopology::GetPathRtt() const
{
    return m_rtt;
}

QueueSize
LinkTopology::GetQueueSize() const
{
    return m_queue.Resolve(m_linkRate, GetPathRtt(), m_mtu);
}

} // namespace ns3::lfn
