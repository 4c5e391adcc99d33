// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-installed-objects.h"

#include "ns3/application.h"
#include "ns3/channel.h"
#include "ns3/lfn-run-recorder.h"
#include "ns3/lfn-topology.h"
#include "ns3/lfn-wording.h"
#include "ns3/net-device.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/object-ptr-container.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/socket.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-socket.h"
#include "ns3/udp-socket.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>

namespace ns3::lfn
{

namespace
{

/**
 * @brief Call a function for each Attribute of a class and of its ancestors.
 * @param tid The class.
 * @param call Gets the class that declares it, and the Attribute.
 */
void
ForEachAttribute(
    TypeId tid,
    const std::function<void(TypeId owner, const TypeId::AttributeInformation& about)>& call)
{
    while (true)
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto about = tid.GetAttribute(i);
            if (about.supportLevel == TypeId::SupportLevel::SUPPORTED)
            {
                call(tid, about);
            }
        }
        if (!tid.HasParent() || tid.GetParent() == tid)
        {
            return;
        }
        tid = tid.GetParent();
    }
}

/** @brief Read an Attribute of an object as text; nothing when it cannot be read. */
std::optional<std::string>
ReadText(Ptr<Object> object, const TypeId::AttributeInformation& about)
{
    const auto value = about.checker->Create();
    if (!about.accessor->HasGetter() || !about.accessor->Get(PeekPointer(object), *value))
    {
        return std::nullopt;
    }
    return value->SerializeToString(about.checker);
}

/** @brief What a program sets of an ns-3 object, and what it takes for that. */
struct Source
{
    std::string_view owner;     //!< the class of ns-3
    std::string_view attribute; //!< its Attribute; empty for any
    std::string_view other;     //!< an Attribute, or a flag, of another name
};

// Sockets, which applications make (their Attributes of the same name need no line), and links,
// which topologies make.
constexpr std::array MADE{
    Source{"ns3::TcpSocket", "SndBufSize", "SocketBuffer"},
    Source{"ns3::TcpSocket", "RcvBufSize", "SocketBuffer"},
    Source{"ns3::TcpSocketBase", "MinRto", "MinRtoMargin"},
    Source{"ns3::TcpSocketBase", "ClockGranularity", "MinRtoMargin"},
    Source{"ns3::UdpSocket", "RcvBufSize", "SocketBuffer"},
    Source{"ns3::UdpSocket", "RcvBufSize", "RcvBuf"},
    Source{"ns3::UdpSocket", "RcvBufSize", "BufferSize"},
    Source{"ns3::PointToPointNetDevice", "DataRate", "LinkRate"},
    Source{"ns3::PointToPointNetDevice", "Mtu", "Mtu"},
    Source{"ns3::PointToPointChannel", "Delay", "Rtt"},
    Source{"ns3::CsmaNetDevice", "Mtu", "Mtu"},
    Source{"ns3::CsmaChannel", "DataRate", "LinkRate"},
    Source{"ns3::CsmaChannel", "Delay", "Rtt"},
    Source{"ns3::DropTailQueue<Packet>", "MaxSize", "Queue"},
};

// What follows from flags that are no Attributes of the object.
constexpr std::array FLAGS{
    Source{"ns3::Application", "StartTime", "start"},
    Source{"ns3::UdpClient", "Interval", "sendRate"},
    Source{"ns3::UdpClient", "MaxPackets", "bytes"},
    Source{"ns3::UdpClient", "PacketSize", "packetSize"},
    Source{"ns3::lfn::AtouOptions", "", "options"},
    Source{"ns3::lfn::RbudpSender", "Ipv6", "ipVersion"},
    Source{"ns3::lfn::RbudpIdealControl", "Delay", "rtt"},
    Source{"ns3::lfn::RbudpIdealControl", "AckRate", "sendRate"},
    Source{"ns3::lfn::TcpSource", "Bytes", "bytes"},
};

/** @brief A queue disc that makes others when packets arrive, each with the values it has itself.
 */
struct Maker
{
    std::string_view child;  //!< the class of what it makes
    std::string_view parent; //!< its own class
};

constexpr std::array MAKERS{
    Maker{"ns3::CoDelQueueDisc", "ns3::FqCoDelQueueDisc"},
    Maker{"ns3::CobaltQueueDisc", "ns3::FqCobaltQueueDisc"},
    Maker{"ns3::PieQueueDisc", "ns3::FqPieQueueDisc"},
};

/**
 * @brief Check whether nodes lead to all objects of a class.
 *
 * Attributes of ns-3's sockets are taken by every run: a comparison sets those of TCP for all of
 * its transports.
 */
