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

/**
 * @brief Make the kind of a list, which is held as its canonical text.
 * @tparam T What it is a list of.
 * @param read Reads a list strictly.
 * @param print Prints what it takes back.
 * @param isGood Tells whether an item is in range.
 * @param what What to give, in words.
 * @param example A good list.
 * @param unit What a bare number lacks.
 * @return The kind.
 */
template <typename T>
AttributeKind
MakeListKind(values::Result<std::vector<T>> (*read)(std::string_view),
             std::string (*print)(const std::vector<T>&),
             std::function<bool(const T&)> isGood,
             const std::string& what,
             const std::string& example,
             const std::string& unit)
{
    AttributeKind kind;
    kind.read = [=](const std::string& text, values::Fault& fault) -> Ptr<AttributeValue> {
        const auto result = read(text);
        fault = result.fault;
        return result.value && std::ranges::all_of(*result.value, isGood)
                   ? Create<StringValue>(print(*result.value))
                   : nullptr;
    };
    kind.print = [](const AttributeValue& value) {
        return dynamic_cast<const StringValue&>(value).Get();
    };
    kind.what = what;
    kind.example = example;
    kind.unit = unit;
    return kind;
}

/**
 * @brief Join words with commas.
 * @param words The words.
 * @return The text.
 */
std::string
Join(const std::vector<std::string>& words)
{
    std::string list;
    for (const auto& word : words)
    {
        list += (list.empty() ? "" : ", ") + word;
    }
    return list;
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

void
Flags::Bytes(const std::string& name,
             const std::string& help,
             uint64_t& value,
             uint64_t min,
             uint64_t max)
{
    const auto checker = MakeUintegerChecker<uint64_t>(min, max);
    AddVariable<UintegerValue>(name, help, value, checker, MakeAttributeKind(checker, true));
}

void
Flags::Bytes(const std::string& name,
             const std::string& help,
             uint32_t& value,
             uint32_t min,
             uint32_t max)
{
    const auto checker = MakeUintegerChecker<uint32_t>(min, max);
    AddVariable<UintegerValue>(name, help, value, checker, MakeAttributeKind(checker, true));
}

void
Flags::Count(const std::string& name,
             const std::string& help,
             uint64_t& value,
             uint64_t min,
             uint64_t max)
{
    const auto checker = MakeUintegerChecker<uint64_t>(min, max);
    AddVariable<UintegerValue>(name, help, value, checker, MakeAttributeKind(checker, false));
}

void
Flags::Count(const std::string& name,
             const std::string& help,
             uint32_t& value,
             uint32_t min,
             uint32_t max)
{
    const auto checker = MakeUintegerChecker<uint32_t>(min, max);
    AddVariable<UintegerValue>(name, help, value, checker, MakeAttributeKind(checker, false));
}

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
    const auto kind = MakeListKind<uint64_t>(
        values::ReadCountList,
        values::PrintCountList,
        [min, max](const uint64_t& number) { return number >= min && number <= max; },
        "whole numbers" + range + " with commas between",
        "3,7,11",
        "");
    Add({name,
         help,
         kind,
         nullptr,
         Create<StringValue>(values::PrintCountList(value)),
         "",
         nullptr});
    m_flags.back().assign = [this, &value, index = m_flags.size() - 1] {
        value = *values::ReadCountList(m_flags[index].kind.print(*m_flags[index].value)).value;
    };
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
    AddVariable<TimeValue>(name, help, value, checker, MakeAttributeKind(checker, false));
}

void
Flags::DurationList(const std::string& name, const std::string& help, std::vector<Time>& value)
{
    // A bare number is taken for one of the default's unit.
    const std::string usual = value.empty() ? "1s" : values::PrintTime(value.front());
    const auto kind = MakeListKind<Time>(
        values::ReadTimeList,
        values::PrintTimeList,
        [](const Time& time) { return !time.IsStrictlyNegative(); },
        "times with commas between",
        "1s,2500ms",
        usual.substr(usual.find_first_not_of("+-.0123456789")));
    Add({name,
         help,
         kind,
         nullptr,
         Create<StringValue>(values::PrintTimeList(value)),
         "",
         nullptr});
    m_flags.back().assign = [this, &value, index = m_flags.size() - 1] {
        value = *values::ReadTimeList(m_flags[index].kind.print(*m_flags[index].value)).value;
    };
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
    kind.print = [](const AttributeValue& chosen) {
        return dynamic_cast<const StringValue&>(chosen).Get();
    };
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
    kind.print = [](const AttributeValue& text) {
        return dynamic_cast<const StringValue&>(text).Get();
    };
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
Flags::Attribute(const std::string& name,
                 const std::vector<std::string>& attributes,
                 const std::string& help)
{
    AddAttribute(name, attributes, help, false);
}

void
Flags::SizeAttribute(const std::string& name,
                     const std::vector<std::string>& attributes,
                     const std::string& help)
{
    AddAttribute(name, attributes, help, true);
}

void
Flags::AddAttribute(const std::string& name,
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
        return "the unit is missing, write --" + flag.name + "=" + Printable(text) + kind.unit;
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
