// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-attribute-check.h"

#include "lfn-queue-limit.h"
#include "lfn-values.h"

#include "ns3/global-value.h"
#include "ns3/lfn-explaining-checker.h"
#include "ns3/lfn-optional-value.h"
#include "ns3/lfn-wording.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3::lfn
{

namespace
{

/** @brief The largest seed that ns-3's generator MRG32k3a takes. */
constexpr uint64_t MOST_SEED = 4294944442;

/** @brief Look a TypeId up; nothing when there is none. */
std::optional<TypeId>
FindType(const std::string& name)
{
    TypeId tid;
    if (name.empty() || !TypeId::LookupByNameFailSafe(name, &tid))
    {
        return std::nullopt;
    }
    return tid;
}

/** @brief Get the names of all TypeIds. */
std::vector<std::string>
AllTypes()
{
    std::vector<std::string> names;
    names.reserve(TypeId::GetRegisteredN());
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        names.push_back(TypeId::GetRegistered(i).GetName());
    }
    return names;
}

/** @brief Explain that a name is unknown, with a better one if there is one. */
std::string
Unknown(const std::string& what, const std::string& name, const std::vector<std::string>& known)
{
    const auto nearest = FindNearest(name, known);
    return "there is no " + what + " " + Printable(name) +
           (nearest ? ", did you mean " + *nearest + "?" : "");
}

/**
 * @brief Check that a text names a class that can be made and has a given ancestor.
 * @param text The text.
 * @param parent The ancestor, or nothing when any class will do.
 * @return A remedy, or nothing when all is well.
 */
std::optional<std::string>
CheckType(const std::string& text, std::optional<TypeId> parent)
{
    const auto tid = FindType(text);
    if (!tid)
    {
        std::string list;
        for (uint16_t i = 0; parent && i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId known = TypeId::GetRegistered(i);
            if (known.IsChildOf(*parent) && known.HasConstructor())
            {
                list += (list.empty() ? "; there are " : ", ") + known.GetName();
            }
        }
        return Unknown("TypeId", text, AllTypes()) + list;
    }
    if (parent && *tid != *parent && !tid->IsChildOf(*parent))
    {
        return "give a class derived from " + parent->GetName();
    }
    if (parent && !tid->HasConstructor())
    {
        return "give a class that can be made: not abstract, and with AddConstructor()";
    }
    return std::nullopt;
}

/** @brief An attribute found in a class or one of its ancestors. */
struct FoundAttribute
{
    TypeId owner;                       //!< The class that declares it.
    TypeId::AttributeInformation about; //!< What the class says about it.
};

/**
 * @brief Find an attribute; unlike TypeId's own search it neither prints nor ends the program.
 * @param tid The class.
 * @param name The attribute's name.
 * @param names Gets all names of attributes that are supported.
 * @return The attribute, or nothing.
 */
std::optional<FoundAttribute>
FindAttribute(TypeId tid, const std::string& name, std::vector<std::string>& names)
{
    std::optional<FoundAttribute> found;
    while (true)
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto about = tid.GetAttribute(i);
            if (about.supportLevel == TypeId::SupportLevel::OBSOLETE)
            {
                continue;
            }
            names.push_back(about.name);
            if (about.name == name && !found)
            {
                found = FoundAttribute{tid, about};
            }
        }
        if (!tid.HasParent() || tid.GetParent() == tid)
        {
            return found;
        }
        tid = tid.GetParent();
    }
}

/** @brief Say what an attribute takes. */
std::string
WhatItTakes(Ptr<const AttributeChecker> checker)
{
    if (checker->GetValueTypeName().ends_with("TimeValue"))
    {
        // The type's own words are a range in nanoseconds.
        return "give a time with its unit that it takes, such as 100ms";
    }
    if (checker->GetValueTypeName().ends_with("UintegerValue"))
    {
        // "uint32_t 3:100"
        const std::string range = checker->GetUnderlyingTypeInformation();
        const auto blank = range.find(' ');
        const auto colon = range.find(':', blank);
        if (blank != std::string::npos && colon != std::string::npos)
        {
            return "give a whole number from " + range.substr(blank + 1, colon - blank - 1) +
                   " to " + range.substr(colon + 1);
        }
    }
    std::string type = checker->HasUnderlyingTypeInformation()
                           ? checker->GetUnderlyingTypeInformation()
                           : checker->GetValueTypeName();
    return "give a value that it takes (" + Printable(type, 200) + ")";
}

