// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-transport.h"

#include "xcp-helper.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/lfn-random-streams.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/queue.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/xcp-port.h"
#include "ns3/xcp-queue-disc.h"
#include "ns3/xcp-socket-factory.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpTransport");
NS_OBJECT_ENSURE_REGISTERED(XcpTransport);

TypeId
XcpTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpTransport")
            .SetParent<ConnectionTransport>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpTransport>()
            .AddAttribute("Mechanism",
                          "How the routers share a link with flows of no XCP, as "
                          "--mechanism of xcp-tcp-fairness.",
                          EnumValue(XcpMechanism::NONE),
                          MakeEnumAccessor<XcpMechanism>(&XcpTransport::m_mechanism),
                          MakeEnumChecker(XcpMechanism::NONE,
                                          "none",
                                          XcpMechanism::PERSISTENT,
                                          "persistent",
                                          XcpMechanism::GATED,
                                          "gated",
                                          XcpMechanism::ADAPTIVE,
                                          "adaptive",
                                          XcpMechanism::WRR,
                                          "wrr"))
            .AddAttribute("Estimator",
                          "What counts the flows for Mechanism, unless that is "
                          "none or wrr.",
                          EnumValue(Estimator::SRED),
                          MakeEnumAccessor<Estimator>(&XcpTransport::m_estimator),
                          MakeEnumChecker(Estimator::SRED,
                                          "sred",
                                          Estimator::BLOOM,
                                          "bloom",
                                          Estimator::EXACT,
                                          "exact"));
    return tid;
}

TransportTraits
XcpTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what =
        "TCP over XCP's shim, XcpQueueDisc at all bottlenecks with the queue that was there, and "
        "with Mechanism the fairness with flows of no XCP";
    traits.surplus = "segments retransmitted";
    traits.takesObjects = true;
    return traits;
}

std::string
XcpTransport::GetQueueDisc() const
{
    return m_mechanism == XcpMechanism::WRR ? "ns3::lfn::XcpTcpWrrQueueDisc"
                                            : "ns3::lfn::XcpQueueDisc";
}

TypeId
XcpTransport::GetEstimator() const
{
    const std::string name = m_estimator == Estimator::SRED    ? "Sred"
                             : m_estimator == Estimator::BLOOM ? "Bloom"
                                                               : "Exact";
    return TypeId::LookupByName("ns3::lfn::Xcp" + name + "Estimator");
}

bool
XcpTransport::HasMechanism(Ptr<const QueueDisc> disc) const
{
    const auto type = disc->GetInstanceTypeId().GetName();
    if (type != GetQueueDisc())
    {
        return type != "ns3::lfn::XcpTcpWrrQueueDisc" && type != "ns3::lfn::XcpQueueDisc";
    }
    PointerValue value;
    disc->GetAttributeFailSafe("Fairness", value);
    const auto fairness = value.GetObject();
    const bool isWanted = m_mechanism != XcpMechanism::NONE && m_mechanism != XcpMechanism::WRR;
    if (!fairness || !isWanted)
    {
        return !fairness && !isWanted;
    }
    PointerValue law;
    PointerValue estimator;
    fairness->GetAttribute("DropLaw", law);
    fairness->GetAttribute("XcpEstimator", estimator);
    BooleanValue gated(false);
    law.GetObject()->GetAttributeFailSafe("Gated", gated);
    return law.GetObject()->GetInstanceTypeId() == GetXcpDropLaw(m_mechanism) &&
           gated.Get() == (m_mechanism == XcpMechanism::GATED) &&
           estimator.GetObject()->GetInstanceTypeId() == GetEstimator();
}

std::optional<std::string>
XcpTransport::DoPrepare(TransportTopology& topology)
{
    NS_LOG_FUNCTION(this << &topology);
    if (topology.GetBottlenecks().empty())
    {
        return "xcp needs a bottleneck, and this topology names none";
    }
    uint32_t ports = 0;
    for (const auto& [device, to] : topology.GetBottlenecks())
    {
        const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
        const auto there = control ? control->GetRootQueueDiscOnDevice(device) : nullptr;
        if (DynamicCast<XcpPort>(there))
        {
            // Another one of the list has been here, or the topology has it.
            if (!HasMechanism(there))
            {
                return "xcp: the routers have another mechanism already, give all flows of xcp the "
                       "same Mechanism and Estimator";
            }
            continue;
        }
        const auto queue = ReportedLink::GetQueue(device);
        const auto size = queue ? std::optional(queue->GetMaxSize()) : std::nullopt;
        NS_LOG_LOGIC("the port of " << device << " gets a queue disc of XCP");
        XcpHelper helper;
        helper.SetQueueDisc(GetQueueDisc());
        const auto disc = helper.InstallPort(device);
        if (!disc)
        {
            return "xcp needs a traffic control layer at the bottleneck";
        }
        const auto port = DynamicCast<XcpPort>(disc);
        if (port && port->GetCapacity() <= 0)
        {
            return "xcp needs the rate of the bottleneck, which its device does not report: give "
                   "it with --ns3::lfn::XcpPort::Bandwidth, such as 20Mbps";
        }
        if (size)
        {
            Suggest(disc, "MaxSize", QueueSizeValue(*size));
        }
        if (m_mechanism != XcpMechanism::NONE && m_mechanism != XcpMechanism::WRR)
        {
            const auto fairness = MakeXcpFairness(m_mechanism, GetEstimator());
            if (m_mechanism == XcpMechanism::ADAPTIVE && m_estimator == Estimator::SRED)
            {
                for (const auto* name : {"XcpEstimator", "E2eEstimator"})
                {
                    PointerValue estimator;
                    fairness->GetAttribute(name, estimator);
                    Suggest(estimator.GetObject(), "CompareWhileFilling", BooleanValue(true));
                    Suggest(estimator.GetObject(),
                            "RateVariation",
                            DoubleValue(XCP_RENO_VARIATION));
                }
            }
            disc->SetAttribute("Fairness", PointerValue(fairness));
        }
        XcpHelper::AssignStreams(NetDeviceContainer(device), RandomStreams::Port(ports++));
    }
    XcpHelper::Install(topology.GetSenders());
    XcpHelper::Install(topology.GetReceivers());
    return std::nullopt;
}

std::optional<std::string>
XcpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    const auto error = ConnectionTransport::Install(flow, ends);
    for (const auto& end : {ends.source, ends.sink})
    {
        end->SetAttribute("SocketFactory", TypeIdValue(XcpSocketFactory::GetTypeId()));
    }
    return error;
}

} // namespace ns3::lfn
