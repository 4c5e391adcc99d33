// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-log-names.h"

#include "ns3/lfn-wording.h"
#include "ns3/log.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <vector>

namespace ns3::lfn
{

namespace
{

/// The levels that ns-3 has (the table in its log.cc is private).
const std::vector<std::string> LEVELS{
    "none",        "error", "level_error", "warn",     "level_warn",     "debug",
    "level_debug", "info",  "level_info",  "function", "level_function", "logic",
    "level_logic", "all",   "level_all",   "func",     "prefix_func",    "time",
    "prefix_time", "node",  "prefix_node", "level",    "prefix_level",   "prefix_all"};

/// Write what is wrong with a name, and what to write instead.
std::string
Complain(const std::string& name,
         const std::string& what,
         const std::vector<std::string>& known,
         const std::string& list)
{
    const auto nearest = FindNearest(name, known);
    return "NS_LOG=" + Printable(name) + ": there is no such log " + what +
           (nearest ? ", did you mean " + *nearest + "?" : ", give one of " + list);
}

} // namespace

std::optional<std::string>
CheckLogNames(const std::string& text)
{
    std::vector<std::string> known;
    for (const auto& [name, component] : *LogComponent::GetComponentList())
    {
        known.push_back(name);
    }
    std::ranges::sort(known);
    std::istringstream components(text.empty() ? "" : text + ":");
    for (std::string item; std::getline(components, item, ':');)
    {
        const auto name = item.substr(0, item.find('='));
        if (name != "*" && name != "***" && !std::ranges::binary_search(known, name))
        {
            return Complain(name, "component", known, "those on stdout");
        }
        const auto given = item.size() > name.size() ? item.substr(name.size() + 1) : "";
        std::istringstream levels(given.empty() ? "" : given + "|");
        for (std::string level; std::getline(levels, level, '|');)
        {
            const bool isAny = level == "*" || level == "**";
            if (!isAny && std::ranges::find(LEVELS, level) == LEVELS.end())
            {
                return Complain(level, "level", LEVELS, Join(LEVELS));
            }
        }
    }
    return std::nullopt;
}

void
CheckLogEnvironment(const std::string& program)
{
    const char* const text = std::getenv("NS_LOG");
    if (!text)
    {
        return;
    }
#ifndef NS3_LOG_ENABLE
    std::cerr << program
              << ": warning: NS_LOG prints nothing, ns-3 was built without logs: build it with "
                 "--enable-logs"
              << std::endl;
#endif
    if (const auto wrong = CheckLogNames(text))
    {
        LogComponentPrintList();
        std::cout.flush();
        std::cerr << program << ": " << *wrong << std::endl;
        std::exit(1);
    }
}

} // namespace ns3::lfn
