// SPDX-License-Identifier: GPL-2.0-only

// The kinds of flags: how each type of value is declared, read and spoken of.

#include "lfn-flags.h"
#include "lfn-values.h"

#include "ns3/lfn-wording.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

/**
 * @brief Make the part of a remedy that all kinds of faults share.
 * @param fault The fault.
 * @param form What to give.
 * @param example An example of it.
 * @param text The text refused.
 * @return The remedy.
 */
std::string
Remedy(values::Fault fault,
       const std::string& form,
       const std::string& example,
       const std::string& text)
{
    switch (fault)
    {
    case values::Fault::EXPONENT:
        return "write the number without an exponent, such as " + example;
    case values::Fault::FRACTION:
        return "this is finer than the smallest unit, give " + form + ", such as " + example;
    case values::Fault::TOO_LARGE:
        return "this is too large, give " + form + ", such as " + example;
    case values::Fault::UNKNOWN_UNIT: {
        const auto unit = text.find_first_not_of("+-.0123456789eE");
        return "there is no unit " +
               (unit == std::string::npos ? text : Printable(text.substr(unit), 40)) + ", give " +
               form + ", such as " + example;
    }
    default:
        return "give " + form + ", such as " + example;
    }
}

/**
 * @brief Say what range a value must be in.
 * @param what The kind of value.
 * @param min The smallest, as text.
 * @param max The largest, as text; empty when there is no bound worth telling.
 * @return The phrase.
 */
std::string
Range(const std::string& what, const std::string& min, const std::string& max)
{
    return what + (max.empty() ? " of at least " + min : " from " + min + " to " + max);
}

} // namespace

template <typename T, typename R>
void
Flags::AddRead(const std::string& name,
               const std::string& help,
               T& value,
               const Form<R>& form,
               std::function<std::string()> print)
{
    auto parse = [&value, name, form](const std::string& text) -> Outcome {
        const auto read = form.read(text);
        if (read.fault == values::Fault::MISSING_UNIT)
        {
            return {"the unit is missing, write --" + name + "=" + Printable(text) + form.unit, {}};
        }
        if (!read.value || !form.isGood(*read.value))
        {
            return {Remedy(read.fault, form.what, form.example, text), {}};
        }
        return {"", [&value, good = *read.value] { value = static_cast<T>(good); }};
    };
    Add({name, help, form.example, print(), false, false, std::move(parse), std::move(print)});
}

void
Flags::Bytes(const std::string& name,
             const std::string& help,
             uint64_t& value,
             uint64_t min,
             uint64_t max)
{
    const std::string what = max == UINT64_MAX && min == 1
                                 ? std::string("a positive size")
                                 : Range("a size",
                                         values::PrintBytes(min),
                                         max == UINT64_MAX ? "" : values::PrintBytes(max));
    AddRead<uint64_t, uint64_t>(
        name,
        help,
        value,
        {values::ReadBytes,
         [min, max](const uint64_t& read) { return read >= min && read <= max; },
         what,
         value != 0 ? values::PrintBytes(value) : "450MB",
         ""},
        [&value] { return values::PrintBytes(value); });
}

void
Flags::Bytes(const std::string& name,
             const std::string& help,
             uint32_t& value,
             uint32_t min,
             uint32_t max)
{
    AddRead<uint32_t, uint64_t>(
        name,
        help,
        value,
        {values::ReadBytes,
         [min, max](const uint64_t& read) { return read >= min && read <= max; },
         Range("a size", values::PrintBytes(min), values::PrintBytes(max)),
         value != 0 ? values::PrintBytes(value) : "1450B",
         ""},
        [&value] { return values::PrintBytes(value); });
}

void
Flags::Count(const std::string& name,
             const std::string& help,
             uint64_t& value,
             uint64_t min,
             uint64_t max)
{
    AddRead<uint64_t, uint64_t>(
        name,
        help,
        value,
        {values::ReadCount,
         [min, max](const uint64_t& read) { return read >= min && read <= max; },
         Range("a whole number", values::Print(min), max == UINT64_MAX ? "" : values::Print(max)),
         values::Print(value),
         ""},
        [&value] { return values::Print(value); });
}

void
Flags::Count(const std::string& name,
             const std::string& help,
             uint32_t& value,
             uint32_t min,
             uint32_t max)
{
    AddRead<uint32_t, uint64_t>(
        name,
        help,
        value,
        {values::ReadCount,
         [min, max](const uint64_t& read) { return read >= min && read <= max; },
         Range("a whole number", values::Print(min), values::Print(max)),
         values::Print(value),
         ""},
        [&value] { return values::Print(value); });
}

void
Flags::CountList(const std::string& name,
                 const std::string& help,
                 std::vector<uint64_t>& value,
                 uint64_t min,
                 uint64_t max)
{
    using List = std::vector<uint64_t>;
    AddRead<List, List>(
        name,
        help,
        value,
        {values::ReadCountList,
         [min, max](const List& read) {
             return std::ranges::all_of(read, [min, max](uint64_t number) {
                 return number >= min && number <= max;
             });
         },
         Range("whole numbers", values::Print(min), max == UINT64_MAX ? "" : values::Print(max)) +
             " with commas between",
         value.empty() ? "3,7,11" : values::PrintCountList(value),
         ""},
        [&value] { return values::PrintCountList(value); });
}