bool
IsReached(TypeId type)
{
    const std::array parents{NetDevice::GetTypeId(),
                             Channel::GetTypeId(),
                             QueueDisc::GetTypeId(),
                             Application::GetTypeId()};
    return type.GetName().starts_with("ns3::lfn::") ||
           std::ranges::any_of(parents, [&](TypeId parent) {
               return type == parent || type.IsChildOf(parent);
           });
}

/** @brief List the other names of an Attribute in a table. */
std::vector<std::string_view>
FindOthers(std::span<const Source> table, const std::string& owner, const std::string& attribute)
{
    std::vector<std::string_view> others;
    for (const auto& line : table)
    {
        if (line.owner == owner && (line.attribute.empty() || line.attribute == attribute))
        {
            others.push_back(line.other);
        }
    }
    return others;
}

} // namespace

InstalledObjects::InstalledObjects(const std::vector<Entry>& others)
{
    for (const auto& [path, object] : others)
    {
        Visit(path, object);
    }
    for (uint32_t i = 0; i < NodeList::GetNNodes(); ++i)
    {
        const auto node = NodeList::GetNode(i);
        const auto path = "NodeList/" + std::to_string(i);
        Visit(path, node);
        for (uint32_t k = 0; k < node->GetNDevices(); ++k)
        {
            Visit(path + "/DeviceList/" + std::to_string(k) + "/Channel",
                  node->GetDevice(k)->GetChannel());
        }
    }
}

const std::vector<TypeId::AttributeInformation>&
InstalledObjects::GetReferences(TypeId tid)
{
    const auto [place, isNew] = m_references.try_emplace(tid);
    if (isNew)
    {
        ForEachAttribute(tid, [&](TypeId /* owner */, const TypeId::AttributeInformation& about) {
            const auto value = about.checker->Create();
            if ((about.flags & TypeId::ATTR_GET) && about.accessor->HasGetter() &&
                (DynamicCast<PointerValue>(value) || DynamicCast<ObjectPtrContainerValue>(value)))
            {
                place->second.push_back(about);
            }
        });
    }
    return place->second;
}

void
InstalledObjects::Visit(const std::string& path, Ptr<Object> object)
{
    if (!object || !m_seen.insert(PeekPointer(object)).second)
    {
        return;
    }
    m_entries.push_back({path, object});
    for (const auto& about : GetReferences(object->GetInstanceTypeId()))
    {
        const auto value = about.checker->Create();
        if (!about.accessor->Get(PeekPointer(object), *value))
        {
            continue;
        }
        if (const auto pointer = DynamicCast<PointerValue>(value))
        {
            Visit(path + "/" + about.name, DynamicCast<Object>(pointer->GetObject()));
        }
        else if (const auto list = DynamicCast<ObjectPtrContainerValue>(value))
        {
            for (auto item = list->Begin(); item != list->End(); ++item)
            {
                Visit(path + "/" + about.name + "/" + std::to_string(item->first), item->second);
            }
        }
    }
    for (auto others = object->GetAggregateIterator(); others.HasNext();)
    {
        const auto other = ConstCast<Object>(others.Next());
        if (!m_seen.contains(PeekPointer(other))) // each of them has all as aggregates
        {
            Visit(path + "/$" + other->GetInstanceTypeId().GetName(), other);
        }
    }
}

const std::vector<InstalledObjects::Entry>&
InstalledObjects::GetEntries() const
{
    return m_entries;
}

std::vector<std::string>
InstalledObjects::FindInstead(const Flags& flags,
                              TypeId owner,
                              const std::string& name,
                              const std::string& has) const
{
    for (const auto& flag : FindOthers(FLAGS, owner.GetName(), name))
    {
        if (flags.Has(flag))
        {
            return {std::string(flag)};
        }
    }
    const bool isSocket = owner.IsChildOf(Socket::GetTypeId());
    auto others = FindOthers(MADE, owner.GetName(), name);
    if (isSocket)
    {
        others.push_back(name);
    }
    std::vector<std::string> arguments;
    for (const auto& [path, object] : m_entries)
    {
        const auto type = object->GetInstanceTypeId();
        const bool isMaker = isSocket ? !type.IsChildOf(Socket::GetTypeId())
                                      : type.IsChildOf(TransportTopology::GetTypeId());
        ForEachAttribute(type, [&](TypeId declares, const TypeId::AttributeInformation& about) {
            if (!isMaker || !declares.GetName().starts_with("ns3::lfn::") ||
                std::ranges::find(others, about.name) == others.end())
            {
                return;
            }
            const auto attribute = declares.GetName() + "::" + about.name;
            // A topology that is given is not that of the flags.
            const auto argument = flags.Has("topology") && flags.IsSet("topology")
                                      ? attribute
                                      : flags.FindArgument(attribute);
            // A socket has the value of what made it.
            if ((!isSocket || ReadText(object, about) == has) &&
                std::ranges::find(arguments, argument) == arguments.end())
            {
                arguments.push_back(argument);
            }
        });
    }
    return arguments;
}

