// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-topology-rows.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::lfn
{

namespace
{

/** @brief Remove spaces and tabs around a text. */
std::string_view
Trim(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/**
 * @brief Split a line into fields.
 * @return What is wrong, or nothing.
 */
std::optional<std::string>
Split(std::string_view text, std::vector<std::string>& fields)
{
    while (true)
    {
        std::string field;
        const auto quote = text.find_first_not_of(" \t");
        if (quote != std::string_view::npos && text[quote] == '"')
        {
            std::size_t i = quote + 1;
            for (; i < text.size() && (text[i] != '"' || text.substr(i).starts_with("\"\"")); ++i)
            {
                field += text[i];
                i += text[i] == '"' ? 1 : 0;
            }
            const auto comma = std::min(text.find(',', i), text.size());
            if (i >= text.size() || !Trim(text.substr(i + 1, comma - i - 1)).empty())
            {
                return "a quote is not closed: end the field with \", and write \"\" for a quote "
                       "in it";
            }
            text.remove_prefix(comma);
        }
        else
        {
            const auto comma = std::min(text.find(','), text.size());
            field = text.substr(0, comma);
            text.remove_prefix(comma);
        }
        fields.emplace_back(Trim(field));
        if (text.empty())
        {
            break;
        }
        text.remove_prefix(1);
    }
    while (fields.size() > 1 && fields.back().empty())
    {
        fields.pop_back();
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string>
ReadTopologyRows(std::string_view text, std::vector<TopologyRow>& rows, std::string_view header)
{
    if (text.starts_with("\xef\xbb\xbf")) // the mark that some editors put before UTF-8
    {
        text.remove_prefix(3);
    }
    bool isFirst = true;
    for (uint32_t number = 1; !text.empty(); ++number)
    {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r'))
        {
            line.remove_suffix(1);
        }
        const auto isControl = [](char c) {
            return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f';
        };
        const std::string where = ", line " + std::to_string(number) + ": ";
        if (std::ranges::any_of(line, isControl))
        {
            return where + "a control character: save the file as plain text in UTF-8";
        }
        const auto content = Trim(line);
        if (content.empty() || content.starts_with('#'))
        {
            continue;
        }
        TopologyRow row{number, {}};
        if (const auto complaint = Split(line, row.fields))
        {
            return where + *complaint;
        }
        if (row.fields.size() == 1 && row.fields[0].empty())
        {
            continue;
        }
        if (!isFirst || row.fields[0] != header)
        {
            rows.push_back(std::move(row));
        }
        isFirst = false;
    }
    return std::nullopt;
}

} // namespace ns3::lfn
