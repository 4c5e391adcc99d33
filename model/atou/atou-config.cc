// SPDX-License-Identifier: GPL-2.0-only
#include "atou-config.h"

#include "ns3/lfn-small-file.h"
#include "ns3/lfn-wording.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

namespace ns3::lfn
{

namespace
{

constexpr std::string_view BLANKS = " \t\r"; ///< files from elsewhere end their lines with \r

/// Takes the blanks off both ends of a text.
std::string
Trim(std::string_view text)
{
    const auto first = text.find_first_not_of(BLANKS);
    if (first == std::string_view::npos)
    {
        return "";
    }
    return std::string(text.substr(first, text.find_last_not_of(BLANKS) + 1 - first));
}

/// The keywords that were given and where.
using Seen = std::map<std::string, std::size_t>;

/**
 * @brief Read a keyword and its value.
 * @param entry the text
 * @param place where it stands, from 1
 * @param seen earlier ones
 * @param options takes the value
 * @return what is wrong and the remedy
 */
std::optional<std::string>
ReadEntry(std::string_view entry, std::size_t place, Seen& seen, AtouOptions& options)
{
    const auto text = Trim(entry);
    if (text.empty())
    {
        return std::nullopt;
    }
    const auto isPrintable = [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; };
    if (!std::all_of(text.begin(), text.end(), isPrintable))
    {
        return Printable(text, 40) + ": not plain text, write a keyword and its value in ASCII";
    }
    const auto end = text.find_first_of(" \t=:");
    const auto keyword = text.substr(0, end);
    const auto value = end == std::string::npos ? "" : Trim(text.substr(end));
    if (!value.empty() && (value[0] == '=' || value[0] == ':'))
    {
        return Printable(keyword, 40) + ": a sign before the value, write '" +
               Printable(keyword, 40) + " " + Printable(Trim(value.substr(1)), 40) + "'";
    }
    if (auto wrong = options.SetByKeyword(keyword, value))
    {
        return wrong;
    }
    if (const auto [at, isFirst] = seen.emplace(keyword, place); !isFirst)
    {
        return keyword + ": given twice (first at " + std::to_string(at->second) +
               "), give it once";
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string>
AtouConfig::ReadFile(const std::string& path, AtouOptions& options)
{
    const auto shown = Printable(path);
    std::string text;
    switch (ReadSmallFile(path, MAX_SIZE, text))
    {
    case FileProblem::ABSENT:
        return shown + ": there is no such file, give a file of lines 'keyword value'";
    case FileProblem::NO_FILE:
        return shown + ": no ordinary file, give a file of lines 'keyword value'";
    case FileProblem::TOO_LARGE:
        return shown + ": larger than " + std::to_string(MAX_SIZE) +
               " bytes, give a file of lines 'keyword value'";
    case FileProblem::UNREADABLE:
        return shown + ": it cannot be read, make it readable";
    case FileProblem::NONE:
        break;
    }
    std::istringstream file(text);
    Seen seen;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number)
    {
        const auto entry = std::string_view(line).substr(0, line.find('#'));
        if (const auto wrong = ReadEntry(entry, number, seen, options))
        {
            return shown + ":" + std::to_string(number) + ": " + *wrong;
        }
    }
    return std::nullopt;
}

std::optional<std::string>
AtouConfig::ReadText(const std::string& text, AtouOptions& options)
{
    Seen seen;
    std::size_t number = 1;
    for (std::size_t begin = 0; begin <= text.size(); ++number)
    {
        const auto end = std::min(text.find(';', begin), text.size());
        const auto entry = std::string_view(text).substr(begin, end - begin);
        if (auto wrong = ReadEntry(entry, number, seen, options))
        {
            return wrong;
        }
        begin = end + 1;
    }
    return std::nullopt;
}

} // namespace ns3::lfn
