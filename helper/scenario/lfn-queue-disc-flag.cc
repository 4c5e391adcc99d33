// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-queue-disc-flag.h"

#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-install-queue-disc.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/lfn-values.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/xcp-port.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("QueueDiscFlag");

namespace
{

/** What to give where ns-3 does not take a MaxSize. */
const std::string IN_PACKETS = "give a size above 0 in packets, such as 1000p";

/**
 * @brief Complete the name of a class that is given without its namespace.
 * @param text such as "ClassQueueDisc[Classes=rest:1]"
 * @return the text with the namespace of this module or of ns-3 where such a class is there; else
 * as it is
 */
std::string
AddNamespace(const std::string& text)
{
    const std::string name = text.substr(0, text.find('['));
    for (const std::string space : {"ns3::lfn::", "ns3::"})
    {
        TypeId type;
        if (name.find(':') == std::string::npos &&
            TypeId::LookupByNameFailSafe(space + name, &type))
        {
            return space + text;
        }
    }
    return text;
}

} // namespace

QueueDiscFlag::QueueDiscFlag(Flags& flags)
    : m_flags(flags)
{
}

void
QueueDiscFlag::Declare()
{
    m_flags.Text("queueDisc",
                 "queue disc at all bottlenecks, such as FqCoDelQueueDisc[Target=5ms]; its "
                 "MaxSize is the device's queue unless given",
                 m_text,
                 [this](const std::string& text) { return Read(text, m_factory); });
}

std::optional<std::string>
QueueDiscFlag::Read(const std::string& text, ObjectFactory& factory)
{
    if (auto remedy = MakeFactory(AddNamespace(text), QueueDisc::GetTypeId(), factory))
    {
        return remedy;
    }
    const auto disc = factory.Create<QueueDisc>();
    if (disc->GetWakeMode() == QueueDisc::WAKE_CHILD)
    {
        return "give one that is not made up of others, a child per queue";
    }
    // ns-3 goes back to the default in silence, for a size in bytes where packets are counted.
    const std::string name = "MaxSize=";
    const auto begin = text.find(name);
    if (QueueSizeValue has;
        begin != std::string::npos && disc->GetAttributeFailSafe("MaxSize", has))
    {
        const auto value = text.substr(begin + name.size());
        const auto wanted = values::ReadQueueSize(value.substr(0, value.find_first_of("|]"))).value;
        if (wanted && values::PrintQueueSize(*wanted) != values::PrintQueueSize(has.Get()))
        {
            return name + values::PrintQueueSize(*wanted) + " is not supported: " + IN_PACKETS;
        }
    }
    return std::nullopt;
}

void
QueueDiscFlag::Install(const TransportTopology& topology)
{
    if (m_text.empty())
    {
        return;
    }
    m_flags.RefuseIf(topology.GetBottlenecks().empty(),
                     "queueDisc",
                     "this topology names no bottleneck to put it at");
    for (const auto& [device, to] : topology.GetBottlenecks())
    {
        if (m_devices.insert(device).second) // several links may begin there
        {
            const auto queue = ReportedLink::GetQueue(device);
            const auto size = queue ? std::optional(queue->GetMaxSize()) : std::nullopt;
            const auto disc = InstallAt(m_flags, m_factory, device, size);
            const auto port = DynamicCast<XcpPort>(disc);
            m_flags.RefuseIf(port && port->GetCapacity() <= 0,
                             "queueDisc",
                             "the bottleneck's device does not give its rate: set Bandwidth in "
                             "brackets, such as [Bandwidth=20Mbps]");
        }
    }
}

Ptr<QueueDisc>
QueueDiscFlag::InstallAt(const Flags& flags,
                         const ObjectFactory& factory,
                         Ptr<NetDevice> device,
                         const std::optional<QueueSize>& size)
{
    if (size)
    {
        flags.Imply(factory.GetTypeId(), "MaxSize", QueueSizeValue(*size));
    }
    const auto disc = factory.Create<QueueDisc>();
    NS_LOG_INFO("the queue disc of " << device << " is " << factory.GetTypeId().GetName());
    flags.RefuseIf(!InstallQueueDisc(device, disc),
                   "topology",
                   "a router has no traffic control layer");
    QueueSizeValue has;
    const bool isSized = disc->GetAttributeFailSafe("MaxSize", has);
    flags.RefuseIf(isSized && has.Get().GetValue() == 0,
                   size && flags.IsSet("queue") ? "queue" : "queueDisc",
                   "as MaxSize of this queue disc, " + IN_PACKETS);
    const auto own = isSized ? values::PrintQueueSize(has.Get()) : "none";
    for (const auto* flag : {"queue", "bufferBdp"})
    {
        flags.RefuseIf(size && flags.IsSet(flag) && own != values::PrintQueueSize(*size),
                       flag,
                       "the queue disc's own MaxSize is " + own + ": leave this flag out");
    }
    return disc;
}

void
QueueDiscFlag::RefuseReplaced()
{
    for (const auto& device : m_devices)
    {
        const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
        const auto type = control->GetRootQueueDiscOnDevice(device)->GetInstanceTypeId();
        m_flags.RefuseIf(type != m_factory.GetTypeId(),
                         "queueDisc",
                         "a transport puts " + type.GetName() +
                             " at the bottlenecks: leave this flag out, or give that one");
    }
    m_devices.clear(); // nodes and devices end with the simulation
}

} // namespace ns3::lfn
