// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-reordering-channel.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("ReorderingChannel");
NS_OBJECT_ENSURE_REGISTERED(ReorderingChannel);

TypeId
ReorderingChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::ReorderingChannel")
            .SetParent<JitterChannel>()
            .SetGroupName("Lfn")
            .AddConstructor<ReorderingChannel>()
            .AddAttribute("Probability",
                          "Probability that a packet is chosen, to come late or early; with "
                          "ClusterSize above 1 that a cluster of chosen packets begins with it.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&ReorderingChannel::m_probability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "Script",
                "Which packets of a direction are chosen, instead of by Probability: "
                "numbers from 1, separated by commas, or \"all\"; nothing: by "
                "Probability.",
                StringValue(""),
                MakeStringAccessor(&ReorderingChannel::SetScript, &ReorderingChannel::GetScript),
                MakeStringChecker())
            .AddAttribute(
                "Displacement",
                "How many later packets a held one lets pass, or how many earlier ones one "
                "overtakes, or the most of them, by Distribution.",
                UintegerValue(8),
                MakeUintegerAccessor(&ReorderingChannel::m_displacement),
                MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("Mode",
                          "Late holds a chosen packet until later ones have passed, Early sends it "
                          "ahead of earlier ones.",
                          EnumValue(Mode::LATE),
                          MakeEnumAccessor<Mode>(&ReorderingChannel::m_mode),
                          MakeEnumChecker(Mode::LATE, "Late", Mode::EARLY, "Early"))
            .AddAttribute("Distribution",
                          "How a displacement is drawn: Fixed is always Displacement, Uniform 1 to "
                          "Displacement, Geometric 1 to Displacement with mean MeanDisplacement "
                          "before the cut.",
                          EnumValue(Distribution::FIXED),
                          MakeEnumAccessor<Distribution>(&ReorderingChannel::m_distribution),
                          MakeEnumChecker(Distribution::FIXED,
                                          "Fixed",
                                          Distribution::UNIFORM,
                                          "Uniform",
                                          Distribution::GEOMETRIC,
                                          "Geometric"))
            .AddAttribute("MeanDisplacement",
                          "Mean of the geometric law (packets), were it not cut at Displacement.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&ReorderingChannel::m_meanDisplacement),
                          MakeDoubleChecker<double>(1, 1e6))
            .AddAttribute(
                "ClusterSize",
                "Packets that are chosen together where Probability chooses one (packets); "
                "1: each by itself. A script has no clusters.",
                UintegerValue(1),
                MakeUintegerAccessor(&ReorderingChannel::m_clusterSize),
                MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("ClusterSpacing",
                          "From one chosen packet of a cluster to the next one (packets); 1: they "
                          "follow each other.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ReorderingChannel::m_clusterSpacing),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute(
                "Direction",
                "Whose packets may be chosen: Forward those of the first device, Backward "
                "those of the second, or Both.",
                EnumValue(Direction::FORWARD),
                MakeEnumAccessor<Direction>(&ReorderingChannel::m_direction),
                MakeEnumChecker(Direction::FORWARD,
                                "Forward",
                                Direction::BACKWARD,
                                "Backward",
                                Direction::BOTH,
                                "Both"))
            .AddAttribute("LongestHold",
                          "A packet is held for this time at most.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&ReorderingChannel::m_longestHold),
                          MakeTimeChecker(Time(0), Days(3650)));
    return tid;
}

ReorderingChannel::ReorderingChannel()
{
    for (auto& lane : m_lanes)
    {
        lane.uniform = CreateObject<UniformRandomVariable>();
    }
}

void
ReorderingChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (auto& lane : m_lanes)
    {
        lane.timer.Cancel();
        lane.held.clear();
    }
    JitterChannel::DoDispose();
}

int64_t
ReorderingChannel::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    // The same streams whether there is jitter or not: neither shifts the other's numbers.
    JitterChannel::AssignStreams(stream);
    stream += LANES;
    for (auto& lane : m_lanes)
    {
        lane.uniform->SetStream(stream++);
    }
    return 2 * LANES;
}

uint64_t
ReorderingChannel::GetHeld() const
{
    return m_heldPackets;
}

uint64_t
ReorderingChannel::GetExpired() const
{
    return m_expired;
}

bool
ReorderingChannel::SetScript(std::string script)
{
    NS_LOG_FUNCTION(this << script);
    return m_script.Set(script);
}

std::string
ReorderingChannel::GetScript() const
{
    return m_script.Get();
}

bool
ReorderingChannel::IsOn(std::size_t lane) const
{
    const auto other = lane == 0 ? Direction::BACKWARD : Direction::FORWARD;
    return (m_probability > 0 || !m_script.IsEmpty()) && m_direction != other;
}

bool
ReorderingChannel::IsChosen(Lane& lane) const
{
    ++lane.packets;
    if (!m_script.IsEmpty())
    {
        return m_script.Has(lane.packets);
    }
    if (lane.clusterLeft == 0)
    {
        if (lane.uniform->GetValue() >= m_probability)
        {
            return false;
        }
        lane.clusterLeft = m_clusterSize;
    }
    else if (--lane.clusterNext > 0)
    {
        return false;
    }
    --lane.clusterLeft;
    lane.clusterNext = m_clusterSpacing;
    return true;
}

