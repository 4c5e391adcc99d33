// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-class-family.h"

#include "lfn-attribute-check.h"

#include <algorithm>
#include <cctype>

namespace ns3::lfn
{

namespace
{

const std::string PREFIX = "ns3::lfn::"; //!< of this module's TypeIds

/** @brief Get the name of a TypeId without this module's namespace. */
std::string
WithoutPrefix(const std::string& name)
{
    return name.starts_with(PREFIX) ? name.substr(PREFIX.size()) : name;
}

/**
 * @brief Write a class name in lower case, with hyphens between its words.
 * @param name such as "ParallelTcp"
 * @return such as "parallel-tcp"
 */
std::string
Hyphenate(const std::string& name)
{
    std::string text;
    for (const char c : name)
    {
        if (std::isupper(static_cast<unsigned char>(c)) && !text.empty())
        {
            text += '-';
        }
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

} // namespace

ClassFamily::ClassFamily(TypeId parent)
    : m_parent(parent),
      m_suffix(WithoutPrefix(parent.GetName())),
      m_word(Hyphenate(m_suffix))
{
}

std::string
ClassFamily::Lengthen(const std::string& name) const
{
    std::string text = PREFIX;
    bool isFirst = true;
    for (const char c : name)
    {
        if (c != '-')
        {
            text += isFirst ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        }
        isFirst = c == '-';
    }
    return text + m_suffix;
}

std::string
ClassFamily::GetName(TypeId type) const
{
    const std::string name = type.GetName();
    if (!name.starts_with(PREFIX) || !name.ends_with(m_suffix) ||
        name.size() <= PREFIX.size() + m_suffix.size())
    {
        return name;
    }
    const auto text =
        Hyphenate(name.substr(PREFIX.size(), name.size() - PREFIX.size() - m_suffix.size()));
    return Lengthen(text) == name ? text : name;
}

bool
ClassFamily::IsMember(TypeId type) const
{
    return type.HasConstructor() && type.IsChildOf(m_parent);
}

std::vector<TypeId>
ClassFamily::List() const
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (IsMember(type))
        {
            types.push_back(type);
        }
    }
    std::ranges::sort(types, {}, [this](const auto& type) { return GetName(type); });
    return types;
}

std::vector<std::string>
ClassFamily::GetNames() const
{
    std::vector<std::string> names;
    for (const auto& type : List())
    {
        names.push_back(GetName(type));
    }
    return names;
}

std::vector<std::string>
ClassFamily::Split(const std::string& text)
{
    std::vector<std::string> items(1);
    int depth = 0;
    for (const char c : text)
    {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ',' && depth <= 0)
        {
            items.emplace_back();
        }
        else
        {
            items.back() += c;
        }
    }
    return items;
}

std::string
ClassFamily::PrintName(const std::string& item)
{
    return Printable(item.substr(0, item.find('[')));
}

std::optional<std::string>
ClassFamily::ReadItem(const std::string& item, ObjectFactory& factory) const
{
    const std::string name = item.substr(0, item.find('['));
    // A look at all classes takes a million instructions: only for a name that none of them has.
    const auto isNameOf = [&](const std::string& full) {
        TypeId type;
        return TypeId::LookupByNameFailSafe(full, &type) && IsMember(type) && GetName(type) == name;
    };
    const auto longName = Lengthen(name);
    const bool isShort = isNameOf(longName);
    if (!isShort && name.find(':') == std::string::npos && !isNameOf(name))
    {
        const auto known = GetNames();
        const auto nearest = FindNearest(name, known);
        return "there is no " + m_word + " " + Printable(name) +
               (nearest ? ", did you mean " + *nearest + "? There are " : ", give ") + Join(known) +
               " or the TypeId of another class derived from " + m_parent.GetName();
    }
    const std::string full = (isShort ? longName : name) + item.substr(name.size());
    const auto remedy = MakeFactory(full, m_parent, factory);
    return remedy ? std::optional(PrintName(item) + ": " + *remedy) : std::nullopt;
}

} // namespace ns3::lfn
