// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-transport.h"

#include "lfn-rtt-timers.h"

#include "ns3/double.h"
#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-class-family.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/lfn-tos.h"
#include "ns3/lfn-values.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("Transport");
NS_OBJECT_ENSURE_REGISTERED(Transport);

namespace
{

/** @brief Get the classes of all transports. */
const ClassFamily&
GetFamily()
{
    static const ClassFamily family(Transport::GetTypeId());
    return family;
}

/** @brief Check whether an Attribute is set from outside, and its value is one that has a text. */
bool
IsPlain(const TypeId::AttributeInformation& about)
{
    constexpr uint32_t SETTINGS = TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT;
    const std::string type = about.checker->GetValueTypeName();
    const bool hasText = std::ranges::none_of(
        std::array{"PointerValue", "ObjectPtrContainerValue", "CallbackValue"},
        [&](const auto* other) { return type.find(other) != std::string::npos; });
    return hasText && (about.flags & SETTINGS) != 0 && about.accessor->HasGetter() &&
           about.supportLevel != TypeId::SupportLevel::OBSOLETE;
}

/**
 * @brief Print the value of an Attribute so that different ones look different.
 * @return a text that the Attribute takes
 */
std::string
Print(const AttributeValue& value, Ptr<const AttributeChecker> checker)
{
    if (const auto* number = dynamic_cast<const DoubleValue*>(&value))
    {
        return values::PrintNumber(number->Get());
    }
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        return values::PrintTime(time->Get());
    }
    return value.SerializeToString(checker);
}

/** @brief Read an Attribute that is not what its class has; nothing when it is, or has no text. */
std::optional<std::string>
ReadChanged(const Object* object, const TypeId::AttributeInformation& about)
{
    const auto value = about.checker->Create();
    if (!IsPlain(about) || !about.accessor->Get(object, *value))
    {
        return std::nullopt;
    }
    const auto text = Print(*value, about.checker);
    // The class may have it as a text, in other words.
    const auto initial = about.checker->CreateValidValue(*about.originalInitialValue);
    return initial && text == Print(*initial, about.checker) ? std::nullopt : std::optional(text);
}

/** @brief Look up an Attribute of an object's class. */
TypeId::AttributeInformation
LookUp(Ptr<const Object> object, const std::string& name)
{
    TypeId::AttributeInformation about;
    object->GetInstanceTypeId().LookupAttributeByName(name, &about);
    return about;
}

/**
 * @brief Make a word of a text; different texts make different words.
 * @return with "_" for blanks, and %XX for what is no part of a word
 */
std::string
Encode(const std::string& text)
{
    constexpr std::string_view DIGITS = "0123456789ABCDEF";
    constexpr std::string_view TAKEN = "_%,|\"";
    std::string word;
    for (const char c : text)
    {
        const auto code = static_cast<unsigned char>(c);
        if (c == ' ')
        {
            word += '_';
        }
        else if (code < ' ' || code > '~' || TAKEN.find(c) != std::string_view::npos)
        {
            word += {'%', DIGITS[code / DIGITS.size()], DIGITS[code % DIGITS.size()]};
        }
        else
        {
            word += c;
        }
    }
    return word;
}

/** @brief Make one of each transport, sorted by name. */
std::vector<Ptr<Transport>>
MakeAll()
{
    std::vector<Ptr<Transport>> all;
    for (const auto& type : GetFamily().List())
    {
        all.push_back(ObjectFactory(type.GetName()).Create<Transport>());
    }
    return all;
}

/** @brief Reaches the start of an application, which ns-3 has scheduled. */
class Starts : public Application
{
  public:
    /** @brief Remove the start: one that is cancelled would still end the run at its time. */
    static void Remove(Application& application)
    {
        Simulator::Remove(application.*&Starts::m_startEvent);
    }
};

} // namespace