/** @brief Check whether a checker takes a text; the readers of addresses throw. */
bool
IsTaken(Ptr<const AttributeChecker> checker, const std::string& text)
{
    if (checker->GetValueTypeName().starts_with("ns3::EnumValue"))
    {
        // Its own search ends the program.
        return ("|" + checker->GetUnderlyingTypeInformation() + "|").find("|" + text + "|") !=
               std::string::npos;
    }
    try
    {
        return checker->CreateValidValue(StringValue(text)) != nullptr;
    }
    catch (const std::exception&)
    {
        return false;
    }
}

/** @brief Get the ancestor of a class that is next to ns3::Object; itself if it has none. */
TypeId
GetFamily(TypeId tid)
{
    while (tid.HasParent() && tid.GetParent() != Object::GetTypeId() && tid.GetParent() != tid)
    {
        tid = tid.GetParent();
    }
    return tid;
}

/**
 * @brief Check a text for an Attribute, which ns-3's own checkers do not do completely.
 * @param about The Attribute.
 * @param text The text.
 * @return A remedy, or nothing when the value is good.
 */
std::optional<std::string>
CheckAttribute(const TypeId::AttributeInformation& about, const std::string& text)
{
    if (auto remedy = CheckAttributeText(about.checker, text))
    {
        return remedy;
    }
    const auto* usual = dynamic_cast<const TypeIdValue*>(PeekPointer(about.originalInitialValue));
    if (usual && usual->Get() != TypeId())
    {
        const TypeId family = GetFamily(usual->Get());
        const TypeId given = TypeId::LookupByName(text);
        if (given != family && !given.IsChildOf(family))
        {
            return "give a class derived from " + family.GetName();
        }
    }
    if (about.name == "Tupdate" && !Time(text).IsStrictlyPositive())
    {
        return "give a time above 0, or PIE never gets past it";
    }
    return std::nullopt;
}

/**
 * @brief Read a text strictly if its type is one that is known here.
 * @param type The name of the value's class, without namespace.
 * @param text The text.
 * @return The fault; NONE as well when the type is not known here.
 */
values::Fault
ReadStrictly(const std::string& type, const std::string& text)
{
    using Reader = values::Fault (*)(const std::string&);
    static const std::map<std::string, Reader> readers{
        {"UintegerValue", [](const auto& number) { return values::ReadCount(number).fault; }},
        {"IntegerValue",
         [](const auto& number) {
             const bool sign = !number.empty() && (number[0] == '-' || number[0] == '+');
             return values::ReadCount(number.substr(sign ? 1 : 0)).fault;
         }},
        {"DoubleValue", [](const auto& number) { return values::ReadNumber(number).fault; }},
        {"BooleanValue", [](const auto& word) { return values::ReadBool(word).fault; }},
        {"TimeValue", [](const auto& time) { return values::ReadTime(time).fault; }},
        {"DataRateValue", [](const auto& rate) { return values::ReadRate(rate).fault; }},
        {"QueueSizeValue", [](const auto& size) { return values::ReadQueueSize(size).fault; }},
        {"lfn::QueueLimitValue",
         [](const auto& limit) { return values::ReadQueueLimit(limit).fault; }},
    };
    const auto reader = readers.find(type);
    return reader == readers.end() ? values::Fault::NONE : reader->second(text);
}

/**
 * @brief Split a list of attributes at the bars; values may hold lists of their own.
 * @param list What follows the opening bracket.
 * @param[out] items The attributes with their values.
 * @return A remedy, or nothing when all brackets are closed.
 */
std::optional<std::string>
SplitItems(const std::string& list, std::vector<std::string>& items)
{
    if (!list.ends_with(']'))
    {
        return "close the list of attributes with ]";
    }
    items.resize(1);
    int depth = 0;
    for (const char c : list.substr(0, list.size() - 1))
    {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (depth < 0)
        {
            return "close the list of attributes with one ]";
        }
        if (c == '|' && depth == 0)
        {
            items.emplace_back();
        }
        else
        {
            items.back() += c;
        }
    }
    return depth == 0 ? std::nullopt : std::optional<std::string>("close every [ with a ]");
}

