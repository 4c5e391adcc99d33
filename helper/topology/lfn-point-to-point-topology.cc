// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-point-to-point-topology.h"

#include "lfn-hashed-routing.h"
#include "lfn-link-addresses.h"
#include "lfn-point-to-point-link.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/lfn-policer.h"
#include "ns3/lfn-strict-checkers.h"
#include "ns3/log.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("PointToPointTopology");
NS_OBJECT_ENSURE_REGISTERED(PointToPointTopology);

TypeId
PointToPointTopology::GetTypeId()
{
    static TypeId tid =
        AddLinkAttributes(TypeId("ns3::lfn::PointToPointTopology").SetParent<TransportTopology>(),
                          {.rate = DataRate("1Gbps"),
                           .rateHelp = "Rate of the link (bit/s), in both directions.",
                           .rtt = MilliSeconds(100),
                           .rttHelp = "Round-trip time of propagation: twice the link's delay."})
            .SetGroupName("Lfn")
            .AddConstructor<PointToPointTopology>()
            .AddAttribute("ReturnRate",
                          "Rate of the receiver's device (bit/s); 0: that of LinkRate.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&PointToPointTopology::m_returnRate),
                          MakeDataRateChecker())
            .AddAttribute("Jitter",
                          "Standard deviation of a normal extra delay of each packet, in both "
                          "directions; its mean is three times as long. 0: none.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PointToPointTopology::m_jitter),
                          MakeTimeChecker(Time(0), Days(3650)))
            .AddAttribute("ReorderProbability",
                          "Probability that a packet of data comes late or early; see "
                          "ReorderingChannel. 0: none.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PointToPointTopology::m_reorderProbability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ReorderScript",
                          "Which packets of data come late or early, instead of by "
                          "ReorderProbability: numbers from 1, separated by commas, or \"all\".",
                          StringValue(""),
                          MakeStringAccessor(&PointToPointTopology::m_reorderScript),
                          MakePacketScriptChecker())
            .AddAttribute(
                "ReorderDisplacement",
                "How many later packets a late one lets pass, or how many earlier ones an "
                "early one overtakes, or the most of them, by ReorderDistribution.",
                UintegerValue(8),
                MakeUintegerAccessor(&PointToPointTopology::m_reorderDisplacement),
                MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("ReorderDirection",
                          "Whether a chosen packet comes late or early.",
                          EnumValue(ReorderingChannel::Mode::LATE),
                          MakeEnumAccessor<ReorderingChannel::Mode>(
                              &PointToPointTopology::m_reorderDirection),
                          MakeEnumChecker(ReorderingChannel::Mode::LATE,
                                          "Late",
                                          ReorderingChannel::Mode::EARLY,
                                          "Early"))
            .AddAttribute("ReorderDistribution",
                          "How a displacement is drawn.",
                          EnumValue(ReorderingChannel::Distribution::FIXED),
                          MakeEnumAccessor<ReorderingChannel::Distribution>(
                              &PointToPointTopology::m_reorderDistribution),
                          MakeEnumChecker(ReorderingChannel::Distribution::FIXED,
                                          "Fixed",
                                          ReorderingChannel::Distribution::UNIFORM,
                                          "Uniform",
                                          ReorderingChannel::Distribution::GEOMETRIC,
                                          "Geometric"))
            .AddAttribute("ReorderMeanDisplacement",
                          "Mean of the geometric law (packets), were it not cut at "
                          "ReorderDisplacement.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&PointToPointTopology::m_reorderMeanDisplacement),
                          MakeDoubleChecker<double>(1, 1e6))
            .AddAttribute("ReorderClusterSize",
                          "Packets that are chosen together where ReorderProbability chooses one; "
                          "see ReorderingChannel. 1: each by itself.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&PointToPointTopology::m_reorderClusterSize),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("ReorderClusterSpacing",
                          "From one chosen packet of a cluster to the next one (packets).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&PointToPointTopology::m_reorderClusterSpacing),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("ReorderLongestHold",
                          "A packet is held for this time at most.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&PointToPointTopology::m_reorderLongestHold),
                          MakeTimeChecker(Time(0), Days(3650)))
            .AddAttribute("PolicerRate",
                          "Rate (bit/s) that IP packets of data may have behind the link; what "
                          "exceeds it is lost, see Policer. 0: any.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&PointToPointTopology::m_policerRate),
                          MakeDataRateChecker())
            .AddAttribute("PolicerBurst",
                          "What may exceed PolicerRate at once (bytes).",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&PointToPointTopology::m_policerBurst),
                          MakeUintegerChecker<uint32_t>(1, 2'000'000'000))
            .AddAttribute("PolicerPeakRate",
                          "With PolicerRate: rate (bit/s) that a burst may have; a packet of Mtu "
                          "may exceed it at once. 0: any.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&PointToPointTopology::m_policerPeakRate),
                          MakeDataRateChecker());
    return tid;
}

int64_t
PointToPointTopology::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    return m_jitterChannel ? m_jitterChannel->AssignStreams(stream) : 0;
}

void
PointToPointTopology::DoDispose()
{
    m_jitterChannel = nullptr;
    TransportTopology::DoDispose();
}

bool
PointToPointTopology::Reorders() const
{
    return m_reorderProbability > 0 || !m_reorderScript.empty();
}

Time
PointToPointTopology::GetLongestHold() const
{
    const bool holds = Reorders() && m_reorderDirection == ReorderingChannel::Mode::LATE;
    const Time reordering = holds ? m_reorderLongestHold : Time(0);
    return 2 * JitterChannel::SPAN * m_jitter + reordering;
}

Ptr<PointToPointChannel>
PointToPointTopology::MakeChannel()
{
    if (m_jitter.IsZero() && !Reorders())
    {
        return CreateObject<PointToPointChannel>();
    }
    m_jitterChannel = CreateObject<JitterChannel>();
    if (Reorders())
    {
        m_jitterChannel = CreateObject<ReorderingChannel>();
        m_jitterChannel->SetAttribute("Probability", DoubleValue(m_reorderProbability));
        m_jitterChannel->SetAttribute("Script", StringValue(m_reorderScript));
        m_jitterChannel->SetAttribute("Displacement", UintegerValue(m_reorderDisplacement));
        m_jitterChannel->SetAttribute("Mode", EnumValue(m_reorderDirection));
        m_jitterChannel->SetAttribute("Distribution", EnumValue(m_reorderDistribution));
        m_jitterChannel->SetAttribute("MeanDisplacement", DoubleValue(m_reorderMeanDisplacement));
        m_jitterChannel->SetAttribute("ClusterSize", UintegerValue(m_reorderClusterSize));
        m_jitterChannel->SetAttribute("ClusterSpacing", UintegerValue(m_reorderClusterSpacing));
        m_jitterChannel->SetAttribute("Direction",
                                      EnumValue(ReorderingChannel::Direction::FORWARD));
        m_jitterChannel->SetAttribute("LongestHold", TimeValue(m_reorderLongestHold));
    }
    if (m_jitter.IsStrictlyPositive())
    {
        m_jitterChannel->SetNormalJitter(m_jitter);
    }
    return m_jitterChannel;
}

void
PointToPointTopology::DoBuild()
{
    NS_LOG_FUNCTION(this);
    NodeContainer hosts;
    hosts.Create(2);

    const auto channel = MakeChannel();
    channel->SetAttribute("Delay", TimeValue(m_rtt / 2));
    const auto devices =
        InstallLink(hosts.Get(0), hosts.Get(1), {m_linkRate, GetQueueSize(), m_mtu}, channel);
    if (m_returnRate.GetBitRate() > 0)
    {
        devices.Get(1)->SetAttribute("DataRate", DataRateValue(m_returnRate));
    }
    if (m_policerRate.GetBitRate() > 0)
    {
        auto policer = CreateObject<Policer>();
        policer->SetAttribute("Rate", DataRateValue(m_policerRate));
        policer->SetAttribute("Burst", UintegerValue(m_policerBurst));
        policer->SetAttribute("PeakRate", DataRateValue(m_policerPeakRate));
        policer->SetAttribute("PeakBurst", UintegerValue(m_mtu));
        devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(policer));
    }

    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    if (HasHashedRouting())
    {
        UseHashedRouting(stack);
    }
    HasIpv6() ? InstallInternet(hosts, true, HasHashedRouting()) : stack.Install(hosts);
    Ipv4AddressHelper addresses("10.1.1.0", "255.255.255.0");
    const Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
    const auto ipv6 = AssignIpv6(devices, MatchIpv6Network(HasIpv6(), "10.1.1.0"));
    RemoveQueueDiscs(devices);

    AddSender(hosts.Get(0), interfaces.GetAddress(0), ipv6[0]);
    AddReceiver(hosts.Get(1), interfaces.GetAddress(1), 2 * (m_rtt / 2), ipv6[1]);
    AddBottleneck(devices.Get(0), devices.Get(1));
}

} // namespace ns3::lfn
