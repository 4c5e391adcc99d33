// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-point-to-point-topology.h"

#include "lfn-attribute-check.h"
#include "lfn-point-to-point-link.h"
#include "lfn-values.h"

#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/lfn-jitter-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(PointToPointTopology);

namespace
{

/** @brief Mean and largest deviation of the extra delay, in standard deviations. */
constexpr double JITTER_SPAN = 3;

} // namespace

TypeId
PointToPointTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::PointToPointTopology")
            .SetParent<TransportTopology>()
            .SetGroupName("Lfn")
            .AddConstructor<PointToPointTopology>()
            .AddAttribute("LinkRate",
                          "Rate of the link (bit/s), in both directions.",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&PointToPointTopology::m_linkRate),
                          MakePositiveDataRateChecker())
            .AddAttribute("Rtt",
                          "Round-trip time of propagation: twice the link's delay.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&PointToPointTopology::m_rtt),
                          MakeTimeChecker(Time(0), Days(3650)))
            .AddAttribute("Queue",
                          "Largest size of the drop-tail queue in front of each device, in "
                          "packets or bytes.",
                          QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, 10000)),
                          MakeQueueSizeAccessor(&PointToPointTopology::m_queue),
                          MakePositiveQueueSizeChecker())
            .AddAttribute("Mtu",
                          "Largest IP packet that the link carries (bytes).",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&PointToPointTopology::m_mtu),
                          MakeUintegerChecker<uint16_t>(68))
            .AddAttribute("Jitter",
                          "Standard deviation of a normal extra delay of each packet, in both "
                          "directions; its mean is three times as long. 0: none.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PointToPointTopology::m_jitter),
                          MakeTimeChecker(Time(0), Days(3650)));
    return tid;
}

PointToPointTopology::PointToPointTopology() = default;

PointToPointTopology::~PointToPointTopology() = default;

std::string
PointToPointTopology::Describe() const
{
    return "point-to-point link, " + values::PrintRate(m_linkRate) + ", round trip " +
           values::PrintTime(m_rtt) + ", queue " + values::PrintQueueSize(m_queue) +
           (m_jitter.IsZero() ? "" : ", jitter " + values::PrintTime(m_jitter));
}

int64_t
PointToPointTopology::AssignStreams(int64_t stream)
{
    return m_jitterChannel ? m_jitterChannel->AssignStreams(stream) : 0;
}

void
PointToPointTopology::DoDispose()
{
    m_jitterChannel = nullptr;
    TransportTopology::DoDispose();
}

Ptr<PointToPointChannel>
PointToPointTopology::MakeChannel()
{
    if (m_jitter.IsZero())
    {
        return CreateObject<PointToPointChannel>();
    }
    const double deviation = m_jitter.GetSeconds();
    auto extra = CreateObject<NormalRandomVariable>();
    extra->SetAttribute("Mean", DoubleValue(JITTER_SPAN * deviation));
    extra->SetAttribute("Variance", DoubleValue(deviation * deviation));
    extra->SetAttribute("Bound", DoubleValue(JITTER_SPAN * deviation));
    m_jitterChannel = CreateObject<JitterChannel>();
    m_jitterChannel->SetJitter(extra);
    return m_jitterChannel;
}

void
PointToPointTopology::DoBuild()
{
    NodeContainer hosts;
    hosts.Create(2);

    const auto channel = MakeChannel();
    channel->SetAttribute("Delay", TimeValue(m_rtt / 2));
    const auto devices =
        InstallLink(hosts.Get(0), hosts.Get(1), {m_linkRate, m_queue, m_mtu}, channel);

    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(hosts);
    Ipv4AddressHelper addresses("10.1.1.0", "255.255.255.0");
    const Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
    RemoveQueueDiscs(devices);

    AddSender(hosts.Get(0), interfaces.GetAddress(0));
    AddReceiver(hosts.Get(1), interfaces.GetAddress(1), 2 * (m_rtt / 2));
    AddBottleneck(devices.Get(0), devices.Get(1));
}

} // namespace ns3::lfn
