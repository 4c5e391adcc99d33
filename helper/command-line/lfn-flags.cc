// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-flags.h"

#include "lfn-attribute-check.h"
#include "lfn-last-words.h"
#include "lfn-version.h"

#include "ns3/callback.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/lfn-wording.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
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

/** @brief Check whether an argument asks for the help text. */
bool
AsksForHelp(std::string_view argument)
{
    return argument == "--PrintHelp" || argument == "--help";
}

/** @brief Say what to do about an argument that does not begin with two dashes. */
std::string
ExplainStray(const std::string& argument)
{
    const bool dashed = argument.starts_with('-') && argument.size() > 1 && argument[1] != '-' &&
                        argument.find_first_of("0123456789.", 1) != 1;
    return dashed ? "write -" + Printable(argument) + ", with two dashes"
                  : "arguments without a flag are not taken, write --flag=value (--PrintHelp lists "
                    "all flags)";
}

} // namespace

/** @brief What is read of a command line. */
struct Flags::Line
{
    std::set<std::string> seen;                               ///< Names, to have each once.
    std::map<const Flag*, Ptr<const AttributeValue>> values;  ///< Of the flags that are given.
    std::vector<std::pair<std::string, std::string>> foreign; ///< As Flags::m_foreign.
};

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
    flag.initial = flag.kind.print(*flag.value);
    if (!flag.kind.words.empty())
    {
        flag.help += " (" + Join(flag.kind.words) + ")";
    }
    m_flags.push_back(std::move(flag));
}

const Flags::Flag*
Flags::Find(std::string_view name) const
{
    const auto found = std::ranges::find(m_flags, name, &Flag::name);
    return found == m_flags.end() ? nullptr : &*found;
}

void
Flags::Columns(const std::string& text)
{
    Columns([text] { return text; });
}

void
Flags::Columns(std::function<std::string()> make)
{
    m_columns.push_back(std::move(make));
}

void
Flags::Explain(const std::string& name, std::function<std::string()> make)
{
    const auto found = std::ranges::find(m_flags, name, &Flag::name);
    if (found == m_flags.end())
    {
        throw std::logic_error("no flag --" + name + " is declared");
    }
    found->explain = std::move(make);
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
    const auto nearest = FindNearest(name, known);
    return (nearest ? "unknown flag, did you mean --" + *nearest + "?"
                    : std::string("unknown flag;")) +
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
    // --help prints the help even when other flags are wrong.
    if (std::ranges::any_of(arguments, AsksForHelp))
    {
        return std::nullopt;
    }

    std::vector<std::string> suspects;
    std::ranges::copy_if(arguments, std::back_inserter(suspects), [](const auto& argument) {
        return argument.find("ns3::") != std::string::npos;
    });
    LastWords::Suspect(std::move(suspects));
    Line line;
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        if (auto error = ReadArgument(arguments, i, line))
        {
            return error;
        }
    }
    if (auto error = FindContradiction(line))
    {
        return error;
    }
    // All is in order: only now does anything change.
    for (auto& flag : m_flags)
    {
        const auto given = line.values.find(&flag);
        flag.isSet = given != line.values.end();
        if (flag.isSet)
        {
            flag.value = given->second;
            flag.assign();
        }
        else
        {
            FindOwn(flag, line.foreign, flag.value);
        }
    }
    m_foreign = std::move(line.foreign);
    return std::nullopt;
}