uint32_t
ReorderingChannel::DrawDisplacement(UniformRandomVariable& uniform) const
{
    if (m_distribution == Distribution::FIXED)
    {
        return m_displacement;
    }
    const double draw = uniform.GetValue();
    double packets = 0; // less than those to let pass by up to 1
    if (m_distribution == Distribution::UNIFORM)
    {
        packets = draw * m_displacement;
    }
    else if (m_meanDisplacement > 1)
    {
        // The inverse of the distribution function (1 - more^k) / (1 - more^Displacement).
        const double more = 1 - 1 / m_meanDisplacement;
        const double share = 1 - std::pow(more, m_displacement);
        packets = std::log1p(-draw * share) / std::log(more);
    }
    return std::min(static_cast<uint32_t>(packets) + 1, m_displacement);
}

bool
ReorderingChannel::TransmitStart(Ptr<const Packet> packet,
                                 Ptr<PointToPointNetDevice> source,
                                 Time txTime)
{
    const std::size_t number = source == GetSource(0) ? 0 : 1;
    Lane& lane = m_lanes[number];
    const bool isChosen = IsOn(number) && IsChosen(lane);
    if (IsOn(number) && m_mode == Mode::EARLY)
    {
        const auto ahead = isChosen ? DrawDisplacement(*lane.uniform) : 0;
        SendAhead(number, ahead, packet, source, txTime);
        return true;
    }
    if (!isChosen)
    {
        const bool isSent = JitterChannel::TransmitStart(packet, source, txTime);
        Pass(lane, lane.held.size(), txTime);
        return isSent;
    }
    m_heldPackets++;
    const Time hold = txTime + m_longestHold;
    lane.held.push_back({packet, source, DrawDisplacement(*lane.uniform), Simulator::Now() + hold});
    NS_LOG_LOGIC("a packet of " << packet->GetSize() << " B is held back until "
                                << lane.held.back().remaining << " others have passed it, for "
                                << hold.As(Time::MS) << " at most");
    if (!lane.timer.IsPending())
    {
        lane.timer = Simulator::Schedule(hold, &ReorderingChannel::Expire, this, number);
    }
    return true;
}

void
ReorderingChannel::SendAhead(std::size_t number,
                             uint32_t ahead,
                             Ptr<const Packet> packet,
                             Ptr<PointToPointNetDevice> source,
                             Time txTime)
{
    auto& arrivals = m_lanes[number].arrivals;
    const Time now = Simulator::Now();
    auto place = arrivals.end();
    // As many as are asked for, of those that arrive later than this one could.
    while (place != arrivals.begin() && ahead > 0 && *std::prev(place) > now + txTime)
    {
        --place;
        --ahead;
    }
    if (place == arrivals.end())
    {
        JitterChannel::TransmitStart(packet, source, txTime);
        arrivals.push_back(GetLastArrival(number));
    }
    else
    {
        m_heldPackets++;
        const Time arrival = *place - TimeStep(1);
        NS_LOG_LOGIC("a packet of " << packet->GetSize() << " B overtakes others, it arrives at "
                                    << arrival.As(Time::S));
        arrivals.insert(place, arrival);
        SendToArrive(packet, source, arrival); // past the order that JitterChannel keeps
    }
    if (arrivals.size() > m_displacement)
    {
        arrivals.pop_front();
    }
}

void
ReorderingChannel::Pass(Lane& lane, std::size_t before, Time txTime)
{
    if (lane.held.empty())
    {
        return;
    }
    while (true)
    {
        const auto end = lane.held.begin() + static_cast<std::ptrdiff_t>(before);
        std::for_each(lane.held.begin(), end, [](Held& held) { held.remaining--; });
        // The one sent first goes first, and does not count for those sent after it.
        const auto due =
            std::ranges::find_if(lane.held, [](const Held& held) { return held.remaining == 0; });
        if (due == lane.held.end())
        {
            break;
        }
        before = static_cast<std::size_t>(due - lane.held.begin());
        const Held held = std::move(*due);
        lane.held.erase(due);
        // With the transmission time of the one that passed: it arrives right behind that one.
        JitterChannel::TransmitStart(held.packet, held.source, txTime);
    }
    if (lane.held.empty())
    {
        // Not just cancelled: the simulation would last until then.
        lane.timer.Remove();
    }
}

void
ReorderingChannel::Expire(std::size_t number)
{
    NS_LOG_FUNCTION(this << number);
    Lane& lane = m_lanes[number];
    const Time now = Simulator::Now();
    // None of those held was sent before the first, so nobody waits for it.
    while (!lane.held.empty() && lane.held.front().deadline <= now)
    {
        const Held held = std::move(lane.held.front());
        lane.held.pop_front();
        m_expired++;
        NS_LOG_LOGIC("a packet was held back for LongestHold, packets that were to pass it: "
                     << held.remaining);
        JitterChannel::TransmitStart(held.packet, held.source, Time(0));
    }
    if (!lane.held.empty())
    {
        lane.timer = Simulator::Schedule(lane.held.front().deadline - now,
                                         &ReorderingChannel::Expire,
                                         this,
                                         number);
    }
}

} // namespace ns3::lfn
