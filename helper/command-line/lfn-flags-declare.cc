// SPDX-License-Identifier: GPL-2.0-only

// Declarations of flags: of each kind of variable, and of Attributes.

#include "lfn-attribute-check.h"
#include "lfn-flags.h"
#include "lfn-strict-checkers.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/lfn-wording.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

/// Print a value that is a text.
std::string
PrintText(const AttributeValue& value)
{
    return dynamic_cast<const StringValue&>(value).Get();
}

} // namespace

template <typename V, typename T>
void
Flags::AddVariable(const std::string& name,
                   const std::string& help,
                   T& value,
                   Ptr<const AttributeChecker> checker,
                   AttributeKind kind)
{
    Add({name, help, std::move(kind), checker, Create<V>(value), "", nullptr});
    m_flags.back().assign = [this, &value, index = m_flags.size() - 1] {
        value = static_cast<T>(DynamicCast<const V>(m_flags[index].value)->Get());
    };
}

template <typename T>
void
Flags::AddList(const std::string& name,
               const std::string& help,
               std::vector<T>& value,
               values::Result<std::vector<T>> (*read)(std::string_view),
               std::string (*print)(const std::vector<T>&),
               std::function<bool(const T&)> isGood,
               AttributeKind kind)
{
    kind.read = [=](const std::string& text, values::Fault& fault) -> Ptr<AttributeValue> {
        const auto result = read(text);
        fault = result.fault;
        return result.value && std::ranges::all_of(*result.value, isGood)
                   ? Create<StringValue>(print(*result.value))
                   : nullptr;
    };
    kind.print = PrintText;
    Add({name, help, std::move(kind), nullptr, Create<StringValue>(print(value)), "", nullptr});
    m_flags.back().assign = [this, &value, read, index = m_flags.size() - 1] {
        value = *read(PrintText(*m_flags[index].value)).value;
    };
}

template <typename T>
void
Flags::Bytes(const std::string& name,
             const std::string& help,
             T& value,
             std::type_identity_t<T> min,
             std::type_identity_t<T> max)
{
    const auto checker = MakeUintegerChecker<T>(min, max);
    AddVariable<UintegerValue>(name, help, value, checker, MakeAttributeKind(checker, true));
}

template <typename T>
void
Flags::Count(const std::string& name,
             const std::string& help,
             T& value,
             std::type_identity_t<T> min,
             std::type_identity_t<T> max)
{
    const auto checker = MakeUintegerChecker<T>(min, max);
    AddVariable<UintegerValue>(name, help, value, checker, MakeAttributeKind(checker, false));
}

template void Flags::Bytes(const std::string&, const std::string&, uint32_t&, uint32_t, uint32_t);
template void Flags::Bytes(const std::string&, const std::string&, uint64_t&, uint64_t, uint64_t);
template void Flags::Count(const std::string&, const std::string&, uint32_t&, uint32_t, uint32_t);
template void Flags::Count(const std::string&, const std::string&, uint64_t&, uint64_t, uint64_t);

void
Flags::CountList(const std::string& name,
                 const std::string& help,
                 std::vector<uint64_t>& value,
                 uint64_t min,
                 uint64_t max)
{
    const std::string range = max == UINT64_MAX
                                  ? " of at least " + values::Print(min)
                                  : " from " + values::Print(min) + " to " + values::Print(max);
    AttributeKind kind;
    kind.what = "whole numbers" + range + " with commas between";
    kind.example = "3,7,11";
    const auto isGood = [min, max](uint64_t number) { return number >= min && number <= max; };
    AddList<uint64_t>(name,
                      help,
                      value,
                      values::ReadCountList,
                      values::PrintCountList,
                      isGood,
                      kind);
}

void
Flags::Rate(const std::string& name, const std::string& help, DataRate& value)
{
    const auto checker = MakePositiveDataRateChecker();
    AddVariable<DataRateValue>(name, help, value, checker, MakeAttributeKind(checker, false));
}

void
Flags::Duration(const std::string& name, const std::string& help, Time& value, Time min, Time max)
{
    const auto checker = MakeTimeChecker(min, max);
    auto kind = MakeAttributeKind(checker, false);
    const auto usual = values::PrintTime(value);
    kind.unit = usual.substr(usual.find_first_not_of("+-.0123456789"));
    AddVariable<TimeValue>(name, help, value, checker, kind);
}

void
Flags::DurationList(const std::string& name, const std::string& help, std::vector<Time>& value)
{
    AttributeKind kind;
    kind.what = "times with commas between";
    kind.example = "1s,2500ms";
    // A bare number is taken for one of the default's unit.
    const std::string usual = value.empty() ? "1s" : values::PrintTime(value.front());
    kind.unit = usual.substr(usual.find_first_not_of("+-.0123456789"));
    const auto isGood = [](const Time& time) { return !time.IsStrictlyNegative(); };
    AddList<Time>(name, help, value, values::ReadTimeList, values::PrintTimeList, isGood, kind);
}

void
Flags::Number(const std::string& name,
              const std::string& help,
              double& value,
              double min,
              double max)
{
    const auto checker = MakeDoubleChecker<double>(min, max);
    AddVariable<DoubleValue>(name, help, value, checker, MakeAttributeKind(checker, false));
}

void
Flags::Fraction(const std::string& name,
                const std::string& help,
                double& value,
                double min,
                double max)
{
    Number(name, help, value, min, max);
}