void
Flags::Rate(const std::string& name, const std::string& help, DataRate& value)
{
    AddRead<DataRate, DataRate>(name,
                                help,
                                value,
                                {values::ReadRate,
                                 [](const DataRate& read) { return read.GetBitRate() > 0; },
                                 "a positive rate with its unit",
                                 value.GetBitRate() != 0 ? values::PrintRate(value) : "600Mbps",
                                 "Mbps"},
                                [&value] { return values::PrintRate(value); });
}

void
Flags::Duration(const std::string& name, const std::string& help, Time& value, Time min, Time max)
{
    const std::string most = max.GetTimeStep() % Days(1).GetTimeStep() == 0
                                 ? values::Print(max.GetTimeStep() / Days(1).GetTimeStep()) + "d"
                                 : values::PrintTime(max);
    AddRead<Time, Time>(name,
                        help,
                        value,
                        {values::ReadTime,
                         [min, max](const Time& read) { return read >= min && read <= max; },
                         Range("a time", values::PrintTime(min), most) + " with its unit",
                         value.IsZero() ? "100ms" : values::PrintTime(value),
                         "ms"},
                        [&value] { return values::PrintTime(value); });
}

void
Flags::DurationList(const std::string& name, const std::string& help, std::vector<Time>& value)
{
    using List = std::vector<Time>;
    // A bare number is taken for one of the default's unit.
    const std::string usual = value.empty() ? "1s" : values::PrintTime(value.front());
    AddRead<List, List>(
        name,
        help,
        value,
        {values::ReadTimeList,
         [](const List& read) {
             return std::ranges::none_of(read, [](Time time) { return time.IsStrictlyNegative(); });
         },
         "times with commas between",
         value.empty() ? "1s,2500ms" : values::PrintTimeList(value),
         usual.substr(usual.find_first_not_of("+-.0123456789"))},
        [&value] { return values::PrintTimeList(value); });
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
Flags::Number(const std::string& name,
              const std::string& help,
              double& value,
              double min,
              double max)
{
    AddRead<double, double>(name,
                            help,
                            value,
                            {values::ReadNumber,
                             [min, max](const double& read) { return read >= min && read <= max; },
                             Range("a number", values::PrintNumber(min), values::PrintNumber(max)),
                             values::PrintNumber(value),
                             ""},
                            [&value] { return values::PrintNumber(value); });
}

void
Flags::Queue(const std::string& name, const std::string& help, QueueSize& value)
{
    AddRead<QueueSize, QueueSize>(name,
                                  help,
                                  value,
                                  {values::ReadQueueSize,
                                   [](const QueueSize& read) { return read.GetValue() > 0; },
                                   "a positive queue size in packets or bytes",
                                   value.GetValue() != 0 ? values::PrintQueueSize(value) : "10000p",
                                   "p, or with B for bytes"},
                                  [&value] { return values::PrintQueueSize(value); });
}

void
Flags::Choice(const std::string& name,
              const std::string& help,
              std::string& value,
              const std::vector<std::string>& choices)
{
    std::string list;
    for (const auto& choice : choices)
    {
        list += (list.empty() ? "" : ", ") + choice;
    }
    auto parse = [&value, choices, list](const std::string& text) -> Outcome {
        if (std::ranges::find(choices, text) == choices.end())
        {
            const auto nearest = FindNearest(text, choices);
            return {(nearest ? "did you mean " + *nearest + "? " : std::string()) + "give one of " +
                        list,
                    {}};
        }
        return {"", [&value, text] { value = text; }};
    };
    Add({name,
         help + " (" + list + ")",
         choices.empty() ? value : choices.front(),
         value,
         false,
         false,
         parse,
         [&value] { return value; }});
}

void
Flags::Text(const std::string& name,
            const std::string& help,
            std::string& value,
            std::function<std::optional<std::string>(const std::string&)> check)
{
    auto parse = [&value, check](const std::string& text) -> Outcome {
        if (text.find('\0') != std::string::npos)
        {
            return {"give a text without zero bytes", {}};
        }
        if (const auto remedy = check ? check(text) : std::nullopt)
        {
            return {*remedy, {}};
        }
        return {"", [&value, text] { value = text; }};
    };
    Add({name, help, value.empty() ? "text" : value, value, false, false, parse, [&value] {
             return value;
         }});
}

void
Flags::Switch(const std::string& name, const std::string& help, bool& value)
{
    auto parse = [&value](const std::string& text) -> Outcome {
        const auto read = values::ReadBool(text.empty() ? "true" : text);
        if (!read.value)
        {
            return {"give true or false, or leave the value away", {}};
        }
        return {"", [&value, truth = *read.value] { value = truth; }};
    };
    auto print = [&value] { return std::string(value ? "true" : "false"); };
    Add({name, help, "true", print(), true, false, parse, print});
}

} // namespace ns3::lfn