std::optional<std::string>
Flags::ReadArgument(const std::vector<std::string>& arguments, std::size_t i, Line& line) const
{
    const std::string& argument = arguments[i];
    const std::string shown = Printable(argument);
    if (!argument.starts_with("--") || argument.size() == 2)
    {
        return shown + ": " + ExplainStray(argument);
    }
    const std::size_t equals = argument.find('=');
    const bool hasValue = equals != std::string::npos;
    const std::string name = argument.substr(2, hasValue ? equals - 2 : equals);
    const std::string value = hasValue ? argument.substr(equals + 1) : "";
    if (!line.seen.insert(name).second)
    {
        return shown + ": --" + Printable(name) + " is given twice, give it once";
    }
    if (std::ranges::find(PRINTERS, name) != PRINTERS.end())
    {
        return hasValue ? std::optional(shown + ": write --" + name + " without a value")
                        : std::nullopt;
    }
    const Flag* flag = Find(name);
    const bool isPrinter = std::ranges::find(NAMED_PRINTERS, name) != NAMED_PRINTERS.end();
    const bool isDefault = name.find("::") != std::string::npos;
    if (!flag && !isPrinter && !isDefault && !IsGlobal(name))
    {
        return shown + ": " + ExplainUnknown(name);
    }
    if (value.empty() && !(flag && flag->kind.isSwitch && !hasValue))
    {
        const bool next = !hasValue && i + 1 < arguments.size() &&
                          !arguments[i + 1].starts_with("--") && !arguments[i + 1].empty();
        return shown + ": the value is missing, write --" + Printable(name) + "=" +
               (next   ? Printable(arguments[i + 1])
                : flag ? GetExample(*flag)
                       : "value");
    }
    if (!flag && !isPrinter)
    {
        line.foreign.emplace_back(name, value);
    }
    const auto remedy = flag        ? Read(*flag, value, line.values[flag])
                        : isPrinter ? CheckPrinter(name, value)
                        : isDefault ? CheckDefault(name, value)
                                    : CheckGlobal(name, value);
    return remedy ? std::optional(shown + ": " + *remedy) : std::nullopt;
}

std::optional<std::string>
Flags::FindContradiction(const Line& line) const
{
    for (const auto& [flag, value] : line.values)
    {
        Ptr<const AttributeValue> said;
        const auto own = FindOwn(*flag, line.foreign, said);
        if (own && flag->kind.print(*said) != flag->kind.print(*value))
        {
            return "--" + flag->name + "=" + Printable(flag->kind.print(*value)) + ": --" + *own +
                   "=" + Printable(flag->kind.print(*said)) + " says otherwise, give one of them";
        }
    }
    return std::nullopt;
}

std::optional<std::string>
Flags::FindOwn(const Flag& flag,
               const std::vector<std::pair<std::string, std::string>>& given,
               Ptr<const AttributeValue>& value)
{
    for (const auto& [name, text] : given)
    {
        if (std::ranges::find(flag.attributes, name) != flag.attributes.end())
        {
            value = GetAttribute(name).checker->CreateValidValue(StringValue(text));
            return name;
        }
    }
    return std::nullopt;
}

Ptr<const AttributeValue>
Flags::GetValue(const std::string& name) const
{
    const auto* flag = Find(name);
    if (!flag || flag->attributes.empty())
    {
        throw std::logic_error("--" + name + " is no attribute");
    }
    return flag->value;
}

std::string
Flags::GetText(const std::string& name) const
{
    const auto* flag = Find(name);
    if (!flag)
    {
        throw std::logic_error("--" + name + " is not declared");
    }
    return flag->kind.print(*flag->value);
}

std::vector<Flags::Given>
Flags::GetGiven() const
{
    std::vector<Given> all;
    for (const auto& flag : m_flags)
    {
        for (const auto& attribute : flag.attributes)
        {
            const auto isOwn = [&](const auto& own) { return own.first == attribute; };
            if (flag.isSet && std::ranges::none_of(m_foreign, isOwn))
            {
                all.push_back({attribute, flag.value, flag.name});
            }
        }
    }
    for (const auto& [name, text] : m_foreign)
    {
        if (name.find("::") != std::string::npos)
        {
            const auto checker = GetAttribute(name).checker;
            all.push_back({name, checker->CreateValidValue(StringValue(text)), name});
        }
    }
    return all;
}

bool
Flags::IsGiven(const std::string& attribute) const
{
    return std::ranges::any_of(GetGiven(),
                               [&](const Given& given) { return given.name == attribute; });
}

void
Flags::Imply(const std::string& attribute, const AttributeValue& value) const
{
    if (!IsGiven(attribute))
    {
        Config::SetDefault(attribute, value);
    }
}

void
Flags::Imply(TypeId tid, const std::string& name, const AttributeValue& value) const
{
    for (; true; tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            if (tid.GetAttribute(i).name == name)
            {
                Imply(tid.GetName() + "::" + name, value);
                return;
            }
        }
        if (!tid.HasParent() || tid.GetParent() == tid)
        {
            return;
        }
    }
}