void
LeaveOtherRanks(const TransportEnds& ends)
{
    for (const auto& end :
         {Ptr<Application>(ends.source), Ptr<Application>(ends.sink), ends.feeder})
    {
        if (end && end->GetNode()->GetSystemId() != Simulator::GetSystemId())
        {
            end->SetStartTime(Time::Max());
            // A run without Simulator::Stop() would come to that time; Initialize() is scheduled.
            Simulator::ScheduleNow([end] { Starts::Remove(*end); });
        }
    }
}

TypeId
Transport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::Transport")
            .SetParent<Object>()
            .SetGroupName("Lfn")
            .AddAttribute("Tos",
                          "Type of service of both ends: IPv4's byte, IPv6's traffic class, or a "
                          "DSCP such as EF.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Transport::m_tos),
                          MakeTosChecker());
    return tid;
}

std::vector<std::string>
Transport::List(Trait filter)
{
    std::vector<std::string> names;
    for (const auto& transport : MakeAll())
    {
        if (!filter || transport->GetTraits().*filter)
        {
            names.push_back(transport->GetName());
        }
    }
    return names;
}

std::string
Transport::Describe()
{
    std::string text;
    for (const auto& transport : MakeAll())
    {
        const auto traits = transport->GetTraits();
        text += "\n  " + transport->GetName() + "  " + traits.what + " [header " +
                std::to_string(traits.headerBytes) + " B; " +
                (traits.isReliable ? "reliable" : "may lose") + "; " +
                (traits.usesSendRate ? "needs a rate" : "finds its rate") +
                "; redundant: " + traits.surplus + "]";
    }
    return text;
}

std::optional<std::string>
Transport::Read(const std::string& text, std::vector<Ptr<Transport>>& transports)
{
    const std::string unknown = "there is no transport ";
    const auto remedy = GetFamily().Read(text, transports);
    if (!remedy || !remedy->starts_with(unknown))
    {
        return remedy;
    }
    const auto name = remedy->substr(unknown.size(), remedy->find(',') - unknown.size());
    const auto control = FindTcpCongestion(name);
    return control ? unknown + name + ", write tcp[Congestion=" + *control + "]" : remedy;
}

std::string
Transport::GetName() const
{
    return GetFamily().GetName(GetInstanceTypeId());
}

std::string
Transport::GetVariant() const
{
    std::string variant;
    for (TypeId type = GetInstanceTypeId(); type != Object::GetTypeId(); type = type.GetParent())
    {
        std::string own;
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto about = type.GetAttribute(i);
            if (const auto text = ReadChanged(this, about))
            {
                own += (own.empty() ? "" : "|") + about.name + "=" + Encode(*text);
            }
        }
        // A parent's Attributes come first.
        variant = own + (own.empty() || variant.empty() ? "" : "|") + variant;
    }
    return variant;
}

TransportTraits
Transport::GetTraits() const
{
    return {};
}

std::optional<std::string>
Transport::Check() const
{
    return std::nullopt;
}

std::optional<std::string>
Transport::Prepare(TransportTopology& topology)
{
    NS_LOG_FUNCTION(this << m_prepared);
    if (m_prepared)
    {
        return std::nullopt;
    }
    m_prepared = true;
    return DoPrepare(topology);
}

std::optional<std::string>
Transport::DoPrepare(TransportTopology& /* topology */)
{
    return std::nullopt;
}

void
Transport::GiveHosts(const TransportFlow& flow, const TransportEnds& ends)
{
    HostCost::SetProfile(ends.source, flow.senderHost);
    HostCost::SetProfile(ends.sink, flow.receiverHost);
}

bool
Transport::IsDone(const TransportEnds& ends) const
{
    const auto& sent = ends.source->GetReport();
    const auto& received = ends.sink->GetReport();
    const bool isInHost = sent.completed && sent.isAcknowledged && !ends.sink->IsFinished() &&
                          received.deliveredBytes + received.lostBytes < sent.deliveredBytes;
    return ends.source->IsFinished() && !isInHost && !ends.sink->IsHostBusy();
}

