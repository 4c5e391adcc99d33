// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-wording.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace ns3::lfn
{

std::string
Printable(std::string_view text, std::size_t most)
{
    std::string result;
    for (const char c : text)
    {
        if (result.size() >= most)
        {
            return result + "...";
        }
        if (c >= ' ' && c <= '~')
        {
            result += c;
        }
        else
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
    // A name of hostile length must not cost its square.
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