/**
 * @brief Find the ends of a transport that have an attribute which the transport itself lacks.
 * @param tid The class of the transport, such as ns3::lfn::UdtTransport.
 * @param name The attribute.
 * @return The attribute of each end, such as ns3::lfn::UdtSource::ConnectTimeout.
 */
std::vector<std::string>
FindAtEnds(TypeId tid, const std::string& name)
{
    constexpr std::string_view SUFFIX = "Transport";
    auto protocol = tid.GetName();
    std::vector<std::string> found;
    if (!protocol.ends_with(SUFFIX))
    {
        return found;
    }
    protocol.resize(protocol.size() - SUFFIX.size());
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId end = TypeId::GetRegistered(i);
        for (std::size_t k = 0; end.GetName().starts_with(protocol) && k < end.GetAttributeN(); ++k)
        {
            if (end.GetAttribute(k).name == name)
            {
                found.push_back(end.GetAttributeFullName(k));
            }
        }
    }
    return found;
}

/**
 * @brief Check an attribute of a class with its value.
 * @param item "Name=value".
 * @param tid The class.
 * @return A remedy, or nothing when the class takes it.
 */
std::optional<std::string>
CheckItem(const std::string& item, TypeId tid)
{
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0)
    {
        return "write the attributes as [Name=value|Name=value]";
    }
    if (const auto comma = item.find(','); comma != std::string::npos &&
                                           item.find('=', comma) != std::string::npos &&
                                           item.find('[') == std::string::npos)
    {
        return "write | between attributes, not a comma";
    }
    const std::string name = item.substr(0, equals);
    std::vector<std::string> names;
    const auto found = FindAttribute(tid, name, names);
    if (!found)
    {
        const auto atEnds = FindAtEnds(tid, name);
        const auto instead = atEnds.empty() ? "" : ": give --" + Join(atEnds, " or --");
        return Unknown("attribute of " + tid.GetName(), name, names) + instead;
    }
    if (!(found->about.flags & (TypeId::ATTR_CONSTRUCT | TypeId::ATTR_SET)))
    {
        return "the attribute " + name + " cannot be set";
    }
    if (auto remedy = CheckAttribute(found->about, item.substr(equals + 1)))
    {
        return name + ": " + *remedy;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string>
CheckAttributeText(Ptr<const AttributeChecker> checker, const std::string& text)
{
    if (const auto* explaining = dynamic_cast<const ExplainingChecker*>(PeekPointer(checker)))
    {
        return explaining->Explain(text);
    }
    if (const auto* optional = dynamic_cast<const OptionalChecker*>(PeekPointer(checker)))
    {
        return text == OptionalChecker::UNSET ? std::nullopt
                                              : CheckAttributeText(optional->GetInner(), text);
    }
    std::string type = checker->GetValueTypeName();
    type = type.starts_with("ns3::") ? type.substr(5) : type;
    switch (ReadStrictly(type, text))
    {
    case values::Fault::NONE:
        break;
    case values::Fault::UNKNOWN_UNIT:
        return "there is no unit " +
               Printable(
                   text.substr(std::min(text.size(), text.find_first_not_of("+-.0123456789"))),
                   40) +
               ", write " +
               (type == "TimeValue"        ? "a time such as 100ms"
                : type == "DataRateValue"  ? "a rate such as 100Mbps"
                : type == "QueueSizeValue" ? "a size such as 100p or 64kB"
                                           : "a size such as 100p, 64kB or 0.5BDP");
    case values::Fault::MISSING_UNIT:
        return type == "TimeValue" ? "write the unit, such as " + text + "s or " + text + "ms"
               : type == "DataRateValue"
                   ? "write the unit, such as " + text + values::SuggestUnit(text, "Mbps")
                   : "write the unit, such as " + text + "p or " + text + "kB";
    case values::Fault::TOO_LARGE:
        if (type == "DataRateValue")
        {
            return "give " + values::PrintRate(values::MOST_RATE) + " at most";
        }
        if (type == "TimeValue")
        {
            return "give " + values::Print(values::MOST_DAYS) + "d at most, with sign or without";
        }
        return WhatItTakes(checker);
    default:
        return WhatItTakes(checker);
    }
    if (type == "TypeIdValue")
    {
        if (auto remedy = CheckType(text, std::nullopt))
        {
            return remedy;
        }
    }
    if (const auto* pointer = dynamic_cast<const PointerChecker*>(PeekPointer(checker)))
    {
        // The checker would make the object, and with it take random streams.
        ObjectFactory factory;
        return MakeFactory(text, pointer->GetPointeeTypeId(), factory);
    }
    return IsTaken(checker, text) ? std::nullopt : std::optional(WhatItTakes(checker));
}

std::optional<std::string>
CheckDefault(const std::string& name, const std::string& value)
{
    const std::size_t colons = name.rfind("::");
    if (colons == std::string::npos || colons == 0)
    {
        return "write --ns3::Class::Attribute=value";
    }
    const std::string className = name.substr(0, colons);
    const std::string attribute = name.substr(colons + 2);
    const auto tid = FindType(className);
    if (!tid)
    {
        return Unknown("TypeId", className, AllTypes());
    }
    std::vector<std::string> names;
    const auto found = FindAttribute(*tid, attribute, names);
    if (!found)
    {
        return Unknown("attribute of " + className, attribute, names);
    }
    if (found->owner != *tid)
    {
        // ns-3 sets defaults only where the attribute is declared.
        return "the attribute belongs to a base class, write --" + found->owner.GetName() +
               "::" + attribute;
    }
    return CheckAttribute(found->about, value);
}

bool
IsGlobal(std::string_view name)
{
    StringValue text;
    return GlobalValue::GetValueByNameFailSafe(std::string(name), text);
}

std::optional<std::string>
CheckGlobal(const std::string& name, const std::string& value)
{
    for (auto i = GlobalValue::Begin(); i != GlobalValue::End(); ++i)
    {
        if ((*i)->GetName() != name)
        {
            continue;
        }
        if (name == "RngSeed")
        {
            // The checker takes what the generator then dies of.
            const auto seed = values::ReadCount(value);
            if (!seed.value || *seed.value < 1 || *seed.value > MOST_SEED)
            {
                return "give a whole number from 1 to " + values::Print(MOST_SEED);
            }
        }
        if (name == "SchedulerType")
        {
            return CheckType(value, FindType("ns3::Scheduler"));
        }
        if (name == "SimulatorImplementationType")
        {
            return CheckType(value, FindType("ns3::SimulatorImpl"));
        }
        return CheckAttributeText((*i)->GetChecker(), value);
    }
    return Unknown("global value", name, {});
}

std::optional<std::string>
CheckPrinter(const std::string& printer, const std::string& name)
{
    if (printer == "PrintAttributes")
    {
        return CheckType(name, std::nullopt);
    }
    std::vector<std::string> groups;
    groups.reserve(TypeId::GetRegisteredN());
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        groups.push_back(TypeId::GetRegistered(i).GetGroupName());
    }
    if (std::ranges::find(groups, name) == groups.end())
    {
        return Unknown("group of TypeIds", name, groups);
    }
    return std::nullopt;
}

std::optional<std::string>
MakeFactory(const std::string& text, TypeId parent, ObjectFactory& factory)
{
    const std::size_t bracket = text.find('[');
    const std::string className = text.substr(0, bracket);
    if (bracket == std::string::npos && text.find('(') != std::string::npos)
    {
        return "write attributes in brackets, as Class[Name=value]";
    }
    if (auto remedy = CheckType(className, parent))
    {
        return remedy;
    }
    std::vector<std::string> items;
    if (bracket != std::string::npos)
    {
        if (auto remedy = SplitItems(text.substr(bracket + 1), items))
        {
            return remedy;
        }
    }
    ObjectFactory made;
    made.SetTypeId(className);
    std::set<std::string> seen;
    for (const auto& item : items)
    {
        if (auto remedy = CheckItem(item, made.GetTypeId()))
        {
            return remedy;
        }
        const auto equals = item.find('=');
        const std::string name = item.substr(0, equals);
        if (!seen.insert(name).second)
        {
            return "give the attribute " + Printable(name) + " once";
        }
        made.Set(name, StringValue(item.substr(equals + 1)));
    }
    factory = made;
    return std::nullopt;
}

} // namespace ns3::lfn