std::optional<std::string>
InstalledObjects::ExplainMissing(TypeId owner, const std::string& name) const
{
    for (const auto& [child, parent] : MAKERS)
    {
        const auto isParent = [&](const auto& entry) {
            return entry.object->GetInstanceTypeId().GetName() == parent;
        };
        const auto found = std::ranges::find_if(m_entries, isParent);
        if (owner.GetName() == child && found != m_entries.end())
        {
            TypeId::AttributeInformation about;
            const auto type = found->object->GetInstanceTypeId();
            return type.LookupAttributeByName(name, &about)
                       ? std::optional("give --" + type.GetName() + "::" + name)
                       : std::nullopt;
        }
    }
    return "there is no " + owner.GetName() + " in this run: leave it out";
}

std::optional<std::pair<std::string, std::string>>
InstalledObjects::FindIgnored(const Flags& flags, Moment moment, Absent* absent) const
{
    for (const auto& given : flags.GetGiven())
    {
        const auto owner = TypeId::LookupByName(given.name.substr(0, given.name.rfind("::")));
        const auto about = GetAttribute(given.name);
        // The default of now, set from the command line: an object that is given is that one.
        const auto wanted = about.initialValue->SerializeToString(about.checker);
        std::size_t found = 0;
        for (const auto& [path, object] : m_entries)
        {
            const auto tid = object->GetInstanceTypeId();
            if (tid != owner && !tid.IsChildOf(owner))
            {
                continue;
            }
            found++;
            const auto has = ReadText(object, about);
            if (has && *has != wanted)
            {
                const auto instead = FindInstead(flags, owner, about.name, *has);
                return std::pair(
                    given.argument,
                    "the program sets it itself, to " + *has + ", for " + tid.GetName() + ": " +
                        (instead.empty() ? "leave it out" : "give --" + Join(instead, " or --")));
            }
        }
        const bool isOurs = owner.GetName().starts_with("ns3::lfn::");
        if (isOurs && found > 1 && DynamicCast<const PointerValue>(given.value))
        {
            return std::pair(given.argument,
                             std::to_string(found) + " objects would share one: set Attributes of "
                                                     "its class instead");
        }
        const bool isDue =
            moment == (owner.IsChildOf(Socket::GetTypeId()) ? Moment::STARTED : Moment::BUILT);
        // Sockets make these later.
        const bool isHidden = owner.IsChildOf(TcpCongestionOps::GetTypeId());
        if (found == 0 && isDue && IsReached(owner) && !isHidden && given.argument == given.name)
        {
            const auto remedy = ExplainMissing(owner, about.name);
            if (remedy && absent)
            {
                absent->insert_or_assign(given.argument, *remedy);
            }
            else if (remedy)
            {
                return std::pair(given.argument, *remedy);
            }
        }
    }
    return std::nullopt;
}

std::set<Time>
InstalledObjects::ListStarts()
{
    std::set<Time> starts;
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        for (uint32_t i = 0; i < (*node)->GetNApplications(); ++i)
        {
            TimeValue start;
            (*node)->GetApplication(i)->GetAttribute("StartTime", start);
            starts.insert(start.Get());
        }
    }
    return starts;
}

std::string
InstalledObjects::List() const
{
    std::string text = "path,class,attribute,value,type\n";
    for (const auto& [path, object] : m_entries)
    {
        ForEachAttribute(
            object->GetInstanceTypeId(),
            [&, &path = path, &object = object](TypeId owner,
                                                const TypeId::AttributeInformation& about) {
                const auto type = about.checker->HasUnderlyingTypeInformation()
                                      ? about.checker->GetUnderlyingTypeInformation()
                                      : about.checker->GetValueTypeName();
                const auto value = ReadText(object, about);
                const bool isParameter =
                    (about.flags & (TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT)) &&
                    about.accessor->HasSetter();
                if (value && isParameter)
                {
                    text += RunRecorder::Quote(path) + "," + owner.GetName() + "," + about.name +
                            "," + RunRecorder::Quote(*value) + "," + RunRecorder::Quote(type) +
                            "\n";
                }
            });
    }
    return text;
}

} // namespace ns3::lfn
