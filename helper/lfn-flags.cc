// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-flags.h"

#include "lfn-attribute-check.h"
#include "lfn-values.h"

#include "ns3/callback.h"
#include "ns3/command-line.h"
#include "ns3/global-value.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <set>
#include <stdexcept>

namespace ns3::lfn
{

namespace
{

/** @brief Arguments of ns-3 that print something and end the program; they take no value. */
constexpr std::array<std::string_view, 7> PRINTERS = {
    "PrintHelp",
    "help",
    "PrintVersion",
    "version",
    "PrintGlobals",
    "PrintGroups",
    "PrintTypeIds",
};

/** @brief Arguments of ns-3 that print something about a name and end the program. */
constexpr std::array<std::string_view, 2> NAMED_PRINTERS = {"PrintGroup", "PrintAttributes"};

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
               (unit == std::string::npos ? text : values::Printable(text.substr(unit), 40)) +
               ", give " + form + ", such as " + example;
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

Flags::Flags(std::string program, std::string description)
    : m_program(std::move(program)),
      m_description(std::move(description))
{
}

void
Flags::Add(Flag flag)
{
    const auto isPrinter = [&](std::string_view name) { return flag.name == name; };
    if (flag.name.empty() || flag.name.find_first_of("= ") != std::string::npos ||
        Find(flag.name) || IsGlobal(flag.name) || std::ranges::any_of(PRINTERS, isPrinter) ||
        std::ranges::any_of(NAMED_PRINTERS, isPrinter))
    {
        throw std::logic_error("flag --" + flag.name + " is declared twice or has a bad name");
    }
    m_flags.push_back(std::move(flag));
}

const Flags::Flag*
Flags::Find(std::string_view name) const
{
    const auto found = std::ranges::find(m_flags, name, &Flag::name);
    return found == m_flags.end() ? nullptr : &*found;
}

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
            return {"the unit is missing, write --" + name + "=" + values::Printable(text) +
                        form.unit,
                    {}};
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
    AddRead<Time, Time>(name,
                        help,
                        value,
                        {values::ReadTime,
                         [min, max](const Time& read) { return read >= min && read <= max; },
                         "a time from " + values::PrintTime(min) + " to " + values::PrintTime(max) +
                             " with its unit",
                         value.IsZero() ? "100ms" : values::PrintTime(value),
                         "ms"},
                        [&value] { return values::PrintTime(value); });
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
                                   "p (packets) or B (bytes)"},
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
            const auto nearest = values::FindNearest(text, choices);
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

void
Flags::Columns(const std::string& text)
{
    m_columns.push_back(text);
}

std::string
Flags::ExplainUnknown(const std::string& name) const
{
    std::vector<std::string> known(PRINTERS.begin(), PRINTERS.end());
    known.insert(known.end(), NAMED_PRINTERS.begin(), NAMED_PRINTERS.end());
    for (const auto& flag : m_flags)
    {
        known.push_back(flag.name);
    }
    for (auto i = GlobalValue::Begin(); i != GlobalValue::End(); ++i)
    {
        known.push_back((*i)->GetName());
    }
    const auto nearest = values::FindNearest(name, known);
    return (nearest ? "unknown flag, did you mean --" + *nearest + "?"
                    : std::string("unknown flag")) +
           " --PrintHelp lists all";
}

std::optional<std::string>
Flags::Check(int argc, const char* const* argv)
{
    return Check(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
}

std::optional<std::string>
Flags::Check(const std::vector<std::string>& arguments)
{
    // Whoever asks for help gets it, whatever else is wrong.
    for (const auto& argument : arguments)
    {
        if (argument == "--PrintHelp" || argument == "--help")
        {
            return std::nullopt;
        }
    }

    std::set<std::string> seen;
    std::vector<std::function<void()>> assignments;
    std::vector<std::string> set;
    std::vector<std::pair<std::string, std::string>> foreign;
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        const std::string& argument = arguments[i];
        const std::string shown = values::Printable(argument);
        if (!argument.starts_with("--") || argument.size() == 2)
        {
            const bool dashed = argument.starts_with("-") && argument.size() > 1 &&
                                argument[1] != '-' && argument.find_first_of("0123456789.", 1) != 1;
            return shown + (dashed ? ": write -" + shown + ", with two dashes"
                                   : ": arguments without a flag are not taken, write "
                                     "--flag=value (--PrintHelp lists all flags)");
        }
        const std::size_t equals = argument.find('=');
        const bool hasValue = equals != std::string::npos;
        const std::string name = argument.substr(2, hasValue ? equals - 2 : equals);
        const std::string value = hasValue ? argument.substr(equals + 1) : "";
        if (!seen.insert(name).second)
        {
            return shown + ": --" + values::Printable(name) + " is given twice, give it once";
        }
        const Flag* flag = Find(name);
        const bool isPrinter = std::ranges::find(PRINTERS, name) != PRINTERS.end();
        const bool isNamedPrinter = std::ranges::find(NAMED_PRINTERS, name) != NAMED_PRINTERS.end();
        const bool isDefault = name.find("::") != std::string::npos;
        if (isPrinter)
        {
            if (hasValue)
            {
                return shown + ": write --" + name + " without a value";
            }
            continue;
        }
        if (!flag && !isNamedPrinter && !isDefault && !IsGlobal(name))
        {
            return shown + ": " + ExplainUnknown(name);
        }
        if (value.empty() && !(flag && flag->isSwitch && !hasValue))
        {
            const bool next = !hasValue && i + 1 < arguments.size() &&
                              !arguments[i + 1].starts_with("--") && !arguments[i + 1].empty();
            return shown + ": the value is missing, write --" + values::Printable(name) + "=" +
                   (next   ? values::Printable(arguments[i + 1])
                    : flag ? flag->example
                           : "value");
        }
        if (flag)
        {
            auto outcome = flag->parse(value);
            if (!outcome.remedy.empty())
            {
                return shown + ": " + outcome.remedy;
            }
            assignments.push_back(std::move(outcome.assign));
            set.push_back(name);
            continue;
        }
        std::optional<std::string> remedy;
        if (isNamedPrinter)
        {
            remedy = CheckPrinter(name, value);
        }
        else
        {
            remedy = isDefault ? CheckDefault(name, value) : CheckGlobal(name, value);
            foreign.emplace_back(name, value);
        }
        if (remedy)
        {
            return shown + ": " + *remedy;
        }
    }

    // All is in order: only now does anything change.
    for (const auto& assign : assignments)
    {
        assign();
    }
    for (auto& flag : m_flags)
    {
        flag.isSet = std::ranges::find(set, flag.name) != set.end();
    }
    m_foreign = std::move(foreign);
    return std::nullopt;
}

void
Flags::Parse(int argc, char* argv[])
{
    if (const auto error = Check(argc, argv))
    {
        Exit(*error);
    }
    CommandLine command(m_program + ".cc");
    std::string usage = m_description;
    for (const auto& text : m_columns)
    {
        usage += "\n\n" + text;
    }
    command.Usage(usage);
    for (const auto& flag : m_flags)
    {
        // The values are set already; CommandLine only has to know the names, helps and defaults.
        command.AddValue(flag.name,
                         flag.help,
                         Callback<bool, const std::string&>([&flag](const std::string& text) {
                             return flag.parse(text).remedy.empty();
                         }),
                         flag.initial);
    }
    command.Parse(argc, argv);
}

void
Flags::Refuse(const std::string& name, const std::string& remedy) const
{
    Exit(Complaint(name, remedy));
}

void
Flags::Exit(const std::string& message) const
{
    std::cout.flush();
    std::cerr << m_program << ": " << message << std::endl;
    std::exit(1);
}

std::string
Flags::Complaint(const std::string& name, const std::string& remedy) const
{
    const Flag* flag = Find(name);
    return "--" + name + (flag ? "=" + values::Printable(flag->print()) : "") + ": " +
           values::Printable(remedy, 400);
}

bool
Flags::IsSet(std::string_view name) const
{
    const Flag* flag = Find(name);
    return flag && flag->isSet;
}

std::vector<std::pair<std::string, std::string>>
Flags::Values() const
{
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& flag : m_flags)
    {
        all.emplace_back(flag.name, flag.print());
    }
    all.insert(all.end(), m_foreign.begin(), m_foreign.end());
    return all;
}

const std::string&
Flags::GetProgram() const
{
    return m_program;
}

} // namespace ns3::lfn
