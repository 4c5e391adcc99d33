// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-point-to-point-topology.h"

#include "lfn-attribute-check.h"
#include "lfn-values.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(PointToPointTopology);

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
                          MakeUintegerChecker<uint16_t>(68));
    return tid;
}

PointToPointTopology::PointToPointTopology() = default;

PointToPointTopology::~PointToPointTopology() = default;

std::string
PointToPointTopology::Describe() const
{
    return "point-to-point link, " + values::PrintRate(m_linkRate) + ", round trip " +
           values::PrintTime(m_rtt) + ", queue " + values::PrintQueueSize(m_queue);
}

void
PointToPointTopology::DoBuild()
{
    NodeContainer hosts;
    hosts.Create(2);

    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(m_linkRate));
    link.SetDeviceAttribute("Mtu", UintegerValue(m_mtu));
    link.SetChannelAttribute("Delay", TimeValue(m_rtt / 2));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", QueueSizeValue(m_queue));
    // With flow control a full queue would stop the layer above, which then drops the packets
    // where no trace of the device sees them.
    link.DisableFlowControl();
    const NetDeviceContainer devices = link.Install(hosts);

    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(hosts);
    Ipv4AddressHelper addresses("10.1.1.0", "255.255.255.0");
    const Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
    // Assigning addresses installs FqCoDel where the device could make use of it.
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const auto control = hosts.Get(i)->GetObject<TrafficControlLayer>();
        if (control && control->GetRootQueueDiscOnDevice(devices.Get(i)))
        {
            TrafficControlHelper().Uninstall(devices.Get(i));
        }
    }

    AddSender(hosts.Get(0), interfaces.GetAddress(0));
    AddReceiver(hosts.Get(1), interfaces.GetAddress(1), 2 * (m_rtt / 2));
    AddBottleneck(devices.Get(0), devices.Get(1));
}

} // namespace ns3::lfn