void
Flags::Parse(int argc, char* argv[])
{
    if (const auto error = Check(argc, argv))
    {
        Exit(*error);
    }
    for (int i = 1; i < argc; ++i)
    {
        const std::string_view argument(argv[i]);
        if (argument == "--PrintVersion" || argument == "--version")
        {
            // ns-3's own answer depends on an option of its build.
            std::cout << m_program << " of lfn " << GetVersion() << ", ns-3 " << GetNs3Version()
                      << std::endl;
            std::exit(0);
        }
    }
    CommandLine command(m_program + ".cc");
    const bool needsHelp = std::any_of(argv + std::min(argc, 1), argv + argc, AsksForHelp) ||
                           std::getenv("NS_COMMANDLINE_INTROSPECTION") != nullptr; // ns-3's own
    std::string usage = m_description;
    if (needsHelp)
    {
        for (const auto& make : m_columns)
        {
            usage += "\n\n" + make();
        }
    }
    command.Usage(usage);
    for (const auto& flag : m_flags)
    {
        // The values are set already; CommandLine only needs the names, helps and defaults.
        const auto names = flag.attributes.empty() ? "" : " [" + Join(flag.attributes) + "]";
        command.AddValue(flag.name,
                         (needsHelp && flag.explain ? flag.explain() : flag.help) + names,
                         Callback<bool, const std::string&>([&flag](const std::string& text) {
                             Ptr<const AttributeValue> value;
                             return !Read(flag, text, value);
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
Flags::RefuseIf(bool isWrong, const std::string& name, const std::string& remedy) const
{
    if (isWrong)
    {
        Refuse(name, remedy);
    }
}

void
Flags::RefuseIf(const std::string& name, const std::optional<std::string>& remedy) const
{
    if (remedy)
    {
        Refuse(name, *remedy);
    }
}

void
Flags::RefuseUnless(bool hasEffect,
                    const std::vector<std::string>& names,
                    const std::string& remedy) const
{
    for (const auto& name : names)
    {
        if (!hasEffect && IsSet(name))
        {
            Refuse(name, remedy);
        }
    }
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
    std::string shown = "--" + name;
    for (const auto& [flag, value] : Values())
    {
        shown += flag == name ? "=" + Printable(value) : "";
    }
    return shown + ": " + Printable(remedy, 400);
}

bool
Flags::IsSet(std::string_view name) const
{
    const Flag* flag = Find(name);
    Ptr<const AttributeValue> value;
    return flag && (flag->isSet || FindOwn(*flag, m_foreign, value));
}

Ptr<const AttributeValue>
Flags::GetNow(const Flag& flag) const
{
    return flag.attributes.empty() || IsSet(flag.name)
               ? flag.value
               : GetAttribute(flag.attributes.front()).initialValue;
}

std::vector<std::pair<std::string, std::string>>
Flags::Values() const
{
    std::vector<std::pair<std::string, std::string>> all;
    all.reserve(m_flags.size() + m_foreign.size());
    for (const auto& flag : m_flags)
    {
        all.emplace_back(flag.name, flag.kind.print(*GetNow(flag)));
    }
    all.insert(all.end(), m_foreign.begin(), m_foreign.end());
    return all;
}

bool
Flags::Has(std::string_view name) const
{
    return Find(name) != nullptr;
}

std::string
Flags::FindArgument(const std::string& attribute) const
{
    const auto flag = std::ranges::find_if(m_flags, [&](const Flag& one) {
        return std::ranges::find(one.attributes, attribute) != one.attributes.end();
    });
    return flag == m_flags.end() ? attribute : flag->name;
}

std::vector<std::string>
Flags::FindFlagsOf(TypeId parent) const
{
    std::vector<std::string> names;
    for (const auto& flag : m_flags)
    {
        const auto isOf = [parent](const std::string& attribute) {
            const auto owner = TypeId::LookupByName(attribute.substr(0, attribute.rfind("::")));
            return owner == parent || owner.IsChildOf(parent);
        };
        if (std::ranges::any_of(flag.attributes, isOf))
        {
            names.push_back(flag.name);
        }
    }
    return names;
}

std::vector<std::pair<std::string, std::string>>
Flags::BaseValues() const
{
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& flag : m_flags)
    {
        const auto number = flag.kind.base ? flag.kind.base(*GetNow(flag)) : "";
        if (!number.empty())
        {
            all.emplace_back(flag.name, number);
        }
    }
    return all;
}

const std::string&
Flags::GetProgram() const
{
    return m_program;
}

} // namespace ns3::lfn
