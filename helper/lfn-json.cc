// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-json.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace ns3::lfn
{

namespace
{

/**
 * @brief Get the length of the UTF-8 sequence at the beginning of a text.
 * @param text The text, not empty.
 * @return The number of bytes, 0 if they are no valid sequence.
 */
std::size_t
Utf8Length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || length > text.size())
    {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i)
    {
        if ((byte(i) & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    // Overlong forms, surrogates and what is beyond Unicode.
    const bool bad = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
                     (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f);
    return bad ? 0 : length;
}

/** @brief Walks over a JSON document; every step tells whether it succeeded. */
class Scanner
{
  public:
    /**
     * @brief Constructor.
     * @param text The document.
     */
    explicit Scanner(std::string_view text)
        : m_rest(text)
    {
    }

    /**
     * @brief Take a character, with white space before it.
     * @param c The character.
     * @return True if it was there.
     */
    bool Take(char c)
    {
        SkipSpace();
        if (m_rest.empty() || m_rest.front() != c)
        {
            return false;
        }
        m_rest.remove_prefix(1);
        return true;
    }

    /**
     * @brief Take a string, with white space before it.
     * @param text Gets its content; escapes other than \\uXXXX are resolved, those become '?'.
     * @return True if it was there.
     */
    bool TakeString(std::string& text)
    {
        text.clear();
        if (!Take('"'))
        {
            return false;
        }
        while (!m_rest.empty())
        {
            const char c = m_rest.front();
            m_rest.remove_prefix(1);
            if (c == '"')
            {
                return true;
            }
            if (c != '\\')
            {
                text += c;
                continue;
            }
            if (m_rest.empty())
            {
                return false;
            }
            const char escaped = m_rest.front();
            m_rest.remove_prefix(1);
            switch (escaped)
            {
            case 'n':
                text += '\n';
                break;
            case 't':
                text += '\t';
                break;
            case 'r':
                text += '\r';
                break;
            case 'u':
                if (m_rest.size() < 4)
                {
                    return false;
                }
                m_rest.remove_prefix(4);
                text += '?';
                break;
            default:
                text += escaped;
            }
        }
        return false;
    }

    /**
     * @brief Skip a value of any kind, without recursion.
     * @return True if there was one.
     */
    bool SkipValue()
    {
        std::size_t depth = 0;
        std::string ignored;
        do
        {
            SkipSpace();
            if (m_rest.empty())
            {
                return false;
            }
            const char c = m_rest.front();
            if (c == '"')
            {
                if (!TakeString(ignored))
                {
                    return false;
                }
                continue;
            }
            if (c == '{' || c == '[')
            {
                ++depth;
            }
            else if (c == '}' || c == ']')
            {
                if (depth == 0)
                {
                    return false;
                }
                --depth;
            }
            else if (depth == 0)
            {
                // A number or a word ends where the next member begins or the object ends.
                const std::size_t end = m_rest.find_first_of(",}] \t\r\n");
                m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end);
                return end != 0;
            }
            m_rest.remove_prefix(1);
        } while (depth > 0);
        return true;
    }

    /**
     * @brief Tell whether a string comes next.
     * @return True if so.
     */
    bool IsString()
    {
        SkipSpace();
        return !m_rest.empty() && m_rest.front() == '"';
    }

  private:
    /** @brief Skip white space. */
    void SkipSpace()
    {
        const std::size_t begin = m_rest.find_first_not_of(" \t\r\n");
        m_rest.remove_prefix(begin == std::string_view::npos ? m_rest.size() : begin);
    }

    std::string_view m_rest; //!< What is still to be walked over.
};

} // namespace

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

std::optional<std::string>
FindJsonText(std::string_view json, std::string_view name)
{
    Scanner scanner(json);
    if (!scanner.Take('{'))
    {
        return std::nullopt;
    }
    std::string key;
    std::string text;
    do
    {
        if (!scanner.TakeString(key) || !scanner.Take(':'))
        {
            return std::nullopt;
        }
        if (key == name && scanner.IsString())
        {
            return scanner.TakeString(text) ? std::optional(text) : std::nullopt;
        }
        if (!scanner.SkipValue())
        {
            return std::nullopt;
        }
    } while (scanner.Take(','));
    return std::nullopt;
}

} // namespace ns3::lfn
