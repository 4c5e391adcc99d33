// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-json.h"

#include "ns3/lfn-wording.h"

#include <array>
#include <cstdio>

namespace ns3::lfn
{

std::string
JsonObject::Quote(std::string_view text)
{
    std::string quoted = "\"";
    while (!text.empty())
    {
        const char c = text.front();
        const std::size_t length = Utf8Length(text);
        if (length != 1)
        {
            // The replacement character stands for a byte that belongs to no character.
            quoted += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
            text.remove_prefix(length == 0 ? 1 : length);
            continue;
        }
        text.remove_prefix(1);
        if (c == '"' || c == '\\')
        {
            quoted += '\\';
            quoted += c;
        }
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
        {
            std::array<char, 7> escape;
            std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
            quoted += escape.data();
        }
        else
        {
            quoted += c;
        }
    }
    return quoted + '"';
}

void
JsonObject::AddText(std::string_view name, std::string_view text)
{
    m_members.emplace_back(name, Quote(text));
}

void
JsonObject::AddRaw(std::string_view name, std::string_view json)
{
    m_members.emplace_back(name, json);
}

void
JsonObject::AddObject(std::string_view name, const JsonObject& object)
{
    m_members.emplace_back(name, object.Print());
}

std::string
JsonObject::Print() const
{
    if (m_members.empty())
    {
        return "{}";
    }
    std::string text = "{";
    for (const auto& [name, json] : m_members)
    {
        text += (text.size() > 1 ? ",\n  " : "\n  ") + Quote(name) + ": ";
        // Line breaks are only between members: inside of strings they are escaped.
        for (const char c : json)
        {
            text += c;
            text += c == '\n' ? "  " : "";
        }
    }
    return text + "\n}";
}

bool
JsonObject::HasText(std::string_view printed, std::string_view name, std::string_view text)
{
    // A member of the outermost object is a line of its own, two blanks deep.
    const std::string member = "\n  " + Quote(name) + ": " + Quote(text);
    const auto found = printed.find(member);
    return printed.starts_with("{\n") && printed.find("\n}", found) != std::string_view::npos &&
           (printed[found + member.size()] == ',' || printed[found + member.size()] == '\n');
}

} // namespace ns3::lfn