TransferReport
Transport::GetReport(const TransportEnds& ends) const
{
    auto report = ends.source->GetReport();
    report.MergeReceiver(ends.sink->GetReport());
    report.protocol = GetName();
    report.variant = GetVariant();
    const auto sinkFailure = ends.sink->GetReport().failure;
    if (report.failure.empty() && !sinkFailure.empty())
    {
        // A source that is never notified what came may believe that all is well.
        NS_LOG_LOGIC(GetName() << ": the sink has failed, the source has not: " << sinkFailure);
        report.failure = sinkFailure;
        report.completed = false;
    }
    return report;
}

FlowCounter::Bounds
Transport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    FlowCounter::Bounds bounds;
    bounds.headerBytes = GetTraits().headerBytes;
    bounds.surplusBytes = ends.source->GetReport().retransmittedPackets *
                          (ends.packetSize > 0 ? ends.packetSize : flow.packetSize);
    return bounds;
}

void
Transport::FeedObjects(const TransportFlow& flow, TransportEnds& ends, uint64_t block)
{
    ends.source->SetAttribute("Bytes", UintegerValue(0));
    const auto feeder = CreateObject<ObjectFeeder>();
    flow.sender->AddApplication(feeder);
    feeder->Feed(*flow.objects, ends.source, block);
    feeder->SetStartTime(flow.start);
    ends.feeder = feeder;
}

void
Transport::Suggest(Ptr<Object> object, const std::string& name, const AttributeValue& value)
{
    if (!HasOwnDefault(object, name))
    {
        object->SetAttribute(name, value);
    }
}

uint64_t
Transport::SuggestNumber(Ptr<Object> object, const std::string& name, uint64_t value)
{
    Suggest(object, name, UintegerValue(value));
    return GetNumber(object, name);
}

void
Transport::HandOn(const std::string& own,
                  Ptr<Object> object,
                  const std::string& name,
                  const AttributeValue& value) const
{
    if (ReadChanged(this, LookUp(this, own)))
    {
        object->SetAttribute(name, value);
    }
    else
    {
        Suggest(object, name, value);
    }
}

void
Transport::HandOn(Ptr<Object> object, const std::string& name) const
{
    const auto about = LookUp(this, name);
    const auto value = about.checker->Create();
    about.accessor->Get(this, *value);
    HandOn(name, object, name, *value);
}

void
Transport::HandOnTos(const TransportEnds& ends) const
{
    HandOn(ends.source, "Tos");
    HandOn(ends.sink, "Tos");
}

void
Transport::HandOnCongestion(const TransportEnds& ends) const
{
    for (const auto& end : {ends.source, ends.sink})
    {
        const auto tcp = end->GetNode()->GetObject<TcpL4Protocol>();
        const bool isNodes = tcp && ReadChanged(PeekPointer(tcp), LookUp(tcp, "SocketType"));
        if (!isNodes || ReadChanged(this, LookUp(this, "Congestion")))
        {
            HandOn(end, "Congestion");
        }
    }
}

void
Transport::NameCongestion(TransferReport& report, const Application& source)
{
    if (report.variant.find("Congestion=") == std::string::npos)
    {
        report.variant += report.variant.empty() ? "" : "|";
        report.variant += "Congestion=" + GetTcpCongestion(source);
    }
}

uint64_t
Transport::GetNumber(Ptr<const Object> object, const std::string& name)
{
    UintegerValue value;
    object->GetAttribute(name, value);
    return value.Get();
}

void
Transport::EndAtSink(TransferReport& report)
{
    if (!report.completed)
    {
        return;
    }
    report.lostBytes = report.offeredBytes - std::min(report.offeredBytes, report.deliveredBytes);
    report.finish = std::max(report.finish, report.lastDelivery);
}

} // namespace ns3::lfn