void
Flags::Queue(const std::string& name, const std::string& help, QueueSize& value)
{
    const auto checker = MakePositiveQueueSizeChecker();
    AddVariable<QueueSizeValue>(name, help, value, checker, MakeAttributeKind(checker, false));
}

void
Flags::Choice(const std::string& name,
              const std::string& help,
              std::string& value,
              const std::vector<std::string>& choices)
{
    AttributeKind kind;
    kind.read = [choices](const std::string& text, values::Fault&) -> Ptr<AttributeValue> {
        return std::ranges::find(choices, text) == choices.end() ? nullptr
                                                                 : Create<StringValue>(text);
    };
    kind.print = PrintText;
    kind.words = choices;
    AddVariable<StringValue>(name, help, value, nullptr, std::move(kind));
}

void
Flags::Text(const std::string& name,
            const std::string& help,
            std::string& value,
            std::function<std::optional<std::string>(const std::string&)> check)
{
    AttributeKind kind;
    kind.read = [](const std::string& text, values::Fault&) { return Create<StringValue>(text); };
    kind.print = PrintText;
    kind.explain = [check](const std::string& text) -> std::optional<std::string> {
        return text.find('\0') != std::string::npos ? "give a text without zero bytes"
               : check                              ? check(text)
                                                    : std::nullopt;
    };
    kind.example = "text";
    AddVariable<StringValue>(name, help, value, nullptr, std::move(kind));
}

void
Flags::Switch(const std::string& name, const std::string& help, bool& value)
{
    const auto checker = MakeBooleanChecker();
    AddVariable<BooleanValue>(name, help, value, checker, MakeAttributeKind(checker, false));
}

void
Flags::SizeAttribute(const std::string& name,
                     const std::vector<std::string>& attributes,
                     const std::string& help)
{
    Attribute(name, attributes, help, true);
}

void
Flags::Attribute(const std::string& name,
                 const std::vector<std::string>& attributes,
                 const std::string& help,
                 bool isSize)
{
    const auto first = GetAttribute(attributes.at(0));
    const auto print = [](const TypeId::AttributeInformation& about) {
        return about.initialValue->SerializeToString(about.checker);
    };
    for (const auto& attribute : attributes)
    {
        const auto about = GetAttribute(attribute);
        if (print(about) != print(first))
        {
            throw std::logic_error("--" + name + " has two defaults, " + print(first) + " and " +
                                   print(about) + " of " + attribute);
        }
    }
    Add({name,
         help.empty() ? first.help : help,
         MakeAttributeKind(first.checker, isSize),
         first.checker,
         first.initialValue,
         "",
         nullptr,
         attributes});
    m_flags.back().assign = [this, index = m_flags.size() - 1] {
        for (const auto& attribute : m_flags[index].attributes)
        {
            Config::SetDefault(attribute, *m_flags[index].value);
        }
    };
}

std::string
Flags::GetExample(const Flag& flag)
{
    if (!flag.kind.words.empty())
    {
        return flag.kind.words.front();
    }
    const auto now = flag.kind.print(*flag.value);
    const bool isNone =
        now.empty() || (flag.checker && now.find_first_of("123456789") == std::string::npos);
    return isNone ? flag.kind.example : now;
}

std::optional<std::string>
Flags::Read(const Flag& flag, const std::string& text, Ptr<const AttributeValue>& value)
{
    const auto& kind = flag.kind;
    if (kind.explain)
    {
        if (auto remedy = kind.explain(text))
        {
            return remedy;
        }
    }
    auto fault = values::Fault::NONE;
    value = kind.read(kind.isSwitch && text.empty() ? "true" : text, fault);
    const auto isTaken = [&value](const std::string& attribute) {
        return GetAttribute(attribute).checker->Check(*value);
    };
    if (value && (!flag.checker || flag.checker->Check(*value)) &&
        std::ranges::all_of(flag.attributes, isTaken))
    {
        return std::nullopt;
    }
    if (!kind.words.empty())
    {
        const auto nearest = FindNearest(text, kind.words);
        return (nearest ? "did you mean " + *nearest + "? " : std::string()) + "give one of " +
               Join(kind.words);
    }
    std::string what = "give " + kind.what;
    if (value && (!flag.checker || flag.checker->Check(*value)))
    {
        // Another class is stricter than the first one.
        const auto strict = *std::ranges::find_if_not(flag.attributes, isTaken);
        what = "give " + MakeAttributeKind(GetAttribute(strict).checker, kind.isSize).what;
    }
    const std::string example = kind.isSwitch ? "" : ", such as " + GetExample(flag);
    switch (fault)
    {
    case values::Fault::MISSING_UNIT:
        return "the unit is missing, write --" + flag.name + "=" + Printable(text) +
               values::SuggestUnit(text, kind.unit);
    case values::Fault::EXPONENT:
        return "write the number without an exponent" + example;
    case values::Fault::FRACTION:
        return "this is finer than the smallest unit, " + what + example;
    case values::Fault::TOO_LARGE:
        return "this is too large, " + what + example;
    case values::Fault::UNKNOWN_UNIT: {
        const auto unit = text.find_first_not_of("+-.0123456789eE");
        return "there is no unit " +
               (unit == std::string::npos ? text : Printable(text.substr(unit), 40)) + ", " + what +
               example;
    }
    default:
        return what + example;
    }
}

} // namespace ns3::lfn
