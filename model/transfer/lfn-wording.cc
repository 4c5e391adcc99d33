// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-wording.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace ns3::lfn
{

namespace
{

/**
 * @brief Check whether a character would break a line, or change how the text around it is shown.
 * @param text a valid sequence of UTF-8
 * @return true for control characters (C0, DEL, C1), separators of lines, marks of direction and of
 * the order of bytes
 */
bool
IsControl(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    switch (text.size())
    {
    case 1:
        return byte(0) < ' ' || byte(0) == 0x7f;
    case 2: // U+0080 to U+009F, U+061C
        return (byte(0) == 0xc2 && byte(1) < 0xa0) || text == "\xd8\x9c";
    case 3: // U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069, U+FEFF
        return (text.starts_with("\xe2\x80") &&
                (byte(2) == 0x8e || byte(2) == 0x8f || (byte(2) >= 0xa8 && byte(2) <= 0xae))) ||
               (text.starts_with("\xe2\x81") && byte(2) >= 0xa6 && byte(2) <= 0xa9) ||
               text == "\xef\xbb\xbf";
    default:
        return false;
    }
}

} // namespace

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

std::string
Printable(std::string_view text, std::size_t most)
{
    std::string result;
    while (!text.empty())
    {
        if (result.size() >= most)
        {
            return result + "...";
        }
        const std::size_t length = Utf8Length(text);
        const auto character = text.substr(0, std::max<std::size_t>(1, length));
        text.remove_prefix(character.size());
        if (length > 0 && !IsControl(character))
        {
            result += character;
            continue;
        }
        for (const char c : character)
        {
            std::array<char, 5> escape;
            std::snprintf(escape.data(),
                          escape.size(),
                          "\\x%02x",
                          static_cast<unsigned>(static_cast<unsigned char>(c)));
            result += escape.data();
        }
    }
    return result;
}

std::optional<std::string>
FindNearest(std::string_view name, const std::vector<std::string>& known)
{
    // A name of malformed length must not cost its square.
    if (name.size() > 100)
    {
        return std::nullopt;
    }
    // What all of ns-3's names begin with says nothing about nearness.
    constexpr std::string_view common = "ns3::";
    const auto strip = [common](std::string_view text) {
        return text.starts_with(common) ? text.substr(common.size()) : text;
    };
    name = strip(name);
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    std::optional<std::string> nearest;
    std::size_t least = 0;
    for (const auto& full : known)
    {
        const std::string_view candidate = strip(full);
        // Edit distance with one row; case does not count.
        std::vector<std::size_t> row(candidate.size() + 1);
        for (std::size_t j = 0; j < row.size(); ++j)
        {
            row[j] = j;
        }
        for (std::size_t i = 0; i < name.size(); ++i)
        {
            std::size_t diagonal = row[0];
            row[0] = i + 1;
            for (std::size_t j = 0; j < candidate.size(); ++j)
            {
                const std::size_t cost = lower(name[i]) == lower(candidate[j]) ? 0 : 1;
                const std::size_t best = std::min({row[j] + 1, row[j + 1] + 1, diagonal + cost});
                diagonal = row[j + 1];
                row[j + 1] = best;
            }
        }
        const std::size_t distance = row.back();
        const std::size_t allowed =
            std::max<std::size_t>(1, std::max(name.size(), candidate.size()) / 3);
        if (distance <= allowed && (!nearest || distance < least))
        {
            nearest = full;
            least = distance;
        }
    }
    return nearest;
}

std::string
Join(const std::vector<std::string>& texts, std::string_view between)
{
    std::string all;
    for (const auto& text : texts)
    {
        all += all.empty() ? "" : between;
        all += text;
    }
    return all;
}

std::string
PrintShort(double value)
{
    const int places = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;
    std::array<char, 400> text;
    const auto printed = std::to_chars(text.data(),
                                       text.data() + text.size(),
                                       value,
                                       std::chars_format::fixed,
                                       places);
    return std::string(text.data(), printed.ptr);
}

} // namespace ns3::lfn
