// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-attribute-kind.h"

#include "lfn-attribute-check.h"
#include "lfn-queue-limit.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

namespace ns3::lfn
{

namespace
{

/**
 * @brief Make the kind of a type that has strict readers.
 * @tparam V The type's AttributeValue.
 * @tparam T The type.
 * @param read Reads a text strictly.
 * @param print Prints what it takes back.
 * @param base Prints it in base units.
 * @return The kind, without words.
 */
template <typename V, typename T>
AttributeKind
MakeRead(values::Result<T> (*read)(std::string_view),
         std::string (*print)(T),
         std::string (*base)(T))
{
    const auto get = [](const AttributeValue& value) {
        return static_cast<T>(dynamic_cast<const V&>(value).Get());
    };
    AttributeKind kind;
    kind.read = [read](const std::string& text, values::Fault& fault) -> Ptr<AttributeValue> {
        const auto result = read(text);
        fault = result.fault;
        return result.value ? Create<V>(*result.value) : nullptr;
    };
    kind.print = [=](const AttributeValue& value) { return print(get(value)); };
    kind.base = [=](const AttributeValue& value) { return base(get(value)); };
    return kind;
}

/** @brief Read a whole number with a sign or without one. */
values::Result<int64_t>
ReadSigned(std::string_view text)
{
    int64_t value = 0;
    const std::string digits(text);
    const auto* const end = digits.data() + digits.size();
    const auto [last, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || last != end)
    {
        return {std::nullopt, values::ReadCount(text).fault};
    }
    return {value, values::Fault::NONE};
}

/** @brief Read a size in bytes with its unit, or a negative number that stands for none. */
values::Result<int64_t>
ReadSignedBytes(std::string_view text)
{
    if (text.starts_with('-'))
    {
        return ReadSigned(text);
    }
    const auto size = values::ReadBytes(text);
    if (size.value && *size.value > INT64_MAX)
    {
        return {std::nullopt, values::Fault::TOO_LARGE};
    }
    return {size.value ? std::optional(static_cast<int64_t>(*size.value)) : std::nullopt,
            size.fault};
}

/** @brief Print a time in seconds, as a JSON number. */
std::string
PrintSeconds(Time time)
{
    return values::PrintNumber(static_cast<double>(time.GetTimeStep()) /
                               static_cast<double>(Seconds(1).GetTimeStep()));
}

/** @brief Make a word of a name of an enumeration: scatter-gather of ScatterGather. */
std::string
MakeWord(const std::string& name)
{
    std::string word;
    for (const char c : name)
    {
        const auto byte = static_cast<unsigned char>(c);
        word += !word.empty() && std::isupper(byte) ? "-" : "";
        word += static_cast<char>(std::tolower(byte));
    }
    return word;
}

/** @brief Make the kind of an enumeration. */
AttributeKind
MakeChoice(Ptr<const AttributeChecker> checker)
{
    AttributeKind kind;
    std::vector<std::string> names;
    const std::string list = checker->GetUnderlyingTypeInformation(); // "Naive|ScatterGather"
    for (std::size_t begin = 0; begin <= list.size();)
    {
        const auto end = std::min(list.find('|', begin), list.size());
        names.push_back(list.substr(begin, end - begin));
        kind.words.push_back(MakeWord(names.back()));
        begin = end + 1;
    }
    kind.read = [=, words = kind.words](const std::string& text,
                                        values::Fault&) -> Ptr<AttributeValue> {
        const auto found = std::ranges::find(words, text);
        return found == words.end()
                   ? nullptr
                   : checker->CreateValidValue(StringValue(names[found - words.begin()]));
    };
    kind.print = [checker](const AttributeValue& value) {
        return MakeWord(value.SerializeToString(checker));
    };
    return kind;
}

/**
 * @brief Say what to give: the noun and the range that a checker takes.
 * @param noun The noun, such as size.
 * @param checker The checker.
 * @param print Prints the ends of the range.
 * @return "a size from A to B", "a size of at least A", or "a size".
 */
std::string
SayRange(const std::string& noun,
         Ptr<const AttributeChecker> checker,
         const std::function<std::string(const std::string&)>& print)
{
    // "uint32_t 3:100", "Time +0ns:+1e+09ns"
    const std::string range =
        checker->HasUnderlyingTypeInformation() ? checker->GetUnderlyingTypeInformation() : "";
    const auto blank = range.find(' ');
    const auto colon = range.find(':', std::min(blank, range.size()));
    if (blank == std::string::npos || colon == std::string::npos)
    {
        return "a " + noun;
    }
    const auto least = range.substr(blank + 1, colon - blank - 1);
    const auto most = range.substr(colon + 1);
    for (const auto* unbounded :
         {"18446744073709551615", "9223372036854775807", "+9.22337e+18ns", "1.79769e+308"})
    {
        if (most == unbounded)
        {
            return least == "1" ? "a positive " + noun
                                : "a " + noun + " of at least " + print(least);
        }
    }
    return "a " + noun + " from " + print(least) + " to " + print(most);
}

/**
 * @brief Say what to give where only 0 may be too little.
 * @param noun The noun, such as rate.
 * @param checker The checker.
 * @param zero The value 0.
 * @return "a rate" or "a positive rate".
 */
std::string
SaySign(const std::string& noun, Ptr<const AttributeChecker> checker, const AttributeValue& zero)
{
    return (checker->Check(zero) ? "a " : "a positive ") + noun;
}

} // namespace

AttributeKind
MakeAttributeKind(Ptr<const AttributeChecker> checker, bool isSize)
{
    const auto same = [](const std::string& text) { return text; };
    const std::string type = checker->GetValueTypeName();
    AttributeKind kind;
    if (type == "ns3::UintegerValue")
    {
        const auto print = isSize ? values::PrintBytes : values::Print;
        kind = MakeRead<UintegerValue, uint64_t>(isSize ? values::ReadBytes : values::ReadCount,
                                                 print,
                                                 values::Print);
        kind.what =
            SayRange(isSize ? "size" : "whole number", checker, [print](const std::string& text) {
                return print(values::ReadCount(text).value.value_or(0));
            });
        kind.example = isSize ? "450MB" : "1";
    }
    else if (type == "ns3::IntegerValue")
    {
        const auto print = [](int64_t value) { return std::to_string(value); };
        kind = MakeRead<IntegerValue, int64_t>(isSize ? ReadSignedBytes : ReadSigned, print, print);
        kind.what = SayRange(isSize ? "size in bytes" : "whole number", checker, same);
        kind.example = isSize ? "4096B" : "1";
    }
    else if (type == "ns3::DoubleValue")
    {
        kind = MakeRead<DoubleValue, double>(values::ReadNumber,
                                             values::PrintNumber,
                                             values::PrintNumber);
        kind.what = SayRange("number", checker, same);
        // A loss or a probability of 1 would be taken, and stop all.
        kind.example = checker->Check(DoubleValue(0.01)) ? "0.01" : "1";
    }
    else if (type == "ns3::BooleanValue")
    {
        const auto print = [](bool value) { return std::string(value ? "true" : "false"); };
        kind = MakeRead<BooleanValue, bool>(values::ReadBool, print, print);
        kind.what = "true or false, or leave the value away";
        kind.example = "true";
        kind.isSwitch = true;
    }
    else if (type == "ns3::TimeValue")
    {
        kind = MakeRead<TimeValue, Time>(values::ReadTime, values::PrintTime, PrintSeconds);
        kind.what =
            SayRange("time",
                     checker,
                     [](const std::string& text) {
                         const Time time(text);
                         const bool isDays = time >= Days(1) && (time % Days(1)).IsZero();
                         return isDays ? values::Print(static_cast<uint64_t>(time.GetDays())) + "d"
                                       : values::PrintTime(time);
                     }) +
            " with its unit";
        kind.unit = "ms";
        kind.example = "100ms";
    }
    else if (type == "ns3::DataRateValue")
    {
        kind = MakeRead<DataRateValue, DataRate>(
            values::ReadRate,
            values::PrintRate,
            [](DataRate rate) { return values::Print(rate.GetBitRate()); });
        kind.what = SaySign("rate with its unit", checker, DataRateValue(DataRate(0)));
        kind.unit = "Mbps";
        kind.example = "600Mbps";
    }
    else if (type == "ns3::QueueSizeValue")
    {
        kind = MakeRead<QueueSizeValue, QueueSize>(
            values::ReadQueueSize,
            values::PrintQueueSize,
            [](QueueSize size) { return values::Print(uint64_t{size.GetValue()}); });
        kind.what = SaySign("queue size in packets or bytes", checker, QueueSizeValue(QueueSize()));
        kind.unit = "p, or with B for bytes";
        kind.example = "10000p";
    }
    else if (type == "ns3::lfn::QueueLimitValue")
    {
        kind = MakeRead<QueueLimitValue, QueueLimit>(
            values::ReadQueueLimit,
            values::PrintQueueLimit,
            [](QueueLimit limit) {
                // A multiple becomes bytes only on a path.
                return limit.IsBdp() ? "" : values::Print(uint64_t{limit.GetSize().GetValue()});
            });
        // A default may be a QueueSizeValue.
        kind.print = [](const AttributeValue& value) {
            return values::PrintQueueLimit(QueueLimitValue::From(value).value_or(QueueLimit()));
        };
        kind.base = [print = kind.base](const AttributeValue& value) {
            return print(QueueLimitValue(QueueLimitValue::From(value).value_or(QueueLimit())));
        };
        kind.what = "a positive queue size in packets, bytes or BDP";
        kind.unit = "p, or with B for bytes, or BDP";
        kind.example = "10000p";
    }
    else if (type.starts_with("ns3::EnumValue"))
    {
        kind = MakeChoice(checker);
    }
    else
    {
        kind.explain = [checker](const std::string& text) {
            return CheckAttributeText(checker, text);
        };
        kind.read = [checker](const std::string& text, values::Fault&) {
            return checker->CreateValidValue(StringValue(text));
        };
        kind.print = [checker](const AttributeValue& value) {
            return value.SerializeToString(checker);
        };
        kind.example = "value";
    }
    kind.isSize = isSize;
    return kind;
}

TypeId::AttributeInformation
GetAttribute(const std::string& name)
{
    const auto colons = name.rfind("::");
    TypeId tid;
    TypeId::AttributeInformation about;
    if (colons == std::string::npos || !TypeId::LookupByNameFailSafe(name.substr(0, colons), &tid))
    {
        throw std::logic_error("there is no class for the attribute " + name);
    }
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        if (tid.GetAttribute(i).name == name.substr(colons + 2))
        {
            return tid.GetAttribute(i);
        }
    }
    throw std::logic_error("there is no attribute " + name);
}

} // namespace ns3::lfn
